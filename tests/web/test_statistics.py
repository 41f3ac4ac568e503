"""Records, distribution and the log of corrections, from outside."""

from __future__ import annotations

import html
from pathlib import Path

import pytest
from litestar.testing import TestClient

from arpad.bureau.corrections import Change, correct, revert
from arpad.bureau.opened import open_office


@pytest.fixture
def corrected(office: Path) -> int:
    """A win that was a loss is put right, and put right again; the entry of the first."""
    with open_office(office, actor="officer 7") as opened:
        done = correct(opened, [Change("game", 1, {"score": 0.0, "other": 1.0})], "the <b>scoresheet</b> says so")
        revert(opened, done.seq, "it was the right one")
        return done.seq


def test_the_log_tells_what_was_changed_why_and_whom_it_moved(corrected: int, client: TestClient) -> None:
    log = client.get("/api/v1/corrections").json()["corrections"]
    assert [each["entry"] for each in log] == [corrected + 1, corrected]
    assert [each["reverted"] for each in log] == [0, corrected + 1]
    assert {each["actor"] for each in log} == {"officer"}, "a role, and not whose account it was"
    one, other = (client.get(f"/api/v1/corrections/{entry}").json() for entry in (corrected, corrected + 1))
    assert {each["person"] for each in one["moved"]} >= {1, 4}
    forth = {each["person"]: (each["before"], each["after"]) for each in one["moved"]}
    assert {each["person"]: (each["after"], each["before"]) for each in other["moved"]} == forth
    assert log[1]["players"] == len(forth)


def test_only_who_was_moved_is_told_of(corrected: int, client: TestClient) -> None:
    assert client.get("/api/v1/corrections?person=6").json()["corrections"] == []
    assert len(client.get("/api/v1/corrections?person=4").json()["corrections"]) == 2
    assert client.get("/api/v1/corrections/1").status_code == 404


@pytest.mark.parametrize("language", ["en", "it", "es"])
def test_pages_show_what_the_api_says(corrected: int, client: TestClient, language: str) -> None:
    assert "the &lt;b&gt;scoresheet&lt;/b&gt; says so" in client.get(f"/{language}/corrections").text
    assert "Bianchi, Anna" in client.get(f"/{language}/corrections/{corrected}").text
    for page in ("records?over=2000", "distribution?rating=1900&date=2025-04-01", "distribution?classes=uschess"):
        assert client.get(f"/{language}/lists/standard/{page}").status_code == 200, page


@pytest.mark.parametrize(("language", "word"), [("en", "game 1"), ("it", "partita 1"), ("es", "partida 1")])
def test_what_a_correction_says_is_in_the_readers_language(
    corrected: int, client: TestClient, language: str, word: str
) -> None:
    asked = {"Accept-Language": language}
    told = client.get(f"/api/v1/corrections/{corrected}", headers=asked).json()["correction"]["what"]
    assert word in told
    assert client.get("/api/v1/corrections", headers=asked).json()["corrections"][1]["what"] == told
    for page in ("", "corrections", f"corrections/{corrected}"):
        assert told in html.unescape(client.get(f"/{language}/{page}").text), page


def test_c_records_and_ranks(client: TestClient) -> None:
    page = client.get("/api/v1/lists/standard/records?over=2000").json()["records"]
    assert [each["name"] for each in page["reached"]] == ["Bianchi, Anna"]
    spread = client.get("/api/v1/lists/standard/distribution?rating=1900&date=2025-04-01").json()
    assert spread["players"] == 6 == sum(each["players"] for each in spread["ranges"])
    assert [each["rank"] for each in spread["ranks"]] == [3, 3]


@pytest.mark.parametrize(
    "asked", ["width=0.0001", "width=-1", "classes=nothing", "date=2025-05-01", "width=nan", "width=inf"]
)
def test_what_cannot_be_shown_is_refused(client: TestClient, asked: str) -> None:
    assert client.get(f"/api/v1/lists/standard/distribution?{asked}").status_code in (400, 404)
    assert client.get(f"/en/lists/standard/distribution?{asked}").status_code in (400, 404)
