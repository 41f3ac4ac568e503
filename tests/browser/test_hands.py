"""What people do with pages and machines do not: they press twice, type half, come back, look elsewhere meanwhile,
print, and have a slow network."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Readers

LIST = "/en/lists/standard"
#: Pixels of a sheet of A4 within Chromium's margins, and how many times smaller it prints what is wider.
PAPER, SHRUNK = 718, 2


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
