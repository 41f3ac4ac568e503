"""The grammar of Glicko and its relatives: from an edition's clauses to the block of numbers that the kernel reads.

The clauses are in `rulebooks.schema_glicko`, the formulas in `kernel_glicko`; this module alone knows both.
"""

from __future__ import annotations

import math
from array import array
from itertools import zip_longest

import msgspec

from arpad import kernel_glicko as kernel
from arpad.arithmetic import ROUNDINGS
from arpad.rulebooks.book import Rulebook
from arpad.rulebooks.schema import Edition
from arpad.rulebooks.schema_glicko import Deviation, Growth, Passes, Stephenson

INF, NAN = math.inf, math.nan
KINDS = ("none", "constant", "volatility", "logarithm", "exponential")
ACTIVE = ("none", "one", "elapsed")

#: A player's state, as the kernel holds it.
FIELDS = ("rating", "games", "peak", "last", "deviation", "volatility")

#: The least deviation and volatility where the rules have none, and the largest where they have no bound.
LEAST, MOST = 1e-6, 1e6


class Numbers(msgspec.Struct, frozen=True):
    """A rulebook as the kernel reads it: one array, and where each edition's block begins."""

    rules: array[float]
    blocks: tuple[int, ...]


def compile_glicko(rulebook: Rulebook) -> Numbers:
    """All editions in one array."""
    rules = array("d")
    for edition in rulebook.editions:
        numbers = _block(edition)
        rules.extend(numbers[name] for name in kernel.BLOCK)
    return Numbers(rules, tuple(range(0, len(rules), len(kernel.BLOCK))))


def _block(edition: Edition) -> dict[str, float]:
    """The numbers of one edition, by the names of the kernel's block."""
    deviation = edition.deviation or Deviation(entry=MOST)
    volatility, boost = edition.volatility, edition.boost
    stephenson = edition.stephenson or Stephenson()
    return {
        "steepness": math.log(edition.curve.base) / edition.curve.scale,
        "advantage": edition.difference.advantage,
        **_growth(edition.growth or Growth(kind="none"), edition.unit.of),
        "deviation": deviation.entry,
        "least_deviation": max(deviation.least, LEAST),
        "most_deviation": min(deviation.most, MOST),
        "volatility": volatility.entry if volatility else 0.0,
        "tau": volatility.tau if volatility else 0.0,
        "most_volatility": min(volatility.most, MOST) if volatility else 0.0,
        "boost_from": boost.above if boost else INF,
        "boost_factor": boost.factor if boost else 0.0,
        "boost_added": boost.added if boost else 0.0,
        "per_game": stephenson.h**2,
        "bonus": stephenson.bonus,
        "pull": stephenson.pull,
        "least_k": edition.least_k.value if edition.least_k else 0.0,
        "gain_factor": edition.gains.factor if edition.gains else 1.0,
        "most_change": edition.most_change.value if edition.most_change else INF,
        "rounding": ROUNDINGS.index(edition.change.rule),
        "step": edition.change.to,
        "floor_kind": 0 if edition.floor is None else 1 if edition.floor.kind == "clamp" else 2,
        "floor": edition.floor.value if edition.floor else -INF,
        "ceiling": edition.ceiling.value if edition.ceiling else INF,
        "publish": ROUNDINGS.index(edition.publish.rule),
        "publish_step": edition.publish.to,
        "entry": NAN if edition.entry.rating is None else edition.entry.rating,
        "entry_games": edition.entry.games,
        "batches": edition.unit.of != "game",
        "passes": (edition.passes or Passes(count=1)).count,
        "unrated": NAN,
    }


def _growth(growth: Growth, unit: str) -> dict[str, float]:
    numbers = growth.alpha if growth.kind == "exponential" else (growth.c**2, growth.rate)
    names = ("growth_a", "growth_b", "growth_c", "growth_d", "growth_e")
    return {
        "growth": KINDS.index(growth.kind),
        **dict(zip_longest(names, numbers, fillvalue=0.0)),
        "enters": growth.enters,
        "active": ACTIVE.index(growth.active),
        "pace": 1.0 if unit.startswith("period:") else 1.0 / growth.days if growth.days else 0.0,
    }
