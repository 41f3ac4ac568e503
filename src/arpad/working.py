"""One game as one side saw it: the numbers that the replay recorded, and the clauses behind them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from arpad import kernel
from arpad.arithmetic import choose
from arpad.engine import History
from arpad.go import closed
from arpad.leaving_out import LEFT_OUT, UNFIT
from arpad.rulebooks.clause import Clause
from arpad.rulebooks.schema import Edition
from arpad.stretch import Segment
from arpad.systems.bayrate import conditions_of
from arpad.systems.provisional import Provisional, provisional

INF = float("inf")

#: Why a game was not rated that the rules leave out, as `sentences` knows it.
LEFT_OUT_NOTE = "left out by the rules"


class GameWorking(msgspec.Struct, frozen=True):
    """One game as one side saw it. Ratings are those that the rules name for the game; scores run from 0 to 1.

    `difference` contains the advantage, and the length of a match where that counts; `counted` is what a cap left of
    it. `factors` multiply score minus expected to give `gain`; where a library rates, `gain` is the change. `k` is None
    where K belongs to the batch, or where there is none; `note` says why a game was not rated. `expected` is None where
    the rules expect nothing of a game; `worth` is then the rating that it counts as, if they give it one.
    """

    opponent: str
    day: date | None
    event: str
    round: int
    score: float
    own: float | None
    opponent_rating: float | None
    difference: float | None
    counted: float | None
    expected: float | None
    factors: tuple[tuple[str, float], ...]
    gain: float | None
    k: float | None
    clauses: tuple[Clause, ...]
    note: str = ""
    opponent_deviation: float | None = None
    worth: float | None = None
    bonus: float = 0.0  # what the win brought beside K


def game_working(
    history: History, row: int, side: int, segment: Segment, facts: Mapping[str, float], working: Any = None
) -> GameWorking:
    """The working of a game (row of the replay) for its first (0) or second (1) side.

    `facts` are the player's own when the game was met: rating, games, peak, age; nan where unknown. `met` of the
    system's own `working` has, by row, the opponents' ratings as this side met them.
    """
    games, recording = history.games, history.recording
    edition = history.rulebook.editions[segment.meets]
    own, other = float(recording.before[2 * row + side]), float(recording.before[2 * row + 1 - side])
    other = getattr(working, "met", {}).get(row, other)
    place = history.arrangement.place
    day = int(place[row]) if place is not None else 0
    score = float(games.scores[games.score[row]][side])
    bare = GameWorking(
        opponent=games.players[games.first[row] if side else games.second[row]],
        day=date.fromordinal(day) if day else None,
        event=games.events[games.event[row]].name if games.event is not None and games.event[row] >= 0 else "",
        round=int(games.round[row]) if games.round is not None else 0,
        score=score,
        own=known(own),
        opponent_rating=known(other),
        difference=None,
        counted=None,
        expected=None,
        factors=(),
        gain=None,
        k=None,
        clauses=(),
    )
    gain = float(recording.gains[2 * row + side])
    if len(recording.spread):
        bare = msgspec.structs.replace(
            bare, opponent_deviation=known(float(recording.spread[8 * row + 4 * (1 - side)]))
        )
    if gain != gain:
        flags = int(history.plan.columns["flags"][row]) if len(history.plan.columns["flags"]) else 0
        left_out = why_left_out(history.rulebook.editions[segment.settles], flags)
        note = LEFT_OUT_NOTE if flags & LEFT_OUT else why_not_rated(own, other)
        return msgspec.structs.replace(bare, note=note, clauses=left_out)
    expected = float((recording.expects_second if side else recording.expects)[row])
    if expected != expected:
        rule = history.rulebook.editions[segment.settles].provisional
        worth = 2 * rule.points * gain + (known(facts["rating"]) or 0.0) if rule else None
        return msgspec.structs.replace(bare, gain=gain, k=known(float(recording.used_k[2 * row + side])), worth=worth)
    neutral = games.neutral is not None and games.neutral[row] == 1
    advantage = 0.0 if neutral else edition.difference.advantage * (-1 if side else 1)
    given = _given(history, row, segment.meets)
    root = math.sqrt(float(history.plan.columns["length"][row])) if edition.length else 1.0
    difference = root * (_between(history, own, other) + advantage - (-given if side else given))
    asked = {**facts, "opponent_rating": other, "difference": difference, "score": score}
    counted, cap = counted_difference(edition, asked)
    first_difference = (-difference if side else difference) / root
    factors, reasons = _factors(history, row, first_difference, (score, expected), segment.meets)
    factors += _uncertainty(history, edition, bare.opponent_deviation or 0.0, gain, score - expected)
    if edition.length:
        factors = (*factors, ("length", root))
        reasons.append(edition.length)
    bonus = (
        _bonus(history, segment.settles, facts, counted) if score > games.scores[games.score[row]][1 - side] else 0.0
    )
    if bonus:
        settles = history.rulebook.editions[segment.settles]
        reasons += [settles.win_bonus, choose(settles.win_bonus_share, facts)] if settles.win_bonus else []
    own_factor = _game_factor(edition, gain, math.prod((score - expected, *(value for _, value in factors))))
    if own_factor is not None:
        factors, reasons = (*factors, ("game_factor", own_factor[0])), [*reasons, own_factor[1]]
    spared = games.knockout is not None and games.knockout[row] == 1 and score < expected and gain == 0
    clauses = [
        edition.curve,
        cap,
        edition.difference if advantage else None,
        edition.score if edition.score.file else None,
        edition.handicap if given else None,
        *reasons,
        edition.knockout if spared else None,
    ]
    return msgspec.structs.replace(
        bare,
        difference=difference,
        counted=counted,
        expected=expected,
        factors=factors,
        gain=gain,
        k=known(float(recording.used_k[2 * row + side])),
        clauses=tuple(clause for clause in clauses if clause is not None),
        bonus=bonus,
    )


def why_left_out(edition: Edition, flags: int) -> tuple[Clause, ...]:
    """The clause for which the rules of US Chess leave a game out: no match that they know, or a game of another
    list."""
    if not flags & LEFT_OUT:
        return ()
    clause = edition.match if flags & UNFIT else edition.feeds
    return (clause,) if clause is not None else ()


def _bonus(history: History, index: int, facts: Mapping[str, float], difference: float) -> float:
    """What a win brings beside K, by the difference as it counts."""
    compiled = history.compiled
    rating, games, peak, age = (facts[name] for name in ("rating", "games", "peak", "age"))
    return kernel.bonus_of(compiled.rules, compiled.blocks[index], rating, games, peak, age, difference)


def _given(history: History, row: int, index: int) -> float:
    """What the first-named side gave the second: stones, and komi where the rules weigh it."""
    edition, games = history.rulebook.editions[index], history.games
    if edition.conditions is not None:
        return conditions_of(games, row, edition.conditions)[0]
    if edition.handicap is None or games.handicap is None or not games.handicap[row]:
        return 0.0
    return edition.handicap.stone * (float(games.handicap[row]) - edition.handicap.less)


def _between(history: History, own: float, other: float) -> float:
    """The difference of two ratings; a scale in stones has a gap that is none."""
    return closed(own) - closed(other) if history.rulebook.system == "bayrate" else own - other


def why_not_rated(own: float, opponent: float) -> str:
    """Why a game was not rated, by the two ratings it would have been rated with (nan: none)."""
    if own != own:
        return "the player is unrated"
    return "the opponent is unrated" if opponent != opponent else LEFT_OUT_NOTE


def counted_difference(edition: Edition, facts: Mapping[str, float]) -> tuple[float, Clause | None]:
    """The difference as the edition counts it, and the row of the cap that had a say in it."""
    difference = facts["difference"]
    if not edition.cap or edition.difference.expectation != "game":
        return difference, None
    row = choose(edition.cap, facts)
    most = INF if row.value is None else row.value
    counted = max(-most, min(most, difference))
    if edition.difference.upgrades and difference > counted:
        counted = difference
    least = min((other.value for other in edition.cap if other.value is not None), default=INF)
    return counted, row if counted != difference or abs(difference) > least else None


def _factors(
    history: History, row: int, difference: float, scores: tuple[float, float], index: int
) -> tuple[tuple[tuple[str, float], ...], list[Clause]]:
    """What multiplied score minus expected, and the clauses that say so; `difference` as the first side sees it."""
    games, edition = history.games, history.rulebook.editions[index]
    rules, at = history.compiled.rules, history.compiled.blocks[index]
    factors: list[tuple[str, float]] = []
    clauses: list[Clause] = []
    if edition.margin and games.margin is not None:
        factors.append(("margin", kernel.margin_factor(rules, at, float(games.margin[row]), difference)))
        clauses.append(edition.margin)
    if games.importance is not None and any(each.of == "importance" for each in [*edition.k, *edition.k_factor]):
        factors.append(("importance", float(games.importance[row])))
        clauses += [edition.importance] if edition.importance else []
    if edition.surprise and edition.surprise.of == "game":
        score, expected = (value * history.compiled.unit for value in scores)
        factors.append(("surprise", kernel.surprise_factor(rules, at, score, expected)))
        clauses.append(edition.surprise)
    return tuple(factors), clauses


def _game_factor(edition: Edition, gain: float, without: float) -> tuple[float, Clause] | None:
    """The factor of one game, told by what the game brought and would have brought; None if it is 1."""
    if not edition.game_factor or without == 0 or (gain == 0 and edition.knockout is not None):
        return None
    factor = gain / without
    rows = (row for row in edition.game_factor if row.value is None or abs(row.value - factor) < 1e-9)
    return None if abs(factor - 1) < 1e-9 else (factor, next(rows, edition.game_factor[-1]))


def provisionally(
    history: History, segment: Segment, games: Sequence[GameWorking], facts: Mapping[str, float], gain: float
) -> Provisional | None:
    """How the games of a batch made a provisional rating; None if that is not what they did."""
    rule = history.rulebook.editions[segment.settles].provisional
    counted = sum(not game.note for game in games)
    if rule is None or not counted or not facts["games"] < rule.games:
        return None
    return provisional(facts["rating"], facts["games"], 2 * rule.points * gain, counted)


def _uncertainty(
    history: History, edition: Edition, deviation: float, gain: float, surplus: float
) -> tuple[tuple[str, float], ...]:
    """What the uncertainty of the opponent left of a game, where the system knows one.

    Of two passes the second counts, which met the opponent as the first had left him: no column holds that deviation,
    but the gain says what came of it.
    """
    flatten = history.system.attenuation
    if flatten is None:
        return ()
    if edition.passes is not None and edition.passes.count > 1 and surplus != 0.0:
        return (("uncertainty", gain / surplus),)
    return (("uncertainty", flatten(deviation, edition)),)


def pull_of(edition: Edition, games: Sequence[GameWorking], rating: float) -> float:
    """Points that Stephenson's method takes a player towards the mean opponent."""
    met = [game.opponent_rating for game in games if not game.note and game.opponent_rating is not None]
    if edition.stephenson is None or not met:
        return 0.0
    return edition.stephenson.pull * (math.fsum(met) / len(met) - rating)


def deviation_clauses(edition: Edition, games: Sequence[GameWorking], k: float, gain: float) -> Iterator[Clause]:
    """The clauses of a system with a deviation that had a say in a change."""
    rated = [game for game in games if not game.note and game.expected is not None]
    weights = [math.prod(factor for _, factor in game.factors) for game in rated]
    terms = [weight**2 * (game.expected or 0.0) * (1 - (game.expected or 0.0)) for weight, game in zip(weights, rated)]
    boosted = edition.boost is not None and gain > edition.boost.above * math.sqrt(math.fsum(terms))
    floored = edition.least_k is not None and len(rated) == 1 and k * weights[0] <= edition.least_k.value + 1e-9
    limited = edition.most_change is not None and abs(k * gain) >= edition.most_change.value
    raised = edition.gains is not None and gain > 0 and edition.gains.factor != 1
    twice = edition.passes is not None and edition.passes.count > 1
    asked = (
        (edition.deviation, True),
        (edition.growth, True),
        (edition.volatility, True),
        (edition.passes, twice),
        (edition.boost, boosted),
        (edition.stephenson, True),
        (edition.least_k, floored),
        (edition.gains, raised),
        (edition.most_change, limited),
    )
    yield from (clause for clause, holds in asked if clause is not None and holds)


def known(value: float) -> float | None:
    return None if value != value else value
