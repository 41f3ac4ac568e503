"""The officer's desk in a browser: for everybody, on every screen, without a word on the console."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest

from arpad.accounts import book, sessions
from arpad.bureau import intake, lists
from arpad.bureau.opened import open_office
from arpad.bureau.reports import Sent
from arpad.web import jobs
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


def test_a_long_publication_is_watched_until_it_is_there(
    demo_copy: Path, reader: Readers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With JavaScript the page looks again by itself and leads to what came of it; without, it is loaded again."""
    further, frozen = Event(), lists.frozen
    monkeypatch.setattr(lists, "frozen", lambda *args: further.wait(30) and frozen(*args))
    monkeypatch.setattr(jobs, "MOMENT", 0.1)
    with open_office(demo_copy) as office:
        secret = sessions.begin(office, book.add(office, "officer", "officer", by="admin").id)
        head = office.head
    with served(demo_copy) as address:
        someone = reader(address)
        someone.carry(secret)
        page = someone.go("/it/desk/jobs")
        form = "input[name=kind][value=verify] + button"
        token = page.locator("input[name=_csrf_token]").first.input_value()
        asked = {"_csrf_token": token, "list": "standard", "date": "2026-01-01", "head": str(head)}
        begun = page.request.post(f"{address}/it/desk/publish", form=asked, max_redirects=0)
        page.goto(address + begun.headers["location"])
        page.get_by_text("50 %").first.wait_for()
        assert_accessible(page)
        plain = reader(address, java_script_enabled=False)
        plain.carry(secret)
        watched = plain.go(begun.headers["location"])
        watched.get_by_text("50 %").first.wait_for()
        further.set()
        page.get_by_role("heading", name="La lista è pubblicata").wait_for()
        assert page.url == f"{address}/it/desk/published?list=standard&date=2026-01-01"
        watched.get_by_role("link", name="Che cosa è stato pubblicato").click()
        watched.get_by_role("heading", name="La lista è pubblicata").wait_for()
        page.goto(f"{address}/it/desk/jobs")
        page.locator(form).click()
        page.get_by_text("Tutto è coerente").wait_for()
        assert_accessible(page)
