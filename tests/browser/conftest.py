"""Pages as people see them: in Debian's Chromium, driven from here, on the demo office.

Without a browser these tests are skipped (`scripts/system.sh browser` installs one where it may). ARPAD_BROWSER names
another Chromium. Whatever a test does, it fails when the page asks another host for anything, breaks its content
security policy, or complains on the console.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from arpad.accounts import sessions
from arpad.bureau.opened import open_office
from tests.browser.reading import Reader
from tests.browser.serving import served
from tests.web.people import account_of

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="package")  # while it runs, an event loop runs on this thread, which other tests want to begin
def browser() -> Iterator[Browser]:
    """One browser; each reader has a profile of their own in it."""
    named = os.environ.get("ARPAD_BROWSER")
    path = named or next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("there is no Chromium (Debian: apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def site(demo_office: Path) -> Iterator[str]:
    """The address of the demo office, which nobody writes to: tests that do take `own_site`."""
    with served(demo_office) as address:
        yield address


@pytest.fixture
def own_site(demo_copy: Path) -> Iterator[str]:
    """The address of a copy of the demo office, of the test's own."""
    with served(demo_copy) as address:
        yield address


@pytest.fixture(scope="package")
def officer(demo_office: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of a demo office that an officer only looks at, and the secret of their session."""
    place = Path(shutil.copy(demo_office, tmp_path_factory.mktemp("desk") / "demo.db"))
    number = account_of(str(place), "officer", "officer").id
    with open_office(place) as office:
        secret = sessions.begin(office, number)
    with served(place) as address:
        yield address, secret


class Readers:
    """Readers of the pages, who have come and are watched."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._stack = ExitStack()
        self._readers: list[Reader] = []

    def __call__(self, address: str, *, wide: bool = True, **profile: Any) -> Reader:
        """Somebody new at an address; `wide` false: with a telephone. `profile`: what a browser's context takes."""
        reader = Reader(self._browser, address, wide, **profile)
        self._stack.callback(reader.leave)
        self._readers.append(reader)
        return reader

    def leave(self) -> None:
        self._stack.close()
        faults = [fault for reader in self._readers for fault in reader.faults]
        assert not faults, "\n".join(faults)


@pytest.fixture
def reader(browser: Browser) -> Iterator[Readers]:
    """Makes readers; at the end none of them may have seen a fault."""
    readers = Readers(browser)
    yield readers
    readers.leave()
