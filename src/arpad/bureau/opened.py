"""An office that is open: its lists, its rulebooks as they were pinned, and what a replay of its facts comes to."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from arpad.bureau.called import Levels, Words, levels_of, words_of
from arpad.bureau.openings import opening_of
from arpad.bureau.pinning import as_told, keep, pinned
from arpad.bureau.replays import Key, Replays
from arpad.errors import ArpadError, LedgerError, UnknownName, UsageError
from arpad.formats.hidden import typed
from arpad.ledger import chain, packed, schema
from arpad.ledger.facts import last_id
from arpad.ledger.store import PATIENCE, Store, open_store
from arpad.model import Act, Games, PartialDate, Start

if TYPE_CHECKING:
    from arpad.bureau.lists import Printed
    from arpad.engine import History, Progress
    from arpad.rulebooks import Rulebook, Value

T = TypeVar("T")

#: How many things an office keeps that were made of it; a list of 100,000 players takes some 60 MB.
MOST_KEPT = 12
#: Who writes where nobody is named.
ACTOR = "officer"
#: Names from which on all are read at once.
MANY = 5000
#: Entries that change no rating.
SILENT = ("stage", "refuse", "publish", "visibility")
#: Who looks, from everybody to the office itself; what is for one of them is for those behind it too.
AUDIENCES = ("public", "members", "officers")
#: Who may see what of a person of whom nothing else is said.
LEVELS = {"name": "public", "aliases": "public", "federation": "public", "identifiers": "public", "born": "members"}


class RatingList(msgspec.Struct, frozen=True):
    """A list that an office keeps: a rulebook as it read on the day it was pinned, and the pool whose games it rates.

    `base` is the day (ordinal) from which on games count; 0: all."""

    id: int
    name: str
    rules: str
    settings: Mapping[str, Any]
    digest: str
    pool: str
    base: int


class Office:
    """An open office. `actor` is who writes: a role, not a name; `audience` is for whom it shows things."""

    def __init__(self, store: Store, actor: str = ACTOR) -> None:
        self.store = store
        self.actor = actor
        self.audience = AUDIENCES[-1]
        self._books: dict[tuple[Any, ...], Rulebook] = {}
        self.replays = Replays()
        self.printed: dict[tuple[int, int], Printed] = {}  # published ratings by (list, day)
        self.told: dict[int, tuple[Any, Any]] = {}  # what `cards` keeps of a history
        self.unlike: set[str] = set()  # lists whose rulebook was found to read otherwise now than what they pinned
        self.kept: OrderedDict[Hashable, tuple[str, Any]] = OrderedDict()  # what was made of it once: see `keep`
        self._words: Words | None = None
        self._levels: Levels | None = None

    def __enter__(self) -> Office:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.store.close()

    @property
    def head(self) -> int:
        """The last entry."""
        return chain.head(self.store)[0]

    def lists(self) -> list[RatingList]:
        rows = self.store.again("select id, name, rules, settings, digest, pool, base from list order by id")
        return [RatingList(row[0], row[1], row[2], msgspec.json.decode(row[3]), *row[4:]) for row in rows]

    def which(self, name: str | None = None) -> RatingList:
        """A list by its name; the first one without. Raises UnknownName."""
        held = self.lists()
        found = next((each for each in held if name in (None, each.name)), None)
        if found is None:
            raise UnknownName("list", str(name), [each.name for each in held])
        return found

    def book(self, which: RatingList) -> Rulebook:
        """The rulebook that a list pinned: that of its name or file if it reads as it did, else the text that is kept.

        Raises LedgerError where neither does.
        """
        key = which.rules, msgspec.json.encode(which.settings)
        if key not in self._books or self._books[key].digest != which.digest:
            self._books[key] = as_told(self._read(which), which)
        return self._books[key]

    def _read(self, which: RatingList) -> Rulebook:
        from arpad.rulebooks import load

        said = f"{which.rules} is not what it was when list {which.name!r} took it"
        try:
            book = load(which.rules, which.settings)
            if book.digest == which.digest:
                return book
            self.unlike.add(which.name)
            said += f" (digest {book.digest[:12]}, was {which.digest[:12]})"
        except ArpadError as error:
            said += f" ({error})"
        if kept := pinned(self.store, which):
            return kept
        raise LedgerError(f"{said}: adopt the new one (`arpad correct --adopt`), or put the old one back")

    def history(self, which: RatingList, progress: Progress | None = None, also: Sequence[int] = ()) -> History:
        """The replay of a list's facts as they are now, looked at on the days of its publications, and on others
        `also`; kept until a fact changes. `progress` is told of games done, of how many, where it has to be made."""
        sql = f"select hash from entry where kind not in ({', '.join('?' * len(SILENT))}) order by seq desc limit 1"
        days = tuple(sorted({*publication_days(self.store, which.id), *also}))
        last = self.store.again(sql, SILENT)
        key = Key(last[0][0] if last else None, which, days)
        return self.replays.of(key, lambda: replayed(self.store, which, self.book(which), progress=progress, also=also))

    def keep(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` returned for this key and this audience, made anew when the last entry is another one;
        `MOST_KEPT` are. The hash tells entries apart: one that was only tried had the number of the next one."""
        head, whole = chain.head(self.store)[1], (self.audience, key)
        found = self.kept.pop(whole, None)
        self.kept[whole] = found if found is not None and found[0] == head else (head, make())
        while len(self.kept) > MOST_KEPT:
            self.kept.popitem(last=False)
        made: T = self.kept[whole][1]
        return made

    def names(self, persons: Iterable[int]) -> dict[int, str]:
        """What people are called; of whom no name is kept, or none is for this audience, by number."""
        wanted = list(dict.fromkeys(persons))
        unseen = self.unseen("name", wanted)
        kept = self._kept_words()
        found: Mapping[int, str]
        if kept:
            found = kept.people
        elif len(wanted) > MANY:
            found = dict(self.store.rows("select person, name from name"))
        else:
            found = dict(self.store.among("select person, name from name where person in ?", wanted))
        return {person: (found.get(person) if person not in unseen else "") or f"player {person}" for person in wanted}

    def titles(self, events: Iterable[int]) -> Mapping[int, str]:
        """What events are called; perhaps others too."""
        if kept := self._kept_words():
            return kept.events
        return dict(self.store.among("select id, name from event where id in ?", events))

    def keep_words(self) -> None:
        """Read what all people and events are called, and keep it until something is written."""
        if self._kept_words() is None:
            self._words = words_of(self.store)

    def _kept_words(self) -> Words | None:
        words = self._words
        return words if words and words.head == chain.head(self.store)[1] else None

    def unseen(self, field: str, persons: Iterable[int]) -> set[int]:
        """Whose field is not for this audience; with a name goes what tells who it is. Merged people are one."""
        place = AUDIENCES.index(self.audience)
        if place == len(AUDIENCES) - 1:
            return set()
        if self._levels is None or self._levels.head != chain.head(self.store)[1]:
            self._levels = levels_of(self.store)
        said, merged, wanted, found = self._levels.said, self._levels.merged, tuple(persons), set[int]()
        for part in ("name", field) if field in ("aliases", "identifiers") else (field,):
            usual = said.get((part, 0), LEVELS[part])
            found |= {who for who in wanted if AUDIENCES.index(said.get((part, merged.get(who, who)), usual)) > place}
        return found


def publication_days(store: Store, which: int, seq: int | None = None) -> list[int]:
    """The days (ordinals) on which a list was published; up to an entry, if one is given."""
    clause, values = ("", (which,)) if seq is None else (" and entry <= ?", (which, seq))
    return [row[0] for row in store.again(f"select day from publication where list = ?{clause} order by day", values)]


def open_office(place: str | os.PathLike[str], *, actor: str = ACTOR, patience: float = PATIENCE) -> Office:
    """Open an office at a path or postgresql:// URL. Raises UsageError where there is none, LedgerError for one that a
    newer arpad wrote."""
    store = open_store(place, patience=patience)
    try:
        if schema.version(store) == 0:
            raise UsageError(f"there is no office at {store.place}; `arpad init` makes one")
        schema.migrate(store)
    except BaseException:
        store.close()
        raise
    return Office(store, actor)


def init(
    place: str | os.PathLike[str],
    rules: str,
    *,
    name: str | None = None,
    settings: Mapping[str, Value] = {},
    base: date | None = None,
    pool: str = "",
    actor: str = ACTOR,
    patience: float = PATIENCE,
) -> Office:
    """Make an office with one list. Raises UsageError where there is one already."""
    from arpad.rulebooks import load

    load(rules, settings)  # a rulebook that does not hold makes no office
    store = open_store(place, create=True, patience=patience)
    office = Office(store, actor)
    try:
        with store.writing():  # all of it or nothing: who is killed here can begin again
            if not schema.vacant(store):
                raise UsageError(f"{store.place} is there already; an office is not written over it")
            schema.migrate(store)
            add_list(office, rules, name=name, settings=settings, base=base, pool=pool)
    except BaseException:
        office.close()
        raise
    return office


def add_list(
    office: Office,
    rules: str,
    *,
    name: str | None = None,
    settings: Mapping[str, Value] = {},
    base: date | None = None,
    pool: str = "",
) -> RatingList:
    """One more list on the same facts: `rules` by name or path, pinned and kept as they read now.

    Games before its base (that of the first edition, if none is given) do not count on it. Raises UsageError for a name
    that no address can have."""
    from arpad.rulebooks import load

    book = load(rules, settings)
    file, toml, preset = rules.rpartition(".toml")
    kept = os.path.abspath(file + toml) + preset if toml else rules
    called = name or os.path.splitext(os.path.basename(rules))[0]
    if "/" in called or called in (".", ".."):
        raise UsageError(f"a list cannot be called {called!r}: its name is a step in the addresses of its pages")
    with office.store.writing():
        number = last_id(office.store, "list") + 1
        begins = base or book.editions[0].since
        day = begins.toordinal() if begins else 0
        held = RatingList(number, typed(called), kept, dict(settings), book.digest, typed(pool), day)
        body = {**msgspec.structs.asdict(held), "settings": chain.canonical(held.settings)}
        text = keep(office.store, book)
        chain.append(office.store, office.actor, "open", {"list": body, "text": text})
        office.history(held)  # a list that its facts do not let be replayed would be of no use, and in the way
    return held


def replayed(
    store: Store, which: RatingList, book: Rulebook, looks: Sequence[int] | None = None, **more: Any
) -> History:
    """All facts of a list from its base on, through the engine: see `ready`."""
    return ready(store, which, book, looks, **more)()


def ready(
    store: Store,
    which: RatingList,
    book: Rulebook,
    looks: Sequence[int] | None = None,
    starts: Sequence[Start] | None = None,
    games: Games | None = None,
    progress: Progress | None = None,
    also: Sequence[int] = (),
) -> Callable[[], History]:
    """All facts of a list from its base on, read: their replay asks no database. It is looked at on the publications'
    days, and `also` on others, or on `looks`. `starts`: other birth dates than those of the register; `games`: others
    than those that are kept. Where the base was moved, everybody begins with what was held then. Raises UsageError for
    looks before that."""
    from arpad.engine import replay

    games = packed.load(store, which.pool, which.base).games if games is None else games
    starts = starts_of(store) if starts is None else starts
    opening = opening_of(store, which, book, starts)
    acts = acts_of(store, which.id)
    days = sorted({*publication_days(store, which.id), *also}) if looks is None else list(looks)
    if opening is None:
        return partial(replay, games, book, starts, acts, looks=days, progress=progress)
    if looks is not None and any(day < which.base for day in looks):
        raise UsageError(f"list {which.name!r} is closed before {date.fromordinal(which.base)}, where its base is now")
    open_days = [day for day in days if day >= which.base]
    acts = [act for act in acts if act.date >= which.base]
    return partial(replay, games, book, opening, acts, looks=open_days, progress=progress)


def first_base(store: Store, which: RatingList) -> int:
    """The base that a list was opened with, wherever it was moved since."""
    said = (entry.body["list"] for entry in chain.entries(store, kinds=("open",)))
    return next((int(each["base"]) for each in said if each["id"] == which.id), which.base)


def acts_of(store: Store, which: int) -> list[Act]:
    """The acts of a list that count, each on the person that it is about now."""
    sql = (
        "select act.id, kind, coalesce(merged, person.id), day, rating, games, category, deviation from act "
        "join person on person.id = act.person where list = ? and voided = 0 order by act.id"
    )
    return [
        Act(
            kind=kind,
            player=str(person),
            date=day,
            rating=float("nan") if rating is None else rating,
            games=games,
            reason=f"act {number}",
            category=category,
            deviation=deviation,
        )
        for number, kind, person, day, rating, games, category, deviation in store.rows(sql, (which,))
    ]


def starts_of(store: Store) -> list[Start]:
    """The birth dates, as far as they are known; of merged people, the first known one, their own before others'."""
    known = "name join person on person.id = name.person"
    sql = f"select person, coalesce(merged, id), born from {known} where born > 0 order by person"
    found: dict[int, int] = {}
    for person, now, born in store.rows(sql):
        if person == now:
            found[now] = born
        else:
            found.setdefault(now, born)
    return [Start(str(person), None, born=birth_date(born)) for person, born in sorted(found.items())]


def birth_date(born: int) -> PartialDate | None:
    """A birth date as the ledger counts it (year * 10000 + month * 100 + day; 0 = unknown)."""
    return PartialDate(born // 10000, born // 100 % 100 or None, born % 100 or None) if born else None


def born_number(born: PartialDate | None) -> int:
    return born.year * 10000 + (born.month or 0) * 100 + (born.day or 0) if born else 0
