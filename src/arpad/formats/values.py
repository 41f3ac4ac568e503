"""Texts of cells to values: numbers, yes and no, dates. Each reader raises ValueError with the words for the user."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, Literal

from arpad.model import PartialDate

_YES = frozenset(("true", "1", "1.0", "yes", "y", "t", "sì", "si", "sí", "vero", "verdadero"))
_NO = frozenset(("false", "0", "0.0", "no", "n", "f", "falso"))
_INTEGER = r"[-+]?\d{1,15}(?:[.,]0+)?"
_DOT = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?"
_COMMA = r"[-+]?\d*,\d+"
_THOUSANDS = r"[-+]?[1-9]\d{0,2},\d{3}"
_POINTED = r"[-+]?[1-9]\d{0,2}(?:\.\d{3})+"


def as_text(value: Any) -> str:
    """A cell of a typed source as the text it would have in CSV; None is blank."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime):
        return (
            value.isoformat(" ") if (value.hour, value.minute, value.second) != (0, 0, 0) else value.date().isoformat()
        )
    return value.isoformat() if isinstance(value, date) else str(value)


def integer(text: str) -> int:
    """A whole number of at most nine digits, not negative."""
    if not re.fullmatch(_INTEGER, text):
        raise ValueError(f"{text!r} is not a whole number")
    number = int(re.split("[.,]", text)[0])
    if not 0 <= number < 1_000_000_000:
        raise ValueError(f"{text} is out of range")
    return number


def yes(text: str) -> int:
    """1 for yes, 0 for no."""
    word = text.casefold()
    if word in _YES:
        return 1
    if word in _NO:
        return 0
    raise ValueError(f"{text!r} is neither yes nor no")


def decimal_mark(texts: Iterable[str]) -> Literal[".", ",", "?", ""]:
    """What separates decimals in these numbers: `?` if `1,234` could be either, blank if there are none."""
    comma = doubtful = False
    for text in texts:
        if "." in text and re.fullmatch(_DOT, text):
            return "."
        if re.fullmatch(_THOUSANDS, text):
            doubtful = True
        elif re.fullmatch(_COMMA, text):
            comma = True
    return "," if comma else "?" if doubtful else ""


def might_be_thousands(texts: Iterable[str]) -> str:
    """The first of these numbers, if all of them look like 1.500, which many countries write for 1500; else blank."""
    found = [text for text in texts if text]
    return found[0] if found and all(re.fullmatch(_POINTED, text) for text in found) else ""


def number(text: str, mark: str) -> float:
    """A finite number written with this decimal mark; with a comma for the mark, 1.500 is 1500."""
    plain = text.replace("−", "-")
    if mark == "," and re.fullmatch(rf"{_POINTED}(?:,\d*)?", plain):
        plain = plain.replace(".", "")
    if mark == "," and re.fullmatch(_COMMA, plain):
        plain = plain.replace(",", ".")
    if mark == "?" and re.fullmatch(_THOUSANDS, plain):
        raise ValueError(f"{text!r} has thousands or decimals; say which (--decimal . or --decimal ,)")
    if not re.fullmatch(_DOT, plain):
        raise ValueError(f"{text!r} is not a number")
    value = float(plain)
    if abs(value) > 1e15:
        raise ValueError(f"{text} is out of range")
    return value


_TIME = r"(.*?\d)[T ] ?\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)? ?(?:Z|UTC|[-+]\d{2}:?\d{2})?"
_YEAR_FIRST = r"(\d{4})([-./])(\d{1,2})\2(\d{1,2})"
_YEAR_LAST = r"(\d{1,2})([-./])(\d{1,2})\2(\d{4})"
_PARTIAL = r"\d{4}(?:[-./](?:\d{1,2}|\?\?)(?:[-./]\?\?)?)?"
_UNKNOWN = r"(?:\?{1,4}|0|0000|\s*)(?:[-./](?:\?\?|00|\s*)){0,2}"
_TEXT = r"(?:[^\W\d_]{3,9},? )?(?:(\d{1,2})[-. ]([^\W\d_]{3,10})[-., ]|([^\W\d_]{3,10}) (\d{1,2}),? )\s*(\d{4})"
_MONTHS: Mapping[str, int] = {
    "jan": 1, "gen": 1, "ene": 1, "feb": 2, "mar": 3, "apr": 4, "abr": 4, "may": 5, "mag": 5, "jun": 6, "giu": 6,
    "jul": 7, "lug": 7, "aug": 8, "ago": 8, "sep": 9, "set": 9, "oct": 10, "ott": 10, "nov": 11, "dec": 12, "dic": 12,
}  # fmt: skip


def date_order(texts: Iterable[str]) -> str:
    """DMY or MDY where some date of these cannot be the other, `both` where they contradict, blank if none decides."""
    found: set[str] = set()
    for text in texts:
        match = re.fullmatch(_YEAR_LAST, without_time(text))
        if match:
            first, second = int(match[1]), int(match[3])
            if first > 12 >= second:
                found.add("DMY")
            elif second > 12 >= first:
                found.add("MDY")
    return found.pop() if len(found) == 1 else "both" if found else ""


def without_time(text: str) -> str:
    """The date part of a date that may carry a time of day."""
    match = re.fullmatch(_TIME, text.strip()) if ":" in text else None
    return match[1] if match else text.strip()


def time_of_day(text: str) -> int:
    """Milliseconds since midnight of a date that carries a time of day; 0 if it carries none."""
    match = re.search(r"[T ] ?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,3}))?)?", text)
    if not match:
        return 0
    hours, minutes, seconds, parts = match.groups()
    return (int(hours) * 3600 + int(minutes) * 60 + int(seconds or 0)) * 1000 + int((parts or "").ljust(3, "0"))


def partial_date(text: str, order: str) -> PartialDate | None:
    """A date as precise as the text says; None where it says that nothing is known."""
    plain = without_time(text)
    if re.fullmatch(_UNKNOWN, plain):
        return None
    try:
        return _partial_date(plain, order)
    except (ValueError, OverflowError) as error:
        raise ValueError(str(error) if "date" in str(error).split(":")[0] else f"there is no date {plain!r}") from None


def _partial_date(plain: str, order: str) -> PartialDate:
    match = re.fullmatch(_YEAR_FIRST, plain)
    if match and match[4] != "00":  # a day of 00 is not known
        return _exact(int(match[1]), int(match[3]), int(match[4]))
    if re.fullmatch(r"\d{4}\.0", plain):  # a year that passed through a column of floats
        return PartialDate(int(plain[:4]))
    if match or re.fullmatch(_PARTIAL, plain):
        return PartialDate.parse(plain)
    if re.fullmatch(r"\d{8}", plain):
        return _exact(int(plain[:4]), int(plain[4:6]), int(plain[6:]))
    match = re.fullmatch(_YEAR_LAST, plain)
    if match:
        first, second, year = int(match[1]), int(match[3]), int(match[4])
        if order not in ("DMY", "MDY") and first != second and max(first, second) <= 12:
            raise ValueError(f"date {plain!r} is ambiguous: day or month first?")
        if order == "DMY" or (order != "MDY" and first > 12):
            first, second = second, first
        return _exact(year, first, second)
    match = re.fullmatch(_TEXT, plain)
    if match:
        month = _MONTHS.get((match[2] or match[3]).casefold()[:3])
        if month:
            return _exact(int(match[5]), month, int(match[1] or match[4]))
    raise ValueError(f"not a date: {plain!r}")


def _exact(year: int, month: int, day: int) -> PartialDate:
    """A whole date; month and day of 0 are impossible here, not unknown."""
    exact = date(year, month, day)
    return PartialDate(exact.year, exact.month, exact.day)
