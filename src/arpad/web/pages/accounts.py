"""One's own account, and the desk's page of all of them."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, URLEncodedBody
from litestar.response import Redirect

from arpad.accounts import Role, book, codes, invites, passwords, sessions, signing, tokens
from arpad.accounts.signing import Refused
from arpad.accounts.tokens import LONGEST, SCOPES
from arpad.web import limits
from arpad.web.callers import at_least
from arpad.web.identity import address_of
from arpad.web.pages.forms import person
from arpad.web.pages.signing import LARGEST, Chosen, entered, fault_of
from arpad.web.views import accounts
from arpad.web.visits import Here, Visit

OWN: Any = {"guards": [at_least("member")], "request_max_body_size": LARGEST}
DESK: Any = {"guards": [at_least("officer")], "request_max_body_size": LARGEST}


class NewToken(msgspec.Struct, frozen=True):
    """A form for a token: what it is called, for how many days, and a box for each scope."""

    name: str = ""
    days: int = 90
    read: bool = False
    report: bool = False
    correct: bool = False
    publish: bool = False
    accounts: bool = False
    webhooks: bool = False

    @property
    def scopes(self) -> list[str]:
        return [scope for scope in SCOPES if getattr(self, scope)]


class Code(msgspec.Struct, frozen=True):
    """What an app says just now."""

    code: str = ""


class NewAccount(msgspec.Struct, frozen=True):
    """A form for an account. `person`: the number of who they are in the register, or blank."""

    name: str = ""
    role: Role = "member"
    person: str = ""


class Change(msgspec.Struct, frozen=True):
    """What becomes of an account."""

    act: Literal["role", "disable", "open", "invite"]
    role: Role = "member"


@get("/account", **OWN)
async def account(visit: Here) -> Response[Any]:
    """One's own account."""
    return await _account(visit)


async def _account(visit: Visit, status: int = 200, **told: Any) -> Response[str]:
    page = await visit.see(accounts.mine, visit.caller.account)
    said = {"fault": "", "wait": 0, "made": None, "key": None, "wrong_code": False, **told}
    rules = {"shortest": passwords.SHORTEST, "longest": passwords.LONGEST, "days": LONGEST}
    return visit.page("account.html", status, found=False, page=page, **said, **rules)


@post("/account/password", **OWN)
async def change_password(visit: Here, data: URLEncodedBody[Chosen]) -> Response[Any]:
    """Another password; all other sessions end."""
    own = await visit.see(book.account, visit.caller.account)
    if fault := fault_of(data, own) or ("same" if data.old == data.password else ""):
        return await _account(visit, 400, fault=fault)
    address = address_of(visit.request)
    came = await visit.do(signing.change_password, own.id, data.old, data.password, address)
    if isinstance(came, Refused):
        return await _account(visit, 429 if came.wait else 403, fault="wait" if came.wait else "old", wait=came.wait)
    return entered(visit, came, visit.links("account"))


@post("/account/code", status_code=200, **DESK)
async def begin_code(visit: Here) -> Response[Any]:
    """A key for an app that makes codes, shown this once."""
    key = await visit.do(codes.begin, visit.caller.account)
    return await _account(visit, key=_key(visit, key))


@post("/account/code/confirm", middleware=[limits.DOOR.middleware], **DESK)
async def confirm_code(visit: Here, data: URLEncodedBody[Code]) -> Response[Any]:
    """From now on signing in asks for a code."""
    if await visit.do(codes.confirm, visit.caller.account, data.code):
        return Redirect(visit.links("account"), status_code=303)
    return await _account(visit, 403, wrong_code=True)


@post("/account/code/end", middleware=[limits.DOOR.middleware], **DESK)
async def end_code(visit: Here, data: URLEncodedBody[Code]) -> Response[Any]:
    """Signing in asks for no code any more; to say so needs one."""
    if not await visit.do(codes.fits, visit.caller.account, data.code):
        return await _account(visit, 403, wrong_code=True)
    await visit.do(codes.end, visit.caller.account)
    return Redirect(visit.links("account"), status_code=303)


def _key(visit: Visit, key: str) -> tuple[str, str]:
    """A key as it is typed, and as an address that apps read."""
    return key, codes.address(key, visit.caller.name, visit.shop.title)


@post("/account/tokens", status_code=200, **OWN)
async def make_token(visit: Here, data: URLEncodedBody[NewToken]) -> Response[Any]:
    """A new token, shown this once."""
    made = await visit.do(tokens.make, visit.caller.account, data.name, data.scopes, data.days)
    return await _account(visit, made=made)


@post("/account/tokens/{token:int}/revoke", **OWN)
async def revoke_token(visit: Here, token: FromPath[int]) -> Redirect:
    """End a token."""
    await visit.do(tokens.revoke, visit.caller.account, token)
    return Redirect(visit.links("account"), status_code=303)


@post("/account/sessions/{session:str}/end", **OWN)
async def end_session(visit: Here, session: FromPath[str]) -> Redirect:
    """End one of one's own sessions."""
    await visit.do(sessions.end_one, visit.caller.account, session)
    return Redirect(visit.links("account"), status_code=303)


@get("/desk/accounts", **DESK)
async def everybody(visit: Here) -> Response[Any]:
    """All accounts."""
    return await _everybody(visit)


@post("/desk/accounts", status_code=200, **DESK)
async def invite(visit: Here, data: URLEncodedBody[NewAccount]) -> Response[Any]:
    """A new account, and the link by which it gets its password."""
    who = person(data.person, data.name) if data.person else None
    _, secret = await visit.do(invites.add, data.name, data.role, who, by=visit.caller.role)
    return await _everybody(visit, secret)


@post("/desk/accounts/{number:int}", status_code=200, **DESK)
async def change(visit: Here, number: FromPath[int], data: URLEncodedBody[Change]) -> Response[Any]:
    """Another role, closed, open again, or a new link for a password."""
    by = visit.caller.role
    if data.act == "invite":
        return await _everybody(visit, await visit.do(invites.invite, number, by=by))
    if data.act == "role":
        await visit.do(book.change_role, number, data.role, by=by)
    else:
        await visit.do(book.disable, number, data.act == "disable", by=by)
    return Redirect(visit.links("accounts"), status_code=303)


async def _everybody(visit: Visit, secret: str = "") -> Response[str]:
    page = await visit.see(accounts.everybody, visit.caller.role)
    address = str(visit.request.base_url).rstrip("/") + visit.links("invite", secret=secret) if secret else ""
    return visit.page("accounts.html", found=False, page=page, address=address)


HANDLERS = [
    account,
    change_password,
    begin_code,
    confirm_code,
    end_code,
    make_token,
    revoke_token,
    end_session,
    everybody,
    invite,
    change,
]
