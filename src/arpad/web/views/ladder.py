"""Ladders: standings, matches with what whoever asks may do with them, what is at stake, and the officer's desk."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Literal

import msgspec

from arpad.bureau import ladder, stakes
from arpad.bureau.ladder_rows import WAITING, Ladder, LadderMatch, Queue, State, Who, matches, queue
from arpad.bureau.ladder_rows import ladder as ladder_of
from arpad.bureau.ladder_rows import match as match_of
from arpad.bureau.lists import today
from arpad.bureau.opened import Office
from arpad.bureau.seasons import Season, SeasonBegun, Way, season, seasons
from arpad.bureau.stakes import Stake
from arpad.errors import UnknownName
from arpad.web.views.lists import Row, whole_list
from arpad.web.views.reports import unmoved

#: Rows of a standing, rows on each side of somebody, and matches on a page.
SIZE, AROUND, SHOWN = 100, 3, 50
#: Results as they are written, with the first player's score.
SCORES = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}

Result = Literal["1-0", "0-1", "1/2-1/2"]


class MatchRow(msgspec.Struct, frozen=True):
    """A match; `may` is what whoever asks may do with it. Notes are for who is signed in. Results are the first
    player's: `reported`, what the other one `said`, and how it `counts`, in `game` (0: it does not)."""

    id: int
    list: str
    first: int
    first_name: str
    second: int
    second_name: str
    date: date
    number: int
    state: State
    reported: Result
    said: Result | None
    counts: Result | None
    game: int
    at: str
    by: int
    due: str
    note: str
    dispute: str
    decided: str
    decider: str
    may: tuple[ladder.Act, ...]


class Matches(msgspec.Struct, frozen=True):
    """Matches of a ladder, the last reported first."""

    list: str
    matches: tuple[MatchRow, ...]


class LadderPage(msgspec.Struct, frozen=True):
    """A ladder: its standing from `start` on, those around whoever asks (`person`, 0: nobody), and its matches."""

    list: str
    ladder: Ladder
    person: int
    players: int
    start: int
    rows: tuple[Row, ...]
    around: tuple[Row, ...]
    waiting: tuple[MatchRow, ...]
    mine: tuple[MatchRow, ...]


class LadderTold(msgspec.Struct, frozen=True):
    """How a ladder is kept, and what of it waits to be rated."""

    ladder: Ladder
    queue: Queue


class Seasons(msgspec.Struct, frozen=True):
    """The seasons of a list, the last one first; those that were taken back too."""

    list: str
    seasons: tuple[SeasonBegun, ...]


class Lines(msgspec.Struct, frozen=True):
    """A ladder as an officer keeps it; `ladder` None: the list never was one."""

    list: str
    ladder: Ladder | None
    disputed: tuple[MatchRow, ...]
    seasons: tuple[SeasonBegun, ...]


class SeasonPreview(msgspec.Struct, frozen=True):
    """What a season would do, and the last entry that it was looked at after."""

    season: Season
    head: int


def result_of(score: float) -> Result:
    found: Result = "1-0" if score == 1.0 else "0-1" if score == 0.0 else "1/2-1/2"
    return found


def _rows(office: Office, found: Sequence[LadderMatch], who: Who) -> tuple[MatchRow, ...]:
    names = office.names({person for each in found for person in each.players})
    quiet = office.audience == "public"
    return tuple(
        MatchRow(
            each.id,
            each.list,
            each.first,
            names[each.first],
            each.second,
            names[each.second],
            each.day,
            each.number,
            each.state,
            result_of(each.score),
            None if each.said is None else result_of(each.said),
            None if each.final is None else result_of(each.final),
            each.game,
            each.at,
            each.reporter,
            each.due if each.state == "reported" else "",
            "" if quiet else each.note,
            "" if quiet else each.dispute,
            each.decided,
            each.decider,
            ladder.acts(each, who),
        )
        for each in found
    )


def row_of(office: Office, held: LadderMatch, who: Who) -> MatchRow:
    return _rows(office, [held], who)[0]


def one(office: Office, number: int, who: Who, name: str | None = None) -> MatchRow:
    """Raises UnknownName for a match that is not there, or not on that list."""
    with office.store.reading():
        held = match_of(office, number)
        if name not in (None, held.list):
            raise UnknownName("match", str(number), [])
        return row_of(office, held, who)


def listed(office: Office, name: str, states: Sequence[State], person: int, after: int, most: int, who: Who) -> Matches:
    with office.store.reading():
        held = ladder_of(office, name)
        return Matches(held.list, _rows(office, matches(office, name, states, person, after, most), who))


def told(office: Office, name: str) -> LadderTold:
    """Raises UnknownName for a list that never was a ladder."""
    with office.store.reading():
        return LadderTold(ladder_of(office, name), queue(office, name))


def begun(office: Office, name: str) -> Seasons:
    """Raises UnknownName for a list that is not there."""
    with office.store.reading():
        return Seasons(office.which(name).name, tuple(seasons(office, name)))


def page(office: Office, name: str, who: Who, start: int = 0) -> LadderPage:
    with office.store.reading():
        held = ladder_of(office, name)
        rows = whole_list(office, name, None).rows
        at = next((at for at, row in enumerate(rows) if row.person == who.person), None)
        around = () if at is None else rows[max(0, at - AROUND) : at + AROUND + 1]
        waiting = _rows(office, matches(office, name, WAITING, most=SHOWN), who)
        mine = _rows(office, matches(office, name, person=who.person, most=SHOWN), who) if who.person else ()
        shown = rows[max(0, start) : max(0, start) + SIZE]
        return LadderPage(held.list, held, who.person, len(rows), max(0, start), shown, around, waiting, mine)


def lines(office: Office, who: Who) -> tuple[Lines, ...]:
    """Every list of the office, as it may be a ladder."""
    with office.store.reading():
        found = []
        for which in office.lists():
            try:
                held = ladder_of(office, which.name)
            except UnknownName:
                held = None
            disputed = _rows(office, matches(office, which.name, ["disputed"]), who)
            found.append(Lines(which.name, held, disputed, tuple(seasons(office, which.name))))
        return tuple(found)


def stake(office: Office, name: str, first: int, second: int, day: date | None) -> Stake:
    return stakes.stake(office, name, first, second, day or today())


def preview(office: Office, name: str, day: date, way: Way, called: str, keep_list: bool) -> SeasonPreview:
    """What a season would do to everybody."""
    found = season(office, name, day, way, called, keep_list=keep_list, preview=True)
    return SeasonPreview(found, office.head)


def begin(
    office: Office, name: str, day: date, way: Way, called: str, keep_list: bool, head: int | None = None
) -> Season:
    """Begin a season, if nothing was entered since its preview. Raises Stale."""
    with office.store.writing():
        unmoved(office, head)
        return season(office, name, day, way, called, keep_list=keep_list)


class Said(msgspec.Struct, frozen=True):
    """A match as somebody reports it; `day` None: today (UTC)."""

    first: int
    second: int
    result: Result
    day: date | None = None
    number: int = 1
    note: str = ""


def report(office: Office, name: str, said: Said, who: Who) -> MatchRow:
    day = said.day or today()
    given = name, said.first, said.second, SCORES[said.result], day, who
    return row_of(office, ladder.report(office, *given, number=said.number, note=said.note), who)


def act(
    office: Office, number: int, what: ladder.Act, who: Who, text: str = "", result: Result | None = None
) -> MatchRow:
    """Confirm, dispute, settle (without a result: drop) or withdraw a match."""
    if what == "confirm":
        held = ladder.confirm(office, number, who)
    elif what == "dispute":
        held = ladder.dispute(office, number, who, text)
    elif what == "withdraw":
        held = ladder.withdraw(office, number, who)
    else:
        held = ladder.settle(office, number, SCORES[result] if result else None, who, text)
    return row_of(office, held, who)
