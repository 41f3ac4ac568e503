"""Expected scores and performance ratings, of ratings or of people on a list."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Literal, TypeAlias

import msgspec

from arpad import office as door
from arpad.bureau.opened import Office
from arpad.errors import UnknownName, UsageError
from arpad.performances import Performance
from arpad.rulebooks import Rulebook, Value
from arpad.web.views.lists import whole_list
from arpad.web.views.rulebooks import on_the_shelf

#: Opponents of one performance.
MOST = 500
#: What a method is called.
Method: TypeAlias = Literal["fide", "perfect", "algorithm of 400", "linear", "true", "true normal", "table", "all"]


class Side(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rating, with a deviation where the rules know one; or a person of the list that is asked."""

    rating: float | None = None
    deviation: float | None = None
    person: int | None = None


class ExpectedAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two sides. `list` is a list of the office, whose rulebook and people are meant; else `rules` ship (None: the
    logistic curve of 400 points). `home`: who plays first or at home, where that counts."""

    own: Side
    opponent: Side
    rules: str | None = None
    list: str | None = None
    settings: Mapping[str, Value] = {}
    day: date | None = msgspec.field(default=None, name="date")
    home: Literal["own", "opponent"] | None = None


class Range(msgspec.Struct, frozen=True):
    """Least and most probability."""

    least: float
    most: float


class ExpectedTold(msgspec.Struct, frozen=True):
    """What the first side may expect. `quality`, a measure of arpad's own, is how even the match is: 1 where both
    expect the same, 0 where one side is sure to win; `basis` says by whose rules."""

    own: float
    opponent: float
    difference: float
    advantage: float
    counted: float
    score: float
    opponent_score: float
    win: Range
    draw: Range
    loss: Range
    quality: float
    rules: str
    edition: str
    basis: str
    notes: tuple[str, ...]


class PerformanceAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Opponents' ratings (None: unrated), with all points together, or each result (None: not played)."""

    opponents: tuple[float | None, ...]
    score: float | None = None
    results: tuple[float | None, ...] | None = None
    method: Method = "true"
    rules: str | None = None


class MethodOf(msgspec.Struct, frozen=True):
    """What a method does, and where it comes from."""

    method: str
    text: str
    source: str


class PerformanceTold(msgspec.Struct, frozen=True):
    """By one method, or by all; `methods` are those, in the same order."""

    performances: tuple[Performance, ...]
    methods: tuple[MethodOf, ...]


class TableAsked(msgspec.Struct, frozen=True):
    """Whose table: a list's of the office, or of rules that ship. `opponent`: their rating, where the curve asks."""

    rules: str = "fide/standard"
    list: str | None = None
    day: date | None = msgspec.field(default=None, name="date")
    opponent: float | None = None


class RowOf(msgspec.Struct, frozen=True):
    """Differences from `low` to `high` (None: open), and what the higher and the lower rated side may expect."""

    low: int
    high: int | None
    higher: str
    lower: str


class CurveTable(msgspec.Struct, frozen=True):
    """All expected scores of a rulebook on a day (None: now); `reason` says why it has none, if so."""

    rules: str
    day: date | None
    rows: tuple[RowOf, ...]
    notes: tuple[str, ...]
    reason: str


def expected(office: Office, asked: ExpectedAsked) -> ExpectedTold:
    """Raises UnknownName for rules, a list or a person that is not there, UsageError for numbers that cannot be."""
    rules: Rulebook | str | None = None
    if asked.list is not None:
        rules = office.book(office.which(asked.list))
    elif asked.rules is not None:
        rules = on_the_shelf(asked.rules)
    own, opponent = (_rating(office, side, asked.list, name) for name, side in _sides(asked))
    given = asked.own.deviation, asked.opponent.deviation
    if (given[0] is None) != (given[1] is None):
        raise UsageError("a deviation is given for one of the two ratings: give both, or none")
    deviations = None if given[0] is None or given[1] is None else (given[0], given[1])
    settings = {} if asked.list is not None else asked.settings
    told = door.expected(own, opponent, rules, asked.day, asked.home, settings, deviations)
    said, chances = told.expectation, told.outcomes
    win, draw, loss = (Range(*span) for span in (chances.win, chances.draw, chances.loss))
    return ExpectedTold(
        said.own,
        said.opponent,
        said.difference,
        said.advantage,
        said.counted,
        said.score,
        said.opponent_score,
        win,
        draw,
        loss,
        1 - abs(said.score - said.opponent_score),
        said.rules,
        said.edition,
        told.basis,
        (*told.warnings, *said.notes),
    )


def _sides(asked: ExpectedAsked) -> tuple[tuple[str, Side], ...]:
    return ("own", asked.own), ("opponent", asked.opponent)


def _rating(office: Office, side: Side, name: str | None, whose: str) -> float:
    if (side.rating is None) == (side.person is None):
        raise UsageError(f"{whose}: name a rating or a person, one of the two")
    if side.rating is not None:
        return side.rating
    if name is None:
        raise UsageError(f"{whose}: name the list that the person is on")
    with office.store.reading():
        row = next((row for row in whole_list(office, name, None).rows if row.person == side.person), None)
    if row is None:
        raise UnknownName(f"person on list {name!r}:", str(side.person), [])
    return row.exact


def performance(office: Office, asked: PerformanceAsked) -> PerformanceTold:
    """Raises UnknownName for rules that do not ship, UsageError for numbers that cannot be."""
    if len(asked.opponents) > MOST:
        raise UsageError(f"{len(asked.opponents)} opponents: at most {MOST}")
    if (asked.score is None) == (asked.results is None):
        raise UsageError("give the score, or the results game by game, one of the two")
    rules = None if asked.rules is None else on_the_shelf(asked.rules)
    found = door.performance(asked.opponents, asked.score, asked.method, results=asked.results, rules=rules)
    return PerformanceTold(tuple(found), tuple(_method(each.method) for each in found))


def _method(name: str) -> MethodOf:
    return MethodOf(name, *door.performance_method(name))


def table(office: Office, asked: TableAsked) -> CurveTable:
    """The table of expected scores. Raises UnknownName for rules or a list that are not there."""
    named = asked.list
    held = door.rulebook(on_the_shelf(asked.rules)) if named is None else office.book(office.which(named))
    try:
        rows = door.expected_table(held, asked.day, asked.opponent)
    except UsageError as error:
        return CurveTable(held.name, asked.day, (), (), str(error))
    told = tuple(RowOf(row.low, row.high, row.higher, row.lower) for row in rows)
    return CurveTable(held.name, asked.day, told, door.curve_notes(held), "")
