"""Parquet by polars, where it is there: the fastest way found from a file to names as codes.

Names of both sides are turned into codes of one table on two threads. The codes depend on which thread comes first, so
nothing may depend on their order; what is written is sorted by name or by the order of the games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from arpad.errors import DataError
from arpad.formats import frames, vector
from arpad.formats.sheet import Cells, Encoded, Sheet
from arpad.model import Column, Problem

#: The ordinal of 1970-01-01.
EPOCH = 719_163
#: How many units of a column of instants make a day.
DAY = {"ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}
#: What polars raises. A panic, which is no Exception, is its way with what it did not foresee.
FAILURES = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


def sheet_of_parquet(path: str) -> Sheet:
    """A sheet over a Parquet file whose columns are read when they are asked for."""
    try:
        schema = pl.read_parquet_schema(path)
        rows = int(pl.scan_parquet(path).select(pl.len()).collect().item())
    except FAILURES as error:
        raise DataError([Problem(f"not a readable Parquet file: {error}", path)]) from None
    headers = [name for name in schema if not name.startswith("__index_level_")]

    def encode(picked: Mapping[str, int]) -> Cells:
        return _encode(path, headers, picked, rows)

    return Sheet(path, headers, 0, encode)


def _encode(path: str, headers: Sequence[str], picked: Mapping[str, int], rows: int) -> Cells:
    """All columns, two at a time: polars and numpy leave Python's lock while they work."""
    shared = pl.Categorical(pl.Categories.random())
    names = [fact for fact in ("first", "second") if fact in picked]

    def work(fact: str) -> Any:
        try:
            return coded_or_read(fact)
        except (*FAILURES, pa.ArrowException, OverflowError, ValueError) as error:
            problem = Problem(f"unreadable column: {error}", path, column=headers[picked[fact]])
            raise DataError([problem]) from None

    def coded_or_read(fact: str) -> Any:
        column = _read(path, headers[picked[fact]])
        if column.dtype == pl.String and fact != "date":
            return column.cast(shared if fact in names else pl.Categorical(pl.Categories.random()))
        if column.dtype in (pl.Date, pl.Datetime("ms"), pl.Datetime("us"), pl.Datetime("ns")) and len(column):
            return _days(column)
        part, distinct, detail = frames.encoded_column(fact, iter([column.to_arrow()]), rows)
        return part, frames.texts(distinct), detail

    with ThreadPoolExecutor(2) as pool:
        done = dict(zip(picked, pool.map(work, picked)))
    coded = {fact: column for fact, column in done.items() if isinstance(column, pl.Series)}
    sides = [coded[fact] for fact in names if fact in coded]
    if sides and len(sides) == len(names):
        values = _texts(sides)
        done |= {fact: (_codes(coded.pop(fact)), values, None) for fact in names}
    done |= {fact: (_codes(column), _texts([column]), None) for fact, column in coded.items()}
    columns = {fact: Encoded(headers[picked[fact]], *done[fact]) for fact in picked}
    return Cells(columns, vector.count_from(1, rows), vector)


def _read(path: str, header: str) -> Any:
    return pl.read_parquet(path, columns=[header])[header]


def _codes(column: Any) -> Column:
    """The codes of a column of categories; -1 is a missing value."""
    return column.to_physical().cast(pl.Int32).fill_null(-1).to_numpy(writable=True)


def _texts(columns: Sequence[Any]) -> list[str]:
    """The texts of the categories that columns share, by code."""
    distinct = pl.concat([column.unique() for column in columns]).unique().drop_nulls()
    numbers = distinct.to_physical().to_numpy()
    values = np.full(int(numbers.max()) + 1 if len(numbers) else 0, "", object)
    values[numbers] = distinct.cast(pl.String).to_numpy()
    found: list[str] = values.tolist()
    return found


def _days(column: Any) -> tuple[Column, list[str], Column | None]:
    """Codes and texts of the days of dates, and the time of day in milliseconds where there is one.

    Raises ValueError for days outside the calendar, which polars does not bear to convert.
    """
    unit = 1 if column.dtype == pl.Date else DAY[column.dtype.time_unit]
    ends = [int(end) // unit for end in (column.to_physical().min(), column.to_physical().max()) if end is not None]
    if any(not 1 <= EPOCH + end <= date.max.toordinal() for end in ends):
        raise ValueError("a day outside the calendar, which has the years 1 to 9999")
    whole = column.cast(pl.Date).to_physical()
    first, last = whole.min(), whole.max()
    if first is None or last - first > 1_000_000:
        return *_any_days(column), None
    days = whole.fill_null(first - 1).to_numpy()
    texts = [date.fromordinal(EPOCH + first + day).isoformat() for day in range(last - first + 1)]
    detail = None
    if column.dtype != pl.Date:
        instant = column.dt.cast_time_unit("ms").to_physical().fill_null(0).to_numpy()
        detail = (instant - days.astype(np.int64) * 86_400_000).astype(np.int32)
        detail[days < first] = 0
    return (days - np.int32(first)).astype(np.int32), texts, detail


def _any_days(column: Any) -> tuple[Column, list[str]]:
    """The same of days that are far apart or all missing."""
    part, distinct, _ = frames.encoded_column("day", iter([column.cast(pl.Date).to_arrow()]), len(column))
    return part, frames.texts(distinct)
