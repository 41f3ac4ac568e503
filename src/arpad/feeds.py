"""Which list a game belongs to, where the rules go by its time control.

    minutes_of("G/60;d5", "minutes")             # 65: minutes of the game plus seconds a move
    minutes_of("G/3;+3", "minutes", 2 / 3)       # 5: as chess servers count

A games file that says nothing of time controls is taken to hold games of the list at hand.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

from arpad.columns import copied, filled, is_numpy, take
from arpad.errors import DataError
from arpad.model import Column, Games, Problem
from arpad.rulebooks.book import Rulebook
from arpad.rulebooks.schema_uschess import Feeds
from arpad.stretch import Batch
from arpad.time_control import Unit, parse

#: Bits of a game's flags: it belongs to another list; it belongs to this list and to another one too.
ELSEWHERE, DUAL = 4, 8

#: Words for a time control, by a number of minutes that means it.
_WORDS: Mapping[str, float] = {
    "regular": 120.0,
    "slow": 120.0,
    "standard": 120.0,
    "dual": 60.0,
    "quick": 20.0,
    "blitz": 5.0,
}
#: 60/5: minutes, and seconds of delay or increment; a second number of an hour or more is minutes for so many moves.
_STROKE = re.compile(r"\s*(\d{1,3})\s*/\s*(\d{1,2})\s*")
_AMBIGUOUS = re.compile(r"\s*(\d{1,2}|1[0-7]\d|180)(?:\s*\+\s*(\d{1,3}))?\s*")


def minutes_of(text: str, unit: Unit | None = None, increment: float = 1.0) -> float | None:
    """Minutes of the whole game plus seconds a move, each counted as so many minutes; None where nothing is said.

    `unit` is that of bare numbers such as 60+5; without it they are refused where it makes a difference. Raises
    ValueError for a text that cannot be read.
    """
    word = text.strip().casefold()
    if word in _WORDS:
        return _WORDS[word]
    stroke = _STROKE.fullmatch(word)
    if stroke and int(stroke[2]) < 60:
        return round(int(stroke[1]) + increment * int(stroke[2]), 9)
    if unit is None and _AMBIGUOUS.fullmatch(word):
        raise ValueError(f"{text.strip()!r} may be minutes or seconds: write G/60;d5, or 3600+5")
    control = parse(text, unit or "minutes")
    if control is None:
        return None
    main = sum(period.seconds for period in control.periods) / 60.0
    return round(main + increment * control.periods[0].increment, 9)


def belongs(minutes: float, clause: Feeds) -> bool:
    """Whether a game of so many minutes (and seconds a move) counts in the list."""
    return clause.least <= minutes <= clause.most and clause.above < minutes < clause.below


def is_dual(minutes: float, clause: Feeds) -> bool:
    """Whether a game counts in two lists."""
    low, high = clause.dual_least, clause.dual_most
    return low is not None and high is not None and low <= minutes <= high


def fed(games: Games, rulebook: Rulebook, batches: Sequence[Batch], place: Column | None, flags: Column) -> Column:
    """The flags of games, with `ELSEWHERE` and `DUAL` where a rule asks for them: by the edition in force on the last
    day of a game's event, or on its own day. `place` is the day that orders each game; `flags` may be empty.

    Raises DataError naming every time control that cannot be read, once.
    """
    labels = games.labels.get("time_control")
    asked = any(edition.feeds for edition in rulebook.editions)
    if not asked or not len(games):
        return flags
    # Allocated even if no game says its time control: a system may leave out games of its own accord.
    flags = copied(flags) if len(flags) else filled("B", 0, len(games), games.first)
    if labels is None or not labels.names:
        return flags
    read = cache(lambda increment: _read(games, labels.names, increment))
    for start, stop, day in _stretches(rulebook, batches, place, len(games)):
        clause = rulebook.on(day).feeds
        if clause is not None:
            table = [*(_flag(minutes, clause) for minutes in read(clause.increment)), 0]  # blank: of this list
            found = take("B", table, labels.codes[start:stop])
            if is_numpy(flags):
                flags[start:stop] |= found
            else:
                flags[start:stop] = array("B", (old | new for old, new in zip(flags[start:stop], found)))
    return flags


def _flag(minutes: float | None, clause: Feeds) -> int:
    if minutes is None:
        return 0
    return DUAL * is_dual(minutes, clause) if belongs(minutes, clause) else ELSEWHERE


def _stretches(
    rulebook: Rulebook, batches: Sequence[Batch], place: Column | None, count: int
) -> Iterator[tuple[int, int, int]]:
    """Runs of games, from and to before, that are under one edition, with a day (ordinal) of its time."""
    if batches:
        yield from ((batch.start, batch.stop, max(batch.after - 1, 0)) for batch in batches)
        return
    if place is None:
        yield 0, count, 0
        return
    begins = [edition.since.toordinal() for edition in rulebook.editions if edition.since]
    bounds = sorted({0, count, *(bisect_left(place, day) for day in begins)})
    yield from ((start, stop, int(place[start])) for start, stop in pairwise(bounds))


def _read(games: Games, names: Sequence[str], increment: float) -> list[float | None]:
    """Minutes of every time control that a file names."""
    sources = games.source.casefold()
    unit: Unit | None = "seconds" if sources.endswith(".pgn") else None if ".pgn" in sources else "minutes"
    found: list[float | None] = []
    problems = []
    for name in names:
        try:
            found.append(minutes_of(name, unit, increment))
        except ValueError as error:
            hint = "such as G/90;d5, 60/5 (minutes, seconds of delay) or 5400+30"
            problems.append(Problem(str(error), games.source, 0, "time_control", hint=hint))
    if problems:
        raise DataError(problems)
    return found
