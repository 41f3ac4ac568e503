"""What an officer looks at before it is done is what is done."""

from __future__ import annotations

import gzip
import io
import zipfile
from datetime import date
from pathlib import Path

import pytest

from arpad.bureau import corrections, intake, lists, movement
from arpad.bureau.corrections import Change
from arpad.bureau.opened import Office, init
from arpad.bureau.register import add_acts
from arpad.bureau.reports import Sent
from arpad.errors import DataError, UsageError
from arpad.formats.streams import outgrows
from arpad.ledger import chain
from arpad.model import Act

GAMES = b"event,round,date,white,black,result\nOpen,1,2025-03-01,Ann,Ben,1-0\nOpen,2,2025-03-02,Ben,Cem,1-0\n"
BETWEEN = b"white,black,result\n\xff\xfe\x00"


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return init(tmp_path / "office.db", "elo")


def test_a_report_that_was_sent_is_read_by_its_name_and_says_nothing_of_where(office: Office) -> None:
    found = intake.receive(office, Sent("open.csv", GAMES), intake.Decisions(register=True))
    assert found.accepted
    assert found.games == 2
    with pytest.raises(DataError) as refused:
        intake.stage(office, Sent("odd.csv", BETWEEN))
    assert {problem.source for problem in refused.value.problems} == {"odd.csv"}
    assert "/" not in str(refused.value)
    with pytest.raises(UsageError, match=r"cannot tell what 'open\.exe' is"):
        intake.stage(office, Sent("open.exe", GAMES))


def test_a_kept_report_is_looked_at_without_a_word_in_the_log(office: Office) -> None:
    kept = intake.stage(office, Sent("open.csv", GAMES))
    head = office.head
    assert len(intake.look(office, kept.report).holds) == 3
    assert intake.look(office, kept.report, intake.Decisions(register=True)).holds == ()
    assert office.head == head
    intake.refuse(office, kept.report, "no")
    with pytest.raises(UsageError, match="was refused"):
        intake.look(office, kept.report)


def test_a_draft_has_the_digest_that_is_published(office: Office) -> None:
    intake.receive(office, Sent("open.csv", GAMES), intake.Decisions(register=True))
    which, day = office.which(), date(2025, 4, 1)
    draft = lists.drafted(office, which, day)
    moved = movement.moved_to(office, which, movement.placed(draft, day.toordinal()), day)
    assert [move.name for move in moved.moves] == ["Ann", "Ben", "Cem"]
    assert lists.publish(office, day).content == draft
    assert movement.movement(office, day) == moved


def test_whatever_is_written_can_be_weighed_first(office: Office) -> None:
    intake.receive(office, Sent("open.csv", GAMES), intake.Decisions(register=True))
    act = Act("adjustment", "1", date(2025, 3, 5).toordinal(), 30.0)
    head = office.head
    seq, effect = corrections.weighed(office, lambda: add_acts(office, [act]), preview=True)
    assert (seq, office.head) == (0, head)
    assert [(each.person, each.change) for each in effect.moved] == [(1, 30.0)]
    seq, done = corrections.weighed(office, lambda: add_acts(office, [act]))
    assert seq == office.head
    assert done == effect


def test_what_was_changed_again_cannot_be_taken_back(office: Office) -> None:
    intake.receive(office, Sent("open.csv", GAMES), intake.Decisions(register=True))
    one = corrections.correct(office, [Change("game", 1, {"voided": 1})], "a walkover").seq
    assert corrections.reversible(office, chain.entry(office.store, one))
    two = corrections.correct(office, [Change("game", 1, {"voided": 0})], "no walkover").seq
    assert not corrections.reversible(office, chain.entry(office.store, one))
    assert corrections.reversible(office, chain.entry(office.store, two))
    assert not corrections.reversible(office, chain.entry(office.store, 1))


def test_what_is_large_when_unpacked_is_seen_before_it_is() -> None:
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("games.csv", bytes(5000))
    for data in (gzip.compress(bytes(5000)), box.getvalue()):
        assert outgrows(data, 4999)
        assert not outgrows(data, 5000)
    assert outgrows(bytes(5000), 4999)
    assert not outgrows(b"\x1f\x8b damaged", 10)
