"""Places for offices: a new file, and a new database where ARPAD_POSTGRESQL is the URL of a server."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SERVER = os.environ.get("ARPAD_POSTGRESQL", "")


@contextmanager
def empty_database(url: str) -> Iterator[None]:
    """A database of that URL, dropped afterwards."""
    import psycopg

    name = url.rpartition("/")[2]
    with psycopg.connect(SERVER, autocommit=True) as server:
        server.execute(f"create database {name}")
        try:
            yield
        finally:
            server.execute(f"drop database {name} with (force)")


@pytest.fixture(params=["sqlite", *(["postgresql"] if SERVER else [])])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where an office can be made."""
    if request.param == "sqlite":
        yield str(tmp_path / "office.db")
        return
    url = f"{SERVER.rpartition('/')[0]}/arpad_{uuid.uuid4().hex}"
    with empty_database(url):
        yield url
