"""How a list develops: the pool and a fixed cohort on every list, what moved the mean, where points came from, and how
well ratings foretold results.

What lists printed is taken as it stands; what changed ratings is told by the replay, as the facts are now. What the two
leave between them is said too: the rounding of what is printed, and corrections.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from math import fsum
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from arpad.analysis import calibrate, evaluate, mixing
from arpad.analysis.drift import Flow, Shift, Spread, flow, shift, spread
from arpad.analysis.played import rated, stretches, summed
from arpad.analysis.points import Points, accounts
from arpad.bureau.lists import Printed, as_of, printed_on
from arpad.bureau.movement import idle_since
from arpad.bureau.opened import Office, RatingList, publication_days
from arpad.bureau.people import every_federation
from arpad.bureau.ranges import check_width
from arpad.columns import filled, is_numpy, made, plain
from arpad.errors import UsageError
from arpad.formats import Table
from arpad.model import Column

if TYPE_CHECKING:
    from arpad.engine import History
    from arpad.stretch import Looked

#: Bits that hold the day of any date.
DAYS = 22
#: Points of a range of differences, where nobody asks for others.
WIDTH = 50.0


class Account(msgspec.Struct, frozen=True):
    """Why the sum of all printed ratings is another one than on the list before, in points: `change` is the sum of
    what the replay did (`points`), of `rounding`, to what is printed, and of `corrections` since a list was printed,
    which the replay has and the list has not."""

    change: float
    points: Points
    rounding: float
    corrections: float

    def __add__(self, other: Account) -> Account:
        return Account(
            self.change + other.change,
            self.points + other.points,
            self.rounding + other.rounding,
            self.corrections + other.corrections,
        )


class OnList(msgspec.Struct, frozen=True):
    """A published list: everybody on it and the cohort; since the list before, who came and went, what moved the mean
    and where points came from (None: there is no list before, or the list's base was moved since). `inactive` by the
    rules' own term; None where they have none."""

    day: date
    pool: Spread
    cohort: Spread
    inactive: int | None
    flow: Flow | None
    shift: Shift | None
    account: Account | None


class Development(msgspec.Struct, frozen=True):
    """A list from one publication to another. `cohort`: how many are on both; `flow`, `shift` and `account` compare
    the two. The games are those that the replay settled between the two, and where the first is the first of all,
    those before it too: by difference of ratings, by expectation, by period, and by group (federations; first all)."""

    list: str
    days: tuple[date, ...]
    since: date | None
    until: date | None
    cohort: int
    lists: tuple[OnList, ...]
    flow: Flow | None
    shift: Shift | None
    account: Account | None
    differences: tuple[calibrate.Bin, ...]
    expectations: tuple[calibrate.Bin, ...]
    loss: evaluate.Loss | None
    losses: tuple[evaluate.Loss, ...]
    groups: tuple[mixing.Mixing, ...]

    def table(self) -> Table:
        """A row a list. `pool_` and `cohort_`: see `Spread`; `mean_`: `Shift`; `sum_`: `Account`, with its points; what
        has no prefix: `Flow`. Nothing where there is no list before."""
        kinds = {"pool": Spread, "cohort": Spread, "flow": Flow, "shift": Shift}
        prefixes = {"flow": "", "shift": "mean_"}
        columns: dict[str, Sequence[Any] | Any] = {"date": [each.day for each in self.lists]}
        columns["inactive"] = [each.inactive for each in self.lists]
        for part, kind in kinds.items():
            for field in kind.__struct_fields__:
                values = [getattr(getattr(each, part), field, None) for each in self.lists]
                columns[prefixes.get(part, f"{part}_") + field] = values
        sums = [each.account for each in self.lists]
        for field in ("change", "rounding", "corrections"):
            columns[f"sum_{field}"] = [getattr(each, field, None) for each in sums]
        for field in Points.__struct_fields__:
            columns[f"sum_{field}"] = [each and getattr(each.points, field) for each in sums]
        return Table("development", columns)


class _Tally(msgspec.Struct, frozen=True):
    """What the games before a look, since the one before it, add up to; by difference, see `_differences`."""

    day: int
    expectations: Mapping[int, calibrate.Heap]
    losses: Mapping[tuple[int, int], evaluate.Lost]
    groups: Mapping[str, mixing.Met]


def development(
    office: Office,
    name: str | None = None,
    since: date | None = None,
    until: date | None = None,
    width: float = WIDTH,
) -> Development:
    """How a list developed from one publication (without a day: the first) to another (the last); `width`: points of a
    range of differences.

    Raises UsageError for days without a published list or in the wrong order, and for a width that is none.
    """
    check_width(width)
    with office.store.reading():
        which = office.which(name)
        days = publication_days(office.store, which.id)
        first, last = _chosen(which, days, since, until)
        chosen = [day for day in days if first <= day <= last]
        tallies = office.keep(("tallies", which.id), lambda: tuple(_tallies(office, which)))
        apart = office.keep(("differences", which.id, width), lambda: _differences(office, which, width))
        every = office.keep(("every list", which.id), lambda: _every_list(office, which, days))
        lists, whole = _lists(office, which, chosen, every)
    counted = [each for each in tallies if each.day <= last and (each.day > first or first == days[0])]
    differences = summed(apart[each.day] for each in counted)
    lost = summed(each.losses for each in counted)
    return Development(
        which.name,
        tuple(map(date.fromordinal, days)),
        date.fromordinal(first) if days else None,
        date.fromordinal(last) if days else None,
        lists[0].cohort.players if lists else 0,
        lists,
        *whole,
        calibrate.bins_of_differences(differences, width),
        calibrate.bins_of_expectations(summed(each.expectations for each in counted)),
        evaluate.together(lost.values()),
        evaluate.periods(lost),
        mixing.mixings(summed(each.groups for each in counted)),
    )


def _chosen(which: RatingList, days: Sequence[int], since: date | None, until: date | None) -> tuple[int, int]:
    for day in (since, until):
        if day is not None and day.toordinal() not in days:
            raise UsageError(f"list {which.name!r} of {day} was not published")
    if not days:
        return 0, 0
    first, last = since.toordinal() if since else days[0], until.toordinal() if until else days[-1]
    if first > last:
        raise UsageError(f"the list of {date.fromordinal(first)} is no earlier one than that of {until}")
    return first, last


def _lists(
    office: Office, which: RatingList, chosen: Sequence[int], every: Mapping[int, OnList]
) -> tuple[tuple[OnList, ...], tuple[Flow | None, Shift | None, Account | None]]:
    """Each chosen list with the cohort; and the last one beside the first one."""
    if not chosen:
        return (), (None, None, None)
    first, last = _ratings(office, which, chosen[0]), _ratings(office, which, chosen[-1])
    cohort = first.keys() & last.keys()
    rows = []
    for day in chosen:
        now = printed_on(office, which, day)
        held = [rating for person, rating in zip(now.persons, now.ratings) if person in cohort]
        rows.append(replace(every[day], cohort=spread(held)))
    if len(rows) == 1:
        return tuple(rows), (None, None, None)
    earlier = {person for day in every if day < chosen[0] for person in printed_on(office, which, day).persons}
    told = [row.account for row in rows[1:]]
    known = [each for each in told if each is not None]
    whole = sum(known[1:], known[0]) if known and len(known) == len(told) else None
    return tuple(rows), (flow(first, last, earlier), shift(first, last), whole)


def _every_list(office: Office, which: RatingList, days: Sequence[int]) -> dict[int, OnList]:
    """Every published list by its day, without a cohort."""
    accounted = _accounts(office, which, days)
    earlier: set[int] = set()
    before: Mapping[int, float] = {}
    found: dict[int, OnList] = {}
    for day in days:
        now = _ratings(office, which, day)
        found[day] = OnList(
            date.fromordinal(day),
            spread(list(now.values())),
            Spread(0),
            _inactive(office, which, day),
            flow(before, now, earlier) if found else None,
            shift(before, now),
            accounted.get(day),
        )
        earlier |= before.keys()
        before = now
    return found


def _ratings(office: Office, which: RatingList, day: int) -> dict[int, float]:
    printed = printed_on(office, which, day)
    return dict(zip(printed.persons, printed.ratings))


def _inactive(office: Office, which: RatingList, day: int) -> int | None:
    idle = idle_since(office, which, day)
    return None if idle is None else sum(last < idle for last in printed_on(office, which, day).lasts)


def _accounts(office: Office, which: RatingList, days: Sequence[int]) -> dict[int, Account]:
    """By day of a list, why its sum is another one than that of the list before."""
    history = office.history(which)
    sums = {look.day: _sums(history, look, printed_on(office, which, look.day)) for look in history.looked}
    told = dict(zip((look.day for look in history.looked[1:]), accounts(history)))
    found = {}
    for before, day in pairwise(days):
        if day in told and before in sums:
            exact, revised, printed = (now - then for then, now in zip(sums[before], sums[day]))
            found[day] = Account(printed, told[day], revised - exact, printed - revised)
    return found


def _sums(history: History, look: Looked, printed: Printed) -> tuple[float, float, float]:
    """Of all ratings of a list: exact and rounded, as the replay has them now, and as they were printed."""
    from arpad.views import published, settling_edition

    exact = [rating for rating in plain(look.state[:: history.system.width]) if rating == rating]
    rounded = published(exact, settling_edition(as_of(history, look.day)).publish)
    return fsum(exact), fsum(rounded), fsum(printed.ratings)


def _differences(office: Office, which: RatingList, width: float) -> dict[int, Mapping[int, calibrate.Heap]]:
    """Games by difference of ratings, by day of the look that they came before."""
    history = office.history(which)
    games = (rated(history, start, stop) for start, stop in stretches(history))
    return {look.day: calibrate.by_difference(each, width) for look, each in zip(history.looked, games)}


def _tallies(office: Office, which: RatingList) -> Iterator[_Tally]:
    history = office.history(which)
    groups = _Groups(office, history)
    for look, (start, stop) in zip(history.looked, stretches(history)):
        games = rated(history, start, stop)
        yield _Tally(
            look.day,
            calibrate.by_expectation(games),
            evaluate.losses(games),
            groups.met(start, stop),
        )


class _Groups:
    """The federations of players, as far as they are shown, as of the day of each game. `since` has, ascending, each
    player's code and the day (ordinal) from which on a federation was theirs, as one number."""

    def __init__(self, office: Office, history: History) -> None:
        self.games = history.games
        told = every_federation(office)
        held = sorted(
            (code << DAYS | max(since, 0), group)
            for code, player in enumerate(history.players)
            for since, group in told.get(int(player), ())
        )
        self.names = sorted({group for _, group in held})
        self.since = made("q", (key for key, _ in held), self.games.first)
        self.group = made("i", (self.names.index(group) for _, group in held), self.games.first)

    def met(self, start: int, stop: int) -> dict[str, mixing.Met]:
        """How federations met in some rows of games."""
        if not self.names:
            return {}
        games, rows = self.games, slice(start, stop)
        days = games.date[rows] if games.date is not None else filled("i", 0, stop - start, games.first)
        return mixing.meetings(self._of(games.first[rows], days), self._of(games.second[rows], days), self.names)

    def _of(self, codes: Column, days: Column) -> Column:
        """Places among the names of players' groups on days; -1 where none is known."""
        if is_numpy(codes):
            import numpy as np

            wide = codes.astype("int64")
            places = np.searchsorted(self.since, wide << DAYS | days, side="right") - 1
            return np.where((places >= 0) & (self.since[places] >> DAYS == wide), self.group[places], -1)
        places = [bisect_right(self.since, code << DAYS | day) - 1 for code, day in zip(codes, days)]
        return [self.group[at] if at >= 0 and self.since[at] >> DAYS == code else -1 for at, code in zip(places, codes)]
