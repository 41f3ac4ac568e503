"""Records as rows of files: CSV for spreadsheets, and JSON Lines in portions for what is large."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import msgspec
from litestar.response import Stream

from arpad.formats import Table
from arpad.formats.write import write_table
from arpad.web.api.answering import CACHING, CSV, NDJSON, Answer

#: Lines of one portion of a stream.
PORTION = 2000


def table_of(name: str, kind: type[msgspec.Struct], rows: Sequence[Any]) -> Table:
    """Records of one kind as a table, a column for each field."""
    return Table(name, {field: [getattr(row, field) for row in rows] for field in kind.__struct_fields__})


def as_csv(table: Table, headers: Mapping[str, str] = {}) -> Answer[bytes]:
    """A table as CSV; what a spreadsheet would take for a formula begins with an apostrophe."""
    held = io.BytesIO()
    write_table(table, held, "csv", spreadsheet=True)
    return Answer(held.getvalue(), media_type=CSV, headers=dict(headers))


def as_lines(portions: AsyncIterator[Sequence[msgspec.Struct]]) -> Stream:
    """Records as JSON Lines, one portion after another: no more than one is held at a time."""
    encoder = msgspec.json.Encoder()

    async def encoded() -> AsyncIterator[bytes]:
        async for portion in portions:
            yield encoder.encode_lines(portion)

    return Stream(encoded(), media_type=NDJSON, headers=CACHING)
