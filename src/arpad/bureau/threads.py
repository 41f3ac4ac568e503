"""One thread through a list's replay: what a person's games, and the acts and revaluations between them, did.

A card shows some lines of it, so it is columns, and nothing is explained: that is for the event that somebody opens.
The order is that of the replay, whenever games were reported.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from arpad.bureau.cards import changes, rows_of, taken, written_down
from arpad.bureau.lists import as_of
from arpad.bureau.opened import Office, RatingList
from arpad.bureau.written import Told

if TYPE_CHECKING:
    from arpad.engine import History
    from arpad.told import ChangeExplained

#: A difference that is none.
SMALL = 1e-9


class Thread(msgspec.Struct, frozen=True):
    """A person's games on a list, in columns of one length. nan: there is none.

    `rows` are places in the replay, `segments` the runs of games that they belong to; `days` are the ordinals that
    order games, their own or their event's (0: not known), `events` numbers; `loose` says that to the rules a game
    belongs to no event. `before`, `after` and `k` are of what was settled at once, `change` what the game alone brought
    (None: it was not rated).
    """

    person: int
    history: History
    told: Told
    rows: list[int]
    sides: list[int]
    segments: list[int]
    days: list[int]
    games: list[int]
    events: list[int]
    loose: list[bool]
    rounds: list[int]
    opponents: list[int]
    scores: list[float]
    expected: list[float]
    before: list[float]
    other: list[float]
    after: list[float]
    change: list[float | None]
    k: list[float]

    def __len__(self) -> int:
        return len(self.rows)


class Turn(msgspec.Struct, frozen=True):
    """What happened to a rating, at one moment: games that were settled at once or on one day (`first` to before
    `stop` of the thread), or something that is no game. nan: no rating.

    kind: games; entry, blend, adjustment, floor; first (a rating out of games); newcomer (a fixed start); uplift (a
    revaluation of everybody); time (the rules alone).
    """

    kind: str
    day: int
    before: float
    after: float
    first: int = 0
    stop: int = 0
    note: str = ""


def thread(office: Office, which: RatingList, person: int, day: int = 0) -> Thread:
    """The thread of a person; with a day (ordinal) only what its published list rests on, as the facts are now."""
    history = office.history(which)
    told = written_down(office, which, history)
    places = told.of(person - 1) if person <= len(history.players) else []
    if day:
        stop = 2 * len(as_of(history, day).games)
        places = [at for at in places if at < stop]
    games, recording = history.games, history.recording
    rows = [at >> 1 for at in places]
    ids, codes = taken(games.line, rows), taken(games.event, rows, -1)
    alone = [game for game, code in zip(ids, codes) if code < 0]
    events: dict[int, int] = dict(office.store.among("select id, event from game where id in ?", alone))
    both = zip(taken(recording.expects, rows), taken(recording.expects_second, rows))
    return Thread(
        person,
        history,
        told,
        rows,
        [at & 1 for at in places],
        [bisect_right(told.segments, row) - 1 for row in rows],
        taken(history.arrangement.place, rows),
        ids,
        [code + 1 if code >= 0 else events[game] for game, code in zip(ids, codes)],
        [code < 0 for code in codes],
        taken(games.round, rows),
        [
            1 + (second, first)[at & 1]
            for at, first, second in zip(places, taken(games.first, rows), taken(games.second, rows))
        ],
        [games.scores[score][at & 1] for at, score in zip(places, taken(games.score, rows))],
        [pair[at & 1] for at, pair in zip(places, both)],
        taken(told.before, places),
        taken(recording.before, [at ^ 1 for at in places]),
        taken(told.after, places),
        changes(history, told, places),
        taken(told.k, places),
    )


def turns(held: Thread, day: int = 0) -> Iterator[Turn]:
    """Everything that happened to a rating, in the order of the replay; with a day, what is before its list."""
    others = list(_others(held, day))
    firsts = {each.batch: each for each in held.told.firsts.get(str(held.person), ()) if each.listed}
    rating = _begun(held.history, held.person)
    for first, stop in _settled(held):
        while others and others[0][0] <= held.segments[first]:
            _, kind, when, what = others.pop(0)
            turn = _other(held.history, kind, when, what, rating, held.person)
            if turn is not None:
                yield turn
                rating = turn.after
        before = held.before[first]
        if before == before and not abs(before - rating) < SMALL:
            yield Turn("time" if rating == rating else "newcomer", held.days[first], rating, before)
            rating = before
        after = held.after[stop - 1] if before == before else rating
        yield Turn("games", _day(held, stop - 1), before, after, first, stop)
        rating = after
        begun = firsts.pop(held.history.plan.segments[held.segments[first]].batch, None)
        if begun is not None and begun.rating is not None:
            yield Turn("first", begun.day, rating, begun.rating)
            rating = begun.rating
    for _, kind, when, what in others:
        turn = _other(held.history, kind, when, what, rating, held.person)
        if turn is not None:
            yield turn
            rating = turn.after


def _begun(history: History, person: int) -> float:
    at = history.system.width * (person - 1)
    return float(history.begun[at]) if at < len(history.begun) else float("nan")


def _settled(held: Thread) -> Iterator[tuple[int, int]]:
    """Games that were settled together; of those settled one by one, the ones of a day."""
    batches = bool(held.history.arrangement.batches)
    segments = held.history.plan.segments
    keys: Sequence[Any] = (
        [segments[segment].batch for segment in held.segments] if batches else list(zip(held.days, held.segments))
    )
    first = 0
    for at in range(1, len(keys) + 1):
        if at == len(keys) or keys[at] != keys[first]:
            yield first, at
            first = at


def _day(held: Thread, at: int) -> int:
    """The day on which games count: of a batch its last one, of a period the one after it, which is its list's."""
    batches = held.history.arrangement.batches
    if not batches or not held.days[at]:
        return held.days[at]
    after = int(batches[held.history.plan.segments[held.segments[at]].batch].after)
    return after if held.history.arrangement.calendar else max(after - 1, 0)


def _others(held: Thread, day: int) -> Iterator[tuple[int, str, int, Any]]:
    """(segment that it comes before, kind, day, what) of acts on a person and of revaluations."""
    acts = held.told.acts.get(str(held.person), {})
    for place in sorted([*acts, *held.told.uplifts]):
        segment, what = held.history.plan.steps[place]
        if place in acts:
            act = acts[place].act
            if not day or act.date <= day:
                yield segment, act.kind, act.date, acts[place]
        elif isinstance(what, tuple) and (not day or what[1] <= day):
            yield segment, "uplift", what[1], what[0]


def _other(history: History, kind: str, when: int, what: Any, rating: float, person: int) -> Turn | None:
    if kind != "uplift":
        return Turn(kind, when, what.before, what.after, note=what.note or what.act.category)
    from arpad.acts import uplifted

    raised = uplifted(history.rulebook, what, when, rating, history.elsewhere(person - 1, when))
    return Turn(kind, when, rating, raised) if raised == raised and raised != rating else None


def undated(office: Office, which: RatingList) -> Mapping[int, int]:
    """By person, the games without a day that a list's replay leaves out, which does not know where they belong."""

    def counted() -> Mapping[int, int]:
        sql = (
            "select game.id, coalesce(one.merged, one.id), coalesce(other.merged, other.id) from game "
            "join event on event.id = game.event join person one on one.id = first "
            "join person other on other.id = second where game.day = 0 and voided = 0 and pool = ?"
        )
        found = office.store.rows(sql, (which.pool,))
        history = office.history(which)
        there = set(taken(history.games.line, rows_of(history, [row[0] for row in found])))
        return Counter(person for game, *both in found if game not in there for person in both)

    return office.keep(("undated", which.id), counted)


class Working(msgspec.Struct, frozen=True):
    """A change explained, with the places of its games in the person's thread."""

    change: ChangeExplained
    at: tuple[int, ...]


def workings(office: Office, which: RatingList, held: Thread) -> tuple[Working, ...]:
    """Every change of a person explained; made once, since it is a walk through all their games."""

    def made() -> tuple[Working, ...]:
        from arpad.explain import explain

        found, at = [], 0
        for change in explain(held.history, str(held.person)):
            found.append(Working(change, tuple(range(at, at + len(change.games)))))
            at += len(change.games)
        return tuple(found)

    if held.person > len(held.history.players):
        return ()
    return office.keep(("workings", which.id, held.person), made)
