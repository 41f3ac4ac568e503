"""What an explanation holds of one change, before it is put in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import msgspec

from arpad.newcomers import FirstRating
from arpad.rulebooks.clause import Clause
from arpad.working import GameWorking

#: Systems whose changes are told step by step, and the module that does: `told(working, edition)` adds the clauses,
#: `games(games, working, edition)` says the games as the last step saw them, `headline` and `lines` put it in words.
STEPS: Mapping[str, str] = {"uschess": "arpad.systems.uschess.words"}


#: Where a system says its own workings: a module with `words(change, language, number)`, which yields lines for the
#: place of score minus expected times K. `number(value, places, signed)` writes a number as the language does.
WORKINGS: Mapping[str, str] = {
    "elo": "arpad.systems.provisional",
    "multiplayer": "arpad.systems.multiplayer_words",
    "bayrate": "arpad.systems.bayrate_words",
    **{name: f"arpad.systems.{name}" for name in ("harkness", "dwz", "icu", "ecf")},
}


class Spread(msgspec.Struct, frozen=True):
    """What a change did to how certain a rating is: the deviation as it was after the last change (None: there was
    none), as it had grown when the games were met, and after them; and the volatility before and after."""

    stored: float | None
    met: float
    after: float
    volatility_before: float
    volatility_after: float


class ChangeExplained(msgspec.Struct, frozen=True):
    """What one batch, act or date did to a player. `change` is after minus before; None marks an unrated player.

    kind: games, entry, blend, adjustment, floor (`exact` is then the floor), newcomer (a fixed start), first (a first
    rating from games, or what still lacks), season, idle, uplift. `k` is None where the system has none, and `gain`
    then is the change itself; `expected` is None where a library predicts nothing.
    """

    player: str
    kind: str
    day: date | None
    before: float | None
    after: float | None
    edition: str
    body: str
    games: tuple[GameWorking, ...] = ()
    score: float = 0.0
    expected: float | None = None
    gain: float | None = None
    upgrade: float = 0.0
    surprise: float = 1.0  # of the batch as a whole
    bonus: float = 0.0  # beside K
    pull: float = 0.0  # points towards the mean opponent
    k: float | None = None
    exact: float | None = None  # the change before rounding and bounds
    clauses: tuple[Clause, ...] = ()
    reason: str = ""
    first: FirstRating | None = None
    spread: Spread | None = None
    facts: dict[str, float] = msgspec.field(default_factory=dict)
    played: float = 0.0  # of the bonus: what the games brought by being played, won or lost
    system: str = "elo"
    working: Any = None  # the system's own record of how it got there, where the change is no K times a sum
    rise: float = 0.0  # what a clause `rise` adds to `exact`
    rounds: bool = False  # `upgrade` is the rounding of what was expected in all
    steps: Any = None  # or that record with its clauses, where it is told step by step

    @property
    def change(self) -> float | None:
        return None if self.before is None or self.after is None else self.after - self.before
