"""Expected scores, their tables, and the way back; C numbers are those of the cases we follow."""

from __future__ import annotations

import math
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.errors import UsageError
from arpad.expectation import TableRow, difference_for, expected, outcomes, table, validate_rating
from arpad.rulebooks import load
from arpad.systems.elo import compile_rulebook

#: A rulebook for shapes of curve that none of ours has.
CLUB = """
organisation = "a club"
game = "chess"
system = "elo"
cadence = "never"
title = {{ en = "Club" }}
[[edition]]
source = "made up"
[edition.curve]
{curve}
[[edition.k]]
value = 20
"""


def club(folder: Path, curve: str) -> str:
    path = folder / "club.toml"
    path.write_text(CLUB.format(curve=curve), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("opponent", "right"), [(1609, 0.506), (1477, 0.686), (1388, 0.785), (1586, 0.539), (1720, 0.351)]
)
def test_worked_example_of_1613(opponent: int, right: float) -> None:
    found = expected(1613, opponent)
    assert round(found.score, 3) == right
    assert found.score + found.opponent_score == pytest.approx(1)
    assert (found.rules, found.notes) == (
        "elo",
        ("no rulebook was named: logistic curve, 10 to 1 at 400 points (elo)",),
    )


def test_1890_against_1771_under_asigc() -> None:
    found = expected(1890, 1771, "asigc")
    assert (found.score, found.opponent_score, found.difference) == (0.66, 0.34, 119)
    assert (found.rules, found.edition, found.notes) == ("asigc", "1999-10-01", ())
    (curve,) = found.citations
    assert (curve.clause, curve.article, curve.edition, curve.status) == (
        "curve",
        "4 and 6, table 2",
        "1993-01-01",
        "unsure",
    )


@pytest.mark.parametrize("rules", ["elo", "elo/normal", "fide/standard"])
@pytest.mark.parametrize(("difference", "right"), [(100, 64), (200, 76)])
def test_hundred_and_two_hundred_points(rules: str, difference: int, right: int) -> None:
    assert round(100 * expected(1500 + difference, 1500, rules).score) == right


def test_c06_table_and_curve_disagree_in_the_tails() -> None:
    assert expected(2638, 2100, "asigc").score == 0.97
    assert expected(2638, 2100).score == pytest.approx(0.9568, abs=5e-5)


def test_c18_far_apart_is_finite_and_refused_as_a_rating() -> None:
    found = expected(1500, 501500)
    assert found.score == pytest.approx(0, abs=1e-300)
    assert math.isfinite(found.score)
    assert found.opponent_score == 1
    for name in ("elo", "elo/normal", "asigc"):
        assert compile_rulebook(load(name)).expected(0, 1500, 501500, -500000) == pytest.approx(0, abs=1e-300)
    with pytest.raises(UsageError, match="501500 is out of range"):
        validate_rating(501500)


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf, 100_001, -100_001, "ten", "9" * 400])
def test_what_cannot_be_a_rating(wrong: float | str) -> None:
    with pytest.raises(UsageError):
        validate_rating(wrong, "own rating")
    assert validate_rating(-100_000) == -100_000
    assert validate_rating("1850.5") == 1850.5


def test_expected_refuses_what_is_no_number() -> None:
    with pytest.raises(UsageError, match="own rating nan"):
        expected(math.nan, 1500)
    with pytest.raises(UsageError, match="home is own"):
        expected(1500, 1500, home="white")  # type: ignore[arg-type]


def test_a_cap_that_looks_at_one_side() -> None:
    found = expected(2813, 2400, "fide/standard", date(2025, 10, 30))
    assert (found.counted, found.opponent_counted) == (413, -400)
    assert (found.score, found.opponent_score) == (0.93, 0.08)
    assert [(cited.clause, cited.article) for cited in found.citations] == [
        ("curve", "8.1.2"),
        ("cap", "8.3.1"),
        ("cap", "8.3.1"),
    ]
    before = expected(2813, 2400, "fide/standard", date(2025, 9, 30))
    assert (before.counted, before.score, before.edition) == (400, 0.92, "2024-03-01")


def test_an_event_caps_only_once() -> None:
    found = expected(2600, 2000, "fide/standard", date(2023, 1, 1))
    assert found.counted == 400
    assert any("best game" in note for note in found.notes)


def test_mean_opponent_is_said() -> None:
    assert any("mean opponent" in note for note in expected(2600, 2000, "fide/standard", date(1975, 1, 1)).notes)


def test_home_advantage() -> None:
    home = expected(1800, 1700, "eloratings", home="own")
    away = expected(1800, 1700, "eloratings", home="opponent")
    neutral = expected(1800, 1700, "eloratings")
    assert (home.counted, away.counted, neutral.counted) == (200, 0, 100)
    assert (home.advantage, away.advantage, away.score) == (100, -100, 0.5)
    assert [cited.clause for cited in home.citations] == ["curve", "difference"]
    assert neutral.notes == ("neutral ground: without the advantage of 100 for the first or home side",)


def test_settings() -> None:
    assert expected(1900, 1500, settings={"scale": 800}).score == pytest.approx(1 / (1 + 10**-0.5))
    with pytest.raises(UsageError, match="has been read already"):
        expected(1900, 1500, load("elo"), settings={"scale": 800})


@pytest.mark.parametrize(
    ("score", "low", "high"),
    [("0.66", 114, 121), (0.34, -121, -114), (0.5, -3, 3), (1, 736, None), (0, None, -736), ("0.99", 620, 735)],
)
def test_difference_for_a_printed_table(score: float | str, low: int | None, high: int | None) -> None:
    found = difference_for(score, "asigc")
    assert (found.low, found.high, found.reason) == (low, high, "")


def test_a_table_gives_only_what_it_prints() -> None:
    found = difference_for("0.335", "asigc")
    assert (found.low, found.high) == (None, None)
    assert found.reason == "the table does not give 0.335; the nearest it gives are 0.34 and 0.33"


def test_difference_for_a_curve() -> None:
    assert difference_for(0.5).low == difference_for(0.5).high == 0
    assert difference_for("0.75").low == pytest.approx(400 * math.log10(3), abs=1e-8)
    assert difference_for(0.9, "elo/normal").low == pytest.approx(1.2815515655446004 * 200 * math.sqrt(2), abs=1e-8)
    assert difference_for(1).reason == "the curve comes near 1 and never reaches it"
    for wrong in (1.01, -0.1, math.nan):
        with pytest.raises(UsageError):
            difference_for(wrong)


@given(st.integers(1, 999), st.sampled_from(["elo", "elo/normal"]))
def test_difference_for_is_the_inverse_of_expected(thousandths: int, rules: str) -> None:
    found = difference_for(thousandths / 1000, rules)
    assert found.low is not None
    assert expected(found.low, 0, rules).score == pytest.approx(thousandths / 1000, abs=1e-10)


def test_a_line_has_level_ends(tmp_path: Path) -> None:
    line = club(tmp_path, 'shape = "line"\nslope = 0.00125\nleast = 0.1')
    assert difference_for(0.75, line).low == pytest.approx(200, abs=1e-8)
    top, bottom = difference_for(0.9, line), difference_for(0.1, line)
    assert top.low == pytest.approx(320, abs=1e-8)
    assert bottom.high == pytest.approx(-320, abs=1e-8)
    assert (top.high, bottom.low) == (None, None)
    assert difference_for(0.95, line).reason == "the curve gives scores from 0.1 to 0.9, never 0.95"
    rows = table(line)
    assert rows[:2] == [TableRow(0, 3, "0.50", "0.50"), TableRow(4, 11, "0.51", "0.49")]  # 4 points: .505, half up
    assert rows[-1] == TableRow(316, None, "0.90", "0.10")


def test_a_curve_that_depends_on_the_ratings_asks_for_one(tmp_path: Path) -> None:
    curve = club(tmp_path, 'shape = "exponential"\ntop = 205\ndivisor = 20\nleast = 70')
    with pytest.raises(UsageError, match="give the opponent's"):
        difference_for(0.75, curve)
    with pytest.raises(UsageError, match="give the opponent's"):
        table(curve)
    found = difference_for(0.75, curve, opponent=2000)
    assert found.low == pytest.approx(105 * math.log(3), abs=1e-8)
    assert table(curve, opponent=2000)[0] == TableRow(0, 2, "0.50", "0.50")


def test_a_printed_table_comes_as_printed() -> None:
    rows = table("fide/standard")
    assert (len(rows), rows[0], rows[-1]) == (
        51,
        TableRow(0, 3, "0.50", "0.50"),
        TableRow(736, None, "1.00", "0.00"),
    )
    assert TableRow(114, 121, "0.66", "0.34") in rows


@pytest.mark.parametrize("rules", ["elo", "elo/normal", "fifa/men"])
def test_the_table_of_a_curve_holds_every_whole_difference(rules: str) -> None:
    rows = table(rules)
    assert rows[0].low == 0
    assert rows[-1].high is None
    assert [row.low for row in rows[1:]] == [row.high + 1 for row in rows if row.high is not None]
    for row in rows:
        for difference in (row.low, row.low + 500 if row.high is None else row.high):
            assert f"{expected(difference, 0, rules).score:.2f}" == row.higher
        assert float(row.higher) + float(row.lower) == pytest.approx(1)


def test_the_first_rows_of_the_logistic_table() -> None:
    assert table()[:2] == [TableRow(0, 3, "0.50", "0.50"), TableRow(4, 10, "0.51", "0.49")]
    assert table()[-1] == TableRow(920, None, "1.00", "0.00")


def test_outcomes_of_three_quarters() -> None:
    found = outcomes(0.75)
    assert (found.win, found.draw, found.loss) == ((0.5, 0.75), (0, 0.5), (0, 0.25))


def test_outcomes_at_the_ends_and_below_one_half() -> None:
    assert (outcomes(1).win, outcomes(1).draw, outcomes(1).loss) == ((1, 1), (0, 0), (0, 0))
    assert (outcomes("0.34").win, outcomes("0.34").draw, outcomes("0.34").loss) == ((0, 0.34), (0, 0.68), (0.32, 0.66))
    with pytest.raises(UsageError):
        outcomes(1.5)


@given(st.integers(0, 100))
def test_extreme_outcomes_give_the_expected_score(hundredths: int) -> None:
    share = hundredths / 100
    found = outcomes(share)
    assert found.win[0] + found.draw[1] / 2 == pytest.approx(share)
    assert found.win[0] + found.draw[1] + found.loss[0] == pytest.approx(1)
    assert found.win[1] + found.draw[0] + found.loss[1] == pytest.approx(1)
