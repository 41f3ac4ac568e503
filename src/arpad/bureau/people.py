"""People of the register: two that were one are merged, and split again; what they are called, where they belong, and
who may see it.

    merge(office, 71, 72, "one person, registered twice")      # both numbers are person 71 from now on
    split(office, 72, "two people after all")                  # everything is as it was, to the last digit

A merge changes no game: it says who a number is, and the replay reads games so. That is why it can be taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from arpad.bureau.corrections import Change, Corrected, made, taken_back
from arpad.bureau.opened import AUDIENCES, LEVELS, Office
from arpad.bureau.openings import held_at_base
from arpad.errors import DataError, UnknownName, UsageError
from arpad.formats.hidden import typed
from arpad.ledger import chain
from arpad.model import Problem


def merge(office: Office, person: int, other: int, reason: str = "", *, preview: bool = False) -> Corrected:
    """Two numbers are one person from now on, known as `person`: all games in order, replayed; both numbers resolve.

    Raises DataError naming each game in which the two met and each round in which both played, UsageError without a
    reason or for numbers that are one person already.
    """
    if not preview and not reason.strip():
        raise UsageError("a merge needs a reason")

    def changes() -> Sequence[Change]:
        kept, gone = (_now(office, each) for each in (person, other))
        if person == other:
            raise UsageError(f"person {person} is named twice: a merge is of two")
        if kept == gone:
            raise UsageError(f"{person} and {other} are one person already, {kept}")
        ones, others = members(office, kept), members(office, gone)
        if apart := [*_two(office, ones, others), *_closed(office, ones, others)]:
            raise DataError(apart)
        return [Change("person", each, {"merged": kept}) for each in members(office, gone)]

    return made(office, changes, reason, preview, kind="merge")


def split(office: Office, person: int, reason: str = "", *, preview: bool = False) -> Corrected:
    """Take back the last merge by which a number became another person's: everything is as before it.

    Games that were reported since stay with whom they were reported for. Raises UsageError for who was not merged,
    DataError where a later merge has to be taken back first.
    """
    if not preview and not reason.strip():
        raise UsageError("a split needs a reason")
    if _now(office, person) == person:
        whose = members(office, person)[1:]
        hint = f"; split one of {', '.join(map(str, whose))}" if whose else ""
        raise UsageError(f"person {person} was not merged into anybody{hint}")
    return taken_back(office, _in_force(office, person), reason, preview, kinds=("merge",))


def _in_force(office: Office, person: int) -> int:
    """The merge that says who a number is now: the last one that was not taken back."""
    standing = []
    for entry in chain.entries(office.store, kinds=("merge", "split")):
        if any(number == person for _, number, _, _ in entry.body["changes"]):
            if entry.kind == "merge":
                standing.append(entry.seq)
            else:
                standing.remove(entry.body["reverts"])
    return standing[-1]


def members(office: Office, person: int) -> list[int]:
    """The numbers that are one person now, the one that stands for all of them first."""
    kept = _now(office, person)
    return [kept, *(row[0] for row in office.store.rows("select id from person where merged = ? order by id", (kept,)))]


def _now(office: Office, person: int) -> int:
    """Who a number is. Raises UnknownName for nobody."""
    found = office.store.row("select coalesce(merged, id) from person where id = ?", (person,))
    if found is None:
        raise UnknownName("person", str(person), [])
    return int(found[0])


def _two(office: Office, ones: Sequence[int], others: Sequence[int]) -> list[Problem]:
    """Why these cannot be one person: they met, or both played in a round."""
    both = [*ones, *others]
    marks = ", ".join("?" * len(both))
    either = f"(first in ({marks}) or second in ({marks}))"
    sql = f"select id, event, round, first, second from game where voided = 0 and {either} order by id"
    problems = []
    played: dict[tuple[int, int], list[set[int]]] = {}
    for game, event, turn, first, second in office.store.rows(sql, [*both, *both]):
        sides = {first, second}
        if sides & {*ones} and sides & {*others}:
            problems.append(Problem(f"they met, in game {game} of event {event}: they are two people"))
        elif turn:
            seen = played.setdefault((event, turn), [set(), set()])
            seen[bool(sides & {*others})].add(game)
    for (event, turn), (mine, theirs) in played.items():
        if mine and theirs:
            text = f"both played in round {turn} of event {event} (games {min(mine)} and {min(theirs)})"
            problems.append(Problem(f"{text}: they are two people"))
    return problems


def _closed(office: Office, ones: Sequence[int], others: Sequence[int]) -> Iterator[Problem]:
    """Lists on which both held something when the base was moved: what they played before cannot be replayed as one
    person's."""
    for which in office.lists():
        held = held_at_base(office.store, which)
        if held & {*ones} and held & {*others}:
            text = f"both were on list {which.name!r} when its base was moved to {date.fromordinal(which.base)}"
            yield Problem(text, hint="take the moving of the base back first")


def in_one_line(name: str) -> str:
    """A name with single spaces. Raises UsageError for hidden characters, which no list could print."""
    return typed(" ".join(name.split()))


def describe(
    office: Office,
    person: int,
    *,
    name: str = "",
    aliases: Sequence[str] = (),
    identifiers: Mapping[str, str] = {},
    federation: str | None = None,
    since: date | None = None,
    reason: str = "",
) -> int:
    """Say more of a person, or otherwise than before: a new name, by which the old one stays an alias, other names,
    identifiers, and the federation they play for from a day on (none: as long as is known). Returns the entry.

    Raises UsageError if nothing is said, or what is blank, known or no text, DataError for an identifier of somebody
    else's.
    """
    store = office.store
    with store.writing():
        kept = _now(office, person)
        facts: dict[str, Any] = {}
        name, *others = (in_one_line(each) for each in (name, *aliases))
        others = [each for each in others if each]
        if name:
            facts["name"] = name
            before = store.value("select name from name where person = ?", (kept,))
            others += [before] if before and before != name else []
        facts |= {"aliases": others} if others else {}
        facts |= {"identifiers": dict(identifiers)} if identifiers else {}
        if federation is not None:
            facts["federations"] = [(since.toordinal() if since else 0, federation.strip().upper())]
        if blank := [
            f"{body}={number}" for body, number in identifiers.items() if not (body.strip() and number.strip())
        ]:
            raise UsageError(f"{', '.join(blank)}: an identifier is a body and its number")
        if not facts:
            raise UsageError("say what is to be known of the person: a name, an identifier, a federation")
        for body, number in identifiers.items():
            typed(f"{body}={number}")
            whose = store.value("select person from identifier where body = ? and number = ?", (body, number))
            if whose and _now(office, whose) == kept:
                raise UsageError(f"{body} {number} is known of person {kept}")
            if whose:
                raise DataError(
                    [Problem(f"{body} {number} is person {whose}'s", hint="if they are one person, merge them")]
                )
        words = {f"p{kept}": chain.canonical(facts)}
        return chain.append(store, office.actor, "people", {"people": [kept]}, reason, words)[0]


def federations(office: Office, person: int) -> tuple[tuple[date | None, str], ...]:
    """(since, code) of every federation a person has played for, oldest first; None: as long as is known."""
    found = _federations(office, [person]).get(person, [])
    return tuple((date.fromordinal(since) if since else None, code) for since, code in found)


def federations_on(office: Office, persons: Iterable[int], day: date) -> dict[int, str]:
    """The federation that each person played for on a day; without those of whom none is known, or none is shown."""
    wanted = list(persons)
    unseen = office.unseen("federation", wanted)
    held = _federations(office, [person for person in wanted if person not in unseen])
    codes: dict[int, str] = {}
    for person, dated in held.items():
        code = next((code for since, code in reversed(dated) if since <= day.toordinal()), "")
        codes |= {person: code} if code else {}
    return codes


def every_federation(office: Office) -> Mapping[int, Sequence[tuple[int, str]]]:
    """(since, code) of everybody's federations, oldest first, as far as they are shown; since is an ordinal."""
    everybody = [row[0] for row in office.store.rows("select id from person where merged is null")]
    unseen = office.unseen("federation", everybody)
    return _federations(office, [person for person in everybody if person not in unseen])


def _federations(office: Office, persons: Sequence[int]) -> dict[int, list[tuple[int, str]]]:
    """Dated federations by person, oldest first; those of merged people count where their own say nothing that day."""
    whose = {person: person for person in persons}
    whose |= dict(office.store.among("select id, merged from person where merged in ? order by id", persons))
    held: dict[int, dict[int, str]] = {}
    for person, since, code in office.store.among(
        "select person, since, code from federation where person in ?", whose
    ):
        dated = held.setdefault(whose[person], {})
        if person == whose[person] or since not in dated:
            dated[since] = code
    return {person: sorted(dated.items()) for person, dated in held.items()}


def show(office: Office, person: int, levels: Mapping[str, str], reason: str = "") -> int:
    """Say who may see which field of a person (0: of everybody of whom nothing else is said): `public`, `members`, or
    `officers` alone; blank: as usual. Returns the entry. Raises DataError for unknown fields and levels."""
    problems = [
        Problem(f"there is no field {field!r} to show", hint=f"known: {', '.join(LEVELS)}")
        for field in levels
        if field not in LEVELS
    ]
    problems += [
        Problem(f"{field}: nobody is called {level!r}", hint=f"known: {', '.join(AUDIENCES)}")
        for field, level in levels.items()
        if level and level not in AUDIENCES
    ]
    if problems:
        raise DataError(problems)
    if not levels:
        raise UsageError("say which field is for whom")
    with office.store.writing():
        kept = _now(office, person) if person else 0
        body = {"person": kept, "levels": dict(levels)}
        return chain.append(office.store, office.actor, "visibility", body, reason)[0]
