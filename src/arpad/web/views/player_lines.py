"""Lines of a card: what each event and act did to a rating, who was met, and how it went with each colour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from arpad.bureau.opened import Office
from arpad.bureau.threads import Thread, Turn
from arpad.ledger.facts import day_of
from arpad.working import known


class Line(msgspec.Struct, frozen=True, gc=False):
    """What an event did to a rating, or something that is no game (see `bureau.threads.Turn`).

    `day` is that of the last game; `change` the sum of its games before rounding, None where none of the `games` was
    rated; `after` is of all that was settled with it. `loose`: games of a day that belong to no event.
    """

    kind: str
    day: date | None
    event: int | None
    name: str
    loose: bool
    games: int
    rated: int
    score: float
    expected: float | None
    before: float | None
    after: float | None
    change: float | None
    k: float | None
    note: str = ""


class Met(msgspec.Struct, frozen=True, gc=False):
    """All games against one opponent: `expected` is of those that were rated, `difference` what was scored beyond."""

    opponent: int
    name: str
    games: int
    score: float
    expected: float | None
    difference: float | None


class Colour(msgspec.Struct, frozen=True):
    """How it went with one colour."""

    colour: str
    games: int
    score: float
    expected: float | None


def told_lines(held: Thread, told: Sequence[Turn]) -> Iterator[Line]:
    """Events by their last game, and what is no game, oldest first."""
    batches = bool(held.history.arrangement.batches)
    grouped: dict[Any, list[int]] = {}
    others: dict[Any, Turn] = {}
    for count, turn in enumerate(told):
        if turn.kind != "games":
            grouped[count], others[count] = [], turn
            continue
        for at in range(turn.first, turn.stop):
            alone = held.days[at] if held.loose[at] else 0
            key = held.events[at], alone, turn.first if batches else 0
            rows = grouped.pop(key, [])
            rows.append(at)
            grouped[key] = rows
    for key, rows in grouped.items():
        yield _act(others[key]) if key in others else _line(held, rows)


def _act(turn: Turn) -> Line:
    before, after = known(turn.before), known(turn.after)
    change = None if before is None or after is None else after - before
    blank = (None, "", False, 0, 0, 0.0, None)
    return Line(turn.kind, day_of(turn.day), *blank, before, after, change, None, turn.note)


def _line(held: Thread, rows: Sequence[int]) -> Line:
    rated = [at for at in rows if held.change[at] is not None]
    ks = {held.k[at] for at in rated}
    first, last = rows[0], rows[-1]
    return Line(
        "games",
        day_of(max(held.days[at] for at in rows)),
        held.events[first],
        "",
        held.loose[first],
        len(rows),
        len(rated),
        sum(held.scores[at] for at in rated),
        _sum([held.expected[at] for at in rated]),
        known(held.before[first]),
        known(held.after[last]),
        sum(held.change[at] or 0.0 for at in rated) if rated else None,
        known(ks.pop()) if len(ks) == 1 else None,
    )


def gain(line: Line) -> float:
    return line.change or 0.0


def named(office: Office, lines: Sequence[Line]) -> tuple[Line, ...]:
    numbers = {line.event for line in lines if line.event}
    names = office.titles(numbers)
    return tuple(msgspec.structs.replace(line, name=names[line.event]) if line.event else line for line in lines)


def met_by(held: Thread) -> dict[int, list[int]]:
    """Games by opponent."""
    found: dict[int, list[int]] = {}
    for at, opponent in enumerate(held.opponents):
        found.setdefault(opponent, []).append(at)
    return found


def opponents_of(office: Office, held: Thread, met: Mapping[int, Sequence[int]], most: int) -> tuple[Met, ...]:
    """Those who were met most often, equal ones by number."""
    often = sorted(met, key=lambda opponent: (-len(met[opponent]), opponent))[:most]
    names = office.names(often)
    found = []
    for opponent in often:
        rows = met[opponent]
        expected, score = _expected(held, rows), sum(held.scores[at] for at in rows)
        beyond = [held.scores[at] - held.expected[at] for at in rows if held.change[at] is not None]
        found.append(Met(opponent, names[opponent], len(rows), score, expected, _sum(beyond)))
    return tuple(found)


def colours_of(held: Thread) -> Iterator[Colour]:
    """White and Black, where the game has them; the first-named side has White."""
    if not held.history.rulebook.game.endswith("chess"):
        return
    for side, colour in enumerate(("white", "black")):
        rows = [at for at, each in enumerate(held.sides) if each == side]
        yield Colour(colour, len(rows), sum(held.scores[at] for at in rows), _expected(held, rows))


def _expected(held: Thread, rows: Sequence[int]) -> float | None:
    return _sum([held.expected[at] for at in rows if held.change[at] is not None])


def _sum(values: Sequence[float]) -> float | None:
    """None where nothing is expected."""
    return known(sum(values)) if values else None
