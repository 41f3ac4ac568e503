"""Invites: a link that is shown once, by which whoever gets it gives an account its password, once."""

from __future__ import annotations

from datetime import timedelta

from arpad.accounts import Role, book, clock, passwords, secret
from arpad.accounts.book import COLUMNS, TABLES, Account, account, allowed, read
from arpad.bureau.opened import Office
from arpad.errors import UsageError

#: How long an invite can be taken up.
OPEN = timedelta(days=7)


def invite(office: Office, number: int, *, by: Role) -> str:
    """A new invite for an account, which takes the place of any before; returns its secret. For one with a password it
    is the way to a new one. Raises NotAllowed."""
    made = secret.fresh()
    with office.store.writing():
        held = account(office, number)
        allowed(by, held.role)
        office.store.run("delete from invite where account = ? or expires < ?", (number, clock.stamp()))
        values = (secret.digest(made), number, clock.stamp(OPEN))
        office.store.run("insert into invite (digest, account, expires) values (?, ?, ?)", values)
    return made


def add(office: Office, name: str, role: Role, person: int | None = None, *, by: Role) -> tuple[Account, str]:
    """A new account, and the secret of its invite. Raises what `book.add` raises."""
    with office.store.writing():
        made = book.add(office, name, role, person, by=by)
        return made, invite(office, made.id, by=by)


def invited(office: Office, given: str) -> Account | None:
    """The account that an invite is for, as long as it is open."""
    sql = f"select {COLUMNS} from {TABLES} join invite on invite.account = account.id"
    row = office.store.row(f"{sql} where digest = ? and expires >= ?", (secret.digest(given), clock.stamp()))
    found = None if row is None else read(row)
    return None if found is None or found.disabled else found


def accept(office: Office, given: str, password: str) -> Account:
    """Take up an invite: the account has this password from now on. Raises UsageError for an invite that is not open
    any more, and for a poor password, which leaves it open."""
    with office.store.writing():
        found = invited(office, given)
        if found is None:
            raise UsageError("this invite was taken up, or its time is over; ask for another one")
        passwords.set_password(office, found.id, password)
        office.store.run("delete from invite where account = ?", (found.id,))
        return account(office, found.id)
