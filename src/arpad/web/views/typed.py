"""Games typed in, one a line: `1850 1`, `1725 =`, `1600/80 0` with a deviation, `1900` for one still to be played."""

from __future__ import annotations

import re

from arpad import office as door
from arpad.errors import DataError
from arpad.model import Problem
from arpad.web.views.whatif import Meeting

#: A rating, a deviation if there is one, and what stands behind.
LINE = re.compile(r"([^\s:/]+)(?:/(\d+(?:[.,]\d+)?))?(.*)")
#: What stands behind the rating of a game that has no result yet.
OPEN = ("", "?")
#: Results as they are typed.
SIGNS = {1.0: "1", 0.5: "=", 0.0: "0", None: "?"}


def meetings(text: str) -> tuple[Meeting, ...]:
    """The games of all lines; byes are none. Raises DataError with every line that cannot be read, by its number."""
    found: list[Meeting] = []
    problems: list[Problem] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            found += _line(line.strip())
        except DataError as error:
            problems += [Problem(each.message, "line", number) for each in error.problems]
    if problems:
        raise DataError(problems)
    return tuple(found)


def _line(line: str) -> list[Meeting]:
    read = LINE.fullmatch(line)
    if read is None:
        return []
    rating, deviation, rest = read.groups()
    spread = float(deviation.replace(",", ".")) if deviation else None
    if rest.strip(" :") in OPEN and rating.casefold() != "bye":
        ratings, _ = door.entries(f"{rating} =")
        return [Meeting(ratings[0], deviation=spread)]
    entries = zip(*door.entries(f"{rating}{rest}"))
    return [Meeting(opponent, score, deviation=spread) for opponent, score in entries if score is not None]


def line(meeting: Meeting) -> str:
    """A game as it is typed; what `meetings` reads as the same game."""
    rating = "-" if meeting.rating is None else f"{meeting.rating:.10g}"
    deviation = "" if meeting.deviation is None else f"/{meeting.deviation:.10g}"
    sign = SIGNS.get(meeting.score, f"{meeting.score:g}" if meeting.score is not None else "")
    return f"{rating}{deviation} {sign}"
