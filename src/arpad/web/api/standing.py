"""How the office stands, who asks, and the whole of it to take away."""

from __future__ import annotations

import asyncio
import os
import tempfile
from typing import Any

import msgspec
from litestar import Request, Response, get
from litestar.openapi import ResponseSpec

from arpad.bureau.bundles import export
from arpad.bureau.opened import open_office
from arpad.web.api.answering import Answer
from arpad.web.callers import Role
from arpad.web.views import catalogue
from arpad.web.visits import Here

ZIP = "application/zip"


class Me(msgspec.Struct, frozen=True):
    """Who asks: `account` 0 is the public; `person` who that is in the register (null: nobody); `scopes` null:
    everything that the role may do."""

    role: Role
    account: int
    name: str
    person: int | None
    scopes: tuple[str, ...] | None


@get("/status", tags=["office"], summary="How the office stands")
async def status(visit: Here) -> catalogue.Status:
    """The last entry of the log and its hash, how many people and games there are, and the lists."""
    return await visit.see(catalogue.status)


@get("/me", tags=["office"], summary="Who asks")
async def me(visit: Here) -> Me:
    """The account behind a session or a token, and what it may do."""
    caller = visit.caller
    scopes = None if caller.scopes is None else tuple(sorted(caller.scopes))
    return Me(caller.role, caller.account, caller.name, caller.person, scopes)


@get(
    "/bundle.zip",
    tags=["office"],
    summary="The office without names, to check or to take away",
    opt={"forms": (ZIP,)},
    media_type=ZIP,
    responses={200: ResponseSpec(bytes, media_type=ZIP, description="A bundle; `arpad bundle check` replays it.")},
)
async def bundle(request: Request[Any, Any, Any], visit: Here) -> Response[bytes]:
    """A public bundle: every fact and every published list without any name; anybody replays it to the same bytes."""
    state = request.app.state
    async with state.bundling:  # one is made at a time, and kept until something is written
        head = (await visit.see(catalogue.status)).head
        if state.get("bundle", (None,))[0] != head:
            state.bundle = head, await asyncio.to_thread(_made, visit.shop.place)
    headers = {"Content-Disposition": f'attachment; filename="office-{head}.zip"'}
    return Answer(state.bundle[1], media_type=ZIP, headers=headers)


def _made(place: str) -> bytes:
    """Made with an office of its own: nobody who reads waits for it."""
    with tempfile.TemporaryDirectory() as folder, open_office(place) as office:
        target = os.path.join(folder, "office.zip")
        export(office, target, public=True)
        with open(target, "rb") as file:
            return file.read()


HANDLERS = [status, me, bundle]
