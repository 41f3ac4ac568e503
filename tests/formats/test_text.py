"""Files as spreadsheets and old programs save them: encodings, separators, decimal commas, dates."""

from __future__ import annotations

import gzip
from datetime import date
from pathlib import Path

import pytest

from arpad.errors import DataError, UsageError
from arpad.formats import Reading, read_games, read_start

from .helpers import errors, read, rows, warnings

ROW = "white,black,result\nMüller,Jörg,½\n"


def test_C31_byte_order_mark_and_crlf(tmp_path: Path) -> None:
    plain, _ = read(tmp_path, ROW)
    marked, problems = read(tmp_path, b"\xef\xbb\xbf" + ROW.replace("\n", "  \r\n").encode())
    assert rows(marked) == rows(plain)
    assert problems == []


def test_C32_cp1252_is_recognised_and_reported(tmp_path: Path) -> None:
    games, problems = read(tmp_path, ROW.encode("cp1252"))
    assert rows(games) == rows(read(tmp_path, ROW)[0])
    assert "CP1252" in warnings(problems)


def test_C32_undecodable_file_is_refused_with_the_byte(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="byte 20 is not UTF-8"):
        read(tmp_path, b"white,black,result\nM\x81ller,J\x94rg,1-0\n")
    games, _ = read(tmp_path, b"white,black,result\nM\x81ller,J\x94rg,1-0\n", encoding="cp850")
    assert rows(games)[0][0] == "Müller"
    with pytest.raises(UsageError, match="unknown encoding"):
        read(tmp_path, ROW, encoding="klingon")
    with pytest.raises(DataError, match="is not ascii"):
        read(tmp_path, ROW, encoding="ascii")


def test_utf16_of_spreadsheets(tmp_path: Path) -> None:
    games, _ = read(tmp_path, ROW.replace(",", "\t").encode("utf-16"))
    assert rows(games)[0][:2] == ("Müller", "Jörg")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32"])
def test_what_holds_nul_characters_is_no_text(tmp_path: Path, encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for most in (8_000_000, 0):
        monkeypatch.setattr("arpad.formats.source.LARGE", most)
        with pytest.raises(DataError, match=r"games\.csv:1: a NUL character"):
            read(tmp_path, ROW.replace("½", "=").replace("ü", "u").replace("ö", "o").encode(encoding))
        with pytest.raises(DataError, match=r"games\.csv:2: a NUL character"):
            read(tmp_path, ROW.replace("Müller", "M\0ller"))


def test_a_quote_that_is_never_closed_is_called_that(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r'games\.csv:2: .* \(a quote " that is opened there is never closed'):
        read(tmp_path, 'white,black,result\n"Anna,Bo,1-0\nBo,Cy,1-0\n')


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separators(tmp_path: Path, separator: str) -> None:
    games, problems = read(tmp_path, "white,black,result\nA,B,1-0\n".replace(",", separator))
    assert len(games) == 1
    assert ("separated by" in warnings(problems)) is (separator != ",")


def test_separator_line_of_spreadsheets(tmp_path: Path) -> None:
    games, problems = read(tmp_path, "sep=;\nwhite;black;result\nA;A;1\nA;B;1\n")
    assert len(games) == 1
    assert [error.line for error in errors(problems)] == [3]


def test_given_separator(tmp_path: Path) -> None:
    games, _ = read(tmp_path, "white~black~result\nA~B~1-0\n", separator="~")
    assert len(games) == 1


def test_compressed(tmp_path: Path) -> None:
    assert len(read(tmp_path, gzip.compress(ROW.encode()), "games.csv.gz")[0]) == 1
    with pytest.raises(DataError, match="gzip"):
        read(tmp_path, gzip.compress(ROW.encode())[:-9], "games.csv.gz")


def test_decimal_comma(tmp_path: Path) -> None:
    games, problems = read(tmp_path, "white;black;result;importance\nA;B;0,5;2,5\nA;C;1;10\n")
    assert list(games.importance or ()) == [2.5, 10.0]
    assert "decimal comma" in warnings(problems)
    _, problems = read(tmp_path, "white;black;result;importance\nA;B;1;2,5\nA;C;1;1.5\n")
    assert [error.line for error in errors(problems)] == [2]


def test_thousands_or_decimals_is_a_question(tmp_path: Path) -> None:
    path = tmp_path / "start.csv"
    path.write_text("player;rating\nA;1,613\n")
    starts, problems = read_start(str(path))
    assert starts == []
    assert "--decimal" in errors(problems)[0].message


def test_a_point_that_may_divide_thousands_is_reported_and_a_decimal_comma_decides(tmp_path: Path) -> None:
    path = tmp_path / "start.csv"
    path.write_text("player;rating\nA;1.500\nB;2.013\n")
    starts, problems = read_start(str(path))
    assert [start.rating for start in starts] == [1.5, 2.013]
    assert "1.500 is read as 1.5" in warnings(problems)
    starts, problems = read_start(str(path), Reading(decimal=","))
    assert [start.rating for start in starts] == [1500, 2013]
    path.write_text("player;rating\nA;1.500\nB;2013.5\n")
    assert "is read as" not in warnings(read_start(str(path))[1])


def test_C33_one_date_decides_for_the_file(tmp_path: Path) -> None:
    text = "date,white,black,result\n04/03/2011,A,B,1\n{},A,C,1\n"
    games, problems = read(tmp_path, text.format("03/30/2011"))
    assert list(games.date or ()) == [date(2011, 4, 3).toordinal(), date(2011, 3, 30).toordinal()]
    assert "dates read as MDY" in warnings(problems)
    games, _ = read(tmp_path, text.format("30/03/2011"))
    assert next(iter(games.date or ())) == date(2011, 3, 4).toordinal()


@pytest.mark.parametrize("other", ["05/06/2011", "2011-03-30"])
def test_C33_ambiguous_dates_stop_and_ask(tmp_path: Path, other: str) -> None:
    text = f"date,white,black,result\n04/03/2011,A,B,1\n{other},A,C,1\n"
    with pytest.raises(DataError, match="--date-format DMY, MDY or YMD") as caught:
        read(tmp_path, text)
    assert "line 2" in str(caught.value)
    games, _ = read(tmp_path, text, date_format="dmy")
    assert next(iter(games.date or ())) == date(2011, 3, 4).toordinal()


def test_C33_dates_that_contradict_stop_and_ask(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="contradict"):
        read(tmp_path, "date,white,black,result\n13/01/2011,A,B,1\n01/13/2011,A,B,1\n04/03/2011,A,C,1\n")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2014-01-18", (2014, 1, 18)),
        ("2014-1-8", (2014, 1, 8)),
        ("2014.01.18", (2014, 1, 18)),
        ("2014/01/18", (2014, 1, 18)),
        ("20140118", (2014, 1, 18)),
        ("18.01.2014", (2014, 1, 18)),
        ("2014-01-18T23:59:59Z", (2014, 1, 18)),
        ("2014-01-18 08:00", (2014, 1, 18)),
        ("18 gennaio 2014", (2014, 1, 18)),
        ("18-Jan-2014", (2014, 1, 18)),
        ("Sun Jul 09 2023", (2023, 7, 9)),
        ("1872-11-30", (1872, 11, 30)),
    ],
)
def test_C41_C42_dates_in_the_wild(tmp_path: Path, text: str, day: tuple[int, int, int]) -> None:
    games, problems = read(tmp_path, f"date,white,black,result\n{text},A,B,1\n")
    assert list(games.date or ()) == [date(*day).toordinal()]
    assert games.partial == {}
    assert errors(problems) == []


@pytest.mark.parametrize(
    ("text", "partial"), [("2014", "2014"), ("2014-05", "2014-05"), ("2014.??.??", "2014"), ("2014.05.??", "2014-05")]
)
def test_C42_partial_dates_keep_their_precision(tmp_path: Path, text: str, partial: str) -> None:
    games, problems = read(tmp_path, f"date,white,black,result\n2013-01-01,A,B,1\n{text},A,B,1\n")
    assert {row: str(day) for row, day in games.partial.items()} == {1: partial}
    assert problems == []


@pytest.mark.parametrize("text", ["????.??.??", "", "0000-00-00", "?"])
def test_C42_game_without_a_date_is_kept_and_named(tmp_path: Path, text: str) -> None:
    games, problems = read(tmp_path, f"date,white,black,result\n2013-01-01,A,B,1\n{text},A,C,1\n")
    assert list(games.date or ())[1] == 0
    assert "games without a date: 1 (line 3)" in warnings(problems)


@pytest.mark.parametrize(
    "text", ["2025-02-30", "2025-13-01", "31/04/2025", "2025-00-10", "tomorrow", "12/11/10", "99999", "2025-1" * 9]
)
def test_impossible_dates_name_the_line(tmp_path: Path, text: str) -> None:
    games, problems = read(tmp_path, f"date,white,black,result\n2013-01-01,A,B,1\n{text},A,C,1\n")
    assert len(games) == 1
    assert [(error.line, error.column) for error in errors(problems)] == [(3, "date")]


@pytest.mark.parametrize(
    ("text", "born"),
    [
        ("1993      ", "1993"),
        (".  .", None),
        ("0000/00/00", None),
        ("0", None),
        ("1993.0", "1993"),
        ("2000-02-01", "2000-02-01"),
    ],
)
def test_C38_C40_birth_fields(tmp_path: Path, text: str, born: str | None) -> None:
    path = tmp_path / "start.csv"
    path.write_text(f"player,rating,birth_date\nAnna,1500,{text}\n")
    starts, problems = read_start(str(path))
    assert [start.born and str(start.born) for start in starts] == [born]
    assert problems == []


def test_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(ROW.encode())))
    games, _ = read_games("-")
    assert len(games) == 1


def test_small_files_need_no_numpy(tmp_path: Path) -> None:
    import subprocess
    import sys

    path = tmp_path / "games.csv"
    path.write_text(ROW)
    heavy = {"numpy", "pyarrow", "openpyxl", "json"}
    code = f"import sys, arpad.formats as f; f.read_games({str(path)!r}); print({heavy} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"
