"""Portions of what is long: `limit` of them at a time, and a `cursor` for those after it.

A cursor is opaque: it holds how many came before, and what the whole was, so that a list that changed meanwhile is said
to have changed, and nobody is told twice or left out.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Callable
from typing import Annotated, Any, TypeAlias
from urllib.parse import urlencode

import msgspec
from litestar import Request
from litestar.exceptions import ClientException
from litestar.params import QueryParameter
from msgspec.structs import asdict

from arpad.bureau.opened import Office
from arpad.web.api.answering import Answer
from arpad.web.visits import Visit

#: Bytes of a digest of what a cursor is of.
STAMP = 9
LIMIT = 100
MOST = 1000

Cursor: TypeAlias = Annotated[
    str, QueryParameter(description="`next` of the portion before; nothing for the first one.", max_length=200)
]
Limit: TypeAlias = Annotated[int, QueryParameter(ge=1, le=MOST, description="At most so many in one portion.")]


class _Place(msgspec.Struct, frozen=True, array_like=True):
    start: int
    stamp: bytes


def stamp(*parts: object) -> bytes:
    """What a list is known by: when any of this is another one, its portions are not those of before."""
    return hashlib.sha256(repr(parts).encode()).digest()[:STAMP]


def start_of(cursor: str, whole: bytes) -> int:
    """How many come before the portion of a cursor; 0 without one. Raises ClientException (400)."""
    if not cursor:
        return 0
    try:
        place = msgspec.msgpack.decode(base64.b64decode(cursor.encode(), b"-_", validate=True), type=_Place)
    except (binascii.Error, msgspec.DecodeError, UnicodeEncodeError, ValueError):
        raise ClientException("cursor: this is none that was given out") from None
    if place.stamp != whole:
        raise ClientException("cursor: what it was given for is another list by now, or was asked otherwise")
    return max(0, place.start)


def cursor_at(start: int, whole: bytes) -> str:
    return base64.urlsafe_b64encode(msgspec.msgpack.encode(_Place(start, whole))).decode()


def following(start: int, shown: int, found: int, whole: bytes) -> str | None:
    """The cursor of what comes after a portion; None after the last one."""
    return cursor_at(start + shown, whole) if shown and start + shown < found else None


def link(request: Request[Any, Any, Any], cursor: str | None) -> dict[str, str]:
    """The `Link` header to the next portion (RFC 8288), with all else as it was asked."""
    if cursor is None:
        return {}
    asked = [(name, value) for name, value in request.query_params.multi_items() if name != "cursor"]
    return {"Link": f'<{request.url.path}?{urlencode([*asked, ("cursor", cursor)])}>; rel="next"'}


def _head(office: Office) -> object:
    return office.head


async def portion(
    visit: Visit,
    kind: type[msgspec.Struct],
    rows: str,
    asked: object,
    cursor: str,
    load: Callable[[Office, int], Any],
    state: Callable[[Office], object] = _head,
) -> Answer[Any]:
    """A portion of what a view finds, with the cursor of the one after it.

    `load(office, start)` is the view's page, which has `found`, `start` and, by the name of `rows`, what is told;
    `kind` is that page with `next`. The portions are those of one `state`: what was found may be other people, or in
    another order, after that. Nobody writes between the look at the state and the view.
    """

    def found(office: Office) -> tuple[bytes, Any]:
        with office.store.reading():
            whole = stamp(kind.__name__, asked, state(office))
            return whole, load(office, start_of(cursor, whole))

    whole, page = await visit.see(found)
    after = following(page.start, len(getattr(page, rows)), page.found, whole)
    return Answer(kind(**asdict(page), next=after), headers=link(visit.request, after))
