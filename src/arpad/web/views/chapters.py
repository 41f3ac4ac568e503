"""All changes of a player explained, oldest first: a chapter an event, so that a file can hold what a card opens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date

import msgspec

from arpad.bureau.cards import find
from arpad.bureau.opened import Office
from arpad.bureau.threads import Thread, Working, thread, workings
from arpad.errors import UnknownName
from arpad.ledger.facts import day_of
from arpad.web.views import event as one
from arpad.web.views.players import OnList, first_of, on_lists
from arpad.web.views.workings import Cited, Teller, Worked, shared

#: Changes of a page: arpad's own number.
PORTION = 100


class Asked(msgspec.Struct, frozen=True):
    """Of which list; changes from `start` on, counted from the first one."""

    list: str | None = None
    start: int = 0


class Part(msgspec.Struct, frozen=True):
    """An event that a chapter tells of. `first`: no chapter before it on the page does."""

    event: int
    name: str
    first: bool


class Chapter(msgspec.Struct, frozen=True):
    """What an event did to a rating, in one change or several; of a period that is rated at once, what all its events
    did. No `parts`: something that is no game. `marks` are days by game: of games that are no event to the rules, the
    first one of each day. `norms` are those of the events."""

    list: str
    parts: tuple[Part, ...]
    changes: tuple[Worked, ...]
    marks: Mapping[int, date]
    norms: tuple[tuple[str, ...], ...]

    @property
    def shared(self) -> tuple[Cited, ...]:
        return shared(self.changes)


class Chapters(msgspec.Struct, frozen=True):
    """Some of the `found` changes of a person on a list, from `start` on."""

    person: int
    name: str
    list: str
    lists: tuple[OnList, ...]
    found: int
    start: int
    size: int
    chapters: tuple[Chapter, ...]


def chapters(office: Office, who: str | int, asked: Asked, language: str = "en") -> Chapters:
    """Every change of a person's rating, on the first list that they are on where none is named. Raises UnknownName
    for nobody."""
    with office.store.reading():
        person = find(office, who).id
        on = on_lists(office, person)
        which = office.which(asked.list or first_of(on))
        held = thread(office, which, person)
        found = workings(office, which, held)
        start = max(0, min(asked.start, len(found)))
        chosen = found[start : start + PORTION]
        names = office.names([person, *{held.opponents[at] for each in chosen for at in each.at}])
        events = office.titles({held.events[at] for each in chosen for at in each.at})
        asks = one.asks_norms(which)
        told, seen = [], set[int]()
        for numbers, changes in _grouped(held, chosen):
            teller = Teller(held, names, events, numbers[0] if numbers else None, language)
            parts = [Part(event, events[event], event not in seen) for event in numbers]
            norms = [each for event in numbers if asks for each in _norms(office, event, person, language)]
            marks = dict(_marks(held, changes))
            told.append(Chapter(which.name, tuple(parts), tuple(map(teller, changes)), marks, tuple(norms)))
            seen |= set(numbers)
        return Chapters(person, names[person], which.name, on, len(found), start, PORTION, tuple(told))


def _grouped(held: Thread, found: Sequence[Working]) -> list[tuple[tuple[int, ...], list[Working]]]:
    """Changes by the events that they are of, in the order of each first one. What is no game stands by itself."""
    groups: list[tuple[tuple[int, ...], list[Working]]] = []
    begun: dict[tuple[int, ...], list[Working]] = {}
    for each in found:
        numbers = tuple(dict.fromkeys(held.events[at] for at in each.at))
        if not numbers or numbers not in begun:
            begun[numbers] = []
            groups.append((numbers, begun[numbers]))
        begun[numbers].append(each)
    return groups


def _marks(held: Thread, found: Sequence[Working]) -> Iterator[tuple[int, date]]:
    seen = set[tuple[int, int]]()
    for at in (at for each in found for at in each.at if held.loose[at]):
        day = day_of(held.days[at])
        if day and (held.events[at], held.days[at]) not in seen:
            seen.add((held.events[at], held.days[at]))
            yield held.games[at], day


def _norms(office: Office, event: int, person: int, language: str) -> tuple[tuple[str, ...], ...]:
    """What the rules of norms say; nothing of who came into the event by a correction of its report."""
    with suppress(UnknownName):
        return one.norms(office, event, person, language)
    return ()
