"""FIDE B.02, 8.2.1: a first event without a point is left out, and only the first one is."""

from __future__ import annotations

from datetime import date

import pytest

from arpad.model import Game, Start
from tests.engine.helpers import rated

OPPONENTS = [Start(f"o{number}", 1800 + 10 * number, 100) for number in range(8)]


def event(name: str, day: date, score: float, first: int, games: int) -> list[Game]:
    return [Game("new", f"o{number}", score, date=day, event=name) for number in range(first, first + games)]


@pytest.mark.parametrize("months", [(11, 12), (11, 11)])
def test_8_2_1_the_second_event_without_a_point_counts(months: tuple[int, int]) -> None:
    """In one month or in two: three lost games are left out, the two of the next event wait."""
    games = event("one", date(2025, months[0], 3), 0, 0, 3) + event("two", date(2025, months[1], 20), 0, 3, 2)
    history = rated("fide/standard", games, OPPONENTS)
    waiting = history.waiting["new"]
    assert [(game.event, game.counts) for game in waiting] == [("one", False)] * 3 + [("two", True)] * 2


@pytest.mark.parametrize("cut", [True, False])
def test_8_2_1_games_of_the_second_event_are_in_the_first_rating(cut: bool) -> None:
    """0 of 3 is left out; 0 of 2 and 3 of 3 make five games, also when the months are rated one after another."""
    early = event("one", date(2025, 10, 3), 0, 0, 3) + event("two", date(2025, 11, 20), 0, 3, 2)
    late = event("three", date(2025, 12, 5), 1, 5, 3)
    book = "fide/standard"
    if cut:
        history = rated(book, late, rated(book, early, OPPONENTS).checkpoint())
    else:
        history = rated(book, early + late, OPPONENTS)
    # Ra = (1830 + 1840 + 1850 + 1860 + 1870 + 3600) / 7 = 1835.71; p = 4/7 = .57, dp = 50
    assert history.rating("new") == 1886
