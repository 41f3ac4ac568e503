"""The ASIGC programme on an office, with the numbers of its description (others.md 1.1)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date

import pytest

from arpad.bureau import cards, comparing, lists, sheets
from arpad.bureau.bases import move_base
from arpad.bureau.corrections import Change, correct, revert
from arpad.bureau.intake import Decisions, receive
from arpad.bureau.keeping import verify
from arpad.bureau.opened import Office, init
from arpad.bureau.people import merge
from arpad.bureau.register import add_acts, enrol
from arpad.engine import replay
from arpad.errors import DataError, UsageError
from arpad.model import Act, Game, Games, Start
from arpad.rulebooks import load
from tests.bureau.worlds import taken
from tests.engine.helpers import rated

BASE = date(1992, 12, 31)


def asigc(place: str = ":memory:", **settings: str) -> Office:
    return init(place, "asigc", base=BASE, settings=settings)


def blend(person: int, day: date, rating: float, games: int) -> Act:
    return Act("blend", str(person), day.toordinal(), rating, games)


def ratings(office: Office) -> dict[str, float]:
    return {row["name"]: row["rating_exact"] for row in lists.revised(office).rows()}


def test_1_1_the_blend_of_the_description_end_to_end(place: str) -> None:
    """2200 points on 75 games, and 2400 with ICCF on 25 games on 1 April 2001: 2250 points on 100 games."""
    with asigc(place) as office:
        (member,) = enrol(office, [Start("Rossi", 2200, games=75)])
        add_acts(office, [blend(member, date(2001, 4, 1), 2400, 25)], reason="the ICCF list of April")
        assert ratings(office) == {"Rossi": 2250}
        entered, blended = sheets.sheet(office, "Rossi")
        assert (entered.kind, entered.after, entered.other_games) == ("entry", 2200, 75)
        assert (blended.kind, blended.before, blended.games) == ("blend", 2200, 75)
        assert (blended.other, blended.other_games, blended.after) == (2400, 25, 2250)
        assert cards.player(office, member).lists[0].games == 100
        printed = lists.publish(office, date(2001, 4, 1)).table({member: "Rossi"}).rows()
        assert [(row["name"], row["rating"], row["games"]) for row in printed] == [("Rossi", 2250, 100)]
        assert verify(office) == []


@pytest.mark.parametrize(
    ("settings", "right"),
    [
        ({}, 2284.6),
        ({"blend_own": "own"}, 2292.9),
        ({"blend_other": "increase"}, 2257.1),
    ],
)
def test_1_1_three_readings_of_the_next_blend(settings: dict[str, str], right: float) -> None:
    """After 2250 on 100 games: ICCF 2400 on 30 games and no ASIGC game between."""
    with asigc(**settings) as office:
        (member,) = enrol(office, [Start("Rossi", 2200, games=75)])
        add_acts(office, [blend(member, date(2001, 4, 1), 2400, 25), blend(member, date(2001, 10, 1), 2400, 30)])
        assert ratings(office)["Rossi"] == pytest.approx(right, abs=0.05)


@pytest.mark.parametrize(
    ("growth", "right"),
    [
        # 25 games in April and in October: no more than mixed in last, but more than the 0 of October 2000.
        ("blend", (2250, 2250)),
        ("year", (2250, (100 * 2250 + 25 * 2400) / 125)),
    ],
)
def test_1_1_what_the_iccf_games_must_have_grown_against(growth: str, right: tuple[float, float]) -> None:
    day = date.toordinal
    acts = [Act("blend", "me", day(date(2001, month, 1)), 2400, 25) for month in (4, 10)]
    later = [Act("blend", "me", day(date(2002, month, 1)), 2400, 25) for month in (4, 10)]
    book = load("asigc", {"blend_growth": growth})
    history = rated(book, [], [Start("me", 2200, games=75)], [*acts, *later])
    assert tuple(done.after for done in history.acts[:2]) == right
    assert [bool(done.note) for done in history.acts[2:]] == [True, True]
    first = replay(Games.of([]), book, [Start("me", 2200, games=75)], acts)
    again = replay(Games.of([]), book, first.checkpoint(), later)
    assert again.rating("me") == history.rating("me")
    assert [bool(done.note) for done in again.acts] == [True, True]


def test_1_1_game_by_game_against_the_old_half_year(place: str) -> None:
    """15 wins against 1800 from 1800: 1955 game by game, 2081 where all count from 1800."""
    with asigc(place) as office:
        games = [Game("me", f"o{n}", 1.0, date=date(2001, 1, 2 + n)) for n in range(15)]
        assert taken(office, games).accepted
        found = comparing.side_by_side(office, rules=["asigc:half-year"])
        assert found.people[0].ratings == {"asigc": 1955, "asigc:half-year": 2081}
        assert [(each.list, each.games) for each in found.figures] == [("asigc", 15), ("asigc:half-year", 15)]
        lines = [line for line in sheets.sheet(office, "club:me") if line.kind == "game"]
        first = lines[0]
        assert (first.before, first.other, first.expected) == (1800, 1800, 0.5)
        assert (first.r, first.p, first.k, first.f, first.after) == (20, 1.5, 30, 1.25, 1818.75)
        assert lines[-1].games == 14


def test_1_1_a_first_category_member_of_another_federation_enters_at_1800_with_40_games() -> None:
    with asigc() as office:
        (member,) = enrol(office, [Start("Bianchi", None)])
        add_acts(office, [Act("entry", str(member), date(2003, 5, 1).toordinal(), float("nan"), category="1N")])
        state = cards.player(office, member).lists[0]
        assert (state.rating, state.games) == (1800, 40)
        (line,) = sheets.sheet(office, member)
        assert (line.kind, line.after, line.note) == ("entry", 1800, "1N")


@pytest.mark.parametrize(
    ("own", "games", "other", "score", "expected", "r", "p", "f", "right"),
    [
        (1890, 120, 1771, 1.0, 0.66, 17, 1, 1, 1895.78),
        (1771, 30, 1890, 1.0, 0.34, 20.9667, 1.5, 1.25, 1796.94625),
        (1500, 60, 2000, 1.0, 0.04, 30, 1.4, 1.5, 1560.48),
        (2000, 75, 2240, 1.0, 0.20, 13.3333, 1.25, 1.5, 2020.00),
        (2250, 150, 2000, 0.5, 0.81, 10, 1, 1, 2246.90),
    ],
)
def test_1_1_worked_changes_stand_on_the_sheet(
    own: float, games: int, other: float, score: float, expected: float, r: float, p: float, f: float, right: float
) -> None:
    with asigc() as office:
        me, you = enrol(office, [Start("me", own, games=games), Start("you", other, games=200)])
        decided = {"me": me, "you": you}
        done = receive(office, [Game("me", "you", score, date=date(2001, 3, 3))], Decisions(people=decided))
        assert done.accepted
        line = sheets.sheet(office, me)[-1]
        assert (line.before, line.other, line.games, line.score) == (own, other, games, score)
        assert line.expected == expected
        assert (line.r, line.p, line.f) == (pytest.approx(r, abs=5e-5), p, f)
        assert line.after == pytest.approx(right, abs=1e-9)
        assert line.k == pytest.approx(p * (line.r or 0.0))


def test_1_1_newcomers_before_and_after_the_alignment_of_1999() -> None:
    with asigc() as office:
        early = [Game("a", "b", 0.5, date=date(1993, 5, 1)), Game("c", "d", 0.5, date=date(2000, 5, 1))]
        assert taken(office, early).accepted
        assert sorted(ratings(office).values()) == [1500, 1500, 1800, 1800]
        assert [line.kind for line in sheets.sheet(office, "club:c")] == ["newcomer", "game"]


# --------------------------------------------------------------------------------------- the base moved forward


def old_games(seed: int, years: Sequence[int] = range(1993, 2010)) -> list[Game]:
    random_ = random.Random(seed)
    games = []
    for year in years:
        for month in range(1, 13):
            first, second = random_.sample("ABCDEFGH", 2)
            day = date(year, month, random_.randint(1, 28))
            games.append(Game(first, second, random_.choice([0.0, 0.5, 1.0]), date=day))
    return games


@pytest.mark.parametrize("settings", [{}, {"blend_growth": "year", "blend_own": "own"}])
@pytest.mark.parametrize("day", [date(1993, 12, 31), date(1998, 4, 1), date(1999, 11, 28)])
def test_1_1_the_base_moves_and_nobody_is_rated_otherwise(place: str, settings: dict[str, str], day: date) -> None:
    with asigc(place, **settings) as office:
        assert taken(office, old_games(4)).accepted
        add_acts(office, [blend(1, date(year, 4, 1), 2300, 5 * (year - 1992)) for year in (1995, 1998, 2003)])
        lists.publish(office, date(1993, 7, 1))
        lists.publish(office, date(2004, 1, 1))
        before = lists.revised(office).rows()
        assert move_base(office, day, preview=True).seq == 0
        assert office.which().base == BASE.toordinal()
        moved = move_base(office, day, reason="errors are no longer reported for these years")
        assert moved.effect.moved == () == moved.effect.lists
        assert office.which().base == day.toordinal()
        assert lists.revised(office).rows() == before
        assert verify(office) == []
        closed = correct(office, [Change("game", 1, {"voided": 1})], preview=True)
        assert closed.effect.moved == ()
        with pytest.raises(UsageError, match="closed before"):
            lists.revised(office, date(1993, 7, 1))
        with pytest.raises(UsageError, match="stands as published"):
            lists.compare(office, date(1993, 7, 1))
        assert lists.compare(office, date(2004, 1, 1)) == []
        assert lists.published(office, date(1993, 7, 1)).sha256
        revert(office, moved.seq, "an error of 1993 was found after all")
        assert office.which().base == BASE.toordinal()
        assert lists.revised(office).rows() == before
        assert verify(office) == []


def test_1_1_a_base_moved_twice_goes_on_from_the_first(place: str) -> None:
    with asigc(place) as office:
        assert taken(office, old_games(5)).accepted
        before = lists.revised(office).rows()
        move_base(office, date(1993, 12, 31), reason="one year")
        move_base(office, date(1994, 12, 31), reason="another")
        assert lists.revised(office).rows() == before
        assert verify(office) == []


@pytest.mark.parametrize(
    ("day", "said"),
    [
        (date(1999, 12, 28), "can be moved to 1999-12-"),
        (date(1992, 1, 1), "only moved forward"),
        (BASE, "only moved forward"),
    ],
)
def test_1_1_ten_years_stay_open(day: date, said: str) -> None:
    with asigc() as office:
        assert taken(office, [*old_games(4), Game("A", "B", 1.0, date=date(2009, 12, 20))]).accepted
        with pytest.raises(UsageError, match=said):
            move_base(office, day, reason="too late")
        with pytest.raises(UsageError, match="needs a reason"):
            move_base(office, date(1995, 1, 1))


def test_a_base_is_not_moved_into_a_period() -> None:
    with init(":memory:", "asigc:half-year", base=BASE) as office:
        assert taken(office, old_games(6)).accepted
        before = lists.revised(office).rows()
        with pytest.raises(UsageError, match="settle several days at once"):
            move_base(office, date(1995, 3, 1), reason="in the middle")
        move_base(office, date(1995, 7, 1), reason="at the beginning of one")
        assert lists.revised(office).rows() == before


def test_who_both_held_a_rating_at_a_moved_base_is_not_merged_without_opening_the_years(place: str) -> None:
    with asigc(place) as office:
        early = [Game("A", "B", 1.0, date=date(1993, 5, 1)), Game("C", "B", 1.0, date=date(1993, 6, 1))]
        late = [Game("A", "B", 1.0, date=date(2008, 5, 1)), Game("D", "B", 0.5, date=date(2008, 6, 1))]
        assert taken(office, [*early, *late]).accepted
        numbers = dict(office.store.rows("select number, person from identifier"))
        joined = [merge(office, numbers["A"], numbers[each], preview=True).effect.moved for each in "CD"]
        moved = move_base(office, date(1995, 1, 1), reason="closed")
        with pytest.raises(DataError, match="both were on list 'asigc' when its base was moved to 1995-01-01"):
            merge(office, numbers["A"], numbers["C"], "one person")
        again = merge(office, numbers["A"], numbers["D"], preview=True).effect.moved
        assert again == joined[1]
        assert verify(office) == []
        revert(office, moved.seq, "they are one person")
        assert merge(office, numbers["A"], numbers["C"], "one person").effect.moved == joined[0]
