"""Where points come from: what is told adds up to what the sum of all ratings did, under every rulebook."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from math import fsum
from random import Random

import pytest

from arpad.analysis import points
from arpad.analysis.points import Points, accounts
from arpad.engine import History, replay
from arpad.model import Act, Game, Games, Start
from arpad.rulebooks import load
from arpad.rulebooks.book import Rulebook
from tests.engine.worlds import EDITIONS, LATEST, World, as_numpy, book, named, world

DAYS = [date(2024, 1, 10).toordinal(), date(2024, 2, 10).toordinal()]


def told(games: Sequence[Game], rules: Rulebook, start: Sequence[Start] = (), acts: Sequence[Act] = ()) -> Points:
    """The account between the two days."""
    (found,) = accounts(replay(Games.of(games), rules, start, acts, looks=DAYS))
    return found


def game(first: str, second: str, score: float, day: int = 20) -> Game:
    return Game(first, second, score, date=date(2024, 1, day), event="Open")


def sums(history: History) -> list[float]:
    """The sum of all ratings at each look."""
    states = (look.state[:: history.system.width] for look in history.looked)
    return [fsum(float(rating) for rating in state if rating == rating) for state in states]


def assert_adds_up(history: History) -> None:
    held = sums(history)
    changes = [now - before for before, now in pairwise(held)]
    assert [each.total for each in accounts(history)] == pytest.approx(changes, abs=1e-6)


def looked(facts: World, rules: Rulebook, games: Games) -> History:
    first, last = facts.days[0].toordinal(), facts.days[-1].toordinal()
    days = [first - 2, *range(first + 9, last, 17), last + 60]
    return replay(games, rules, facts.start, facts.acts, looks=days)


@pytest.mark.parametrize(("label", "first"), LATEST, ids=named(LATEST))
def test_points_are_the_change_of_the_sum_of_all_ratings(
    label: str, first: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = world(7, first)
    games = Games.of(facts.games)
    plain, columns = (looked(facts, book(label), each) for each in (games, as_numpy(games)))
    assert_adds_up(plain)
    for few in (0, points.FEW):
        monkeypatch.setattr(points, "FEW", few)
        for held, other in zip(accounts(plain), accounts(columns), strict=True):
            for name in Points.__struct_fields__:
                assert getattr(other, name) == pytest.approx(getattr(held, name), abs=1e-6), (name, few)
    later = replay(games, book(label), facts.start, facts.acts, looks=[look.day for look in plain.looked[2:]])
    assert accounts(later) == accounts(plain)[2:], "what was before the first look is nobody's"
    assert len(accounts(plain)) > 3
    assert any(each.total for each in accounts(plain)), "nothing moved"


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("label", "first"), [each for each in EDITIONS if each[0] in ("fide/standard", "fide/rapid", "dsu")], ids=str
)
def test_so_they_are_where_editions_change(label: str, first: date, seed: int) -> None:
    facts = world(seed, first)
    assert_adds_up(looked(facts, book(label), Games.of(facts.games)))


def pair(one: float, other: float, games: int = 100) -> list[Start]:
    return [Start("A", one, games=100), Start("B", other, games=games)]


def test_two_with_the_same_k_bring_nothing() -> None:
    assert told([game("A", "B", 1)], load("elo"), pair(1500, 1500)) == Points()


def test_a_newcomer_brings_a_first_rating() -> None:
    assert told([game("A", "B", 1)], load("elo"), pair(1500, 1500)[:1]) == Points(entries=1500)


def test_k_of_20_and_of_40_bring_half_of_the_difference_of_both() -> None:
    """A loses 20 times 0.5, and B, of five games, wins 40 times 0.5."""
    assert told([game("A", "B", 0)], load("fide/standard"), pair(2000, 2000, games=5)) == Points(k=10)


def test_a_floor_gives_back_what_lies_below_it() -> None:
    """With K 32, A would fall by 16 and is stopped after 5."""
    assert told([game("A", "B", 0)], load("elo", {"floor": 1500}), pair(1505, 1505)) == Points(bounds=11)


def test_who_falls_under_the_floor_of_fide_takes_the_rest_away() -> None:
    """1003 less 10 is below 1000: the 10 are B's, and 993 go."""
    assert told([game("A", "B", 0)], load("fide/standard"), pair(1003, 1003)) == Points(removals=-993)


def test_acts_are_told_apart_from_entries() -> None:
    acts = [Act("adjustment", "A", DAYS[0] + 3, 30.0), Act("entry", "C", DAYS[0] + 3, 1300.0, 5)]
    assert told([game("A", "B", 0.5, 11)], load("elo"), pair(1500, 1500), acts) == Points(acts=30, entries=1300)


def test_the_revaluation_of_2024_is_nobodys_game() -> None:
    """A has lost 2 points of 1437 in January; 0.4 of what 1435 lacks to 2000 is 226, and B has more than 2000."""
    looks = [DAYS[1], date(2024, 3, 10).toordinal()]
    history = replay(Games.of([game("A", "B", 0, 1)]), load("fide/standard"), pair(1437, 2100), looks=looks)
    assert accounts(history) == (Points(uplifts=226),)


def test_a_new_season_pulls_towards_the_mean_without_a_game() -> None:
    """A third of what A has above the mean of 1505, and B lacks to it: 95 and -5, of which 30 together."""
    games = [
        Game("A", "B", 1.0, date=date(2024, 1, 12), season=2023),
        Game("A", "B", 1.0, date=date(2024, 1, 20), season=2024),
    ]
    found = told(games, load("fivethirtyeight/nfl"), [Start("A", 1600), Start("B", 1500)])
    assert found == Points(time=pytest.approx(-30))


def test_halves_add_up_to_what_both_get() -> None:
    """20 x 0.5 less 10 x 0.3 is 7: 4 by different K, 3 by gains that do not match; and 3 lost by one side alone."""
    nan = float("nan")
    k, other, gains, against = [20.0, 20.0], [10.0, 10.0], [0.5, nan], [-0.3, -0.3]
    assert points._pairs(k, other, gains, against) == pytest.approx((4, 3, -3))
    import numpy as np

    assert points._pairs_numpy(*map(np.array, (k, other, gains, against))) == pytest.approx((4, 3, -3))


@pytest.mark.parametrize("rules", ["elo", "fide/standard", "glicko", "uschess/regular"])
def test_who_does_not_play_changes_nothing(rules: str) -> None:
    facts, bystander = world(3, date(2024, 4, 1)), Start("idle", 1800.0, games=60)
    games = Games.of(facts.games)
    one = looked(facts, load(rules), games)
    facts.start.append(bystander)
    other = looked(facts, load(rules), games)
    assert [each.total for each in accounts(other)] == pytest.approx([each.total for each in accounts(one)], abs=1e-6)


@pytest.mark.parametrize(("rules", "unit"), [("elo", "event"), ("elo", "period:month"), ("glicko", "")])
def test_the_order_of_the_games_of_a_batch_does_not_matter(rules: str, unit: str) -> None:
    facts, chosen = world(5, date(2024, 4, 1)), load(rules, {"unit": unit} if unit else {})
    found = []
    for seed in range(3):
        Random(seed).shuffle(facts.games)
        held = accounts(looked(facts, chosen, Games.of(facts.games)))
        found.append([getattr(each, name) for each in held for name in Points.__struct_fields__])
    assert found[1] == pytest.approx(found[0], abs=1e-6)
    assert found[2] == pytest.approx(found[0], abs=1e-6)
