"""Worked examples of sports and games beside chess, named after the sections of the notes on these bodies."""

from __future__ import annotations

import math
from datetime import date
from pathlib import Path

import pytest

from arpad.engine import replay
from arpad.errors import DataError, RulebookError
from arpad.explain import explain
from arpad.formats import read_games
from arpad.model import Game, Start
from arpad.rulebooks import load, presets
from arpad.rulebooks.tables import shares
from arpad.rulebooks.views import clauses
from arpad.sentences import words
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


def test_4_2_the_explanation_names_the_table() -> None:
    told = " ".join(words(explain(women(1800, 1800, (2, 2), "Friendly", neutral=True), "away")))
    assert "scored 0.51" in told
    assert "Goals share the point out" in told


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


# -------------------------------------------------------------------------------------- 3.6 table tennis


@pytest.mark.parametrize(
    ("own", "opponent", "expect", "won", "lost"), [(1566, 1608, 0.34418, 10, -6), (1198, 1362, 0.07464, 15, -1)]
)
def test_3_6_ttr_one_match(own: float, opponent: float, expect: float, won: int, lost: int) -> None:
    start = [Start("a", own, games=100), Start("b", opponent, games=100)]
    for score, change in ((1, won), (0, lost)):
        history = rated("ttr", [Game("a", "b", score, event="league", date=date(2019, 9, 1))], start)
        assert history.recording.expects[0] == pytest.approx(expect, abs=5e-6)
        assert history.rating("a") == own + change


def test_3_6_ttr_rounds_an_event_once() -> None:
    """10.4931 twice is 20.9862 and 21; each by itself would be 10 and 10."""
    start = [Start("a", 1566, games=100), Start("b", 1608, games=100), Start("c", 1608, games=100)]
    games = [Game("a", name, 1, event="league", date=date(2019, 9, 1)) for name in ("b", "c")]
    assert rated("ttr", games, start).rating("a") == 1566 + 21


@pytest.mark.parametrize(
    ("age", "games", "k"),
    [(15, 29, 28), (15, 30, 24), (16, 29, 24), (20, 30, 20), (21, 29, 20), (21, 30, 16), (40, 500, 16)],
)
def test_3_6_ttr_k(age: int, games: int, k: float) -> None:
    assert coefficient(load("ttr"), age=age, games=games) == k


@pytest.mark.parametrize(
    ("last", "played", "cost"),
    [
        (date(2018, 9, 1), date(2019, 8, 31), 0),
        (date(2018, 9, 1), date(2019, 9, 1), 40),
        (date(2018, 3, 1), date(2019, 9, 1), 60),
        (date(2010, 3, 1), date(2019, 9, 1), 120),
        (date(2019, 9, 1), date(2021, 4, 30), 60),
        (date(2019, 9, 1), date(2021, 5, 1), 0),
        (date(2019, 9, 1), date(2021, 9, 1), 80),
        (date(2019, 9, 1), date(2022, 3, 5), 100),
    ],
)
def test_3_6_ttr_not_playing_costs(last: date, played: date, cost: int) -> None:
    start = [Start("a", 1500, games=100, last=last.toordinal()), Start("b", 1500, games=100)]
    history = rated("ttr", [Game("a", "b", 1, event="league", date=played)], start)
    assert history.recording.before[0] == 1500 - cost
    assert history.recording.before[1] == 1500  # of whom no last day is known
    kinds = [change.kind for change in explain(history, "a")]
    assert kinds == (["idle", "games"] if cost else ["games"])


def test_3_6_ttr_counts_from_the_last_match_of_the_replay_too() -> None:
    games = [Game("a", "b", 1, event=f"{year}", date=date(year, 9, 1)) for year in (2015, 2017)]
    history = rated("ttr", games, [Start("a", 1500, games=100), Start("b", 1500, games=100)])
    assert list(history.recording.before) == [1500, 1500, 1508 - 80, 1492 - 80]
    assert "has not played for long" in " ".join(words(explain(history, "b")))


# ------------------------------------------------------------------------------------------ 3.4 Scrabble


@pytest.mark.parametrize(("difference", "score"), [(72, 0.6), (148, 0.7), (239, 0.8), (362, 0.9)])
def test_3_4_nsa_expected_scores(difference: float, score: float) -> None:
    assert expected(load("scrabble/nsa"), 1500 + difference, 1500) == pytest.approx(score, abs=1e-3)


@pytest.mark.parametrize("rules", ["scrabble/nsa", "scrabble/naspa"])
@pytest.mark.parametrize(
    ("rating", "games", "k"),
    [(1799, 49, 30), (1799, 50, 20), (1800, 49, 24), (1999, 50, 16), (2000, 49, 15), (2000, 50, 10), (2300, 900, 10)],
)
def test_3_4_multipliers_of_nsa_and_naspa(rules: str, rating: float, games: int, k: float) -> None:
    assert coefficient(load(rules), date(2010, 1, 1), rating=rating, games=games) == k


@pytest.mark.parametrize(("difference", "score"), [(100, 0.579), (200, 0.654), (400, 0.782)])
def test_3_4_naspa_expected_scores(difference: float, score: float) -> None:
    book = load("scrabble/naspa")
    assert expected(book, 1500 + difference, 1500) == pytest.approx(score, abs=6e-4)
    assert expected(book, 1500 + difference, 1500) == pytest.approx(
        1 / (1 + math.exp(-0.0031879 * difference)), abs=1e-12
    )


def australia(when: date, opponents: list[float]) -> float:
    games = [Game("me", f"o{at}", float(at < 5), event="open", date=when) for at in range(7)]
    start = [Start("me", 1453), *(Start(f"o{at}", rating) for at, rating in enumerate(opponents))]
    return rated("scrabble/australia", games, start).rating("me") or 0.0


def test_3_4_australia_the_worked_tournament() -> None:
    assert australia(date(2008, 5, 1), [1393] * 7) == pytest.approx(1476, abs=1e-9)
    assert australia(date(2008, 5, 1), [1293, 1493, 1393, 1393, 1393, 1193, 1593]) == pytest.approx(1476, abs=1e-9)


def test_3_4_australia_before_and_after_the_straight_line() -> None:
    curve = 7 / (1 + math.exp(-60 / 172))
    assert australia(date(2006, 11, 30), [1393] * 7) == pytest.approx(1453 + 20 * (5 - curve), abs=1e-9)
    assert australia(date(2006, 12, 1), [1393] * 7) == pytest.approx(1476, abs=1e-9)


@pytest.mark.parametrize(("difference", "score"), [(0, 0.5), (120, 0.6), (540, 0.95), (900, 0.95), (-900, 0.05)])
def test_3_4_australia_straight_line(difference: float, score: float) -> None:
    assert expected(load("scrabble/australia"), 1500 + difference, 1500) == pytest.approx(score, abs=1e-12)


@pytest.mark.parametrize(("spread", "k"), [(0, 20), (1, 20.1), (100, 30), (200, 40), (350, 40)])
def test_3_4_isc_spread(spread: float, k: float) -> None:
    score = 0.5 if spread == 0 else 1
    history = rated("scrabble/isc", [Game("a", "b", score, margin=spread)], {"a": 1300, "b": 1500})
    change = k * (score - 1 / (1 + 10**0.5))
    assert history.rating("a") == pytest.approx(1300 + change, abs=1e-9)
    assert history.rating("b") == pytest.approx(1500 - change, abs=1e-9)


# ---------------------------------------------------------------------------------------- 4.4 clubs, 3.5


def test_4_4_clubelo() -> None:
    won = rated("clubelo", [Game("a", "b", 1, margin=3)], {"a": 1800, "b": 1700})
    assert won.rating("a") == pytest.approx(1812.47, abs=5e-3)
    drawn = rated("clubelo", [Game("a", "b", 0.5, margin=0)], {"a": 1800, "b": 1700})
    assert drawn.rating("a") == pytest.approx(1800 - 20 * 0.140065, abs=5e-5)
    home = rated(load("clubelo", {"advantage": 50}), [Game("a", "b", 0.5, margin=0)], {"a": 1700, "b": 1750})
    assert home.rating("a") == 1700


TEMPLATES = Path(__file__).parents[2] / "docs" / "templates"


@pytest.mark.parametrize("name", ["draughts-fmjd", "scrabble-fise"])
def test_3_5_a_template_needs_its_k(name: str) -> None:
    with pytest.raises(RulebookError, match="k: no row is left: each names a parameter that is none"):
        load(TEMPLATES / f"{name}.toml")
    book = load(TEMPLATES / f"{name}.toml", {"k": 24})
    assert all({"en", "it", "es"} <= set(clause.text) for edition in book.editions for _, clause in clauses(edition))
    game = Game("a", "b", 1, event="open", importance=0.5)
    factor = 0.5 if name.startswith("draughts") else 1
    assert rated(book, [game], {"a": 1500, "b": 1500}).rating("a") == 1500 + 12 * factor


OURS = (
    *("clubelo", "fibs", "fifa/women", "fivethirtyeight/mlb", "fivethirtyeight/tennis", "iccf/classic"),
    *("iccf/logistic", "iecg", "lss", "scrabble/australia", "scrabble/isc", "scrabble/naspa", "scrabble/nsa", "ttr"),
)


@pytest.mark.parametrize("name", OURS)
def test_words_in_three_languages(name: str) -> None:
    book = load(name)
    texts = [clause.text for edition in book.editions for _, clause in clauses(edition)]
    texts += [parameter.text for parameter in book.parameters.values()] + [book.title]
    texts += [edition.text for edition in book.editions if edition.text]
    texts += [preset.text for preset in presets(name).values()]
    assert all({"en", "it", "es"} <= set(text) for text in texts)


# ------------------------------------------------------------------------------------------- from files


def test_lengths_surfaces_and_goals_come_from_files(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_text(
        "date,home,away,home_score,away_score,match_length,surface\n"
        "2020-01-01,a,b,5,3,5,Clay\n2020-01-02,b,a,2,2,7,\n2020-01-03,a,c,0,4,,Grass\n"
    )
    games, problems = read_games(file)
    assert not [problem for problem in problems if problem.severity == "error"]
    assert list(games.fewer) == [3, 2, 0]
    assert [*games.length[:2], games.length[2] == games.length[2]] == [5, 7, False]
    assert [games.labels["surface"][row] for row in range(3)] == ["Clay", "", "Grass"]
    history = replay(games, load("fibs"))
    assert history.state_of(history.code("a"))[1] == 13
    long = tmp_path / "long.csv"
    long.write_text("date,player,opponent,side,pts,opp_pts\n2020-01-01,b,a,away,3,5\n2020-01-01,a,b,home,5,3\n")
    assert list(read_games(long)[0].fewer) == [3]
