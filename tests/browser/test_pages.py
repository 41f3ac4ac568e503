"""Every page: for everybody, on every screen; and its picture, which `make screens` keeps in docs/screens."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Readers
from tests.browser.reading import assert_accessible

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
    "player": "/en/players/42",
    "player-working": "/en/players/5?list=standard&event=1#working",
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
    "people": "/it/players?q=ros",
    "help": "/es/help",
    "glossary": "/en/help/glossary",
    "sign-in": "/en/sign-in",
}


#: Those that an officer may read.
DESK: Mapping[str, str] = {
    "desk": "/en/desk",
    "desk-reports": "/it/desk/reports",
    "desk-report": "/en/desk/reports/18",
    "desk-game": "/en/desk/games/1",
    "desk-person": "/es/desk/people/12",
    "desk-publish": "/en/desk/publish?list=standard&date=2026-01-01",
    "desk-compare": "/en/desk/compare?list=standard&date=2025-11-01",
    "desk-log": "/en/desk/log",
    "account": "/en/account",
}
#: Those of which a picture is kept for the documents: none on which the machine's clock is seen.
KEPT = frozenset(
    """
    home list records distribution player player-working event-swiss corrections compare sign-in
    desk desk-report desk-game desk-publish desk-log
    """.split()  # noqa: SIM905
)


def looked_at(page: Page, name: str, aside: Path) -> None:
    """A page is for everybody; its picture is kept where that is asked for."""
    kept = os.environ.get("ARPAD_SCREENS") and name in KEPT
    path = (SCREENS if kept else aside) / f"{name}.png"
    path.parent.mkdir(exist_ok=True)
    page.screenshot(path=path, animations="disabled")
    assert path.stat().st_size > 5000, "the page is empty"
    assert_accessible(page)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_for_everybody(site: str, reader: Readers, name: str, tmp_path: Path) -> None:
    looked_at(reader(site).go(PAGES[name]), name, tmp_path)


@pytest.mark.parametrize("name", DESK)
def test_a_page_is_for_every_officer(officer: tuple[str, str], reader: Readers, name: str, tmp_path: Path) -> None:
    address, secret = officer
    someone = reader(address)
    someone.carry(secret)
    looked_at(someone.go(DESK[name]), name, tmp_path)
