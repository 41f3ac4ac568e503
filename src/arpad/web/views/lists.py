"""A rating list: as published, as the facts are now, or live between two publications; searched, filtered, sorted."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from datetime import date
from functools import cached_property
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from arpad.bureau import lists, movement
from arpad.bureau.movement import Place
from arpad.bureau.opened import Office, RatingList, publication_days
from arpad.bureau.people import federations_on
from arpad.bureau.pinning import rules_told
from arpad.bureau.register import titles_on
from arpad.formats import Table
from arpad.ledger.facts import day_of
from arpad.ledger.spelling import folded
from arpad.web.views.names import Names

Kind: TypeAlias = Literal["published", "revised", "live"]
Sort: TypeAlias = Literal["rank", "name", "rating", "change", "games", "played"]

#: Rows of a page, unless asked for otherwise, and the most that may be asked for.
SIZE, MOST = 50, 1000


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
    """Rows of a list from `start` on. `players` are on the whole list, `found` after search and filters; `ladder`: its
    players report matches themselves."""

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
    ladder: bool


class Whole(msgspec.Struct, frozen=True, dict=True):
    """A whole list, made once: its rows by rank, and their names for searching. Rows are told by their place; what is
    asked of many visitors' requests is made at the first one."""

    day: date | None
    before: date | None
    sha256: str
    rows: tuple[Row, ...]
    names: Names

    def of(self, person: int) -> Row | None:
        """Somebody's row."""
        place = self._places.get(person)
        return None if place is None else self.rows[place]

    @cached_property
    def _places(self) -> Mapping[int, int]:
        return {row.person: place for place, row in enumerate(self.rows)}

    @cached_property
    def federations(self) -> Mapping[str, Set[int]]:
        return self._grouped(lambda row: [row.federation])

    @cached_property
    def titles(self) -> Mapping[str, Set[int]]:
        return self._grouped(lambda row: [row.title])

    @cached_property
    def statuses(self) -> Mapping[str, Set[int]]:
        return self._grouped(lambda row: [row.status, "inactive" if row.inactive else "active"])

    @cached_property
    def _orders(self) -> dict[Sort, tuple[Sequence[int], Sequence[int]]]:
        return {}

    def ordered(self, sort: Sort) -> tuple[Sequence[int], Sequence[int]]:
        """Rows by what they are sorted by, ascending, and the place of each row in that; no value comes first."""
        if sort not in self._orders:
            keys = [_key(row, sort) for row in self.rows]
            order = sorted(range(len(keys)), key=keys.__getitem__)
            places = sorted(range(len(order)), key=order.__getitem__)
            self._orders[sort] = order, places
        return self._orders[sort]

    def _grouped(self, names: Callable[[Row], Iterable[str]]) -> Mapping[str, Set[int]]:
        groups: dict[str, set[int]] = {}
        for place, row in enumerate(self.rows):
            for name in names(row):
                if name:
                    groups.setdefault(name, set()).add(place)
        return dict(sorted(groups.items()))


def _key(row: Row, sort: Sort) -> tuple[bool, Any]:
    value = folded(row.name) if sort == "name" else getattr(row, sort)
    return value is not None, value


def ratings(office: Office, asked: Asked) -> ListPage:
    """A page of a list. Raises UnknownName for a list that is not there, UsageError for a day without one."""
    with office.store.reading():
        which, days, whole = _shown(office, asked)
    found = chosen(whole, asked)
    start = max(0, min(asked.start, len(found)))
    size = max(1, min(asked.size, MOST))
    return ListPage(
        which.name,
        rules_told(which.rules),
        asked.kind if days else "live",
        whole.day,
        whole.before,
        days,
        whole.sha256,
        len(whole.rows),
        len(found),
        start,
        size,
        tuple(whole.federations),
        tuple(whole.titles),
        tuple(whole.rows[place] for place in found[start : start + size]),
        bool(office.store.value("select open from ladder where list = ?", (which.id,))),
    )


def own_row(office: Office, asked: Asked, person: int | None) -> Row | None:
    """The row of whoever asks on the list that a page shows, whatever its search and filters leave; None where they are
    not on it. Raises as `ratings` does."""
    if person is None:
        return None
    with office.store.reading():
        own = office.store.value("select coalesce(merged, id) from person where id = ?", (person,))
        return _shown(office, asked)[2].of(own)


def _shown(office: Office, asked: Asked) -> tuple[RatingList, tuple[date, ...], Whole]:
    """Which list is asked, the days of its publications, and the whole of what is shown of it."""
    which = office.which(asked.list)
    days = tuple(date.fromordinal(day) for day in publication_days(office.store, which.id))
    return which, days, whole_list(office, which.name, asked.day or (days[-1] if days else None), asked.kind)


def whole_list(office: Office, name: str, day: date | None, kind: Kind = "published") -> Whole:
    """Every row of a list; the live one where none was published yet."""
    if kind == "live" or day is None:
        return office.keep(("list", name, None), lambda: _moved(office, name, None))
    if kind == "revised":
        return office.keep(("revised", name, day), lambda: _revised(office, name, day))
    return office.keep(("list", name, day), lambda: _moved(office, name, day))


def every_row(office: Office, asked: Asked) -> tuple[ListPage, Sequence[Row]]:
    """All rows that a list shows after search and filters, in its order, and the page on which they begin."""
    page = ratings(office, replace(asked, start=0, size=1))
    whole = whole_list(office, page.list, page.day, page.kind)
    return page, [whole.rows[place] for place in chosen(whole, asked)]


def exported(office: Office, asked: Asked) -> Table:
    """The same as a table for files."""
    page, rows = every_row(office, asked)
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
                day_of(place.last),
                move.status if moved.before else "",
                move.inactive,
            )
        )
    return _whole(day, moved.before, digest, rows)


def _revised(office: Office, name: str, day: date) -> Whole:
    """As the facts are now, beside what was printed: `change` is from the published rating to the revised one. Raises
    UsageError for a day without a list."""
    lists.published(office, day, name)
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
                day_of(place.last),
                "",
                inactive=False,
            )
        )
    return _whole(day, day, "", rows)


def _titles(office: Office, day: date | None) -> dict[int, str]:
    return titles_on(office, (day or date.max).toordinal())


def _whole(day: date | None, before: date | None, sha256: str, rows: Sequence[Row]) -> Whole:
    return Whole(day, before, sha256, tuple(rows), Names.of((row.name, [row.person]) for row in rows))


def chosen(whole: Whole, asked: Asked) -> Sequence[int]:
    """The rows that search and filters leave, in order; who has nothing to be sorted by comes last, whichever way."""
    everybody = range(len(whole.rows))
    found: Sequence[int] = whole.names.called(asked.q) if asked.q.strip() else everybody
    groups = (whole.federations, asked.federation.upper()), (whole.titles, asked.title.upper())
    for group, name in (*groups, (whole.statuses, asked.status)):
        if name:
            inside = group.get(name, frozenset())
            found = sorted(inside) if found is everybody else [place for place in found if place in inside]
    if asked.sort == "rank":
        return found[::-1] if asked.down else found
    order, places = whole.ordered(asked.sort)
    ordered = order if found is everybody else sorted(found, key=places.__getitem__)
    blank = _blanks(whole, ordered, asked.sort)
    if not blank and not asked.down:
        return ordered
    return [*(ordered[blank:][::-1] if asked.down else ordered[blank:]), *ordered[:blank]]


def _blanks(whole: Whole, ordered: Sequence[int], sort: Sort) -> int:
    """How many of the first have nothing to be sorted by."""
    return bisect_left(ordered, True, key=lambda place: _key(whole.rows[place], sort)[0])
