"""What replays came to, kept until a fact changes.

Of each list the last two are kept: that of the facts as they are, and one that was looked at on one day more, which it
is once the list of that day is published. A replay depends on its key and on nothing else, and is never changed: so
several connections to one office, each of a thread of its own, may have them in common.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from arpad.bureau.opened import RatingList
    from arpad.engine import History

#: Replays of a list that are kept.
MOST = 2


class Key(msgspec.Struct, frozen=True):
    """What a replay depends on: the last entry that changes a rating, by its hash, which tells apart those that were
    only tried; the list as it is; and the days (ordinals) on which it is looked at."""

    last: str | None
    which: RatingList
    days: tuple[int, ...]


class Replays:
    """Those of the lists of one office."""

    def __init__(self) -> None:
        self._kept: list[tuple[Key, History]] = []
        self._lock = threading.Lock()

    def of(self, key: Key, make: Callable[[], History]) -> History:
        """The one of a key, made if it is not there. Two that ask at once may both make it: neither waits."""
        with self._lock:
            found = next((made for held, made in self._kept if held == key), None)
        if found is None:
            found = make()
        with self._lock:
            others = [pair for pair in self._kept if pair[0] != key]
            same = [pair for pair in others if pair[0].which.id == key.which.id]
            late = [pair for pair in others if pair not in same[: len(same) - MOST + 1]]
            self._kept = [*late, (key, found)]
        return found
