"""Games, start lists, players and fingerprints out of a report."""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from arpad.formats.codes26 import time_control
from arpad.formats.lint_rounds import agree, column, penalised
from arpad.formats.report import BYES, FORFEITS, RATED, SHORT, Entrant, Report, RoundResult, pair_key
from arpad.model import Event, Games, Labels, Player, Problem, Start


class Tally(msgspec.Struct, frozen=True):
    """What a report holds, to be compared with what was made of it. Forfeits and games count once, byes per player."""

    players: int
    teams: int
    games: int
    pending: int
    forfeits: int
    short: int
    byes: int
    points: float


class _Met(msgspec.Struct, frozen=True):
    """Two entrants who were paired; the first had white, or the lower number where nobody says."""

    round: int
    first: Entrant
    second: Entrant
    mine: RoundResult
    theirs: RoundResult


def report_players(report: Report) -> dict[int, Player]:
    """The key and the facts of each entrant by starting number: the FIDE id, else the national one, else the name.

    Where two have one key, all but the first have their number in it.
    """
    found: dict[int, Player] = {}
    taken: set[str] = set()
    for number, entrant in report.by_number().items():
        key = str(entrant.fide_id or entrant.national_id or " ".join(entrant.name.split()) or f"no. {number}")
        if key in taken:
            key = f"{key} (no. {number})"
        taken.add(key)
        found[number] = Player(key, entrant.name, entrant.born, entrant.federation or None)
    return found


def report_start(report: Report) -> list[Start]:
    """The ratings with which the entrants came."""
    players = report_players(report)
    return [
        Start(players[number].id, None if entrant.rating is None else float(entrant.rating), born=entrant.born)
        for number, entrant in report.by_number().items()
    ]


def report_games(report: Report) -> tuple[Games, list[Problem]]:
    """The games that were played over the board, once each, and what kept others out.

    A game whose two lines disagree is an error and left out, as is every game of two players who share an id; forfeits,
    byes and games without a move are counted in a warning. A game without a day of its own has its event's.
    """
    keys = {number: player.id for number, player in report_players(report).items()}
    problems, barred = _doubles(report)
    kept: list[_Met] = []
    pending = 0
    for met in _met(report, problems):
        if met.mine.pending and met.theirs.pending:
            pending += 1
        elif met.mine.code in RATED and met.theirs.code in RATED and not {met.first.number, met.second.number} & barred:
            kept.append(met)
    problems += _left_out(report, pending, len(kept))
    return _columns(report, kept, keys, pending), problems


def _problem(report: Report, message: str, entrant: Entrant, at: int) -> Problem:
    return Problem(message, report.source, entrant.line, f"column {at}" if at else "")


def _doubles(report: Report) -> tuple[list[Problem], set[int]]:
    """Numbers, ids and names that stand for two, and the starting numbers that cannot be rated for it."""
    problems: list[Problem] = []
    barred: set[int] = set()
    keys: tuple[tuple[str, int, Callable[[Entrant], object]], ...] = (
        ("starting number", 5, lambda entrant: entrant.number),
        ("id", 58, lambda entrant: entrant.fide_id or entrant.national_id),
        ("name", 15, lambda entrant: "" if entrant.fide_id or entrant.national_id else entrant.name.casefold()),
    )
    for what, at, key_of in keys:
        first: dict[object, Entrant] = {}
        for entrant in report.entrants:
            key = key_of(entrant)
            earlier = first.setdefault(key, entrant)
            if key and earlier is not entrant:
                shown = repr(entrant.name) if what == "name" else key
                text = (
                    f"{what} {shown} is that of player {earlier.number} (line {earlier.line}) and of {entrant.number}"
                )
                problems.append(_problem(report, f"{text}: not rated", entrant, at))
                barred |= {earlier.number, entrant.number}
    return problems, barred


def _met(report: Report, problems: list[Problem]) -> Iterator[_Met]:
    """Everybody who was paired, round by round; what cannot be one game goes into `problems`."""
    players = report.by_number()
    for number in range(1, report.rounds + 1):
        for entrant in players.values():
            result = entrant.results[number - 1] if number <= len(entrant.results) else RoundResult()
            if result.code == "?":
                problems.append(_problem(report, f"round {number}: unknown result", entrant, column(number)))
            if result.opponent is None:
                if result.code in RATED:
                    text = f"round {number}: result {result.code} without an opponent"
                    problems.append(_problem(report, text, entrant, column(number)))
                continue
            met = _one_game(report, number, entrant, result, players, problems)
            if met is not None:
                yield met


def _one_game(
    report: Report,
    number: int,
    entrant: Entrant,
    result: RoundResult,
    players: Mapping[int, Entrant],
    problems: list[Problem],
) -> _Met | None:
    """The game that a line names, seen from the lower number; None if it is none, or was seen already."""
    at = column(number, "opponent")
    other = players.get(result.opponent or 0)
    if other is None:
        problems.append(_problem(report, f"round {number}: there is no player {result.opponent}", entrant, at))
        return None
    if other is entrant:
        text = f"round {number}: player {entrant.number} cannot play against themselves"
        problems.append(_problem(report, text, entrant, at))
        return None
    theirs = other.results[number - 1] if number <= len(other.results) else RoundResult()
    if theirs.opponent != entrant.number:
        if result.code not in BYES:
            text = f"round {number}: {entrant.number} names {other.number}, whose line {other.line} does not say so"
            problems.append(_problem(report, text, entrant, at))
        return None
    if entrant.number > other.number:
        return None
    if not agree(result, theirs) and not penalised(result, theirs):
        key = pair_key(number, entrant.number, other.number)
        if key not in report.accepted or not {result.code, theirs.code} <= RATED.keys():
            shown = f"{result.code or 'blank'} here and {theirs.code or 'blank'} on line {other.line}"
            text = f"round {number}: {entrant.number} v {other.number} is {shown}"
            problems.append(_problem(report, text, entrant, column(number)))
            return None
    if result.colour == "b" or (result.colour != "w" and theirs.colour == "w"):
        return _Met(number, other, entrant, theirs, result)
    return _Met(number, entrant, other, result, theirs)


def _left_out(report: Report, pending: int, games: int) -> list[Problem]:
    """What counts in the standings and is no rated game, in one warning."""
    counted = tally(report)
    parts = [
        f"{count} {word}{'' if count == 1 else 's'}"
        for count, word in (
            (counted.forfeits, "forfeit"),
            (counted.byes, "bye"),
            (counted.short, "game without a move"),
        )
        if count
    ]
    said = []
    if parts:
        said.append(f"{', '.join(parts)}: no rated games, left out")
    if not games and not pending:
        said.append("the report has no game that can be rated")
    return [Problem(text, report.source, severity="warning") for text in said]


def _columns(report: Report, kept: Sequence[_Met], keys: Mapping[int, str], pending: int) -> Games:
    players: dict[str, int] = {}
    scores: dict[tuple[float, float], int] = {}
    first, second, score = array("i"), array("i"), array("i")
    for met in kept:
        first.append(players.setdefault(keys[met.first.number], len(players)))
        second.append(players.setdefault(keys[met.second.number], len(players)))
        score.append(scores.setdefault((RATED[met.mine.code], RATED[met.theirs.code]), len(scores)))
    days = array("i", [day.toordinal() if (day := report.round_date(met.round)) else 0 for met in kept])
    labels, boards = _matches(report, kept)
    if chapter := _chapter(report):
        labels["time_control"] = Labels(array("i", [0] * len(kept)), [chapter])
    event = event_of(report)
    return Games(
        players=list(players),
        first=first,
        second=second,
        score=score,
        scores=list(scores),
        date=days if any(days) or event.end else None,
        event=array("i", [0] * len(kept)),
        events=[event],
        round=array("i", [met.round for met in kept]),
        board=boards,
        labels=labels,
        line=array("i", [met.first.line for met in kept]),
        source=report.source,
        pending=pending,
    )


def event_of(report: Report) -> Event:
    """The tournament as an event: its name, and its first and last day, of the rounds where the header is silent."""
    days = [day.toordinal() for day in report.round_dates if day]
    start = report.start.toordinal() if report.start else min(days, default=0)
    end = report.end.toordinal() if report.end else max(days, default=start)
    return Event(report.name or report.source, start or end, end)


def _chapter(report: Report) -> str | None:
    """standard, rapid or blitz, where record 222 says how much time there was."""
    try:
        return time_control(report.time_control).chapter if report.time_control else None
    except ValueError:
        return None


def _matches(report: Report, kept: Sequence[_Met]) -> tuple[dict[str, Labels], array[int] | None]:
    """In a team event, which match each game belongs to, and its board: the place among the players of that match."""
    team_of = {number: team for team in report.teams for number in team.players if number}
    if not team_of:
        return {}, None
    names: dict[str, int] = {}
    codes = array("i")
    seats: dict[tuple[int, frozenset[str]], list[tuple[int, int]]] = {}
    for row, met in enumerate(kept):
        pair = [team_of.get(entrant.number) for entrant in (met.first, met.second)]
        if None in pair or pair[0] is pair[1]:
            codes.append(-1)
            continue
        sides = sorted((team for team in pair if team), key=lambda team: (team.number or 0, team.name))
        match = " v ".join(team.name for team in sides)
        codes.append(names.setdefault(match, len(names)))
        home = sides[0].players
        seat = next(home.index(entrant.number) for entrant in (met.first, met.second) if entrant.number in home)
        seats.setdefault((met.round, frozenset((match,))), []).append((seat, row))
    boards = array("i", [0] * len(kept))
    for seated in seats.values():
        for board, (_, row) in enumerate(sorted(seated), 1):
            boards[row] = board
    return {"match": Labels(codes, list(names))}, boards


def tally(report: Report) -> Tally:
    """Count what the lines say, each game and forfeit once."""
    counts: Counter[str] = Counter()
    for entrant in report.entrants:
        for result in entrant.results:
            if result.opponent is None:
                counts["byes"] += result.code in BYES
            elif result.pending:
                counts["pending"] += 1
            else:
                name = "games" if result.code in RATED else "short" if result.code in SHORT else ""
                counts[name or ("forfeits" if result.code in FORFEITS else "byes2")] += 1
    return Tally(
        players=len(report.entrants),
        teams=len(report.teams),
        games=counts["games"] // 2,
        pending=counts["pending"] // 2,
        forfeits=(counts["forfeits"] + 1) // 2,
        short=counts["short"] // 2,
        byes=counts["byes"] + counts["byes2"],
        points=sum(entrant.points or 0.0 for entrant in report.entrants),
    )


def fingerprint(report: Report) -> str:
    """A digest of who played whom when with what result: two uploads of one event have the same, whatever its name,
    its players' numbers and the order of the lines."""
    names = {
        number: str(entrant.fide_id or entrant.national_id or " ".join(sorted(entrant.name.casefold().split())))
        for number, entrant in report.by_number().items()
    }
    event = event_of(report)
    facts = [f"{event.start} {event.end}", *sorted(names.values())]
    for number, entrant in report.by_number().items():
        for round_number, result in enumerate(entrant.results, 1):
            if result.opponent is not None or result.code:
                other = names.get(result.opponent or 0, "")
                facts.append(f"{round_number}|{names[number]}|{other}|{result.colour}|{result.code}")
    ordered = facts[:1] + sorted(facts[1:])
    return hashlib.sha256("\n".join(ordered).encode(errors="surrogatepass")).hexdigest()
