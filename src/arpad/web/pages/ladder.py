"""The pages of ladders: standings, a match to report, a match to answer; and the officer's."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from arpad.bureau.ladder import Act
from arpad.bureau.ladder_rows import Rules, close_ladder, open_ladder
from arpad.bureau.lists import today
from arpad.bureau.opened import Office
from arpad.bureau.seasons import Keep, Pull, Reset, Way
from arpad.errors import DataError, Stale, UnknownName, UsageError
from arpad.rulebooks.schema import Rounding
from arpad.web.callers import at_least, who_of
from arpad.web.pages.forms import filled, record
from arpad.web.pages.signing import LARGEST
from arpad.web.views import finding, ladder
from arpad.web.views.ladder import Result
from arpad.web.visits import Here, Visit

MEMBER: Any = {"guards": [at_least("member")], "request_max_body_size": LARGEST}
DESK: Any = {"guards": [at_least("officer")], "request_max_body_size": LARGEST}
#: People that a search offers.
OFFERED = 20


class Asked(msgspec.Struct, frozen=True):
    """A form that is being filled in: who (`first`: whoever asks), against whom or `q`, whom to look for."""

    first: int = 0
    second: int = 0
    q: str = ""
    day: date | None = msgspec.field(default=None, name="date")


class Reported(msgspec.Struct, frozen=True):
    """A match as the form sends it."""

    first: int
    second: int
    result: Result
    day: date = msgspec.field(name="date")
    number: int = 1
    note: str = ""


class Answered(msgspec.Struct, frozen=True):
    """What is done with a match."""

    act: Act
    text: str = ""
    result: Result | None = None


class Kept(msgspec.Struct, frozen=True):
    """How a ladder is kept: `open`, or closed."""

    act: Literal["open", "close"]
    reporters: Literal["players", "reporters"] = "players"
    hours: int = 0
    draws: bool = False


class SeasonForm(msgspec.Struct, frozen=True):
    """A season; `share` in percent. `head`: the last entry of the preview."""

    day: date = msgspec.field(name="date")
    way: Literal["keep", "reset", "pull"] = "pull"
    value: float | None = None
    share: float = 50.0
    rounding: Rounding = "half away from zero"
    name: str = ""
    keep_list: bool = False
    head: int | None = None

    def how(self) -> Way:
        """Raises UsageError for a reset to nothing."""
        if self.way == "keep":
            return Keep()
        if self.way == "pull":
            return Pull(self.share / 100, self.value, self.rounding)
        if self.value is None:
            raise UsageError("say which rating everybody shall have")
        return Reset(self.value)

    def asked(self, name: str) -> tuple[str, date, Way, str, bool]:
        """The same of a list, as the office takes it."""
        return name, self.day, self.how(), self.name, self.keep_list


@get("/ladder/{name:str}")
async def standing(visit: Here, name: FromPath[str], start: FromQuery[int] = 0) -> Response[Any]:
    """The standing, those around whoever asks, and matches that wait."""
    return visit.page("ladder/ladder.html", page=await visit.see(ladder.page, name, who_of(visit.caller), start))


@get("/ladder/{name:str}/report", **MEMBER)
async def form(visit: Here, name: FromPath[str]) -> Response[Any]:
    """The form for a match; what is at stake, once both are named."""
    return await _form(visit, name, visit.asked(Asked))


@post("/ladder/{name:str}/report", **MEMBER)
async def report(visit: Here, name: FromPath[str]) -> Response[Any]:
    """Report a match."""
    given = await filled(visit)
    said = record(given, Reported)
    match = ladder.Said(said.first, said.second, said.result, said.day, said.number, said.note)
    try:
        found = await visit.do(ladder.report, name, match, who_of(visit.caller))
    except DataError as error:
        asked = Asked(said.first, said.second, day=said.day)
        return await _form(visit, name, asked, 422, [str(each) for each in error.problems], said)
    return Redirect(visit.links("ladder-match", list=name, match=found.id), status_code=303)


async def _form(
    visit: Visit,
    name: str,
    asked: Asked,
    status: int = 200,
    faults: list[str] | None = None,
    said: Reported | None = None,
) -> Response[str]:
    who = who_of(visit.caller)
    first = asked.first or who.person
    page = await visit.see(ladder.page, name, who)
    found = await visit.see(finding.people, asked.q, 0, OFFERED) if asked.q.strip() else None
    names = await visit.see(_names, [each for each in (first, asked.second) if each])
    day = asked.day or today()
    stake, trouble = None, list(faults or ())
    if first and asked.second and not trouble:
        try:
            stake = await visit.plainly(ladder.stake, name, first, asked.second, day)
        except DataError as error:
            trouble = [str(each) for each in error.problems]
        except UnknownName as error:
            trouble = [str(error)]
    return visit.page(
        "ladder/report.html",
        status,
        found=False,
        page=page,
        asked=asked,
        said=said,
        first=first,
        people=found,
        names=names,
        day=day,
        stake=stake,
        faults=trouble,
        for_others=who.role != "player",
    )


def _names(office: Office, people: list[int]) -> dict[int, str]:
    return office.names(people)


@get("/ladder/{name:str}/matches/{number:int}")
async def match(visit: Here, name: FromPath[str], number: FromPath[int]) -> Response[Any]:
    """A match, and what may be done with it."""
    page = await visit.see(ladder.one, number, who_of(visit.caller), name)
    return visit.page("ladder/match.html", page=page)


@post("/ladder/{name:str}/matches/{number:int}", **MEMBER)
async def answer(visit: Here, name: FromPath[str], number: FromPath[int]) -> Response[Any]:
    """Confirm, dispute, withdraw or settle a match."""
    said = record(await filled(visit), Answered)
    await visit.see(ladder.one, number, who_of(visit.caller), name)
    await visit.do(ladder.act, number, said.act, who_of(visit.caller), said.text, said.result)
    return Redirect(visit.links("ladder-match", list=name, match=number), status_code=303)


@get("/desk/ladder", **DESK)
async def desk(visit: Here) -> Response[Any]:
    """Every list as a ladder: how it is kept, what is disputed, its seasons."""
    return await _desk(visit)


@post("/desk/ladder/{name:str}", **DESK)
async def keep(visit: Here, name: FromPath[str]) -> Response[Any]:
    """Open a list for reports, change how it is kept, or close it."""
    said = record(await filled(visit), Kept)
    if said.act == "close":
        await visit.do(close_ladder, name)
    else:
        await visit.do(open_ladder, name, Rules(said.reporters, said.hours or None, said.draws))
    return Redirect(visit.links("desk-ladder"), status_code=303)


@get("/desk/ladder/{name:str}/season", **DESK)
async def coming(visit: Here, name: FromPath[str]) -> Response[Any]:
    """A season previewed."""
    return await _season(visit, name, visit.asked(SeasonForm))


@post("/desk/ladder/{name:str}/season", status_code=200, **DESK)
async def season(visit: Here, name: FromPath[str]) -> Response[Any]:
    """A season begun, if nothing was entered since it was previewed."""
    said: SeasonForm = record(await filled(visit), SeasonForm)
    if said.head is None:
        return await _season(visit, name, said)
    try:
        await visit.plainly(ladder.begin, *said.asked(name), said.head)
    except Stale:
        return await _season(visit, name, said, 409)
    return Redirect(visit.links("desk-ladder"), status_code=303)


async def _season(visit: Visit, name: str, said: SeasonForm, status: int = 200) -> Response[str]:
    return await _desk(visit, said, await visit.plainly(ladder.preview, *said.asked(name)), status)


async def _desk(
    visit: Visit, said: SeasonForm | None = None, preview: ladder.SeasonPreview | None = None, status: int = 200
) -> Response[str]:
    page = await visit.see(ladder.lines, who_of(visit.caller))
    told = {"page": page, "said": said, "preview": preview, "stale": status == 409, "today": today()}
    return visit.page("desk/ladder.html", status, found=False, **told)


HANDLERS = [standing, form, report, match, answer, desk, keep, coming, season]
