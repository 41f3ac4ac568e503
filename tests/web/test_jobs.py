"""Long work at the desk: it goes on by itself, says how far it is and what came of it, and is done once."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from arpad import engine
from arpad.bureau import corrections, intake, keeping, lists
from arpad.bureau.opened import Office, open_office
from arpad.web import jobs
from arpad.web.app import create_app
from arpad.web.views import publishing, reports
from tests.web.callers import Enter, entered
from tests.web.people import bearing
from tests.web.test_desk import API, DESK, FAULTY, SPRING, hand_in
from tests.web.waiting import until

JULY = {"date": "2025-07-01", "list": "standard"}


class Gate:
    """Something that is held up: it says that it is `there`, and goes on when it may."""

    def __init__(self) -> None:
        self.there, self.further = threading.Event(), threading.Event()

    def held(self, act: Callable[..., Any]) -> Callable[..., Any]:
        def waits(*args: Any, **named: Any) -> Any:
            self.there.set()
            assert self.further.wait(60)
            return act(*args, **named)

        return waits


@contextmanager
def held(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> Iterator[Gate]:
    """A function that is held up until the test lets it go on; whoever asks for a page waits but a little."""
    gate = Gate()
    with monkeypatch.context() as patch:
        patch.setattr(jobs, "MOMENT", 0.05)
        patch.setattr(module, name, gate.held(getattr(module, name)))
        try:
            yield gate
        finally:
            gate.further.set()


def wait_for(client: TestClient, place: str) -> str:
    """A page of a job that has ended."""
    page = until(lambda: client.get(place).text, lambda seen: 'http-equiv="refresh"' not in seen)
    assert 'http-equiv="refresh"' not in page, "the job does not end"
    return page


def ended(client: TestClient, place: str) -> dict[str, Any]:
    wait_for(client, place.replace(API, DESK))
    found: dict[str, Any] = client.get(place).json()
    return found


def sent(client: TestClient, path: str, **form: Any) -> Any:
    return client.post(f"{DESK}{path}", data=form, follow_redirects=False)


def head_of(client: TestClient) -> int:
    return int(client.get(f"{API}/log").json()["rows"][0]["entry"])


def entries(client: TestClient, kind: str) -> int:
    return len(client.get(f"{API}/log", params={"kind": kind}).json()["rows"])


def test_chores_go_on_by_themselves_and_a_backup_is_for_admins(enter: Enter, tmp_path: Path) -> None:
    officer, admin = enter(), enter("admin", 2)
    begun = sent(officer, "/jobs", kind="replay")
    assert begun.status_code == 303
    assert "sha256" in wait_for(officer, begun.headers["location"])
    begun = sent(officer, "/jobs", kind="verify")
    assert "Everything holds together" in wait_for(officer, begun.headers["location"])
    assert sent(officer, "/jobs", kind="backup").status_code == 403
    assert officer.get(f"{DESK}/backup").status_code == 403
    assert admin.get(f"{DESK}/backup").status_code == 404, "there is none yet"
    begun = sent(admin, "/jobs", kind="backup")
    assert "Download the backup" in wait_for(admin, begun.headers["location"])
    copy = tmp_path / "copy.db"
    copy.write_bytes(admin.get(f"{DESK}/backup").content)
    with open_office(copy) as office:
        assert office.head == head_of(officer)
    assert sent(officer, "/jobs", kind="format").status_code == 400
    assert sent(officer, "/jobs", kind="publish").status_code == 400, "which has a form of its own"
    assert officer.get(f"{DESK}/jobs/9999999999999").status_code == 404


def test_a_job_says_how_far_it_is_on_its_page_and_to_programs(enter: Enter, monkeypatch: pytest.MonkeyPatch) -> None:
    officer, gate = enter(), Gate()
    number = hand_in(officer, "spring.csv", SPRING).json()["report"]
    assert officer.post(f"{API}/reports/{number}/accept", json={"ids": "club"}).status_code == 200
    real = lists.replay

    def slow(office: Office, name: str, progress: Any) -> Any:
        def told(done: int, total: int) -> None:
            progress(done, total)
            gate.held(lambda: None)()

        return real(office, name, told)

    with monkeypatch.context() as patch:
        patch.setattr(lists, "replay", slow)
        patch.setattr(engine, "CHUNK", 1)
        begun = officer.post(f"{API}/jobs", json={"kind": "replay"})
        place = begun.headers["location"]
        assert (begun.status_code, place) == (202, f"{API}/jobs/{begun.json()['id']}")
        assert gate.there.wait(60)
        told = officer.get(place).json()
        assert (told["state"], told["waiting"]) == ("running", False)
        assert (told["step"], told["nth"], told["steps"]) == ("standard", 1, 1)
        assert 0 < told["done"] < told["total"]
        assert told["percent"] == 100 * told["done"] // told["total"]
        page = officer.get(place.replace(API, DESK)).text
        assert f'<progress value="{told["percent"]}" max="100">{told["percent"]} %</progress>' in page
        assert f"{told['done']} of {told['total']} games" in page
        assert '<noscript><meta http-equiv="refresh"' in page, "without JavaScript the whole page looks again"
        assert 'hx-trigger="every 1s"' in page, "with it, its part that tells"
        assert f"running {told['percent']} %" in officer.get(f"{DESK}/jobs").text
        refused = officer.post(f"{API}/jobs", json={"kind": "verify"})
        assert (refused.status_code, refused.headers["content-type"]) == (409, "application/problem+json")
        again = officer.post(f"{API}/jobs", json={"kind": "replay"})
        assert (again.status_code, again.headers["location"]) == (202, place), "the same one"
        gate.further.set()
        assert "<progress" not in wait_for(officer, place.replace(API, DESK))
    done = officer.get(place).json()
    assert (done["state"], done["percent"], done["done"]) == ("done", 100, done["total"])
    verified = ended(officer, officer.post(f"{API}/jobs", json={"kind": "verify"}).headers["location"])
    assert (verified["nth"], verified["steps"], verified["found"]) == (8, 8, [])
    assert [each["kind"] for each in officer.get(f"{API}/jobs").json()["jobs"]] == ["verify", "replay"]
    assert officer.post(f"{API}/jobs", json={"kind": "backup"}).status_code == 403
    assert enter("member", 3).get(f"{API}/jobs").status_code == 403


def test_what_is_done_within_a_moment_leads_straight_to_what_came_of_it(officer: TestClient) -> None:
    number = hand_in(officer, "spring.csv", SPRING).json()["report"]
    done = sent(officer, f"/reports/{number}", step="accept", ids="club", head=head_of(officer))
    assert (done.status_code, done.headers["location"]) == (303, f"{DESK}/reports/{number}")
    done = sent(officer, "/publish", **JULY, head=head_of(officer))
    assert (done.status_code, done.headers["location"]) == (303, f"{DESK}/published?list=standard&date=2025-07-01")
    page = officer.get(done.headers["location"]).text
    entry = head_of(officer)
    for place in (
        "lists/standard?date=2025-07-01",
        "desk/compare?list=standard&date=2025-07-01",
        "desk/compare?list=standard&date=2025-04-01",
        f"desk/log/{entry}",
    ):
        assert f'href="/en/{place}"' in unescape(page)
    done = sent(officer, "/changes", step="confirm", kind="game", game=1, result="0-1", reason="the letter", head=entry)
    assert (done.status_code, done.headers["location"]) == (303, f"{DESK}/log/{entry + 1}?done=1")
    told = [(each["kind"], each["state"], each["entry"]) for each in officer.get(f"{API}/jobs").json()["jobs"]]
    assert told[:2] == [("change", "done", entry + 1), ("publish", "done", entry)]


def test_a_long_publication_is_watched_and_done_once(officer: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    form = {**JULY, "head": head_of(officer), "reason": "the July list"}
    with held(monkeypatch, lists, "frozen") as gate:
        begun = sent(officer, "/publish", **form)
        place = begun.headers["location"]
        assert (begun.status_code, place.rpartition("/")[0]) == (303, f"{DESK}/jobs")
        assert gate.there.wait(60)
        page = officer.get(place).text
        assert "<h1>Publish a list <small>standard 1 July 2025</small></h1>" in page
        assert "the list is written" in page
        assert '<progress value="50" max="100">' in page
        assert sent(officer, "/publish", **form).headers["location"] == place, "sent twice, it is one job"
        gate.further.set()
        page = wait_for(officer, place)
    outcome = "/en/desk/published?list=standard&amp;date=2025-07-01"
    watched = officer.get(place, headers={"HX-Request": "true"})
    assert watched.headers["hx-redirect"] == unescape(outcome), "whoever watches with JavaScript is led there"
    assert f'href="{outcome}"' in page
    assert sent(officer, "/publish", **form).headers["location"] == unescape(outcome), "also when it is done"
    assert entries(officer, "publish") == 2
    assert f'href="/en/desk/log/{head_of(officer)}"' in page
    assert "running" not in officer.get(f"{DESK}/jobs").text


def test_whoever_prefers_not_to_wait_is_told_where_to_ask(enter: Enter, monkeypatch: pytest.MonkeyPatch) -> None:
    officer, prefers = enter(), {"Prefer": "wait=5, Respond-Async"}
    body = {"date": "2025-07-01"}
    with held(monkeypatch, lists, "frozen") as gate:
        begun = officer.post(f"{API}/publications", json=body, headers=prefers)
        assert begun.status_code == 202, begun.text
        assert begun.headers["preference-applied"] == "respond-async"
        place = begun.headers["location"]
        assert (begun.json()["kind"], begun.json()["state"]) == ("publish", "running")
        assert officer.post(f"{API}/publications", json=body, headers=prefers).headers["location"] == place
        other = enter("officer", 2).post(f"{API}/publications", json=body, headers=prefers)
        assert other.headers["location"] != place, "somebody else's request is another one"
        assert officer.get(other.headers["location"]).json()["waiting"] is True
        gate.further.set()
        done = ended(officer, place)
    assert (done["state"], done["list"], done["date"], done["problem"]) == ("done", "standard", "2025-07-01", None)
    log = officer.get(f"{API}/log").json()["rows"][0]
    assert (log["entry"], log["kind"]) == (done["entry"], "publish")
    late = ended(officer, other.headers["location"])
    assert (late["state"], late["problem"]["status"]) == ("failed", 400)
    assert "stays as it is" in late["error"]
    again = officer.post(f"{API}/publications", json=body, headers=prefers)
    assert ended(officer, again.headers["location"])["state"] == "failed", "it names no entry, and may be meant anew"
    plain = officer.post(f"{API}/publications", json={"date": "2025-08-01"})
    assert (plain.status_code, plain.json()["entry"]) == (201, done["entry"] + 1), "others are answered as ever"
    stale = officer.post(f"{API}/publications", json={"date": "2025-09-01", "head": 1}, headers=prefers)
    assert ended(officer, stale.headers["location"])["problem"]["status"] == 409


def test_corrections_and_reports_may_be_asked_for_without_waiting(officer: TestClient) -> None:
    prefers = {"Prefer": "respond-async"}
    number = hand_in(officer, "spring.csv", FAULTY).json()["report"]
    begun = officer.post(f"{API}/reports/{number}/accept", json={"ids": "club"}, headers=prefers)
    failed = ended(officer, begun.headers["location"])
    assert (failed["state"], failed["report"], failed["problem"]["status"]) == ("failed", number, 422)
    plain = officer.post(f"{API}/reports/{number}/accept", json={"ids": "club"}).json()
    assert failed["problem"] == plain, "what holds it, as others are told"
    page = officer.get(begun.headers["location"].replace(API, DESK)).text
    assert "Nothing of it was kept" in page
    assert all(fault["message"] in unescape(page) for fault in plain["faults"])
    assert f'href="/en/desk/reports/{number}"' in page
    number = hand_in(officer, "spring2.csv", SPRING).json()["report"]
    begun = officer.post(f"{API}/reports/{number}/accept", json={"ids": "club"}, headers=prefers)
    done = ended(officer, begun.headers["location"])
    assert (done["total"], done["done"], done["step"]) == (3, 3, "its games are written")
    assert officer.get(f"{API}/log", params={"kind": "accept"}).json()["rows"][0]["entry"] == done["entry"]
    change = {"change": {"kind": "game", "game": 1, "void": True}, "reason": "the letter"}
    done = ended(officer, officer.post(f"{API}/corrections", json=change, headers=prefers).headers["location"])
    undone = officer.post(f"{API}/corrections/{done['entry']}/revert", json={"reason": "forged"}, headers=prefers)
    assert ended(officer, undone.headers["location"])["entry"] == done["entry"] + 1
    merged = officer.post(f"{API}/merges", json={"person": 1, "other": 1, "reason": "x"}, headers=prefers)
    assert ended(officer, merged.headers["location"])["state"] == "failed"


def test_what_was_decided_is_not_lost_when_somebody_wrote_before_it_was_ones_turn(
    enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    officer, other = enter(), enter("officer", 2)
    games = SPRING.replace(b"102,103,1-0", b"102,Nobody,1-0")
    number = hand_in(officer, "spring.csv", games).json()["report"]
    form = {"ids": "club", "key-3": "Nobody", "who-3": "new", "head": head_of(officer), "reason": "by telephone"}
    with held(monkeypatch, lists, "frozen") as gate:
        sent(other, "/publish", **JULY, head=head_of(other))
        assert gate.there.wait(60)
        begun = sent(officer, f"/reports/{number}", step="accept", **form)
        place = begun.headers["location"]
        assert "waits for its turn" in officer.get(place).text
        gate.further.set()
        page = wait_for(officer, place)
    assert "Somebody wrote in the meantime" in page
    kept = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))
    assert {name: kept.get(name) for name in form} == {**form, "head": None}
    page = officer.post(f"{DESK}/reports/{number}", data=kept).text
    assert 'value="new" checked' in page, "who is who is still decided"
    assert "by telephone" in page
    assert entries(officer, "accept") == 1


def test_nobody_waits_for_what_only_reads(enter: Enter, monkeypatch: pytest.MonkeyPatch) -> None:
    officer = enter()
    with held(monkeypatch, keeping, "verify") as gate:
        place = sent(officer, "/jobs", kind="verify").headers["location"]
        assert gate.there.wait(60)
        assert officer.post(f"{API}/publications", json={"date": "2025-07-01"}).status_code == 201
        assert "running" in officer.get(place).text
        gate.further.set()
        wait_for(officer, place)


@pytest.mark.parametrize(
    ("module", "name", "ask"),
    [
        (corrections, "effect_of", lambda client: sent(client, "/changes", kind="game", game=1, result="0-1")),
        (publishing, "moved_to", lambda client: client.get(f"{DESK}/publish", params=JULY)),
        (reports, "filed", lambda client: client.get(f"{DESK}/reports/1")),
    ],
)
def test_nobody_waits_for_what_the_desk_looks_at_before_it_writes(
    enter: Enter, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, ask: Callable[[TestClient], Any]
) -> None:
    officer, other, answers = enter(), enter("officer", 2), []
    with held(monkeypatch, module, name) as gate:
        thread = threading.Thread(target=lambda: answers.append(ask(officer)))
        thread.start()
        assert gate.there.wait(60)
        word = {"change": {"kind": "describe", "person": 1, "alias": "Annie"}, "reason": "she says so"}
        assert other.post(f"{API}/corrections", json=word).status_code == 201
        assert other.get("/en/lists/standard").status_code == 200
        assert answers == []
        gate.further.set()
        thread.join()
    assert answers[0].status_code == 200


def test_a_backup_says_how_far_it_is(enter: Enter, monkeypatch: pytest.MonkeyPatch) -> None:
    admin, gate = enter("admin", 2), Gate()
    monkeypatch.setattr(keeping, "PAGES", 1)
    real, seen = jobs._share, list[int]()

    def share(job: Any, done: int, total: int) -> None:
        real(job, done, total)
        seen.append(job.percent)
        if done > total // 2:
            gate.held(lambda: None)()

    monkeypatch.setattr(jobs, "_share", share)
    monkeypatch.setattr(jobs, "MOMENT", 0.05)
    place = sent(admin, "/jobs", kind="backup").headers["location"]
    assert gate.there.wait(60)
    assert re.search(r'<progress value="5\d" max="100">', admin.get(place).text)
    gate.further.set()
    assert "Download the backup" in wait_for(admin, place)
    assert seen == sorted(seen)
    assert len(set(seen)) > 50
    assert seen[-1] == 100


def test_the_site_is_written_where_the_server_was_told(office: Path, tmp_path: Path) -> None:
    folder = tmp_path / "public"
    with entered(office, site=folder) as enter:
        officer = enter()
        assert 'value="site"' in officer.get(f"{DESK}/jobs").text
        place = sent(officer, "/jobs", kind="site").headers["location"]
        assert str(folder) in wait_for(officer, place)
        assert (folder / "en" / "index.html").is_file()
        (folder / "site.json").unlink()
        place = officer.post(f"{API}/jobs", json={"kind": "site"}).headers["location"]
        failed = ended(officer, place)
        assert (failed["state"], failed["problem"]["status"]) == ("failed", 400)
        assert "is no site" in failed["error"]
        assert "did not come to an end" in officer.get(place.replace(API, DESK)).text
    with entered(office) as enter:
        assert 'value="site"' not in enter().get(f"{DESK}/jobs").text
        assert enter().post(f"{API}/jobs", json={"kind": "site"}).status_code == 400


#: A server that is killed when a list is on its way into the office, or has come there. It says the number of the job.
KILLED = """
import os, signal, sys
from litestar.testing import TestClient
from arpad.ledger.store import SQLite
from arpad.web import jobs
from arpad.web.app import create_app

place, token, there = sys.argv[1:]
commit = SQLite.commit

def killed(store):
    on_its_way = store.value("select count(*) from publication") > 1
    if there:
        commit(store)
    if on_its_way:
        number = next(iter(client.app.state.jobs.every())).id
        os.write(1, str(number).encode())
        os.kill(os.getpid(), signal.SIGKILL)
    if not there:
        commit(store)

SQLite.commit = killed
with TestClient(create_app(place)) as client:
    headers = {"Authorization": token, "Prefer": "respond-async", "Idempotency-Key": "k"}
    client.post("/api/v1/publications", json={"date": "2025-07-01"}, headers=headers)
    client.app.state.jobs._shop.writing.at_once(lambda office: None)
"""


def killed(office: Path, token: str, there: str = "") -> int:
    """The number of the job that a server was killed at."""
    command = [sys.executable, "-c", KILLED, str(office), token, there]
    done = subprocess.run(command, timeout=60, check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    return int(done.stdout)


def test_a_key_knows_that_its_job_was_done_when_the_server_was_killed_afterwards(office: Path) -> None:
    with open_office(office) as opened:
        headers = bearing(opened, "officer", "publish", "read")
        head = opened.head
    killed(office, headers["Authorization"], "there")
    headers |= {"Idempotency-Key": "k", "Prefer": "respond-async"}
    with TestClient(create_app(office)) as client:
        again = client.post(f"{API}/publications", json={"date": "2025-07-01"}, headers=headers)
        assert again.status_code == 409
        assert f"was carried out, not after entry {head + 1} of the log" in again.json()["detail"]
    with open_office(office) as opened:
        assert opened.head == head + 1


def test_of_a_job_of_a_server_that_was_killed_nothing_is_there_and_it_says_so(
    office: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_office(office) as opened:
        headers = bearing(opened, "officer", "publish", "read")
        head = opened.head
    number = killed(office, headers["Authorization"])
    monkeypatch.setattr(jobs, "time", lambda: number / 1000)  # however fast this test is
    with entered(office) as enter:
        officer = enter()
        answer = officer.get(f"{API}/jobs/{number}")
        assert (answer.status_code, answer.headers["content-type"]) == (410, "application/problem+json")
        for language, words in {"en": "before this server", "it": "di prima", "es": "de antes"}.items():
            page = officer.get(f"/{language}/desk/jobs/{number}")
            assert page.status_code == 410
            assert page.headers["hx-refresh"] == "true", "so that a page which looks again shows all of it"
            assert words in page.text
        assert head_of(officer) == head
        assert entries(officer, "publish") == 1
        done = sent(officer, "/publish", **JULY, head=head)
        assert done.headers["location"].startswith(f"{DESK}/published")
        assert int(officer.get(f"{API}/jobs").json()["jobs"][0]["id"]) > number, "no number is given twice"
    with open_office(office) as opened:
        assert keeping.verify(opened) == []


def test_no_number_is_given_again_however_many_jobs_there_were(office: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty are asked for within one second, and the server is started again in the next."""
    now = 1_800_000_000.0
    monkeypatch.setattr(jobs, "time", lambda: now)
    with entered(office) as enter:
        officer = enter()
        bearer = {"Prefer": "respond-async"}
        asked = [
            officer.post(f"{API}/corrections/{entry}/revert", json={"reason": "forged"}, headers=bearer).json()["id"]
            for entry in range(1, 21)
        ]
    assert len({*asked}) == 20
    now += 1
    with entered(office) as enter:
        officer = enter()
        assert {officer.get(f"{API}/jobs/{number}").status_code for number in asked} == {410}
        fresh = officer.post(f"{API}/jobs", json={"kind": "replay"}).json()["id"]
        assert fresh > max(asked)
        ended(officer, f"{API}/jobs/{fresh}")


def test_of_who_was_erased_no_job_that_failed_says_anything(officer: TestClient) -> None:
    """Neither its form, nor what was wrong with it; what was done names nobody, and stays."""
    shown = {"kind": "visibility", "person": 1, "field": "name", "level": "officers", "reason": "x"}
    sent(officer, "/changes", **shown, step="confirm", head=head_of(officer))
    name = officer.get(f"{API}/players/5").json()["name"]
    stale = head_of(officer) - 1
    form = {"person": 5, "reason": "asked", "step": "confirm"}
    sent(officer, "/changes", kind="erase", also="Leoncino", typed=5, head=stale, **form)
    sent(officer, "/changes", kind="describe", alias="Leoncino", head=stale, **form)
    named = {"change": {"kind": "erase", "person": 5, "typed": "5"}, "reason": f"{name} asked"}
    officer.post(f"{API}/corrections", json=named, headers={"Prefer": "respond-async"})
    failed = [job["id"] for job in officer.get(f"{API}/jobs").json()["jobs"] if job["state"] != "done"]
    assert len(failed) == 3
    pages = [wait_for(officer, f"{DESK}/jobs/{number}") for number in failed]
    assert sum("Leoncino" in page for page in pages) == 2, "what was typed is not lost"
    assert officer.post(f"{API}/corrections", json={**named, "reason": "asked"}).status_code == 201
    assert {officer.get(f"{DESK}/jobs/{number}").status_code for number in failed} == {404}
    assert [job["state"] for job in officer.get(f"{API}/jobs").json()["jobs"]] == ["done"]


def test_a_publication_is_looked_at_again_with_what_was_typed(enter: Enter, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, and from the page of a job that failed."""
    officer, typed = enter(), {"date": "2099-07-01", "list": "standard", "reason": "the board's wish", "ahead": "1"}
    with held(monkeypatch, publishing, "publish") as gate:
        place = sent(officer, "/publish", **typed, head=head_of(officer) - 1).headers["location"]
        gate.further.set()
        page = wait_for(officer, place)
    kept = {name: unescape(value) for name, value in re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', page)}
    assert typed.items() <= kept.items()
    at_once = sent(officer, "/publish", **typed, head=head_of(officer) - 2)
    for answer, status in ((officer.post(f"{DESK}/publish", data=kept), 200), (at_once, 409)):
        assert answer.status_code == status
        assert 'name="reason" value="the board&#39;s wish"' in answer.text
        assert 'name="ahead" value="1" required checked' in answer.text
    assert entries(officer, "publish") == 1


def test_a_key_and_no_wait_are_one_job(office: Path) -> None:
    with open_office(office) as opened:
        headers = {**bearing(opened, "officer", "publish", "read"), "Idempotency-Key": "k", "Prefer": "respond-async"}
    with entered(office) as enter:
        client = enter("officer", 1)
        first, again = (
            client.post(f"{API}/publications", json={"date": "2025-07-01"}, headers=headers) for _ in range(2)
        )
        assert (first.status_code, again.status_code) == (202, 202)
        assert again.headers["location"] == first.headers["location"]
        assert again.headers["idempotency-replayed"] == "true"
        assert ended(client, first.headers["location"])["state"] == "done"
        assert entries(client, "publish") == 2


def test_only_so_many_jobs_are_remembered(officer: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MOST", 2)
    first = officer.post(f"{API}/jobs", json={"kind": "replay"}).headers["location"]
    ended(officer, first)
    for _ in range(3):
        ended(officer, officer.post(f"{API}/jobs", json={"kind": "replay"}).headers["location"])
    assert len(officer.get(f"{API}/jobs").json()["jobs"]) == 3, "and the one that runs, or ended last"
    assert officer.get(first).status_code == 404
    assert "unknown job" in officer.get(first).json()["detail"]


def test_an_accepted_report_says_how_much_of_it_is_written(
    officer: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = hand_in(officer, "spring.csv", SPRING).json()["report"]
    with held(monkeypatch, intake, "registered") as gate:
        begun = sent(officer, f"/reports/{number}", step="accept", ids="club", head=head_of(officer))
        assert gate.there.wait(60)
        page = officer.get(begun.headers["location"]).text
        assert "running: the report is read (step 1 of 2)" in page
        gate.further.set()
        page = wait_for(officer, begun.headers["location"])
    entry = officer.get(f"{API}/log", params={"kind": "accept"}).json()["rows"][0]["entry"]
    assert f'href="/en/desk/log/{entry}"' in page
