"""Calibration, losses and mixing: by hand, with columns of numpy's and without, and as what must hold of any games."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from datetime import date
from math import log
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple, replace

from arpad.analysis.calibrate import (
    MOST,
    Bin,
    Heap,
    bins_of_differences,
    bins_of_expectations,
    by_difference,
    by_expectation,
)
from arpad.analysis.evaluate import LEAST, Loss, Lost, log_loss, losses, periods, together
from arpad.analysis.mixing import Met, Mixing, meetings, mixings
from arpad.analysis.played import Rated, rated, stretches, summed
from arpad.engine import History, replay
from arpad.model import Game, Games
from arpad.rulebooks import load
from tests.engine.worlds import as_numpy, world

Make = Callable[[str, Sequence[Any]], Any]
DAY = date(2024, 5, 3).toordinal()


def of_numpy(code: str, values: Sequence[Any]) -> Any:
    return np.array(values, {"i": "int32", "d": "float64"}[code])


both = pytest.mark.parametrize("make", [array, of_numpy], ids=["plain", "numpy"])


def rows(make: Make, *games: tuple[float, float, float, float], days: Sequence[int] = ()) -> Rated:
    """Games by rating of both sides, and expected score and score of the first."""
    one, other, expected, score = zip(*games) if games else ((), (), (), ())
    columns = expected, [1 - each for each in expected], score, [1 - each for each in score], one, other
    return Rated(make("i", days or [DAY] * len(games)), *(make("d", each) for each in columns))


@both
def test_the_borders_of_ranges_of_differences(make: Make) -> None:
    """A difference of 50 is in the second range; equals are seen from the first side; the last range has no end."""
    games = rows(
        make,
        (1500, 1500, 0.5, 1.0),
        (1549.5, 1500, 0.6, 0.5),
        (1500, 1550, 0.4, 1.0),
        (2900, 1500, 0.9, 1.0),
        (1500, 1500 + 50.0 * (MOST - 1), 0.2, 0.0),
    )
    held = bins_of_differences(by_difference(games, 50.0), 50.0)
    assert [(each.low, each.below, each.games) for each in held] == [(0, 50, 2), (50, 100, 1), (750, None, 2)]
    assert [each.expected for each in held] == pytest.approx([0.55, 0.6, 0.85])
    assert [each.score for each in held] == pytest.approx([0.75, 0.0, 1.0])


@both
def test_the_borders_of_ranges_of_expectations(make: Make) -> None:
    """0.55, 0.6 … begin ranges, though binary numbers put some a hair below; 1 is in the last one."""
    edges = [0.5 + step / 20 for step in range(11)]
    games = rows(make, *((1500, 1500, round(each, 2), 1.0) for each in edges))
    assert [each.games for each in bins_of_expectations(by_expectation(games))] == [1] * 9 + [2]
    other = rows(make, *((1500, 1500, round(1 - each, 2), 0.0) for each in edges))
    assert [each.games for each in bins_of_expectations(by_expectation(other))] == [1] * 9 + [2]
    first, *_, last = bins_of_expectations(by_expectation(games))
    assert astuple(first) == (0.5, 0.55, 1, 0.5, 1.0)
    assert (last.low, last.below) == (0.95, None)


@both
def test_sides_that_expect_more_than_a_game_together_stay_in_the_ranges(make: Make) -> None:
    """As draws that count more, and expectations below one half on both sides, would have it."""
    games = rows(make, (1500, 1500, 0.45, 1.0), (1500, 1400, 1.2, 1.0))
    games = replace(games, expected_second=make("d", [0.4, 0.1]))
    assert [each.games for each in bins_of_expectations(by_expectation(games))] == [1, 1]


@both
def test_losses_by_hand(make: Make) -> None:
    """A win expected with 0.8, a draw with 0.6, and the impossible, which is taken for one in a thousand."""
    games = rows(make, (1700, 1500, 0.8, 1.0), (1600, 1500, 0.6, 0.5), days=[DAY, DAY + 1])
    (held,) = periods(losses(games))
    assert held.first == date(2024, 5, 1)
    assert held.log_loss == pytest.approx((-log(0.8) - (log(0.6) + log(0.4)) / 2) / 2)
    assert held.squared_error == pytest.approx((0.04 + 0.01) / 2)
    assert held.even == pytest.approx(0.125)
    ((_, never),) = losses(rows(make, (1500, 2500, 0.0, 1.0))).items()
    assert never.log == pytest.approx(-log(LEAST))
    assert never.square == 1


def test_log_loss_of_one_half_is_ln_2() -> None:
    assert [log_loss(0.5, score) for score in (0.0, 0.5, 1.0)] == pytest.approx([log(2)] * 3)


@both
def test_games_without_a_date_are_a_period_of_their_own(make: Make) -> None:
    games = rows(make, *[(1500, 1500, 0.5, 1.0)] * 3, days=[0, DAY, DAY + 31])
    assert [each.first for each in periods(losses(games))] == [None, date(2024, 5, 1), date(2024, 6, 1)]


def test_many_months_are_told_by_year() -> None:
    held = {(2000 + number // 12, number % 12 + 1): Lost(1, 1.0, 0.5, 0.25) for number in range(60)}
    assert len(periods(held)) == 60
    found = periods({**held, (0, 0): Lost(2, 4.0, 1.0, 0.0)})
    assert found[0] == Loss(None, 2, 2.0, 0.5, 0.0)
    assert [(each.first, each.games) for each in found[1:]] == [(date(2000 + year, 1, 1), 12) for year in range(5)]
    assert together(held.values()) == Loss(None, 60, 1.0, 0.5, 0.25)


@both
def test_nothing_comes_of_no_games(make: Make) -> None:
    games = rows(make)
    assert by_difference(games, 50.0) == by_expectation(games) == losses(games) == {}
    assert together([]) is None
    assert periods({}) == ()
    assert meetings(make("i", []), make("i", []), ["A"]) == {}
    assert bins_of_differences({}, 50.0) == bins_of_expectations({}) == mixings({}) == ()


@both
def test_mixing_by_hand(make: Make) -> None:
    """Three games: ITA with itself, ITA with SUI, SUI with somebody of whom no federation is known, who is left out.

    Of four sides ITA has three: at random 1 of 3 others would be of another group, and of SUI's one side all."""
    held = meetings(make("i", [0, 0, 1]), make("i", [0, 1, -1]), ["ITA", "SUI"])
    assert held == {"ITA": Met(3, 1), "SUI": Met(1, 1)}
    whole, italians, swiss = mixings(held)
    assert italians == Mixing("ITA", 3, pytest.approx(1 / 3), pytest.approx(1 / 3), pytest.approx(0))
    assert swiss == Mixing("SUI", 1, 1.0, 1.0, 0.0)
    assert astuple(whole) == ("", 4, 0.5, pytest.approx(0.5), pytest.approx(0))


def test_who_never_meet_are_isolated() -> None:
    whole, *groups = mixings({"ITA": Met(4, 0), "SUI": Met(2, 0)})
    assert [each.isolation for each in (whole, *groups)] == [1, 1, 1]
    assert [each.random for each in groups] == [2 / 5, 4 / 5]
    assert mixings({"ITA": Met(4, 0)}) == (), "one group is all there is"


GAMES = st.lists(
    st.tuples(st.integers(1000, 2900), st.integers(1000, 2900), st.floats(0, 1), st.sampled_from([0.0, 0.5, 1.0])),
    max_size=30,
)


@settings(max_examples=30)
@given(GAMES, st.sampled_from([1.0, 33.0, 50.0, 1e-3, 1e6]), st.integers(0, 99))
def test_every_game_is_counted_once_in_whatever_order_and_columns(
    games: list[tuple[float, float, float, float]], width: float, seed: int
) -> None:
    plain = rows(array, *games)
    shuffled = Random(seed).sample(games, len(games))
    for other in (rows(array, *shuffled), rows(of_numpy, *games)):
        assert_alike(by_difference(plain, width), by_difference(other, width))
        assert_alike(by_expectation(plain), by_expectation(other))
        assert_alike(losses(plain), losses(other))
    assert sum(each.games for each in by_difference(plain, width).values()) == len(games)
    for each in bins_of_differences(by_difference(plain, width), width):
        inside = [game for game in games if each.low <= abs(game[0] - game[1]) < (each.below or float("inf"))]
        assert each.games == len(inside)
    for bin_ in bins_of_expectations(by_expectation(plain)):
        assert bin_.low - 1e-6 <= bin_.expected <= (bin_.below or 1.0)


def assert_alike(one: dict[Any, Any], other: dict[Any, Any]) -> None:
    assert one.keys() == other.keys()
    for key, value in one.items():
        assert astuple(other[key]) == pytest.approx(astuple(value), abs=1e-9)


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3)), max_size=30))
def test_mixing_is_the_same_by_both_kinds_of_columns(pairs: list[tuple[int, int]]) -> None:
    first, second = ([pair[at] for pair in pairs] for at in (0, 1))
    names = ["A", "B", "C", "D"]
    held = meetings(array("i", first), array("i", second), names)
    assert held == meetings(of_numpy("i", first), of_numpy("i", second), names)
    assert sum(met.sides for met in held.values()) == 2 * sum(min(pair) >= 0 for pair in pairs)
    for each in mixings(held):
        assert 0 <= each.share <= 1
        assert 0 < each.random <= 1


def test_sums_are_added_by_key() -> None:
    assert summed([{1: Heap(1, 0.5, 1.0)}, {1: Heap(2, 1.5, 0.0), 2: Heap(1)}]) == {1: Heap(3, 2.0, 1.0), 2: Heap(1)}
    assert Bin(0, 50, 1, 0.5, 1.0) in bins_of_differences({0: Heap(1, 0.5, 1.0)}, 50)


@pytest.mark.parametrize("rules", ["elo", "fide/standard", "glicko", "uschess/classic", "icc/classic"])
def test_rated_games_are_those_that_a_replay_expected_something_of(rules: str) -> None:
    facts, days = world(4, date(2024, 4, 1)), [date(2024, 5, 15).toordinal(), date(2024, 8, 1).toordinal()]
    games = Games.of(facts.games)
    one, other = (replay(each, load(rules), facts.start, looks=days) for each in (games, as_numpy(games)))
    assert stretches(one) == stretches(other)
    (start, stop), (again, end) = stretches(one)
    assert 0 == start < stop == again < end <= len(games)
    held, same = (rated(history, start, end) for history in (one, other))
    for column in Rated.__struct_fields__:
        assert list(getattr(held, column)) == pytest.approx(list(getattr(same, column))), column
    sides = zip(one.recording.expects[:end], one.recording.expects_second[:end])
    told = [(mine, theirs) for mine, theirs in sides if mine == mine and theirs == theirs]
    assert list(zip(held.expected, held.expected_second)) == told
    assert len(told) > 15
    assert set(held.score) <= {0.0, 0.5, 1.0}


def test_what_was_expected_by_hand() -> None:
    """Two equals: one half of each, and the rating that both had before."""
    games = [Game("A", "B", 1.0, date=date(2024, 5, 3)), Game("B", "C", 0.5, date=date(2024, 5, 9))]
    history: History = replay(Games.of(games), load("elo"), looks=[DAY + 30])
    ((start, stop),) = stretches(history)
    held = rated(history, start, stop)
    assert list(held.day) == [DAY, DAY + 6]
    assert list(held.score) == [1.0, 0.5]
    assert list(held.score_second) == [0.0, 0.5]
    assert list(held.rating) == [1500, pytest.approx(1484)]
    assert list(held.expected) == [0.5, pytest.approx(1 / (1 + 10 ** (16 / 400)))]
    assert list(held.expected_second) == [0.5, pytest.approx(1 - 1 / (1 + 10 ** (16 / 400)))]
