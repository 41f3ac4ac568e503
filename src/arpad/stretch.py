"""What a rating system is handed of a replay, and what it leaves behind: the one interface between the two.

A `System` says what a player's state consists of and how a `Stretch` of games changes it. The replay brings the games
in their order, cut into batches; acts, lists, checkpoints and tables are the same for every system.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from arpad.columns import copied, is_numpy
from arpad.model import Column, Games, Problem
from arpad.periods import moment_of
from arpad.rulebooks.book import Rulebook

#: What every state begins with: rating (nan = unrated), games, highest published rating, and when the player last
#: played: a season, a day or the number of a period, as the system counts; 0 = never.
COMMON = ("rating", "games", "peak", "last")

#: Numbers that a system with a deviation records of each side of a game.
SPREAD = ("deviation_met", "deviation_after", "volatility_before", "volatility_after")

#: Facts of players that are no single numbers, by kind and player: plain data, which goes into checkpoints.
Memory = dict[str, dict[str, Any]]


class Batch(msgspec.Struct, frozen=True):
    """Games from `start` to before `stop`, settled at once; `first` and `after` are the days (ordinals) it covers."""

    start: int
    stop: int
    first: int
    after: int


class Segment(msgspec.Struct, frozen=True):
    """Games `start` to before `stop` under the same editions; `closes` ends a batch, `opens` begins one.

    Editions: `meets` gives the expectation, `settles` K and the rounding of a change, `lists` what the list that comes
    of it may show (floor, ceiling, rounding of what is published). `clock` is the number of the period, or the last day
    of the event; 0 where games are settled one by one, which have a column of it.
    """

    start: int
    stop: int
    meets: int
    settles: int
    lists: int
    closes: bool
    opens: bool
    batch: int
    clock: float = 0.0


class Recording(msgspec.Struct, frozen=True):
    """What a replay wrote down of every game, at 2 * row and 2 * row + 1, and of every batch.

    A row of `changes` is: segment, player, before, after, games, score, expected, K, and what the system adds.
    `workings` holds, by (batch, player), how a system that settles whole events got there. `spread` has `SPREAD` for
    each side.
    """

    before: Column
    after: Column
    expects: Column
    expects_second: Column
    used_k: Column
    gains: Column
    spread: Column
    changes: list[tuple[Any, ...]]
    workings: dict[tuple[int, int], Any]


class Stretch(msgspec.Struct, frozen=True):
    """Whole batches, or a run of games that are settled one by one, and the states that they change.

    `state` holds `width` numbers a player. `numbers` is what the system's `compile` made. `scratch` is the system's own
    for the length of a replay. `base` is the number of the first segment in the plan. `totals`: the largest K times
    games, its player, how often the block's limit was passed, how many games were not rated, the place of the newest
    list in the ring of `lists`, how often no volatility was found, and how many games were rated for one side only.
    """

    rulebook: Rulebook
    compiled: Any
    numbers: Any
    games: Games
    batches: Sequence[Batch]
    place: Column | None
    players: Sequence[str]
    born: Column
    columns: Mapping[str, Column]
    lists: Column
    segments: Sequence[Segment]
    base: int
    state: Column
    width: int
    memory: Memory
    scratch: dict[str, Any]
    recording: Recording | None
    totals: array[float]


class System(msgspec.Struct, frozen=True):
    """A rating system: `fields` are the numbers of a player's state, `COMMON` first, `blank` what the others are of a
    player of whom nothing is known; `asks` are further facts of a start list, which are kept in `memory["facts"]`;
    `clocked` systems reckon with the time since a player's last game."""

    name: str
    run: Callable[[Stretch], None]
    compile: Callable[[Rulebook], Any]
    fields: tuple[str, ...] = COMMON
    blank: tuple[float, ...] = ()
    asks: tuple[str, ...] = ()
    clocked: bool = False
    #: What a rating deviation leaves of a difference under an edition, 0 to 1: Glicko's g.
    attenuation: Callable[[float, Any], float] | None = None
    #: The first side's expected score, of (what `compile` made, number of the edition, rating and deviation of both
    #: sides), where no curve says it.
    predicts: Callable[[Any, int, tuple[float, float], tuple[float, float]], float] | None = None
    #: What the list shows beyond the columns that every list has: (history, codes of the players listed) -> columns.
    listed: Callable[[Any, Column], Mapping[str, Column]] | None = None
    #: Columns of `listed` that are there for a start list to read back; people need not see them.
    carried: tuple[str, ...] = ()
    #: Columns of texts that a start list may have: which kind of `memory` each is, and how it is read (ValueError for
    #: what cannot be).
    recalls: Mapping[str, tuple[str, Callable[[str], Any]]] = {}

    #: Why a rating cannot be one on this system's scale; blank where it can.
    refuses: Callable[[float], str] | None = None

    @property
    def width(self) -> int:
        return len(self.fields)

    @property
    def spreads(self) -> bool:
        """Whether ratings have a deviation."""
        return "deviation" in self.fields


#: Standard deviations of a normal distribution that hold 95 % of it, as Glickman rounds them.
NORMAL_95 = 1.96


def intervals(ratings: Column, deviations: Column) -> dict[str, Column]:
    """The columns low and high of a list: where true strengths lie with 95 % confidence."""
    if is_numpy(ratings):
        return {"low": ratings - NORMAL_95 * deviations, "high": ratings + NORMAL_95 * deviations}
    pairs = list(zip(ratings, deviations))
    return {
        "low": array("d", (rating - NORMAL_95 * deviation for rating, deviation in pairs)),
        "high": array("d", (rating + NORMAL_95 * deviation for rating, deviation in pairs)),
    }


def edition_of(history: Any) -> int:
    """The number of the edition of the list at the end of a replay: the one that settled the last game; without games
    the one in force then, or the first one where that is later."""
    if history.plan.segments:
        return int(history.plan.segments[-1].settles)
    editions = history.rulebook.editions
    since = editions[0].since
    before = history.as_of and since is not None and history.as_of < since.toordinal()
    return 0 if before else int(history.rulebook.edition_index(history.as_of))


def nothing(rulebook: Rulebook) -> None:
    """The `compile` of a system that needs no numbers of its own."""


def moments(history: Any, clocks: Column, codes: Column) -> list[str | None]:
    """When the last games of players were settled, as text that a start list is read from."""
    lasts = history.last_days
    days = lasts[codes].tolist() if is_numpy(codes) else [lasts[code] for code in codes]
    pairs = list(zip(clocks.tolist(), days))
    told = {pair: moment_of(*pair, history.arrangement.calendar) for pair in set(pairs)}
    return [told[pair] for pair in pairs]


class Look(msgspec.Struct, frozen=True):
    """Where a replay is looked at: as the list of a day (ordinal) shows it, before that day's games."""

    day: int


class Looked(msgspec.Struct, frozen=True):
    """What a replay came to on a day (ordinal): the states, and how many segments had been run."""

    day: int
    segments: int
    state: Column
    memory: Memory

    @classmethod
    def of(cls, day: int, segments: int, state: Column, memory: Memory) -> Looked:
        """What is held now, which goes on changing."""
        return cls(day, segments, copied(state), {kind: dict(held) for kind, held in memory.items()})


def warnings_of(totals: Sequence[float], players: Sequence[str]) -> Iterable[Problem]:
    """What is worth a word in the totals of a replay."""
    if totals[2]:
        yield Problem(
            f"K times the games of one batch reached {totals[0]:.0f} ({players[int(totals[1])]}), {totals[2]:.0f} "
            "time(s) above what the curve can hold: such updates overshoot, and ratings may run away",
            hint="settle more often, lower K, or limit K times games",
            severity="warning",
        )
    if totals[5]:
        yield Problem(
            f"{totals[5]:.0f} time(s) no volatility fits what a player's games said, and the former one was kept",
            hint="the results contradict the ratings beyond all measure: look at the starting ratings",
            severity="warning",
        )
    if totals[6]:
        yield Problem(
            f"{totals[6]:.0f} game(s) rated for one side only, which had a rated opponent: the other side had none",
            severity="note",
        )
    if totals[3]:
        yield Problem(
            f"{totals[3]:.0f} game(s) not rated",
            hint="an opponent is unrated, or the rules leave the game out; `arpad rate --history` lists them",
            severity="warning",
        )
