"""THE MAIN PATH: facts in their order → batches → kernel → History.

    history = replay(games, rulebook)

There is no second path: a rating shown anywhere is a rating replayed from here, perhaps from a checkpoint.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any

from arpad import kernel
from arpad.classify import classified
from arpad.columns import change_points, copied, empty, filled, is_numpy, made
from arpad.errors import DataError, UsageError
from arpad.model import Act, Column, Games, PartialDate, Problem, Start
from arpad.order import Arrangement, Batch, Period, arrange, reordered
from arpad.rulebooks.book import Rulebook
from arpad.systems.elo import Compiled, compile_rulebook

NAN = math.nan
STATE = 4
NEUTRAL, KNOCKOUT, LEFT_OUT = 1, 2, 4

#: Games handed to the kernel at a time where somebody watches the progress.
CHUNK = 500_000

#: What a watcher is told: games done, games in all.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Checkpoint:
    """All that a replay needs to go on: what every player's state is after the games up to `through` (ordinal)."""

    rulebook: str
    digest: str
    facts: str
    through: int
    players: Sequence[str]
    state: Sequence[float]
    born: Sequence[int]
    blended: Mapping[str, int]


@dataclass(frozen=True)
class Recording:
    """What a replay wrote down of every game, at 2 * row and 2 * row + 1, and of every batch."""

    before: Column
    after: Column
    expects: Column
    expects_second: Column
    used_k: Column
    gains: Column
    changes: Sequence[tuple[int, int, float, float, float, float, float, float]]


@dataclass(frozen=True)
class ActDone:
    """An act as it was carried out: the ratings on both sides of it, or why it changed nothing."""

    act: Act
    player: str
    before: float
    after: float
    games: float
    note: str = ""


@dataclass(frozen=True)
class Segment:
    """Games `start` to before `stop` under the same editions; `closes` ends a batch, `opens` begins one."""

    start: int
    stop: int
    meets: int
    settles: int
    closes: bool
    opens: bool
    batch: int


@dataclass(frozen=True)
class History:
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
        through = max((batch.after for batch in self.arrangement.batches), default=0) or self.as_of + bool(self.as_of)
        return Checkpoint(
            self.rulebook.name,
            self.rulebook.digest,
            digest.hexdigest(),
            through,
            list(self.players),
            array("d", self.state),
            array("i", self.born),
            {done.player: done.act.games or 0 for done in self.acts if done.act.kind == "blend" and not done.note},
        )


@dataclass(frozen=True)
class Plan:
    """A replay before it is carried out: the columns that the kernel reads, and the runs of games it is handed."""

    columns: Mapping[str, Column]
    segments: Sequence[Segment]
    steps: Sequence[tuple[int, Act | tuple[int, int]]]  # before a segment: an act, or (edition, day) of an uplift
    ring: int
    uplifts: Sequence[tuple[int, int]]


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
    that are no games. Games after `on` are left out. Raises DataError for facts that contradict each
    other, RulebookError for rules that cannot stand together, UsageError for a date before the rulebook's first edition.
    """
    compiled = compile_rulebook(rulebook)
    games = until(games, on)
    games = classified(games, rulebook)
    arrangement = arrange(games, [(_since(edition.since), edition.unit.of) for edition in rulebook.editions])
    games = arrangement.games
    limit = on.toordinal() if on else 0
    acts = sorted((act for act in acts if not limit or act.date <= limit), key=lambda act: act.date)
    players, state, born, through, blended = _beginning(games, start, acts, rulebook)
    _refuse_earlier(arrangement, through)
    plan = _plan(games, arrangement, rulebook, acts, born, through)
    begun = copied(state)
    totals = array("d", [0.0] * 5)
    done = _carry_out(plan, compiled, rulebook, players, state, born, blended, totals, None, progress)
    problems = [*arrangement.problems, *_warnings(totals, players, compiled)]
    place = arrangement.place
    as_of = limit or max(int(max(place)) if place is not None and len(place) else 0, max((a.date for a in acts), default=0))
    return History(
        rulebook, compiled, games, players, state, born, arrangement, plan, done, problems, int(totals[3]), as_of, begun, blended
    )


def _since(day: date | None) -> int:
    return day.toordinal() if day else 0


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


def _beginning(
    games: Games, start: Iterable[Start] | Checkpoint, acts: Sequence[Act], rulebook: Rulebook
) -> tuple[list[str], Column, Column, int, dict[str, int]]:
    """Every player with a state: those of the games first, then those that only `start` or an act names."""
    codes = {name: code for code, name in enumerate(games.players)}
    checkpoint = start if isinstance(start, Checkpoint) else None
    known = [] if checkpoint else list(start)  # type: ignore[arg-type]
    for name in [*(checkpoint.players if checkpoint else (each.player for each in known)), *(act.player for act in acts)]:
        codes.setdefault(name, len(codes))
    like = games.first
    state = filled("d", 0.0, STATE * len(codes), like)
    born = filled("i", 0, len(codes), like)
    state[::STATE] = filled("d", NAN, len(codes), like)
    if checkpoint:
        if checkpoint.digest != rulebook.digest:
            raise UsageError(
                f"the checkpoint was made under {checkpoint.rulebook} as it read then; these rules are others "
                f"({rulebook.name}, digest {rulebook.digest[:12]}). Replay from the beginning"
            )
        for number, name in enumerate(checkpoint.players):
            at = STATE * codes[name]
            state[at : at + STATE] = _slice(checkpoint.state[STATE * number : STATE * number + STATE], like)
            born[codes[name]] = checkpoint.born[number]
        return list(codes), state, born, checkpoint.through, dict(checkpoint.blended)
    problems = []
    seen: set[str] = set()
    for each in known:
        if each.player in seen:
            problems.append(Problem(f"{each.player!r} stands twice among the starting ratings"))
        seen.add(each.player)
        at = STATE * codes[each.player]
        rating = NAN if each.rating is None else each.rating
        if math.isinf(rating) or abs(rating) > 1e6:
            problems.append(Problem(f"{each.player!r}: a rating of {rating} is outside any system's range"))
        state[at] = rating
        state[at + 1] = each.games or 0
        state[at + 2] = max(each.peak or -math.inf, rating) if rating == rating else each.peak or 0
        state[at + 3] = each.season or 0
        born[codes[each.player]] = _encoded(each.born)
    if problems:
        raise DataError(problems)
    return list(codes), state, born, 0, {}


def _slice(values: Sequence[float], like: Column) -> Any:
    return array("d", values) if not is_numpy(like) else values


def _encoded(when: PartialDate | None) -> int:
    """A birth date as the kernel counts ages: year * 10000 + month * 100 + day; of a year alone, its last day."""
    if when is None:
        return 0
    return when.year * 10000 + (when.month or 12) * 100 + (when.day or 31)


def _refuse_earlier(arrangement: Arrangement, through: int) -> None:
    """A checkpoint cannot take in games that are older than itself."""
    if not through or not len(arrangement.games):
        return
    opening = arrangement.opening
    earliest = min(int(min(arrangement.place)), int(min(opening)) if opening is not None else through)  # type: ignore[arg-type]
    if earliest < through:
        day = date.fromordinal(earliest)
        raise DataError(
            [
                Problem(
                    f"a game or its event begins on {day}, before the checkpoint's end ({date.fromordinal(through)})",
                    hint="replay from the beginning, or from an earlier checkpoint",
                )
            ]
        )


def _plan(
    games: Games, arrangement: Arrangement, rulebook: Rulebook, acts: Sequence[Act], born: Column, through: int
) -> Plan:
    columns = _kernel_columns(games, arrangement, rulebook, born)
    if arrangement.batches:
        segments, ring = _batch_segments(arrangement, rulebook, columns)
    else:
        segments, ring = _game_segments(games, arrangement, rulebook), 0
    falls: list[tuple[int, int, Act | tuple[int, int]]] = [(act.date, 1, act) for act in acts]
    uplifts = uplifts_due(rulebook, arrangement, through)
    falls += [(day, 0, (index, day)) for day, index in uplifts]
    steps: list[tuple[int, Act | tuple[int, int]]] = []
    for day, _, act in sorted(falls, key=lambda each: each[:2]):
        segments, at = _cut(segments, arrangement, day, isinstance(act, Act) and act.kind == "entry")
        steps.append((at, act))
    return Plan(columns, segments, steps, ring, uplifts)


def _cut(
    segments: Sequence[Segment], arrangement: Arrangement, day: int, enters: bool
) -> tuple[Sequence[Segment], int]:
    """The segment before which something of `day` comes, and the segments, cut there if need be.

    It comes before that day's games; where games are settled in batches, before the first batch that begins on that day or
    later, and an entry before the batch that holds the day.
    """
    if arrangement.batches:
        for at, segment in enumerate(segments):
            batch = arrangement.batches[segment.batch]
            if segment.opens and (batch.after > day if enters else batch.first >= day):
                return segments, at
        return segments, len(segments)
    if arrangement.place is None:
        return segments, 0
    row = bisect_left(arrangement.place, day)
    for at, segment in enumerate(segments):
        if row <= segment.start:
            return segments, at
        if row < segment.stop:
            parts = [replace(segment, stop=row), replace(segment, start=row)]
            return [*segments[:at], *parts, *segments[at + 1 :]], at + 1
    return segments, len(segments)


def _game_segments(games: Games, arrangement: Arrangement, rulebook: Rulebook) -> list[Segment]:
    place = arrangement.place
    if place is None or len(rulebook.editions) == 1:
        last = rulebook.edition_index(0)
        if place is not None and len(place):
            rulebook.edition_index(int(place[0]))
        return [Segment(0, len(games), last, last, False, False, 0)] if len(games) else []
    segments = []
    at = 0
    while at < len(games):
        index = rulebook.edition_index(int(place[at]))
        following = rulebook.editions[index + 1].since if index + 1 < len(rulebook.editions) else None
        stop = bisect_left(place, following.toordinal(), at) if following else len(games)
        segments.append(Segment(at, stop, index, index, False, False, 0))
        at = stop
    return segments


def _batch_segments(
    arrangement: Arrangement, rulebook: Rulebook, columns: dict[str, Column]
) -> tuple[list[Segment], int]:
    """Runs of games of one batch under one edition, and how many past lists the kernel must keep."""
    segments: list[Segment] = []
    firsts = [batch.first for batch in arrangement.batches]
    opening, calendar = arrangement.opening, arrangement.calendar
    points = change_points(opening) if opening is not None else [0]
    oldest = 0
    for number, batch in enumerate(arrangement.batches):
        settles = rulebook.edition_index(batch.first)
        dates = rulebook.editions[settles].dates
        inside = points[bisect_left(points, batch.start) : bisect_left(points, batch.stop)]
        rows = [*sorted({batch.start, *inside}), batch.stop]
        if batch.start == batch.stop:
            segments.append(Segment(batch.start, batch.stop, settles, settles, False, True, number))
        for row, stop in zip(rows, rows[1:]):
            day = int(opening[row]) if opening is not None else 0
            meets = settles if dates.expectation == "list" else rulebook.edition_index(day)
            if calendar and dates.expectation == "event start" and day < batch.first:
                # The list in force on the event's first day was settled before the first batch of that day's period.
                age = number - bisect_left(firsts, calendar.around(day)[0])
                if age > 255:
                    raise UsageError(f"an event that began on {date.fromordinal(day)} is rated more than 255 lists later")
                oldest = max(oldest, age)
                if "lag" not in columns:
                    columns["lag"] = filled("B", 0, len(arrangement.games), columns["first"])
                for each in range(row, stop):
                    columns["lag"][each] = age
            if segments and segments[-1].batch == number and segments[-1].meets == meets:
                segments[-1] = replace(segments[-1], stop=stop)
            else:
                segments.append(Segment(row, stop, meets, settles, False, row == batch.start, number))
        segments[-1] = replace(segments[-1], closes=batch.start < batch.stop)
    return segments, oldest + 1 if oldest else 0


def _kernel_columns(games: Games, arrangement: Arrangement, rulebook: Rulebook, born: Column) -> dict[str, Column]:
    """The columns that the kernel reads; those that no edition asks for stay empty."""
    editions = rulebook.editions
    like = games.first
    scores = array("d", (side for pair in games.scores for side in pair))
    columns: dict[str, Column] = {
        "first": games.first,
        "second": games.second,
        "score": games.score,
        "scores": scores,
        "margin": games.margin if any(edition.margin for edition in editions) else None,
        "flags": _flags(games, editions, like),
        "importance": games.importance if _weighs(editions) else None,
        "season": games.season if any(edition.season for edition in editions) else None,
        "event": games.event if any(_by_event(edition) for edition in editions) else None,
    }
    if any(edition.season for edition in editions) and games.season is None:
        raise DataError([Problem("the rulebook needs a season column", games.source, hint="add one, or name it with --columns season=…")])
    if any(_asks_age(edition) for edition in editions):
        exact = editions[-1].age.counted == "exact"
        columns["year"] = _years(arrangement, exact, like)
        columns["born"] = born if exact else made("i", (code // 10000 * 10000 for code in born), born)
    codes = {"margin": "d", "flags": "B", "importance": "d", "season": "i", "event": "i", "year": "i", "born": "i"}
    for name, code in codes.items():
        if columns.get(name) is None:
            columns[name] = empty(code)
    columns["lists"] = empty("d")
    return columns


def _weighs(editions: Sequence[Any]) -> bool:
    return any(row.of == "importance" for edition in editions for row in [*edition.k, *edition.k_factor])


def _by_event(edition: Any) -> bool:
    return bool(edition.difference.upgrades) or edition.difference.expectation == "mean opponent"


def _asks_age(edition: Any) -> bool:
    rows = [*edition.k, *edition.k_factor, *edition.cap]
    return any(
        key.startswith("age_") for row in rows for key in row.when
    ) or any(part is not None and part.of == "age" for row in rows for part in (row.ramp, row.power))


def _flags(games: Games, editions: Sequence[Any], like: Column) -> Column | None:
    """One byte a game: neutral ground, knock-out, left out."""
    neutral = games.neutral if any(edition.difference.advantage for edition in editions) else None
    knockout = games.knockout if any(edition.knockout for edition in editions) else None
    weight = games.importance if _weighs(editions) else None
    if neutral is None and knockout is None and weight is None:
        return None
    if is_numpy(like):
        import numpy as np

        flags = np.zeros(len(games), "uint8")
        if neutral is not None:
            flags |= (np.asarray(neutral) == 1).astype("uint8") * NEUTRAL
        if knockout is not None:
            flags |= (np.asarray(knockout) == 1).astype("uint8") * KNOCKOUT
        if weight is not None:
            flags |= (~(np.asarray(weight) > 0)).astype("uint8") * LEFT_OUT
        return flags
    return array(
        "B",
        (
            (NEUTRAL if neutral is not None and neutral[row] == 1 else 0)
            | (KNOCKOUT if knockout is not None and knockout[row] == 1 else 0)
            | (LEFT_OUT if weight is not None and not weight[row] > 0 else 0)
            for row in range(len(games))
        ),
    )


def _years(arrangement: Arrangement, exact: bool, like: Column) -> Column:
    """The day on which ages count, for each game: its own, or the first of its batch."""
    if arrangement.place is None:
        return filled("i", 0, len(arrangement.games), like)

    def encoded(ordinal: int) -> int:
        day = date.fromordinal(ordinal)
        return day.year * 10000 + (day.month * 100 + day.day if exact else 0)

    years = filled("i", 0, len(arrangement.games), like)
    if arrangement.batches:
        for batch in arrangement.batches:
            code = encoded(batch.first)
            if is_numpy(years):
                years[batch.start : batch.stop] = code
            else:
                years[batch.start : batch.stop] = array("i", [code]) * (batch.stop - batch.start)
        return years
    points = change_points(arrangement.place)
    for row, stop in zip(points, [*points[1:], len(years)]):
        code = encoded(int(arrangement.place[row]))
        for each in range(row, stop):
            years[each] = code
    return years


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
    codes = {name: code for code, name in enumerate(players)}
    grown = dict(blended)
    done: list[ActDone] = []
    total = plan.segments[-1].stop if plan.segments else 0

    def run(segments: Sequence[Segment], base: int) -> None:
        for group in _groups(segments, progress is not None or recording is not None):
            flat = array("q")
            for segment in group:
                flat.extend(
                    (
                        segment.start,
                        segment.stop,
                        compiled.blocks[segment.meets],
                        compiled.blocks[segment.settles],
                        segment.closes + 2 * segment.opens,
                    )
                )
            room = 16 * (group[-1].stop - group[0].start) if recording is not None and batches else 0
            changes = filled("d", 0.0, room, columns["first"])
            written = [getattr(recording, name) if recording else empty("d") for name in WRITTEN]
            rows = kernel.replay(
                state,
                compiled.rules,
                flat,
                *(columns[name] for name in READ),
                columns.get("lag", empty("B")),
                lists,
                evidence,
                touched,
                *written,
                changes,
                totals,
            )
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
            done.append(_act(what, codes, state, grown, rulebook, compiled))
        else:
            _uplift(rulebook, *what, state)
    if at < len(plan.segments):
        run(plan.segments[at:], at)
    return done


#: Columns in the order of the kernel's arguments.
READ = ("first", "second", "score", "scores", "margin", "flags", "importance", "season", "year", "born", "event")
WRITTEN = ("before", "expects", "expects_second", "after", "used_k", "gains")


def _groups(segments: Sequence[Segment], small: bool) -> Iterator[list[Segment]]:
    """The segments of one call of the kernel: all of them, or about CHUNK games; a batch is never torn apart."""
    if not small:
        yield list(segments)
        return
    group: list[Segment] = []
    games = 0
    for segment in segments:
        alone = not segment.closes and not segment.opens
        parts = [segment]
        if alone and segment.batch == 0 and segment.stop - segment.start > CHUNK:
            starts = range(segment.start, segment.stop, CHUNK)
            parts = [replace(segment, start=start, stop=min(start + CHUNK, segment.stop)) for start in starts]
        for part in parts:
            group.append(part)
            games += part.stop - part.start
            if games >= CHUNK and (part.closes or alone):
                yield group
                group, games = [], 0
    if group:
        yield group


def _keep(into: Any, changes: Column, rows: int, base: int) -> None:
    for row in range(0, 8 * rows, 8):
        into.append((int(changes[row]) + base, int(changes[row + 1]), *(float(value) for value in changes[row + 2 : row + 8])))


def _act(
    act: Act,
    codes: Mapping[str, int],
    state: Column,
    grown: dict[str, int],
    rulebook: Rulebook,
    compiled: Compiled,
) -> ActDone:
    """Carry out one dated act on a player's state."""
    at = STATE * codes[act.player]
    before = float(state[at])
    games = float(state[at + 1])
    index = edition_for_act(rulebook, act)
    if act.kind == "entry":
        rating, counted = act.rating, float(act.games if act.games is not None else games)
        state[at + 3] = 0.0  # who starts anew has no season behind to be pulled back from
    elif before != before:
        return ActDone(act, act.player, before, before, games, "no rating to change: the player is unrated")
    elif act.kind == "adjustment":
        rating, counted = before + act.rating, games
    else:
        other = act.games or 0
        if other <= grown.get(act.player, 0):
            return ActDone(act, act.player, before, before, games, "not blended: no more games there than last time")
        grown[act.player] = other
        rating, counted = (games * before + other * act.rating) / (games + other), games + other
    state[at], state[at + 1] = rating, counted
    block = compiled.blocks[index]
    publish = kernel.BLOCK.index("publish")
    shown = kernel.round_to(rating, compiled.rules[block + publish], compiled.rules[block + publish + 1])
    state[at + 2] = max(float(state[at + 2]), shown)
    return ActDone(act, act.player, before, rating, counted)


def edition_for_act(rulebook: Rulebook, act: Act) -> int:
    """The edition in force on the day of an act; the first one before it began, for entries at the base date."""
    since = rulebook.editions[0].since
    return 0 if since and act.date < since.toordinal() else rulebook.edition_index(act.date)


def _uplift(rulebook: Rulebook, index: int, day: int, state: Column) -> None:
    """A one-off revaluation of everybody, as an edition states it."""
    for code in range(len(state) // STATE):
        state[STATE * code] = uplifted(rulebook, index, day, float(state[STATE * code]))
        state[STATE * code + 2] = max(float(state[STATE * code + 2]), float(state[STATE * code]))


def uplifts_due(rulebook: Rulebook, arrangement: Arrangement, through: int) -> list[tuple[int, int]]:
    """(day, edition) of the one-off revaluations that fall within a replay, in order of date.

    Ratings that a replay starts from are those of its first day, revaluations of that day and before included. The last list takes in
    a revaluation of its own date. Later editions inherit the clause; it is carried out once.
    """
    days: dict[int, int] = {}
    for index, edition in enumerate(rulebook.editions):
        for uplift in edition.uplift:
            days.setdefault(uplift.date.toordinal(), index)
    if arrangement.batches:
        first, last = arrangement.batches[0].first, arrangement.batches[-1].after
    elif arrangement.place is not None and len(arrangement.place):
        first, last = int(arrangement.place[0]), int(arrangement.place[-1])
    else:
        return []
    return sorted((day, index) for day, index in days.items() if (through or first) < day <= last)


def uplifted(rulebook: Rulebook, index: int, day: int, rating: float) -> float:
    """A rating after an edition's one-off revaluation of a day."""
    from arpad.arithmetic import ROUNDINGS

    for uplift in rulebook.editions[index].uplift:
        if uplift.date.toordinal() == day and uplift.rating_from <= rating < uplift.rating_below:
            raised = rating + uplift.share * (uplift.towards - rating)
            return kernel.round_to(raised, ROUNDINGS.index(uplift.rounding), 1.0)
    return rating


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
        history.plan, history.compiled, history.rulebook, history.players, state, history.born, blended, totals, recording, None
    )
    return recording


def _warnings(totals: Sequence[float], players: Sequence[str], compiled: Compiled) -> Iterable[Problem]:
    if totals[2]:
        yield Problem(
            f"K times the games of one batch reached {totals[0]:.0f} ({players[int(totals[1])]}), {totals[2]:.0f} time(s) above what the curve "
            "can hold: such updates overshoot, and ratings may run away",
            hint="settle more often, lower K, or limit K times games",
            severity="warning",
        )
    if totals[3]:
        yield Problem(
            f"{totals[3]:.0f} game(s) not rated",
            hint="an opponent is unrated, or the rules leave the game out; --history lists them",
            severity="warning",
        )
