"""Webhooks: what happens is told, signed, until it was heard; and never inside the server's own network."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import validate
from msgspec.structs import replace

from arpad.accounts import book
from arpad.bureau import ladder as domain
from arpad.bureau.corrections import Change, correct
from arpad.bureau.ladder_rows import Rules, Who, open_ladder
from arpad.bureau.lists import publish
from arpad.bureau.opened import open_office
from arpad.errors import UsageError
from arpad.web import hooks
from arpad.web.app import create_app
from arpad.web.callers import Caller
from arpad.web.delivering import address_of, client_of, deliver, sound_url
from arpad.web.told import HAPPENINGS, Happening
from arpad.web.window import Window
from tests.web.callers import MEMBER, OFFICER, client_as

V1 = "/api/v1"
EVENTS = ["publication", "correction", "report.accepted"]
NOW = datetime(2030, 1, 1, tzinfo=UTC)


class Receiver:
    """A server that keeps what it is told, and answers as it is told to."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, dict[str, str], bytes]] = []
        self.status = 204
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.heard.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(receiver.status)
                if receiver.status == 302:
                    self.send_header("location", "/elsewhere")
                self.end_headers()

            do_GET = do_POST

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/told"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.server.shutdown()
    made.server.server_close()


def registered(place: Path, url: str, *events: Happening) -> hooks.Registered:
    with open_office(place) as office:
        return hooks.register(office, OFFICER.account, url, events or HAPPENINGS)


def at(place: Path, now: datetime, allow_private: bool = True) -> int:
    """What is due at a moment is sent; how much that was."""

    async def once() -> int:
        async with client_of() as client:
            return await deliver(window, client, allow_private, now)

    with closing(Window(place)) as window:
        return asyncio.run(once())


def state(place: Path, number: int) -> hooks.Delivery:
    with open_office(place) as office:
        return hooks.deliveries(office, OFFICER.account, number)[0]


def test_what_happens_is_told_and_signed(office: Path, receiver: Receiver) -> None:
    hook = registered(office, receiver.url)
    with open_office(office) as opened:
        correct(opened, [Change("game", 1, {"voided": 1})], "played twice")
        published = publish(opened, date(2025, 7, 1))
    assert at(office, NOW) == 2
    assert at(office, NOW) == 0
    told = {json.loads(body)["event"]: (headers, body) for _, headers, body in receiver.heard}
    assert set(told) == {"correction", "publication"}
    headers, body = told["publication"]
    moment, digest = (part.partition("=")[2] for part in headers["arpad-signature"].split(","))
    assert hmac.new(hook.secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest() == digest
    assert abs(int(moment) - time.time()) < 60
    assert headers["arpad-delivery"] == json.loads(body)["id"]
    assert json.loads(body)["data"]["sha256"] == published.sha256
    assert json.loads(told["correction"][1])["data"]["path"].startswith("/api/v1/corrections/")


def test_what_becomes_of_matches_is_told_each_time_and_as_the_document_says(office: Path, receiver: Receiver) -> None:
    hook = registered(office, receiver.url, *(each for each in HAPPENINGS if each.startswith("match.")))
    with open_office(office) as opened:
        open_ladder(opened, "standard", Rules(hours=24))
        domain.report(opened, "standard", 5, 6, 1.0, date(2025, 5, 1), Who("player", 5), note="<secret>", now=NOW)
    anna, bruno = (Caller("member", 20 + person, "", frozenset(("report",)), person) for person in (1, 2))
    matches = f"{V1}/lists/standard/matches"
    with client_as(anna, office) as player, client_as(bruno, office) as other, client_as(OFFICER, office) as officer:
        for number, result in enumerate(("1-0", "0-1", "1/2-1/2", "1-0"), 1):
            body = {"first": 1, "second": 2, "result": result, "date": "2025-05-02", "number": number}
            assert player.post(matches, json=body).status_code == 201
        assert other.post(f"{V1}/matches/2/confirm").status_code == 200
        assert other.post(f"{V1}/matches/2/confirm").status_code == 200, "and nothing new is to be told"
        assert other.post(matches, json={**body, "number": 2, "result": "1-0"}).status_code == 201
        assert other.post(f"{V1}/matches/4/dispute", json={"text": "no"}).status_code == 200
        assert officer.post(f"{V1}/matches/3/settle", json={"result": "1/2-1/2"}).status_code == 200
        assert officer.post(f"{V1}/matches/4/settle", json={"result": None}).status_code == 200
        assert player.post(f"{V1}/matches/5/withdraw").status_code == 200
        document = player.get(f"{V1}/openapi.json").json()
    with open_office(office) as opened:
        assert len(domain.tick(opened, NOW + timedelta(hours=25))) == 1
    while at(office, NOW):
        pass
    heard = sorted((json.loads(body) for _, _, body in receiver.heard), key=lambda each: int(each["id"].split("-m")[1]))
    assert [(each["event"].removeprefix("match."), each["data"]["match"]) for each in heard] == [
        *(("reported", number) for number in (1, 2, 3, 4, 5)),
        *(("confirmed", 2), ("disputed", 3), ("disputed", 4), ("settled", 3), ("dropped", 4), ("withdrawn", 5)),
        ("confirmed", 1),
    ]
    results = {
        (each["event"], each["data"]["match"]): [each["data"][name] for name in ("reported", "said", "counts", "game")]
        for each in heard
    }
    assert results["match.reported", 2] == ["1-0", None, None, 0], "as it was then"
    assert results["match.confirmed", 2] == ["1-0", None, "1-0", 7]
    assert results["match.disputed", 3] == ["0-1", "1-0", None, 0]
    assert results["match.settled", 3] == ["0-1", "1-0", "1/2-1/2", 8]
    assert all(word not in str(heard) for word in ("Bianchi", "secret"))
    headers, body = receiver.heard[0][1:]
    moment, digest = (part.partition("=")[2] for part in headers["arpad-signature"].split(","))
    assert hmac.new(hook.secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest() == digest
    assert set(document["webhooks"]) == set(HAPPENINGS)
    for each in heard:
        told = document["webhooks"][each["event"]]["post"]["requestBody"]["content"]["application/json"]["schema"]
        validate({**told, "components": document["components"]}, each)


def test_a_hook_hears_of_no_match_that_was_reported_before_it_or_that_it_did_not_ask_for(
    office: Path, receiver: Receiver
) -> None:
    with open_office(office) as opened:
        open_ladder(opened, "standard")
        domain.report(opened, "standard", 1, 2, 1.0, date(2025, 5, 1), Who("player", 1))
    registered(office, receiver.url, "match.reported", "match.disputed")
    with open_office(office) as opened:
        domain.confirm(opened, 1, Who("player", 2))
    assert (at(office, NOW), receiver.heard) == (0, [])
    with open_office(office) as opened:
        domain.report(opened, "standard", 3, 4, 1.0, date(2025, 5, 1), Who("player", 3))
    receiver.status = 500
    assert at(office, NOW) == 1
    receiver.status = 200
    assert (at(office, NOW + hooks.WAIT), at(office, NOW + timedelta(days=1))) == (1, 0)
    assert len({headers["arpad-delivery"] for _, headers, _ in receiver.heard}) == 1


@pytest.mark.parametrize("gone", ["closed", "demoted"])
def test_whoever_works_no_more_for_the_office_is_told_nothing_until_they_do_again(
    office: Path, receiver: Receiver, gone: str
) -> None:
    with open_office(office) as opened:
        owner = book.add(opened, "olga", "officer", by="admin").id
        hooks.register(opened, owner, receiver.url, HAPPENINGS)
        publish(opened, date(2025, 7, 1))
        if gone == "closed":
            book.disable(opened, owner, by="admin")
        else:
            book.change_role(opened, owner, "reporter", by="admin")
    assert (at(office, NOW), receiver.heard) == (0, [])
    with open_office(office) as opened:
        book.disable(opened, owner, False, by="admin")
        book.change_role(opened, owner, "officer", by="admin")
    assert (at(office, NOW), len(receiver.heard)) == (1, 1)


def test_only_what_was_asked_for_is_told(office: Path, receiver: Receiver) -> None:
    registered(office, receiver.url, "report.accepted")
    with open_office(office) as opened:
        publish(opened, date(2025, 7, 1))
    assert at(office, NOW) == 0


def test_what_was_not_heard_is_told_again_later_and_later_until_it_is_given_up(
    office: Path, receiver: Receiver
) -> None:
    hook = registered(office, receiver.url)
    with open_office(office) as opened:
        publish(opened, date(2025, 7, 1))
    receiver.status = 503
    now, waits = NOW, []
    for _ in range(hooks.ATTEMPTS):
        assert at(office, now) == 1
        told = state(office, hook.id)
        assert told.status == 503
        waits.append((datetime.fromisoformat(told.due) - now).total_seconds())
        assert at(office, now) == 0
        now = datetime.fromisoformat(told.due)
    assert waits == [*(30.0 * 2**each for each in range(hooks.ATTEMPTS - 1)), 0.0]
    assert told.state == "dead"
    assert at(office, now + timedelta(days=9)) == 0
    assert len({(headers["arpad-delivery"], body) for _, headers, body in receiver.heard}) == 1
    receiver.status = 200
    with open_office(office) as opened:
        hooks.again(opened, OFFICER.account, hook.id, told.id)
    assert at(office, now + timedelta(days=9)) == 1
    assert state(office, hook.id).state == "delivered"


def test_a_crash_in_the_midst_of_telling_loses_nothing(office: Path, receiver: Receiver) -> None:
    hook = registered(office, receiver.url)
    with open_office(office) as opened:
        publish(opened, date(2025, 7, 1))
        (taken,) = hooks.due(opened, NOW)  # and here the server is killed
    assert at(office, NOW) == 0
    assert at(office, NOW + hooks.LEASE) == 1
    assert receiver.heard[0][1]["arpad-delivery"] == taken.id
    assert state(office, hook.id).attempts == 1


def test_a_redirect_is_not_followed(office: Path, receiver: Receiver) -> None:
    hook = registered(office, receiver.url)
    with open_office(office) as opened:
        publish(opened, date(2025, 7, 1))
    receiver.status = 302
    at(office, NOW)
    assert [path for path, _, _ in receiver.heard] == ["/told"]
    assert (state(office, hook.id).state, state(office, hook.id).status) == ("waiting", 302)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "10.0.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "0.0.0.0",
        "2130706433",
        "::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "fe80::1",
        "fc00::1",
        "224.0.0.1",
        "100.64.0.1",
        "::127.0.0.1",
        "fec0::1",
        "64:ff9b:1::7f00:1",
    ],
)
def test_nothing_is_sent_into_the_servers_own_network(host: str) -> None:
    from arpad.web.delivering import Refused

    with pytest.raises((Refused, OSError)):
        asyncio.run(address_of(host, 443, False))


@pytest.mark.parametrize("host", ["1.1.1.1", "2606:4700:4700::1111"])
def test_the_internet_is_open(host: str) -> None:
    assert asyncio.run(address_of(host, 443, False)) == host


def test_the_servers_log_has_no_address_that_is_told(office: Path) -> None:
    """An address may hold a secret of its receiver's, and whoever sends it logs it as information."""
    logging.getLogger().setLevel(logging.INFO)
    create_app(office)
    assert not logging.getLogger("httpx").isEnabledFor(logging.INFO)
    assert logging.getLogger("arpad.web.delivering").isEnabledFor(logging.WARNING)


def test_a_refused_address_hears_nothing_and_it_is_said_why(office: Path, receiver: Receiver) -> None:
    hook = registered(office, receiver.url.replace("http:", "https:"))
    with open_office(office) as opened:
        publish(opened, date(2025, 7, 1))
    assert at(office, NOW, allow_private=False) == 1
    assert receiver.heard == []
    assert "network of its own" in state(office, hook.id).error


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "ftp://example.org/",
        "https://",
        "nonsense",
        "https://a:b@example.org/",
        "https://[/",
        "",
        "https://a..b/",
        "https://" + "a" * 64,
    ],
)
def test_what_is_no_address_to_tell_is_refused(url: str) -> None:
    with pytest.raises(UsageError):
        sound_url(url, False)
    assert sound_url("https://example.org:8443/x?y=1", False) == "https://example.org:8443/x?y=1"


@pytest.mark.parametrize(
    ("caller", "status"),
    [
        (Caller(), 401),
        (MEMBER, 403),
        (replace(OFFICER, scopes=frozenset({"read"})), 403),
        (replace(OFFICER, scopes=frozenset({"webhooks"})), 200),
        (OFFICER, 200),
    ],
)
def test_webhooks_are_for_officers_and_their_tokens(office: Path, caller: Caller, status: int) -> None:
    with client_as(caller, office) as client:
        answer = client.get(f"{V1}/webhooks")
    assert answer.status_code == status
    assert status == 200 or answer.headers["content-type"] == "application/problem+json"


def test_a_webhook_by_the_api_from_its_secret_to_its_end(office: Path, receiver: Receiver) -> None:
    asked = {"url": receiver.url, "events": EVENTS}
    with client_as(OFFICER, office, allow_private_webhooks=True) as client:
        made = client.post(f"{V1}/webhooks", json=asked, headers={"Idempotency-Key": "one"})
        assert made.status_code == 201
        same = client.post(f"{V1}/webhooks", json=asked, headers={"Idempotency-Key": "one"})
        assert (same.status_code, same.json()) == (201, made.json())
        assert same.headers["idempotency-replayed"] == "true"
        other = client.post(f"{V1}/webhooks", json={**asked, "events": EVENTS[:1]}, headers={"Idempotency-Key": "one"})
        assert other.status_code == 422
        (held,) = client.get(f"{V1}/webhooks").json()["webhooks"]
        assert "secret" not in held
        with open_office(office) as opened:
            publish(opened, date(2025, 7, 1))
        limit = time.monotonic() + 20
        while not receiver.heard and time.monotonic() < limit:
            time.sleep(0.05)
        assert receiver.heard
        path = f"{V1}/webhooks/{held['id']}"
        (told,) = client.get(f"{path}/deliveries").json()["deliveries"]
        assert client.post(f"{path}/deliveries/{told['id']}/again").json()["state"] == "waiting"
        assert client.post(f"{path}/deliveries/none/again").status_code == 404
        assert client.delete(path).status_code == 204
        assert client.get(path).status_code == 404
    with client_as(replace(OFFICER, account=9), office) as client:
        assert client.get(f"{V1}/webhooks").json() == {"webhooks": []}


def test_a_write_on_an_older_state_is_refused(office: Path, receiver: Receiver) -> None:
    asked = {"url": receiver.url, "events": EVENTS}
    with client_as(OFFICER, office, allow_private_webhooks=True) as client:
        tag = client.get(f"{V1}/lists").headers["etag"]
        assert client.post(f"{V1}/webhooks", json=asked, headers={"If-Match": tag}).status_code == 201
        with open_office(office) as opened:
            publish(opened, date(2025, 7, 1))
        refused = client.post(f"{V1}/webhooks", json=asked, headers={"If-Match": tag})
        assert refused.status_code == 412
        assert refused.headers["content-type"] == "application/problem+json"
        assert client.post(f"{V1}/webhooks", json=asked, headers={"If-Match": "*"}).status_code == 201
        assert client.post(f"{V1}/webhooks", json=asked, headers={"If-Match": '"nonsense"'}).status_code == 412
