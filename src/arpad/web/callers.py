"""Who asks: the public, or somebody with an account, by a session or by a token."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from litestar.connection import ASGIConnection
from litestar.exceptions import NotAuthorizedException, PermissionDeniedException
from litestar.handlers.base import BaseRouteHandler
from litestar.types import Guard

from arpad import accounts
from arpad.accounts import ROLES, Role
from arpad.accounts.tokens import NEEDS, Scope
from arpad.bureau.ladder_rows import Who

__all__ = ["PUBLIC", "ROLES", "Caller", "Role", "at_least", "scoped", "who_of"]

#: Who sees what of a person: see `bureau.opened.AUDIENCES`.
AUDIENCE = {"public": "public", "member": "members", "reporter": "members", "officer": "officers", "admin": "officers"}
#: Methods that only read.
SAFE = ("GET", "HEAD", "OPTIONS")


class Caller(msgspec.Struct, frozen=True):
    """Who asks. `account` is 0 for the public; `person` is who they are in the register; `scopes` None: everything that
    the role may do; `session` or `token` is what they showed."""

    role: Role = "public"
    account: int = 0
    name: str = ""
    scopes: frozenset[str] | None = None
    person: int | None = None
    session: str = ""
    token: int = 0

    def may(self, role: Role) -> bool:
        return accounts.at_least(self.role, role)

    def has(self, scope: Scope) -> bool:
        """Whether both the role and, of a token, its scopes go so far."""
        return self.may(NEEDS[scope]) and (self.scopes is None or scope in self.scopes)

    @property
    def audience(self) -> str:
        return AUDIENCE[self.role if self.has("read") else "public"]

    @property
    def actor(self) -> str:
        """How the log names them: by role and number, never by name."""
        return f"{self.role} {self.account}" if self.account else self.role


PUBLIC = Caller()


def caller_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Caller:
    found: Caller = connection.scope.get("user") or PUBLIC
    return found


def who_of(caller: Caller) -> Who:
    """Who acts on a ladder: as an officer only with a token that may correct."""
    role: Literal["player", "reporter", "officer"] = "player"
    if caller.has("correct"):
        role = "officer"
    elif caller.may("reporter"):
        role = "reporter"
    return Who(role, caller.person or 0, caller.account)


def at_least(role: Role) -> Guard:
    """A guard of handlers: by role. A token, which goes no further than its scopes, only reads by it.

    Raises NotAuthorizedException for the public, PermissionDeniedException for a lower role.
    """

    def guard(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        caller = caller_of(connection)
        if not caller.may(role):
            _refuse(caller, f"this is for: {role}")
        if caller.scopes is not None and (connection.scope.get("method") not in SAFE or "read" not in caller.scopes):
            _refuse(caller, "this token has no scope for it")

    return guard


class scoped:
    """A guard of the API's handlers that write: by what a token is for, and the role which that needs, or a higher one
    that the handler names."""

    def __init__(self, scope: Scope, role: Role | None = None) -> None:
        self.scope = scope
        self.role = role or NEEDS[scope]

    async def __call__(self, connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        caller = caller_of(connection)
        if not caller.may(self.role):
            _refuse(caller, f"this is for: {self.role}")
        if not caller.has(self.scope):
            _refuse(caller, f"this token has not the scope: {self.scope}")


def _refuse(caller: Caller, why: str) -> None:
    raise (PermissionDeniedException if caller.account else NotAuthorizedException)(why)
