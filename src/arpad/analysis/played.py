"""The rated games of a replay with what was expected of them: what calibration and losses are reckoned from."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from arpad.columns import filled, is_numpy, permuted, take
from arpad.engine import History
from arpad.model import Column

K = TypeVar("K", bound=Hashable)


class Rated(msgspec.Struct, frozen=True):
    """Columns of rated games: day (ordinal; 0: not known), and of both sides expected score, score (0 to 1), and the
    rating that the expectation used."""

    day: Column
    expected: Column
    expected_second: Column
    score: Column
    score_second: Column
    rating: Column
    rating_second: Column


def rated(history: History, start: int, stop: int) -> Rated:
    """The games of some rows of a replay that have an expectation for both sides."""
    games, recording = history.games, history.recording
    rows, sides = slice(start, stop), slice(2 * start, 2 * stop)
    one, other, before = recording.expects[rows], recording.expects_second[rows], recording.before[sides]
    if is_numpy(one):
        kept: Column = ((one == one) & (other == other)).nonzero()[0]
    else:
        kept = [at for at, (a, b) in enumerate(zip(one, other)) if a == a and b == b]
    codes = permuted(games.score[rows], kept)
    both = ([float(pair[side]) for pair in games.scores] for side in (0, 1))
    day = permuted(games.date[rows], kept) if games.date is not None else filled("i", 0, len(kept), one)
    scores = (take("d", values, codes) for values in both)
    return Rated(
        day, permuted(one, kept), permuted(other, kept), *scores, *(permuted(before[at::2], kept) for at in (0, 1))
    )


def stretches(history: History) -> list[tuple[int, int]]:
    """The rows (from, to before) that were settled before each look at a replay, since the look before it."""
    segments = history.plan.segments
    ends = [segments[look.segments - 1].stop if look.segments else 0 for look in history.looked]
    return list(zip([0, *ends], ends))


def summed(parts: Iterable[Mapping[K, Any]]) -> dict[K, Any]:
    """Values of one key added up."""
    found: dict[K, Any] = {}
    for part in parts:
        for key, value in part.items():
            found[key] = found[key] + value if key in found else value
    return found
