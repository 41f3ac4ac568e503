"""The register: people as they are entered, with what they bring, and the dated acts about them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Literal

import msgspec

from arpad.bureau.matching import Match, Named, known, match
from arpad.bureau.opened import Office, born_number
from arpad.bureau.openings import moved
from arpad.errors import DataError, UsageError
from arpad.formats.federations import FEDERATIONS, FORMER
from arpad.formats.hidden import typed
from arpad.formats.people import Member
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


def join(
    office: Office, members: Sequence[Member], which: str | None = None, ids: str = "", reason: str = ""
) -> list[int]:
    """Members enter: their names, numbers with the body `ids`, federations and titles, and an entry on the list for
    whoever has a rating or a category elsewhere; their ids. Who is there by number and name is not entered again.

    Raises DataError naming everybody who may be somebody known, UsageError for numbers of nobody's.
    """
    if not ids and any(each.number for each in members):
        raise UsageError("whose are the members' numbers? say it with --ids")
    named = [
        Named(str(at), each.name, {ids: each.number} if each.number else {}, each.born, each.federation, line=each.line)
        for at, each in enumerate(members)
    ]
    with office.store.writing():
        rating_list = office.which(which)
        matches = match(office, named, register=True)
        if holds := [each.problem for each in matches if each.problem]:
            raise DataError(holds)
        persons = registered(office, matches, reason)
        fresh = [(persons[str(at)], each) for at, each in enumerate(members) if not matches[at].person]
        told = [Told(person, "title", each.since, each.title) for person, each in fresh if each.title]
        tell(office, told, reason)
        acts = [
            Act(
                "entry",
                str(person),
                each.since or rating_list.base,
                float("nan") if each.rating is None else each.rating,
                each.games,
                category=each.category,
                line=each.line,
            )
            for person, each in fresh
            if each.rating is not None or each.category
        ]
        if acts:
            add_acts(office, acts, which, reason)
    return [persons[str(at)] for at in range(len(members))]


def add_acts(office: Office, acts: Sequence[Act], which: str | None = None, reason: str = "") -> int:
    """Dated acts on a list; `player` is a person's id. Returns the entry, 0 if all of them were said before.

    Raises DataError for acts that no rulebook takes, and for those before a base that was moved, which would not count.
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
        if closed := [act for act in acts if act.date < rating_list.base and moved(office.store, rating_list)]:
            text = f"the list is closed before {date.fromordinal(rating_list.base)}, where its base is now"
            raise DataError([Problem(text, act.source, act.line, "date") for act in closed])
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
                typed(act.category),
                act.deviation,
            )
            for at, act in enumerate(acts, 1)
        ]
        words = {f"a{number + at}": typed(act.reason) for at, act in enumerate(acts, 1) if act.reason}
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
    """The acts of a list that count, on who they are about now, with the reasons they were given."""
    columns = "kind, coalesce(merged, person.id), day, rating, games, category, deviation, coalesce(words, '')"
    words = "aside.entry = act.entry and subject = 'a' || cast(act.id as text)"
    joined = f"act join person on person.id = act.person left join aside on {words}"
    sql = f"select {columns} from {joined} where list = ? and voided = 0"
    return set(office.store.rows(sql, (which,)))


class Told(msgspec.Struct, frozen=True):
    """Something of a person that is true from a day on (ordinal, 0: always): a `federation` or a `title`, blank for
    none any more."""

    person: int
    what: Literal["federation", "title"]
    since: int
    value: str


def tell(office: Office, facts: Sequence[Told], reason: str = "") -> int:
    """Dated facts of people; a later word on the same day takes the place of an earlier one. Returns the entry.

    Raises DataError for people who are not there and for what is no federation.
    """
    with office.store.writing():
        there = known(office, {each.person for each in facts})
        problems = [Problem(f"there is no person {each.person}") for each in facts if each.person not in there]
        problems += [
            Problem(f"{each.value!r} is no code of a federation", hint="FIDE's codes, such as ITA")
            for each in facts
            if each.what == "federation" and each.value and each.value not in FEDERATIONS | FORMER
        ]
        if problems:
            raise DataError(problems)
        words: dict[str, dict[str, dict[int, str]]] = {}
        for each in facts:
            words.setdefault(f"p{each.person}", {}).setdefault(f"{each.what}s", {})[each.since] = typed(each.value)
        if not words:
            return 0
        body = {"people": [int(subject[1:]) for subject in words]}
        asides = {
            subject: chain.canonical({what: sorted(dated.items()) for what, dated in said.items()})
            for subject, said in words.items()
        }
        return chain.append(office.store, office.actor, "people", body, reason, asides)[0]


def titles_on(office: Office, day: int) -> dict[int, str]:
    """Everybody's title on a day (ordinal), by person; of merged people, any that one of them had."""
    found: dict[int, str] = {}
    merged: dict[int, int] = dict(office.store.rows("select id, merged from person where merged is not null"))
    for person, title in office.store.rows("select person, code from title where since <= ? order by since", (day,)):
        who: int = person
        found[merged.get(who, who)] = title
    return {person: title for person, title in found.items() if title}


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
