"""Real complaints about real programs, each named by its number in the list of cases this project keeps."""

from __future__ import annotations

from datetime import date
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.engine import History, replay
from arpad.errors import DataError
from arpad.explain import explain
from arpad.model import Act, Game, Games, PartialDate, Start
from arpad.rulebooks import load
from arpad.sentences import words
from tests.engine.helpers import bits, day, expected, rated

MAY, JUNE = date(2024, 5, 10), date(2024, 6, 10)


def changes(history: History, player: str) -> list[tuple[float, float]]:
    """(K, change) of each batch of a player."""
    return [(row[7], row[3] - row[2]) for row in history.recording.changes if row[1] == history.code(player)]


def told(history: History, player: str, language: str = "en") -> str:
    return "\n".join(words(explain(history, player), language))


def test_c01_k_40_for_all_nine_games_of_an_event() -> None:
    games = [Game("me", f"r{at}", 0.5, date=MAY, event="open", round=at) for at in range(9)]
    games.append(Game("me", "r0", 1, date=JUNE, event="next"))
    start = [Start("me", 1500, games=28), *(Start(f"r{at}", 1900, games=500) for at in range(9))]
    history = rated("fide/standard", games, start)
    # Nine draws with players 400 above: .42 each.
    assert changes(history, "me")[0] == (40, round(9 * 0.42 * 40))
    assert changes(history, "me")[1][0] == 20


def test_c02_k_10_at_2400_and_for_who_was_there_once() -> None:
    games = [Game("p", "x", 0.5, date=MAY, event="open"), Game("q", "y", 0.5, date=MAY, event="open")]
    start = [Start("p", 2400, 500), Start("q", 2391, 500, peak=2405), Start("x", 2400, 500), Start("y", 2391, 500)]
    history = rated("fide/standard", games, start)
    assert [changes(history, name)[0][0] for name in "pqxy"] == [10, 10, 10, 20]


def test_c02_who_reaches_2400_on_a_list_and_falls_keeps_k_10() -> None:
    games = [
        Game("q", "a", 1, date=MAY, event="up"),
        Game("q", "b", 0, date=JUNE, event="down"),
        Game("q", "a", 0.5, date=date(2024, 7, 10), event="after"),
    ]
    history = rated("fide/standard", games, [Start("q", 2395, 500), Start("a", 2395, 500), Start("b", 2200, 500)])
    assert [k for k, _ in changes(history, "q")] == [20, 10, 10]
    assert history.rating("q") < 2400


def test_c06_the_table_is_not_the_curve() -> None:
    table, curve = load("asigc"), load("elo")
    assert expected(table, 2638, 2100) == 0.97
    assert expected(curve, 2638, 2100) == pytest.approx(0.9568, abs=5e-5)
    # Under a rulebook that reads the table, every expectation is a whole number of hundredths.
    history = rated("asigc", [Game("a", "b", 1), Game("a", "b", 0)], {"a": 2638, "b": 2100})
    assert all(abs(100 * value - round(100 * value)) < 1e-12 for value in history.recording.expects)


@pytest.mark.parametrize("rules", ["fide/standard", "fide/rapid"])
def test_c07_an_unrated_opponent_counts_nothing(rules: str) -> None:
    history = rated(rules, [Game("a", "b", 1, date=MAY, event="open")], [Start("b", 1900, 100)])
    assert history.rating("a") is None
    assert history.rating("b") == 1900
    assert history.not_rated == 1
    assert any("not rated" in str(problem) for problem in history.problems)
    assert "not rated, the opponent is unrated" in told(history, "b")
    assert explain(history, "b")[0].change == 0
    assert explain(history, "b")[0].games[0].gain is None


def test_c10_an_unrated_player_is_left_out_game_by_game_only() -> None:
    """A game with somebody unrated counts nothing; the other games of the same event count as ever."""
    games = [
        Game("a", "u", 1, date=MAY, event="open"),
        Game("a", "b", 1, date=MAY, event="open"),
        Game("u", "b", 0.5, date=MAY, event="open"),
    ]
    start = [Start("a", 2000, 500), Start("b", 2000, 500)]
    with_u = rated("fide/standard", games, start)
    without = rated("fide/standard", games[1:2], start)
    assert (with_u.rating("a"), with_u.rating("b")) == (without.rating("a"), without.rating("b")) == (2010, 1990)


def test_c12_a_game_without_a_result_takes_no_points() -> None:
    """Forfeits and byes are no results: `score` None."""
    games = Games.of([Game("a", "b", None, date=MAY), Game("a", "b", 1, date=MAY)])
    history = replay(games, load("elo"))
    assert (len(history.games), history.games.pending) == (1, 1)
    assert history.rating("a") == 1516


def test_c13_a_pending_game_is_rated_once_its_result_is_there() -> None:
    pending = replay(Games.of([Game("a", "b", None, id="g1", date=MAY)]), load("elo"))
    assert pending.games.pending == 1
    assert "a" not in pending.players
    filled = replay(Games.of([Game("a", "b", 1, id="g1", date=MAY)]), load("elo"))
    assert filled.rating("a") == 1516


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=60), st.sampled_from([10, 25, 32, 60]))
@settings(max_examples=40, deadline=None)
def test_c16_nothing_leaks(scores: list[float], k: int) -> None:
    history = replay(Games.of([Game("a", "b", score) for score in scores]), load("elo", {"k": k, "start": 1000}))
    assert history.rating("a") + history.rating("b") == pytest.approx(2000, abs=1e-9)


def test_c16_ten_thousand_wins_of_the_same_player() -> None:
    history = replay(Games.of([Game("a", "b", 1)] * 10_000), load("elo", {"k": 25, "start": 1000}))
    assert history.rating("a") + history.rating("b") == pytest.approx(2000, abs=1e-6)
    assert history.rating("b") > 0


def test_c17_small_changes_are_kept() -> None:
    history = rated("elo", [Game("a", "b", 1)], {"a": 1802, "b": 1186})
    assert history.rating("a") == pytest.approx(1802.897, abs=5e-4)
    assert history.rating("b") == pytest.approx(1185.103, abs=5e-4)


def test_c18_no_overflow_and_no_sentinel_ratings() -> None:
    assert expected(load("elo"), 1500, 501500) < 1e-300
    assert expected(load("elo"), 501500, 1500) == 1
    with pytest.raises(DataError, match="outside any system's range"):
        rated("elo", [Game("a", "b", 1)], {"a": 1500, "b": 50_150_000})
    with pytest.raises(DataError, match="outside any system's range"):
        rated("elo", [Game("a", "b", 1)], {"a": 1500, "b": float("inf")})


def test_c20_both_sides_from_the_snapshot() -> None:
    history = replay(Games.of([Game("a", "b", 1)]), load("elo", {"k": 20}))
    assert (history.rating("a"), history.rating("b")) == (1510, 1490)


@pytest.mark.parametrize("when", [date(2010, 5, 10), date(2022, 5, 10), date(2024, 5, 10), date(2025, 11, 10)])
@pytest.mark.parametrize(("one", "two"), [(2700, 2100), (2651, 2240), (2649, 2100), (1500, 2000)])
def test_c25_swapping_the_sides_swaps_the_changes(when: date, one: float, two: float) -> None:
    for score in (0, 0.5, 1):
        start = [Start("a", one, 500), Start("b", two, 500)]
        there = rated("fide/standard", [Game("a", "b", score, date=when, event="x")], start)
        back = rated("fide/standard", [Game("b", "a", 1 - score, date=when, event="x")], start)
        assert bits(there) == bits(back)


def test_c26_a_floor_holds_and_says_so() -> None:
    history = replay(Games.of([Game("a", "b", 0)]), load("elo", {"floor": 100}), [Start("a", 101), Start("b", 101)])
    assert history.rating("a") == 100
    change = explain(history, "a")[0]
    assert (change.before, change.after, change.exact) == (101, 100, -16)
    assert any(clause.source == "the parameter floor" for clause in change.clauses)
    assert "No rating falls below the floor" in told(history, "a")
    # The run goes on: the next game is played from the floor.
    again = replay(
        Games.of([Game("a", "b", 0), Game("a", "b", 1)]),
        load("elo", {"floor": 100}),
        [Start("a", 101), Start("b", 101)],
    )
    assert again.recording.before[2] == 100


def test_c26_a_list_with_a_floor_takes_the_player_off() -> None:
    games = [Game("a", "b", 0, date=MAY, event="open"), Game("a", "b", 1, date=JUNE, event="next")]
    history = rated("fide/standard", games, [Start("a", 1405, 500), Start("b", 1405, 500)])
    assert history.rating("a") is None
    assert history.rating("b") == 1415  # the second game is not rated: its opponent left the list
    assert "no longer listed" in told(history, "a")


def test_c28_the_explanation_prints_the_k_that_was_used() -> None:
    history = replay(Games.of([Game("a", "b", 1)]), load("elo", {"k": 24}))
    assert (history.rating("a"), history.rating("b")) == (1512, 1488)
    assert [change.k for change in explain(history, "a") if change.kind == "games"] == [24]
    assert "K 24" in told(history, "a")
    limited = [Game("me", "x", 0.5, date=MAY, event="open", round=at) for at in range(36)]
    history = rated("fide/standard", limited, [Start("me", 2000, 500), Start("x", 2000, 500)])
    assert explain(history, "me")[0].k == 19
    assert any(clause.article == "8.3.3" and "700" in clause.text["en"] for clause in explain(history, "me")[0].clauses)


def test_c29_the_size_of_the_pool_does_not_matter() -> None:
    alone = rated("elo", [Game("a", "b", 1)])
    crowd = rated("elo", [Game("a", "b", 1)], [Start(f"p{at}", 1500) for at in range(500)])
    assert (alone.rating("a"), alone.rating("b")) == (crowd.rating("a"), crowd.rating("b"))


DOUBLE_HEADER = [
    Game("a", "b", 1, date=MAY),
    Game("b", "c", 1, date=MAY),
    Game("a", "b", 0, date=MAY),
    Game("c", "a", 0.5, date=MAY),
]


@pytest.mark.parametrize("rules", ["elo", "fide/standard"])
def test_c30_games_of_one_day_in_any_order_of_arrival(rules: str) -> None:
    start = [Start(name, rating, 500) for name, rating in (("a", 1600), ("b", 1700), ("c", 1800))]
    found = {str(sorted(bits(rated(rules, order, start)).items())) for order in permutations(DOUBLE_HEADER)}
    assert len(found) == 1


def test_c30_two_games_that_differ_only_in_their_margin() -> None:
    """A double-header that one side wins 2-1 and 9-0."""
    games = [Game("a", "b", 1, date=MAY, margin=margin, importance=20) for margin in (1, 9, 3)]
    found = {str(bits(rated("eloratings", order, {"a": 1700, "b": 1500}))) for order in permutations(games)}
    assert len(found) == 1


def test_c30_ids_that_only_some_games_have() -> None:
    games = [
        Game("a", "b", 1, date=MAY, id="z"),
        Game("b", "c", 1, date=MAY),
        Game("c", "a", 1, date=MAY),
        Game("a", "b", 0, date=MAY, id="y"),
    ]
    found = {str(sorted(bits(rated("elo", order)).items())) for order in permutations(games)}
    assert len(found) == 1


def test_c42_a_date_too_vague_for_the_period_is_named_and_not_rated() -> None:
    games = [
        Game("a", "b", 1, date=PartialDate.parse("2014.??.??")),
        Game("a", "b", 1, date=PartialDate.parse("2014.01.??")),
        Game("a", "b", 1, date=date(2014, 1, 18)),
        Game("a", "b", 1),
    ]
    history = replay(Games.of(games, "club.csv"), load("elo", {"unit": "period:month"}))
    assert len(history.games) == 2
    assert [(problem.line, problem.severity) for problem in history.problems if "not rated" in problem.message][:2] == [
        (1, "warning"),
        (4, "warning"),
    ]
    assert "too vague" in history.problems[0].message
    assert "cannot be placed" in history.problems[1].message
    assert history.rating("a") == 1500 + 32


def test_c42_a_game_without_a_date_takes_its_events() -> None:
    games = [
        Game("a", "b", 1, event="open", round=2),
        Game("a", "b", 0, event="open", round=1, date=MAY),
        Game("a", "b", 1, date=JUNE),
    ]
    history = rated("elo", games)
    assert not history.problems
    assert list(history.games.round) == [1, 2, 0]


def test_c44_unrated_is_no_number() -> None:
    games = [Game("a", "b", 1, date=MAY, event="open"), Game("b", "c", 0.5, date=MAY, event="open")]
    history = rated("fide/standard", games, [Start("a", None), Start("b", 2000, 500), Start("c", 2000, 500)])
    assert history.rating("a") is None
    assert history.rating("b") == 2000
    assert explain(history, "a")[0].before is None


def test_c57_the_base_is_the_rating_at_the_start_of_the_event() -> None:
    """An entry at registration, another list by the start: what counts is what is held when the event begins."""
    acts = [
        Act("entry", "a", day("2024-04-01"), 1500, 100, reason="registration"),
        Act("entry", "a", day("2024-05-01"), 1540, 100),
    ]
    history = rated("fide/standard", [Game("a", "b", 0.5, date=MAY, event="open")], [Start("b", 1540, 500)], acts)
    change = explain(history, "a")[-1]
    assert (change.before, change.change) == (1540, 0)


def test_c60_an_uplift_is_told_as_such() -> None:
    games = [Game("x", "y", 0.5, date=date(2024, 2, 10), event="feb")]
    history = rated("fide/standard", games, [Start("me", 1437, 500), Start("x", 2200, 500), Start("y", 2200, 500)])
    (change,) = explain(history, "me")
    assert (change.kind, change.before, change.after, change.games) == ("uplift", 1437, 1662, ())
    assert change.day == date(2024, 3, 1)
    assert "1437" in told(history, "me")
    assert "1662" in told(history, "me")


def test_c61_a_correction_of_the_base_is_an_input_with_a_reason() -> None:
    games = [Game("a", "b", 0.5, date=MAY, event="open")]
    start = [Start("a", 2052, 500), Start("b", 2053, 500)]
    plain = rated("fide/standard", games, start)
    assert plain.recording.before[0] == 2052
    act = Act(
        "adjustment", "a", day("2024-05-01"), 1, reason="the federation's calculation begins at 2053", source="letter"
    )
    corrected = rated("fide/standard", games, start, [act])
    assert corrected.recording.before[0] == 2053
    first = explain(corrected, "a")[0]
    assert (first.kind, first.reason) == ("adjustment", act.reason)


def test_c72_won_and_lost_points() -> None:
    """Three wins in four games against much weaker players: the sentence names the cause, the numbers add up."""
    games = [Game("me", "weak", score, date=MAY, event="open", round=at) for at, score in enumerate((1, 1, 1, 0))]
    history = rated("fide/standard", games, [Start("me", 2000, 500), Start("weak", 1600, 500)])
    (change,) = explain(history, "me")
    assert change.change == -14  # 20 x (3 - 3.68) = -13.6
    assert change.gain == pytest.approx(sum(game.gain for game in change.games))
    for language, cause in (("en", "still lost 14"), ("it", "perde comunque 14"), ("es", "aun así pierde 14")):
        text = told(history, "me", language)
        assert cause in text
        assert "3.68" in text or "3,68" in text
