"""Time controls: what people write, how long that is, and of which of FIDE's three chapters it is on a day.

    parse("5400+30")                      PGN and report files: seconds
    parse("G/90;d5"), parse("90'/40+30''")    minutes, as organisers write them
    chapter_of(5400, 30, date(2024, 5, 1))    "standard"

FIDE counts the time of 60 moves: the base and 60 increments. Limits by date: B.02 and its rapid and blitz regulations,
https://handbook.fide.com/chapter/B02RBRegulations2024 and the sources of the rulebooks.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Literal, TypeAlias

import msgspec

from arpad.formats.report import Report

Chapter: TypeAlias = Literal["standard", "rapid", "blitz"]
Unit: TypeAlias = Literal["seconds", "minutes"]

#: Moves of a game for which its time is counted.
MOVES = 60
#: From its day on: a game is blitz above `bullet` minutes, rapid above `blitz`, standard from `rapid` on. Where `even`,
#: a time of exactly `bullet` or `blitz` minutes belongs to the longer kind. The day of 2014 is not certain.
_LIMITS = (
    (date(2014, 7, 1), 3, 10, False),
    (date(2012, 1, 1), 5, 15, True),
)
_RAPID = 60
#: A day's play ends after twelve hours: what gives one player more is played by correspondence, or not in one day.
_LONGEST = 12 * 3600
#: Least minutes for standard chess if somebody in the game is rated so high, by the day the event starts.
_STANDARD = (
    (date(2022, 1, 1), ((2400, 120), (1800, 90))),
    (date(2017, 7, 1), ((2200, 120), (1600, 90))),
)
_WORDS: dict[str, Chapter] = {
    **dict.fromkeys(("standard", "classical", "classic", "classica", "clásico", "clasico", "slow"), "standard"),
    **dict.fromkeys(("rapid", "rapidplay", "rápido", "rapido", "rápidas", "rapidas", "active", "semilampo"), "rapid"),
    **dict.fromkeys(("blitz", "lampo", "relámpago", "relampago"), "blitz"),
}


class Period(msgspec.Struct, frozen=True):
    """`seconds` for so many moves (None: for all that follow), and `increment` seconds more for each of them."""

    seconds: int
    moves: int | None = None
    increment: int = 0


class TimeControl(msgspec.Struct, frozen=True):
    """The periods of a game, one after the other; a last period for a number of moves comes again."""

    periods: tuple[Period, ...]

    def seconds(self, moves: int = MOVES) -> int:
        """What one player has for the first so many moves, increments and delays included."""
        total, left, at = 0, moves, 0
        while left > 0:
            period = self.periods[min(at, len(self.periods) - 1)]
            made = left if period.moves is None else min(left, period.moves)
            total += period.seconds + made * period.increment
            left -= made
            at += 1
        return total


def chapter_of(base_seconds: int, increment: int, day: date) -> Chapter | None:
    """The chapter of a game in an event that starts on `day`.

    None if none of them rates it: bullet, correspondence, and what is not standard before there were other lists.
    """
    return _chapter(base_seconds + MOVES * increment, day)


def chapter(text: str, day: date, unit: Unit | None = None) -> Chapter | None:
    """The chapter of what a file says of the time: a word (`rapid`, `semilampo`), or a control.

    None where nothing is said, none fits, or in rapid and blitz the two players have different times, which is not
    rated. `unit` is that of bare numbers (in PGN seconds). Without it, a text such as `90+30` that is one thing in
    seconds and another in minutes is refused. Raises ValueError for a text that cannot be read.
    """
    word = text.strip().casefold()
    if word in _WORDS:
        return _WORDS[word]
    if unit is None and re.fullmatch(_BARE, word):
        found = {_of_both(parse_both(word, either), day) for either in ("seconds", "minutes")}
        if len(found) > 1:
            raise ValueError(f"{text.strip()!r} may be seconds or minutes")
        return found.pop()
    return _of_both(parse_both(text, unit or "seconds"), day)


def _of_both(both: tuple[TimeControl, TimeControl] | None, day: date) -> Chapter | None:
    if both is None:
        return None
    found = {_chapter(side.seconds(), day) for side in both}
    if both[0].seconds() != both[1].seconds() and found != {"standard"}:
        return None
    return found.pop()


def least_for_standard(highest_rating: float | None, day: date) -> int:
    """The seconds that each player must have for 60 moves in a rated standard game whose higher player is rated so."""
    rows = next((rows for begins, rows in _STANDARD if day >= begins), ())
    least = next((minutes for rating, minutes in rows if (highest_rating or 0) >= rating), _RAPID)
    return least * 60


def _chapter(seconds: int, day: date) -> Chapter | None:
    if seconds > _LONGEST:
        return None
    if seconds >= _RAPID * 60:
        return "standard"
    limits = next((row for row in _LIMITS if day >= row[0]), None)
    if limits is None:
        return None
    _, bullet, blitz, even = limits
    if seconds > blitz * 60 or (even and seconds == blitz * 60):
        return "rapid"
    return "blitz" if seconds > bullet * 60 or (even and seconds == bullet * 60) else None


def parse(text: str, unit: Unit = "seconds") -> TimeControl | None:
    """What one player has; None where the text says that it is not known (`?`, `-`, blank).

    Read are the controls of PGN files (`40/7200:3600+30`, `300+3`, `*180`), of report files (`5400+30`), of US Chess
    (`G/90;d5`, `40/120, SD/60`) and minutes with their marks (`90'/40+30''`, `90 min + 30 sec`, `90/40+30`). `unit` is
    that of bare numbers such as 90+30. Raises ValueError for anything else, and for clocks that differ: `parse_both`
    reads those.
    """
    both = parse_both(text, unit)
    if both is None:
        return None
    if both[0] != both[1]:
        raise ValueError(f"{text.strip()!r} gives the players different times")
    return both[0]


def parse_both(text: str, unit: Unit = "seconds") -> tuple[TimeControl, TimeControl] | None:
    """What the first and the second player have; `W300-B240` gives them different times."""
    bare = text.strip()
    if bare in ("", "?", "-"):
        return None
    sides = re.fullmatch(r"[Ww](.+?)\s*-\s*[Bb](.+)", bare)
    if sides:
        return _one(sides[1]), _one(sides[2])
    minutes = re.fullmatch(_BARE, bare) if unit == "minutes" else None
    one = TimeControl((Period(int(minutes[1]) * 60, None, int(minutes[2] or 0)),)) if minutes else _one(bare)
    return one, one


_PLAIN_PERIOD = re.compile(r"(?:(\d{1,3})/)?\*?(\d{1,7})(?:\+(\d{1,4}))?")
#: Numbers that could be minutes: nobody is given more than three hours.
_BARE = r"\s*(\d{1,2}|1[0-7]\d|180)(?:\s*\+\s*(\d{1,3}))?\s*"
_GAME = re.compile(
    r"(?:(\d{1,3})/|(?:G|SD|TD|Game)\s*/?\s*)(\d{1,3})\s*(?:[;,]?\s*(?:d\s*/?|inc\s*/?|\+)\s*(\d{1,3}))?", re.IGNORECASE
)
_MARKED = re.compile(
    r"(?:(?P<first>\d{1,3})\s*(?:'|′|min(?:utes?|uti)?\.?|m)\s*(?:/\s*(?P<moves>\d{1,3})(?:\s*moves)?)?)"
    r"(?:\s*\+\s*(?P<second>\d{1,3})\s*(?:'(?!')|′|min(?:utes?|uti)?\.?|m(?!o)))?"
    r"(?:\s*\+\s*(?P<increment>\d{1,3})\s*(?:''|\"|″|s(?:ec(?:onds?|ondi|\.)?)?)?(?:\s*(?:/|per)\s*(?:1|move|mossa))?)?",
    re.IGNORECASE,
)
_MINUTES_FIRST = re.compile(r"(\d{1,3})/(\d{1,3})\+(\d{1,3})(?:\+(\d{1,3}))?")


def _one(text: str) -> TimeControl:
    bare = text.strip()
    try:
        found = _plain(bare) or _minutes_first(bare) or _of_games(bare) or _marked(bare)
    except OverflowError:
        found = None
    if not found or not all(period.moves is None or period.moves > 0 for period in found.periods):
        raise ValueError(f"{bare[:60]!r} is no time control")
    return found


def _plain(text: str) -> TimeControl | None:
    """Periods in seconds; what gives less than ten seconds a move (40/120) is meant in minutes."""
    matches = [_PLAIN_PERIOD.fullmatch(part.strip()) for part in text.split(":")]
    periods = []
    for match in matches:
        if not match:
            return None
        moves = int(match[1]) if match[1] else None
        seconds = int(match[2])
        if moves and seconds < 10 * moves and "*" not in text:
            return None
        periods.append(Period(seconds, moves, int(match[3] or 0)))
    return TimeControl(tuple(periods))


def _minutes_first(text: str) -> TimeControl | None:
    """90/40+30: minutes for the first 40 moves, then 30 minutes, or 30 seconds a move: for 60 moves that is the same.
    90/40+30+30: minutes, moves, minutes, seconds."""
    match = _MINUTES_FIRST.fullmatch(text.replace(" ", ""))
    if not match:
        return None
    minutes, moves, more, increment = (int(part or 0) for part in match.groups())
    if not match[4]:
        return TimeControl((Period(minutes * 60, None, more),))
    return TimeControl((Period(minutes * 60, moves, increment), Period(more * 60, None, increment)))


def _of_games(text: str) -> TimeControl | None:
    """G/90;d5 and 40/120, SD/60: minutes; a delay is time of the move as an increment is."""
    periods: list[Period] = []
    rest = text
    while rest:
        match = _GAME.match(rest)
        if not match:
            return None
        moves = int(match[1]) if match[1] else None
        if moves and moves > MOVES:  # 90/40 is more likely minutes and moves, but does not say so
            return None
        periods.append(Period(int(match[2]) * 60, moves, int(match[3] or 0)))
        rest = rest[match.end() :].lstrip(" ,;:")
    last = periods[-1].increment if periods else 0
    return TimeControl(tuple(Period(each.seconds, each.moves, each.increment or last) for each in periods))


def _marked(text: str) -> TimeControl | None:
    match = _MARKED.fullmatch(text)
    if not match:
        return None
    first, moves, second, increment = (match[name] for name in ("first", "moves", "second", "increment"))
    each = int(increment or 0)
    if moves and second:
        return TimeControl((Period(int(first) * 60, int(moves), each), Period(int(second) * 60, None, each)))
    return TimeControl((Period((int(first) + int(second or 0)) * 60, None, each),))


def clocks_of(report: Report) -> tuple[TimeControl, TimeControl] | None:
    """What either player has: by the encoded record, or else by the words; None if neither is understood."""
    for text in (report.time_control, report.allotted):
        try:
            found = parse_both(text)
        except ValueError:
            continue
        if found:
            return found
    return None
