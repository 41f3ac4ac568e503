"""Calculators while somebody types, with a link that keeps the question, and without scripts; people from any page."""

from __future__ import annotations

from tests.browser.conftest import Readers


def test_a_what_if_is_worked_out_while_somebody_types(site: str, reader: Readers) -> None:
    page = reader(site).go("/en/whatif?rules=fide/standard&date=2025-11-01&rating=1850&text=1850+1")
    result = page.locator("#answer .big")
    assert result.inner_text() == "1860"
    page.get_by_label("Games", exact=False).first.press("Control+End")
    page.get_by_label("Games", exact=False).first.press_sequentially("\n2400 1")
    page.locator("#answer .big").filter(has_text="1878").wait_for()
    assert "2400" in page.url
    page.reload()
    assert result.inner_text() == "1878"


def test_a_what_if_needs_no_script(site: str, reader: Readers) -> None:
    page = reader(site, java_script_enabled=False).go("/en/whatif")
    page.get_by_label("Own rating").fill("1850")
    page.get_by_label("Games", exact=False).first.fill("1850 1")
    page.get_by_role("button", name="Work it out").click()
    assert page.locator("#answer .big").inner_text() == "1860"


def test_people_are_found_from_any_page_while_somebody_types(site: str, reader: Readers) -> None:
    page = reader(site).go("/en/help")
    page.get_by_label("Find a player").press_sequentially("kvistgard")
    page.locator("#quick").get_by_role("link", name="Kvistgård, Søren").click()
    page.wait_for_url("**/players/*")
    assert "Kvistgård" in page.get_by_role("heading", level=1).inner_text()
