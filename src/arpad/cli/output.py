"""Tables and JSON to stdout and to files."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

import click

from arpad.cli.talk import coloured

if TYPE_CHECKING:
    from arpad.formats import Table

#: The exit code of a program that wrote into a pipe which nobody reads any more.
PIPE_CLOSED = 141

SUFFIXES = {
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".xlsx": "xlsx",
    ".txt": "table",
}
BINARY = ("parquet", "arrow", "xlsx")

Writer: TypeAlias = Callable[[BinaryIO], object]


def format_of(path: str) -> str:
    """The format that a file's ending names. Raises a usage error for an ending that is not known."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix not in SUFFIXES:
        known = " ".join(SUFFIXES)
        raise click.UsageError(f"cannot tell the format of {path!r} by its ending; known: {known}, or give --format")
    return SUFFIXES[suffix]


def refuse_overwriting(outputs: Collection[str | None], inputs: Collection[str | None]) -> None:
    """Raise a usage error if two outputs are one file, or if an output is a file that is read."""
    read = {os.path.realpath(name) for name in inputs if name and os.path.isfile(name)}
    written: set[str] = set()
    for name in outputs:
        path = os.path.realpath(name) if name and name != "-" else ""
        if path in read:
            raise click.UsageError(f"{name} is read: what is written would take its place")
        if path in written:
            raise click.UsageError(f"two outputs go to the same file, {name}")
        written |= {path} - {""}


def writer(table: Table, form: str) -> Writer:
    """How a table is written in a form, `table` being text for people."""
    from arpad.formats import write_table

    if form == "table":
        return lambda file: file.write(lines_of(table, colour=False))
    return lambda file: write_table(table, file, form)  # type: ignore[arg-type]


def lines_of(table: Table, colour: bool) -> bytes:
    from arpad.formats.aligned import aligned

    lines = aligned(table.columns)
    if colour:
        lines[0] = click.style(lines[0], bold=True)
    return ("\n".join(lines) + "\n").encode()


def json_of(value: object) -> bytes:
    """Indented JSON; what is not a number is null."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def show(table: Table, form: str) -> None:
    """A table on stdout."""
    if form in BINARY and sys.stdout is not None and sys.stdout.isatty():
        raise click.UsageError(f"{form} is no text for a terminal; name a file with -o")
    if form == "table":
        put(lambda file: file.write(lines_of(table, coloured(sys.stdout))))
    else:
        put(writer(table, form))


def rows(name: str, lines: Sequence[Mapping[str, Any]], form: str, without: Sequence[str] = ()) -> None:
    """Rows of equal keys on stdout; for people leave out some columns."""
    from arpad.formats import Table

    names = [key for key in (lines[0] if lines else {}) if form != "table" or key not in without]
    show(Table(name, {key: [line[key] for line in lines] for key in names}), form)


def rounded(line: Mapping[str, Any], places: int = 4) -> dict[str, Any]:
    """A row as people read it."""
    return {key: round(value, places) if isinstance(value, float) else value for key, value in line.items()}


def shown(value: object) -> str:
    """A parameter's value in words: 24, not 24.0."""
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def put(write: Writer) -> None:
    """Write to stdout. A reader that went away ends the program without a word.

    Raises UsageError where stdout is closed or takes no more.
    """
    from arpad.errors import UsageError

    if sys.stdout is None:
        raise UsageError("cannot write to standard output: it is closed")
    stream = sys.stdout.buffer
    # Unbuffered, as PYTHONUNBUFFERED makes it, stdout may take a part of what it is given and say nothing.
    held = io.BufferedWriter(stream) if isinstance(stream, io.RawIOBase) else None
    try:
        write(held or stream)
        (held or stream).flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(PIPE_CLOSED)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"cannot write to standard output: {reason}") from None
    finally:
        if held:
            with suppress(OSError):
                held.detach()


def text(lines: Sequence[str]) -> None:
    """Lines of text on stdout."""
    put(lambda file: file.write("".join(f"{line}\n" for line in lines).encode()))
