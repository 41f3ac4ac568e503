"""How much may be asked: of the API for each token, else for each address; of signing in for each address.

Every answer of the API says what is left (`RateLimit-*`); what is too much is 429, with `Retry-After`. Each server
counts for itself what it is asked.
"""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Litestar, Request
from litestar.middleware.rate_limit import RateLimitConfig, get_remote_address

from arpad.web.callers import caller_of

#: Requests a minute, of the API and of signing in; this and the number below are arpad's own.
ASKED, SENT = 600, 30
#: Seconds after which counts that are over are looked for.
SWEPT = 300


def whose(request: Request[Any, Any, Any]) -> str:
    """Whose requests are counted together."""
    token = caller_of(request).token
    return f"api token {token}" if token else f"api {get_remote_address(request)}"


def _door(request: Request[Any, Any, Any]) -> str:
    return f"door {get_remote_address(request)}"


async def _is_sent(request: Request[Any, Any, Any]) -> bool:
    return request.method == "POST"


async def sweep(app: Litestar) -> None:
    """Forget, time and again, who has not come back."""
    while True:
        await asyncio.sleep(SWEPT)
        await app.stores.get(API.store).delete_expired()  # type: ignore[attr-defined]


API = RateLimitConfig(("minute", ASKED), identifier_for_request=whose)
#: For what a password or an invite is sent to.
DOOR = RateLimitConfig(
    ("minute", SENT), identifier_for_request=_door, check_throttle_handler=_is_sent, set_rate_limit_headers=False
)
