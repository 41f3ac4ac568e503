"""FIDE's rating lists as XML, in a stream: two readers that see the same.

FIDE's own files are so regular that one pattern, built from the first player's elements, fits every player; that is
several times faster than an XML parser. Wherever the pattern does not fit, the file is read from its beginning by the
standard library's parser. Written is a canonical form: no declaration, UTF-8, one element a line, empty elements as
open and close tag.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import IO, Any, TypeAlias
from xml.parsers import expat

from arpad.errors import DataError, UsageError
from arpad.formats.gathering import Gathering
from arpad.formats.rating_list import FIELDS, ChapterName, Form, RatingList, printed
from arpad.model import Problem

#: Opens the file anew: the name of what is inside, and its bytes.
Opener: TypeAlias = Callable[[], AbstractContextManager[tuple[str, IO[bytes]]]]

BLOCK = 20_000
_PART = 1 << 21
_HEAD = re.compile(r"\ufeff?(?:<\?xml[^<>]{0,200}\?>)?\s*<playerslist>")
_DECLARED = re.compile(rb"<\?xml[^<>]{0,200}encoding\s*=")
_TAIL = re.compile(r"\s*</playerslist>\s*")
_PLAYER = re.compile(r"\s*<player>(?:\s*<[a-z_]{1,30}>[^<]*</[a-z_]{1,30}>){1,40}\s*</player>")
#: What neither needs a parser's care nor is forbidden in XML.
_PLAIN = r"[^<>\x00-\x1f\ufffe\uffff]*"
_ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'"}
_ESCAPES = {letter: entity for entity, letter in _ENTITIES.items() if letter in "&<>"}


class _Else(Exception):
    """The file is not regular enough for the pattern."""


def read_xml(
    opener: Opener, source: str, encoding: str | None, day: int, chapter: ChapterName
) -> tuple[RatingList, list[Problem]]:
    """The list in a file. Raises DataError where it is no XML, or not a list of players."""
    try:
        with opener() as (_, stream):
            return _by_pattern(stream, source, encoding or "utf-8", day, chapter)
    except (_Else, UnicodeError):
        with opener() as (_, stream):
            return _by_parser(stream, source, encoding, day, chapter)
    except LookupError:
        raise UsageError(f"unknown encoding {encoding!r}") from None


def _by_pattern(
    stream: IO[bytes], source: str, encoding: str, day: int, chapter: ChapterName
) -> tuple[RatingList, list[Problem]]:
    start = stream.read(_PART)
    if _DECLARED.match(start.removeprefix(b"\xef\xbb\xbf")):
        raise _Else
    text = io.TextIOWrapper(io.BufferedReader(_Joined(start, stream)), encoding, newline="")
    try:
        data = text.read(_PART)
        head = _HEAD.match(data)
        first = head and _PLAYER.match(data, head.end())
        if not head or not first:
            raise _Else
        elements = re.findall(r"<([a-z_]+)>[^<]*</", first[0].replace("<player>", "", 1))
        if len(set(elements)) < len(elements) or "fideid" not in elements:
            raise _Else
        one = r"\s*".join(rf"<{name}>({_PLAIN})</{name}>" for name in elements)
        player = re.compile(rf"\s*<player>\s*{one}\s*</player>")
        gathering = Gathering(source, elements, day)
        at, line = head.end(), 1 + data.count("\n", 0, head.end())
        while True:
            found = []
            begins = at
            while match := player.match(data, at):
                found.append(match)
                at = match.end()
            if found:
                cells = dict(zip(elements, map(list, zip(*(match.groups() for match in found)))))
                if data.find("&", begins, at) >= 0:
                    cells = {name: list(map(_unescaped, texts)) for name, texts in cells.items()}
                gathering.add(_known(cells), _counter(data, begins, line, found))
                line += data.count("\n", begins, at)
            more = text.read(_PART)
            if not more:
                break
            if data.find("</player>", at) >= 0 or len(data) - at > _PART:
                raise _Else
            data, at = data[at:] + more, 0
        if not _TAIL.fullmatch(data, at):
            raise _Else
    finally:
        text.detach()
    return _finished(gathering, elements, chapter, sorted({*elements} - {*FIELDS}))


def _unescaped(text: str) -> str:
    if "&" not in text:
        return text
    pieces = re.split("(&(?:amp|lt|gt|quot|apos);)", text)
    if any("&" in piece for piece in pieces[::2]):
        raise _Else
    return "".join(_ENTITIES.get(piece, piece) for piece in pieces)


class _Joined(io.RawIOBase):
    """Bytes that were read already, and the stream they came from."""

    def __init__(self, start: bytes, stream: IO[bytes]) -> None:
        self._start: bytes | None = start
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._start:
            part, self._start = self._start[: len(buffer)], self._start[len(buffer) :]
        else:
            part = self._stream.read(len(buffer))
        buffer[: len(part)] = part
        return len(part)


def _counter(data: str, begins: int, line: int, found: list[re.Match[str]]) -> Callable[[int], int]:
    """Where the first element of the player in a row stands, as a line of the file."""
    return lambda row: line + data.count("\n", begins, found[row].start(1))


def _by_parser(
    stream: IO[bytes], source: str, encoding: str | None, day: int, chapter: ChapterName
) -> tuple[RatingList, list[Problem]]:
    try:
        parser = expat.ParserCreate(encoding)
    except ValueError:
        raise UsageError(f"unknown encoding {encoding!r}") from None
    parser.buffer_text = True
    gathering = Gathering(source, FIELDS, day)
    elements: dict[str, None] = {}
    pieces: list[str] = []
    rows: list[dict[str, str]] = []
    lines: list[int] = []
    row: dict[str, str] = {}
    began = 1

    def begin(name: str, attributes: Mapping[str, str]) -> None:
        if name != "playerslist":
            raise DataError([Problem(f"the list begins with <{name}>, not <playerslist>", source, 1)])
        parser.StartElementHandler = None

    def refuse(*_: object) -> None:
        raise DataError([Problem("a list needs no document type", source, parser.CurrentLineNumber)])

    def close(name: str) -> None:
        nonlocal row, began
        if name == "player":
            rows.append(row)
            lines.append(began)
            elements.update(dict.fromkeys(row))
            row = {}
            if len(rows) >= BLOCK:
                flush()
        elif name != "playerslist":
            began = began if row else parser.CurrentLineNumber
            row[name] = "".join(pieces)
        pieces.clear()

    def flush() -> None:
        gathering.add({field: [each.get(field, "") for each in rows] for field in FIELDS}, lines.__getitem__)
        rows.clear()
        lines.clear()

    parser.StartElementHandler = begin
    parser.StartDoctypeDeclHandler = refuse
    parser.EndElementHandler = close
    parser.CharacterDataHandler = pieces.append
    try:
        parser.ParseFile(stream)
    except expat.ExpatError as error:
        place = f"{expat.ErrorString(error.code)} at character {error.offset + 1}"
        raise DataError([Problem(f"no XML: {place}", source, error.lineno)]) from None
    except (LookupError, UnicodeError) as error:
        raise DataError([Problem(f"unreadable encoding: {error}", source, 1)]) from None
    flush()
    # Columns that no player has are not columns of the list.
    gathering = _narrowed(gathering, elements)
    order = [name for name in elements if name in FIELDS]
    return _finished(gathering, order, chapter, sorted({*elements} - {*FIELDS}))


def _known(cells: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The columns that a list has, with a name for every player."""
    found = {field: texts for field, texts in cells.items() if field in FIELDS}
    found.setdefault("name", [""] * len(found["fideid"]))
    return found


def _narrowed(gathering: Gathering, elements: Mapping[str, None]) -> Gathering:
    gathering.fields = tuple(field for field in gathering.fields if field in elements)
    return gathering


def _finished(
    gathering: Gathering, order: list[str], chapter: ChapterName, unread: list[str]
) -> tuple[RatingList, list[Problem]]:
    columns = tuple((name, 0) for name in order if name in FIELDS)
    form = Form("xml", columns, {name: text for name, text in gathering.blanks.items() if name in order}, end="\n")
    notes = []
    if unread:
        notes.append(Problem(f"elements not read: {', '.join(unread[:20])}", gathering.source, severity="warning"))
    return gathering.so_far(chapter, form), [*notes, *gathering.told()]


def form_for(listed: RatingList) -> Form:
    """The form of FIDE's file for a list: all chapters, or its only one."""
    single = len(listed.chapters) < 2
    names = [name for name in FIELDS if not (single and name.startswith(("rapid_", "blitz_")))]
    numbers = dict.fromkeys((name for name in names if name.endswith(("rating", "games", "k"))), "0")
    return Form("xml", tuple((name, 0) for name in names), numbers, end="\n")


def write_xml(listed: RatingList, form: Form, put: Callable[[bytes], Any]) -> list[Problem]:
    """Hand a list to `put` in canonical form, block by block."""
    names = [name for name, _ in form.columns]
    player = "<player>\n" + "".join(f"<{name}>%s</{name}>\n" for name in names) + "</player>\n"
    put(b"<playerslist>\n")
    for start in range(0, len(listed), BLOCK):
        part = slice(start, start + BLOCK)
        columns = [[_escaped(text) for text in printed(listed, form, name, part)] for name in names]
        put("".join([player % row for row in zip(*columns)]).encode("utf-8", "replace"))
    put(b"</playerslist>\n")
    return []


def _escaped(text: str) -> str:
    if "&" in text or "<" in text or ">" in text:
        return "".join(_ESCAPES.get(letter, letter) for letter in text)
    return text
