"""Keeping an office: verify that it holds together, back it up while it runs, restore it anywhere.

A backup is an office file, whatever database the office is on: SQLite copies itself; of PostgreSQL the entries, the
words beside them and the kept bytes are copied, and the tables made anew from them.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from arpad.bureau.bundles import rulebooks_of
from arpad.bureau.erasing import clean, erase
from arpad.bureau.lists import digest_of, standing, stored
from arpad.bureau.opened import Office, RatingList, open_office, publication_days, replayed
from arpad.bureau.pinning import pinned
from arpad.errors import ArpadError, LedgerError, UsageError
from arpad.ledger import chain, schema
from arpad.ledger.facts import apply, differences, rebuild
from arpad.ledger.store import SQLite, Store, is_url, open_store

if TYPE_CHECKING:
    from arpad.engine import History, Progress

#: Pages of a file that are copied at a time: 40 MB, arpad's own number.
PAGES = 10_000
#: What each check reads, in words.
CHECKS = {
    "_database": "the database",
    "_schema": "the database's schema",
    "_chain": "the chain",
    "_tables": "the tables",
    "_kept": "the kept bytes",
    "_rulebooks": "the kept rulebooks",
    "_states": "the stored states",
    "_replays": "the facts of a list",
}


def verify(office: Office, begins: Callable[[str, int, int], None] | None = None) -> list[str]:
    """Everything that is wrong with an office, in words; empty if nothing is. `begins` is told what is read next, which
    one that is, and of how many.

    The database's own check, the chain, every table made anew from the entries, the bytes that were kept, and the
    replay against the stored states.
    """
    found: list[str] = []
    with office.store.reading():
        checks = (_database, _schema, _chain, _tables, _kept, _rulebooks, _states, _replays)
        for number, check in enumerate(checks, 1):
            if begins is not None:
                begins(CHECKS[check.__name__], number, len(checks))
            try:
                found += check(office)
            except Exception as error:  # so damaged that it cannot even be read; every way to be so is a fault
                found.append(str(error) if isinstance(error, ArpadError) else _unreadable(check.__name__, error))
    return found


def _unreadable(check: str, error: Exception) -> str:
    return f"{CHECKS[check]} cannot be read: {type(error).__name__}: {error}"


def _schema(office: Office) -> Iterator[str]:
    """Tables, indices and triggers that are not as this version makes them; only a SQLite file says what it has."""
    if not isinstance(office.store, SQLite):
        return
    fresh = open_store(":memory:", create=True)
    try:
        schema.migrate(fresh)
        sql = "select type, name, coalesce(sql, '') from sqlite_master where name not like 'sqlite_%'"
        made, held = ({tuple(row) for row in store.rows(sql)} for store in (fresh, office.store))
    finally:
        fresh.close()
    known = {row[1] for row in made}
    for kind, name, _ in sorted(made - held):
        yield f"the {kind} {name} is not as this arpad makes it"
    for kind, name, _ in sorted(held - made):
        if kind == "trigger" and name not in known:
            yield f"the trigger {name} is none of an office's"


def _chain(office: Office) -> Iterator[str]:
    return chain.faults(office.store)


def _database(office: Office) -> Iterator[str]:
    store = office.store
    if isinstance(store, SQLite):
        for (found,) in store.rows("pragma integrity_check"):
            if found != "ok":
                yield f"the database file: {found}"
        for row in store.rows("pragma foreign_key_check"):
            yield f"{row[0]} row {row[1]} refers to a {row[2]} that is not there"
    for side in ("first", "second"):
        sql = f"select count(*) from game left join person on person.id = game.{side} where person.id is null"
        if lost := store.value(sql):
            yield f"{lost} game(s) of people who are not there"
    if lost := store.value("select count(*) from game left join event on event.id = game.event where event.id is null"):
        yield f"{lost} game(s) of events that are not there"


def _tables(office: Office) -> Iterator[str]:
    fresh = open_store(":memory:", create=True)
    try:
        schema.migrate(fresh)
        rebuild(office.store, fresh)
        yield from differences(office.store, fresh)
    except (ArpadError, KeyError, ValueError) as error:
        yield f"the entries cannot be carried out: {error}"
    finally:
        fresh.close()


def _kept(office: Office) -> Iterator[str]:
    store = office.store
    redacted: dict[int, str] = dict(store.rows("select report, sha256 from redaction"))
    # A public copy has no reports, nor the words that came with them.
    lost = (
        "select id, state from report where content is null and id not in (select report from redaction) "
        "and 'r' || id in (select subject from aside) order by id"
    )
    for number, state in store.rows(lost):
        yield f"the bytes of report {number} ({state}) are missing"
    for (
        number,
        digest,
    ) in store.rows("select id, digest from report order by id"):
        content = store.value("select content from report where id = ?", (number,))
        if content is not None and hashlib.sha256(bytes(content)).hexdigest() != redacted.get(number, digest):
            left = "what was left of it" if number in redacted else "what was handed in"
            yield f"report {number} is not {left}"
    said = {entry.seq: entry.body for entry in chain.entries(store, kinds=("publish",))}
    for which, day, sha256, seq in store.rows("select list, day, sha256, entry from publication order by list, day"):
        content = store.value("select content from publication where list = ? and day = ?", (which, day))
        body = said.pop(seq, {})
        of = body.get("list"), body.get("day"), body.get("sha256")
        if of != (which, day, sha256) or hashlib.sha256(bytes(content)).hexdigest() != sha256:
            yield f"the published list {which} of day {day} is not what was published"
    for seq in said:
        yield f"the list that entry {seq} published is missing"


def _rulebooks(office: Office) -> Iterator[str]:
    """Kept texts that are not what an entry says, do not have the digest that they are kept by, or are no list's."""
    lists, said = rulebooks_of(office.store), _texts_said(office.store)
    held: dict[str, bytes] = dict(office.store.rows("select digest, content from rulebook order by digest"))
    for digest in sorted({*held, *said}):
        text = hashlib.sha256(bytes(held[digest])).hexdigest() if digest in held else None
        if text is None:
            yield f"the text of the rulebook {digest[:12]} is missing"
        elif said.get(digest, text) != text:
            yield f"the text of the rulebook {digest[:12]} is not what was kept"
        elif digest not in lists or pinned(office.store, lists[digest]) is None:
            yield f"the text that is kept of the rulebook {digest[:12]} does not have its digest"


def _texts_said(store: Store) -> dict[str, str]:
    """The SHA-256 of the text of each rulebook that an entry kept, by its digest."""
    found = {}
    for entry in chain.entries(store, kinds=("open", "correct")):
        if text := entry.body.get("text"):
            now = entry.body["list"] if entry.kind == "open" else entry.body["changes"][0][3]
            found[now["digest"]] = text
    return found


def _states(office: Office) -> Iterator[str]:
    """Stored states that are not what was stored, whether or not they are of today."""
    for which in office.lists():
        held = stored(office, which)
        if held is None:
            continue
        whole = len(held.state) == len(held.persons) * len(held.fields) and digest_of(held.persons, held.state)
        if whole != held.sha256 or not isinstance(held.seq, int) or not 0 < held.seq <= office.head:
            yield f"the stored states of list {which.name!r} are not what was stored"


def _replays(office: Office) -> Iterator[str]:
    for which in office.lists():
        held = stored(office, which)
        if held is None or chain_moved(office, held.seq):
            continue
        try:
            found = standing(held.seq, _replayed_then(office, which, held.seq))
        except ArpadError as error:
            yield str(error)
            continue
        if (found.sha256, found.fields, found.rules) != (held.sha256, held.fields, held.rules):
            yield f"the stored states of list {which.name!r} are not what a replay gives"


def _replayed_then(office: Office, which: RatingList, seq: int) -> History:
    """A replay of the facts as they are, looked at on the days that were published up to an entry: a later list can
    take in a revaluation of everybody after which nothing has happened yet."""
    now = publication_days(office.store, which.id)
    then = publication_days(office.store, which.id, seq)
    if then == now:
        return office.history(which)
    return replayed(office.store, which, office.book(which), [day for day in then if day >= which.base])


def chain_moved(office: Office, seq: int) -> bool:
    """Whether an entry after this one changed a rating: then the stored states are old, and not wrong."""
    from arpad.bureau.opened import SILENT

    marks = ", ".join("?" * len(SILENT))
    return bool(
        office.store.value(f"select count(*) from entry where seq > ? and kind not in ({marks})", (seq, *SILENT))
    )


def backup(office: Office, target: str, progress: Progress | None = None) -> None:
    """A whole office in one file, consistent although others go on writing. `progress` is told how much is copied, of
    how much: pages of a file, entries of a server. Raises UsageError for one that is there."""
    with _beside(target) as file:
        _copied(office, file, progress)


@contextmanager
def _beside(target: str) -> Iterator[str]:
    """A file to make that takes its name when all is done: whoever is killed leaves nothing under it."""
    if os.path.exists(target):
        raise UsageError(f"{target} is there already; a backup is not written over it")
    beside = f"{target}.part"
    try:
        _remove(beside)  # what one left that was killed
        yield beside
        os.replace(beside, target)
        _settle(os.path.dirname(os.path.abspath(target)))
    except sqlite3.Error as error:
        raise LedgerError(f"{target}: {error}") from None
    except OSError as error:
        raise LedgerError(f"{target}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            _remove(beside)


def _copied(office: Office, file: str, progress: Progress | None = None) -> None:
    told = progress or (lambda done, total: None)
    if isinstance(office.store, SQLite):
        with closing(sqlite3.connect(file)) as copy, office.store.reading():
            schema.version(office.store)  # from here on it is read as it is now: else what others write begins it anew
            count = partial(_pages_copied, told)
            office.store.connection.backup(copy, pages=PAGES, progress=count)
        return
    with closing(open_store(file, create=True)) as made, office.store.reading():
        _copy(office.store, made, told)


def _pages_copied(told: Progress, _: int, left: int, total: int) -> None:
    told(total - left, total)


def _remove(file: str) -> None:
    for left in (file, f"{file}-wal", f"{file}-shm", f"{file}-journal"):
        if os.path.exists(left):
            os.unlink(left)


def _settle(folder: str) -> None:
    """Have a folder's names on the disk, where the system can."""
    if hasattr(os, "O_DIRECTORY"):
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def restore(source: str, place: str, erased: Sequence[int] = ()) -> Office:
    """An office from a backup, at a path or postgresql:// URL where there is none. Whoever was `erased` since the
    backup was made is erased again before the office is there. Raises LedgerError if the backup does not hold together;
    then nothing is left there."""
    with tempfile.TemporaryDirectory() if is_url(place) else _beside(place) as beside:
        file = os.path.join(beside, "office.db") if is_url(place) else beside
        with _brought(source, file) as office:
            if faults := verify(office):
                raise LedgerError(f"{source} does not hold together: {'; '.join(faults[:5])}")
            if is_url(place):
                return _restored(office, place, erased)
            _erase_again(office, erased)
    return open_office(place)


def _brought(source: str, file: str) -> Office:
    """The office of a backup in a file of its own: the backup stays as it is, also where an older arpad made it."""
    with Office(open_store(source)) as office:
        if not 0 < schema.version(office.store) <= len(schema.MIGRATIONS):
            open_office(source).close()  # says why not
        _copied(office, file)
    return open_office(file)


def _restored(office: Office, place: str, erased: Sequence[int]) -> Office:
    """The same on a server, in one transaction."""
    made = Office(open_store(place))
    try:
        if schema.version(made.store):
            raise UsageError(f"there is an office at {made.store.place} already")
        with office.store.reading(), made.store.writing():
            _copy(office.store, made.store, lambda done, total: None)
            _erase_again(made, erased)
        if erased:
            clean(made)
    except BaseException:
        made.close()
        raise
    return made


def _erase_again(office: Office, erased: Sequence[int]) -> None:
    for person in erased:
        erase(office, person, "erased since the backup was made")


def _copy(source: Store, target: Store, told: Progress) -> None:
    """Entries, words and kept bytes as they are; all else from them, in one transaction."""
    with target.writing():
        schema.migrate(target)
        columns = ("seq", "at", "actor", "kind", "reason", "body", "prev", "hash")
        last = chain.head(source)[0]
        for entry in chain.entries(source):
            told(entry.seq, last)
            row = source.row(f"select {', '.join(columns)} from entry where seq = ?", (entry.seq,))
            assert row is not None
            target.insert("entry", columns, [row])
            words = source.rows("select entry, subject, salt, words from aside where entry = ?", (entry.seq,))
            target.insert("aside", ("entry", "subject", "salt", "words"), words)
            apply(target, entry.seq, entry.kind, entry.body, chain.asides(source, entry.seq))
        for number, content in source.rows("select id, content from report where content is not null"):
            target.run("update report set content = ? where id = ?", (content, number))
        for table in ("publication", "standing", "rulebook", *schema.BESIDE):
            held = source.run(f"select * from {table}")
            target.insert(table, [each[0] for each in held.description], held.fetchall())
        target.insert("meta", ("key", "value"), source.rows("select key, value from meta where key <> 'version'"))
