"""Promises of the design that no other module of these tests has by name."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest

from arpad.bureau import cards
from arpad.bureau.register import enrol
from arpad.explain import explain
from arpad.model import Start
from arpad.rulebooks.clause import Clause
from arpad.told import ChangeExplained
from tests.bureau.worlds import office_of, some_events


def cited(change: ChangeExplained) -> Iterator[Clause]:
    yield from change.clauses
    for game in change.games:
        yield from game.clauses


@pytest.mark.parametrize("rules", ["elo", "glicko2", "asigc", "uschess/regular"])
def test_promise_2_any_number_can_be_explained_down_to_game_and_article(rules: str) -> None:
    with office_of(":memory:", some_events(random.Random(2)), rules) as office:
        history = office.history(office.which())
        told = 0
        for name in history.players:
            story = explain(history, name)
            assert story[-1].after == history.rating(name)
            for before, after in pairwise(story):
                assert before.after == after.before
            for change in story:
                if change.kind == "games":
                    told += len(change.games)
                    assert all(game.opponent in history.players for game in change.games)
                    assert change.steps is not None or any(clause.article or clause.source for clause in cited(change))
        assert told == 2 * len(history.games)


def test_c52_a_player_without_games_has_a_card(place: str) -> None:
    with office_of(place, some_events(random.Random(3))) as office:
        enrol(office, [Start("Zeno", 1800.0)], reason="joined")
        card = cards.player(office, "Zeno")
        (listed,) = card.lists
        assert (card.name, listed.games, listed.rating, listed.lines) == ("Zeno", 0, 1800.0, ())
