"""Rating lists as people read them: searched, sorted, by keyboard, without scripts, on a telephone."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Readers

LIST = "/en/lists/standard"


def test_typing_finds_a_name_however_its_letters_are_written(site: str, reader: Readers) -> None:
    page = reader(site).go(LIST)
    page.get_by_label("Name or number").press_sequentially("kvistgard")
    page.get_by_role("status").filter(has_text="1 of").wait_for()
    assert page.get_by_role("rowheader").all_inner_texts() == ["Kvistgård, Søren"]
    assert "q=kvistgard" in page.url
    page.reload()
    assert page.get_by_role("rowheader").all_inner_texts() == ["Kvistgård, Søren"]
    assert page.get_by_label("Name or number").input_value() == "kvistgard"


def test_what_was_found_is_there_to_be_clicked_however_slowly(site: str, reader: Readers) -> None:
    """Leaving the field is no reason to ask again: a link that is replaced under the finger is not followed."""
    page = reader(site).go(LIST)
    page.get_by_label("Name or number").press_sequentially("kvistgard")
    page.get_by_role("status").filter(has_text="1 of").wait_for()
    page.get_by_role("link", name="Kvistgård, Søren").click(delay=300)
    page.wait_for_url("**/players/*")


def test_another_language_shows_the_same_page(site: str, reader: Readers) -> None:
    page = reader(site).go(f"{LIST}?q=rossetti&date=2025-03-01")
    names = page.get_by_role("rowheader").all_inner_texts()
    assert len(names) == 2
    page.get_by_role("link", name="Italiano").click()
    page.wait_for_url("**/it/**")
    assert page.locator("html").get_attribute("lang") == "it"
    assert page.get_by_role("rowheader").all_inner_texts() == names
    assert "1 mar 2025" in page.title()
    page.get_by_role("link", name="Español").click()
    page.wait_for_url("**/es/**")
    assert page.get_by_role("rowheader").all_inner_texts() == names


def test_everything_of_a_list_is_there_without_scripts(site: str, reader: Readers) -> None:
    page = reader(site, java_script_enabled=False).go(LIST)
    page.get_by_label("Name or number").fill("rossetti")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**q=rossetti**")
    assert page.get_by_role("rowheader").count() == 2
    page.get_by_role("link", name="Rating", exact=True).click()
    page.wait_for_url("**sort=rating**")
    assert page.get_by_role("columnheader", name="Rating").get_attribute("aria-sort") == "descending"


def test_a_list_is_searched_by_keyboard_alone(site: str, reader: Readers) -> None:
    page = reader(site).go(LIST)

    def tab_to(selector: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"no Tab leads to {selector}")

    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    tab_to("input[name=q]")
    page.keyboard.type("brandstrom")
    page.get_by_role("status").filter(has_text="1 of").wait_for()
    assert page.evaluate("document.activeElement.name") == "q", "the field keeps the focus while the list changes"
    tab_to("tbody th a")
    assert page.evaluate("document.activeElement.textContent") == "Brandström, Östen"
    shown = page.evaluate("(style => style.outlineStyle + style.boxShadow)(getComputedStyle(document.activeElement))")
    assert shown != "nonenone", "where the focus is, is seen"


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Pacific/Auckland"])
def test_c64_the_day_of_a_list_is_the_same_everywhere(site: str, reader: Readers, zone: str) -> None:
    page = reader(site, timezone_id=zone).go(f"{LIST}?date=2025-05-01")
    assert "1 May 2025" in page.get_by_role("heading", level=1).inner_text()
    assert page.get_by_label("List of").input_value() == "2025-05-01"


def test_a_telephone_shows_a_list_without_scrolling_sideways(site: str, reader: Readers) -> None:
    page = reader(site, wide=False, has_touch=True).go(LIST)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 375
    row = page.get_by_role("row").filter(has_text="Brandström")
    assert row.get_by_role("cell", name="2494").is_visible()


def test_dark_readers_get_dark_pages(site: str, reader: Readers) -> None:
    def brightness(scheme: str) -> float:
        page = reader(site, color_scheme=scheme).go(LIST)
        colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        return sum(map(float, colour[colour.index("(") + 1 : -1].split(",")[:3]))

    assert brightness("dark") < 150 < 700 < brightness("light")


def test_a_name_is_never_markup(site: str, reader: Readers) -> None:
    page = reader(site).go(f"{LIST}?q=%3Cscript%3Ealert(1)%3C/script%3E")
    assert page.get_by_label("Name or number").input_value() == "<script>alert(1)</script>"
    assert page.locator("#list script").count() == 0


def test_what_goes_wrong_on_a_page_does_not_go_unseen(site: str, reader: Readers) -> None:
    someone = reader(site)
    page = someone.go("/en/nothing-here")
    page.evaluate("console.error('spilt')")
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: 'alert(1)'}))")
    page.evaluate("new Image().src = 'http://127.0.0.1:9/x.png'")
    page.evaluate("setTimeout(() => { throw new Error('broken') })")
    page.wait_for_timeout(200)
    seen = "\n".join(someone.faults)
    someone.faults.clear()
    for each in ("404", "spilt", "Content Security Policy", "127.0.0.1:9", "broken"):
        assert each in seen, f"{each} was not seen"
