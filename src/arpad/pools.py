"""Groups of players who never met, directly or through others: each group is a scale of its own."""

from __future__ import annotations

from typing import Any

from arpad.columns import is_numpy
from arpad.model import Column, Games


def groups(games: Games) -> list[int]:
    """How many players each group has, largest first. Players without a game are in none."""
    roots = _roots_numpy(games) if is_numpy(games.first) else _roots(games.first, games.second, len(games.players))
    if is_numpy(roots):
        import numpy as np

        played = np.zeros(len(roots), bool)
        played[games.first] = played[games.second] = True
        sizes = np.bincount(roots[played], minlength=1)
        return sorted(sizes[sizes > 0].tolist(), reverse=True)
    counts: dict[int, int] = {}
    for player in {*games.first, *games.second}:
        counts[roots[player]] = counts.get(roots[player], 0) + 1
    return sorted(counts.values(), reverse=True)


def _roots(first: Column, second: Column, players: int) -> list[int]:
    """One member of each player's group, the same for all of them."""
    parent = list(range(players))

    def root(player: int) -> int:
        while parent[player] != player:
            parent[player] = player = parent[parent[player]]
        return player

    for a, b in zip(first, second):
        parent[root(a)] = root(b)
    return [root(player) for player in range(players)]


def _roots_numpy(games: Games) -> Any:
    """The same for millions of games: most players are joined by few of them, and the rest need only a look."""
    import numpy as np

    size = len(games.players)
    roots = np.arange(size)
    few = 2 * size
    for part in (slice(0, few), slice(few, None)):
        first, second = games.first[part], games.second[part]
        while True:
            a, b = roots[first], roots[second]
            apart = np.flatnonzero(a != b)
            if not len(apart):
                break
            first, second, a, b = first[apart], second[apart], a[apart], b[apart]
            np.minimum.at(roots, np.maximum(a, b), np.minimum(a, b))
            while True:  # every player points straight at the smallest member known
                above = roots[roots]
                if (above == roots).all():
                    break
                roots = above
    return roots
