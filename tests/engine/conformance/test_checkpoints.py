"""A replay from a checkpoint gives the same bits as one from the first game, cut wherever a batch ends."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import pytest

from arpad.engine import Checkpoint, History
from arpad.errors import DataError, UsageError
from arpad.model import Act, Game, Start
from arpad.rulebooks import load
from tests.engine.helpers import bits, day, rated
from tests.engine.worlds import EDITIONS, book, named, world


def cuts(history: History) -> list[tuple[int, int]]:
    """(row, day) of each place where a replay can be cut: games before the row, acts before the day."""
    batches = history.arrangement.batches
    if batches:
        return sorted({(one.stop, max(each.after for each in batches if each.stop <= one.stop)) for one in batches})
    place = history.arrangement.place
    return [(row, int(place[row])) for row in range(1, len(place)) if place[row] != place[row - 1]]


def continued(label: str, games: list[Game], held: Checkpoint, acts: list[Act]) -> History | None:
    """The rest from a checkpoint; None where an event or an act reaches back behind it."""
    try:
        return rated(book(label), games, held, acts)
    except DataError as refused:
        if "before the checkpoint's end" not in str(refused):
            raise
        return None


@pytest.mark.parametrize(("label", "when"), EDITIONS, ids=named(EDITIONS))
def test_at_every_cut(label: str, when: date) -> None:
    facts = world(11, when, games=36, span=100)
    whole = rated(book(label), facts.games, facts.start, facts.acts)
    expected = bits(whole)
    order = [facts.games[line - 1] for line in whole.games.line]
    taken = 0
    for row, border in cuts(whole):
        acts = [act for act in facts.acts if act.date < border]
        first = rated(book(label), order[:row], facts.start, acts)
        later = [act for act in facts.acts if act.date >= border]
        second = continued(label, order[row:], first.checkpoint(), later)
        if second is None:
            continue
        taken += 1
        assert bits(second) == expected, (row, date.fromordinal(border))
    assert taken


@pytest.mark.parametrize("label", ["elo", "elo by month", "fide/standard", "asigc"])
def test_of_a_checkpoint_of_a_checkpoint(label: str) -> None:
    """Three parts: what was blended in the first is remembered in the third."""
    when = date(2024, 1, 20)
    start = [Start("a", 1950, 60), Start("b", 2050, 400)]
    games = [Game("a", "b", 0.5, date=date(2024, month, 10), event=f"event {month}") for month in (1, 2, 3, 4, 5)]
    acts = [Act("blend", "a", day(f"2024-0{month}-01"), 2300.0, games) for month, games in ((2, 25), (3, 25), (5, 25))]
    whole = rated(book(label), games, start, acts)
    part: object = start
    for since, until in pairwise((0, day("2024-02-01"), day("2024-04-01"), day("2025-01-01"))):
        inside = [game for game in games if since <= game.date.toordinal() < until]
        part = rated(book(label), inside, part, [act for act in acts if since <= act.date < until])
        last, part = part, part.checkpoint()
    assert bits(last) == bits(whole)
    assert when


@pytest.mark.parametrize("unit", ["game", "event", "period:month"])
def test_acts_and_games_before_its_end_are_refused(unit: str) -> None:
    rules = load("elo", {"unit": unit})
    game = Game("a", "b", 1, date=date(2024, 5, 10), event="open")
    held = rated(rules, [game], {"a": 1500, "b": 1500}).checkpoint()
    for games, acts in (
        ([Game("a", "b", 1, date=date(2024, 5, 9), event="late")], []),
        ([], [Act("adjustment", "a", day("2024-05-09"), 5.0)]),
        ([], [Act("adjustment", "a", 0, 5.0)]),
    ):
        with pytest.raises(DataError, match="before the checkpoint's end"):
            rated(rules, games, held, acts)


def test_an_act_that_waited_for_a_period_closes_it() -> None:
    """The adjustment of 15 March comes after March; games of March can no longer follow it."""
    rules = load("elo", {"unit": "period:month"})
    games = [Game("a", "b", 1, date=date(2024, 1, 10))]
    held = rated(rules, games, {"a": 1500, "b": 1500}, [Act("adjustment", "a", day("2024-03-15"), 5.0)]).checkpoint()
    with pytest.raises(DataError, match="before the checkpoint's end"):
        rated(rules, [Game("a", "b", 1, date=date(2024, 3, 20))], held)
    entry = rated(rules, games, {"a": 1500, "b": 1500}, [Act("entry", "a", day("2024-03-15"), 1600.0)]).checkpoint()
    assert rated(rules, [Game("a", "b", 1, date=date(2024, 3, 20))], entry).recording.before[0] == 1600


def test_a_revaluation_between_two_parts_is_made_once(tmp_path) -> None:
    from tests.engine.helpers import club

    edition = """
[[edition]]
[edition.curve]
shape = "logistic"
[[edition.k]]
value = 20
[[edition.uplift]]
date = 2024-03-01
share = 0.4
towards = 2000
rating_from = 1000
rating_below = 2000
"""
    rules = club(tmp_path, edition)
    before, after = date(2024, 2, 29), date(2024, 3, 1)
    games = [
        Game("x", "y", 0.5, date=before),
        Game("x", "y", 0.5, date=after),
        Game("x", "y", 0.5, date=after + timedelta(days=9)),
    ]
    start = {"me": 1500.0, "x": 2100.0, "y": 2100.0}
    assert rated(rules, games, start).rating("me") == 1700
    for cut in (1, 2):
        held = rated(rules, games[:cut], start).checkpoint()
        assert rated(rules, games[cut:], held).rating("me") == 1700
    held = rated(rules, games[:1], start, on=date(2024, 3, 5)).checkpoint()
    assert rated(rules, games[2:], held).rating("me") == 1700


def test_other_rules_are_refused() -> None:
    held = rated("elo", [Game("a", "b", 1)]).checkpoint()
    with pytest.raises(UsageError, match="these rules are others"):
        rated(load("elo", {"k": 24}), [], held)
