"""Cards, comparisons and explanations of players, from outside."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from litestar.testing import TestClient

from arpad.bureau import why
from arpad.bureau.cards import written_down
from arpad.bureau.corrections import Change, correct
from arpad.bureau.intake import Decisions, receive
from arpad.bureau.lists import publish
from arpad.bureau.opened import Office, init, open_office
from arpad.bureau.people import merge, show
from arpad.bureau.register import add_acts, enrol
from arpad.model import Act, Game, Start
from arpad.web.app import create_app
from tests.web.people import signed_in


@contextmanager
def visited(place: Path) -> Iterator[TestClient[Any]]:
    with TestClient(create_app(place), raise_server_exceptions=False) as client:
        yield client


def made(place: Path, rules: str, games: Sequence[Game], start: Sequence[Start] = (), *days: date) -> Path:
    """An office of these games, with what people bring, and the lists of these days."""
    with init(place, rules, name="main") as office:
        if start:
            enrol(office, start, ids="club")
        if games:
            assert receive(office, list(games), Decisions(register=True, ids="club")).accepted
        for day in days:
            publish(office, day)
    return place


def card(client: TestClient[Any], person: int | str, **asked: Any) -> Any:
    answer = client.get(f"/api/v1/players/{person}", params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_card_says_where_somebody_stands(client: TestClient[Any]) -> None:
    told = card(client, 1)
    assert (told["name"], told["rating"], told["published"], told["rank"]) == ("Bianchi, Anna", 2047.0, 2047, 1)
    assert (told["peak"], told["peak_on"]) == (2050.0, "2025-01-01")
    assert told["coefficient"]["k"] == 20
    assert told["coefficient"]["clause"]["article"] == "8.3.3"
    assert card(client, 3)["coefficient"]["k"] == 40, "born in 2009"
    assert (told["titles"], told["federations"]) == ([[None, "CM"]], [[None, "ITA"]])
    event = told["lines"][0]
    assert (event["name"], event["rated"], event["score"], event["before"], event["after"]) == (
        "Winter Open",
        2,
        1.5,
        2050.0,
        2047.0,
    )
    assert event["change"] == pytest.approx(20 * (1.5 - 1.66))
    assert [(each["name"], each["difference"]) for each in told["opponents"]] == [
        ("Ferri, Carla", pytest.approx(0.5 - 0.8)),
        ("Müllner, Dario", pytest.approx(1 - 0.86)),
    ]
    assert [(each["colour"], each["games"]) for each in told["colours"]] == [("white", 1), ("black", 1)]


@pytest.mark.parametrize("language", ["en", "it", "es"])
def test_the_page_shows_the_record_in_each_language(client: TestClient[Any], language: str) -> None:
    page = client.get(f"/{language}/players/1", params={"event": 1, "opponent": 4, "since": "2025-04-01"})
    assert page.status_code == 200
    assert "Winter Open" in page.text
    assert "8.3.3" in page.text
    assert re.search(r'<svg class="chart"[^>]* role="img" aria-label="[^"]*Bianchi, Anna', page.text)
    assert " style=" not in page.text


def test_the_year_of_birth_is_not_for_everybody(client: TestClient[Any]) -> None:
    assert card(client, 1)["born"] is None
    assert "1990" not in client.get("/en/players/1").text


def test_a_merged_number_and_an_identifier_lead_to_the_card(office: Path) -> None:
    with open_office(office) as desk:
        enrol(desk, [Start("901", None)], ids="club")
        merge(desk, 1, 7, "one person")
    with visited(office) as client:
        for who in ("7", "club:901"):
            answer = client.get(f"/it/players/{who}?event=1&person=7", follow_redirects=False)
            assert answer.headers["location"] == "/it/players/1?event=1"
        assert card(client, 7)["person"] == 1
        assert card(client, 1)["merged"] == [7]
        assert client.get("/en/players/99").status_code == 404
        assert client.get("/en/players/Bianchi%2C%20Anna", follow_redirects=False).status_code == 302


def test_a_card_as_of_a_list_stays_what_it_was(office: Path) -> None:
    more = [Game("101", "102", 0.0, date=date(2025, 6, 1), event="Summer")]
    with open_office(office) as desk:
        assert receive(desk, more, Decisions(ids="club")).accepted
        publish(desk, date(2025, 7, 1))
    with visited(office) as client:
        now, then = card(client, 1), card(client, 1, date="2025-04-01")
        assert [line["name"] for line in now["lines"] if line["kind"] == "games"] == ["Summer", "Winter Open"]
        assert [line["name"] for line in then["lines"] if line["kind"] == "games"] == ["Winter Open"]
        assert (then["published"], then["rating"], then["games"]) == (2047, 2047.0, 82)
        assert [step["day"] for step in then["history"]["published"]] == ["2025-04-01"]
        assert now["games"] == 83
        answer = client.get("/en/players/1?date=2025-04-02")
        assert answer.status_code == 400
        why = client.get("/en/players/1?since=2025-04-01").text
        assert re.search(r"had 2047.00 on 2025-04-01 and has [\d.]+ now", why)


def test_c72_every_change_is_explained_and_adds_up(client: TestClient[Any]) -> None:
    told = client.get("/api/v1/players/1/explain", params={"event": 1, "language": "it"}).json()
    change = told["changes"][-1]
    assert "perde comunque" in change["sentences"][0]
    assert sum(game["change"] for game in change["games"]) == pytest.approx(change["exact"])
    first = change["games"][0]
    assert (first["opponent_name"], first["own"], first["opponent_rating"]) == ("Müllner, Dario", 2050, 1745)
    assert (first["difference"], first["counted"], first["expected"], first["k"]) == (305, 305, 0.86, 20)
    assert first["articles"][0]["article"] == "8.1.2"
    assert client.get("/api/v1/players/1/explain?event=7").status_code == 404


def test_c07_a_game_against_the_unrated_is_not_rated_in_its_row_nor_in_the_total(tmp_path: Path) -> None:
    games = [Game("A", "B", 1.0, date=date(2025, 2, 1), event="Open")]
    place = made(tmp_path / "o.db", "fide/standard", games, [Start("B", 1900.0, games=50)])
    with visited(place) as client:
        for person in (1, 2):
            line = next(each for each in card(client, person)["lines"] if each["kind"] == "games")
            assert (line["games"], line["rated"], line["change"]) == (1, 0, None)
            page = client.get(f"/en/players/{person}?event=1").text
            assert "not rated" in page
            rows = client.get(f"/api/v1/players/{person}/games").json()["games"]
            assert [row["change"] for row in rows] == [None]
            event = client.get("/api/v1/events/1").json()
            assert [each["change"] for each in event["entrants"]] == [None, None]


def test_c52_c39_who_has_no_games_has_a_card_with_blanks(tmp_path: Path) -> None:
    place = made(tmp_path / "o.db", "elo", [], [Start("Solo", None)])
    with visited(place) as client:
        told = card(client, 1)
        blank = ("rating", "published", "published_on", "rank", "peak", "peak_on", "born", "coefficient")
        assert {name: told[name] for name in blank} == dict.fromkeys(blank)
        page = client.get("/en/players/1")
        assert page.status_code == 200
        assert "No rated games." in page.text
        assert '<svg class="chart"' not in page.text
        assert client.get("/api/v1/players/1/history").json()["steps"] == []
        assert client.get("/api/v1/players/1/explain").json()["changes"] == []


def test_c58_the_history_goes_by_the_order_of_the_replay(tmp_path: Path) -> None:
    today = [Game("A", "B", 1.0, date=date(2025, 5, 2), event="Today")]
    yesterday = [Game("A", "B", 0.0, date=date(2025, 5, 1), event="Yesterday")]
    place = made(tmp_path / "o.db", "elo", today)
    with open_office(place) as office:
        assert receive(office, yesterday, Decisions(ids="club")).accepted
    with visited(place) as client:
        steps = client.get("/api/v1/players/1/history").json()["steps"]
        assert [step["day"] for step in steps] == sorted(step["day"] for step in steps)
        assert [line["name"] for line in card(client, 1)["lines"] if line["kind"] == "games"] == ["Today", "Yesterday"]
        assert client.get("/api/v1/players/1/games").json()["games"][0]["date"] == "2025-05-02"


def test_c60_a_revaluation_is_a_row_without_a_game(tmp_path: Path) -> None:
    days = {"Winter": date(2024, 1, 10), "Spring": date(2024, 4, 10)}
    games = [Game("A", "B", 0.5, date=day, event=event) for event, day in days.items()]
    start = [Start("A", 1437.0, games=50), Start("B", 1437.0, games=50)]
    place = tmp_path / "o.db"
    with init(place, "fide/standard", name="main", base=date(2024, 1, 1)) as office:
        enrol(office, start, ids="club")
        assert receive(office, games, Decisions(ids="club")).accepted
    with visited(place) as client:
        told = card(client, 1)
        row = next(line for line in told["lines"] if line["kind"] == "uplift")
        assert (row["day"], row["event"], row["games"], row["before"], row["after"]) == (
            "2024-03-01",
            None,
            0,
            1437.0,
            1662.0,
        )
        assert told["gains"] == [], "no revaluation is anybody's best event"
        assert "revaluation of everybody" in client.get("/en/players/1").text


def test_acts_stand_between_games_where_they_counted(tmp_path: Path) -> None:
    games = [
        Game("A", "B", 1.0, date=date(2025, 1, 5), event="First"),
        Game("A", "B", 1.0, date=date(2025, 3, 5), event="Second"),
    ]
    place = made(tmp_path / "o.db", "elo", games)
    with open_office(place) as office:
        add_acts(office, [Act("adjustment", "1", date(2025, 2, 1).toordinal(), -50.0)])
    with visited(place) as client:
        lines = card(client, 1)["lines"][::-1]
        assert [line["kind"] for line in lines] == ["newcomer", "games", "adjustment", "games"]
        assert lines[2]["change"] == pytest.approx(-50)
        assert lines[2]["before"] == lines[1]["after"]
        assert lines[3]["before"] == lines[2]["after"]


def test_c65_what_has_no_date_is_left_out_and_counted(tmp_path: Path) -> None:
    games = [Game("A", "B", 1.0), Game("A", "B", 1.0)]
    with visited(made(tmp_path / "o.db", "elo", games)) as client:
        held = client.get("/api/v1/players/1/history").json()
        assert held["undated"] == sum(step["day"] is None for step in held["steps"]) > 0
        assert card(client, 1)["rating"] > 1500
        assert "No rating yet: there is nothing to draw." in client.get("/en/players/1").text
    dated = [*games, Game("A", "B", 1.0, date=date(2025, 5, 5))]
    with visited(made(tmp_path / "p.db", "elo", dated)) as client:
        page = client.get("/en/players/1").text
        assert "Left out for want of a date: 2." in page
        assert '<svg class="chart"' in page


def test_c64_days_are_days_of_the_calendar(client: TestClient[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    for zone in ("America/Los_Angeles", "Pacific/Auckland"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        assert "1 Apr 2025" in client.get("/en/players/1").text
        assert card(client, 1)["published_on"] == "2025-04-01"
    monkeypatch.undo()
    time.tzset()


def test_c27_negative_ratings_are_shown_as_they_are(tmp_path: Path) -> None:
    games = [Game("A", "B", 1.0, date=date(2025, 1, 5), event="Cup")]
    place = made(tmp_path / "o.db", "elo", games, [Start("A", -40.0, games=5), Start("B", -40.0, games=5)])
    with visited(place) as client:
        told = card(client, 1)
        assert told["rating"] == pytest.approx(-24)
        page = client.get("/en/players/1").text
        assert "-40" in page
        assert "-24" in page
        assert "+16.00" in page


@pytest.mark.parametrize("rules", ["elo", "glicko2", "fide/standard", "egf", "uschess/regular"])
def test_every_event_of_a_card_opens(tmp_path: Path, rules: str) -> None:
    first = date(2024, 4, 1)
    games = [
        Game(
            "ABCD"[at % 4],
            "ABCD"[(at + 1 + at // 8) % 4],
            (1.0, 0.5, 0.0)[at % 3],
            date=first + timedelta(days=at // 2),
            event=f"Event {at // 6}",
            round=at % 6 + 1,
        )
        for at in range(24)
        if (at + 1 + at // 8) % 4 != at % 4
    ]
    start = [Start(name, 1500.0 + 50 * at, games=30) for at, name in enumerate("ABCD")]
    with visited(made(tmp_path / "o.db", rules, games, start)) as client:
        lines = [line for line in card(client, 1)["lines"] if line["kind"] == "games"]
        assert lines
        for line in lines:
            told = client.get(f"/api/v1/players/1/explain?event={line['event']}").json()
            own = [game for change in told["changes"] for game in change["games"] if not game["other"]]
            assert len(own) == line["games"]
            assert sum(game["change"] or 0 for game in own) == pytest.approx(line["change"] or 0, abs=1e-6)
            assert client.get(f"/es/players/1?event={line['event']}").status_code == 200


def test_hidden_people_are_numbers_on_every_card(office: Path) -> None:
    with open_office(office) as desk:
        show(desk, 4, {"name": "members", "identifiers": "officers"}, "asked for it")
    with visited(office) as client:
        for address in (
            "/en/players/4",
            "/en/players/1?event=1",
            "/en/events/1",
            "/api/v1/players/1/explain?event=1",
            "/en/compare?players=4,1",
            "/api/v1/players/4",
            "/api/v1/events/1/crosstable",
        ):
            text = client.get(address).text
            assert "Müllner" not in text, address
            assert "player 4" in text, address
        assert card(client, 4)["identifiers"] == {}


def test_a_game_that_does_not_count_is_on_the_card_with_its_entry(office: Path) -> None:
    with open_office(office) as desk:
        entry = correct(desk, [Change("game", 1, {"voided": 1})], "never played").seq
    with visited(office) as client:
        page = client.get("/en/players/1").text
        assert "never played" in page
        assert f'href="/en/corrections/{entry}"' in page
        event = client.get("/api/v1/events/1").json()
        assert (event["reconciled"]["games"], event["reconciled"]["reported_games"]) == (5, 6)
        assert "taken out since: 1" in client.get("/en/events/1").text


def test_long_cards_come_in_portions_and_nothing_is_left_out(tmp_path: Path) -> None:
    games = [
        Game("A", f"P{at % 40}", 1.0, date=date(2020, 1, 1) + timedelta(days=at), event=f"Event {at}")
        for at in range(70)
    ]
    with visited(made(tmp_path / "o.db", "elo", games)) as client:
        names, cursor = [], ""
        while True:
            page = card(client, 1, cursor=cursor)
            names += [line["name"] for line in page["lines"] if line["kind"] == "games"]
            cursor = page["next"]
            if cursor is None:
                break
        assert names == [f"Event {at}" for at in reversed(range(70))]
        page = client.get("/en/players/1").text
        assert "Earlier events" in page
        assert "All 40 opponents" in page
        assert page.count('hx-select="#working"') == 30, "the rest is behind a link"
        assert len(client.get("/api/v1/players/1/games?limit=7&opponent=2").json()["games"]) == 2


def test_the_first_view_of_a_card_explains_nothing(
    office: Path, client: TestClient[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("a card of many games has no time for this")

    monkeypatch.setattr("arpad.explain.explain", refused)
    assert client.get("/en/players/1").status_code == 200
    assert client.get("/en/players/1?event=1").status_code == 500


def test_several_are_compared_in_one_chart_and_a_table(client: TestClient[Any]) -> None:
    told = client.get("/api/v1/compare?players=1,club:102,1").json()
    assert [each["person"] for each in told["histories"]] == [1, 2]
    assert told["rows"] == [["2025-04-01", [2047, 1919]]]
    page = client.get("/en/compare?players=1,2").text
    assert page.count('class="line look-') >= 4, "two lines, and two in the legend"
    assert re.findall(r"<strong>([AB])</strong>", page) == ["A", "B"]
    assert client.get("/en/compare?players=1,2,3,4,5,6,1").status_code == 200
    assert client.get("/en/compare").status_code == 200
    assert client.get("/en/compare?players=1,99").status_code == 404


@pytest.mark.parametrize("evil", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>'])
def test_names_are_text(tmp_path: Path, evil: str) -> None:
    games = [Game(evil, "B", 1.0, date=date(2025, 1, 5), event=evil)]
    with visited(made(tmp_path / "o.db", "elo", games)) as client:
        for address in ("/en/players/1?event=1", "/en/events", "/en/events/1?player=1", "/en/compare?players=1,2"):
            page = client.get(address)
            assert page.status_code == 200
            assert evil not in page.text


def test_whoever_signs_in_does_not_wait_for_those_who_ask_why(office: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does anybody who writes; and few may ask for what takes long at a time."""
    begun, go_on, undo = Event(), Event(), why._undo

    def slow(apart: Office, entry: Any) -> None:
        begun.set()
        assert go_on.wait(30)
        undo(apart, entry)

    monkeypatch.setattr(why, "_undo", slow)
    with open_office(office) as desk:
        correct(desk, [Change("game", 1, {"score": 0.0, "other": 1.0})], "misread")
    with visited(office) as client, ThreadPoolExecutor(6) as pool:
        asked = [pool.submit(client.get, "/en/players/1?since=2025-04-01") for _ in range(6)]
        assert begun.wait(30)
        signed_in(client, office, "officer")
        assert client.get("/en/desk").status_code == 200
        go_on.set()
        answers = [each.result() for each in asked]
    assert sorted(each.status_code for each in answers) == [200] * 4 + [503] * 2
    assert all(each.headers["Retry-After"] for each in answers if each.status_code == 503)
    assert all("misread" in each.text for each in answers if each.status_code == 200)


@pytest.mark.parametrize("asked", ["list", "kind", "start", "place", "self"])
def test_what_stands_twice_in_an_address_breaks_no_page(client: TestClient[Any], asked: str) -> None:
    assert client.get("/en/lists/standard", params={asked: "1"}).status_code == 200


def test_all_workings_of_a_player_are_on_one_page_with_a_place_for_each_event(client: TestClient) -> None:
    text = client.get("/en/workings/club:104").text
    assert 'id="event-1"' in text
    alone = client.get("/en/players/4?event=1").text
    rows = re.findall(r"<tr>.*?</tr>", alone.partition('id="working"')[2].partition('id="events"')[0], re.S)
    assert len(rows) == 3
    assert all(row in text for row in rows), "a card says the same of an event"
    assert client.get("/it/workings/4?list=standard&start=1").status_code == 200
    assert client.get("/en/workings/999").status_code == 404
    assert client.get("/en/workings/4?list=nothing").status_code == 404


def test_acts_are_found_by_person_in_their_order(tmp_path: Path) -> None:
    start = [Start("Ada", 1500.0), Start("Ben", 1600.0), Start("Cy", 1700.0)]
    games = [Game("Ada", "Ben", 1.0, date=date(2024, 2, 1)), Game("Cy", "Ada", 0.5, date=date(2024, 3, 1))]
    place = made(tmp_path / "acts.db", "elo", games, start)
    with open_office(place) as office:
        later = [
            Act("adjustment", str(who), date(2024, 4 + n, 1).toordinal(), 10.0 * who)
            for n in range(2)
            for who in (2, 1)
        ]
        add_acts(office, later)
        which = office.which()
        history = office.history(which)
        told = written_down(office, which, history)
        walked = [(place, what) for place, (_, what) in enumerate(history.plan.steps) if isinstance(what, Act)]
        assert len(walked) == 3 + len(later)
        for who in ("1", "2", "3"):
            own = {place: what for place, what in walked if what.player == who}
            assert {place: done.act for place, done in told.acts[who].items()} == own
            assert list(told.acts[who]) == sorted(own)
        assert [len(told.acts[who]) for who in ("1", "2", "3")] == [3, 3, 1]


def test_a_server_reads_every_published_list_before_somebody_asks_for_a_card(tmp_path: Path) -> None:
    days = [date(2024, month, 1) for month in (3, 4, 5)]
    place = made(tmp_path / "lists.db", "elo", [Game("Ada", "Ben", 1.0, date=date(2024, 2, 1))], (), *days)
    with visited(place) as client:
        reading = client.app.state.shop.reading
        until = time.monotonic() + 30
        while reading.at_once(lambda office: len(office.printed)) < len(days):
            assert time.monotonic() < until
            time.sleep(0.02)
