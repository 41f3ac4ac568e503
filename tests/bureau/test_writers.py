"""Several processes reporting to one office: each acknowledged game counts once, and a backup in between is whole."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from arpad.bureau import lists
from arpad.bureau.intake import receive
from arpad.bureau.keeping import backup, restore, verify
from arpad.bureau.opened import Office, init, open_office
from arpad.errors import Busy
from arpad.model import Game
from tests.bureau.doomed import CHILD_PATH
from tests.bureau.worlds import ALL, exact, fresh

#: What a writer does; it prints the ids of the games that were acknowledged.
WRITER = """
import sys
from tests.bureau.test_writers import report_all
report_all(sys.argv[1], *map(int, sys.argv[2:]))
"""
PATIENCE = 0.2  # of a writer, who is then told that others are busy, and tries again


def reports(count: int) -> list[list[Game]]:
    """That many games, in reports of one to nine; each game has an id of its own."""
    random_ = random.Random(4)
    found: list[list[Game]] = []
    number = 0
    while number < count:
        report = []
        for _ in range(min(random_.randint(1, 9), count - number)):
            first, second = random_.sample(range(120), 2)
            day = date(2024, 1, 1) + timedelta(days=random_.randrange(300))
            score = random_.choice([0.0, 0.5, 1.0])
            report.append(Game(f"P{first}", f"P{second}", score, date=day, id=f"g{number}"))
            number += 1
        found.append(report)
    return found


def share(count: int, writers: int, writer: int) -> list[list[Game]]:
    """What one of several writers sends: its reports twice, those of its neighbour, and games of others in reports of
    its own, all in an order of its own."""
    found = reports(count)
    mine, neighbours = found[writer::writers], found[(writer + 1) % writers :: writers]
    random_ = random.Random(writer)
    others = [[random_.choice(random_.choice(found))] for _ in mine[::5]]
    sent = [*mine, *mine[::2], *neighbours[::2], *others]
    random_.shuffle(sent)
    return sent


def report_all(place: str, count: int, writers: int, writer: int) -> None:
    busy = 0
    with open_office(place, patience=PATIENCE) as office:
        for report in share(count, writers, writer):
            while True:
                try:
                    done = receive(office, report, ALL)
                    break
                except Busy:
                    busy += 1
            if done.accepted:
                print(*(game.id for game in report), flush=True)
            else:  # some other report had one of its games
                assert any("was reported before" in str(hold) for hold in done.holds), done.holds
    print(f"busy {busy}", file=sys.stderr)


def started(place: str, count: int, writers: int) -> list[subprocess.Popen[str]]:
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": CHILD_PATH}
    return [
        subprocess.Popen([sys.executable, "-c", WRITER, place, str(count), str(writers), str(writer)], **pipes)
        for writer in range(writers)
    ]


def acknowledged(running: Sequence[subprocess.Popen[str]]) -> set[str]:
    done = [each.communicate(timeout=3000) for each in running]
    assert [error for _, error in done if not error.startswith("busy")] == []
    return {word for told, _ in done for word in told.split()}


def checked(place: str, count: int, told: set[str]) -> None:
    with open_office(place) as office:
        assert verify(office) == []
        ids = [row[0] for row in office.store.rows("select id from given")]
        assert len(ids) == len(set(ids)) == office.store.value("select count(*) from game")
        assert set(ids) == told
        games = [game for report in reports(count) for game in report]
        assert exact(office) == fresh([game for game in games if game.id in told], office)


def test_promise_7_writers_at_once_lose_nothing_and_double_nothing(place: str) -> None:
    init(place, "elo").close()
    checked(place, 60, acknowledged(started(place, 60, 4)))


@pytest.mark.soak
def test_promise_7_eight_writers_of_five_thousand_games(place: str) -> None:
    init(place, "elo").close()
    told = acknowledged(started(place, 5000, 8))
    assert len(told) > 4000  # a report loses against a single game of it that somebody else sent first
    checked(place, 5000, told)


MAKER = """
import sys
from arpad.bureau.opened import init
from arpad.errors import ArpadError
sys.stdin.readline()
try:
    init(sys.argv[1], "elo", name=sys.argv[2]).close()
    print("made")
except ArpadError as error:
    print(type(error).__name__, error)
"""


def test_of_several_who_make_an_office_at_once_one_does(place: str) -> None:
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": CHILD_PATH}
    makers = [subprocess.Popen([sys.executable, "-c", MAKER, place, f"list{number}"], **pipes) for number in range(4)]
    for maker in makers:
        assert maker.stdin is not None
        maker.stdin.write("go\n")
        maker.stdin.flush()
    told = [maker.communicate(timeout=60)[0] for maker in makers]
    assert sorted(each.startswith("made") for each in told) == [False, False, False, True], told
    with open_office(place) as office:
        assert len(office.lists()) == 1
        assert verify(office) == []


def views(office: Office) -> list[object]:
    """What an office shows, to the byte."""
    days = [row[0] for row in office.store.rows("select day from publication order by day")]
    kept = [lists.published(office, date.fromordinal(day)).content for day in days]
    return [exact(office), kept, lists.revised(office, date(2024, 5, 1)).columns, lists.revised(office).columns]


def backed_up(place: str, folder: Path, count: int, writers: int) -> None:
    """Backups while others write: each is whole, restores to the same bytes, and goes on as the office itself."""
    with init(place, "elo") as office:
        receive(office, reports(10)[0], ALL)
        lists.publish(office, date(2024, 3, 1))
        running = started(place, count, writers)
        copies = []
        while any(each.poll() is None for each in running):
            copies.append(str(folder / f"backup{len(copies)}.db"))
            backup(office, copies[-1])
        acknowledged(running)
        heads = []
        for copy in copies[:: max(1, len(copies) // 10)]:
            with restore(copy, f"{copy}.restored") as again:
                assert verify(again) == []
                heads.append(again.head)
                assert again.store.rows("select seq, hash from entry order by seq") == office.store.rows(
                    "select seq, hash from entry where seq <= ? order by seq", [again.head]
                )
        assert heads == sorted(heads)
        lists.publish(office, date(2024, 7, 1))
        last = str(folder / "last.db")
        backup(office, last)
        with restore(last, str(folder / "again.db")) as again:
            assert views(again) == views(office)
            more = Game("P1", "P2", 1.0, date=date(2024, 6, 1), id="late")
            for each in (again, office):
                assert receive(each, [more], ALL).accepted
            next_ = [lists.publish(each, date(2024, 9, 1)).content for each in (again, office)]
            assert next_[0] == next_[1]


def test_promise_10_backups_while_others_write(place: str, tmp_path: Path) -> None:
    backed_up(place, tmp_path, 40, 2)


@pytest.mark.soak
def test_promise_10_many_backups_while_others_write(place: str, tmp_path: Path) -> None:
    backed_up(place, tmp_path, 1000, 4)
