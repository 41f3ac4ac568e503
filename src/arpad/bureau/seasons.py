"""Seasons of a list: on a day everybody's rating is kept, set to a value, or pulled towards one, by acts of one entry.

    season(office, "club", date(2026, 9, 1), Pull(0.5), preview=True).changes       # everybody, before and after
    done = season(office, "club", date(2026, 9, 1), Pull(0.5), "the autumn season")
    revert(office, done.entry, "the assembly decided otherwise")                    # to the last digit

The list as it stood is published before, if it shall stay. Nothing is deleted: a season is facts like all others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from arpad.arithmetic import ROUNDINGS
from arpad.bureau.ladder_rows import LONGEST, utc
from arpad.bureau.lists import publish
from arpad.bureau.opened import Office, publication_days, replayed
from arpad.bureau.register import add_acts
from arpad.errors import UnknownName, UsageError
from arpad.expectation import validate_rating
from arpad.formats.hidden import typed
from arpad.ledger.facts import last_id
from arpad.model import Act
from arpad.rulebooks.schema import Rounding

if TYPE_CHECKING:
    from arpad.engine import History


class Keep(msgspec.Struct, frozen=True, tag_field="way", tag="keep"):
    """Everybody keeps what they have: a season has a name and a first day, and no act."""


class Reset(msgspec.Struct, frozen=True, tag_field="way", tag="reset"):
    """Everybody has `value`, with the games and the deviation that they had."""

    value: float


class Pull(msgspec.Struct, frozen=True, tag_field="way", tag="pull"):
    """Everybody's difference to `value` (None: the mean of all) shrinks by `share`, 0.5 for half of it. The change is
    rounded to whole points by a rule of `arithmetic.ROUNDINGS`."""

    share: float
    value: float | None = None
    rounding: Rounding = "half away from zero"


Way: TypeAlias = Keep | Reset | Pull


class SeasonChange(msgspec.Struct, frozen=True):
    """A person's exact rating as it stands now, without and with the season."""

    person: int
    name: str
    before: float
    after: float


class Season(msgspec.Struct, frozen=True):
    """A season that was begun, or previewed (`entry` 0; that of a season of `keep` too). `mean` is what ratings were
    pulled towards or set to; `published` says that the list as it stood is published."""

    list: str
    day: date
    name: str
    way: Way
    entry: int
    mean: float | None
    published: bool
    changes: tuple[SeasonChange, ...]


class SeasonBegun(msgspec.Struct, frozen=True):
    """A season of a list; `entry` has its acts (0: there are none), which do not count any more if it is
    `taken_back`."""

    list: str
    day: date
    name: str
    way: Way
    at: str
    entry: int
    taken_back: bool


def season(
    office: Office,
    name: str | None,
    day: date,
    way: Way,
    called: str = "",
    *,
    keep_list: bool = False,
    preview: bool = False,
) -> Season:
    """Begin a season on a day: its acts come before that day's games. `keep_list`: publish the day's list before, which
    stays as it was.

    Raises UsageError for numbers that cannot be, for a day before the list's base, and for one on which a season began;
    but one without acts, which nothing takes back, gives way to one that may have some.
    """
    _sound(way, called)
    store, ordinal = office.store, day.toordinal()
    with store.trying() if preview else store.writing():
        which = office.which(name)
        if ordinal < which.base:
            raise UsageError(f"{day} is before {date.fromordinal(which.base)}, where ratings begin")
        begun = [each for each in seasons(office, which.name) if each.day == day and not each.taken_back]
        if begun and (isinstance(way, Keep) or any(each.entry for each in begun)):
            raise UsageError(f"a season of list {which.name!r} began on {day} already; take it back first")
        store.run("delete from ladder_season where list = ? and day = ? and entry = 0", (which.id, ordinal))
        if keep_list and ordinal not in publication_days(store, which.id):
            publish(office, day, which.name)
        book = office.book(which)
        now = _held(replayed(store, which, book), ordinal=None)
        then = replayed(store, which, book, [ordinal])
        held = _held(then, ordinal)
        mean = _mean(way, [each["rating"] for each in held.values()])
        acts = [act for person, state in held.items() for act in _acts(way, mean, person, state, ordinal)]
        first = last_id(store, "act") + 1
        entry = add_acts(office, acts, which.name, called.strip() or f"season {day}") if acts else 0
        told = called.strip(), msgspec.json.encode(way).decode(), entry, first, len(acts)
        columns = ("list", "day", "at", "name", "way", "entry", "act", "acts")
        store.insert("ladder_season", columns, [(which.id, ordinal, utc().isoformat(), *told)])
        after = _held(replayed(store, which, book), None)
        names = office.names(int(person) for person in now)
        changes = tuple(
            SeasonChange(int(person), names[int(person)], state["rating"], after[person]["rating"])
            for person, state in now.items()
        )
        there = ordinal in publication_days(store, which.id)
    ordered = tuple(sorted(changes, key=lambda each: (-each.before, each.person)))
    return Season(which.name, day, called.strip(), way, 0 if preview else entry, mean, there, ordered)


def seasons(office: Office, name: str | None = None) -> list[SeasonBegun]:
    """The seasons of a list, the last one first."""
    which = office.which(name)
    valid = "select count(*) from act where voided = 0 and id between s.act and s.act + s.acts - 1"
    gone = f"acts > 0 and ({valid}) = 0"
    sql = f"select day, name, way, at, entry, {gone} from ladder_season s where list = ? order by day desc, at desc"
    return [
        SeasonBegun(which.name, date.fromordinal(day), called, msgspec.json.decode(way, type=Way), at, entry, bool(out))
        for day, called, way, at, entry, out in office.store.rows(sql, (which.id,))
    ]


def _sound(way: Way, called: str) -> None:
    if len(typed(called.strip())) > LONGEST:
        raise UsageError(f"a season's name has no more than {LONGEST} letters")
    if isinstance(way, Pull):
        if not 0 < way.share <= 1:
            raise UsageError(f"a share of {way.share:g} is none: it lies above 0 and is at most 1")
        if way.rounding not in ROUNDINGS:
            raise UnknownName("rounding", way.rounding, ROUNDINGS)
    if not isinstance(way, Keep) and way.value is not None:
        validate_rating(way.value)


def _held(history: History, ordinal: int | None) -> dict[str, Mapping[str, float]]:
    """The states of everybody who is rated, by person: at the end, or on a day that was looked at."""
    width, fields = history.system.width, history.system.fields
    state = history.state if ordinal is None else next(each.state for each in history.looked if each.day == ordinal)
    numbers = [float(value) for value in state]
    parts = ((person, numbers[width * at : width * at + width]) for at, person in enumerate(history.players))
    return {person: dict(zip(fields, part)) for person, part in parts if part[0] == part[0]}


def _mean(way: Way, ratings: Sequence[float]) -> float | None:
    if isinstance(way, Keep) or not ratings:
        return None
    return way.value if way.value is not None else sum(ratings) / len(ratings)


def _acts(way: Way, mean: float | None, person: str, state: Mapping[str, float], day: int) -> list[Act]:
    """What a season does to one person. To be pulled is an adjustment, which leaves all but the rating as it is."""
    from arpad.kernel import round_to

    if isinstance(way, Keep) or mean is None:
        return []
    if isinstance(way, Reset):
        return [Act("entry", person, day, way.value, int(state["games"]), deviation=state.get("deviation"))]
    change = round_to(way.share * (mean - state["rating"]), ROUNDINGS.index(way.rounding), 1.0)
    return [Act("adjustment", person, day, change)] if change else []
