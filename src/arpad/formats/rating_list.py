"""A federation's rating list as columns, and what its cells are printed as.

A name is kept as printed; titles, federations and flags are codes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal, TypeAlias

import msgspec

from arpad.model import Column, Labels

ChapterName: TypeAlias = Literal["standard", "rapid", "blitz"]
CHAPTERS: tuple[ChapterName, ...] = ("standard", "rapid", "blitz")
#: What FIDE's XML calls the facts, in its order; `rating games k` are those of the only chapter if there is one.
NUMBERS: Mapping[ChapterName, tuple[str, str, str]] = {
    "standard": ("rating", "games", "k"),
    "rapid": ("rapid_rating", "rapid_games", "rapid_k"),
    "blitz": ("blitz_rating", "blitz_games", "blitz_k"),
}
WORDS = ("country", "sex", "title", "w_title", "o_title", "foa_title", "flag")
FIELDS = (
    *("fideid", "name", "country", "sex", "title", "w_title", "o_title", "foa_title"),
    *(name for names in NUMBERS.values() for name in names),
    *("birthday", "flag"),
)
#: Lowest rating that a list may print from a day on; only floors whose day is certain.
FLOORS = ((date(2024, 3, 1), 1400), (date(2012, 7, 1), 1000), (date(2009, 7, 1), 1200))

#: How old lists print titles; a woman's has a w before it.
OLD_TITLES = dict(zip("gmfc", ("GM", "IM", "FM", "CM")))
OLD_TITLES |= {"w" + letter: "W" + title for letter, title in OLD_TITLES.items()}
#: Stands in columns for games of which the list does not say how many, and in codes for a blank.
NOT_SAID = -1
_LETTERS = {title: letter for letter, title in OLD_TITLES.items()}


class Chapter(msgspec.Struct, frozen=True):
    """One chapter's numbers, a row a player (int32). `rating` and `k` are 0 where there is none: 0 is never a value.
    `games` are those of the list's period, -1 where the list does not say."""

    rating: Column
    games: Column
    k: Column


class Listed(msgspec.Struct, frozen=True):
    """One row of a list; None for what it does not say."""

    id: int
    name: str
    federation: str | None
    sex: str | None
    title: str | None
    women_title: str | None
    other_titles: str | None
    arena_title: str | None
    flag: str | None
    born: int | None
    ratings: Mapping[ChapterName, tuple[int | None, int | None, int | None]]  # chapter -> rating, games, K


class Form(msgspec.Struct, frozen=True):
    """How a list was written, to write it again alike.

    `columns` are the facts with the column where each starts (text) or 0 (XML), in the file's order. `blanks` is what
    stands for an unknown number, by fact. `right` are facts that are aligned right, in so many characters.
    """

    kind: Literal["text", "xml"]
    columns: tuple[tuple[str, int], ...]
    blanks: Mapping[str, str] = {}
    head: str = ""
    width: int = 0
    right: Mapping[str, int] = {}
    trimmed: bool = False
    end: str = "\r\n"
    encoding: str = "utf-8"
    mark: bool = False  # begins with a byte order mark
    letters: bool = False  # titles as one or two small letters

    @property
    def several(self) -> bool:
        """Whether it has more than one chapter."""
        return any(name in ("rapid_rating", "blitz_rating") for name, _ in self.columns)


class RatingList(msgspec.Struct, frozen=True):
    """A rating list as columns, a row a player, in the order of the file.

    `day` is the ordinal of the list's first day, 0 where the file does not say; `born` the year, 0 where unknown.
    `kept` holds lines that the layout would write otherwise, by row.
    """

    id: Column  # int64
    name: Sequence[str]
    federation: Labels
    sex: Labels  # M, F
    title: Labels
    women_title: Labels
    other_titles: Labels
    arena_title: Labels
    flag: Labels  # i inactive, w woman, wi both
    born: Column  # int32
    chapters: Mapping[ChapterName, Chapter]
    day: int = 0
    source: str = ""
    form: Form | None = None
    kept: Mapping[int, str] = {}

    def __len__(self) -> int:
        return len(self.id)

    def words(self) -> dict[str, Labels]:
        """The columns of codes by the facts of WORDS."""
        columns = (self.federation, self.sex, self.title, self.women_title, self.other_titles, self.arena_title)
        return dict(zip(WORDS, (*columns, self.flag)))

    def row(self, at: int) -> Listed:
        ratings = {
            name: (
                int(chapter.rating[at]) or None,
                None if chapter.games[at] < 0 else int(chapter.games[at]),
                int(chapter.k[at]) or None,
            )
            for name, chapter in self.chapters.items()
        }
        return Listed(
            id=int(self.id[at]),
            name=self.name[at],
            federation=self.federation[at] or None,
            sex=self.sex[at] or None,
            title=self.title[at] or None,
            women_title=self.women_title[at] or None,
            other_titles=self.other_titles[at] or None,
            arena_title=self.arena_title[at] or None,
            flag=self.flag[at] or None,
            born=int(self.born[at]) or None,
            ratings=ratings,
        )


def told_by_k(k: int, rating: float | None, young: bool) -> tuple[int | None, float | None]:
    """The least games and highest rating that go with a printed K; None where none is printed.

    10 means that 2400 was reached, 15 or 20 that 30 games are played; a `young` player below 2300 has 20 only after
    having reached it.
    """
    if not k:
        return None, rating
    if k == 10:
        return 30, max(2400.0, rating or 0.0)
    if k not in (15, 20):
        return 0, rating
    return 30, max(2300.0, rating or 0.0) if k == 20 and young else rating


def young_on(day: int, born: int) -> bool:
    """Whether a player is a junior to FIDE on the list of a day: to the end of the year of the 18th birthday."""
    return bool(day and born) and date.fromordinal(day).year - born <= 18


def printed(listed: RatingList, form: Form, field: str, part: slice) -> list[str]:
    """The texts of a fact in some rows, as the form prints them."""
    if field == "fideid":
        return list(map(str, listed.id[part]))
    if field == "name":
        return list(listed.name[part])
    if field in WORDS:
        labels = listed.words()[field]
        names = [_LETTERS.get(name, name) for name in labels.names] if form.letters else labels.names
        return list(map([*names, ""].__getitem__, labels.codes[part]))
    blank = form.blanks.get(field, "")
    column, unknown = _numbers(listed, form, field)
    if column is None:
        return [blank] * len(listed.id[part])
    return [blank if value == unknown else str(value) for value in column[part]]


def _numbers(listed: RatingList, form: Form, field: str) -> tuple[Column | None, int]:
    """A column of numbers and what stands for unknown in it; None if the list does not have it."""
    if field == "birthday":
        return listed.born, 0
    name, at = next((name, names.index(field)) for name, names in NUMBERS.items() if field in names)
    chapters = listed.chapters
    chapter = chapters.get(name) if form.several else next(iter(chapters.values()), None)
    return None if chapter is None else (chapter.rating, chapter.games, chapter.k)[at], (0, NOT_SAID, 0)[at]


def floor_on(day: int) -> int:
    """The lowest rating that a list of that day may print; 0 if that is not certain or the day not known."""
    return next((floor for begins, floor in FLOORS if day >= begins.toordinal()), 0)
