"""Matches of a ladder: reported, confirmed, disputed, settled; what is at stake; seasons. For games as for clubs.

A token with the scope `report` acts for the player whose account it is, and a reporter's reports for others too where
the ladder lets reporters; an officer decides matches of others with the scope `correct` too. The same match said again
is the same match, whatever `Idempotency-Key` is sent.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter

from arpad.bureau.ladder_rows import State
from arpad.bureau.seasons import Season, Way
from arpad.bureau.stakes import Stake
from arpad.web.api import paging
from arpad.web.api.answering import Answer
from arpad.web.callers import scoped, who_of
from arpad.web.views import catalogue, ladder
from arpad.web.views.ladder import Result
from arpad.web.visits import Here

Name = FromPath[str]
Number = FromPath[int]
REPORT: dict[str, Any] = {"guards": [scoped("report")], "opt": {"scopes": ("report",)}, "tags": ["ladders"]}
CORRECT: dict[str, Any] = {"guards": [scoped("correct")], "opt": {"scopes": ("correct",)}, "tags": ["ladders"]}
#: Numbers of people.
Person = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]


class NewMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match that ended; `number`: which one of the pair's on that day. `day` null: today (UTC)."""

    first: Person
    second: Person
    result: Result
    day: date | None = msgspec.field(default=None, name="date")
    number: int = 1
    note: str = ""


class StakeAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match that is to be played. `day` null: today (UTC)."""

    first: Person
    second: Person
    day: date | None = msgspec.field(default=None, name="date")


class Disputed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is not right."""

    text: str


class Settled(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a match ended; null: it is dropped."""

    result: Result | None
    reason: str = ""


class NewSeason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A season from a day on. `keep_list`: publish the list as it stood. `head`: the last entry of the preview."""

    day: date = msgspec.field(name="date")
    how: Way
    name: str = ""
    keep_list: bool = False
    head: int | None = None


class MatchesPage(ladder.Matches, frozen=True, kw_only=True):
    """A portion of a ladder's matches; `next` is the cursor of the portion after it."""

    next: str | None


@get("/lists/{name:str}/ladder", tags=["ladders"], summary="How a ladder is kept, and what waits")
async def kept(visit: Here, name: Name) -> ladder.LadderTold:
    """Whether it takes reports, of whom, and when a match confirms itself; how many matches wait to be rated."""
    return await visit.see(ladder.told, name)


@get("/lists/{name:str}/seasons", tags=["ladders"], summary="Seasons of a list")
async def every_season(visit: Here, name: Name) -> ladder.Seasons:
    """The last one first."""
    return await visit.see(ladder.begun, name)


@get(
    "/lists/{name:str}/matches",
    tags=["ladders"],
    summary="Matches of a ladder",
    responses={200: ResponseSpec(MatchesPage)},
)
async def matches(
    request: Request[Any, Any, Any],
    visit: Here,
    name: Name,
    in_state: Annotated[State | None, QueryParameter(name="state", description="Only those in this state.")] = None,
    person: Annotated[int, QueryParameter(ge=0, le=2**31 - 1, description="Only those of this player.")] = 0,
    cursor: paging.Cursor = "",
    limit: paging.Limit = 100,
) -> Response[Any]:
    """The last reported first. Notes are for members."""
    whole = paging.stamp("matches", name, in_state, person)
    after = paging.start_of(cursor, whole)  # a match's number: those that come meanwhile move nothing
    states = () if in_state is None else (in_state,)
    found = await visit.see(ladder.listed, name, states, person, after, limit + 1, who_of(visit.caller))
    shown = found.matches[:limit]
    further = paging.cursor_at(shown[-1].id, whole) if len(found.matches) > limit else None
    return Answer(MatchesPage(found.list, shown, next=further), headers=paging.link(request, further))


@get("/matches/{number:int}", tags=["ladders"], summary="A match of a ladder")
async def match(visit: Here, number: Number) -> ladder.MatchRow:
    """A match as it stands."""
    return await visit.see(ladder.one, number, who_of(visit.caller))


@post("/lists/{name:str}/matches", summary="Report a match", **REPORT)
async def report(visit: Here, name: Name, data: JSONBody[NewMatch]) -> ladder.MatchRow:
    """The match as it stands: reported; confirmed, if the other player said the same before; disputed, if otherwise."""
    said = ladder.Said(data.first, data.second, data.result, data.day, data.number, data.note)
    return await visit.do(ladder.report, name, said, who_of(visit.caller))


@post("/matches/{number:int}/confirm", summary="Confirm a match", status_code=200, **REPORT)
async def confirm(visit: Here, number: Number) -> ladder.MatchRow:
    """It counts from now on. Twice is once."""
    return await visit.do(ladder.act, number, "confirm", who_of(visit.caller))


@post("/matches/{number:int}/dispute", summary="Dispute a match", status_code=200, **REPORT)
async def dispute(visit: Here, number: Number, data: JSONBody[Disputed]) -> ladder.MatchRow:
    """It does not count until an officer settles it."""
    return await visit.do(ladder.act, number, "dispute", who_of(visit.caller), data.text)


@post("/matches/{number:int}/withdraw", summary="Withdraw a match", status_code=200, **REPORT)
async def withdraw(visit: Here, number: Number) -> ladder.MatchRow:
    """By who reported it, before it counts."""
    return await visit.do(ladder.act, number, "withdraw", who_of(visit.caller))


@post("/matches/{number:int}/settle", summary="Settle a match", status_code=200, **CORRECT)
async def settle(visit: Here, number: Number, data: JSONBody[Settled]) -> ladder.MatchRow:
    """An officer says how it ended."""
    return await visit.do(ladder.act, number, "settle", who_of(visit.caller), data.reason, data.result)


@post("/lists/{name:str}/matches:stake", summary="What is at stake", status_code=200, **REPORT)
async def stake(visit: Here, name: Name, data: JSONBody[StakeAsked]) -> Stake:
    """What each result would bring both players; nothing is kept."""
    return await visit.plainly(ladder.stake, name, data.first, data.second, data.day)


@post("/lists/{name:str}/seasons:preview", summary="Preview a season", status_code=200, **CORRECT)
async def preview(visit: Here, name: Name, data: JSONBody[NewSeason]) -> ladder.SeasonPreview:
    """Everybody's rating before and after; nothing is kept."""
    return await visit.plainly(ladder.preview, name, data.day, data.how, data.name, data.keep_list)


@post("/lists/{name:str}/seasons", summary="Begin a season", **CORRECT)
async def season(visit: Here, name: Name, data: JSONBody[NewSeason]) -> Season:
    """Acts of one entry, which can be taken back (`/entries`, revert)."""
    return await visit.do(ladder.begin, name, data.day, data.how, data.name, data.keep_list, data.head)


@get("/lists/{name:str}/leaderboard", tags=["ladders"], summary="A leaderboard around a player")
async def leaderboard(
    visit: Here,
    name: Name,
    around: Annotated[int, QueryParameter(ge=1, le=2**31 - 1, description="Whose neighbours.")],
    size: Annotated[int, QueryParameter(ge=0, le=catalogue.MOST_AROUND, description="Rows on each side.")] = 5,
) -> catalogue.Around:
    """The live list around a player."""
    return await visit.see(catalogue.around, name, around, None, size)


HANDLERS = [
    kept,
    every_season,
    matches,
    match,
    report,
    confirm,
    dispute,
    withdraw,
    settle,
    stake,
    preview,
    season,
    leaderboard,
]
