"""How cells of text become the columns of a rating list, block by block, and which rows cannot."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence

from arpad.formats.check import MOST
from arpad.formats.hidden import HIDDEN, left_out, plain
from arpad.formats.rating_list import (
    CHAPTERS,
    FIELDS,
    NOT_SAID,
    NUMBERS,
    OLD_TITLES,
    WORDS,
    Chapter,
    ChapterName,
    Form,
    RatingList,
    floor_on,
)
from arpad.formats.sheet import listed
from arpad.model import Column, Labels, Problem

_UNKNOWN = frozenset(("", "-", "--", "----", "?", "0", "0000"))
_BAD = -(1 << 31)


class _Numbers(dict[str, int]):
    """What each text of a column of numbers means; each distinct text is read once."""

    def __init__(self, blank: int, floor: int = 0) -> None:
        super().__init__()
        self.blank = blank
        self.floor = floor
        self.below: set[str] = set()

    def __missing__(self, text: str) -> int:
        bare = text.strip()
        if bare in _UNKNOWN:
            value = 0 if bare == "0" else self.blank
        elif not (bare.isascii() and bare.isdigit() and len(bare) <= 5):
            value = _BAD
        else:
            value = int(bare)
            if value < self.floor:
                self.below.add(text)
                value = 0
        self[text] = value
        return value


class _Years(_Numbers):
    def __missing__(self, text: str) -> int:
        match = re.fullmatch(r"([12]\d{3})(?:[-./]\d\d[-./]\d\d)?", text.strip(), re.ASCII)
        value = int(match[1]) if match else 0 if text.strip() in _UNKNOWN else _BAD
        self[text] = value
        return value


class _Words(dict[str, int]):
    """Codes of the words of a column; -1 is blank."""

    def __init__(self, plain: Callable[[str], str]) -> None:
        super().__init__()
        self.plain = plain
        self.known: dict[str, int] = {}

    def __missing__(self, text: str) -> int:
        word = self.plain(text.strip())
        code = self.known.setdefault(word, len(self.known)) if word not in ("", "-") else NOT_SAID
        self[text] = code
        return code


def _title(text: str) -> str:
    return OLD_TITLES.get(text) or text.upper()


_PLAIN: Mapping[str, Callable[[str], str]] = {
    **dict.fromkeys(("country", "sex", "foa_title"), str.upper),
    **dict.fromkeys(("title", "w_title"), _title),
    "o_title": str,
    "flag": str.lower,
}


class Gathering:
    """A list while it is read, block by block. Bad rows are left out, each with a problem."""

    def __init__(self, source: str, fields: Iterable[str], day: int) -> None:
        self.source = source
        self.fields = tuple(field for field in FIELDS if field in fields)
        self.day = day
        self.problems: list[Problem] = []
        self.ids = array("q")
        self.names: list[str] = []
        self.codes = {field: array("i") for field in WORDS}
        self.words = {field: _Words(_PLAIN[field]) for field in WORDS}
        floor = floor_on(day)
        numbers = [name for names in NUMBERS.values() for name in names if name in self.fields]
        self.texts: dict[str, _Numbers] = {
            name: _Numbers(NOT_SAID if "games" in name else 0, floor if "rating" in name else 0) for name in numbers
        }
        self.texts["birthday"] = _Years(0)
        self.numbers = {name: array("i") for name in self.texts}
        self.blanks: dict[str, str] = {}
        self._seen: set[int] = set()
        self._refused = 0
        self._below: list[int] = []
        self._hidden: list[int] = []

    def add(
        self,
        cells: Mapping[str, Sequence[str]],
        line: Callable[[int], int],
        found: Mapping[int, tuple[str, str]] = {},
    ) -> list[int]:
        """Take a block of rows, a sequence of texts a fact; `line` says where a row stands, `found` which rows are bad
        (the fact, what is wrong with it). Returns the rows that were left out."""
        numbers = self._numbers(cells)
        wrong = self._wrong(cells, numbers) | dict(found)
        if wrong:
            out = sorted(wrong)
            for row in out[: max(0, MOST - self._refused)]:
                self.problems.append(Problem(wrong[row][1], self.source, line(row), wrong[row][0]))
            self._refused += len(wrong)
            kept = [row for row in range(len(cells["fideid"])) if row not in wrong]
            good = {field: [texts[row] for row in kept] for field, texts in cells.items()}
            self._take(good, self._numbers(good), lambda row: line(kept[row]))
            return out
        self._take(cells, numbers, line)
        return []

    def _numbers(self, cells: Mapping[str, Sequence[str]]) -> dict[str, list[int]]:
        return {
            field: list(map(texts.__getitem__, cells[field])) for field, texts in self.texts.items() if field in cells
        }

    def _wrong(
        self, cells: Mapping[str, Sequence[str]], numbers: Mapping[str, list[int]]
    ) -> dict[int, tuple[str, str]]:
        """Rows that cannot be read: the fact and what is wrong with it."""
        wrong: dict[int, tuple[str, str]] = {}
        for field, values in numbers.items():
            if _BAD in values:
                for row, value in enumerate(values):
                    if value == _BAD:
                        wrong.setdefault(row, (field, f"{cells[field][row].strip()!r} is not a number"))
        ids = cells["fideid"]
        if not _plain_numbers(ids):
            for row, text in enumerate(ids):
                if not re.fullmatch(r"[0-9]{1,15}", text.strip(" \t\r\n")):
                    wrong[row] = ("fideid", f"{text.strip()!r} is not a FIDE id")
        known = [0 if row in wrong else int(text) for row, text in enumerate(ids)] if wrong else list(map(int, ids))
        before = len(self._seen)
        self._seen.update(known)
        if len(self._seen) - before < len(known) or 0 in known:
            self._repeated(known, wrong)
        self._seen.discard(0)
        return wrong

    def _repeated(self, numbers: list[int], wrong: dict[int, tuple[str, str]]) -> None:
        """Refuse rows whose id an earlier row has, and ids of 0."""
        earlier = set(self.ids)
        for row, number in enumerate(numbers):
            if row in wrong:
                continue
            if number in earlier:
                wrong[row] = ("fideid", f"{number} stands in the list twice")
            elif number == 0:
                wrong[row] = ("fideid", "0 is not a FIDE id")
            earlier.add(number)

    def _take(
        self, cells: Mapping[str, Sequence[str]], numbers: Mapping[str, list[int]], line: Callable[[int], int]
    ) -> None:
        self.ids.extend(map(int, cells["fideid"]))
        names = list(map(str.strip, cells["name"]))
        if HIDDEN.search("\t".join(names)):
            self._hidden += [line(row) for row, name in enumerate(names) if HIDDEN.search(name)]
            names = [plain(name).strip() for name in names]
        self.names.extend(names)
        count = len(cells["fideid"])
        for field, codes in self.codes.items():
            if field in cells:
                codes.extend(map(self.words[field].__getitem__, cells[field]))
            else:
                codes.extend([NOT_SAID] * count)
        for field, texts in self.texts.items():
            found = numbers.get(field)
            if found is None:
                self.numbers[field].extend([texts.blank] * count)
                continue
            self.numbers[field].extend(found)
            if field not in self.blanks:
                unknown = (text for text, value in zip(cells[field], found) if value == texts.blank)
                blank = next((text for text in unknown if text not in texts.below), None)
                if blank is not None:
                    self.blanks[field] = blank.strip()
            if texts.below:
                self._below += [line(row) for row, text in enumerate(cells[field]) if text in texts.below]

    def so_far(self, chapter: ChapterName, form: Form, kept: Mapping[int, str] = {}) -> RatingList:
        """The list of all blocks until now; `chapter` is what a single chapter is called."""
        labels = {field: Labels(self.codes[field], list(self.words[field].known)) for field in WORDS}
        chapters = {
            name if form.several else chapter: Chapter(*(self._column(field) for field in NUMBERS[name]))
            for name in CHAPTERS
            if NUMBERS[name][0] in self.fields
        }
        return RatingList(
            id=self.ids,
            name=self.names,
            federation=labels["country"],
            sex=labels["sex"],
            title=labels["title"],
            women_title=labels["w_title"],
            other_titles=labels["o_title"],
            arena_title=labels["foa_title"],
            flag=labels["flag"],
            born=self.numbers["birthday"],
            chapters=chapters,
            day=self.day,
            source=self.source,
            form=form,
            kept=kept,
        )

    def _column(self, field: str) -> Column:
        blank = NOT_SAID if "games" in field else 0
        return self.numbers.get(field, array("i", [blank]) * len(self.ids))

    def told(self) -> list[Problem]:
        """Every problem in the order of the file, with a word on what was counted."""
        told = list(self.problems)
        if self._refused > MOST:
            told.append(Problem(f"… and more rows like these: {self._refused - MOST}", self.source))
        if self._refused:
            text = f"rows that could not be read and are left out: {self._refused} of {self._refused + len(self.ids)}"
            told.append(Problem(text, self.source, severity="warning"))
        if self._below:
            text = f"{len(self._below)} ratings below {floor_on(self.day)}, the floor of the list's day, mean unrated"
            lines = listed(sorted(self._below))
            told.append(Problem(f"{text} (line {lines})", self.source, severity="warning"))
        if self._hidden:
            text = f"{left_out('names')} (line {listed(self._hidden)})"
            told.append(Problem(text, self.source, self._hidden[0], "name", severity="warning"))
        return sorted(told, key=lambda problem: problem.line)


def _plain_numbers(texts: Sequence[str]) -> bool:
    """Whether all texts are numbers that `int` reads as they look, of no more than fifteen digits."""
    joined = "".join(texts)
    if not joined.isascii() or any(sign in joined for sign in "_+-"):
        return False
    try:
        return max(map(int, texts), default=0) < 10**15
    except ValueError:
        return False
