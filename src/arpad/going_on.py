"""What a list carries beside what it shows, so that a replay goes on from it with the same digits.

A checkpoint holds everything; a list, what the rules ask of the players that stand on it. `START` names the columns
that any list may have for that; what a system alone remembers is its own (`System.listed`, `System.carried`).
"""

from __future__ import annotations

from typing import Any

from arpad.columns import is_numpy
from arpad.model import Column, Problem
from arpad.order import Arrangement
from arpad.plan import asks_age
from arpad.rulebooks.book import Rulebook

#: Columns that are there for a start list to read back; people need not see them.
START = ("born", "season", "blended")


def carried(history: Any, codes: Column) -> dict[str, Column]:
    """Columns that `codes` (the players listed, in order) need in a start list.

    born     birth dates, where the rules ask for ages and one is known
    season   the season of the last game, where the rules pull ratings back with a new one
    blended  games on another body's list that are mixed in already
    """
    editions, players = history.rulebook.editions, [history.players[int(code)] for code in codes]
    columns: dict[str, Column] = {}
    if any(map(asks_age, editions)):
        columns["born"] = [_birth(int(history.born[int(code)])) for code in codes]
    if any(edition.season for edition in editions):
        lasts = history.state[3 :: history.system.width]
        seasons = lasts[codes] if is_numpy(lasts) else [lasts[int(code)] for code in codes]
        columns["season"] = [int(season) or None for season in seasons]
    columns["blended"] = [history.mixed_in.get(player) for player in players]
    return {name: column for name, column in columns.items() if any(value is not None for value in column)}


def overtaken(rulebook: Rulebook, arrangement: Arrangement, lasts: Column) -> list[Problem]:
    """A word on a start list that stands in the middle of the first period, or before a revaluation that the games are
    after; `lasts` are the days (ordinals) of the last games that it tells of."""
    last = max(map(int, lasts), default=0)
    if arrangement.batches:
        first = arrangement.batches[0].first
    else:
        first = int(arrangement.place[0]) if arrangement.place is not None and len(arrangement.place) else 0
    if not (last and first):
        return []
    hint = "go on from a checkpoint if it does not"
    days = sorted({uplift.date for edition in rulebook.editions for uplift in edition.uplift})
    texts = [
        f"the start list's last game is before the revaluation of {day}, and the first game to rate after it: the list "
        "is taken to hold ratings revalued already"
        for day in days
        if last < day.toordinal() <= first
    ]
    if arrangement.calendar and arrangement.calendar.number(last) == arrangement.calendar.number(first):
        hint = "rate all games of a period together"
        texts.append(
            "the start list tells of games of the same period as the first games to rate, which makes two of it"
        )
    return [Problem(text, hint=hint, severity="warning") for text in texts]


def _birth(born: int) -> str | None:
    """A birth date as a start list gives it; of what counts as the last of a month or year, no more than that."""
    year, rest = divmod(born, 10000)
    month, day = divmod(rest, 100)
    if not born:
        return None
    if (month, day) == (12, 31):
        return f"{year:04}"
    return f"{year:04}-{month:02}" if day == 31 else f"{year:04}-{month:02}-{day:02}"
