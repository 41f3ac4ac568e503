"""Signing in, one's own account and the desk's page of accounts, in a browser."""

from __future__ import annotations

from pathlib import Path

from tests.browser.conftest import Readers
from tests.browser.reading import assert_accessible
from tests.web.people import PASSWORD, account_of


def test_somebody_signs_in_invites_a_player_and_goes(own_site: str, demo_copy: Path, reader: Readers) -> None:
    account_of(str(demo_copy), "Anna", "admin", 1, PASSWORD)
    anna = reader(own_site)
    page = anna.go("/en/desk/accounts")
    assert_accessible(page)
    page.get_by_role("textbox", name="Account", exact=True).fill("anna")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/en/desk/accounts")
    page.get_by_role("textbox", name="Account").fill("Bruno")
    page.get_by_label("Number of the player").fill("2")
    page.get_by_role("button", name="Invite").click()
    link = page.locator("code.secret").inner_text()
    assert_accessible(page)

    bruno = reader(own_site, wide=False)
    theirs = bruno.go(link.removeprefix(own_site))
    assert_accessible(theirs)
    theirs.get_by_label("New password", exact=True).fill(PASSWORD)
    theirs.get_by_label("New password again").fill(PASSWORD)
    theirs.get_by_role("button", name="Set the password").click()
    theirs.get_by_role("textbox", name="Account", exact=True).fill("Bruno")
    theirs.get_by_label("Password").fill(PASSWORD)
    theirs.get_by_role("button", name="Sign in").click()
    theirs.wait_for_url("**/en/account")
    theirs.get_by_label("Name").fill("my program")
    theirs.get_by_role("button", name="Make a token").click()
    assert theirs.locator("code.secret").inner_text().startswith("arpad_")
    assert_accessible(theirs)
    theirs.get_by_role("button", name="Revoke my program").click()
    theirs.get_by_text("revoked").wait_for()

    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/en/")
    assert page.get_by_role("link", name="Sign in").count() == 1
