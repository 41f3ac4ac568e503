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

from arpad.acts import ActDone, carry_out_act, dated, uplift_everybody
from arpad.classify import classified, until
from arpad.columns import copied, empty, filled, is_numpy, largest
from arpad.model import Act, Column, Games, Problem, Start
from arpad.newcomers import (
    FirstRating,
    Pools,
    Waiting,
    asks_for_pools,
    enter,
    met_ratings,
    pools_of,
    settle_newcomers,
    waiting_games,
)
from arpad.order import Arrangement, arrange
from arpad.plan import Plan, make_plan, reach_of, refuse_earlier
from arpad.python_rules import PythonRules, all_facts, python_system
from arpad.rulebooks.book import Rulebook
from arpad.states import Checkpoint, beginning, last_days
from arpad.stretch import Look, Looked, Memory, Recording, Segment, Stretch, System, warnings_of
from arpad.substitution import Lists, give_back, lend
from arpad.systems import system as system_of
from arpad.systems.elo import Compiled, compile_rulebook

NAN = math.nan

#: Games handed to the kernel at a time where somebody watches the progress.
CHUNK = 500_000

#: What a watcher is told: games done, games in all.
Progress = Callable[[int, int], None]


class Setup(msgspec.Struct, frozen=True):
    """A replay before it is carried out: games in their order, states at the beginning, and the plan."""

    rulebook: Rulebook
    system: System
    compiled: Compiled
    numbers: Any  # what the system made of the rulebook for itself
    games: Games
    arrangement: Arrangement
    plan: Plan
    players: Sequence[str]
    begun: Column
    born: Column
    lasts: Column  # the day of each player's last game before these
    blended: Mapping[str, int]
    pools: Mapping[str, tuple[Waiting, ...]]
    memory: Memory
    substitutes: Lists | None

    def elsewhere(self, code: int, day: int) -> float:
        """A player's rating on the other list in force on a day; nan if there is none."""
        return self.substitutes.rating(self.players[code], day) if self.substitutes else NAN


class Outcome(msgspec.Struct):
    """What a replay leaves behind; filled while it is carried out."""

    state: Column
    totals: array[float]
    acts: list[ActDone]
    firsts: list[FirstRating]
    pools: Pools
    lists: list[tuple[int, Column]]
    memory: Memory
    looked: list[Looked]


class History(Setup, frozen=True, dict=True):
    """A replay that was carried out: every player's state at the end, and what happened on the way.

    `through` is the day (ordinal) from which on games may still come, 0 without dates.
    """

    state: Column
    acts: Sequence[ActDone]
    firsts: Sequence[FirstRating]
    waiting: Mapping[str, tuple[Waiting, ...]]
    lists: Lists
    learned: Memory
    problems: Sequence[Problem]
    not_rated: int
    as_of: int
    through: int
    looked: Sequence[Looked] = ()

    @cached_property
    def recording(self) -> Recording:
        """The same replay once more, everything written down; made when first asked for."""
        return _record(self)

    @cached_property
    def last_days(self) -> Column:
        """The day (ordinal) of each player's last game, of these or before; 0 = not known."""
        return last_days(self.games, self.lasts)

    @cached_property
    def mixed_in(self) -> Mapping[str, int]:
        """Games on another body's list that blends have mixed in, by player."""
        blends = (done for done in self.acts if done.act.kind == "blend" and not done.note)
        return {**self.blended, **{done.player: done.act.games or 0 for done in blends}}

    @cached_property
    def codes(self) -> Mapping[str, int]:
        return {name: code for code, name in enumerate(self.players)}

    def rating(self, player: str) -> float | None:
        """A player's exact rating at the end; None if unrated. Raises UnknownName for a player who is not there."""
        value = float(self.state[self.system.width * self.code(player)])
        return None if value != value else value

    def state_of(self, code: int) -> Column:
        """A player's numbers at the end, as `system.fields` names them."""
        width = self.system.width
        return self.state[width * code : width * code + width]

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
            self.mixed_in,
            self.waiting,
            self.system.fields,
            self.learned,
            array("i", self.last_days),
        )


def replay(
    games: Games,
    rulebook: Rulebook,
    start: Iterable[Start] | Checkpoint = (),
    acts: Iterable[Act] = (),
    on: date | None = None,
    progress: Progress | None = None,
    substitutes: Lists | None = None,
    keep_lists: bool = False,
    waiting: Mapping[str, tuple[Waiting, ...]] | None = None,
    python: PythonRules | None = None,
    looks: Sequence[int] = (),
) -> History:
    """Rate games under a rulebook.

    `start`: what is known of players before the first game, or a checkpoint of an earlier replay. `acts`: dated facts
    that are no games. Games after `on` are left out. `substitutes`: the lists that stand in where the rulebook lets
    another body's rating count. `waiting`: games of unrated players from before. `keep_lists` keeps the published
    ratings of every batch. `looks`: days (ordinals) whose lists are kept: with that day's acts, without its games and
    batches that end later. `python`: the formulas, where `rulebook` is their frame. Raises DataError for facts that
    contradict, RulebookError for rules that cannot stand together, UsageError for a date before the first edition.
    """
    compiled = compile_rulebook(rulebook)
    games = until(games, on)
    games = classified(games, rulebook)
    arrangement = arrange(games, [(_since(edition.since), edition.unit.of) for edition in rulebook.editions])
    games = arrangement.games
    limit = on.toordinal() if on else 0
    acts, repeated = dated(acts, rulebook, limit)
    system = python_system(python) if python else system_of(rulebook.system)
    opening = beginning(games, start, acts, rulebook, system, arrangement.clock)
    reach = reach_of(arrangement, rulebook, acts, limit, opening.through, looks)
    refuse_earlier(arrangement, acts, opening.through, limit)
    rated = opening.state[:: system.width]
    undated = bool((rated == rated).any()) if is_numpy(rated) else any(rating == rating for rating in rated)
    span = opening.through, reach, not undated
    plan = make_plan(games, arrangement, rulebook, acts, opening.born, span, system.clocked, looks)
    if python:
        plan = replace(plan, columns={**plan.columns, **all_facts(games)})
    setup = Setup(
        rulebook,
        system,
        compiled,
        system.compile(rulebook),
        games,
        arrangement,
        plan,
        opening.players,
        opening.state,
        opening.born,
        opening.lasts,
        opening.blended,
        {**opening.pools, **(waiting or {})},
        opening.memory,
        substitutes,
    )
    done = _carry_out(setup, None, progress, keep_lists)
    problems = [*repeated, *opening.problems, *arrangement.problems, *warnings_of(done.totals, opening.players)]
    as_of = limit or max(_last_day(arrangement), max((act.date for act in acts), default=0))
    return History(
        **{name: getattr(setup, name) for name in Setup.__struct_fields__},
        state=done.state,
        acts=done.acts,
        firsts=done.firsts,
        waiting=done.pools,
        lists=Lists(
            {name: code for code, name in enumerate(opening.players)} if keep_lists else {},
            [day for day, _ in done.lists],
            [ratings for _, ratings in done.lists],
        ),
        learned=done.memory,
        problems=problems,
        not_rated=int(done.totals[3]),
        as_of=as_of,
        through=reach,
        looked=done.looked,
    )


def _since(day: date | None) -> int:
    return day.toordinal() if day else 0


def _last_day(arrangement: Arrangement) -> int:
    """The day of the list that a replay ends with: where there are periods, the first day after the last one."""
    if arrangement.calendar and arrangement.batches:
        return arrangement.batches[-1].after
    return largest(arrangement.place)


def _carry_out(
    setup: Setup, recording: Recording | None, progress: Progress | None, keep_lists: bool = False
) -> Outcome:
    """Hand the kernel its games, with the acts between them; fills `recording`."""
    plan, rulebook, system, like = setup.plan, setup.rulebook, setup.system, setup.games.first
    batches = any(segment.closes for segment in plan.segments)
    singly = batches and (keep_lists or asks_for_pools(rulebook))
    memory = {kind: dict(held) for kind, held in setup.memory.items()}
    out = Outcome(copied(setup.begun), array("d", [0.0] * 7), [], [], pools_of(setup.pools), [], memory, [])
    lists = filled("d", NAN, plan.ring * len(setup.players), like)
    codes = {name: code for code, name in enumerate(setup.players)} if plan.steps or singly else {}
    grown = dict(setup.blended)
    total = plan.segments[-1].stop if plan.segments else 0
    whole = Stretch(
        **{name: getattr(setup, name) for name in ("rulebook", "compiled", "numbers", "games", "players", "born")},
        batches=setup.arrangement.batches,
        place=setup.arrangement.place,
        columns=plan.columns,
        lists=lists,
        segments=(),
        base=0,
        state=out.state,
        width=system.width,
        memory=memory,
        scratch={},
        recording=recording,
        totals=out.totals,
    )

    def run(segments: Sequence[Segment], base: int) -> None:
        for group in _groups(segments, batches, singly, progress is not None or recording is not None):
            lent = lend(setup, out.state, codes, group) if singly and setup.substitutes else []
            system.run(replace(whole, segments=group, base=base))
            give_back(out.state, system.width, lent)
            if singly:
                _after_batch(setup, out, lists, codes, group[-1], keep_lists)
            base += len(group)
            if progress:
                progress(group[-1].stop, total)

    at = 0
    for stop, what in plan.steps:
        if stop > at:
            run(plan.segments[at:stop], at)
            at = stop
        if isinstance(what, Act):
            place = system.width * codes[what.player]
            held = out.state, system, grown, rulebook, setup.compiled
            out.acts.append(carry_out_act(what, place, *held, setup.arrangement.clock, memory))
        elif isinstance(what, Look):
            out.looked.append(Looked.of(what.day, stop, out.state, memory))
        else:
            uplift_everybody(rulebook, *what, out.state, system.width, setup.elsewhere)
    if at < len(plan.segments):
        run(plan.segments[at:], at)
    return out


def _after_batch(
    setup: Setup, out: Outcome, lists: Column, codes: Mapping[str, int], segment: Segment, keep_lists: bool
) -> None:
    """What is not a sum over games: first ratings; and the list that a batch leads to, if lists are kept."""
    batch, place = setup.arrangement.batches[segment.batch], setup.arrangement.place
    width = setup.system.width
    if asks_for_pools(setup.rulebook) and place is not None:
        met = met_ratings(
            setup.games, batch, lists, len(setup.players), int(out.totals[4]), setup.plan.columns.get("lag", empty("B"))
        )
        fresh = waiting_games(setup.games, setup.players, batch, place, met, setup.plan.columns["flags"])
        unrated = [
            (name, game) for name, game in fresh if out.state[width * codes[name]] != out.state[width * codes[name]]
        ]
        firsts = settle_newcomers(out.pools, unrated, setup.rulebook, segment.lists, segment.batch, batch.after)
        out.firsts += firsts
        rule = setup.rulebook.editions[segment.lists].first
        for first in firsts:
            if first.listed and rule is not None:
                enter(out.state, width * codes[first.player], first, rule)
    if keep_lists:
        out.lists.append((batch.after, copied(out.state[::width])))


def _groups(segments: Sequence[Segment], batches: bool, singly: bool, small: bool) -> Iterator[list[Segment]]:
    """The segments of one call of the kernel: all of them, or about CHUNK games, or one batch, which is never torn."""
    if not small and not singly:
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
            ends = not batches or part.closes or part.start == part.stop
            if ends and (singly or games >= CHUNK):
                yield group
                group, games = [], 0
    if group:
        yield group


def _record(history: History) -> Recording:
    games, like = history.games, history.games.first
    recording = Recording(
        before=filled("d", NAN, 2 * len(games), like),
        after=filled("d", NAN, 2 * len(games), like),
        expects=filled("d", NAN, len(games), like),
        expects_second=filled("d", NAN, len(games), like),
        used_k=filled("d", NAN, 2 * len(games), like),
        gains=filled("d", NAN, 2 * len(games), like),
        spread=filled("d", NAN, 8 * len(games) if history.system.spreads else 0, like),
        changes=[],
        workings={},
    )
    _carry_out(history, recording, None)
    return recording
