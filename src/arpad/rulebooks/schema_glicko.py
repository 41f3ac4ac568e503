"""The clauses of Glicko and its relatives, beside those that every system has (`schema.py`).

Points are points of rating; a *period* is the rulebook's rating period, or `growth.days` days where games are settled
one by one or by event.
"""

from __future__ import annotations

from typing import Literal

from arpad.rulebooks.clause import Clause


class Deviation(Clause, frozen=True):
    """The deviation of a rating, in points: a newcomer's, and within which bounds every deviation is held."""

    entry: float
    least: float = 0.0
    most: float = float("inf")


class Growth(Clause, frozen=True):
    """How a deviation grows with time t, in periods since the player was last active.

    constant     RD² + c² t
    volatility   RD² + σ² t, in points
    logarithm    RD² + c² ln(1 + rate t)
    exponential  each period RD² + exp(a0 + a1 RD + a2 RD r + a3 r + a4 r²), r = rating / 1000

    `days` is the length of a period where games are settled one by one or by event; 0: each game, or event, is a period
    of those who play in it. `active`: what of t belongs to the update itself, by the volatility just found (kind
    `volatility` only): nothing, one period, or what has passed, at most one. `enters`: whether the grown deviation is
    what a game is reckoned with, or only what is shown.
    """

    kind: Literal["constant", "volatility", "logarithm", "exponential"]
    c: float = 0.0
    rate: float = 0.0
    alpha: list[float] = []
    days: float = 0.0
    active: Literal["nothing", "one", "elapsed"] = "nothing"
    enters: bool = True


class Volatility(Clause, frozen=True):
    """Glicko-2's volatility σ: a newcomer's, how freely it changes (τ; 0: not at all), and its upper bound."""

    entry: float
    tau: float
    most: float = float("inf")


class Boost(Clause, frozen=True):
    """Whose results exceed expectation by Z standard errors, Z above `above`, is rated with a larger deviation:
    RD (1 + (Z - above) factor) + added."""

    above: float
    factor: float
    added: float


class Stephenson(Clause, frozen=True):
    """Each game adds h² to the variance; each result counts `bonus` more; a batch pulls `pull` of the way to the mean
    opponent."""

    h: float = 0.0
    bonus: float = 0.0
    pull: float = 0.0


class LeastK(Clause, frozen=True):
    """A game's K, g included, is not taken as less; the deviation is not touched by it."""

    value: float


class Gains(Clause, frozen=True):
    """Changes upward are multiplied by `factor`, changes downward are not."""

    factor: float


class MostChange(Clause, frozen=True):
    """No game, or batch, changes a rating by more points."""

    value: float


class Passes(Clause, frozen=True):
    """`count` 2: every batch is reckoned twice, the second time against the opponents as the first time left them; a
    player's own rating and deviation are those from before it both times."""

    count: float


class Mark(Clause, frozen=True):
    """What a list prints beside a rating whose deviation, on the day of the list, is from `least` to `most`; the first
    row that holds."""

    sign: str
    least: float = 0.0
    most: float = float("inf")
