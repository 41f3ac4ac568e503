"""Bundles: a whole office in one file of open formats, which anybody replays to the same lists, byte for byte.

    export(office, "federation.zip")                     # with names and reports; or public=True, without any word
    check("federation.zip")                              # every published list replayed from the facts of its day
    again = import_bundle("federation.zip", "mine.db")

A bundle is a ZIP of JSON Lines: `entries.jsonl` (the chain as it is), `words.jsonl` (what the entries seal), reports as
they came, published lists, and the rulebooks that the lists pinned. A public one has no words and no reports; what
rules ask of ages is in `births.jsonl`, as years where those give the same digits.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from importlib.metadata import version
from typing import Any

import msgspec

from arpad.bureau.lists import as_of, frozen
from arpad.bureau.opened import Office, RatingList, replayed
from arpad.bureau.packing import COLUMNS, FORMAT, Bundle, Line, Page, Said, packed, read
from arpad.bureau.pinning import COLUMNS as OF_RULEBOOK
from arpad.bureau.pinning import texts
from arpad.errors import ArpadError, LedgerError, UsageError
from arpad.ledger import chain, schema
from arpad.ledger.facts import apply
from arpad.ledger.store import Store, open_store


class Replayed(msgspec.Struct, frozen=True):
    """A published list replayed: `same` says that its bytes are those that were published; else why not."""

    list: str
    day: date
    sha256: str
    same: bool
    why: str = ""


def export(office: Office, target: str, *, public: bool = False) -> Page:
    """Write an office as a bundle. Raises UsageError for a file that is there, LedgerError where a public bundle would
    not come to the same lists."""
    if os.path.exists(target):
        raise UsageError(f"{target} is there already; a bundle is not written over it")
    with office.store.reading():
        parts = dict(_parts(office, public))
        bundle = _bundle(office, parts, public)
        if public and (apart := [each for each in replay_all(bundle) if not each.same]):
            parts["births.jsonl"] = _births(office, whole=True)
            bundle = _bundle(office, parts, public)
            if apart := [each for each in replay_all(bundle) if not each.same]:
                why = "; ".join(f"{each.list} of {each.day}: {each.why}" for each in apart[:5])
                raise LedgerError(f"a public bundle would not come to the lists that were published: {why}")
    beside = f"{target}.part"
    try:
        with open(beside, "wb") as file:
            file.write(packed(bundle))
        os.replace(beside, target)
    except OSError as error:
        raise UsageError(f"cannot write {target}: {error.strerror}") from None
    finally:
        if os.path.exists(beside):
            os.unlink(beside)
    return bundle.page


def _bundle(office: Office, parts: Mapping[str, bytes], public: bool) -> Bundle:
    seq, last = chain.head(office.store)
    sql = "select list, day, sha256, entry from publication order by entry"
    files = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(parts.items())}
    published = tuple(Said(*row) for row in office.store.rows(sql))
    return Bundle(Page(FORMAT, f"arpad {version('arpad')}", public, seq, last, published, files), parts)


def _parts(office: Office, public: bool) -> Iterator[tuple[str, bytes]]:
    store = office.store
    entries = (store.row(f"select {', '.join(COLUMNS)} from entry where seq = ?", (seq,)) for seq in _seqs(store))
    yield "entries.jsonl", _jsonl(entries)
    if public:
        yield "births.jsonl", _births(office, whole=False)
    else:
        sql = "select entry, subject, salt, words from aside order by entry, subject"
        yield "words.jsonl", _jsonl(store.rows(sql))
        for (number,) in store.rows("select id from report where content is not null order by id"):
            yield f"reports/{number}", bytes(store.value("select content from report where id = ?", (number,)))
    for which, day in store.rows("select list, day from publication order by list, day"):
        sql = "select content from publication where list = ? and day = ?"
        yield f"lists/{which}-{date.fromordinal(day)}.json", bytes(store.value(sql, (which, day)))
    yield from _rules(office)


def _seqs(store: Store) -> list[int]:
    return [row[0] for row in store.rows("select seq from entry order by seq")]


def _births(office: Office, whole: bool) -> bytes:
    """Birth dates by person: the years alone, or whole where ratings rest on them."""
    found = office.store.rows("select person, born from name where born > 0 order by person")
    return _jsonl((person, born if whole else born // 10000 * 10000) for person, born in found)


def _rules(office: Office) -> Iterator[tuple[str, bytes]]:
    """The rulebooks of the lists, and those that lists had before, as far as they are there."""
    for digest, which in rulebooks_of(office.store).items():
        kept = office.store.row("select file, content from rulebook where digest = ?", (digest,))
        if kept is not None:
            yield f"rules/{digest}/{kept[0]}.json", bytes(kept[1])
            continue
        try:
            book = office.book(which)
        except ArpadError:
            continue  # the replay of what was published by it will say so
        yield f"rules/{digest}/{book.path.name}.json", texts(book)


def rulebooks_of(store: Store) -> dict[str, RatingList]:
    """Every rulebook that a list has or had, by its digest."""
    lists: dict[int, RatingList] = {}
    found: dict[str, RatingList] = {}
    for entry in chain.entries(store, kinds=("open", "correct")):
        if entry.kind == "open":
            held = entry.body["list"]
            held = {**held, "settings": msgspec.json.decode(held["settings"])}
            lists[held["id"]] = RatingList(**{name: held[name] for name in RatingList.__struct_fields__})
            found.setdefault(held["digest"], lists[held["id"]])
        for what, number, _, now in entry.body.get("changes", ()):
            if what == "list":
                now = {name: value for name, value in now.items() if name in RatingList.__struct_fields__}
                if "settings" in now:
                    now["settings"] = msgspec.json.decode(now["settings"])
                lists[number] = msgspec.structs.replace(lists[number], **now)
                found.setdefault(lists[number].digest, lists[number])
    return found


def _jsonl(rows: Iterator[Any] | Sequence[Any]) -> bytes:
    encoder = msgspec.json.Encoder()
    return b"".join(encoder.encode(row) + b"\n" for row in rows)


def check(source: str) -> list[Replayed]:
    """Every published list of a bundle, replayed from the facts as they were when it was published."""
    return list(replay_all(read(source)))


def import_bundle(source: str, place: str) -> Office:
    """An office from a bundle, at a path or postgresql:// URL where there is none, with its chain as it is.

    Raises LedgerError if the bundle does not hold together; then nothing is left there.
    """
    from arpad.ledger.store import is_url

    bundle = read(source)
    store = open_store(place, create=True)
    ours = False
    try:
        with store.writing():  # all of it or nothing: who is killed here can begin again
            if not schema.vacant(store):
                raise UsageError(f"{store.place} is there already; an office is not written over it")
            ours = True
            schema.migrate(store)
            for line in bundle.lines():
                _enter(store, bundle, line)
                if line.kind == "publish":
                    _keep(store, bundle, line)
            _beside(store, bundle)
            if faults := [*chain.faults(store)]:
                raise LedgerError(f"{source} does not hold together: {'; '.join(faults[:5])}")
            if chain.head(store) != (bundle.page.head, bundle.page.hash):
                raise LedgerError(f"{source} does not end where it says")
            if bundle.page.public:
                _enter_births(store, bundle)
    except BaseException as error:
        store.close()
        if ours and not is_url(place):
            for left in (place, f"{place}-wal", f"{place}-shm"):
                if os.path.exists(left):
                    os.unlink(left)
        if isinstance(error, (KeyError, TypeError, ValueError, msgspec.MsgspecError)):
            raise LedgerError(f"the entries of {source} cannot be carried out: {error}") from None
        raise
    return Office(store)


def _enter(store: Store, bundle: Bundle, line: Line) -> None:
    """An entry of a bundle, with its words, carried out."""
    store.insert("entry", COLUMNS, [[getattr(line, name) for name in COLUMNS]])
    rows = [(each.entry, each.subject, each.salt, each.words) for each in bundle.words.get(line.seq, [])]
    store.insert("aside", ("entry", "subject", "salt", "words"), rows)
    apply(store, line.seq, line.kind, msgspec.json.decode(line.body), _said(bundle, line.seq))


def _said(bundle: Bundle, seq: int) -> dict[str, str]:
    """What an entry sealed, as `chain.asides` tells it: redacted words come from the entry that redacted them."""
    found = {each.subject: each.words for each in bundle.words.get(seq, [])}
    found |= _redacted(bundle).get(seq, {})
    found.pop("reason", None)
    return found


def _redacted(bundle: Bundle) -> dict[int, dict[str, str]]:
    held = bundle.__dict__.get("redacted")
    if held is None:
        held = bundle.__dict__["redacted"] = {}
        for each in (each for words in bundle.words.values() for each in words if ":" in each.subject):
            seq, _, subject = each.subject.partition(":")
            held.setdefault(int(seq), {})[subject] = each.words
    return held


def _keep(store: Store, bundle: Bundle, line: Line) -> None:
    body = msgspec.json.decode(line.body)
    content = bundle.parts[f"lists/{body['list']}-{date.fromordinal(body['day'])}.json"]
    if hashlib.sha256(content).hexdigest() != body["sha256"]:
        raise LedgerError(f"the published list {body['list']} of day {body['day']} is not what was published")
    columns = ("list", "day", "content", "sha256", "entry")
    store.insert("publication", columns, [(body["list"], body["day"], content, body["sha256"], line.seq)])


def _beside(store: Store, bundle: Bundle) -> None:
    """Reports and rulebooks."""
    for name, content in bundle.parts.items():
        if name.startswith("reports/"):
            store.run("update report set content = ? where id = ?", (content, int(name.removeprefix("reports/"))))
    store.insert("rulebook", OF_RULEBOOK, bundle.books())


def _enter_births(store: Store, bundle: Bundle) -> None:
    """What a public bundle tells of births, as an entry of whoever took it in: the chain before it has no words."""
    people = [person for person in bundle.births if bundle.births[person]]
    if people:
        words = {f"p{person}": chain.canonical({"name": "", "born": bundle.births[person]}) for person in people}
        chain.append(store, "import", "people", {"people": people}, "births as the bundle tells them", words)


def replay_all(bundle: Bundle) -> Iterator[Replayed]:
    """Carry out the entries one by one, and replay each list at the entry that published it."""
    store = open_store(":memory:", create=True)
    office = Office(store)
    try:
        schema.migrate(store)
        with store.writing():
            store.insert("rulebook", OF_RULEBOOK, bundle.books())
            for line in bundle.lines():
                if line.kind == "publish":
                    yield _again(office, msgspec.json.decode(line.body))
                _enter(store, bundle, line)
                if line.kind == "people":
                    _births_of(store, bundle, msgspec.json.decode(line.body)["people"])
    finally:
        office.close()


def _births_of(store: Store, bundle: Bundle, people: Sequence[int]) -> None:
    """Births of people whose words are not in the bundle: as it tells them beside, or as an erasure left them."""
    known = {row[0] for row in store.among("select person from name where person in ?", people)}
    rows = [(each, "", bundle.births[each]) for each in people if each not in known and each in bundle.births]
    store.insert("name", ("person", "name", "born"), rows)


def _again(office: Office, body: Mapping[str, Any]) -> Replayed:
    which = next(each for each in office.lists() if each.id == body["list"])
    day = date.fromordinal(body["day"])
    try:
        history = replayed(office.store, which, office.book(which), [body["day"]])
        content = frozen(which, as_of(history, body["day"]), day, body["rests"])
    except ArpadError as error:
        return Replayed(which.name, day, body["sha256"], False, str(error))
    same = hashlib.sha256(content).hexdigest() == body["sha256"]
    return Replayed(which.name, day, body["sha256"], same, "" if same else "the replay comes to other bytes")
