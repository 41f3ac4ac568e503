"""The pages of rating lists."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Mapping
from typing import Any

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from msgspec.structs import replace

from arpad.bureau.opened import Office
from arpad.formats.write import Format, write_table
from arpad.web.links import ServedLinks
from arpad.web.views import front, lists
from arpad.web.visits import Here

#: Files that a list can be had as, with what each is served as.
KINDS: Mapping[str, tuple[Format, str]] = {
    "csv": ("csv", "text/csv"),
    "json": ("json", "application/json"),
    "xlsx": ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}
#: One that says when it was written: among files, the same list would be another one each time.
DATED = "xlsx"


@get("/")
async def home(visit: Here) -> Response[Any]:
    """Every list of the office at a glance, and what was corrected last."""
    return visit.page("home.html", page=await visit.see(front.front, visit.language))


@get("/lists/{name:str}")
async def rating_list(visit: Here, name: FromPath[str]) -> Response[Any]:
    """A list; its filters are in the address."""
    asked = replace(visit.asked(lists.Asked), list=name)
    page, own = await visit.see(_shown, asked, visit.caller.person)
    kinds = [kind for kind in KINDS if visit.shop.served or kind != DATED]
    told: dict[str, Any] = {"columns": columns(visit.links, asked), "kinds": kinds, "own": own}
    return visit.page("list.html", page=page, asked=asked, **told)


def _shown(office: Office, asked: lists.Asked, person: int | None) -> tuple[lists.ListPage, lists.Row | None]:
    """A list's page, and the row of whoever asks, in one turn."""
    return lists.ratings(office, asked), lists.own_row(office, asked, person)


@get("/lists/{name:str}/file/{kind:str}")
async def list_file(visit: Here, name: FromPath[str], kind: FromPath[str]) -> Response[bytes]:
    """Exactly what the list shows, all of it, as a file."""
    if kind not in KINDS:
        raise NotFoundException(f"there is no {kind!r}; known: {', '.join(KINDS)}")
    table = await visit.see(lists.exported, replace(visit.asked(lists.Asked), list=name))
    form, media = KINDS[kind]
    held = io.BytesIO()
    await asyncio.to_thread(write_table, table, held, form, spreadsheet=True)
    called = re.sub("[^A-Za-z0-9-]+", "-", name)
    headers = {"Content-Disposition": f'attachment; filename="{called}.{kind}"'}
    return Response(held.getvalue(), media_type=media, headers=headers)


def columns(links: ServedLinks, asked: lists.Asked) -> dict[str, tuple[str, str]]:
    """By column: how it is sorted now, as `aria-sort` says it, and the address of the list sorted by it."""
    ways = {}
    for name in ("rank", "name", "rating", "change", "games", "played"):
        usual = name in ("rating", "change", "games", "played")  # of numbers, people want the largest first
        mine = asked.sort == name
        down = not asked.down if mine else usual
        state = ("descending" if asked.down else "ascending") if mine else "none"
        ways[name] = state, links.here(sort=None if name == "rank" else name, down=down, start=None)
    return ways


HANDLERS = [home, rating_list, list_file]
