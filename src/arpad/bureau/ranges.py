"""How a list spreads: players by range of ratings, over thresholds on each list, and the rank any rating would have."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from datetime import date

import msgspec

from arpad.bureau.movement import Listed, every_list, listed, live
from arpad.bureau.opened import Office, publication_days
from arpad.bureau.register import titles_on
from arpad.errors import UsageError

#: Points of a range, unless asked for otherwise, and how many ranges a list is told in at most.
WIDTH, MOST = 100.0, 500


class Range(msgspec.Struct, frozen=True):
    """Players from a rating up to, and without, the next one; `name` where a set of class names has one for it, and how
    many of them have each title."""

    low: float
    below: float
    name: str
    players: int
    share: float
    titled: dict[str, int]


class Count(msgspec.Struct, frozen=True):
    """How many of a list have at least each threshold."""

    day: date
    players: int
    over: dict[str, int]


class Rank(msgspec.Struct, frozen=True):
    """The rank that a rating has, or would have, on a list of so many."""

    day: date | None
    rank: int
    players: int


def check_width(width: float) -> None:
    """Raises UsageError for a width that ranges cannot have."""
    if not 0 < width < math.inf:
        raise UsageError(f"ranges are {width:g} wide: they must have a width above zero, and an end")


def distribution(
    office: Office, day: date | None = None, name: str | None = None, width: float = WIDTH, classes: str = ""
) -> list[Range]:
    """Players of a published list, or without a day of the live one, by ranges, highest first.

    `classes`: a set of class names, whose limits take the place of ranges of a `width`.
    """
    from arpad.titles import class_names

    check_width(width)
    named = class_names()
    if classes and classes not in named:
        from arpad.errors import UnknownName

        raise UnknownName("set of names", classes, named)
    with office.store.reading():
        held = _of(office, day, name)
        when = held.day or max((place.last for place in held.places.values()), default=0)
        titles = titles_on(office, when)
    ratings = {place.person: place.rating for place in held.places.values()}
    if not ratings:
        return []
    top, bottom = max(ratings.values()), min(ratings.values())
    if classes:
        rows = [(float(row.low), row.name["en"]) for row in named[classes].rows]
        if rows[-1][0] > bottom:
            rows.append((-math.inf, ""))
    else:
        first, last = math.floor(bottom / width), math.floor(top / width)
        if last - first >= MOST:
            raise UsageError(f"ranges {width:g} wide would be {last - first + 1}; ask for wider ones (at most {MOST})")
        rows = [(width * step, "") for step in range(last, first - 1, -1)]
    found, below = [], math.inf if classes else rows[0][0] + width
    for low, called in rows:
        inside = [person for person, rating in ratings.items() if low <= rating < below]
        held_titles = sorted(title for person in inside if (title := titles.get(person)))
        counted = {title: held_titles.count(title) for title in dict.fromkeys(held_titles)}
        found.append(Range(low, below, called, len(inside), len(inside) / len(ratings), counted))
        below = low
    return found


def counts(office: Office, thresholds: Sequence[float], name: str | None = None) -> list[Count]:
    """How many had at least each of some ratings, on every published list."""
    with office.store.reading():
        return [
            Count(
                date.fromordinal(each.day),
                len(each.places),
                {f"{low:g}": sum(place.rating >= low for place in each.places.values()) for low in thresholds},
            )
            for each in every_list(office, office.which(name))
        ]


def rank_of(office: Office, rating: float, name: str | None = None) -> list[Rank]:
    """The rank that a rating would have on every published list, and on the live one (no day): one more than how many
    are above it."""
    if rating != rating:
        raise UsageError("a rank is asked of a number")
    with office.store.reading():
        which = office.which(name)
        found = []
        for each in [*every_list(office, which), live(office, which)]:
            ratings = sorted(place.rating for place in each.places.values())
            above = len(ratings) - bisect_right(ratings, rating)
            found.append(Rank(date.fromordinal(each.day) if each.day else None, above + 1, len(ratings)))
        return found


def _of(office: Office, day: date | None, name: str | None) -> Listed:
    which = office.which(name)
    if day is None:
        return live(office, which)
    if day.toordinal() not in publication_days(office.store, which.id):
        raise UsageError(f"list {which.name!r} of {day} was not published")
    return listed(office, which, day.toordinal())
