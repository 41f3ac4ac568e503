"""What a player brings to an event and takes from it, and the working of how one became the other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from arpad.rulebooks.schema import Edition
from arpad.systems.uschess import floors, formulas
from arpad.systems.uschess.initial import Begins

NAN = math.nan

#: A rating is established when it is based on more games than this.
ESTABLISHED = 25.0


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """A player before an event. `rating` None: unrated in this list; then `age` (years, nan) and `facts` say more.

    `games` is N. Wins, draws, losses and `events` (of three games and more) are those of a lifetime. `begun_with` is
    the part of N that no games stand behind (a rating from elsewhere). `peak` is the highest established rating,
    `masters` the games played with an established rating of 2200 and more, `office` a floor given by the office, which
    goes before all that a peak up to `waived` says, `lowered` the points that floors were lowered by on request,
    `matches` (last day as ordinal, change) of earlier matches.
    """

    code: str
    rating: float | None = None
    games: float = 0.0
    wins: float = 0.0
    draws: float = 0.0
    losses: float = 0.0
    events: float = 0.0
    begun_with: float = 0.0
    peak: float = 0.0
    masters: float = 0.0
    office: float = 0.0
    waived: float = 0.0
    lowered: float = 0.0
    matches: tuple[tuple[int, float], ...] = ()
    age: float = NAN
    facts: Mapping[str, float] = {}


class Result(msgspec.Struct, frozen=True):
    """A game: two codes, and what each scored."""

    first: str
    second: str
    score: float
    other: float

    @classmethod
    def of(cls, first: str, second: str, score: float) -> Result:
        return cls(first, second, score, 1.0 - score)


class Occasion(msgspec.Struct, frozen=True):
    """What is known of an event: its last day (0: not known), whether it counts in two lists, whether it is half-K."""

    ended: int = 0
    dual: bool = False
    half: bool = False


#: An event of which no more is known than its games.
UNKNOWN = Occasion()


class Meeting(msgspec.Struct, frozen=True):
    """A game as one side sees it: the opponent's value in step 4 and in step 5, and the expected score in step 5."""

    opponent: str
    score: float
    value: float
    interim: float
    expected: float


class Working(msgspec.Struct, frozen=True, kw_only=True):
    """How a player came from `before` to `after`; everything that an explanation says.

    `formula` is special or standard, with `why` (games, won, lost) for the special one. `first` is step 3 (nan if not
    taken), `interim` step 4, `raw` step 5 before caps, rounding and floors. `no_bonus` says why there can be none:
    games, meetings, match. `cap` says which limit of matches held (match, net, short), and `capped` what it left.
    `share`: what K was multiplied by.
    """

    code: str
    begins: Begins | None
    before: float
    games: float
    effective: float
    formula: str
    why: str
    equation: formulas.Equation | None
    first: float
    interim: float
    score: float
    expected: float
    k: float
    share: float
    half: bool
    base: float
    bonus: float
    threshold: float
    no_bonus: str
    match: bool
    raw: float
    cap: str
    capped: float
    floor: floors.Floor
    floored: bool
    asked: bool
    after: float
    games_after: float
    meetings: tuple[Meeting, ...]


def streak(entrant: Entrant) -> formulas.Streak:
    """Whether all the games before were won, or all lost; neither where not all are known."""
    played = entrant.wins + entrant.draws + entrant.losses
    if played <= 0.0 or played + 1e-9 < entrant.games - entrant.begun_with:
        return ""
    if entrant.wins == played:
        return "won"
    return "lost" if entrant.losses == played else ""


def absolute_of(entrant: Entrant, scores: Sequence[float], edition: Edition) -> float:
    """The absolute floor, games of the present event counted."""
    clause = edition.absolute_floor
    wins = entrant.wins + sum(score > 0.5 for score in scores)
    draws = entrant.draws + sum(score == 0.5 for score in scores)
    events = entrant.events + (clause is not None and len(scores) >= clause.event_games)
    return floors.absolute_floor(wins, draws, events, clause)


def floor_of(entrant: Entrant, scores: Sequence[float], edition: Edition) -> floors.Floor:
    """The floor in force after an event in which a player scored so."""
    spoken = entrant.waived > 0.0
    peak = floors.peak_floor(entrant.peak, edition.peak_floor)
    master = floors.life_master_floor(masters_after(entrant, len(scores), edition), edition.life_master)
    return floors.floor_in_force(
        absolute_of(entrant, scores, edition),
        None if spoken and entrant.peak <= entrant.waived else peak,
        None if spoken else master,
        entrant.office,
        entrant.lowered,
    )


def masters_after(entrant: Entrant, met: int, edition: Edition) -> float:
    """Games played with an established master's rating, those of an event included."""
    clause = edition.life_master
    least = edition.peak_floor.games if edition.peak_floor else ESTABLISHED
    held = clause is not None and entrant.rating is not None and entrant.rating >= clause.rating
    return entrant.masters + met if held and entrant.games > least else entrant.masters


def grown(entrant: Entrant, working: Working, edition: Edition, ended: int = 0) -> Entrant:
    """The player after an event: what the next one begins with."""
    scores = [meeting.score for meeting in working.meetings]
    least = edition.absolute_floor.event_games if edition.absolute_floor else 3
    established = working.games_after > (edition.peak_floor.games if edition.peak_floor else ESTABLISHED)
    matches = entrant.matches
    if working.match:
        matches = (*matches, (ended, working.after - working.before))
    asked = edition.match.lowering if working.asked and edition.match is not None else 0.0
    return msgspec.structs.replace(
        entrant,
        rating=working.after,
        games=working.games_after,
        wins=entrant.wins + sum(score > 0.5 for score in scores),
        draws=entrant.draws + sum(score == 0.5 for score in scores),
        losses=entrant.losses + sum(score < 0.5 for score in scores),
        events=entrant.events + (len(scores) >= least),
        begun_with=working.begins.games if working.begins else entrant.begun_with,
        peak=max(entrant.peak, working.after) if established else entrant.peak,
        masters=masters_after(entrant, len(scores), edition),
        lowered=entrant.lowered + asked,
        matches=matches,
    )
