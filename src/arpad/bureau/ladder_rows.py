"""What is kept of ladders: how lists are opened to reports of matches, and the matches that were reported."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any, Literal, TypeAlias

import msgspec

from arpad.bureau.opened import Office
from arpad.errors import UnknownName, UsageError
from arpad.ledger.facts import last_id

State: TypeAlias = Literal["reported", "confirmed", "disputed", "settled", "dropped", "withdrawn"]

#: The table of what became of matches.
STEPS = "ladder_step"
#: States of matches that count, of matches that wait for somebody, and of those that are as if they had not been.
COUNTED: tuple[State, ...] = ("confirmed", "settled")
WAITING: tuple[State, ...] = ("reported", "disputed")
GONE: tuple[State, ...] = ("dropped", "withdrawn")
#: Letters of a note, matches of a pair on a day, hours until a match confirms itself: the most there may be,
#: by arpad's own count.
LONGEST, MOST, HOURS = 500, 20, 24 * 90


class Rules(msgspec.Struct, frozen=True):
    """How a ladder is kept. `reporters`: the players of a match alone, or reporters of the office too. `hours` until a
    match that nobody disputed confirms itself; None: it does not."""

    reporters: Literal["players", "reporters"] = "players"
    hours: int | None = 48
    draws: bool = True


#: How a ladder is kept of which nothing else is said.
USUAL = Rules()


class Ladder(msgspec.Struct, frozen=True):
    """A list with reports of matches, `open` to new ones or not any more."""

    list: str
    open: bool
    rules: Rules


class Who(msgspec.Struct, frozen=True):
    """Who acts: a player by their person, a reporter, or an officer. `account` tells them apart where they have one."""

    role: Literal["player", "reporter", "officer"] = "officer"
    person: int = 0
    account: int = 0


class LadderMatch(msgspec.Struct, frozen=True):
    """A match as it was reported. Scores are the first player's. `number` is which one of the pair's that day;
    `reporter` the player who reported it (0: neither); `due` when it confirms itself, blank: never; `said` what the
    other player says it ended; `final` how it counts, in `game`. Instants are UTC, days those of who played."""

    id: int
    list: str
    first: int
    second: int
    day: date
    number: int
    score: float
    note: str
    state: State
    key: str
    at: str
    actor: str
    reporter: int
    account: int
    due: str
    dispute: str
    said: float | None
    final: float | None
    decided: str
    decider: str
    game: int

    @property
    def players(self) -> tuple[int, int]:
        return self.first, self.second

    def scored(self, first: int, score: float) -> float:
        """A score of the player `first` as the first player's of this match."""
        return score if first == self.first else 1.0 - score


def utc() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


def open_ladder(office: Office, name: str | None = None, rules: Rules = USUAL) -> Ladder:
    """Open a list for reports, or change how it is kept. Raises UsageError for hours that cannot be."""
    if rules.hours is not None and not 1 <= rules.hours <= HOURS:
        raise UsageError(f"a match confirms itself after between 1 and {HOURS} hours, or never")
    with office.store.writing():
        which = office.which(name)
        office.store.run("delete from ladder where list = ?", (which.id,))
        row = (which.id, 1, rules.reporters, rules.hours, int(rules.draws))
        office.store.insert("ladder", ("list", "open", "reporters", "hours", "draws"), [row])
        return Ladder(which.name, True, rules)


def close_ladder(office: Office, name: str | None = None) -> Ladder:
    """No new reports; what was reported is still confirmed, disputed and settled."""
    with office.store.writing():
        held = ladder(office, name)
        office.store.run("update ladder set open = 0 where list = ?", (office.which(name).id,))
        return msgspec.structs.replace(held, open=False)


def ladder(office: Office, name: str | None = None) -> Ladder:
    """Raises UnknownName for a list that never was a ladder."""
    which = office.which(name)
    row = office.store.row("select open, reporters, hours, draws from ladder where list = ?", (which.id,))
    if row is None:
        sql = "select name from list join ladder on ladder.list = list.id"
        raise UnknownName("ladder", which.name, [each[0] for each in office.store.rows(sql)])
    return Ladder(which.name, bool(row[0]), Rules(row[1], row[2], bool(row[3])))


COLUMNS = (
    "held.id, list.name, coalesce(one.merged, one.id), coalesce(two.merged, two.id), day, number, score, note, state, "
    "key, at, actor, coalesce(own.merged, own.id, 0), account, due, dispute, said, final, decided, decider, game"
)
TABLES = (
    "ladder_match held join list on list.id = held.list join person one on one.id = held.first "
    "join person two on two.id = held.second left join person own on own.id = held.reporter"
)


def read(row: Sequence[Any]) -> LadderMatch:
    """A match as COLUMNS of TABLES say it."""
    number, name, first, second, day, *more = row
    return LadderMatch(number, name, first, second, date.fromordinal(day), *more)


def match(office: Office, number: int) -> LadderMatch:
    """Raises UnknownName for a match that nobody reported."""
    row = office.store.row(f"select {COLUMNS} from {TABLES} where held.id = ?", (number,))
    if row is None:
        raise UnknownName("match", str(number), [])
    return read(row)


def matches(
    office: Office,
    name: str | None = None,
    states: Sequence[State] = (),
    person: int = 0,
    after: int = 0,
    most: int = 0,
) -> list[LadderMatch]:
    """The matches of a ladder, the last reported first, before the match `after`; of a person, in some states only."""
    where, values = ["held.list = ?"], [office.which(name).id]
    if states:
        where.append(f"state in ({', '.join('?' * len(states))})")
        values += states  # type: ignore[arg-type]
    if person:
        now = "(select coalesce(merged, id) from person where id = ?)"  # whoever the number is now
        where.append(f"{now} in (coalesce(one.merged, one.id), coalesce(two.merged, two.id))")
        values.append(person)
    if after:
        where.append("held.id < ?")
        values.append(after)
    limit = f" limit {int(most)}" if most else ""
    sql = f"select {COLUMNS} from {TABLES} where {' and '.join(where)} order by held.id desc{limit}"
    return [read(row) for row in office.store.rows(sql, values)]


class Queue(msgspec.Struct, frozen=True):
    """Matches of a ladder that are not rated yet: `reported` ones that wait for the other player, `disputed` ones for
    an officer. `due` is when the next one confirms itself (None: none does). What is confirmed is rated at once."""

    reported: int
    disputed: int
    due: str | None


def queue(office: Office, name: str | None = None) -> Queue:
    """What of a ladder waits to be rated."""
    sql = (
        "select sum(case when state = 'reported' then 1 else 0 end), "
        "sum(case when state = 'disputed' then 1 else 0 end), "
        "min(case when state = 'reported' and due <> '' then due end) from ladder_match where list = ?"
    )
    found = office.store.row(sql, (office.which(name).id,))
    assert found is not None  # sums are one row
    return Queue(int(found[0] or 0), int(found[1] or 0), found[2])


class Step(msgspec.Struct, frozen=True):
    """A state that a match came to; `entry` is the last entry of the log then, the one that counts it if it counts."""

    id: int
    match: int
    state: State
    entry: int
    at: str


def step(office: Office, number: int, state: State) -> None:
    """Write down that a match came to a state."""
    row = (last_id(office.store, STEPS) + 1, number, state, office.head, stamp(utc()))
    office.store.insert(STEPS, ("id", "held", "state", "entry", "at"), [row])


def steps(office: Office, after: int, states: Sequence[State]) -> list[Step]:
    """What became of matches after the step `after`, in the order in which it did; of some states only."""
    sql = f"select id, held, state, entry, at from {STEPS} where id > ? order by id"
    return [each for each in (Step(*row) for row in office.store.rows(sql, (after,))) if each.state in states]


def stamp(instant: datetime) -> str:
    """An instant as it is kept: their order is that of their text."""
    return instant.astimezone(UTC).isoformat(timespec="seconds")
