"""Records, distribution, and the log of corrections."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from arpad.web.views import corrections, statistics
from arpad.web.visits import Here


class LogAsked(msgspec.Struct, frozen=True):
    before: int = 0
    person: int = 0


@get("/lists/{name:str}/records")
async def list_records(visit: Here, name: FromPath[str]) -> Response[Any]:
    """Peaks, gains, streaks, and who ever reached a rating."""
    page = await visit.see(statistics.list_records, name, visit.asked(statistics.RecordsAsked))
    return visit.page("records.html", page=page)


@get("/lists/{name:str}/distribution")
async def distribution(visit: Here, name: FromPath[str]) -> Response[Any]:
    """How many have which rating, and the rank that a rating would have."""
    page = await visit.see(statistics.distribution, name, visit.asked(statistics.DistributionAsked))
    return visit.page("distribution.html", page=page)


@get("/corrections")
async def log(visit: Here) -> Response[Any]:
    """What was corrected, the last first."""
    asked = visit.asked(LogAsked)
    page = await visit.see(corrections.corrections, asked.before, person=asked.person, language=visit.language)
    return visit.page("corrections.html", page=page, person=asked.person)


@get("/corrections/{entry:int}")
async def correction(visit: Here, entry: FromPath[int]) -> Response[Any]:
    """One correction, and everybody whose rating it moved."""
    page = await visit.see(corrections.correction, entry, language=visit.language)
    return visit.page("correction.html", page=page)


HANDLERS = [list_records, distribution, log, correction]
