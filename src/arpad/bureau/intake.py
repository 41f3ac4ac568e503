"""Reports taken in: staged, checked, their people matched; then accepted or refused whole.

    received = receive(office, "open.trf")       # or stage(), and accept() when all holds are decided

The same bytes count once, however often they are sent. Games that say the same as an event that is there are held as
its probable duplicate. What was assumed is written in the import log, which goes with the accepting entry.

Over 400 lines because a report is looked at and taken in by the same steps, in one order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

import msgspec

from arpad.bureau import reports
from arpad.bureau.matching import Match, match
from arpad.bureau.opened import Office
from arpad.bureau.register import registered
from arpad.bureau.rows import fingerprints, impossible, numbered, parts, shared
from arpad.errors import ArpadError, DataError, LedgerError, UsageError
from arpad.formats import Reading
from arpad.formats.hidden import typed
from arpad.ledger import chain
from arpad.ledger.facts import last_id
from arpad.model import Games, Problem

if TYPE_CHECKING:
    from arpad.engine import Progress


class Decisions(msgspec.Struct, frozen=True):
    """What an officer decided of a report: who is who by key (0: somebody new), that whoever is like nobody is to be
    `registered`, that it is no duplicate, whose numbers a table's players are, and which pool its games belong to.
    Raises UsageError for the last two with hidden characters."""

    people: Mapping[str, int] = {}
    register: bool = False
    distinct: bool = False
    ids: str = ""
    pool: str = ""

    def __post_init__(self) -> None:
        for each in (self.ids, self.pool):
            typed(each)


#: Nothing was decided.
UNDECIDED = Decisions()


class EventRead(msgspec.Struct, frozen=True):
    """An event of a report; `same` is the event that its games are in already: all of them and no others, or `shared`
    of them as far as who met whom, when and in which round; `moved`: when, not."""

    name: str
    start: int
    end: int
    games: int
    fingerprint: str
    loose: bool = False
    same: int = 0
    shared: int = 0
    moved: bool = False


class Received(msgspec.Struct, frozen=True):
    """What became of a report. `report` is 0 where nothing was written; `holds` keep it from being accepted; `again`
    says that the same bytes were accepted before. `log` is all that was assumed."""

    report: int
    digest: str
    events: tuple[EventRead, ...]
    people: tuple[Match, ...]
    games: int
    pending: int
    holds: tuple[Problem, ...]
    log: tuple[Problem, ...]
    accepted: bool = False
    again: bool = False
    seq: int = 0
    refused: bool = False


class _Examined(msgspec.Struct, frozen=True):
    read: reports.Read
    matches: tuple[Match, ...]
    events: tuple[EventRead, ...]
    nth: Sequence[int]
    holds: tuple[Problem, ...]
    log: tuple[Problem, ...]

    def received(self, report: int = 0, **more: Any) -> Received:
        games = self.read.games
        return Received(
            report, self.read.digest, self.events, self.matches, len(games), games.pending, self.holds, self.log, **more
        )


def examine(office: Office, source: Any, decisions: Decisions = UNDECIDED, reading: Reading | None = None) -> Received:
    """What a report would be taken for; nothing is written (`--dry-run`)."""
    read = reports.read(source, reading, decisions.ids)
    with office.store.reading():
        return _earlier(office, read, decisions) or _examined(office, read, decisions).received()


def stage(office: Office, source: Any, decisions: Decisions = UNDECIDED, reading: Reading | None = None) -> Received:
    """Keep a report as it came, with what stands in the way of accepting it."""
    read = reports.read(source, reading, decisions.ids)
    with office.store.writing():
        if found := _earlier(office, read, decisions):
            return found
        return _examined(office, read, decisions).received(_staged(office, read))


def accept(
    office: Office,
    report: int,
    decisions: Decisions = UNDECIDED,
    reading: Reading | None = None,
    reason: str = "",
    progress: Progress | None = None,
) -> Received:
    """Accept a staged report. Raises DataError naming all that holds it; then nothing was written. `progress` is told
    of games written, of how many."""
    with office.store.writing():
        read = _kept(office, report, decisions, reading)
        if found := _earlier(office, read, decisions):
            return found
        return _accepted(office, report, _examined(office, read, decisions), decisions, reason, progress)


def look(office: Office, report: int, decisions: Decisions = UNDECIDED, reading: Reading | None = None) -> Received:
    """What a report that is kept would be taken for now; nothing is written. Raises what `accept` does of a report that
    cannot be accepted any more."""
    with office.store.reading():
        read = _kept(office, report, decisions, reading)
        return _earlier(office, read, decisions) or _examined(office, read, decisions).received(report)


def _kept(office: Office, report: int, decisions: Decisions, reading: Reading | None) -> reports.Read:
    """A report that is kept, read as it came. Raises UsageError for one that is refused, or no longer what it was."""
    held = office.store.row("select content, source, state from report where id = ?", (report,))
    if held is None:
        raise UsageError(f"there is no report {report}")
    if held[2] == "refused" or held[0] is None:
        raise UsageError(f"report {report} was refused" if held[2] == "refused" else f"report {report} has no content")
    if office.store.row("select 1 from redaction where report = ?", (report,)):
        raise UsageError(f"report {report} is not what it was: somebody was erased from it; hand it in again")
    return reports.read_again(bytes(held[0]), held[1], reading, decisions.ids)


def receive(
    office: Office,
    source: Any,
    decisions: Decisions = UNDECIDED,
    reading: Reading | None = None,
    reason: str = "",
    progress: Progress | None = None,
) -> Received:
    """Stage a report, and accept it if nothing holds it; both at once. Where something does, it is staged, and
    `accepted` is false."""
    read = reports.read(source, reading, decisions.ids)
    with office.store.writing():
        if found := _earlier(office, read, decisions):
            return found
        examined = _examined(office, read, decisions)
        report = _staged(office, read)
        if examined.holds:
            return examined.received(report)
        return _accepted(office, report, examined, decisions, reason, progress)


def refuse(office: Office, report: int, reason: str) -> None:
    """Refuse a staged report; it is kept. Raises UsageError for one that is not staged."""
    with office.store.writing():
        state = office.store.value("select state from report where id = ?", (report,))
        if state != "staged":
            raise UsageError(f"report {report} is {state or 'not there'}, and cannot be refused")
        chain.append(office.store, office.actor, "refuse", {"report": report}, reason)


def refused(office: Office, source: Any, reason: str = "") -> Received:
    """Refuse the report of these bytes, which is kept. Raises UsageError if none is."""
    read = reports.content_of(source)
    digest = hashlib.sha256(read).hexdigest()
    found = office.store.value("select id from report where digest = ? and state <> 'refused'", (digest,))
    if found is None:
        raise UsageError(f"{source} is not kept: there is nothing to refuse")
    refuse(office, found, reason)
    return Received(found, digest, (), (), 0, 0, (), (), refused=True)


def _earlier(office: Office, read: reports.Read, decisions: Decisions) -> Received | None:
    """What became of the same bytes before, if they were accepted."""
    found = office.store.row("select id from report where digest = ? and state = 'accepted'", (read.digest,))
    if found is None:
        return None
    pools = {row[0] for row in office.store.rows("select pool from event where report = ?", found)} - {decisions.pool}
    where = f", for the pool {min(pools)!r}" if pools else ""
    text = f"the same report was accepted before, as report {found[0]}{where}; it counts once"
    note = Problem(text, read.source, severity="warning" if pools else "note")
    return Received(found[0], read.digest, (), (), len(read.games), read.games.pending, (), (note,), True, True)


def _staged(office: Office, read: reports.Read) -> int:
    """The number of a report that is kept, for the first time or since it was."""
    known = office.store.value("select id from report where digest = ? and state = 'staged'", (read.digest,))
    if known:
        return int(known)
    number = last_id(office.store, "report") + 1
    body = {"report": number, "digest": read.digest, "size": len(read.content)}
    chain.append(office.store, office.actor, "stage", body, asides={f"r{number}": read.source})
    office.store.run("update report set content = ? where id = ?", (read.content, number))
    return number


def _examined(office: Office, read: reports.Read, decisions: Decisions) -> _Examined:
    people = read.people
    ratings = _ratings(office, decisions.pool) if any(each.rating for each in people) else {}
    matches = match(office, people, decisions.people, decisions.register, ratings, read.source)
    unknown = decisions.people.keys() - {each.key for each in people}
    if unknown:
        raise UsageError(f"nobody in the report is called {', '.join(map(repr, sorted(unknown)))}")
    holds = [problem for problem in read.problems if problem.severity == "error"]
    holds += [each.problem for each in matches if each.problem]
    log = [problem for problem in read.problems if problem.severity != "error"]
    log += [_assumed(each, read.source) for each in matches if each.how in ("decided", "new", "name and year of birth")]
    base = min((each.base for each in office.lists() if each.pool == decisions.pool), default=0)
    holds += _too_early(read, base)
    events = _events(office, read, matches, decisions)
    for event in events:
        if event.same and not decisions.distinct:
            name = office.store.value("select name from event where id = ?", (event.same,))
            text = (
                f"{event.name!r} has the players, dates and results of event {event.same}, {name!r}: probably the same"
            )
            if event.shared:
                by = "round and result, on other days" if event.moved else "day and round"
                text = (
                    f"{event.shared} of the {event.games} game(s) of {event.name!r} are in event {event.same}, "
                    f"{name!r}, by players, {by}: probably the same"
                )
            holds.append(
                Problem(text, read.source, hint="refuse it, leave out what is there, or accept it as distinct")
            )
        elif event.same:
            log.append(
                Problem(
                    f"{event.name!r} is no duplicate of event {event.same}, by decision", read.source, severity="note"
                )
            )
    nth, doubled = numbered(read.games)
    holds += [*doubled, *impossible(read.games), *_reported(office, read.games)]
    log += _odd(read)
    log += _unrated(office, read, decisions.pool)
    if not holds:
        holds += _not_replayable(office, read, decisions.pool)
    return _Examined(read, tuple(matches), tuple(events), nth, tuple(holds), tuple(log))


def _assumed(each: Match, source: str) -> Problem:
    who = each.named.name or each.named.key
    text = f"{who!r} is somebody new" if each.how == "new" else f"{who!r} is person {each.person}, by {each.how}"
    if each.how == "decided":
        text = f"{who!r} is person {each.person}, by decision"
    return Problem(text, source, each.named.line, severity="note")


def _ratings(office: Office, pool: str) -> Mapping[int, float]:
    """What the people of the register are rated now on the pool's first list."""
    which = next((each for each in office.lists() if each.pool == pool), None)
    try:
        history = office.history(which) if which else None
    except LedgerError:  # its rulebook is another one now: that is no reason to take in no games
        return {}
    if history is None:
        return {}
    found = zip(history.players, history.state[:: history.system.width])
    return {int(person): float(rating) for person, rating in found if rating == rating}


def _not_replayable(office: Office, read: reports.Read, pool: str) -> list[Problem]:
    """What keeps the pool's lists from replaying these games, such as a rulebook that settles event by event where
    there are no events. Once they were accepted, no list could be shown any more."""
    from arpad.engine import replay

    problems: dict[str, Problem] = {}
    for which in office.lists():
        try:
            if which.pool == pool and len(read.games) and not _too_early(read, which.base):
                replay(read.games, office.book(which))
        except DataError as error:
            problems |= {f"{each.line} {each.message}": each for each in error.problems}
        except LedgerError:  # its rulebook is another one now: that is no reason to take in no games
            continue
        except ArpadError as error:
            problems[str(error)] = Problem(str(error), read.source)
    return list(problems.values())


def _odd(read: reports.Read) -> list[Problem]:
    """What nothing forbids, and is perhaps not meant."""
    games, today = read.games, date.today().toordinal()
    found = []
    if not len(games):
        found.append(Problem("no game of it counts", read.source, severity="warning"))
    if games.pending:
        text = f"{games.pending} game(s) without a result are not kept: report them when they have one"
        found.append(Problem(text, read.source, severity="warning"))
    late = [row for row, day in enumerate(games.date) if day > today] if games.date is not None else []
    if late:
        line = int(games.line[late[0]]) if games.line is not None else late[0] + 1
        found.append(Problem(f"{len(late)} game(s) of days to come", read.source, line, "date", severity="warning"))
    return found


def _unrated(office: Office, read: reports.Read, pool: str) -> list[Problem]:
    pools = sorted({each.pool for each in office.lists()})
    if pool in pools:
        return []
    text = f"no list rates the pool {pool!r}; pools with a list: {', '.join(map(repr, pools))}"
    return [Problem(text, read.source, severity="warning")]


def _too_early(read: reports.Read, base: int) -> list[Problem]:
    games = read.games
    if not base or games.date is None:
        return []
    early = [row for row, day in enumerate(games.date) if day and day < base]
    if not early:
        return []
    line = int(games.line[early[0]]) if games.line is not None else early[0] + 1
    text = f"{len(early)} game(s) before {date.fromordinal(base)}, where ratings begin"
    return [Problem(text, read.source, line, "date", "leave them out")]


def _events(office: Office, read: reports.Read, matches: Sequence[Match], decisions: Decisions) -> list[EventRead]:
    """The events of a report; games that have none are one that is no event to a rulebook."""
    games = read.games
    codes = _codes(games)
    named = [(event.name, event.start, event.end, False) for event in games.events]
    if not len(games) or -1 in codes:
        days = [day for day, code in zip(games.date, codes) if day and code < 0] if games.date is not None else []
        named.append((read.source or "games", int(min(days, default=0)), int(max(days, default=0)), True))
    who = _provisional(games, matches)
    prints = fingerprints(games, codes, len(named), who)
    asked = {printed: at for at, printed in enumerate(prints)}
    for instead in _merged(office, who):  # the event may have come when somebody still was two people
        asked |= {printed: at for at, printed in enumerate(fingerprints(games, codes, len(named), instead))}
    counts = [0] * len(named)
    for code in codes:
        counts[code] += 1
    known: dict[str, int] = dict(
        office.store.among(
            "select fingerprint, min(event.id) from event where pool = ? and fingerprint in ? group by fingerprint",
            [printed for printed, at in asked.items() if counts[at]],
            [decisions.pool],
        )
    )
    held = {asked[printed]: event for printed, event in known.items()}
    persons = {each.named.key: each.person for each in matches}
    alike = shared(office.store, games, codes, counts, [persons.get(name, 0) for name in games.players], decisions.pool)
    return [
        EventRead(
            name,
            int(start),
            int(end),
            count,
            printed,
            loose,
            *((held[code], 0) if count and code in held else alike.get(code, ())),
        )
        for code, ((name, start, end, loose), printed, count) in enumerate(zip(named, prints, counts))
    ]


def _reported(office: Office, games: Games) -> list[Problem]:
    """Games with an id that another report gave."""
    rows: dict[str, int] = {}
    for row, text in enumerate(games.id if games.id is not None else ()):
        if text:
            rows.setdefault(str(text), row)
    found = office.store.among("select id, min(game) from given where id in ? group by id", rows)
    return [
        Problem(
            f"a game with the id {text!r} was reported before, as game {game}",
            games.source,
            int(games.line[rows[text]]) if games.line is not None else rows[text] + 1,
            hint="leave it out; if that one is wrong, correct it",
        )
        for text, game in found
    ]


def _codes(games: Games) -> list[int]:
    return list(games.event) if games.event is not None else [-1] * len(games)


def _provisional(games: Games, matches: Sequence[Match]) -> list[str]:
    """Who each player is, or most likely is; for fingerprints only."""
    who: dict[str, str] = {}
    for each in matches:
        person = each.person or (each.candidates[0].id if len(each.candidates) == 1 else 0)
        who[each.named.key] = str(person) if person else f"?{each.named.key}"
    return [who.get(name, f"?{name}") for name in games.players]


def _merged(office: Office, who: Sequence[str]) -> list[list[str]]:
    """The same players, each time with one of those who were merged under the number they had before."""
    here = {int(name) for name in who if name.isdecimal()}
    found = office.store.among("select id, merged from person where merged in ? order by id", here)
    return [[str(old) if name == str(now) else name for name in who] for old, now in found]


def _accepted(
    office: Office,
    report: int,
    examined: _Examined,
    decisions: Decisions,
    reason: str,
    progress: Progress | None = None,
) -> Received:
    if examined.holds:
        raise DataError(examined.holds)
    read = examined.read
    persons = registered(office, examined.matches)
    store = office.store
    start = last_id(store, "event")
    events = []
    words = {"log": msgspec.json.encode([str(problem) for problem in examined.log]).decode()}
    people = [str(persons[name]) for name in read.games.players]  # who they are now that everybody has a number
    prints = fingerprints(read.games, _codes(read.games), len(examined.events), people)
    for code, event in enumerate(examined.events):
        number = start + 1 + code
        key = int(hashlib.sha256(f"{read.digest} {code}".encode()).hexdigest()[:15], 16)
        events.append((number, key, event.start, event.end, 0, int(event.loose), prints[code]))
        words[f"e{number}"] = event.name
    body = {"report": report, "pool": decisions.pool, "events": events}
    seq, _ = chain.append(store, office.actor, "accept", body, reason, words)
    written = 0
    for part in parts(read.games, persons, start, len(examined.events), examined.nth):
        first = last_id(store, "game") + 1
        chain.append(store, office.actor, "games", {"report": report, "id": first, "columns": part})
        if progress is not None:
            progress(min(written := written + len(part["key"]), len(read.games)), len(read.games))
    return examined.received(report, accepted=True, seq=seq)
