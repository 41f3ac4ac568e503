"""Requests as somebody: what a session or a token would say of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from litestar.testing import TestClient
from litestar.types import ASGIApp, Receive, Scope, Send

from arpad.web.app import create_app
from arpad.web.callers import Caller, Role
from tests.web.people import FORM

OFFICER = Caller("officer", 7, "The officer")
MEMBER = Caller("member", 8, "A member")
Enter = Callable[..., TestClient]


class As:
    """An application to which everybody is the same caller."""

    def __init__(self, app: Any, caller: Caller) -> None:
        self.app, self.caller = app, caller

    def __getattr__(self, name: str) -> Any:
        return getattr(self.app, name)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.app({**scope, "user": self.caller}, receive, send)


def client_as(caller: Caller, place: str | Path, **more: Any) -> TestClient[Any]:
    """A client of an office's application, as a caller."""
    return TestClient(As(create_app(place, **more), caller), raise_server_exceptions=False)


@contextmanager
def entered(office: Path | str, **more: Any) -> Iterator[Enter]:
    """The office's web, entered by somebody of a role."""
    app = create_app(office, **more)

    def enter(role: Role = "officer", account: int = 1) -> TestClient:
        async def known(scope: Scope, receive: Receive, send: Send) -> None:
            scope["user"] = Caller(role, account, role)
            await app(scope, receive, send)

        caller: ASGIApp = known
        client = TestClient(caller, raise_server_exceptions=False)
        client.blocking_portal = door.blocking_portal  # a server has one event loop, to which its locks belong
        client.get("/en/account")
        client.headers["x-csrftoken"] = client.cookies.get(FORM, "")
        return client

    with TestClient(app) as door:
        yield enter
