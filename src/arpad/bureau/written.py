"""A history written down game by game, so that a card need only look: made once, kept as long as the history is."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import msgspec

from arpad.columns import is_numpy
from arpad.model import Column

if TYPE_CHECKING:
    from arpad.engine import History


class Told(msgspec.Struct, frozen=True):
    """A history written down game by game: values at 2 * row + side, and where each player's are."""

    before: Column
    after: Column
    k: Column
    order: Column
    starts: Column

    def of(self, code: int) -> list[int]:
        return [int(at) for at in self.order[int(self.starts[code]) : int(self.starts[code + 1])]]


def write_down(history: History) -> Told:
    from arpad.settling import settled

    games, count = history.games, len(history.players)
    before, after, k, _ = settled(history)
    if is_numpy(games.first):
        import numpy as np

        codes = np.column_stack((games.first, games.second)).ravel()
        order = np.argsort(codes, kind="stable")
        return Told(before, after, k, order, np.searchsorted(codes[order], np.arange(count + 1)))
    both = [code for pair in zip(games.first, games.second) for code in pair]
    places = sorted(range(len(both)), key=both.__getitem__)
    ordered = [both[at] for at in places]
    return Told(before, after, k, places, [bisect_left(ordered, code) for code in range(count + 1)])
