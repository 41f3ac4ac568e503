"""People: merged and split to the last digit, called by several names, shown to whom they may be, and moved."""

from __future__ import annotations

import random
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arpad.bureau import cards, lists
from arpad.bureau.corrections import Change, correct, revert
from arpad.bureau.intake import Decisions, receive
from arpad.bureau.keeping import verify
from arpad.bureau.opened import Office, init
from arpad.bureau.people import describe, federations_on, members, merge, show, split
from arpad.bureau.register import enrol
from arpad.errors import DataError, UnknownName, UsageError
from arpad.model import Game, PartialDate, Start
from tests.bureau.worlds import exact, fresh, office_of, some_events, taken

SYSTEMS = ("elo", "glicko2", "asigc")
few = settings(max_examples=15, deadline=None)


def twice_registered(random_: random.Random) -> tuple[list[list[Game]], list[list[Game]]]:
    """Reports in which A of every other event goes under the number A2; and the same under one number."""

    def turned(game: Game) -> Game:
        first, second = ("A2" if side == "A" else side for side in (game.first, game.second))
        return replace(game, first=first, second=second)

    starts = random_.sample(range(60), 5)  # so that no two games are of one day, whose order is that of names
    right = [
        [
            replace(game, date=date(2020, 1, 1) + timedelta(days=20 * start + at), round=at + 1)
            for at, game in enumerate(report)
        ]
        for start, report in zip(starts, some_events(random_, events=5))
    ]
    return [[*map(turned, report)] if at % 2 else report for at, report in enumerate(right)], right


def number_of(office: Office, club: str) -> int:
    return int(office.store.value("select person from identifier where number = ?", (club,)))


@few
@given(st.integers(0, 10**6), st.sampled_from(SYSTEMS))
def test_c59_merge_is_one_person_replayed_and_split_is_its_inverse(seed: int, rules: str) -> None:
    wrong, right = twice_registered(random.Random(seed))
    names = {side for report in wrong for game in report for side in (game.first, game.second)}
    if not {"A", "A2"} <= names:
        return
    with office_of(":memory:", wrong, rules) as office:
        days = [date(2021, 1, 1), date(2023, 1, 1)]
        printed = [lists.publish(office, day) for day in days]
        before = exact(office), [lists.revised(office, day) for day in days], lists.replay(office).sha256
        kept, gone = number_of(office, "A"), number_of(office, "A2")
        seen = merge(office, kept, gone, preview=True)
        assert exact(office) == before[0]
        done = merge(office, kept, gone, "registered twice")
        assert done.effect == seen.effect
        wanted = fresh([game for report in right for game in report], office)
        assert {name: state for name, state in exact(office).items() if name != "A2"} == wanted
        assert members(office, gone) == [kept, gone]
        cards_ = [cards.player(office, who) for who in (kept, gone, "club:A", "club:A2")]
        assert len({card.person for card in cards_}) == 1
        lines = cards_[0].lists[0].lines
        assert len(lines) == sum("A" in (game.first, game.second) for report in right for game in report)
        assert [line.date for line in lines] == sorted(line.date for line in lines if line.date)
        assert verify(office) == []
        undone = split(office, gone, "two people after all")
        after = exact(office), [lists.revised(office, day) for day in days], lists.replay(office).sha256
        assert after == before
        assert {(each.person, each.before, each.after) for each in undone.effect.moved} == {
            (each.person, each.after, each.before) for each in done.effect.moved
        }
        assert [lists.published(office, day) for day in days] == printed
        assert verify(office) == []


@few
@given(st.integers(0, 10**6))
def test_promise_5_merges_in_any_order_are_taken_back_exactly(seed: int) -> None:
    random_ = random.Random(seed)
    start = date(2022, 1, 1)
    names = ["A1", "A2", "A3", "A4"]
    reports = [
        [
            Game(name, random_.choice("BCDE"), random_.choice([0.0, 0.5, 1.0]), date=start + timedelta(days=day))
            for day in random_.sample(range(400), 3)
        ]
        for name in names
    ]
    with office_of(":memory:", reports) as office:
        states = [exact(office)]
        numbers = [number_of(office, name) for name in names]
        done: list[int] = []
        for _ in range(3):
            one, other = random_.sample(numbers, 2)
            if members(office, one)[0] == members(office, other)[0]:
                continue
            gone = members(office, other)[0]
            merge(office, one, other, "the same")
            done.append(gone)
            states.append(exact(office))
        assert verify(office) == []
        while done:
            assert exact(office) == states.pop()
            split(office, done.pop(), "not the same")
        assert exact(office) == states.pop()
        assert verify(office) == []


def test_c59_those_who_met_or_played_twice_in_a_round_are_two(place: str) -> None:
    report = [
        Game("A", "B", 1.0, date=date(2025, 1, 1), event="Open", round=1),
        Game("C", "D", 1.0, date=date(2025, 1, 1), event="Open", round=1),
        Game("A", "D", 1.0, date=date(2025, 1, 2), event="Open", round=2),
    ]
    with office_of(place, [report]) as office:
        before = exact(office), office.head
        with pytest.raises(DataError, match="they met, in game 1 of event 1"):
            merge(office, 1, 2, "a try")
        with pytest.raises(DataError, match=r"both played in round 1 of event 1 \(games 1 and 2\)"):
            merge(office, 1, 3, "a try")
        with pytest.raises(UsageError, match="person 1 is named twice"):
            merge(office, 1, 1, "a try")
        with pytest.raises(UsageError, match="needs a reason"):
            merge(office, 2, 3)
        with pytest.raises(UsageError, match="was not merged"):
            split(office, 1, "a try")
        with pytest.raises(UnknownName):
            merge(office, 1, 99, "a try")
        assert (exact(office), office.head) == before
        correct(office, [Change("game", 1, {"voided": 1})], "no game")
        merge(office, 1, 2, "one person")
        with pytest.raises(DataError, match="against themselves"):
            revert(office, office.head - 1, "it was one")
        with pytest.raises(DataError, match="against themselves"):
            correct(office, [Change("game", 3, {"second": 2})], "a slip")
        with pytest.raises(UsageError, match="arpad split"):
            revert(office, office.head, "a try")
        with pytest.raises(UsageError, match="not corrected"):
            correct(office, [Change("person", 3, {"merged": 1})], "a try")
        assert verify(office) == []


def test_reports_after_a_merge_go_to_the_one_person(place: str) -> None:
    with office_of(place, [[Game("A", "B", 1.0, date=date(2025, 1, 1))]]) as office:
        taken(office, [Game("C", "B", 1.0, date=date(2025, 1, 2))])
        kept, gone = number_of(office, "A"), number_of(office, "C")
        merge(office, kept, gone, "one person")
        late = [Game("C", "B", 0.0, date=date(2025, 1, 3))]
        assert taken(office, late).accepted
        assert len(cards.player(office, gone).lists[0].lines) == 3
        both = receive(
            office,
            [Game("x", "y", 1.0, date=date(2025, 1, 4))],
            Decisions(people={"x": kept, "y": gone}),
        )
        assert any("are one person" in str(hold) for hold in both.holds)
        said = [line.what for line in cards.log(office) if line.kind == "merge"]
        assert said == [f"person {gone} is person {kept}"]
        split(office, gone, "two people")
        assert verify(office) == []


def test_c47_c49_names_and_aliases_find_the_person_and_a_new_name_keeps_the_old(place: str) -> None:
    with init(place, "elo") as office:
        enrol(office, [Start("Pelé", 1800.0), Start("Müllner, Jörg", 1700.0)])
        describe(office, 1, name="Nascimento, Edson", aliases=["O Rei"], identifiers={"fide": "10023"})
        for who in ("Pele", "Edson Nascimento", "o rei", "fide:10023"):
            assert cards.find(office, who).id == 1
        assert cards.player(office, 1).name == "Nascimento, Edson"
        assert set(cards.player(office, 1).aliases) == {"Pelé", "O Rei"}
        with pytest.raises(DataError, match="person 1's"):
            describe(office, 2, identifiers={"fide": "10023"})
        with pytest.raises(UsageError, match="say what"):
            describe(office, 2)
        for who in ("Mullner Jorg", "Joerg Muellner"):  # C48
            assert cards.find(office, who).id == 2
        assert verify(office) == []


@pytest.mark.parametrize("name", ["Bell\x07", "Null\x00", "\x1b[31mRed"])
def test_a_name_that_no_list_could_print_is_refused(place: str, name: str) -> None:
    with init(place, "elo") as office:
        taken(office, [Game("A", "B", 1.0)])
        for said in ({"name": name}, {"aliases": [name]}):
            with pytest.raises(UsageError):
                describe(office, 1, **said)
        describe(office, 1, name="Smith,\n\tJohn")
        assert office.names([1])[1] == "Smith, John"


def test_c50_federations_are_dated_and_codes_kept_in_capitals(place: str) -> None:
    with init(place, "elo") as office:
        enrol(office, [Start("Rossi, Marco", 1800.0), Start("Verdi, Ugo", 1800.0)])
        describe(office, 1, federation="ITa")
        describe(office, 1, federation="cur", since=date(2024, 7, 1))
        describe(office, 2, federation="xyz", since=date(2025, 1, 1))
        assert federations_on(office, [1, 2], date(2024, 6, 30)) == {1: "ITA"}
        assert federations_on(office, [1, 2], date(2024, 7, 1)) == {1: "CUR"}
        assert federations_on(office, [1, 2], date(2025, 1, 1)) == {1: "CUR", 2: "XYZ"}
        describe(office, 1, federation="", since=date(2025, 2, 1))
        assert federations_on(office, [1], date(2025, 3, 1)) == {}
        assert cards.player(office, 1).federations == (
            (None, "ITA"),
            (date(2024, 7, 1), "CUR"),
            (date(2025, 2, 1), ""),
        )
        merge(office, 1, 2, "one person")
        assert federations_on(office, [1], date(2025, 1, 15)) == {1: "XYZ"}
        split(office, 2, "two")
        assert federations_on(office, [1], date(2025, 1, 15)) == {1: "CUR"}
        assert verify(office) == []


def test_who_is_not_to_be_named_is_a_number_to_those_who_may_not_know(place: str) -> None:
    with office_of(place, [[Game("Anna", "Bruno", 1.0, date=date(2025, 1, 1))]]) as office:
        describe(office, 1, federation="ITA")
        lists.publish(office, date(2025, 2, 1))
        show(office, 1, {"name": "members", "federation": "officers"})
        frozen = lists.published(office, date(2025, 2, 1))
        seen = {}
        for audience in ("public", "members", "officers"):
            office.audience = audience
            card = cards.player(office, 1)
            table = frozen.table(office.names(frozen.persons))
            seen[audience] = (card.name, card.federations != (), table.columns["name"][0])
            assert cards.event(office, 1).lines[0].first_name == card.name
            assert cards.player(office, 2).lists[0].lines[0].opponent_name == card.name
        assert seen == {
            "public": ("player 1", False, "player 1"),
            "members": ("Anna", False, "Anna"),
            "officers": ("Anna", True, "Anna"),
        }
        office.audience = "public"
        assert cards.player(office, 1).aliases == ()
        show(office, 0, {"name": "officers"})
        assert cards.player(office, 2).name == "player 2"
        show(office, 2, {"name": "public"})
        assert cards.player(office, 2).name == "Bruno"
        show(office, 0, {"name": ""})
        show(office, 1, {"name": ""})
        assert cards.player(office, 1).name == "Anna"
        with pytest.raises(DataError, match=r"no field 'phone'[\s\S]*nobody is called 'press'"):
            show(office, 1, {"phone": "public", "name": "press"})
        assert verify(office) == []


@pytest.mark.parametrize("rules", ["elo", "fide/standard"])
def test_c71_no_list_or_card_tells_the_day_of_a_birth(place: str, rules: str) -> None:
    with init(place, rules) as office:
        enrol(office, [Start("Rossi, Marco", 1800.0, born=PartialDate(2012, 5, 17))])
        card = cards.player(office, 1)
        assert card.born == 2012
        describe(office, 1, federation="ITA")
        for content in (lists.publish(office, date(2025, 1, 1)).content, repr(lists.revised(office)).encode()):
            assert b"2012" not in content
        office.audience = "public"
        assert cards.player(office, 1).born is None


def test_an_event_that_came_before_a_merge_is_known_again(place: str) -> None:
    report = [Game(name, "B", 1.0, date=date(2025, 1, day)) for day, name in enumerate("CDE", 1)]
    with office_of(place, [report]) as office:
        taken(office, [Game("A", "B", 1.0, date=date(2025, 2, 1))])
        merge(office, number_of(office, "A"), number_of(office, "C"), "one person")
        again = receive(office, [*reversed(report)], Decisions(ids="club"))
        assert not again.accepted
        assert any("probably the same" in str(hold) for hold in again.holds)
