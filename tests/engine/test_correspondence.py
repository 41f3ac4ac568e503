"""Correspondence chess beside ASIGC's worked changes: ICCF's two sets of rules, blends, LSS and IECG."""

from __future__ import annotations

from datetime import date

import pytest

from arpad.errors import RulebookError
from arpad.explain import explain
from arpad.model import Act, Game, Start
from arpad.rulebooks import load
from arpad.sentences import words
from tests.engine.helpers import club, coefficient, day, expected, rated

# ------------------------------------------------------------------------------------------- 1.1 blends


@pytest.mark.parametrize(
    ("own", "other", "first", "second", "games"),
    [
        # Pn 75 and 25 ICCF games make 100; ten more ICCF games, no ASIGC game between.
        ("all", "total", 2250, (100 * 2250 + 35 * 2300) / 135, 135),
        ("own", "total", 2250, (75 * 2250 + 35 * 2300) / 110, 110),
        ("all", "increase", 2250, (100 * 2250 + 10 * 2300) / 110, 110),
        ("own", "increase", 2250, (75 * 2250 + 10 * 2300) / 85, 110),
    ],
)
def test_1_1_readings_of_the_second_blend(own: str, other: str, first: float, second: float, games: int) -> None:
    acts = [Act("blend", "me", day("2001-04-01"), 2400, 25), Act("blend", "me", day("2001-10-01"), 2300, 35)]
    book = load("asigc", {"blend_own": own, "blend_other": other})
    history = rated(book, [], [Start("me", 2200, games=75)], acts)
    assert [done.after for done in history.acts] == [first, pytest.approx(second, abs=1e-9)]
    assert [done.games for done in history.acts] == [100, games]


def test_1_1_blends_only_on_the_days_of_iccf_lists_and_when_games_grew() -> None:
    acts = [
        Act("blend", "me", day("2001-03-31"), 2400, 25),
        Act("blend", "me", day("2001-10-01"), 2400, 25),
        Act("blend", "me", day("2002-04-01"), 2500, 25),
    ]
    history = rated("asigc", [], [Start("me", 2200, games=75)], acts)
    assert [(done.act.date, bool(done.note)) for done in history.acts] == [(acts[1].date, False), (acts[2].date, True)]
    assert history.rating("me") == 2250
    assert any("not blended" in problem.message and "04-01, 10-01" in problem.message for problem in history.problems)


def test_1_1_a_blend_comes_before_the_games_of_its_day() -> None:
    games = [Game("me", "you", 0.5, date=date(2001, 3, 31)), Game("me", "you", 0.5, date=date(2001, 4, 1))]
    start = [Start("me", 2200, games=74), Start("you", 2200, games=100)]
    history = rated("asigc", games, start, [Act("blend", "me", day("2001-04-01"), 2400, 25)])
    assert history.recording.before[2] == 2250
    (blend,) = [change for change in explain(history, "me") if change.kind == "blend"]
    assert "weighted by the games" in " ".join(words([blend]))


# ------------------------------------------------------------------------------------ 1.2 ICCF, classic


@pytest.mark.parametrize(
    ("rating", "games", "k"),
    [(1500, 50, 45), (1400, 0, 45), (1800, 100, 20), (2100, 100, 10), (2500, 75, 12.5), (1890, 120, 17)],
)
def test_1_2_k(rating: float, games: int, k: float) -> None:
    assert coefficient(load("iccf/classic"), rating=rating, games=games) == pytest.approx(k, abs=1e-9)


@pytest.mark.parametrize(
    ("results", "factor"),
    [
        ((1, 1, 1, 1), 1.5),  # 2 points more than expected, where the root of the spread is 1
        ((1, 1, 1), 1.25),  # 1.5 more, 0.866
        ((1, 0.5), 1),  # 0.5 more, 0.707
        ((1, 1, 0, 0), 1),
    ],
)
def test_1_2_the_surprise_is_that_of_the_period(results: tuple[float, ...], factor: float) -> None:
    games = [Game("me", f"o{at}", score, date=date(2001, 5, 1 + at)) for at, score in enumerate(results)]
    start = [Start("me", 1800, games=120), *(Start(f"o{at}", 1800, games=120) for at in range(len(results)))]
    history = rated("iccf/classic", games, start)
    change = 20 * factor * (sum(results) - len(results) / 2)
    assert history.rating("me") == pytest.approx(1800 + change, abs=1e-9)
    told = explain(history, "me")[-1]
    assert told.surprise == factor
    assert told.exact == pytest.approx(change, abs=1e-9)
    assert ("counts 1.5 times" in " ".join(words([told]))) == (factor == 1.5)


def test_1_2_each_game_by_itself_where_that_is_set() -> None:
    games = [Game("me", "a", 1, date=date(2001, 5, 1)), Game("me", "b", 0, date=date(2001, 5, 2))]
    start = [Start(name, 1800, games=120) for name in ("me", "a", "b")]
    assert rated(load("iccf/classic", {"surprise": "game"}), games, start).rating("me") == 1800
    assert rated(load("iccf/classic", {"surprise": "game"}), games[:1], start).rating("me") == 1812.5
    assert rated("iccf/classic", games[:1], start).rating("me") == 1812.5


@pytest.mark.parametrize(("cap", "expect"), [("none", 0.92), (350, 0.89)])
def test_1_2_a_cap_is_a_parameter(cap: str | float, expect: float) -> None:
    history = rated(
        load("iccf/classic", {"cap": cap}),
        [Game("a", "b", 1, date=date(2001, 5, 1))],
        [Start("a", 2400, games=120), Start("b", 2000, games=120)],
    )
    assert history.recording.expects[0] == pytest.approx(expect, abs=1e-12)


def test_1_2_lists_of_april_and_october() -> None:
    games = [Game("a", "b", 1, date=date(2001, 9, 30)), Game("a", "b", 1, date=date(2001, 10, 1))]
    history = rated("iccf/classic", games, [Start("a", 1800, games=120), Start("b", 1800, games=120)])
    assert list(history.recording.before[0:1]) == [1800]
    assert history.recording.before[2] == 1812.5


# ----------------------------------------------------------------------------------- 1.3 ICCF, logistic


@pytest.mark.parametrize(
    ("difference", "score"),
    [(25, 0.5225), (50, 0.5449), (100, 0.5890), (150, 0.6317), (200, 0.6725), (250, 0.7108), (300, 0.7464)],
)
def test_1_3_expected_scores(difference: int, score: float) -> None:
    assert expected(load("iccf/logistic"), 2000 + difference, 2000, 0) == pytest.approx(score, abs=5e-5)


def quarter(me: tuple[float, int], results: list[tuple[float, float]], **settings: float | str):
    games = [Game("me", f"o{at}", score, date=date(2015, 2, 1 + at)) for at, (_, score) in enumerate(results)]
    start = [Start("me", me[0], games=me[1])]
    start += [Start(f"o{at}", rating, games=100) for at, (rating, _) in enumerate(results)]
    return rated(load("iccf/logistic", settings), games, start)


def test_1_3_a_draw_and_a_period() -> None:
    one = quarter((2155, 57), [(2200, 0.5)])
    assert one.recording.changes[0][7] == 17.9794  # 17.979375, half up to four decimals
    assert one.rating("me") == pytest.approx(2155.7261, abs=5e-5)
    assert quarter((2155, 57), [(2200, 0.5), (2000, 1), (2350, 0.5)]).rating("me") == pytest.approx(2165.3024, abs=5e-5)
    strong = quarter((2450, 200), [(2300, 0.5)])
    assert strong.rating("me") == pytest.approx(2448.6826, abs=5e-5)


@pytest.mark.parametrize(("opponent", "expect"), [(1400, 0.8823), (1900, 0.8823), (3200, 0.1177)])
def test_1_3_differences_are_clipped_at_560(opponent: float, expect: float) -> None:
    history = quarter((2460, 200), [(opponent, 0.5)])
    assert history.recording.expects[0] == pytest.approx(expect, abs=5e-5)


@pytest.mark.parametrize(("delay", "met"), [(0, 1812), (10, 1800)])
def test_1_3_games_before_a_list_comes_into_force_go_by_the_one_before(delay: int, met: float) -> None:
    """The gap that was reported in 2015: a game that ends after the closing, but before the new list is in force."""
    games = [Game("a", "b", 1, date=date(2015, 2, 1)), Game("a", "b", 1, date=date(2015, 4, 5))]
    start = [Start("a", 1800, games=0), Start("b", 1800, games=0)]
    history = rated(load("iccf/logistic", {"delay": delay}), games, start)
    assert history.recording.before[2] == pytest.approx(met + (0.5 if delay == 0 else 0))
    later = [games[0], Game("a", "b", 1, date=date(2015, 4, 11))]
    assert rated(load("iccf/logistic", {"delay": 10}), later, start).recording.before[2] == 1812.5


def test_1_3_an_empty_quarter_makes_no_older_list() -> None:
    games = [Game("a", "b", 1, date=date(2015, 2, 1)), Game("a", "b", 1, date=date(2015, 7, 2))]
    history = rated(load("iccf/logistic", {"delay": 10}), games, [Start("a", 1800, games=0), Start("b", 1800, games=0)])
    assert history.recording.before[2] == 1812.5


def test_1_3_the_edition_says_when_it_ceased_to_be_iccfs() -> None:
    book = load("iccf/logistic")
    assert book.on(date(2023, 6, 30)).name == "logistic"
    assert book.on(date(2023, 7, 1)).name == "superseded"


# ------------------------------------------------------------------------------------------- the grammar


def test_a_surprise_of_a_batch_needs_batches(tmp_path) -> None:
    text = (
        '\n[[edition]]\n[edition.curve]\nshape = "logistic"\n[[edition.k]]\nvalue = 10\n[edition.surprise]\n'
        'steps = [[1, 2]]\nof = "batch"\n'
    )
    with pytest.raises(RulebookError, match="there are no batches"):
        club(tmp_path, text)
    with pytest.raises(RulebookError, match="only the lists of periods"):
        club(tmp_path, text.replace('of = "batch"\n', '[edition.unit]\nof = "event"\ndelay = 3\n'))


# ------------------------------------------------------------------------------------- 1.5 LSS and IECG


def lss(me: tuple[float, int], opponent: float, score: float, rules: str = "lss"):
    games = [Game("me", "other", score, date=date(2020, 3, 4))]
    return rated(rules, games, [Start("me", me[0], games=me[1]), Start("other", opponent, games=100)])


def test_1_5_lss_the_worked_game() -> None:
    """Without the bonus 14.72; the rules give the winner (160 + 100) / 30 * 0.2 = 1.7333 more."""
    plain = lss((1900, 50), 2000, 1, "lss:no-bonus")
    assert plain.recording.changes[0][7] == pytest.approx(23, abs=1e-9)
    assert plain.recording.expects[0] == pytest.approx(0.359935, abs=5e-7)
    assert plain.rating("me") == pytest.approx(1914.72, abs=5e-3)
    history = lss((1900, 50), 2000, 1)
    assert history.rating("me") == pytest.approx(1914.7215 + 260 / 30 * 0.2, abs=5e-5)
    told = explain(history, "me")[-1]
    assert told.bonus == pytest.approx(260 / 30 * 0.2, abs=1e-9)
    assert told.exact == pytest.approx(told.after - told.before, abs=1e-9)
    assert "bonus for winning: +1.7333" in " ".join(words([told]))


@pytest.mark.parametrize(
    ("rating", "games", "k"),
    [
        (100, 15, 0),
        (200, 15, 0),
        (400, 80, 10),
        (600, 16, 25),
        (600, 15, 30),
        (2000, 80, 20),
        (2200, 55, 16.875),
        (2500, 200, 10),
    ],
)
def test_1_5_lss_k(rating: float, games: int, k: float) -> None:
    assert coefficient(load("lss"), rating=rating, games=games) == pytest.approx(k, abs=1e-9)


@pytest.mark.parametrize(
    ("rating", "opponent", "bonus"),
    [
        (1800, 1800, 0),
        (1801, 1801, 160 / 30 * 0.2),
        (2001, 2001, 160 / 30 * 0.3),
        (2201, 2201, 160 / 30 * 0.5),
        (2301, 2301, 160 / 30 * 0.8),
        (2401, 2401, 160 / 30 * 1.2),
        (2401, 2251.5, (160 - 149.5) / 30 * 1.2),
        (2401, 2251, 0),
    ],
)
def test_1_5_lss_the_bonus(rating: float, opponent: float, bonus: float) -> None:
    won, plain = lss((rating, 100), opponent, 1), lss((rating, 100), opponent, 1, "lss:no-bonus")
    assert won.rating("me") - plain.rating("me") == pytest.approx(bonus, abs=1e-9)
    assert won.rating("other") == plain.rating("other")
    drawn = lss((rating, 100), opponent, 0.5)
    assert drawn.rating("me") == lss((rating, 100), opponent, 0.5, "lss:no-bonus").rating("me")


def test_1_5_lss_the_stronger_player_loses_no_more_than_at_400() -> None:
    lost = lss((2400, 100), 1400, 0, "lss:no-bonus")
    assert lost.recording.expects[0] == pytest.approx(10 / 11, abs=1e-12)
    assert lost.recording.expects_second[0] == pytest.approx(1 / (1 + 10**2.5), abs=1e-12)  # the winner's in full
    told = explain(lost, "me")[-1].games[0]
    assert (told.difference, told.counted) == (1000, 400)
    drawn = lss((2400, 100), 1000, 0.5, "lss:no-bonus")
    assert drawn.recording.expects[0] == pytest.approx(1 / (1 + 10**-3), abs=1e-12)
    assert drawn.recording.expects_second[0] == pytest.approx(1 / (1 + 10**3.5), abs=1e-12)


def test_1_5_iecg_curve_and_periods() -> None:
    assert expected(load("iecg"), 2100, 2000) == pytest.approx(0.640065, abs=5e-7)
    games = [Game("a", "b", 1, date=date(2000, 2, 28)), Game("a", "b", 1, date=date(2000, 3, 1))]
    history = rated("iecg", games, [Start("a", 1800, games=100), Start("b", 1800, games=100)])
    assert history.recording.before[2] == 1810


def test_conditions_on_games_belong_to_the_cap(tmp_path) -> None:
    curve = '\n[[edition]]\n[edition.curve]\nshape = "logistic"\n'
    text = curve + "[[edition.k]]\nwhen = {{ {} = 1 }}\nvalue = 10\n[[edition.k]]\nvalue = 5\n"
    for name in ("score_below", "difference_from", "opponent_rating_from"):
        with pytest.raises(RulebookError, match=f"{name}: "):
            club(tmp_path, text.format(name))
