"""Tie-breaks that rest on ratings (FIDE C.07), for every player of an event at once.

    field = [Card(2100, ((1, 1), (2, 0.5))), Card(2000, ((0, 0),)), Card(2200, ((0, 0.5),))]
    tie_break("TPR", field)[0].value               # 2343
    tie_break("ARO/C1", field)[0].value            # 2200, without the lowest-rated opponent

Only games over the board belong on a card: forfeits and byes never count here. An opponent met twice counts twice. If
anybody in the event is unrated these tie-breaks are not to be used, unless its regulations say what rating stands for
such a player: `unrated`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec

from arpad.curves import half_up
from arpad.errors import UnknownName, UsageError
from arpad.performances import Performance, performance

#: What each code stands for.
CODES: Mapping[str, str] = {
    "ARO": "average rating of the opponents",
    "TPR": "tournament performance rating: that average, plus FIDE's difference for the percentage",
    "PTP": "perfect tournament performance: the lowest rating whose expected scores reach the points",
    "APRO": "average of the opponents' performance ratings (TPR)",
    "APPO": "average of the opponents' perfect performances (PTP)",
    "RTNG": "the player's own rating",
}
NOBODY = "no game over the board"
MODIFIER = re.compile(r"/([CM])(\d+)")


class Card(msgspec.Struct, frozen=True):
    """A player's rating, if any, and the games over the board: (the opponent's place in the field, points)."""

    rating: int | None
    games: tuple[tuple[int, float], ...] = ()


class Value(msgspec.Struct, frozen=True):
    """A tie-break; None where there is none, and `reason` says why."""

    value: int | None
    reason: str = ""


def tie_break(code: str, field: Sequence[Card], unrated: int | None = None) -> tuple[Value, ...]:
    """One tie-break for everybody, in the order of the field.

    `code` is written as reports write it: `ARO`, with /C1, /C2 without the lowest one or two opponents, with /M1, /M2
    without as many of the highest too. Raises UnknownName for a code that is not there, UsageError for a modifier that
    does not belong to it.
    """
    name, low, high = _read(code)
    field = [Card(card.rating or unrated, card.games) for card in field]
    if any(card.rating is None for card in field):
        return (Value(None, "a player is unrated, and the event says nothing of what such a one counts for"),) * len(
            field
        )
    if name == "RTNG":
        return tuple(Value(card.rating) for card in field)
    if name == "ARO":
        return tuple(average_of_opponents(_ratings(card, field), low, high) for card in field)
    method = "perfect" if name in ("PTP", "APPO") else "fide"
    own = [_performance(card, field, method) for card in field]
    if name in ("TPR", "PTP"):
        return tuple(own)
    return tuple(_mean([own[opponent].value for opponent, _ in card.games]) for card in field)


def tie_breaks(
    field: Sequence[Card], codes: Sequence[str] = tuple(CODES), unrated: int | None = None
) -> Mapping[str, tuple[Value, ...]]:
    """Several tie-breaks for everybody."""
    return {code: tie_break(code, field, unrated) for code in codes}


def average_of_opponents(ratings: Sequence[int], low: int = 0, high: int = 0) -> Value:
    """The mean of ratings, without so many of the lowest and of the highest, to the nearest whole number, halves up."""
    kept = sorted(ratings)[low : len(ratings) - high]
    return _mean(kept) if kept else Value(None, NOBODY if not ratings else "nobody is left after the cut")


def _read(code: str) -> tuple[str, int, int]:
    name = code.partition("/")[0].upper()
    if name not in CODES:
        raise UnknownName("tie-break by rating", code, CODES)
    rest = code[len(name) :].upper()
    found = MODIFIER.fullmatch(rest) if rest else None
    if rest and (not found or name != "ARO"):
        raise UsageError(f"{code}: {name} takes no {rest}" if name != "ARO" else f"{code}: a cut is written /C1 or /M1")
    number = int(found[2]) if found else 0
    return name, number, number if found and found[1] == "M" else 0


def _ratings(card: Card, field: Sequence[Card]) -> list[int]:
    return [field[opponent].rating or 0 for opponent, _ in card.games]


def _performance(card: Card, field: Sequence[Card], method: str) -> Value:
    if not card.games:
        return Value(None, NOBODY)
    points = sum((Fraction(points) for _, points in card.games), Fraction(0))
    found: Performance = performance(_ratings(card, field), points, method)
    return Value(None if found.value is None else int(found.value), found.reason)


def _mean(values: Sequence[int | None]) -> Value:
    known = [value for value in values if value is not None]
    return Value(half_up(Fraction(sum(known), len(known)))) if known else Value(None, NOBODY)
