"""The document of the API (OpenAPI 3.1), made from its handlers: everything that can be asked, and every answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from litestar import Request, Response, Router, get
from litestar.exceptions import NotFoundException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, License, SecurityScheme, Tag
from litestar.response import Redirect

from arpad import __version__
from arpad.web import told
from arpad.web.answers import ProblemDocument
from arpad.web.api.answering import JSON, NDJSON, Answer
from arpad.web.api.examples import BODIES, PATHS, QUERIES
from arpad.web.callers import scoped
from arpad.web.visits import Here

PROBLEM = "application/problem+json"
#: What each refusal means, whatever was asked.
REFUSALS: Mapping[int, str] = {
    400: "The request is wrong: `faults` say where, or `detail` why.",
    401: "This is for people with an account, and none was named.",
    403: "This is for a higher role, or for a token with another scope.",
    404: "There is nothing of this name or number.",
    405: "Not with this method; `Allow` says with which.",
    406: "It is to be had in none of the forms of `Accept`.",
    409: "The request with this `Idempotency-Key` has no answer, yet or any more; or `head` is not the last entry.",
    410: "It is from before the server was started, and nothing is known of it.",
    412: "The office was written to since the answer whose tag `If-Match` has.",
    413: "The body is too large.",
    415: "The body is in a form that is not read here.",
    422: "It was read, and cannot be so; or the `Idempotency-Key` was used for another request.",
    429: "Too many requests; `Retry-After` says when to come again.",
    503: "Somebody else is writing, or others ask for what takes long; `Retry-After` says when to come again.",
}
#: Those that any request can meet, those of one that writes, and those of one with a body.
ANY, WRITES, WITH_BODY = (400, 404, 405, 406, 429, 503), (409, 412, 422), (413, 415)
TAGS = (
    Tag("lists", "Rating lists: rows, publications, records, distributions, development."),
    Tag("players", "People, their cards and what explains them."),
    Tag("events", "Events and their games."),
    Tag("games", "Games, one by one or all of them."),
    Tag("corrections", "The public log of what was changed, and whom it moved."),
    Tag("rulebooks", "Rulebooks: editions, clauses on a day, what changed."),
    Tag("calculators", "Expected scores, performances, and what would come of games."),
    Tag("desk", "What the office does: reports, corrections, publications."),
    Tag("ladders", "Matches that players report, what is at stake, seasons."),
    Tag("webhooks", "Being told of what happens."),
    Tag("accounts", "Who may do what: accounts and their roles."),
    Tag("office", "How the office stands, and the whole of it."),
)
WORDS = """Everything that the pages show and do, for programs.

* Reading is for everybody; other things take a token: `Authorization: Bearer …`.
* What is not known is `null`. Days are `2025-04-01`, moments are in UTC.
* Long lists come in portions: `limit`, and `next` as the `cursor` of the portion after (also in the `Link` header).
* Every answer to a GET has an `ETag`, but for JSON Lines, which are sent as they are made. With it as `If-None-Match`
  the same content is not sent again (304); with it as `If-Match` a write is refused (412) if anything was written
  since.
* What may take long answers at once to `Prefer: respond-async`: 202, with the `Location` of a job to ask again.
* A POST with an `Idempotency-Key` is carried out once however often it is sent; its answer is kept for 24 hours.
* Errors are `application/problem+json` (RFC 9457); `faults` name each thing that is wrong with a report, of a body or a
  query the first one, and `pointer` its place in the body.
"""


def config(title: str) -> OpenAPIConfig:
    """What Litestar makes the document from. It serves the document itself nowhere: `openapi` does."""

    async def nothing_here(request: Request[Any, Any, Any]) -> None:
        raise NotFoundException

    return OpenAPIConfig(
        f"{title}: API",
        __version__,
        description=WORDS,
        license=License("MIT"),
        tags=list(TAGS),
        components=Components(
            security_schemes={
                "token": SecurityScheme("http", "A token of an account, with scopes.", scheme="bearer"),
            }
        ),
        render_plugins=[JsonRenderPlugin()],
        openapi_router=Router(
            "/api/v1/openapi", route_handlers=[], before_request=nothing_here, include_in_schema=False
        ),
        create_examples=False,
        operation_id_creator=operation_id,
        use_handler_docstrings=True,
    )


def operation_id(handler: Any, method: Any, path: Sequence[Any]) -> str:
    """What a program calls an operation: `get-lists-name-ratings`."""
    parts = [getattr(part, "name", part) for part in path if part not in ("api", "v1")]
    return "-".join([str(getattr(method, "value", method)).lower(), *(str(part).replace(".", "-") for part in parts)])


@get("/openapi.json", include_in_schema=False)
async def openapi(request: Request[Any, Any, Any]) -> Response[Any]:
    """The document."""
    return Answer(described(request.app), media_type=JSON)


def described(app: Any) -> dict[str, Any]:
    """The document of an application, with every refusal; made once."""
    if "document" not in app.state:
        made = app.openapi_schema.to_schema()
        made["webhooks"], schemas = told.documented()
        made["components"]["schemas"] |= _problem_schemas() | schemas
        known = handlers(app)
        for path, method, operation in operations(made):
            _complete(operation, f"{method.upper()} {path.removeprefix('/api/v1')}", known[path, method])
        app.state.document = made
    found: dict[str, Any] = app.state.document
    return found


def operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(path, method, operation) of everything that can be asked."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method in ("get", "post", "put", "patch", "delete"):
                yield path, method, operation


def handlers(app: Any) -> dict[tuple[str, str], Any]:
    """Every handler by (path, method)."""
    return {
        (route.path_format, method.lower()): handler
        for route in app.routes
        for handler in getattr(route, "route_handlers", ())
        for method in getattr(handler, "http_methods", ())
    }


def _scopes(handler: Any) -> tuple[str, ...]:
    """Those of its guards; whatever else is guarded asks for a role, and of a token that it reads."""
    return tuple(guard.scope for guard in handler.resolve_guards() if isinstance(guard, scoped)) or ("read",)


def _problem_schemas() -> dict[str, Any]:
    _, schemas = msgspec.json.schema_components([ProblemDocument], ref_template="#/components/schemas/{name}")
    return schemas


def _complete(operation: dict[str, Any], key: str, handler: Any) -> None:
    """Add what Litestar does not know: refusals, headers, forms, examples, and who may ask."""
    closed = bool(handler.resolve_guards()) or "scopes" in handler.opt
    scopes = tuple(handler.opt.get("scopes", ())) or _scopes(handler) if closed else None
    if forms := handler.opt.get("forms"):
        answer = operation["responses"]["200"]
        told = answer.get("content", {})
        answer["content"] = {form: told.get(form, {"schema": {"type": "string"}}) for form in forms}
    writes, sends = not key.startswith("GET "), "requestBody" in operation
    tagged = not writes and NDJSON not in handler.opt.get("forms", ())
    refusals = [
        *ANY,
        *(WRITES if writes else ()),
        *(WITH_BODY if sends else ()),
        *handler.opt.get("refusals", ()),
        *((401, 403) if scopes is not None else ()),
    ]
    responses = operation["responses"]
    responses |= {str(status): _refusal(status) for status in sorted(set(refusals))}
    if tagged:
        responses["304"] = {"description": "It still reads as the answer whose tag `If-None-Match` has."}
    headers = [("If-Match", "The `ETag` of an earlier answer.")] if writes else []
    if tagged:
        headers.append(("If-None-Match", "An earlier `ETag`."))
    if key.startswith("POST "):
        headers.append(("Idempotency-Key", "Any word of yours: the request is carried out once."))
    operation.setdefault("parameters", []).extend(
        {
            "name": name,
            "in": "header",
            "description": words,
            "schema": {"type": "string"},
            "required": False,
        }
        for name, words in headers
    )
    for parameter in operation["parameters"]:
        examples = {**PATHS, **QUERIES.get(key, {})} if parameter["in"] == "path" else QUERIES.get(key, {})
        if parameter["name"] in examples:
            parameter["example"] = examples[parameter["name"]]
    if key in BODIES:
        for content in operation["requestBody"]["content"].values():
            content["example"] = BODIES[key]
    operation["security"] = [{"token": list(scopes)}] if scopes is not None else [{}, {"token": []}]


def _refusal(status: int) -> dict[str, Any]:
    content = {PROBLEM: {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}}
    return {"description": REFUSALS[status], "content": content}


@get("/docs", include_in_schema=False, opt={"forms": ()})
async def docs(visit: Here) -> Redirect:
    """The page that shows it."""
    return Redirect(visit.links("api"))


HANDLERS = [openapi, docs]
