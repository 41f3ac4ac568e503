"""What games of Go say beside their results: grades, stones and komi, as ratings in points or in stones take them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from arpad.arithmetic import grade_of
from arpad.model import Games

NAN = math.nan


def grades(games: Games) -> Iterator[tuple[int, int, str]]:
    """(row, player, grade) of every declared grade, in the order of the games."""
    for row in range(len(games)):
        for name, players in (("first_grade", games.first), ("second_grade", games.second)):
            if name in games.labels and (word := games.labels[name][row]):
                yield row, int(players[row]), word


def first_grades(games: Games) -> dict[str, str]:
    """The first grade that each player declared, by name."""
    found: dict[str, str] = {}
    for _, code, word in grades(games):
        found.setdefault(games.players[code], word)
    return found


def points_of(grade: str, dan: float, step: float, professional: float, professional_step: float) -> float:
    """A grade as a rating in points: `dan` is the first dan, `step` a grade; professionals have a scale of their own.

    Raises ValueError for what is no grade.
    """
    kind, number = grade_of(grade)
    if kind == "p":
        return professional + professional_step * (number - 1)
    return dan + step * (number - 1 if kind == "d" else -number)


def strength_of(grade: str) -> float:
    """A grade as a rating in stones: the middle of 3 dan is 3.5, of 3 kyu -3.5; a professional's counts as dan 7.

    Raises ValueError for what is no grade.
    """
    kind, number = grade_of(grade)
    return -(number + 0.5) if kind == "k" else (7 if kind == "p" else number) + 0.5


def closed(rating: float) -> float:
    """A rating in stones without the gap between 1 kyu and 1 dan."""
    return rating - 1.0 if rating > 0 else rating + 1.0


def opened(strength: float) -> float:
    """The inverse of `closed`."""
    return strength + 1.0 if strength > 0 else strength - 1.0


def stones(games: Games, row: int) -> int:
    return 0 if games.handicap is None else int(games.handicap[row])


def komi(games: Games, row: int, usual: float, with_stones: float) -> float:
    """The komi of a game; where it says none, the usual one."""
    said = NAN if games.komi is None else float(games.komi[row])
    if said == said:
        return said
    return with_stones if stones(games, row) > 1 else usual


def spline(points: Sequence[tuple[float, float]]) -> Any:
    """The natural cubic spline through points in ascending order, as a function; beyond the ends it goes on straight.

    Source: the textbook's tridiagonal equations for second derivatives.
    """
    xs, ys = [x for x, _ in points], [y for _, y in points]
    count = len(xs)
    second = [0.0] * count
    upper = [0.0] * count
    for i in range(1, count - 1):
        low, high = xs[i] - xs[i - 1], xs[i + 1] - xs[i]
        bend = 6 * ((ys[i + 1] - ys[i]) / high - (ys[i] - ys[i - 1]) / low)
        pivot = 2 * (low + high) - low * upper[i - 1]
        upper[i] = high / pivot
        second[i] = (bend - low * second[i - 1]) / pivot
    for i in range(count - 2, 0, -1):
        second[i] -= upper[i] * second[i + 1]

    def at(x: float) -> float:
        i = min(max(sum(each <= x for each in xs) - 1, 0), count - 2)
        width = xs[i + 1] - xs[i]
        a, b = (xs[i + 1] - x) / width, (x - xs[i]) / width
        bent = 0.0 if x < xs[0] or x > xs[-1] else (a**3 - a) * second[i] + (b**3 - b) * second[i + 1]
        return a * ys[i] + b * ys[i + 1] + bent * width**2 / 6

    return at
