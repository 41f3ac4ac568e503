"""XLSX through openpyxl: it reads and writes, so that one optional library serves both ways."""

from __future__ import annotations

import io
import math
from itertools import chain
from typing import Any

from arpad.errors import DataError
from arpad.formats.sheet import Sheet, sheet_of_rows
from arpad.formats.values import as_text
from arpad.model import Problem


def read_workbook(data: bytes, source: str) -> Sheet:
    """The first sheet with anything in it. Formulas count as the values they had when the file was saved."""
    import openpyxl

    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheets = [(sheet.title, list(sheet.iter_rows(values_only=True))) for sheet in book.worksheets]
    except Exception as error:  # openpyxl lets whatever a damaged archive causes pass through: KeyError, BadZipFile, …
        raise DataError([Problem(f"not a readable workbook: {type(error).__name__}: {error}", source)]) from None
    for title, found in sheets:
        rows = [(line, [as_text(cell) for cell in row]) for line, row in enumerate(found, 1)]
        rows = [(line, row) for line, row in rows if any(cell.strip() for cell in row)]
        if rows:
            others = [name for name, _ in sheets if name != title]
            text = f"sheet {title!r} read; not read: {', '.join(others)}"
            notes = [Problem(text, source, severity="warning")] if others else []
            (header_line, headers), body = rows[0], rows[1:]
            while headers and not headers[-1].strip():
                headers.pop()
            cells = [row for _, row in body]
            return sheet_of_rows(
                source, [cell.strip() for cell in headers], header_line, cells, [n for n, _ in body], notes
            )
    raise DataError([Problem("the workbook is empty", source)])


def workbook_bytes(name: str, columns: dict[str, list[Any]]) -> bytes:
    """One sheet with typed cells; text stays text even where it looks like a formula.

    Raises ValueError for text with control characters, which a workbook cannot hold.
    """
    import openpyxl
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    texts = (value for column in columns.values() for value in column if isinstance(value, str))
    illegal = next((text for text in chain(columns, texts) if ILLEGAL_CHARACTERS_RE.search(text)), None)
    if illegal is not None:
        raise ValueError(f"a workbook cannot hold control characters: {illegal!r}")
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("".join(letter for letter in name if letter not in r"[]:*?/\'")[:31] or "table")

    def typed(text: str, kind: str) -> Any:
        made = WriteOnlyCell(sheet, text)
        made.data_type = kind
        return made

    def cell(value: Any) -> Any:
        if isinstance(value, str):
            return typed(value, "s")
        if isinstance(value, float):
            if not math.isfinite(value):
                return None
            if float(f"{value:.16g}") != value:  # openpyxl would write no more digits than that
                return typed(repr(value), "n")
        return value

    for row in (list(columns), *zip(*columns.values())):
        sheet.append([cell(value) for value in row])
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()
