"""What people and events are called, and who may see it: read whole, as an open office keeps it until something is
written. `head` is the hash of the last entry that it holds."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from arpad.ledger import chain
from arpad.ledger.store import Store


class Words(msgspec.Struct, frozen=True):
    """Names of people and titles of events, by number."""

    head: str
    people: Mapping[int, str]
    events: Mapping[int, str]


class Levels(msgspec.Struct, frozen=True):
    """Who may see what, by field and person, where something is said of it; and who was merged into whom."""

    head: str
    said: Mapping[tuple[str, int], str]
    merged: Mapping[int, int]


def words_of(store: Store) -> Words:
    head = chain.head(store)[1]  # first: who writes in between makes this old, and never wrong
    people: dict[int, str] = dict(store.rows("select person, name from name"))
    return Words(head, people, dict(store.rows("select id, name from event")))


def levels_of(store: Store) -> Levels:
    head = chain.head(store)[1]
    said = store.rows("select field, person, level from visibility")
    merged: dict[int, int] = dict(store.rows("select id, merged from person where merged is not null"))
    return Levels(head, {(field, person): level for field, person, level in said}, merged)
