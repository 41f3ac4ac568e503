"""The facts: players, events, games, dated acts, and what may be wrong with them.

Everything here is frozen. Two shapes hold games: `Game`, one record, for people and small programs; and `Games`,
the same facts as columns, for a million rows. `Games.of` makes the second from the first; nothing else converts.

Calendar dates have no zone. In columns a date is its proleptic Gregorian ordinal (`date.toordinal()`), 0 where
it is unknown. A date known only to the month or the year is a `PartialDate`.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from numbers import Integral, Real
from typing import Any, Literal, TypeAlias

import msgspec

#: One-dimensional buffer of numbers: `array.array`, a numpy array, an Arrow buffer cast to a memoryview.
Column: TypeAlias = Any


#: A board has no more points than this, and no game is given more.
MOST_STONES, MOST_KOMI = 361, 361


class PartialDate(msgspec.Struct, frozen=True, order=True):
    """A calendar date of which the day, or day and month, may be unknown.

    It stands for the half-open interval from `first` to `after`.
    """

    year: int
    month: int | None = None
    day: int | None = None

    def __post_init__(self) -> None:
        if self.month is None and self.day is not None:
            raise ValueError("a day needs its month")
        date(self.year, self.month or 1, self.day or 1)

    @classmethod
    def parse(cls, text: str) -> PartialDate:
        """Read `2014`, `2014-05`, `2014-05-09`, or the same with dots, slashes or question marks (PGN)."""
        match = re.fullmatch(r"(\d{4})(?:[-./](\d{1,2}|\?\?|00)(?:[-./](\d{1,2}|\?\?|00))?)?", text.strip())
        if not match:
            raise ValueError(f"not a date: {text!r}")
        month, day = (None if part in (None, "??", "00") else int(part) for part in match.groups()[1:])
        return cls(int(match[1]), month, None if month is None else day)

    @property
    def exact(self) -> bool:
        return self.day is not None

    @property
    def first(self) -> date:
        """The first day it can be."""
        return date(self.year, self.month or 1, self.day or 1)

    @property
    def after(self) -> int:
        """Ordinal of the first day that it can no longer be."""
        if self.day is not None:
            return self.first.toordinal() + 1
        if self.month is not None:
            return date(self.year + self.month // 12, self.month % 12 + 1, 1).toordinal()
        return date(self.year + 1, 1, 1).toordinal()

    def __str__(self) -> str:
        parts = [f"{self.year:04d}"] + [f"{part:02d}" for part in (self.month, self.day) if part is not None]
        return "-".join(parts)


class Player(msgspec.Struct, frozen=True):
    """A player or a team. `id` is what games refer to; a name is only shown."""

    id: str
    name: str = ""
    born: PartialDate | None = None
    federation: str | None = None


class Event(msgspec.Struct, frozen=True):
    """A tournament, match or league season: `start` and `end` are ordinals, 0 where unknown.

    `rated` is the day (ordinal) on which an office takes it in, where that is not the day on which it ended.
    """

    name: str
    start: int = 0
    end: int = 0
    kind: str = ""
    rated: int = 0


class Game(msgspec.Struct, frozen=True):
    """One game: `score` is what the first-named side scored, `other` what the second did (default 1 - score).

    A `score` of None is a game without a result yet: kept, counted, not rated. In Go the second side has Black,
    `handicap` stones, and gives `komi`; the labels `first_grade` and `second_grade` are declared grades (3k, 5d).
    """

    first: str
    second: str
    score: float | None
    other: float | None = None
    date: date | PartialDate | None = None
    event: str | None = None
    round: int = 0
    board: int = 0
    id: str | None = None
    margin: float | None = None
    fewer: float | None = None  # what the side with fewer goals made, both in a draw
    length: float | None = None  # points that a match is played to
    neutral: bool = False
    knockout: bool | None = None
    shootout: Literal[0, 1, 2] = 0
    importance: float | None = None
    season: int | None = None
    handicap: int = 0
    komi: float | None = None
    labels: Mapping[str, str] = msgspec.field(default_factory=dict)


class Labels(msgspec.Struct, frozen=True):
    """A column of words as codes: `names[codes[row]]`; code -1 is blank."""

    codes: Column
    names: Sequence[str]

    def __getitem__(self, row: int) -> str:
        code = self.codes[row]
        return "" if code < 0 else self.names[code]


class Games(msgspec.Struct, frozen=True):
    """Games as columns, one entry a game, in the order of the file.

    `first` and `second` are codes into `players` (int32). `score` is a code into `scores` (int32): pairs of what the
    first and the second side scored, so that a result need not add up to one. Optional columns are None
    where the file knows nothing of them. Games without a result are not in the columns: `pending` counts them.

    A contest of several players is the games of all its pairs, but for those of one team: rows that share an `id`, with
    `contest` above 0; `score` says who of the two was placed better.
    """

    players: Sequence[str]
    first: Column
    second: Column
    score: Column
    scores: Sequence[tuple[float, float]]
    date: Column | None = None  # int32 ordinals, 0 = unknown
    time: Column | None = None  # int32 milliseconds since midnight
    partial: Mapping[int, PartialDate] = msgspec.field(default_factory=dict)  # row -> date that is not exact
    event: Column | None = None  # int32 codes into events, -1 = none
    events: Sequence[Event] = ()
    round: Column | None = None  # int32
    board: Column | None = None  # int32
    id: Sequence[str] | Column | None = None  # texts, or a column of numbers
    margin: Column | None = None  # float64, first minus second, nan = unknown
    fewer: Column | None = None  # float64, what the side with fewer goals made, both in a draw; nan = unknown
    length: Column | None = None  # float64, points that a match is played to; nan = not said
    neutral: Column | None = None  # uint8
    knockout: Column | None = None  # uint8; 2 = not said
    shootout: Column | None = None  # uint8: 0 none, 1 first won, 2 second won
    importance: Column | None = None  # float64, nan = not said
    season: Column | None = None  # int32, 0 = not said
    handicap: Column | None = None  # int32, stones that the second side was given
    komi: Column | None = None  # float64, points that the first side was given; nan = not said
    contest: Column | None = None  # int32, players of the contest that the row is a pair of; 0 = a game of two
    first_points: Column | None = None  # float64, what each side of a pair made in its contest; nan = not said
    second_points: Column | None = None
    first_weight: Column | None = None  # float64, what each side of a pair weighs in its team; nan = not said
    second_weight: Column | None = None
    labels: Mapping[str, Labels] = msgspec.field(default_factory=dict)  # tournament, time_control, first_team, …
    line: Column | None = None  # int32, line of the file
    source: str = ""
    pending: int = 0

    def __len__(self) -> int:
        return len(self.first)

    @classmethod
    def of(cls, games: Iterable[Game], source: str = "") -> Games:
        """Columns from records. Raises DataError naming every record that cannot be a game."""
        return _columns(games, source)


class Act(msgspec.Struct, frozen=True):
    """A dated fact about a player that is not a game; it comes before that day's games.

    entry       the player starts (or starts again) with `rating` and `games`
    blend       another body's `rating` on `games` is mixed in, weighted by games
    adjustment  `rating` is added to the player's rating (a correction, an uplift)
    floor       from now on `rating` is what the player cannot fall under, by decision of the office
    """

    kind: Literal["entry", "blend", "adjustment", "floor"]
    player: str
    date: int  # ordinal; 0 = before everything
    rating: float
    games: int | None = None
    reason: str = ""
    source: str = ""
    line: int = 0
    category: str = ""  # of an entry without a rating of its own, which is then nan
    deviation: float | None = None  # of an entry, where ratings have one; None: the rulebook's


class Start(msgspec.Struct, frozen=True):
    """What is known of one player before the first game: only `rating` and what the system keeps."""

    player: str
    rating: float | None
    games: float | None = None  # whole, but where games counted by halves
    peak: float | None = None
    season: int | None = None
    born: PartialDate | None = None
    last: int | None = None  # ordinal of the day on which the player last played
    rated: float | None = None  # when the last games were settled, where that is not their day: ordinal, with fraction
    facts: Mapping[str, float] = msgspec.field(default_factory=dict)  # what a system asks: deviation, fide, …
    texts: Mapping[str, str] = msgspec.field(default_factory=dict)  # what it remembers beside numbers: norms, …


class Problem(msgspec.Struct, frozen=True):
    """Something about one place of one file: an error keeps a row out, a warning may be a mistake of somebody's, a note
    says how the file was read."""

    message: str
    source: str = ""
    line: int = 0
    column: str = ""
    hint: str = ""
    severity: Literal["error", "warning", "note"] = "error"

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.source, self.line or "") if part != "")
        text = f"{place}: " if place else ""
        text += f"{self.column}: " if self.column else ""
        return text + self.message + (f" ({self.hint})" if self.hint else "")


def _columns(games: Iterable[Game], source: str) -> Games:
    from arpad.errors import DataError

    players: dict[str, int] = {}
    events: dict[str, int] = {}
    scores: dict[tuple[float, float], int] = {}
    words: dict[str, dict[str, int]] = {}
    word_codes: dict[str, list[int]] = {}
    partial: dict[int, PartialDate] = {}
    ids: list[str] = []
    ints = {
        name: array("i")
        for name in ("first", "second", "score", "date", "event", "round", "board", "season", "handicap", "line")
    }
    bytes_ = {name: array("B") for name in ("neutral", "knockout", "shootout")}
    floats = {name: array("d") for name in ("margin", "fewer", "length", "importance", "komi")}
    problems: list[Problem] = []
    pending = row = 0
    for number, game in enumerate(games, 1):
        trouble = _trouble(game)
        if trouble:
            problems.append(Problem(trouble, source, number))
            continue
        if game.score is None:
            pending += 1
            continue
        pair = (float(game.score), float(1 - game.score if game.other is None else game.other))
        when = game.date
        if isinstance(when, PartialDate):
            if not when.exact:
                partial[row] = when
            when = when.first
        for name, value in (
            ("first", players.setdefault(game.first, len(players))),
            ("second", players.setdefault(game.second, len(players))),
            ("score", scores.setdefault(pair, len(scores))),
            ("date", when.toordinal() if when else 0),
            ("event", events.setdefault(game.event, len(events)) if game.event else -1),
            ("round", game.round),
            ("board", game.board),
            ("season", game.season or 0),
            ("handicap", game.handicap),
            ("line", number),
        ):
            ints[name].append(value)
        bytes_["neutral"].append(game.neutral)
        bytes_["knockout"].append(2 if game.knockout is None else game.knockout)
        bytes_["shootout"].append(game.shootout)
        for name, column in floats.items():
            amount = getattr(game, name)
            column.append(float("nan") if amount is None else amount)
        for name, word in game.labels.items():
            codes = word_codes.setdefault(name, [])
            codes.extend([-1] * (row - len(codes)))
            known = words.setdefault(name, {})
            codes.append(known.setdefault(word, len(known)) if word else -1)
        ids.append(game.id or "")
        row += 1
    if problems:
        raise DataError(problems)
    for codes in word_codes.values():
        codes.extend([-1] * (row - len(codes)))
    dates = ints["date"]
    spans: dict[int, tuple[int, int]] = {}
    for code, day in zip(ints["event"], dates):
        if code >= 0 and day:
            low, high = spans.get(code, (day, day))
            spans[code] = min(low, day), max(high, day)

    def used(column: array[Any], blank: object) -> array[Any] | None:
        return column if any(value != blank and value == value for value in column) else None

    return Games(
        players=list(players),
        first=ints["first"],
        second=ints["second"],
        score=ints["score"],
        scores=list(scores),
        date=used(dates, 0),
        partial=partial,
        event=used(ints["event"], -1),
        events=[Event(name, *spans.get(code, (0, 0))) for name, code in events.items()],
        round=used(ints["round"], 0),
        board=used(ints["board"], 0),
        id=ids if any(ids) else None,
        **{name: used(floats[name], None) for name in ("margin", "fewer", "length")},
        neutral=used(bytes_["neutral"], 0),
        knockout=used(bytes_["knockout"], 2),
        shootout=used(bytes_["shootout"], 0),
        importance=used(floats["importance"], None),
        season=used(ints["season"], 0),
        handicap=used(ints["handicap"], 0),
        komi=used(floats["komi"], None),
        labels={name: Labels(array("i", codes), list(words[name])) for name, codes in word_codes.items()},
        line=ints["line"],
        source=source,
        pending=pending,
    )


#: The kinds of value that the facts of a game may have.
_KINDS: Mapping[str, tuple[str, tuple[type, ...]]] = {
    **dict.fromkeys(("first", "second"), ("text", (str,))),
    **dict.fromkeys(
        ("score", "other", "margin", "fewer", "length", "importance", "komi"),
        ("a number", (int, float, type(None), Real)),
    ),
    **dict.fromkeys(("event", "id"), ("text", (str, type(None)))),
    **dict.fromkeys(("round", "board", "handicap"), ("a whole number", (int, Integral))),
    "season": ("a year", (int, type(None), Integral)),
    "date": ("a date", (date, PartialDate, type(None))),
    "neutral": ("true or false", (bool, Integral)),
    "knockout": ("true, false or None", (bool, type(None), Integral)),
    "shootout": ("0, 1 or 2", (int, Integral)),
    "labels": ("a mapping", (Mapping,)),
}


def _trouble(game: Game) -> str:
    """What makes this record no game; empty if nothing does."""
    if not isinstance(game, Game):
        return f"a Game was expected, not {type(game).__name__}"
    if not game.first or not game.second:
        return "a player is missing"
    if game.first == game.second:
        return f"{game.first!r} cannot play against itself"
    for name, (words, kinds) in _KINDS.items():
        if not isinstance(getattr(game, name), kinds):
            return f"{name}: {getattr(game, name)!r} is not {words}"
    amounts = (game.score, game.other, game.margin, game.fewer, game.length, game.importance, game.komi)
    for value in amounts:
        if value is not None and (value != value or value in (float("inf"), float("-inf"))):
            return f"{value} is not a number that can be rated"
    for value in (game.score, game.other):
        if value is not None and not 0 <= value <= 1:
            return f"a score lies between 0 and 1, not {value}"
    if game.fewer is not None and game.fewer < 0:
        return f"a side cannot make {game.fewer} goals"
    if game.length is not None and not game.length > 0:
        return f"a match is not played to {game.length} points"
    for value in (game.round, game.board, game.season):
        if value is not None and not 0 <= value < 1_000_000_000:
            return f"{value} is out of range"
    if not 0 <= game.handicap <= MOST_STONES:
        return f"handicap: {game.handicap} is out of range"
    if game.komi is not None and not abs(game.komi) <= MOST_KOMI:
        return f"komi: {game.komi} is out of range"
    for name, accepted in (("shootout", (0, 1, 2)), ("neutral", (0, 1)), ("knockout", (None, 0, 1))):
        if getattr(game, name) not in accepted:
            return f"{name}: {getattr(game, name)!r} is not {_KINDS[name][0]}"
    return ""
