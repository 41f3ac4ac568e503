"""Many names in one text, to look for parts of them."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from itertools import accumulate

import msgspec

from arpad.ledger.spelling import spelling

#: Letters by which a search begins, and how many such beginnings are kept of the names. Both are arpad's own: two
#: letters find up to 40,000 of 100,000 people, or 160 kB.
BEGUN, TYPED = 3, 1024


class Names(msgspec.Struct, frozen=True, dict=True):
    """A line for each of them, spelled for searching; `starts` is where each begins, and the end of the text."""

    text: str
    starts: tuple[int, ...]

    @classmethod
    def of(cls, names: Iterable[tuple[str, Iterable[int | str]]]) -> Names:
        """Of names as they are written, each with the numbers by which it can be found too."""
        lines = [" ".join(map(sought, (name, *map(str, numbers)))) + "\n" for name, numbers in names]
        return cls("".join(lines), tuple(accumulate((len(line) for line in lines), initial=0)))

    def called(self, q: str) -> Sequence[int]:
        """Lines that have every part of what was typed, however ö and ø are written; or whose number it is."""
        parts = sorted(sought(q).split(), key=len, reverse=True)
        if not parts:
            return ()
        found = self._begun(parts[0][:BEGUN])
        find, starts = self.text.find, self.starts
        for part in parts if len(parts[0]) > BEGUN else parts[1:]:
            found = [line for line in found if find(part, starts[line], starts[line + 1]) >= 0]
        return found

    @cached_property
    def _begun(self) -> Callable[[str], Sequence[int]]:
        """Kept of what was typed last: everybody begins with the same few letters, which have the most hits; whoever
        types more looks among them only. It holds the text and not the names, so that nothing goes round in circles."""
        return lru_cache(TYPED)(partial(_begun, self.text, self.starts))


def sought(text: str) -> str:
    """A name or a number as it is looked for. Letters that are drawn in a way of their own, as players of games write
    themselves, have no case until they are plain ones (𝕯 is D)."""
    return text if text.isascii() and text.isdecimal() else spelling(text).casefold()


def _begun(text: str, starts: Sequence[int], letters: str) -> Sequence[int]:
    return array("i", _lines(text, starts, letters))


def _lines(text: str, starts: Sequence[int], letters: str) -> Iterator[int]:
    for found in re.finditer(f"{letters}.*", text):  # which goes on with the next line; they are letters and digits
        yield bisect_right(starts, found.start()) - 1
