"""How a change came about: every game of an event with what it was worth and why, and the same in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

import msgspec

from arpad.bureau.cards import number_of
from arpad.bureau.opened import Office
from arpad.bureau.threads import Thread, Working, thread, workings
from arpad.errors import UnknownName
from arpad.rulebooks.clause import Clause
from arpad.sentences import PHRASES, words
from arpad.told import ChangeExplained
from arpad.working import GameWorking


class Cited(msgspec.Struct, frozen=True):
    """A rule that had a say: its article, where that stands, what it says."""

    article: str
    source: str
    text: str
    unsure: bool


class GameWorked(msgspec.Struct, frozen=True):
    """One game, as the person saw it. `difference` is that of the ratings, `counted` what a cap left of it; `factors`
    multiply score minus expected. `change` is None where the game was not rated, which `note` says why; `other`: it
    was settled at once with the event that was asked for, and belongs to another one."""

    game: int
    event: int
    event_name: str
    other: bool
    day: date | None
    round: int
    opponent: int
    opponent_name: str
    own: float | None
    opponent_rating: float | None
    difference: float | None
    counted: float | None
    score: float
    expected: float | None
    factors: Mapping[str, float]
    k: float | None
    bonus: float
    change: float | None
    note: str
    articles: tuple[Cited, ...]


class Worked(msgspec.Struct, frozen=True):
    """A change: `exact` before rounding and bounds, `change` after them. `sentences`: what happened, then how."""

    kind: str
    day: date | None
    before: float | None
    after: float | None
    change: float | None
    score: float
    expected: float | None
    k: float | None
    exact: float | None
    rules: str
    edition: str
    reason: str
    games: tuple[GameWorked, ...]
    articles: tuple[Cited, ...]
    sentences: tuple[str, ...]


class Explained(msgspec.Struct, frozen=True):
    """Changes of a person on a list, oldest first: those that an event had part in, or the last ones."""

    person: int
    name: str
    list: str
    event: int | None
    event_name: str
    found: int
    start: int
    size: int
    changes: tuple[Worked, ...]

    @property
    def shared(self) -> tuple[Cited, ...]:
        return shared(self.changes)


def explained(
    office: Office,
    who: str | int,
    name: str | None = None,
    event: int | None = None,
    day: date | None = None,
    language: str = "en",
    start: int = 0,
    size: int = 50,
) -> Explained:
    """What an event did to a person's rating, and how; `day`: of games that belong to none, only those of the day.
    Without an event, the last changes, `start` of them left out.

    Raises UnknownName for nobody, for a language that is not there, and for an event that they did not play in.
    """
    with office.store.reading():
        person = number_of(office, who)
        which = office.which(name)
        held = thread(office, which, person)
        found = list(workings(office, which, held))
        if event is not None:
            found = [each for each in found if _part(held, each, event, day)]
            if not found:
                raise UnknownName(f"event of person {person}", str(event), map(str, sorted(set(held.events))[-20:]))
        chosen = found[max(0, len(found) - start - size) : max(0, len(found) - start)]
        people = {held.opponents[at] for each in chosen for at in each.at}
        names = office.names([person, *people])
        events = office.titles({held.events[at] for each in chosen for at in each.at} | {event or 0})
        told = Teller(held, names, events, event, language)
        return Explained(
            person,
            names[person],
            which.name,
            event,
            events.get(event or 0, ""),
            len(found),
            start,
            size,
            tuple(told(each) for each in chosen),
        )


def _part(held: Thread, working: Working, event: int, day: date | None) -> bool:
    return any(
        held.events[at] == event and (day is None or not held.loose[at] or held.days[at] == day.toordinal())
        for at in working.at
    )


class Teller:
    """Says changes of one person in a language."""

    def __init__(
        self, held: Thread, names: Mapping[int, str], events: Mapping[int, str], event: int | None, language: str
    ) -> None:
        self.held, self.names, self.events, self.event, self.language = held, names, events, event, language
        self.called = {str(person): name for person, name in names.items()}

    def __call__(self, working: Working) -> Worked:
        change = working.change
        games = tuple(self.game(change, game, at) for game, at in zip(change.games, working.at))
        return Worked(
            change.kind,
            change.day,
            change.before,
            change.after,
            change.change,
            change.score,
            change.expected,
            change.k,
            change.exact,
            change.body,
            change.edition,
            change.reason,
            games,
            cited(change.clauses, self.language),
            tuple(words([change], self.language, self.called)),
        )

    def game(self, change: ChangeExplained, game: GameWorking, at: int) -> GameWorked:
        held = self.held
        number = held.events[at]
        return GameWorked(
            held.games[at],
            number,
            self.events[number],
            self.event not in (None, number),
            game.day,
            game.round,
            held.opponents[at],
            self.names[held.opponents[at]],
            game.own,
            game.opponent_rating,
            game.difference,
            game.counted,
            game.score,
            game.expected,
            dict(game.factors),
            None if game.note else game.k if game.k is not None else change.k,
            game.bonus,
            held.change[at],
            PHRASES[self.language][game.note] if game.note else "",
            cited(game.clauses, self.language),
        )


def shared(changes: Sequence[Worked]) -> tuple[Cited, ...]:
    """Rules that had a say in each of several changes."""
    had = [tuple(each for game in change.games for each in game.articles) + change.articles for change in changes]
    return tuple(each for each in had[0] if all(each in others for others in had[1:])) if had else ()


def cited(clauses: Sequence[Clause], language: str) -> tuple[Cited, ...]:
    """Each clause once, in the reader's language; English where the rulebook has no other."""
    found = {
        (clause.article, text): Cited(clause.article, clause.source, text, clause.status == "unsure")
        for clause in clauses
        if (text := clause.text.get(language) or clause.text.get("en", "")) or clause.article
    }
    return tuple(found.values())
