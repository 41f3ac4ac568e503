"""What a server does by the clock: matches of ladders that nobody disputed in time confirm themselves, and what
visitors would wait for after a change is made before they come."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from arpad.bureau import cards, ladder
from arpad.bureau.lists import printed_on
from arpad.bureau.opened import Office, RatingList, publication_days
from arpad.web.views.front import front
from arpad.web.window import Window

logger = logging.getLogger(__name__)

#: Seconds between two looks at matches, and between two looks at whether anything was written: arpad's own.
PACE, GLANCE = 30.0, 2.0
#: Matches that are confirmed before whoever else writes has their turn: arpad's own number.
PORTION = 20


@asynccontextmanager
async def ticking(reading: Window, writing: Window) -> AsyncIterator[None]:
    """As long as the server runs."""
    head = -1

    async def confirm() -> None:
        while len(await writing.do(ladder.CLOCK, "officers", ladder.tick, most=PORTION)) == PORTION:
            pass  # there may be more

    async def keep_warm() -> None:
        nonlocal head
        if (now := await reading.ask("public", lambda office: office.head)) != head:
            await reading.ask("public", warm)
            for which, day in await reading.ask("public", unread):  # one by one: others have their turn in between
                await reading.ask("public", printed_on, which, day)
            head = now

    tasks = [asyncio.create_task(_repeated(task, pace)) for task, pace in ((confirm, PACE), (keep_warm, GLANCE))]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


def warm(office: Office) -> None:
    """What cards and the lists as last published are made of."""
    cards.warm(office)
    front(office)


def unread(office: Office) -> list[tuple[RatingList, int]]:
    """Published lists, with their days, that no card has looked at yet; a card looks at all of them."""
    with office.store.reading():
        every = [(which, day) for which in office.lists() for day in publication_days(office.store, which.id)]
        return [(which, day) for which, day in every if (which.id, day) not in office.printed]


async def _repeated(task: Callable[[], Awaitable[None]], pace: float) -> None:
    while True:
        try:
            await task()
        except Exception:  # the office is busy, or away, or this is a defect: the next look comes all the same
            logger.exception("what the server does by the clock was not done")
        await asyncio.sleep(pace)
