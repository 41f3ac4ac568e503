"""Somebody who reads the pages, and is watched: a browser's page, and everything that went wrong on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response

WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 375, "height": 700}
#: Milliseconds that a page may take; the machine may have much else to do.
PATIENCE = 20_000
AXE = Axe()


class Reader:
    """`faults` are complaints of the console, broken policies, errors of scripts, requests to another host than that
    of the `address`, and answers that say that something was wrong, unless they are `expected` (status codes)."""

    def __init__(self, browser: Browser, address: str, wide: bool = True, **profile: Any) -> None:
        self.address = address
        self.faults: list[str] = []
        self.expected: set[int] = set()
        given = {"viewport": WIDE if wide else NARROW, "locale": "en-GB", "timezone_id": "UTC", **profile}
        self.context = browser.new_context(**given)
        self.context.set_default_timeout(PATIENCE)
        self.context.on("request", self._asked)
        self.context.on("response", self._answered)
        self.context.on("console", self._said)
        self.context.on("weberror", lambda error: self.faults.append(f"script: {error.error}"))
        self.page: Page = self.context.new_page()

    def _asked(self, request: Request) -> None:
        if request.url.startswith("data:"):
            return
        here, there = urlsplit(self.address), urlsplit(request.url)
        if (here.scheme, here.netloc) != (there.scheme, there.netloc):
            self.faults.append(f"asks another host: {request.url}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self.expected:
            self.faults.append(f"{response.status}: {response.url}")

    def _said(self, message: ConsoleMessage) -> None:
        """Chromium says here, too, what a content security policy forbade, and what keepers of passwords miss."""
        answered = "Failed to load resource" in message.text  # which `_answered` judges
        if (message.type in ("error", "warning") or message.text.startswith("[DOM]")) and not answered:
            self.faults.append(f"console, {message.page.url if message.page else ''}: {message.text}")

    def go(self, path: str) -> Page:
        """The page at a path of the site."""
        self.page.goto(self.address + path)
        return self.page

    def carry(self, secret: str) -> None:
        """The session of somebody who has signed in."""
        self.context.add_cookies([{"name": "arpad", "value": secret, "url": self.address}])

    def leave(self) -> None:
        self.context.close()


#: Rows of one table are drawn alike, and so are operations of the API: the first ones stand for all.
WHERE = {"exclude": [["tbody tr:nth-child(n+6)"], ["section > details:nth-of-type(n+4)"]]}
#: Style sheets are not asked for again, which a page opened from a disk may not do.
HOW: Mapping[str, Any] = {"resultTypes": ["violations"], "preload": False}
#: What can be wrong on a telephone and in the dark alone: it shows the same elements, or fewer.
SEEN = ("color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size")


def assert_accessible(page: Page) -> None:
    """Nothing that axe finds, at a desk in light and on a telephone in dark; and no page wider than the screen."""
    page.evaluate(AXE.axe_script)
    for size, scheme, rules in ((NARROW, "dark", {"runOnly": SEEN}), (WIDE, "light", {})):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        wide = page.evaluate("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth")
        assert wide <= 0, f"{page.url} is {wide} pixels too wide for {size['width']}"
        found = AxeResults(page.evaluate("asked => axe.run(...asked)", [WHERE, {**HOW, **rules}]))
        assert not found.violations_count, f"{page.url}, {size['width']}, {scheme}:\n{found.generate_report()}"
