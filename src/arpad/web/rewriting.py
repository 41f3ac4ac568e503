"""HTML as the pages have it, with other addresses, and without what only a server can answer."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser

#: Attributes that hold addresses, as templates write them.
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
    rewriter = _Rewriter(resolve)
    rewriter.feed(text)
    rewriter.close()
    return HOLLOW.sub("", HOLLOW.sub("", "".join(rewriter.parts)))


class _Rewriter(HTMLParser):
    def __init__(self, resolve: Resolve) -> None:
        super().__init__(convert_charrefs=False)
        self.resolve = resolve
        self.parts: list[str] = []
        self._left_out: list[str] = []  # elements open, of which nothing is kept
        self._navigation = 0
        self._unlinked = False

    def _put(self, text: str) -> None:
        if not self._left_out:
            self.parts.append(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ASKING or self._left_out:
            if tag in ASKING or tag == "a":
                self._left_out.append(tag)
            return
        self._navigation += tag == "nav"
        given = dict(attrs)
        target = self.resolve(given["href"] or "") if tag == "a" and "href" in given else ""
        if target is None:
            self._unlinked = not self._navigation
            self._left_out += ["a"] if self._navigation else []
            return
        self._put(ADDRESS.sub(self._address, self.get_starttag_text() or ""))

    def _address(self, found: re.Match[str]) -> str:
        return f'{found[1]}="{html.escape(self.resolve(html.unescape(found[2])) or "")}"'

    def handle_endtag(self, tag: str) -> None:
        if self._left_out:
            if tag == self._left_out[-1]:
                self._left_out.pop()
            return
        self._navigation -= tag == "nav"
        if tag == "a" and self._unlinked:
            self._unlinked = False
            return
        self._put(f"</{tag}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._put(self.get_starttag_text() or "")

    def handle_data(self, data: str) -> None:
        self._put(data)

    def handle_entityref(self, name: str) -> None:
        self._put(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._put(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        self._put(f"<!{decl}>")

    def handle_comment(self, data: str) -> None:
        self._put(f"<!--{data}-->")
