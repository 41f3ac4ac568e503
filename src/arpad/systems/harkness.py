"""The Harkness system: a rating is an event's performance, the mean opponent and ten points for each per cent above 50.

The rating before has no part in it, so that there is neither an expected score nor a K. Opponents count as they stood
when the event began; one who had no rating then is not met at all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from arpad import kernel
from arpad.arithmetic import ROUNDINGS
from arpad.rulebooks.schema import Edition
from arpad.stretch import COMMON, Segment, Stretch, System, nothing

NAN = math.nan
WIDTH = len(COMMON)

#: Where the performances of a player's last events are kept, as far as later ones are averaged with them.
MEMORY = "performances"


class Met(msgspec.Struct):
    """What one player brought from a batch so far: rated games, the sum of the opponents' ratings, the score."""

    games: int = 0
    ratings: float = 0.0
    score: float = 0.0


class Performance(msgspec.Struct, frozen=True):
    """How a rating came about: `performance` = `mean` + `points` * (`percentage` - 50); the rating is the mean of
    `averaged`, which ends with it."""

    games: int
    score: float
    mean: float
    percentage: float
    points: float
    performance: float
    averaged: tuple[float, ...]
    clauses: tuple[str, ...] = ("harkness",)


def performance(mean: float, percentage: float, points: float = 10.0) -> float:
    """The rating of an event: per cent from 0 to 100, points of rating for each."""
    return mean + points * (percentage - 50.0)


def run(stretch: Stretch) -> None:
    """Settle whole events."""
    met: dict[int, Met] = stretch.scratch.setdefault("met", {})
    for number, segment in enumerate(stretch.segments, stretch.base):
        edition = stretch.rulebook.editions[segment.settles]
        for row in range(segment.start, segment.stop):
            _meet(stretch, edition, row, met)
        if segment.closes:
            for code in met:
                _settle(stretch, number, segment, code, met[code])
            met.clear()


def _meet(stretch: Stretch, edition: Edition, row: int, met: dict[int, Met]) -> None:
    """Add a game to what its two sides have brought so far."""
    columns, recording = stretch.columns, stretch.recording
    sides = int(columns["first"][row]), int(columns["second"][row])
    ratings = [_arrived(stretch, edition, code) for code in sides]
    score = int(columns["score"][row])
    counted = [other == other for other in reversed(ratings)]
    if not all(counted):
        stretch.totals[6 if any(counted) else 3] += 1
    for side, code in enumerate(sides):
        scored = float(columns["scores"][2 * score + side])
        if counted[side]:
            brought = met.setdefault(code, Met())
            brought.games += 1
            brought.ratings += ratings[1 - side]
            brought.score += scored
        if recording is not None:
            recording.before[2 * row + side] = ratings[side]
            recording.gains[2 * row + side] = scored - 0.5 if counted[side] else NAN


def _arrived(stretch: Stretch, edition: Edition, code: int) -> float:
    """A player's rating as the event begins; a newcomer enters with the starting rating, where there is one."""
    state, at, start = stretch.state, WIDTH * code, edition.entry.rating
    if state[at] != state[at] and state[at + 1] <= 0 and start is not None:
        state[at], state[at + 1], state[at + 2] = start, edition.entry.games, _shown(edition, start)
    return float(state[at])


def _settle(stretch: Stretch, number: int, segment: Segment, code: int, met: Met) -> None:
    """A player's new rating from what a batch brought."""
    editions, state, at = stretch.rulebook.editions, stretch.state, WIDTH * code
    rule = editions[segment.settles].harkness
    assert rule is not None
    mean, percentage = met.ratings / met.games, 100.0 * met.score / met.games
    earned = performance(mean, percentage, rule.points)
    held = stretch.memory.setdefault(MEMORY, {})
    averaged = (*held.get(stretch.players[code], ()), earned)[-int(rule.average_of) :]
    held[stretch.players[code]] = list(averaged)
    before, rating = float(state[at]), math.fsum(averaged) / len(averaged)
    state[at], state[at + 1] = rating, state[at + 1] + met.games
    state[at + 2] = max(float(state[at + 2]), _shown(editions[segment.lists], rating))
    if stretch.recording is not None:
        stretch.recording.changes.append((number, code, before, rating, float(met.games), met.score, NAN, NAN))
        stretch.recording.workings[segment.batch, code] = Performance(
            met.games, met.score, mean, percentage, rule.points, earned, averaged
        )


def _shown(edition: Edition, rating: float) -> float:
    return kernel.round_to(rating, float(ROUNDINGS.index(edition.publish.rule)), edition.publish.to)


PHRASES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "performance": "mean opponent {mean}; {score} of {games} is {percentage} %, {points} points for each per cent "
        "from 50: {mean} {earned} = {performance}",
        "averaged": "mean of the last {events} events: ({list}) / {events} = {rating}",
    },
    "it": {
        "performance": "media avversari {mean}; {score} su {games} è il {percentage} %, {points} punti per ogni punto "
        "percentuale da 50: {mean} {earned} = {performance}",
        "averaged": "media degli ultimi {events} tornei: ({list}) / {events} = {rating}",
    },
    "es": {
        "performance": "media de rivales {mean}; {score} de {games} es el {percentage} %, {points} puntos por cada uno "
        "por ciento desde 50: {mean} {earned} = {performance}",
        "averaged": "media de los últimos {events} torneos: ({list}) / {events} = {rating}",
    },
}


def words(change: Any, language: str, number: Any) -> Iterator[str]:
    """The mean, the percentage, and what it is worth; and the events that were averaged."""
    told: Performance = change.working
    earned = told.performance - told.mean
    yield PHRASES[language]["performance"].format(
        mean=number(told.mean),
        score=number(told.score),
        games=number(float(told.games)),
        percentage=number(told.percentage),
        points=number(told.points),
        earned=("- " if earned < 0 else "+ ") + number(abs(earned)),
        performance=number(told.performance),
    )
    if len(told.averaged) > 1:
        yield PHRASES[language]["averaged"].format(
            events=len(told.averaged), list=" + ".join(map(number, told.averaged)), rating=number(change.after)
        )


SYSTEM = System("harkness", run, nothing)

__all__ = ["SYSTEM", "Performance", "performance", "words"]
