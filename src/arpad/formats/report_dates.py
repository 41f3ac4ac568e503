"""The dates of a tournament out of whatever order of day, month and year the file has them in.

A date that can be read in two ways is decided by the other dates of the file (no month 25; no round before the start,
no end before it), which is logged, or it is left unknown and reported. Nothing is decided by what is usual alone,
except that a year in front (and the two-digit dates of round columns) is followed by the month, as the format asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from itertools import product

import msgspec

from arpad.formats import values
from arpad.formats.report import Finding

#: How a date may be written, and the orders in which it can then be read, the format's own first.
_STYLES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "first": (r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})", ("YMD", "YDM")),
    "last": (r"(\d{1,2})[-./](\d{1,2})[-./](\d{4})", ("DMY", "MDY")),
    "short": (r"(\d{1,2})[-./](\d{1,2})[-./](\d{2})", ("YMD", "DMY", "YDM", "MDY")),
}
#: A longer text is no date.
_LONGEST = 40
_STANDARD = {"first": "YMD", "short": "YMD"}


class Written(msgspec.Struct, frozen=True):
    """A date as it stands somewhere in the file."""

    text: str
    line: int = 0
    column: int = 5


class Dates(msgspec.Struct, frozen=True):
    """What the dates mean, None where that is not known; `order` is how those with the year last were read."""

    start: date | None
    end: date | None
    rounds: tuple[date | None, ...]
    order: str
    findings: tuple[Finding, ...]
    log: tuple[str, ...]


class _Date(msgspec.Struct, frozen=True):
    written: Written
    style: str
    ways: Mapping[str, date]  # order -> day


def resolve(start: Written, end: Written, rounds: Sequence[Written], asked: str = "") -> Dates:
    """Read the first and last day and the round dates together. `asked` (DMY, MDY, YMD) decides by order."""
    dates = _standard([_ways(written, asked) for written in (start, end, *rounds)], "first")
    log: list[str] = []
    findings = [_unreadable(each) for each in dates if each.style == "?" or (each.style and not each.ways)]
    choices = _readings(dates)
    good = [reading for reading in choices if _in_order(reading)]
    if not good:  # rounds outside the event are a fault of their own, not another way to write dates
        good = [reading for reading in choices if _in_order(reading[:2])]
    days = _common(dates, good, findings) if good else _eliminated(dates, findings)
    order = _log_orders(dates, days, log)
    log += [finding.message for finding in findings if finding.severity == "warning"]
    return Dates(days[0], days[1], tuple(days[2:]), order, tuple(findings), tuple(log))


def _ways(written: Written, asked: str) -> _Date:
    if len(written.text) > _LONGEST:
        return _Date(written, "?", {})
    text = re.sub(r"\s*([-./])\s*", r"\1", values.without_time(written.text)).strip()
    if re.fullmatch(r"[\s.\-/?0]*", text):
        return _Date(written, "", {})
    for style, (pattern, orders) in _STYLES.items():
        match = re.fullmatch(pattern, text, re.ASCII)
        if match:
            if style == "last" and asked in orders:
                orders = (asked,)
            ways = {}
            for order in orders:
                with suppress(ValueError):
                    ways[order] = _day(dict(zip(order, map(int, match.groups()))), style)
            return _Date(written, style, ways)
    with suppress(ValueError):
        day = values.partial_date(text, asked)
        if day is not None and day.exact:
            return _Date(written, "words", {"": day.first})
    return _Date(written, "?", {})


def _standard(dates: list[_Date], style: str) -> list[_Date]:
    """The dates of a style in the format's own order alone, if all of them can be read so."""
    order = _STANDARD[style]
    held = [each for each in dates if each.style == style and each.ways]
    if not all(order in each.ways for each in held):
        return dates
    return [_Date(each.written, style, {order: each.ways[order]}) if each in held else each for each in dates]


def _day(parts: Mapping[str, int], style: str) -> date:
    year = parts["Y"]
    if style == "short":
        year += 2000 if year < 50 else 1900
    return date(year, parts["M"], parts["D"])


def _unreadable(each: _Date) -> Finding:
    text = each.written.text.strip()[:_LONGEST]
    known = "dates are written YYYY/MM/DD"
    return Finding("date", f"{text!r} is no date ({known})", each.written.line, each.written.column)


def _readings(dates: Sequence[_Date]) -> list[list[date | None]]:
    """Every reading in which all dates of one style have one order; those in the format's own order, if any fit."""
    styles = list(dict.fromkeys(each.style for each in dates if each.ways))
    orders = []
    for style in styles:
        held = [each.ways.keys() for each in dates if each.style == style and each.ways]
        orders.append([order for order in held[0] if all(order in other for other in held)])
    found = []
    for chosen in product(*orders):
        order_of = dict(zip(styles, chosen))
        reading = [each.ways[order_of[each.style]] if each.ways else None for each in dates]
        found.append((sum(order_of[style] != _STANDARD.get(style, order_of[style]) for style in styles), reading))
    fitting = [(strange, reading) for strange, reading in found if _in_order(reading)] or found
    least = min((strange for strange, _ in fitting), default=0)
    return [reading for strange, reading in fitting if strange == least]


def _in_order(reading: Sequence[date | None]) -> bool:
    start, end, *rounds = reading
    if start and end and end < start:
        return False
    days = [day for day in rounds if day]
    return all((not start or start <= day) and (not end or day <= end) for day in days) and days == sorted(days)


def _common(
    dates: Sequence[_Date], good: Sequence[Sequence[date | None]], findings: list[Finding]
) -> list[date | None]:
    """What all readings agree on; where they do not, an error, and no date."""
    days: list[date | None] = []
    for each, found in zip(dates, zip(*good)):
        days.append(found[0] if len(set(found)) == 1 else None)
        if len(set(found)) > 1:
            findings.append(_ambiguous(each, sorted(day for day in set(found) if day)))
    return days


def _ambiguous(each: _Date, days: Sequence[date]) -> Finding:
    shown = " or ".join(day.isoformat() for day in days)
    text = f"{each.written.text.strip()!r} may be {shown}, and no other date of the file decides"
    hint = "say which with --date-format DMY or MDY"
    return Finding("date", f"{text} ({hint})", each.written.line, each.written.column)


def _eliminated(dates: list[_Date], findings: list[Finding]) -> list[date | None]:
    """Date by date, where they do not have one order: what the certain ones leave possible."""
    dates = _standard(dates, "short")
    possible = [set(each.ways.values()) for each in dates]
    certain: list[date | None] = [next(iter(days)) if len(days) == 1 else None for days in possible]
    found: list[date | None] = []
    for at, (each, days) in enumerate(zip(dates, possible)):
        left = (
            [day for day in days if _in_order([*certain[:at], day, *certain[at + 1 :]])] if len(days) > 1 else [*days]
        )
        if len(left) == 1:
            found.append(left[0])
            if len(days) > 1:
                text = f"{each.written.text.strip()!r} is read as {left[0]}, the only way that fits the other dates"
                findings.append(Finding("date", text, each.written.line, each.written.column, "warning"))
            continue
        found.append(None)
        if days:
            findings.append(_ambiguous(each, sorted(days)))
    return found


def _log_orders(dates: Sequence[_Date], days: Sequence[date | None], log: list[str]) -> str:
    """Note every order that is not the format's own; returns the one of dates with the year last."""
    last = ""
    for style in ("first", "last", "short"):
        read = [(each, day) for each, day in zip(dates, days) if each.style == style and day]
        orders = [order for order in _STYLES[style][1] if all(each.ways.get(order) == day for each, day in read)]
        if not read or (orders and orders[0] == _STANDARD.get(style)):
            continue
        if style == "last":
            last = orders[0] if len(orders) == 1 else ""
        shown = ", ".join(f"{each.written.text.strip()} = {day}" for each, day in list(_different(read))[:3])
        log.append(f"dates read as {' or '.join(orders) or 'several orders'}: {shown}")
    return last


def _different(read: Sequence[tuple[_Date, date]]) -> Iterator[tuple[_Date, date]]:
    seen = set()
    for each, day in read:
        if each.written.text not in seen:
            seen.add(each.written.text)
            yield each, day
