"""Names of players: one table for both sides, and a word on names that look like the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import msgspec

from arpad.formats.check import Check
from arpad.formats.sheet import Encoded
from arpad.model import Column


class Names(msgspec.Struct, frozen=True):
    """Both sides as codes into one table of trimmed names; -1 where a name is missing."""

    table: Sequence[str]
    first: Column
    second: Column


def read_names(check: Check, first: Encoded, second: Encoded) -> Names:
    """Trim the names, reported once, and give both columns the same codes."""
    shared = first.values is second.values
    trimmed = [name.strip() for name in first.values]
    if shared and trimmed == first.values and "" not in trimmed:
        return Names(trimmed, first.codes, second.codes)
    codes: dict[str, int] = {}
    tables = []
    changed: list[str] = []
    for encoded in (first, second):
        table = []
        for name in encoded.values:
            bare = name.strip()
            table.append(codes.setdefault(bare, len(codes)) if bare else -1)
            if bare and bare != name and name not in changed[:20]:
                changed.append(name)
        tables.append(table)
    if changed:
        shown = ", ".join(map(repr, changed[:3])) + (" …" if len(changed) > 3 else "")
        check.warn(f"spaces around names are left out ({shown})", column=first.header)
    take = check.ops.take
    return Names(list(codes), take(tables[0], first.codes, -1, "i"), take(tables[1], second.codes, -1, "i"))


def near_same(names: Sequence[str]) -> list[list[str]]:
    """Groups of names that differ only in case, spaces or accents."""
    # All at once is twenty times faster, and enough where every name is ASCII and none is like another.
    joined = "\n".join(names)
    if joined.isascii():
        folded = joined.lower().replace(" ", "").split("\n")
        if len(folded) == len(names) == len(set(folded)) and not any(blank in joined for blank in "\t\r\x0b\x0c"):
            return []
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(_folded(name), []).append(name)
    return [group for group in groups.values() if len(group) > 1]


def _folded(name: str) -> str:
    bare = "".join(name.casefold().split())
    if bare.isascii():
        return bare
    return "".join(letter for letter in unicodedata.normalize("NFKD", bare) if not unicodedata.combining(letter))


def shown(groups: Sequence[Sequence[str]]) -> str:
    """Groups of names that look like the same, in words."""
    listed = "; ".join(" / ".join(map(repr, group)) for group in groups[:20])
    more = f"; and {len(groups) - 20} more" if len(groups) > 20 else ""
    return f"names that differ only in case, spaces or accents are kept apart: {listed}{more}"


def warn_of_near_same(check: Check, names: Sequence[str]) -> None:
    """One warning that lists the groups; the names stay apart."""
    groups = near_same(names)
    if groups:
        check.warn(shown(groups))
