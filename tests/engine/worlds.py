"""Random games that every rulebook accepts, and the readings of the shelf that they are tried under."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib.util import find_spec
from random import Random
from typing import Any

from msgspec.structs import fields, replace

from arpad.columns import DTYPES
from arpad.model import Act, Game, Games, Labels, PartialDate, Start
from arpad.rulebooks import load, names, presets
from arpad.rulebooks.book import Rulebook

#: Readings with settings, beside every rulebook and preset as it stands.
MORE = {
    "elo by event": ("elo", {"unit": "event"}),
    "elo by month": ("elo", {"unit": "period:month", "k": 24}),
    "elo by 30 days": ("elo", {"unit": "period:30-days"}),
    "elo, home, goals, floor": ("elo", {"advantage": 65, "margin": "goals", "floor": 2050}),
    "elo/normal by game": ("elo/normal", {"unit": "game"}),
    "asigc, below": ("asigc", {"lookup": "below"}),
    "uschess by game": ("uschess/classic", {"unit": "game", "start": 1200}),
}
#: Rulebooks that need a library of others; without it their readings are left out (test_libraries.py names them).
LIBRARIES = {"weng-lin": "openskill", "trueskill": "trueskill"}
ABSENT = {name for name, library in LIBRARIES.items() if find_spec(library) is None}
SHELF = [
    label
    for label in [*names(), *(f"{name}:{preset}" for name in names() for preset in presets(name)), *MORE]
    if label not in ABSENT
]


@cache
def book(label: str) -> Rulebook:
    """A reading of the shelf."""
    name, settings = MORE.get(label, (label, {}))
    return load(name, settings)


def dates(label: str) -> list[date]:
    """A day for each edition: shortly before it, so that games lie on both sides; one of our days where it is open."""
    found = [edition.since for edition in book(label).editions if edition.since]
    days = [since - timedelta(days=20) for since in found[1:]]
    return [found[0] if found else date(2023, 11, 20), *days]


#: (reading, first day) of every reading of the shelf, under each edition.
EDITIONS = [(label, when) for label in SHELF for when in dates(label)]
#: One of each reading, under its last edition.
LATEST = [(label, dates(label)[-1]) for label in SHELF]


def named(pairs: Sequence[tuple[str, date]]) -> list[str]:
    return [f"{label}@{when:%Y-%m}" for label, when in pairs]


@dataclass(frozen=True)
class World:
    """Games, what is known of the players before, and dated acts."""

    games: list[Game]
    start: list[Start]
    acts: list[Act]
    days: list[date]


def world(
    seed: int,
    first: date,
    *,
    games: int = 60,
    players: int = 8,
    span: int = 75,
    distinct: bool = False,
    newcomers: int = 1,
) -> World:
    """Games of a few weeks in events of up to six days; `distinct` gives each a board, so that no two are tied."""
    random = Random(f"{seed} {first}")
    people = [f"p{number}" for number in range(players)]
    made = []
    for number in range(games):
        one, two = random.sample(people, 2)
        offset = random.randrange(span)
        when = first + timedelta(days=offset)
        score = random.choice((0.0, 0.5, 1.0))
        made.append(
            Game(
                one,
                two,
                score,
                date=when,
                event=f"event {offset // 6}{random.choice('ab')}",
                round=random.choice((0, 0, 1, 2)),
                board=number + 1 if distinct else 0,
                margin=(2 * score - 1) * random.randint(1, 6) if score != 0.5 else 0.0,
                fewer=float(number % 4),
                length=float(number % 9 or 11),
                labels={"surface": ("clay", "grass", "")[number % 3]},
                neutral=random.random() < 0.3,
                knockout=random.random() < 0.2,
                shootout=random.choice((0, 1, 2)) if score == 0.5 else 0,
                importance=random.choice((5.0, 20.0, 25.0, 40.0, 60.0)),
                season=when.year,
            )
        )
    start = [
        Start(
            name,
            round(random.gauss(2100 if first.year >= 2009 else 2450, 200), random.choice((0, 3))),
            games=random.choice((0, 12, 28, 29, 48, 70, 98, 400)),
            peak=random.choice((None, 2290.0, 2390.0, 2450.0)),
            born=random.choice((None, PartialDate(first.year - 17), PartialDate(1970, 5))),
            season=random.choice((None, first.year - 1)),
        )
        for name in people[newcomers:]
    ]
    acts = [
        Act(kind, random.choice(people), (first + timedelta(days=random.randrange(span))).toordinal(), rating, counted)
        for kind, rating, counted in (
            ("entry", 2050.0, 40),
            ("blend", 2222.0, 25),
            ("adjustment", -7.5, None),
            ("blend", 2100.0, 30),
        )
    ]
    return World(made, start, acts, sorted({game.date for game in made}))  # type: ignore[type-var]


def as_numpy(games: Games) -> Games:
    """The same facts in numpy's columns."""
    import numpy as np

    def turned(column: Any) -> Any:
        return np.array(column, DTYPES[column.typecode])

    columns = {
        field.name: turned(getattr(games, field.name))
        for field in fields(games)
        if hasattr(getattr(games, field.name), "typecode")
    }
    labels = {name: Labels(turned(words.codes), words.names) for name, words in games.labels.items()}
    return replace(games, **columns, labels=labels)
