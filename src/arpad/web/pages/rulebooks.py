"""The pages of rulebooks."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from arpad.web.views import rulebooks
from arpad.web.visits import Here


class ShelfAsked(msgspec.Struct, frozen=True):
    q: str = ""


class BookAsked(msgspec.Struct, frozen=True):
    """The day as of which a rulebook is read, and another one since when changes are to be shown."""

    day: date | None = msgspec.field(default=None, name="date")
    since: date | None = None


@get("/rules")
async def shelf(visit: Here) -> Response[Any]:
    """All rulebooks, or those that are looked for."""
    asked = visit.asked(ShelfAsked)
    return visit.page("rulebooks.html", page=await visit.see(rulebooks.shelf, asked.q), asked=asked)


@get("/rules/{name:str}")
async def rulebook(visit: Here, name: FromPath[str]) -> Response[Any]:
    """A rulebook: its editions, and an edition clause by clause."""
    return await _book(visit, name)


@get("/rules/{organisation:str}/{name:str}")
async def organisations_rulebook(visit: Here, organisation: FromPath[str], name: FromPath[str]) -> Response[Any]:
    """The same for a name of two parts, such as `fide/standard`."""
    return await _book(visit, f"{organisation}/{name}")


async def _book(visit: Here, name: str) -> Response[Any]:
    asked = visit.asked(BookAsked)
    page = await visit.see(rulebooks.book, name, asked.day, asked.since, visit.language)
    return visit.page("rulebook.html", page=page, choices=choices(page))


def choices(page: rulebooks.Book) -> list[tuple[str, str]]:
    """Each edition, the newest first: a day on which it was in force, as an address has it, and its label."""
    return [(_day(edition.since), edition.since) for edition in reversed(page.editions)]


def _day(since: str) -> str:
    """What has no known beginning is asked for by the first day there is."""
    try:
        return date.fromisoformat(since).isoformat()
    except ValueError:
        return date.min.isoformat()


HANDLERS = [shelf, rulebook, organisations_rulebook]
