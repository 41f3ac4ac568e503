"""Where nothing more can be written: a full disk, read-only media, a lost connection, a damaged file.

Each is an error of the ledger that says so, and nothing of what was acknowledged is lost.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path

import pytest

from arpad.bureau import cards, lists
from arpad.bureau.corrections import Change, correct
from arpad.bureau.keeping import backup, restore, verify
from arpad.bureau.opened import Office, init, open_office
from arpad.errors import ArpadError, Busy, LedgerError, UsageError
from arpad.model import Game
from tests.bureau.doomed import CHILD, CHILD_PATH, STEPS
from tests.bureau.test_keeping import full, told
from tests.bureau.test_kills import own_server, until_up
from tests.bureau.worlds import exact, office_of, some_events, taken
from tests.places import empty_database

DAY = date(2024, 1, 1)


def many(seed: int, games: int = 6_000) -> list[Game]:
    """A report that is larger than what there is room for."""
    random_ = random.Random(seed)
    pairs = (random_.sample(range(500), 2) for _ in range(games))
    return [Game(f"P{a}", f"P{b}", 0.5, date=DAY, event="Large", round=row) for row, (a, b) in enumerate(pairs, 1)]


def refused(office: Office, match: str, games: int = 6_000) -> None:
    """Every act that needs room is an error, and the office is as it was."""
    before, kept = office.head, told(office)
    with pytest.raises(LedgerError, match=match):
        taken(office, many(1, games))
    assert verify(office) == []
    assert (office.head, told(office)) == (before, kept)


def goes_on(place: str) -> None:
    """With room again, everything goes on, in another process's eyes too."""
    with open_office(place) as office:
        assert verify(office) == []
        assert taken(office, many(1)).accepted
        assert verify(office) == []


def test_promise_8_a_database_that_is_full(tmp_path: Path) -> None:
    place = str(tmp_path / "office.db")
    with full(place) as office:
        pages = office.store.value("pragma page_count")
        office.store.run(f"pragma max_page_count = {pages + 20}")
        refused(office, "full")
    goes_on(place)


@contextmanager
def no_file_over(size: int) -> Iterator[None]:
    """No file may grow beyond a size: what a quota or a file system's limit says, as an error of the write."""
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)


def test_promise_8_a_file_that_may_not_grow(tmp_path: Path) -> None:
    place, target = str(tmp_path / "office.db"), str(tmp_path / "backup.db")
    with full(place) as office:
        size = os.path.getsize(place)
        with no_file_over(size + 100_000):
            refused(office, "I/O|full")
        with no_file_over(size // 2), pytest.raises(LedgerError, match=r"backup\.db"):
            backup(office, target)
        with no_file_over(size // 2), pytest.raises(LedgerError, match=r"new\.db"):
            init(str(tmp_path / "new.db"), "elo")
    assert sorted(path.name for path in tmp_path.glob("backup*")) == []
    init(str(tmp_path / "new.db"), "elo").close()
    goes_on(place)


def test_promise_8_a_table_of_postgresql_that_may_not_grow(tmp_path: Path) -> None:
    with own_server(largest=2 << 20) as url:  # the files of its log have half of that
        place, target = f"{url.rpartition('/')[0]}/office", str(tmp_path / "backup.db")
        with empty_database(place), full(place) as office:
            refused(office, "too large|No space", 20_000)
            backup(office, target)
    goes_on(target)


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[None]:
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def may_mount(folder: Path) -> bool:
    try:
        with small_disk(folder, 64):
            return True
    except (OSError, subprocess.CalledProcessError):
        return False


@pytest.mark.soak
def test_promise_8_a_disk_that_is_full_to_the_last_byte(tmp_path: Path) -> None:
    if not may_mount(tmp_path):
        pytest.skip("no file system can be mounted here")
    with small_disk(tmp_path, 1500):
        place = str(tmp_path / "office.db")
        with full(place) as office:
            with open(tmp_path / "filler", "wb", buffering=0) as filler, suppress(OSError):
                while True:
                    filler.write(bytes(4096))
            refused(office, "full|I/O")
        with pytest.raises(LedgerError, match=r"full|I/O"):
            init(str(tmp_path / "new.db"), "elo")
        subprocess.run(["mount", "-o", "remount,size=60m", tmp_path], check=True)
        init(str(tmp_path / "new.db"), "elo").close()
        goes_on(place)


@contextmanager
def nobody() -> Iterator[None]:
    """As a user to whom root's files are read-only, where we are root."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def sealed() -> Iterator[Path]:
    """A folder that can be made read-only for everybody; pytest's own are closed to other users."""
    folder = Path(tempfile.mkdtemp())
    try:
        yield folder
    finally:
        folder.chmod(0o700)
        shutil.rmtree(folder)


def test_promise_8_read_only_media_are_read_and_nothing_is_written(sealed: Path, tmp_path: Path) -> None:
    place = sealed / "office.db"
    with full(str(place)) as office:
        kept = told(office)
    before = place.read_bytes()
    place.chmod(0o444)
    sealed.chmod(0o555)
    again = Path(tempfile.mkdtemp())
    again.chmod(0o777)
    try:
        with nobody(), open_office(str(place)) as office:
            assert told(office) == kept
            assert verify(office) == []
            acts: list[Callable[[], object]] = [
                lambda: taken(office, many(1, 10)),
                lambda: correct(office, [Change("game", 1, {"voided": 1})], "no game"),
                lambda: lists.publish(office, date(2023, 1, 1)),
                lambda: lists.replay(office),
                lambda: backup(office, str(sealed / "backup.db")),
                lambda: init(str(sealed / "new.db"), "elo"),
            ]
            for act in acts:
                with pytest.raises(LedgerError, match=r"readonly|unable to open"):
                    act()
            with restore(str(place), str(again / "again.db")) as whole:
                assert told(whole) == kept
                assert taken(whole, many(1, 10)).accepted
    finally:
        shutil.rmtree(again)
    assert os.listdir(sealed) == ["office.db"]
    assert place.read_bytes() == before


def test_another_programs_file_is_not_touched(tmp_path: Path) -> None:
    import sqlite3

    place = tmp_path / "other.db"
    with sqlite3.connect(place) as file:
        file.execute("create table words (word text)")
    file.close()
    before = place.read_bytes()
    with pytest.raises(UsageError):
        init(str(place), "elo")
    with pytest.raises(UsageError):
        open_office(str(place))
    assert place.read_bytes() == before
    assert os.listdir(tmp_path) == ["other.db"]


def test_a_damaged_file_is_told_and_never_a_surprise(tmp_path: Path) -> None:
    place, bad = str(tmp_path / "office.db"), str(tmp_path / "bad.db")
    with full(place) as office:
        kept = told(office)
    whole = Path(place).read_bytes()
    random_ = random.Random(13)
    found = 0
    for _ in range(40):
        broken = bytearray(whole)
        start = random_.randrange(len(broken))
        broken[start : start + 64] = random_.randbytes(len(broken[start : start + 64]))
        Path(bad).write_bytes(broken)
        try:
            with open_office(bad) as office:
                faults = verify(office)
                if not faults:
                    assert told(office) == kept
                found += bool(faults)
        except ArpadError:
            found += 1
        for left in tmp_path.glob("bad.db*"):
            left.unlink()
    assert found > 5


def test_a_connection_lost_while_waiting_for_another_writer(server: str) -> None:
    import psycopg

    place = f"{server.rpartition('/')[0]}/arpad_lost"
    with empty_database(place):
        office_of(place, some_events(random.Random(3))).close()
        with open_office(place) as busy, open_office(place, patience=20) as other, busy.store.writing():
            (process,) = other.store.row("select pg_backend_pid()") or (0,)

            def end() -> None:
                time.sleep(0.3)
                with psycopg.connect(server, autocommit=True) as session:
                    session.execute("select pg_terminate_backend(%s)", (process,))

            ender = threading.Thread(target=end)
            ender.start()
            with pytest.raises(LedgerError) as caught:
                taken(other, many(1, 10))
            ender.join()
            assert not isinstance(caught.value, Busy)
        with open_office(place) as office:
            assert verify(office) == []


@pytest.mark.parametrize("step", list(STEPS))
def test_promise_8_killed_at_each_edge_of_making_an_office(step: str, place: str, tmp_path: Path) -> None:
    """Killed before any statement, it can be done again, and is then whole."""
    source = str(tmp_path / "source.db")
    start = place if step == "backup" else source
    with full(start) as office:
        kept = told(office)
    target = str(tmp_path / "backup.db") if step == "backup" else place
    at, random_ = 1, random.Random(step)
    while True:
        program = [sys.executable, "-c", CHILD, "step", step, start, target, str(at)]
        done = subprocess.run(program, capture_output=True, text=True, env=CHILD_PATH)
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
        at += random_.randint(10, 90)
        if step != "init" and os.path.exists(target):
            break  # killed when all was done
    assert at > 5
    if target.startswith("postgresql"):
        until_up(target)
    with open_office(target) as office:
        assert verify(office) == []
        assert len(cards.log(office)) == 1 if step == "init" else told(office) == kept
        if step != "init":
            assert exact(office)


def test_promise_8_the_command_says_so_and_exits_with_2(tmp_path: Path) -> None:
    place, report = str(tmp_path / "office.db"), tmp_path / "large.csv"
    with full(place) as office:
        kept = told(office)
    lines = [f"2024-01-01,Large,{row},P{row % 300},P{row % 300 + 1 + row % 7},1-0" for row in range(1, 6_001)]
    report.write_text("date,event,round,white,black,result\n" + "\n".join(lines) + "\n")
    room = os.path.getsize(place) + 100_000
    done = subprocess.run(
        [sys.executable, "-m", "arpad", "import", report, "--accept", "--register", "--office", place],
        capture_output=True,
        text=True,
        env=CHILD_PATH,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert "I/O" in done.stderr or "full" in done.stderr
    with open_office(place) as office:
        assert told(office) == kept
        assert verify(office) == []
