"""A tournament report: what an arbiter hands to a rating office, whatever the form of the file.

Every record of the file is kept as it stood (`lines`), and the facts beside it, each with the number of its line. Who
writes a report changes facts with `msgspec.structs.replace`; the writer rewrites the columns of what changed and
leaves the rest alone, byte for byte.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Literal, TypeAlias

import msgspec

from arpad.model import PartialDate

#: What a result code scores where the file says nothing else. A blank is an absence; a game not yet played scores none.
POINTS: Mapping[str, float] = {
    **dict.fromkeys("1+WFU", 1.0),
    **dict.fromkeys("=DH", 0.5),
    **dict.fromkeys(("0", "-", "L", "Z", ""), 0.0),
}
#: Results of games that are rated, and what they score.
RATED: Mapping[str, float] = {"1": 1.0, "=": 0.5, "0": 0.0}
#: Results of games in which somebody made no move: they count in the standings, never in a rating.
SHORT = frozenset("WDL")
FORFEITS = frozenset("+-")
BYES = frozenset("HFUZ")
CODES = frozenset((*RATED, *SHORT, *FORFEITS, *BYES, ""))
#: What the opponent's line says where a line has this code; forfeits may be lost on both sides.
MIRROR: Mapping[str, str] = {"1": "0", "0": "1", "=": "=", "W": "L", "L": "W", "D": "D", "+": "-", "-": "+", "": ""}


class Line(msgspec.Struct, frozen=True):
    """One record as it stands in the file: its text, and what ends it."""

    text: str
    end: str = "\r\n"

    @property
    def code(self) -> str:
        return self.text[:3]


class RoundResult(msgspec.Struct, frozen=True):
    """What one line says of one round: the opponent's starting number (None: nobody), `w`, `b`, `-` or blank, and the
    result code in upper case (`1 = 0 + - W D L H F U Z`; blank: pending with an opponent, absent without)."""

    opponent: int | None = None
    colour: str = ""
    code: str = ""

    @property
    def pending(self) -> bool:
        return self.opponent is not None and not self.code


#: A round in which a player has nothing at all.
ABSENT = RoundResult()


class Entrant(msgspec.Struct, frozen=True):
    """A player of the tournament. `results` has one entry a round; `line` is 0 until it stands in a file.

    `sex` is m, w or blank; `title` and `federation` are in upper case; a `rating` of None is unrated. `rating_after` is
    the rating that the file itself states as the outcome. `national_id` is another register's.
    """

    number: int
    name: str = ""
    sex: str = ""
    title: str = ""
    rating: int | None = None
    federation: str = ""
    fide_id: int | None = None
    born: PartialDate | None = None
    points: float | None = None
    rank: int | None = None
    results: tuple[RoundResult, ...] = ()
    line: int = 0
    national_id: str = ""
    rating_after: int | None = None


class National(msgspec.Struct, frozen=True):
    """A national federation's own facts about the entrant of that number: class, rating, region, id."""

    federation: str
    number: int | None = None
    sex: str = ""
    title: str = ""
    name: str = ""
    rating: int | None = None
    origin: str = ""
    id: str = ""
    born: PartialDate | None = None
    line: int = 0


class Team(msgspec.Struct, frozen=True):
    """A team; `players` are starting numbers in the order of the boards. Old files give no number (0)."""

    number: int | None = None
    name: str = ""
    nickname: str = ""
    strength: float | None = None
    match_points: float | None = None
    game_points: float | None = None
    rank: int | None = None
    players: tuple[int, ...] = ()
    line: int = 0


class Byes(msgspec.Struct, frozen=True):
    """Byes asked for: `kind` F, H or Z, the round, and players or teams."""

    kind: str = ""
    round: int | None = None
    numbers: tuple[int, ...] = ()
    line: int = 0


class Acceleration(msgspec.Struct, frozen=True):
    """Fictitious points for pairing, from round to round, for the numbers from first to last."""

    match_points: float | None = None
    points: float | None = None
    first_round: int | None = None
    last_round: int | None = None
    first: int | None = None
    last: int | None = None
    line: int = 0


class Prohibited(msgspec.Struct, frozen=True):
    """Players or teams that must not meet in these rounds."""

    first_round: int | None = None
    last_round: int | None = None
    numbers: tuple[int, ...] = ()
    line: int = 0


class Abnormal(msgspec.Struct, frozen=True):
    """Points other than usual for a result code, or added (blank kind), in a round (0: all) for some (none: all)."""

    kind: str = ""
    match_points: float | None = None
    points: float | None = None
    round: int | None = None
    numbers: tuple[int, ...] = ()
    line: int = 0


class OutOfOrder(msgspec.Struct, frozen=True):
    """A team that did not play in the order of its boards: who sat at board 1, 2, … (0: nobody)."""

    round: int | None = None
    team: int | None = None
    opponent: int | None = None
    numbers: tuple[int, ...] = ()
    line: int = 0


class TeamByes(msgspec.Struct, frozen=True):
    """The team with the pairing bye in round 1, 2, … (0: none), and what it scores."""

    match_points: float | None = None
    points: float | None = None
    numbers: tuple[int, ...] = ()
    line: int = 0


class TeamForfeit(msgspec.Struct, frozen=True):
    """A match that was not played: `+-`, `-+` or `--`."""

    kind: str = ""
    round: int | None = None
    white: int | None = None
    black: int | None = None
    line: int = 0


Extra: TypeAlias = Byes | Acceleration | Prohibited | Abnormal | OutOfOrder | TeamByes | TeamForfeit


class Edit(msgspec.Struct, frozen=True):
    """New text for the columns from `first` to `last` of a line; a `text` of None takes the whole line out."""

    line: int
    first: int
    last: int
    text: str | None


class Repair(msgspec.Struct, frozen=True):
    """What could be done about a finding. Without edits the file stays as it is and `accepts` is noted in it."""

    words: str
    edits: tuple[Edit, ...] = ()
    accepts: str = ""


def pair_key(number: int, first: int, second: int) -> str:
    """The name of a game in notes of what an officer accepted."""
    return f"round {number}: {min(first, second)} v {max(first, second)}"


class Finding(msgspec.Struct, frozen=True):
    """Something wrong, or worth a word, at one place of a report. Lines and columns count from 1; 0 is the whole."""

    kind: str
    message: str
    line: int = 0
    column: int = 0
    severity: Literal["error", "warning", "note"] = "error"
    repair: Repair | None = None


class Report(msgspec.Struct, frozen=True):
    """A tournament and all who took part.

    `time_control`, `system`, `tiebreaks`, `standing`, `ranking_method`, `scoring` and `match_scoring` are the encoded
    records of TRF26. `encoding` is what the bytes were, `date_order` how dates with the year last were read, `log`
    what the reader decided and what was repaired, `accepted` the findings that an officer let stand.
    """

    name: str = ""
    city: str = ""
    federation: str = ""
    start: date | None = None
    end: date | None = None
    declared_players: int | None = None
    declared_rated: int | None = None
    declared_teams: int | None = None
    kind: str = ""
    arbiter: str = ""
    deputies: tuple[str, ...] = ()
    allotted: str = ""
    round_dates: tuple[date | None, ...] = ()
    declared_rounds: int | None = None
    initial_colour: str = ""
    scoring: Mapping[str, float] = {}
    ranking_method: str = ""
    controller: str = ""
    system: str = ""
    tiebreaks: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()
    time_control: str = ""
    board_colours: str = ""
    match_scoring: Mapping[str, float] = {}
    entrants: tuple[Entrant, ...] = ()
    teams: tuple[Team, ...] = ()
    nationals: tuple[National, ...] = ()
    extras: tuple[Extra, ...] = ()
    lines: tuple[Line, ...] = ()
    encoding: str = "utf-8"
    bom: bool = False
    date_order: str = ""
    source: str = ""
    log: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()

    @property
    def rounds(self) -> int:
        """The highest round in which anybody has anything, whatever the header declares."""
        return max((len(entrant.results) for entrant in self.entrants), default=0)

    def by_number(self) -> dict[int, Entrant]:
        """The entrants by starting number; of a number given twice, the first."""
        found: dict[int, Entrant] = {}
        for entrant in self.entrants:
            found.setdefault(entrant.number, entrant)
        return found

    def round_date(self, number: int) -> date | None:
        """The day of a round (from 1), where the file gives it."""
        return self.round_dates[number - 1] if 0 < number <= len(self.round_dates) else None
