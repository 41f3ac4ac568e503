"""The database: one writer, whole transactions, constraints, versions."""

from __future__ import annotations

import hashlib
import random
import sqlite3
from array import array
from contextlib import suppress
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.bureau import cards, lists
from arpad.bureau.corrections import Change, correct
from arpad.bureau.effects import moved_by
from arpad.bureau.erasing import erase
from arpad.bureau.keeping import backup, restore, verify
from arpad.bureau.opened import add_list, init, open_office
from arpad.errors import Busy, DataError, LedgerError, UnknownName, UsageError
from arpad.ledger import chain, packed, schema
from arpad.ledger.spelling import alike, spelling
from arpad.ledger.store import is_url, open_store
from arpad.model import Game, Games
from tests.bureau.worlds import exact, office_of, some_events, taken


def test_a_second_writer_waits_and_is_told_so(place: str) -> None:
    with init(place, "elo") as office, open_office(place, patience=0.05) as other:
        with office.store.writing(), pytest.raises(Busy, match="somebody else is writing"):
            taken(other, [Game("A", "B", 1.0)])
        assert taken(other, [Game("A", "B", 1.0)]).accepted


def test_a_reader_sees_one_state_while_another_writes(place: str) -> None:
    with init(place, "elo") as office, open_office(place) as other, other.store.reading():
        before = other.head
        taken(office, [Game("A", "B", 1.0)])
        assert other.head == before < office.head


def test_who_only_reads_asks_once_for_what_cannot_change_and_who_writes_asks_anew(place: str) -> None:
    sql = "select name from list order by id"
    with init(place, "elo", name="one") as office:
        store, run, asked = office.store, office.store.run, list[str]()
        store.run = lambda text, values=(): (asked.append(text), run(text, values))[1]  # type: ignore[method-assign]
        with open_office(place) as other, store.reading():
            assert store.again(sql) == [("one",)]
            add_list(other, "elo", name="two")
            assert store.again(sql) == [("one",)]
            assert store.again("select name from list where id = ?", [2]) == []
        assert asked.count(sql) == 1
        assert store.again(sql) == [("one",), ("two",)]
        with store.writing():
            assert store.again(sql) == [("one",), ("two",)]
            add_list(office, "elo", name="three")
            assert store.again(sql)[2:] == [("three",)]
        with store.trying():
            store.run("delete from list where name = ?", ["two"])
            assert store.again(sql) == [("one",), ("three",)]
        with store.reading():
            assert len(store.again(sql)) == 3


def test_an_act_that_fails_leaves_nothing(place: str) -> None:
    with init(place, "elo") as office:
        before = office.head

        def half() -> None:
            with office.store.writing():
                taken(office, [Game("A", "B", 1.0)])
                raise RuntimeError

        with pytest.raises(RuntimeError):
            half()
        assert office.head == before
        assert office.store.value("select count(*) from game") == 0


def test_a_transaction_of_which_a_part_failed_is_not_kept(place: str) -> None:
    """Also where somebody catches the part's error: half an act is none."""
    with init(place, "elo") as office:
        before = office.head

        def part() -> None:
            with office.store.writing():
                taken(office, [Game("A", "B", 1.0)])
                raise RuntimeError

        def half() -> None:
            with office.store.writing(), suppress(RuntimeError):
                part()

        with pytest.raises(LedgerError, match="nothing of it is kept"):
            half()
        assert office.head == before
        assert taken(office, [Game("A", "B", 1.0)]).accepted


def test_a_look_that_finds_nothing_spoils_no_transaction(place: str) -> None:
    with init(place, "elo") as office:
        with office.store.writing():
            taken(office, [Game("A", "B", 1.0)])
            with suppress(UnknownName):
                cards.player(office, "nobody")
        assert office.store.value("select count(*) from game") == 1


def test_a_statement_that_failed_is_not_followed_by_an_acknowledgement(place: str) -> None:
    with init(place, "elo") as office:

        def half() -> None:
            with office.store.writing():
                chain.append(office.store, "officer", "people", {"people": [1]})
                with suppress(LedgerError):
                    office.store.run("select nothing from nowhere")

        kept = True
        try:
            half()
        except LedgerError:
            kept = False
        assert (office.store.value("select count(*) from person") == 1) is kept


def test_what_writes_inside_what_only_reads_is_refused(place: str) -> None:
    with init(place, "elo") as office:
        with office.store.reading(), pytest.raises(LedgerError, match="only reads"):
            taken(office, [Game("A", "B", 1.0)])
        with office.store.trying():
            taken(office, [Game("A", "B", 1.0)])
        assert office.head == 1


def test_text_that_only_one_database_could_keep_is_kept_by_neither(place: str) -> None:
    """Else what one of them backed up, the other one could not restore."""
    with init(place, "elo") as office:
        for write in (
            lambda: office.store.run("insert into meta values ('odd', ?)", ("a\0b",)),
            lambda: office.store.insert("meta", ("key", "value"), [("odd", "a\0b")]),
        ):
            with pytest.raises(UsageError, match="cannot be kept"), office.store.writing():
                write()
        assert office.store.value("select count(*) from meta where key = 'odd'") == 0


def test_what_is_tried_apart_keeps_no_writer_waiting_and_is_not_kept(place: str) -> None:
    with init(place, "elo") as office:
        taken(office, [Game("A", "B", 1.0)])
        with office.store.apart() as store:
            store.run("update game set voided = 1")
            with open_office(place, patience=0.2) as other:
                assert taken(other, [Game("B", "A", 1.0)]).accepted
            assert store.rows("select voided from game") == [(1,)]
        assert office.store.rows("select voided from game") == [(0,), (0,)]


def test_a_server_that_acknowledges_early_is_told_to_wait_for_the_disk(place: str) -> None:
    with init(place, "elo") as office:
        if office.store.dialect == "postgresql":
            office.store.run("set synchronous_commit = off")
            with office.store.writing():
                assert office.store.value("show synchronous_commit") == "on"


def test_no_patience_at_all_is_not_patience_without_end(place: str) -> None:
    init(place, "elo").close()
    with open_office(place) as office, open_office(place, patience=0) as other:
        with office.store.writing(), pytest.raises(Busy):
            taken(other, [Game("A", "B", 1.0)])
        assert taken(other, [Game("A", "B", 1.0)]).accepted


def test_what_is_acknowledged_is_on_the_disk(tmp_path: Path) -> None:
    with init(tmp_path / "office.db", "elo") as office:
        assert office.store.value("pragma synchronous") == 2
        assert office.store.value("pragma journal_mode") == "wal"


def test_a_newer_office_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "office.db"
    init(place, "elo").close()
    with sqlite3.connect(place) as file:
        file.execute("update meta set value = '99' where key = 'version'")
    file.close()
    with pytest.raises(LedgerError, match="newer arpad"):
        open_office(place)


def test_another_programs_file_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "other.db"
    with sqlite3.connect(place) as file:
        file.execute("create table meta (key text, value text)")
    file.close()
    with pytest.raises(LedgerError, match="another program"):
        open_office(place)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ("9, 1, 1, 1, 0, 0, 1, 1, 1.0, 0.0, 0, '', 0, 1, 1", "themselves"),
        ("9, 1, 1, 1, 0, 0, 1, 2, 1.0, 1.0, 0, '', 0, 1, 1", "sum"),
        ("9, 1, 1, 1, 0, 0, 1, 2, 1.0, null, 0, '', 0, 1, 1", "sum"),
        ("9, 1, 1, 1, 0, 0, 2, 1, 0.0, 1.0, 0, '', 0, 1, 1", "a game in this round"),
    ],
)
def test_c51_the_database_itself_refuses_a_game_that_cannot_be(place: str, values: str, said: str) -> None:
    with init(place, "elo") as office:
        taken(office, [Game("A", "B", 1.0, event="Open", round=1)])
        columns = "id, key, event, round, board, nth, first, second, score, other, day, more, voided, revision, entry"
        with pytest.raises(DataError, match=said):
            office.store.run(f"insert into game ({columns}) values ({values})")


def test_entries_of_an_unknown_kind_stop_rather_than_mislead(place: str) -> None:
    with init(place, "elo") as office:
        with pytest.raises(LedgerError, match="does not know"), office.store.writing():
            chain.append(office.store, "officer", "invented", {})
        assert office.head == 1


def test_a_url_without_a_server_is_an_error_that_hides_the_password() -> None:
    with pytest.raises((LedgerError, UsageError)) as caught:
        open_store("postgresql://me:secret@127.0.0.1:1/none?connect_timeout=1")
    assert "secret" not in str(caught.value)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 40))
def test_packed_games_are_the_same_with_numpy_and_in_small_chunks(seed: int, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packed, "SIZE", size)
        with office_of(":memory:", some_events(random.Random(seed))) as office:
            plain = packed.load(office.store)
            patch.setattr(packed, "LARGE", 0)
            vector = packed.load(office.store)
    for name in plain.games.__struct_fields__:
        one, other = getattr(plain.games, name), getattr(vector.games, name)
        assert (list(one), list(other)) == (list(one), list(one)) if isinstance(one, array) else one == other, name


@pytest.mark.parametrize("version", range(1, len(schema.MIGRATIONS)))
def test_an_office_of_each_version_before_goes_on_as_it_is(
    place: str, version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:version])
    with office_of(place, some_events(random.Random(7))) as office:
        lists.publish(office, date(2022, 1, 1))
        lists.replay(office)
        assert schema.version(office.store) == version
        before = exact(office), chain.head(office.store)
        if not is_url(place):
            backup(office, str(tmp_path / "backup.db"))
    monkeypatch.undo()
    if not is_url(place):
        bytes_before = (tmp_path / "backup.db").read_bytes()
        with restore(str(tmp_path / "backup.db"), str(tmp_path / "again.db"), [1]) as again:
            assert verify(again) == []
        assert (tmp_path / "backup.db").read_bytes() == bytes_before
    with open_office(place) as office:
        assert schema.version(office.store) == len(schema.MIGRATIONS) > version
        assert (exact(office), chain.head(office.store)) == before
        assert verify(office) == []
        lists.publish(office, date(2023, 1, 1))
        done = correct(office, [Change("game", 2, {"voided": 1})], "no game")
        assert len(moved_by(office, done.seq)) == len(done.effect.moved) > 0
        erase(office, 1, "asked")
        assert verify(office) == []


def test_the_tables_of_the_first_version_are_what_they_were() -> None:
    """Offices that are in use have them."""
    first = hashlib.sha256("\n".join(schema.MIGRATIONS[0]).encode()).hexdigest()
    assert first == "2fa893f0785d6bb53982bee5dc6830c0fd5683e10ef4fe162a4729ea5db4df74"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Müllner, Jörg", "Joerg Muellner", True),
        ("Kvaløy, Per", "Per Kvaloy", True),
        ("Rossi, M.", "Rossi, Marco", True),
        ("Rossi, Marco", "Rossi, Marco Aurelio", True),
        ("Rossi, Marco", "Rossi, Paolo", False),
        ("Bianchi, Anna", "Verdi, Ugo", False),
        ("M. R.", "Marco Rossi", False),
        ("Groß, Ida", "Gross, Ida", True),
        ("D'Angelo, Ugo", "DAngelo, Ugo", True),
    ],
)
def test_c48_names_that_can_be_one_persons(one: str, other: str, same: bool) -> None:
    assert alike(one, other) is alike(other, one) is same


def test_c48_both_ways_to_write_a_letter_are_looked_for() -> None:
    same = {spelling(name) for name in ("Müllner, Jörg", "Joerg Muellner", "MULLNER Jorg", "Muellner, Jörg")}
    assert same == {"jorg mullner"}
    assert spelling("…") == ""


def test_every_fact_that_a_game_may_have_is_kept() -> None:
    """A column that comes to `Games` must come to the ledger too."""
    elsewhere = {"players", "scores", "events", "partial", "labels", "line", "source", "pending", "id", "date"}
    facts = {name for name in Games.__struct_fields__ if name not in elsewhere}
    assert facts == (packed.CODES.keys() - {"key", "day", "more"}) | packed.FACTS.keys()
