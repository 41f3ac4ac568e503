"""The page of the API: everything is on it, and its examples are carried out as they stand."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from litestar.testing import TestClient

from arpad.accounts import book, tokens
from arpad.bureau.corrections import Change, correct
from arpad.bureau.opened import open_office
from arpad.web.api.document import described, handlers, operations
from arpad.web.api.examples import BODIES, QUERIES
from arpad.web.api.reference import Operation, curl, python, reference
from arpad.web.app import create_app

#: What the desk does takes reports and people that no example knows of beforehand, a job's number is given when it is
#: begun, a delivery comes of what happens later, and the example's list is no ladder: their tests are elsewhere.
LADDER = ("get-lists-name-matches", "get-matches-number", "get-lists-name-leaderboard", "get-lists-name-ladder")
DESK = ("post-reports", "post-corrections", "post-merges", "post-splits", "post-publications")
NOT_RUN = (*DESK, "get-jobs-number", "post-webhooks-hook", *LADDER)


def every_operation(app: Any) -> list[Operation]:
    return [each for group in reference(described(app)).groups for each in group.operations]


@pytest.fixture
def server(office: Path) -> Iterator[tuple[str, str, list[Operation]]]:
    """A server as `arpad serve` runs it: its address, an officer's token, and what can be asked."""
    with open_office(office) as opened:
        correct(opened, [Change("game", 2, {"voided": 1})], "an example of a correction")
        officer = book.add(opened, "Olga", "officer", by="admin")
        token = tokens.make(opened, officer.id, "examples", tokens.SCOPES).secret
    app = create_app(office)
    running = uvicorn.Server(uvicorn.Config(app, port=0, log_level="critical", access_log=False))
    thread = threading.Thread(target=running.run)
    thread.start()
    limit = time.monotonic() + 60
    while not running.started and time.monotonic() < limit:
        time.sleep(0.02)
    port = running.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}", token, every_operation(app)
    running.should_exit = True
    thread.join()


def run(found: list[Operation]) -> list[Operation]:
    """What is run, things that are made before things that are looked at."""
    asked = [each for each in found if each.method in ("GET", "POST") and not each.id.startswith(NOT_RUN)]
    return sorted((each for each in asked if each.method == "GET" or each.body), key=lambda each: each.method == "GET")


def test_the_python_examples_run(server: tuple[str, str, list[Operation]]) -> None:
    base, token, found = server
    wrong = []
    for each in run(found):
        said = StringIO()
        with redirect_stdout(said):
            try:
                exec(python(each, base, token), {})
            except (httpx.HTTPStatusError, ValueError) as error:
                wrong.append(f"{each.id}: {error}")
    assert wrong == []


def test_what_was_read_is_not_sent_again_where_the_document_says_so(server: tuple[str, str, list[Operation]]) -> None:
    base, token, found = server
    with httpx.Client(base_url=base, headers={"Authorization": f"Bearer {token}"}) as client:
        said, came = {}, {}
        for each in (each for each in run(found) if each.method == "GET"):
            first = client.get(each.address({}))
            if first.status_code == 200:
                again = client.get(each.address({}), headers={"If-None-Match": first.headers.get("etag", '"none"')})
                came[each.id] = again.status_code == 304
                said[each.id] = "304" in [answer.status for answer in each.answers]
    assert came == said
    assert len(came) > 30
    assert [name for name, tagged in came.items() if not tagged] == [
        "get-lists-name-ratings-ndjson",
        "get-games-ndjson",
    ]


def test_the_curl_examples_run(server: tuple[str, str, list[Operation]]) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    base, token, found = server
    wrong = []
    for each in run(found):
        command = [*shlex.split(curl(each, base, token)), "--fail", "-o", "/dev/null", "-w", "%{http_code}"]
        told = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        if told.stdout not in ("200", "201", "202"):
            wrong.append((each.id, told.stdout, told.stderr))
    assert wrong == []


def test_every_example_is_of_an_operation(office: Path) -> None:
    app = create_app(office)
    document, written = described(app), handlers(app)
    known = {f"{method.upper()} {path.removeprefix('/api/v1')}" for path, method, _ in operations(document)}
    assert set(BODIES) | set(QUERIES) <= known
    assert document["openapi"].startswith("3.1")
    for path, method, operation in operations(document):
        assert operation["summary"] == written[path, method].summary, f"{method} {path}: nobody wrote what it is"
        assert operation["tags"], (path, method)
        assert {"400", "404", "429"} <= set(operation["responses"])


@pytest.mark.parametrize("language", ["en", "it", "es"])
def test_the_page_has_everything_and_loads_nothing_from_elsewhere(client: TestClient[Any], language: str) -> None:
    page = client.get(f"/{language}/api")
    assert page.status_code == 200
    for each in every_operation(client.app):
        assert f'id="{each.id}"' in page.text
    assert re.findall(r'(?:src|href|action)="(?:https?:)?//[^"]*"', page.text) == []
    assert re.findall(r"<style|<script>| style=| onclick=", page.text) == []
    assert "unsafe" not in page.headers["content-security-policy"]
    for name in re.findall(r'href="#([^"]+)"', page.text):
        assert f'id="{name}"' in page.text, name


def test_without_scripts_what_reads_can_be_tried(client: TestClient[Any]) -> None:
    asked = {"name": "standard", "limit": "2", "q": ""}
    answer = client.get("/en/api/try/get-lists-name-ratings", params=asked)
    assert answer.url.path == "/api/v1/lists/standard/ratings"
    assert len(answer.json()["rows"]) == 2
    assert client.get("/en/api/try/post-whatif").status_code == 404
    answer = client.get("/api/v1/docs", headers={"Accept-Language": "es", "Accept": "text/html"})
    assert answer.url.path == "/es/api"
