"""What a rulebook of US Chess may say: the clauses that `systems.uschess` reads.

A number that one edition changed is a key here; what never changed since 2001 has its value as the key's default.
N is the number of games that a rating is based on, m the number of games in the event at hand.
"""

from __future__ import annotations

from typing import Literal

from arpad.rulebooks.clause import Clause


class Effective(Clause, frozen=True):
    """Effective number of games, at most N: `most` / sqrt(constant + slope * (centre - R) ** 2), `most` above `until`.

    It says how much an old rating weighs against the event.
    """

    constant: float
    slope: float
    centre: float
    until: float
    most: float = 50.0


class Special(Clause, frozen=True):
    """The formula for short histories: up to `games` games, or with nothing but wins or nothing but losses.

    The expectancy is a straight line over `span` points on either side; the result is at most `most`.
    """

    games: float = 8.0
    span: float = 400.0
    most: float = 2700.0


class Standard(Clause, frozen=True):
    """The formula for all others: K = scale / (effective games + m)."""

    scale: float = 800.0


class Bonus(Clause, frozen=True):
    """What a gain above threshold * sqrt(max(m, root_games)) exceeds it by comes on top.

    It takes `games` games at least, and nobody met more than `meetings` times. `strict`: with exactly `games` games
    nobody may be met twice.
    """

    threshold: float
    games: int = 3
    root_games: int = 4
    meetings: int = 2
    strict: bool = False


class LowK(Clause, frozen=True):
    """Of events that count in two lists: above `above`, K is multiplied by constant - slope * R, and by `least` from
    `until` on."""

    above: float = 2200.0
    until: float = 2500.0
    constant: float = 6.5
    slope: float = 0.0025
    least: float = 0.25


class HalfK(Clause, frozen=True):
    """Of events declared half-K: K = scale / (weight * effective games + m), and N grows by `growth` a game."""

    weight: float = 2.0
    growth: float = 0.5


class Conversion(Clause, frozen=True):
    """R = offset + slope * rating elsewhere, based on so many games, for ratings above `above`."""

    above: float = float("-inf")
    offset: float = 0.0
    slope: float = 1.0
    games: float = 0.0


class Newcomers(Clause, frozen=True):
    """The rating that a player new to the list begins with.

    By age: `per_year` points a year, `least` below `least_age`, `adult` from `adult_age` on; `unknown` without a date
    of birth. By ratings elsewhere: in `order` of precedence (the first that is there is taken), or where `blended` all
    of them, each weighing as many games as it is based on, `blend_least` to `blend_most` games in all.
    """

    per_year: float = 50.0
    least_age: float = 2.0
    least: float = 100.0
    adult_age: float = 26.0
    adult: float = 1300.0
    unknown: float = 750.0
    order: tuple[str, ...] = ("fide", "cfc", "other")
    blended: bool = False
    blend_least: float = 1.0
    blend_most: float = 10.0


class AbsoluteFloor(Clause, frozen=True):
    """base + per_win * wins + per_draw * draws + per_event * events of `event_games` games, at most `most`."""

    base: float = 100.0
    per_win: float = 0.0
    per_draw: float = 0.0
    per_event: float = 0.0
    event_games: int = 3
    most: float = 100.0


class PeakFloor(Clause, frozen=True):
    """`distance` points below the highest established rating (N above `games`), down to a multiple of `step`; from
    `least` to `most`."""

    least: float
    most: float = 2100.0
    distance: float = 200.0
    step: float = 100.0
    games: float = 25.0


class LifeMaster(Clause, frozen=True):
    """Who has played `games` games with an established rating of `rating` keeps `floor` for life."""

    games: int = 300
    rating: float = 2200.0
    floor: float = 2200.0


class Match(Clause, frozen=True):
    """An event of two players with `least` games or more: standard formula without bonus.

    Each gains or loses at most `most`, and in matches of `years` years at most `net`; in `short_days` days at most
    `short_net` (0: no such limit). Both must have ratings based on more than `games` games, at most `apart` points from
    each other; if not, the games are not rated (`unfit`: or as any other event). At a floor the player counts as having
    asked for one `lowering` points lower.
    """

    net: float
    years: int = 3
    most: float | None = None
    short_net: float = 0.0
    short_days: int = 180
    games: float = 25.0
    apart: float = 400.0
    unfit: Literal["left out", "rated"] = "left out"
    least: int = 1
    lowering: float = 100.0


class Feeds(Clause, frozen=True):
    """Which time controls belong to the list, by minutes for the game plus `increment` for each second a move.

    From `least`, or above `above`; up to `most`, or below `below`. From `dual_least` to `dual_most` a game counts in
    two lists.
    """

    increment: float = 1.0
    least: float = 0.0
    above: float = float("-inf")
    most: float = float("inf")
    below: float = float("inf")
    dual_least: float | None = None
    dual_most: float | None = None


class Storage(Clause, frozen=True):
    """Whether ratings are kept as whole numbers, rounded away from the old rating."""

    whole: bool


class Norms(Clause, frozen=True):
    """A norm: score minus expected for the level above `margin`, in `games` games or more, nobody met more than
    `meetings` times. `titles` norms of a level make its title."""

    margin: float = 1.0
    games: int = 4
    meetings: int = 2
    titles: int = 5


class Level(Clause, frozen=True):
    """A level of norms; `reached`: the title also asks for an established rating of the level."""

    name: str
    rating: float
    reached: bool = False


#: The clauses of the system beside those that all know, and those that it cannot do without.
NEEDED = ("curve", "effective", "special", "standard", "newcomers", "absolute_floor")
CLAUSES = (
    *NEEDED[1:],
    *("bonus", "low_k", "half_k", "fide", "fide_youth", "cfc", "peak_floor", "life_master", "match", "feeds"),
    *("storage", "norms", "levels"),
)
