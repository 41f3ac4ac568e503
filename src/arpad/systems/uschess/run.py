"""US Chess as a system of the replay: each batch is an event, settled as a whole.

What is known of a player beyond numbers stays in the replay's memory, as plain data: `matches`, (last day, change) of
the last three years; `norms`, how many of each level; `facts`, ratings elsewhere from the start list.
"""

from __future__ import annotations

import math
from calendar import monthrange
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from arpad.model import Column
from arpad.rulebooks.schema import Edition
from arpad.stretch import COMMON, Segment, Stretch, System, nothing
from arpad.systems.uschess import classes, norms
from arpad.systems.uschess.event import settle_event
from arpad.systems.uschess.formulas import round_half_up
from arpad.systems.uschess.initial import FACTS, LISTS, age_on
from arpad.systems.uschess.players import ESTABLISHED, Entrant, Occasion, Result, Working, grown

NAN = math.nan

#: `highest_established` is the highest established rating after an event, `waived` what of it the office's floor has
#: set aside, `lowered` what floors were lowered by on request, `begun` the part of N that no games stand behind.
FIELDS = (
    *COMMON,
    *("wins", "draws", "losses", "events", "masters", "floor", "highest_established", "waived", "lowered", "begun"),
)
WIDTH = len(FIELDS)
#: Where the numbers of a state stand.
AT = {name: place for place, name in enumerate(FIELDS)}

#: Bits of a game's flags, as `feeds` sets them.
LEFT_OUT, DUAL = 4, 8
#: And that of games of a match that may not be rated, as this system sets it.
UNFIT = 16

#: What a list writes for the day of a match without a date.
UNDATED = "undated"

#: Words in the column `category` that declare an event half-K.
HALF_K = frozenset({"half-k", "half k", "halfk", "1/2-k", "1/2 k"})


def run(stretch: Stretch) -> None:
    """Settle the events of a stretch one after the other."""
    for number, segment in enumerate(stretch.segments, stretch.base):
        if segment.closes:
            _Event(stretch, segment, number).settle()


def _highest(held: Mapping[str, float]) -> float:
    """The highest established rating. Of a start list or an entry that does not say it: the highest that is known, if
    the rating is established, in whole points, as lists show it."""
    known = held["rating"] == held["rating"] and held["games"] > ESTABLISHED
    # a floor by the office raises what lists show as the peak, which is no rating after an event
    return held["highest_established"] or (float(round_half_up(held["waived"] or held["peak"])) if known else 0.0)


class _Event:
    """One event: its games as the replay holds them, its players as `players` takes them, and back."""

    def __init__(self, stretch: Stretch, segment: Segment, number: int) -> None:
        self.stretch = stretch
        self.segment = number
        self.batch = stretch.batches[segment.batch]
        self.number = segment.batch
        self.edition = stretch.rulebook.editions[segment.settles]
        self.ended = max(self.batch.after - 1, 0)
        flags = stretch.columns["flags"]
        self.flags = flags if len(flags) else None
        rows = range(self.batch.start, self.batch.stop)
        self.rows = [row for row in rows if self.flags is None or not self.flags[row] & LEFT_OUT]
        self.out = [row for row in rows if self.flags is not None and self.flags[row] & LEFT_OUT]

    def settle(self) -> None:
        games = self.stretch.games
        sides = [(int(games.first[row]), int(games.second[row])) for row in self.rows]
        names = self.stretch.players
        results = [
            Result(names[one], names[two], *games.scores[games.score[row]]) for row, (one, two) in zip(self.rows, sides)
        ]
        codes = dict.fromkeys(code for pair in sides for code in pair)
        entrants = {code: self.entrant(code) for code in codes}
        workings = settle_event([*entrants.values()], results, self.edition, self.occasion())
        done = {working.code: working for working in workings}
        if not done:
            self.leave_out(self.rows, LEFT_OUT | UNFIT)
        self.leave_out(self.out)
        if self.stretch.recording is not None:
            self.record(sides if done else [], [done[names[code]] for code in codes] if done else [], [*codes])
        for code in codes if done else ():
            self.learn(code, entrants[code], done[names[code]], done)

    def leave_out(self, rows: Sequence[int], why: int = LEFT_OUT) -> None:
        """Games of another list, or of a match that cannot be rated."""
        self.stretch.totals[3] += len(rows)
        if self.flags is not None:
            for row in rows:
                self.flags[row] |= why
        recording = self.stretch.recording
        for row in rows if recording is not None else ():
            for side, column in enumerate((self.stretch.games.first, self.stretch.games.second)):
                recording.before[2 * row + side] = self.stretch.state[WIDTH * int(column[row])]  # type: ignore[union-attr]

    def occasion(self) -> Occasion:
        dual = self.flags is not None and any(self.flags[row] & DUAL for row in self.rows)
        words = self.stretch.games.labels.get("category")
        half = words is not None and any(words[row].strip().casefold() in HALF_K for row in self.rows)
        return Occasion(self.ended, dual, half)

    def entrant(self, code: int) -> Entrant:
        stretch = self.stretch
        state = [float(number) for number in stretch.state[WIDTH * code : WIDTH * code + WIDTH]]
        held = dict(zip(FIELDS, state))
        rating = held["rating"]
        name = stretch.players[code]
        unrated = rating != rating
        return Entrant(
            code=name,
            rating=None if unrated else rating,
            games=held["games"],
            wins=held["wins"],
            draws=held["draws"],
            losses=held["losses"],
            events=held["events"],
            begun_with=held["begun"],
            peak=_highest(held),
            masters=held["masters"],
            office=held["floor"],
            waived=held["waived"],
            lowered=held["lowered"],
            matches=tuple((int(day), float(change)) for day, change in self.recalled("matches", name, ())),
            age=self.age(code) if unrated else NAN,
            facts=self.facts(name) if unrated else {},
        )

    def recalled(self, kind: str, name: str, default: Any) -> Any:
        return self.stretch.memory.get(kind, {}).get(name, default)

    def facts(self, name: str) -> Mapping[str, float]:
        """Ratings elsewhere; what a start list says of this very list is none of them."""
        own = self.stretch.rulebook.name.partition(":")[0].rpartition("/")[2].replace("-", "_")
        told: Mapping[str, float] = self.recalled("facts", name, {})
        return {fact: value for fact, value in told.items() if fact != own or own not in LISTS}

    def age(self, code: int) -> float:
        """Years on the event's last day; of who is known by the year alone, as if born on its last day."""
        born = int(self.stretch.born[code])
        if not born or not self.ended:
            return NAN
        year, month, day = born // 10000, born // 100 % 100, born % 100
        birth = date(year, month, min(day, monthrange(year, month)[1]))
        return age_on(birth, date.fromordinal(self.ended))

    def learn(self, code: int, entrant: Entrant, working: Working, done: Mapping[str, Working]) -> None:
        """The player's numbers after the event, and what is remembered of it."""
        stretch, name = self.stretch, entrant.code
        after = grown(entrant, working, self.edition, self.ended)
        at = WIDTH * code
        peak = max(float(stretch.state[at + AT["peak"]]), float(round_half_up(working.after)))
        numbers = (
            *(working.after, after.games, peak, float(self.ended)),
            *(after.wins, after.draws, after.losses, after.events, after.masters, after.office),
            *(after.peak, after.waived, after.lowered, after.begun_with),
        )
        for place, number in enumerate(numbers, at):
            stretch.state[place] = number
        if working.match:
            years = self.edition.match.years if self.edition.match else 0
            since = self.ended - 366 * years
            kept = [[day, change] for day, change in after.matches if not day or day > since]
            stretch.memory.setdefault("matches", {})[name] = kept
        self.learn_norms(name, working, done)

    def learn_norms(self, name: str, working: Working, done: Mapping[str, Working]) -> None:
        clause = self.edition.norms
        if clause is None:
            return
        met = [meeting.opponent for meeting in working.meetings]
        opponents = [done[opponent].before for opponent in met]
        fresh = norms.levels_made(met, opponents, working.score, clause, self.edition.levels)
        if fresh:
            counts = dict(self.recalled("norms", name, {}))
            for level in fresh:
                counts[level] = counts.get(level, 0) + 1
            self.stretch.memory.setdefault("norms", {})[name] = counts

    def record(self, sides: Sequence[tuple[int, int]], workings: Sequence[Working], codes: Sequence[int]) -> None:
        """What explanations and tables read. A game's `before` is what its opponent's expectation used."""
        recording, names = self.stretch.recording, self.stretch.players
        if recording is None:
            return
        by_name = {working.code: working for working in workings}
        games = self.stretch.games
        next_of = {working.code: iter(working.meetings) for working in workings}
        for row, (one, two) in zip(self.rows, sides):
            pair = games.scores[games.score[row]]
            for side, code in enumerate((one, two)):
                meeting = next(next_of[names[code]])
                place = 2 * row + side
                recording.before[place] = by_name[names[code]].interim
                (recording.expects_second if side else recording.expects)[row] = meeting.expected
                recording.gains[place] = pair[side] - meeting.expected
        for code, working in zip(codes, workings):
            recording.workings[self.number, code] = working
            numbers = working.score, working.expected, working.k
            met = len(working.meetings)
            recording.changes.append((self.segment, code, working.before, working.after, float(met), *numbers))


def listed(history: Any, codes: Column) -> Mapping[str, Column]:
    """What a list of US Chess shows beside ratings: the rating as written, class, title, and norms by level."""
    edition: Edition = history.rulebook.on(history.as_of)
    state, memory = history.state, history.learned
    shown: dict[str, list[str]] = {"notation": [], "class": [], "title": [], "norms": []}
    for code in codes:
        held = dict(zip(FIELDS, (float(number) for number in state[WIDTH * int(code) : WIDTH * int(code) + WIDTH])))
        counts: Mapping[str, int] = memory.get("norms", {}).get(history.players[int(code)], {})
        established = held["games"] > ESTABLISHED
        made = (
            norms.titles_of(counts, held["highest_established"], established, edition.norms, edition.levels)
            if edition.norms
            else []
        )
        shown["notation"].append(classes.notation(held["rating"], held["games"]))
        shown["class"].append(classes.class_of(held["rating"]))
        shown["title"].append(classes.title_of(made, held["highest_established"], edition.levels))
        shown["norms"].append("; ".join(f"{level} {counts[level]}" for level in counts))
    if edition.norms is None:
        del shown["title"], shown["norms"]
    return {**shown, **_carried(history, codes)}


def _carried(history: Any, codes: Column) -> dict[str, Column]:
    """All else that a start list needs in order to go on from here with the same digits."""
    state, memory = history.state, history.learned
    states = [dict(zip(FIELDS, map(float, state[WIDTH * int(code) : WIDTH * int(code) + WIDTH]))) for code in codes]
    columns: dict[str, Column] = {name: [held[name] for held in states] for name in FIELDS[len(COMMON) :]}
    columns["highest_established"] = list(map(_highest, states))
    if any(held["games"] % 1.0 for held in states):
        columns["games_exact"] = [held["games"] for held in states]
    matches: Mapping[str, Any] = memory.get("matches", {})
    columns["match_changes"] = [_written(matches.get(history.players[int(code)], ())) for code in codes]
    return columns


def _written(matches: Sequence[tuple[int, float]]) -> str:
    """Earlier matches as a list tells them: `2024-01-10 50.0; 2024-03-10 -12.5`."""
    return "; ".join(f"{date.fromordinal(int(day)) if day else UNDATED} {float(change)!r}" for day, change in matches)


def _matches(text: str) -> list[list[float]]:
    """The reverse of `_written`. Raises ValueError."""
    found = []
    for part in text.split(";"):
        day, _, change = part.strip().partition(" ")
        number = float(change) if change else NAN
        if not abs(number) < 1e4:
            raise ValueError(f"{part.strip()!r} is no match (2024-01-10 50.0; 2024-03-10 -12.5)")
        found.append([0 if day == UNDATED else date.fromisoformat(day).toordinal(), number])
    return found


def _norms(text: str) -> dict[str, int]:
    """Norms by level as `listed` writes them. Raises ValueError."""
    found = {}
    for part in text.split(";"):
        level, _, count = part.strip().rpartition(" ")
        if not (level and count.isascii() and count.isdigit()):
            raise ValueError(f"{part.strip()!r} is no number of norms (4th category 2; 3rd category 1)")
        found[level] = int(count)
    return found


SYSTEM = System(
    "uschess",
    run,
    nothing,
    FIELDS,
    (0.0,) * (WIDTH - len(COMMON)),
    FACTS,
    listed=listed,
    carried=(*FIELDS[len(COMMON) :], "games_exact", "match_changes"),
    recalls={"norms": ("norms", _norms), "match_changes": ("matches", _matches)},
)

__all__ = ["FIELDS", "SYSTEM", "listed", "run"]
