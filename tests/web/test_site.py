"""The public pages as files: nothing is missing, nothing leads to a server, and nobody who is hidden is in any byte."""

from __future__ import annotations

import html
import re
from datetime import date
from pathlib import Path
from urllib.parse import urldefrag, urlsplit

import msgspec
import pytest

from arpad.bureau.erasing import erase
from arpad.bureau.intake import Decisions, receive
from arpad.bureau.lists import publish
from arpad.bureau.opened import init, open_office
from arpad.bureau.people import show
from arpad.errors import UsageError
from arpad.model import Game
from arpad.web import site as site_module
from arpad.web.rewriting import rewritten
from arpad.web.site import canonical, file_of, write_site
from tests.cli.conftest import Arpad, arpad

__all__ = ["arpad"]  # a fixture


@pytest.fixture(scope="module")
def site(federation: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "public"
    write_site(federation, folder, title="Our club")
    return folder


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_link_leads_to_a_file_of_the_site(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    followed = 0
    for page in pages:
        for address in re.findall(r'\s(?:href|src)="([^"]*)"', page.read_text(encoding="utf-8")):
            target, fragment = urldefrag(html.unescape(address))
            if urlsplit(target).scheme:
                continue
            assert not target.startswith("/"), f"{page}: {address} is a server's"
            assert "?" not in target, f"{page}: {address} asks a server"
            found = (page.parent / target).resolve() if target else page
            assert found.is_relative_to(site.resolve())
            assert found.is_file(), f"{page}: {address} is not there"
            if fragment:
                assert f'id="{fragment}"' in found.read_text(encoding="utf-8"), f"{page}: {address}"
            followed += 1
    assert followed > 10 * len(pages)


def test_the_site_has_lists_cards_and_events_in_each_language(site: Path) -> None:
    names = set(content(site))
    for language in ("en", "it", "es"):
        for name in (
            "index",
            "lists/standard",
            "lists/standard.date-2025-04-01",
            "players/3",
            "events/1",
            "corrections",
        ):
            assert f"{language}/{name}.html" in names
    assert "Müllner, Dario" in (site / "en/players/4.html").read_text(encoding="utf-8")
    text = (site / "it/lists/standard.html").read_text(encoding="utf-8")
    assert "<form" not in text
    assert "<button" not in text
    assert "http-equiv" in (site / "index.html").read_text(encoding="utf-8")
    assert "Müllner, Dario" in (site / "en/lists/standard/file/csv.csv").read_text(encoding="utf-8")


def test_the_same_office_gives_the_same_bytes(federation: Path, tmp_path: Path) -> None:
    write_site(federation, tmp_path / "again", title="Our club", languages=["it"])
    write_site(federation, tmp_path / "once more", title="Our club", languages=["it"])
    assert content(tmp_path / "again") == content(tmp_path / "once more")


def test_nobody_who_is_hidden_or_erased_is_in_any_byte(office: Path, tmp_path: Path) -> None:
    with open_office(office) as held:
        show(held, 2, {"name": "members"})
        erase(held, 6, "asked to be removed")
    write_site(office, tmp_path / "public", languages=["it"])
    files = content(tmp_path / "public")
    assert any("Müllner".encode() in each for each in files.values())
    for name, each in files.items():
        for word in ("Conti", "Moretti", "bruno conti", "fabio moretti", "1985-09-30", "1990-04-12"):
            assert not re.search(rf"\b{word}\b".encode(), each), f"{word} in {name}"
    people = {person: name for person, name, *_ in msgspec.json.decode(files["people.json"])}
    assert (people[2], people[6]) == ("player 2", "player 6")


def test_a_site_takes_the_place_of_an_older_one_and_of_nothing_else(office: Path, tmp_path: Path) -> None:
    target = tmp_path / "public"
    write_site(office, target, languages=["en"])
    (target / "en" / "left-over.html").write_text("old")
    write_site(office, target, languages=["en", "it"])
    assert not (target / "en" / "left-over.html").exists()
    assert (target / "it" / "index.html").is_file()
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "letter.txt").write_text("dear")
    for folder in (mine, mine / "letter.txt"):
        with pytest.raises(UsageError, match="is no site"):
            write_site(office, folder)
    with pytest.raises(UsageError, match="there is no folder"):
        write_site(office, tmp_path / "nowhere" / "public")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "office.db", "public"]
    assert (mine / "letter.txt").read_text() == "dear"


def test_what_breaks_while_a_site_is_written_leaves_the_old_one(
    office: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "public"
    write_site(office, target, languages=["en"])
    before = content(target)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(site_module._Writer, "_relink", full)
    with pytest.raises(OSError, match="No space"):
        write_site(office, target, languages=["en"])
    assert content(target) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["office.db", "public"]


def test_hostile_names_become_files_like_any_other(tmp_path: Path) -> None:
    day = date(2025, 1, 5)
    with init(tmp_path / "office.db", "elo", name="../../etc/<b>") as office:
        games = [Game('"><script>', "../x", 1.0, date=day, event="a/../b?c#d")]
        assert receive(office, games, Decisions(register=True)).accepted
        publish(office, day.replace(month=2))
    write_site(tmp_path / "office.db", tmp_path / "public", languages=["en"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["office.db", "public"]
    text = "".join(each.decode() for name, each in content(tmp_path / "public").items() if name.endswith(".html"))
    assert "&lt;script&gt;" in text
    assert "<script>" not in text
    assert all(
        re.fullmatch(r"[a-z0-9.-]+", path.name)
        for path in (tmp_path / "public").rglob("*")
        if "vendor" not in str(path)
    )


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("/en/", "en/index.html"),
        ("/en/lists/standard?date=2025-04-01&size=7#list", "en/lists/standard.date-2025-04-01.html"),
        ("/it/rules/fide%2Fstandard", "it/rules/fide-standard-08c2777d.html"),
        ("/en/players/7?list=rapid", "en/players/7.list-rapid.html"),
    ],
)
def test_addresses_have_files(address: str, name: str) -> None:
    found = canonical(address, ["en", "it"])
    assert found is not None
    assert file_of(found, "html") == name


@pytest.mark.parametrize(
    "address",
    [
        "/es/",
        "/en/lists/standard?sort=name",
        "/en/sign-in",
        "https://example.org/en/",
        "/api/v1/lists",
        "/en/nothing",
        "x",
    ],
)
def test_addresses_of_what_only_a_server_answers_have_none(address: str) -> None:
    assert canonical(address, ["en", "it"]) is None


def test_links_that_lead_nowhere_leave_their_words() -> None:
    page = '<nav><ul><li><a href="/no">No</a></li></ul></nav><p><a class="x" href="/no"><b>Ann &amp; Bo</b></a>'
    page += '<form><p>a<br><button>b</button></p></form><a href="/yes#t">Yes</a><!-- c --></p>'
    made = rewritten(page, lambda address: {"/yes#t": "yes.html#t"}.get(address))
    assert made == '<nav></nav><p><b>Ann &amp; Bo</b><a href="yes.html#t">Yes</a><!-- c --></p>'


def test_publish_writes_a_site(office: Path, tmp_path: Path, arpad: Arpad) -> None:
    done = arpad("publish", "--office", office, "--site", tmp_path / "public", "--title", "Club", "--lang", "en")
    assert done.exit_code == 0, done.stderr
    assert "index.html" in done.stderr
    assert "<h1>Club</h1>" in (tmp_path / "public" / "en" / "index.html").read_text(encoding="utf-8")
    assert not (tmp_path / "public" / "it").exists()
    assert arpad("publish", "--office", office).exit_code == 2
    assert arpad("publish", "--office", office, "--site", tmp_path / "p", "--date", "2025-04-01").exit_code == 2
    assert arpad("publish", "--office", office, "--site", tmp_path / "p", "--lang", "de").exit_code == 2
    assert not (tmp_path / "p").exists()
