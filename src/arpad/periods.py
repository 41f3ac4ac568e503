"""Rating periods: which one a day falls in, how they are counted, and days as a system's clock has them."""

from __future__ import annotations

import re
from bisect import bisect_left
from datetime import date

import msgspec

from arpad.arithmetic import DAY
from arpad.errors import UsageError

#: The clock of who has played nobody knows when.
FIRST = 1.0


class Period(msgspec.Struct, frozen=True):
    """A rating period of a calendar: `period:month`, `quarter`, `half-year`, `year`, `week`, `day`, `N-days`, or list
    dates of each year (`period:01-01,07-01`)."""

    starts: tuple[tuple[int, int], ...] = ()
    days: int = 0

    @classmethod
    def parse(cls, unit: str) -> Period:
        """Raises UsageError for a period that is none of the known ones."""
        name = unit.removeprefix("period:")
        months = {"month": 1, "quarter": 3, "half-year": 6, "year": 12}
        if name in months:
            return cls(starts=tuple((month, 1) for month in range(1, 13, months[name])))
        if name in ("day", "week"):
            return cls(days=1 if name == "day" else 7)
        if match := re.fullmatch(r"([1-9]\d*)-days?", name):
            return cls(days=int(match[1]))
        if re.fullmatch(r"\d\d-\d\d(,\d\d-\d\d)*", name):
            starts = sorted((int(part[:2]), int(part[3:])) for part in name.split(","))
            try:
                for month, day in starts:
                    date(2001, month, day)
            except ValueError:
                raise UsageError(f"unit {unit!r}: {month:02d}-{day:02d} is not a day of every year") from None
            return cls(starts=tuple(starts))
        raise UsageError(
            f"unknown unit {unit!r}; known: game, contest, event, period:month, period:quarter, period:half-year, "
            "period:year, period:week, period:day, period:30-days, period:01-01,07-01 (list dates)"
        )

    def number(self, ordinal: int) -> int:
        """How many periods there are before that of a day, counted from year 1."""
        if self.days:
            return (ordinal - 1) // self.days
        day = date.fromordinal(min(ordinal, date.max.toordinal()))
        return day.year * len(self.starts) + sum(start <= (day.month, day.day) for start in self.starts) - 1

    def around(self, ordinal: int) -> tuple[int, int]:
        """First day of the period that holds a day, and first day of the next one. Weeks begin on Monday; the calendar
        ends with the year 9999, and the first period begins no earlier than it does."""
        last = date.max.toordinal()
        ordinal = min(ordinal, last)
        if self.days:
            first = (ordinal - 1) // self.days * self.days + 1
            return first, min(first + self.days, last)
        day = date.fromordinal(ordinal)
        years = (year for year in (day.year - 1, day.year, day.year + 1) if date.min.year <= year <= date.max.year)
        starts = [1, *(date(year, *start).toordinal() for year in years for start in self.starts), last]
        at = max(at for at, start in enumerate(starts[:-1]) if start <= ordinal)
        return starts[at], starts[at + 1]


class Calendar(msgspec.Struct, frozen=True):
    """The rating periods of a rulebook whose cadence changed: from each day (ordinal) on, another period."""

    spans: tuple[tuple[int, Period], ...]

    def number(self, ordinal: int) -> int:
        """How many periods there are before that of a day, counted from year 1.

        One that a change of cadence cuts counts on both sides of it.
        """
        count = base = 0
        for at, (since, period) in enumerate(self.spans):
            following = self.spans[at + 1][0] if at + 1 < len(self.spans) else ordinal + 1
            base = period.number(since) if at else 0
            if ordinal < following:
                break
            count += period.number(following - 1) + 1 - base
        return count + period.number(ordinal) - base

    def first_day(self, number: int) -> int:
        """The first day of a period by its number."""
        days = range(1, date.max.toordinal() + 1)
        return bisect_left(days, number, key=self.number) + 1

    def around(self, ordinal: int) -> tuple[int, int]:
        """First day of the period that holds a day, and first day after it. No period crosses a change of cadence."""
        at = max((at for at, (since, _) in enumerate(self.spans) if since <= ordinal), default=0)
        since, period = self.spans[at]
        first, after = period.around(ordinal)
        if at + 1 < len(self.spans):
            after = min(after, self.spans[at + 1][0])
        return (max(first, since) if since <= ordinal else first), after


def moment_of(clock: float, last: int, calendar: Calendar | None) -> str | None:
    """What a system's clock says, as a date, with the time of day where there is one; None where nothing is known.

    The clock is a day (ordinal, with its fraction), or the number of a period. Of a period: the day of the last game
    (`last`, ordinal) if that lies in it, else the period's first day.
    """
    if not clock > FIRST:
        return None
    day, part = int(clock), round((clock - int(clock)) * DAY)
    if calendar:
        day, part = last if last and calendar.number(last) == day else calendar.first_day(day), 0
    text = date.fromordinal(min(day, date.max.toordinal())).isoformat()
    if not part:
        return text
    seconds, rest = divmod(part, 1000)
    time = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    return f"{text}T{time}.{rest:03d}" if rest else f"{text}T{time}"
