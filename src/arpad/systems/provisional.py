"""How a provisional rating came about, and how that is said: the mean of what all games so far were worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

PHRASES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "fresh": "provisional: {games} game(s) are worth {total} together; {total} / {games} = {mean}",
        "more": "provisional: {games} game(s) are worth {total} together; with {before} before at {rating}: "
        "({before} x {rating} + {total}) / {all} = {mean}",
    },
    "it": {
        "fresh": "provvisorio: partite {games}, valore totale {total}; {total} / {games} = {mean}",
        "more": "provvisorio: partite {games}, valore totale {total}; prima {before} a {rating}: "
        "({before} x {rating} + {total}) / {all} = {mean}",
    },
    "es": {
        "fresh": "provisional: partidas {games}, valor total {total}; {total} / {games} = {mean}",
        "more": "provisional: partidas {games}, valor total {total}; antes {before} a {rating}: "
        "({before} x {rating} + {total}) / {all} = {mean}",
    },
}


class Provisional(msgspec.Struct, frozen=True):
    """`games` were worth `total` (points of rating) together; `before` games stood behind `rating`; the new rating,
    before rounding and bounds, is `mean`."""

    games: float
    total: float
    before: float
    rating: float
    mean: float
    clauses: tuple[str, ...] = ("provisional",)


def provisional(rating: float, before: float, gain: float, games: float) -> Provisional:
    """`gain`: what the games were worth, each above the rating before; a rating of nan was none, and counts as 0."""
    held = rating if rating == rating else 0.0
    behind = before if rating == rating else 0.0
    total = gain + games * held
    return Provisional(games, total, behind, held, (behind * held + total) / (behind + games))


def words(change: Any, language: str, number: Any) -> Iterator[str]:
    """The line that stands where others have score minus expected times K."""
    told: Provisional = change.working
    yield PHRASES[language]["more" if told.before else "fresh"].format(
        games=number(told.games),
        total=number(told.total),
        before=number(told.before),
        rating=number(told.rating, 4),
        all=number(told.games + told.before),
        mean=number(told.mean, 4),
    )
