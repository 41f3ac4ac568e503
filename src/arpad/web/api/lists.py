"""Rating lists."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from litestar import get
from litestar.params import FromPath, FromQuery, QueryParameter

from arpad.web.views import lists
from arpad.web.visits import Here


@get("/lists/{name:str}/ratings", tags=["lists"], summary="Rows of a rating list")
async def ratings(
    visit: Here,
    name: FromPath[str],
    day: Annotated[
        date | None, QueryParameter(name="date", description="A published list; the last one without.")
    ] = None,
    view: Annotated[
        lists.Kind, QueryParameter(description="As published, as the facts are now, or live.")
    ] = "published",
    q: Annotated[str, QueryParameter(description="Parts of a name, in any order, or a number.", max_length=200)] = "",
    federation: Annotated[str, QueryParameter(max_length=20)] = "",
    title: Annotated[str, QueryParameter(max_length=20)] = "",
    status: Annotated[str, QueryParameter(description="new, returned, active or inactive", max_length=20)] = "",
    sort: FromQuery[lists.Sort] = "rank",
    down: FromQuery[bool] = False,
    start: Annotated[int, QueryParameter(ge=0)] = 0,
    size: Annotated[int, QueryParameter(ge=1, le=lists.MOST)] = lists.SIZE,
) -> lists.ListPage:
    """The same record as the page `/lists/{name}` shows."""
    asked = lists.Asked(name, day, view, q, federation, title, status, sort, down, start, size)
    return await visit.see(lists.ratings, asked)


HANDLERS = [ratings]
