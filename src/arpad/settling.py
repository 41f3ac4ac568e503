"""What each game was settled with, side by side: its own numbers, or those of the batch that it is in."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from arpad.columns import copied, is_numpy, made
from arpad.engine import NAN, History
from arpad.model import Column


def settled(history: History) -> tuple[Column, Column, Column, Column]:
    """Rating before and after, and K, at 2 * row and 2 * row + 1, and the spread at four times that: of the game, or of
    the batch that it is in."""
    recording = history.recording
    if not history.arrangement.batches:
        return recording.before, recording.after, recording.used_k, recording.spread
    columns = tuple(map(copied, (recording.before, recording.after, recording.used_k, recording.spread)))
    if recording.changes:
        (_many if is_numpy(recording.before) else _few)(history, *columns)
    return columns


def _few(history: History, before: Column, after: Column, k: Column, spread: Column) -> None:
    """Put the numbers of batches in the place of those of their games."""
    games, gains = history.games, history.recording.gains
    found: dict[int, dict[int, tuple[float, ...]]] = {}
    for segment, player, was, now, _, _, _, used, *more in history.recording.changes:
        found.setdefault(history.plan.segments[segment].batch, {})[player] = was, now, used, *more
    for number, batch in enumerate(history.arrangement.batches):
        players = found.get(number, {})
        for row in range(batch.start, batch.stop):
            for at, player in ((2 * row, games.first[row]), (2 * row + 1, games.second[row])):
                if player in players:
                    before[at], after[at], used, *more = players[player]
                    rated = gains[at] == gains[at]
                    k[at] = used if rated else NAN
                    if rated and len(spread):
                        spread[4 * at : 4 * at + 4] = made("d", more, spread)


def _many(history: History, before: Column, after: Column, k: Column, spread: Column) -> None:
    """As `_few`, by columns of numpy's: the last change of each batch and player is looked up for all sides at once."""
    import numpy as np

    games, batches, people = history.games, history.arrangement.batches, len(history.players)
    changes = history.recording.changes

    def column(at: int, kind: str = "float64") -> Any:
        return np.fromiter(map(itemgetter(at), changes), kind, len(changes))  # zip would take ten times as long

    segment, player = column(0, "int64"), column(1, "int64")
    was, now, used = (column(at) for at in (2, 3, 7))
    keys = np.array([each.batch for each in history.plan.segments])[segment] * people + player
    order = np.argsort(keys, kind="stable")
    rows = np.repeat(np.arange(len(batches)), [batch.stop - batch.start for batch in batches])
    wanted = np.column_stack((rows * people + games.first, rows * people + games.second)).ravel()
    places = np.searchsorted(keys[order], wanted, side="right") - 1
    sides = np.flatnonzero((places >= 0) & (keys[order][places] == wanted))
    source = order[places[sides]]
    rated = history.recording.gains[sides] == history.recording.gains[sides]
    before[sides], after[sides] = was[source], now[source]
    k[sides] = np.where(rated, used[source], NAN)
    if len(spread):
        spread.reshape(-1, 4)[sides[rated]] = np.column_stack([column(at) for at in range(8, 12)])[source[rated]]
