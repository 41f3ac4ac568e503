"""The games of a report as the ledger takes them: columns, keys, and what tells one event from another."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from arpad.ledger import chain
from arpad.ledger.packed import FACTS
from arpad.ledger.store import Store
from arpad.model import Column, Games, Problem
from arpad.order import stable_ids

#: Games of one entry.
PART = 100_000


def impossible(games: Games) -> list[Problem]:
    """Games in which both sides together scored more than there is."""
    wrong = {code for code, (one, other) in enumerate(games.scores) if one + other > 1}
    rows = [row for row, code in enumerate(games.score) if code in wrong] if wrong else []
    return [
        Problem(
            f"{one:g} to {other:g} is more than one game has",
            games.source,
            int(games.line[row]) if games.line is not None else row + 1,
        )
        for row in rows
        for one, other in [games.scores[games.score[row]]]
    ]


def fingerprints(games: Games, codes: Sequence[int], events: int, who: Sequence[str]) -> list[str]:
    """For each event a digest of its players, dates and results, whatever the order of its games."""
    said: list[list[str]] = [[] for _ in range(events)]
    days = games.date if games.date is not None else [0] * len(games)
    pairs = [(f"{a!r}:{b!r}", f"{b!r}:{a!r}") for a, b in games.scores]
    for first, second, score, day, code in zip(*map(listed, (games.first, games.second, games.score, days)), codes):
        one, other = who[first], who[second]
        line = f"{one} {other} {pairs[score][0]}" if one < other else f"{other} {one} {pairs[score][1]}"
        said[code].append(f"{line} {day}")
    return [hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:32] for lines in said]


def shared(
    store: Store, games: Games, codes: Sequence[int], counts: Sequence[int], who: Sequence[int], pool: str
) -> dict[int, tuple[int, int]]:
    """For events of a report of which at least half the games, and two, are in one event of the pool already, as far
    as who met whom, when and in which round: that event, and how many. So a report is found that comes again with a
    result put right, or with a game more. Games with an id of their own are told apart by it. `who`: each player's
    person, 0 for nobody known."""
    if games.date is None or not any(who):
        return {}
    rounds = listed(games.round) if games.round is not None else [0] * len(games)
    names = games.id if games.id is not None else [""] * len(games)
    wanted: dict[tuple[int, int, int, int], int] = {}
    for first, second, day, turn, code, name in zip(
        *map(listed, (games.first, games.second, games.date)), rounds, codes, names
    ):
        one, other = sorted((who[first], who[second]))
        if one and day and not name:
            wanted[one, other, day, turn] = code
    if not wanted:
        return {}
    days = [key[2] for key in wanted]
    sql = "select first, second, day, round, event from game where day between ? and ? and voided = 0"
    inside = {row[0] for row in store.rows("select id from event where pool = ?", (pool,))}
    met: dict[tuple[int, int], int] = {}
    for first, second, day, turn, event in store.rows(sql, (min(days), max(days))):
        code = wanted.get((min(first, second), max(first, second), day, turn))
        if code is not None and event in inside:
            met[code, event] = met.get((code, event), 0) + 1
    found: dict[int, tuple[int, int]] = {}
    for (code, event), count in sorted(met.items()):
        if count > max(1, found.get(code, (0, 0))[1]) and 2 * count >= counts[code]:
            found[code] = event, count
    return found


def listed(column: Any) -> list[Any]:
    return column.tolist() if hasattr(column, "tolist") else list(column)


def numbered(games: Games) -> tuple[Sequence[int], list[Problem]]:
    """Which game of its pair each is, among those of one event and round; two of one round and day are an error."""
    blank = [0] * len(games)
    columns = [listed(column) if column is not None else blank for column in (games.event, games.round, games.date)]
    seen: dict[tuple[int, int, int, int], list[int]] = {}
    nth = array("i")
    problems = []
    for row, (first, second, event, number, day) in enumerate(zip(listed(games.first), listed(games.second), *columns)):
        pair = (event, number, first, second) if first < second else (event, number, second, first)
        days = seen.setdefault(pair, [])
        if number and day in days:
            line = int(games.line[row]) if games.line is not None else row + 1
            text = f"{games.players[first]!r} and {games.players[second]!r} have two games in round {number}"
            problems.append(Problem(text, games.source, line, hint="give their days, or leave one out"))
        nth.append(len(days))
        days.append(day)
    return nth, problems


def parts(
    games: Games, persons: Mapping[str, int], start: int, events: int, nth: Sequence[int]
) -> Iterator[dict[str, Any]]:
    """The columns of the entries that hold the games, some games at a time; `start` is the last event before theirs."""
    people = [persons[name] for name in games.players]
    keys = _keys(games)
    names = games.id if games.id is not None else ()
    more = _further(games)

    def part(column: Column | None, low: int, blank: int = 0) -> list[int]:
        count = min(PART, len(games) - low)
        return [blank] * count if column is None else listed(column[low : low + PART])

    for low in range(0, len(games), PART):
        results = [games.scores[code] for code in part(games.score, low)]
        codes = part(games.event, low, -1)
        texts = more[low : low + PART]
        yield {
            "key": listed(keys[low : low + PART]),
            "given": {str(row): str(text) for row, text in enumerate(names[low : low + PART]) if text},
            "event": [start + 1 + (code if code >= 0 else events - 1) for code in codes],
            "round": part(games.round, low),
            "board": part(games.board, low),
            "nth": part(nth, low),
            "first": [people[code] for code in part(games.first, low)],
            "second": [people[code] for code in part(games.second, low)],
            "score": [pair[0] for pair in results],
            "other": [pair[1] for pair in results],
            "day": part(games.date, low),
            "more": {str(row): text for row, text in enumerate(texts) if text},
        }


def _keys(games: Games) -> Column:
    """What settles ties between games without an id of their own: 63 bits of their content, in its order."""
    made = stable_ids(games)
    return (made >> made.dtype.type(1)).astype("int64") if hasattr(made, "dtype") else [number >> 1 for number in made]


def _further(games: Games) -> list[str]:
    """For each row, as canonical JSON, the facts that have no column of their own in the ledger."""
    found: dict[int, dict[str, Any]] = {}
    for fact, (_, blank) in FACTS.items():
        column: Column | None = getattr(games, fact)
        for row, value in enumerate(listed(column) if column is not None else ()):
            if value == value and value != blank:
                found.setdefault(row, {})[fact] = value
    for name, words in games.labels.items():
        for row, code in enumerate(listed(words.codes)):
            if code >= 0:
                found.setdefault(row, {}).setdefault("labels", {})[name] = words.names[code]
    for row, when in games.partial.items():
        found.setdefault(row, {})["partial"] = str(when)
    texts = [""] * len(games) if found else []
    for row, facts in found.items():
        texts[row] = chain.canonical(facts)
    return texts
