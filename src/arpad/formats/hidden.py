"""Characters that nobody sees and that change what is seen: no fact of a file has any, and each is told.

The rule "hidden characters": control characters (of C0, without the tab, and of C1) and the marks that embed, override
or isolate a direction of writing (U+202A to U+202E, U+2066 to U+2069) are left out; those that end a line become a
space. With them a name can look like another one, and break a list that it stands in (Unicode TR 36, 2.5). What
somebody types, who can type it once more, is refused with them.
"""

from __future__ import annotations

import re

from arpad.errors import UsageError

HIDDEN = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def left_out(what: str) -> str:
    """The rule in words, of what had such characters."""
    return f"hidden characters (control characters, marks of direction) are left out of {what}"


def plain(text: str) -> str:
    """A text without hidden characters."""
    return HIDDEN.sub(lambda found: " " if found[0].isspace() else "", text)


def typed(text: str) -> str:
    """A text as somebody typed it, in lines of its own if they like. Raises UsageError for other hidden characters."""
    if any(letter not in "\r\n" for letter in HIDDEN.findall(text)):
        raise UsageError(f"{text!r} has hidden characters (control characters, marks of direction) in it")
    return text
