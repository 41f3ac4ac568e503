"""Everything that an office holds of one person, as plain data: their right to know, and to take it with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from arpad.bureau.cards import find, player
from arpad.bureau.opened import Office
from arpad.bureau.people import federations, members
from arpad.bureau.wording import words
from arpad.ledger import chain

#: Entries that say something of persons, and where their bodies name them.
NAMING = ("people", "acts", "correct", "merge", "split", "visibility", "erase", "games")


def export_person(office: Office, who: str | int) -> dict[str, Any]:
    """All rows about a person: words, identifiers, games, acts, ratings, published lists, reports they stand in, and
    the entries of the log that are about them, each with who wrote it, when, and why.

    Others are named in it as they are on the person's card. Raises UnknownName for nobody.
    """
    with office.store.reading():
        people = members(office, find(office, who).id)
        games = _games(office, people)
        card = player(office, people[0])
        told = {
            "person": people[0],
            "numbers": people,
            "names": _rows(office, "name", ("person", "name", "born"), people),
            "aliases": _rows(office, "alias", ("person", "name"), people),
            "identifiers": _rows(office, "identifier", ("person", "body", "number"), people),
            "federations": [{"since": since, "code": code} for since, code in federations(office, people[0])],
            "titles": _rows(office, "title", ("person", "since", "code"), people),
            "visibility": _rows(office, "visibility", ("person", "field", "level"), people),
            "accounts": list(_accounts(office, people)),
            "acts": _acts(office, people),
            "games": games,
            "lists": card.lists,
            "published": list(_published(office, people)),
            "reports": _reports(office, {game["report"] for game in games}),
            "log": list(_log(office, people, {game["game"] for game in games})),
        }
        return msgspec.to_builtins(told)  # type: ignore[no-any-return]


def _rows(office: Office, table: str, columns: Sequence[str], people: Sequence[int]) -> list[dict[str, Any]]:
    sql = f"select {', '.join(columns)} from {table} where person in ? order by person, {columns[-1]}"
    return [dict(zip(columns, row)) for row in office.store.among(sql, people)]


def _accounts(office: Office, people: Sequence[int]) -> Iterator[dict[str, Any]]:
    """What accounts hold of them, without secrets."""
    columns = ("id", "person", "name", "role", "disabled", "made")
    kept = {
        "sessions": ("session", ("began", "seen", "address")),
        "tokens": ("token", ("name", "scopes", "made", "expires", "used", "revoked")),
        "attempts": ("attempt", ("at", "name", "outcome", "address")),
    }
    sql = f"select {', '.join(columns)} from account where person in ? order by id"
    for row in list(office.store.among(sql, people)):
        told = dict(zip(columns, row))
        for name, (table, fields) in kept.items():
            found = office.store.rows(
                f"select {', '.join(fields)} from {table} where account = ? order by {fields[0]}", row[:1]
            )
            told[name] = [dict(zip(fields, each)) for each in found]
        yield told


def _games(office: Office, people: Sequence[int]) -> list[dict[str, Any]]:
    """Every game of theirs, those that do not count too."""
    columns = "game.id, event, event.name, report, round, board, first, second, score, other, day, more, voided"
    marks = ", ".join("?" * len(people))
    sql = f"select {columns} from game join event on event.id = game.event"
    found = office.store.rows(
        f"{sql} where first in ({marks}) or second in ({marks}) order by day, round, game.id", [*people, *people]
    )
    names = office.names({person for row in found for person in row[6:8]})
    keys = [column.partition(".")[2] or column for column in columns.split(", ")]
    keys[0], keys[2] = "game", "event_name"
    numbers = [row[0] for row in found]
    given: dict[int, str] = dict(office.store.among("select game, id from given where game in ?", numbers))
    return [
        {
            **dict(zip(keys, row)),
            "day": _day(row[10]),
            "voided": bool(row[12]),
            "first_name": names[row[6]],
            "second_name": names[row[7]],
            "given": given.get(row[0], ""),
        }
        for row in found
    ]


def _acts(office: Office, people: Sequence[int]) -> list[dict[str, Any]]:
    columns = ("id", "list", "person", "kind", "day", "rating", "games", "category", "deviation", "voided", "entry")
    found = office.store.among(f"select {', '.join(columns)} from act where person in ? order by id", people)
    told = []
    for row in found:
        act = dict(zip(columns, row))
        reason = chain.asides(office.store, act["entry"]).get(f"a{act['id']}", "")
        told.append({**act, "day": _day(act["day"]), "voided": bool(act["voided"]), "reason": reason})
    return told


def _published(office: Office, people: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Their rows on published lists."""
    for which in office.lists():
        sql = "select day, content, sha256 from publication where list = ? order by day"
        for day, content, sha256 in office.store.rows(sql, (which.id,)):
            held = msgspec.json.decode(bytes(content))
            at = held["columns"].index("person")
            for row in held["rows"]:
                if row[at] in people:
                    told = dict(zip(held["columns"], row))
                    yield {"list": which.name, "day": _day(day), "sha256": sha256, **told}


def _reports(office: Office, numbers: set[int]) -> list[dict[str, Any]]:
    """The reports that their games came with; `redacted` says that somebody was erased from it."""
    columns = ("report", "digest", "source", "size", "state")
    sql = "select id, digest, source, size, state from report where id in ? order by id"
    redacted = {row[0] for row in office.store.rows("select report from redaction")}
    found = office.store.among(sql, sorted(numbers))
    return [{**dict(zip(columns, row)), "redacted": row[0] in redacted} for row in found]


def _log(office: Office, people: Sequence[int], games: set[int]) -> Iterator[dict[str, Any]]:
    """The entries that are about them."""
    for entry in chain.entries(office.store, kinds=NAMING):
        if entry.kind == "games":
            first = entry.body["id"]
            if not any(game in games for game in range(first, first + len(entry.body["columns"]["key"]))):
                continue
        elif not _about(entry.kind, entry.body, people, games):
            continue
        said = chain.asides(office.store, entry.seq)
        own = {subject: said[subject] for subject in (f"p{person}" for person in people) if subject in said}
        yield {
            "entry": entry.seq,
            "at": entry.at,
            "actor": entry.actor,
            "kind": entry.kind,
            "what": words(entry),
            "reason": entry.reason,
            "words": own,
        }


def _about(kind: str, body: Mapping[str, Any], people: Sequence[int], games: set[int]) -> bool:
    if kind in ("people", "erase"):
        return any(person in people for person in body["people"])
    if kind == "acts":
        return any(act[2] in people for act in body["acts"])
    if kind == "visibility":
        return body["person"] in people
    return any(
        number in (games if what == "game" else people if what == "person" else ())
        or any(side.get(field) in people for side in (was, now) for field in ("first", "second", "person", "merged"))
        for what, number, was, now in body["changes"]
    )


def _day(ordinal: int) -> str | None:
    return date.fromordinal(ordinal).isoformat() if ordinal else None
