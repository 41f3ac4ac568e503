"""Norms and the titles made of them, as US Chess has had them since 2008, retroactively to 1991."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

import msgspec

from arpad.rulebooks.schema_uschess import Level, Norms
from arpad.systems.uschess.formulas import most_meetings, round_half_up


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
) -> Iterator[Norm]:
    """The norms that an event was worth, one a level; none where it is too short or somebody was met too often.

    `met` are the opponents' codes, `opponents` their ratings before the event.
    """
    if len(met) < clause.games or most_meetings(met) > clause.meetings:
        return
    for level in levels:
        rating = level.rating
        expected = math.fsum([expected_of_level(rating, opponent) for opponent in opponents])
        margin = score - expected
        yield Norm(level.name, expected, margin, margin > clause.margin + 1e-9)


def levels_made(
    met: Sequence[str], opponents: Sequence[float], score: float, clause: Norms, levels: Sequence[Level]
) -> list[str]:
    """The levels of which an event was worth a norm. The expected score grows with the level, so that the first one
    that is missed ends the search."""
    if score <= clause.margin:
        return []
    found = norms_of(met, opponents, score, clause, levels)
    return [norm.level for norm in takewhile(lambda norm: norm.made, found)]


def titles_of(
    made: Mapping[str, int], peak: float, established: bool, clause: Norms, levels: Sequence[Level]
) -> list[str]:
    """The levels whose titles somebody has: five norms each, an established rating, and for the high ones one that has
    reached the level, as a list shows it. `peak` is the highest established rating."""
    if not established:
        return []
    return [
        level.name
        for level in levels
        if made.get(level.name, 0) >= clause.titles and (not level.reached or round_half_up(peak) >= level.rating)
    ]
