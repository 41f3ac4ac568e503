"""What would come of games that were never handed in: the engine rates them, as it rates an event of one player.

Every number is the replay's and its explanation's, so a what-if has the digits of `arpad rate` on the same games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec
from msgspec.structs import replace

from arpad import office as door
from arpad.bureau.opened import Office
from arpad.errors import UsageError
from arpad.expectation import validate_rating
from arpad.explain import ChangeExplained
from arpad.model import Game, Games, PartialDate, Start
from arpad.rulebooks import Rulebook, Value, label
from arpad.rulebooks.clause import Clause
from arpad.rulebooks.schema import Row
from arpad.sentences import PHRASES
from arpad.views import ratings
from arpad.web.views.rulebooks import on_the_shelf
from arpad.web.views.workings import Cited, cited

#: Games of one question, and of them those without a result: each half point of these is a replay of its own.
MOST_GAMES, MOST_OPEN = 100, 30
#: Games that somebody has behind them of whom nothing is said: enough to be no newcomer anywhere.
ESTABLISHED = 100.0
#: How the sentences call whoever asks.
OWN = "X"
EVENT = "what if"


class Meeting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game: the opponent's rating (None: unrated), and what was scored against them (None: not played yet).

    `deviation` and `games` are the opponent's, where the rules ask."""

    rating: float | None
    score: float | None = None
    name: str = ""
    deviation: float | None = None
    games: float = ESTABLISHED


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whose rating (None: unrated), and which games. `rules` are a rulebook that ships, with its `settings`; `list`, a
    list of the office, goes before them. `day` None: today, as whoever asks has it.

    `played`, `peak`, `born` and `deviation` are what K and the like may depend on; `k` goes before all that. `target`:
    the rating that the open games are to reach."""

    rating: float | None
    games: tuple[Meeting, ...]
    rules: str = "fide/standard"
    list: str | None = None
    settings: Mapping[str, Value] = {}
    day: date | None = msgspec.field(default=None, name="date")
    played: float = ESTABLISHED
    peak: float | None = None
    born: str = ""
    deviation: float | None = None
    k: float | None = None
    target: float | None = None


class GameRated(msgspec.Struct, frozen=True):
    """A game as the rules see it. `own` is the rating that it was rated with, `counted` what is left of the difference,
    `change` K times `gain` before rounding; None where the game was not rated, and `note` says why."""

    opponent: str
    opponent_rating: float | None
    score: float
    own: float | None
    difference: float | None
    counted: float | None
    expected: float | None
    gain: float | None
    k: float | None
    change: float | None
    note: str


class FirstOf(msgspec.Struct, frozen=True):
    """A first rating's working: the games that count, and what they came to; `rating` None while they are too few."""

    games: int
    score: float
    mean: float | None
    percentage: int | None
    difference: float | None
    rating: float | None


class Total(msgspec.Struct, frozen=True):
    """What the open games' points in all would bring. They are won against the weakest first."""

    score: float
    rating: float | None
    change: float | None


class Answer(msgspec.Struct, frozen=True):
    """What comes of it. `after` is as a list would print it, `exact` as it is kept; `unrounded` is the change before
    rounding and bounds. `totals` is of the open games, `needed` the least of them that reaches the target (None: none
    does). `articles` are the rules that had a say, `words` says why, line by line."""

    rules: str
    organisation: str
    edition: str
    day: date
    before: float | None
    after: float | None
    exact: float | None
    change: float | None
    unrounded: float | None
    k: float | None
    score: float
    expected: float | None
    deviation: float | None
    games: tuple[GameRated, ...]
    first: FirstOf | None
    totals: tuple[Total, ...]
    target: float | None
    needed: float | None
    articles: tuple[Cited, ...]
    words: tuple[str, ...]
    notes: tuple[str, ...]


class _Rated(msgspec.Struct, frozen=True):
    changes: list[ChangeExplained]
    after: float | None
    exact: float | None
    deviation: float | None
    notes: tuple[str, ...]


def whatif(office: Office, question: Question, today: date, language: str = "en") -> Answer:
    """What the games would bring. Raises UnknownName for rules or a list that are not there, UsageError for numbers
    that cannot be and for rules that have no edition on the day, DataError where the rules ask more of a game."""
    _sound(question)
    day = question.day or today
    book = _book(office, question)
    edition = label(book.on(day))
    played = [meeting for meeting in question.games if meeting.score is not None]
    rated = _rate(book, question, day, played)
    totals = _totals(book, question, day)
    reached = (total.score for total in totals if question.target is not None and _reaches(total, question.target))
    sums = [change for change in rated.changes if change.kind != "newcomer"]
    ks = {change.k for change in sums if change.k is not None}
    return Answer(
        book.name,
        book.organisation,
        edition,
        day,
        question.rating,
        rated.after,
        rated.exact,
        None if question.rating is None or rated.after is None else rated.after - question.rating,
        _sum(change.exact if change.exact is not None else change.change for change in sums),
        ks.pop() if len(ks) == 1 else None,
        sum(meeting.score for meeting in played if meeting.score is not None),
        _sum(change.expected for change in sums),
        rated.deviation,
        tuple(game for change in sums for game in _games(change, language)),
        _first(rated.changes),
        totals,
        question.target,
        next(reached, None),
        cited([clause for change in rated.changes for clause in _clauses(change)], language),
        tuple(door.words(rated.changes, language, OWN)) if played else (),
        rated.notes,
    )


def _sound(question: Question) -> None:
    """Raises UsageError for what cannot be."""
    if len(question.games) > MOST_GAMES:
        raise UsageError(f"{len(question.games)} games: at most {MOST_GAMES} are looked at together")
    still_open = sum(meeting.score is None for meeting in question.games)
    if still_open > MOST_OPEN:
        raise UsageError(f"{still_open} games without a result: at most {MOST_OPEN} are looked at together")
    if question.target is not None and not still_open:
        raise UsageError("a target is for games that are still to be played: leave their score out")
    numbers = {"rating": question.rating, "peak": question.peak, "target": question.target}
    numbers |= {f"games[{at}].rating": meeting.rating for at, meeting in enumerate(question.games)}
    for name, value in numbers.items():
        if value is not None:
            validate_rating(value, name)
    amounts = {"played": question.played, "deviation": question.deviation, "k": question.k}
    for at, meeting in enumerate(question.games):
        amounts |= {f"games[{at}].deviation": meeting.deviation, f"games[{at}].games": meeting.games}
    for name, value in amounts.items():
        if value is not None and not 0 <= value <= 100_000:
            raise UsageError(f"{name} {value:g} is out of range: it lies between 0 and 100000")


def _book(office: Office, question: Question) -> Rulebook:
    """The rulebook asked for, with another K if one is named."""
    if question.list is not None:
        book = office.book(office.which(question.list))
    else:
        book = door.rulebook(on_the_shelf(question.rules), question.settings)
    if question.k is None:
        return book
    if not all(edition.k for edition in book.editions):
        raise UsageError(f"k: {book.name} has no K that could be another one")
    row = Row(value=question.k)
    return replace(book, editions=tuple(replace(edition, k=[row], k_factor=[]) for edition in book.editions))


def _rate(book: Rulebook, question: Question, day: date, played: Sequence[Meeting]) -> _Rated:
    """The games as an event of the day, through the engine."""
    names = [f"{number}. {meeting.name}".rstrip(" .") for number, meeting in enumerate(played, 1)]
    starts = [
        _start(name, meeting.rating, meeting.games, meeting.deviation)
        for name, meeting in zip(names, played)
        if meeting.rating is not None
    ]
    if question.rating is not None or question.born:
        own = _start(OWN, question.rating, question.played, question.deviation)
        starts.append(replace(own, peak=question.peak, born=_born(question.born)))
    games = [
        Game(OWN, name, meeting.score, date=day, event=EVENT, round=number)
        for number, (name, meeting) in enumerate(zip(names, played), 1)
    ]
    rated = door.rate([Games.of(games)], book, start=starts)
    history = rated.history
    notes = tuple(problem.message for problem in rated.problems if problem.severity != "note")
    if OWN not in history.players:
        return _Rated([], question.rating, question.rating, question.deviation, notes)
    row = dict(zip(*(ratings(history).columns[name] for name in ("player", "rating"))))
    states = history.state[history.system.width * history.code(OWN) :][: history.system.width]
    held = dict(zip(history.system.fields, states))
    exact, deviation = _number(held["rating"]), _number(held.get("deviation"))
    return _Rated(door.explain(rated, OWN), _number(row.get(OWN)), exact, deviation, notes)


def _start(player: str, rating: float | None, games: float, deviation: float | None) -> Start:
    facts = {} if deviation is None else {"deviation": deviation}
    return Start(player, rating, games if rating is not None else None, facts=facts)


def _born(text: str) -> PartialDate | None:
    try:
        return PartialDate.parse(text) if text else None
    except ValueError as error:
        raise UsageError(f"born: {error}") from None


def _number(value: Any) -> float | None:
    return None if value is None or value != value else float(value)


def _totals(book: Rulebook, question: Question, day: date) -> tuple[Total, ...]:
    """What each total of the open games would bring, from nothing up to all points."""
    still_open = [at for at, meeting in enumerate(question.games) if meeting.score is None]
    weakest = sorted(still_open, key=lambda at: question.games[at].rating or 0.0)
    found = []
    for halves in range(2 * len(still_open) + 1 if still_open else 0):
        games = list(question.games)
        for place, at in enumerate(weakest):
            games[at] = replace(games[at], score=min(2, max(0, halves - 2 * place)) / 2)
        rated = _rate(book, question, day, games)
        change = None if question.rating is None or rated.after is None else rated.after - question.rating
        found.append(Total(halves / 2, rated.after, change))
    return tuple(found)


def _reaches(total: Total, target: float) -> bool:
    return total.rating is not None and total.rating >= target


def _sum(values: Any) -> float | None:
    """The sum of what is known; None where nothing is."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _games(change: ChangeExplained, language: str) -> list[GameRated]:
    return [
        GameRated(
            game.opponent,
            game.opponent_rating,
            game.score,
            game.own,
            game.difference,
            game.counted,
            game.expected,
            game.gain,
            game.k if game.k is not None else change.k,
            _times(game.gain, game.k if game.k is not None else change.k),
            PHRASES[language][game.note] if game.note else "",
        )
        for game in change.games
    ]


def _clauses(change: ChangeExplained) -> Iterator[Clause]:
    for game in change.games:
        yield from game.clauses
    yield from change.clauses


def _times(gain: float | None, k: float | None) -> float | None:
    return None if gain is None or k is None else gain * k


def _first(changes: Sequence[ChangeExplained]) -> FirstOf | None:
    first = next((change.first for change in changes if change.first is not None), None)
    if first is None:
        return None
    return FirstOf(len(first.games), first.score, first.mean, first.percentage, first.difference, first.rating)
