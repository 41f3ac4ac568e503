"""Why a rating is not what it was: since the list of a day, or since an entry of the log; in numbers that add up.

What was not known then is taken back entry by entry, last first, apart from the office, so that nobody who writes waits
for it; between two of these the list is replayed. So every number is that of a replay, and the parts are exactly the
whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

import msgspec

from arpad.bureau.cards import find
from arpad.bureau.lists import as_of
from arpad.bureau.opened import SILENT, Office, RatingList, replayed
from arpad.bureau.wording import term, words
from arpad.errors import UnknownName, UsageError
from arpad.ledger import chain, facts

if TYPE_CHECKING:
    from arpad.engine import History

#: Entries that are told one by one; older ones are told together.
MOST = 12
#: Entries that can be taken back one by one; at one of another kind the facts of before are made anew instead.
KNOWN = ("games", "acts", "correct", "base", "merge", "split", "accept")
#: Entries without a part in any rating.
ASIDE = (*SILENT, "open")
#: A difference that is none.
SMALL = 1e-9

#: How the answer is put.
PHRASES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "head": "{name} had {was} {since} and has {now} now ({change})",
        "same": "{name} had {was} {since} and has it still",
        "then": "on {day}",
        "entry": "after entry {entry}",
        "unrated": "no rating",
        "games": "{change} by {count} game(s) since",
        "act": "{change} by a dated act of {day} ({kind})",
        "time": "{change} by the rules alone",
        "list": "{change} because that list has been revised: {parts}",
        "told": "{change} by entry {entry} of {day}, {what}{reason}",
        "through": "{change} through opponents, by entry {entry} of {day}, {what}{reason}",
        "more": "{change} by {count} earlier entries",
        "rest": "{change} as the program now reckons",
    },
    "it": {
        "head": "{name} aveva {was} {since} e ora ha {now} ({change})",
        "same": "{name} aveva {was} {since} e lo ha ancora",
        "then": "il {day}",
        "entry": "dopo la registrazione {entry}",
        "unrated": "nessun punteggio",
        "games": "{change} per {count} partite da allora",
        "act": "{change} per un atto del {day} ({kind})",
        "time": "{change} per le sole regole",
        "list": "{change} perché quella lista è stata rivista: {parts}",
        "told": "{change} per la registrazione {entry} del {day}, {what}{reason}",
        "through": "{change} attraverso gli avversari, per la registrazione {entry} del {day}, {what}{reason}",
        "more": "{change} per {count} registrazioni precedenti",
        "rest": "{change} per come il programma calcola ora",
    },
    "es": {
        "head": "{name} tenía {was} {since} y ahora tiene {now} ({change})",
        "same": "{name} tenía {was} {since} y lo conserva",
        "then": "el {day}",
        "entry": "tras el asiento {entry}",
        "unrated": "ninguna puntuación",
        "games": "{change} por {count} partidas desde entonces",
        "act": "{change} por un acto del {day} ({kind})",
        "time": "{change} sólo por las reglas",
        "list": "{change} porque aquella lista se ha revisado: {parts}",
        "told": "{change} por el asiento {entry} del {day}, {what}{reason}",
        "through": "{change} a través de los rivales, por el asiento {entry} del {day}, {what}{reason}",
        "more": "{change} por {count} asientos anteriores",
        "rest": "{change} por cómo calcula ahora el programa",
    },
}


class Part(msgspec.Struct, frozen=True):
    """A part of a change, in points; None where a rating came or went. `kind`: games, act, time (the rules alone),
    entry (`entry` of the log; `own`: of a fact about this person), more (older entries), rest.

    `revision`: it changed what the list of the day would be; else it came after that day."""

    kind: str
    change: float | None
    count: int = 0
    entry: int = 0
    day: date | None = None
    what: str = ""
    reason: str = ""
    own: bool = False
    revision: bool = False


class Why(msgspec.Struct, frozen=True):
    """Why a rating changed. `since` is a day or an entry; the parts add up to `now - was`. Words of the log, in its
    parts, are in `language`, as the sentence is."""

    person: int
    name: str
    list: str
    since: date | int
    was: float | None
    now: float | None
    parts: tuple[Part, ...]
    language: str = "en"

    @property
    def change(self) -> float | None:
        return _less(self.now, self.was)

    def sentence(self) -> str:
        """The answer, in one sentence."""
        text = PHRASES[self.language]
        when = text["entry"].format(entry=self.since) if isinstance(self.since, int) else text["then"]
        held = {
            "name": self.name,
            "was": _rating(self.was, text),
            "now": _rating(self.now, text),
            "since": when.format(day=self.since),
            "change": _points(self.change, text),
        }
        if not self.parts and self.was == self.now:
            return text["same"].format(**held) + "."
        later = [_said(part, text) for part in self.parts if not part.revision]
        revised = [part for part in self.parts if part.revision]
        if revised:
            known = [part.change for part in revised if part.change is not None]
            total = sum(known) if len(known) == len(revised) else None
            said = ", ".join(_said(part, text) for part in revised)
            later.append(text["list"].format(change=_points(total, text), parts=said))
        head = text["head"].format(**held)
        return f"{head}: {'; '.join(later)}." if later else f"{head}."


def why(office: Office, who: str | int, since: date | int, name: str | None = None, language: str = "en") -> Why:
    """Why a person's rating is not what it was on the list of a day (as published, else as revised), or after an entry.

    Raises UnknownName for nobody, or for a language that is not there, UsageError for an entry or list that is not.
    """
    if language not in PHRASES:
        raise UnknownName("language", language, PHRASES)
    with office.store.reading():
        person = find(office, who).id
        which = office.which(name)
        called = office.names([person])[person]
        now = office.history(which)
    parts: list[Part] = []
    if isinstance(since, int):
        if not 0 < since <= office.head:
            raise UsageError(f"there is no entry {since}; the last one is {office.head}")
        was = _taken_back(office, which, person, since, 0, _rated(now, person), parts)
    else:
        day = since.toordinal()
        with office.store.reading():
            row = office.store.row("select content from publication where list = ? and day = ?", (which.id, day))
            looked = now
            if row is None or day not in {look.day for look in now.looked}:
                looked = replayed(office.store, which, office.book(which), [day])
        revised = _rated(as_of(looked, day), person)
        parts += _after(now, person, day, revised)
        was = revised
        if row is not None:
            held = msgspec.json.decode(bytes(row[0]))
            at = [held["columns"].index(each) for each in ("person", "rating_exact")]
            was = next((line[at[1]] for line in held["rows"] if line[at[0]] == person), None)
            found = _taken_back(office, which, person, held["rests"], day, revised, parts)
            if _differs(was, found):
                parts.append(Part("rest", _less(found, was), revision=True))
    told = tuple(_in_words(office, part, language) for part in parts)
    return Why(person, called, which.name, since, was, _rated(now, person), told, language)


def _in_words(office: Office, part: Part, language: str) -> Part:
    """A part with what it says in a language: of an entry its kind and words, of an act its kind."""
    if part.kind == "act":
        return msgspec.structs.replace(part, what=term("act", part.what, language))
    if part.kind != "entry":
        return part
    entry = chain.entry(office.store, part.entry)
    return msgspec.structs.replace(part, what=f"{term('entry', entry.kind, language)}: {words(entry, language)}")


def _after(now: History, person: int, day: int, revised: float | None) -> Iterator[Part]:
    """What came after the list of a day: games, acts, and what the rules did by themselves."""
    from arpad.explain import explain

    held = revised
    games = gained = 0.0
    others: list[Part] = []
    for change in explain(now, str(person)):
        ordinal = change.day.toordinal() if change.day else 0
        if ordinal < day or (ordinal == day and not change.games):
            continue
        points = _less(change.after, change.before)
        held = change.after
        if change.games:
            games += sum(not game.note for game in change.games)
            gained += points or 0.0
        elif points is None:
            others.append(
                Part("act" if change.kind in ("entry", "first") else "time", None, day=change.day, what=change.kind)
            )
        elif points:
            kind = "act" if change.kind in ("entry", "blend", "adjustment", "floor") else "time"
            others.append(Part(kind, points, day=change.day, what=change.kind))
    if games:
        yield Part("games", gained, count=int(games))
    yield from others
    last = _rated(now, person)
    if _differs(held, last):
        yield Part("time", _less(last, held))


def _taken_back(
    office: Office, which: RatingList, person: int, since: int, day: int, now: float | None, parts: list[Part]
) -> float | None:
    """The rating as it was when `since` was the last entry; adds what each later entry changed, newest first.

    `day`: on the list of that day; 0: after everything.
    """
    later = [entry for entry in chain.entries(office.store, since + 1) if entry.kind not in ASIDE]
    opened = next(
        (entry.seq for entry in chain.entries(office.store, 1, ("open",)) if entry.body["list"]["id"] == which.id), 0
    )
    if opened > since:
        raise UsageError(f"list {which.name!r} was opened by entry {opened}: it is not as old as entry {since}")
    held = now
    revision = day > 0
    if not later:
        return held
    with office.store.apart() as store:
        apart = Office(store)
        while later:
            entry = later[-1]
            known = _can_be_taken_back(apart, entry)
            one = len(later) == 1 or (len(parts) < MOST and known)
            if not one or not known:
                was = _as_it_was(apart, which, person, since, day)
                kind = "entry" if one else "more"
                if _differs(was, held):
                    parts.append(_part(apart, entry, person, _less(held, was), revision, kind, len(later)))
                return was
            _undo(apart, entry)
            later.pop()
            then = _held(apart, which)
            was = _at(replayed(store, then, apart.book(then), [day] if day else []), person, day)
            if _differs(was, held):
                parts.append(_part(apart, entry, person, _less(held, was), revision))
            held = was
    return held


def _held(office: Office, which: RatingList) -> RatingList:
    """A list as it is just now, while entries are taken back."""
    return next(each for each in office.lists() if each.id == which.id)


def _at(history: History, person: int, day: int) -> float | None:
    return _rated(as_of(history, day) if day else history, person)


def _can_be_taken_back(office: Office, entry: chain.Entry) -> bool:
    """Whether `_undo` knows how. New people have no part in ratings, nor has what known ones are called; their birth
    dates may."""
    if entry.kind != "people":
        return entry.kind in KNOWN
    told = chain.asides(office.store, entry.seq)
    held: dict[int, int] = dict(office.store.among("select id, entry from person where id in ?", entry.body["people"]))
    return all(held[person] == entry.seq or '"born"' not in told.get(f"p{person}", "") for person in held)


def _undo(office: Office, entry: chain.Entry) -> None:
    """Make the facts what they were before an entry, the last one that is not taken back yet."""
    body: dict[str, Any] = entry.body
    if "changes" in body:
        changes = [[what, number, now, was] for what, number, was, now in reversed(body["changes"])]
    elif entry.kind == "games":
        count = len(body["columns"]["key"])
        changes = [["game", number, {}, {"voided": 1}] for number in range(body["id"], body["id"] + count)]
    elif entry.kind == "acts":
        changes = [["act", act[0], {}, {"voided": 1}] for act in body["acts"]]
    else:
        return
    facts.apply(office.store, entry.seq, "correct", {"changes": changes}, {})


def _as_it_was(office: Office, which: RatingList, person: int, since: int, day: int) -> float | None:
    """The rating from the entries up to `since` alone, whatever came after."""
    from arpad.ledger import schema
    from arpad.ledger.store import open_store

    fresh = open_store(":memory:", create=True)
    try:
        schema.migrate(fresh)
        with fresh.writing():
            for entry in chain.entries(office.store):
                if entry.seq > since:
                    break
                facts.apply(fresh, entry.seq, entry.kind, entry.body, chain.asides(office.store, entry.seq))
        then = _held(Office(fresh), which)
        return _at(replayed(fresh, then, office.book(then), [day] if day else []), person, day)
    finally:
        fresh.close()


def _part(
    office: Office,
    entry: chain.Entry,
    person: int,
    change: float | None,
    revision: bool,
    kind: str = "entry",
    count: int = 0,
) -> Part:
    day = date.fromisoformat(entry.at[:10])
    if kind == "more":
        return Part(kind, change, count=count, revision=revision)
    own = person in _about(office, entry)
    return Part(kind, change, 1, entry.seq, day, reason=entry.reason or "", own=own, revision=revision)


def _about(office: Office, entry: chain.Entry) -> set[int]:
    """The people whose facts an entry is about."""
    body = entry.body
    if entry.kind == "games":
        return {*body["columns"]["first"], *body["columns"]["second"]}
    if entry.kind == "acts":
        return {act[2] for act in body["acts"]}
    if entry.kind == "people":
        return set(body["people"])
    found: set[int] = set()
    for what, number, was, now in body.get("changes", ()):
        for side in ("first", "second", "person"):
            found |= {each[side] for each in (was, now) if side in each}
        if what == "person":
            found |= {number, *(each["merged"] for each in (was, now) if each["merged"])}
        elif what == "game":
            found |= set(office.store.row("select first, second from game where id = ?", (number,)) or ())
        elif what == "event":
            sql = "select first, second from game where event = ?"
            found |= {each for row in office.store.rows(sql, (number,)) for each in row}
        elif what == "act":
            found |= set(office.store.row("select person from act where id = ?", (number,)) or ())
        elif what == "list":
            return {row[0] for row in office.store.rows("select id from person")}
    return found


def _rated(history: History, person: int) -> float | None:
    code = person - 1
    value = float(history.state_of(code)[0]) if code < len(history.players) else float("nan")
    return None if value != value else value


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _differs(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is not other
    return abs(one - other) > SMALL


def _rating(value: float | None, text: Mapping[str, str]) -> str:
    return text["unrated"] if value is None else f"{value:.2f}"


def _points(value: float | None, text: Mapping[str, str]) -> str:
    return "±" if value is None else f"{value:+.2f}"


def _said(part: Part, text: Mapping[str, str]) -> str:
    kind = ("told" if part.own else "through") if part.kind == "entry" else part.kind
    reason = f" (“{part.reason}”)" if part.reason else ""
    return text[kind].format(
        change=_points(part.change, text),
        count=part.count,
        entry=part.entry,
        day=part.day,
        what=part.what,
        kind=part.what,
        reason=reason,
    )
