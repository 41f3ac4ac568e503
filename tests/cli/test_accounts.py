"""`arpad account`, as somebody at the office's database uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arpad.accounts import invites, signing
from arpad.accounts.signing import SignedIn
from arpad.bureau.opened import open_office
from tests.cli.conftest import Arpad
from tests.web.people import PASSWORD, quick_passwords


@pytest.fixture
def place(arpad: Arpad, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    quick_passwords(monkeypatch)
    assert arpad("init", tmp_path / "club.db").exit_code == 0
    return tmp_path / "club.db"


def test_the_first_account_is_made_with_an_invite_or_a_password(arpad: Arpad, place: Path) -> None:
    made = arpad("account", "add", "anna", "--role", "admin", "--office", place)
    assert made.exit_code == 0
    with open_office(place) as office:
        whose = invites.invited(office, made.stdout.strip().removeprefix("/en/invites/"))
        assert whose is not None
        assert (whose.name, whose.role) == ("anna", "admin")
    again = ("account", "add", "bruno", "--role", "member", "--password-stdin", "--office", place)
    poor = arpad(*again, stdin="short\n")
    assert (poor.exit_code, "12 letters" in poor.stderr) == (2, True)
    assert arpad(*again, stdin=f"{PASSWORD}\n").exit_code == 0
    with open_office(place) as office:
        assert isinstance(signing.sign_in(office, "Bruno", PASSWORD), SignedIn)
    asked = arpad(
        "account", "add", "carla", "--role", "member", "--ask-password", "--office", place, stdin=f"{PASSWORD}\n" * 2
    )
    assert asked.exit_code == 0
    assert PASSWORD not in asked.output
    listed = json.loads(arpad("account", "list", "--office", place, "--format", "json").stdout)
    assert [(each["name"], each["ready"]) for each in listed] == [("anna", False), ("bruno", True), ("carla", True)]


def test_accounts_get_other_roles_are_disabled_and_invited_anew(arpad: Arpad, place: Path) -> None:
    for name, role in (("anna", "admin"), ("bruno", "member")):
        assert arpad("account", "add", name, "--role", role, "--office", place).exit_code == 0
    refused = arpad("account", "disable", "anna", "--office", place)
    assert (refused.exit_code, "last administrator" in refused.stderr) == (2, True)
    assert arpad("account", "role", "Bruno", "officer", "--office", place).exit_code == 0
    assert arpad("account", "disable", "bruno", "--office", place).exit_code == 0
    assert arpad("account", "disable", "bruno", "--undo", "--office", place).exit_code == 0
    assert arpad("account", "invite", "bruno", "--office", place).stdout.startswith("/en/invites/")
    unknown = arpad("account", "role", "brno", "member", "--office", place)
    assert (unknown.exit_code, "bruno" in unknown.stderr) == (2, True)
    taken = arpad("account", "add", "ANNA", "--role", "member", "--office", place)
    assert (taken.exit_code, "there is an account" in taken.stderr) == (2, True)
    line = arpad("account", "list", "--office", place).stdout.splitlines()[2].split()
    assert line[1:4] == ["bruno", "officer", "False"]
