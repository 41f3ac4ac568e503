"""The pages of rating lists."""

from __future__ import annotations

from typing import Any

from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Redirect
from msgspec.structs import replace

from arpad.web.links import ServedLinks
from arpad.web.views import lists
from arpad.web.visits import Here


@get("/")
async def home(visit: Here) -> Redirect:
    """The first list of the office."""
    page = await visit.see(lists.ratings, lists.Asked(size=1))
    return Redirect(visit.links("list", list=page.list))


@get("/lists/{name:str}")
async def rating_list(visit: Here, name: FromPath[str]) -> Response[Any]:
    """A list; its filters are in the address."""
    asked = replace(visit.asked(lists.Asked), list=name)
    page = await visit.see(lists.ratings, asked)
    return visit.page("list.html", page=page, asked=asked, columns=columns(visit.links, asked))


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


HANDLERS = [home, rating_list]
