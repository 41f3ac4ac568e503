"""Work on columns as numpy arrays: the twin of `plain`, where every function is described."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from arpad.model import Column

_PART = 1 << 16
_KINDS: dict[str, Any] = {"i": np.int32, "B": np.uint8, "d": np.float64}


def column(values: Iterable[float], kind: str) -> Column:
    return np.fromiter(values, _KINDS[kind])


def count_from(first: int, rows: int) -> Column:
    return np.arange(first, first + rows, dtype=np.int32)


def mask(rows: int, bit: int = 0) -> Column:
    return np.full(rows, bit, np.uint8)


def take(table: Sequence[float], codes: Column, blank: float, kind: str) -> Column:
    if kind == "i" and blank == -1 and _is_identity(table):
        return codes
    extended = np.empty(len(table) + 1, _KINDS[kind])
    extended[:-1] = table
    extended[-1] = blank
    out = np.empty(len(codes), extended.dtype)
    for part in _parts(len(codes)):
        out[part] = extended[codes[part]]
    return out


def _is_identity(table: Sequence[float]) -> bool:
    return isinstance(table, range) or all(value == code for code, value in enumerate(table))


def _parts(rows: int) -> Iterator[slice]:
    """Slices that stay in the processor's cache while they are worked on."""
    return (slice(start, start + _PART) for start in range(0, rows, _PART))


def among(codes: Column, wanted: Collection[int]) -> Column:
    if len(wanted) < 4:
        meant = mask(len(codes))
        for code in wanted:
            meant |= codes == code
        return meant
    return np.isin(codes, np.fromiter(wanted, np.int32)).view(np.uint8)


def same(one: Column, other: Column) -> Column:
    meant = one == other
    if meant.any():
        meant &= one >= 0
    return meant.view(np.uint8)


def blank(codes: Column) -> Column:
    return (codes < 0).view(np.uint8)


def either(one: Column, other: Column) -> Column:
    return one | other


def without(one: Column, other: Column) -> Column:
    return one & (1 - other)


def mark(meant: Column, rows: Iterable[int]) -> None:
    meant[np.fromiter(rows, np.int64)] = 1


def count(meant: Column) -> int:
    return int(np.count_nonzero(meant))


def rows(meant: Column, most: int) -> list[int]:
    found: list[int] = np.flatnonzero(meant)[:most].tolist() if meant.any() else []
    return found


def select(values: Column, dropped: Column) -> Column:
    return values[dropped == 0]


def pairs(one: Column, other: Column) -> tuple[Column, list[tuple[int, int]]]:
    if not len(one):
        return one.astype(np.int32), []
    low, high = int(other.min()), int(other.max())
    width = high - low + 1
    key = (one.astype(np.int64) - int(one.min())) * width + (other.astype(np.int64) - low)
    size = int(key.max()) + 1
    if size <= 1 << 22:  # small enough to count instead of sorting
        present = np.flatnonzero(np.bincount(key, minlength=size))
        position = np.zeros(size, np.int32)
        position[present] = np.arange(len(present), dtype=np.int32)
        codes = position[key]
    else:
        present, inverse = np.unique(key, return_inverse=True)
        codes = inverse.astype(np.int32)
    distinct = zip((present // width + int(one.min())).tolist(), (present % width + low).tolist())
    return codes, list(distinct)


def repeats(
    columns: Sequence[Column], ignored: Column, ascending: Sequence[Column] = ()
) -> tuple[Sequence[int], Sequence[int]]:
    rows = _might_repeat(ignored, ascending)
    held = columns if rows is None else [values[rows] for values in columns]
    key = _mixed(held)
    order = np.sort(key)
    doubled = np.unique(order[1:][order[1:] == order[:-1]])
    del order
    if not len(doubled):
        return [], []
    nearest = np.minimum(np.searchsorted(doubled, key), len(doubled) - 1)
    found = np.flatnonzero(doubled[nearest] == key)
    # Equal keys prove nothing: sort by the columns themselves and compare neighbours.
    part = [values[found] for values in held]
    by_value = np.lexsort((found, *part))
    new = np.ones(len(found), bool)
    new[1:] = np.logical_or.reduce([values[by_value][1:] != values[by_value][:-1] for values in part])
    ordered = found[by_value] if rows is None else rows[found[by_value]]
    first = ordered[np.flatnonzero(new)[np.cumsum(new) - 1]]
    again = np.flatnonzero(~new)
    by_row = again[np.argsort(ordered[again], kind="stable")]
    return ordered[by_row].tolist(), first[by_row].tolist()


def _might_repeat(ignored: Column, ascending: Sequence[Column]) -> Column | None:
    """The rows among which repeats can be: where rows ascend by columns, those that equal a neighbour in these."""
    if not ascending or len(ignored) < 2:
        return np.flatnonzero(ignored == 0) if ignored.any() else None
    same = np.ones(len(ignored) - 1, bool)
    for values in ascending:
        if (same & (values[1:] < values[:-1])).any():
            return _might_repeat(ignored, ())
        same &= values[1:] == values[:-1]
    among = np.concatenate(([False], same))
    among[:-1] |= same
    return np.flatnonzero(among & (ignored == 0))


def _mixed(columns: Sequence[Column]) -> Column:
    """One 64-bit number a row, equal where all columns are."""
    key = np.zeros(len(columns[0]), np.uint64)
    for part in _parts(len(key)):
        mixed = key[part]
        for values in columns:
            mixed ^= values[part].astype(np.int64).view(np.uint64)
            mixed *= np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(29)
    return key


def used(columns: Sequence[Column], size: int) -> list[int]:
    present = np.zeros(size + 1, bool)  # the last place takes the blanks
    for codes in columns:
        for part in _parts(len(codes)):
            present[codes[part]] = True
    return np.flatnonzero(present[:-1]).tolist() if not present[:-1].all() else list(range(size))


def spans(groups: Column, size: int, values: Column) -> tuple[list[int], list[int]]:
    known = (groups >= 0) & (values != 0)
    top = np.iinfo(np.int32).max
    low, high = np.full(size, top, np.int32), np.zeros(size, np.int32)
    np.minimum.at(low, groups[known], values[known])
    np.maximum.at(high, groups[known], values[known])
    low[low == top] = 0
    return low.tolist(), high.tolist()


def uniform(values: Column, blank_value: float) -> bool:
    if values.dtype.kind == "f":
        return bool(np.isnan(values).all()) if blank_value != blank_value else bool((values == blank_value).all())
    return bool((values == blank_value).all())


def choose(meant: Column, then: Column, otherwise: Column) -> Column:
    return np.where(meant == 1, then, otherwise)
