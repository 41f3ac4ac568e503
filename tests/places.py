"""Places for offices: a new file, and a new database of a PostgreSQL server.

The server is that of ARPAD_POSTGRESQL, a URL, else one that is brought up for the session (`tests/server.py`). Without
its programs the tests on PostgreSQL are skipped, saying so; with CI set that is a failure.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.server import Absent, running

DATABASES = ("sqlite", "postgresql")


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The URL of a PostgreSQL server's first database."""
    given = os.environ.get("ARPAD_POSTGRESQL")
    if given:
        yield given
        return
    try:
        with running() as url:
            yield url
    except Absent as reason:
        pytest.skip(str(reason))


@contextmanager
def empty_database(url: str) -> Iterator[None]:
    """A database of that URL, dropped afterwards."""
    import psycopg

    base, _, name = url.rpartition("/")

    def say(sql: str, of_15: str = "") -> None:
        with psycopg.connect(f"{base}/postgres", autocommit=True) as session:
            session.execute(sql + (of_15 if session.info.server_version >= 150_000 else ""))

    # To copy the files of an empty one takes a third of the time that writing it to the log does.
    say(f"create database {name}", " strategy file_copy")
    try:
        yield
    finally:
        say(f"drop database {name} with (force)")


@contextmanager
def empty_places(request: pytest.FixtureRequest, database: str, folder: Path) -> Iterator[Callable[[], str]]:
    """As many places of a database as are asked for, where an office can be made."""
    with ExitStack() as stack:

        def another() -> str:
            name = f"arpad_{uuid.uuid4().hex}"
            if database == "sqlite":
                return str(folder / f"{name}.db")
            url = f"{request.getfixturevalue('server').rpartition('/')[0]}/{name}"
            stack.enter_context(empty_database(url))
            return url

        yield another


@pytest.fixture(params=DATABASES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where an office can be made."""
    with empty_places(request, request.param, tmp_path) as another:
        yield another()
