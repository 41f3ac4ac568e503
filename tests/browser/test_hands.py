"""What people do with pages and machines do not: they press twice, type half, come back, look elsewhere meanwhile,
print, and have a slow network."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Readers

LIST = "/en/lists/standard"
#: Pixels of a sheet of A4 within Chromium's margins, and how many times smaller it prints what is wider.
PAPER, SHRUNK = 718, 2


def slow(page: Page, latency: int) -> None:
    """Every answer takes so many milliseconds longer from now on."""
    session = page.context.new_cdp_session(page)
    how = {"offline": False, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", how)


def test_what_was_typed_last_is_what_is_shown(site: str, reader: Readers) -> None:
    page = reader(site).go(LIST)
    slow(page, 500)
    page.get_by_label("Name or number").press_sequentially("rosset", delay=210)
    page.wait_for_url("**q=rosset&**")
    assert page.get_by_role("rowheader").all_inner_texts() == ["Rossetti, Marco"] * 2


def test_a_page_says_of_itself_what_it_shows(site: str, reader: Readers) -> None:
    """Heading, digest and the same page in another language, or for whoever signs in, follow what was chosen."""
    page = reader(site).go(LIST)
    page.get_by_role("status").evaluate("each => { window.region = each }")
    digest = page.locator("footer code").inner_text()
    page.get_by_label("List of").select_option("2025-03-01")
    page.get_by_role("heading", level=1).filter(has_text="1 March 2025").wait_for()
    assert page.locator("footer code").inner_text() != digest
    page.get_by_label("Name or number").press_sequentially("rossetti")
    page.get_by_role("status").filter(has_text="2 of").wait_for()
    assert page.evaluate("region === document.querySelector('[role=status]')"), "readers tell what changes in a place"
    assert page.url.endswith("?q=rossetti&date=2025-03-01&view=published"), "nothing of what is blank"
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
