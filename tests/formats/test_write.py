"""Tables out, and back in."""

from __future__ import annotations

import io
import json
import os
import stat
from array import array
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from arpad.errors import UsageError
from arpad.formats import FORMATS, Format, Table, read_games, read_start, to_arrow, write_table

from .helpers import rows

TABLE = Table(
    "list",
    {
        "rank": [1, 2, 3],
        "player": ["Müller, Jörg", "=1+1, Anna", 'The "Tal"'],
        "rating": array("d", [1500.1, 0.1 + 0.2, float("nan")]),
        "last_date": [date(2025, 1, 2), None, date(1955, 3, 1)],
        "provisional": [True, False, None],
    },
)


def written(format: Format, table: Table = TABLE, **options: Any) -> bytes:
    target = io.BytesIO()
    write_table(table, target, format, **options)
    return target.getvalue()


def test_csv_is_plain_and_exact() -> None:
    assert written("csv").decode() == (
        "rank,player,rating,last_date,provisional\n"
        '1,"Müller, Jörg",1500.1,2025-01-02,true\n'
        '2,"=1+1, Anna",0.30000000000000004,,false\n'
        '3,"The ""Tal""",,1955-03-01,\n'
    )


def test_C67_spreadsheet_option_neutralises_formulas() -> None:
    text = written("csv", spreadsheet=True)
    assert text.startswith(b"\xef\xbb\xbf")
    assert '"\'=1+1, Anna"' in text.decode("utf-8-sig")


def test_json_has_no_nan() -> None:
    found = json.loads(written("json"), parse_constant=lambda word: pytest.fail(word))
    assert found[1] == {"rank": 2, "player": "=1+1, Anna", "rating": 0.1 + 0.2, "last_date": None, "provisional": False}
    assert found[2]["rating"] is None
    assert [json.loads(line) for line in written("jsonl").splitlines()] == found
    assert json.loads(written("json", Table("t", {"a": []}))) == []


def test_parquet_and_arrow() -> None:
    table = pq.read_table(io.BytesIO(written("parquet")))
    assert table.equals(pa.ipc.open_file(io.BytesIO(written("arrow"))).read_all())
    assert table.equals(to_arrow(TABLE))
    assert table.column("rating").to_pylist() == [1500.1, 0.1 + 0.2, None]
    assert pa.types.is_date32(table.schema.field("last_date").type)
    with pytest.raises(UsageError, match="column 'a' is not of one kind"):
        to_arrow(Table("t", {"a": [1, "x"]}))


def test_workbook_cells_are_typed() -> None:
    import openpyxl

    sheet = openpyxl.load_workbook(io.BytesIO(written("xlsx"))).active
    found = list(sheet.iter_rows(values_only=True))
    assert found[2][:3] == (2, "=1+1, Anna", 0.1 + 0.2)
    assert sheet["B3"].data_type == "s"
    assert sheet["E2"].value is True


def test_a_workbook_stands_whatever_a_name_holds() -> None:
    """Of one name with what no workbook can hold, everybody else's list is none the worse."""
    import openpyxl

    file = io.BytesIO()
    write_table(Table("t", {"a\x01": ["Bell\x07\uffff, Anna", "Müller"]}), file, "xlsx")
    found = list(openpyxl.load_workbook(file).active.iter_rows(values_only=True))
    assert found == [("a\ufffd",), ("Bell\ufffd\ufffd, Anna",), ("Müller",)]


@pytest.mark.parametrize("format", FORMATS)
def test_C67_what_is_written_is_read_back(tmp_path: Path, format: Format) -> None:
    names = ["=1+1, Anna", "Müller, Jörg", "'quoted", "@x", "-1", "01"]
    ratings = [1500.5, 0.1 + 0.2, 1e-7, 123456.789, 1.0, 2.0]
    table = Table("start", {"player": names, "rating": np.array(ratings)})
    path = tmp_path / f"start.{format}"
    write_table(table, path, format)
    starts, problems = read_start(path)
    assert [start.player for start in starts] == names
    assert [start.rating for start in starts] == ratings
    assert problems == []


def test_large_and_small_csv_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = np.array([1500.0, 1 / 3, 1e16, 1.5e-7, float("nan"), -0.0])
    table = Table(
        "t",
        {
            "player": ["a", 'b"c', "d,e", "", "f\rg\n", " h"],
            "rating": ratings,
            "rank": np.arange(6),
            "on": [date(2025, 1, 2)] * 6,
        },
    )
    small = written("csv", table)
    monkeypatch.setattr("arpad.formats.write._LARGE", 0)
    assert written("csv", table) == small


def test_a_failure_leaves_the_target_untouched(tmp_path: Path) -> None:
    path = tmp_path / "list.xlsx"
    path.write_bytes(b"before")
    with pytest.raises(UsageError):
        write_table(Table("t", {"a": [1j]}), path, "xlsx")
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["list.xlsx"]


def test_targets(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    write_table(TABLE, str(path), "csv")
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    path.chmod(0o640)
    write_table(TABLE, path, "csv")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    with pytest.raises(UsageError, match="cannot write"):
        write_table(TABLE, tmp_path / "no" / "list.csv", "csv")
    with pytest.raises(UsageError, match="unknown format"):
        write_table(TABLE, path, "pdf")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="differ in length"):
        Table("t", {"a": [1], "b": []})


def test_games_come_back(tmp_path: Path) -> None:
    table = Table("games", {"white": ["A", "B"], "black": ["B", "A"], "result": ["1-0", "1/2-1/2"]})
    write_table(table, tmp_path / "g.csv")
    assert rows(read_games(tmp_path / "g.csv")[0]) == [("A", "B", (1.0, 0.0)), ("B", "A", (0.5, 0.5))]
