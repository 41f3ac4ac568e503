"""Where the points of a pool come from: its sum of all ratings between two looks at a replay, put to account.

Somebody without a rating has 0 points. Then every change of a state is so many points put in or taken out, and those
between two looks sum to the difference of the sums. A game gives each side K times its gain (score less expectation, as
the rules weigh it). What two sides with K and K' and gains g and g' get together is

    K g + K' g' = (K - K') (g - g') / 2 + (K + K') (g + g') / 2:

the first half is nothing where both have the same K, the second where one gains what the other loses.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum, nan
from typing import TypeAlias

import msgspec

from arpad.acts import ActDone, uplifted
from arpad.columns import copied, is_numpy, plain
from arpad.engine import History
from arpad.model import Act, Column
from arpad.settling import settled
from arpad.stretch import Look, Segment

#: Decimals of what is told: what lies behind them is the noise of binary fractions.
PLACES = 9
#: Games from which on columns of numpy's are worth their while.
FEW = 500

#: A side of a game that is told apart: its place, and the rating held before, found before, and left after it.
Odd: TypeAlias = tuple[int, float, float, float]


class Points(msgspec.Struct, frozen=True):
    """Points of rating put into a pool (less than 0: taken out), by what did it.

    Games: `k`: two sides with different K; `expectations`: two expectations that do not sum to one, or weights that
    differ; `one_sided`: games that count for one side; `bounds`: floors and ceilings that a change ended on, with its
    rounding; `otherwise`: rounding of changes, bonuses, and, of systems that are no Elo, all that games bring.
    `entries`: first ratings; `removals`: ratings that a floor took away; `acts`: decisions about one player; `uplifts`:
    revaluations of everybody; `time`: new seasons, and not playing.
    """

    k: float = 0.0
    expectations: float = 0.0
    one_sided: float = 0.0
    bounds: float = 0.0
    otherwise: float = 0.0
    entries: float = 0.0
    removals: float = 0.0
    acts: float = 0.0
    uplifts: float = 0.0
    time: float = 0.0

    @property
    def games(self) -> float:
        """What games brought to both sides together, floors apart."""
        return self.k + self.expectations + self.one_sided + self.otherwise

    @property
    def total(self) -> float:
        return fsum(getattr(self, name) for name in self.__struct_fields__)

    def __add__(self, other: Points) -> Points:
        return Points(*(getattr(self, name) + getattr(other, name) for name in self.__struct_fields__))


def accounts(history: History) -> tuple[Points, ...]:
    """What put points into the pool between each look at a replay and the next one."""
    return tuple(_Walk(history).told())


def explains_k(history: History) -> bool:
    """Whether a game gives each side K times its gain: Elo, where no rating is provisional."""
    book = history.rulebook
    return book.system == "elo" and not any(edition.provisional for edition in book.editions)


class _Walk:
    """Goes through a replay in its order; `held` is what each player had after the last change that is told of."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.split = explains_k(history)
        self.gains: Column = history.recording.gains if self.split else []
        self.k: Column = settled(history)[2] if self.split else []
        self.held: Column = []
        self.found: dict[str, list[float]] = {}
        self.change = 0  # of the recording's changes, the next one

    def told(self) -> Iterator[Points]:
        looks, acts = iter(self.history.looked), iter(self.history.acts)
        begun, at = False, 0
        for stop, what in self.history.plan.steps:
            if begun:
                self._played(at, stop)
            at = stop
            if isinstance(what, Look):
                state = next(looks).state[:: self.history.system.width]
                if begun:
                    for held, rating in zip(plain(self.held), plain(state)):
                        self._gap(held, rating)
                    yield self._close()
                begun, self.held, self.found = True, copied(state), {name: [] for name in Points.__struct_fields__}
                self._forget(at)
            elif isinstance(what, Act):
                done = next(acts)
                if begun:
                    self._act(done)
            elif begun:
                self._uplift(*what)

    def _close(self) -> Points:
        return Points(**{name: round(fsum(values), PLACES) + 0.0 for name, values in self.found.items()})

    def _forget(self, segment: int) -> None:
        """Changes before the first look are nobody's."""
        changes = self.history.recording.changes
        while self.change < len(changes) and changes[self.change][0] < segment:
            self.change += 1

    def _meets(self, code: int, rating: float) -> None:
        """A rating that a player is found with."""
        held = self.held[code]
        if held != rating:
            self._gap(held, rating)
            self.held[code] = rating

    def _gap(self, held: float, rating: float) -> None:
        """A rating found where another one was held: a first one, none any more, or what time did to it."""
        if held != rating and (held == held or rating == rating):
            kind = "entries" if held != held else "removals" if rating != rating else "time"
            self.found[kind].append(_points(rating) - _points(held))

    def _act(self, done: ActDone) -> None:
        code = self.history.codes[done.player]
        self._meets(code, done.before)
        self.found["acts" if done.before == done.before else "entries"].append(
            _points(done.after) - _points(done.before)
        )
        self.held[code] = done.after

    def _uplift(self, index: int, day: int) -> None:
        for code, held in enumerate(plain(self.held)):
            rating = uplifted(self.history.rulebook, index, day, held, self.history.elsewhere(code, day))
            if rating == rating and rating != held:
                self.found["uplifts"].append(rating - held)
                self.held[code] = rating

    def _played(self, at: int, stop: int) -> None:
        if at == stop:
            return
        segments = self.history.plan.segments[at:stop]
        start, end = segments[0].start, segments[-1].stop
        given = self._pairs(start, end) if self.split else 0.0
        batches = self.history.arrangement.batches
        given += self._batches(stop) if batches else fsum(self._games(each) for each in segments)
        self.found["otherwise"].append(-given)

    def _pairs(self, start: int, end: int) -> float:
        """Put what games bring by K and by expectations to account; returns their sum."""
        k, gains = self.k[2 * start : 2 * end], self.gains[2 * start : 2 * end]
        found = (_pairs_numpy if is_numpy(k) else _pairs)(k[::2], k[1::2], gains[::2], gains[1::2])
        for kind, value in zip(("k", "expectations", "one_sided"), found):
            self.found[kind].append(value)
        return fsum(found)

    def _batches(self, stop: int) -> float:
        """What is left of the changes of batches, with the sign turned, when bounds have been put to account."""
        changes, segments = self.history.recording.changes, self.history.plan.segments
        brought: list[float] = []
        bound: dict[int, dict[int, tuple[float, float]]] = {}
        while self.change < len(changes) and changes[self.change][0] < stop:
            number, code, before, after, *_ = changes[self.change]
            self.change += 1
            self._meets(code, before)
            if before != before:
                self._meets(code, after)
                continue
            brought.append(_points(after) - before)
            self.held[code] = after
            if after != after or after in self._bounds(segments[number]):
                bound.setdefault(number, {})[code] = before, after
        return -fsum(brought) + fsum(self._bound(segments[number], sides) for number, sides in bound.items())

    def _bound(self, last: Segment, sides: dict[int, tuple[float, float]]) -> float:
        """Put to account what bounds did to some players of a batch; returns the sum."""
        if not self.split:
            return fsum(self._stopped(before, after, 0.0) for before, after in sides.values())
        batch, games = self.history.arrangement.batches[last.batch], self.history.games
        gained: dict[int, float] = dict.fromkeys(sides, 0.0)
        for row in range(batch.start, batch.stop):
            for at, code in ((2 * row, int(games.first[row])), (2 * row + 1, int(games.second[row]))):
                if code in gained and self.gains[at] == self.gains[at]:
                    gained[code] += self.k[at] * self.gains[at]
        return fsum(self._stopped(*sides[code], gain) for code, gain in gained.items())

    def _games(self, segment: Segment) -> float:
        """The same where games are settled one by one."""
        rows, sides = slice(segment.start, segment.stop), slice(2 * segment.start, 2 * segment.stop)
        games, recording, bounds = self.history.games, self.history.recording, self._bounds(segment)
        told = games.first[rows], games.second[rows], recording.before[sides], recording.after[sides]
        many = is_numpy(self.held) and segment.stop - segment.start > FEW
        brought, odd = (_moves_numpy if many else _moves)(*told, self.held, bounds)
        stopped = 0.0
        for at, held, was, now in odd:
            self._gap(held, was)
            if was != was:
                self._gap(was, now)
                continue
            brought += _points(now) - was
            if now != now or now in bounds:
                place = 2 * segment.start + at
                gain = float(self.k[place] * self.gains[place]) if self.split else 0.0
                stopped += self._stopped(was, now, gain if gain == gain else 0.0)
        return stopped - brought

    def _bounds(self, segment: Segment) -> list[float]:
        """Ratings that a floor or a ceiling may have made."""
        edition = self.history.rulebook.editions[segment.lists]
        return [each.value for each in (edition.floor, edition.ceiling) if each is not None] if self.split else []

    def _stopped(self, before: float, after: float, gain: float) -> float:
        """Points by which a floor or ceiling changed what a gain would have made of a rating; or its removal."""
        kind = "bounds" if after == after else "removals"
        value = _points(after) - before - gain
        self.found[kind].append(value)
        return value


def _points(rating: float) -> float:
    return rating if rating == rating else 0.0


def _pairs(k: Column, other: Column, gains: Column, against: Column) -> tuple[float, float, float]:
    """What games brought by different K, by expectations that do not match, and to one side only."""
    by_k, by_expectations, by_one = [], [], []
    for own, theirs, gain, loss in zip(k, other, gains, against):
        if gain == gain and loss == loss:
            by_k.append((own - theirs) * (gain - loss))
            by_expectations.append((own + theirs) * (gain + loss))
        elif gain == gain:
            by_one.append(own * gain)
        elif loss == loss:
            by_one.append(theirs * loss)
    return fsum(by_k) / 2, fsum(by_expectations) / 2, fsum(by_one)


def _pairs_numpy(k: Column, other: Column, gains: Column, against: Column) -> tuple[float, float, float]:
    """As `_pairs`, by columns of numpy's."""
    import numpy as np

    by_k, by_expectations = (k - other) * (gains - against), (k + other) * (gains + against)
    alone = np.where(against == against, 0.0, k * gains), np.where(gains == gains, 0.0, other * against)
    return float(np.nansum(by_k)) / 2, float(np.nansum(by_expectations)) / 2, float(sum(map(np.nansum, alone)))


def _moves(
    first: Column, second: Column, before: Column, after: Column, held: Column, bounds: list[float]
) -> tuple[float, list[Odd]]:
    """What games settled one by one brought together, and the sides that are told apart: found with another rating than
    held, or left with none or at a bound. `held` is as after them. Where nothing moved nothing happened, or a contest
    of several is told once more by another of its pairs."""
    brought, odd = [], []
    codes = (code for pair in zip(plain(first), plain(second)) for code in pair)
    for at, (code, was, now) in enumerate(zip(codes, plain(before), plain(after))):
        had = held[code]
        if had == now or (had != had and now != now):
            continue
        held[code] = now
        if had != was or now != now or now in bounds:
            odd.append((at, float(had), was, now))
        else:
            brought.append(now - was)
    return fsum(brought), odd


def _moves_numpy(
    first: Column, second: Column, before: Column, after: Column, held: Column, bounds: list[float]
) -> tuple[float, list[Odd]]:
    """As `_moves`, by columns of numpy's: all sides of one player stand together, in their order."""
    import numpy as np

    codes = np.column_stack((first, second)).ravel()
    order = np.argsort(codes, kind="stable")
    code, was, now = codes[order], before[order], after[order]
    begins = np.r_[True, code[1:] != code[:-1]]
    had = np.where(begins, held[code], np.r_[nan, now[:-1]])
    moved = (had != now) & ((had == had) | (now == now))
    apart = moved & ((had != was) | (now != now) | np.isin(now, bounds))
    ends = np.r_[begins[1:], True]
    held[code[ends]] = now[ends]
    odd = zip(*(column[apart].tolist() for column in (order, had, was, now)))
    return float((now - was)[moved & ~apart].sum()), list(odd)
