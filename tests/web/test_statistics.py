"""Records, distribution and the log of corrections, from outside."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from babel.numbers import format_decimal
from litestar.testing import TestClient

from arpad.bureau.corrections import Change, correct, revert
from arpad.bureau.erasing import erase
from arpad.bureau.lists import publish
from arpad.bureau.opened import MOST_KEPT, Office, init, open_office
from arpad.bureau.people import show
from arpad.model import Game
from arpad.web.app import create_app
from tests.bureau.worlds import taken


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


def test_ranges_read_the_same_whoever_asked_for_them_before(office: Path, client: TestClient) -> None:
    """What was made is kept by what was asked, and the page asks for the width that a program asks for."""
    asked = "lists/standard/distribution"
    with TestClient(create_app(office)) as other:
        other.get(f"/en/{asked}")
        assert other.get(f"/api/v1/{asked}").text == client.get(f"/api/v1/{asked}").text


DEVELOPMENT = "lists/standard/development"


@pytest.fixture
def grown(office: Path) -> Path:
    """The federation's office after another quarter: a game between federations, and one within."""
    games = [
        Game("101", "102", 0.5, date=date(2025, 5, 3), event="Spring", round=1),
        Game("103", "104", 1.0, date=date(2025, 5, 4), event="Spring", round=2),
    ]
    with open_office(office) as opened:
        assert taken(opened, games).accepted
        publish(opened, date(2025, 7, 1))
    return office


def told(client: TestClient, query: str = "") -> dict[str, Any]:
    answer = client.get(f"/api/v1/{DEVELOPMENT}{query}")
    assert answer.status_code == 200, answer.text
    held: dict[str, Any] = answer.json()["development"]
    return held


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("Where points came from", "cohort", "Games between federations", "Calibration")),
        ("it", ("Da dove vengono i punti", "coorte", "Partite tra federazioni", "Calibrazione")),
        ("es", ("De dónde vienen los puntos", "cohorte", "Partidas entre federaciones", "Calibración")),
    ],
)
def test_the_page_of_a_lists_development_has_the_numbers_of_the_api(
    grown: Path, client: TestClient, language: str, words: tuple[str, ...]
) -> None:
    held, page = told(client), html.unescape(client.get(f"/{language}/{DEVELOPMENT}").text)
    for word in words:
        assert word in page
    assert held["days"] == ["2025-04-01", "2025-07-01"]
    assert [each["pool"]["players"] for each in held["lists"]] == [6, 6]
    assert held["account"]["change"] == held["flow"]["stayers"] != 0
    shown = [each[part]["mean"] for each in held["lists"] for part in ("pool", "cohort")]
    shown += [each["low"] for each in (row["pool"] for row in held["lists"])]
    cells = {format_decimal(value, "#,##0.0", language, group_separator=False) for value in shown}
    cells |= {format_decimal(held["loss"][name], "0.0000", language) for name in ("log_loss", "squared_error", "even")}
    cells |= {format_decimal(each["score"], "0.000", language) for each in held["differences"]}
    for cell in cells:
        assert f">{cell}<" in page, cell
    assert page.count("<figure>") == 3


def test_a_list_that_stands_between_is_shown_from_where_it_is_asked(grown: Path, client: TestClient) -> None:
    later = told(client, "?from=2025-07-01&width=25")
    assert [each["day"] for each in later["lists"]] == ["2025-07-01"]
    assert (later["loss"], later["account"], later["cohort"]) == (None, None, 6)
    assert client.get(f"/en/{DEVELOPMENT}?from=2025-07-01&width=25").status_code == 200
    widths = {each["below"] and each["below"] - each["low"] for each in told(client, "?width=25")["differences"]}
    assert widths <= {25, None}


def test_the_csv_has_a_row_a_list(grown: Path, client: TestClient) -> None:
    answer = client.get(f"/api/v1/{DEVELOPMENT}", headers={"Accept": "text/csv"})
    assert answer.headers["content-type"].startswith("text/csv")
    rows, held = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))), told(client)
    assert [row["date"] for row in rows] == held["days"]
    for row, each in zip(rows, held["lists"], strict=True):
        assert float(row["pool_mean"]) == pytest.approx(each["pool"]["mean"])
        assert float(row["cohort_median"]) == pytest.approx(each["cohort"]["median"])
    assert rows[0]["sum_change"] == rows[0]["new"] == ""
    assert float(rows[1]["sum_change"]) == pytest.approx(held["lists"][1]["account"]["change"])


@pytest.mark.parametrize(
    "asked",
    [
        *("from=2025-04-02", "to=2024-01-01", "from=2025-07-01&to=2025-04-01", "from=yesterday"),
        *("width=inf", "width=nan", "width=0", "width=-3", "width=wide"),
    ],
)
def test_a_development_that_cannot_be_told_is_refused(grown: Path, client: TestClient, asked: str) -> None:
    assert client.get(f"/api/v1/{DEVELOPMENT}?{asked}").status_code == 400
    for language in ("en", "it", "es"):
        assert client.get(f"/{language}/{DEVELOPMENT}?{asked}").status_code == 400
    assert client.get(f"/en/lists/none/development?{asked}").status_code in (400, 404)


def test_the_wrong_order_is_told_in_the_readers_language(grown: Path, client: TestClient) -> None:
    page = html.unescape(client.get(f"/it/{DEVELOPMENT}?from=2025-07-01&to=2025-04-01").text)
    assert "la lista del 1 lug 2025 non è anteriore a quella del 1 apr 2025" in page


def nothing(office: Office) -> None:
    """No list, and no game."""


def empty_list(office: Office) -> None:
    publish(office, date(2025, 4, 1))


def undated(office: Office) -> None:
    """What has no date is on no list of a day."""
    taken(office, [Game("A", "B", 1.0), Game("A", "C", 0.5)])
    publish(office, date(2025, 4, 1))
    publish(office, date(2025, 7, 1))


@pytest.mark.parametrize(("make", "lists"), [(nothing, 0), (empty_list, 1), (undated, 2)])
def test_offices_with_little_to_tell(tmp_path: Path, make: Callable[[Office], None], lists: int) -> None:
    with init(tmp_path / "small.db", "elo", name="standard") as office:
        make(office)
    with TestClient(create_app(tmp_path / "small.db")) as client:
        held = told(client)
        assert [each["pool"]["players"] for each in held["lists"]] == [0] * lists
        assert (held["loss"], held["differences"], held["groups"]) == (None, [], [])
        for language in ("en", "it", "es"):
            assert client.get(f"/{language}/{DEVELOPMENT}").status_code == 200
        assert ("No list has been published yet." in client.get(f"/en/{DEVELOPMENT}").text) == (not lists)
        assert client.get(f"/api/v1/{DEVELOPMENT}", headers={"Accept": "text/csv"}).status_code == 200


def test_nobody_who_is_hidden_or_erased_is_told_of(grown: Path) -> None:
    """103 is the only one of SUI: whose federation is for officers, with whom its group goes."""

    def seen() -> tuple[str, list[str]]:
        with TestClient(create_app(grown)) as client:
            page, held = client.get(f"/en/{DEVELOPMENT}").text, told(client)
            return page, [each["group"] for each in held["groups"]]

    page, groups = seen()
    assert groups == ["", "ITA", "SUI"]
    assert "SUI" in page
    with open_office(grown) as office:
        show(office, 3, {"federation": "officers"}, "asked for it")
        erase(office, 6, "asked to be removed")
    page, groups = seen()
    assert groups == []
    for word in ("SUI", "Games between federations", "Moretti", "Ferri", "Bianchi"):
        assert word not in page


def test_however_many_developments_are_asked_for_few_are_kept(grown: Path) -> None:
    with TestClient(create_app(grown)) as client:
        for width in range(1, MOST_KEPT + 4):
            assert client.get(f"/api/v1/{DEVELOPMENT}?width={width}").status_code == 200
        held = client.app.state.shop.reading.at_once(lambda office: len(office.kept))
        assert 0 < held <= MOST_KEPT
