"""What reporters and officers do: reports, corrections, merges, publications; each by the same function as its page.

Every preview has the last entry that it was made after, as `head` and as `ETag`. Whoever sends it back with what is to
be done, as `head` (409) or `If-Match` (412), is refused if something was entered since.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Concatenate, ParamSpec, TypeVar
from urllib.parse import unquote

import msgspec
from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.spec import OpenAPIFormat, OpenAPIMediaType, OpenAPIType, Operation, RequestBody, Schema
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from arpad.bureau.intake import Decisions, Received
from arpad.bureau.lists import today
from arpad.bureau.opened import Office
from arpad.bureau.reports import Sent
from arpad.errors import DataError, Stale
from arpad.formats import Reading
from arpad.web import work
from arpad.web.api.answering import Answer
from arpad.web.api.jobs import ACCEPTED, Prefer, begun, waits
from arpad.web.callers import at_least, scoped
from arpad.web.jobs import Wanted
from arpad.web.pages.reports import MOST, mine
from arpad.web.views import changes, desk, publishing, reports
from arpad.web.visits import Here, Visit, expected_heads

P = ParamSpec("P")
T = TypeVar("T")

CORRECT, PUBLISH = [scoped("correct")], [scoped("publish")]
#: The same, for the document.
CORRECTS, PUBLISHES = {"scopes": ("correct",)}, {"scopes": ("publish",)}


class Reason(msgspec.Struct, frozen=True):
    """Why."""

    reason: str = ""


class Acceptance(msgspec.Struct, frozen=True):
    """What is decided of a report: see `Decisions`. `people`: who is who, by what the report calls them; 0: new."""

    people: Mapping[str, int] = {}
    register: bool = False
    distinct: bool = False
    ids: str = ""
    pool: str = ""
    date_format: str | None = None
    encoding: str | None = None
    reason: str = ""
    head: int | None = None


class ChangeAsked(msgspec.Struct, frozen=True):
    """One change, why, and the last entry of the preview that it was looked at in."""

    change: changes.Asked
    reason: str = ""
    head: int | None = None


class MergeAsked(msgspec.Struct, frozen=True):
    """`other` becomes `person`."""

    person: int
    other: int
    reason: str = ""
    head: int | None = None


class SplitAsked(msgspec.Struct, frozen=True):
    """The last merge of this number is taken back."""

    person: int
    reason: str = ""
    head: int | None = None


class RevertAsked(msgspec.Struct, frozen=True):
    """Why an entry is taken back."""

    reason: str = ""
    head: int | None = None


class PublicationAsked(msgspec.Struct, frozen=True):
    """A list of a day; the first list of the office without a name. `ahead`: a day that is far ahead is meant."""

    day: date = msgspec.field(name="date")
    list: str | None = None
    reason: str = ""
    head: int | None = None
    ahead: bool = False


@dataclass
class FileSent(Operation):
    """What the document says of a report that is sent, which no parameter of the handler tells."""

    def __post_init__(self) -> None:
        file = Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY)
        parts = Schema(type=OpenAPIType.OBJECT, properties={"file": file}, required=["file"])
        kinds = {"multipart/form-data": parts, "application/octet-stream": file}
        self.request_body = RequestBody(
            {kind: OpenAPIMediaType(schema) for kind, schema in kinds.items()}, required=True
        )


@post(
    "/reports",
    guards=[scoped("report", "reporter")],
    opt={"scopes": ("report",)},
    tags=["desk"],
    summary="Hand in a report",
    request_max_body_size=MOST,
    operation_class=FileSent,
)
async def hand_in(
    visit: Here,
    name: Annotated[str, QueryParameter(description="What a raw body is called; its ending says what it is.")] = "",
    ids: Annotated[str, QueryParameter(description="Whose numbers the players of a table are.")] = "",
    dry: FromQuery[bool] = False,
) -> Received:
    """Keep a report: as a file of `multipart/form-data`, or as the body with its `name`. The same bytes are the same
    report, however often they come. Nothing is accepted by this. For reporters and above."""
    sent = await _sent(visit, name)
    act = visit.see if dry else visit.do
    found = (await act(reports.hand_in, [sent], Decisions(ids=ids), None, dry=dry))[0]
    if found.received is None:
        raise DataError(found.problems)
    shown = reports.for_reporters(found) if mine(visit) else found
    assert shown.received is not None
    return shown.received


async def _sent(visit: Visit, name: str) -> Sent:
    """The report of a request. Raises ValidationException where there is none, or it has no name."""
    if visit.request.content_type[0] == "multipart/form-data":
        held = await visit.request.form()
        files = [each for each in held.values() if isinstance(each, UploadFile)]
        if len(files) != 1:
            raise ValidationException("send one file")
        return Sent(name or files[0].filename, await files[0].read())
    given = name or unquote(visit.request.headers.get("x-file-name", ""))
    if not given:
        raise ValidationException("say what the report is called: its ending says what it is", extra=[{"key": "name"}])
    return Sent(given, await visit.request.body())


@get("/reports", guards=[at_least("reporter")], tags=["desk"], summary="Reports by stage")
async def inbox(visit: Here, stage: FromQuery[str] = "") -> reports.Inbox:
    """Reports by stage: held, staged, accepted, refused. Reporters see their own."""
    return await visit.see(reports.inbox, stage, mine(visit))


@get("/reports/{number:int}", guards=[at_least("reporter")], tags=["desk"], summary="A report")
async def report(
    visit: Here, number: FromPath[int], ids: FromQuery[str] = "", pool: FromQuery[str] = ""
) -> reports.ReportPage:
    """A report with all that holds it, who is who, and what is assumed."""
    return await visit.see(reports.report, number, Decisions(ids=ids, pool=pool), None, mine(visit))


@post(
    "/reports/{number:int}/accept",
    guards=CORRECT,
    opt=CORRECTS,
    tags=["desk"],
    status_code=200,
    summary="Accept a report",
    responses=ACCEPTED,
)
async def accept(
    visit: Here, number: FromPath[int], data: JSONBody[Acceptance], prefer: Prefer = ""
) -> Response[Received]:
    """Accept a report whole. What holds it is named (422), and nothing was written. Accepted again, it is as it was."""
    decisions = Decisions(data.people, data.register, data.distinct, data.ids, data.pool)
    reading = Reading(encoding=data.encoding, date_format=data.date_format)
    if not waits(prefer):
        wanted = Wanted("accept", work.accept, (decisions, reading, data.reason), {"report": number})
        return begun(visit, _looked_at(visit, data.head)[0], wanted)
    return Answer(await confirmed(visit, data.head, reports.accept, number, decisions, reading, data.reason))


@post(
    "/reports/{number:int}/refuse",
    guards=CORRECT,
    opt=CORRECTS,
    tags=["desk"],
    status_code=200,
    summary="Refuse a report",
)
async def refuse(visit: Here, number: FromPath[int], data: JSONBody[Reason]) -> reports.Filed:
    """Refuse a report; it is kept, and may be sent again."""
    return await visit.do(reports.refuse, number, data.reason)


async def confirmed(
    visit: Visit, head: int | None, act: Callable[Concatenate[Office, P], T], *args: P.args, **named: P.kwargs
) -> T:
    """Do what was looked at, if nothing was entered since `head`, or since the entry that `If-Match` names."""
    looked_at, conditional = _looked_at(visit, head)
    try:
        return await visit.plainly(act, *args, **{**named, "head": looked_at})  # type: ignore[arg-type]
    except Stale as error:
        if not conditional:
            raise
        raise HTTPException(status_code=412, detail=str(error)) from None


def _looked_at(visit: Visit, head: int | None) -> tuple[int | None, bool]:
    """The last entry of what was looked at, and whether `If-Match` names it."""
    expected = expected_heads(visit.request.headers.get("if-match", ""))
    if expected is None:
        return head, False
    return max(expected, default=-1), True  # entries are only added: an earlier one is no more


async def _carried_out(
    visit: Visit, prefer: str, asked: changes.Asked, reason: str, head: int | None
) -> Response[changes.Done]:
    if not waits(prefer):
        return begun(visit, _looked_at(visit, head)[0], Wanted("change", work.change, (asked, reason)))
    return Answer(await confirmed(visit, head, changes.carry_out, asked, reason))


def tagged(record: T, head: int) -> Response[T]:
    """A preview with the last entry that it was made after."""
    return Response(record, headers={"ETag": f'"{head}"'})


async def _previewed(visit: Visit, asked: changes.Asked) -> Response[changes.Preview]:
    found = await (visit.plainly if changes.holds(asked) else visit.weigh)(changes.preview, asked)
    return tagged(found, found.head)


@post(
    "/corrections:preview", guards=CORRECT, opt=CORRECTS, tags=["desk"], status_code=200, summary="Preview a correction"
)
async def preview(visit: Here, data: JSONBody[ChangeAsked]) -> Response[changes.Preview]:
    """Who would move by how much, and which published lists would differ; nothing is written."""
    return await _previewed(visit, data.change)


@post("/corrections", guards=CORRECT, opt=CORRECTS, tags=["desk"], summary="Correct a fact", responses=ACCEPTED)
async def correct(visit: Here, data: JSONBody[ChangeAsked], prefer: Prefer = "") -> Response[changes.Done]:
    """Change a fact by an entry of its own, which can be taken back."""
    return await _carried_out(visit, prefer, data.change, data.reason, data.head)


@post(
    "/corrections/{entry:int}/revert:preview",
    guards=CORRECT,
    opt=CORRECTS,
    tags=["desk"],
    status_code=200,
    summary="Preview what taking an entry back would do",
)
async def preview_revert(visit: Here, entry: FromPath[int]) -> Response[changes.Preview]:
    """What the taking back of an entry would do."""
    return await _previewed(visit, changes.Undoing(entry))


@post(
    "/corrections/{entry:int}/revert",
    guards=CORRECT,
    opt=CORRECTS,
    tags=["desk"],
    summary="Take an entry back",
    responses=ACCEPTED,
)
async def revert(
    visit: Here, entry: FromPath[int], data: JSONBody[RevertAsked], prefer: Prefer = ""
) -> Response[changes.Done]:
    """Take back an entry, or the taking back of one."""
    return await _carried_out(visit, prefer, changes.Undoing(entry), data.reason, data.head)


@post("/merges:preview", guards=CORRECT, opt=CORRECTS, tags=["desk"], status_code=200, summary="Preview a merge")
async def preview_merge(visit: Here, data: JSONBody[MergeAsked]) -> Response[changes.Preview]:
    """What it would do that two numbers are one person."""
    return await _previewed(visit, changes.Merge(data.person, data.other))


@post("/merges", guards=CORRECT, opt=CORRECTS, tags=["desk"], summary="Merge two people", responses=ACCEPTED)
async def merge(visit: Here, data: JSONBody[MergeAsked], prefer: Prefer = "") -> Response[changes.Done]:
    """Two numbers are one person from now on."""
    return await _carried_out(visit, prefer, changes.Merge(data.person, data.other), data.reason, data.head)


@post(
    "/splits:preview",
    guards=CORRECT,
    opt=CORRECTS,
    tags=["desk"],
    status_code=200,
    summary="Preview the taking back of a merge",
)
async def preview_split(visit: Here, data: JSONBody[SplitAsked]) -> Response[changes.Preview]:
    """What the taking back of a merge would do."""
    return await _previewed(visit, changes.Split(data.person))


@post("/splits", guards=CORRECT, opt=CORRECTS, tags=["desk"], summary="Take a merge back", responses=ACCEPTED)
async def split(visit: Here, data: JSONBody[SplitAsked], prefer: Prefer = "") -> Response[changes.Done]:
    """Take the last merge of a number back."""
    return await _carried_out(visit, prefer, changes.Split(data.person), data.reason, data.head)


@post(
    "/publications:preview",
    guards=PUBLISH,
    opt=PUBLISHES,
    tags=["desk"],
    status_code=200,
    summary="Preview a publication",
)
async def preview_publication(visit: Here, data: JSONBody[PublicationAsked]) -> Response[publishing.Draft]:
    """The list of a day as it would be published, against the one before, with its digest."""
    found = await visit.weigh(publishing.draft, data.day, data.list, today())
    return tagged(found, found.head)


@post("/publications", guards=PUBLISH, opt=PUBLISHES, tags=["desk"], summary="Publish a list", responses=ACCEPTED)
async def publish(
    visit: Here, data: JSONBody[PublicationAsked], prefer: Prefer = ""
) -> Response[publishing.PublicationDone]:
    """Publish the list of a day; from then on it stands as it is."""
    if not waits(prefer):
        about = {"list": data.list, "day": data.day}
        wanted = Wanted("publish", work.publish, (data.reason, data.ahead), about)
        return begun(visit, _looked_at(visit, data.head)[0], wanted)
    given = data.day, data.list, data.reason
    return Answer(await confirmed(visit, data.head, publishing.publish, *given, ahead=data.ahead))


@get("/log", guards=[at_least("officer")], tags=["desk"], summary="The log of the office")
async def log(
    visit: Here,
    before: Annotated[int, QueryParameter(ge=0, description="Entries before this one; 0: the last ones.")] = 0,
    kind: FromQuery[str] = "",
    size: Annotated[int, QueryParameter(ge=1, le=1000)] = desk.SIZE,
) -> desk.LogPage:
    """The entries, the last first, with who, when, why, and which can be taken back."""
    return await visit.see(desk.log, before, kind, size, language=visit.language)


HANDLERS = [hand_in, inbox, report, accept, refuse, preview, correct, preview_revert, revert, preview_merge, merge]
HANDLERS += [preview_split, split, preview_publication, publish, log]
