"""Events: what was played, what it did, and the reports they came with."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from litestar import Response, get
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, QueryParameter

from arpad.web.api import paging
from arpad.web.api.answering import CSV, answering
from arpad.web.pages.events import attached, crosstable_file
from arpad.web.views import event as one
from arpad.web.views import events
from arpad.web.visits import Here

OCTETS, TEXT = "application/octet-stream", "text/plain"


class EventsPortion(events.EventsPage, frozen=True, kw_only=True):
    """A portion of events; `next` is the cursor of the portion after it."""

    next: str | None


@get("/events", tags=["events"], summary="Events, the newest first", responses={200: ResponseSpec(EventsPortion)})
async def event_list(
    visit: Here,
    q: Annotated[str, QueryParameter(description="Parts of the name.", max_length=200)] = "",
    pool: Annotated[str | None, QueryParameter(description="Only those of a pool.")] = None,
    cursor: paging.Cursor = "",
    limit: paging.Limit = paging.LIMIT,
) -> Response[Any]:
    """The same record as the page `/events` shows, in portions."""
    return await paging.portion(
        visit,
        EventsPortion,
        "rows",
        (q, pool),
        cursor,
        lambda office, start: events.events(office, events.Asked(q, pool, start, limit)),
    )


@get("/events/{event:int}", tags=["events"], summary="One event")
async def event(
    visit: Here,
    event: FromPath[int],
    name: Annotated[str | None, QueryParameter(name="list", description="The first list of its pool without.")] = None,
) -> one.EventPage:
    """Crosstable, everybody's figures on a list, and what was reported beside what counts."""
    return await visit.see(one.event, event, name)


@get("/events/{event:int}/norms/{person:int}", tags=["events"], summary="Norms of a player in an event")
async def norms(
    visit: Here,
    event: FromPath[int],
    person: FromPath[int],
    language: Annotated[Literal["en", "it", "es"], QueryParameter(description="Of the sentences.")] = "en",
) -> tuple[tuple[str, ...], ...]:
    """Every condition, met or missing, for each title that the player does not hold; empty where norms do not apply."""
    return await visit.see(one.norms, event, person, language)


@get(
    "/events/{event:int}/report",
    tags=["events"],
    summary="The report of an event as it came",
    opt={"forms": (OCTETS,), "scopes": ("read",)},
    media_type=OCTETS,
)
async def report(visit: Here, event: FromPath[int]) -> Response[bytes]:
    """For callers for whom everything is that is known of everybody in it."""
    return answering(attached(await visit.see(one.report, event), visit.caller))


@get(
    "/events/{event:int}/crosstable",
    tags=["events"],
    summary="The crosstable of an event as a file",
    opt={"forms": (CSV, TEXT)},
    media_type=CSV,
)
async def table(
    visit: Here,
    event: FromPath[int],
    kind: Annotated[Literal["csv", "txt"], QueryParameter(name="format")] = "csv",
    name: Annotated[str | None, QueryParameter(name="list")] = None,
) -> Response[bytes]:
    """Opponents are named by their places in the table."""
    return answering(crosstable_file(await visit.see(one.event, event, name), kind))


HANDLERS = [event_list, event, norms, report, table]
