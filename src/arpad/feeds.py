"""Which list a game belongs to, where the rules go by its time control.

    minutes_of("G/60;d5", "minutes")      # 65: minutes of the game plus seconds a move

A games file that says nothing of time controls is taken to hold games of the list at hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from arpad.columns import filled
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


def minutes_of(text: str, unit: Unit | None = None) -> float | None:
    """Minutes of the whole game plus seconds a move; None where nothing is said.

    `unit` is that of bare numbers such as 60+5; without it they are refused where it makes a difference. Raises
    ValueError for a text that cannot be read.
    """
    word = text.strip().casefold()
    if word in _WORDS:
        return _WORDS[word]
    stroke = _STROKE.fullmatch(word)
    if stroke and int(stroke[2]) < 60:
        return float(int(stroke[1]) + int(stroke[2]))
    if unit is None and _AMBIGUOUS.fullmatch(word):
        raise ValueError(f"{text.strip()!r} may be minutes or seconds: write G/60;d5, or 3600+5")
    control = parse(text, unit or "minutes")
    if control is None:
        return None
    main = sum(period.seconds for period in control.periods) / 60.0
    return main + control.periods[0].increment


def belongs(minutes: float, clause: Feeds) -> bool:
    """Whether a game of so many minutes (and seconds a move) counts in the list."""
    return clause.least <= minutes <= clause.most and clause.above < minutes < clause.below


def is_dual(minutes: float, clause: Feeds) -> bool:
    """Whether a game counts in two lists."""
    low, high = clause.dual_least, clause.dual_most
    return low is not None and high is not None and low <= minutes <= high


def fed(games: Games, rulebook: Rulebook, batches: Sequence[Batch], like: Column) -> Column | None:
    """`ELSEWHERE` and `DUAL` for each game, by the edition in force on its event's last day; None if no rule asks.

    Raises DataError naming every time control that cannot be read, once.
    """
    if not any(edition.feeds for edition in rulebook.editions) or not len(games):
        return None
    labels = games.labels.get("time_control")
    flags = filled("B", 0, len(games), like)
    if labels is None or not labels.names:
        return flags
    minutes = _read(games, labels.names)
    for batch in batches:
        clause = rulebook.on(max(batch.after - 1, 0)).feeds
        for row in range(batch.start, batch.stop) if clause else ():
            code = int(labels.codes[row])
            known = minutes[code] if code >= 0 else None
            if clause is None or known is None:
                continue
            flags[row] = DUAL * is_dual(known, clause) if belongs(known, clause) else ELSEWHERE
    return flags


def _read(games: Games, names: Sequence[str]) -> list[float | None]:
    """Minutes of every time control that a file names."""
    sources = games.source.casefold()
    unit: Unit | None = "seconds" if sources.endswith(".pgn") else None if ".pgn" in sources else "minutes"
    found: list[float | None] = []
    problems = []
    for name in names:
        try:
            found.append(minutes_of(name, unit))
        except ValueError as error:
            hint = "such as G/90;d5, 60/5 (minutes, seconds of delay) or 5400+30"
            problems.append(Problem(str(error), games.source, 0, "time_control", hint=hint))
    if problems:
        raise DataError(problems)
    return found
