"""Norms and the titles made of them, as US Chess has had them since 2008, retroactively to 1991."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from arpad.rulebooks.schema_uschess import Level, Norms


class Norm(msgspec.Struct, frozen=True):
    """What an event was worth on a level: `margin` is the score less the expected score."""

    level: str
    expected: float
    margin: float
    made: bool


def expected_of_level(level: float, opponent: float) -> float:
    """Expected score of a player of the level's rating: a line of two slopes, 1 from 200 points above and 0 from 400
    below."""
    difference = level - opponent
    if difference >= 200.0:
        return 1.0
    if difference <= -400.0:
        return 0.0
    return 0.5 + difference / (400.0 if difference >= 0.0 else 800.0)


def norms_of(
    met: Sequence[str], opponents: Sequence[float], score: float, clause: Norms, levels: Sequence[Level]
) -> list[Norm]:
    """The norms that an event was worth, one a level; none where it is too short or somebody was met too often.

    `met` are the opponents' codes, `opponents` their ratings before the event.
    """
    if len(met) < clause.games or max(Counter(met).values(), default=0) > clause.meetings:
        return []
    found = []
    for level in levels:
        expected = math.fsum(expected_of_level(level.rating, opponent) for opponent in opponents)
        margin = score - expected
        found.append(Norm(level.name, expected, margin, margin > clause.margin + 1e-9))
    return found


def titles_of(
    made: Mapping[str, int], peak: float, established: bool, clause: Norms, levels: Sequence[Level]
) -> list[str]:
    """The levels whose titles somebody has: five norms each, an established rating, and for the high ones one that has
    reached the level. `peak` is the highest established rating."""
    if not established:
        return []
    return [
        level.name
        for level in levels
        if made.get(level.name, 0) >= clause.titles and (not level.reached or peak >= level.rating)
    ]
