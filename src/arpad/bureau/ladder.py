"""A ladder: a list of an office on which matches are reported by who played them.

    match = report(office, "club", 17, 23, 1.0, date(2026, 5, 4), Who("player", 17))
    confirm(office, match.id, Who("player", 23))         # now it is a game like any other, in the log

A match is reported; then the other player, the passing of so many hours, or an officer confirms it, or it is disputed,
and an officer settles it. Only then is it a fact: reports lie beside the log, and no bundle has them. One pair has one
match a day and number, so that whoever says it again, or the other player too, says the same match.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Literal, TypeAlias

from arpad.bureau.intake import Decisions, receive
from arpad.bureau.ladder_rows import (
    COLUMNS,
    COUNTED,
    LONGEST,
    MOST,
    TABLES,
    WAITING,
    Ladder,
    LadderMatch,
    State,
    Who,
    ladder,
    match,
    read,
    stamp,
    step,
    utc,
)
from arpad.bureau.opened import Office, RatingList
from arpad.errors import ArpadError, Busy, DataError, NotAllowed, UnknownName, UsageError
from arpad.formats.hidden import typed
from arpad.ledger.facts import last_id
from arpad.model import Game, Problem

#: How far the first clocks of the world are ahead of UTC: the day may be a later one there.
AHEAD = timedelta(hours=14)
#: Whose numbers the players of a report are, and who confirms what nobody did.
NUMBERS, CLOCK = "person", "ladder"
#: What may be done with a match that was reported.
Act: TypeAlias = Literal["confirm", "dispute", "withdraw", "settle"]


def report(
    office: Office,
    name: str | None,
    first: int,
    second: int,
    score: float,
    day: date,
    who: Who,
    *,
    number: int = 1,
    note: str = "",
    now: datetime | None = None,
) -> LadderMatch:
    """Report a match; `score` is the first player's. Said again it is the same match, by the other player it is
    confirmed, and said otherwise by the other player, disputed.

    Raises NotAllowed for who may not, DataError for a match that cannot be, UsageError where the pair's match of this
    number is known to have ended otherwise.
    """
    now = now or utc()
    with office.store.writing():
        which, held = office.which(name), ladder(office, name)
        if not held.open:
            raise UsageError(f"list {which.name!r} takes no reports of matches any more")
        first, second = (person_of(office, each) for each in (first, second))
        _may_report(held, who, (first, second))
        if problems := [*_wrong(which, held, first, second, score, day, number, note, now)]:
            raise DataError(problems)
        if known := same(office, which, first, second, day, number):
            return _again(office, known, known.scored(first, score), who, note, now)
        made = last_id(office.store, "ladder_match") + 1
        due = stamp(now + timedelta(hours=held.rules.hours)) if held.rules.hours else ""
        row = {
            "id": made,
            "list": which.id,
            "first": first,
            "second": second,
            "low": min(first, second),
            "high": max(first, second),
            "day": day.toordinal(),
            "number": number,
            "score": score,
            "note": typed(note.strip()),
            "state": "reported",
            "key": f"{CLOCK}-{stamp(now)}-{made}-{secrets.token_hex(4)}",
            "at": stamp(now),
            "actor": office.actor,
            "reporter": who.person if who.person in (first, second) else 0,
            "account": who.account,
            "due": due,
            **dict.fromkeys(("dispute", "decided", "decider"), ""),
            "game": 0,
        }
        office.store.insert("ladder_match", list(row), [list(row.values())])
        step(office, made, "reported")
        return match(office, made)


def confirm(office: Office, number: int, who: Who, *, now: datetime | None = None) -> LadderMatch:
    """The other player, or an officer, says that a match ended as it was reported: it counts. Twice is once.

    Raises NotAllowed for others, UsageError for a match that is disputed or gone, DataError for one that cannot count.
    """
    with office.store.writing():
        held = match(office, number)
        _may_answer(held, who)
        return held if held.state in COUNTED else _counts(office, held, held.score, "confirmed", now or utc())


def dispute(office: Office, number: int, who: Who, text: str) -> LadderMatch:
    """The other player, or an officer, says that a match did not end so. Raises NotAllowed for others, UsageError
    without words, and for a match that counts already."""
    if not 0 < len(text.strip()) <= LONGEST:
        raise UsageError(f"say what is not right, in no more than {LONGEST} letters")
    with office.store.writing():
        held = match(office, number)
        _may_answer(held, who)
        if held.state == "disputed":
            return held
        _only(held, "reported")
        return _changed(office, held, state="disputed", dispute=typed(text.strip()))


def settle(
    office: Office, number: int, score: float | None, who: Who, reason: str = "", *, now: datetime | None = None
) -> LadderMatch:
    """An officer says how a match ended (the first player's score), or that it is dropped (None). Raises NotAllowed for
    others, UsageError for a match that was decided otherwise."""
    if who.role != "officer":
        raise NotAllowed("only officers settle matches")
    with office.store.writing():
        held = match(office, number)
        if (held.state == "dropped" and score is None) or (held.state == "settled" and held.final == score):
            return held
        _only(held, *WAITING)
        if score is None:
            return _changed(office, held, state="dropped", decided=stamp(now or utc()), decider=office.actor)
        if score not in (0.0, 0.5, 1.0):
            raise UsageError("a match ends 1-0, 0-1 or 1/2-1/2")
        return _counts(office, held, score, "settled", now or utc(), reason)


def withdraw(office: Office, number: int, who: Who, *, now: datetime | None = None) -> LadderMatch:
    """Whoever reported a match takes it back, before it was confirmed. Raises NotAllowed for others."""
    with office.store.writing():
        held = match(office, number)
        if not _reported_by(held, who) and who.role != "officer":
            raise NotAllowed("a report is taken back by who reported it")
        if held.state == "withdrawn":
            return held
        _only(held, "reported")
        return _changed(office, held, state="withdrawn", decided=stamp(now or utc()), decider=office.actor)


def tick(office: Office, now: datetime | None = None, most: int = 0) -> list[LadderMatch]:
    """Confirm what nobody disputed in time (`most`: no more at once; 0: all); what cannot count is disputed, with what
    keeps it. Each is a transaction of its own, so that none keeps the others waiting."""
    now = now or utc()
    sql = "select id from ladder_match where state = 'reported' and due <> '' and due <= ? order by id"
    sql += f" limit {int(most)}" if most else ""
    found, actor = [], office.actor
    office.actor = CLOCK
    try:
        for (number,) in office.store.rows(sql, (stamp(now),)):
            found.append(_ticked(office, number, now))
    finally:
        office.actor = actor
    return found


def _ticked(office: Office, number: int, now: datetime) -> LadderMatch:
    try:
        with office.store.writing():
            held = match(office, number)  # somebody may have been quicker
            return held if held.state != "reported" else _counts(office, held, held.score, "confirmed", now)
    except Busy:
        raise
    except ArpadError as error:
        with office.store.writing():
            held = match(office, number)
            return _changed(office, held, state="disputed", dispute=str(error)[:LONGEST])


def _wrong(
    which: RatingList,
    held: Ladder,
    first: int,
    second: int,
    score: float,
    day: date,
    number: int,
    note: str,
    now: datetime,
) -> Iterator[Problem]:
    if first == second:
        yield Problem("nobody plays against themselves")
    if score not in (0.0, 0.5, 1.0):
        yield Problem("a match ends 1-0, 0-1 or 1/2-1/2")
    if score == 0.5 and not held.rules.draws:
        yield Problem(f"list {which.name!r} has no draws")
    if day.toordinal() < which.base:
        yield Problem(f"{day} is before {date.fromordinal(which.base)}, where ratings begin")
    if day > (now + AHEAD).date():
        yield Problem(f"{day} is a day to come: report a match when it was played")
    if not 1 <= number <= MOST:
        yield Problem(f"a pair has matches 1 to {MOST} on a day")
    if len(note.strip()) > LONGEST:
        yield Problem(f"a note has no more than {LONGEST} letters")


def acts(held: LadderMatch, who: Who) -> tuple[Act, ...]:
    """What somebody may do with a match now."""
    officer = who.role == "officer"
    answers = officer or (who.person in held.players and not _reported_by(held, who))
    if held.state == "reported":
        mine: tuple[Act, ...] = ("withdraw",) if officer or _reported_by(held, who) else ()
        return (*(("confirm", "dispute") if answers else ()), *mine, *(("settle",) if officer else ()))
    return ("settle",) if officer and held.state == "disputed" else ()


def _may_report(held: Ladder, who: Who, players: Sequence[int]) -> None:
    allowed = who.role == "officer" or who.person in players
    allowed |= who.role == "reporter" and held.rules.reporters == "reporters"
    if not allowed:
        raise NotAllowed("one reports one's own matches" if who.person else "whose account is no player reports none")


def _reported_by(held: LadderMatch, who: Who) -> bool:
    return bool((who.person and who.person == held.reporter) or (who.account and who.account == held.account))


def _may_answer(held: LadderMatch, who: Who) -> None:
    if who.role == "officer":
        return
    if who.person not in held.players:
        raise NotAllowed(f"match {held.id} is answered by its players")
    if _reported_by(held, who):
        raise NotAllowed(f"match {held.id} is answered by the other player: you reported it")


def _only(held: LadderMatch, *states: State) -> None:
    if held.state not in states:
        hint = "; an officer settles it" if held.state == "disputed" else ""
        hint = f"; if game {held.game} is wrong, an officer corrects it" if held.game else hint
        raise UsageError(f"match {held.id} is {held.state}{hint}")


def person_of(office: Office, number: int) -> int:
    """Who a number is now. Raises UnknownName for nobody."""
    found = office.store.value("select coalesce(merged, id) from person where id = ?", (number,))
    if found is None:
        raise UnknownName("person", str(number), [])
    return int(found)


def same(office: Office, which: RatingList, one: int, other: int, day: date, number: int) -> LadderMatch | None:
    """The match of this number that a pair has on a day, by any number that either had."""
    sql = "select id from person where id in (?, ?) or merged in (?, ?)"
    numbers = [row[0] for row in office.store.rows(sql, (one, other, one, other))]
    marks = ", ".join("?" * len(numbers))
    sql = (
        f"select {COLUMNS} from {TABLES} where held.list = ? and low in ({marks}) and high in ({marks}) "
        "and day = ? and number = ? and state not in ('dropped', 'withdrawn')"
    )
    rows = office.store.rows(sql, (which.id, *numbers, *numbers, day.toordinal(), number))
    return next((each for each in map(read, rows) if {*each.players} == {one, other}), None)


def _again(office: Office, known: LadderMatch, said: float, who: Who, note: str, now: datetime) -> LadderMatch:
    """A match that was reported, reported once more."""
    held = known.final if known.final is not None else known.score
    other = who.person in known.players and not _reported_by(known, who)
    if said == held or (known.state == "disputed" and said == known.said):
        return _counts(office, known, said, "confirmed", now) if other and known.state == "reported" else known
    if known.state == "reported" and other:
        return _changed(office, known, state="disputed", said=said, dispute=typed(note.strip()))
    hint = "withdraw that report first" if known.state == "reported" else "a correction is for an officer"
    raise UsageError(
        f"match {known.id} of this pair and day is {known.state} with another result; {hint}; "
        f"if there was one more match that day, give it the next number"
    )


def _counts(
    office: Office, held: LadderMatch, score: float, state: State, now: datetime, reason: str = ""
) -> LadderMatch:
    """A match becomes a game, once: the ledger takes no other game with its key."""
    _only(held, *(WAITING if state == "settled" else ("reported",)))
    if held.first == held.second:  # two when they reported it, who were merged since
        raise DataError([Problem(f"the players of match {held.id} are one person, {held.first}")])
    which = office.which(held.list)
    one, other = (str(each) for each in held.players)
    event = f"{held.list}: match {held.id}"
    game = Game(one, other, score, 1.0 - score, held.day, event, id=held.key)
    decided = Decisions({one: held.first, other: held.second}, distinct=True, ids=NUMBERS, pool=which.pool)
    done = receive(office, [game], decided, reason=reason)
    if not done.accepted:
        raise DataError(done.holds)
    made = office.store.value("select game from given where id = ?", (held.key,))
    return _changed(office, held, state=state, final=score, game=made, decided=stamp(now), decider=office.actor)


def _changed(office: Office, held: LadderMatch, **values: Any) -> LadderMatch:
    told = ", ".join(f"{name} = ?" for name in values)
    office.store.run(f"update ladder_match set {told} where id = ?", (*values.values(), held.id))
    if "state" in values:
        step(office, held.id, values["state"])
    return match(office, held.id)
