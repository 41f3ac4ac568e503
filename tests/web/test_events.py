"""Event lists and event pages, from outside."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from arpad.bureau.corrections import Change, correct
from arpad.bureau.erasing import erase
from arpad.bureau.intake import Decisions, receive
from arpad.bureau.opened import LEVELS, init, open_office
from arpad.bureau.people import show
from arpad.model import Game
from arpad.web.app import create_app
from tests.reports import Person, trf
from tests.web.callers import OFFICER, client_as
from tests.web.test_players import made, visited

HEADERS = ("012 Spring Open", "042 2025/03/01", "052 2025/03/03", "092 Individual: Swiss-System")


def swiss() -> str:
    """Four players, three rounds: ranks change from round to round, one forfeit, one bye for a fifth who came late."""
    return trf(
        [
            Person("Alfa, Ada", 1900, "ITA", born="1980/05/06", rounds=[(2, "0"), (3, "1"), (4, "1")]),
            Person("Beta, Bea", 1800, "ITA", born="1981/05/06", rounds=[(1, "1"), (4, "="), (3, "+")]),
            Person("Gamma, Gil", 1700, "ESP", born="1982/05/06", rounds=[(4, "1"), (1, "0"), (2, "-")]),
            Person("Delta, Dan", 1600, "ESP", born="1983/05/06", rounds=[(3, "0"), (2, "="), (1, "0")]),
            Person("Late, Lea", 1500, "SUI", born="1984/05/06", rounds=[(None, "Z"), (None, "Z"), (None, "H")]),
        ],
        *HEADERS,
    )


def reported(folder: Path, text: str, rules: str = "fide/standard") -> Path:
    """An office with one report."""
    (folder / "spring.trf").write_bytes(text.encode())
    with init(folder / "o.db", rules, name="main", base=date(2024, 1, 1)) as office:
        assert receive(office, str(folder / "spring.trf"), Decisions(register=True)).accepted
    return folder / "o.db"


def event(client: TestClient[Any], number: int = 1) -> Any:
    answer = client.get(f"/api/v1/events/{number}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def signs(row: Sequence[Sequence[Any]]) -> list[str]:
    return [" ".join(f"{cell['opponent'] or ''}{cell['sign']}" for cell in cells) for cells in row]


def test_c66_opponents_are_numbered_as_the_table_that_is_shown(tmp_path: Path) -> None:
    with visited(reported(tmp_path, swiss())) as client:
        page = event(client)
        names = [each["name"] for each in page["entrants"]]
        assert names == ["Beta, Bea", "Alfa, Ada", "Gamma, Gil", "Delta, Dan", "Late, Lea"]
        assert signs(page["table"]["rows"][0]) == ["21", "4½", "3+"]
        assert signs(page["table"]["rows"][1]) == ["10", "31", "41"]
        assert signs(page["table"]["rows"][2]) == ["41", "20", "1−"]
        assert signs(page["table"]["rows"][4]) == ["Z", "Z", "H"]
        for place, row in enumerate(page["table"]["rows"], 1):
            for cell in (cell for cells in row for cell in cells if cell["opponent"]):
                theirs = page["table"]["rows"][cell["opponent"] - 1][cell["round"] - 1]
                assert [each["opponent"] for each in theirs] == [place]
        assert [each["points"] for each in page["entrants"]] == [2.5, 2, 1, 0.5, 0.5]


def test_c66_an_event_reconciles_with_its_report(tmp_path: Path) -> None:
    text = swiss()
    with visited(reported(tmp_path, text)) as client:
        page = event(client)
        sums = page["reconciled"]
        assert (sums["reported_players"], sums["reported_games"], sums["forfeits"], sums["byes"]) == (5, 5, 1, 3)
        assert (sums["players"], sums["games"], sums["points"]) == (4, 5, 5)
        assert page["digest"] == hashlib.sha256(text.encode()).hexdigest()
        shown = client.get("/en/events/1").text
        assert "players 5, games 5, forfeits 1, byes 3, points of games 5. All of its games count." in " ".join(
            shown.split()
        )
        assert page["digest"] in shown


def test_forfeits_look_and_sound_otherwise_and_rate_nothing(tmp_path: Path) -> None:
    with visited(reported(tmp_path, swiss())) as client:
        page = client.get("/en/events/1").text
        assert re.search(r'class="result forfeit" title="[^"]*forfeit[^"]*" tabindex="0"', page)
        forfeits = [
            cell
            for row in event(client)["table"]["rows"]
            for cells in row
            for cell in cells
            if cell["kind"] == "forfeit"
        ]
        assert [cell["change"] for cell in forfeits] == [None, None]


def test_round_robins_are_square(tmp_path: Path) -> None:
    pairs = [("A", "B"), ("C", "A"), ("B", "C"), ("B", "A"), ("A", "C"), ("C", "B")]
    games = [
        Game(one, other, 1.0, date=date(2025, 1, at + 1), event="Robin", round=at + 1)
        for at, (one, other) in enumerate(pairs)
    ]
    with visited(made(tmp_path / "o.db", "elo", games)) as client:
        table = event(client)["table"]
        assert (table["square"], table["columns"]) == (True, 3)
        for place, row in enumerate(table["rows"]):
            assert [len(cells) for cells in row] == [0 if at == place else 2 for at in range(3)]
        assert "Columns are the players of this table by number." in client.get("/en/events/1").text


def test_what_an_event_did_adds_up(client: TestClient[Any]) -> None:
    page = event(client)
    assert (page["rules"], page["edition"], page["method"]) == ("fide/standard", "2024-03-01", "fide")
    anna = page["entrants"][0]
    assert (anna["before"], anna["scored"], anna["expected"], anna["average"]) == (
        2050,
        1.5,
        pytest.approx(1.66),
        1777.5,
    )
    assert anna["performance"] == 1971, "1778 and 193 for 75 %"
    assert (anna["k"], anna["change"], anna["after"]) == (20, pytest.approx(-3.2), 2047)
    for row, each in zip(page["table"]["rows"], page["entrants"]):
        assert sum(cell["change"] for cells in row for cell in cells) == pytest.approx(each["change"])


def test_c55_an_event_keeps_its_address(office: Path) -> None:
    with open_office(office) as desk:
        later = {"starts": date(2025, 1, 18).toordinal(), "ends": date(2025, 1, 21).toordinal()}
        correct(desk, [Change("event", 1, later)], "it ended two days later")
    with visited(office) as client:
        assert event(client)["end"] == "2025-01-21"
        assert "21 Jan 2025" in client.get("/it/events/1").text or "21 gen 2025" in client.get("/it/events/1").text
        assert client.get("/en/events/2").status_code == 404


def test_events_are_listed_the_newest_first_and_found_by_name(tmp_path: Path) -> None:
    games = [
        Game("A", "B", 1.0, date=date(2025, 1, at + 1), event=f"{name} {at}")
        for at, name in enumerate(["Torneo Caffè", "Open", "Torneo Caffè"])
    ]
    with visited(made(tmp_path / "o.db", "elo", games)) as client:
        answer = client.get("/api/v1/events").json()
        assert [row["name"] for row in answer["rows"]] == ["Torneo Caffè 2", "Open 1", "Torneo Caffè 0"]
        assert [(row["players"], row["games"]) for row in answer["rows"]] == [(2, 1)] * 3
        assert [row["name"] for row in client.get("/api/v1/events?q=caffe torneo").json()["rows"]] == [
            "Torneo Caffè 2",
            "Torneo Caffè 0",
        ]
        portion = client.get("/api/v1/events?limit=2").json()
        rest = client.get("/api/v1/events", params={"limit": 2, "cursor": portion["next"]}).json()
        assert [row["name"] for row in rest["rows"]] == ["Torneo Caffè 0"]
        assert rest["next"] is None
        assert "No event is called so." in client.get("/en/events?q=nothing").text
        assert client.get("/api/v1/events", params={"q": "..."}).json()["rows"] == [], "as of people"


@pytest.mark.parametrize("language", ["en", "it", "es"])
def test_event_pages_are_there_in_each_language(client: TestClient[Any], language: str) -> None:
    for address in ("events", "events/1", "events/1?player=1"):
        page = client.get(f"/{language}/{address}")
        assert page.status_code == 200
        assert "Winter Open" in page.text
        assert " style=" not in page.text


def test_a_report_with_birth_dates_is_for_officers_only(tmp_path: Path) -> None:
    text = swiss()
    place = reported(tmp_path, text)
    for caller, status in ((None, 401), (OFFICER, 200)):
        client: TestClient[Any] = TestClient(create_app(place)) if caller is None else client_as(caller, place)
        with client:
            assert client.get("/api/v1/events/1/report").status_code == status
            for address in ("/en/events/1/report", "/api/v1/events/1/report"):
                answer = client.get(address)
                assert (answer.content == text.encode()) is (status == 200), address
                assert ("1980" in answer.text) is (status == 200), address
                if status == 200:
                    assert answer.headers["content-disposition"] == 'attachment; filename="spring.trf"'
                    assert answer.headers["content-type"] == "application/octet-stream"


def test_a_report_is_for_everybody_where_all_in_it_is(tmp_path: Path) -> None:
    place = reported(tmp_path, swiss())
    with open_office(place) as office:
        show(office, 0, dict.fromkeys(LEVELS, "public"), "as the statutes say")
    with visited(place) as client:
        assert client.get("/en/events/1/report").status_code == 200
    with open_office(place) as office:
        show(office, 3, {"name": "members"}, "asked for it")
    with visited(place) as client:
        assert client.get("/api/v1/events/1/report").status_code == 401
        assert "Gamma" not in client.get("/en/events/1").text


def test_whoever_was_erased_is_in_no_report_and_in_no_table(tmp_path: Path) -> None:
    place = reported(tmp_path, swiss())
    with open_office(place) as office:
        erase(office, 1, "asked for it")
    with client_as(OFFICER, place) as client:
        answer = client.get("/en/events/1/report")
        assert answer.status_code == 200
        assert "Alfa" not in answer.text
        page = client.get("/en/events/1").text
        assert "Alfa" not in page
        assert "player 1" in page
        assert "somebody was erased from it" in page
        assert event(client)["redacted"] is True


def test_crosstables_are_files_too(client: TestClient[Any]) -> None:
    text = client.get("/en/events/1/crosstable/txt")
    assert text.headers["content-disposition"] == 'attachment; filename="event-1.txt"'
    assert text.headers["content-type"] == "text/plain; charset=utf-8"
    assert "4w1" in text.text
    table = client.get("/api/v1/events/1/crosstable").text.lstrip("\ufeff").splitlines()
    assert table[0] == "no,name,title,federation,before,1,2,points,change"
    assert table[1].startswith('1,"Bianchi, Anna",CM,ITA,2050')
    assert client.get("/en/events/1/crosstable/exe").status_code == 404


def test_a_name_is_no_formula_in_a_crosstable(tmp_path: Path) -> None:
    games = [Game("=1+1", "B", 1.0, date=date(2025, 1, 5), event="Cup")]
    with visited(made(tmp_path / "o.db", "elo", games)) as client:
        assert ",'=1+1," in client.get("/api/v1/events/1/crosstable").text


def test_norms_name_the_condition_that_is_missing(tmp_path: Path) -> None:
    others = [Person(f"Rival{at}, Ron", 2450, "ESP", title="GM" if at < 4 else "", sex="m") for at in range(9)]
    hero = Person("Hero, Hal", 2400, "ITA", sex="m", rounds=[(at + 2, "1" if at < 5 else "0") for at in range(9)])
    for at, other in enumerate(others):
        other.rounds = [*[(None, "Z")] * at, (1, "0" if at < 5 else "1")]
    text = trf([hero, *others], *HEADERS[:2], "052 2025/03/09", *HEADERS[3:])
    with visited(reported(tmp_path, text)) as client:
        person = event(client)["entrants"][0]["person"]
        told = client.get(f"/api/v1/events/1/norms/{person}").json()
        assert any("no norm for GM" in lines[0] for lines in told)
        assert any("missing" in line for lines in told for line in lines)
        page = client.get(f"/it/events/1?player={person}").text
        assert "nessuna norma di GM" in page
    with visited(made(tmp_path / "p.db", "elo", [Game("A", "B", 1.0, date=date(2025, 1, 5), event="Cup")])) as client:
        assert event(client)["norms"] is False
        assert client.get("/api/v1/events/1/norms/1").json() == []


def test_team_matches_keep_their_boards(tmp_path: Path) -> None:
    rows, labels = [("A", "X", 1.0, 1), ("B", "Y", 0.5, 2)], {"match": "North v South"}
    games = [
        Game(
            one,
            other,
            score,
            date=date(2025, 1, 5),
            event="League",
            round=1,
            board=board,
            labels=labels,
        )
        for one, other, score, board in rows
    ]
    with visited(made(tmp_path / "o.db", "elo", games)) as client:
        matches = event(client)["matches"]
        assert [(each["match"], each["board"], each["result"]) for each in matches] == [
            ("North v South", 1, "1–0"),
            ("North v South", 2, "½–½"),
        ]
        assert "Matches by board" in client.get("/en/events/1").text


def test_a_collection_of_games_has_no_table_but_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arpad.web.views.event.GAMES", 2)
    games = [Game("A", "B", 1.0, date=date(2025, 1, at + 1), event="All") for at in range(3)]
    with visited(made(tmp_path / "o.db", "elo", games)) as client:
        page = event(client)
        assert (page["large"], page["entrants"], page["reconciled"]["games"]) == (True, [], 3)
        assert "too many games" in client.get("/en/events/1").text


def test_games_without_days_have_their_events(tmp_path: Path) -> None:
    """A report says when the event was, and of no round when it was."""
    with open_office(reported(tmp_path, swiss(), "elo")) as office:
        assert {row[0] for row in office.store.rows("select day from game")} == {0}
    (tmp_path / "o.db").unlink()
    with visited(reported(tmp_path, swiss())) as client:
        assert client.get("/api/v1/players/1/history").json()["undated"] == 0


@pytest.mark.parametrize("language", ["en", "it", "es"])
def test_no_rating_of_an_event_is_grouped(client: TestClient, language: str) -> None:
    """Means and performances stand beside ratings, which are not: 1933, not 1,933."""
    entrants = client.get("/api/v1/events/1").json()["entrants"]
    page = client.get(f"/{language}/events/1").text
    changes = page.partition('id="changes"')[2].partition("</section>")[0]
    assert {f"{each['performance']:.0f}" for each in entrants} <= set(re.findall(r">(\d{4})<", changes))
    assert not re.findall(r">\d[.,\s]\d{3}\b", changes)
