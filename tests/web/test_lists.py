"""The pages and the API of rating lists, from outside."""

from __future__ import annotations

import html
import re
from datetime import date
from pathlib import Path

import pytest
from litestar.testing import TestClient

from arpad.bureau.intake import Decisions, receive
from arpad.bureau.opened import init
from arpad.ledger.spelling import spelling
from arpad.model import Game
from arpad.web.app import create_app
from arpad.web.views.names import Names
from tests.web.people import signed_in


def names(client: TestClient, **asked: str) -> list[str]:
    answer = client.get("/api/v1/lists/standard/ratings", params=asked)
    assert answer.status_code == 200, answer.text
    return [row["name"].split(",")[0] for row in answer.json()["rows"]]


@pytest.mark.parametrize("typed", ["Müllner", "mullner", "Muellner", "dario mull", "MÜLL", "4"])
def test_c48_a_name_is_found_however_its_letters_are_written(client: TestClient, typed: str) -> None:
    assert "Müllner" in names(client, q=typed)


def test_search_finds_nobody_who_has_only_a_part_of_what_was_typed(client: TestClient) -> None:
    assert names(client, q="dario bianchi") == []


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "%", "'; drop table person; --", "ß" * 200, "\x00", "="])
def test_what_is_typed_is_only_looked_for(client: TestClient, name: str) -> None:
    assert names(client, q=name) == []
    page = client.get("/en/lists/standard", params={"q": name})
    assert page.status_code == 200
    assert "<script>alert" not in page.text


def test_sorting_filters_and_portions(client: TestClient) -> None:
    assert names(client, sort="name") == ["Bianchi", "Conti", "Ferri", "Leone", "Moretti", "Müllner"]
    assert names(client, sort="rating", limit="2") == ["Moretti", "Leone"]
    assert names(client, federation="SUI") == ["Ferri"]


@pytest.mark.parametrize("language", ["en", "it", "es"])
def test_a_page_is_there_in_each_language(client: TestClient, language: str) -> None:
    page = client.get(f"/{language}/lists/standard")
    assert page.status_code == 200
    assert f'<html lang="{language}">' in page.text
    assert "Müllner, Dario" in page.text


def test_the_first_address_goes_by_the_readers_language(client: TestClient) -> None:
    answer = client.get("/", headers={"Accept-Language": "pt, es;q=0.8"}, follow_redirects=False)
    assert answer.headers["location"] == "/es/"


def test_what_is_wrong_in_an_address_is_named(client: TestClient) -> None:
    assert client.get("/en/lists/standard?date=2025-13-01").status_code == 400
    assert "known: standard" in client.get("/en/lists/blitz").text
    answer = client.get("/api/v1/lists/blitz/ratings")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert client.get("/en/lists/standard?date=2025-05-01").status_code == 400


def test_the_front_page_shows_every_list(client: TestClient) -> None:
    page = client.get("/it/").text
    assert "Bianchi, Anna" in page
    assert "1 aprile 2025" in page


@pytest.mark.parametrize(("kind", "begins"), [("csv", b"\xef\xbb\xbfrank,"), ("json", b"["), ("xlsx", b"PK")])
def test_a_list_can_be_had_as_a_file_of_what_it_shows(client: TestClient, kind: str, begins: bytes) -> None:
    answer = client.get(f"/en/lists/standard/file/{kind}?federation=SUI")
    assert answer.status_code == 200
    assert answer.content.startswith(begins)
    assert "attachment" in answer.headers["content-disposition"]
    assert answer.headers["content-type"].count("charset") == (kind == "csv"), "said once, of what is text"
    if kind != "xlsx":
        assert answer.content.count(b"Ferri") == 1
        assert b"Bianchi" not in answer.content
    assert client.get("/en/lists/standard/file/exe").status_code == 404


@pytest.mark.parametrize(
    "path", ["/en/", "/en/lists/nobody", "/nowhere", "/api/v1/lists/standard/ratings", "/api/v1/x"]
)
def test_every_answer_forbids_what_does_not_come_from_here(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert "set-cookie" not in headers


def test_files_beside_the_pages_say_it_too(client: TestClient) -> None:
    assert client.get("/static/style.css").headers["x-content-type-options"] == "nosniff"


def test_whoever_types_more_finds_what_a_search_from_nothing_finds() -> None:
    names = ["Müllner, Dario", "Muller, Anna", "O'Dario, Ann", "Aanensen, Bo", "Ann", "Bo Annalena 7", ""]
    whole = Names.of((name, [number]) for number, name in enumerate(names))
    lines = [f"{spelling(name)} {number}" for number, name in enumerate(names)]
    typed = {name[:end] for name in names for end in range(1, len(name) + 1)}
    typed |= {
        "an",
        "ann",
        "anna",
        "annalena",
        "ann bo",
        "bo annal",
        "dario mul",
        "lln",
        "7",
        "mullnerx",
        "x" * 5000,
        " ",
        "%",
    }
    found = {each: list(whole.called(each)) for each in typed}
    parts = {each: spelling(each).split() for each in typed}
    assert found == {
        each: [at for at, line in enumerate(lines) if parts[each] and all(part in line for part in parts[each])]
        for each in typed
    }
    assert found["dario mul"] == [0]
    assert found["mullnerx"] == found["x" * 5000] == []


def test_letters_that_are_drawn_and_numbers_with_letters_are_found_as_they_are_typed() -> None:
    whole = Names.of([("𝕯𝖗𝖆𝖌𝖔𝖓", [1, "AB-77c"]), ("Ⓓragomir ℌans", [2, "77"])])
    for typed, found in (
        ("dragon", [0]),
        ("DRAGO", [0, 1]),
        ("𝕯𝖗𝖆", [0, 1]),
        ("hans d", [1]),
        ("AB-77c", [0]),
        ("ab-77C", [0]),
        ("77c", [0]),
        ("77", [0, 1]),
    ):
        assert list(whole.called(typed)) == found, typed


def test_a_search_of_any_length_is_answered(client: TestClient) -> None:
    assert client.get("/en/lists/standard", params={"q": "a" * 20_000}).status_code == 200
    assert client.get("/en/lists/standard", params={"q": "dario " * 2_000}).status_code == 200


def test_whoever_is_signed_in_sees_their_own_row_above_the_list(client: TestClient, office: Path) -> None:
    def own(place: str) -> list[str]:
        found = re.findall(r'<p class="own">(.*?)</p>', client.get(place).text, re.DOTALL)
        return [" ".join(html.unescape(re.sub("<.*?>", "", each)).split()) for each in found]

    place = "/en/lists/standard"
    assert own(place) == []
    signed_in(client, office, "member", "nobody")
    assert own(place) == []
    signed_in(client, office, "member", "elia", 5)
    row = next(row for row in client.get("/api/v1/lists/standard/ratings").json()["rows"] if row["person"] == 5)
    (told,) = own(place)
    assert told.startswith(f"You: Leone, Elia · Rank {row['rank']} · Rating {row['rating']:.0f} · Change")
    assert own(f"{place}?q=bianchi") == [told], "whatever is looked for"
    assert own(f"{place}?start=5&sort=name") == [told]
    assert "Leone" not in re.sub('<p class="own">.*?</p>', "", client.get(f"{place}?q=bianchi").text, flags=re.DOTALL)
    assert own("/it/lists/standard?view=live")[0].startswith("Tu: Leone, Elia")


def test_a_page_of_a_list_links_to_itself_whatever_the_list_is_called(tmp_path: Path) -> None:
    """In an address # begins a place on a page, ? a query, % a code."""
    day = date(2025, 1, 5)
    with init(tmp_path / "office.db", "elo", name="Blitz #1? 50%") as office:
        assert receive(office, [Game("A", "B", 1.0, date=day)], Decisions(register=True)).accepted
    with TestClient(create_app(tmp_path / "office.db"), raise_server_exceptions=False) as client:
        text = client.get("/en/lists/Blitz%20%231%3F%2050%25").text
        for link in re.findall(r'href="(/(?:en|it)/lists/[^"]*)"', text):
            path = html.unescape(link)
            assert path[3:].startswith("/lists/Blitz%20%231%3F%2050%25"), path
            assert client.get(path).status_code == 200, path
