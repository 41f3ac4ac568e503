"""What must hold in the clauses of Glicko and its relatives, one by one and taken together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from arpad.rulebooks.schema_glicko import (
    Boost,
    Deviation,
    Gains,
    Growth,
    LeastK,
    Mark,
    MostChange,
    Passes,
    Stephenson,
    Volatility,
)

if TYPE_CHECKING:
    from arpad.rulebooks.schema import Edition

Trouble = tuple[str, str]

#: No deviation is smaller, and no volatility: nothing could be divided by it.
LEAST = 1e-6


def _deviation(deviation: Deviation) -> Iterator[Trouble]:
    if not deviation.entry >= LEAST:
        yield ".entry", "must be positive"
    if not 0 <= deviation.least < deviation.most:
        yield ".least", "not negative, and below most"
    elif not deviation.least <= deviation.entry <= deviation.most:
        yield ".entry", f"{deviation.entry:g} is outside {deviation.least:g} to {deviation.most:g}"


def _growth(growth: Growth) -> Iterator[Trouble]:
    for name in ("c", "rate", "days"):
        if getattr(growth, name) < 0:
            yield f".{name}", "must not be negative"
    if growth.kind == "exponential" and len(growth.alpha) != 5:
        yield ".alpha", "exponential growth needs five numbers"
    if growth.kind != "exponential" and growth.alpha:
        yield ".alpha", f"{growth.kind} growth has none"
    if growth.kind != "volatility" and growth.active != "nothing":
        yield ".active", f"{growth.kind} growth is all before the update"


def _volatility(volatility: Volatility) -> Iterator[Trouble]:
    if not LEAST <= volatility.entry <= volatility.most:
        yield ".entry", "must be positive, and at most `most`"
    if volatility.tau and not 1e-3 <= volatility.tau <= 10:
        yield ".tau", "0, or from 0.001 to 10 (Glickman: 0.3 to 1.2)"


def _boost(boost: Boost) -> Iterator[Trouble]:
    for name in ("above", "factor", "added"):
        if getattr(boost, name) < 0:
            yield f".{name}", "must not be negative"


def _stephenson(stephenson: Stephenson) -> Iterator[Trouble]:
    if stephenson.h < 0:
        yield ".h", "must not be negative"
    if not 0 <= stephenson.pull <= 1:
        yield ".pull", "a share between 0 and 1"
    if not abs(stephenson.bonus) <= 1:
        yield ".bonus", "between -1 and 1 points of score"


def _passes(passes: Passes) -> Iterator[Trouble]:
    if passes.count not in (1, 2):
        yield ".count", "1 or 2"


def _marks(rows: Sequence[Mark]) -> Iterator[Trouble]:
    for number, mark in enumerate(rows, 1):
        if not mark.sign.strip():
            yield f"[{number}].sign", "what the list prints is missing"
        if not 0 <= mark.least <= mark.most:
            yield f"[{number}].least", "not negative, and not above most"


def _positive(name: str) -> Callable[[Any], Iterator[Trouble]]:
    def check(clause: LeastK | Gains | MostChange) -> Iterator[Trouble]:
        if not getattr(clause, name) > 0:
            yield f".{name}", "must be positive"

    return check


def glicko_contradictions(edition: Edition) -> Iterator[Trouble]:
    """What is wrong with the clauses of an edition taken together; the place begins with the clause."""
    unit, passes = edition.unit.of, edition.passes
    growth = edition.growth or Growth(kind="constant")
    if edition.curve.shape != "logistic":
        yield "curve.shape", "the systems with a deviation have the logistic curve"
    if edition.difference.expectation != "game" or edition.difference.upgrades:
        yield "difference", "every game has its own expectation here, and none is capped"
    if growth.kind == "volatility" and edition.volatility is None:
        yield "growth.kind", "there is no volatility to grow by"
    if growth.days and unit.startswith("period:"):
        yield "growth.days", f"the rating period is the {unit.partition(':')[2]}, which takes no days"
    if unit == "game" and passes is not None and passes.count > 1:
        yield "passes.count", "two passes need an event or a period: a game by itself is settled once"
    if unit != "game" and edition.least_k is not None:
        yield "least_k", "a least K is one game's: the unit must be the game"
    if edition.dates.expectation == "event start" and unit.startswith("period:"):
        yield "dates.expectation", "a deviation goes with its rating: both are those of the period's beginning"


GLICKO_CHECKS: Mapping[str, Callable[[Any], Iterator[Trouble]]] = {
    "deviation": _deviation,
    "growth": _growth,
    "volatility": _volatility,
    "boost": _boost,
    "stephenson": _stephenson,
    "passes": _passes,
    "mark": _marks,
    "least_k": _positive("value"),
    "gains": _positive("factor"),
    "most_change": _positive("value"),
}
