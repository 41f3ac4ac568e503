"""Tokens: how programs show whose they are. Shown once, kept as a digest, never more than their account's role may."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date, timedelta
from typing import Any, Literal, TypeAlias, get_args

import msgspec

from arpad.accounts import Role, at_least, clock, secret
from arpad.accounts.book import Account, account
from arpad.bureau.opened import Office
from arpad.errors import UnknownName, UsageError
from arpad.ledger.facts import last_id

Scope: TypeAlias = Literal["read", "report", "correct", "publish", "accounts", "webhooks"]

SCOPES: tuple[Scope, ...] = get_args(Scope)
#: The role that each needs. With `report` a member's token acts on matches of the member's own alone.
NEEDS: dict[Scope, Role] = {
    "read": "member",
    "report": "member",
    "correct": "officer",
    "publish": "officer",
    "accounts": "officer",
    "webhooks": "officer",
}
#: How every token begins, so that programs that look for lost secrets know it.
PREFIX = "arpad_"
#: Days for which a token may be made.
LONGEST = 366


class Token(msgspec.Struct, frozen=True):
    """`used` is the last day on which it was; `expires` the last one on which it can be."""

    id: int
    account: int
    name: str
    scopes: tuple[Scope, ...]
    made: date
    expires: date
    used: date | None
    revoked: bool


class Made(msgspec.Struct, frozen=True):
    """A new token, with the secret that is shown this once."""

    token: Token
    secret: str


COLUMNS = "id, account, name, scopes, made, expires, used, revoked"


def make(office: Office, owner: int, name: str, scopes: Collection[str], days: int = 90) -> Made:
    """A token for so many days. Raises UsageError for scopes that are not there or not for the account's role."""
    shown = " ".join(name.split())
    if not 0 < len(shown) <= 80 or not shown.isprintable():
        raise UsageError("a token needs a name, by which you know it again, of no more than 80 letters")
    if not 1 <= days <= LONGEST:
        raise UsageError(f"a token is for a number of days between 1 and {LONGEST}")
    if not scopes:
        raise UsageError(f"a token needs a scope: {', '.join(SCOPES)}")
    if unknown := [each for each in scopes if each not in SCOPES]:
        raise UnknownName("scope", unknown[0], SCOPES)
    made, begins = PREFIX + secret.fresh(), today()
    with office.store.writing():
        role = account(office, owner).role
        chosen = tuple(each for each in SCOPES if each in scopes)
        if beyond := [each for each in chosen if not at_least(role, NEEDS[each])]:
            raise UsageError(f"the scope {beyond[0]!r} is not for the role {role!r}")
        token = Token(
            last_id(office.store, "token") + 1,
            owner,
            shown,
            chosen,
            begins,
            begins + timedelta(days=days),
            None,
            revoked=False,
        )
        row = (token.id, owner, shown, " ".join(chosen), begins.isoformat(), token.expires.isoformat(), "", 0)
        sql = f"insert into token ({COLUMNS}, digest) values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        office.store.run(sql, (*row, secret.digest(made)))
    return Made(token, made)


def of(office: Office, owner: int) -> list[Token]:
    """The tokens of an account, the newest first; those that were revoked too."""
    sql = f"select {COLUMNS} from token where account = ? order by id desc"
    return [_read(row) for row in office.store.rows(sql, (owner,))]


def bearer(office: Office, given: str) -> tuple[Account, Token] | None:
    """Whose token it is, as long as it is good and its account open. Of its scopes, those that the role may have."""
    if not given.startswith(PREFIX):
        return None
    row = office.store.row(f"select {COLUMNS} from token where digest = ?", (secret.digest(given),))
    if row is None:
        return None
    token = _read(row)
    owner = account(office, token.account)
    if token.revoked or owner.disabled or token.expires < today():
        return None
    return owner, msgspec.structs.replace(token, scopes=_within(token.scopes, owner.role))


def use(office: Office, token: int) -> None:
    """Keep that a token was used today."""
    office.store.run("update token set used = ? where id = ?", (today().isoformat(), token))


def today() -> date:
    """The day in UTC, by which tokens begin, are used, and end."""
    return clock.now().date()


def revoke(office: Office, owner: int, token: int) -> None:
    """End a token of an account for ever. Raises UnknownName for one that the account has not."""
    with office.store.writing():
        if not office.store.value("select count(*) from token where id = ? and account = ?", (token, owner)):
            raise UnknownName("token", str(token), [str(each.id) for each in of(office, owner)])
        office.store.run("update token set revoked = 1 where id = ?", (token,))


def _within(scopes: Iterable[Scope], role: Role) -> tuple[Scope, ...]:
    return tuple(each for each in scopes if at_least(role, NEEDS[each]))


def _read(row: tuple[Any, ...]) -> Token:
    number, owner, name, scopes, made, expires, used, revoked = row
    return Token(
        number,
        owner,
        name,
        tuple(scopes.split()),
        date.fromisoformat(made),
        date.fromisoformat(expires),
        date.fromisoformat(used) if used else None,
        bool(revoked),
    )
