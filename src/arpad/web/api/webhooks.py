"""Webhooks of an account."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Request, delete, get, post
from litestar.params import FromPath, JSONBody

from arpad.web import hooks
from arpad.web.callers import scoped
from arpad.web.delivering import sound_url
from arpad.web.told import HAPPENINGS, Happening
from arpad.web.visits import Here

#: What each handler here has in common.
GUARDED: dict[str, Any] = {
    "guards": [scoped("webhooks")],
    "tags": ["webhooks"],
}


class Wanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where to tell, and what of."""

    url: Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
    events: Annotated[tuple[Happening, ...], msgspec.Meta(min_length=1, max_length=len(HAPPENINGS))]


class Hooks(msgspec.Struct, frozen=True):
    webhooks: tuple[hooks.Hook, ...]


class Deliveries(msgspec.Struct, frozen=True):
    """The last deliveries of a webhook, the last first."""

    deliveries: tuple[hooks.Delivery, ...]


@get("/webhooks", summary="Your webhooks", **GUARDED)
async def every_hook(visit: Here) -> Hooks:
    """All webhooks of the account that asks."""
    return Hooks(await visit.see(hooks.hooks, visit.caller.account))


@post("/webhooks", summary="Be told of what happens", **GUARDED)
async def register(request: Request[Any, Any, Any], visit: Here, data: JSONBody[Wanted]) -> hooks.Registered:
    """From the next entry of the log on, and the next that becomes of a match of a ladder, each is sent to the address
    as a POST, signed with the secret that this answer has (and no later one): `Arpad-Signature: t=…,v1=…`, where `v1`
    is HMAC-SHA256 over `t`, a dot, and the body. `Arpad-Delivery` is the same each time a delivery is tried: keep it,
    and you are told everything once. The body of each event is under `webhooks` in the document. A match that counts
    is told as `match.confirmed` or `match.settled`, and as the `report.accepted` that its game came by."""
    url = sound_url(data.url, request.app.state.allow_private)
    return await visit.do(hooks.register, visit.caller.account, url, data.events)


@get("/webhooks/{hook:int}", summary="A webhook", **GUARDED)
async def one_hook(visit: Here, hook: FromPath[int]) -> hooks.Hook:
    """Where it tells, what of, and up to which entry of the log."""
    return await visit.see(hooks.hook, visit.caller.account, hook)


@delete("/webhooks/{hook:int}", summary="No longer be told", **GUARDED)
async def remove(visit: Here, hook: FromPath[int]) -> None:
    """What was not delivered yet is not delivered any more."""
    await visit.do(hooks.remove, visit.caller.account, hook)


@get("/webhooks/{hook:int}/deliveries", summary="What was told", **GUARDED)
async def deliveries(visit: Here, hook: FromPath[int]) -> Deliveries:
    """The last hundred deliveries: when they are tried next, how often they were, and what was answered last."""
    return Deliveries(await visit.see(hooks.deliveries, visit.caller.account, hook))


@post("/webhooks/{hook:int}/deliveries/{delivery:str}/again", status_code=200, summary="Tell once more", **GUARDED)
async def again(visit: Here, hook: FromPath[int], delivery: FromPath[str]) -> hooks.Delivery:
    """A delivery that was given up, or that got lost at your side: tried again from the first attempt on."""
    return await visit.do(hooks.again, visit.caller.account, hook, delivery)


HANDLERS = [every_hook, register, one_hook, remove, deliveries, again]
