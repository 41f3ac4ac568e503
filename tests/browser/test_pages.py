"""Every page: for everybody, on every screen; and its picture, which `make screens` keeps in docs/screens."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from litestar.routes import HTTPRoute
from playwright.sync_api import Browser, Error, Page

from arpad.web.app import create_app
from tests.browser.reading import Reader, assert_accessible

SCREENS = Path(__file__).resolve().parents[2] / "docs" / "screens"

#: Paths of pages that anybody may read, by the names of their pictures.
PAGES: Mapping[str, str] = {
    "home": "/en/",
    "list": "/en/lists/standard?size=14",
    "list-revised": "/en/lists/standard?view=revised&size=14",
    "list-live": "/en/lists/standard?view=live&size=14",
    "list-italian": "/it/lists/football?date=2016-07-01&size=14",
    "records": "/en/lists/standard/records?over=2000",
    "distribution": "/en/lists/standard/distribution",
    "development": "/en/lists/standard/development",
    "development-italian": "/it/lists/football/development?from=2015-07-01",
    "player": "/en/players/42",
    "player-working": "/en/players/5?list=standard&event=1#working",
    "workings": "/it/workings/5?list=standard",
    "player-since": "/es/players/12?since=2025-11-01",
    "compare": "/en/compare?players=1,2,3&list=standard",
    "events": "/en/events",
    "event-swiss": "/en/events/10",
    "event-all-play-all": "/it/events/2",
    "corrections": "/en/corrections",
    "correction": "/es/corrections/79",
    "whatif": "/en/whatif?rules=fide/standard&date=2025-11-01&rating=1985&text=1850+1%0A2400+1%0A1900&target=2000",
    "expected": "/it/expected?rules=fide/standard&own=1613&opponent=1609",
    "performance": "/es/performance?text=2400+1%0A2500+1%0A2600+=",
    "rulebooks": "/en/rules",
    "rulebook": "/en/rules/fide/standard?date=2025-10-01&since=2017-07-01",
    "rulebook-elo": "/es/rules/elo",
    "people": "/it/players?q=ros",
    "ladder": "/en/ladder/club",
    "ladder-match": "/it/ladder/club/matches/5",
    "api": "/en/api",
    "help": "/es/help",
    "help-topic": "/it/help/lists",
    "glossary": "/en/help/glossary",
    "sign-in": "/en/sign-in",
}


#: Those that an officer may read.
DESK: Mapping[str, str] = {
    "desk": "/en/desk",
    "desk-reports": "/it/desk/reports",
    "desk-report": "/en/desk/reports/18",
    "desk-game": "/en/desk/games/1",
    "desk-event": "/it/desk/events/10",
    "desk-act": "/en/desk/acts/1",
    "desk-people": "/en/desk/people?q=ross",
    "desk-person": "/es/desk/people/12",
    "desk-publish": "/en/desk/publish?list=standard&date=2026-01-01",
    "desk-published": "/it/desk/published?list=standard&date=2025-11-01",
    "desk-compare": "/en/desk/compare?list=standard&date=2025-11-01",
    "desk-log": "/en/desk/log",
    "desk-entry": "/es/desk/log/79",
    "desk-jobs": "/it/desk/jobs",
    "desk-ladder": "/en/desk/ladder",
    "desk-accounts": "/en/desk/accounts",
    "ladder-report": "/en/ladder/club/report?opponent=12",
    "account": "/en/account",
}
#: Addresses that are no pages of their own: files, what follows from a form, and what only one reader has.
NO_PAGE = re.compile(
    r"/(api/try|invites)/|/file\b|/(report|crosstable/\{kind\}|backup|jobs/\{job\}|changes|published|season)$|^/$"
)


def picture(page: Page) -> bytes:
    """What the screen shows, as WebP. Chromium refuses now and then while a frame of the page is still on its way."""
    session = page.context.new_cdp_session(page)

    def taken() -> bytes:
        return base64.b64decode(session.send("Page.captureScreenshot", {"format": "webp", "quality": 60})["data"])

    for _ in range(2):
        with suppress(Error):
            return taken()
        page.wait_for_timeout(500)
    return taken()


def looked_at(someone: Reader, address: str, name: str, aside: Path) -> None:
    """A page is for everybody, and whoever reads it sees no fault; its picture is kept where that is asked for."""
    someone.faults.clear()
    page = someone.go(address)
    path = (SCREENS if os.environ.get("ARPAD_SCREENS") else aside) / f"{name}.webp"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(picture(page))
    assert path.stat().st_size > 3000, "the page is empty"
    assert_accessible(page)
    assert someone.faults == []


def test_every_page_is_looked_at_and_shown(demo_office: Path) -> None:
    shown = re.findall(r"\]\(([a-z-]+)\.webp\)", (SCREENS / "README.md").read_text(encoding="utf-8"))
    assert shown == [*PAGES, *DESK]
    assert {path.stem for path in SCREENS.glob("*.*")} == {*shown, "README"}
    routes = [each for each in create_app(demo_office).routes if isinstance(each, HTTPRoute)]
    pages = [each.path_format for each in routes if "GET" in each.methods and each.path_format.startswith("/en")]
    asked = [urlsplit(address).path.rstrip("/") for address in (*PAGES.values(), *DESK.values())]
    patterns = {
        each: re.compile("/../?" + re.sub(r"\{[^}]*\}", "[^/]+", each[4:]))
        for each in pages
        if not NO_PAGE.search(each)
    }
    assert len(patterns) > 30
    assert [each for each, pattern in patterns.items() if not any(map(pattern.fullmatch, asked))] == []


@pytest.fixture(scope="module")
def guest(browser: Browser, site: str) -> Iterator[Reader]:
    """Somebody who goes from page to page."""
    someone = Reader(browser, site)
    yield someone
    someone.leave()


@pytest.fixture(scope="module")
def clerk(browser: Browser, officer: tuple[str, str]) -> Iterator[Reader]:
    """An officer who does the same."""
    address, secret = officer
    someone = Reader(browser, address)
    someone.carry(secret)
    yield someone
    someone.leave()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_for_everybody(guest: Reader, name: str, tmp_path: Path) -> None:
    looked_at(guest, PAGES[name], name, tmp_path)


@pytest.mark.parametrize("name", DESK)
def test_a_page_is_for_every_officer(clerk: Reader, name: str, tmp_path: Path) -> None:
    looked_at(clerk, DESK[name], name, tmp_path)
