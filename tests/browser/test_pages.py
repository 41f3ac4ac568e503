"""Every page: for everybody, on every screen; and its picture, which `make screens` keeps in docs/screens."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

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
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_for_everybody(site: str, reader: Readers, name: str, tmp_path: Path) -> None:
    page = reader(site).go(PAGES[name])
    folder = SCREENS if os.environ.get("ARPAD_SCREENS") else tmp_path
    folder.mkdir(exist_ok=True)
    page.screenshot(path=folder / f"{name}.png", animations="disabled")
    assert (folder / f"{name}.png").stat().st_size > 5000, "the page is empty"
    assert_accessible(page)
