"""What is written twice, or runs in two ways, gives the same bits: compiled and interpreted, short way and general way,
numpy's columns and arrays, the order by numpy and the plain one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import arpad
from arpad import acts, engine, explain, views
from arpad.engine import History, replay
from arpad.model import Game, Games, Start
from arpad.order import arrange
from arpad.rulebooks import load
from arpad.rulebooks.book import Rulebook
from arpad.systems import elo
from tests.engine.helpers import bits, block, loaded, shown
from tests.engine.worlds import EDITIONS, World, as_numpy, book, world

FOLDER = Path(arpad.__file__).parent
WRITTEN = ("before", "after", "expects", "expects_second", "used_k", "gains")

worlds = st.builds(
    world,
    st.integers(0, 10**9),
    st.just(date(2023, 11, 20)),
    games=st.integers(1, 60),
    players=st.integers(2, 9),
    span=st.integers(1, 100),
    distinct=st.booleans(),
    newcomers=st.integers(0, 2),
)
seeds = st.integers(0, 10**9)
readings = st.sampled_from(EDITIONS)


@pytest.fixture(scope="module")
def interpreted() -> ModuleType:
    module = loaded(FOLDER / "kernel.py", "arpad.kernel")
    assert not module.COMPILED
    return module


@pytest.fixture(scope="module")
def compiled() -> ModuleType:
    """Skipped without the extension; with CI set a skip is a failure."""
    found = [path for path in FOLDER.glob("kernel.*") if path.suffix in (".so", ".pyd")]
    if not found:
        pytest.skip("the kernel is not compiled here")
    module = loaded(found[0], "arpad.kernel")
    assert module.COMPILED
    return module


@contextmanager
def using(kernel: ModuleType) -> Iterator[None]:
    """Every part that calls the kernel calls this one."""
    with ExitStack() as patches:
        for module in (acts, elo, explain, views):
            patches.enter_context(mock.patch.object(module, "kernel", kernel))
        yield


def everything(games: Games, rulebook: Rulebook, facts: World) -> dict[str, Any]:
    """All numbers of a replay, in its order."""
    history = replay(games, rulebook, facts.start, facts.acts)
    return {**written(history), "states": bits(history), "problems": [str(problem) for problem in history.problems]}


def written(history: History) -> dict[str, Any]:
    recording = history.recording
    columns = {name: shown(getattr(recording, name)) for name in WRITTEN}
    return {**columns, "changes": [shown(change) for change in recording.changes], "line": list(history.games.line)}


# ------------------------------------------------------------------------------- compiled and interpreted


def test_the_kernel_in_use_is_the_one_that_was_asked_for(compiled: ModuleType) -> None:
    assert bool(os.environ.get("ARPAD_INTERPRETED")) != elo.kernel.COMPILED


@given(readings, seeds)
@settings(max_examples=80, deadline=None)
def test_compiled_is_interpreted(
    compiled: ModuleType, interpreted: ModuleType, reading: tuple[str, date], seed: int
) -> None:
    label, when = reading
    facts = world(seed, when, games=40)
    games = Games.of(facts.games)
    with using(compiled):
        one = everything(games, book(label), facts)
    with using(interpreted):
        two = everything(games, book(label), facts)
    assert one == two


@given(
    st.floats(-1e6, 1e6),
    st.floats(-1e6, 1e6),
    st.sampled_from(EDITIONS),
    st.floats(-30, 30),
    st.integers(0, 4),
    st.sampled_from([1.0, 0.5, 0.1, 0.01, 5.0]),
)
@settings(max_examples=200, deadline=None)
def test_every_part_by_itself(
    compiled: ModuleType,
    interpreted: ModuleType,
    own: float,
    opponent: float,
    reading: tuple[str, date],
    margin: float,
    rule: int,
    step: float,
) -> None:
    rules = elo.compile_rulebook(book(reading[0]))
    edition = book(reading[0]).editions[-1]
    at = rules.blocks[-1]
    for name, arguments in (
        ("expected_score", (rules.rules, at, own, opponent, own - opponent)),
        ("coefficient_of", (rules.rules, at, own, 40.0, own, float("nan"), 3.0)),
        ("margin_factor", (rules.rules, at, margin, own - opponent)),
        ("round_to", (own, float(rule), step)),
    ):
        if name == "margin_factor" and not rules.rules[at + 18]:
            continue
        if name == "expected_score" and edition.curve.shape == "none":
            continue
        if name == "coefficient_of" and not edition.k:
            continue
        one, two = getattr(compiled, name)(*arguments), getattr(interpreted, name)(*arguments)
        assert one == two, name
        assert abs(one) < 1e9, name


# --------------------------------------------------------------------------------- short and general way


SHORT = {
    "elo": {},
    "elo:32/16": {},
    "elo:40/20/10": {},
    "elo, k 10": {"k": 10, "start": 2395},
    "elo, no newcomers": {"start": "none"},
}


@given(st.sampled_from(sorted(SHORT)), seeds)
@settings(max_examples=60, deadline=None)
def test_short_way_is_the_general_way(label: str, seed: int) -> None:
    rulebook = load(label.partition(",")[0], SHORT[label])
    facts = world(seed, date(2023, 11, 20), newcomers=2)
    games = Games.of(facts.games)
    rules = elo.compile_rulebook(rulebook)
    plain = block(rules, "plain")
    assert rules.rules[plain] == 1
    general = elo.compile_rulebook(rulebook)
    general.rules[plain] = 0
    short = replay(games, rulebook, facts.start, facts.acts)
    with mock.patch.object(engine, "compile_rulebook", return_value=general):
        long = replay(games, rulebook, facts.start, facts.acts)
    assert bits(short) == bits(long)
    assert short.not_rated == long.not_rated
    # The recording always goes the general way; its last word is the short way's.
    last: dict[str, float] = {}
    for row in range(len(short.games)):
        for side, column in enumerate((short.games.first, short.games.second)):
            last[short.games.players[column[row]]] = short.recording.after[2 * row + side]
    if not facts.acts:
        assert all(short.rating(name) == value for name, value in last.items())


def test_short_way_writes_what_the_general_way_writes() -> None:
    """The columns that the short way fills by itself: both ratings before and the expected score."""
    from array import array

    from arpad import kernel
    from arpad.plan import Plan

    facts = world(5, date(2023, 11, 20), newcomers=2)
    history = replay(Games.of(facts.games), load("elo:40/20/10"), facts.start)
    plan: Plan = history.plan
    found = []
    for plain in (1.0, 0.0):
        rules = array("d", history.compiled.rules)
        rules[block(history.compiled, "plain")] = plain
        count = len(history.games)
        before, expects = array("d", [0.0] * 2 * count), array("d", [0.0] * count)
        state, totals = array("d", history.begun), array("d", [0.0] * 7)
        flat = array("q", [0, count, 0, 0, 0, 0])
        none = array("d")
        kernel.replay(
            state,
            rules,
            flat,
            *(plan.columns[name] for name in elo.READ),
            array("B"),
            none,
            array("d", [0.0] * 18),
            array("i"),
            before,
            expects,
            none,
            none,
            none,
            none,
            none,
            totals,
        )
        found.append([shown(column) for column in (before, expects, state, totals)])
    assert found[0] == found[1]
    assert found[0][0] == shown(history.recording.before)


# ------------------------------------------------------------------------------------ numpy and arrays


def sortable(numbers: dict[str, Any], by_game: bool) -> dict[str, Any]:
    """Numbers by game rather than by row: games of one moment that have nobody in common may stand in any order."""
    if not by_game:
        return numbers
    order = sorted(range(len(numbers["line"])), key=numbers["line"].__getitem__)
    pairs = {
        name: [numbers[name][2 * row : 2 * row + 2] for row in order] for name in ("before", "after", "used_k", "gains")
    }
    singles = {name: [numbers[name][row] for row in order] for name in ("expects", "expects_second", "line")}
    return {**numbers, **pairs, **singles}


@given(readings, seeds, st.booleans())
@settings(max_examples=80, deadline=None)
def test_numpy_columns_are_array_columns(reading: tuple[str, date], seed: int, distinct: bool) -> None:
    label, when = reading
    facts = world(seed, when, games=40, distinct=distinct)
    games = Games.of(facts.games)
    by_game = book(label).editions[-1].unit.of == "game"
    one = sortable(everything(games, book(label), facts), by_game)
    two = sortable(everything(as_numpy(games), book(label), facts), by_game)
    assert one == two


def loosened(facts: World, seed: int) -> list[Game]:
    """Ties, ids here and there, rounds and events that are missing, games without a date."""
    random = Random(seed)
    return [
        replace(
            game,
            date=None if random.random() < 0.1 else game.date,
            event=None if random.random() < 0.2 else game.event,
            round=0 if random.random() < 0.5 else game.round,
            id=f"g{number}" if random.random() < 0.5 else None,
            margin=game.margin if random.random() < 0.5 else None,
        )
        for number, game in enumerate(facts.games)
    ]


@given(worlds, seeds, st.sampled_from(["game", "event", "period:month", "period:week", "period:01-01,07-01"]))
@settings(max_examples=100, deadline=None)
def test_order_by_numpy_is_the_plain_order(facts: World, seed: int, unit: str) -> None:
    games = Games.of(loosened(facts, seed))
    if (unit == "event" and games.event is None) or (unit.startswith("period") and games.date is None):
        return
    one, two = arrange(games, [(0, unit)]), arrange(as_numpy(games), [(0, unit)])
    assert [str(problem) for problem in one.problems] == [str(problem) for problem in two.problems]
    assert list(one.batches) == list(two.batches)
    if unit != "game":
        assert list(one.games.line) == list(two.games.line)
        return
    assert sorted(one.games.line) == sorted(two.games.line)
    for code in range(len(games.players)):
        assert of_player(one.games, code) == of_player(two.games, code)


def of_player(games: Games, code: int) -> list[int]:
    return [int(games.line[row]) for row in range(len(games)) if code in (games.first[row], games.second[row])]


@given(worlds, seeds)
@settings(max_examples=30, deadline=None)
def test_order_does_not_depend_on_arrival(facts: World, seed: int) -> None:
    """Whatever is missing: another order of the rows gives every player the same games in the same order."""
    games = [replace(game, id=game.id or None) for game in loosened(facts, seed) if game.date]
    if not games:
        return
    shuffled = list(games)
    Random(seed + 1).shuffle(shuffled)
    start = [Start(name, 1500.0 + 37 * number) for number, name in enumerate(sorted({game.first for game in games}))]
    for unit in ("game", "period:month"):
        rules = load("elo", {"unit": unit, "margin": "goals"})
        assert bits(replay(Games.of(games), rules, start)) == bits(replay(Games.of(shuffled), rules, start))
        assert bits(replay(as_numpy(Games.of(games)), rules, start)) == bits(
            replay(as_numpy(Games.of(shuffled)), rules, start)
        )
