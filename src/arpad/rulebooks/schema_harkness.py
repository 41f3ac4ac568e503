"""The one clause of the Harkness system, beside those that every system has (`schema.py`)."""

from __future__ import annotations

from arpad.rulebooks.clause import Clause


class Harkness(Clause, frozen=True):
    """An event's performance: the mean rating of the opponents met, and `points` for each per cent scored above 50.

    A rating is the mean of the last `average_of` performances; the rating before has no part in it.
    """

    points: float
    average_of: float = 1
