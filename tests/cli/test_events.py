"""`arpad norms` and `arpad report`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Arpad
from tests.reports import Person, one_against

HEAD = ("012 Open", "032 ITA", "042 2025/11/01", "052 2025/11/05", "092 Individual: Swiss-System", "222 5400+30")


@pytest.fixture
def swiss(tmp_path: Path) -> Path:
    """Rossi makes a grandmaster norm with nothing to spare."""
    return swiss_of(tmp_path, "111111=00")


def swiss_of(folder: Path, codes: str) -> Path:
    titles = ("GM", "GM", "GM", "IM", "IM", "", "", "", "")
    feds = ("ESP", "FRA", "GER") * 3
    others = [Person(f"Opponent {n}", 2434, fed, title) for n, (fed, title) in enumerate(zip(feds, titles))]
    path = folder / "open.trf"
    path.write_text(one_against(Person("Rossi, Marco", 2450, "ITA", "IM"), others, codes, *HEAD), newline="")
    return path


def test_norms_shows_those_that_were_made(arpad: Arpad, swiss: Path) -> None:
    result = arpad("norms", swiss)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "Rossi, Marco: norm for GM made, counting for 9 games"
    assert "performance: 2600 (at least 2600) [1.4.8]" in result.stdout
    assert "1 norms" in result.stderr


def test_norms_of_one_player_says_what_is_missing(arpad: Arpad, swiss: Path) -> None:
    result = arpad("norms", swiss, "--player", "Opponent 8", "--title", "IM", "--language", "it")
    assert result.exit_code == 0
    assert "manca     partite: 1 (almeno 9) [1.4.1a]" in result.stdout
    assert "non noto" in result.stdout


def test_norms_as_json(arpad: Arpad, swiss: Path) -> None:
    (answer,) = json.loads(arpad("norms", swiss, "--player", "1", "--title", "GM", "--format", "json").stdout)
    assert answer["needs"] is None
    assert answer["report"]["achieved"] is True
    conditions = {each["name"]: each for each in answer["report"]["conditions"]}
    assert (conditions["performance"]["have"], conditions["performance"]["article"]) == (2600, "1.4.8")
    assert conditions["registered"]["met"] is None
    assert len(answer["report"]["counted"]) == 9


def test_norms_says_what_the_last_round_needs(arpad: Arpad, tmp_path: Path) -> None:
    path = swiss_of(tmp_path, "11111==0 ")
    shown = arpad("norms", path, "--player", "Rossi", "--title", "GM")
    assert "0.5 in round 9 against Opponent 8" in shown.stdout
    (answer,) = json.loads(arpad("norms", path, "--player", "Rossi", "--title", "GM", "--format", "json").stdout)
    assert answer["needs"][0]["results"] == [[9, "Opponent 8", 0.5]]


def test_norms_under_a_championship_of_its_own(arpad: Arpad, swiss: Path) -> None:
    result = arpad("norms", swiss, "--player", "Rossi", "--title", "GM", "--championship", "national-final")
    assert "[1.4.3a]" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--player", "Verdi"), 2, "unknown player 'Verdi'"),
        (("--player", "Opponent"), 2, "more than one"),
        (("--title", "FM"), 2, "FM"),
    ],
)
def test_wrong_use_of_norms(arpad: Arpad, swiss: Path, arguments: tuple[str, ...], code: int, words: str) -> None:
    result = arpad("norms", swiss, *arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert words in result.stderr


@pytest.mark.parametrize("command", ["norms", "report"])
def test_a_file_that_is_no_report(arpad: Arpad, tmp_path: Path, command: str) -> None:
    assert arpad(command, tmp_path / "none.trf").exit_code == 2
    path = tmp_path / "games.trf"
    path.write_text("date,white,black,result\n")
    assert arpad(command, path).exit_code == 1


def test_report_is_a_crosstable_with_changes(arpad: Arpad, swiss: Path) -> None:
    result = arpad("report", swiss)
    assert result.exit_code == 0
    assert "rules fide/standard, edition of 2025-10-01" in result.stdout
    rossi = next(line for line in result.stdout.splitlines() if "Rossi" in line)
    assert "2w1  3w1" in rossi
    assert "2434" in rossi
    assert "K of 10 players" in result.stderr


def test_report_of_one_player(arpad: Arpad, swiss: Path) -> None:
    result = arpad("report", swiss, "--player", "Rossi")
    # nine games with a difference of 16: .52 each
    assert result.stdout.splitlines()[-1] == (
        "6.5 of 9 rated games: average 2434, performance 2600, expected 4.68, K 10, change +18.2, 2450 -> 2468"
    )
    rows = list(csv.DictReader(io.StringIO(arpad("report", swiss, "--player", "1", "--format", "csv").stdout)))
    assert [row["change"] for row in rows][:1] == ["4.8"]
    assert len(rows) == 9


def test_report_as_json(arpad: Arpad, swiss: Path) -> None:
    answer = json.loads(arpad("report", swiss, "--format", "json").stdout)
    assert (answer["rules"], answer["start"], answer["rounds"]) == ("fide/standard", "2025-11-01", 9)
    assert answer["players"][0]["change"] == 18.2
    assert answer["players"][0]["games"][0]["expected"] == 0.52


def test_report_with_a_list(arpad: Arpad, swiss: Path, tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text('player,rating,games,peak\n"Rossi, Marco",2450,300,2390\n')
    answer = json.loads(arpad("report", swiss, "--start", path, "--player", "Rossi", "--format", "json").stdout)
    assert answer["rating"] == 2450
    assert answer["k"] == 10
    assert "K of 9 players" in arpad("report", swiss, "--start", path).stderr


def test_a_rating_that_the_file_states_is_held_against_ours(arpad: Arpad, tmp_path: Path) -> None:
    path = tmp_path / "table.txt"
    path.write_text(
        " Pair | Player Name                     |Total|Round|\n"
        " Num  | USCF ID / Rtg (Pre->Post)       | Pts |  1  |\n"
        "------------------------------------------------------\n"
        "    1 | ROSSI MARCO                     |1.0  |W   2|\n"
        "   ON | 12345678 / R: 2000   ->2010     |     |W    |\n"
        "    2 | BIANCHI ANNA                    |0.0  |L   1|\n"
        "   ON | 12345679 / R: 2000   ->1995     |     |B    |\n"
    )
    assert arpad("report", path).exit_code == 2  # no date in it
    result = arpad("report", path, "--on", "2025-11-01", "--rules", "fide/standard")
    assert result.exit_code == 1
    assert "BIANCHI ANNA: the file states 1995, the rules give 1990" in result.stderr
    assert "ROSSI" not in result.stderr
    assert arpad("report", path, "--on", "2025-11-01", "--player", "1").exit_code == 0
