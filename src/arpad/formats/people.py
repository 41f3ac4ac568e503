"""Start lists and acts: one row a player, or one row an act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from arpad.arithmetic import DAY
from arpad.formats import values
from arpad.formats.check import Calendar, Check
from arpad.formats.games import season_of, time_of_day
from arpad.formats.headers import (
    ACT_FIELDS,
    DATED_FIELDS,
    FACT_FIELDS,
    MEMBER_FIELDS,
    START_FIELDS,
    TEXT_FIELDS,
    Field,
    match_columns,
    missing,
)
from arpad.formats.names import warn_of_near_same
from arpad.formats.sheet import Encoded, Reading, Sheet
from arpad.model import Act, Column, PartialDate, Problem, Start

_UNRATED = frozenset(("", "0", "0.0", "-", "–", "?", "unrated", "unr", "nr"))
_KINDS: dict[str, Literal["entry", "blend", "adjustment", "floor"]] = {
    **dict.fromkeys(("entry", "ingresso", "ingreso"), "entry"),
    **dict.fromkeys(("blend", "fusione", "mezcla"), "blend"),
    **dict.fromkeys(("adjustment", "correction", "correzione", "correccion", "corrección", "ajuste"), "adjustment"),
    **dict.fromkeys(("floor", "minimo", "mínimo", "suelo"), "floor"),
}
#: What may be told of players from a day on.
_FACTS = ("federation", "title")
_ENTRIES = frozenset(word for word, kind in _KINDS.items() if kind == "entry")
_NAN = float("nan")


class DatedFact(msgspec.Struct, frozen=True):
    """What a table says of a player from a day (ordinal) on."""

    player: str
    what: Literal["federation", "title"]
    since: int
    value: str


class Member(msgspec.Struct, frozen=True):
    """A member as they join: on a day (ordinal, 0: the list's base), with a rating and games or a category, if any."""

    number: str
    name: str
    born: PartialDate | None
    federation: str
    title: str
    since: int
    rating: float | None
    games: int | None
    category: str
    line: int


def starts_of(sheet: Sheet, reading: Reading) -> tuple[list[Start], list[Problem]]:
    """What a start list knows of each player; blank, 0, - and ? in the rating mean unrated."""
    check, notes = _open(sheet, reading, {**START_FIELDS, **FACT_FIELDS, **TEXT_FIELDS}, ("player", "rating"))
    calendar = Calendar.of(check, reading, ["born", "last", "rated"])
    players = _words(check, "player")
    _refuse_rows(
        check, players, "player", [row for row, name in enumerate(players) if not name], "the player is missing"
    )
    rating = check.cells.columns["rating"]
    mark = reading.decimal or check.mark([rating])
    ratings = check.values(
        rating, lambda text: _rating(text, mark), _NAN, "d", "a number; blank, 0, - or ? for unrated"
    )
    games = check.read("games", values.integer, -1, "i")
    peaks = check.numbers("peak", reading)
    seasons = check.read("season", season_of, 0, "i", "a season is a year, or 2024/25")
    born, lasts = calendar.dates(check, "born"), calendar.dates(check, "last")
    moments = _moments(check, calendar)
    exact = check.numbers("exact", reading)
    counted = check.numbers("games_exact", reading)
    texts = {name: _words(check, name) for name in TEXT_FIELDS if name in check.cells.columns}
    told = {name: column for name in FACT_FIELDS if (column := check.numbers(name, reading)) is not None}
    for name, column in {**told, **({} if counted is None else {"games_exact": counted})}.items():
        negative = [row for row, value in enumerate(column) if value < 0]
        _refuse_rows(check, [f"{value:g}" for value in column], name, negative, "{} is negative")
    _refuse_repeated_players(check, players)
    found = [
        Start(
            player=player,
            rating=_known(ratings[row] if exact is None or exact[row] != exact[row] else exact[row]),
            games=_counted(games, counted, row),
            peak=None if peaks is None else _known(peaks[row]),
            season=None if seasons is None else int(seasons[row]) or None,
            born=born[row],
            last=None if (last := lasts[row]) is None else last.after - 1,
            rated=moments[row],
            facts={name: float(column[row]) for name, column in told.items() if column[row] == column[row]},
            texts={name: column[row] for name, column in texts.items() if column[row]},
        )
        for row, player in enumerate(players)
        if not check.bad[row]
    ]
    warn_of_near_same(check, [start.player for start in found])
    return found, [*notes, *check.in_order()]


def _moments(check: Check, calendar: Calendar) -> list[float | None]:
    """When each player was last rated: an ordinal, with the time of day as its fraction."""
    days = calendar.dates(check, "rated")
    times = time_of_day(check, "rated")
    return [
        None if day is None else day.after - 1 + (int(times[row]) / DAY if times is not None else 0)
        for row, day in enumerate(days)
    ]


def acts_of(sheet: Sheet, reading: Reading) -> tuple[list[Act], list[Problem]]:
    """Dated acts. An entry may name a category instead of a rating, which is then nan; a blank date is 0."""
    check, notes = _open(sheet, reading, ACT_FIELDS, ("kind", "player", "rating"))
    calendar = Calendar.of(check, reading, ["date"])
    players, kinds = _words(check, "player"), _words(check, "kind")
    categories, reasons = _words(check, "category"), _words(check, "reason")
    unknown = [row for row, kind in enumerate(kinds) if kind.casefold() not in _KINDS]
    _refuse_rows(
        check, players, "player", [row for row, name in enumerate(players) if not name], "the player is missing"
    )
    _refuse_rows(
        check,
        list(map(repr, kinds)),
        "kind",
        unknown,
        "unknown kind of act {}",
        "accepted: entry, blend, adjustment, floor",
    )
    ratings = check.numbers("rating", reading)
    games = check.read("games", values.integer, -1, "i")
    deviations = check.numbers("deviation", reading)
    days = calendar.dates(check, "date")
    inexact = [row for row, day in enumerate(days) if day is not None and not day.exact]
    _refuse_rows(check, [str(day) for day in days], "date", inexact, "an act needs a day, not only {}")
    blank = [row for row, rating in enumerate(ratings if ratings is not None else ()) if rating != rating]
    without = [row for row in blank if kinds[row].casefold() not in _ENTRIES or not categories[row]]
    _refuse_rows(check, players, "rating", without, "the rating is missing", "only an entry by category goes without")
    found = [
        Act(
            kind=_KINDS[kinds[row].casefold()],
            player=player,
            date=day.first.toordinal() if (day := days[row]) is not None else 0,
            rating=float(ratings[row]) if ratings is not None else _NAN,
            games=None if games is None or games[row] < 0 else int(games[row]),
            reason=reasons[row],
            source=sheet.source,
            line=int(check.cells.lines[row]),
            category=categories[row],
            deviation=None if deviations is None else _known(deviations[row]),
        )
        for row, player in enumerate(players)
        if not check.bad[row]
    ]
    return found, [*notes, *check.in_order()]


def members_of(sheet: Sheet, reading: Reading) -> tuple[list[Member], list[Problem]]:
    """Members as they join; whoever has neither a rating nor a category enters as the rules say."""
    check, notes = _open(sheet, reading, MEMBER_FIELDS, ("name",))
    calendar = Calendar.of(check, reading, ["born", "from"])
    names, numbers = _words(check, "name"), _words(check, "number")
    _refuse_rows(check, names, "name", [row for row, name in enumerate(names) if not name], "the name is missing")
    if "number" in check.cells.columns:
        absent = [row for row, number in enumerate(numbers) if not number]
        _refuse_rows(check, names, "number", absent, "the number of {} is missing")
        seen: dict[str, int] = {}
        again = [row for row, number in enumerate(numbers) if number and seen.setdefault(number, row) != row]
        _refuse_rows(check, numbers, "number", again, "{} is another member's number")
    born, days = calendar.dates(check, "born"), calendar.dates(check, "from")
    inexact = [row for row, day in enumerate(days) if day is not None and not day.exact]
    _refuse_rows(check, [str(day) for day in days], "from", inexact, "an entry needs a day, not only {}")
    ratings = check.numbers("rating", reading)
    games = check.read("games", values.integer, -1, "i")
    categories = _words(check, "category")
    federations, titles = _words(check, "federation"), _words(check, "title")
    found = [
        Member(
            numbers[row],
            name,
            born[row],
            federations[row],
            titles[row],
            day.first.toordinal() if (day := days[row]) is not None else 0,
            None if ratings is None else _known(ratings[row]),
            None if games is None or games[row] < 0 else int(games[row]),
            categories[row],
            int(check.cells.lines[row]),
        )
        for row, name in enumerate(names)
        if not check.bad[row]
    ]
    warn_of_near_same(check, [member.name for member in found])
    return found, [*notes, *check.in_order()]


def dated_of(sheet: Sheet, reading: Reading) -> tuple[list[DatedFact], list[Problem]]:
    """What is true of players from a day on: federation or title; a blank date is 0, always."""
    check, notes = _open(sheet, reading, DATED_FIELDS, ("player", "fact", "value"))
    calendar = Calendar.of(check, reading, ["from"])
    players, facts = _words(check, "player"), _words(check, "fact")
    told = _words(check, "value")
    absent = [row for row, name in enumerate(players) if not name]
    _refuse_rows(check, players, "player", absent, "the player is missing")
    unknown = [row for row, fact in enumerate(facts) if fact.casefold() not in _FACTS]
    accepted = f"accepted: {', '.join(_FACTS)}"
    _refuse_rows(check, list(map(repr, facts)), "fact", unknown, "unknown fact {}", accepted)
    days = calendar.dates(check, "from")
    inexact = [row for row, day in enumerate(days) if day is not None and not day.exact]
    _refuse_rows(check, [str(day) for day in days], "from", inexact, "it holds from a day on, not only {}")
    found = [
        DatedFact(
            player,
            "title" if facts[row].casefold() == "title" else "federation",
            day.first.toordinal() if (day := days[row]) is not None else 0,
            told[row],
        )
        for row, player in enumerate(players)
        if not check.bad[row]
    ]
    return found, [*notes, *check.in_order()]


def _open(
    sheet: Sheet, reading: Reading, fields: Mapping[str, Field], needed: Sequence[str]
) -> tuple[Check, list[Problem]]:
    picked, notes = match_columns(sheet.headers, fields, reading.columns, sheet.source, sheet.header_line)
    absent = [fact for fact in needed if fact not in picked]
    if absent:
        raise missing(sheet.headers, fields, absent, sheet.source, sheet.header_line)
    return Check.of(sheet.source, sheet.encode(picked)), [*notes, *sheet.notes]


def _words(check: Check, fact: str) -> list[str]:
    """The trimmed text of every row; blank where the table has no such column."""
    encoded: Encoded | None = check.cells.columns.get(fact)
    if encoded is None:
        return [""] * len(check.cells)
    return [encoded.values[code].strip() if code >= 0 else "" for code in encoded.codes]


def _refuse_rows(
    check: Check, words: Sequence[str], fact: str, rows: Sequence[int], message: str, hint: str = ""
) -> None:
    meant = check.ops.mask(len(check.cells))
    check.ops.mark(meant, rows)
    column = check.cells.columns[fact].header if rows else ""
    check.refuse(meant, column, lambda row: message.format(words[row]), hint)


def _refuse_repeated_players(check: Check, players: Sequence[str]) -> None:
    first: dict[str, int] = {}
    again = [row for row, name in enumerate(players) if name and first.setdefault(name, row) != row]
    lines = check.cells.lines
    words = [f"{name!r} on line {lines[first[name]]}" if name else "" for name in players]
    _refuse_rows(check, words, "player", again, "the same player as {}")


def _counted(games: Column | None, exact: Column | None, row: int) -> float | None:
    """The games behind a rating: exactly, where a column says so."""
    if exact is not None and exact[row] == exact[row]:
        return float(exact[row])
    return None if games is None or games[row] < 0 else int(games[row])


def _rating(text: str, mark: str) -> float:
    return _NAN if text.casefold() in _UNRATED else values.number(text, mark)


def _known(value: float) -> float | None:
    return None if value != value else float(value)
