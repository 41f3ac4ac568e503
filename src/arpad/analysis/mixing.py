"""Whether groups of players meet each other: games between groups, beside those of a random pairing.

A pairing at random takes any two of all sides of games. Of S sides, s of a group, it puts (S - s) / (S - 1) of the
group's against another group: that is what there is to compare with, since who plays more meets more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from arpad.columns import is_numpy, sums_by
from arpad.model import Column


class Met(msgspec.Struct, frozen=True):
    """Sides of games of a group, and how many of them met another one."""

    sides: int = 0
    across: int = 0

    def __add__(self, other: Met) -> Met:
        return Met(self.sides + other.sides, self.across + other.across)


class Mixing(msgspec.Struct, frozen=True):
    """How a group meets others: of its sides of games, the share against other groups, that which a random pairing
    would have, and `isolation` = 1 - share / random: 0 where they meet as if at random, 1 where never, below 0 where
    more often than at random."""

    group: str
    sides: int
    share: float
    random: float
    isolation: float


def meetings(first: Column, second: Column, names: Sequence[str]) -> dict[str, Met]:
    """Sides by group, of games of which the groups of both sides are known: places among `names`, or -1."""
    if is_numpy(first):
        import numpy as np

        known = (first >= 0) & (second >= 0)
        one, other = first[known], second[known]
        apart = (one != other).astype("float64")
        found = sums_by(np.concatenate((one, other)), np.concatenate((apart, apart)))
    else:
        sides = [(a, b) for pair in zip(first, second) if min(pair) >= 0 for a, b in (pair, pair[::-1])]
        found = sums_by([own for own, _ in sides], [float(own != other) for own, other in sides])
    return {names[at]: Met(count, int(across)) for at, (count, across) in found.items()}


def mixings(held: Mapping[str, Met]) -> tuple[Mixing, ...]:
    """How each group meets others, the largest first; before them all groups together, under no name. Nothing where
    there is one group or none."""
    if len(held) < 2:
        return ()
    whole = sum(met.sides for met in held.values())
    found = sorted(held.items(), key=lambda each: (-each[1].sides, each[0]))
    rows = [_mixing(group, met, (whole - met.sides) / (whole - 1)) for group, met in found]
    random = sum(row.sides * row.random for row in rows) / whole
    return (_mixing("", sum(held.values(), Met()), random), *rows)


def _mixing(group: str, met: Met, random: float) -> Mixing:
    share = met.across / met.sides
    return Mixing(group, met.sides, share, random, 1 - share / random)
