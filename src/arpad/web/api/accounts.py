"""Accounts. Tokens and passwords are made by people, on pages: a token cannot make itself another one."""

from __future__ import annotations

import msgspec
from litestar import delete, get, patch, post
from litestar.params import FromPath, JSONBody

from arpad.accounts import Role, book, invites, tokens
from arpad.accounts.book import Account
from arpad.bureau.opened import Office
from arpad.web.callers import at_least, scoped
from arpad.web.identity import TELLS_SECRET
from arpad.web.links import PLACES
from arpad.web.views import accounts
from arpad.web.visits import Here

#: The page where an invite is taken up, below the language.
INVITE = PLACES["invite"]


class NewAccount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`person`: the number of who they are in the register."""

    name: str
    role: Role = "member"
    person: int | None = None


class AccountChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is left out stays as it is."""

    role: Role | None = None
    disabled: bool | None = None


class Invited(msgspec.Struct, frozen=True):
    """An account, and the path of the page where it gets its password: below `/en`, `/it` or `/es`, told this once."""

    account: Account
    path: str


@get("/account", guards=[at_least("member")], tags=["accounts"], summary="The account of this token")
async def own(visit: Here) -> accounts.MyAccount:
    """The same record as the page `/account` shows."""
    return await visit.see(accounts.mine, visit.caller.account)


@delete("/account/token", guards=[scoped("read")], tags=["accounts"], summary="Revoke this token")
async def revoke(visit: Here) -> None:
    """The token that this is asked with ends for ever."""
    await visit.do(tokens.revoke, visit.caller.account, visit.caller.token)


@get("/accounts", guards=[scoped("accounts")], tags=["accounts"], summary="All accounts")
async def everybody(visit: Here) -> accounts.Everybody:
    """The same record as the page `/desk/accounts` shows."""
    return await visit.see(accounts.everybody, visit.caller.role)


@post("/accounts", guards=[scoped("accounts")], opt=TELLS_SECRET, tags=["accounts"], summary="Invite somebody")
async def add(visit: Here, data: JSONBody[NewAccount]) -> Invited:
    """A new account without a password, and the path where whoever has it sets one."""
    account, secret = await visit.do(invites.add, data.name, data.role, data.person, by=visit.caller.role)
    return Invited(account, INVITE.format(secret=secret))


@patch("/accounts/{number:int}", guards=[scoped("accounts")], tags=["accounts"], summary="Change an account")
async def change(visit: Here, number: FromPath[int], data: JSONBody[AccountChange]) -> Account:
    """Another role, closed, or open again. Its sessions end."""
    return await visit.do(_changed, number, data, visit.caller.role)


@post(
    "/accounts/{number:int}/invite",
    guards=[scoped("accounts")],
    opt=TELLS_SECRET,
    tags=["accounts"],
    summary="A new password",
)
async def invite(visit: Here, number: FromPath[int]) -> Invited:
    """The path where the account's owner sets another password."""
    return await visit.do(_invited, number, visit.caller.role)


def _invited(office: Office, number: int, by: Role) -> Invited:
    with office.store.writing():
        secret = invites.invite(office, number, by=by)
        return Invited(book.account(office, number), INVITE.format(secret=secret))


def _changed(office: Office, number: int, wanted: AccountChange, by: Role) -> Account:
    with office.store.writing():
        if wanted.role is not None:
            book.change_role(office, number, wanted.role, by=by)
        if wanted.disabled is not None:
            book.disable(office, number, wanted.disabled, by=by)
        return book.account(office, number)


HANDLERS = [own, revoke, everybody, add, change, invite]
