"""What people come for, from page to page, in two languages: everybody signs in, a faulty report becomes a published
list, a correction is weighed, made and taken back, a match of a ladder is reported and disputed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from arpad.accounts import ROLES, Role, sessions
from arpad.bureau.ladder_rows import Rules, open_ladder
from arpad.bureau.opened import open_office
from arpad.web.drawing import LOCALES, translations
from arpad.web.retelling import retold
from tests.browser.conftest import Readers
from tests.browser.reading import assert_accessible
from tests.browser.serving import served
from tests.web.people import PASSWORD, account_of, quick_passwords

Say = Callable[[str], str]


@pytest.fixture
def manned(demo_copy: Path) -> Iterator[str]:
    """The address of a copy of the demo office that has an account for each role, called like it."""
    with pytest.MonkeyPatch.context() as patch:
        quick_passwords(patch)
        for role in ROLES[1:]:
            account_of(str(demo_copy), role, role, password=PASSWORD)
        with served(demo_copy) as address:
            yield address


def words_of(language: str) -> Say:
    return translations(language).gettext


def telling_of(language: str) -> Say:
    """What the parts below the web say, as a page of the language tells it."""
    return lambda said: retold(said, LOCALES[language]) or said


def sign_in(page: Page, say: Say, name: Role) -> None:
    page.get_by_role("link", name=say("Sign in")).click()
    page.get_by_label(say("Account"), exact=True).fill(name)
    page.get_by_label(say("Password")).fill(PASSWORD)
    page.get_by_role("button", name=say("Sign in")).click()
    page.get_by_role("link", name=name, exact=True).wait_for()


def heading(page: Page) -> str:
    return page.get_by_role("heading", level=1).inner_text()


@pytest.mark.parametrize("language", ["en", "it"])
def test_everybody_signs_in_and_is_shown_what_is_theirs(manned: str, reader: Readers, language: str) -> None:
    say = words_of(language)
    for role in ROLES[1:]:
        someone = reader(manned)
        page = someone.go(f"/{language}/lists/standard?q=oberschmitt")
        assert page.get_by_role("rowheader").all_inner_texts() != ["Oberschmitt, Till"], "hidden from the public"
        sign_in(page, say, role)
        assert page.url.endswith("q=oberschmitt"), "back where the reader was"
        assert page.get_by_role("rowheader").all_inner_texts() == ["Oberschmitt, Till"]
        assert page.get_by_role("link", name=say("Desk")).count() == (role not in ("member",))
        someone.expected = {403}
        page.goto(f"{manned}/{language}/desk/log")
        assert (say("Log") in heading(page)) == (role in ("officer", "admin"))
        page.get_by_role("button", name=say("Sign out")).click()
        page.get_by_role("link", name=say("Sign in")).wait_for()
        someone.leave()


def test_a_wrong_password_is_refused(manned: str, reader: Readers) -> None:
    someone = reader(manned)
    someone.expected = {403}
    page = someone.go("/en/sign-in")
    page.get_by_label("Account", exact=True).fill("officer")
    page.get_by_label("Password").fill("a rook and a pawn")
    page.get_by_role("button", name="Sign in").click()
    assert "do not go together" in page.get_by_role("alert").inner_text()
    assert page.get_by_label("Account", exact=True).input_value() == "officer"


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_faulty_report_becomes_a_published_list(manned: str, reader: Readers, language: str) -> None:
    say, tell = words_of(language), telling_of(language)
    page = reader(manned).go(f"/{language}/")
    sign_in(page, say, "officer")
    page.get_by_role("link", name=say("Desk")).click()
    page.get_by_role("link", name=say("Reports"), exact=True).first.click()
    page.get_by_role("link", name="st-martins-cup.trf").click()
    contradiction = page.get_by_role("listitem").filter(has_text=tell("round 4: 1 v 4 is 1 here and 1 on line 15"))
    contradiction.wait_for()
    assert_accessible(page)
    repair = tell("write 0 on line 12: both totals then agree")
    page.get_by_role("listitem").filter(has_text=repair).get_by_role("checkbox").check()
    page.get_by_role("button", name=say("Take the repaired file in its place")).click()
    contradiction.wait_for(state="detached")

    who = page.get_by_role("row").filter(has_text="Bortolamei")
    who.get_by_role("radio", name=tell("person 24, 'Bortolamei, Zeno'")).check()
    stranger = page.get_by_role("row").filter(has_text="Höllriegel")
    stranger.get_by_role("radio", name=say("the person with this number:")).check()
    stranger.get_by_role("spinbutton").fill("25")
    page.get_by_role("button", name=say("Look again")).click()
    page.get_by_text(say("Nothing holds it.")).wait_for()
    page.get_by_role("button", name=say("Accept")).click()
    page.get_by_role("heading", level=1).filter(has_text=say("accepted")).wait_for()

    page.get_by_role("link", name=say("Publish"), exact=True).click()
    page.get_by_label(say("Day of the list")).fill("2026-01-01")
    page.get_by_role("button", name=say("Preview"), exact=True).first.click()
    page.get_by_role("row").filter(has_text="Höllrigler").wait_for()
    page.get_by_label(say("A word for the log")).fill("by the calendar")
    page.get_by_role("button", name=say("Publish: from then on it stands as it is")).click()
    page.get_by_role("heading", name=say("The list is published")).wait_for()
    page.get_by_role("link", name=say("What differs from it now"), exact=True).click()
    page.go_back()
    page.goto(f"{manned}/{language}/lists/standard")
    assert page.get_by_label(say("List of")).input_value() == "2026-01-01"
    page.goto(f"{manned}/{language}/players/25?list=standard")
    page.get_by_role("link", name="St Martin's Cup").first.wait_for()


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_correction_is_weighed_made_and_taken_back(manned: str, reader: Readers, language: str) -> None:
    say = words_of(language)
    page = reader(manned).go(f"/{language}/")

    def rating() -> str:
        page.goto(f"{manned}/{language}/players/1?list=standard")
        return page.locator(".big").first.inner_text()

    before = rating()
    sign_in(page, say, "officer")
    page.goto(f"{manned}/{language}/desk/games/1")
    page.get_by_label(say("Result")).select_option("0-1")
    page.get_by_role("button", name=say("Preview"), exact=True).click()
    assert heading(page) == say("Preview: nothing has been written")
    assert_accessible(page)
    page.get_by_role("row").filter(has_text="Castellani, Livia").first.wait_for()
    page.get_by_label(say("Reason")).fill("the arbiter's letter")
    page.get_by_role("button", name=say("Do it")).click()
    page.get_by_role("status").filter(has_text=say("Done.")).wait_for()
    entry = page.url.rpartition("/")[2].partition("?")[0]
    corrected = rating()
    assert corrected != before
    page.goto(f"{manned}/{language}/corrections/{entry}")
    page.get_by_text("the arbiter's letter").first.wait_for()

    page.goto(f"{manned}/{language}/desk/log/{entry}")
    page.get_by_role("button", name=entry).click()
    page.get_by_label(say("Reason")).fill("the letter was forged")
    page.get_by_role("button", name=say("Do it")).click()
    page.get_by_role("status").filter(has_text=say("Done.")).wait_for()
    assert rating() == before


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_match_of_a_ladder_is_reported_and_disputed(demo_copy: Path, reader: Readers, language: str) -> None:
    say = words_of(language)
    with open_office(demo_copy) as office:
        open_ladder(office, "rapid", Rules())
        secrets = [
            sessions.begin(office, account_of(str(demo_copy), f"player {person}", "member", person).id)
            for person in (5, 6)
        ]
    with served(demo_copy) as address:
        one, other = reader(address), reader(address)
        one.carry(secrets[0])
        other.carry(secrets[1])
        page = one.go(f"/{language}/ladder/rapid/report")
        page.get_by_label(say("Opponent: name or number")).press_sequentially("kvistgard")
        page.get_by_role("link", name="Kvistgård, Søren").click(delay=200)
        page.get_by_role("table").filter(has_text=say("At stake")).wait_for()
        assert_accessible(page)
        page.locator("select[name=result]").select_option("1-0")
        page.get_by_role("button", name=say("Report the match")).click()
        page.wait_for_url("**/matches/*")
        assert_accessible(page)
        answer = other.go(page.url.removeprefix(address))
        answer.get_by_label(say("What is not right")).fill("it was a draw")
        answer.get_by_role("button", name=say("Dispute")).first.click()
        answer.get_by_text("it was a draw").first.wait_for()
        one.leave()
        other.leave()
