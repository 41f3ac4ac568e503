"""Erasure: a person's words go, their games stay under a number, and nobody's rating changes in the last digit.

    erase(office, 17, "asked to be removed")

Entries and published lists cover ids and numbers, so that the chain and every published hash stay valid. What is erased
are the words sealed beside entries, with their salts, and the person in the reports as they came: a report keeps its
digest, and what is left of it gets one of its own. Of a birth date stays what the ratings of the others rest on: the
year where rules ask ages, and more only where the year would change a digit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from arpad.bureau.matching import Known, known
from arpad.bureau.opened import Office, born_number, replayed, starts_of
from arpad.bureau.people import members
from arpad.bureau.redaction import Wanted, redacted
from arpad.columns import plain
from arpad.errors import DataError, LedgerError, UsageError
from arpad.ledger import chain
from arpad.ledger.store import Store
from arpad.model import PartialDate, Problem

if TYPE_CHECKING:
    from arpad.engine import History
    from arpad.rulebooks import Rulebook

#: Systems whose rules ask for ages.
AGED = ("dwz", "ecf", "icu", "uschess")


class Erased(msgspec.Struct, frozen=True):
    """What an erasure did, or would do (`seq` 0). `born` is what is left of the birth date; `words` are the entries
    from whose words the person went; `reports` those that were redacted, `dropped` those of which nothing could be
    kept; `look` are entries with words that a part of the name stands in, for an officer to read; `stay` are games
    whose own ids or facts name the person, which the chain covers, and which therefore stay."""

    seq: int
    people: tuple[int, ...]
    born: str
    words: tuple[int, ...]
    reports: tuple[int, ...]
    dropped: tuple[int, ...]
    look: tuple[int, ...]
    stay: tuple[int, ...]


def erase(office: Office, person: int, reason: str = "", *, also: Sequence[str] = (), preview: bool = False) -> Erased:
    """Erase a person, with all numbers that are theirs. `also`: more words to take out of texts, such as a nickname.

    It cannot be taken back. Who was erased, and of whom nothing came since, is not erased twice: `seq` is that of the
    first time, and the database is made to let go of the bytes once more, should it have been stopped then.

    Raises UsageError without a reason, DataError for a reason that names the person, LedgerError if a rating would
    change; then nothing was done.
    """
    if not preview and not reason.strip():
        raise UsageError("an erasure needs a reason")
    store = office.store
    with store.trying() if preview else store.writing():
        people = members(office, person)
        wanted = _wanted(office, people, also)
        if wanted.names_in(reason):
            raise DataError([Problem("the reason names the person who is to be erased")])
        before = {which.id: office.history(which) for which in office.lists()}
        born = _born(office, people[0], before)
        reports = dict(_reports(store, people, wanted))
        words, left, look = _words(store, people, wanted)
        if born:
            left[f"p{people[0]}"] = chain.canonical({"born": born_number(born)})
        digests = [
            (number, hashlib.sha256(content).hexdigest() if content else "") for number, content in reports.items()
        ]
        as_left = all(chain.asides(store, at).get(subject) == left.get(subject) for at, subject in words)
        _leave(store, people, wanted)
        seq = _erased_before(store, people)
        if seq and as_left and not reports:
            words = []
        else:
            for at, subject in words:
                store.run("delete from aside where entry = ? and subject = ?", (at, subject))
            for number, content in reports.items():
                store.run("update report set content = ? where id = ?", (content, number))
            body = {"people": people, "reports": digests}
            seq, _ = chain.append(store, office.actor, "erase", body, reason, left)
            for which in office.lists():
                if not _same(before[which.id], _again(office, which, None)):
                    raise LedgerError(f"list {which.name!r} would not be what it was: nothing was erased")
    if not preview and not store.depth:  # what this is a part of cleans when it is done
        clean(office)
    dropped = tuple(number for number, content in reports.items() if content is None)
    kept = tuple(number for number in reports if number not in dropped)
    entries = tuple(sorted({seq for seq, _ in words}))
    stay = _stay(store, people, wanted)
    return Erased(0 if preview else seq, tuple(people), str(born or ""), entries, kept, dropped, look, stay)


def _erased_before(store: Store, people: Sequence[int]) -> int:
    """The last entry by which all of these were erased; 0: they were not."""
    erasures = chain.entries(store, kinds=("erase",))
    return max((entry.seq for entry in erasures if {*people} <= {*entry.body["people"]}), default=0)


def _leave(store: Store, people: Sequence[int], wanted: Wanted) -> None:
    """Accounts know nothing of them any more. A member's was theirs alone: it is closed, and only its number is left,
    which the log may name; of whoever works for the office the account goes on. Answers that are kept to be sent again,
    which may name them, go, and so do names to sign in with that name them."""
    store.run("delete from idempotency")
    for number, role in list(store.among("select id, role from account where person in ?", people)):
        store.run("update account set person = null where id = ?", (number,))
        if role == "member":
            name = f"account {number}"
            sql = "update account set name = ?, folded = ?, password = '', key = '', disabled = 1 where id = ?"
            store.run(sql, (name, name, number))
            for table in ("session", "token", "invite", "attempt"):
                store.run(f"delete from {table} where account = ?", (number,))
    tried = store.rows("select distinct name from attempt")
    for (name,) in tried:
        if wanted.names_in(name):
            store.run("delete from attempt where name = ?", (name,))
    _without_notes(store, people, wanted)


def _without_notes(store: Store, people: Sequence[int], wanted: Wanted) -> None:
    """Of the matches of a ladder, notes on theirs go, and from others what names them. The matches stay."""
    rows = store.rows("select id, first, second, note, dispute from ladder_match where note <> '' or dispute <> ''")
    for number, first, second, *texts in rows:
        left = ["", ""] if {first, second} & {*people} else [wanted.out_of(text) for text in texts]
        if left != texts:
            store.run("update ladder_match set note = ?, dispute = ? where id = ?", (*left, number))


def _stay(store: Store, people: Sequence[int], wanted: Wanted) -> tuple[int, ...]:
    """Games of theirs that name them by what the chain covers."""
    marks = ", ".join("?" * len(people))
    joined = "game left join given on given.game = game.id"
    sql = (
        f"select game.id, more, given.id from {joined} where first in ({marks}) or second in ({marks}) order by game.id"
    )
    found = store.rows(sql, [*people, *people])
    return tuple(game for game, more, given in found if wanted.names_in(more) or wanted.names_in(given or ""))


def erased(office: Office) -> list[int]:
    """The numbers of everybody who was erased, to erase them again in a backup that is older."""
    found = {person for entry in chain.entries(office.store, kinds=("erase",)) for person in entry.body["people"]}
    return sorted(found)


def clean(office: Office) -> None:
    """Make the database let go of bytes that were erased; left for another time while others use it."""
    store = office.store
    with suppress(LedgerError):
        if store.dialect == "sqlite":
            store.run("vacuum")
            store.run("pragma wal_checkpoint(truncate)")
        else:
            of_people = "aside, name, alias, spelling, identifier, federation, title, report, event"
            store.run(f"vacuum full {of_people}, account, attempt, session, token, idempotency, ladder_match")


def _wanted(office: Office, people: Sequence[int], also: Sequence[str]) -> Wanted:
    who: Known = known(office, people[:1])[people[0]]
    marks = ", ".join("?" * len(people))
    numbers = office.store.rows(f"select body, number from identifier where person in ({marks})", people)
    return Wanted(people[0], who.names, tuple((body, number) for body, number in numbers), who.born, tuple(also))


def _born(office: Office, person: int, before: Mapping[int, History]) -> PartialDate | None:
    """As much of the birth date as ratings rest on."""
    start = next((each for each in starts_of(office.store) if each.player == str(person)), None)
    if start is None or start.born is None:
        return None
    born = start.born
    if not any(_asks_ages(office.book(which)) for which in office.lists()):
        return None
    steps = [PartialDate(born.year), PartialDate(born.year, born.month), born]
    for step in steps:
        if all(_same(before[which.id], _again(office, which, (person, step))) for which in office.lists()):
            return step
    return born


def _asks_ages(book: Rulebook) -> bool:
    """Whether a rating may depend on how old a player is."""
    from arpad.plan import asks_age

    return book.system in AGED or any(map(asks_age, book.editions))


def _again(office: Office, which: Any, instead: tuple[int, PartialDate] | None) -> History:
    """A list replayed and looked at like its history, with another birth date of one person."""
    starts = starts_of(office.store)
    if instead:
        person, born = instead
        starts = [msgspec.structs.replace(each, born=born) if each.player == str(person) else each for each in starts]
    return replayed(office.store, which, office.book(which), starts=starts)


def _same(one: History, other: History) -> bool:
    """Whether every number of everybody is the same, at the end and on each day that was looked at."""
    if len(one.looked) != len(other.looked):
        return False
    states = [(one.state, other.state), *((a.state, b.state) for a, b in zip(one.looked, other.looked))]
    width = one.system.width
    for mine, theirs in states:
        left, right = _rated(one.players, mine, width), _rated(other.players, theirs, width)
        if left != right:
            return False
    return True


def _rated(players: Sequence[str], state: Any, width: int) -> dict[str, bytes]:
    """The bits of everybody's numbers, without those who have none."""
    from array import array

    numbers = plain(state)
    parts = ((name, numbers[width * at : width * at + width]) for at, name in enumerate(players))
    return {name: array("d", part).tobytes() for name, part in parts if part[0] == part[0] or part[1]}


def _reports(store: Store, people: Sequence[int], wanted: Wanted) -> Iterator[tuple[int, bytes | None]]:
    """Every report that the person stands in, with what is left of it; None: nothing."""
    marks = ", ".join("?" * len(people))
    joined = "game join event on event.id = game.event"
    sql = f"select distinct report from {joined} where first in ({marks}) or second in ({marks})"
    theirs = {row[0] for row in store.rows(sql, [*people, *people])}
    for number, source in store.rows("select id, source from report where content is not null order by id"):
        content = bytes(store.value("select content from report where id = ?", (number,)))
        if number in theirs or wanted.stands_in(content):
            left = redacted(content, source, wanted)
            if left != content:
                yield number, left


def _words(
    store: Store, people: Sequence[int], wanted: Wanted
) -> tuple[list[tuple[int, str]], dict[str, str], tuple[int, ...]]:
    """Words to be erased, by entry and subject; what is left of those that say other things too; what to look at."""
    own = {f"p{person}" for person in people}
    gone, left, look = [], {}, set()
    for seq, subject, text in store.rows("select entry, subject, words from aside order by entry, subject"):
        if subject in own:
            gone.append((seq, subject))
            continue
        if subject.startswith("p") and subject[1:].isdecimal():
            continue  # somebody else's, who may be called the same
        other = wanted.out_of(text)
        if other != text:
            gone.append((seq, subject))
            left[subject if ":" in subject else f"{seq}:{subject}"] = other
        if wanted.perhaps_in(other):
            look.add(seq)
    return gone, left, tuple(sorted(look))
