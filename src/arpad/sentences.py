"""Explanations in words: a sentence that names the cause, then the working, in English, Italian or Spanish.

Clause paraphrases come from the rulebook in the same language; English stands in where a rulebook has no other.

Over 400 lines because every phrase stands in three languages, side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from importlib import import_module

from arpad.errors import UnknownName
from arpad.newcomers import FirstRating
from arpad.rulebooks.book import BEGINNING
from arpad.rulebooks.clause import Clause
from arpad.stretch import NORMAL_95
from arpad.told import STEPS, WORKINGS, ChangeExplained, Spread
from arpad.working import GameWorking

PHRASES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "gained": "{player} gained {change}: scored {score} where {expected} was expected.",
        "lost": "{player} lost {change}: scored {score} where {expected} was expected.",
        "won_but_lost": "{player} scored {score} and still lost {change}: against such opponents {expected} was expected.",
        "same": "{player} is unchanged: scored {score} where {expected} was expected.",
        "moved": "{player} goes from {before} to {after}: scored {score} of {count}.",
        "arrived": "{player} is rated now, at {after}: scored {score} of {count}.",
        "not_rated": "{player}: nothing was rated.",
        "delisted": "{player} is no longer listed: the rating fell below the lowest one.",
        "entry": "{player} enters with {after}.",
        "newcomer": "{player} is new and starts at {after}.",
        "blend": "{player}: another body's rating is mixed in, {before} becomes {after}.",
        "floor": "{player} has a floor of {floor} from now on: {before} becomes {after}.",
        "adjustment": "{player}: the rating is adjusted, {before} becomes {after}.",
        "nothing": "{player}: an act of this day changed nothing.",
        "first": "{player} gets a first rating of {after}.",
        "waiting": "{player} is still unrated: {count} game(s) against rated players so far.",
        "below": "{player} is still unrated: the first rating would be {rating}, below the lowest one.",
        "first_working": "{count} game(s), {score} points; mean opponent {mean}, {percentage} % is worth {difference}: {rating}",
        "pooled": "{day} {opponent} {rating}: {score}",
        "ignored": "{day} {opponent} {rating}: {score}, not counted",
        "idle": "{player} has not played for long, which takes {before} to {after}.",
        "season": "{player}: a new season pulls {before} towards the mean, to {after}.",
        "uplift": "{player}: a revaluation of everybody takes {before} to {after}.",
        "edition": "rules: {body}, edition from {edition}",
        "only_edition": "rules: {body}, edition from the beginning",
        "none": "{player}: nothing has changed this rating.",
        "reason": "reason: {reason}",
        "game": "{opponent} {opponent_rating}: difference {difference}, expected {expected}, scored {score}, {gain}",
        "met": "{opponent} {opponent_rating}: scored {score}",
        "worth": "{opponent} {opponent_rating}: scored {score}, counts as {worth}",
        "capped": "difference {difference} counted as {counted}",
        "factors": "times {factors}",
        "sum_rounded": "what was expected in all is rounded, which brings {upgrade}",
        "rise": "bonus: {rise}",
        "upgrade": "one game of the event is counted at the limit in the player's favour: {upgrade}",
        "played": "bonus for the games played: {bonus}",
        "pull": "drawn towards the mean opponent by {pull}",
        "unrated_game": "{opponent}: not rated, {note}",
        "sum": "score {score} - expected {expected}; sum {gain} x K {k} = {exact}",
        "applied": "{before} -> {after}",
        "unsure": "not certain",
        "margin": "margin",
        "importance": "importance",
        "surprise": "surprise",
        "length": "length of the match (root)",
        "bonus": "bonus for winning: {bonus}",
        "surprising": "the batch as a whole was surprising: its sum counts {factor} times",
        "game_factor": "factor of the game",
        "uncertainty": "uncertainty of the opponent",
        "grown": "the rating deviation had grown from {before} to {after} since the last games",
        "deviation": "rating deviation {before} -> {after}: the rating lies between {low} and {high} with 95 % confidence",
        "volatility": "volatility {before} -> {after}",
        "the player is unrated": "the player is unrated",
        "the opponent is unrated": "the opponent is unrated",
        "left out by the rules": "left out by the rules",
    },
    "it": {
        "gained": "{player} guadagna {change}: {score} punti contro {expected} attesi.",
        "lost": "{player} perde {change}: {score} punti contro {expected} attesi.",
        "won_but_lost": "{player} fa {score} punti e perde comunque {change}: contro tali avversari se ne attendevano {expected}.",
        "same": "{player} resta dov'era: {score} punti contro {expected} attesi.",
        "moved": "{player} passa da {before} a {after}: ha fatto {score} su {count}.",
        "arrived": "{player} ha ora un punteggio, {after}: ha fatto {score} su {count}.",
        "not_rated": "{player}: nessuna partita valida per la lista.",
        "delisted": "{player} esce dalla lista: il punteggio è sceso sotto il minimo.",
        "entry": "{player} entra con {after}.",
        "newcomer": "{player} esordisce e parte da {after}.",
        "blend": "{player}: si fonde il punteggio di un altro ente, {before} diventa {after}.",
        "floor": "{player} ha d'ora in poi un minimo di {floor}: {before} diventa {after}.",
        "adjustment": "{player}: il punteggio è corretto, {before} diventa {after}.",
        "nothing": "{player}: un atto di questo giorno non ha cambiato nulla.",
        "first": "{player} riceve il primo punteggio: {after}.",
        "waiting": "{player} è ancora senza punteggio: finora {count} partite con giocatori classificati.",
        "below": "{player} è ancora senza punteggio: il primo sarebbe {rating}, sotto il minimo.",
        "first_working": "{count} partite, {score} punti; media avversari {mean}, il {percentage} % vale {difference}: {rating}",
        "pooled": "{day} {opponent} {rating}: {score}",
        "ignored": "{day} {opponent} {rating}: {score}, non conta",
        "idle": "{player} non gioca da tempo: {before} scende a {after}.",
        "season": "{player}: la nuova stagione avvicina {before} alla media, a {after}.",
        "uplift": "{player}: una rivalutazione generale porta {before} a {after}.",
        "edition": "regole: {body}, edizione dal {edition}",
        "only_edition": "regole: {body}, edizione in vigore dall'inizio",
        "none": "{player}: nulla ha cambiato questo punteggio.",
        "reason": "motivo: {reason}",
        "game": "{opponent} {opponent_rating}: differenza {difference}, atteso {expected}, fatto {score}, {gain}",
        "met": "{opponent} {opponent_rating}: fatto {score}",
        "worth": "{opponent} {opponent_rating}: fatto {score}, vale {worth}",
        "capped": "differenza {difference} contata come {counted}",
        "factors": "per {factors}",
        "sum_rounded": "l'atteso totale si arrotonda, il che porta {upgrade}",
        "rise": "premio: {rise}",
        "upgrade": "una partita del torneo è contata al limite a favore del giocatore: {upgrade}",
        "played": "premio per le partite giocate: {bonus}",
        "pull": "avvicinato alla media degli avversari di {pull}",
        "unrated_game": "{opponent}: non valida, {note}",
        "sum": "punti {score} - attesi {expected}; somma {gain} x K {k} = {exact}",
        "applied": "{before} -> {after}",
        "unsure": "non certo",
        "margin": "scarto",
        "importance": "importanza",
        "length": "lunghezza della partita (radice)",
        "bonus": "premio per la vittoria: {bonus}",
        "surprising": "il periodo nel suo insieme è stato sorprendente: la somma conta {factor} volte",
        "surprise": "sorpresa",
        "game_factor": "fattore della partita",
        "uncertainty": "incertezza dell'avversario",
        "grown": "la deviazione del punteggio era cresciuta da {before} a {after} dopo le ultime partite",
        "deviation": "deviazione del punteggio {before} -> {after}: il punteggio sta fra {low} e {high} con il 95 % di fiducia",
        "volatility": "volatilità {before} -> {after}",
        "the player is unrated": "il giocatore è senza punteggio",
        "the opponent is unrated": "l'avversario è senza punteggio",
        "left out by the rules": "esclusa dalle regole",
    },
    "es": {
        "gained": "{player} gana {change}: hizo {score} y se esperaban {expected}.",
        "lost": "{player} pierde {change}: hizo {score} y se esperaban {expected}.",
        "won_but_lost": "{player} hizo {score} y aun así pierde {change}: contra tales rivales se esperaban {expected}.",
        "same": "{player} queda igual: hizo {score} y se esperaban {expected}.",
        "moved": "{player} pasa de {before} a {after}: hizo {score} de {count}.",
        "arrived": "{player} tiene ahora puntuación, {after}: hizo {score} de {count}.",
        "not_rated": "{player}: ninguna partida valedera.",
        "delisted": "{player} sale de la lista: la puntuación bajó del mínimo.",
        "entry": "{player} entra con {after}.",
        "newcomer": "{player} debuta y parte de {after}.",
        "blend": "{player}: se mezcla la puntuación de otra entidad, {before} pasa a {after}.",
        "floor": "{player} tiene desde ahora un mínimo de {floor}: {before} pasa a {after}.",
        "adjustment": "{player}: la puntuación se corrige, {before} pasa a {after}.",
        "nothing": "{player}: un acto de este día no cambió nada.",
        "first": "{player} recibe su primera puntuación: {after}.",
        "waiting": "{player} sigue sin puntuación: hasta ahora {count} partidas contra jugadores con puntuación.",
        "below": "{player} sigue sin puntuación: la primera sería {rating}, por debajo del mínimo.",
        "first_working": "{count} partidas, {score} puntos; media de rivales {mean}, el {percentage} % vale {difference}: {rating}",
        "pooled": "{day} {opponent} {rating}: {score}",
        "ignored": "{day} {opponent} {rating}: {score}, no cuenta",
        "idle": "{player} lleva tiempo sin jugar: {before} baja a {after}.",
        "season": "{player}: la nueva temporada acerca {before} a la media, a {after}.",
        "uplift": "{player}: una revaluación general lleva {before} a {after}.",
        "edition": "reglas: {body}, edición desde {edition}",
        "only_edition": "reglas: {body}, edición en vigor desde el principio",
        "none": "{player}: nada ha cambiado esta puntuación.",
        "reason": "motivo: {reason}",
        "game": "{opponent} {opponent_rating}: diferencia {difference}, esperado {expected}, hecho {score}, {gain}",
        "met": "{opponent} {opponent_rating}: hecho {score}",
        "worth": "{opponent} {opponent_rating}: hecho {score}, vale {worth}",
        "capped": "diferencia {difference} contada como {counted}",
        "factors": "por {factors}",
        "sum_rounded": "lo esperado en total se redondea, lo que aporta {upgrade}",
        "rise": "premio: {rise}",
        "upgrade": "una partida del torneo se cuenta en el límite a favor del jugador: {upgrade}",
        "played": "prima por las partidas jugadas: {bonus}",
        "pull": "acercado a la media de los rivales en {pull}",
        "unrated_game": "{opponent}: no valedera, {note}",
        "sum": "puntos {score} - esperados {expected}; suma {gain} x K {k} = {exact}",
        "applied": "{before} -> {after}",
        "unsure": "no seguro",
        "margin": "diferencia de tantos",
        "importance": "importancia",
        "length": "longitud de la partida (raíz)",
        "bonus": "premio por la victoria: {bonus}",
        "surprising": "el período en su conjunto fue sorprendente: la suma cuenta {factor} veces",
        "surprise": "sorpresa",
        "game_factor": "factor de la partida",
        "uncertainty": "incertidumbre del rival",
        "grown": "la desviación de la puntuación había crecido de {before} a {after} desde las últimas partidas",
        "deviation": "desviación de la puntuación {before} -> {after}: la puntuación está entre {low} y {high} con un 95 % de confianza",
        "volatility": "volatilidad {before} -> {after}",
        "the player is unrated": "el jugador no tiene puntuación",
        "the opponent is unrated": "el rival no tiene puntuación",
        "left out by the rules": "excluida por las reglas",
    },
}


def words(
    explained: Sequence[ChangeExplained], language: str = "en", names: Mapping[str, str] | None = None
) -> list[str]:
    """The lines that explain changes; `names` are those of players whom the games know by an id.

    Raises UnknownName for a language that is not there.
    """
    if language not in PHRASES:
        raise UnknownName("language", language, PHRASES)
    return [line for change in explained for line in _Teller(change, language, names or {}).lines()]


def nothing(player: str, language: str = "en") -> str:
    """What is said of a player whom nothing has happened to."""
    return PHRASES[language]["none"].format(player=player)


class _Teller:
    """Says one change in one language."""

    def __init__(self, change: ChangeExplained, language: str, names: Mapping[str, str]) -> None:
        self.change = change
        self.names = names
        self.language = language
        self.cited: set[tuple[str, str]] = set()

    def called(self, player: str) -> str:
        return self.names.get(player, player)

    def say(self, phrase: str, **values: object) -> str:
        return PHRASES[self.language][phrase].format(**values)

    def number(self, value: float | None, places: int = 2, signed: bool = False) -> str:
        """A number as the language writes it; no more decimals than it has."""
        if value is None:
            return "-"
        text = f"{value:{'+' if signed else ''}.{places}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        text = "0" if text in ("-0", "+0", "") else text
        return text if self.language == "en" else text.replace(".", ",")

    def lines(self) -> Iterator[str]:
        change = self.change
        when = f"{change.day}  " if isinstance(change.day, date) else ""
        yield f"{when}{self.headline()}"
        if change.first is not None:
            yield from self.first(change.first)
            yield from self.clauses(change.clauses, "    ")
        elif change.steps is not None:
            for game in change.games:
                if game.note:
                    yield from self.game(game)
            for line in import_module(STEPS[change.system]).lines(change.steps, self):
                if isinstance(line, Clause):
                    yield from self.clauses([line], "      ")
                else:
                    yield f"    {line}"
        elif change.kind == "games":
            several = len(change.games) > 1
            for game in change.games:
                yield from self.game(game)
            if change.upgrade:
                phrase = "sum_rounded" if change.rounds else "upgrade"
                yield "    " + self.say(phrase, upgrade=self.number(change.upgrade, 4, signed=True))
            if change.surprise != 1.0:
                yield "    " + self.say("surprising", factor=self.number(change.surprise, 4))
            if change.working is not None:
                told = import_module(WORKINGS[change.system]).words
                yield from ("    " + line for line in told(change, self.language, self.number))
            elif change.k is not None:
                yield "    " + self.say(
                    "sum",
                    score=self.number(change.score),
                    expected=self.number(change.expected, 4),
                    gain=self.number(change.gain, 4, signed=True),
                    k=self.number(change.k, 4),
                    exact=self.number((change.exact or 0.0) - change.pull - change.bonus, 4, signed=True),
                )
            if change.bonus - change.played:
                yield "    " + self.say("bonus", bonus=self.number(change.bonus - change.played, 4, signed=True))
            if change.played:
                yield "    " + self.say("played", bonus=self.number(change.played, 4, signed=True))
            if change.pull:
                yield "    " + self.say("pull", pull=self.number(change.pull, 4, signed=True))
            if change.rise:
                yield "    " + self.say("rise", rise=self.number(change.rise, 4, signed=True))
            if change.spread is not None:
                yield from self.spread(change.spread, change.after or 0.0)
            yield from self.clauses(change.clauses, "    ")
            if change.after is not None and (several or change.gain is not None or change.working is not None):
                yield "    " + self.say(
                    "applied", before=self.number(change.before, 4), after=self.number(change.after, 4)
                )
        else:
            if change.reason:
                yield "    " + self.say("reason", reason=change.reason)
            yield from self.clauses(change.clauses, "    ")
        edition = "only_edition" if change.edition == BEGINNING else "edition"
        yield "    " + self.say(edition, body=change.body, edition=change.edition)

    def headline(self) -> str:
        change = self.change
        if change.steps is not None:
            said: str = import_module(STEPS[change.system]).headline(change.steps, self)
            return said
        about = {
            "player": self.called(change.player),
            "before": self.number(change.before),
            "after": self.number(change.after),
            "score": self.number(change.score),
            "expected": self.number(change.expected),
        }
        if change.first is not None:
            about["count"], about["rating"] = str(len(change.first.games)), self.number(change.first.rating)
            kind = "first" if change.first.listed else "waiting" if change.first.rating is None else "below"
            return self.say(kind, **about)
        if change.kind != "games":
            if change.kind == "floor" and change.exact is not None:
                return self.say("floor", floor=self.number(change.exact), **about)
            unchanged = change.kind not in ("entry", "newcomer") and change.before == change.after
            return self.say("nothing" if unchanged else change.kind, **about)
        moved = change.change
        if change.gain is None and change.working is None:
            return self.say("not_rated", **about)
        played = sum(not game.note for game in change.games)
        about["count"] = str(played)
        if moved is None:
            return self.say("delisted" if change.after is None else "arrived", **about)
        if change.expected is None:
            return self.say("moved", **about)
        about["change"] = self.number(abs(moved))
        if moved < 0:
            return self.say("won_but_lost" if change.score * 2 > played else "lost", **about)
        return self.say("gained" if moved > 0 else "same", **about)

    def first(self, first: FirstRating) -> Iterator[str]:
        """The games of a first rating, those left out, and what they are worth."""
        for phrase, games in (("pooled", first.games), ("ignored", first.ignored)):
            for game in games:
                rating, score = self.number(game.rating), self.number(game.score)
                day = date.fromordinal(game.day)
                yield "  - " + self.say(
                    phrase, day=day, opponent=self.called(game.opponent), rating=rating, score=score
                )
        if first.rating is not None:
            yield "    " + self.say(
                "first_working",
                count=len(first.games),
                score=self.number(first.score),
                mean=self.number(first.mean),
                percentage=first.percentage,
                difference=self.number(first.difference, signed=True),
                rating=self.number(first.rating),
            )

    def spread(self, spread: Spread, rating: float) -> Iterator[str]:
        """How certain the rating was and is."""
        if spread.stored is not None and spread.met > spread.stored + 1e-9:
            yield "    " + self.say("grown", before=self.number(spread.stored), after=self.number(spread.met))
        yield "    " + self.say(
            "deviation",
            before=self.number(spread.met),
            after=self.number(spread.after),
            low=self.number(rating - NORMAL_95 * spread.after, 0 if spread.after >= 10 else 2),
            high=self.number(rating + NORMAL_95 * spread.after, 0 if spread.after >= 10 else 2),
        )
        if spread.volatility_after == spread.volatility_after and spread.volatility_after:
            yield "    " + self.say(
                "volatility",
                before=self.number(spread.volatility_before, 7),
                after=self.number(spread.volatility_after, 7),
            )

    def game(self, game: GameWorking) -> Iterator[str]:
        if game.note:
            yield "  - " + self.say("unrated_game", opponent=self.called(game.opponent), note=self.say(game.note))
            yield from self.clauses(game.clauses, "      ")
            return
        if game.expected is None:
            yield "  - " + self.say(
                "met" if game.worth is None else "worth",
                opponent=self.called(game.opponent),
                opponent_rating=self.rated(game),
                score=self.number(game.score),
                worth=self.number(game.worth),
            )
            return
        yield "  - " + self.say(
            "game",
            opponent=self.called(game.opponent),
            opponent_rating=self.rated(game),
            difference=self.number(game.difference, signed=True),
            expected=self.number(game.expected, 4),
            score=self.number(game.score),
            gain=self.number(game.gain, 4, signed=True),
        )
        if game.counted != game.difference:
            yield "      " + self.say(
                "capped", difference=self.number(game.difference), counted=self.number(game.counted, signed=True)
            )
        if game.bonus:
            yield "      " + self.say("bonus", bonus=self.number(game.bonus, 4, signed=True))
        if game.factors:
            factors = ", ".join(f"{self.say(name)} {self.number(value, 4)}" for name, value in game.factors)
            yield "      " + self.say("factors", factors=factors)
        yield from self.clauses(game.clauses, "      ")

    def rated(self, game: GameWorking) -> str:
        """An opponent's rating, with its deviation behind a stroke where there is one."""
        uncertain = "" if game.opponent_deviation is None else f"/{self.number(game.opponent_deviation)}"
        return self.number(game.opponent_rating) + uncertain

    def clauses(self, clauses: Sequence[Clause], margin: str) -> Iterator[str]:
        """Each clause once a change: its article, the rule in words, and whether it is certain."""
        for clause in clauses:
            text = clause.text.get(self.language) or clause.text.get("en", "")
            name = clause.article or clause.source
            if (name, text) in self.cited or not (name or text):
                continue
            self.cited.add((name, text))
            unsure = f" ({self.say('unsure')})" if clause.status == "unsure" else ""
            yield f"{margin}[{name}] {text}{unsure}" if clause.article else f"{margin}{text} [{name}]{unsure}"
