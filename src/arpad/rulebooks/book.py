"""A rulebook as the rest of the program sees it: whole editions in order of date, and what they rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from arpad.errors import UsageError

if TYPE_CHECKING:
    from arpad.rulebooks.schema import Edition, Parameter

#: A value of a parameter.
Value: TypeAlias = "float | str | bool"
#: The rows of a CSV table as printed: column -> text.
Rows: TypeAlias = "Sequence[Mapping[str, str]]"

#: Keys that explain a clause and cannot change a number; they are no part of the digest.
WORDS = frozenset({"text", "article", "source", "status", "name", "note"})


class Rulebook(msgspec.Struct, frozen=True, dict=True):
    """One organisation's regulation for one list, with its history.

    `editions` ascend by `since` (None, "since ever", can only be the first). `origins[i]` says for each clause of
    `editions[i]`, and for each key of a clause that is a table (`difference.advantage`), which edition stated it.
    `settings` are the values of the parameters that this reading uses.
    """

    name: str
    organisation: str
    game: str
    system: str
    title: Mapping[str, str]
    text: Mapping[str, str]
    cadence: str
    verified: str
    parameters: Mapping[str, Parameter]
    settings: Mapping[str, Value]
    editions: tuple[Edition, ...]
    origins: tuple[Mapping[str, str], ...]
    tables: Mapping[str, Rows]
    path: Path
    preset: str = ""
    evidence: str = ""
    until: date | None = None

    def edition_index(self, ordinal: int) -> int:
        """Index of the edition in force on a day; 0, an unknown day, takes the last one.

        Raises UsageError for a day before the first edition.
        """
        if ordinal == 0:
            return len(self.editions) - 1
        found = -1
        for index, edition in enumerate(self.editions):
            if edition.since is None or edition.since.toordinal() <= ordinal:
                found = index
        if found < 0:
            day = date.fromordinal(ordinal)
            raise UsageError(f"{self.name} begins on {self.editions[0].since}; it has no edition for {day}")
        return found

    def on(self, day: date | int | None) -> Edition:
        """The edition in force on a day (a date or its ordinal); None takes the last one."""
        ordinal = day.toordinal() if isinstance(day, date) else day or 0
        return self.editions[self.edition_index(ordinal)]

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything here that can change a number: editions, tables, settings. Words do not count."""
        import hashlib
        import json

        import msgspec

        content = {
            "system": self.system,
            "settings": dict(self.settings),
            "editions": [_numbers(msgspec.to_builtins(edition)) for edition in self.editions],
            "tables": {file: [_numbers(dict(row)) for row in rows] for file, rows in self.tables.items()},
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


#: What the first edition is called where it has no date.
BEGINNING = "the beginning"


def label(edition: Edition) -> str:
    """What an edition is called: the day it took effect."""
    return BEGINNING if edition.since is None else edition.since.isoformat()


def _numbers(value: object) -> object:
    if isinstance(value, dict):
        return {key: _numbers(item) for key, item in value.items() if key not in WORDS}
    if isinstance(value, list):
        return [_numbers(item) for item in value]
    return value
