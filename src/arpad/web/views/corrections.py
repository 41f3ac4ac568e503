"""The public log of corrections: what was changed, why, by whom (a role), and who moved by how much."""

from __future__ import annotations

from functools import partial

import msgspec

from arpad.bureau.effects import Moved, moved_by
from arpad.bureau.opened import Office
from arpad.bureau.wording import words
from arpad.errors import UnknownName
from arpad.ledger import chain
from arpad.web.retelling import written

#: Entries that change what had been said.
KINDS = ("correct", "merge", "split", "base", "erase")
#: Corrections of a page.
SIZE = 50


class Correction(msgspec.Struct, frozen=True):
    """An entry that changed facts. `players` is how many ratings it moved when it was made, on all lists; `reason` is
    None where it was erased; `reverts` is the entry that it takes back, `reverted` the one that takes it back; 0: none.
    """

    entry: int
    at: str
    actor: str
    kind: str
    what: str
    reason: str | None
    players: int
    reverts: int
    reverted: int


class CorrectionsPage(msgspec.Struct, frozen=True):
    """Corrections, the last first, before an entry (0: from the last on); `older` is where to go on, 0 at the end."""

    before: int
    older: int
    corrections: tuple[Correction, ...]


class CorrectionPage(msgspec.Struct, frozen=True):
    """One correction with everybody whose rating it moved, the largest change first."""

    correction: Correction
    moved: tuple[Moved, ...]


def corrections(
    office: Office, before: int = 0, size: int = SIZE, person: int = 0, language: str = "en"
) -> CorrectionsPage:
    """The log of corrections; of those that moved a `person`, if one is named."""
    marks = ", ".join("?" * len(KINDS))
    sql = f"select seq from entry where kind in ({marks}) and (seq < ? or ? = 0)"
    values: list[object] = [*KINDS, before, before]
    if person:
        sql += " and seq in (select entry from effect where person = ?)"
        values.append(person)
    with office.store.reading():
        found = [row[0] for row in office.store.rows(f"{sql} order by seq desc limit ?", [*values, size + 1])]
        told = tuple(_correction(office, chain.entry(office.store, seq), language) for seq in found[:size])
    return CorrectionsPage(before, told[-1].entry if len(found) > size else 0, told)


def correction(office: Office, entry: int, language: str = "en") -> CorrectionPage:
    """One correction. Raises UnknownName for an entry that is none."""
    with office.store.reading():
        kind = office.store.value("select kind from entry where seq = ?", (entry,))
        if kind not in KINDS:
            raise UnknownName("correction", str(entry), [])
        moved = sorted(moved_by(office, entry), key=lambda each: -abs((each.after or 0) - (each.before or 0)))
        return CorrectionPage(_correction(office, chain.entry(office.store, entry), language), tuple(moved))


def _correction(office: Office, entry: chain.Entry, language: str) -> Correction:
    players = office.store.value("select count(*) from effect where entry = ?", (entry.seq,))
    return Correction(
        entry.seq,
        entry.at,
        entry.actor.split(" ")[0],
        entry.kind,
        words(entry, language, partial(written, language=language)),
        entry.reason,
        players,
        entry.body.get("reverts", 0),
        _reverted(office).get(entry.seq, 0),
    )


def _reverted(office: Office) -> dict[int, int]:
    """By entry that was taken back: the last one that did."""

    def found() -> dict[int, int]:
        entries = chain.entries(office.store, kinds=("correct", "split"))
        return {entry.body["reverts"]: entry.seq for entry in entries if entry.body.get("reverts")}

    return office.keep("reverted", found)
