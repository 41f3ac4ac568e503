"""Glicko and its relatives against what their authors, servers and other programs print, and what must always hold."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import perf_counter
from types import ModuleType
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arpad
from arpad import kernel_glicko
from arpad.rulebooks.schema import Edition, Step
from arpad.rulebooks.schema_glicko import (
    Boost,
    Deviation,
    Gains,
    Growth,
    LeastK,
    MostChange,
    Passes,
    Stephenson,
    Volatility,
)
from tests.engine.glicko_pools import GAME, Pool, Result, compiled, edition, glicko, glicko2
from tests.engine.helpers import loaded

FOLDER = Path(arpad.__file__).parent
KERNELS = ("kernel", "kernel_glicko")

#: The player and the three opponents of both papers.
FOUR = {"me": (1500, 200, 0.06), "a": (1400, 30, 0.06), "b": (1550, 100, 0.06), "c": (1700, 300, 0.06)}
THREE: list[Result] = [("me", "a", 1), ("me", "b", 0), ("me", "c", 0)]
ALPHA = [5.83733, -1.75374e-4, -7.080124e-5, 0.001733792, 0.00026706]


def lichess(advantage: float = 0.0, **clauses: object) -> Edition:
    return edition(
        advantage,
        unit=GAME,
        **{
            "deviation": Deviation(entry=500, least=45, most=500),
            "volatility": Volatility(entry=0.09, tau=0.75, most=0.1),
            "growth": Growth(kind="volatility", days=1 / 0.21436),
            **clauses,
        },
    )


def fics() -> Edition:
    return edition(
        start=1720,
        unit=GAME,
        deviation=Deviation(entry=350, most=350),
        growth=Growth(kind="logarithm", c=3.25, rate=1440, days=1),
        least_k=LeastK(value=16),
        change=Step(rule="half away from zero"),
    )


def boosted(passes: int = 1) -> Edition:
    return edition(
        30,
        deviation=Deviation(entry=350, most=350),
        growth=Growth(kind="exponential", alpha=ALPHA),
        boost=Boost(above=1.96, factor=0.20139, added=17.5),
        passes=Passes(count=passes),
    )


def grown(rules: Edition, deviation: float, time: float, rating: float = 1500.0, volatility: float = 0.06) -> float:
    return kernel_glicko.grown_deviation(compiled(rules).rules, 0, rating, deviation, volatility, time)


# ----------------------------------------------------------------------------------------------- Glicko


def test_glickmans_example_of_glicko() -> None:
    pool = Pool.of(glicko(), FOUR).play((1, THREE))
    weights = [gain / (score - expect) for gain, (_, _, score), expect in zip(pool.gains[::2], THREE, pool.expects)]
    assert weights == pytest.approx([0.9955, 0.9531, 0.7242], abs=5e-5)
    assert list(pool.expects) == pytest.approx([0.639, 0.432, 0.303], abs=5e-4)
    rating, deviation, _ = pool["me"]
    assert 1 / (1 / deviation**2 - 1 / 200**2) == pytest.approx(53685.74, abs=0.01)  # d²
    assert rating == pytest.approx(1464.1065, abs=5e-5)
    assert deviation == pytest.approx(151.39890244796933, abs=1e-9)


def test_glickmans_example_of_prediction() -> None:
    both = math.hypot(80, 150)
    expect = kernel_glicko.expected_score(compiled(glicko()).rules, 0, 1400 - 1500, both)
    assert expect == pytest.approx(0.375988, abs=5e-7)


def test_glickmans_example_of_growth() -> None:
    """A deviation of 50 is that of a newcomer after 30 periods without a game, and never more."""
    rules = glicko(c=63.2456)
    assert grown(rules, 50, 30) == pytest.approx(350, abs=1e-3)
    assert grown(rules, 50, 29) < 349
    assert grown(rules, 50, 1000) == 350


def test_deviation_has_a_lower_bound() -> None:
    """Glickman suggests 30."""
    games: list[Result] = [("me", "a", number % 2) for number in range(400)]
    assert Pool.of(glicko(), FOUR).play((1, games))["me"][1] < 20
    assert Pool.of(glicko(least=30), FOUR).play((1, games))["me"][1] == 30


def test_c19_the_deviation_is_the_opponents() -> None:
    """2500 against a newcomer of 1500 is .979 to win, and the newcomer's chance goes by the other's deviation."""
    pool = Pool.of(glicko(), {"strong": (2500, 50), "new": (1500, 350)}).play((1, [("strong", "new", 1)]))
    assert pool.expects[0] == pytest.approx(0.979, abs=5e-4)
    assert pool.expects_second[0] < 0.004


# --------------------------------------------------------------------------------------------- Glicko-2


def test_glickmans_example_of_glicko_2() -> None:
    pool = Pool.of(glicko2(), FOUR).play((1, THREE))
    assert pool["me"][:2] == pytest.approx((1464.06, 151.52), abs=0.02)  # as printed, from rounded intermediates
    assert pool["me"] == pytest.approx((1464.0506705, 151.5165241, 0.0599959843), rel=2e-8)


def test_glicko_2_of_who_does_not_play() -> None:
    assert grown(glicko2(), 200, 1) == pytest.approx(200.2714, abs=5e-5)
    pool = Pool.of(glicko2(), {**FOUR, "idle": (1500, 200, 0.06)}).play((1, THREE))
    assert pool.held("idle") == (1500, 0, 1500, 0, 200, 0.06)


def test_empty_periods_between_two_grow_the_deviation() -> None:
    """Active in period 1 and again in period 5: three periods of growth before, one within the update."""
    players = {"me": (1500, 200, 0.06, 1), "x": (1500, 30, 0.06, 4)}
    pool = Pool.of(glicko2(), players).play((5, [("me", "x", 1)]))
    assert pool.spread[0] == pytest.approx(grown(glicko2(), 200, 3), abs=1e-12)
    assert pool.spread[4] == 30
    still = Pool.of(glicko(c=20), {"me": (1500, 200, 0.06, 1), "x": (1500, 30, 0.06, 4)}).play((5, [("me", "x", 1)]))
    assert still.spread[0] == pytest.approx(math.sqrt(200**2 + 4 * 20**2), abs=1e-12)
    assert still.spread[4] == pytest.approx(math.sqrt(30**2 + 20**2), abs=1e-12)


def test_c21_two_newcomers() -> None:
    pool = Pool.of(glicko2(), {"a": (1500, 350, 0.06), "b": (1500, 350, 0.06)}).play((1, [("a", "b", 1)]))
    assert pool["a"][:2] == pytest.approx((1662.3, 290.3), abs=0.05)
    assert pool["b"][:2] == pytest.approx((1337.7, 290.3), abs=0.05)


def test_a_newcomer_and_who_is_known_without_a_deviation_have_the_entrys() -> None:
    pool = Pool.of(glicko2(), {"a": (math.nan,), "b": (1500,)}).play((1, [("a", "b", 1)]))
    assert pool["a"][:2] == pytest.approx((1662.3, 290.3), abs=0.05)
    assert pool.spread[0] == pool.spread[4] == 350


def paper(me: Sequence[float], against: Sequence[tuple[float, float, float]], tau: float) -> tuple[float, float, float]:
    """Steps 2 to 8 of the paper as it prints them. `against`: rating, RD, score."""
    scale = 400 / math.log(10)
    mu, phi, sigma = (me[0] - 1500) / scale, me[1] / scale, me[2]
    terms = []
    for rating, deviation, score in against:
        weight = 1 / math.sqrt(1 + 3 * (deviation / scale) ** 2 / math.pi**2)
        terms.append((weight, 1 / (1 + math.exp(-weight * (mu - (rating - 1500) / scale))), score))
    v = 1 / math.fsum(weight**2 * expect * (1 - expect) for weight, expect, _ in terms)
    delta = v * math.fsum(weight * (score - expect) for weight, expect, score in terms)
    a = math.log(sigma**2)

    def f(x: float) -> float:
        power = math.exp(x)
        return power * (delta**2 - phi**2 - v - power) / (2 * (phi**2 + v + power) ** 2) - (x - a) / tau**2

    if delta**2 > phi**2 + v:
        b = math.log(delta**2 - phi**2 - v)
    else:
        b = a - next(k * tau for k in range(1, 100) if f(a - k * tau) >= 0)
    f_a, f_b = f(a), f(b)
    one, two = a, b
    while abs(two - one) > 1e-6:
        three = one + (one - two) * f_a / (f_b - f_a)
        f_c = f(three)
        one, f_a = (two, f_b) if f_c * f_b <= 0 else (one, f_a / 2)
        two, f_b = three, f_c
    sigma = math.exp(one / 2)
    phi = 1 / math.sqrt(1 / (phi**2 + sigma**2) + 1 / v)
    return scale * (mu + phi**2 * delta / v) + 1500, scale * phi, sigma


def upsets(wins: int) -> tuple[dict[str, Sequence[float]], list[Result]]:
    """-3.5744 on the internal scale, and nothing but wins in one period."""
    players = {"me": (1500 - 3.5744 * 173.7178, 60, 0.06), **{f"p{at}": (1200 + 20 * at, 50, 0.06) for at in range(40)}}
    return players, [("me", f"p{at % 40}", 1) for at in range(wins)]


@pytest.mark.parametrize("tau", [0.3, 0.5, 1.2])
@pytest.mark.parametrize("wins", [1, 3, 20, 200])
def test_c22_a_long_period_of_upsets(tau: float, wins: int) -> None:
    players, games = upsets(wins)
    pool = Pool.of(glicko2(tau), players).play((1, games))
    expected = paper(players["me"], [(*players[two][:2], score) for _, two, score in games], tau)
    assert pool["me"] == pytest.approx(expected, rel=1e-5)
    assert not any(pool.totals)


@given(st.integers(0, 10**9), st.floats(0.3, 1.2))
@settings(max_examples=200, deadline=None)
def test_a_period_of_glicko_2_is_the_papers(seed: int, tau: float) -> None:
    random = Random(seed)
    names = [f"p{at}" for at in range(random.randint(1, 20))]
    players = {name: (random.gauss(1500, 300), random.uniform(30, 350), random.uniform(0.03, 0.1)) for name in names}
    players["me"] = (random.gauss(1500, 300), random.uniform(30, 350), random.uniform(0.03, 0.1))
    games: list[Result] = [("me", name, random.choice((0.0, 0.5, 1.0))) for name in names]
    pool = Pool.of(glicko2(tau), players).play((1, games))
    assert pool["me"] == pytest.approx(
        paper(players["me"], [(*players[two][:2], score) for _, two, score in games], tau), rel=2e-6
    )


def test_c23_a_quarter_of_a_million_games_against_one_opponent() -> None:
    """The paper's own formulas drive each other up here without end; with a bound to volatility they do not."""
    for rules in (
        glicko(c=10, least=30),
        glicko2(
            deviation=Deviation(entry=350, least=30, most=350), volatility=Volatility(entry=0.06, tau=0.5, most=0.1)
        ),
    ):
        count = 250_000 if kernel_glicko.COMPILED else 5_000
        pool = Pool.of(rules, {"a": (1500, 200, 0.06), "b": (1500, 200, 0.06)})
        begun = perf_counter()
        pool.play(*((at + 1, [("a", "b", at % 2)]) for at in range(count)))
        assert perf_counter() - begun < 20
        for name in "ab":
            rating, deviation, volatility = pool[name]
            assert abs(rating - 1500) < 20
            assert 30 <= deviation < 100
            assert volatility <= 0.1
        assert not any(pool.totals)


@pytest.mark.parametrize("rules", [glicko(c=63), glicko2(), lichess(), fics(), boosted(2)], ids="12lfb")
@pytest.mark.parametrize(("strong", "weak"), [(3453, 38), (1e6, -1e6), (9e5, 8e5)])
@pytest.mark.parametrize(("sure", "open_"), [(74, 180), (1e-3, 1e4), (1e4, 1e4)])
def test_c24_an_upset_beyond_all_measure(rules: Edition, strong: float, weak: float, sure: float, open_: float) -> None:
    pool = Pool.of(rules, {"strong": (strong, sure), "weak": (weak, open_)})
    for clock in range(1, 30):
        pool.play((clock, [("strong", "weak", 0), ("weak", "strong", 1)]))
        for name in pool.names:
            assert all(math.isfinite(number) for number in pool.held(name))
            assert pool[name][1] > 0
    if rules.least_k is None:
        assert pool["strong"][0] <= strong
        assert pool["weak"][0] >= weak


def test_the_search_for_a_volatility_ends_where_the_games_say_nothing() -> None:
    """Games so certain that they carry no information: the upper bound of the paper has no number."""
    for information in (0.0, 1e-300, 1e-30, 1e-9, 1.0):
        for gain in (-1e6, -1.0, 0.0, 1.0, 1e6):
            for deviation in (1e-6, 1.0, 60.0):
                found = kernel_glicko.volatility_after(0.5, 0.06, deviation, gain, information)
                assert not math.isfinite(found) or found > 0
    assert kernel_glicko.volatility_after(0.5, 0.06, 1.0, 1.0, 0.0) == pytest.approx(0.06, abs=1e-3)


# -------------------------------------------------------------------------------------------- servers


@pytest.mark.parametrize(
    ("score", "first", "second", "deviation", "volatility"),
    [(1, 1741.476, 1258.524, 396.690, 0.0899983), (0.5, 1500, 1500, 396.690, 0.0899954)],
)
def test_lichess_newcomers(score: float, first: float, second: float, deviation: float, volatility: float) -> None:
    pool = Pool.of(lichess(), {"w": (1500,), "b": (1500,)}).play((1, [("w", "b", score)]))
    for name, rating in (("w", first), ("b", second)):
        assert pool[name][0] == pytest.approx(rating, abs=5e-4)
        assert pool[name][1] == pytest.approx(deviation, abs=5e-4)
        assert pool[name][2] == pytest.approx(volatility, abs=5e-8)


@pytest.mark.parametrize(
    ("advantage", "first", "second", "deviation"),
    [(0, 1662.21, 1337.79, 290.2305), (11.782457, 1658.56, 1341.44, 290.2538), (20.30966, 1655.95, 1344.05, 290.2998)],
)
def test_lichess_advantage_of_the_white_pieces(advantage: float, first: float, second: float, deviation: float) -> None:
    pool = Pool.of(lichess(advantage), {"w": (1500, 350, 0.06), "b": (1500, 350, 0.06)}).play((1, [("w", "b", 1)]))
    assert (pool["w"][0], pool["b"][0]) == pytest.approx((first, second), abs=5e-3)
    assert (pool["w"][1], pool["b"][1]) == pytest.approx((deviation, deviation), abs=5e-5)


@pytest.mark.parametrize(
    ("score", "first", "second"), [(1, 1422.63, 1506.32), (0, 1389.99, 1568.90), (0.5, 1406.31, 1537.61)]
)
def test_lichess_mixed(score: float, first: float, second: float) -> None:
    players = {"w": (1400, 79, 0.06), "b": (1550, 110, 0.065)}
    pool = Pool.of(lichess(), players).play((1, [("w", "b", score)]))
    assert (pool["w"][0], pool["b"][0]) == pytest.approx((first, second), abs=5e-3)
    assert (pool["w"][1], pool["b"][1]) == pytest.approx((77.4956, 105.8706), abs=5e-5)


def test_lichess_a_year_without_a_game() -> None:
    assert grown(lichess(), 60, 365 * 0.21436) == pytest.approx(110.0008, abs=5e-5)


def test_lichess_bounds() -> None:
    """Deviation from 45 to 500, volatility up to .1, changes up to 700."""
    narrow = Pool.of(lichess(), {"a": (1500, 20, 0.3), "b": (1500, 20, 0.3)}).play((1, [("a", "b", 1)]))
    assert narrow.spread[0] == 45
    assert narrow["a"][1:] == (45, pytest.approx(0.1, abs=1e-4))
    wide = lichess(most_change=MostChange(value=700), deviation=Deviation(entry=500, most=5000))
    far = Pool.of(wide, {"a": (800, 5000), "b": (3200, 45)}).play((1, [("a", "b", 1)]))
    assert far["a"][0] == 1500


def test_lichess_regulators_touch_gains_only() -> None:
    plain = Pool.of(lichess(), {"w": (1500,), "b": (1500,)}).play((1, [("w", "b", 1)]))
    more = Pool.of(lichess(gains=Gains(factor=1.015)), {"w": (1500,), "b": (1500,)}).play((1, [("w", "b", 1)]))
    assert more["w"][0] - 1500 == pytest.approx(1.015 * (plain["w"][0] - 1500), abs=1e-9)
    assert more["b"][0] == plain["b"][0]


def test_fics_k_is_floored_and_the_change_is_whole() -> None:
    plain = Pool.of(fics(), {"new": (1720,), "x": (1500, 50)}).play((1, [("new", "x", 1)]))
    assert plain["new"][:2] == (1812, pytest.approx(269.620, abs=5e-4))
    assert plain.used_k[0] * plain.gains[0] == pytest.approx(91.985, abs=5e-4)
    floored = Pool.of(fics(), {"a": (1500, 40), "b": (1500, 40)}).play((1, [("a", "b", 1)]))
    assert floored["a"][:2] == (1508, pytest.approx(39.7416, abs=5e-5))
    assert floored["b"][0] == 1492
    assert floored.used_k[0] * floored.gains[0] == pytest.approx(8, abs=1e-12)


def test_fics_growth_by_the_logarithm_of_minutes() -> None:
    assert grown(fics(), 50, 1) == pytest.approx(math.sqrt(50**2 + 3.25**2 * math.log(1441)), abs=1e-9)


# ----------------------------------------------------------------------------- Glicko-Boost, Stephenson


def test_glicko_boost() -> None:
    """The deviations printed elsewhere are those at the end of the period, one step of growth later."""
    pool = Pool.of(boosted(), {"w": (1500, 200), "b": (1620, 105)}).play((1, [("w", "b", 1)]))
    for name, rating, deviation in (("w", 1605.812, 177.6346), ("b", 1589.344, 103.5114)):
        assert pool[name][0] == pytest.approx(rating, abs=5e-4)
        assert grown(boosted(), pool[name][1], 1, pool[name][0]) == pytest.approx(deviation, abs=5e-5)


def test_glicko_boost_of_who_does_not_play() -> None:
    assert grown(boosted(), 62, 1, 1302.2) == pytest.approx(64.669444, abs=5e-7)
    assert grown(boosted(), 62, 1e6, 1302.2) == 350


def test_glicko_boost_widens_who_does_far_better() -> None:
    """boost(RD 98.6, Z 3.672...) = 150.095848, and nothing of it below Z = 1.96 or for who does worse."""
    boost = 98.6 * (1 + (3.672028777 - 1.96) * 0.20139) + 17.5
    assert boost == pytest.approx(150.095848, abs=5e-7)
    wins: list[Result] = [("me", f"p{at}", 1) for at in range(15)]
    players = {"me": (1500, 98.6), **{f"p{at}": (1600, 60) for at in range(15)}}
    rules = boosted()
    plain = Pool.of(edition(30, deviation=rules.deviation, growth=rules.growth), players).play((1, wins))
    more = Pool.of(rules, players).play((1, wins))
    information = 1 / plain["me"][1] ** 2 - 1 / 98.6**2
    z = sum(plain.gains[::2]) * math.log(10) / 400 / math.sqrt(information)
    assert z > 1.96
    wide = plain["me"][1] * (1 + (z - 1.96) * 0.20139) + 17.5
    assert more["me"][1] == pytest.approx((1 / wide**2 + information) ** -0.5, abs=1e-9)
    assert more["me"][0] > plain["me"][0]
    losses: list[Result] = [(one, two, 0) for one, two, _ in wins]
    assert Pool.of(rules, players).play((1, losses))["me"][1] == pytest.approx(plain["me"][1], abs=1e-9)


def test_two_passes_take_the_opponents_as_the_first_left_them() -> None:
    """By hand: the second pass is a single one against what the first made of the opponents."""
    players = {"a": (1500, 200), "b": (1620, 105), "c": (1400, 80)}
    games: list[Result] = [("a", "b", 1), ("b", "c", 0.5), ("c", "a", 0)]
    first = Pool.of(boosted(), players).play((1, games))
    both = Pool.of(boosted(2), players).play((1, games))
    for name in players:
        own = [game for game in games if name in game]
        left = {other: first[other][:2] for other in players if other != name}
        alone = Pool.of(boosted(), {name: players[name], **left}).play((1, own))
        assert both[name] == pytest.approx(alone[name], abs=1e-9)
        assert both[name][0] != first[name][0]
    assert [row[4] for row in both.changes] == [2, 2, 2]


def stephenson(h: float = 10, pull: float = 0.02, bonus: float = 0.0, c: float = 0.0) -> Edition:
    return glicko(c=c, start=2200, stephenson=Stephenson(h=h, pull=pull, bonus=bonus))


def test_stephenson() -> None:
    pool = Pool.of(stephenson(), {"a": (2330, 200), "b": (1800, 20)}).play((1, [("a", "b", 0.5)]))
    assert pool["a"][:2] == pytest.approx((2220.369, 194.738), abs=5e-4)
    # played in the period before, so that c = 10 enters
    players = {"me": (1300, 120, 0, 1), "a": (1500, 105), "b": (1200, 125), "c": (1560, 140)}
    pool = Pool.of(stephenson(c=10), players).play((2, [("me", "a", 1), ("me", "b", 0), ("me", "c", 0.5)]))
    assert pool["me"][:2] == pytest.approx((1329.41, 108.90), abs=5e-3)


def test_stephenson_of_nothing_is_glicko() -> None:
    pool = Pool.of(stephenson(h=0, pull=0), FOUR).play((1, THREE))
    assert pool["me"][:2] == pytest.approx((1464.1065, 151.3989), abs=5e-5)


def test_stephensons_bonus_is_for_playing() -> None:
    plain = Pool.of(stephenson(), FOUR).play((1, THREE))
    more = Pool.of(stephenson(bonus=0.01), FOUR).play((1, THREE))
    assert all(more[name][0] > plain[name][0] for name in FOUR)
    assert all(more[name][1] == plain[name][1] for name in FOUR)


# ------------------------------------------------------------------------------- what must always hold

RULES = {
    "glicko": glicko(c=30, least=30),
    "glicko2": glicko2(),
    "elapsed": glicko2(growth=Growth(kind="volatility", active="elapsed")),
    "lichess": lichess(11.78),
    "stored": lichess(growth=Growth(kind="volatility", days=5, enters=False)),
    "fics": fics(),
    "boost": boosted(),
    "boost, two passes": boosted(2),
    "stephenson": stephenson(c=10),
}
rules_ = st.sampled_from(sorted(RULES))


def random_batches(
    seed: int, extreme: bool = False
) -> tuple[dict[str, Sequence[float]], list[tuple[float, list[Result]]]]:
    random = Random(seed)
    spread = 1e6 if extreme else 300
    names = [f"p{at}" for at in range(random.randint(2, 9))]
    players: dict[str, Sequence[float]] = {
        name: (math.nan,)
        if random.random() < 0.1
        else (
            random.uniform(-spread, spread) + 1500,
            10 ** random.uniform(-3, 4) if extreme else random.uniform(20, 350),
            random.uniform(0.03, 0.3),
            random.choice((0.0, 1.0, 3.0)),
        )
        for name in names
    }
    clock = 4.0
    batches = []
    for _ in range(random.randint(1, 6)):
        games: list[Result] = [
            (*random.sample(names, 2), random.choice((0.0, 0.5, 1.0)))  # type: ignore[misc]
            for _ in range(random.randint(1, 30))
        ]
        batches.append((clock, games))
        clock += random.choice((1.0, 1.0, 7.0, 0.25))
    return players, batches


@given(rules_, st.integers(0, 10**9))
@settings(max_examples=80, deadline=None)
def test_order_inside_a_batch_does_not_matter(name: str, seed: int) -> None:
    rules = RULES[name]
    if rules.unit.of == "game":
        return
    players, batches = random_batches(seed)
    there = Pool.of(rules, players).play(*batches)
    turned = Pool.of(rules, players).play(*((clock, games[::-1]) for clock, games in batches))
    for player in players:
        assert there[player] == pytest.approx(turned[player], rel=1e-6, nan_ok=True)


@given(rules_, st.integers(0, 10**9))
@settings(max_examples=80, deadline=None)
def test_uninvolved_players_change_nothing_and_are_not_changed(name: str, seed: int) -> None:
    players, batches = random_batches(seed)
    alone = Pool.of(RULES[name], players).play(*batches)
    crowd = Pool.of(RULES[name], {"x": (1700, 90, 0.06, 2), **players, "y": (1300, 40, 0.06, 2)})
    held = {player: crowd.held(player) for player in "xy"}
    crowd.play(*batches)
    assert {player: crowd.held(player) for player in "xy"} == held
    assert all(repr(crowd.held(player)) == repr(alone.held(player)) for player in players)


@given(rules_, st.integers(0, 10**9), st.booleans())
@settings(max_examples=120, deadline=None)
def test_everything_stays_finite_and_within_bounds(name: str, seed: int, extreme: bool) -> None:
    players, batches = random_batches(seed, extreme)
    rules = RULES[name]
    pool = Pool.of(rules, players).play(*batches)
    played = {side for _, games in batches for one, two, _ in games for side in (one, two)}
    assert rules.deviation is not None
    for player in played:
        assert all(math.isfinite(number) for number in pool.held(player)), player
        assert max(rules.deviation.least, 1e-6) <= pool[player][1] <= min(rules.deviation.most, 1e6)
    assert all(0 <= expect <= 1 for expect in [*pool.expects, *pool.expects_second])


@given(rules_, st.integers(0, 10**9))
@settings(max_examples=60, deadline=None)
def test_k_times_gain_is_the_change(name: str, seed: int) -> None:
    """Of a batch; but for Stephenson's pull and for what is rounded."""
    rules = RULES[name]
    if rules.unit.of == "game" or rules.stephenson:
        return
    players, batches = random_batches(seed)
    pool = Pool.of(rules, players).play(*batches)
    brought: dict[tuple[int, int], float] = {}
    at = 0
    for number, (_, games) in enumerate(batches):
        for one, two, _ in games:
            for side, player in enumerate((one, two)):
                key = number, pool.names.index(player)
                brought[key] = brought.get(key, 0.0) + pool.gains[2 * at + side]
            at += 1
    assert len(pool.changes) == len(brought)
    for segment, player, before, after, _, _, _, k, *_ in pool.changes:
        assert after - before == pytest.approx(k * brought[int(segment), int(player)], rel=1e-8, abs=1e-8)


# ------------------------------------------------------------------------------- compiled and interpreted


@pytest.fixture(scope="module")
def interpreted() -> ModuleType:
    module = loaded(FOLDER / "kernel_glicko.py", "arpad.kernel_glicko")
    assert not module.COMPILED
    return module


@pytest.fixture(scope="module")
def extension() -> ModuleType:
    """Skipped without the extension; with CI set a skip is a failure."""
    found = [
        next((path for path in FOLDER.glob(f"{name}.*") if path.suffix in (".so", ".pyd")), None) for name in KERNELS
    ]
    if None in found:
        pytest.skip("the kernels are not compiled here")
    with mock.patch.dict(sys.modules, {"arpad.kernel": loaded(found[0], "arpad.kernel")}):
        module = loaded(found[1], "arpad.kernel_glicko")
    assert module.COMPILED
    return module


def test_the_kernel_of_glicko_in_use_is_the_one_that_was_asked_for(extension: ModuleType) -> None:
    assert bool(os.environ.get("ARPAD_INTERPRETED")) != kernel_glicko.COMPILED


@given(rules_, st.integers(0, 10**9), st.booleans())
@settings(max_examples=150, deadline=None)
def test_compiled_glicko_is_interpreted_glicko(
    extension: ModuleType, interpreted: ModuleType, name: str, seed: int, extreme: bool
) -> None:
    players, batches = random_batches(seed, extreme)
    written = []
    for kernel in (extension, interpreted):
        pool = Pool.of(RULES[name], players, kernel).play(*batches)
        columns = [pool.state, pool.before, pool.after, pool.expects, pool.expects_second, pool.used_k, pool.gains]
        written.append([repr(list(column)) for column in (*columns, pool.spread, pool.changes, pool.totals)])
    assert written[0] == written[1]
