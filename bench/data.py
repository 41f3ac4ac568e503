"""Made-up games for measuring: normal strengths, activity by a power law, results by the logistic curve."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

PLAYERS = 500_000
DAYS = 365


def games(count: int, players: int = PLAYERS, seed: int = 1) -> dict[str, Any]:
    """Columns `first`, `second` (int32), `score` (float64), `seconds` since the first day (int64), in order of time."""
    random = np.random.default_rng(seed)
    strength = random.normal(1500.0, 250.0, players)
    activity = np.cumsum((np.arange(players) + 20.0) ** -0.9)
    place = random.permutation(players)
    first = place[np.searchsorted(activity, random.random(count) * activity[-1])]
    second = place[np.searchsorted(activity, random.random(count) * activity[-1])]
    second = np.where(first == second, (second + 1) % players, second)
    expected = 1.0 / (1.0 + 10.0 ** ((strength[second] - strength[first]) / 400.0))
    draw = 0.6 * np.minimum(expected, 1.0 - expected)
    luck = random.random(count)
    score = np.where(luck < expected - draw / 2, 1.0, np.where(luck < expected + draw / 2, 0.5, 0.0))
    seconds = np.sort(random.integers(0, DAYS * 86_400, count))
    return {"first": first.astype(np.int32), "second": second.astype(np.int32), "score": score, "seconds": seconds}


def write_parquet(count: int, folder: Path) -> Path:
    """The same games as a file: date (timestamp), white, black (text), result (text). Kept from run to run."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = folder / f"games-{count}.parquet"
    if path.exists():
        return path
    columns = games(count)
    names = pa.array([f"P{number:07d}" for number in range(PLAYERS)])
    results = pa.array(["0-1", "1/2-1/2", "1-0"])
    table = pa.table(
        {
            "date": pa.array(np.datetime64("2025-01-01T00:00:00", "ms") + columns["seconds"] * 1000),
            "white": names.take(pa.array(columns["first"])),
            "black": names.take(pa.array(columns["second"])),
            "result": results.take(pa.array((columns["score"] * 2).astype(np.int8))),
        }
    )
    pq.write_table(table, path)
    return path
