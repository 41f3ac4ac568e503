"""The accounts of an office: a name to sign in with, a role, and perhaps who they are in the register."""

from __future__ import annotations

import unicodedata
from typing import Any

import msgspec

from arpad.accounts import ROLES, Role, at_least, clock, sessions
from arpad.bureau.opened import Office
from arpad.errors import NotAllowed, UnknownName, UsageError
from arpad.ledger.facts import last_id

#: Letters of a name to sign in with.
LONGEST = 80
#: Who may give which roles, and take them: officers let people in, administrators say who is an officer.
GIVES: dict[Role, tuple[Role, ...]] = {"officer": ("member", "reporter"), "admin": ROLES[1:]}


class Account(msgspec.Struct, frozen=True):
    """`person` is who they are in the register, by number; `ready` says that a password is set; `made` an instant."""

    id: int
    name: str
    role: Role
    person: int | None
    disabled: bool
    ready: bool
    made: str


# Of merged people, the one that they are now.
COLUMNS = "account.id, name, role, coalesce(merged, person.id), disabled, password <> '', made"
TABLES = "account left join person on person.id = account.person"


def read(row: tuple[Any, ...]) -> Account:
    """An account as COLUMNS of TABLES say it."""
    number, name, role, person, disabled, ready, made = row
    return Account(number, name, role, person, bool(disabled), bool(ready), made)


def accounts(office: Office) -> list[Account]:
    """All of them, by name."""
    return [read(row) for row in office.store.rows(f"select {COLUMNS} from {TABLES} order by folded")]


def account(office: Office, number: int) -> Account:
    """Raises UnknownName for a number that is nobody's."""
    found = office.store.row(f"select {COLUMNS} from {TABLES} where account.id = ?", (number,))
    if found is None:
        raise UnknownName("account", str(number), [])
    return read(found)


def named(office: Office, name: str) -> Account | None:
    """The account of a name, however it is capitalised and spaced."""
    found = office.store.row(f"select {COLUMNS} from {TABLES} where folded = ?", (folded(name),))
    return None if found is None else read(found)


def called(office: Office, name: str) -> Account:
    """The same. Raises UnknownName for a name that is nobody's."""
    found = named(office, name)
    if found is None:
        raise UnknownName("account", name, [each.name for each in accounts(office)])
    return found


def folded(name: str) -> str:
    """A name as names are compared."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def add(office: Office, name: str, role: Role, person: int | None = None, *, by: Role) -> Account:
    """A new account, without a password yet. Raises NotAllowed, UsageError for a name that is taken or none, and
    UnknownName for a person who is not in the register."""
    shown = " ".join(unicodedata.normalize("NFC", name).split())
    if not 0 < len(shown) <= LONGEST or not shown.isprintable():
        raise UsageError(f"a name to sign in with has between 1 and {LONGEST} printable letters")
    allowed(by, role)
    with office.store.writing():
        if named(office, shown):
            raise UsageError(f"there is an account {shown!r} already")
        if person is not None and not office.store.value("select count(*) from person where id = ?", (person,)):
            raise UnknownName("person", str(person), [])
        number = last_id(office.store, "account") + 1
        columns = "id, name, folded, role, person, disabled, password, key, step, made"
        values = (number, shown, folded(shown), role, person, 0, "", "", -1, clock.stamp())
        office.store.run(f"insert into account ({columns}) values ({', '.join('?' * len(values))})", values)
        return account(office, number)


def change_role(office: Office, number: int, role: Role, *, by: Role) -> Account:
    """Another role; whoever is signed in is signed out. Raises NotAllowed, and UsageError where nobody would be left
    who can give roles."""
    with office.store.writing():
        _change(office, number, by, "role", role)
        allowed(by, role)
        return account(office, number)


def disable(office: Office, number: int, disabled: bool = True, *, by: Role) -> Account:
    """Close an account, or open it again. Raises NotAllowed, and UsageError where nobody would be left who can give
    roles."""
    with office.store.writing():
        _change(office, number, by, "disabled", int(disabled))
        return account(office, number)


def _change(office: Office, number: int, by: Role, column: str, value: object) -> None:
    held = account(office, number)
    allowed(by, held.role)
    office.store.run(f"update account set {column} = ? where id = ?", (value, number))
    sessions.end_all(office, number)
    left = office.store.value("select count(*) from account where role = 'admin' and disabled = 0")
    if held.role == "admin" and not held.disabled and not left:
        raise UsageError(f"{held.name!r} is the last administrator: nobody could give roles any more")


def allowed(by: Role, role: Role) -> None:
    """Raises NotAllowed where a role cannot make and change accounts of another one."""
    given = GIVES.get(by, ())
    if role not in given:
        who = "an administrator" if at_least(by, "officer") else "an officer"
        raise NotAllowed(f"accounts of the role {role!r} are for {who} to make and to change")
