"""The clauses of national systems that settle whole events or months: Germany's, Ireland's, England's.

R is a rating, D a difference, W a score and We what was expected, n the games of an event or period.
"""

from __future__ import annotations

from typing import Literal

from arpad.rulebooks.clause import Clause

# ------------------------------------------------------------------------------------------------------ DWZ


class Development(Clause, frozen=True):
    """DWZ: R moves by `scale` * (W - We) / (E + n); E is a whole number, the larger the slower.

    E = ((R / 1000) ** 4 + J) * acceleration + brake, half up. J is `youth` up to the age `youth_until`, `junior` up to
    `junior_until`, else `adult`; ages are counted by years, and who is of unknown age is an adult.

    acceleration  R / `acceleration`, between `least_acceleration` and 1, of a youth who scored what was expected or
                  more (`always`: of every youth)
    brake         exp((`brake_below` - R) / `brake_scale`) - 1, below `brake_below`, up to the age `brake_until`, of who
                  scored less than expected (`brake_even`: or just that)

    E is at least `least`; at most `most`, and at most `by_index` * index, without a brake; at most `most_braked` with
    one. Index: the events that a rating comes from; a rating taken over from another list has none, counts as index 1
    here, and is called `foreign_index`.
    """

    scale: float
    youth: float
    youth_until: int
    junior: float
    junior_until: int
    adult: float
    acceleration: float
    least_acceleration: float
    brake_below: float
    brake_scale: float
    brake_until: float
    least: float
    most: float
    by_index: float
    most_braked: float
    foreign_index: int
    always: bool = False
    brake_even: bool = False


class Tiers(Clause, frozen=True):
    """DWZ: who is rated for the first time by an event, in two tiers.

    First, unrated players with `games` games or more against rated ones, not all won and not all lost; then those who
    have as many against rated players and the first tier together. All of them are rated at once: each performance Rh
    is what would have made the score the expected one. A first rating is Rh, or below `low` Rh / `divisor` + `offset`.
    Everybody else's games against rated players and the first tier are kept, for `years` years from the event's end.
    `met_as`: what the others' opponents met, the first rating or Rh.
    """

    games: int
    years: int
    low: float
    divisor: float
    offset: float
    met_as: Literal["first rating", "performance"] = "first rating"


class Exceptional(Clause, frozen=True):
    """DWZ: who performs more than `above` points better than rated, in `games` games or more, counts for rated
    opponents at the performance; if all were won that is the mean opponent and `perfect` points."""

    above: float
    games: int
    perfect: float


DWZ = ("development", "tiers", "exceptional", "change")

# ------------------------------------------------------------------------------------------------------ ICU


class Membership(Clause, frozen=True):
    """ICU: K is `k` for who has been a member for fewer than `years` years, where the last row of K would decide."""

    years: int
    k: float


class Estimates(Clause, frozen=True):
    """ICU: performances, each the mean of what the games are worth: the opponent's rating, `points` more for a win and
    less for a loss. Opponents without a full rating count at their own performance, so that all are estimated again
    and again: at most `passes` times, `passes_after` once bonuses are known, or until none moves by `close` or more.

    With fewer than `games` games a rating is provisional: the mean of all games so far. `whole`: estimates and ratings
    with bonus are whole numbers when they are met.
    """

    points: float
    games: int
    passes: float
    passes_after: float
    close: float
    whole: bool = False


class Improvement(Clause, frozen=True):
    """ICU: a bonus for who has a full rating below `below`, K above `k_above`, more than `games` games, and a change of
    more than `change` that ends below `below`: what the change exceeds `threshold` + `by_game` * (n - `games`) by, from
    K `k_from` on times `factor`; the new rating is at most `most`, and at most the performance.

    Opponents then meet the rating with its bonus, and all changes are found again. `again`: so are the bonuses.
    `follows`: a rating with bonus is met as it has become by then, player by player.
    """

    below: float
    k_above: float
    games: int
    change: float
    threshold: float
    by_game: float
    k_from: float
    factor: float
    most: float
    rounding: Literal["half away from zero", "half even"] = "half away from zero"
    again: bool = False
    follows: bool = False


ICU = ("k", "membership", "estimates", "improvement", "change")

# ------------------------------------------------------------------------------------------------------ ECF


class Performances(Clause, frozen=True):
    """ECF: who is new, was away for more than `months` months, or has fewer than `games` games is rated by performance:
    the mean opponent, one draw against `nominal` counted with them (who was away: against the last full rating), and
    what `file` (p, dp) gives for the percentage.

    Full ratings move by K: no difference counts for more than `cap`, and a game against who has no full rating by
    `weight`.
    """

    games: int
    months: int
    nominal: float
    file: str
    cap: float
    weight: float = 1.0


ECF = ("k", "performances", "change")
