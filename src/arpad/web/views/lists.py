"""A rating list: as published, as the facts are now, or live between two publications; searched, filtered, sorted."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import accumulate
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from arpad.bureau import lists, movement
from arpad.bureau.movement import Place
from arpad.bureau.opened import Office, publication_days
from arpad.bureau.people import federations_on
from arpad.bureau.register import titles_on
from arpad.formats import Table
from arpad.ledger.spelling import folded, spelling

Kind: TypeAlias = Literal["published", "revised", "live"]
Sort: TypeAlias = Literal["rank", "name", "rating", "change", "games", "played"]

#: Rows of a page, unless asked for otherwise, and the most that may be asked for.
SIZE, MOST = 100, 1000


class Asked(msgspec.Struct, frozen=True):
    """Which list, and what of it. `day` None: the last one published; `q`: parts of a name, or a number."""

    list: str | None = None
    day: date | None = msgspec.field(default=None, name="date")
    kind: Kind = msgspec.field(default="published", name="view")
    q: str = ""
    federation: str = ""
    title: str = ""
    status: str = ""
    sort: Sort = "rank"
    down: bool = False
    start: int = 0
    size: int = SIZE


class Row(msgspec.Struct, frozen=True, gc=False):
    """A person on a list. `change` is since the list before; `games` are all that the list counts, `played` those since
    the list before; `shared`: others have the rank too; `status`: new, returned, or blank."""

    rank: int
    shared: bool
    previous_rank: int | None
    person: int
    name: str
    title: str
    federation: str
    rating: float
    exact: float
    change: float | None
    games: int
    played: int | None
    last: date | None
    status: str
    inactive: bool


class ListPage(msgspec.Struct, frozen=True):
    """Rows of a list from `start` on. `players` are on the whole list, `found` after search and filters."""

    list: str
    rules: str
    kind: Kind
    day: date | None
    before: date | None
    days: tuple[date, ...]
    sha256: str
    players: int
    found: int
    start: int
    size: int
    federations: tuple[str, ...]
    titles: tuple[str, ...]
    rows: tuple[Row, ...]


class Whole(msgspec.Struct, frozen=True):
    """A whole list, made once: its rows by rank, and the folded names in one text for searching."""

    day: date | None
    before: date | None
    sha256: str
    rows: tuple[Row, ...]
    text: str
    starts: tuple[int, ...]

    def called(self, q: str) -> list[Row]:
        """Rows whose name has every part of what was typed, however ö and ø are written; or whose number it is."""
        parts = sorted(spelling(q).split(), key=len, reverse=True)
        found: list[Row] = []
        at = self.text.find(parts[0]) if parts else -1
        while at >= 0:
            row = bisect_right(self.starts, at) - 1
            end = self.starts[row + 1] if row + 1 < len(self.starts) else len(self.text)
            if all(self.text.find(part, self.starts[row], end) >= 0 for part in parts[1:]):
                found.append(self.rows[row])
            at = self.text.find(parts[0], end)
        return found


def ratings(office: Office, asked: Asked) -> ListPage:
    """A page of a list. Raises UnknownName for a list that is not there, UsageError for a day without one."""
    with office.store.reading():
        which = office.which(asked.list)
        days = tuple(date.fromordinal(day) for day in publication_days(office.store, which.id))
        whole = whole_list(office, which.name, asked.day or (days[-1] if days else None), asked.kind)
    found = chosen(whole, asked)
    start = max(0, min(asked.start, len(found)))
    size = max(1, min(asked.size, MOST))
    return ListPage(
        which.name,
        which.rules,
        asked.kind if days else "live",
        whole.day,
        whole.before,
        days,
        whole.sha256,
        len(whole.rows),
        len(found),
        start,
        size,
        tuple(sorted({row.federation for row in whole.rows if row.federation})),
        tuple(sorted({row.title for row in whole.rows if row.title})),
        tuple(found[start : start + size]),
    )


def whole_list(office: Office, name: str, day: date | None, kind: Kind = "published") -> Whole:
    """Every row of a list; the live one where none was published yet."""
    if kind == "live" or day is None:
        return office.keep(("list", name, None), lambda: _moved(office, name, None))
    if kind == "revised":
        return office.keep(("revised", name, day), lambda: _revised(office, name, day))
    return office.keep(("list", name, day), lambda: _moved(office, name, day))


def exported(office: Office, asked: Asked) -> Table:
    """All rows that a list shows after search and filters, in its order, as a table for files."""
    page = ratings(office, replace(asked, start=0, size=1))
    rows = chosen(whole_list(office, page.list, page.day, page.kind), asked)
    return Table(page.list, {name: [getattr(row, name) for row in rows] for name in Row.__struct_fields__})


def _moved(office: Office, name: str, day: date | None) -> Whole:
    which = office.which(name)
    moved = movement.movement(office, day, name)
    digest = lists.published(office, day, name).sha256 if day else ""
    listed = movement.listed(office, which, day.toordinal()) if day else movement.live(office, which)
    told = {move.person: move for move in moved.moves if move.rank is not None}
    people = list(listed.places)
    titles, federations = _titles(office, day), federations_on(office, people, day or date.max)
    rows = []
    for person, place in listed.places.items():
        move = told[person]
        rows.append(
            Row(
                place.rank,
                move.shared,
                move.previous_rank,
                person,
                move.name,
                titles.get(person, ""),
                federations.get(person, ""),
                place.rating,
                place.exact,
                move.change,
                place.games,
                move.games if moved.before else None,
                _day(place.last),
                move.status if moved.before else "",
                move.inactive,
            )
        )
    return _whole(day, moved.before, digest, rows)


def _revised(office: Office, name: str, day: date) -> Whole:
    """As the facts are now, beside what was printed: `change` is from the published rating to the revised one."""
    table = lists.revised(office, day, name).columns
    printed = lists.printed_on(office, office.which(name), day.toordinal())
    fields = ("person", "rank", "rating", "rating_exact", "games", "last_date")
    places = [
        Place(person, rank, rating, exact, games, last.toordinal() if last else 0)
        for person, rank, rating, exact, games, last in zip(*(table[field] for field in fields))
    ]
    ranks: dict[int, int] = {}
    for place in places:
        ranks[place.rank] = ranks.get(place.rank, 0) + 1
    names = dict(zip(table["person"], table["name"]))
    titles, federations = _titles(office, day), federations_on(office, names, day)
    rows = []
    for place in places:
        was = printed.get(place.person)
        rows.append(
            Row(
                place.rank,
                ranks[place.rank] > 1,
                None,
                place.person,
                names[place.person],
                titles.get(place.person, ""),
                federations.get(place.person, ""),
                place.rating,
                place.exact,
                None if was is None else place.rating - was,
                place.games,
                None,
                _day(place.last),
                "",
                inactive=False,
            )
        )
    return _whole(day, day, "", rows)


def _titles(office: Office, day: date | None) -> dict[int, str]:
    return titles_on(office, (day or date.max).toordinal())


def _day(ordinal: int) -> date | None:
    return date.fromordinal(ordinal) if ordinal else None


def _whole(day: date | None, before: date | None, sha256: str, rows: Sequence[Row]) -> Whole:
    lines = [f"{spelling(row.name)} {row.person}\n" for row in rows]
    starts = tuple(accumulate((len(each) for each in lines[:-1]), initial=0)) if rows else ()
    return Whole(day, before, sha256, tuple(rows), "".join(lines), starts)


def chosen(whole: Whole, asked: Asked) -> Sequence[Row]:
    """The rows that search and filters leave, in order."""
    rows: Iterable[Row] = whole.called(asked.q) if asked.q.strip() else whole.rows
    if asked.federation:
        rows = [row for row in rows if row.federation == asked.federation.upper()]
    if asked.title:
        rows = [row for row in rows if row.title == asked.title.upper()]
    if asked.status:
        rows = [row for row in rows if _is(row, asked.status)]
    return _ordered(rows, asked)


def _is(row: Row, status: str) -> bool:
    if status in ("active", "inactive"):
        return row.inactive == (status == "inactive")
    return row.status == status


def _ordered(rows: Iterable[Row], asked: Asked) -> Sequence[Row]:
    """By rank, unless asked for otherwise; who has no such value comes last, whichever way."""
    if asked.sort == "rank":
        return list(rows)[::-1] if asked.down else list(rows)
    if asked.sort == "name":
        return sorted(rows, key=lambda row: folded(row.name), reverse=asked.down)
    found = list(rows)
    with_value = [row for row in found if getattr(row, asked.sort) is not None]
    without = [row for row in found if getattr(row, asked.sort) is None]
    return [*sorted(with_value, key=lambda row: float(getattr(row, asked.sort)), reverse=asked.down), *without]
