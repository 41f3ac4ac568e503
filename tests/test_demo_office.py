"""The demo office is the same every time, and has in it what it says."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

from arpad.bureau import cards, lists
from arpad.bureau.erasing import erased
from arpad.bureau.keeping import verify
from arpad.bureau.ladder_rows import matches
from arpad.bureau.opened import open_office, publication_days
from arpad.ledger import chain
from scripts.demo_office import build

DAYS = [date(2025, month, 1) for month in (1, 3, 5, 7, 9, 11)]


def published(place: Path) -> dict[tuple[str, date], str]:
    """The digest of every published list."""
    with open_office(place) as office:
        return {
            (which.name, day): lists.published(office, day, which.name).sha256
            for which in office.lists()
            for day in map(date.fromordinal, publication_days(office.store, which.id))
        }


def instants(place: Path) -> list[str]:
    with open_office(place) as office:
        return [entry.at for entry in chain.entries(office.store)]


def test_the_demo_office_is_the_same_every_time(demo_office: Path, tmp_path: Path) -> None:
    build(str(tmp_path / "again.db"))
    first = published(demo_office)
    assert first == published(tmp_path / "again.db")
    assert instants(demo_office) == instants(tmp_path / "again.db")
    assert [day for name, day in first if name == "standard"] == DAYS
    assert [day for name, day in first if name == "rapid"] == DAYS
    assert [day.year for name, day in first if name == "football"] == [2014, 2015, 2016, 2017]


def test_everything_that_an_office_lives_through_is_in_it(demo_office: Path) -> None:
    with open_office(demo_office) as office:
        assert verify(office) == []
        kinds = Counter(entry.kind for entry in chain.entries(office.store))
        assert (kinds["correct"], kinds["merge"], kinds["erase"], kinds["visibility"]) == (4, 1, 1, 1)
        states = dict(office.store.rows("select state, count(*) from report group by state"))
        assert states == {"accepted": 18 + 13, "staged": 1}
        assert Counter(each.state for each in matches(office, "club")) == {
            "confirmed": 13,
            "reported": 1,
            "disputed": 1,
        }
        assert len(lists.compare(office, DAYS[-1], "standard")) == 2
        assert [cards.player(office, person).name for person in erased(office)] == ["player 55"]
        assert cards.player(office, 38).name == "Oberschmitt, Till"
        office.audience = "public"
        assert cards.player(office, 38).name == "player 38"
        names = office.names(range(1, 61)).values()
        assert Counter(names)["Rossetti, Marco"] == 2, "two people of one name"
        assert any("ß" in name for name in names)
        assert any("ø" in name for name in names)
