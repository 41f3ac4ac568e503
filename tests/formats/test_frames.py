"""Parquet, Arrow, workbooks, JSON and frames say what a CSV file says; both CSV readers agree."""

from __future__ import annotations

import json
import random
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.errors import DataError, UsageError
from arpad.formats import plain, read_games, vector
from arpad.formats.frames import sheet_of_pieces

from .helpers import columns, errors, read, rows, warnings

RECORDS: list[dict[str, Any]] = [
    {"date": date(2025, 1, 2), "white": "Müller", "black": "Bo", "result": 1.0, "round": 1, "tournament": "Cup"},
    {"date": date(2025, 1, 3), "white": "Bo", "black": "Cy", "result": 0.5, "round": 2, "tournament": None},
    {"date": date(2025, 1, 4), "white": "Cy", "black": "Müller", "result": None, "round": 3, "tournament": "Cup"},
    {"date": None, "white": "Cy", "black": "Cy", "result": 1.0, "round": 3, "tournament": "Cup"},
    {"date": date(1955, 3, 1), "white": "Bo", "black": None, "result": 1.0, "round": 4, "tournament": "Cup"},
    {"date": date(1955, 3, 1), "white": "Bo", "black": "Dy", "result": 0.0, "round": 4, "tournament": "Pal"},
]


def check(source: Any) -> None:
    games, problems = read_games(source)
    assert rows(games) == [("Müller", "Bo", (1.0, 0.0)), ("Bo", "Cy", (0.5, 0.5)), ("Bo", "Dy", (0.0, 1.0))]
    assert [int(day) for day in games.date if games.date is not None] == [  # type: ignore[union-attr]
        day.toordinal() for day in (date(2025, 1, 2), date(2025, 1, 3), date(1955, 3, 1))
    ]
    assert [games.labels["tournament"][row] for row in range(3)] == ["Cup", "", "Pal"]
    assert games.round is not None
    assert games.round.tolist() == [1, 2, 4]
    assert games.pending == 1
    assert len(errors(problems)) == 2


@pytest.fixture(params=["pyarrow", "polars"])
def parquet_reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The reader of small Parquet files, and that of large ones."""
    if request.param == "polars":
        monkeypatch.setattr("arpad.formats.source.LARGE", 0)
    return str(request.param)


@pytest.mark.parametrize("frame", ["pandas", "polars", "pyarrow"])
def test_frames(frame: str) -> None:
    if frame == "pandas":
        check(pd.DataFrame(RECORDS))
    elif frame == "polars":
        check(pl.DataFrame(RECORDS))
    else:
        check(pa.Table.from_pylist(RECORDS))


@pytest.mark.usefixtures("parquet_reader")
def test_parquet_arrow_and_feather(tmp_path: Path) -> None:
    table = pa.Table.from_pylist(RECORDS)
    pq.write_table(table, tmp_path / "games.parquet", row_group_size=2)
    check(tmp_path / "games.parquet")
    pl.DataFrame(RECORDS).write_parquet(tmp_path / "polars.parquet")
    check(str(tmp_path / "polars.parquet"))
    with pa.ipc.new_file(str(tmp_path / "games.arrow"), table.schema) as file:
        file.write_table(table)
    check(tmp_path / "games.arrow")
    with pa.ipc.new_stream(str(tmp_path / "games.feather"), table.schema) as stream:
        stream.write_table(table)
    check(tmp_path / "games.feather")


def test_json_and_workbook(tmp_path: Path) -> None:
    import openpyxl

    text = json.dumps(RECORDS, default=str)
    (tmp_path / "games.json").write_text(text)
    check(tmp_path / "games.json")
    (tmp_path / "games.jsonl").write_text("\n".join(json.dumps(record, default=str) for record in RECORDS))
    check(tmp_path / "games.jsonl")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(list(RECORDS[0]))
    for record in RECORDS:
        sheet.append(list(record.values()))
    book.save(tmp_path / "games.xlsx")
    check(tmp_path / "games.xlsx")


def test_typed_columns_of_many_kinds() -> None:
    table = pa.table(
        {
            "date": pa.array(
                [datetime(2025, 1, 2, 23, 30), datetime(2025, 1, 2, 23, 40)], pa.timestamp("us", "Europe/Rome")
            ),
            "white": pa.array([1, 2]),
            "black": pa.array([2, 1]).dictionary_encode(),
            "result": pa.array([1, 0], pa.int8()),
            "neutral": pa.array([True, None]),
        }
    )
    games, problems = read_games(table)
    assert rows(games) == [("1", "2", (1.0, 0.0)), ("2", "1", (0.0, 1.0))]
    assert [date.fromordinal(int(day)).isoformat() for day in games.date] == ["2025-01-03"] * 2  # type: ignore[union-attr]
    assert problems == []


def test_nan_infinite_and_impossible_values_name_the_row() -> None:
    frame = pl.DataFrame({"white": ["A"] * 4, "black": ["B"] * 4, "result": [1.0, float("nan"), float("inf"), -1.0]})
    games, problems = read_games(frame)
    assert len(games) == 1
    assert [error.line for error in errors(problems)] == [2, 3, 4]


def test_unused_categories_are_no_players() -> None:
    frame = pd.DataFrame({"white": pd.Categorical(["A"], categories=["Z", "A"]), "black": ["B"], "result": [1]})
    assert list(read_games(frame)[0].players) == ["A", "B"]


def test_index_columns_are_not_read() -> None:
    frame = pd.DataFrame({"white": ["A"], "black": ["B"], "result": [1]}, index=["x"])
    assert read_games(frame)[1] == []


def test_a_column_of_fewer_rows_than_the_file_says_is_refused() -> None:
    sheet = sheet_of_pieces("games", ["white"], lambda at: iter([pa.array(["Anna"])]), 2, 1)
    with pytest.raises(DataError, match=r"white: unreadable column: 1 rows where there should be 2"):
        sheet.encode({"first": 0})


@pytest.mark.usefixtures("parquet_reader")
@pytest.mark.parametrize("name", ["games.parquet", "games.arrow", "games.xlsx", "games.json", "games.jsonl"])
def test_damaged_files_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError):
        read(tmp_path, b"PK\x03\x04 nothing of the kind", name)


def test_json_that_is_no_table(tmp_path: Path) -> None:
    for text in ("7", "[1]", "{}", "[]", '[{"white": "A", "white": "B"}]', "[" * 100_000, '{"a": [], "b": []}'):
        with pytest.raises(DataError):
            read(tmp_path, text, "games.json")
    _, problems = read(tmp_path, '{"games": [{"white": "A", "black": "B", "result": NaN}]}', "games.json")
    assert [error.line for error in errors(problems)] == [1]


def test_an_arrow_file_whose_texts_lie_outside_it_is_refused(tmp_path: Path) -> None:
    table = pa.table({"white": ["Anna", "Bruno", "Carla"], "black": ["B", "C", "D"], "result": ["1-0", "1-0", "0-1"]})
    with pa.ipc.new_file(tmp_path / "games.arrow", table.schema) as writer:
        writer.write_table(table)
    data = (tmp_path / "games.arrow").read_bytes()
    good, bad = (np.array([0, 4, 9, end], "<i4").tobytes() for end in (14, 2**30))
    assert good in data
    (tmp_path / "games.arrow").write_bytes(data.replace(good, bad))
    with pytest.raises(DataError, match="not a readable Arrow file"):
        read_games(str(tmp_path / "games.arrow"))


def test_a_list_or_an_object_is_no_name(tmp_path: Path) -> None:
    for bad in ({"name": "Anna"}, ["Anna"]):
        text = json.dumps([{"white": "Bo", "black": "Cy", "result": 1}, {"white": bad, "black": "Cy", "result": 1}])
        with pytest.raises(DataError, match=r"games\.json:2: white: one value was expected"):
            read(tmp_path, text, "games.json")
        with pytest.raises(DataError, match="white: unreadable column"):
            read_games(pa.table({"white": [bad], "black": ["Cy"], "result": [1]}))
        unread = [{"white": "Bo", "black": "Cy", "result": 1, "opening": bad}]
        assert len(read(tmp_path, json.dumps(unread), "games.json")[0]) == 1
        assert len(read_games(pa.Table.from_pylist(unread))[0]) == 1


def test_half_a_character_is_no_name(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"games\.json:1: white: '\\ud800' is no text"):
        read(tmp_path, r'[{"white": "\ud800", "black": "Bo", "result": "1-0"}]', "games.json")


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary(4), pa.dictionary(pa.int8(), pa.binary())])
def test_bytes_are_the_text_they_hold(kind: Any) -> None:
    def table(name: bytes) -> pa.Table:
        made = pa.array([name], kind) if not pa.types.is_dictionary(kind) else pa.array([name]).dictionary_encode()
        return pa.table({"white": made, "black": ["Bo"], "result": ["1-0"]})

    assert rows(read_games(table(b"Anna"))[0]) == [("Anna", "Bo", (1.0, 0.0))]
    with pytest.raises(DataError, match="white: unreadable column: Invalid UTF8"):
        read_games(table(b"Ann\xff"))


@pytest.mark.parametrize("day", [pa.array([2**62], pa.timestamp("ms")), pa.array([2**31 - 1], pa.date32())])
@pytest.mark.usefixtures("parquet_reader")
def test_days_beyond_the_calendar_are_refused(day: pa.Array, tmp_path: Path) -> None:
    table = pa.table({"date": day, "white": ["Anna"], "black": ["Bo"], "result": ["1-0"]})
    with pytest.raises(DataError, match="date: unreadable column"):
        read_games(table)
    pq.write_table(table, tmp_path / "games.parquet")
    with pytest.raises(DataError, match="date: unreadable column"):
        read_games(str(tmp_path / "games.parquet"))


@pytest.mark.usefixtures("parquet_reader")
def test_a_panic_of_the_reader_is_a_refusal(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    day = pa.array([0], pa.timestamp("us", tz="Mars/Base"))
    pq.write_table(
        pa.table({"date": day, "white": ["Anna"], "black": ["Bo"], "result": ["1-0"]}), tmp_path / "games.parquet"
    )
    with pytest.raises(DataError, match="Mars/Base"):
        read_games(str(tmp_path / "games.parquet"))
    capfd.readouterr()  # what the reader itself says of its panic


def test_missing_library_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arpad.formats.source.find_spec", lambda name: None)
    for name, extra in (("games.parquet", "parquet"), ("games.xlsx", "xlsx"), ("games.arrow", "parquet")):
        with pytest.raises(UsageError, match=rf"pip install 'arpad\[{extra}\]'"):
            read(tmp_path, b"", name)
    with pytest.raises(UsageError, match="parquet"):
        read_games(pl.DataFrame(RECORDS))


def _messy(count: int, faults: bool) -> str:
    source = random.Random(7)
    lines = ["date,event,round,white,black,result,home_score,away_score,shootout_winner,importance,id,note"]
    for number in range(count):
        white, black = source.sample(range(40), 2)
        ends = source.choice(["1-0", "0-1", "½", "*", "", "+"])
        scores = {"1-0": "2,1", "0-1": "0,3", "½": "1,1"}.get(ends, ",")
        day = f"2025-{source.randint(1, 12):02}-{source.randint(1, 28):02}"
        row = [
            day,
            f"E{source.randint(1, 5)}",
            str(source.randint(1, 9)),
            f'"P {white}, x"',
            f'"P {black}, x"',
            ends,
            scores,
        ]
        row += [f'"P {white}, x"' if source.random() < 0.1 else "", str(source.choice([1, 2.5, 10])), str(number), "é"]
        if faults and source.random() < 0.2:
            at = source.randrange(len(row))
            row[at] = source.choice(["", "nan", "-1,2", row[4], "2025-02-30", " P 3 ", "3", '"p 3, X"', "x"])
        lines.append(",".join(row))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "change", [str, lambda text: text.replace("\n", "\r\n"), lambda text: "\ufeff" + text.rstrip("\n")]
)
@pytest.mark.parametrize("faults", [False, True])
def test_fast_and_careful_reader_agree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Any, faults: bool
) -> None:
    text = change(_messy(600, faults))
    careful, said = read(tmp_path, text)
    assert not hasattr(careful.first, "dtype")
    monkeypatch.setattr("arpad.formats.source.LARGE", 0)
    fast, also_said = read(tmp_path, text)
    assert hasattr(fast.first, "dtype") or faults
    assert columns(fast) == columns(careful)
    assert also_said == said


def test_fast_reader_of_timestamps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"2025-01-{number % 20 + 1:02}T10:{number:02}:00,A,B,1-0" for number in range(40)]
    text = "date,white,black,result\n" + "\n".join([*lines, lines[7]])
    careful = read(tmp_path, text)
    monkeypatch.setattr("arpad.formats.source.LARGE", 0)
    fast = read(tmp_path, text)
    assert hasattr(fast[0].first, "dtype")
    assert columns(fast[0]) == columns(careful[0])
    assert fast[1] == careful[1]
    assert "line 42 repeats 9" in warnings(fast[1])
    for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())):
        days = pa.array([line.split(",")[0] for line in lines]).cast(kind)
        games, _ = read_games(pa.table({"date": days, "white": ["A"] * 40, "black": ["B"] * 40, "result": [1] * 40}))
        assert list(games.date) == list(careful[0].date)[:40]  # type: ignore[arg-type]


CODES = st.lists(st.integers(-1, 3), min_size=1, max_size=30)


@settings(max_examples=60, deadline=None)
@given(CODES, st.randoms(use_true_random=False))
def test_plain_and_vector_agree(codes: list[int], source: random.Random) -> None:
    others = [source.randint(-1, 3) for _ in codes]
    bits = [source.randint(0, 1) for _ in codes]
    days = [source.randint(0, 5) for _ in codes]

    def answers(ops: Any) -> list[Any]:
        a, b, days_ = (ops.column(values, "i") for values in (codes, others, days))
        mask = ops.column(bits, "B")
        floats = ops.column([float("nan") if code < 0 else code for code in codes], "d")
        found = [
            ops.take([4, 5, 6, 7], a, 9, "i"),
            ops.take([0, 1, 2, 3], a, -1, "i"),
            ops.among(a, {1, 2}),
            ops.among(a, {-1, 0, 1, 2, 3}),
            ops.among(a, set()),
            ops.same(a, b),
            ops.blank(a),
            ops.either(mask, ops.blank(a)),
            ops.without(mask, ops.blank(a)),
            ops.select(a, mask),
            ops.choose(mask, a, b),
            ops.pairs(a, b)[0],
            ops.mask(3, 1),
            ops.count_from(2, 4),
        ]
        plain_answers = [
            ops.count(mask),
            ops.rows(mask, 2),
            ops.pairs(a, b)[1],
            ops.repeats([a, b], mask),
            ops.repeats([a, b], mask, [a]),
            ops.repeats([b, days_], mask, [b, days_]),
            ops.used([a, b], 4),
            ops.spans(a, 4, days_),
            ops.uniform(a, -1),
            ops.uniform(floats, float("nan")),
        ]
        return [values.tolist() for values in found] + plain_answers

    assert answers(plain) == answers(vector)


def test_pairs_of_many_values() -> None:
    many = np.arange(0, 3_000_000, 1_000, dtype=np.int32)
    codes, distinct = vector.pairs(many, many)
    assert codes.tolist() == list(range(3_000))
    assert distinct[1] == (1_000, 1_000)
