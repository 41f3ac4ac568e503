"""How an event changed a rating in stones, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from arpad.systems.bayrate import Seeded

PHRASES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "rated": "believed to be {seed}, deviation {deviation}, {days} days after the last event",
        "newcomer": "believed to be {seed} (declared {declared}), deviation {deviation}",
        "promoted": "declared {declared} and won: believed to be {seed}, deviation {deviation}",
        "reseeded": "declared {declared} and won: begins again at {seed}, deviation {deviation}",
        "sum": "variance {variance} x the pull of all games {gain} = {change} from there, without the gap between 1 kyu and 1 dan",
    },
    "it": {
        "rated": "stimato {seed}, deviazione {deviation}, {days} giorni dopo l'ultimo torneo",
        "newcomer": "stimato {seed} (dichiarato {declared}), deviazione {deviation}",
        "promoted": "dichiarato {declared} e ha vinto: stimato {seed}, deviazione {deviation}",
        "reseeded": "dichiarato {declared} e ha vinto: riparte da {seed}, deviazione {deviation}",
        "sum": "varianza {variance} x la spinta di tutte le partite {gain} = {change} da lì, senza il salto fra 1 kyu e 1 dan",
    },
    "es": {
        "rated": "estimado {seed}, desviación {deviation}, {days} días después del último torneo",
        "newcomer": "estimado {seed} (declarado {declared}), desviación {deviation}",
        "promoted": "declarado {declared} y ganó: estimado {seed}, desviación {deviation}",
        "reseeded": "declarado {declared} y ganó: empieza de nuevo en {seed}, desviación {deviation}",
        "sum": "varianza {variance} x el empuje de todas las partidas {gain} = {change} desde ahí, sin el salto entre 1 kyu y 1 dan",
    },
}


def words(change: Any, language: str, number: Callable[..., str]) -> Iterator[str]:
    """The lines of one explained change; `number(value, places, signed)` writes a number as the language does."""
    say, held = PHRASES[language], change.working
    assert isinstance(held, Seeded)
    variance = held.deviation**2
    yield say[held.why].format(
        seed=number(held.seed, 4),
        deviation=number(held.deviation, 4),
        declared=held.declared or "-",
        days=number(held.days, 0),
    )
    yield say["sum"].format(
        variance=number(variance, 4), gain=number(held.gain, 4, True), change=number(variance * held.gain, 4, True)
    )
