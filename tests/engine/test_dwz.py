"""Germany's DWZ: the worked examples of section 2.1, newcomers, games that wait, and both sides of each date."""

from __future__ import annotations

import math
from datetime import date

import pytest
from msgspec.structs import replace

from arpad.engine import replay
from arpad.errors import DataError
from arpad.explain import explain
from arpad.model import Game, Games, PartialDate, Start
from arpad.rulebooks import load
from arpad.rulebooks.book import Rulebook
from arpad.rulebooks.schema_national import Development
from arpad.sentences import words
from arpad.systems.dwz import INDEX, development, expectation, first_rating, performance
from tests.engine.helpers import rated

DEVIATION = 200 * math.sqrt(2)
NOW = date(2024, 5, 4)


def player(name: str, rating: float | None, index: int = 20, born: int | None = 1970) -> Start:
    return Start(name, rating, born=PartialDate(born) if born else None, facts={"index": float(index)})


def event(me: str, opponents: list[float], score: float, when: date = NOW, name: str = "E") -> list[Game]:
    """Games against opponents called by their number and rating; any results that add up to the score."""
    games = []
    for number, rating in enumerate(opponents):
        gained = min(1.0, score)
        score -= gained
        games.append(Game(me, f"{number}/{rating:g}", gained, date=when, event=name))
    return games


def field(opponents: list[float]) -> list[Start]:
    return [player(f"{number}/{rating:g}", rating) for number, rating in enumerate(opponents)]


@pytest.mark.parametrize(
    ("rating", "index", "age", "opponents", "score", "expect", "coefficient", "after"),
    [
        (1530, 22, 26, [1930], 1, 0.079, 20, 1565),
        (1900, 40, 45, [1850, 1950, 2000, 1780, 1905, 2100, 1800], 4.5, 3.397, 28, 1925),
        (1000, 8, 12, [1100, 1250, 900, 1050, 1400], 1, 1.697, 12, 967),
        (1100, 3, 14, [1200, 1150, 1300, 1000, 1250], 3.5, 1.968, 5, 1223),
    ],
)
def test_2_1_dwz_worked_examples(
    rating: float,
    index: int,
    age: int,
    opponents: list[float],
    score: float,
    expect: float,
    coefficient: float,
    after: float,
) -> None:
    start = [player("me", rating, index, NOW.year - age), *field(opponents)]
    history = rated("dwz", event("me", opponents, score), start)
    change = next(row for row in history.recording.changes if row[1] == history.code("me"))
    assert change[6] == pytest.approx(expect, abs=1e-9)
    assert change[7] == pytest.approx(800 / (coefficient + len(opponents)))
    assert history.rating("me") == after
    assert history.state_of(history.code("me"))[INDEX] == index + 1


def test_2_1_dwz_the_published_evaluation_of_a_junior() -> None:
    """1011 to 1101: 6.5 out of 7 where 5.146 was expected, with E at its least."""
    rule = load("dwz").editions[-1].development
    assert rule is not None
    e, _, acceleration, _ = development(rule, 1011, 14, 10, 6.5, 5.146)
    assert (e, acceleration) == (5, pytest.approx(0.5055))
    assert 1011 + 800 * (6.5 - 5.146) / (e + 7) == pytest.approx(1101.27, abs=0.005)


@pytest.mark.parametrize(("difference", "printed"), [(0, 0.5), (50, 0.57), (100, 0.638), (119, 0.663), (400, 0.921)])
def test_2_1_dwz_probabilities_as_printed(difference: float, printed: float) -> None:
    from arpad.systems.elo import compile_rulebook

    compiled = compile_rulebook(load("dwz"))
    assert compiled.expected(0, 1500 + difference, 1500, difference) == pytest.approx(printed, abs=1e-12)
    assert compiled.expected(0, 1500, 1500 + difference, -difference) == pytest.approx(1 - printed, abs=1e-12)


@pytest.mark.parametrize(
    ("opponents", "score", "performed", "first"),
    [([1300, 1540, 1200, 1290, 1400], 3.5, 1505.5, None), ([900, 850, 1000, 780, 820], 1, 623.3, 777.9)],
)
def test_2_1_dwz_first_ratings(opponents: list[float], score: float, performed: float, first: float | None) -> None:
    found = performance(opponents, score, DEVIATION)
    assert found == pytest.approx(performed, abs=0.05)
    expect = math.floor((first or found) + 0.5)
    history = rated("dwz", event("new", opponents, score), field(opponents))
    assert history.rating("new") == expect
    assert history.state_of(history.code("new"))[INDEX] == 1


def test_the_trap_of_an_open_source_library_is_not_ours() -> None:
    """skillratings makes a one-step first rating of 1491 of the same games."""
    assert (
        first_rating(load("dwz").editions[-1].tiers, performance([1300, 1540, 1200, 1290, 1400], 3.5, DEVIATION))
        != 1491
    )


# -------------------------------------------------------------------------------------------------- tiers


def pair_games(results: dict[tuple[str, str], float], when: date = NOW, name: str = "E") -> list[Game]:
    return [Game(a, b, score, date=when, event=name) for (a, b), score in results.items()]


RATED = {"a": 1500.0, "b": 1600.0, "c": 1400.0, "d": 1550.0, "e": 1450.0}


def tiers_event() -> list[Game]:
    """n1 meets all five rated; n2 meets four of them and n1: rated only because n1 is; n3 has four games."""
    results = {("n1", other): score for other, score in zip(RATED, (1, 0, 0.5, 0, 1))}
    results |= {("n2", other): score for other, score in zip("abcd", (0, 0, 1, 0))}
    results |= {("n2", "n1"): 0.5}
    results |= {("n3", other): score for other, score in zip("abc", (1, 0, 1))}
    results |= {("n3", "n2"): 1}
    return pair_games(results)


def test_2_1_dwz_both_tiers_by_one_iteration() -> None:
    history = rated("dwz", tiers_event(), [player(name, rating) for name, rating in RATED.items()])
    workings = {history.players[code]: working for (_, code), working in history.recording.workings.items()}
    first, second = workings["n1"].performance, workings["n2"].performance
    assert (workings["n1"].tier, workings["n2"].tier) == (1, 2)
    of_first = [*RATED.values(), second]
    of_second = [*[RATED[name] for name in "abcd"], first]
    assert math.fsum(expectation(first - met, DEVIATION) for met in of_first) == pytest.approx(3.0, abs=1e-6)
    assert math.fsum(expectation(second - met, DEVIATION) for met in of_second) == pytest.approx(1.5, abs=1e-6)
    assert history.rating("n1") == math.floor(first + 0.5)
    assert history.rating("n3") is None
    # what n3 met of the rated and of the first tier waits; the game with the second tier does not
    held = history.checkpoint().memory["remaining"]["n3"]
    assert sorted(game[1:] for game in held) == [[1400, 1], [1500, 1], [1600, 0]]


def test_games_against_who_stays_unrated_do_not_count() -> None:
    start = [player(name, rating) for name, rating in RATED.items()]
    with_n3 = rated("dwz", [*tiers_event(), Game("a", "n3", 0, date=NOW, event="E")], start)
    without = rated("dwz", tiers_event(), start)
    assert with_n3.rating("a") == without.rating("a")


@pytest.mark.parametrize("score", [0.0, 5.0])
def test_all_won_or_all_lost_gives_no_first_rating(score: float) -> None:
    opponents = [1500.0, 1600, 1400, 1550, 1450]
    history = rated("dwz", event("new", opponents, score), field(opponents))
    assert history.rating("new") is None
    assert len(history.checkpoint().memory["remaining"]["new"]) == 5


@pytest.mark.parametrize(("later", "rating"), [(date(2026, 5, 4), 1500), (date(2026, 5, 5), None)])
def test_2_1_dwz_remaining_games_are_good_for_two_years(later: date, rating: float | None) -> None:
    games = event("new", [1500, 1500, 1500], 1.5)
    games += event("new", [1500, 1500, 1500], 1.5, later, "F")
    history = rated("dwz", games, field([1500, 1500, 1500]))
    assert history.rating("new") == rating


def test_remaining_games_go_through_a_checkpoint() -> None:
    start = field([1500, 1500, 1500])
    games = event("new", [1500, 1500, 1500], 2)
    more = event("new", [1500, 1500, 1500], 2, date(2024, 9, 1), "F")
    book = load("dwz")
    at_once = replay(Games.of([*games, *more]), book, start)
    before = replay(Games.of(games), book, start)
    assert replay(Games.of(more), book, before.checkpoint()).rating("new") == at_once.rating("new") is not None


# -------------------------------------------------------------------------------------- coefficient and dates


def rule_on(when: date, **settings: float | bool) -> Development:
    rule = load("dwz", settings).on(when).development
    assert rule is not None
    return rule


@pytest.mark.parametrize(
    ("when", "age", "score", "expected", "braked"),
    [
        (date(2016, 12, 31), 12, 1, 1.697, True),
        (date(2016, 12, 31), 12, 1, 1, True),
        (date(2016, 12, 31), 40, 1, 1.697, False),
        (date(2017, 1, 1), 12, 1, 1.697, True),
        (date(2017, 1, 1), 12, 1, 1, False),
        (date(2017, 1, 1), 40, 1, 1.697, True),
        (date(2017, 1, 1), None, 1, 1.697, True),
    ],
)
def test_2_1_dwz_the_brake_on_both_sides_of_its_date(
    when: date, age: int | None, score: float, expected: float, *, braked: bool
) -> None:
    *_, brake = development(rule_on(when), 1000, age, 8, score, expected)
    assert (brake > 0) is braked
    if braked:
        assert brake == pytest.approx(6.389, abs=5e-4)


def test_2_1_dwz_the_older_brake_by_parameter() -> None:
    *_, brake = development(rule_on(date(2020, 1, 1), brake_most_age=20), 1000, 40, 8, 1, 1.697)
    assert brake == 0


@pytest.mark.parametrize(("age", "score", "acceleration"), [(20, 3, 0.75), (20, 2.9, 1), (21, 3, 1), (None, 3, 1)])
def test_2_1_dwz_acceleration_is_for_youths_who_scored_enough(
    age: int | None, score: float, acceleration: float
) -> None:
    assert development(rule_on(NOW), 1500, age, 20, score, 3)[2] == acceleration


def test_the_older_text_may_be_read_without_a_condition_on_the_score() -> None:
    when = date(2015, 1, 1)
    assert development(rule_on(when), 1500, 20, 20, 2, 3)[2] == 1
    assert development(rule_on(when, always_accelerated=True), 1500, 20, 20, 2, 3)[2] == 0.75


@pytest.mark.parametrize(
    ("rating", "index", "score", "expected", "e"),
    [
        (2000, 40, 1, 1, 30),
        (2000, 4, 1, 1, 20),
        (2000, 0, 1, 1, 5),
        (800, 40, 1, 1, 15),
        (300, 40, 0, 1, 150),
        (1280, 1, 0, 1, 18),
    ],
)
def test_2_1_dwz_limits_of_the_coefficient(rating: float, index: int, score: float, expected: float, e: float) -> None:
    assert development(rule_on(NOW), rating, 40, index, score, expected)[0] == e


def test_a_rating_of_another_list_counts_as_index_1_and_is_called_6() -> None:
    history = rated("dwz", event("me", [2000], 1), [Start("me", 2000.0), player("0/2000", 2000)])
    assert history.rating("me") == 2000 + math.floor(800 * 0.5 / (5 + 1) + 0.5)
    assert history.state_of(history.code("me"))[INDEX] == 7


@pytest.mark.parametrize(("when", "counts_as"), [(date(2016, 7, 31), 1500), (date(2016, 8, 1), 1874)])
def test_2_1_dwz_exceptional_performances_on_both_sides_of_their_date(when: date, counts_as: float) -> None:
    opponents = [1500.0, 1600, 1400, 1550, 1450]
    performed = performance(opponents, 4.5, DEVIATION)
    assert math.floor(performed + 0.5) == 1874 > 1500 + 300
    games = event("wonder", opponents, 4.5, when)
    history = rated("dwz", games, [player("wonder", 1500), *field(opponents)])
    loser = history.recording.workings[0, history.code("1/1600")]
    assert [*loser.met.values()] == [counts_as]
    own = next(row for row in history.recording.changes if row[1] == history.code("wonder"))
    assert own[6] == pytest.approx(2.5, abs=0.01)  # its own expectation is that of its rating


def test_what_opponents_meet_in_a_newcomer_is_a_parameter() -> None:
    opponents = [900.0, 850, 1000, 780, 820]
    met = {}
    for setting in ("first rating", "performance"):
        history = rated(load("dwz", {"met_as": setting}), event("new", opponents, 1), field(opponents))
        working = history.recording.workings[0, history.code("1/850")]
        met[setting] = next(iter(working.met.values()))
    assert met["first rating"] == 778
    assert met["performance"] == pytest.approx(623.3, abs=0.05)


def book() -> Rulebook:
    return load("dwz")


@pytest.mark.parametrize("language", ["en", "it", "es"])
def test_dwz_explains_itself(language: str) -> None:
    history = rated(book(), tiers_event(), [player(name, rating) for name, rating in RATED.items()])
    for name in ("a", "n1", "n2", "n3"):
        lines = "\n".join(words(explain(history, name), language))
        assert "{" not in lines
    told = "\n".join(words(explain(history, "a"), "en"))
    assert "development coefficient 20 (base 20.062, acceleration 1, brake 0, index 20)" in told


@pytest.mark.parametrize(
    "held", [7, [[1]], [["x", 1500, 1]], [[10**9, 1500, 1]], [[738000, 1e300, 1]], [[738000, 1500, 3]], {"a": 1}]
)
def test_remaining_games_that_nobody_can_have_written_are_refused(held: object) -> None:
    opponents = [1500.0, 1500, 1500]
    before = replay(Games.of(event("new", opponents, 2)), book(), field(opponents)).checkpoint()
    tampered = replace(before, memory={"remaining": {"new": held}})
    more = Games.of(event("new", opponents, 2, date(2024, 9, 1), "F"))
    with pytest.raises(DataError, match="what is kept of 'new'"):
        replay(more, book(), tampered)
