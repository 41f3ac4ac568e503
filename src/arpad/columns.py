"""Columns of numbers, few or many: `array.array` for a club's file, numpy for ten million games.

The same functions serve both, so that the rest of the program is written once and a small job never imports numpy.
A column is numpy's exactly where the reader made it so.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, TypeAlias

from msgspec.structs import replace

from arpad.errors import DataError
from arpad.model import MOST_STONES, Column, Games, Problem

#: Numpy's names for the type codes of `array`.
DTYPES = {"i": "int32", "d": "float64", "B": "uint8", "q": "int64"}


def is_numpy(column: Column) -> bool:
    return hasattr(column, "dtype")


def empty(code: str) -> array[Any]:
    return array(code)


def filled(code: str, value: float, length: int, like: Column) -> Column:
    """A column of one value; numpy's if `like` is."""
    if is_numpy(like):
        import numpy as np

        return np.full(length, value, DTYPES[code])
    return array(code, [value]) * length


def made(code: str, values: Iterable[float], like: Column) -> Column:
    if is_numpy(like):
        import numpy as np

        return np.fromiter(values, DTYPES[code])
    return array(code, values)


def take(code: str, values: Sequence[float], codes: Column) -> Column:
    """values[code] for each of codes; a code of -1 takes the last value."""
    if is_numpy(codes):
        import numpy as np

        return np.asarray(values, DTYPES[code])[codes]
    return array(code, [values[at] for at in codes])


#: Where each row comes from; or two columns, rows and where these come from, the others staying; None: all stay.
Order: TypeAlias = "Column | tuple[Column, Column] | None"


def permuted(column: Column | None, order: Order) -> Column | None:
    """The column in another order; as it stands if there is none."""
    if column is None or order is None:
        return column
    if isinstance(order, tuple):
        rows, sources = order
        if is_numpy(column):
            column = column.copy()
            column[rows] = column[sources]
            return column
        held = list(range(len(column)))
        for row, source in zip(rows, sources):
            held[row] = source
        return permuted(column, held)
    if is_numpy(column):
        return column[order]
    if isinstance(column, array):
        return array(column.typecode, [column[at] for at in order])
    return [column[at] for at in order]


def sources_of(order: Order, length: int) -> dict[int, int]:
    """Where each row goes, by where it stood."""
    if isinstance(order, tuple):
        order = permuted(array("i", range(length)), (order[0], order[1]))
    return {int(old): new for new, old in enumerate(order)} if order is not None else {}


def ordered(keys: Sequence[Column]) -> bool:
    """Whether rows ascend by the keys, the first key weighing most; rows may be equal."""
    if not keys or len(keys[0]) < 2:
        return True
    if is_numpy(keys[0]):
        import numpy as np

        undecided = np.ones(len(keys[0]) - 1, bool)
        for key in keys:
            if (undecided & (key[1:] < key[:-1])).any():
                return False
            undecided &= key[1:] == key[:-1]
        return True
    rows = zip(*keys)
    before = next(rows)
    for row in rows:
        if row < before:
            return False
        before = row
    return True


def sorting(keys: Sequence[Column]) -> Column:
    """The permutation that sorts rows by the keys, the first key weighing most; equal rows keep their order."""
    if is_numpy(keys[0]):
        import numpy as np

        return np.lexsort(tuple(reversed(keys)))
    if len(keys) == 1:
        return sorted(range(len(keys[0])), key=keys[0].__getitem__)
    rows = list(zip(*keys))
    return sorted(range(len(rows)), key=rows.__getitem__)


def spans(runs: Sequence[tuple[int, int]], like: Column) -> Column:
    """The rows of runs (start, stop), one run after the other."""
    if is_numpy(like):
        import numpy as np

        return np.concatenate([np.arange(start, stop, dtype="int32") for start, stop in runs])
    return array("i", (row for start, stop in runs for row in range(start, stop)))


def sorting_within(lengths: Sequence[int], keys: Sequence[Any], like: Column) -> Column:
    """The permutation that sorts rows by the keys within runs of these lengths, which stand one after the other.

    Rows that are equal in a single key may change places: that is twice as fast.
    """
    found = []
    start = 0
    quick = len(keys) == 1 and is_numpy(keys[0])
    for length in lengths:
        part = (
            keys[0][start : start + length].argsort()
            if quick
            else sorting([key[start : start + length] for key in keys])
        )
        found.append(part + start if is_numpy(like) else [start + row for row in part])
        start += length
    if is_numpy(like):
        import numpy as np

        return np.concatenate(found)
    return array("i", (row for part in found for row in part))


def largest(column: Column | None) -> int:
    """The largest value; 0 of an empty column."""
    if column is None or not len(column):
        return 0
    return int(column.max() if is_numpy(column) else max(column))


def runs_of_equals(keys: Sequence[Column]) -> list[tuple[int, int]]:
    """(start, stop) of each run of two or more rows that are equal in all keys; rows are in order."""
    length = len(keys[0])
    if is_numpy(keys[0]):
        import numpy as np

        edges = np.flatnonzero(np.diff(np.concatenate(([False], _as_before(keys), [False])).astype(np.int8)))
        return list(zip(edges[::2].tolist(), (edges[1::2] + 1).tolist()))
    runs = []
    start = 0
    rows = list(zip(*keys))
    for at in range(1, length + 1):
        if at == length or rows[at] != rows[start]:
            if at - start > 1:
                runs.append((start, at))
            start = at
    return runs


def runs_that_meet(keys: Sequence[Column], first: Column, second: Column) -> list[tuple[int, int]]:
    """Of the runs of equal rows, those in which somebody stands twice (numpy columns): only in them can order matter
    to games that are settled one by one. A run of more than a few dozen rows is taken unseen."""
    import numpy as np

    same = _as_before(keys)
    starts = np.concatenate(([0], np.flatnonzero(~same) + 1))
    stops = np.append(starts[1:], len(same) + 1)
    chosen = stops - starts > 32
    for start, stop in zip(starts[chosen].tolist(), stops[chosen].tolist()):
        same[start : stop - 1] = False
    rows = np.flatnonzero(same)
    ahead = 1
    while len(rows):
        other = rows + ahead
        one, two = first[rows], second[rows]
        shared = (one == first[other]) | (one == second[other]) | (two == first[other]) | (two == second[other])
        chosen[np.searchsorted(starts, rows[shared], "right") - 1] = True
        rows = rows[other < len(same)]
        rows = rows[same[rows + ahead]]
        ahead += 1
    return list(zip(starts[chosen].tolist(), stops[chosen].tolist()))


def _as_before(keys: Sequence[Column]) -> Column:
    """For each row but the first, whether it equals the row before in all keys (numpy columns)."""
    import numpy as np

    same = np.ones(max(len(keys[0]) - 1, 0), bool)
    for key in keys:
        same &= key[1:] == key[:-1]
    return same


def change_points(column: Column) -> list[int]:
    """The rows whose value differs from that of the row before, the first row among them."""
    if is_numpy(column):
        import numpy as np

        return [0, *(np.flatnonzero(column[1:] != column[:-1]) + 1).tolist()] if len(column) else []
    return [row for row in range(len(column)) if row == 0 or column[row] != column[row - 1]]


def without_nan(column: Column) -> Any:
    """The same numbers, but nan, which no order knows, as the lowest of all."""
    if is_numpy(column):
        import numpy as np

        return np.where(column == column, column, -np.inf)
    return [value if value == value else float("-inf") for value in column]


def sums_by(keys: Column, *values: Column) -> dict[int, tuple[Any, ...]]:
    """For each of the keys (whole numbers from 0 on) how often it is there, and the sums of the values beside it."""
    if is_numpy(keys):
        import numpy as np

        counts = np.bincount(keys)
        found = np.flatnonzero(counts)
        sums = [np.bincount(keys, column)[found].tolist() for column in values]
        return dict(zip(found.tolist(), zip(counts[found].tolist(), *sums)))
    held: dict[int, list[Any]] = {}
    for key, *row in zip(keys, *values):
        sums_of = held.setdefault(key, [0, *([0.0] * len(row))])
        sums_of[0] += 1
        for at, value in enumerate(row, 1):
            sums_of[at] += value
    return {key: tuple(held[key]) for key in sorted(held)}


def either(chosen: Column, one: Column, other: Column) -> Column:
    """In each row the first value where it is chosen, else the second."""
    if is_numpy(chosen):
        import numpy as np

        return np.where(chosen, one, other)
    return [a if take else b for take, a, b in zip(chosen, one, other)]


def plain(column: Any) -> list[Any]:
    """The values of a column as a list of plain numbers."""
    return column.tolist() if hasattr(column, "tolist") else list(column)


def copied(column: Column) -> Column:
    return column.copy() if is_numpy(column) else column[:]


def sound(games: Games) -> Games:
    """Games made by hand, with columns as the kernel takes them: numpy's or arrays all of them, in its types, in one
    piece. Raises DataError for columns of unequal length, and for numbers that are none of what they stand for.
    """
    most = 2**31
    bounds: dict[str, tuple[str, int, int]] = {
        **dict.fromkeys(("first", "second"), ("i", 0, len(games.players))),
        "score": ("i", 0, len(games.scores)),
        "event": ("i", -1, len(games.events)),
        "date": ("i", 0, date.max.toordinal() + 1),
        "time": ("i", 0, 86_400_000),
        **dict.fromkeys(("round", "board", "season", "line"), ("i", 0, most)),
        **dict.fromkeys(("knockout", "shootout"), ("B", 0, 3)),
        "neutral": ("B", 0, 2),
        "contest": ("i", 0, most),
        "handicap": ("i", 0, MOST_STONES + 1),
        **dict.fromkeys(("margin", "fewer", "length", "importance", "komi"), ("d", 0, 0)),
        **dict.fromkeys(("first_points", "second_points", "first_weight", "second_weight"), ("d", 0, 0)),
    }
    if not len(games):
        return games
    held = {name: getattr(games, name) for name in bounds if getattr(games, name) is not None}
    vector = any(map(is_numpy, held.values()))
    problems = []
    columns: dict[str, Any] = {}
    for name, column in held.items():
        code, low, high = bounds[name]
        try:
            if len(column) != len(games.first):
                raise ValueError(f"{len(column)} rows where first has {len(games.first)}")
            least, greatest = (column.min(), column.max()) if is_numpy(column) else (min(column), max(column))
            if code != "d" and not low <= least <= greatest < high:
                raise ValueError(f"numbers from {least} to {greatest}, accepted: {low} to {high - 1}")
            columns[name] = _native(code, column, vector)
        except (TypeError, ValueError) as error:
            problems.append(Problem(f"column {name}: {error}", games.source))
    if problems:
        raise DataError(problems)
    return replace(games, **columns)


def _native(code: str, column: Column, vector: bool) -> Column:
    if vector:
        import numpy as np

        given = np.asarray(column)
        if code != "d" and given.dtype.kind not in "iub":
            raise TypeError(f"whole numbers were expected, not {given.dtype}")
        return np.require(given, DTYPES[code], ["C", "W"])
    return column if isinstance(column, array) and column.typecode == code else array(code, column)
