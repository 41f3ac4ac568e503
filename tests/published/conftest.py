"""Reading others' published results, and rating each game from the rating that the file itself gives before it."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

Rows = list[dict[str, str]]


@pytest.fixture(scope="session")
def rows(published: Path) -> Callable[[str], Rows]:
    """The rows of a file of published results, by its path in the folder."""

    def read(name: str) -> Rows:
        path = published / name
        octets = path.read_bytes()
        text = (gzip.decompress(octets) if path.suffix == ".gz" else octets).decode()
        return list(csv.DictReader(text.splitlines()))

    return read


@pytest.fixture(scope="session")
def elsewhere_called() -> Mapping[str, str]:
    """World Football Elo's names of teams -> the names in the results."""
    return json.loads((Path(__file__).parent / "eloratings_names.json").read_text(encoding="utf-8"))


def score(mine: float, theirs: float) -> float:
    return 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0


def share(passed: Sequence[bool]) -> float:
    return sum(passed) / len(passed)
