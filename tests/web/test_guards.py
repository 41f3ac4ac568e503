"""What no handler may forget: every route that writes has a role; every answer has its headers; there are limits."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from litestar import Litestar, Router, post
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from arpad.bureau.opened import open_office
from arpad.bureau.people import show
from arpad.web import limits
from arpad.web.app import create_app
from arpad.web.callers import SAFE
from arpad.web.identity import WRITES_NOTHING, of_api
from tests.web.people import FORM, bearing, sent, signed_in

#: What whoever is not signed in may send: who they are.
DOORS = {f"/{language}/{path}" for language in ("en", "it", "es") for path in ("sign-in", "invites/{secret}")}
#: What reckons with what it is sent, and writes nothing.
RECKONING = {f"/api/v1/{path}" for path in ("expected", "performance", "whatif")}
#: What every token may do, whatever its scopes: end.
OWN = {("DELETE", "/api/v1/account/token")}


#: What everybody who is signed in may send: what is about their own account, and about their own matches.
MEMBERS = {
    "/ladder/{name}/report",
    "/ladder/{name}/matches/{number}",
    "/sign-out",
    "/account/password",
    "/account/tokens",
    "/account/tokens/{token}/revoke",
    "/account/sessions/{session}/end",
}


def routes(app: Litestar, *, write: bool) -> Iterator[tuple[str, str]]:
    """Method and path of every route that writes, or that only reads, with numbers for what is to be filled in."""
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for handler in route.route_handlers:
                for method in handler.http_methods:
                    harmless = method in SAFE or handler.opt.items() >= WRITES_NOTHING.items()
                    if harmless != write and method != "OPTIONS":
                        yield str(method), route.path_format


def filled(app: Litestar, path: str) -> str:
    """A path that its route takes."""
    route = next(each for each in app.routes if isinstance(each, HTTPRoute) and each.path_format == path)
    for parameter in route.path_parameters.values():
        value = "2025-04-01" if "date" in str(parameter.parser or parameter.type) else "1"
        path = path.replace(f"{{{parameter.name}}}", value)
    return path


def unguarded(app: Litestar, office: Path) -> list[str]:
    """Routes that write for whoever is not signed in, for a member, or for a token that only reads."""
    found = []
    with open_office(office) as opened:
        headers = bearing(opened, "admin", "read")
    with TestClient(app, raise_server_exceptions=False) as client:
        client.get("/en/sign-in")
        form = {"x-csrftoken": client.cookies[FORM]}

        def status(method: str, path: str, **said: str) -> int:
            asked = {**form, **said}
            return int(client.request(method, filled(app, path), headers=asked, follow_redirects=False).status_code)

        written = [each for each in routes(app, write=True) if each[1] not in DOORS and each not in OWN]
        for method, path in written:
            refused = (401, 403) if of_api(path) else (303,)
            came = [status(method, path), *([status(method, path, **headers)] if of_api(path) else [])]
            if tuple(came) != refused:
                found.append(f"{method} {path}: {came}")
        signed_in(client, office, "member")
        for method, path in written:
            if not of_api(path) and path[3:] not in MEMBERS and (came := [status(method, path)]) != [403]:
                found.append(f"{method} {path}, a member: {came}")
    return found


def test_every_route_that_writes_needs_a_role_and_a_scope(office: Path) -> None:
    app = create_app(office)
    assert len(list(routes(app, write=True))) > 20
    assert unguarded(app, office) == []


def test_a_route_that_somebody_forgot_to_guard_is_found(office: Path) -> None:
    @post("/forgotten", sync_to_thread=False)
    def forgotten() -> None:
        """Anybody may."""

    app = create_app(office)
    app.register(Router("/en", route_handlers=[forgotten]))
    app.register(Router("/api/v1", route_handlers=[forgotten]))
    assert unguarded(app, office) == [
        "POST /en/forgotten: [201]",
        "POST /api/v1/forgotten: [201, 201]",
        "POST /en/forgotten, a member: [201]",
    ]


def test_the_desk_is_closed_to_the_public_and_to_members(office: Path) -> None:
    app = create_app(office)
    desk = [path for method, path in routes(app, write=False) if method == "GET" and path.startswith("/en/desk")]
    assert "/en/desk/accounts" in desk
    with TestClient(app, raise_server_exceptions=False) as client:
        for path in desk:
            assert client.get(filled(app, path), follow_redirects=False).status_code == 303, path
        signed_in(client, office, "member")
        for path in desk:
            assert client.get(filled(app, path), follow_redirects=False).status_code == 403, path


@pytest.mark.parametrize("https", [False, True])
def test_every_answer_has_the_headers_that_keep_it_safe(office: Path, https: bool) -> None:
    with TestClient(create_app(office, https=https), raise_server_exceptions=False) as client:
        for path in (
            "/en/",
            "/nowhere",
            "/en/lists/none",
            "/en/sign-in",
            "/api/v1/lists/none/ratings",
            "/static/style.css",
        ):
            headers = client.get(path).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "same-origin"
            assert ("strict-transport-security" in headers) == https
            assert "server" not in headers
        assert "Cookie" in client.get("/en/").headers["vary"]


def test_search_engines_leave_out_whose_name_is_not_for_everybody(client: TestClient, office: Path) -> None:
    assert "x-robots-tag" not in client.get("/en/players/3").headers
    with open_office(office) as opened:
        show(opened, 3, {"name": "members"}, "asked for it")
    hidden = client.get("/en/players/3")
    assert hidden.headers["x-robots-tag"] == "noindex"
    assert "Ferri" not in hidden.text
    assert "x-robots-tag" not in client.get("/en/players/1").headers


def test_the_api_says_what_is_left_and_then_to_wait(office: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = "/api/v1/lists/standard/ratings"
    monkeypatch.setattr(limits.API, "rate_limit", ("minute", 2))
    with open_office(office) as opened:
        headers = bearing(opened, "member", "read")
    with TestClient(create_app(office), raise_server_exceptions=False) as client:
        assert [client.get(path).headers["ratelimit-remaining"] for _ in range(2)] == ["1", "0"]
        answer = client.get(path)
        assert answer.status_code == 429
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["title"] == "Too Many Requests"
        assert 0 < int(answer.headers["retry-after"]) <= 60
        assert answer.headers["ratelimit-limit"] == "2"
        assert client.get("/api/v1/account").status_code == 429, "all of the API is counted together"
        assert client.get(path, headers=headers).headers["ratelimit-remaining"] == "1", "a token has a count of its own"
        assert client.get("/en/").status_code == 200


def test_what_is_sent_to_the_door_is_limited_by_address(office: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits.DOOR, "rate_limit", ("minute", 2))
    with TestClient(create_app(office), raise_server_exceptions=False) as client:
        client.get("/en/sign-in")
        form = {"_csrf_token": client.cookies[FORM], "name": "x", "password": "y"}
        assert [client.post("/en/sign-in", data=form).status_code for _ in range(3)] == [403, 403, 429]
        assert client.get("/en/sign-in").status_code == 200, "to look is not limited"
        form["password"] = "y" * 30_000
        with TestClient(create_app(office), raise_server_exceptions=False) as other:
            other.get("/en/sign-in")
            form["_csrf_token"] = other.cookies[FORM]
            assert other.post("/en/sign-in", data=form).status_code == 413


def test_the_document_of_the_api_names_the_scopes_that_its_guards_ask_for(client: TestClient) -> None:
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    asked = {
        (path, method): paths[path][method]["security"]
        for path, method in (
            ("/api/v1/accounts", "post"),
            ("/api/v1/reports", "post"),
            ("/api/v1/account", "get"),
            ("/api/v1/lists/{name}/ratings", "get"),
        )
    }
    assert list(asked.values()) == [
        [{"token": ["accounts"]}],
        [{"token": ["report"]}],
        [{"token": ["read"]}],
        [{}, {"token": []}],
    ]


def test_counts_of_those_who_have_not_come_back_are_forgotten(office: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SWEPT", 0.01)
    app = create_app(office)
    with TestClient(app) as client:
        client.get("/api/v1/lists/standard/ratings")
        store = app.stores.get(limits.API.store)
        (key,) = store._store  # type: ignore[attr-defined]
        store._store[key].expires_at = datetime.now(UTC) - timedelta(seconds=1)  # type: ignore[attr-defined]
        until = time.monotonic() + 20
        while store._store and time.monotonic() < until:  # type: ignore[attr-defined]
            time.sleep(0.01)
        assert not store._store  # type: ignore[attr-defined]


#: What no form's field holds that a browser sends, and somebody else may.
ODD = ("x", "\x00", "9" * 5000, "NaN", "\u0663", "-1")


@pytest.mark.parametrize("step", ["look", "accept", "confirm", "take"])
def test_what_is_no_number_breaks_no_form_of_the_desk(client: TestClient, office: Path, step: str) -> None:
    signed_in(client, office, "admin")
    writes = [
        path for method, path in routes(client.app, write=True) if method == "POST" and path.startswith("/en/desk")
    ]
    for path in writes:
        for odd in ODD:
            numbers = dict.fromkeys(("head", "repair", "person", "game", "entry", "hours", "key-0"), odd)
            said = {"kind": "game", "act": "role", "name": "somebody", "step": step, **numbers}
            assert sent(client, filled(client.app, path), **said).status_code < 500, (path, odd[:9])


def test_a_body_of_brackets_within_brackets_is_refused(client: TestClient, office: Path) -> None:
    answer = client.post("/api/v1/expected", content=b"[" * 100_000, headers={"Content-Type": "application/json"})
    assert (answer.status_code, "brackets" in answer.json()["detail"]) == (400, True)
    with open_office(office) as opened:
        headers = bearing(opened, "officer", "correct")
    far = {**headers, "If-Match": f'"{"9" * 5000}-0"'}
    assert client.post("/api/v1/corrections/1/revert", json={"reason": "no"}, headers=far).status_code == 412


@pytest.mark.parametrize("path", ["/static/%00", "/static/..%2fapp.py", "/static//etc/passwd", "/en/lists/%00", "/%00"])
def test_an_address_that_nothing_has_is_not_found(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("path", ["/en/", "/en/lists/standard", "/api/v1/lists", "/static/style.css", "/en/nowhere"])
def test_head_answers_as_get_does_without_a_body(client: TestClient, path: str) -> None:
    whole, head = client.get(path), client.head(path)
    assert (head.status_code, head.content) == (whole.status_code, b"")
    same = ("content-type", "content-length", "content-security-policy", "etag")
    assert [head.headers.get(name) for name in same] == [whole.headers.get(name) for name in same]
