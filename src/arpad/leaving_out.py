"""The flags of games: neutral ground, knock-out, and left out by the rules whatever the ratings are (pairs of a contest
that are not compared, games of Go played under conditions of which nothing is known)."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from arpad.columns import filled, is_numpy
from arpad.model import Column, Games
from arpad.order import Arrangement
from arpad.rulebooks.book import Rulebook

#: Bits of a game's flags, as the kernel reads them.
NEUTRAL, KNOCKOUT, LEFT_OUT = 1, 2, 4
UNFIT = 16  # beside LEFT_OUT: of a match that may not be rated


def flags_of(games: Games, editions: Sequence[Any], like: Column) -> Column | None:
    """One byte a game: neutral ground, knock-out, left out."""
    neutral = games.neutral if any(edition.difference.advantage for edition in editions) else None
    knockout = games.knockout if any(edition.knockout for edition in editions) else None
    weight = games.importance if weighs(editions) else None
    if neutral is None and knockout is None and weight is None:
        return None
    if is_numpy(like):
        import numpy as np

        flags = np.zeros(len(games), "uint8")
        if neutral is not None:
            flags |= (np.asarray(neutral) == 1).astype("uint8") * NEUTRAL
        if knockout is not None:
            flags |= (np.asarray(knockout) == 1).astype("uint8") * KNOCKOUT
        if weight is not None:
            flags |= (~(np.asarray(weight) > 0)).astype("uint8") * LEFT_OUT
        return flags
    return array(
        "B",
        (
            (NEUTRAL if neutral is not None and neutral[row] == 1 else 0)
            | (KNOCKOUT if knockout is not None and knockout[row] == 1 else 0)
            | (LEFT_OUT if weight is not None and not weight[row] > 0 else 0)
            for row in range(len(games))
        ),
    )


def weighs(editions: Sequence[Any]) -> bool:
    """Whether a game counts by its importance."""
    return any(row.of == "importance" for edition in editions for row in [*edition.k, *edition.k_factor])


def without_the_left_out(
    flags: Column | None, games: Games, arrangement: Arrangement, rulebook: Rulebook
) -> Column | None:
    """The flags of games, with those marked that the rules leave out."""
    rows: list[int] = []
    # What few rulebooks ask for is imported when one does: a short command should not wait for it.
    if any(edition.contest for edition in rulebook.editions):
        from arpad.contests import not_compared

        ways = [edition.contest.compare if edition.contest else "all" for edition in rulebook.editions]
        batches = [
            (batch.start, batch.stop, ways[rulebook.edition_index(batch.first)]) for batch in arrangement.batches
        ]
        rows += not_compared(games, batches)
    if any(edition.conditions for edition in rulebook.editions):
        from arpad.systems.bayrate import left_out

        for row in range(len(games)):
            rule = rulebook.on(int(games.date[row]) if games.date is not None else 0).conditions
            if rule is not None and left_out(games, row, rule):
                rows.append(row)
    if not rows:
        return flags
    flags = filled("B", 0, len(games), games.first) if flags is None else flags
    for row in rows:
        flags[row] |= LEFT_OUT
    return flags
