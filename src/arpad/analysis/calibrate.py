"""Calibration: whether those of whom so much was expected scored so much, by difference of ratings and by expectation.

Every game is counted once: by difference from the side with the higher rating, by expectation from the side of which
more was expected (the first side, where they are equal).
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import sub

import msgspec

from arpad.analysis.played import Rated
from arpad.columns import either, is_numpy, sums_by
from arpad.model import Column

#: Ranges of differences at most, the last one open; and ranges of expectations from one half to one. Arpad's own.
MOST, PARTS = 16, 10
#: By how much of a range an expectation may miss it.
HAIR = 1e-9


class Heap(msgspec.Struct, frozen=True):
    """Games of one range: how many, and the sums of expected scores and scores."""

    games: int = 0
    expected: float = 0.0
    score: float = 0.0

    def __add__(self, other: Heap) -> Heap:
        return Heap(self.games + other.games, self.expected + other.expected, self.score + other.score)


class Bin(msgspec.Struct, frozen=True):
    """Games of one range, from `low` to without `below` (None: no end): points of rating, or expected score. `expected`
    and `score` are means a game, 0 to 1."""

    low: float
    below: float | None
    games: int
    expected: float
    score: float


def by_difference(games: Rated, width: float) -> dict[int, Heap]:
    """Games by difference of the ratings used, in ranges `width` points wide."""
    if is_numpy(games.rating):
        differences: Column = games.rating - games.rating_second
        higher: Column = differences >= 0
        ranges: Column = (abs(differences) // width).clip(None, MOST - 1).astype("int64")
    else:
        differences = list(map(sub, games.rating, games.rating_second))
        higher = [difference >= 0 for difference in differences]
        ranges = [int(min(abs(difference) // width, MOST - 1)) for difference in differences]
    return _heaps(games, higher, ranges)


def by_expectation(games: Rated) -> dict[int, Heap]:
    """Games by the expected score of the side of which more was expected, in `PARTS` ranges; a hundredth that binary
    numbers put a hair below its range is in it."""
    one, other = games.expected, games.expected_second
    if is_numpy(one):
        more: Column = one >= other
        parts: Column = (2 * PARTS * (either(more, one, other) - 0.5) + HAIR).clip(0, PARTS - 1).astype("int64")
    else:
        more = [a >= b for a, b in zip(one, other)]
        parts = [int(min(max(2 * PARTS * (max(a, b) - 0.5) + HAIR, 0), PARTS - 1)) for a, b in zip(one, other)]
    return _heaps(games, more, parts)


def _heaps(games: Rated, first: Column, ranges: Column) -> dict[int, Heap]:
    """Games by range, seen from the first side or from the second."""
    expected = either(first, games.expected, games.expected_second)
    found = sums_by(ranges, expected, either(first, games.score, games.score_second))
    return {at: Heap(*sums) for at, sums in found.items()}


def bins_of_differences(heaps: Mapping[int, Heap], width: float) -> tuple[Bin, ...]:
    """The ranges that have games, smallest difference first."""
    edges = {at: (at * width, None if at == MOST - 1 else (at + 1) * width) for at in heaps}
    return tuple(_bin(*edges[at], heaps[at]) for at in sorted(heaps))


def bins_of_expectations(heaps: Mapping[int, Heap]) -> tuple[Bin, ...]:
    """The ranges that have games, smallest expectation first; the last one holds 1 too."""
    edges = {at: (0.5 + at / (2 * PARTS), None if at == PARTS - 1 else 0.5 + (at + 1) / (2 * PARTS)) for at in heaps}
    return tuple(_bin(*edges[at], heaps[at]) for at in sorted(heaps))


def _bin(low: float, below: float | None, heap: Heap) -> Bin:
    return Bin(low, below, heap.games, heap.expected / heap.games, heap.score / heap.games)
