"""Accounts: what somebody sees of their own, and officers of all."""

from __future__ import annotations

import msgspec

from arpad.accounts import Role, at_least, book, codes, sessions, signing, tokens
from arpad.accounts.book import GIVES, Account
from arpad.accounts.sessions import Session
from arpad.accounts.signing import Attempt
from arpad.accounts.tokens import NEEDS, Scope, Token
from arpad.bureau.opened import Office


class MyAccount(msgspec.Struct, frozen=True):
    """One's own account: its sessions, tokens, the last attempts to sign in with it, the scopes it can give, and
    whether signing in asks for a code."""

    account: Account
    sessions: tuple[Session, ...]
    tokens: tuple[Token, ...]
    attempts: tuple[Attempt, ...]
    scopes: tuple[Scope, ...]
    code: bool


class Everybody(msgspec.Struct, frozen=True):
    """All accounts, with the names of who they are in the register; the log of signing in; the roles that the reader
    can give."""

    accounts: tuple[Account, ...]
    people: dict[int, str]
    attempts: tuple[Attempt, ...]
    roles: tuple[Role, ...]


def mine(office: Office, number: int) -> MyAccount:
    """Raises UnknownName for an account that is not there."""
    with office.store.reading():
        account = book.account(office, number)
        scopes = tuple(scope for scope, role in NEEDS.items() if at_least(account.role, role))
        return MyAccount(
            account,
            tuple(sessions.of(office, number)),
            tuple(tokens.of(office, number)),
            tuple(signing.attempts(office, number, 20)),
            scopes,
            codes.asks(office, number),
        )


def everybody(office: Office, role: Role) -> Everybody:
    """As somebody of a role sees them."""
    with office.store.reading():
        accounts = tuple(book.accounts(office))
        people = office.names(each.person for each in accounts if each.person is not None)
        return Everybody(accounts, people, tuple(signing.attempts(office)), GIVES.get(role, ()))
