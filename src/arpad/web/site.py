"""The public pages as files, which any host serves, and which open from a disk too.

    write_site("club.db", "site", title="Our club")

The pages are those of the server, asked for here one after another: from the front page on, whatever a page links to.
Links become names of files; what only a server can answer goes. The same office gives the same bytes, and of an older
site in the folder only what reads otherwise is touched.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

import httpx
import msgspec
from litestar import Litestar
from msgspec.structs import replace

from arpad.bureau.opened import Office, publication_days
from arpad.errors import ArpadError
from arpad.ledger.spelling import folded
from arpad.web.app import create_app
from arpad.web.drawing import FOLDER, LANGUAGES
from arpad.web.folders import MARK, Folder
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
    "distribution": frozenset(("date",)),
    "development": frozenset(),
    "player": frozenset(("list", "start")),
    "workings": frozenset(("list", "start")),
    "events": frozenset(("start",)),
    "event": frozenset(("list",)),
    "event-table": frozenset(("list",)),
    "corrections": frozenset(("before",)),
    "correction": frozenset(),
    "ladder": frozenset(("start",)),
    "ladder-match": frozenset(),
    "rulebooks": frozenset(),
    "rulebook": frozenset(("date", "since")),
    "help": frozenset(),
    "topic": frozenset(),
}
#: Files that say no word in any language: one is enough.
WORDLESS = frozenset(("list-file", "event-table"))
#: Pages that say which list they show where none is named: with its name they are the same.
LISTED = frozenset(("player", "event"))
#: What the path of a place looks like, below the language.
PATTERNS = {name: re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(PLACES[name]))) for name in SITE}
#: What the files of what is answered are called.
ENDINGS = {"text/html": "html", "text/csv": "csv", "text/plain": "txt", "application/json": "json"}
#: What a file has whole, where a server would show portions of it.
WHOLE: Mapping[str, Mapping[str, int]] = {
    "list": {"size": lists.MOST},
    "player": {"size": players.MOST, "opponents": players.MOST, "steps": 1},
    "events": {"size": events.MOST},
}
#: What asks for them, and stays in the links of what is answered.
PORTIONS = frozenset(name for asked in WHOLE.values() for name in asked)
#: Where a page of workings tells of an event, and how it says that there are further ones.
TOLD, FURTHER = re.compile(r' id="(event-[0-9-]+)"'), ' rel="next"'
#: Names in the folder of a site that are arpad's; what else lies there is somebody else's.
OWN = (*LANGUAGES, "static", "index.html", "people.json", "people.js", MARK)
#: Addresses that are kept in mind: navigation and players are linked to from everywhere.
KEPT = 50_000

Progress = Callable[[int, int], None]


class Site(msgspec.Struct, frozen=True):
    """What was written: how many files there are, and how many of them are new, read otherwise, or are gone."""

    folder: str
    files: int
    people: int
    added: int
    changed: int
    gone: int


class Found(msgspec.Struct, frozen=True, array_like=True):
    """A person in the index that pages search: number, name, ratings by list."""

    person: int
    name: str
    ratings: Mapping[str, float]


def write_site(
    place: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    title: str = "arpad",
    languages: Sequence[str] = LANGUAGES,
    progress: Progress | None = None,
) -> Site:
    """Write the pages of an office that anybody may read. Raises what `Folder` and `open_office` raise,
    OSError where the folder takes no more, and ArpadError for a page that cannot be shown."""
    with Folder(folder, OWN) as written:
        app = create_app(place, title=title, served=False)
        try:
            people = asyncio.run(_Writer(app, written, tuple(languages), progress).write(title))
        except ExceptionGroup as group:
            raise innermost(group) from None
        return Site(str(folder), len(written.names), people, *written.publish())


class _Writer:
    """Pages asked for and files written, until no page links to another one that is not there yet. `names` are the
    files by address, `instead` addresses that lead to others, `beside` the files that pages are drawn with, `later` the
    page of somebody's workings, if it is not the first one, that tells of an event."""

    def __init__(self, app: Litestar, folder: Folder, languages: tuple[str, ...], progress: Progress | None) -> None:
        self.app, self.folder, self.languages, self.progress = app, folder, languages, progress
        self.names: dict[str, str] = {}
        self.instead: dict[str, str] = {}
        self.later: dict[tuple[str, str], str] = {}
        self.beside: set[str] = set()

    async def write(self, title: str) -> int:
        """Put all files; returns how many people are in the index."""
        async with self.app.lifespan():
            shop: Shop = self.app.state.shop
            people = await shop.reading.ask("public", people_of)
            paths = ["", *(f"events/{event}" for event in await shop.reading.ask("public", events_of))]
            paths += [f"players/{each.person}" for each in people]
            application = httpx.ASGITransport(self.app)  # type: ignore[arg-type]
            plain = {"Accept-Encoding": "identity"}
            async with httpx.AsyncClient(transport=application, base_url="http://localhost", headers=plain) as client:
                await self._gather(client, [f"/{language}/{path}" for path in paths for language in self.languages])
        pages = [name for name in self.names.values() if name.endswith(".html")]
        for done, name in enumerate(pages):
            self._relink(name)
            if self.progress is not None:
                self.progress(done + 1, len(pages))
        for name in sorted(self.beside):
            self.folder.put(name, (FOLDER / name).read_bytes())
        index = msgspec.json.encode(people)
        self.folder.put("people.json", index + b"\n")
        self.folder.put("people.js", b"window.arpadPeople = " + index + b";\n")
        told = {"title": title, "codes": self.languages}
        self.folder.put("index.html", shop.drawing.draw(self.languages[0], "site.html", told).encode())
        self.folder.put(MARK, msgspec.json.encode({"title": title, "languages": self.languages}) + b"\n")
        return len(people)

    async def _gather(self, client: httpx.AsyncClient, wanted: list[str]) -> None:
        """Ask for pages and for what they link to; what they say is written as it is."""
        seen = set(wanted)
        for done, address in enumerate(wanted):  # which grows meanwhile
            if address not in self.instead:
                for link in await self._ask(client, address):
                    found = canonical(link, self.languages)
                    if found and found not in seen:
                        seen.add(found)
                        wanted.append(found)
            if self.progress is not None:
                self.progress(done + 1, len(wanted))

    async def _ask(self, client: httpx.AsyncClient, address: str) -> list[str]:
        """Write what is answered, if it is to be a file; the links in it."""
        answer = await asked(client, address)
        if answer.is_server_error:
            raise ArpadError(f"{address} cannot be shown: {answer.text[:200]}")
        if answer.is_redirect:
            self.instead[address] = canonical(answer.headers["location"], self.languages) or ""
            return [answer.headers["location"]]
        media = answer.headers.get("content-type", "").partition(";")[0]
        if answer.status_code != 200 or media not in ENDINGS:
            return []
        self.names[address] = file_of(address, ENDINGS[media])
        self.folder.put(self.names[address], answer.content)
        if media != "text/html":
            return []
        self._known_as(address, answer.text)
        return list(addresses(answer.text))

    def _known_as(self, address: str, text: str) -> None:
        """A card is that of the list which it shows: both addresses are one file. Workings of many changes are several
        files, each of some events."""
        path, _, query = address.partition("?")
        place = whereabouts(path)[1]
        if place in LISTED and not query:
            same = {canonical(link, self.languages) or "" for link in tabs(text)}
            self.instead |= {link: address for link in same if link.startswith(f"{address}?")}
        elif place == "workings" and ("start=" in query or FURTHER in text):
            first = re.sub("&start=.*", "", address)
            for event in TOLD.findall(text):
                self.later.setdefault((first, event), address)

    def _relink(self, name: str) -> None:
        here = posixpath.dirname(name)

        def resolve(address: str) -> str | None:
            if address.startswith("/static/"):
                target: str | None = urlsplit(address).path.removeprefix("/")
                self.beside.add(target or "")
                return relative(target or "", here)
            path, _, fragment = address.partition("#")
            if not path or urlsplit(path).scheme:
                return address
            found = canonical(path, self.languages) or ""
            found = self.instead.get(found, found)
            target = self.names.get(self.later.get((found, fragment), found))
            return target and relative(target, here) + (f"#{fragment}" if fragment else "")

        self.folder.put(name, rewritten(self.folder.held(name), resolve).encode())


def innermost(error: Exception) -> Exception:
    """What went wrong, of an error that an application wraps as it closes."""
    return innermost(error.exceptions[0]) if isinstance(error, ExceptionGroup) else error


def people_of(office: Office) -> list[Found]:
    """Everybody on the last list of each kind, by name."""
    held: dict[int, Found] = {}
    for which in office.lists():
        days = publication_days(office.store, which.id)
        whole = lists.whole_list(office, which.name, date.fromordinal(days[-1]) if days else None)
        for row in whole.rows:
            found = held.get(row.person) or Found(row.person, row.name, {})
            held[row.person] = replace(found, ratings={**found.ratings, which.name: row.rating})
    return sorted(held.values(), key=lambda each: (folded(each.name), each.person))


def events_of(office: Office) -> list[int]:
    """The numbers of all events."""
    return [number for (number,) in office.store.rows("select id from event order by id")]


@lru_cache(KEPT)
def canonical(address: str, languages: tuple[str, ...]) -> str | None:
    """An address of a page that becomes a file, without its fragment, its query in order; None for any other one."""
    parts = urlsplit(address)
    language, place = whereabouts(parts.path)
    query = {name: value for name, value in parse_qsl(parts.query) if name not in PORTIONS}
    if parts.scheme or parts.netloc or language not in languages or not place or not query.keys() <= SITE[place]:
        return None
    path = parts.path.replace(language, languages[0], 1) if place in WORDLESS else parts.path
    return path + (f"?{urlencode(sorted(query.items()))}" if query else "")


@lru_cache(KEPT)
def whereabouts(path: str) -> tuple[str, str]:
    """The language of a path, and the name of the place in a site; blank: none."""
    language, _, rest = path.removeprefix("/").partition("/")
    return language, next((name for name, pattern in PATTERNS.items() if pattern.fullmatch(f"/{rest}")), "")


@lru_cache(KEPT)
def relative(target: str, folder: str) -> str:
    return posixpath.relpath(target, folder)


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
    """What the application answers to anybody, whole."""
    whole = WHOLE.get(whereabouts(urlsplit(address).path)[1], {})
    return await client.get(httpx.URL(address).copy_merge_params(whole))
