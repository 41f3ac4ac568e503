"""People who are looked for, and games."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, QueryParameter
from litestar.response import Stream

from arpad.web.api import paging
from arpad.web.api.answering import CSV, JSON, NDJSON, chosen
from arpad.web.api.tables import PORTION, as_csv, as_lines, table_of
from arpad.web.views import finding
from arpad.web.visits import Here


class PeoplePage(finding.FoundPage, frozen=True, kw_only=True):
    """A portion of who was found; `next` is the cursor of the portion after it."""

    next: str | None


@get(
    "/players",
    tags=["players"],
    summary="Look for people",
    opt={"forms": (JSON, CSV)},
    responses={200: ResponseSpec(PeoplePage)},
)
async def people(
    request: Request[Any, Any, Any],
    visit: Here,
    q: Annotated[str, QueryParameter(description="Parts of a name, in any order, or a number.", max_length=200)] = "",
    cursor: paging.Cursor = "",
    limit: paging.Limit = 100,
) -> Response[Any]:
    """Everybody by name, or whoever is looked for, however ö and ø are written; people who are not to be named are
    found by their number alone. All of them at once as CSV (`Accept: text/csv`)."""
    if chosen(request, (JSON, CSV)) == CSV:
        every = (await visit.see(finding.people, q, 0, None)).people
        return as_csv(table_of("people", finding.Found, every))
    return await paging.portion(
        visit, PeoplePage, "people", q, cursor, lambda office, start: finding.people(office, q, start, limit)
    )


@get("/games/{game:int}", tags=["games"], summary="A game")
async def game(visit: Here, game: FromPath[int]) -> finding.GamePage:
    """Who played, where, what it did on the list of its event, and why it does not count, if so."""
    return await visit.see(finding.game, game)


@get(
    "/games.ndjson",
    tags=["games"],
    summary="All games as JSON Lines",
    opt={"forms": (NDJSON,)},
    media_type=NDJSON,
)
async def games(
    visit: Here,
    after: Annotated[int, QueryParameter(ge=0, le=2**53, description="Only games behind this number.")] = 0,
) -> Stream:
    """Every game that counts, by number, a line of JSON each; each line is as the game was when the line was sent."""

    async def portions() -> AsyncIterator[Sequence[msgspec.Struct]]:
        last = after
        while rows := await visit.see(finding.games, last, PORTION):
            yield rows
            last = rows[-1].game

    return as_lines(portions())


HANDLERS = [people, game, games]
