"""Ladders over the web: matches reported by players on pages and by programs, disputes, seasons."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from arpad.bureau import ladder as domain
from arpad.bureau.keeping import verify
from arpad.bureau.ladder_rows import Rules, Who, open_ladder
from arpad.bureau.lists import today
from arpad.bureau.opened import open_office
from arpad.bureau.people import merge
from arpad.bureau.register import join
from arpad.bureau.seasons import seasons
from arpad.formats import read_members
from arpad.web import ticking
from arpad.web.app import create_app
from tests.web.people import bearing, sent, signed_in
from tests.web.waiting import until

API = "/api/v1/lists/standard"


@pytest.fixture
def ladder(office: Path) -> Path:
    with open_office(office) as opened:
        open_ladder(opened, "standard", Rules("reporters", hours=24))
    return office


def headers(place: Path, role: Any, *scopes: str, person: int | None = None) -> dict[str, str]:
    with open_office(place) as opened:
        made = bearing(opened, role, *scopes, name=f"{role} {person} {scopes}")
        if person:
            opened.store.run("update account set person = ? where name = ?", (person, f"{role} {person} {scopes}"))
        return made


def match(first: int = 1, second: int = 2, result: str = "1-0", **more: Any) -> dict[str, Any]:
    return {"first": first, "second": second, "result": result, **more}


def test_programs_report_confirm_and_read_matches(ladder: Path, client: TestClient) -> None:
    anna = headers(ladder, "reporter", "read", "report", person=1)
    bruno = headers(ladder, "reporter", "read", "report", person=2)
    staked = client.post(f"{API}/matches:stake", json={"first": 1, "second": 2}, headers=anna).json()
    key = {"Idempotency-Key": "once"}
    made = client.post(f"{API}/matches", json=match(note="at the club"), headers=anna | key)
    assert (made.status_code, made.json()["state"], made.json()["may"]) == (201, "reported", ["withdraw"])
    again = client.post(f"{API}/matches", json=match(note="at the club"), headers=anna | key)
    assert again.headers["idempotency-replayed"] == "true"
    number = made.json()["id"]
    assert client.post(f"{API}/matches", json=match(), headers=anna).json()["id"] == number
    assert client.post(f"/api/v1/matches/{number}/confirm", headers=anna).status_code == 403
    done = client.post(f"/api/v1/matches/{number}/confirm", headers=bruno).json()
    assert (done["state"], done["counts"], done["game"]) == ("confirmed", "1-0", 7)
    live = {row["person"]: row["exact"] for row in client.get(f"{API}/ratings?view=live").json()["rows"]}
    won = staked["outcomes"][0]
    assert (won["first"], won["second"]) == (live[1], live[2])
    read = client.get(f"/api/v1/matches/{number}").json()
    assert (read["first_name"], read["note"]) == ("Bianchi, Anna", "")
    assert client.get(f"/api/v1/matches/{number}", headers=bruno).json()["note"] == "at the club"
    card = client.get("/en/players/1")
    assert "standard: match 1" in card.text
    around = client.get(f"{API}/leaderboard?around=2&size=1").json()
    assert [row["person"] for row in around["rows"]].count(2) == 1


def test_a_token_of_a_member_acts_on_the_member_s_own_matches_and_on_no_others(
    ladder: Path, client: TestClient
) -> None:
    anna, bruno, carla = (headers(ladder, "member", "read", "report", person=person) for person in (1, 2, 3))
    assert client.get("/api/v1/me", headers=anna).json()["person"] == 1
    assert client.post(f"{API}/matches", json=match(), headers=carla).status_code == 403
    made = client.post(f"{API}/matches", json=match(), headers=anna)
    assert (made.status_code, made.json()["by"], made.json()["may"]) == (201, 1, ["withdraw"])
    one = f"/api/v1/matches/{made.json()['id']}"
    assert client.get(one, headers=bruno).json()["may"] == ["confirm", "dispute"]
    said = {"text": "it was a draw"}
    for act, body in (("confirm", None), ("dispute", said), ("withdraw", None), ("settle", {"result": "1-0"})):
        assert client.post(f"{one}/{act}", json=body, headers=carla).status_code == 403, act
    for act, body in (("confirm", None), ("dispute", said)):
        assert client.post(f"{one}/{act}", json=body, headers=anna).status_code == 403, act
    assert client.get(one).json()["state"] == "reported"
    assert client.post(f"{one}/dispute", json=said, headers=bruno).json()["state"] == "disputed"
    other = client.post(f"{API}/matches", json=match(number=2, result="0-1"), headers=bruno).json()["id"]
    assert client.post(f"/api/v1/matches/{other}/confirm", headers=anna).json()["counts"] == "0-1"
    gone = client.post(f"{API}/matches", json=match(number=3), headers=anna).json()["id"]
    assert client.post(f"/api/v1/matches/{gone}/withdraw", headers=anna).json()["state"] == "withdrawn"


def test_a_token_of_a_member_reports_nothing_without_its_scope_or_a_person_and_hands_in_no_files(
    ladder: Path, client: TestClient
) -> None:
    reads = headers(ladder, "member", "read", person=1)
    nobody = headers(ladder, "member", "read", "report")
    player = headers(ladder, "member", "read", "report", person=2)
    assert client.post(f"{API}/matches", json=match(), headers=reads).status_code == 403
    assert client.post(f"{API}/matches", json=match(), headers=nobody).status_code == 403
    assert client.get(f"{API}/matches").json()["matches"] == []
    refused = client.post("/api/v1/reports?name=open.csv", content=b"white,black,result\n1,2,1-0\n", headers=player)
    assert (refused.status_code, refused.json()["detail"]) == (403, "this is for: reporter")
    with open_office(ladder) as opened:
        assert opened.store.value("select count(*) from report") == 1, "the winter's"


def test_an_officer_s_token_that_may_not_correct_decides_no_match_of_others(ladder: Path, client: TestClient) -> None:
    anna = headers(ladder, "member", "report", person=1)
    reports = headers(ladder, "officer", "read", "report")
    plays = headers(ladder, "admin", "report", person=2)
    corrects = headers(ladder, "officer", "report", "correct")
    for number in (1, 2, 3):
        client.post(f"{API}/matches", json=match(number=number), headers=anna)
    assert client.get("/api/v1/matches/1", headers=reports).json()["may"] == []
    for act, body in (("confirm", None), ("dispute", {"text": "no"}), ("withdraw", None), ("settle", {"result": None})):
        assert client.post(f"/api/v1/matches/1/{act}", json=body, headers=reports).status_code == 403, act
    assert client.get("/api/v1/matches/1").json()["state"] == "reported"
    assert client.post("/api/v1/matches/2/confirm", headers=plays).json()["state"] == "confirmed"
    assert client.post("/api/v1/matches/3/confirm", headers=corrects).json()["state"] == "confirmed"


@pytest.mark.parametrize("mark", ["\u202e", "\u2066", "\x1b[2K"])
def test_what_is_said_of_a_match_has_no_hidden_characters(ladder: Path, client: TestClient, mark: str) -> None:
    anna, bruno = (headers(ladder, "member", "read", "report", person=person) for person in (1, 2))
    officer = headers(ladder, "officer", "read", "report", "correct")
    noted = client.post(f"{API}/matches", json=match(note=f"at {mark}home"), headers=anna)
    assert (noted.status_code, "hidden characters" in noted.json()["detail"]) == (400, True)
    assert client.post(f"{API}/matches", json=match(note="two\r\nlines"), headers=anna).status_code == 201
    for said in (
        {"json": {"text": f"no{mark}"}, "url": "/api/v1/matches/1/dispute"},
        {"json": match(result="0-1", note=f"no{mark}"), "url": f"{API}/matches"},
    ):
        assert client.post(**said, headers=bruno).status_code == 400, said
    decided = {"result": "1-0", "reason": f"so{mark}"}
    assert client.post("/api/v1/matches/1/settle", json=decided, headers=officer).status_code == 400
    season = {"date": "2025-06-01", "how": {"kind": "keep"}, "name": f"Summer{mark}"}
    assert client.post(f"{API}/seasons", json=season, headers=officer).status_code == 400
    assert client.get("/api/v1/matches/1").json()["state"] == "reported"
    assert client.get(f"{API}/seasons").json()["seasons"] == []


@pytest.mark.parametrize(
    ("role", "scopes", "means"),
    [
        ("member", ["read", "report"], "report and answer matches of your own"),
        ("reporter", ["read", "report"], "hand in reports; report and answer matches"),
        ("officer", ["read", "report", "correct", "publish", "accounts", "webhooks"], "hand in reports;"),
    ],
)
def test_the_scopes_that_a_page_offers_are_those_of_the_role(
    client: TestClient, office: Path, role: Any, scopes: list[str], means: str
) -> None:
    signed_in(client, office, role)
    page = client.get("/en/account").text
    assert re.findall(r'type="checkbox" name="(\w+)"', page) == scopes
    assert means in page
    made = sent(client, "/en/account/tokens", name="a bot", days="30", report="1")
    (secret,) = re.findall(r"arpad_[\w-]+", made.text)
    told = client.get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"}).json()
    assert (told["role"], told["scopes"]) == (role, ["report"])


def test_matches_are_read_in_portions_and_by_state(ladder: Path, client: TestClient) -> None:
    officer = headers(ladder, "officer", "read", "report", "correct")
    for day in (1, 2, 3):
        assert client.post(f"{API}/matches", json=match(date=f"2025-05-0{day}"), headers=officer).status_code == 201
    client.post("/api/v1/matches/2/settle", json={"result": None}, headers=officer)
    first = client.get(f"{API}/matches?limit=2").json()
    assert [each["id"] for each in first["matches"]] == [3, 2]
    rest = client.get(f"{API}/matches", params={"limit": 2, "cursor": first["next"]}).json()
    assert ([each["id"] for each in rest["matches"]], rest["next"]) == ([1], None)
    assert [each["id"] for each in client.get(f"{API}/matches?state=dropped").json()["matches"]] == [2]
    assert client.get(f"{API}/matches?person=3").json()["matches"] == []
    assert client.get(f"{API}/matches?state=nonsense").status_code == 400


def test_a_dispute_is_settled_by_an_officer(ladder: Path, client: TestClient) -> None:
    anna = headers(ladder, "reporter", "read", "report", person=1)
    bruno = headers(ladder, "reporter", "read", "report", person=2)
    officer = headers(ladder, "officer", "read", "report", "correct")
    client.post(f"{API}/matches", json=match(), headers=anna)
    assert client.post(f"{API}/matches", json=match(result="0-1"), headers=bruno).json()["state"] == "disputed"
    assert client.post("/api/v1/matches/1/confirm", headers=officer).status_code == 400
    settled = client.post("/api/v1/matches/1/settle", json={"result": "1/2-1/2"}, headers=anna)
    assert settled.status_code == 403
    settled = client.post(
        "/api/v1/matches/1/settle", json={"result": "1/2-1/2", "reason": "both agree"}, headers=officer
    )
    assert (settled.json()["state"], settled.json()["counts"]) == ("settled", "1/2-1/2")
    with open_office(ladder) as opened:
        assert verify(opened) == []


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (match(1, 99), 404),
        (match(1, 1), 422),
        (match(result="2-0"), 400),
        (match(date="2024-12-31"), 422),
        (match(date=(today() + timedelta(days=2)).isoformat()), 422),
        (match(number=21), 422),
        (match(note="x" * 501), 422),
        (match(nonsense=1), 400),
    ],
)
def test_matches_that_cannot_be_are_refused_by_name(ladder: Path, client: TestClient, body: Any, status: int) -> None:
    answer = client.post(f"{API}/matches", json=body, headers=headers(ladder, "officer", "report"))
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")


def test_a_list_that_is_no_ladder_has_no_matches(client: TestClient, office: Path) -> None:
    assert client.get(f"{API}/matches").status_code == 404
    assert client.get(f"{API}/ladder").status_code == 404
    assert client.get(f"{API}/seasons").json() == {"list": "standard", "seasons": []}
    assert client.get("/en/ladder/standard").status_code == 404


def test_a_server_confirms_what_nobody_disputed(ladder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ticking, "PACE", 0.02)
    long_ago = datetime.now(UTC) - timedelta(hours=25)
    with open_office(ladder) as opened:
        domain.report(opened, "standard", 1, 2, 1.0, date(2025, 5, 1), Who("player", 1), now=long_ago)
        domain.report(opened, "standard", 3, 4, 1.0, date(2025, 5, 1), Who("player", 3))
    with TestClient(create_app(ladder), raise_server_exceptions=False) as client:
        matches = until(
            lambda: [each["state"] for each in client.get(f"{API}/matches").json()["matches"]],
            lambda seen: "confirmed" in seen,
        )
    assert matches == ["reported", "confirmed"]


def test_what_is_due_is_confirmed_in_portions_between_which_others_have_their_turn(
    ladder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    portions, tick = [], domain.tick

    def counted(office: Any, *, most: int) -> Any:
        found = tick(office, most=most)
        portions.append(len(found))
        return found

    monkeypatch.setattr(ticking, "PORTION", 2)
    monkeypatch.setattr(domain, "tick", counted)
    long_ago = datetime.now(UTC) - timedelta(hours=25)
    with open_office(ladder) as opened:
        for each in range(1, 6):
            domain.report(opened, "standard", 1, 2, 1.0, date(2025, 5, 1), Who("player", 1), number=each, now=long_ago)
    with TestClient(create_app(ladder), raise_server_exceptions=False) as client:
        states = until(
            lambda: {row["state"] for row in client.get(f"{API}/matches").json()["matches"]},
            lambda seen: seen == {"confirmed"},
        )
    assert (states, portions) == ({"confirmed"}, [2, 2, 1])


def test_a_program_sees_how_a_ladder_is_kept_and_what_waits_to_be_rated(ladder: Path, client: TestClient) -> None:
    rules = {"reporters": "reporters", "hours": 24, "draws": True}
    empty = {"ladder": {"list": "standard", "open": True, "rules": rules}}
    empty["queue"] = {"reported": 0, "disputed": 0, "due": None}
    assert client.get(f"{API}/ladder").json() == empty
    bruno = headers(ladder, "member", "report", person=2)
    for number in (1, 2, 3):
        with open_office(ladder) as opened:
            domain.report(opened, "standard", 1, 2, 1.0, date(2025, 5, 1), Who("player", 1), number=number)
    waiting = client.get(f"{API}/ladder").json()["queue"]
    assert (waiting["reported"], waiting["due"]) == (3, client.get("/api/v1/matches/1").json()["due"])
    client.post("/api/v1/matches/1/confirm", headers=bruno)
    client.post("/api/v1/matches/2/dispute", json={"text": "no"}, headers=bruno)
    waiting = client.get(f"{API}/ladder").json()["queue"]
    assert waiting == {"reported": 1, "disputed": 1, "due": client.get("/api/v1/matches/3").json()["due"]}


def test_a_leaderboard_is_around_whoever_a_number_is_now(ladder: Path, client: TestClient) -> None:
    with open_office(ladder) as opened:
        twice = ladder.with_name("twice.csv")
        twice.write_text('number,name\n107,"Conti, B."\n', encoding="utf-8")
        join(opened, read_members(str(twice))[0], ids="club")
        merge(opened, 2, 7, "registered twice")
    rows = [client.get(f"{API}/leaderboard", params={"around": each, "size": 1}).json()["rows"] for each in (2, 7)]
    assert rows[0] == rows[1]
    assert [row["person"] for row in rows[0]].count(2) == 1
    assert client.get(f"{API}/leaderboard?around=99").status_code == 404
    anna = headers(ladder, "member", "report", person=1)
    assert client.post(f"{API}/matches", json=match(), headers=anna).status_code == 201
    for number, count in ((2, 1), (7, 1), (3, 0), (99, 0)):
        assert len(client.get(f"{API}/matches", params={"person": number}).json()["matches"]) == count, number
    assert client.get(f"{API}/leaderboard").status_code == 400


def test_a_program_asks_how_even_a_match_of_two_players_of_a_list_would_be(client: TestClient) -> None:
    def asked(own: int, opponent: int) -> Any:
        body = {"own": {"person": own}, "opponent": {"person": opponent}, "list": "standard"}
        return client.post("/api/v1/expected", json=body).json()

    near, far = asked(1, 2), asked(1, 6)
    assert 0.5 < near["score"] < far["score"] < 1
    assert 0 < far["quality"] < near["quality"] < 1
    assert near["score"] + near["opponent_score"] == pytest.approx(1)


def test_seasons_are_previewed_begun_and_taken_back(ladder: Path, client: TestClient) -> None:
    officer = headers(ladder, "officer", "read", "correct")
    body = {"date": "2025-06-01", "how": {"way": "pull", "share": 0.5}, "name": "summer"}
    shown = client.post(f"{API}/seasons:preview", json=body, headers=officer).json()
    before = {row["person"]: row["exact"] for row in client.get(f"{API}/ratings?view=live").json()["rows"]}
    assert {each["person"]: each["before"] for each in shown["season"]["changes"]} == before
    stale = client.post(f"{API}/seasons", json=body | {"head": shown["head"] - 1}, headers=officer)
    assert stale.status_code == 409
    done = client.post(f"{API}/seasons", json=body | {"head": shown["head"]}, headers=officer)
    assert (done.status_code, done.json()["changes"]) == (201, shown["season"]["changes"])
    after = {row["person"]: row["exact"] for row in client.get(f"{API}/ratings?view=live").json()["rows"]}
    assert after == {each["person"]: each["after"] for each in done.json()["changes"]}
    assert client.post(f"{API}/seasons", json=body, headers=officer).status_code == 400
    (told,) = client.get(f"{API}/seasons").json()["seasons"]
    assert (told["day"], told["name"], told["taken_back"]) == (
        "2025-06-01",
        "summer",
        False,
    )
    back = client.post(f"/api/v1/corrections/{told['entry']}/revert", json={"reason": "no"}, headers=officer)
    assert back.status_code == 201
    assert client.get(f"{API}/seasons").json()["seasons"][0]["taken_back"]
    assert client.get("/api/v1/lists/none/seasons").status_code == 404


class Seat:
    """A member's browser, at the one client that a test's server has."""

    def __init__(self, client: TestClient, place: Path, person: int) -> None:
        signed_in(client, place, "member", f"member {person}", person)
        self.client, self.cookie = client, client.cookies["arpad"]

    def get(self, path: str) -> Any:
        self.client.cookies.set("arpad", self.cookie)
        return self.client.get(path)

    def send(self, path: str, **form: str) -> Any:
        self.client.cookies.set("arpad", self.cookie)
        return sent(self.client, path, **form)


def test_a_member_reports_on_a_page_what_the_opponent_confirms_there(ladder: Path, client: TestClient) -> None:
    anna, bruno, carla = (Seat(client, ladder, person) for person in (1, 2, 3))
    assert "Conti, Bruno" in anna.get("/en/ladder/standard/report?q=conti").text
    assert "/en/ladder/standard" in anna.get("/en/lists/standard").text
    assert "At stake" in anna.get("/en/ladder/standard/report?second=2&date=2025-05-01").text
    form = {"first": "1", "second": "2", "result": "1-0", "date": "2025-05-01", "note": "<b>& co"}
    place, page = "/en/ladder/standard/report", "/en/ladder/standard/matches/1"
    made = anna.send(place, **form)
    assert (made.status_code, made.headers["location"]) == (303, page)
    assert anna.send(place, **form).headers["location"] == page
    assert carla.send(place, **form).status_code == 403
    assert "&lt;b&gt;&amp; co" in anna.get(page).text
    for seat, buttons in ((anna, ["withdraw"]), (bruno, ["confirm", "dispute"]), (carla, [])):
        text = seat.get(page).text
        assert [name for name in ("confirm", "dispute", "withdraw", "settle") if f'"{name}"' in text] == buttons
    assert carla.send(page, act="confirm").status_code == 403
    assert bruno.send(page, act="confirm").status_code == 303
    assert "confirmed" in bruno.get(page).text
    assert "Around me" in anna.get("/en/ladder/standard").text
    assert "standard: match 1" in anna.get("/en/players/1").text
    wrong = anna.send(place, **form | {"date": "2024-01-01"})
    assert (wrong.status_code, "where ratings begin" in wrong.text) == (422, True)
    assert anna.get("/en/ladder/blitz").status_code == 404


def test_an_account_that_is_nobody_in_the_register_reports_nothing(ladder: Path, client: TestClient) -> None:
    assert client.get("/en/ladder/standard/report", follow_redirects=False).status_code == 303
    signed_in(client, ladder, "member")
    assert "ask the office" in client.get("/en/ladder/standard/report").text
    form = {"first": "1", "second": "2", "result": "1-0", "date": "2025-05-01"}
    assert sent(client, "/en/ladder/standard/report", **form).status_code == 403


def test_an_officer_keeps_ladders_settles_and_begins_seasons_at_the_desk(office: Path, client: TestClient) -> None:
    signed_in(client, office, "officer")
    opened = sent(client, "/en/desk/ladder/standard", act="open", reporters="players", hours="0")
    assert opened.status_code == 303
    form = {"first": "1", "second": "2", "result": "1-0", "date": "2025-05-01"}
    assert sent(client, "/en/ladder/standard/report", **form | {"result": "1/2-1/2"}).status_code == 422
    assert sent(client, "/en/ladder/standard/report", **form).status_code == 303
    assert sent(client, "/en/ladder/standard/matches/1", act="dispute", text="a <letter> says so").status_code == 303
    assert "Disputed matches" in client.get("/en/desk/ladder").text
    assert sent(client, "/en/ladder/standard/matches/1", act="settle", result="0-1").status_code == 303
    assert "0–1" in client.get("/en/ladder/standard/matches/1").text
    season = {"date": "2025-06-01", "way": "reset", "value": "1500", "name": "summer", "keep_list": "1"}
    shown = sent(client, "/en/desk/ladder/standard/season", **season)
    assert (shown.status_code, "Begin the season" in shown.text) == (200, True)
    with open_office(office) as opened_:
        head = opened_.head
    stale = sent(client, "/en/desk/ladder/standard/season", **season, step="confirm", head=str(head - 1))
    assert stale.status_code == 409
    done = sent(client, "/en/desk/ladder/standard/season", **season, step="confirm", head=str(head))
    assert done.status_code == 303
    assert "summer" in client.get("/it/desk/ladder").text
    with open_office(office) as opened_:
        entry = seasons(opened_)[0].entry
    assert 'value="undo"' in client.get(f"/en/desk/log/{entry}").text
    rows = client.get(f"{API}/ratings?view=live").json()["rows"]
    assert {row["rating"] for row in rows} == {1500}
    assert sent(client, "/en/desk/ladder/standard", act="close").status_code == 303
    assert sent(client, "/en/ladder/standard/report", **form | {"number": "2"}).status_code == 400
