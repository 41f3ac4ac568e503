"""The columns of the records of a report file, both ways. Columns are characters, counted from 1.

A layout is data: reading cuts a text at its columns, writing puts new text into the columns of those values that
changed and leaves every other character alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from arpad.formats import report, values
from arpad.model import PartialDate

#: One-letter titles of old files.
_OLD_TITLES = {"G": "GM", "M": "IM", "F": "FM", "C": "CM"}
TITLES = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")
_UNRATED = frozenset(("", "-", "?", "----", "unr", "unr."))
_NOWHERE = re.compile(r"[\s.\-/?0]*")


class Field(msgspec.Struct, frozen=True):
    """A value from column `first` to `last`."""

    name: str
    first: int
    last: int
    kind: str = "int"


class Layout(msgspec.Struct, frozen=True):
    """The fields of one kind of record; `repeat` is the first of a row of numbers that come every `step` columns."""

    kind: type
    fields: tuple[Field, ...]
    repeat: Field | None = None
    step: int = 5


def cut(text: str, first: int, last: int) -> str:
    """The characters from one column to another; a text that ends before has blanks there."""
    return text[first - 1 : last]


def put(text: str, first: int, last: int, new: str) -> str:
    """A text with new characters in these columns."""
    return text[: first - 1].ljust(first - 1) + new.ljust(last - first + 1) + text[last:]


def token(text: str, first: int, last: int) -> tuple[int, int]:
    """Where the word in these columns begins and ends, if it runs over them."""
    if cut(text, first, last).strip():
        if cut(text, last, last).strip():
            last += _word(text[last : last + 40])
        if cut(text, first, first).strip():
            first -= _word(text[: first - 1][:-41:-1])
    return first, last


def _word(text: str) -> int:
    """How many characters come before the first blank."""
    match = re.match(r"\S*", text)
    return len(match[0]) if match else 0


def whole(text: str) -> int | None:
    """A whole number, None if there is none."""
    if not text:
        return None
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"{text!r} is not a number")
    return int(text)


def points(text: str) -> float | None:
    """Points, with a sign or a decimal comma if need be; None if there are none."""
    if not text:
        return None
    plain = text.replace(",", ".").replace("½", ".5")
    if not re.fullmatch(r"[-+]?(\d{1,5}\.?\d{0,3}|\.\d{1,3})", plain, re.ASCII):
        raise ValueError(f"{text!r} is not a number of points")
    return float(plain)


def rating(text: str) -> int | None:
    """A rating; blank, 0, - and ? are unrated."""
    if text.casefold() in _UNRATED:
        return None
    return whole(text) or None


def identity(text: str) -> int | None:
    """A FIDE id; blank and 0 are none."""
    try:
        return whole(text) or None
    except ValueError:
        raise ValueError(f"id {text!r} is not a number and is ignored") from None


def sex(text: str) -> str:
    """m or w, also out of M, W and F."""
    plain = text.casefold()
    if plain not in ("", "m", "w", "f", "-"):
        raise ValueError(f"{text!r} is neither m nor w")
    return "w" if plain == "f" else plain.strip("-")


def title(text: str) -> str:
    """A title in upper case, also out of old files (g m f c, wg wm wf wc, gf mf ff cf). Others come as they are."""
    plain = text.upper().strip("-")
    if plain in _OLD_TITLES:
        return _OLD_TITLES[plain]
    if len(plain) == 2 and plain not in TITLES:
        if plain[0] == "W" and plain[1] in _OLD_TITLES:
            return "W" + _OLD_TITLES[plain[1]]
        if plain[1] == "F" and plain[0] in _OLD_TITLES:
            return "W" + _OLD_TITLES[plain[0]]
    return plain


def birth(text: str, order: str = "") -> PartialDate | None:
    """A birth date as precise as it is written: a date, a month, a year, or nothing (`. .`, `0000/00/00`).

    A date whose day and month could be each other, with nothing to decide, is known to the year.
    """
    if len(text) == 4 and text.isdecimal() and text.isascii() and text != "0000":
        return PartialDate(int(text))
    if len(text) > 40:
        raise ValueError(f"not a date: {text[:40]!r}…")
    plain = re.sub(r"\s*([-./])\s*", r"\1", text)
    if _NOWHERE.fullmatch(plain):
        return None
    plain = re.sub(r"[-./]+$", "", plain)
    if match := re.fullmatch(r"(?:00|\?\?|0)?[-./](?:00|\?\?|0)?[-./](\d{4})", plain):
        return PartialDate(int(match[1]))
    if match := re.fullmatch(r"(\d{4})[-./](\d{1,2})[-./]0{1,2}", plain):
        return PartialDate(int(match[1]), int(match[2]) or None)
    if re.fullmatch(r"(\d{4})0000", plain):
        return PartialDate(int(plain[:4]))
    match = re.fullmatch(r"(\d{1,2})([-./])(\d{1,2})\2(\d{4})", plain)
    if match and order not in ("DMY", "MDY") and match[1] != match[3] and max(int(match[1]), int(match[3])) <= 12:
        return PartialDate(int(match[4]))
    return values.partial_date(plain, order)


def date_text(day: PartialDate) -> str:
    """A birth date as report files have it: YYYY/MM/DD, 00 where unknown."""
    return f"{day.year:04d}/{day.month or 0:02d}/{day.day or 0:02d}"


#: kind -> (reader of a stripped text, writer, whether it stands at the right edge)
KINDS: Mapping[str, tuple[Callable[[str], Any], Callable[[Any], str], bool]] = {
    "int": (whole, str, True),
    "round": (whole, "{:03d}".format, True),
    "text": (str, str, False),
    "id_text": (str, str, True),
    "points": (points, "{:.1f}".format, True),
    "rating": (rating, str, True),
    "id": (identity, str, True),
    "sex": (sex, str, False),
    "title": (title, str, True),
    "code": (str.upper, str, False),
    "date": (birth, date_text, False),
}
#: Kinds that may be cut short to fit; a number never is.
_WORDS = ("text", "title", "code", "id_text")
_BLANK = {"text": "", "id_text": "", "sex": "", "title": "", "code": ""}

_NUMBER, _SEX, _NAME = Field("number", 5, 8), Field("sex", 10, 10, "sex"), Field("name", 15, 47, "text")
ENTRANT = Layout(
    report.Entrant,
    (
        _NUMBER,
        _SEX,
        Field("title", 11, 13, "title"),
        _NAME,
        Field("rating", 49, 52, "rating"),
        Field("federation", 54, 56, "code"),
        Field("fide_id", 58, 68, "id"),
        Field("born", 70, 79, "date"),
        Field("points", 81, 84, "points"),
        Field("rank", 86, 89),
    ),
)
NATIONAL = Layout(
    report.National,
    (
        _NUMBER,
        _SEX,
        Field("title", 11, 13, "id_text"),
        _NAME,
        Field("rating", 49, 52, "rating"),
        Field("origin", 54, 56, "text"),
        Field("id", 58, 68, "id_text"),
        Field("born", 70, 79, "date"),
    ),
)
#: The records beside the players', by their code.
RECORDS: Mapping[str, Layout] = {
    "013": Layout(report.Team, (Field("name", 5, 36, "text"),), Field("players", 37, 40)),
    "310": Layout(
        report.Team,
        (
            Field("number", 5, 7),
            Field("name", 9, 40, "text"),
            Field("nickname", 42, 46, "text"),
            Field("strength", 48, 53, "points"),
            Field("match_points", 55, 60, "points"),
            Field("game_points", 62, 67, "points"),
            Field("rank", 69, 71),
        ),
        Field("players", 74, 77),
    ),
    "240": Layout(report.Byes, (Field("kind", 5, 5, "code"), Field("round", 7, 9)), Field("numbers", 11, 14)),
    "250": Layout(
        report.Acceleration,
        (
            Field("match_points", 5, 8, "points"),
            Field("points", 10, 13, "points"),
            Field("first_round", 15, 17),
            Field("last_round", 19, 21),
            Field("first", 23, 26),
            Field("last", 28, 31),
        ),
    ),
    "260": Layout(
        report.Prohibited, (Field("first_round", 5, 7), Field("last_round", 9, 11)), Field("numbers", 13, 16)
    ),
    "299": Layout(
        report.Abnormal,
        (
            Field("kind", 5, 5, "code"),
            Field("match_points", 8, 11, "points"),
            Field("points", 14, 17, "points"),
            Field("round", 20, 22, "round"),
        ),
        Field("numbers", 24, 27),
    ),
    "300": Layout(
        report.OutOfOrder,
        (Field("round", 5, 7), Field("team", 9, 11), Field("opponent", 13, 15)),
        Field("numbers", 17, 20),
    ),
    "320": Layout(
        report.TeamByes,
        (Field("match_points", 5, 8, "points"), Field("points", 10, 13, "points")),
        Field("numbers", 15, 17),
        4,
    ),
    "330": Layout(
        report.TeamForfeit,
        (Field("kind", 5, 6, "text"), Field("round", 8, 10), Field("white", 12, 14), Field("black", 16, 18)),
    ),
}
#: 299 as at least one program writes it. A file is read by the layout whose gaps are blank.
SHIFTED_299 = Layout(
    report.Abnormal,
    (
        Field("kind", 5, 5, "code"),
        Field("match_points", 7, 10, "points"),
        Field("points", 12, 15, "points"),
        Field("round", 17, 19, "round"),
    ),
    Field("numbers", 21, 24),
)


def layout_of(text: str) -> Layout | None:
    """The layout of a record beside the players', None if it has none here."""
    layout = RECORDS.get(text[:3])
    if text[:3] == "299" and not fits(layout, text) and fits(SHIFTED_299, text):  # type: ignore[arg-type]
        return SHIFTED_299
    return layout


def fits(layout: Layout, text: str) -> bool:
    """Whether every column between the fields is blank."""
    return not any(True for _ in gaps(layout, text))


def gaps(layout: Layout, text: str) -> list[int]:
    """The columns between fields that should be blank and are not."""
    covered = [(field.first, field.last) for field in layout.fields]
    edge = covered[-1][1]
    if layout.repeat:
        width = layout.repeat.last - layout.repeat.first + 1
        edge = max(edge, len(text.rstrip()))
        starts = range(layout.repeat.first, edge + 1, layout.step)
        covered += [(start, start + width - 1) for start in starts]
    taken = {column for first, last in covered for column in range(first, last + 1)}
    return [at for at in range(4, min(edge, len(text)) + 1) if at not in taken and text[at - 1].strip()]


def read(layout: Layout, text: str, order: str = "") -> tuple[dict[str, Any], list[tuple[int, str, str]]]:
    """The values of a record, and (column, field, words) of what could not be read, which is blank then."""
    found: dict[str, Any] = {}
    wrong = []
    for field in layout.fields:
        raw = text[field.first - 1 : field.last].strip()
        try:
            if field.kind == "date":
                raw = cut(text, *token(text, field.first, field.last)).strip() if raw else ""
                found[field.name] = birth(raw, order) if raw else None
            else:
                found[field.name] = KINDS[field.kind][0](raw)
        except (ValueError, OverflowError) as error:
            found[field.name] = _BLANK.get(field.kind)
            wrong.append((field.first, field.name, str(error)))
    if layout.repeat:
        numbers, bad = _row(layout.repeat, layout.step, text)
        found[layout.repeat.name] = numbers
        wrong += bad
    return found, wrong


def _row(field: Field, step: int, text: str) -> tuple[tuple[int, ...], list[tuple[int, str, str]]]:
    numbers = []
    wrong = []
    width = field.last - field.first + 1
    for at in range(field.first, len(text.rstrip()) + 1, step):
        raw = cut(text, at, at + width - 1).strip()
        try:
            numbers.append(whole(raw) or 0)
        except ValueError as error:
            wrong.append((at, field.name, str(error)))
    return tuple(numbers), wrong


def written(layout: Layout, text: str, before: Mapping[str, Any], after: Any) -> tuple[str, list[str]]:
    """The text with the columns of every changed value rewritten, and words on what was cut short to fit.

    Raises ValueError for a number that does not fit its columns.
    """
    said = []
    for field in layout.fields:
        value = getattr(after, field.name)
        if value == before.get(field.name, _BLANK.get(field.kind)):
            continue
        new = "" if value is None else KINDS[field.kind][1](value)
        new = " ".join(new.split()) if field.kind in _WORDS else new
        width = field.last - field.first + 1
        if len(new) > width:
            if field.kind not in _WORDS:
                raise ValueError(f"{field.name} {new} does not fit the {width} columns that a report file has for it")
            said.append(
                f"{field.name} {new!r} is cut to {new[:width].rstrip()!r}: a report file has {width} columns for it"
            )
            new = new[:width].rstrip()
        first, last = token(text, field.first, field.last) if field.kind == "date" else (field.first, field.last)
        text = put(text, first, last, "")  # a value that ran over its columns goes as a whole
        text = put(text, field.first, field.last, new.rjust(width) if KINDS[field.kind][2] else new)
    if layout.repeat and getattr(after, layout.repeat.name) != before.get(layout.repeat.name, ()):
        width = layout.repeat.last - layout.repeat.first + 1
        text = text[: layout.repeat.first - 1].ljust(layout.repeat.first - 1)
        text += (" " * (layout.step - width)).join(
            f"{number:>{width}d}" for number in getattr(after, layout.repeat.name)
        )
    return text, said
