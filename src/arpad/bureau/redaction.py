"""A person taken out of a text, or of a report as it came: names and identifiers, however they are written there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import permutations

import msgspec

from arpad.errors import ArpadError
from arpad.ledger.spelling import spelling
from arpad.model import PartialDate

#: Identifiers from so many characters on are nobody else's and nothing else's.
SURE = 5
#: Parts of a name up to which every order of them is looked for.
PARTS = 4


class Wanted(msgspec.Struct, frozen=True, dict=True):
    """Who is to be taken out, and what they are called."""

    person: int
    names: tuple[str, ...]
    identifiers: tuple[tuple[str, str], ...]
    born: PartialDate | None
    also: tuple[str, ...] = ()

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(number for _, number in self.identifiers)

    @cached_property
    def spellings(self) -> frozenset[str]:
        return frozenset(spelling(name) for name in self.names) - {""}

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Their names in any order of the parts, and identifiers that are long enough to be nothing else."""
        return self.calling(())

    def calling(self, names: Sequence[str]) -> re.Pattern[str]:
        """The same with more names."""
        found = [form for name in (*self.names, *names) for form in _forms(name)]
        whole = [*self.also, *sorted(each for each in self.numbers if len(each) >= SURE)]
        found += [rf"(?<!\w){re.escape(word)}(?!\w)" for word in whole if word]
        return re.compile("|".join(found) or r"(?!)", re.IGNORECASE)

    def names_in(self, text: str) -> bool:
        return bool(self.pattern.search(text))

    def stands_in(self, content: bytes) -> bool:
        return self.names_in(_decoded(content)[0])

    def out_of(self, text: str) -> str:
        """A text with a number instead of the person."""
        return self.pattern.sub(f"player {self.person}", text)

    def perhaps_in(self, text: str) -> bool:
        """Whether a part of the name stands in a text: it may be somebody else's."""
        return any(part in set(spelling(text).split()) for part in self._parts)

    @cached_property
    def _parts(self) -> frozenset[str]:
        return frozenset(part for name in self.spellings for part in name.split() if len(part) > 2)


def _forms(name: str) -> Iterator[str]:
    """A name as it is written, and with its parts in other orders; a name of one part only where no other is beside."""
    parts = re.findall(r"[^\s,]+", name)
    if len(parts) == 1:
        yield rf"(?<!\w)(?<!\w )(?<!\w, ){re.escape(parts[0])}(?! ?\w)(?!, \w)"
        return
    orders = permutations(parts) if len(parts) <= PARTS else [parts, [*parts[1:], parts[0]], [parts[-1], *parts[:-1]]]
    for order in orders:
        yield r"(?<!\w)" + r"(?:\s*,\s*|\s+)".join(map(re.escape, order)) + r"(?!\w)"


def redacted(content: bytes, source: str, wanted: Wanted) -> bytes | None:
    """What is left of a report without the person, column for column where it is text; None where it is none, or where
    the person could still be told by what is left."""
    text, encoding = _decoded(content)
    if not encoding:
        return None
    lines, called, _ = _found(content, source, wanted)
    pattern = wanted.calling(called)
    out = []
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        other = pattern.sub(lambda match: _blank(match[0], wanted), line)
        if other != line or number in lines:
            other = _undated(other, wanted)
        if number in lines:
            other = _unnumbered(other, wanted)
        out.append(other)
    left = "".join(out).encode(encoding)
    return None if _found(left, source, wanted)[2] else left


def _decoded(content: bytes) -> tuple[str, str]:
    """A report's text and how its bytes are read; latin-1, which reads everything, to look into what is no text."""
    if b"\0" in content or content[:2] in (b"PK", b"\x1f\x8b"):
        return content.decode("latin-1"), ""
    for encoding in ("utf-8", "cp1252"):
        try:
            return content.decode(encoding), encoding
        except UnicodeDecodeError:
            pass
    return content.decode("latin-1"), "latin-1"


def _found(content: bytes, source: str, wanted: Wanted) -> tuple[frozenset[int], tuple[str, ...], bool]:
    """Lines of a report on which the person stands, what they are called there, and whether they are there at all."""
    from arpad.bureau.reports import read_again

    try:
        read = read_again(content, source)
    except (ArpadError, msgspec.MsgspecError):
        return frozenset(), (), False
    lines, called, there = set(), [], False
    for each in read.people:
        own = bool({*each.identifiers.values(), each.key} & wanted.numbers)
        if own or {spelling(each.name), spelling(each.key)} & wanted.spellings:
            there = True
            lines |= {each.line} - {0}
            called += [name for name in (each.name, each.key) if spelling(name) and not name.isdecimal()]
    return frozenset(lines), tuple(dict.fromkeys(called)), there


def _blank(text: str, wanted: Wanted) -> str:
    """As many characters: a number instead of a name, nothing instead of an identifier."""
    if text in wanted.numbers:
        return "0" * len(text) if text.isdecimal() else " " * len(text)
    for form in (f"player {wanted.person}", f"#{wanted.person}", "#"):
        if len(form) <= len(text):
            return form.ljust(len(text))
    return text


def _undated(line: str, wanted: Wanted) -> str:
    """The day and month of their birth, out of a line that they stand on."""
    born = wanted.born
    if born is None or not born.month:
        return line
    year, month, day = f"{born.year:04}", f"{born.month:02}", f"{born.day or 0:02}"
    zeros = re.compile(rf"{year}(?P<by>[-/.]?){month}(?P=by){day}")
    line = zeros.sub(lambda match: f"{year}{match[1]}00{match[1]}00", line)
    turned = re.compile(rf"{day}(?P<by>[-/.]){month}(?P=by){year}")
    return turned.sub(lambda match: f"00{match[1]}00{match[1]}{year}", line)


def _unnumbered(line: str, wanted: Wanted) -> str:
    """Short identifiers, out of the player's own line of a report that has one."""
    for number in wanted.numbers:
        if len(number) < SURE and len(number) > 2:
            line = re.sub(rf"(?<!\w){re.escape(number)}(?!\w)", "0" * len(number), line)
    return line
