"""Signing in, and the log of it.

Whoever fails waits: after 5 failures for a name from one network, 20 from a network, or 50 for a name from anywhere,
within 15 minutes, nothing more is tried; the numbers are arpad's own. So who knows a name does not keep its owner out
by five requests. A name that is nobody's, a wrong password and a closed account are told alike and take as long. An
attempt is written down as a failure before it is looked at, so that many at once are no way around the count.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

import msgspec

from arpad.accounts import clock, codes, passwords, sessions
from arpad.accounts.book import LONGEST, Account, account, folded, named
from arpad.bureau.opened import Office
from arpad.errors import UsageError
from arpad.ledger.facts import last_id

Outcome: TypeAlias = Literal["right", "wrong"]

WINDOW = timedelta(minutes=15)
#: Failures within the window for one name from one network, for one name, and from one network.
FOR_NAME_FROM, FOR_NAME, FROM = 5, 50, 20
#: How long the log is kept.
KEPT = timedelta(days=90)


class Attempt(msgspec.Struct, frozen=True):
    """A line of the log. `account` is None where the name tried is nobody's."""

    at: str
    name: str
    account: int | None
    outcome: Outcome
    address: str


class SignedIn(msgspec.Struct, frozen=True):
    """`secret` is that of the new session."""

    account: Account
    secret: str


class Refused(msgspec.Struct, frozen=True):
    """Nobody was let in. `wait`: seconds until anything is tried again, if there were too many failures; else 0."""

    wait: int = 0


def sign_in(
    office: Office, name: str, password: str, address: str = "", before: str = "", code: str = ""
) -> SignedIn | Refused:
    """Let somebody in by name, password and, where the account asks for it, a code. The session that the browser held
    `before` ends."""

    def shown(number: int | None) -> bool:
        return passwords.matches(office, number, password) and codes.fits(office, number or 0, code)

    return _tried(office, name, address, before, shown)


def _tried(
    office: Office, name: str, address: str, before: str, shown: Callable[[int | None], bool]
) -> SignedIn | Refused:
    where, tried = shortened(address), folded(name)[:LONGEST]
    with office.store.writing():
        office.store.run("delete from attempt where at < ?", (clock.stamp(-KEPT),))
        if wait := _wait(office, tried, where):
            return Refused(wait)
        known = named(office, name)
        number = last_id(office.store, "attempt") + 1
        row = (number, clock.stamp(), tried, known.id if known else None, "wrong", where)
        office.store.run("insert into attempt (id, at, name, account, outcome, address) values (?, ?, ?, ?, ?, ?)", row)
    right = shown(known.id if known else None)
    if known is None or not right:
        return Refused()
    with office.store.writing():
        held = account(office, known.id)
        if held.disabled:
            return Refused()
        office.store.run("update attempt set outcome = 'right' where id = ?", (number,))
        sessions.end(office, before)
        return SignedIn(held, sessions.begin(office, held.id, where))


def change_password(office: Office, number: int, old: str, new: str, address: str = "") -> SignedIn | Refused:
    """Another password for whoever knows the old one: all sessions end, and a new one begins. Raises UsageError for a
    poor one."""
    passwords.check(new, account(office, number))
    if old == new:
        raise UsageError("the new password is the old one")
    came = _tried(
        office, account(office, number).name, address, "", lambda whose: passwords.matches(office, whose, old)
    )
    if isinstance(came, Refused):
        return came
    with office.store.writing():
        passwords.set_password(office, number, new)
        return SignedIn(came.account, sessions.begin(office, number, shortened(address)))


def attempts(office: Office, number: int | None = None, most: int = 100) -> list[Attempt]:
    """The log of signing in, the last line first; of one account, or of all names that were tried."""
    clause, values = ("where account = ?", (number,)) if number else ("", ())
    sql = f"select at, name, account, outcome, address from attempt {clause} order by id desc limit {int(most)}"
    return [Attempt(*row) for row in office.store.rows(sql, values)]


def shortened(address: str) -> str:
    """The network of an address: of IPv4 the first 24 bits, of IPv6 48. Blank where there is none."""
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    mapped = getattr(known, "ipv4_mapped", None) or known
    return str(ipaddress.ip_network((mapped, 24 if mapped.version == 4 else 48), strict=False))


def _wait(office: Office, name: str, address: str) -> int:
    """Seconds until a name can be tried from an address; 0: now."""
    longest = 0
    counted: tuple[tuple[str, tuple[str, ...], int], ...] = (
        ("name = ? and address = ?", (name, address), FOR_NAME_FROM),
        ("name = ?", (name,), FOR_NAME),
        ("address = ?", (address,), FROM),
    )
    for which, values, most in counted:
        sql = f"select at from attempt where {which} and outcome = 'wrong' and at > ? order by at desc"
        failed = office.store.rows(f"{sql} limit {most}", (*values, clock.stamp(-WINDOW)))
        if len(failed) == most:
            until = datetime.fromisoformat(failed[-1][0]) + WINDOW
            longest = max(longest, int((until - clock.now()).total_seconds()), 1)
    return longest
