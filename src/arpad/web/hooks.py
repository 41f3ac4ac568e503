"""Webhooks: who wants to be told of what, and what is still to be told. All of it is kept in tables of the office.

What happens is what the log says, and what becomes of matches of ladders: each hook has the last entry and the last
step of a match that were looked at for it, and a delivery is written down in the same transaction that moves it on. So
nothing is lost by a crash, and what may have been sent already is sent again under the same number: a receiver that
keeps the numbers is told everything once.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypeAlias

import msgspec

from arpad.bureau.ladder_rows import STEPS, steps
from arpad.bureau.opened import Office
from arpad.errors import UnknownName, UsageError
from arpad.ledger import chain
from arpad.ledger.facts import last_id
from arpad.web.told import HAPPENINGS, OF_KIND, OF_STATE, Happening, of_entry, of_step

State: TypeAlias = Literal["waiting", "delivered", "dead"]

#: Hooks of one account. This number and those below are arpad's own.
MOST = 20
#: The first wait after a failure, which doubles each time, and after how many the delivery is given up: 34 hours in
#: all.
WAIT, ATTEMPTS = timedelta(seconds=30), 13
#: So long a delivery that is under way is not begun again.
LEASE = timedelta(minutes=2)
#: Hooks of those who may have some still: of whoever was closed or has another role nobody hears, until that is undone.
HEARD = (
    "not exists (select 1 from account where account.id = webhook.account "
    "and (disabled <> 0 or role not in ('officer', 'admin')))"
)
#: Hooks for which the log, or matches, went on.
BEHIND = "(entry < ? or step < ?)"
#: So long it is kept what was delivered.
KEPT = timedelta(days=30)


class Hook(msgspec.Struct, frozen=True):
    """Who is told of what. `entry` is the last entry of the log that was looked at."""

    id: int
    url: str
    events: tuple[Happening, ...]
    entry: int
    at: str


class Registered(Hook, frozen=True):
    """A new hook with its secret, which is shown this once."""

    secret: str


class Delivery(msgspec.Struct, frozen=True):
    """Something that is told: the same `id` and body each time it is tried. `status` is what was answered last (None:
    nothing), `due` is when it is tried next."""

    id: str
    hook: int
    entry: int
    event: Happening
    state: State
    attempts: int
    due: str
    status: int | None
    error: str


class Sending(msgspec.Struct, frozen=True):
    """What is sent where."""

    id: str
    url: str
    secret: str
    event: Happening
    body: str


def register(office: Office, account: int, url: str, events: Sequence[Happening]) -> Registered:
    """From the next entry on, and the next step of a match. Raises UsageError for too many."""
    with office.store.writing():
        if office.store.value("select count(*) from webhook where account = ?", (account,)) >= MOST:
            raise UsageError(f"an account has at most {MOST} webhooks")
        secret = f"whsec_{secrets.token_urlsafe(32)}"
        number, head, at = last_id(office.store, "webhook") + 1, office.head, _text(datetime.now(UTC))
        step = last_id(office.store, STEPS)
        kept = tuple(each for each in HAPPENINGS if each in events)
        columns = ("id", "account", "url", "secret", "events", "entry", "at", "step")
        office.store.insert("webhook", columns, [(number, account, url, secret, " ".join(kept), head, at, step)])
        return Registered(number, url, kept, head, at, secret)


def hooks(office: Office, account: int) -> tuple[Hook, ...]:
    sql = "select id, url, events, entry, at from webhook where account = ? order by id"
    return tuple(_hook(row) for row in office.store.rows(sql, (account,)))


def hook(office: Office, account: int, number: int) -> Hook:
    """Raises UnknownName for one that is not there, or is another account's."""
    found = next((each for each in hooks(office, account) if each.id == number), None)
    if found is None:
        raise UnknownName("webhook", str(number), [])
    return found


def remove(office: Office, account: int, number: int) -> None:
    """Nothing is told any more. Raises as `hook` does."""
    with office.store.writing():
        hook(office, account, number)
        office.store.run("delete from delivery where webhook = ?", (number,))
        office.store.run("delete from webhook where id = ?", (number,))


def deliveries(office: Office, account: int, number: int, most: int = 100) -> tuple[Delivery, ...]:
    """The last ones of a hook. Raises as `hook` does."""
    hook(office, account, number)
    return _deliveries(office, f"webhook = ? order by entry desc, id limit {int(most)}", number)


def again(office: Office, account: int, number: int, delivery: str) -> Delivery:
    """Try a delivery again, from the first attempt on. Raises UnknownName for one that is not there."""
    with office.store.writing():
        hook(office, account, number)
        found = _deliveries(office, "webhook = ? and id = ?", number, delivery)
        if not found:
            raise UnknownName("delivery", delivery, [])
        now = _text(datetime.now(UTC))
        sql = "update delivery set state = 'waiting', attempts = 0, due = ? where id = ?"
        office.store.run(sql, (now, delivery))
        return msgspec.structs.replace(found[0], state="waiting", attempts=0, due=now)


def _deliveries(office: Office, which: str, *values: Any) -> tuple[Delivery, ...]:
    sql = f"select id, webhook, entry, event, state, attempts, due, status, error from delivery where {which}"
    rows = office.store.rows(sql, values)
    return tuple(msgspec.convert(dict(zip(Delivery.__struct_fields__, row)), Delivery) for row in rows)


def due(office: Office, now: datetime, most: int = 20) -> list[Sending]:
    """Write down what happened since, and take up to so many deliveries whose time has come."""
    store = office.store
    behind = f"select 1 from webhook where {BEHIND} and {HEARD}"
    late = f"from delivery join webhook on webhook.id = webhook where state = 'waiting' and due <= ? and {HEARD}"
    if (
        store.row(behind, (office.head, last_id(store, STEPS))) is None
        and store.row(f"select 1 {late}", (_text(now),)) is None
    ):
        return []  # nobody else's writing is waited for
    with store.writing():
        _write_down(office, now)
        columns = "delivery.id, url, secret, event, body"
        sql = f"select {columns} {late} order by due, delivery.id limit {int(most)}"
        found = [Sending(*row) for row in store.rows(sql, (_text(now),))]
        for each in found:
            store.run("update delivery set due = ? where id = ?", (_text(now + LEASE), each.id))
    return found


def _write_down(office: Office, now: datetime) -> None:
    store, head, last = office.store, office.head, last_id(office.store, STEPS)
    behind = f"select id, events, entry, step from webhook where {BEHIND} and {HEARD}"
    for number, wanted, entry, step in store.rows(behind, (head, last)):
        kinds = tuple(kind for kind, event in OF_KIND.items() if event in wanted.split())
        states = tuple(state for state, event in OF_STATE.items() if event in wanted.split())
        told = [of_entry(office, number, each) for each in (chain.entries(store, entry + 1, kinds) if kinds else ())]
        told += [of_step(office, number, each) for each in steps(office, step, states)]
        columns = ("id", "webhook", "entry", "event", "body", "state", "attempts", "due", "status", "error")
        rest = ("waiting", 0, _text(now), None, "")
        rows = [(each.id, number, each.entry, each.event, msgspec.json.encode(each).decode(), *rest) for each in told]
        store.insert("delivery", columns, rows)
        store.run("update webhook set entry = ?, step = ? where id = ?", (head, last, number))
    store.run("delete from delivery where state = 'delivered' and due < ?", (_text(now - KEPT),))


def answered(office: Office, delivery: str, now: datetime, status: int | None, error: str) -> None:
    """What came of an attempt: delivered by any answer of success, else tried again later, or given up."""
    store = office.store
    with store.writing():
        attempts = store.value("select attempts from delivery where id = ?", (delivery,))
        if attempts is None:
            return  # the hook was removed meanwhile
        attempts += 1
        done = status is not None and 200 <= status < 300
        state = "delivered" if done else "dead" if attempts >= ATTEMPTS else "waiting"
        due_next = now + WAIT * 2 ** (attempts - 1) if state == "waiting" else now
        sql = "update delivery set state = ?, attempts = ?, due = ?, status = ?, error = ? where id = ?"
        store.run(sql, (state, attempts, _text(due_next), status, error[:500], delivery))


def _hook(row: Sequence[Any]) -> Hook:
    return Hook(row[0], row[1], tuple(row[2].split()), row[3], row[4])


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds")
