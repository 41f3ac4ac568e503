"""People who are looked for, and games: one by its number, or all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

import msgspec

from arpad.bureau.cards import EventLine, Voided, event
from arpad.bureau.opened import Office
from arpad.bureau.people import federations_on
from arpad.bureau.register import titles_on
from arpad.errors import UnknownName
from arpad.ledger.facts import day_of
from arpad.ledger.spelling import folded
from arpad.ledger.store import Row as StoredRow
from arpad.web.views.lists import whole_list
from arpad.web.views.names import Names


class Found(msgspec.Struct, frozen=True):
    """A person: `rating` on the office's first list, as it stands now (None: unrated)."""

    person: int
    name: str
    title: str
    federation: str
    rating: float | None


class Directory(msgspec.Struct, frozen=True):
    """Everybody by name, as far as this audience may see them, and their names and numbers for searching."""

    people: tuple[Found, ...]
    names: Names


class FoundPage(msgspec.Struct, frozen=True):
    """People whose name has every part of what was looked for, or whose number it is."""

    q: str
    found: int
    start: int
    people: tuple[Found, ...]


class GamePage(msgspec.Struct, frozen=True):
    """A game, where it was played, and what it did on the list of its event; `voided`, if it does not count."""

    game: int
    event: int
    event_name: str
    line: EventLine | None
    voided: Voided | None


class GameRow(msgspec.Struct, frozen=True, gc=False):
    """A game that counts. Scores are None where it has no result yet; `event` tells where it was played."""

    game: int
    event: int
    date: date | None
    round: int
    board: int
    first: int
    first_name: str
    second: int
    second_name: str
    score: float | None
    other: float | None


def people(office: Office, q: str = "", start: int = 0, size: int | None = 100) -> FoundPage:
    """Everybody by name, or whoever is looked for."""
    whole = office.keep(("directory",), lambda: _directory(office))
    at = whole.names.called(q) if q.strip() else range(len(whole.people))
    end = None if size is None else start + size
    return FoundPage(q, len(at), start, tuple(whole.people[each] for each in at[start:end]))


def _directory(office: Office) -> Directory:
    with office.store.reading():
        persons = [row[0] for row in office.store.rows("select id from person where merged is null")]
        names = office.names(persons)
        hidden = office.unseen("identifiers", persons)
        numbers: dict[int, list[str]] = {}
        for person, number in office.store.rows("select person, number from identifier order by body"):
            if person not in hidden:
                numbers.setdefault(person, []).append(number)
        lists = office.lists()
        rows = whole_list(office, lists[0].name, None).rows if lists else ()
        ratings = {row.person: row.rating for row in rows}
        titles = titles_on(office, date.max.toordinal())
        federations = federations_on(office, persons, date.max)
    found = [
        Found(person, names[person], titles.get(person, ""), federations.get(person, ""), ratings.get(person))
        for person in sorted(persons, key=lambda person: (folded(names[person]), person))
    ]
    return Directory(
        tuple(found), Names.of((each.name, [each.person, *numbers.get(each.person, [])]) for each in found)
    )


def game(office: Office, number: int) -> GamePage:
    """A game by its number. Raises UnknownName for one that is not there."""
    with office.store.reading():
        where = office.store.value("select event from game where id = ?", (number,))
        if where is None:
            raise UnknownName("game", str(number), [])
        page = event(office, where)
    line = next((line for line in page.lines if line.game == number), None)
    voided = next((each for each in page.voided if each.game == number), None)
    return GamePage(number, where, page.name, line, voided)


def games(office: Office, after: int = 0, size: int = 1000) -> Sequence[GameRow]:
    """The next games that count, by number, behind one of them."""
    columns = "game.id, event, day, round, board, first, second, score, other"
    sql = f"select {columns} from game where voided = 0 and id > ? order by id limit {int(size)}"
    with office.store.reading():
        rows = office.store.rows(sql, (after,))
        both = {person for row in rows for person in row[5:7]}
        merged: dict[int, int] = dict(
            office.store.among("select id, merged from person where merged is not null and id in ?", both)
        )
        names = office.names({merged.get(person, person) for person in both})
    return list(_rows(rows, merged, names))


def _rows(rows: Sequence[StoredRow], merged: dict[int, int], names: dict[int, str]) -> Iterator[GameRow]:
    for number, where, day, place, board, first, second, score, other in rows:
        both: tuple[int, int] = first, second
        one, two = (merged.get(person, person) for person in both)
        yield GameRow(number, where, day_of(day), place, board, one, names[one], two, names[two], score, other)
