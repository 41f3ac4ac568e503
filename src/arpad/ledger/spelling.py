"""Names as they are looked for: without case, accents and order of their parts, and with both ways to write ö."""

from __future__ import annotations

import re
import unicodedata

#: Letters that do not fall apart into a letter and an accent.
LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
#: Letters that some write as two.
DOUBLED = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"}


def spellings(name: str) -> tuple[str, ...]:
    """The forms under which a name is found: `Müllner, Jörg` is `jorg mullner` and `joerg muellner`."""
    bare = unicodedata.normalize("NFC", name).casefold()
    doubled = "".join(DOUBLED.get(letter, letter) for letter in bare)
    return tuple(dict.fromkeys(found for found in (_folded(bare), _folded(doubled)) if found))


def alike(one: str, other: str) -> bool:
    """Whether two names can be one person's: each part of the shorter one is in the other, perhaps as an initial."""
    return any(_fits(a.split(), b.split()) for a in spellings(one) for b in spellings(other))


def _folded(name: str) -> str:
    apart = unicodedata.normalize("NFKD", "".join(LETTERS.get(letter, letter) for letter in name))
    plain = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return " ".join(sorted(re.findall(r"[^\W_]+", plain.replace("'", "").replace("’", ""))))


def _fits(one: list[str], other: list[str]) -> bool:
    shorter, longer = sorted((one, list(other)), key=len)
    longer = list(longer)
    whole = 0
    for part in sorted(shorter, key=len, reverse=True):
        found = next((each for each in longer if each == part), None) or next(
            (each for each in longer if min(len(each), len(part)) == 1 and each[0] == part[0]), None
        )
        if found is None:
            return False
        whole += found == part and len(part) > 1
        longer.remove(found)
    return whole > 0
