"""The pages as files, opened from a disk: no server answers anything."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arpad.web.site import write_site
from tests.browser.conftest import Readers
from tests.browser.reading import assert_accessible
from tests.web.conftest import federation

__all__ = ["federation"]  # a fixture


@pytest.fixture(scope="module")
def folder(federation: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("files") / "public"
    with ThreadPoolExecutor(1) as thread:  # on this one the browser's event loop may be running
        thread.submit(write_site, federation, made, title="Our club", languages=["en", "it"]).result()
    return made


@pytest.mark.parametrize("typed", ["mullner", "Muellner", "MÜLL dario", "4"])
def test_people_are_found_without_a_server(folder: Path, reader: Readers, typed: str) -> None:
    page = reader(folder.as_uri()).go("/en/index.html")
    field = page.get_by_label("Name or number")
    field.fill("nobody at all")
    page.get_by_text("Nobody on this list is called so.").wait_for()
    field.fill("")
    field.press_sequentially(typed)
    page.locator(".found").get_by_role("link", name="Müllner, Dario").click()
    assert page.get_by_role("heading", level=1).inner_text().startswith("Müllner, Dario")
    page.get_by_role("link", name="Italiano").click()
    assert page.locator("html").get_attribute("lang") == "it"
    assert page.get_by_role("heading", level=1).inner_text().startswith("Müllner, Dario")


def test_lists_lead_to_cards_and_events_without_a_server(folder: Path, reader: Readers) -> None:
    page = reader(folder.as_uri()).go("/index.html")
    page.wait_for_url("**/en/index.html")
    page.get_by_role("link", name="standard", exact=True).click()
    page.get_by_role("link", name="1 Apr 2025").click()
    page.get_by_role("link", name="Bianchi, Anna").click()
    assert "Bianchi, Anna" in page.title()
    page.get_by_role("link", name="Winter Open").first.click()
    assert "Winter Open" in page.get_by_role("heading", level=1).inner_text()
    assert_accessible(page)


def test_files_are_read_without_scripts(folder: Path, reader: Readers) -> None:
    page = reader(folder.as_uri(), java_script_enabled=False).go("/en/lists/standard.html")
    assert page.get_by_role("rowheader").count() == 6
    assert page.get_by_role("searchbox").count() == 0, "nothing that needs a script is shown without"
