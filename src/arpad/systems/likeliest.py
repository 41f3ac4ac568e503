"""The likeliest strengths of several players, given normal beliefs about each and the games between them.

White wins with the probability of the normal distribution function of (difference - given) / deviation. The logarithm
of the likelihood is concave, so that Newton's method, with its steps halved where they go too far, always arrives.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

#: Steps of Newton's method at most, and the step (in stones) that ends it.
STEPS, CLOSE = 200, 1e-12
#: Below this many deviations the normal distribution function has run out of floats' range.
FAR = -35.0


class Meeting(msgspec.Struct, frozen=True):
    """A game between the players `white` and `black` (by number), what White gave, and how it scatters."""

    row: int
    white: int
    black: int
    given: float
    deviation: float
    won: bool


def normal(x: float) -> float:
    """The normal distribution function."""
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def log_normal(x: float) -> float:
    """Its logarithm, also where it has run out of range."""
    if x > FAR:
        return math.log(normal(x))
    return -x * x / 2 - math.log(-x) - 0.5 * math.log(2 * math.pi) + math.log1p(-1 / x**2 + 3 / x**4)


def hazard(x: float) -> float:
    """Density over distribution: how fast the logarithm rises."""
    if x > FAR:
        return math.exp(-x * x / 2) / math.sqrt(2 * math.pi) / normal(x)
    return -x / (1 - 1 / x**2 + 3 / x**4 - 15 / x**6)


def pulled(strengths: Sequence[float], meeting: Meeting) -> float:
    """How a game pulls White's rating, in stones per unit of variance; Black's as much the other way."""
    x = (strengths[meeting.white] - strengths[meeting.black] - meeting.given) / meeting.deviation
    return (hazard(x) if meeting.won else -hazard(-x)) / meeting.deviation


def likeliest(seeds: Sequence[float], deviations: Sequence[float], meetings: Sequence[Meeting]) -> list[float]:
    """The strengths that make beliefs and games together most likely."""
    moved = [0.0] * len(seeds)

    def at(steps: Sequence[float]) -> list[float]:
        return [seed + step for seed, step in zip(seeds, steps)]

    def value(steps: Sequence[float]) -> float:
        found = -0.5 * sum([(step / deviation) ** 2 for step, deviation in zip(steps, deviations)])
        strengths = at(steps)
        for meeting in meetings:
            x = (strengths[meeting.white] - strengths[meeting.black] - meeting.given) / meeting.deviation
            found += log_normal(x if meeting.won else -x)
        return found

    best = value(moved)
    for _ in range(STEPS):
        slope = [-step / deviation**2 for step, deviation in zip(moved, deviations)]
        strengths = at(moved)
        weights = []
        for meeting in meetings:
            x = (strengths[meeting.white] - strengths[meeting.black] - meeting.given) / meeting.deviation
            x = x if meeting.won else -x
            rise = hazard(x)
            weights.append(max(rise * (rise + x), 0.0) / meeting.deviation**2)
            pull = (rise if meeting.won else -rise) / meeting.deviation
            slope[meeting.white] += pull
            slope[meeting.black] -= pull
        step = solved(slope, [1 / deviation**2 for deviation in deviations], meetings, weights)
        share = 1.0
        while share > 1e-9:
            tried = [one + share * other for one, other in zip(moved, step)]
            reached = value(tried)
            if reached >= best - 1e-13 * (1 + abs(best)):
                break
            share /= 2
        else:
            break
        moved, best = tried, reached
        if share * max([abs(each) for each in step], default=0.0) <= CLOSE * (1 + max(map(abs, moved), default=0.0)):
            break
    return at(moved)


def solved(
    right: Sequence[float], diagonal: Sequence[float], meetings: Sequence[Meeting], weights: Sequence[float]
) -> list[float]:
    """x of A x = right, by conjugate gradients; A is the diagonal and, for each game, its weight on the difference."""
    whole = list(diagonal)
    for meeting, weight in zip(meetings, weights):
        whole[meeting.white] += weight
        whole[meeting.black] += weight

    def times(vector: Sequence[float]) -> list[float]:
        found = [a * b for a, b in zip(diagonal, vector)]
        for meeting, weight in zip(meetings, weights):
            part = weight * (vector[meeting.white] - vector[meeting.black])
            found[meeting.white] += part
            found[meeting.black] -= part
        return found

    solution = [0.0] * len(right)
    rest = list(right)
    scaled = [value / by for value, by in zip(rest, whole)]
    direction = list(scaled)
    size = sum([a * b for a, b in zip(rest, scaled)])
    enough = 1e-28 * size
    for _ in range(10 * len(right)):
        if not size > enough:
            break
        image = times(direction)
        length = size / sum([a * b for a, b in zip(direction, image)])
        solution = [a + length * b for a, b in zip(solution, direction)]
        rest = [a - length * b for a, b in zip(rest, image)]
        scaled = [value / by for value, by in zip(rest, whole)]
        following = sum([a * b for a, b in zip(rest, scaled)])
        direction = [a + following / size * b for a, b in zip(scaled, direction)]
        size = following
    return solution


def uncertainty(
    strengths: Sequence[float], seeds: Sequence[float], deviations: Sequence[float], meetings: Sequence[Meeting]
) -> list[float]:
    """Each player's deviation after the games: of a hundred ratings a tenth of the old deviation apart, from 5.05 below
    the likeliest one on, weighed by how likely they are with everybody else held still."""
    own: list[list[tuple[float, float]]] = [[] for _ in seeds]  # (difference at the likeliest, sign) in deviations
    for meeting in meetings:
        x = (strengths[meeting.white] - strengths[meeting.black] - meeting.given) / meeting.deviation
        x = x if meeting.won else -x
        sign = (1.0 if meeting.won else -1.0) / meeting.deviation
        own[meeting.white].append((x, sign))
        own[meeting.black].append((x, -sign))
    found = []
    for strength, seed, deviation, games in zip(strengths, seeds, deviations, own):
        points = [-5.05 * deviation + number * deviation / 10 for number in range(100)]
        logs = [
            -0.5 * ((strength + point - seed) / deviation) ** 2
            + sum([log_normal(x + sign * point) for x, sign in games])
            for point in points
        ]
        most = max(logs)
        weights = [math.exp(each - most) for each in logs]
        found.append(math.sqrt(sum([w * p * p for w, p in zip(weights, points)]) / sum(weights)))
    return found
