"""What is at stake in a match of a ladder: what each result would bring both players, shown before it is played.

What is tried is what a report and its confirmation do, in a transaction of which nothing is kept: it cannot say
anything else than what then happens.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from arpad.bureau.ladder import confirm, person_of, report, same
from arpad.bureau.ladder_rows import MOST, Who, ladder
from arpad.bureau.opened import Office, replayed
from arpad.columns import copied, plain
from arpad.ledger import packed
from arpad.model import Games


class Outcome(msgspec.Struct, frozen=True):
    """What a result would bring both, in exact ratings; None: unrated then."""

    score: float
    first: float | None
    first_change: float | None
    second: float | None
    second_change: float | None


class Stake(msgspec.Struct, frozen=True):
    """What a match of today would bring, result by result, beside what both have now."""

    list: str
    first: int
    second: int
    day: date
    first_before: float | None
    second_before: float | None
    outcomes: tuple[Outcome, ...]


def stake(
    office: Office, name: str | None, first: int, second: int, day: date, *, now: datetime | None = None
) -> Stake:
    """What each result would bring both. Nothing is kept; what is tried is what a report and its confirmation do."""
    store, found = office.store, []
    with store.reading():
        which, held = office.which(name), ladder(office, name)
        first, second = (person_of(office, each) for each in (first, second))
        before = _ratings(office.history(which), (first, second))
        known = same(office, which, first, second, day, 1)
    with store.trying():
        number = 1 if known is None else MOST
        tried = report(office, which.name, first, second, 1.0, day, Who(), number=number, now=now)
        game = confirm(office, tried.id, Who(), now=now).game
        games = packed.load(store, which.pool, which.base).games
        for score in (1.0, 0.5, 0.0) if held.rules.draws else (1.0, 0.0):
            after = _ratings(
                replayed(store, which, office.book(which), games=_ended(games, game, score)), (first, second)
            )
            changes = [None if a is None or b is None else b - a for a, b in zip(before, after)]
            found.append(Outcome(score, after[0], changes[0], after[1], changes[1]))
    return Stake(which.name, first, second, day, before[0], before[1], tuple(found))


def _ended(games: Games, game: int, score: float) -> Games:
    """The games, of which one ended otherwise."""
    assert games.line is not None
    codes = copied(games.score)
    codes[plain(games.line).index(game)] = len(games.scores)
    return replace(games, score=codes, scores=[*games.scores, (score, 1.0 - score)])


def _ratings(history: Any, people: Sequence[int]) -> list[float | None]:
    return [history.rating(str(each)) if str(each) in history.codes else None for each in people]
