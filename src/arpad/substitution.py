"""Another list's rating where a player has none here: lent for a batch, kept by who then has one of his own."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from arpad.model import Column
from arpad.stretch import Segment

if TYPE_CHECKING:
    from arpad.engine import Setup


class Lists(msgspec.Struct, frozen=True):
    """Published ratings by date: `ratings[i][code]` is of the list from `days[i]` (ordinal) on; nan: unrated."""

    codes: Mapping[str, int]
    days: Sequence[int]
    ratings: Sequence[Column]

    def rating(self, player: str, day: int) -> float:
        """A player's rating on the list in force on a day; nan if unrated or before the first list."""
        at = bisect_right(self.days, day) - 1
        return float(self.ratings[at][self.codes[player]]) if at >= 0 and player in self.codes else float("nan")


#: (player, games) of each rating that was lent.
Lent = list[tuple[int, float]]


def lend(setup: Setup, state: Column, codes: Mapping[str, int], segments: Sequence[Segment]) -> Lent:
    """Give the unrated players of a batch the rating that the other list had when their first event began."""
    if setup.substitutes is None or setup.rulebook.editions[segments[-1].settles].substitute is None:
        return []
    games, opening = setup.games, setup.arrangement.opening
    lent: Lent = []
    width = setup.system.width
    for row in range(segments[0].start, segments[-1].stop):
        for code in (int(games.first[row]), int(games.second[row])):
            if state[width * code] == state[width * code] or opening is None:
                continue
            rating = setup.substitutes.rating(setup.players[code], int(opening[row]))
            if rating == rating:
                state[width * code] = rating
                lent.append((code, float(state[width * code + 1])))
    return lent


def give_back(state: Column, width: int, lent: Lent) -> None:
    """Who played no game that was rated is unrated again."""
    for code, games in lent:
        if state[width * code + 1] == games:
            state[width * code] = float("nan")
