"""How a contest of several changed a player, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from arpad.systems.multiplayer import Contested

PHRASES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "place": "place {place} of {sides}",
        "team": "team {team}, rated {strength}: place {place} of {sides}",
        "against": "{name}, rated {strength}: expected {expected}, scored {score}",
        "weight": "{name}, rated {strength}: expected {expected}, scored {score}, counts {weight}",
        "pot": "the ratings of all are {pot}: share {score}, expected {expected}",
        "sum": "{score} - {expected} = {gain}, times {k} = {change}",
    },
    "it": {
        "place": "posto {place} di {sides}",
        "team": "squadra {team}, punteggio {strength}: posto {place} di {sides}",
        "against": "{name}, punteggio {strength}: atteso {expected}, fatto {score}",
        "weight": "{name}, punteggio {strength}: atteso {expected}, fatto {score}, conta {weight}",
        "pot": "i punteggi di tutti sono {pot}: quota {score}, attesa {expected}",
        "sum": "{score} - {expected} = {gain}, per {k} = {change}",
    },
    "es": {
        "place": "puesto {place} de {sides}",
        "team": "equipo {team}, puntuación {strength}: puesto {place} de {sides}",
        "against": "{name}, puntuación {strength}: esperado {expected}, hecho {score}",
        "weight": "{name}, puntuación {strength}: esperado {expected}, hecho {score}, cuenta {weight}",
        "pot": "las puntuaciones de todos suman {pot}: parte {score}, esperada {expected}",
        "sum": "{score} - {expected} = {gain}, por {k} = {change}",
    },
}


def words(change: Any, language: str, number: Callable[..., str]) -> Iterator[str]:
    """The lines of one explained change; `number(value, places, signed)` writes a number as the language does."""
    say, held = PHRASES[language], change.working
    assert isinstance(held, Contested)
    place = {"place": number(held.place), "sides": held.sides}
    if held.team:
        yield say["team"].format(team=held.team, strength=number(held.strength), **place)
    else:
        yield say["place"].format(**place)
    for each in held.against:
        yield say["against" if each.weight == 1.0 else "weight"].format(
            name=each.name,
            strength=number(each.strength),
            expected=number(each.expected, 4),
            score=number(each.score),
            weight=number(each.weight, 4),
        )
    told = {"score": number(held.score, 4), "expected": number(held.expected, 4)}
    if held.pot is not None:
        yield say["pot"].format(pot=number(held.pot), **told)
    gain = held.score - held.expected
    yield say["sum"].format(
        gain=number(gain, 4, True), k=number(held.k, 4), change=number(held.k * gain, 4, True), **told
    )
