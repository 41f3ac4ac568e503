"""A player's card: ratings, events and acts with what each did, who was met, and how it went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from arpad import kernel
from arpad.arithmetic import choose
from arpad.bureau import cards
from arpad.bureau.lists import as_of, printed_on
from arpad.bureau.opened import LEVELS, Office, RatingList, publication_days
from arpad.bureau.people import federations, members
from arpad.bureau.pinning import rules_told
from arpad.bureau.threads import Thread, thread, turns
from arpad.errors import UsageError
from arpad.ledger.facts import day_of
from arpad.plan import day_of_age
from arpad.rulebooks.clause import Clause
from arpad.stretch import COMMON, edition_of
from arpad.views import published as rounded
from arpad.views import settling_edition
from arpad.web.views.histories import History, Printed, drawn
from arpad.web.views.player_lines import (
    Colour,
    Line,
    Met,
    colours_of,
    gain,
    met_by,
    named,
    opponents_of,
    told_lines,
)
from arpad.working import known

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
    return cards.number_of(office, who)


def card(office: Office, who: str | int, asked: Asked) -> PlayerCard:
    """The card of a person, on the first list that they are on where none is named. Raises UnknownName for nobody,
    UsageError for a day without a list."""
    with office.store.reading():
        found = cards.find(office, who)
        people = members(office, found.id)
        on = on_lists(office, found.id)
        which = office.which(asked.list or first_of(on))
        days = publication_days(office.store, which.id)
        until = until_list(which, days, asked.until)
        held = thread(office, which, found.id, until)
        told = list(turns(held, until))
        history = drawn(office, which, held, told, until)
        state = _state(held, until)
        lines = list(told_lines(held, told))[::-1]
        start, size = max(0, min(asked.start, len(lines))), max(1, min(asked.size, MOST))
        ranked = sorted((line for line in lines if line.kind == "games" and line.change), key=gain)
        met = met_by(held)
        shown = {field for field in LEVELS if found.id not in office.unseen(field, [found.id])}
        printed = history.published[-1] if history.published else None
        return PlayerCard(
            found.id,
            history.name,
            which.name,
            rules_told(which.rules),
            asked.until,
            tuple(map(date.fromordinal, days)),
            on,
            _titles(office, people, until),
            federations(office, found.id) if "federation" in shown else (),
            tuple(each for each in found.names if each != history.name) if shown >= {"name", "aliases"} else (),
            found.identifiers if "identifiers" in shown else {},
            found.further if "identifiers" in shown else (),
            tuple(people[1:]),
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
            named(office, lines[start : start + size]),
            named(office, [line for line in ranked[::-1] if (line.change or 0) > 0][:EXTREMES]),
            named(office, [line for line in ranked if (line.change or 0) < 0][:EXTREMES]),
            opponents_of(office, held, met, max(0, min(asked.opponents, MOST))),
            len(met),
            tuple(colours_of(held)),
            tuple(cards.voided_of(office, people)),
            history,
        )


def until_list(which: RatingList, days: Sequence[int], day: date | None) -> int:
    """The ordinal of a published list; 0 for no day. Raises UsageError for a day without a list."""
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


def on_lists(office: Office, person: int) -> tuple[OnList, ...]:
    """Somebody on each list of the office."""
    return tuple(_on_list(office, each, person) for each in office.lists())


def first_of(on: Sequence[OnList]) -> str | None:
    """The first list that somebody is on."""
    return next((each.name for each in on if each.games or each.rating is not None), None)


def _on_list(office: Office, which: RatingList, person: int) -> OnList:
    history = office.history(which)
    if person > len(history.players):
        return OnList(which.name, None, 0)
    state = history.state_of(person - 1)
    return OnList(which.name, known(float(state[0])), int(state[1]))


def _titles(office: Office, people: Sequence[int], until: int) -> tuple[tuple[date | None, str], ...]:
    """(since, code) of titles, oldest first; those of numbers that were merged too."""
    found = office.store.among("select since, code from title where person in ?", people)
    return tuple((day_of(since), code) for since, code in sorted(set(found)) if code and (not until or since <= until))


def _rank(office: Office, which: RatingList, printed: Printed | None) -> int | None:
    """The place on the list that printed a rating; equal ratings share it."""
    if printed is None:
        return None
    return printed_on(office, which, printed.day.toordinal()).rank(printed.rating)


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
    """Years, as the rules count them; nan where they do not ask, or nobody knows."""
    column = history.plan.columns["born"]
    born = int(column[held.person - 1]) if len(column) else 0
    if not born or not history.as_of:
        return float("nan")
    exact = history.rulebook.editions[-1].age.counted == "exact"
    return float((day_of_age(history.as_of, exact) - born) // 10000)
