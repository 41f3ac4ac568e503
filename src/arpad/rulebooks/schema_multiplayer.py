"""What a rulebook may say of contests of several players and of teams."""

from __future__ import annotations

from typing import Literal

from arpad.rulebooks.clause import Clause


class Contest(Clause, frozen=True):
    """How a contest of m sides is settled, by the ratings before it: change = K * sum of (score - expected).

    all         each side is compared with each other one; score 1, 1/2 or 0 by place
    neighbours  with the one above and the one below; level sides count as the mean over their orders
    first       the first with each other one, and the others with nobody else
    share       K * (m - 1) * (share of the points - mean expected score of the m * (m - 1) / 2 pairs); place p has
                m - p points, or with a `base` above 1 base ** (m - p) - 1; level sides share theirs
    pot         sum of ratings / divisor * (share - rating ** exponent / sum of them), by no K: a first who is alone has
                it all, level ones divide it equally, or by their points ** exponent among those of all.
                `importance` in the games multiplies it. Two players meet by curve and K if `duels`
    `divided`: K is divided by the number of opponents, m - 1.
    """

    compare: Literal["all", "neighbours", "first", "share", "pot"]
    divided: bool = False
    base: float = 1.0
    divisor: float = 0.0
    exponent: float = 1.0
    divides: Literal["equally", "points"] = "equally"
    duels: bool = True


class Team(Clause, frozen=True):
    """A team's rating: the mean or the sum of its members', or the mean weighted by the games' column `weight`.

    `k`: each member has the own K, or all the mean of them.
    """

    strength: Literal["mean", "sum", "weighted"]
    k: Literal["own", "mean"] = "own"
