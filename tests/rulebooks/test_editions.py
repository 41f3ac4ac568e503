"""Both sides of every effective date, and the tables and ramps that the founding documents print."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from arpad.rulebooks import load
from arpad.rulebooks.schema import Edition, Row
from arpad.rulebooks.tables import categories, expected_table, find_tournament, tournaments

FIDE = load("fide/standard")


def k_table(edition: Edition) -> list[tuple[dict[str, float], float | None]]:
    return [(row.when, row.value) for row in edition.k]


def pair(day: str) -> tuple[Edition, Edition]:
    """The editions in force on the day before, and on the day."""
    when = date.fromisoformat(day)
    return FIDE.on(when - timedelta(days=1)), FIDE.on(when)


def k_of_1971() -> list[tuple[dict[str, float], float]]:
    return [({"games_below": 30}, 25), ({}, 10)]


def k_before_2014(newcomer: float) -> list[tuple[dict[str, float], float]]:
    return [({"games_below": 30}, newcomer), ({"peak_from": 2400}, 10), ({}, 15)]


K_SINCE_2014 = [
    ({"peak_from": 2400}, 10),
    ({"age_below": 19, "peak_below": 2300}, 40),
    ({"games_below": 30}, 40),
    ({}, 20),
]


@pytest.mark.parametrize(
    ("day", "before", "after"),
    [
        ("2003-07-01", k_of_1971(), k_before_2014(25)),
        ("2009-07-01", k_before_2014(25), k_before_2014(25)),
        ("2011-07-01", k_before_2014(25), k_before_2014(30)),
        ("2014-07-01", k_before_2014(30), K_SINCE_2014),
        ("2017-07-01", K_SINCE_2014, K_SINCE_2014),
        ("2025-10-01", K_SINCE_2014, K_SINCE_2014),
    ],
)
def test_fide_8_3_3_k_on_both_sides(day: str, before: list[object], after: list[object]) -> None:
    old, new = pair(day)
    assert (k_table(old), k_table(new)) == (before, after)


@pytest.mark.parametrize(
    ("day", "before", "after"),
    [
        ("2003-07-01", [], [({}, 350)]),
        ("2009-07-01", [({}, 350)], [({}, 400)]),
        ("2025-10-01", [({}, 400)], [({"rating_from": 2650}, float("inf")), ({}, 400)]),
    ],
)
def test_fide_8_3_1_cap_on_both_sides(day: str, before: list[object], after: list[object]) -> None:
    caps = [[(row.when, row.value) for row in edition.cap] for edition in pair(day)]
    assert caps == [before, after]


@pytest.mark.parametrize(
    ("day", "before", "after"),
    [
        ("1993-01-01", 2200, 2000),
        ("2001-01-01", 2000, 1801),
        ("2004-01-01", 1801, 1600),
        ("2006-01-01", 1600, 1400),
        ("2009-07-01", 1400, 1200),
        ("2012-07-01", 1200, 1000),
        ("2024-03-01", 1000, 1400),
    ],
)
def test_fide_7_2_1_floor_on_both_sides(day: str, before: float, after: float) -> None:
    floors = [edition.floor for edition in pair(day)]
    assert [floor and (floor.value, floor.kind) for floor in floors] == [(before, "delist"), (after, "delist")]


@pytest.mark.parametrize(
    ("day", "before", "after"),
    [
        ("1981-07-01", "period:07-01", "period:01-01,07-01"),
        ("2000-10-01", "period:01-01,07-01", "period:01-01,04-01,07-01,10-01"),
        ("2009-07-01", "period:01-01,04-01,07-01,10-01", "period:01-01,03-01,05-01,07-01,09-01,11-01"),
        ("2012-07-01", "period:01-01,03-01,05-01,07-01,09-01,11-01", "period:month"),
    ],
)
def test_fide_lists_on_both_sides(day: str, before: str, after: str) -> None:
    assert tuple(edition.unit.of for edition in pair(day)) == (before, after)


def test_fide_one_upgrade_a_tournament_from_2022_to_february_2024() -> None:
    assert [edition.difference.upgrades for edition in (*pair("2022-01-01"), *pair("2024-03-01"))] == [0, 1, 1, 0]


def test_fide_700_rule_from_2017() -> None:
    before, after = pair("2017-07-01")
    assert before.limit is None
    assert after.limit is not None
    assert (after.limit.product, after.limit.status) == (700, "unsure")
    now = FIDE.on(None).limit
    assert now is not None
    assert (now.product, now.status) == (700, "")


def test_fide_expectation_against_the_mean_opponent_until_2005() -> None:
    assert [edition.difference.expectation for edition in pair("2005-01-01")] == ["mean opponent", "game"]
    assert [edition.curve.lookup for edition in pair("2005-01-01")] == ["nearest", "exact"]


def test_fide_uplift_of_march_2024() -> None:
    before, after = pair("2024-03-01")
    (uplift,) = after.uplift
    assert not before.uplift
    assert (uplift.date, uplift.share, uplift.towards) == (date(2024, 3, 1), 0.4, 2000)
    assert (uplift.rating_from, uplift.rating_below) == (1000, 2000)


def test_fide_begins_with_the_first_list() -> None:
    assert FIDE.on(date(1971, 7, 1)).since == date(1971, 7, 1)
    assert [edition.since for edition in FIDE.editions] == sorted(
        edition.since or date.min for edition in FIDE.editions
    )


def test_fide_8_1_2_as_printed() -> None:
    rows = FIDE.tables["fide/8.1.2.csv"]
    table = expected_table(rows)
    assert len(rows) == 51
    assert rows[0] == {"low": "0", "high": "3", "H": "0.50", "L": "0.50"}
    assert rows[-2] == {"low": "620", "high": "735", "H": "0.99", "L": "0.01"}
    assert rows[-1] == {"low": "736", "high": "", "H": "1.00", "L": "0.00"}
    assert table.unit == 100
    assert len(table.high) == 50
    assert list(table.higher) == list(range(50, 101))
    assert all(high + low == 100 for high, low in zip(table.higher, table.lower, strict=True))
    assert table.high[:10] == (3, 10, 17, 25, 32, 39, 46, 53, 61, 68)
    assert table.high[-9:] == (391, 411, 432, 456, 484, 517, 559, 619, 735)


def test_asigc_ramps_steps_and_start_as_the_description_has_them() -> None:
    book = load("asigc")
    edition = book.on(date(2001, 4, 1))
    r, p = edition.k[0].ramp, edition.k_factor[0].ramp
    assert r is not None
    assert (r.of, r.points) == ("rating", [(1500, 30), (2100, 10)])
    assert p is not None
    assert (p.of, p.points) == ("games", [(50, 1.5), (100, 1)])
    assert edition.surprise is not None
    assert edition.surprise.steps == [(2, 1.5), (1, 1.25)]
    assert edition.unit.of == "game"
    assert edition.entry.rating == 1800
    assert book.on(date(1999, 9, 30)).entry.rating == 1500
    first_class = next(row for row in categories(book.tables["asigc/entry.csv"]) if row.name == "1N")
    assert (first_class.rating, first_class.games, first_class.status) == (1800, 40, "")


def test_asigc_other_reading_of_the_games_played() -> None:
    ramp = load("asigc:games-after").editions[-1].k_factor[0].ramp
    assert ramp is not None
    assert ramp.points == [(49, 1.5), (99, 1)]


def test_us_chess_32_24_16() -> None:
    assert k_table(load("uschess/classic").editions[0]) == [
        ({"rating_below": 2100}, 32),
        ({"rating_below": 2400}, 24),
        ({}, 16),
    ]


def test_elo_40_20_10() -> None:
    rows: list[Row] = load("elo:40/20/10").editions[0].k
    assert [(row.when, row.value) for row in rows] == [({"peak_from": 2400}, 10), ({"games_below": 30}, 40), ({}, 20)]


@pytest.mark.parametrize(
    ("tournament", "day", "importance", "knockout"),
    [
        ("Friendly", "2021-05-30", 5, False),
        ("Friendly", "2021-05-31", 10, False),
        ("Kirin Cup", "2022-06-06", 10, False),
        ("UEFA Nations League", "2020-09-05", 15, False),
        ("UEFA Nations League", "2021-10-10", 25, True),
        ("FIFA World Cup qualification", "2021-03-25", 25, False),
        ("UEFA Euro", "2021-06-23", 35, False),
        ("UEFA Euro", "2021-06-26", 35, True),
        ("UEFA Euro", "2021-07-02", 40, True),
        ("FIFA World Cup", "2022-12-02", 50, False),
        ("FIFA World Cup", "2022-12-06", 50, True),
        ("FIFA World Cup", "2022-12-09", 60, True),
        ("CONIFA Asia Cup", "2023-09-06", 0, False),
    ],
)
def test_fifa_importance_by_tournament_and_date(tournament: str, day: str, importance: float, knockout: bool) -> None:
    table = tournaments(load("fifa/men").tables["fifa/importance.csv"])
    row = find_tournament(table, tournament, date.fromisoformat(day).toordinal())
    assert row is not None
    assert (row.importance, row.knockout) == (importance, knockout)


@pytest.mark.parametrize(
    ("tournament", "day", "importance"),
    [
        ("FIFA World Cup", "1930-07-13", 60),
        ("Olympic Games", "1924-06-09", 60),
        ("Copa América", "1916-07-02", 50),
        ("British Home Championship", "1902-05-03", 40),
        ("Central European International Cup", "1932-10-28", 40),
        ("UEFA Euro qualification", "2010-10-08", 40),
        ("Nordic Championship", "1950-06-22", 30),
        ("Baltic Cup", "1938-09-03", 30),
        ("a cup that nobody listed", "1988-01-01", 30),
        ("King's Cup", "2010-01-17", 30),
        ("Friendly", "1872-11-30", 20),
    ],
)
def test_eloratings_importance_by_tournament(tournament: str, day: str, importance: float) -> None:
    table = tournaments(load("eloratings").tables["eloratings/importance.csv"])
    row = find_tournament(table, tournament, date.fromisoformat(day).toordinal())
    assert row is not None
    assert row.importance == importance


def test_an_unknown_day_matches_only_rows_without_dates() -> None:
    table = tournaments(load("fifa/men").tables["fifa/importance.csv"])
    row = find_tournament(table, "Friendly", 0)
    assert row is not None
    assert row.importance == 5
