"""From whatever holds a table (a path, standard input, a frame, records) to a sheet."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from typing import Any

from arpad.errors import UsageError
from arpad.formats.headers import Field
from arpad.formats.sheet import Reading, Sheet
from arpad.formats.text import LARGE, decode, head, is_utf8, notes_on, read_text, unzip
from arpad.model import Problem

#: Extra of the distribution that brings a library.
EXTRAS = {"pyarrow": "parquet", "openpyxl": "xlsx", "zstandard": "zst"}
_TEXTS = (".csv", ".tsv", ".txt", ".tab", ".json", ".jsonl", ".ndjson")
_FRAMES = (".parquet", ".arrow", ".feather", ".ipc")
SUFFIXES = (*_TEXTS, *_FRAMES, ".xlsx")


def need(library: str, purpose: str) -> None:
    """Raise UsageError that says what to install if an optional library is absent."""
    if find_spec(library) is None:
        install = f"'arpad[{EXTRAS[library]}]'" if library in EXTRAS else library
        raise UsageError(f"{purpose} needs {library}: pip install {install}")


def open_sheet(source: Any, reading: Reading, fields: Mapping[str, Field]) -> Sheet:
    """The table in `source`; `fields` are the facts that may be in it, which helps to find the separator.

    Raises UsageError for a source that cannot be there, DataError for one that holds no table.
    """
    if isinstance(source, (str, os.PathLike)):
        return _open_path(str(source), reading, fields)
    if hasattr(source, "__arrow_c_stream__"):
        need("pyarrow", "reading a frame")
        from arpad.formats.frames import sheet_of_stream

        return sheet_of_stream(source, "frame")
    if isinstance(source, Iterable) and not isinstance(source, (bytes, bytearray, Mapping)):
        from arpad.formats.jsons import sheet_of_records

        return sheet_of_records(enumerate(source, 1), "records")
    raise UsageError(f"cannot read a table from {type(source).__name__}; give a path, a frame or records")


def _open_path(path: str, reading: Reading, fields: Mapping[str, Field]) -> Sheet:
    if is_pgn(path):
        from arpad.formats.pgn import sheet_of_pgn

        return sheet_of_pgn(path, reading)
    kind = ".csv" if path == "-" else _kind(path)
    if kind not in SUFFIXES:
        raise UsageError(f"cannot tell what {path!r} is; known endings: {' '.join(SUFFIXES)} .pgn, also with .gz")
    if kind in _FRAMES:
        need("pyarrow", f"reading {kind}")
        if path.endswith(".gz") or not os.path.isfile(path):
            _bytes(path)
            raise UsageError(f"{path} is compressed twice; unpack it first")
        from arpad.formats import frames

        # polars is the fastest, and ends the process on some damaged files: only where that speed counts
        if kind == ".parquet" and os.path.getsize(path) > LARGE and find_spec("polars"):
            from arpad.formats.parquet import sheet_of_parquet

            return sheet_of_parquet(path)
        return frames.sheet_of_parquet(path) if kind == ".parquet" else frames.sheet_of_ipc(path)
    data = unzip(_bytes(path), path)
    if kind == ".xlsx":
        need("openpyxl", "reading .xlsx")
        from arpad.formats.workbook import read_workbook

        return read_workbook(data, path)
    return sheet_of_bytes(data, kind, path, reading, fields)


def sheet_of_bytes(data: bytes, kind: str, source: str, reading: Reading, fields: Mapping[str, Field]) -> Sheet:
    """The table in the bytes of a text format: `.json`, `.jsonl`, or else separated text."""
    if kind in (".json", ".jsonl", ".ndjson"):
        from arpad.formats import jsons

        text, notes = decode(data, reading.encoding, source)
        sheet = jsons.read_json(text, source) if kind == ".json" else jsons.read_jsonl(text, source)
        return _noted(sheet, notes)
    if len(data) > LARGE and not reading.encoding and find_spec("pyarrow") is not None:
        large = _large(data.removeprefix(codecs.BOM_UTF8), source, reading, fields)
        if large is not None:
            return large
    text, notes = decode(data, reading.encoding, source)
    return _noted(read_text(text, reading, fields, source), notes)


def _large(data: bytes, source: str, reading: Reading, fields: Mapping[str, Field]) -> Sheet | None:
    from arpad.formats.bulk import sheet_of_large

    if not is_utf8(data):
        return None
    line = data[:100_000].split(b"\n", 1)[0].decode(errors="replace").rstrip("\r")
    separator, before, header = head(line, reading, fields)
    if before or header != line:
        return None

    def careful() -> Sheet:
        text, notes = decode(data, None, source)
        return _noted(read_text(text, reading, fields, source), notes)

    sheet = sheet_of_large(data, separator, header, source, careful)
    return None if sheet is None else _noted(sheet, notes_on(separator, reading, source))


def _noted(sheet: Sheet, notes: list[Problem]) -> Sheet:
    return Sheet(sheet.source, sheet.headers, sheet.header_line, sheet.encode, [*notes, *sheet.notes])


def is_pgn(path: str) -> bool:
    """Whether a path is that of a PGN file, also packed: in a zip, or by gzip, bzip2 or Zstandard."""
    return path.lower().endswith((".pgn", ".pgn.gz", ".pgn.bz2", ".pgn.zst", ".zip"))


def _kind(path: str) -> str:
    """The ending of a path; a pipe without one (`/dev/stdin`, `<(zcat games)`) is CSV, as standard input is."""
    ending = os.path.splitext(path.lower().removesuffix(".gz"))[1]
    return ".csv" if not ending and os.path.exists(path) and not os.path.isfile(path) else ending


def _bytes(path: str) -> bytes:
    try:
        if path == "-":
            if sys.stdin is None:
                raise UsageError("there is no standard input to read: it is closed")
            return sys.stdin.buffer.read()
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"cannot read {path}: {reason}") from None
