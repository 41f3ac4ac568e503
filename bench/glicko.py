"""`python bench/run.py glicko`: Glicko-2 by months over ten years, against a C loop, arpad's own Elo, and peers."""

from __future__ import annotations

import ctypes
import importlib.util
import math
import statistics
import subprocess
import time
from array import array
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from data import DAYS, PLAYERS, games
from peers import GLICKO_PEERS

HERE = Path(__file__).parent
MONTHS = 120
SCALE = 400 / math.log(10)


def monthly(count: int) -> dict[str, Any]:
    """The games of the other parts, spread over ten years; `month` counts from 1."""
    columns = games(count)
    columns["code"] = (columns["score"] * 2).astype(np.int32)
    columns["month"] = (columns["seconds"] * MONTHS // (DAYS * 86_400) + 1).astype(np.int32)
    return columns


def c_loop(folder: Path) -> Any:
    library = folder / "glicko.so"
    source = str(HERE / "glicko.c")
    subprocess.run(
        ["cc", "-O3", "-ffp-contract=off", "-shared", "-fPIC", "-o", str(library), source, "-lm"], check=True
    )
    return ctypes.CDLL(str(library))


def in_c(library: Any, columns: dict[str, Any]) -> tuple[float, Any]:
    rating, phi, sigma = np.zeros(PLAYERS), np.full(PLAYERS, 350 / SCALE), np.full(PLAYERS, 0.06)
    last = np.zeros(PLAYERS, np.int32)
    given = [columns[name] for name in ("first", "second", "score", "month")]
    pointers = [column.ctypes.data_as(ctypes.c_void_p) for column in (*given, rating, phi, sigma, last)]
    begun = time.perf_counter()
    library.rate(ctypes.c_int64(len(columns["first"])), ctypes.c_int32(PLAYERS), *pointers)
    return time.perf_counter() - begun, (1500 + SCALE * rating, SCALE * phi, sigma, last)


def in_arpad(columns: dict[str, Any]) -> tuple[float, Any]:
    """The kernel on the same arrays, as the replay calls it."""
    from arpad import kernel_glicko
    from arpad.rulebooks import load
    from arpad.systems.glicko import FIELDS, compile_glicko

    numbers = compile_glicko(load("glicko2"))
    state = np.zeros((PLAYERS, len(FIELDS)))
    state[:, 0] = np.nan
    none, octets = np.zeros(0), np.zeros(0, np.uint8)
    edges = [0, *(np.flatnonzero(np.diff(columns["month"])) + 1).tolist(), len(columns["month"])]
    segments = array("q", (number for lo, hi in pairwise(edges) for number in (lo, hi, 0, 0, 0, 3)))
    clocks = columns["month"][edges[:-1]].astype(np.float64)
    held = np.zeros(8 * PLAYERS + 16), np.zeros(PLAYERS, np.int32), np.zeros(PLAYERS, np.int32), none
    begun = time.perf_counter()
    kernel_glicko.replay(
        state.ravel(),
        numbers.rules,
        segments,
        clocks,
        columns["first"],
        columns["second"],
        columns["code"],
        np.array([0, 1, 0.5, 0.5, 1, 0]),
        octets,
        none,
        *held,
        *[none] * 8,
        array("d", [0.0] * 2),
    )
    return time.perf_counter() - begun, state


def glicko(count: int, repeats: int, folder: Path, elo: Callable[[dict[str, Any]], float], paired: Any) -> None:
    columns = monthly(count)
    library = c_loop(folder)
    found: dict[str, Any] = {}

    def c() -> float:
        taken, found["c"] = in_c(library, columns)
        return taken

    def ours() -> float:
        taken, found["arpad"] = in_arpad(columns)
        return taken

    plain, mine, points = paired(repeats, c, ours, lambda: elo(columns))
    (rating, phi, sigma, last), state = found["c"], found["arpad"]
    seen = last > 0
    for own, other, least in ((state[:, 0], rating, 1e-3), (state[:, 4], phi, 1e-3), (state[:, 5], sigma, 1e-6)):
        gap = float(np.abs(own[seen] - other[seen]).max())
        assert gap < least, gap
    batches = len(np.unique(columns["month"].astype(np.int64) * PLAYERS + columns["first"]))
    print(f"\n## Glicko-2: {count:,} games of {PLAYERS:,} players in {MONTHS} monthly periods\n")
    print("| work | million games/s | arpad's Glicko-2 / this, median of runs |\n|---|---|---|")
    for name, seconds in (("C loop, Glicko-2", plain), ("arpad, Glicko-2", mine), ("arpad, Elo by game", points)):
        speed = count / statistics.median(seconds) / 1e6
        against = statistics.median(a / b for a, b in zip(seconds, mine, strict=True))
        print(f"| {name} | {speed:.1f} | {against:.2f} |")
    print(f"\n{batches:,} times a first-named player had a period, and about as many a second-named one.")
    peers(columns, repeats, paired)


def peers(columns: dict[str, Any], repeats: int, paired: Any) -> None:
    there = [peer for peer in GLICKO_PEERS if importlib.util.find_spec(peer.module)]
    if not there:
        return
    print("\n| peer | games | million games/s | arpad in the same run | arpad / peer |\n|---|---|---|---|---|")
    for peer in there:
        part = {name: column[: peer.games] for name, column in columns.items()}
        try:
            run = peer.prepare(part, PLAYERS)
            other, mine = paired(min(repeats, 3), run, lambda part=part: in_arpad(part)[0])
        except Exception as error:
            print(f"| {peer.name} | {peer.games:,} | fails: {type(error).__name__} | | |")
            continue
        rates = [len(part["first"]) / statistics.median(each) / 1e6 for each in (other, mine)]
        against = statistics.median(a / b for a, b in zip(other, mine, strict=True))
        print(f"| {peer.name} | {peer.games:,} | {rates[0]:.3f} | {rates[1]:.1f} | {against:.0f} |")
