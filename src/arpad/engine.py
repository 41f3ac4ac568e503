"""THE MAIN PATH: facts in their order → batches → kernel → History.

    history = replay(games, rulebook)

There is no second path: a rating shown anywhere is a rating replayed from here, perhaps from a checkpoint.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace

from arpad import kernel
from arpad.acts import STATE, ActDone, carry_out_act, dated, uplift_everybody
from arpad.classify import classified
from arpad.columns import copied, empty, filled, is_numpy, largest
from arpad.model import Act, Column, Games, Problem, Start
from arpad.order import Arrangement, arrange, reordered
from arpad.plan import Plan, Segment, make_plan, reach_of, refuse_earlier
from arpad.rulebooks.book import Rulebook
from arpad.states import Checkpoint, beginning
from arpad.systems.elo import Compiled, compile_rulebook

NAN = math.nan

#: Games handed to the kernel at a time where somebody watches the progress.
CHUNK = 500_000

#: What a watcher is told: games done, games in all.
Progress = Callable[[int, int], None]


class Recording(msgspec.Struct, frozen=True):
    """What a replay wrote down of every game, at 2 * row and 2 * row + 1, and of every batch."""

    before: Column
    after: Column
    expects: Column
    expects_second: Column
    used_k: Column
    gains: Column
    changes: Sequence[tuple[int, int, float, float, float, float, float, float]]


class History(msgspec.Struct, frozen=True, dict=True):
    """A replay that was carried out: the games in order, and every player's state at the end."""

    rulebook: Rulebook
    compiled: Compiled
    games: Games
    players: Sequence[str]
    state: Column
    born: Column
    arrangement: Arrangement
    plan: Plan
    acts: Sequence[ActDone]
    problems: Sequence[Problem]
    not_rated: int
    as_of: int
    begun: Column
    blended: Mapping[str, int]
    through: int  # the day (ordinal) from which on games may still come; 0 without dates

    @cached_property
    def recording(self) -> Recording:
        """The same replay once more, everything written down; made when first asked for."""
        return _record(self)

    @cached_property
    def codes(self) -> Mapping[str, int]:
        return {name: code for code, name in enumerate(self.players)}

    def rating(self, player: str) -> float | None:
        """A player's exact rating at the end; None if unrated. Raises UnknownName for a player who is not there."""
        value = float(self.state[STATE * self.code(player)])
        return None if value != value else value

    def code(self, player: str) -> int:
        from arpad.errors import UnknownName

        if player not in self.codes:
            raise UnknownName("player", player, self.codes)
        return self.codes[player]

    def checkpoint(self) -> Checkpoint:
        """The states at the end, to be given as `start` to a replay of later games.

        It remembers digests of the rulebook and of the games, so that a replay under other rules is refused.
        """
        import hashlib

        digest = hashlib.sha256()
        games = self.games
        for column in (games.first, games.second, games.score, games.date, games.margin):
            if column is not None:
                digest.update(memoryview(column).cast("B"))
        digest.update("\n".join(games.players).encode())
        return Checkpoint(
            self.rulebook.name,
            self.rulebook.digest,
            digest.hexdigest(),
            self.through,
            list(self.players),
            array("d", self.state),
            array("i", self.born),
            {
                **self.blended,
                **{
                    done.player: done.act.games or 0 for done in self.acts if done.act.kind == "blend" and not done.note
                },
            },
        )


def replay(
    games: Games,
    rulebook: Rulebook,
    start: Iterable[Start] | Checkpoint = (),
    acts: Iterable[Act] = (),
    on: date | None = None,
    progress: Progress | None = None,
) -> History:
    """Rate games under a rulebook.

    `start`: what is known of players before the first game, or a checkpoint of an earlier replay. `acts`: dated facts
    that are no games. Games after `on` are left out. Raises DataError for facts that contradict each other,
    RulebookError for rules that cannot stand together, UsageError for a date before the rulebook's first edition.
    """
    compiled = compile_rulebook(rulebook)
    games = until(games, on)
    games = classified(games, rulebook)
    arrangement = arrange(games, [(_since(edition.since), edition.unit.of) for edition in rulebook.editions])
    games = arrangement.games
    limit = on.toordinal() if on else 0
    acts, repeated = dated(acts, rulebook, limit)
    players, state, born, through, blended = beginning(games, start, acts, rulebook)
    reach = reach_of(arrangement, acts, limit, through)
    refuse_earlier(arrangement, acts, through)
    plan = make_plan(games, arrangement, rulebook, acts, born, (through, reach))
    begun = copied(state)
    totals = array("d", [0.0] * 5)
    done = _carry_out(plan, compiled, rulebook, players, state, born, blended, totals, None, progress)
    problems = [*repeated, *arrangement.problems, *_warnings(totals, players, compiled)]
    as_of = limit or max(_last_day(arrangement), max((act.date for act in acts), default=0))
    return History(
        rulebook,
        compiled,
        games,
        players,
        state,
        born,
        arrangement,
        plan,
        done,
        problems,
        int(totals[3]),
        as_of,
        begun,
        blended,
        reach,
    )


def _since(day: date | None) -> int:
    return day.toordinal() if day else 0


def _last_day(arrangement: Arrangement) -> int:
    """The day of the list that a replay ends with: where there are periods, the first day after the last one."""
    if arrangement.calendar and arrangement.batches:
        return arrangement.batches[-1].after
    return largest(arrangement.place)


def until(games: Games, on: date | None) -> Games:
    """Games up to a day; those without a date stay."""
    if on is None or games.date is None:
        return games
    last = on.toordinal()
    if is_numpy(games.date):
        import numpy as np

        keep: Any = np.flatnonzero(games.date <= last)
    else:
        keep = [row for row, day in enumerate(games.date) if day <= last]
    return games if len(keep) == len(games) else reordered(games, keep)


def _carry_out(
    plan: Plan,
    compiled: Compiled,
    rulebook: Rulebook,
    players: Sequence[str],
    state: Column,
    born: Column,
    blended: Mapping[str, int],
    totals: array[float],
    recording: Recording | None,
    progress: Progress | None,
) -> list[ActDone]:
    """Hand the kernel its games, with the acts between them; changes `state`, fills `totals` and `recording`."""
    batches = any(segment.closes for segment in plan.segments)
    columns = plan.columns
    lists = filled("d", NAN, plan.ring * len(players), columns["first"])
    evidence = filled("d", 0.0, (9 * len(players) if batches else 0) + 18, columns["first"])
    touched = filled("i", 0, len(players) if batches else 0, columns["first"])
    codes = {name: code for code, name in enumerate(players)} if plan.steps else {}
    grown = dict(blended)
    done: list[ActDone] = []
    total = plan.segments[-1].stop if plan.segments else 0

    def run(segments: Sequence[Segment], base: int) -> None:
        for group in _groups(segments, batches, progress is not None or recording is not None):
            flat = array("q")
            for segment in group:
                flat.extend(
                    (
                        segment.start,
                        segment.stop,
                        compiled.blocks[segment.meets],
                        compiled.blocks[segment.settles],
                        compiled.blocks[segment.lists],
                        segment.closes + 2 * segment.opens,
                    )
                )
            room = 16 * (group[-1].stop - group[0].start) if recording is not None and batches else 0
            changes = filled("d", 0.0, room, columns["first"])
            written = [getattr(recording, name) if recording else empty("d") for name in WRITTEN]
            read = [columns[name] for name in READ]
            held = [columns.get("lag", empty("B")), lists, evidence, touched]
            rows = kernel.replay(*[state, compiled.rules, flat, *read, *held, *written, changes, totals])
            if recording is not None and rows:
                _keep(recording.changes, changes, rows, base)
            base += len(group)
            if progress:
                progress(group[-1].stop, total)

    at = 0
    for stop, what in plan.steps:
        if stop > at:
            run(plan.segments[at:stop], at)
            at = stop
        if isinstance(what, Act):
            done.append(carry_out_act(what, codes, state, grown, rulebook, compiled))
        else:
            uplift_everybody(rulebook, *what, state)
    if at < len(plan.segments):
        run(plan.segments[at:], at)
    return done


#: Columns in the order of the kernel's arguments.
READ = ("first", "second", "score", "scores", "margin", "flags", "importance", "season", "year", "born", "event")
WRITTEN = ("before", "expects", "expects_second", "after", "used_k", "gains")


def _groups(segments: Sequence[Segment], batches: bool, small: bool) -> Iterator[list[Segment]]:
    """The segments of one call of the kernel: all of them, or about CHUNK games; a batch is never torn apart."""
    if not small:
        yield list(segments)
        return
    group: list[Segment] = []
    games = 0
    for segment in segments:
        starts = range(segment.start, segment.stop, CHUNK)
        parts = [replace(segment, start=start, stop=min(start + CHUNK, segment.stop)) for start in starts]
        for part in [segment] if batches else parts:
            group.append(part)
            games += part.stop - part.start
            if games >= CHUNK and (part.closes or not batches):
                yield group
                group, games = [], 0
    if group:
        yield group


def _keep(into: Any, changes: Column, rows: int, base: int) -> None:
    for row in range(0, 8 * rows, 8):
        into.append(
            (int(changes[row]) + base, int(changes[row + 1]), *(float(value) for value in changes[row + 2 : row + 8]))
        )


def _record(history: History) -> Recording:
    games, like = history.games, history.games.first
    recording = Recording(
        before=filled("d", NAN, 2 * len(games), like),
        after=filled("d", NAN, 2 * len(games), like),
        expects=filled("d", NAN, len(games), like),
        expects_second=filled("d", NAN, len(games), like),
        used_k=filled("d", NAN, 2 * len(games), like),
        gains=filled("d", NAN, 2 * len(games), like),
        changes=[],
    )
    state = copied(history.begun)
    blended: dict[str, int] = dict(history.blended)
    totals = array("d", [0.0] * 5)
    _carry_out(
        history.plan,
        history.compiled,
        history.rulebook,
        history.players,
        state,
        history.born,
        blended,
        totals,
        recording,
        None,
    )
    return recording


def _warnings(totals: Sequence[float], players: Sequence[str], compiled: Compiled) -> Iterable[Problem]:
    if totals[2]:
        yield Problem(
            f"K times the games of one batch reached {totals[0]:.0f} ({players[int(totals[1])]}), {totals[2]:.0f} "
            "time(s) above what the curve can hold: such updates overshoot, and ratings may run away",
            hint="settle more often, lower K, or limit K times games",
            severity="warning",
        )
    if totals[3]:
        yield Problem(
            f"{totals[3]:.0f} game(s) not rated",
            hint="an opponent is unrated, or the rules leave the game out; --history lists them",
            severity="warning",
        )
