"""Worked examples of sports and games beside chess, named after the sections of the notes on these bodies."""

from __future__ import annotations

from datetime import date

import pytest

from arpad.errors import DataError
from arpad.explain import explain
from arpad.model import Game, Start
from arpad.rulebooks import load
from arpad.rulebooks.tables import shares
from tests.engine.helpers import coefficient, expected, rated

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


# --------------------------------------------------------------------------- 5.3 and 5.4 baseball, tennis


def test_5_3_a_favourite_wins_and_an_underdog_wins_more() -> None:
    """Atlanta beat New York 5-0 on 3 October 2021: 62.8503 % as published, and 1.9909 points."""
    game = Game("ATL", "NYM", 1, margin=5, season=2021)
    history = rated("fivethirtyeight/mlb", [game], {"ATL": 1559.63492541742, "NYM": 1492.29395380831})
    assert history.recording.expects[0] == pytest.approx(0.6285032069822861, abs=1e-13)
    assert history.rating("ATL") == pytest.approx(1561.6258302971, rel=1e-4)
    empty = rated(load("fivethirtyeight/mlb", {"advantage": 9.6}), [game], {"ATL": 1500, "NYM": 1500})
    assert empty.recording.expects[0] == pytest.approx(1 / (1 + 10 ** (-9.6 / 400)), abs=1e-12)


def test_5_3_a_third_of_the_distance_is_lost_between_seasons() -> None:
    games = [Game("a", "b", 1, margin=1, season=year, date=date(year, 4, 1)) for year in (2020, 2021)]
    recording = rated("fivethirtyeight/mlb", games, {"a": 1560, "b": 1500}).recording
    assert recording.before[2] == pytest.approx(1500 + (recording.after[0] - 1500) * 2 / 3, abs=1e-9)


@pytest.mark.parametrize(("played", "k"), [(0, 131.326), (10, 84.626), (30, 60.299), (100, 38.857), (500, 20.731)])
def test_5_4_each_player_has_his_own_k(played: int, k: float) -> None:
    game = Game("a", "b", 1, labels={"tournament": "Basel"})
    history = rated("fivethirtyeight/tennis", [game], [Start("a", 1500, games=played), Start("b", 1500, games=0)])
    assert history.rating("a") == pytest.approx(1500 + k / 2, abs=5e-4)
    assert history.rating("b") == pytest.approx(1500 - 131.326 / 2, abs=5e-4)


@pytest.mark.parametrize(
    ("rules", "labels", "factor"),
    [
        ("fivethirtyeight/tennis", {"tournament": "Wimbledon"}, 1.1),
        ("fivethirtyeight/tennis", {"tournament": "Roland Garros"}, 1.1),
        ("fivethirtyeight/tennis", {"tournament": "Rome"}, 1),
        ("fivethirtyeight/tennis:plain", {"tournament": "Wimbledon"}, 1),
        ("fivethirtyeight/tennis:clay", {"tournament": "Rome", "surface": "Clay"}, 1.1),
        ("fivethirtyeight/tennis:clay", {"tournament": "Wimbledon", "surface": "Grass"}, 1),
        ("fivethirtyeight/tennis:grass", {"tournament": "Halle", "surface": "grass"}, 1.1),
        ("fivethirtyeight/tennis:hard", {"tournament": "US Open", "surface": "Hard"}, 1.1),
    ],
)
def test_5_4_grand_slams_and_surfaces(rules: str, labels: dict[str, str], factor: float) -> None:
    start = [Start("a", 1700, games=30), Start("b", 1700, games=30)]
    history = rated(rules, [Game("a", "b", 1, labels=labels)], start)
    assert history.rating("a") == pytest.approx(1700 + factor * 60.299 / 2, abs=5e-4)


def test_5_4_surfaces_need_their_column() -> None:
    with pytest.raises(DataError, match="weighs games by surface: a surface or an importance column"):
        rated("fivethirtyeight/tennis:clay", [Game("a", "b", 1)], {})


# ---------------------------------------------------------------------------------------- 3.3 backgammon


@pytest.mark.parametrize(
    ("first", "second", "length", "won", "lost"),
    [
        ((1500, 0), (1500, 0), 1, 1510, 1490),
        ((1550, 150), (1700, 1200), 5, 1568.6376, 1694.6750),
        ((1700, 1200), (1550, 150), 5, 1703.6192, 1537.3327),
        ((1620, 500), (1500, 400), 7, 1620 + 4.3350, 1500 - 4.3350),
    ],
)
def test_3_3_fibs(first: tuple[float, int], second: tuple[float, int], length: int, won: float, lost: float) -> None:
    """The first-named side wins; experience grows by the length of the match."""
    start = [Start("a", first[0], games=first[1]), Start("b", second[0], games=second[1])]
    history = rated("fibs", [Game("a", "b", 1, length=length)], start)
    assert history.rating("a") == pytest.approx(won, abs=6e-5)
    assert history.rating("b") == pytest.approx(lost, abs=6e-5)
    assert history.state_of(history.code("a"))[1] == first[1] + length
    told = explain(history, "a")[-1]
    assert told.exact == pytest.approx(told.after - told.before, abs=1e-9)
    assert told.games[0].factors == (("length", pytest.approx(length**0.5)),)
    assert told.games[0].difference == pytest.approx((first[0] - second[0]) * length**0.5)


def test_3_3_fibs_chance_of_the_underdog() -> None:
    history = rated("fibs", [Game("a", "b", 1, length=5)], {"a": 1550, "b": 1700})
    assert history.recording.expects[0] == pytest.approx(0.404643, abs=5e-7)


@pytest.mark.parametrize(
    ("rules", "experience", "k"), [("fibs", 0, 5), ("fibs", 399, 1.01), ("fibs", 400, 1), ("fibs", 9000, 1)]
)
def test_3_3_fibs_k_by_experience(rules: str, experience: int, k: float) -> None:
    assert coefficient(load(rules), games=experience) == pytest.approx(4 * k, abs=1e-9)
    assert coefficient(load("fibs:slow"), games=200) == pytest.approx(4 * 1.5, abs=1e-9)


def test_3_3_fibs_two_matches_and_one_that_does_not_say_its_length() -> None:
    games = [Game("a", "b", 1, length=9, round=1), Game("a", "b", 1, round=2)]
    history = rated("fibs", [*games], {})
    assert history.state_of(0)[1] == 10
    assert history.recording.used_k[2] == pytest.approx(4 * (5 - 0.09), abs=1e-9)
    assert [change.facts["games"] for change in explain(history, "a") if change.kind == "games"] == [0, 9]
