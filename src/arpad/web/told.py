"""What webhooks tell: the events that there are, and the body of each, with roles, ids and numbers, and no names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Literal, TypeAlias, get_args

import msgspec

from arpad.bureau.ladder_rows import State, Step, match
from arpad.bureau.opened import Office
from arpad.bureau.wording import words
from arpad.ledger import chain
from arpad.web.views.corrections import KINDS
from arpad.web.views.ladder import Result, result_of

Happening: TypeAlias = Literal[
    "publication",
    "correction",
    "report.accepted",
    "match.reported",
    "match.confirmed",
    "match.disputed",
    "match.settled",
    "match.dropped",
    "match.withdrawn",
]

HAPPENINGS: tuple[Happening, ...] = get_args(Happening)
#: What an entry of the log is to those who wait for it, by its kind.
OF_KIND: Mapping[str, Happening] = {
    "publish": "publication",
    "accept": "report.accepted",
    **dict.fromkeys(KINDS, "correction"),
}
#: What a match of a ladder is to them, by the state that it came to.
OF_STATE: Mapping[State, Happening] = {
    "reported": "match.reported",
    "confirmed": "match.confirmed",
    "disputed": "match.disputed",
    "settled": "match.settled",
    "dropped": "match.dropped",
    "withdrawn": "match.withdrawn",
}


class Published(msgspec.Struct, frozen=True):
    """A list was published. `path` is where the API has it."""

    what: str
    list: str
    date: date
    sha256: str
    path: str


class Corrected(msgspec.Struct, frozen=True):
    """A fact was corrected, people merged or split, or something taken back. `path` is where the API has it."""

    what: str
    path: str


class Accepted(msgspec.Struct, frozen=True):
    """A report was accepted, with these events; also the report that a match of a ladder becomes when it counts."""

    what: str
    report: int
    events: tuple[int, ...]


class Matched(msgspec.Struct, frozen=True):
    """A match of a ladder came to a state. Results are the first player's: `reported`, what the other one `said` if
    they said it ended otherwise, and how it `counts`, in `game` (0: it does not). `path` is where the API has it."""

    what: str
    list: str
    match: int
    state: State
    first: int
    second: int
    date: date
    number: int
    reported: Result
    said: Result | None
    counts: Result | None
    game: int
    path: str


class Told(msgspec.Struct, frozen=True):
    """The body of a delivery. `entry` is the entry of the log that says it; of a match, the last one when it was so.
    `data` is what BODIES has for the event."""

    id: str
    event: Happening
    entry: int
    at: str
    data: Any


#: What each event is told with.
BODIES: Mapping[Happening, type[Any]] = {
    "publication": Published,
    "correction": Corrected,
    "report.accepted": Accepted,
    **dict.fromkeys(OF_STATE.values(), Matched),
}


def of_entry(office: Office, hook: int, entry: chain.Entry) -> Told:
    """An entry of the log, for a webhook."""
    return Told(f"{hook}-{entry.seq}", OF_KIND[entry.kind], entry.seq, entry.at, _written(office, entry))


def _written(office: Office, entry: chain.Entry) -> Published | Corrected | Accepted:
    if entry.kind == "publish":
        name = next(each.name for each in office.lists() if each.id == entry.body["list"])
        day = date.fromordinal(entry.body["day"])
        path = f"/api/v1/lists/{name}/publications/{day}"
        return Published(words(entry), name, day, entry.body["sha256"], path)
    if entry.kind == "accept":
        return Accepted(words(entry), entry.body["report"], tuple(each[0] for each in entry.body["events"]))
    return Corrected(words(entry), f"/api/v1/corrections/{entry.seq}")


def of_step(office: Office, hook: int, step: Step) -> Told:
    """What became of a match, for a webhook; as it was then, also where the match has gone on since."""
    held = match(office, step.match)
    counts = held.final if step.state in ("confirmed", "settled") else None
    data = Matched(
        f"match {held.id} of list {held.list!r}: {step.state}",
        held.list,
        held.id,
        step.state,
        held.first,
        held.second,
        held.day,
        held.number,
        result_of(held.score),
        None if held.said is None or step.state == "reported" else result_of(held.said),
        None if counts is None else result_of(counts),
        held.game if counts is not None else 0,
        f"/api/v1/matches/{held.id}",
    )
    return Told(f"{hook}-m{step.id}", OF_STATE[step.state], step.entry, step.at, data)


def documented() -> tuple[dict[str, Any], dict[str, Any]]:
    """The webhooks of an OpenAPI document (3.1, "webhooks"), and the schemas that they name."""
    place = "#/components/schemas/{name}"
    (whole, *_), schemas = msgspec.json.schema_components([Told, *BODIES.values()], ref_template=place)
    return {event: {"post": _operation(event, whole)} for event in HAPPENINGS}, schemas


def _operation(event: Happening, whole: Mapping[str, Any]) -> dict[str, Any]:
    body = BODIES[event]
    ours = {"properties": {"event": {"const": event}, "data": {"$ref": f"#/components/schemas/{body.__name__}"}}}
    return {
        "operationId": f"told-{event}",
        "tags": ["webhooks"],
        "summary": event,
        "description": body.__doc__,
        "parameters": list(_headers()),
        "requestBody": {"required": True, "content": {"application/json": {"schema": {"allOf": [whole, ours]}}}},
        "responses": {
            "2XX": {"description": "It was heard. What is answered otherwise, or not in time, is told again later."}
        },
    }


def _headers() -> Iterator[dict[str, Any]]:
    for name, meaning in (
        ("Arpad-Event", "Which event it is."),
        ("Arpad-Delivery", "The same each time it is tried."),
        ("Arpad-Signature", "`t=…,v1=…`: HMAC-SHA256 with the hook's secret over `t`, a dot, and the body."),
    ):
        told = {"name": name, "in": "header", "required": True, "description": meaning}
        yield {**told, "schema": {"type": "string"}}
