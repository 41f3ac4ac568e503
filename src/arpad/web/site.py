"""The public pages as files, which any host serves, and which open from a disk too.

    write_site("club.db", "site", title="Our club")

The pages are those of the server, asked for here one after another: from the front page on, whatever a page links to.
Links become names of files; what only a server can answer goes. Files appear all at once, or not at all; the same
office gives the same bytes.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import posixpath
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

import httpx
import msgspec
from litestar import Litestar
from msgspec.structs import replace

from arpad.bureau.opened import Office, publication_days
from arpad.errors import ArpadError, UsageError
from arpad.ledger.spelling import folded
from arpad.web.app import create_app
from arpad.web.drawing import FOLDER, LANGUAGES
from arpad.web.links import PLACES
from arpad.web.rewriting import addresses, rewritten, tabs
from arpad.web.views import events, lists, players
from arpad.web.visits import Shop

#: Pages that become files, and what in their queries makes another page of them.
SITE: Mapping[str, frozenset[str]] = {
    "home": frozenset(),
    "list": frozenset(("date", "view", "start")),
    "list-file": frozenset(("date", "view")),
    "records": frozenset(),
    "distribution": frozenset(),
    "development": frozenset(),
    "player": frozenset(("list", "start")),
    "events": frozenset(("start",)),
    "event": frozenset(("list",)),
    "event-table": frozenset(("list",)),
    "corrections": frozenset(("before",)),
    "correction": frozenset(),
    "rulebooks": frozenset(),
    "rulebook": frozenset(),
    "help": frozenset(),
    "topic": frozenset(),
}
#: What the path of a place looks like, below the language.
PATTERNS = {name: re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path))) for name, path in PLACES.items()}
#: What the files of what is answered are called.
ENDINGS = {"text/html": "html", "text/csv": "csv", "text/plain": "txt", "application/json": "json"}
#: Where a folder says that it is a site, and may be replaced by a newer one.
MARK = "site.json"
#: Lines of a page in one file, where a server would show them in portions.
ROWS = {"list": lists.MOST, "player": players.MOST, "events": events.MOST}

Progress = Callable[[int, int], None]


class Site(msgspec.Struct, frozen=True):
    """What was written."""

    folder: str
    files: int
    people: int


class Found(msgspec.Struct, frozen=True, array_like=True):
    """A person in the index that pages search: number, name, the name as it is looked for, ratings by list."""

    person: int
    name: str
    folded: str
    ratings: Mapping[str, float]


def write_site(
    place: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    title: str = "arpad",
    languages: Sequence[str] = LANGUAGES,
    progress: Progress | None = None,
) -> Site:
    """Write the pages of an office that anybody may read. Raises UsageError for a folder that is there and is no site,
    and what `open_office` raises."""
    target = Path(folder).absolute()
    if target.exists() and not (target / MARK).is_file():
        raise UsageError(f"{folder} is there already, and is no site: nothing was written")
    if not target.parent.is_dir():
        raise UsageError(f"there is no folder {target.parent}")
    app = create_app(place, title=title, served=False)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as beside:
        made = Path(beside) / "new"
        made.mkdir()
        site = asyncio.run(_Writer(app, made, languages, progress).write(title))
        if target.exists():
            target.rename(Path(beside) / "old")
        made.rename(target)
    return replace(site, folder=str(folder))


class _Writer:
    """Pages asked for and files written, until no page links to another one that is not there yet. `names` are the
    files by address, `instead` addresses that lead to others, `beside` the files that pages are drawn with."""

    def __init__(self, app: Litestar, folder: Path, languages: Sequence[str], progress: Progress | None) -> None:
        self.app, self.folder, self.languages, self.progress = app, folder, languages, progress
        self.names: dict[str, str] = {}
        self.instead: dict[str, str] = {}
        self.beside: set[str] = set()
        self.files = 0

    async def write(self, title: str) -> Site:
        async with self.app.lifespan():
            shop: Shop = self.app.state.shop
            people = await shop.reading.ask("public", people_of)
            cards = [f"/{language}/players/{each.person}" for language in self.languages for each in people]
            application = httpx.ASGITransport(self.app)  # type: ignore[arg-type]
            plain = {"Accept-Encoding": "identity"}
            async with httpx.AsyncClient(transport=application, base_url="http://localhost", headers=plain) as client:
                await self._gather(client, [*(f"/{language}/" for language in self.languages), *cards])
        for name in [name for name in self.names.values() if name.endswith(".html")]:
            self._relink(name)
        for name in sorted(self.beside):
            self._put(name, (FOLDER / name).read_bytes())
        index = msgspec.json.encode(people)
        self._put("people.json", index + b"\n")
        self._put("people.js", b"window.arpadPeople = " + index + b";\n")
        self._put(
            "index.html",
            shop.drawing.draw(self.languages[0], "site.html", {"title": title, "codes": self.languages}).encode(),
        )
        self._put(MARK, msgspec.json.encode({"title": title, "languages": self.languages}) + b"\n")
        return Site("", self.files, len(people))

    async def _gather(self, client: httpx.AsyncClient, wanted: list[str]) -> None:
        """Ask for pages and for what they link to; what they say is written as it is."""
        seen = set(wanted)
        for done, address in enumerate(wanted):  # which grows meanwhile
            answer = await asked(client, address)
            if answer.is_server_error:
                raise ArpadError(f"{address} cannot be shown: {answer.text[:200]}")
            media = answer.headers.get("content-type", "").partition(";")[0]
            linked: list[str] = []
            if answer.is_redirect:
                linked = [answer.headers["location"]]
                self.instead[address] = canonical(linked[0], self.languages) or ""
            elif answer.status_code == 200 and media in ENDINGS:
                self.names[address] = file_of(address, ENDINGS[media])
                self._put(self.names[address], answer.content)
                if media == "text/html":
                    linked = list(addresses(answer.text))
                    self._known_as(address, answer.text)
            for link in linked:
                found = canonical(link, self.languages)
                if found and found not in seen and found not in self.instead:
                    seen.add(found)
                    wanted.append(found)
            if self.progress is not None:
                self.progress(done + 1, len(wanted))

    def _known_as(self, address: str, text: str) -> None:
        """A card is that of the list which it shows: both addresses are one file."""
        for link in tabs(text):
            found = canonical(link, self.languages) or ""
            if whereabouts(address)[1] == "player" and found.startswith(f"{address}?"):
                self.instead[found] = address

    def _put(self, name: str, content: bytes) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        self.files += 1

    def _relink(self, name: str) -> None:
        path = self.folder / name

        def resolve(address: str) -> str | None:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc or not parts.path:
                return address
            found = canonical(address, self.languages) or ""
            target = self.names.get(self.instead.get(found, found))
            if parts.path.startswith("/static/"):
                target = parts.path.removeprefix("/")
                self.beside.add(target)
            fragment = f"#{parts.fragment}" if parts.fragment else ""
            return posixpath.relpath(target, posixpath.dirname(name)) + fragment if target else None

        path.write_text(rewritten(path.read_text(encoding="utf-8"), resolve), encoding="utf-8", newline="")


def people_of(office: Office) -> list[Found]:
    """Everybody on the last list of each kind, by name."""
    held: dict[int, Found] = {}
    for which in office.lists():
        days = publication_days(office.store, which.id)
        whole = lists.whole_list(office, which.name, date.fromordinal(days[-1]) if days else None)
        for row in whole.rows:
            found = held.get(row.person) or Found(row.person, row.name, folded(row.name), {})
            held[row.person] = replace(found, ratings={**found.ratings, which.name: row.rating})
    return sorted(held.values(), key=lambda each: (each.folded, each.person))


def canonical(address: str, languages: Sequence[str]) -> str | None:
    """An address of a page that becomes a file, without its fragment, its query in order; None for any other one."""
    parts = urlsplit(address)
    language, place = whereabouts(parts.path)
    query = {name: value for name, value in parse_qsl(parts.query) if name != "size"}
    if parts.scheme or parts.netloc or language not in languages or not query.keys() <= SITE.get(place, frozenset()):
        return None
    return parts.path + (f"?{urlencode(sorted(query.items()))}" if query else "") if place in SITE else None


def whereabouts(path: str) -> tuple[str, str]:
    """The language of an address's path, and the name of its place; blank: none."""
    language, _, rest = path.removeprefix("/").partition("/")
    return language, next((name for name, pattern in PATTERNS.items() if pattern.fullmatch(f"/{rest}")), "")


def file_of(address: str, ending: str) -> str:
    """What the file of an address is called, anywhere: small letters, digits and hyphens."""
    parts = urlsplit(address)
    names = [slug(unquote(part)) for part in parts.path.strip("/").split("/")]
    names += ["index"] if len(names) == 1 else []
    query = "".join(f".{name}-{slug(value)}" for name, value in parse_qsl(parts.query))
    return "/".join(names) + f"{query}.{ending}"


def slug(text: str) -> str:
    """A text as a part of a file's name; what had to be changed is told apart by a digest."""
    plain = re.sub("[^a-z0-9]+", "-", text.casefold()).strip("-")[:60]
    return plain if plain == text else f"{plain}-{hashlib.sha256(text.encode()).hexdigest()[:8]}".lstrip("-")


async def asked(client: httpx.AsyncClient, address: str) -> httpx.Response:
    """What the application answers to anybody, with as many lines as a file may have."""
    rows = ROWS.get(whereabouts(urlsplit(address).path)[1])
    return await client.get(httpx.URL(address).copy_merge_params({"size": rows} if rows else {}))
