"""The formulas of US Chess on plain numbers. Ratings are in points, scores 1, 1/2 or 0 a game.

Written from the descriptions of the rating system by Glickman and Doan (2001 and 2013 on). Sums are exact sums, so that
the order of the games can never show.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import Literal, TypeAlias

import msgspec

from arpad import kernel
from arpad.arithmetic import ROUNDINGS
from arpad.rulebooks.schema import Curve
from arpad.rulebooks.schema_uschess import Bonus, Effective, HalfK, LowK, Special, Standard

#: No rating of US Chess is lower.
LOWEST = 100.0
#: The rounding of what is published, and of what floors, titles and classes go by.
HALF_UP = float(ROUNDINGS.index("half up"))
#: The curve of every edition so far: ten to one at 400 points.
LOGISTIC = Curve(shape="logistic", scale=400.0, base=10.0)
#: What the special formula takes for zero.
TOLERANCE = 1e-7

#: What is known of all the games before the event: only wins, only losses, or neither.
Streak: TypeAlias = Literal["", "won", "lost"]


def winning(rating: float, opponent: float, curve: Curve = LOGISTIC) -> float:
    """Expected score of the standard formula, by the edition's logistic curve; the kernel's function."""
    return kernel.logistic((rating - opponent) * math.log(curve.base) / curve.scale)


def provisional(rating: float, opponent: float, span: float = 400.0) -> float:
    """Expected score of the special formula: a straight line from 0, `span` below the opponent, to 1, `span` above."""
    return min(max(0.5 + (rating - opponent) / (2.0 * span), 0.0), 1.0)


def most_effective(rating: float, clause: Effective) -> float:
    """N*, the most games that a rating of this height may count as."""
    if rating > clause.until:
        return clause.most
    return clause.most / math.sqrt(clause.constant + clause.slope * (clause.centre - rating) ** 2)


def effective(rating: float, games: float, clause: Effective) -> float:
    """N', the games that the rating counts as in the event: those it is based on, at most N*. Not rounded."""
    return min(games, most_effective(rating, clause))


def round_half_up(number: float) -> int:
    """To the nearest whole number, by the rule `half up` of rulebooks."""
    return int(kernel.round_to(number, HALF_UP, 1.0))


# ----------------------------------------------------------------------------------------------- the special formula


class Equation(msgspec.Struct, frozen=True):
    """What the special formula solves for R: `games` * PWe(R, prior) + the sum of PWe(R, opponent) = `score`."""

    prior: float
    games: float
    score: float


def equation(rating: float, games: float, score: float, streak: Streak, span: float = 400.0) -> Equation:
    """The rating before, as games against an opponent: drawn ones, or where all was won or lost, won and lost ones."""
    if streak == "won":
        return Equation(rating - span, games, score + games)
    if streak == "lost":
        return Equation(rating + span, games, score)
    return Equation(rating, games, score + games / 2.0)


def special(
    rating: float, games: float, opponents: Sequence[float], score: float, streak: Streak, clause: Special
) -> float:
    """The rating after an event by the special formula, `games` being N'; at most 2700, not floored.

    A root of a rising broken line is looked for from knot to knot. Where the line is flat at the root, the point of the
    flat piece nearest to the rating before is taken.
    """
    return min(
        _root(rating, opponents, equation(rating, games, score, streak, clause.span), score, clause), clause.most
    )


class _Line:
    """f(R) = games * PWe(R, prior) + sum of PWe(R, opponent) - score, found by bisection however many opponents."""

    def __init__(self, opponents: Sequence[float], solve: Equation, span: float) -> None:
        self.opponents = sorted(opponents)
        self.sums = [0.0, *accumulate(self.opponents)]
        self.solve = solve
        self.span = span
        self.slack = 2.0 * span * TOLERANCE  # how far from a root the line may be taken for zero
        # where a certain loss ends, and where a certain win begins: the same floats as the knots
        self.lows = [each - span for each in self.opponents]
        self.highs = [each + span for each in self.opponents]
        self.knots = sorted({*self.lows, *self.highs, solve.prior - span, solve.prior + span})

    def __call__(self, rating: float) -> float:
        below = bisect_right(self.highs, rating)  # certain wins
        above = bisect_left(self.lows, rating)  # from here on certain losses
        open_ones = above - below
        likely = 0.5 * open_ones + (open_ones * rating - (self.sums[above] - self.sums[below])) / (2.0 * self.span)
        own = self.solve.games * provisional(rating, self.solve.prior, self.span)
        return own + below + likely - self.solve.score

    def knot_below(self, rating: float) -> float | None:
        at = bisect_left(self.knots, rating)
        return self.knots[at - 1] if at else None

    def knot_above(self, rating: float) -> float | None:
        at = bisect_right(self.knots, rating)
        return self.knots[at] if at < len(self.knots) else None

    def sloped(self, rating: float) -> bool:
        """Whether somebody is less than `span` away; the rating before is somebody where it counts as games."""
        near = bisect_left(self.lows, rating - self.slack) > bisect_right(self.highs, rating + self.slack)
        return near or (self.solve.games > 0.0 and abs(rating - self.solve.prior) < self.span - self.slack)


def _root(rating: float, opponents: Sequence[float], solve: Equation, score: float, clause: Special) -> float:
    met = len(opponents)
    if not met:
        return rating
    line = _Line(opponents, solve, clause.span)
    total = solve.games * rating + line.sums[-1] + clause.span * (2.0 * score - met)
    at = total / (solve.games + met)
    value = line(at)
    # Each step reaches a knot or the root within a piece: twice the knots is more than enough.
    for _ in range(2 * len(line.knots) + 4):
        if abs(value) <= TOLERANCE:
            break
        knot = line.knot_below(at) if value > 0.0 else line.knot_above(at)
        if knot is None:
            break
        there = line(knot)
        if abs(value - there) < TOLERANCE:
            at = knot
        else:
            straight = at - value * (at - knot) / (value - there)
            at = max(straight, knot) if value > 0.0 else min(straight, knot)
        value = line(at)
    return at if line.sloped(at) else _nearest(rating, at, line)


def _nearest(rating: float, at: float, line: _Line) -> float:
    """The point nearest to the rating before on the flat piece around `at`, as far as the next knots.

    Above every opponent's reach (all won), and below it (all lost), the piece has no end.
    """
    low = high = at
    solve, slack = line.solve, line.slack
    counts = solve.games > 0.0
    if at + slack >= max(line.highs[-1], solve.prior + line.span if counts else -math.inf):
        high = math.inf
    else:
        above = line.knot_above(at + slack)
        if above is not None and abs(line(above)) <= TOLERANCE:
            high = above
    if at - slack <= min(line.lows[0], solve.prior - line.span if counts else math.inf):
        low = -math.inf
    else:
        below = line.knot_below(at - slack)
        if below is not None and abs(line(below)) <= TOLERANCE:
            low = below
    return min(max(rating, low), high)


# ---------------------------------------------------------------------------------------------- the standard formula


class Update(msgspec.Struct, frozen=True):
    """The standard formula for one event: `change` = `base` + `bonus`."""

    expected: float
    k: float
    base: float
    bonus: float

    @property
    def change(self) -> float:
        return self.base + self.bonus


def coefficient(games: float, met: int, clause: Standard, half: HalfK | None = None) -> float:
    """K of an event of `met` games for a rating that counts as `games` games; of a half-K event with its clause."""
    return clause.scale / ((half.weight if half else 1.0) * games + met)


def share_above(rating: float, clause: LowK) -> float:
    """What K is multiplied by where an event counts in two lists: less than 1 for high ratings."""
    if rating <= clause.above:
        return 1.0
    return clause.least if rating >= clause.until else clause.constant - clause.slope * rating


def most_meetings(met: Sequence[str]) -> int:
    """How often the opponent who was met most often was met."""
    if len(set(met)) == len(met):
        return 1 if met else 0
    return max(Counter(met).values())


def earns_bonus(met: int, meetings: int, clause: Bonus) -> bool:
    """Whether an event of `met` games, with some opponent met `meetings` times, can bring a bonus."""
    if met < clause.games or meetings > clause.meetings:
        return False
    return not (clause.strict and met == clause.games and meetings > 1)


def bonus(base: float, met: int, clause: Bonus) -> float:
    """What a gain exceeds the threshold by; it grows with the root of the games, of four at least."""
    return max(0.0, base - clause.threshold * math.sqrt(max(met, clause.root_games)))


def standard(
    rating: float,
    opponents: Sequence[float],
    score: float,
    k: float,
    clause: Bonus | None = None,
    curve: Curve = LOGISTIC,
) -> Update:
    """The standard formula; `clause` is None where the event can bring no bonus."""
    expected = math.fsum(winning(rating, opponent, curve) for opponent in opponents)
    base = k * (score - expected)
    return Update(expected, k, base, bonus(base, len(opponents), clause) if clause else 0.0)


def away(before: float, after: float) -> float:
    """`after` as a whole number, away from the rating before: a gain is one point at least."""
    return float(math.ceil(after) if after > before else math.floor(after))
