"""The officer's desk in a browser: for everybody, on every screen, without a word on the console."""

from __future__ import annotations

from pathlib import Path

from arpad.accounts import book, sessions
from arpad.bureau import intake
from arpad.bureau.opened import open_office
from arpad.bureau.reports import Sent
from tests.browser.conftest import Readers
from tests.browser.reading import assert_accessible
from tests.browser.serving import served

GAMES = b"""event,round,date,white,black,result
Late Open,1,2025-09-01,Nobody Known,Somebody Else,1-0
Late Open,1,2025-09-01,Third,Fourth,2-0
"""


def test_the_pages_of_the_desk_are_for_everybody(demo_copy: Path, reader: Readers) -> None:
    with open_office(demo_copy) as office:
        secret = sessions.begin(office, book.add(office, "officer", "officer", by="admin").id)
        report = intake.stage(office, Sent("late.csv", GAMES)).report
    with served(demo_copy) as address:
        page = reader(address).go("/en/")
        page.context.add_cookies([{"name": "arpad", "value": secret, "url": address}])
        for place in ("", f"/reports/{report}", "/people/1", "/publish?list=standard&date=2025-12-01"):
            page.goto(f"{address}/en/desk{place}")
            assert_accessible(page)
        page.goto(f"{address}/en/desk/games/1")
        page.get_by_label("Result").select_option("0-0")
        page.get_by_role("button", name="Preview").first.click()
        assert page.get_by_role("heading", level=1).inner_text() == "Preview: nothing has been written"
        assert_accessible(page)
