"""Players with a deviation, a few batches of games, and what the kernel of Glicko makes of them."""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from arpad import kernel_glicko
from arpad.rulebooks.book import Rulebook
from arpad.rulebooks.schema import Curve, Difference, Edition, Entry, Unit
from arpad.rulebooks.schema_glicko import Deviation, Growth, Volatility
from arpad.systems.glicko import FIELDS, Numbers, compile_glicko

NAN = math.nan
WIDTH = len(FIELDS)
PERIOD = Unit(of="period:month")
GAME = Unit(of="game")

#: (first, second, score of the first)
Result = tuple[str, str, float]
#: (rating, deviation[, volatility[, clock of last play]])
Known = Sequence[float]


def edition(advantage: float = 0.0, start: float | None = 1500.0, unit: Unit = PERIOD, **clauses: Any) -> Edition:
    """An edition with the logistic curve of 400 points."""
    return Edition(
        curve=Curve(shape="logistic"),
        difference=Difference(advantage=advantage),
        entry=Entry(rating=start),
        unit=unit,
        **clauses,
    )


def glicko(c: float = 0.0, least: float = 0.0, **clauses: Any) -> Edition:
    return edition(
        **{"deviation": Deviation(entry=350, least=least, most=350), "growth": Growth(kind="constant", c=c), **clauses}
    )


def glicko2(tau: float = 0.5, **clauses: Any) -> Edition:
    return edition(
        **{
            "deviation": Deviation(entry=350),
            "growth": Growth(kind="volatility", active="one"),
            "volatility": Volatility(entry=0.06, tau=tau),
            **clauses,
        }
    )


def compiled(rules: Edition) -> Numbers:
    return compile_glicko(
        Rulebook(
            name="pool", organisation="", game="", system="glicko", title={}, text={}, cadence="", verified="",
            parameters={}, settings={}, editions=(rules,), origins=({},), tables={}, path=None, preset="",  # type: ignore[arg-type]
        )
    )  # fmt: skip


@dataclass
class Pool:
    """States of players by name, and what was written down of the last games played."""

    rules: Edition
    names: list[str]
    state: array[float]
    kernel: ModuleType = kernel_glicko

    @classmethod
    def of(cls, rules: Edition, players: Mapping[str, Known], kernel: ModuleType = kernel_glicko) -> Pool:
        state = array("d")
        for known in players.values():
            rating, deviation, volatility, last = [*known, *(NAN, NAN, NAN, 0.0)[len(known) :]]
            state.extend((rating, 0.0, rating if rating == rating else 0.0, last, deviation, volatility))
        return cls(rules, list(players), state, kernel)

    def play(self, *batches: tuple[float, Sequence[Result]]) -> Pool:
        """Batches of games, each with its clock; where the unit is the game every game of a batch has that clock."""
        numbers = compiled(self.rules)
        games = [(clock, game) for clock, batch in batches for game in batch]
        by_game = self.rules.unit.of == "game"
        segments, clocks, at = array("q"), array("d"), 0
        for clock, batch in batches:
            if not by_game:
                segments.extend((at, at + len(batch), 0, 0, 0, 3))
                clocks.append(clock)
            at += len(batch)
        if by_game:
            segments, clocks = array("q", (0, at, 0, 0, 0, 0)), array("d", (0.0,))
        codes = {name: code for code, name in enumerate(self.names)}
        count = len(games)
        self.before, self.after, self.used_k, self.gains = (array("d", [NAN] * 2 * count) for _ in range(4))
        self.expects, self.expects_second = array("d", [NAN] * count), array("d", [NAN] * count)
        self.spread = array("d", [NAN] * 8 * count)
        self.totals = array("d", [0.0, 0.0])
        changes = array("d", [0.0] * 24 * count)
        rows = self.kernel.replay(
            self.state,
            numbers.rules,
            segments,
            clocks,
            array("i", [codes[first] for _, (first, _, _) in games]),
            array("i", [codes[second] for _, (_, second, _) in games]),
            array("i", [(0.0, 0.5, 1.0).index(score) for _, (_, _, score) in games]),
            array("d", (0.0, 1.0, 0.5, 0.5, 1.0, 0.0)),
            array("B"),
            array("d", [clock for clock, _ in games] if by_game else []),
            array("d", [0.0] * (8 * len(self.names) + 16)),
            array("i", [0] * len(self.names)),
            array("i", [0] * len(self.names)),
            array("d", [0.0] * 2 * len(self.names)),
            self.before,
            self.expects,
            self.expects_second,
            self.after,
            self.used_k,
            self.gains,
            self.spread,
            changes,
            self.totals,
        )
        self.changes = [tuple(changes[12 * row : 12 * row + 12]) for row in range(rows)]
        return self

    def __getitem__(self, name: str) -> tuple[float, float, float]:
        """Rating, deviation, volatility."""
        at = WIDTH * self.names.index(name)
        return self.state[at], self.state[at + 4], self.state[at + 5]

    def held(self, name: str) -> tuple[float, ...]:
        """The whole state."""
        at = WIDTH * self.names.index(name)
        return tuple(self.state[at : at + WIDTH])
