"""`Idempotency-Key`: a POST that is sent twice is carried out once, and answered twice with the same answer.

Keys belong to an account. What was refused did nothing, and its key may be used again. A key whose request was begun
and never answered, since the server was stopped in its midst, stays taken until it is forgotten: whoever sent it has to
look whether it was carried out. An answer that tells a secret of which only a digest is kept is not kept either: what
asks for one is done each time.
"""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import msgspec
from litestar import Request
from litestar.datastructures import Headers
from litestar.exceptions import ClientException, HTTPException
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from arpad.bureau.opened import Office
from arpad.web.callers import PUBLIC, Caller
from arpad.web.visits import Shop

HEADER = "idempotency-key"
#: How long an answer is kept: arpad's own choice.
KEPT = timedelta(hours=24)
KEY = re.compile(r"[!-~]{1,255}")
#: Headers that belong to one sending of an answer.
OF_ONE_SENDING = {b"date", b"set-cookie", b"retry-after"}


class Kept(msgspec.Struct, frozen=True):
    """What was answered to a key; status 0: nothing yet."""

    digest: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


def begin(office: Office, account: int, key: str, digest: str, now: datetime) -> Kept | None:
    """Take a key, if it is free; else what is kept of it. What is too old is forgotten."""
    store = office.store
    with store.writing():
        store.run("delete from idempotency where at < ?", ((now - KEPT).isoformat(),))
        columns = "digest, status, headers, body"
        found = store.row(f"select {columns} from idempotency where account = ? and key = ?", (account, key))
        if found is not None:
            headers = msgspec.json.decode(found[2], type=tuple[tuple[str, str], ...])
            return Kept(found[0], found[1], headers, bytes(found[3]))
        row = (account, key, digest, now.isoformat(), 0, "[]", b"")
        store.insert("idempotency", ("account", "key", "digest", "at", "status", "headers", "body"), [row])
    return None


def end(office: Office, account: int, key: str, answer: Kept | None) -> None:
    """Keep the answer to a key; without one, the key is free again."""
    with office.store.writing():
        if answer is None:
            office.store.run("delete from idempotency where account = ? and key = ?", (account, key))
            return
        headers = msgspec.json.encode(answer.headers).decode()
        office.store.run(
            "update idempotency set status = ?, headers = ?, body = ? where account = ? and key = ?",
            (answer.status, headers, answer.body, account, key),
        )


class Once:
    """The middleware: only POSTs of an account with a key are looked at."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = cast("HTTPScope", scope)  # the API has no other kind
        caller: Caller = asked.get("user") or PUBLIC
        headers = Headers.from_scope(asked)
        key = headers.get(HEADER, "")
        keepable = asked["method"] == "POST" and caller.account and not asked["route_handler"].opt.get("tells_secret")
        if not keepable or not key:
            await self.app(scope, receive, send)
            return
        if not KEY.fullmatch(key):
            raise ClientException(f"{HEADER}: 1 to 255 visible characters")
        request: Request[Any, Any, Any] = Request(scope, receive)
        body = await request.body()
        shop: Shop = scope["litestar_app"].state.shop
        account = caller.account
        wanted = (
            f"{caller.role} {sorted(caller.scopes or ())} {scope['path']}?{asked['query_string'].decode('latin-1')}"
        )
        digest = fingerprint(wanted, headers.get("content-type", ""), body)
        kept = await shop.writing.ask(caller.audience, begin, account, key, digest, datetime.now(UTC))
        if kept is not None:
            await _again(kept, digest, send)
            return
        answer: Kept | None = None
        try:
            answer = await self._carried_out(asked, body, digest, send)
        finally:
            await shop.writing.ask(caller.audience, end, account, key, answer)

    async def _carried_out(self, scope: HTTPScope, body: bytes, digest: str, send: Send) -> Kept | None:
        """The answer, as it was sent; None of a refusal. It is sent as it is, for whoever repeats may read no gzip."""
        plain: Any = {**scope, "headers": [each for each in scope["headers"] if each[0] != b"accept-encoding"]}
        status = 0
        headers: tuple[tuple[str, str], ...] = ()
        parts: list[bytes] = []

        async def replayed() -> Any:
            return {"type": "http.request", "body": body, "more_body": False}

        async def noted(message: Message) -> None:
            nonlocal status, headers
            if message["type"] == "http.response.start":
                status = message["status"]
                told = [each for each in message["headers"] if each[0].lower() not in OF_ONE_SENDING]
                headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in told)
            elif message["type"] == "http.response.body":
                parts.append(message.get("body", b""))
            await send(message)

        await self.app(plain, replayed, noted)
        return Kept(digest, status, headers, b"".join(parts)) if 200 <= status < 400 else None


def fingerprint(wanted: str, media: str, body: bytes) -> str:
    """What a request is known by: what is asked for, as far as whoever asks may, and the body. The line between the
    parts of a form is another one at each sending."""
    boundary = re.search(r'boundary="?([^";]+)', media)
    plain = body.replace(boundary[1].encode(), b"") if boundary else body
    return hashlib.sha256(b"\n".join((wanted.encode(), media.partition(";")[0].encode(), plain))).hexdigest()


async def _again(kept: Kept, digest: str, send: Send) -> None:
    """The answer that is kept. Raises HTTPException: 422 for another request, 409 while there is no answer yet."""
    if kept.digest != digest:
        raise HTTPException(status_code=422, detail=f"{HEADER}: this key was used for another request")
    if not kept.status:
        detail = f"{HEADER}: the request with this key was begun and is not answered yet"
        raise HTTPException(status_code=409, detail=detail)
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in kept.headers]
    headers.append((b"idempotency-replayed", b"true"))
    await send({"type": "http.response.start", "status": kept.status, "headers": headers})
    await send({"type": "http.response.body", "body": kept.body, "more_body": False})
