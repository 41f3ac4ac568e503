"""What a rating cannot fall under."""

from __future__ import annotations

import math

import msgspec

from arpad.rulebooks.schema_uschess import AbsoluteFloor, LifeMaster, PeakFloor
from arpad.systems.uschess.formulas import LOWEST, round_half_up


class Floor(msgspec.Struct, frozen=True):
    """A floor and why it is one: absolute, peak, life master, office."""

    rating: float
    kind: str


def absolute_floor(wins: float, draws: float, events: float, clause: AbsoluteFloor | None) -> float:
    """Everybody's floor: it grows with all games won and drawn, and events of three games or more, to 150 at most."""
    if clause is None:
        return LOWEST
    total = clause.base + clause.per_win * wins + clause.per_draw * draws + clause.per_event * events
    return max(LOWEST, min(total, clause.most))


def peak_floor(peak: float, clause: PeakFloor | None) -> float | None:
    """200 points below the highest established rating, down to a hundred; None if that is too low to be one.

    `peak` is 0 or nan for who never had an established rating.
    """
    if clause is None or not peak > 0.0:
        return None
    floor = clause.step * math.floor((round_half_up(peak) - clause.distance) / clause.step)
    return min(floor, clause.most) if floor >= clause.least else None


def life_master_floor(games: float, clause: LifeMaster | None) -> float | None:
    """The floor of who has played 300 games with an established rating of 2200 and more."""
    return clause.floor if clause is not None and games >= clause.games else None


def floor_in_force(absolute: float, peak: float | None, master: float | None, office: float, lowered: float) -> Floor:
    """The highest of all floors. `office`: a floor by prize money or decision, 0 if none.

    `lowered`: points by which a player has asked his floors to be lowered; never below the absolute one.
    """
    known = [(peak, "peak"), (master, "life master"), (office if office > 0.0 else None, "office")]
    floors = [Floor(rating - lowered, kind) for rating, kind in known if rating is not None]
    return max([Floor(absolute, "absolute"), *floors], key=lambda floor: floor.rating)
