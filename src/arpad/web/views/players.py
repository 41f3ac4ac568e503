"""A player's card: ratings, events and acts with what each did, who was met, and how it went."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from arpad import kernel
from arpad.arithmetic import choose
from arpad.bureau import cards
from arpad.bureau.lists import as_of, printed_on
from arpad.bureau.opened import LEVELS, Office, RatingList, publication_days
from arpad.bureau.people import federations, members
from arpad.bureau.threads import Thread, Turn, thread, turns
from arpad.errors import UsageError
from arpad.rulebooks.clause import Clause
from arpad.stretch import COMMON, edition_of
from arpad.views import published as rounded
from arpad.views import settling_edition
from arpad.web.views.histories import History, Printed, drawn, known

#: Lines of events, opponents and games on a card unless more are asked for, and the most that may be.
SIZE, OPPONENTS, MOST = 30, 15, 5000
#: The largest gains and losses that a card names.
EXTREMES = 3


class Asked(msgspec.Struct, frozen=True):
    """What of a card: which list, as of which published list, events from `start` on; `event` (and `day`, of games
    that are no event) is to be opened; `opponent`: the games against whom; `since`: why it changed since then;
    `steps`: the whole history in figures too."""

    list: str | None = None
    until: date | None = msgspec.field(default=None, name="date")
    start: int = 0
    size: int = SIZE
    opponents: int = OPPONENTS
    event: int | None = None
    day: date | None = None
    opponent: int | None = None
    since: date | None = None
    steps: bool = False


class Line(msgspec.Struct, frozen=True, gc=False):
    """What an event did to a rating, or something that is no game (see `bureau.threads.Turn`).

    `day` is that of the last game; `change` the sum of its games before rounding, None where none of the `games` was
    rated; `after` is of all that was settled with it. `loose`: games of a day that belong to no event.
    """

    kind: str
    day: date | None
    event: int | None
    name: str
    loose: bool
    games: int
    rated: int
    score: float
    expected: float | None
    before: float | None
    after: float | None
    change: float | None
    k: float | None
    note: str = ""


class Met(msgspec.Struct, frozen=True, gc=False):
    """All games against one opponent: `expected` is of those that were rated, `difference` what was scored beyond."""

    opponent: int
    name: str
    games: int
    score: float
    expected: float | None
    difference: float | None


class Colour(msgspec.Struct, frozen=True):
    """How it went with one colour."""

    colour: str
    games: int
    score: float
    expected: float | None


class Coefficient(msgspec.Struct, frozen=True):
    """K of the next game, and the clause that says so."""

    k: float
    clause: Clause


class OnList(msgspec.Struct, frozen=True):
    """A list of the office, as a tab of the card."""

    name: str
    rating: float | None
    games: int


class PlayerCard(msgspec.Struct, frozen=True):
    """A person on a list, as of the published list of `day`, or as the facts are now (None).

    `rating` is exact; `published` the last one printed, with its rank. `peak` is the highest one that the list would
    have printed, on the day (if known) when it was reached, `published_peak` the highest that was. `uncertainty` are
    further numbers of the system, such as the deviation.
    """

    person: int
    name: str
    list: str
    rules: str
    day: date | None
    days: tuple[date, ...]
    lists: tuple[OnList, ...]
    titles: tuple[tuple[date | None, str], ...]
    federations: tuple[tuple[date | None, str], ...]
    aliases: tuple[str, ...]
    identifiers: Mapping[str, str]
    further: tuple[str, ...]
    merged: tuple[int, ...]
    born: int | None
    rating: float | None
    published: float | None
    published_on: date | None
    rank: int | None
    games: int
    peak: float | None
    peak_on: date | None
    published_peak: Printed | None
    coefficient: Coefficient | None
    uncertainty: Mapping[str, float]
    found: int
    start: int
    size: int
    lines: tuple[Line, ...]
    gains: tuple[Line, ...]
    losses: tuple[Line, ...]
    opponents: tuple[Met, ...]
    met: int
    colours: tuple[Colour, ...]
    voided: tuple[cards.Voided, ...]
    history: History


def number(office: Office, who: str) -> int:
    """The number of a person now: by number, merged number, or identifier. Raises UnknownName for nobody."""
    return cards.find(office, who).id


def card(office: Office, who: str | int, asked: Asked) -> PlayerCard:
    """The card of a person, on the first list that they are on where none is named. Raises UnknownName for nobody,
    UsageError for a day without a list."""
    with office.store.reading():
        found = cards.find(office, who)
        on = tuple(_on_list(office, each, found.id) for each in office.lists())
        which = office.which(
            asked.list or next((each.name for each in on if each.games or each.rating is not None), None)
        )
        days = publication_days(office.store, which.id)
        until = _until(which, days, asked.until)
        held = thread(office, which, found.id, until)
        told = list(turns(held, until))
        history = drawn(office, which, held, told, until)
        state = _state(held, until)
        lines = list(_lines(held, told))[::-1]
        start, size = max(0, min(asked.start, len(lines))), max(1, min(asked.size, MOST))
        ranked = sorted((line for line in lines if line.kind == "games" and line.change), key=_gain)
        met = _met(held)
        shown = {field for field in LEVELS if found.id not in office.unseen(field, [found.id])}
        printed = history.published[-1] if history.published else None
        return PlayerCard(
            found.id,
            history.name,
            which.name,
            which.rules,
            asked.until,
            tuple(map(date.fromordinal, days)),
            on,
            _titles(office, found.id, until),
            federations(office, found.id) if "federation" in shown else (),
            tuple(each for each in found.names if each != history.name) if shown >= {"name", "aliases"} else (),
            found.identifiers if "identifiers" in shown else {},
            found.further if "identifiers" in shown else (),
            tuple(members(office, found.id)[1:]),
            found.born.year if found.born and "born" in shown else None,
            state.get("rating"),
            printed.rating if printed else None,
            printed.day if printed else None,
            _rank(office, which, printed),
            int(state.get("games", 0)),
            state.get("peak") if "rating" in state else None,
            _reached(held, history, state.get("peak")),
            max(history.published, key=lambda each: each.rating, default=None),
            _coefficient(held, state, until),
            {name: value for name, value in state.items() if name not in COMMON},
            len(lines),
            start,
            size,
            _named(office, lines[start : start + size]),
            _named(office, [line for line in ranked[::-1] if (line.change or 0) > 0][:EXTREMES]),
            _named(office, [line for line in ranked if (line.change or 0) < 0][:EXTREMES]),
            _opponents(office, held, met, max(0, min(asked.opponents, MOST))),
            len(met),
            tuple(_colours(held)),
            tuple(cards.voided_of(office, found.id)),
            history,
        )


def games(office: Office, who: str | int, asked: Asked) -> GamesPage:
    """Games of a person, last ones first; all of them, those of an event, or those against an opponent."""
    with office.store.reading():
        found = cards.find(office, who)
        which = office.which(asked.list)
        until = _until(which, publication_days(office.store, which.id), asked.until)
        held = thread(office, which, found.id, until)
        other = cards.find(office, asked.opponent).id if asked.opponent else None
        chosen = [
            at
            for at in reversed(range(len(held)))
            if asked.event in (None, held.events[at]) and other in (None, held.opponents[at])
        ]
        start, size = max(0, min(asked.start, len(chosen))), max(1, min(asked.size, MOST))
        rows = chosen[start : start + size]
        names = office.names([found.id, *(held.opponents[at] for at in rows)])
        sql = "select id, name from event where id in ?"
        titles: dict[int, str] = dict(office.store.among(sql, {held.events[at] for at in rows}))
        return GamesPage(
            found.id,
            names[found.id],
            which.name,
            other,
            len(chosen),
            start,
            size,
            tuple(_game(held, at, names, titles) for at in rows),
        )


class GamesPage(msgspec.Struct, frozen=True):
    """Some of the `found` games of a person, from `start` on."""

    person: int
    name: str
    list: str
    opponent: int | None
    found: int
    start: int
    size: int
    games: tuple[cards.GameLine, ...]


def _game(held: Thread, at: int, names: Mapping[int, str], titles: Mapping[int, str]) -> cards.GameLine:
    event, opponent = held.events[at], held.opponents[at]
    return cards.GameLine(
        held.games[at],
        _date(held.days[at]),
        event,
        titles[event],
        held.rounds[at],
        opponent,
        names[opponent],
        held.scores[at],
        known(held.expected[at]),
        known(held.before[at]),
        known(held.other[at]),
        known(held.after[at]),
        held.change[at],
        known(held.k[at]),
    )


def _until(which: RatingList, days: Sequence[int], day: date | None) -> int:
    if day is not None and day.toordinal() not in days:
        raise UsageError(f"list {which.name!r} of {day} was not published")
    return day.toordinal() if day else 0


def _state(held: Thread, until: int) -> dict[str, float]:
    """The person's numbers, by name, as far as there are any."""
    history = as_of(held.history, until) if until else held.history
    if held.person > len(history.players):
        return {}
    values = zip(history.system.fields, history.state_of(held.person - 1))
    return {name: float(value) for name, value in values if value == value}


def _on_list(office: Office, which: RatingList, person: int) -> OnList:
    history = office.history(which)
    if person > len(history.players):
        return OnList(which.name, None, 0)
    state = history.state_of(person - 1)
    return OnList(which.name, known(float(state[0])), int(state[1]))


def _titles(office: Office, person: int, until: int) -> tuple[tuple[date | None, str], ...]:
    """(since, code) of titles, oldest first; those of numbers that were merged too."""
    people = members(office, person)
    found = office.store.among("select since, code from title where person in ?", people)
    return tuple((_date(since), code) for since, code in sorted(set(found)) if code and (not until or since <= until))


def _rank(office: Office, which: RatingList, printed: Printed | None) -> int | None:
    """The place on the list that printed a rating; equal ratings share it."""
    if printed is None:
        return None
    return 1 + sum(rating > printed.rating for rating in printed_on(office, which, printed.day.toordinal()).values())


def _reached(held: Thread, history: History, peak: float | None) -> date | None:
    """The day when the peak was reached, if a day ended with it; it is a rating as lists print them."""
    rated = [(step.day, step.after) for step in history.steps if step.after is not None]
    if peak is None or not rated:
        return None
    shown = rounded([after for _, after in rated], settling_edition(held.history).publish)
    return next((day for (day, _), value in zip(rated, shown) if value >= peak), None)


def _coefficient(held: Thread, state: Mapping[str, float], until: int) -> Coefficient | None:
    """K of the next game; None where the system has none, or nobody is rated."""
    history = as_of(held.history, until) if until else held.history
    index = edition_of(history)
    edition = history.rulebook.editions[index]
    if "rating" not in state or not edition.k or history.system.name != "elo":
        return None
    facts = {"rating": state["rating"], "games": state["games"], "peak": state["peak"], "age": _age(held, history)}
    clause = choose(edition.k, facts)
    rules, at = history.compiled.rules, history.compiled.blocks[index]
    return Coefficient(
        kernel.coefficient_of(rules, at, facts["rating"], facts["games"], facts["peak"], facts["age"], 1.0), clause
    )


def _age(held: Thread, history: Any) -> float:
    """Years, as the rules count them: by the calendar, or to the day."""
    born = int(history.born[held.person - 1]) if len(history.born) else 0
    if not born or not history.as_of:
        return float("nan")
    day = date.fromordinal(history.as_of)
    exact = history.rulebook.editions[-1].age.counted == "exact"
    months = (day.month * 100 + day.day) - born % 10000 if exact else 0
    return float((day.year - born // 10000) - (months < 0))


def _lines(held: Thread, told: Sequence[Turn]) -> Iterator[Line]:
    """Events by their last game, and what is no game, oldest first."""
    batches = bool(held.history.arrangement.batches)
    grouped: dict[Any, list[int]] = {}
    others: dict[Any, Turn] = {}
    for count, turn in enumerate(told):
        if turn.kind != "games":
            grouped[count], others[count] = [], turn
            continue
        for at in range(turn.first, turn.stop):
            alone = held.days[at] if held.loose[at] else 0
            key = held.events[at], alone, turn.first if batches else 0
            rows = grouped.pop(key, [])
            rows.append(at)
            grouped[key] = rows
    for key, rows in grouped.items():
        yield _act(others[key]) if key in others else _line(held, rows)


def _act(turn: Turn) -> Line:
    before, after = known(turn.before), known(turn.after)
    change = None if before is None or after is None else after - before
    blank = (None, "", False, 0, 0, 0.0, None)
    return Line(turn.kind, _date(turn.day), *blank, before, after, change, None, turn.note)


def _line(held: Thread, rows: Sequence[int]) -> Line:
    rated = [at for at in rows if held.change[at] is not None]
    ks = {held.k[at] for at in rated}
    first, last = rows[0], rows[-1]
    return Line(
        "games",
        _date(max(held.days[at] for at in rows)),
        held.events[first],
        "",
        held.loose[first],
        len(rows),
        len(rated),
        sum(held.scores[at] for at in rated),
        _sum([held.expected[at] for at in rated]),
        known(held.before[first]),
        known(held.after[last]),
        sum(held.change[at] or 0.0 for at in rated) if rated else None,
        known(ks.pop()) if len(ks) == 1 else None,
    )


def _gain(line: Line) -> float:
    return line.change or 0.0


def _named(office: Office, lines: Sequence[Line]) -> tuple[Line, ...]:
    numbers = {line.event for line in lines if line.event}
    names: dict[int, str] = dict(office.store.among("select id, name from event where id in ?", numbers))
    return tuple(msgspec.structs.replace(line, name=names[line.event]) if line.event else line for line in lines)


def _met(held: Thread) -> dict[int, list[int]]:
    """Games by opponent."""
    found: dict[int, list[int]] = {}
    for at, opponent in enumerate(held.opponents):
        found.setdefault(opponent, []).append(at)
    return found


def _opponents(office: Office, held: Thread, met: Mapping[int, Sequence[int]], most: int) -> tuple[Met, ...]:
    """Those who were met most often, equal ones by number."""
    often = sorted(met, key=lambda opponent: (-len(met[opponent]), opponent))[:most]
    names = office.names(often)
    found = []
    for opponent in often:
        rows = met[opponent]
        expected, score = _expected(held, rows), sum(held.scores[at] for at in rows)
        beyond = [held.scores[at] - held.expected[at] for at in rows if held.change[at] is not None]
        found.append(Met(opponent, names[opponent], len(rows), score, expected, _sum(beyond)))
    return tuple(found)


def _colours(held: Thread) -> Iterator[Colour]:
    """White and Black, where the game has them; the first-named side has White."""
    if not held.history.rulebook.game.endswith("chess"):
        return
    for side, colour in enumerate(("white", "black")):
        rows = [at for at, each in enumerate(held.sides) if each == side]
        yield Colour(colour, len(rows), sum(held.scores[at] for at in rows), _expected(held, rows))


def _expected(held: Thread, rows: Sequence[int]) -> float | None:
    return _sum([held.expected[at] for at in rows if held.change[at] is not None])


def _sum(values: Sequence[float]) -> float | None:
    """None where nothing is expected."""
    return known(sum(values)) if values else None


def _date(ordinal: int) -> date | None:
    return date.fromordinal(ordinal) if ordinal else None
