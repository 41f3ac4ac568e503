"""How ratings went: every settlement of a person's games, every act, and what lists printed; one person, or several."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import msgspec

from arpad.bureau.cards import number_of
from arpad.bureau.lists import printed_on
from arpad.bureau.opened import Office, RatingList, publication_days
from arpad.bureau.threads import Thread, Turn, thread, turns, undated
from arpad.errors import UsageError
from arpad.ledger.facts import day_of
from arpad.working import known

#: People that are compared at once.
MOST = 6


class Step(msgspec.Struct, frozen=True, gc=False):
    """What a rating became on a day, and by what (see `bureau.threads.Turn`); `events` are those whose games did it."""

    day: date | None
    kind: str
    before: float | None
    after: float | None
    games: int
    events: tuple[int, ...]


class Printed(msgspec.Struct, frozen=True, gc=False):
    """What the list of a day printed."""

    day: date
    rating: float


class History(msgspec.Struct, frozen=True):
    """A person's ratings on a list, in the order of the replay. `undated` are steps without a day, which cannot be
    drawn, and games without one that the replay left out; `names` are those of the events."""

    person: int
    name: str
    list: str
    steps: tuple[Step, ...]
    published: tuple[Printed, ...]
    undated: int
    names: dict[int, str]


class Comparison(msgspec.Struct, frozen=True):
    """Several people on one list; `rows`: what each list printed of each of them, oldest list first."""

    list: str
    lists: tuple[str, ...]
    histories: tuple[History, ...]
    rows: tuple[tuple[date, tuple[float | None, ...]], ...]


def history(office: Office, who: str | int, name: str | None = None, day: date | None = None) -> History:
    """The history of a person, up to a published list or to now. Raises UnknownName for nobody."""
    with office.store.reading():
        person = number_of(office, who)
        which = office.which(name)
        until = day.toordinal() if day else 0
        held = thread(office, which, person, until)
        return drawn(office, which, held, list(turns(held, until)), until)


def drawn(office: Office, which: RatingList, held: Thread, told: Sequence[Turn], until: int = 0) -> History:
    """The history that the turns of a thread tell."""
    steps = tuple(_step(held, turn) for turn in told)
    numbers = {event for step in steps for event in step.events}
    names = office.titles(numbers)
    without = sum(step.day is None for step in steps) + undated(office, which).get(held.person, 0)
    called = office.names([held.person])[held.person]
    kept = printed(office, which, held.person, until)
    return History(held.person, called, which.name, steps, kept, without, {each: names[each] for each in numbers})


def printed(office: Office, which: RatingList, person: int, until: int = 0) -> tuple[Printed, ...]:
    """What lists printed of a person, oldest first."""
    days = [day for day in publication_days(office.store, which.id) if not until or day <= until]
    found = ((day, printed_on(office, which, day).get(person)) for day in days)
    return tuple(Printed(date.fromordinal(day), rating) for day, rating in found if rating is not None)


def compare(office: Office, players: str, name: str | None = None) -> Comparison:
    """Several people's histories. `players`: numbers or identifiers, between commas.

    Raises UsageError for more than can be told apart, UnknownName for nobody.
    """
    wanted = list(dict.fromkeys(each.strip() for each in players.split(",") if each.strip()))
    if len(wanted) > MOST:
        raise UsageError(f"{len(wanted)} players are too many to tell apart: compare {MOST} at most")
    with office.store.reading():
        which = office.which(name)
        found = {number_of(office, each): None for each in wanted}
        threads = [thread(office, which, person) for person in found]
        histories = tuple(drawn(office, which, held, list(turns(held))) for held in threads)
        listed = [{each.day: each.rating for each in held.published} for held in histories]
        days = sorted({day for each in listed for day in each})
        rows = tuple((day, tuple(each.get(day) for each in listed)) for day in days)
        return Comparison(which.name, tuple(each.name for each in office.lists()), histories, rows)


def _step(held: Thread, turn: Turn) -> Step:
    events = tuple(dict.fromkeys(held.events[turn.first : turn.stop]))
    return Step(day_of(turn.day), turn.kind, known(turn.before), known(turn.after), turn.stop - turn.first, events)
