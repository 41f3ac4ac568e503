"""Whatever is sent to whatever address: no defect, nothing of what was sent becomes a part of a page, and the office
still adds up afterwards. (What the API's document allows is asked in `test_contract`.)"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar import Litestar
from litestar.middleware.rate_limit import RateLimitConfig
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from arpad.bureau.keeping import verify
from arpad.bureau.opened import open_office
from arpad.web import limits
from arpad.web.api.document import described
from arpad.web.app import create_app
from arpad.web.drawing import FOLDER
from arpad.web.identity import of_api
from tests.web.people import FORM, enter, signed_in

#: An upload that no handler asked for is closed when Python collects it, which only development mode minds.
pytestmark = pytest.mark.filterwarnings("ignore:.*SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning")

NUMBERS = (
    "0",
    "-1",
    "1",
    "2",
    "3",
    "7",
    "2147483648",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775809",
)
ODD = (
    "9" * 400,
    "1e400",
    "-1e308",
    "NaN",
    "inf",
    "1.5",
    "+3",
    "01",
    "1_000",
    "٣",
    "0x10",
    "",
    " ",
    "true",
    "null",
    "[]",
    "{}",
)
DAYS = ("0001-01-01", "9999-12-31", "2025-04-01", "2025-02-30", "0000-00-00", "-0001-01-01", "10000-01-01", "20250401")
GAMES = (
    "1850 1",
    "1600/80 0",
    "- 1",
    "1e400 1",
    "NaN =",
    "1e308/1e308 1",
    "1850 1\n" * 3000,
    "bye",
    ": : :",
    "1 1\n9e9 0",
)
TEXTS = (
    "standard", "fide/standard", "fide/standard:2024-03-01", "club:101", "a/b", "../../etc/passwd", "..\\..\\x",
    "\0", "\x01\x1b[2J", "\u202egnp.exe", "\u200b", "😀", "ß", "İ", "\ud7ff\ufffd", "\r\nSet-Cookie: a=b", "\n",
    "' OR 1=1 --", '"; drop table person; --', "%", "_", "*", "\\", '"', "'", "((((", "NEAR(", "{{7*7}}", "${7*7}",
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "javascript:alert(1)", "//evil.example", "]]>",
    "=1+1", "+1", "@SUM(A1)", "-2+3", "=HYPERLINK(\"http://evil.example\")", "é" * 3000, "x" * 9000, "csv", "live",
)  # fmt: skip
POOLS = (NUMBERS, ODD, DAYS, GAMES, TEXTS)
#: Requests before somebody signs in again.
AT_ONCE = 50
#: What no page may contain, since it was only ever sent.
MARKUP = re.compile("<script>alert|<img src=x")
BODIES = (
    b"",
    b"\xff\xfe{}",
    b"{",
    b"[" * 99_999,
    b"null",
    b"1e999",
    b'"\\ud800"',
    b"\x1f\x8b\x08\0\0",
    bytes(range(256)),
)
KINDS = (
    "application/json", "application/json; charset=utf-16", "text/plain", "multipart/form-data", "application/msgpack",
    "multipart/form-data; boundary=" + "x" * 500, "application/x-www-form-urlencoded; charset=klingon", "", "\x7f",
)  # fmt: skip
HEADERS = {
    "accept": (
        "text/csv",
        "application/x-ndjson",
        "*/*;q=0",
        "text/html;q=NaN",
        ",,;;",
        "x",
        "application/json;q=1e400",
    ),
    "accept-language": ("it", "xx-YY;q=z", "*", ",;"),
    "if-none-match": ("*", '"1-abc"', 'W/"', '"'),
    "if-match": ("*", '"1-abc"', "W/", '"-x"', '"99999999999999999999-x"'),
    "idempotency-key": ("a", "\x7f", "x" * 999),
    "content-encoding": ("gzip", "br", "x"),
    "range": ("bytes=0-", "bytes=-1", "x"),
    "hx-request": ("true",),
}


class Hostile:
    """Requests by chance, that is the same for the same seed."""

    def __init__(self, app: Litestar, seed: int) -> None:
        self.chance = random.Random(seed)
        self.routes = [
            (route.path_format, route.path_parameters, [each for each in handler.http_methods if each != "OPTIONS"])
            for route in app.routes
            if isinstance(route, HTTPRoute)
            for handler in route.route_handlers
            if handler.http_methods != {"OPTIONS"}
        ]
        document = msgspec.json.decode(msgspec.json.encode(described(app)))
        schemas = document["components"]["schemas"].values()
        asked = {each for schema in schemas for each in schema.get("properties", {})}
        for page in sorted((FOLDER / "templates").rglob("*.html")):
            asked |= set(re.findall(r'name="(\w+)"', page.read_text(encoding="utf-8")))
        self.names = sorted(
            asked | {"cursor", "limit", "size", "start", "event", "opponent", "opponents", "steps", "before"}
        )

    def text(self) -> str:
        chance = self.chance
        one = chance.choice(chance.choice(POOLS))
        way = chance.random()
        if way < 0.1:
            return one + chance.choice(chance.choice(POOLS))
        return one if way < 0.95 else "".join(chr(chance.randrange(1, 0xD800)) for _ in range(chance.randrange(40)))

    def said(self, most: int) -> dict[str, list[str]]:
        """Parameters or fields, some of them more than once."""
        chance = self.chance
        return {
            chance.choice(self.names): [self.text() for _ in range(chance.choice((1, 1, 1, 2)))]
            for _ in range(chance.randrange(most))
        }

    def value(self, depth: int = 0) -> Any:
        """Something that JSON can say."""
        chance = self.chance
        way = chance.random()
        if way < 0.5 or depth > 3:
            return self.text()
        if way < 0.7:
            return chance.choice((None, True, 0, -1, 2**63, 1.5, 1e308, -1e308))
        if way < 0.8:
            return [self.value(depth + 1) for _ in range(chance.randrange(4))]
        return {chance.choice(self.names): self.value(depth + 1) for _ in range(chance.randrange(6))}

    def path(self, pattern: str, parameters: Any) -> dict[str, str]:
        """What the parameters of a path are filled with: mostly what there is, so that more than a 404 comes of it."""
        known = {"int": NUMBERS[2:5], "date": DAYS[2:3]}
        usual = {
            name: known.get(str(each.full).rpartition(":")[2], ("standard", "1", "2", "csv"))
            for name, each in parameters.items()
        }
        return {
            name: self.chance.choice(each) if self.chance.random() < 0.6 else self.text()
            for name, each in usual.items()
        }

    def request(self) -> dict[str, Any]:
        """A request as a client takes it."""
        chance = self.chance
        pattern, parameters, methods = chance.choice(self.routes)
        method = (
            chance.choice(methods)
            if chance.random() < 0.95
            else chance.choice(("HEAD", "PUT", "DELETE", "TRACE", "ODD"))
        )
        filled = {name: quoted(text[:2000]) for name, text in self.path(pattern, parameters).items()}
        asked: dict[str, Any] = {
            "method": method,
            "url": re.sub(r"\{(\w+)[^}]*\}", lambda found: filled[found[1]], pattern),
        }
        asked["params"] = {name: [text[:9000] for text in texts] for name, texts in self.said(4).items()}
        names = [name for name in HEADERS if chance.random() < 0.05]
        headers = {name: chance.choice(HEADERS[name]) for name in names}
        if method not in ("GET", "HEAD", "TRACE"):
            way = chance.random()
            if way < 0.2:
                asked["content"] = chance.choice(BODIES)
                headers["content-type"] = chance.choice(KINDS)
            elif way < 0.4:
                asked["files"] = {chance.choice(self.names): (self.text()[:200], self.text().encode())}
            elif of_api(pattern):
                asked["content"] = msgspec.json.encode(self.value())
                headers["content-type"] = KINDS[0]
            else:
                asked["data"] = self.said(8)
        return {**asked, "headers": headers}


def quoted(text: str) -> str:
    """A text as a part of a path, with each of its bytes escaped."""
    return "".join(f"%{byte:02X}" for byte in text.encode()) or "%20"


def faults(client: TestClient[Any], hostile: Hostile, count: int) -> Iterator[str]:
    """What a server must not do, of so many requests."""
    for _ in range(count):
        asked = hostile.request()
        form = {"x-csrftoken": client.cookies[FORM]} if FORM in client.cookies and not of_api(asked["url"]) else {}
        answer = client.request(**{**asked, "headers": {**asked["headers"], **form}}, follow_redirects=False)
        kind = answer.headers.get("content-type", "")
        if answer.status_code >= 500:
            yield f"{answer.status_code}: {asked}"
        if kind.startswith("text/html") and (found := MARKUP.search(answer.text)):
            yield f"{found[0]} came back: {asked}"
        refused = answer.status_code >= 400 and of_api(asked["url"]) and asked["method"] != "HEAD"
        if refused and (kind != "application/problem+json" or not answer.json()["detail"]):
            yield f"{answer.status_code} without a word: {asked}"
        if "location" in answer.headers and not re.match(r"/(?!/)", answer.headers["location"]):
            yield f"leads to {answer.headers['location']}: {asked}"


@pytest.fixture(params=["", "member", "officer"], ids=["the public", "a member", "an officer"])
def attack(
    request: pytest.FixtureRequest, office: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[int, int], list[str]]]:
    """What an office's application does wrong of so many requests by a seed, of somebody whom nothing slows down, and
    who signs in again now and then, since one of the requests signs out."""
    for each in ("API", "DOOR"):
        monkeypatch.setattr(limits, each, RateLimitConfig(("minute", 10**9)))
    with TestClient(create_app(office), raise_server_exceptions=False) as client:
        held = None
        if request.param:
            held = signed_in(client, office, request.param, person=1 if request.param == "member" else None)

        def attacked(seed: int, count: int) -> list[str]:
            hostile, found = Hostile(client.app, seed), []
            for _ in range(0, count, AT_ONCE):
                if held:
                    enter(client, office, held.id)
                found += faults(client, hostile, AT_ONCE)
            return found

        yield attacked
    with open_office(office) as opened:
        assert verify(opened) == []


def test_a_few_hostile_requests_do_no_harm(attack: Callable[[int, int], list[str]]) -> None:
    assert attack(1, 250) == []


@pytest.mark.soak
def test_hundred_thousand_hostile_requests_do_no_harm(attack: Callable[[int, int], list[str]]) -> None:
    seed = random.randrange(1 << 30)
    assert (seed, attack(seed, 100_000)) == (seed, [])
