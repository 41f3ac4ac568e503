"""Decision tables and rounding for everything that is not the hot loop: which row holds, and why; and grades of Go."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

#: Milliseconds of a day.
DAY = 86_400_000

#: Rounding rules by name, in the order of the codes that the kernel knows them by.
ROUNDINGS = ("none", "half away from zero", "half up", "half even", "down")

#: Facts of a player, and of a game, in the order of the kernel's codes.
FACTS = ("rating", "games", "peak", "age", "opponent_rating", "difference", "opponent_games", "score", "batch_games")


class HasWhen(Protocol):
    @property
    def when(self) -> Mapping[str, float]: ...


Conditional = TypeVar("Conditional", bound=HasWhen)


def conditions(when: Mapping[str, float]) -> Iterator[tuple[str, float, float]]:
    """(fact, from, below) for each fact that a `when` asks about; both bounds of one fact make one condition."""
    for fact in FACTS:
        low = when.get(f"{fact}_from")
        high = when.get(f"{fact}_below")
        if low is not None or high is not None:
            yield fact, float("-inf") if low is None else low, float("inf") if high is None else high


def choose(rows: Sequence[Conditional], facts: Mapping[str, float]) -> Conditional:
    """The first row whose `when` holds. A fact that is not known (absent or nan) holds no condition."""
    for row in rows:
        if all(low <= facts.get(fact, float("nan")) < high for fact, low, high in conditions(row.when)):
            return row
    raise ValueError("a decision table needs a last row without `when`")


def grade_of(text: str) -> tuple[str, int]:
    """A grade of Go: (k, d or p; number) of `12k`, `3 dan`, `1p`. Raises ValueError for what is none."""
    match = re.fullmatch(r"([1-9]\d?) ?(k(?:yu)?|d(?:an)?|p(?:ro)?)\.?", text.strip().lower())
    if not match:
        raise ValueError(f"{text!r} is not a grade")
    return match[2][0], int(match[1])
