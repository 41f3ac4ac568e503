"""Regulations that are no rating list: titles, norms, categories, names of rating ranges.

Each is a TOML file on the shelf whose name has an underscore, which no rulebook's name has: `fide/title_norms.toml`.
What changes with time stands there as rows with a first day.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from datetime import date
from functools import cache
from typing import Any, Protocol, TypeVar

import msgspec

from arpad.errors import RulebookError, UsageError
from arpad.rulebooks.loader import SHELF

Kind = TypeVar("Kind")


class Dated(Protocol):
    @property
    def since(self) -> date: ...


Row = TypeVar("Row", bound=Dated)


@cache
def read(name: str) -> dict[str, Any]:
    """A sheet as it stands in its file."""
    return tomllib.loads((SHELF / f"{name}.toml").read_text(encoding="utf-8"))


def sheet(name: str, kind: type[Kind]) -> Kind:
    """A sheet checked against what it must hold. Raises RulebookError naming the key that does not fit."""
    return converted(read(name), kind, name)


def converted(raw: Any, kind: type[Kind], name: str) -> Kind:
    """Plain data as `kind`. Raises RulebookError naming the sheet."""
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise RulebookError(f"{name}.toml: {error}") from None


def in_force(rows: Sequence[Row], day: date | None, what: str) -> Row:
    """The row in force on a day (None: the last one); rows ascend. Raises UsageError for a day before the first."""
    if day is None:
        return rows[-1]
    found = [row for row in rows if row.since <= day]
    if not found:
        raise UsageError(f"{what} begin on {rows[0].since}; there is nothing for {day}")
    return found[-1]
