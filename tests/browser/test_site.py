"""The pages as files, opened from a disk, and from a host that has them in a folder: no program answers anything."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from arpad.web.site import write_site
from tests.browser.conftest import Readers
from tests.browser.reading import assert_accessible
from tests.web.conftest import federation
from tests.web.test_site import BLITZ, club

__all__ = ["club", "federation"]  # fixtures


@pytest.fixture(scope="module")
def folder(club: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("my files") / "public"
    with ThreadPoolExecutor(1) as thread:  # on this one the browser's event loop may be running
        thread.submit(write_site, club, made, title="Our club").result()
    return made


class Silent(SimpleHTTPRequestHandler):
    """A host, as plain as there is one."""

    def log_message(self, *_: Any) -> None:
        """Nobody reads it."""


@pytest.fixture(scope="module")
def host(folder: Path) -> Iterator[str]:
    """The address of the folder at a host that has others beside it."""
    handler = partial(Silent, directory=folder.parent)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/public"
        server.shutdown()


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


TYPED = {
    "παπαδόπουλος": "Παπαδόπουλος, Γιώργος",
    "ΓΙΏΡΓΟΣ παπαδ": "Παπαδόπουλος, Γιώργος",
    "ΝΙΚΟΣ": "Νικοσθένης, Σωτήρης",
    "विश्वनाथन": "आनन्द, विश्वनाथन",
    "กิตติพงศ์": "กิตติพงศ์",
    "dark": "𝕯𝖆𝖗𝖐 Lord",
    "ışık inonu": "İnönü, Işık",
    "STRASSE joerg": "Straße, Jörg",
    "小明": "王小明",
}


def test_names_of_every_script_are_found_as_they_are_written(folder: Path, reader: Readers) -> None:
    page = reader(folder.as_uri()).go("/en/index.html")
    page.evaluate("names => { window.arpadPeople = names.map((name, at) => [at, name, {}]); }", [*set(TYPED.values())])
    for typed, name in TYPED.items():
        page.get_by_label("Name or number").fill(typed)
        page.locator(".found").get_by_role("link", name=name).wait_for()
        assert page.locator(".found li").count() == 1, typed


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("place", ["disk", "host"])
def test_a_list_leads_to_a_card_and_that_to_the_working_of_a_game(
    folder: Path, host: str, reader: Readers, place: str, scripts: bool
) -> None:
    page = reader(folder.as_uri() if place == "disk" else host, java_script_enabled=scripts).go("/index.html")
    page.wait_for_url("**/en/index.html")
    page.get_by_role("link", name="standard", exact=True).click()
    page.get_by_role("link", name="1 Apr 2025").click()
    page.get_by_role("link", name="Bianchi, Anna").click()
    assert "Bianchi, Anna" in page.title()
    page.locator("#events").get_by_role("link", name="games: 2").click()
    assert page.url.endswith("/workings/1.list-standard.html#event-1")
    assert "8.1.2" in page.locator("section", has_text="Winter Open").inner_text()
    page.get_by_role("link", name="Winter Open").click()
    assert "Winter Open" in page.get_by_role("heading", level=1).inner_text()
    page.locator("#changes").get_by_role("link", name="games").first.click()
    assert page.url.endswith("#event-1")


@pytest.mark.parametrize(
    "path",
    [
        "en/index",
        "it/lists/standard",
        "es/lists/standard.date-2025-04-01.view-revised",
        "en/lists/standard/distribution",
        "it/players/4",
        "es/workings/1.list-standard",
        "en/events/1",
        "it/rules/fide-standard-08c2777d",
    ],
)
def test_pages_are_for_everybody(folder: Path, reader: Readers, path: str) -> None:
    page = reader(folder.as_uri()).go(f"/{path}.html")
    assert page.locator("html").get_attribute("lang") == path[:2]
    assert_accessible(page)


def test_a_list_of_any_name_has_a_ladder_and_workings(folder: Path, reader: Readers) -> None:
    page = reader(folder.as_uri()).go("/en/index.html")
    page.get_by_role("link", name=BLITZ).click()
    page.get_by_role("link", name="Bianchi, Anna").click()
    page.get_by_role("link", name="All workings").click()
    assert_accessible(page)
    page.get_by_role("link", name="Later changes").click()
    assert page.get_by_role("link", name="Earlier changes").count() == 1
    page.go_back()
    page.get_by_role("link", name="To the card").click()
    page.get_by_role("link", name="Lists").click()
    page.get_by_role("link", name=BLITZ).click()
    page.get_by_role("link", name="Ladder").click()
    assert_accessible(page)
    page.get_by_role("link", name="1", exact=True).first.click()
    assert page.get_by_role("heading", level=1).inner_text().startswith("Match 1")
    assert_accessible(page)


def test_files_are_read_without_scripts(folder: Path, reader: Readers) -> None:
    page = reader(folder.as_uri(), java_script_enabled=False).go("/en/lists/standard.html")
    assert page.get_by_role("rowheader").count() == 6
    assert page.get_by_role("searchbox").count() == 0, "nothing that needs a script is shown without"
