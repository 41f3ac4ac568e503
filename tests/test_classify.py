"""What is said of tournaments that a rulebook's table does not name."""

from __future__ import annotations

from datetime import date

import pytest

from arpad import office
from arpad.model import Game, Games


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("FIFA World Cup", None),
        ("Fifa World Cup", "FIFA World Cup"),
        ("FIFA World Cupp", "FIFA World Cup"),
        ("Friendly", None),
        ("Coppa Cobram", None),
        ("Malta International Tournament", None),  # one letter from no other: it counts as the rules say of the rest
    ],
)
def test_a_tournament_that_is_nearly_one_of_the_table_is_asked_about(written: str, named: str | None) -> None:
    game = Game("Italy", "Spain", 1, date=date(2022, 11, 22), labels={"tournament": written})
    rated = office.rate([Games.of([game])], "eloratings", start={"Italy": 1700, "Spain": 1800})
    told = [problem.message for problem in rated.problems if "counts as any other" in problem.message]
    assert told == (
        [f"tournament {written!r} counts as any other; {named!r} is in the rulebook's table"] if named else []
    )
