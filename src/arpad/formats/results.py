"""What the texts of a result column mean.

A result is a pair (what the first side scored, what the second did), or it is pending, or it states a fact that is no
game (a forfeit, a bye). Every other text is refused; nothing is ever read as a draw for want of a better reading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from typing import TypeAlias


class Other(Enum):
    """A result that scores nothing."""

    PENDING = -1
    FACT = -2


Outcome: TypeAlias = tuple[float, float] | Other

ACCEPTED = "1-0 0-1 1/2-1/2 ½-½ ½ 1 0 0.5 0,5 = W D L; pending: * or blank; not rated: + - H F U Z"

_POINTS = {
    "1": 1.0,
    "0": 0.0,
    "½": 0.5,
    "1/2": 0.5,
    "0.5": 0.5,
    "0,5": 0.5,
    ".5": 0.5,
    "=": 0.5,
    "1.0": 1.0,
    "0.0": 0.0,
}
_WORDS: dict[str, Outcome] = {
    "": Other.PENDING,
    "*": Other.PENDING,
    "w": (1.0, 0.0),
    "win": (1.0, 0.0),
    "d": (0.5, 0.5),
    "draw": (0.5, 0.5),
    "tie": (0.5, 0.5),
    "l": (0.0, 1.0),
    "loss": (0.0, 1.0),
}
_FACTS = frozenset(("+", "-", "h", "f", "u", "z", "+-", "-+", "--", "bye", "forfeit", "walkover"))
_DASHES = str.maketrans("–—−‐‑:", "------")
_NUMBER = r"[01](?:[.,]\d{1,12})?|[.,]\d{1,12}"


def outcome(text: str) -> Outcome:
    """Read one result as the first-named side sees it. Raises ValueError for a text that is none."""
    word = text.strip().translate(_DASHES).casefold().replace(" ", "")
    known = _WORDS.get(word)
    if known is not None:
        return known
    if word in _FACTS:
        return Other.FACT
    if word in _POINTS:
        return _POINTS[word], 1.0 - _POINTS[word]
    first, dash, second = word.partition("-")
    if dash and first in _POINTS and second in _POINTS and _POINTS[first] + _POINTS[second] == 1.0:
        return _POINTS[first], _POINTS[second]
    if re.fullmatch(_NUMBER, word):
        points = float(word.replace(",", "."))
        if points <= 1.0:
            return points, 1.0 - points
    raise ValueError(f"unknown result {text.strip()!r}")


_FIRST = frozenset(("first", "left", "white", "home", "1", "a", "bianco", "casa", "blancas", "local"))
_SECOND = frozenset(("second", "right", "black", "away", "2", "b", "nero", "ospite", "negras", "visitante"))
_DRAW = frozenset(("tie", "draw", "=", "½", "1/2", "patta", "pareggio", "tablas", "empate", "tie (bothbad)"))


def winning_side(text: str, headers: Sequence[str]) -> Outcome | None:
    """Read the word of a winner column that names a side, also by the side's column header; None if it does not."""
    word = text.strip().casefold()
    if word in ("", "*"):
        return Other.PENDING
    if word in _FIRST or word == headers[0].strip().casefold():
        return 1.0, 0.0
    if word in _SECOND or word == headers[1].strip().casefold():
        return 0.0, 1.0
    return (0.5, 0.5) if word in _DRAW else None


_OWN_SIDE = {
    **dict.fromkeys(("w", "white", "h", "home", "bianco", "casa", "blancas", "blanco", "local", "first"), 1),
    **dict.fromkeys(
        ("b", "black", "a", "away", "nero", "trasferta", "ospite", "negras", "negro", "visitante", "second"), 2
    ),
    **dict.fromkeys(("n", "neutral", "neutro"), 3),
}


def own_side(text: str) -> int:
    """Whether the player of a row was first (1), second (2) or on neutral ground (3). Raises ValueError."""
    try:
        return _OWN_SIDE[text.strip().casefold()]
    except KeyError:
        raise ValueError(f"unknown side {text.strip()!r}") from None
