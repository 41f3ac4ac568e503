"""The grammar of Glicko and its relatives: from an edition's clauses to the block of numbers that the kernel reads.

The clauses are in `rulebooks.schema_glicko`, the formulas in `kernel_glicko`; this module alone knows both.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from arpad import kernel_glicko as kernel
from arpad.arithmetic import ROUNDINGS
from arpad.columns import empty, filled, is_numpy
from arpad.model import Column
from arpad.rulebooks.book import Rulebook
from arpad.rulebooks.schema import Edition
from arpad.rulebooks.schema_glicko import Deviation, Growth, Passes, Stephenson
from arpad.stretch import COMMON, Segment, Stretch, System, edition_of, intervals, moments

INF, NAN = math.inf, math.nan
KINDS = ("", "constant", "volatility", "logarithm", "exponential")
ACTIVE = ("nothing", "one", "elapsed")

#: A player's state, as the kernel holds it.
FIELDS = (*COMMON, "deviation", "volatility")


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
        **_growth(edition.growth or Growth(kind="constant"), edition.unit.of),
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
    numbers = growth.alpha if growth.kind == "exponential" else [growth.c**2, growth.rate, 0.0, 0.0, 0.0]
    names = ("growth_a", "growth_b", "growth_c", "growth_d", "growth_e")
    return {
        "growth": KINDS.index(growth.kind),
        **dict(zip(names, numbers)),
        "enters": growth.enters,
        "active": ACTIVE.index(growth.active),
        "pace": 1.0 if unit.startswith("period:") else 1.0 / growth.days if growth.days else 0.0,
    }


#: Columns in the order of the kernel's arguments.
READ = ("first", "second", "score", "scores", "flags", "clock")
WRITTEN = ("before", "expects", "expects_second", "after", "used_k", "gains", "spread")

#: Numbers of a row of the kernel's changes.
ROW = 12


def run(stretch: Stretch) -> None:
    """Hand the kernel a stretch of games."""
    columns, recording, state, scratch = stretch.columns, stretch.recording, stretch.state, stretch.scratch
    numbers: Numbers = stretch.numbers
    players = len(stretch.players) if len(stretch.batches) else 0
    if "evidence" not in scratch:
        twice = any(edition.passes and edition.passes.count > 1 for edition in stretch.rulebook.editions)
        scratch["evidence"] = filled("d", 0.0, 8 * players + 16, state)
        scratch["touched"] = filled("i", 0, players, state)
        scratch["slots"] = filled("i", 0, players, state)
        scratch["interim"] = filled("d", 0.0, 2 * players if twice else 0, state)
    flat = array("q", (number for each in stretch.segments for number in _numbers(each, numbers.blocks)))
    clocks = array("d", (each.clock for each in stretch.segments))
    read: list[Any] = [columns[name] for name in READ]
    held = [scratch[name] for name in ("evidence", "touched", "slots", "interim")]
    written = [getattr(recording, name) if recording else empty("d") for name in WRITTEN]
    games = stretch.segments[-1].stop - stretch.segments[0].start
    changes = filled("d", 0.0, 2 * ROW * games if recording is not None and players else 0, state)
    totals = array("d", (0.0, 0.0))
    replay: Callable[..., int] = kernel.replay
    rows = replay(state, numbers.rules, flat, clocks, *read, *held, *written, changes, totals)
    stretch.totals[3] += totals[1]
    stretch.totals[5] += totals[0]
    if recording is not None:
        recording.changes.extend(_changes(changes, rows, stretch.base))


def _numbers(segment: Segment, blocks: tuple[int, ...]) -> tuple[int, ...]:
    """A segment as the kernel reads it."""
    editions = (segment.meets, segment.settles, segment.lists)
    return segment.start, segment.stop, *(blocks[index] for index in editions), segment.closes + 2 * segment.opens


def _changes(changes: Any, rows: int, base: int) -> Iterator[tuple[Any, ...]]:
    for row in range(0, ROW * rows, ROW):
        told = changes[row + 2 : row + ROW]
        yield int(changes[row]) + base, int(changes[row + 1]), *(float(value) for value in told)


def attenuation(deviation: float, edition: Edition) -> float:
    """Glickman's g on the scale of the edition's curve."""
    steepness = math.log(edition.curve.base) / edition.curve.scale
    return kernel.weight(array("d", (steepness,)), 0, deviation)  # of a block only the steepness is read


def listed(history: Any, codes: Column) -> dict[str, Column]:
    """What a list shows beside the rating; `deviation`, `volatility` and `last_rated` make it a start list.

    deviation, volatility   as they were after the last games
    last_rated              when those were settled: the day, with the time where games have one, or a day of the period
    deviation_now           grown to the day of the list: as the player would come to a game on that day
    low, high               where the true strength lies on that day, with 95 % confidence
    mark                    what the rules print beside such a deviation, where they print anything
    """
    editions = history.rulebook.editions
    numbers: Numbers = history.numbers
    held = {name: _taken(history.state, FIELDS.index(name), codes) for name in FIELDS}
    index = edition_of(history)
    now = filled("d", 0.0, len(codes), history.state)
    players = codes.astype("int64") if is_numpy(codes) else array("q", codes)
    clock = history.arrangement.clock(history.as_of) if history.as_of else 0.0
    kernel.deviations_on(history.state, numbers.rules, numbers.blocks[index], clock, players, now)
    columns: dict[str, Column] = {"deviation": held["deviation"]}
    if any(edition.volatility for edition in editions):
        columns["volatility"] = held["volatility"]
    if any(edition.growth for edition in editions):
        columns["last_rated"] = moments(history, held["last"], codes)
        columns["deviation_now"] = now
    columns |= intervals(held["rating"], now)
    if any(edition.mark for edition in editions):
        columns["mark"] = _marks(editions[index], now.tolist())
    return columns


def _taken(state: Column, field: int, codes: Column) -> Column:
    column = state[field :: len(FIELDS)]
    return column[codes] if is_numpy(column) else array("d", (column[code] for code in codes))


def _marks(edition: Edition, deviations: list[float]) -> list[str | None]:
    signs: list[str | None] = [None] * len(deviations)
    for mark in reversed(edition.mark):  # of several that hold the first one counts
        least, most, sign = mark.least, mark.most, mark.sign
        signs = [sign if least <= value <= most else other for value, other in zip(deviations, signs)]
    return signs


SYSTEM = System(
    "glicko",
    run,
    compile_glicko,
    FIELDS,
    (NAN, NAN),
    clocked=True,
    attenuation=attenuation,
    listed=listed,
    carried=("last_rated",),
)

__all__ = ["FIELDS", "SYSTEM", "Numbers", "compile_glicko"]
