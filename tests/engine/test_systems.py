"""The interface between a replay and its systems: clocks, states of any width, what lists and checkpoints keep."""

from __future__ import annotations

from datetime import date

import pytest

import arpad
from arpad.checkpoints import decode, encode
from arpad.formats import read_start
from arpad.model import PartialDate
from arpad.periods import Calendar, Period
from arpad.rulebooks.schema import OF_SYSTEM, SHARED, Edition
from arpad.systems import SYSTEMS, system
from tests.engine.helpers import day


@pytest.mark.parametrize("unit", ["month", "quarter", "half-year", "year", "week", "day", "30-days", "04-01,10-01"])
def test_each_period_has_the_next_number(unit: str) -> None:
    calendar = Calendar(((0, Period.parse(f"period:{unit}")),))
    at = day("1999-12-31")
    for _ in range(60):
        first, after = calendar.around(at)
        assert {calendar.number(each) for each in range(first, after)} == {calendar.number(at)}
        assert calendar.number(after) == calendar.number(at) + 1
        at = after


def test_numbers_go_on_over_a_change_of_cadence() -> None:
    """Half-years until July 2009, then two months, then months: as FIDE's lists came."""
    spans = [
        ("0001-01-01", "half-year"),
        ("2009-07-01", "01-01,03-01,05-01,07-01,09-01,11-01"),
        ("2012-07-01", "month"),
    ]
    calendar = Calendar(tuple((day(since), Period.parse(f"period:{unit}")) for since, unit in spans))
    at, number = day("2008-02-01"), calendar.number(day("2008-02-01"))
    while at < day("2014-01-01"):
        at = calendar.around(at)[1]
        number += 1
        assert calendar.number(at) == number


def test_every_clause_belongs_to_a_system_and_every_system_has_its_clauses() -> None:
    own = {"from", "name", "source", "status", "text", "announced"}
    clauses = set(Edition.__struct_encode_fields__) - own
    assert clauses == set(SHARED).union(*OF_SYSTEM.values())
    assert set(OF_SYSTEM) == set(SYSTEMS)


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_states_begin_alike(name: str) -> None:
    found = system(name)
    assert found.name == name
    assert found.fields[:4] == ("rating", "games", "peak", "last")
    assert len(found.blank) == len(found.fields) - 4


def test_a_start_list_keeps_the_exact_rating_and_the_last_day(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "list.csv"
    path.write_text(
        "player,rating,rating_exact,last_date,deviation\nAnna,1613,1612.75,2024-05-31,48.5\nBruno,1609,,,\n"
    )
    (anna, bruno), problems = read_start(str(path))
    assert not [problem for problem in problems if problem.severity == "error"]
    assert (anna.rating, anna.last, anna.facts) == (1612.75, day("2024-05-31"), {"deviation": 48.5})
    assert (bruno.rating, bruno.last, bruno.facts) == (1609.0, None, {})


def test_a_start_list_refuses_a_negative_deviation(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "list.csv"
    path.write_text("player,rating,deviation\nAnna,1613,-4\nBruno,1609,30\n")
    _, problems = read_start(str(path))
    (error,) = [problem for problem in problems if problem.severity == "error"]
    assert (error.line, error.column) == (2, "deviation")


def test_the_last_day_outlives_start_lists_and_checkpoints() -> None:
    start = [arpad.model.Start("Anna", 1613.0, last=day("2020-02-02")), arpad.model.Start("Bruno", 1609.0)]
    games = [arpad.Game("Bruno", "Carla", 1, date=date(2024, 1, 5))]
    history = arpad.replay(games, start=start)
    days = {row["player"]: row["last_date"] for row in history.ratings().rows()}
    assert days == {"Anna": date(2020, 2, 2), "Bruno": date(2024, 1, 5), "Carla": date(2024, 1, 5)}
    point = decode(encode(history.checkpoint()), "checkpoint")
    later = arpad.replay([arpad.Game("Carla", "Dora", 1, date=date(2024, 2, 1))], start=point)
    days = {row["player"]: row["last_date"] for row in later.ratings().rows()}
    assert days["Anna"] == date(2020, 2, 2)
    assert days["Bruno"] == date(2024, 1, 5)
    assert days["Carla"] == date(2024, 2, 1)


def test_a_partial_last_day_is_its_last(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "list.csv"
    path.write_text("player,rating,last_date\nAnna,1613,2024-05\n")
    ((anna,), _) = read_start(str(path))
    assert anna.last == PartialDate(2024, 5).after - 1
