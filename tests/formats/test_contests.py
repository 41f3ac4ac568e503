"""Contests of several players, one row a player: each becomes all its pairs; what is wrong is refused by line."""

from __future__ import annotations

import random
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.errors import ArpadError, DataError
from arpad.formats import read_games
from arpad.formats.convert import convert
from arpad.formats.games import games_of
from arpad.formats.headers import GAME_FIELDS, holds_contests
from arpad.formats.sheet import Reading
from arpad.formats.source import sheet_of_bytes
from arpad.model import Games

from .helpers import columns, errors, mutants, read, rows, survives, warnings

TABLE = (
    "date,event,id,player,place\n"
    "2025-03-01,Open,1,Anna,1\n"
    "2025-03-01,Open,1,Bruno,2\n"
    "2025-03-01,Open,1,Carla,2\n"
    "2025-03-02,Open,2,Dora,1\n"
    "2025-03-02,Open,2,Anna,2\n"
)
TEAMS = (
    "game_id,player,team,rank,points,weight\n1,Anna,Red,1,12,2\n1,Bruno,Red,1,12,1\n1,Carla,Blue,2,7,\n1,Dora,,3,1.5,\n"
)


def test_a_contest_is_the_games_of_all_its_pairs(tmp_path: Path) -> None:
    games, problems = read(tmp_path, TABLE)
    assert rows(games) == [
        ("Anna", "Bruno", (1.0, 0.0)),
        ("Anna", "Carla", (1.0, 0.0)),
        ("Bruno", "Carla", (0.5, 0.5)),
        ("Dora", "Anna", (1.0, 0.0)),
    ]
    assert problems == []
    assert list(games.id or ()) == ["1", "1", "1", "2"]
    assert list(games.contest) == [3, 3, 3, 2]  # type: ignore[arg-type]
    assert list(games.line) == [2, 2, 3, 5]  # type: ignore[arg-type]
    assert list(games.neutral) == [1, 1, 1, 1]  # type: ignore[arg-type]
    assert [event.name for event in games.events] == ["Open"]


def test_members_of_a_team_do_not_meet(tmp_path: Path) -> None:
    games, problems = read(tmp_path, TEAMS)
    assert [(a, b) for a, b, _ in rows(games)] == [
        ("Anna", "Carla"), ("Anna", "Dora"), ("Bruno", "Carla"), ("Bruno", "Dora"), ("Carla", "Dora"),
    ]  # fmt: skip
    assert [games.labels["first_team"][row] for row in range(5)] == ["Red", "Red", "Red", "Red", "Blue"]
    assert [games.labels["second_team"][row] for row in range(5)] == ["Blue", "", "Blue", "", ""]
    assert list(games.first_points)[:1] == [12.0]  # type: ignore[arg-type]
    assert list(games.second_points)[:2] == [7.0, 1.5]  # type: ignore[arg-type]
    assert list(games.first_weight)[:3] == [2.0, 2.0, 1.0]  # type: ignore[arg-type]
    assert errors(problems) == []


def test_points_place_where_there_are_no_places(tmp_path: Path) -> None:
    games, _ = read(tmp_path, "id,player,score\n7,Anna,31\n7,Bruno,40.5\n7,Carla,31\n")
    assert rows(games) == [
        ("Bruno", "Anna", (1.0, 0.0)), ("Bruno", "Carla", (1.0, 0.0)), ("Anna", "Carla", (0.5, 0.5)),
    ]  # fmt: skip


@pytest.mark.parametrize("headers", ["partita_id,giocatore,squadra,posto", "partida_id,jugador,equipo,puesto"])
def test_italian_and_spanish_headers(tmp_path: Path, headers: str) -> None:
    games, problems = read(tmp_path, f"{headers}\n1,Anna,Rossi,1\n1,Bruno,Blu,2\n")
    assert rows(games) == [("Anna", "Bruno", (1.0, 0.0))]
    assert games.labels["first_team"][0] == "Rossi"
    assert "columns read" in warnings(problems)


def test_the_columns_may_be_named(tmp_path: Path) -> None:
    games, _ = read(tmp_path, "g,who,came\n1,Anna,1\n1,Bruno,2\n", columns={"id": "g", "player": "who", "rank": "came"})
    assert rows(games) == [("Anna", "Bruno", (1.0, 0.0))]


def test_shared_places_as_people_write_them(tmp_path: Path) -> None:
    games, _ = read(tmp_path, "id,player,rank\n1,Anna,=1\n1,Bruno,1=\n1,Carla,3.\n1,Dora,4.0\n")
    assert [score for *_, score in rows(games)] == [(0.5, 0.5), *[(1.0, 0.0)] * 5]


def test_contests_do_not_depend_on_the_order_of_rows(tmp_path: Path) -> None:
    header, *lines = TABLE.splitlines()
    seen = set()
    for order in permutations(lines):
        games, _ = read(tmp_path, "\n".join([header, *order]) + "\n")
        seen.add(tuple(sorted((a, b, score, word) for (a, b, score), word in zip(rows(games), games.id or ()))))
    assert len(seen) == 1


BAD = [
    ("id,player,rank\n1,Anna,1\n1,,2\n", [(3, "player", "a player is missing")]),
    ("id,player,rank\n1,Anna,1\n1,Bruno,\n", [(3, "rank", "a place is missing")]),
    ("id,player,points\n1,Anna,1\n1,Bruno,\n", [(3, "points", "points are missing")]),
    ("id,player,rank\n1,Anna,1\n1,Bruno,0\n", [(3, "rank", "'0' is not a place")]),
    ("id,player,rank\n1,Anna,1\n1,Bruno,DNF\n", [(3, "rank", "'DNF' is not a place")]),
    ("id,player,rank\n1,Anna,1\n1,Bruno,1.5\n", [(3, "rank", "'1.5' is not a place")]),
    ("id,player,rank\n1,Anna,1\n,Bruno,2\n1,Carla,3\n", [(3, "id", "the game's id is missing")]),
    (
        "id,player,rank\n1,Anna,1\n1,Bruno,2\n1,Anna,3\n",
        [(4, "player", "'Anna' stands in this game already, in line 2")],
    ),
    ("id,player,rank\n1,Anna,1\n", [(2, "id", "game '1' has one player only")]),
    ("id,player,team,rank\n1,Anna,R,1\n1,Bruno,R,1\n", [(2, "id", "all players of game '1' are of one team")]),
    (
        "id,player,team,rank\n1,Anna,R,1\n1,Bruno,R,2\n1,Carla,B,3\n",
        [(3, "rank", "team 'R' is placed otherwise in line 2")],
    ),
    (
        "id,date,player,rank\n1,2025-01-01,Anna,1\n1,2025-01-02,Bruno,2\n",
        [(3, "date", "another date than in line 2, which is of the same game")],
    ),
    (
        "id,round,player,rank\n1,1,Anna,1\n1,2,Bruno,2\n",
        [(3, "round", "another round than in line 2, which is of the same game")],
    ),
    ("id,player,rank,weight\n1,Anna,1,-1\n1,Bruno,2,\n", [(2, "weight", "-1 is below 1e-06")]),
    ("id,player,rank,points\n1,Anna,1,many\n1,Bruno,2,\n", [(2, "points", "'many' is not a number")]),
]


@pytest.mark.parametrize(("text", "expected"), BAD, ids=[found[0][2][:30] for _, found in BAD])
def test_bad_rows_are_refused_by_line(tmp_path: Path, text: str, expected: list[tuple[int, str, str]]) -> None:
    _, problems = read(tmp_path, text)
    assert [(problem.line, problem.column, problem.message) for problem in errors(problems)] == expected


def test_all_that_is_wrong_is_told_at_once_and_spoils_only_its_own_contest(tmp_path: Path) -> None:
    text = "id,player,rank\n1,Anna,1\n1,Bruno,\n1,Carla,x\n2,Anna,1\n2,Anna,2\n3,Anna,1\n3,Bruno,2\n4,Dora,1\n"
    games, problems = read(tmp_path, text)
    assert rows(games) == [("Anna", "Bruno", (1.0, 0.0))]
    assert [problem.line for problem in errors(problems)] == [3, 4, 6, 9]
    assert "in which another row is wrong are left out (line 2, 5)" in warnings(problems)


def test_a_table_without_an_opponent_says_what_contests_need(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"the id of the game in each player's row"):
        read(tmp_path, "date,player,rank\n2025-01-01,Anna,1\n")


@pytest.mark.parametrize(
    ("headers", "is_one"),
    [
        ("id player rank", True),
        ("game_id player score", True),
        ("id player opponent score", False),
        ("id white black result", False),
        ("player rank", False),
        ("id player", False),
        ("rank player rating games", False),
    ],
)
def test_which_tables_are_contests(headers: str, is_one: bool) -> None:
    assert holds_contests(headers.split()) is is_one


def test_a_thousand_players_are_a_contest_and_more_are_not(tmp_path: Path) -> None:
    def table(count: int) -> str:
        return "id,player,rank\n" + "".join(f"1,p{number},{number + 1}\n" for number in range(count))

    games, problems = read(tmp_path, table(1000))
    assert len(games) == 499_500
    assert errors(problems) == []
    _, problems = read(tmp_path, table(1001))
    assert [problem.message for problem in errors(problems)] == ["game '1' has 1,001 players; accepted: 1,000"]


@pytest.mark.parametrize("text", [TABLE, TEAMS])
@pytest.mark.parametrize("ending", ["csv", "json", "jsonl", "parquet", "xlsx"])
def test_contests_come_back_from_another_kind_of_file(tmp_path: Path, text: str, ending: str) -> None:
    games, _ = read(tmp_path, text)
    target = tmp_path / f"again.{ending}"
    convert(tmp_path / "games.csv", target)
    again, problems = read_games(str(target))
    assert errors(problems) == []
    assert told(again) == told(games)


def told(games: Games) -> list[tuple[object, ...]]:
    """What each pair says, by name."""
    said = []
    for row, (one, two, score) in enumerate(rows(games)):
        words = {name: labels[row] for name, labels in games.labels.items()}
        numbers = [
            None if column is None else repr(float(column[row]))
            for column in (games.first_points, games.second_points, games.first_weight, games.second_weight, games.date)
        ]
        said.append((games.id[row] if games.id else "", one, two, score, words, numbers))
    return sorted(said, key=repr)


def test_records_and_both_readers_say_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    small, told = read(tmp_path, TABLE)
    monkeypatch.setattr("arpad.formats.source.LARGE", 0)
    large, also = read(tmp_path, TABLE)
    assert columns(small) == columns(large)
    assert told == also
    header, *lines = [line.split(",") for line in TABLE.splitlines()]
    records, _ = read_games([dict(zip(header, line)) for line in lines])
    assert rows(records) == rows(small)


def _games(data: bytes) -> Games:
    return games_of(sheet_of_bytes(data, ".csv", "fuzz", Reading(), GAME_FIELDS), Reading())[0]


@pytest.mark.parametrize("seed", [TABLE, TEAMS])
def test_mutants_of_contests(seed: str) -> None:
    for data in mutants(seed.encode(), 400):
        survives(_games, data)


@pytest.mark.soak
@pytest.mark.parametrize("seed", [TABLE, TEAMS])
def test_hundred_thousand_mutants_of_contests(seed: str) -> None:
    for data in mutants(seed.encode(), 100_000, random.randrange(1 << 30)):
        survives(_games, data)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["1", "2", ""]),
            st.sampled_from(["A", "B", "C", "D", ""]),
            st.sampled_from(["1", "2", "3", "=2", "x", ""]),
            st.sampled_from(["R", "B", ""]),
        ),
        max_size=9,
    )
)
def test_what_is_read_is_whole_contests(table: list[tuple[str, str, str, str]]) -> None:
    text = "id,player,rank,team\n" + "".join(",".join(row) + "\n" for row in table)
    try:
        games = _games(text.encode())
    except ArpadError:
        return
    for word in set(games.id or ()):
        pairs = {frozenset(pair[:2]) for pair, own in zip(rows(games), games.id or ()) if own == word}
        mine = [row for row in table if row[0] == word]
        expected = {frozenset((a[1], b[1])) for a in mine for b in mine if a[1] != b[1] and not (a[3] and a[3] == b[3])}
        assert pairs == expected
