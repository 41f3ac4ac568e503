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
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arpad.bureau.bases import move_base
from arpad.bureau.bundles import export, import_bundle
from arpad.bureau.corrections import Change, correct, revert
from arpad.bureau.erasing import erase
from arpad.bureau.keeping import verify
from arpad.bureau.lists import publish, replay, stored
from arpad.bureau.opened import Office, init, open_office
from arpad.bureau.people import merge, split
from arpad.errors import ArpadError, LedgerError, UsageError
from arpad.ledger import chain
from arpad.ledger.store import Store
from arpad.model import Game
from tests.bureau.worlds import taken
from tests.conftest import ROOT
from tests.places import DATABASES, empty_places
from tests.server import Absent, running

#: One after the other, and again. A base is moved and taken back within a turn: people are only merged where they were
#: not both on a list when its base was moved.
KINDS = (
    *("import", "correct", "replay", "import", "publish", "merge", "import", "split", "merge", "erase"),
    *("base", "import", "erase", "publish", "take the base back", "correct"),
)
ACTS, GAMES, SEED = 3 * len(KINDS), 240, 6
#: Seconds until a child is killed, at most, and statements.
SPAN, STATEMENTS = 0.4, 400

#: A child finds these tests wherever it is started.
CHILD_PATH = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in (str(ROOT), *sys.path) if path)}

CHILD = """
import sys
from tests.bureau import test_kills
getattr(test_kills, sys.argv[1])(*sys.argv[2:])
"""


def report(number: int) -> list[Game]:
    """An event of many games, each pair once a round; two who play a game each in rounds of their own may be one."""
    random_ = random.Random(f"{SEED} {number}")
    start = date(2003, 1, 1) + timedelta(days=130 * number + random_.randrange(100))  # never before a moved base
    pairs = {(turn, *sorted(random_.sample(range(30), 2))) for turn in range(1, 10) for _ in range(GAMES // 9)}
    called = [(turn, f"P{one}", f"P{other}") for turn, one, other in sorted(pairs)]
    called += [(10, f"Q{number}", "P1"), (11, f"R{number}", "P2")]
    return [
        Game(one, other, random_.choice([0.0, 0.5, 1.0]), date=start, event=f"E{number}", round=turn)
        for turn, one, other in called
    ]


#: What says no to an act that was done before: whoever was not told of it tries again.
DONE = ("already", "is published", "was not merged", "only moved forward")


def perform(office: Office, number: int) -> None:
    """The act of that number; again, if it was done already, without doing it twice."""
    try:
        _perform(office, number, KINDS[number % len(KINDS)])
    except UsageError as error:
        if not any(word in str(error) for word in DONE):
            raise


def _perform(office: Office, number: int, kind: str) -> None:
    turn, reason = number // len(KINDS), f"act {number}"
    # Persons are numbered as they come: P1 to P30, and two more with every report.
    first_report = turn * KINDS.count("import") * 2 + 31
    if kind == "import":
        assert taken(office, report(number)).accepted
    elif kind == "replay":
        replay(office)
    elif kind == "publish":
        publish(office, date(2023, 1, 1) + timedelta(days=number))
    elif kind == "merge":
        merge(office, first_report, first_report + 1, reason)
    elif kind == "split":
        split(office, first_report + 1, reason)
    elif kind == "erase":
        erase(office, first_report + (0 if number % len(KINDS) < 10 else 3), reason)
    elif kind == "base":
        move_base(office, date(2005 + turn, 1, 1), reason=reason)
    elif kind == "take the base back":
        if office.which().base:
            revert(office, office.store.value("select max(seq) from entry where kind = 'base'"), reason)
    else:
        changes = [
            Change("game", 1 + number, {"voided": 1}),
            Change("game", 7 + 2 * number, {"day": date(2021, 5, 1).toordinal() + number}),
        ]
        correct(office, changes, reason)


def counting(statements: int) -> None:
    """This process kills itself before the statement of that number."""
    count = 0

    def counted(told: Callable[..., Any]) -> Callable[..., Any]:
        def call(*values: Any) -> Any:
            nonlocal count
            count += 1
            if count == statements:
                os.kill(os.getpid(), signal.SIGKILL)
            return told(*values)

        return call

    for kind in Store.__subclasses__():
        kind.run, kind.insert = counted(kind.run), counted(kind.insert)  # type: ignore[method-assign]


def work(place: str, start: str, statements: str) -> None:
    """What a child does: acts from `start` on; it kills itself before the statement of that number, if there is one."""
    counting(int(statements))
    with open_office(place) as office:
        print("ready", flush=True)
        for number in range(int(start), ACTS):
            perform(office, number)
            print(number, flush=True)


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


def bring(place: str, source: str, statements: str) -> None:
    """What a child does who brings a bundle in; killed as `work` is."""
    counting(int(statements))
    print("ready", flush=True)
    import_bundle(source, place).close()
    print("brought", flush=True)


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
