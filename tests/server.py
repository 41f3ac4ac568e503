"""A PostgreSQL server of the tests' own: on a free port of this machine, in a temporary folder, gone afterwards.

    with running() as url:                       # postgresql://arpad@127.0.0.1:PORT/postgres
    python -m tests.server COMMAND…              # the same for a command, which finds the URL in ARPAD_POSTGRESQL

The programs are those of Debian's package (`scripts/system.sh database` installs it where it may) or any in the PATH.
As root, which PostgreSQL refuses to run as, they are run by the user `postgres`.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

USER = "arpad"
#: Seconds that a server may take to come up or to go down.
PATIENCE = 60.0
#: Where Debian keeps each version's programs.
DEBIAN = Path("/usr/lib/postgresql")
#: Nothing here outlives the machine's next start, so that waiting for the disk would show nothing; and a database is
#: gone before it would pay to tidy it up.
QUICK = {"fsync": "off", "full_page_writes": "off", "autovacuum": "off"}
SETTINGS = {**QUICK, "max_connections": "60", "unix_socket_directories": ""}


class Absent(Exception):
    """There is no PostgreSQL server to bring up; says why."""


def programs() -> Path:
    """The folder of `initdb` and `postgres`: the newest of Debian's, else that in the PATH. Raises Absent."""
    versions = sorted(DEBIAN.glob("*/bin/postgres"), key=lambda path: float(path.parts[-3]))
    if versions:
        return versions[-1].parent
    found = shutil.which("postgres")
    if found is None:
        raise Absent("no PostgreSQL server is installed: scripts/system.sh database (Debian's package postgresql)")
    return Path(found).resolve().parent


def whose() -> dict[str, Any]:
    """How a program is started as somebody who may run a server. Raises Absent."""
    if os.geteuid():
        return {}
    import pwd

    try:
        known = pwd.getpwnam("postgres")
    except KeyError:
        raise Absent("root may not run a PostgreSQL server, and there is no user postgres to run it as") from None
    return {"user": known.pw_uid, "group": known.pw_gid, "extra_groups": []}


def free_port() -> int:
    with socket.socket() as open_:
        open_.bind(("127.0.0.1", 0))
        return int(open_.getsockname()[1])


@contextmanager
def running(largest: int = 0, **settings: str) -> Iterator[str]:
    """A server, by the URL of its first database; `settings` are PostgreSQL's. None of its files may grow beyond
    `largest` bytes, if that is given. Raises Absent."""
    bin_, owner = programs(), whose()
    folder = Path(tempfile.mkdtemp(prefix="arpad-postgresql-"))
    try:
        if owner:
            os.chown(folder, owner["user"], owner["group"])
        port = free_port()
        # Files of the log in the smallest size there is: a database that may write no more is then soon made.
        asked = ["--auth=trust", f"--username={USER}", "--encoding=UTF8", "--locale=C", "--no-sync", "--wal-segsize=1"]
        made = subprocess.run([bin_ / "initdb", *asked, folder / "data"], cwd=folder, capture_output=True, **owner)
        if made.returncode:
            raise Absent(f"initdb failed: {made.stderr.decode(errors='replace').strip()}")
        given = {**SETTINGS, "port": str(port), "listen_addresses": "127.0.0.1", **settings}
        options = [word for name, value in given.items() for word in ("-c", f"{name}={value}")]
        with open(folder / "log", "wb") as log:
            command = [bin_ / "postgres", "-D", folder / "data", *options]
            started: dict[str, Any] = {"stdout": log, "stderr": log, **owner}
            if largest:
                started["preexec_fn"] = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
            server = subprocess.Popen(command, cwd=folder, **started)
        try:
            url = f"postgresql://{USER}@127.0.0.1:{port}/postgres"
            _await(server, url, folder / "log")
            yield url
        finally:
            server.send_signal(signal.SIGINT)  # PostgreSQL's fast shutdown: connections are closed
            try:
                server.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _await(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    import psycopg

    until = time.monotonic() + PATIENCE
    while True:
        try:
            psycopg.connect(url, connect_timeout=5).close()
        except psycopg.Error as error:
            if server.poll() is not None or time.monotonic() > until:
                said = log.read_text(errors="replace").strip()
                raise Absent(f"the server did not come up: {said or error}") from None
            time.sleep(0.05)
        else:
            return


def main(command: list[str]) -> int:
    with running(**dict.fromkeys(QUICK, "on")) as url:
        return subprocess.run(command, env={**os.environ, "ARPAD_POSTGRESQL": url}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
