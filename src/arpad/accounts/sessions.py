"""Sessions: who is signed in. The browser holds 256 random bits, the office their digest.

A session ends 12 hours after it was last used, 7 days after it began, by signing out, and whenever the account's
password, role or state changes. The hours and days are arpad's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import msgspec

from arpad.accounts import clock, secret
from arpad.bureau.opened import Office

IDLE, WHOLE = timedelta(hours=12), timedelta(days=7)
#: How exactly is kept when a session was last used.
STEP = timedelta(minutes=5)
#: Digits of a session's digest that name it to its owner.
SHORT = 16


class Session(msgspec.Struct, frozen=True):
    """`id` is the beginning of the digest; `address` that of the browser that began it, shortened."""

    id: str
    account: int
    began: str
    seen: str
    address: str

    @property
    def stale(self) -> bool:
        """Whether it is time to keep that it was used again."""
        return clock.now() - datetime.fromisoformat(self.seen) >= STEP


COLUMNS = "digest, account, began, seen, address"


def begin(office: Office, account: int, address: str = "") -> str:
    """A new session; returns its secret. Sessions that are over go."""
    made, now = secret.fresh(), clock.stamp()
    with office.store.writing():
        office.store.run("delete from session where seen < ? or began < ?", _oldest())
        office.store.run(
            f"insert into session ({COLUMNS}) values (?, ?, ?, ?, ?)", (secret.digest(made), account, now, now, address)
        )
    return made


def find(office: Office, given: str) -> Session | None:
    """The session of a secret, as long as it lasts and its account is open."""
    sql = (
        f"select {COLUMNS} from session join account on account.id = account "
        "where digest = ? and seen >= ? and began >= ? and disabled = 0"
    )
    row = office.store.row(sql, (secret.digest(given), *_oldest()))
    return None if row is None else Session(row[0][:SHORT], *row[1:])


def use(office: Office, given: str) -> None:
    """Keep that a session is used now."""
    office.store.run("update session set seen = ? where digest = ?", (clock.stamp(), secret.digest(given)))


def of(office: Office, account: int) -> Iterator[Session]:
    """The sessions of an account that last, the last used one first."""
    sql = f"select {COLUMNS} from session where account = ? and seen >= ? and began >= ? order by seen desc, digest"
    for row in office.store.rows(sql, (account, *_oldest())):
        yield Session(row[0][:SHORT], *row[1:])


def end(office: Office, given: str) -> None:
    """End the session of a secret, if there is one."""
    office.store.run("delete from session where digest = ?", (secret.digest(given),))


def end_one(office: Office, account: int, session: str) -> None:
    """End one of an account's sessions by its id."""
    sql = f"delete from session where account = ? and substr(digest, 1, {SHORT}) = ?"
    office.store.run(sql, (account, session))


def end_all(office: Office, account: int) -> None:
    office.store.run("delete from session where account = ?", (account,))


def _oldest() -> tuple[str, str]:
    return clock.stamp(-IDLE), clock.stamp(-WHOLE)
