"""Bundles: whoever has one comes to the same lists, byte for byte, and to a whole office."""

from __future__ import annotations

import hashlib
import random
import zipfile
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.bureau import cards, lists
from arpad.bureau.bundles import check, export, import_bundle
from arpad.bureau.corrections import Change, correct
from arpad.bureau.erasing import erase
from arpad.bureau.exports import export_person
from arpad.bureau.keeping import verify
from arpad.bureau.opened import Office, init
from arpad.bureau.people import describe, merge, split
from arpad.bureau.register import add_acts, enrol
from arpad.errors import LedgerError, UsageError
from arpad.model import Act, Game, PartialDate, Start
from tests.bureau.worlds import exact, game_number, some_events, taken
from tests.places import empty_database

few = settings(max_examples=10, deadline=None)


def a_year(place: str, rules: str, seed: int) -> Office:
    """An office in which all happened that can: reports, lists, corrections, merges, splits and erasures."""
    random_ = random.Random(seed)
    office = init(place, rules)
    people = [Start(name, 1500.0 + 10 * at, born=PartialDate(2005 + at, 3, 9)) for at, name in enumerate("ABCDEFGHI")]
    enrol(office, people, ids="club")
    reports = some_events(random_, events=5)
    days = [date(2021, 6, 1), date(2022, 6, 1), date(2023, 6, 1), date(2024, 6, 1)]
    for report, day in zip(reports, days):
        taken(office, report)
        lists.publish(office, day, reason="by the calendar")
    correct(office, [Change("game", game_number(office), {"voided": 1})], "no game")
    merge(office, 1, 9, "registered twice")
    lists.publish(office, date(2024, 7, 1))
    split(office, 9, "two people")
    erase(office, random_.randint(1, 8), "asked")
    add_acts(office, [Act("adjustment", "2", date(2024, 7, 2).toordinal(), 12.5, reason="arithmetic")])
    lists.publish(office, date(2024, 8, 1))
    return office


def told(office: Office) -> list[object]:
    numbers = [(which.name, [float(value) for value in office.history(which).state]) for which in office.lists()]
    days = office.store.rows("select list, day, sha256, content from publication order by list, day")
    games = office.store.rows("select * from game order by id")
    return [repr(numbers), days, games]


@few
@given(st.integers(0, 10**6), st.sampled_from(["elo", "fide/standard", "glicko2"]))
def test_promise_10_a_bundle_is_replayed_elsewhere_to_identical_bytes(
    tmp_path_factory: pytest.TempPathFactory, seed: int, rules: str
) -> None:
    folder = tmp_path_factory.mktemp("bundle")
    source, twice = str(folder / "office.zip"), str(folder / "again.zip")
    with a_year(":memory:", rules, seed) as office:
        page = export(office, source)
        replayed = check(source)
        assert [each.why for each in replayed] == [""] * 6
        assert [each.sha256 for each in replayed] == [each.sha256 for each in page.published]
        with import_bundle(source, ":memory:") as again:
            assert verify(again) == []
            assert told(again) == told(office)
            assert cards.log(again) == cards.log(office)
            for who in range(1, 10):
                assert cards.player(again, who) == cards.player(office, who)
            export(again, twice)
        assert Path(twice).read_bytes() == Path(source).read_bytes()


@few
@given(st.integers(0, 10**6), st.sampled_from(["elo", "fide/standard", "glicko2"]))
def test_a_public_bundle_has_no_word_and_comes_to_the_same_lists(
    tmp_path_factory: pytest.TempPathFactory, seed: int, rules: str
) -> None:
    source = str(tmp_path_factory.mktemp("bundle") / "public.zip")
    with a_year(":memory:", rules, seed) as office:
        describe(office, 2, name="Ferrari, Luca", identifiers={"fide": "100235"}, federation="ITA", reason="his card")
        page = export(office, source, public=True)
        with zipfile.ZipFile(source) as file:
            names, held = file.namelist(), b"".join(map(file.read, file.namelist()))
        assert not [name for name in names if name.startswith(("reports/", "words"))]
        for word in (b"Ferrari", b"100235", b"arithmetic", b"no game", b"2006-03", b"20060309"):
            assert word not in held, word
        assert all(each.same for each in check(source))
        with import_bundle(source, ":memory:") as again:
            assert verify(again) == []
            assert told(again)[1:] == told(office)[1:]
            assert told(again)[0] == told(office)[0]
            assert again.head >= page.head
            assert cards.player(again, 2).name == "player 2"


def test_promise_10_an_office_moves_to_any_database(place: str, tmp_path: Path) -> None:
    source = str(tmp_path / "office.zip")
    with a_year(place, "fide/standard", 5) as office:
        export(office, source)
        with pytest.raises(UsageError, match="is there already"):
            export(office, source)
        with pytest.raises(UsageError, match=r"there already|an office at"):
            import_bundle(source, place)
        target = f"{place}_moved" if place.startswith("postgresql") else str(tmp_path / "moved.db")
        if place.startswith("postgresql"):
            with empty_database(target), import_bundle(source, target) as again:
                assert verify(again) == []
                assert told(again) == told(office)
        else:
            with import_bundle(source, target) as again:
                assert verify(again) == []
                assert told(again) == told(office)


def test_a_rulebook_of_ones_own_goes_with_the_bundle(tmp_path: Path) -> None:
    rules, source = tmp_path / "club.toml", str(tmp_path / "office.zip")
    from arpad.rulebooks.loader import SHELF

    rules.write_text((SHELF / "elo.toml").read_text(encoding="utf-8"), encoding="utf-8")
    with init(":memory:", str(rules)) as office:
        taken(office, [Game("A", "B", 1.0, date=date(2025, 1, 1))])
        lists.publish(office, date(2025, 2, 1))
        export(office, source)
        before = exact(office)
    rules.unlink()
    assert [each.same for each in check(source)] == [True]
    with import_bundle(source, str(tmp_path / "again.db")) as again:
        assert exact(again) == before
        assert verify(again) == []
        taken(again, [Game("A", "B", 1.0, date=date(2025, 3, 1))])
        lists.publish(again, date(2025, 4, 1))


def test_a_bundle_that_is_not_what_was_written_is_refused(tmp_path: Path) -> None:
    source, other = tmp_path / "office.zip", tmp_path / "other.zip"
    with a_year(":memory:", "elo", 3) as office:
        export(office, str(source))
    with zipfile.ZipFile(source) as file:
        parts = {name: file.read(name) for name in file.namelist()}

    def written(changed: dict[str, bytes]) -> str:
        with zipfile.ZipFile(other, "w") as file:
            for name, content in {**parts, **changed}.items():
                file.writestr(name, content)
        return str(other)

    entries = parts["entries.jsonl"]
    with pytest.raises(LedgerError, match=r"not what was written: entries\.jsonl"):
        check(written({"entries.jsonl": entries.replace(b"officer", b"offizer")}))
    forged = entries.replace(b'"officer","games"', b'"offizer","games"')
    digests = [hashlib.sha256(each).hexdigest().encode() for each in (entries, forged)]
    page = parts["bundle.json"].replace(*digests)
    place = tmp_path / "forged.db"
    with pytest.raises(LedgerError, match="not what was written"):
        import_bundle(written({"entries.jsonl": forged, "bundle.json": page}), str(place))
    assert not place.exists()
    other.write_bytes(b"PK no bundle")
    with pytest.raises(LedgerError, match="is no bundle"):
        check(str(other))
    with pytest.raises(UsageError, match="No such file"):
        check(str(tmp_path / "nowhere.zip"))


def test_the_export_of_a_person_has_every_row_about_them(place: str) -> None:
    with a_year(place, "fide/standard", 4) as office:
        describe(office, 9, name="Rossi, Marco", aliases=["Il Rosso"], federation="ITA", reason="a card")
        merge(office, 9, next(each for each in range(1, 9) if cards.find(office, each).identifiers), "one person")
        told = export_person(office, "Il Rosso")
        assert told["person"] == 9
        assert [row["name"] for row in told["names"]][-1] == "Rossi, Marco"
        assert {row["number"] for row in told["identifiers"]} >= {"I"}
        assert told["federations"] == [{"since": None, "code": "ITA"}]
        marks = ", ".join(map(str, told["numbers"]))
        count = office.store.value(f"select count(*) from game where first in ({marks}) or second in ({marks})")
        assert len(told["games"]) == count
        assert {"people", "merge", "games"} <= {entry["kind"] for entry in told["log"]}
        assert {entry["reason"] for entry in told["log"]} >= {"registered twice", "two people", "a card", "one person"}
        assert {row["report"] for row in told["reports"]} == {row["report"] for row in told["games"]}
        assert all(row["person"] in told["numbers"] for row in told["published"])
        erase(office, 9, "asked")
        after = export_person(office, 9)
        assert "Rossi" not in str(after)
        assert len(after["games"]) == count
