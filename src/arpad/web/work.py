"""Long work: what each kind of it does, and how it stands meanwhile."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Literal, TypeAlias, get_args

import msgspec

from arpad.bureau import keeping, lists
from arpad.bureau.intake import Decisions
from arpad.bureau.opened import Office
from arpad.bureau.replays import Replays
from arpad.formats import Reading
from arpad.web.answers import ProblemDocument
from arpad.web.views import changes, publishing, reports

#: What is begun at the page of jobs, and what follows from a form of its own.
Chore: TypeAlias = Literal["replay", "verify", "backup", "site"]
Kind: TypeAlias = Literal["replay", "verify", "backup", "site", "accept", "publish", "change"]
#: Kinds that follow from a form, or a request, of their own.
ASKED = frozenset(get_args(Kind)) - frozenset(get_args(Chore))


class Job(msgspec.Struct):
    """A job, in its turn or done; `waiting`: others have theirs before. `step` is what it does now, the step `nth` of
    `steps`, with so many `done` of a `total`: games of a replay, of a report, pages of a site; `percent` of the whole,
    each step counted alike. What is not known is None.

    `report`, or `list` and `date`, are what it is about; `entry` is what it wrote in the log. `found` is what else it
    came to: replayed lists with their digests, faults, the folder of a site; `problem` why it did not come to an end,
    and `error` the same in a sentence. Instants are in UTC.
    """

    id: int
    kind: Kind
    actor: str
    started: str
    state: Literal["running", "done", "failed"] = "running"
    waiting: bool = True
    step: str = ""
    nth: int | None = None
    steps: int | None = None
    done: int | None = None
    total: int | None = None
    percent: int | None = None
    report: int | None = None
    list: str | None = None
    day: date | None = msgspec.field(default=None, name="date")
    entry: int | None = None
    found: tuple[str, ...] = ()
    error: str = ""
    problem: ProblemDocument | None = None
    ended: str | None = None

    def begins(self, step: str, nth: int, steps: int) -> None:
        """A step begins, of so many."""
        self.step, self.nth, self.steps, self.done, self.total = step, nth, steps, None, None
        self.percent = 100 * (nth - 1) // steps

    def goes_on(self, done: int, total: int) -> None:
        """So many are done of the step's."""
        self.done, self.total = done, total
        if total and self.nth and self.steps:
            self.percent = 100 * ((self.nth - 1) * total + done) // (self.steps * total)

    def ends(self, problem: ProblemDocument | None) -> None:
        """It is done, or failed for a reason."""
        self.problem, self.error = problem, problem.detail if problem else ""
        self.percent, self.state = (self.percent, "failed") if problem else (100, "done")
        self.ended = now()


def replay(office: Office, job: Job) -> None:
    """Every list from its base."""
    every = office.lists()
    for nth, which in enumerate(every, 1):
        job.begins(which.name, nth, len(every))
        held = lists.replay(office, which.name, job.goes_on)
        job.found += (f"{which.name}: {len(held.persons)}, sha256 {held.sha256}",)


def verify(office: Office, job: Job) -> None:
    """Whether all holds together: every list is replayed for that, also one whose replay is kept."""
    kept, office.replays = office.replays, Replays()
    try:
        job.found = tuple(keeping.verify(office, job.begins))
    finally:
        office.replays = kept


def accept(office: Office, job: Job, decisions: Decisions, reading: Reading, reason: str, head: int | None) -> None:
    """A report, whole."""
    assert job.report is not None
    job.begins("the report is read", 1, 2)

    def written(done: int, total: int) -> None:
        if job.nth == 1:
            job.begins("its games are written", 2, 2)
        job.goes_on(done, total)

    job.entry = reports.accept(office, job.report, decisions, reading, reason, head, progress=written).seq or None


def publish(office: Office, job: Job, reason: str, ahead: bool, head: int | None) -> None:
    """The list of a day."""
    assert job.day is not None
    job.begins("the facts are replayed", 1, 2)

    def replayed(done: int, total: int) -> None:
        job.goes_on(done, total)
        if done == total:
            job.begins("the list is written", 2, 2)

    done = publishing.publish(office, job.day, job.list, reason, head, ahead=ahead, progress=replayed)
    job.list, job.entry = done.list, done.entry


def change(office: Office, job: Job, asked: changes.Asked, reason: str, head: int | None) -> None:
    """A change, as it was previewed."""
    job.step = "the change is made, and every list replayed"
    job.entry = changes.carry_out(office, asked, reason, head).entry


def site(job: Job, place: str, folder: str, title: str) -> None:
    """The public pages as files, in a folder that whoever keeps the server has named."""
    from arpad.web.site import write_site  # which needs the whole application

    job.begins("the pages are written", 1, 1)
    made = write_site(place, folder, title=title, progress=job.goes_on)
    job.found = (f"{made.files:,} files in {made.folder}",)


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
