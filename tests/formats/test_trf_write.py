"""Tournament report files out: what changed is written into its columns, and nothing else moves."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from msgspec.structs import replace

from arpad.errors import DataError
from arpad.formats.report import (
    Abnormal,
    Acceleration,
    Byes,
    Entrant,
    National,
    OutOfOrder,
    Prohibited,
    Report,
    RoundResult,
    Team,
    TeamByes,
    TeamForfeit,
)
from arpad.formats.trf import read_trf
from arpad.formats.trf_write import write_trf
from arpad.model import PartialDate

from .reports import EXAMPLE, TEAMS, again, player, read

ANNA = Entrant(1, "Alpha, Anna", "w", "WGM", 2301, "ITA", 800001, PartialDate(1990, 5), 1.5, 1)


def changed_lines(before: bytes, after: bytes) -> list[tuple[bytes, bytes]]:
    return [(one, other) for one, other in zip(before.split(b"\n"), after.split(b"\n"), strict=True) if one != other]


@pytest.mark.parametrize(
    "text", [EXAMPLE, TEAMS, EXAMPLE.replace("\n", "\r\n"), EXAMPLE.replace("\n", "\r"), EXAMPLE[:-1]]
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_unchanged_reports_come_back_byte_for_byte(text: str, encoding: str) -> None:
    data = text.replace("Berta", "Bärta").encode(encoding)
    report, problems = read_trf(data)
    assert [problem for problem in problems if problem.severity == "error"] == []
    assert write_trf(report) == (data, [])


def test_odd_lines_stay_where_they_are() -> None:
    data = b"\n\n  \n012 A\r\n\tjunk\r001    1\n801 whatever \x01\nZZZ\n\n"
    assert write_trf(read_trf(data)[0])[0] == data


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("rating", 2399, b" 2399 "),
        ("rating", None, b"      "),
        ("name", "Delta, Daniel", b"Delta, Daniel "),
        ("fide_id", 12345678, b"   12345678"),
        ("born", PartialDate(2012, 3, 4), b"2012/03/04"),
        ("points", 10.5, b" 10.5"),
        ("title", "WIM", b"mWIM "),
        ("rank", 4, b"    4 "),
    ],
)
def test_one_field_changes_its_own_columns(field: str, value: Any, text: bytes) -> None:
    data = EXAMPLE.encode()
    report, _ = read_trf(data)
    entrants = [replace(entrant, **{field: value}) if entrant.number == 4 else entrant for entrant in report.entrants]
    written, problems = write_trf(replace(report, entrants=tuple(entrants)))
    (one, other), *more = changed_lines(data, written)
    assert more == problems == []
    assert text in other
    assert read_trf(written)[0].entrants == tuple(entrants)
    differing = {at for at, (a, b) in enumerate(zip(one, other)) if a != b}
    assert max(differing) - min(differing) < 33


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "Another Open"),
        ("federation", "SWE"),
        ("start", date(2026, 9, 30)),
        ("end", date(2026, 10, 4)),
        ("declared_players", 5),
        ("deputies", ("Only, One",)),
        ("round_dates", (date(2026, 10, 1), None, date(2026, 10, 2), date(2026, 10, 3))),
        ("declared_rounds", 4),
        ("scoring", {"W": 3.0, "D": 1.0}),
        ("match_scoring", {"TW": 3.0}),
        ("system", "FIDE_DUBOV"),
        ("standing", ("PTS", "BH")),
        ("controller", "somebody"),
        ("nationals", ()),
        ("teams", (Team(1, "North", "N", None, 2.0, 3.5, 1, (1, 2, 3)),)),
        ("extras", (Byes("Z", 2, (3,)), Prohibited(1, 3, (1, 2)), Abnormal("", None, -0.5, 2, (4,)))),
    ],
)
def test_facts_of_the_tournament_are_written_and_read(field: str, value: Any) -> None:
    report, _ = read_trf(EXAMPLE.encode())
    found = getattr(again(replace(report, **{field: value})), field)
    if field in ("teams", "extras"):
        found = tuple(replace(record, line=0) for record in found)
    assert found == value


def test_results_are_written_into_their_blocks() -> None:
    data = EXAMPLE.encode()
    report, _ = read_trf(data)
    dan = report.entrants[3]
    results = (*dan.results[:2], RoundResult(None, "-", "H"), RoundResult(2, "w", ""))
    written, _ = write_trf(replace(report, entrants=(*report.entrants[:3], replace(dan, results=results))))
    ((_, line),) = changed_lines(data, written)
    assert line.endswith(b"     3 w +  0000 - H     2 w  ")
    assert read_trf(written)[0].entrants[3].results == results


def test_players_come_and_go() -> None:
    report, _ = read_trf(EXAMPLE.encode())
    new = Entrant(5, "Epsilon, Eva", "w", results=(RoundResult(None, "-", "Z"),))
    back = again(replace(report, entrants=(*report.entrants[1:], new)))
    assert [entrant.number for entrant in back.entrants] == [2, 3, 4, 5]
    assert [line.code for line in back.lines].index("FRA") == max(entrant.line for entrant in back.entrants)


def test_a_report_from_nowhere() -> None:
    report = Report(
        name="New Open",
        city="Città",
        federation="ITA",
        start=date(2026, 10, 1),
        end=date(2026, 10, 2),
        declared_players=2,
        deputies=("First, One", "Second, Two"),
        round_dates=(date(2026, 10, 1), date(2026, 10, 2)),
        declared_rounds=2,
        time_control="5400+30",
        scoring={"W": 3.0, "D": 1.0},
        tiebreaks=("DE", "BH"),
        entrants=(
            replace(ANNA, results=(RoundResult(2, "w", "1"), RoundResult(None, "-", "H"))),
            Entrant(2, "Beta, Berta", results=(RoundResult(1, "b", "0"), RoundResult())),
        ),
        nationals=(National("ITA", 1, "w", "M", "Alpha, Anna", 2250, "LOM", "X9", PartialDate(1990)),),
        teams=(Team(1, "North", "N", 2200.0, 2.0, 3.5, 1, (1,)), Team(2, "South", "S", None, 0.0, 0.5, 2, (2,))),
        extras=(
            Byes("H", 2, (1,)),
            Acceleration(None, 1.0, 1, 2, 1, 1),
            Prohibited(1, 2, (1, 2)),
            Abnormal("", None, -1.0, 0, (2,)),
            OutOfOrder(1, 1, 2, (1, 0)),
            TeamByes(1.0, 2.0, (0, 1)),
            TeamForfeit("+-", 2, 1, 2),
        ),
    )
    back = again(report)
    assert write_trf(back)[0] == write_trf(report)[0]
    without = {name: replace(report, **{name: ()}) and () for name in ("lines", "log")}
    lines = {
        name: tuple(sorted((replace(record, line=0) for record in getattr(back, name)), key=repr))
        for name in ("entrants", "nationals", "teams", "extras")
    }
    wanted = {name: tuple(sorted(getattr(report, name), key=repr)) for name in lines}
    assert lines == wanted
    assert replace(back, **without, **wanted) == replace(report, **wanted)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("", ""),
        ("Pelé", "Pelé"),
        (
            "Wolfeschlegelsteinhausen-Bergerdorff, Hubert Blaine Senior Junior",
            "Wolfeschlegelsteinhausen-Bergerdo",
        ),
    ],
)
def test_c49_names_keep_the_width_and_what_is_cut_is_said(name: str, kept: str) -> None:
    """C49: a name that is absent, a single one, and one of 60 letters."""
    data, problems = write_trf(Report(entrants=(replace(ANNA, name=name),)))
    assert read_trf(data)[0].entrants[0].name == kept
    assert read_trf(data)[0].entrants[0].rating == ANNA.rating
    assert len(problems) == (name != kept)
    assert all("is cut to" in problem.message for problem in problems)


@pytest.mark.parametrize("field", ["rating", "points", "fide_id", "number"])
def test_numbers_are_never_cut(field: str) -> None:
    with pytest.raises(DataError, match="does not fit"):
        write_trf(Report(entrants=(replace(ANNA, **{field: 123456789012}),)))


def test_letters_that_the_encoding_does_not_have() -> None:
    report, _ = read(player(1))
    report = replace(report, encoding="cp1252", entrants=(replace(report.entrants[0], name="Łukasz"),))
    data, problems = write_trf(report)
    assert "Łukasz" in data.decode()
    assert ["written as UTF-8" in problem.message for problem in problems] == [True]
