"""Records, distributions, how lists develop, and the log of corrections."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, FromQuery, QueryParameter
from msgspec.structs import asdict

from arpad.bureau import drift, ranges
from arpad.web.api import paging
from arpad.web.api.answering import CSV, JSON, Answer, chosen
from arpad.web.api.tables import as_csv, table_of
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
    width: Annotated[float, QueryParameter(gt=0)] = ranges.WIDTH,
    classes: Annotated[str, QueryParameter(description="Class names, whose limits take the place of a width.")] = "",
    rating: Annotated[float | None, QueryParameter(description="A rating whose rank on each list is asked.")] = None,
) -> statistics.DistributionPage:
    """Ranges of ratings, counts over thresholds on every list, and the rank that a rating would have."""
    asked = statistics.DistributionAsked(day, width, classes, rating)
    return await visit.see(statistics.distribution, name, asked)


@get(
    "/lists/{name:str}/development",
    tags=["lists"],
    summary="How a list develops",
    opt={"forms": (JSON, CSV)},
    responses={200: ResponseSpec(statistics.DevelopmentPage)},
)
async def development(
    request: Request[Any, Any, Any],
    visit: Here,
    name: FromPath[str],
    since: Annotated[
        date | None, QueryParameter(name="from", description="A published list; the first without.")
    ] = None,
    until: Annotated[date | None, QueryParameter(name="to", description="A published list; the last without.")] = None,
    width: Annotated[
        float, QueryParameter(gt=0, description="Points of a range of differences, for the calibration.")
    ] = drift.WIDTH,
) -> Response[Any]:
    """The pool and those who are on the first and on the last list (the cohort), list by list; what moved the mean;
    where points came from; calibration and predictive loss; how federations meet. As CSV (`Accept: text/csv`), a row a
    list."""
    asked = statistics.DevelopmentAsked(since, until, width)
    page = await visit.see(statistics.development, name, asked)
    return as_csv(page.development.table()) if chosen(request, (JSON, CSV)) == CSV else Answer(page)


class CorrectionsPage(corrections.CorrectionsPage, frozen=True, kw_only=True):
    """A portion of the log; `next` is the cursor of the portion after it."""

    next: str | None


@get(
    "/corrections",
    tags=["corrections"],
    summary="The log of corrections",
    opt={"forms": (JSON, CSV)},
    responses={200: ResponseSpec(CorrectionsPage)},
)
async def log(
    request: Request[Any, Any, Any],
    visit: Here,
    person: Annotated[int, QueryParameter(ge=0, description="Only those that moved this person.")] = 0,
    cursor: paging.Cursor = "",
    limit: paging.Limit = corrections.SIZE,
) -> Response[Any]:
    """What was changed, why, by whom (a role), and how many ratings it moved; the last first. As CSV, one portion too
    (`Accept: text/csv`)."""
    whole = paging.stamp("corrections", person)  # what is added comes before the first one, and moves no portion
    page = await visit.see(corrections.corrections, paging.start_of(cursor, whole), limit, person, visit.language)
    after = paging.cursor_at(page.older, whole) if page.older else None
    if chosen(request, (JSON, CSV)) == CSV:
        return as_csv(table_of("corrections", corrections.Correction, page.corrections), paging.link(request, after))
    return Answer(CorrectionsPage(**asdict(page), next=after), headers=paging.link(request, after))


@get("/corrections/{entry:int}", tags=["corrections"], summary="One correction")
async def correction(visit: Here, entry: FromPath[int]) -> corrections.CorrectionPage:
    """One correction, and everybody whose rating it moved."""
    return await visit.see(corrections.correction, entry, visit.language)


HANDLERS = [list_records, distribution, development, log, correction]
