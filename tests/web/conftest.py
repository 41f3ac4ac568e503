"""A small federation's office behind the web, as it is after a quarter: six members, a report, a list."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from litestar.testing import TestClient

from arpad.bureau.intake import Decisions, receive
from arpad.bureau.lists import publish
from arpad.bureau.opened import init
from arpad.bureau.register import join
from arpad.formats import read_members
from arpad.web import jobs
from arpad.web.app import create_app
from arpad.web.limits import API
from tests.web import remembering
from tests.web.callers import Enter, entered
from tests.web.people import quick_passwords

__all__ = ["remembering"]  # which is all there is to do with it

MEMBERS = """number,name,born,federation,title,rating,games
101,"Bianchi, Anna",1990-04-12,ITA,CM,2050,80
102,"Conti, Bruno",1985-09-30,ITA,,1930,60
103,"Ferri, Carla",2009-02-14,SUI,,1810,45
104,"Müllner, Dario",2001-07-07,ITA,,1745,40
105,"Leone, Elia",2011-11-02,ITA,,1620,35
106,"Moretti, Fabio",1978-01-20,ITA,,1550,30
"""
WINTER = """event,round,date,white,black,result
Winter Open,1,2025-01-18,101,104,1-0
Winter Open,1,2025-01-18,103,102,1-0
Winter Open,1,2025-01-18,105,106,1/2-1/2
Winter Open,2,2025-01-19,103,101,1/2-1/2
Winter Open,2,2025-01-19,104,105,1-0
Winter Open,2,2025-01-19,106,102,0-1
"""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quick_passwords(monkeypatch)
    monkeypatch.setattr(jobs, "MOMENT", 20)  # on a busy machine, too, a small job ends within a moment


@pytest.fixture(scope="session")
def federation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An office that nobody writes to: tests that do take `office`."""
    folder = tmp_path_factory.mktemp("federation")
    (folder / "members.csv").write_text(MEMBERS, encoding="utf-8")
    (folder / "winter.csv").write_text(WINTER, encoding="utf-8")
    place = folder / "office.db"
    with init(place, "fide/standard", name="standard", base=date(2025, 1, 1)) as office:
        members, problems = read_members(str(folder / "members.csv"))
        assert problems == []
        join(office, members, ids="club")
        assert receive(office, str(folder / "winter.csv"), Decisions(ids="club")).accepted
        publish(office, date(2025, 4, 1))
    return place


@pytest.fixture
def office(federation: Path, tmp_path: Path) -> Path:
    """A copy of the federation's office, of the test's own."""
    return Path(shutil.copy(federation, tmp_path / "office.db"))


@pytest.fixture(scope="session")
def reader(federation: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """One server for all tests that only ask: an application takes longer to make than most of them."""
    place = shutil.copy(federation, tmp_path_factory.mktemp("reader") / "office.db")
    with TestClient(create_app(place), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def client(request: pytest.FixtureRequest) -> Iterator[TestClient]:
    """A visitor of the test's own `office`, if it asks for one; else of the one that all share."""
    if "office" in request.fixturenames:
        with TestClient(create_app(request.getfixturevalue("office")), raise_server_exceptions=False) as own:
            yield own
        return
    shared: TestClient = request.getfixturevalue("reader")
    yield shared
    shared.cookies.clear()
    shared.blocking_portal.call(shared.app.stores.get(API.store).delete_all)  # what was asked counts no more


@pytest.fixture
def enter(office: Path) -> Iterator[Enter]:
    """Enters the test's own office as somebody of a role, an officer if none is named."""
    with entered(office) as enter:
        yield enter


@pytest.fixture
def officer(enter: Enter) -> TestClient:
    return enter()
