"""The pages of rulebooks, and of people who are looked for."""

from __future__ import annotations

import html
from pathlib import Path

import pytest
from litestar.testing import TestClient

from arpad.bureau.opened import add_list, open_office
from arpad.rulebooks.loader import SHELF
from arpad.web.app import create_app


def test_every_rulebook_that_ships_has_a_page(client: TestClient) -> None:
    rows = client.get("/api/v1/rulebooks").json()["rulebooks"]
    shelf = client.get("/en/rules").text
    for row in rows:
        assert f'href="/en/rules/{row["name"].replace("/", "%2F")}"' in shelf
        answer = client.get(f"/it/rules/{row['name']}")
        assert answer.status_code == 200, row["name"]


def test_rulebooks_are_found_by_name_organisation_and_game(client: TestClient) -> None:
    page = client.get("/en/rules?q=federazione+scacchistica").text
    assert "rulebooks: 1" in page
    assert "/en/rules/fsi" in page
    assert "No rulebook is called so." in client.get("/en/rules?q=<zz>").text


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "A difference above 400 counts as 400"), ("it", "Una differenza oltre 400"), ("es", "400")],
)
def test_clauses_come_in_the_readers_language(client: TestClient, language: str, words: str) -> None:
    page = html.unescape(client.get(f"/{language}/rules/fide/standard").text)
    assert words in page
    assert "8.3.1" in page


def test_two_editions_stand_side_by_side(client: TestClient) -> None:
    page = client.get("/en/rules/fide/standard?date=2025-10-01&since=2017-07-01").text
    assert "<del>1000</del>" in page
    assert "<ins>1400</ins>" in page
    assert "Nothing changed." in client.get("/en/rules/fide/standard?date=2025-10-01&since=2025-11-01").text
    assert client.get("/en/rules/fide/standard?date=1900-01-01").status_code == 400
    assert client.get("/en/rules/nobody").status_code == 404


def test_a_rulebook_says_which_lists_go_by_it_and_leads_to_the_calculator(client: TestClient) -> None:
    page = client.get("/en/rules/fide/standard").text
    assert 'href="/en/lists/standard"' in page
    assert 'href="/en/whatif?rules=fide%2Fstandard"' in page
    assert client.get("/api/v1/rulebooks/fide/standard").json()["lists"] == ["standard"]


def test_a_rulebook_of_the_offices_own_is_shown_without_its_place(office: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    own = tmp_path / "secret" / "club.toml"
    own.write_bytes((SHELF / "fexerj.toml").read_bytes())
    with open_office(office) as held:
        add_list(held, str(own), name="club")
    with TestClient(create_app(office)) as client:
        asked = {"list": "club", "rating": 1850, "games": [{"rating": 1850, "score": 1}]}
        answers = [
            client.get("/en/rules"),
            client.get("/en/"),
            client.get("/en/lists/club"),
            client.get("/en/events/1?list=club&player=1"),
            client.get("/en/players/1?list=club&event=1"),
            client.get("/en/rules/club.toml"),
            client.get("/en/whatif?rules=list:club&rating=1850&text=1850+1"),
            client.get("/en/expected?rules=list:club&own=1850&opponent=1900"),
            client.get("/api/v1/rulebooks/club.toml"),
            client.post("/api/v1/whatif", json=asked),
        ]
    for answer in answers:
        assert answer.status_code == 200, answer.url
        assert "secret" not in answer.text, answer.url
    assert "/en/rules/club.toml" in answers[0].text
    assert "/en/rules/club.toml" in answers[1].text
    assert "FEXERJ, Rio de Janeiro" in answers[5].text


def test_people_are_found_from_every_page(client: TestClient) -> None:
    assert 'action="/en/players"' in client.get("/en/events").text
    page = client.get("/en/players?q=mullner")
    assert "Müllner, Dario" in page.text
    assert "Bianchi" not in page.text
    assert page.headers["x-robots-tag"] == "noindex"
    assert "Bianchi" in client.get("/es/players").text
    assert "Bianchi" not in client.get("/en/players?quick=1").text
    assert "<script>" not in client.get("/en/players?q=<script>").text.partition("<main")[2]
