"""What an office shows: a person's card, an event, the log. Ratings and changes are those of the replay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

import msgspec

from arpad.bureau.lists import printed_on
from arpad.bureau.matching import Known, known
from arpad.bureau.opened import LEVELS, Office, RatingList
from arpad.bureau.people import federations, members
from arpad.bureau.wording import words
from arpad.bureau.written import Told, write_down
from arpad.columns import is_numpy
from arpad.errors import UnknownName, UsageError
from arpad.ledger import chain
from arpad.ledger.spelling import spelling
from arpad.ledger.store import Row
from arpad.model import Column

if TYPE_CHECKING:
    from arpad.engine import History


class GameLine(msgspec.Struct, frozen=True, gc=False):
    """One game as its player sees it. Where a batch settles several, `after` is the batch's and `change` the game's
    part before rounding; None where the game was not rated."""

    game: int
    date: date | None
    event: int
    event_name: str
    round: int
    opponent: int
    opponent_name: str
    score: float
    expected: float | None
    before: float | None
    opponent_before: float | None
    after: float | None
    change: float | None
    k: float | None


class Voided(msgspec.Struct, frozen=True):
    """A game that does not count, with the entry that says so."""

    game: int
    first: int
    second: int
    event: int
    score: float | None
    entry: int
    at: str
    actor: str
    reason: str | None


class OnList(msgspec.Struct, frozen=True):
    """A person on one list: exact values now, `published` the last printed rating and its day."""

    list: str
    rating: float | None
    games: int
    peak: float | None
    published: float | None
    published_on: date | None
    lines: tuple[GameLine, ...]


class Card(msgspec.Struct, frozen=True):
    """A person's card, as far as it is for the office's audience. `voided` are games of theirs that do not count.

    `born` is a year, never a day; `federations` are (since, code), the first of which is as old as is known (None).
    """

    person: int
    name: str
    aliases: tuple[str, ...]
    identifiers: Mapping[str, str]
    lists: tuple[OnList, ...]
    voided: tuple[Voided, ...]
    born: int | None = None
    federations: tuple[tuple[date | None, str], ...] = ()
    further: tuple[str, ...] = ()
    merged: tuple[int, ...] = ()


class EventLine(msgspec.Struct, frozen=True):
    """One game of an event, with what it did on the list shown."""

    game: int
    date: date | None
    round: int
    board: int
    first: int
    first_name: str
    second: int
    second_name: str
    score: float | None
    other: float | None
    first_change: float | None
    second_change: float | None


class EventPage(msgspec.Struct, frozen=True):
    """An event with its games. `report` is the report it came with; its bytes had the digest."""

    event: int
    name: str
    start: date | None
    end: date | None
    pool: str
    report: int
    digest: str
    revision: int
    lines: tuple[EventLine, ...]
    voided: tuple[Voided, ...]


class LogLine(msgspec.Struct, frozen=True):
    """An entry of the log in words. `reason` is None where it was erased."""

    seq: int
    at: str
    actor: str
    kind: str
    what: str
    reason: str | None


def warm(office: Office) -> None:
    """Do beforehand what the first card or event would wait for: every list replayed and written down, what its last
    publication printed, what everybody is called. For whoever keeps an office open, after opening it and after each
    change; an office that is warm is left as it is."""
    with office.store.reading():
        for which in office.lists():
            history = office.history(which)
            written_down(office, which, history)
            for look in history.looked[-1:]:
                printed_on(office, which, look.day)
        office.keep_words()


def player(office: Office, who: str | int) -> Card:
    """The card of a person: by number, by an identifier (`fide:10023`), or by a name that only one person has.

    Raises UnknownName for nobody, UsageError for a name that several have.
    """
    with office.store.reading():
        found = find(office, who)
        shown = {field for field in LEVELS if found.id not in office.unseen(field, [found.id])}
        name = office.names([found.id])[found.id]
        aliases = tuple(each for each in found.names if each != name and shown >= {"name", "aliases"})
        people = members(office, found.id)
        lists = tuple(_on_list(office, which, found.id) for which in office.lists())
        return Card(
            found.id,
            name,
            aliases,
            found.identifiers if "identifiers" in shown else {},
            lists,
            tuple(voided_of(office, people)),
            found.born.year if found.born and "born" in shown else None,
            federations(office, found.id) if "federation" in shown else (),
            found.further if "identifiers" in shown else (),
            tuple(people[1:]),
        )


def find(office: Office, who: str | int) -> Known:
    """A person by number, identifier or name; of merged ones, who it is now."""
    person = number_of(office, who)
    return known(office, [person])[person]


def number_of(office: Office, who: str | int) -> int:
    """The number of the same person, without what is known of them."""
    text = str(who).strip()
    body, colon, number = text.partition(":")
    if colon:
        joined = "identifier join person on person.id = identifier.person"
        sql = f"select coalesce(merged, id) from {joined} where body = ? and number = ?"
        person = office.store.value(sql, (body.strip(), number.strip()))
        person = None if office.unseen("identifiers", [person or 0]) else person
    elif text.isdecimal() and len(text) < 10:
        person = office.store.value("select coalesce(merged, id) from person where id = ?", (int(text),))
    else:
        person = _called(office, text)
    if not person:
        raise UnknownName("player", text, _near(office, text))
    return int(person)


def _called(office: Office, name: str) -> int | None:
    sql = (
        "select coalesce(merged, id), folded from spelling join person on person.id = spelling.person where folded = ?"
    )
    persons = sorted(_known_by(office, office.store.rows(sql, (spelling(name),))))
    if len(persons) > 1:
        who = "; ".join(each.words() for each in known(office, persons[:10]).values())
        raise UsageError(f"{len(persons)} people are called {name!r}: {who}. Name one by number")
    return persons[0] if persons else None


def _near(office: Office, name: str) -> list[str]:
    """Names that have one of these words, and then those that begin alike."""
    folded = spelling(name)
    sql = "select coalesce(merged, id), folded from spelling join person on person.id = spelling.person where"
    found: list[Row] = []
    for word in folded.split()[:4]:
        found += office.store.rows(f"{sql} ' ' || folded || ' ' like ? order by id limit 25", (f"% {word} %",))
    low = folded[:3]
    found += office.store.rows(f"{sql} folded >= ? and folded < ? order by id limit 50", (low, low + "\U0010ffff"))
    return list(dict.fromkeys(_known_by(office, found).values()))


def _known_by(office: Office, spelled: Sequence[Row]) -> dict[int, str]:
    """Of people and how they are spelled, those whom the audience may know by it, with what they are called: where
    aliases are not for it, nobody is found by one."""
    names = office.names(person for person, _ in spelled)
    private = office.unseen("aliases", names)
    return {each: names[each] for each, folded in spelled if each not in private or spelling(names[each]) == folded}


def _on_list(office: Office, which: RatingList, person: int) -> OnList:
    history = office.history(which)
    code = person - 1
    state = [float(value) for value in history.state_of(code)]
    days = [look.day for look in history.looked]
    printed, day = None, None
    if days:
        day = days[-1]
        printed = printed_on(office, which, day).get(person)
    lines = tuple(_lines(office, history, written_down(office, which, history), code))
    published_on = date.fromordinal(day) if day else None
    peak = _known(state[2]) if _known(state[0]) is not None else None
    return OnList(which.name, _known(state[0]), int(state[1]), peak, printed, published_on, lines)


def written_down(office: Office, which: RatingList, history: History) -> Told:
    """A list's history game by game; made once."""
    held = office.told.get(which.id)
    if held is None or held[0] is not history:
        held = office.told[which.id] = history, write_down(history)
    told: Told = held[1]
    return told


def _lines(office: Office, history: History, told: Told, code: int) -> Iterator[GameLine]:
    games, recording = history.games, history.recording
    places = told.of(code)
    rows = [at >> 1 for at in places]
    opponents = [
        1 + (second, first)[at & 1]
        for at, first, second in zip(places, taken(games.first, rows), taken(games.second, rows))
    ]
    names = office.names(opponents)
    ids, codes = taken(games.line, rows), taken(games.event, rows, -1)
    alone = [game for game, code in zip(ids, codes) if code < 0]  # games that are no event to the rules
    events: dict[int, int] = dict(office.store.among("select id, event from game where id in ?", alone))
    events |= {game: code + 1 for game, code in zip(ids, codes) if code >= 0}
    titles = office.titles(set(events.values()))
    both = zip(taken(recording.expects, rows), taken(recording.expects_second, rows))
    columns = zip(
        ids,
        taken(games.date, rows),
        taken(games.round, rows),
        opponents,
        [games.scores[score][at & 1] for at, score in zip(places, taken(games.score, rows))],
        [pair[at & 1] for at, pair in zip(places, both)],
        taken(told.before, places),
        taken(recording.before, [at ^ 1 for at in places]),
        taken(told.after, places),
        changes(history, told, places),
        taken(told.k, places),
    )
    for game, day, turn, opponent, score, expected, before, other, after, change, k in columns:
        when, number = date.fromordinal(day) if day else None, events[game]
        found = _known(expected), _known(before), _known(other), _known(after), change, _known(k)
        yield GameLine(game, when, number, titles[number], turn, opponent, names[opponent], score, *found)


def taken(column: Column | None, rows: Sequence[int], blank: int = 0) -> list[Any]:
    """Values of a column at these rows; of one that is not there, the blank."""
    if column is None:
        return [blank] * len(rows)
    if is_numpy(column):
        values: list[Any] = column[rows].tolist() if rows else []
        return values
    return [column[row] for row in rows]


def changes(history: History, told: Told, places: Sequence[int]) -> list[float | None]:
    """What games brought one side each: as settled, or their parts of a batch."""
    columns = (history.recording.gains, told.before, told.after, told.k)
    batches = bool(history.arrangement.batches)
    return [
        None if gain != gain else _known(k * gain if batches else after - before)
        for gain, before, after, k in zip(*(taken(column, places) for column in columns))
    ]


def event(office: Office, number: int, name: str | None = None) -> EventPage:
    """An event by its number, which it keeps whatever is corrected, with what its games did on a list."""
    with office.store.reading():
        columns = "name, starts, ends, pool, report, revision"
        found = office.store.row(f"select {columns} from event where id = ?", (number,))
        if found is None:
            raise UnknownName("event", str(number), [])
        title, starts, ends, pool, report, revision = found
        digest = office.store.value("select digest from report where id = ?", (report,))
        lines = tuple(_event_lines(office, number, list_of(office, pool, name)))
        days = [date.fromordinal(day) if day else None for day in (starts, ends)]
        voided = event_voided(office, number)
        return EventPage(number, title, days[0], days[1], pool, report, digest, revision, lines, voided)


def event_voided(office: Office, number: int) -> tuple[Voided, ...]:
    """The games of an event that do not count."""
    return tuple(_voided(office, "event = ?", number))


def list_of(office: Office, pool: str, name: str | None) -> RatingList | None:
    """The list on which an event of a pool is shown: the one named, else the first one of its pool."""
    if name is not None:
        return office.which(name)
    return next((each for each in office.lists() if each.pool == pool), None)


def _event_lines(office: Office, number: int, which: RatingList | None) -> Iterator[EventLine]:
    columns = "id, day, round, board, first, second, score, other"
    found = office.store.rows(
        f"select {columns} from game where voided = 0 and event = ? order by round, board, id", (number,)
    )
    merged: dict[int, int] = dict(
        office.store.among("select id, merged from person where merged is not null and id in ?", _both(found))
    )
    found = [(*row[:4], *(merged.get(person, person) for person in row[4:6]), *row[6:]) for row in found]
    names = office.names(_both(found))
    made: dict[int, tuple[float | None, float | None]] = {}
    if which is not None:
        history = office.history(which)
        told = written_down(office, which, history)
        for row in rows_of(history, [row[0] for row in found]):
            game = int(history.games.line[row])  # type: ignore[index]
            mine, theirs = changes(history, told, [2 * row, 2 * row + 1])
            made[game] = mine, theirs
    for game, day, place, board, first, second, score, other in found:
        mine, theirs = made.get(game, (None, None))
        when = date.fromordinal(day) if day else None
        yield EventLine(
            game, when, place, board, first, names[first], second, names[second], score, other, mine, theirs
        )


def _both(rows: Sequence[Sequence[Any]]) -> set[int]:
    return {person for row in rows for person in row[4:6]}


def rows_of(history: History, games: Sequence[int]) -> list[int]:
    """Where games stand in a history, by their ids."""
    line: Any = history.games.line
    if is_numpy(line):
        import numpy as np

        return [int(row) for row in np.flatnonzero(np.isin(line, games))]
    wanted = set(games)
    return [row for row, game in enumerate(line) if game in wanted]


def voided_of(office: Office, people: Sequence[int]) -> Iterator[Voided]:
    """Games of a person, by all their numbers, that do not count."""
    marks = ", ".join("?" * len(people))
    return _voided(office, f"first in ({marks}) or second in ({marks})", *people, *people)


def _voided(office: Office, condition: str, *values: int) -> Iterator[Voided]:
    sql = f"select id, first, second, event, score, entry from game where voided = 1 and ({condition}) order by id"
    for game, first, second, number, score, seq in office.store.rows(sql, values):
        entry = chain.entry(office.store, seq)
        yield Voided(game, first, second, number, score, seq, entry.at, entry.actor, entry.reason)


def log(office: Office, first: int = 1, last: int | None = None, language: str = "en") -> list[LogLine]:
    """The entries of an office, oldest first, in words of a language. Raises UnknownName for one that is not there."""
    with office.store.reading():
        found = chain.entries(office.store, first)
        return [
            LogLine(entry.seq, entry.at, entry.actor, entry.kind, words(entry, language), entry.reason)
            for entry in found
            if last is None or entry.seq <= last
        ]


def _known(value: Any) -> float | None:
    return None if value != value else float(value)
