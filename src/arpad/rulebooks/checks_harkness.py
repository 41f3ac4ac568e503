"""What must hold in the clause of the Harkness system, and of the others beside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from arpad.rulebooks.schema_harkness import Harkness

if TYPE_CHECKING:
    from arpad.rulebooks.schema import Edition

Trouble = tuple[str, str]

#: More events than anybody's last ones.
MOST = 1000


def harkness(clause: Harkness) -> Iterator[Trouble]:
    if not clause.points > 0:
        yield ".points", "must be positive"
    if not 1 <= clause.average_of <= MOST or clause.average_of % 1:
        yield ".average_of", f"a whole number of events from 1 to {MOST:,}"


def contradictions(edition: Edition) -> Iterator[Trouble]:
    """What the system cannot follow of the clauses that every system has."""
    if edition.unit.of == "game":
        yield "unit.of", "a percentage needs whole events or periods; the unit is the game"
    if edition.difference.advantage or edition.difference.expectation != "game" or edition.difference.upgrades:
        yield "difference", "the percentage stands against the mean of the opponents as they are"
    if edition.dates.expectation != "game" or edition.dates.coefficient != "game":
        yield "dates", "an event is rated under the edition and the list of its own day"
