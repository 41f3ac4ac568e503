"""What a norm check is told, and what it answers. Whatever is not known is None, and reported as open, never as met."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Literal, TypeAlias

import msgspec

#: "game": played over the board. "short": somebody made no move. "pending": still to come, and without an opponent's
#: name not paired yet.
Kind: TypeAlias = Literal[
    "game", "pending", "forfeit win", "forfeit loss", "pairing bye", "bye", "absent", "adjudicated", "short"
]
Format: TypeAlias = Literal["", "swiss", "round robin", "double round robin", "knockout", "scheveningen", "other"]
Championship: TypeAlias = Literal["", "team", "world cup", "national final", "national team", "zonal"]
Bound: TypeAlias = Literal["least", "most", "yes"]
Texts: TypeAlias = Mapping[str, str]

#: Pairings of these formats are known before the event.
PREPAIRED = ("round robin", "double round robin", "scheveningen")


class Applicant(msgspec.Struct, frozen=True):
    """Who wants the norm."""

    name: str
    federation: str
    sex: Literal["", "m", "w"] = ""


class Meeting(msgspec.Struct, frozen=True):
    """One round of the applicant. `score` is what he scored; of a round to come it is None.

    `rating` is that of the list in force when the event began, None for none. `member` is whether the opponent's
    federation belongs to FIDE. `against_rated` is what an unrated opponent scored in all against rated players.
    """

    round: int
    opponent: str = ""
    rating: int | None = None
    title: str = ""
    federation: str = ""
    score: float | None = None
    kind: Kind = "game"
    member: bool = True
    against_rated: float | None = None


class EventFacts(msgspec.Struct, frozen=True):
    """The event. `federation` is that which registered it; `championship` names a kind that has rules of its own.

    `foreign_field` holds the least numbers over all rounds of rated players not of the host federation, of their
    federations, and of those with a title GM, IM, WGM or WIM. `average` is that of the whole field. `minutes` are each
    player's for 60 moves.
    """

    format: Format
    rounds: int
    start: date
    federation: str = ""
    championship: Championship = ""
    players: int | None = None
    foreign_field: tuple[int, int, int] | None = None
    average: float | None = None
    women: bool = False
    registered: int | None = None
    rounds_a_day: int | None = None
    hours_a_day: float | None = None
    minutes: float | None = None
    identical_clocks: bool | None = None
    arbiter_present: bool | None = None
    arbiter_apart: bool | None = None
    tailored: bool | None = None


class Condition(msgspec.Struct, frozen=True):
    """One condition: whether it is met (None: cannot be told), what there is and what is asked, and the article."""

    name: str
    met: bool | None
    have: float | None
    need: float | None
    bound: Bound
    article: str
    text: Texts
    detail: str = ""
    status: str = ""


class Counted(msgspec.Struct, frozen=True):
    """A game that counts, with the rating it counts for; `text` says why that is not the opponent's own."""

    round: int
    opponent: str
    title: str
    federation: str
    rating: int | None
    counted: int
    score: float
    text: Texts


class LeftOut(msgspec.Struct, frozen=True):
    """A round that does not count, and why."""

    round: int
    opponent: str
    kind: Kind
    article: str
    text: Texts


class NormReport(msgspec.Struct, frozen=True):
    """Whether a player made a norm. `achieved` is False while any condition is missing; `open` are those nobody knows.

    `counts` is for how many games the norm counts, with those that points beyond it add. `searched` is how many sets
    of games were looked at, `complete` whether those were all.
    """

    applicant: str
    title: str
    achieved: bool
    edition: str
    source: str
    games: int
    points: float
    average: int | None
    percentage: int | None
    difference: int | None
    performance: int | None
    counts: int
    conditions: tuple[Condition, ...]
    counted: tuple[Counted, ...]
    left_out: tuple[LeftOut, ...]
    notes: tuple[Texts, ...]
    searched: int
    complete: bool

    @property
    def missing(self) -> tuple[Condition, ...]:
        return tuple(condition for condition in self.conditions if condition.met is False)

    @property
    def open(self) -> tuple[Condition, ...]:
        return tuple(condition for condition in self.conditions if condition.met is None)
