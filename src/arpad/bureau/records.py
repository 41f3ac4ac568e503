"""Records of a list: peaks as published and between lists, the youngest, gains, streaks, and who ever reached a rating.

A published peak is the highest that a list printed; a live peak the highest that the replay came to after a game (or
what is settled at once) or an act, as the facts are now. The two are kept apart: a correction moves the second only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from arpad.bureau.movement import Listed, every_list
from arpad.bureau.opened import Office, birth_date
from arpad.bureau.people import every_federation
from arpad.columns import plain
from arpad.errors import UnknownName, UsageError
from arpad.formats.federations import CONTINENTS, continent
from arpad.ledger.facts import day_of

if TYPE_CHECKING:
    from arpad.engine import History


class Record(msgspec.Struct, frozen=True):
    """Somebody's best: a rating, points or a number of games or lists, on `day`; a streak or gain began on `since`.
    `age` in years completed, where the record is one of age. The federation is that of the day."""

    person: int
    name: str
    federation: str
    value: float
    day: date | None
    since: date | None = None
    age: int | None = None


class Records(msgspec.Struct, frozen=True):
    """The records of a list, best first, equal ones by day. `reached`: everybody whom a list ever printed with at least
    the threshold, by the day of the first such list; `youngest`: those of them whose birth date is known, by age then.
    `firsts`: lists in a row at their head. `wins`, `unbeaten`: games in a row."""

    list: str
    over: float | None
    published_peaks: tuple[Record, ...]
    live_peaks: tuple[Record, ...]
    gains: tuple[Record, ...]
    firsts: tuple[Record, ...]
    wins: tuple[Record, ...]
    unbeaten: tuple[Record, ...]
    reached: tuple[Record, ...]
    youngest: tuple[Record, ...]


class _Best(msgspec.Struct, frozen=True):
    person: int
    value: float
    day: int
    since: int = 0


def records(
    office: Office,
    name: str | None = None,
    *,
    over: float | None = None,
    federation: str = "",
    part: str = "",
    most: int = 10,
) -> Records:
    """The records of a list: of everybody, or of those whose federation was `federation`, or in the continent `part`,
    on the day of the record. `most` of each kind; of `reached` all.

    Raises UnknownName for a continent that is not one of FIDE's four, UsageError for `most` below 1.
    """
    if part and part not in CONTINENTS:
        raise UnknownName("continent", part, CONTINENTS)
    if most < 1:
        raise UsageError("ask for one record at least")
    with office.store.reading():
        which = office.which(name)
        lists = list(every_list(office, which))
        history = office.history(which)
        told = _Teller(office, federation, part)
        reached = list(_reached(lists, over)) if over is not None else []
        wins, unbeaten = _streaks(history)
        return Records(
            which.name,
            over,
            told(_ordered(_published_peaks(lists)), most),
            told(_ordered(_live_peaks(history)), most),
            told(_ordered(_gains(lists)), most),
            told(_ordered(_heads(lists)), most),
            told(_ordered(wins), most),
            told(_ordered(unbeaten), most),
            told(sorted(reached, key=lambda best: (best.day, -best.value, best.person))),
            told.youngest(reached, most),
        )


def _ordered(found: Iterable[_Best]) -> list[_Best]:
    return sorted(found, key=lambda best: (-best.value, best.day, best.person))


class _Teller:
    """Puts names, federations and ages to records, and keeps those of a federation or continent."""

    def __init__(self, office: Office, federation: str, part: str) -> None:
        self.office, self.federation, self.part = office, federation, part
        self.held = every_federation(office)
        born: dict[int, int] = dict(office.store.rows("select person, born from name where born > 0"))
        unseen = office.unseen("born", born)
        self.born = {person: when for person, when in born.items() if person not in unseen}

    def of(self, best: _Best) -> str:
        return next((code for since, code in reversed(self.held.get(best.person, ())) if since <= best.day), "")

    def fits(self, best: _Best) -> bool:
        if not self.federation and not self.part:
            return True
        code = self.of(best)
        return code == self.federation if self.federation else continent(code) == self.part

    def __call__(self, found: Sequence[_Best], most: int = 0) -> tuple[Record, ...]:
        kept = []
        for best in found:
            if self.fits(best):
                kept.append(best)
            if most and len(kept) == most:
                break
        names = self.office.names(best.person for best in kept)
        dated = [(day_of(best.day), day_of(best.since)) for best in kept]
        return tuple(
            Record(best.person, names[best.person], self.of(best), best.value, day, since, self.age(best))
            for best, (day, since) in zip(kept, dated)
        )

    def age(self, best: _Best) -> int | None:
        """Years completed on the day, where day and month are known; else years less one, which is certain."""
        born = birth_date(self.born.get(best.person, 0))
        if born is None or not best.day:
            return None
        day = date.fromordinal(best.day)
        had = (day.month, day.day) >= (born.month or 13, born.day or 32)
        return day.year - born.year - (not had)

    def youngest(self, reached: Iterable[_Best], most: int) -> tuple[Record, ...]:
        def days(best: _Best) -> int:
            born = birth_date(self.born[best.person])
            assert born is not None
            return best.day - date(born.year, born.month or 1, born.day or 1).toordinal()

        return self(sorted((best for best in reached if best.person in self.born), key=days), most)


def _published_peaks(lists: Iterable[Listed]) -> Iterator[_Best]:
    best: dict[int, _Best] = {}
    for each in lists:
        for person, place in each.places.items():
            if person not in best or place.rating > best[person].value:
                best[person] = _Best(person, place.rating, each.day)
    yield from best.values()


def _live_peaks(history: History) -> Iterator[_Best]:
    """The highest exact rating of everybody after a game or act."""
    best: dict[int, _Best] = {}
    for person, rating, day in _ratings_held(history):
        if person not in best or rating > best[person].value:
            best[person] = _Best(person, rating, day)
    yield from best.values()


def _ratings_held(history: History) -> Iterator[tuple[int, float, int]]:
    """(person, rating, day) after whatever changed a rating."""
    batches, segments = history.arrangement.batches, history.plan.segments
    if batches:
        for segment, code, _, after, *_ in history.recording.changes:
            if after == after:
                yield int(history.players[code]), float(after), max(int(batches[segments[segment].batch].after) - 1, 0)
    else:
        after = plain(history.recording.after)
        days = plain(history.games.date) if history.games.date is not None else [0] * len(history.games)
        pairs = zip(plain(history.games.first), plain(history.games.second), days)
        for row, (first, second, day) in enumerate(pairs):
            for code, value in ((first, after[2 * row]), (second, after[2 * row + 1])):
                if value == value:
                    yield code + 1, value, day
    for done in history.acts:
        if done.after == done.after:
            yield int(done.player), done.after, done.act.date


def _gains(lists: Sequence[Listed]) -> Iterator[_Best]:
    """The biggest rise of everybody from one list to the next."""
    best: dict[int, _Best] = {}
    for before, after in pairwise(lists):
        for person, place in after.places.items():
            was = before.places.get(person)
            gain = place.rating - was.rating if was else 0.0
            if gain > 0 and (person not in best or gain > best[person].value):
                best[person] = _Best(person, gain, after.day, before.day)
    yield from best.values()


def _heads(lists: Iterable[Listed]) -> Iterator[_Best]:
    """Lists in a row at whose head somebody was, alone or shared."""

    def told() -> Iterator[tuple[int, bool, int]]:
        seen: set[int] = set()
        for each in lists:
            seen |= each.places.keys()
            for person in seen:
                place = each.places.get(person)
                yield person, place is not None and place.rank == 1, each.day

    return _longest(told())


def _streaks(history: History) -> tuple[Iterator[_Best], Iterator[_Best]]:
    """Games won, and games not lost, in a row, in the order in which they are settled."""
    games = history.games
    days = plain(games.date) if games.date is not None else [0] * len(games)
    rows = list(zip(plain(games.first), plain(games.second), plain(games.score), days))

    def sides(holds: Callable[[float, float], bool]) -> Iterator[tuple[int, bool, int]]:
        told = [(holds(one, other), holds(other, one)) for one, other in games.scores]
        for first, second, score, day in rows:
            yield first + 1, told[score][0], day
            yield second + 1, told[score][1], day

    return _longest(sides(lambda own, other: own > other)), _longest(sides(lambda own, other: own >= other))


def _longest(told: Iterable[tuple[int, bool, int]]) -> Iterator[_Best]:
    """Everybody's longest run of (person, whether it goes on, day)."""
    running: dict[int, tuple[int, int]] = {}
    best: dict[int, _Best] = {}
    for person, goes_on, day in told:
        if not goes_on:
            running.pop(person, None)
            continue
        length, since = running.get(person, (0, day))
        running[person] = length + 1, since
        if person not in best or length + 1 > best[person].value:
            best[person] = _Best(person, length + 1, day, since)
    yield from best.values()


def _reached(lists: Iterable[Listed], over: float) -> Iterator[_Best]:
    """Everybody whom a list printed with at least a rating, on the first one that did."""
    seen: set[int] = set()
    for each in lists:
        for person, place in each.places.items():
            if place.rating >= over and person not in seen:
                seen.add(person)
                yield _Best(person, place.rating, each.day)
