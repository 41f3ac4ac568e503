"""Long work of an office: it goes on when whoever asked has left, and says how it stands.

What writes runs on the window of those who write, in its turn; what only reads or copies, on a window of its own, so
that nobody waits for it. What is known of jobs is kept as long as the server runs; what they did is in the office.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from time import time
from typing import Any, get_args

import msgspec
from litestar.exceptions import HTTPException

from arpad.bureau import keeping
from arpad.bureau.opened import Office
from arpad.errors import NotAllowed, Stale, UnknownName, UsageError
from arpad.web import work
from arpad.web.answers import described
from arpad.web.callers import Caller
from arpad.web.views import desk
from arpad.web.visits import Shop, Visit
from arpad.web.window import Window
from arpad.web.work import Chore, Job, Kind

logger = logging.getLogger(__name__)

#: Jobs that are remembered once they have ended.
MOST = 50
#: Seconds in which a job may end so that its outcome is shown at once, in place of how it stands: arpad's own number.
MOMENT = 1.0


class Wanted(msgspec.Struct, frozen=True):
    """Work that a form or a program asks for: what does it, `about` what, and what else it is given."""

    kind: Kind
    act: Callable[..., None]
    decided: tuple[Any, ...]
    about: Mapping[str, Any] = {}


class Jobs:
    """The jobs of a server. Their numbers go by the clock, in milliseconds, which no work outruns: none is given again
    by a server that is started later, and one from before this one was started is known by that. `folder` is where the
    site may be written."""

    def __init__(self, shop: Shop, folder: str | None = None) -> None:
        self._shop = shop
        self._aside = Window(shop.place)
        self._folder = folder
        self._jobs: dict[int, Job] = {}
        self._asked: dict[int, str] = {}  # digests: who was erased shall not stand here
        self._ends: dict[int, Future[Exception | None]] = {}
        self._forms: dict[int, Mapping[str, Any]] = {}
        self._backup = ""
        self._begun = self._number = _clock()

    def every(self) -> list[Job]:
        """The last ones first."""
        return list(self._jobs.values())[::-1]

    def chores(self, caller: Caller) -> list[Chore]:
        """What somebody may begin."""
        missing = {"site"} if self._folder is None else set()
        missing |= set() if caller.may("admin") else {"backup"}
        return [each for each in get_args(Chore) if each not in missing]

    def job(self, number: int) -> Job:
        """Raises HTTPException (410) for one from before the server was started, UnknownName for one that never was, or
        is forgotten."""
        if number in self._jobs:
            return self._jobs[number]
        if number <= self._begun:
            detail = (
                f"job {number} is from before this server was started: what it had not finished is not there, and what "
                f"it did stands in the log"
            )
            raise HTTPException(status_code=410, detail=detail)
        raise UnknownName("job", str(number), [])

    def form(self, job: Job) -> Mapping[str, Any]:
        """The fields of the form that asked for a job, so that it can be looked at again."""
        return self._forms.get(job.id, {})

    def chore(self, kind: Chore, caller: Caller) -> Job:
        """Begin what is not asked for by a form of its own; asked for again while it runs, it is the same job. A backup
        is for admins alone, since it holds everything. Raises NotAllowed, UsageError for a site without a folder, and
        Stale while another one runs."""
        if kind == "backup" and not caller.may("admin"):
            raise NotAllowed("this is for: admin")
        if kind == "site" and self._folder is None:
            raise UsageError("this server was not told where the site is to be written")
        running = next((each for each in self._jobs.values() if each.state == "running" and each.kind in CHORES), None)
        if running and running.kind != kind:
            raise Stale(f"job {running.id} ({running.kind}) is running: one is done at a time")
        if running:
            return running
        acts = {"replay": work.replay, "verify": work.verify, "backup": self._back_up, "site": self._write_site}
        return self._start(self._made(kind, caller), caller, acts[kind])

    def ask(self, visit: Visit, head: int | None, wanted: Wanted, form: Mapping[str, Any] = {}) -> Job:
        """Begin what somebody asks for after the last entry `head`, None: whichever it is. If they asked for the very
        same, it is that job: while it runs, and, where they name the entry, once it is done."""
        asked = hashlib.sha256(repr((visit.caller.actor, head, wanted)).encode()).hexdigest()
        same = [job for job in self._jobs.values() if self._asked.get(job.id) == asked]
        if found := [job for job in same if job.state == "running" or (job.state == "done" and head is not None)]:
            return found[-1]
        job = self._made(wanted.kind, visit.caller, **wanted.about)
        self._asked[job.id], self._forms[job.id] = asked, form
        return self._start(job, visit.caller, visit.along(wanted.act), *wanted.decided, head)

    def _made(self, kind: Kind, caller: Caller, **about: Any) -> Job:
        self._number = max(self._number + 1, _clock())
        job = self._jobs[self._number] = Job(self._number, kind, caller.actor, work.now(), **about)
        for old in [each.id for each in self._jobs.values() if each.state != "running"][:-MOST]:
            self._forget(old)
        return job

    def _forget(self, number: int) -> None:
        for held in (self._jobs, self._asked, self._ends, self._forms):
            held.pop(number, None)

    def let_go(self, erased: str) -> None:
        """Forget what was begun before an instant, at which somebody was erased, and failed: its form, or what was
        wrong with it, may name them."""
        for old in [each.id for each in self._jobs.values() if each.state == "failed" and each.started <= erased]:
            self._forget(old)

    def _start(self, job: Job, caller: Caller, act: Callable[..., None], *decided: Any) -> Job:
        window = self._aside if job.kind in ASIDE else self._shop.writing
        self._ends[job.id] = window.begin(caller.actor, caller.audience, _run, job, act, *decided)
        self._ends[job.id].add_done_callback(partial(self._ended, job))
        return job

    def _ended(self, job: Job, end: Future[Exception | None]) -> None:
        """Of what was done the form is forgotten; what failed is looked at again."""
        if end.result() is None:
            self._forms.pop(job.id, None)

    async def soon(self, job: Job) -> asyncio.Future[Exception | None] | None:
        """The end of a job, with what it failed by; None where it does not end within a moment."""
        end = asyncio.wrap_future(self._ends[job.id])
        ended, _ = await asyncio.wait([end], timeout=MOMENT)
        return end if ended else None

    def _back_up(self, office: Office, job: Job) -> None:
        """A copy of the whole office; the one that was made before goes."""
        self._remove()
        self._backup = tempfile.mkdtemp(prefix="arpad-")
        job.begins("the office is copied", 1, 1)
        keeping.backup(office, self.backup_file, partial(_share, job))
        job.found = (f"{os.path.getsize(self.backup_file):,} bytes",)

    def _write_site(self, _: Office, job: Job) -> None:
        assert self._folder is not None
        work.site(job, self._shop.place, self._folder, self._shop.title)

    @property
    def backup_file(self) -> str:
        """Where the last backup lies. Raises UnknownName where there is none."""
        if not self._backup:
            raise UnknownName("backup", "last", [])
        return os.path.join(self._backup, "office.db")

    def _remove(self) -> None:
        if self._backup:
            shutil.rmtree(self._backup, ignore_errors=True)
            self._backup = ""

    def close(self) -> None:
        self._aside.close()
        self._remove()


def jobs_of(visit: Visit) -> Jobs:
    """Those of the server that is asked."""
    found: Jobs = visit.request.app.state.jobs
    return found


async def jobs_told(visit: Visit) -> Jobs:
    """The same, with what may be told of them."""
    held = jobs_of(visit)
    held.let_go(await visit.shop.reading.ask(visit.caller.audience, desk.last_erasure))
    return held


def _clock() -> int:
    return int(time() * 1000)


def _run(office: Office, job: Job, act: Callable[..., None], *decided: Any) -> Exception | None:
    """Do a job; what it failed by."""
    job.waiting = False
    try:
        act(office, job, *decided)
    except Exception as error:
        job.ends(described(error))
        if job.problem and job.problem.status == 500:
            logger.exception("job %d (%s)", job.id, job.kind)
        return error
    job.ends(None)
    return None


def _share(job: Job, done: int, total: int) -> None:
    """A part of what is counted in nothing that anybody knows: the percentage alone is told."""
    job.percent = 100 * done // max(1, total)


#: What is begun by itself, and what of it writes nothing.
CHORES = frozenset(get_args(Chore))
ASIDE = CHORES - {"replay"}
