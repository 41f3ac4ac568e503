"""`arpad check`, `arpad convert`, and reports given to `arpad rate`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arpad.formats.trf import read_trf

from ..formats.reports import EXAMPLE, player, trf
from .conftest import Arpad


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "open.trf"
    path.write_bytes(EXAMPLE.encode())
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """A total without its bye, a result on one side only, and two lines that disagree."""
    path = tmp_path / "bad.trf"
    path.write_bytes(
        trf(
            player(1, "2 w 1|3 b =", points="2.0"),
            player(2, "1 b |4 w 1", points="1.0"),
            player(3, "4 w 1|1 w 1", points="2.0"),
            player(4, "3 b 0|2 b 0", points="0.0"),
        )
    )
    return path


def test_check_of_a_sound_report(arpad: Arpad, good: Path) -> None:
    result = arpad("check", good)
    assert result.exit_code == 0
    assert result.stdout.endswith("0 errors, 0 warnings\n")


def test_check_names_place_fault_and_repair(arpad: Arpad, bad: Path) -> None:
    result = arpad("check", bad)
    assert result.exit_code == 1
    assert "bad.trf:4:99: error: round 1: 1 v 2 is 1 on line 4 and blank on line 5" in result.stdout
    assert "repair: write 0 on line 5, as the other line says" in result.stdout
    assert "3 errors" in result.stdout


def test_check_as_json(arpad: Arpad, bad: Path) -> None:
    found = json.loads(arpad("check", bad, "--format", "json").stdout)
    assert (found["version"], found["encoding"], found["holds"]["players"]) == ("TRF16", "utf-8", 4)
    assert len(found["fingerprint"]) == 64
    first = found["findings"][0]
    assert {"number", "severity", "kind", "line", "column", "message", "repair"} == first.keys()


def test_accepted_repairs_are_written_and_noted(arpad: Arpad, bad: Path, tmp_path: Path) -> None:
    target = tmp_path / "mended.trf"
    before = bad.read_bytes()
    result = arpad("check", bad, "--repair", target, "--accept", "all")
    assert "arpad repaired: write 0 on line 5" in result.stderr
    assert bad.read_bytes() == before
    report, _ = read_trf(target.read_bytes())
    assert report.entrants[1].results[0].code == "0"
    assert [line.text[:18] for line in report.lines if line.code == "###"] == ["### arpad repaired"] * len(
        [line for line in report.lines if line.code == "###"]
    )
    assert result.exit_code == arpad("check", target).exit_code


def test_one_repair_is_accepted_by_its_number(arpad: Arpad, bad: Path, tmp_path: Path) -> None:
    findings = json.loads(arpad("check", bad, "--format", "json").stdout)["findings"]
    number = next(each["number"] for each in findings if each["repair"] and "line 5" in each["repair"])
    result = arpad("check", bad, "--repair", tmp_path / "out.trf", "--accept", number, "--comment", "XXK")
    assert result.stderr.count("arpad repaired") == 1
    assert (tmp_path / "out.trf").read_text().splitlines()[-1].startswith("XXK arpad repaired: write 0 on line 5")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--repair", "out.trf"], "go together"),
        (["--accept", "1"], "go together"),
        (["--repair", "out.trf", "--accept", "99"], "nothing to accept under '99'"),
        (["--repair", "out.trf", "--accept", "x"], "nothing to accept under 'x'"),
    ],
)
def test_repairs_that_cannot_be_accepted(options: list[str], words: str, arpad: Arpad, bad: Path) -> None:
    result = arpad("check", bad, *options)
    assert result.exit_code == 2
    assert words in result.stderr
    assert not (bad.parent / "out.trf").exists()


def test_check_of_a_table_of_games(arpad: Arpad, games: Path) -> None:
    assert arpad("check", games).exit_code == 0
    games.write_text("white,black,result\nAnna,Anna,1-0\n")
    result = arpad("check", games)
    assert result.exit_code == 1
    assert "games.csv:2: error" in result.stdout
    assert arpad("check", games, "--repair", "x.csv", "--accept", "all").exit_code == 2


def test_check_asks_how_dates_are_to_be_read(arpad: Arpad, tmp_path: Path) -> None:
    path = tmp_path / "old.trf"
    path.write_bytes(trf(player(1), "042 04/03/2011", "052 05/03/2011"))
    assert "--date-format" in arpad("check", path).stdout
    assert arpad("check", path, "--date-format", "DMY").exit_code == 0


def test_convert_there_and_back(arpad: Arpad, good: Path, tmp_path: Path) -> None:
    result = arpad("convert", good, tmp_path / "games.csv")
    assert result.exit_code == 0
    assert "1 forfeit, 2 byes" in result.stderr
    assert (tmp_path / "games.csv").read_text().splitlines()[1] == (
        "2026-10-01,Example Open,2026-10-01,2026-10-03,1,1500001,800004,1-0,standard"
    )
    assert arpad("convert", tmp_path / "games.csv", tmp_path / "back.trf").exit_code == 0
    assert arpad("check", tmp_path / "back.trf").exit_code == 0
    assert arpad("convert", good, tmp_path / "table.txt").exit_code == 0
    assert "Alpha, Anna-Karl" in (tmp_path / "table.txt").read_text()


def test_convert_one_event_of_several(arpad: Arpad, games: Path, tmp_path: Path) -> None:
    assert arpad("convert", games, tmp_path / "out.trf").exit_code == 1
    assert arpad("convert", games, tmp_path / "out.trf", "--event", "Open").exit_code == 0
    assert arpad("convert", games, tmp_path / "out.doc").exit_code == 2


def test_a_report_is_rated_with_its_own_ratings(arpad: Arpad, good: Path) -> None:
    result = arpad("rate", good, "--start", good, "--rules", "fide/standard", "--format", "json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert (found["games"], found["not_rated"]) == (4, 2)
    assert {row["player"] for row in found["ratings"]} == {"1500001", "4600002", "800004"}


def test_a_report_with_errors_is_not_rated(arpad: Arpad, bad: Path) -> None:
    result = arpad("rate", bad)
    assert result.exit_code == 1
    assert "column 99" in result.stderr
