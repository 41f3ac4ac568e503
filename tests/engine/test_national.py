"""National rulebooks in the grammar of Elo, and England's months: the worked examples of sections 2.2 to 2.10, and both
sides of every date."""

from __future__ import annotations

import math
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from arpad import kernel
from arpad.engine import History, replay
from arpad.errors import DataError, RulebookError
from arpad.explain import explain
from arpad.model import Game, Games, PartialDate, Start
from arpad.newcomers import worth
from arpad.rulebooks import load
from arpad.sentences import words
from arpad.systems.elo import compile_rulebook
from tests.engine.helpers import club, coefficient, expected, rated


def met(me: str, opponents: dict[str, float], when: date, event: str = "E") -> list[Game]:
    return [Game(me, name, score, date=when, event=event) for name, score in opponents.items()]


def known(**ratings: float) -> list[Start]:
    return [Start(name, rating, games=100) for name, rating in ratings.items()]


def told(history: History, name: str, language: str = "en") -> str:
    return "\n".join(words(explain(history, name), language))


# --------------------------------------------------------------------------------------- 2.2 England: grades


@pytest.mark.parametrize(
    ("opponent", "score", "after"),
    [
        (90, 1, 160),
        (90, 0.5, 110),
        (90, 0, 60),
        (130, 1, 180),
        (130, 0.5, 130),
        (130, 0, 80),
        (200, 1, 240),
        (200, 0.5, 190),
        (200, 0, 140),
    ],
)
def test_2_2_ecf_grade_what_one_game_is_worth(opponent: float, score: float, after: float) -> None:
    history = rated("ecf/grade", [Game("me", "o", score, date=date(2019, 9, 1))], known(me=150, o=opponent))
    assert history.rating("me") == after


def test_2_2_ecf_grade_is_the_mean_of_its_games() -> None:
    games = met("me", {"a": 1, "b": 0.5, "c": 0}, date(2019, 9, 1))
    history = rated("ecf/grade", games, known(me=150, a=90, b=130, c=200))
    assert history.rating("me") == round((160 + 130 + 140) / 3)
    assert not history.problems  # K of 100 over the games cannot overshoot


def test_2_2_ecf_grade_150_becomes_1825() -> None:
    games = [Game("me", "o", 0.5, date=day) for day in (date(2020, 6, 30), date(2020, 7, 1))]
    history = rated("ecf/grade", games, known(me=150, o=150), on=date(2020, 7, 1))
    assert history.rating("me") == 1825
    before = rated("ecf/grade", games[:1], known(me=150, o=150), on=date(2020, 6, 29))
    assert before.rating("me") == 150


@pytest.mark.parametrize(("year", "lists"), [(2010, 1), (2012, 2)])
def test_ecf_grade_lists_are_half_yearly_from_2012(year: int, lists: int) -> None:
    """Two games, in August and in the January that follows: one list comes of them, or two."""
    games = [Game("me", "o", 1, date=day) for day in (date(year, 8, 10), date(year + 1, 1, 10))]
    history = rated("ecf/grade", games, known(me=150, o=150))
    assert len(history.arrangement.batches) == lists


@pytest.mark.parametrize(("when", "count", "grade"), [(date(2014, 6, 1), 5, None), (date(2015, 2, 1), 5, 160)])
def test_ecf_grade_first_grades_take_five_games_from_2015(when: date, count: int, grade: float | None) -> None:
    games = [Game("new", f"o{number}", float(number < 3), date=when) for number in range(count)]
    history = rated("ecf/grade", games, known(**{f"o{number}": 150 for number in range(count)}))
    assert history.rating("new") == grade


# --------------------------------------------------------------------------------------- 2.2 England: months

MONTH = date(2021, 9, 12)


@pytest.mark.parametrize(
    ("born", "score", "after"), [(None, 1, 1610), (None, 0.5, 1600), (2008, 1, 1620), (2003, 1, 1610)]
)
def test_2_2_ecf_monthly_1600_against_1600(born: int | None, score: float, after: float) -> None:
    start = [Start("me", 1600, born=PartialDate(born) if born else None), Start("o", 1600)]
    history = rated("ecf/monthly", [Game("me", "o", score, date=MONTH)], start)
    assert history.rating("me") == after


def three_passes() -> list[Game]:
    """x and y are new: x meets three rated and y, y one rated and x."""
    games = [Game("x", name, score, date=MONTH) for name, score in (("a", 1), ("b", 0.5), ("c", 0))]
    return [*games, Game("x", "y", 1, date=MONTH), Game("y", "c", 0.5, date=MONTH)]


def test_2_2_ecf_monthly_in_three_passes() -> None:
    start = [Start("a", 1700), Start("b", 1600), Start("c", 1500)]
    book = load("ecf/monthly", {"weight": 0.5})
    history = rated(book, three_passes(), start)
    # first pass: x (1700 + 1600 + 1500 + 1500) / 4, 2 of 4; y (1500 + 1500) / 2, 1 of 2
    x, y = 1575 + 0, 1500 + 0
    # second pass: x against y's 1500 as well, 3 of 5 is 72; y against x's 1575, 1 of 3 is -125
    x2 = round((1700 + 1600 + 1500 + y + 1500) / 5 + 72)
    y2 = round((1500 + x + 1500) / 3 - 125)
    assert (history.rating("x"), history.rating("y")) == (x2, y2) == (1632, 1400)
    # third pass: c drew with y at 1400 and beat x at 1632, each for half
    gain = 0.5 * (0.5 - expected(book, 1500, y2)) + 0.5 * (1 - expected(book, 1500, x2))
    assert history.rating("c") == 1500 + round(20 * gain)
    assert "count less" in told(history, "c")
    assert "a draw with 1500" in told(history, "x")


def test_ecf_monthly_a_partial_rating_rests_on_all_games_since_the_player_was_new() -> None:
    start = known(**{f"o{number}": 1600 for number in range(12)})
    games = [Game("x", f"o{number}", 0.5, date=date(2021, 9, 1)) for number in range(6)]
    later = [Game("x", f"o{number}", 1, date=date(2021, 10, 5)) for number in range(6, 10)]
    book = load("ecf/monthly")
    history = rated(book, [*games, *later], start)
    mean = (10 * 1600 + 1500) / 11
    assert history.rating("x") == round(mean + 133)  # 7.5 of 11 are 68 %
    assert history.state_of(history.code("x"))[-1] == 1


def test_ecf_monthly_goes_through_a_checkpoint() -> None:
    start = known(**{f"o{number}": 1600 for number in range(12)})
    games = [Game("x", f"o{number}", 0.5, date=date(2021, 9, 1)) for number in range(6)]
    later = [Game("x", f"o{number}", 1, date=date(2021, 10, 5)) for number in range(6, 9)]
    book = load("ecf/monthly")
    at_once = rated(book, [*games, *later], start)
    before = rated(book, games, start)
    after = replay(Games.of(later), book, before.checkpoint())
    assert after.rating("x") == at_once.rating("x") is not None


@pytest.mark.parametrize(
    "held", [7, [], [1500], [1500, 3], ["x", []], [1500, [[1, 2]]], [1e300, []], [1500, [[0, 1600, 4]]]]
)
def test_ecf_monthly_games_that_nobody_can_have_written_are_refused(held: object) -> None:
    start = known(**{f"o{number}": 1600 for number in range(4)})
    book = load("ecf/monthly")
    before = rated(book, [Game("x", "o1", 0.5, date=date(2021, 9, 1))], start).checkpoint()
    tampered = replace(before, memory={"performed": {"x": held}})
    with pytest.raises(DataError, match="what is kept of 'x'"):
        replay(Games.of([Game("x", "o2", 1, date=date(2021, 10, 5))]), book, tampered)


@pytest.mark.parametrize(
    ("last", "back", "new"),
    [
        (date(2017, 5, 1), date(2022, 5, 1), False),
        (date(2017, 4, 1), date(2022, 5, 1), True),
        (date(2019, 6, 1), date(2022, 6, 1), False),
        (date(2019, 5, 1), date(2022, 6, 1), True),
    ],
)
def test_2_2_ecf_monthly_who_was_away_is_new_with_a_draw_against_himself(last: date, back: date, *, new: bool) -> None:
    """60 months, and 36 from June 2022 on."""
    start = [Start("me", 2000, last=last.toordinal()), Start("o", 1500)]
    history = rated("ecf/monthly", [Game("me", "o", 1, date=back)], start)
    assert history.rating("me") == (round((1500 + 2000) / 2 + 193) if new else 2000 + round(20 * 0.08))


# ------------------------------------------------------------------------------------------------ 2.4 Canada


@pytest.mark.parametrize(("rating", "k"), [(2199, 32), (2200, 16)])
def test_2_4_cfc_k(rating: float, k: float) -> None:
    assert coefficient(load("cfc"), date(2020, 1, 1), rating=rating, games=100) == k


def cfc(when: date, peak: float, wins: int = 6, games: int = 6, rating: float = 1500) -> History:
    start = [Start("me", rating, games=100, peak=peak), *known(**{f"o{at}": rating for at in range(games)})]
    results = {f"o{at}": 1.0 if at < wins else 0.0 for at in range(games)}
    return rated("cfc", met("me", results, when), start)


@pytest.mark.parametrize(
    ("peak", "wins", "games", "change"),
    [
        (1700, 6, 6, 96 + 1.75 * (96 - 13 * math.sqrt(6))),
        (1500, 6, 6, 96 + 20 + 1.75 * (96 - 13 * math.sqrt(6))),
        (1500, 4, 6, 32 + 20 + 1.75 * (32 - 13 * math.sqrt(6))),
        (1500, 3, 4, 32 + 20 + 1.75 * (32 - 26)),
        (1700, 3, 4, 32 + 1.75 * (32 - 26)),
        (1500, 3, 3, 48),
        (1500, 0, 4, -64),
    ],
)
def test_2_4_cfc_bonus(peak: float, wins: int, games: int, change: float) -> None:
    history = cfc(date(2015, 3, 1), peak, wins, games)
    assert history.rating("me") == 1500 + kernel.round_to(change, 1, 1)


def test_2_4_cfc_bonus_is_half_with_k_16() -> None:
    history = cfc(date(2015, 3, 1), 2500, rating=2300)
    assert history.rating("me") == 2300 + round(48 + 0.5 * 1.75 * (48 - 0.5 * 13 * math.sqrt(6)))


@pytest.mark.parametrize(("when", "after"), [(date(2012, 4, 30), 1596), (date(2012, 5, 1), 1728)])
def test_2_4_cfc_bonus_on_both_sides_of_its_date(when: date, after: float) -> None:
    assert cfc(when, 1500).rating("me") == after


def test_2_4_cfc_the_record_may_ask_for_the_threshold_too() -> None:
    start = [Start("me", 1500, games=100, peak=1500), *known(**{f"o{at}": 1500 for at in range(4)})]
    games = met("me", {f"o{at}": float(at < 3) for at in range(4)}, date(2015, 3, 1))
    ratings = [rated(load("cfc", {"both": both}), games, start).rating("me") for both in (False, True)]
    assert ratings == [1563, 1563]  # 32 + 20 + 1.75 x (32 - 26)
    few = met("me", {f"o{at}": (1, 1, 0.5, 0)[at] for at in range(4)}, date(2015, 3, 1))
    ratings = [rated(load("cfc", {"both": both}), few, start).rating("me") for both in (False, True)]
    assert ratings == [1536, 1516]


def test_cfc_explains_the_bonus() -> None:
    history = cfc(date(2015, 3, 1), 1500)
    assert "bonus: +132.2741" in told(history, "me")
    assert "premio: +132,2741" in told(history, "me", "it")


# ------------------------------------------------------------------------------------------------- 2.5 Italy


@pytest.mark.parametrize(("when", "after"), [(date(2020, 12, 31), 1510), (date(2021, 1, 1), 1500)])
def test_2_5_fsi_is_abolished_in_2021(when: date, after: float) -> None:
    assert rated("fsi", [Game("a", "b", 1, date=when)], {"a": 1500, "b": 1500}).rating("a") == after


@pytest.mark.parametrize(("when", "rating"), [(date(2013, 12, 31), None), (date(2014, 1, 1), 1450)])
def test_2_5_fsi_newcomers_start_at_1440(when: date, rating: float | None) -> None:
    history = rated("fsi", [Game("new", "b", 1, date=when)], {"b": 1440})
    assert history.rating("new") == rating


# ------------------------------------------------------------------------------------------------ 2.6 Norway


@pytest.mark.parametrize(
    ("rating", "peak", "age", "k"),
    [
        (2300, 2300, 18, 10),
        (2299, 2299, 30, 15),
        (2099, 2099, 20, 30),
        (2099, 2099, 21, 15),
        (2100, 2100, 18, 15),
        (2050, 2100, 18, 15),
        (2050, 2099, float("nan"), 15),
    ],
)
def test_2_6_nsf_classes(rating: float, peak: float, age: float, k: float) -> None:
    assert coefficient(load("nsf"), date(2015, 1, 1), rating=rating, peak=peak, age=age) == k


def test_2_6_nsf_k_is_a_parameter() -> None:
    assert coefficient(load("nsf", {"k_b": 40}), date(2015, 1, 1), rating=1500, age=15) == 40


@pytest.mark.parametrize(("when", "moves"), [(date(2017, 12, 31), True), (date(2018, 1, 1), False)])
def test_2_6_nsf_ends_with_the_list_of_january_2018(when: date, *, moves: bool) -> None:
    history = rated("nsf", [Game("a", "b", 1, date=when)], {"a": 1500, "b": 1500})
    assert (history.rating("a") != 1500) is moves


# ------------------------------------------------------------------------------- 2.7, 2.10 revaluations


@pytest.mark.parametrize(
    ("name", "day", "before", "after"),
    [
        ("knsb", date(2024, 3, 1), 1000, 1400),
        ("knsb", date(2024, 3, 1), 1999, 1999),
        ("knsb", date(2024, 3, 1), 2000, 2000),
        ("dsu", date(2024, 6, 1), 1000, 1500),
        ("dsu", date(2024, 6, 1), 2100, 2100),
    ],
)
def test_2_7_and_2_10_revaluations_on_both_sides_of_their_date(
    name: str, day: date, before: float, after: float
) -> None:
    games = [Game("b", "c", 0.5, date=date(2024, month, 10), event=f"E{month}") for month in (2, 7)]
    start = known(a=before, b=2200, c=2200)
    assert rated(name, games, start, on=day.replace(day=1).replace(month=day.month - 1)).rating("a") == before
    assert rated(name, games, start, on=day).rating("a") == after


def test_2_7_knsb_the_revaluation_comes_after_the_month() -> None:
    games = [Game("a", "b", 1, date=date(2024, 2, 10)), Game("c", "d", 1, date=date(2024, 3, 5))]
    history = rated("knsb", games, known(a=1500, b=1500, c=2100, d=2100))
    assert history.rating("a") == 0.6 * 1510 + 800


@pytest.mark.parametrize(("total", "rounded"), [(3.33, 3.35), (3.72, 3.70), (3.325, 3.35), (3.32, 3.30)])
def test_2_10_dsu_rounding_to_a_twentieth(total: float, rounded: float) -> None:
    rule = load("dsu").editions[-1].expected
    assert kernel.round_to(total, 1, rule.to) == pytest.approx(rounded)


def test_2_10_dsu_an_event_with_3_33_expected() -> None:
    """Against three of 1400 and two of 1500: .64 each and .50 + ... make a sum that is no multiple of a twentieth."""
    games = met("me", {"a": 1, "b": 1, "c": 0.5, "d": 1, "e": 0}, date(2023, 5, 1))
    history = rated("dsu", games, known(me=1500, a=1400, b=1400, c=1400, d=1480, e=1510))
    change = next(row for row in history.recording.changes if row[1] == history.code("me"))
    assert pytest.approx(2.94) == 3 * 0.64 + 0.53 + 0.49
    assert change[6] == pytest.approx(2.95)
    assert history.rating("me") == 1500 + round(20 * (3.5 - 2.95))
    assert "rounded, which brings -0.01" in told(history, "me")


@pytest.mark.parametrize(("when", "after"), [(date(2024, 5, 20), 1195), (date(2024, 6, 2), 1200)])
def test_2_10_dsu_floor_since_june_2024(when: date, after: float) -> None:
    history = rated(
        "dsu",
        [Game("a", "b", 0, date=when, event="E")],
        known(a=1205, b=1205),
        on=date(2024, 5, 30) if when.month == 5 else None,
    )
    assert history.rating("a") == after


# ------------------------------------------------------------------------------------------------ 2.8 Sweden

LASK = [
    (10, 16, 16, 0),
    (33, 15, 17, 1),
    (56, 14, 18, 2),
    (79, 13, 19, 3),
    (102, 12, 20, 4),
    (126, 11, 21, 5),
    (151, 10, 22, 6),
    (178, 9, 23, 7),
    (207, 8, 24, 8),
    (236, 7, 25, 9),
    (270, 6, 26, 10),
    (308, 5, 27, 11),
    (352, 4, 28, 12),
    (409, 3, 29, 13),
    (499, 2, 30, 14),
    (900, 1, 31, 15),
]


@pytest.mark.parametrize(("until", "stronger", "weaker", "draw"), LASK)
def test_2_8_lask_table(until: int, stronger: int, weaker: int, draw: int) -> None:
    above = [row[0] for row in LASK]
    lowest = 0 if until == 10 else above[above.index(until) - 1] + 1
    for difference in (lowest, until):
        start = {"weak": 1000, "strong": 1000 + difference}
        for score, gain in ((1, stronger), (0.5, -draw), (0, -weaker)):
            history = rated("lask", [Game("strong", "weak", score, date=date(2010, 2, 1))], start)
            assert history.rating("strong") == start["strong"] + gain, difference
            assert history.rating("weak") == 1000 - gain, difference


def test_2_8_lask_examples() -> None:
    history = rated("lask", [Game("a", "b", 1, date=date(2010, 2, 1))], {"a": 1500, "b": 1700})
    assert (history.rating("a"), history.rating("b")) == (1524, 1676)
    history = rated("lask", [Game("a", "b", 0.5, date=date(2010, 2, 1))], {"a": 2250, "b": 2050})
    assert (history.rating("a"), history.rating("b")) == (2246, 2058)


def test_2_8_lask_halves_are_kept_until_the_list_and_rounded_up() -> None:
    """2250 beats 2240 (15 points at 10? no: 16, halved 8) and 2200 (14, halved 7), loses half of 17 at 20."""
    start = {"a": 2250, "b": 2230, "c": 2232}
    games = [Game("a", name, 1, date=date(2010, month, 1)) for name, month in (("b", 1), ("c", 4))]
    assert rated("lask", games[:1], start).rating("a") == 2258  # 7.5 is rounded up
    assert rated("lask", games, start).rating("a") == 2265  # 7.5 + 7.5: no rounding in between
    later = [games[0], Game("a", "c", 1, date=date(2010, 5, 1))]
    assert rated("lask", later, start).rating("a") == 2258 + 8  # 26 points: 15, halved and rounded at the second list


# ---------------------------------------------------------------------------------------------- 2.9 Scotland


def test_2_9_scotland_1770_with_84_games() -> None:
    """55 points where 50.338 were expected: 1814.4, hence 1814."""
    share = 50.338 / 84
    opponent = 1770 - 400 * math.log10(share / (1 - share))
    scores = [1.0] * 55 + [0.0] * 29
    games = [Game("me", f"o{at}", score, date=date(2010, 3, 1)) for at, score in enumerate(scores)]
    history = rated("scotland", games, known(me=1770, **{f"o{at}": opponent for at in range(84)}))
    change = next(row for row in history.recording.changes if row[1] == history.code("me"))
    assert change[6] == pytest.approx(50.338, abs=1e-9)
    assert change[7] * (55 - change[6]) == pytest.approx(44.4, abs=0.005)
    assert history.rating("me") == 1814
    assert not history.problems


def test_2_9_scotland_one_point_of_eight_games_is_worth_100() -> None:
    assert coefficient(load("scotland"), batch=8) == 100


def test_2_9_scotland_185_points() -> None:
    for curve in ("logistic", "table"):
        assert round(expected(load("scotland", {"curve": curve}), 1685, 1500), 2) == 0.74


@pytest.mark.parametrize(("points", "count", "rating"), [(4, 8, 1500), (4, 7, None), (0, 8, None)])
def test_2_9_scotland_first_grades(points: int, count: int, rating: float | None) -> None:
    games = [Game("new", f"o{at}", float(at < points), date=date(2010, 3, 1), event="E") for at in range(count)]
    history = rated("scotland", games, known(**{f"o{at}": 1500 for at in range(count)}))
    assert history.rating("new") == rating


# --------------------------------------------------------------------------------------- 2.10 Rio de Janeiro


@pytest.mark.parametrize(
    ("games", "peak", "k"), [(0, 1500, 40), (30, 1500, 40), (31, 1500, 20), (31, 2399, 20), (10, 2400, 10)]
)
def test_2_10_fexerj_k(games: int, peak: float, k: float) -> None:
    assert coefficient(load("fexerj"), games=games, rating=1500, peak=peak) == k


@pytest.mark.parametrize(
    ("opponents", "points", "rating"),
    [
        ([1800] * 5, 2.5, 1800),
        ([1700, 1750, 1800, 1850, 1900], 4, 1800 + 400 * math.log10(5 / 2)),
        ([2300] * 5, 5, 2200),
        ([1500] * 5, 0, None),
        ([1800] * 4, 4, None),
    ],
)
def test_2_10_fexerj_first_ratings(opponents: list[float], points: float, rating: float | None) -> None:
    scores = [max(0.0, min(1.0, points - at)) for at in range(len(opponents))]
    games = [Game("new", f"o{at}", score, date=date(2025, 3, 1), event="E") for at, score in enumerate(scores)]
    start = known(**{f"o{at}": opponent for at, opponent in enumerate(opponents)})
    history = rated("fexerj", games, start)
    assert history.rating("new") == (None if rating is None else round(rating))


def test_2_10_fexerj_first_ratings_pool_events_of_any_age() -> None:
    games = [Game("new", f"o{at}", 0.5, date=date(2005 + 5 * at, 3, 1), event=f"E{at}") for at in range(5)]
    history = rated("fexerj", games, known(**{f"o{at}": 1800 for at in range(5)}))
    assert history.rating("new") == 1800


def test_2_10_fexerj_below_1400_everything_is_forgotten() -> None:
    games = [Game("me", "o", 0, date=date(2025, 3, 1), event="E")]
    start = [Start("me", 1405, games=100, peak=2450), Start("o", 1405, games=100)]
    history = rated("fexerj", games, start)
    assert history.rating("me") == 1400  # K is 10 of who had 2400
    again = rated("fexerj", games, [Start("me", 1405, games=100, peak=1500), Start("o", 1405, games=100)])
    assert again.rating("me") is None
    assert list(again.state_of(again.code("me"))[1:3]) == [0, 0]
    story = explain(again, "me")
    assert story[-1].after is None
    assert "no longer listed" in told(again, "me")


# ------------------------------------------------------------------------------------- the grammar's new parts


def test_k_by_the_games_of_a_batch_may_also_be_a_condition(tmp_path: Path) -> None:
    rules = """
    [[edition]]
    curve = { shape = "logistic" }
    unit = { of = "event" }
    [[edition.k]]
    when = { batch_games_from = 4 }
    value = 10
    [[edition.k]]
    value = 20
    """
    book = club(tmp_path, rules)
    assert [coefficient(book, batch=batch) for batch in (1, 3, 4)] == [20, 20, 10]
    start = known(a=1500, **{f"o{at}": 1500 for at in range(4)})
    games = met("a", {f"o{at}": 1 for at in range(4)}, date(2024, 1, 1))
    history = rated(book, games, start)
    assert history.rating("a") == 1520
    assert explain(history, "a")[-1].clauses[0].value == 10


@pytest.mark.parametrize(
    ("clause", "message"),
    [
        (
            "expected = { rule = 'half up', to = 0.05 }",
            "expected: is about whole events or periods; the unit is the game",
        ),
        ("rise = { games = 4, k = 32, root = 13, share = 1, record = 2 }", "rise: is about whole events or periods"),
        ("first = { games = 5, months = 24 }", "first.draws: without a table, draws have to be added"),
        ("[[edition.cap]]\nwhen = { batch_games_from = 2 }\nvalue = 4\n[[edition.cap]]\nvalue = 3", "only K may ask"),
        ("rise = { games = 0, k = 0, root = 13, share = 1, record = 2 }", "rise.k: must be positive"),
    ],
)
def test_new_clauses_that_cannot_stand_are_refused(tmp_path: Path, clause: str, message: str) -> None:
    with pytest.raises(RulebookError, match=message):
        club(tmp_path, f"[[edition]]\ncurve = {{ shape = 'logistic' }}\nk = [{{ value = 20 }}]\n{clause}")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.75, 0.9])
@pytest.mark.parametrize("name", ["elo", "elo/normal", "ecf/grade"])
def test_first_ratings_without_a_table_turn_the_curve_around(name: str, share: float) -> None:
    book = load(name)
    difference = worth(book.editions[-1].curve, share)
    assert compile_rulebook(book).expected(0, difference, 0, difference) == pytest.approx(share, abs=1e-9)
