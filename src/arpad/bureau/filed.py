"""The report that an event came with, beside what became of it: forfeits and byes, which are no rated games and stand
in the report alone; the bytes as they came; and for whom those are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from arpad.bureau.matching import Named, match
from arpad.bureau.opened import AUDIENCES, LEVELS, Office
from arpad.bureau.reports import tournament_again
from arpad.errors import ArpadError, UnknownName
from arpad.formats.report import POINTS, RATED, Entrant, Report

if TYPE_CHECKING:
    from arpad.formats.report_games import Tally


class Unplayed(msgspec.Struct, frozen=True):
    """A round of a player without a rated game: a forfeit, a bye, a game without a move, or a pairing without a result.
    Players are starting numbers, `opponent` 0 for nobody; `code` is the report's."""

    round: int
    player: int
    opponent: int
    code: str
    points: float


class Filed(msgspec.Struct, frozen=True):
    """A tournament report. `people`: who has which starting number now (0: nobody in the register)."""

    report: Report
    people: Mapping[int, int]
    tally: Tally
    unplayed: tuple[Unplayed, ...]


class Original(msgspec.Struct, frozen=True):
    """A report as it is kept. `redacted`: somebody was erased from it, and its bytes are not those that came."""

    source: str
    content: bytes
    digest: str
    redacted: bool


def filed(office: Office, number: int) -> Filed | None:
    """The tournament in a report; None where it was a table of games, or nothing of it is kept. Read once."""
    return office.keep(("filed", number), lambda: _filed(office, number))


def original(office: Office, number: int) -> Original:
    """A report's bytes, whoever they are for: see `for_audience`. Raises UnknownName where nothing of it is kept."""
    found = office.store.row("select content, source, digest from report where id = ?", (number,))
    if found is None or found[0] is None:
        raise UnknownName("report", str(number), [])
    content = bytes(found[0])
    redacted = hashlib.sha256(content).hexdigest() != found[2]
    return Original(found[1] or f"report-{number}.json", content, found[2], redacted)


def for_audience(office: Office, number: int) -> bool:
    """Whether everything that may be known of everybody in a report is for the office's audience: not where something
    usually is not, whatever is said of these people."""
    if any(office.unseen(field, [0]) for field in LEVELS):
        return False
    if office.audience == AUDIENCES[-1]:
        return True
    known = filed(office, number)
    sql = "select first, second from game join event on event.id = game.event where report = ?"
    people = {person for row in office.store.rows(sql, (number,)) for person in row}
    people |= set(known.people.values()) if known else set()
    return not any(office.unseen(field, people) for field in LEVELS)


def _filed(office: Office, number: int) -> Filed | None:
    found = office.store.row("select content, source from report where id = ?", (number,))
    if found is None or found[0] is None:
        return None
    from arpad.formats.report_games import tally

    try:
        report = tournament_again(bytes(found[0]), found[1])
    except ArpadError:  # what is left after an erasure may be no report any more
        return None
    if report is None:
        return None
    return Filed(report, _people(office, number, report), tally(report), tuple(_unplayed(report)))


def _people(office: Office, number: int, report: Report) -> dict[int, int]:
    """Who is who: as the games were accepted, which stand in the order of the report; else as anybody is matched."""
    from arpad.formats.report_games import report_games, report_players

    games, _ = report_games(report)
    sql = "select first, second from game join event on event.id = game.event where report = ? order by game.id"
    rows = office.store.rows(sql, (number,))
    found: dict[str, int] = {}
    if len(rows) == len(games):
        for first, second, row in zip(games.first, games.second, rows):
            found.setdefault(games.players[first], row[0])
            found.setdefault(games.players[second], row[1])
    keys = {at: player.id for at, player in report_players(report).items()}
    entrants = report.by_number()
    others = [_named(keys[at], entrant) for at, entrant in entrants.items() if keys[at] not in found]
    found |= {each.named.key: each.person for each in match(office, others)}
    merged: dict[int, int] = dict(
        office.store.among("select id, merged from person where merged is not null and id in ?", set(found.values()))
    )
    return {at: merged.get(found[key], found[key]) for at, key in keys.items()}


def _named(key: str, entrant: Entrant) -> Named:
    identifiers = {"fide": str(entrant.fide_id)} if entrant.fide_id else {}
    return Named(key, entrant.name, identifiers, entrant.born, entrant.federation)


def _unplayed(report: Report) -> Iterator[Unplayed]:
    from arpad.formats.lint_rounds import points_by_code

    table = points_by_code(report) or POINTS
    for at, entrant in report.by_number().items():
        for turn, result in enumerate(entrant.results, 1):
            if result.code in RATED and result.opponent is not None:
                continue
            if result.code or result.opponent is not None:
                points = 0.0 if result.pending else table.get(result.code, 0.0)
                yield Unplayed(turn, at, result.opponent or 0, result.code, points)


def renamed(held: Filed, names: Mapping[int, str]) -> Report:
    """The report with people called as they are shown; who is nobody in the register, by starting number."""

    def called(entrants: Sequence[Entrant]) -> Iterator[Entrant]:
        for entrant in entrants:
            name = names.get(held.people.get(entrant.number, 0), f"no. {entrant.number}")
            yield msgspec.structs.replace(entrant, name=name)

    return msgspec.structs.replace(held.report, entrants=tuple(called(held.report.entrants)))
