"""What an officer changes: one record for each kind of act, previewed whole, done, and taken back.

    asked = GameFix(game=17, result="1/2-1/2")
    preview(office, asked).moved                    # who moves, which published lists differ
    carry_out(office, asked, "the arbiter's letter", head=41)

A preview names the last entry that it was made after; what is done names it again, and is refused if there is another.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Literal, TypeAlias

import msgspec

from arpad.bureau import bases, corrections, people, register
from arpad.bureau.corrections import Change, Corrected, Effect, Unlike, What
from arpad.bureau.effects import Moved
from arpad.bureau.erasing import Erased, erase
from arpad.bureau.opened import Office
from arpad.errors import DataError, UnknownName, UsageError
from arpad.model import Act, Problem
from arpad.web.views.reports import unmoved

Result: TypeAlias = Literal["1-0", "0-1", "1/2-1/2", "0-0"]
RESULTS: dict[str, tuple[float, float]] = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5), "0-0": (0, 0)}
Field: TypeAlias = Literal["name", "aliases", "federation", "identifiers", "born"]


class GameFix(msgspec.Struct, frozen=True, tag="game", tag_field="kind"):
    """Another result, day, round, board or side of a game; `void` true: it does not count, false: it counts again.
    `white` and `black` are numbers of people."""

    game: int
    result: Result | None = None
    day: date | None = None
    white: int | None = None
    black: int | None = None
    round: int | None = None
    board: int | None = None
    void: bool | None = None


class EventFix(msgspec.Struct, frozen=True, tag="event", tag_field="kind"):
    """Other days of an event; `rated`: the day on which it is taken in, where that is not the day on which it ended."""

    event: int
    start: date | None = None
    end: date | None = None
    rated: date | None = None


class ActFix(msgspec.Struct, frozen=True, tag="act", tag_field="kind"):
    """Other values of a dated act of a player; `void` as of a game."""

    act: int
    day: date | None = None
    rating: float | None = None
    games: int | None = None
    void: bool | None = None


class NewAct(msgspec.Struct, frozen=True, tag="add-act", tag_field="kind"):
    """A dated act of a player on a list: see `model.Act`. `why` goes with the act, the reason with the entry."""

    person: int
    act: Literal["entry", "blend", "adjustment", "floor"]
    day: date
    rating: float | None = None
    games: int | None = None
    category: str = ""
    list: str | None = None
    why: str = ""


class Fact(msgspec.Struct, frozen=True, tag="fact", tag_field="kind"):
    """A person's title or federation from a day on (None: as long as is known); blank: none any more."""

    person: int
    what: Literal["federation", "title"]
    value: str = ""
    since: date | None = None


class Description(msgspec.Struct, frozen=True, tag="describe", tag_field="kind"):
    """A new name of a person, another name, or an identifier."""

    person: int
    name: str = ""
    alias: str = ""
    body: str = ""
    number: str = ""


class Visibility(msgspec.Struct, frozen=True, tag="visibility", tag_field="kind"):
    """Who sees a field of a person (0: of everybody of whom nothing else is said); blank: as usual."""

    person: int
    field: Field
    level: Literal["", "public", "members", "officers"] = ""


class Merge(msgspec.Struct, frozen=True, tag="merge", tag_field="kind"):
    """Two numbers are one person, known as `person`."""

    person: int
    other: int


class Split(msgspec.Struct, frozen=True, tag="split", tag_field="kind"):
    """The last merge by which a number became another person's is taken back."""

    person: int


class Erasure(msgspec.Struct, frozen=True, tag="erase", tag_field="kind"):
    """A person's words go. `also`: more words to take out, separated by commas; `typed`: the person's number once
    more, without which it is not done."""

    person: int
    also: str = ""
    typed: str = ""


class Base(msgspec.Struct, frozen=True, tag="base", tag_field="kind"):
    """The base of a list moved to a day."""

    day: date
    list: str | None = None


class Adoption(msgspec.Struct, frozen=True, tag="adopt", tag_field="kind"):
    """A list takes its rulebook as it reads now."""

    list: str | None = None


class Undoing(msgspec.Struct, frozen=True, tag="undo", tag_field="kind"):
    """An entry is taken back: a correction, a merge or split, the moving of a base, or added acts. What takes back may
    be taken back itself."""

    entry: int


Asked: TypeAlias = (
    GameFix
    | EventFix
    | ActFix
    | NewAct
    | Fact
    | Description
    | Visibility
    | Merge
    | Split
    | Erasure
    | Base
    | Adoption
    | Undoing
)


class Preview(msgspec.Struct, frozen=True):
    """All that an act would do, as of `head`, the last entry there is. `names` are those of the people it is about."""

    head: int
    moved: tuple[Moved, ...]
    lists: tuple[Unlike, ...]
    unknown: tuple[str, ...]
    names: tuple[tuple[int, str], ...]
    erased: Erased | None = None


class Done(msgspec.Struct, frozen=True):
    """What was done: its entry, and whose rating it moved."""

    entry: int
    moved: tuple[Moved, ...]
    lists: tuple[Unlike, ...]
    erased: Erased | None = None


def holds(asked: Asked) -> bool:
    """Whether others wait to write as long as an act is previewed, so that its preview waits for its turn as what
    writes does."""
    return isinstance(asked, Base | Erasure)


def preview(office: Office, asked: Asked) -> Preview:
    """What an act would do; nothing is written. Raises what doing it would."""
    head = office.head
    done = _carried_out(office, asked, "", preview=True)
    persons = [getattr(asked, name) for name in ("person", "other", "white", "black") if getattr(asked, name, None)]
    names = tuple(office.names(persons).items())
    return Preview(head, done.effect.moved, done.effect.lists, done.effect.unknown, names, done.erased)


def carry_out(office: Office, asked: Asked, reason: str, head: int | None = None) -> Done:
    """Do it. Raises UsageError without a reason, Stale where something was entered after `head`; then nothing was
    written."""
    corrections.reason_of(reason, "whatever is changed")
    if isinstance(asked, Erasure) and asked.typed.strip() != str(asked.person):
        raise UsageError(f"an erasure cannot be taken back: type the person's number, {asked.person}, to confirm it")
    if isinstance(asked, Erasure):  # it cleans the database afterwards, which nothing can do inside a transaction
        unmoved(office, head)
        done = _carried_out(office, asked, reason, preview=False)
    else:
        with office.store.writing():
            unmoved(office, head)
            done = _carried_out(office, asked, reason, preview=False)
    return Done(done.entry, done.effect.moved, done.effect.lists, done.erased)


class _CarriedOut(msgspec.Struct, frozen=True):
    entry: int
    effect: Effect
    erased: Erased | None = None


def _carried_out(office: Office, asked: Asked, reason: str, *, preview: bool) -> _CarriedOut:
    if isinstance(asked, Erasure):
        also = [word.strip() for word in asked.also.split(",") if word.strip()]
        erased = erase(office, asked.person, reason, also=also, preview=preview)
        return _CarriedOut(erased.seq, Effect((), ()), erased)
    if isinstance(asked, NewAct):
        entry, effect = corrections.weighed(office, lambda: _added(office, asked, reason), preview=preview)
        return _CarriedOut(entry, effect)
    done = _corrected(office, asked, reason, preview)
    if done is None:  # words, on which no rating rests
        with office.store.trying() if preview else office.store.writing():
            return _CarriedOut(_said(office, asked, reason), Effect((), ()))
    return _CarriedOut(done.seq, done.effect)


def _corrected(office: Office, asked: Asked, reason: str, preview: bool) -> Corrected | None:
    """What the bureau corrects, with a preview of its own; None for what it only writes."""
    if isinstance(asked, GameFix | EventFix | ActFix):
        return corrections.correct(office, [_change(asked)], reason, preview=preview)
    if isinstance(asked, Merge):
        return people.merge(office, asked.person, asked.other, reason, preview=preview)
    if isinstance(asked, Split):
        return people.split(office, asked.person, reason, preview=preview)
    if isinstance(asked, Base):
        return bases.move_base(office, asked.day, asked.list, reason, preview=preview)
    if isinstance(asked, Adoption):
        return corrections.adopt(office, asked.list, reason, preview=preview)
    if isinstance(asked, Undoing):
        return _undone(office, asked.entry, reason, preview)
    return None


def _change(asked: GameFix | EventFix | ActFix) -> Change:
    """A fix as the bureau has it. Raises UsageError for one that changes nothing."""
    what: What
    if isinstance(asked, GameFix):
        what, number = "game", asked.game
        score = RESULTS[asked.result] if asked.result else (None, None)
        values: dict[str, Any] = {"score": score[0], "other": score[1], "day": asked.day}
        values |= {"first": asked.white, "second": asked.black, "round": asked.round, "board": asked.board}
    elif isinstance(asked, EventFix):
        what, number = "event", asked.event
        values = {"starts": asked.start, "ends": asked.end, "rated": asked.rated}
    else:
        what, number = "act", asked.act
        values = {"day": asked.day, "rating": asked.rating, "games": asked.games}
    void = getattr(asked, "void", None)
    values |= {"voided": None if void is None else int(void)}
    said = {name: value for name, value in values.items() if value is not None}
    if not said:
        raise UsageError("say what shall be otherwise")
    return Change(what, number, {name: _plain(value) for name, value in said.items()})


def _plain(value: Any) -> Any:
    return value.toordinal() if isinstance(value, date) else value


def _undone(office: Office, entry: int, reason: str, preview: bool) -> Corrected:
    """An entry taken back as its kind is."""
    kind = office.store.value("select kind from entry where seq = ?", (entry,))
    if kind in ("merge", "split"):
        return corrections.taken_back(office, entry, reason, preview, kinds=("merge", "split"))
    return corrections.revert(office, entry, reason, preview=preview)


def _said(office: Office, asked: Asked, reason: str) -> int:
    """Words about a person; their entry."""
    if isinstance(asked, Fact):
        told = register.Told(_person(office, asked.person), asked.what, _ordinal(asked.since), asked.value.strip())
        return register.tell(office, [told], reason)
    if isinstance(asked, Description):
        if bool(asked.body.strip()) != bool(asked.number.strip()):
            raise UsageError("an identifier is a body and a number: give both")
        identifiers = {asked.body.strip().lower(): asked.number.strip()} if asked.body.strip() else {}
        said: dict[str, Any] = {"name": asked.name, "aliases": [asked.alias], "identifiers": identifiers}
        return people.describe(office, asked.person, reason=reason, **said)
    assert isinstance(asked, Visibility)
    return people.show(office, asked.person, {asked.field: asked.level}, reason)


def _person(office: Office, number: int) -> int:
    """Who a number is now. Raises UnknownName for nobody."""
    return people.members(office, number)[0]


def _added(office: Office, asked: NewAct, reason: str) -> int:
    """Raises UsageError for an act without a rating, and for one that was said before."""
    if asked.rating is None and not asked.category:
        raise UsageError("an act has a rating, or a category that the rulebook has one for")
    if office.store.row("select 1 from person where id = ?", (asked.person,)) is None:
        raise UnknownName("person", str(asked.person), [])
    rating = float("nan") if asked.rating is None else asked.rating
    act = Act(
        asked.act, str(asked.person), _ordinal(asked.day), rating, asked.games, asked.why, category=asked.category
    )
    entry = register.add_acts(office, [act], asked.list, reason)
    if not entry:
        raise DataError(
            [Problem("this act was said before", hint="if there are two, give this one a reason of its own")]
        )
    return entry


def _ordinal(day: date | None) -> int:
    return day.toordinal() if day else 0


def moves(moved: Sequence[Moved]) -> list[Moved]:
    """The largest change first; who comes on or off a list before."""
    return sorted(moved, key=lambda each: (each.change is not None, -abs(each.change or 0.0), each.person))
