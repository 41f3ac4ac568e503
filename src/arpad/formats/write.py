"""Tables out: CSV, JSON, JSON lines, Parquet, Arrow IPC, XLSX.

A file is written beside its target and then put in its place, so that a failure leaves the target as it was.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from importlib.util import find_spec
from typing import Any, BinaryIO, Literal, TypeAlias

from arpad.errors import UsageError
from arpad.formats.source import need

Format: TypeAlias = Literal["csv", "json", "jsonl", "parquet", "arrow", "xlsx"]
FORMATS: tuple[Format, ...] = ("csv", "json", "jsonl", "parquet", "arrow", "xlsx")
_LIBRARIES = {"parquet": "pyarrow", "arrow": "pyarrow", "xlsx": "openpyxl"}
_LARGE = 100_000
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class Table:
    """Named columns of equal length: lists, arrays, numpy arrays. None and nan are blanks."""

    name: str
    columns: dict[str, Sequence[Any] | Any]

    def __post_init__(self) -> None:
        lengths = {name: len(column) for name, column in self.columns.items()}
        if len(set(lengths.values())) > 1:
            raise UsageError(f"columns of table {self.name!r} differ in length: {lengths}")

    def __len__(self) -> int:
        return max(map(len, self.columns.values()), default=0)


def write_table(
    table: Table, target: str | os.PathLike[str] | BinaryIO, format: Format = "csv", *, spreadsheet: bool = False
) -> None:
    """Write a table to a path or into an open binary file.

    CSV is UTF-8 with `\\n`; floats read back exactly. With `spreadsheet` it begins with a byte-order mark, and texts
    that a spreadsheet would take for formulas begin with an apostrophe. Raises UsageError if the format is unknown,
    its library absent, or the target cannot be written.
    """
    if format not in FORMATS:
        raise UsageError(f"unknown format {format!r}; known: {' '.join(FORMATS)}")
    if format in _LIBRARIES:
        need(_LIBRARIES[format], f"writing {format}")
    if not isinstance(target, (str, os.PathLike)):
        _write(table, target, format, spreadsheet)
        return
    import tempfile

    path = os.fspath(target)
    folder, name = os.path.split(path)
    try:
        handle, beside = tempfile.mkstemp(prefix=f".{name[:100]}.", dir=folder or ".")
        try:
            with os.fdopen(handle, "wb") as file:
                _write(table, file, format, spreadsheet)
            os.chmod(beside, os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o666 & ~_umask())
            os.replace(beside, path)
        except BaseException:
            os.unlink(beside)
            raise
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _write(table: Table, file: BinaryIO, format: Format, spreadsheet: bool) -> None:
    if format == "csv":
        _write_csv(table, file, spreadsheet)
    elif format == "json":
        file.write(b"[" + b",\n ".join(_objects(table)) + b"]\n")
    elif format == "jsonl":
        file.writelines(line + b"\n" for line in _objects(table))
    elif format == "xlsx":
        from arpad.formats.workbook import workbook_bytes

        file.write(workbook_bytes(table.name, {name: _plain(column) for name, column in table.columns.items()}))
    elif format == "parquet":
        import pyarrow.parquet

        pyarrow.parquet.write_table(to_arrow(table), file, compression="zstd")
    else:
        import pyarrow

        made = to_arrow(table)
        with pyarrow.ipc.new_file(file, made.schema) as writer:
            writer.write_table(made)


def to_arrow(table: Table) -> Any:
    """The table as a `pyarrow.Table`, nan as null. Raises UsageError without pyarrow or for a column of mixed kinds."""
    need("pyarrow", "an Arrow table")
    import pyarrow

    arrays = {}
    for name, column in table.columns.items():
        held = column if hasattr(column, "dtype") else _plain(column)
        try:
            arrays[name] = pyarrow.array(held, from_pandas=True)
        except (pyarrow.ArrowException, TypeError, ValueError) as error:
            raise UsageError(f"column {name!r} is not of one kind: {error}") from None
    return pyarrow.table(arrays)


def _plain(column: Any) -> list[Any]:
    """A column as a list of Python values."""
    return column.tolist() if hasattr(column, "tolist") else list(column)


def _write_csv(table: Table, file: BinaryIO, spreadsheet: bool) -> None:
    if spreadsheet:
        file.write(b"\xef\xbb\xbf")
    elif len(table) > _LARGE and find_spec("pyarrow") is not None:
        _write_large_csv(table, file)
        return
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([_safe(name) if spreadsheet else name for name in table.columns])
    writer.writerows(zip(*(_csv_column(column, spreadsheet) for column in table.columns.values())))
    file.write(text.getvalue().encode("utf-8", "surrogatepass"))


def _csv_column(column: Any, spreadsheet: bool) -> list[Any]:
    return [_csv_cell(value, spreadsheet) for value in _plain(column)]


def _csv_cell(value: Any, spreadsheet: bool) -> Any:
    if isinstance(value, str):
        return _safe(value) if spreadsheet else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "" if value != value else repr(value)
    return value


def _safe(text: str) -> str:
    return "'" + text if text.startswith(_FORMULA) else text


def _write_large_csv(table: Table, file: BinaryIO) -> None:
    """What `_write_csv` writes, by Arrow's writer: the cells are joined in C, texts are quoted where they need it."""
    import pyarrow
    import pyarrow.csv

    head = io.StringIO(newline="")
    csv.writer(head, lineterminator="\n").writerow(table.columns)
    file.write(head.getvalue().encode())
    options = pyarrow.csv.WriteOptions(include_header=False, quoting_style="needed", batch_size=1 << 16)
    pyarrow.csv.write_csv(to_arrow(table), file, options)


def _objects(table: Table) -> list[bytes]:
    import json

    names = list(table.columns)
    columns = [map(_json_value, _plain(column)) for column in table.columns.values()]
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
    return [encode(dict(zip(names, row))).encode() for row in zip(*columns)]


def _json_value(value: Any) -> Any:
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    return value.isoformat() if isinstance(value, date) else value
