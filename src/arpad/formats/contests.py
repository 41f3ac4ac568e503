"""Tables with one row per player of a contest of several: each contest becomes the games of all its pairs.

What is wrong with a row keeps its whole contest out: without one of its players it would be another contest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

import msgspec

from arpad.errors import DataError
from arpad.formats import values
from arpad.formats.check import Calendar, Check
from arpad.formats.games import DATES, LABELS, When, read_rounds, read_when, season_of, trimmed
from arpad.formats.headers import CONTEST_FIELDS, match_columns, missing
from arpad.formats.names import read_names, warn_of_near_same
from arpad.formats.sheet import Reading, Sheet, listed
from arpad.model import Column, Games, Labels, Problem

#: More players no contest has, and more pairs no file: both are read as something that they are not.
MOST_PLAYERS, MOST_PAIRS = 1_000, 20_000_000

NAN = float("nan")
_PLACE = r"=?([0-9]{1,6})(?:\.0)?[.=]?"
#: Results of a pair: the first-named was placed better, or as well.
BETTER, LEVEL = 0, 1
SCORES = ((1.0, 0.0), (0.5, 0.5))


class _Rows(msgspec.Struct, frozen=True):
    """What each row says; teams are -1 where a player plays alone. `shared` must be the same for all of a contest."""

    player: list[int]
    names: Sequence[str]
    contest: list[int]
    ids: Sequence[str]
    rank: list[float]
    points: list[float]
    weight: list[float]
    team: list[int]
    teams: Sequence[str]
    shared: dict[str, list[Any]]


def games_of_contests(sheet: Sheet, reading: Reading) -> tuple[Games, list[Problem]]:
    """All pairs of all contests of a sheet, and everything that was found wrong with it, in the order of the file."""
    picked, notes = match_columns(sheet.headers, CONTEST_FIELDS, reading.columns, sheet.source, sheet.header_line)
    lacking = [fact for fact in ("player", "id") if fact not in picked]
    if "rank" not in picked and "points" not in picked:
        lacking.append("rank")
    if lacking:
        raise missing(sheet.headers, CONTEST_FIELDS, lacking, sheet.source, sheet.header_line)
    check = Check.of(sheet.source, sheet.encode(picked))
    when = read_when(check, Calendar.of(check, reading, DATES))
    rows = _read(check, reading, when)
    contests: dict[int, list[int]] = {}
    for row, code in enumerate(rows.contest):
        if code >= 0:
            contests.setdefault(code, []).append(row)
    _refuse_rows(check, rows, contests)
    _refuse_contests(check, rows, contests)
    bad = check.bad.tolist()
    whole = [members for members in contests.values() if not any(bad[row] for row in members)]
    spoilt = sorted(
        int(check.cells.lines[row])
        for members in contests.values()
        if any(bad[row] for row in members)
        for row in members
        if not bad[row]
    )
    if spoilt:
        check.warn(f"rows of contests in which another row is wrong are left out (line {listed(spoilt)})")
    if sum(len(members) * (len(members) - 1) // 2 for members in whole) > MOST_PAIRS:
        raise DataError([Problem(f"more than {MOST_PAIRS:,} pairs of players: rate it in parts", sheet.source)])
    games = _games(check, rows, whole, when, sheet.source)
    warn_of_near_same(check, games.players)
    return games, [*notes, *sheet.notes, *check.in_order()]


def _read(check: Check, reading: Reading, when: When) -> _Rows:
    columns, length = check.cells.columns, len(check.cells)
    names = read_names(check, columns["player"], columns["player"])
    contest, ids = trimmed(check, columns["id"])
    team, teams = trimmed(check, columns["team"]) if "team" in columns else (None, [])
    shared = {
        "date": when.date,
        "time of day": when.time,
        "event": when.event,
        "round": read_rounds(check),
        "board": check.read("board", values.integer, 0, "i"),
        "season": check.read("season", season_of, 0, "i", "a season is a year, or 2024/25"),
        "importance": check.numbers("importance", reading, least=0.0),
        **{name: trimmed(check, columns[name])[0] for name in LABELS if name in columns},
    }
    rank = check.read("rank", _place_of, 0, "i", "places are whole numbers from 1; equal ones are ties")
    points = check.numbers("points", reading)
    weight = check.numbers("weight", reading, least=1e-6)
    for column, absent, what in (
        (columns["player"], check.ops.blank(names.first), "a player is missing"),
        (columns["id"], check.ops.blank(contest), "the game's id is missing"),
    ):
        check.refuse(absent, column.header, _saying(what))
    told = "points" if rank is None else "rank"
    absent = check.ops.blank(columns[told].codes)
    check.refuse(absent, columns[told].header, _saying("points are missing" if rank is None else "a place is missing"))
    given = [NAN] * length if points is None else points.tolist()
    return _Rows(
        player=names.first.tolist(),
        names=names.table,
        contest=contest.tolist(),
        ids=ids,
        rank=[-value for value in given] if rank is None else rank.tolist(),
        points=given,
        weight=[NAN] * length if weight is None else weight.tolist(),
        team=[-1] * length if team is None else team.tolist(),
        teams=teams,
        shared={name: column.tolist() for name, column in shared.items() if column is not None},
    )


def _saying(text: str) -> Callable[[int], str]:
    return lambda row: text


def _place_of(text: str) -> int:
    """A place: `3`, `3.`, or `3=` and `=3` where it is shared."""
    match = re.fullmatch(_PLACE, text)
    if not match or int(match[1]) < 1:
        raise ValueError(f"{text!r} is not a place")
    return int(match[1])


def _refuse_rows(check: Check, rows: _Rows, contests: Mapping[int, Sequence[int]]) -> None:
    """Refuse rows that do not go with an earlier row of their contest."""
    lines = check.cells.lines
    again: dict[int, str] = {}
    places: dict[int, str] = {}
    other: dict[str, dict[int, str]] = {name: {} for name in rows.shared}
    for members in contests.values():
        first = members[0]
        seen: dict[int, int] = {}
        placed: dict[int, int] = {}
        for row in members:
            player, team = rows.player[row], rows.team[row]
            if player >= 0 and seen.setdefault(player, row) != row:
                again[row] = f"{rows.names[player]!r} stands in this game already, in line {lines[seen[player]]}"
            if team >= 0 and rows.rank[placed.setdefault(team, row)] != rows.rank[row]:
                places[row] = f"team {rows.teams[team]!r} is placed otherwise in line {lines[placed[team]]}"
            for name, column in rows.shared.items():
                one, two = column[first], column[row]
                if one != two and (one == one or two == two):
                    other[name][row] = f"another {name} than in line {lines[first]}, which is of the same game"
    columns = check.cells.columns
    rank = columns["rank"] if "rank" in columns else columns["points"]
    _refuse(check, columns["player"].header, again, "")
    _refuse(check, rank.header, places, "a team has one place")
    for name, found in other.items():
        told = columns.get("date" if name == "time of day" else name)
        _refuse(check, told.header if told else name, found, "two games need two ids")


def _refuse_contests(check: Check, rows: _Rows, contests: Mapping[int, Sequence[int]]) -> None:
    """Refuse contests without an opponent, and enormous ones."""
    bad = check.bad
    found: dict[int, str] = {}
    for code, members in contests.items():
        name = rows.ids[code]
        if any(bad[row] for row in members):
            continue
        if len(members) == 1:
            found[members[0]] = f"game {name!r} has one player only"
        elif len(members) > MOST_PLAYERS:
            found[members[0]] = f"game {name!r} has {len(members):,} players; accepted: {MOST_PLAYERS:,}"
        elif rows.team[members[0]] >= 0 and len({rows.team[row] for row in members}) == 1:
            found[members[0]] = f"all players of game {name!r} are of one team"
    _refuse(check, check.cells.columns["id"].header, found, "a game has a row for each player")


def _refuse(check: Check, header: str, found: Mapping[int, str], hint: str) -> None:
    meant = check.ops.mask(len(check.cells))
    check.ops.mark(meant, found)
    check.refuse(meant, header, found.__getitem__, hint)


def _games(check: Check, rows: _Rows, contests: Sequence[Sequence[int]], when: When, source: str) -> Games:
    """Each contest's pairs, the better placed first; of equals the first in the alphabet."""
    ones: list[int] = []
    twos: list[int] = []
    for members in contests:
        ranked = sorted(members, key=lambda row: (rows.rank[row], rows.names[rows.player[row]]))
        for one, two in combinations(ranked, 2):
            if rows.team[one] < 0 or rows.team[one] != rows.team[two]:
                ones.append(one)
                twos.append(two)
    column = check.ops.column
    codes: dict[int, int] = {}
    for members in contests:
        for row in members:
            codes.setdefault(rows.player[row], len(codes))
    sizes = {row: len(members) for members in contests for row in members}
    inexact = check.cells.columns["date"].codes if when.inexact else ()

    def of(facts: Sequence[Any], places: Sequence[int], kind: str) -> Column:
        return column([facts[row] for row in places], kind)

    def said(facts: Sequence[float], places: Sequence[int]) -> Column | None:
        return of(facts, places, "d") if any(value == value for value in facts) else None

    labels = {
        name: Labels(of(rows.shared[name], ones, "i"), _words(check, name)) for name in LABELS if name in rows.shared
    }
    if any(team >= 0 for team in rows.team):
        labels["first_team"] = Labels(of(rows.team, ones, "i"), rows.teams)
        labels["second_team"] = Labels(of(rows.team, twos, "i"), rows.teams)
    optional: dict[str, tuple[str, float]] = {
        **dict.fromkeys(("date", "round", "board", "season"), ("i", 0)),
        "event": ("i", -1),
        "importance": ("d", NAN),
    }
    facts: dict[str, Any] = {}
    for name, (kind, blank) in optional.items():
        told = rows.shared.get(name, ())
        if any(value != blank and value == value for value in told):
            facts[name] = of(told, ones, kind)
    if "date" in facts and any(rows.shared.get("time of day", ())):
        facts["time"] = of(rows.shared["time of day"], ones, "i")
    return Games(
        players=[rows.names[code] for code in codes],
        first=column([codes[rows.player[row]] for row in ones], "i"),
        second=column([codes[rows.player[row]] for row in twos], "i"),
        score=column([LEVEL if rows.rank[one] == rows.rank[two] else BETTER for one, two in zip(ones, twos)], "i"),
        scores=SCORES,
        partial={
            place: when.inexact[int(inexact[row])]
            for place, row in enumerate(ones)
            if when.inexact and int(inexact[row]) in when.inexact
        },
        events=when.events,
        id=[rows.ids[rows.contest[row]] for row in ones],
        neutral=column([1] * len(ones), "B"),
        contest=column([sizes[row] for row in ones], "i"),
        first_points=said(rows.points, ones),
        second_points=said(rows.points, twos),
        first_weight=said(rows.weight, ones),
        second_weight=said(rows.weight, twos),
        labels=labels,
        line=of(check.cells.lines, ones, "i"),
        source=source,
        **facts,
    )


def _words(check: Check, name: str) -> Sequence[str]:
    return trimmed(check, check.cells.columns[name])[1]
