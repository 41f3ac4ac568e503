"""Lists: a published one never changes; the list of a day is a replay that ended there."""

from __future__ import annotations

import random
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arpad import engine, views
from arpad.bureau import cards, lists
from arpad.bureau.corrections import Change, correct
from arpad.bureau.intake import receive
from arpad.bureau.keeping import verify
from arpad.bureau.opened import add_list, init
from arpad.bureau.register import add_acts, enrol
from arpad.bureau.replays import Replays
from arpad.errors import DataError, LedgerError, UsageError
from arpad.explain import explain
from arpad.formats import read_games
from arpad.ledger import packed
from arpad.model import Act, Game, Games, Start
from arpad.rulebooks import load
from tests.bureau.worlds import ALL, game_number, office_of, some_events, taken, without_texts

few = settings(max_examples=20, deadline=None)


@few
@given(st.integers(0, 10**6))
def test_promise_1_a_published_list_never_changes(seed: int) -> None:
    random_ = random.Random(seed)
    reports = some_events(random_)
    day = date(2022, 1, 1)
    with office_of(":memory:", reports[:2]) as office:
        first = lists.publish(office, day)
        for report in reports[2:]:
            taken(office, report)
        correct(office, [Change("game", game_number(office), {"voided": 1})], "no game")
        with pytest.raises(UsageError, match="stays as it is"):
            lists.publish(office, day)
        for sql in ("update publication set content = ''", "delete from publication", "delete from entry"):
            with pytest.raises((DataError, LedgerError), match="never changed"):
                office.store.run(sql)
        assert lists.published(office, day) == first
        assert verify(office) == []
        printed = {row["person"]: row["rating"] for row in first.table({}).rows()}
        revised = {row["person"]: row["rating"] for row in lists.revised(office, day).rows()}
        apart = {each.person: (each.published, each.revised) for each in lists.compare(office, day)}
        everybody = {**printed, **revised}
        assert apart == {
            who: (printed.get(who), revised.get(who)) for who in everybody if printed.get(who) != revised.get(who)
        }


@pytest.mark.parametrize("rules", ["elo", "glicko2", "asigc", "icc/classic"])
@few
@given(st.integers(0, 10**6), st.integers(0, 1600))
def test_promise_3_a_replay_looked_at_on_a_day_is_one_that_ended_before_it(rules: str, seed: int, day: int) -> None:
    games = Games.of([game for report in some_events(random.Random(seed)) for game in report])
    book = load(rules)
    looked = (date(2020, 1, 1) + timedelta(days=day)).toordinal()
    acts = [Act("adjustment", "A", looked - 40, 30.0), Act("adjustment", "A", looked + 40, 50.0)]
    try:
        ended = engine.replay(games, book, acts=acts, on=date.fromordinal(looked - 1))
    except DataError:
        return
    seen = lists.as_of(engine.replay(games, book, acts=acts, looks=[looked]), looked)
    if book.editions[-1].unit.of.startswith("period"):
        first, _ = seen.arrangement.calendar.around(looked)  # type: ignore[union-attr]
        if first != looked:
            return  # half a period is no list of the calendar
    assert rated(seen) == rated(ended)
    assert views.ratings(seen).rows() == views.ratings(replace(ended, as_of=looked)).rows()


def rated(history: engine.History) -> dict[str, list[float]]:
    states = {name: [float(number) for number in history.state_of(code)] for code, name in enumerate(history.players)}
    return {name: state for name, state in states.items() if state[0] == state[0]}


@few
@given(st.integers(0, 10**6), st.lists(st.integers(-100, 1700), max_size=5))
def test_looking_changes_nothing(seed: int, days: list[int]) -> None:
    games = Games.of([game for report in some_events(random.Random(seed)) for game in report])
    looks = [date(2020, 1, 1).toordinal() + day for day in days]
    for rules in ("elo", "fide/standard", "harkness", "uschess/regular"):
        plain = engine.replay(games, load(rules))
        seen = engine.replay(games, load(rules), looks=looks)
        assert rated(plain) == rated(seen)
        assert [look.day for look in seen.looked] == sorted(looks)


def test_stored_states_are_those_of_the_replay_and_say_on_what_they_rest(place: str) -> None:
    with office_of(place, some_events(random.Random(3))) as office:
        held = lists.replay(office)
        assert held.seq == office.head
        assert lists.stored(office, office.which()) == held
        exact = {row["person"]: row["rating_exact"] for row in lists.revised(office).rows()}
        assert held.ratings() == exact
        office.store.run("update standing set sha256 = ?", ("0" * 64,))
        assert "stored states" in verify(office)[0]


def test_two_lists_on_the_same_facts_and_two_pools_apart(place: str) -> None:
    reports = some_events(random.Random(5))
    with office_of(place, reports) as office:
        add_list(office, "glicko2")
        add_list(office, "elo", name="rapid", pool="rapid")
        for name in ("elo", "glicko2"):
            assert len(lists.revised(office, name=name)) > 0
        assert len(lists.revised(office, name="rapid")) == 0
        lists.publish(office, date(2021, 1, 1), "glicko2")
        with pytest.raises(UsageError, match="unknown list 'blitz'"):
            lists.publish(office, date(2021, 1, 1), "blitz")
        assert verify(office) == []


@pytest.mark.parametrize("name", ["U12/U14", "/", ".", ".."])
def test_a_list_has_a_name_that_its_addresses_can_have(name: str, tmp_path: Path) -> None:
    """Servers and browsers take these for more steps of an address, or for fewer."""
    with pytest.raises(UsageError, match="addresses of its pages"):
        init(tmp_path / "office.db", "elo", name=name)
    with init(tmp_path / "office.db", "elo", name="U12 & U14: 50 %?") as office:
        assert office.which().name == "U12 & U14: 50 %?"
        with pytest.raises(UsageError, match="addresses of its pages"):
            add_list(office, "elo", name=name)


def test_a_rulebook_that_reads_otherwise_is_not_taken_silently_where_no_text_is_kept(place: str, tmp_path: Any) -> None:
    path = tmp_path / "mine.toml"
    text = (load("elo").path).read_text()
    path.write_text(text)
    with office_of(place, [[Game("A", "B", 1.0)]], str(path)) as office:
        without_texts(office)
        path.write_text(text.replace("400", "480"))
        office._books.clear()
        office.replays = Replays()
        with pytest.raises(LedgerError, match="is not what it was"):
            lists.revised(office)
        with pytest.raises(LedgerError, match="is not what it was"):
            cards.player(office, "club:A")


def test_the_whole_list_as_published_and_revised_in_one_table(place: str) -> None:
    reports = [[Game("A", "B", 1.0, date=date(2025, 1, 5)), Game("C", "D", 1.0, date=date(2025, 1, 6))]]
    with office_of(place, reports) as office:
        day = date(2025, 2, 1)
        same = lists.publish(office, day).table({}).rows()
        both = lists.side_by_side(office, day)
        assert [(each.person, each.published_rank, each.published) for each in both] == [
            (row["person"], row["rank"], row["rating"]) for row in same
        ]
        assert {(each.change, each.only) for each in both} == {(0, "")}
        number = office.store.value("select id from game where first = 3 or second = 3")
        correct(office, [Change("game", number, {"voided": 1})], "no game")
        taken(office, [Game("A", "E", 0.0, date=date(2025, 1, 7))])
        both = lists.side_by_side(office, day)
        now = {row["person"]: (row["rank"], row["rating"]) for row in lists.revised(office, day).rows()}
        then = {row["person"]: (row["rank"], row["rating"]) for row in same}
        assert {each.person for each in both} == {1, 2, 3, 4, 5}
        for each in both:
            assert (each.published_rank, each.published) == then.get(each.person, (None, None))
            assert (each.revised_rank, each.revised) == now.get(each.person, (None, None))
            assert each.only == ("published" if each.person in (3, 4) else "revised" if each.person == 5 else "")
        assert [each.person for each in both][-1] == 5
        assert next(each.change for each in both if each.person == 1) == now[1][1] - then[1][1] < 0
        assert lists.compare(office, day) == sorted(
            (each for each in both if each.published != each.revised), key=lambda each: each.person
        )


def test_a_list_far_ahead_is_published_only_if_the_day_is_meant(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "today", lambda: date(2025, 3, 1))
    with office_of(place, [[Game("A", "B", 1.0, date=date(2025, 1, 5))]]) as office:
        head = office.head
        near, far = date(2025, 4, 30), date(2025, 5, 1)
        with pytest.raises(UsageError, match=r"2025-05-01 is 61 days ahead.*cannot be withdrawn.*--yes"):
            lists.publish(office, far)
        assert office.head == head
        lists.publish(office, near)
        lists.publish(office, far, ahead=True)
        assert [row[0] for row in office.store.rows("select day from publication order by day")] == [
            near.toordinal(),
            far.toordinal(),
        ]


CONTESTS = """contest,date,player,place
b,2025-01-01,1,1
b,2025-01-01,2,2
b,2025-01-01,3,3
a,2025-01-01,1,2
a,2025-01-01,2,1
a,2025-01-01,3,3
"""


@pytest.mark.parametrize("large", [1, packed.LARGE])
@pytest.mark.parametrize("rules", ["multiplayer", "multiplayer:share"])
def test_contests_of_several_players_count_in_an_office_as_they_do_in_a_file(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: str, large: int
) -> None:
    monkeypatch.setattr(packed, "LARGE", large)
    file = tmp_path / "contests.csv"
    file.write_text(CONTESTS)
    games, _ = read_games(str(file))
    history = engine.replay(games, load(rules))
    with init(place, rules) as office:
        assert receive(office, str(file), ALL).accepted
        listed = lists.revised(office).rows()
        assert {row["name"]: row["rating_exact"] for row in listed} == {
            name: history.rating(name) for name in history.players
        }
        assert views.contests(office.history(office.which())) == views.contests(history) == 2
        assert lists.publish(office, date(2025, 2, 1)).persons
        assert cards.player(office, "1").lists[0].games == 2
        assert cards.event(office, 1).lines
        assert verify(office) == []


def test_c60_a_list_after_the_uplift_has_it_although_nobody_played(place: str) -> None:
    """FIDE's of 1 March 2024, in an office whose members entered before."""
    with init(place, "fide/standard", base=date(2024, 1, 1)) as office:
        enrol(office, [Start("A", 1437.0, games=50), Start("B", 2100.0, games=50)])
        lists.replay(office)
        days = [date(2024, 2, 1), date(2024, 3, 1), date(2024, 4, 1)]
        ratings = [lists.publish(office, day).table({}).columns["rating"] for day in days]
        assert ratings == [[2100, 1437], [2100, 1662], [2100, 1662]]
        assert [change.kind for change in explain(office.history(office.which()), "1")] == ["entry", "uplift"]
        assert verify(office) == []  # what was stored before is not what the lists brought
        taken(office, [Game("A", "B", 0.5, date=date(2024, 5, 5), event="Open")])
        assert all(not lists.compare(office, day) for day in days)
        assert verify(office) == []


def test_what_was_kept_of_an_entry_that_was_only_tried_is_not_taken_for_the_next_one(tmp_path: Path) -> None:
    """Both have the same number."""
    with office_of(str(tmp_path / "office.db"), some_events(random.Random(3))) as office:

        def voided() -> int:
            return office.keep("voided", lambda: int(office.store.value("select count(*) from game where voided = 1")))

        with office.store.trying():
            add_acts(office, [Act("adjustment", "1", date(2021, 1, 1).toordinal(), 5.0, reason="tried")])
            assert voided() == 0
        correct(office, [Change("game", 2, {"voided": 1})], "no game")
        assert voided() == 1
        correct(office, [Change("game", 3, {"voided": 1})], "no game", preview=True)
        assert voided() == 1
