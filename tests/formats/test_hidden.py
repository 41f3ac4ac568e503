"""Hidden characters: no reader lets one into a name, and each says where it stood."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arpad.formats import read_games, read_members, read_start
from arpad.formats.fide_list import read_list
from arpad.formats.hidden import HIDDEN, left_out, plain
from arpad.formats.trf import read_trf
from arpad.formats.trf_write import write_trf

from .reports import EXAMPLE
from .test_crosstable import ONE_LINE, TWO_LINES
from .test_fide_list import CHAPTER_TEXT, COMBINED_TEXT, XML

CSV = "white,black,result,event\nAnna,Bruno,1-0,Open\nAn{}na,Carla,0-1,O{}pen\n"
PGN = '[White "Anna"]\n[Black "Bruno"]\n[Result "1-0"]\n\n[White "An{}na"]\n[Black "Carla"]\n[Result "0-1"]\n\n'
#: A right-to-left override, an isolate, a bell, a control character of C1.
MARKS = ["\u202e", "\u2066", "\x07", "\x9b"]


def marked(text: str, mark: str) -> str:
    return text.replace("{}", mark)


def as_json(mark: str) -> bytes:
    rows = [{"white": "Anna", "black": "Bruno", "result": "1-0"}]
    rows.append({"white": f"An{mark}na", "black": "Carla", "result": "0-1"})
    return json.dumps(rows).encode()


def as_lines(mark: str) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in json.loads(as_json(mark)))


TABLES: dict[str, Callable[[str], bytes]] = {
    "games.csv": lambda mark: marked(CSV, mark).encode(),
    "games.json": as_json,
    "games.jsonl": as_lines,
    "games.pgn": lambda mark: marked(PGN, mark).encode(),
}


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("name", TABLES)
def test_names_in_tables_of_games_are_seen_as_they_are(tmp_path: Path, name: str, mark: str) -> None:
    path = tmp_path / name
    path.write_bytes(TABLES[name](mark))
    games, problems = read_games(str(path))
    assert list(games.players) == ["Anna", "Bruno", "Carla"], "one Anna, not two that look alike"
    assert [games.players[code] for code in games.first] == ["Anna", "Anna"]
    (told, *rest) = [each for each in problems if "hidden characters" in each.message]
    assert (told.severity, told.source) == ("warning", str(path))
    assert told.line > 1
    assert f"(line {told.line})" in told.message
    assert not any(HIDDEN.search(each.message) for each in (told, *rest))


def test_names_in_workbooks_and_frames_too(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (["white", "black", "result"], ["An\u202ena", "Bruno", "1-0"]):
        book.active.append(row)
    book.save(tmp_path / "games.xlsx")
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"white": ["An\u202ena"], "black": ["Bruno"], "result": ["1-0"]})
    for source in (str(tmp_path / "games.xlsx"), frame):
        games, problems = read_games(source)
        assert list(games.players) == ["Anna", "Bruno"]
        assert [each.message.startswith(left_out(r"'An\u202ena'")) for each in problems].count(True) == 1


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize(("ending", "text"), [("txt", ONE_LINE), ("txt", TWO_LINES), ("trf", EXAMPLE)])
def test_names_in_reports_are_seen_as_they_are(tmp_path: Path, ending: str, text: str, mark: str) -> None:
    clean, path = tmp_path / f"clean.{ending}", tmp_path / f"report.{ending}"
    clean.write_text(text, encoding="utf-8")
    at = next(at for at, line in enumerate(text.split("\n")) if "lpha" in line or "ALPHA" in line)
    lines = text.split("\n")
    place = lines[at].upper().index("ALPHA") + 2
    tail = lines[at][place:].replace("  ", " ", 1)  # columns stay where they are
    lines[at] = lines[at][:place] + mark + tail
    path.write_text("\n".join(lines), encoding="utf-8")
    games, problems = read_games(str(path))
    assert list(games.players) == list(read_games(str(clean))[0].players)
    (told,) = [each for each in problems if "hidden characters" in each.message]
    assert (told.severity, told.line, told.column) == ("warning", at + 1, f"column {place + 1}")


def test_every_name_of_a_report_is_cleaned_and_its_bytes_are_kept() -> None:
    data = EXAMPLE.replace("Example Open", "Exam\u202eple Open").replace("Third, Tora", "Third,\u2066 Tora")
    data = data.replace("Example, Eva", "Exam\x07ple, Eva").replace(
        "FRA    3 m    Gamma, Carl ", "FRA    3 m    Gamma\u202e, Carl"
    )
    report, problems = read_trf(data.encode())
    assert (report.name, report.arbiter, report.deputies[1]) == ("Example Open", "IA Example, Eva", "Third, Tora")
    assert report.nationals[0].name == "Gamma, Carl"
    assert len([each for each in problems if "hidden characters" in each.message]) == 4
    assert write_trf(report)[0] == data.encode()


@pytest.mark.parametrize("reader", [read_start, read_members])
def test_names_of_members_and_of_those_who_begin_are_seen_as_they_are(
    tmp_path: Path, reader: Callable[..., Any]
) -> None:
    path = tmp_path / "people.csv"
    path.write_text("name,rating\nBruno,1500\nAn\u202ena,1600\n", encoding="utf-8")
    found, problems = reader(str(path))
    assert [getattr(each, "name", "") or each.player for each in found] == ["Bruno", "Anna"]
    (told,) = [each for each in problems if "hidden characters" in each.message]
    assert (told.line, told.column, told.severity) == (3, "name", "warning")


@pytest.mark.parametrize("text", [COMBINED_TEXT, CHAPTER_TEXT, XML.encode()])
def test_names_of_rating_lists_are_seen_as_they_are(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / ("list.xml" if text.startswith(b"<") else "list.txt")
    path.write_bytes(
        text.replace(b"Alpha", "A\u202elpha".encode())
        if text.startswith(b"<")
        else text.replace(b"Alpha, ", "A\u202elpha,".encode())
    )
    held, problems = read_list(str(path))
    assert held.name[0].startswith("Alpha,")
    (told,) = [each for each in problems if "hidden characters" in each.message]
    assert (told.column, told.severity) == ("name", "warning")


def test_what_ends_a_line_becomes_a_space_and_what_is_seen_stays() -> None:
    assert plain("Rossi\nMarco") == "Rossi Marco"
    assert plain("Ros\x1bsi\u202e, M\u00fcller\t\u05d0\u05d1\u200f") == "Rossi, M\u00fcller\t\u05d0\u05d1\u200f"
