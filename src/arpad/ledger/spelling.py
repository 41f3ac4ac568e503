"""Names as they are looked for: without case, accents and order of their parts, however ö, ø, å and ß are written."""

from __future__ import annotations

import re
import unicodedata

#: Letters that do not fall apart into a letter and an accent.
LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "a", "œ": "o", "ı": "i", "ħ": "h"})
#: Two letters that may stand for ä, ö, ü or å. In other names they are folded all the same, on both sides.
DOUBLED = re.compile("([aou])e|aa")


def spelling(name: str) -> str:
    """The form under which a name is looked for: `Müllner, Jörg` and `Joerg Muellner` are both `jorg mullner`."""
    return " ".join(sorted(folded(name).split()))


def folded(name: str) -> str:
    """The parts of a name in the order given, by which names are put in order: `mullner jorg`."""
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", name).casefold().translate(LETTERS))
    plain = "".join(letter for letter in apart if not unicodedata.combining(letter))
    single = DOUBLED.sub(lambda match: match[1] or "a", plain.replace("'", "").replace("’", ""))
    return " ".join(re.findall(r"[^\W_]+", single))


def alike(one: str, other: str) -> bool:
    """Whether two names can be one person's: each part of the shorter one is in the other, perhaps as an initial."""
    shorter, longer = sorted((spelling(one).split(), spelling(other).split()), key=len)
    left = list(longer)
    whole = False
    for part in sorted(shorter, key=len, reverse=True):
        found = part if part in left else next((each for each in left if _initial(part, each)), None)
        if found is None:
            return False
        whole |= found == part and len(part) > 1
        left.remove(found)
    return whole


def _initial(one: str, other: str) -> bool:
    return min(len(one), len(other)) == 1 and one[0] == other[0]
