"""From games in their order to what the kernel is handed: columns, runs of games under one edition, acts between."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Any

import msgspec
from msgspec.structs import replace

from arpad.arithmetic import DAY
from arpad.columns import change_points, empty, filled, is_numpy, made
from arpad.errors import DataError, UsageError
from arpad.leaving_out import flags_of, weighs, without_the_left_out
from arpad.model import Act, Column, Games, Problem
from arpad.order import Arrangement
from arpad.rulebooks.book import Rulebook
from arpad.stretch import Look, Segment


class Plan(msgspec.Struct, frozen=True):
    """A replay before it is carried out: the columns that the kernel reads, and the runs of games it is handed."""

    columns: Mapping[str, Column]
    segments: Sequence[Segment]
    steps: Sequence[tuple[int, Act | tuple[int, int] | Look]]  # before a segment: an act, (edition, day) of an uplift
    ring: int
    uplifts: Sequence[tuple[int, int]]


def make_plan(
    games: Games,
    arrangement: Arrangement,
    rulebook: Rulebook,
    acts: Sequence[Act],
    born: Column,
    days: tuple[int, int, bool],
    clocked: bool = False,
    looks: Sequence[int] = (),
) -> Plan:
    """`days`: the first day of which nothing has been settled yet (0: unknown), and that of which nothing will be; then
    whether every rating from before the games is dated, by an act.
    `clocked`: the system reckons with time. `looks`: days (ordinals) on which the states are kept."""
    columns = _kernel_columns(games, arrangement, rulebook, born)
    if any(edition.feeds for edition in rulebook.editions):
        from arpad.feeds import fed  # few rulebooks go by time controls

        columns["flags"] = fed(games, rulebook, arrangement.batches, arrangement.place, columns["flags"])
    columns["clock"] = _clock(games, arrangement) if clocked else empty("d")
    segments: Sequence[Segment]
    if arrangement.batches:
        segments, ring = _batch_segments(arrangement, rulebook, columns)
    else:
        segments, ring = _game_segments(games, arrangement, rulebook), 0
    falls: list[tuple[int, int, Act | tuple[int, int] | Look]] = [(act.date, 1, act) for act in acts]
    falls += [(day, 2, Look(day)) for day in looks]
    through, reach, dated = days
    entered = acts[0].date if acts and dated else 0
    uplifts = uplifts_due(rulebook, arrangement, through, reach, entered)
    falls += [(day, 0, (index, day)) for day, index in uplifts]
    steps: list[tuple[int, Act | tuple[int, int] | Look]] = []
    for day, _, act in sorted(falls, key=lambda each: each[:2]):
        # A list holds the batches that are settled before its day, and an entry comes before the batch of its day.
        whole = isinstance(act, Look) or (isinstance(act, Act) and act.kind == "entry")
        segments, at = _cut(segments, arrangement, day, whole)
        steps.append((at, act))
    steps.sort(key=lambda step: step[0])  # an entry comes before the batch that holds its day, other acts after it
    if any(edition.first for edition in rulebook.editions):
        ring = max(ring, 1)  # first ratings go by the opponents' ratings on the list, which a batch changes
    return Plan(columns, segments, steps, ring, uplifts)


def _cut(
    segments: Sequence[Segment], arrangement: Arrangement, day: int, enters: bool
) -> tuple[Sequence[Segment], int]:
    """The segment before which something of `day` comes, and the segments, cut there if need be.

    It comes before that day's games; where games are settled in batches, before the first batch that begins on that day
    or later, and an entry before the batch that holds the day.
    """
    if arrangement.batches:
        for at, segment in enumerate(segments):
            batch = arrangement.batches[segment.batch]
            if segment.opens and (batch.after > day if enters else batch.first >= day):
                return segments, at
        return segments, len(segments)
    if arrangement.place is None:
        return segments, 0
    row = bisect_left(arrangement.place, day)
    for at, segment in enumerate(segments):
        if row <= segment.start:
            return segments, at
        if row < segment.stop:
            parts = [replace(segment, stop=row), replace(segment, start=row)]
            return [*segments[:at], *parts, *segments[at + 1 :]], at + 1
    return segments, len(segments)


def _game_segments(games: Games, arrangement: Arrangement, rulebook: Rulebook) -> list[Segment]:
    place = arrangement.place
    if place is None or len(rulebook.editions) == 1:
        last = rulebook.edition_index(0)
        if place is not None and len(place):
            rulebook.edition_index(int(place[0]))
        return [Segment(0, len(games), last, last, last, False, False, 0)] if len(games) else []
    segments = []
    at = 0
    while at < len(games):
        index = rulebook.edition_index(int(place[at]))
        following = rulebook.editions[index + 1].since if index + 1 < len(rulebook.editions) else None
        stop = bisect_left(place, following.toordinal(), at) if following else len(games)
        segments.append(Segment(at, stop, index, index, index, False, False, 0))
        at = stop
    return segments


def _batch_segments(
    arrangement: Arrangement, rulebook: Rulebook, columns: dict[str, Column]
) -> tuple[list[Segment], int]:
    """Runs of games of one batch under one edition, and how many past lists the kernel must keep."""
    segments: list[Segment] = []
    firsts = [batch.first for batch in arrangement.batches]
    opening, calendar = arrangement.opening, arrangement.calendar
    points = change_points(opening) if opening is not None else [0]
    revalued = _revaluations(rulebook)
    by_end = rulebook.editions[-1].dates.coefficient == "event end"
    oldest = 0
    for number, batch in enumerate(arrangement.batches):
        last = batch.after - 1 if calendar is None and batch.after else 0
        settles = rulebook.edition_index(last if by_end and last else batch.first)
        # The list that comes of a period is judged by its own date. A revaluation of that date comes first, and takes
        # ratings over the old floor above the new one.
        lists = rulebook.edition_index(batch.after - (batch.after in revalued)) if calendar else settles
        dates = rulebook.editions[settles].dates
        inside = points[bisect_left(points, batch.start) : bisect_left(points, batch.stop)]
        rows = [*sorted({batch.start, *inside}), batch.stop]
        clock = arrangement.clock(batch.first if calendar else max(batch.after - 1, 0))
        if batch.start == batch.stop:
            segments.append(Segment(batch.start, batch.stop, settles, settles, lists, False, True, number, clock))
        for row, stop in pairwise(rows):
            day = int(opening[row]) if opening is not None else 0
            meets = settles if dates.expectation in ("list", "event end") else rulebook.edition_index(day)
            if calendar and dates.expectation == "event start" and day < batch.first:
                # The list in force on the event's first day was settled before the first batch of that day's period.
                age = number - bisect_left(firsts, calendar.around(day)[0])
                if age > 255:
                    raise UsageError(
                        f"an event that began on {date.fromordinal(day)} is rated more than 255 lists later"
                    )
                oldest = max(oldest, age)
                lags = _lags(columns, arrangement)
                for each in range(row, stop):
                    lags[each] = age
            delay = rulebook.editions[settles].unit.delay
            if (
                delay
                and number
                and arrangement.batches[number - 1].after == batch.first
                and arrangement.place is not None
            ):
                # The list of the period before was not in force yet: these games go by the one before that.
                oldest = max(oldest, 1)
                lags = _lags(columns, arrangement)
                for each in range(row, stop):
                    if batch.first <= arrangement.place[each] < batch.first + delay:
                        lags[each] = 1
            if segments and segments[-1].batch == number and segments[-1].meets == meets:
                segments[-1] = replace(segments[-1], stop=stop)
            else:
                segments.append(Segment(row, stop, meets, settles, lists, False, row == batch.start, number, clock))
        segments[-1] = replace(segments[-1], closes=batch.start < batch.stop)
    return segments, oldest + 1 if oldest else 0


def _lags(columns: dict[str, Column], arrangement: Arrangement) -> Column:
    """How many lists ago the one was in force that rates each game; made when first asked for."""
    if "lag" not in columns:
        columns["lag"] = filled("B", 0, len(arrangement.games), columns["first"])
    return columns["lag"]


def _kernel_columns(games: Games, arrangement: Arrangement, rulebook: Rulebook, born: Column) -> dict[str, Column]:
    """The columns that the kernel reads; those that no edition asks for stay empty."""
    editions = rulebook.editions
    like = games.first
    scores = array("d", (side for pair in games.scores for side in pair))
    idle, place = any(edition.idle for edition in editions), arrangement.place
    days = made("i", place, like) if idle and place is not None else None  # in the place of the season
    columns: dict[str, Column] = {
        "first": games.first,
        "second": games.second,
        "score": games.score,
        "scores": scores,
        "margin": games.margin if any(edition.margin for edition in editions) else None,
        "flags": flags_of(games, editions, like),
        "importance": games.importance if weighs(editions) else None,
        "season": games.season if any(edition.season for edition in editions) else days,
        "handicap": games.handicap if any(edition.handicap for edition in editions) else None,
        "event": games.event if any(_by_event(edition) for edition in editions) else None,
        "length": _lengths(games, editions),
    }
    for column, asked in (("season", any(edition.season for edition in editions)), ("importance", weighs(editions))):
        if asked and getattr(games, column) is None and len(games):
            hint = f"add one, or name it with --columns {column}=…"
            raise DataError([Problem(f"the rulebook needs a column of {column}", games.source, hint=hint)])
    columns["flags"] = without_the_left_out(columns["flags"], games, arrangement, rulebook)
    if any(asks_age(edition) for edition in editions):
        exact = editions[-1].age.counted == "exact"
        columns["year"] = _years(arrangement, exact, like)
        columns["born"] = born if exact else made("i", (code // 10000 * 10000 for code in born), born)
    codes = {
        **dict.fromkeys(("margin", "importance", "length"), "d"),
        **dict.fromkeys(("season", "event", "year", "born", "handicap"), "i"),
        "flags": "B",
    }
    for name, code in codes.items():
        if columns.get(name) is None:
            columns[name] = empty(code)
    columns["lists"] = empty("d")
    return columns


def _lengths(games: Games, editions: Sequence[Any]) -> Column | None:
    """Every match's length; one that does not say is as long as the rules take it to be."""
    said = next((edition.length for edition in editions if edition.length is not None), None)
    if said is None or games.length is None:
        return None if said is None else filled("d", said.default, len(games), games.first)
    return made("d", (length if length > 0 else said.default for length in games.length), games.first)


def _clock(games: Games, arrangement: Arrangement) -> Column:
    """When each game was played, in days; empty where games are settled in batches, or have no dates."""
    place = arrangement.place
    if arrangement.batches or place is None:
        return empty("d")
    if games.time is None:
        return place.astype("float64") if is_numpy(place) else array("d", place)
    if is_numpy(place):
        return place + games.time / DAY
    return array("d", (day + moment / DAY for day, moment in zip(place, games.time)))


def unanswered(games: Games, rulebook: Rulebook, born: Column) -> list[Problem]:
    """A word on what the rules ask and these facts leave open, where the rules go on without it."""
    problems = []
    if len(games) and games.margin is None and any(edition.margin for edition in rulebook.editions):
        text = "the rules count the margin of victory, and no game has one: all count as won by the least"
        hint = "give the scores of both sides"
        problems.append(Problem(text, games.source, hint=hint, severity="warning"))
    if any(asks_age(edition) for edition in rulebook.editions):
        unknown = int((born == 0).sum()) if is_numpy(born) else born.count(0)
        if unknown:
            text = f"{unknown} of {len(born)} players are of unknown age: what the rules say of ages is not for them"
            problems.append(Problem(text, hint="a start list with a column born tells it", severity="note"))
    return problems


def _by_event(edition: Any) -> bool:
    return bool(edition.difference.upgrades) or edition.difference.expectation == "mean opponent"


def asks_age(edition: Any) -> bool:
    """Whether the edition says anything of ages."""
    if edition.development is not None:
        return True
    rows = [*edition.k, *edition.k_factor, *edition.cap, *edition.game_factor, *edition.game_bonus]
    return any(key.startswith("age_") for row in rows for key in row.when) or any(
        part is not None and part.of == "age" for row in rows for part in (row.ramp, row.power)
    )


def day_of_age(ordinal: int, exact: bool) -> int:
    """A day as ages are counted, year * 10000 + month * 100 + day; by the calendar (not `exact`) the year alone. Less a
    birth date in the same form, ten thousands of it are years of age."""
    day = date.fromordinal(ordinal)
    return day.year * 10000 + (day.month * 100 + day.day if exact else 0)


def _years(arrangement: Arrangement, exact: bool, like: Column) -> Column:
    """The day on which ages count, for each game: its own, or the first of its batch."""
    if arrangement.place is None:
        return filled("i", 0, len(arrangement.games), like)

    years = filled("i", 0, len(arrangement.games), like)
    if arrangement.batches:
        for batch in arrangement.batches:
            code = day_of_age(batch.first, exact)
            if is_numpy(years):
                years[batch.start : batch.stop] = code
            else:
                years[batch.start : batch.stop] = array("i", [code]) * (batch.stop - batch.start)
        return years
    points = change_points(arrangement.place)
    for row, stop in zip(points, [*points[1:], len(years)]):
        code = day_of_age(int(arrangement.place[row]), exact)
        for each in range(row, stop):
            years[each] = code
    return years


def reach_of(
    arrangement: Arrangement, rulebook: Rulebook, acts: Sequence[Act], limit: int, through: int, looks: Sequence[int]
) -> int:
    """The first day that a replay leaves open: later games and acts, and that day's games, can follow it.

    Where periods are settled, an act that is no entry has waited for the end of the period that holds its day. A
    revaluation comes before the acts of its day and before who looks on it, so that it is then done with.
    """
    calendar = arrangement.calendar
    ends = [through, *(batch.after for batch in arrangement.batches)]
    if not arrangement.batches and arrangement.place is not None and len(arrangement.place):
        ends.append(int(arrangement.place[-1]) + 1)
    if limit:
        ends.append(calendar.around(limit + 1)[0] if calendar else limit + 1)
    for act in acts:
        first, after = calendar.around(act.date) if calendar and act.date else (act.date, act.date)
        ends.append(first if act.kind == "entry" or act.date == first else after)
    seen = max((*looks, *(act.date for act in acts)), default=0)
    ends += [day + (calendar is None) for day in _revaluations(rulebook) if day <= seen]
    return min(max(ends), date.max.toordinal())


def refuse_earlier(arrangement: Arrangement, acts: Sequence[Act], through: int, limit: int) -> None:
    """A checkpoint cannot take in games or acts that are older than itself, or be shown as of an earlier `limit`."""
    if not through:
        return
    if limit and limit < through - 1:
        raise UsageError(
            f"the checkpoint holds all up to {date.fromordinal(through - 1)}: there is no list of "
            f"{date.fromordinal(limit)} in it. Replay from the beginning, or from an earlier checkpoint"
        )
    hint = "replay from the beginning, or from an earlier checkpoint"
    end = f"before the checkpoint's end ({date.fromordinal(through)})"
    problems = [
        Problem(
            f"an act of {date.fromordinal(act.date) if act.date else 'no date'} is {end}",
            act.source,
            act.line,
            hint=hint,
        )
        for act in acts
        if act.date < through
    ]
    if len(arrangement.games):
        opening = arrangement.opening
        starts = [int(min(column)) for column in (arrangement.place, opening) if column is not None]
        if not starts:
            problems.append(Problem(f"games without dates may be {end}", hint=hint))
        elif min(starts) < through:
            problems.append(Problem(f"a game or its event begins on {date.fromordinal(min(starts))}, {end}", hint=hint))
    if problems:
        raise DataError(problems)


def uplifts_due(
    rulebook: Rulebook, arrangement: Arrangement, through: int, reach: int, entered: int
) -> list[tuple[int, int]]:
    """(day, edition) of the one-off revaluations that fall within a replay, in order of date.

    Ratings that a replay starts from are those of its first day, revaluations of that day and before included: of its
    first game, or of the first act before it (`entered`; 0: none). Where there are periods, the last list takes in a
    revaluation of its own date. Later editions inherit the clause; it is carried out once.
    """
    is_open = arrangement.calendar is None
    begins = [entered] if entered else []
    if arrangement.batches:
        begins.append(arrangement.batches[0].first)
    elif arrangement.place is not None and len(arrangement.place):
        begins.append(int(arrangement.place[0]))
    if not through and not begins:
        return []
    after = through - is_open if through else min(begins)
    return sorted((day, index) for day, index in _revaluations(rulebook).items() if after < day <= reach - is_open)


def _revaluations(rulebook: Rulebook) -> dict[int, int]:
    """The edition that each one-off revaluation is of, by its day (ordinal)."""
    days: dict[int, int] = {}
    for index, edition in enumerate(rulebook.editions):
        for uplift in edition.uplift:
            days.setdefault(uplift.date.toordinal(), index)
    return days
