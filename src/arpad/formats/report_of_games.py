"""A report of one event out of a table of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from msgspec.structs import replace

from arpad.errors import DataError
from arpad.formats.report import POINTS, RATED, Entrant, Report, RoundResult
from arpad.model import Games, Problem


def games_report(games: Games, event: str | None = None) -> Report:
    """A report of one event of a table of games: numbers by name, points and ranks by the results.

    Raises DataError where a report could not say what the table says: several events, games without a round, two games
    of a player in one round.
    """
    rows = _rows_of(games, event)
    names = sorted({games.players[code] for row in rows for code in (games.first[row], games.second[row])})
    number_of = {name: number for number, name in enumerate(names, 1)}
    results: dict[int, dict[int, RoundResult]] = {number: {} for number in number_of.values()}
    problems: list[Problem] = []
    days: dict[int, set[int]] = {}
    for row in rows:
        place = games.round[row] if games.round is not None else 0
        white, black = (number_of[games.players[side[row]]] for side in (games.first, games.second))
        line = int(games.line[row]) if games.line is not None else 0
        if not 0 < place <= 99:
            problems.append(
                Problem("a report needs the round of every game, from 1 to 99", games.source, line, "round")
            )
            continue
        for own, other, colour, score in ((white, black, "w", 0), (black, white, "b", 1)):
            points = games.scores[games.score[row]][score]
            code = next((code for code, worth in RATED.items() if worth == points), None)
            if code is None:
                problems.append(
                    Problem(f"a report has no code for a score of {points:g}", games.source, line, "result")
                )
            elif place in results[own]:
                text = f"{names[own - 1]!r} has two games in round {place}"
                problems.append(Problem(text, games.source, line, "round", "a report of one event has one"))
            else:
                results[own][place] = RoundResult(other, colour, code)
        if games.date is not None and games.date[row]:
            days.setdefault(int(place), set()).add(int(games.date[row]))
    if problems:
        raise DataError(problems)
    last = max((place for held in results.values() for place in held), default=0)
    name, start, end = _span(games, rows)
    round_dates = [date.fromordinal(min(days[place])) if place in days else None for place in range(1, last + 1)]
    entrants = [_entrant(name, number, results[number], last) for name, number in number_of.items()]
    return Report(
        name=name,
        start=start,
        end=end,
        declared_players=len(entrants),
        declared_rounds=last,
        round_dates=tuple(round_dates) if any(round_dates) else (),
        entrants=_ranked(entrants),
        source=games.source,
    )


def _rows_of(games: Games, event: str | None) -> list[int]:
    names = (
        {games.events[code].name if code >= 0 else "" for code in set(games.event)} if games.event is not None else {""}
    )
    if event is None and len(names) > 1:
        shown = ", ".join(map(repr, sorted(names)[:5])) + (", …" if len(names) > 5 else "")
        raise DataError(
            [
                Problem(
                    f"a report holds one event, and there are {len(names)}: {shown}",
                    games.source,
                    hint="say which with --event",
                )
            ]
        )
    if games.event is None or event is None:
        return list(range(len(games)))
    if event not in names:
        raise DataError([Problem(f"there is no event {event!r}", games.source)])
    return [row for row in range(len(games)) if games.event[row] >= 0 and games.events[games.event[row]].name == event]


def _span(games: Games, rows: Sequence[int]) -> tuple[str, date | None, date | None]:
    held = [games.date[row] for row in rows if games.date[row]] if games.date is not None else []
    event = (
        games.events[games.event[rows[0]]] if rows and games.event is not None and games.event[rows[0]] >= 0 else None
    )
    start = (event.start if event else 0) or min(held, default=0)
    end = (event.end if event else 0) or max(held, default=0)
    first, last = (date.fromordinal(int(day)) if day else None for day in (start, end))
    return (event.name if event else ""), first, last


def _entrant(name: str, number: int, held: Mapping[int, RoundResult], last: int) -> Entrant:
    results = tuple(held.get(place, RoundResult()) for place in range(1, last + 1))
    digits = name if name.isascii() and name.isdigit() and len(name) <= 11 else ""
    points = sum(POINTS[result.code] for result in results)
    return Entrant(number, name, fide_id=int(digits) or None if digits else None, points=points, results=results)


def _ranked(entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    points = sorted((entrant.points or 0.0 for entrant in entrants), reverse=True)
    return tuple(replace(entrant, rank=points.index(entrant.points or 0.0) + 1) for entrant in entrants)
