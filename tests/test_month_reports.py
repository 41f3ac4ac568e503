"""What a month refuses or says of the lists and reports it is given. Everybody here is invented."""

from __future__ import annotations

import csv
import io
from datetime import date
from pathlib import Path

import pytest

from arpad.cli import run
from arpad.formats.fide_list import read_list, write_list
from arpad.formats.rating_list import told_by_k
from tests.test_month import players, report

GAMES = [(101, 102, "1"), (103, 104, "1"), (102, 103, "="), (101, 103, "0")]
RAPID = "15 min + 10 sec"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("november.xml").write_text(players(), encoding="utf-8")
    Path("open.trf").write_text(event())
    return tmp_path


def event(name: str = "Open", first: int = 7, last: int = 9, control: str = "90 min/40 + 30 min + 30 sec") -> str:
    return report(name, date(2025, 11, first), date(2025, 11, last), GAMES, control)


def month(*more: str, lists: tuple[str, ...] = ("2025-11-01=november.xml",), folder: str = "december") -> int:
    options = [part for each in lists for part in ("--list", each)]
    return run(["month", *more, *options, "--date", "2025-12-01", "-o", folder])


def made(folder: str = "december") -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


@pytest.mark.parametrize("second", ["open.trf", "spring.trf"])
def test_a_report_that_comes_twice_counts_once(here: Path, second: str, capsys: pytest.CaptureFixture[str]) -> None:
    """C56: the same file again, and the same event under another name."""
    Path("spring.trf").write_text(event("Spring Open"))
    assert month("open.trf", folder="once") == 0
    assert month("open.trf", second) == 0
    assert "counted once" in capsys.readouterr().err
    assert made()["standard-changes.csv"] == made("once")["standard-changes.csv"]


def test_two_reports_of_one_event_that_differ_are_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("mended.trf").write_text(report("Open", date(2025, 11, 7), date(2025, 11, 9), [*GAMES[:3], (101, 103, "1")]))
    assert month("open.trf", "mended.trf") == 1
    assert "4 of its 4 games are in Open (mended.trf) too" in capsys.readouterr().err
    assert not Path("december").exists()


def test_the_same_pairings_a_week_later_are_another_event(here: Path) -> None:
    Path("again.trf").write_text(event(first=14, last=16))
    assert month("open.trf") == 0
    once = made()["standard-changes.csv"]
    assert month("open.trf", "again.trf") == 0
    assert made()["standard-changes.csv"] != once


def test_a_report_of_a_chapter_that_no_list_has_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("rapid.trf").write_text(event("Rapid", control=RAPID))
    separate("standard")
    assert month("open.trf", "rapid.trf", lists=("2025-11-01=standard.txt",)) == 1
    assert "error: rapid.trf: Rapid: an event of rapid, and no list of 2025-11-01 has rapid" in capsys.readouterr().err
    assert not Path("december").exists()


def separate(*chapters: str) -> None:
    found, _ = read_list("november.xml", day=date(2025, 11, 1))
    for name in chapters:
        write_list(found, f"{name}.txt", layout="chapter", chapter=name)  # type: ignore[arg-type]


def test_lists_of_one_day_with_a_chapter_each_are_one_list(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("rapid.trf").write_text(event("Rapid", control=RAPID))
    separate("standard", "rapid", "blitz")
    assert month("open.trf", "rapid.trf") == 0
    whole = made()
    assert month("open.trf", "rapid.trf", lists=("rapid.txt", "standard.txt", "blitz.txt"), folder="joined") == 0
    for name in ("standard-changes.csv", "rapid-changes.csv", "standings.csv"):
        assert made("joined")[name] == whole[name]
    one, _ = read_list("december/list.xml", day=date(2025, 12, 1))
    two, _ = read_list("joined/list.txt", day=date(2025, 12, 1))
    assert [one.row(row) for row in range(len(one))] == [two.row(row) for row in range(len(two))]
    assert month("open.trf", lists=("standard.txt", "2025-11-01=november.xml")) == 2
    assert "lists of the same day, both of standard" in capsys.readouterr().err


def test_the_new_list_has_the_form_of_the_newest_whatever_the_paths(here: Path) -> None:
    separate("standard")
    found, _ = read_list("november.xml", day=date(2025, 10, 1))
    write_list(found, "zz.txt", layout="combined")
    assert month("open.trf", lists=("2025-10-01=zz.txt", "2025-11-01=november.xml")) == 0
    assert made()["list.xml"].startswith(b"<playerslist>")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("november.xml", "november.xml does not say of which day it is: write --list YYYY-MM-DD=november.xml"),
        ("2025-10-01=standard.txt", "standard.txt is the list of 2025-11-01 by its header, not of 2025-10-01"),
    ],
)
def test_a_list_of_no_day_or_of_another_one_is_refused_by_name(
    here: Path, given: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    separate("standard")
    assert month("open.trf", lists=(given,)) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        (
            "        102 1990",
            "      99999 1990",
            "1 player not on the list of 2025-11-01, and without a rating: Betulla,",
        ),
        ("  2100 ITA", "  1999 ITA", "Betulla, Bo 2100 there and 1999 here (line 7)"),
        ("Betulla, Bo ", "Quercia, Qu ", "102 is Betulla, Bo there and Quercia, Qu here (line 7)"),
    ],
)
def test_what_a_report_and_the_list_say_differently_of_a_player_is_told(
    here: Path, was: str, becomes: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert was in event()
    Path("open.trf").write_text(event().replace(was, becomes))
    assert month("open.trf") == 0
    assert said in capsys.readouterr().err


def test_an_event_older_than_the_oldest_list_is_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("open.trf").write_text(event().replace("2025/11/07", "2025/10/07"))
    assert month("open.trf") == 0
    assert "began on 2025-10-07, and the oldest list is of 2025-11-01" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ("2025/11/07", "2025/11/10", "ends on 2025-11-09, before it begins on 2025-11-10"),
        ("2025/11/0", "", "the event has no dates (records 042 and 052 have them)"),
    ],
)
def test_the_dates_of_an_event_are_doubted_before_its_time_control(
    here: Path, was: str, becomes: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = event().split("\r\n")
    kept = [line.replace(was, becomes) if becomes else line for line in lines if becomes or was not in line]
    Path("open.trf").write_text("\r\n".join(kept))
    assert month("open.trf") == 1
    assert said in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_is_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert month("open.trf", folder="open.trf") == 2
    assert "cannot write into the folder 'open.trf'" in capsys.readouterr().err


def test_k_of_a_rating_list_is_kept_where_the_list_is_the_start(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Betulla's printed 20 was taken for 40: the list does not count her games, and she seemed to be new."""
    assert run(["report", "open.trf", "--start", "november.xml", "--format", "csv"]) == 0
    told = {row["name"]: float(row["k"]) for row in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    assert told["Betulla, Bo"] == 20
    assert told["Abete, Ada"] == 10
    assert told["Cedro, Cy"] == 40


@pytest.mark.parametrize(
    ("k", "rating", "young", "games", "peak"),
    [
        (0, 1500.0, False, None, 1500.0),
        (10, 2390.0, False, 30, 2400.0),
        (20, 2250.0, True, 30, 2300.0),
        (20, 2250.0, False, 30, 2250.0),
        (15, 2250.0, True, 30, 2250.0),
        (40, 1500.0, True, 0, 1500.0),
        (25, 1500.0, False, 0, 1500.0),
    ],
)
def test_what_a_printed_k_gives_away(k: int, rating: float, young: bool, games: int | None, peak: float) -> None:
    assert told_by_k(k, rating, young) == (games, peak)


def test_the_time_a_game_needs_goes_by_the_list_and_not_by_the_report(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """100 minutes are too few from 2400; Abete has 2405 on the list, and 2200 in a report that copied an old one."""
    short = event(control="70 min + 30 sec").replace("  2405 ITA", "  2200 ITA")
    assert "2200 ITA" in short
    Path("open.trf").write_text(short)
    assert month("open.trf") == 0
    assert "2 game(s) not rated, 100 minutes are too few" in capsys.readouterr().err


def test_events_of_one_name_are_rated_each_by_its_own_list(here: Path) -> None:
    """Two reports called Open, days apart, became one event that began under the older list."""
    older = players({101: 2305})
    Path("october.xml").write_text(older, encoding="utf-8")
    lists = ("2025-10-01=october.xml", "2025-11-01=november.xml")
    for name in ("Open", "Another"):
        first = report(name, date(2025, 10, 30), date(2025, 11, 2), GAMES)
        Path("first.trf").write_text(first)
        assert month("first.trf", "open.trf", lists=lists, folder=name) == 0
    assert made("Open")["standard-changes.csv"] == made("Another")["standard-changes.csv"]


def test_wrong_standings_are_told_line_by_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("s.csv").write_text("chapter,player,games,peak,last\nlong,101,1,1,\nrapid,101,-1,2000,\nblitz,101,1,nan,\n")
    assert month("open.trf", "--standings", "s.csv") == 1
    told = capsys.readouterr().err
    for said in ("s.csv:2: 'long' is no chapter", "s.csv:3: games -1 and", "s.csv:4: games 1 and peak nan"):
        assert said in told
    assert month("open.trf", "--standings", "none.csv") == 2
    assert "cannot read none.csv: No such file" in capsys.readouterr().err


def test_totals_that_are_not_those_of_the_rounds_are_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert month("open.trf") == 0
    assert "of the rounds" not in capsys.readouterr().err
    lines = event().split("\n")
    row = next(at for at, line in enumerate(lines) if line.startswith("001"))
    lines[row] = lines[row][:80] + " 9.5" + lines[row][84:]
    Path("open.trf").write_text("\n".join(lines))
    assert month("open.trf", folder="again") == 0
    said = capsys.readouterr().err
    assert "1 total is not that of the rounds: declares 9.5 points" in said
    assert f"line {row + 1}" in said
    assert made("again") == made("december")


def test_a_correction_of_who_is_in_no_report_is_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("acts.csv").write_text("kind,player,date,rating\nadjustment,101,2025-11-01,1\nadjustment,999,2025-11-01,5\n")
    assert month("open.trf", "--acts", "acts.csv") == 0
    said = capsys.readouterr().err
    assert "corrections not applied, for their players are in no report: 999" in said
