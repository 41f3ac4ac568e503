"""Long work of the office: what runs, how far it is, what it came to; the same as at the desk's page of jobs."""

from __future__ import annotations

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, JSONBody

from arpad.web.callers import at_least, scoped
from arpad.web.jobs import Job, Kind, jobs_of
from arpad.web.visits import Here


class JobAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be done: all lists replayed from their base, the whole office verified, or backed up (by admins)."""

    kind: Kind


class Jobs(msgspec.Struct, frozen=True):
    """The last jobs of this server, the last first."""

    jobs: tuple[Job, ...]


@get("/jobs", guards=[at_least("officer")], tags=["desk"], summary="Long work")
async def every(visit: Here) -> Jobs:
    """What runs and what was done, as long as the server remembers it."""
    return Jobs(tuple(jobs_of(visit).every()))


@post("/jobs", guards=[scoped("correct")], tags=["desk"], status_code=202, summary="Begin long work")
async def start(visit: Here, data: JSONBody[JobAsked]) -> Response[Job]:
    """It goes on by itself; `Location` is where it says how far it is. One is done at a time (409)."""
    job = jobs_of(visit).start(data.kind, visit.caller)
    return Response(job, headers={"Location": f"/api/v1/jobs/{job.id}"})


@get("/jobs/{number:int}", guards=[at_least("officer")], tags=["desk"], summary="How far long work is")
async def one(visit: Here, number: FromPath[int]) -> Job:
    """Ask again until `state` is not `running`: every second or two is often enough."""
    return jobs_of(visit).job(number)


HANDLERS = [every, start, one]
