"""Lists: what a replay comes to, kept; what was published, which never changes; and the revised view beside it.

The list of a day holds everything before it: games and batches that ended on an earlier day, and the acts of the day
itself. It is a replay looked at on that day.
"""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from arpad.bureau.opened import Office, RatingList, replayed
from arpad.columns import is_numpy, plain
from arpad.errors import UsageError
from arpad.formats import Table
from arpad.ledger import chain
from arpad.ledger.store import Row

if TYPE_CHECKING:
    from arpad.engine import History, Progress


#: Columns of a list about people, not about their ratings: who was erased could not be taken out of them.
PERSONAL = ("born",)
#: What says where somebody stands on a list.
_PLACE = ("person", "rank", "rating")
#: Days from today on that a list's day may lie ahead without a word, arpad's own: a slip in the year is further away.
AHEAD = 60


class Standing(msgspec.Struct, frozen=True, dict=True):
    """The states that a replay left, kept in the office. `seq` is the entry up to which it went."""

    seq: int
    rules: str
    fields: tuple[str, ...]
    persons: array[int]
    state: array[float]
    sha256: str

    @cached_property
    def places(self) -> Mapping[int, int]:
        return {person: at for at, person in enumerate(self.persons)}

    def ratings(self) -> dict[int, float]:
        """Exact ratings of whoever has one."""
        found = zip(self.persons, self.state[:: len(self.fields)])
        return {person: rating for person, rating in found if rating == rating}


class Document(msgspec.Struct, frozen=True):
    """What is published: the list's rules, by name and by the digest of their text, the edition of the day, the entry
    (`rests`) up to which it takes the facts, and a row a person, in the order of the columns."""

    list: str
    date: date
    rules: str
    digest: str
    edition: str
    rests: int
    columns: Sequence[str]
    rows: Sequence[Sequence[float | str | None]]


class Published(msgspec.Struct, frozen=True):
    """A list as it was published: its bytes, which hold ids and numbers, and their digest."""

    name: str
    day: date
    content: bytes
    sha256: str

    def table(self, names: Mapping[int, str]) -> Table:
        """Its rows, with names as they are now."""
        held = msgspec.json.decode(self.content)
        return _named(held["columns"], held["rows"], names)

    @property
    def persons(self) -> list[int]:
        held = msgspec.json.decode(self.content)
        at = held["columns"].index("person")
        return [row[at] for row in held["rows"]]


class Difference(msgspec.Struct, frozen=True):
    """A person on a published list and on the same list as it would be today, as printed; None where not on it."""

    person: int
    name: str
    published: float | None
    revised: float | None
    published_rank: int | None = None
    revised_rank: int | None = None

    @property
    def change(self) -> float | None:
        return None if self.published is None or self.revised is None else self.revised - self.published

    @property
    def only(self) -> str:
        """`published` or `revised` for who is on one of both alone; else blank."""
        return "revised" if self.published is None else "published" if self.revised is None else ""


def replay(office: Office, name: str | None = None, progress: Progress | None = None) -> Standing:
    """Replay a list and keep the states. The office's other functions do not need it: they replay what they show.
    `progress` is told of games done, of how many."""
    with office.store.writing():
        which = office.which(name)
        held = standing(office.head, office.history(which, progress))
        office.store.run("delete from standing where list = ?", (which.id,))
        row = (
            which.id,
            held.seq,
            held.rules,
            " ".join(held.fields),
            _bytes(held.persons),
            _bytes(held.state),
            held.sha256,
        )
        columns = ("list", "seq", "rules", "fields", "persons", "state", "sha256")
        office.store.insert("standing", columns, [row])
    return held


def standing(seq: int, history: History) -> Standing:
    """What a history came to, as it is kept: people by id."""
    width = history.system.width
    order = sorted(range(len(history.players)), key=lambda code: int(history.players[code]))
    plain = history.state.tolist() if is_numpy(history.state) else history.state
    persons = array("i", [int(history.players[code]) for code in order])
    state = array("d", [value for code in order for value in plain[width * code : width * code + width]])
    digest = digest_of(persons, state)
    return Standing(seq, history.rulebook.digest, tuple(history.system.fields), persons, state, digest)


def digest_of(persons: array[int], state: array[float]) -> str:
    return hashlib.sha256(_bytes(persons) + _bytes(state)).hexdigest()


def stored(office: Office, which: RatingList) -> Standing | None:
    """The states that the last `replay` kept."""
    found = office.store.row(
        "select seq, rules, fields, persons, state, sha256 from standing where list = ?", (which.id,)
    )
    if found is None:
        return None
    persons, state = array("i"), array("d")
    persons.frombytes(bytes(found[3]))
    state.frombytes(bytes(found[4]))
    for column in (persons, state):
        _swap(column)
    return Standing(found[0], found[1], tuple(found[2].split(" ")), persons, state, found[5])


def _bytes(column: array[Any]) -> bytes:
    """Little-endian, whatever the machine."""
    column = column[:]
    _swap(column)
    return column.tobytes()


def _swap(column: array[Any]) -> None:
    import sys

    if sys.byteorder == "big":
        column.byteswap()


def publish(
    office: Office,
    day: date,
    name: str | None = None,
    reason: str = "",
    *,
    ahead: bool = False,
    progress: Progress | None = None,
) -> Published:
    """Publish the list of a day; from then on it stands as it is. `progress` is told of games replayed, of how many.
    Raises UsageError for a day that was published or lies before the list's base, and for one more than `AHEAD` days
    after today (UTC) unless it is said to be meant (`ahead`): no list can be withdrawn."""
    if not ahead and (far := (day - today()).days) > AHEAD:
        raise UsageError(
            f"{day} is {far} days ahead, and a published list cannot be withdrawn; if the day is meant, say so (--yes)"
        )
    with office.store.writing():
        which = office.which(name)
        ordinal = day.toordinal()
        if office.store.row("select 1 from publication where list = ? and day = ?", (which.id, ordinal)):
            raise UsageError(
                f"list {which.name!r} of {day} is published, and stays as it is; the revised view is beside it"
            )
        if ordinal < which.base:
            raise UsageError(f"list {which.name!r} begins on {date.fromordinal(which.base)}: it has nothing of {day}")
        rests = office.head
        content = drafted(office, which, day, progress)
        digest = hashlib.sha256(content).hexdigest()
        body = {"list": which.id, "day": ordinal, "sha256": digest, "rests": rests, "size": len(content)}
        seq, _ = chain.append(office.store, office.actor, "publish", body, reason)
        columns = ("list", "day", "content", "sha256", "entry")
        office.store.insert("publication", columns, [(which.id, ordinal, content, digest, seq)])
    return Published(which.name, day, content, digest)


def drafted(office: Office, which: RatingList, day: date, progress: Progress | None = None) -> bytes:
    """The list of a day as it would be published now."""
    history = office.history(which, progress, also=[day.toordinal()])
    return frozen(which, as_of(history, day.toordinal()), day, office.head)


def today() -> date:
    return datetime.now(UTC).date()


def frozen(which: RatingList, history: History, day: date, rests: int) -> bytes:
    """A list as bytes: one JSON object of ids and numbers, the same wherever the same facts are replayed."""
    from arpad.views import heading, ratings

    columns = by_person(ratings(history)).columns
    rows = [list(map(_blank, row)) for row in zip(*columns.values())]
    rules = which.rules.rpartition("/")[2] if "/" in which.rules and which.rules.endswith(".toml") else which.rules
    edition = heading(history).edition
    held = Document(which.name, day, rules, which.digest, edition, rests, list(columns), rows)
    return msgspec.json.encode(held) + b"\n"


def _blank(value: Any) -> Any:
    return None if isinstance(value, float) and value != value else value


def as_of(history: History, day: int) -> History:
    """A replay that was looked at on a day, as if it had ended there."""
    look = next((look for look in history.looked if look.day == day), None)
    if look is None:
        raise UsageError(f"the list is closed before its base: that of {date.fromordinal(day)} stands as published")
    segments = history.plan.segments[: look.segments]
    stop = segments[-1].stop if segments else 0
    games = history.games
    until = {name: getattr(games, name)[:stop] for name in ("first", "second", "score")}
    until["date"] = None if games.date is None else games.date[:stop]
    return replace(
        history,
        state=look.state,
        learned=look.memory,
        games=replace(games, **until),
        plan=replace(history.plan, segments=segments),
        as_of=day,
    )


def by_person(listed: Table) -> Table:
    """A list whose players are the numbers of persons: equal ratings by number; without facts about them as people,
    which no published byte may hold."""
    columns = {name: column for name, column in listed.columns.items() if name not in PERSONAL}
    persons = [int(player) for player in columns["player"]]
    order = _by_rank(columns["rank"], persons)
    found: dict[str, Any] = {}
    for name, column in columns.items():
        held = persons if name == "player" else plain(column)
        found["person" if name == "player" else name] = [held[row] for row in order]
    return Table(listed.name, found)


def _by_rank(ranks: Sequence[int], persons: Sequence[int]) -> list[int]:
    held = plain(ranks)
    return sorted(range(len(persons)), key=lambda row: (held[row], persons[row]))


def published(office: Office, day: date, name: str | None = None) -> Published:
    """A list as it was published. Raises UsageError for a day without one."""
    which = office.which(name)
    found = office.store.row(
        "select content, sha256 from publication where list = ? and day = ?", (which.id, day.toordinal())
    )
    if found is None:
        days = [date.fromordinal(row[0]).isoformat() for row in _publications(office, which)]
        known = ", ".join(days[-12:]) or "none yet"
        raise UsageError(f"list {which.name!r} of {day} was not published; published: {known}")
    return Published(which.name, day, bytes(found[0]), found[1])


class Printed(Mapping[int, float]):
    """What a list printed, by person: columns, since an office of many years keeps those of every list. `lasts` are the
    days (ordinals) of last games, 0: not known."""

    def __init__(self, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        person, rating, last = (columns.index(each) for each in ("person", "rating", "last_date"))
        ordered = sorted((row[person], row[rating], row[last]) for row in rows)
        days = {text: date.fromisoformat(text).toordinal() for text in {each[2] for each in ordered} if text}
        self.persons = array("i", [each[0] for each in ordered])
        self.ratings: list[float] = [each[1] for each in ordered]  # whole numbers stay whole
        self.lasts = array("i", [days.get(each[2], 0) for each in ordered])

    def __getitem__(self, person: int) -> float:
        at = bisect_left(self.persons, person)
        if at == len(self.persons) or self.persons[at] != person:
            raise KeyError(person)
        return self.ratings[at]

    def __iter__(self) -> Iterator[int]:
        return iter(self.persons)

    def __len__(self) -> int:
        return len(self.persons)

    @cached_property
    def _ascending(self) -> array[float]:
        return array("d", sorted(self.ratings))

    def rank(self, rating: float) -> int:
        """The place of a rating on the list; equal ratings share it."""
        return 1 + len(self) - bisect_right(self._ascending, rating)


def printed_on(office: Office, which: RatingList, day: int) -> Printed:
    """What a published list printed, by person; read once, since it never changes."""
    key = which.id, day
    if key not in office.printed:
        content = office.store.value("select content from publication where list = ? and day = ?", key)
        held = msgspec.json.decode(bytes(content))
        office.printed[key] = Printed(held["columns"], held["rows"])
    return office.printed[key]


def _places(content: bytes) -> dict[int, tuple[int, float]]:
    """Rank and rating, as a published list printed them, by person."""
    held = msgspec.json.decode(content)
    person, rank, rating = (held["columns"].index(each) for each in _PLACE)
    return {row[person]: (row[rank], row[rating]) for row in held["rows"]}


def _publications(office: Office, which: RatingList) -> list[Row]:
    return office.store.rows("select day from publication where list = ? order by day", (which.id,))


def revised(office: Office, day: date | None = None, name: str | None = None) -> Table:
    """The list of a day as the facts are now, whether it was published or not; without a day, all there is."""
    from arpad.views import ratings

    with office.store.reading():
        which = office.which(name)
        history = office.history(which)
        if day is not None:
            ordinal = day.toordinal()
            if ordinal not in {look.day for look in history.looked}:
                history = replayed(office.store, which, office.book(which), [ordinal])
            history = as_of(history, ordinal)
        listed = by_person(ratings(history))
        names = office.names(listed.columns["person"])
    return _named(list(listed.columns), list(zip(*listed.columns.values())), names)


def compare(office: Office, day: date, name: str | None = None) -> list[Difference]:
    """Everybody whose rating on a published list is another one as the facts are now, by person."""
    apart = _beside(office, day, name, lambda before, after: before != after)
    return sorted(apart, key=lambda each: each.person)


def side_by_side(office: Office, day: date, name: str | None = None) -> list[Difference]:
    """Everybody on a published list or on the same list as it would be today: by the published rank, and then, who is
    on the second alone, by that."""
    return _beside(office, day, name, lambda before, after: True)


def _beside(
    office: Office, day: date, name: str | None, wanted: Callable[[float | None, float | None], bool]
) -> list[Difference]:
    """Both lists in one, of those whose ratings are wanted. Raises UsageError for a day without a published list."""
    from arpad.views import ratings

    with office.store.reading():
        before = _places(published(office, day, name).content)
        history = as_of(office.history(office.which(name)), day.toordinal())
        listed = by_person(ratings(history)).columns
        after = {person: (rank, rating) for person, rank, rating in zip(*(listed[each] for each in _PLACE))}
        nowhere = None, None
        rows = [(person, *before.get(person, nowhere), *after.get(person, nowhere)) for person in {**before, **after}]
        rows = [row for row in rows if wanted(row[2], row[4])]
        names = office.names(row[0] for row in rows)
    return [
        Difference(person, names[person], was, now, was_rank, now_rank) for person, was_rank, was, now_rank, now in rows
    ]


def _named(columns: Sequence[str], rows: Sequence[Sequence[Any]], names: Mapping[int, str]) -> Table:
    """Rows with each person's name behind their number."""
    found: dict[str, Any] = {}
    for at, column in enumerate(columns):
        found[column] = [row[at] for row in rows]
        if column == "person":
            found["name"] = [names.get(person) or f"player {person}" for person in found["person"]]
    return Table("ratings", found)
