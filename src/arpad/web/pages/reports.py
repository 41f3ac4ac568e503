"""The desk's pages of reports: the inbox, what is handed in, a report, its repairs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import quote

import msgspec
from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath
from litestar.response import Redirect
from msgspec.structs import replace

from arpad.bureau.reports import Sent
from arpad.errors import DataError, Stale
from arpad.model import Problem
from arpad.web import work
from arpad.web.answers import FILES
from arpad.web.callers import at_least
from arpad.web.drawing import LISTED, Drawing
from arpad.web.jobs import Wanted
from arpad.web.pages.desk import outcome
from arpad.web.pages.forms import Head, asked_again, decided, filled, record
from arpad.web.views import reports
from arpad.web.visits import Here, Visit

#: What a form with reports may be in bytes: one of the largest, and what stands around it.
MOST = reports.LARGEST + (1 << 20)
#: Characters of an address that every server between here and the reader lets pass: arpad's own number.
ADDRESS = 4000
#: Characters of a message that programs for mail take by an address; the whole of it stands on the page.
MAILED = 1500


class InboxAsked(msgspec.Struct, frozen=True):
    stage: str = ""


class Repairs(msgspec.Struct, frozen=True):
    """The numbers of repairs that are chosen."""

    repair: list[int]


def mine(visit: Visit) -> str:
    """Whose reports somebody sees: of a reporter, their own; of officers, all."""
    return "" if visit.caller.may("officer") else visit.caller.actor


@get("/desk/reports", guards=[at_least("reporter")])
async def inbox(visit: Here) -> Response[Any]:
    """Reports by stage, and the form to hand some in."""
    page = await visit.see(reports.inbox, visit.asked(InboxAsked).stage, mine(visit))
    return visit.page("desk/inbox.html", page=page, limit=reports.LARGEST >> 20, files=FILES)


@post("/desk/reports", guards=[at_least("reporter")], status_code=200, request_max_body_size=MOST)
async def hand_in(visit: Here) -> Response[Any]:
    """Report files handed in, each for itself; sent again, they are the same reports."""
    held = await visit.request.form()
    uploads = [each for each in held.getall("files", []) if isinstance(each, UploadFile) and each.filename]
    files = [Sent(each.filename, await each.read()) for each in uploads]
    given = await filled(visit)
    form, decisions = decided(given)
    act = visit.weigh if "dry" in given else visit.plainly
    found = await act(reports.hand_in, files, decisions, form.reading(), dry="dry" in given)
    if mine(visit):
        found = tuple(reports.for_reporters(each) for each in found)
    return visit.page("desk/handed.html", handed=found, dry="dry" in given)


@get("/desk/reports/{number:int}", guards=[at_least("reporter")])
async def report(visit: Here, number: FromPath[int]) -> Response[Any]:
    """A report: what is wrong with it, who is who, what was assumed."""
    return await _shown(visit, number, dict(visit.request.query_params))


async def _shown(
    visit: Visit, number: int, given: dict[str, Any], status: int = 200, problems: tuple[Problem, ...] = ()
) -> Response[Any]:
    form, decisions = decided({name: value for name, value in given.items() if value != ""})
    page = await visit.weigh(reports.report, number, decisions, form.reading(), mine(visit))
    stale = status == 409
    context: dict[str, Any] = {"form": form, "decisions": decisions, "problems": problems, "stale": stale}
    context["reason"] = given.get("reason", "")
    _ = visit.shop.drawing.words(visit.language)
    message = letter(_, visit.shop.drawing, visit.language, page)
    subject = _("Report %(name)s") % {"name": page.filed.source}
    mail = f"mailto:?subject={quote(subject)}&body={quote(message[:MAILED])}"
    return visit.page("desk/report.html", status, page=page, letter=message, mail=mail, **context)


@post("/desk/reports/{number:int}", guards=[at_least("officer")], status_code=200)
async def decide(visit: Here, number: FromPath[int]) -> Response[Any]:
    """Look at a report again with what was decided, accept it, or refuse it."""
    given = await filled(visit)
    step, reason = given.get("step", "look"), str(given.get("reason", ""))
    if step == "refuse":
        await visit.plainly(reports.refuse, number, reason)
        return Redirect(visit.links("desk-report", report=number), status_code=303)
    if step == "accept":
        form, decisions = decided(given)
        wanted = Wanted("accept", work.accept, (decisions, form.reading(), reason), {"report": number})
        try:
            return await outcome(visit, record(given, Head).head, wanted, given)
        except Stale:
            return await _shown(visit, number, given, 409)
        except DataError as error:
            return await _shown(visit, number, given, 422, error.problems)
    address = visit.links("desk-report", report=number, **asked_again(given))
    if len(address) > ADDRESS:
        return await _shown(visit, number, given)
    return Redirect(address, status_code=303)


@get("/desk/reports/{number:int}/file", guards=[at_least("reporter")])
async def file(visit: Here, number: FromPath[int]) -> Response[bytes]:
    """A report as it came."""
    return download(await visit.see(reports.content, number, mine(visit)))


@post("/desk/reports/{number:int}/repair", guards=[at_least("reporter")], status_code=200)
async def repair(visit: Here, number: FromPath[int]) -> Response[Any]:
    """The report with the chosen repairs: as a file, or in place of the one that came."""
    held = await visit.request.form()
    chosen = record({"repair": held.getall("repair", [])}, Repairs).repair
    if held.get("step") == "take" and not mine(visit):
        fresh = await visit.plainly(reports.take_repaired, number, chosen)
        return Redirect(visit.links("desk-report", report=fresh), status_code=303)
    return download(await visit.see(reports.repaired, number, chosen, mine(visit)))


def download(sent: Sent) -> Response[bytes]:
    """Bytes to be kept as a file, never shown."""
    name = quote(sent.name, safe="")
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}", "X-Content-Type-Options": "nosniff"}
    return Response(sent.content, media_type="application/octet-stream", headers=headers)


def letter(_: Callable[[str], str], drawing: Drawing, language: str, page: reports.ReportPage) -> str:
    """What to write to whoever sent a report, in a language: each problem by its line, with what would help, and
    nothing of what the register has of people."""
    told = partial(drawing.told, language)

    def line(problem: Problem) -> str:
        place = drawing.placed(language, problem.column)
        return str(replace(problem, message=told(problem.message), column=place, hint=told(problem.hint)))

    received = reports.unregistered(page.received) if page.received else None
    found = [each for each in (*received.holds, *received.log) if each.severity != "note"] if received else []
    lines = [f"- {line(problem)}" for problem in found[:LISTED]]
    lines += [
        f"- {each.line}:{each.column}: {told(each.message)}" + (f" ({told(each.repair)})" if each.repair else "")
        for each in page.proposals[: LISTED - len(lines)]
    ]
    more = len(found) + len(page.proposals) - len(lines)
    head = [_("Your report %(name)s was looked at.") % {"name": page.filed.source}, ""]
    if not lines:
        return "\n".join([*head, _("Nothing is wrong with it.")])
    head += [_("Please look at these lines, and send it again:"), ""]
    return "\n".join([*head, *lines, *([_("And more: %(count)s.") % {"count": more}] if more else [])])


HANDLERS = [inbox, hand_in, report, decide, file, repair]
