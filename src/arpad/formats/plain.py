"""Work on columns with nothing but the standard library; `vector` does the same on numpy arrays.

A column is an `array`; a mask is an `array` of bytes with 1 for the rows that are meant. The two modules have the same
functions and give the same answers, so that a small file needs no numpy and a large one no patience.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Sequence
from itertools import compress, islice
from operator import eq
from typing import Any

from arpad.model import Column


def column(values: Iterable[float], kind: str) -> Column:
    """A new column of `kind`: i (int32), B (uint8) or d (float64)."""
    return array(kind, values)


def count_from(first: int, rows: int) -> Column:
    """The whole numbers from `first` on."""
    return array("i", range(first, first + rows))


def mask(rows: int, bit: int = 0) -> Column:
    """A mask that means no row, or with `bit` 1 every row."""
    return array("B", [bit]) * rows


def take(table: Sequence[float], codes: Column, blank: float, kind: str) -> Column:
    """The table's entry for each code, `blank` for code -1."""
    return array(kind, map([*table, blank].__getitem__, codes))


def among(codes: Column, wanted: Collection[int]) -> Column:
    """Rows with one of these codes."""
    return array("B", map(wanted.__contains__, codes)) if wanted else mask(len(codes))


def same(one: Column, other: Column) -> Column:
    """Rows where both columns have the same code, not counting blanks."""
    return without(array("B", map(eq, one, other)), blank(one))


def blank(codes: Column) -> Column:
    """Rows without a value."""
    return array("B", map((0).__gt__, codes))


def either(one: Column, other: Column) -> Column:
    """Rows meant by one or both masks."""
    return _mask_of(_bits(one) | _bits(other), len(one))


def _bits(meant: Column) -> int:
    """A mask as one long number, on which logic is fast."""
    return int.from_bytes(meant.tobytes(), "big")


def _mask_of(bits: int, rows: int) -> Column:
    return array("B", bits.to_bytes(rows, "big"))


def without(one: Column, other: Column) -> Column:
    """Rows meant by the first mask and not by the second."""
    return _mask_of(_bits(one) & ~_bits(other), len(one))


def mark(meant: Column, rows: Iterable[int]) -> None:
    """Add these rows to a mask."""
    for row in rows:
        meant[row] = 1


def count(meant: Column) -> int:
    """How many rows a mask means."""
    return sum(meant)


def rows(meant: Column, most: int) -> list[int]:
    """The rows that a mask means, no more than `most` of them."""
    return list(islice(compress(range(len(meant)), meant), most))


def select(values: Column, dropped: Column) -> Column:
    """The column without the rows that the mask means."""
    return array(values.typecode, compress(values, map((0).__eq__, dropped)))


def pairs(one: Column, other: Column) -> tuple[Column, list[tuple[int, int]]]:
    """Codes into the sorted list of distinct pairs of two columns."""
    distinct = sorted(set(zip(one, other)))
    position = {pair: code for code, pair in enumerate(distinct)}
    return array("i", [position[pair] for pair in zip(one, other)]), distinct


def repeats(
    columns: Sequence[Column], ignored: Column, ascending: Sequence[Column] = ()
) -> tuple[Sequence[int], Sequence[int]]:
    """Rows that equal an earlier row in all columns, each with the first such row; `ignored` rows take no part.

    `ascending`: those of the columns, most weighty first, by which rows may already be in order: it saves a sort.
    """
    entries: list[tuple[Any, ...]] = list(zip(*columns))
    if len(set(entries)) == len(entries):
        return [], []
    first: dict[tuple[Any, ...], int] = {}
    found = []
    for row, entry in enumerate(entries):
        if not ignored[row] and first.setdefault(entry, row) != row:
            found.append((row, first[entry]))
    return [row for row, _ in found], [row for _, row in found]


def used(columns: Sequence[Column], size: int) -> list[int]:
    """Which of the codes below `size` occur in the columns, in ascending order."""
    present = set().union(*columns)
    return [code for code in range(size) if code in present]


def spans(groups: Column, size: int, values: Column) -> tuple[list[int], list[int]]:
    """The least and greatest value of each group, not counting 0, which also stands for none."""
    low, high = [0] * size, [0] * size
    for group, value in zip(groups, values):
        if group >= 0 and value:
            low[group] = min(low[group] or value, value)
            high[group] = max(high[group], value)
    return low, high


def uniform(values: Column, blank_value: float) -> bool:
    """Whether every entry is blank; nan is blank for a column of floats."""
    if blank_value == blank_value:
        return bool(values.count(blank_value) == len(values))
    return all(value != value for value in values)


def choose(meant: Column, then: Column, otherwise: Column) -> Column:
    """Row by row the first column where the mask says so, else the second."""
    return array(otherwise.typecode, [a if bit else b for bit, a, b in zip(meant, then, otherwise)])
