"""What a server does by the clock: matches of ladders that nobody disputed in time confirm themselves."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from arpad.bureau import ladder
from arpad.errors import ArpadError
from arpad.web.window import Window

logger = logging.getLogger(__name__)

#: Seconds between two looks.
PACE = 30.0


@asynccontextmanager
async def ticking(writing: Window) -> AsyncIterator[None]:
    """As long as the server runs."""
    task = asyncio.create_task(_ticks(writing))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _ticks(writing: Window) -> None:
    while True:
        try:
            await writing.do(ladder.CLOCK, "officers", ladder.tick)
        except ArpadError:  # the office is busy, or away: the next look comes soon
            logger.exception("matches could not be confirmed")
        await asyncio.sleep(PACE)
