"""Why a rating is what it is: every change of a player, down to the game and the clause.

Nothing is computed here that the replay did not compute: the numbers are its recording, and the clauses are those whose
conditions hold for the facts that the kernel saw. `words` makes sentences of them.

Over 400 lines because one walk through a player's changes keeps what the kernel held before each of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import date
from importlib import import_module
from typing import Any

import msgspec

from arpad import kernel
from arpad.acts import ActDone, edition_for_act, uplifted
from arpad.arithmetic import choose
from arpad.columns import is_numpy
from arpad.engine import History
from arpad.newcomers import FirstRating
from arpad.rulebooks.clause import Clause
from arpad.stretch import Batch, Segment
from arpad.told import STEPS as STEPS
from arpad.told import ChangeExplained as ChangeExplained
from arpad.told import Spread as Spread
from arpad.working import GameWorking, deviation_clauses, game_working, known, provisionally, pull_of


def explain(history: History, player: str, event: str | None = None) -> list[ChangeExplained]:
    """Every change of a player in order, or only those that an event had part in.

    Raises UnknownName for a player or an event that is not there.
    """
    story = list(_Story(history, history.code(player)).told())
    if event is None:
        return story
    known = {game.event for change in story for game in change.games if game.event}
    if event not in known:
        from arpad.errors import UnknownName

        raise UnknownName("event", event, known)
    return [change for change in story if any(game.event == event for game in change.games)]


class _Story:
    """Walks one player's changes; `rating`, `games` and `peak` are what the kernel held before the next one."""

    def __init__(self, history: History, code: int) -> None:
        self.history = history
        self.code = code
        self.player = history.players[code]
        self.games_of = history.games
        book = history.rulebook
        self.body = book.name if book.organisation == "none" else f"{book.organisation}, {book.name}"
        at = history.system.width * code
        self.rating = float(history.begun[at])
        self.games = float(history.begun[at + 1])
        self.peak = float(history.begun[at + 2])
        self.deviation: float | None = None
        if history.system.spreads:
            self.deviation = known(float(history.begun[at + history.system.fields.index("deviation")]))
        self.acts = [done for done in history.acts if done.player == self.player]
        self.uplifts = list(history.plan.uplifts)
        self.firsts = {first.batch: first for first in history.firsts if first.player == self.player}
        self.steps = {id(what): at for at, what in history.plan.steps}
        self.marks = [what for _, what in history.plan.steps if isinstance(what, tuple)]
        self.opens = {segment.batch: at for at, segment in reversed([*enumerate(history.plan.segments)])}
        self.starts = [segment.start for segment in history.plan.segments]

    def told(self) -> Iterator[ChangeExplained]:
        batches = self.history.arrangement.batches
        if batches:
            by_batch = self._rows_by_batch()
            recorded = {
                self.history.plan.segments[change[0]].batch: change
                for change in self.history.recording.changes
                if change[1] == self.code
            }
            for number, rows in sorted(by_batch.items()):
                yield from self._dated(batches[number].first, self.opens[number])
                yield from self._batch(number, rows, recorded.get(number))
        else:
            for row in self._rows():
                place = self.history.arrangement.place
                yield from self._dated(int(place[row]) if place is not None else 0, None)
                yield from self._single(row)
        yield from self._dated(None, None)

    def _rows(self) -> Iterator[int]:
        first, second = self.games_of.first, self.games_of.second
        if is_numpy(first):
            yield from ((first == self.code) | (second == self.code)).nonzero()[0].tolist()
        else:
            yield from (row for row in range(len(first)) if self.code in (first[row], second[row]))

    def _rows_by_batch(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for row in self._rows():
            found.setdefault(self._segment(row).batch, []).append(row)
        return found

    def _segment(self, row: int) -> Segment:
        """The run of games that holds a row; an empty batch that starts there has none."""
        return self.history.plan.segments[bisect_right(self.starts, row) - 1]

    def _dated(self, day: int | None, opens: int | None) -> Iterator[ChangeExplained]:
        """Acts and revaluations that come before the games of a day, or before the segment that opens a batch; all that
        are left if both are None."""

        def due(ordinal: int, what: object) -> bool:
            if day is None:
                return True
            return ordinal <= day if opens is None else self.steps.get(id(what), -1) <= opens

        while True:
            uplift = self.uplifts[0] if self.uplifts and due(self.uplifts[0][0], self.marks[0]) else None
            act = self.acts[0] if self.acts and due(self.acts[0].act.date, self.acts[0].act) else None
            if uplift and (act is None or uplift[0] <= act.act.date):
                self.uplifts.pop(0)
                self.marks.pop(0)
                yield from self._uplift(*uplift)
            elif act:
                self.acts.pop(0)
                yield self._act(act)
            else:
                return

    def _uplift(self, ordinal: int, index: int) -> Iterator[ChangeExplained]:
        elsewhere = self.history.elsewhere(self.code, ordinal)
        raised = uplifted(self.history.rulebook, index, ordinal, self.rating, elsewhere)
        if raised == self.rating or raised != raised:
            return
        edition = self.history.rulebook.editions[index]
        clauses = tuple(clause for clause in edition.uplift if clause.date.toordinal() == ordinal)
        yield self._dated_change("uplift", ordinal, raised, index, clauses, "")
        self.peak = max(self.peak, raised)

    def _act(self, done: ActDone) -> ChangeExplained:
        index = edition_for_act(self.history.rulebook, done.act)
        blend = self.history.rulebook.editions[index].blend if done.act.kind == "blend" else None
        told = (blend,) if blend is not None else ()
        change = self._dated_change(done.act.kind, done.act.date, done.after, index, told, done.note or done.act.reason)
        if done.act.kind == "floor" and not done.note:
            change = msgspec.structs.replace(change, exact=done.act.rating)
        self.games = done.games
        if done.act.kind == "entry":
            self.deviation = done.act.deviation
        if done.after == done.after:
            self.peak = max(self.peak, self._shown(index, done.after))
        return change

    def _dated_change(
        self, kind: str, ordinal: int, after: float, index: int, clauses: tuple[Clause, ...], reason: str
    ) -> ChangeExplained:
        before, self.rating = self.rating, after
        return ChangeExplained(
            self.player,
            kind,
            date.fromordinal(ordinal) if ordinal else None,
            known(before),
            known(after),
            self._edition_name(index),
            self.body,
            clauses=clauses,
            reason=reason,
        )

    def _single(self, row: int) -> Iterator[ChangeExplained]:
        recording, side = self.history.recording, self._side(row)
        segment = self._segment(row)
        before, after = float(recording.before[2 * row + side]), float(recording.after[2 * row + side])
        yield from self._arrived(before, segment, row)
        game = self._game(row, segment)
        if game.note:
            yield self._change(segment, row, (game,), after, None, None, None, {})
            return
        facts = self._facts(row)
        k = float(recording.used_k[2 * row + side])
        gain = float(recording.gains[2 * row + side])
        working = provisionally(self.history, segment, (game,), facts, gain)
        clauses = self._settling(segment, facts, k, k * gain + game.bonus, working)
        spread = self._spread(recording.spread[8 * row + 4 * side : 8 * row + 4 * side + 4])
        yield self._change(
            *(segment, row, (game,), after, known(k), gain, game.expected, facts, clauses),
            spread=spread,
            working=working,
        )
        self._learned(segment, after, self._experience([row]))

    def _batch(self, number: int, rows: Sequence[int], recorded: tuple[Any, ...] | None) -> Iterator[ChangeExplained]:
        batch = self.history.arrangement.batches[number]
        segment = self._segment(rows[0])
        working = self.history.recording.workings.get((number, self.code))
        steps = STEPS.get(self.history.rulebook.system) if working is not None else None
        if recorded is not None and steps is None:
            yield from self._arrived(recorded[2], segment, rows[0])
        games = tuple(self._game(row, self._segment(row), working) for row in rows)
        if recorded is None:
            if number in self.firsts:
                yield self._first(self.firsts[number], games)
            else:
                yield self._change(segment, rows[-1], games, self.rating, None, None, None, {})
            return
        if steps is not None:
            yield self._event(import_module(steps), working, segment, batch, games)
            return
        after, _, score, expected, k, *more = recorded[3:]
        facts = self._facts(rows[0]) | {"batch_games": float(sum(not game.note for game in games))}
        gain, upgrade = self._sum(games, [self._of_the_mean(row) for row in rows], expected)
        gain, upgrade = (gain, upgrade) if working is None else (gain - upgrade, 0.0)
        working = working or provisionally(self.history, segment, games, facts, gain)
        surprise = self._surprise(segment, games, score, expected)
        change = k * gain * surprise + sum(game.bonus for game in games) + self._played(segment, games, facts)
        clauses = self._settling(segment, facts, k, change, working)
        spread = self._spread(more)
        yield self._change(
            *(segment, rows[-1], games, after, known(k), gain, known(expected), facts, clauses),
            *(date.fromordinal(batch.after - 1) if batch.after else None, score, upgrade, spread, working, surprise),
        )
        counted = self._experience([row for row, game in zip(rows, games) if not game.note])
        self._learned(segment, after, counted)

    def _experience(self, rows: Sequence[int]) -> float:
        """What games count for among the games played: one each, or the lengths of matches."""
        lengths = self.history.plan.columns["length"]
        length = self.history.rulebook.editions[self._segment(rows[0]).settles].length if rows else None
        return (
            sum(float(lengths[row]) for row in rows) if length is not None and length.experience else float(len(rows))
        )

    def _surprise(self, segment: Segment, games: Sequence[GameWorking], score: float, expected: float) -> float:
        """The factor by how surprising a whole batch was, where the rules ask that."""
        surprise = self.history.rulebook.editions[segment.settles].surprise
        if surprise is None or surprise.of == "game":
            return 1.0
        compiled, at = self.history.compiled, self.history.compiled.blocks[segment.settles]
        expectations = [game.expected * compiled.unit for game in games if game.expected is not None and not game.note]
        spread = sum(each * (compiled.unit - each) for each in expectations)
        factor = kernel.surprise_of_several
        return factor(compiled.rules, at, score * compiled.unit, expected * compiled.unit, spread)

    def _event(
        self, module: Any, working: Any, segment: Segment, batch: Batch, games: Sequence[GameWorking]
    ) -> ChangeExplained:
        """An event that was settled as a whole, in steps; how a newcomer begins is the first of them."""
        edition = self.history.rulebook.editions[segment.settles]
        told = module.told(working, edition)
        change = ChangeExplained(
            self.player,
            "games",
            date.fromordinal(batch.after - 1) if batch.after else games[-1].day,
            known(self.rating),
            working.after,
            self._edition_name(segment.settles),
            self.body,
            module.games(games, working, edition),
            working.score,
            working.expected,
            working.score - working.expected,
            k=known(working.k),
            exact=working.raw - working.before,
            clauses=tuple(told.clauses.values()),
            system=self.history.rulebook.system,
            steps=told,
        )
        self._learned(segment, working.after, working.games_after - self.games)
        return change

    def _spread(self, recorded: Sequence[float]) -> Spread | None:
        if not self.history.system.spreads or not len(recorded):
            return None
        stored, (met, after, before, volatility) = self.deviation, map(float, recorded)
        self.deviation = after
        return Spread(stored, met, after, before, volatility)

    def _of_the_mean(self, row: int) -> bool:
        """Whether a game has no expectation of its own, but its event's mean opponent has."""
        return self.history.rulebook.editions[self._segment(row).meets].difference.expectation != "game"

    def _sum(self, games: Sequence[GameWorking], of_the_mean: Sequence[bool], expected: float) -> tuple[float, float]:
        """What a batch's games brought together, and what one of them was spared by the limit to upgrades."""
        counted = [(game, mean) for game, mean in zip(games, of_the_mean) if not game.note]
        singly = sum(game.expected or 0.0 for game, mean in counted if not mean)
        gain = sum(game.gain or 0.0 for game, mean in counted if not mean)
        if any(mean for _, mean in counted):
            return gain + sum(game.score for game, mean in counted if mean) - (expected - singly), 0.0
        upgrade = round(singly - expected, 9) if expected == expected else 0.0
        return gain + upgrade, upgrade

    def _first(self, first: FirstRating, games: tuple[GameWorking, ...]) -> ChangeExplained:
        edition = self.history.rulebook.editions[first.edition]
        before = self.rating
        if first.listed and first.rating is not None:
            self.rating = first.rating
            self.games += len(first.games) if edition.first and edition.first.counted else 0
            self.peak = max(self.peak, first.rating)
        return ChangeExplained(
            self.player,
            "first",
            date.fromordinal(first.day),
            known(before),
            known(self.rating),
            self._edition_name(first.edition),
            self.body,
            games,
            first.score,
            clauses=tuple(
                clause
                for clause in (edition.first, None if first.listed or first.rating is None else edition.floor)
                if clause is not None
            ),
            first=first,
        )

    def _change(
        self,
        segment: Segment,
        row: int,
        games: tuple[GameWorking, ...],
        after: float,
        k: float | None,
        gain: float | None,
        expected: float | None,
        facts: dict[str, float],
        clauses: tuple[Clause, ...] = (),
        day: date | None = None,
        score: float | None = None,
        upgrade: float = 0.0,
        spread: Spread | None = None,
        working: Any = None,
        surprise: float = 1.0,
    ) -> ChangeExplained:
        played = self._played(segment, games, facts) if k is not None else 0.0
        bonus = sum(game.bonus for game in games if not game.note) + played
        edition = self.history.rulebook.editions[segment.settles]
        pull = pull_of(edition, games, self.rating)
        clauses = (*clauses, choose(edition.game_bonus, facts)) if played else clauses
        if k is not None and gain is not None and self.history.system.spreads:
            clauses = (*deviation_clauses(edition, games, k, gain), *clauses)
        return ChangeExplained(
            self.player,
            "games",
            day or games[-1].day,
            known(self.rating),
            known(after),
            self._edition_name(segment.settles),
            self.body,
            games,
            sum(game.score for game in games if not game.note) if score is None else score,
            expected,
            gain,
            upgrade,
            surprise,
            bonus,
            pull,
            k,
            None if k is None or gain is None else k * gain * surprise + bonus + pull,
            clauses,
            spread=spread,
            facts={name: value for name, value in facts.items() if value == value},
            played=played,
            system=self.history.rulebook.system,
            working=working,
            rise=self._rise(segment, facts, k, k * gain)
            if edition.rise and k is not None and gain is not None
            else 0.0,
            rounds=edition.expected.rule != "none",
        )

    def _played(self, segment: Segment, games: Sequence[GameWorking], facts: dict[str, float]) -> float:
        """What games bring by being played."""
        rules, at = self.history.compiled.rules, self.history.compiled.blocks[segment.settles]
        rating, number, peak, age = (facts[name] for name in ("rating", "games", "peak", "age"))
        each = kernel.game_bonus_of(rules, at, rating, number, peak, age)
        return each * sum(not game.note for game in games)

    def _arrived(self, before: float, segment: Segment, row: int) -> Iterator[ChangeExplained]:
        """What time alone did since the last change: a newcomer entered, a new season began, or nothing was played."""
        if before == self.rating or before != before:
            return
        edition = self.history.rulebook.editions[segment.settles]
        newcomer = self.rating != self.rating
        clause: Clause | None = edition.entry if newcomer else edition.season or edition.idle
        place = self.history.arrangement.place
        ordinal = int(place[row]) if place is not None else 0
        yield self._dated_change(
            "newcomer" if newcomer else "season" if edition.season else "idle",
            ordinal,
            before,
            segment.settles,
            (clause,) if clause else (),
            "",
        )
        if newcomer:
            self.games = float(edition.entry.games)
            self.peak = self._shown(segment.settles, before)

    def _learned(self, segment: Segment, after: float, games: float) -> None:
        floor = self.history.rulebook.editions[segment.lists].floor
        erased = after != after and floor is not None and floor.kind == "erase"
        self.rating = after
        self.games = 0.0 if erased else self.games + games
        self.peak = 0.0 if erased else self.peak
        if after == after:
            self.peak = max(self.peak, self._shown(segment.lists, after))

    def _shown(self, index: int, rating: float) -> float:
        rules, at = self.history.compiled.rules, self.history.compiled.blocks[index]
        rule = at + kernel.BLOCK.index("publish")
        return kernel.round_to(rating, rules[rule], rules[rule + 1])

    def _facts(self, row: int) -> dict[str, float]:
        years, born = self.history.plan.columns["year"], self.history.plan.columns["born"]
        age = float("nan")
        if len(years) and len(born) and years[row] and born[self.code]:
            age = float((int(years[row]) - int(born[self.code])) // 10000)
        return {"rating": self.rating, "games": self.games, "peak": self.peak, "age": age}

    def _settling(
        self, segment: Segment, facts: dict[str, float], k: float, change: float, working: Any = None
    ) -> tuple[Clause, ...]:
        """The clauses that turned the gain into a change; a working names its own as `clauses`."""
        edition = self.history.rulebook.editions[segment.settles]
        shown = self.history.rulebook.editions[segment.lists]
        clauses: list[Clause] = []
        if working is not None:
            stated = [getattr(edition, name) for name in getattr(working, "clauses", ())]
            clauses = [choose(clause, facts) if isinstance(clause, list) else clause for clause in stated]
        elif edition.k:
            clauses = [choose(edition.k, facts)]
        more = (edition.weng_lin, edition.trueskill, edition.contest)
        clauses += [clause for clause in more if clause and working is None]
        if edition.k_factor and working is None:
            clauses.append(choose(edition.k_factor, facts))
        if edition.surprise and edition.surprise.of == "batch":
            clauses.append(edition.surprise)
        if edition.k_rounding.rule != "none":
            clauses.append(edition.k_rounding)
        rules, at = self.history.compiled.rules, self.history.compiled.blocks[segment.settles]
        if edition.limit and working is None:
            alone = kernel.coefficient_of(rules, at, facts["rating"], facts["games"], facts["peak"], facts["age"], 1.0)
            clauses += [edition.limit] if alone > k else []
        clauses += [edition.expected] if edition.expected.rule != "none" and working is None else []
        clauses += [edition.rise] if edition.rise and self._rise(segment, facts, k, change) else []
        clauses += [edition.change] if edition.change.rule != "none" else []
        clauses += [shown.floor] if shown.floor and facts["rating"] + change < shown.floor.value else []
        clauses += [shown.ceiling] if shown.ceiling and facts["rating"] + change > shown.ceiling.value else []
        return tuple(clauses)

    def _rise(self, segment: Segment, facts: dict[str, float], k: float, change: float) -> float:
        """The bonus that a change brought with it."""
        rules, at = self.history.compiled.rules, self.history.compiled.blocks[segment.settles]
        return kernel.rise_of(rules, at, k, facts.get("batch_games", 1.0), facts["rating"], facts["peak"], change)

    def _side(self, row: int) -> int:
        return 0 if self.games_of.first[row] == self.code else 1

    def _game(self, row: int, segment: Segment, working: Any = None) -> GameWorking:
        return game_working(self.history, row, self._side(row), segment, self._facts(row), working)

    def _edition_name(self, index: int) -> str:
        from arpad.rulebooks.book import label

        return label(self.history.rulebook.editions[index])
