"""What people do with pages and machines do not: they press twice, type half, come back, look elsewhere meanwhile,
print, and have a slow network."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

from arpad.accounts import sessions
from arpad.bureau.ladder_rows import Rules, open_ladder
from arpad.bureau.opened import open_office
from tests.browser.conftest import Readers
from tests.browser.serving import served
from tests.browser.test_journeys import manned, sign_in, words_of
from tests.web.people import PASSWORD, account_of

__all__ = ["manned"]  # a fixture
LIST = "/en/lists/standard"
#: Milliseconds between two presses of a double click.
BETWEEN = 130
#: Pixels of a sheet of A4 within Chromium's margins, and how many times smaller it prints what is wider.
PAPER, SHRUNK = 718, 2


def slow(page: Page, latency: int) -> None:
    """Every answer takes so many milliseconds longer from now on."""
    session = page.context.new_cdp_session(page)
    how = {"offline": False, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", how)


def press_twice(button: Locator) -> None:
    """As somebody does who double-clicks whatever there is."""
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box is not None
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for _ in range(2):
        button.page.mouse.click(*at, delay=50)
        button.page.wait_for_timeout(BETWEEN)


def test_what_was_typed_last_is_what_is_shown(site: str, reader: Readers) -> None:
    page = reader(site).go(LIST)
    slow(page, 500)
    page.get_by_label("Name or number").press_sequentially("rosset", delay=210)
    page.wait_for_url("**q=rosset&**")
    assert page.get_by_role("rowheader").all_inner_texts() == ["Rossetti, Marco"] * 2


def test_a_page_says_of_itself_what_it_shows(site: str, reader: Readers) -> None:
    """Heading, digest and the same page in another language, or for whoever signs in, follow what was chosen."""
    page = reader(site).go(f"{LIST}?sort=change&down=1")
    page.get_by_role("status").evaluate("each => { window.region = each }")
    digest = page.locator("footer code").inner_text()
    page.get_by_label("List of").select_option("2025-03-01")
    page.get_by_role("heading", level=1).filter(has_text="1 March 2025").wait_for()
    assert page.locator("footer code").inner_text() != digest
    page.get_by_label("Name or number").press_sequentially("rossetti")
    page.get_by_role("status").filter(has_text="2 of").wait_for()
    assert page.evaluate("region === document.querySelector('[role=status]')"), "readers tell what changes in a place"
    asked = "?sort=change&down=1&q=rossetti&date=2025-03-01&view=published"
    assert page.url.endswith(asked), "sorted as it was, and nothing of what is blank"
    assert "rossetti" in (page.get_by_role("link", name="Sign in").get_attribute("href") or "")
    page.get_by_role("link", name="Italiano").click(delay=100)
    page.wait_for_url("**/it/**")
    assert page.get_by_role("rowheader").count() == 2


def test_an_answer_that_fails_takes_nothing_away(site: str, reader: Readers) -> None:
    someone = reader(site)
    someone.expected = {503}
    page = someone.go(LIST)
    page.route("**/lists/standard?*", lambda asked: asked.fulfill(status=503, body="<main>busy</main>"))
    page.get_by_label("Name or number").press_sequentially("rosse")
    page.get_by_role("alert").filter(has_text="not answered").wait_for()
    assert page.get_by_role("rowheader").count() > 40
    page.unroute("**/lists/standard?*")
    page.get_by_label("Name or number").press_sequentially("tti")
    page.get_by_role("status").filter(has_text="2 of").wait_for()
    assert page.get_by_role("alert").count() == 0


def test_what_is_half_typed_holds_nobody_up(site: str, reader: Readers) -> None:
    someone = reader(site)
    someone.expected = {400, 422}
    page = someone.go("/en/whatif?rating=1800&born=2008")
    page.get_by_label("Born").press_sequentially("-1")
    games = page.get_by_role("textbox", name="Games")
    games.click()
    page.keyboard.type("1850 1", delay=30)
    page.get_by_role("alert").wait_for()
    assert games.evaluate("each => each === document.activeElement")


def test_what_was_found_goes_when_somebody_turns_elsewhere(site: str, reader: Readers) -> None:
    page = reader(site).go("/en/help")
    page.get_by_label("Find a player").press_sequentially("kvistgard")
    found = page.locator("#quick").get_by_role("link", name="Kvistgård, Søren")
    found.wait_for()
    page.mouse.click(200, 600)
    assert not found.is_visible()


def test_who_opens_a_working_by_keyboard_is_there(site: str, reader: Readers) -> None:
    page = reader(site).go("/en/players/5?list=standard")
    page.get_by_role("link", name="games: ").first.focus()
    page.keyboard.press("Enter")
    page.locator("#working h2:focus").wait_for()
    page.go_back()
    page.locator("#working h2").wait_for(state="detached")


@pytest.mark.parametrize("address", [LIST, "/en/events/10", "/en/players/5?list=standard&event=1"])
def test_nothing_is_cut_off_on_paper(site: str, reader: Readers, address: str) -> None:
    page = reader(site, viewport={"width": PAPER, "height": 1000}).go(address)
    page.emulate_media(media="print")
    cut = (
        "[...document.querySelectorAll('.wide')].filter(each => getComputedStyle(each).overflowX !== 'visible').length"
    )
    assert page.evaluate(cut) == 0
    assert page.evaluate("document.scrollingElement.scrollWidth") <= PAPER * SHRUNK


def test_the_focus_is_seen_in_forced_colours(site: str, reader: Readers) -> None:
    page = reader(site, forced_colors="active").go(LIST)
    for _ in range(3):
        page.keyboard.press("Tab")
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"


def test_a_preview_is_there_when_somebody_comes_back(officer: tuple[str, str], reader: Readers) -> None:
    address, secret = officer
    someone = reader(address)
    someone.carry(secret)
    page = someone.go("/en/desk/games/1")
    page.get_by_label("Result").select_option("0-1")
    page.get_by_role("button", name="Preview", exact=True).click()
    page.get_by_role("rowheader").get_by_role("link").first.click()
    page.wait_for_url("**/players/*")
    page.go_back()
    page.get_by_role("heading", level=1).filter(has_text="Preview").wait_for()
    page.get_by_role("link", name="Italiano").click()
    page.get_by_role("heading", level=1).filter(has_text="Anteprima").wait_for()


def test_a_button_pressed_twice_is_pressed_once(own_site: str, demo_copy: Path, reader: Readers) -> None:
    with open_office(demo_copy) as office:
        secret = sessions.begin(office, account_of(str(demo_copy), "officer", "officer").id)
    someone = reader(own_site)
    someone.carry(secret)
    page = someone.go("/en/account")
    page.get_by_label("Name").fill("my program")
    slow(page, 400)
    press_twice(page.get_by_role("button", name="Make a token"))
    page.locator("code.secret").wait_for()
    assert page.get_by_role("rowheader", name="my program").count() == 1
    page.goto(f"{own_site}/en/desk/reports/18")
    page.locator("[name=repair]").first.check()
    for _ in range(2):  # a file that is fetched twice is fetched twice
        with page.expect_download():
            page.get_by_role("button", name="Download the repaired file").click()


def test_what_was_typed_is_there_again(manned: str, reader: Readers) -> None:
    """After a refusal, on the way back from a preview, and where a session ended meanwhile."""
    someone = reader(manned)
    someone.expected = {400}
    page = someone.go("/en/")
    sign_in(page, words_of("en"), "admin")
    page.goto(f"{manned}/en/desk/accounts")
    page.get_by_role("textbox", name="Account").fill("member")
    page.get_by_label("Number of the player").fill("9")
    page.get_by_role("button", name="Invite").click()
    page.get_by_text("there is an account 'member' already").wait_for()
    page.get_by_role("link", name="Back to the form").click()
    page.get_by_role("textbox", name="Account").fill("admin")
    assert page.get_by_label("Number of the player").input_value() == "9"
    page.get_by_role("button", name="Invite").click()
    page.get_by_text("there is an account 'admin' already").wait_for()
    page.go_back()
    assert page.get_by_role("textbox", name="Account").input_value() == "admin"

    page.goto(f"{manned}/en/desk/people/12")
    page.get_by_text("Names and identifiers").click()
    alias = page.get_by_label("Another name", exact=True)
    alias.fill("Grossbichl")
    page.locator("details[open]").get_by_role("button", name="Preview").click()
    page.get_by_label("Reason").fill("his letter")
    page.go_back()
    assert (alias.input_value(), alias.is_visible()) == ("Grossbichl", True)
    page.locator("form:has([value=erase])").evaluate("form => form.closest('details').open = true")
    also = page.locator("[name=also]")
    also.fill("Hansi")
    page.goto(f"{manned}/en/desk/people")
    page.go_back()
    assert (alias.input_value(), also.input_value()) == ("Grossbichl", ""), "an erasure's words are kept nowhere"
    assert "Hansi" not in page.evaluate("JSON.stringify(sessionStorage)")
    page.locator("details[open]").get_by_role("button", name="Preview").first.click()
    page.get_by_label("Reason").fill("his letter")

    other = someone.context.new_page()
    other.goto(f"{manned}/en/")
    other.get_by_role("button", name="Sign out").click()
    other.get_by_role("link", name="Sign in").wait_for()
    assert other.evaluate("sessionStorage.length") == 0
    page.get_by_role("button", name="Do it").click()
    page.get_by_label("Account", exact=True).fill("admin")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", level=1).filter(has_text="Preview").wait_for()
    assert page.get_by_label("Reason").input_value() == "his letter"
    page.get_by_role("button", name="Do it").click()
    page.get_by_role("status").filter(has_text="Done.").wait_for()


def test_a_match_that_is_refused_is_still_as_it_was_typed(demo_copy: Path, reader: Readers) -> None:
    with open_office(demo_copy) as office:
        open_ladder(office, "rapid", Rules())
        secret = sessions.begin(office, account_of(str(demo_copy), "player", "member", 5).id)
    with served(demo_copy) as address:
        someone = reader(address)
        someone.expected = {422}
        someone.carry(secret)
        page = someone.go("/en/ladder/rapid/report?first=5&second=6")
        page.locator("select[name=result]").select_option("0-1")
        page.locator("#match").get_by_label("Date").fill("2999-01-01")
        page.get_by_label("Note").fill("by the lake")
        page.get_by_role("button", name="Report the match").click()
        page.get_by_role("alert").filter(has_text="a day to come").wait_for()
        assert page.locator("select[name=result]").input_value() == "0-1"
        assert page.get_by_label("Note").input_value() == "by the lake"
        someone.context.clear_cookies()
        page.get_by_label("Opponent").press_sequentially("kvist")
        page.get_by_role("heading", level=1).filter(has_text="Sign in").wait_for()
        someone.leave()
