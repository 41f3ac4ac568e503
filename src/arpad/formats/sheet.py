"""A table as it was found: headers, and columns of texts as codes. What the texts mean is decided elsewhere."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

import msgspec

from arpad.errors import DataError, UsageError
from arpad.formats import plain
from arpad.model import Column, Problem


class Reading(msgspec.Struct, frozen=True):
    """How to read a file; what is left out is detected where that is certain.

    separator    character between the cells of a CSV file
    decimal      `.` or `,`
    encoding     such as utf-8 or cp1252
    date_format  DMY, MDY or YMD
    columns      fact -> header in this file, such as {"white": "Bianco A"}
    """

    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    date_format: str | None = None
    columns: Mapping[str, str] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, value, accepted in (
            ("decimal", self.decimal, (".", ",")),
            ("date format", self.date_format and self.date_format.upper(), ("DMY", "MDY", "YMD")),
        ):
            if value and value not in accepted:
                raise UsageError(f"{name} {value!r} is not known; accepted: {' '.join(accepted)}")
        if self.separator and (len(self.separator) != 1 or self.separator in '"\r\n'):
            raise UsageError(f"a separator is one character, not {self.separator!r}")


class Encoded(msgspec.Struct, frozen=True):
    """A column of texts: `values[codes[row]]`; code -1 is an empty cell. `detail` tells apart rows of one value."""

    header: str
    codes: Column
    values: Sequence[str]
    detail: Column | None = None


class Cells(msgspec.Struct, frozen=True):
    """The columns that were asked for, by fact; `lines` are where the rows stand in the file (from 1)."""

    columns: Mapping[str, Encoded]
    lines: Column
    ops: ModuleType  # plain or vector
    problems: Sequence[Problem] = ()

    def __len__(self) -> int:
        return len(self.lines)


class Sheet(msgspec.Struct, frozen=True):
    """A table of which only the headers have been looked at. `encode` reads the columns at the given positions."""

    source: str
    headers: Sequence[str]
    header_line: int
    encode: Callable[[Mapping[str, int]], Cells]
    notes: Sequence[Problem] = ()


def encode_texts(header: str, texts: Sequence[str]) -> Encoded:
    """A column from the texts of its cells."""
    distinct = dict.fromkeys(texts)
    distinct.pop("", None)
    codes = {text: code for code, text in enumerate(distinct)}
    return Encoded(header, array("i", map({**codes, "": -1}.__getitem__, texts)), list(codes))


def sheet_of_rows(
    source: str,
    headers: Sequence[str],
    header_line: int,
    rows: Sequence[Sequence[str]],
    lines: Sequence[int],
    notes: Sequence[Problem] = (),
) -> Sheet:
    """A sheet from rows of texts. Rows shorter than the header end in blanks; longer ones are errors."""
    problems: list[Problem] = []
    kept = array("i", lines)
    if any(len(row) != len(headers) for row in rows):
        rows, kept = _even(source, len(headers), rows, lines, problems)

    def encode(picked: Mapping[str, int]) -> Cells:
        cells = list(zip(*rows)) if rows else [()] * len(headers)
        for at in picked.values():
            _refuse_half_characters(source, headers[at], cells[at], kept)
        return Cells({fact: encode_texts(headers[at], cells[at]) for fact, at in picked.items()}, kept, plain, problems)

    return Sheet(source, headers, header_line, encode, notes)


def _refuse_half_characters(source: str, header: str, texts: Sequence[str], lines: Sequence[int]) -> None:
    """A surrogate without its other half, as only JSON and Python can hold it, could be written to no file."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError as error:
        row = next(row for row, text in enumerate(texts) if error.object[error.start] in text)
        text = f"{texts[row]!r} is no text: one half of a character alone"
        raise DataError([Problem(text, source, lines[row], header)]) from None


def _even(
    source: str, width: int, rows: Sequence[Sequence[str]], lines: Sequence[int], problems: list[Problem]
) -> tuple[list[Sequence[str]], array[int]]:
    """Rows of one width, with their lines; what was wrong goes into `problems`."""
    good: list[Sequence[str]] = []
    short: list[int] = []
    kept = array("i")
    for line, row in zip(lines, rows):
        if len(row) > width and any(cell.strip() for cell in row[width:]):
            text = f"{len(row)} cells where the header has {width}"
            hint = "a cell that contains the separator goes between double quotes"
            problems.append(Problem(text, source, line, hint=hint))
            continue
        if len(row) < width:
            short.append(line)
        good.append([*row[:width], *[""] * (width - len(row))])
        kept.append(line)
    if short:
        text = (
            f"rows shorter than the header, whose missing cells are read as blank: {len(short)} (line {listed(short)})"
        )
        problems.append(Problem(text, source, short[0], severity="warning"))
    return good, kept


def listed(lines: Sequence[Any], most: int = 10) -> str:
    """The first lines of a list, in words."""
    text = ", ".join(map(str, lines[:most]))
    return f"{text} and {len(lines) - most} more" if len(lines) > most else text
