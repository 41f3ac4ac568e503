"""Rulebooks."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from litestar import get
from litestar.params import FromPath, QueryParameter

from arpad.web.views import rulebooks
from arpad.web.visits import Here

Day = Annotated[date | None, QueryParameter(name="date", description="The clauses as they read on a day; now without.")]
Since = Annotated[date | None, QueryParameter(description="What changed since this day, too.")]


@get("/rulebooks", tags=["rulebooks"], summary="All rulebooks")
async def shelf(visit: Here) -> rulebooks.Shelf:
    """Every rulebook that ships, whose it is, since when, and what it was checked against."""
    return await visit.see(rulebooks.shelf)


@get("/rulebooks/{rulebook:str}", tags=["rulebooks"], summary="A rulebook")
async def one_rulebook(visit: Here, rulebook: FromPath[str], day: Day = None, since: Since = None) -> rulebooks.Book:
    """Its editions, and its clauses on a day, each with where it stands; texts in the language of `Accept-Language`."""
    return await visit.see(rulebooks.book, rulebook, day, since, visit.language)


@get("/rulebooks/{organisation:str}/{rulebook:str}", tags=["rulebooks"], summary="A rulebook of an organisation")
async def organisations_rulebook(
    visit: Here, organisation: FromPath[str], rulebook: FromPath[str], day: Day = None, since: Since = None
) -> rulebooks.Book:
    """The same for a name of two parts, such as `fide/standard`."""
    return await visit.see(rulebooks.book, f"{organisation}/{rulebook}", day, since, visit.language)


HANDLERS = [shelf, one_rulebook, organisations_rulebook]
