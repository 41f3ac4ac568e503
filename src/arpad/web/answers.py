"""Errors as answers: a page for people, `application/problem+json` (RFC 9457) for programs. Nothing is said of the
inside; every cause that is the caller's is named."""

from __future__ import annotations

import logging
import re
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.params import ParameterKwarg
from litestar.response import Redirect
from multipart import ParserLimitReached

from arpad.errors import ArpadError, Busy, DataError, LedgerError, NotAllowed, Stale, UnknownName, UsageError
from arpad.web.identity import local, of_api
from arpad.web.visits import Visit

#: Files that one form may bring, and what it may have of files and other fields together: arpad's own numbers.
FILES, PARTS = 1000, 1100

logger = logging.getLogger(__name__)


class Fault(msgspec.Struct, frozen=True):
    """One thing that is wrong: where, and what would help. `pointer` (RFC 6901) is its place in a JSON body."""

    message: str
    where: str = ""
    hint: str = ""
    pointer: str | None = None


class ProblemDocument(msgspec.Struct, frozen=True):
    """RFC 9457. `faults` are all things that are wrong with a report; of a body or a query, the first one."""

    type: str
    title: str
    status: int
    detail: str
    faults: tuple[Fault, ...] = ()


#: Most specific first.
STATUS: tuple[tuple[type[ArpadError], int], ...] = (
    (UnknownName, 404),
    (Stale, 409),
    (NotAllowed, 403),
    (DataError, 422),
    (UsageError, 400),
    (Busy, 503),
    (LedgerError, 503),
    (ArpadError, 400),
)


def described(error: Exception) -> ProblemDocument:
    """What an error says to whoever caused it; of a defect, only that there is one."""
    faults: tuple[Fault, ...] = ()
    if isinstance(error, DataError):
        faults = tuple(
            Fault(problem.message, _where(problem.source, problem.line), problem.hint) for problem in error.problems
        )
        status, detail = 422, f"{len(faults)} thing(s) are wrong; nothing was written"
    elif isinstance(error, ArpadError):
        status, detail = next(status for kind, status in STATUS if isinstance(error, kind)), str(error)
    elif isinstance(error.__context__, ParserLimitReached):
        status = 413
        detail = f"more than {FILES:,} files, or {PARTS:,} files and fields, in one form: nothing of it was read"
        faults = (Fault("too many parts", hint="send them in several goes; what is sent twice is kept once"),)
    elif isinstance(error, HTTPException):
        status, detail = error.status_code, error.detail
        faults = tuple(_fault(each) for each in error.extra or []) if isinstance(error.extra, list) else ()
    else:
        status, detail = 500, "this is a defect of arpad; it was written to the server's log"
    return ProblemDocument("about:blank", HTTPStatus(status).phrase, status, detail, faults)


def _where(source: str | None, line: int | None) -> str:
    return ":".join(str(each) for each in (source, line) if each)


def _fault(said: Any) -> Fault:
    if not isinstance(said, dict):
        return Fault(str(said))
    where = str(said.get("key", ""))
    return Fault(str(said.get("message", "")), where, pointer=pointer(where) if said.get("source") == "body" else None)


def _as_asked(request: Request[Any, Any, Any], problem: ProblemDocument) -> ProblemDocument:
    """Faults of an address by what they are called there, which is not always what the handler calls them."""
    if not any(each.where and each.pointer is None for each in problem.faults) or "route_handler" not in request.scope:
        return problem
    handler = request.route_handler
    every = [
        handler.parsed_fn_signature,
        *(each.parsed_fn_signature for each in handler.resolve_dependencies().values()),
    ]
    called = {
        name: field.kwarg_definition.name or name
        for signature in every
        for name, field in signature.parameters.items()
        if isinstance(field.kwarg_definition, ParameterKwarg)
    }
    faults = tuple(
        each if each.pointer else msgspec.structs.replace(each, where=called.get(each.where, each.where))
        for each in problem.faults
    )
    return msgspec.structs.replace(problem, faults=faults)


def pointer(place: str) -> str:
    """A place in a body, such as `games[0].rating`, as a JSON pointer: `#/games/0/rating`."""
    parts = [part for part in re.split(r"[.\[\]]+", place.removeprefix("data")) if part]
    return "#" + "".join(f"/{part.replace('~', '~0').replace('/', '~1')}" for part in parts)


def _from(request: Request[Any, Any, Any]) -> str:
    """The address of the page that was asked for, or whose form was sent; blank where it is none of this site."""
    asked = urlsplit(str(request.url) if request.method == "GET" else request.headers.get("referer", ""))
    return local(f"{asked.path}?{asked.query}".rstrip("?"), "")


def answer(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """The answer for an error, as whoever asked can read it."""
    problem = _as_asked(request, described(error))
    if isinstance(error, RequestEntityTooLarge):
        limit = request.route_handler.resolve_request_max_body_size() or 0
        detail = f"more than {limit:,} bytes in one request: nothing of it was kept"
        problem = msgspec.structs.replace(problem, detail=detail)
    if problem.status >= 500:
        logger.error("%s %s", request.method, request.url.path, exc_info=error)
    headers = dict(getattr(error, "headers", None) or {})
    if problem.status == 503:
        headers["Retry-After"] = "5"
    if problem.status == 429:
        headers["Retry-After"] = headers.get("RateLimit-Reset", "60")
    if of_api(request.url.path):
        if problem.status == 401:
            headers.setdefault("WWW-Authenticate", 'Bearer realm="arpad"')
        return Response(problem, status_code=problem.status, media_type="application/problem+json", headers=headers)
    visit = Visit(request)
    if problem.status == 401:  # whoever signs in comes back to what they asked for, or to the form that they sent
        return Redirect(visit.links("sign-in", next=_from(request) or None), status_code=303)
    if problem.status == 405 and request.method == "GET":  # forms are sent here: the page that has them is above it
        return Redirect(request.url.path.rstrip("/").rpartition("/")[0] or "/", status_code=303)
    form = _from(request) if request.method == "POST" else ""
    found = visit.page("error.html", problem.status, problem=problem, form=form)
    found.headers.update(headers)
    return found
