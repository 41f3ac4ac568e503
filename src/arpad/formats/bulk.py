"""Large CSV files through Arrow's reader, where it is certain to see the same cells as `text` does."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv

from arpad.formats.frames import sheet_of_pieces
from arpad.formats.sheet import Cells, Sheet

_BLANK_ROW = r"\n[{0} \t]*\r?\n"


def sheet_of_large(data: bytes, separator: str, header: str, source: str, careful: Callable[[], Sheet]) -> Sheet | None:
    """The sheet of UTF-8 bytes that begin with the line `header`, or None if that line needs the careful reader.

    Where the rest of the file turns out to need it, the sheet's columns come from `careful`.
    """
    headers = header.split(separator)
    if (
        ord(separator) > 127
        or '"' in header
        or len(set(headers)) < len(headers)
        or any(not name or name != name.strip() for name in headers)
    ):
        return None

    def encode(picked: Mapping[str, int]) -> Cells:
        table = _table(data, separator, headers, {headers[at]: fact for fact, at in picked.items()})
        if table is None:
            return careful().encode(picked)

        def pieces(at: int) -> Iterator[Any]:
            yield from table.column(headers[at]).chunks

        return sheet_of_pieces(source, headers, pieces, table.num_rows, 2).encode(picked)

    return Sheet(source, headers, 1, encode)


def _table(data: bytes, separator: str, headers: list[str], wanted: Mapping[str, str]) -> Any:
    """The wanted columns (by header, with their facts) as texts, or None where the two readers might differ."""
    if _odd_quotes(data, separator) or _blank_rows(data, separator):
        return None
    text = pa.dictionary(pa.int32(), pa.string())
    convert = pa.csv.ConvertOptions(
        include_columns=list(wanted),
        column_types={name: pa.string() if fact == "date" else text for name, fact in wanted.items()},
        strings_can_be_null=False,
        quoted_strings_can_be_null=False,
        null_values=[],
    )
    parse = pa.csv.ParseOptions(delimiter=separator, newlines_in_values=True, ignore_empty_lines=False)
    try:
        table = pa.csv.read_csv(io.BytesIO(data), parse_options=parse, convert_options=convert)
    except pa.ArrowException:
        return None
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    plain = lines == table.num_rows + 1 and data.count(b"\r") == data.count(b"\r\n")
    return table if plain else None


def _odd_quotes(data: bytes, separator: str) -> bool:
    """Whether some quote has neither a separator nor a line end nor another quote beside it."""
    if b'"' not in data:
        return False
    letters = np.frombuffer(data, np.uint8)
    quotes = np.flatnonzero(letters == ord('"'))
    beside = np.zeros(256, bool)
    beside[[ord(letter) for letter in (separator, "\r", "\n", '"')]] = True
    inner = quotes[(quotes > 0) & (quotes < len(letters) - 1)]
    return bool((~(beside[letters[inner - 1]] | beside[letters[inner + 1]])).any())


def _blank_rows(data: bytes, separator: str) -> bool:
    """Whether some row after the first has nothing in it."""
    starts = (separator.encode(), b"\n", b"\r", b" ", b"\t")
    if not any(b"\n" + start in data for start in starts):
        return False
    return re.search(_BLANK_ROW.format(re.escape(separator)).encode(), data) is not None
