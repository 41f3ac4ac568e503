"""Performance ratings; W and C numbers are those of the worked examples and of the cases we follow."""

from __future__ import annotations

import math
import subprocess
import sys
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.errors import DataError, UnknownName, UsageError
from arpad.expectation import expected
from arpad.performances import METHODS, Entry, Performance, fide_differences, parse_results, performance
from arpad.rulebooks import load


def value(*arguments: object, **named: object) -> float:
    found = performance(*arguments, **named).value  # type: ignore[arg-type]
    assert found is not None
    return found


def test_table_8_1_1_is_whole_and_mirrored() -> None:
    table = fide_differences()
    assert sorted(table) == list(range(101))
    assert all(table[100 - hundredth] == -difference for hundredth, difference in table.items())
    assert (table[100], table[99], table[83], table[50]) == (800, 677, 273, 0)
    assert [table[hundredth] for hundredth in range(101)] == sorted(table.values())


def test_w13_fide_linear_and_algorithm_of_400() -> None:
    opponents = [2400, 2500, 2600]
    found = performance(opponents, 2.5, "fide")
    assert (found.value, found.mean, found.percentage, found.difference) == (2773, 2500, 0.83, 273)
    assert value(opponents, 2.5, "linear") == pytest.approx(2766.67, abs=0.005)
    assert value(opponents, 2.5, "algorithm of 400") == value(opponents, 2.5, "linear")


def test_w13_algorithm_of_400_shows_each_game() -> None:
    found = performance([2400, 2500, 2600], method="algorithm of 400", results=[1, 1, 0.5])
    assert found.parts == (2800, 2900, 2600)
    assert found.value == pytest.approx(sum(found.parts) / 3)


def test_w14_true_performance_depends_on_the_curve() -> None:
    opponents = [2400, 2500, 2600]
    logistic = performance(opponents, 2.5, "true")
    assert logistic.value == pytest.approx(2792.2, abs=0.05)
    assert (logistic.rules, logistic.notes) == (
        "elo",
        ("no rulebook was named: logistic curve, 10 to 1 at 400 points (elo)",),
    )
    assert sum(logistic.parts) == pytest.approx(2.5, abs=1e-9)
    assert value(opponents, 2.5, "true normal") == pytest.approx(2785.0, abs=0.05)
    printed = performance(opponents, 2.5, "true", rules="fide/standard", on=date(2025, 10, 1))
    assert (printed.value, printed.edition) == (2789, "2025-10-01")


def test_w15_five_equal_opponents() -> None:
    assert value([1600] * 5, 3.5, "fide") == 1749


@pytest.mark.parametrize(("opponents", "score", "right"), [([2200, 2100, 2000], 2.5, 2389), ([2000], 0.5, 1997)])
def test_w16_w19_lowest_whole_rating_on_a_printed_table(opponents: list[int], score: float, right: int) -> None:
    assert value(opponents, score, "true", rules=load("fide/standard")) == right


def test_w16_w17_w18_fide() -> None:
    assert value([2200, 2100, 2000], 2.5, "fide") == 2373
    assert value([2100, 2200], 0, "fide") == 1350
    assert value([2400, 2500, 2600], 3, "fide") == 3300


def test_w20_one_win_one_loss() -> None:
    assert {value([1500, 1700], 1, method) for method in ("fide", "linear", "algorithm of 400")} == {1600}
    assert value([1500, 1700], 1, "true") == pytest.approx(1600, abs=1e-9)


def test_w21_percentages_of_equal_opponents() -> None:
    assert value([1500, 1500], 1.5, "fide") == 1693
    assert value([1500] * 3, 2, "fide") == 1625


def test_c08_unrated_opponent_and_bye_are_left_out() -> None:
    entries = parse_results("bye ½\n1980 1\n1500 0\n1930 0\n0 =")
    found = performance([entry.rating for entry in entries], None, "fide", results=[entry.score for entry in entries])
    assert (found.value, found.games, found.score, found.mean, found.percentage) == (1678, 3, 1, 1803, 0.33)
    assert found.notes == (
        "entry 1 is left out: it is no game",
        "entry 5 is left out: the opponent has no rating",
    )
    with pytest.raises(UsageError, match="opponent 4 has no rating: give the results game by game"):
        performance([1980, 1500, 1930, 0], 1.5, "fide")


def test_c09_percentage_is_rounded_half_up() -> None:
    found = performance([2400] * 8, 5, "fide")
    assert (found.value, found.percentage) == (2495, 0.63)


def test_c14_draws_are_half_points() -> None:
    found = performance([1850] * 6, method="fide", results=[1, 1, 1, 0.5, 0.5, 0])
    assert (found.value, found.percentage) == (1975, 0.67)


def test_mean_of_opponents_is_rounded_half_up() -> None:
    assert performance([2000, 2001], 1, "fide").mean == 2001
    assert performance([1999.5], 0.5, "fide").mean == 2000


def test_scores_are_read_by_their_decimal_digits() -> None:
    # 0.1 + 0.2 style sums never come near: 0.145 of one game is 15 hundredths, though the float lies below .145
    assert performance([2000], "0.145", "fide").percentage == performance([2000], 0.145, "fide").percentage == 0.15


def test_the_inverse_of_any_curve_on_the_mean() -> None:
    found = performance([2400, 2500, 2600], 2.5, "table", rules="fide/standard")
    assert (found.value, found.percentage, found.notes) == (2773, 0.83, ("the middle of the differences 268 to 278",))
    assert value([1500] * 4, 3, "table") == pytest.approx(1500 + 400 * math.log10(3))
    assert performance([1500], 1, "table").reason == "the curve comes near 1 and never reaches it"
    assert (
        performance([1500], 1, "table", rules="fide/standard").reason
        == "every difference beyond the curve's end gives 1"
    )


@pytest.mark.parametrize("method", ["true", "true normal"])
@pytest.mark.parametrize(("score", "bound"), [(0, "0 % sets no lower"), (2, "100 % sets no upper")])
def test_no_true_performance_at_the_ends(method: str, score: int, bound: str) -> None:
    found = performance([1500, 1600], score, method)
    assert (found.value, found.difference, found.reason) == (None, None, f"a score of {bound} bound")


def test_nothing_played() -> None:
    assert performance([], 0).reason == "no game against a rated opponent"
    assert performance([None], results=[1], method="true").value is None


@pytest.mark.parametrize(
    ("opponents", "named", "message"),
    [
        ([1500], {"score": 2}, "score 2 does not lie between 0 and 1"),
        ([1500], {"score": -0.5}, "score -0.5 does not lie"),
        ([1500], {"score": "nan"}, "score 'nan' is not a number"),
        ([1500], {"score": "1e-999999999", "results": [1]}, "add up to 1, not to 1e-999999999"),
        ([1500], {}, "give the score, or the results"),
        ([1500], {"results": [1, 0]}, "1 opponents, 2 results"),
        ([1500], {"results": [1.5]}, "result 1 1.5 does not lie between 0 and 1"),
        ([1500, 1600], {"results": [1, 0], "score": 2}, "the results add up to 1, not to 2"),
        ([1500, math.inf], {"score": 1}, "rating of opponent 2 inf is not a number"),
        ([501500], {"score": 1}, "rating of opponent 1 501500 is out of range"),
        ([1500], {"score": 1, "method": "linear", "rules": "elo"}, "'linear' does not take its curve from a rulebook"),
        ([1500], {"score": 1, "method": "true normal", "rules": "elo"}, "'true normal' does not take its curve"),
    ],
)
def test_refused(opponents: list[float], named: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        performance(opponents, **named)  # type: ignore[arg-type]


def test_unknown_method() -> None:
    with pytest.raises(UnknownName, match="did you mean linear"):
        performance([1500], 1, "linaer")


def test_settings_reach_the_curve() -> None:
    assert value([1500] * 4, 3, "true", settings={"scale": 800}) == pytest.approx(1500 + 800 * math.log10(3))
    assert performance([1500], 0.5, "true", settings={"scale": 800}).notes == (
        "no rulebook was named: logistic curve, 10 to 1 at 800 points (elo)",
    )


@pytest.mark.parametrize("method", METHODS)
def test_every_method_says_what_it_is_and_gives_about_the_mean_at_one_half(method: str) -> None:
    assert METHODS[method].text
    assert METHODS[method].source
    lowest_whole = 3 if method == "perfect" else 1e-6  # a table has .50 for three points either way
    assert value([1500, 1600, 1700, 1800], 2, method) == pytest.approx(1650, abs=lowest_whole)


@pytest.mark.parametrize(
    ("opponents", "score", "right"),
    [
        ([2400, 2500, 2600], 2.5, 2789),
        ([2200, 2100, 2000], 2.5, 2389),
        ([2100, 2200], 0, 1300),
        ([2400, 2500, 2600], 3, 3336),
        ([2000], 0.5, 1997),
    ],
)
def test_w14_w16_w17_w18_w19_perfect_performance(opponents: list[int], score: float, right: int) -> None:
    found = performance(opponents, score, "perfect")
    assert (found.value, found.rules) == (right, "fide/standard")
    assert bool(found.notes) == (score == len(opponents))


@pytest.mark.parametrize(
    ("method", "nothing", "everything"),
    [
        ("fide", 1650 - 800, 1650 + 800),
        ("linear", 1650 - 400, 1650 + 400),
        ("algorithm of 400", 1650 - 400, 1650 + 400),
        ("perfect", 1500 - 800, 1800 + 736),
        ("true", None, None),
        ("true normal", None, None),
        ("table", None, None),
    ],
)
def test_what_each_method_gives_at_the_ends(method: str, nothing: float | None, everything: float | None) -> None:
    for score, right in ((0, nothing), (4, everything)):
        found = performance([1500, 1600, 1700, 1800], score, method)
        assert found.value == right
        assert bool(found.reason) == (right is None)


@given(
    st.lists(st.integers(800, 2800), min_size=1, max_size=12).flatmap(
        lambda ratings: st.tuples(st.just(ratings), st.integers(1, 2 * len(ratings) - 1))
    )
)
def test_true_performance_expects_the_score(case: tuple[list[int], int]) -> None:
    opponents, halves = case
    found = value(opponents, halves / 2, "true")
    assert sum(expected(found, opponent).score for opponent in opponents) == pytest.approx(halves / 2, abs=1e-9)


def test_parse_results_reads_what_people_type() -> None:
    assert parse_results("1850 1; 1725 =\n1609:0.5 1500:0, - ½, 1700 : 1/2\n\n1850,5 0,5") == [
        Entry(1850, 1),
        Entry(1725, 0.5),
        Entry(1609, 0.5),
        Entry(1500, 0),
        Entry(None, 0.5),
        Entry(1700, 0.5),
        Entry(1850.5, 0.5),
    ]
    assert parse_results("bye; bye H; 1800 +; 1750 *") == [
        Entry(None, None),
        Entry(None, None),
        Entry(1800, None),
        Entry(1750, None),
    ]
    assert parse_results("1850 1 1725 =") == [Entry(1850, 1), Entry(1725, 0.5)]
    assert parse_results(" \n") == []


def test_parse_results_reports_every_entry_that_is_wrong() -> None:
    with pytest.raises(DataError) as caught:
        parse_results("1850\n1850 x\n:1\n1700 1\n1850 1 2\n1e9 1\n1850:1 1700\n1850:\nten 1")
    found = [(problem.line, problem.message) for problem in caught.value.problems]
    assert [line for line, _ in found] == [1, 2, 3, 5, 6, 7, 8, 9]
    assert [message.partition(";")[0] for _, message in found] == [
        "'1850': a result is missing after the rating",
        "'1850 x': unknown result 'x'",
        "':1': the rating is missing",
        "'1850 1 2': a rating and a result were expected, as in 1850 1 or 1850:1",
        "'1e9 1': rating 1e9 is out of range: ratings lie between -100000 and 100000",
        "'1850:1 1700': a rating and a result were expected, as in 1850 1 or 1850:1",
        "'1850:': the result is missing",
        "'ten 1': rating 'ten' is not a number",
    ]


def test_a_performance_needs_no_heavy_library() -> None:
    code = (
        "import sys; from arpad.performances import performance, parse_results; parse_results('1500 1');"
        "performance([1500], 0.5, 'true'); sys.exit(bool({'numpy', 'pyarrow'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_performance_is_a_plain_record() -> None:
    assert performance([1500], 0.5, "fide") == Performance("fide", 1500, "", 1, 0.5, 1500, 0.5, 0)
