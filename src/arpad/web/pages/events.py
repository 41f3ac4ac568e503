"""The pages of events, their reports as they came, and their crosstables as files."""

from __future__ import annotations

import io
import re
from typing import Any

import msgspec
from litestar import Response, get
from litestar.exceptions import NotAuthorizedException, NotFoundException, PermissionDeniedException
from litestar.params import FromPath

from arpad.bureau.filed import Original
from arpad.formats.aligned import aligned
from arpad.formats.write import Table, write_table
from arpad.web.callers import Caller
from arpad.web.views import event as one
from arpad.web.views import events, workings
from arpad.web.visits import Here


class Asked(msgspec.Struct, frozen=True):
    """On which list an event is shown; `player`: whose games are to be opened."""

    list: str | None = None
    player: int | None = None


@get("/events")
async def event_list(visit: Here) -> Response[Any]:
    """Every event, the newest first."""
    asked = visit.asked(events.Asked)
    return visit.page("events.html", page=await visit.see(events.events, asked), asked=asked)


@get("/events/{number:int}")
async def event(visit: Here, number: FromPath[int]) -> Response[Any]:
    """An event; its address stays whatever is corrected of it."""
    asked = visit.asked(Asked)
    page = await visit.see(one.event, number, asked.list)
    opened: workings.Explained | None = None
    norms: tuple[tuple[str, ...], ...] = ()
    if asked.player is not None and page.list:
        opened = await visit.see(workings.explained, asked.player, page.list, number, language=visit.language)
        if page.norms:
            norms = await visit.see(one.norms, number, opened.person, visit.language)
    return visit.page("event.html", page=page, opened=opened, norms=norms)


@get("/events/{number:int}/report")
async def report(visit: Here, number: FromPath[int]) -> Response[bytes]:
    """The report as it came, for whom everything in it is."""
    return attached(await visit.see(one.report, number), visit.caller)


@get("/events/{number:int}/crosstable/{kind:str}")
async def table(visit: Here, number: FromPath[int], kind: FromPath[str]) -> Response[bytes]:
    """The crosstable as a file: text or CSV."""
    return crosstable_file(await visit.see(one.event, number, visit.asked(Asked).list), kind)


def attached(found: Original | None, caller: Caller) -> Response[bytes]:
    """Bytes to be kept, never to be shown: whoever sent them may have meant harm. Raises PermissionDeniedException or
    NotAuthorizedException where there are none for the caller."""
    if found is None:
        refusal = PermissionDeniedException if caller.account else NotAuthorizedException
        raise refusal("the report holds facts about people that are not for everybody")
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", found.source).strip(".-") or "report"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(found.content, media_type="application/octet-stream", headers=headers)


def crosstable_file(page: one.EventPage, kind: str) -> Response[bytes]:
    """A crosstable as text or CSV; opponents by their places in it."""
    found = one.printed(page)
    name = f"event-{page.event}"
    if kind == "csv":
        held = io.BytesIO()
        write_table(Table(name, found), held, "csv", spreadsheet=True)
        body, media = held.getvalue(), "text/csv"
    elif kind == "txt":
        body, media = ("\n".join([page.name, "", *aligned(found)]) + "\n").encode(), "text/plain"
    else:
        raise NotFoundException(f"there is no {kind!r}; known: csv, txt")
    headers = {"Content-Disposition": f'attachment; filename="{name}.{kind}"'}
    return Response(body, media_type=media, headers=headers)


HANDLERS = [event_list, event, report, table]
