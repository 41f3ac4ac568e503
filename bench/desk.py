"""What an officer waits for: `python bench/desk.py [--people N] [--games N] [--report N] [--folder DIR]`.

The office of `bench/web.py` is served by one process. An officer previews a list and publishes it, accepts a report of
so many games, previews a correction and makes it, backs up; somebody else writes a word meanwhile. Printed as a
Markdown table: seconds until the first page comes, until the work is done, and until the other one's word is written;
and those of a processor that the server took, which other work on the machine does not change.
An office that lies in the folder already is copied, and left as it is.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import httpx
import numpy as np
from web import free_port, make

from arpad.accounts import book, sessions, tokens
from arpad.bureau.opened import open_office

#: What forms send with them, and the page that gives it.
FORM, ACCOUNT = "arpad-form", "/en/account"
#: Seconds after which somebody else begins to write.
LATER = 0.3


def report_of(folder: str, people: int, games: int) -> str:
    """A table of games of a month, whose players are numbers of the register."""
    dice = np.random.default_rng(7)
    first = dice.integers(1, people + 1, games)
    second = first % people + 1
    path = os.path.join(folder, "report.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write("date,event,white,black,result\n")
        for row, (one, other, score) in enumerate(zip(first, second, dice.integers(0, 3, games))):
            day = date.fromordinal(date(2025, 2, 1).toordinal() + row * 28 // games)
            file.write(f"{day},Open {row // 100},{one},{other},{('1-0', '1/2-1/2', '0-1')[score]}\n")
    return path


def processor(process: int) -> float:
    """Seconds of a processor that a process has taken, as Linux counts them."""
    with open(f"/proc/{process}/stat") as file:
        times = file.read().rpartition(")")[2].split()[11:13]
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


class Desk:
    """An officer's browser, and the program of a second officer."""

    def __init__(self, address: str, place: str, server: int) -> None:
        self.server = server
        with open_office(place) as office:
            admin = book.add(office, "admin", "admin", by="admin")
            other = book.add(office, "other", "officer", by="admin")
            secret = sessions.begin(office, admin.id)
            token = tokens.make(office, other.id, "bench", ("read", "correct", "report", "publish")).secret
        self.browser = httpx.Client(base_url=address, cookies={"arpad": secret}, timeout=None)
        self.program = httpx.Client(base_url=address, headers={"Authorization": f"Bearer {token}"}, timeout=None)
        self.browser.get(ACCOUNT)
        self.words = 0

    def form(self, path: str, **fields: object) -> httpx.Response:
        sent = {"_csrf_token": self.browser.cookies[FORM], **fields}
        return self.browser.post(path, data=sent, follow_redirects=True)

    def write(self) -> float:
        """Somebody else writes a word, a little later; the seconds that it takes."""
        time.sleep(LATER)
        began = time.perf_counter()
        self.words += 1
        change = {"kind": "describe", "person": 1, "alias": f"Word {self.words}"}
        answer = self.program.post("/api/v1/corrections", json={"change": change, "reason": "bench"})
        assert answer.status_code == 201, answer.text
        return time.perf_counter() - began

    def timed(self, what: str, task: Callable[[], httpx.Response], *, beside: bool = True) -> httpx.Response:
        """One row of the table: a page, what it led to, and another writer."""
        with ThreadPoolExecutor(1) as pool:
            other = pool.submit(self.write) if beside else None
            began, spent = time.perf_counter(), processor(self.server)
            answer = task()
            first = time.perf_counter() - began
            assert answer.status_code == 200, answer.text[-2000:]
            seen = []
            while 'http-equiv="refresh"' in answer.text:
                seen += re.findall(r'<progress value="(\d+)"', answer.text)
                time.sleep(0.1)
                answer = self.browser.get(answer.url)
            whole = time.perf_counter() - began
            waited = f"{other.result():.2f}" if other else ""
        steps = f", {len(set(seen))} different percentages seen" if seen else ""
        spent = processor(self.server) - spent
        print(f"| {what} | {first:.2f} | {whole:.2f}{steps} | {waited} | {spent:.2f} |", flush=True)
        return answer


def field(page: httpx.Response, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page.text)
    assert found, page.text[-2000:]
    return found[1]


def measured(desk: Desk, report: str) -> None:
    draft = "/en/desk/publish?list=standard&date=2025-07-01"
    desk.timed("the desk, first of all", lambda: desk.browser.get("/en/desk"), beside=False)
    desk.timed("preview of a list, first of all", lambda: desk.browser.get(draft), beside=False)
    desk.timed("preview of a list", lambda: desk.browser.get(draft))
    page = desk.timed("preview of a list, again", lambda: desk.browser.get(draft), beside=False)
    fields = {"list": "standard", "date": "2025-07-01", "head": field(page, "head"), "reason": "bench"}
    desk.timed("publish it", lambda: desk.form("/en/desk/publish", **fields), beside=False)
    desk.timed("the list, for readers", lambda: desk.browser.get("/en/lists/standard"), beside=False)
    with open(report, "rb") as file:
        sent = {"_csrf_token": desk.browser.cookies[FORM], "ids": "name"}
        answer = desk.timed(
            "hand a report in",
            lambda: desk.browser.post("/en/desk/reports", data=sent, files={"files": ("report.csv", file)}),
            beside=False,
        )
    place = re.findall(r'href="(/en/desk/reports/\d+)["?]', answer.text)[-1]
    page = desk.timed("look at it", lambda: desk.browser.get(place, params={"register": "1"}), beside=False)
    fields = {"step": "accept", "head": field(page, "head"), "register": "1"}
    desk.timed("accept it", lambda: desk.form(place, **fields))
    fix: dict[str, object] = {"kind": "game", "game": 1, "void": "1"}
    page = desk.timed("preview of a correction, first of all", lambda: desk.form("/en/desk/changes", **fix))
    page = desk.timed("preview of a correction", lambda: desk.form("/en/desk/changes", **fix))
    page = desk.timed(
        "preview of a correction, nobody beside", lambda: desk.form("/en/desk/changes", **fix), beside=False
    )
    fix |= {"step": "confirm", "reason": "bench", "head": field(page, "head")}
    desk.timed("make it", lambda: desk.form("/en/desk/changes", **fix), beside=False)
    for kind in ("backup", "verify"):
        desk.timed(kind, lambda kind=kind: desk.form("/en/desk/jobs", kind=kind))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--people", type=int, default=100_000)
    options.add_argument("--games", type=int, default=4_000_000)
    options.add_argument("--report", type=int, default=200_000, help="games of the report")
    options.add_argument("--folder")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kept = os.path.join(given.folder or folder, "web.db")
        if not os.path.exists(kept):
            make(kept, given.people, given.games)
        place = os.path.join(folder, "office.db")
        shutil.copy(kept, place)
        report = report_of(folder, given.people, given.report)
        port = free_port()
        server = subprocess.Popen([sys.executable, "-m", "arpad", "serve", place, "--port", str(port), "--quiet"])
        try:
            for _ in range(600):
                try:
                    httpx.get(f"http://127.0.0.1:{port}/api/v1/me").raise_for_status()
                    break
                except httpx.TransportError:
                    time.sleep(0.1)
            began = time.perf_counter()
            httpx.get(f"http://127.0.0.1:{port}/en/players/1", timeout=None).raise_for_status()
            print(f"{given.games:,} games, {given.people:,} people; ready after {time.perf_counter() - began:.1f} s\n")
            print("| what | first page, s | done, s | another writer meanwhile, s | processor, s |")
            print("| --- | --- | --- | --- | --- |", flush=True)
            measured(Desk(f"http://127.0.0.1:{port}", place, server.pid), report)
        finally:
            server.send_signal(signal.SIGINT)
            server.wait()
    print(f"\nload {os.getloadavg()[1]:.1f} over five minutes on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
