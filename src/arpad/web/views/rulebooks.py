"""Rulebooks, those that ship and the office's own: all of them, and one with its editions, its clauses on a day, and
what changed till then."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from arpad import office as door
from arpad.bureau.opened import Office, RatingList
from arpad.bureau.pinning import rules_told
from arpad.errors import UnknownName
from arpad.ledger.spelling import folded
from arpad.rulebooks import Rulebook, Value, label
from arpad.rulebooks.loader import names
from arpad.rulebooks.views import diff, listed, unsure


class Listed(msgspec.Struct, frozen=True):
    """A rulebook. `until` None: in force. `unsure`: statements that no source settles. `lists` of the office go by it;
    `own`: it does not ship."""

    name: str
    organisation: str
    game: str
    since: str
    until: date | None
    editions: int
    system: str
    cadence: str
    evidence: str
    unsure: int
    lists: tuple[str, ...] = ()
    own: bool = False


class EditionOf(msgspec.Struct, frozen=True):
    """An edition: the day from which it is in force, and the clauses that it states."""

    since: str
    name: str
    clauses: tuple[str, ...]
    status: str
    source: str
    text: str


class ClauseOf(msgspec.Struct, frozen=True):
    """A clause as it reads on a day; `edition` is where it was stated."""

    clause: str
    value: str
    article: str
    edition: str
    status: str
    source: str
    text: str


class ParameterOf(msgspec.Struct, frozen=True):
    """A number that whoever uses the rulebook may choose, and what it is without that."""

    name: str
    default: Value
    text: str


class Changed(msgspec.Struct, frozen=True):
    """A clause that reads otherwise on the second day; blank where it was not there."""

    clause: str
    before: str
    after: str
    article: str


class Book(msgspec.Struct, frozen=True):
    """A rulebook as it reads on a day (None: now), in the `edition` of that day; `changes` are what changed since
    another day, if one was named. `unsure`: statements that no source settles. `lists` of the office go by it; `own`:
    it does not ship."""

    name: str
    organisation: str
    game: str
    system: str
    title: str
    text: str
    cadence: str
    evidence: str
    verified: str
    digest: str
    day: date | None
    since: date | None
    parameters: tuple[ParameterOf, ...]
    editions: tuple[EditionOf, ...]
    clauses: tuple[ClauseOf, ...]
    changes: tuple[Changed, ...]
    edition: str
    unsure: int
    lists: tuple[str, ...]
    own: bool


class Shelf(msgspec.Struct, frozen=True):
    """All rulebooks that ship, and the office's own."""

    rulebooks: tuple[Listed, ...]


def on_the_shelf(name: str) -> str:
    """The name of a rulebook that ships, with a preset if it has one. Raises UnknownName for anything else: who asks
    over the web has no business with the server's files."""
    known = names()
    if name.partition(":")[0] not in known:
        raise UnknownName("rulebook", name, known)
    return name


def shelf(office: Office, q: str = "") -> Shelf:
    """Every rulebook, or those whose name, organisation or game has every part of what is looked for."""
    shipped = _shelf()
    used = _used(office)
    known = {each.name for each in shipped}
    own = [
        _listed({**listed(office.book(lists[0])), "name": name}) for name, lists in used.items() if name not in known
    ]
    rows = [*(replace(each, own=True) for each in own), *shipped]
    parts = folded(q).split()
    return Shelf(
        tuple(
            replace(each, lists=tuple(which.name for which in used.get(each.name, ())))
            for each in rows
            if all(part in folded(f"{each.name} {each.organisation} {each.game}") for part in parts)
        )
    )


@cache
def _shelf() -> tuple[Listed, ...]:
    return tuple(map(_listed, door.rules_list()))


def _listed(row: Mapping[str, Any]) -> Listed:
    return msgspec.convert({**row, "since": row["from"], "until": row["until"] or None}, Listed)


def _used(office: Office) -> dict[str, list[RatingList]]:
    """Lists of the office by the rulebook that they go by; a preset is of the rulebook whose preset it is."""
    found: dict[str, list[RatingList]] = {}
    for which in office.lists():
        found.setdefault(rules_told(which.rules).partition(":")[0], []).append(which)
    return found


def book(office: Office, name: str, day: date | None = None, since: date | None = None, language: str = "en") -> Book:
    """A rulebook as it reads on a day. Raises UnknownName, and UsageError for a day before it begins."""
    lists = _used(office).get(name, [])
    own = bool(lists) and name not in names()
    held, clauses = door.rules_show(office.book(lists[0]) if own else on_the_shelf(name), day, language)
    editions = door.rules_history(held, language)
    return Book(
        name if own else held.name,
        held.organisation,
        held.game,
        held.system,
        _said(held.title, language),
        _said(held.text, language),
        held.cadence,
        held.evidence or "not said",
        held.verified,
        held.digest,
        day,
        since,
        tuple(_parameter(held, each, language) for each in held.parameters),
        tuple(
            EditionOf(
                row["from"],
                row["name"],
                tuple(row["clauses"].split(", ")) if row["clauses"] else (),
                row["status"],
                row["source"],
                row["text"],
            )
            for row in editions
        ),
        tuple(msgspec.convert(row, ClauseOf) for row in clauses),
        tuple(msgspec.convert(row, Changed) for row in _changes(held, since, day)),
        label(held.on(day)),
        unsure(held),
        tuple(which.name for which in lists),
        own,
    )


def _changes(held: Rulebook, since: date | None, day: date | None) -> list[dict[str, str]]:
    return [] if since is None else diff(held, since, day or 0)


def _parameter(held: Rulebook, name: str, language: str) -> ParameterOf:
    stated = held.parameters[name]
    return ParameterOf(name, stated.default, _said(stated.text, language))


def _said(text: object, language: str) -> str:
    """Words of a rulebook in a language, English where they are not in it."""
    words = msgspec.convert(text, dict[str, str])
    return words.get(language) or words.get("en", "")
