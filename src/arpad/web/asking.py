"""Requests that Litestar takes amiss: HEAD, and names that no file can have."""

from __future__ import annotations

from typing import Any

from litestar import Litestar
from litestar.file_system import BaseLocalFileSystem


class Application(Litestar):
    """Answers HEAD as GET, without the body (RFC 9110, 9.3.2): checkers of links and monitors ask so."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await super().__call__(scope, receive, send)
            return

        async def head(message: Any) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        asked: Any = {**scope, "method": "GET"}
        await super().__call__(asked, receive, head)


class Files(BaseLocalFileSystem):
    """Files as they lie in a folder. Of what is none nothing is said, and there is none by a name that no file can
    have."""

    async def info(self, path: Any, **named: Any) -> Any:
        """Raises FileNotFoundError."""
        try:
            found = await super().info(path, **named)
        except (OSError, ValueError) as error:  # too long, or with a NUL in it
            raise FileNotFoundError(str(error)) from None
        if found["type"] != "file":
            raise FileNotFoundError(str(path))
        return found
