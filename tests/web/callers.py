"""Requests as somebody: what a session or a token would say of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from litestar.testing import TestClient

from arpad.web.app import create_app
from arpad.web.callers import Caller

OFFICER = Caller("officer", 7, "The officer")
MEMBER = Caller("member", 8, "A member")


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
