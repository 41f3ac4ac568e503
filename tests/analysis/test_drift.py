"""How a pool lies, and why its mean moved: by hand, and as what adds up in any two lists."""

from __future__ import annotations

from math import fsum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.analysis.drift import Flow, Shift, Spread, flow, mean, shift, spread

LISTS = st.dictionaries(st.integers(1, 12), st.floats(-500, 3500), max_size=12)


def test_quartiles_are_those_of_type_7() -> None:
    """Of four, the quartiles lie at the places 1.75, 2.5 and 3.25."""
    assert spread([1700, 1500, 1600, 2000]) == Spread(4, 1700, 1575, 1650, 1775)
    assert spread([1500, 1600, 1700, 1800, 1900]) == Spread(5, 1700, 1600, 1700, 1800)


def test_of_few_there_is_what_there_is() -> None:
    assert spread([]) == Spread(0, None, None, None, None)
    assert spread([1500]) == Spread(1, 1500, 1500, 1500, 1500)
    assert spread([1500, 1600]) == Spread(2, 1550, 1525, 1550, 1575)


@settings(max_examples=40)
@given(st.lists(st.floats(-500, 3500), min_size=2, max_size=40))
def test_quartiles_are_those_of_numpy(ratings: list[float]) -> None:
    import numpy as np

    held = spread(ratings)
    assert [held.low, held.median, held.high] == pytest.approx(list(np.percentile(ratings, [25, 50, 75])), abs=1e-9)
    assert held.mean == pytest.approx(np.mean(ratings), abs=1e-9)


def test_a_mean_moves_without_anybody_playing_better() -> None:
    """1 and 2 had 1800 and 1600, 3 had 2000 and left, 4 came with 1200: the mean falls from 1800 to 1540, and that of
    the two who stayed rose by 10."""
    before, after = {1: 1800.0, 2: 1600.0, 3: 2000.0}, {1: 1820.0, 2: 1600.0, 4: 1200.0}
    assert shift(before, after) == Shift(-260, 10, -170, -100)
    assert flow(before, after, {4, 9}) == Flow(2, 0, 1, 1, 20, 1200, -2000)
    assert flow(before, after, ()) == Flow(2, 1, 0, 1, 20, 1200, -2000)


def test_without_anybody_on_both_lists_nothing_is_taken_apart() -> None:
    assert shift({}, {1: 1500.0}) is None
    assert shift({1: 1500.0}, {2: 1500.0}) is None
    assert shift({1: 1500.0}, {}) is None


@settings(max_examples=40)
@given(LISTS, LISTS, st.sets(st.integers(1, 12)))
def test_the_parts_add_up(before: dict[int, float], after: dict[int, float], earlier: set[int]) -> None:
    held = flow(before, after, earlier)
    assert held.stayed + held.new + held.returned == len(after)
    assert held.stayed + held.left == len(before)
    change = fsum(after.values()) - fsum(before.values())
    assert held.stayers + held.newcomers + held.leavers == pytest.approx(change, abs=1e-6)
    moved = shift(before, after)
    assert (moved is None) == (not held.stayed)
    if moved:
        assert moved.change == pytest.approx(mean(after.values()) - mean(before.values()), abs=1e-9)
        assert moved.stayers + moved.newcomers + moved.leavers == pytest.approx(moved.change, abs=1e-6)
        assert moved.stayers == pytest.approx(held.stayers / held.stayed, abs=1e-6)


@settings(max_examples=40)
@given(LISTS)
def test_a_list_beside_itself_has_not_moved(held: dict[int, float]) -> None:
    assert flow(held, held, ()) == Flow(len(held), 0, 0, 0, 0, 0, 0)
    assert shift(held, held) == (Shift(0, 0, 0, 0) if held else None)
