"""Corrections: a new entry that supersedes what was said, previewed whole before it is kept, and taken back exactly.

    fix = [Change("game", 17, {"score": 0.5, "other": 0.5})]
    correct(office, fix, preview=True).effect        # who moves, which published lists now differ
    done = correct(office, fix, "the arbiter's letter")
    revert(office, done.seq, "the letter was forged")

A preview writes the entry in a transaction of which nothing is kept: it cannot say anything else than what is done.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from arpad.bureau.effects import Moved, keep_effect
from arpad.bureau.opened import Office, RatingList, ready
from arpad.bureau.pinning import keep
from arpad.columns import is_numpy
from arpad.errors import DataError, LedgerError, UsageError
from arpad.ledger import chain
from arpad.ledger.facts import CHANGEABLE, current
from arpad.model import Column, Problem
from arpad.rulebooks.schema import Step

if TYPE_CHECKING:
    from arpad.engine import History
    from arpad.rulebooks import Rulebook
    from arpad.rulebooks.schema import Step

#: Why a list cannot be replayed: its facts, or its rulebook.
UNREPLAYED = (DataError, LedgerError)
What = Literal["game", "event", "act", "list", "person"]
#: Entries that change facts, and what taking one back is.
TAKEN_BACK = {"correct": "correct", "merge": "split", "split": "merge"}


class Change(msgspec.Struct, frozen=True):
    """New values of one fact, as `facts.CHANGEABLE` names them: `voided` of a game or act, `score` and `other`, `day`
    (ordinal), `first` and `second` (persons), `starts` and `ends` of an event, …"""

    what: What
    id: int
    set: Mapping[str, Any]


class Unlike(msgspec.Struct, frozen=True):
    """A published list whose revised view the correction changes, and for how many people its printed rating."""

    list: str
    day: date
    players: int
    printed: int


class Effect(msgspec.Struct, frozen=True):
    """All that a correction does to ratings. `unknown` are lists that could not be replayed before it."""

    moved: tuple[Moved, ...]
    lists: tuple[Unlike, ...]
    unknown: tuple[str, ...] = ()


class Corrected(msgspec.Struct, frozen=True):
    """A correction that was made, or previewed (`seq` 0)."""

    seq: int
    changes: tuple[Change, ...]
    effect: Effect


def correct(office: Office, changes: Sequence[Change], reason: str = "", *, preview: bool = False) -> Corrected:
    """Change facts by one entry. Raises DataError for facts that are not there or cannot be so, UsageError without a
    reason or without a change."""
    if not preview:
        reason_of(reason, "a correction")
    if any(each.what == "person" for each in changes):
        raise UsageError("people are merged and split, not corrected")
    return made(office, lambda: changes, reason, preview)


def adopt(office: Office, name: str | None = None, reason: str = "", *, preview: bool = False) -> Corrected:
    """Take a list's rulebook as it reads now in place of the one that was pinned. The preview tells which published
    lists then differ, and from whom. Raises UsageError if it reads as it did."""
    from arpad.rulebooks import load

    if not preview:
        reason_of(reason, "a correction")
    which = office.which(name)
    book = load(which.rules, which.settings)
    changes = [Change("list", which.id, {"digest": book.digest})]
    return made(office, lambda: changes, reason, preview, book=book)


def revert(office: Office, seq: int, reason: str = "", *, preview: bool = False) -> Corrected:
    """Take back a correction, or the taking back of one, or the acts of an entry, which are voided: facts are as they
    were before it, to the last digit.

    Raises UsageError for an entry that is no correction, DataError where a later one changed the same fact again.
    """
    if not preview:
        reason_of(reason, "taking back a correction")
    return taken_back(office, seq, reason, preview, kinds=("correct", "base", "acts"))


def taken_back(office: Office, seq: int, reason: str, preview: bool, kinds: Sequence[str]) -> Corrected:
    """An entry of one of these kinds taken back."""
    kind = office.store.value("select kind from entry where seq = ?", (seq,))
    if kind and kind not in kinds:
        hint = " of facts; people are split with `arpad split`" if kind in TAKEN_BACK else ""
        raise UsageError(f"entry {seq} is no correction{hint} ({kind})")
    reverts = 0 if kind == "acts" else seq  # acts are no correction: what takes them back is the first one of them
    return made(office, lambda: _taken_back(office, seq), reason, preview, reverts, TAKEN_BACK.get(kind, "correct"))


def reversible(office: Office, entry: chain.Entry) -> bool:
    """Whether an entry can be taken back now: it changed facts, and no later one changed the same facts
    again; or it has acts that still count."""
    if entry.kind == "acts":
        return any(not current(office.store, "act", row[0])["voided"] for row in entry.body["acts"])
    if entry.kind not in (*TAKEN_BACK, "base"):
        return False
    held = ((current(office.store, what, number), now) for what, number, _, now in entry.body["changes"])
    return all(facts[name] == value for facts, now in held for name, value in now.items())


def reason_of(reason: str, what: str) -> None:
    """Raise UsageError for a change that nobody gave a reason for."""
    if not reason.strip():
        raise UsageError(f"{what} needs a reason")


def _taken_back(office: Office, seq: int) -> list[Change]:
    """The changes that undo a correction."""
    try:
        entry = chain.entry(office.store, seq)
    except KeyError:
        raise UsageError(f"there is no entry {seq}") from None
    if entry.kind == "acts":
        return [Change("act", row[0], {"voided": 1}) for row in entry.body["acts"]]
    changes, problems = [], []
    for what, number, was, now in reversed(entry.body["changes"]):
        held = current(office.store, what, number)
        if any(held[name] != value for name, value in now.items()):
            last = office.store.value(f"select entry from {what} where id = ?", (number,))
            problems.append(Problem(f"{what} {number} was changed again by entry {last}", hint="take that back first"))
        changes.append(Change(what, number, was))
    if problems:
        raise DataError(problems)
    return changes


def made(
    office: Office,
    find: Callable[[], Sequence[Change]],
    reason: str,
    preview: bool,
    reverts: int = 0,
    kind: str = "correct",
    book: Rulebook | None = None,
) -> Corrected:
    """Make a correction; its changes are found when nobody else can write any more. The text of a rulebook that it
    adopts is kept."""
    store = office.store
    changes: list[Change] = []

    def write() -> int:
        changes[:] = find()
        body: list[tuple[str, int, dict[str, Any], dict[str, Any]]] = []
        problems: list[Problem] = []
        for each in changes:
            problems += _troubles(office, each)
            if not problems:
                held = current(store, each.what, each.id)
                now = {name: value for name, value in each.set.items() if held[name] != value}
                if now:
                    body.append((each.what, each.id, {name: held[name] for name in now}, now))
        if problems:
            raise DataError(problems)
        if not body:
            raise UsageError("that is how it is already: there is nothing to change")
        text = {"text": keep(store, book)} if book else {}
        seq, _ = chain.append(store, office.actor, kind, {"changes": body, "reverts": reverts, **text}, reason)
        if alone := _against_themselves(office, [number for what, number, _, _ in body if what == "game"]):
            raise DataError(alone)
        return seq

    seq, effect = weighed(office, write, preview=preview)
    return Corrected(seq, tuple(changes), effect)


def weighed(office: Office, write: Callable[[], int], *, preview: bool = False) -> tuple[int, Effect]:
    """Whatever writes an entry and returns its number, with what it does to ratings; for a preview it is written in a
    transaction of which nothing is kept, and the number is 0."""
    if preview:
        return 0, _tried(office, write)
    with office.store.writing():
        before = _as_they_are(office)
        seq = write()
        after = _as_they_are(office, surely=before)
        effect = effect_of(office, before, after)
        if seq:
            keep_effect(office, seq, effect.moved)
    return seq, effect


def _tried(office: Office, write: Callable[[], int]) -> Effect:
    """What an entry would do. It is written for as long as it takes to read the facts that there then are: while they
    are replayed, nobody waits to write."""
    _as_they_are(office)  # what is made here need not be made while others wait
    made: dict[int, Callable[[], History]] = {}
    with office.store.trying():
        before = _as_they_are(office)
        write()
        for which in office.lists():
            with suppress(*() if which.id in before else UNREPLAYED):
                made[which.id] = ready(office.store, which, office.book(which))
    after = {}
    for number, make in made.items():
        with suppress(*() if number in before else UNREPLAYED):
            after[number] = make()
    return effect_of(office, before, after)


def _as_they_are(office: Office, surely: Collection[int] = ()) -> dict[int, History]:
    """Lists by their numbers. One whose facts or rulebook do not let it be replayed is left out: it must not keep
    anybody from putting right what is wrong. Raises what keeps one from it that `surely` is replayed."""
    found = {}
    for which in office.lists():
        with suppress(*() if which.id in surely else UNREPLAYED):
            found[which.id] = office.history(which)
    return found


def _against_themselves(office: Office, games: Sequence[int]) -> list[Problem]:
    """Games whose players have been merged."""
    sides = "join person one on one.id = first join person other on other.id = second"
    same = "voided = 0 and coalesce(one.merged, one.id) = coalesce(other.merged, other.id)"
    found = office.store.among(f"select game.id from game {sides} where {same} and game.id in ?", games)
    return [
        Problem(f"game {game}: a player cannot play against themselves; its players were merged") for (game,) in found
    ]


def _troubles(office: Office, change: Change) -> Iterator[Problem]:
    allowed = CHANGEABLE.get(change.what)
    if allowed is None:
        yield Problem(f"there is nothing called {change.what!r} to correct", hint=f"known: {', '.join(CHANGEABLE)}")
        return
    held = current(office.store, change.what, change.id)
    result = change.what == "game" and change.set.keys() & {"score", "other"} and "more" not in change.set
    if result and _at_odds({**held, **change.set}) and not _at_odds(held):
        text = f"game {change.id}: the margin that is kept does not go with this result"
        yield Problem(text, hint="say the goals or points of both sides")
    for name, value in change.set.items():
        what = f"{change.what} {change.id}: {name}"
        if name not in allowed:
            yield Problem(f"{what} cannot be changed", hint=f"what can: {', '.join(allowed)}")
        elif name in ("first", "second", "person", "merged") and value is not None:
            if not office.store.row("select 1 from person where id = ?", (value,)):
                yield Problem(f"{what}: there is no person {value}")
        elif name == "event" and not office.store.row("select 1 from event where id = ?", (value,)):
            yield Problem(f"{what}: there is no event {value}")
        elif name in ("day", "starts", "ends", "rated", "base"):
            if not isinstance(value, int) or not 0 <= value <= date.max.toordinal():
                yield Problem(f"{what}: {value!r} is no day")
            elif change.what == "game" and name == "day" and value and (base := _begins(office, change.id)) > value:
                text = f"{what}: {date.fromordinal(value)} is before {date.fromordinal(base)}, where ratings begin"
                yield Problem(text, hint="void it, if it shall not count")
        elif name in ("round", "board", "nth", "games") and value is not None and not 0 <= value < 2**31:
            yield Problem(f"{what}: {value} is no number that there can be")
        elif isinstance(value, float) and value != value:
            yield Problem(f"{what}: not a number")


def _at_odds(game: Mapping[str, Any]) -> bool:
    """Whether a draw has a margin, or a win has none."""
    margin = msgspec.json.decode(game["more"]).get("margin") if game["more"] else None
    return margin is not None and (game["score"] == game["other"]) != (margin == 0)


def by_goals(office: Office, game: int, one: float, other: float) -> Change:
    """A game's result by the goals or points of both sides, the first one's first; its margin goes with it.
    Raises DataError for a game that is not there, UsageError for fewer than none."""
    if min(one, other) < 0:
        raise UsageError(f"{one:g}-{other:g}: nobody makes fewer than none")
    kept = current(office.store, "game", game)["more"]
    said = {**(msgspec.json.decode(kept) if kept else {}), "margin": abs(one - other), "fewer": min(one, other)}
    score = (1 + (one > other) - (one < other)) / 2
    return Change("game", game, {"score": score, "other": 1 - score, "more": chain.canonical(said)})


def _begins(office: Office, game: int) -> int:
    """The first day of the lists that a game is rated on; 0: from the beginning on."""
    pool = office.store.value("select pool from event join game on game.event = event.id where game.id = ?", (game,))
    return min((each.base for each in office.lists() if each.pool == pool), default=0)


def effect_of(office: Office, before: Mapping[int, History], after: Mapping[int, History]) -> Effect:
    """Whose rating differs between two replays of each list, and which published lists do."""
    moved, lists = [], []
    unknown = tuple(which.name for which in office.lists() if which.id not in before)
    for which in office.lists():
        if which.id not in before:
            lists += list(_unlike_printed(office, which, after[which.id])) if which.id in after else []
            continue
        one, two = before[which.id], after[which.id]
        apart = _apart(one.players, one.state, one.system.width, two.players, two.state, two.system.width)
        names = office.names(person for person, _, _ in apart)
        moved += [Moved(which.name, person, names[person], was, now) for person, was, now in apart]
        lists += list(_unlike(which, one, two))
    return Effect(tuple(moved), tuple(lists), unknown)


def _unlike(which: RatingList, before: History, after: History) -> Iterator[Unlike]:
    """The published lists whose revised view is another one, and for how many people what they print."""
    from arpad.bureau.lists import as_of
    from arpad.views import settling_edition

    again = {look.day: look for look in after.looked}
    for one, two in [(look, again[look.day]) for look in before.looked if look.day in again]:
        held = before.players, one.state, before.system.width, after.players, two.state, after.system.width
        _, was, now = _differing(*held)
        if len(was):
            steps = [settling_edition(as_of(history, one.day)).publish for history in (before, after)]
            shown = [_printed(values, step) for values, step in zip((was, now), steps)]
            printed = sum(a != b for a, b in zip(*shown))
            yield Unlike(which.name, date.fromordinal(one.day), len(was), printed)


def _unlike_printed(office: Office, which: RatingList, after: History) -> Iterator[Unlike]:
    """The published lists that print something else than the facts now come to."""
    from arpad.bureau.lists import as_of, by_person, printed_on
    from arpad.views import ratings

    for look in after.looked:
        listed = by_person(ratings(as_of(after, look.day))).columns
        now = dict(zip(listed["person"], listed["rating"]))
        was = printed_on(office, which, look.day)
        if printed := sum(was.get(person) != now.get(person) for person in {**was, **now}):
            yield Unlike(which.name, date.fromordinal(look.day), printed, printed)


def _printed(values: Column, step: Step) -> list[float | None]:
    """What a list prints of each rating; None of who is unrated."""
    from arpad.views import published

    ratings = _listed(values)
    shown = iter(_listed(published([rating for rating in ratings if rating == rating], step)))
    return [next(shown) if rating == rating else None for rating in ratings]


def _apart(
    players: Sequence[str], state: Any, width: int, others: Sequence[str], other: Any, other_width: int
) -> list[tuple[int, float | None, float | None]]:
    """(person, rating before, rating after) of everybody whose rating is not the same."""
    persons, was, now = _differing(players, state, width, others, other, other_width)
    return [(person, _rated(a), _rated(b)) for person, a, b in zip(persons, _listed(was), _listed(now))]


def _differing(
    players: Sequence[str], state: Any, width: int, others: Sequence[str], other: Any, other_width: int
) -> tuple[Iterable[int], Column, Column]:
    """Persons whose rating is not the same, with the ratings on both sides; nan: unrated."""
    one, two = state[::width], other[::other_width]
    if is_numpy(one) and is_numpy(two) and players == others:
        rows = ((one != two) & ~((one != one) & (two != two))).nonzero()[0]
        return _Persons(players, rows), one[rows], two[rows]
    was, now = dict(zip(players, one)), dict(zip(others, two))
    nan = float("nan")
    sides = [(int(each), was.get(each, nan), now.get(each, nan)) for each in {**was, **now}]
    apart = sorted(side for side in sides if side[1] != side[2] and (side[1] == side[1] or side[2] == side[2]))
    return [side[0] for side in apart], [side[1] for side in apart], [side[2] for side in apart]


class _Persons(msgspec.Struct, frozen=True):
    """The persons of rows, made when they are asked for: of most lists only their number is."""

    players: Sequence[str]
    rows: Column

    def __iter__(self) -> Iterator[int]:
        return (int(self.players[row]) for row in self.rows.tolist())


def _listed(values: Column) -> list[float]:
    return values.tolist() if is_numpy(values) else list(values)


def _rated(value: float) -> float | None:
    return None if value != value else float(value)
