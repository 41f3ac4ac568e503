"""Which column is which: the names that people give to the columns of games, ratings and acts.

Names are compared without case, accents, spaces and punctuation. A column is read as what it says only if its name is
listed here or the caller says so; every alias taken is reported.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cache

import msgspec

from arpad.errors import DataError, UsageError
from arpad.model import Problem


class Field(msgspec.Struct, frozen=True):
    """One fact that a table may hold: how we call it, the names that need no remark, and the aliases."""

    meaning: str
    plain: str
    aliases: str = ""


GAME_FIELDS: Mapping[str, Field] = {
    "first": Field(
        "the first player",
        "white first",
        "home home_team team_home local_team team1 team_a player1 player1_id player_a left model_a white_player "
        "bianco casa squadra_casa squadra_di_casa squadra1 giocatore1 giocatore_a giocatore_bianco "
        "blancas blanco local equipo_local equipo1 jugador1 jugador_a jugador_blancas",
    ),
    "second": Field(
        "the second player",
        "black second",
        "away away_team team_away visitor visitor_team team2 team_b player2 player2_id player_b right model_b "
        "black_player nero ospite trasferta squadra_ospite squadra2 giocatore2 giocatore_b giocatore_nero "
        "negras negro visitante equipo_visitante equipo2 jugador2 jugador_b jugador_negras",
    ),
    "player": Field("the player", "player", "team player_id team_id giocatore squadra jugador equipo"),
    "opponent": Field(
        "the opponent", "opponent", "opp opponent_id opp_id avversario rival oponente adversario contrincante"
    ),
    "side": Field("the player's side", "side", "colour color venue game_location colore lato bando"),
    "result": Field(
        "the result", "result score", "outcome risultato esito punti punteggio resultado puntos puntuacion"
    ),
    "winner": Field("the winner", "winner", "winner_id vincitore vincente ganador vencedor"),
    "first_score": Field(
        "the first side's score",
        "first_score",
        "home_score score_home score1 score_a white_score home_goals goals1 home_points team1_score player1_score pts "
        "player_score gol_casa reti_casa punti_casa punti1 goles_local puntos_local marcador_local puntos1",
    ),
    "second_score": Field(
        "the second side's score",
        "second_score",
        "away_score score_away score2 score_b black_score away_goals goals2 away_points team2_score player2_score "
        "opp_pts opponent_score gol_ospite reti_ospite punti_ospite punti2 goles_visitante puntos_visitante "
        "marcador_visitante puntos2",
    ),
    "date": Field(
        "the date",
        "date",
        "game_date match_date played played_at datetime timestamp data giorno fecha dia fecha_partida",
    ),
    "event": Field("the event", "event", "event_id event_name tournament_id evento torneo"),
    "section": Field("the section of the event", "section", "sezione seccion"),
    "event_start": Field(
        "the event's first day", "event_start", "event_begin inizio_torneo inizio_evento fecha_inicio inicio_torneo"
    ),
    "event_end": Field("the event's last day", "event_end", "fine_torneo fine_evento fecha_fin fin_torneo"),
    "round": Field("the round", "round", "rd matchday turno giornata ronda jornada"),
    "board": Field("the board", "board", "scacchiera tavolo tablero mesa"),
    "id": Field("the game's id", "id", "game_id match_id id_partita partita_id id_partida partida_id codice codigo"),
    "season": Field("the season", "season", "year_id stagione temporada"),
    "neutral": Field(
        "neutral ground", "neutral", "neutral_ground neutral_site neutral_venue neutro campo_neutro campo_neutral"
    ),
    "knockout": Field("knock-out", "knockout", "eliminazione_diretta eliminatoria"),
    "shootout_winner": Field(
        "the winner of the shoot-out",
        "shootout_winner",
        "shoot_out_winner penalty_winner vincitore_rigori ganador_penales ganador_penaltis",
    ),
    "length": Field("the length of the match", "match_length", "match_points lunghezza longitud puntos_partida"),
    "importance": Field("the importance", "importance", "importanza importancia"),
    "handicap": Field("the handicap stones of Black", "handicap", "handicap_stones stones pietre piedras"),
    "komi": Field("the komi", "komi"),
    "first_grade": Field(
        "the first player's grade", "white_grade first_grade", "white_rank grado_bianco grado_blancas"
    ),
    "second_grade": Field(
        "the second player's grade", "black_grade second_grade", "black_rank grado_nero grado_negras"
    ),
    "tournament": Field("the tournament", "tournament", "competition league competizione lega competicion liga"),
    "surface": Field("the surface", "surface", "court_surface superficie"),
    "stage": Field("the stage", "stage", "phase fase"),
    "time_control": Field("the time control", "time_control", "time_class cadenza ritmo"),
    "category": Field("the category", "category", "categoria"),
    "federation": Field("the federation", "federation", "fed federazione federacion"),
}

#: A row a player of a contest of several. A team is no player here.
CONTEST_FIELDS: Mapping[str, Field] = {
    "player": Field("the player", "player", "name player_id giocatore nome jugador nombre"),
    "rank": Field(
        "the place",
        "rank place",
        "position placement standing finish final_rank posto posizione piazzamento classifica puesto posicion lugar",
    ),
    "points": Field("the points", "points score", "pts punti punteggio puntos puntuacion"),
    "team": Field("the team", "team", "team_id squadra equipo"),
    "weight": Field("the weight in the team", "weight", "peso"),
    "id": Field(
        "the game's id",
        "id game_id contest contest_id",
        "match_id id_partita partita_id id_partida partida_id codice codigo",
    ),
    **{
        name: GAME_FIELDS[name]
        for name in (
            *(
                "date",
                "event",
                "section",
                "event_start",
                "event_end",
                "round",
                "board",
                "season",
                "importance",
                "tournament",
            ),
            *("stage", "time_control", "category", "federation"),
        )
    },
}

_PLAYER = Field("the player", "player", "name team player_id team_id giocatore nome squadra jugador nombre equipo")
_RATING = Field("the rating", "rating", "elo value valore valor puntuacion punteggio")
_GAMES = Field("the games", "games", "partite partidas")
_DEVIATION = Field("the rating deviation", "deviation rating_deviation rd", "deviazione desviacion")

START_FIELDS: Mapping[str, Field] = {
    "player": _PLAYER,
    "rating": _RATING,
    "games": _GAMES,
    "peak": Field("the highest rating", "peak", "highest max_rating massimo maximo"),
    "season": GAME_FIELDS["season"],
    "born": Field(
        "the birth date",
        "born birth_date birth_year",
        "birthday date_of_birth year_of_birth data_di_nascita data_nascita anno_di_nascita anno_nascita nascita "
        "fecha_de_nacimiento fecha_nacimiento ano_de_nacimiento ano_nacimiento nacimiento",
    ),
    "exact": Field("the exact rating", "rating_exact"),
    "games_exact": Field("the exact number of games", "games_exact"),
    "last": Field("the day of the last game", "last_date last_played", "ultima_partita ultima_partida"),
    "rated": Field("when the last games were rated", "last_rated"),
}

#: Numbers of a start list that some system asks for; the others leave them alone.
FACT_FIELDS: Mapping[str, Field] = {
    "deviation": _DEVIATION,
    "volatility": Field("the volatility", "volatility", "volatilita volatilidad sigma"),
    "wins": Field("games won", "wins", "vittorie victorias"),
    "draws": Field("games drawn", "draws", "patte tablas"),
    "losses": Field("games lost", "losses", "sconfitte derrotas"),
    "events": Field("events of three games or more", "events", "eventi eventos"),
    "masters": Field("games with an established rating of master", "masters"),
    "floor": Field("a floor of the player's own", "floor", "minimo_personale"),
    "highest_established": Field("the highest established rating", "highest_established"),
    "waived": Field("the highest rating that the floor of the player's own sets aside", "waived"),
    "lowered": Field("points that floors are lowered by", "lowered"),
    "begun": Field("games that a rating from elsewhere counted as", "begun"),
    "index": Field("events that the rating comes from (DWZ)", "index", "indice"),
    "full": Field("1 where the rating is a full one, and not provisional", "full"),
    "fixed": Field("1 where the rating stays as it is, as of a visitor's", "fixed", "fisso fijo"),
    "joined": Field("the year, or day as YYYYMMDD, of becoming a member", "joined"),
    "blended": Field("games on another body's list that are mixed in already", "blended"),
    "k": Field("K, where the list itself gives it", "k k_factor"),
    "fide": Field("the FIDE rating", "fide fide_rating"),
    "cfc": Field("the rating of the Chess Federation of Canada", "cfc cfc_rating"),
    **{
        name.replace("-", "_"): Field(f"the rating on the list {name}", f"{name} {name}_rating")
        for name in ("regular", "quick", "blitz", "online-regular", "online-quick", "online-blitz")
    },
    **{
        f"{name}_games": Field(f"the games behind the rating on the list {name}", f"{name}_games")
        for name in ("regular", "quick", "blitz", "online_regular", "online_quick", "online_blitz")
    },
}

#: Texts of a start list that some system remembers; the others leave them alone.
TEXT_FIELDS: Mapping[str, Field] = {
    "norms": Field("norms by level", "norms"),
    "match_changes": Field("what matches of the last years brought", "match_changes"),
    "performed": Field("the games behind a rating that is not a full one (ECF)", "performed"),
}

ACT_FIELDS: Mapping[str, Field] = {
    "kind": Field("the kind of act", "kind", "type act tipo atto acto"),
    "player": _PLAYER,
    "date": GAME_FIELDS["date"],
    "rating": _RATING,
    "games": _GAMES,
    "category": GAME_FIELDS["category"],
    "reason": Field("the reason", "reason", "motivo note nota"),
    "deviation": _DEVIATION,
}


DATED_FIELDS: Mapping[str, Field] = {
    "player": _PLAYER,
    "fact": Field("federation or title", "fact", "what fatto dato"),
    "from": Field("the day from which on it is so; blank for always", "from", "since date dal desde"),
    "value": Field("the federation's code or the title; blank for none any more", "value", "valore valor"),
}


MEMBER_FIELDS: Mapping[str, Field] = {
    "number": Field("the member's number with the body that `--ids` names", "number", "id card numero tessera"),
    "name": Field("the name", "name", "player member nome giocatore socio nombre jugador socio"),
    "born": START_FIELDS["born"],
    "federation": Field("the code of the federation", "federation", "fed federazione federacion"),
    "title": Field("the title", "title", "titolo titulo"),
    "from": Field("the day of entry; blank: the list's base", "from", "since date dal desde"),
    "rating": _RATING,
    "games": _GAMES,
    "category": Field("the class, of which the rulebook's table has rating and games", "category", "categoria class"),
}


def key_of(header: str) -> str:
    """What is left of a header for comparison: letters and digits, lower case, no accents."""
    bare = unicodedata.normalize("NFKD", header.casefold())
    return "".join(letter for letter in bare if letter.isalnum())


@cache
def _known(field: Field) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(map(key_of, field.plain.split())), frozenset(map(key_of, field.aliases.split()))


def recognised(headers: Collection[str], fields: Mapping[str, Field]) -> int:
    """How many of the headers name a known fact."""
    keys = set(map(key_of, headers))
    return sum(not keys.isdisjoint(known) for field in fields.values() for known in _known(field))


def match_columns(
    headers: Sequence[str], fields: Mapping[str, Field], wanted: Mapping[str, str], source: str = "", line: int = 1
) -> tuple[dict[str, int], list[Problem]]:
    """Positions of the columns by fact, and a warning for each alias taken and for the columns that stay unread.

    `wanted` maps a fact (by any of its names) to the header it has in this file. Raises UsageError for a wish that
    cannot be met, DataError for headers that occur twice or compete for one fact.
    """
    repeated = [name for name, count in Counter(header.strip() for header in headers).items() if count > 1 and name]
    if repeated:
        names = ", ".join(map(repr, repeated))
        raise DataError([Problem(f"more than one column is called {names}", source, line, repeated[0])])
    chosen = {_fact(name, fields): _position(header, headers) for name, header in wanted.items()}
    notes: list[Problem] = []
    aliases: list[str] = []
    for fact, field in fields.items():
        if fact in chosen:
            continue
        for rank, keys in enumerate((frozenset((key_of(fact),)), *_known(field))):
            found = [at for at, header in enumerate(headers) if key_of(header) in keys and at not in chosen.values()]
            if len(found) > 1:
                listed = " and ".join(repr(headers[at]) for at in found)
                hint = f"say which with --columns {field.plain.split()[0]}={headers[found[0]]}"
                raise DataError([Problem(f"columns {listed} could all be {field.meaning}", source, line, hint=hint)])
            if found:
                chosen[fact] = found[0]
                if rank == 2:
                    aliases.append(f"{headers[found[0]]!r} as {field.meaning}")
                break
    if aliases:
        notes.append(Problem(f"columns read: {', '.join(aliases)}", source, line, severity="note"))
    unread = [header for at, header in enumerate(headers) if at not in chosen.values() and header.strip()]
    if unread:
        notes.append(Problem(f"columns not read: {', '.join(unread)}", source, line, severity="note"))
    return chosen, notes


def holds_contests(headers: Collection[str], wanted: Collection[str] = ()) -> bool:
    """Whether a table has a row a player of contests: a player, a place or points, the game's id, and no opponent."""
    keys = {*map(key_of, headers), *map(key_of, wanted)}

    def has(fields: Mapping[str, Field], *facts: str) -> bool:
        return any(key_of(fact) in keys or any(keys & known for known in _known(fields[fact])) for fact in facts)

    if has(GAME_FIELDS, "first", "second", "opponent", "winner", "first_score", "second_score"):
        return False
    return has(CONTEST_FIELDS, "player") and has(CONTEST_FIELDS, "rank", "points") and has(CONTEST_FIELDS, "id")


def missing(
    headers: Sequence[str], fields: Mapping[str, Field], facts: Sequence[str], source: str, line: int, more: str = ""
) -> DataError:
    """The refusal of a table without the columns it needs: what was found, and what would have been accepted."""
    found = ", ".join(repr(header) for header in headers) or "no columns"
    accepted = "; ".join(f"{fields[fact].meaning}: {_names(fields[fact])}" for fact in facts)
    needed = " and ".join(fields[fact].meaning for fact in facts)
    hint = f"accepted for {accepted}" + (f"; {more}" if more else "")
    return DataError([Problem(f"no column for {needed}; found {found}", source, line, hint=hint)])


def _names(field: Field) -> str:
    return ", ".join([*field.plain.split(), *field.aliases.split()])


def _fact(name: str, fields: Mapping[str, Field]) -> str:
    for fact, field in fields.items():
        if key_of(name) == key_of(fact) or any(key_of(name) in names for names in _known(field)):
            return fact
    raise UsageError(f"unknown column {name!r}; known: {', '.join(fields)}")


def _position(header: str, headers: Sequence[str]) -> int:
    wanted = header.strip()
    for at, name in enumerate(headers):
        if name.strip() == wanted:
            return at
    raise UsageError(f"no column is called {header!r}; found: {', '.join(headers)}")
