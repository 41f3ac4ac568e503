"""The five steps: all games of an event rated together, in passes.

1. who is unrated begins with a rating (`initial`);
2. every rating counts as so many games, N';
3. who counts as none gets a first estimate, used only as an opponent's rating;
4. everybody gets an intermediate rating from the ratings before the event (and the estimates of step 3);
5. the same again, from the same own rating, against the opponents' intermediate ratings. Then floors.

A match, an event of two players, is step 5 alone, against the rating before the match, without bonus and within limits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date

import msgspec

from arpad.rulebooks.schema import Edition
from arpad.rulebooks.schema_uschess import Match, Special, Standard
from arpad.systems.uschess import formulas
from arpad.systems.uschess.initial import Begins, Initial, first_rating
from arpad.systems.uschess.players import (
    UNKNOWN,
    Entrant,
    Meeting,
    Occasion,
    Result,
    Working,
    absolute_of,
    floor_of,
    streak,
)

NAN = math.nan


class _Start(msgspec.Struct, frozen=True):
    """Steps 1 and 2 for one player."""

    entrant: Entrant
    begins: Begins | None
    rating: float
    games: float
    effective: float
    why: str  # why the special formula: games, won, lost; empty for the standard one


class _Games(msgspec.Struct, frozen=True):
    """A player's games: opponents in their order, and scores."""

    opponents: list[str]
    scores: list[float]

    @property
    def score(self) -> float:
        return math.fsum(self.scores)

    @property
    def meetings(self) -> int:
        return formulas.most_meetings(self.opponents)


def unfit_match(entrants: Sequence[Entrant], games: Sequence[Result], edition: Edition) -> str:
    """Why an event of two players cannot be rated as a match: games, apart; empty if it can, or is no match."""
    clause = edition.match
    players = {code for game in games for code in (game.first, game.second)}
    if clause is None or len(players) != 2 or len(games) < clause.least:
        return ""
    two = [entrant for entrant in entrants if entrant.code in players]
    if any(entrant.rating is None or not entrant.games > clause.games for entrant in two):
        return "games"
    ratings = [formulas.round_half_up(entrant.rating or 0.0) for entrant in two]
    return "apart" if abs(ratings[0] - ratings[1]) > clause.apart else ""


def settle_event(
    entrants: Sequence[Entrant],
    games: Sequence[Result],
    edition: Edition,
    occasion: Occasion = UNKNOWN,
    initial: Initial = first_rating,
) -> list[Working]:
    """What an event does to each of its players, in the order of `entrants`; who played no game is not among them.

    A match that cannot be rated gives nothing. Raises KeyError for a game of somebody who is no entrant.
    """
    starts = {entrant.code: _start(entrant, edition, initial) for entrant in entrants}
    played: dict[str, _Games] = {}
    for game in games:
        for own, opponent, score in ((game.first, game.second, game.score), (game.second, game.first, game.other)):
            record = played.setdefault(own, _Games([], []))
            record.opponents.append(opponent)
            record.scores.append(score)
    unfit = unfit_match(entrants, games, edition)
    if unfit and edition.match is not None and edition.match.unfit == "left out":
        return []
    is_match = edition.match is not None and len(played) == 2 and len(games) >= edition.match.least and not unfit
    settler = _Settler(edition, occasion, is_match)
    firsts: dict[str, float] = {}
    values = {code: starts[code].rating for code in played}
    for code, mine in played.items():
        if starts[code].games == 0.0 and not is_match:
            firsts[code] = settler.estimate(starts[code], mine, values)
    values |= firsts
    interims = dict(values)
    if not is_match:  # the opponent of a match counts as he was
        for code, mine in played.items():
            interims[code] = max(settler.rate(starts[code], mine, values).rating, formulas.LOWEST)
    return [
        settler.finish(starts[code], played[code], firsts.get(code, NAN), values, interims)
        for code in starts
        if code in played
    ]


class _Rated(msgspec.Struct, frozen=True):
    """One pass for one player."""

    rating: float
    update: formulas.Update | None  # of the standard formula
    k: float
    share: float
    no_bonus: str


class _Settler(msgspec.Struct, frozen=True):
    """The passes of one event under one edition."""

    edition: Edition
    occasion: Occasion
    match: bool

    def estimate(self, start: _Start, mine: _Games, values: Mapping[str, float]) -> float:
        """Step 3: as if the rating to begin with counted as one game."""
        opponents = [values[code] for code in mine.opponents]
        clause = self.edition.special or Special()
        return max(formulas.special(start.rating, 1.0, opponents, mine.score, "", clause), formulas.LOWEST)

    def rate(self, start: _Start, mine: _Games, values: Mapping[str, float]) -> _Rated:
        """Step 4 or 5, by whose values of the opponents are given; nothing bounded yet."""
        opponents = [values[code] for code in mine.opponents]
        met = len(opponents)
        if start.why:
            clause = self.edition.special or Special()
            rating = formulas.special(
                start.rating, start.effective, opponents, mine.score, streak(start.entrant), clause
            )
            return _Rated(rating, None, NAN, 1.0, "")
        low = self.edition.low_k if self.occasion.dual else None
        share = formulas.share_above(start.rating, low) if low else 1.0
        half = self.edition.half_k if self.occasion.half else None
        k = share * formulas.coefficient(start.effective, met, self.edition.standard or Standard(), half)
        reason = self.no_bonus(mine)
        bonus = None if reason else self.edition.bonus
        update = formulas.standard(start.rating, opponents, mine.score, k, bonus, self.edition.curve)
        return _Rated(start.rating + update.change, update, k, share, reason)

    def no_bonus(self, mine: _Games) -> str:
        clause = self.edition.bonus
        if clause is None:
            return "none"
        if self.match:
            return "match"
        if len(mine.opponents) < clause.games:
            return "games"
        return "" if formulas.earns_bonus(len(mine.opponents), mine.meetings, clause) else "meetings"

    def finish(
        self,
        start: _Start,
        mine: _Games,
        first: float,
        values: Mapping[str, float],
        interims: Mapping[str, float],
    ) -> Working:
        """Step 5, limits of matches, rounding, floors."""
        rated = self.rate(start, mine, interims)
        raw = rated.rating
        change, cap = self.limited(raw - start.rating, start.entrant)
        after = start.rating + change if cap else raw
        if self.edition.storage is not None and self.edition.storage.whole and after != start.rating:
            after = formulas.away(start.rating, after)
        floor = floor_of(start.entrant, mine.scores, self.edition)
        least, asked = floor.rating, False
        clause = self.edition.match
        if self.match and clause is not None and floor.kind != "absolute" and after <= floor.rating:
            absolute = absolute_of(start.entrant, mine.scores, self.edition)
            least, asked = max(floor.rating - clause.lowering, absolute), True
        met = len(mine.scores)
        half = self.edition.half_k if self.occasion.half else None
        span = (self.edition.special or Special()).span
        update = rated.update
        if update:
            curve = self.edition.curve
            expected = [formulas.winning(start.rating, interims[code], curve) for code in mine.opponents]
        else:
            expected = [formulas.provisional(start.rating, interims[code], span) for code in mine.opponents]
        return Working(
            code=start.entrant.code,
            begins=start.begins,
            before=start.rating,
            games=start.games,
            effective=start.effective,
            formula="special" if start.why else "standard",
            why=start.why,
            equation=None
            if update
            else formulas.equation(start.rating, start.effective, mine.score, streak(start.entrant), span),
            first=first,
            interim=interims[start.entrant.code],
            score=mine.score,
            expected=update.expected if update else math.fsum(expected),
            k=rated.k,
            share=rated.share,
            half=half is not None,
            base=update.base if update else NAN,
            bonus=update.bonus if update else 0.0,
            threshold=self.edition.bonus.threshold if self.edition.bonus else NAN,
            no_bonus=rated.no_bonus,
            match=self.match,
            raw=raw,
            cap=cap,
            capped=start.rating + change,
            floor=floor,
            floored=after < least,
            asked=asked,
            after=max(after, least),
            games_after=start.games + met * (half.growth if half else 1.0),
            meetings=tuple(
                Meeting(code, score, values[code], interims[code], each)
                for code, score, each in zip(mine.opponents, mine.scores, expected)
            ),
        )

    def limited(self, change: float, entrant: Entrant) -> tuple[float, str]:
        """The change of a match within its limits, and the last limit that held."""
        clause = self.edition.match
        if not self.match or clause is None:
            return change, ""
        cap = ""
        limits = [(clause.most, 0.0, "match")]
        limits += [(clause.net, self.earlier(entrant, clause), "net")]
        limits += [(clause.short_net or None, self.recent(entrant, clause.short_days), "short")]
        for most, sofar, name in limits:
            if most is not None and abs(sofar + change) > most:
                # an earlier total beyond the limit (of another edition) is not taken back
                bounded = math.copysign(most, sofar + change) - sofar
                change = bounded if bounded * change > 0.0 else 0.0
                cap = name
        return change, cap

    def earlier(self, entrant: Entrant, clause: Match) -> float:
        """Net points of the matches that ended in the years before, `years` of them."""
        if not self.occasion.ended:
            return math.fsum(change for _, change in entrant.matches)
        end = date.fromordinal(self.occasion.ended)
        year = max(end.year - clause.years, 1)
        since = date(year, end.month, min(end.day, 28) if end.month == 2 else end.day).toordinal()
        return math.fsum(change for day, change in entrant.matches if not day or day > since)

    def recent(self, entrant: Entrant, days: int) -> float:
        since = self.occasion.ended - days
        return math.fsum(change for day, change in entrant.matches if not day or day > since)


def _start(entrant: Entrant, edition: Edition, initial: Initial) -> _Start:
    begins = None
    rating, games = entrant.rating, entrant.games
    if rating is None:
        begins = initial(entrant.age, entrant.facts, edition)
        rating, games = begins.rating, begins.games
    clause = edition.special or Special()
    why = "games" if games <= clause.games else ""
    if not why and begins is None:
        why = streak(entrant)
    counts = formulas.effective(rating, games, edition.effective) if edition.effective else games
    return _Start(entrant, begins, rating, games, counts, why)
