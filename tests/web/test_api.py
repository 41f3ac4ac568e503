"""The conventions of the API, seen from outside: errors, forms, tags, portions, keys."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from arpad.bureau.bundles import check
from arpad.bureau.corrections import Change, correct
from arpad.bureau.lists import published
from arpad.bureau.opened import open_office
from arpad.bureau.people import show
from arpad.errors import Stale
from arpad.web import hooks
from arpad.web.api import once
from arpad.web.api.once import BEGUN, CARRIED_OUT, Kept, abandoned, begin, end, fingerprint, hold, mark
from arpad.web.app import create_app
from arpad.web.callers import Caller
from tests.web.callers import client_as
from tests.web.people import bearing

V1 = "/api/v1"
RATINGS = f"{V1}/lists/standard/ratings"
QUESTION = {"rating": 1850, "games": [{"rating": 1800, "score": 1}]}


@pytest.fixture(scope="module")
def client(federation: Path) -> Iterator[TestClient[Any]]:
    """Of the office that nobody writes to: most of this only reads."""
    with TestClient(create_app(federation), raise_server_exceptions=False) as client:
        yield client


def problem(answer: Any, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    told: dict[str, Any] = answer.json()
    assert told["status"] == status
    return told


@pytest.mark.parametrize("path", ["/api", "/api/v1", f"{V1}/nothing", f"{V1}/nothing/at/all", f"{V1}/games/0"])
def test_what_is_not_there_is_a_problem_document(client: TestClient, path: str) -> None:
    problem(client.get(path), 404)


def test_a_wrong_method_says_which_are_right(client: TestClient) -> None:
    answer = client.delete(f"{V1}/lists")
    problem(answer, 405)
    assert "GET" in answer.headers["allow"]


def test_forms_that_are_not_to_be_had_or_not_read(client: TestClient) -> None:
    assert "application/json" in problem(client.get(RATINGS, headers={"Accept": "image/png"}), 406)["detail"]
    problem(client.get(RATINGS, headers={"Accept": "application/json;q=0, text/html"}), 406)
    assert client.get(RATINGS, headers={"Accept": "text/html, */*;q=0.1"}).status_code == 200
    problem(client.post(f"{V1}/whatif", content=b"rating=1", headers={"Content-Type": "text/plain"}), 415)
    problem(client.post(f"{V1}/whatif", content=b"{}"), 415)


def test_a_body_that_is_too_large_is_not_read(client: TestClient) -> None:
    body = b'{"rating": 1850, "games": [' + b" " * 11_000_000 + b"]}"
    told = problem(client.post(f"{V1}/whatif", content=body, headers={"Content-Type": "application/json"}), 413)
    assert told["detail"] == "more than 10,000,000 bytes in one request: nothing of it was kept"


def test_an_error_points_to_the_field(client: TestClient) -> None:
    asked = {"rating": 1850, "games": [{"rating": 1800, "score": 1}, {"rating": "strong"}]}
    (fault,) = problem(client.post(f"{V1}/whatif", json=asked), 400)["faults"]
    assert fault["pointer"] == "#/games/1/rating"
    (fault,) = problem(client.get(RATINGS, params={"limit": 0}), 400)["faults"]
    assert (fault["where"], fault["pointer"]) == ("limit", None)
    for path, name in ((RATINGS, "date"), (f"{V1}/players/1", "date"), (f"{V1}/lists/standard/matches", "state")):
        (fault,) = problem(client.get(path, params={name: "nonsense"}), 400)["faults"]
        assert fault["where"] == name, "as it is called in the address"
    problem(client.post(f"{V1}/whatif", content=b"{", headers={"Content-Type": "application/json"}), 400)
    problem(client.post(f"{V1}/whatif", json={"rating": 1850, "games": [], "rules": "../office"}), 404)


@pytest.mark.parametrize(
    ("path", "rows", "key", "count"),
    [
        (f"{RATINGS}?sort=name", "rows", "person", 6),
        (f"{V1}/players?q=", "people", "person", 6),
        (f"{V1}/events?q=", "rows", "event", 1),
        (f"{V1}/players/1/games?list=standard", "games", "game", 2),
    ],
)
def test_portions_follow_each_other_without_gap_or_repetition(
    client: TestClient[Any], path: str, rows: str, key: str, count: int
) -> None:
    whole = [row[key] for row in client.get(path).json()[rows]]
    assert len(whole) == count
    for limit in (1, 4):
        following, seen = f"{path}&limit={limit}", []
        while following:
            answer = client.get(following)
            assert len(answer.json()[rows]) <= limit
            seen += [row[key] for row in answer.json()[rows]]
            link = answer.headers.get("link", "")
            assert bool(answer.json()["next"]) == bool(link)
            following = link.partition("<")[2].partition(">")[0]
        assert seen == whole


@pytest.mark.parametrize("cursor", ["x", "AAAA", "é", "kgLECc5sXq7NJBpzXg==", "%00", "gQE="])
def test_a_cursor_that_was_not_given_out_is_refused(client: TestClient, cursor: str) -> None:
    assert "cursor" in problem(client.get(RATINGS, params={"cursor": cursor}), 400)["detail"]


def test_a_cursor_holds_for_the_question_it_was_given_for(client: TestClient) -> None:
    cursor = client.get(f"{RATINGS}?limit=2").json()["next"]
    assert client.get(RATINGS, params={"cursor": cursor, "limit": 1}).json()["rows"][0]["rank"] == 3
    problem(client.get(RATINGS, params={"cursor": cursor, "federation": "ITA"}), 400)
    assert client.get(f"{V1}/players", params={"cursor": cursor}).status_code == 400


def test_a_cursor_holds_for_what_was_published_and_not_for_what_changed(office: Path) -> None:
    paths = [
        f"{RATINGS}?limit=2",
        f"{RATINGS}?limit=2&view=live",
        f"{V1}/players?limit=2",
        f"{V1}/players/1/games?limit=1",
        f"{V1}/corrections?limit=1",
    ]
    with open_office(office) as opened:
        for game in (1, 6):
            correct(opened, [Change("game", game, {"voided": 1})], "played twice")
            correct(opened, [Change("game", game, {"voided": 0})], "not so")
    with client_as(Caller(), office) as client:
        following = [client.get(path).links["next"]["url"] for path in paths]
        assert [client.get(path).status_code for path in following] == [200] * len(paths)
        with open_office(office) as opened:
            correct(opened, [Change("game", 6, {"voided": 1})], "played twice")
        assert [client.get(path).status_code for path in following] == [200, 400, 400, 400, 200]


def test_the_same_content_is_not_sent_twice(client: TestClient) -> None:
    first = client.get(RATINGS)
    tag = first.headers["etag"]
    assert client.get(RATINGS).headers["etag"] == tag
    for condition in (tag, f"W/{tag}", f'"other", {tag}'):
        again = client.get(RATINGS, headers={"If-None-Match": condition})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert client.get(RATINGS, headers={"If-None-Match": '"other"'}).status_code == 200
    assert client.get(f"{RATINGS}?limit=3").headers["etag"] != tag
    assert "no-cache" in first.headers["cache-control"]


def test_a_publication_is_served_byte_for_byte(client: TestClient, federation: Path) -> None:
    (told,) = client.get(f"{V1}/lists/standard/publications").json()["publications"]
    answer = client.get(f"{V1}/lists/standard/publications/{told['day']}")
    with open_office(federation) as opened:
        held = published(opened, date.fromisoformat(told["day"]))
    assert answer.content == held.content
    assert hashlib.sha256(answer.content).hexdigest() == told["sha256"]
    digest = base64.b64encode(hashlib.sha256(answer.content).digest()).decode()
    assert answer.headers["repr-digest"] == f"sha-256=:{digest}:"
    assert "immutable" in answer.headers["cache-control"]
    problem(client.get(f"{V1}/lists/standard/publications/2025-04-02"), 404)


def test_a_list_as_csv_and_as_lines_has_the_rows_of_the_json(client: TestClient) -> None:
    rows = client.get(RATINGS).json()["rows"]
    by_accept = client.get(RATINGS, headers={"Accept": "text/csv"})
    assert by_accept.content == client.get(f"{RATINGS}.csv").content
    read = list(csv.DictReader(io.StringIO(by_accept.content.decode("utf-8-sig"))))
    assert [row["name"] for row in read] == [row["name"] for row in rows]
    assert [json.loads(line) for line in client.get(f"{RATINGS}.ndjson").text.splitlines()] == rows


def test_all_games_as_lines(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = client.get(f"{V1}/games.ndjson").text.splitlines()
    assert len(whole) == 6
    monkeypatch.setattr("arpad.web.api.finding.PORTION", 2)
    assert client.get(f"{V1}/games.ndjson").text.splitlines() == whole
    last = json.loads(whole[3])["game"]
    assert client.get(f"{V1}/games.ndjson", params={"after": last}).text.splitlines() == whole[4:]
    game = client.get(f"{V1}/games/{last}").json()
    assert (game["event_name"], game["line"]["game"], game["voided"]) == ("Winter Open", last, None)


def test_people_are_found_and_nobody_who_is_hidden_is_named(office: Path) -> None:
    with client_as(Caller(), office) as client:
        _found_until_hidden(client, office)


def _found_until_hidden(client: TestClient[Any], office: Path) -> None:
    def found(q: str) -> list[str]:
        return [each["name"] for each in client.get(f"{V1}/players", params={"q": q}).json()["people"]]

    assert found("mullner") == ["Müllner, Dario"]
    assert found("104") == ["Müllner, Dario"]
    assert len(found("")) == 6
    with open_office(office) as opened:
        show(opened, 4, {"name": "officers", "identifiers": "officers"}, "asked for it")
    assert found("mullner") == []
    assert found("104") == []
    assert found("4") == ["player 4"]


def test_places_on_a_list(client: TestClient) -> None:
    around = client.get(f"{V1}/lists/standard/around", params={"person": 3, "size": 1}).json()
    assert around["rank"] == 3
    assert [row["rank"] for row in around["rows"]] == [2, 3, 4]
    assert client.get(f"{V1}/lists/standard/around", params={"rating": 3000, "size": 1}).json()["rank"] == 1
    problem(client.get(f"{V1}/lists/standard/around"), 400)
    problem(client.get(f"{V1}/lists/standard/around", params={"person": 99}), 404)
    ranks = client.get(f"{V1}/lists/standard/rank", params={"rating": 1900}).json()
    assert [each["rank"] for each in ranks] == [3, 3]


def test_rulebooks_with_editions_clauses_on_a_day_and_what_changed(client: TestClient) -> None:
    assert "fide/standard" in [each["name"] for each in client.get(f"{V1}/rulebooks").json()["rulebooks"]]
    path = f"{V1}/rulebooks/fide/standard"
    before = client.get(path, params={"date": "2024-02-01"}).json()
    after = client.get(path, params={"date": "2024-03-02", "since": "2024-02-01"}, headers={"Accept-Language": "it"})
    assert after.json()["title"] != before["title"]
    clauses = {each["clause"]: each["value"] for each in after.json()["clauses"]}
    for change in after.json()["changes"]:
        assert clauses.get(change["clause"], "") == change["after"] != change["before"]
    assert after.json()["changes"]
    assert client.get(f"{V1}/rulebooks/elo").json()["system"] == "elo"
    problem(client.get(f"{V1}/rulebooks/etc/passwd"), 404)


def test_expected_scores_of_ratings_and_of_people(client: TestClient) -> None:
    asked = {"own": {"rating": 1890}, "opponent": {"rating": 1771}, "rules": "fide/standard"}
    assert client.post(f"{V1}/expected", json=asked).json()["score"] == 0.66
    people = {"own": {"person": 1}, "opponent": {"person": 1}, "list": "standard"}
    told = client.post(f"{V1}/expected", json=people).json()
    assert (told["score"], told["quality"], told["own"]) == (0.5, 1.0, 2047.0)
    problem(client.post(f"{V1}/expected", json={**asked, "own": {}}), 400)
    problem(client.post(f"{V1}/expected", json={**people, "own": {"person": 99}}), 404)


def test_a_public_bundle_is_made_and_replayed(client: TestClient, tmp_path: Path) -> None:
    answer = client.get(f"{V1}/bundle.zip")
    target = tmp_path / "office.zip"
    target.write_bytes(answer.content)
    assert [each.same for each in check(str(target))] == [True]
    assert "Müllner".encode() not in answer.content
    assert client.get(f"{V1}/bundle.zip", headers={"If-None-Match": answer.headers["etag"]}).status_code == 304


def test_who_asks_is_told_who_they_are(client: TestClient) -> None:
    nobody = {"role": "public", "account": 0, "name": "", "person": None, "scopes": None}
    assert client.get(f"{V1}/me").json() == nobody
    assert client.get(f"{V1}/status").json()["games"] == 6


def test_a_key_is_kept_for_a_day_and_belongs_to_an_account(office: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    one, other = hold(7, "k"), hold(8, "k")
    monkeypatch.setattr(once, "LIVE", {one.holder, other.holder})
    with open_office(office) as opened:
        assert begin(opened, one, "digest", now) is None
        assert begin(opened, other, "digest", now) is None
        waiting = begin(opened, hold(7, "k"), "digest", now + timedelta(hours=23))
        assert waiting is not None
        assert waiting.status == BEGUN
        answer = Kept("digest", 201, (("content-type", "application/json"),), b"{}")
        end(opened, one, answer)
        assert begin(opened, hold(7, "k"), "digest", now) == answer
        end(opened, other, None)
        assert begin(opened, hold(8, "k"), "other", now) is None
        assert begin(opened, hold(7, "k"), "digest", now + timedelta(hours=25)) is None


@pytest.mark.parametrize(
    ("holder", "minutes", "free"),
    [
        (f"{platform.node()} {os.getpid()} gone", 0, True),
        (f"{platform.node()} {os.getpid()} at-work", 60, False),
        (f"{platform.node()} {os.getppid()} another", 0, False),
        (f"{platform.node()} {os.getppid()} another", 11, True),
        ("another host 1 x", 9, False),
        ("another host 1 x", 11, True),
        ("", 60, False),
    ],
    ids=["gone", "at work", "another process", "slow process", "another host", "slow host", "an older arpad's"],
)
def test_a_key_is_free_again_when_nobody_is_at_work_on_its_request(
    monkeypatch: pytest.MonkeyPatch, holder: str, minutes: int, free: bool
) -> None:
    monkeypatch.setattr(once, "LIVE", {f"{platform.node()} {os.getpid()} at-work"})
    assert abandoned(holder, timedelta(minutes=minutes)) == free


def test_whoever_was_taken_for_gone_and_was_only_slow_writes_nothing(office: Path) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    slow, quick = hold(7, "k"), hold(7, "k")
    with open_office(office) as opened:
        assert begin(opened, slow, "digest", now) is None
        assert begin(opened, quick, "digest", now + timedelta(minutes=11)) is None
        opened.store.along = partial(mark, opened, slow)
        with pytest.raises(Stale):
            hooks.register(opened, 7, "https://example.org/", ["publication"])
        assert hooks.hooks(opened, 7) == ()
        opened.store.along = partial(mark, opened, quick)
        hooks.register(opened, 7, "https://example.org/", ["publication"])
        opened.store.along = lambda: None
        assert len(hooks.hooks(opened, 7)) == 1
        end(opened, slow, None)
        found = begin(opened, slow, "digest", now + timedelta(hours=2))
        assert found is not None
        assert found.status == CARRIED_OUT


#: A server that is killed in the midst of a request: before what it wrote is kept, or before it answers.
KILLED = """
import os, signal, sys
from litestar.testing import TestClient
from arpad.ledger.store import SQLite
from arpad.web.api import once
from arpad.web.app import create_app

def killed(*_):
    os.kill(os.getpid(), signal.SIGKILL)

place, token, when = sys.argv[1:]
commit = SQLite.commit
if when == "before it is kept":
    SQLite.commit = lambda self: killed() if self.value("select count(*) from webhook") else commit(self)
else:
    once.end = killed
with TestClient(create_app(place)) as client:
    headers = {"Authorization": token, "Idempotency-Key": "k"}
    client.post("/api/v1/webhooks", json={"url": "https://example.org/", "events": ["publication"]}, headers=headers)
"""


@pytest.mark.parametrize("when", ["before it is kept", "before it is answered"])
def test_a_key_of_a_server_that_was_killed_is_free_or_says_that_all_was_done(office: Path, when: str) -> None:
    with open_office(office) as opened:
        headers = {**bearing(opened, "officer", "webhooks"), "Idempotency-Key": "k"}
    command = [sys.executable, "-c", KILLED, str(office), headers["Authorization"], when]
    assert subprocess.run(command, timeout=60, check=False).returncode == -signal.SIGKILL
    body = {"url": "https://example.org/", "events": ["publication"]}
    with TestClient(create_app(office), raise_server_exceptions=False) as client:
        answers = [client.post(f"{V1}/webhooks", json=body, headers=headers) for _ in range(2)]
        if when == "before it is kept":
            assert [each.status_code for each in answers] == [201, 201]
            assert answers[1].headers["idempotency-replayed"] == "true"
        else:
            assert [each.status_code for each in answers] == [409, 409]
            assert "was carried out" in answers[1].json()["detail"]
            other = {**body, "events": ["correction"]}
            assert client.post(f"{V1}/webhooks", json=other, headers=headers).status_code == 422
        assert len(client.get(f"{V1}/webhooks", headers=headers).json()["webhooks"]) == 1


def test_a_form_sent_again_is_the_same_though_its_line_is_not() -> None:
    one, other = (
        fingerprint("/p", f'multipart/form-data; boundary="{line}"', f"--{line}\r\nbytes\r\n--{line}--".encode())
        for line in ("abc123", "xyz789")
    )
    assert one == other
    assert one != fingerprint("/p", "multipart/form-data; boundary=abc123", b"--abc123\r\nother\r\n--abc123--")
    assert one != fingerprint("/q", "multipart/form-data; boundary=abc123", b"--abc123\r\nbytes\r\n--abc123--")


@pytest.mark.parametrize("caller", [Caller(), Caller("officer", 7)])
def test_a_caller_is_known_to_the_api(office: Path, caller: Caller) -> None:
    with client_as(caller, office) as client:
        assert client.get(f"{V1}/me").json()["role"] == caller.role
