"""How lists develop: what is told adds up, and says what lists, movements and ranges say of the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from math import fsum
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple, replace

from arpad.analysis.drift import Flow, Shift, Spread
from arpad.analysis.mixing import Mixing
from arpad.analysis.points import Points
from arpad.bureau import bases
from arpad.bureau.corrections import Change, correct
from arpad.bureau.drift import Account, Development, development
from arpad.bureau.lists import publish, published
from arpad.bureau.movement import movement
from arpad.bureau.opened import MOST_KEPT, Office, init, open_office
from arpad.bureau.people import merge, show
from arpad.bureau.ranges import counts
from arpad.bureau.register import Told, add_acts, tell
from arpad.errors import UnknownName, UsageError
from arpad.ledger import packed
from arpad.model import Act, Game
from tests.bureau.worlds import game_number, office_of, some_events, taken

DAYS = [date(2021, 1, 1), date(2022, 1, 1), date(2023, 1, 1), date(2024, 6, 1)]
RULES = ["elo", "fide/standard", "uschess/regular", "glicko", "glicko2", "asigc"]


def published_world(seed: int, rules: str, place: str = ":memory:") -> Office:
    """An office with lists, and with what came after they were printed."""
    reports = some_events(random.Random(seed), events=5)
    office = office_of(place, reports[:3], rules)
    entry = date(2019, 12, 1).toordinal()
    add_acts(office, [Act("entry", str(person), entry, 1300.0 + 137 * person, 9 * person) for person in range(1, 6)])
    for day in DAYS[:3]:
        publish(office, day)
    for report in reports[3:]:
        taken(office, report)
    publish(office, DAYS[3])
    correct(office, [Change("game", game_number(office), {"voided": 1})], "no game")
    return office


def assert_adds_up(held: Development) -> None:
    """The identities that hold of whatever is told."""
    for each in held.lists:
        moved, flow, account = each.shift, each.flow, each.account
        if moved:
            assert moved.stayers + moved.newcomers + moved.leavers == pytest.approx(moved.change, abs=1e-6)
        if flow:
            assert flow.stayed + flow.new + flow.returned == each.pool.players
        if account and flow:
            parts = account.points.total + account.rounding + account.corrections
            assert parts == pytest.approx(account.change, abs=1e-6)
            assert flow.stayers + flow.newcomers + flow.leavers == pytest.approx(account.change, abs=1e-6)
    games = held.loss.games if held.loss else 0
    for told in (held.differences, held.expectations, held.losses):
        assert sum(each.games for each in told) == games
    if held.account and held.flow:
        assert held.account.change == pytest.approx(fsum((held.flow.stayers, held.flow.newcomers, held.flow.leavers)))
        parts = held.account.points.total + held.account.rounding + held.account.corrections
        assert parts == pytest.approx(held.account.change, abs=1e-6)


def assert_as_elsewhere(office: Office, held: Development) -> None:
    """Numbers beside those of published lists, of movements and of counts."""
    counted = {each.day: each.players for each in counts(office, (), held.list)}
    assert list(counted) == list(held.days)
    for each in held.lists:
        ratings = [row["rating"] for row in published(office, each.day, held.list).table({}).rows()]
        assert each.pool.players == len(ratings) == counted[each.day]
        assert each.pool.mean == (pytest.approx(fsum(ratings) / len(ratings)) if ratings else None)
        moves = movement(office, each.day, held.list).moves
        if each.flow:
            status = [move.status for move in moves]
            told = each.flow.stayed, each.flow.new, each.flow.returned, each.flow.left
            assert told == tuple(status.count(kind) for kind in ("", "new", "returned", "left"))
        if each.inactive is not None:
            assert each.inactive == sum(move.inactive for move in moves)


@pytest.mark.parametrize("rules", RULES)
@settings(max_examples=5)
@given(st.integers(0, 10**6))
def test_what_is_told_adds_up_and_is_told_elsewhere(rules: str, seed: int) -> None:
    with published_world(seed, rules) as office:
        held = development(office)
        assert [each.day for each in held.lists] == DAYS
        assert_adds_up(held)
        assert_as_elsewhere(office, held)


def test_of_the_demo_everything_adds_up(demo_office: Path) -> None:
    with open_office(str(demo_office)) as office:
        told = 0
        for which in office.lists():
            held = development(office, which.name)
            assert_adds_up(held)
            assert_as_elsewhere(office, held)
            told += sum(each.account is not None for each in held.lists)
        assert told > 10


def test_a_correction_since_a_list_was_printed_is_told_apart() -> None:
    """Ten points and a half are given and printed; then they are taken back, and the replay knows nothing of them."""
    with office_of(":memory:", [[Game("A", "B", 1.0, date=date(2024, 1, 5), event="Open")]]) as office:
        publish(office, date(2024, 2, 1))
        add_acts(office, [Act("adjustment", "1", date(2024, 2, 6).toordinal(), 10.5)])
        publish(office, date(2024, 3, 1))
        assert development(office).lists[1].account == Account(10.5, Points(acts=10.5), 0, 0)
        correct(office, [Change("act", 1, {"voided": 1})], "it was another one's")
        publish(office, date(2024, 4, 1))
        _, march, april = development(office).lists
        assert march.account == Account(10.5, Points(), 0, 10.5)
        assert april.account == Account(-10.5, Points(), 0, -10.5)
        assert development(office).account == Account(0, Points(), 0, 0)


def test_before_a_base_that_was_moved_nothing_is_put_to_account(monkeypatch: pytest.MonkeyPatch) -> None:
    """The replay begins on the new base: lists before it stand, and what moved their sums is not known any more."""
    monkeypatch.setattr(bases, "OPEN_YEARS", 0)
    with published_world(8, "fide/standard") as office:
        before = development(office, since=DAYS[1])
        bases.move_base(office, DAYS[1], reason="closed")
        held = development(office)
        assert_adds_up(held)
        assert_as_elsewhere(office, held)
        assert [each.account is None for each in held.lists] == [True, True, False, False]
        assert held.account is None
        after = development(office, since=DAYS[1])
        assert replace(after, lists=after.lists[1:]) == replace(before, lists=before.lists[1:])


def test_who_was_on_an_earlier_list_has_returned() -> None:
    """Two whom the floor of 2024 takes off the list, one of whom is entered anew."""
    report = [Game("A", "B", 0.0, date=date(2024, 5, 5), event="Open")]
    with office_of(":memory:", [report], "fide/standard") as office:
        entry = date(2024, 4, 1).toordinal()
        add_acts(office, [Act("entry", person, entry, 1003.0, 50) for person in "12"])
        publish(office, date(2024, 5, 1))
        publish(office, date(2024, 7, 1))
        add_acts(office, [Act("entry", "1", date(2024, 8, 1).toordinal(), 1400.0, 50)])
        publish(office, date(2024, 9, 1))
        held = development(office)
        _, july, september = held.lists
        assert july.flow == Flow(0, 0, 0, 2, 0, 0, -2006)
        assert july.account == Account(-2006, Points(removals=-2006), 0, 0)
        assert september.flow == Flow(0, 0, 1, 0, 0, 1400, 0)
        assert held.flow == Flow(1, 0, 0, 1, 397, 0, -1003)
        later = development(office, since=date(2024, 7, 1))
        assert later.flow == september.flow


def test_merged_people_are_as_they_were_printed() -> None:
    """The lists have both, and the replay has one."""
    with init(":memory:", "elo") as office:
        taken(office, [Game("A", "B", 1.0, date=date(2024, 1, 5), event="Open")])
        publish(office, date(2024, 2, 1))
        taken(office, [Game("C", "B", 1.0, date=date(2024, 2, 5), event="Cup")])
        publish(office, date(2024, 3, 1))
        merge(office, 1, 3, "the same person")
        publish(office, date(2024, 4, 1))
        held = development(office)
        assert_adds_up(held)
        assert_as_elsewhere(office, held)
        assert [each.pool.players for each in held.lists] == [2, 3, 2]
        april = held.lists[2]
        assert april.flow is not None
        assert april.account is not None
        assert (april.flow.stayed, april.flow.left) == (2, 1)
        assert april.account.points == Points()
        assert april.account.corrections == pytest.approx(-1500)


def test_a_cohort_are_those_on_the_first_and_on_the_last_list() -> None:
    reports = [
        [Game("A", "B", 1.0, date=date(2024, 1, 5), event="Open")],
        [Game("A", "C", 1.0, date=date(2024, 2, 5), event="Cup")],
    ]
    with office_of(":memory:", reports) as office:
        for month in (2, 3, 4):
            publish(office, date(2024, month, 1))
        held = development(office)
        assert (held.since, held.until, held.cohort) == (date(2024, 2, 1), date(2024, 4, 1), 2)
        assert [each.pool.players for each in held.lists] == [2, 3, 3]
        assert held.lists[0].cohort == held.lists[0].pool == Spread(2, 1500, 1492, 1500, 1508)
        assert (held.lists[0].flow, held.lists[0].shift, held.lists[0].account) == (None, None, None)
        later = development(office, since=date(2024, 3, 1))
        assert [each.day for each in later.lists] == [date(2024, 3, 1), date(2024, 4, 1)]
        assert later.shift == Shift(0, 0, 0, 0)
        assert (later.cohort, later.loss, later.differences) == (3, None, ())
        assert later.lists[0].flow == held.lists[1].flow
        one = development(office, since=date(2024, 3, 1), until=date(2024, 3, 1))
        assert (one.cohort, one.flow, one.shift, one.account) == (3, None, None, None)
        first = development(office, until=date(2024, 2, 1))
        assert first.loss is not None
        assert first.loss.games == 1, "what was before the first list is told with it"
        assert held.loss is not None
        assert held.loss.games == 2


def test_games_of_a_stretch_are_those_of_its_lists() -> None:
    with published_world(11, "elo") as office:
        whole = development(office)
        parts = [development(office, since=before, until=day) for before, day in pairwise(DAYS)]
        assert whole.loss is not None
        assert whole.loss.games == sum(each.loss.games for each in parts if each.loss)
        accounts = [each.account for each in parts if each.account]
        assert whole.account is not None
        assert whole.account.change == pytest.approx(sum(each.change for each in accounts))


@pytest.mark.parametrize("rules", ["elo", "fide/standard", "glicko"])
def test_columns_of_numpy_tell_the_same(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for large in (packed.LARGE, 1):
        monkeypatch.setattr(packed, "LARGE", large)
        with published_world(5, rules) as office:
            tell(office, [Told(person, "federation", 0, code) for person, code in enumerate(("ITA", "SUI", "ITA"), 1)])
            history = office.history(office.which())
            assert hasattr(history.games.first, "dtype") == (large == 1)
            found.append(development(office))
    one, other = found
    assert numbers(one) == pytest.approx(numbers(other), abs=1e-6)
    assert one.groups


def numbers(held: object) -> list[float]:
    """Every number that is told, in its order."""
    return list(_numbers(held))


def _numbers(held: object) -> Iterator[float]:
    if isinstance(held, int | float):
        yield held
    elif isinstance(held, list | tuple):
        for each in held:
            yield from _numbers(each)
    elif hasattr(held, "__struct_fields__"):
        yield from _numbers(astuple(held))  # type: ignore[arg-type]


def test_a_list_that_was_not_published_and_a_wrong_order_are_refused() -> None:
    with published_world(2, "elo") as office:
        for asked in ({"since": date(2021, 1, 2)}, {"until": date(2021, 1, 2)}):
            with pytest.raises(UsageError, match="list 'elo' of 2021-01-02 was not published"):
                development(office, **asked)
        with pytest.raises(UsageError, match="the list of 2023-01-01 is no earlier one than that of 2022-01-01"):
            development(office, since=DAYS[2], until=DAYS[1])
        for width in (0.0, -5.0, float("inf"), float("nan")):
            with pytest.raises(UsageError, match="a width above zero, and an end"):
                development(office, width=width)
        with pytest.raises(UnknownName):
            development(office, "nothing")


def test_without_lists_or_games_there_is_nothing_to_tell() -> None:
    with init(":memory:", "elo") as office:
        assert development(office).lists == ()
        with pytest.raises(UsageError, match="was not published"):
            development(office, since=date(2024, 1, 1))
        publish(office, date(2024, 1, 1))
        publish(office, date(2024, 2, 1))
        held = development(office)
        assert [each.pool for each in held.lists] == [Spread(0)] * 2
        assert (held.cohort, held.shift, held.loss, held.groups) == (0, None, None, ())
        assert held.account is not None
        assert held.account.change == held.account.points.total == 0
        assert len(held.table()) == 2


def test_the_table_has_a_row_a_list_with_every_number() -> None:
    with published_world(4, "elo") as office:
        held = development(office)
        rows = held.table().rows()
        assert [row["date"] for row in rows] == DAYS
        for row, each in zip(rows, held.lists):
            assert (row["pool_players"], row["pool_mean"]) == (each.pool.players, each.pool.mean)
            assert row["cohort_median"] == each.cohort.median
            assert row["new"] == (each.flow.new if each.flow else None)
            assert row["mean_change"] == (each.shift.change if each.shift else None)
            assert row["sum_change"] == (each.account.change if each.account else None)
            assert row["sum_entries"] == (each.account.points.entries if each.account else None)


def test_whose_federation_is_hidden_is_of_none() -> None:
    """A and B of ITA, C of SUI: without C's federation there is one group, and nothing is said of any."""
    report = [
        Game(*pair, 1.0, date=date(2024, 1, day), event="Open", round=day)
        for day, pair in enumerate((("A", "B"), ("A", "C"), ("B", "C")), 1)
    ]
    with office_of(":memory:", [report]) as office:
        tell(office, [Told(person, "federation", 0, code) for person, code in enumerate(("ITA", "ITA", "SUI"), 1)])
        publish(office, date(2024, 2, 1))
        whole, italians, swiss = development(office).groups
        assert (whole.group, whole.sides) == ("", 6)
        assert italians == Mixing("ITA", 4, 0.5, pytest.approx(2 / 5), pytest.approx(-0.25))
        assert (swiss.group, swiss.sides, swiss.share, swiss.random) == ("SUI", 2, 1.0, pytest.approx(4 / 5))
        show(office, 3, {"federation": "officers"}, "asked for it")
        assert len(development(office).groups) == 3, "officers see it"
        office.audience = "public"
        assert development(office).groups == ()


def test_what_is_kept_of_a_list_has_an_end() -> None:
    with published_world(6, "elo") as office:
        for width in range(1, MOST_KEPT + 4):
            development(office, since=DAYS[width % 2], width=float(width))
        assert len(office.kept) <= MOST_KEPT
        assert len(office.printed) <= len(DAYS)


def test_accounts_add_up_part_by_part() -> None:
    with published_world(8, "elo") as office:
        held = development(office)
        parts = [each.account for each in held.lists[1:]]
        assert all(isinstance(each, Account) for each in parts)
        whole = parts[0] + parts[1] + parts[2]  # type: ignore[operator]
        assert held.account == whole
