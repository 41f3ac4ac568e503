"""The calculators: what would come of games, what is expected of one, how strongly somebody played.

All that is asked stands in the address, so that a link to a page is the whole question.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from datetime import UTC, date, datetime
from typing import Any, Literal, TypeVar

import msgspec
from litestar import Response, get
from litestar.response import Redirect

from arpad.bureau.opened import Office
from arpad.errors import ArpadError
from arpad.rulebooks.loader import names
from arpad.web.answers import ProblemDocument, described
from arpad.web.views import calculators, catalogue, own_event, typed
from arpad.web.views.whatif import ESTABLISHED, Meeting, Question, whatif
from arpad.web.visits import Here

T = TypeVar("T")
#: Before the name of a list of the office, where its rules are chosen.
OF_LIST = "list:"
#: Rows of fields below the games typed in.
ROWS = 6


class Rules(msgspec.Struct, frozen=True):
    """Whose rules can be chosen."""

    lists: tuple[str, ...]
    shelf: tuple[str, ...]


class WhatifAsked(msgspec.Struct, frozen=True):
    """`text`: games, one a line; further ones stand in the numbered fields `opponent1`, `spread1`, `score1` and so
    on. `event` and `person`: whose games of which event are to be added, and `of` on which list."""

    rules: str = ""
    day: date | None = msgspec.field(default=None, name="date")
    rating: float | None = None
    played: float = ESTABLISHED
    peak: float | None = None
    born: str = ""
    deviation: float | None = None
    k: float | None = None
    target: float | None = None
    text: str = ""
    event: int | None = None
    person: str = ""
    of: str | None = None


class ExpectedAsked(msgspec.Struct, frozen=True):
    rules: str = ""
    day: date | None = msgspec.field(default=None, name="date")
    own: float | None = None
    opponent: float | None = None
    own_deviation: float | None = None
    opponent_deviation: float | None = None
    home: Literal["own", "opponent"] | None = None


class PerformanceAsked(msgspec.Struct, frozen=True):
    rules: str = ""
    text: str = ""


@get("/whatif")
async def what_if(visit: Here) -> Response[Any]:
    """Several games at once, by any rules that are here, on any day."""
    asked = visit.asked(WhatifAsked)
    if asked.event is not None and asked.person:
        return Redirect(await with_event(visit, asked, asked.event), status_code=303)
    fields = [_row(visit.request.query_params, number) for number in range(1, ROWS + 1)]
    choice = await visit.see(choices)
    rules = asked.rules or first(choice)
    blank = not asked.text and not any(row[0] for row in fields)
    answer, problem = (None, None) if blank else await told(_answer(visit, asked, rules, fields))
    status = problem.status if problem else 200
    page: dict[str, Any] = {"asked": asked, "fields": fields, "choice": choice, "rules": rules, "of_list": OF_LIST}
    return visit.page("whatif.html", status, page=answer, problem=problem, established=ESTABLISHED, **page)


@get("/expected")
async def expected(visit: Here) -> Response[Any]:
    """One game, and the table that the rules read."""
    asked = visit.asked(ExpectedAsked)
    choice = await visit.see(choices)
    rules = asked.rules or first(choice)
    answer, problem = None, None
    if asked.own is not None and asked.opponent is not None:
        answer, problem = await told(visit.see(calculators.expected, _of_game(asked, rules)))
    which = _named(rules)
    table, unread = await told(
        visit.see(calculators.table, calculators.TableAsked(day=asked.day, opponent=asked.opponent, **which))
    )
    fault = problem or unread
    page: dict[str, Any] = {"asked": asked, "choice": choice, "rules": rules, "of_list": OF_LIST, "table": table}
    return visit.page("expected.html", fault.status if fault else 200, page=answer, problem=fault, **page)


@get("/performance")
async def performance(visit: Here) -> Response[Any]:
    """Games typed in, by every method."""
    asked = visit.asked(PerformanceAsked)
    answer, problem = (None, None) if not asked.text.strip() else await told(_performances(visit, asked))
    page: dict[str, Any] = {"asked": asked, "choice": await visit.see(choices)}
    return visit.page("performance.html", problem.status if problem else 200, page=answer, problem=problem, **page)


async def told(answer: Awaitable[T]) -> tuple[T | None, ProblemDocument | None]:
    """An answer, or what is wrong with what was asked: the page says so beside the form, which keeps its words."""
    try:
        return await answer, None
    except ArpadError as error:
        return None, described(error)


async def with_event(visit: Here, asked: WhatifAsked, event: int) -> str:
    """The address that asks the same with somebody's games of an event added."""
    held = await visit.see(own_event.own_event, event, asked.person, asked.of)
    lines = [asked.text.strip(), *map(typed.line, held.games)]
    new = {"rules": OF_LIST + held.list, "date": held.day, "rating": held.rating, "k": held.k}
    given = {
        name: value for name, value in visit.links.query.items() if value and name not in ("event", "person", "of")
    }
    known = {name: f"{value:.10g}" if isinstance(value, float) else value for name, value in new.items()}
    return visit.links("whatif", **{**known, **given, "text": "\n".join(filter(None, lines))})


async def _answer(visit: Here, asked: WhatifAsked, rules: str, fields: list[tuple[str, str, str]]) -> Any:
    lines = [f"{rating}{'/' if spread else ''}{spread} {score}" for rating, spread, score in fields if rating]
    games = typed.meetings("\n".join([*asked.text.splitlines(), *lines]))
    facts = {name: getattr(asked, name) for name in ("day", "rating", "played", "peak", "born", "deviation", "k")}
    question = Question(games=games, target=_target(asked, games), **facts, **_named(rules))
    return await visit.see(whatif, question, datetime.now(UTC).date(), visit.language)


def _target(asked: WhatifAsked, games: tuple[Meeting, ...]) -> float | None:
    """What is to be reached, as long as there are games to reach it with; while somebody types, there may be none."""
    return asked.target if any(game.score is None for game in games) else None


async def _performances(visit: Here, asked: PerformanceAsked) -> calculators.PerformanceTold:
    games = [game for game in typed.meetings(asked.text) if game.score is not None]
    opponents, results = tuple(game.rating for game in games), tuple(game.score for game in games)
    rules = asked.rules or None
    return await visit.see(
        calculators.performance,
        calculators.PerformanceAsked(opponents, results=results, method="all", rules=rules),
    )


def _of_game(asked: ExpectedAsked, rules: str) -> calculators.ExpectedAsked:
    own = calculators.Side(asked.own, asked.own_deviation)
    opponent = calculators.Side(asked.opponent, asked.opponent_deviation)
    return calculators.ExpectedAsked(own, opponent, day=asked.day, home=asked.home, **_named(rules))


def _row(query: Mapping[str, str], number: int) -> tuple[str, str, str]:
    """A row of fields as it was filled in: rating, deviation, result."""
    rating, spread, score = (query.get(f"{name}{number}", "").strip() for name in ("opponent", "spread", "score"))
    return rating, spread, score


def _named(rules: str) -> dict[str, Any]:
    """What a choice of rules asks a view for."""
    return {"list": rules.removeprefix(OF_LIST)} if rules.startswith(OF_LIST) else {"rules": rules}


def choices(office: Office) -> Rules:
    lists = tuple(each.name for each in catalogue.every_list(office).lists)
    return Rules(lists, tuple(names()))


def first(choice: Rules) -> str:
    """The rules that are asked where nobody chose: those of the office's first list."""
    return OF_LIST + choice.lists[0] if choice.lists else "fide/standard"


HANDLERS = [what_if, expected, performance]
