"""What must hold in the clauses of US Chess beyond their types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from arpad.rulebooks.schema_uschess import Conversion, Effective, Feeds, Level, LowK, Match, Newcomers

if TYPE_CHECKING:
    from arpad.rulebooks.schema import Edition

#: What may stand in the order of precedence of ratings elsewhere.
ORDER = ("fide", "cfc", "other")

Trouble = tuple[str, str]


def _positive(names: str) -> Callable[[Any], Iterator[Trouble]]:
    def check(clause: Any) -> Iterator[Trouble]:
        for name in names.split():
            value = getattr(clause, name)
            if value is not None and not value > 0:
                yield f".{name}", "must be positive"

    return check


def _not_negative(names: str) -> Callable[[Any], Iterator[Trouble]]:
    def check(clause: Any) -> Iterator[Trouble]:
        for name in names.split():
            if getattr(clause, name) < 0:
                yield f".{name}", "must not be negative"

    return check


def _effective(clause: Effective) -> Iterator[Trouble]:
    yield from _positive("constant most")(clause)
    yield from _not_negative("slope")(clause)


def _low_k(clause: LowK) -> Iterator[Trouble]:
    if not clause.above < clause.until:
        yield ".until", f"{clause.until:g} is not above {clause.above:g}"
    if clause.least < 0 or clause.constant - clause.slope * clause.until < 0:
        yield ".least", "K would be negative"


def _newcomers(clause: Newcomers) -> Iterator[Trouble]:
    for name in clause.order:
        if name not in ORDER:
            yield ".order", f"{name!r} is none of {', '.join(ORDER)}"
    if clause.least_age > clause.adult_age:
        yield ".adult_age", "is below least_age"
    yield from _positive("blend_least")(clause)
    if clause.blend_most < clause.blend_least:
        yield ".blend_most", "is below blend_least"


def _conversions(rows: Sequence[Conversion]) -> Iterator[Trouble]:
    for number, (row, following) in enumerate(pairwise(rows), 1):
        if not row.above > following.above:
            yield f"[{number + 1}].above", "the highest ratings come first"
    if rows and rows[-1].above != float("-inf"):
        yield f"[{len(rows)}].above", "the last row takes all ratings that are left: it has no above"
    for number, row in enumerate(rows, 1):
        if row.games < 0:
            yield f"[{number}].games", "must not be negative"


def _match(clause: Match) -> Iterator[Trouble]:
    yield from _positive("net years most short_days least apart")(clause)
    yield from _not_negative("lowering games short_net")(clause)


def _feeds(clause: Feeds) -> Iterator[Trouble]:
    if (clause.dual_least is None) != (clause.dual_most is None):
        yield ".dual_least", "dual_least and dual_most: both or neither"
    elif clause.dual_least is not None and clause.dual_most is not None and clause.dual_least > clause.dual_most:
        yield ".dual_most", "is below dual_least"


def _levels(levels: Sequence[Level]) -> Iterator[Trouble]:
    for number, (level, following) in enumerate(pairwise(levels), 1):
        if not level.rating < following.rating:
            yield f"[{number + 1}].rating", "the lowest level comes first"
    if len({level.name for level in levels}) < len(levels):
        yield "", "two levels have one name"


def contradictions(edition: Edition) -> Iterator[Trouble]:
    """What is wrong with the clauses of an edition of US Chess taken together."""
    if edition.curve.shape != "logistic":
        yield "curve.shape", "the standard formula of US Chess has the logistic curve"


CHECKS: Mapping[str, Callable[[Any], Iterator[Trouble]]] = {
    "effective": _effective,
    "special": _positive("span most"),
    "standard": _positive("scale"),
    "bonus": _not_negative("threshold games root_games meetings"),
    "low_k": _low_k,
    "half_k": _positive("weight growth"),
    "newcomers": _newcomers,
    "fide": _conversions,
    "fide_youth": _conversions,
    "cfc": _conversions,
    "absolute_floor": _not_negative("base per_win per_draw per_event"),
    "peak_floor": _positive("least most step"),
    "life_master": _positive("games rating floor"),
    "match": _match,
    "feeds": _feeds,
    "norms": _positive("games titles"),
    "levels": _levels,
}
