"""Swiss crosstables as text, in and out."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from arpad.errors import DataError
from arpad.formats import read_games, read_start
from arpad.formats.crosstable import read_crosstable, write_crosstable
from arpad.formats.report import Report, RoundResult
from arpad.formats.report_games import fingerprint, report_games, report_players
from arpad.formats.trf import read_trf
from arpad.formats.trf_write import write_trf

from .reports import EXAMPLE, player, read

#: The layout of US Chess; the people are invented.
TWO_LINES = """\
-----------------------------------------------------------
 Pair | Player Name                     |Total|Round|Round|Round|
 Num  | USCF ID / Rtg (Pre->Post)       | Pts |  1  |  2  |  3  |
-----------------------------------------------------------
    1 | ANNA ALPHA                      |2.5  |W   3|D   2|W   4|
   ON | 10000001 / R: 1794   ->1817     |N:2  |W    |B    |W    |
-----------------------------------------------------------
    2 | BERTA BETA                      |2.0  |B    |D   1|H    |
   MI | 10000002 / R: 1641P17->1657P24  |     |     |W    |     |
-----------------------------------------------------------
    3 | CARL GAMMA                      |1.0  |L   1|X    |U    |
   OH | 10000003 / R: Unrated->1200P3   |     |B    |     |     |
-----------------------------------------------------------
    4 | DAN DELTA                       |0.0  |U    |F    |L   1|
   MI | 10000004 / R:  955   ->         |     |     |     |B    |
-----------------------------------------------------------
"""

ONE_LINE = """\
 No. Name             Rtg  Rd 1 Rd 2 Rd 3  Tot
   1. Alpha, Anna    1794   W3   D2   W4   2.5
   2. Beta, Berta    1641   B---  D1   H--- 2.0
   3. Gamma, Carl           L1   U---  U--- 0.0
   4. Delta, Dan      955   U---  U--- L1   0.0
"""


def test_the_two_lines_of_us_chess() -> None:
    report, problems = read_crosstable(TWO_LINES.encode())
    assert problems == []
    anna, berta, carl, dan = report.entrants
    assert (anna.number, anna.name, anna.points, anna.rating, anna.rating_after) == (1, "ANNA ALPHA", 2.5, 1794, 1817)
    assert (berta.rating, berta.rating_after, carl.rating, carl.rating_after) == (1641, 1657, None, 1200)
    assert (dan.rating, dan.rating_after, dan.national_id, dan.fide_id) == (955, None, "10000004", None)
    assert anna.results == (RoundResult(3, "w", "1"), RoundResult(2, "b", "="), RoundResult(4, "w", "1"))
    assert [[result.code for result in entrant.results] for entrant in (berta, carl, dan)] == [
        ["U", "=", "H"],
        ["0", "F", "Z"],
        ["Z", "Z", "0"],
    ]
    games, problems = report_games(report)
    assert (len(games), games.players[games.first[0]], games.players[games.second[0]]) == (3, "10000001", "10000003")
    assert [problem.severity for problem in problems] == ["warning"]


def test_what_a_report_file_has_no_place_for_is_said() -> None:
    data, problems = write_trf(read_crosstable(TWO_LINES.encode())[0])
    assert [problem.message.rpartition(" for which ")[2] for problem in problems] == ["the format has no place: 4"]
    assert [entrant.name for entrant in read_trf(data)[0].entrants][:2] == ["ANNA ALPHA", "BERTA BETA"]


def test_one_line_a_player() -> None:
    report, problems = read_crosstable(ONE_LINE.encode())
    assert problems == []
    assert [(entrant.name, entrant.rating, entrant.points) for entrant in report.entrants] == [
        ("Alpha, Anna", 1794, 2.5),
        ("Beta, Berta", 1641, 2.0),
        ("Gamma, Carl", None, 0.0),
        ("Delta, Dan", 955, 0.0),
    ]
    assert report.entrants[1].results == (
        RoundResult(None, "-", "U"),
        RoundResult(1, "", "="),
        RoundResult(None, "-", "H"),
    )


def test_an_initial_that_looks_like_a_bye_is_not_read_as_one() -> None:
    _, problems = read_crosstable(ONE_LINE.replace("Gamma, Carl  ", "Gamma, Carl B").encode())
    assert [problem.message for problem in problems] == ["4 results where other lines have 3"]


def test_what_is_not_certain_is_refused() -> None:
    _, problems = read_crosstable(TWO_LINES.replace("|X    |", "|Q   2|").replace("|F    |", "|D    |").encode())
    assert [problem.message for problem in problems] == [
        "round 2: unknown result 'Q   2'",
        "round 2: unknown result 'D'",
    ]
    with pytest.raises(DataError, match="2 crosstables"):
        read_crosstable((TWO_LINES * 2).encode())
    with pytest.raises(DataError, match="no crosstable"):
        read_crosstable(b"nothing here")


def test_c66_opponents_are_numbers_of_the_table_shown() -> None:
    """C66: ranks change each round; opponent numbers are starting numbers, whatever the order of the lines is."""
    report, _ = read(
        player(4, "1 b 0|3 w 1", rank="3", points="1.0"),
        player(2, "3 b =|1 b =", rank="2", points="1.0"),
        player(3, "2 w =|4 b 0", rank="4", points="0.5"),
        player(1, "4 w 1|2 w =", rank="1", points="1.5"),
    )
    games, problems = report_games(report)
    assert problems == []
    pairs = {(games.players[a], games.players[b]) for a, b in zip(games.first, games.second)}
    assert pairs == {
        ("Player A", "Player D"),
        ("Player C", "Player B"),
        ("Player A", "Player B"),
        ("Player D", "Player C"),
    }
    for order in ("number", "rank"):
        back, _ = read_crosstable(write_crosstable(report, order).encode())  # type: ignore[arg-type]
        assert fingerprint(back) == fingerprint(report)
    assert write_crosstable(report, "rank").splitlines()[-1].split() == ["4", "Player", "C", "2w½", "3b0", "0.5"]


def test_every_result_survives_the_table() -> None:
    codes = "1=0+-WDL"
    white = "|".join(f"2 w {code}" for code in codes)
    report, _ = read(
        player(1, f"{white}|2 w |0000 - H|0000 - F|0000 - U|0000 - Z|", "Alpha Beta", rating="12", federation="NOR"),
        player(2, "|".join(f"1 b {code}" for code in "0=1-+LDW") + "|1 b |||||", "Gamma", points="11.5"),
    )
    back, problems = read_crosstable(write_crosstable(report).encode())
    assert problems == []
    for one, other in zip(report.entrants, back.entrants, strict=True):
        assert one.results == other.results
        assert (one.name, one.rating, one.federation) == (other.name, other.rating, other.federation)
    assert (back.name, back.start, back.end) == ("Prova", date(2026, 10, 1), date(2026, 10, 3))


@pytest.mark.parametrize("name", ["javafo_sample2.trf", "bbp_issue_7.trf", "bunratty_masters_2011.tab"])
def test_real_events_survive_the_table(name: str, published: Path) -> None:
    report, _ = read_trf((published / "trf" / name).read_bytes())
    named = replace(report, name="Event", entrants=tuple(replace(entrant, fide_id=None) for entrant in report.entrants))
    back, problems = read_crosstable(write_crosstable(named).encode())
    assert problems == []
    assert [entrant.name for entrant in back.entrants] == [entrant.name for entrant in report.entrants]
    assert [entrant.rating for entrant in back.entrants] == [entrant.rating for entrant in report.entrants]
    rated = [[(each.opponent, each.code) for each in entrant.results if each.opponent] for entrant in report.entrants]
    assert rated == [
        [(each.opponent, each.code) for each in entrant.results if each.opponent] for entrant in back.entrants
    ]


@pytest.mark.parametrize("text", [TWO_LINES, ONE_LINE, write_crosstable(read_trf(EXAMPLE.encode())[0])])
def test_crosstables_can_be_rated(text: str, tmp_path: Path) -> None:
    path = tmp_path / "table.txt"
    path.write_text(text)
    games, _ = read_games(path)
    assert len(games) in (3, 4)
    assert {*games.players} <= {start.player for start in read_start(path)[0]}


def test_a_table_without_anybody() -> None:
    assert write_crosstable(Report()).split() == ["No", "Name", "Rtg", "Fed", "Pts"]
    assert report_players(Report()) == {}
