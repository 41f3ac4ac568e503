"""Systems whose mathematics is a library's: the loop that brings its games to it, and nothing that it knows better.

A game has two sides, of whom one won or both drew; games are settled one by one. What a game brought a player is
recorded as its gain, in points: there is no K.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, TypeAlias

import msgspec

from arpad import kernel
from arpad.arithmetic import ROUNDINGS
from arpad.columns import made
from arpad.errors import DataError, UsageError
from arpad.model import Column, Problem
from arpad.rulebooks.schema import Edition
from arpad.stretch import COMMON, Segment, Stretch, edition_of, intervals

NAN = math.nan

#: A player's state: `rating` is the mean of the skill, `deviation` its standard deviation (nan: not known yet).
FIELDS = (*COMMON, "deviation")
WIDTH = len(FIELDS)

#: Mean and standard deviation of somebody's skill.
Skill: TypeAlias = tuple[float, float]


class Model(msgspec.Struct, frozen=True):
    """An edition's model, made by a library. `rate` takes two skills, and 1, 0 or -1 as the first side won, drew or
    lost; `expects` gives the first side's score; `at_least` is what a skill is worth with some certainty. `entry` is a
    newcomer's skill, its mean nan where nobody enters without a rating; `draws` says whether there may be any."""

    rate: Callable[[Skill, Skill, int], tuple[Skill, Skill]]
    expects: Callable[[Skill, Skill], float] | None
    at_least: Callable[[Skill], float]
    entry: Skill
    draws: bool = True


def require(libraries: Sequence[str], extra: str) -> None:
    """Raise UsageError that says what to install if a library is absent."""
    missing = [library for library in libraries if find_spec(library) is None]
    if missing:
        raise UsageError(f"these rules need {' and '.join(missing)}: pip install 'arpad[{extra}]'")


def run(stretch: Stretch) -> None:
    """Settle a stretch of games, one by one."""
    _refuse_results(stretch)
    for segment in stretch.segments:
        for row in range(segment.start, segment.stop):
            _settle(stretch, segment, row)


def listed(history: Any, codes: Column) -> Mapping[str, Column]:
    """What a list shows beside the rating: its deviation, where the true skill lies with 95 % confidence, and what the
    player is worth at least."""
    model: Model = history.numbers[edition_of(history)]
    skills = [_skill(history.state, code, model) for code in codes]
    deviations = made("d", (deviation for _, deviation in skills), history.state)
    return {
        "deviation": deviations,
        **intervals(made("d", (rating for rating, _ in skills), history.state), deviations),
        "conservative": made("d", (model.at_least(skill) for skill in skills), history.state),
    }


def result_of(scores: tuple[float, float]) -> int | None:
    """1, 0 or -1 as the first side won, drew or lost; None if that cannot be told: two losers, or two winners."""
    first, second = scores
    if first != second:
        return 1 if first > second else -1
    return 0 if first == 0.5 else None


def _refuse_results(stretch: Stretch) -> None:
    """Raise DataError with every game of the stretch whose result the library has no word for."""
    results = [result_of(pair) for pair in stretch.games.scores]
    if all(results) or (None not in results and all(model.draws for model in stretch.numbers)):
        return
    problems = []
    for segment in stretch.segments:
        drawn = stretch.numbers[segment.settles].draws
        for row in range(segment.start, segment.stop):
            result = results[stretch.games.score[row]]
            if result is None:
                first, second = stretch.games.scores[stretch.games.score[row]]
                problems.append(_problem(stretch, row, f"{first:g}-{second:g} is no win, draw or loss"))
            elif result == 0 and not drawn:
                problems.append(_problem(stretch, row, "a draw, and the rules say that there are none", "set draw"))
    if problems:
        raise DataError(problems)


def _problem(stretch: Stretch, row: int, text: str, hint: str = "") -> Problem:
    games = stretch.games
    sides = f"{games.players[games.first[row]]!r} and {games.players[games.second[row]]!r}"
    line = int(games.line[row]) if games.line is not None else 0
    return Problem(f"{sides}: {text}", games.source, line, hint=hint)


def _settle(stretch: Stretch, segment: Segment, row: int) -> None:
    state, recording, games = stretch.state, stretch.recording, stretch.games
    model: Model = stretch.numbers[segment.settles]
    edition = stretch.rulebook.editions[segment.settles]
    sides = int(games.first[row]), int(games.second[row])
    for code in sides:
        _enter(state, code, model, edition)
    first, second = (_skill(state, code, model) for code in sides)
    if recording is not None:
        recording.before[2 * row], recording.before[2 * row + 1] = first[0], second[0]
        recording.spread[8 * row], recording.spread[8 * row + 4] = first[1], second[1]
    if first[0] != first[0] or second[0] != second[0]:
        stretch.totals[3] += 1
        return
    result = result_of(games.scores[games.score[row]])
    assert result is not None  # _refuse_results has seen to it
    after = _rated(stretch, row, model, (first, second), result)
    day = float(stretch.place[row]) if stretch.place is not None else 0.0
    for side, (code, before, now) in enumerate(zip(sides, (first, second), after)):
        _learn(state, code, now, day, edition)
        if recording is not None:
            recording.after[2 * row + side] = now[0]
            recording.gains[2 * row + side] = now[0] - before[0]
            recording.spread[8 * row + 4 * side + 1] = now[1]
    if recording is not None and model.expects is not None:
        recording.expects[row] = model.expects(first, second)
        recording.expects_second[row] = model.expects(second, first)


def _rated(stretch: Stretch, row: int, model: Model, before: tuple[Skill, Skill], result: int) -> tuple[Skill, Skill]:
    """Both skills after a game. Raises DataError for a game that the library cannot reckon with."""
    if not all(deviation > 0 for _, deviation in before):
        raise DataError([_problem(stretch, row, "a deviation must be positive")])
    try:
        after = model.rate(*before, result)
    except (ArithmeticError, ValueError):
        after = ((NAN, NAN), (NAN, NAN))
    if not all(math.isfinite(number) for skill in after for number in skill):
        told = ", ".join(f"{rating:g}/{deviation:g}" for rating, deviation in before)
        hint = "are the starting ratings on the scale of these rules?"
        raise DataError([_problem(stretch, row, f"the ratings are too far apart ({told}) to be reckoned with", hint)])
    return after


def _enter(state: Column, code: int, model: Model, edition: Edition) -> None:
    """Give a newcomer the entry rating, if the edition has one."""
    at = WIDTH * code
    if state[at] != state[at] and not state[at + 1] and model.entry[0] == model.entry[0]:
        state[at], state[at + 1] = model.entry[0], edition.entry.games
        state[at + 2] = _shown(model.entry[0], edition)


def _skill(state: Column, code: int, model: Model) -> Skill:
    at = WIDTH * code
    deviation = float(state[at + 4])
    return float(state[at]), model.entry[1] if deviation != deviation else deviation


def _learn(state: Column, code: int, skill: Skill, day: float, edition: Edition) -> None:
    at = WIDTH * code
    state[at], state[at + 4] = skill
    state[at + 1] += 1
    state[at + 2] = max(float(state[at + 2]), _shown(skill[0], edition))
    state[at + 3] = day


def _shown(rating: float, edition: Edition) -> float:
    """A rating as the list shows it."""
    return kernel.round_to(rating, float(ROUNDINGS.index(edition.publish.rule)), edition.publish.to)


def entry_of(edition: Edition, sigma: float) -> Skill:
    """A newcomer's skill under an edition."""
    return NAN if edition.entry.rating is None else edition.entry.rating, sigma


__all__ = ["FIELDS", "Model", "Skill", "entry_of", "listed", "require", "result_of", "run"]
