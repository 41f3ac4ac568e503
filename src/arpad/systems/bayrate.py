"""Ratings in stones: what all players of an event most likely are, given what was believed of them and its games.

Plain Python, since a day's players are reckoned all at once. A player is believed to be normally distributed about a
seed; White wins with the probability of the normal distribution function of the difference, less what handicap and komi
are worth. The likeliest ratings together are found by Newton's method, whose equations conjugate gradients solve. How
uncertain each rating is then comes from a sum over a hundred ratings about it, the others held where they are.

At the likeliest ratings a player's change is the variance before times the sum of the pulls of the games; that is what
a replay records as K and gains.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from arpad.go import closed, komi, opened, spline, stones, strength_of
from arpad.model import Column, Games
from arpad.rulebooks.book import Rulebook
from arpad.rulebooks.schema import Edition
from arpad.rulebooks.schema_bayrate import Conditions, Seed
from arpad.stretch import COMMON, Segment, Stretch, System, moments
from arpad.systems.likeliest import Meeting, likeliest, normal, pulled, uncertainty

NAN = math.nan
FIELDS = (*COMMON, "deviation")
WIDTH = len(FIELDS)


class Belief(msgspec.Struct, frozen=True):
    """What is believed of a player before the event: seed and deviation, on the scale without a gap.

    `why`: rated, newcomer, promoted, reseeded.
    """

    code: int
    seed: float
    deviation: float
    why: str
    declared: str
    days: float


class Seeded(msgspec.Struct, frozen=True):
    """How an event changed a player: seed (as lists show it) and deviation before, and where the belief came from."""

    why: str
    declared: str
    seed: float
    before: float
    deviation: float
    after: float
    days: float
    gain: float
    clauses: tuple[str, ...] = ("seed", "conditions")


def compile_bayrate(rulebook: Rulebook) -> list[Callable[[float], float]]:
    """Of each edition the deviation of a newcomer, by strength."""
    return [_initial(edition, rulebook) for edition in rulebook.editions]


def _initial(edition: Edition, rulebook: Rulebook) -> Callable[[float], float]:
    seed = edition.seed
    assert seed is not None
    rows = rulebook.tables[seed.file]
    between = spline([(float(row["strength"]), float(row["deviation"])) for row in rows])

    def deviation(rating: float) -> float:
        """Of a rating as lists show it."""
        if rating > seed.highest_from:
            return seed.highest
        return seed.lowest if rating < seed.lowest_from else float(between(closed(rating)))

    return deviation


def worth(rule: Conditions, handicap: int, points: float) -> tuple[float, float]:
    """What White gave, in stones, and the deviation of the outcome."""
    if handicap < 2:
        constant, linear, square = rule.even_deviation
        return rule.even - rule.komi * points, constant + linear * points + square * points**2
    return handicap - rule.komi * points, rule.stones_deviation[handicap - 2] + rule.stones_slope * points


def conditions_of(games: Games, row: int, rule: Conditions) -> tuple[float, float]:
    """The same of a game. Where nobody knows who had White, an even game gives nothing away."""
    handicap = stones(games, row)
    given, deviation = worth(rule, handicap, komi(games, row, rule.usual_komi, rule.stones_komi))
    unknown = games.neutral is not None and games.neutral[row] == 1 and handicap < 2
    return (0.0 if unknown else given), deviation


def left_out(games: Games, row: int, rule: Conditions) -> bool:
    """Whether a game is not rated: a draw, or conditions of which nothing is known."""
    score = games.scores[games.score[row]]
    handicap, points = stones(games, row), komi(games, row, rule.usual_komi, rule.stones_komi)
    if score[0] == score[1] or handicap > len(rule.stones_deviation) + 1:
        return True
    return abs(points) >= (rule.most_stones_komi if handicap > 1 else rule.most_komi)


def run(stretch: Stretch) -> None:
    """Settle the events of a stretch, one after the other."""
    for number, segment in enumerate(stretch.segments, stretch.base):
        if segment.start < segment.stop:
            _Event(stretch, segment, number).settle()


class _Event:
    """One event while it is settled."""

    def __init__(self, stretch: Stretch, segment: Segment, number: int) -> None:
        self.stretch = stretch
        self.segment = segment
        self.number = number
        edition: Edition = stretch.rulebook.editions[segment.settles]
        assert edition.seed is not None
        assert edition.conditions is not None
        self.seed: Seed = edition.seed
        self.conditions: Conditions = edition.conditions
        self.initial: Callable[[float], float] = stretch.numbers[segment.settles]
        self.rows = range(segment.start, segment.stop)

    def settle(self) -> None:
        state = self.stretch.state
        beliefs = {belief.code: belief for belief in self.beliefs()}
        meetings, numbers = self.meetings(beliefs)
        held = [beliefs[code] for code in numbers]
        seeds, deviations = [each.seed for each in held], [each.deviation for each in held]
        strengths = likeliest(seeds, deviations, meetings)
        after = uncertainty(strengths, seeds, deviations, meetings)
        self.stretch.totals[3] += len(self.rows) - len(meetings)
        before = {belief.code: float(state[WIDTH * belief.code]) for belief in held}
        counts = [0] * len(held)
        for meeting in meetings:
            counts[meeting.white] += 1
            counts[meeting.black] += 1
        for belief, strength, deviation, count in zip(held, strengths, after, counts):
            s = WIDTH * belief.code
            state[s] = opened(strength)
            state[s + 1] += count
            state[s + 2] = (
                opened(strength)
                if before[belief.code] != before[belief.code]
                else max(float(state[s + 2]), opened(strength))
            )
            state[s + 3] = self.segment.clock
            state[s + 4] = deviation
        if self.stretch.recording is not None:
            self.record(beliefs, held, before, meetings, strengths, after)

    def meetings(self, beliefs: dict[int, Belief]) -> tuple[list[Meeting], dict[int, int]]:
        """The games that are rated, and the number of each player of them."""
        games, rule = self.stretch.games, self.conditions
        numbers: dict[int, int] = {}
        found = []
        for row in self.rows:
            white, black = int(games.first[row]), int(games.second[row])
            if white not in beliefs or black not in beliefs or left_out(games, row, rule):
                continue
            given, deviation = conditions_of(games, row, rule)
            one, two = (numbers.setdefault(code, len(numbers)) for code in (white, black))
            score = games.scores[games.score[row]]
            found.append(Meeting(row, one, two, given, deviation, score[0] > score[1]))
        return found, numbers

    def beliefs(self) -> list[Belief]:
        """What is believed of everybody who has a rating or declares a rank, by the first rank that the event says."""
        games = self.stretch.games
        declared: dict[int, str] = {}
        wins: dict[int, bool] = {}
        for row in self.rows:
            score = games.scores[games.score[row]]
            for code, name, won in (
                (int(games.first[row]), "first_grade", score[0] > score[1]),
                (int(games.second[row]), "second_grade", score[1] > score[0]),
            ):
                wins[code] = wins.get(code, False) or (won and not left_out(games, row, self.conditions))
                word = games.labels[name][row] if name in games.labels else ""
                if word or code not in declared:
                    declared[code] = declared.get(code) or word
        found = [self.belief(code, word, wins[code]) for code, word in declared.items()]
        return [belief for belief in found if belief is not None]

    def belief(self, code: int, word: str, won: bool) -> Belief | None:
        state, s, rule = self.stretch.state, WIDTH * code, self.seed
        rating, deviation = float(state[s]), float(state[s + 4])
        rank = strength_of(word) if word else NAN
        if rating != rating or not deviation > 0:
            seed = rank if rank == rank else rating
            return None if seed != seed else Belief(code, closed(seed), self.initial(seed), "newcomer", word, 0.0)
        gap = closed(rank) - closed(rating) if rank == rank else 0.0
        if gap >= rule.reseed and won:
            return Belief(code, closed(rank), self.initial(rank), "reseeded", word, 0.0)
        if gap >= rule.promotion and won:
            seed = closed(rating) + rule.promotion_base + rule.promotion_slope * gap
            variance = deviation**2 + rule.promotion_variance * gap**rule.promotion_exponent
            return Belief(code, seed, math.sqrt(variance), "promoted", word, 0.0)
        last = float(state[s + 3])
        days = max(self.segment.clock - last, 0.0) if last > 0 and self.segment.clock > 0 else 0.0
        return Belief(code, closed(rating), math.hypot(deviation, rule.drift * days), "rated", word, days)

    def record(
        self,
        believed: dict[int, Belief],
        held: Sequence[Belief],
        before: dict[int, float],
        meetings: Sequence[Meeting],
        strengths: Sequence[float],
        after: Sequence[float],
    ) -> None:
        recording, games = self.stretch.recording, self.stretch.games
        assert recording is not None
        for row in self.rows:
            for side, code in enumerate((int(games.first[row]), int(games.second[row]))):
                place = 2 * row + side
                known = believed.get(code)
                recording.before[place] = NAN if known is None else opened(known.seed)
                recording.spread[4 * place] = NAN if known is None else known.deviation
        sums = [[0.0, 0.0, 0.0, 0.0] for _ in held]  # games, score, expected, pull
        for meeting in meetings:
            white, black = held[meeting.white], held[meeting.black]
            chance = normal((white.seed - black.seed - meeting.given) / meeting.deviation)
            pull = pulled(strengths, meeting)
            recording.expects[meeting.row] = chance
            recording.expects_second[meeting.row] = 1.0 - chance
            for side, number in enumerate((meeting.white, meeting.black)):
                gain = -pull if side else pull
                recording.gains[2 * meeting.row + side] = gain
                recording.spread[8 * meeting.row + 4 * side + 1] = after[number]
                scored = float(meeting.won != bool(side))
                for at, value in enumerate((1.0, scored, 1.0 - chance if side else chance, gain)):
                    sums[number][at] += value
        for number, belief in enumerate(held):
            rating = opened(strengths[number])
            count, score, expected, gain = sums[number]
            k = belief.deviation**2
            spread = (belief.deviation, after[number], NAN, NAN)
            recording.changes.append(
                (self.number, belief.code, before[belief.code], rating, count, score, expected, k, *spread)
            )
            recording.workings[self.segment.batch, belief.code] = Seeded(
                belief.why,
                belief.declared,
                opened(belief.seed),
                before[belief.code],
                belief.deviation,
                after[number],
                belief.days,
                gain,
            )


def listed(history: Any, codes: Column) -> dict[str, Column]:
    """What a list shows beside the rating: the deviation after the last event, and when that was."""
    states = [history.state_of(int(code)) for code in codes]
    clocks = array("d", (state[FIELDS.index("last")] for state in states))
    return {
        "deviation": array("d", (state[FIELDS.index("deviation")] for state in states)),
        "last_rated": moments(history, clocks, codes),
    }


def refuses(rating: float) -> str:
    """Why a rating cannot be one in stones; blank where it can."""
    return "no rating in stones lies between -1 and 1" if -1 < rating < 1 else ""


SYSTEM = System(
    "bayrate",
    run,
    compile_bayrate,
    FIELDS,
    (NAN,),
    clocked=True,
    listed=listed,
    carried=("last_rated",),
    refuses=refuses,
)
