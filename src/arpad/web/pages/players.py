"""The pages of players: a card, and several histories in one chart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Redirect
from markupsafe import Markup

from arpad.bureau.opened import Office
from arpad.bureau.why import why
from arpad.web import charts
from arpad.web.views import chapters, histories, player_games, players, workings
from arpad.web.visits import Here, Visit


class CompareAsked(msgspec.Struct, frozen=True):
    """Who is to be compared: numbers or identifiers, between commas; on which list."""

    players: str = ""
    list: str | None = None


@get("/players/{who:str}")
async def player(visit: Here, who: FromPath[str]) -> Response[Any] | Redirect:
    """A player's card; somebody's other numbers and identifiers lead to it."""
    asked = visit.asked(players.Asked)
    person, shown = await visit.see(_shown, who, asked, visit.language)
    if shown is None:
        return Redirect(visit.links.here_as("player", person=person))
    page: players.PlayerCard = shown["page"]
    chart = history_chart([page.history], visit.language)
    return visit.page("player.html", asked=asked, chart=chart, why=await _why(visit, person, asked), **shown)


def _shown(office: Office, who: str, asked: players.Asked, language: str) -> tuple[int, dict[str, Any] | None]:
    """A person's number and, where that is how they were asked for, what their page shows: all in one turn, since a
    turn at the window takes as long as much of what is done there."""
    person = players.number(office, who)
    if str(person) != who:
        return person, None
    card = players.card(office, person, asked)
    return person, {
        "page": card,
        "found": _named(office, person),
        "opened": _opened(office, card, asked, language),
        "against": _against(office, person, asked),
    }


def _named(office: Office, person: int) -> bool:
    """Whether what somebody is called is for whoever looks; search engines are the public."""
    return person not in office.unseen("name", [person])


def _opened(office: Office, card: players.PlayerCard, asked: players.Asked, language: str) -> workings.Explained | None:
    """The working of the event that is open."""
    if asked.event is None:
        return None
    return workings.explained(office, card.person, card.list, asked.event, asked.day, language)


def _against(office: Office, person: int, asked: players.Asked) -> player_games.GamesPage | None:
    """The games against the opponent that is asked for."""
    if asked.opponent is None:
        return None
    chosen = players.Asked(asked.list, asked.until, opponent=asked.opponent, size=players.MOST)
    return player_games.games(office, person, chosen)


async def _why(visit: Visit, person: int, asked: players.Asked) -> str | None:
    """Why the rating is another one than on a day. What came since is taken back to see, which takes its time."""
    if asked.since is None:
        return None
    found = await visit.ponder(why, person, asked.since, asked.list, visit.language)
    return found.sentence()


@get("/workings/{who:str}")
async def every_working(visit: Here, who: FromPath[str]) -> Response[Any] | Redirect:
    """How every change of a player's rating came about; other numbers and identifiers lead to it."""
    person = await visit.see(players.number, who)
    if str(person) != who:
        return Redirect(visit.links.here_as("workings", person=person))
    page = await visit.see(chapters.chapters, person, visit.asked(chapters.Asked), visit.language)
    return visit.page("workings.html", found=await visit.see(_named, person), page=page)


@get("/compare")
async def compare(visit: Here) -> Response[Any]:
    """Several histories in one chart, and in a table."""
    asked = visit.asked(CompareAsked)
    page = await visit.see(histories.compare, asked.players, asked.list)
    chart = history_chart(page.histories, visit.language)
    return visit.page("compare.html", page=page, asked=asked, chart=chart, charts=charts)


def history_chart(found: Sequence[histories.History], language: str) -> Callable[[Mapping[str, str], str], Markup]:
    """A chart of histories, given what kinds of acts are called and a description: those are the template's to say."""

    def drawn(kinds: Mapping[str, str], description: str) -> Markup:
        lines = [_line(each, kinds, alone=len(found) == 1) for each in found]
        return charts.steps(lines, language, description)

    return drawn


def _line(held: histories.History, kinds: Mapping[str, str], *, alone: bool) -> charts.Line:
    dated = [(step, step.day.toordinal()) for step in held.steps if step.day]
    points = [(day, step.after) for step, day in dated if step.after is not None]
    return charts.Line(held.name, points, list(_marks(held, kinds)) if alone else [])


def _marks(held: histories.History, kinds: Mapping[str, str]) -> Iterator[charts.Mark]:
    """What lists printed, and the events and acts that made a rating what it is."""
    for each in held.published:
        yield charts.Mark(each.day.toordinal(), each.rating, held.list, "list")
    for step in held.steps:
        if step.day is None or step.after is None:
            continue
        if step.kind == "games":
            names = ", ".join(held.names[event] for event in step.events)
            yield charts.Mark(step.day.toordinal(), step.after, names)
        else:
            yield charts.Mark(step.day.toordinal(), step.after, kinds[step.kind], "act")


HANDLERS = [player, every_working, compare]
