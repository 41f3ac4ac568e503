"""Rating lists: rows in portions or as files, what was published, and places on a list."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Sequence
from datetime import date
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get
from litestar.di import NamedDependency, Provide
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.response import Stream
from msgspec.structs import replace

from arpad.bureau.lists import Document
from arpad.bureau.opened import Office
from arpad.bureau.ranges import Rank, rank_of
from arpad.web.api import paging
from arpad.web.api.answering import CSV, FOREVER, JSON, NDJSON, Answer, chosen
from arpad.web.api.tables import PORTION, as_csv, as_lines
from arpad.web.views import catalogue, lists
from arpad.web.visits import Here

Name = FromPath[str]
Day = Annotated[date | None, QueryParameter(name="date", description="A published list; the last one without.")]


class RatingsPage(lists.ListPage, frozen=True, kw_only=True):
    """A portion of a list; `next` is the cursor of the portion after it."""

    next: str | None


async def asked_for(
    name: FromPath[str],
    day: Day = None,
    view: Annotated[
        lists.Kind, QueryParameter(description="As published, as the facts are now, or live.")
    ] = "published",
    q: Annotated[str, QueryParameter(description="Parts of a name, in any order, or a number.", max_length=200)] = "",
    federation: Annotated[str, QueryParameter(max_length=20)] = "",
    title: Annotated[str, QueryParameter(max_length=20)] = "",
    status: Annotated[str, QueryParameter(description="new, returned, active or inactive", max_length=20)] = "",
    sort: FromQuery[lists.Sort] = "rank",
    down: FromQuery[bool] = False,
) -> lists.Asked:
    """The filters of a list, as its page has them."""
    return lists.Asked(name, day, view, q, federation, title, status, sort, down)


Filters = NamedDependency[lists.Asked]
FILTERED = {"asked": Provide(asked_for)}


@get("/lists", tags=["lists"], summary="All lists")
async def every_list(visit: Here) -> catalogue.Lists:
    """Every list of the office, its rulebook, and what was published of it last."""
    return await visit.see(catalogue.every_list)


@get("/lists/{name:str}", tags=["lists"], summary="A list")
async def one_list(visit: Here, name: Name) -> catalogue.ListOf:
    """Its rulebook as it was pinned, its pool, and what was published last."""
    return await visit.see(catalogue.one_list, name)


@get(
    "/lists/{name:str}/ratings",
    tags=["lists"],
    summary="Rows of a rating list",
    dependencies=FILTERED,
    opt={"forms": (JSON, CSV)},
    responses={200: ResponseSpec(RatingsPage)},
)
async def ratings(
    request: Request[Any, Any, Any], visit: Here, asked: Filters, cursor: paging.Cursor = "", limit: paging.Limit = 100
) -> Response[Any]:
    """The same record as the page `/lists/{name}` shows, in portions; all rows at once as CSV (`Accept: text/csv`)."""
    if chosen(request, (JSON, CSV)) == CSV:
        return as_csv(await visit.see(lists.exported, asked))
    return await paging.portion(
        visit,
        RatingsPage,
        "rows",
        (),
        cursor,
        lambda office, start: lists.ratings(office, replace(asked, start=start, size=limit)),
        lambda office: _state(office, asked),
    )


def _state(office: Office, asked: lists.Asked) -> object:
    """Of a published list, which stays as it is, its digest; of any other the last entry."""
    first = lists.ratings(office, replace(asked, size=1))
    return first.sha256 or office.head, replace(asked, list=first.list, day=first.day)


@get(
    "/lists/{name:str}/ratings.csv",
    tags=["lists"],
    summary="A rating list as CSV",
    dependencies=FILTERED,
    opt={"forms": (CSV,)},
    media_type=CSV,
)
async def ratings_csv(visit: Here, asked: Filters) -> Response[bytes]:
    """All rows that the filters leave, as a file for spreadsheets."""
    return as_csv(await visit.see(lists.exported, asked))


@get(
    "/lists/{name:str}/ratings.ndjson",
    tags=["lists"],
    summary="A rating list as JSON Lines",
    dependencies=FILTERED,
    opt={"forms": (NDJSON,)},
    media_type=NDJSON,
)
async def ratings_lines(visit: Here, asked: Filters) -> Stream:
    """All rows that the filters leave, a line of JSON each."""
    page, rows = await visit.see(lists.every_row, asked)

    async def portions() -> AsyncIterator[Sequence[msgspec.Struct]]:
        for start in range(0, page.found, PORTION):
            yield rows[start : start + PORTION]

    return as_lines(portions())


@get("/lists/{name:str}/publications", tags=["lists"], summary="What was published of a list")
async def publications(visit: Here, name: Name) -> catalogue.Publications:
    """Every publication, the last first, with the digest of its bytes."""
    return await visit.see(catalogue.publications, name)


@get(
    "/lists/{name:str}/publications/{day:date}",
    tags=["lists"],
    summary="A published list, byte for byte",
    responses={200: ResponseSpec(Document, media_type=JSON, description="The bytes, with `Repr-Digest` (RFC 9530).")},
)
async def publication(visit: Here, name: Name, day: FromPath[date]) -> Response[bytes]:
    """The very bytes that were published: ids and numbers, no names. They never change, and caches may keep them."""
    held = await visit.see(catalogue.frozen, name, day)
    digest = base64.b64encode(bytes.fromhex(held.sha256)).decode()
    headers = {"Cache-Control": FOREVER, "Repr-Digest": f"sha-256=:{digest}:"}
    return Answer(held.content, media_type=JSON, headers=headers)


@get("/lists/{name:str}/rank", tags=["lists"], summary="The rank that a rating would have")
async def rank(visit: Here, name: Name, rating: Annotated[float, QueryParameter(ge=-100000, le=100000)]) -> list[Rank]:
    """On every published list, and on the live one, which has no day."""
    return await visit.see(rank_of, rating, name)


@get("/lists/{name:str}/around", tags=["lists"], summary="A list around a person or a rating")
async def around(
    visit: Here,
    name: Name,
    person: Annotated[int | None, QueryParameter(ge=1, description="Whose neighbours.")] = None,
    rating: Annotated[float | None, QueryParameter(ge=-100000, le=100000)] = None,
    size: Annotated[int, QueryParameter(ge=0, le=catalogue.MOST_AROUND, description="Rows on each side.")] = 5,
) -> catalogue.Around:
    """The live list around somebody, for a leaderboard; or around a rating that nobody needs to have."""
    return await visit.see(catalogue.around, name, person, rating, size)


HANDLERS = [
    every_list,
    one_list,
    ratings,
    ratings_csv,
    ratings_lines,
    publications,
    publication,
    rank,
    around,
]
