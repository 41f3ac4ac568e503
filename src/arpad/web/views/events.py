"""The events of an office, the newest first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import msgspec

from arpad.bureau.opened import Office
from arpad.ledger.facts import day_of
from arpad.web.views.names import sought

#: Events of a page unless asked for otherwise, and the most that may be asked for.
SIZE, MOST = 50, 500


class Asked(msgspec.Struct, frozen=True):
    """Which events: by parts of the name, and by pool."""

    q: str = ""
    pool: str | None = None
    start: int = 0
    size: int = SIZE


class Row(msgspec.Struct, frozen=True, gc=False):
    """An event of the list. `games` are those that count."""

    event: int
    name: str
    start: date | None
    end: date | None
    pool: str
    players: int
    games: int


class EventsPage(msgspec.Struct, frozen=True):
    """Some of the `found` events, from `start` on, the newest first."""

    found: int
    start: int
    size: int
    pools: tuple[str, ...]
    rows: tuple[Row, ...]


def events(office: Office, asked: Asked) -> EventsPage:
    """A page of events."""
    with office.store.reading():
        every = office.keep(("events",), lambda: _every(office))
        parts = sought(asked.q).split()
        found = [each for each in every if parts and all(part in each[5] for part in parts)]
        wanted = found if asked.q.strip() else every
        if asked.pool is not None:
            wanted = [each for each in wanted if each[4] == asked.pool]
        start, size = max(0, min(asked.start, len(wanted))), max(1, min(asked.size, MOST))
        shown = wanted[start : start + size]
        counts = _counts(office, [each[0] for each in shown])
        rows = tuple(
            Row(number, name, day_of(begins), day_of(ends), pool, *counts.get(number, (0, 0)))
            for number, name, begins, ends, pool, _ in shown
        )
        return EventsPage(len(wanted), start, size, tuple(sorted({each[4] for each in every})), rows)


def _every(office: Office) -> list[tuple[int, str, int, int, str, str]]:
    found = office.store.rows("select id, name, starts, ends, pool from event order by ends desc, starts desc, id desc")
    return [(*row, sought(row[1])) for row in found]


def _counts(office: Office, numbers: Sequence[int]) -> dict[int, tuple[int, int]]:
    """(players, games) of events."""
    people: dict[int, set[int]] = {}
    games: dict[int, int] = {}
    sql = "select event, first, second from game where voided = 0 and event in ?"
    for event, first, second in office.store.among(sql, numbers):
        people.setdefault(event, set()).update((first, second))
        games[event] = games.get(event, 0) + 1
    return {event: (len(people[event]), games[event]) for event in games}
