"""A server as `arpad serve` starts it, on a thread of the test's own."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import uvicorn

from arpad.web.app import create_app
from tests.web import remembering

__all__ = ["remembering", "served"]

TITLE = "Three Lakes Chess League"
#: Seconds after which a server that has not started will not.
PATIENCE = 30


@contextmanager
def served(place: Path) -> Iterator[str]:
    """The address at which an office is served meanwhile, without a slash at its end."""
    app = create_app(place, title=TITLE)
    config = uvicorn.Config(
        app, "127.0.0.1", 0, log_level="warning", access_log=False, ws="none", timeout_graceful_shutdown=2
    )
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + PATIENCE
    while not server.started:
        assert thread.is_alive(), "the server stopped before it had started"
        assert time.monotonic() < until, f"no server after {PATIENCE} s"
        time.sleep(0.01)
    host, port = server.servers[0].sockets[0].getsockname()
    try:
        yield f"http://{host}:{port}"
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive(), "the server does not stop"
