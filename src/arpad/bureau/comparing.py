"""Several lists, and several rulebooks, on the same facts, side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

import msgspec

from arpad.bureau.lists import as_of
from arpad.bureau.opened import Office, RatingList, first_base, replayed
from arpad.columns import plain
from arpad.errors import UsageError

if TYPE_CHECKING:
    from arpad.engine import History
    from arpad.rulebooks import Value


class Beside(msgspec.Struct, frozen=True):
    """A person's printed rating by list; None where not on it."""

    person: int
    name: str
    ratings: Mapping[str, float | None]


class Figures(msgspec.Struct, frozen=True):
    """A list in figures. `error` is the mean square of score minus expected over its rated games, None where its rules
    expect nothing; `agreement` Spearman's rank correlation with the first list over the people on both."""

    list: str
    rules: str
    players: int
    games: int
    mean: float | None
    deviation: float | None
    error: float | None
    agreement: float | None


class Comparison(msgspec.Struct, frozen=True):
    """Lists side by side: everybody on any of them, by the first list's ratings, and each list in figures."""

    people: tuple[Beside, ...]
    figures: tuple[Figures, ...]


def side_by_side(
    office: Office,
    names: Sequence[str] = (),
    rules: Sequence[str] = (),
    day: date | None = None,
    settings: Mapping[str, Value] = {},
) -> Comparison:
    """Compare lists of the office (all of them, if none is named and no `rules` are given), and what rulebooks that it
    has no list by would make of the facts of the first of them, on a day or after all that is known.

    `settings` go to those rulebooks. Raises UnknownName for a list or rulebook that is not there.
    """
    with office.store.reading():
        held = [office.which(name) for name in names] or (office.lists()[:1] if rules else office.lists())
        looks = [day.toordinal()] if day else []
        found: dict[str, tuple[str, History]] = {}
        for which in held:
            history = replayed(office.store, which, office.book(which), looks) if day else office.history(which)
            found[which.name] = which.rules, history
        for each in rules:
            label = each if each not in found else f"{each} (as compared)"
            found[label] = each, _tried(office, held[0], each, settings, looks)
        if len(found) < 2:
            raise UsageError("there is nothing to compare: name two lists, or rulebooks besides one")
        columns = {
            label: _printed(as_of(history, looks[0]) if day else history) for label, (_, history) in found.items()
        }
        first = next(iter(columns.values()))
        everybody = sorted(
            {person for column in columns.values() for person in column},
            key=lambda person: (-first.get(person, -math.inf), person),
        )
        called = office.names(everybody)
        people = [
            Beside(person, called[person], {label: column.get(person) for label, column in columns.items()})
            for person in everybody
        ]
        figures = [
            _figures(label, rules_, as_of(history, looks[0]) if day else history, columns[label], first)
            for label, (rules_, history) in found.items()
        ]
    return Comparison(tuple(people), tuple(figures))


def _tried(
    office: Office, which: RatingList, rules: str, settings: Mapping[str, Value], looks: Sequence[int]
) -> History:
    """The facts of a list by another rulebook, from where the list first began: what its own rulebook made of years
    that were closed since says nothing to another one."""
    from arpad.rulebooks import load

    book = load(rules, settings)
    since = book.editions[0].since
    base = max(first_base(office.store, which), since.toordinal() if since else 0)
    tried = msgspec.structs.replace(which, rules=rules, settings=dict(settings), digest=book.digest, base=base)
    return replayed(office.store, tried, book, looks)


def _printed(history: History) -> dict[int, float]:
    from arpad.views import ratings

    columns = ratings(history).columns
    return {int(player): float(rating) for player, rating in zip(columns["player"], columns["rating"])}


def _figures(
    label: str, rules: str, history: History, ratings: Mapping[int, float], first: Mapping[int, float]
) -> Figures:
    values = list(ratings.values())
    mean = math.fsum(values) / len(values) if values else None
    spread = None
    if mean is not None and len(values) > 1:
        spread = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
    games, error = _error(history)
    return Figures(label, rules, len(values), games, mean, spread, error, _agreement(first, ratings))


def _error(history: History) -> tuple[int, float | None]:
    """Rated games, and the mean square of what the first sides scored over what was expected of them."""
    gains, expects, scores = history.recording.gains, history.recording.expects, history.games.scores
    rated = errors = 0
    total = 0.0
    for row, code in enumerate(plain(history.games.score)):
        if gains[2 * row] == gains[2 * row]:
            rated += 1
            if expects[row] == expects[row]:
                errors += 1
                total += (scores[code][0] - float(expects[row])) ** 2
    return rated, total / errors if errors else None


def _agreement(one: Mapping[int, float], other: Mapping[int, float]) -> float | None:
    """Spearman's rank correlation over who is on both; None where fewer than two are, or all are equal."""
    both = [person for person in one if person in other]
    ranks = [_ranks([each[person] for person in both]) for each in (one, other)]
    if len(both) < 2:
        return None
    middle = (len(both) + 1) / 2
    products = math.fsum((a - middle) * (b - middle) for a, b in zip(*ranks))
    squares = [math.fsum((rank - middle) ** 2 for rank in each) for each in ranks]
    return products / math.sqrt(squares[0] * squares[1]) if all(squares) else None


def _ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1; equal values share the mean of theirs."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        stop = start
        while stop < len(order) and values[order[stop]] == values[order[start]]:
            stop += 1
        for at in order[start:stop]:
            ranks[at] = (start + stop + 1) / 2
        start = stop
    return ranks
