"""The one total order of games, and how it is cut into batches.

Settled game by game: date (and time of day, where the file has it), then round, board, stable id. Settled by event or
period: the event's end, its start, its name, then the same. Settled contest by contest: as game by game, and a
contest's pairs together. The stable id is the game's own, or is made from its content: never from the place where it
stood in a file, unless the file has no dates at all, when the file's order is the order.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import Any

import msgspec
from msgspec.structs import replace

from arpad.columns import (
    Order,
    change_points,
    copied,
    filled,
    is_numpy,
    made,
    ordered,
    permuted,
    runs_of_equals,
    runs_that_meet,
    sorting,
    sorting_within,
    sources_of,
    spans,
    take,
    without_nan,
)
from arpad.contests import contest_bounds, ranks_of_contests, refuse_contests
from arpad.errors import DataError, RulebookError
from arpad.model import Column, Games, Labels, Problem
from arpad.periods import Calendar, Period
from arpad.stretch import Batch

#: Events longer than this many days are settled month by month, each game in the period in which it was played.
LONG_EVENT = 30
#: Events longer than this many days are probably several of one name.
YEAR = 366


class Arrangement(msgspec.Struct, frozen=True):
    """Games in the total order. `batches` is empty where every game is settled by itself.

    `place` is the date that orders each game (its own, or its event's), `opening` the day whose list rates it.
    """

    games: Games
    place: Column | None
    opening: Column | None
    batches: Sequence[Batch]
    problems: Sequence[Problem]
    calendar: Calendar | None = None

    def clock(self, day: float) -> float:
        """A day (ordinal, with the time of day as its fraction) as systems that reckon with time count it: the number
        of its period, or the day itself."""
        return float(self.calendar.number(int(day)) if self.calendar else day)


def kind_of(units: Sequence[tuple[int, str]]) -> str:
    """`game`, `contest`, `event` or `period`: what all the units of a rulebook are.

    Raises RulebookError for a rulebook whose editions are not of one kind, UsageError for an unknown unit.
    """
    kinds = {unit.partition(":")[0] if unit.startswith("period:") else unit for _, unit in units}
    if len(kinds) > 1:
        raise RulebookError(f"editions settle by {' and by '.join(sorted(kinds))}; one rulebook settles in one way")
    kind = kinds.pop()
    if kind not in ("game", "contest", "event", "period"):
        Period.parse(kind)
    return kind


def arrange(games: Games, units: Sequence[tuple[int, str]]) -> Arrangement:
    """Games in order and in batches. Games that cannot be placed are left out and named among the problems.

    `units`: what is settled at once, from each day (ordinal) on. Raises UsageError for an unknown unit, DataError where
    the facts that the unit needs are missing altogether.
    """
    unit = kind_of(units)
    period = Calendar(tuple((since, Period.parse(each)) for since, each in units)) if unit == "period" else None
    if not len(games):
        return Arrangement(games, None, None, (), (), period)
    if unit == "event" and games.event is None:
        hint = "add a column `event`: the same name for all games that are one event"
        message = "the rulebook settles event by event, and there is no event column"
        raise DataError([Problem(message, games.source, hint=hint)])
    if period is not None and games.date is None:
        raise DataError([Problem("the rulebook settles by period, and there is no date column", games.source)])
    if unit == "game":
        refuse_contests(games)
    if games.date is None:
        return _without_dates(games, unit)
    games, place, problems = _placed(games, period)
    keys = [place]
    ends = place
    if unit in ("event", "period"):
        ends, starts, names = _event_days(games, place, period)
        batch = take_period(ends, period) if period else ends
        keys = [batch, ends, starts, names, place] if period else [ends, starts, names, place]
    keys += [column for column in (games.time, games.round, games.board) if column is not None]
    keys += [ranks_of_contests(games)] if unit == "contest" else []
    order = None if ordered(keys) else sorting(keys)
    keys = [permuted(key, order) for key in keys]
    games = reordered(games, order)
    moved = _ties(games, keys, unit == "game")
    games = reordered(games, moved)
    place = permuted(permuted(place, order), moved)
    closing: Column = permuted(ends, order)
    if unit == "game":
        return Arrangement(games, place, place, (), problems)
    if unit == "contest":
        batches = [Batch(a, b, int(day), int(day) + 1) for a, b, day in contest_bounds(keys[-1], place)]
        return Arrangement(games, place, place, batches, problems)
    opening: Column = permuted(permuted(starts, order), moved)
    if period is None:
        names = keys[2]
        # games of no event are one event a day
        marks = [(int(name), 0 if name else int(end)) for name, end in zip(names, closing)]
        bounds = [0, *(at for at in range(1, len(games)) if marks[at] != marks[at - 1]), len(games)]
        batches = [Batch(a, b, int(opening[a]), int(closing[a]) + 1) for a, b in pairwise(bounds) if b > a]
        problems += _doubtful_events(games, sum(not name for name, _ in marks))
    else:
        batches = []
        at = 0
        # A period in which an event began has a list that must be kept, although nothing may be rated in it.
        opened = {period.around(int(opening[row]))[0] for row in change_points(opening)}
        for first in sorted(opened | {int(keys[0][row]) for row in change_points(keys[0])}):
            stop = bisect_left(keys[0], first + 1, at)
            batches.append(Batch(at, stop, *period.around(first)))
            at = stop
    return Arrangement(games, place, opening, batches, problems, period)


def _doubtful_events(games: Games, nameless: int) -> Iterator[Problem]:
    """Games of no event, and names that may be those of several events."""
    if nameless:
        text = f"{nameless} game(s) of no event: those of one day are taken as one event"
        yield Problem(text, games.source, severity="warning")
    for event in games.events:
        if event.start and event.end - event.start > YEAR and not event.rated:
            first, last = date.fromordinal(event.start), date.fromordinal(event.end)
            text = f"event {event.name!r} lasts from {first} to {last}, and is rated as one event on its last day"
            hint = "if these are several events, give each its own name, or add a column event_start"
            yield Problem(text, games.source, hint=hint, severity="warning")


def take_period(days: Column, period: Calendar) -> Column:
    """The first day of the period of each day."""
    if is_numpy(days):
        import numpy as np

        known, codes = np.unique(days, return_inverse=True)
        firsts = np.fromiter((period.around(int(day))[0] for day in known), "int32", len(known))
        return firsts[codes]
    cache: dict[int, int] = {}
    for day in days:
        if day not in cache:
            cache[day] = period.around(day)[0]
    return made("i", (cache[day] for day in days), days)


def reordered(games: Games, order: Order) -> Games:
    """The same games in another order, or some of them; `order` as in `columns.permuted`."""
    if order is None:
        return games
    columns: dict[str, Any] = {
        name: permuted(getattr(games, name), order)
        for name in games.__struct_fields__
        if name not in ("players", "scores", "partial", "events", "labels", "source", "pending")
    }
    labels = {name: Labels(permuted(words.codes, order), words.names) for name, words in games.labels.items()}
    where = sources_of(order, len(games)) if games.partial else {}
    partial = {where[row]: when for row, when in games.partial.items() if row in where}
    return replace(games, **columns, labels=labels, partial=partial)


def _without_dates(games: Games, unit: str) -> Arrangement:
    if unit == "game":
        return Arrangement(games, None, None, (), ())
    if unit == "contest":
        contests = contest_bounds(ranks_of_contests(games))
        return Arrangement(games, None, None, [Batch(a, b, 0, 0) for a, b, _ in contests], ())
    order = sorting([games.event])
    first_seen: dict[int, int] = {}
    for row, code in enumerate(games.event):  # type: ignore[arg-type]
        first_seen.setdefault(int(code), row)
    rank = {code: place for place, code in enumerate(sorted(first_seen, key=first_seen.__getitem__))}
    order = sorting([made("i", (rank[int(code)] for code in games.event), games.event)])  # type: ignore[union-attr]
    games = reordered(games, order)
    bounds = [0, *(at for at in range(1, len(games)) if games.event[at] != games.event[at - 1]), len(games)]  # type: ignore[index]
    return Arrangement(games, None, None, [Batch(a, b, 0, 0) for a, b in pairwise(bounds) if b > a], ())


def _placed(games: Games, period: Calendar | None) -> tuple[Games, Column, list[Problem]]:
    """Games with a day to stand on: their own, else their event's end. The others are left out, and named."""
    problems = []
    place = games.date
    out: list[int] = []
    if period is not None:
        for row, when in sorted(games.partial.items()):
            if period.around(when.first.toordinal()) != period.around(when.after - 1):
                out.append(row)
                problems.append(_unplaced(games, row, f"date {when} is too vague for the rulebook's periods"))
    blank = _rows_without_date(place)
    if blank:
        place = copied(place)
        for row in blank:
            event = games.events[games.event[row]] if games.event is not None and games.event[row] >= 0 else None
            if event is not None and event.end:
                place[row] = event.end
            else:
                out.append(row)
                problems.append(_unplaced(games, row, "cannot be placed: no date, and no event whose dates are known"))
    if out:
        leave = set(out)
        keep = made("i", (row for row in range(len(games)) if row not in leave), place)
        games, place = reordered(games, keep), permuted(place, keep)
    return games, place, problems


def _rows_without_date(place: Column) -> list[int]:
    if is_numpy(place):
        import numpy as np

        return [int(row) for row in np.flatnonzero(place == 0)]
    return [row for row, day in enumerate(place) if day == 0] if 0 in place else []


def _unplaced(games: Games, row: int, why: str) -> Problem:
    line = int(games.line[row]) if games.line is not None else 0
    first, second = games.players[games.first[row]], games.players[games.second[row]]
    return Problem(f"{first} v {second}: not rated, {why}", games.source, line, severity="warning")


def _event_days(games: Games, place: Column, period: Calendar | None) -> tuple[Column, Column, Column]:
    """For each game the end and start of its event and the rank of its name; its own day where there is no event, or
    where the event is so long that its games belong to several periods."""
    if games.event is None:
        return place, place, filled("i", 0, len(place), place)
    names = sorted(range(len(games.events)), key=lambda code: games.events[code].name)
    rank = [0] * (len(names) + 1)
    for position, code in enumerate(names, 1):
        rank[code] = position
    ends, starts = [0] * len(rank), [0] * len(rank)
    for code, event in enumerate(games.events):
        if event.rated:
            ends[code], starts[code] = event.rated, event.start or event.end or event.rated
        elif period is None or event.end - event.start <= LONG_EVENT:
            ends[code], starts[code] = event.end or event.start, event.start or event.end
    end_column, start_column = take("i", ends, games.event), take("i", starts, games.event)
    if is_numpy(place):
        import numpy as np

        return (
            np.where(end_column > 0, end_column, place),
            np.where(end_column > 0, start_column, place),
            take("i", rank, games.event),
        )
    return (
        made("i", (end or day for end, day in zip(end_column, place)), place),
        made("i", (start or day for start, day in zip(start_column, place)), place),
        take("i", rank, games.event),
    )


def _ties(games: Games, keys: Sequence[Column], singly: bool) -> tuple[Column, Column] | None:
    """Rows that must change places, and the rows whose games take them: games that are equal in every key stand in the
    order of their stable id. None if all stand right."""
    by_players = singly and is_numpy(games.first)
    runs = runs_that_meet(keys, games.first, games.second) if by_players else runs_of_equals(keys)
    if not runs:
        return None
    rows = spans(runs, keys[0])
    content = _content(reordered(games, rows))
    return rows, permuted(rows, sorting_within([stop - start for start, stop in runs], content, rows))


def told_order(arrangement: Arrangement) -> Column | None:
    """The rows of arranged games in the total order to the last tie, for who tells them; None if they stand so.

    Games settled one by one may stand in any order where they have no player in common, and nothing sorts them twice.
    """
    games, place = arrangement.games, arrangement.place
    if arrangement.batches or place is None or not is_numpy(games.first):
        return None
    import numpy as np

    keys = [place, *(column for column in (games.time, games.round, games.board) if column is not None)]
    order = np.lexsort([*reversed(_content(games)), *reversed(keys)])
    return None if ordered([order]) else order


def _content(games: Games) -> list[Any]:
    """What orders games that nothing else orders: the id that the file gives, then all that can change a rating."""
    names = ["margin", "fewer", "length", "importance", "neutral", "knockout", "season", "handicap", "komi"]
    keys = [without_nan(told) for name in names if (told := getattr(games, name)) is not None]
    keys.insert(0, stable_ids(games))
    if games.id is not None:
        keys.insert(0, _ids(games))
    return keys


def _ids(games: Games) -> Any:
    if is_numpy(games.first):
        if is_numpy(games.id):
            return games.id
        import numpy as np

        return np.unique(np.asarray(games.id, dtype=object).astype(str), return_inverse=True)[1]
    return games.id


def stable_ids(games: Games) -> Any:
    """A number of 64 bits made from each game's players and result."""
    outcomes = [zlib.crc32(repr(pair).encode()) & 0xFFFF for pair in games.scores]
    if is_numpy(games.first):
        import numpy as np

        plays = np.zeros(len(games.players), bool)
        plays[games.first] = plays[games.second] = True
        codes = np.flatnonzero(plays)
        known = np.zeros(len(games.players), "uint64")
        known[codes] = [zlib.crc32(games.players[code].encode()) for code in codes.tolist()]
        made_ids = (known[games.first] << np.uint64(32)) | known[games.second]
        return made_ids * np.uint64(0x9E3779B97F4A7C15) + np.asarray(outcomes, "uint64")[games.score]
    hashes = [zlib.crc32(name.encode()) for name in games.players]
    return [
        (((hashes[a] << 32) | hashes[b]) * 0x9E3779B97F4A7C15 + outcomes[s]) & 0xFFFFFFFFFFFFFFFF
        for a, b, s in zip(games.first, games.second, games.score)
    ]
