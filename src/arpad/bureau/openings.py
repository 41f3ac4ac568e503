"""What everybody held when the base of a list was moved to where it is, from which its replay begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from arpad.ledger import chain
from arpad.ledger.store import Store
from arpad.model import Start

if TYPE_CHECKING:
    from arpad.bureau.opened import RatingList
    from arpad.rulebooks import Rulebook
    from arpad.states import Checkpoint


def opening_of(store: Store, which: RatingList, book: Rulebook, starts: Sequence[Start]) -> Checkpoint | None:
    """What everybody held when a list's base was moved to where it is, with these birth dates; None where it was not
    moved."""
    opening = _opening(store, which)
    if opening is None:
        return None
    from arpad.states import Checkpoint, encoded
    from arpad.stretch import COMMON
    from arpad.systems import system

    width, nan = len(opening["fields"]), float("nan")
    state = [nan if value is None else value for value in opening["state"]]
    merged: dict[int, int] = dict(store.rows("select id, merged from person where merged > 0"))
    states: dict[int, list[float]] = {}
    lasts: dict[int, int] = {}
    for at, person in enumerate(opening["players"]):
        who = merged.get(person, person)
        if who == person or who not in opening["players"]:
            states[who], lasts[who] = state[width * at : width * at + width], opening["lasts"][at]
    born = {int(each.player): each.born for each in starts}
    blank = [nan, *([0.0] * (len(COMMON) - 1)), *system(book.system).blank]
    for person in born:
        states.setdefault(person, blank)
    told = {**opening, "players": [str(person) for person in states]}
    told["state"] = [value for values in states.values() for value in values]
    told["lasts"] = [lasts.get(person, 0) for person in states]
    told["born"] = [encoded(born.get(person)) for person in states]
    # The opening is what was held then, whatever is made of the rulebook since.
    return msgspec.convert({**told, "rulebook": book.name, "digest": book.digest}, Checkpoint)


def _opening(store: Store, which: RatingList) -> dict[str, Any] | None:
    """What the last entry says that moved a list's base to where it is."""
    said = (entry.body for entry in chain.entries(store, kinds=("base",)))
    moves = [body for body in said if body["list"] == which.id and body["changes"][0][3]["base"] == which.base]
    return dict(moves[-1]["opening"]) if moves else None


def moved(store: Store, which: RatingList) -> bool:
    """Whether a list begins with what was held when its base was moved."""
    return _opening(store, which) is not None


def held_at_base(store: Store, which: RatingList) -> set[int]:
    """The people with a rating or games when a list's base was moved; nobody where it was not."""
    opening = _opening(store, which)
    if opening is None:
        return set()
    width = len(opening["fields"])
    held = zip(opening["players"], opening["state"][::width], opening["state"][1::width])
    return {person for person, rating, games in held if rating is not None or games}
