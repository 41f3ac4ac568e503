"""Events: what was played, what it did, and the reports they came with."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from litestar import Response, get
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, QueryParameter

from arpad.web.api import paging
from arpad.web.pages.events import attached, crosstable_file
from arpad.web.views import event as one
from arpad.web.views import events
from arpad.web.visits import Here

#: What files are served as; a report is for people with an account, of whom not everybody is allowed it.
REPORT = {"forms": ("application/octet-stream",), "scopes": ("read",)}
CROSSTABLE = {"forms": ("text/csv", "text/plain")}


class EventsPage(events.EventsPage, frozen=True, kw_only=True):
    """A portion of the events; `next` is the cursor of the portion after it."""

    next: str | None


@get(
    "/events",
    tags=["events"],
    summary="Events, the newest first",
    responses={200: ResponseSpec(EventsPage)},
)
async def event_list(
    visit: Here,
    q: Annotated[str, QueryParameter(description="Parts of the name.", max_length=200)] = "",
    pool: Annotated[str | None, QueryParameter(description="Only those of a pool.")] = None,
    cursor: paging.Cursor = "",
    limit: Annotated[int, QueryParameter(ge=1, le=events.MOST)] = events.SIZE,
) -> Response[Any]:
    """The same record as the page `/events` shows, in portions."""

    async def load(start: int, size: int) -> events.EventsPage:
        return await visit.see(events.events, events.Asked(q, pool, start, size))

    return await paging.portion(visit, EventsPage, "rows", (q, pool), cursor, limit, load)


@get("/events/{number:int}", tags=["events"], summary="One event")
async def event(
    visit: Here,
    number: FromPath[int],
    name: Annotated[str | None, QueryParameter(name="list", description="The first list of its pool without.")] = None,
) -> one.EventPage:
    """Crosstable, everybody's figures on a list, and what was reported beside what counts."""
    return await visit.see(one.event, number, name)


@get("/events/{number:int}/norms/{person:int}", tags=["events"], summary="Norms of a player in an event")
async def norms(
    visit: Here,
    number: FromPath[int],
    person: FromPath[int],
    language: Annotated[Literal["en", "it", "es"], QueryParameter(description="Of the sentences.")] = "en",
) -> tuple[tuple[str, ...], ...]:
    """Every condition, met or missing, for each title that the player does not hold; empty where norms do not apply."""
    return await visit.see(one.norms, number, person, language)


@get("/events/{number:int}/report", tags=["events"], summary="The report of an event as it came", opt=REPORT)
async def report(visit: Here, number: FromPath[int]) -> Response[bytes]:
    """For callers for whom everything is that is known of everybody in it."""
    return attached(await visit.see(one.report, number), visit.caller)


@get(
    "/events/{number:int}/crosstable",
    tags=["events"],
    summary="The crosstable of an event as a file",
    opt=CROSSTABLE,
)
async def table(
    visit: Here,
    number: FromPath[int],
    kind: Annotated[Literal["csv", "txt"], QueryParameter(name="format")] = "csv",
    name: Annotated[str | None, QueryParameter(name="list")] = None,
) -> Response[bytes]:
    """Opponents are named by their places in the table."""
    return crosstable_file(await visit.see(one.event, number, name), kind)


HANDLERS = [event_list, event, norms, report, table]
