"""Secrets that are shown once: 256 random bits, of which the office keeps the SHA-256."""

from __future__ import annotations

import hashlib
import secrets

from arpad.ledger.store import Store


def fresh() -> str:
    """A new secret, fit for an address."""
    return secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """What is kept of a secret. A random one needs no slow hash."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def of_office(store: Store) -> str:
    """The office's own secret, which signs what forms carry; made when it is first asked for."""
    sql = "select value from meta where key = 'secret'"
    found = store.value(sql)
    if found is None:
        with store.writing():
            found = store.value(sql)
            if found is None:
                found = secrets.token_hex(32)
                store.run("insert into meta values ('secret', ?)", (found,))
    return str(found)
