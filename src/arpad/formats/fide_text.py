"""FIDE's rating lists as text of fixed width: every layout since 2001, by the columns that its header names.

FIDE has moved the columns often, so a line is cut where the header says that a field begins. Columns are characters.
A line that its layout would print otherwise (an overlong field, a stray blank) is kept beside the columns, so that
what was read can be written again to the byte.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import IO, Any

from msgspec.structs import replace

from arpad.errors import DataError, UsageError
from arpad.formats.gathering import Gathering
from arpad.formats.rating_list import (
    FIELDS,
    NUMBERS,
    ChapterName,
    Form,
    RatingList,
    printed,
)
from arpad.formats.text import decode
from arpad.model import Problem

BLOCK = 20_000
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
#: Headers of the layouts, with the month where a single chapter's rating stands.
_NEW = "ID Number      Name                                                         Fed Sex Tit  WTit OTit           "
_OLD = "ID number Name                              TitlFed  {month} GamesBorn  Flag"
_COMBINED = "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
LAYOUTS: Mapping[str, str] = {
    "combined": f"{_NEW}FOA {_COMBINED}",
    "legacy": f"{_NEW}{_COMBINED}",
    "chapter": f"{_NEW}FOA {{month}} Gms K  B-day Flag",
    "old": _OLD,
}
_MONTH = rf"(?:{'|'.join(MONTHS)})\d\d"
_HEADER = re.compile(
    r"ID[ _]Number|Name|WTit|OTit|Title|Titl|Tit|Country|Fed|Sex|FOA|SRtng|SGm|SK|RRtng|RGm|RK|BRtng|BGm|BK|"
    rf"{_MONTH}|Rating|Gms|Games|B-day|Birthday|Born|Flag|K(?!\S)|\S+",
    re.IGNORECASE,
)
_LABELS: Mapping[str, str] = {
    "fideid": "id_number",
    "name": "name",
    "country": "fed country",
    "sex": "sex",
    "title": "tit titl title",
    "w_title": "wtit",
    "o_title": "otit",
    "foa_title": "foa",
    "rating": "srtng rating",
    "games": "sgm gms games",
    "k": "sk k",
    "rapid_rating": "rrtng",
    "rapid_games": "rgm",
    "rapid_k": "rk",
    "blitz_rating": "brtng",
    "blitz_games": "bgm",
    "blitz_k": "bk",
    "birthday": "b-day birthday born",
    "flag": "flag",
}
_FACTS = {label: fact for fact, labels in _LABELS.items() for label in labels.split()}
_ARENA = frozenset(("", "AGM", "AIM", "AFM", "ACM"))
_FLAG = 4


def is_header(line: str) -> bool:
    """Whether a file that begins with this line is such a list."""
    return re.match(r"\ufeff?\s{0,3}ID[ _]number\s+Name\s", line, re.IGNORECASE) is not None


def day_of(token: str) -> int:
    """The ordinal of a list's first day from a month like OCT26 or Mar11 anywhere in a text; 0 if there is none."""
    match = re.search(rf"(?<![a-z])({'|'.join(MONTHS)})(\d\d)(?!\d)", token.lower())
    if not match:
        return 0
    year = int(match[2])
    return date(year + (1900 if year > 70 else 2000), MONTHS.index(match[1]) + 1, 1).toordinal()


def form_of(header: str, source: str = "") -> Form:
    """The layout that a header line describes. Raises DataError where it lacks what a list must have."""
    columns: dict[str, int] = {}
    for match in _HEADER.finditer(header):
        label = match[0].lower().replace(" ", "_")
        fact = _FACTS.get(label) or ("rating" if re.fullmatch(_MONTH, label) else label)
        if fact in columns:
            raise DataError([Problem(f"two columns are called {match[0]!r}", source, 1)])
        columns[fact] = match.start()
    absent = [fact for fact in ("fideid", "name", "rating") if fact not in columns]
    if absent:
        raise DataError([Problem(f"the header has no column for {' and '.join(absent)}", source, 1)])
    old = re.match(r"\s*ID(_| n)", header) is not None
    return Form(
        "text",
        tuple(columns.items()),
        width=list(columns.values())[-1] + _FLAG,
        right={"fideid": 8, "games": 3} if old else {},
        letters=old,
    )


def read_text(
    stream: IO[bytes], source: str, encoding: str | None, day: int, chapter: ChapterName
) -> tuple[RatingList, list[Problem]]:
    """The list in a stream; `day` and `chapter` hold where the header does not say. Raises DataError for no list."""
    lines = _Lines(stream, source, encoding)
    header = lines.take(1)
    if not header or not is_header(header[0]):
        raise DataError([Problem("this is no list of FIDE's: its first line names no columns", source, 1)])
    form = replace(form_of(header[0].lstrip("\ufeff"), source), mark=header[0].startswith("\ufeff"))
    form = replace(form, end=re.sub(r".*?(\r?\n?)\Z", r"\1", header[0], flags=re.DOTALL) or "\n")
    gathering = Gathering(source, [fact for fact, _ in form.columns], day_of(header[0]) or day)
    kept: dict[int, str] = {}
    head, first, blank = header[0].lstrip("\ufeff"), 2, 0
    while block := lines.take(BLOCK):
        numbers = [first + at for at, line in enumerate(block) if line.strip(" \t\r\n\x1a")]
        rows = block if len(numbers) == len(block) else [block[number - first] for number in numbers]
        if not gathering.ids and not gathering.problems:
            before = numbers[0] - first if numbers else len(block)
            head += "".join(block[:before])
            blank -= before
            form = replace(form, trimmed=not any(row.rstrip("\r\n").endswith(" ") for row in rows[:100]))
        blank += len(block) - len(rows)
        first += len(block)
        form = _take(gathering, rows, numbers.__getitem__, form, kept)
    form = replace(form, head=head, blanks=dict(gathering.blanks), encoding=lines.encoding)
    notes = [Problem(f"{blank} blank lines are left out", source, severity="warning")] if blank else []
    if lines.mixed:
        notes.append(Problem("some lines are UTF-8, others CP1252", source, severity="warning"))
    return gathering.so_far(chapter, form, kept), [*lines.notes, *gathering.told(), *notes]


def _take(
    gathering: Gathering, rows: Sequence[str], line: Callable[[int], int], form: Form, kept: dict[int, str]
) -> Form:
    """Add rows to the list, and to `kept` those that the form prints otherwise."""
    start = len(gathering.ids)
    cells, wrong = _cut(rows, form)
    out = gathering.add(cells, line, wrong)
    if out:
        dropped = set(out)
        rows = [row for at, row in enumerate(rows) if at not in dropped]
    form = replace(form, blanks=dict(gathering.blanks))
    made = lines_of(gathering.so_far("standard", form), form, slice(start, start + len(rows)))
    kept.update((start + at, row) for at, (row, other) in enumerate(zip(rows, made)) if row != other)
    return form


def _cut(rows: Sequence[str], form: Form) -> tuple[dict[str, list[str]], dict[int, tuple[str, str]]]:
    """The cells of some lines by fact, and the lines in which one field runs over into the next."""
    width = form.width
    padded = [row if len(row) >= width else row.ljust(width) for row in (line.rstrip("\r\n\x1a") for line in rows)]
    starts = [start for _, start in form.columns]
    cells = {}
    for (fact, start), stop in zip(form.columns, [*starts[1:], None]):
        if fact in FIELDS:
            cells[fact] = [row[start:stop] for row in padded]
    wrong = {}
    for fact, following, fits in (("name", "country", _is_code), ("o_title", "foa_title", _is_arena_title)):
        strange = {text for text in set(cells.get(following, ())) if not fits(text.strip())}
        if strange and fact in cells:
            for row, text in enumerate(cells[following]):
                if text in strange and not cells[fact][row].endswith(" "):
                    wrong[row] = (fact, f"{(cells[fact][row] + text).strip()!r} runs over into the next column")
    if any(len(row) > width for row in padded):
        for at, line in enumerate(padded):
            if len(line.rstrip()) > width:
                wrong.setdefault(at, ("", f"{len(line.rstrip()) - width} characters longer than its columns"))
    return cells, wrong


def _is_code(text: str) -> bool:
    return len(text) <= 3


def _is_arena_title(text: str) -> bool:
    return text in _ARENA


class _Lines:
    """The lines of a stream as text, a byte that is not UTF-8 taken as CP1252 where that is certain."""

    def __init__(self, stream: IO[bytes], source: str, encoding: str | None) -> None:
        try:
            known = codecs.lookup(encoding or "utf-8").name.removesuffix("-sig")
            self._text = io.TextIOWrapper(
                stream, known, errors="strict" if encoding else "surrogateescape", newline="\n"
            )
        except (LookupError, ValueError):
            raise UsageError(f"unknown encoding {encoding!r}") from None
        self._source = source
        self._given = known if encoding else None
        self._western = self._wide = False
        self.notes: list[Problem] = []

    def take(self, most: int) -> list[str]:
        """The next lines, with their ends; at the end of the stream none."""
        try:
            lines = list(islice(self._text, most))
        except UnicodeError as error:
            raise DataError([Problem(str(error), self._source, hint="say which encoding it is")]) from None
        if not lines:
            self._text.detach()
            return []
        if self._given or "".join(lines).isascii():
            return lines
        return [line if line.isascii() else self._mended(line) for line in lines]

    def _mended(self, line: str) -> str:
        if not re.search("[\ud800-\udfff]", line):
            self._wide = True
            return line
        mended, notes = decode(line.encode("utf-8", "surrogateescape"), None, self._source)
        if not self._western:
            self.notes += notes
        self._western = True
        return mended

    @property
    def mixed(self) -> bool:
        return self._western and self._wide

    @property
    def encoding(self) -> str:
        return self._given or ("cp1252" if self._western and not self._wide else "utf-8")


def lines_of(listed: RatingList, form: Form, part: slice) -> list[str]:
    """Some rows as lines, each with its end."""
    columns = []
    starts = [start for _, start in form.columns]
    for (fact, start), stop in zip(form.columns, [*starts[1:], form.width]):
        room = stop - start
        texts = printed(listed, form, fact, part) if fact in FIELDS else [""] * len(listed.id[part])
        right = form.right.get(fact, 0)
        columns.append([text.rjust(right).ljust(room) for text in texts] if right else [t.ljust(room) for t in texts])
    lead = " " * starts[0]
    rows = map("".join, zip(*columns))
    end = form.end
    return [lead + row.rstrip() + end for row in rows] if form.trimmed else [lead + row + end for row in rows]


def form_for(listed: RatingList, layout: str) -> Form:
    """The form of one of LAYOUTS for a list. Raises UsageError if the layout names a month and the list has no day."""
    month = ""
    if "{month}" in LAYOUTS[layout]:
        if not listed.day:
            raise UsageError(f"the {layout} layout prints the list's month; say its day")
        month = _month_of(listed.day, like="Mon00" if layout == "old" else "MON00")
    head = LAYOUTS[layout].format(month=month)
    numbers = [name for names in NUMBERS.values() for name in names]
    blanks = dict.fromkeys(numbers, "0" if layout in ("combined", "chapter") else "")
    return replace(form_of(head), head=head + "\r\n", blanks=blanks)


def _month_of(day: int, like: str) -> str:
    """A list's month as headers print it, in capitals and small letters like another one."""
    first = date.fromordinal(day)
    month = f"{MONTHS[first.month - 1]}{first.year % 100:02d}"
    return month.upper() if like.isupper() else month.title() if like.istitle() else month


def _head(listed: RatingList, form: Form) -> str:
    """The header, with the month of the list that is written."""
    match = re.search(rf"(?<![a-z]){_MONTH}(?!\d)", form.head, re.IGNORECASE)
    if not match or not listed.day or day_of(match[0]) == listed.day:
        return form.head
    return form.head[: match.start()] + _month_of(listed.day, match[0]) + form.head[match.end() :]


def write_text(listed: RatingList, form: Form, put: Callable[[bytes], Any]) -> list[Problem]:
    """Hand a list to `put` as bytes, line by line; what had to be cut or was lost is reported."""
    encoding = "utf-8-sig" if form.mark and codecs.lookup(form.encoding).name == "utf-8" else form.encoding
    encoder = codecs.getincrementalencoder(encoding)()
    problems: list[Problem] = []
    again = _unchanged(listed, form) if listed.kept else {}
    try:
        put(encoder.encode(_head(listed, form)))
        for start in range(0, len(listed), BLOCK):
            part = slice(start, min(start + BLOCK, len(listed)))
            lines = enumerate(_fitted(listed, form, part, problems), start)
            put(encoder.encode("".join(again.get(at, line) for at, line in lines)))
    except UnicodeEncodeError as error:
        raise UsageError(f"{error.object[error.start : error.end]!r} cannot be written as {form.encoding}") from None
    return problems


def _fitted(listed: RatingList, form: Form, part: slice, problems: list[Problem]) -> list[str]:
    """The lines of some rows, overlong texts cut to their columns and reported."""
    lines = lines_of(listed, form, part)
    width = form.width + len(form.end)
    if all(len(line) <= width for line in lines):
        return lines
    cut: dict[str, list[str]] = {}
    starts = [start for _, start in form.columns]
    for (fact, start), stop in zip(form.columns, [*starts[1:], form.width]):
        texts = printed(listed, form, fact, part) if fact in FIELDS else [""] * len(lines)
        cut[fact] = []
        for at, text in enumerate(texts, part.start):
            if len(text) > stop - start and at not in listed.kept:
                told = f"{text!r} is longer than the {stop - start} characters of its column and was cut"
                problems.append(Problem(told, "", at + 1, fact, severity="warning"))
            cut[fact].append(text[: stop - start].rjust(form.right.get(fact, 0)).ljust(stop - start))
    rows = map("".join, zip(*cut.values()))
    return [(row.rstrip() if form.trimmed else row) + form.end for row in rows]


def _unchanged(listed: RatingList, form: Form) -> dict[int, str]:
    """The kept lines that still say what the list says."""
    rows = list(listed.kept)
    gathering = Gathering("", [fact for fact, _ in form.columns], listed.day)
    cells, wrong = _cut(list(listed.kept.values()), form)
    out = set(gathering.add(cells, lambda row: row, wrong))
    rows = [at for row, at in enumerate(rows) if row not in out]
    chapter: ChapterName = next(iter(listed.chapters), "standard")
    told = gathering.so_far(chapter, form)
    return {at: listed.kept[at] for row, at in enumerate(rows) if at < len(listed) and told.row(row) == listed.row(at)}
