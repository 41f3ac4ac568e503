"""People who are looked for."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, get

from arpad.web.views import finding
from arpad.web.visits import Here

#: People of a page, and of those that are shown below the field while somebody types.
PORTION, FIRST = 50, 8


class Asked(msgspec.Struct, frozen=True):
    """`quick`: only the first ones, for the field that every page has, and nobody as long as nothing is typed."""

    q: str = ""
    start: int = 0
    quick: bool = False


@get("/players")
async def people(visit: Here) -> Response[Any]:
    """Everybody on any list, or those whose name or number is looked for."""
    asked = visit.asked(Asked)
    start = max(0, asked.start)
    page = await visit.see(finding.people, asked.q, start, FIRST if asked.quick else PORTION)
    return visit.page("people.html", found=False, page=page, size=PORTION, quick=asked.quick)


HANDLERS = [people]
