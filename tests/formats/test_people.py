"""Start lists and acts."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from arpad.errors import DataError
from arpad.formats import read_acts, read_start

from .helpers import errors, warnings


def test_start_list_with_everything() -> None:
    starts, problems = read_start(
        [{"Giocatore": "Anna", "Elo": 1500.5, "Partite": 12, "peak": 1600, "season": 2024, "born": "2001"}]
    )
    (start,) = starts
    assert (start.player, start.rating, start.games, start.peak, start.season) == ("Anna", 1500.5, 12, 1600.0, 2024)
    assert str(start.born) == "2001"
    assert "'Elo' as the rating" in warnings(problems)


@pytest.mark.parametrize("marker", ["0", "-", "?", "", "0.0", "unrated"])
def test_C44_unrated_markers_mean_unrated(tmp_path: Path, marker: str) -> None:
    path = tmp_path / "start.csv"
    path.write_text(f"player,rating,games\nAnna,{marker},\nBruno,1500,3\n")
    starts, problems = read_start(str(path))
    assert [start.rating for start in starts] == [None, 1500.0]
    assert [start.games for start in starts] == [None, 3]
    assert problems == []


def test_bad_rows_of_a_start_list(tmp_path: Path) -> None:
    path = tmp_path / "start.csv"
    path.write_text("player,rating\nAnna,1500\n,1500\nAnna,1600\nBruno,much\nCarla,nan\n")
    starts, problems = read_start(str(path))
    assert [start.player for start in starts] == ["Anna"]
    assert [error.line for error in errors(problems)] == [3, 4, 5, 6]
    assert "'Anna' on line 2" in errors(problems)[1].message
    with pytest.raises(DataError, match="no column for the rating"):
        read_start([{"player": "Anna"}])


def test_acts(tmp_path: Path) -> None:
    path = tmp_path / "acts.csv"
    path.write_text(
        "kind,player,date,rating,games,category,reason\n"
        "entry,Anna,2025-01-01,1500,0,,new\n"
        "entry,Bruno,2025-01-01,,,1N,\n"
        "blend,Carla,,2400,25,,\n"
        "correction,Dora,2025-02-03,-12.5,,,a wrong result\n"
        "gift,Emma,2025-01-01,5,,,\n"
        "adjustment,Furio,2025-01,5,,,\n"
        "adjustment,Gino,2025-01-01,,,,\n"
    )
    acts, problems = read_acts(str(path))
    assert [(act.kind, act.player, act.date, act.games, act.line) for act in acts] == [
        ("entry", "Anna", date(2025, 1, 1).toordinal(), 0, 2),
        ("entry", "Bruno", date(2025, 1, 1).toordinal(), None, 3),
        ("blend", "Carla", 0, 25, 4),
        ("adjustment", "Dora", date(2025, 2, 3).toordinal(), None, 5),
    ]
    assert (acts[1].category, acts[3].rating, acts[3].reason) == ("1N", -12.5, "a wrong result")
    assert [error.line for error in errors(problems)] == [6, 7, 8]
