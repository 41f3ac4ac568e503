"""What must hold in the clauses of the national systems that settle whole events, beyond their types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from arpad.rulebooks.schema_national import (
    Development,
    Estimates,
    Exceptional,
    Improvement,
    Membership,
    Performances,
    Tiers,
)

#: Where in the clause, and what is wrong there.
Trouble = tuple[str, str]


def _positive(clause: Any, *names: str) -> Iterator[Trouble]:
    for name in names:
        if not getattr(clause, name) > 0:
            yield f".{name}", "must be positive"


def _not_negative(clause: Any, *names: str) -> Iterator[Trouble]:
    for name in names:
        if getattr(clause, name) < 0:
            yield f".{name}", "must not be negative"


def _development(rule: Development) -> Iterator[Trouble]:
    yield from _positive(rule, "scale", "acceleration", "brake_scale", "least", "most", "by_index", "most_braked")
    yield from _not_negative(rule, "youth", "junior", "adult", "foreign_index", "brake_below")
    if not 0 < rule.least_acceleration <= 1:
        yield ".least_acceleration", "above 0, and at most 1"
    if rule.junior_until < rule.youth_until:
        yield ".junior_until", "juniors are older than youths"
    if rule.brake_below / rule.brake_scale > 100:
        yield ".brake_scale", "the brake of a rating near 0 would be beyond all numbers"


def _tiers(rule: Tiers) -> Iterator[Trouble]:
    yield from _positive(rule, "games", "divisor")
    yield from _not_negative(rule, "years", "low", "offset")
    if rule.years > 1000:
        yield ".years", "at most 1000"


def _exceptional(rule: Exceptional) -> Iterator[Trouble]:
    yield from _positive(rule, "games")
    yield from _not_negative(rule, "above", "perfect")


def _membership(rule: Membership) -> Iterator[Trouble]:
    yield from _not_negative(rule, "years", "k")


def _estimates(rule: Estimates) -> Iterator[Trouble]:
    yield from _positive(rule, "points", "passes", "passes_after", "close")
    yield from _not_negative(rule, "games")
    for name in ("passes", "passes_after"):
        if getattr(rule, name) > 10_000 or getattr(rule, name) % 1:
            yield f".{name}", "a whole number, at most 10000"


def _improvement(rule: Improvement) -> Iterator[Trouble]:
    yield from _not_negative(rule, "k_above", "games", "change", "threshold", "by_game", "k_from", "factor")


def _performances(rule: Performances) -> Iterator[Trouble]:
    yield from _positive(rule, "games", "months", "cap")
    yield from _not_negative(rule, "weight")
    if not rule.file:
        yield ".file", "performances need their table of percentages"


CHECKS: Mapping[str, Callable[[Any], Iterator[Trouble]]] = {
    "development": _development,
    "tiers": _tiers,
    "exceptional": _exceptional,
    "membership": _membership,
    "estimates": _estimates,
    "improvement": _improvement,
    "performances": _performances,
}
