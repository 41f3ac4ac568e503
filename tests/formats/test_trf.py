"""Tournament report files in: columns, encodings, dates, codes; and the real files, without loss."""

from __future__ import annotations

import gzip
from datetime import date
from pathlib import Path

import pytest

from arpad.errors import DataError
from arpad.formats import Reading, read_games, read_start
from arpad.formats.report import (
    Abnormal,
    Acceleration,
    Byes,
    OutOfOrder,
    Prohibited,
    RoundResult,
    TeamByes,
    TeamForfeit,
)
from arpad.formats.report_games import report_games, tally
from arpad.formats.trf import read_trf, version
from arpad.formats.trf_write import renumbered, write_trf
from arpad.model import PartialDate

from .reports import EXAMPLE, TEAMS, player, read, trf

REAL = [
    "bbp_dutch_2025_C5.trf",
    "bbp_dutch_2025_C9.trf",
    "bbp_issue_7.trf",
    "javafo_sample2.trf",
    "trf26_team.trf",
    "bunratty_masters_2011.tab",
]


def test_the_example_of_the_specification() -> None:
    report, problems = read_trf(EXAMPLE.encode())
    assert problems == []
    assert version(report) == "TRF26"
    assert (report.name, report.city, report.federation) == ("Example Open", "Oslo", "NOR")
    assert (report.start, report.end) == (date(2026, 10, 1), date(2026, 10, 3))
    assert (report.declared_players, report.declared_rated, report.declared_rounds) == (4, 3, 3)
    assert (report.arbiter, report.deputies) == ("IA Example, Eva", ("FA Second, Sven", "Third, Tora"))
    assert report.round_dates == (date(2026, 10, 1), date(2026, 10, 2), date(2026, 10, 3))
    assert (report.initial_colour, report.system, report.time_control) == ("W", "FIDE_DUTCH_2025", "5400+30")
    assert (report.tiebreaks, report.scoring) == (("BH/C1", "BH", "SB"), {"W": 1.0, "D": 0.5})
    anna, berta, carl, dan = report.entrants
    assert (anna.number, anna.sex, anna.title, anna.name) == (1, "m", "GM", "Alpha, Anna-Karl")
    assert (anna.rating, anna.federation, anna.fide_id, anna.born) == (2512, "NOR", 1500001, PartialDate(1990, 1, 30))
    assert (anna.points, anna.rank, berta.title, carl.rating, carl.born) == (2.5, 1, "WIM", None, PartialDate(2012))
    assert berta.results == (RoundResult(3, "b", "1"), RoundResult(1, "w", "="), RoundResult(None, "-", "H"))
    assert [result.code for result in dan.results] == ["0", "+", "U"]
    assert [(record.federation, record.number, record.id) for record in report.nationals] == [("FRA", 3, "A123")]
    assert report.extras == (Byes("H", 3, (2,), line=26),)


def test_games_of_the_example() -> None:
    """Player 3 is unrated, which the rulebook has to see; the forfeit and the byes are no games."""
    games, problems = report_games(read_trf(EXAMPLE.encode())[0])
    pairs = [
        (games.players[a], games.players[b], games.scores[c]) for a, b, c in zip(games.first, games.second, games.score)
    ]
    assert pairs == [
        ("1500001", "800004", (1.0, 0.0)),
        ("Gamma, Carl", "4600002", (0.0, 1.0)),
        ("4600002", "1500001", (0.5, 0.5)),
        ("1500001", "Gamma, Carl", (1.0, 0.0)),
    ]
    assert [date.fromordinal(day) for day in games.date or ()] == [date(2026, 10, day) for day in (1, 1, 2, 3)]
    assert [(event.name, event.start, event.end) for event in games.events] == [
        ("Example Open", date(2026, 10, 1).toordinal(), date(2026, 10, 3).toordinal())
    ]
    assert list(games.round or ()) == [1, 1, 2, 3]
    assert [(problem.severity, problem.message) for problem in problems] == [
        ("warning", "1 forfeit, 2 byes: no rated games, left out")
    ]


def test_records_of_teams() -> None:
    report, problems = read_trf(TEAMS.encode())
    assert problems == []
    assert [(team.number, team.name, team.nickname, team.players) for team in report.teams] == [
        (1, "Northern Knights", "NOR", (1, 2)),
        (2, "Southern Bishops", "SOU", (3, 4)),
    ]
    assert report.extras == (
        Abnormal("W", 2.0, 1.0, 1, (1, 2), 10),
        OutOfOrder(1, 1, 2, (1, 2), 11),
        TeamByes(2.0, 1.0, (0, 2), 12),
        TeamForfeit("+-", 1, 1, 2, 13),
        Acceleration(1.0, 1.0, 1, 2, 1, 2, 16),
        Prohibited(1, 2, (1, 2), 17),
    )


def test_abnormal_points_are_read_where_a_program_shifts_them() -> None:
    report, problems = read(player(1), "299 W  2.0  1.0 000    1    2")
    assert report.extras == (Abnormal("W", 2.0, 1.0, 0, (1, 2), 5),)
    assert problems == []


@pytest.mark.parametrize("name", REAL)
def test_real_files_come_back_byte_for_byte(name: str, published: Path) -> None:
    data = (published / "trf" / name).read_bytes()
    report, problems = read_trf(data, name)
    assert [problem for problem in problems if problem.severity == "error"] == []
    assert write_trf(report) == (data, [])
    assert renumbered(report) == report


def test_real_open_of_2010(published: Path) -> None:
    report, _ = read_trf((published / "trf" / "javafo_sample2.trf").read_bytes())
    assert (report.name, report.federation, len(report.entrants), report.declared_rounds) == (
        "XX Open Internacional de Gros", "ESP", 52, 9,
    )  # fmt: skip
    assert (report.start, report.end) == (date(2010, 9, 24), date(2010, 10, 2))
    assert len([entrant for entrant in report.entrants if entrant.rating]) == report.declared_rated == 41
    assert [entrant.title for entrant in report.entrants[:3]] == ["GM", "IM", "FM"]
    assert tally(report).games == 89


def test_real_masters_of_2011(published: Path) -> None:
    """Its round dates are written YY.DD.MM."""
    report, _ = read_trf((published / "trf" / "bunratty_masters_2011.tab").read_bytes())
    assert [day.day for day in report.round_dates if day] == [25, 26, 26, 26, 27, 27]
    assert "dates read as YDM: 11.25.02 = 2011-02-25, 11.26.02 = 2011-02-26, 11.27.02 = 2011-02-27" in report.log
    assert (len(report.entrants), report.entrants[0].name, report.entrants[25].sex) == (34, "Short, Nigel", "w")
    assert report_games(report)[0].event is not None
    assert len(report_games(report)[0]) == 97


def test_real_file_with_bare_carriage_returns(published: Path) -> None:
    report, _ = read_trf((published / "trf" / "bbp_issue_7.trf").read_bytes())
    assert (len(report.entrants), report.rounds, report.declared_rounds) == (60, 14, 15)
    assert (tally(report).games, tally(report).forfeits) == (395, 25)


def test_real_team_file_whose_births_are_shifted(published: Path) -> None:
    report, _ = read_trf((published / "trf" / "trf26_team.trf").read_bytes())
    assert version(report) == "TRF26"
    assert [entrant.born for entrant in report.entrants] == [PartialDate(1963, 4, 13), PartialDate(1976, 7, 23)]
    assert (report.teams[0].name, report.teams[0].players) == ("Russia", (1, 2))


@pytest.mark.parametrize("name", REAL)
def test_real_files_can_be_rated(name: str, published: Path) -> None:
    path = published / "trf" / name
    games, problems = read_games(path)
    assert [problem for problem in problems if problem.severity == "error"] == []
    assert {*games.players} <= {start.player for start in read_start(path)[0]}


def test_c31_byte_order_mark_and_line_ends() -> None:
    """C31: EF BB BF before the first record; CR LF and trailing blanks give the same object."""
    marked, _ = read_trf(b"\xef\xbb\xbf012 Torneo Prova\n" + player(1, "2 w 1").encode() + b"\n")
    plain, _ = read_trf(b"012 Torneo Prova   \r\n" + player(1, "2 w 1").encode() + b"    \r\n")
    assert marked.name == plain.name == "Torneo Prova"
    assert marked.entrants == plain.entrants
    assert marked.bom
    assert not plain.bom


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_c32_names_in_both_encodings(encoding: str) -> None:
    """C32: columns are characters; the encoding used is recorded."""
    text = player(1, "2 w 1", "Müller, Jörg", rating="2100", points="1.0")
    data = f"012 Prova\r\n{text}\r\n".encode(encoding)
    report, _ = read_trf(data)
    assert (report.entrants[0].name, report.entrants[0].rating, report.encoding) == ("Müller, Jörg", 2100, encoding)
    assert report.entrants[0].results == (RoundResult(2, "w", "1"),)
    assert f"read as {encoding}" in report.log
    assert write_trf(report)[0] == data


def test_c32_undecodable_bytes_are_refused_with_their_offset() -> None:
    with pytest.raises(DataError, match="byte 8 is not"):
        read_trf(b"012 Prov\x81\r\n")


def test_c33_a_month_cannot_be_thirty() -> None:
    """C33: 30 cannot be a month; 04/03 is then the fourth of March, since April is after the end."""
    report, problems = read(player(1), "042 04/03/2011", "052 03/30/2011")
    assert (report.start, report.end) == (date(2011, 3, 4), date(2011, 3, 30))
    assert any("04/03/2011" in note and "2011-03-04" in note for note in report.log)
    assert any("04/03/2011" in problem.message and problem.severity == "warning" for problem in problems)


def test_c33_other_dates_of_the_file_decide() -> None:
    report, _ = read(player(1), "042 04/03/2011", "052 25/03/2011")
    assert (report.start, report.end) == (date(2011, 3, 4), date(2011, 3, 25))
    assert report.log[-1] == "dates read as DMY: 04/03/2011 = 2011-03-04, 25/03/2011 = 2011-03-25"


def test_c33_ambiguous_dates_stop_and_ask() -> None:
    report, problems = read(player(1), "042 04/03/2011", "052 05/03/2011")
    assert (report.start, report.end) == (None, None)
    wrong = [problem for problem in problems if problem.severity == "error"]
    assert [(problem.line, problem.column) for problem in wrong] == [(3, "column 5"), (4, "column 5")]
    assert "--date-format" in wrong[0].message


@pytest.mark.parametrize(("order", "month"), [("DMY", 3), ("MDY", 4)])
def test_c33_an_explicit_option_decides(order: str, month: int) -> None:
    data = trf(player(1), "042 04/03/2011", "052 06/07/2011")
    report, problems = read_trf(data, reading=Reading(date_format=order))
    assert report.start == date(2011, month, 7 - month)
    assert problems == []


@pytest.mark.parametrize(
    "text", ["2026/10/01", "2026-10-01", "2026.10.01", "2026/10/ 1", "20261001", "1 Oct 2026", "01.10.2026"]
)
def test_dates_as_they_are_written(text: str) -> None:
    report, problems = read(player(1), f"042 {text}", "052 31.10.2026")
    assert report.start == date(2026, 10, 1)
    assert [problem for problem in problems if problem.severity == "error"] == []


def test_round_dates_outside_the_event_are_no_other_order() -> None:
    report, _ = read(player(1, "2 w 1"), player(2, "1 b 0"), "132".ljust(91) + "26/10/05")
    assert report.round_dates == (date(2026, 10, 5),)


def test_c36_blank_result_is_pending() -> None:
    """C36: `   3 w  ` at the end of a line is a game without a result."""
    report, problems = read(player(1, "2 w 1|3 w "), player(2, "1 b 0"), player(3, "|1 b "))
    games, more = report_games(report)
    assert problems == more == []
    assert (len(games), games.pending) == (1, 1)


def test_c37_zero_rounds_and_zero_games() -> None:
    """C37: the highest round present counts, whatever the header says; no game is no error."""
    report, _ = read("XXR 0", player(1), player(2))
    assert (report.rounds, report.declared_rounds) == (0, 0)
    games, problems = report_games(report)
    assert len(games) == 0
    assert [(problem.severity, problem.message) for problem in problems] == [
        ("warning", "the report has no game that can be rated")
    ]
    assert read("XXR 0", player(1, "2 w 1"), player(2, "1 b 0"))[0].rounds == 1


@pytest.mark.parametrize(
    ("text", "born"),
    [
        ("1993      ", PartialDate(1993)),
        (".  .", None),
        ("0000/00/00", None),
        ("1993/00/00", PartialDate(1993)),
        ("1993/05/00", PartialDate(1993, 5)),
        ("1993.05.17", PartialDate(1993, 5, 17)),
        ("17.05.1993", PartialDate(1993, 5, 17)),
        ("04.05.1993", PartialDate(1993)),
        ("00.00.1993", PartialDate(1993)),
        ("19930517", PartialDate(1993, 5, 17)),
    ],
)
def test_c38_birth_fields(text: str, born: PartialDate | None) -> None:
    """C38: a year alone is a year, and nothing is nothing. C40: precision is a part of the date."""
    report, problems = read(player(1, born=text))
    assert report.entrants[0].born == born
    assert problems == []


@pytest.mark.parametrize("born", [PartialDate(1969, 12, 31), PartialDate(1955, 3, 1)])
def test_c41_births_before_1970(born: PartialDate) -> None:
    report, _ = read(player(1, born=f"{born.year}/{born.month:02}/{born.day:02}"))
    assert report.entrants[0].born == born
    assert read_trf(write_trf(report)[0])[0].entrants[0].born == born


@pytest.mark.parametrize(("text", "code"), [("cur", "CUR"), ("ITa", "ITA"), ("XYZ", "XYZ"), ("", "")])
def test_c50_federations_are_upper_cased_and_kept(text: str, code: str) -> None:
    report, problems = read(player(1, federation=text))
    assert report.entrants[0].federation == code
    assert problems == []


@pytest.mark.parametrize(
    ("text", "title"),
    [("g", "GM"), ("m", "IM"), ("wf", "WFM"), ("gf", "WGM"), ("WIM", "WIM"), ("NM", "NM"), ("CM", "CM"), ("cf", "WCM")],
)
def test_titles_of_old_files(text: str, title: str) -> None:
    assert read(player(1, title=text))[0].entrants[0].title == title


@pytest.mark.parametrize("code", ["1", "=", "0", "+", "-", "W", "D", "L", "H", "F", "U", "Z", "w", "h"])
def test_every_result_code(code: str) -> None:
    opponent = "0000 -" if code in "HFUZh" else "2 w"
    report, problems = read(player(1, f"{opponent} {code}"), player(2))
    assert report.entrants[0].results[0].code == code.upper()
    assert problems == []


def test_what_cannot_be_read_is_reported_at_its_place() -> None:
    bad = player(1, "2 w ?|x w 1|3 q 1", rating="21a0", id="ABC", born="sometime", points="x")
    report, problems = read(bad, "001           A")
    places = {(problem.line, problem.column, problem.severity) for problem in problems}
    assert places == {
        (4, "column 49", "error"),
        (4, "column 58", "warning"),
        (4, "column 70", "warning"),
        (4, "column 81", "error"),
        (4, "column 99", "error"),
        (4, "column 102", "error"),
        (4, "column 117", "warning"),
        (5, "column 5", "error"),
    }
    assert [entrant.number for entrant in report.entrants] == [1]


def test_a_file_that_is_no_report_is_refused() -> None:
    with pytest.raises(DataError, match="no tournament report"):
        read_trf(b"date,white,black,result\n")


def test_packed_reports_are_read(tmp_path: Path) -> None:
    path = tmp_path / "open.trf.gz"
    path.write_bytes(gzip.compress(EXAMPLE.encode()))
    assert len(read_games(path)[0]) == 4


@pytest.mark.parametrize("ending", ["tab", "txt", "TRF"])
def test_reports_are_known_by_what_is_in_them(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"open.{ending}"
    path.write_bytes(EXAMPLE.encode())
    assert len(read_games(str(path))[0]) == 4
    assert {start.player: start.rating for start in read_start(str(path))[0]} == {
        "1500001": 2512.0,
        "4600002": 2204.0,
        "Gamma, Carl": None,
        "800004": 2301.0,
    }


def test_tables_of_games_are_no_reports(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("white,black,result\nAnna,Bruno,1-0\n")
    assert read_games(path)[0].players == ["Anna", "Bruno"]
