"""What a bundle is as a file: a ZIP of JSON Lines, with a first page that has the digest of every part."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator, Mapping
from functools import cached_property

import msgspec

from arpad.errors import LedgerError, UsageError

#: The format that this arpad writes.
FORMAT = 1
#: ZIP's first day, so that a file's time is nobody's.
NO_DAY = (1980, 1, 1, 0, 0, 0)
COLUMNS = ("seq", "at", "actor", "kind", "reason", "body", "prev", "hash")
#: Bytes that a bundle's file may unpack to: nothing that an office writes is larger.
MOST = 1 << 32


class Line(msgspec.Struct, frozen=True, array_like=True):
    """An entry as it stands in a bundle; the body as the text that the hash covers."""

    seq: int
    at: str
    actor: str
    kind: str
    reason: str
    body: str
    prev: str
    hash: str


class Words(msgspec.Struct, frozen=True, array_like=True):
    """Words that an entry seals."""

    entry: int
    subject: str
    salt: str
    words: str


class Said(msgspec.Struct, frozen=True):
    """A published list, as the bundle's first page names it."""

    list: int
    day: int
    sha256: str
    entry: int


class Page(msgspec.Struct, frozen=True):
    """The bundle's first page: what it is, the chain's head, and the digest of every file in it."""

    format: int
    program: str
    public: bool
    head: int
    hash: str
    published: tuple[Said, ...]
    files: Mapping[str, str]


class Bundle(msgspec.Struct, frozen=True, dict=True):
    """A bundle that was read, and whose digests hold."""

    page: Page
    parts: Mapping[str, bytes]

    def lines(self) -> Iterator[Line]:
        decoder = msgspec.json.Decoder(Line)
        return map(decoder.decode, self.parts["entries.jsonl"].splitlines())

    @cached_property
    def words(self) -> Mapping[int, list[Words]]:
        found: dict[int, list[Words]] = {}
        decoder = msgspec.json.Decoder(Words)
        for each in map(decoder.decode, self.parts.get("words.jsonl", b"").splitlines()):
            found.setdefault(each.entry, []).append(each)
        return found

    @cached_property
    def births(self) -> Mapping[int, int]:
        """Birth dates by person that the entries no longer have, or never had here."""
        rows = msgspec.json.Decoder(tuple[int, int])
        found = dict(map(rows.decode, self.parts.get("births.jsonl", b"").splitlines()))
        for line in self.lines():
            if line.kind == "erase":
                for each in self.words.get(line.seq, []):
                    if each.subject.startswith("p"):
                        found[int(each.subject[1:])] = msgspec.json.decode(each.words)["born"]
        return found

    def books(self) -> Iterator[tuple[str, str, bytes]]:
        """(digest, file, its texts as JSON) of the rulebooks in it."""
        for name, content in sorted(self.parts.items()):
            if name.startswith("rules/"):
                digest, _, file = name.removeprefix("rules/").removesuffix(".json").partition("/")
                yield digest, file, content


def packed(bundle: Bundle) -> bytes:
    """A bundle's bytes, the same for the same office."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as file:
        page = msgspec.json.format(msgspec.json.encode(bundle.page), indent=2) + b"\n"
        for name, content in [("bundle.json", page), *sorted(bundle.parts.items())]:
            info = zipfile.ZipInfo(name, NO_DAY)
            info.create_system, info.external_attr = 3, 0o644 << 16
            file.writestr(info, content, zipfile.ZIP_DEFLATED, 6)
    return held.getvalue()


def read(source: str) -> Bundle:
    """Read a bundle. Raises LedgerError for what is none, is newer, or is not what its first page says."""
    try:
        with zipfile.ZipFile(source) as file:
            infos = file.infolist()
            if sum(info.file_size for info in infos) > MOST:
                raise LedgerError(f"{source} unpacks to more than an office writes")
            parts = {info.filename: file.read(info) for info in infos}
            page = msgspec.json.decode(parts.pop("bundle.json"), type=Page)
    except OSError as error:
        raise UsageError(f"{source}: {error.strerror}") from None
    except (zipfile.BadZipFile, KeyError, msgspec.MsgspecError, ValueError, NotImplementedError, RuntimeError) as error:
        raise LedgerError(f"{source} is no bundle: {error}") from None
    if page.format > FORMAT:
        raise LedgerError(f"{source} was written by a newer arpad ({page.program})")
    found = {name: hashlib.sha256(content).hexdigest() for name, content in parts.items()}
    if apart := sorted(name for name in {**found, **page.files} if found.get(name) != page.files.get(name)):
        raise LedgerError(f"{source} is not what was written: {', '.join(apart[:5])}")
    if "entries.jsonl" not in parts:
        raise LedgerError(f"{source} has no entries")
    return Bundle(page, parts)
