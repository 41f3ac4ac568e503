"""A tournament report as norms and ratings ask for it: rounds of one player, facts of the event, games."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction

from msgspec.structs import replace

from arpad.errors import DataError, UnknownName, UsageError
from arpad.formats.report import ABSENT, RATED, SHORT, Entrant, Report, RoundResult
from arpad.formats.report_games import event_of, report_games
from arpad.formats.reports import read_report as read
from arpad.model import Problem, Start
from arpad.norms.facts import Championship, EventFacts, Format, Kind, Meeting
from arpad.norms.rules import NO_FEDERATION
from arpad.time_control import clocks_of

#: Titles that count in a field of foreigners.
FIELD_TITLES = frozenset(("GM", "IM", "WGM", "WIM"))
#: What the words of a report say about its format; the first that fits.
FORMATS: Sequence[tuple[str, Format]] = (
    (r"double.?round.?robin|berger_double|_G2\b", "double round robin"),
    (r"round.?robin|berger|all.?play.?all|girone|liga", "round robin"),
    (r"scheveningen|schiller", "scheveningen"),
    (r"knock.?out|k\.?o\.? system", "knockout"),
    (r"swiss|svizzero|suizo|dutch|dubov|burstein|fide_team", "swiss"),
)


def read_report(path: str, on: date | None = None) -> tuple[Report, list[Problem]]:
    """A report and what is worth a word. `on` is the event's first day, if the file does not say.

    Raises UsageError where there is no file, DataError for what is wrong in it.
    """
    report, problems = read(path)
    _, about_games = report_games(report)
    places = {(problem.line, problem.column) for problem in problems if problem.line}
    problems += [problem for problem in about_games if (problem.line, problem.column) not in places]
    refused = [problem for problem in problems if problem.severity == "error"]
    if refused:
        raise DataError(refused)
    if on and not event_of(report).start:
        report = replace(report, start=on)
    return report, problems


def known_players(path: str | None) -> tuple[list[Start], list[Problem]]:
    """What a start list says of players, and what is worth a word. Raises DataError for what is wrong in it."""
    from arpad.formats import read_start

    if path is None:
        return [], []
    found, problems = read_start(path)
    refused = [problem for problem in problems if problem.severity == "error"]
    if refused:
        raise DataError(refused)
    return found, problems


def find_entrant(report: Report, player: str) -> Entrant:
    """The entrant of a name, starting number or FIDE id; a part of the name will do if only one has it.

    Raises UnknownName for none, UsageError for several.
    """
    exact = [entrant for entrant in report.entrants if player in _names(entrant)]
    wanted = player.casefold()
    found = exact or [entrant for entrant in report.entrants if wanted in entrant.name.casefold()]
    if not found:
        raise UnknownName("player", player, [entrant.name for entrant in report.entrants])
    if len(found) > 1:
        names = ", ".join(f"{entrant.number} {entrant.name}" for entrant in found[:8])
        raise UsageError(f"{player!r} is more than one: {names}; give the starting number")
    return found[0]


def _names(entrant: Entrant) -> tuple[str, ...]:
    return (entrant.name, str(entrant.number), str(entrant.fide_id or ""))


def start_of(report: Report) -> date:
    """The first day of the event. Raises UsageError if the report does not say."""
    start = event_of(report).start
    if not start:
        raise UsageError("the report does not say when the event began: give the day with --on")
    return date.fromordinal(start)


def meetings_of(report: Report, entrant: Entrant) -> list[Meeting]:
    """Every round of an entrant, those to come included."""
    by_number = report.by_number()
    begun = _rounds_begun(report)
    results = [*entrant.results, *[ABSENT] * (_rounds(report) - len(entrant.results))]
    return [_meeting(number, result, by_number, begun) for number, result in enumerate(results, 1)]


def event_facts(report: Report, championship: Championship = "") -> EventFacts:
    """What the report says of the event. Raises UsageError if the day on which it began is not known."""
    clocks = clocks_of(report)
    minutes = None if clocks is None else min(side.seconds() for side in clocks) / 60
    rated = [entrant.rating for entrant in report.entrants if entrant.rating]
    days = Counter(day for day in report.round_dates if day)
    complete = bool(days) and days.total() == _rounds(report)
    a_day = max(days.values()) if complete else None
    whole = len(rated) == len(report.entrants) > 0
    return EventFacts(
        format=format_of(report),
        rounds=_rounds(report),
        start=start_of(report),
        federation=report.federation,
        championship=championship,
        players=len(report.entrants),
        foreign_field=_foreign_field(report),
        average=float(Fraction(sum(rated), len(rated))) if whole else None,
        women=bool(report.entrants) and all(entrant.sex == "w" for entrant in report.entrants),
        rounds_a_day=a_day,
        hours_a_day=None if minutes is None or a_day is None else 2 * minutes * a_day / 60,
        minutes=minutes,
        identical_clocks=False if clocks and clocks[0] != clocks[1] else None,
    )


def format_of(report: Report) -> Format:
    """The format that the encoded type names, or else the words about it; blank if neither is understood."""
    for text in (report.system, report.kind):
        for pattern, found in FORMATS:
            if re.search(pattern, text, re.IGNORECASE):
                return found
    return ""


def _rounds(report: Report) -> int:
    return max(report.declared_rounds or 0, report.rounds)


def _rounds_begun(report: Report) -> int:
    """The last round in which a game has a result."""
    decided = {"+", "-", *RATED, *SHORT}
    played = (
        number
        for entrant in report.entrants
        for number, result in enumerate(entrant.results, 1)
        if result.code in decided and result.opponent is not None
    )
    return max(played, default=0)


def _meeting(number: int, result: RoundResult, by_number: Mapping[int, Entrant], begun: int) -> Meeting:
    opponent = by_number.get(result.opponent) if result.opponent is not None else None
    kind = _kind(number, result, begun)
    if opponent is None:
        return Meeting(number, kind=kind)
    return Meeting(
        round=number,
        opponent=opponent.name or str(opponent.number),
        rating=opponent.rating,
        title=opponent.title,
        federation=opponent.federation,
        score=RATED.get(result.code),
        kind=kind,
        member=opponent.federation not in ("NON",),
        against_rated=None if opponent.rating else _against_rated(opponent, by_number),
    )


def _kind(number: int, result: RoundResult, begun: int) -> Kind:
    code = result.code
    if result.opponent is not None:
        kinds: dict[str, Kind] = {
            "+": "forfeit win",
            "-": "forfeit loss",
            "": "pending",
            **dict.fromkeys(SHORT, "short"),
        }
        return "game" if code in RATED else kinds.get(code, "absent")
    if code == "U":
        return "pairing bye"
    if code == "+":
        return "forfeit win"
    if code in ("H", "F"):
        return "bye"
    return "pending" if not code and number > begun else "absent"


def _against_rated(entrant: Entrant, by_number: Mapping[int, Entrant]) -> float:
    """What somebody scored over the board against rated players."""
    met = ((by_number.get(result.opponent or 0), result) for result in entrant.results if result.code in RATED)
    return sum(RATED[result.code] for opponent, result in met if opponent and opponent.rating)


def _foreign_field(report: Report) -> tuple[int, int, int] | None:
    """The least numbers over the rounds of rated foreigners, of their federations, and of titled ones.

    A player counts who missed one round at most, a pairing bye not being missed. None before anything was played.
    """
    begun = _rounds_begun(report)
    if not begun or not report.federation:
        return None
    kept = [entrant for entrant in _foreigners(report) if _missed(entrant.results[:begun]) <= 1]
    rounds = []
    for number in range(begun):
        there = [entrant for entrant in kept if _takes_part(entrant.results[number])]
        titled = sum(entrant.title in FIELD_TITLES for entrant in there)
        rounds.append((len(there), len({entrant.federation for entrant in there}), titled))
    least = [min(column) for column in zip(*rounds)]
    return least[0], least[1], least[2]


def _foreigners(report: Report) -> Iterator[Entrant]:
    for entrant in report.entrants:
        if entrant.rating and entrant.federation not in ("", NO_FEDERATION, report.federation):
            yield entrant


def _takes_part(result: RoundResult) -> bool:
    return result.code == "U" or (result.opponent is not None and result.code != "-")


def _missed(results: Iterable[RoundResult]) -> int:
    return sum(not _takes_part(result) for result in results)
