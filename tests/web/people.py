"""Somebody signed in at an office's web, as a test needs them; and programs with a token."""

from __future__ import annotations

from typing import Any

import pytest
from argon2 import PasswordHasher
from litestar.testing import TestClient

from arpad.accounts import Role, book, passwords, sessions, tokens
from arpad.accounts.book import Account
from arpad.bureau.opened import Office, open_office

PASSWORD = "a rook and two pawns"
FORM = "arpad-form"


def account_of(place: str, name: str, role: Role, person: int | None = None, password: str = "") -> Account:
    """A new account of an office, with a password if one is given: to hash one takes a while."""
    with open_office(place) as office:
        made = book.add(office, name, role, person, by="admin")
        if password:
            passwords.set_password(office, made.id, password)
        return made


def signed_in(client: TestClient, place: Any, role: Role, name: str = "", person: int | None = None) -> Account:
    """The client is somebody of this role from now on."""
    made = account_of(str(place), name or role, role, person)
    enter(client, place, made.id)
    return made


def enter(client: TestClient, place: Any, account: int) -> None:
    """The client has a new session of this account, and what its forms send."""
    with open_office(str(place)) as office:
        client.cookies.clear()
        client.cookies.set("arpad", sessions.begin(office, account))
    assert client.get("/en/account").status_code == 200


def sent(client: TestClient, path: str, form: str = "/en/account", **data: Any) -> Any:
    """The answer to a form, with what its page (`form`) gave the browser to send."""
    if FORM not in client.cookies:
        client.get(form)
    checked = {"_csrf_token": client.cookies.get(FORM, ""), **data}
    return client.post(path, data=checked, follow_redirects=False)


def bearing(office: Office, role: Role, *scopes: str, name: str = "") -> dict[str, str]:
    """Headers of a program with a token of a new account."""
    owner = book.add(office, name or f"{role} {'-'.join(scopes)}", role, by="admin")
    made = tokens.make(office, owner.id, "a program", scopes)
    return {"Authorization": f"Bearer {made.secret}"}


def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords are hashed with parameters that keep no secret, and no test waiting."""
    monkeypatch.setattr(passwords, "HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    passwords._nobodys.cache_clear()
