"""Games that the rules leave out whatever the ratings are: pairs of a contest that are not compared, games of Go played
under conditions of which nothing is known."""

from __future__ import annotations

from arpad.columns import filled
from arpad.model import Column, Games
from arpad.order import Arrangement
from arpad.rulebooks.book import Rulebook

#: The bit of a game's flags, as the kernel reads them.
LEFT_OUT = 4


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
