"""The register: people as they are entered, with what they bring, and the dated acts about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arpad.bureau.matching import Match, Named, known, match
from arpad.bureau.opened import Office, born_number
from arpad.errors import DataError
from arpad.ledger import chain
from arpad.ledger.facts import last_id
from arpad.model import Act, Problem, Start


def enrol(
    office: Office, people: Sequence[Start], which: str | None = None, ids: str = "", reason: str = ""
) -> list[int]:
    """Persons of a start list, with the ratings and games they bring as entries on the list's base day; their ids.

    `ids`: whose numbers the players are; blank where they are names, which must not be in the register yet. Who is
    there by identifier is not added again. Raises DataError naming everybody who may be somebody known.
    """
    named = [
        Named(each.player, "" if ids else each.player, {ids: each.player} if ids else {}, each.born) for each in people
    ]
    with office.store.writing():
        rating_list = office.which(which)
        matches = match(office, named, register=True)
        if holds := [each.problem for each in matches if each.problem]:
            raise DataError(holds)
        persons = registered(office, matches, reason)
        day = rating_list.base
        acts = [
            Act("entry", str(persons[each.player]), day, each.rating, None if each.games is None else int(each.games))
            for each, found in zip(people, matches)
            if each.rating is not None and not found.person
        ]
        if acts:
            add_acts(office, acts, which, reason)
    return [persons[each.player] for each in people]


def add_acts(office: Office, acts: Sequence[Act], which: str | None = None, reason: str = "") -> int:
    """Dated acts on a list; `player` is a person's id. Returns the entry, 0 if all of them were said before.

    Raises DataError for acts that no rulebook takes.
    """
    from arpad.acts import dated

    with office.store.writing():
        rating_list = office.which(which)
        dated(acts, office.book(rating_list), 0)
        said = _said(office, rating_list.id)
        acts = [act for act in acts if _facts(act) not in said]
        if not acts:
            return 0
        there = known(office, [int(act.player) for act in acts if act.player.isdecimal()])
        strangers = [act for act in acts if not act.player.isdecimal() or int(act.player) not in there]
        if strangers:
            raise DataError([Problem(f"there is no person {act.player!r}", act.source, act.line) for act in strangers])
        number = last_id(office.store, "act")
        rows = [
            (
                number + at,
                rating_list.id,
                int(act.player),
                act.kind,
                act.date,
                None if act.rating != act.rating else act.rating,
                act.games,
                act.category,
                act.deviation,
            )
            for at, act in enumerate(acts, 1)
        ]
        words = {f"a{number + at}": act.reason for at, act in enumerate(acts, 1) if act.reason}
        return chain.append(office.store, office.actor, "acts", {"acts": rows}, reason, words)[0]


def _facts(act: Act) -> tuple[Any, ...]:
    rating = None if act.rating != act.rating else act.rating
    return (
        act.kind,
        int(act.player) if act.player.isdecimal() else 0,
        act.date,
        rating,
        act.games,
        act.category,
        act.deviation,
        act.reason,
    )


def _said(office: Office, which: int) -> set[tuple[Any, ...]]:
    """The acts of a list that count, with the reasons they were given."""
    columns = "kind, person, day, rating, games, category, deviation, coalesce(words, '')"
    words = "aside.entry = act.entry and subject = 'a' || cast(act.id as text)"
    sql = f"select {columns} from act left join aside on {words} where list = ? and voided = 0"
    return set(office.store.rows(sql, (which,)))


def registered(office: Office, matches: Sequence[Match], reason: str = "") -> dict[str, int]:
    """Everybody's person by key; whoever is new is entered, and what a report says more of the known is kept."""
    number = last_id(office.store, "person")
    persons: dict[str, int] = {}
    words: dict[str, str] = {}
    for each in matches:
        named, person = each.named, each.person
        if not person:
            number += 1
            person = number
            facts: dict[str, Any] = {"name": named.name or named.key, "identifiers": dict(named.identifiers)}
            facts |= {"born": born_number(named.born)} if named.born else {}
            facts |= {"federation": named.federation.strip().upper()} if named.federation.strip() else {}
            words[f"p{person}"] = chain.canonical(facts)
        elif each.how == "decided" and named.name:
            words[f"p{person}"] = chain.canonical({"aliases": [named.name]})
        persons[named.key] = person
    if words:
        body = {"people": [int(subject[1:]) for subject in words]}
        chain.append(office.store, office.actor, "people", body, reason, words)
    return persons
