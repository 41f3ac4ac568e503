"""Large CSV files through Arrow's reader, where it is certain to see the same cells as `text` does."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.csv

from arpad.formats.frames import sheet_of_pieces
from arpad.formats.sheet import Cells, Sheet

# In a well-formed file a quote has a separator, a line end or another quote beside it.
_ODD_QUOTE = r'[^{0}\r\n"]"[^{0}\r\n"]'
_BLANK_ROW = r"\n[{0} \t]*\r?(?:\n|\Z)."


def sheet_of_large(data: bytes, separator: str, header: str, source: str, careful: Callable[[], Sheet]) -> Sheet | None:
    """The sheet of UTF-8 bytes that begin with the line `header`, or None if that line needs the careful reader.

    Where the rest of the file turns out to need it, the sheet's columns come from `careful`.
    """
    headers = header.split(separator)
    if '"' in header or len(set(headers)) < len(headers) or any(not name or name != name.strip() for name in headers):
        return None

    def encode(picked: Mapping[str, int]) -> Cells:
        table = _table(data, separator, headers, [headers[at] for at in picked.values()])
        if table is None:
            return careful().encode(picked)

        def pieces(at: int) -> Iterator[Any]:
            yield from table.column(headers[at]).chunks

        return sheet_of_pieces(source, headers, pieces, table.num_rows, 2).encode(picked)

    return Sheet(source, headers, 1, encode)


def _table(data: bytes, separator: str, headers: list[str], wanted: list[str]) -> Any:
    """The wanted columns as texts, or None where the two readers might differ: odd quotes, blank or uneven rows."""
    for doubt in (_ODD_QUOTE, _BLANK_ROW):
        if re.search(doubt.format(re.escape(separator)).encode(), data, re.DOTALL):
            return None
    text = pa.dictionary(pa.int32(), pa.string())
    convert = pa.csv.ConvertOptions(
        include_columns=list(dict.fromkeys(wanted)),
        column_types=dict.fromkeys(wanted, text),
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
