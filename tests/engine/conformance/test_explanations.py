"""Every explanation adds up: the games to the batch, the batch to the change, the changes to the rating."""

from __future__ import annotations

import math
from datetime import date
from itertools import pairwise

import pytest

from arpad import kernel
from arpad.arithmetic import ROUNDINGS
from arpad.engine import History
from arpad.explain import ChangeExplained, explain
from arpad.rulebooks.schema import Edition
from arpad.sentences import words
from arpad.systems import dwz, ecf, icu
from arpad.systems.bayrate import Seeded
from arpad.systems.harkness import Performance
from arpad.systems.provisional import Provisional
from tests.engine.helpers import rated
from tests.engine.worlds import EDITIONS, book, named, world


def settled(history: History, change: ChangeExplained) -> Edition:
    return next(
        edition for edition in history.rulebook.editions if change.edition in ("the beginning", str(edition.since))
    )


def follows(history: History, change: ChangeExplained) -> None:
    """before + rounded(K x gain) = after, within the bounds that the edition sets."""
    if change.steps is not None:
        in_steps(change)
        return
    edition = settled(history, change)
    if isinstance(change.working, Provisional):
        is_the_mean(edition, change)
        return
    moved = kernel.round_to(change.exact + change.rise, ROUNDINGS.index(edition.change.rule), edition.change.to)
    reached = change.before + moved + getattr(change.working, "bonus", 0)
    floor = edition.floor
    if floor and reached < floor.value:
        assert change.after == (floor.value if floor.kind == "clamp" else None)
        assert floor in change.clauses
    else:
        assert change.after == pytest.approx(reached, abs=1e-9)
    exact = change.k * change.gain * change.surprise + change.bonus + change.pull
    assert change.exact == pytest.approx(exact, abs=1e-9)


def in_steps(change: ChangeExplained) -> None:
    """before + K x gain + bonus = the result, and within limits and floors that is what the event led to."""
    working = change.steps.working
    if change.k is not None:
        assert working.raw == pytest.approx(working.before + change.k * change.gain + working.bonus, abs=1e-9)
    assert working.capped == pytest.approx(working.raw) or working.cap
    whole = "storage" in change.steps.clauses
    away = abs(change.after - working.capped)
    assert working.floored or (away < 1 if whole else away == 0)


def is_the_mean(edition: Edition, change: ChangeExplained) -> None:
    """The rating is the mean of what all games so far were worth, each within 400 points of the opponent's."""
    rule, told = edition.provisional, change.working
    games = [game for game in change.games if not game.note]
    before = change.facts["games"] if change.before is not None else 0
    assert before < rule.games
    assert rule in change.clauses
    total = (change.before or 0) * before + math.fsum(game.worth for game in games)
    mean = total / (before + len(games))
    moved = kernel.round_to(mean - (change.before or 0), ROUNDINGS.index(edition.change.rule), edition.change.to)
    assert told.mean == pytest.approx(mean, abs=1e-8)
    assert change.after == pytest.approx((change.before or 0) + moved, abs=1e-8)
    for game in games:
        points = rule.points * (2 * game.score - 1)
        straight, halfway = game.opponent_rating + points, (game.opponent_rating + (change.before or 0) + points) / 2
        assert min(abs(game.worth - straight), abs(game.worth - halfway)) < 1e-8
        assert rule.against_provisional == "halfway" or game.worth == pytest.approx(straight)


def is_the_performance(change: ChangeExplained) -> None:
    """Harkness: the mean of the opponents, and ten points for each per cent; the rating before does not enter."""
    games = [game for game in change.games if not game.note]
    mean = math.fsum(game.opponent_rating for game in games) / len(games)
    percentage = 100 * math.fsum(game.score for game in games) / len(games)
    assert change.after == pytest.approx(mean + 10 * (percentage - 50), abs=1e-9)
    assert (change.k, change.expected, change.exact) == (None, None, None)


def came_of_an_event(edition: Edition, change: ChangeExplained) -> None:
    """A rating that is a performance and no change: DWZ's first ones, ICU's and ECF's without a full rating."""
    told = change.working
    if isinstance(told, dwz.First):
        assert change.before is None
        assert change.after == dwz.first_rating(edition.tiers, told.performance)
        waited = (dwz.expectation(told.performance - game.rating, edition.curve.deviation) for game in told.remaining)
        assert change.expected + math.fsum(waited) == pytest.approx(told.score, abs=1e-6)
    elif isinstance(told, ecf.Performed):
        met = math.fsum(told.met.values())
        assert told.mean * (told.games + 1) >= told.nominal + met - 1e-6
        assert change.after == kernel.round_to(told.mean + told.difference, 1, 1.0)
    else:
        rule = edition.change
        assert change.after == kernel.round_to(told.performance, ROUNDINGS.index(rule.rule), rule.to)
    assert change.k is None


def adds_up(history: History, change: ChangeExplained) -> None:
    """The gains of the games are the gain of the batch; each is its factors times score minus expected."""
    rated_games = [game for game in change.games if not game.note]
    assert change.score == pytest.approx(sum(game.score for game in rated_games))
    if change.expected is None:
        assert change.gain == pytest.approx(math.fsum(game.gain for game in rated_games), abs=1e-9)
    elif (
        change.day is None
        or history.rulebook.name not in ("fide/standard", "fide/rapid", "fide/blitz", "scrabble/australia")
        or (change.day.year > 2005 and history.rulebook.name != "scrabble/australia")
    ):  # else by the mean opponent
        assert change.gain == pytest.approx(math.fsum(game.gain for game in rated_games) + change.upgrade, abs=1e-9)
        assert change.expected == pytest.approx(
            math.fsum(game.expected for game in rated_games) - change.upgrade, abs=1e-8
        )
        if isinstance(change.working, Seeded):
            return  # a game pulls by how likely its result is at the end, not by score and expectation before
        for game in rated_games:
            counts = math.prod(factor for _, factor in game.factors) * (game.score - game.expected)
            assert game.gain == pytest.approx(counts, abs=1e-9) or (game.gain == 0 and counts < 0)


@pytest.mark.parametrize(("label", "when"), EDITIONS, ids=named(EDITIONS))
def test_everything_adds_up(label: str, when: date) -> None:
    facts = world(21, when, games=40)
    history = rated(book(label), facts.games, facts.start, facts.acts)
    told = 0
    for player in history.players:
        story = explain(history, player)
        for one, two in pairwise(story):
            assert one.after == two.before, (player, one.kind, two.kind)
        known = {each.player: each.rating for each in facts.start}
        if story:
            assert story[0].before == known.get(player)
            assert story[-1].after == history.rating(player)
        for change in story:
            if isinstance(change.working, Performance):
                told += 1
                is_the_performance(change)
            elif change.kind == "games" and change.gain is not None:
                told += 1
                if isinstance(change.working, dwz.First | icu.Rated | ecf.Performed) and change.k is None:
                    came_of_an_event(settled(history, change), change)
                    continue
                if change.k is None and change.steps is None:  # a library rates: what the game brought is the change
                    assert change.gain == pytest.approx(change.change, abs=1e-9)
                    assert math.fsum(game.gain for game in change.games) == change.gain
                    continue
                follows(history, change)
                adds_up(history, change)
        for language in ("en", "it", "es"):
            assert all(words(story, language)) or not story
    assert told >= 5


@pytest.mark.parametrize(("label", "when"), EDITIONS, ids=named(EDITIONS))
def test_every_game_is_told_on_both_sides(label: str, when: date) -> None:
    facts = world(22, when, games=30)
    history = rated(book(label), facts.games, facts.start, facts.acts)
    told = sum(len(change.games) for player in history.players for change in explain(history, player))
    assert told == 2 * len(history.games)
