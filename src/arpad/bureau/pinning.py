"""The texts of rulebooks, kept in the office when a list takes them: a file that was moved or changed takes nothing
from whoever pinned it.

What is kept is the file itself, the tables beside it, and what it is like. The entry that took it holds the SHA-256 of
these bytes, words included; the digest that the list pinned covers what can change a number.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from arpad.errors import ArpadError

if TYPE_CHECKING:
    from arpad.bureau.opened import RatingList
    from arpad.ledger.store import Store
    from arpad.rulebooks import Rulebook

#: Where what a rulebook is like lies among its texts: its own files may be called the same.
LIKE = "shelf"
COLUMNS = ("digest", "file", "content")


def keep(store: Store, book: Rulebook) -> str:
    """Keep the texts of a rulebook, unless its digest has some; returns the SHA-256 of those that are kept."""
    held = store.value("select content from rulebook where digest = ?", (book.digest,))
    content = texts(book) if held is None else bytes(held)
    if held is None:
        store.insert("rulebook", COLUMNS, [(book.digest, book.path.name, content)])
    return hashlib.sha256(content).hexdigest()


def texts(book: Rulebook) -> bytes:
    """The files that a rulebook is made of, by name, as JSON."""
    import tomllib

    from arpad.rulebooks.loader import SHELF

    own = book.path.read_text(encoding="utf-8")
    found = {book.path.name: own}
    while like := tomllib.loads(own).get("like"):
        own = (SHELF / f"{like}.toml").read_text(encoding="utf-8")
        found[f"{LIKE}/{like}.toml"] = own
    for file in book.tables:
        path = next(path for path in (book.path.parent / file, SHELF / file) if path.is_file())
        found[file] = path.read_text(encoding="utf-8")
    return msgspec.json.encode(found, order="deterministic")


def pinned(store: Store, which: RatingList) -> Rulebook | None:
    """The rulebook of a list from the texts that are kept; None where none are, or they are not what it pinned."""
    found = store.row("select file, content from rulebook where digest = ?", (which.digest,))
    if found is None:
        return None
    try:
        book = _read(str(found[0]), bytes(found[1]), which)
    except (ArpadError, OSError, ValueError, msgspec.MsgspecError):
        return None
    return book if book.digest == which.digest else None


def rules_told(rules: str) -> str:
    """The rules of a list as they may be told: of a file of this machine only what it is called."""
    return os.path.basename(rules) if ".toml" in rules else rules


def as_told(book: Rulebook, which: RatingList) -> Rulebook:
    """A list's rulebook by a name that may stand in explanations, which anybody reads."""
    return replace(book, name=rules_told(which.rules)) if ".toml" in which.rules else book


def _read(file: str, content: bytes, which: RatingList) -> Rulebook:
    from arpad.rulebooks import load

    preset = which.rules.rpartition(".toml")[2] if ".toml" in which.rules else which.rules.partition(":")[2]
    with tempfile.TemporaryDirectory() as folder:
        for name, text in msgspec.json.decode(content, type=dict[str, str]).items():
            path = os.path.join(folder, _inside(name))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8", newline="") as written:
                written.write(text)
        called = os.path.join(folder, _inside(file)) + (f":{preset.removeprefix(':')}" if preset else "")
        book = load(called, which.settings, shelf=Path(folder, LIKE))
    own, _, variant = which.rules.rpartition(".toml")
    return msgspec.structs.replace(book, name=own + variant)  # not that of the folder, which is gone


def _inside(name: str) -> str:
    """The name of a file of a rulebook; a bundle is anybody's, and must not write beside its folder."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name:
        raise ValueError(f"{name!r} is no file of a rulebook")
    return name
