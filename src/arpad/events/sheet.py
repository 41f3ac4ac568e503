"""The sheet of a tournament: crosstable, averages, performances, and what it is worth under the rules of its day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction

import msgspec

from arpad.engine import History, replay
from arpad.events.facts import start_of
from arpad.explain import ChangeExplained, explain
from arpad.formats.lint_rounds import points_by_code, total
from arpad.formats.report import POINTS, RATED, Entrant, Report, RoundResult
from arpad.formats.report_games import report_games, report_players
from arpad.model import Start
from arpad.performances import performance
from arpad.rulebooks import Rulebook, load
from arpad.time_control import chapter_of, clocks_of
from arpad.working import GameWorking

#: Games that a rated player is taken to have behind him where nobody says: with fewer K would be a newcomer's.
ESTABLISHED = 30


class GameRow(msgspec.Struct, frozen=True):
    """One round of a player. `counted` is the difference as a cap left it, `change` K times score minus expected."""

    round: int
    opponent_number: int | None
    opponent: str
    opponent_rating: int | None
    colour: str
    result: str
    counted: float | None = None
    expected: float | None = None
    change: float | None = None
    note: str = ""


class PlayerRow(msgspec.Struct, frozen=True):
    """One player. `average` and `performance` are of the games over the board against rated opponents.

    `change` is before, `after` as the list will show it; `stated` is the rating that the report itself gives, and
    `differs` whether it is another one than ours.
    """

    number: int
    name: str
    title: str
    rating: int | None
    federation: str
    points: float
    rank: int | None
    results: tuple[str, ...]
    rated_games: int
    score: float
    average: float | None
    performance: float | None
    reason: str
    expected: float | None = None
    k: float | None = None
    change: float | None = None
    after: float | None = None
    stated: int | None = None
    differs: bool = False
    games: tuple[GameRow, ...] = ()


class EventReport(msgspec.Struct, frozen=True):
    """A tournament. `rules` is the list that its time control belongs to, `edition` the rules of its first day."""

    name: str
    place: str
    federation: str
    start: date
    end: date | None
    rounds: int
    rules: str
    edition: str
    average: float | None
    players: tuple[PlayerRow, ...]
    notes: tuple[str, ...]


def event_report(report: Report, rules: str | Rulebook | None = None, known: Sequence[Start] = ()) -> EventReport:
    """The sheet of a report, rated alone from the ratings in it.

    `rules`: default FIDE's list for the time control. `known`: what a list says of players besides (games, peak, born),
    by FIDE id or name. Raises UsageError if the report does not say when the event began.
    """
    start = start_of(report)
    notes: list[str] = []
    if not isinstance(rules, Rulebook):
        rules = load(rules or _list_of(report, start, notes))
    facts = {each.player: each for each in known}
    keys = {number: player.id for number, player in report_players(report).items()}
    beginning = [_start(entrant, keys, facts) for entrant in report.by_number().values()]
    assumed = sum(bool(entrant.rating) and _known(entrant, facts) is None for entrant in report.entrants)
    if assumed:
        players = "1 player" if assumed == 1 else f"{assumed} players"
        notes.append(f"K of {players} rests on rating and age alone: {ESTABLISHED} games are taken to lie behind them")
    games, _ = report_games(report)
    history = replay(games, rules, beginning) if len(games) else None
    table = points_by_code(report) or POINTS
    rated = [entrant.rating for entrant in report.entrants if entrant.rating]
    edition = rules.on(start)
    return EventReport(
        name=report.name,
        place=report.city,
        federation=report.federation,
        start=start,
        end=report.end,
        rounds=report.rounds,
        rules=rules.name,
        edition=edition.since.isoformat() if edition.since else "",
        average=float(Fraction(sum(rated), len(rated))) if rated else None,
        players=tuple(_player(entrant, report, history, keys, table) for entrant in report.entrants),
        notes=tuple(notes),
    )


def _list_of(report: Report, start: date, notes: list[str]) -> str:
    """The rules of the list that the time control belongs to; standard where nothing is said."""
    clocks = clocks_of(report)
    if clocks is None:
        notes.append("the report states no time control that is understood: taken as standard chess")
        return "fide/standard"
    chapter = chapter_of(min(side.seconds() for side in clocks), 0, start)
    if chapter is None:
        notes.append("no FIDE list rates this time control: taken as blitz")
    return f"fide/{chapter or 'blitz'}"


def _known(entrant: Entrant, facts: Mapping[str, Start]) -> Start | None:
    return facts.get(str(entrant.fide_id)) or facts.get(entrant.name)


def _start(entrant: Entrant, keys: Mapping[int, str], facts: Mapping[str, Start]) -> Start:
    """What is known of an entrant: the rating is the report's, the rest the list's."""
    listed = _known(entrant, facts)
    rating = None if entrant.rating is None else float(entrant.rating)
    born = listed.born if listed and listed.born else entrant.born
    key = keys[entrant.number]
    if listed is None:
        return Start(key, rating, games=ESTABLISHED if entrant.rating else None, born=born)
    return Start(key, rating, games=listed.games, peak=listed.peak, born=born)


def _player(
    entrant: Entrant,
    report: Report,
    history: History | None,
    keys: Mapping[int, str],
    table: Mapping[str, float],
) -> PlayerRow:
    by_number = report.by_number()
    key = keys[entrant.number]
    changes = explain(history, key) if history and key in history.codes else []
    workings = {game.round: game for change in changes for game in change.games}
    change = next((each for each in changes if each.kind in ("games", "first")), None)
    rows = tuple(
        _row(number, result, by_number, workings.get(number), change)
        for number, result in enumerate(entrant.results, 1)
    )
    played = [
        (by_number[result.opponent].rating, RATED[result.code])
        for result in entrant.results
        if result.code in RATED and result.opponent is not None
    ]
    found = performance([rating for rating, _ in played], method="fide", results=[points for _, points in played])
    after = changes[-1].after if changes else entrant.rating
    stated = entrant.rating_after
    return PlayerRow(
        number=entrant.number,
        name=entrant.name,
        title=entrant.title,
        rating=entrant.rating,
        federation=entrant.federation,
        points=total(report, entrant, table) if entrant.points is None else entrant.points,
        rank=entrant.rank,
        results=tuple(_cell(result) for result in entrant.results),
        rated_games=found.games,
        score=found.score,
        average=found.mean,
        performance=found.value,
        reason=found.reason,
        expected=change.expected if change else None,
        k=change.k if change else None,
        change=_tidy(change.exact) if change else None,
        after=after,
        stated=stated,
        differs=stated is not None and stated != after,
        games=rows,
    )


def _row(
    number: int,
    result: RoundResult,
    by_number: Mapping[int, Entrant],
    working: GameWorking | None,
    change: ChangeExplained | None,
) -> GameRow:
    opponent = by_number.get(result.opponent) if result.opponent is not None else None
    k = (working.k if working.k is not None else change.k if change else None) if working else None
    gain = working.gain if working else None
    return GameRow(
        round=number,
        opponent_number=result.opponent,
        opponent=opponent.name if opponent else "",
        opponent_rating=opponent.rating if opponent else None,
        colour=result.colour,
        result=result.code,
        counted=working.counted if working else None,
        expected=working.expected if working else None,
        change=None if k is None or gain is None else _tidy(k * gain),
        note=working.note if working else "",
    )


def _tidy(value: float | None) -> float | None:
    """Without what binary fractions add: changes are a whole number of thousandths at most."""
    return None if value is None else float(f"{value:.6f}")


def _cell(result: RoundResult) -> str:
    """One field of the crosstable: opponent, colour, result."""
    if result.opponent is None:
        return result.code or "-"
    return f"{result.opponent}{result.colour.strip('-')}{result.code or '*'}"
