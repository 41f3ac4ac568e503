"""Several servers of one office, on both databases: what they share, and what each has for itself."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest
from litestar.testing import TestClient

from arpad.bureau.intake import Decisions, receive
from arpad.bureau.lists import publish
from arpad.bureau.opened import init, open_office
from arpad.model import Game
from arpad.web import hooks
from arpad.web.app import create_app
from tests.web.people import FORM, bearing, sent, signed_in

Servers = tuple[TestClient[Any], TestClient[Any]]
V1 = "/api/v1"
TOLD = "https://example.org/told"


@pytest.fixture
def club(place: str) -> str:
    """An office of one game."""
    with init(place, "elo", name="standard") as office:
        assert receive(office, [Game("Ann", "Bea", 1.0, date=date(2025, 1, 5))], Decisions(register=True)).accepted
    return place


@pytest.fixture
def servers(club: str) -> Iterator[Servers]:
    with TestClient(create_app(club)) as one, TestClient(create_app(club)) as other:
        yield one, other


def test_sessions_forms_keys_and_what_was_written_are_every_servers(servers: Servers, club: str) -> None:
    one, other = servers
    assert other.get(f"{V1}/lists/standard/ratings?view=live").json()["found"] == 2
    signed_in(one, club, "officer")
    one.get("/en/account")
    other.cookies.update({name: one.cookies[name] for name in ("arpad", FORM)})
    assert sent(other, "/en/account/tokens", name="a program", read="1").status_code == 200
    assert "a program" in one.get("/en/account").text
    with open_office(club) as office:
        assert receive(office, [Game("Cyd", "Dan", 1.0, date=date(2025, 2, 5))], Decisions(register=True)).accepted
    for each in servers:
        assert each.get(f"{V1}/lists/standard/ratings?view=live").json()["found"] == 4
    with open_office(club) as office:
        keyed = {**bearing(office, "officer", "read", "webhooks"), "Idempotency-Key": "k"}
    asked = {"url": TOLD, "events": ["publication"]}
    first, again = (each.post(f"{V1}/webhooks", json=asked, headers=keyed) for each in servers)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert again.headers["idempotency-replayed"] == "true"
    sent(other, "/en/sign-out")
    assert one.get("/en/account", follow_redirects=False).status_code == 303


def test_what_is_due_is_taken_once(club: str) -> None:
    now = datetime(2030, 1, 1, tzinfo=UTC)
    with open_office(club) as one, open_office(club) as other:
        hooks.register(one, 1, TOLD, ["publication"])
        publish(other, date(2025, 4, 1))
        taken = [hooks.due(each, now) for each in (one, other)]
    assert [len(each) for each in taken] == [1, 0]


def test_long_work_goes_on_by_itself_on_both_databases(servers: Servers, club: str) -> None:
    one, other = servers
    with open_office(club) as office:
        headers = {**bearing(office, "officer", "publish", "read"), "Prefer": "respond-async"}
    begun = one.post(f"{V1}/publications", json={"date": "2025-04-01"}, headers=headers)
    assert begun.status_code == 202
    signed_in(one, club, "admin")
    one.get("/en/account")
    place = sent(one, "/en/desk/jobs", kind="backup").headers["location"]
    assert "Download the backup" in one.get(place).text
    assert one.get(place.replace("/en/desk", V1), headers=headers).json()["percent"] == 100
    done = one.get(begun.headers["location"], headers=headers).json()
    assert (done["state"], done["list"], done["percent"]) == ("done", "standard", 100)
    assert other.get(f"{V1}/lists/standard/ratings").json()["found"] == 2, "whoever reads elsewhere has it"


def test_jobs_and_counts_are_each_servers_own(servers: Servers, club: str) -> None:
    one, other = servers
    signed_in(one, club, "officer")
    one.get("/en/account")
    place = sent(one, "/en/desk/jobs", kind="verify").headers["location"]
    other.cookies.update({"arpad": one.cookies["arpad"]})
    assert one.get(place).status_code == 200
    assert other.get(place).status_code in (404, 410), "by whether it was started in the same second"
    left = [each.get(f"{V1}/lists").headers["ratelimit-remaining"] for each in (one, one, other)]
    assert left == ["599", "598", "599"]
