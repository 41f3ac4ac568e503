"""Section 6: several players at once, and teams."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.checkpoints import decode, encode
from arpad.engine import History, replay
from arpad.errors import DataError, RulebookError
from arpad.explain import explain
from arpad.formats import read_games
from arpad.model import Start
from arpad.rulebooks import load
from arpad.sentences import words
from arpad.views import changes, games, ratings
from tests.engine.helpers import club

#: Columns of a short table: player, rank or team, …
Row = tuple[Any, ...]


def contest(
    rules: str, rows: list[dict[str, Any]], start: dict[str, float] | None = None, keys: dict[str, Any] | None = None
) -> History:
    """A replay of rows of contests, whose id is 1 unless said."""
    facts, problems = read_games([{"id": "1", **row} for row in rows])
    assert not [problem for problem in problems if problem.severity == "error"], problems
    return replay(facts, load(rules, keys or {}), [Start(name, rating) for name, rating in (start or {}).items()])


def placed(places: dict[str, int], **more: Any) -> list[dict[str, Any]]:
    return [{"player": player, "rank": place, **more} for player, place in places.items()]


def exact(history: History) -> dict[str, float]:
    return {name: history.rating(name) or 0.0 for name in history.players}


SIX = {"A": 1613.0, "B": 1609.0, "C": 1477.0, "D": 1388.0, "E": 1586.0, "F": 1720.0}
SIX_PLACES = {"A": 4, "B": 2, "C": 4, "D": 6, "E": 5, "F": 1}
THREE = {"A": 1600.0, "B": 1500.0, "C": 1400.0}
IN_ORDER = {"A": 1, "B": 2, "C": 3}


def test_6_1_all_pairs_undivided_the_tournament_of_both_seed_articles() -> None:
    history = contest("multiplayer:undivided", placed(SIX_PLACES), SIX)
    expected = {"A": 1601.27, "B": 1646.27, "C": 1499.28, "D": 1350.25, "E": 1533.08, "F": 1762.86}
    assert exact(history) == pytest.approx(expected, abs=0.005)
    # A published implementation truncates.
    assert [int(value) for value in exact(history).values()] == [1601, 1646, 1499, 1350, 1533, 1762]


def test_6_2_all_pairs_divided() -> None:
    found = exact(contest("multiplayer", placed(IN_ORDER), THREE))
    assert found == pytest.approx({"A": 1609.60, "B": 1500.0, "C": 1390.40}, abs=0.005)


def test_6_3_simple_multiplayer_elo() -> None:
    found = exact(contest("multiplayer:neighbours", placed(IN_ORDER), THREE))
    assert found == pytest.approx({"A": 1611.52, "B": 1500.0, "C": 1388.48}, abs=0.005)


def test_6_4_expected_share_the_published_example_of_multielo() -> None:
    found = exact(
        contest("multiplayer:share", placed({"A": 1, "B": 2, "C": 3}), {"A": 1200.0, "B": 900.0, "C": 1000.0})
    )
    expected = {"A": 1208.34629612, "B": 910.43382278, "C": 981.21988111}
    assert found == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [(1200.0, 1000.0, (1207.68809835, 992.31190165)), (900.0, 1000.0, (920.48207999, 979.51792001))],
)
def test_6_4_the_published_games_of_two_of_multielo(first: float, second: float, expected: tuple[float, float]) -> None:
    found = exact(contest("multiplayer:share", placed({"A": 1, "B": 2}), {"A": first, "B": second}))
    assert (found["A"], found["B"]) == pytest.approx(expected, abs=1e-8)


def test_6_4_shares_that_fall_evenly_are_the_divided_pairs_times_a_constant() -> None:
    share = exact(contest("multiplayer:share", placed(SIX_PLACES), SIX))
    divided = exact(contest("multiplayer", placed(SIX_PLACES), SIX))
    # K (m - 1) / (m (m - 1) / 2) against K / (m - 1)
    ratio = {name: (share[name] - SIX[name]) / (divided[name] - SIX[name]) for name in SIX}
    assert ratio == pytest.approx(dict.fromkeys(SIX, 5 * 2 / 6))


def test_6_4_the_published_points_of_five_places_with_base_one_and_a_half() -> None:
    start = dict.fromkeys("ABCDE", 1500.0)
    found = exact(contest("multiplayer:share", placed(dict(zip("ABCDE", range(1, 6)))), start, {"base": 1.5}))
    points = {name: (value - 1500) / (32 * 4) + 0.2 for name, value in found.items()}
    assert points == pytest.approx({"A": 0.496, "B": 0.290, "C": 0.153, "D": 0.061, "E": 0.0}, abs=0.0006)


def test_6_4_level_players_share_the_points_of_their_places() -> None:
    start = dict.fromkeys("ABC", 1500.0)
    found = exact(contest("multiplayer:share", placed({"A": 1, "B": 1, "C": 3}), start, {"base": 2}))
    # Points of three places: 3, 1 and 0 quarters; the first two are level.
    assert found == pytest.approx({"A": 1500 + 64 * (0.5 - 1 / 3), "B": 1500 + 64 * (0.5 - 1 / 3), "C": 1500 - 64 / 3})


def test_6_5_winner_only_as_one_library_has_it() -> None:
    start = {"A": 1900.0, "B": 2000.0, "C": 2000.0}
    found = exact(contest("multiplayer:winner", placed({"A": 1, "B": 2, "C": 3}), start, {"k": 24}))
    assert {name: round(value) for name, value in found.items()} == {"A": 1931, "B": 1985, "C": 1985}


def team(*rows: Row) -> list[dict[str, Any]]:
    return [dict(zip(("player", "team", "rank", "weight"), row)) for row in rows]


PAIRS = team(("A", "Red", 1), ("B", "Red", 1), ("C", "Blue", 2), ("D", "Blue", 2))
FOUR = {"A": 1700.0, "B": 1500.0, "C": 1600.0, "D": 1500.0}


def test_6_6_members_have_the_change_of_a_team_of_mean_rating() -> None:
    found = exact(contest("multiplayer", PAIRS, FOUR))
    gain = 32 * (1 - 1 / (1 + 10 ** (-50 / 400)))
    assert found == pytest.approx({"A": 1700 + gain, "B": 1500 + gain, "C": 1600 - gain, "D": 1500 - gain})


def test_6_6_a_team_may_be_the_sum_of_its_members() -> None:
    found = exact(contest("multiplayer", PAIRS, FOUR, {"team": "sum"}))
    gain = 32 * (1 - 1 / (1 + 10 ** (-100 / 400)))
    assert found == pytest.approx({"A": 1700 + gain, "B": 1500 + gain, "C": 1600 - gain, "D": 1500 - gain})


def test_6_6_a_team_may_be_the_weighted_mean_of_its_members() -> None:
    rows = team(("A", "Red", 1, 3), ("B", "Red", 1, 1), ("C", "", 2))
    found = exact(contest("multiplayer", rows, {"A": 1700.0, "B": 1500.0, "C": 1600.0}, {"team": "weighted"}))
    gain = 32 * (1 - 1 / (1 + 10 ** (-50 / 400)))
    assert found == pytest.approx({"A": 1700 + gain, "B": 1500 + gain, "C": 1600 - gain})


def test_6_6_each_member_has_an_own_k_or_all_their_mean(tmp_path: Path) -> None:
    def rules(k: str) -> Any:
        return club(
            tmp_path,
            f"""
[[edition]]
curve = {{ shape = "logistic" }}
k = [{{ when = {{ rating_from = 1600 }}, value = 10 }}, {{ value = 30 }}]
contest = {{ compare = "all" }}
team = {{ strength = "mean", k = "{k}" }}
unit = {{ of = "contest" }}
""",
            k,
            system="multiplayer",
        )

    facts, _ = read_games([{"id": "1", **row} for row in PAIRS])
    starts = [Start(name, rating) for name, rating in FOUR.items()]
    gain = 1 - 1 / (1 + 10 ** (-50 / 400))
    own, mean = (exact(replay(facts, rules(k), starts)) for k in ("own", "mean"))
    assert own == pytest.approx(
        {"A": 1700 + 10 * gain, "B": 1500 + 30 * gain, "C": 1600 - 10 * gain, "D": 1500 - 30 * gain}
    )
    assert mean == pytest.approx(
        {"A": 1700 + 20 * gain, "B": 1500 + 20 * gain, "C": 1600 - 20 * gain, "D": 1500 - 20 * gain}
    )


def test_ties_of_all_and_of_the_first() -> None:
    start = dict.fromkeys("ABC", 1500.0)
    level = placed(dict.fromkeys("ABC", 1))
    for rules in (
        "multiplayer",
        "multiplayer:undivided",
        "multiplayer:neighbours",
        "multiplayer:share",
        "multiplayer:winner",
    ):
        assert exact(contest(rules, level, start)) == pytest.approx(start), rules
    found = exact(contest("multiplayer:winner", placed({"A": 1, "B": 1, "C": 2}), start))
    assert found == pytest.approx({"A": 1516.0, "B": 1516.0, "C": 1468.0})


def test_level_neighbours_count_as_the_mean_over_their_orders() -> None:
    start = {"A": 1700.0, "B": 1500.0, "C": 1400.0, "D": 1300.0}

    def change(order: str) -> dict[str, float]:
        """Simple Multiplayer Elo of one order, in which B and C drew."""
        found = dict(start)
        for one, two in pairwise(order):
            score = 0.5 if {one, two} == {"B", "C"} else 1.0
            gain = 32 * (score - 1 / (1 + 10 ** ((start[two] - start[one]) / 400)))
            found[one] += gain
            found[two] -= gain
        return found

    one, other = change("ABCD"), change("ACBD")
    found = exact(contest("multiplayer:neighbours", placed({"A": 1, "B": 2, "C": 2, "D": 4}), start))
    assert found == pytest.approx({name: (one[name] + other[name]) / 2 for name in start})


SEVEN = placed({"A": 1, **dict.fromkeys("BCDEFG", 2)})


def test_6_ghost_seven_players_at_100_and_a_solo() -> None:
    found = exact(contest("diplomacy/ghost", SEVEN))
    assert found == pytest.approx({"A": 134.29, **dict.fromkeys("BCDEFG", 94.29)}, abs=0.005)


def test_6_ghost_a_draw_is_shared_equally_and_weights_divide() -> None:
    three = placed({**dict.fromkeys("ABC", 1), **dict.fromkeys("DEFG", 2)}, importance=0.5)
    found = exact(contest("diplomacy/ghost", three))
    gain = 700 / 17.5 * 0.5 * (1 / 3 - 1 / 7)
    assert found == pytest.approx({**dict.fromkeys("ABC", 100 + gain), **dict.fromkeys("DEFG", 100 - 20 / 7)})


def test_6_ghost_sum_of_squares_goes_by_centres_and_squared_ratings() -> None:
    centres = {"A": (1, 16), "B": (1, 10), "C": (1, 8), "D": (2, 0)}
    start = {"A": 150.0, "B": 100.0, "C": 50.0, "D": 100.0}
    rows = [{"player": name, "rank": rank, "points": points} for name, (rank, points) in centres.items()]
    found = exact(contest("diplomacy/ghost:sum-of-squares", rows, start))
    squares, whole = {"A": 256, "B": 100, "C": 64, "D": 0}, 420
    stakes = 150**2 + 100**2 + 50**2 + 100**2
    expected = {name: start[name] + 400 / 17.5 * (squares[name] / whole - start[name] ** 2 / stakes) for name in start}
    assert found == pytest.approx(expected)


def test_6_ghost_two_players_meet_by_ordinary_elo() -> None:
    found = exact(contest("diplomacy/ghost", placed({"A": 1, "B": 2})))
    assert found == pytest.approx({"A": 116.0, "B": 84.0})


def test_6_ghost_nothing_is_at_stake_where_nobody_has_a_rating_above_0() -> None:
    start = {"A": -5.0, "B": 0.0, "C": 0.0}
    history = contest("diplomacy/ghost", placed({"A": 1, "B": 2, "C": 2}), start)
    assert exact(history) == start
    assert history.not_rated == 3


def test_6_board_game_arena_compares_all_and_starts_at_1500() -> None:
    found = exact(contest("boardgamearena", placed(IN_ORDER)))
    assert found == pytest.approx({"A": 1532.0, "B": 1500.0, "C": 1468.0})


def test_a_contest_of_two_is_a_game_of_elo() -> None:
    plain = replay(read_games([{"white": "A", "black": "B", "result": "1-0"}])[0], load("elo"))
    for rules in (
        "multiplayer",
        "multiplayer:undivided",
        "multiplayer:neighbours",
        "multiplayer:share",
        "multiplayer:winner",
    ):
        assert exact(contest(rules, placed({"A": 1, "B": 2}))) == pytest.approx(exact(plain)), rules


def test_games_of_two_without_contests_are_rated_one_by_one() -> None:
    table = [
        {"white": "A", "black": "B", "result": "1-0", "date": "2025-01-01"},
        {"white": "B", "black": "C", "result": "1/2-1/2", "date": "2025-01-01"},
    ]
    both = [replay(read_games(table)[0], load(rules)) for rules in ("elo", "multiplayer")]
    assert exact(both[0]) == pytest.approx(exact(both[1]))


def test_a_contest_is_refused_where_games_are_settled_one_by_one() -> None:
    with pytest.raises(DataError, match="settles game by game"):
        contest("elo", placed(IN_ORDER))
    found = exact(contest("elo", placed(IN_ORDER), THREE, {"unit": "contest"}))
    assert found == pytest.approx(exact(contest("multiplayer:undivided", placed(IN_ORDER), THREE)))


def test_a_rulebook_of_contests_settles_by_contest(tmp_path: Path) -> None:
    edition = (
        '[[edition]]\ncurve = { shape = "logistic" }\nk = [{ value = 20 }]\ncontest = { compare = "pot", base = 0.5 }\n'
    )
    edition += 'floor = { value = 1, kind = "delist" }\n'
    with pytest.raises(RulebookError) as caught:
        club(tmp_path, edition, system="multiplayer")
    told = str(caught.value)
    for part in ("contest.base", "contest.divisor", "unit.of: contests", "floor.kind"):
        assert part in told


SEASON = [
    *({"id": "a", "date": "2025-01-01", **row} for row in placed({"A": 1, "B": 2, "C": 2, "D": 4})),
    *({"id": "b", "date": "2025-01-01", **row} for row in placed({"B": 1, "E": 2, "A": 3})),
    *({"id": "c", "date": "2025-01-02", **row} for row in placed({"E": 1, "D": 2, "C": 3, "B": 4, "A": 5})),
    {"id": "d", "date": "2025-01-03", "player": "A", "team": "x", "rank": 1},
    {"id": "d", "date": "2025-01-03", "player": "B", "team": "x", "rank": 1},
    {"id": "d", "date": "2025-01-03", "player": "C", "team": "y", "rank": 2},
]
RULES = [
    "multiplayer",
    "multiplayer:undivided",
    "multiplayer:neighbours",
    "multiplayer:share",
    "multiplayer:winner",
    "diplomacy/ghost",
    "boardgamearena",
]


def of_season(rules: str, rows: list[dict[str, Any]], start: Any = ()) -> History:
    return replay(read_games(rows)[0], load(rules), start)


@pytest.mark.parametrize("rules", RULES)
def test_the_order_of_rows_does_not_change_a_bit(rules: str) -> None:
    whole = exact(of_season(rules, SEASON))
    for seed in range(6):
        rows = random.Random(seed).sample(SEASON, len(SEASON))
        assert exact(of_season(rules, rows)) == whole


@pytest.mark.parametrize("rules", RULES)
def test_a_contest_settles_at_once_and_counts_as_one_game(rules: str) -> None:
    history = of_season(rules, SEASON)
    counted = {row["player"]: row["games"] for row in ratings(history).rows()}
    assert counted == {"A": 4, "B": 4, "C": 3, "D": 2, "E": 2}


@pytest.mark.parametrize("rules", RULES)
def test_a_checkpoint_between_contests_changes_nothing(rules: str) -> None:
    whole = exact(of_season(rules, SEASON))
    point = of_season(rules, SEASON[:7]).checkpoint()
    later = of_season(rules, SEASON[7:], decode(encode(point), "checkpoint"))
    assert exact(later) == whole


@pytest.mark.parametrize("rules", RULES)
def test_the_history_adds_up(rules: str) -> None:
    history = of_season(rules, SEASON)
    state = {name: load(rules).editions[0].entry.rating or 0.0 for name in history.players}
    for row in changes(history).rows():
        assert row["before"] == state[row["player"]]
        state[row["player"]] = row["after"]
    assert state == exact(history)
    brought: dict[tuple[Any, ...], float] = {}
    for row in games(history).rows():
        if row["note"] is None:
            key = row["player"], row["before"], row["after"]
            brought[key] = brought.get(key, 0.0) + row["change"]
        else:
            assert row["note"] == "the rules leave the game out"
    for row in changes(history).rows():
        assert brought[row["player"], row["before"], row["after"]] == pytest.approx(row["change"], abs=1e-9)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("language", ["en", "it", "es"])
def test_explanations_say_what_the_replay_did(rules: str, language: str) -> None:
    history = of_season(rules, SEASON)
    for player in history.players:
        story = [change for change in explain(history, player) if change.kind == "games"]
        rating = load(rules).editions[0].entry.rating
        for change in story:
            assert change.before == rating
            assert change.exact == pytest.approx((change.after or 0.0) - (change.before or 0.0), abs=1e-9)
            assert change.upgrade == 0.0
            rating = change.after
        assert rating == history.rating(player)
        told = words(story, language)
        assert any("[" in line for line in told)


def test_an_explanation_names_the_team_and_the_other_one() -> None:
    history = contest("multiplayer", PAIRS, FOUR)
    told = "\n".join(words(explain(history, "A")))
    assert "team Red, rated 1600: place 1 of 2" in told
    assert "Blue, rated 1550: expected 0.5715, scored 1" in told


def test_an_unrated_player_is_left_out_and_the_others_meet(tmp_path: Path) -> None:
    book = club(
        tmp_path,
        '[[edition]]\ncurve = { shape = "logistic" }\nk = [{ value = 32 }]\n'
        'contest = { compare = "all" }\nunit = { of = "contest" }\n',
        system="multiplayer",
    )
    facts, _ = read_games([{"id": "1", **row} for row in placed({"A": 1, "X": 2, "B": 3})])
    history = replay(facts, book, [Start("A", 1500.0), Start("B", 1500.0)])
    assert (history.rating("A"), history.rating("X"), history.rating("B")) == (1516.0, None, 1484.0)
    assert history.not_rated == 2
    notes = {(row["player"], row["opponent"]): row["note"] for row in games(history).rows()}
    assert notes["A", "X"] == "the opponent is unrated"


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 5), st.floats(500, 2500)), min_size=2, max_size=7),
    st.sampled_from(
        ["multiplayer", "multiplayer:undivided", "multiplayer:neighbours", "multiplayer:share", "multiplayer:winner"]
    ),
)
def test_what_one_gains_others_lose(table: list[tuple[int, float]], rules: str) -> None:
    start = {f"p{number}": rating for number, (_, rating) in enumerate(table)}
    history = contest(rules, placed({f"p{number}": place for number, (place, _) in enumerate(table)}), start)
    assert sum(exact(history).values()) == pytest.approx(sum(start.values()))
    best = min(place for place, _ in table)
    if sum(place == best for place, _ in table) == 1 and rules != "multiplayer:share":
        winner = next(f"p{number}" for number, (place, _) in enumerate(table) if place == best)
        assert exact(history)[winner] >= start[winner]


DUEL = {"white": "A", "black": "B", "result": "1-0"}


@pytest.mark.parametrize(("rating", "k"), [(1600, 32), (2099.9, 32), (2100, 24), (2399.9, 24), (2400, 16), (2700, 16)])
def test_6_dci_k_falls_at_2100_and_2400(rating: float, k: float) -> None:
    start = [Start("A", rating, 100), Start("B", rating, 100)]
    history = replay(read_games([DUEL])[0], load("dci"), start)
    assert history.rating("A") == pytest.approx(rating + k / 2)


def test_6_dci_provisional_matches_are_the_mean_opponent_and_400_points() -> None:
    results = ["1-0", "1-0", "0-1", "1/2-1/2"]
    opponents = [1700.0, 1650.0, 1500.0, 1900.0]
    games = [
        {"white": "A", "black": f"o{number}", "result": result, "date": f"1998-01-0{number + 1}"}
        for number, result in enumerate(results)
    ]
    start = [Start(f"o{number}", rating, 100) for number, rating in enumerate(opponents)]
    history = replay(read_games(games)[0], load("dci"), start)
    assert history.rating("A") == pytest.approx(sum(opponents) / 4 + 400 * (2 - 1) / 4)


def test_6_dci_events_of_8_to_31_players_count_half() -> None:
    start = [Start("A", 1600.0, 100), Start("B", 1600.0, 100)]
    history = replay(read_games([{**DUEL, "importance": 0.5}])[0], load("dci:sizes"), start)
    assert history.rating("A") == 1608.0
    history = replay(read_games([{**DUEL, "importance": 24}])[0], load("dci:levels"), start)
    assert history.rating("A") == 1612.0
