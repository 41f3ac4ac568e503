"""What a rulebook may say of ratings in stones: the likeliest ones, given declared ranks and a day's games."""

from __future__ import annotations

from arpad.rulebooks.clause import Clause


class Conditions(Clause, frozen=True):
    """How handicap and komi make a difference, and how a game's outcome scatters about it.

    White's difference is rating less Black's less `even` (with 2 stones and more: less their number) plus `komi` for
    each point of komi. The deviation is a parabola of komi (`even_deviation`: constant, linear, square), with stones
    `stones_deviation` by their number from 2 on plus `stones_slope` for each point. `usual_komi` and `stones_komi` are
    meant where the games say none. Games with more stones, or `most_komi` points and more (`most_stones_komi` with
    stones), and draws, are left out.
    """

    even: float
    komi: float
    even_deviation: tuple[float, float, float]
    stones_deviation: list[float]
    stones_slope: float
    usual_komi: float
    stones_komi: float
    most_komi: float
    most_stones_komi: float


class Seed(Clause, frozen=True):
    """What is believed of a player before an event.

    A newcomer is believed to be of the declared rank, with the deviation that `file` gives for it: `highest` above
    `highest_from`, `lowest` below `lowest_from`. A rating is believed as it is, its deviation grows by `drift` a day
    (squares add up). Who declares a rank above the rating by `promotion` or more, and wins a game, is believed to be
    stronger by `promotion_base` + `promotion_slope` * the gap, and the variance grows by `promotion_variance` * gap **
    `promotion_exponent`; from a gap of `reseed` on the player is a newcomer again.
    """

    file: str
    highest: float
    highest_from: float
    lowest: float
    lowest_from: float
    drift: float
    promotion: float
    reseed: float
    promotion_base: float
    promotion_slope: float
    promotion_variance: float
    promotion_exponent: float
