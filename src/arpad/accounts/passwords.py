"""Passwords: Argon2id with its library's own parameters, made anew where those have changed since."""

from __future__ import annotations

import secrets
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from arpad.accounts import sessions
from arpad.accounts.book import Account, account
from arpad.bureau.opened import Office
from arpad.errors import UsageError

#: Letters of a password, arpad's own. Length is all that is asked: rules on kinds of letters make passwords easier to
#: guess.
SHORTEST, LONGEST = 12, 1000

HASHER = PasswordHasher()


def set_password(office: Office, number: int, password: str) -> None:
    """Give an account a password; whoever is signed in with it is signed out. Raises UsageError for a poor one."""
    with office.store.writing():
        check(password, account(office, number))
        office.store.run("update account set password = ? where id = ?", (_hash(password), number))
        sessions.end_all(office, number)


#: What `fault` finds, in words.
FAULTS = {
    "length": f"a password has {SHORTEST} letters or more, and no more than {LONGEST}",
    "easy": "this password is too easy to guess",
}


def fault(password: str, whose: Account) -> str:
    """What is wrong with a password, as a key of FAULTS; blank: nothing."""
    if not SHORTEST <= len(password) <= LONGEST:
        return "length"
    return "easy" if len(set(password)) < 5 or password.casefold() == whose.name.casefold() else ""


def check(password: str, whose: Account) -> None:
    """Raises UsageError for a password that is too easy to guess, or too long to be one."""
    if found := fault(password, whose):
        raise UsageError(FAULTS[found])


def matches(office: Office, number: int | None, password: str) -> bool:
    """Whether it is the password of an account. Of nobody (None), and of an account without one, it takes as long to
    say no."""
    kept = office.store.value("select password from account where id = ?", (number,)) if number else ""
    right = _verified(kept or _nobodys(), password) and bool(kept)
    if right and HASHER.check_needs_rehash(kept):  # unless somebody gave another one meanwhile
        office.store.run(
            "update account set password = ? where id = ? and password = ?", (_hash(password), number, kept)
        )
    return right


def _verified(kept: str, password: str) -> bool:
    try:
        return HASHER.verify(kept, password.encode("utf-8", "surrogatepass")[: 4 * LONGEST])
    except (VerificationError, InvalidHashError):
        return False


def _hash(password: str) -> str:
    return HASHER.hash(password.encode("utf-8", "surrogatepass"))


@cache
def _nobodys() -> str:
    return HASHER.hash(secrets.token_hex(32))
