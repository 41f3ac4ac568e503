"""A person's sheet on a list, line by line as the replay went: each game with both ratings and what K was made of, and
the entries, blends and corrections between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from arpad.acts import KINDS
from arpad.bureau.cards import find
from arpad.bureau.opened import Office

if TYPE_CHECKING:
    from arpad.acts import ActDone
    from arpad.engine import History
    from arpad.rulebooks.schema import Row
    from arpad.told import ChangeExplained
    from arpad.working import GameWorking


class SheetLine(msgspec.Struct, frozen=True):
    """What one game, act or day did.

    `before` is the own rating, `other` the opponent's, or what an act brought; `games` how many the player had before
    it, `other_games` how many an act brought. `expected` is We, `r` and `p` are the parts of `k`, `f` the factor of the
    game. Where several games are settled at once, `k` is theirs and `after` stands at the last of them.
    """

    date: date | None
    kind: str
    opponent: int | None
    name: str
    before: float | None
    other: float | None
    games: int | None
    other_games: int | None
    score: float | None
    expected: float | None
    r: float | None
    p: float | None
    k: float | None
    f: float | None
    after: float | None
    note: str


def sheet(office: Office, who: str | int, name: str | None = None) -> list[SheetLine]:
    """The sheet of a person on a list. Raises UnknownName for nobody, and for a list that is not there."""
    from arpad.explain import explain

    with office.store.reading():
        person = find(office, who).id
        history = office.history(office.which(name))
        done = iter([act for act in history.acts if act.player == str(person)])
        lines = []
        played = float(history.begun[history.system.width * history.code(str(person)) + 1])
        for change in explain(history, str(person)):
            if change.games:
                lines += list(_games(history, change, played))
                played += sum(not game.note for game in change.games)
            elif change.kind in KINDS:
                act = next(done)
                lines.append(_act(change, act, played))
                played = act.games
            else:
                lines.append(_line(change))
        names = office.names({line.opponent for line in lines if line.opponent})
    return [msgspec.structs.replace(line, name=names[line.opponent]) if line.opponent else line for line in lines]


def _games(history: History, change: ChangeExplained, played: float) -> Iterator[SheetLine]:
    p = _part(history, change)
    last = len(change.games) - 1
    for at, game in enumerate(change.games):
        k = None if game.note else change.k
        yield SheetLine(
            date=game.day,
            kind="game",
            opponent=int(game.opponent),
            name="",
            before=game.own,
            other=game.opponent_rating,
            games=int(played),
            other_games=None,
            score=game.score,
            expected=game.expected,
            r=k / p if k is not None and p else None,
            p=p if k is not None else None,
            k=k,
            f=_factor(game),
            after=change.after if at == last else None,
            note=game.note,
        )


def _act(change: ChangeExplained, done: ActDone, played: float) -> SheetLine:
    act = done.act
    brought = act.rating if act.rating == act.rating else None
    note = done.note or act.category
    line = _line(change)
    return msgspec.structs.replace(line, other=brought, games=int(played), other_games=act.games, note=note)


def _line(change: ChangeExplained) -> SheetLine:
    blank = dict.fromkeys(("opponent", "other", "games", "other_games", "score", "expected", "r", "p", "k", "f"))
    return SheetLine(
        date=change.day, kind=change.kind, name="", before=change.before, after=change.after, note="", **blank
    )


def _factor(game: GameWorking) -> float | None:
    """What multiplied score minus expected."""
    if game.note:
        return None
    factor = 1.0
    for _, value in game.factors:
        factor *= value
    return factor


def _part(history: History, change: ChangeExplained) -> float | None:
    """The factor that is a part of K, where the rules have one: 1 where they have none."""
    rows = {id(row): row for edition in history.rulebook.editions for row in edition.k_factor}
    row = next((rows[id(clause)] for clause in change.clauses if id(clause) in rows), None)
    return 1.0 if row is None else _number(row, change.facts)


def _number(row: Row, facts: Mapping[str, float]) -> float | None:
    """What a row gives: its number, or the place on its ramp."""
    if row.ramp is None:
        return row.value
    x = facts.get(row.ramp.of)
    if x is None:
        return None
    points = row.ramp.points
    if x <= points[0][0]:
        return points[0][1]
    for (low, start), (high, end) in pairwise(points):
        if x <= high:
            return start + (x - low) * (end - start) / (high - low)
    return points[-1][1]
