"""What an office has: its lists, what was published of each, and how it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from arpad import __version__
from arpad.bureau import lists as published
from arpad.bureau.ladder import person_of
from arpad.bureau.opened import Office, RatingList
from arpad.bureau.pinning import rules_told
from arpad.errors import UnknownName, UsageError
from arpad.ledger.facts import day_of
from arpad.web.views.lists import Row, whole_list

#: Rows around a place.
AROUND, MOST_AROUND = 5, 50


class Publication(msgspec.Struct, frozen=True):
    """A list as it was published: `sha256` of its bytes, and the entry of the log that published it."""

    list: str
    day: date
    players: int
    size: int
    sha256: str
    entry: int
    at: str


class ListOf(msgspec.Struct, frozen=True):
    """A list that the office keeps. `digest` is its rulebook's, `since` the day from which on games count (None: all),
    `last` what was published last."""

    name: str
    rules: str
    digest: str
    settings: Mapping[str, Any]
    pool: str
    since: date | None
    publications: int
    last: Publication | None


class Lists(msgspec.Struct, frozen=True):
    lists: tuple[ListOf, ...]


class Publications(msgspec.Struct, frozen=True):
    """What was published of a list, the last first."""

    list: str
    publications: tuple[Publication, ...]


class Around(msgspec.Struct, frozen=True):
    """The rows of a list around a person or rating. `rank` is theirs, or the one that the rating would have."""

    list: str
    day: date | None
    players: int
    rank: int
    rows: tuple[Row, ...]


class Status(msgspec.Struct, frozen=True):
    """How an office stands: `head` and `hash` are of the last entry of its log, `at` is when it was written."""

    program: str
    version: str
    head: int
    hash: str
    at: str | None
    people: int
    games: int
    lists: tuple[ListOf, ...]


def every_list(office: Office) -> Lists:
    with office.store.reading():
        return Lists(tuple(_list(office, which) for which in office.lists()))


def one_list(office: Office, name: str) -> ListOf:
    """Raises UnknownName for a list that is not there."""
    with office.store.reading():
        return _list(office, office.which(name))


def publications(office: Office, name: str) -> Publications:
    """Raises UnknownName for a list that is not there."""
    with office.store.reading():
        which = office.which(name)
        return Publications(which.name, tuple(_published(office, which)))


def frozen(office: Office, name: str, day: date) -> published.Published:
    """A list's very bytes. Raises UnknownName for a list that is not there or was not published on that day."""
    with office.store.reading():
        which = office.which(name)
        try:
            return published.published(office, day, which.name)
        except UsageError:
            known = [str(each.day) for each in _published(office, which)]
            raise UnknownName(f"publication of list {which.name!r}:", str(day), known) from None


def around(office: Office, name: str, person: int | None, rating: float | None, size: int = AROUND) -> Around:
    """The live list around a person, or around a rating. Raises UnknownName for a list or a person that is not there,
    UsageError unless one of the two is named."""
    if (person is None) == (rating is None):
        raise UsageError("name a person or a rating, one of the two")
    with office.store.reading():
        which = office.which(name)
        whole = whole_list(office, which.name, None)
        meant = None if person is None else person_of(office, person)
    if person is not None:
        at = next((at for at, row in enumerate(whole.rows) if row.person == meant), None)
        if at is None:
            raise UnknownName(f"person on list {which.name!r}:", str(person), [])
        rank = whole.rows[at].rank
    else:
        assert rating is not None
        at = sum(row.rating > rating for row in whole.rows)
        rank = at + 1
    rows = whole.rows[max(0, at - size) : at + size + 1]
    return Around(which.name, whole.day, len(whole.rows), rank, rows)


def status(office: Office) -> Status:
    with office.store.reading():
        last = office.store.row("select seq, hash, at from entry order by seq desc limit 1")
        seq, digest, at = last or (0, "", None)
        people = office.store.value("select count(*) from person where merged is null")
        games = office.store.value("select count(*) from game where voided = 0")
        return Status("arpad", __version__, seq, digest, at, people, games, every_list(office).lists)


def _list(office: Office, which: RatingList) -> ListOf:
    found = _published(office, which)
    return ListOf(
        which.name,
        rules_told(which.rules),
        which.digest,
        which.settings,
        which.pool,
        day_of(which.base),
        len(found),
        found[0] if found else None,
    )


def _published(office: Office, which: RatingList) -> Sequence[Publication]:
    """All publications of a list, the last first; who is on one is counted once, since it never changes."""
    sql = (
        "select day, length(content), sha256, entry, at from publication join entry on entry.seq = publication.entry "
        "where list = ? order by day desc"
    )
    return [
        Publication(
            which.name,
            date.fromordinal(day),
            len(published.printed_on(office, which, day)),
            size,
            digest,
            entry,
            at,
        )
        for day, size, digest, entry, at in office.store.rows(sql, (which.id,))
    ]
