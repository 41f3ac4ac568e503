"""What the systems share that settle whole events in plain Python: games side by side, results put into states.

A system makes a `Settled` of everybody for whom a batch changes something; `settle` writes it into the states and,
where a replay is recorded, into the recording.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from arpad import kernel
from arpad.arithmetic import ROUNDINGS
from arpad.model import Column
from arpad.rulebooks.schema import Edition, Step
from arpad.stretch import Batch, Stretch

NAN = math.nan

#: The bit of a game's flags that leaves it out, as the plan sets it.
LEFT_OUT = 4


class Meeting(msgspec.Struct, frozen=True):
    """One game as one side saw it: `side` is 0 for the first-named player."""

    row: int
    side: int
    opponent: int
    score: float


#: Everybody's games of a batch, by player.
Meetings = dict[int, list[Meeting]]


class Whole(msgspec.Struct, frozen=True):
    """A batch to be settled: its rows, its edition, and the number of its last segment in the plan."""

    start: int
    stop: int
    edition: Edition
    index: int
    segment: int
    number: int
    batch: Batch
    clock: float = 0.0

    @property
    def ends(self) -> int:
        """The last day (ordinal), 0 where there are no dates."""
        return max(self.batch.after - 1, 0)


class Reckoned(msgspec.Struct, frozen=True):
    """One game as the rules reckoned it for one side: the two ratings and the expected score (nan: there is none)."""

    meeting: Meeting
    own: float
    met: float
    expected: float = NAN
    weight: float = 1.0

    @property
    def gain(self) -> float:
        """Score minus expected, by weight; where nothing is expected, what the game is above a draw."""
        return self.weight * (self.meeting.score - (self.expected if self.expected == self.expected else 0.5))


class Settled(msgspec.Struct, frozen=True):
    """What a batch made of one player; `working` is the system's own record of how."""

    before: float
    after: float
    counted: Sequence[Reckoned]
    expected: float = NAN
    k: float = NAN
    working: Any = None

    @property
    def score(self) -> float:
        return math.fsum(game.meeting.score for game in self.counted)


def batches(stretch: Stretch) -> Iterator[Whole]:
    """The batches of a stretch, each whole: a batch under several editions is settled under that of its last games."""
    start: int | None = None
    for number, segment in enumerate(stretch.segments, stretch.base):
        start = segment.start if segment.opens or start is None else start
        if segment.closes:
            index = segment.settles
            edition = stretch.rulebook.editions[index]
            batch = stretch.batches[segment.batch]
            yield Whole(start, segment.stop, edition, index, number, segment.batch, batch, segment.clock)
            start = None


def meetings(stretch: Stretch, whole: Whole) -> Meetings:
    """Everybody's games of a batch in their order; games that the rules leave out are not among them."""
    games, flags = stretch.games, stretch.columns["flags"]
    found: Meetings = {}
    for row in range(whole.start, whole.stop):
        if len(flags) and flags[row] & LEFT_OUT:
            continue
        first, second = int(games.first[row]), int(games.second[row])
        scores = games.scores[games.score[row]]
        found.setdefault(first, []).append(Meeting(row, 0, second, float(scores[0])))
        found.setdefault(second, []).append(Meeting(row, 1, first, float(scores[1])))
    return found


def rounded(value: float, step: Step) -> float:
    return kernel.round_to(value, ROUNDINGS.index(step.rule), step.to)


def year_of(ordinal: int) -> int | None:
    return date.fromordinal(ordinal).year if ordinal else None


def birth_year(born: int) -> int | None:
    """Of a birth date as states keep it: year * 10000 + month * 100 + day, 0 where it is not known."""
    return born // 10000 or None


def age_on(born: int, ordinal: int) -> float:
    """Completed years on a day; nan where either is not known."""
    if not born or not ordinal:
        return NAN
    day = date.fromordinal(ordinal)
    return float((day.year * 10000 + day.month * 100 + day.day - born) // 10000)


def column_of(field: int, name: str) -> Callable[[Any, Column], Mapping[str, Column]]:
    """What a list shows beside the rating: a whole number of each player's state, under a name."""

    def listed(history: Any, codes: Column) -> Mapping[str, Column]:
        width = history.system.width
        return {name: array("i", (int(history.state[width * int(code) + field]) for code in codes))}

    return listed


def settle(stretch: Stretch, whole: Whole, played: Meetings, results: Mapping[int, Settled]) -> None:
    """Write results into states and recording. Who gets no rating keeps what games there were: none is counted."""
    state, width, publish = stretch.state, stretch.width, whole.edition.publish
    for player, settled in results.items():
        at = width * player
        state[at] = settled.after
        state[at + 1] += len(settled.counted)
        if settled.after == settled.after:
            state[at + 2] = max(float(state[at + 2]), rounded(settled.after, publish))
    rated = {game.meeting.row for settled in results.values() for game in settled.counted}
    rows = {meeting.row for games in played.values() for meeting in games}
    stretch.totals[3] += len(rows - rated)
    if stretch.recording is not None:
        _record(stretch, whole, played, results)


def _record(stretch: Stretch, whole: Whole, played: Meetings, results: Mapping[int, Settled]) -> None:
    recording = stretch.recording
    assert recording is not None
    for player, games in played.items():
        before = results[player].before if player in results else float(stretch.state[stretch.width * player])
        for meeting in games:
            recording.before[2 * meeting.row + meeting.side] = before
            recording.after[2 * meeting.row + meeting.side] = before
    for player, settled in results.items():
        for game in settled.counted:
            at = 2 * game.meeting.row + game.meeting.side
            (recording.expects_second if game.meeting.side else recording.expects)[game.meeting.row] = game.expected
            recording.gains[at] = game.gain
            recording.before[at] = game.own
        recording.changes.append(
            (
                *(whole.segment, player, settled.before, settled.after),
                *(float(len(settled.counted)), settled.score, settled.expected, settled.k),
            )
        )
        if settled.working is not None:
            recording.workings[whole.number, player] = settled.working
