"""The games of an event, and what they did: read once, for its table and for the figures of everybody in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from arpad.bureau.cards import EventLine, rows_of, taken, written_down
from arpad.bureau.cards import event as event_card
from arpad.bureau.filed import Filed
from arpad.bureau.opened import Office, RatingList
from arpad.errors import ArpadError
from arpad.performances import performance
from arpad.web.views.crosstables import Kind, Meeting, sign
from arpad.working import known

NAN = float("nan")
NONE = (NAN, NAN)


class Played(msgspec.Struct, frozen=True):
    """A game that counts, with what the list's replay wrote down of both sides; nan: nothing. `met` are the ratings
    that were used, `before`, `after` and `k` those of what was settled at once."""

    line: EventLine
    met: tuple[float, float] = NONE
    before: tuple[float, float] = NONE
    after: tuple[float, float] = NONE
    expected: tuple[float, float] = NONE
    k: tuple[float, float] = NONE
    match: str = ""

    def change(self, side: int) -> float | None:
        return (self.line.first_change, self.line.second_change)[side]

    def score(self, side: int) -> float | None:
        return (self.line.score, self.line.other)[side]


class Done(msgspec.Struct, frozen=True):
    """What an event did to a player: see `event.Entrant`."""

    rated: int = 0
    scored: float = 0.0
    expected: float | None = None
    before: float | None = None
    average: float | None = None
    performance: float | None = None
    k: float | None = None
    change: float | None = None
    after: float | None = None


def played(office: Office, which: RatingList | None, number: int) -> Iterator[Played]:
    """The games of an event that count, round by round."""
    lines = event_card(office, number, which.name if which else None).lines
    sql = "select id, more from game where event = ? and voided = 0 and more <> ''"
    matches = {game: _match(more) for game, more in office.store.rows(sql, (number,))}
    told: dict[int, dict[str, Any]] = {}
    if which is not None:
        history = office.history(which)
        down, recording = written_down(office, which, history), history.recording
        rows = rows_of(history, [line.game for line in lines])
        places = [at for row in rows for at in (2 * row, 2 * row + 1)]
        columns = {"met": recording.before, "before": down.before, "after": down.after, "k": down.k}
        held = {name: taken(column, places) for name, column in columns.items()}
        expects = list(zip(taken(recording.expects, rows), taken(recording.expects_second, rows)))
        for at, game in enumerate(taken(history.games.line, rows)):
            both = {name: (values[2 * at], values[2 * at + 1]) for name, values in held.items()}
            told[game] = {**both, "expected": expects[at]}
    for line in lines:
        yield Played(line, match=matches.get(line.game, ""), **told.get(line.game, {}))


def _match(more: str) -> str:
    return str(msgspec.json.decode(more).get("labels", {}).get("match", ""))


def meetings(games: Sequence[Played], held: Filed | None, colours: str = "wb") -> dict[int, list[Meeting]]:
    """Everybody's rounds: rated games as they count now, the rest as the report has it. A key is a person, or less
    than 0 the starting number of somebody who is nobody in the register. `colours`: what the two sides have."""
    found: dict[int, list[Meeting]] = {}
    there: set[tuple[int, int]] = set()
    for game in games:
        line = game.line
        for side, (own, other) in enumerate(((line.first, line.second), (line.second, line.first))):
            score = game.score(side)
            kind: Kind = "pending" if score is None else "game"
            facts = (line.round, other, colours[side : side + 1], sign(score), score or 0.0, kind)
            found.setdefault(own, []).append(Meeting(*facts, line.game, game.change(side)))
            there.add((own, line.round))
    if held is None:
        return found
    keys = {at: person or -at for at, person in held.people.items()}
    for each in held.unplayed:
        key, opponent = keys[each.player], keys.get(each.opponent, 0)
        if (key, each.round) not in there:
            written = {"": "*" if opponent else "", "-": "−"}.get(each.code, each.code)
            meeting = Meeting(each.round, opponent, "", written, each.points, _kind(each.code, opponent))
            found.setdefault(key, []).append(meeting)
    for key in keys.values():
        found.setdefault(key, [])
    return found


def _kind(code: str, opponent: int) -> Kind:
    if code in ("+", "-"):
        return "forfeit"
    if not opponent:
        return "bye"
    return "short" if code else "pending"


def done(office: Office, which: RatingList | None, games: Sequence[Played], method: str) -> dict[int, Done]:
    """What the games did, by person; performances by a method (see `method`)."""
    sides: dict[int, list[tuple[Played, int]]] = {}
    for game in games:
        sides.setdefault(game.line.first, []).append((game, 0))
        sides.setdefault(game.line.second, []).append((game, 1))
    return {person: _done(office, which, held, method) for person, held in sides.items()}


def _done(office: Office, which: RatingList | None, held: Sequence[tuple[Played, int]], method: str) -> Done:
    counted = [(game, side) for game, side in held if game.change(side) is not None]
    met = [(game.met[1 - side], score) for game, side in held if (score := game.score(side)) is not None]
    against = [(rating, score) for rating, score in met if rating == rating]
    ks = {game.k[side] for game, side in counted}
    (first, own), (last, side) = held[0], held[-1]
    return Done(
        len(counted),
        sum(game.score(side) or 0.0 for game, side in counted),
        known(sum(game.expected[side] for game, side in counted)) if counted else None,
        known(first.before[own]),
        sum(rating for rating, _ in against) / len(against) if against else None,
        _performed(office, which, method, against),
        known(ks.pop()) if len(ks) == 1 else None,
        sum(game.change(side) or 0.0 for game, side in counted) if counted else None,
        known(last.after[side]),
    )


def method_of(office: Office, which: RatingList | None) -> str:
    """How performances are rated: FIDE's way under its rules, else the true one on the rules' curve; blank where they
    have none."""
    if which is None:
        return ""
    book = office.book(which)
    if book.organisation == "FIDE":
        return "fide"
    try:
        performance([1500.0], 0.5, "true", rules=book)
    except ArpadError:
        return ""
    return "true"


def _performed(
    office: Office, which: RatingList | None, method: str, met: Sequence[tuple[float, float]]
) -> float | None:
    if not method or not met or which is None:
        return None
    book = office.book(which) if method == "true" else None
    try:
        found = performance(
            [rating for rating, _ in met], method=method, results=[score for _, score in met], rules=book
        )
    except ArpadError:  # ratings that a curve does not take
        return None
    return found.value


def declared(held: Filed | None) -> Mapping[int, int]:
    """Ranks that the report gave, by key."""
    if held is None:
        return {}
    entrants = held.report.by_number()
    return {person or -at: rank for at, person in held.people.items() if (rank := entrants[at].rank)}
