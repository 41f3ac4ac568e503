"""Signing in, from outside: cookies, forms, links, sessions, invites, tokens."""

from __future__ import annotations

import base64
import re
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from arpad.accounts import book, clock, codes, tokens
from arpad.bureau.opened import open_office
from arpad.web.app import create_app
from arpad.web.identity import local
from tests.web.people import FORM, PASSWORD, account_of, bearing, sent, signed_in

OTHER = "two knights and a pawn"


def enter(client: TestClient, name: str = "anna", password: str = PASSWORD, **more: str) -> Any:
    return sent(client, "/en/sign-in", "/en/sign-in", name=name, password=password, **more)


def morsels(answer: Any) -> dict[str, Any]:
    jar: SimpleCookie = SimpleCookie()
    for line in answer.headers.get_list("set-cookie"):
        jar.load(line)
    return dict(jar)


def test_public_pages_set_no_cookie(client: TestClient) -> None:
    for path in ("/", "/en/", "/en/lists/standard", "/it/corrections", "/api/v1/lists/standard/ratings"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert "set-cookie" not in answer.headers
        assert "no-store" not in answer.headers.get("cache-control", "")


def test_signing_in_leads_to_the_account_and_out_again(client: TestClient, office: Path) -> None:
    account_of(str(office), "Anna", "officer", 1, PASSWORD)
    assert "/en/sign-in?next=%2Fen%2Flists%2Fstandard" in client.get("/en/lists/standard").text
    answer = enter(client)
    assert (answer.status_code, answer.headers["location"]) == (303, "/en/account")
    page = client.get("/en/account")
    assert page.status_code == 200
    assert "/en/players/1" in page.text, "who they are in the register"
    assert page.headers["cache-control"] == "no-store"
    assert "noindex" in page.headers["x-robots-tag"]
    held = client.cookies["arpad"]
    assert "cache-control" not in client.get("/static/style.css").headers, "files are everybody's"
    answer = sent(client, "/en/sign-out")
    assert answer.headers["location"] == "/en/"
    client.cookies.set("arpad", held)
    answer = client.get("/en/account", follow_redirects=False)
    assert answer.status_code == 303, "the session is over, although the cookie is still there"


@pytest.mark.parametrize("https", [False, True])
def test_cookies_are_out_of_reach_of_scripts_and_other_sites(office: Path, https: bool) -> None:
    account_of(str(office), "Anna", "member", password=PASSWORD)
    address = "https://testserver.local" if https else "http://testserver.local"
    with TestClient(create_app(office, https=https), base_url=address) as client:
        form = client.get("/en/sign-in")
        (name, cookie), *rest = morsels(form).items()
        assert rest == []
        data = {"_csrf_token": cookie.value, "name": "Anna", "password": PASSWORD}
        answer = client.post("/en/sign-in", data=data, follow_redirects=False)
        ((session, held),) = morsels(answer).items()
        assert (session, name) == (("__Host-arpad", "__Host-arpad-form") if https else ("arpad", "arpad-form"))
        for each in (cookie, held):
            assert each["httponly"]
            assert each["samesite"] == "lax"
            assert bool(each["secure"]) == https
            assert each["path"] == "/"
            assert each["domain"] == ""
        assert len(held.value) == 43, "256 bits"
        assert client.get("/en/account").status_code == 200
        assert ("strict-transport-security" in answer.headers) == https


def test_a_form_without_its_token_or_with_another_ones_is_refused(client: TestClient, office: Path) -> None:
    account_of(str(office), "Anna", "member", password=PASSWORD)
    form = {"name": "anna", "password": PASSWORD}
    assert client.post("/en/sign-in", data=form).status_code == 403
    client.get("/en/sign-in")
    own = client.cookies[FORM]
    with TestClient(create_app(office)) as other:
        other.get("/en/sign-in")
        foreign = other.cookies[FORM]
    for token in ("", "x", own[:-1], foreign, "0" * 128, "é"):
        answer = client.post("/en/sign-in", data={**form, "_csrf_token": token}, follow_redirects=False)
        assert answer.status_code == 403, token
    assert client.post("/en/sign-in", json={**form, "_csrf_token": own}).status_code == 403, "a form, and only a form"
    assert enter(client).status_code == 303
    assert client.post("/en/sign-out").status_code == 403
    assert client.get("/en/account").status_code == 200, "still signed in"


def test_a_session_that_somebody_else_chose_is_not_taken_over(client: TestClient, office: Path) -> None:
    account_of(str(office), "Anna", "member", password=PASSWORD)
    client.cookies.set("arpad", "x" * 43)
    assert enter(client).status_code == 303
    assert morsels(client.get("/en/sign-in")) == {}
    held = {cookie.value for cookie in client.cookies.jar if cookie.name == "arpad"} - {"x" * 43}
    assert len(held) == 1
    client.cookies.clear()
    client.cookies.set("arpad", "x" * 43)
    assert client.get("/en/account", follow_redirects=False).status_code == 303


def test_an_unknown_name_and_a_wrong_password_read_the_same(client: TestClient, office: Path) -> None:
    account_of(str(office), "Anna", "member", password=PASSWORD)
    closed = account_of(str(office), "Bruno", "member", password=PASSWORD)
    with open_office(office) as opened:
        book.disable(opened, closed.id, by="admin")
    answers = [
        enter(client, name, password) for name, password in (("anna", OTHER), ("nemo", OTHER), ("bruno", PASSWORD))
    ]
    assert {answer.status_code for answer in answers} == {403}
    assert len({answer.text.replace(name, "") for answer, name in zip(answers, ("anna", "nemo", "bruno"))}) == 1
    assert "do not go together" in answers[0].text


def test_too_many_failures_are_told_to_wait_in_each_language(client: TestClient, office: Path) -> None:
    account_of(str(office), "Anna", "member", password=PASSWORD)
    for _ in range(5):
        assert enter(client, password=OTHER).status_code == 403
    for language, words in (("en", "Try again in 15 min"), ("it", "Riprova tra 15 min"), ("es", "en 15 min")):
        answer = sent(client, f"/{language}/sign-in", "/en/sign-in", name="anna", password=PASSWORD)
        assert answer.status_code == 429
        assert 890 <= int(answer.headers["retry-after"]) <= 900
        assert words in answer.text


#: What is no address of this site.
ELSEWHERE = [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "\\\\evil.example",
    "/en//../\\evil.example",
    "javascript:alert(1)",
    "/en/x\r\nSet-Cookie: a=b",
    "/en/x\ty",
    "/de/",
    "/api/v1/account",
    "en/lists",
    "",
    " /en/",
]


def test_signing_in_leads_nowhere_else(client: TestClient, office: Path) -> None:
    assert {local(address, "/en/account") for address in ELSEWHERE} == {"/en/account"}
    account_of(str(office), "Anna", "member", password=PASSWORD)
    for address in ELSEWHERE[:3]:
        assert enter(client, next=address).headers["location"] == "/en/account"
        assert client.get("/en/sign-in", params={"next": address}).url.path == "/en/account"


def test_signing_in_leads_back_to_what_was_asked_for(client: TestClient, office: Path) -> None:
    account_of(str(office), "Anna", "officer", password=PASSWORD)
    answer = client.get("/it/desk/accounts?a=b&c=d", follow_redirects=False)
    assert answer.headers["location"] == "/it/sign-in?next=%2Fit%2Fdesk%2Faccounts%3Fa%3Db%26c%3Dd"
    shown = client.get(answer.headers["location"]).text
    assert 'value="/it/desk/accounts?a=b&amp;c=d"' in shown
    assert enter(client, next="/it/desk/accounts?a=b&c=d").headers["location"] == "/it/desk/accounts?a=b&c=d"


def test_signing_in_leads_back_to_the_form_that_was_sent(client: TestClient) -> None:
    for sent_from, wanted in (
        ("http://testserver.local/it/desk/games/1?a=b", "?next=%2Fit%2Fdesk%2Fgames%2F1%3Fa%3Db"),
        ("https://evil.example//evil.example/", ""),
        ("", ""),
    ):
        answer = client.post("/it/desk/changes", headers={"Referer": sent_from}, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/it/sign-in{wanted}")


def test_another_password_ends_all_other_sessions(client: TestClient, office: Path) -> None:
    account_of(str(office), "Anna", "member", password=PASSWORD)
    with TestClient(create_app(office)) as elsewhere:
        enter(elsewhere)
        enter(client)
        before = client.cookies["arpad"]
        for old, new, again, said in (
            (OTHER, OTHER + "!", OTHER + "!", "is another one"),
            (PASSWORD, OTHER, OTHER + "x", "not the same"),
            (PASSWORD, "short", "short", "at least 12 letters"),
            (PASSWORD, PASSWORD, PASSWORD, "is the old one"),
            (PASSWORD, "a" * 20, "a" * 20, "too easy"),
        ):
            answer = sent(client, "/en/account/password", old=old, password=new, again=again)
            assert answer.status_code in (400, 403)
            assert said in answer.text
        assert elsewhere.get("/en/account", follow_redirects=False).status_code == 200
        answer = sent(client, "/en/account/password", old=PASSWORD, password=OTHER, again=OTHER)
        assert answer.status_code == 303
        assert client.cookies["arpad"] != before
        assert client.get("/en/account", follow_redirects=False).status_code == 200
        assert elsewhere.get("/en/account", follow_redirects=False).status_code == 303
        elsewhere.cookies.clear()
        assert enter(elsewhere).status_code == 403
        assert enter(elsewhere, password=OTHER).status_code == 303


def test_somebody_ends_one_of_their_sessions(client: TestClient, office: Path) -> None:
    account_of(str(office), "Anna", "member", password=PASSWORD)
    account_of(str(office), "Bruno", "member", password=PASSWORD)
    with TestClient(create_app(office)) as elsewhere, TestClient(create_app(office)) as other:
        enter(elsewhere)
        enter(client)
        enter(other, "bruno")
        (path,) = re.findall(r'action="(/en/account/sessions/\w+/end)"', client.get("/en/account").text)
        sent(other, path)
        assert elsewhere.get("/en/account", follow_redirects=False).status_code == 200, "it is not theirs to end"
        sent(client, path)
        assert elsewhere.get("/en/account", follow_redirects=False).status_code == 303
        assert client.get("/en/account", follow_redirects=False).status_code == 200


def test_whoever_is_disabled_is_out_at_once(client: TestClient, office: Path) -> None:
    made = signed_in(client, office, "officer")
    assert client.get("/en/desk/accounts").status_code == 200
    with open_office(office) as opened:
        book.disable(opened, made.id, by="admin")
    assert client.get("/en/desk/accounts", follow_redirects=False).status_code == 303


def test_a_player_claims_their_profile_by_an_invite(client: TestClient, office: Path) -> None:
    signed_in(client, office, "officer", "Chief")
    page = sent(client, "/en/desk/accounts", name="Carla", role="member", person="3")
    (path,) = re.findall(r"http://testserver.local(/en/invites/[\w-]{43})<", page.text)
    assert path.rpartition("/")[2] not in client.get("/en/desk/accounts").text, "shown once"
    with TestClient(create_app(office)) as carla:
        shown = carla.get(path)
        assert shown.headers["referrer-policy"] == "no-referrer"
        assert "Carla" in shown.text
        assert sent(carla, path, path, password="short", again="short").status_code == 400
        answer = sent(carla, path, path, password=PASSWORD, again=PASSWORD)
        assert answer.headers["location"] == "/en/sign-in"
        assert enter(carla, "carla").status_code == 303
        assert "/en/players/3" in carla.get("/en/account").text
        assert carla.get("/en/desk/accounts").status_code == 403
        assert carla.get(path).status_code == 404
        assert sent(carla, path, path, password=OTHER, again=OTHER).status_code == 404


def test_officers_manage_those_below_them(client: TestClient, office: Path) -> None:
    signed_in(client, office, "officer", "Chief")
    boss = account_of(str(office), "Boss", "admin")
    member = account_of(str(office), "Carla", "member")
    for data in ({"act": "disable"}, {"act": "role", "role": "member"}, {"act": "invite"}):
        assert sent(client, f"/en/desk/accounts/{boss.id}", **data).status_code == 403
    assert sent(client, f"/en/desk/accounts/{member.id}", act="role", role="admin").status_code == 403
    assert sent(client, "/en/desk/accounts", name="Dario", role="officer").status_code == 403
    assert sent(client, "/en/desk/accounts", name="Dario", role="public").status_code == 403
    assert sent(client, f"/en/desk/accounts/{member.id}", act="role", role="reporter").status_code == 303
    assert sent(client, f"/en/desk/accounts/{member.id}", act="disable").status_code == 303
    assert sent(client, "/en/desk/accounts/99", act="disable").status_code == 404
    assert sent(client, "/en/desk/accounts", name="Dario", role="member", person="x").status_code == 400
    with open_office(office) as opened:
        held = [(each.name, each.role, each.disabled) for each in book.accounts(opened)]
    assert held == [("Boss", "admin", False), ("Carla", "reporter", True), ("Chief", "officer", False)]


def test_names_of_accounts_are_shown_and_not_run(client: TestClient, office: Path) -> None:
    signed_in(client, office, "admin", "<script>alert(1)</script>")
    for language in ("en", "it", "es"):
        for path in ("account", "desk/accounts", "lists/standard"):
            page = client.get(f"/{language}/{path}")
            assert page.status_code == 200
            assert "&lt;script&gt;alert(1)" in page.text
            assert "<script>alert" not in page.text


def test_a_token_is_made_shown_once_and_revoked(client: TestClient, office: Path) -> None:
    signed_in(client, office, "reporter")
    page = sent(client, "/en/account/tokens", name="my program", days="30", read="1", report="1")
    (token,) = re.findall(r"arpad_[\w-]{43}", page.text)
    assert token not in client.get("/en/account").text
    headers = {"Authorization": f"Bearer {token}"}
    mine = client.get("/api/v1/account", headers=headers)
    assert mine.status_code == 200
    assert mine.json()["tokens"][0]["scopes"] == ["read", "report"]
    assert mine.headers["cache-control"] == "no-store"
    (path,) = re.findall(r'action="(/en/account/tokens/\d+/revoke)"', client.get("/en/account").text)
    sent(client, path)
    answer = client.get("/api/v1/account", headers=headers)
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["www-authenticate"].startswith("Bearer ")
    assert sent(client, "/en/account/tokens", name="x", days="30", publish="1").status_code == 400


def test_a_token_that_is_none_is_refused_even_where_everybody_may_read(client: TestClient) -> None:
    for given in ("Bearer", "Bearer x", "Bearer arpad_x", "Basic YTpi", "arpad_x", "Bearer \xff", ""):
        answer = client.get("/api/v1/lists/standard/ratings", headers={"Authorization": given.encode("latin-1")})
        assert answer.status_code == 401
        assert 'error="invalid_token"' in answer.headers["www-authenticate"]


def test_cookies_open_no_api_and_tokens_no_pages(client: TestClient, office: Path) -> None:
    signed_in(client, office, "admin")
    assert client.get("/api/v1/accounts").status_code == 401
    client.cookies.clear()
    with open_office(office) as opened:
        headers = bearing(opened, "admin", "read", "accounts")
    assert client.get("/api/v1/accounts", headers=headers).status_code == 200
    assert client.get("/en/desk/accounts", headers=headers, follow_redirects=False).status_code == 303


def test_a_token_goes_no_further_than_its_scopes(client: TestClient, office: Path) -> None:
    with open_office(office) as opened:
        reads = bearing(opened, "admin", "read")
        manages = bearing(opened, "officer", "accounts")
        number = book.add(opened, "Carla", "member", by="admin").id
        boss = book.add(opened, "Boss", "admin", by="admin").id
    path = "/api/v1/accounts"
    assert client.get(path, headers=reads).status_code == 403
    assert client.post(path, headers=reads, json={"name": "x"}).status_code == 403
    assert client.get("/api/v1/account", headers=manages).status_code == 403
    made = client.post(path, headers=manages, json={"name": "Dario", "role": "reporter", "person": 4})
    assert made.status_code == 201
    assert made.json()["account"]["person"] == 4
    assert client.get(f"/it{made.json()['path']}").status_code == 200
    assert client.post(path, headers=manages, json={"name": "Elia", "role": "admin"}).status_code == 403
    assert client.post(path, headers=manages, json={"name": "Elia", "rule": "member"}).status_code == 400
    assert client.patch(f"{path}/{number}", headers=manages, json={"role": "reporter"}).json()["role"] == "reporter"
    assert client.patch(f"{path}/{number}", headers=manages, json={"disabled": True}).json()["disabled"] is True
    assert client.patch(f"{path}/{boss}", headers=manages, json={"disabled": True}).status_code == 403
    assert client.post(f"{path}/{boss}/invite", headers=manages).status_code == 403
    assert client.post(f"{path}/99/invite", headers=manages).status_code == 404
    assert client.delete("/api/v1/account/token", headers=reads).status_code == 204
    assert client.get("/api/v1/account", headers=reads).status_code == 401


def test_a_token_without_the_scope_to_read_sees_what_the_public_sees(office: Path) -> None:
    from arpad.web.callers import Caller

    assert Caller("officer", 1, scopes=frozenset({"publish"})).audience == "public"
    assert Caller("officer", 1, scopes=frozenset({"read"})).audience == "officers"
    assert Caller("officer", 1).audience == "officers"


def test_the_log_names_roles_and_numbers_and_using_a_token_is_kept_by_day(client: TestClient, office: Path) -> None:
    with open_office(office) as opened:
        headers = bearing(opened, "member", "read", name="Anna")
        assert client.get("/api/v1/account", headers=headers).status_code == 200
        (held,) = tokens.of(opened, 1)
        assert held.used == tokens.today()


def test_an_answer_that_tells_a_secret_is_not_kept_to_be_told_again(client: TestClient, office: Path) -> None:
    with open_office(office) as opened:
        headers = {**bearing(opened, "officer", "accounts"), "Idempotency-Key": "one"}
        made = client.post("/api/v1/accounts", headers=headers, json={"name": "Dario"})
        number = made.json()["account"]["id"]
        paths = {client.post(f"/api/v1/accounts/{number}/invite", headers=headers).json()["path"] for _ in range(2)}
        assert len(paths) == 2
        assert opened.store.value("select count(*) from idempotency") == 0


def test_an_officer_adds_a_second_factor_and_ends_it(client: TestClient, office: Path) -> None:
    made = account_of(str(office), "Anna", "officer", password=PASSWORD)
    enter(client)
    page = sent(client, "/en/account/code")
    key = re.findall(r'class="secret">([A-Z2-7]{32})<', page.text)[0]
    assert "otpauth://totp/arpad:Anna?secret=" + key in page.text
    assert key not in client.get("/en/account").text

    def shown() -> str:
        with open_office(office) as opened:  # as if time had passed since the last code
            opened.store.run("update account set step = 0 where id = ? and step > 0", (made.id,))
        return codes.code(base64.b32decode(key), int(clock.now().timestamp()) // 30)

    assert sent(client, "/en/account/code/confirm", code="x").status_code == 403
    assert sent(client, "/en/account/code/confirm", code=shown()).status_code == 303
    assert "asks for a code" in client.get("/en/account").text
    sent(client, "/en/sign-out")
    assert enter(client).status_code == 403
    assert enter(client, code="é").status_code == 403
    assert enter(client, code=shown()).status_code == 303
    assert sent(client, "/en/account/code/end", code="").status_code == 403
    assert sent(client, "/en/account/code/end", code=shown()).status_code == 303
    sent(client, "/en/sign-out")
    assert enter(client).status_code == 303
