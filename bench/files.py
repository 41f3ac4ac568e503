"""Speed and memory of the federation's files: `python bench/files.py [--players N] [--megabytes N] [--folder DIR]`.

    list   FIDE's XML list of so many synthetic players, read by the pattern and by the parser; then as text
    pgn    a synthetic PGN file with clock comments, its headers read; beside `chess.pgn.read_headers`, if installed

Each reading is a process of its own, whose peak memory the system tells. Printed as Markdown.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import random
import subprocess
import sys
import tempfile
from pathlib import Path

FIELDS = [
    *("fideid", "name", "country", "sex", "title", "w_title", "o_title", "foa_title", "rating", "games", "k"),
    *("rapid_rating", "rapid_games", "rapid_k", "blitz_rating", "blitz_games", "blitz_k", "birthday", "flag"),
]

TIMED = """
import resource, sys, time
began = time.perf_counter()
{task}
taken = time.perf_counter() - began
print(count, taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
READ_LIST = "from arpad.formats.fide_list import read_list\ncount = len(read_list(sys.argv[1])[0])"
READ_PARSER = (
    "from arpad.formats import fide_xml\n"
    "def refuse(*_): raise fide_xml._Else\n"
    "fide_xml._by_pattern = refuse\n" + READ_LIST
)
READ_GAMES = "from arpad.formats import read_games\ncount = len(read_games(sys.argv[1])[0])"
READ_PEER = (
    "import chess.pgn\ncount = 0\n"
    "with open(sys.argv[1], encoding='utf-8') as file:\n"
    "    while chess.pgn.read_headers(file) is not None:\n"
    "        count += 1"
)


def timed(task: str, path: Path) -> tuple[int, float, float]:
    """What a task counts in a file, its seconds, and the peak of its process in MB."""
    command = [sys.executable, "-c", TIMED.format(task=task), str(path)]
    count, taken, peak = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return int(count), float(taken), float(peak)


def write_players(path: Path, count: int) -> None:
    source = random.Random(1)
    player = "<player>\n" + "".join(f"<{field}>%s</{field}>\n" for field in FIELDS) + "</player>\n"
    with path.open("w", encoding="ascii", newline="\n") as file:
        file.write("<playerslist>\n")
        for number in range(count):
            rated = source.random() < 0.3
            numbers = [
                str(value)
                for _ in range(3)
                for value in ((source.randrange(1400, 2800), source.randrange(20), 20) if rated else (0, 0, 0))
            ]
            name = f"Player{number % 50_000:05d}, Given{source.randrange(100_000):05d}"
            words = (source.choice(("ITA", "FRA", "IND", "USA", "GER")), source.choice("MF"), "", "", "", "")
            born, flag = str(source.randrange(1940, 2018)), source.choice(("", "i"))
            file.write(player % (1_000_000 + 7 * number, name, *words, *numbers, born, flag))
        file.write("</playerslist>\n")


def write_games(path: Path, megabytes: int) -> None:
    source = random.Random(1)
    moves = " ".join(
        f"{number}. e4 {{[%clk 0:{number % 60:02d}:11]}} e5 {{[%clk 0:{number % 60:02d}:22]}}"
        for number in range(1, 41)
    )
    written, number = 0, 0
    with path.open("w", encoding="ascii", newline="\n") as file:
        while written < megabytes * 1_000_000:
            day, number = number // 20_000, number + 1
            result = source.choice(("1-0", "0-1", "1/2-1/2"))
            white, black = (f"Player{source.randrange(50_000):05d}" for _ in range(2))
            written += file.write(
                f'[Event "Rated game"]\n[Site "Site {number % 100}"]\n'
                f'[Date "2025.{day % 12 + 1:02d}.{day % 28 + 1:02d}"]\n'
                f'[Round "{number % 9 + 1}"]\n[White "{white}"]\n[Black "{black}x"]\n[Result "{result}"]\n'
                f'[WhiteElo "{source.randrange(1400, 2700)}"]\n[BlackElo "{source.randrange(1400, 2700)}"]\n'
                f'[TimeControl "180+2"]\n[ECO "C20"]\n\n{moves[: source.randrange(1000, len(moves))]} }} {result}\n\n'
            )


def row(name: str, found: tuple[int, float, float], size: float, unit: str) -> str:
    count, taken, peak = found
    return f"| {name} | {count:,} {unit} | {taken:.1f} | {size / taken:.0f} | {count / taken / 1000:.0f} | {peak:.0f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=1_000_000)
    parser.add_argument("--megabytes", type=int, default=1_000)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        print(f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores\n")
        print("| file | holds | s | MB/s | thousands/s | peak MB |\n| --- | ---: | ---: | ---: | ---: | ---: |")
        path = folder / "players_list_xml_foa.xml"
        write_players(path, options.players)
        size = path.stat().st_size / 1e6
        print(row("XML list", timed(READ_LIST, path), size, "players"), flush=True)
        print(row("XML list, by the parser", timed(READ_PARSER, path), size, "players"), flush=True)
        convert = "from arpad.formats.fide_list import read_list, write_list\n"
        convert += (
            "found = read_list(sys.argv[1])[0]\nwrite_list(found, sys.argv[1][:-4] + '.txt', 'combined')\ncount = 0"
        )
        timed(convert, path)
        path.unlink()
        path = path.with_suffix(".txt")
        size = path.stat().st_size / 1e6
        print(row("text list", timed(READ_LIST, path), size, "players"), flush=True)
        path.unlink()
        path = folder / "games.pgn"
        write_games(path, options.megabytes)
        size = path.stat().st_size / 1e6
        print(row("PGN headers", timed(READ_GAMES, path), size, "games"), flush=True)
        if importlib.util.find_spec("chess"):
            print(row("PGN headers, chess.pgn.read_headers", timed(READ_PEER, path), size, "games"), flush=True)


if __name__ == "__main__":
    main()
