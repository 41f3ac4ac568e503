"""Places for offices: a new file, and a new database where ARPAD_POSTGRESQL is the URL of a server."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

SERVER = os.environ.get("ARPAD_POSTGRESQL", "")


@pytest.fixture(params=["sqlite", *(["postgresql"] if SERVER else [])])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where an office can be made."""
    if request.param == "sqlite":
        yield str(tmp_path / "office.db")
        return
    import psycopg

    name = f"arpad_{uuid.uuid4().hex}"
    with psycopg.connect(SERVER, autocommit=True) as server:
        server.execute(f"create database {name}")
        try:
            yield SERVER.rpartition("/")[0] + f"/{name}"
        finally:
            server.execute(f"drop database {name} with (force)")
