"""HTML as the pages have it, with other addresses, and without what only a server can answer."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator

#: Tags that are looked at, as templates write them: what stands in attributes is escaped, so that no quote is in them.
TAG = re.compile(r'<(/?)(a|nav|form|button|link|script|img)\b((?:[^>"]|"[^"]*")*)>')
#: Attributes that hold addresses.
ADDRESS = re.compile(r'(?<=\s)(href|src)="([^"]*)"')
#: What is left of lists of links from which some were taken, or all.
HOLLOW = re.compile(r"<li>\s*</li>|<ul>\s*</ul>")
#: What nobody answers where there is no server.
ASKING = frozenset(("form", "button"))

#: The new address for an old one; None: there is nothing there.
Resolve = Callable[[str], str | None]


def addresses(text: str) -> Iterator[str]:
    """The addresses of links in a page, as often as they stand there."""
    for tag in re.finditer(r"<a\s[^>]*>", text):
        for _, address in ADDRESS.findall(tag[0]):
            yield html.unescape(address)


def tabs(text: str) -> Iterator[str]:
    """The addresses under which a page says that it is the one shown."""
    for address in re.findall(r'<a href="([^"]*)" aria-current="page">', text):
        yield html.unescape(address)


def rewritten(text: str, resolve: Resolve) -> str:
    """A page with new addresses. Of a link that leads nowhere the words stay, except in navigation, which is only
    there to lead somewhere; forms go."""
    parts: list[str] = []
    left_out: list[str] = []  # elements open, of which nothing is kept
    navigation, unlinked, at = 0, False, 0

    def address(found: re.Match[str]) -> str:
        return f'{found[1]}="{html.escape(resolve(html.unescape(found[2])) or "")}"'

    for tag in TAG.finditer(text):
        closing, name = tag[1], tag[2]
        if not left_out:
            parts.append(text[at : tag.start()])
        at = tag.end()
        if left_out:
            if closing and name == left_out[-1]:
                left_out.pop()
            elif not closing and (name in ASKING or name == "a"):
                left_out.append(name)
        elif closing:
            navigation -= name == "nav"
            if name != "a" or not unlinked:
                parts.append(tag[0])
            unlinked = unlinked and name != "a"
        elif name in ASKING:
            left_out.append(name)
        elif name == "a" and (given := ADDRESS.search(tag[0])) and resolve(html.unescape(given[2])) is None:
            unlinked = not navigation
            left_out += ["a"] if navigation else []
        else:
            navigation += name == "nav"
            parts.append(ADDRESS.sub(address, tag[0]))
    if not left_out:
        parts.append(text[at:])
    return HOLLOW.sub("", HOLLOW.sub("", "".join(parts)))
