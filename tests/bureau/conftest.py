"""Places for offices: a new file, and a new database of a PostgreSQL server.

The server is that of ARPAD_POSTGRESQL, a URL, else one that is brought up for the session (`tests/server.py`). Without
its programs the tests on PostgreSQL are skipped, saying so; with CI set that is a failure.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
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
    with psycopg.connect(f"{base}/postgres", autocommit=True) as session:
        session.execute(f"create database {name}")
        try:
            yield
        finally:
            session.execute(f"drop database {name} with (force)")


@pytest.fixture(params=DATABASES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where an office can be made."""
    if request.param == "sqlite":
        yield str(tmp_path / "office.db")
        return
    base = request.getfixturevalue("server").rpartition("/")[0]
    url = f"{base}/arpad_{uuid.uuid4().hex}"
    with empty_database(url):
        yield url
