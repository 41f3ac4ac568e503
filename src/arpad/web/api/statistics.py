"""Records, distributions, and the log of corrections."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from litestar import get
from litestar.params import FromPath, FromQuery, QueryParameter

from arpad.web.views import corrections, statistics
from arpad.web.visits import Here


@get("/lists/{name:str}/records", tags=["lists"], summary="Records of a list")
async def list_records(
    visit: Here,
    name: FromPath[str],
    over: Annotated[
        float | None, QueryParameter(description="Everybody whom a list ever printed with so much.")
    ] = None,
    federation: FromQuery[str] = "",
    part: Annotated[str, QueryParameter(description="A continent.")] = "",
) -> statistics.RecordsPage:
    """Published and live peaks are kept apart: a correction moves the second only."""
    return await visit.see(statistics.list_records, name, statistics.RecordsAsked(over, federation, part))


@get("/lists/{name:str}/distribution", tags=["lists"], summary="How a list spreads")
async def distribution(
    visit: Here,
    name: FromPath[str],
    day: Annotated[date | None, QueryParameter(name="date", description="The live list without.")] = None,
    width: Annotated[float, QueryParameter(gt=0)] = 100,
    classes: Annotated[str, QueryParameter(description="Class names, whose limits take the place of a width.")] = "",
    rating: Annotated[float | None, QueryParameter(description="A rating whose rank on each list is asked.")] = None,
) -> statistics.DistributionPage:
    """Ranges of ratings, counts over thresholds on every list, and the rank that a rating would have."""
    asked = statistics.DistributionAsked(day, width, classes, rating)
    return await visit.see(statistics.distribution, name, asked)


@get("/corrections", tags=["corrections"], summary="The log of corrections")
async def log(
    visit: Here,
    before: Annotated[int, QueryParameter(ge=0, description="Only entries before this one.")] = 0,
    person: Annotated[int, QueryParameter(ge=0, description="Only those that moved this person.")] = 0,
    size: Annotated[int, QueryParameter(ge=1, le=500)] = corrections.SIZE,
) -> corrections.CorrectionsPage:
    """What was changed, why, by whom (a role), and how many ratings it moved; the last first."""
    return await visit.see(corrections.corrections, before, size, person)


@get("/corrections/{entry:int}", tags=["corrections"], summary="One correction")
async def correction(visit: Here, entry: FromPath[int]) -> corrections.CorrectionPage:
    """One correction, and everybody whose rating it moved."""
    return await visit.see(corrections.correction, entry)


HANDLERS = [list_records, distribution, log, correction]
