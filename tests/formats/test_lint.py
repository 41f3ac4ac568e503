"""What `arpad check` finds in reports, the repairs that it proposes, and how they are recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from arpad.errors import UsageError
from arpad.formats.crosstable import read_crosstable
from arpad.formats.lint import is_sound, lint, repair
from arpad.formats.report import Report, RoundResult
from arpad.formats.report_games import report_games
from arpad.formats.trf import read_trf
from arpad.formats.trf_write import write_trf

from .reports import EXAMPLE, TEAMS, again, found, player, read
from .test_crosstable import TWO_LINES


def pair(first: str, second: str, **more: str) -> Report:
    """Two players with what each line says."""
    return read(player(1, first, **more), player(2, second))[0]


def codes(report: Report) -> list[list[str]]:
    return [[result.code for result in entrant.results] for entrant in report.entrants]


@pytest.mark.parametrize("text", [EXAMPLE, TEAMS])
def test_sound_reports_have_no_errors(text: str) -> None:
    report, _ = read_trf(text.encode())
    assert [finding for finding in lint(report) if finding.kind != "total"] == []


@pytest.mark.parametrize(
    ("name", "errors"),
    [
        ("bbp_dutch_2025_C5.trf", []),
        ("bbp_dutch_2025_C9.trf", []),
        ("bbp_issue_7.trf", []),
        ("javafo_sample2.trf", []),
        ("bunratty_masters_2011.tab", [("total", line) for line in (29, 31, 32, 38, 47)]),
        ("trf26_team.trf", [("total", 13), ("total", 14)]),
    ],
)
def test_real_files_have_only_the_faults_that_they_have(
    name: str, errors: list[tuple[str, int]], published: Path
) -> None:
    """The masters' five players had half-point byes that the file leaves out; the team file is invented."""
    report, _ = read_trf((published / "trf" / name).read_bytes())
    assert [(finding.kind, finding.line) for finding in lint(report) if finding.severity == "error"] == errors


def test_real_masters_can_be_mended(published: Path) -> None:
    report, _ = read_trf((published / "trf" / "bunratty_masters_2011.tab").read_bytes())
    mended = repair(report, [finding for finding in lint(report) if finding.kind == "total"])
    assert is_sound(lint(mended))
    assert [entrant.results[3:5] for entrant in mended.entrants if entrant.number == 16] == [
        (RoundResult(None, "-", "H"), RoundResult(None, "-", "H"))
    ]
    assert len(report_games(mended)[0]) == len(report_games(report)[0])


def test_c34_total_that_a_bye_explains() -> None:
    """C34: 1.5 points, a win in round 1, then nothing: a half-point bye in round 2, if somebody accepts it."""
    report = pair("2 w 1", "1 b 0", points="1.5")
    (finding,) = found(report, "total")
    assert (finding.line, finding.column, finding.severity) == (4, 81, "error")
    assert finding.repair is not None
    assert finding.repair.words == "half-point bye in round 2"
    mended = repair(report, [finding])
    assert mended.entrants[0].results == (RoundResult(2, "w", "1"), RoundResult(None, "-", "H"))
    assert found(mended, "total") == []
    assert mended.lines[-1].text.startswith("### arpad repaired: half-point bye in round 2; line 4 column 81")
    assert mended.log[-1].startswith("arpad repaired: half-point bye in round 2")
    assert again(mended).lines == mended.lines


def test_c34_total_that_nothing_explains() -> None:
    report = pair("2 w 1|2 b 1", "1 b 0|1 w 0", points="1.5")
    (finding,) = found(report, "total")
    assert finding.repair is not None
    assert finding.repair.words == "declare 2.0 points"
    assert repair(report, [finding]).entrants[0].points == 2.0


@pytest.mark.parametrize(
    ("extra", "points"),
    [
        ("162  W 3.0    D 1.0", "3.0"),
        ("XXS W=3.0 D=1.0", "3.0"),
        ("BBW  3.0", "3.0"),
        ("299".ljust(13) + "-0.5  000    1", "0.5"),
        ("299 W".ljust(13) + " 2.0    1    1", "2.0"),
    ],
)
def test_totals_know_the_points_of_the_tournament(extra: str, points: str) -> None:
    report, _ = read(player(1, "2 w 1", points=points), player(2, "1 b 0", points="0.0"), extra)
    assert found(report, "total") == []


def test_totals_wait_for_pending_games() -> None:
    assert found(pair("2 w ", "1 b ", points="0.5"), "total") == []
    assert len(found(pair("2 w ", "1 b ", points="1.5"), "total")) == 1


def test_c35_lines_that_disagree() -> None:
    """C35: 1 on one side, = on the other: both lines are named, nothing is resolved."""
    report = pair("2 w 1", "1 b =")
    (finding,) = found(report, "mirror")
    assert finding.message == "round 1: 1 v 2 is 1 on line 4 and = on line 5"
    assert (finding.line, finding.column, finding.severity) == (4, 99, "error")
    games, problems = report_games(report)
    assert len(games) == 0
    assert [(problem.line, problem.column) for problem in problems if problem.severity == "error"] == [(4, "column 99")]


def test_c35_an_officer_may_let_both_stand() -> None:
    report = pair("2 w 1", "1 b =")
    accepted = repair(report, found(report, "mirror"))
    assert codes(accepted) == [["1"], ["="]]
    assert accepted.lines[-1].text == "### arpad accepts round 1: 1 v 2"
    assert is_sound(lint(accepted))
    games, problems = report_games(again(accepted))
    assert [games.scores[code] for code in games.score] == [(1.0, 0.5)]
    assert problems == []


def test_c35_totals_may_tell_which_line_is_wrong() -> None:
    report, _ = read(player(1, "2 w 1", points="1.0"), player(2, "1 b =", points="0.0"))
    (finding,) = found(report, "mirror")
    assert finding.repair is not None
    assert finding.repair.words == "write 0 on line 5: both totals then agree"
    assert codes(repair(report, [finding])) == [["1"], ["0"]]


def test_c35_a_result_on_one_side_only() -> None:
    report = pair("2 w 1", "1 b ")
    (finding,) = found(report, "mirror")
    assert codes(repair(report, [finding])) == [["1"], ["0"]]


def test_c35_an_opponent_on_one_side_only() -> None:
    report, _ = read(player(1, "2 w 1"), player(2, ""), player(3, "4 w 1"), player(4, "3 b 0"))
    (finding,) = found(report, "mirror")
    assert finding.message == "round 1: 1 names 2 as opponent, but 2 (line 5) has nobody"
    mended = repair(report, [finding])
    assert mended.entrants[1].results == (RoundResult(1, "b", "0"),)
    assert is_sound(lint(mended))


@pytest.mark.parametrize(("first", "second"), [("0", "0"), ("=", "0")])
def test_penalties_are_rated_as_scored(first: str, second: str) -> None:
    report = pair(f"2 w {first}", f"1 b {second}")
    assert [finding.severity for finding in found(report, "mirror")] == ["warning"]
    games, _ = report_games(report)
    assert [games.scores[code] for code in games.score] == [({"=": 0.5}.get(first, 0.0), 0.0)]


@pytest.mark.parametrize(("first", "second"), [("+", "-"), ("-", "-"), ("W", "L"), ("D", "D")])
def test_results_that_agree_without_a_rated_game(first: str, second: str) -> None:
    report = pair(f"2 w {first}", f"1 b {second}")
    assert found(report, "mirror") == []
    assert len(report_games(report)[0]) == 0


def test_c46_one_id_twice() -> None:
    """C46: both lines are named, and neither is rated; an id that is no number is ignored with a warning."""
    report, _ = read(player(3, "9 w 1", id="555"), player(9, "3 b 0", id="555"), player(4, id="A12"))
    twice, ignored = found(report, "id")
    assert twice.message == "players 3 (line 4) and 9 both have id 555"
    assert (twice.line, twice.column, twice.severity) == (5, 58, "error")
    assert (ignored.line, ignored.severity) == (6, "warning")
    games, problems = report_games(report)
    assert len(games) == 0
    assert any(problem.severity == "error" and "555" in problem.message for problem in problems)


@pytest.mark.parametrize(
    ("id", "near"), [("10032", "10023"), ("10023", None)]
)  # fmt: skip
def test_c45_ids_against_a_register(id: str, near: str | None) -> None:
    """C45: two digits swapped make a child a master; the register's near id is proposed."""
    report, _ = read(player(1, name="Bianchi, Anna", id=id))
    findings = found(report, "id", register={10032: "Verdi, Ugo", 10023: "Anna Bianchi"})
    assert [finding.repair.words for finding in findings if finding.repair] == ([f"write id {near}"] if near else [])
    if near:
        assert repair(report, findings).entrants[0].fide_id == int(near)


@pytest.mark.parametrize(("text", "kinds"), [("cur", 2), ("XYZ", 1), ("", 0), ("ITa", 1), ("ITA", 0)])
def test_c50_unknown_codes_are_warned_about(text: str, kinds: int) -> None:
    findings = found(read(player(1, federation=text))[0], "federation")
    assert len(findings) == kinds
    assert all(finding.severity == "warning" for finding in findings)


def test_c50_lower_case_codes_can_be_mended() -> None:
    report, _ = read(player(1, federation="ITa"))
    mended = repair(report, found(report, "federation"))
    assert mended.lines[3].text[53:56] == "ITA"


def test_c51_own_opponent() -> None:
    """C51: 4 v 4 is refused."""
    report, _ = read(player(4, "4 w 1"))
    (finding,) = found(report, "own opponent")
    assert (finding.line, finding.column, finding.severity) == (4, 92, "error")
    assert any("against themselves" in problem.message for problem in report_games(report)[1])


@pytest.mark.parametrize(
    ("rating", "wrong"), [("47", True), ("3150", True), ("1400", False), ("0", False), ("", False)]
)
def test_c62_ratings_out_of_range(rating: str, wrong: bool) -> None:
    """C62: another number in the rating columns is listed before anything is rated."""
    findings = found(read(player(1, rating=rating))[0], "rating")
    assert bool(findings) == wrong
    assert all(finding.column == 49 and finding.severity == "error" for finding in findings)


def test_c38_births_that_say_nothing() -> None:
    report, _ = read(player(1, born=".  ."), player(2, born="0000/00/00"), player(3, born="1850"))
    blank, old = found(report, "birth")
    assert (blank.line, old.line) == (4, 6)
    assert repair(report, [blank]).lines[3].text[69:79].strip() == ""
    assert "years old" in old.message


def test_c40_year_alone_never_contradicts_a_day() -> None:
    national = "ITA    1".ljust(69)
    report, _ = read(player(1, born="2000/02/01"), f"{national}2000", f"{national}2001")
    assert [finding.line for finding in found(report, "birth")] == [6]


def test_byes_that_are_names() -> None:
    report, _ = read(
        player(1, "3 w 1|2 b 1"), player(2, "|1 w 0"), player(3, "1 b 0", name="Bye"), player(4, name="Bye, Anna")
    )
    (finding,) = found(report, "bye")
    assert finding.message == "player 3 ('Bye') is a bye, not a person"
    mended = repair(report, [finding])
    assert [entrant.number for entrant in mended.entrants] == [1, 2, 4]
    assert mended.entrants[0].results[0] == RoundResult(None, "-", "U")


@pytest.mark.parametrize(
    ("lines", "kind", "place"),
    [
        ([player(1, "7 w 1")], "opponent", (4, 92, "error")),
        ([player(1, "0000 - 1")], "opponent", (4, 99, "error")),
        ([player(1, "0000 - +")], "opponent", (4, 99, "warning")),
        ([player(1, "2 w 1"), player(2, "1 w 0")], "colour", (4, 97, "warning")),
        ([player(1, "2 w 1"), player(2, "1 - 0")], "colour", (5, 97, "warning")),
        ([player(1), player(1)], "number", (5, 5, "error")),
        ([player(1, name="Rossi, Marco"), player(2, name="ROSSI, Marco")], "name", (5, 15, "error")),
        ([player(1, title="XX")], "title", (4, 11, "warning")),
        ([player(1, rank="2")], "rank", (4, 86, "warning")),
        (
            [player(1, rank="1", points="0.0"), player(2, "0000 - F", rank="2", points="1.0")],
            "rank",
            (5, 86, "warning"),
        ),
        (["062 3", player(1)], "count", (4, 5, "warning")),
        (["XXR 1", player(1, "0000 - H|0000 - H")], "rounds", (5, 102, "error")),
        ([player(1, "0000 - U"), player(2, "0000 - U")], "bye", (5, 99, "warning")),
        ([player(1, "2 w H"), player(2)], "bye", (4, 92, "warning")),
        (["ITA    7"], "id", (4, 5, "error")),
        (["052 2026/09/30"], "date", (3, 5, "error")),
        ([player(1)[:13] + "X" + player(1)[14:]], "columns", (4, 14, "warning")),
        (["012 Again", "012 More"], "repeated", (4, 1, "warning")),
    ],
)
def test_each_fault_has_its_place(lines: list[str], kind: str, place: tuple[int, int, str]) -> None:
    report, _ = read(*lines)
    assert place in [(finding.line, finding.column, finding.severity) for finding in found(report, kind)]


def test_dates_are_rewritten_only_when_that_is_accepted() -> None:
    report, _ = read("042 24/09/2010", "052 02/10/2010", player(1))
    findings = found(report, "date")
    assert [finding.repair.words for finding in findings if finding.repair] == ["write 2010/09/24", "write 2010/10/02"]
    mended = repair(report, findings)
    assert [line.text for line in mended.lines[1:3]] == ["042 2010/09/24", "052 2010/10/02"]
    assert (mended.start, mended.end) == (report.start, report.end)


def test_repairs_of_one_place_exclude_each_other() -> None:
    report = pair("2 w 1", "1 b ")
    finding = found(report, "mirror")[0]
    with pytest.raises(UsageError, match="two of the accepted repairs"):
        repair(report, [finding, finding])
    with pytest.raises(UsageError, match="no repair"):
        repair(report, [finding for finding in lint(read("ITA    7")[0]) if finding.kind == "id"])


def test_the_record_of_comments_can_be_another() -> None:
    report = pair("2 w 1", "1 b =")
    mended = repair(report, found(report, "mirror"), comment="XXK")
    assert mended.lines[-1].text == "XXK arpad accepts round 1: 1 v 2"
    assert is_sound(lint(again(mended)))


def test_nothing_accepted_changes_nothing() -> None:
    report, _ = read_trf(EXAMPLE.encode())
    assert write_trf(repair(report, []))[0] == EXAMPLE.encode()


def test_crosstables_are_checked_as_report_files() -> None:
    report, _ = read_crosstable(TWO_LINES.replace("|L   1|X", "|W   1|X").encode())
    assert [finding.kind for finding in lint(report) if finding.severity == "error"] == ["mirror", "total"]
