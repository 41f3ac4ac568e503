"""Long work of the office: what runs, how far it is, what it came to; the same as at the desk's page of jobs."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec
from litestar import Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, HeaderParameter, JSONBody

from arpad.web.callers import at_least, scoped
from arpad.web.jobs import Wanted, jobs_of, jobs_told
from arpad.web.visits import Here, Visit
from arpad.web.work import Chore, Job

#: What a program prefers that does not wait, and where it says so.
RESPOND_ASYNC = "respond-async"
Prefer: TypeAlias = Annotated[
    str,
    HeaderParameter(
        name="Prefer",
        description="`respond-async`: begin it, and answer at once (202) with the `Location` of a job.",
    ),
]
#: What the document says of that answer.
ACCEPTED = {202: ResponseSpec(Job, description="It is begun; `Location` is where it says how far it is.")}


class JobAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be done: all lists replayed from their base, the whole office verified, or backed up (by admins), or
    the public pages written as files, where the server was told where to."""

    kind: Chore


class Jobs(msgspec.Struct, frozen=True):
    """The last jobs of this server, the last first."""

    jobs: tuple[Job, ...]


def located(job: Job, **headers: str) -> Response[Job]:
    """Where a job says how far it is."""
    return Response(job, status_code=202, headers={"Location": f"/api/v1/jobs/{job.id}", **headers})


def begun(visit: Visit, head: int | None, wanted: Wanted) -> Response[Any]:
    """Work that a request would rather not wait for (RFC 7240)."""
    job = jobs_of(visit).ask(visit, head, wanted)
    return located(job, **{"Preference-Applied": RESPOND_ASYNC})


def waits(prefer: str) -> bool:
    """Whether whoever asks waits for the work to be done, as far as their `Prefer` says."""
    asked = (each.partition(";")[0].partition("=")[0].strip().casefold() for each in prefer.split(","))
    return RESPOND_ASYNC not in asked


@get("/jobs", guards=[at_least("officer")], tags=["desk"], summary="Long work")
async def every(visit: Here) -> Jobs:
    """What runs and what was done, as long as the server remembers it."""
    return Jobs(tuple((await jobs_told(visit)).every()))


@post("/jobs", guards=[scoped("correct")], tags=["desk"], status_code=202, summary="Begin long work")
async def start(visit: Here, data: JSONBody[JobAsked]) -> Response[Job]:
    """It goes on by itself; `Location` is where it says how far it is. One is done at a time (409); asked for again
    while it runs, it is the same job."""
    return located(jobs_of(visit).chore(data.kind, visit.caller))


@get(
    "/jobs/{number:int}",
    guards=[at_least("officer")],
    opt={"refusals": (410,)},
    tags=["desk"],
    summary="How far long work is",
)
async def one(visit: Here, number: FromPath[int]) -> Job:
    """Ask again until `state` is not `running`: every second or two is often enough. Of a job from before the server
    was started nothing is known (410): what it had not finished is not there; what it did stands in the log."""
    return (await jobs_told(visit)).job(number)


HANDLERS = [every, start, one]
