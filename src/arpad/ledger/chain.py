"""The entries: append-only, each sealed with the hash of the one before.

The hash covers seq, instant, actor, kind, seals, body and the hash before. A body is canonical JSON of ids, numbers and
codes; words about people (names, birth dates, identifiers, reasons) lie beside it in `aside`, and the entry holds only
the salted digest of each. Erasing an `aside` row therefore breaks no hash.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from arpad.formats.hidden import typed
from arpad.ledger.store import Store

#: What the first entry follows.
GENESIS = "0" * 64
#: Hexadecimal digits of a seal: 128 bits.
SEAL = 32

Body = dict[str, Any]


class Entry(msgspec.Struct, frozen=True):
    """One entry as it stands. `reason` is None where its words were erased."""

    seq: int
    at: str
    actor: str
    kind: str
    reason: str | None
    body: Body


def canonical(body: Mapping[str, Any]) -> str:
    """JSON with sorted keys and no spaces; floats as the shortest text that reads back to the same bits."""
    return msgspec.json.encode(body, order="deterministic").decode()


def append(
    store: Store, actor: str, kind: str, body: Body, reason: str = "", asides: Mapping[str, str] = {}
) -> tuple[int, Body]:
    """Write an entry and bring the facts up to date; returns its seq. Only inside `store.writing()`.

    `asides`: words by subject (`p12` a person, `e3` an event, `r1` a report), sealed by the entry.

    Raises UsageError for a reason with hidden characters, with which it would look like another one in the log.
    """
    from arpad.ledger.facts import apply

    seq, prev = head(store)
    seq += 1
    kept = {subject: (secrets.token_hex(16), text) for subject, text in asides.items()}
    if kept:
        body = {**body, "sealed": {subject: _seal(*held) for subject, held in kept.items()}}
    sealed = ""
    if reason:
        kept["reason"] = secrets.token_hex(16), typed(reason)
        sealed = _seal(*kept["reason"])
    at = datetime.now(UTC).isoformat(timespec="microseconds")
    text = canonical(body)
    found = _hash(seq, at, actor, kind, sealed, text, prev)
    columns = ("seq", "at", "actor", "kind", "reason", "body", "prev", "hash")
    store.insert("entry", columns, [(seq, at, actor, kind, sealed, text, prev, found)])
    rows = [(seq, subject, salt, words) for subject, (salt, words) in kept.items()]
    store.insert("aside", ("entry", "subject", "salt", "words"), rows)
    apply(store, seq, kind, body, asides)
    return seq, body


def head(store: Store) -> tuple[int, str]:
    """Seq and hash of the last entry."""
    last = store.again("select seq, hash from entry order by seq desc limit 1")
    return (int(last[0][0]), str(last[0][1])) if last else (0, GENESIS)


def entries(store: Store, first: int = 1, kinds: tuple[str, ...] = ()) -> Iterator[Entry]:
    """Entries from `first` on, in order; of some kinds only, where any are named."""
    chosen = f"and kind in ({', '.join('?' * len(kinds))})" if kinds else ""
    for seq in [
        row[0] for row in store.rows(f"select seq from entry where seq >= ? {chosen} order by seq", [first, *kinds])
    ]:
        yield entry(store, seq)


def entry(store: Store, seq: int) -> Entry:
    """Raises KeyError for an entry that is not there."""
    found = store.row("select at, actor, kind, reason, body from entry where seq = ?", (seq,))
    if found is None:
        raise KeyError(seq)
    at, actor, kind, sealed, body = found
    reason = ""
    if sealed:
        reason = store.value("select words from aside where entry = ? and subject = 'reason'", (seq,))
        if reason is None:
            reason = store.value("select words from aside where subject = ?", (f"{seq}:reason",))
    return Entry(seq, at, actor, kind, reason, msgspec.json.decode(body))


def asides(store: Store, seq: int) -> dict[str, str]:
    """The words that an entry sealed, by subject, without those that were erased; redacted ones as they were left.

    What is left of words that somebody was erased from is sealed by the erasing entry, as `5:e3`: what entry 5 said of
    event 3.
    """
    found: dict[str, str] = dict(store.rows("select subject, words from aside where entry = ?", (seq,)))
    left = store.rows("select subject, words from aside where subject >= ? and subject < ?", (f"{seq}:", f"{seq};"))
    found |= {subject.partition(":")[2]: words for subject, words in left}
    found.pop("reason", None)
    return found


def faults(store: Store) -> Iterator[str]:
    """What is wrong with the chain, in words."""
    prev = GENESIS
    last = 0
    for (seq,) in store.rows("select seq from entry order by seq"):
        row = store.row("select at, actor, kind, reason, body, prev, hash from entry where seq = ?", (seq,))
        assert row is not None
        at, actor, kind, sealed, body, before, found = row
        if seq != last + 1:
            yield f"entry {last + 1} is missing"
        if before != prev:
            yield f"entry {seq} does not follow the one before it"
        if found != _hash(seq, at, actor, kind, sealed, body, before):
            yield f"entry {seq} is not what was written"
            prev, last = found, seq
            continue  # what it seals cannot be told
        seals = {**msgspec.json.decode(body).get("sealed", {}), **({"reason": sealed} if sealed else {})}
        for subject, salt, text in store.rows("select subject, salt, words from aside where entry = ?", (seq,)):
            if seals.get(subject) != _seal(salt, text):
                yield f"entry {seq}: the words on {subject} are not what was written"
        prev, last = found, seq


def _seal(salt: str, text: str) -> str:
    return hashlib.sha256(f"{salt}\n{text}".encode()).hexdigest()[:SEAL]


def _hash(*parts: object) -> str:
    digest = hashlib.sha256()
    for part in parts:
        held = str(part).encode()
        digest.update(b"%d:" % len(held))  # so that no two splits of one text are alike
        digest.update(held)
    return digest.hexdigest()
