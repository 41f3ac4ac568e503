"""The web under load: `python bench/web.py [--people N] [--games N] [--entries] [--clients N] [--folder DIR] …`.

An office of invented names with three published lists is served by one process; so many clients ask at once, each for
the next page as soon as it has one. Printed as a Markdown table: times of answers, and answers a second. Client and
server share the machine. An office that lies in the folder already is used again.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from itertools import count
from urllib.parse import quote

import numpy as np

from arpad.bureau import lists
from arpad.bureau.intake import Decisions, receive
from arpad.bureau.opened import init
from arpad.bureau.register import enrol
from arpad.model import Start

#: Numbers of clients, of which none is used again.
VISITORS = count(1)
FIRST, LAST = date(2015, 1, 1).toordinal(), date(2024, 12, 31).toordinal()
ONSETS = ("b", "br", "c", "d", "f", "g", "gr", "k", "l", "m", "n", "p", "r", "s", "sch", "t", "tr", "v", "w", "z")
MIDDLES = ("a", "e", "i", "o", "u", "ä", "ö", "ü", "ø", "á", "ie", "au")
ENDS = ("n", "r", "lli", "ni", "sen", "ski", "ez", "s", "tti", "nd", "ck", "m")


def invented(choice: random.Random) -> str:
    def word(parts: int) -> str:
        made = "".join(choice.choice(ONSETS) + choice.choice(MIDDLES) for _ in range(parts)) + choice.choice(ENDS)
        return made.capitalize()

    return f"{word(2)}, {word(1)}"


def make(place: str, people: int, games: int, entries: bool) -> None:
    choice = random.Random(2025)
    names = [f"{invented(choice)} {number}" for number in range(people)]
    dice = np.random.default_rng(2025)
    weights = 1 / np.arange(1, people + 1) ** 0.6
    first, second = (dice.choice(people, games, p=weights / weights.sum()) for _ in range(2))
    first[:people] = np.arange(people)  # everybody plays
    second = np.where(first == second, (second + 1) % people, second)
    days = np.sort(dice.integers(FIRST, LAST, games))
    path = f"{place}.csv"
    with open(path, "w", encoding="utf-8") as file:
        file.write("date,event,white,black,result\n")
        for row, (day, one, other, result) in enumerate(zip(days, first, second, dice.integers(0, 3, games))):
            score = ("1-0", "1/2-1/2", "0-1")[result]
            when = date.fromordinal(int(day))
            file.write(f'{when},Event {row // 100},"{names[one]}","{names[other]}",{score}\n')
    office = init(place, "elo", name="standard")
    if entries:
        enrol(office, [Start(name, 1000.0 + choice.randrange(1000)) for name in names], ids="name")
    done = receive(office, path, Decisions(register=True, ids="name"))
    assert done.accepted, done.holds[:3]
    for year in (2023, 2024, 2025):
        lists.publish(office, date(year, 1, 1))
    office.close()
    os.unlink(path)


def free_port() -> int:
    """A port at which nobody listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


async def client(number: int, port: int, paths: Callable[[], str], requests: int, took: list[float]) -> None:
    """One visitor: a connection that is kept, a request after another."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in range(requests):
        path = paths()
        began = time.perf_counter()
        who = f"X-Forwarded-For: 10.0.{number >> 8}.{number & 255}"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n{who}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        status = int(head[9:12])
        assert status == 200, (path, head)
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:] if b": " in line)
        await reader.readexactly(int(fields[b"content-length"]))
        took.append(time.perf_counter() - began)
    writer.close()


async def load(port: int, clients: int, requests: int, paths: Callable[[], str]) -> tuple[list[float], float]:
    took: list[float] = []
    began = time.perf_counter()
    await asyncio.gather(*(client(next(VISITORS), port, paths, requests, took) for _ in range(clients)))
    return sorted(took), time.perf_counter() - began


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--people", type=int, default=100_000)
    options.add_argument("--games", type=int, default=500_000)
    options.add_argument("--entries", action="store_true", help="everybody brings a rating, as to a federation")
    options.add_argument("--clients", type=int, default=20)
    options.add_argument("--requests", type=int, default=50, help="of each client")
    options.add_argument("--port", type=int, default=free_port())
    options.add_argument("--folder")
    given = options.parse_args()
    folder = given.folder or tempfile.mkdtemp()
    place = os.path.join(folder, "web.db")
    if not os.path.exists(place):
        make(place, given.people, given.games, given.entries)
    command = [sys.executable, "-m", "arpad", "serve", place, "--port", str(given.port), "--quiet"]
    command += ["--proxy", "127.0.0.1"]  # so that each client is somebody of their own to the limits of the API
    server = subprocess.Popen(command)
    choice = random.Random(1)
    starts = [invented(choice)[: choice.randint(2, 5)] for _ in range(500)]
    pages: dict[str, Callable[[], str]] = {
        "list, first page": lambda: "/en/lists/standard",
        "list, any page": lambda: f"/en/lists/standard?start={choice.randrange(0, given.people, 100)}",
        "list of another date, by name": lambda: (
            f"/it/lists/standard?date=2024-01-01&sort=name&start={choice.randrange(0, 900, 100)}"
        ),
        "search as typed": lambda: f"/en/lists/standard?q={quote(choice.choice(starts))}",
        "search, JSON": lambda: f"/api/v1/lists/standard/ratings?q={quote(choice.choice(starts))}",
        "card": lambda: f"/en/players/{choice.randrange(1, given.people + 1)}",
        "card, JSON": lambda: f"/api/v1/players/{choice.randrange(1, given.people + 1)}",
    }
    try:
        print(f"{given.people:,} people, {given.games:,} games, {given.clients} clients at once\n")
        print(
            "| page | alone, ms | p50, ms | p95, ms | answers a second |\n| --- | --- | --- | --- | --- |", flush=True
        )
        asyncio.run(measured(given, pages))
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()
    print(f"\nload {os.getloadavg()[1]:.1f} over five minutes on {os.cpu_count()} cores")


async def measured(given: argparse.Namespace, pages: dict[str, Callable[[], str]]) -> None:
    for _ in range(600):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", given.port)
            writer.close()
            break
        except OSError:
            await asyncio.sleep(0.1)
    for name, paths in pages.items():
        await load(given.port, 1, 3, paths)  # what is made once is made
        alone, _ = await load(given.port, 1, 20, paths)
        took, whole = await load(given.port, given.clients, given.requests, paths)
        at = [1000 * took[int(share * (len(took) - 1))] for share in (0.5, 0.95)]
        rate = len(took) / whole
        middle = 1000 * alone[len(alone) // 2]
        print(f"| {name} | {middle:.1f} | {at[0]:.0f} | {at[1]:.0f} | {rate:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
