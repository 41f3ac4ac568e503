"""A sheet of games to `Games`: every column read, every bad row named, nothing guessed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from arpad.arithmetic import grade_of
from arpad.formats import values
from arpad.formats.check import Calendar, Check
from arpad.formats.headers import GAME_FIELDS, holds_contests, match_columns, missing
from arpad.formats.names import Names, read_names, warn_of_near_same
from arpad.formats.scores import FACT, PENDING, Scores, read_scores, read_shootout
from arpad.formats.sheet import Encoded, Reading, Sheet, listed
from arpad.model import MOST_KOMI, MOST_STONES, Column, Event, Games, Labels, PartialDate, Problem

#: Declared grades of Go; no row about one player alone has them.
GRADES = ("first_grade", "second_grade")
LABELS = ("tournament", "surface", "stage", "time_control", "category", "federation", *GRADES)
DATES = ("date", "event_start", "event_end")
#: What a table of players without opponents lacks, if it is one of contests.
SEVERAL = "or, for contests of several players: a place (or points) and the id of the game in each player's row"
_SEASON = r"(\d{4})(?:\.0|[-/–]\d{2,4})?"
_ROUND = r"(?:[^\W\d]+\.? ?)?(\d{1,6})(?:\.\d+)?"


class When(msgspec.Struct, frozen=True):
    date: Column | None
    time: Column | None
    inexact: Mapping[int, PartialDate]
    event: Column | None
    events: list[Event]


def games_of(sheet: Sheet, reading: Reading) -> tuple[Games, list[Problem]]:
    """All games of a sheet and everything that was found wrong with it, or worth a word, in the order of the file."""
    if holds_contests(sheet.headers, reading.columns):
        from arpad.formats.contests import games_of_contests

        return games_of_contests(sheet, reading)
    picked, notes = match_columns(sheet.headers, GAME_FIELDS, reading.columns, sheet.source, sheet.header_line)
    long = "player" in picked and "opponent" in picked and not {"first", "second"} <= picked.keys()
    _require(sheet, picked, long)
    if long:
        picked["first"], picked["second"] = picked.pop("player"), picked.pop("opponent")
        picked = {fact: at for fact, at in picked.items() if fact not in GRADES}
    else:
        picked = {fact: at for fact, at in picked.items() if fact not in ("player", "opponent", "side")}
    check = Check.of(sheet.source, sheet.encode(picked))
    columns, ops = check.cells.columns, check.ops
    names = read_names(check, columns["first"], columns["second"])
    scores = read_scores(check, names, reading)
    shootout = read_shootout(check, names)
    facts = ops.among(scores.outcome, {FACT})
    _refuse_players(check, names, facts)
    when = read_when(check, Calendar.of(check, reading, DATES))
    neutral = check.read("neutral", values.yes, 0, "B", "accepted: true false 1 0 yes no sì sí")
    rounds = read_rounds(check)
    if long:
        from arpad.formats.mirror import one_row_a_game

        one = one_row_a_game(check, names, scores, shootout, neutral, (when.date, when.event, rounds))
        names, scores, shootout, neutral = one.names, one.scores, one.shootout, one.neutral
        facts = ops.without(facts, one.mirrored)
    numbers = {
        "importance": check.numbers("importance", reading, least=0.0),
        "length": check.numbers("length", reading, least=0.0),
        "board": check.read("board", values.integer, 0, "i"),
        "season": check.read("season", season_of, 0, "i", "a season is a year, or 2024/25"),
        "knockout": check.read("knockout", values.yes, 2, "B", "accepted: true false 1 0 yes no sì sí"),
        "handicap": check.read("handicap", stones_of, 0, "i", f"stones given to Black, 0 to {MOST_STONES}"),
        "komi": check.numbers("komi", reading),
    }
    _refuse_grades(check, numbers["komi"])
    if long and "side" not in columns and numbers["handicap"] is not None:
        given = ops.without(ops.mask(len(check.cells), 1), ops.among(numbers["handicap"], {0}))
        check.refuse(given, columns["handicap"].header, lambda row: "whose stones they are is not said", "add a side")
    aside = one.mirrored if long else ops.mask(len(check.cells))
    _refuse_repeated_ids(check, aside)
    if when.date is not None or when.event is not None or rounds is not None:
        known = [names.first, names.second, scores.outcome, when.date, when.event, rounds, numbers["board"]]
        _warn_of_repeated_rows(check, known, ops.either(aside, facts), (when.date, when.time))
    if ops.count(facts):
        text = (
            f"forfeits and byes are no games and are left out: {ops.count(facts)} (line {listed(check.lines(facts))})"
        )
        check.warn(text)
    pending = ops.without(ops.without(ops.among(scores.outcome, {PENDING}), check.bad), aside)
    out = ops.either(ops.either(check.bad, aside), ops.either(facts, pending))
    games = _select(
        check, out, names, scores, when, {**numbers, "round": rounds, "neutral": neutral, "shootout": shootout}
    )
    games = replace(games, pending=ops.count(pending), source=sheet.source)
    warn_of_near_same(check, games.players)
    return games, [*notes, *sheet.notes, *check.in_order()]


def _require(sheet: Sheet, picked: Mapping[str, int], long: bool) -> None:
    place = sheet.source, sheet.header_line
    if not long and not {"first", "second"} <= picked.keys():
        facts = [fact for fact in ("first", "second") if fact not in picked]
        if "player" in picked and facts == ["first", "second"]:
            facts = ["opponent"]
        raise missing(sheet.headers, GAME_FIELDS, facts, *place, SEVERAL if "player" in picked else "")
    if not ("result" in picked or "winner" in picked or {"first_score", "second_score"} <= picked.keys()):
        raise missing(sheet.headers, GAME_FIELDS, ["result"], *place)


def _refuse_players(check: Check, names: Names, facts: Column) -> None:
    ops, columns = check.ops, check.cells.columns
    for codes, encoded in ((names.first, columns["first"]), (names.second, columns["second"])):
        absent = ops.without(ops.blank(codes), facts)
        check.refuse(
            absent, encoded.header, lambda row: "a player is missing", "give the name, or H, F, U or Z for a bye"
        )
    check.refuse(
        ops.same(names.first, names.second),
        columns["second"].header,
        lambda row: f"{names.table[names.first[row]]!r} cannot play against itself",
    )


def stones_of(text: str) -> int:
    """Handicap stones."""
    if (stones := values.integer(text)) > MOST_STONES:
        raise ValueError(f"{text} stones are out of range")
    return stones


def _refuse_grades(check: Check, komi: Column | None) -> None:
    """Refuse grades that are none, and komi that no game has."""
    for name in GRADES:
        check.read(name, lambda text: grade_of(text)[1], 0, "B", "grades are written 12k, 3d or 1p")
    if komi is not None:
        meant = check.ops.mask(len(check.cells))
        check.ops.mark(meant, [row for row, value in enumerate(komi.tolist()) if abs(value) > MOST_KOMI])
        check.refuse(meant, check.cells.columns["komi"].header, lambda row: f"komi {komi[row]:g} is out of range")


def season_of(text: str) -> int:
    """The year in which a season begins."""
    match = re.fullmatch(_SEASON, text)
    if not match:
        raise ValueError(f"{text!r} is not a season")
    return int(match[1])


def read_rounds(check: Check) -> Column | None:
    """Round numbers, also out of `Round 3` or `3.1`; other words are kept out of the order and reported."""
    encoded = check.cells.columns.get("round")
    if encoded is None:
        return None
    matches = [re.fullmatch(_ROUND, text.strip()) for text in encoded.values]
    words = [
        text.strip() for text, match in zip(encoded.values, matches) if not match and text.strip() not in ("", "-", "?")
    ]
    if words:
        text = f"rounds that are no numbers do not order the games: {listed([repr(word) for word in words])}"
        check.warn(text, column=encoded.header)
    return check.ops.take([int(match[1]) if match else 0 for match in matches], encoded.codes, 0, "i")


def read_when(check: Check, calendar: Calendar) -> When:
    """Dates, times of day and events of every row."""
    ops, columns = check.ops, check.cells.columns
    day, inexact = calendar.read(check, "date")
    time = time_of_day(check, "date")
    start, _ = calendar.read(check, "event_start")
    end, _ = calendar.read(check, "event_end", last=True)
    if start is not None and end is not None:
        codes, distinct = ops.pairs(start, end)
        wrong = {code: "the event ends before it starts" for code, (a, b) in enumerate(distinct) if a and b and b < a}
        check.refuse_codes(codes, wrong, columns["event_end"].header)
    encoded = columns.get("event")
    if encoded is None:
        return When(day, time, inexact, None, [])
    event, names = _sections(check, *trimmed(check, encoded))
    starts: list[int] = [0] * len(names)
    if start is not None:  # a name that comes back in another year is another event
        event, distinct = ops.pairs(event, start)
        position = [code for code, (name, _) in enumerate(distinct) if name >= 0]
        back = {code: place for place, code in enumerate(position)}
        event = ops.take([back.get(code, -1) for code in range(len(distinct))], event, -1, "i")
        names, starts = [names[distinct[code][0]] for code in position], [distinct[code][1] for code in position]
    low, high = ops.spans(event, len(names), day) if day is not None else (starts, [0] * len(names))
    ends = ops.spans(event, len(names), end)[1] if end is not None else [0] * len(names)
    spans = zip(names, starts, low, ends, high)
    events = [Event(name, first or early, last or late or first or early) for name, first, early, last, late in spans]
    return When(day, time, inexact, event, events)


def _sections(check: Check, event: Column, names: list[str]) -> tuple[Column, list[str]]:
    """Each section of an event as an event of its own, called `Event [Section]`."""
    encoded = check.cells.columns.get("section")
    if encoded is None:
        return event, names
    sections, words = trimmed(check, encoded)
    pairs, distinct = check.ops.pairs(event, sections)
    codes: dict[str, int] = {}
    called = [names[name] + (f" [{words[part]}]" if part >= 0 else "") if name >= 0 else "" for name, part in distinct]
    table = [codes.setdefault(name, len(codes)) if name else -1 for name in called]
    return check.ops.take(table, pairs, -1, "i"), list(codes)


def time_of_day(check: Check, fact: str) -> Column | None:
    """Milliseconds since midnight, where dates carry a time of day."""
    encoded = check.cells.columns.get(fact)
    if encoded is None or encoded.detail is not None:
        return None if encoded is None else encoded.detail
    if not any(":" in text for text in encoded.values):
        return None
    return check.ops.take([values.time_of_day(text) for text in encoded.values], encoded.codes, 0, "i")


def trimmed(check: Check, encoded: Encoded) -> tuple[Column, list[str]]:
    """A column of words without outer spaces: codes (-1 = blank) and the distinct words."""
    codes: dict[str, int] = {}
    table = [codes.setdefault(word, len(codes)) if (word := text.strip()) else -1 for text in encoded.values]
    return check.ops.take(table, encoded.codes, -1, "i"), list(codes)


def _refuse_repeated_ids(check: Check, aside: Column) -> None:
    encoded = check.cells.columns.get("id")
    if encoded is None:
        return
    codes, words = trimmed(check, encoded)
    rows, earlier = check.ops.repeats([codes], check.ops.either(aside, check.ops.blank(codes)))
    again = dict(zip(rows, earlier))
    meant = check.ops.mask(len(check.cells))
    check.ops.mark(meant, rows)
    lines = check.cells.lines
    check.refuse(
        meant, encoded.header, lambda row: f"id {words[codes[row]]!r} is also that of line {lines[again[row]]}"
    )


def _warn_of_repeated_rows(
    check: Check, known: list[Column | None], aside: Column, moment: tuple[Column | None, Column | None]
) -> None:
    detail = [check.cells.columns[fact] for fact in ("date", "id") if fact in check.cells.columns]
    told = [encoded.codes if encoded.detail is None else encoded.detail for encoded in detail]
    held = [values for values in (*known, *told) if values is not None]
    ascending = [values for values in moment if values is not None] if moment[1] is not None else []
    rows, earlier = check.ops.repeats(held, check.ops.either(aside, check.bad), ascending)
    if rows:
        lines = check.cells.lines
        shown = listed([f"{lines[row]} repeats {lines[first]}" for row, first in zip(rows, earlier)])
        text = f"rows that say the same as an earlier row, all of them rated: {len(rows)} (line {shown})"
        check.warn(
            text, int(lines[rows[0]]), hint="leave the repeated rows out, or give the games ids, if they are one game"
        )


def _select(
    check: Check, out: Column, names: Names, scores: Scores, when: When, optional: Mapping[str, Column | None]
) -> Games:
    """The rows that are games, without columns that say nothing and players who played none of them."""
    ops, columns = check.ops, check.cells.columns
    whole = not ops.count(out)

    def kept(column: Column | None, blank: float) -> Column | None:
        if column is None:
            return None
        column = column if whole else ops.select(column, out)
        return None if ops.uniform(column, blank) else column

    def rows_of(column: Column) -> Column:
        return column if whole else ops.select(column, out)

    first, second = rows_of(names.first), rows_of(names.second)
    used = ops.used([first, second], len(names.table))
    players = names.table
    if len(used) < len(players):
        place = {code: position for position, code in enumerate(used)}
        table = [place.get(code, -1) for code in range(len(players))]
        first, second = ops.take(table, first, -1, "i"), ops.take(table, second, -1, "i")
        players = [players[code] for code in used]
    date = kept(when.date, 0)
    if date is not None:
        _warn_of_undated(check, out, when.date)
    blanks = {
        "round": 0,
        "board": 0,
        "season": 0,
        "neutral": 0,
        "knockout": 2,
        "shootout": 0,
        "importance": float("nan"),
        "length": float("nan"),
        "handicap": 0,
        "komi": float("nan"),
    }
    labels = {}
    for fact in LABELS:
        if fact in columns:
            codes, words = trimmed(check, columns[fact])
            labels[fact] = Labels(rows_of(codes), words)
    ids = columns.get("id")
    said: dict[str, Any] = {name: kept(optional[name], blank) for name, blank in blanks.items()}
    return Games(
        players=players,
        first=first,
        second=second,
        score=rows_of(scores.outcome),
        scores=scores.pairs,
        date=date,
        time=None if date is None else kept(when.time, 0),
        partial=_partial(check, out, when),
        event=kept(when.event, -1),
        events=when.events,
        id=None if ids is None else [ids.values[code].strip() if code >= 0 else "" for code in rows_of(ids.codes)],
        margin=kept(scores.margin, float("nan")),
        fewer=kept(scores.fewer, float("nan")),
        labels=labels,
        line=rows_of(check.cells.lines),
        **said,
    )


def _warn_of_undated(check: Check, out: Column, date: Column) -> None:
    undated = check.ops.without(check.ops.among(date, {0}), out)
    if check.ops.count(undated):
        text = f"games without a date: {check.ops.count(undated)} (line {listed(check.lines(undated, 11))})"
        check.warn(text, column=check.cells.columns["date"].header)


def _partial(check: Check, out: Column, when: When) -> dict[int, PartialDate]:
    """The inexact dates by row of the games that are kept."""
    if not when.inexact:
        return {}
    codes = check.cells.columns["date"].codes
    kept = check.ops.select(codes, out)
    meant = check.ops.among(kept, when.inexact.keys())
    return {row: when.inexact[int(kept[row])] for row in check.ops.rows(meant, len(kept))}
