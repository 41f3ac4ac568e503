"""What the entries say now: each kind of entry brings its tables up to date, in the transaction that writes it.

Nothing else writes these tables, so that they can be made anew from the entries at any time, and `rebuilt` does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from itertools import zip_longest
from typing import Any

import msgspec

from arpad.errors import DataError, LedgerError
from arpad.ledger import packed
from arpad.ledger.chain import Body, asides, entries
from arpad.ledger.spelling import spelling
from arpad.ledger.store import Store
from arpad.model import Problem

Words = Mapping[str, str]

#: Rows that are compared at a time.
PORTION = 1_000
#: Columns of a game's row that a chunk holds, in the order of `packed.GameRow`.
PACKED = ("key", "event", "round", "board", "first", "second", "score", "other", "day", "more", "voided")
#: What a correction may change of each kind of fact.
CHANGEABLE: Mapping[str, tuple[str, ...]] = {
    "game": ("event", "round", "board", "nth", "first", "second", "score", "other", "day", "more", "voided"),
    "event": ("pool", "starts", "ends", "rated"),
    "act": ("person", "day", "rating", "games", "category", "deviation", "voided"),
    "list": ("rules", "settings", "digest", "base"),
    "person": ("merged",),
}
#: Tables that the entries come to, with what orders their rows; the bytes of reports and lists are kept apart.
MADE: Mapping[str, tuple[str, ...]] = {
    "list": ("id",),
    "person": ("id",),
    "name": ("person",),
    "alias": ("person", "name"),
    "spelling": ("folded", "person"),
    "identifier": ("body", "number"),
    "report": ("id",),
    "federation": ("person", "since"),
    "title": ("person", "since"),
    "visibility": ("person", "field"),
    "redaction": ("report",),
    "event": ("id",),
    "game": ("id",),
    "given": ("game",),
    "act": ("id",),
    "pack": ("chunk",),
}


def apply(store: Store, seq: int, kind: str, body: Body, words: Words) -> None:
    """Bring the tables up to date with an entry. Raises LedgerError for a kind that this program does not know."""
    if kind not in KINDS:
        raise LedgerError(f"entry {seq} is a {kind!r}, which this arpad does not know; a newer one wrote it")
    KINDS[kind](store, seq, body, words)


def _open(store: Store, seq: int, body: Body, words: Words) -> None:
    held = body["list"]
    columns = ("id", "name", "rules", "settings", "digest", "pool", "base")
    store.insert("list", (*columns, "revision", "entry"), [(*(held[name] for name in columns), 1, seq)])


def _people(store: Store, seq: int, body: Body, words: Words) -> None:
    """Persons and what is said of them; of a person who is known, what the words name is added or replaced."""
    known = {row[0] for row in store.among("select id from person where id in ?", body["people"])}
    fresh = [person for person in body["people"] if person not in known]
    store.insert("person", ("id", "entry"), [(person, seq) for person in fresh])
    told = [(person, msgspec.json.decode(words[f"p{person}"])) for person in body["people"] if f"p{person}" in words]
    named = {row[0] for row in store.among("select person from name where person in ?", known)}
    names, spelled, identifiers, aliases, federations = [], [], [], [], []
    for person, facts in told:
        if person in named:
            _rename(store, person, facts)
        elif "name" in facts:
            names.append((person, facts["name"], facts.get("born", 0)))
        federations += [(person, since, code) for since, code in _federations(facts)]
        written = [*([facts["name"]] if "name" in facts else []), *facts.get("aliases", ())]
        aliases += [(person, name) for name in facts.get("aliases", ())]
        spelled += [(folded, person) for name in written if (folded := spelling(name))]
        identifiers += [(issuer, number, person) for issuer, number in facts.get("identifiers", {}).items()]
    store.insert("name", ("person", "name", "born"), names)
    store.insert("identifier", ("body", "number", "person"), identifiers)
    titles = [(person, since, title) for person, facts in told for since, title in facts.get("titles", ())]
    for table, rows in (("federation", federations), ("title", titles)):
        for person, since, _ in rows if known else ():
            store.run(f"delete from {table} where person = ? and since = ?", (person, since))
        store.insert(table, ("person", "since", "code"), rows)
    if known:
        held = set(store.among("select folded, person from spelling where person in ?", known))
        spelled = [each for each in spelled if each not in held]
        called = set(store.among("select person, name from alias where person in ?", known))
        aliases = [each for each in aliases if each not in called]
    store.insert("alias", ("person", "name"), list(dict.fromkeys(aliases)))
    store.insert("spelling", ("folded", "person"), list(dict.fromkeys(spelled)))


def _rename(store: Store, person: int, facts: Mapping[str, Any]) -> None:
    for column in ("name", "born"):
        if column in facts:
            store.run(f"update name set {column} = ? where person = ?", (facts[column], person))


def _federations(facts: Mapping[str, Any]) -> list[tuple[int, str]]:
    """(since, code): `federation` is that of as long as is known, `federations` are those from days on."""
    undated = [(0, facts["federation"])] if facts.get("federation") else []
    return [*undated, *((since, code) for since, code in facts.get("federations", ()))]


def _stage(store: Store, seq: int, body: Body, words: Words) -> None:
    number = body["report"]
    row = (number, body["digest"], words.get(f"r{number}", ""), body["size"], "staged", seq)
    store.insert("report", ("id", "digest", "source", "size", "state", "entry"), [row])


def _refuse(store: Store, seq: int, body: Body, words: Words) -> None:
    store.run("update report set state = 'refused' where id = ?", (body["report"],))


def _accept(store: Store, seq: int, body: Body, words: Words) -> None:
    store.run("update report set state = 'accepted' where id = ?", (body["report"],))
    columns = ("id", "key", "starts", "ends", "rated", "loose", "fingerprint")
    rows = [(*event, body["pool"], words.get(f"e{event[0]}", ""), body["report"], 1, seq) for event in body["events"]]
    store.insert("event", (*columns, "pool", "name", "report", "revision", "entry"), rows)


def _games(store: Store, seq: int, body: Body, words: Words) -> None:
    held, start = body["columns"], body["id"]
    more = {int(row): text for row, text in held["more"].items()}
    count = len(held["key"])
    texts = [more.get(row, "") for row in range(count)] if more else [""] * count
    names = ("key", "event", "round", "board", "first", "second", "score", "other", "day")
    rows = list(zip(*(held[name] for name in names), texts, [0] * count))
    numbers = range(start, start + count)
    store.insert(
        "game",
        ("id", *PACKED, "nth", "revision", "entry"),
        ((number, *row, nth, 1, seq) for number, row, nth in zip(numbers, rows, held["nth"])),
    )
    store.insert("given", ("game", "id"), [(start + int(row), text) for row, text in held["given"].items()])
    packed.extend(store, start, rows)


def _acts(store: Store, seq: int, body: Body, words: Words) -> None:
    columns = ("id", "list", "person", "kind", "day", "rating", "games", "category", "deviation")
    store.insert("act", (*columns, "voided", "revision", "entry"), [(*act, 0, 1, seq) for act in body["acts"]])


def _correct(store: Store, seq: int, body: Body, words: Words) -> None:
    games = []
    for what, number, _, now in body["changes"]:
        names = [name for name in CHANGEABLE[what] if name in now]
        said = ", ".join(f"{name} = ?" for name in names)
        values = [*(now[name] for name in names), seq, number]
        store.run(f"update {what} set {said}, revision = revision + 1, entry = ? where id = ?", values)
        if what == "game":
            games.append(number)
    found = store.among(f"select id, {', '.join(PACKED)} from game where id in ?", games)
    packed.patch(store, {row[0]: row[1:] for row in found})


def _visibility(store: Store, seq: int, body: Body, words: Words) -> None:
    for field, level in body["levels"].items():
        store.run("delete from visibility where person = ? and field = ?", (body["person"], field))
        if level:
            store.run("insert into visibility values (?, ?, ?)", (body["person"], field, level))


#: Where words about a person stand.
PERSONAL = ("name", "alias", "spelling", "identifier", "federation", "title", "visibility")


def _erase(store: Store, seq: int, body: Body, words: Words) -> None:
    """No word about these people stays, but the birth that ratings rest on; other words stay as they were redacted."""
    for person in body["people"]:
        for table in PERSONAL:
            store.run(f"delete from {table} where person = ?", (person,))
        if f"p{person}" in words:
            born = msgspec.json.decode(words[f"p{person}"])["born"]
            store.insert("name", ("person", "name", "born"), [(person, "", born)])
    for subject, text in words.items():
        what = subject.partition(":")[2]
        if what.startswith("e"):
            store.run("update event set name = ? where id = ?", (text, int(what[1:])))
        elif what.startswith("r") and what[1:].isdecimal():
            store.run("update report set source = ? where id = ?", (text, int(what[1:])))
    for number, sha256 in body["reports"]:
        store.run("delete from redaction where report = ?", (number,))
        store.run("insert into redaction values (?, ?)", (number, sha256))


def _publish(store: Store, seq: int, body: Body, words: Words) -> None:
    """The bytes of a list come with what is written beside the entry."""


#: What each kind of entry does. A kind that a later version adds comes here.
KINDS: dict[str, Callable[[Store, int, Body, Words], None]] = {
    "open": _open,
    "people": _people,
    "stage": _stage,
    "refuse": _refuse,
    "accept": _accept,
    "games": _games,
    "acts": _acts,
    "correct": _correct,
    "base": _correct,
    "merge": _correct,
    "split": _correct,
    "visibility": _visibility,
    "erase": _erase,
    "publish": _publish,
}


def current(store: Store, what: str, number: int) -> dict[str, Any]:
    """The row of a fact as it is now. Raises DataError if there is none."""
    names = CHANGEABLE[what]
    found = store.row(f"select {', '.join(names)} from {what} where id = ?", (number,))
    if found is None:
        raise DataError([Problem(f"there is no {what} {number}")])
    return dict(zip(names, found))


def day_of(ordinal: int) -> date | None:
    """A day as the ledger counts it (0 = unknown)."""
    return date.fromordinal(ordinal) if ordinal else None


def last_id(store: Store, table: str) -> int:
    return int(store.value(f"select max(id) from {table}") or 0)


def rebuild(store: Store, into: Store) -> None:
    """All tables anew, in an empty office, from the entries of this one."""
    with into.writing():
        for entry in entries(store):
            apply(into, entry.seq, entry.kind, entry.body, asides(store, entry.seq))


def differences(store: Store, other: Store, most: int = 10) -> list[str]:
    """Where the tables of two offices differ, in words; the first few of each table."""
    found = []
    for table, keys in MADE.items():
        names = _columns(store, table)
        sql = f"select {', '.join(names)} from {table} order by {', '.join(keys)}"
        told = 0
        for one, two in zip(store.portions(sql, PORTION), other.portions(sql, PORTION)):
            if told >= most or (not one and not two):
                break
            for row, same in zip_longest(one, two) if one != two else ():
                if row != same and told < most:
                    found.append(f"{table} {(row or same)[0]} is not what the entries say")
                    told += 1
    return found


def _columns(store: Store, table: str) -> Sequence[str]:
    """What the entries say of a table: all its columns, but for the bytes of reports."""
    names = [each[0] for each in store.run(f"select * from {table} limit 0").description if each[0] != "content"]
    return [*(key for key in MADE[table]), *(name for name in names if name not in MADE[table])]
