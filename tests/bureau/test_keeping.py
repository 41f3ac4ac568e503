"""Kept: what was acknowledged is there, and what was tampered with is found."""

from __future__ import annotations

import random
import re
import sqlite3
from datetime import date
from pathlib import Path

import pytest

from arpad.bureau import cards, lists
from arpad.bureau.corrections import Change, correct
from arpad.bureau.keeping import backup, restore, verify
from arpad.bureau.opened import Office, init, open_office
from arpad.bureau.register import add_acts
from arpad.errors import LedgerError, UsageError
from arpad.model import Act
from tests.bureau.worlds import exact, office_of, some_events, taken
from tests.places import empty_database


def full(place: str) -> Office:
    """An office with one of everything."""
    office = office_of(place, some_events(random.Random(7)))
    add_acts(office, [Act("adjustment", "1", date(2021, 1, 1).toordinal(), 12.5, reason="arithmetic")])
    correct(office, [Change("game", 2, {"voided": 1})], "no game")
    lists.publish(office, date(2022, 1, 1))
    lists.replay(office)
    return office


def told(office: Office) -> list[object]:
    return [exact(office), cards.log(office), lists.published(office, date(2022, 1, 1)), cards.event(office, 1)]


def test_promise_10_a_backup_is_a_whole_office_that_opens_anywhere(place: str, tmp_path: Path) -> None:
    with full(place) as office:
        target = str(tmp_path / "backup.db")
        backup(office, target)
        with pytest.raises(UsageError, match="is there already"):
            backup(office, target)
        with restore(target, str(tmp_path / "again.db")) as again:
            assert verify(again) == []
            assert told(again) == told(office)
        again_place = f"{place}_again" if place.startswith("postgresql") else ""
        if again_place:
            with empty_database(again_place), restore(target, again_place) as again:
                assert verify(again) == []
                assert told(again) == told(office)
        assert sorted(path.name for path in tmp_path.iterdir() if "part" in path.name) == []


def test_a_backup_is_consistent_while_somebody_writes(tmp_path: Path) -> None:
    place, target = str(tmp_path / "office.db"), str(tmp_path / "backup.db")
    with full(place) as office, open_office(place) as other:
        before = exact(office)
        with other.store.writing():
            taken(other, some_events(random.Random(8))[0])
            backup(office, target)
        with open_office(target) as kept:
            assert exact(kept) == before
            assert verify(kept) == []
        assert exact(office) != before


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("update entry set body = replace(body, '0.5', '1.0') where kind = 'games'", "entry 5 is not what was written"),
        ("update entry set actor = 'nobody' where seq = 3", "entry 3 is not what was written"),
        ("delete from aside where entry = 3", "name 1 is not what the entries say"),
        ("update aside set words = 'other' where subject = 'reason'", "words on reason are not"),
        ("update game set score = 0.25, other = 0.25 where id = 1", "game 1 is not what the entries say"),
        ("update pack set body = (select content from report where id = 1)", "pack 0 is not what the entries say"),
        ("update event set ends = ends + 1 where id = 1", "event 1 is not"),
        ("update name set name = 'Nemo' where person = 1", "name 1 is not"),
        ("update act set rating = 13", "act 1 is not"),
        ("update report set content = zeroblob(5) where id = 1", "report 1 is not what was handed in"),
        ("update publication set content = zeroblob(5)", "published list 1 .* is not what was published"),
        ("delete from publication", "published is missing"),
    ],
)
def test_what_was_tampered_with_is_found(tmp_path: Path, sql: str, said: str) -> None:
    place = str(tmp_path / "office.db")
    full(place).close()
    with sqlite3.connect(place) as file:
        for table in ("entry", "publication"):
            for what in ("update", "delete"):
                file.execute(f"drop trigger {table}_{what}")
        file.execute(sql)
    file.close()
    with open_office(place) as office:
        assert any(re.search(said, fault) for fault in verify(office))


def test_words_that_were_erased_break_no_hash(place: str) -> None:
    with full(place) as office:
        office.store.run("delete from aside where subject = 'reason'")
        assert verify(office) == []
        assert next(line for line in cards.log(office) if line.kind == "correct").reason is None


def test_a_restore_goes_nowhere_where_something_is(tmp_path: Path) -> None:
    place = str(tmp_path / "office.db")
    full(place).close()
    with pytest.raises(UsageError, match="is there already"):
        restore(place, place)
    with pytest.raises(UsageError, match="is there already"):
        init(place, "elo")
    with pytest.raises(UsageError, match="there is no office"):
        open_office(tmp_path / "nowhere.db")
    (tmp_path / "text.db").write_text("this is no database at all, and never was\n" * 50)
    with pytest.raises(LedgerError, match="is no office"):
        open_office(tmp_path / "text.db")


def test_nothing_is_restored_where_who_was_erased_is_not_found(tmp_path: Path) -> None:
    old, again = str(tmp_path / "old.db"), str(tmp_path / "again.db")
    with office_of(str(tmp_path / "office.db"), some_events(random.Random(8))) as office:
        backup(office, old)
    with pytest.raises(UsageError, match="unknown person '99'"):
        restore(old, again, [1, 99])
    assert sorted(path.name for path in tmp_path.glob("again*")) == []
