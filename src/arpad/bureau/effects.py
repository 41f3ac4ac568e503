"""What a correction did to ratings when it was made: kept beside the chain, for who reads of it later."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from arpad.bureau.opened import Office


class Moved(msgspec.Struct, frozen=True):
    """A person whose exact rating is another one now; None: unrated."""

    list: str
    person: int
    name: str
    before: float | None
    after: float | None

    @property
    def change(self) -> float | None:
        return None if self.before is None or self.after is None else self.after - self.before


def keep_effect(office: Office, seq: int, moved: Iterable[Moved]) -> None:
    numbers = {which.name: which.id for which in office.lists()}
    rows = [(seq, numbers[each.list], each.person, each.before, each.after) for each in moved]
    office.store.insert("effect", ("entry", "list", "person", "before", "after"), rows)


def moved_by(office: Office, seq: int) -> tuple[Moved, ...]:
    """Whose exact rating a correction moved when it was made; of one that came with a bundle, nobody's is known."""
    lists = {which.id: which.name for which in office.lists()}
    rows = office.store.rows(
        "select list, person, before, after from effect where entry = ? order by list, person", (seq,)
    )
    names = office.names(row[1] for row in rows)
    return tuple(Moved(lists[row[0]], row[1], names[row[1]], row[2], row[3]) for row in rows)
