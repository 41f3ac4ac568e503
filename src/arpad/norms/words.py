"""A norm report in words, in English, Italian or Spanish."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from arpad.errors import UnknownName
from arpad.norms.facts import Condition, NormReport, Texts
from arpad.norms.needs import Need

PHRASES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "made": "{player}: norm for {title} made, counting for {counts} games",
        "not made": "{player}: no norm for {title}",
        "games": "{points} points of {games}, opponents {average}, {percentage} % is {difference}: "
        "performance {performance}",
        "few": "{points} points of {games}",
        "met": "met",
        "missing": "missing",
        "open": "not known",
        "least": "{have} (at least {need})",
        "most": "{have} (at most {need})",
        "unsure": "not certain",
        "counted": "counted:",
        "left out": "not counted:",
        "round": "round {round}",
        "rules": "rules of {edition}, {source}",
        "stopped": "{searched} sets of games were looked at, and there are more",
        "no way": "{player}: a norm for {title} can no longer be made",
        "ways": "{player}: what would make a norm for {title}",
        "points": "{points} in round {round}",
        "against": "against {opponent}",
        "rated": "opponents of {rating} or more",
        "any": "opponents of any rating",
        "titled": "who hold {title}",
        "untitled": "without a title",
        "abroad": "of a federation not met yet",
        "home": "of any federation",
    },
    "it": {
        "made": "{player}: norma di {title} realizzata, vale {counts} partite",
        "not made": "{player}: nessuna norma di {title}",
        "games": "{points} punti su {games}, avversari {average}, {percentage} % vale {difference}: "
        "prestazione {performance}",
        "few": "{points} punti su {games}",
        "met": "sì",
        "missing": "manca",
        "open": "non noto",
        "least": "{have} (almeno {need})",
        "most": "{have} (al massimo {need})",
        "unsure": "non certo",
        "counted": "contate:",
        "left out": "non contate:",
        "round": "turno {round}",
        "rules": "regole del {edition}, {source}",
        "stopped": "esaminati {searched} insiemi di partite, ce ne sono altri",
        "no way": "{player}: una norma di {title} non è più possibile",
        "ways": "{player}: che cosa darebbe una norma di {title}",
        "points": "{points} al turno {round}",
        "against": "contro {opponent}",
        "rated": "avversari da {rating} in su",
        "any": "avversari di qualsiasi punteggio",
        "titled": "con il titolo {title}",
        "untitled": "senza titolo",
        "abroad": "di una federazione non ancora incontrata",
        "home": "di qualsiasi federazione",
    },
    "es": {
        "made": "{player}: norma de {title} lograda, cuenta por {counts} partidas",
        "not made": "{player}: ninguna norma de {title}",
        "games": "{points} puntos de {games}, rivales {average}, {percentage} % son {difference}: "
        "rendimiento {performance}",
        "few": "{points} puntos de {games}",
        "met": "sí",
        "missing": "falta",
        "open": "no se sabe",
        "least": "{have} (al menos {need})",
        "most": "{have} (como máximo {need})",
        "unsure": "no seguro",
        "counted": "contadas:",
        "left out": "no contadas:",
        "round": "ronda {round}",
        "rules": "reglas del {edition}, {source}",
        "stopped": "se examinaron {searched} conjuntos de partidas, hay más",
        "no way": "{player}: una norma de {title} ya no es posible",
        "ways": "{player}: qué daría una norma de {title}",
        "points": "{points} en la ronda {round}",
        "against": "contra {opponent}",
        "rated": "rivales de {rating} o más",
        "any": "rivales de cualquier puntuación",
        "titled": "con el título {title}",
        "untitled": "sin título",
        "abroad": "de una federación aún no encontrada",
        "home": "de cualquier federación",
    },
}


def words(report: NormReport, language: str = "en") -> list[str]:
    """The lines of a norm report: the answer, every condition, every game. Raises UnknownName for the language."""
    return list(_report(report, _phrases(language), language))


def needs_words(player: str, title: str, needs: Sequence[Need], language: str = "en") -> list[str]:
    """The ways to a norm, a line each. Raises UnknownName for the language."""
    say = _phrases(language)
    lines = [say["ways" if needs else "no way"].format(player=player, title=title)]
    for need in needs:
        parts = [_result(say, number, opponent, points, language) for number, opponent, points in need.results]
        if any(not opponent for _, opponent, _ in need.results):
            rating = say["any"] if need.rating_from is None else say["rated"].format(rating=need.rating_from)
            held = say["titled"].format(title=need.title) if need.title else say["untitled"]
            parts.append(f"{rating} {held} {say['home' if need.own_federation else 'abroad']}")
        lines.append("  " + ", ".join(parts))
    return lines


def _phrases(language: str) -> Mapping[str, str]:
    if language not in PHRASES:
        raise UnknownName("language", language, PHRASES)
    return PHRASES[language]


def _result(say: Mapping[str, str], number: int, opponent: str, points: float, language: str) -> str:
    text = say["points"].format(points=_number(points, language), round=number)
    return f"{text} {say['against'].format(opponent=opponent)}" if opponent else text


def _report(report: NormReport, say: Mapping[str, str], language: str) -> Iterator[str]:
    answer = "made" if report.achieved else "not made"
    yield say[answer].format(player=report.applicant, title=report.title, counts=report.counts)
    about = {"points": _number(report.points, language), "games": report.games}
    if report.performance is None:
        yield "  " + say["few"].format(**about)
    else:
        about |= {"average": report.average or 0, "percentage": report.percentage or 0}
        yield "  " + say["games"].format(**about, difference=f"{report.difference:+d}", performance=report.performance)
    for note in report.notes:
        yield "  " + _text(note, language)
    for condition in report.conditions:
        yield "  " + _condition(condition, say, language)
    if report.counted:
        yield "  " + say["counted"]
    for game in report.counted:
        raised = f" {_text(game.text, language)} {game.counted}" if game.text else ""
        who = " ".join(filter(None, (game.title, game.opponent, game.federation)))
        round_ = say["round"].format(round=game.round)
        yield f"    {round_}: {who} {game.rating or '-'}, {_number(game.score, language)}{raised and ';' + raised}"
    if report.left_out:
        yield "  " + say["left out"]
    for left in report.left_out:
        round_ = say["round"].format(round=left.round)
        yield f"    {round_}: {left.opponent or left.kind}, {_text(left.text, language)} [{left.article}]"
    if not report.complete:
        yield "  " + say["stopped"].format(searched=report.searched)
    yield "  " + say["rules"].format(edition=report.edition, source=report.source)


def _condition(condition: Condition, say: Mapping[str, str], language: str) -> str:
    mark = say["open" if condition.met is None else "met" if condition.met else "missing"]
    numbers = ""
    if condition.bound != "yes" and condition.need is not None:
        have = "?" if condition.have is None else _number(condition.have, language)
        numbers = ": " + say[condition.bound].format(have=have, need=_number(condition.need, language))
    detail = f" ({condition.detail})" if condition.detail else ""
    article = f" [{condition.article}]" if condition.article else ""
    unsure = f" ({say['unsure']})" if condition.status == "unsure" else ""
    return f"{mark:<9} {_text(condition.text, language)}{numbers}{detail}{article}{unsure}"


def _text(texts: Texts, language: str) -> str:
    return texts.get(language) or texts.get("en", "")


def _number(value: float, language: str) -> str:
    text = f"{value:g}"
    return text if language == "en" else text.replace(".", ",")
