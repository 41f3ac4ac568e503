"""Arrow tables, however they come: Parquet, Arrow IPC, frames of pandas, polars and pyarrow, large CSV files.

A column is turned into codes in two steps: within pieces small enough for the processor's cache (or as the file has
it already), then once over the pieces' distinct values. Both sides' names share one table. Names are read and
encoded on two threads, since Arrow leaves Python's lock while it works.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arpad.errors import DataError
from arpad.formats import vector
from arpad.formats.sheet import Cells, Encoded, Sheet
from arpad.formats.values import as_text, time_of_day
from arpad.model import Column, Problem

_PIECE = 1 << 17
_NAMES = ("first", "second")
_TAIL = r"[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[-+]\d{2}:?\d{2})?"

#: Yields the pieces of one column, given its position.
Pieces = Callable[[int], Iterator[Any]]


def sheet_of_pieces(source: str, headers: Sequence[str], pieces: Pieces, rows: int, first_line: int) -> Sheet:
    """A sheet over columns that are read piece by piece when asked for; rows are numbered from `first_line`."""

    def read(fact: str, at: int) -> tuple[Column, Any, Column | None]:
        try:
            codes, values, detail = encoded_column(fact, pieces(at), rows)
            return codes, values if fact in _NAMES else texts(values), detail
        except (pa.ArrowException, OSError, OverflowError, ValueError) as error:
            raise DataError([Problem(f"unreadable column: {error}", source, column=headers[at])]) from None

    def encode(picked: Mapping[str, int]) -> Cells:
        with ThreadPoolExecutor(2) as pool:
            try:
                parts = dict(zip(picked, pool.map(lambda fact: read(fact, picked[fact]), picked)))
                names = [parts.pop(fact) for fact in _NAMES if fact in picked]
                shared, tables = _shared([values for _, values, _ in names])
                taken = list(pool.map(lambda pair: pair[0][pair[1][0]], zip(tables, names)))
            except (pa.ArrowException, OSError) as error:
                raise DataError([Problem(f"unreadable columns: {error}", source)]) from None
        pa.default_memory_pool().release_unused()
        columns = {fact: Encoded(headers[picked[fact]], codes, shared) for fact, codes in zip(_NAMES, taken)}
        for fact, (codes, values, detail) in parts.items():
            columns[fact] = Encoded(headers[picked[fact]], codes, values, detail)
        return Cells(columns, vector.count_from(first_line, rows), vector)

    return Sheet(source, headers, first_line - 1, encode)


def sheet_of_table(table: Any, source: str, first_line: int = 1) -> Sheet:
    """A sheet over a table in memory, without the columns that only number the rows."""
    names = [name for name in table.column_names if not name.startswith("__index_level_")]

    def pieces(at: int) -> Iterator[Any]:
        yield from table.column(table.column_names.index(names[at])).chunks

    if len(set(table.column_names)) < len(table.column_names):  # the headers' check will name them
        return Sheet(source, table.column_names, 0, lambda picked: Cells({}, [], vector))
    return sheet_of_pieces(source, names, pieces, table.num_rows, first_line)


def sheet_of_stream(frame: Any, source: str) -> Sheet:
    """A sheet over any object with the Arrow C stream interface."""
    try:
        return sheet_of_table(pa.table(frame), source)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise DataError([Problem(f"this frame cannot be read: {error}", source)]) from None


def sheet_of_parquet(path: str) -> Sheet:
    """A sheet over a Parquet file, reading its dictionaries instead of the texts."""
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            schema, rows, groups = file.schema_arrow, file.metadata.num_rows, file.num_row_groups
    except (pa.ArrowException, OSError, ValueError) as error:
        raise DataError([Problem(f"not a readable Parquet file: {error}", path)]) from None
    texts = [name for name, kind in zip(schema.names, schema.types) if _is_text(kind)]
    names = [name for name in schema.names if not name.startswith("__index_level_")]

    def pieces(at: int) -> Iterator[Any]:
        with pq.ParquetFile(path, read_dictionary=texts) as file:
            for group in range(groups):
                for chunk in file.read_row_group(group, columns=[names[at]], use_threads=False).column(0).chunks:
                    chunk.validate(full=True)  # codes of a damaged file can point outside its dictionary
                    yield chunk

    return sheet_of_pieces(path, names, pieces, rows, 1)


def sheet_of_ipc(path: str) -> Sheet:
    """A sheet over an Arrow IPC file or stream."""
    try:
        with pa.memory_map(path) as mapped:
            try:
                table = pa.ipc.open_file(mapped).read_all()
            except pa.ArrowInvalid:
                mapped.seek(0)
                table = pa.ipc.open_stream(mapped).read_all()
        table.validate(full=True)  # offsets of a damaged file can point outside it
    except (pa.ArrowException, OSError, ValueError) as error:
        raise DataError([Problem(f"not a readable Arrow file: {error}", path)]) from None
    return sheet_of_table(table, path)


def _is_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _is_bytes(kind: Any) -> bool:
    known = pa.types
    return bool(
        known.is_binary(kind)
        or known.is_large_binary(kind)
        or known.is_binary_view(kind)
        or known.is_fixed_size_binary(kind)
    )


def encoded_column(fact: str, pieces: Iterator[Any], rows: int) -> tuple[Column, Any, Column | None]:
    """Codes, distinct values (an Arrow array), and the part of a date that its value leaves out."""
    first = next(pieces, None)
    chunks = pieces if first is None else chain([first], pieces)
    if fact != "date" or first is None:
        return *_codes(chunks, rows), None
    if pa.types.is_timestamp(first.type):
        detail = np.zeros(rows, np.int32)
        return *_codes(_days(chunks, detail), rows), detail
    if _has_long_text(first):
        held = [chunk.cast(pa.large_string()) for chunk in chunks]
        tails, ends = _codes((pc.utf8_slice_codeunits(chunk, 10) for chunk in held), rows)
        words = ends.to_pylist()
        if all(re.fullmatch(_TAIL, tail) for tail in words):  # all or none, so that nothing is lost
            times = vector.take([time_of_day(tail) for tail in words], tails, 0, "i")
            return *_codes((pc.utf8_slice_codeunits(chunk, 0, 10) for chunk in held), rows), times
        chunks = iter(held)
    return *_codes(chunks, rows), None


def _has_long_text(chunk: Any) -> bool:
    """Whether dates are texts that seem to hold more than a day."""
    kind = chunk.type.value_type if pa.types.is_dictionary(chunk.type) else chunk.type
    return _is_text(kind) and len(chunk) > 0 and len(chunk[0].as_py() or "") > 10


def _days(chunks: Iterable[Any], detail: Column) -> Iterator[Any]:
    """Timestamps as days; the time of day, in milliseconds, goes into `detail`."""
    done = 0
    for chunk in chunks:
        local = _local(chunk)
        day = local.cast(pa.date32(), safe=False)
        fine = local.cast(pa.timestamp("ms"), safe=False)
        exact, whole = (_integers(values, kind) for values, kind in ((fine, pa.int64()), (day, pa.int32())))
        detail[done : done + len(chunk)] = exact - whole.astype(np.int64) * 86_400_000
        done += len(chunk)
        yield day


def _integers(values: Any, kind: Any) -> Column:
    return values.cast(kind).fill_null(0).to_numpy()


def _local(chunk: Any) -> Any:
    return pc.local_timestamp(chunk) if chunk.type.tz else chunk


def _codes(pieces: Iterable[Any], rows: int) -> tuple[Column, Any]:
    """Codes and distinct values of one column; -1 is a missing value."""
    out = np.empty(rows, np.int32)
    dictionaries = []
    starts = []
    done = 0
    for chunk in pieces:
        for offset in range(0, len(chunk), _PIECE):
            local = _local_codes(chunk if len(chunk) <= _PIECE else chunk.slice(offset, _PIECE))
            indices = local.indices.cast(pa.int32())
            if indices.null_count:
                indices = indices.fill_null(-1)
            out[done : done + len(indices)] = indices.to_numpy()
            dictionaries.append(local.dictionary)
            starts.append(done)
            done += len(indices)
    if done != rows:
        raise ValueError(f"{done} rows where there should be {rows}")
    if not dictionaries:
        return out, pa.array([], pa.string())
    whole = pa.concat_arrays(dictionaries).dictionary_encode()
    mapping = whole.indices.fill_null(-1).to_numpy().astype(np.int32)
    base = 0
    for start, end, dictionary in zip(starts, [*starts[1:], done], dictionaries):
        table = np.append(mapping[base : base + len(dictionary)], np.int32(-1))
        out[start:end] = table[out[start:end]]
        base += len(dictionary)
    return out, whole.dictionary


def _local_codes(chunk: Any) -> Any:
    """A dictionary array, of plain strings if it holds any text, or bytes, which some programs write for text."""
    local = chunk if pa.types.is_dictionary(chunk.type) else chunk.dictionary_encode()
    kind = local.dictionary.type
    if (_is_text(kind) or _is_bytes(kind)) and not pa.types.is_string(kind):
        return pa.DictionaryArray.from_arrays(local.indices, local.dictionary.cast(pa.string()))
    return local


def _shared(tables: Sequence[Any]) -> tuple[Sequence[str], list[Column]]:
    """One list of the distinct values of several tables, and for each table its positions in it, -1 at the end."""
    if not tables:
        return [], []
    if len({table.type for table in tables}) > 1 or not _is_text(tables[0].type):
        tables = [pa.array(texts(table), pa.string()) for table in tables]
    whole = pa.concat_arrays(tables).dictionary_encode()
    mapping = whole.indices.fill_null(-1).to_numpy().astype(np.int32)
    ends = np.cumsum([len(table) for table in tables])
    parts = [np.append(mapping[end - len(table) : end], np.int32(-1)) for end, table in zip(ends, tables)]
    return whole.dictionary.to_pylist(), parts


def texts(values: Any) -> list[str]:
    return [as_text(value) for value in values.to_pylist()]
