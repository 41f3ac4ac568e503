"""What lists say of each other: movement, records, ranges, comparisons, and why a rating changed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.bureau import comparing, lists, movement, ranges, records
from arpad.bureau.corrections import Change, correct, revert
from arpad.bureau.intake import Decisions, receive
from arpad.bureau.keeping import verify
from arpad.bureau.opened import Office, add_list, init
from arpad.bureau.people import federations_on, merge
from arpad.bureau.register import Told, add_acts, enrol, tell
from arpad.bureau.why import why
from arpad.errors import DataError, UnknownName, UsageError
from arpad.formats.federations import CONTINENTS, FEDERATIONS, continent
from arpad.ledger import chain
from arpad.model import Act, Game, PartialDate, Start
from tests.bureau.worlds import ALL, game_number, office_of, some_events, taken

JULY, OCTOBER, JANUARY = date(2025, 7, 1), date(2025, 10, 1), date(2026, 1, 1)
few = settings(max_examples=10, deadline=None)


@pytest.fixture
def year(place: str) -> Iterator[Office]:
    """A club of which two lists were published: K = 20, and all begin at 1500."""
    with init(place, "elo", settings={"k": "20"}) as office:
        receive(office, [Game("Anna", "Bruno", 1.0, date=date(2025, 5, 1))], Decisions(register=True))
        lists.publish(office, JULY)
        receive(office, [Game("Carla", "Bruno", 1.0, date=date(2025, 8, 1))], Decisions({"Bruno": 2}, register=True))
        lists.publish(office, OCTOBER)
        yield office


def test_movement_new_shared_and_by_how_much(year: Office) -> None:
    first = movement.movement(year, JULY)
    assert [(each.name, each.status, each.rating) for each in first.moves] == [
        ("Anna", "new", 1510),
        ("Bruno", "new", 1490),
    ]
    assert first.before is None
    second = movement.movement(year, OCTOBER)
    carla = next(each for each in second.moves if each.name == "Carla")
    bruno = next(each for each in second.moves if each.name == "Bruno")
    assert (carla.status, carla.rank, carla.previous) == ("new", 2, None)
    assert bruno.previous == 1490
    assert bruno.rating is not None
    assert bruno.change == pytest.approx(bruno.rating - 1490)
    assert (bruno.games, bruno.previous_rank, bruno.rank, bruno.places) == (1, 2, 3, -1)
    assert second.summary == "3 on the list: 1 new, 0 returned, 0 left, 0 inactive; 0 rose, 1 fell"
    with pytest.raises(UsageError, match="was not published; published: 2025-07-01, 2025-10-01"):
        movement.movement(year, date(2025, 8, 1))


def test_the_live_list_is_told_against_the_last_one_published(year: Office) -> None:
    assert movement.movement(year).summary.endswith("0 rose, 0 fell")
    receive(year, [Game("Anna", "Bruno", 0.0, date=date(2025, 11, 1))], Decisions({"Anna": 1, "Bruno": 2}))
    found = movement.movement(year)
    assert (found.day, found.before) == (None, OCTOBER)
    assert {each.name: each.games for each in found.moves} == {"Anna": 1, "Bruno": 1, "Carla": 0}
    live = {each.name: each.rating for each in found.moves}
    assert live == {row["name"]: row["rating"] for row in lists.revised(year).rows()}


def test_c63_equal_ratings_share_a_rank() -> None:
    with init(":memory:", "elo") as office:
        people = [Start("a", 1600), Start("b", 1500), Start("c", 1500), Start("d", 1400)]
        enrol(office, people)
        found = movement.movement(office).moves
        assert [(each.rank, each.shared) for each in found] == [(1, False), (2, True), (2, True), (4, False)]


def test_who_left_and_came_back() -> None:
    with init(":memory:", "elo") as office:
        enrol(office, [Start("a", 1600), Start("b", 1500)])
        lists.publish(office, JULY)
        gone = correct(office, [Change("act", 2, {"voided": 1})], "b was entered by mistake")
        lists.publish(office, OCTOBER)
        left = movement.movement(office, OCTOBER).moves[-1]
        assert (left.name, left.status, left.rank, left.previous, left.rating) == ("b", "left", None, 1500, None)
        revert(office, gone.seq, "no mistake")
        lists.publish(office, JANUARY)
        back = movement.movement(office, JANUARY).moves[-1]
        assert (back.name, back.status, back.previous) == ("b", "returned", None)


def test_who_has_not_played_for_a_year_is_inactive_where_the_rules_say_so() -> None:
    with init(":memory:", "fide/standard", base=date(2023, 1, 1)) as office:
        enrol(office, [Start(each, 2000, games=50) for each in "abc"])
        games = [Game("a", "b", 1.0, date=date(2023, 3, 1)), Game("a", "c", 1.0, date=date(2024, 5, 10))]
        assert receive(office, games, Decisions({"a": 1, "b": 2, "c": 3})).accepted
        lists.publish(office, date(2024, 7, 1))
        found = movement.movement(office, date(2024, 7, 1))
        assert {each.name: each.inactive for each in found.moves} == {"a": False, "b": True, "c": False}
        assert "1 inactive" in found.summary


def test_records_of_published_lists_and_of_live_ratings_are_apart(year: Office) -> None:
    wins = [Game("Anna", "Bruno", 1.0, date=date(2025, 10, day)) for day in (5, 6)]
    loss = Game("Anna", "Carla", 0.0, date=date(2025, 10, 7))
    receive(year, [*wins, loss], Decisions({"Anna": 1, "Bruno": 2, "Carla": 3}))
    lists.publish(year, JANUARY)
    found = records.records(year, over=1505)
    peaks = {each.name: each for each in found.published_peaks}
    live = {each.name: each for each in found.live_peaks}
    assert live["Anna"].value > peaks["Anna"].value
    assert live["Anna"].day == date(2025, 10, 6)
    best = found.wins[0]
    assert (best.name, best.value, best.since, best.day) == ("Anna", 3, date(2025, 5, 1), date(2025, 10, 6))
    assert [(each.name, each.day) for each in found.reached] == [
        ("Anna", JULY), ("Carla", OCTOBER),
    ]  # fmt: skip
    assert found.gains[0].since == OCTOBER
    correct(year, [Change("game", game_number(year), {"voided": 1})], "never played")
    again = records.records(year, over=1505)
    assert again.published_peaks == found.published_peaks
    assert again.live_peaks != found.live_peaks


def test_records_by_federation_continent_and_age(place: str) -> None:
    with init(place, "elo", base=date(2020, 1, 1)) as office:
        born = {"old": PartialDate(1990, 3, 1), "young": PartialDate(2012, 6, 30), "unknown": None}
        enrol(office, [Start(name, 2000, born=when) for name, when in born.items()])
        day = date.toordinal
        told = [
            Told(1, "federation", 0, "ITA"),
            Told(1, "federation", day(OCTOBER), "USA"),
            Told(2, "federation", 0, "URU"),
        ]
        assert tell(office, told)
        lists.publish(office, JULY)
        found = records.records(office, over=2000)
        assert [(each.name, each.age, each.federation) for each in found.youngest] == [
            ("young", 13, "URU"), ("old", 35, "ITA"),
        ]  # fmt: skip
        assert [each.name for each in records.records(office, over=2000, federation="ITA").reached] == ["old"]
        assert [each.name for each in records.records(office, over=2000, part="Americas").reached] == ["young"]
        lists.publish(office, JANUARY)
        assert federations_on(office, [1], JULY)[1] == "ITA"
        assert federations_on(office, [1], OCTOBER)[1] == "USA"
        tell(office, [Told(1, "federation", day(OCTOBER), "")], "the move was called off, and the player left")
        assert 1 not in federations_on(office, [1], OCTOBER)
        assert verify(office) == []
        office.audience = "public"
        assert records.records(office, over=2000).youngest == ()
        assert {each.age for each in records.records(office, over=2000).reached} == {None}
        with pytest.raises(UnknownName, match="Atlantis"):
            records.records(office, part="Atlantis")
        with pytest.raises(DataError) as caught:
            tell(office, [Told(9, "title", 0, "GM"), Told(1, "federation", 0, "XYZ")])
        assert len(caught.value.problems) == 2


def test_every_federation_is_in_one_continent() -> None:
    codes = [code for each in CONTINENTS.values() for code in each]
    assert len(codes) == len(set(codes))
    assert FEDERATIONS - set(codes) == {"FID", "NON"}
    assert [continent(code) for code in ("ITA", "AUS", "BRA", "EGY", "NON")] == [
        "Europe",
        "Asia",
        "Americas",
        "Africa",
        "",
    ]


def test_ranges_classes_titles_thresholds_and_ranks() -> None:
    with init(":memory:", "elo", base=date(2020, 1, 1)) as office:
        given_ = {"a": 2410, "b": 2200, "c": 2199, "d": 1999, "e": 1500}
        enrol(office, [Start(name, rating) for name, rating in given_.items()])
        tell(office, [Told(2, "title", 0, "M"), Told(3, "title", date(2026, 1, 1).toordinal(), "M")])
        lists.publish(office, JULY)
        found = ranges.distribution(office, JULY, classes="asigc")
        assert [(each.name, each.players) for each in found] == [
            ("Senior Master", 1), ("Master", 1), ("Candidate Master", 1), ("National category", 1), ("", 1),
        ]  # fmt: skip
        assert [each.titled for each in found][1:3] == [{"M": 1}, {}]
        plain = ranges.distribution(office, width=200)
        assert [(each.low, each.players) for each in plain] == [
            (2400, 1), (2200, 1), (2000, 1), (1800, 1), (1600, 0), (1400, 1),
        ]  # fmt: skip
        assert sum(each.share for each in plain) == pytest.approx(1)
        assert ranges.counts(office, [2000, 2200.0]) == [ranges.Count(JULY, 5, {"2000": 3, "2200": 2})]
        for rating, rank in ((2411, 1), (2410, 1), (2200, 2), (2100, 4), (0, 6)):
            assert [each.rank for each in ranges.rank_of(office, rating)] == [rank, rank]
        with pytest.raises(UsageError, match="above zero"):
            ranges.distribution(office, width=0)
        with pytest.raises(UnknownName, match="klass"):
            ranges.distribution(office, classes="klass")


# ------------------------------------------------------------------------------------------- several lists


def test_several_pools_and_rulebooks_on_the_same_facts_side_by_side(place: str) -> None:
    reports = some_events(random.Random(5))
    with office_of(place, reports) as office:
        add_list(office, "glicko2")
        add_list(office, "elo", name="rapid", pool="rapid")
        receive(office, some_events(random.Random(6))[0], Decisions(register=True, ids="club", pool="rapid"))
        found = comparing.side_by_side(office, rules=())
        assert [each.list for each in found.figures] == ["elo", "glicko2", "rapid"]
        for name in ("elo", "glicko2", "rapid"):
            printed = {row["person"]: row["rating"] for row in lists.revised(office, name=name).rows()}
            assert {
                each.person: each.ratings[name] for each in found.people if each.ratings[name] is not None
            } == printed
        assert found.figures[0].agreement == pytest.approx(1)
        assert found.figures[0].games == found.figures[1].games == sum(map(len, reports))
        day = date(2022, 1, 1)
        dated = comparing.side_by_side(office, ["elo", "glicko2"], day=day)
        assert {each.person: each.ratings["elo"] for each in dated.people} == {
            row["person"]: row["rating"] for row in lists.revised(office, day, "elo").rows()
        }
        with pytest.raises(UsageError, match="nothing to compare"):
            comparing.side_by_side(office, ["elo"])
        with pytest.raises(UnknownName):
            comparing.side_by_side(office, ["elo", "blitz"])


# ------------------------------------------------------------------------------------------- why


@few
@given(st.integers(0, 10**6), st.integers(0, 1600))
def test_why_its_numbers_add_up_and_nothing_is_written(seed: int, days: int) -> None:
    random_ = random.Random(seed)
    reports = some_events(random_, events=5)
    with office_of(":memory:", reports[:3]) as office:
        day = date.fromordinal(date(2020, 1, 1).toordinal() + days)
        lists.publish(office, day)
        entry = random_.randint(2, office.head)
        correct(office, [Change("game", game_number(office, 2), {"voided": 1})], "never played")
        taken(office, reports[3])
        add_acts(office, [Act("adjustment", "1", date(2022, 5, 5).toordinal(), 12.5, reason="arithmetic")])
        taken(office, reports[4])
        head = office.head
        printed = {row["person"]: row["rating_exact"] for row in lists.published(office, day).table({}).rows()}
        now = {row["person"]: row["rating_exact"] for row in lists.revised(office).rows()}
        for person in (1, 2, 3):
            for since in (day, entry):
                told = why(office, person, since)
                assert told.now == now.get(person)
                if since == day:
                    assert told.was == printed.get(person)
                if told.change is not None and all(part.change is not None for part in told.parts):
                    assert sum(part.change or 0.0 for part in told.parts) == pytest.approx(told.change, abs=1e-6)
                assert told.sentence().endswith(".")
        assert office.head == head
        assert verify(office) == []


def test_why_since_a_list_names_games_since_and_the_correction(year: Office) -> None:
    receive(year, [Game("Anna", "Carla", 0.5, date=date(2025, 11, 1))], Decisions({"Anna": 1, "Carla": 3}))
    before = why(year, "Anna", OCTOBER)
    assert [(part.kind, part.count, part.revision) for part in before.parts] == [("games", 1, False)]
    done = correct(year, [Change("game", 1, {"score": 0.5, "other": 0.5})], "the arbiter's letter")
    told = why(year, "Anna", OCTOBER)
    assert (told.was, [part.entry for part in told.parts if part.revision]) == (1510, [done.seq])
    sentence = told.sentence()
    assert sentence.startswith("Anna had 1510.00 on 2025-10-01 and has ")
    assert "by 1 game(s) since" in sentence
    assert "because that list has been revised: -10.00 by entry" in sentence
    assert "“the arbiter's letter”" in sentence
    italian = why(year, "Carla", OCTOBER, language="it").sentence()
    assert f"attraverso gli avversari, per la registrazione {done.seq} del" in italian
    assert "correzione: partita 1: risultato 1-0 → 1/2-1/2 (“the arbiter's letter”)" in italian
    spanish = why(year, "Anna", OCTOBER, language="es").sentence()
    assert "desde entonces" in spanish
    assert "corrección: partida 1: resultado 1-0 → 1/2-1/2" in spanish
    with pytest.raises(UnknownName, match="unknown language 'de'"):
        why(year, "Anna", OCTOBER, language="de")


def test_why_names_acts_in_the_language(year: Office) -> None:
    add_acts(year, [Act("adjustment", "1", date(2025, 12, 1).toordinal(), 12.5, reason="arithmetic")])
    found = {language: why(year, "Anna", OCTOBER, language=language).sentence() for language in ("en", "it", "es")}
    assert "by a dated act of 2025-12-01 (adjustment)" in found["en"]
    assert "per un atto del 2025-12-01 (rettifica)" in found["it"]
    assert "por un acto del 2025-12-01 (ajuste)" in found["es"]


def test_why_since_an_entry(year: Office) -> None:
    entry = year.head
    assert why(year, "Anna", entry).sentence() == f"Anna had 1510.00 after entry {entry} and has it still."
    done = correct(year, [Change("game", 1, {"voided": 1})], "never played")
    told = why(year, "Anna", entry)
    assert [(part.entry, part.own, part.change) for part in told.parts] == [(done.seq, True, None)]
    first = why(year, "Carla", 1)
    assert first.was is None
    assert first.parts[-1].kind == "entry"
    for wrong in (0, year.head + 1):
        with pytest.raises(UsageError, match="there is no entry"):
            why(year, "Anna", wrong)
    add_list(year, "glicko2")
    with pytest.raises(UsageError, match="is not as old as"):
        why(year, "Anna", entry, "glicko2")


def test_why_with_many_entries_tells_the_oldest_together() -> None:
    with init(":memory:", "elo") as office:
        start = office.head
        for month in range(1, 13):
            for day in (1, 15):
                receive(office, [Game("A", "B", 1.0, date=date(2024, month, day))], ALL)
        told = why(office, "club:A", start + 4)
        assert told.parts[-1].kind == "more"
        assert sum(part.change or 0.0 for part in told.parts) == pytest.approx(told.change)


def test_why_where_a_birth_date_was_told_later() -> None:
    """What cannot be taken back by itself is made anew from the entries of before."""
    with init(":memory:", "elo") as office:
        enrol(office, [Start("a", 1600)])
        entry = office.head
        add_acts(office, [Act("adjustment", "1", JULY.toordinal(), 7.0)])
        with office.store.writing():
            words = {"p1": chain.canonical({"born": 19900101})}
            chain.append(office.store, office.actor, "people", {"people": [1]}, "", words)
        told = why(office, "a", entry)
        assert (told.was, told.now) == (1600, 1607)
        assert sum(part.change or 0.0 for part in told.parts) == 7


def test_why_two_numbers_were_merged(place: str) -> None:
    with init(place, "elo", settings={"k": "20"}) as office:
        games = [Game("A", "B", 1.0, date=JULY), Game("C", "D", 1.0, date=OCTOBER)]
        assert receive(office, games, ALL).accepted
        entry = office.head
        one, other = (office.store.value("select person from identifier where number = ?", (each,)) for each in "AC")
        done = merge(office, one, other, "registered twice")
        told = why(office, one, entry)
        assert [(part.entry, part.own) for part in told.parts] == [(done.seq, True)]
        assert told.parts[0].change == told.change
        assert told.was == 1510
        assert "registered twice" in told.sentence()
