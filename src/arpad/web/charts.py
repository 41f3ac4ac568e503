"""Charts as SVG, drawn here: lines of ratings over days, and bars. They need no script, and colours are the style's.

A chart is a picture with a description; whoever uses one puts the same numbers in a table beside it. Lines are told
apart by dashes and by a letter at their end too. Whatever is written in a chart is escaped.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import Literal, TypeAlias

import msgspec
from babel.dates import format_date, format_skeleton
from babel.numbers import format_decimal
from markupsafe import Markup, escape

from arpad.web.drawing import LOCALES, environment

#: Width and height in units of the drawing, and the room left of and below what is drawn, above and right of it.
WIDTH, HEIGHT = 720, 300
LEFT, BELOW, ABOVE, RIGHT = 56, 28, 12, 28
#: Looks that the style has for lines; more lines than that begin again.
LOOKS = 6
#: How far apart marks of an axis of days may be, in months, and how many there may be.
MONTHS, MARKS = (1, 2, 3, 6, 12, 24, 60, 120, 240), 8

#: Marks from which on not all of them can be pointed at.
MANY = 100

Shape: TypeAlias = Literal["event", "list", "act"]


class Mark(msgspec.Struct, frozen=True):
    """Something on a line worth pointing at: on a day (ordinal) at a value, and what it was. The day and the value are
    said behind it."""

    day: int
    value: float
    what: str
    shape: Shape = "event"


class Line(msgspec.Struct, frozen=True):
    """Values by day (ordinal), in their order; each holds until the next one."""

    name: str
    points: Sequence[tuple[int, float]]
    marks: Sequence[Mark] = ()


class Bar(msgspec.Struct, frozen=True):
    """A bar: what stands below it, how high it is, what it says when pointed at, and a value to be compared with it,
    drawn as a stroke across it."""

    label: str
    value: float
    title: str
    beside: float | None = None


class _Frame(msgspec.Struct, frozen=True):
    """Where values are on the drawing."""

    low: float
    high: float
    bottom: float
    top: float

    def x(self, at: float) -> float:
        return round(LEFT + (at - self.low) / (self.high - self.low) * (WIDTH - LEFT - RIGHT), 1)

    def y(self, value: float) -> float:
        return round(HEIGHT - BELOW - (value - self.bottom) / (self.top - self.bottom) * (HEIGHT - BELOW - ABOVE), 1)


def steps(lines: Sequence[Line], language: str, description: str) -> Markup:
    """Ratings over time, as steps: a rating is what it is until something changes it. Blank where nothing is known."""
    drawn = [line for line in lines if line.points or line.marks]
    if not drawn:
        return Markup("")
    days = [day for line in drawn for day, _ in (*line.points, *((mark.day, mark.value) for mark in line.marks))]
    values = [value for line in drawn for _, value in (*line.points, *((mark.day, mark.value) for mark in line.marks))]
    marks = ticks(min(values), max(values))
    first, last = min(days), max(days)
    frame = _Frame(first - (first == last), last + (first == last), marks[0], marks[-1])
    body = [*_scale(frame, marks, language), *_days(frame, language)]
    for number, line in enumerate(drawn):
        look = number % LOOKS + 1
        points = _thinned(line.points, frame)
        body.append(f'<path class="line look-{look}" d="{_path(points, frame, last)}"/>')
        body += [_mark(mark, at, look, language) for mark, at in _apart(line.marks, frame)]
        if len(drawn) > 1:
            end = frame.y(points[-1][1] if points else line.marks[-1].value)
            body.append(f'<text class="letter" x="{WIDTH - RIGHT + 6}" y="{end + 4}">{letter(number)}</text>')
    return _picture(body, description)


def bars(found: Sequence[Bar], language: str, description: str, *, together: bool = False) -> Markup:
    """Bars from zero up; `together`: without room between them, as those of a histogram stand."""
    if not found:
        return Markup("")
    marks = ticks(0.0, max(max(bar.value, bar.beside or 0.0) for bar in found))
    frame = _Frame(0, len(found), 0, marks[-1])
    body = list(_scale(frame, marks, language))
    room = 0.0 if together else 0.15
    every = math.ceil(len(found) / 12)
    for number, bar in enumerate(found):
        left, right, top = frame.x(number + room), frame.x(number + 1 - room), frame.y(bar.value)
        size = f'x="{left}" y="{top}" width="{right - left:.1f}" height="{frame.y(0) - top:.1f}"'
        body.append(f'<rect class="bar" {size}><title>{escape(bar.title)}</title></rect>')
        if bar.beside is not None:
            body.append(f'<path class="stroke" d="M{left} {frame.y(bar.beside)}H{right}"/>')
        if number % every == 0:
            at = frame.x(number + 0.5)
            body.append(f'<text class="axis middle" x="{at}" y="{HEIGHT - 8}">{escape(bar.label)}</text>')
    return _picture(body, description)


def swatch(number: int) -> Markup:
    """A piece of a line as the chart draws it, for its legend."""
    body = f'<path class="line look-{number % LOOKS + 1}" d="M0 6H40"/>'
    return Markup(f'<svg class="swatch" viewBox="0 0 40 12" aria-hidden="true">{body}</svg>')


def letter(number: int) -> str:
    """What a line is called at its end."""
    return chr(ord("A") + number % 26)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers from below the lowest to above the highest value, some even steps apart."""
    span = high - low or max(abs(high) * 0.1, 1.0)
    rough = span / (most - 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(each * power for each in (1, 2, 2.5, 5, 10) if each * power >= rough * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(each * step, 9) for each in range(first, max(last, first + 1) + 1)]


def _picture(body: Sequence[str], description: str) -> Markup:
    head = f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(description)}">'
    return Markup(head + "".join(body) + "</svg>")  # everything said in it went through `escape`


def _scale(frame: _Frame, marks: Sequence[float], language: str) -> Iterator[str]:
    for value in marks:
        y, text = frame.y(value), _number(value, language)
        yield f'<path class="grid" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>'
        yield f'<text class="axis end" x="{LEFT - 6}" y="{y + 4}">{escape(text)}</text>'


def _days(frame: _Frame, language: str) -> Iterator[str]:
    """Marks at the beginnings of months or years; the first day itself where there are none."""
    first, last = (date.fromordinal(int(each)) for each in (frame.low, frame.high))
    months = (last.year - first.year) * 12 + last.month - first.month
    step = next((each for each in MONTHS if months / each <= MARKS), MONTHS[-1])
    begun = first.year * 12 + first.month - 1
    found = [date(at // 12, at % 12 + 1, 1) for at in range(begun - begun % step, last.year * 12 + last.month, step)]
    inside = [day for day in found if frame.low <= day.toordinal() <= frame.high]
    for day in inside or [first]:
        x = frame.x(day.toordinal())
        said = _since(day, "year" if step >= 12 else "month" if inside else "day", language)
        yield f'<path class="grid" d="M{x} {HEIGHT - BELOW}v4"/>'
        yield f'<text class="axis middle" x="{x}" y="{HEIGHT - 8}">{said}</text>'


def _thinned(points: Sequence[tuple[int, float]], frame: _Frame) -> list[tuple[int, float]]:
    """No more points than can be seen: of those that fall together the first, lowest, highest and last."""
    if len(points) <= WIDTH:
        return list(points)
    columns: dict[int, list[tuple[int, float]]] = {}
    for point in points:
        columns.setdefault(int(frame.x(point[0])), []).append(point)
    kept = []
    for held in columns.values():
        by_value = sorted(range(len(held)), key=lambda at: held[at][1])
        kept += [held[at] for at in sorted({0, by_value[0], by_value[-1], len(held) - 1})]
    return kept


def _apart(marks: Sequence[Mark], frame: _Frame) -> list[tuple[Mark, tuple[float, float]]]:
    """Marks with their places, no two of a shape at the same one: the last one is drawn. Of very many, one beside the
    other."""
    many = len(marks) > MANY
    held = {}
    for mark in marks:
        x, y = at = frame.x(mark.day), frame.y(mark.value)
        held[mark.shape, int(x / (9 if many else 3)), 0 if many else int(y / 3)] = mark, at
    return list(held.values())


@lru_cache(4096)
def _number(value: float, language: str) -> str:
    return str(format_decimal(value, "0.###", LOCALES[language]))


@lru_cache(4096)
def _since(day: date, unit: Literal["year", "month", "day"], language: str) -> Markup:
    """What a mark of the axis says where a year or a month begins, or on a day."""
    if unit == "month":
        return escape(format_skeleton("yMMM", day, locale=LOCALES[language]))
    return escape(format_date(day, "y" if unit == "year" else "medium", LOCALES[language]))


def _path(points: Sequence[tuple[int, float]], frame: _Frame, last: int) -> str:
    if not points:
        return "M0 0"
    (day, value), *rest = points
    drawn = [f"M{frame.x(day):g} {frame.y(value):g}"]
    drawn += [f"H{frame.x(day):g}V{frame.y(value):g}" for day, value in rest]
    return "".join([*drawn, f"H{frame.x(last):g}"])


def _mark(mark: Mark, at: tuple[float, float], look: int, language: str) -> str:
    x, y = at
    say = environment(language).filters
    when, value = say["day"](date.fromordinal(mark.day)), say["rating"](mark.value)
    title = f"<title>{escape(mark.what)}, {when}: {value}</title>"
    if mark.shape == "event":
        return f'<circle class="mark look-{look}" cx="{x}" cy="{y}" r="3.5">{title}</circle>'
    sides = f"M{x} {y - 6}l6 6l-6 6l-6-6z" if mark.shape == "act" else f"M{x - 3.5} {y - 3.5}h7v7h-7z"
    return f'<path class="{mark.shape} look-{look}" d="{sides}">{title}</path>'
