"""`Idempotency-Key`: a POST that is sent twice is carried out once, and answered twice with the same answer.

Keys belong to an account. What was refused did nothing, and its key may be used again. What a request writes is kept in
one transaction with a mark at its key. So a server that was stopped in the midst of one leaves a key without the mark:
nothing was written, and the key is free again once nobody is at work on it; or one with the mark and without an answer:
then whoever sends it again is told so, and nothing is done twice. Whoever was taken for gone and was only slow finds
the key taken, and writes nothing. An answer that tells a secret of which only a digest is kept is not kept either: what
asks for one is done each time.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import secrets
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import msgspec
from litestar import Request
from litestar.datastructures import Headers
from litestar.exceptions import ClientException, HTTPException
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from arpad.bureau.opened import Office
from arpad.errors import Stale
from arpad.web.callers import PUBLIC, Caller
from arpad.web.visits import ALONG, Shop

HEADER = "idempotency-key"
#: How long an answer is kept: arpad's own choice.
KEPT = timedelta(hours=24)
#: After which another server may take up what one began that does not answer, as one of another host that is gone: the
#: longest that a request may take, by arpad's own count.
LONGEST = timedelta(minutes=10)
#: What stands at a key before there is the status of an answer.
BEGUN, CARRIED_OUT = 0, 1
#: Who is at work in this process.
LIVE: set[str] = set()
KEY = re.compile(r"[!-~]{1,255}")
#: Headers that belong to one sending of an answer.
OF_ONE_SENDING = {b"date", b"set-cookie", b"retry-after"}


class Kept(msgspec.Struct, frozen=True):
    """What was answered to a key; or BEGUN; or CARRIED_OUT, up to `entry` of the log, with an answer that is not known
    yet, or was lost."""

    digest: str
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    entry: int = 0


class Held(msgspec.Struct, frozen=True):
    """A key that is taken, and by whom: a word of its own for each sending, which names the process."""

    account: int
    key: str
    holder: str


def hold(account: int, key: str) -> Held:
    """A key to be taken by this process."""
    return Held(account, key, f"{platform.node()} {os.getpid()} {secrets.token_hex(8)}")


def begin(office: Office, held: Held, digest: str, now: datetime) -> Kept | None:
    """Take a key, if it is free; else what is kept of it. What is too old is forgotten."""
    store, which = office.store, (held.account, held.key)
    with store.writing():
        store.run("delete from idempotency where at < ?", ((now - KEPT).isoformat(),))
        columns = "digest, status, headers, body, entry, holder, at"
        found = store.row(f"select {columns} from idempotency where account = ? and key = ?", which)
        if found is not None:
            if found[1] != BEGUN or not abandoned(found[5], now - datetime.fromisoformat(found[6])):
                headers = msgspec.json.decode(found[2], type=tuple[tuple[str, str], ...])
                return Kept(found[0], found[1], headers, bytes(found[3]), found[4])
            store.run("delete from idempotency where account = ? and key = ?", which)
        columns = "account, key, digest, at, status, headers, body, holder"
        row = (*which, digest, now.isoformat(), BEGUN, "[]", b"", held.holder)
        store.insert("idempotency", columns.split(", "), [row])
    return None


def abandoned(holder: str, age: timedelta) -> bool:
    """Whether nobody is at work any more on a request that was begun so long ago. One that an older arpad began says
    nobody's name, nor whether anything was written: it stays taken."""
    if holder in LIVE or not holder:
        return False
    host, process, _ = holder.rsplit(" ", 2)
    here = host == platform.node()
    return age > LONGEST or (here and (int(process) == os.getpid() or not _runs(int(process))))


def _runs(process: int) -> bool:
    """Whether there is a process of this number on this host, as far as the system tells."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # there is one, of somebody else
    return True


def mark(office: Office, held: Held) -> None:
    """In the transaction of what a request writes: it is carried out. Raises Stale for a key that somebody else took
    meanwhile, so that nothing is written."""
    which = (held.account, held.key)
    holder = office.store.value("select holder from idempotency where account = ? and key = ?", which)
    if holder not in (held.holder, None):  # None: a person was erased, and all answers with them
        raise Stale(f"{HEADER}: the same was sent again, and is carried out there")
    sql = "update idempotency set status = ?, entry = ? where account = ? and key = ?"
    office.store.run(sql, (CARRIED_OUT, office.head, *which))


def end(office: Office, held: Held, answer: Kept | None) -> None:
    """Keep the answer to a key; without one the key is free again, if nothing was written."""
    which = (held.account, held.key, held.holder)
    with office.store.writing():
        if answer is None:
            sql = "delete from idempotency where account = ? and key = ? and holder = ? and status = ?"
            office.store.run(sql, (*which, BEGUN))
            return
        headers = msgspec.json.encode(answer.headers).decode()
        office.store.run(
            "update idempotency set status = ?, headers = ?, body = ? where account = ? and key = ? and holder = ?",
            (answer.status, headers, answer.body, *which),
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
        held = hold(caller.account, key)
        wanted = (
            f"{caller.role} {sorted(caller.scopes or ())} {scope['path']}?{asked['query_string'].decode('latin-1')}"
        )
        digest = fingerprint(wanted, headers.get("content-type", ""), body)
        scope["state"][ALONG] = lambda office: mark(office, held)
        LIVE.add(held.holder)
        try:
            kept = await shop.writing.ask(caller.audience, begin, held, digest, datetime.now(UTC))
            if kept is not None:
                await _again(kept, digest, send)
                return
            answer: Kept | None = None
            try:
                answer = await self._carried_out(asked, body, digest, send)
            finally:
                await shop.writing.ask(caller.audience, end, held, answer)
        finally:
            LIVE.discard(held.holder)

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
    """The answer that is kept. Raises HTTPException: 422 for another request, 409 while there is no answer yet,
    and where it was lost."""
    if kept.digest != digest:
        raise HTTPException(status_code=422, detail=f"{HEADER}: this key was used for another request")
    if kept.status == BEGUN:
        detail = f"{HEADER}: the request with this key was begun and is not answered yet"
        raise HTTPException(status_code=409, detail=detail, headers={"Retry-After": "5"})
    if kept.status == CARRIED_OUT:
        detail = (
            f"{HEADER}: the request with this key was carried out, not after entry {kept.entry} of the log, and its "
            f"answer is not known: look at what it did before you send it under another key"
        )
        raise HTTPException(status_code=409, detail=detail)
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in kept.headers]
    headers.append((b"idempotency-replayed", b"true"))
    await send({"type": "http.response.start", "status": kept.status, "headers": headers})
    await send({"type": "http.response.body", "body": kept.body, "more_body": False})
