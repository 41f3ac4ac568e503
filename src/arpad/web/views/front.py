"""The front page: every list at a glance, and what was corrected last."""

from __future__ import annotations

from datetime import date

import msgspec

from arpad.bureau.opened import Office, publication_days
from arpad.bureau.pinning import rules_told
from arpad.web.views.corrections import Correction, corrections
from arpad.web.views.lists import Row, whole_list

#: Players of each list, and corrections, on the front page.
FIRST, LAST = 5, 3


class Glance(msgspec.Struct, frozen=True):
    """A list as last published (`day` None: the live one, where none was) with its first players."""

    list: str
    rules: str
    pool: str
    day: date | None
    publications: int
    players: int
    rows: tuple[Row, ...]


class Front(msgspec.Struct, frozen=True):
    lists: tuple[Glance, ...]
    corrections: tuple[Correction, ...]


def front(office: Office, language: str = "en") -> Front:
    with office.store.reading():
        glances = []
        for which in office.lists():
            days = publication_days(office.store, which.id)
            whole = whole_list(office, which.name, date.fromordinal(days[-1]) if days else None)
            shown = whole.rows[:FIRST]
            glances.append(
                Glance(which.name, rules_told(which.rules), which.pool, whole.day, len(days), len(whole.rows), shown)
            )
        return Front(tuple(glances), corrections(office, size=LAST, language=language).corrections)
