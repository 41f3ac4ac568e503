"""Players: cards, games, histories, and how every change came about."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal, TypeAlias

from litestar import Response, get
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, FromQuery, QueryParameter

from arpad.web.api import paging
from arpad.web.views import histories, players, workings
from arpad.web.visits import Here

List: TypeAlias = Annotated[str | None, QueryParameter(name="list", description="The first list without.")]
Day: TypeAlias = Annotated[
    date | None, QueryParameter(name="date", description="As of this published list; as the facts are now without.")
]
Start: TypeAlias = Annotated[int, QueryParameter(ge=0)]
Size: TypeAlias = Annotated[int, QueryParameter(ge=1, le=players.MOST)]
Language: TypeAlias = Annotated[Literal["en", "it", "es"], QueryParameter(description="Of sentences and rules.")]


@get("/players/{who:str}", tags=["players"], summary="A player's card")
async def player(
    visit: Here,
    who: FromPath[str],
    name: List = None,
    day: Day = None,
    start: Start = 0,
    size: Size = players.SIZE,
    opponents: Annotated[int, QueryParameter(ge=0, le=players.MOST)] = players.OPPONENTS,
) -> players.PlayerCard:
    """Ratings, events with what each did, opponents, history. `who` is a number (of merged people, any of theirs) or an
    identifier such as `fide:10023`."""
    return await visit.see(players.card, who, players.Asked(name, day, start, size, opponents))


class GamesPage(players.GamesPage, frozen=True, kw_only=True):
    """A portion of somebody's games; `next` is the cursor of the portion after it."""

    next: str | None


@get(
    "/players/{who:str}/games",
    tags=["players"],
    summary="Games of a player, last ones first",
    responses={200: ResponseSpec(GamesPage)},
)
async def games(
    visit: Here,
    who: FromPath[str],
    name: List = None,
    day: Day = None,
    event: FromQuery[int | None] = None,
    opponent: FromQuery[int | None] = None,
    cursor: paging.Cursor = "",
    limit: Annotated[int, QueryParameter(ge=1, le=players.MOST)] = 100,
) -> Response[Any]:
    """`expected` and `change` are null where a game was not rated."""

    async def load(start: int, size: int) -> players.GamesPage:
        asked = players.Asked(name, day, start, size, event=event, opponent=opponent)
        return await visit.see(players.games, who, asked)

    asked = who, name, day, event, opponent
    return await paging.portion(visit, GamesPage, "games", asked, cursor, limit, load)


@get("/players/{who:str}/explain", tags=["players"], summary="Why a rating changed")
async def explain(
    visit: Here,
    who: FromPath[str],
    name: List = None,
    event: Annotated[int | None, QueryParameter(description="What this event did; the last changes without.")] = None,
    day: Annotated[
        date | None, QueryParameter(name="day", description="Of games that belong to no event, those of a day.")
    ] = None,
    language: Language = "en",
    start: Start = 0,
    size: Annotated[int, QueryParameter(ge=1, le=500)] = 50,
) -> workings.Explained:
    """Every change game by game, with the rules that had a say, and in sentences."""
    return await visit.see(workings.explained, who, name, event, day, language, start, size)


@get("/players/{who:str}/history", tags=["players"], summary="A player's ratings over time")
async def history(visit: Here, who: FromPath[str], name: List = None, day: Day = None) -> histories.History:
    """What every event and act made of the rating, in the order of the replay, and what every list printed."""
    return await visit.see(histories.history, who, name, day)


@get("/compare", tags=["players"], summary="Several players' ratings over time")
async def compare(
    visit: Here,
    players: Annotated[str, QueryParameter(description="Numbers or identifiers, between commas.", max_length=200)],
    name: List = None,
) -> histories.Comparison:
    """Histories, and what every list printed of each."""
    return await visit.see(histories.compare, players, name)


HANDLERS = [player, games, explain, history, compare]
