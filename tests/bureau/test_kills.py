"""Killed at any moment: every acknowledged act is there once, and no half act.

A child process carries out acts one after the other and says each when it is done, until it is killed: at a random
moment, or at a random statement, so that the edges of a transaction are met too. What the office then says must be what
an office says that was not killed, after as many acts as were acknowledged, or after one more.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arpad.bureau.bundles import export, import_bundle
from arpad.bureau.keeping import verify
from arpad.bureau.lists import stored
from arpad.bureau.opened import Office, init, open_office
from arpad.errors import ArpadError, LedgerError, UsageError
from arpad.ledger import chain
from tests.bureau.doomed import ACTS, CHILD, CHILD_PATH, KINDS, perform
from tests.places import DATABASES, empty_places
from tests.server import Absent, running

#: Seconds until a child is killed, at most, and statements.
SPAN, STATEMENTS = 0.4, 400


def said(office: Office) -> list[tuple[str, Any]]:
    """The entries, without what is another one each time: instants and salts."""
    return [
        (each.kind, {name: value for name, value in each.body.items() if name != "sealed"})
        for each in chain.entries(office.store)
    ]


@cache
def unharmed() -> tuple[list[tuple[str, Any]], list[int]]:
    """The entries of an office that nobody killed, and how many there were after so many acts."""
    with init(":memory:", "elo") as office:
        ends = [office.head]
        for number in range(ACTS):
            perform(office, number)
            assert (office.head > ends[-1]) == (KINDS[number % len(KINDS)] != "replay")
            ends.append(office.head)
        assert verify(office) == []
        return said(office), ends


def examined(place: str, acknowledged: int) -> int:
    """Check an office whose writer is dead; returns how many acts it has."""
    entries, ends = unharmed()
    with open_office(place) as office:
        with office.store.writing():
            pass  # a commit that was on its way is through
        assert verify(office) == []
        found = said(office)
        assert len(found) in ends[acknowledged : acknowledged + 2], (len(found), acknowledged, ends)
        assert found == entries[: len(found)]
        for entry in chain.entries(office.store, kinds=("erase",)):
            for person in entry.body["people"]:
                words = "select 1 from aside where subject = ? and entry < ?"
                assert not office.store.rows(words, (f"p{person}", entry.seq))
        replays = [number for number in range(acknowledged) if KINDS[number % len(KINDS)] == "replay"]
        if replays:
            held = stored(office, office.which())
            assert held is not None
            assert held.seq >= ends[replays[-1]]
    return acknowledged if len(found) == ends[acknowledged] else acknowledged + 1


def child(place: str, start: int, statements: int = 0) -> subprocess.Popen[bytes]:
    """Its output is not buffered, so that of a line that was read nothing more is lost."""
    return _child("work", place, str(start), str(statements))


def _child(*words: str) -> subprocess.Popen[bytes]:
    program = [sys.executable, "-c", CHILD, *words]
    return subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, env=CHILD_PATH)


def finished(running_: subprocess.Popen[bytes], start: int) -> int:
    """How many acts a dead child acknowledged, with those before."""
    told, error = running_.communicate()
    numbers = [int(word) for word in told.split() if word != b"ready"]
    assert numbers == list(range(start, start + len(numbers)))
    assert running_.returncode in (0, -signal.SIGKILL), error
    return start + len(numbers)


def killed(places: Callable[[], str], times: int, seed: int) -> None:
    """Kill a writer so many times; each goes on where the one before was killed."""
    print(f"seed {seed}")
    random_ = random.Random(seed)
    done, place = ACTS, ""
    while times:
        if done == ACTS:
            place, done = places(), 0
            init(place, "elo").close()
        by_statement = random_.random() < 0.5
        running_ = child(place, done, random_.randint(1, STATEMENTS) if by_statement else 0)
        if not by_statement:
            assert running_.stdout is not None
            running_.stdout.readline()
            time.sleep(random_.uniform(0, SPAN))
            running_.kill()
        acknowledged = finished(running_, done)
        times -= running_.returncode == -signal.SIGKILL
        examined(place, acknowledged)
        done = acknowledged  # who was not told tries again
    while done < ACTS:
        done = finished(child(place, done), done)
    assert examined(place, ACTS) == ACTS


def bringing_killed(places: Callable[[], str], source: str, times: int, seed: int) -> None:
    """Kill so many times who brings a bundle in: the office is there whole, or not at all, and can be had again."""
    print(f"seed {seed}")
    random_ = random.Random(seed)
    place = places()
    while times:
        by_statement = random_.random() < 0.5
        running_ = _child("bring", place, source, str(random_.randint(1, STATEMENTS) if by_statement else 0))
        if not by_statement:
            assert running_.stdout is not None
            running_.stdout.readline()
            time.sleep(random_.uniform(0, SPAN))
            running_.kill()
        told, error = running_.communicate()
        assert running_.returncode in (0, -signal.SIGKILL), error
        times -= running_.returncode == -signal.SIGKILL
        if b"brought" in told or _is_whole(place):
            brought(place)
            with pytest.raises(UsageError, match="is there already"):
                import_bundle(source, place)
            place = places()
    import_bundle(source, place).close()
    brought(place)


def brought(place: str) -> None:
    with open_office(place) as office:
        assert verify(office) == []
        assert said(office) == unharmed()[0]


def _is_whole(place: str) -> bool:
    """Whether there is an office where a bringer died; nothing of one is there otherwise."""
    with suppress(UsageError), open_office(place) as office:
        return office.head > 0
    return False


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The bundle of an office in which all acts were carried out."""
    target = str(tmp_path_factory.mktemp("bundle") / "office.zip")
    with init(":memory:", "elo") as office:
        for number in range(ACTS):
            perform(office, number)
        export(office, target)
    return target


@pytest.fixture(params=DATABASES)
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    with empty_places(request, request.param, tmp_path) as found:
        yield found


def test_promise_8_killed_at_random_moments(places: Callable[[], str]) -> None:
    killed(places, 5, random.SystemRandom().randrange(10**9))


@pytest.mark.soak
def test_promise_8_killed_at_random_moments_many_times(request: pytest.FixtureRequest, places: Any) -> None:
    times = 200 if "sqlite" in request.node.callspec.id else 50
    killed(places, times, random.SystemRandom().randrange(10**9))


def test_promise_8_killed_while_a_bundle_comes_in(places: Callable[[], str], bundle: str) -> None:
    bringing_killed(places, bundle, 4, random.SystemRandom().randrange(10**9))


@pytest.mark.soak
def test_promise_8_killed_many_times_while_a_bundle_comes_in(request: pytest.FixtureRequest, places: Any) -> None:
    times = 100 if "sqlite" in request.node.callspec.id else 50
    bringing_killed(places, request.getfixturevalue("bundle"), times, random.SystemRandom().randrange(10**9))


@contextmanager
def own_server(largest: int = 0) -> Iterator[str]:
    """A server that a test may harm."""
    try:
        with running(largest) as url:
            yield url
    except Absent as reason:
        pytest.skip(str(reason))


def server_killed(times: int) -> None:
    """PostgreSQL's own process is killed, whereupon the server throws everybody out and recovers by its log."""
    import psycopg

    random_ = random.Random(times)
    with own_server() as url:
        base, done, place = url.rpartition("/")[0], ACTS, ""
        for number in range(times):
            if done == ACTS:
                place, done = f"{base}/office{number}", 0
                with psycopg.connect(url, autocommit=True) as session:
                    session.execute(f"create database office{number}")
                init(place, "elo").close()
            running_ = child(place, done)
            assert running_.stdout is not None
            running_.stdout.readline()
            time.sleep(random_.uniform(0, SPAN))
            with psycopg.connect(url, autocommit=True) as session:
                name = place.rpartition("/")[2]
                found = session.execute("select pid from pg_stat_activity where datname = %s", (name,)).fetchone()
            if found:
                os.kill(found[0], signal.SIGKILL)
            told, error = running_.communicate()
            assert not found or b"LedgerError" in error or not error, error
            done += len([word for word in told.split() if word != b"ready"])
            until_up(place)
            examined(place, done)


def until_up(place: str) -> None:
    until = time.monotonic() + 60
    while True:
        try:
            open_office(place).close()
            return
        except LedgerError:
            assert time.monotonic() < until
            time.sleep(0.05)


def test_promise_8_the_servers_own_process_killed() -> None:
    server_killed(2)


@pytest.mark.soak
def test_promise_8_the_servers_own_process_killed_many_times() -> None:
    server_killed(20)


def test_a_lost_connection_is_an_error_of_the_ledger(server: str, places: Callable[[], str]) -> None:
    import psycopg

    place = places()
    if not place.startswith("postgresql"):
        return
    init(place, "elo").close()
    with open_office(place) as office:
        (pid,) = office.store.row("select pg_backend_pid()") or (0,)
        with psycopg.connect(server, autocommit=True) as session:
            session.execute("select pg_terminate_backend(%s)", (pid,))
        with pytest.raises(ArpadError):
            perform(office, 0)
    assert examined(place, 0) == 0
