"""Entries of the log in words: in English, Italian or Spanish."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, TypeAlias

from arpad.errors import UnknownName
from arpad.ledger import chain

PHRASES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "open": "list {list} by {rules}",
        "people": "people: {count}, from {first} to {last}",
        "report": "report {report}",
        "accept": "report {report}; events: {events}",
        "games": "report {report}; games: {count}, from {first} on",
        "act": "{act} of person {person}",
        "merge": "person {person} is person {into}",
        "split": "person {person} is somebody of their own again",
        "person": "person {person}",
        "everybody": "everybody",
        "level": "{field} for {level}",
        "usual": "{field} for whom it usually is",
        "erase": "people: {people}; removed from reports: {reports}",
        "base": "{changes}; people who begin with what they held: {count}",
        "reverts": "takes back entry {entry}: {changes}",
        "publish": "list {list} of {day}, sha256 {digest}",
        "result": "result {was} → {now}",
        "voided": "no longer counts",
        "counts": "counts again",
    },
    "it": {
        "open": "lista {list} secondo {rules}",
        "people": "persone: {count}, da {first} a {last}",
        "report": "rapporto {report}",
        "accept": "rapporto {report}; tornei: {events}",
        "games": "rapporto {report}; partite: {count}, dalla {first} in poi",
        "act": "{act} della persona {person}",
        "merge": "la persona {person} è la persona {into}",
        "split": "la persona {person} è di nuovo una persona a sé",
        "person": "persona {person}",
        "everybody": "tutti",
        "level": "{field} per {level}",
        "usual": "{field} per chi di solito",
        "erase": "persone: {people}; tolte da rapporti: {reports}",
        "base": "{changes}; persone che cominciano con quanto avevano: {count}",
        "reverts": "annulla la registrazione {entry}: {changes}",
        "publish": "lista {list} del {day}, sha256 {digest}",
        "result": "risultato {was} → {now}",
        "voided": "non conta più",
        "counts": "conta di nuovo",
    },
    "es": {
        "open": "lista {list} según {rules}",
        "people": "personas: {count}, de la {first} a la {last}",
        "report": "informe {report}",
        "accept": "informe {report}; torneos: {events}",
        "games": "informe {report}; partidas: {count}, desde la {first}",
        "act": "{act} de la persona {person}",
        "merge": "la persona {person} es la persona {into}",
        "split": "la persona {person} vuelve a ser otra",
        "person": "persona {person}",
        "everybody": "todos",
        "level": "{field} para {level}",
        "usual": "{field} para quien suele ser",
        "erase": "personas: {people}; quitadas de informes: {reports}",
        "base": "{changes}; personas que empiezan con lo que tenían: {count}",
        "reverts": "anula el asiento {entry}: {changes}",
        "publish": "lista {list} del {day}, sha256 {digest}",
        "result": "resultado {was} → {now}",
        "voided": "ya no cuenta",
        "counts": "vuelve a contar",
    },
}

#: What the ledger's own words are called: kinds of entries and of acts, facts and their parts, fields of people and who
#: may see them. English is what the ledger has.
TERMS: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "en": {},
    "it": {
        "entry": {
            "open": "nuova lista",
            "people": "persone",
            "stage": "rapporto ricevuto",
            "refuse": "rapporto respinto",
            "accept": "rapporto accettato",
            "games": "partite",
            "acts": "atti",
            "correct": "correzione",
            "base": "nuova base",
            "merge": "unione",
            "split": "separazione",
            "visibility": "visibilità",
            "erase": "cancellazione",
            "publish": "pubblicazione",
        },
        "act": {
            "entry": "ingresso",
            "blend": "miscela",
            "adjustment": "rettifica",
            "floor": "soglia minima",
            "first": "primo punteggio",
        },
        "fact": {
            "game": "partita",
            "event": "torneo",
            "act": "atto",
            "list": "lista",
            "person": "persona",
            "round": "turno",
            "board": "scacchiera",
            "nth": "numero d'ordine",
            "first": "primo giocatore",
            "second": "secondo giocatore",
            "score": "punti",
            "other": "punti dell'avversario",
            "day": "giorno",
            "more": "altro",
            "voided": "annullato",
            "pool": "gruppo",
            "starts": "inizio",
            "ends": "fine",
            "rated": "valutato il",
            "rating": "punteggio",
            "games": "partite",
            "category": "categoria",
            "deviation": "deviazione",
            "rules": "regolamento",
            "settings": "impostazioni",
            "digest": "impronta",
            "base": "base",
            "merged": "unito a",
        },
        "field": {
            "name": "nome",
            "aliases": "altri nomi",
            "federation": "federazione",
            "identifiers": "numeri",
            "born": "nascita",
        },
        "level": {"public": "tutti", "members": "soci", "officers": "responsabili"},
    },
    "es": {
        "entry": {
            "open": "nueva lista",
            "people": "personas",
            "stage": "informe recibido",
            "refuse": "informe rechazado",
            "accept": "informe aceptado",
            "games": "partidas",
            "acts": "actos",
            "correct": "corrección",
            "base": "nueva base",
            "merge": "unión",
            "split": "separación",
            "visibility": "visibilidad",
            "erase": "borrado",
            "publish": "publicación",
        },
        "act": {
            "entry": "ingreso",
            "blend": "mezcla",
            "adjustment": "ajuste",
            "floor": "suelo",
            "first": "primera puntuación",
        },
        "fact": {
            "game": "partida",
            "event": "torneo",
            "act": "acto",
            "list": "lista",
            "person": "persona",
            "round": "ronda",
            "board": "tablero",
            "nth": "número de orden",
            "first": "primer jugador",
            "second": "segundo jugador",
            "score": "puntos",
            "other": "puntos del rival",
            "day": "día",
            "more": "otros datos",
            "voided": "anulado",
            "pool": "grupo",
            "starts": "inicio",
            "ends": "fin",
            "rated": "valorado el",
            "rating": "puntuación",
            "games": "partidas",
            "category": "categoría",
            "deviation": "desviación",
            "rules": "reglamento",
            "settings": "ajustes",
            "digest": "huella",
            "base": "base",
            "merged": "unido a",
        },
        "field": {
            "name": "nombre",
            "aliases": "otros nombres",
            "federation": "federación",
            "identifiers": "números",
            "born": "nacimiento",
        },
        "level": {"public": "todos", "members": "socios", "officers": "responsables"},
    },
}
#: Parts of facts that are days.
DAYS = ("day", "starts", "ends", "rated", "base")
#: How a day or a value of an entry is written.
Write: TypeAlias = Callable[[Any], str]
#: Parts of a game that are told as one, its result.
RESULT = frozenset({"score", "other"})
#: Of more than so many parts of an entry, the first ones are told.
MOST = 5


def term(group: str, name: str, language: str = "en") -> str:
    """What a word of the ledger is called in a language."""
    return TERMS[language].get(group, {}).get(name, name)


def words(entry: chain.Entry, language: str = "en", written: Write = str) -> str:
    """What an entry says, in a line; blank for a kind that has no more to say. `written` writes its days and values.

    Raises UnknownName for a language that is not there.
    """
    if language not in PHRASES:
        raise UnknownName("language", language, PHRASES)
    body, kind = entry.body, entry.kind

    def say(phrase: str, **values: object) -> str:
        return PHRASES[language][phrase].format(**values)

    if kind == "open":
        return say(kind, list=body["list"]["name"], rules=body["list"]["rules"])
    if kind == "people":
        return say(kind, count=len(body["people"]), first=min(body["people"]), last=max(body["people"]))
    if kind in ("stage", "refuse"):
        return say("report", report=body["report"])
    if kind == "accept":
        return say(kind, report=body["report"], events=", ".join(str(each[0]) for each in body["events"][:MOST]))
    if kind == "games":
        return say(kind, report=body["report"], count=len(body["columns"]["key"]), first=body["id"])
    if kind == "acts":
        return ", ".join(say("act", act=term("act", act[3], language), person=act[2]) for act in body["acts"][:MOST])
    if kind in ("merge", "split"):
        joined = ((number, now["merged"]) for _, number, _, now in body["changes"][:MOST])
        return "; ".join(say("merge" if into else "split", person=person, into=into) for person, into in joined)
    if kind == "visibility":
        whose = say("person", person=body["person"]) if body["person"] else say("everybody")
        levels = ((term("field", field, language), level) for field, level in body["levels"].items())
        shown = [
            say("level", field=field, level=term("level", level, language)) if level else say("usual", field=field)
            for field, level in levels
        ]
        return f"{whose}: {', '.join(shown)}"
    if kind == "erase":
        return say(kind, people=", ".join(map(str, body["people"])), reports=len(body["reports"]))
    if kind == "base":
        changes = _changed(language, written, *body["changes"][0])
        return say(kind, changes=changes, count=len(body["opening"]["players"]))
    if kind == "correct":
        said = "; ".join(_changed(language, written, *change) for change in body["changes"][:MOST])
        return say("reverts", entry=body["reverts"], changes=said) if body["reverts"] else said
    if kind == "publish":
        day = written(date.fromordinal(body["day"]))
        return say(kind, list=body["list"], day=day, digest=body["sha256"][:12])
    return ""


def _changed(
    language: str, written: Write, what: str, number: int, was: Mapping[str, Any], now: Mapping[str, Any]
) -> str:
    def shown(name: str, value: Any) -> str:
        return written(date.fromordinal(value) if name in DAYS and value else value)

    whole = now.keys() >= RESULT
    said = [PHRASES[language]["result"].format(was=_result(was), now=_result(now))] if whole else []
    for name in [each for each in now if not (whole and each in RESULT)]:
        if name == "voided":
            said.append(PHRASES[language]["voided" if now[name] else "counts"])
        else:
            said.append(f"{term('fact', name, language)} {shown(name, was[name])} → {shown(name, now[name])}")
    return f"{term('fact', what, language)} {number}: {', '.join(said)}"


def _result(fact: Mapping[str, Any]) -> str:
    """Both scores as they are written in a result: 1-0, 1/2-1/2."""
    both = (fact["score"], fact["other"])
    return "-".join("1/2" if each == 0.5 else "?" if each is None else f"{each:g}" for each in both)
