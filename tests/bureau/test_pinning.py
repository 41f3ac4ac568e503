"""A rulebook that a list took is kept with it: the office goes on although its file is moved, changed or gone."""

from __future__ import annotations

import re
import shutil
from datetime import date, timedelta
from pathlib import Path

import msgspec
import pytest

from arpad.bureau import lists
from arpad.bureau.bundles import check, export, import_bundle
from arpad.bureau.corrections import Change, correct
from arpad.bureau.keeping import backup, restore, verify
from arpad.bureau.opened import Office, add_list, init, open_office
from arpad.bureau.pinning import pinned
from arpad.bureau.register import enrol
from arpad.errors import LedgerError
from arpad.model import Game, Start
from arpad.rulebooks import load, loader
from tests.bureau.worlds import exact, taken, without_texts

DAY = date(2025, 2, 1)
#: FIDE's rapid rules with a table and a K of the club's own.
CLUB = """
like = "fide/rapid"
organisation = "Club"
game = "chess"
system = "elo"
title = { en = "Club rating" }

[[edition]]
from = 2024-03-01
curve = { shape = "table", file = "tables/own.csv", lookup = "exact" }

[[edition.k]]
value = 12

[preset.fast]
settings = {}
amend = {}
"""


def club(folder: Path) -> Path:
    """The club's rulebook, with its table: FIDE's, printed otherwise."""
    rules, table = folder / "rules" / "club.toml", folder / "rules" / "tables" / "own.csv"
    table.parent.mkdir(parents=True)
    rules.write_text(CLUB, encoding="utf-8")
    table.write_text((loader.SHELF / "fide" / "8.1.2.csv").read_text().replace("0.92,0.08", "0.93,0.07"))
    return rules


def played(office: Office) -> list[dict[str, object]]:
    """Games of which a list is published; the list."""
    enrol(office, [Start(name, 1500.0 + 150 * at, games=40) for at, name in enumerate("ABC")], ids="club")
    taken(office, [Game(*pair, 1.0, date=DAY - timedelta(days=20)) for pair in ("AB", "CB", "AC")])
    return lists.publish(office, DAY).table({}).rows()


@pytest.mark.parametrize("preset", ["", ":fast"])
def test_an_office_whose_rulebook_file_is_gone_goes_on_and_is_restored_elsewhere(
    place: str, tmp_path: Path, preset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = club(tmp_path)
    monkeypatch.chdir(rules.parent)  # a path as somebody types it
    with init(place, f"club.toml{preset}") as office:
        printed = played(office)
        before, name = exact(office), office.book(office.which()).name
    shutil.rmtree(rules.parent)
    monkeypatch.chdir(tmp_path)
    target = str(tmp_path / "monday.db")
    with open_office(place) as office:
        assert exact(office) == before
        assert office.book(office.which()).name == name == rules.name + preset
        assert lists.revised(office, DAY).columns["rating"] == [row["rating"] for row in printed]
        lists.replay(office)
        assert verify(office) == []
        taken(office, [Game("A", "B", 1.0, date=DAY + timedelta(days=2))])
        lists.publish(office, DAY + timedelta(days=30))
        after = exact(office)
        backup(office, target)
        export(office, str(tmp_path / "office.zip"))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with restore(target, str(elsewhere / "office.db")) as again:
        assert exact(again) == after != before
        assert verify(again) == []
    assert [each.same for each in check(str(tmp_path / "office.zip"))] == [True, True]
    with import_bundle(str(tmp_path / "office.zip"), str(elsewhere / "imported.db")) as again:
        assert exact(again) == after
        assert verify(again) == []


def test_a_rulebook_that_ships_is_kept_as_it_read_with_what_it_is_like(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with init(place, "fide/blitz") as office:
        played(office)
        before, digest = exact(office), office.which().digest
        kept = msgspec.json.decode(bytes(office.store.value("select content from rulebook")))
        assert {"blitz.toml", "shelf/fide/rapid.toml", "fide/8.1.2.csv"} <= kept.keys()
    later = tmp_path / "later"
    shutil.copytree(loader.SHELF, later, ignore=shutil.ignore_patterns("*.py"))
    file = later / "fide" / "rapid.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("value = 20", "value = 21"), encoding="utf-8")
    monkeypatch.setattr(loader, "SHELF", later)
    assert load("fide/blitz").digest != digest
    with open_office(place) as office:
        assert office.which().digest == digest
        assert exact(office) == before
        assert verify(office) == []
        again = add_list(office, "fide/blitz", name="again")
        assert again.digest != digest
        assert office.store.value("select count(*) from rulebook") == 2
    file.unlink()
    with open_office(place) as office:
        assert exact(office) == before
        assert verify(office) == []


def test_an_office_of_before_goes_on_as_long_as_its_file_is_there(tmp_path: Path) -> None:
    rules, place = club(tmp_path), str(tmp_path / "office.db")
    with init(place, str(rules)) as office:
        played(office)
        before = exact(office)
        without_texts(office)
    with open_office(place) as office:
        assert exact(office) == before
    shutil.rmtree(rules.parent)
    with open_office(place) as office:
        with pytest.raises(LedgerError, match=r"is not what it was .* \(there is no file .*club\.toml\): adopt"):
            lists.revised(office)
        assert correct(office, [Change("event", 1, {"rated": 1})], preview=True).effect.unknown == ("club",)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("delete from rulebook", r"the text of the rulebook [0-9a-f]{12} is missing"),
        (
            "update rulebook set content = cast(replace(cast(content as text), 'Club', 'Our') as blob)",
            "is not what was kept",
        ),
        ("update rulebook set file = 'other.toml'", "does not have its digest"),
        ("insert into rulebook values ('beef', 'club.toml', x'7b7d')", "rulebook beef does not have its digest"),
    ],
)
def test_a_kept_text_that_is_another_one_is_found(tmp_path: Path, change: str, said: str) -> None:
    with init(str(tmp_path / "office.db"), str(club(tmp_path))) as office:
        office.store.run(change)
        faults = verify(office)
    assert len(faults) == 1
    assert re.search(said, faults[0])


def test_a_kept_rulebook_writes_nothing_beside_its_folder(tmp_path: Path) -> None:
    rules = club(tmp_path)
    with init(str(tmp_path / "office.db"), str(rules)) as office:
        held = msgspec.json.decode(bytes(office.store.value("select content from rulebook")))
        assert pinned(office.store, office.which()) is not None
        for name in ("../beside.toml", str(tmp_path / "beside.toml"), "a/../../../beside.toml"):
            content = msgspec.json.encode({**held, name: "x"})
            office.store.run("update rulebook set content = ?", (content,))
            assert pinned(office.store, office.which()) is None
        assert not list(tmp_path.glob("**/beside.toml"))
