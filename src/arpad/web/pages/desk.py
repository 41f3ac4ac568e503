"""The desk's pages: its front, the log, people, what may be changed of a fact, a change previewed and done, a list
published, jobs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath
from litestar.response import File, Redirect

from arpad.bureau.lists import today
from arpad.errors import ArpadError, DataError, Stale
from arpad.model import Problem
from arpad.web import work
from arpad.web.callers import at_least
from arpad.web.jobs import Wanted, jobs_of, jobs_told
from arpad.web.pages.forms import Head, filled, record
from arpad.web.views import changes, desk, publishing
from arpad.web.visits import Here, Visit
from arpad.web.work import ASKED, Chore, Job

OFFICER = [at_least("officer")]


class LogAsked(msgspec.Struct, frozen=True):
    before: int = 0
    kind: str = ""


class PeopleAsked(msgspec.Struct, frozen=True):
    q: str = ""


class DraftAsked(msgspec.Struct, frozen=True):
    day: date | None = msgspec.field(default=None, name="date")
    list: str | None = None


class PublishForm(msgspec.Struct, frozen=True):
    day: date = msgspec.field(name="date")
    list: str
    head: int | None = None
    reason: str = ""
    ahead: bool = False


class JobForm(msgspec.Struct, frozen=True):
    kind: Chore


@get("/desk", guards=[at_least("reporter")])
async def front(visit: Here) -> Response[Any]:
    """What waits. A reporter's desk is the inbox."""
    if not visit.caller.may("officer"):
        return Redirect(visit.links("desk-reports"))
    return visit.page("desk/front.html", page=await visit.see(desk.front, today(), visit.language))


@get("/desk/log", guards=OFFICER)
async def log(visit: Here) -> Response[Any]:
    """Everything that was entered, the last first."""
    asked = visit.asked(LogAsked)
    page = await visit.see(desk.log, asked.before, asked.kind, language=visit.language)
    return visit.page("desk/log.html", page=page, kind=asked.kind)


@get("/desk/log/{entry:int}", guards=OFFICER)
async def entry(visit: Here, entry: FromPath[int]) -> Response[Any]:
    """One entry, what it moved, and its taking back."""
    page = await visit.see(desk.entry, entry, visit.language)
    return visit.page("desk/entry.html", page=page, done="done" in visit.request.query_params)


@get("/desk/people", guards=OFFICER)
async def people(visit: Here) -> Response[Any]:
    """People of the register, looked for."""
    q = visit.asked(PeopleAsked).q
    return visit.page("desk/people.html", q=q, people=await visit.see(desk.people, q))


@get("/desk/people/{person:int}", guards=OFFICER)
async def person(visit: Here, person: FromPath[int]) -> Response[Any]:
    """A person, with all that may be changed."""
    return visit.page("desk/person.html", page=await visit.see(desk.person, person), today=today())


@get("/desk/games/{game:int}", guards=OFFICER)
async def game(visit: Here, game: FromPath[int]) -> Response[Any]:
    """A game, with what may be changed of it."""
    return visit.page("desk/game.html", page=await visit.see(desk.game, game))


@get("/desk/events/{event:int}", guards=OFFICER)
async def event(visit: Here, event: FromPath[int]) -> Response[Any]:
    """An event, its days, and its games to be corrected."""
    return visit.page("desk/event.html", page=await visit.see(desk.event, event))


@get("/desk/acts/{act:int}", guards=OFFICER)
async def act(visit: Here, act: FromPath[int]) -> Response[Any]:
    """A player's act, with what may be changed of it."""
    person, page = await visit.see(desk.act, act)
    return visit.page("desk/act.html", person=person, page=page)


@get("/desk/changes", guards=OFFICER)
async def preview(visit: Here) -> Response[Any]:
    """A change previewed: its address says what was asked, so that whoever comes back finds it again."""
    given = {name: value for name, value in visit.request.query_params.items() if value != ""}
    if not given:  # an erasure, read in another language: its words stand in no address
        return Redirect(visit.links("desk"), status_code=303)
    asked = record(given, changes.Asked)
    if isinstance(asked, changes.Erasure):  # written by hand; it would keep waiting who writes, too
        return Redirect(visit.links("desk-person", person=asked.person), status_code=303)
    return await _preview(visit, asked, given)


@post("/desk/changes", guards=OFFICER, status_code=200)
async def change(visit: Here) -> Response[Any]:
    """A change done, if it is confirmed and nothing was entered since; and one previewed whose words are to stand in no
    address."""
    given = await filled(visit)
    asked = record(given, changes.Asked)
    if given.get("step") != "confirm":
        return await _preview(visit, asked, given)
    try:
        wanted = Wanted("change", work.change, (asked, str(given.get("reason", ""))))
        return await outcome(visit, record(given, Head).head, wanted, given)
    except Stale:
        return await _preview(visit, asked, given, 409)
    except DataError as error:
        return await _preview(visit, asked, given, 422, error.problems)
    except ArpadError as error:
        return await _preview(visit, asked, given, 400, (Problem(str(error)),))


async def outcome(visit: Visit, head: int, wanted: Wanted, given: Mapping[str, Any]) -> Redirect:
    """Do what a form asks for: it leads to what came of it, or, where that takes a while, to the page of the job.
    Raises what it failed by, if it does so within a moment."""
    form = {name: value for name, value in given.items() if name not in ("_csrf_token", "step", "head")}
    job = jobs_of(visit).ask(visit, head, wanted, form)
    ended = await jobs_of(visit).soon(job)
    if ended and (error := ended.result()):
        raise error
    return Redirect(became(visit, job) if ended else visit.links("desk-job", job=job.id), status_code=303)


def became(visit: Visit, job: Job) -> str:
    """The page of what came of a job that a form asked for."""
    if job.kind == "publish":
        return visit.links("desk-published", list=job.list, date=job.day)
    if job.kind == "accept":
        return visit.links("desk-report", report=job.report)
    return visit.links("desk-entry", entry=job.entry, done=1)


async def _preview(
    visit: Visit, asked: Any, given: dict[str, Any], status: int = 200, problems: tuple[Problem, ...] = ()
) -> Response[Any]:
    """What a change would do, with the button that does it."""
    page = await (visit.plainly if changes.holds(asked) else visit.weigh)(changes.preview, asked)
    said = {name: _field(value) for name, value in msgspec.structs.asdict(asked).items() if value not in (None, "")}
    held = {"kind": type(asked).__struct_config__.tag, **said}
    held.pop("typed", None)
    if not isinstance(asked, changes.Erasure):
        visit.links.query = held  # in another language it is the same preview, whatever this page was an answer to
    told = {"asked": held, "reason": given.get("reason", ""), "problems": problems, "stale": status == 409}
    return visit.page("desk/change.html", status, page=page, moved=changes.moves(page.moved), **told)


def _field(value: Any) -> str:
    """A value as a hidden field says it."""
    if isinstance(value, bool):
        return "1" if value else "0"
    return value.isoformat() if isinstance(value, date) else str(value)


@get("/desk/publish", guards=OFFICER)
async def draft(visit: Here) -> Response[Any]:
    """The list of a day as it would be published; without a day, the lists to choose from."""
    asked = visit.asked(DraftAsked)
    return await _drafted(visit, asked.day, asked.list)


async def _drafted(
    visit: Visit, day: date | None, which: str | None, form: PublishForm | None = None, *, stale: bool = False
) -> Response[Any]:
    """The page to publish from, with what a form said that was sent before."""
    lists = await visit.see(publishing.due, today())
    page = await visit.weigh(publishing.draft, day, which, today()) if day else None
    status = 409 if stale else 200
    return visit.page("desk/publish.html", status, lists=lists, page=page, form=form, stale=stale, today=today())


@get("/desk/published", guards=OFFICER)
async def published(visit: Here) -> Response[Any]:
    """What was published, with the ways to it."""
    asked = visit.asked(DraftAsked)
    return visit.page("desk/published.html", page=await visit.see(publishing.issued, asked.day or today(), asked.list))


@post("/desk/publish", guards=OFFICER, status_code=200)
async def publish(visit: Here) -> Response[Any]:
    """Publish what was looked at, or look at it again with what was typed."""
    given = await filled(visit)
    form: PublishForm = record(given, PublishForm)
    if form.head is None:
        return await _drafted(visit, form.day, form.list, form)
    about = {"list": form.list, "day": form.day}
    try:
        return await outcome(visit, form.head, Wanted("publish", work.publish, (form.reason, form.ahead), about), given)
    except Stale:
        return await _drafted(visit, form.day, form.list, form, stale=True)


@get("/desk/compare", guards=OFFICER)
async def compare(visit: Here) -> Response[Any]:
    """A published list beside the same list as the facts are now."""
    asked = visit.asked(DraftAsked)
    page = await visit.see(publishing.compared, asked.day or today(), asked.list)
    return visit.page("desk/compared.html", page=page)


@get("/desk/jobs", guards=OFFICER)
async def jobs(visit: Here) -> Response[Any]:
    """Long work: what runs, what was done, and what may be begun."""
    held = await jobs_told(visit)
    return visit.page("desk/jobs.html", jobs=held.every(), kinds=held.chores(visit.caller))


@post("/desk/jobs", guards=OFFICER, status_code=200)
async def start(visit: Here) -> Response[Any]:
    """Begin a job."""
    job = jobs_of(visit).chore(record(await filled(visit), JobForm).kind, visit.caller)
    await jobs_of(visit).soon(job)  # the page of a small one shows at once what it came to
    return Redirect(visit.links("desk-job", job=job.id), status_code=303)


@get("/desk/jobs/{job:int}", guards=OFFICER)
async def job(visit: Here, job: FromPath[int]) -> Response[Any]:
    """How a job stands; the page looks again by itself while it runs."""
    held = await jobs_told(visit)
    try:
        found = held.job(job)
    except HTTPException as error:  # the part of a page that looks again would show nothing of it: let all of it
        raise type(error)(error.detail, status_code=error.status_code, headers={"HX-Refresh": "true"}) from None
    page = visit.page("desk/job.html", job=found, form=held.form(found))
    if found.state == "done" and found.kind in ASKED and "hx-request" in visit.request.headers:
        page.headers["HX-Redirect"] = became(visit, found)  # whoever watched it is led to what came of it
    return page


@get("/desk/backup", guards=[at_least("admin")])
async def backup(visit: Here) -> File:
    """The whole office as it was backed up last, to be kept elsewhere."""
    return File(jobs_of(visit).backup_file, filename="office.db", media_type="application/octet-stream")


HANDLERS = [front, log, entry, people, person, game, event, act, preview, change, draft, publish, published, compare]
HANDLERS += [jobs, start, job, backup]
