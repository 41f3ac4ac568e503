"""Whatever a file holds, reading it ends, with a table or with an ArpadError."""

from __future__ import annotations

import io
import os
import random
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.errors import ArpadError
from arpad.formats import Table, read_acts, read_games, read_start, write_table
from arpad.formats.games import games_of
from arpad.formats.headers import ACT_FIELDS, GAME_FIELDS, START_FIELDS
from arpad.formats.people import acts_of, starts_of
from arpad.formats.sheet import Reading
from arpad.formats.source import sheet_of_bytes
from arpad.model import Games, Problem

from .helpers import columns, mutants, survives

WIDE = (
    "id,date,event,event_start,event_end,round,board,white,black,result,neutral,knockout,importance,season,tournament\n"
    '1,2025-01-02,Open,2025-01-01,2025-01-05,1,1,"Müller, Jörg",Anna,1-0,0,yes,2.5,2025,Cup\n'
    "2,03.01.2025,Open,2025-01-01,,2,,Anna,Bruno,½,,no,10,2024/25,\n"
    "3,2025-01,Liga,,,R3,,Bruno,Carla,*,true,,,,\n"
)
LONG = "date;player;opponent;colour;score\n2025-01-02;Anna;Bruno;w;1\n2025-01-02;Bruno;Anna;b;0\n2025-01-03;Anna;;;F\n"
SCORES = "date,home,away,score1,score2,winner,shootout_winner\n30/03/2025,A,B,1,1,,B\n"
SCORES += "04/03/2025,B,C,2,0,left,\n05/04/2025,C,A,,,,\n"
JSON = (
    '[{"white": "A", "black": "B", "result": 0.5, "date": "2025-01-02"}, {"white": "B", "black": "C", "result": "1-0"}]'
)
START = "player,rating,games,peak,season,born\nAnna,1500.5,3,1600,2024,2001-02-03\nBruno,-,,,,1999\n"
ACTS = "kind,player,date,rating,games,category\nentry,Anna,2025-01-02,1500,0,\n"
ACTS += "entry,Bruno,,,,1N\nblend,Carla,2025-01-02,2400,25,\n"

GAMES = [
    (WIDE, ".csv"),
    (LONG, ".csv"),
    (SCORES, ".csv"),
    (JSON, ".json"),
    (JSON[1:-1].replace("}, ", "}\n"), ".jsonl"),
]


def _games(data: bytes, kind: str) -> tuple[Games, list[Problem]]:
    return games_of(sheet_of_bytes(data, kind, "fuzz", Reading(), GAME_FIELDS), Reading())


def _starts(data: bytes) -> object:
    return starts_of(sheet_of_bytes(data, ".csv", "fuzz", Reading(), START_FIELDS), Reading())


def _acts(data: bytes) -> object:
    return acts_of(sheet_of_bytes(data, ".csv", "fuzz", Reading(), ACT_FIELDS), Reading())


def attack(reader: Callable[[bytes], object], seed: bytes, count: int, random_seed: int = 1) -> None:
    for data in mutants(seed, count, random_seed):
        survives(reader, data)


@pytest.mark.parametrize(("seed", "kind"), GAMES)
def test_mutants_of_games(seed: str, kind: str) -> None:
    attack(lambda data: _games(data, kind), seed.encode(), 300)


@pytest.mark.parametrize(("reader", "seed"), [(_starts, START), (_acts, ACTS)])
def test_mutants_of_lists(reader: Callable[[bytes], object], seed: str) -> None:
    attack(reader, seed.encode(), 300)


TIMES = "date,white,black,result\n" + "".join(
    f"2025-01-{day:02}T10:00:0{day % 9},A{day % 4},B,1-0\n" for day in range(1, 20)
)


@pytest.mark.parametrize("seed", [WIDE, WIDE.replace("03.01.2025", "2025-01-03"), LONG, SCORES, TIMES])
def test_mutants_are_read_alike_by_both_readers(seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def said(data: bytes, large: int) -> object:
        monkeypatch.setattr("arpad.formats.source.LARGE", large)
        try:
            games, problems = _games(data, ".csv")
        except ArpadError:
            return "refused"
        return columns(games), problems

    for data in mutants(seed.encode(), 60):
        assert said(data, 0) == said(data, 1_000_000)


@pytest.mark.soak
@pytest.mark.parametrize(("seed", "kind"), GAMES)
def test_hundred_thousand_mutants_of_games(seed: str, kind: str) -> None:
    attack(lambda data: _games(data, kind), seed.encode(), 100_000, random.randrange(1 << 30))


@pytest.mark.soak
@pytest.mark.parametrize(("reader", "seed"), [(_starts, START), (_acts, ACTS)])
def test_hundred_thousand_mutants_of_lists(reader: Callable[[bytes], object], seed: str) -> None:
    attack(reader, seed.encode(), 100_000, random.randrange(1 << 30))


def _binary(kind: str) -> bytes:
    table = Table(
        "games",
        {"date": [date(2025, 1, 2)] * 3, "white": ["A", "B", "C"], "black": ["B", "C", "A"], "result": [1.0, 0.5, 0.0]},
    )
    target = io.BytesIO()
    write_table(table, target, kind)  # type: ignore[arg-type]
    return target.getvalue()


@pytest.mark.parametrize("kind", ["xlsx", "parquet", "arrow"])
def test_mutants_of_binary_files(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"games.{kind}"

    def reader(data: bytes) -> object:
        path.write_bytes(data)
        return read_games(path)

    attack(reader, _binary(kind), 80)


TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
CELL = st.one_of(
    TEXT,
    st.sampled_from(
        ["1-0", "½", "*", "+", "2025-01-02", "04/03/2025", "30/03/2025", "0,5", "1.234,5", "1e999", "nan", "-0"]
    ),
    st.integers().map(str),
    st.floats().map(repr),
    st.dates().map(str),
)
HEADERS = st.lists(st.sampled_from([*GAME_FIELDS, "white", "black", "home", "", "x"]), min_size=1, max_size=8)


@settings(max_examples=150, deadline=None)
@given(HEADERS, st.lists(st.lists(CELL, max_size=9), max_size=8), st.sampled_from(",;\t|"))
def test_any_cells(headers: list[str], rows: list[list[str]], separator: str) -> None:
    text = "\n".join(separator.join(row) for row in [headers, *rows])
    survives(lambda data: _games(data, ".csv"), text.encode())


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400), st.sampled_from([".csv", ".json", ".jsonl"]))
def test_any_bytes(data: bytes, kind: str) -> None:
    survives(lambda data: _games(data, kind), data)


VALUE = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), TEXT, st.dates(), st.lists(st.integers(), max_size=2)
)
RECORD = st.dictionaries(
    st.sampled_from(["white", "black", "result", "date", "round", "score1", "score2", "id", "player"]), VALUE
)


@settings(max_examples=100, deadline=None)
@given(st.lists(RECORD, max_size=5))
def test_any_records(records: list[dict[str, Any]]) -> None:
    for reader in (read_games, read_start, read_acts):
        survives(lambda _, reader=reader: reader(records), b"")  # type: ignore[misc]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries(dict.fromkeys(("date", "white", "black", "result", "id"), CELL)),
        min_size=1,
        max_size=6,
    )
)
def test_any_frame(records: list[dict[str, str]]) -> None:
    table = pa.Table.from_pylist(records)
    survives(lambda _: read_games(table), b"")


@pytest.mark.parametrize(
    "values",
    [
        pa.array([[1], [2]]),
        pa.array([{"a": 1}, {"a": 2}]),
        pa.array([b"x", b"y"]),
        pa.array([None, None]),
        pa.array(["A", "B"], pa.string_view()),
        pa.array([1, 2], pa.duration("s")),
    ],
)
@pytest.mark.parametrize("name", ["date", "white", "result"])
def test_columns_of_odd_types(name: str, values: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"date": ["2025-01-02"] * 2, "white": ["A", "B"], "black": ["C", "D"], "result": [1.0, 0.0], name: values}
    survives(lambda _: read_games(pa.table(found)), b"")
    path = tmp_path / "games.parquet"
    try:
        pq.write_table(pa.table(found), path)
    except pa.ArrowNotImplementedError:
        return
    for most in (8_000_000, 0):  # the readers of small and of large files
        monkeypatch.setattr("arpad.formats.source.LARGE", most)
        survives(lambda _: read_games(os.fspath(path)), b"")
