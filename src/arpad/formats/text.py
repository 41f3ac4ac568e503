"""Separated text as people save it: encodings, separators, gzip, quoted line ends."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable, Mapping
from contextlib import suppress

from arpad.errors import DataError, UsageError
from arpad.formats.headers import Field, recognised
from arpad.formats.sheet import Reading, Sheet, sheet_of_rows
from arpad.model import Problem

SEPARATORS = ",;\t|"
_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
#: Above this many bytes a columnar reader takes over, if one is installed.
LARGE = 8_000_000
# What Western European names and results have beyond ASCII. A text that decodes to anything else is not surely CP1252.
_WESTERN = frozenset("ŠšŽžŒœŸƒ½¼¾–—‘’‚“”„…€°ªº«»¡¿·´\u00a0" + "".join(map(chr, range(0xC0, 0x100)))) - set("×÷")


def unzip(data: bytes, source: str) -> bytes:
    """The bytes themselves, or what they hold if they are gzip."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    import gzip
    import zlib

    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise DataError([Problem(f"damaged gzip file: {error}", source)]) from None


def decode(data: bytes, encoding: str | None, source: str) -> tuple[str, list[Problem]]:
    """Bytes to text. UTF-8 and UTF-16 by their marks, UTF-8 where it decodes, CP1252 where that is certain.

    Raises DataError with the offset of the byte that cannot be decoded, UsageError for an unknown encoding.
    """
    text, notes = _decoded(data, encoding, source)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        hint = "if it is UTF-16 without its mark, say so with --encoding utf-16-le or utf-16-be"
        raise DataError(
            [Problem("a NUL character: this is no text, or text in another encoding", source, line, hint=hint)]
        )
    return text, notes


def _decoded(data: bytes, encoding: str | None, source: str) -> tuple[str, list[Problem]]:
    if encoding:
        try:
            if codecs.lookup(encoding).name == "utf-8":
                encoding = "utf-8-sig"
            return data.decode(encoding), []
        except UnicodeDecodeError as error:
            raise _undecodable(error.start, encoding, source) from None
        except (LookupError, ValueError):
            raise UsageError(f"unknown encoding {encoding!r}") from None
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16"), [Problem("read as UTF-16", source, severity="note")]
        except UnicodeDecodeError as error:
            raise _undecodable(error.start, "utf-16", source) from None
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError as error:
        offset = error.start + 3 * data.startswith(codecs.BOM_UTF8)
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError as error:
        raise _undecodable(error.start, "UTF-8 or CP1252", source) from None
    if {letter for letter in text if letter > "\x7f"} <= _WESTERN:
        return text, [Problem("not UTF-8; read as CP1252 (Windows)", source, severity="note")]
    raise _undecodable(offset, "UTF-8, and not surely CP1252", source)


def is_utf8(data: bytes) -> bool:
    """Whether the bytes are UTF-8 without a NUL, found out without a copy of them all."""
    if b"\0" in data:
        return False
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), 1 << 20):
            decoder.decode(data[start : start + (1 << 20)])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _undecodable(offset: int, encoding: str, source: str) -> DataError:
    text = f"byte {offset} is not {encoding}"
    return DataError([Problem(text, source, hint="say which encoding it is with --encoding")])


def separator_of(line: str, fields: Mapping[str, Field]) -> str:
    """The separator under which the header line names the most known facts, then has the most cells."""

    def score(separator: str) -> tuple[int, int]:
        cells = next(csv.reader([line], delimiter=separator), [])
        return recognised(cells, fields), len(cells)

    return max(SEPARATORS, key=score)


def head(text: str, reading: Reading, fields: Mapping[str, Field]) -> tuple[str, int, str]:
    """The separator, how many lines stand before the header (a spreadsheet's `sep=;`), and the header's line."""
    before = 0
    separator = reading.separator
    for line in text[:100_000].splitlines():
        bare = line.strip()
        if bare.casefold().startswith("sep=") and len(bare) == 5:
            separator = separator or bare[4]
        elif bare:
            return separator or separator_of(line, fields), before, line
        before += 1
    return separator or ",", before, ""


def notes_on(separator: str, reading: Reading, source: str) -> list[Problem]:
    """A word on a separator that was detected and is not the comma."""
    if separator == "," or reading.separator:
        return []
    return [Problem(f"cells are separated by {_NAMES.get(separator, separator)}", source, severity="note")]


def read_text(text: str, reading: Reading, fields: Mapping[str, Field], source: str) -> Sheet:
    """A sheet from separated text. Raises DataError where quotes do not close or nothing is there."""
    separator, before, _ = head(text, reading, fields)
    numbered = [(line, row) for line, row in _rows(text, separator, source) if line > before and "".join(row).strip()]
    lines = [line for line, _ in numbered]
    rows = [row for _, row in numbered]
    if not rows:
        raise DataError([Problem("the file is empty", source)])
    headers = [cell.strip() for cell in rows[0]]
    while headers and not headers[-1]:
        headers.pop()
    return sheet_of_rows(source, headers, lines[0], rows[1:], lines[1:], notes_on(separator, reading, source))


def _rows(text: str, separator: str, source: str) -> Iterable[tuple[int, list[str]]]:
    """All rows, each with the line on which it begins."""
    # newline="" keeps line ends inside quotes as they are; StringIO, unlike splitlines(), knows no other line ends.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    with suppress(csv.Error):
        rows = list(reader)
        if reader.line_num == len(rows):
            return enumerate(rows, 1)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    numbered = []
    begins = 1
    try:
        for row in reader:
            numbered.append((begins, row))
            begins = reader.line_num + 1
    except csv.Error as error:
        hint = 'a quote " that is opened there is never closed' if "unexpected end" in str(error) else ""
        raise DataError([Problem(f"unreadable row: {error}", source, begins, hint=hint)]) from None
    return numbered
