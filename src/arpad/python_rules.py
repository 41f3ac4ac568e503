"""Rules that a user writes in Python: `meet` and `settle`, run as they are, in the same replay as every other.

    class Ladder:
        name = "our ladder"
        unit = "game"                     # or event, period:month, … as in a rulebook
        start = 1000.0                    # None: games of unknown players are not rated

        def meet(self, first, second, game):
            expected = arpad.expected_score(first.rating, second.rating)
            return Evidence(game.score, expected), Evidence(game.other, 1 - expected)

        def settle(self, me, evidence):
            return me.rating + 24 * evidence.gain

    arpad.replay("games.csv", rules=Ladder())

A file that ends in `.py` and defines the same names is accepted wherever a rulebook is (`--rules ./ladder.py`). The
order of games, batches, frozen states, start lists, acts, checkpoints and tables are those of the replay; only the two
formulas are the user's.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from arpad.acts import STATE
from arpad.columns import filled
from arpad.errors import UsageError
from arpad.model import Column, Games
from arpad.plan import KNOCKOUT, NEUTRAL
from arpad.rulebooks import load
from arpad.rulebooks.book import Rulebook, Value


class Player(msgspec.Struct, frozen=True):
    """What the replay knows of a player when a game is met: rating, games played, highest rating so far."""

    name: str
    rating: float
    games: int
    peak: float


class Meeting(msgspec.Struct, frozen=True):
    """A game: what the first and the second side scored, and what else the file says of it (nan where nothing)."""

    score: float
    other: float
    margin: float
    importance: float
    neutral: bool
    knockout: bool
    season: int


class Evidence(msgspec.Struct, frozen=True):
    """What games say of one side. It adds up: several games of a batch are one evidence."""

    score: float
    expected: float
    weight: float = 1.0
    games: int = 1
    gain: float | None = None  # weight * (score - expected), unless given

    def __add__(self, other: Evidence) -> Evidence:
        return Evidence(
            self.score + other.score,
            self.expected + other.expected,
            1.0,
            self.games + other.games,
            self.total + other.total,
        )

    @property
    def total(self) -> float:
        return self.weight * (self.score - self.expected) if self.gain is None else self.gain


class PythonRules(Protocol):
    """What a user writes; `name`, `unit` and `start` may be left out."""

    def meet(self, first: Player, second: Player, game: Meeting) -> tuple[Evidence, Evidence]: ...

    def settle(self, me: Player, evidence: Evidence) -> float: ...


def is_python(rules: object) -> bool:
    """Whether these are rules written in Python: an object, or the path of a file."""
    if isinstance(rules, (str, Path)):
        return str(rules).endswith(".py")
    return callable(getattr(rules, "meet", None)) and callable(getattr(rules, "settle", None))


def rules_of(source: Any) -> PythonRules:
    """Rules from an object or a file. Raises UsageError for a file that cannot be run or lacks `meet` or `settle`."""
    if not isinstance(source, (str, Path)):
        found: PythonRules = source
        return found
    from importlib.util import module_from_spec, spec_from_file_location

    path = Path(source)
    if not path.is_file():
        raise UsageError(f"there is no file {path}")
    spec = spec_from_file_location(f"arpad_rules_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} is no Python file")
    module: Any = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # whatever a user's file does wrong
        raise UsageError(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    for name in ("meet", "settle"):
        if not callable(getattr(module, name, None)):
            raise UsageError(f"{path} does not define {name}")
    if not hasattr(module, "name"):
        module.name = path.name
    loaded: PythonRules = module
    return loaded


def book_of(rules: PythonRules) -> Rulebook:
    """The frame that Python rules stand in: what is settled at once, and where a newcomer starts.

    Raises UsageError for a unit or a start that no rulebook could have.
    """
    start = getattr(rules, "start", 1500.0)
    unit = str(getattr(rules, "unit", "game"))
    frame = load("elo", {"unit": unit, "start": "none" if start is None else float(start)})
    (edition,) = frame.editions
    words = {"en": "as the rules written in Python say"}
    said = replace(
        edition,
        curve=replace(edition.curve, text=words, source="meet"),
        k=[replace(row, text=words, source="settle") for row in edition.k],
    )
    name = str(getattr(rules, "name", type(rules).__name__))
    told: dict[str, Value] = {"python": _source(rules)}
    return replace(frame, name=name, organisation="none", title={"en": name}, editions=(said,), settings=told)


def _source(rules: PythonRules) -> str:
    """What tells one version of the rules from another, for checkpoints: a digest of their text."""
    import hashlib
    import inspect

    try:
        text = inspect.getsource(rules if inspect.ismodule(rules) else type(rules))
    except (OSError, TypeError):  # typed in at a prompt
        text = repr(rules)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def runner(rules: PythonRules, players: Sequence[str]) -> Callable[..., int]:
    """A function that takes the kernel's place: the same columns in and out, `meet` and `settle` in Python."""

    def player(state: Column, code: int) -> Player:
        at = STATE * code
        return Player(players[code], float(state[at]), int(state[at + 1]), float(state[at + 2]))

    def learn(state: Column, code: int, evidence: Evidence) -> float:
        rating = float(rules.settle(player(state, code), evidence))
        if rating != rating or abs(rating) > 1e9:
            raise UsageError(f"settle gave {players[code]} a rating of {rating}")
        at = STATE * code
        state[at], state[at + 1] = rating, state[at + 1] + evidence.games
        state[at + 2] = max(float(state[at + 2]), rating)
        return rating

    def run(
        state: Column, compiled: Column, segments: Column, first: Column, second: Column, score: Column, scores: Column,
        margin: Column, flags: Column, importance: Column, season: Column, year: Column, born: Column, event: Column,
        lag: Column, lists: Column, evidence: Column, touched: Column, before: Column, expects: Column,
        expects_second: Column, after: Column, used_k: Column, gains: Column, changes: Column, totals: Column,
    ) -> int:  # fmt: skip
        entry = compiled[36]
        held: dict[int, tuple[float, Evidence]] = {}
        rows = 0
        for number in range(0, len(segments), 6):
            start, stop, *_, bits = segments[number : number + 6]
            for row in range(start, stop):
                sides = int(first[row]), int(second[row])
                for code in sides:
                    if state[STATE * code] != state[STATE * code] and entry == entry and not state[STATE * code + 1]:
                        state[STATE * code] = state[STATE * code + 2] = entry
                was = [float(state[STATE * code]) for code in sides]
                if len(before):
                    before[2 * row], before[2 * row + 1] = was
                if was[0] != was[0] or was[1] != was[1]:
                    totals[3] += 1
                    continue
                flag = flags[row] if len(flags) else 0
                meeting = Meeting(
                    scores[2 * score[row]],
                    scores[2 * score[row] + 1],
                    margin[row] if len(margin) else float("nan"),
                    importance[row] if len(importance) else float("nan"),
                    bool(flag & NEUTRAL),
                    bool(flag & KNOCKOUT),
                    int(season[row]) if len(season) else 0,
                )
                found = rules.meet(player(state, sides[0]), player(state, sides[1]), meeting)
                if len(expects):
                    expects[row], expects_second[row] = found[0].expected, found[1].expected
                if len(gains):
                    gains[2 * row], gains[2 * row + 1] = found[0].total, found[1].total
                if bits:
                    for code, rating, new in zip(sides, was, found):
                        held[code] = (rating, held[code][1] + new if code in held else new)
                    continue
                now = [learn(state, code, new) for code, new in zip(sides, found)]
                if len(after):
                    after[2 * row], after[2 * row + 1] = now
                    for side in (0, 1):
                        used_k[2 * row + side] = _k(now[side] - was[side], found[side].total)
            if bits % 2:
                for code, (rating, new) in held.items():
                    now_ = learn(state, code, new)
                    if len(changes):
                        told = number // 6, code, rating, now_, new.games, new.score, new.expected
                        changes[8 * rows : 8 * rows + 8] = _like(changes, [*told, _k(now_ - rating, new.total)])
                        rows += 1
                held = {}
        return rows

    return run


def _k(change: float, gain: float) -> float:
    """The coefficient that a change amounts to."""
    return change / gain if gain else 0.0


def _like(column: Column, values: Sequence[float]) -> Any:
    return array("d", values) if isinstance(column, array) else values


def all_facts(games: Games) -> dict[str, Column]:
    """The columns that a rulebook reads only if it asks, and Python rules may look at: margin, importance, season, and
    one byte of flags a game."""
    flags = filled("B", 0, len(games), games.first)
    for row in range(len(games)):
        neutral = games.neutral is not None and games.neutral[row] == 1
        knockout = games.knockout is not None and games.knockout[row] == 1
        flags[row] = NEUTRAL * neutral + KNOCKOUT * knockout
    told = {"margin": games.margin, "importance": games.importance, "season": games.season}
    return {"flags": flags, **{name: column for name, column in told.items() if column is not None}}
