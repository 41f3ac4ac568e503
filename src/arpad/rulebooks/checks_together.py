"""What must hold in the clauses of contests of several players, and of ratings that an event's players get together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from arpad.rulebooks.schema_bayrate import Conditions, Seed
from arpad.rulebooks.schema_multiplayer import Contest

if TYPE_CHECKING:
    from arpad.rulebooks.schema import Edition

Trouble = tuple[str, str]

#: What is divided by is not smaller.
LEAST = 1e-6


def contradictions(edition: Edition) -> Iterator[Trouble]:
    """What is wrong with such clauses beside others."""
    if edition.contest is not None and edition.unit.of != "contest":
        yield "unit.of", "contests of several are settled by contest"
    if edition.contest is not None and edition.floor is not None and edition.floor.kind == "delist":
        yield "floor.kind", "nobody leaves the list of contests of several: clamp"
    if edition.seed is not None and edition.unit.of == "game":
        yield "unit.of", "beliefs and games are reckoned together: by event or period"


def conditions(rule: Conditions) -> Iterator[Trouble]:
    for name in ("most_komi", "most_stones_komi"):
        if not getattr(rule, name) > 0:
            yield f".{name}", "must be positive"
    if not rule.stones_deviation:
        yield ".stones_deviation", "one number at least: that of two stones"
    constant, linear, square = rule.even_deviation
    ends = [constant + sign * linear * rule.most_komi + square * rule.most_komi**2 for sign in (1, -1)]
    ends += [
        each + sign * rule.stones_slope * rule.most_stones_komi for each in rule.stones_deviation for sign in (1, -1)
    ]
    lowest = -linear / (2 * square) if square > 0 else 0.0
    if abs(lowest) < rule.most_komi:
        ends.append(constant + linear * lowest + square * lowest**2)
    if not min(ends) >= LEAST:
        yield "", "a deviation within the komi that is rated would not be positive"


def seed(clause: Seed) -> Iterator[Trouble]:
    if not clause.file:
        yield ".file", "newcomers need their table of deviations"
    for name in ("highest", "lowest"):
        if not getattr(clause, name) >= LEAST:
            yield f".{name}", f"at least {LEAST:g}"
    for name in ("drift", "promotion_variance"):
        if getattr(clause, name) < 0:
            yield f".{name}", "must not be negative"
    if not 0 < clause.promotion <= clause.reseed:
        yield ".promotion", "above 0, and not above reseed"


def contest(clause: Contest) -> Iterator[Trouble]:
    if not clause.base >= 1 or clause.base > 100:
        yield ".base", "from 1 (points fall evenly) to 100"
    if clause.compare == "pot":
        if not clause.divisor >= LEAST:
            yield ".divisor", "a pot needs a positive divisor"
        if not 0 < clause.exponent <= 10:
            yield ".exponent", "above 0, at most 10"


CHECKS: Mapping[str, Callable[[Any], Iterator[Trouble]]] = {
    "contest": contest,
    "conditions": conditions,
    "seed": seed,
}
