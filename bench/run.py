"""What docs/benchmarks.md records, in one run: `python bench/run.py [PART…] [--games N] [--repeats N] [--folder DIR]`.

    memory   arrays in memory against a plain C loop that does the same work, with and without its outputs, and against
             every other library that is installed (`pip install -r bench/peers.txt` brings them)
    linear   1, 3 and 10 million games
    glicko   Glicko-2 in monthly periods against a plain C loop, arpad's own Elo, and the libraries that know it
    file     a Parquet file to the rating list in CSV, against the fastest reader that turns the names into codes
    start    a cold `arpad rate` of 1,000 games against `python -c pass`

Each figure is a median of paired runs: A, B, A, B, so that a machine that slows down slows both. Printed as Markdown.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib.util
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from data import PLAYERS, games, write_parquet
from glicko import glicko

HERE = Path(__file__).parent
RULES = "elo:40/20/10"


def paired(repeats: int, *tasks: Callable[[], float]) -> list[list[float]]:
    """Seconds of each task, taken in turn."""
    seconds: list[list[float]] = [[] for _ in tasks]
    for _ in range(repeats):
        for taken, task in zip(seconds, tasks, strict=True):
            taken.append(task())
    return seconds


def ratio(over: list[float], under: list[float]) -> float:
    return statistics.median(a / b for a, b in zip(over, under, strict=True))


def c_loop(folder: Path) -> Any:
    library = folder / "loop.so"
    subprocess.run(
        ["cc", "-O3", "-ffp-contract=off", "-shared", "-fPIC", "-o", str(library), str(HERE / "loop.c"), "-lm"],
        check=True,
    )
    return ctypes.CDLL(str(library))


def in_c(library: Any, columns: dict[str, Any], outputs: bool) -> tuple[float, Any]:
    count = len(columns["first"])
    rating = np.full(PLAYERS, 1500.0)
    played, reached = np.zeros(PLAYERS, np.int32), np.zeros(PLAYERS, np.uint8)
    written = [np.zeros(count) if outputs else None for _ in range(3)]
    arguments = [columns["first"], columns["second"], columns["score"], rating, played, reached, *written]
    pointers = [None if column is None else column.ctypes.data_as(ctypes.c_void_p) for column in arguments]
    begun = time.perf_counter()
    library.rate(ctypes.c_int64(count), *pointers)
    return time.perf_counter() - begun, rating


def in_arpad(columns: dict[str, Any], outputs: bool) -> tuple[float, Any]:
    """The kernel on the same arrays, as the replay calls it."""
    from arpad import kernel
    from arpad.rulebooks import load
    from arpad.systems.elo import compile_rulebook

    count = len(columns["first"])
    compiled = compile_rulebook(load(RULES))
    state = np.zeros((PLAYERS, 4))
    state[:, 0] = np.nan
    state = state.ravel()
    none, ints, octets = np.zeros(0), np.zeros(0, np.int32), np.zeros(0, np.uint8)
    before, expects = (np.zeros(2 * count), np.zeros(count)) if outputs else (none, none)
    segments = array("q", (0, count, *[compiled.blocks[0]] * 3, 0))
    begun = time.perf_counter()
    kernel.replay(
        state,
        compiled.rules,
        segments,
        columns["first"],
        columns["second"],
        columns["code"],
        np.array([0, 1, 0.5, 0.5, 1, 0]),
        none,
        octets,
        none,
        ints,
        ints,
        ints,
        ints,
        none,
        ints,
        octets,
        none,
        np.zeros(18),
        ints,
        before,
        expects,
        none,
        none,
        none,
        none,
        none,
        array("d", [0.0] * 5),
    )
    taken = time.perf_counter() - begun
    return taken, state.reshape(PLAYERS, 4)[:, 0]


def memory(count: int, repeats: int, folder: Path) -> None:
    columns = games(count)
    columns["code"] = (columns["score"] * 2).astype(np.int32)
    library = c_loop(folder)
    print(f"\n## In memory: {count:,} games of {PLAYERS:,} players\n")
    print("| work | C loop, million games/s | arpad, million games/s | arpad / C, median of pairs |\n|---|---|---|---|")
    for outputs, words in ((False, "ratings only"), (True, "with both ratings before and the expected score written")):
        ratings = {}

        def c(outputs: bool = outputs, ratings: dict[str, Any] = ratings) -> float:
            taken, ratings["c"] = in_c(library, columns, outputs)
            return taken

        def ours(outputs: bool = outputs, ratings: dict[str, Any] = ratings) -> float:
            taken, ratings["arpad"] = in_arpad(columns, outputs)
            return taken

        plain, mine = paired(repeats, c, ours)
        seen = ratings["arpad"] == ratings["arpad"]
        gap = float(np.abs(ratings["arpad"][seen] - ratings["c"][seen]).max())
        assert gap < 1e-9, gap
        speeds = [count / statistics.median(each) / 1e6 for each in (plain, mine)]
        print(f"| {words} | {speeds[0]:.1f} | {speeds[1]:.1f} | {ratio(plain, mine):.2f} |")
    peers(columns, repeats)


def peers(columns: dict[str, Any], repeats: int) -> None:
    """Other libraries on the first games of the same set: fewer where a library is slow, the rate is what counts."""
    from peers import PEERS

    there = [peer for peer in PEERS if importlib.util.find_spec(peer.module)]
    missing = [peer.module for peer in PEERS if peer not in there]
    print("\n| peer | games | million games/s | arpad in the same run | arpad / peer |\n|---|---|---|---|---|")
    for peer in there:
        part = {name: column[: peer.games] for name, column in columns.items()}
        try:
            run = peer.prepare(part, PLAYERS)
            other, mine = paired(min(repeats, 3), run, lambda part=part: in_arpad(part, False)[0])
        except Exception as error:
            print(f"| {peer.name} | {peer.games:,} | fails: {type(error).__name__} | | |")
            continue
        rates = [len(part["first"]) / statistics.median(each) / 1e6 for each in (other, mine)]
        print(f"| {peer.name} | {peer.games:,} | {rates[0]:.2f} | {rates[1]:.1f} | {ratio(other, mine):.0f} |")
    if missing:
        print(f"\nNot installed: {', '.join(missing)}.")


def linear(repeats: int) -> None:
    print("\n## Cost by number of games (ratings only)\n\n| games | seconds | nanoseconds a game |\n|---|---|---|")
    for count in (1_000_000, 3_000_000, 10_000_000):
        columns = games(count)
        columns["code"] = (columns["score"] * 2).astype(np.int32)
        seconds = statistics.median(in_arpad(columns, False)[0] for _ in range(repeats))
        print(f"| {count:,} | {seconds:.3f} | {seconds / count * 1e9:.1f} |")


READERS = {
    "polars": """
import polars as pl, sys
frame = pl.read_parquet(sys.argv[1])
names = pl.concat([frame["white"], frame["black"]]).cast(pl.Categorical).to_physical()
""",
    "pyarrow, dictionary columns": """
import pyarrow as pa, pyarrow.parquet as pq, pyarrow.compute as pc, sys
table = pq.read_table(sys.argv[1], read_dictionary=["white", "black"])
both = pa.chunked_array([*table["white"].chunks, *table["black"].chunks]).unify_dictionaries()
""",
    "duckdb": """
import duckdb, sys
con = duckdb.connect()
con.execute(f"create table g as select * from '{sys.argv[1]}'")
both = "select white as name from g union select black from g"
con.execute(f"create table n as select name, row_number() over () as code from ({both})")
codes = con.execute(
    "select a.code, b.code, result, date from g join n a on white = a.name join n b on black = b.name"
).fetchnumpy()
""",
}


def whole(command: list[str]) -> tuple[float, float]:
    """Seconds and peak megabytes of a command as a whole process."""
    begun = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, error = child.communicate()
    taken = time.perf_counter() - begun
    if child.returncode:
        raise RuntimeError(error.decode()[-400:])
    return taken, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def file(count: int, repeats: int, folder: Path) -> None:
    path = write_parquet(count, folder)
    print(f"\n## A Parquet file of {count:,} games to the rating list in CSV (whole processes, warm cache)\n")
    print(
        "| reader that reads the file and turns names into codes | seconds | arpad, file to list | arpad / reader |"
        "\n|---|---|---|---|"
    )
    target = folder / "list.csv"
    command = [sys.executable, "-m", "arpad", "rate", str(path), "--rules", RULES, "-o", str(target), "--quiet"]
    peak = int(
        subprocess.run(
            [sys.executable, "-c", PEAK, *command], check=True, capture_output=True, text=True
        ).stdout.split()[-1]
    )
    for name, script in READERS.items():
        if not importlib.util.find_spec(name.split(",")[0]):
            continue
        read, rate = paired(
            repeats, lambda s=script: whole([sys.executable, "-c", s, str(path)])[0], lambda: whole(command)[0]
        )
        print(f"| {name} | {statistics.median(read):.2f} | {statistics.median(rate):.2f} | {ratio(rate, read):.2f} |")
    print(f"\nPeak memory of `arpad rate`: {peak / 1024:.0f} MiB.")


PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def start(repeats: int, folder: Path) -> None:
    path = folder / "thousand.csv"
    columns = games(1000, 100)
    rows = zip(columns["first"], columns["second"], columns["score"], strict=True)
    path.write_text("white,black,result\n" + "".join(f"P{a},P{b},{score}\n" for a, b, score in rows))
    arpad = Path(sys.executable).with_name("arpad")
    bare, rate = paired(
        4 * repeats,
        lambda: whole([sys.executable, "-c", "pass"])[0],
        lambda: whole([str(arpad), "rate", str(path), "--format", "csv"])[0],
    )
    print(
        "\n## A cold start: `arpad rate` of 1,000 games in CSV\n\n"
        "| `python -c pass` | `arpad rate` | ratio |\n|---|---|---|"
    )
    print(
        f"| {statistics.median(bare) * 1000:.0f} ms | {statistics.median(rate) * 1000:.0f} ms "
        f"| {ratio(rate, bare):.1f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=["memory", "linear", "file", "start"])
    parser.add_argument("--games", type=int, default=10_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "arpad-bench")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    from arpad import kernel

    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"kernel {'compiled' if kernel.COMPILED else 'interpreted'}"
    )
    parts: dict[str, Callable[[], None]] = {
        "memory": lambda: memory(asked.games, asked.repeats, asked.folder),
        "glicko": lambda: glicko(
            asked.games, asked.repeats, asked.folder, lambda columns: in_arpad(columns, False)[0], paired
        ),
        "linear": lambda: linear(asked.repeats),
        "file": lambda: file(asked.games, asked.repeats, asked.folder),
        "start": lambda: start(asked.repeats, asked.folder),
    }
    for part in asked.parts:
        parts[part]()


if __name__ == "__main__":
    main()
