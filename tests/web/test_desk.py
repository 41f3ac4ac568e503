"""The officer's desk from outside: a report from the file to the published list, corrections and their taking back."""

from __future__ import annotations

import gzip
import html
import io
import re
import shutil
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from arpad.accounts import book
from arpad.bureau.opened import add_list, init, open_office
from arpad.web.app import create_app
from tests.web.callers import Enter, entered
from tests.web.people import FORM, bearing, signed_in

API = "/api/v1"
DESK = "/en/desk"
SPRING = b"""event,round,date,white,black,result
Spring Open,1,2025-04-12,101,102,1-0
Spring Open,1,2025-04-12,103,104,1/2-1/2
Spring Open,2,2025-04-13,102,103,1-0
"""
#: The same with a player whom nobody knows, and a result that is none.
FAULTY = SPRING.replace(b"102,103,1-0", b"102,777,2-0")


@pytest.fixture(scope="module")
def shared(federation: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """An officer at an office where reports are handed in and nothing else is written."""
    with entered(Path(shutil.copy(federation, tmp_path_factory.mktemp("shared") / "office.db"))) as enter:
        yield enter()


def hand_in(client: TestClient, name: str, content: bytes, **more: Any) -> Any:
    return client.post(f"{API}/reports", files={"file": (name, content)}, params=more)


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "describe", "person": 1, "name": "Bian\u202echi"},
        {"kind": "describe", "person": 1, "alias": "Bian\u2066chi"},
        {"kind": "describe", "person": 1, "body": "club", "number": "9\u202e9"},
        {"kind": "fact", "person": 1, "what": "title", "value": "G\u202eM"},
        {"kind": "add-act", "person": 1, "act": "entry", "day": "2025-02-01", "rating": 1500, "why": "so\u202e"},
        {"kind": "describe", "person": 1, "alias": "Anna B."},
    ],
)
def test_what_an_officer_types_has_no_hidden_characters(officer: TestClient, change: dict[str, Any]) -> None:
    reason = "as told" if change.get("alias") != "Anna B." else "as\x1b told"
    refused = officer.post(f"{API}/corrections", json={"change": change, "reason": reason})
    assert (refused.status_code, "hidden characters" in refused.json()["detail"]) == (400, True)
    assert officer.get(f"{API}/players/1").json()["name"] == "Bianchi, Anna"


@pytest.mark.parametrize("asked", [{"ids": "clu\u202eb"}, {"pool": "\u2066"}])
def test_what_is_decided_of_a_report_has_no_hidden_characters(shared: TestClient, asked: dict[str, str]) -> None:
    report = shared.get(f"{API}/reports").json()["rows"][0]["report"]
    assert shared.get(f"{API}/reports/{report}", params=asked).status_code == 400


def test_more_files_than_a_form_may_bring_are_refused_with_the_limit_and_what_to_do(
    client: TestClient, office: Path
) -> None:
    signed_in(client, office, "officer")
    limit = "more than 1,000 files, or 1,100 files and fields, in one form"
    files = [("files", (f"{each}.csv", b"x")) for each in range(1101)]
    assert "up to 1,000 files and" in client.get(f"{DESK}/reports").text
    form = {"_csrf_token": client.cookies[FORM]}
    page = client.post(f"{DESK}/reports", data=form, files=files)
    assert (page.status_code, limit in page.text, "send them in several goes" in page.text) == (413, True, True)
    with open_office(office) as opened:
        headers = bearing(opened, "officer", "report")
        before = opened.store.value("select count(*) from report")
    problem = client.post(f"{API}/reports", files=files, headers=headers)
    assert (problem.status_code, problem.headers["content-type"]) == (413, "application/problem+json")
    assert limit in problem.json()["detail"]
    assert "several goes" in problem.json()["faults"][0]["hint"]
    torn = {**headers, "content-type": "multipart/form-data; boundary=x"}
    assert client.post(f"{API}/reports", content=b"--x\r\ntorn", headers=torn).status_code == 400
    some = [("files", (f"{each}.csv", SPRING.replace(b"Spring", b"%d" % each))) for each in range(3)]
    assert client.post(f"{DESK}/reports", data=form, files=some).status_code == 200
    with open_office(office) as opened:
        assert opened.store.value("select count(*) from report") == before + 3


def fields(page: str, place: str) -> dict[str, str]:
    """The hidden fields of the form of a page that goes to a place."""
    forms = re.findall(r"<form .*?</form>", page, re.DOTALL)
    form = next(each for each in forms if f'action="{place}"' in each and '<input type="hidden"' in each)
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
    return {name: html.unescape(value) for name, value in found}


def ratings(client: TestClient) -> dict[str, Any]:
    """Every digit of the live list."""
    rows = client.get(f"{API}/lists/standard/ratings", params={"view": "live", "size": 1000}).json()["rows"]
    return {row["name"]: row["exact"] for row in rows}


def test_a_faulty_report_is_put_right_and_published_by_forms_alone(officer: TestClient) -> None:
    page = officer.post(f"{DESK}/reports", files={"files": ("spring.csv", FAULTY)}, data={"ids": "club"})
    assert "Problems that hold it: " in page.text
    assert "spring.csv:4" in page.text, "the line of the result that is none"
    held = officer.get(f"{DESK}/reports", params={"stage": "held"})
    address = re.search(r'href="(/en/desk/reports/\d+)"', held.text)
    assert address
    page = officer.get(address[1], params={"ids": "club"})
    assert "mailto:?subject=Report%20spring.csv" in page.text
    assert "- spring.csv:4: result" in html.unescape(page.text), "the message to the reporter has the line"
    refused = officer.post(address[1], data={"step": "accept", "head": "999", "ids": "club"})
    assert refused.status_code == 409
    head = fields(page.text, address[1])["head"]
    refused = officer.post(address[1], data={"step": "accept", "head": head, "ids": "club"})
    assert refused.status_code == 422
    assert "It could not be accepted" in refused.text
    assert officer.post(address[1], data={"step": "refuse"}).status_code == 400, "a refusal needs a reason"
    officer.post(address[1], data={"step": "refuse", "reason": "line 4"})
    assert "line 4" in officer.get(address[1]).text

    stranger = SPRING.replace(b"102,103,1-0", b"102,777,1-0")
    officer.post(f"{DESK}/reports", files={"files": ("spring2.csv", stranger)}, data={"ids": "club"})
    number = officer.get(f"{API}/reports", params={"stage": "held"}).json()["rows"][0]["report"]
    place = f"{DESK}/reports/{number}"
    page = officer.get(place, params={"ids": "club"})
    key = next(name for name, value in fields(page.text, place).items() if value == "777")
    who = {key: "777", key.replace("key", "who"): "other", key.replace("key", "other"): "5"}
    unheard = {"report": "7", "place": "x", "nobody-asks": "x"}
    looked = officer.post(place, data={"step": "look", "ids": "club", **who, **unheard})
    assert not {*unheard} & {*looked.url.params}, "an address says what a form has, whatever was sent"
    assert "Nothing holds it" in looked.text
    assert "by decision" in looked.text, "what was decided is in the import log"
    head = fields(looked.text, place)["head"]
    done = officer.post(place, data={"step": "accept", "ids": "club", "head": head, "reason": "by telephone", **who})
    assert done.status_code == 200
    assert "accepted" in done.text

    draft = officer.get(f"{DESK}/publish", params={"list": "standard", "date": "2025-07-01"})
    digest = re.search(r"Digest that the list will have:\s*<code>(\w{64})", draft.text)
    assert digest
    given = fields(draft.text, f"{DESK}/publish")
    done = officer.post(f"{DESK}/publish", data=given)
    assert digest[1] in done.text
    assert "stays as it is" in officer.get(f"{DESK}/publish", params={"list": "standard", "date": "2025-07-01"}).text


def test_what_was_decided_of_a_report_stands_in_its_address(officer: TestClient) -> None:
    """So it is there for whoever loads the page again, comes back, or reads it in another language; of a number typed
    beside somebody nothing more has to be said."""
    number = hand_in(officer, "spring.csv", SPRING.replace(b"102,103,1-0", b"777,103,1-0")).json()["report"]
    place = f"{DESK}/reports/{number}"
    given = fields(officer.get(place, params={"ids": "club"}).text, place)
    at = next(name for name, value in given.items() if value == "777").removeprefix("key-")
    said = {**given, "ids": "club", "step": "look", "reason": "by telephone", f"other-{at}": "5"}
    answer = officer.post(place, data=said, follow_redirects=False)
    assert answer.status_code == 303
    address = answer.headers["location"]
    assert address == f"{place}?ids=club&key-{at}=777&other-{at}=5&reason=by+telephone"
    looked = officer.get(address.replace("/en/", "/it/", 1))
    assert "deciso" in looked.text
    assert 'value="by telephone"' in looked.text
    long = officer.post(place, data={**said, "reason": "x" * 5000}, follow_redirects=False)
    assert (long.status_code, "x" * 5000 in long.text) == (200, True), "what no address has room for is shown at once"


def test_where_forms_are_sent_leads_to_the_page_that_has_them(officer: TestClient) -> None:
    """As another language of the page that answered one does, or an address that was kept."""
    for asked, page in (
        ("/account/tokens", "/account"),
        ("/account/code/confirm", "/account"),
        ("/desk/accounts/1", "/desk/accounts"),
        ("/desk/ladder/standard", "/desk/ladder"),
        ("/desk/changes", "/desk"),
        ("/desk/reports/1/repair", "/desk/reports/1"),
        ("/sign-out", ""),
    ):
        assert officer.get(f"/it{asked}").url.path == f"/it{page}", asked


def test_a_place_in_a_report_is_where_its_sender_finds_it(officer: TestClient) -> None:
    """Not where it lay while it was read."""
    twice = SPRING + b"Spring Open,1,2025-04-12,102,101,0-1\n"
    held = hand_in(officer, "spring.csv", twice, ids="club").json()["holds"]
    assert [(each["source"], each["line"]) for each in held if "two games" in each["message"]] == [("spring.csv", 5)]


def test_the_same_report_is_one_report(officer: TestClient) -> None:
    first = hand_in(officer, "spring.csv", SPRING, ids="club")
    assert first.status_code == 201
    assert hand_in(officer, "other name.csv", SPRING, ids="club").json()["report"] == first.json()["report"]
    number = first.json()["report"]
    done = officer.post(f"{API}/reports/{number}/accept", json={"ids": "club"})
    assert done.json()["accepted"] is True
    assert officer.post(f"{API}/reports/{number}/accept", json={"ids": "club"}).json()["again"] is True
    again = hand_in(officer, "spring.csv", SPRING, ids="club").json()
    assert (again["again"], again["report"]) == (True, number)
    page = officer.post(f"{DESK}/reports", files={"files": ("spring.csv", SPRING)}, data={"ids": "club"})
    assert "it counts once" in page.text


def test_one_report_accepted_twice_at_once_counts_once(enter: Enter, officer: TestClient) -> None:
    number = hand_in(officer, "spring.csv", SPRING, ids="club").json()["report"]
    answers: list[Any] = []

    def accept(account: int) -> None:
        answers.append(enter("officer", account).post(f"{API}/reports/{number}/accept", json={"ids": "club"}).json())

    threads = [threading.Thread(target=accept, args=(account,)) for account in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer["again"] for answer in answers) == [False, True, True, True]
    assert officer.get(f"{API}/log", params={"kind": "games"}).json()["rows"][0]["what"].startswith(f"report {number}")
    assert len(officer.get(f"{API}/log", params={"kind": "accept"}).json()["rows"]) == 2


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../spring.csv", "spring.csv"),
        ("..\\..\\C:\\spring.csv", "spring.csv"),
        ("/etc/passwd.csv", "passwd.csv"),
        ("spring\x00.csv", "spring.csv"),
        ("…/\u202e\u0007 spring.csv ", "spring.csv"),
        ("x" * 500 + ".csv", "x" * 116 + ".csv"),
    ],
)
def test_a_files_name_is_a_word_and_no_path(shared: TestClient, given: str, kept: str) -> None:
    content = SPRING.replace(b"Spring Open", f"Open {len(given)}".encode())
    answer = shared.post(f"{API}/reports", params={"name": given, "ids": "club"}, content=content)
    assert answer.status_code == 201, answer.text
    held = shared.get(f"{API}/reports/{answer.json()['report']}").json()
    assert held["filed"]["source"] == kept
    file = shared.get(f"{DESK}/reports/{answer.json()['report']}/file")
    assert file.content == content
    assert file.headers["content-disposition"].startswith("attachment;")


@pytest.mark.parametrize("name", ["..", "/", "\x00", ". ."])
def test_a_name_that_says_nothing_is_refused(shared: TestClient, name: str) -> None:
    answer = shared.post(f"{API}/reports", params={"name": name}, content=SPRING)
    assert answer.status_code == 422
    assert "known endings" in answer.text


def test_a_name_is_hostile_input(shared: TestClient) -> None:
    name = "<script>alert(1)<_script>.csv"
    answer = shared.post(f"{API}/reports", params={"name": name}, content=b"white,black,result\n<b>x</b>,y,1-0\n")
    page = shared.get(f"{DESK}/reports/{answer.json()['report']}")
    assert page.status_code == 200
    assert "<script>alert" not in page.text
    assert "<b>x</b>" not in page.text


def test_what_is_too_large_is_refused(shared: TestClient) -> None:
    def parts() -> Iterator[bytes]:
        for _ in range(66):
            yield bytes(1 << 20)

    answer = shared.post(f"{API}/reports", params={"name": "large.csv"}, content=parts())
    assert (answer.status_code, "bytes in one request" in answer.json()["detail"]) == (413, True)
    assert not [row for row in shared.get(f"{API}/reports").json()["rows"] if row["source"] == "large.csv"]


def test_what_is_small_and_unpacks_to_much_is_refused(shared: TestClient) -> None:
    bomb = gzip.compress(bytes(300 << 20), 1)
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/workbook.xml", bytes(300 << 20))
    for name, content in (("bomb.csv.gz", bomb), ("bomb.xlsx", box.getvalue())):
        answer = hand_in(shared, name, content)
        assert answer.status_code == 422
        assert "unpacked, it would be more than 256 MB" in answer.text


def test_a_correction_is_previewed_done_taken_back_and_done_again_to_the_last_digit(officer: TestClient) -> None:
    before = ratings(officer)
    place = f"{DESK}/changes"
    game = officer.get(f"{DESK}/games/1")
    given = fields(game.text, place)
    preview = officer.get(place, params={**given, "result": "0-1"})
    assert "nothing has been written" in preview.text
    assert "standard of 1 Apr 2025: ratings 2, of them as printed 2" in preview.text
    assert ratings(officer) == before
    confirm = fields(preview.text, place)
    assert officer.post(place, data=confirm).status_code == 400, "a reason is needed"
    done = officer.post(place, data={**confirm, "reason": "the arbiter's letter"})
    assert "Done." in done.text
    after = ratings(officer)
    assert after != before
    assert {name for name in before if before[name] != after[name]} == {"Bianchi, Anna", "Müllner, Dario"}

    for reason, expected in (("a forgery", before), ("no forgery", after)):
        preview = officer.get(place, params=fields(done.text, place))
        done = officer.post(place, data={**fields(preview.text, place), "reason": reason})
        assert "Takes back" in done.text
        assert ratings(officer) == expected


def test_what_was_looked_at_before_somebody_wrote_is_looked_at_again(officer: TestClient) -> None:
    place = f"{DESK}/changes"
    old = fields(officer.get(place, params={"kind": "game", "game": "1", "result": "0-1"}).text, place)
    hand_in(officer, "spring.csv", SPRING, ids="club")
    answer = officer.post(place, data={**old, "reason": "x"})
    assert answer.status_code == 409
    assert "in the meantime" in answer.text
    new = fields(answer.text, place)
    assert int(new["head"]) > int(old["head"])
    assert officer.post(place, data={**new, "reason": "x"}).status_code == 200

    change = {"change": {"kind": "game", "game": 2, "void": True}}
    seen = officer.post(f"{API}/corrections:preview", json=change)
    assert seen.headers["etag"] == f'"{seen.json()["head"]}"'
    stale = {**change, "reason": "x", "head": seen.json()["head"] - 1}
    assert officer.post(f"{API}/corrections", json=stale).status_code == 409
    tag = {"If-Match": f'"{seen.json()["head"] - 1}"'}
    assert officer.post(f"{API}/corrections", json={**change, "reason": "x"}, headers=tag).status_code == 412
    tag = {"If-Match": seen.headers["etag"]}
    done = officer.post(f"{API}/corrections", json={**change, "reason": "x"}, headers=tag)
    assert done.status_code == 201
    assert done.json()["moved"] == seen.json()["moved"]
    entry = done.json()["entry"]
    back = officer.post(f"{API}/corrections/{entry}/revert:preview").json()
    assert (
        officer.post(f"{API}/corrections/{entry}/revert", json={"reason": "y", "head": back["head"]}).status_code == 201
    )
    assert officer.post(f"{API}/corrections/{entry}/revert", json={"reason": "y"}).status_code == 422


def test_two_numbers_are_one_person_and_two_again(officer: TestClient) -> None:
    number = hand_in(officer, "spring.csv", SPRING.replace(b"104", b"105b"), ids="club").json()["report"]
    accepted = officer.post(f"{API}/reports/{number}/accept", json={"ids": "club", "register": True})
    assert accepted.json()["accepted"] is True, accepted.text
    before = ratings(officer)
    found = officer.post(f"{API}/merges:preview", json={"person": 1, "other": 4})
    assert found.status_code == 422, "they met"
    found = officer.post(f"{API}/merges:preview", json={"person": 5, "other": 7}).json()
    assert found["names"] == [[5, "Leone, Elia"], [7, "105b"]]
    done = officer.post(f"{API}/merges", json={"person": 5, "other": 7, "reason": "twice", "head": found["head"]})
    assert done.status_code == 201
    assert "Number 7 is person 5 now" in officer.get(f"{DESK}/people/7").text
    assert officer.post(f"{API}/splits", json={"person": 7}).status_code == 400, "a reason is needed"
    merged = ratings(officer)
    assert merged != before
    back = officer.post(f"{API}/splits", json={"person": 7, "reason": "two people"}).json()
    assert ratings(officer) == before
    again = officer.post(f"{API}/corrections/{back['entry']}/revert", json={"reason": "one after all"})
    assert again.status_code == 201, again.text
    assert ratings(officer) == merged


def test_acts_facts_names_and_visibility_are_previewed_and_undone(officer: TestClient) -> None:
    before = ratings(officer)
    act = {"kind": "add-act", "person": 2, "act": "adjustment", "day": "2025-03-01", "rating": 25.0}
    found = officer.post(f"{API}/corrections:preview", json={"change": act}).json()
    assert [(each["person"], each["after"] - each["before"]) for each in found["moved"]] == [(2, 25.0)]
    done = officer.post(f"{API}/corrections", json={"change": act, "reason": "board"}).json()
    assert ratings(officer)["Conti, Bruno"] == before["Conti, Bruno"] + 25
    said = officer.post(f"{API}/corrections", json={"change": act, "reason": "board"})
    assert said.status_code == 422, "said before"
    officer.post(f"{API}/corrections/{done['entry']}/revert", json={"reason": "wrong player"})
    assert ratings(officer) == before
    for change in (
        {"kind": "fact", "person": 2, "what": "title", "value": "FM", "since": "2025-02-01"},
        {"kind": "describe", "person": 2, "name": "Conti, Bruno Maria", "body": "FIDE", "number": "812345"},
        {"kind": "visibility", "person": 2, "field": "name", "level": "officers"},
    ):
        assert officer.post(f"{API}/corrections:preview", json={"change": change}).json()["moved"] == []
        assert officer.post(f"{API}/corrections", json={"change": change, "reason": "asked"}).status_code == 201
    page = officer.get(f"{DESK}/people/2").text
    assert "Conti, Bruno Maria; Conti, Bruno" in page
    assert "fide 812345" in page
    assert "FM" in page
    shown = html.unescape(officer.get(f"{DESK}/people", params={"q": "fide:812345"}).text)
    assert "person 2, 'Conti, Bruno Maria'" in shown


@pytest.mark.parametrize("asked", ["conti", "Bruno", "BRU co", "Cónti, Bruno"])
def test_people_are_found_by_the_beginning_of_any_part_of_a_name(officer: Any, asked: str) -> None:
    page = html.unescape(officer.get(f"{DESK}/people", params={"q": asked}).text)
    assert "person 2, 'Conti, Bruno'" in page
    assert "person 1," not in page


def test_a_base_and_a_rulebook_are_changed_like_facts_and_refused_where_they_cannot_be(officer: TestClient) -> None:
    place = f"{DESK}/changes"
    answer = officer.post(place, data={"kind": "base", "list": "standard", "day": "2025-02-01"})
    assert answer.status_code == 400
    assert "the last 10 years of results stay open" in answer.text
    answer = officer.post(place, data={"kind": "adopt", "list": "standard"})
    assert answer.status_code == 400
    assert "there is nothing to change" in answer.text
    for wrong in (
        {"kind": "format"},
        {},
        {"kind": "game", "game": "x"},
        {"kind": "game", "game": "1", "result": "2-0"},
    ):
        assert officer.post(place, data=wrong).status_code == 400
    assert officer.post(place, data={"kind": "game", "game": "1"}).status_code == 400, "nothing is to be otherwise"


def test_from_a_page_an_officer_goes_to_the_desk(officer: TestClient, client: TestClient) -> None:
    for place, desk in (("/en/players/1", "/en/desk/people/1"), ("/en/events/1", "/en/desk/events/1")):
        assert f'href="{desk}"' in officer.get(place).text
        assert desk not in client.get(place).text


def test_nobody_is_erased_without_their_number_typed(officer: TestClient) -> None:
    place, before = f"{DESK}/changes", ratings(officer)
    written = officer.get(place, params={"kind": "erase", "person": "5", "also": "Leoncino"}, follow_redirects=False)
    assert (written.status_code, written.headers["location"]) == (303, f"{DESK}/people/5"), "its words have no address"
    preview = officer.post(place, data={"kind": "erase", "person": "5"})
    assert "cannot be taken back" in preview.text
    given = {**fields(preview.text, place), "reason": "asked for it"}
    for typed in ("", "4", "yes"):
        assert officer.post(place, data={**given, "typed": typed}).status_code == 400
    assert "Leone" in officer.get(f"{DESK}/people/5").text
    assert "Done." in officer.post(place, data={**given, "typed": "5"}).text
    assert "Leone" not in officer.get(f"{DESK}/people/5").text
    after = ratings(officer)
    assert sorted(after.values()) == sorted(before.values())


TRF = """012 Spring Team Open
042 2025/05/03
052 2025/05/04
062 9
001    1      Bianchi, Anna                     2050                             1.0    1     2 w 1
001    2      Conti, Bruno                      1930                             0.0    2     1 b 0
"""


def test_a_repair_is_proposed_downloaded_and_taken_in_the_reports_place(officer: TestClient) -> None:
    number = hand_in(officer, "spring.trf", TRF.encode()).json()["report"]
    proposals = officer.get(f"{API}/reports/{number}").json()["proposals"]
    count = next(each for each in proposals if each["repair"] == "declare 2")
    assert count["line"] == 4
    place = f"{DESK}/reports/{number}/repair"
    file = officer.post(place, data={"step": "download", "repair": str(count["number"])})
    assert b"062 2\r\n" in file.content or b"062 2\n" in file.content
    assert officer.post(place, data={"step": "download"}).status_code == 400
    done = officer.post(place, data={"step": "take", "repair": str(count["number"])})
    assert "spring-repaired.trf" in done.text
    assert officer.get(f"{API}/reports/{number}").json()["filed"]["stage"] == "refused"


def test_reporters_see_their_own_reports_and_nothing_of_the_register(enter: Enter) -> None:
    mine, other = enter("reporter", 7), enter("reporter", 8)
    games = b"white,black,result,date\nBianchi Anna,Nobody,1-0,2025-04-12\n"
    answer = hand_in(mine, "match.csv", games)
    assert answer.status_code == 201
    number = answer.json()["report"]
    assert len(answer.json()["holds"]) == 2
    for text in (answer.text, mine.get(f"{API}/reports/{number}").text, mine.get(f"{DESK}/reports/{number}").text):
        assert "1990" not in text, "of whom it may be, a reporter is told nothing"
    assert [row["report"] for row in mine.get(f"{API}/reports").json()["rows"]] == [number]
    assert other.get(f"{API}/reports").json()["rows"] == []
    assert other.get(f"{API}/reports/{number}").status_code == 404
    assert other.get(f"{DESK}/reports/{number}/file").status_code == 404
    assert mine.post(f"{API}/reports/{number}/accept", json={}).status_code == 403
    for place in ("/people", "/log", "/publish", "/jobs", "/games/1"):
        assert mine.get(f"{DESK}{place}").status_code == 403
    assert enter("member", 9).get(f"{DESK}/reports").status_code == 403
    assert enter("public", 0).get(f"{DESK}/reports", follow_redirects=False).status_code in (302, 303, 401)


def test_a_late_list_warns_of_what_waits_and_what_was_left_out(officer: TestClient) -> None:
    hand_in(officer, "spring.csv", SPRING, ids="club")
    asked = {"date": "2099-01-01"}
    found = officer.post(f"{API}/publications:preview", json=asked).json()
    assert found["held"] == 1
    assert found["future"] is True
    assert found["skipped"][:2] == ["2025-05-01", "2025-06-01"], "FIDE's lists are monthly"
    done = officer.post(f"{API}/publications", json={"date": "2025-05-01", "head": found["head"]})
    assert done.status_code == 201
    held = officer.post(f"{API}/publications:preview", json={"date": "2025-05-01"}).json()
    assert held["published"] is True
    assert officer.post(f"{API}/publications", json={"date": "2025-05-01"}).status_code == 400
    assert officer.post(f"{API}/publications", json={"date": "2025-06-01", "head": 1}).status_code == 409
    assert officer.post(f"{API}/publications:preview", json={"date": "1999-01-01"}).status_code == 400


def test_the_checklist_says_what_differs_since_the_last_list(officer: TestClient) -> None:
    assert "FIDE" in officer.get(DESK).text or "fide" in officer.get(DESK).text
    officer.post(f"{API}/corrections", json={"change": {"kind": "game", "game": 1, "result": "0-1"}, "reason": "x"})
    page = officer.get(DESK).text
    assert "/en/desk/compare?list=standard&amp;date=2025-04-01" in page
    page = officer.get(f"{DESK}/compare", params={"list": "standard", "date": "2025-04-01"}).text
    assert "Müllner, Dario" in page


@pytest.mark.parametrize("language", ["en", "it", "es"])
def test_every_page_of_the_desk_is_there_in_each_language(shared: TestClient, language: str) -> None:
    number = hand_in(shared, "spring.csv", FAULTY).json()["report"]
    for place in (
        "",
        "/reports",
        f"/reports/{number}",
        "/games/1",
        "/events/1",
        "/acts/1",
        "/people",
        "/people?q=bian",
        "/people/1",
        "/log",
        "/log?kind=accept",
        "/log/1",
        "/publish",
        "/publish?list=standard&date=2025-07-01",
        "/compare?list=standard&date=2025-04-01",
        "/jobs",
    ):
        page = shared.get(f"/{language}/desk{place}")
        assert page.status_code == 200, (place, page.text)
        assert page.text.count("<h1") == 1, place
        assert " style=" not in page.text, place
        assert "<script>" not in page.text, place
        for form in re.findall(r'<form method="post".*?</form>', page.text, re.DOTALL):
            assert re.search(r'name="_csrf_token" value="[^"]{20,}"', form), place
    for place in ("/games/999", "/events/999", "/acts/999", "/people/999", "/log/999", "/reports/999"):
        assert shared.get(f"/{language}/desk{place}").status_code == 404, place


def test_a_browser_hands_in_and_decides_with_a_session_and_the_token_of_its_forms(office: Path) -> None:
    with TestClient(create_app(office), raise_server_exceptions=False) as client:
        signed_in(client, office, "officer")
        place = f"{DESK}/reports"
        page = client.get(place)
        file = {"files": ("spring.csv", SPRING)}
        assert client.post(place, data={"ids": "club"}).status_code == 403, "a form of another site has no token"
        token = fields(page.text, place)["_csrf_token"]
        page = client.post(place, files=file, data={"_csrf_token": token, "ids": "club"})
        assert "Nothing holds it" in page.text
        report = re.search(r'href="(/en/desk/reports/\d+)"', page.text)
        assert report
        given = fields(client.get(report[1], params={"ids": "club"}).text, report[1])
        assert "accepted" in client.post(report[1], data={**given, "ids": "club", "step": "accept"}).text
        assert client.post(place, files={"files": ("large.csv", bytes(66 << 20))}).status_code == 413
    with open_office(office) as opened:
        assert opened.store.value("select actor from entry where kind = 'accept' order by seq desc") == "officer 1"


@pytest.mark.parametrize("scope", ["report", "correct", "publish"])
def test_a_token_goes_as_far_as_its_scopes(office: Path, scope: str) -> None:
    with open_office(office) as opened:
        headers = bearing(opened, "officer", scope)
    game = {"change": {"kind": "game", "game": 1, "void": True}}
    tries = {
        "report": {"params": {"name": "spring.csv", "ids": "club"}, "content": SPRING},
        "correct": {"json": game},
        "publish": {"json": {"date": "2025-07-01"}},
    }
    paths = {"report": "/reports", "correct": "/corrections:preview", "publish": "/publications:preview"}
    with TestClient(create_app(office), raise_server_exceptions=False) as client:
        for each, given in tries.items():
            answer = client.post(f"{API}{paths[each]}", headers=headers, **given)  # type: ignore[arg-type]
            assert answer.status_code == (403 if each != scope else 201 if each == "report" else 200), answer.text


def test_a_report_sent_twice_with_one_key_is_answered_once(office: Path) -> None:
    with open_office(office) as opened:
        headers = {**bearing(opened, "reporter", "report"), "Idempotency-Key": "spring"}
    with TestClient(create_app(office), raise_server_exceptions=False) as client:
        answers = [
            client.post(f"{API}/reports", headers=headers, files={"file": ("spring.csv", SPRING)}) for _ in range(2)
        ]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[1].headers["idempotency-replayed"] == "true"
    assert answers[0].json() == answers[1].json()


def test_a_key_is_of_one_request_with_its_query_and_of_one_role(office: Path) -> None:
    with open_office(office) as opened:
        headers = {**bearing(opened, "reporter", "report", name="rita"), "Idempotency-Key": "spring"}

    def sent(client: TestClient, **asked: str) -> int:
        files = {"file": ("spring.csv", SPRING)}
        return int(client.post(f"{API}/reports", headers=headers, files=files, params=asked).status_code)

    with TestClient(create_app(office), raise_server_exceptions=False) as client:
        assert (sent(client), sent(client, ids="club"), sent(client)) == (201, 422, 201)
        with open_office(office) as opened:
            book.change_role(opened, book.called(opened, "rita").id, "member", by="admin")
        assert sent(client) in (403, 422)


def test_the_desk_stands_on_both_databases(place: str) -> None:
    with init(place, "elo", name="club") as office:
        bearer = bearing(office, "officer", "read", "report", "correct", "publish")
    with entered(place) as enter, TestClient(create_app(place), raise_server_exceptions=False) as program:
        program.headers.update(bearer)
        number = program.post(f"{API}/reports", params={"name": "open.csv"}, content=SPRING).json()["report"]
        accepted = program.post(f"{API}/reports/{number}/accept", json={"register": True})
        assert accepted.json()["accepted"] is True, accepted.text
        again = program.post(f"{API}/reports/{number}/accept", json={"register": True})
        assert again.json()["again"] is True
        program.post(f"{API}/reports", params={"name": "late.csv"}, content=FAULTY)
        change = {"change": {"kind": "game", "game": 1, "result": "0-1"}, "reason": "a letter"}
        seen = program.post(f"{API}/corrections:preview", json=change).json()
        done = program.post(f"{API}/corrections", json={**change, "head": seen["head"]})
        assert done.json()["moved"] == seen["moved"]
        entry = done.json()["entry"]
        assert program.post(f"{API}/corrections/{entry}/revert", json={"reason": "forged"}).status_code == 201
        draft = program.post(f"{API}/publications:preview", json={"date": "2025-07-01"}).json()
        listed = program.post(f"{API}/publications", json={"date": "2025-07-01", "head": draft["head"]}).json()
        assert listed["sha256"] == draft["sha256"]
        assert [row["kind"] for row in program.get(f"{API}/log", params={"size": 3}).json()["rows"]] == [
            "publish",
            "correct",
            "correct",
        ]
        officer = enter()
        for path in ("", "/reports?stage=held", f"/reports/{number}", "/people?q=101", "/people/1", "/log?kind=accept"):
            assert officer.get(f"{DESK}{path}").status_code == 200, path
        preview = officer.post(f"{DESK}/changes", data={"kind": "erase", "person": "1"})
        typed = {**fields(preview.text, f"{DESK}/changes"), "reason": "asked", "typed": "1"}
        assert "Done." in officer.post(f"{DESK}/changes", data=typed).text


def test_games_go_into_the_pool_that_there_is_and_into_none_that_no_list_rates(tmp_path: Path) -> None:
    place = str(tmp_path / "blitz.db")
    init(place, "elo", name="blitz", pool="blitz").close()
    with entered(place) as enter:
        officer = enter()
        number = officer.post(f"{API}/reports", params={"name": "open.csv"}, content=SPRING).json()["report"]
        decided = {"register": True, "pool": "rapid"}
        answer = officer.post(f"{API}/reports/{number}/accept", json=decided)
        assert answer.status_code == 404
        assert "known: blitz" in answer.text
        assert officer.post(f"{API}/reports/{number}/accept", json={"register": True}).json()["accepted"] is True
        rows = officer.get(f"{API}/lists/blitz/ratings", params={"view": "live"}).json()["rows"]
        assert len(rows) == 4
        with open_office(place) as office:
            add_list(office, "elo", name="rapid", pool="rapid")
        number = officer.post(f"{API}/reports", params={"name": "o.csv"}, content=SPRING + b"\n").json()["report"]
        answer = officer.post(f"{API}/reports/{number}/accept", json={"register": True})
        assert answer.status_code == 400
        assert "blitz, rapid" in answer.text


def test_a_report_whose_names_have_hidden_characters_brings_none_of_them_into_a_list(officer: TestClient) -> None:
    """Whoever hands it in is told the line; a name that is turned round by a mark is nobody's."""
    marked = SPRING.replace(b"102,103,1-0", '"Ros\u202esi, Ugo",103,1-0'.encode())
    told = hand_in(officer, "spring.csv", marked).json()
    (warning,) = [each for each in told["log"] if "hidden characters" in each["message"]]
    assert (warning["line"], warning["severity"]) == (4, "warning")
    accepting = {"ids": "club", "people": {"Rossi, Ugo": 0}, "register": True}
    assert officer.post(f"{API}/reports/{told['report']}/accept", json=accepting).status_code == 200
    rows = officer.get(f"{API}/lists/standard/ratings?view=live").text
    assert "\u202e" not in rows + officer.get("/en/lists/standard?view=live").text
    assert [each["name"] for each in officer.get(f"{API}/players?q=Rossi").json()["people"]] == ["Rossi, Ugo"]
