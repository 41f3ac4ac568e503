"""Accounts on both databases: passwords, sessions, tokens, invites, the log of signing in, and what leaves with a
person."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from arpad.accounts import Role, book, codes, invites, passwords, secret, sessions, signing, tokens
from arpad.accounts.signing import Refused, SignedIn
from arpad.bureau.bundles import export, import_bundle
from arpad.bureau.erasing import erase, erased
from arpad.bureau.exports import export_person
from arpad.bureau.keeping import backup, restore, verify
from arpad.bureau.opened import Office, open_office
from arpad.errors import NotAllowed, UnknownName, UsageError
from tests.accounts.conftest import Clock
from tests.places import empty_database
from tests.web.people import PASSWORD

OTHER = "two knights and a pawn"


def somebody(office: Office, name: str = "Anna", role: Role = "member", person: int | None = None) -> int:
    made = book.add(office, name, role, person, by="admin")
    passwords.set_password(office, made.id, PASSWORD)
    return made.id


def enter(office: Office, name: str = "Anna", password: str = PASSWORD, address: str = "192.0.2.7") -> SignedIn:
    came = signing.sign_in(office, name, password, address)
    assert isinstance(came, SignedIn)
    return came


def test_an_account_has_one_name_however_it_is_written(office: Office) -> None:
    number = somebody(office, " Anna  Maria ")
    for written in ("anna maria", "ANNA MARIA", "Ａnna Maria"):
        assert enter(office, written).account.id == number
        with pytest.raises(UsageError, match="there is an account"):
            book.add(office, written, "member", by="admin")
    for wrong in ("", " ", "a" * 81, "a\x00b", "a\u202eb"):
        with pytest.raises(UsageError, match="printable letters"):
            book.add(office, wrong, "member", by="admin")


def test_nobody_is_somebody_who_is_not_in_the_register(office: Office) -> None:
    with pytest.raises(UnknownName, match="unknown person '99'"):
        book.add(office, "Anna", "member", 99, by="admin")
    assert book.accounts(office) == []


def test_officers_let_in_members_and_reporters_and_administrators_everybody(office: Office) -> None:
    assert book.add(office, "a", "reporter", by="officer").role == "reporter"
    for role in ("officer", "admin"):
        with pytest.raises(NotAllowed):
            book.add(office, "b", role, by="officer")
    for by in ("public", "member", "reporter"):
        with pytest.raises(NotAllowed):
            book.add(office, "b", "member", by=by)
    chief = book.add(office, "c", "admin", by="admin")
    for act in (book.disable, invites.invite):
        with pytest.raises(NotAllowed):
            act(office, chief.id, by="officer")
    with pytest.raises(NotAllowed):
        book.change_role(office, chief.id, "member", by="officer")
    with pytest.raises(NotAllowed):
        book.change_role(office, 1, "admin", by="officer")
    assert [each.role for each in book.accounts(office)] == ["reporter", "admin"]


def test_the_last_administrator_stays_one(office: Office) -> None:
    first = somebody(office, "first", "admin")
    with pytest.raises(UsageError, match="last administrator"):
        book.disable(office, first, by="admin")
    second = somebody(office, "second", "admin")
    book.disable(office, first, by="admin")
    with pytest.raises(UsageError, match="last administrator"):
        book.change_role(office, second, "officer", by="admin")
    assert [each.disabled for each in book.accounts(office)] == [True, False]


def test_a_poor_password_is_refused(office: Office) -> None:
    made = book.add(office, "anna bianchi", "member", by="admin")
    for password in ("", "short", "a" * 11, "aaaaaaaaaaaaaaaa", "abababababab", "x" * 1001, "Anna Bianchi"):
        with pytest.raises(UsageError, match="password"):
            passwords.set_password(office, made.id, password)
    assert not book.account(office, made.id).ready


def test_what_is_kept_of_secrets_opens_nothing(office: Office) -> None:
    number = somebody(office)
    session = enter(office).secret
    token = tokens.make(office, number, "t", ["read"]).secret
    invite = invites.invite(office, number, by="admin")
    rows = [office.store.rows(f"select * from {table}") for table in ("account", "session", "token", "invite")]
    kept = repr(rows)
    assert not [each for each in (PASSWORD, session, token, invite, token.removeprefix("arpad_")) if each in kept]
    assert "$argon2id$" in kept
    assert secret.digest(session) in kept


def test_a_password_is_hashed_anew_where_the_parameters_have_changed(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = somebody(office)
    sql = "select password from account"
    before = office.store.value(sql)
    enter(office)
    assert office.store.value(sql) == before
    monkeypatch.setattr(passwords, "HASHER", PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))
    enter(office)
    assert "t=2" in office.store.value(sql)
    assert passwords.matches(office, number, PASSWORD)


def test_a_hash_made_anew_takes_no_place_of_a_password_that_was_given_meanwhile(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, verified = somebody(office), passwords._verified
    monkeypatch.setattr(passwords, "HASHER", PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))

    def meanwhile(kept: str, password: str) -> bool:
        passwords.set_password(office, number, OTHER)
        return verified(kept, password)

    monkeypatch.setattr(passwords, "_verified", meanwhile)
    assert passwords.matches(office, number, PASSWORD)
    monkeypatch.setattr(passwords, "_verified", verified)
    assert not passwords.matches(office, number, PASSWORD)
    assert passwords.matches(office, number, OTHER)


def test_everybody_who_is_refused_waits_as_long_and_hears_the_same(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    somebody(office, "Anna")
    closed = somebody(office, "Bruno")
    book.disable(office, closed, by="admin")
    book.add(office, "Carla", "member", by="admin")  # has no password yet
    hashed: list[str] = []
    hasher = passwords.HASHER
    work = PasswordHasher(time_cost=hasher.time_cost, memory_cost=hasher.memory_cost, parallelism=1)

    class Counted(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> bool:
            hashed.append(str(hash).rpartition("$")[0].rpartition("$")[0])
            return work.verify(hash, password)  # type: ignore[return-value]

    monkeypatch.setattr(passwords, "HASHER", Counted(hasher.time_cost, hasher.memory_cost, hasher.parallelism))
    for name, password in (("Anna", OTHER), ("Nobody", PASSWORD), ("Bruno", PASSWORD), ("Carla", PASSWORD), ("", "")):
        assert signing.sign_in(office, name, password) == Refused()
    assert len(hashed) == 5
    assert len(set(hashed)) == 1, "one set of parameters"


def test_after_five_failures_a_name_waits_for_a_quarter_of_an_hour(office: Office, time: Clock) -> None:
    somebody(office)
    for turn in range(5):
        assert signing.sign_in(office, "anna" if turn % 2 else "ANNA", OTHER, f"192.0.2.{turn}") == Refused()
        time.later(minutes=1)
    assert signing.sign_in(office, "Anna", PASSWORD, "192.0.2.77") == Refused(600)
    time.later(minutes=9, seconds=59)
    assert signing.sign_in(office, "Anna", PASSWORD, "192.0.2.77") == Refused(1)
    time.later(seconds=1)
    enter(office, address="192.0.2.77")


def test_who_fails_for_somebody_else_keeps_them_out_only_from_many_networks(office: Office, time: Clock) -> None:
    somebody(office)
    for turn in range(49):
        assert signing.sign_in(office, "Anna", OTHER, f"192.0.{turn}.1") == Refused()
    enter(office, address="198.51.100.1")
    assert signing.sign_in(office, "Anna", OTHER, "192.0.50.1") == Refused()
    assert signing.sign_in(office, "Anna", PASSWORD, "198.51.100.1") == Refused(900)


def test_a_name_that_is_nobodys_waits_like_one_that_is_somebodys(office: Office, time: Clock) -> None:
    for _ in range(5):
        assert signing.sign_in(office, "Nobody", PASSWORD) == Refused()
    assert signing.sign_in(office, "nobody", PASSWORD) == Refused(900)


def test_after_twenty_failures_an_address_waits(office: Office, time: Clock) -> None:
    somebody(office)
    for turn in range(20):
        assert signing.sign_in(office, f"name {turn}", PASSWORD, f"192.0.2.{turn}") == Refused()
    assert signing.sign_in(office, "Anna", PASSWORD, "192.0.2.200") == Refused(900)
    enter(office, address="192.0.3.1")


def test_the_log_of_signing_in_shortens_addresses_and_forgets_after_90_days(office: Office, time: Clock) -> None:
    number = somebody(office)
    enter(office, address="192.0.2.77")
    time.later(days=60)
    signing.sign_in(office, "Who", "a password of theirs", "2001:db8:1:2:3::4")
    found = signing.attempts(office)
    assert [(each.name, each.account, each.outcome, each.address) for each in found] == [
        ("who", None, "wrong", "2001:db8:1::/48"),
        ("anna", number, "right", "192.0.2.0/24"),
    ]
    assert len(signing.attempts(office, number)) == 1
    time.later(days=31)
    enter(office, address="::ffff:192.0.2.77")
    assert [each.name for each in signing.attempts(office)] == ["anna", "who"]
    assert signing.attempts(office)[0].address == "192.0.2.0/24"


def test_a_session_lasts_as_long_as_it_is_used_and_a_week_at_most(office: Office, time: Clock) -> None:
    somebody(office)
    one, used = enter(office).secret, enter(office).secret
    for _ in range(14):
        time.later(hours=11, minutes=59)
        assert sessions.find(office, used) is not None
        sessions.use(office, used)
    assert sessions.find(office, one) is None
    time.later(hours=1)
    assert sessions.find(office, used) is None, "seven days are over"
    assert sessions.find(office, "") is None
    enter(office)
    assert office.store.value("select count(*) from session") == 1, "those that are over went"


def test_a_new_password_a_new_role_and_closing_end_all_sessions(office: Office) -> None:
    number = somebody(office, "Anna")
    somebody(office, "Chief", "admin")
    held = enter(office).secret
    passwords.set_password(office, number, OTHER)
    assert sessions.find(office, held) is None
    held = enter(office, password=OTHER).secret
    book.change_role(office, number, "officer", by="admin")
    assert sessions.find(office, held) is None
    held = enter(office, password=OTHER).secret
    book.disable(office, number, by="admin")
    assert sessions.find(office, held) is None
    assert signing.sign_in(office, "Anna", OTHER) == Refused()
    book.disable(office, number, False, by="admin")
    enter(office, password=OTHER)


def test_signing_in_leaves_the_session_before_behind(office: Office) -> None:
    somebody(office)
    before = enter(office).secret
    came = signing.sign_in(office, "Anna", PASSWORD, "", before)
    assert isinstance(came, SignedIn)
    assert came.secret != before
    assert sessions.find(office, before) is None


def test_a_token_does_what_its_scopes_and_its_account_may(office: Office, time: Clock) -> None:
    number = somebody(office, "Anna", "officer")
    somebody(office, "Chief", "admin")
    made = tokens.make(office, number, "rating program", ["publish", "read"], 30)
    assert made.secret.startswith("arpad_")
    assert made.token.scopes == ("read", "publish")
    found = tokens.bearer(office, made.secret)
    assert found is not None
    assert (found[0].id, found[1]) == (number, made.token)
    book.change_role(office, number, "reporter", by="admin")
    found = tokens.bearer(office, made.secret)
    assert found is not None
    assert found[1].scopes == ("read",), "no more than the role may"
    with pytest.raises(UsageError, match="'publish' is not for the role 'reporter'"):
        tokens.make(office, number, "t", ["publish"])
    tokens.use(office, made.token.id)
    assert tokens.of(office, number)[0].used == time.at.date()
    time.later(days=30)
    assert tokens.bearer(office, made.secret) is not None
    time.later(days=1)
    assert tokens.bearer(office, made.secret) is None, "its time is over"


def test_a_token_that_is_revoked_or_of_a_closed_account_opens_nothing(office: Office) -> None:
    number, other = somebody(office, "Anna"), somebody(office, "Bruno")
    one, two = (tokens.make(office, number, "t", ["read"]) for _ in range(2))
    with pytest.raises(UnknownName):
        tokens.revoke(office, other, one.token.id)
    tokens.revoke(office, number, one.token.id)
    assert tokens.bearer(office, one.secret) is None
    assert tokens.bearer(office, two.secret) is not None
    book.disable(office, number, by="admin")
    assert tokens.bearer(office, two.secret) is None
    assert tokens.bearer(office, two.secret.removeprefix("arpad_")) is None
    assert tokens.bearer(office, "arpad_\udcff") is None


def test_a_token_that_cannot_be_is_refused(office: Office) -> None:
    number = somebody(office)
    for name, scopes, days, said in (
        ("", ["read"], 90, "needs a name"),
        ("t", [], 90, "needs a scope"),
        ("t", ["write"], 90, "unknown scope"),
        ("t", ["read"], 0, "number of days"),
        ("t", ["read"], 367, "number of days"),
    ):
        with pytest.raises(UsageError, match=said):
            tokens.make(office, number, name, scopes, days)
    assert tokens.of(office, number) == []


def test_an_invite_sets_a_password_once_within_a_week(office: Office, time: Clock) -> None:
    made = book.add(office, "Anna", "member", 3, by="officer")
    first = invites.invite(office, made.id, by="officer")
    second = invites.invite(office, made.id, by="officer")
    assert invites.invited(office, first) is None, "the second one took its place"
    with pytest.raises(UsageError, match="password"):
        invites.accept(office, second, "short")
    assert invites.accept(office, second, PASSWORD).ready
    assert enter(office).account.person == 3
    with pytest.raises(UsageError, match="taken up"):
        invites.accept(office, second, OTHER)
    late = invites.invite(office, made.id, by="officer")
    time.later(days=7, seconds=1)
    assert invites.invited(office, late) is None
    unused = invites.invite(office, made.id, by="officer")
    book.disable(office, made.id, by="officer")
    assert invites.invited(office, unused) is None


def test_accounts_are_in_backups_and_not_in_bundles_nor_in_the_chain(
    office: Office, place: str, tmp_path: Path
) -> None:
    head = office.head
    number = somebody(office, "Anna", "officer", 2)
    held, token = enter(office).secret, tokens.make(office, number, "t", ["read"]).secret
    mark = secret.of_office(office.store)
    assert office.head == head
    assert verify(office) == []
    backup(office, str(tmp_path / "backup.db"))
    again_place = f"{place}_again" if place.startswith("postgresql") else str(tmp_path / "again.db")

    def same(again: Office) -> None:
        assert book.accounts(again) == book.accounts(office)
        assert sessions.find(again, held) is not None
        assert tokens.bearer(again, token) is not None
        assert signing.attempts(again) == signing.attempts(office)
        assert secret.of_office(again.store) == mark
        assert verify(again) == []

    if place.startswith("postgresql"):
        with empty_database(again_place), restore(str(tmp_path / "backup.db"), again_place) as again:
            same(again)
    else:
        with restore(str(tmp_path / "backup.db"), again_place) as again:
            same(again)
    export(office, str(tmp_path / "bundle.zip"))
    with import_bundle(str(tmp_path / "bundle.zip"), str(tmp_path / "taken.db")) as taken:
        assert book.accounts(taken) == []
        assert secret.of_office(taken.store) != mark


def test_whoever_is_erased_leaves_no_account_behind(office: Office, tmp_path: Path) -> None:
    number, clerk = somebody(office, "anna@example.org", "member", 1), somebody(office, "Clerk", "officer", 2)
    held, token = enter(office, "anna@example.org").secret, tokens.make(office, number, "t", ["read"]).secret
    enter(office, "Clerk")
    backup(office, str(tmp_path / "old.db"))
    for person in (1, 2):
        erase(office, person, "a request")

    def gone(where: Office) -> None:
        one, other = book.account(where, number), book.account(where, clerk)
        assert (one.name, one.person, one.disabled, one.ready) == (f"account {number}", None, True, False)
        assert (other.name, other.person, other.disabled, other.ready) == ("Clerk", None, False, True)
        assert sessions.find(where, held) is None
        assert tokens.bearer(where, token) is None
        assert [each.name for each in signing.attempts(where)] == ["clerk"]
        assert verify(where) == []

    gone(office)
    with restore(str(tmp_path / "old.db"), str(tmp_path / "again.db"), erased(office)) as again:
        gone(again)
    if office.store.dialect == "sqlite":
        assert b"anna@example" not in Path(office.store.place).read_bytes()


def test_a_person_takes_what_their_account_holds_with_them(office: Office) -> None:
    number = somebody(office, "Anna", "member", 4)
    enter(office)
    tokens.make(office, number, "my program", ["read"])
    (told,) = export_person(office, 4)["accounts"]
    assert (told["name"], told["role"]) == ("Anna", "member")
    assert [each["outcome"] for each in told["attempts"]] == ["right"]
    assert [each["name"] for each in told["tokens"]] == ["my program"]
    assert [each["address"] for each in told["sessions"]] == ["192.0.2.0/24"]
    assert "digest" not in repr(told)
    assert "argon2" not in repr(told)
    assert export_person(office, 5)["accounts"] == []


def test_the_secret_of_an_office_is_made_once(office: Office, place: str) -> None:
    made = secret.of_office(office.store)
    with open_office(place) as other:
        assert secret.of_office(other.store) == made
    assert len(made) == 64


@pytest.mark.parametrize(
    ("seconds", "said"),  # RFC 6238, appendix B: SHA-1, eight digits
    [
        (59, "94287082"),
        (1111111109, "07081804"),
        (1111111111, "14050471"),
        (1234567890, "89005924"),
        (2000000000, "69279037"),
        (20000000000, "65353130"),
    ],
)
def test_codes_are_those_of_rfc_6238(seconds: int, said: str) -> None:
    assert codes.code(b"12345678901234567890", seconds // 30, 8) == said


def test_codes_are_those_of_rfc_4226() -> None:
    said = "755224 287082 359152 969429 338314 254676 287922 162583 399871 520489"
    assert [codes.code(b"12345678901234567890", step) for step in range(10)] == said.split()


def test_an_officer_who_has_an_app_signs_in_with_a_code_of_it_once(office: Office, time: Clock) -> None:
    number, member = somebody(office, "Anna", "officer"), somebody(office, "Bruno")

    def shown(key: str, steps: int = 0) -> str:
        return codes.code(base64.b32decode(key), int(time.at.timestamp()) // 30 + steps)

    def enters(code: str = "") -> bool:
        return isinstance(signing.sign_in(office, "Anna", PASSWORD, code=code), SignedIn)

    with pytest.raises(UsageError, match="work at the desk"):
        codes.begin(office, member)
    key = codes.begin(office, number)
    assert enters(), "it is not confirmed yet"
    assert not codes.confirm(office, number, "000000" if shown(key) != "000000" else "000001")
    assert codes.confirm(office, number, f" {shown(key)[:3]} {shown(key)[3:]} ")
    with pytest.raises(UsageError, match="already"):
        codes.begin(office, number)
    assert not enters()
    assert not enters(shown(key)), "it was used to confirm"
    time.later(seconds=30)
    assert enters(shown(key))
    assert not enters(shown(key))
    assert enters(shown(key, 1)), "a telephone may be a little fast"
    time.later(minutes=20)
    assert enters(shown(key, -1)), "or slow"
    assert not enters(shown(key, -2))
    assert not enters(shown(key, 2))
    assert signing.sign_in(office, "Anna", OTHER, code=shown(key)) == Refused()
    assert isinstance(signing.change_password(office, number, PASSWORD, OTHER), SignedIn), "who is in, is in"
    codes.end(office, number)
    time.later(minutes=20)
    assert isinstance(signing.sign_in(office, "Anna", OTHER), SignedIn)
    assert (
        codes.address("ABC", "Anna B", "Club & Co")
        == "otpauth://totp/Club%20%26%20Co:Anna%20B?secret=ABC&issuer=Club%20%26%20Co"
    )
