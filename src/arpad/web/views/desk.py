"""The front of the officer's desk, the log with what can be taken back, and what an officer may change of a fact."""

from __future__ import annotations

from datetime import date, timedelta
from functools import partial

import msgspec

from arpad.bureau import cards
from arpad.bureau.corrections import reversible
from arpad.bureau.effects import Moved, moved_by
from arpad.bureau.matching import known
from arpad.bureau.opened import LEVELS, Office
from arpad.bureau.patterns import Pattern, patterns
from arpad.bureau.people import federations, members
from arpad.bureau.wording import words
from arpad.errors import UnknownName
from arpad.ledger import chain
from arpad.ledger.facts import day_of
from arpad.ledger.spelling import spelling
from arpad.web.retelling import written
from arpad.web.views import changes
from arpad.web.views.publishing import Due, due
from arpad.web.views.reports import inbox

#: Entries of a page of the log, and people that a search shows.
SIZE, FOUND = 50, 50
#: So many words of a name are looked for: arpad's own number.
WORDS = 6


class DeskPage(msgspec.Struct, frozen=True):
    """What waits on the desk: reports by stage, lists, unusual patterns since the last lists, the last entries."""

    counts: dict[str, int]
    lists: tuple[Due, ...]
    patterns: tuple[ListPatterns, ...]
    log: tuple[LogRow, ...]


class ListPatterns(msgspec.Struct, frozen=True):
    """What is unusual of a list in the period that is not over, and in the one before: see `bureau.patterns`."""

    list: str
    since: date | None
    found: tuple[Pattern, ...]


class LogRow(msgspec.Struct, frozen=True):
    """An entry of the log. `reason` is None where it was erased; `reversible`: it can be taken back as it stands."""

    entry: int
    at: str
    actor: str
    kind: str
    what: str
    reason: str | None
    reversible: bool


class LogPage(msgspec.Struct, frozen=True):
    """The log, the last entry first, before an entry (0: from the last on); `older` is where to go on, 0 at the end."""

    before: int
    older: int
    kinds: tuple[str, ...]
    rows: tuple[LogRow, ...]


class EntryPage(msgspec.Struct, frozen=True):
    """One entry, with the ratings that it moved when it was made; `reverts`: the entry that it takes back, 0: none."""

    row: LogRow
    reverts: int
    moved: tuple[Moved, ...]


class GamePage(msgspec.Struct, frozen=True):
    """A game as it counts now."""

    game: int
    event: int
    event_name: str
    round: int
    board: int
    first: int
    first_name: str
    second: int
    second_name: str
    score: float | None
    other: float | None
    day: date | None
    voided: bool


class ActRow(msgspec.Struct, frozen=True):
    """A dated act of a person."""

    act: int
    list: str
    kind: str
    day: date | None
    rating: float | None
    games: int | None
    category: str
    voided: bool


class PersonPage(msgspec.Struct, frozen=True):
    """A person of the register, with all that an officer may change. `merged` are the other numbers of theirs; `now`
    is who the number is, if it is not theirs any more; `levels` say who sees what."""

    person: int
    now: int
    names: tuple[str, ...]
    identifiers: tuple[tuple[str, str], ...]
    born: int | None
    federations: tuple[tuple[date | None, str], ...]
    titles: tuple[tuple[date | None, str], ...]
    merged: tuple[int, ...]
    levels: dict[str, str]
    acts: tuple[ActRow, ...]
    lists: tuple[str, ...]


class Person(msgspec.Struct, frozen=True):
    """Somebody of the register, in a line."""

    person: int
    words: str


def front(office: Office, today: date, language: str = "en") -> DeskPage:
    """What waits."""
    with office.store.reading():
        rows = log(office, size=8, language=language).rows
        lists = due(office, today)
        unusual = tuple(_unusual(office, each.list, each.last) for each in lists if not each.trouble)
        return DeskPage(dict(inbox(office, most=0).counts), lists, unusual, rows)


def _unusual(office: Office, name: str, last: date | None) -> ListPatterns:
    """From the day before the last list on, so that the period which it closed is among them."""
    since = last - timedelta(days=1) if last else None
    found = office.keep(("patterns", name, since), lambda: tuple(patterns(office, name, since)))
    return ListPatterns(name, since, found)


def log(office: Office, before: int = 0, kind: str = "", size: int = SIZE, language: str = "en") -> LogPage:
    """The log, or the entries of one kind."""
    sql = "select seq from entry where (seq < ? or ? = 0) and (kind = ? or ? = '') order by seq desc limit ?"
    with office.store.reading():
        found = [row[0] for row in office.store.rows(sql, (before, before, kind, kind, size + 1))]
        kinds = tuple(row[0] for row in office.store.rows("select distinct kind from entry order by kind"))
        rows = tuple(_row(office, chain.entry(office.store, seq), language) for seq in found[:size])
    return LogPage(before, rows[-1].entry if len(found) > size else 0, kinds, rows)


def _row(office: Office, entry: chain.Entry, language: str) -> LogRow:
    back = reversible(office, entry)
    return LogRow(
        entry.seq,
        entry.at,
        entry.actor,
        entry.kind,
        words(entry, language, partial(written, language=language)),
        entry.reason,
        back,
    )


def entry(office: Office, number: int, language: str = "en") -> EntryPage:
    """One entry. Raises UnknownName for one that is not there."""
    with office.store.reading():
        try:
            held = chain.entry(office.store, number)
        except KeyError:
            raise UnknownName("entry", str(number), []) from None
        moved = tuple(changes.moves(moved_by(office, number)))
        return EntryPage(_row(office, held, language), held.body.get("reverts", 0), moved)


def game(office: Office, number: int) -> GamePage:
    """A game. Raises UnknownName for one that is not there."""
    columns = "event, round, board, first, second, score, other, day, voided"
    with office.store.reading():
        found = office.store.row(f"select {columns} from game where id = ?", (number,))
        if found is None:
            raise UnknownName("game", str(number), [])
        event, turn, board, first, second, score, other, day, voided = found
        names = office.names([first, second])
        title = office.store.value("select name from event where id = ?", (event,))
    sides = first, names[first], second, names[second]
    return GamePage(number, event, title, turn, board, *sides, score, other, day_of(day), bool(voided))


def event(office: Office, number: int) -> cards.EventPage:
    """An event with its games. Raises UnknownName for one that is not there."""
    return cards.event(office, number)


def act(office: Office, number: int) -> tuple[int, ActRow]:
    """A person's act, and whose it is. Raises UnknownName for one that is not there."""
    with office.store.reading():
        person = office.store.value("select person from act where id = ?", (number,))
        if person is None:
            raise UnknownName("act", str(number), [])
        return int(person), next(each for each in _acts(office, [person]) if each.act == number)


def _acts(office: Office, persons: list[int]) -> list[ActRow]:
    joined = "act join list on list.id = act.list"
    columns = "act.id, list.name, act.kind, day, rating, games, category, voided"
    sql = f"select {columns} from {joined} where person in ? order by act.day, act.id"
    rows = office.store.among(sql, persons)
    return [
        ActRow(number, name, kind, day_of(day), rating, games, category, bool(voided))
        for number, name, kind, day, rating, games, category, voided in rows
    ]


def person(office: Office, number: int) -> PersonPage:
    """A person. Raises UnknownName for a number that is nobody's."""
    store = office.store
    with store.reading():
        numbers = members(office, number)
        held = cards.find(office, number)
        told: dict[str, str] = dict(store.rows("select field, level from visibility where person = ?", (held.id,)))
        titles = store.rows("select since, code from title where person = ? order by since", (held.id,))
        return PersonPage(
            number,
            held.id,
            held.names,
            tuple(held.identifiers.items()),
            held.born.year if held.born else None,
            federations(office, held.id),
            tuple((day_of(since), code) for since, code in titles),
            tuple(numbers[1:]),
            {field: told.get(field, "") for field in LEVELS},
            tuple(_acts(office, numbers)),
            tuple(each.name for each in office.lists()),
        )


def last_erasure(office: Office) -> str:
    """When somebody was erased last; blank: nobody was."""
    sql = "select max(at) from entry where kind = 'erase'"
    return office.keep("last erasure", lambda: office.store.value(sql) or "")


def people(office: Office, q: str) -> tuple[Person, ...]:
    """People by number, identifier, or the beginnings of parts of a name, however its letters are written."""
    asked = q.strip()
    if not asked:
        return ()
    # A spelling has its words, of letters and digits, in the alphabet's order: a surname may stand anywhere.
    begun = [f"% {word}%" for word in spelling(asked).split()[:WORDS]]
    with office.store.reading():
        joined = "spelling join person on person.id = spelling.person"
        fits = " and ".join(["' ' || folded like ?"] * len(begun))
        sql = f"select distinct coalesce(merged, id) from {joined} where {fits} limit ?"
        found = {row[0] for row in office.store.rows(sql, (*begun, FOUND))} if begun else set()
        number = asked.partition(":")[2] or asked
        found |= {row[0] for row in office.store.rows("select person from identifier where number = ?", (number,))}
        if asked.isdecimal() and len(asked) < 10:
            found |= {row[0] for row in office.store.rows("select id from person where id = ?", (int(asked),))}
        register = known(office, sorted(found)[:FOUND])
        return tuple(Person(each.id, each.words()) for each in register.values())
