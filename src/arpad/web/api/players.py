"""Players: cards, games, histories, and how every change came about."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal, TypeAlias

from litestar import Response, get
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, FromQuery, QueryParameter
from msgspec.structs import replace

from arpad.web.api import paging
from arpad.web.views import histories, player_games, players, workings
from arpad.web.visits import Here

#: A number (of merged people, any of theirs) or an identifier such as `fide:10023`.
Person: TypeAlias = FromPath[str]
List: TypeAlias = Annotated[str | None, QueryParameter(name="list", description="The first list without.")]
Day: TypeAlias = Annotated[
    date | None, QueryParameter(name="date", description="As of this published list; as the facts are now without.")
]
Language: TypeAlias = Annotated[Literal["en", "it", "es"], QueryParameter(description="Of sentences and rules.")]


class CardPage(players.PlayerCard, frozen=True, kw_only=True):
    """A card with a portion of its events; `next` is the cursor of the portion after it."""

    next: str | None


class PlayerGames(player_games.GamesPage, frozen=True, kw_only=True):
    """A portion of games; `next` is the cursor of the portion after it."""

    next: str | None


@get("/players/{person:str}", tags=["players"], summary="A player's card", responses={200: ResponseSpec(CardPage)})
async def player(
    visit: Here,
    person: Person,
    name: List = None,
    day: Day = None,
    opponents: Annotated[int, QueryParameter(ge=0, le=players.MOST)] = players.OPPONENTS,
    cursor: paging.Cursor = "",
    limit: paging.Limit = players.SIZE,
) -> Response[Any]:
    """Ratings, events with what each did (last ones first), opponents, history. `person` is a number (of merged people,
    any of theirs) or an identifier such as `fide:10023`."""
    asked = players.Asked(name, day, 0, limit, opponents)
    return await paging.portion(
        visit,
        CardPage,
        "lines",
        (name, day),
        cursor,
        lambda office, start: players.card(office, person, replace(asked, start=start)),
        lambda office: (office.head, players.number(office, person)),
    )


@get(
    "/players/{person:str}/games",
    tags=["players"],
    summary="Games of a player, last ones first",
    responses={200: ResponseSpec(PlayerGames)},
)
async def games(
    visit: Here,
    person: Person,
    name: List = None,
    day: Day = None,
    event: FromQuery[int | None] = None,
    opponent: FromQuery[int | None] = None,
    cursor: paging.Cursor = "",
    limit: paging.Limit = paging.LIMIT,
) -> Response[Any]:
    """`change` is null where a game was not rated."""
    asked = players.Asked(name, day, 0, limit, event=event, opponent=opponent)
    return await paging.portion(
        visit,
        PlayerGames,
        "games",
        (name, day, event, opponent),
        cursor,
        lambda office, start: player_games.games(office, person, replace(asked, start=start)),
        lambda office: (office.head, players.number(office, person)),
    )


@get("/players/{person:str}/explain", tags=["players"], summary="Why a rating changed")
async def explain(
    visit: Here,
    person: Person,
    name: List = None,
    event: Annotated[int | None, QueryParameter(description="What this event did; the last changes without.")] = None,
    day: Annotated[
        date | None, QueryParameter(name="day", description="Of games that belong to no event, those of a day.")
    ] = None,
    language: Language = "en",
    limit: Annotated[int, QueryParameter(ge=1, le=500, description="At most so many changes, the last ones.")] = 50,
) -> workings.Explained:
    """Changes game by game, with the rules that had a say, and in sentences; oldest first."""
    return await visit.see(workings.explained, person, name, event, day, language, size=limit)


@get("/players/{person:str}/history", tags=["players"], summary="A player's ratings over time")
async def history(visit: Here, person: Person, name: List = None, day: Day = None) -> histories.History:
    """What every event and act made of the rating, in the order of the replay, and what every list printed."""
    return await visit.see(histories.history, person, name, day)


@get("/compare", tags=["players"], summary="Several players' ratings over time")
async def compare(
    visit: Here,
    people: Annotated[
        str, QueryParameter(name="players", description="Numbers or identifiers, between commas.", max_length=200)
    ] = "",
    name: List = None,
) -> histories.Comparison:
    """Histories, and what every list printed of each."""
    return await visit.see(histories.compare, people, name)


HANDLERS = [player, games, explain, history, compare]
