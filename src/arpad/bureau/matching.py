"""Who is who: the people of a report against those of the register. Never by name alone.

Somebody is found by an identifier whose name fits, or by name and year of birth where that is one person; all else is
held for an officer, with whom it may be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from arpad.bureau.opened import Office, birth_date
from arpad.ledger.spelling import alike, spelling
from arpad.model import PartialDate, Problem

#: A rating in a report that is so far from the register's is somebody else's, or a slip.
FAR = 400

How = Literal["decided", "identifier", "name and year of birth", "new", "held"]


class Named(msgspec.Struct, frozen=True):
    """A player as a report has them: `key` is what its games call them."""

    key: str
    name: str
    identifiers: Mapping[str, str] = {}
    born: PartialDate | None = None
    federation: str = ""
    rating: float | None = None
    line: int = 0


class Known(msgspec.Struct, frozen=True):
    """A person of the register."""

    id: int
    names: tuple[str, ...]
    born: PartialDate | None
    identifiers: Mapping[str, str]
    further: tuple[str, ...] = ()  # more identifiers, of bodies that gave several

    def words(self) -> str:
        """`person 7, 'Bianchi, Anna' (1990; fide 10023)`: the name in quotes, as whatever people wrote."""
        facts = [str(self.born.year)] if self.born else []
        facts += [f"{body} {number}" for body, number in sorted(self.identifiers.items())]
        facts += self.further
        called = repr(self.names[0]) if self.names else "no name"
        return f"person {self.id}, {called}" + (f" ({'; '.join(facts)})" if facts else "")


class Match(msgspec.Struct, frozen=True):
    """Who a player of a report is; `person` is 0 for somebody new, or held."""

    named: Named
    person: int
    how: How
    candidates: tuple[Known, ...] = ()
    problem: Problem | None = None


def match(
    office: Office,
    people: Sequence[Named],
    decided: Mapping[str, int] = {},
    register: bool = False,
    ratings: Mapping[int, float] = {},
    source: str = "",
) -> list[Match]:
    """Everybody in a report. `decided`: persons by key, 0 for somebody new; `register`: whoever is like nobody in the
    register is new. `ratings`: what the register's people are rated, to see what is far from it."""
    sql = "select id, merged from person where merged is not null and id in ?"
    now: dict[int, int] = dict(office.store.among(sql, decided.values()))
    decided = {key: now.get(person, person) for key, person in decided.items()}
    found = _Register(office, people, decided)
    far = _far(found, people, ratings)
    matches = [_one(found, each, decided, register, far, source) for each in people]
    return _apart(matches, source)


def _far(found: _Register, people: Sequence[Named], ratings: Mapping[int, float]) -> Mapping[int, float]:
    """The ratings of those whom a report rates far otherwise. A club's own scale may lie hundreds of points from a
    federation's, and then everybody is far off: of three or more, those are who are far from the middle difference."""
    apart = {
        person: each.rating - ratings[person]
        for each in people
        for person in {found.by_identifier.get(held, 0) for held in each.identifiers.items()}
        if each.rating and person in ratings
    }
    middle = sorted(apart.values())[(len(apart) - 1) // 2] if len(apart) > 2 else 0.0
    scale = middle if abs(middle) > FAR else 0.0
    return {person: ratings[person] for person, difference in apart.items() if abs(difference - scale) > FAR}


class _Register:
    """The part of the register that these people may be in."""

    def __init__(self, office: Office, people: Sequence[Named], decided: Mapping[str, int]) -> None:
        store = office.store
        numbers = {number for each in people for number in each.identifiers.values()}
        joined = "identifier join person on person.id = identifier.person"
        sql = f"select body, number, coalesce(merged, id) from {joined} where number in ?"
        self.by_identifier = {(body, number): person for body, number, person in store.among(sql, numbers)}
        wanted = {spelling(each.name) for each in people} - {""}
        joined = "spelling join person on person.id = spelling.person"
        sql = f"select folded, coalesce(merged, id) from {joined} where folded in ?"
        self.by_name: dict[str, list[int]] = {}
        for folded, person in store.among(sql, wanted):
            self.by_name.setdefault(folded, []).append(person)
        persons = {*self.by_identifier.values(), *decided.values()}
        persons |= {person for held in self.by_name.values() for person in held}
        self.known = known(office, persons - {0})

    def called(self, name: str) -> list[Known]:
        return [self.known[person] for person in sorted(set(self.by_name.get(spelling(name), ())))]


def known(office: Office, persons: Iterable[int]) -> dict[int, Known]:
    """People of the register by id, with what is said of those who were merged into them."""
    wanted = sorted(set(persons))
    store = office.store
    exist = {row[0] for row in store.among("select id from person where id in ?", wanted)}
    whose = {person: person for person in wanted}
    whose |= dict(store.among("select id, merged from person where merged in ? order by id", wanted))
    names: dict[int, list[str]] = {person: [] for person in wanted}
    born: dict[int, int] = {}
    found = {row[0]: row for row in store.among("select person, name, born from name where person in ?", whose)}
    for person, name, when in (found[each] for each in whose if each in found):  # their own before others'
        names[whose[person]] += [name] if name else []
        born[whose[person]] = born.get(whose[person]) or when
    for person, name in store.among("select person, name from alias where person in ? order by name", whose):
        names[whose[person]].append(name)
    numbers: dict[int, dict[str, str]] = {person: {} for person in wanted}
    further: dict[int, list[str]] = {person: [] for person in wanted}
    given = store.among("select person, body, number from identifier where person in ? order by body, number", whose)
    for person, body, number in sorted(given, key=lambda row: row[0] != whose[row[0]]):
        if body in numbers[whose[person]]:
            further[whose[person]].append(f"{body} {number}")
        else:
            numbers[whose[person]][body] = number
    return {
        person: Known(
            person,
            tuple(dict.fromkeys(names[person])),
            birth_date(born.get(person, 0)),
            numbers[person],
            tuple(further[person]),
        )
        for person in wanted
        if person in exist
    }


def _one(
    found: _Register,
    named: Named,
    decided: Mapping[str, int],
    register: bool,
    far: Mapping[int, float],
    source: str,
) -> Match:
    def held(text: str, hint: str, candidates: Sequence[Known] = ()) -> Match:
        problem = Problem(f"{named.name or named.key!r}: {text}", source, named.line, hint=hint)
        return Match(named, 0, "held", tuple(candidates), problem)

    if named.key in decided:
        person = decided[named.key]
        if person and person not in found.known:
            return held(f"there is no person {person}", "decide for one of the register, or for a new one")
        return Match(named, person, "decided" if person else "new")
    persons = {
        found.by_identifier[body, number]: f"{body} {number}"
        for body, number in named.identifiers.items()
        if (body, number) in found.by_identifier
    }
    alikes = found.called(named.name)
    if len(persons) > 1:
        whose = "; ".join(f"{what} is {found.known[person].words()}" for person, what in persons.items())
        return held(f"the identifiers are those of several people: {whose}", "decide who it is")
    if persons:
        person, what = next(iter(persons.items()))
        return _identified(found.known[person], what, named, alikes, far, held)
    numbers = ", ".join(f"{body} {number}" for body, number in named.identifiers.items())
    year = named.born.year if named.born else None
    same = [each for each in alikes if year and each.born and each.born.year == year]
    clash = [each for each in same if any(each.identifiers.get(b, n) != n for b, n in named.identifiers.items())]
    if len(same) == 1 and not clash:
        return Match(named, same[0].id, "name and year of birth")
    if alikes:
        text = f"{numbers} is not in the register" if numbers else "the report has no identifier"
        who = "; ".join(each.words() for each in alikes[:8])
        return held(
            f"{text}, and a name alone is nobody: it may be {who}",
            "decide who it is, or that it is somebody new",
            alikes,
        )
    if register:
        return Match(named, 0, "new")
    return held("nobody of the register", "register whoever is new, or decide who it is")


def _identified(
    person: Known, what: str, named: Named, alikes: Sequence[Known], far: Mapping[int, float], held: object
) -> Match:
    assert callable(held)
    others = [each for each in alikes if each.id != person.id]
    suggestion = f"; did you mean {' or '.join(each.words() for each in others)}?" if others else ""
    hold: Match
    if named.name and person.names and not any(alike(named.name, name) for name in person.names):
        hold = held(f"{what} is {person.words()}{suggestion}", "decide who it is", others or [person])
        return hold
    if named.born and person.born and named.born.year != person.born.year:
        hold = held(
            f"{what} is {person.words()}, born in another year than {named.born.year}{suggestion}",
            "decide who it is",
            [person],
        )
        return hold
    rated = far.get(person.id)
    if rated is not None and named.rating:
        text = f"{what} is {person.words()}, rated {rated:.0f} here and {named.rating:.0f} in the report{suggestion}"
        hold = held(text, "decide who it is", [*others, person])
        return hold
    return Match(named, person.id, "identifier")


def _apart(matches: list[Match], source: str) -> list[Match]:
    """Two players of one report are two people."""
    first: dict[int, Named] = {}
    apart = []
    for each in matches:
        earlier = first.setdefault(each.person, each.named) if each.person else each.named
        if earlier is not each.named:
            both = f"{each.named.name or each.named.key!r} and {earlier.name or earlier.key!r} (line {earlier.line})"
            text = f"{both} are one person, {each.person}"
            problem = Problem(text, source, each.named.line, hint="decide who each of them is")
            each = Match(each.named, 0, "held", (), problem)
        apart.append(each)
    return apart
