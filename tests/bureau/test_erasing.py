"""Erasure: the person's words are nowhere, and nobody's numbers are others."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from contextlib import nullcontext
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.bureau import cards, lists
from arpad.bureau.bases import move_base
from arpad.bureau.corrections import Change, correct
from arpad.bureau.erasing import erase, erased
from arpad.bureau.intake import Decisions, accept, receive, stage
from arpad.bureau.keeping import backup, restore, verify
from arpad.bureau.opened import Office, init, open_office
from arpad.bureau.people import describe, merge, show
from arpad.bureau.redaction import Wanted, redacted
from arpad.bureau.register import add_acts, enrol
from arpad.errors import DataError, UnknownName, UsageError
from arpad.ledger import chain
from arpad.ledger.store import is_url
from arpad.model import Act, Game, PartialDate, Start
from tests.bureau.worlds import office_of, some_events, taken
from tests.places import empty_database

few = settings(max_examples=15, deadline=None)
NAMES = ("Kvaløy, Bjørn", "Rossi, Marco", "Ferrari, Luca", "Verdi, Ugo")


def numbers(office: Office) -> dict[str, list[tuple[float, ...]]]:
    """Every number of everybody on every list, by person."""
    return {
        which.name: [
            tuple(map(float, office.history(which).state_of(code)))
            for code, _ in enumerate(office.history(which).players)
            if office.history(which).state_of(code)[0] == office.history(which).state_of(code)[0]
        ]
        for which in office.lists()
    }


def kept_bytes(office: Office) -> list[tuple[str, str]]:
    return [(name, bytes(content).hex()) for name, content in office.store.rows("select day, content from publication")]


@few
@given(st.integers(0, 10**6), st.sampled_from(["elo", "glicko2", "asigc", "fide/standard", "uschess/quick", "dwz"]))
def test_c71_promise_9_removing_a_person_changes_nobody_elses_rating(seed: int, rules: str) -> None:
    random_ = random.Random(seed)
    with init(":memory:", rules) as office:
        people = [
            Start(name, 1500.0 + 10 * at if rules != "uschess/quick" else None, born=PartialDate(2004 + at, 1 + at, 9))
            for at, name in enumerate("ABCDEFGH")
        ]
        enrol(office, people, ids="club")
        for report in some_events(random_):
            taken(office, report)
        days = [date(2022, 1, 1), date(2024, 1, 1)]
        printed = [lists.publish(office, day) for day in days]
        before, hashes = numbers(office), chain.head(office.store)
        revised = [lists.revised(office, day).columns["rating_exact"] for day in days]
        who = random_.randint(1, 8)
        seen = erase(office, who, preview=True)
        assert chain.head(office.store) == hashes
        assert cards.find(office, who).identifiers
        done = erase(office, who, "asked to be removed")
        assert (done.people, done.born, done.words) == (seen.people, seen.born, seen.words)
        assert numbers(office) == before
        assert [lists.revised(office, day).columns["rating_exact"] for day in days] == revised
        assert [lists.published(office, day) for day in days] == printed
        assert verify(office) == []
        card = cards.player(office, who)
        assert (card.name, card.aliases, card.identifiers) == (f"player {who}", (), {})
        assert not office.store.row("select 1 from identifier where person = ?", (who,))


def a_register(place: str, tmp_path: Path) -> Office:
    """An office with one of everything that can name a person."""
    office = init(place, "elo")
    report = tmp_path / "Rossi memorial.trf"
    lines = ["012 Match Marco Rossi - Ugo Verdi", "042 2025/03/01", "052 2025/03/02"]
    lines += [
        f"001 {number:>4} m    {name:<33} {rating:>4} ITA {fide:>11} {born:>10} {won:>4} {number:>4}  {other:>4} {game}"
        for number, name, rating, fide, born, won, other, game in (
            (1, "Rossi, Marco", 1700, "100234", "1990/05/17", "1.0", 2, "w 1"),
            (2, "Verdi, Ugo", 1600, "100235", "1985/02/03", "0.0", 1, "b 0"),
        )
    ]
    report.write_text("\n".join(lines) + "\n", encoding="utf-8")
    table = tmp_path / "games.csv"
    table.write_text('date,white,black,result\n2025-04-01,Marco Rossi,"Ferrari, Luca",1-0\n', encoding="utf-8")
    held = tmp_path / "held.csv"
    held.write_text("date,white,black,result\n2025-05-01,rossi MARCO,Nobody,1-0\n", encoding="utf-8")
    enrol(office, [Start("Rossi, Marco", 1700.0, born=PartialDate(1990, 5, 17)), Start("Ferrari, Luca", 1650.0)])
    describe(office, 1, aliases=["Il Rosso"], identifiers={"fide": "100234"}, federation="ita", reason="Rossi's card")
    assert receive(office, report, Decisions(register=True), reason="sent by Marco Rossi").accepted
    decided = Decisions(people={"Marco Rossi": 1, "Ferrari, Luca": 2})
    assert receive(office, table, decided).accepted
    assert not stage(office, held).accepted
    add_acts(office, [Act("adjustment", "1", date(2025, 4, 2).toordinal(), 5.0, reason="Rossi, Marco was right")])
    correct(office, [Change("game", 1, {"score": 0.5, "other": 0.5})], "Il Rosso wrote: a draw")
    lists.publish(office, date(2025, 6, 1))
    lists.replay(office)
    return office


def words_of(office: Office) -> str:
    """Every text of an office's database."""
    tables = ("entry", "aside", "name", "alias", "spelling", "identifier", "federation", "event", "report", "act")
    values = [value for table in tables for row in office.store.rows(f"select * from {table}") for value in row]
    return "\n".join(value if isinstance(value, str) else bytes(value).decode() for value in values if _text(value))


def _text(value: object) -> bool:
    return isinstance(value, (str, bytes, memoryview))


def test_c71_no_word_of_the_person_is_left_anywhere(place: str, tmp_path: Path) -> None:
    with a_register(place, tmp_path) as office:
        show(office, 1, {"name": "members"})
        text = words_of(office)
        assert "Rossi, Marco" in text
        assert "100234" in text
        before, kept = numbers(office), kept_bytes(office)
        digests = office.store.rows("select id, digest from report order by id")
        with pytest.raises(DataError, match="reason names"):
            erase(office, 1, "Marco Rossi asked")
        with pytest.raises(UsageError, match="needs a reason"):
            erase(office, 1)
        done = erase(office, 1, "a request of 3 June", also=["Rossi"])
        left = words_of(office)
        for word in ("Rossi", "ROSSI", "rossi", "Rosso", "100234", "1990/05/17", "19900517"):
            assert word not in left, word
        for word in ("Verdi, Ugo", "Ferrari, Luca", "100235", "1985/02/03", "player 1"):
            assert word in left, word
        assert (done.born, done.people) == ("", (1,))
        assert sorted((*done.reports, *done.dropped)) == [1, 2, 3]
        assert office.store.rows("select id, digest from report order by id") == digests
        assert numbers(office) == before
        assert kept_bytes(office) == kept
        assert verify(office) == []
        page = cards.event(office, 1)
        assert page.name == "Match player 1 - Ugo Verdi"
        assert (page.lines[0].first_name, page.lines[0].second_name) == ("player 1", "Verdi, Ugo")
        reasons = [line.reason for line in cards.log(office)]
        assert "sent by player 1" in reasons
        assert "player 1 wrote: a draw" in reasons
        with pytest.raises(UnknownName):
            cards.find(office, "Rossi, Marco")
        with pytest.raises(UnknownName):
            cards.find(office, "fide:100234")
        with pytest.raises(UsageError, match="hand it in again"):
            accept(office, 3)
        assert receive(office, tmp_path / "games.csv", Decisions()).again
        assert erased(office) == [1]
        copy = str(tmp_path / "copy.db")
        backup(office, copy)
    with open_office(copy) as office:
        assert verify(office) == []


def test_c71_the_bytes_of_the_file_are_rid_of_the_name(tmp_path: Path) -> None:
    place = tmp_path / "office.db"
    with a_register(str(place), tmp_path) as office:
        assert b"Il Rosso" in place.read_bytes() + (tmp_path / "office.db-wal").read_bytes()
        erase(office, 1, "a request", also=["Rossi"])
        held = b"".join(path.read_bytes() for path in tmp_path.glob("office.db*"))
        for word in ("Rossi", "rossi", "Rosso", "100234"):
            assert word.encode() not in held, word
        assert b"Ferrari, Luca" in held


def test_an_older_backup_is_rid_of_the_erased_again(tmp_path: Path) -> None:
    with a_register(str(tmp_path / "office.db"), tmp_path) as office:
        backup(office, str(tmp_path / "old.db"))
        erase(office, 1, "a request")
        with restore(str(tmp_path / "old.db"), str(tmp_path / "again.db"), erased(office)) as again:
            assert erased(again) == [1]
            assert cards.player(again, 1).name == "player 1"
            assert numbers(again) == numbers(office)
            assert verify(again) == []


#: What a child does that is killed when everything is restored, and somebody is to be erased.
KILLED = """
import os, signal, sys
from arpad.bureau import keeping
keeping.erase = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
keeping.restore(sys.argv[1], sys.argv[2], [1])
"""


def test_who_is_killed_while_restoring_leaves_nobody_who_was_erased(place: str, tmp_path: Path) -> None:
    source, target = str(tmp_path / "old.db"), f"{place}_again" if is_url(place) else str(tmp_path / "again.db")
    with a_register(place, tmp_path) as office, empty_database(target) if is_url(place) else nullcontext():
        backup(office, source)
        before = numbers(office)
        child = subprocess.run([sys.executable, "-c", KILLED, source, target], check=False)
        assert child.returncode == -signal.SIGKILL
        with pytest.raises(UsageError, match="there is no office"):
            open_office(target)
        with pytest.raises(UnknownName):
            restore(source, target, [1, 99])
        with pytest.raises(UsageError, match="there is no office"):
            open_office(target)
        with restore(source, target, [1]) as again:
            assert erased(again) == [1]
            assert numbers(again) == before
            assert verify(again) == []


def test_erasing_one_after_the_other_and_merged_people_together(place: str, tmp_path: Path) -> None:
    with a_register(place, tmp_path) as office:
        before = numbers(office)
        erase(office, 3, "asked")
        assert cards.event(office, 1).name == "Match Marco Rossi - player 3"
        erase(office, 1, "asked")
        assert cards.event(office, 1).name == "Match player 1 - player 3"
        head = office.head
        again = erase(office, 1, "asked again")
        assert (again.words, again.reports, again.dropped) == ((), (), ())
        assert again.seq == office.head == head
        describe(office, 1, name="Rossi, Marco", reason="back again")
        assert erase(office, 1, "and away").seq == office.head == head + 2
        assert erase(office, 1, "asked again").seq == head + 2
        assert numbers(office) == before
        assert verify(office) == []
        assert "Verdi" not in words_of(office)
    with office_of(":memory:", [[Game("A", "B", 1.0, date=date(2025, 1, 1))]]) as office:
        taken(office, [Game("C", "B", 1.0, date=date(2025, 1, 2))])
        merge(office, 1, 3, "registered twice")
        assert erase(office, 3, "asked").people == (1, 3)
        assert not office.store.rows("select 1 from identifier where person in (1, 3)")
        assert verify(office) == []


def test_of_a_birth_date_stays_what_the_rules_ask(place: str) -> None:
    days = [date(2025, 1, 1) + timedelta(days=day) for day in range(3)]
    report = [Game("A", "B", 1.0, date=day, event="Open", round=at) for at, day in enumerate(days, 1)]
    for rules, left in (("elo", ""), ("fide/standard", "2010")):
        with init(":memory:" if rules == "elo" else place, rules) as office:
            born = PartialDate(2010, 5, 17)
            enrol(office, [Start("A", 1500.0, born=born), Start("B", 1500.0, born=PartialDate(1980))], ids="club")
            taken(office, report)
            before = numbers(office)
            done = erase(office, 1, "asked")
            assert done.born == left
            assert (erase(office, 1, "asked again").seq, office.head) == (done.seq, done.seq)
            assert numbers(office) == before
            assert verify(office) == []


def test_promise_9_after_the_base_was_moved(place: str) -> None:
    early = [Game("A", "B", 1.0, date=date(2000, 1, 1)), Game("C", "A", 1.0, date=date(2000, 2, 1))]
    late = [Game("A", "B", 1.0, date=date(2015, 1, 1))]
    with office_of(place, [early, late]) as office:
        move_base(office, date(2004, 1, 1), reason="closed")
        before = numbers(office)
        assert erase(office, 3, "asked").seq == office.head
        assert numbers(office) == before
        assert verify(office) == []


WANTED = Wanted(17, ("Rossi, Marco",), (("fide", "100234"), ("club", "712")), PartialDate(1990, 5, 17))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("won by Rossi, Marco.", "won by player 17."),
        ("MARCO  ROSSI and Marco Rossini", "player 17 and Marco Rossini"),
        ("fide 100234, not 1002345", "fide player 17, not 1002345"),
        ("Rossi Memorial 712", "Rossi Memorial 712"),
    ],
)
def test_a_person_is_taken_out_of_a_text(text: str, left: str) -> None:
    assert WANTED.out_of(text) == left


def test_a_single_name_is_taken_out_only_where_it_stands_alone() -> None:
    wanted = Wanted(5, ("Anna",), (), None)
    assert (
        wanted.out_of("Anna; Anna Bianchi; Bianchi, Anna; Annalisa")
        == "player 5; Anna Bianchi; Bianchi, Anna; Annalisa"
    )
    kept = redacted(b"date,white,black,result\n2025-03-01,Anna,Bruno,1-0\n", "games.csv", wanted)
    assert kept == b"date,white,black,result\n2025-03-01,#5  ,Bruno,1-0\n"


def test_a_report_that_is_no_text_is_dropped() -> None:
    assert redacted(b"PK\3\4 Rossi, Marco", "games.xlsx", WANTED) is None
    assert redacted(b"\x1f\x8b Rossi, Marco", "games.csv.gz", WANTED) is None


def test_a_report_that_calls_a_person_by_a_short_number_is_dropped() -> None:
    assert redacted(b"date,white,black,result\n2025-03-01,712,713,1-0\n", "games.csv", WANTED) is None


def test_what_the_chain_covers_stays_and_is_named(place: str) -> None:
    ids = ("1 x", "2 Marco Rossi")
    day = date(2025, 1, 1)
    games = [Game("Rossi, Marco", "Verdi, Ugo", 1.0, date=day + timedelta(days=at), id=id) for at, id in enumerate(ids)]
    with init(place, "elo") as office:
        taken(office, games, Decisions(register=True))
        assert erase(office, 1, "asked").stay == (2,)
        assert verify(office) == []
