"""The public pages as files: nothing is missing, nothing leads to a server, and nobody who is hidden is in any byte."""

from __future__ import annotations

import errno
import html
import re
import shutil
from datetime import UTC, date, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urldefrag, urlsplit

import msgspec
import pytest
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from arpad.bureau.corrections import Change, correct
from arpad.bureau.erasing import erase
from arpad.bureau.intake import Decisions, receive
from arpad.bureau.ladder import report
from arpad.bureau.ladder_rows import Rules, Who, open_ladder
from arpad.bureau.lists import publish
from arpad.bureau.opened import add_list, init, open_office
from arpad.bureau.people import merge, show
from arpad.model import Game
from arpad.web import site as site_module
from arpad.web.folders import Folder
from arpad.web.links import PLACES
from arpad.web.rewriting import TAG, Resolve, rewritten
from arpad.web.site import SITE, canonical, file_of, write_site
from tests.cli.conftest import Arpad, arpad

__all__ = ["arpad"]  # a fixture


#: A list whose name has to be quoted in addresses, and cannot be a file's.
BLITZ = "Blitz #1? 50% <é>"
#: Games of one player on it, a day each: more changes than a page of workings has.
MANY = 130
LOOKED_AT = frozenset(("a", "nav", "form", "button", "link", "script", "img"))


@pytest.fixture(scope="module")
def club(federation: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The federation with a second list by single games, a ladder, somebody who was two, and a game taken out."""
    place = Path(shutil.copy(federation, tmp_path_factory.mktemp("club") / "office.db"))
    with open_office(place) as office:
        add_list(office, "elo", name=BLITZ, base=date(2025, 1, 1), pool="blitz")
        first = date(2025, 1, 2)
        games = [Game("101", str(102 + day % 5), 0.5, date=first + timedelta(day)) for day in range(MANY)]
        games += [Game("101", "102", 1.0, date=first, event="Night"), Game("107", "103", 1.0, date=first)]
        assert receive(office, games, Decisions(ids="club", pool="blitz", register=True)).accepted
        merge(office, 4, 7, "registered twice")
        correct(office, [Change("game", 3, {"voided": 1})], "it was a training game")
        publish(office, date(2025, 6, 1), BLITZ)
        publish(office, date(2025, 7, 1), "standard")
        open_ladder(office, BLITZ, Rules(hours=48))
        now = datetime(2025, 7, 1, 12, tzinfo=UTC)
        report(office, BLITZ, 1, 2, 1.0, now.date(), Who("player", 1, 1), now=now)
    return place


@pytest.fixture(scope="module")
def unlinked() -> set[str]:
    """Addresses of which the site of the club has no more than the words."""
    return set()


@pytest.fixture(scope="module")
def drawn() -> list[str]:
    """The pages of the club as a server draws them."""
    return []


@pytest.fixture(scope="module")
def site(club: Path, unlinked: set[str], drawn: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    def noted(text: str, resolve: Resolve) -> str:
        drawn.append(text)

        def tried(address: str) -> str | None:
            found = resolve(address)
            unlinked.update([address] if found is None else [])
            return found

        return rewritten(text, tried)

    folder = tmp_path_factory.mktemp("our site") / "public pages"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(site_module, "rewritten", noted)
        write_site(club, folder, title="Our club")
    return folder


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Tags(HTMLParser):
    """The tags of a page by the names that are looked at, as the standard library reads them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, _: list[tuple[str, str | None]]) -> None:
        self.found += [self.get_starttag_text() or ""] if tag in LOOKED_AT else []

    def handle_endtag(self, tag: str) -> None:
        self.found += [f"</{tag}>"] if tag in LOOKED_AT else []


def test_tags_are_found_where_html_has_them(site: Path, drawn: list[str]) -> None:
    assert site.is_dir()
    for text in drawn[:: len(drawn) // 40]:
        assert [found[0] for found in TAG.finditer(text)] == Tags(text).found


def test_every_link_leads_to_a_file_of_the_site(site: Path) -> None:
    pages = {page: page.read_text(encoding="utf-8") for page in site.resolve().rglob("*.html")}
    marks = {page: re.findall(r'\sid="([^"]*)"', text) for page, text in pages.items()}
    followed = 0
    for page, text in pages.items():
        assert len(marks[page]) == len(set(marks[page])), f"{page}: two things of one name"
        assert not re.search(r'\shx-|="/|=\'/', text), f"{page} asks a server"
        for address in re.findall(r'\s(?:href|src)="([^"]*)"', text):
            target, fragment = urldefrag(html.unescape(address))
            if urlsplit(target).scheme:
                continue
            assert "?" not in target, f"{page}: {address} asks a server"
            found = (page.parent / target).resolve() if target else page
            assert found in pages or (found.is_relative_to(site.resolve()) and found.is_file()), f"{page}: {address}"
            assert not fragment or fragment in marks[found], f"{page}: {address}"
            followed += 1
    assert followed > 10 * len(pages)


def test_no_word_is_left_of_a_link_that_leads_nowhere(site: Path, unlinked: set[str]) -> None:
    assert (site / "index.html").is_file()
    assert unlinked == set()


def test_every_public_address_is_a_file_or_needs_a_server(reader: TestClient) -> None:
    routes = [each for each in reader.app.routes if isinstance(each, HTTPRoute) and "GET" in each.methods]
    pages = {each.path_format[3:] or "/" for each in routes if each.path_format.startswith("/en")}
    held = {re.sub(r"\{[^}]*\}", "{}", PLACES[name]) for name in SITE}
    others = {path for path in pages if re.sub(r"\{[^}]*\}", "{}", path) not in held}
    signed = re.compile(r"/(desk|account|sign-|invites|api)|/report$")
    assert sorted(path for path in others if not signed.match(path) and not signed.search(path)) == [
        "/compare",  # of any players
        "/expected",  # a calculator, as the next one and the last
        "/performance",
        "/players",  # the field of every page looks people up
        "/rules/{organisation}/{name}",  # the address of a rulebook otherwise
        "/whatif",
    ]


@pytest.mark.parametrize("language", ["en", "it", "es"])
def test_a_card_and_an_event_lead_to_the_working_of_each_game(site: Path, language: str) -> None:
    card = (site / language / "players" / "4.html").read_text(encoding="utf-8")
    event = (site / language / "events" / "1.html").read_text(encoding="utf-8")
    working = (site / language / "workings" / "4.list-standard.html").read_text(encoding="utf-8")
    assert 'href="../workings/4.list-standard.html#event-1"' in card
    assert 'href="../workings/4.list-standard.html#event-1"' in event
    told = working.partition('id="event-1"')[2]
    for said in ("8.3.3", "fide/standard", "Bianchi, Anna", "0.1400" if language == "en" else "0,1400"):
        assert said in told, said


def test_workings_of_many_games_are_several_files_and_each_game_is_in_one(site: Path) -> None:
    whole = "".join(path.read_text(encoding="utf-8") for path in (site / "en" / "workings").glob("1.list-blitz*.html"))
    card = next((site / "en" / "players").glob("1.list-blitz*.html")).read_text(encoding="utf-8")
    days = re.findall(r'href="\.\./workings/(1\.list-blitz[^"#]*)#event-\d+-(2025-\d\d-\d\d)"', card)
    assert len({day for _, day in days}) == MANY
    assert len({name for name, _ in days}) == 2
    marks = re.findall(r' id="event-\d+-(2025-[0-9-]*)"', whole)
    assert sorted(marks) == sorted({day for _, day in days})


@pytest.mark.parametrize(
    ("language", "forms"), [("en", "Card as of"), ("it", "Scheda alla lista"), ("es", "Ficha según")]
)
def test_help_tells_of_nothing_that_needs_a_server(site: Path, client: TestClient, language: str, forms: str) -> None:
    text = (site / language / "help" / "card.html").read_text(encoding="utf-8")
    assert forms not in text
    assert forms in client.get(f"/{language}/help/card").text
    assert not any("{served" in path.read_text(encoding="utf-8") for path in (site / language / "help").iterdir())
    assert not (site / language / "help" / "api.html").exists()


def test_the_ladder_and_its_matches_are_there(site: Path) -> None:
    ladder = next((site / "es" / "ladder").glob("blitz*.html")).read_text(encoding="utf-8")
    assert "Bianchi, Anna" in ladder
    match = re.search(r'href="(blitz[^"]*/matches/1\.html)"', ladder)
    assert match is not None
    assert "Conti, Bruno" in (site / "es" / "ladder" / match[1]).read_text(encoding="utf-8")


def test_lists_are_there_as_published_and_revised_and_as_files(site: Path) -> None:
    names = set(content(site))
    for name in ("date-2025-04-01", "date-2025-04-01.view-revised", "date-2025-07-01", "view-live"):
        assert {f"{language}/lists/standard.{name}.html" for language in ("en", "it", "es")} <= names
        for kind in ("csv", "json"):
            assert f"en/lists/standard/file/{kind}.{name}.{kind}" in names
            assert f"it/lists/standard/file/{kind}.{name}.{kind}" not in names, "it says no word"
    assert any(re.fullmatch(r"en/rules/fide-standard-\w+\.date-2024-03-01\.since-2\d.*\.html", name) for name in names)
    assert not any(name.endswith(".xlsx") for name in names), "it says when it was written"


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
    left_out = re.compile(rb'<meta name="robots" content="noindex">')
    hidden = {name for name, each in files.items() if left_out.search(each)}
    assert {"it/players/2.html", "it/workings/2.list-standard.html"} <= hidden
    assert not {"it/players/1.html", "it/index.html"} & hidden
    people = {person: name for person, name, *_ in msgspec.json.decode(files["people.json"])}
    assert (people[2], people[6]) == ("player 2", "player 6")


def test_a_correction_changes_what_it_changed_and_nothing_else(office: Path, tmp_path: Path) -> None:
    target = tmp_path / "public"
    first = write_site(office, target, languages=["en"])
    assert (first.added, first.changed, first.gone) == (first.files, 0, 0)
    before, touched = content(target), {path: path.stat().st_mtime_ns for path in target.rglob("*.*")}
    again = write_site(office, target, languages=["en"])
    assert (again.added, again.changed, again.gone) == (0, 0, 0), "the same office gives the same bytes"
    assert {path: path.stat().st_mtime_ns for path in target.rglob("*.*")} == touched
    with open_office(office) as held:
        correct(held, [Change("game", 1, {"score": 0.5, "other": 0.5})], "it was a draw")
    done = write_site(office, target, languages=["en"])
    after = content(target)
    assert len(after.keys() - before.keys()) == done.added == 1, "the correction"
    assert before.keys() <= after.keys()
    changed = {name for name in before if after[name] != before[name]}
    assert done.changed == len(changed)
    assert {"en/players/1.html", "en/workings/4.list-standard.html", "en/events/1.html"} <= changed
    assert not {"en/lists/standard.date-2025-04-01.html", "en/help.html", "people.json"} & changed


def test_a_full_disk_leaves_the_old_site_and_is_told(
    office: Path, tmp_path: Path, arpad: Arpad, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "public"
    write_site(office, target, languages=["en"])
    before, put = content(target), Folder.put

    def limited(folder: Folder, name: str, held: bytes) -> None:
        if len(folder.names) == 20:
            raise OSError(errno.ENOSPC, "No space left on device")
        put(folder, name, held)

    monkeypatch.setattr(Folder, "put", limited)
    done = arpad("publish", "--office", office, "--site", target, "--lang", "it")
    assert (done.exit_code, content(target)) == (2, before)
    assert done.stderr == f"error: {target}: No space left on device; it is as it was\n"


def test_a_language_that_is_left_out_is_gone(office: Path, tmp_path: Path) -> None:
    target = tmp_path / "public"
    write_site(office, target, languages=["en", "it"])
    (target / "CNAME").write_text("club.example")
    done = write_site(office, target, languages=["en"])
    assert not (target / "it").exists()
    assert done.gone > 50
    assert (target / "CNAME").read_text() == "club.example"


def test_hostile_names_become_files_like_any_other(tmp_path: Path) -> None:
    day = date(2025, 1, 5)
    with init(tmp_path / "office.db", "elo", name="..%2F..%2Fetc?<b>#") as office:
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
        ("/en/players/7?list=rapid&size=5", "en/players/7.list-rapid.html"),
        ("/it/lists/x/file/csv", "en/lists/x/file/csv.html"),
    ],
)
def test_addresses_have_files(address: str, name: str) -> None:
    found = canonical(address, ("en", "it"))
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
    assert canonical(address, ("en", "it")) is None


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
