"""US Chess: the published examples, our own worked ones, and what must hold for any event."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.rulebooks import load
from arpad.rulebooks.schema import Edition
from arpad.rulebooks.schema_uschess import Special
from arpad.systems.uschess import formulas
from arpad.systems.uschess.event import settle_event
from arpad.systems.uschess.players import Entrant, Occasion, Result, Working, grown

REGULAR = load("uschess/regular")
QUICK = load("uschess/quick")
NOW = REGULAR.on(date(2025, 6, 1))
SPECIAL = Special()


def bonus_of(threshold: float) -> Edition:
    assert NOW.bonus
    return msgspec.structs.replace(NOW, bonus=msgspec.structs.replace(NOW.bonus, threshold=threshold))


def rated(
    *entrants: Entrant, games: Sequence[tuple[str, str, float]], edition: Edition = NOW, **facts: bool
) -> dict[str, Working]:
    results = [Result.of(*game) for game in games]
    return {each.code: each for each in settle_event(entrants, results, edition, Occasion(**facts))}


def solo(rating: float, games: float, opponents: Sequence[float], score: float, edition: Edition) -> formulas.Update:
    """The standard formula in one pass."""
    assert edition.effective
    assert edition.standard
    assert edition.bonus
    counts = formulas.effective(rating, games, edition.effective)
    k = formulas.coefficient(counts, len(opponents), edition.standard)
    clause = edition.bonus if formulas.earns_bonus(len(opponents), 1, edition.bonus) else None
    return formulas.standard(rating, opponents, score, k, clause)


# ------------------------------------------------------------------------------------------------------------ formulas


@pytest.mark.parametrize(
    ("threshold", "after"), [(12, 1464.804888), (14, 1460.804888), (10, 1468.804888), (8, 1472.804888)]
)
def test_u2_the_standard_formula(threshold: float, after: float) -> None:
    update = solo(1300, 45, [1250, 1400, 1500, 1550], 3.5, bonus_of(threshold))
    assert update.expected == pytest.approx(1.363334, abs=1e-6)
    assert update.k == pytest.approx(44.182115, abs=1e-6)
    assert update.base == pytest.approx(94.402444, abs=1e-6)
    assert 1300 + update.change == pytest.approx(after, abs=1e-6)


def test_u3_winning_expectancy() -> None:
    assert formulas.winning(1300, 1250) == pytest.approx(0.5714631174083814, abs=1e-15)


def test_u4_one_game_in_one_pass() -> None:
    assert 1300 + solo(1300, 32, [1200], 1, NOW).change == pytest.approx(1319.060726613, abs=1e-9)
    assert 1200 + solo(1200, 32, [1300], 0, NOW).change == pytest.approx(1179.614576197, abs=1e-9)


@pytest.mark.parametrize(
    ("rating", "opponent", "score", "after"),
    [(1300, 1200, 1, 1337.5), (1200, 1300, 0, 1162.5), (1300, 1200, 0, 1237.5), (1200, 1300, 1, 1262.5)],
)
def test_u5_the_special_formula_for_one_game(rating: float, opponent: float, score: float, after: float) -> None:
    assert formulas.special(rating, 7, [opponent], score, "", SPECIAL) == pytest.approx(after, abs=1e-6)


def test_u6_two_of_no_games() -> None:
    assert formulas.special(240, 0, [240], 1, "", SPECIAL) == pytest.approx(640)
    assert formulas.special(240, 0, [240], 0, "", SPECIAL) == pytest.approx(-160)
    x, y = rated(
        Entrant(code="X", age=4.8), Entrant(code="Y", age=4.8), games=[("X", "Y", 1)], edition=any_match()
    ).values()
    assert (x.before, y.before, y.after) == (240, 240, 100)


MOST_EFFECTIVE = {
    100: 7.3954,
    400: 8.4003,
    800: 10.2516,
    1000: 11.5150,
    1200: 13.1252,
    1300: 14.1069,
    1400: 15.2421,
    1500: 16.5685,
    1600: 18.1358,
    1700: 20.0118,
    1800: 22.2891,
    1900: 25.0959,
    2000: 28.6084,
    2100: 33.0589,
    2200: 38.7117,
    2300: 45.7055,
    2355: 49.9892,
    2355.001: 50,
    2800: 50,
}


@pytest.mark.parametrize(("rating", "games"), MOST_EFFECTIVE.items())
def test_u7_effective_games(rating: float, games: float) -> None:
    assert NOW.effective
    assert formulas.most_effective(rating, NOW.effective) == pytest.approx(games, abs=5e-5)


def test_u7_effective_games_are_not_rounded_and_cap_short_histories_too() -> None:
    assert NOW.effective
    assert formulas.effective(1700, 30, NOW.effective) == pytest.approx(20.011786747374540, abs=1e-12)
    assert formulas.effective(100, 8, NOW.effective) == pytest.approx(7.3954, abs=5e-5)
    assert formulas.effective(1700, 3, NOW.effective) == 3


@pytest.mark.parametrize(
    ("games", "met", "k"),
    [
        (6, 4, 80),
        (6, 6, 66.67),
        (6, 10, 50),
        (20, 4, 33.33),
        (20, 6, 30.77),
        (20, 10, 26.67),
        (50, 4, 14.81),
        (50, 6, 14.29),
        (50, 10, 13.33),
    ],
)
def test_u7_the_published_table_of_k(games: float, met: int, k: float) -> None:
    assert NOW.standard
    assert formulas.coefficient(games, met, NOW.standard) == pytest.approx(k, abs=0.005)


@pytest.mark.parametrize(("games", "met", "k"), [(6, 4, 50), (20, 6, 17.39), (50, 10, 7.27)])
def test_u7_the_published_table_of_half_k(games: float, met: int, k: float) -> None:
    edition = REGULAR.on(date(2005, 1, 1))
    assert edition.half_k
    assert edition.standard
    assert formulas.coefficient(games, met, edition.standard, edition.half_k) == pytest.approx(k, abs=0.005)


@pytest.mark.parametrize(
    ("rating", "k"), [(2200, 14.8148), (2300, 11.1111), (2400, 7.4074), (2500, 3.7037), (2700, 3.7037)]
)
def test_k_above_2200_in_events_of_two_lists(rating: float, k: float) -> None:
    assert NOW.low_k
    assert NOW.standard
    share = formulas.share_above(rating, NOW.low_k)
    assert share * formulas.coefficient(50, 4, NOW.standard) == pytest.approx(k, abs=5e-5)


def test_u10_losing_to_a_strong_player_costs_nothing() -> None:
    assert formulas.special(1000, 4, [2400], 0, "", SPECIAL) == pytest.approx(1000, abs=1e-6)


def test_u11_beating_a_weak_one_brings_nothing() -> None:
    assert formulas.special(1500, 6, [600], 1, "", SPECIAL) == pytest.approx(1500, abs=1e-6)


@pytest.mark.parametrize(
    ("opponents", "score", "after"),
    [
        ([1400, 1600, 1800], 3, 2200),
        ([1400, 1600, 1800], 0, 1000),
        ([1400, 1600, 1800], 1.5, 1600),
        ([600, 650, 700], 3, 1300),
    ],
)
def test_u12_an_unrated_adult(opponents: list[float], score: float, after: float) -> None:
    assert formulas.special(1300, 0, opponents, score, "", SPECIAL) == pytest.approx(after, abs=1e-6)


@pytest.mark.parametrize(
    ("opponents", "score", "after"),
    [([1600, 1700, 1800], 1.5, 1700), ([1600, 1700, 1800], 3, 2200), ([900], 1, 1500)],
)
def test_u13_who_has_won_all_games_before(opponents: list[float], score: float, after: float) -> None:
    assert formulas.special(1500, 3, opponents, score, "won", SPECIAL) == pytest.approx(after, abs=1e-6)


def test_who_has_lost_all_games_before() -> None:
    """The mirror of U13."""
    assert formulas.special(1500, 3, [1400, 1300, 1200], 1.5, "lost", SPECIAL) == pytest.approx(1300, abs=1e-6)
    assert formulas.special(1500, 3, [1400, 1300, 1200], 0, "lost", SPECIAL) == pytest.approx(800, abs=1e-6)


def test_a_plateau_goes_to_the_next_knots_only() -> None:
    """The edge that is not certain: the knots of a rating that counts as no game shorten the plateau."""
    assert formulas.special(1700, 0, [500, 2000], 1, "", SPECIAL) == pytest.approx(1300)
    assert formulas.special(1000, 0, [500, 2000], 1, "", SPECIAL) == pytest.approx(1000)


def test_the_special_formula_ends_at_2700() -> None:
    assert formulas.special(1300, 0, [2500], 1, "", SPECIAL) == 2700


def test_u14_three_games_count_as_four_for_the_bonus() -> None:
    update = solo(1200, 30, [1300, 1350, 1400], 3, bonus_of(10))
    assert update.base == pytest.approx(104.34342, abs=1e-5)
    assert update.bonus == pytest.approx(84.34342, abs=1e-5)
    assert 1200 + update.change == pytest.approx(1388.686839, abs=1e-6)


def test_u15_an_opponent_met_three_times_brings_no_bonus() -> None:
    assert NOW.bonus
    assert NOW.effective
    assert NOW.standard
    assert not formulas.earns_bonus(3, 3, NOW.bonus)
    k = formulas.coefficient(formulas.effective(1200, 30, NOW.effective), 3, NOW.standard)
    assert 1200 + formulas.standard(1200, [1300] * 3, 3, k).change == pytest.approx(1295.264361, abs=1e-6)
    assert 1200 + formulas.standard(1200, [1300] * 3, 3, k, NOW.bonus).change == pytest.approx(1370.53, abs=5e-3)


def test_the_strict_reading_of_the_bonus_is_a_switch() -> None:
    assert NOW.bonus
    assert formulas.earns_bonus(3, 2, NOW.bonus)
    strict = load("uschess/regular", {"strict_bonus": True}).on(date(2025, 6, 1)).bonus
    assert strict
    assert not formulas.earns_bonus(3, 2, strict)
    assert formulas.earns_bonus(4, 2, strict)


# -------------------------------------------------------------------------------------------------------------- events


def any_match(edition: Edition = NOW) -> Edition:
    """An edition under which events of two players are events as any other."""
    return msgspec.structs.replace(edition, match=None)


def test_u16_a_match() -> None:
    players = Entrant(code="A", rating=1600, games=100), Entrant(code="B", rating=1800, games=100)
    games = [("A", "B", 1)] * 3 + [("B", "A", 0.5)]
    a, b = rated(*players, games=games).values()
    assert (a.after, b.after) == (1650, 1750)
    assert (a.raw - 1600, b.raw - 1800) == pytest.approx((91.76, -77.26), abs=5e-3)
    assert a.cap == b.cap == "match"
    assert a.no_bonus == "match"
    assert a.match


U17 = (
    Entrant(code="A", rating=1500, games=40),
    Entrant(code="B", rating=1600, games=30),
    Entrant(code="C", age=40),
    Entrant(code="D", rating=1300, games=6),
)
U17_GAMES = [("A", "C", 1.0), ("A", "B", 0.5), ("A", "D", 0.0), ("B", "C", 1.0), ("B", "D", 1.0), ("C", "D", 0.5)]


def test_u17_the_five_steps() -> None:
    got = rated(*U17, games=U17_GAMES)
    assert got["C"].first == pytest.approx(1225, abs=1e-4)
    interims = {"A": 1481.6311, "B": 1604.3315, "C": 1200, "D": 1347.2222}
    assert {code: each.interim for code, each in got.items()} == pytest.approx(interims, abs=1e-4)
    finals = {"A": 1483.2407, "B": 1604.3936, "C": 1211.0616, "D": 1342.8847}
    assert {code: each.after for code, each in got.items()} == pytest.approx(finals, abs=1e-4)
    assert [each.formula for each in got.values()] == ["standard", "standard", "special", "special"]
    assert [each.games_after for each in got.values()] == [43, 33, 3, 9]


def test_u18_a_section_of_unrated_children() -> None:
    children = [Entrant(code=code, age=age) for code, age in (("X", 8), ("Y", 10), ("Z", 12))]
    got = rated(*children, games=[("X", "Y", 1), ("X", "Z", 0.5), ("Z", "Y", 1)])
    assert [each.before for each in got.values()] == [400, 500, 600]
    expected = {"X": 633.3333, "Y": 233.3333, "Z": 633.3333}
    for step in ("first", "interim", "after"):
        assert {code: getattr(each, step) for code, each in got.items()} == pytest.approx(expected, abs=1e-4)


U19 = tuple(Entrant(code=code, rating=rating, games=50) for code, rating in zip("ABCD", (2450, 2300, 2150, 2250)))
U19_GAMES = [("A", "B", 0.5), ("A", "C", 1), ("A", "D", 1), ("B", "C", 1), ("B", "D", 0.5), ("D", "C", 1)]


@pytest.mark.parametrize(
    ("edition", "dual", "finals"),
    [
        (NOW, True, (2451.0498, 2305.1045, 2133.5430, 2252.7639)),
        (NOW, False, (2452.8385, 2306.8507, 2133.6244, 2253.2355)),
        (QUICK.on(date(2025, 6, 1)), True, (2452.8385, 2306.8507, 2133.6244, 2253.2355)),
    ],
)
def test_u19_an_event_of_two_lists(edition: Edition, dual: bool, finals: tuple[float, ...]) -> None:
    got = rated(*U19, games=U19_GAMES, edition=edition, dual=dual)
    assert [each.after for each in got.values()] == pytest.approx(finals, abs=1e-4)


def test_a_half_k_event_of_2005() -> None:
    edition = REGULAR.on(date(2005, 1, 1))
    one = rated(*U17, games=U17_GAMES, edition=edition, half=True)["A"]
    assert one.k == pytest.approx(800 / (2 * one.effective + 3))
    assert one.games_after == 41.5
    assert rated(*U17, games=U17_GAMES, edition=edition)["A"].games_after == 43


def test_2001_kept_whole_numbers_away_from_the_old_rating() -> None:
    got = rated(*U17, games=U17_GAMES, edition=REGULAR.on(date(2005, 1, 1)))
    for each in got.values():
        assert each.after == (math.ceil(each.raw) if each.raw > each.before else math.floor(each.raw))
    assert formulas.away(1500, 1500.01) == 1501
    assert formulas.away(1500, 1499.99) == 1499


# --------------------------------------------------------------------------------------------------- what always holds

COUNTS = st.just(0.0) | st.floats(0.5, 50)
RATINGS = st.floats(0, 5000, allow_nan=False)
SCORES = st.sampled_from([0.0, 0.5, 1.0])
STREAKS = st.sampled_from(["", "won", "lost"])
FIELD = st.lists(st.tuples(RATINGS, SCORES), min_size=1, max_size=200)


@given(RATINGS, COUNTS, FIELD, STREAKS)
@settings(deadline=None)
def test_the_root_solves_the_equation_and_lies_within_the_field(
    rating: float, games: float, field: list[tuple[float, float]], streak: formulas.Streak
) -> None:
    opponents = [each for each, _ in field]
    score = math.fsum(each for _, each in field)
    endless = Special(most=1e6)
    root = formulas.special(rating, games, opponents, score, streak, endless)
    solve = formulas.equation(rating, games, score, streak)
    value = games * formulas.provisional(root, solve.prior)
    value += math.fsum(formulas.provisional(root, each) for each in opponents) - solve.score
    assert abs(value) < 1e-6
    assert min([*opponents, rating]) - 800 <= root <= max([*opponents, rating]) + 800


@given(RATINGS, COUNTS, FIELD, STREAKS, st.integers(0, 199))
@settings(deadline=None)
def test_a_better_result_never_lowers_the_special_rating(
    rating: float, games: float, field: list[tuple[float, float]], streak: formulas.Streak, which: int
) -> None:
    opponents = [each for each, _ in field]
    scores = [each for _, each in field]
    better = [1.0 if at == which % len(scores) else each for at, each in enumerate(scores)]
    low = formulas.special(rating, games, opponents, math.fsum(scores), streak, SPECIAL)
    high = formulas.special(rating, games, opponents, math.fsum(better), streak, SPECIAL)
    assert high >= low - 1e-3


@given(st.floats(100, 2700), COUNTS, st.lists(RATINGS, min_size=1, max_size=30), STREAKS)
@settings(deadline=None)
def test_winning_never_lowers_and_losing_never_raises(
    rating: float, games: float, opponents: list[float], streak: formulas.Streak
) -> None:
    won = formulas.special(rating, games, opponents, len(opponents), streak, SPECIAL)
    lost = formulas.special(rating, games, opponents, 0, streak, SPECIAL)
    assert lost <= rating + 1e-3
    assert won >= rating - 1e-3


@given(st.floats(0, 5000), st.lists(RATINGS, min_size=1, max_size=30))
def test_of_no_games_all_won_or_all_lost(rating: float, opponents: list[float]) -> None:
    endless = Special(most=1e6)
    won = formulas.special(rating, 0, opponents, len(opponents), "", endless)
    assert won == pytest.approx(max(rating, max(opponents) + 400), abs=1e-3)
    assert formulas.special(rating, 0, opponents, 0, "", endless) == pytest.approx(
        min(rating, min(opponents) - 400), abs=1e-3
    )


@st.composite
def events(draw: st.DrawFn) -> tuple[list[Entrant], list[Result]]:
    size = draw(st.integers(2, 8))
    entrants = [
        Entrant(
            code=f"P{number}",
            rating=draw(st.none() | RATINGS),
            games=draw(st.floats(0, 1e6)),
            wins=draw(st.integers(0, 40)),
            losses=draw(st.integers(0, 40)),
            peak=draw(st.floats(0, 3000)),
            age=draw(st.floats(0, 100) | st.just(math.nan)),
        )
        for number in range(size)
    ]
    pairs = st.tuples(st.integers(0, size - 1), st.integers(1, size - 1), SCORES)
    games = draw(st.lists(pairs, min_size=1, max_size=40))
    return entrants, [Result.of(f"P{a}", f"P{(a + step) % size}", score) for a, step, score in games]


@given(events(), st.randoms(use_true_random=False), st.sampled_from(REGULAR.editions))
@settings(deadline=None, max_examples=60)
def test_the_order_of_the_games_does_not_matter(
    event: tuple[list[Entrant], list[Result]], chance, edition: Edition
) -> None:  # type: ignore[no-untyped-def]
    entrants, games = event
    other = [
        Result(game.second, game.first, game.other, game.score) if chance.random() < 0.5 else game for game in games
    ]
    chance.shuffle(other)
    one = {each.code: (each.after, each.games_after) for each in settle_event(entrants, games, edition)}
    two = {each.code: (each.after, each.games_after) for each in settle_event(entrants[::-1], other, edition)}
    assert one == two


@given(events(), st.sampled_from([*REGULAR.editions, *QUICK.editions]), st.booleans(), st.booleans())
@settings(deadline=None, max_examples=100)
def test_everything_is_finite_and_above_the_floor(
    event: tuple[list[Entrant], list[Result]], edition: Edition, dual: bool, half: bool
) -> None:
    entrants, games = event
    known = {entrant.code: entrant for entrant in entrants}
    for working in settle_event(entrants, games, edition, Occasion(737000, dual, half)):
        after = grown(known[working.code], working, edition, 737000)
        assert math.isfinite(working.after)
        assert working.after >= 100
        assert math.isfinite(working.interim)
        assert working.match or working.interim >= 100
        assert math.isfinite(after.games)
        assert known[working.code].rating is None or after.games >= known[working.code].games
        assert math.isfinite(after.peak)


@pytest.mark.parametrize("met", [1, 200, 20_000])
def test_a_player_with_very_many_games_in_an_event(met: int) -> None:
    """20,000 games of one player are rated in a moment: the broken line is walked with bisection."""
    opponents = [1000 + (each * 37) % 1000 for each in range(met)]
    root = formulas.special(1300, 0, opponents, met / 2, "", SPECIAL)
    assert 1000 <= root <= 2000
