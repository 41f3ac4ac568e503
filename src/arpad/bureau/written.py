"""A history written down game by game, so that a card need only look: made once, kept as long as the history is."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from arpad.columns import is_numpy
from arpad.model import Column

if TYPE_CHECKING:
    from arpad.acts import ActDone
    from arpad.engine import History
    from arpad.newcomers import FirstRating


class Told(msgspec.Struct, frozen=True):
    """A history written down game by game: values at 2 * row + side, and where each player's are.

    `segments` are the rows at which the runs of games begin; `acts` what was done to a player, and `uplifts`
    revaluations of everybody, by their places among the plan's steps; `firsts` the first ratings out of games.
    """

    before: Column
    after: Column
    k: Column
    order: Column
    starts: Column
    segments: Sequence[int]
    acts: Mapping[str, Mapping[int, ActDone]]
    uplifts: Sequence[int]
    firsts: Mapping[str, Sequence[FirstRating]]

    def of(self, code: int) -> list[int]:
        return [int(at) for at in self.order[int(self.starts[code]) : int(self.starts[code + 1])]]


def write_down(history: History) -> Told:
    from arpad.settling import settled

    before, after, k, _ = settled(history)
    done, steps = {id(each.act): each for each in history.acts}, history.plan.steps
    acts: dict[str, dict[int, ActDone]] = {}
    for place, (_, what) in enumerate(steps):
        if (act := done.get(id(what))) is not None:
            acts.setdefault(act.player, {})[place] = act
    firsts: dict[str, list[FirstRating]] = {}
    for each in history.firsts:
        firsts.setdefault(each.player, []).append(each)
    uplifts = [place for place, (_, what) in enumerate(steps) if isinstance(what, tuple)]
    segments = [segment.start for segment in history.plan.segments]
    return Told(before, after, k, *_by_player(history), segments, acts, uplifts, firsts)


def _by_player(history: History) -> tuple[Column, Column]:
    """Sides of games in the order of their players, and where each player's begin."""
    games, count = history.games, len(history.players)
    if is_numpy(games.first):
        import numpy as np

        codes = np.column_stack((games.first, games.second)).ravel()
        order = np.argsort(codes, kind="stable")
        return order, np.searchsorted(codes[order], np.arange(count + 1))
    both = [code for pair in zip(games.first, games.second) for code in pair]
    places = sorted(range(len(both)), key=both.__getitem__)
    ordered = [both[at] for at in places]
    return places, [bisect_left(ordered, code) for code in range(count + 1)]
