"""The headers of PGN files, read in a stream: a file of many gigabytes needs no more memory than its games' columns.

Moves are never read. A line that begins with `[` is a tag only where a header can stand: inside a comment in braces
it is part of the comment. Tags serve as the columns of a table, so that games are checked as those of any other file;
`Reading.columns` may name other tags (`white` = WhiteFideId rates players by id).
"""

from __future__ import annotations

import codecs
import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from types import ModuleType
from typing import IO

import msgspec

from arpad.errors import DataError
from arpad.formats import plain, values
from arpad.formats.headers import GAME_FIELDS, START_FIELDS, match_columns
from arpad.formats.people import starts_of
from arpad.formats.sheet import Cells, Encoded, Reading, Sheet, listed, sheet_of_rows
from arpad.formats.streams import opened
from arpad.formats.text import decode
from arpad.model import Column, Problem, Start

BLOCK = 20_000
#: Above this many games numpy works on the columns, if it is there.
MANY = 200_000
MEMBERS = (".pgn",)
TAGS = ("White", "Black", "Result", "Date", "Event", "Round", "Board", "TimeControl", "GameId")
_UTC = ("UTCDate", "UTCTime")
_ELO = ("WhiteElo", "BlackElo")
#: A second one of these in a header that is complete begins the next game: the line between was left out.
_OPENING = frozenset(("Event", "Round", "White"))
_TAG = re.compile(rb'\[\s*([A-Za-z0-9_]+)\s*"((?:[^"\\]|\\.)*)"\s*\]')
_ONE = re.compile(rb'\[\s*([A-Za-z0-9_]+)\s*"(.*)"\s*\]', re.DOTALL)
_MARK = re.compile(rb"[{;]")
_NOTHING = frozenset((b"", b"?", b"-"))
_NOT_SAID = -1


class Tags(msgspec.Struct, frozen=True):
    """The tags of all games of a file: for each tag a code a game (-1: not said) and the texts as bytes."""

    codes: Mapping[str, Column]
    texts: Mapping[str, Sequence[bytes]]
    lines: Column  # int32, where each game's header begins
    odd: Sequence[int]  # lines in brackets that are no tags
    hidden: Sequence[int]  # lines in comments that look like tags of a header
    unclosed: int  # line of the last moves before a comment that never ends; 0 if all end


class _Texts(dict[bytes, int]):
    """Codes of the texts of a tag."""

    def __init__(self) -> None:
        super().__init__()
        self.known: list[bytes] = []

    def __missing__(self, text: bytes) -> int:
        if text.strip() in _NOTHING:
            code = _NOT_SAID
        else:
            code = len(self.known)
            self.known.append(text)
        self[text] = code
        return code


def scan(stream: IO[bytes], wanted: Sequence[str]) -> Tags:
    """The wanted tags of all games in a stream, White, Black and Result among them."""
    # One loop over the lines without calls for what is regular: a call a line would take longer than all the rest.
    places = {b"[" + tag.encode(): at for at, tag in enumerate(wanted)}
    white, black, result = (wanted.index(tag) for tag in ("White", "Black", "Result"))
    opening = {wanted.index(tag) for tag in _OPENING if tag in wanted}
    columns = [(array("i"), _Texts()) for _ in wanted]
    lines = array("i")
    odd: list[int] = []
    hidden: list[int] = []
    games: list[list[bytes]] = []
    blank = [b""] * len(wanted)
    game = blank
    in_header = in_comment = after_gap = False
    opened_at = 0
    for number, line in enumerate(stream, 1):
        if in_comment:
            in_comment = _open_after(line, True)
            if line[:8] == b'[White "':
                hidden.append(number)
        elif line[:1] == b"[" or (number == 1 and line.startswith(codecs.BOM_UTF8 + b"[")):
            if not in_header or (after_gap and (game[white] or game[black])):
                if len(games) >= BLOCK:
                    _add(columns, games)
                game = blank[:]
                games.append(game)
                lines.append(number)
            in_header, after_gap = True, False
            name, quote, rest = line.partition(b' "')
            at = places.get(name)
            if at is None:
                if quote and b" " not in name and line.count(b"[") == 1 and number > 1:
                    continue
            else:
                text = rest[:-3] if rest[-3:] == b'"]\n' else rest[:-4] if rest[-4:] == b'"]\r\n' else b'"'
                if b'"' not in text and b"\\" not in text:
                    if not game[at]:
                        game[at] = text
                        continue
                    if at not in opening or not (game[white] and game[black] and game[result]):
                        continue
                    game = blank[:]
                    game[at] = text
                    games.append(game)
                    lines.append(number)
                    continue
            if not _put(game, line, places):
                odd.append(number)
        else:
            if in_header:
                bare = line.strip()
                after_gap = after_gap or not bare
                if not bare or bare[:1] == b"%" or (bare[:1] == b"[" and _put(game, bare, places)):
                    continue
                in_header = False
            if (b"{" in line or b"}" in line) and line[:1] != b"%":
                in_comment, opened_at = _open_after(line, False), number
    _add(columns, games)
    return Tags(
        {tag: codes for tag, (codes, _) in zip(wanted, columns)},
        {tag: texts.known for tag, (_, texts) in zip(wanted, columns)},
        lines,
        odd,
        hidden,
        opened_at if in_comment else 0,
    )


def _add(columns: Sequence[tuple[array[int], _Texts]], games: list[list[bytes]]) -> None:
    for (codes, texts), column in zip(columns, zip(*games)):
        codes.extend(map(texts.__getitem__, column))
    games.clear()


def _put(game: list[bytes], line: bytes, places: Mapping[bytes, int]) -> bool:
    """Read a line that may hold several tags, escapes or stray quotes; the first text of a tag stays. False: no tag."""
    found = _careful(line)
    for tag, text in found:
        at = places.get(b"[" + tag)
        if at is not None:
            game[at] = game[at] or text
    return bool(found)


def _open_after(line: bytes, within: bool) -> bool:
    """Whether a comment in braces goes on after a line of moves that began within one or not."""
    if b";" not in line:
        opens, closes = line.rfind(b"{"), line.rfind(b"}")
        return opens > closes if opens >= 0 or closes >= 0 else within
    at = 0
    while True:
        if within:
            at = line.find(b"}", at) + 1
            if not at:
                return True
            within = False
        else:
            match = _MARK.search(line, at)
            if not match or match[0] == b";":
                return False
            within, at = True, match.end()


def _careful(line: bytes) -> list[tuple[bytes, bytes]]:
    """The tags of a line, whatever blanks, escapes or stray quotes it has."""
    bare = line.removeprefix(codecs.BOM_UTF8).strip()
    one = _ONE.fullmatch(bare)
    if one and not re.search(rb'"\s*\]\s*\[', one[2]):
        return [(one[1], _unescaped(one[2]))]
    return [(match[1], _unescaped(match[2])) for match in _TAG.finditer(bare)]


def _unescaped(text: bytes) -> bytes:
    return re.sub(rb'\\(["\\])', rb"\1", text)


def sheet_of_pgn(path: str, reading: Reading) -> Sheet:
    """The games of a file as a sheet whose headers are tags. Raises DataError for a file without games."""
    named = [tag for tag in reading.columns.values() if tag not in (*TAGS, *_UTC)]
    with opened(path, MEMBERS) as (_, stream):
        tags = _scanned(stream, (*TAGS, *_UTC, *dict.fromkeys(named)), path)
    return _sheet(tags, path, reading)


def _scanned(stream: IO[bytes], wanted: Sequence[str], source: str) -> Tags:
    peek = getattr(stream, "peek", None)
    head: bytes = peek(1 << 16) if peek else b""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise DataError([Problem("UTF-16 is not read here; save the file as UTF-8", source)])
    if b"\r" in head and b"\n" not in head:
        raise DataError([Problem("lines end in CR alone; save the file with the line ends of today", source)])
    tags = scan(stream, wanted)
    if not len(tags.lines):
        raise DataError([Problem("the file has no games: no line begins with a tag such as [White", source)])
    return tags


def _sheet(tags: Tags, source: str, reading: Reading) -> Sheet:
    notes: list[Problem] = []
    asked = set(reading.columns.values())
    columns: dict[str, Encoded] = {}
    for tag, codes in tags.codes.items():
        if tags.texts[tag] or tag in ("White", "Black", "Result"):
            columns[tag] = Encoded(tag, codes, _decoded(tags.texts[tag], reading.encoding, source, notes))
    if "Date" not in asked and "UTCDate" in columns:
        columns["Date"] = _with_utc(tags, columns)
    for tag in _UTC:
        if tag not in asked:
            columns.pop(tag, None)
    if "Board" not in columns and "Round" in columns and (boards := _boards(columns["Round"])):
        columns["Board"] = boards
    if tags.odd:
        text = f"lines in brackets that are no tags: {len(tags.odd)} (line {listed(tags.odd)})"
        notes.append(Problem(text, source, tags.odd[0], severity="warning"))
    if tags.hidden:
        text = f"{len(tags.hidden)} headers stand in comments and are not read as games (line {listed(tags.hidden)})"
        notes.append(Problem(text, source, tags.hidden[0], hint="is a } missing before?", severity="warning"))
    if tags.unclosed:
        text = "a comment begun here never ends; games after it are not read"
        notes.append(Problem(text, source, tags.unclosed, hint="close it with }"))
    headers = list(columns)
    ops, lines, kept = _worked(tags.lines, columns)

    def encode(picked: Mapping[str, int]) -> Cells:
        return Cells({fact: kept[headers[at]] for fact, at in picked.items()}, lines, ops)

    return Sheet(source, headers, 1, encode, notes)


def _worked(lines: Column, columns: Mapping[str, Encoded]) -> tuple[ModuleType, Column, Mapping[str, Encoded]]:
    """The columns as what works on them wants them: numpy's where there are many games."""
    if len(lines) < MANY or find_spec("numpy") is None:
        return plain, lines, columns
    import numpy as np

    from arpad.formats import vector

    def numeric(column: Column) -> Column:
        return np.frombuffer(column, np.int32)

    kept = {
        tag: Encoded(
            each.header, numeric(each.codes), each.values, None if each.detail is None else numeric(each.detail)
        )
        for tag, each in columns.items()
    }
    return vector, numeric(lines), kept


def _decoded(texts: Iterable[bytes], encoding: str | None, source: str, notes: list[Problem]) -> list[str]:
    """Texts as words; files put together from many mix encodings, so each is decoded by itself."""
    found = []
    for octets in texts:
        if octets.isascii() and not encoding:
            found.append(octets.decode("ascii"))
            continue
        text, told = decode(octets, encoding, source)
        found.append(text)
        notes += [note for note in told if note not in notes]
    return found


def _with_utc(tags: Tags, columns: Mapping[str, Encoded]) -> Encoded:
    """The date of each game: Date where it is known, else UTCDate; with the time of day where UTCDate is meant."""
    other = columns["UTCDate"]
    own = columns.get("Date") or Encoded("Date", array("i", [_NOT_SAID]) * len(tags.lines), [])
    unknown = [text.startswith("?") for text in own.values]
    texts = [*own.values, *other.values]
    shift = len(own.values)
    places = {text: code for code, text in enumerate(own.values)}
    same = [places.get(text, _NOT_SAID) for text in other.values]
    codes, meant = array("i"), array("b")
    for code, utc in zip(own.codes, other.codes):
        known = code >= 0 and not unknown[code]
        codes.append(code if known or utc < 0 else utc + shift)
        meant.append(utc >= 0 and (not known or same[utc] == code))
    detail = None
    if "UTCTime" in columns:
        clock = columns["UTCTime"]
        times = [*(values.time_of_day(" " + text) for text in clock.values), 0]
        detail = array("i", [times[at] if utc else 0 for at, utc in zip(clock.codes, meant)])
    return Encoded("Date", codes, texts, detail if detail and any(detail) else None)


def _boards(rounds: Encoded) -> Encoded | None:
    """Board numbers out of rounds such as 3.12; None if no round has one."""
    matches = [re.fullmatch(r"\s*\d+\.(\d{1,6})\s*", text, re.ASCII) for text in rounds.values]
    texts = [match[1] if match else "" for match in matches]
    return Encoded("Board", rounds.codes, texts) if any(texts) else None


def pgn_start(path: str, reading: Reading | None = None) -> tuple[list[Start], list[Problem]]:
    """The rating of each player in the first game that he or she plays, by date, then in the order of the file.

    Blank, 0, - and ? mean unrated. Sources, problems and errors are those of `formats.read_games`.
    """
    reading = reading or Reading()
    sides = {"first": "White", "second": "Black", "date": "Date"}
    picked, _ = match_columns(list(reading.columns.values()), GAME_FIELDS, reading.columns)
    wished = {fact: list(reading.columns.values())[at] for fact, at in picked.items()}
    sides |= {fact: tag for fact, tag in wished.items() if fact in sides}
    wanted = tuple(dict.fromkeys(("White", "Black", "Result", *sides.values(), *_UTC, *_ELO)))
    with opened(path, MEMBERS) as (_, stream):
        tags = _scanned(stream, wanted, path)
    notes: list[Problem] = []
    words = {tag: _decoded(texts, reading.encoding, path, notes) for tag, texts in tags.texts.items()}
    days = {tag: [*map(_day, words[tag]), 0] for tag in (sides["date"], "UTCDate")}
    first: dict[str, tuple[int, int, str]] = {}
    for row in range(len(tags.lines)):
        day = next((found for tag in days if (found := days[tag][tags.codes[tag][row]])), 0) or 1 << 30
        for side, elo in zip(("first", "second"), _ELO):
            code = tags.codes[sides[side]][row]
            name = words[sides[side]][code].strip() if code >= 0 else ""
            if name and (day, row) < first.get(name, (1 << 31,)):
                rating = tags.codes[elo][row]
                first[name] = (day, row, words[elo][rating] if rating >= 0 else "")
    rows = [[name, rating] for name, (_, _, rating) in first.items()]
    lines = [int(tags.lines[row]) for _, row, _ in first.values()]
    asked = Reading(decimal=reading.decimal)
    starts, problems = starts_of(sheet_of_rows(path, list(START_FIELDS)[:2], 1, rows, lines), asked)
    return starts, [*notes, *problems]


def _day(text: str) -> int:
    try:
        found = values.partial_date(text, "YMD")
    except ValueError:
        return 0
    return 0 if found is None else found.first.toordinal()
