"""Predictive loss: how far expectations were from results, on average a game; less is better.

A draw counts as half a win and half a loss. With expected score e and score s of the first side (0 to 1) the log loss
is -(s ln e + (1 - s) ln(1 - e)), in nats, and the squared error (s - e)² (Brier, "Verification of forecasts expressed
in terms of probability", 1950; Good, "Rational decisions", 1952). Whoever expects one half of every game loses ln 2 =
0.693 and, where nothing is drawn, 0.25. A log loss is without end where the impossible happens, as tables that print
1.00 allow: expectations are taken between `LEAST` and 1 - `LEAST` for it, which is arpad's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from math import log

import msgspec

from arpad.analysis.played import Rated, summed
from arpad.columns import is_numpy, sums_by
from arpad.model import Column

#: What is expected at least of either side, for the log loss.
LEAST = 0.001
#: Months from which on losses are told by year.
MANY = 60


class Lost(msgspec.Struct, frozen=True):
    """Sums over games: of log losses, of squared errors, and of those of who expects one half of every game."""

    games: int = 0
    log: float = 0.0
    square: float = 0.0
    even: float = 0.0

    def __add__(self, other: Lost) -> Lost:
        return Lost(self.games + other.games, self.log + other.log, self.square + other.square, self.even + other.even)


class Loss(msgspec.Struct, frozen=True):
    """Losses a game, of the games of a period that begins on `first` (None: games without a date); `even` is the
    squared error of who expects one half of every game."""

    first: date | None
    games: int
    log_loss: float
    squared_error: float
    even: float


def losses(games: Rated) -> dict[tuple[int, int], Lost]:
    """Sums of losses by month (year, month); (0, 0) without a date."""
    if is_numpy(games.expected):
        import numpy as np

        score, likely = games.score, games.expected.clip(LEAST, 1 - LEAST)
        logs: Column = -(score * np.log(likely) + (1 - score) * np.log(1 - likely))
        squares, even = (score - games.expected) ** 2, (score - 0.5) ** 2
    else:
        logs = list(map(log_loss, games.expected, games.score))
        squares = [(score - expected) ** 2 for expected, score in zip(games.expected, games.score)]
        even = [(score - 0.5) ** 2 for score in games.score]
    days = sums_by(games.day, logs, squares, even)
    return summed({_month(day): Lost(*sums)} for day, sums in days.items())


def log_loss(expected: float, score: float) -> float:
    """The log loss of one game, in nats."""
    likely = min(max(expected, LEAST), 1 - LEAST)
    return -(score * log(likely) + (1 - score) * log(1 - likely))


def _month(day: int) -> tuple[int, int]:
    when = date.fromordinal(day) if day else None
    return (when.year, when.month) if when else (0, 0)


def periods(held: Mapping[tuple[int, int], Lost]) -> tuple[Loss, ...]:
    """Losses by month, or by year where there are more than `MANY` months, in their order."""
    if len(held) > MANY:
        held = summed({(year, min(year, 1)): lost} for (year, _), lost in held.items())
    return tuple(_loss(*month, held[month]) for month in sorted(held))


def together(held: Iterable[Lost]) -> Loss | None:
    """The losses of all games; None where there are none."""
    whole = sum(held, Lost())
    return _loss(0, 0, whole) if whole.games else None


def _loss(year: int, month: int, lost: Lost) -> Loss:
    means = (value / lost.games for value in (lost.log, lost.square, lost.even))
    return Loss(date(year, month, 1) if year else None, lost.games, *means)
