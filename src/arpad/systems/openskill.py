"""Weng and Lin's Bayesian ratings, as the library openskill carries them out; rulebooks call the system `weng-lin`.

Of its models the two that differ where a game has two sides: Plackett-Luce, and the models of partial pairing, give
then what Bradley-Terry gives.
"""

from __future__ import annotations

from typing import Any

from arpad.rulebooks.book import Rulebook
from arpad.rulebooks.schema import Edition
from arpad.stretch import System
from arpad.systems.external import FIELDS, NAN, Model, Skill, entry_of, listed, require, run

#: What the library wants as ranks, lower being better, by result of the first side.
RANKS = {1: [1.0, 2.0], 0: [1.0, 1.0], -1: [2.0, 1.0]}


def compile_weng_lin(rulebook: Rulebook) -> list[Model]:
    """The library's model of each edition. Raises UsageError if the library is not there."""
    require(["openskill"], "openskill")
    return [_model(edition) for edition in rulebook.editions]


def _model(edition: Edition) -> Model:
    from openskill import models

    clause = edition.weng_lin
    assert clause is not None
    # Every number is given, so that another default of a later version changes no rating.
    given: dict[str, Any] = {"sigma": clause.sigma, "beta": clause.beta, "tau": clause.tau, "kappa": clause.kappa}
    given |= {"margin": 0.0, "limit_sigma": False, "balance": False}
    model: Any
    if clause.model == "Bradley-Terry":
        model = models.BradleyTerryFull(**given)
    else:
        model = models.ThurstoneMostellerFull(**given, epsilon=clause.epsilon)

    def team(skill: Skill) -> list[Any]:
        return [model.rating(mu=skill[0], sigma=skill[1])]

    def rate(first: Skill, second: Skill, result: int) -> tuple[Skill, Skill]:
        (one,), (other,) = model.rate([team(first), team(second)], ranks=RANKS[result])
        return (one.mu, one.sigma), (other.mu, other.sigma)

    def expects(first: Skill, second: Skill) -> float:
        chances = model.predict_win([team(first), team(second)])
        return float(chances[0])

    def at_least(skill: Skill) -> float:
        return float(team(skill)[0].ordinal())

    return Model(rate, expects, at_least, entry_of(edition, clause.sigma))


def predicts(models: list[Model], index: int, first: Skill, second: Skill) -> float:
    """The library's chance of a win."""
    expects = models[index].expects
    assert expects is not None
    return expects(first, second)


SYSTEM = System("weng-lin", run, compile_weng_lin, FIELDS, (NAN,), clocked=True, predicts=predicts, listed=listed)

__all__ = ["SYSTEM", "compile_weng_lin"]
