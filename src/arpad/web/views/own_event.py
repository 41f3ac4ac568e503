"""Somebody's games of an event as a what-if asks them."""

from __future__ import annotations

from datetime import date

import msgspec

from arpad.bureau import cards
from arpad.bureau.opened import Office
from arpad.errors import UnknownName, UsageError
from arpad.ledger.facts import day_of
from arpad.web.views.event_games import Played, played
from arpad.web.views.whatif import Meeting
from arpad.working import known


class OwnEvent(msgspec.Struct, frozen=True):
    """A person's games of an event, with the ratings that were used, and the K and rating they had then (None: not
    known, or not one alone)."""

    event: int
    person: int
    list: str
    day: date | None
    rating: float | None
    k: float | None
    games: tuple[Meeting, ...]


def own_event(office: Office, event: int, who: str | int, name: str | None = None) -> OwnEvent:
    """Raises UnknownName for an event, a person or a list that is not there, and for who did not play in the event;
    UsageError for an event that no list rates."""
    with office.store.reading():
        found = office.store.row("select pool, ends from event where id = ?", (event,))
        if found is None:
            raise UnknownName("event", str(event), [])
        which = cards.list_of(office, found[0], name)
        if which is None or which.pool != found[0]:
            raise UsageError(
                f"no list rates the games of event {event}" if which is None else _apart(which.name, event)
            )
        person = cards.number_of(office, who)
        own = [(game, _side(game, person)) for game in played(office, which, event) if _plays(game, person)]
        if not own:
            raise UnknownName("player of the event", str(who), [])
        first, side = own[0]
        ks = {each for game, at in own if (each := known(game.k[at])) is not None}
        return OwnEvent(
            event,
            person,
            which.name,
            day_of(found[1]),
            known(first.before[side]),
            ks.pop() if len(ks) == 1 else None,
            tuple(Meeting(known(game.met[1 - at]), game.score(at)) for game, at in own),
        )


def _apart(name: str, event: int) -> str:
    return f"list {name!r} does not rate the games of event {event}"


def _plays(game: Played, person: int) -> bool:
    return person in (game.line.first, game.line.second)


def _side(game: Played, person: int) -> int:
    return int(game.line.first != person)
