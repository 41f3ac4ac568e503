"""The regulation of norms as it stood on a day, and the tables that follow from it."""

from __future__ import annotations

import math
from datetime import date
from fractions import Fraction
from functools import cache
from typing import Any, Literal

import msgspec

from arpad.errors import UnknownName, UsageError
from arpad.norms.facts import Texts
from arpad.performances import fide_differences, fide_parts
from arpad.rulebooks.sheets import converted, in_force, read

SHEET = "fide/title_norms"
#: Titles that are made of norms.
TITLES = ("GM", "IM", "WGM", "WIM")
#: FIDE's own flag: its players are opponents like others, but it is no federation.
NO_FEDERATION = "FID"

#: What an edition says of itself; everything else in it is a clause and is inherited.
OWN = ("from", "name", "source", "status")


@cache
def fraction(share: str) -> Fraction:
    """A share as it is written, `3/5`."""
    return Fraction(share)


class Clause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One condition: its article, what it says in words, and its numbers. A share is a fraction, written `3/5`."""

    article: str = ""
    source: str = ""
    status: str = ""
    text: dict[str, str] = {}
    least: int = 0
    most: int = 0
    counts: int = 0
    rounds: int = 0
    share: str = "0"
    rating: int = 0
    players: int = 0
    federations: int = 0
    titled: int = 0
    ratings: dict[str, int] = {}
    titles: list[str] = []
    kinds: list[str] = []
    accepted: dict[str, list[str]] = {}

    def minimum(self, games: int) -> int:
        """A share of so many games as a minimum: rounded up, and not below `least`."""
        return max(self.least, math.ceil(fraction(self.share) * games))

    def maximum(self, games: int) -> int:
        """A share of so many games as a maximum: rounded down."""
        return math.floor(fraction(self.share) * games)


class NormRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One edition, whole. A clause that is None is not in force."""

    since: date = msgspec.field(name="from")
    name: str
    source: str
    method: Literal["category", "opponents"]
    games: Clause
    most: Clause
    unplayed: Clause
    woman: Clause
    status: str = ""
    category: Clause | None = None
    team: Clause | None = None
    world_cup: Clause | None = None
    eight: Clause | None = None
    more: Clause | None = None
    later: Clause | None = None
    beaten: Clause | None = None
    members: Clause | None = None
    unrated_zero: Clause | None = None
    last_forfeit: Clause | None = None
    tailored: Clause | None = None
    format: Clause | None = None
    federations: Clause | None = None
    national_final: Clause | None = None
    national_team: Clause | None = None
    zonal: Clause | None = None
    foreign_field: Clause | None = None
    own_federation: Clause | None = None
    one_federation: Clause | None = None
    title_holders: Clause | None = None
    required_titles: Clause | None = None
    double: Clause | None = None
    unrated: Clause | None = None
    unrated_opponents: Clause | None = None
    floor: Clause | None = None
    average: Clause | None = None
    score: Clause | None = None
    performance: Clause | None = None
    registered: Clause | None = None
    hours_a_day: Clause | None = None
    rounds_a_day: Clause | None = None
    minutes: Clause | None = None
    identical_clocks: Clause | None = None
    arbiter_present: Clause | None = None
    arbiter_apart: Clause | None = None


@cache
def editions() -> tuple[NormRules, ...]:
    """Every edition, whole, in order of date."""
    whole: dict[str, Any] = {}
    found = []
    for amended in read(SHEET)["edition"]:
        whole = {key: value for key, value in whole.items() if key not in OWN}
        for key, value in amended.items():
            if value == "none":
                del whole[key]
            else:
                whole[key] = {**whole.get(key, {}), **value} if isinstance(value, dict) else value
        found.append(converted(whole, NormRules, SHEET))
    return tuple(found)


def norm_rules(on: date | None = None) -> NormRules:
    """The edition in force on a day (None: the last one). Raises UsageError for a day before the first."""
    return in_force(editions(), on, "norms")


def text_of(clause: Clause | None) -> Texts:
    return clause.text if clause else {}


def check_title(title: str) -> None:
    """Raises UnknownName for a title that is not made of norms."""
    if title not in TITLES:
        raise UnknownName("title made of norms", title, TITLES)


def least_points(rules: NormRules, games: int) -> Fraction:
    """The fewest points with which a norm can be made at all: a share of the games, up to the next half point."""
    share = fraction(rules.score.share) if rules.score else Fraction(0)
    return Fraction(math.ceil(2 * share * games), 2)


def minimum_average(title: str, games: int, points: Fraction | float, on: date | None = None) -> int | None:
    """The least average of the opponents, rounded, with which points in so many games make a norm.

    None where they are too few for any. Raises UnknownName for the title, UsageError before norms had such a level.
    """
    check_title(title)
    rules = norm_rules(on)
    scored = Fraction(points)
    if scored < least_points(rules, games):
        return None
    if not rules.performance:
        raise UsageError(f"norms of {rules.since.year} go by the category of the event, not by the opponents")
    _, hundredths, _ = fide_parts([0] * games, scored)
    least = rules.performance.ratings[title] - fide_differences()[hundredths]
    return max(least, rules.average.ratings[title]) if rules.average else least


def norm_table(title: str, games: int, on: date | None = None) -> dict[float, int]:
    """Points -> least average, for every score that can make a norm."""
    found = {}
    for halves in range(2 * games + 1):
        average = minimum_average(title, games, Fraction(halves, 2), on)
        if average is not None:
            found[halves / 2] = average
    return found
