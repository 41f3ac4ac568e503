"""First ratings: what unrated players bring together against rated ones, until the rules give them a number.

A system that is not a sum: a newcomer's games of several periods are settled at once, as one event. The replay asks
after each batch; the pool of games that are still waiting goes from batch to batch, and into checkpoints.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

import msgspec
from msgspec.structs import replace

from arpad import kernel
from arpad.arithmetic import ROUNDINGS
from arpad.columns import is_numpy
from arpad.model import Column, Games
from arpad.rulebooks.book import Rulebook
from arpad.rulebooks.schema import Curve, Edition, First
from arpad.rulebooks.tables import percentages
from arpad.stretch import Batch


class Waiting(msgspec.Struct, frozen=True):
    """A game of an unrated player against a rated one. `period` is the first day (ordinal) of the period it fell in.

    `counts` is false of a first event that is ignored: it is kept so that the next one is not taken for the first.
    """

    period: int
    day: int
    event: str
    opponent: str
    rating: float
    score: float
    counts: bool = True


class FirstRating(msgspec.Struct, frozen=True):
    """What a batch made of a newcomer's games.

    `rating` is what the rules give, rounded; None while there are too few games. `listed` says whether it reached the
    list (it must not be below the floor). `mean`, `percentage` (whole percents) and `difference` are the working.
    """

    player: str
    batch: int
    day: int
    games: tuple[Waiting, ...]
    ignored: tuple[Waiting, ...]
    score: float
    mean: float | None
    percentage: int | None
    difference: float | None
    rating: float | None
    listed: bool
    edition: int


#: Games that still wait, by player.
Pools = dict[str, tuple[Waiting, ...]]


def asks_for_pools(rulebook: Rulebook) -> bool:
    """Whether any edition gives first ratings."""
    return any(edition.first for edition in rulebook.editions)


def waiting_games(
    games: Games, players: Sequence[str], batch: Batch, place: Column, met: Column, left_out: Column
) -> Iterator[tuple[str, Waiting]]:
    """(newcomer, game) for each game of a batch between an unrated and a rated player.

    `met` holds the two ratings that the rules name for each game of the batch, nan where there is none.
    """
    for row in _one_unrated(met, batch):
        first, second = float(met[2 * (row - batch.start)]), float(met[2 * (row - batch.start) + 1])
        if len(left_out) and left_out[row] & 4:
            continue
        side = 0 if first != first else 1
        codes = (int(games.first[row]), int(games.second[row]))
        event = games.events[games.event[row]].name if games.event is not None and games.event[row] >= 0 else ""
        score = games.scores[games.score[row]][side]
        yield (
            players[codes[side]],
            Waiting(
                batch.first, int(place[row]), event, players[codes[1 - side]], second if side == 0 else first, score
            ),
        )


def _one_unrated(met: Column, batch: Batch) -> Iterator[int]:
    """The rows of a batch in which one side has a rating and the other has none."""
    if is_numpy(met):
        unrated = met != met
        yield from ((unrated[::2] != unrated[1::2]).nonzero()[0] + batch.start).tolist()
        return
    for row in range(batch.stop - batch.start):
        if (met[2 * row] != met[2 * row]) != (met[2 * row + 1] != met[2 * row + 1]):
            yield row + batch.start


def met_ratings(games: Games, batch: Batch, lists: Column, players: int, slot: int, lag: Column) -> Column:
    """The ratings with which the games of a batch meet: of the lists that were in force when their events began."""
    ring = len(lists) // players
    if is_numpy(games.first):
        import numpy as np

        rows = slice(batch.start, batch.stop)
        back = (slot - lag[rows].astype("int64")) % ring if len(lag) else np.full(batch.stop - batch.start, slot)
        met = np.empty(2 * (batch.stop - batch.start))
        met[::2] = lists[back * players + games.first[rows]]
        met[1::2] = lists[back * players + games.second[rows]]
        return met
    pairs: list[float] = []
    for row in range(batch.start, batch.stop):
        base = ((slot - (lag[row] if len(lag) else 0)) % ring) * players
        pairs += [lists[base + games.first[row]], lists[base + games.second[row]]]
    return pairs


def settle_newcomers(
    pools: Pools,
    fresh: Iterable[tuple[str, Waiting]],
    rulebook: Rulebook,
    index: int,
    batch: int,
    day: int,
) -> list[FirstRating]:
    """Put a batch's games into the pools and rate those whose pool is full; changes `pools`.

    `index` is the edition of the list of `day` (ordinal), which the batch leads to.
    """
    edition = rulebook.editions[index]
    rule = edition.first
    by_player: dict[str, list[Waiting]] = {}
    for player, game in fresh:
        by_player.setdefault(player, []).append(game)
    if rule is None:
        return []
    table = percentages(rulebook.tables[rule.file]) if rule.file else None
    found = []
    for player, games in sorted(by_player.items()):
        oldest = _months_before(max(game.period for game in games), rule.months - 1)
        held = tuple(game for game in pools.get(player, ()) if game.period >= oldest)
        ignored: list[Waiting] = []
        for event in _events(games):
            if not _counts(event, rule, first=not held):
                event = tuple(replace(game, counts=False) for game in event)
                ignored += event
            held += event
        counted = tuple(game for game in held if game.counts)
        first = _rated(player, counted, tuple(ignored), edition, rule, table, (batch, day, index))
        found.append(first)
        if first.listed:
            pools.pop(player, None)
        else:
            pools[player] = held
    return found


def enter(state: Column, at: int, first: FirstRating, rule: First) -> None:
    """A newcomer's state, which begins at state[at:], from the list on which the first rating appears."""
    assert first.rating is not None
    state[at] = first.rating
    state[at + 1] += len(first.games) if rule.counted else 0
    state[at + 2] = max(float(state[at + 2]), first.rating)


def _events(games: Sequence[Waiting]) -> Iterator[tuple[Waiting, ...]]:
    """A player's games event by event, in their order; a game without an event stands alone."""
    together: dict[object, list[Waiting]] = {}
    for number, game in enumerate(games):
        together.setdefault(game.event or number, []).append(game)
    yield from map(tuple, together.values())


def _counts(event: Sequence[Waiting], rule: First, first: bool) -> bool:
    """Whether an event goes into the pool; an event without name is a single game, and tested as one."""
    if not first and not rule.every_event:
        return True
    met = len({game.opponent for game in event})
    return sum(game.score for game in event) >= rule.least_score and met >= rule.least_opponents


def _rated(
    player: str,
    games: tuple[Waiting, ...],
    ignored: tuple[Waiting, ...],
    edition: Edition,
    rule: First,
    table: Sequence[int] | None,
    place: tuple[int, int, int],
) -> FirstRating:
    from fractions import Fraction

    batch, day, index = place
    score = sum(Fraction(game.score) for game in games)
    if len(games) < rule.games:
        return FirstRating(
            player, batch, day, games, ignored, float(score), None, None, None, None, listed=False, edition=index
        )
    count = len(games) + rule.draws
    mean = (sum(Fraction(game.rating) for game in games) + rule.draws * Fraction(rule.draws_rating)) / count
    share = (score + Fraction(rule.draws, 2)) / count
    percentage = int(100 * share + Fraction(1, 2))  # half up; a share is never negative
    above = 2 * score - len(games)
    by_step = rule.step is not None and above >= 0
    if by_step:
        difference = Fraction(rule.step or 0) * above
    else:
        difference = Fraction(worth(edition.curve, float(share)) if table is None else table[percentage])
    exact = mean + difference
    rounded = kernel.round_to(float(exact), ROUNDINGS.index(rule.rounding), 1.0)
    rating = rounded if rule.most is None else min(rounded, rule.most)
    listed = edition.floor is None or rating >= edition.floor.value
    return FirstRating(
        player,
        batch,
        day,
        games,
        ignored,
        float(score),
        float(mean),
        percentage,
        float(difference),
        rating,
        listed,
        index,
    )


def worth(curve: Curve, share: float) -> float:
    """The difference at which a curve without a table expects a share of points."""
    if curve.shape == "line":
        return (share - 0.5) / curve.slope
    if curve.shape == "normal":
        from statistics import NormalDist

        return NormalDist(0.0, curve.deviation).inv_cdf(share)
    return curve.scale * math.log(share / (1 - share), curve.base)


def _months_before(ordinal: int, months: int) -> int:
    """The first day of the month so many months before that of a day."""
    day = date.fromordinal(ordinal)
    month = day.year * 12 + day.month - 1 - months
    if month < 12:
        return 1
    return date(month // 12, month % 12 + 1, 1).toordinal()


def pools_of(held: Mapping[str, Iterable[Waiting]]) -> Pools:
    """A copy of pools that may be changed."""
    return {player: tuple(games) for player, games in held.items()}
