"""Tie-breaks by rating; W numbers are those of the worked examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.errors import UnknownName, UsageError
from arpad.performances import performance
from arpad.tiebreaks import CODES, Card, Value, average_of_opponents, tie_break, tie_breaks


def against(ratings: list[int], results: list[float]) -> list[Card]:
    """A field in which the first player met the others, who met nobody else."""
    own = Card(2000, tuple((place, points) for place, points in enumerate(results, 1)))
    return [own, *(Card(rating, ((0, 1 - points),)) for rating, points in zip(ratings, results))]


@pytest.mark.parametrize(
    ("ratings", "results", "tpr", "ptp"),
    [
        ([2400, 2500, 2600], [1, 1, 0.5], 2773, 2789),  # W13, W14
        ([1600] * 5, [1, 1, 1, 0.5, 0], 1749, 1746),  # W15
        ([2200, 2100, 2000], [1, 1, 0.5], 2373, 2389),  # W16
        ([2100, 2200], [0, 0], 1350, 1300),  # W17
        ([2400, 2500, 2600], [1, 1, 1], 3300, 3336),  # W18
        ([2000], [0.5], 2000, 1997),  # W19
        ([1500, 1700], [1, 0], 1600, 1599),  # W20
        ([1500, 1500], [1, 0.5], 1693, 1689),  # W21
    ],
)
def test_w13_to_w21_performances(ratings: list[int], results: list[float], tpr: int, ptp: int) -> None:
    field = against(ratings, results)
    assert tie_break("TPR", field)[0] == Value(tpr)
    assert tie_break("PTP", field)[0] == Value(ptp)


def test_averages_of_opponents_and_their_cuts() -> None:
    field = against([1500, 1601, 1700, 1800, 2100], [1, 0, 1, 0, 0])
    values = {code: tie_break(code, field)[0].value for code in ("ARO", "aro/c1", "ARO/C2", "ARO/M1", "ARO/M2")}
    assert values == {"ARO": 1740, "aro/c1": 1800, "ARO/C2": 1867, "ARO/M1": 1700, "ARO/M2": 1700}
    assert average_of_opponents([2000, 2001]) == Value(2001)
    assert average_of_opponents([2000], 1) == Value(None, "nobody is left after the cut")


def test_averages_of_the_opponents_performances() -> None:
    field = [
        Card(2000, ((1, 1), (2, 0.5))),
        Card(2100, ((0, 0), (2, 1))),
        Card(2200, ((0, 0.5), (1, 0))),
    ]
    values = tie_breaks(field)
    tpr = [performance([2100, 2200], 1.5, "fide").value, performance([2000, 2200], 1, "fide").value]
    tpr.append(performance([2000, 2100], 0.5, "fide").value)
    assert [value.value for value in values["TPR"]] == tpr == [2343, 2100, 1857]
    assert [value.value for value in values["APRO"]] == [1979, 2100, 2222]  # halves up
    ptp = [value.value for value in values["PTP"]]
    assert values["APPO"][0].value == (ptp[1] + ptp[2] + 1) // 2  # type: ignore[operator]  # all of them have one
    assert [value.value for value in values["RTNG"]] == [2000, 2100, 2200]
    assert set(values) == set(CODES)


def test_an_opponent_met_twice_counts_twice() -> None:
    field = [Card(2000, ((1, 1), (1, 0), (2, 1))), Card(1900, ((0, 0), (0, 1))), Card(2200, ((0, 0),))]
    assert tie_break("ARO", field)[0] == Value(2000)


def test_an_unrated_player_ends_them_all_unless_the_event_says_what_counts() -> None:
    field = against([1500, 1700], [1, 0])
    field[2] = Card(None, field[2].games)
    for code in CODES:
        assert {value.value for value in tie_break(code, field)} == {None}
        assert "unrated" in tie_break(code, field)[0].reason
    assert tie_break("ARO", field, unrated=1400)[0] == Value(1450)


def test_without_a_game_there_is_none() -> None:
    field = [*against([1500], [1]), Card(1800)]
    for code in ("ARO", "TPR", "PTP", "APRO", "APPO"):
        assert tie_break(code, field)[2] == Value(None, "no game over the board")


def test_codes_that_are_none() -> None:
    with pytest.raises(UnknownName, match="BH"):
        tie_break("BH", [])
    with pytest.raises(UsageError, match="TPR takes no /C1"):
        tie_break("TPR/C1", [])
    with pytest.raises(UsageError, match="a cut is written"):
        tie_break("ARO/K1", [])


@given(st.lists(st.tuples(st.integers(1400, 2800), st.sampled_from((0.0, 0.5, 1.0))), min_size=1, max_size=11))
def test_the_order_of_games_does_not_matter(games: list[tuple[int, float]]) -> None:
    shuffled = sorted(games)
    for code in ("ARO", "TPR", "PTP"):
        first, second = (
            tie_break(code, against([rating for rating, _ in each], [points for _, points in each]))[0]
            for each in (games, shuffled)
        )
        assert first == second
