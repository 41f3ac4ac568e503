"""From list to list: who is new, returned, left or inactive, who rose and fell; and the live list between two of them.

movement(office, date(2025, 7, 1))     # the list of that day against the one published before it
movement(office)                       # the live list against the last one published
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from arpad.bureau.lists import by_person
from arpad.bureau.opened import Office, RatingList, publication_days
from arpad.errors import UsageError


class Place(msgspec.Struct, frozen=True):
    """A person on a list, as printed."""

    person: int
    rank: int
    rating: float
    exact: float
    games: int
    last: int  # ordinal of the last game, 0: not known


class Listed(msgspec.Struct, frozen=True):
    """A list as it was published, or the live one (day 0)."""

    day: int
    places: Mapping[int, Place]


class Move(msgspec.Struct, frozen=True):
    """A person on one list and on the one before. `shared`: others have the rank too. `status`: new (on no list
    before), returned (on an earlier one, but not on the last), left, or blank; `inactive` as the rules see it."""

    rank: int | None
    shared: bool
    previous_rank: int | None
    person: int
    name: str
    rating: float | None
    previous: float | None
    change: float | None
    games: int | None
    status: str
    inactive: bool

    @property
    def places(self) -> int | None:
        """Places gained."""
        return None if self.rank is None or self.previous_rank is None else self.previous_rank - self.rank


class Movement(msgspec.Struct, frozen=True):
    """The difference of a list to the one before it; `day` None for the live list."""

    list: str
    day: date | None
    before: date | None
    moves: tuple[Move, ...]

    @property
    def summary(self) -> str:
        """One sentence of figures."""
        count = {status: sum(each.status == status for each in self.moves) for status in ("new", "returned", "left")}
        on = [each for each in self.moves if each.rank is not None]
        changes = [each.change for each in on if each.change]
        up = sum(change > 0 for change in changes)
        return (
            f"{len(on)} on the list: {count['new']} new, {count['returned']} returned, {count['left']} left, "
            f"{sum(each.inactive for each in on)} inactive; {up} rose, {len(changes) - up} fell"
        )


def movement(office: Office, day: date | None = None, name: str | None = None) -> Movement:
    """A published list, or without a day the live one, against the list published before it.

    Raises UsageError for a day without a published list.
    """
    with office.store.reading():
        which = office.which(name)
        days = publication_days(office.store, which.id)
        if day is not None and day.toordinal() not in days:
            known = ", ".join(date.fromordinal(each).isoformat() for each in days[-12:]) or "none yet"
            raise UsageError(f"list {which.name!r} of {day} was not published; published: {known}")
        now = live(office, which) if day is None else listed(office, which, day.toordinal())
        return moved_to(office, which, now, day)


def moved_to(office: Office, which: RatingList, now: Listed, day: date | None = None) -> Movement:
    """A list against the one published before its day; without a day, before now."""
    with office.store.reading():
        days = publication_days(office.store, which.id)
        earlier = [each for each in days if day is None or each < day.toordinal()]
        before = listed(office, which, earlier[-1]) if earlier else Listed(0, {})
        longer = {person for each in earlier[:-1] for person in listed(office, which, each).places}
        names = office.names({*now.places, *before.places})
        idle = idle_since(office, which, now.day or max((place.last for place in now.places.values()), default=0))
        moves = tuple(_moves(now, before, longer, names, idle))
    return Movement(which.name, day, date.fromordinal(before.day) if before.day else None, moves)


def _moves(now: Listed, before: Listed, longer: set[int], names: Mapping[int, str], idle: int | None) -> Iterator[Move]:
    ranks: dict[int, int] = {}
    for place in now.places.values():
        ranks[place.rank] = ranks.get(place.rank, 0) + 1
    for person, place in now.places.items():
        was = before.places.get(person)
        yield Move(
            place.rank,
            ranks[place.rank] > 1,
            was.rank if was else None,
            person,
            names[person],
            place.rating,
            was.rating if was else None,
            place.rating - was.rating if was else None,
            place.games - (was.games if was else 0),
            "" if was else "returned" if person in longer else "new",
            idle is not None and place.last < idle,
        )
    for person, was in before.places.items():
        if person not in now.places:
            yield Move(
                None, False, was.rank, person, names[person], None, was.rating, None, None, "left", inactive=False
            )


def idle_since(office: Office, which: RatingList, day: int) -> int | None:
    """The day (ordinal) since which one must have played to be active on the list of a day; None where the rules have
    no such term."""
    book = office.book(which)
    if not day:
        return None
    activity = book.editions[book.edition_index(day)].activity
    if activity is None:
        return None
    when = date.fromordinal(day)
    month = when.year * 12 + when.month - 1 - activity.months
    return date(month // 12, month % 12 + 1, min(when.day, 28)).toordinal()


def listed(office: Office, which: RatingList, day: int) -> Listed:
    """A list as it was published."""
    content = office.store.value("select content from publication where list = ? and day = ?", (which.id, day))
    return placed(bytes(content), day)


def placed(content: bytes, day: int) -> Listed:
    """A list out of its bytes."""
    held = msgspec.json.decode(content)
    return Listed(day, _places(held["columns"], held["rows"]))


def every_list(office: Office, which: RatingList) -> Iterator[Listed]:
    """The lists that were published, oldest first."""
    for day in publication_days(office.store, which.id):
        yield listed(office, which, day)


def live(office: Office, which: RatingList) -> Listed:
    """The list as it stands after all that the office knows, as it would be printed."""
    from arpad.views import ratings

    columns = by_person(ratings(office.history(which))).columns
    return Listed(0, _places(list(columns), list(zip(*columns.values()))))


def _places(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Mapping[int, Place]:
    at = [columns.index(each) for each in ("person", "rank", "rating", "rating_exact", "games", "last_date")]
    days: dict[Any, int] = {None: 0}
    found = {}
    for row in rows:
        person, rank, rating, exact, games, last = (row[each] for each in at)
        if last not in days:
            days[last] = (date.fromisoformat(last) if isinstance(last, str) else last).toordinal()
        found[person] = Place(person, rank, rating, exact, games, days[last])
    return found
