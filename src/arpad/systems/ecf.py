"""England's ECF since July 2020: a month settled in three passes.

1. who is new, or rated on few games, performs against who is rated: a first estimate;
2. the same against everybody, others without a full rating at their first estimate: the performance that is listed;
3. everybody else moves by K, against the performances of the second pass where an opponent has no full rating.

A performance is reckoned with all games since the player was new and with one draw that was not played, against a
nominal rating; they wait in `memory["performed"]`: for each player the nominal rating, then (month, opponent's rating,
score) of each game. A player's state has the common four numbers and whether the rating is a full one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from arpad.arithmetic import choose
from arpad.errors import DataError
from arpad.model import Column, Problem
from arpad.rulebooks.schema_national import Performances
from arpad.rulebooks.tables import percentages
from arpad.stretch import COMMON, Stretch, System, nothing
from arpad.systems.whole_events import (
    Meeting,
    Meetings,
    Reckoned,
    Settled,
    Whole,
    batches,
    birth_year,
    column_of,
    meetings,
    rounded,
    settle,
    year_of,
)

NAN = math.nan
FIELDS = (*COMMON, "full")
#: No rating, and no performance of one that is at the bound of all ratings, is larger.
MOST = 2e6
LAST, FULL = FIELDS.index("last"), FIELDS.index("full")


class Past(msgspec.Struct, frozen=True):
    """What a performance rests on beside the month at hand: the nominal rating of the draw, and games before."""

    nominal: float
    games: Sequence[tuple[float, float, float]]


class Performed(msgspec.Struct, frozen=True):
    """How a performance came about: games and points without the draw; mean and percentage with it."""

    games: int
    score: float
    nominal: float
    mean: float
    percentage: int
    difference: float
    full: bool
    met: Mapping[int, float]
    clauses: tuple[str, ...] = ("performances",)


class Moved(msgspec.Struct, frozen=True):
    """How K moved a full rating; `halved` games were against who has no full one."""

    halved: int
    met: Mapping[int, float]
    clauses: tuple[str, ...]


class _Month(msgspec.Struct):
    """A month while it is settled: ratings before, who has a full one, and the estimates of each pass."""

    stretch: Stretch
    whole: Whole
    rule: Performances
    table: Sequence[int]
    played: Meetings
    rated: dict[int, float]
    full: set[int]
    past: dict[int, Past]
    first: dict[int, Performed]
    second: dict[int, Performed]

    def value(self, performed: Performed) -> float:
        return rounded(performed.mean + performed.difference, self.whole.edition.change)


def _perform(month: _Month, player: int, games: Sequence[tuple[Meeting, float]]) -> Performed | None:
    """A performance over the games that waited, those of the month with the ratings met, and the draw."""
    past = month.past[player]
    met = [rating for _, rating, _ in past.games] + [rating for _, rating in games]
    if not met:
        return None
    score = math.fsum([score for _, _, score in past.games] + [game.score for game, _ in games])
    count = len(met) + 1
    mean = (math.fsum(met) + past.nominal) / count
    percentage = math.floor(100 * (score + 0.5) / count + 0.5)
    difference = float(month.table[percentage])
    as_met = {game.row: rating for game, rating in games}
    full = len(met) >= month.rule.games
    return Performed(len(met), score, past.nominal, mean, percentage, difference, full, as_met)


def _month(stretch: Stretch, whole: Whole, table: Sequence[int]) -> None:
    rule = whole.edition.performances
    assert rule is not None
    month = _Month(stretch, whole, rule, table, meetings(stretch, whole), {}, set(), {}, {}, {})
    for player in month.played:
        _enter(month, player)
    newcomers = [player for player in month.played if player not in month.full]
    for player in newcomers:
        known = [(game, month.rated[game.opponent]) for game in month.played[player] if game.opponent in month.rated]
        if performed := _perform(month, player, known):
            month.first[player] = performed
    for player in newcomers:
        both = ((game, _met(month, game.opponent, month.first)) for game in month.played[player])
        fresh = [(game, met) for game, met in both if met is not None]
        if fresh and (performed := _perform(month, player, fresh)):
            month.second[player] = performed
    results: dict[int, Settled] = {}
    for player, games in month.played.items():
        settled = _k_rated(month, player, games) if player in month.full else _performed(month, player)
        if settled is not None:
            results[player] = settled
    settle(stretch, whole, month.played, results)
    for player in results:
        _leave(month, player)


def _enter(month: _Month, player: int) -> None:
    """What the list and earlier months say of a player: a full rating, or the games so far."""
    stretch, at = month.stretch, month.stretch.width * player
    rating, last = float(stretch.state[at]), float(stretch.state[at + LAST])
    away = last > 0 and month.whole.clock - last > month.rule.months
    few = 0 < stretch.state[at + 1] < month.rule.games and stretch.state[at + FULL] == 0
    if rating == rating and not few and not away:
        month.full.add(player)
        month.rated[player] = rating
        return
    if away:
        month.past[player] = Past(rating if rating == rating else month.rule.nominal, ())
        return
    month.past[player] = _remembered(month, player, rating, int(stretch.state[at + 1]))
    if rating == rating:
        month.rated[player] = rating


def _remembered(month: _Month, player: int, rating: float, games: int) -> Past:
    """The games behind a partial rating. Of one from a start list only their number is known: each is then taken for a
    draw against that rating."""
    name = month.stretch.players[player]
    held = month.stretch.memory.get("performed", {}).get(name)
    if held is None:
        before = [(0.0, rating, 0.5)] * games if rating == rating else []
        return Past(month.rule.nominal, before)
    try:
        past = msgspec.convert({"nominal": held[0], "games": held[1]}, Past)
    except (msgspec.ValidationError, IndexError, KeyError, TypeError) as error:
        raise DataError([Problem(f"what is kept of {name!r}'s games cannot be read: {error}")]) from None
    if not all(abs(met) <= MOST and 0 <= score <= 1 for _, met, score in ((0, past.nominal, 0), *past.games)):
        raise DataError([Problem(f"what is kept of {name!r}'s games cannot be: a rating or score is out of range")])
    return past


def _met(month: _Month, opponent: int, estimates: Mapping[int, Performed]) -> float | None:
    """What somebody's opponents meet: the full rating, else the estimate, else nothing."""
    if opponent in month.full:
        return month.rated[opponent]
    return month.value(estimates[opponent]) if opponent in estimates else None


def _performed(month: _Month, player: int) -> Settled | None:
    told = month.second.get(player)
    if told is None:
        return None
    rating, after = month.rated.get(player, NAN), month.value(told)
    counted = [
        Reckoned(game, rating if rating == rating else after, told.met[game.row])
        for game in month.played[player]
        if game.row in told.met
    ]
    before = float(month.stretch.state[month.stretch.width * player])
    return Settled(before, after, counted, NAN, NAN, told)


def _k_rated(month: _Month, player: int, games: Sequence[Meeting]) -> Settled | None:
    edition, rule, whole = month.whole.edition, month.rule, month.whole
    rating = month.rated[player]
    born, year = birth_year(int(month.stretch.born[player])), year_of(whole.batch.first)
    state = month.stretch.state[month.stretch.width * player : month.stretch.width * player + len(COMMON)]
    facts = {"rating": rating, "games": float(state[1]), "peak": float(state[2])}
    if born and year:
        facts["age"] = float(year - born)
    row = choose(edition.k, facts)
    k = row.value or 0.0
    counted, halved = [], 0
    for game in games:
        met = _met(month, game.opponent, month.second)
        if met is None:
            continue
        difference = max(-rule.cap, min(rule.cap, rating - met))
        expected = month.stretch.compiled.expected(whole.index, rating, met, difference)
        partial = game.opponent in month.second and not month.second[game.opponent].full
        halved += partial
        counted.append(Reckoned(game, rating, met, expected, rule.weight if partial else 1.0))
    if not counted:
        return None
    expected = math.fsum(game.expected for game in counted)
    after = rating + rounded(k * math.fsum(game.gain for game in counted), edition.change)
    working = Moved(halved, {game.meeting.row: game.met for game in counted}, ("k",))
    return Settled(rating, after, counted, expected, k, working)


def _leave(month: _Month, player: int) -> None:
    """What is kept of a player after the month: the last month, whether the rating is full, games that still count."""
    stretch, at = month.stretch, month.stretch.width * player
    stretch.state[at + LAST] = month.whole.clock
    held, name = stretch.memory.setdefault("performed", {}), stretch.players[player]
    told = month.second.get(player)
    if told is None or told.full:
        stretch.state[at + FULL] = 1.0
        held.pop(name, None)
        return
    stretch.state[at + FULL] = 0.0
    stretch.state[at + 1] = told.games
    scores = {game.row: game.score for game in month.played[player]}
    fresh = [(month.whole.clock, met, scores[row]) for row, met in told.met.items()]
    held[name] = [told.nominal, [list(game) for game in (*month.past[player].games, *fresh)]]


PHRASES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "moved": "score {score} - expected {expected}; sum {gain} x K {k} = {change}",
        "halved": "{count} game(s) against players without a full rating count less",
        "performed": "{games} game(s), a draw with {nominal}: mean {mean}, {percentage} % is worth {difference}",
    },
    "it": {
        "moved": "punti {score} - attesi {expected}; somma {gain} x K {k} = {change}",
        "halved": "{count} partite contro chi non ha un punteggio pieno contano meno",
        "performed": "{games} partite, una patta contro {nominal}: media {mean}, il {percentage} % vale {difference}",
    },
    "es": {
        "moved": "puntos {score} - esperados {expected}; suma {gain} x K {k} = {change}",
        "halved": "{count} partidas contra quien no tiene puntuación plena cuentan menos",
        "performed": "{games} partidas, tablas contra {nominal}: media {mean}, el {percentage} % vale {difference}",
    },
}


def words(change: Any, language: str, number: Any) -> Iterator[str]:
    """The lines that stand where others have score minus expected times K."""
    told, say = change.working, PHRASES[language]
    if isinstance(told, Performed):
        yield say["performed"].format(
            games=told.games,
            nominal=number(told.nominal),
            mean=number(told.mean),
            percentage=told.percentage,
            difference=number(told.difference, signed=True),
        )
        return
    yield say["moved"].format(
        score=number(change.score),
        expected=number(change.expected, 4),
        gain=number(change.gain, 4, signed=True),
        k=number(change.k),
        change=number(change.exact, 4, signed=True),
    )
    if told.halved:
        yield say["halved"].format(count=told.halved)


def run(stretch: Stretch) -> None:
    """Settle a stretch of months."""
    for whole in batches(stretch):
        rule = whole.edition.performances
        assert rule is not None
        _month(stretch, whole, percentages(stretch.rulebook.tables[rule.file]))


def listed(history: Any, codes: Column) -> Mapping[str, Column]:
    """What a list shows beside the rating: whether it is a full one, and the games behind one that is not."""
    held = history.learned.get("performed", {})
    games = [_written(held.get(history.players[int(code)])) for code in codes]
    return {**column_of(FULL, "full")(history, codes), **({"performed": games} if any(games) else {})}


def _written(held: Sequence[Any] | None) -> str | None:
    """Games behind a performance as a list tells them: the nominal rating, then month (by number), rating, score."""
    if not held:
        return None
    return "; ".join([repr(float(held[0])), *(f"{int(month)} {met!r} {score!r}" for month, met, score in held[1])])


def _read(text: str) -> list[Any]:
    """The reverse of `_written`. Raises ValueError."""
    nominal, *games = text.split(";")
    found = [[float(number) for number in game.split()] for game in games]
    if any(len(game) != 3 for game in found):
        raise ValueError(f"{text!r} is no list of games (1500.0; 24268 1650.0 0.5)")
    return [float(nominal), found]


SYSTEM = System(
    "ecf",
    run,
    nothing,
    fields=FIELDS,
    blank=(0.0,),
    clocked=True,
    listed=listed,
    carried=("performed",),
    recalls={"performed": ("performed", _read)},
)
