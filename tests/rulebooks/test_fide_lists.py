"""FIDE's first ratings and activity by date, and the rapid and blitz lists: both sides of every effective date."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from arpad.rulebooks import load
from arpad.rulebooks.schema import Edition, First
from arpad.rulebooks.tables import percentages

STANDARD = load("fide/standard")
RAPID = load("fide/rapid")
BLITZ = load("fide/blitz")
INF = float("inf")

K_OF_STANDARD = [
    ({"peak_from": 2400}, 10),
    ({"age_below": 19, "peak_below": 2300}, 40),
    ({"games_below": 30}, 40),
    ({}, 20),
]


def pair(name: str, day: str) -> tuple[Edition, Edition]:
    """The editions in force on the day before, and on the day."""
    book = {"standard": STANDARD, "rapid": RAPID, "blitz": BLITZ}[name]
    when = date.fromisoformat(day)
    return book.on(when - timedelta(days=1)), book.on(when)


def first(edition: Edition) -> First:
    assert edition.first is not None
    return edition.first


def conditions(edition: Edition) -> tuple[int, int, float, bool, int, float | None, int, float | None]:
    rule = first(edition)
    return (
        rule.games,
        rule.months,
        rule.least_score,
        rule.every_event,
        rule.least_opponents,
        rule.step,
        rule.draws,
        rule.most,
    )


FIRST_1971 = (9, 24, 0.0, False, 0, None, 0, None)
FIRST_2003 = (9, 24, 1.0, True, 3, 12.5, 0, None)
FIRST_2011 = (9, 24, 1.0, False, 3, 12.5, 0, None)
FIRST_2014 = (5, 26, 0.5, False, 0, 20, 0, None)
FIRST_2024 = (5, 26, 0.5, False, 0, None, 2, 2200)


@pytest.mark.parametrize(
    ("day", "before", "after"),
    [
        ("2003-07-01", FIRST_1971, FIRST_2003),
        ("2009-07-01", FIRST_2003, FIRST_2003),
        ("2011-07-01", FIRST_2003, FIRST_2011),
        ("2014-07-01", FIRST_2011, FIRST_2014),
        ("2022-01-01", FIRST_2014, FIRST_2014),
        ("2024-03-01", FIRST_2014, FIRST_2024),
    ],
)
def test_fide_8_2_first_rating_on_both_sides(day: str, before: object, after: object) -> None:
    assert tuple(map(conditions, pair("standard", day))) == (before, after)


def test_what_is_unsure_of_first_ratings_says_so_and_can_be_set() -> None:
    assert [first(STANDARD.on(date(year, 8, 1))).status for year in (1980, 2003, 2009, 2012, 2014, 2022, 2024)] == [
        *("unsure", "", "unsure", "unsure", "", "", "")
    ]
    book = load("fide/standard", {"first_step_2011": 15, "first_rounding": "half even", "first_counted": "false"})
    assert [first(book.on(date(year, 8, 1))).step for year in (2009, 2012, 2014)] == [12.5, 15, 20]
    assert (first(book.on(None)).rounding, first(book.on(None)).counted) == ("half even", False)
    assert (first(STANDARD.on(None)).rounding, first(STANDARD.on(None)).counted) == ("half up", True)


def test_fide_8_2_2_two_draws_against_1800_from_march_2024() -> None:
    before, after = pair("standard", "2024-03-01")
    assert (first(before).draws, first(after).draws, first(after).draws_rating) == (0, 2, 1800)


@pytest.mark.parametrize("name", ["standard", "rapid", "blitz"])
@pytest.mark.parametrize(("day", "before", "after"), [("2020-11-01", 12, 24), ("2022-10-01", 24, 12)])
def test_fide_7_2_2_activity_on_both_sides(name: str, day: str, before: int, after: int) -> None:
    assert [edition.activity and edition.activity.months for edition in pair(name, day)] == [before, after]


def test_fide_8_1_1_as_printed() -> None:
    table = percentages(STANDARD.tables["fide/8.1.1.csv"])
    assert [table[p] for p in (0, 29, 50, 57, 64, 86, 100)] == [-800, -158, 0, 50, 102, 309, 800]


def test_blitz_is_rapid_but_for_the_time_on_the_clock() -> None:
    assert BLITZ.digest == RAPID.digest
    assert BLITZ.parameters == RAPID.parameters
    different = [(a.since, a.text["en"], b.text["en"]) for a, b in zip(RAPID.editions, BLITZ.editions) if a != b]
    assert different == [
        (
            date(2012, 1, 1),
            "At least 15 and less than 60 minutes each for 60 moves",
            "At least 5 and less than 15 minutes each for 60 moves",
        ),
        (date(2014, 7, 1), RAPID.editions[2].text["en"], BLITZ.editions[2].text["en"]),
    ]
    assert BLITZ.editions[2].text["en"].startswith("More than 3 and at most 10 minutes")
    assert [edition.name for edition in RAPID.editions] == [edition.name for edition in BLITZ.editions]


both = pytest.mark.parametrize("name", ["rapid", "blitz"])


@both
def test_rapid_and_blitz_7_3_3_k_is_20_until_october_2022(name: str) -> None:
    tables = [[(row.when, row.value) for row in edition.k] for edition in pair(name, "2022-10-01")]
    assert tables == [[({}, 20)], K_OF_STANDARD]
    assert all(row.value == 20 for row in pair(name, "2014-07-01")[0].k)


@both
@pytest.mark.parametrize(
    ("day", "before", "after"),
    [("2014-07-01", 400, INF), ("2022-01-01", INF, 400), ("2025-10-01", 400, 400)],
)
def test_rapid_and_blitz_7_3_1_cap_on_both_sides(name: str, day: str, before: float, after: float) -> None:
    caps = [[(row.when, row.value) for row in edition.cap] for edition in pair(name, day)]
    assert caps == [[({}, before)], [({}, after)]]


@both
def test_rapid_and_blitz_7_3_1_a_gap_of_600_from_december_2024(name: str) -> None:
    before, after = pair(name, "2024-12-01")
    assert before.gap is None
    assert after.gap is not None
    assert (after.gap.difference, after.gap.above) == (600, 2600)
    assert all(edition.gap is None for edition in STANDARD.editions)


@both
@pytest.mark.parametrize(
    ("day", "before", "after"), [("2012-07-01", 1200, 1000), ("2022-01-01", 1000, 1000), ("2024-03-01", 1000, 1400)]
)
def test_rapid_and_blitz_6_2_1_floor_on_both_sides(name: str, day: str, before: float, after: float) -> None:
    floors = [edition.floor for edition in pair(name, day)]
    assert [floor and (floor.value, floor.kind) for floor in floors] == [(before, "delist"), (after, "delist")]


@both
@pytest.mark.parametrize(
    ("day", "before", "after"),
    [
        ("2014-07-01", (9, 24, 1.0, False, 3, 10, 0, None), (5, 26, 1.0, False, 0, 20, 0, None)),
        ("2022-01-01", (5, 26, 1.0, False, 0, 20, 0, None), FIRST_2014),
        ("2024-03-01", FIRST_2014, FIRST_2024),
    ],
)
def test_rapid_and_blitz_7_2_first_rating_on_both_sides(name: str, day: str, before: object, after: object) -> None:
    assert tuple(map(conditions, pair(name, day))) == (before, after)


@both
@pytest.mark.parametrize(
    ("day", "before", "after"), [("2014-07-01", "", "unsure"), ("2022-10-01", "unsure", ""), ("2025-10-01", "", "")]
)
def test_rapid_and_blitz_7_2_1_standard_stands_in(name: str, day: str, before: str, after: str) -> None:
    clauses = [edition.substitute for edition in pair(name, day)]
    assert [clause and (clause.of, clause.status) for clause in clauses] == [
        ("fide/standard", before),
        ("fide/standard", after),
    ]
    assert all(edition.substitute is None for edition in STANDARD.editions)


@both
def test_rapid_and_blitz_one_upgrade_a_tournament_from_2022_to_february_2024(name: str) -> None:
    four = (*pair(name, "2022-01-01"), *pair(name, "2024-03-01"))
    assert [edition.difference.upgrades for edition in four] == [0, 1, 1, 0]


@both
def test_rapid_and_blitz_uplifts_of_october_2022_and_march_2024(name: str) -> None:
    before, after = pair(name, "2024-03-01")
    (uplift,) = after.uplift
    (lift,) = before.uplift
    assert (lift.date, lift.of, lift.less) == (date(2022, 10, 1), "fide/standard", 100)
    assert not pair(name, "2022-10-01")[0].uplift
    assert (uplift.date, uplift.share, uplift.towards) == (date(2024, 3, 1), 0.4, 2000)
    assert (uplift.rating_from, uplift.rating_below, uplift.status) == (1000, 2000, "unsure")


@both
def test_rapid_and_blitz_lists(name: str) -> None:
    assert [edition.unit.of for edition in pair(name, "2012-07-01")] == ["period:half-year", "period:month"]


@both
@pytest.mark.parametrize(("day", "before", "after"), [("2014-07-01", None, "unsure"), ("2022-01-01", "unsure", "")])
def test_rapid_and_blitz_700_rule(name: str, day: str, before: str | None, after: str) -> None:
    assert [edition.limit and edition.limit.status for edition in pair(name, day)] == [before, after]


def test_fide_6_3_k10_blitz_in_january_2020() -> None:
    edition = BLITZ.on(date(2020, 1, 1))
    (row,) = edition.k  # 20 for everybody, at 2500 as well
    assert edition.limit is not None
    assert row.value == 20
    assert row.value * 36 > edition.limit.product
    assert edition.limit.product // 36 == 19
