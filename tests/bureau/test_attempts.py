"""What officers and machines do by mistake, and somebody on purpose: each kind of it once."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arpad.bureau import cards, lists
from arpad.bureau.bases import move_base
from arpad.bureau.comparing import side_by_side
from arpad.bureau.corrections import Change, adopt, correct, revert
from arpad.bureau.erasing import erase
from arpad.bureau.intake import Decisions, Received, examine, receive, stage
from arpad.bureau.keeping import verify
from arpad.bureau.opened import Office, add_list, init, open_office
from arpad.bureau.people import describe, merge, show
from arpad.bureau.register import Told, add_acts, enrol, tell
from arpad.errors import ArpadError, DataError, LedgerError, UsageError
from arpad.ledger import schema
from arpad.model import Act, Game, Start
from arpad.rulebooks import load
from tests.bureau.test_intake import trf, written
from tests.bureau.worlds import ALL, exact, taken, without_texts

DAY = date(2025, 1, 4)


def crosstable(results: Sequence[float], **more: Any) -> list[Game]:
    """Six games of four players in three rounds."""
    pairs = [("A", "B", 1), ("C", "D", 1), ("A", "C", 2), ("B", "D", 2), ("A", "D", 3), ("B", "C", 3)]
    return [
        Game(one, other, score, date=DAY + timedelta(days=turn), event="Open", round=turn, **more)
        for (one, other, turn), score in zip(pairs, results)
    ]


RESULTS = (1.0, 0.5, 0.0, 1.0, 1.0, 0.5)


@pytest.mark.parametrize(
    "again",
    [
        crosstable((1.0, 0.5, 0.0, 1.0, 1.0, 0.0)),
        crosstable((0.0, 0.5, 1.0, 0.0, 1.0, 0.5)),
        crosstable(RESULTS)[:4],
        [*crosstable(RESULTS), Game("A", "B", 1.0, date=DAY + timedelta(days=4), event="Open", round=4)],
    ],
    ids=["one result put right", "three results put right", "without the last round", "with a game more"],
)
def test_c56_a_report_that_comes_again_put_right_is_held(place: str, again: list[Game]) -> None:
    with init(place, "elo") as office:
        assert taken(office, crosstable(RESULTS)).accepted
        before = exact(office)
        held = taken(office, again)
        assert not held.accepted
        assert [each.same for each in held.events] == [1]
        assert any("are in event 1, 'Open', by players, day and round" in each.message for each in held.holds)
        assert exact(office) == before
        assert taken(office, again, Decisions(register=True, ids="club", distinct=True)).accepted


def taken_twice(office: Office, one: list[Game], again: list[Game]) -> bool:
    """Whether both count, where the second tells of games of the first."""
    assert taken(office, one).accepted
    return taken(office, again).accepted


FIRST_ROUND, ONE_GAME = crosstable(RESULTS)[:2], crosstable(RESULTS)[:1]
NO_ROUND = [msgspec.structs.replace(ONE_GAME[0], round=0)]


def lost(games: list[Game]) -> list[Game]:
    return [msgspec.structs.replace(each, score=0.0) for each in games]


@pytest.mark.parametrize(
    ("one", "again"),
    [
        (FIRST_ROUND, [*crosstable(RESULTS), Game("E", "F", 1.0, date=DAY, event="Open", round=1)]),
        (crosstable(RESULTS), ONE_GAME),
        (ONE_GAME, crosstable(RESULTS)),
        (ONE_GAME, lost(ONE_GAME)),
        (NO_ROUND, lost(NO_ROUND)),
    ],
    ids=["first a round, then all", "all, then a game", "a game, then all", "a game put right", "without rounds"],
)
def test_c56_a_part_of_an_event_that_is_there_is_held(place: str, one: list[Game], again: list[Game]) -> None:
    with init(place, "elo") as office:
        assert not taken_twice(office, one, again)


def test_c56_a_report_that_comes_again_with_other_days_is_held(place: str) -> None:
    with init(place, "elo") as office:
        days = [DAY + timedelta(days=31 + each.round) for each in crosstable(RESULTS)]
        later = [msgspec.structs.replace(each, date=day) for each, day in zip(crosstable(RESULTS), days)]
        assert not taken_twice(office, crosstable(RESULTS), [*crosstable(RESULTS)[:2], *later[2:]])
        held = taken(office, later)
        assert any("round and result, on other days" in each.message for each in held.holds)
        assert taken(office, lost(later)).accepted  # the same four, a month later


def test_c56_a_report_that_comes_again_put_right_after_a_merge_is_held(place: str) -> None:
    with init(place, "elo") as office:
        assert taken(office, [*crosstable(RESULTS), Game("E", "F", 1.0, date=DAY, event="Cup")]).accepted
        persons = dict(office.store.rows("select number, person from identifier"))
        merge(office, persons["E"], persons["A"], "one person")
        assert not taken(office, crosstable((1.0, 0.5, 0.0, 1.0, 1.0, 0.0))).accepted


def test_one_game_of_a_pair_in_common_makes_no_duplicate_of_two_events(place: str) -> None:
    with init(place, "elo") as office:
        blitz = [Game("A", "B", 1.0, date=DAY + timedelta(days=1), event="Blitz", round=1)]
        blitz += [Game("A", other, 1.0, date=DAY + timedelta(days=1), event="Blitz", round=2) for other in "EFG"]
        assert taken_twice(office, crosstable(RESULTS), blitz)


def test_c56_a_rematch_on_another_day_or_in_another_pool_is_no_duplicate(place: str) -> None:
    with init(place, "elo") as office:
        assert taken(office, crosstable(RESULTS)).accepted
        later = [Game(g.first, g.second, 0.5, date=DAY + timedelta(days=30 + g.round), round=g.round) for g in
                 crosstable(RESULTS)]  # fmt: skip
        assert taken(office, later).accepted
        rapid = Decisions(register=True, ids="club", pool="rapid")
        assert taken(office, [Game("A", "B", 0.0, date=DAY), *crosstable((0.0,) * 6)], rapid).accepted


def test_games_with_ids_of_their_own_are_told_apart_by_them(place: str) -> None:
    with init(place, "elo") as office:
        for number, scores in (("x", (1.0, 0.0, 0.5)), ("y", (1.0, 0.5, 0.5))):
            games = [Game("A", "B", score, date=DAY, id=f"{number}{row}") for row, score in enumerate(scores)]
            assert taken(office, games).accepted


def everything(place: str) -> None:
    """An office in which each table has a row."""
    with init(place, "elo") as office:
        receive(office, crosstable(RESULTS, id=None), ALL, reason="because")
        taken(office, [Game("A", "E", 1.0, date=date(2025, 2, 1), event="Cup", id="g1")])
        stage(office, [Game("A", "Z", 1.0, date=date(2025, 3, 1))], Decisions(ids="club"))
        receive(office, [Game("Aa", "E", 1.0, date=date(2025, 3, 9))], Decisions({"Aa": 1, "E": 5}))
        add_acts(office, [Act("adjustment", "2", date(2025, 2, 2).toordinal(), 1700.0)])
        correct(office, [Change("game", 1, {"score": 0.0, "other": 1.0})], "a letter")
        lists.publish(office, date(2025, 2, 1))
        lists.publish(office, date(2025, 3, 1))
        tell(office, [Told(2, "federation", 0, "ITA"), Told(2, "title", date(2025, 2, 3).toordinal(), "FM")])
        show(office, 2, {"name": "members"})
        erase(office, 3, "a wish")
        lists.replay(office)


def other_values(value: object) -> list[object]:
    if isinstance(value, int):
        return [value + 1, 7777, "x"]
    if isinstance(value, float):
        return [value / 2 + 0.1, "x"]
    if isinstance(value, bytes):
        middle = len(value) // 2
        return [value[:middle] + bytes([value[middle] ^ 1]) + value[middle + 1 :], b""]
    if isinstance(value, str):
        return [value[:-1] + chr(ord(value[-1]) ^ 1) if value else "q", b"\xff\xfe"]
    return [1, "x"]


def tampered(place: str, bad: str, sql: str, values: Sequence[object] = ()) -> bool:
    """Whether a change behind the office's back can be made, in a copy without its guards."""
    shutil.copy(place, bad)
    with closing(sqlite3.connect(bad)) as file:
        file.execute("pragma foreign_keys = off")
        file.execute("pragma ignore_check_constraints = on")
        for (name,) in file.execute("select name from sqlite_master where type = 'trigger'").fetchall():
            file.execute(f"drop trigger {name}")
        try:
            file.execute(sql, values)
        except sqlite3.Error:
            return False
        file.commit()
    return True


def found(bad: str) -> list[str]:
    """What verify says, but for the guards that were taken away."""
    try:
        with open_office(bad) as office:
            return [fault for fault in verify(office) if not fault.startswith("the trigger")]
    except ArpadError as error:
        return [str(error)]


def test_promise_1_every_value_of_every_table_that_is_changed_is_found(tmp_path: Path) -> None:
    place, bad = str(tmp_path / "office.db"), str(tmp_path / "bad.db")
    everything(place)
    with closing(sqlite3.connect(place)) as file:
        file.execute("pragma wal_checkpoint(truncate)")
        every = {row[0] for row in file.execute("select name from sqlite_master where type = 'table'")}
        tables = sorted(every - set(schema.BESIDE))  # what no entry tells of, none can vouch for
        held = {table: file.execute(f"select rowid, * from {table} order by rowid desc limit 1") for table in tables}
        rows = {table: ([name for name, *_ in cursor.description], cursor.fetchone()) for table, cursor in held.items()}
    assert found(place) == []
    missed, made = [], 0
    assert all(row is not None for _, row in rows.values())
    for table, (names, row) in rows.items():
        for name, value in list(zip(names, row))[1:]:
            for new in other_values(value):
                if tampered(place, bad, f"update {table} set {name} = ? where rowid = ?", (new, row[0])):
                    made += 1
                    if not found(bad):
                        missed.append((table, name, value, new))
    assert missed == []
    assert made > 150


@pytest.mark.parametrize("sql", ["drop index game_once", "drop table given", "delete from report where id = 3"])
def test_what_is_missing_is_found(tmp_path: Path, sql: str) -> None:
    place, bad = str(tmp_path / "office.db"), str(tmp_path / "bad.db")
    everything(place)
    assert tampered(place, bad, sql)
    assert found(bad)


def test_guards_that_were_taken_away_or_put_there_are_found(tmp_path: Path) -> None:
    place = str(tmp_path / "office.db")
    everything(place)
    with closing(sqlite3.connect(place)) as file:
        file.execute("drop trigger entry_update")
        file.execute("create trigger quietly after insert on game begin delete from act; end")
    with open_office(place) as office:
        assert verify(office) == [
            "the trigger entry_update is not as this arpad makes it",
            "the trigger quietly is none of an office's",
        ]


@pytest.mark.parametrize("number", [2**31, 2**63, 10**30, -(10**30)])
def test_a_number_beyond_all_is_nothing_that_is_there(place: str, number: int) -> None:
    with init(place, "elo") as office:
        taken(office, crosstable(RESULTS))
        for attempt in (Change("game", number, {"voided": 1}), Change("game", 1, {"first": number})):
            with pytest.raises((DataError, UsageError), match="there is no"):
                correct(office, [attempt], preview=True)


def test_an_event_that_would_end_before_it_begins(place: str) -> None:
    with init(place, "elo") as office:
        taken(office, crosstable(RESULTS))
        with pytest.raises(DataError, match="an event cannot end before it begins"):
            correct(office, [Change("event", 1, {"ends": 1})], preview=True)


def test_a_game_is_not_corrected_to_a_day_before_ratings_begin(place: str) -> None:
    with init(place, "elo", base=DAY) as office:
        taken(office, crosstable(RESULTS))
        with pytest.raises(DataError, match="2024-12-31 is before 2025-01-04, where ratings begin"):
            correct(office, [Change("game", 1, {"day": date(2024, 12, 31).toordinal()})], "a slip")


@pytest.mark.parametrize("place", ["", "  "])
def test_an_office_needs_a_name(place: str) -> None:
    with pytest.raises(UsageError, match="needs a name"):
        init(place, "elo")


def test_c45_ratings_are_compared_whether_or_not_anybody_replayed(place: str, tmp_path: Path) -> None:
    rounds = "   2 w 1", "   1 b 0"

    def report(day: str, *ratings: int) -> Path:
        people = zip(("Bianchi, Anna", "Verdi, Ugo"), ("10023", "10032"), ratings, (0, 0), rounds)
        return written(tmp_path, trf(*people, end=f"2025/03/{day}"), f"{day}.trf")

    with init(place, "elo") as office:
        assert receive(office, report("02", 1500, 1500), Decisions(register=True)).accepted
        held = examine(office, report("09", 1510, 2100))
        assert ["rated 1484 here and 2100" in each.message for each in held.holds if "rated" in each.message] == [True]


def test_c45_a_federations_scale_is_no_slip_of_everybody(place: str, tmp_path: Path) -> None:
    names = ("Bianchi, Anna", "Verdi, Ugo", "Neri, Ida", "Rossi, Ada")
    rounds = "   2 w 1", "   1 b 0", "   4 w 1", "   3 b 0"

    def report(day: str, *ratings: int) -> Received:
        people = zip(names, ("101", "102", "103", "104"), ratings, (0, 0, 0, 0), rounds)
        path = written(tmp_path, trf(*people, end=f"2025/03/{day}"), f"{day}.trf")
        decided = Decisions(register=True, distinct=True)
        return examine(office, path, decided) if office.head > 1 else receive(office, path, decided)

    with init(place, "elo") as office:
        assert report("02", 2100, 2150, 2200, 2110).accepted
        assert report("09", 2100, 2150, 2200, 2110).holds == ()
        held = report("16", 2100, 2150, 2200, 1300)
        assert ["1300 in the report" in each.message for each in held.holds] == [True]


def test_what_nothing_forbids_and_is_perhaps_not_meant_is_said(place: str, tmp_path: Path) -> None:
    empty = tmp_path / "empty.csv"
    empty.write_text("date,white,black,result\n")
    late = date.today() + timedelta(days=400)
    with init(place, "elo") as office:
        assert "no game of it counts" in str(examine(office, empty).log)
        told = examine(office, [Game("A", "B", 1.0, date=late), Game("A", "C", None, date=DAY)], ALL)
        assert told.holds == ()
        said = " ".join(each.message for each in told.log)
        assert "1 game(s) of days to come" in said
        assert "1 game(s) without a result are not kept" in said


def test_an_office_of_another_time_is_not_opened_by_half(tmp_path: Path) -> None:
    place = str(tmp_path / "office.db")
    init(place, "elo").close()
    for value in ("", "one", "-1", "99"):
        with closing(sqlite3.connect(place)) as file:
            file.execute("update meta set value = ?", (value,))
            file.commit()
        with pytest.raises(LedgerError):
            open_office(place)
    assert os.path.exists(place)


def test_games_of_a_pool_that_no_list_rates_are_taken_with_a_warning(place: str) -> None:
    with init(place, "elo") as office:
        astray = Decisions(register=True, ids="club", pool="bltz")
        (warned,) = [each for each in taken(office, crosstable(RESULTS), astray).log if each.severity == "warning"]
        assert "no list rates the pool 'bltz'; pools with a list: ''" in warned.message
        again = taken(office, crosstable(RESULTS))
        assert again.again
        assert "as report 1, for the pool 'bltz'" in again.log[0].message


def test_games_that_a_list_cannot_replay_are_not_let_in(place: str) -> None:
    loose = [Game("A", "B", 1.0, date=DAY), Game("B", "C", 1.0, date=DAY)]
    with init(place, "uschess/regular") as office:
        assert taken(office, crosstable(RESULTS)).accepted
        before = exact(office)
        held = taken(office, loose)
        assert [each.message for each in held.holds] == [
            "the rulebook settles event by event, and there is no event column"
        ]
        assert exact(office) == before
        assert taken(office, loose, Decisions(register=True, ids="club", pool="skittles")).accepted


def test_a_list_that_its_facts_do_not_let_be_replayed_is_not_added(place: str) -> None:
    with init(place, "elo") as office:
        taken(office, [Game("A", "B", 1.0, date=DAY)])
        with pytest.raises(DataError, match="settles event by event"):
            add_list(office, "uschess/regular")
        assert [each.name for each in office.lists()] == ["elo"]
        assert correct(office, [Change("game", 1, {"voided": 1})], "never played").seq


def test_one_lists_rulebook_that_changed_keeps_nobody_from_correcting(place: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = load("elo").path.read_text()
    path.write_text(text)
    with init(place, str(path)) as office:
        add_list(office, "elo")
        taken(office, crosstable(RESULTS))
        without_texts(office)
    path.write_text(text.replace("400", "480"))
    with open_office(place) as office:
        fix = [Change("game", 1, {"voided": 1})]
        seen = correct(office, fix, preview=True)
        assert seen.effect.unknown == ("mine",)
        assert {each.list for each in seen.effect.moved} == {"elo"}
        assert correct(office, fix, "never played").effect == seen.effect
        assert taken(office, [Game("A", "B", 0.0, date=DAY + timedelta(days=60))]).accepted


def test_a_rulebook_put_right_is_adopted_by_an_act_with_a_preview(place: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = load("elo").path.read_text()
    path.write_text(text)
    with init(place, str(path)) as office:
        taken(office, crosstable(RESULTS))
        first = lists.publish(office, date(2025, 2, 1))
        with pytest.raises(UsageError, match="that is how it is already"):
            adopt(office, None, "nothing new")
        before = lists.revised(office).rows()
    path.write_text(text.replace("400", "480"))
    with open_office(place) as office:
        assert lists.revised(office).rows() == before
        head = office.head
        seen = adopt(office, None, preview=True)
        assert office.head == head
        assert [(each.list, each.day) for each in seen.effect.lists] == [("mine", first.day)]
        done = adopt(office, None, "the constant was wrong")
        assert done.effect == seen.effect
        assert len(lists.compare(office, first.day)) == seen.effect.lists[0].printed > 0
        assert lists.published(office, first.day).content == first.content
        assert verify(office) == []
    path.unlink()
    with open_office(place) as office:
        assert verify(office) == []
        revert(office, done.seq, "it was right")
        assert lists.revised(office).rows() == before
        assert lists.compare(office, first.day) == []


def closed(place: str) -> Office:
    """Ten years of a list are closed."""
    office = init(place, "elo")
    for year in (2000, 2005, 2025):
        assert taken(office, [Game("A", "B", 1.0, date=date(year, 5, 1), event=f"Open {year}")]).accepted
    move_base(office, date(2006, 1, 1), reason="no errors were reported any more")
    return office


@pytest.mark.parametrize("rules", ["glicko2", "fide/standard", "elo:40/20/10"])
def test_other_rulebooks_are_compared_where_years_are_closed(place: str, rules: str) -> None:
    with closed(place) as office:
        beside = side_by_side(office, (), [rules])
        assert [each.games for each in beside.figures] == [1, 0 if rules == "fide/standard" else 3]


def test_an_act_before_a_base_that_was_moved_is_refused(place: str) -> None:
    with closed(place) as office:
        with pytest.raises(DataError, match="closed before 2006-01-01, where its base is now"):
            add_acts(office, [Act("adjustment", "1", date(2005, 12, 31).toordinal(), 1700.0)])
        assert add_acts(office, [Act("adjustment", "1", date(2006, 1, 1).toordinal(), 1700.0)])


def test_acts_of_merged_people_that_come_again_count_once(place: str) -> None:
    with init(place, "elo") as office:
        taken(office, [Game("A", "B", 1.0, date=DAY), Game("C", "D", 1.0, date=DAY)])
        act = Act("adjustment", "3", DAY.toordinal(), 1700.0)
        assert add_acts(office, [act])
        merge(office, 1, 3, "one person")
        assert add_acts(office, [msgspec.structs.replace(act, player="1")]) == 0


def test_a_list_has_nothing_of_a_day_before_its_base(place: str) -> None:
    with init(place, "elo", base=DAY) as office:
        with pytest.raises(UsageError, match="begins on 2025-01-04: it has nothing of 2025-01-03"):
            lists.publish(office, DAY - timedelta(days=1))
        assert lists.publish(office, DAY).persons == []


def test_a_name_of_which_one_part_is_known_is_suggested(place: str) -> None:
    with init(place, "elo") as office:
        enrol(office, [Start("Bianchi, Anna", 1800.0), Start("Verdi, Lia", 1700.0)])
        with pytest.raises(UsageError, match="Bianchi, Anna"):
            cards.player(office, "Bianchi")


@pytest.mark.parametrize("number", [{"club": ""}, {" ": "7"}, {"club": "A"}])
def test_an_identifier_is_not_blank_and_not_said_twice(place: str, number: dict[str, str]) -> None:
    with init(place, "elo") as office:
        taken(office, [Game("A", "B", 1.0, date=DAY)])
        with pytest.raises(UsageError, match=r"a body and its number|is known of person 1"):
            describe(office, 1, identifiers=number)
