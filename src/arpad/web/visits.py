"""One request: who asks in which language, the window that answers, and the page that comes of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

import msgspec
from litestar import Request, Response
from litestar.di import NamedDependency
from litestar.exceptions import HTTPException, ValidationException
from litestar.template.base import csrf_token

from arpad.bureau.opened import Office
from arpad.web.callers import PUBLIC, Caller
from arpad.web.drawing import LANGUAGES, Drawing
from arpad.web.identity import Jar
from arpad.web.links import ServedLinks
from arpad.web.window import Window

#: Where the state of a request has what is written in one transaction with what the request does.
ALONG = "along"
#: How a tag names an entry of the log.
TAG = re.compile(r"[0-9]{1,18}")

P = ParamSpec("P")
T = TypeVar("T")


class Shop(msgspec.Struct, frozen=True):
    """What a running server has: where its office is, windows for those who read, those who write, those who ask what
    takes long, and those at the desk who look before they write; what draws pages, and the cookies. Not `served`: pages
    are drawn to be files, and nobody answers forms."""

    place: str
    title: str
    reading: Window
    writing: Window
    pondering: Window
    weighing: Window
    drawing: Drawing
    jar: Jar
    served: bool = True


class Visit:
    """A request, as handlers see it."""

    def __init__(self, request: Request[Any, Any, Any]) -> None:
        self.request = request
        self.shop: Shop = request.app.state.shop
        self.caller: Caller = request.scope.get("user") or PUBLIC
        self.language = language_of(request)
        raw, _, _ = request.scope["raw_path"].partition(b"?")  # as links have it; some servers leave the query there
        path = raw.decode("latin-1").removeprefix(f"/{self.language}") or "/"
        self.links = ServedLinks(self.language, path, dict(request.query_params), self.shop.drawing.assets)

    async def see(self, view: Callable[Concatenate[Office, P], T], *args: P.args, **named: P.kwargs) -> T:
        """What a view shows this caller; the answer will say after which entry of the log that was."""

        def seen(office: Office) -> T:
            with office.store.reading():  # one state, whatever else the view asks
                self.request.state.head = office.head
                return view(office, *args, **named)

        return await self.shop.reading.ask(self.caller.audience, seen)

    async def ponder(self, view: Callable[Concatenate[Office, P], T], *args: P.args, **named: P.kwargs) -> T:
        """The same for what takes long whoever asks: neither readers nor writers wait for it. Raises Busy where
        many ask for it at a time."""
        return await self.shop.pondering.ask(self.caller.audience, view, *args, **named)

    async def weigh(self, view: Callable[Concatenate[Office, P], T], *args: P.args, **named: P.kwargs) -> T:
        """What an officer would do, or what is in a report: neither readers nor writers wait for it."""
        return await self.shop.weighing.do(self.caller.actor, self.caller.audience, view, *args, **named)

    async def do(self, act: Callable[Concatenate[Office, P], T], *args: P.args, **named: P.kwargs) -> T:
        """What an act of this caller came to. Raises HTTPException (412) if the request names another state of the log
        (`If-Match`) than there is when the act is carried out."""
        expected = expected_heads(self.request.headers.get("if-match", ""))

        def done(office: Office) -> T:
            if expected is None:
                return act(office, *args, **named)
            with office.store.writing():  # nobody writes between the look and the act
                if office.head not in expected:
                    detail = f"the office was written to since: its last entry is {office.head}"
                    raise HTTPException(status_code=412, detail=detail)
                return act(office, *args, **named)

        return await self.plainly(done)

    async def plainly(self, act: Callable[Concatenate[Office, P], T], *args: P.args, **named: P.kwargs) -> T:
        """The same for an act that looks for itself whether something was written since; and what an act would come
        to, which is found by one of which nothing is kept, as no part of another."""
        done = self.along(act)
        return await self.shop.writing.do(self.caller.actor, self.caller.audience, done, *args, **named)

    def along(self, act: Callable[Concatenate[Office, P], T]) -> Callable[Concatenate[Office, P], T]:
        """An act, with what is to be written in one transaction with it."""
        along: Callable[[Office], None] | None = self.request.scope["state"].get(ALONG)
        if along is None:
            return act

        def done(office: Office, /, *args: P.args, **named: P.kwargs) -> T:
            usual, office.store.along = office.store.along, partial(along, office)
            try:
                return act(office, *args, **named)
            finally:
                office.store.along = usual

        return done

    def asked(self, kind: type[T]) -> T:
        """The query of the address as a record. Raises ValidationException, naming what is wrong."""
        given = {name: value for name, value in self.request.query_params.items() if value != ""}
        try:
            return msgspec.convert(given, kind, strict=False)
        except msgspec.ValidationError as error:
            raise ValidationException(str(error)) from None

    def page(self, template: str, status: int = 200, *, found: bool = True, **context: Any) -> Response[str]:
        """A page: a template with a view's record. Not `found`: search engines leave it out, which of a file only the
        file can tell them."""
        token = csrf_token({"request": self.request})
        told = {"title": self.shop.title, "link": self.links, "caller": self.caller, "csrf": token}
        told |= {"served": self.shop.served, "left_out": not found and not self.shop.served, **context}
        text = self.shop.drawing.draw(self.language, template, told)
        headers = {} if found else {"X-Robots-Tag": "noindex"}
        return Response(text, media_type="text/html", status_code=status, headers=headers)


def expected_heads(condition: str) -> set[int] | None:
    """The entries that an `If-Match` names by the tags of earlier answers (`"12-…"`, see `api.answering`); None where
    any will do. A tag that no answer had matches no state."""
    if condition.strip() in ("", "*"):
        return None
    tags = (each.strip().removeprefix("W/").strip('"') for each in condition.split(","))
    return {int(head) for head, _, _ in (tag.partition("-") for tag in tags) if TAG.fullmatch(head)}


def language_of(request: Request[Any, Any, Any]) -> str:
    """That of the address; elsewhere the one that the reader would rather have."""
    first = request.url.path.split("/")[1]
    if first in LANGUAGES:
        return first
    wanted = (
        each.split(";")[0].strip()[:2].casefold() for each in request.headers.get("accept-language", "").split(",")
    )
    return next((each for each in wanted if each in LANGUAGES), LANGUAGES[0])


#: How a handler asks for the visit.
Here: TypeAlias = NamedDependency[Visit]


async def visit(request: Request[Any, Any, Any]) -> Visit:
    return Visit(request)
