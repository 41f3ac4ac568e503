"""The rows of a large CSV file, joined by Arrow: the same bytes as the csv module and `repr` make, much sooner."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arpad.formats.write import SPECIAL


def joined(table: Any) -> Any:
    """All rows as one buffer of UTF-8, or None where only the careful writer can write them."""
    columns = [_texts(column.combine_chunks()) for column in table.columns]
    if len(columns) < 2 or any(column is None for column in columns):
        return None
    lines = _glued(_glued(*columns, between=","), "\n")
    offsets = np.frombuffer(lines.buffers()[1], np.int64)
    return memoryview(lines.buffers()[2])[offsets[lines.offset] : offsets[lines.offset + len(lines)]]


def _glued(*parts: Any, between: str = "") -> Any:
    kind = pa.large_string()
    texts = [pa.scalar(part, kind) if isinstance(part, str) else part for part in parts]
    return pc.binary_join_element_wise(*texts, pa.scalar(between, kind))


def _texts(column: Any) -> Any:
    kind = column.type
    if pa.types.is_floating(kind):
        texts = _floats(column)
    elif pa.types.is_integer(kind) or pa.types.is_boolean(kind) or pa.types.is_date(kind):
        texts = column.cast(pa.large_string())
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
        texts = _quoted(column.cast(pa.large_string()))
    else:
        return None
    return pc.fill_null(texts, "")


def _floats(column: Any) -> Any:
    size = pc.abs(column)
    # Outside this range Python and Arrow write exponents in different ways.
    odd = pc.and_(pc.or_(pc.less(size, 1e-4), pc.greater_equal(size, 1e16)), pc.not_equal(size, 0.0))
    if pc.any(odd).as_py():
        return pa.array([None if value is None else repr(value) for value in column.to_pylist()], pa.large_string())
    texts = column.cast(pa.large_string())
    whole = pc.equal(pc.find_substring(texts, "."), -1)
    return pc.if_else(whole, _glued(texts, ".0"), texts)


def _quoted(texts: Any) -> Any:
    special = pc.match_substring_regex(texts, SPECIAL)
    if not pc.any(special).as_py():
        return texts
    doubled = pc.replace_substring(texts, '"', '""')
    return pc.if_else(special, _glued('"', doubled, '"'), texts)
