"""Contests of several players and of teams: Elo between all sides at once, or shares of what is at stake.

A contest is one batch, its games are the pairs of its players, and everything goes by the ratings before it. Sides are
players or teams. Plain Python: the curve, K and rounding are the kernel's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import msgspec

from arpad import kernel
from arpad.arithmetic import ROUNDINGS
from arpad.contests import Side, compared, numbered, sides_of
from arpad.rulebooks.schema import Edition, Step
from arpad.rulebooks.schema_multiplayer import Contest
from arpad.stretch import Segment, Stretch, System, nothing

NAN = math.nan
WIDTH = 4


class Against(msgspec.Struct, frozen=True):
    """One side as another one met it; `weight` is what the comparison counts."""

    name: str
    strength: float
    weight: float
    score: float
    expected: float


class Contested(msgspec.Struct, frozen=True):
    """How a contest changed a player where it is no sum over single opponents.

    `score` - `expected`, times `k`, is the change. `pot` is the sum of the ratings where shares of them are at stake.
    """

    place: float
    sides: int
    team: str
    strength: float
    against: tuple[Against, ...]
    score: float
    expected: float
    k: float
    pot: float | None
    clauses: tuple[str, ...]


#: The other side, what the comparison with it counts, the score, and the expected score.
Meeting: TypeAlias = tuple[int, float, float, float]


class Outcome(msgspec.Struct, frozen=True):
    """What a contest says of one side: `factor` times the player's K, or without K, times `gain`, which is score -
    expected as the games' importance weighs it."""

    score: float
    expected: float
    factor: float
    by_k: bool
    gain: float
    working: Contested | None
    gains: tuple[tuple[int, float, float], ...]  # (other side, gain, expected score or nan) of each comparison


def run(stretch: Stretch) -> None:
    """Settle the contests of a stretch, one after the other."""
    for number, segment in enumerate(stretch.segments, stretch.base):
        if segment.start < segment.stop:
            _Contest(stretch, segment, number).settle()


class _Contest:
    """One contest while it is settled."""

    def __init__(self, stretch: Stretch, segment: Segment, number: int) -> None:
        self.stretch = stretch
        self.segment = segment
        self.number = number
        self.edition: Edition = stretch.rulebook.editions[segment.settles]
        self.at = stretch.compiled.blocks[segment.settles]
        assert self.edition.contest is not None
        self.rule: Contest = self.edition.contest

    def settle(self) -> None:
        sides = [
            _rated(side, self.enter) for side in sides_of(self.stretch.games, self.segment.start, self.segment.stop)
        ]
        sides = [side for side in sides if side.players]
        outcomes = self.outcomes(sides) if len(sides) > 1 else []
        before = {code: self.rating(code) for side in sides for code in side.players}
        self.stretch.totals[3] += self.not_rated(sides, outcomes)
        if self.stretch.recording is not None:
            self.record(sides, outcomes)
        ks = [self.coefficients(side) for side in sides]
        for side, outcome, own in zip(sides, outcomes, ks):
            for code, k in zip(side.players, own):
                used = outcome.factor * (k if outcome.by_k else 1.0)
                self.change(code, used * outcome.gain)
                if self.stretch.recording is not None:
                    row = (
                        self.number,
                        code,
                        before[code],
                        self.rating(code),
                        1.0,
                        outcome.score,
                        outcome.expected,
                        used,
                    )
                    self.stretch.recording.changes.append(row)
                    if outcome.working:
                        working = msgspec.structs.replace(outcome.working, k=used * outcome.working.k)
                        self.stretch.recording.workings[self.segment.batch, code] = working

    def rating(self, code: int) -> float:
        return float(self.stretch.state[WIDTH * code])

    def enter(self, code: int) -> bool:
        """Whether a player has a rating; newcomers get theirs."""
        state, s, entry = self.stretch.state, WIDTH * code, self.edition.entry
        if state[s] != state[s] and entry.rating is not None and state[s + 1] <= 0:
            state[s] = entry.rating
            state[s + 1] = entry.games
            state[s + 2] = _rounded(entry.rating, self.edition.publish)
        return bool(state[s] == state[s])

    def strength(self, side: Side) -> float:
        """A player's rating, or what the members' ratings make of a team."""
        ratings = [self.rating(code) for code in side.players]
        way = self.edition.team.strength if self.edition.team else "mean"
        if not side.name or way == "sum":
            return sum(ratings)
        weights = [1.0 if way == "mean" or weight != weight else weight for weight in side.weights]
        return sum(weight * rating for weight, rating in zip(weights, ratings)) / sum(weights)

    def coefficients(self, side: Side) -> list[float]:
        """K of each member."""
        state, rules = self.stretch.state, self.stretch.compiled.rules
        own = []
        for code in side.players:
            s = WIDTH * code
            facts = float(state[s]), float(state[s + 1]), float(state[s + 2]), self.age(code)
            own.append(kernel.coefficient_of(rules, self.at, *facts, 1.0))
        if self.edition.team and self.edition.team.k == "mean":
            return [sum(own) / len(own)] * len(own)
        return own

    def age(self, code: int) -> float:
        years, born = self.stretch.columns["year"], self.stretch.columns["born"]
        if not len(years) or not len(born) or not born[code] or not years[self.segment.start]:
            return NAN
        return float((int(years[self.segment.start]) - int(born[code])) // 10000)

    def change(self, code: int, change: float) -> None:
        state, s = self.stretch.state, WIDTH * code
        shown = self.stretch.rulebook.editions[self.segment.lists]
        rating = float(state[s]) + _rounded(change, self.edition.change)
        if shown.ceiling and rating > shown.ceiling.value:
            rating = shown.ceiling.value
        if shown.floor and rating < shown.floor.value:
            rating = shown.floor.value
        state[s] = rating
        state[s + 1] += 1.0
        state[s + 2] = max(float(state[s + 2]), _rounded(rating, shown.publish))

    def outcomes(self, sides: Sequence[Side]) -> list[Outcome]:
        """What each side scored and was expected to; empty if nothing can be expected of anybody."""
        teams = any(side.name for side in sides)
        strengths = [self.strength(side) for side in sides]
        if self.rule.compare == "pot" and not (self.rule.duels and len(sides) == 2 and not teams):
            return self.pot(sides, strengths)
        return self.pairs(sides, strengths, teams)

    def pairs(self, sides: Sequence[Side], strengths: Sequence[float], teams: bool) -> list[Outcome]:
        met = self.meetings(sides, strengths)
        weighed = 1.0
        if len(self.stretch.columns["importance"]):
            weighed = float(self.stretch.columns["importance"][self.segment.start])
        if self.rule.compare == "share" and (len(sides) > 2 or teams):
            return self.shares(sides, strengths, met, weighed, teams)
        factor = 1.0 / (len(sides) - 1) if self.rule.divided else 1.0
        found = []
        for number, own in enumerate(met):
            score = sum([weight * scored for _, weight, scored, _ in own])
            expected = sum([weight * expects for _, weight, _, expects in own])
            gains = tuple(
                [
                    (other, weighed * weight * (scored - expects), NAN if teams else expects)
                    for other, weight, scored, expects in own
                ]
            )
            working = None
            if self.stretch.recording is not None and (teams or any(weight != 1.0 for _, weight, _, _ in own)):
                against = self.against(sides, strengths, own)
                working = self.working(number, sides, strengths, against, (score, expected, weighed))
            found.append(Outcome(score, expected, factor, True, weighed * (score - expected), working, gains))
        return found

    def meetings(self, sides: Sequence[Side], strengths: Sequence[float]) -> list[list[Meeting]]:
        """Each side's comparisons with others."""
        met: list[list[Meeting]] = [[] for _ in sides]
        expects = self.stretch.compiled.expected
        for (one, two), weight in compared(sides, self.rule.compare).items():
            expected = expects(self.segment.meets, strengths[one], strengths[two], strengths[one] - strengths[two])
            score = 1.0 if sides[one].best < sides[two].best else 0.5  # sides stand in the order of their places
            met[one].append((two, weight, score, expected))
            met[two].append((one, weight, 1.0 - score, 1.0 - expected))
        return met

    def shares(
        self,
        sides: Sequence[Side],
        strengths: Sequence[float],
        met: Sequence[Sequence[Meeting]],
        weighed: float,
        teams: bool,
    ) -> list[Outcome]:
        """Points by place as shares of all points, against the mean expected score of all pairs."""
        count = len(sides)
        pairs = count * (count - 1) / 2
        points = _points(sides, self.rule.base)
        found = []
        for number, own in enumerate(met):
            expected = sum([expects for _, _, _, expects in own]) / pairs
            even = points[number] / (count - 1)  # points that are no sum over pairs are told as equal parts
            gains = tuple(
                [
                    (
                        other,
                        weighed * ((even if self.rule.base > 1 else scored / pairs) - expects / pairs),
                        NAN if teams else expects,
                    )
                    for other, _, scored, expects in own
                ]
            )
            against = self.against(sides, strengths, own) if teams else ()
            working = self.working(number, sides, strengths, against, (points[number], expected, weighed))
            gain = weighed * (points[number] - expected)
            found.append(Outcome(points[number], expected, count - 1.0, True, gain, working, gains))
        return found

    def against(self, sides: Sequence[Side], strengths: Sequence[float], own: Sequence[Meeting]) -> tuple[Against, ...]:
        return tuple(
            Against(sides[other].name or self.stretch.players[sides[other].players[0]], strengths[other], *numbers)
            for other, *numbers in own
        )

    def working(
        self,
        number: int,
        sides: Sequence[Side],
        strengths: Sequence[float],
        against: tuple[Against, ...],
        numbers: tuple[float, float, float],
        pot: float | None = None,
    ) -> Contested:
        """`numbers`: score, expected, and what multiplies K."""
        clauses = [] if pot is not None else ["k"]
        clauses += ["contest"] if not sides[number].name or self.edition.team is None else ["contest", "team"]
        place, team = sides[number].place, sides[number].name
        return Contested(place, len(sides), team, strengths[number], against, *numbers, pot, tuple(clauses))

    def pot(self, sides: Sequence[Side], strengths: Sequence[float]) -> list[Outcome]:
        """Everybody stakes the same part of the rating, and the shares of the contest divide the pot."""
        exponent, count = self.rule.exponent, len(sides)
        stakes = [max(strength, 0.0) ** exponent for strength in strengths]
        total = sum(stakes)
        if not total > 0:
            return []
        weighed = 1.0
        if self.stretch.games.importance is not None:
            told = float(self.stretch.games.importance[self.segment.start])
            weighed = told if told == told else 1.0
        pot = sum(max(strength, 0.0) for strength in strengths)
        factor = weighed * pot / self.rule.divisor
        shares = _shares(sides, exponent if self.rule.divides == "points" else 0.0)
        found = []
        for number, (stake, share) in enumerate(zip(stakes, shares)):
            expected = stake / total
            part = (share - expected) / (count - 1)
            working = self.working(number, sides, strengths, (), (share, expected, 1.0), pot)
            gains = tuple((other, part, NAN) for other in range(count) if other != number)
            found.append(Outcome(share, expected, factor, False, share - expected, working, gains))
        return found

    def not_rated(self, sides: Sequence[Side], outcomes: Sequence[Outcome]) -> int:
        """How many pairs lack a rating; those that the rules do not compare are no failure."""
        if not outcomes:
            return self.segment.stop - self.segment.start
        games, held = self.stretch.games, numbered(sides)
        rows = range(self.segment.start, self.segment.stop)
        return sum(int(games.first[row]) not in held or int(games.second[row]) not in held for row in rows)

    def record(self, sides: Sequence[Side], outcomes: Sequence[Outcome]) -> None:
        """Write down every pair that was compared.

        A member of a team has as many rows with another team as that has members, and each has its part.
        """
        recording, games = self.stretch.recording, self.stretch.games
        assert recording is not None
        number = numbered(sides)
        told = [{other: (gain, expects) for other, gain, expects in outcome.gains} for outcome in outcomes]
        for row in range(self.segment.start, self.segment.stop):
            codes = int(games.first[row]), int(games.second[row])
            for side, code in enumerate(codes):
                recording.before[2 * row + side] = self.rating(code)
            one, two = number.get(codes[0], -1), number.get(codes[1], -1)
            if not outcomes or min(one, two) < 0 or two not in told[one]:
                continue
            gain, recording.expects[row] = told[one][two]
            recording.gains[2 * row] = gain / len(sides[two].players)
            gain, recording.expects_second[row] = told[two][one]
            recording.gains[2 * row + 1] = gain / len(sides[one].players)


def _rated(side: Side, enter: Any) -> Side:
    """A side without the members who have no rating."""
    held = [enter(code) for code in side.players]
    if all(held):
        return side
    kept = [
        [value for value, is_held in zip(facts, held) if is_held] for facts in (side.players, side.points, side.weights)
    ]
    players, points, weights = map(tuple, kept)
    return msgspec.structs.replace(side, players=players, points=points, weights=weights)


def _rounded(value: float, step: Step) -> float:
    return kernel.round_to(value, ROUNDINGS.index(step.rule), step.to)


def _points(sides: Sequence[Side], base: float) -> list[float]:
    """Each side's share of the points of all places; level sides share those of their places."""
    count = len(sides)
    by_place = [base ** (count - place) - 1.0 if base > 1 else float(count - place) for place in range(1, count + 1)]
    total = sum(by_place)
    return [value / total for value in _spread(sides, by_place)]


def _spread(sides: Sequence[Side], by_place: Sequence[float]) -> Iterator[float]:
    for side in sides:
        level = sum(other.best == side.best for other in sides)
        yield sum(by_place[side.best - 1 : side.best - 1 + level]) / level


def _shares(sides: Sequence[Side], exponent: float) -> list[float]:
    """Each side's share of the pot: all of it for a first who is alone; those who are level divide it by their points
    to the `exponent`, evenly where that is 0 or there are none.

    Points of others count in the whole, but bring them nothing.
    """
    firsts = [side for side in sides if side.best == 1]
    if len(firsts) == 1:
        return [1.0 if side.best == 1 else 0.0 for side in sides]
    points = [max(side.point, 0.0) ** exponent if exponent and side.point == side.point else 0.0 for side in sides]
    total = sum(points)
    if not total > 0:
        return [1.0 / len(firsts) if side.best == 1 else 0.0 for side in sides]
    return [value / total if side.best == 1 else 0.0 for side, value in zip(sides, points)]


SYSTEM = System("multiplayer", run, nothing)
