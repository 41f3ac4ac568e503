"""Signing in and out, and taking up an invite: the pages of whoever is not signed in."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, URLEncodedBody
from litestar.response import Redirect

from arpad.accounts import invites, passwords, sessions, signing
from arpad.accounts.book import Account
from arpad.accounts.signing import Refused, SignedIn
from arpad.web import limits
from arpad.web.callers import at_least
from arpad.web.identity import OPEN_FORM, address_of, local
from arpad.web.visits import Here, Visit

#: Bytes of a form without files.
LARGEST = 20_000


class Asking(msgspec.Struct, frozen=True):
    """Somebody at the door. `next` is where they go then."""

    name: str = ""
    password: str = ""
    code: str = ""
    next: str = ""


class Chosen(msgspec.Struct, frozen=True):
    """A new password, and where one is asked for, the old one."""

    password: str = ""
    again: str = ""
    old: str = ""


@get("/sign-in", opt=OPEN_FORM)
async def door(visit: Here, next: FromQuery[str] = "") -> Response[Any]:
    """A name and a password."""
    if visit.caller.account:
        return Redirect(local(next, visit.links("account")), status_code=303)
    return _door(visit, Asking(next=next))


@post("/sign-in", opt=OPEN_FORM, middleware=[limits.DOOR.middleware], request_max_body_size=LARGEST)
async def sign_in(visit: Here, data: URLEncodedBody[Asking]) -> Response[Any]:
    """Let somebody in."""
    request, jar = visit.request, visit.shop.jar
    before = request.cookies.get(jar.session, "")
    came = await visit.do(signing.sign_in, data.name, data.password, address_of(request), before, data.code)
    if isinstance(came, Refused):
        return _door(visit, data, came)
    return entered(visit, came, local(data.next, visit.links("account")))


def entered(visit: Visit, came: SignedIn, to: str) -> Response[Any]:
    """The browser gets the new session, and goes on."""
    response = Redirect(to, status_code=303)
    response.set_cookie(visit.shop.jar.cookie(came.secret))
    return response


def _door(visit: Visit, asked: Asking, refused: Refused | None = None) -> Response[str]:
    status = 200 if refused is None else 429 if refused.wait else 403
    page = visit.page("sign-in.html", status, found=False, asked=asked, refused=refused)
    if refused and refused.wait:
        page.headers["Retry-After"] = str(refused.wait)
    return page


@post("/sign-out", guards=[at_least("member")], request_max_body_size=LARGEST)
async def sign_out(visit: Here) -> Response[Any]:
    """End the session."""
    jar = visit.shop.jar
    await visit.do(sessions.end, visit.request.cookies.get(jar.session, ""))
    response = Redirect(visit.links("home"), status_code=303)
    jar.forget(response)
    return response


@get("/invites/{secret:str}", opt=OPEN_FORM)
async def invite(visit: Here, secret: FromPath[str]) -> Response[Any]:
    """A password for whoever was invited."""
    return _invite(visit, await visit.see(invites.invited, secret), secret)


@post("/invites/{secret:str}", opt=OPEN_FORM, middleware=[limits.DOOR.middleware], request_max_body_size=LARGEST)
async def accept(visit: Here, secret: FromPath[str], data: URLEncodedBody[Chosen]) -> Response[Any]:
    """Take up an invite; then they sign in."""
    account = await visit.see(invites.invited, secret)
    fault = fault_of(data, account) if account else ""
    if account is None or fault:
        return _invite(visit, account, secret, fault)
    await visit.do(invites.accept, secret, data.password)
    return Redirect(visit.links("sign-in"), status_code=303)


def fault_of(chosen: Chosen, account: Account) -> str:
    """What is wrong with a new password, in a word; blank: nothing."""
    return "apart" if chosen.password != chosen.again else passwords.fault(chosen.password, account)


def _invite(visit: Visit, account: Account | None, secret: str, fault: str = "") -> Response[str]:
    status = 404 if account is None else 400 if fault else 200
    rules = {"shortest": passwords.SHORTEST, "longest": passwords.LONGEST}
    page = visit.page("invite.html", status, found=False, account=account, secret=secret, fault=fault, **rules)
    page.headers["Referrer-Policy"] = "no-referrer"  # the address is the secret
    page.headers["Cache-Control"] = "no-store"
    return page


HANDLERS = [door, sign_in, sign_out, invite, accept]
