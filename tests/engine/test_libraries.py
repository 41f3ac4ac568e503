"""Systems whose mathematics is a library's: the libraries' own numbers through the replay, and what is refused.

Values: the tests of trueskill, and those of skillratings for Weng and Lin (who do without tau).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import arpad
from arpad.engine import History
from arpad.errors import DataError, RulebookError, UsageError
from arpad.explain import explain
from arpad.model import Act, Game, Start
from arpad.performances import performance
from arpad.rulebooks import load
from arpad.sentences import words
from arpad.views import changes, games, ratings
from tests.engine.helpers import bits, rated
from tests.engine.worlds import ABSENT, LIBRARIES, as_numpy

RULES = ("weng-lin", "trueskill")
NEW, STRONG, VAGUE = (25.0, 25 / 3), (42.0, 1.3), (50.0, 12.5)
WON, DRAWN, LOST = 1.0, 0.5, 0.0


def there(rules: str) -> str:
    """Skip, by name, a test whose library is not installed."""
    if rules in ABSENT:
        pytest.skip(f"{LIBRARIES[rules]} is not installed: pip install 'arpad[{LIBRARIES[rules]}]'")
    return rules


@pytest.fixture(params=RULES)
def rules(request: pytest.FixtureRequest) -> str:
    return there(request.param)


def met(
    rules: str,
    first: tuple[float, float],
    second: tuple[float, float],
    score: float,
    settings: Mapping[str, Any] = {},
) -> tuple[float, ...]:
    """(rating, deviation) of both sides after one game, through the public replay."""
    start = [
        Start(player, rating, facts={"deviation": deviation})
        for player, (rating, deviation) in (("a", first), ("b", second))
    ]
    history = arpad.replay([Game("a", "b", score)], rules=there(rules), start=start, settings=settings)
    found = {row["player"]: row for row in history.ratings().rows()}
    return tuple(float(found[player][column]) for player in "ab" for column in ("rating_exact", "deviation"))


@pytest.mark.parametrize(
    ("first", "second", "score", "settings", "values"),
    [
        (NEW, NEW, WON, {}, (29.396, 7.171, 20.604, 7.171)),
        (NEW, NEW, LOST, {}, (20.604, 7.171, 29.396, 7.171)),
        (NEW, NEW, DRAWN, {}, (25.0, 6.458, 25.0, 6.458)),
        (NEW, VAGUE, DRAWN, {}, (31.662, 7.137, 35.010, 7.910)),
        (NEW, NEW, WON, {"draw": 0.5}, (30.267, 7.077, 19.733, 7.077)),
    ],
)
def test_trueskill_of_two_players(
    first: tuple[float, float],
    second: tuple[float, float],
    score: float,
    settings: dict[str, Any],
    values: tuple[float, ...],
) -> None:
    assert met("trueskill", first, second, score, settings) == pytest.approx(values, abs=1e-3)


@pytest.mark.parametrize(
    ("first", "second", "score", "values"),
    [
        (NEW, NEW, WON, (27.635231, 8.065506, 22.364769, 8.065506)),
        (STRONG, NEW, WON, (42.026412, 1.299823, 23.914678, 8.029022)),
        (STRONG, NEW, LOST, (41.862154, 1.299823, 30.664283, 8.029022)),
        (STRONG, NEW, DRAWN, (41.944283, 1.299823, 27.289481, 8.029022)),
        (NEW, STRONG, WON, (30.664283, 8.029022, 41.862154, 1.299823)),
    ],
)
def test_weng_lin_of_two_players(
    first: tuple[float, float], second: tuple[float, float], score: float, values: tuple[float, ...]
) -> None:
    assert met("weng-lin", first, second, score, {"tau": 0}) == pytest.approx(values, abs=2e-6)


@pytest.mark.parametrize("model", ["Bradley-Terry", "Thurstone-Mosteller"])
def test_weng_lin_is_what_openskill_says(model: str) -> None:
    """A season of games through the replay, and game by game through the library with its own defaults."""
    there("weng-lin")
    from openskill import models

    library: Any = {"Bradley-Terry": models.BradleyTerryFull, "Thurstone-Mosteller": models.ThurstoneMostellerFull}
    own = library[model]()
    held = {player: own.rating() for player in "abcd"}
    for game in SEASON:
        ranks = [1.0 - game.score, game.score]
        sides = [[held[game.first]], [held[game.second]]]
        (held[game.first],), (held[game.second],) = own.rate(sides, ranks=ranks)
    history = rated(load("weng-lin", {"model": model}), SEASON)
    for player, skill in held.items():
        assert history.rating(player) == pytest.approx(skill.mu, abs=1e-12)
        assert history.state_of(history.code(player))[4] == pytest.approx(skill.sigma, abs=1e-12)
    listed = ratings(history)
    found = dict(zip(listed.columns["player"], listed.columns["conservative"]))
    assert found == pytest.approx({player: skill.ordinal() for player, skill in held.items()}, abs=1e-12)


SEASON = [
    Game(one, two, score, date=date(2025, 3, 1 + number))
    for number, (one, two, score) in enumerate(
        [
            ("a", "b", WON),
            ("c", "d", DRAWN),
            ("a", "c", LOST),
            ("b", "d", WON),
            ("d", "a", WON),
            ("b", "c", DRAWN),
            ("a", "b", WON),
        ]
    )
]


def test_c24_an_extreme_upset_is_finite(rules: str) -> None:
    """mu 3453 sigma 74 loses to mu 38 sigma 180: others divided by zero, or got nan."""
    values = met(rules, (3453, 74), (38, 180), LOST)
    assert all(map(math.isfinite, values))
    assert values[0] < 3453
    assert values[2] > 38
    assert 0 < values[1] < 75
    assert 0 < values[3] < 181


@pytest.mark.parametrize("score", [WON, DRAWN, LOST])
@pytest.mark.parametrize("deviation", [1e-3, 1.0, 25 / 3])
@pytest.mark.parametrize("far", [300.0, 1000.0, 100_000.0])
def test_trueskill_where_floats_run_out(far: float, deviation: float, score: float) -> None:
    """The library's floats end at some 38 standard deviations; then it reckons exactly."""
    values = met("trueskill", (far, deviation), (0.0, deviation), score)
    assert all(map(math.isfinite, values))
    assert values[0] + values[2] == pytest.approx(far, rel=1e-9)
    if score == WON:
        assert values[0] == pytest.approx(far, abs=1e-6)
    else:
        assert values[0] < far
        assert values[2] > 0


def test_weng_lin_names_the_game_that_it_cannot_reckon_with() -> None:
    there("weng-lin")
    games = [Game("a", "b", WON), Game("c", "d", WON)]
    with pytest.raises(DataError, match=r"'c' and 'd': the ratings are too far apart .* scale of these rules"):
        rated("weng-lin", games, {"c": 100_000.0, "d": -100_000.0})


def test_recording_of_a_game(rules: str) -> None:
    history = rated(rules, SEASON)
    recording = history.recording
    assert list(recording.before[:2]) == [25.0, 25.0]
    assert recording.after[0] > 25.0 > recording.after[1]
    assert recording.gains[0] == recording.after[0] - 25.0
    assert list(recording.spread[:2]) == pytest.approx([25 / 3, 8.066 if rules == "weng-lin" else 7.171], abs=1e-3)
    assert all(k != k for k in recording.used_k)
    assert history.state_of(history.code("a"))[3] == date(2025, 3, 7).toordinal()
    if rules == "trueskill":  # its library predicts nothing
        assert all(expect != expect for expect in recording.expects)
    else:
        assert recording.expects[0] == 0.5
        sums = [one + two for one, two in zip(recording.expects, recording.expects_second)]
        assert sums == pytest.approx([1.0] * len(SEASON), abs=1e-12)
        assert 0 < recording.expects[6] < 0.5  # a has lost twice meanwhile, b has not


def test_every_game_is_in_the_tables(rules: str) -> None:
    history = rated(rules, SEASON)
    table = games(history)
    assert table.columns["note"] == [None] * 2 * len(SEASON)
    assert table.columns["deviation_after"][0] < table.columns["deviation"][0]
    assert len(changes(history).columns["player"]) == 2 * len(SEASON)
    listed = ratings(history)
    lowest = [
        rating - 3 * deviation for rating, deviation in zip(*(listed.columns[name] for name in ("rating", "deviation")))
    ]
    assert listed.columns["conservative"] == pytest.approx(lowest, abs=1e-9)


def test_words_without_an_expectation(rules: str) -> None:
    history = rated(rules, SEASON[:1])
    lines = list(words(explain(history, "a"), "en"))
    told = "\n".join(lines)
    assert "nan" not in told
    assert ("gained 2.64: scored 1 where 0.5 was expected" if rules == "weng-lin" else "goes from 25 to 29.4") in told
    assert "25 -> " in told
    assert "makes both more certain" in told


def test_columns_of_numpy(rules: str) -> None:
    from arpad.engine import replay
    from arpad.model import Games

    plain = Games.of(SEASON)
    one, two = (replay(facts, load(rules)) for facts in (plain, as_numpy(plain)))
    assert bits(one) == bits(two)


def test_a_start_list_with_deviations(rules: str, tmp_path: Path) -> None:
    start = tmp_path / "start.csv"
    start.write_text("player,rating,deviation\na,30,2.5\nb,20,\n", encoding="utf-8")
    history = arpad.replay([Game("a", "b", DRAWN)], rules=rules, start=start)
    row = history.games().rows()[0]
    assert (row["deviation"], row["opponent_deviation"]) == (2.5, 25 / 3)


def test_an_entry_starts_anew(rules: str) -> None:
    day = date(2025, 3, 8)
    acts = [Act("entry", "a", day.toordinal(), 30.0, 0)]
    history = rated(rules, [*SEASON, Game("a", "b", WON, date=day)], (), acts)
    row = len(SEASON)
    assert history.recording.before[2 * row] == 30.0
    assert history.recording.spread[8 * row] == 25 / 3


def test_newcomers_are_not_rated_where_none_enters(rules: str) -> None:
    history = rated(load(rules, {"mu": "none"}), SEASON, {"a": 25.0, "b": 25.0})
    assert history.not_rated == 5  # all but the two games of a and b
    assert history.rating("c") is None
    assert games(history).columns["note"].count(None) == 2 * (len(SEASON) - history.not_rated)


def test_results_that_are_no_win_draw_or_loss(rules: str) -> None:
    facts = [Game("a", "b", 0.0, 0.0), Game("a", "b", WON), Game("c", "d", 1.0, 1.0)]
    with pytest.raises(DataError) as refused:
        rated(rules, facts)
    assert [problem.message for problem in refused.value.problems] == [
        "'a' and 'b': 0-0 is no win, draw or loss",
        "'c' and 'd': 1-1 is no win, draw or loss",
    ]


def test_a_draw_where_the_rules_know_none() -> None:
    never = load(there("trueskill"), {"draw": 0})
    assert rated(never, [game for game in SEASON if game.score != DRAWN]).rating("a") is not None
    with pytest.raises(DataError, match="the rules say that there are none") as refused:
        rated(never, SEASON)
    assert len(refused.value.problems) == 2


@pytest.mark.parametrize("deviation", [0.0, -1.0])
def test_a_deviation_that_is_none(rules: str, deviation: float) -> None:
    with pytest.raises(DataError, match="none that a rating can have"):
        met(rules, (25.0, deviation), NEW, WON)


@pytest.mark.parametrize("name", RULES)
def test_a_missing_library_names_the_extra(name: str) -> None:
    with (
        mock.patch("arpad.systems.external.find_spec", return_value=None),
        pytest.raises(UsageError, match=rf"pip install 'arpad\[{LIBRARIES[name]}\]'"),
    ):
        rated(name, SEASON)


@pytest.mark.parametrize("name", RULES)
def test_no_curve_no_calculator(name: str) -> None:
    with pytest.raises(UsageError, match=f"{name} has no curve"):
        arpad.expected_score(25, 20, rules=name)
    with pytest.raises(UsageError, match=f"{name} has no curve"):
        performance([25, 20], 1, "true", rules=name)


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ('[edition.curve]\nshape = "logistic"', "curve: the system trueskill has no such clause"),
        ('[edition.unit]\nof = "event"', "unit.of: the library rates one game after another"),
    ],
)
def test_clauses_that_a_library_does_not_use(tmp_path: Path, clause: str, told: str) -> None:
    with pytest.raises(RulebookError, match=told):
        load(club(tmp_path, clause))


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ({"sigma": 0}, r"trueskill\.sigma: at least"),
        ({"beta": -1}, r"trueskill\.beta: at least"),
        ({"tau": -0.1}, r"trueskill\.tau: must not be negative"),
        ({"draw": 1}, r"trueskill\.draw: a share"),
    ],
)
def test_numbers_that_no_library_takes(tmp_path: Path, numbers: dict[str, float], told: str) -> None:
    with pytest.raises(RulebookError, match=told):
        load(club(tmp_path, "", **numbers))


def test_a_curve_has_a_shape(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    head = 'organisation = "club"\ngame = "any"\nsystem = "elo"\n[[edition]]\n[[edition.k]]\nvalue = 20\n'
    path.write_text(head + '[edition.curve]\nshape = "none"\n', encoding="utf-8")
    with pytest.raises(RulebookError, match=r"curve\.shape: a curve needs a shape"):
        load(path)


def club(folder: Path, more: str, **numbers: float) -> Path:
    """Somebody's own rules of TrueSkill."""
    given = {"sigma": 8.0, "beta": 4.0, "tau": 0.08, "draw": 0.1, **numbers}
    path = folder / "club.toml"
    clause = "\n".join(f"{name} = {value}" for name, value in given.items())
    head = 'organisation = "club"\ngame = "any"\nsystem = "trueskill"\n[[edition]]\n[edition.trueskill]\n'
    path.write_text(f"{head}{clause}\n{more}\n", encoding="utf-8")
    return path


def test_a_checkpoint_goes_on(rules: str) -> None:
    whole: History = rated(rules, SEASON)
    held = rated(rules, SEASON[:4]).checkpoint()
    assert bits(rated(rules, SEASON[4:], held)) == bits(whole)
