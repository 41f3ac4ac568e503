"""An office of many games: `python bench/office.py [--games N] [--people N] [--rules NAME] [--folder DIR]`.

On PostgreSQL: `python -m tests.server python bench/office.py --place postgresql`, with a server of its own.

A table of games over thirty years, in events of 200, is imported; then it is replayed and published, twenty lists, a
correction ten years back is previewed, cards are shown, the office is verified. Printed as a Markdown table.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import date
from typing import Any

import numpy as np

from arpad.bureau import cards, corrections, keeping, lists
from arpad.bureau.intake import Decisions, receive
from arpad.bureau.opened import init, open_office

FIRST, LAST = date(1995, 1, 1).toordinal(), date(2024, 12, 31).toordinal()


def write_games(path: str, games: int, people: int) -> None:
    """Games of a power law of activity, sorted by day, in events of 200."""
    random = np.random.default_rng(2025)
    weights = 1 / np.arange(1, people + 1) ** 0.6
    first, second = (random.choice(people, games, p=weights / weights.sum()) for _ in range(2))
    second = np.where(first == second, (second + 1) % people, second)
    days = np.sort(random.integers(FIRST, LAST, games))
    results = np.array(["1-0", "1/2-1/2", "0-1"])[random.integers(0, 3, games)]
    with open(path, "w") as file:
        file.write("date,event,white,black,result\n")
        texts = {day: date.fromordinal(int(day)).isoformat() for day in np.unique(days)}
        for row, (day, one, other, result) in enumerate(zip(days, first, second, results)):
            file.write(f"{texts[day]},E{row // 200},{one},{other},{result}\n")


def timed(task: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    done = task()
    return time.perf_counter() - began, done


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=1_000_000)
    options.add_argument("--people", type=int, default=50_000)
    options.add_argument("--rules", default="elo")
    options.add_argument("--place", help="a postgresql:// URL of an empty database; postgresql: ARPAD_POSTGRESQL")
    options.add_argument("--folder")
    given = options.parse_args()
    if given.place == "postgresql":
        given.place = os.environ["ARPAD_POSTGRESQL"]
    folder = given.folder or tempfile.mkdtemp()
    path, place = os.path.join(folder, "games.csv"), given.place or os.path.join(folder, "office.db")
    write_games(path, given.games, given.people)
    rows: list[tuple[str, str]] = []
    office = init(place, given.rules)
    took, done = timed(lambda: receive(office, path, Decisions(register=True, ids="club")))
    assert done.accepted, done.holds[:3]
    rows.append(("import", f"{took:.1f} s, {given.games / took:,.0f} games/s"))
    office.close()
    if not given.place:
        rows.append(
            ("file", f"{os.path.getsize(place) / 1e6:,.0f} MB for a table of {os.path.getsize(path) / 1e6:,.0f} MB")
        )
    took, office = timed(lambda: open_office(place))
    replayed, _ = timed(lambda: lists.replay(office))
    published, _ = timed(lambda: lists.publish(office, date(2025, 1, 1)))
    rows.append(("open, load, full replay, states stored", f"{took + replayed:.2f} s"))
    rows.append(("publish", f"{published:.2f} s"))
    for year in range(2005, 2024):
        lists.publish(office, date(year, 1, 1))
    day = date(2015, 1, 1).toordinal()
    game = office.store.value("select min(id) from game where day >= ?", (day,))
    fix = [corrections.Change("game", game, {"voided": 1})]
    office.close()
    office = open_office(place)
    took, seen = timed(lambda: corrections.correct(office, fix, preview=True))
    rows.append(("preview of a correction ten years back, 20 lists published, just opened", f"{took:.2f} s"))
    took, seen = timed(lambda: corrections.correct(office, fix, preview=True))
    rows.append(
        ("the same, office open", f"{took:.2f} s, {len(seen.effect.moved):,} people, {len(seen.effect.lists)} lists")
    )
    took, _ = timed(lambda: cards.warm(office))
    rows.append(("warming up", f"{took:.2f} s"))
    shown = [timed(lambda who=who: cards.player(office, f"club:{who}")) for who in range(1, 1501)]
    games = [len(card.lists[0].lines) for _, card in shown]
    longest = max(zip((took for took, _ in shown), games))
    middle = statistics.median(took for took, _ in shown)
    rows.append(
        (
            "a card of the warm office",
            f"{1000 * middle:.1f} ms; the longest {1000 * longest[0]:.0f} ms, {longest[1]} games",
        )
    )
    took, _ = timed(lambda: cards.event(office, given.games // 400))
    rows.append(("an event of 200 games", f"{1000 * took:.0f} ms"))
    took, _ = timed(lambda: keeping.backup(office, os.path.join(folder, "backup.db")))
    rows.append(("backup", f"{took:.1f} s"))
    restored = os.path.join(folder, "restored.db")
    took, again = timed(lambda: keeping.restore(os.path.join(folder, "backup.db"), restored))
    again.close()
    rows.append(("restore to a file, verified", f"{took:.1f} s"))
    lists.replay(office)
    took, faults = timed(lambda: keeping.verify(office))
    assert not faults, faults[:5]
    rows.append(("verify", f"{took:.1f} s"))
    rows.append(("peak memory", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB"))
    busy = f"load {os.getloadavg()[1]:.1f} over five minutes on {os.cpu_count()} cores"
    print(f"{given.games:,} games, {given.people:,} people, {given.rules}; {busy}\n\n| what | took |\n| --- | --- |")
    for what, said in rows:
        print(f"| {what} | {said} |")


if __name__ == "__main__":
    main()
