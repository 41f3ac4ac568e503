"""Columns made by hand come to the kernel as it takes them, or not at all."""

from __future__ import annotations

from array import array
from datetime import date
from typing import Any

import numpy as np
import pytest

import arpad

DAYS = [date(2025, 3, day).toordinal() for day in (1, 2, 3)]
GAMES = {"first": [0, 1, 2], "second": [1, 2, 0], "score": [0, 1, 2], "date": DAYS}


def read_only(values: list[int]) -> Any:
    column = np.array(values, np.int32)
    column.setflags(write=False)
    return column


KINDS = {
    "read-only": read_only,
    "of 64 bits": lambda values: np.array(values, np.int64),
    "not in one piece": lambda values: np.repeat(np.array(values, np.int32), 2)[::2],
    "lists": list,
    "arrays": lambda values: array("i", values),
    "memory": lambda values: memoryview(array("i", values)),
}


def games(**columns: Any) -> arpad.Games:
    scores = [(1.0, 0.0), (0.5, 0.5), (0.0, 1.0)]
    return arpad.Games(players=["Anna", "Bruno", "Carla"], scores=scores, **columns)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("other", ["arrays", "read-only"])
def test_columns_of_any_make_give_the_same_list(kind: str, other: str) -> None:
    made = {name: KINDS[other if name == "second" else kind](values) for name, values in GAMES.items()}
    rows = arpad.replay(games(**made)).ratings().rows()
    assert [row["player"] for row in rows] == ["Anna", "Bruno", "Carla"]
    assert rows[0]["rating"] == pytest.approx(1531.2298601853572, abs=1e-12)


@pytest.mark.parametrize("make", [list, np.array])
@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("first", [0, 1, 3], "column first: numbers from 0 to 3, accepted: 0 to 2"),
        ("second", [1, 2, -1], "column second: numbers from -1 to 2"),
        ("score", [0, 1, 2**40], "column score: numbers from 0 to"),
        ("date", [1, 2, 4_000_000], "column date: numbers from 1 to 4000000"),
        ("score", [0, 1], "column score: 2 rows where first has 3"),
        ("round", [0.5, 1.0, 2.0], "column round: "),
        ("shootout", [0, 1, 3], "column shootout: numbers from 0 to 3"),
    ],
)
def test_numbers_that_stand_for_nothing_are_refused(make: Any, name: str, values: list[float], said: str) -> None:
    with pytest.raises(arpad.DataError, match=said):
        arpad.replay(games(**{key: make(column) for key, column in {**GAMES, name: values}.items()}))
