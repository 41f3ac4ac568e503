"""`arpad ladder`, as a club's officer uses it."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from arpad.bureau.keeping import verify
from arpad.bureau.lists import today
from arpad.bureau.opened import open_office
from arpad.bureau.people import merge
from arpad.bureau.register import enrol
from arpad.model import Start
from tests.cli.conftest import Arpad


@pytest.fixture
def place(arpad: Arpad, tmp_path: Path) -> Path:
    assert arpad("init", tmp_path / "club.db", "--rules", "elo", "--base", "2025-01-01").exit_code == 0
    with open_office(str(tmp_path / "club.db")) as office:
        enrol(office, [Start(name, 1500.0 + 50 * at, 20) for at, name in enumerate(("Anna", "Bruno", "Carla"))])
    return tmp_path / "club.db"


def test_matches_are_reported_confirmed_disputed_and_settled(arpad: Arpad, place: Path) -> None:
    def ladder(*given: Any) -> Any:
        return arpad("ladder", *given, "--office", place)

    early = ladder("report", 1, 2, "1-0")
    assert (early.exit_code, "ladder" in early.stderr) == (2, True)
    assert ladder("open", "--hours", 24).exit_code == 0
    assert ladder("report", 1, 2, "1-0", "--as", 1, "--day", "2025-05-01").exit_code == 0
    refused = ladder("confirm", 1, "--as", 1)
    assert (refused.exit_code, "other player" in refused.stderr) == (2, True)
    done = json.loads(ladder("confirm", 1, "--as", 2, "--format", "json").stdout)
    assert (done[0]["state"], done[0]["game"]) == ("confirmed", 1)
    assert ladder("report", 1, 3, "0-1", "--as", 3, "--day", "2025-05-01").exit_code == 0
    assert ladder("dispute", 2, "it was a draw", "--as", 1).exit_code == 0
    assert [each["match"] for each in json.loads(ladder("pending", "--format", "json").stdout)] == [2]
    assert json.loads(ladder("tick", "--format", "json").stdout) == []
    assert json.loads(ladder("settle", 2, "1/2-1/2", "--format", "json").stdout)[0]["final"] == 0.5
    late = ladder("report", 1, 3, "0-1", "--day", str(today() + timedelta(days=3)))
    assert (late.exit_code, "a day to come" in late.stderr) == (1, True)
    assert ladder("close").exit_code == 0
    assert ladder("report", 2, 3, "0-1").exit_code == 2
    with open_office(str(place)) as office:
        assert verify(office) == []


def test_who_was_registered_twice_plays_by_either_number(arpad: Arpad, place: Path) -> None:
    with open_office(str(place)) as office:
        enrol(office, [Start("Dora", 1500.0, 20)])
        merge(office, 2, 4, "registered twice")
    assert arpad("ladder", "open", "--office", place).exit_code == 0
    for number, player in ((1, 4), (2, 2)):
        given = ("report", 1, player, "1-0", "--number", number, "--as", player)
        assert arpad("ladder", *given, "--office", place).exit_code == 0, player


def test_a_season_is_previewed_begun_and_taken_back(arpad: Arpad, place: Path) -> None:
    def season(*given: Any) -> Any:
        return arpad("ladder", "season", "2025-09-01", *given, "--office", place)

    def ratings() -> dict[int, float]:
        with open_office(str(place)) as office:
            history = office.history(office.which())
            return {int(person): history.rating(person) or 0.0 for person in history.players}

    before = ratings()
    assert (
        season().exit_code
        == season("--keep", "--pull", 50).exit_code
        == season("--keep", "--towards", 1).exit_code
        == 2
    )
    shown = json.loads(season("--pull", 50, "--preview", "--format", "json").stdout)
    assert ratings() == before
    done = json.loads(season("--pull", 50, "--publish", "--called", "autumn", "--format", "json").stdout)
    assert done["changes"] == shown["changes"]
    assert ratings() == {each["person"]: each["after"] for each in done["changes"]} == {1: 1525.0, 2: 1550.0, 3: 1575.0}
    again = season("--keep")
    assert (again.exit_code, "already" in again.stderr) == (2, True)
    back = arpad("correct", "--revert", done["entry"], "--reason", "the assembly said so", "--office", place)
    assert (back.exit_code, ratings()) == (0, before)
    with open_office(str(place)) as office:
        assert [row[0] for row in office.store.rows("select day from publication")] == [date(2025, 9, 1).toordinal()]
