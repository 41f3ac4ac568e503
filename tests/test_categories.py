"""Tournament categories. The printed table has thirty percentages; all come out of table 8.1.2."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest

from arpad.categories import category, category_of, category_table, norm_percentage, points_needed
from arpad.errors import UnknownName, UsageError

#: As the document prints it that the project began with: category, lowest and highest average, GM %, IM %.
PRINTED = """
1 2251 2275 85 76    6 2376 2400 73 60    11 2501 2525 57 43
2 2276 2300 83 73    7 2401 2425 70 57    12 2526 2550 53 40
3 2301 2325 81 70    8 2426 2450 67 53    13 2551 2575 50 36
4 2326 2350 78 67    9 2451 2475 64 50    14 2576 2600 47 33
5 2351 2375 76 64   10 2476 2500 60 47    15 2601 2625 43 30
"""
NOW = date(2003, 7, 1)


def test_the_thirty_percentages_are_those_of_the_printed_table() -> None:
    numbers = [int(word) for word in PRINTED.split()]
    rows = [tuple(numbers[at : at + 5]) for at in range(0, len(numbers), 5)]
    table = category_table(9)
    ours = [tuple(row[name] for name in ("category", "low", "high", "GM %", "IM %")) for row in table[:15]]
    assert ours == sorted(rows)
    assert len(table) == 23


def test_the_table_goes_on() -> None:
    assert [norm_percentage(16, title) for title in ("GM", "IM")] == [40, 27]
    assert category(23) == category_of(2801) == category_of(2825)


def test_points_in_nine_rounds() -> None:
    table = category_table(9)[:15]
    assert [row["GM points"] for row in table] == [8, 7.5, 7.5, 7.5, 7, 7, 6.5, 6.5, 6, 5.5, 5.5, 5, 4.5, 4.5, 4]
    assert [row["IM points"] for row in table] == [7, 7, 6.5, 6.5, 6, 5.5, 5.5, 5, 4.5, 4.5, 4, 4, 3.5, 3, 3]
    assert points_needed(50, 9) == Fraction(9, 2)


def test_m6_category_of_an_average() -> None:
    found = category_of(2487)
    assert found is not None
    assert (found.number, found.low, found.high) == (10, 2476, 2500)
    assert points_needed(norm_percentage(found, "IM"), 9) == 4.5
    assert points_needed(norm_percentage(found, "GM"), 9) == 5.5


def test_a_post_of_1985() -> None:
    # 9 rounds, 2376 to 2400: 5.5 for IM; just below: 6
    numbers = [found.number for average in (2376, 2375) if (found := category_of(average))]
    assert [points_needed(norm_percentage(number, "IM"), 9) for number in numbers] == [5.5, 6]


def test_averages_are_rounded_half_up() -> None:
    assert [found and found.number for found in map(category_of, (2250.4, 2250.5, 2275.4, 2275.5))] == [None, 1, 1, 2]


def test_the_level_rose_to_2601() -> None:
    assert [norm_percentage(number, "GM", NOW) for number in (7, 10, 15)] == [76, 67, 50]
    assert norm_percentage(7, "GM", date(2003, 6, 30)) == 70
    assert norm_percentage(10, "IM", NOW) == norm_percentage(10, "IM") == 47


def test_womens_categories_lie_200_points_lower() -> None:
    assert (category(1, women=True).low, category(1, women=True).high) == (2051, 2075)
    assert category_of(2060, women=True) == category(1, women=True)
    assert norm_percentage(1, "WGM") == norm_percentage(category(1, women=True), "WGM") == 85
    assert category_table(9, women=True)[0]["WIM %"] == 76
    # a man's title is the harder for the weaker field
    assert norm_percentage(category(9, women=True), "GM") == norm_percentage(1, "GM")


def test_what_cannot_be() -> None:
    with pytest.raises(UsageError, match="begin with 1"):
        category(0)
    with pytest.raises(UnknownName, match="FM"):
        norm_percentage(1, "FM")
    with pytest.raises(UsageError, match="1970-01-01"):
        norm_percentage(1, "GM", date(1969, 12, 31))
