"""FIDE's rating lists, read and written: text of fixed width or XML, alone or in a zip.

    found, problems = read_list("standard_oct26frl.zip")
    starts = start_of(found, "standard")

A rating of 0, blank, - or below the floor of the list's day means unrated; a K of 0 means none.
"""

from __future__ import annotations

import os
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from typing import IO, BinaryIO, Literal, TypeAlias, TypeVar

from msgspec.structs import replace

from arpad.errors import DataError, UsageError
from arpad.formats import fide_text, fide_xml
from arpad.formats.headers import key_of
from arpad.formats.rating_list import CHAPTERS, ChapterName, RatingList, told_by_k, young_on
from arpad.formats.sheet import Reading, listed
from arpad.formats.streams import bare_name, opened
from arpad.formats.write import write_files
from arpad.model import PartialDate, Problem, Start

Layout: TypeAlias = Literal["combined", "legacy", "chapter", "old", "xml"]
LAYOUTS: tuple[Layout, ...] = ("combined", "legacy", "chapter", "old", "xml")
T = TypeVar("T", bound=str)

MEMBERS = (".txt", ".xml")

_PLAYER = {"fideid": "id", "idnumber": "id", "id": "id", "name": "name"}
_RATING: dict[str, ChapterName] = {
    **dict.fromkeys(("srtng", "standard", "standardrating"), "standard"),
    **dict.fromkeys(("rrtng", "rapid", "rapidrating"), "rapid"),
    **dict.fromkeys(("brtng", "blitz", "blitzrating"), "blitz"),
}


def read_list(
    path: str | os.PathLike[str],
    encoding: str | None = None,
    day: date | None = None,
    chapter: ChapterName | None = None,
) -> tuple[RatingList, list[Problem]]:
    """A list and what was found wrong with it: bad rows, which are left out, and warnings.

    `day` and `chapter` (of a list that has one) are taken from the file where it names them, then from here, then from
    the file's name; a single chapter that nobody names is standard. Raises DataError for a file that is no list,
    UsageError for one that cannot be opened.
    """
    source = os.fspath(path)
    with opened(source, MEMBERS) as (name, stream):
        words = f"{bare_name(source)} {name}"
        said = next((known for known in CHAPTERS if re.search(rf"(?<![a-z]){known}", words)), None)
        begins = day.toordinal() if day else fide_text.day_of(_dated(words))
        named = chapter or said or "standard"
        if fide_text.is_header(_first_line(stream)):
            found, problems = fide_text.read_text(stream, source, encoding, begins, named)
            return found, [*problems, *_doubts(found, chapter or said)]
    found, problems = fide_xml.read_xml(lambda: opened(source, MEMBERS), source, encoding, begins, named)
    return found, [*problems, *_doubts(found, chapter or said)]


def _first_line(stream: IO[bytes]) -> str:
    """What the stream begins with; nothing of it is used up."""
    peek = getattr(stream, "peek", None)
    head: bytes = peek(400) if peek else b""
    return head[:400].split(b"\n", 1)[0].decode("utf-8", "replace")


def _dated(words: str) -> str:
    """The month in the name of a file as FIDE gives them: standard_sep26frl."""
    match = re.search(r"(?<![a-z])([a-z]{3}\d\d)(?=frl)", words)
    return match[1] if match else ""


def _doubts(found: RatingList, said: ChapterName | None) -> list[Problem]:
    if len(found.chapters) != 1 or said or (found.form and found.form.letters):
        return []
    text = "nothing says which chapter this list is of; taken as standard"
    return [Problem(text, found.source, severity="warning")]


def write_list(
    found: RatingList,
    target: str | os.PathLike[str] | BinaryIO,
    layout: Layout | None = None,
    chapter: ChapterName | None = None,
) -> list[Problem]:
    """Write a list to a path (a zip where it ends so) or into an open binary file.

    Without a layout it is that in which the list was read, to the byte if it was text. `chapter` chooses for a layout
    that has one. Returns what was cut or left out; raises UsageError for what cannot be written.
    """
    if layout not in (None, *LAYOUTS):
        raise UsageError(f"unknown layout {layout!r}; known: {' '.join(LAYOUTS)}")
    lost: list[Problem] = []
    if layout is None and found.form is None:
        layout = "xml" if not isinstance(target, BinaryIO) and ".xml" in str(target) else "combined"
    if chapter or layout in ("chapter", "old"):
        found = _narrowed(found, chapter, lost)
    form = found.form
    if layout is not None:
        found = replace(found, kept={})
        form = fide_xml.form_for(found) if layout == "xml" else fide_text.form_for(found, layout)
    assert form is not None
    write = fide_xml.write_xml if form.kind == "xml" else fide_text.write_text
    chosen = form

    def put(file: IO[bytes]) -> None:
        lost.extend(write(found, chosen, file.write))

    if not isinstance(target, (str, os.PathLike)):
        put(target)
    elif os.fspath(target).lower().endswith(".zip"):
        name = os.path.basename(os.fspath(target))[:-4].removesuffix("_xml")
        member = f"{name}.{'xml' if form.kind == 'xml' else 'txt'}"
        write_files({os.fspath(target): lambda file: _zip(file, member, put)})
    else:
        write_files({os.fspath(target): put})
    return lost


def _zip(file: BinaryIO, member: str, put: Callable[[IO[bytes]], None]) -> None:
    # The same list makes the same bytes: a member has no time of its own.
    info = zipfile.ZipInfo(member)
    info.compress_type = zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(file, "w") as box, box.open(info, "w", force_zip64=True) as inner:
        put(inner)


def _narrowed(found: RatingList, chapter: ChapterName | None, lost: list[Problem]) -> RatingList:
    """The list with one chapter alone."""
    chosen = chapter or _usual(found)
    if chosen not in found.chapters:
        raise UsageError(f"the list has no chapter {chosen}; it has {' '.join(found.chapters)}")
    gone = [name for name in found.chapters if name != chosen]
    if gone:
        lost.append(Problem(f"left out: {', '.join(gone)}", found.source, severity="warning"))
    return replace(found, chapters={chosen: found.chapters[chosen]})


def _usual(found: RatingList) -> ChapterName:
    """The only chapter of a list, or standard."""
    return next(iter(found.chapters)) if len(found.chapters) == 1 else "standard"


def start_of(found: RatingList, chapter: ChapterName = "standard", player: Literal["id", "name"] = "id") -> list[Start]:
    """What a list knows of each player before the first game, by FIDE id or by name.

    By name, those who share one are left out: it does not say who is meant. Games and highest rating are what K tells:
    the list itself counts one period only. Raises UsageError if the list has no such chapter.
    """
    if chapter not in found.chapters:
        raise UsageError(f"the list has no chapter {chapter}; it has {' '.join(found.chapters)}")
    names = list(map(str, found.id)) if player == "id" else list(found.name)
    years = {int(year): PartialDate(int(year)) if year else None for year in set(found.born)}
    held = found.chapters[chapter]
    young = {year: young_on(found.day, year) for year in years}
    shared = {"", *_shared(found)} if player == "name" else ()
    starts = []
    for name, printed, k, year in zip(names, held.rating, held.k, found.born):
        if name not in shared:
            rating = float(printed) if printed else None
            starts.append(Start(name, rating, *told_by_k(int(k), rating, young[int(year)]), born=years[int(year)]))
    return starts


def _shared(found: RatingList) -> list[str]:
    """Names that more than one player has."""
    return [name for name, count in Counter(found.name).items() if count > 1]


def holds_list(path: str) -> bool:
    """Whether a file is such a list, by its ending and its first line."""
    kind = os.path.splitext(bare_name(path))[1]
    if kind not in (".xml", ".txt", ".zip") or not os.path.isfile(path):
        return False
    if kind == ".xml":
        return True
    try:
        with opened(path, MEMBERS) as (name, stream):
            return name.endswith(".xml") or fide_text.is_header(_first_line(stream))
    except DataError:
        return False


def read_list_start(path: str, reading: Reading) -> tuple[list[Start], list[Problem]]:
    """The starts in a list. `reading.columns` may choose: player = Name (else the id), rating = RRtng or BRtng."""
    columns = {key_of(fact): header for fact, header in reading.columns.items()}
    player = _chosen(columns.get("player"), _PLAYER, "ID Number or Name") or "id"
    chapter = _chosen(columns.get("rating"), _RATING, "SRtng, RRtng or BRtng")
    found, problems = read_list(path, reading.encoding, chapter=chapter)
    chosen = chapter or _usual(found)
    notes = [f"the {chosen} ratings of a rating list, players by {'FIDE id' if player == 'id' else 'name'}"]
    shared = _shared(found) if player == "name" else []
    if shared:
        notes.append(f"{len(shared)} names that several players have are left out: {listed(shared, 5)}")
    starts = start_of(found, chosen, "name" if player == "name" else "id")
    return starts, [*problems, *(Problem(note, path, severity="warning") for note in notes)]


def _chosen(header: str | None, known: Mapping[str, T], accepted: str) -> T | None:
    if header is None:
        return None
    if key_of(header) not in known:
        raise UsageError(f"no column of a rating list is called {header!r} here; known: {accepted}")
    return known[key_of(header)]
