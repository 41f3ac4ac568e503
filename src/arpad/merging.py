"""Several files of games as one: the same name is the same player, and the same event if the dates allow it."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

from arpad.columns import filled, is_numpy, take
from arpad.errors import UsageError
from arpad.model import Column, Event, Games, Labels, PartialDate, Problem
from arpad.order import LONG_EVENT, reordered

#: Columns that a file may lack: type code, and what stands for "not said".
OPTIONAL: dict[str, tuple[str, float]] = {
    **dict.fromkeys(("date", "time", "round", "board", "season", "handicap", "contest", "line"), ("i", 0)),
    **dict.fromkeys(("neutral", "shootout"), ("B", 0)),
    "knockout": ("B", 2),
    **dict.fromkeys(("margin", "fewer", "length", "importance", "komi"), ("d", float("nan"))),
    **dict.fromkeys(("first_points", "second_points", "first_weight", "second_weight"), ("d", float("nan"))),
}


def merged(parts: Sequence[Games]) -> tuple[Games, list[Problem]]:
    """All games in one, file after file; an error for each game whose id an earlier file has, which is left out; and a
    warning for each file that repeats games of an earlier one, which are rated again.

    Events of one name are one event unless more than 30 days lie between them. Raises UsageError without any file.
    """
    if not parts:
        raise UsageError("no games were given")
    like = next((part.first for part in parts if is_numpy(part.first)), parts[0].first)

    def joined(code: str, blank: float, name: str) -> Column | None:
        if all(getattr(part, name) is None for part in parts):
            return None
        return _joined(code, [_said(part, getattr(part, name), code, blank) for part in parts], like)

    def recoded(tables: Sequence[Sequence[int]], columns: Iterable[Column]) -> Column:
        pairs = zip(tables, columns)
        return _joined("i", [take("i", [*table, -1], column) for table, column in pairs], like)

    players, player_codes = _unified([part.players for part in parts])
    scores, score_codes = _unified([part.scores for part in parts])
    events, event_codes = _events(parts)
    optional: dict[str, Any] = {name: joined(*kind, name) for name, kind in OPTIONAL.items()}
    games = Games(
        players=players,
        first=recoded(player_codes, [part.first for part in parts]),
        second=recoded(player_codes, [part.second for part in parts]),
        score=recoded(score_codes, [part.score for part in parts]),
        scores=scores,
        event=recoded(event_codes, [_said(part, part.event, "i", -1) for part in parts]) if events else None,
        events=events,
        id=[word for part in parts for word in part.id or [""] * len(part)] if any(part.id for part in parts) else None,
        labels={name: _labels(parts, name, like) for name in {name: 0 for part in parts for name in part.labels}},
        partial=_partial(parts),
        source=", ".join(part.source for part in parts if part.source),
        pending=sum(part.pending for part in parts),
        **optional,
    )
    again, problems = _repeated_ids(parts)
    problems += _repeated_games(parts, games)
    if again:
        games = reordered(games, [row for row in range(len(games)) if row not in again])
    return games, problems


def _unified(tables: Sequence[Sequence[Any]]) -> tuple[list[Any], list[list[int]]]:
    """One table without repetitions, and for each of the old tables its codes in the new one."""
    codes: dict[Any, int] = {}
    places = [[codes.setdefault(value, len(codes)) for value in table] for table in tables]
    return list(codes), places


def _said(part: Games, column: Column | None, code: str, blank: float) -> Column:
    return filled(code, blank, len(part), part.first) if column is None else column


def _joined(code: str, columns: Sequence[Column], like: Column) -> Column:
    if is_numpy(like):
        import numpy as np

        from arpad.columns import DTYPES

        return np.concatenate([np.asarray(column, DTYPES[code]) for column in columns])
    return array(code, (value for column in columns for value in column))


def _labels(parts: Sequence[Games], name: str, like: Column) -> Labels:
    empty = Labels((), ())
    names, codes = _unified([part.labels.get(name, empty).names for part in parts])
    columns = [
        take("i", [*table, -1], part.labels[name].codes) if name in part.labels else filled("i", -1, len(part), like)
        for table, part in zip(codes, parts)
    ]
    return Labels(_joined("i", columns, like), names)


def _events(parts: Sequence[Games]) -> tuple[list[Event], list[list[int]]]:
    """One table of events, and for each part its codes in it."""
    events: list[Event] = []
    places: dict[str, list[int]] = {}
    codes: list[list[int]] = []
    for part in parts:
        mine: list[int] = []
        for event in part.events:
            known = places.setdefault(event.name, [])
            place = next((at for at in known if at not in mine and _may_be_one(events[at], event)), len(events))
            if place == len(events):
                events.append(event)
                known.append(place)
            else:
                other = events[place]
                start = min((day for day in (event.start, other.start) if day), default=0)
                end, rated = max(event.end, other.end), max(event.rated, other.rated)
                events[place] = Event(event.name, start, end, event.kind or other.kind, rated)
            mine.append(place)
        codes.append(mine)
    return events, codes


def _may_be_one(one: Event, other: Event) -> bool:
    between = max(one.start, other.start) - min(one.end, other.end)
    return between <= LONG_EVENT or not (one.start and other.start)


def _partial(parts: Sequence[Games]) -> dict[int, PartialDate]:
    found: dict[int, PartialDate] = {}
    before = 0
    for part in parts:
        found.update({before + row: when for row, when in part.partial.items()})
        before += len(part)
    return found


def _repeated_games(parts: Sequence[Games], games: Games) -> list[Problem]:
    """A word on each file in which games without an id say the same as games of an earlier file."""
    if games.date is None and games.event is None and games.round is None:
        return []
    from arpad.formats import plain
    from arpad.formats.sheet import listed

    ops = plain
    if is_numpy(games.first):
        from arpad.formats import vector as ops  # type: ignore[no-redef]
    told = (games.first, games.second, games.score, games.date, games.time, games.event, games.round, games.board)
    named = ops.mask(len(games))
    ops.mark(named, [row for row, word in enumerate(games.id or ()) if word])
    rows, earlier = ops.repeats([column for column in told if column is not None], named)
    ends = list(accumulate(map(len, parts)))
    found: dict[int, list[int]] = {}
    for row, first in zip(rows, earlier):
        part = bisect_right(ends, row)
        if bisect_right(ends, first) < part:
            found.setdefault(part, []).append(row)
    problems = []
    for part, again in found.items():
        lines = [int(games.line[row]) if games.line is not None else row + 1 for row in again]
        text = f"games that say the same as some of an earlier file, all rated: {len(again)} (line {listed(lines)})"
        hint = "leave one file out, or give the games ids, if they are one game"
        problems.append(Problem(text, parts[part].source, lines[0], hint=hint, severity="warning"))
    return problems


def _repeated_ids(parts: Sequence[Games]) -> tuple[set[int], list[Problem]]:
    """Rows of the whole whose id stands in an earlier file."""
    seen: dict[str, str] = {}
    again: set[int] = set()
    problems = []
    before = 0
    for part in parts:
        mine: dict[str, str] = {}
        told: set[str] = set()
        for row, word in enumerate(part.id or ()):
            line = int(part.line[row]) if part.line is not None else row + 1
            if word in seen:
                again.add(before + row)
                if word not in told:  # a contest has several rows
                    problems.append(Problem(f"id {word!r} is also that of {seen[word]}", part.source, line))
                told.add(word)
            elif word:
                mine[word] = f"{part.source}:{line}"
        seen.update(mine)
        before += len(part)
    return again, problems
