"""How requests show whose they are: pages by the cookie of a session, the API by a token, neither by the other's.

Cookies are out of reach of scripts and of other sites; served by https they are bound to this host (`__Host-`). Public
pages set none. Forms that write carry a token which their cookie must match; the API has no cookies, hence no need.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.config.csrf import CSRFConfig
from litestar.datastructures import Cookie, MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.exceptions import NotAuthorizedException, NotFoundException
from litestar.middleware import ASGIMiddleware
from litestar.middleware.csrf import CSRFMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from arpad.accounts import sessions, tokens
from arpad.accounts.book import account
from arpad.bureau.opened import Office
from arpad.errors import LedgerError
from arpad.web.callers import PUBLIC, SAFE, Caller
from arpad.web.drawing import LANGUAGES
from arpad.web.window import Window

#: `opt` of a handler whose page has a form for whoever is not signed in.
OPEN_FORM = {"open_form": True}
#: `opt` of a handler that is sent something and writes nothing, so that anybody may, from anywhere.
WRITES_NOTHING = {"exclude_from_csrf": True}
#: `opt` of a handler whose answer is a secret of which only a digest is kept.
TELLS_SECRET = {"tells_secret": True}
#: An address of this site, in a language: what a sign-in may lead to.
LOCAL = re.compile(rf"/({'|'.join(LANGUAGES)})/[^\\\x00-\x20]*")


class Jar(msgspec.Struct, frozen=True):
    """The names and the kind of the cookies. `secret` signs what forms carry; `https`: only ever served by it."""

    secret: str
    https: bool = False

    @property
    def session(self) -> str:
        return "__Host-arpad" if self.https else "arpad"

    @property
    def forms(self) -> CSRFConfig:
        name = "__Host-arpad-form" if self.https else "arpad-form"
        return CSRFConfig(self.secret, cookie_name=name, cookie_secure=self.https, cookie_httponly=True)

    def cookie(self, secret: str) -> Cookie:
        """The cookie of a new session."""
        age = int(sessions.WHOLE.total_seconds())
        return Cookie(self.session, value=secret, max_age=age, secure=self.https, httponly=True, samesite="lax")

    def forget(self, response: Response[Any]) -> None:
        """Have the browser let go of its session."""
        gone = Cookie(self.session, value="", max_age=0, secure=self.https, httponly=True, samesite="lax")
        response.set_cookie(gone)


class Identified(ASGIMiddleware):
    """Says in `scope["user"]` who asks; of files that are everybody's, nobody asks."""

    scopes = (ScopeType.HTTP,)

    def __init__(self, door: Window, jar: Jar) -> None:
        self.door = door
        self.jar = jar

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        if "\0" in scope["path"]:
            raise NotFoundException  # nothing has such an address, no file either
        if scope.get("user") is None and not scope["path"].startswith("/static/"):
            request: Request[Any, Any, Any] = Request(scope)
            scope["user"] = await (self._bearer(request) if of_api(scope["path"]) else self._session(request))
        await next_app(scope, receive, send)

    async def _bearer(self, request: Request[Any, Any, Any]) -> Caller:
        """Raises NotAuthorizedException for a token that is none, or not any more."""
        given = request.headers.get("authorization")
        if given is None:
            return PUBLIC
        kind, _, secret = given.partition(" ")
        found = await self.door.ask("public", _by_token, secret.strip()) if kind.casefold() == "bearer" else None
        if found is None:
            said = 'Bearer realm="arpad", error="invalid_token"'
            raise NotAuthorizedException("this token is none, or not any more", headers={"WWW-Authenticate": said})
        return found

    async def _session(self, request: Request[Any, Any, Any]) -> Caller:
        secret = request.cookies.get(self.jar.session)
        found = await self.door.ask("public", _by_session, secret) if secret else None
        return found or PUBLIC


def of_api(path: str) -> bool:
    return f"{path}/".startswith("/api/")


def _by_session(office: Office, secret: str) -> Caller | None:
    session = sessions.find(office, secret)
    if session is None:
        return None
    if session.stale:
        with suppress(LedgerError):  # somebody writes just now: then the next page says that it was used
            sessions.use(office, secret)
    who = account(office, session.account)
    return Caller(who.role, who.id, who.name, None, who.person, session.id)


def _by_token(office: Office, secret: str) -> Caller | None:
    found = tokens.bearer(office, secret)
    if found is None:
        return None
    who, token = found
    if token.used != tokens.today():
        with suppress(LedgerError):
            tokens.use(office, token.id)
    return Caller(who.role, who.id, who.name, frozenset(token.scopes), who.person, token=token.id)


class Checked(CSRFMiddleware):
    """Litestar's check of forms, for pages; it sets its cookie only where there is a form to be sent. What is sent by
    the public is not even read, but where the handler says that anybody may."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            caller: Caller = scope.get("user") or PUBLIC
            opt = scope["route_handler"].opt
            if not caller.account and not opt.get("open_form"):
                if scope["method"] not in SAFE and not opt.items() >= WRITES_NOTHING.items():
                    raise NotAuthorizedException("this is for people with an account")
                await self.app(scope, receive, send)
                return
        await super().__call__(scope, receive, send)


def local(address: str, otherwise: str) -> str:
    """Where a sign-in leads: an address of this site, or else another one."""
    return address if LOCAL.fullmatch(address) else otherwise


def address_of(request: Request[Any, Any, Any]) -> str:
    return request.client.host if request.client else ""


#: What every answer carries. Nothing is loaded from anywhere else, and no page runs what stands in it.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
#: A browser that has seen the site by https asks for it by nothing else, for a year.
STRICT = {"Strict-Transport-Security": "max-age=31536000"}


class Headed:
    """Puts these headers on every answer, on errors and files too; what is for somebody signed in is not stored."""

    def __init__(self, https: bool) -> None:
        given = HEADERS | (STRICT if https else {})
        self.headers = [(name.lower().encode(), value.encode()) for name, value in given.items()]

    async def __call__(self, message: Message, scope: Scope) -> None:
        if message["type"] != "http.response.start":
            return
        headers = MutableScopeHeaders.from_message(message)
        there = {name.lower() for name, _ in headers.headers}
        headers.headers += [each for each in self.headers if each[0] not in there]
        caller: Caller = scope.get("user") or PUBLIC
        if caller.account:
            headers["Cache-Control"] = "no-store"
        if not scope["path"].startswith("/static/"):
            headers.extend_header_value("Vary", "Authorization" if of_api(scope["path"]) else "Cookie")


def bodiless(app: ASGIApp) -> ASGIApp:
    """The same application for HEAD too: what GET would answer, without its body (RFC 9110, 9.3.2)."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            scope["method"] = "HEAD"  # type: ignore[typeddict-unknown-key]  # the server looks whether there is a body
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        if scope["type"] == ScopeType.HTTP and scope["method"] == "HEAD":
            scope["method"] = "GET"
            await app(scope, receive, sent)
        else:
            await app(scope, receive, send)

    return answer
