"""How every answer of the API is given: in a form that was asked for, with a tag by which it is known again.

A tag is `"12-5d41402a"`: the last entry of the log when it was read, and a digest of what is told. `If-None-Match` goes
by the digest (304: it still reads so), `If-Match` of a write by the entry (412: something was written since).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec
from litestar import Request, Response
from litestar.enums import RequestEncodingType
from litestar.exceptions import ClientException
from litestar.response.base import ASGIResponse

T = TypeVar("T")

#: What depends on who asks must not be handed on by a cache to somebody else, and is asked for again each time.
CACHING = {"cache-control": "private, no-cache", "vary": "Accept"}
#: Bytes that never change are kept as long as a cache likes.
FOREVER = "public, max-age=31536000, immutable"
JSON, CSV, NDJSON = "application/json", "text/csv", "application/x-ndjson"
#: Hexadecimal digits of a digest in a tag.
DIGITS = 20


class NotAcceptable(ClientException):
    """406: in none of the forms that there are."""

    status_code = 406


class UnsupportedMediaType(ClientException):
    """415: a body in a form that is not read here."""

    status_code = 415


class TooDeep(ClientException):
    """400: brackets within brackets without end."""


class Answer(Response[T]):
    """An answer with its tag; to a GET whose `If-None-Match` has it, only that it still reads so."""

    def to_asgi_response(self, app: Any, request: Request[Any, Any, Any], **named: Any) -> ASGIResponse:
        made = super().to_asgi_response(app, request, **named)
        for name, value in CACHING.items():
            made.headers.setdefault(name, value)
        if request.method != "GET" or made.status_code != 200:
            return made
        digest = hashlib.sha256(made.body).hexdigest()[:DIGITS]
        head = request.state.get("head")
        made.headers["etag"] = f'"{digest}"' if head is None else f'"{head}-{digest}"'
        if digest not in known_digests(request.headers.get("if-none-match", "")):
            return made
        kept = ("etag", "cache-control", "vary", "link")
        headers = {name: made.headers[name] for name in kept if name in made.headers}
        return ASGIResponse(status_code=304, headers=headers)


def answering(made: Response[T]) -> Answer[T]:
    """What a page answers with, a file, as an answer of the API."""
    return Answer(made.content, media_type=made.media_type, headers=made.headers)


def known_digests(condition: str) -> set[str]:
    """The digests in the tags of an `If-None-Match`, which compares weakly: a proxy may have put `W/` before them."""
    return {tag.rpartition("-")[2] for tag in re.findall(r'"([^"]*)"', condition)}


def accepts(request: Request[Any, Any, Any], kind: str) -> float:
    """How much a media type is wanted, from 0 (not at all) to 1, by the most specific range that fits it."""
    found = (0, 0.0)
    asked = request.headers.get("accept", "").strip() or "*/*"
    for each in asked.split(","):
        span, _, parameters = each.partition(";")
        span = span.strip().casefold()
        exactness = (span == kind) * 3 or (span == f"{kind.partition('/')[0]}/*") * 2 or (span == "*/*") * 1
        if exactness > found[0]:
            weight = re.search(r"(?:^|;)\s*q=([0-9.]+)", parameters)
            found = exactness, _weight(weight[1]) if weight else 1.0
    return found[1]


def _weight(text: str) -> float:
    try:
        return min(1.0, float(text))
    except ValueError:
        return 0.0


def chosen(request: Request[Any, Any, Any], kinds: Iterable[str]) -> str:
    """The media type that is wanted most, of equal ones the first. Raises NotAcceptable where none is."""
    offered = list(kinds)
    best = max(offered, key=lambda kind: accepts(request, kind))
    if accepts(request, best) <= 0:
        raise NotAcceptable(f"this is to be had as {', '.join(offered)}")
    return best


async def negotiated(request: Request[Any, Any, Any]) -> None:
    """Before a handler is called: whether it can answer in a form that is wanted, and reads the form of the body.

    A handler says by `opt={"forms": (…)}` what it answers in, where that is not JSON alone; `()` is whatever
    there is. Raises NotAcceptable, UnsupportedMediaType, and TooDeep for JSON that cannot be read.
    """
    handler: Any = request.route_handler
    if forms := handler.opt.get("forms", (JSON,)):
        chosen(request, forms)
    field = handler.parsed_data_field
    if field is None:
        return
    encoding = getattr(field.kwarg_definition, "media_type", None) or RequestEncodingType.JSON
    wanted = str(getattr(encoding, "value", encoding))
    given = request.headers.get("content-type", "").partition(";")[0].strip().casefold()
    if given != wanted and not (given == "" and field.is_optional):
        raise UnsupportedMediaType(f"the body is read as {wanted}, not as {given or 'nothing that is named'}")
    if wanted == JSON:
        try:
            msgspec.json.decode(await request.body(), type=msgspec.Raw)
        except RecursionError:
            raise TooDeep("the body has brackets within brackets without end") from None
        except msgspec.DecodeError:
            pass  # whoever reads it says what is wrong
