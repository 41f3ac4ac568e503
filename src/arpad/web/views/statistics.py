"""Records of a list, how it spreads and how it develops: what `bureau` finds, kept until something changes."""

from __future__ import annotations

from datetime import date

import msgspec

from arpad.bureau import drift, ranges
from arpad.bureau.opened import Office, publication_days
from arpad.bureau.ranges import Count, Range, Rank
from arpad.bureau.records import Records, records
from arpad.formats.federations import CONTINENTS
from arpad.titles import class_names

#: Ratings over which players are counted on every list, where nobody asks for others.
STEP, THRESHOLDS = 100.0, 6


class RecordsAsked(msgspec.Struct, frozen=True):
    """`over`: a rating that is looked for on every list; `part`: a continent."""

    over: float | None = None
    federation: str = ""
    part: str = ""


class RecordsPage(msgspec.Struct, frozen=True):
    asked: RecordsAsked
    parts: tuple[str, ...]
    records: Records


class DistributionAsked(msgspec.Struct, frozen=True):
    """`day` None: the live list; `rating`: whose rank on every list is asked."""

    day: date | None = msgspec.field(default=None, name="date")
    width: float = ranges.WIDTH
    classes: str = ""
    rating: float | None = None


class DistributionPage(msgspec.Struct, frozen=True):
    """A list by ranges of rating, highest first; `counts` of every published list; `ranks` of the rating asked for."""

    list: str
    asked: DistributionAsked
    days: tuple[date, ...]
    players: int
    most: int
    sets: tuple[str, ...]
    ranges: tuple[Range, ...]
    counts: tuple[Count, ...]
    ranks: tuple[Rank, ...]


class DevelopmentAsked(msgspec.Struct, frozen=True):
    """From which published list (None: the first) to which (the last); `width`: points of a range of differences."""

    since: date | None = msgspec.field(default=None, name="from")
    until: date | None = msgspec.field(default=None, name="to")
    width: float = drift.WIDTH


class DevelopmentPage(msgspec.Struct, frozen=True):
    asked: DevelopmentAsked
    development: drift.Development


def list_records(office: Office, name: str, asked: RecordsAsked) -> RecordsPage:
    """Raises UnknownName for a list or continent that is not there."""
    found = office.keep(
        ("records", name, asked),
        lambda: records(office, name, over=asked.over, federation=asked.federation.upper(), part=asked.part),
    )
    return RecordsPage(asked, tuple(CONTINENTS), found)


def distribution(office: Office, name: str, asked: DistributionAsked) -> DistributionPage:
    """Raises UnknownName for a list or set of class names, UsageError for a day without a list or a bad width."""
    with office.store.reading():
        which = office.which(name)
        days = tuple(date.fromordinal(day) for day in publication_days(office.store, which.id))
        key = "distribution", name, asked.day, asked.width, asked.classes
        held = office.keep(key, lambda: tuple(ranges.distribution(office, asked.day, name, asked.width, asked.classes)))
        thresholds = _thresholds(held)
        counted = office.keep(("counts", name, thresholds), lambda: tuple(ranges.counts(office, thresholds, name)))
        ranks = tuple(ranges.rank_of(office, asked.rating, name)) if asked.rating is not None else ()
    return DistributionPage(
        which.name,
        asked,
        days,
        sum(each.players for each in held),
        max((each.players for each in held), default=0),
        tuple(class_names()),
        held,
        counted,
        ranks,
    )


def development(office: Office, name: str, asked: DevelopmentAsked) -> DevelopmentPage:
    """Raises UnknownName for a list that is not there, UsageError for days without a list and a bad width."""
    found = office.keep(
        ("development", name, asked),
        lambda: drift.development(office, name, asked.since, asked.until, asked.width),
    )
    return DevelopmentPage(asked, found)


def _thresholds(held: tuple[Range, ...]) -> tuple[float, ...]:
    """Round ratings from near the top downwards."""
    top = max((each.low for each in held if each.players and each.low > float("-inf")), default=0.0)
    first = top // STEP * STEP
    return tuple(first - STEP * step for step in range(THRESHOLDS))
