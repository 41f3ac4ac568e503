"""The base of a list moved forward: what everybody held on that day is where the list begins from then on.

Games, acts and corrections before it no longer count; published lists stay. At least ten years of results stay open, as
the description of the ASIGC rating has it.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from msgspec.structs import replace

from arpad.bureau.corrections import Corrected, effect_of, reason_of
from arpad.bureau.opened import Office, RatingList, acts_of, replayed, starts_of
from arpad.bureau.openings import opening_of
from arpad.errors import DataError, UsageError
from arpad.ledger import chain, packed

#: Years of results that always stay open to correction.
OPEN_YEARS = 10


def move_base(
    office: Office, day: date, name: str | None = None, reason: str = "", *, preview: bool = False
) -> Corrected:
    """Move a list's base forward to a day; nobody's rating now may be another one afterwards. It can be taken back.

    Raises UsageError for a day that is not later than the base, or within the last ten years of results, or in the
    middle of what is settled at once.
    """
    if not preview:
        reason_of(reason, "moving a base")
    store = office.store
    with store.trying() if preview else store.writing():
        which = office.which(name)
        ordinal = day.toordinal()
        _refuse(office, which, ordinal)
        before = office.history(which)
        opening = _held_on(office, which, ordinal)
        change = ("list", which.id, {"base": which.base}, {"base": ordinal})
        body: dict[str, Any] = {"list": which.id, "changes": [change], "reverts": 0, "opening": opening}
        seq, _ = chain.append(store, office.actor, "base", body, reason)
        try:
            after = replayed(store, replace(which, base=ordinal), office.book(which))
        except DataError as error:
            raise UsageError(f"{day} is in the middle of what is settled at once: {error.problems[0]}") from None
        effect = effect_of(office, {which.id: before}, {which.id: after})
        if effect.moved:
            text = f"{len(effect.moved)} rating(s) would change, the first of them that of {effect.moved[0].name!r}"
            raise UsageError(f"the base cannot be moved to {day}: {text}")
    return Corrected(0 if preview else seq, (), effect)


def _refuse(office: Office, which: RatingList, ordinal: int) -> None:
    if ordinal <= which.base:
        begins = date.fromordinal(which.base) if which.base else "the first game"
        raise UsageError(f"the base of list {which.name!r} is {begins}, and is only moved forward")
    if office.book(which).editions[0].since and ordinal < office.book(which).editions[0].since.toordinal():  # type: ignore[union-attr]
        raise UsageError(f"the rules of list {which.name!r} begin later than {date.fromordinal(ordinal)}")
    sql = "select max(day) from game join event on event.id = game.event where pool = ? and game.voided = 0"
    last = int(office.store.value(sql, (which.pool,)) or 0)
    if not last:
        raise UsageError(f"list {which.name!r} has no dated games: there is nothing to close")
    newest = date.fromordinal(last)
    latest = newest.replace(year=newest.year - OPEN_YEARS, day=min(newest.day, 28))
    if ordinal > latest.toordinal():
        raise UsageError(
            f"the last {OPEN_YEARS} years of results stay open: the newest is of {newest}, so that the base "
            f"can be moved to {latest} at most"
        )


def _held_on(office: Office, which: RatingList, ordinal: int) -> dict[str, Any]:
    """What everybody held before a day: ids and numbers, without anybody's birth date."""
    from arpad.engine import replay

    store, book = office.store, office.book(which)
    held = packed.load(store, which.pool, which.base)
    starts = starts_of(store)
    start = opening_of(store, which, book, starts)
    acts = [act for act in acts_of(store, which.id) if start is None or act.date >= which.base]
    until = date.fromordinal(ordinal - 1)
    checkpoint = replay(held.games, book, starts if start is None else start, acts, until).checkpoint()
    if checkpoint.through > ordinal:
        ends = date.fromordinal(checkpoint.through)
        raise UsageError(f"the rules settle several days at once: the base can be moved to {ends}, or before")
    plain: dict[str, Any] = {}
    for each in ("facts", "players", "state", "blended", "pools", "fields", "memory", "lasts"):
        column = getattr(checkpoint, each)
        plain[each] = column.tolist() if hasattr(column, "tolist") else column
    plain["state"] = [None if value != value else value for value in plain["state"]]
    return {**plain, "players": [int(player) for player in plain["players"]], "through": ordinal}
