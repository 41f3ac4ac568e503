"""US Chess: newcomers, floors, matches, norms, and what its editions changed, on both sides of each day."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arpad.errors import RulebookError, UsageError
from arpad.explain import explain
from arpad.model import Game, Start
from arpad.rulebooks import load
from arpad.rulebooks.schema import Edition
from arpad.systems.uschess import floors, initial, norms
from arpad.systems.uschess.event import settle_event, unfit_match
from arpad.systems.uschess.players import Entrant, Occasion, Result, Working, floor_of, grown, streak
from arpad.titles import class_name
from tests.engine.helpers import rated

REGULAR = load("uschess/regular")
QUICK = load("uschess/quick")
LATE = date(2025, 6, 1)
NOW = REGULAR.on(LATE)
LISTS = ("regular", "quick", "blitz", "online-regular", "online-quick", "online-blitz")

# ----------------------------------------------------------------------------------------------------------- newcomers


@pytest.mark.parametrize(
    ("age", "rating"),
    [
        (0.5, 100),
        (1.99, 100),
        (2, 100),
        (8, 400),
        (10.5, 525),
        (25.999, 1299.95),
        (26, 1300),
        (80, 1300),
        (math.nan, 750),
    ],
)
def test_the_rule_of_ages(age: float, rating: float) -> None:
    begins = initial.first_rating(age, {}, NOW)
    assert begins.rating == pytest.approx(rating)
    assert begins.games == 0
    assert begins.source == ("age" if age == age else "unknown age")


def test_an_age_has_a_fraction() -> None:
    assert initial.age_on(date(2010, 1, 1), date(2020, 7, 1)) == pytest.approx(3834 / 365.25)
    assert initial.age_on(date(2020, 1, 2), date(2020, 1, 1)) == 0


def test_an_unknown_age_can_be_taken_for_an_adult() -> None:
    adult = load("uschess/regular", {"unknown_age": 1300}).on(LATE)
    assert initial.first_rating(math.nan, {}, adult).rating == 1300


def test_u21_the_office_example_of_a_fide_rating() -> None:
    begins = initial.first_rating(30, {"fide": 1420}, REGULAR.on(date(2021, 9, 1)))
    assert begins.rating == pytest.approx(1514.8)
    assert begins.games == 5


@pytest.mark.parametrize(
    ("day", "fide", "rating", "games"),
    [
        (date(2005, 1, 1), 2150, 2200, 5),
        (date(2005, 1, 1), 2151, 2201, 10),
        (date(2007, 6, 1), 2000, 2000, 5),
        (date(2009, 1, 1), 1600, 1720, 5),
        (date(2009, 1, 1), 2000, 1970, 5),
        (date(2009, 1, 1), 2500, 2550, 10),
        (date(2019, 1, 1), 2000, 2060, 5),
        (date(2019, 1, 1), 2001, 2061.02, 10),
        (date(2024, 2, 29), 1420, 1514.8, 5),
        (date(2024, 3, 1), 1652, 1515.1884, 5),  # FIDE's uplift of 1420: the same human begins about the same
        (date(2024, 3, 1), 2500, 2570, 10),
    ],
)
def test_fide_ratings_by_date(day: date, fide: float, rating: float, games: float) -> None:
    begins = initial.first_rating(30, {"fide": fide}, REGULAR.on(day))
    assert begins.rating == pytest.approx(rating)
    assert begins.games == games


def test_the_conversion_of_2024_is_that_of_2017_after_fides_uplift() -> None:
    for before in range(1400, 2000, 50):
        uplifted = before + 0.4 * (2000 - before)
        was, _ = initial.converted(before, REGULAR.on(date(2024, 2, 29)).fide)
        now, _ = initial.converted(uplifted, REGULAR.on(date(2024, 3, 1)).fide)
        assert now == pytest.approx(was, abs=0.5)


def test_the_youth_branch_is_continuous() -> None:
    rows = REGULAR.on(date(2019, 1, 1)).fide_youth
    assert initial.converted(2000, rows) == (2080, 0)
    assert initial.converted(2000.001, rows)[0] == pytest.approx(2080.001)


def test_canadian_ratings_are_continuous_at_1500() -> None:
    assert initial.converted(1500, NOW.cfc) == (1410, 0)
    assert initial.converted(1501, NOW.cfc) == (pytest.approx(1411.1), 5)


def test_before_2020_one_source_takes_precedence() -> None:
    edition = REGULAR.on(date(2020, 5, 31))
    facts = {"quick": 1800.0, "quick_games": 40.0, "cfc": 1600.0, "fide": 1900.0}
    assert initial.first_rating(40, facts, edition).source == "fide"
    del facts["fide"]
    assert initial.first_rating(40, facts, edition).source == "cfc"
    del facts["cfc"]
    begins = initial.first_rating(40, facts, edition)
    assert (begins.source, begins.rating, begins.games) == ("quick", 1800, 0)


def test_since_june_2020_sources_are_blended() -> None:
    edition = REGULAR.on(date(2020, 6, 1))
    begins = initial.first_rating(40, {"quick": 1800.0, "quick_games": 40.0, "fide": 1900.0}, edition)
    assert begins.source == "blend"
    assert begins.rating == pytest.approx((10 * 1800 + 5 * 1966) / 15)
    assert begins.games == 10
    one = initial.first_rating(40, {"quick": 1800.0}, edition)
    assert (one.rating, one.games, one.source) == (1800, 1, "quick")


def test_facts_that_are_not_known_are_no_sources() -> None:
    assert initial.first_rating(40, {"fide": math.nan, "quick": 0.0}, NOW).source == "age"


def test_another_way_to_begin_can_be_put_in() -> None:
    def fixed(age: float, facts: Mapping[str, float], edition: Edition) -> initial.Begins:
        return initial.Begins(1000, 4, "house rule")

    players = [Entrant(code="A"), Entrant(code="B", rating=1000, games=30), Entrant(code="C", rating=1000, games=30)]
    games = [Result.of("A", "B", 1), Result.of("A", "C", 0), Result.of("B", "C", 1)]
    one = settle_event(players, games, NOW, initial=fixed)[0]
    assert (one.before, one.games, one.games_after) == (1000, 4, 6)
    assert one.begins
    assert one.begins.source == "house rule"


# -------------------------------------------------------------------------------------------------------------- floors


@pytest.mark.parametrize(
    ("wins", "draws", "events", "floor"),
    [(0, 0, 0, 100), (1, 0, 0, 104), (3, 2, 4, 120), (10, 3, 4, 150), (100, 0, 0, 150)],
)
def test_the_absolute_floor(wins: int, draws: int, events: int, floor: float) -> None:
    assert floors.absolute_floor(wins, draws, events, NOW.absolute_floor) == floor
    assert floors.absolute_floor(wins, draws, events, REGULAR.on(date(2008, 5, 31)).absolute_floor) == 100


@pytest.mark.parametrize(
    ("peak", "floor"),
    [(1941, 1700), (1799, 1500), (1653, 1400), (1399, None), (1400, 1200), (2750, 2100), (0, None), (math.nan, None)],
)
def test_the_floor_by_peak(peak: float, floor: float | None) -> None:
    assert floors.peak_floor(peak, NOW.peak_floor) == floor


def test_the_floor_by_peak_takes_the_rounded_rating() -> None:
    assert floors.peak_floor(1899.5, NOW.peak_floor) == 1700
    assert floors.peak_floor(1899.4, NOW.peak_floor) == 1600


def test_before_april_2010_floors_began_at_1400() -> None:
    before, after = REGULAR.on(date(2010, 3, 31)).peak_floor, REGULAR.on(date(2010, 4, 1)).peak_floor
    assert [floors.peak_floor(1599, clause) for clause in (before, after)] == [None, 1300]
    assert [floors.peak_floor(1600, clause) for clause in (before, after)] == [1400, 1400]


def test_only_the_regular_list_has_floors_by_peak() -> None:
    for name in LISTS:
        for edition in load(f"uschess/{name}").editions:
            assert (edition.peak_floor is not None) == (edition.life_master is not None) == (name == "regular")


@pytest.mark.parametrize(("games", "floor"), [(299, None), (300, 2200)])
def test_the_floor_of_a_life_master(games: float, floor: float | None) -> None:
    assert floors.life_master_floor(games, NOW.life_master) == floor


def test_the_floor_in_force_is_the_highest() -> None:
    assert floors.floor_in_force(150, 1700, None, 1800, 0) == floors.Floor(1800, "office")
    assert floors.floor_in_force(150, 1700, None, 0, 0) == floors.Floor(1700, "peak")
    assert floors.floor_in_force(150, 1700, None, 0, 100) == floors.Floor(1600, "peak")
    assert floors.floor_in_force(150, None, None, 0, 0) == floors.Floor(150, "absolute")
    assert floors.floor_in_force(150, 2100, 2200, 0, 0) == floors.Floor(2200, "life master")


def event(
    *players: Entrant, games: list[tuple[str, str, float]], edition: Edition = NOW, ended: int = 0
) -> dict[str, Working]:
    results = [Result.of(*game) for game in games]
    return {each.code: each for each in settle_event(players, results, edition, Occasion(ended))}


def test_a_loss_stops_at_the_floor_and_the_floored_value_is_kept() -> None:
    low = Entrant(code="A", rating=1703, games=200, peak=1941)
    others = [Entrant(code=code, rating=1700, games=200) for code in "BC"]
    one = event(low, *others, games=[("A", "B", 0), ("A", "C", 0), ("B", "C", 0.5)])["A"]
    assert one.raw < 1700
    assert (one.after, one.floored, one.floor.kind) == (1700, True, "peak")
    assert grown(low, one, NOW).rating == 1700


def test_the_peak_is_the_highest_rating_after_an_event_that_is_established() -> None:
    fresh = Entrant(code="A", rating=1500, games=22, peak=0)
    others = [Entrant(code=code, rating=1700, games=200) for code in "BCD"]
    games = [("A", "B", 1.0), ("A", "C", 1.0), ("A", "D", 1.0)]
    assert grown(fresh, event(fresh, *others, games=games)["A"], NOW).peak == 0  # 25 games
    fresh = msgspec.structs.replace(fresh, games=23)
    one = event(fresh, *others, games=games)["A"]
    assert grown(fresh, one, NOW).peak == one.after


def test_games_with_a_masters_rating_are_counted() -> None:
    master = Entrant(code="A", rating=2200, games=298, masters=297, peak=2250)
    others = [Entrant(code=code, rating=2400, games=200) for code in "BCD"]
    one = event(master, *others, games=[("A", code, 0) for code in "BCD"])["A"]
    assert (one.after, one.floor.kind) == (2200, "life master")
    assert grown(master, one, NOW).masters == 300


# ------------------------------------------------------------------------------------------------------------- streaks


def test_a_streak_needs_all_games_to_be_known() -> None:
    assert streak(Entrant(code="A", rating=1500, games=3, wins=3)) == "won"
    assert streak(Entrant(code="A", rating=1500, games=3, losses=3)) == "lost"
    assert streak(Entrant(code="A", rating=1500, games=3, wins=2, draws=1)) == ""
    assert streak(Entrant(code="A", rating=1500, games=43, wins=3)) == ""  # forty games are not known
    assert streak(Entrant(code="A", rating=1500, games=8, wins=3, begun_with=5)) == "won"
    assert streak(Entrant(code="A", rating=1500)) == ""


def test_who_has_won_forty_games_is_still_rated_by_the_special_formula() -> None:
    unbeaten = Entrant(code="A", rating=1500, games=40, wins=40)
    others = [Entrant(code=code, rating=1600, games=200) for code in "BC"]
    one = event(unbeaten, *others, games=[("A", "B", 1), ("A", "C", 0.5)])["A"]
    assert (one.formula, one.why) == ("special", "won")


# ------------------------------------------------------------------------------------------------------------- matches

DAY = date(2024, 5, 10).toordinal()
A, B = Entrant(code="A", rating=1600, games=100), Entrant(code="B", rating=1800, games=100)
CRUSH = [("A", "B", 1.0)] * 3 + [("B", "A", 0.5)]


@pytest.mark.parametrize(
    ("earlier", "change", "cap"),
    [
        ((), 50, "match"),
        (((DAY - 100, 50.0), (DAY - 200, 50.0), (DAY - 300, 50.0)), 50, "match"),
        (((DAY - 100, 50.0), (DAY - 200, 50.0), (DAY - 300, 80.0)), 20, "net"),
        (((DAY - 100, 200.0),), 0, "net"),
        (((DAY - 100, 230.0),), 0, "net"),
        (((DAY - 1095, 200.0),), 0, "net"),
        (((DAY - 1096, 200.0),), 50, "match"),
        (((DAY - 100, -200.0),), 50, "match"),
    ],
)
def test_limits_of_matches(earlier: tuple[tuple[int, float], ...], change: float, cap: str) -> None:
    a = msgspec.structs.replace(A, matches=earlier)
    one = event(a, B, games=CRUSH, ended=DAY)["A"]
    assert one.after - 1600 == pytest.approx(change)
    assert one.cap == cap
    assert grown(a, one, NOW, DAY).matches == (*earlier, (DAY, one.after - 1600))


def test_the_limit_of_180_days_is_a_switch() -> None:
    edition = load("uschess/regular", {"match_180_days": 100}).on(LATE)
    a = msgspec.structs.replace(A, matches=((DAY - 179, 90.0),))
    assert event(a, B, games=CRUSH, edition=edition, ended=DAY)["A"].after == pytest.approx(1610)
    a = msgspec.structs.replace(A, matches=((DAY - 180, 90.0),))
    assert event(a, B, games=CRUSH, edition=edition, ended=DAY)["A"].after == pytest.approx(1650)


@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        (A, B, ""),
        (msgspec.structs.replace(A, games=25.0), B, "games"),
        (msgspec.structs.replace(A, games=26.0), B, ""),
        (Entrant(code="A", age=30), B, "games"),
        (msgspec.structs.replace(A, rating=1400.0), B, ""),
        (msgspec.structs.replace(A, rating=1399.4), B, "apart"),
    ],
)
def test_who_may_play_a_match(a: Entrant, b: Entrant, why: str) -> None:
    games = [Result.of(*game) for game in CRUSH]
    assert unfit_match([a, b], games, NOW) == why
    assert (settle_event([a, b], games, NOW) == []) == bool(why)
    as_any = load("uschess/regular", {"unfit_matches": "rated"}).on(LATE)
    if why:
        assert [each.match for each in settle_event([a, b], games, as_any)] == [False, False]


def test_a_match_does_not_stop_at_a_floor() -> None:
    """It counts as a request for a floor 100 points lower, which the office decides."""
    b = msgspec.structs.replace(B, rating=1805.0, peak=2010.0)
    one = event(A, b, games=CRUSH)["B"]
    assert (one.floor, one.after, one.asked) == (floors.Floor(1800, "peak"), 1755, True)
    after = grown(b, one, NOW)
    assert after.lowered == 100
    assert floor_of(after, [], NOW).rating == 1700


def test_before_2006_a_match_had_no_limit_of_its_own() -> None:
    was, later = REGULAR.on(date(2006, 3, 31)), REGULAR.on(date(2006, 4, 1))
    assert event(A, B, games=CRUSH, edition=was)["A"].after > 1650
    assert event(A, B, games=CRUSH, edition=later)["A"].after == 1650
    assert was.half_k is not None
    assert later.half_k is None


# --------------------------------------------------------------------------------------------------------------- norms

FIELD_A = [1771, 2006, 2100, 2164, 2186, 2656, 2651, 2154, 2225, 2217, 2488, 2323]
TERMS_A = [1, 1, 1, 1, 1, 0.18, 0.18625, 1, 0.9375, 0.9575, 0.39, 0.6925]


def norm(level: str, opponents: list[int], score: float) -> norms.Norm:
    assert NOW.norms
    codes = [f"P{number}" for number in range(len(opponents))]
    return {each.level: each for each in norms.norms_of(codes, opponents, score, NOW.norms, NOW.levels)}[level]


def test_norms_a_twelve_games() -> None:
    assert [norms.expected_of_level(2400, each) for each in FIELD_A] == pytest.approx(TERMS_A)
    got = norm("Senior Life Master", FIELD_A, 9.5)
    assert (got.expected, got.margin, got.made) == (pytest.approx(9.34375), pytest.approx(0.15625), False)


def test_norms_b_a_second_category_norm() -> None:
    field = [1464, 2032, 1811, 1877]
    assert norm("1st category", field, 3).margin == pytest.approx(0.90)
    assert not norm("1st category", field, 3).made
    assert norm("2nd category", field, 3).margin == pytest.approx(1.77)
    assert norm("2nd category", field, 3).made


def test_a_norm_needs_more_than_one_point() -> None:
    assert norm("2nd category", [1600, 1600, 1600, 1600], 3).margin == 1
    assert not norm("2nd category", [1600, 1600, 1600, 1600], 3).made


def test_a_norm_needs_four_games_and_nobody_met_more_than_twice() -> None:
    assert NOW.norms
    assert list(norms.norms_of(["A", "B", "C"], [2400] * 3, 3, NOW.norms, NOW.levels)) == []
    assert list(norms.norms_of(["A", "A", "A", "B"], [2400] * 4, 4, NOW.norms, NOW.levels)) == []
    assert list(norms.norms_of(["A", "A", "B", "B"], [2400] * 4, 4, NOW.norms, NOW.levels))


def test_titles_are_five_norms_and_for_the_high_ones_the_rating() -> None:
    assert NOW.norms
    made = {"4th category": 6, "1st category": 4, "Candidate Master": 5}
    assert norms.titles_of(made, 1999, True, NOW.norms, NOW.levels) == ["4th category"]
    assert norms.titles_of(made, 2000, True, NOW.norms, NOW.levels) == ["4th category", "Candidate Master"]
    assert norms.titles_of(made, 2000, False, NOW.norms, NOW.levels) == []


@pytest.mark.parametrize(
    ("rating", "name"), [(2400, "Senior Master"), (2399, "National Master"), (1199, "Class E"), (150, "Class J")]
)
def test_classes(rating: int, name: str) -> None:
    assert class_name(rating, "uschess") == name


# ------------------------------------------------------------------------------------------------------------ editions


def threshold(edition: Edition) -> float:
    assert edition.bonus
    return edition.bonus.threshold


CHANGES: list[tuple[date, Callable[[Edition], Any], Any, Any]] = [
    (date(2006, 4, 1), lambda edition: edition.half_k is not None, True, False),
    (date(2007, 1, 1), lambda edition: edition.fide[0].offset, 50, 0),
    (date(2008, 6, 1), lambda edition: edition.absolute_floor.most, 100, 150),
    (date(2008, 7, 1), threshold, 10, 6),
    (date(2010, 4, 1), lambda edition: edition.peak_floor.least, 1400, 1200),
    (date(2013, 5, 1), threshold, 6, 8),
    (date(2013, 5, 1), lambda edition: edition.effective.centre, 2200, 2569),
    (date(2013, 5, 1), lambda edition: edition.low_k is not None, False, True),
    (date(2014, 7, 21), threshold, 8, 10),
    (date(2015, 6, 1), threshold, 10, 12),
    (date(2017, 1, 1), lambda edition: edition.fide[1].slope, 0.625, 0.94),
    (date(2017, 5, 1), threshold, 12, 14),
    (date(2020, 6, 1), lambda edition: edition.newcomers.blended, False, True),
    (date(2023, 2, 1), threshold, 14, 12),
    (date(2024, 3, 1), lambda edition: edition.fide[1].slope, 0.94, 1.5667),
    (date(2025, 1, 1), threshold, 12, 10),
]


@pytest.mark.parametrize(("day", "of", "before", "after"), CHANGES)
def test_both_sides_of_each_day(day: date, of: Callable[[Edition], Any], before: Any, after: Any) -> None:
    assert of(REGULAR.on(day - timedelta(days=1))) == before
    assert of(REGULAR.on(day)) == after


def test_every_edition_changes_a_number() -> None:
    for name in LISTS:
        book = load(f"uschess/{name}")
        for before, after in zip(book.editions, book.editions[1:]):
            kept = ("since", "announced", "name", "source", "status", "text")
            assert msgspec.structs.replace(before, **{key: getattr(after, key) for key in kept}) != after, after.since


def test_effective_games_of_2001() -> None:
    was = REGULAR.on(date(2013, 4, 30)).effective
    assert was
    from arpad.systems.uschess.formulas import most_effective

    assert most_effective(2200, was) == 50
    assert most_effective(2500, was) == 50
    assert most_effective(1200, was) == pytest.approx(50 / math.sqrt(11))


def test_what_was_decided_afterwards_says_so() -> None:
    late = {edition.since: edition.announced for edition in REGULAR.editions if edition.announced}
    assert late == {
        date(2020, 6, 1): date(2021, 6, 1),
        date(2023, 2, 1): date(2023, 10, 1),
        date(2025, 1, 1): date(2025, 6, 3),
    }


@pytest.mark.parametrize("name", LISTS)
def test_all_lists_have_one_threshold(name: str) -> None:
    book = load(f"uschess/{name}")
    for year in range(2001, 2027):
        day = date(year, 12, 31)
        if book.editions[0].since and book.editions[0].since <= day:
            assert threshold(book.on(day)) == threshold(REGULAR.on(day))


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("regular", date(2001, 1, 1)),
        ("quick", date(2001, 1, 1)),
        ("blitz", date(2013, 1, 1)),
        ("online-quick", date(2014, 1, 1)),
        ("online-blitz", date(2014, 1, 1)),
        ("online-regular", date(2020, 6, 12)),
    ],
)
def test_a_list_has_no_edition_before_it_began(name: str, begins: date) -> None:
    book = load(f"uschess/{name}")
    assert book.on(begins).since == begins
    with pytest.raises(UsageError, match=f"begins on {begins}"):
        book.on(begins - timedelta(days=1))


def test_the_words_are_there_in_three_languages() -> None:
    from arpad.rulebooks.views import clauses

    for name in LISTS:
        book = load(f"uschess/{name}")
        texts = [clause.text for edition in book.editions for _, clause in clauses(edition)]
        texts += [parameter.text for parameter in book.parameters.values()] + [book.title, book.text]
        texts += [edition.text for edition in book.editions if edition.text]
        assert all({"en", "it", "es"} <= set(text) for text in texts)


def test_a_rulebook_that_does_not_hold_is_refused(tmp_path: Any) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'organisation = "Club"\ngame = "chess"\nsystem = "uschess"\nlike = "uschess/regular"\n'
        "[[edition]]\nfrom = 2026-01-01\n[edition.low_k]\nuntil = 2100\n[edition.match]\nnet = -1\n"
        "[[edition.fide]]\nabove = 1000\n[[edition.fide]]\nabove = 2000\n"
        '[edition.newcomers]\norder = ["fide", "ecf"]\n[edition.feeds]\ndual_least = 80\n'
        '[[edition.levels]]\nname = "A"\nrating = 1200\n[[edition.levels]]\nname = "A"\nrating = 1100\n'
    )
    with pytest.raises(RulebookError) as caught:
        load(str(path))
    message = str(caught.value)
    for part in (
        "low_k.until",
        "match.net",
        "fide[2].above",
        "'ecf' is none of",
        "dual_most",
        "levels[2].rating",
        "one name",
    ):
        assert part in message, part


def own(tmp_path: Path, curve: str) -> Path:
    """A club that rates as US Chess does, with another curve."""
    path = tmp_path / "club.toml"
    path.write_text(
        'organisation = "club"\ngame = "chess"\nsystem = "uschess"\nlike = "uschess/regular"\n[title]\nen = "club"\n'
        f"[[edition]]\nfrom = 2025-01-01\n[edition.curve]\n{curve}\n"
    )
    return path


def test_the_standard_formula_expects_by_the_editions_curve(tmp_path: Path) -> None:
    games = [
        Game("A", "B", 1.0, date=date(2025, 6, 1), event="Open"),
        Game("C", "A", 1.0, date=date(2025, 6, 1), event="Open"),
    ]
    start = [Start("A", 1500.0, games=100), Start("B", 1900.0, games=100), Start("C", 1500.0, games=100)]
    scale = load(own(tmp_path, "scale = 800"))
    (wide,) = (change for change in explain(rated(scale, games, start), "B") if change.kind == "games")
    (narrow,) = (change for change in explain(rated("uschess/regular", games, start), "B") if change.kind == "games")
    assert narrow.expected == pytest.approx(1 / 1.1, abs=0.02)
    assert wide.expected == pytest.approx(1 / (1 + 10**-0.5), abs=0.02)


def test_another_shape_of_curve_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RulebookError, match=r"curve\.shape: the standard formula of US Chess has the logistic curve"):
        load(own(tmp_path, 'shape = "normal"\ndeviation = 282.8'))
