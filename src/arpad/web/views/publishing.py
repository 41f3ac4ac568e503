"""Publishing on the desk: which lists are due, what the list of a day would be, and what differs from those printed."""

from __future__ import annotations

import hashlib
from datetime import date, timedelta
from itertools import pairwise
from statistics import median_low
from typing import TYPE_CHECKING

import msgspec

from arpad.bureau import lists
from arpad.bureau.lists import Difference
from arpad.bureau.movement import Move, moved_to, placed
from arpad.bureau.opened import Office, RatingList, publication_days
from arpad.errors import ArpadError, LedgerError, UsageError
from arpad.periods import Period
from arpad.web.views.reports import inbox, unmoved

if TYPE_CHECKING:
    from arpad.engine import Progress

#: People of a draft that a page shows; all of them are in the published list.
SHOWN = 200


class Due(msgspec.Struct, frozen=True):
    """A list with its last publication, and the day of the next one, as far as its rules or its past say one. `cadence`
    is how the rulebook puts it; `differing`: people whose printed rating is another one as the facts are now, None
    where its rulebook is another one now; `trouble` says so."""

    list: str
    rules: str
    cadence: str
    last: date | None
    next: date | None
    due: bool
    differing: int | None
    trouble: str


class Draft(msgspec.Struct, frozen=True):
    """The list of a day as it would be published after the entry `head`, against the one before. `sha256` is the digest
    that it will have. The warnings: `held` reports wait; `skipped` days of lists were left out; `future`: the day is to
    come; `far`: so far that it has to be said that it is meant; `published`: it was published already."""

    list: str
    day: date
    before: date | None
    head: int
    sha256: str
    players: int
    new: int
    returned: int
    left: int
    rose: int
    fell: int
    moves: tuple[Move, ...]
    held: int
    skipped: tuple[date, ...]
    future: bool
    far: bool
    published: bool


class PublicationDone(msgspec.Struct, frozen=True):
    """A list that was published, by this entry of the log."""

    list: str
    day: date
    sha256: str
    players: int
    entry: int


class Issued(msgspec.Struct, frozen=True):
    """A list as it was published, by this entry of the log, and the day of the one before."""

    list: str
    day: date
    sha256: str
    players: int
    entry: int
    before: date | None


class Compared(msgspec.Struct, frozen=True):
    """A published list beside the same list as the facts are now."""

    list: str
    day: date
    differences: tuple[Difference, ...]


def due(office: Office, today: date) -> tuple[Due, ...]:
    """Every list of the office: when it was published last, and whether the next one is due."""
    with office.store.reading():
        return tuple(_due(office, which, today) for which in office.lists())


def _due(office: Office, which: RatingList, today: date) -> Due:
    days = publication_days(office.store, which.id)
    last = date.fromordinal(days[-1]) if days else None
    try:
        book = office.book(which)
        following = next_day(office, which, last or today)
        differing = office.keep(("differing", which.id), lambda: _differing(office, which.name, last))
    except LedgerError as error:
        return Due(which.name, which.rules, "", last, None, due=False, differing=None, trouble=str(error))
    except ArpadError as error:  # facts that its rules do not settle
        return Due(which.name, which.rules, book.cadence, last, None, due=False, differing=None, trouble=str(error))
    is_due = last is None or (following is not None and following <= today)
    return Due(which.name, which.rules, book.cadence, last, following, is_due, differing, "")


def _differing(office: Office, name: str, last: date | None) -> int:
    """People whose rating on a list as published is another one now."""
    return len(lists.compare(office, last, name)) if last else 0


def next_day(office: Office, which: RatingList, after: date) -> date | None:
    """The first day of a list after a day: where the next period of its rules begins; of rules without periods, as long
    after as was usual so far; None where nothing says."""
    book = office.book(which)
    unit = book.editions[book.edition_index(after.toordinal())].unit.of
    if unit.startswith("period:"):
        return date.fromordinal(Period.parse(unit).around(after.toordinal())[1])
    days = publication_days(office.store, which.id)
    steps = [later - earlier for earlier, later in pairwise(days)]
    return after + timedelta(days=median_low(steps)) if steps else None


def draft(office: Office, day: date, name: str | None, today: date) -> Draft:
    """The list of a day as it would be published. Raises UsageError for a day before the list begins."""
    with office.store.reading():
        which = office.which(name)
        _begins(which, day)
        content = lists.drafted(office, which, day)
        now = placed(content, day.toordinal())
        moved = moved_to(office, which, now, day)
        on = [each for each in moved.moves if each.rank is not None]
        waiting = inbox(office, most=0).counts
        shown = sorted(moved.moves, key=_striking)[:SHOWN]
        counts = {status: sum(each.status == status for each in moved.moves) for status in ("new", "returned", "left")}
        return Draft(
            which.name,
            day,
            moved.before,
            office.head,
            hashlib.sha256(content).hexdigest(),
            len(on),
            counts["new"] if moved.before else 0,
            counts["returned"],
            counts["left"],
            sum((each.change or 0) > 0 for each in on),
            sum((each.change or 0) < 0 for each in on),
            tuple(shown),
            waiting["held"] + waiting["staged"],
            _skipped(office, which, moved.before, day),
            future=day > today,
            far=(day - today).days > lists.AHEAD,
            published=day.toordinal() in publication_days(office.store, which.id),
        )


def _begins(which: RatingList, day: date) -> None:
    if day.toordinal() < which.base:
        raise UsageError(f"list {which.name!r} begins on {date.fromordinal(which.base)}")


def _striking(each: Move) -> tuple[bool, float, int]:
    """Who comes or goes first, then the largest change."""
    return each.change is not None, -abs(each.change or 0.0), each.person


def _skipped(office: Office, which: RatingList, before: date | None, day: date) -> tuple[date, ...]:
    """Days of lists between the last one and this, at most a dozen."""
    found: list[date] = []
    at = next_day(office, which, before) if before else None
    while at and at < day and len(found) < 12:
        found.append(at)
        at = next_day(office, which, at)
    return tuple(found)


def publish(
    office: Office,
    day: date,
    name: str | None,
    reason: str = "",
    head: int | None = None,
    *,
    ahead: bool = False,
    progress: Progress | None = None,
) -> PublicationDone:
    """Publish the list of a day; `progress` is told of games replayed, of how many. Raises UsageError for one that was
    published, Stale if something was entered after `head`."""
    with office.store.writing():
        unmoved(office, head)
        _begins(office.which(name), day)
        done = lists.publish(office, day, name, reason, ahead=ahead, progress=progress)
        return PublicationDone(done.name, done.day, done.sha256, len(done.persons), office.head)


def issued(office: Office, day: date, name: str | None) -> Issued:
    """A list that was published. Raises UsageError for a day without one."""
    with office.store.reading():
        which = office.which(name)
        held = lists.published(office, day, which.name)
        sql = "select entry from publication where list = ? and day = ?"
        entry = office.store.value(sql, (which.id, day.toordinal()))
        earlier = [each for each in publication_days(office.store, which.id) if each < day.toordinal()]
        before = date.fromordinal(earlier[-1]) if earlier else None
        players = len(lists.printed_on(office, which, day.toordinal()))
    return Issued(which.name, day, held.sha256, players, entry, before)


def compared(office: Office, day: date, name: str | None) -> Compared:
    """Who is rated otherwise now than a published list printed, the largest difference first."""
    found = lists.compare(office, day, name)
    found.sort(key=lambda each: (_both(each), -abs((each.revised or 0) - (each.published or 0)), each.person))
    return Compared(office.which(name).name, day, tuple(found))


def _both(each: Difference) -> bool:
    return each.published is not None and each.revised is not None
