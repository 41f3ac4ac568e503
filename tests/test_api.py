"""`import arpad`: what a program can do, on what it can be given."""

from __future__ import annotations

import doctest
import json
from datetime import date, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import arpad
from arpad import api
from arpad.engine import Checkpoint
from arpad.formats import Table
from arpad.rulebooks import load

RECORDS = [
    {"date": "2025-03-01", "white": "Anna", "black": "Bruno", "result": "1-0"},
    {"date": "2025-03-02", "white": "Bruno", "black": "Carla", "result": "1/2-1/2"},
]


def ratings(history: arpad.History) -> dict[str, float]:
    return {row["player"]: row["rating_exact"] for row in history.ratings().rows()}


def frames() -> list[Any]:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    return [pd.DataFrame(RECORDS), pl.DataFrame(RECORDS), pa.Table.from_pylist(RECORDS)]


def test_the_examples_in_the_docstrings_run() -> None:
    found = doctest.testmod(api)
    assert found.failed == 0
    assert found.attempted >= 10


def test_every_public_name_is_there() -> None:
    assert [name for name in arpad.__all__ if not hasattr(arpad, name)] == []


def test_any_shape_of_games_gives_the_same(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("date,white,black,result\n2025-03-01,Anna,Bruno,1-0\n2025-03-02,Bruno,Carla,1/2-1/2\n")
    games = [
        arpad.Game("Anna", "Bruno", 1, date=date(2025, 3, 1)),
        arpad.Game("Bruno", "Carla", 0.5, date=date(2025, 3, 2)),
    ]
    expected = ratings(arpad.replay(RECORDS))
    assert expected["Anna"] == 1516
    for source in (path, str(path), [path], games, iter(RECORDS), arpad.Games.of(games), *frames()):
        assert ratings(arpad.replay(source)) == expected


def test_any_shape_of_a_start_gives_the_same(tmp_path: Path) -> None:
    path = tmp_path / "start.csv"
    path.write_text("player,rating\nAnna,1613\nBruno,1609\n")
    expected = ratings(arpad.replay(RECORDS, start={"Anna": 1613, "Bruno": 1609}))
    assert expected["Anna"] == pytest.approx(1613 + 32 * (1 - 0.505756), abs=1e-4)
    rows = [{"player": "Anna", "rating": 1613}, {"player": "Bruno", "rating": 1609}]
    for start in (path, str(path), rows, [arpad.Start("Anna", 1613), arpad.Start("Bruno", 1609)]):
        assert ratings(arpad.replay(RECORDS, start=start)) == expected


def test_rules_by_name_path_or_as_they_are() -> None:
    book = load("elo", {"k": 24})
    expected = ratings(arpad.replay(RECORDS, settings={"k": 24}))
    assert ratings(arpad.replay(RECORDS, rules=book)) == expected
    assert ratings(arpad.replay(RECORDS, rules=book.path, settings={"k": 24})) == expected
    with pytest.raises(arpad.UsageError, match="read already"):
        arpad.replay(RECORDS, rules=book, settings={"k": 10})
    with pytest.raises(arpad.UsageError, match="did you mean elo"):
        arpad.replay(RECORDS, rules="elos")


def test_bad_rows_are_refused_together_or_left_out() -> None:
    bad = [
        *RECORDS,
        {"white": "Anna", "black": "Anna", "result": "1-0"},
        {"white": "Anna", "black": "Bruno", "result": "x"},
    ]
    with pytest.raises(arpad.DataError) as refused:
        arpad.replay(bad)
    assert len(refused.value.problems) == 2
    history = arpad.replay(bad, strict=False)
    assert ratings(history) == ratings(arpad.replay(RECORDS))
    assert [problem.severity for problem in history.problems].count("error") == 2


def test_on_and_acts() -> None:
    assert ratings(arpad.replay(RECORDS, on=date(2025, 3, 1)))["Bruno"] == 1484
    act = arpad.Act("adjustment", "Anna", date(2025, 3, 2).toordinal(), 10.0)
    assert ratings(arpad.replay(RECORDS, acts=[act]))["Anna"] == 1526


def test_a_checkpoint_as_it_is_or_as_a_file_gives_the_same_digits(tmp_path: Path) -> None:
    whole = ratings(arpad.replay(RECORDS))
    early = arpad.replay(RECORDS[:1])
    early.save_checkpoint(tmp_path / "state.json")
    assert isinstance(early.checkpoint(), Checkpoint)
    for start in (early.checkpoint(), tmp_path / "state.json", str(tmp_path / "state.json")):
        assert ratings(arpad.replay(RECORDS[1:], start=start)) == whole


def test_a_checkpoint_keeps_unrated_players_and_every_digit(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    history = arpad.replay([], start={"Anna": 0.1 + 0.2, "Bruno": None})
    history.save_checkpoint(path)
    json.loads(path.read_text(), parse_constant=pytest.fail)
    again = arpad.replay([], start=path)
    assert ratings(again) == {"Anna": 0.1 + 0.2}
    assert again.checkpoint() is not None


@pytest.mark.parametrize(
    "damage", [lambda text: text[: len(text) // 2], lambda text: text.replace('"version":1', '"version":9')]
)
def test_a_damaged_checkpoint_is_refused(tmp_path: Path, damage: Any) -> None:
    path = tmp_path / "state.json"
    arpad.replay(RECORDS).save_checkpoint(path)
    path.write_text(damage(path.read_text()))
    with pytest.raises(arpad.DataError, match="checkpoint cannot be read"):
        arpad.replay(RECORDS, start=path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"through": 10**9}, "its end of"),
        ({"through": -5}, "its end of -5"),
        ({"players": ["Anna", "Anna", "Carla"]}, "a player stands in it twice"),
        ({"born": [10**11, 0, 0]}, "a birth date of"),
        ({"state": [1e300, 0, 0, 0] * 3}, "a rating of 1e"),
        ({"state": [1500, None, 0, 0] * 3}, "a number of games of nan"),
        ({"state": [1500, -5.5, 0, 0] * 3}, "a number of games of -5.5"),
    ],
)
def test_a_checkpoint_that_no_replay_wrote_is_refused(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    path = tmp_path / "state.json"
    arpad.replay(RECORDS).save_checkpoint(path)
    held = json.loads(path.read_text())
    path.write_text(json.dumps({**held, **change}))
    with pytest.raises(arpad.DataError, match=f"checkpoint cannot be read: {said}"):
        arpad.replay([], start=path)


def test_a_checkpoint_laid_out_by_another_program_is_one_still(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    history = arpad.replay(RECORDS)
    history.save_checkpoint(path)
    path.write_text("\ufeff" + json.dumps(json.loads(path.read_text()), indent=2))
    assert ratings(arpad.replay([], start=path)) == ratings(history)


def test_a_checkpoint_has_no_list_of_an_earlier_day() -> None:
    checkpoint = arpad.replay(RECORDS).checkpoint()
    end = date.fromordinal(checkpoint.through - 1)
    assert arpad.replay([], start=checkpoint, on=end).heading.as_of == end
    with pytest.raises(arpad.UsageError, match=f"the checkpoint holds all up to {end}: there is no list of"):
        arpad.replay([], start=checkpoint, on=end - timedelta(days=1))


def test_a_checkpoint_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    with pytest.raises(arpad.UsageError, match="cannot write"):
        arpad.replay(RECORDS).save_checkpoint(tmp_path / "nowhere" / "state.json")


@pytest.mark.parametrize(
    "given",
    [
        {"rules": None},
        {"on": "2025-03-01"},
        {"start": {"Anna": "strong"}},
        {"settings": {"k": [1]}},
        {"settings": {"k": None}},
    ],
)
def test_values_of_the_wrong_kind_are_named(given: dict[str, Any]) -> None:
    with pytest.raises(arpad.UsageError, match=f"{next(iter(given))}|parameter k"):
        arpad.replay(RECORDS, **given)


@pytest.mark.parametrize(
    ("fact", "value"),
    [
        ("score", "1"),
        ("first", 7),
        ("date", "2025-01-01"),
        ("round", "3"),
        ("round", 2**40),
        ("margin", "2"),
        ("season", 2**40),
        ("event", 5),
        ("neutral", None),
        ("knockout", 5),
        ("shootout", 7),
        ("labels", None),
    ],
)
def test_a_game_with_a_fact_of_the_wrong_kind_is_named_with_the_fact(fact: str, value: Any) -> None:
    good = arpad.Game("Anna", "Bruno", 1)
    with pytest.raises(arpad.DataError, match="records:2: "):
        arpad.replay([good, replace(good, **{fact: value})])


def test_games_and_dicts_do_not_mix_and_none_is_neither() -> None:
    for records in ([arpad.Game("A", "B", 1), RECORDS[0]], [RECORDS[0], arpad.Game("A", "B", 1)], [None]):
        with pytest.raises(arpad.DataError, match=r"records:[12]: "):
            arpad.replay(records)


def test_performance_is_a_function_whatever_was_imported_before() -> None:
    import_module("arpad.performances")
    import_module("arpad.engine")
    assert arpad.performance([1609, 1477], score=1.5, method="fide") == 1736
    assert callable(arpad.replay)


def test_tables_go_into_any_frame() -> None:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    table = arpad.replay(RECORDS).ratings()
    assert isinstance(table, Table)
    assert pa.table(table).column_names == list(table.columns)
    assert pl.DataFrame(table).to_dicts() == table.rows()
    assert table.to_polars().to_dicts() == table.rows()
    frame = table.to_pandas()
    assert isinstance(frame, pd.DataFrame)
    assert frame["player"].tolist() == list(table.columns["player"])
    assert str(frame["last_date"].dtype).startswith("datetime64")
    assert len(table) == 3


def test_a_table_shows_its_first_twenty_rows() -> None:
    table = arpad.replay([{"white": f"P{n}", "black": f"P{n + 1}", "result": "1-0"} for n in range(40)]).ratings()
    lines = repr(table).splitlines()
    assert len(lines) == 22
    assert lines[0].split()[:3] == ["rank", "player", "rating"]
    assert lines[-1] == "… 21 more rows"


def test_text_tables_are_aligned_and_safe() -> None:
    from arpad.formats.aligned import aligned, width

    table = {
        "name": ["Łukasz", "日本", "a\x1b[31mb", None],
        "value": [1.5, float("nan"), 1234.5678, 2.0],
        "n": [1, 22, 333, 4],
    }
    lines = aligned(table)
    assert lines[0].split() == ["name", "value", "n"]
    assert "\x1b" not in "".join(lines)
    assert len({width(line) for line in lines}) == 1
    assert lines[3].endswith("1234.6  333")


def test_a_history_tells_what_it_is() -> None:
    history = arpad.replay(RECORDS)
    assert repr(history) == "<arpad.History: Elo, logistic curve (elo), as of 2025-03-02; 2 games, 3 players>"
    assert [change.kind for change in history.explain("Anna")][-1] == "games"
    assert [row["player"] for row in history.changes().rows()] == ["Anna", "Bruno", "Bruno", "Carla"]
    assert len(history.games()) == 4


def test_expected_score_and_performance() -> None:
    assert arpad.expected_score(1613, 1477) == pytest.approx(0.686, abs=5e-4)
    assert arpad.expected_score(1613, 1477, settings={"scale": 200}) > 0.8
    assert arpad.performance([1609, 1477], score=1.5, method="fide") == 1736
    assert arpad.performance([1609], score=1, method="true") is None
    with pytest.raises(arpad.UsageError):
        arpad.expected_score(float("nan"), 1500)


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    arpad.replay(RECORDS, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (2, 2)
