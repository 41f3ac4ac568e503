"""Help: short texts in Markdown, a file a topic in each language, in `web/help`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any

from litestar import Response, get
from litestar.params import FromPath
from markdown_it.token import Token
from markupsafe import Markup

from arpad.errors import UnknownName
from arpad.web.drawing import FOLDER, MARKDOWN
from arpad.web.visits import Here

#: Topics in the order in which the page of help lists them.
TOPICS = ("card", "lost-points", "lists", "glossary", "corrections", "privacy", "files", "api")
#: `## Expected score {#expected}` is a heading that links can lead to.
ANCHOR = re.compile(r"\s*\{#([a-z-]+)\}$")
#: A topic, and words in others, that are of no use where no server answers: `{served: Try it [here](page:whatif).}`
SERVED_TOPIC = "api"
SERVED = re.compile(r" ?\{served: ([^}]*)\}")


@get("/help")
async def contents(visit: Here) -> Response[Any]:
    """All topics."""
    found = [(name, title(visit.language, name)) for name in topics(visit.shop.served)]
    return visit.page("help.html", topics=found)


@get("/help/{name:str}")
async def topic(visit: Here, name: FromPath[str]) -> Response[Any]:
    """A topic."""
    served = visit.shop.served
    if name not in topics(served):
        raise UnknownName("topic", name, topics(served))
    words = SERVED.sub(r" \1" if served else "", source(visit.language, name))
    text = Markup(rendered(words, resolver(visit.links)))
    return visit.page("topic.html", topic=title(visit.language, name), text=text)


def topics(served: bool) -> tuple[str, ...]:
    """All of them, or those that files need."""
    return TOPICS if served else tuple(name for name in TOPICS if name != SERVED_TOPIC)


@cache
def source(language: str, name: str) -> str:
    return (FOLDER / "help" / language / f"{name}.md").read_text(encoding="utf-8")


def title(language: str, name: str) -> str:
    """The heading that a topic begins with."""
    return source(language, name).partition("\n")[0].removeprefix("# ")


def resolver(links: Callable[..., str]) -> Callable[[str], str]:
    """What the addresses in the texts are here: `topic:glossary#k`, `page:whatif`, and any other as it is."""

    def resolve(address: str) -> str:
        kind, colon, rest = address.partition(":")
        if not colon or kind not in ("topic", "page"):
            return address
        place, hash_sign, anchor = rest.partition("#")
        return (links("topic", topic=place) if kind == "topic" else links(place)) + hash_sign + anchor

    return resolve


def rendered(text: str, resolve: Callable[[str], str]) -> str:
    """A text as HTML, with anchors at its headings and the addresses of its links resolved."""
    tokens = MARKDOWN.parse(text)
    for token, after in pairwise(tokens):
        if token.type == "heading_open" and after.children and (found := ANCHOR.search(after.content)):
            token.attrSet("id", found[1])
            after.children[-1].content = ANCHOR.sub("", after.children[-1].content)
    for link in _links(tokens):
        link.attrSet("href", resolve(str(link.attrGet("href"))))
    return str(MARKDOWN.renderer.render(tokens, MARKDOWN.options, {}))


def _links(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield from (child for child in token.children or () if child.type == "link_open")


HANDLERS = [contents, topic]
