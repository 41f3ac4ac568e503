"""The curve of one edition, ready to be asked, and the small tools for reading it backwards.

What a calculator shows comes from the function that rates games (`kernel.expected`); there is no second formula.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import TypeAlias

from msgspec.structs import replace

from arpad import kernel
from arpad.errors import UsageError
from arpad.rulebooks import Rulebook, Value, label, load
from arpad.rulebooks.schema import Edition
from arpad.systems import system
from arpad.systems.elo import Compiled, compile_rulebook

#: The rulebook of who names none.
DEFAULT = "elo"

#: No rating is further from zero: what is, is a sentinel or a mistake.
LIMIT = 100_000.0

#: A number as somebody wrote it; text and floats are taken by their decimal digits.
Number: TypeAlias = "float | str | Fraction"


@dataclass(frozen=True, slots=True)
class Basis:
    """One edition of a rulebook, compiled alone; `note` says so where the rulebook was not asked for by name."""

    rulebook: Rulebook
    index: int
    compiled: Compiled
    note: str = ""

    @property
    def edition(self) -> Edition:
        return self.rulebook.editions[self.index]

    @property
    def label(self) -> str:
        return label(self.edition)

    @property
    def printed(self) -> bool:
        """Whether the curve is a table as printed."""
        return self.edition.curve.shape == "table"

    @property
    def notes(self) -> tuple[str, ...]:
        """What is said of every answer that knows ratings only."""
        certain = "as if all ratings were exact: deviations bring an expectation nearer to one half"
        uncertain = system(self.rulebook.system).attenuation is not None
        return (*((self.note,) if self.note else ()), *((certain,) if uncertain else ()))

    def units(self, own: float, opponent: float, difference: float) -> float:
        """Expected score in units of `compiled.unit`: whole hundredths where a table is printed."""
        return kernel.expected_score(self.compiled.rules, self.compiled.blocks[0], own, opponent, difference)

    def score(self, own: float, opponent: float, difference: float) -> float:
        """Expected score, 0 to 1."""
        return self.units(own, opponent, difference) / self.compiled.unit

    def capped(self, own: float, opponent: float, difference: float) -> float:
        """The difference as it counts for the first-named side, of whom only the rating is known."""
        state = array("d", (own, math.nan, math.nan, 0.0))
        return kernel.cap_of(
            self.compiled.rules, self.compiled.blocks[0], state, 0, own, opponent, difference, math.nan, math.nan
        )


def basis(
    rulebook: Rulebook | str | None = None, on: date | int | None = None, settings: Mapping[str, Value] = {}
) -> Basis:
    """The edition in force on a day (None: the last one), compiled.

    `settings` change declared parameters of a rulebook given by name, or of the default one. Raises what `load` raises,
    and UsageError for settings beside a rulebook that has been read already, a day before its first edition, or rules
    that have no curve.
    """
    book, index = chosen(rulebook, on, settings)
    curve = book.editions[-1].curve
    note = f"no rulebook was named: logistic curve, {curve.base:g} to 1 at {curve.scale:g} points ({DEFAULT})"
    if book.editions[index].curve.shape == "none":
        hint = ", such as 25/8" if system(book.system).predicts else ", and its library predicts no scores"
        raise UsageError(f"{book.name} has no curve: what it expects depends on both deviations too{hint}")
    alone = replace(book, editions=(book.editions[index],), origins=(book.origins[index],))
    return Basis(book, index, compile_rulebook(alone), "" if rulebook else note)


def chosen(
    rulebook: Rulebook | str | None, on: date | int | None, settings: Mapping[str, Value]
) -> tuple[Rulebook, int]:
    """The rulebook, and the number of the edition in force on a day; raises what `basis` raises but of the curve."""
    if isinstance(rulebook, Rulebook):
        if settings:
            raise UsageError(f"{rulebook.name} has been read already: settings are given when it is loaded")
        book = rulebook
    else:
        book = load(rulebook or DEFAULT, settings)
    ordinal = on.toordinal() if isinstance(on, date) else on or 0
    return book, book.edition_index(ordinal)


def exact(value: Number, what: str) -> Fraction:
    """The number that the decimal digits of `value` spell. Raises UsageError for what is no finite number."""
    text = str(value).strip()
    try:
        # a float bounds the exponent: 1e-999999999 must not be written out
        return Fraction(repr(float(text)) if "e" in text.casefold() else text)
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"{what} {value!r} is not a number") from None


def half_up(value: Fraction) -> int:
    """To the nearest whole number, halves up."""
    return math.floor(value + Fraction(1, 2))


def least_whole(holds: Callable[[int], bool], low: int, high: int = int(LIMIT)) -> int:
    """The least whole number from `low` to `high` for which something that stays true once it is true holds."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return high


def bisect(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Where something that is false at `low` and true at `high` becomes true, within 1e-10."""
    while high - low > 1e-10:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (low, middle) if holds(middle) else (middle, high)
    return (low + high) / 2
