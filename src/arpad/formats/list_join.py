"""One rating list out of the lists of one day: FIDE gives standard, rapid and blitz out as files of their own, too."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from msgspec.structs import replace

from arpad.errors import UsageError
from arpad.formats import fide_xml
from arpad.formats.rating_list import NOT_SAID, WORDS, Chapter, ChapterName, RatingList
from arpad.model import Labels


def joined(lists: Sequence[RatingList]) -> RatingList:
    """The players and chapters of lists of one day; of a player whom several list the first says who it is.

    Raises UsageError if two have the same chapter.
    """
    if len(lists) == 1:
        return lists[0]
    ids = array("q")
    rows: dict[int, int] = {}
    origin: list[tuple[int, int]] = []
    chapters: dict[ChapterName, Chapter] = {}
    for which, each in enumerate(lists):
        for row, number in enumerate(map(int, each.id)):
            if number not in rows:
                rows[number] = len(rows)
                ids.append(number)
                origin.append((which, row))
    for each in lists:
        for name, chapter in each.chapters.items():
            if name in chapters:
                raise UsageError(f"{lists[0].source} and {each.source} are lists of the same day, both of {name}")
            columns = (array("i", [blank]) * len(rows) for blank in (0, NOT_SAID, 0))
            rating, games, k = columns
            for row, number in enumerate(map(int, each.id)):
                at = rows[number]
                rating[at], games[at], k[at] = chapter.rating[row], chapter.games[row], chapter.k[row]
            chapters[name] = Chapter(rating, games, k)
    federation, sex, title, women, other, arena, flag = (
        _labels([each.words()[fact] for each in lists], origin) for fact in WORDS
    )
    whole = RatingList(
        id=ids,
        name=[lists[which].name[row] for which, row in origin],
        federation=federation,
        sex=sex,
        title=title,
        women_title=women,
        other_titles=other,
        arena_title=arena,
        flag=flag,
        born=array("i", (int(lists[which].born[row]) for which, row in origin)),
        chapters=chapters,
        day=lists[0].day,
        source=lists[0].source,
    )
    form = lists[0].form
    return replace(whole, form=fide_xml.form_for(whole)) if form is not None and form.kind == "xml" else whole


def _labels(columns: Sequence[Labels], origin: Sequence[tuple[int, int]]) -> Labels:
    codes: dict[str, int] = {}
    taken = array("i")
    for which, row in origin:
        word = columns[which][row]
        taken.append(codes.setdefault(word, len(codes)) if word else -1)
    return Labels(taken, list(codes))
