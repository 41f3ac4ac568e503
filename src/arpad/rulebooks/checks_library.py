"""What must hold in the clauses of systems whose mathematics is a library's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from arpad.rulebooks.schema_library import TrueSkill, WengLin

if TYPE_CHECKING:
    from arpad.rulebooks.schema import Edition

Trouble = tuple[str, str]

#: No deviation is smaller: the libraries divide by it.
LEAST = 1e-6


def _skill(clause: WengLin | TrueSkill) -> Iterator[Trouble]:
    for name in ("sigma", "beta"):
        if not getattr(clause, name) >= LEAST:
            yield f".{name}", f"at least {LEAST:g}"
    if clause.tau < 0:
        yield ".tau", "must not be negative"


def _weng_lin(clause: WengLin) -> Iterator[Trouble]:
    yield from _skill(clause)
    if not 0 < clause.kappa < 1:
        yield ".kappa", "a share between 0 and 1, and neither"
    if not clause.epsilon > 0:
        yield ".epsilon", "must be positive"


def _trueskill(clause: TrueSkill) -> Iterator[Trouble]:
    yield from _skill(clause)
    if not 0 <= clause.draw < 1:
        yield ".draw", "a share from 0 to below 1"


def library_contradictions(edition: Edition) -> Iterator[Trouble]:
    """What is wrong with the clauses of an edition taken together; the place begins with the clause."""
    if (edition.weng_lin or edition.trueskill) and edition.unit.of != "game":
        yield "unit.of", f"the library rates one game after another: the unit is the game, not {edition.unit.of}"


LIBRARY_CHECKS: Mapping[str, Callable[[Any], Iterator[Trouble]]] = {"weng_lin": _weng_lin, "trueskill": _trueskill}
