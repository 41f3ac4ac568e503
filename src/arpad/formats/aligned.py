"""A table as text for people: columns aligned, numbers to as many digits as say something."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

#: Between two columns.
GAP = "  "
#: Persian and Indian names and some pictures are written with these.
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"


def aligned(columns: Mapping[str, Sequence[Any] | Any], limit: int | None = None) -> list[str]:
    """The header and the first `limit` rows as lines of text. Blanks are empty; control characters do not pass."""
    cells = [[name, *texts(column if limit is None else column[:limit])] for name, column in columns.items()]
    widths = [max(map(width, column)) for column in cells]
    right = [_is_number(column) for column in columns.values()]
    lines = []
    for row in zip(*cells):
        padded = [
            " " * (most - width(text)) + text if flush else text + " " * (most - width(text))
            for text, most, flush in zip(row, widths, right)
        ]
        lines.append(GAP.join(padded).rstrip())
    return lines


def texts(column: Sequence[Any] | Any) -> list[str]:
    """A column's cells as people read them."""
    values = column.tolist() if hasattr(column, "tolist") else list(column)
    numbers = [value for value in values if isinstance(value, float) and value == value]
    digits = _digits(numbers)
    return [_text(value, digits) for value in values]


def width(text: str) -> int:
    """How many places of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(letter) or letter in _JOINERS
        else 2
        if unicodedata.east_asian_width(letter) in "WF"
        else 1
        for letter in text
    )


def _digits(numbers: Sequence[float]) -> int:
    """Three digits below one, two below a hundred, one above; fewer if that loses nothing."""
    largest = max(map(abs, numbers), default=0.0)
    most = 3 if largest <= 1 else 2 if largest < 100 else 1
    for digits in range(most):
        if all(abs(round(number, digits) - number) < 1e-9 for number in numbers):
            return digits
    return most


def _text(value: Any, digits: int) -> str:
    if value is None or value != value:
        return ""
    if isinstance(value, float):
        text = f"{value:.{digits}f}"
        return text[1:] if text[0] == "-" and not text.strip("-0.") else text  # no -0
    text = str(value)
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(letter: str) -> str:
    """A letter as a terminal may have it: no-break spaces are spaces, joiners of letters stay, and controls do not."""
    if letter.isprintable() or letter in _JOINERS:
        return letter
    return " " if unicodedata.category(letter) == "Zs" else "\N{REPLACEMENT CHARACTER}"


def _is_number(column: Sequence[Any] | Any) -> bool:
    if hasattr(column, "dtype") and column.dtype.kind in "if":
        return True
    known = [value for value in column if value is not None]
    return bool(known) and all(isinstance(value, (int, float)) for value in known)
