"""Games of a player, one by one: all of them, those of an event, or those against an opponent."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from arpad.bureau import cards
from arpad.bureau.opened import Office, publication_days
from arpad.bureau.threads import Thread, thread
from arpad.ledger.facts import day_of
from arpad.web.views.players import MOST, Asked, until_list
from arpad.working import known


class GamesPage(msgspec.Struct, frozen=True):
    """Some of the `found` games of a person, from `start` on."""

    person: int
    name: str
    list: str
    opponent: int | None
    found: int
    start: int
    size: int
    games: tuple[cards.GameLine, ...]


def games(office: Office, who: str | int, asked: Asked) -> GamesPage:
    """Games of a person, last ones first; all of them, those of an event, or those against an opponent."""
    with office.store.reading():
        person = cards.number_of(office, who)
        which = office.which(asked.list)
        until = until_list(which, publication_days(office.store, which.id), asked.until)
        held = thread(office, which, person, until)
        other = cards.number_of(office, asked.opponent) if asked.opponent else None
        chosen = [
            at
            for at in reversed(range(len(held)))
            if asked.event in (None, held.events[at]) and other in (None, held.opponents[at])
        ]
        start, size = max(0, min(asked.start, len(chosen))), max(1, min(asked.size, MOST))
        rows = chosen[start : start + size]
        names = office.names([person, *(held.opponents[at] for at in rows)])
        titles = office.titles({held.events[at] for at in rows})
        return GamesPage(
            person,
            names[person],
            which.name,
            other,
            len(chosen),
            start,
            size,
            tuple(_game(held, at, names, titles) for at in rows),
        )


def _game(held: Thread, at: int, names: Mapping[int, str], titles: Mapping[int, str]) -> cards.GameLine:
    event, opponent = held.events[at], held.opponents[at]
    return cards.GameLine(
        held.games[at],
        day_of(held.days[at]),
        event,
        titles[event],
        held.rounds[at],
        opponent,
        names[opponent],
        held.scores[at],
        known(held.expected[at]),
        known(held.before[at]),
        known(held.other[at]),
        known(held.after[at]),
        held.change[at],
        known(held.k[at]),
    )
