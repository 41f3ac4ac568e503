"""Tables out: CSV, JSON, JSON lines, Parquet, Arrow IPC, XLSX.

A file is written beside its target and then put in its place, so that a failure leaves the target as it was.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from errno import EISDIR
from importlib.util import find_spec
from typing import Any, BinaryIO, Literal, TypeAlias

import msgspec

from arpad.errors import UsageError
from arpad.formats.source import need

Format: TypeAlias = Literal["csv", "json", "jsonl", "parquet", "arrow", "xlsx"]
FORMATS: tuple[Format, ...] = ("csv", "json", "jsonl", "parquet", "arrow", "xlsx")
_LIBRARIES = {"parquet": "pyarrow", "arrow": "pyarrow", "xlsx": "openpyxl"}
_LARGE = 100_000
#: Characters for which a text is put between quotes in CSV.
SPECIAL = '[,"\r\n]'
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class Table(msgspec.Struct, frozen=True):
    """Named columns of equal length: lists, arrays, numpy arrays. None and nan are blanks."""

    name: str
    columns: dict[str, Sequence[Any] | Any]

    def __post_init__(self) -> None:
        lengths = {name: len(column) for name, column in self.columns.items()}
        if len(set(lengths.values())) > 1:
            raise UsageError(f"columns of table {self.name!r} differ in length: {lengths}")

    def __len__(self) -> int:
        return max(map(len, self.columns.values()), default=0)

    def __repr__(self) -> str:
        """The first 20 rows as aligned text."""
        from arpad.formats.aligned import aligned

        more = [f"… {len(self) - 20} more rows"] if len(self) > 20 else []
        return "\n".join([*aligned(self.columns, 20), *more])

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The Arrow stream interface, by which libraries of frames take the table as it is. Needs pyarrow."""
        return to_arrow(self).__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> Any:
        """A pandas DataFrame. Needs pandas and pyarrow."""
        need("pandas", "a pandas frame")
        return to_arrow(self).to_pandas(date_as_object=False)

    def to_polars(self) -> Any:
        """A polars DataFrame. Needs polars and pyarrow."""
        need("polars", "a polars frame")
        import polars

        return polars.from_arrow(to_arrow(self))

    def rows(self) -> list[dict[str, Any]]:
        """A dict for each row, None where nothing is known."""
        columns = [[_known(value) for value in _plain(column)] for column in self.columns.values()]
        return [dict(zip(self.columns, row)) for row in zip(*columns)]


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
    write_files({os.fspath(target): lambda file: _write(table, file, format, spreadsheet)})


def write_files(files: Mapping[str, Callable[[BinaryIO], object]]) -> None:
    """Write files, each by its function: all stand complete beside their targets before the first takes its place.

    What is no regular file (a device, a pipe) is written straight. Raises UsageError for a target that cannot be
    written.
    """
    import tempfile

    beside: dict[str, str] = {}
    target = ""
    try:
        for target, write in files.items():
            path = os.path.realpath(target)
            if os.path.isdir(path):
                raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
            if os.path.exists(target) and not os.path.isfile(target):
                with open(target, "wb") as file:
                    write(file)
                continue
            folder, name = os.path.split(path)
            handle, temporary = tempfile.mkstemp(prefix=f".{name[:100]}.", dir=folder)
            beside[temporary] = path
            with os.fdopen(handle, "wb") as file:
                write(file)
            os.chmod(temporary, os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o666 & ~_umask())
        for temporary, path in list(beside.items()):
            os.replace(temporary, path)
            del beside[temporary]
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write {target}: {getattr(error, 'strerror', None) or error}") from None
    finally:
        for temporary in beside:
            os.unlink(temporary)


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


def _known(value: Any) -> Any:
    return None if isinstance(value, float) and value != value else value


def _plain(column: Any) -> list[Any]:
    """A column as a list of Python values."""
    return column.tolist() if hasattr(column, "tolist") else list(column)


def _write_csv(table: Table, file: BinaryIO, spreadsheet: bool) -> None:
    body = None
    if not spreadsheet and len(table) > _LARGE and find_spec("pyarrow") is not None:
        from arpad.formats.join import joined

        body = joined(to_arrow(table))
    if body is None:
        columns = [[_csv_cell(value, spreadsheet) for value in _plain(column)] for column in table.columns.values()]
        only = len(columns) == 1  # an empty cell alone would be an empty line
        body = "".join(((",".join(row) or '""') if only else ",".join(row)) + "\n" for row in zip(*columns)).encode()
    head = ",".join(_csv_cell(name, spreadsheet) for name in table.columns) + "\n"
    file.write((b"\xef\xbb\xbf" if spreadsheet else b"") + head.encode())
    file.write(body)


def _csv_cell(value: Any, spreadsheet: bool) -> str:
    if isinstance(value, str):
        text = "'" + value if spreadsheet and value.startswith(_FORMULA) else value
        return '"' + text.replace('"', '""') + '"' if re.search(SPECIAL, text) else text
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "" if value != value else repr(value)
    return "" if value is None else str(value)


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
