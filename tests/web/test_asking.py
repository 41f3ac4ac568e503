"""Requests that are strange without being wrong, and those that nobody means."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.numbers import format_decimal
from hypothesis import example, given
from hypothesis import strategies as st
from litestar.testing import TestClient

from arpad.bureau.opened import open_office
from arpad.bureau.people import describe, show
from arpad.web.api.answering import JSON
from arpad.web.drawing import LOCALES, filters


@pytest.mark.parametrize(
    "path", ["/", "/en/", "/it/lists/standard", "/es/players/1", "/api/v1/lists", "/api/v1/games.ndjson", "/nowhere"]
)
def test_head_is_answered_as_get_without_the_body(client: TestClient, path: str) -> None:
    head, whole = client.head(path, follow_redirects=False), client.get(path, follow_redirects=False)
    assert (head.status_code, head.content) == (whole.status_code, b"")
    assert head.headers.get("etag") == whole.headers.get("etag")
    assert head.headers["content-type"] == whole.headers["content-type"]


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"white":' * 100_000])
@pytest.mark.parametrize("path", ["expected", "performance", "whatif"])
def test_a_body_that_is_nested_without_end_is_refused(client: TestClient, path: str, body: bytes) -> None:
    answer = client.post(f"/api/v1/{path}", content=body, headers={"Content-Type": JSON})
    assert answer.status_code == 400
    assert answer.json()["detail"] == "the body has brackets within brackets without end"


@pytest.mark.parametrize("name", ["%00", "a%00.css", "a" * 3000, "é" * 200, "../app.py", "%2e%2e/app.py", "vendor", ""])
def test_what_is_no_file_is_not_found_and_nothing_is_said_of_folders(client: TestClient, name: str) -> None:
    answer = client.get(f"/static/{name}")
    assert answer.status_code == 404
    assert str(Path(__file__).parents[2]) not in answer.text


@pytest.mark.parametrize(
    "asked", ["Conti", "Conti, Bruno", "Bruno", "Cont", "Conty", "Bruno Conti", "B. Conti", "Bob", "club:102", "Conti?"]
)
def test_nobody_hears_the_name_of_who_is_hidden(client: TestClient, office: Path, asked: str) -> None:
    with open_office(office) as held:
        describe(held, 2, aliases=["Bob"])
        show(held, 2, {"name": "members"})
    for path in (f"/en/players/{asked}", f"/api/v1/players/{asked}", f"/api/v1/compare?players={asked}"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "Conti, Bruno" not in answer.text.replace(asked, "")
    card = client.get("/api/v1/players/2").json()
    assert (card["name"], card["aliases"], card["identifiers"]) == ("player 2", [], {})
    assert client.get("/api/v1/players", params={"q": "102"}).json()["people"] == []


def test_nobody_is_found_by_an_alias_that_is_not_shown(client: TestClient, office: Path) -> None:
    with open_office(office) as held:
        describe(held, 2, aliases=["Contessa, Bice"])
    assert client.get("/api/v1/players/Contessa, Bice").json()["person"] == 2
    with open_office(office) as held:
        show(held, 2, {"aliases": "members"})
    for asked in ("Contessa, Bice", "Contessa", "Contesa"):
        answer = client.get(f"/api/v1/players/{asked}")
        assert (answer.status_code, "Bruno" in answer.text) == (404, False)
    assert client.get("/api/v1/players/Conti, Bruno").json()["person"] == 2


@pytest.mark.parametrize(
    ("value", "places", "written"),
    [(-0.001, None, "0"), (-0.4, 0, "0"), (-40.0, None, "-40"), (1850.125, 1, "1850,1"), (2000.0, None, "2000")],
)
def test_c27_a_rating_below_zero_is_written_and_one_that_is_none_is_zero(
    value: float, places: int | None, written: str
) -> None:
    assert filters(LOCALES["it"])["rating"](value, places) == written


@given(
    value=st.one_of(st.floats(-2e6, 2e6), st.integers(-200_000, 200_000).map(lambda cents: cents / 100)),
    places=st.integers(0, 4),
    language=st.sampled_from(sorted(LOCALES)),
)
@example(value=999.995, places=2, language="en")
@example(value=-0.001, places=2, language="it")
def test_a_number_is_written_as_babel_writes_it(value: float, places: int, language: str) -> None:
    pattern = f"#,##0.{'0' * places}" if places else "#,##0"
    written = format_decimal(round(value, places) + 0.0, pattern, LOCALES[language])
    assert filters(LOCALES[language])["number"](value, places) == written
