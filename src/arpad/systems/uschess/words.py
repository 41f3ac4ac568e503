"""How an event changed a rating, step by step in English, Italian or Spanish, with the clauses behind each step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from arpad.rulebooks.clause import Clause
from arpad.rulebooks.schema import Edition
from arpad.rulebooks.schema_uschess import Conversion
from arpad.systems.uschess.formulas import most_effective
from arpad.systems.uschess.players import Meeting, Working

PHRASES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "first": "{player} is rated now, at {after}: {score} out of {met} in the event.",
        "gained": "{player} gained {change}: {score} out of {met} in the event.",
        "lost": "{player} lost {change}: {score} out of {met} in the event.",
        "same": "{player} is unchanged: {score} out of {met} in the event.",
        "step 1": "step 1: before the event {before}, based on {games} game(s)",
        "age": "step 1: unrated on this list; begins with {before} by age ({age} years on the event's last day), based on no game",
        "unknown age": "step 1: unrated on this list, age not known; begins with {before}, based on no game",
        "elsewhere": "step 1: unrated on this list; begins with {before}, based on {games} game(s), from {sources}",
        "source": "{name} {given} (counts as {rating})",
        "step 2": "step 2: such a rating counts as {most} games at most; N' = {effective}",
        "step 3": "step 3: first estimate {first}, as if {before} counted as one game; it is used only for the opponents' step 4",
        "step 4": "step 4: intermediate rating {interim}, against {opponents}; it is what step 5 of the opponents uses",
        "results": "results: {results}",
        "step 5": "step 5: again from {before}, against {opponents}",
        "match": "a match of two players: only one step, against {opponents}",
        "special": "special formula ({why}): the rating at which the straight-line expectancy adds up to the score: {score} out of {met}{prior}",
        "games": "based on few games",
        "won": "all games before were won",
        "lost all": "all games before were lost",
        "prior": ", with {games} game(s) against {rating} scored {points}",
        "expected": "expected score E = {terms} = {expected}",
        "k": "K = {scale} / (N' + m) = {scale} / ({effective} + {met}) = {k}",
        "half k": "half-K event: K = {scale} / ({weight}N' + m) = {k}",
        "share": "the event counts in two lists, and {before} is above {above}: K is multiplied by {share}",
        "base": "K x (S - E) = {k} x ({score} - {expected}) = {base}",
        "bonus": "bonus: {base} is above {threshold} x sqrt({root}) = {limit}; the excess, {bonus}, is added",
        "no bonus": "no bonus: {base} is not above {threshold} x sqrt({root}) = {limit}",
        "bonus games": "no bonus: it takes three games",
        "bonus meetings": "no bonus: an opponent was met more often than it allows",
        "bonus match": "no bonus in a match",
        "raw": "result {raw}",
        "cap match": "limit of a match: {before} -> {capped}",
        "cap net": "limit of the net gain or loss from matches: {before} -> {capped}",
        "cap short": "limit of the net gain or loss from matches in a short time: {before} -> {capped}",
        "floor": "the floor of {floor} holds ({kind})",
        "asked": "the match takes {player} to the floor of {floor} or below: this counts as asking for one {lowering} points lower, which the office decides",
        "absolute": "absolute floor",
        "peak": "by the highest established rating",
        "life master": "Original Life Master",
        "office": "given by the office",
        "after": "after the event {after}, based on {games} game(s)",
    },
    "it": {
        "first": "{player} ha ora un punteggio, {after}: {score} su {met} nel torneo.",
        "gained": "{player} guadagna {change}: {score} su {met} nel torneo.",
        "lost": "{player} perde {change}: {score} su {met} nel torneo.",
        "same": "{player} resta uguale: {score} su {met} nel torneo.",
        "step 1": "passo 1: prima del torneo {before}, basato su {games} partita/e",
        "age": "passo 1: senza punteggio in questa lista; parte da {before} per l'età ({age} anni l'ultimo giorno del torneo), basato su nessuna partita",
        "unknown age": "passo 1: senza punteggio in questa lista, età non nota; parte da {before}, basato su nessuna partita",
        "elsewhere": "passo 1: senza punteggio in questa lista; parte da {before}, basato su {games} partita/e, da {sources}",
        "source": "{name} {given} (vale {rating})",
        "step 2": "passo 2: un tale punteggio conta al più {most} partite; N' = {effective}",
        "step 3": "passo 3: prima stima {first}, come se {before} contasse una partita; serve solo al passo 4 degli avversari",
        "step 4": "passo 4: punteggio intermedio {interim}, contro {opponents}; è quello che usa il passo 5 degli avversari",
        "results": "risultati: {results}",
        "step 5": "passo 5: di nuovo da {before}, contro {opponents}",
        "match": "un match a due: un solo passo, contro {opponents}",
        "special": "formula speciale ({why}): il punteggio la cui attesa lineare dà i punti fatti: {score} su {met}{prior}",
        "games": "basato su poche partite",
        "won": "tutte le partite prima erano vinte",
        "lost all": "tutte le partite prima erano perse",
        "prior": ", con {games} partita/e contro {rating} e {points} punti",
        "expected": "punteggio atteso E = {terms} = {expected}",
        "k": "K = {scale} / (N' + m) = {scale} / ({effective} + {met}) = {k}",
        "half k": "torneo a mezzo K: K = {scale} / ({weight}N' + m) = {k}",
        "share": "il torneo conta in due liste, e {before} è sopra {above}: K si moltiplica per {share}",
        "base": "K x (S - E) = {k} x ({score} - {expected}) = {base}",
        "bonus": "bonus: {base} supera {threshold} x radice di {root} = {limit}; l'eccesso, {bonus}, si aggiunge",
        "no bonus": "nessun bonus: {base} non supera {threshold} x radice di {root} = {limit}",
        "bonus games": "nessun bonus: servono tre partite",
        "bonus meetings": "nessun bonus: un avversario è stato incontrato più spesso di quanto ammesso",
        "bonus match": "nessun bonus in un match",
        "raw": "risultato {raw}",
        "cap match": "limite di un match: {before} -> {capped}",
        "cap net": "limite del guadagno o della perdita netta dai match: {before} -> {capped}",
        "cap short": "limite del guadagno o della perdita netta dai match in breve tempo: {before} -> {capped}",
        "floor": "vale il minimo di {floor} ({kind})",
        "asked": "il match porta {player} al minimo di {floor} o sotto: vale come richiesta di uno più basso di {lowering} punti, che l'ufficio decide",
        "absolute": "minimo assoluto",
        "peak": "per il massimo punteggio consolidato",
        "life master": "Original Life Master",
        "office": "dato dall'ufficio",
        "after": "dopo il torneo {after}, basato su {games} partita/e",
    },
    "es": {
        "first": "{player} tiene ahora puntuación, {after}: {score} de {met} en el torneo.",
        "gained": "{player} gana {change}: {score} de {met} en el torneo.",
        "lost": "{player} pierde {change}: {score} de {met} en el torneo.",
        "same": "{player} queda igual: {score} de {met} en el torneo.",
        "step 1": "paso 1: antes del torneo {before}, basada en {games} partida(s)",
        "age": "paso 1: sin puntuación en esta lista; parte de {before} por la edad ({age} años el último día del torneo), basada en ninguna partida",
        "unknown age": "paso 1: sin puntuación en esta lista, edad desconocida; parte de {before}, basada en ninguna partida",
        "elsewhere": "paso 1: sin puntuación en esta lista; parte de {before}, basada en {games} partida(s), de {sources}",
        "source": "{name} {given} (vale {rating})",
        "step 2": "paso 2: tal puntuación cuenta como {most} partidas a lo sumo; N' = {effective}",
        "step 3": "paso 3: primera estimación {first}, como si {before} contara una partida; sirve sólo para el paso 4 de los rivales",
        "step 4": "paso 4: puntuación intermedia {interim}, contra {opponents}; es la que usa el paso 5 de los rivales",
        "results": "resultados: {results}",
        "step 5": "paso 5: otra vez desde {before}, contra {opponents}",
        "match": "un match de dos jugadores: un solo paso, contra {opponents}",
        "special": "fórmula especial ({why}): la puntuación cuya expectativa lineal suma los puntos logrados: {score} de {met}{prior}",
        "games": "basada en pocas partidas",
        "won": "todas las partidas anteriores fueron ganadas",
        "lost all": "todas las partidas anteriores fueron perdidas",
        "prior": ", con {games} partida(s) contra {rating} y {points} puntos",
        "expected": "puntuación esperada E = {terms} = {expected}",
        "k": "K = {scale} / (N' + m) = {scale} / ({effective} + {met}) = {k}",
        "half k": "torneo de medio K: K = {scale} / ({weight}N' + m) = {k}",
        "share": "el torneo cuenta en dos listas, y {before} está por encima de {above}: K se multiplica por {share}",
        "base": "K x (S - E) = {k} x ({score} - {expected}) = {base}",
        "bonus": "bonificación: {base} supera {threshold} x raíz de {root} = {limit}; el exceso, {bonus}, se suma",
        "no bonus": "sin bonificación: {base} no supera {threshold} x raíz de {root} = {limit}",
        "bonus games": "sin bonificación: hacen falta tres partidas",
        "bonus meetings": "sin bonificación: un rival se enfrentó más veces de las que admite",
        "bonus match": "sin bonificación en un match",
        "raw": "resultado {raw}",
        "cap match": "límite de un match: {before} -> {capped}",
        "cap net": "límite de la ganancia o pérdida neta de matches: {before} -> {capped}",
        "cap short": "límite de la ganancia o pérdida neta de matches en poco tiempo: {before} -> {capped}",
        "floor": "rige el mínimo de {floor} ({kind})",
        "asked": "el match lleva a {player} al mínimo de {floor} o por debajo: cuenta como petición de uno {lowering} puntos más bajo, que decide la oficina",
        "absolute": "mínimo absoluto",
        "peak": "por la máxima puntuación consolidada",
        "life master": "Original Life Master",
        "office": "dado por la oficina",
        "after": "después del torneo {after}, basada en {games} partida(s)",
    },
}

#: How bodies and lists are written.
NAMES: Mapping[str, str] = {"fide": "FIDE", "cfc": "CFC"}


#: A game as explanations hold it (`working.GameWorking`), which this module does not know.
Game = TypeVar("Game", bound=Any)


class Told(msgspec.Struct, frozen=True):
    """A working, and the clauses that it rests on by name (`fide`, `cfc`: the row that was taken)."""

    working: Working
    clauses: dict[str, Clause]
    most_effective: float


class Tongue(Protocol):
    """Who says it: in which language, how numbers are written and players called."""

    language: str

    def number(self, value: float | None, places: int = 2, signed: bool = False) -> str: ...
    def called(self, player: str) -> str: ...


def told(working: Working, edition: Edition) -> Told:
    """A working with the clauses of the edition that it rests on, in the order of the steps."""
    clauses: dict[str, Clause | None] = {}
    if working.begins is not None:
        for source in working.begins.sources:
            rows = {"fide": edition.fide, "cfc": edition.cfc}.get(source.name, [])
            clauses[source.name] = _row(rows, source.given)
        clauses["newcomers"] = edition.newcomers
    clauses["effective"] = edition.effective
    if working.formula == "special":
        clauses["special"] = edition.special
    else:
        clauses["curve"] = edition.curve
        clauses["standard"] = edition.standard
        clauses["half_k"] = edition.half_k if working.half else None
        clauses["low_k"] = edition.low_k if working.share != 1.0 else None
        clauses["bonus"] = edition.bonus if not working.match else None
    clauses["match"] = edition.match if working.match else None
    clauses["storage"] = edition.storage if edition.storage and edition.storage.whole else None
    if working.floored or working.asked:
        kinds = {"absolute": edition.absolute_floor, "peak": edition.peak_floor, "life master": edition.life_master}
        clauses["floor"] = kinds.get(working.floor.kind)
    most = most_effective(working.before, edition.effective) if edition.effective else working.games
    return Told(working, {name: clause for name, clause in clauses.items() if clause is not None}, most)


def games(games: Sequence[Game], working: Working, edition: Edition) -> tuple[Game, ...]:
    """Games of an event as the last step saw them: the opponents' intermediate ratings, the own one before."""
    meetings = iter(working.meetings)
    clauses = (edition.curve,) if working.formula == "standard" else (edition.special,) if edition.special else ()
    return tuple(game if game.note else _met(game, next(meetings), working.before, clauses) for game in games)


def _met(game: Game, meeting: Meeting, before: float, clauses: tuple[Clause, ...]) -> Game:
    difference = before - meeting.interim
    return msgspec.structs.replace(
        game,
        own=before,
        opponent_rating=meeting.interim,
        difference=difference,
        counted=difference,
        expected=meeting.expected,
        gain=meeting.score - meeting.expected,
        clauses=clauses,
    )


def _row(rows: list[Conversion], given: float) -> Clause | None:
    return next((row for row in rows if given > row.above), None)


def headline(this: Told, tongue: Tongue) -> str:
    """The sentence that names the change and its cause."""
    working = this.working
    change = working.after - working.before
    kind = "gained" if change > 0 else "lost" if change < 0 else "same"
    if working.begins is not None:
        kind = "first"
    return PHRASES[tongue.language][kind].format(
        player=tongue.called(working.code),
        change=tongue.number(abs(change)),
        after=tongue.number(working.after),
        score=tongue.number(working.score),
        met=len(working.meetings),
    )


def lines(this: Told, tongue: Tongue) -> Iterator[str | Clause]:
    """The steps as lines; a clause stands behind the line that it gives its number to."""
    teller = _Steps(this, tongue)
    yield from teller.beginning()
    yield from teller.passes()
    yield from teller.formula()
    yield from teller.end()


class _Steps:
    def __init__(self, this: Told, tongue: Tongue) -> None:
        self.working = this.working
        self.clauses = this.clauses
        self.most = this.most_effective
        self.tongue = tongue

    def say(self, phrase: str, **values: object) -> str:
        return PHRASES[self.tongue.language][phrase].format(**values)

    def number(self, value: float, places: int = 4, signed: bool = False) -> str:
        return self.tongue.number(value, places, signed)

    def cited(self, *names: str) -> Iterator[Clause]:
        yield from (self.clauses[name] for name in names if name in self.clauses)

    def beginning(self) -> Iterator[str | Clause]:
        working = self.working
        before, games = self.number(working.before), self.number(working.games, 1)
        begins = working.begins
        if begins is None:
            yield self.say("step 1", before=before, games=games)
        elif begins.sources or begins.source not in ("age", "unknown age"):
            parts = [
                self.say(
                    "source",
                    name=NAMES.get(source.name, source.name.replace("_", " ")),
                    given=self.number(source.given),
                    rating=self.number(source.rating),
                )
                for source in begins.sources
            ]
            sources = ", ".join(parts) or begins.source
            yield self.say("elsewhere", before=before, games=games, sources=sources)
            yield from self.cited(*(source.name for source in begins.sources))
        else:
            yield self.say(begins.source, before=before, age=self.number(begins.age, 2))
        yield from self.cited("newcomers")
        parts = [f"{self.tongue.called(each.opponent)} {self.number(each.score)}" for each in working.meetings]
        yield self.say("results", results=", ".join(parts))
        if not working.match or working.games:
            yield self.say("step 2", most=self.number(self.most), effective=self.number(working.effective))
            yield from self.cited("effective")

    def passes(self) -> Iterator[str | Clause]:
        working = self.working
        before = self.number(working.before)
        if working.match:
            yield self.say("match", opponents=self.opponents(working.meetings, "value"))
            yield from self.cited("match")
            return
        if working.first == working.first:
            yield self.say("step 3", first=self.number(working.first), before=before)
        met = self.opponents(working.meetings, "value")
        yield self.say("step 4", interim=self.number(working.interim), opponents=met)
        yield self.say("step 5", before=before, opponents=self.opponents(working.meetings, "interim"))

    def opponents(self, meetings: tuple[Meeting, ...], of: str) -> str:
        return ", ".join(
            f"{self.tongue.called(meeting.opponent)} {self.number(getattr(meeting, of))}" for meeting in meetings
        )

    def formula(self) -> Iterator[str | Clause]:
        working = self.working
        met = len(working.meetings)
        if working.equation is not None:
            solve = working.equation
            prior = ""
            if solve.games > 0:
                points = self.number(solve.score - working.score)
                prior = self.say(
                    "prior", games=self.number(solve.games), rating=self.number(solve.prior), points=points
                )
            why = self.say({"lost": "lost all"}.get(working.why, working.why))
            yield self.say("special", why=why, score=self.number(working.score), met=met, prior=prior)
            yield from self.cited("special")
            return
        terms = " + ".join(self.number(meeting.expected) for meeting in working.meetings)
        yield self.say("expected", terms=terms, expected=self.number(working.expected))
        yield from self.cited("curve")
        yield from self.coefficient(met)
        expected, base = self.number(working.expected), self.number(working.base, signed=True)
        yield self.say("base", k=self.number(working.k), score=self.number(working.score), expected=expected, base=base)
        yield from self.bonus(met)

    def coefficient(self, met: int) -> Iterator[str | Clause]:
        working = self.working
        whole = working.k / working.share
        effective = self.number(working.effective)
        if working.half:
            half = self.clauses["half_k"]
            weight = self.number(getattr(half, "weight", 2.0))
            scale = getattr(self.clauses.get("standard"), "scale", 800.0)
            yield self.say("half k", scale=self.number(scale), weight=weight, k=self.number(whole))
        else:
            scale = whole * (working.effective + met)
            yield self.say("k", scale=self.number(scale), effective=effective, met=met, k=self.number(whole))
        yield from self.cited("standard", "half_k")
        if working.share != 1.0:
            above = getattr(self.clauses.get("low_k"), "above", 0.0)
            yield self.say(
                "share", before=self.number(working.before), above=self.number(above), share=self.number(working.share)
            )
            yield from self.cited("low_k")

    def bonus(self, met: int) -> Iterator[str | Clause]:
        working = self.working
        if working.no_bonus == "none":
            return
        if working.no_bonus:
            yield self.say(f"bonus {working.no_bonus}")
        else:
            root = max(met, getattr(self.clauses.get("bonus"), "root_games", 4))
            yield self.say(
                "bonus" if working.bonus > 0 else "no bonus",
                base=self.number(working.base),
                threshold=self.number(working.threshold),
                root=root,
                limit=self.number(working.threshold * root**0.5),
                bonus=self.number(working.bonus),
            )
        yield from self.cited("bonus")

    def end(self) -> Iterator[str | Clause]:
        working = self.working
        yield self.say("raw", raw=self.number(working.raw))
        if working.cap:
            capped = working.capped
            yield self.say(f"cap {working.cap}", before=self.number(working.raw), capped=self.number(capped))
        yield from self.cited("storage")
        floor = self.number(working.floor.rating)
        if working.asked:
            lowering = self.number(getattr(self.clauses.get("match"), "lowering", 0.0))
            player = self.tongue.called(working.code)
            yield self.say("asked", player=player, floor=floor, lowering=lowering)
        if working.floored:
            yield self.say("floor", floor=self.number(working.after), kind=self.say(working.floor.kind))
        yield from self.cited("floor")
        yield self.say("after", after=self.number(working.after), games=self.number(working.games_after, 1))
