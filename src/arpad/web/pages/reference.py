"""The page of the API: what its document says, drawn here, with a form to try each thing out.

It is drawn on the server, as every other page is: it needs nothing from another host, no exception to what pages may
load and run, and can be read without a script.
"""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect

from arpad.web.api.document import described
from arpad.web.api.reference import Operation, Reference, curl, python, reference
from arpad.web.visits import Here


@get("/api")
async def api(request: Request[Any, Any, Any], visit: Here) -> Response[Any]:
    """Everything that can be asked of the API."""
    base = str(request.base_url).rstrip("/")
    examples = {
        each.id: {"curl": curl(each, base), "Python": python(each, base)} for each in _operations(_told(request.app))
    }
    return visit.page("api.html", page=_told(request.app), examples=examples)


@get("/api/try/{operation:str}")
async def attempt(request: Request[Any, Any, Any], operation: FromPath[str]) -> Redirect:
    """Where the form of an operation leads that only reads, in a browser without scripts."""
    found = next((each for each in _operations(_told(request.app)) if each.id == operation), None)
    if found is None or found.method != "GET":
        raise NotFoundException(f"there is nothing to be read by the name of {operation}")
    return Redirect(found.address(dict(request.query_params)))


def _told(app: Any) -> Reference:
    """The document as the page shows it, made once."""
    if "reference" not in app.state:
        app.state.reference = reference(described(app))
    told: Reference = app.state.reference
    return told


def _operations(told: Reference) -> list[Operation]:
    return [each for group in told.groups for each in group.operations]


HANDLERS = [api, attempt]
