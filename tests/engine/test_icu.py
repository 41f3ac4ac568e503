"""Ireland's ICU: the examples of section 2.3, the events in the tests of the rating officer's program, its versions.

Those events (Malahide 2007, Drogheda 2009, European Youth 2008, and one made up for an experiment) were compared there
with the Union's database: expectations to a hundredth, ratings to half a point, bonuses exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pytest

from arpad.engine import History
from arpad.explain import explain
from arpad.model import Game, PartialDate, Start
from arpad.rulebooks import load
from arpad.rulebooks.book import Rulebook
from arpad.sentences import words
from arpad.systems.icu import FULL, bonus_of, k_of
from tests.engine.helpers import rated

#: Pairings of an event by round: "1-6 W" is a win of number 1.
SCORES = {"W": 1.0, "D": 0.5, "L": 0.0}


def entrant(name: str, rating: float | None, *, k: float = 0, games: int = 0, fixed: bool = False) -> Start:
    facts = {name: value for name, value in (("k", k), ("fixed", float(fixed))) if value}
    return Start(name, rating, games=games or None, facts=facts)


def played(results: str, when: date = date(2009, 6, 1)) -> list[Game]:
    games = []
    for number, line in enumerate(results.split(",")):
        first, second, score = line.replace("-", " ").split()
        games.append(Game(first, second, SCORES[score], date=when, event="E", round=number + 1))
    return games


def expectations(history: History) -> Mapping[str, float]:
    return {history.players[row[1]]: row[6] for row in history.recording.changes}


def bonuses(history: History) -> Mapping[str, float]:
    return {history.players[code]: working.bonus for (_, code), working in history.recording.workings.items()}


VERSIONS = ["icu", "icu:v0", "icu:v1", "icu:v2"]
#: A day before and one after the program took the database's place.
DAYS = [date(2009, 6, 1), date(2014, 6, 1)]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("when", DAYS)
def test_2_3_icu_four_players_higher_always_wins(version: str, when: date) -> None:
    start = [entrant(str(number), 2300 - 100 * number, k=10 * number) for number in (1, 2, 3, 4)]
    history = rated(load(version), played("1-2 W,3-4 W,1-3 W,2-4 W,1-4 W,2-3 W", when), start)
    found = expectations(history)
    assert [found[name] for name in "1234"] == pytest.approx([2.249, 1.760, 1.240, 0.751], abs=5e-4)
    changes = [float(name) * 10 * (3 - found[name] - place) for place, name in enumerate("1234")]
    assert changes == pytest.approx([7.51, 4.81, -7.21, -30.05], abs=6e-3)
    assert [history.rating(name) for name in "1234"] == [2208, 2105, 1993, 1870]


@pytest.mark.parametrize("version", VERSIONS)
def test_2_3_icu_a_match_of_2009(version: str) -> None:
    start = [entrant("D", 1347, k=24), entrant("R", 1303, k=32)]
    history = rated(load(version), played("D-R W,D-R W,D-R W"), start)
    assert list(expectations(history).values()) == pytest.approx([1.689, 1.311], abs=5e-4)
    assert (history.rating("D"), history.rating("R")) == (1378, 1261)


MALAHIDE = (
    "1-10 W,1-14 W,1-5 D,1-7 D,1-2 W,1-4 D,2-13 W,2-7 D,2-3 W,2-5 W,2-8 W,3-9 W,3-12 W,3-5 W,4-11 W,4-7 D,4-12 W,4-8 W,"
    "5-8 W,5-7 W,6-7 L,6-13 W,6-8 L,6-10 W,6-9 D,6-12 W,7-11 D,8-12 W,9-14 L,9-11 D,9-13 W,10-16 W,10-11 D,10-13 W,"
    "11-12 L,11-13 W"
)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("when", DAYS)
def test_icu_provisional_ratings_as_in_malahide_2007(version: str, when: date) -> None:
    ratings = [1751, 1716, 1583, 1659, 1647, 1442, 1665, 1601, 1283, 1469, 1376, 1096, 1317, 1613, 1554, 1016]
    start = [entrant(str(at), rating, k=32 if at < 3 else 24) for at, rating in enumerate(ratings, 1)]
    start[11], start[15] = entrant("12", 1096, games=11), entrant("16", 1016, games=7)
    history = rated(load(version), played(MALAHIDE, when), start)
    found = expectations(history)
    expected = [3.97, 3.87, 2.50, 3.23, 2.39, 3.19, 3.46, 2.83, 1.39, 2.97, 2.69, 0.59, 1.68, 1.18]
    assert [found[str(at)] for at in range(1, 15)] == pytest.approx(expected, abs=0.01)
    assert found["16"] == pytest.approx(0.07, abs=0.01)
    after = [1768, 1736, 1595, 1678, 1650, 1449, 1654, 1581, 1298, 1458, 1372, 1157, 1277, 1609, 1554, 1023]
    assert [history.rating(str(at)) for at in range(1, 17)] == after
    assert history.state_of(history.code("12"))[1] == 16


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("when", DAYS)
def test_icu_players_of_all_kinds(version: str, when: date) -> None:
    start = [entrant("1", 2174, k=16), entrant("2", 1167, k=24), entrant("3", 751, games=19)]
    start += [entrant("4", 1273, games=19), entrant("5", 627, games=10), entrant("6", 684, games=10)]
    results = "1-8 W,2-7 W,3-6 W,4-5 W,1-3 W,2-4 W,5-7 W,6-8 W,1-2 W,3-4 W,5-6 W,7-8 W"
    history = rated(load(version), played(results, when), start)
    found = expectations(history)
    expected = [3.00, 1.36, 0.85, 2.38, 1.05, 1.04, 1.09, 1.24]
    assert [found[str(at)] for at in range(1, 9)] == pytest.approx(expected, abs=0.01)
    after = [history.rating(str(at)) for at in range(1, 9)]
    assert after == pytest.approx([2174, 1182, 851, 1206, 717, 678, 763, 805], abs=1)
    assert [history.state_of(history.code(name))[FULL] for name in "12345678"] == [1, 1, 1, 1, 0, 0, 0, 0]


@pytest.mark.parametrize("version", ["icu", "icu:v0", "icu:v1"])
def test_icu_a_bonus_as_in_drogheda_2009(version: str) -> None:
    ratings = {"1": (1046, 24), "2": (953, 24), "3": (922, 32), "4": (760, 40), "5": (825, 32), "6": (1002, 32)}
    start = [entrant(name, rating, k=k) for name, (rating, k) in ratings.items()]
    results = "1-6 W,2-5 W,3-4 L,6-4 D,5-3 L,1-2 W,2-6 W,3-1 L,4-5 L,6-5 D,1-4 L,2-3 L,3-6 D,4-2 L,5-1 L"
    for when in DAYS[:1] if version == "icu" else DAYS:
        history = rated(load(version), played(results, when), start)
        found = expectations(history)
        assert [found[name] for name in "123456"] == pytest.approx([3.43, 2.70, 2.44, 1.30, 1.67, 3.09], abs=0.01)
        assert [history.rating(name) for name in "123456"] == pytest.approx([1060, 960, 924, 824, 819, 951], abs=1)
        assert bonuses(history) == {"1": 0, "2": 0, "3": 0, "4": 16, "5": 0, "6": 0}


@pytest.mark.parametrize("version", VERSIONS)
def test_icu_a_bonus_against_visitors_as_in_the_european_youth_2008(version: str) -> None:
    visitors = {"2": 2036, "3": 1790, "4": 1832, "5": 1832, "6": 1939, "7": 1955, "8": 1893}
    start = [entrant("1", 1667, k=40), *(entrant(name, rating, fixed=True) for name, rating in visitors.items())]
    for when in DAYS:
        history = rated(load(version), played("1-8 L,1-3 W,1-5 L,1-7 W,1-6 W,1-4 W,1-2 L", when), start)
        assert expectations(history) == {"1": pytest.approx(1.54, abs=0.01)}
        assert bonuses(history) == {"1": 71}
        assert history.rating("1") == 1836
        assert history.recording.workings[0, history.code("1")].performance == pytest.approx(1954, abs=0.5)
        assert [history.rating(name) for name in visitors] == list(visitors.values())


def edition_bonus(when: date, rating: float, k: float, games: int, change: float, performed: float = 3000) -> float:
    rule = load("icu").on(when).improvement
    assert rule is not None
    return bonus_of(rule, rating, k, games, change, performed)


@pytest.mark.parametrize(
    ("rating", "k", "games", "change", "bonus"),
    [
        (1500, 32, 6, 60, 22),
        (1500, 40, 6, 60, 28),
        (1500, 24, 6, 60, 0),
        (1500, 32, 4, 60, 0),
        (1500, 32, 5, 35, 0),
        (1500, 32, 5, 36.4, 1),
        (2100, 32, 6, 60, 0),
        (2050, 32, 6, 60, 0),
    ],
)
def test_2_3_icu_bonus(rating: float, k: float, games: int, change: float, bonus: float) -> None:
    assert edition_bonus(date(2014, 1, 1), rating, k, games, change) == bonus


@pytest.mark.parametrize(("when", "bonus"), [(date(2011, 12, 31), 22), (date(2012, 1, 1), 23)])
def test_icu_a_bonus_of_exactly_a_half_on_both_sides_of_the_program(when: date, bonus: float) -> None:
    """1.25 x 18 = 22.5: the database rounded to the even number, the program away from zero."""
    assert edition_bonus(when, 1510, 40, 6, 56.477) == bonus


@pytest.mark.parametrize(("when", "most"), [(date(2011, 12, 31), 2099), (date(2012, 1, 1), 2100)])
def test_icu_the_bound_of_a_bonus_on_both_sides_of_the_program(when: date, most: float) -> None:
    assert round(2025 + 65.16) + edition_bonus(when, 2025, 32, 6, 65.16) == most
    assert edition_bonus(when, 2025, 32, 6, 65.16, performed=2095) == 5


@pytest.mark.parametrize(
    ("rating", "age", "member", "k", "clause"),
    [
        (2100, 15, 1, 16, "k"),
        (2099, 20, 1, 40, "k"),
        (2099, 21, 7, 32, "membership"),
        (2099, 21, 8, 24, "k"),
        (1500, float("nan"), float("nan"), 24, "k"),
    ],
)
def test_2_3_icu_k_factors(rating: float, age: float, member: float, k: float, clause: str) -> None:
    facts = {"rating": rating, "games": 30, "peak": rating, "age": age}
    assert k_of(load("icu").editions[-1], facts, member) == (k, clause)


@pytest.mark.parametrize(
    ("born", "joined", "k"),
    [
        (PartialDate(1993, 12, 20), 20041128, 40),
        (PartialDate(1975, 1, 10), 20050901, 32),
        (PartialDate(1975, 1, 10), 2005, 32),
        (PartialDate(1975, 1, 10), 19950901, 24),
        (PartialDate(1989, 7, 10), 20050901, 32),
        (PartialDate(1989, 7, 11), 20050901, 40),
        (PartialDate(1970, 1, 1), 20020710, 24),
        (PartialDate(1970, 1, 1), 20020711, 32),
    ],
)
def test_2_3_icu_k_by_birth_and_membership_on_the_first_day(born: PartialDate, joined: float, k: float) -> None:
    """Of the program's own example, an event that began on 10 July 2010."""
    start = [Start("a", 2000.0, born=born, facts={"joined": joined}), Start("b", 2000.0)]
    history = rated("icu", played("a-b W", date(2010, 7, 10)), start)
    assert history.recording.changes[0][7] == k
    assert history.rating("a") == 2000 + k / 2


def test_unrated_players_among_themselves_get_nothing() -> None:
    history = rated("icu", played("a-b W,b-c W"), [])
    assert [history.rating(name) for name in "abc"] == [None] * 3
    assert history.not_rated == 2


def test_estimates_that_never_come_to_rest_end() -> None:
    """Two newcomers who met a rated player once and each other often pull each other on for long."""
    history = rated("icu", played("a-r W,b-r W" + ",a-b W" * 60), [entrant("r", 1500, k=24)])
    assert history.rating("a") > history.rating("b") > 1500
    assert not history.recording.workings[0, history.code("a")].settled
    assert any("did not come to rest" in line for line in words(explain(history, "a"), "en"))


def test_one_pass_of_estimates_is_enough_for_who_met_newcomers_only() -> None:
    """The pass is the first to know the only opponent."""
    history = rated(load("icu", {"passes": 1}), played("old-new W", DAYS[1]), [entrant("old", 1400, k=24)])
    working = history.recording.workings[0, history.code("old")]
    assert working.performance == pytest.approx(1400)  # 1000, which the newcomer made, and 400
    assert history.rating("old") == 1402  # K 24 on an expected score of .9091
    assert history.rating("new") == 1000


def book(version: str) -> Rulebook:
    return load(version)


def test_2_3_icu_versions_are_what_the_notes_say() -> None:
    known = {}
    for version in VERSIONS:
        edition = book(version).editions[-1]
        estimates, improvement = edition.estimates, edition.improvement
        known[version] = (estimates.passes, estimates.passes_after, estimates.close, improvement.again)
    assert known == {
        "icu:v0": (30, 1, 0.5, True),
        "icu:v1": (30, 30, 0.5, True),
        "icu:v2": (30, 30, 0.1, False),
        "icu": (50, 50, 0.1, False),
    }


@pytest.mark.parametrize("language", ["en", "it", "es"])
def test_icu_explains_itself(language: str) -> None:
    start = [entrant("1", 2174, k=16), entrant("2", 1167), entrant("3", 751, games=19)]
    history = rated("icu", played("1-2 W,1-3 W,3-2 W,4-2 W,4-1 L"), start)
    for name in "1234":
        lines = "\n".join(words(explain(history, name), language))
        assert "{" not in lines
        assert "nan" not in lines.lower().split()
