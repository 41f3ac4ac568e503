"""Long work of an office, one at a time: it goes on when whoever asked has left, and says how it stands.

A job runs on the window of those who write, so that it sees one office throughout and waits for its turn. What is known
of jobs is kept as long as the server runs; what they did is in the office.
"""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from datetime import UTC, datetime
from typing import Literal, TypeAlias

import msgspec

from arpad.bureau import keeping, lists
from arpad.bureau.opened import Office
from arpad.errors import ArpadError, NotAllowed, Stale, UnknownName
from arpad.web.callers import Caller
from arpad.web.visits import Visit
from arpad.web.window import Window

logger = logging.getLogger(__name__)

Kind: TypeAlias = Literal["replay", "verify", "backup"]
#: Jobs that are remembered.
MOST = 50


class Job(msgspec.Struct):
    """A job, in its turn or done: `step` is what it does now, the step `nth` of `steps`, with so many games `done` of a
    `total` of them; `percent` of the whole, each step counted alike. What is not known is None. `found` is what it
    came to: replayed lists with their digests, or faults; `error` why it did not come to an end. Instants are in UTC.
    """

    id: int
    kind: Kind
    actor: str
    started: str
    state: Literal["running", "done", "failed"] = "running"
    step: str = ""
    nth: int | None = None
    steps: int | None = None
    done: int | None = None
    total: int | None = None
    percent: int | None = None
    found: tuple[str, ...] = ()
    error: str = ""
    ended: str | None = None

    def begins(self, step: str, nth: int, steps: int) -> None:
        """A step begins, of so many."""
        self.step, self.nth, self.steps, self.done, self.total = step, nth, steps, None, None
        self.percent = 100 * (nth - 1) // steps

    def goes_on(self, done: int, total: int) -> None:
        """So many games of the step's are done."""
        self.done, self.total = done, total
        if total and self.nth and self.steps:
            self.percent = 100 * ((self.nth - 1) * total + done) // (self.steps * total)


class Jobs:
    """The jobs of a server."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._jobs: dict[int, Job] = {}
        self._folder = ""
        self._number = 0

    def every(self) -> list[Job]:
        """The last ones first."""
        return list(self._jobs.values())[::-1]

    def job(self, number: int) -> Job:
        """Raises UnknownName for one that is not there, or not any more."""
        if number not in self._jobs:
            raise UnknownName("job", str(number), [])
        return self._jobs[number]

    def start(self, kind: Kind, caller: Caller) -> Job:
        """Begin a job; a backup is for admins alone, since it holds everything. Raises NotAllowed, and Stale while
        another one runs."""
        if kind == "backup" and not caller.may("admin"):
            raise NotAllowed("this is for: admin")
        if running := next((each for each in self._jobs.values() if each.state == "running"), None):
            raise Stale(f"job {running.id} ({running.kind}) is running: one is done at a time")
        self._number += 1
        job = self._jobs[self._number] = Job(self._number, kind, caller.actor, _now())
        for old in list(self._jobs)[:-MOST]:
            del self._jobs[old]
        self._window.begin(caller.actor, caller.audience, self._run, job)
        return job

    def _run(self, office: Office, job: Job) -> None:
        try:
            work = self._backup if job.kind == "backup" else WORK[job.kind]
            job.found = work(office, job)
            job.percent, job.state = 100, "done"
        except ArpadError as error:
            job.state, job.error = "failed", str(error)
        except Exception:
            job.state, job.error = "failed", "this is a defect of arpad; it was written to the server's log"
            logger.exception("job %d (%s)", job.id, job.kind)
        finally:
            job.ended = _now()

    def _backup(self, office: Office, _: Job) -> tuple[str, ...]:
        """A copy of the whole office; the one that was made before goes."""
        self._remove()
        self._folder = tempfile.mkdtemp(prefix="arpad-")
        keeping.backup(office, self.backup_file)
        return (f"{os.path.getsize(self.backup_file):,} bytes",)

    @property
    def backup_file(self) -> str:
        """Where the last backup lies. Raises UnknownName where there is none."""
        if not self._folder:
            raise UnknownName("backup", "last", [])
        return os.path.join(self._folder, "office.db")

    def _remove(self) -> None:
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = ""

    def close(self) -> None:
        self._remove()


def jobs_of(visit: Visit) -> Jobs:
    """Those of the server that is asked."""
    found: Jobs = visit.request.app.state.jobs
    return found


def _replay(office: Office, job: Job) -> tuple[str, ...]:
    found, every = [], office.lists()
    for nth, which in enumerate(every, 1):
        job.begins(which.name, nth, len(every))
        held = lists.replay(office, which.name, job.goes_on)
        found.append(f"{which.name}: {len(held.persons)}, sha256 {held.sha256}")
    return tuple(found)


def _verify(office: Office, job: Job) -> tuple[str, ...]:
    return tuple(keeping.verify(office, job.begins))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


#: What each kind does; its words, in order.
WORK = {"replay": _replay, "verify": _verify}
