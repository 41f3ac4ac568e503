"""Calculators: what is expected of a game, how strongly somebody played, and what would come of games."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated

from litestar import get, post
from litestar.params import FromQuery, JSONBody, QueryParameter

from arpad.web.identity import WRITES_NOTHING
from arpad.web.views import calculators
from arpad.web.views.whatif import Answer, Question, whatif
from arpad.web.visits import Here


@post("/expected", status_code=200, opt=WRITES_NOTHING, tags=["calculators"], summary="The expected score of a game")
async def expected(visit: Here, data: JSONBody[calculators.ExpectedAsked]) -> calculators.ExpectedTold:
    """Expected score, what it leaves open for win, draw and loss, and how even the match is."""
    return await visit.see(calculators.expected, data)


@post("/performance", status_code=200, opt=WRITES_NOTHING, tags=["calculators"], summary="A performance rating")
async def performance(visit: Here, data: JSONBody[calculators.PerformanceAsked]) -> calculators.PerformanceTold:
    """How strongly somebody played against these opponents, by one method or by all."""
    return await visit.see(calculators.performance, data)


@post("/whatif", status_code=200, opt=WRITES_NOTHING, tags=["calculators"], summary="What would come of games")
async def what_if(visit: Here, data: JSONBody[Question]) -> Answer:
    """Several games at once, by any rulebook on any day: game by game, before and after rounding; a first rating; and
    what it takes to reach a rating. The sentences are in the language of `Accept-Language`."""
    return await visit.see(whatif, data, datetime.now(UTC).date(), visit.language)


@get("/expected/table", tags=["calculators"], summary="The table of expected scores of a rulebook")
async def expected_table(
    visit: Here,
    rules: FromQuery[str] = "fide/standard",
    name: Annotated[
        str | None, QueryParameter(name="list", description="A list of the office, before `rules`.")
    ] = None,
    day: Annotated[date | None, QueryParameter(name="date", description="As it reads on a day; now without.")] = None,
    opponent: Annotated[float | None, QueryParameter(description="Where the curve depends on the ratings.")] = None,
) -> calculators.CurveTable:
    """Every difference of ratings with what both sides may expect; `reason` where the rules have no such table."""
    return await visit.see(calculators.table, calculators.TableAsked(rules, name, day, opponent))


HANDLERS = [expected, expected_table, performance, what_if]
