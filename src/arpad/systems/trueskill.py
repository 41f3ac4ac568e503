"""TrueSkill, as the library trueskill carries it out.

The library predicts no scores, so that a replay records no expectations.
"""

from __future__ import annotations

from typing import Any

from arpad.rulebooks.book import Rulebook
from arpad.rulebooks.schema import Edition
from arpad.stretch import System
from arpad.systems.external import FIELDS, NAN, Model, Skill, entry_of, listed, require, run

#: Digits that the library's exact way takes where floats have run out, at some 38 standard deviations.
DIGITS = 50


def compile_trueskill(rulebook: Rulebook) -> list[Model]:
    """The library's environment of each edition. Raises UsageError if a library is not there."""
    require(["trueskill", "mpmath"], "trueskill")
    return [_model(edition) for edition in rulebook.editions]


def _model(edition: Edition) -> Model:
    from trueskill import TrueSkill

    clause = edition.trueskill
    assert clause is not None
    given: dict[str, Any] = {"sigma": clause.sigma, "beta": clause.beta, "tau": clause.tau}
    given["draw_probability"] = clause.draw
    if edition.entry.rating is not None:
        given["mu"] = edition.entry.rating
    usual, exact = TrueSkill(**given), TrueSkill(**given, backend="mpmath")

    def rate(first: Skill, second: Skill, result: int) -> tuple[Skill, Skill]:
        if result < 0:
            winner, loser = rate(second, first, 1)
            return loser, winner
        try:
            return _rate(usual, first, second, result == 0)
        except FloatingPointError:
            from mpmath import workdps

            with workdps(DIGITS):
                return _rate(exact, first, second, result == 0)

    def at_least(skill: Skill) -> float:
        return float(usual.expose(usual.create_rating(*skill)))

    return Model(rate, None, at_least, entry_of(edition, clause.sigma), draws=clause.draw > 0)


def _rate(environment: Any, winner: Skill, loser: Skill, drawn: bool) -> tuple[Skill, Skill]:
    from trueskill import rate_1vs1

    sides = (environment.create_rating(*skill) for skill in (winner, loser))
    first, second = rate_1vs1(*sides, drawn=drawn, env=environment)
    return (float(first.mu), float(first.sigma)), (float(second.mu), float(second.sigma))


SYSTEM = System("trueskill", run, compile_trueskill, FIELDS, (NAN,), clocked=True, listed=listed)

__all__ = ["SYSTEM", "compile_trueskill"]
