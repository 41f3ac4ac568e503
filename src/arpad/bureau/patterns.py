"""Unusual patterns on a list, for the officer: who played very many games from one list to the next, mostly far from
their own rating, or mostly in the last days before a list.

    patterns(office)                                       # by arpad's own limits
    patterns(office, limits=Limits(games=90, share=0.9))

A pattern is nothing against anybody, and changes no rating. The limits are arpad's own, no regulation's: nothing in the
rules of a list forbids what is shown here. The cases are two: 211 games timed around two list dates, and a rating made
of opponents more than 400 points lower (case C73).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from statistics import median_low
from typing import TYPE_CHECKING, Any

import msgspec

from arpad.bureau.opened import AUDIENCES, Office, publication_days
from arpad.columns import is_numpy
from arpad.errors import UsageError

if TYPE_CHECKING:
    from arpad.engine import History
    from arpad.periods import Calendar


class Limits(msgspec.Struct, frozen=True):
    """From what on a pattern is shown. `games`: so many in one period. `share`: so much of a period's games with a
    difference of ratings above `difference`, or in the `days` before a list; of fewer than `least` games no share is
    looked at."""

    games: int = 60
    share: float = 0.75
    least: int = 10
    days: int = 7
    difference: float = 400.0


#: arpad's own.
LIMITS = Limits()


class Pattern(msgspec.Struct, frozen=True):
    """A person's games from `since` until before `until`, the day of the next list (None: there is none yet).

    `far`: games between ratings further apart than the limit; `far_points` what they brought in all. `late`: games in
    the last days before the list; None where the period does not end with one. `up` and `down`: points that games
    brought and took, before what a list rounds. `marks` says which limits were met: games, far, late.
    """

    person: int
    name: str
    since: date
    until: date | None
    games: int
    far: int
    far_share: float
    far_points: float
    late: int | None
    late_share: float | None
    up: float
    down: float
    marks: tuple[str, ...]


class _Periods(msgspec.Struct, frozen=True):
    """Periods by the days (ordinals) on which they begin. `lists`: whether the next one begins with a list's day."""

    begins: Sequence[int]
    lists: Sequence[bool]


class _Count(msgspec.Struct, frozen=True):
    """What a player (by code) did in a period (by its place)."""

    code: int
    period: int
    games: int
    far: int
    late: int
    points: float
    up: float
    down: float


def patterns(
    office: Office,
    name: str | None = None,
    since: date | None = None,
    until: date | None = None,
    limits: Limits = LIMITS,
) -> list[Pattern]:
    """Everybody's periods that meet a limit, by period and then the most games; of periods that have a day from `since`
    to `until`.

    A period lasts from one published list to the next. Before the first one it is that of the rules, or as long as is
    usual (the median) between two lists; where one was published or none, a month. Games without a day are in none.

    Raises UsageError for limits that are none, and for any audience but the officers.
    """
    _sensible(limits)
    if office.audience != AUDIENCES[-1]:
        raise UsageError("unusual patterns are for officers alone")
    with office.store.reading():
        which = office.which(name)
        history = office.history(which)
        if history.arrangement.place is None or not len(history.games):
            return []
        periods = _periods(history, publication_days(office.store, which.id))
        shown = {at for at in range(len(periods.begins)) if _within(periods, at, since, until)}
        found = [each for each in _counts(history, periods, limits) if each.period in shown]
        found.sort(key=lambda each: (each.period, -each.games, each.code))
        persons = [int(history.players[each.code]) for each in found]
        names = office.names(persons)
    return [_pattern(each, person, names[person], periods, limits) for each, person in zip(found, persons)]


def _sensible(limits: Limits) -> None:
    for name in ("games", "least", "days", "difference"):
        if not getattr(limits, name) > 0:
            raise UsageError(f"{name} must be above zero, not {getattr(limits, name)}")
    if not 0 < limits.share <= 1:
        raise UsageError(f"a share lies above 0 and is at most 1, not {limits.share:g}")


def _periods(history: History, published: Sequence[int]) -> _Periods:
    settled = _settled_days(history)
    begins = [*_before_lists(history.arrangement.calendar, published, int(min(settled)), int(max(settled))), *published]
    ruled, listed = history.arrangement.calendar is not None, {*published}
    return _Periods(begins, [*(ruled or each in listed for each in begins[1:]), False])


def _before_lists(calendar: Calendar | None, published: Sequence[int], first: int, last: int) -> Iterator[int]:
    """The first days of periods before the first published list, from a day on; without any list, until after `last`,
    the first day of the next one among them."""
    from arpad.periods import Period

    if calendar is None and len(published) > 1:
        usual = median_low([after - before for before, after in pairwise(published)])
        yield from range(published[0] - usual * -((first - published[0]) // usual), published[0], usual)
        return
    around = calendar.around if calendar else Period.parse("month").around
    day, after = around(first)
    stop = published[0] if published else around(last)[1] + 1
    while day < stop:
        yield day
        if after <= day:  # the calendar ends
            return
        day, after = after, around(after)[1]


def _within(periods: _Periods, at: int, since: date | None, until: date | None) -> bool:
    first, after = periods.begins[at], _after(periods, at)
    return (since is None or not after or after > since.toordinal()) and (until is None or first <= until.toordinal())


def _after(periods: _Periods, at: int) -> int:
    """The day on which the next period begins; 0 for the last one."""
    return periods.begins[at + 1] if at + 1 < len(periods.begins) else 0


def _settled_days(history: History) -> Any:
    """The day (ordinal) that each game counts from: its own, or the last one of what it is settled with."""
    place, batches = history.arrangement.place, history.arrangement.batches
    if not batches:
        return place
    if is_numpy(place):
        import numpy as np

        return np.repeat([batch.after - 1 for batch in batches], [batch.stop - batch.start for batch in batches])
    return [batch.after - 1 for batch in batches for _ in range(batch.start, batch.stop)]


def _unusual(limits: Limits, games: Any, far: Any, late: Any) -> Any:
    """Whether any limit is met: of one player's numbers, or of columns of them."""
    shares = (far / games >= limits.share) | (late / games >= limits.share)
    return (games >= limits.games) | ((games >= limits.least) & shares)


def _counts(history: History, periods: _Periods, limits: Limits) -> Iterator[_Count]:
    """What players did in the periods in which they meet a limit."""
    return _many(history, periods, limits) if is_numpy(history.games.first) else _few(history, periods, limits)


def _few(history: History, periods: _Periods, limits: Limits) -> Iterator[_Count]:
    from arpad.settling import settled

    before, after, k, _ = settled(history)
    own, gains, batches = history.recording.before, history.recording.gains, bool(history.arrangement.batches)
    found: dict[tuple[int, int], list[Any]] = {}
    rows = zip(history.games.first, history.games.second, history.arrangement.place or (), _settled_days(history))
    for row, (first, second, day, settles) in enumerate(rows):
        period = bisect_right(periods.begins, settles) - 1
        late = periods.lists[period] and day >= _after(periods, period) - limits.days
        far = abs(own[2 * row] - own[2 * row + 1]) > limits.difference
        for at, code in ((2 * row, first), (2 * row + 1, second)):
            change = k[at] * gains[at] if batches else after[at] - before[at]
            change = change if gains[at] == gains[at] and change == change else 0.0
            held = found.setdefault((code, period), [0, 0, 0, 0.0, 0.0, 0.0])
            told = 1, far, late, change * far, max(change, 0.0), max(-change, 0.0)
            held[:] = [one + other for one, other in zip(held, told)]
    for (code, period), (games, far, late, *points) in found.items():
        if _unusual(limits, games, far, late):
            yield _Count(code, period, games, far, late, *points)


def _many(history: History, periods: _Periods, limits: Limits) -> Iterator[_Count]:
    """As `_few`, by columns of a row a side."""
    import numpy as np

    from arpad.settling import settled

    games, place = history.games, np.asarray(history.arrangement.place)
    before, after, k, _ = settled(history)
    own, gains = history.recording.before, history.recording.gains
    change = k * gains if history.arrangement.batches else after - before
    change = np.where((gains == gains) & (change == change), change, 0.0)
    period = np.searchsorted(periods.begins, _settled_days(history), side="right") - 1
    ends = np.array([after - limits.days if listed else np.inf for after, listed in _ends(periods)])
    late = np.repeat(place >= ends[period], 2)
    far = np.repeat(np.abs(own[::2] - own[1::2]) > limits.difference, 2)
    keys = np.column_stack((games.first, games.second)).ravel().astype("int64") * len(periods.begins)
    known, codes = np.unique(keys + np.repeat(period, 2), return_inverse=True)

    def summed(column: Any) -> Any:
        return np.bincount(codes, column, len(known))

    counts = np.bincount(codes, minlength=len(known))
    columns = [counts, *(summed(each).astype("int64") for each in (far, late))]
    columns += [summed(each) for each in (change * far, np.maximum(change, 0.0), np.maximum(-change, 0.0))]
    rows = np.flatnonzero(_unusual(limits, *columns[:3]))
    for key, *told in zip(known[rows].tolist(), *(column[rows].tolist() for column in columns)):
        yield _Count(*divmod(key, len(periods.begins)), *told)


def _ends(periods: _Periods) -> Iterator[tuple[int, bool]]:
    """Of each period the day on which the next one begins, and whether a list has it."""
    yield from zip((after for _, after in pairwise([*periods.begins, 0])), periods.lists)


def _pattern(each: _Count, person: int, name: str, periods: _Periods, limits: Limits) -> Pattern:
    listed, after = periods.lists[each.period], _after(periods, each.period)
    far, late = each.far / each.games, each.late / each.games
    shares = each.games >= limits.least
    met = {
        "games": each.games >= limits.games,
        "far": shares and far >= limits.share,
        "late": shares and late >= limits.share,
    }
    return Pattern(
        person,
        name,
        date.fromordinal(periods.begins[each.period]),
        date.fromordinal(after) if after else None,
        each.games,
        each.far,
        far,
        each.points,
        each.late if listed else None,
        late if listed else None,
        each.up,
        each.down,
        tuple(mark for mark, is_met in met.items() if is_met),
    )
