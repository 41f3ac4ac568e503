"""The grammar of Elo: from an edition's clauses to the block of numbers that the kernel reads.

Every Elo is one sentence: a *curve* turns a *difference* into an expected score; the *coefficient* K, times the
*factors* of the game, turns score minus expected into a change; *rounding* and *bounds* finish it. The clauses are in
`rulebooks.schema`, the formulas in `kernel`; this module is the only one that knows both.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from arpad import kernel
from arpad.arithmetic import FACTS, ROUNDINGS, conditions
from arpad.columns import empty, filled
from arpad.errors import RulebookError
from arpad.rulebooks.book import Rulebook
from arpad.rulebooks.schema import Curve, Edition, Margin, Row, Step
from arpad.rulebooks.tables import ExpectedTable, expected_table
from arpad.stretch import Segment, Stretch, System, nothing

INF, NAN = math.inf, math.nan
SHAPES = ("logistic", "normal", "table", "line", "exponential", "power")
LOOKUPS = {"below": 0, "nearest": 1, "exact": 1, "above": 2}
MARGINS = ("", "goals", "log", "power", "line")
FLOORS = ("", "clamp", "delist", "erase")

#: The numbers of a clause that makes not playing cost.
IDLE = ("days", "loss", "every", "more", "most")

#: A row of a decision table that never holds; it fills the short way's three rows.
NEVER = (7.0, 1.0, 0.0, INF, -INF, 0.0, 0.0)


class Compiled(msgspec.Struct, frozen=True):
    """A rulebook as the kernel reads it: one array, and where each edition's block begins."""

    rules: array[float]
    blocks: tuple[int, ...]
    unit: float

    def expected(self, index: int, own: float, opponent: float, difference: float) -> float:
        """Expected score, 0 to 1, under an edition."""
        return kernel.expected_score(self.rules, self.blocks[index], own, opponent, difference) / self.unit


def compile_rulebook(rulebook: Rulebook) -> Compiled:
    """All editions in one array.

    Scores are counted in hundredths if any edition prints its expectations as a table. Raises RulebookError for
    clauses that cannot stand together.
    """
    for edition in rulebook.editions:
        difference = edition.difference
        if edition.unit.of == "game" and (difference.expectation != "game" or difference.upgrades):
            raise RulebookError(
                f"{rulebook.name}: an expectation on the mean opponent, or a limit to upgrades, needs whole events; "
                "the unit is the game"
            )
    whole = [each for each in rulebook.editions if each.difference.expectation != "game" or each.difference.upgrades]
    single = [each for each in rulebook.editions if each.win_bonus or each.length or of_batch(each)]
    if (whole and single) or len({of_batch(each) for each in rulebook.editions if each.surprise}) > 1:
        raise RulebookError(
            f"{rulebook.name}: one rulebook cannot look at whole events or batches in some editions and, with a bonus, "
            "a length or a surprise, at single games in others"
        )
    tables = {
        index: expected_table(rulebook.tables[edition.curve.file])
        for index, edition in enumerate(rulebook.editions)
        if edition.curve.shape == "table"
    }
    unit = float(max((table.unit for table in tables.values()), default=1))
    rules = array("d")
    blocks = []
    for index, edition in enumerate(rulebook.editions):
        blocks.append(len(rules))
        _Block(rules, edition, tables.get(index), unit).write()
    return Compiled(rules, tuple(blocks), unit)


def of_batch(edition: Edition) -> bool:
    """Whether the surprise is that of a whole batch."""
    return edition.surprise is not None and edition.surprise.of == "batch"


class _Block:
    """Writes one edition at the end of `rules`: the fixed numbers first, then what they point at."""

    def __init__(self, rules: array[float], edition: Edition, table: ExpectedTable | None, unit: float) -> None:
        self.rules = rules
        self.edition = edition
        self.table = table
        self.unit = unit
        self.at = len(rules)
        rules.extend([0.0] * len(kernel.BLOCK))

    def put(self, **numbers: float) -> None:
        for name, number in numbers.items():
            self.rules[self.at + kernel.BLOCK.index(name)] = number

    def add(self, numbers: Sequence[float]) -> int:
        place = len(self.rules)
        self.rules.extend(numbers)
        return place

    def rows(self, rows: Sequence[Row], fill: int = 0) -> int:
        encoded = [_encode(row) for row in rows]
        place = len(self.rules)
        for _ in range(fill):
            self.rules.extend(NEVER)
        for numbers in encoded:
            self.rules.extend(numbers)
        return place

    def write(self) -> None:
        edition = self.edition
        short = is_short(edition) and self.unit == 1
        self.curve(edition.curve)
        self.put(
            unit=self.unit,
            advantage=edition.difference.advantage,
            upgrades=edition.difference.upgrades,
            mean_opponent=edition.difference.expectation == "mean opponent",
            k=self.rows(edition.k, fill=3 - len(edition.k) if short else 0) if edition.k else 0.0,
            by_importance=any(row.of == "importance" for row in [*edition.k, *edition.k_factor]),
            limit=edition.limit.product if edition.limit else 0.0,
            protected=edition.knockout is not None and edition.knockout.protected,
            floor=edition.floor.value if edition.floor else -INF,
            floor_kind=FLOORS.index(edition.floor.kind) if edition.floor else 0,
            ceiling=edition.ceiling.value if edition.ceiling else INF,
            keep=edition.season.keep if edition.season else NAN,
            mean=edition.season.mean if edition.season else NAN,
            **{f"idle_{name}": getattr(edition.idle, name) if edition.idle else 0.0 for name in IDLE},
            entry=NAN if edition.entry.rating is None else edition.entry.rating,
            entry_games=edition.entry.games,
            batches=edition.unit.of != "game",
            plain=short,
            unrated=NAN,
            provisional=edition.provisional.games if edition.provisional else 0.0,
            points=edition.provisional.points if edition.provisional else 0.0,
            halfway=edition.provisional is not None and edition.provisional.against_provisional == "halfway",
            deficit=edition.curve.deficit * self.unit,
            stone=edition.handicap.stone if edition.handicap else 0.0,
            stones_less=edition.handicap.less if edition.handicap else 0.0,
            gap=edition.gap.difference if edition.gap else 0.0,
            gap_above=edition.gap.above if edition.gap else 0.0,
            by_length=edition.length is not None,
            experience=edition.length is not None and edition.length.experience,
        )
        if edition.cap:
            self.put(cap=self.rows(edition.cap))
        if edition.k_factor:
            self.put(k_factor=self.rows(edition.k_factor))
        if edition.game_factor:
            self.put(game_factor=self.rows(edition.game_factor))
        if edition.game_bonus:
            self.put(game_bonus=self.rows(edition.game_bonus))
        if edition.surprise:
            steps = [number for step in edition.surprise.steps for number in step]
            self.put(surprise=self.add(steps), surprise_steps=len(steps) // 2, certain=edition.surprise.certain)
            self.put(surprise_of_batch=edition.surprise.of == "batch")
        if edition.win_bonus:
            told = {f"bonus_{name}": getattr(edition.win_bonus, name) for name in ("base", "divisor", "below")}
            self.put(bonus_share=self.rows(edition.win_bonus_share), **told)
        if edition.margin:
            self.margin(edition.margin)
        if edition.rise:
            rise = edition.rise
            self.put(rise_games=rise.games, rise_k=rise.k, rise_root=rise.root, rise_share=rise.share)
            self.put(rise_record=rise.record, rise_both=rise.both)
        self.step(edition.expected, "sum_rule", "sum_step")
        self.step(edition.change, "rounding", "step")
        self.step(edition.k_rounding, "k_rounding", "k_step")
        self.step(edition.publish, "publish", "publish_step")
        steepness = (self.score(50.0) - self.score(0.0)) / 50.0
        shared = any(row.power and row.power.of == "batch_games" for row in edition.k)  # K shrinks with the batch
        self.put(runaway=1.0 / steepness if steepness > 0 and not shared else INF)

    def score(self, difference: float) -> float:
        return kernel.expected_score(self.rules, self.at, 0.0, 0.0, difference) / self.unit

    def curve(self, curve: Curve) -> None:
        numbers: Mapping[str, Callable[[], tuple[float, ...]]] = {
            "logistic": lambda: (math.log(curve.base) / curve.scale,),
            "normal": lambda: (
                1.0 / (curve.deviation * math.sqrt(2.0)),
                10.0**curve.decimals if curve.decimals else 0.0,
            ),
            "table": lambda: (),
            "line": lambda: (curve.slope, curve.least),
            "exponential": lambda: (curve.top, curve.divisor, curve.least),
            "power": lambda: (curve.limit, curve.exponent),
            "none": lambda: (NAN,),  # whatever is expected of it is no number
        }
        shape = SHAPES.index(curve.shape) if curve.shape in SHAPES else 0
        self.put(shape=shape, lookup=LOOKUPS[curve.lookup], unit=self.unit)
        self.put(**dict(zip(("curve_a", "curve_b", "curve_c"), numbers[curve.shape]())))
        if self.table:
            scale = self.unit / self.table.unit
            values: list[float] = []
            for row, score in enumerate(self.table.higher):
                until = self.table.high[row] if row < len(self.table.high) else len(values)
                values.extend([score * scale] * (until + 1 - len(values)))
            self.put(table=self.add(values), table_last=len(values) - 1)

    def margin(self, margin: Margin) -> None:
        self.put(margin=MARGINS.index(margin.shape))
        if margin.shape == "goals":
            self.put(margin_a=margin.step, margin_table=self.add(margin.points), margin_count=len(margin.points))
        elif margin.shape == "line":
            self.put(margin_a=margin.scale, margin_b=margin.slope, margin_c=margin.most)
        else:
            self.put(margin_a=margin.scale, margin_b=margin.slope, margin_c=margin.offset, margin_d=margin.exponent)

    def step(self, step: Step, rule: str, to: str) -> None:
        self.put(**{rule: ROUNDINGS.index(step.rule), to: step.to})


def is_short(edition: Edition) -> bool:
    """Whether the kernel's short way gives this edition's numbers: logistic, K of up to three constants, no more."""
    return (
        edition.curve.shape == "logistic"
        and 1 <= len(edition.k) <= 3
        and all(_single(row) for row in edition.k)
        and edition.difference.advantage == 0
        and edition.unit.of == "game"
        and edition.change.rule == edition.publish.rule == edition.k_rounding.rule == "none"
        and not any((edition.cap, edition.k_factor, edition.limit, edition.surprise, edition.margin, edition.season))
        and not any((edition.floor, edition.ceiling, edition.importance, edition.knockout, edition.gap, edition.first))
        and not any((edition.win_bonus, edition.length, edition.idle))
        and not any((edition.provisional, edition.game_factor, edition.game_bonus, edition.handicap))
        and edition.curve.deficit == 0
    )


def _single(row: Row) -> bool:
    facts = [fact for fact, _, _ in conditions(row.when)]
    return row.value is not None and len(facts) <= 1 and all(fact in ("rating", "games", "peak") for fact in facts)


def _encode(row: Row) -> list[float]:
    """A row as the kernel's `decide` reads it."""
    asked = [number for fact, low, high in conditions(row.when) for number in (float(FACTS.index(fact)), low, high)]
    if row.of == "importance":
        given = [0.0, 1.0]  # the game's weight carries the importance
    elif row.ramp:
        points = [number for point in row.ramp.points for number in point]
        given = [1.0, float(FACTS.index(row.ramp.of)), float(len(row.ramp.points)), *points]
    elif row.power:
        power = row.power
        given = [2.0, float(FACTS.index(power.of)), power.scale, power.offset, power.exponent]
    elif row.fall:
        fall = row.fall
        given = [3.0, float(FACTS.index(fall.of)), fall.limit, fall.divisor, fall.exponent]
    elif row.bend:
        bend = row.bend
        given = [4.0, float(FACTS.index(bend.of)), bend.limit, bend.divisor, bend.scale]
    elif row.value is not None:
        given = [0.0, row.value]
    else:
        raise RulebookError("a row needs one of value, ramp, power, fall, bend, of")
    return [float(2 + len(asked) + len(given)), float(len(asked) // 3), *asked, *given]


#: Columns in the order of the kernel's arguments.
READ = (
    "first",
    "second",
    "score",
    "scores",
    "margin",
    "flags",
    "importance",
    "season",
    "year",
    "born",
    "event",
    "length",
    "handicap",
)
WRITTEN = ("before", "expects", "expects_second", "after", "used_k", "gains")


def run(stretch: Stretch) -> None:
    """Hand the kernel a stretch of games."""
    columns, recording, state = stretch.columns, stretch.recording, stretch.state
    batches = len(stretch.batches) > 0
    if "evidence" not in stretch.scratch:
        stretch.scratch["evidence"] = filled("d", 0.0, (9 * len(stretch.players) if batches else 0) + 18, state)
        stretch.scratch["touched"] = filled("i", 0, len(stretch.players) if batches else 0, state)
    flat = array("q", (number for each in stretch.segments for number in _numbers(each, stretch.compiled.blocks)))
    read: list[Any] = [columns[name] for name in READ]
    held = [columns.get("lag", empty("B")), stretch.lists, stretch.scratch["evidence"], stretch.scratch["touched"]]
    written = [getattr(recording, name) if recording else empty("d") for name in WRITTEN]
    games = stretch.segments[-1].stop - stretch.segments[0].start
    changes = filled("d", 0.0, 16 * games if recording is not None and batches else 0, state)
    replay: Callable[..., int] = kernel.replay
    rows = replay(state, stretch.compiled.rules, flat, *read, *held, *written, changes, stretch.totals)
    if recording is not None:
        recording.changes.extend(_changes(changes, rows, stretch.base))


def _numbers(segment: Segment, blocks: Sequence[int]) -> tuple[int, ...]:
    """A segment as the kernel reads it."""
    editions = (segment.meets, segment.settles, segment.lists)
    return segment.start, segment.stop, *(blocks[index] for index in editions), segment.closes + 2 * segment.opens


def _changes(changes: Any, rows: int, base: int) -> Iterator[tuple[Any, ...]]:
    for row in range(0, 8 * rows, 8):
        yield int(changes[row]) + base, int(changes[row + 1]), *(float(value) for value in changes[row + 2 : row + 8])


SYSTEM = System("elo", run, nothing)

__all__ = ["SYSTEM", "Compiled", "compile_rulebook", "is_short"]
