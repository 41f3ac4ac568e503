"""Ireland's ICU: an event settled as a whole, in two phases: estimates and changes, then bonuses and all again.

A player's state has the common four numbers and whether the rating is a full one. A rating is full from a number of
games on, and where a start list gives it without any games; below that it is provisional. Of a start list further facts
may be known: `joined` (a year, or a day as YYYYMMDD), `k` (K as the list itself gives it), `fixed` (1: the rating of a
visitor, which stays as it is).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from arpad import kernel
from arpad.arithmetic import ROUNDINGS, choose
from arpad.model import Column
from arpad.rulebooks.schema import Edition
from arpad.rulebooks.schema_national import Estimates, Improvement
from arpad.stretch import COMMON, Stretch, System, nothing
from arpad.systems.whole_events import (
    Meeting,
    Meetings,
    Reckoned,
    Settled,
    Whole,
    age_on,
    batches,
    column_of,
    meetings,
    rounded,
    settle,
)

NAN = math.nan
FIELDS = (*COMMON, "full")
FULL = FIELDS.index("full")


class Entrant(msgspec.Struct, frozen=True):
    """What somebody brings to an event. `rating` is nan of who has none; `k` is that of a full rating, `k_clause` the
    clause that it comes from, if the rules have it."""

    rating: float
    games: float
    k: float
    k_clause: str
    full: bool
    fixed: bool

    @property
    def stands(self) -> bool:
        """Whether opponents meet the rating, and not an estimate."""
        return self.full or self.fixed


class Rated(msgspec.Struct, frozen=True):
    """How an event moved somebody: K and bonus of a full rating, or the mean of a provisional one.

    `before` is the number of games behind a provisional rating, `settled` whether the estimates came to rest.
    """

    kind: str
    performance: float
    k: float
    bonus: float
    before: float
    rating: float
    settled: bool
    met: Mapping[int, float]
    clauses: tuple[str, ...]


class _Event(msgspec.Struct):
    """An event while it is settled: everybody's estimate, expected scores, change and bonus."""

    edition: Edition
    entrants: Mapping[int, Entrant]
    played: Meetings
    expected: Any  # (own, opponent) -> expected score
    performed: dict[int, float]
    with_bonus: dict[int, float]
    bonus: dict[int, float]
    reckoned: dict[int, list[Reckoned]]
    settled: bool = True

    @property
    def estimates(self) -> Estimates:
        assert self.edition.estimates is not None
        return self.edition.estimates

    def met(self, player: int) -> float:
        """What opponents meet: nan while there is neither rating nor estimate."""
        entrant = self.entrants[player]
        if entrant.stands:
            return self.with_bonus.get(player, entrant.rating)
        estimate = self.performed.get(player, NAN)
        return float(math.floor(estimate + 0.5)) if self.estimates.whole and estimate == estimate else estimate

    def change(self, player: int) -> float:
        games = self.reckoned[player]
        return self.entrants[player].k * math.fsum(game.gain for game in games)


def k_of(edition: Edition, facts: Mapping[str, float], member: float) -> tuple[float, str]:
    """K of a full rating and the clause it comes from: the decision table, and membership (years, nan where unknown) in
    place of its last row."""
    row = choose(edition.k, facts)
    rule = edition.membership
    if rule is not None and row is edition.k[-1] and member < rule.years:
        return rule.k, "membership"
    return row.value or 0.0, "k"


def bonus_of(rule: Improvement, rating: float, k: float, games: int, change: float, performed: float) -> float:
    """The bonus of a full rating, a whole number; 0 where there is none."""

    def whole(value: float) -> float:
        return kernel.round_to(value, ROUNDINGS.index(rule.rounding), 1.0)

    if not (k > rule.k_above and games > rule.games and rating < rule.below):
        return 0.0
    if not (change > rule.change and rating + change < rule.below):
        return 0.0
    bonus = whole(change - (rule.threshold + rule.by_game * (games - rule.games)))
    if k >= rule.k_from:
        bonus = whole(rule.factor * bonus)
    bonus = min(bonus, rule.most - rating - change, performed - rating - change)
    return max(0.0, whole(bonus))


def _estimate(event: _Event, passes: int) -> None:
    """Estimate all performances from the others', at most so many times, until none moves any more."""
    rule = event.estimates
    event.settled = False
    for _ in range(passes):
        found: dict[int, float] = {}
        for player, games in event.played.items():
            met = [(event.met(game.opponent), game.score) for game in games]
            worth = [rating + rule.points * (2 * score - 1) for rating, score in met if rating == rating]
            entrant = event.entrants[player]
            if worth and (entrant.full or entrant.fixed or entrant.rating != entrant.rating):
                found[player] = math.fsum(worth) / len(worth)
            elif worth:
                found[player] = (math.fsum(worth) + entrant.games * entrant.rating) / (len(worth) + entrant.games)
        moved = max((abs(value - event.performed.get(player, math.inf)) for player, value in found.items()), default=0)
        event.performed.update(found)
        if moved < rule.close:
            event.settled = True
            return


def _reckon(event: _Event, follows: bool) -> None:
    """Expected scores against what the opponents are met at; `follows`: bonus ratings move on as they are found."""
    for player, games in event.played.items():
        entrant = event.entrants[player]
        own = entrant.rating if entrant.stands else event.performed.get(player, NAN)
        counted = []
        for game in games:
            met = event.met(game.opponent)
            if own == own and met == met:
                counted.append(Reckoned(game, own, met, event.expected(own, met)))
        event.reckoned[player] = counted
        if follows and player in event.with_bonus:
            event.with_bonus[player] = entrant.rating + event.change(player) + event.bonus[player]


def _bonuses(event: _Event) -> bool:
    """Give bonuses by the changes as they are; whether anybody got one."""
    rule = event.edition.improvement
    given = False
    for player, entrant in event.entrants.items():
        if rule is None or not entrant.full or entrant.fixed or player not in event.performed:
            continue
        change, games = event.change(player), len(event.played[player])
        bonus = bonus_of(rule, entrant.rating, entrant.k, games, change, event.performed[player])
        if bonus > 0:
            given = True
            event.bonus[player] = bonus
            reached = entrant.rating + change
            event.with_bonus[player] = bonus + (math.floor(reached + 0.5) if event.estimates.whole else reached)
    return given


def rate(edition: Edition, entrants: Mapping[int, Entrant], played: Meetings, expected: Any) -> _Event:
    """All of an event. Estimates that do not come to rest are taken as they are after the last pass."""
    event = _Event(edition, entrants, played, expected, {}, {}, {}, {})
    rule = edition.improvement
    _estimate(event, int(event.estimates.passes))
    _reckon(event, follows=False)
    if rule is not None and _bonuses(event):
        settled = event.settled
        _reckon(event, rule.follows)
        _estimate(event, int(event.estimates.passes_after))
        event.settled = event.settled or (settled and event.estimates.passes_after == 1)
        if rule.again:
            _bonuses(event)
    return event


# ------------------------------------------------------------------------------------------- the replay's side


def _event(stretch: Stretch, whole: Whole) -> None:
    edition = whole.edition
    played = meetings(stretch, whole)
    entrants = {player: _entrant(stretch, whole, player) for player in played}

    def expected(own: float, met: float) -> float:
        return float(stretch.compiled.expected(whole.index, own, met, own - met))

    event = rate(edition, entrants, played, expected)
    results = {}
    for player, entrant in entrants.items():
        counted = event.reckoned.get(player, [])
        if counted and not entrant.fixed:
            results[player] = _result(event, player, counted)
    settle(stretch, whole, played, results)
    for player in results:
        at = stretch.width * player
        if entrants[player].full or stretch.state[at + 1] >= event.estimates.games:
            stretch.state[at + FULL] = 1.0


def _entrant(stretch: Stretch, whole: Whole, player: int) -> Entrant:
    at, edition = stretch.width * player, whole.edition
    rating, games = float(stretch.state[at]), float(stretch.state[at + 1])
    told = stretch.memory.get("facts", {}).get(stretch.players[player], {})
    least = edition.estimates.games if edition.estimates else 0
    full = rating == rating and (stretch.state[at + FULL] > 0 or games >= least or games == 0)
    age = age_on(int(stretch.born[player]), whole.batch.first)
    facts = {"rating": rating, "games": games, "peak": float(stretch.state[at + 2]), "age": age}
    k, clause = k_of(edition, facts, _membership(told.get("joined", 0.0), whole.batch.first))
    if told.get("k"):
        k, clause = told["k"], ""
    return Entrant(rating, games, k, clause, full, rating == rating and told.get("fixed", 0.0) > 0)


def _membership(joined: float, ordinal: int) -> float:
    """Completed years since somebody joined; nan where it is not known."""
    born = int(joined) if joined >= 10000 else int(joined) * 10000 + 101
    return age_on(born if joined else 0, ordinal)


def _result(event: _Event, player: int, counted: Sequence[Reckoned]) -> Settled:
    entrant, edition = event.entrants[player], event.edition
    met = {game.meeting.row: game.met for game in counted}
    expected = math.fsum(game.expected for game in counted)
    performed = event.performed.get(player, NAN)
    if performed != performed:  # the last pass alone knew the opponents
        worth = (game.met + event.estimates.points * (2 * game.meeting.score - 1) for game in counted)
        performed = math.fsum(worth) / len(counted)
    if not entrant.full:
        kind = "unrated" if entrant.rating != entrant.rating else "provisional"
        told = Rated(kind, performed, NAN, 0.0, entrant.games, entrant.rating, event.settled, met, ("estimates",))
        return Settled(entrant.rating, rounded(performed, edition.change), counted, expected, NAN, told)
    bonus = event.bonus.get(player, 0.0)
    after = entrant.rating + rounded(event.change(player), edition.change) + bonus
    named = tuple(name for name in (entrant.k_clause, "improvement" if bonus else "") if name)
    working = Rated("full", performed, entrant.k, bonus, 0.0, entrant.rating, event.settled, met, named)
    return Settled(entrant.rating, after, counted, expected, entrant.k, working)


# ------------------------------------------------------------------------------------------------ in words

PHRASES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "full": "score {score} - expected {expected}; sum {gain} x K {k} = {change}; performance {performance}",
        "bonus": "bonus for improvement: {bonus}",
        "unrated": "a first rating is the performance: {performance}",
        "provisional": "provisional: with {before} game(s) before at {rating}, the mean of all games is {performance}",
        "restless": "the estimates did not come to rest: these are the last ones",
    },
    "it": {
        "full": "punti {score} - attesi {expected}; somma {gain} x K {k} = {change}; prestazione {performance}",
        "bonus": "premio per il miglioramento: {bonus}",
        "unrated": "il primo punteggio è la prestazione: {performance}",
        "provisional": "provvisorio: con {before} partite di prima a {rating}, la media di tutte è {performance}",
        "restless": "le stime non si sono stabilizzate: queste sono le ultime",
    },
    "es": {
        "full": "puntos {score} - esperados {expected}; suma {gain} x K {k} = {change}; rendimiento {performance}",
        "bonus": "premio por la mejora: {bonus}",
        "unrated": "la primera puntuación es el rendimiento: {performance}",
        "provisional": "provisional: con {before} partidas anteriores a {rating}, la media de todas es {performance}",
        "restless": "las estimaciones no se estabilizaron: estas son las últimas",
    },
}


def words(change: Any, language: str, number: Any) -> Iterator[str]:
    """The lines that stand where others have score minus expected times K."""
    told, say = change.working, PHRASES[language]
    gain = change.score - (change.expected or 0.0)
    yield say[told.kind].format(
        score=number(change.score),
        expected=number(change.expected, 4),
        gain=number(gain, 4, signed=True),
        k=number(told.k),
        change=number(told.k * gain, 4, signed=True),
        performance=number(told.performance),
        before=number(told.before),
        rating=number(told.rating),
    )
    if told.bonus:
        yield say["bonus"].format(bonus=number(told.bonus, signed=True))
    if not told.settled:
        yield say["restless"]


def run(stretch: Stretch) -> None:
    """Settle a stretch of events."""
    for whole in batches(stretch):
        _event(stretch, whole)


ASKS = ("joined", "k", "fixed")


def listed(history: Any, codes: Column) -> Mapping[str, Column]:
    """What a list shows beside the rating: whether it is a full one, and what a start list told of players."""
    told = history.learned.get("facts", {})
    players = [history.players[int(code)] for code in codes]
    facts = {name: [told.get(player, {}).get(name) for player in players] for name in ASKS}
    known = {name: column for name, column in facts.items() if any(value is not None for value in column)}
    return {**column_of(FULL, "full")(history, codes), **known}


SYSTEM = System("icu", run, nothing, fields=FIELDS, blank=(0.0,), asks=ASKS, listed=listed, carried=ASKS)

__all__ = ["PHRASES", "SYSTEM", "Entrant", "Meeting", "bonus_of", "k_of", "rate", "words"]
