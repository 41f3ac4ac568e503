"""The games of a report as the ledger takes them: columns, keys, and what tells one event from another."""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from arpad.columns import plain
from arpad.ledger import chain
from arpad.ledger.packed import FACTS
from arpad.ledger.store import Store
from arpad.model import Column, Games, Problem
from arpad.order import stable_ids

#: Games of one entry.
PART = 100_000
#: Days by which all of an event's games may be off when it comes again: a slip in the day, or in the month. It is
#: arpad's own.
SHIFT = 31


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
    for first, second, score, day, code in zip(*map(plain, (games.first, games.second, games.score, days)), codes):
        one, other = who[first], who[second]
        line = f"{one} {other} {pairs[score][0]}" if one < other else f"{other} {one} {pairs[score][1]}"
        said[code].append(f"{line} {day}")
    return [hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:32] for lines in said]


class Shared(NamedTuple):
    """Games of an event that are in one that is there; `moved`: on other days."""

    event: int
    games: int
    moved: bool = False


def shared(
    store: Store, games: Games, codes: Sequence[int], counts: Sequence[int], who: Sequence[int], pool: str
) -> dict[int, Shared]:
    """For events of a report that are in one event of the pool already: that event, and how many of the games.

    They are where half of the games of either event, and two if both have two, are in the other by who met whom, when
    and in which round: so a report is found that comes again with a result put right, or with the rounds that were
    played since. They also are where all of them are there by who met whom, in which round and with which result, up to
    `SHIFT` days off. Games with an id of their own are told apart by it. `who`: each player's person, 0 for nobody
    known."""
    wanted = _wanted(games, codes, who)
    if not wanted:
        return {}
    on_day, off_day = _there(store, wanted, pool)
    sizes = _sizes(store, {event for _, event in on_day})
    found: dict[int, Shared] = {}
    for code, event in sorted({*on_day, *off_day}):
        count, all_ = on_day[code, event], counts[code]
        smaller = min(all_, sizes.get(event, 0))
        if all_ > 1 and off_day[code, event] and count + off_day[code, event] == all_:
            each = Shared(event, all_, True)
        elif count and count >= min(2, smaller) and 2 * count >= smaller:
            each = Shared(event, count)
        else:
            continue
        if code not in found or each.games > found[code].games:
            found[code] = each
    return found


def _wanted(
    games: Games, codes: Sequence[int], who: Sequence[int]
) -> dict[tuple[int, int, int], dict[int, tuple[int, float]]]:
    """Games without an id by their two people, the lower number first, and round: day → event and that one's score."""
    if games.date is None:
        return {}
    rounds = plain(games.round) if games.round is not None else [0] * len(games)
    names = games.id if games.id is not None else [""] * len(games)
    wanted: dict[tuple[int, int, int], dict[int, tuple[int, float]]] = {}
    columns = map(plain, (games.first, games.second, games.score, games.date))
    for first, second, result, day, turn, code, name in zip(*columns, rounds, codes, names):
        one, other = sorted((who[first], who[second]))
        if one and day and not name:
            score = games.scores[result][who[first] != one]
            wanted.setdefault((one, other, turn), {})[day] = code, score
    return wanted


def _there(
    store: Store, wanted: Mapping[tuple[int, int, int], Mapping[int, tuple[int, float]]], pool: str
) -> tuple[Counter[tuple[int, int]], Counter[tuple[int, int]]]:
    """How many wanted games each event of the pool has, on their day and, with their result, on another: by (event of
    the report, event of the pool)."""
    days = [day for held in wanted.values() for day in held]
    shift = SHIFT if any(turn for _, _, turn in wanted) else 0
    sql = "select first, second, score, other, day, round, event from game where day between ? and ? and voided = 0"
    inside = {row[0] for row in store.rows("select id from event where pool = ?", (pool,))}
    merged: dict[int, int] = dict(store.rows("select id, merged from person where merged is not null"))
    on_day: Counter[tuple[int, int]] = Counter()
    off_day: Counter[tuple[int, int]] = Counter()
    for first, second, score, against, day, turn, event in store.rows(sql, (min(days) - shift, max(days) + shift)):
        white, black = _now(merged, first), _now(merged, second)
        held = wanted.get((white, black, turn) if white < black else (black, white, turn))
        if held is None or event not in inside:
            continue
        if day in held:
            on_day[held[day][0], event] += 1
        elif turn:
            near, (code, result) = min(held.items(), key=lambda each: abs(each[0] - day))
            if abs(near - day) <= SHIFT and result == (score if white < black else against):
                off_day[code, event] += 1
    return on_day, off_day


def _now(merged: Mapping[int, int], person: int) -> int:
    return merged.get(person, person)


def _sizes(store: Store, events: Iterable[int]) -> dict[int, int]:
    """How many games that count each event has."""
    sql = "select event, count(*) from game where event in ? and voided = 0 group by event"
    return dict(store.among(sql, sorted(events)))


def numbered(games: Games) -> tuple[Sequence[int], list[Problem]]:
    """Which game of its pair each is, among those of one event and round; two of one round and day are an error."""
    blank = [0] * len(games)
    columns = [plain(column) if column is not None else blank for column in (games.event, games.round, games.date)]
    seen: dict[tuple[int, int, int, int], list[int]] = {}
    nth = array("i")
    problems = []
    for row, (first, second, event, number, day) in enumerate(zip(plain(games.first), plain(games.second), *columns)):
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
        return [blank] * count if column is None else plain(column[low : low + PART])

    for low in range(0, len(games), PART):
        results = [games.scores[code] for code in part(games.score, low)]
        codes = part(games.event, low, -1)
        texts = more[low : low + PART]
        yield {
            "key": plain(keys[low : low + PART]),
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
        for row, value in enumerate(plain(column) if column is not None else ()):
            if value == value and value != blank:
                found.setdefault(row, {})[fact] = value
    for name, words in games.labels.items():
        for row, code in enumerate(plain(words.codes)):
            if code >= 0:
                found.setdefault(row, {}).setdefault("labels", {})[name] = words.names[code]
    for row, when in games.partial.items():
        found.setdefault(row, {})["partial"] = str(when)
    texts = [""] * len(games) if found else []
    for row, facts in found.items():
        texts[row] = chain.canonical(facts)
    return texts
