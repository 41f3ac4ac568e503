"""Step 1: the rating that a player new to a list begins with, and the games that it counts as.

How several sources are blended since June 2020 was not found in a text: `first_rating` may be replaced by another
function of the same arguments, and what the office enters by hand, or a start list says, goes before it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TypeAlias

import msgspec

from arpad.rulebooks.schema import Edition
from arpad.rulebooks.schema_uschess import Conversion, Newcomers

#: The six lists. A fact of a player under the name of another list is the rating there; `…_games` the games behind it.
LISTS = ("regular", "quick", "blitz", "online_regular", "online_quick", "online_blitz")
#: What a start list may tell of an unrated player.
FACTS = ("fide", "cfc", *LISTS, *(f"{name}_games" for name in LISTS))


class Source(msgspec.Struct, frozen=True):
    """One rating elsewhere: `given` there, `rating` here, counting as `games` games."""

    name: str
    given: float
    rating: float
    games: float


class Begins(msgspec.Struct, frozen=True):
    """R0 and N. `source`: fide, cfc, a list's name, blend, age, unknown age; `age` in years, nan if not known."""

    rating: float
    games: float
    source: str
    age: float = math.nan
    sources: tuple[Source, ...] = ()


#: A way to begin: age in years (nan), facts, edition.
Initial: TypeAlias = Callable[[float, Mapping[str, float], Edition], Begins]


def age_on(born: date, day: date) -> float:
    """Years of age on a day, with their fraction: days over 365.25. Never below 0."""
    return max((day - born).days / 365.25, 0.0)


def rating_by_age(age: float, clause: Newcomers) -> float:
    """50 points a year from 2 to 26; nan, an unknown age, has a number of its own."""
    if age != age:
        return clause.unknown
    if age < clause.least_age:
        return clause.least
    return clause.adult if age >= clause.adult_age else clause.per_year * age


def converted(rating: float, rows: Sequence[Conversion]) -> tuple[float, float]:
    """A rating of another body here, and the games that it counts as: the first row below the rating. nan: no row."""
    for row in rows:
        if rating > row.above:
            return row.offset + row.slope * rating, row.games
    return math.nan, 0.0


def sources(facts: Mapping[str, float], edition: Edition, blended: bool) -> list[Source]:
    """The player's ratings elsewhere as ratings of this list, in the order of precedence."""
    clause = _newcomers(edition)
    found = []
    for kind in clause.order:
        if kind == "other":
            for name in LISTS:
                if _known(facts, name):
                    games = max(facts.get(f"{name}_games", 0.0), 0.0) if blended else 0.0
                    found.append(Source(name, facts[name], facts[name], games if games == games else 0.0))
        elif _known(facts, kind):
            rating, games = converted(facts[kind], edition.fide if kind == "fide" else edition.cfc)
            if rating == rating:
                found.append(Source(kind, facts[kind], rating, games))
    return found


def first_rating(age: float, facts: Mapping[str, float], edition: Edition) -> Begins:
    """R0 and N of a player unrated in this list. Raises nothing: without any fact it is the rating of unknown age."""
    clause = _newcomers(edition)
    known = sources(facts, edition, clause.blended)
    if not known:
        return Begins(rating_by_age(age, clause), 0.0, "age" if age == age else "unknown age", age)
    if len(known) == 1 and clause.blended:
        one = known[0]
        return Begins(one.rating, _within(one.games, clause), one.name, age, (one,))
    if not clause.blended:
        return Begins(known[0].rating, known[0].games, known[0].name, age, (known[0],))
    weights = [_within(source.games, clause) for source in known]
    rating = math.fsum(weight * source.rating for weight, source in zip(weights, known)) / math.fsum(weights)
    return Begins(rating, max(weights), "blend", age, tuple(known))


def _within(games: float, clause: Newcomers) -> float:
    return min(max(games, clause.blend_least), clause.blend_most)


def _known(facts: Mapping[str, float], name: str) -> bool:
    value = facts.get(name, math.nan)
    return value == value and value > 0.0


def _newcomers(edition: Edition) -> Newcomers:
    return edition.newcomers or Newcomers()
