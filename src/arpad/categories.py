"""Categories of tournaments, and the scores that made a norm in each.

    category_of(2487)                              # category 10, 2476 to 2500
    norm_percentage(10, "GM")                      # 60 % of the games, on the level of 1970
    points_needed(60, 9)                           # 5.5

The percentages are read off table 8.1.2: the expected score of a player of the title's level against the lowest average
of the category. Thirty of them were printed; none is typed in here.
"""

from __future__ import annotations

import math
from datetime import date
from fractions import Fraction
from functools import cache

import msgspec

from arpad.curves import Basis, Number, basis, exact, half_up
from arpad.errors import UnknownName, UsageError
from arpad.rulebooks.sheets import in_force, sheet

#: Women's titles, and those whose levels they lie under by as much as women's categories do.
WOMEN = {"WGM": "GM", "WIM": "IM"}

#: The first day with percentages, which are those that the old tables print.
FIRST = date(1970, 1, 1)


class Category(msgspec.Struct, frozen=True):
    """A category, and the averages, rounded to whole numbers, that it holds."""

    number: int
    low: int
    high: int
    women: bool = False


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rating for which a norm stands, from a day on."""

    since: date = msgspec.field(name="from")
    ratings: dict[str, int]
    source: str
    status: str = ""


class Categories(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sheet `fide/tournament_categories`."""

    source: str
    first: int
    width: int
    women: int
    level: list[Level]


def category(number: int, women: bool = False) -> Category:
    """A category by its number, from 1; the strongest event ever was of category 23. Raises UsageError below 1."""
    if number < 1:
        raise UsageError(f"there is no category {number}: they begin with 1")
    known = _sheet()
    low = known.first + known.width * (number - 1) + (known.women if women else 0)
    return Category(number, low, low + known.width - 1, women)


def category_of(average: Number, women: bool = False) -> Category | None:
    """The category of an event by the average rating of the field; None below the first.

    The average is first rounded to a whole number, halves up: the regulation does not say so.
    """
    rounded = half_up(exact(average, "average"))
    above = rounded - category(1, women).low
    return None if above < 0 else category(above // _sheet().width + 1, women)


def norm_percentage(number: int | Category, title: str, on: date = FIRST) -> int:
    """Per cent of the games that a norm for a title asks in a category, by the level in force on a day.

    A bare number is that of a women's category for WGM and WIM. Raises UnknownName for a title that has no percentage.
    """
    level = norm_level(on)
    of = WOMEN.get(title, title)
    if of not in level.ratings:
        raise UnknownName("title with a percentage", title, [*level.ratings, *WOMEN])
    low = (number if isinstance(number, Category) else category(number, title in WOMEN)).low
    rating = level.ratings[of] + (_sheet().women if title in WOMEN else 0)
    at = _table()
    return int(100 * at.units(rating, low, rating - low) / at.compiled.unit)


def norm_level(on: date = FIRST) -> Level:
    """The ratings for which norms stand, and whether their date is certain."""
    return in_force(_sheet().level, on, "norms by category")


def points_needed(percentage: int, games: int) -> Fraction:
    """Points that a percentage asks: up to the next half point."""
    return Fraction(math.ceil(Fraction(2 * percentage * games, 100)), 2)


def category_table(games: int, on: date = FIRST, last: int = 23, women: bool = False) -> list[dict[str, object]]:
    """Every category: its averages, the percentages of each norm, and the points that they ask in so many games."""
    titles = WOMEN if women else {title: title for title in norm_level(on).ratings}
    rows = []
    for number in range(1, last + 1):
        found = category(number, women)
        row: dict[str, object] = {"category": number, "low": found.low, "high": found.high}
        for title in titles:
            percentage = norm_percentage(found, title, on)
            row[f"{title} %"] = percentage
            row[f"{title} points"] = float(points_needed(percentage, games))
        rows.append(row)
    return rows


@cache
def _table() -> Basis:
    return basis("fide/standard")


@cache
def _sheet() -> Categories:
    return sheet("fide/tournament_categories", Categories)
