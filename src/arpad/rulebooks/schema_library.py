"""The clauses of systems whose mathematics is a library's: a rating is the mean of a normal distribution of skill."""

from __future__ import annotations

from typing import Literal

from arpad.rulebooks.clause import Clause


class WengLin(Clause, frozen=True):
    """Bayesian approximation by Weng and Lin (2011), as the library openskill carries it out.

    `sigma` is a newcomer's deviation, `beta` that of a single performance. Before a game `tau`² is added to both
    variances. A game leaves at least the share `kappa` of a variance. `epsilon` is the margin of a draw, in points;
    only the Thurstone-Mosteller model has one.
    """

    model: Literal["Bradley-Terry", "Thurstone-Mosteller"]
    sigma: float
    beta: float
    tau: float
    kappa: float
    epsilon: float


class TrueSkill(Clause, frozen=True):
    """TrueSkill of Herbrich, Minka and Graepel (2006), as the library trueskill carries it out.

    `sigma`, `beta` and `tau` as those of Weng and Lin. `draw` is how often a game between equals is drawn, 0 to 1;
    where it is 0, no game may be.
    """

    sigma: float
    beta: float
    tau: float
    draw: float
