"""Crosstables: who met whom with what result. Opponents are named by their place in the very table that is shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

Kind: TypeAlias = Literal["game", "forfeit", "bye", "short", "pending"]

#: How results are written, whatever the language.
SIGNS = {1.0: "1", 0.5: "½", 0.0: "0"}
#: Players up to whom a table shows each against each.
SQUARE = 24


class Meeting(msgspec.Struct, frozen=True):
    """A round of one player. `opponent` is a key, 0 for nobody; `sign` is what stands in the table; `colour` w, b or
    blank."""

    round: int
    opponent: int
    colour: str
    sign: str
    points: float
    kind: Kind
    game: int = 0
    change: float | None = None


class Cell(msgspec.Struct, frozen=True):
    """A result in the table: `opponent` is the opponent's place in it, 0 for nobody."""

    round: int
    opponent: int
    colour: str
    sign: str
    kind: Kind
    game: int
    change: float | None


class Crosstable(msgspec.Struct, frozen=True):
    """Rows in the order of the table. `square`: a column is an opponent's place (from 1 on), else a round; blank where
    there are no rounds. `keys` are the players, `points` what they scored."""

    square: bool
    columns: int
    keys: tuple[int, ...]
    points: tuple[float, ...]
    rows: tuple[tuple[tuple[Cell, ...], ...], ...]


def sign(score: float | None) -> str:
    """A result as tables write it."""
    return "*" if score is None else SIGNS.get(score, f"{score:g}")


def crosstable(
    meetings: Mapping[int, Sequence[Meeting]], order: Mapping[int, float], declared: Mapping[int, int]
) -> Crosstable:
    """A table of everybody's meetings: by points, then by the rank that the report gave, then by `order` (a rating),
    then by key."""
    points = {key: sum(each.points for each in held) for key, held in meetings.items()}
    keys = sorted(meetings, key=lambda key: (-points[key], declared.get(key, 1 << 30), -order.get(key, 0.0), key))
    places = {key: place for place, key in enumerate(keys, 1)}
    square = all_met(meetings)
    rounds = max((each.round for held in meetings.values() for each in held), default=0)
    columns = len(keys) if square else rounds
    rows = []
    for key in keys:
        cells: list[list[Cell]] = [[] for _ in range(columns)]
        for each in sorted(meetings[key], key=lambda each: (each.round, each.game)):
            place = places.get(each.opponent, 0)
            at = place if square else each.round
            if at:
                cells[at - 1].append(Cell(each.round, place, each.colour, each.sign, each.kind, each.game, each.change))
        rows.append(tuple(map(tuple, cells)))
    return Crosstable(square, columns, tuple(keys), tuple(points[key] for key in keys), tuple(rows))


def all_met(meetings: Mapping[int, Iterable[Meeting]]) -> bool:
    """Whether everybody was paired with everybody, equally often."""
    if not 2 < len(meetings) <= SQUARE:
        return False
    counts: dict[tuple[int, int], int] = {}
    for key, held in meetings.items():
        for each in held:
            if each.opponent:
                counts[key, each.opponent] = counts.get((key, each.opponent), 0) + 1
    return len(counts) == len(meetings) * (len(meetings) - 1) and len(set(counts.values())) == 1
