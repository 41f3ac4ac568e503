"""Sections 3.1 and 3.2: Go in Europe and in America."""

from __future__ import annotations

import csv
import math
import random
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from arpad import kernel
from arpad.arithmetic import grade_of
from arpad.engine import History, replay
from arpad.errors import DataError, RulebookError
from arpad.explain import explain
from arpad.formats import read_games
from arpad.model import Game, Games, Start
from arpad.rulebooks import load
from arpad.sentences import words
from arpad.systems.bayrate import compile_bayrate, worth
from arpad.systems.elo import compile_rulebook
from arpad.systems.likeliest import hazard, log_normal, normal
from tests.engine.helpers import club, coefficient, day

AGA = load("aga")


def american(games: list[dict[str, Any]], start: list[Start] | None = None, **keys: Any) -> History:
    facts, problems = read_games([{"event": "Open", "date": "2024-03-01", **game} for game in games])
    assert not [problem for problem in problems if problem.severity == "error"], problems
    return replay(facts, load("aga", keys), start or [])


def believed(name: str, rating: float, deviation: float, last: str = "2024-03-01") -> Start:
    return Start(name, rating, last=day(last), facts={"deviation": deviation})


def state(history: History, player: str) -> dict[str, float]:
    return dict(zip(history.system.fields, map(float, history.state_of(history.code(player)))))


@pytest.mark.parametrize(
    ("seed", "deviation"),
    [(-48, 5.491812), (-38, 4.512207), (-28, 3.544011), (-18, 2.599999), (-8, 1.720464), (2, 1.166191), (12, 1.0)],
)
def test_3_2_published_deviations_of_newcomers_from_48_kyu_to_12_dan(seed: float, deviation: float) -> None:
    assert compile_bayrate(AGA)[0](seed) == pytest.approx(deviation, abs=0.00005)


EVEN = [
    (-7.5, 1.147750, 1.089811), (-6.5, 1.072050, 1.085515), (-5.5, 0.996350, 1.081519), (-4.5, 0.920650, 1.077823),
    (-3.5, 0.844950, 1.074427), (-2.5, 0.769250, 1.071330), (-1.5, 0.693550, 1.068534), (-0.5, 0.617850, 1.066036),
    (0.5, 0.542150, 1.063839), (1.5, 0.466450, 1.061941), (2.5, 0.390750, 1.060342), (3.5, 0.315050, 1.059044),
    (4.5, 0.239350, 1.058045), (5.5, 0.163650, 1.057346), (6.5, 0.087950, 1.056946), (7.5, 0.012250, 1.056846),
]  # fmt: skip
STONES = [
    (2, 2.151400, 1.143754), (3, 3.227100, 1.198501), (4, 4.302800, 1.242478), (5, 5.378500, 1.292154),
    (6, 6.454200, 1.340881), (7, 7.529900, 1.383428), (8, 8.605600, 1.425955), (9, 9.681300, 1.467792),
]  # fmt: skip


def test_3_2_published_worth_of_handicap_and_komi() -> None:
    rule = AGA.editions[0].conditions
    assert rule is not None
    for komi, given, deviation in EVEN:
        assert worth(rule, 0, komi) == pytest.approx((given, deviation), abs=0.00005)
        assert worth(rule, 1, komi) == worth(rule, 0, komi)
    for stones, given, deviation in STONES:
        assert worth(rule, stones, -stones) == pytest.approx((given, deviation), abs=0.00005)


@pytest.mark.parametrize(
    ("white", "black", "handicap", "komi", "chance"), [("3d", "3d", 0, 7.5, 0.49538), ("3d", "1d", 2, 0.5, 0.51330)]
)
def test_3_2_chances_of_white(white: str, black: str, handicap: int, komi: float, chance: float) -> None:
    game = {"white": "A", "black": "B", "result": "1-0", "handicap": handicap, "komi": komi}
    history = american([{**game, "white_rank": white, "black_rank": black}])
    assert history.recording.expects[0] == pytest.approx(chance, abs=0.000005)
    # The komi that is not said is the usual one.
    history = american([{**game, "komi": "", "white_rank": white, "black_rank": black}])
    assert history.recording.expects[0] == pytest.approx(chance, abs=0.000005)


def log_posterior(
    strengths: dict[str, float], beliefs: dict[str, tuple[float, float]], games: list[dict[str, Any]]
) -> float:
    """As the reference states it: normal beliefs, and the chance of each result."""
    found = sum(-((strengths[name] - seed) ** 2) / (2 * deviation**2) for name, (seed, deviation) in beliefs.items())
    rule = AGA.editions[0].conditions
    assert rule is not None
    for game in games:
        given, deviation = worth(rule, game.get("handicap", 0), game.get("komi", 7.5))
        difference = (strengths[game["white"]] - strengths[game["black"]] - given) / deviation
        found += math.log(normal(difference if game["result"] == "1-0" else -difference))
    return found


def field(seed: int) -> tuple[list[dict[str, Any]], dict[str, tuple[float, float]]]:
    source = random.Random(seed)
    beliefs = {f"p{number}": (source.uniform(-6, 6), source.uniform(0.3, 3)) for number in range(7)}
    games = []
    for _ in range(18):
        white, black = source.sample(sorted(beliefs), 2)
        handicap = source.choice([0, 0, 1, 2, 5, 9])
        result = source.choice(["1-0", "0-1"])
        komi = source.choice([0.5, 7.5, -4.5])
        games.append({"white": white, "black": black, "result": result, "handicap": handicap, "komi": komi})
    return games, beliefs


@pytest.mark.parametrize("seed", range(4))
def test_3_2_ratings_are_the_likeliest_ones(seed: int) -> None:
    games, beliefs = field(seed)
    # The gap between 1 kyu and 1 dan is closed before, and opened again after.
    opened = {name: rating + (1 if rating > 0 else -1) for name, (rating, _) in beliefs.items()}
    history = american(games, [believed(name, opened[name], beliefs[name][1]) for name in beliefs])
    found = {
        name: rating - (1 if rating > 0 else -1) for name in beliefs if (rating := history.rating(name)) is not None
    }
    top = log_posterior(found, beliefs, games)
    for name in beliefs:
        for step in (1e-4, -1e-4):
            assert log_posterior({**found, name: found[name] + step}, beliefs, games) < top
    rng = random.Random(seed)
    for _ in range(50):
        other = {name: value + rng.gauss(0, 0.05) for name, value in found.items()}
        assert log_posterior(other, beliefs, games) < top


@pytest.mark.parametrize("seed", range(2))
def test_3_2_deviations_are_those_of_the_posterior_of_each_player_alone(seed: int) -> None:
    games, beliefs = field(seed)
    opened = {name: rating + (1 if rating > 0 else -1) for name, (rating, _) in beliefs.items()}
    history = american(games, [believed(name, opened[name], beliefs[name][1]) for name in beliefs])
    found = {
        name: rating - (1 if rating > 0 else -1) for name in beliefs if (rating := history.rating(name)) is not None
    }
    for name, (_, deviation) in beliefs.items():
        points = [number * deviation / 200 for number in range(-1000, 1001)]
        weights = [math.exp(log_posterior({**found, name: found[name] + point}, beliefs, games)) for point in points]
        about = sum(weight * point**2 for weight, point in zip(weights, points)) / sum(weights)
        assert state(history, name)["deviation"] == pytest.approx(math.sqrt(about), rel=1e-4)


def test_3_2_a_single_game_by_hand() -> None:
    """Two newcomers of 3 dan, White wins: r = 2.5 + s^2 h(d) / sigma, and as much the other way."""
    game = {"white": "A", "black": "B", "result": "1-0", "komi": 7.5, "white_rank": "3d", "black_rank": "3d"}
    history = american([game])
    white, black = (history.rating(name) or 0.0 for name in "AB")
    assert white + black == pytest.approx(7.0)
    pull = hazard((white - black - 0.01225) / 1.056846) / 1.056846
    assert white == pytest.approx(3.5 + 1.09659**2 * pull, abs=2e-6)
    assert state(history, "A")["deviation"] < 1.09659


@pytest.mark.parametrize(
    ("declared", "won", "why", "seed", "deviation"),
    [
        ("4d", True, "promoted", 3.2 + 0.024746 + 0.32127 * 1.3, math.sqrt(0.5**2 + 0.256 * 1.3**1.9475)),
        ("4d", False, "rated", 3.2, 0.5),
        ("3d", True, "rated", 3.2, 0.5),
        ("1d", True, "rated", 3.2, 0.5),
        ("2k", True, "rated", 3.2, 0.5),
        ("6d", True, "reseeded", 6.5, None),
        ("6d", False, "rated", 3.2, 0.5),
        ("", True, "rated", 3.2, 0.5),
    ],
)
def test_3_2_promotions_and_demotions_that_players_declare(
    declared: str, won: bool, why: str, seed: float, deviation: float | None
) -> None:
    game = {"white": "A", "black": "B", "result": "1-0" if won else "0-1", "white_rank": declared, "black_rank": "3d"}
    history = american([game], [believed("A", 3.2, 0.5), believed("B", 3.5, 0.4)])
    working = history.recording.workings[0, history.code("A")]
    expected = compile_bayrate(AGA)[0](6.5) if deviation is None else deviation
    assert (working.why, working.seed, working.deviation) == (why, pytest.approx(seed), pytest.approx(expected))


def test_3_2_the_gap_between_kyu_and_dan_is_no_distance() -> None:
    """From 1.3 kyu to 1 dan declared (1.5): 0.5 + 0.3 stones, not 2.8."""
    game = {"white": "A", "black": "B", "result": "1-0", "white_rank": "1d", "black_rank": "3d"}
    history = american([game], [believed("A", -1.3, 0.5), believed("B", 3.5, 0.4)])
    assert history.recording.workings[0, history.code("A")].why == "rated"


def test_3_2_a_rating_grows_uncertain_with_the_days() -> None:
    game = {"white": "A", "black": "B", "result": "1-0"}
    history = american([game], [believed("A", 3.2, 0.5, "2022-03-02"), believed("B", 3.5, 0.4)])
    working = history.recording.workings[0, history.code("A")]
    assert working.days == 730
    assert working.deviation == pytest.approx(math.hypot(0.5, 0.0005 * 730))
    assert history.recording.workings[0, history.code("B")].deviation == 0.4


@pytest.mark.parametrize(
    "more",
    [{"result": "1/2-1/2"}, {"handicap": 10}, {"handicap": 2, "komi": 10}, {"komi": -20}, {"handicap": 3, "komi": -10}],
)
def test_3_2_games_of_which_nothing_is_known_are_left_out(more: dict[str, Any]) -> None:
    ranks = {"white_rank": "3d", "black_rank": "3d"}
    rated = {"white": "A", "black": "B", "result": "1-0", **ranks}
    history = american([rated, {**rated, "black": "C", **more}])
    assert history.not_rated == 1
    assert history.rating("C") is None
    alone = american([rated])
    assert history.rating("A") == alone.rating("A")
    (told,) = [game for change in explain(history, "A") for game in change.games if game.opponent == "C"]
    assert told.note == "the opponent is unrated" or told.note == "left out by the rules"


def test_3_2_a_player_without_rank_and_rating_is_not_rated() -> None:
    history = american([{"white": "A", "black": "B", "result": "1-0", "white_rank": "3d"}])
    assert (history.rating("A"), history.rating("B"), history.not_rated) == (None, None, 1)


def test_3_2_the_changes_of_a_history_are_the_variance_times_the_pulls() -> None:
    games, beliefs = field(3)
    history = american(
        games, [believed(name, rating + (1 if rating > 0 else -1), d) for name, (rating, d) in beliefs.items()]
    )
    for name, (rating, deviation) in beliefs.items():
        (change,) = explain(history, name)
        after = (change.after or 0.0) - (1 if (change.after or 0.0) > 0 else -1)
        assert change.k == pytest.approx(deviation**2)
        assert change.exact == pytest.approx(after - rating, abs=1e-9)
    told = "\n".join(words(explain(history, "p0"), "it"))
    assert "varianza" in told


def test_3_2_far_ratings_end_and_stay_finite() -> None:
    for far in (30.0, 1e3, 1e6):
        start = [believed("A", -far, 0.5), believed("B", far, 0.5)]
        history = american([{"white": "A", "black": "B", "result": "1-0"}], start)
        assert all(math.isfinite(history.rating(name) or math.nan) for name in "AB")
    assert log_normal(-35.1) == pytest.approx(log_normal(-34.9) - 35 * 0.2, rel=1e-3)
    assert hazard(-35.1) == pytest.approx(35.1 + 1 / 35.1, rel=1e-5)
    assert hazard(-34.9) == pytest.approx(34.9 + 1 / 34.9, rel=1e-5)


def test_grades_as_people_write_them() -> None:
    assert [grade_of(text) for text in ("12k", "3 dan", "1p", "5D", "30 kyu", "9 Pro")] == [
        ("k", 12), ("d", 3), ("p", 1), ("d", 5), ("k", 30), ("p", 9),
    ]  # fmt: skip
    for text in ("", "k", "0k", "3x", "100k", "dan 3"):
        with pytest.raises(ValueError, match="not a grade"):
            grade_of(text)


def test_games_as_records_have_stones_komi_and_grades() -> None:
    labels = {"first_grade": "3d", "second_grade": "1d"}
    games = Games.of([Game("A", "B", 1, event="Open", handicap=2, komi=0.5, labels=labels)])
    assert replay(games, AGA).recording.expects[0] == pytest.approx(0.51330, abs=0.000005)


# ---------------------------------------------------------------------------------------------- Europe

EGF = load("egf")


def european(
    ratings: dict[str, float], game: dict[str, Any], when: str = "2023-03-01", **keys: Any
) -> dict[str, float | None]:
    facts, problems = read_games([{"event": "Open", "date": when, **game}])
    assert not [problem for problem in problems if problem.severity == "error"], problems
    history = replay(facts, load("egf", keys), [Start(name, rating) for name, rating in ratings.items()])
    return {name: history.rating(name) for name in ratings}


def test_3_1_con_until_2021_is_straight_between_grades() -> None:
    printed = "116 110 105 100 95 90 85 80 75 70 65 60 55 51 47 43 39 35 31 27 24 21 18 15 13 11 10"
    for number, con in enumerate(map(float, printed.split()), 1):
        assert coefficient(EGF, date(2020, 1, 1), rating=100.0 * number) == con
    assert coefficient(EGF, date(2020, 1, 1), rating=320) == 104
    assert coefficient(EGF, date(2020, 1, 1), rating=50) == 116
    assert coefficient(EGF, date(2020, 1, 1), rating=2800) == 10


@pytest.mark.parametrize(
    ("winner", "loser", "handicap", "expected"),
    [
        (2400.0, 2400.0, 0, (2407.5, 2392.5)),
        (320.0, 400.0, 0, (382.84, 339.57)),
    ],
)
def test_3_1_worked_examples_until_2021(
    winner: float, loser: float, handicap: int, expected: tuple[float, float]
) -> None:
    game = {"white": "W", "black": "L", "result": "1-0", "handicap": handicap}
    found = european({"W": winner, "L": loser}, game, "2019-03-01", epsilon=0)
    assert (found["W"], found["L"]) == pytest.approx(expected, abs=0.005)


def test_3_1_worked_example_of_five_stones_until_2021() -> None:
    game = {"white": "strong", "black": "weak", "result": "0-1", "handicap": 5}
    found = european({"strong": 2400.0, "weak": 1850.0}, game, "2019-03-01", epsilon=0)
    assert found == pytest.approx({"strong": 2388.71, "weak": 1874.83}, abs=0.005)


def test_3_1_epsilon_takes_half_of_it_from_each_side() -> None:
    found = european({"W": 2400.0, "L": 2400.0}, {"white": "W", "black": "L", "result": "1-0"}, "2019-03-01")
    assert found == pytest.approx({"W": 2400 + 15 * (0.5 + 0.008), "L": 2400 - 15 * (0.5 - 0.008)})


@pytest.mark.parametrize(
    ("rating", "con"),
    [(-900, 130.48), (0, 88.710), (1000, 49.787), (2100, 17.581), (2400, 11.095), (2700, 5.800)],
)
def test_3_1_con_since_2021(rating: float, con: float) -> None:
    assert coefficient(EGF, date(2023, 1, 1), rating=rating) == pytest.approx(con, abs=0.005)


@pytest.mark.parametrize(("rating", "bonus"), [(0, 5.750), (1000, 3.250), (2100, 0.5158), (2400, 0.0504)])
def test_3_1_bonus_since_2021(rating: float, bonus: float) -> None:
    compiled = compile_rulebook(EGF)
    found = kernel.game_bonus_of(compiled.rules, compiled.blocks[1], rating, 0.0, 0.0, math.nan)
    assert found == pytest.approx(bonus, abs=0.0005)
    assert kernel.game_bonus_of(compiled.rules, compiled.blocks[0], rating, 0.0, 0.0, math.nan) == 0.0


@pytest.mark.parametrize(
    ("winner", "loser", "expected"),
    [
        (950.0, 1200.0, (988.79, 1173.17)),
        (1000.0, 1300.0, (1039.43, 1273.57)),
        (0.0, 0.0, (50.11, -38.61)),
        (2400.0, 2400.0, (2405.60, 2394.50)),
        (2650.0, 2700.0, (2654.20, 2696.31)),
    ],
)
def test_3_1_worked_examples_since_2021(winner: float, loser: float, expected: tuple[float, float]) -> None:
    found = european({"W": winner, "L": loser}, {"white": "W", "black": "L", "result": "1-0"})
    assert (found["W"], found["L"]) == pytest.approx(expected, abs=0.0051)


def test_3_1_worked_example_of_five_stones_since_2021() -> None:
    game = {"white": "strong", "black": "weak", "result": "0-1", "handicap": 5}
    found = european({"strong": 2400.0, "weak": 1850.0}, game)
    assert found == pytest.approx({"strong": 2392.54, "weak": 1867.22}, abs=0.005)


def test_3_1_the_official_calculator(published: Path) -> None:
    with (published / "egf_points" / "egf_2021_points.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 2
    for row in rows:
        result = "1-0" if float(row["score"]) else "0-1"
        game = {"white": "A", "black": "B", "result": result}
        found = european({"A": float(row["player"]), "B": float(row["opponent"])}, game)
        assert round(found["A"] or 0.0, 3) == float(row["new_rating"])


def test_3_1_both_sides_of_the_change_of_2021() -> None:
    game = {"white": "W", "black": "L", "result": "1-0"}
    before = european({"W": 2400.0, "L": 2400.0}, game, "2020-12-31", epsilon=0)
    after = european({"W": 2400.0, "L": 2400.0}, game, "2021-01-01", epsilon=0)
    assert before["W"] == pytest.approx(2407.5)
    assert after["W"] == pytest.approx(2405.60, abs=0.005)


def test_3_1_no_rating_falls_below_30_kyu() -> None:
    found = european({"W": 2000.0, "L": -899.0}, {"white": "W", "black": "L", "result": "1-0"}, "2019-03-01", epsilon=0)
    assert found["L"] is not None
    assert found["L"] >= -900
    game = {"white": "W", "black": "L", "result": "1-0", "handicap": 9}
    assert european({"W": -890.0, "L": -899.0}, game, "2019-03-01", epsilon=0)["L"] == -900


def test_3_1_a_newcomer_enters_no_lower_than_30_kyu() -> None:
    game = {"white": "a", "black": "b", "result": "1/2-1/2", "date": "2024-01-01", "event": "E"}
    games, _ = read_games([{**game, "white_grade": "40k", "black_grade": "30k"}])
    history = replay(games, load("egf"))
    assert list(history.begun[:: history.system.width]) == [-900, -900]


@pytest.mark.parametrize("rating", [-0.999, 0.0, 0.5, 0.999])
def test_3_2_no_rating_in_stones_lies_between_kyu_and_dan(rating: float) -> None:
    with pytest.raises(DataError, match="between -1 and 1"):
        american([], [Start("a", rating)])
    assert american([], [Start("a", -1.0), Start("b", 1.0)]).rating("b") == 1.0


@pytest.mark.parametrize(
    ("grade", "rating"),
    [("1d", 2100), ("7d", 2700), ("1k", 2000), ("20k", 100), ("30k", -900), ("1p", 2700), ("9p", 2940)],
)
def test_3_1_a_newcomer_enters_with_the_declared_grade(grade: str, rating: float) -> None:
    game = {"white": "A", "black": "B", "result": "1-0", "white_grade": grade, "black_grade": "2k"}
    facts, _ = read_games([{"event": "Open", "date": "2023-03-01", **game}])
    history = replay(facts, EGF)
    assert float(history.recording.before[0]) == rating
    assert float(history.recording.before[1]) == 1900.0
    # A rating that is known stands, whatever is declared; so does one of a checkpoint.
    assert float(replay(facts, EGF, [Start("A", 1234.0)]).recording.before[0]) == 1234.0
    later, _ = read_games([{"event": "Next", "date": "2023-05-01", **game, "white_grade": "9d", "white": "A"}])
    again = replay(later, EGF, history.checkpoint())
    assert float(again.recording.before[0]) == history.rating("A")


def test_3_1_classes_multiply_con_and_not_the_bonus() -> None:
    game = {"white": "W", "black": "L", "result": "1-0", "importance": 0.5, "event": "Open", "date": "2023-03-01"}
    facts, _ = read_games([game])
    history = replay(facts, load("egf:classes"), [Start("W", 2100.0), Start("L", 2100.0)])
    assert history.rating("W") == pytest.approx(2100 + 0.5 * 17.581 * 0.5 + 0.5158, abs=0.001)


def test_3_1_explanations_tell_stones_and_bonus() -> None:
    game = {"white": "S", "black": "W", "result": "0-1", "handicap": 5, "event": "Open", "date": "2023-03-01"}
    facts, _ = read_games([game])
    history = replay(facts, EGF, [Start("S", 2400.0), Start("W", 1850.0)])
    (change,) = explain(history, "W")
    assert change.games[0].difference == pytest.approx(1850 + 450 - 2400)
    assert change.exact == pytest.approx((change.after or 0.0) - 1850.0)
    told = "\n".join(words([change]))
    assert "bonus for the games played: +1.1" in told
    assert "Each handicap stone counts as 100 points" in told
    assert "difference -100" in told


def test_3_1_stones_and_bonuses_do_not_go_the_short_way(tmp_path: Path) -> None:
    edition = """
[[edition]]
curve = { shape = "logistic" }
k = [{ value = 20 }]
"""
    stones = club(tmp_path, edition + "handicap = { stone = 100, less = 0.5 }\n", "stones")
    bonus = club(tmp_path, edition + "game_bonus = [{ value = 3 }]\n", "bonus")
    deficit = club(tmp_path, edition.replace('"logistic" }', '"logistic", deficit = 0.1 }'), "deficit")
    start = [Start("A", 1500.0), Start("B", 1500.0)]
    given = replay(Games.of([Game("A", "B", 1, handicap=2)]), stones, start)
    assert given.rating("A") == pytest.approx(1500 + 20 * (1 - 1 / (1 + 10 ** (150 / 400))))
    assert given.rating("A") == pytest.approx(3000 - (given.rating("B") or 0.0))
    both = replay(Games.of([Game("A", "B", 1)]), bonus, start)
    assert (both.rating("A"), both.rating("B")) == (1513.0, 1493.0)
    lacking = replay(Games.of([Game("A", "B", 1)]), deficit, start)
    assert (lacking.rating("A"), lacking.rating("B")) == pytest.approx((1511.0, 1491.0))


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ('fall = { of = "rating", limit = 3300, divisor = 0, exponent = 1.6 }', "fall.divisor"),
        ('fall = { of = "rating", limit = 3300, divisor = 200, exponent = 0 }', "fall.exponent"),
        ('bend = { of = "rating", limit = 2300, divisor = 80, scale = -1 }', "bend.scale"),
        ('bend = { of = "age", limit = 2300, divisor = 80, scale = 1 }', "bend.of"),
        ('bend = { of = "rating", limit = 2300, divisor = 80, scale = 1 }, value = 3', "exactly one of"),
        ('bend = { of = "rating", limit = 2300, divisor = 80, scale = 1, off = 2 }', "off: unknown key"),
    ],
)
def test_wrong_falls_and_bends_are_refused(tmp_path: Path, row: str, told: str) -> None:
    edition = f'[[edition]]\ncurve = {{ shape = "logistic" }}\nk = [{{ {row} }}]\n'
    with pytest.raises(RulebookError) as caught:
        club(tmp_path, edition)
    assert told in str(caught.value)
