"""Worked examples of sports and games beside chess, named after the sections of the notes on these bodies."""

from __future__ import annotations

from datetime import date

import pytest

from arpad.errors import DataError
from arpad.model import Game
from arpad.rulebooks import load
from arpad.rulebooks.tables import shares
from tests.engine.helpers import expected, rated

# --------------------------------------------------------------------------------------- 4.2 FIFA women


def women(first: float, second: float, goals: tuple[int, int], tournament: str, neutral: bool = False, **more: object):
    """One match of two teams, home and away unless the ground is neutral."""
    made, lost = goals
    score = 1.0 if made > lost else 0.0 if made < lost else 0.5
    game = Game(
        "home",
        "away",
        score,
        margin=made - lost,
        fewer=min(goals),
        neutral=neutral,
        labels={"tournament": tournament},
        date=date(2015, 6, 6),
        **more,  # type: ignore[arg-type]
    )
    return rated("fifa/women", [game], {"home": first, "away": second})


def test_4_2_a_friendly_won_at_home() -> None:
    history = women(2000, 1900, (2, 0), "Friendly")
    assert history.recording.expects[0] == pytest.approx(0.759747, abs=5e-7)
    assert history.rating("home") == pytest.approx(2000 + 2.4038, abs=5e-5)
    assert history.rating("away") == pytest.approx(1900 - 2.4038, abs=5e-5)


def test_4_2_a_world_cup_match_won_by_one() -> None:
    history = women(1800, 1800, (2, 1), "FIFA World Cup", neutral=True)
    assert history.rating("home") == pytest.approx(1820.40, abs=1e-9)
    assert history.rating("away") == pytest.approx(1779.60, abs=1e-9)


@pytest.mark.parametrize(
    ("goals", "share"), [(0, 0.47), (1, 0.5), (2, 0.51), (3, 0.52), (4, 0.525), (5, 0.53), (8, 0.53)]
)
def test_4_2_a_draw_gives_both_teams_the_same_share(goals: int, share: float) -> None:
    history = women(1800, 1800, (goals, goals), "UEFA Euro", neutral=True)
    change = 45 * (share - 0.5)
    assert history.rating("home") == pytest.approx(1800 + change, abs=1e-9)
    assert history.rating("away") == pytest.approx(1800 + change, abs=1e-9)


@pytest.mark.parametrize(
    ("goals", "loser"),
    [((1, 0), 0.15), ((3, 1), 0.089), ((0, 4), 0.03), ((9, 0), 0.01), ((2, 6), 0.044), ((12, 5), 0.035)],
)
def test_4_2_the_score_table_by_goals(goals: tuple[int, int], loser: float) -> None:
    history = women(1800, 1800, goals, "Friendly", neutral=True)
    change = 15 * (0.5 - loser)
    won, lost = ("home", "away") if goals[0] > goals[1] else ("away", "home")
    assert history.rating(won) == pytest.approx(1800 + change, abs=1e-9)
    assert history.rating(lost) == pytest.approx(1800 - change, abs=1e-9)


def test_4_2_72_points_are_worth_60_per_cent() -> None:
    assert expected(load("fifa/women"), 1872, 1800) == pytest.approx(0.6022, abs=5e-5)


def test_4_2_a_friendly_of_the_first_ten_weighs_what_the_games_say() -> None:
    history = women(2000, 2000, (1, 0), "Friendly", neutral=True, importance=2)
    assert history.rating("home") == pytest.approx(2000 + 30 * 0.35, abs=1e-9)


def test_4_2_shoot_outs_do_not_count() -> None:
    plain = women(1900, 1800, (1, 1), "FIFA World Cup", neutral=True)
    shot = women(1900, 1800, (1, 1), "FIFA World Cup", neutral=True, shootout=1)
    assert plain.rating("home") == shot.rating("home")


def test_4_2_what_lacks_is_refused() -> None:
    labels = {"tournament": "Friendly"}
    with pytest.raises(DataError, match="goals are needed"):
        rated("fifa/women", [Game("a", "b", 1, margin=1, labels=labels)], {"a": 1500, "b": 1500})
    with pytest.raises(DataError, match="Algarve"):
        women(1500, 1500, (1, 0), "Algarve Cup")


def test_4_2_a_share_table_with_a_hole_is_refused() -> None:
    with pytest.raises(ValueError, match="line 3: goals is '2', 1 was expected"):
        shares([{"goals": "0", "0": "47", "1": "15"}, {"goals": "2", "0": "50", "1": "16"}])
    with pytest.raises(ValueError, match="at most one half"):
        shares([{"goals": "0", "0": "47", "1": "85"}])
