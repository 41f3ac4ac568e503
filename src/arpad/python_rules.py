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

from pathlib import Path
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from arpad.columns import filled
from arpad.errors import UsageError
from arpad.leaving_out import KNOCKOUT, NEUTRAL
from arpad.model import Column, Games
from arpad.rulebooks import load
from arpad.rulebooks.book import Rulebook, Value
from arpad.stretch import COMMON, Stretch, System, nothing

#: Numbers of a player's state.
STATE = len(COMMON)


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


def python_system(rules: PythonRules) -> System:
    """The system that rules written in Python are: `meet` and `settle` take the kernel's place."""
    return System("python", lambda stretch: _Run(rules, stretch).run(), nothing)


class _Run:
    """Carries out a stretch of games by somebody's `meet` and `settle`."""

    def __init__(self, rules: PythonRules, stretch: Stretch) -> None:
        self.rules = rules
        self.stretch = stretch
        self.held: dict[int, tuple[float, Evidence]] = stretch.scratch.setdefault("held", {})

    def player(self, code: int) -> Player:
        rating, games, peak = self.stretch.state[STATE * code : STATE * code + 3]
        return Player(self.stretch.players[code], float(rating), int(games), float(peak))

    def learn(self, code: int, evidence: Evidence) -> float:
        state, at = self.stretch.state, STATE * code
        rating = float(self.rules.settle(self.player(code), evidence))
        if rating != rating or abs(rating) > 1e9:
            raise UsageError(f"settle gave {self.stretch.players[code]} a rating of {rating}")
        state[at], state[at + 1] = rating, state[at + 1] + evidence.games
        state[at + 2] = max(float(state[at + 2]), rating)
        return rating

    def run(self) -> None:
        for number, segment in enumerate(self.stretch.segments, self.stretch.base):
            batched = segment.closes or segment.opens
            for row in range(segment.start, segment.stop):
                self.game(row, batched)
            if segment.closes:
                self.close(number)

    def game(self, row: int, batched: bool) -> None:
        columns, state, recording = self.stretch.columns, self.stretch.state, self.stretch.recording
        sides = int(columns["first"][row]), int(columns["second"][row])
        entry = self.stretch.compiled.rules[36]
        for code in sides:
            if state[STATE * code] != state[STATE * code] and entry == entry and not state[STATE * code + 1]:
                state[STATE * code] = state[STATE * code + 2] = entry
        was = [float(state[STATE * code]) for code in sides]
        if recording is not None:
            recording.before[2 * row], recording.before[2 * row + 1] = was
        if was[0] != was[0] or was[1] != was[1]:
            self.stretch.totals[3] += 1
            return
        found = self.rules.meet(self.player(sides[0]), self.player(sides[1]), self.meeting(row))
        if recording is not None:
            recording.expects[row], recording.expects_second[row] = found[0].expected, found[1].expected
            recording.gains[2 * row], recording.gains[2 * row + 1] = found[0].total, found[1].total
        if batched:
            for code, rating, new in zip(sides, was, found):
                self.held[code] = (rating, self.held[code][1] + new if code in self.held else new)
            return
        now = [self.learn(code, new) for code, new in zip(sides, found)]
        if recording is not None:
            recording.after[2 * row], recording.after[2 * row + 1] = now
            for side in (0, 1):
                recording.used_k[2 * row + side] = _k(now[side] - was[side], found[side].total)

    def meeting(self, row: int) -> Meeting:
        columns = self.stretch.columns
        flag = columns["flags"][row] if len(columns["flags"]) else 0
        score, margin, importance = columns["score"][row], columns["margin"], columns["importance"]
        return Meeting(
            columns["scores"][2 * score],
            columns["scores"][2 * score + 1],
            margin[row] if len(margin) else float("nan"),
            importance[row] if len(importance) else float("nan"),
            bool(flag & NEUTRAL),
            bool(flag & KNOCKOUT),
            int(columns["season"][row]) if len(columns["season"]) else 0,
        )

    def close(self, number: int) -> None:
        for code, (rating, new) in self.held.items():
            now = self.learn(code, new)
            if self.stretch.recording is not None:
                told = number, code, rating, now, new.games, new.score, new.expected, _k(now - rating, new.total)
                self.stretch.recording.changes.append(told)
        self.held.clear()


def _k(change: float, gain: float) -> float:
    """The coefficient that a change amounts to."""
    return change / gain if gain else 0.0


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
