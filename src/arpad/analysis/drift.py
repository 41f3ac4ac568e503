"""How a pool of ratings lies, and why its mean moves from one list to the next: who stayed, who came, who left.

The mean of a list moves without anybody playing better when weak newcomers arrive or strong players leave. So the
difference of two means is taken apart, and beside the pool stands a fixed cohort, the same people on every list.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import fsum
from statistics import quantiles

import msgspec


class Spread(msgspec.Struct, frozen=True):
    """How many ratings there are and how they lie, in points of rating; None where there are none.

    `low` and `high` are the quartiles, by linear interpolation between the ratings in their order: type 7 of Hyndman
    and Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50 (1996), which spreadsheets call
    QUARTILE.INC.
    """

    players: int
    mean: float | None = None
    low: float | None = None
    median: float | None = None
    high: float | None = None


class Shift(msgspec.Struct, frozen=True):
    """Why the mean of a list is another one than that of the list before, in points: `change` is the sum of the rest.

    `stayers`: how far the mean of those on both lists moved. `newcomers`: how far the mean of the new list lies from
    that of the stayers on it. `leavers`: how far the mean of the stayers on the old list lay from that of all on it.
    """

    change: float
    stayers: float
    newcomers: float
    leavers: float


class Flow(msgspec.Struct, frozen=True):
    """Who came and went since the list before: how many on both lists, on no list before, on an earlier one but not
    the last, and no longer; and what they add to the sum of all ratings, in points."""

    stayed: int
    new: int
    returned: int
    left: int
    stayers: float
    newcomers: float
    leavers: float


def spread(ratings: Sequence[float]) -> Spread:
    """Mean, median and quartiles of some ratings."""
    if not ratings:
        return Spread(0)
    quarters = quantiles(ratings, n=4, method="inclusive") if len(ratings) > 1 else [float(ratings[0])] * 3
    return Spread(len(ratings), mean(ratings), *map(float, quarters))


def mean(ratings: Collection[float]) -> float:
    """The mean of at least one rating."""
    return fsum(ratings) / len(ratings)


def shift(before: Mapping[int, float], after: Mapping[int, float]) -> Shift | None:
    """The difference of the means of two lists (ratings by person), taken apart; None where nobody is on both."""
    stayed = before.keys() & after.keys()
    if not stayed:
        return None
    all_then, all_now = mean(before.values()), mean(after.values())
    then, now = mean([before[each] for each in stayed]), mean([after[each] for each in stayed])
    return Shift(all_now - all_then, now - then, all_now - now, then - all_then)


def flow(before: Mapping[int, float], after: Mapping[int, float], earlier: Collection[int]) -> Flow:
    """Who came and went between two lists; `earlier` are those on any list before the first of the two."""
    stayed, came, gone = before.keys() & after.keys(), after.keys() - before.keys(), before.keys() - after.keys()
    returned = sum(each in earlier for each in came)
    return Flow(
        len(stayed),
        len(came) - returned,
        returned,
        len(gone),
        fsum([*(after[each] for each in stayed), *(-before[each] for each in stayed)]),
        fsum(after[each] for each in came),
        fsum(-before[each] for each in gone),
    )
