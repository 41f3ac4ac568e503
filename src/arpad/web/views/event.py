"""One event: who met whom with what result, what it did to everybody's rating, and whether it is what was reported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from arpad.bureau import cards
from arpad.bureau.filed import Filed, Original, filed, for_audience, original, renamed
from arpad.bureau.opened import Office, RatingList
from arpad.bureau.people import federations_on
from arpad.bureau.pinning import rules_told
from arpad.bureau.register import titles_on
from arpad.errors import ArpadError, UnknownName, UsageError
from arpad.events import norm_reports
from arpad.formats.report import RATED
from arpad.ledger.facts import day_of
from arpad.norms.words import words as norm_words
from arpad.rulebooks import label
from arpad.web.views.crosstables import Cell, Crosstable, Meeting, crosstable, sign
from arpad.web.views.event_games import Done, Played, declared, done, meetings, method_of, played

#: Games up to which an event has a table; larger ones are no tournaments but collections.
GAMES = 3000


class Entrant(msgspec.Struct, frozen=True):
    """A player of an event, at a place of its table. `person` is 0 for who played no rated game and is nobody in the
    register; `number` is the report's starting number, where there is one.

    `rated` games are those that changed the rating: `scored` of them where `expected` was expected. `average` is the
    mean of the opponents' ratings that were used, `performance` is by the event's method. `change` is the sum of the
    games, `after` what all that was settled with it came to.
    """

    place: int
    person: int
    number: int | None
    name: str
    title: str
    federation: str
    points: float
    games: int
    rated: int
    scored: float
    expected: float | None
    before: float | None
    average: float | None
    performance: float | None
    k: float | None
    change: float | None
    after: float | None


class MatchGame(msgspec.Struct, frozen=True):
    """A game of a team match, by board."""

    round: int
    match: str
    board: int
    white: int
    black: int
    result: str


class Reconciled(msgspec.Struct, frozen=True):
    """What the report said, and what counts of it: players of rated games, games and their points, None where they are
    too many to count; `forfeits` and `byes` are None where a report's form has none."""

    players: int | None
    games: int
    reported_players: int | None
    reported_games: int
    voided: int
    points: float | None
    reported_points: float | None
    forfeits: int | None
    byes: int | None

    @property
    def agrees(self) -> bool:
        """Whether all rated games of the report count, with the points that it gave."""
        return self.games == self.reported_games and self.points == self.reported_points


class EventPage(msgspec.Struct, frozen=True):
    """An event on a list. `rules` are the list's, in the edition that settled it; `method` rates performances (blank:
    the rules have none); `large`: it is a collection of games, of which no table is made. `norms` says whether the
    rules of norms can be asked, `original` whether the report is for whoever asks."""

    event: int
    name: str
    start: date | None
    end: date | None
    pool: str
    list: str
    lists: tuple[str, ...]
    rules: str
    edition: str
    method: str
    report: int
    digest: str
    state: str
    redacted: bool
    revision: int
    place: str
    time_control: str
    reconciled: Reconciled
    large: bool
    table: Crosstable
    entrants: tuple[Entrant, ...]
    matches: tuple[MatchGame, ...]
    voided: tuple[cards.Voided, ...]
    norms: bool
    original: bool


def event(office: Office, number: int, name: str | None = None) -> EventPage:
    """The page of an event, on the list named or the first one of its pool. Raises UnknownName for an event or list
    that is not there, UsageError for a list of another pool."""
    with office.store.reading():
        sql = "select pool, name, starts, ends, report, revision from event where id = ?"
        found = office.store.row(sql, (number,))
        if found is None:
            raise UnknownName("event", str(number), [])
        pool, called, starts, ends, report, revision = found
        which = cards.list_of(office, pool, name)
        if which is not None and which.pool != pool:
            raise UsageError(f"list {which.name!r} does not rate the games of event {number}")
        digest, state = office.store.row("select digest, state from report where id = ?", (report,)) or ("", "")
        live, voided = (int(office.store.value(_each("count(*)", at), (number,)) or 0) for at in (0, 1))
        large = live + voided > GAMES
        held = None if large else filed(office, report)
        games = [] if large else list(played(office, which, number))
        chess = held is not None or which is None or office.book(which).game.endswith("chess")
        met, method = meetings(games, held, "wb" if chess else ""), method_of(office, which)
        did = done(office, which, games, method)
        table = crosstable(met, {key: each.before or 0.0 for key, each in did.items()}, declared(held))
        redacted = office.store.row("select 1 from redaction where report = ?", (report,)) is not None
        return EventPage(
            number,
            called,
            day_of(starts),
            day_of(ends),
            pool,
            which.name if which else "",
            tuple(each.name for each in office.lists() if each.pool == pool),
            rules_told(which.rules) if which else "",
            _edition(office, which, games),
            method,
            report,
            digest,
            state,
            redacted,
            revision,
            held.report.city if held else "",
            held.report.time_control or held.report.allotted if held else "",
            _reconciled(office, number, games, held, live, voided, large),
            large,
            table,
            tuple(_entrants(office, table, met, did, held, day_of(ends) or date.max)),
            tuple(_matches(games, table)),
            cards.event_voided(office, number),
            held is not None and asks_norms(which),
            for_audience(office, report),
        )


def norms(office: Office, number: int, person: int, language: str = "en") -> tuple[tuple[str, ...], ...]:
    """What the rules of norms say of a player's event, for each title that they do not hold: every condition, met or
    missing, in sentences. Nothing where the report does not say enough. Raises UnknownName for who did not play."""
    with office.store.reading():
        report = office.store.value("select report from event where id = ?", (number,))
        held = filed(office, report) if report else None
        if held is None:
            return ()
        at = next((at for at, who in held.people.items() if who == person), None)
        if at is None:
            raise UnknownName("player of the event", str(person), [])
        shown = renamed(held, office.names(set(held.people.values()) - {0}))
        try:
            found = norm_reports(shown, player=str(at))
        except ArpadError:
            return ()
        return tuple(tuple(norm_words(each, language)) for each in found)


def report(office: Office, number: int) -> Original | None:
    """The report that an event came with; None for whom it is not. Raises UnknownName where there is none."""
    with office.store.reading():
        found = office.store.value("select report from event where id = ?", (number,))
        if found is None:
            raise UnknownName("event", str(number), [])
        return original(office, found) if for_audience(office, found) else None


def printed(page: EventPage) -> dict[str, Sequence[Any]]:
    """A crosstable in columns of plain text and numbers."""
    table, rows = page.table, page.entrants
    columns: dict[str, Sequence[Any]] = {
        "no": [each.place for each in rows],
        "name": [each.name for each in rows],
        "title": [each.title for each in rows],
        "federation": [each.federation for each in rows],
        "before": [each.before for each in rows],
    }
    for at in range(table.columns):
        columns[str(at + 1)] = [_cell(row[at], table.square) for row in table.rows]
    columns["points"] = [each.points for each in rows]
    columns["change"] = [None if each.change is None else round(each.change, 2) for each in rows]
    return columns


def _cell(cells: Sequence[Cell], square: bool) -> str:
    named = ("" if square or not cell.opponent else f"{cell.opponent}{cell.colour or ':'}" for cell in cells)
    return " ".join(f"{who}{cell.sign}" for who, cell in zip(named, cells))


def asks_norms(which: RatingList | None) -> bool:
    """FIDE's title norms are made in standard chess."""
    return which is not None and which.rules.partition(":")[0] == "fide/standard"


def _edition(office: Office, which: RatingList | None, games: Sequence[Played]) -> str:
    """The edition that settled the event."""
    if which is None or not games:
        return ""
    history = office.history(which)
    rows = cards.rows_of(history, [games[-1].line.game])
    if not rows:
        return ""
    segment = next(each for each in reversed(history.plan.segments) if each.start <= rows[0])
    return label(history.rulebook.editions[segment.settles])


def _entrants(
    office: Office,
    table: Crosstable,
    meetings: Mapping[int, Sequence[Meeting]],
    did: Mapping[int, Done],
    held: Filed | None,
    day: date,
) -> Iterator[Entrant]:
    people = [key for key in table.keys if key > 0]
    names, federations = office.names(people), federations_on(office, people, day)
    titles = titles_on(office, day.toordinal()) if people else {}
    numbers = {person or -at: at for at, person in held.people.items()} if held else {}
    for place, (key, points) in enumerate(zip(table.keys, table.points), 1):
        yield Entrant(
            place,
            max(key, 0),
            numbers.get(key),
            names.get(key, f"no. {-key}"),
            titles.get(key, ""),
            federations.get(key, ""),
            points,
            sum(each.kind == "game" for each in meetings[key]),
            **msgspec.structs.asdict(did.get(key, Done())),
        )


def _matches(games: Sequence[Played], table: Crosstable) -> Iterator[MatchGame]:
    """Games of team matches, in the order of rounds, matches and boards."""
    places = {key: place for place, key in enumerate(table.keys, 1)}
    for game in sorted(
        (game for game in games if game.match), key=lambda game: (game.line.round, game.match, game.line.board)
    ):
        line = game.line
        result = f"{sign(line.score)}–{sign(line.other)}"
        yield MatchGame(line.round, game.match, line.board, places[line.first], places[line.second], result)


def _each(columns: str, voided: int) -> str:
    """A query for games of an event, those that count or the others: either are found by an index, both are not."""
    return f"select {columns} from game where event = ? and voided = {voided}"


def _reconciled(
    office: Office,
    number: int,
    games: Sequence[Played],
    held: Filed | None,
    live: int,
    voided: int,
    large: bool,
) -> Reconciled:
    """What was reported beside what counts."""
    total = live + voided
    if large:
        return Reconciled(None, live, None, total, voided, None, None, None, None)
    people = {person for game in games for person in (game.line.first, game.line.second)}
    points = sum((game.score(0) or 0.0) + (game.score(1) or 0.0) for game in games)
    if held is None:
        told = "first, second, score, other"
        rows = [row for at in (0, 1) for row in office.store.rows(_each(told, at), (number,))]
        first = {person for row in rows for person in row[:2]}
        said = sum((row[2] or 0.0) + (row[3] or 0.0) for row in rows)
        return Reconciled(len(people), len(games), len(first), total, voided, points, said, None, None)
    results = [result for entrant in held.report.by_number().values() for result in entrant.results]
    said = sum(RATED.get(result.code, 0.0) for result in results if result.opponent is not None)
    tally = held.tally
    figures = (tally.players, tally.games, voided, points, said, tally.forfeits, tally.byes)
    return Reconciled(len(people), len(games), *figures)
