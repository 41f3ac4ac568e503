"""An office behind a window: on a thread of its own, which whoever asks waits for.

A connection to a database is not shared between threads, and what a page is made of is made once. So one thread serves
all readers, another one those who write, a third one is at the door, a fourth one has what takes long whoever asks, and
a fifth one what the desk looks at before it writes: a long preview keeps nobody waiting who reads or writes, nor a long
replay whoever only says who they are.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Concatenate, ParamSpec, TypeVar

from arpad.bureau.opened import ACTOR, Office, open_office
from arpad.bureau.replays import Replays
from arpad.errors import Busy
from arpad.ledger.store import PATIENCE

P = ParamSpec("P")
T = TypeVar("T")


class Window:
    """Functions of an office, called one after another; no more than `most` of them wait or are at work, where that is
    said. `replays` are those that several windows have in common. Raises what `open_office` raises."""

    def __init__(
        self,
        place: str | os.PathLike[str],
        patience: float = PATIENCE,
        most: int | None = None,
        replays: Replays | None = None,
    ) -> None:
        self._places = None if most is None else threading.BoundedSemaphore(most)
        self._thread = ThreadPoolExecutor(1, "office")
        try:
            self._office = self._thread.submit(open_office, place, patience=patience).result()
        except BaseException:
            self._thread.shutdown()
            raise
        if replays is not None:
            self._office.replays = replays

    def at_once(self, function: Callable[[Office], T]) -> T:
        """What a function returns, before anything is served."""
        return self._thread.submit(function, self._office).result()

    async def ask(
        self,
        audience: str,
        function: Callable[Concatenate[Office, P], T],
        *args: P.args,
        **named: P.kwargs,
    ) -> T:
        """What a function of the office returns, as far as it is for an audience. Raises Busy where too many wait."""
        return await self._call(audience, ACTOR, function, *args, **named)

    async def do(
        self,
        actor: str,
        audience: str,
        function: Callable[Concatenate[Office, P], T],
        *args: P.args,
        **named: P.kwargs,
    ) -> T:
        """The same for what writes; `actor` is who does."""
        return await self._call(audience, actor, function, *args, **named)

    def begin(
        self,
        actor: str,
        audience: str,
        function: Callable[Concatenate[Office, P], T],
        *args: P.args,
        **named: P.kwargs,
    ) -> Future[T]:
        """The same where nobody waits: it is done in its turn, whoever has left meanwhile."""

        def called() -> T:
            self._office.audience, self._office.actor = audience, actor
            return function(self._office, *args, **named)

        places = self._places
        if places is None:
            return self._thread.submit(called)
        if not places.acquire(blocking=False):
            raise Busy("others ask for what takes long just now; try again")
        begun = self._thread.submit(called)
        begun.add_done_callback(lambda _: places.release())  # also where whoever asked has left meanwhile
        return begun

    async def _call(
        self,
        audience: str,
        actor: str,
        function: Callable[Concatenate[Office, P], T],
        *args: P.args,
        **named: P.kwargs,
    ) -> T:
        return await asyncio.wrap_future(self.begin(actor, audience, function, *args, **named))

    def close(self) -> None:
        self._thread.submit(self._office.close).result()
        self._thread.shutdown()
