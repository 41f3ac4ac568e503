"""XLSX through openpyxl: it reads and writes, so that one optional library serves both ways."""

from __future__ import annotations

import io
import math
import re
from typing import Any

from arpad.errors import DataError
from arpad.formats.sheet import Sheet, sheet_of_rows
from arpad.formats.values import as_text
from arpad.model import Problem

#: What no text in XML has (XML 1.0, 2.2).
NOT_OF_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


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
            others = [repr(name) for name, _ in sheets if name != title]
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
    """One sheet with typed cells; text stays text even where it looks like a formula. In place of what a workbook
    cannot hold stands U+FFFD: a name keeps nobody from their list."""
    import openpyxl
    from openpyxl.cell import WriteOnlyCell

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("".join(letter for letter in name if letter not in r"[]:*?/\'")[:31] or "table")

    def typed(text: str, kind: str) -> Any:
        made = WriteOnlyCell(sheet, text)
        made.data_type = kind
        return made

    def cell(value: Any) -> Any:
        if isinstance(value, str):
            return typed(NOT_OF_XML.sub("\N{REPLACEMENT CHARACTER}", value), "s")
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
