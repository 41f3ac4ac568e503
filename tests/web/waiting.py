"""Waiting for what another thread does, however busy the machine is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

#: Seconds.
PATIENCE, PACE = 60, 0.02


def until(look: Callable[[], T], fits: Callable[[T], bool]) -> T:
    """What is seen when it fits, or else in the end."""
    end = time.monotonic() + PATIENCE
    while not fits(seen := look()) and time.monotonic() < end:
        time.sleep(PACE)
    return seen
