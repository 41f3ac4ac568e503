"""Who asks: the public, or somebody with an account, by a session or by a token."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec
from litestar.connection import ASGIConnection
from litestar.exceptions import NotAuthorizedException, PermissionDeniedException
from litestar.handlers.base import BaseRouteHandler
from litestar.types import Guard

Role: TypeAlias = Literal["public", "member", "reporter", "officer", "admin"]

#: Each may do what those before may.
ROLES: tuple[Role, ...] = ("public", "member", "reporter", "officer", "admin")
#: Who sees what of a person: see `bureau.opened.AUDIENCES`.
AUDIENCE = {"public": "public", "member": "members", "reporter": "members", "officer": "officers", "admin": "officers"}


class Caller(msgspec.Struct, frozen=True):
    """Who asks. `account` is 0 for the public; `scopes` None: everything that the role may do."""

    role: Role = "public"
    account: int = 0
    name: str = ""
    scopes: frozenset[str] | None = None

    def may(self, role: Role) -> bool:
        return ROLES.index(self.role) >= ROLES.index(role)

    @property
    def audience(self) -> str:
        return AUDIENCE[self.role]

    @property
    def actor(self) -> str:
        """How the log names them: by role and number, never by name."""
        return f"{self.role} {self.account}" if self.account else self.role


PUBLIC = Caller()


def at_least(role: Role) -> Guard:
    """A guard of handlers. Raises NotAuthorizedException for the public, PermissionDeniedException for a lower role."""

    def guard(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        caller: Caller = connection.scope.get("user") or PUBLIC
        if not caller.may(role):
            raise (PermissionDeniedException if caller.account else NotAuthorizedException)(f"this is for: {role}")

    return guard
