"""Records, distribution, development, and the log of corrections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath
from markupsafe import Markup

from arpad.analysis.calibrate import Bin
from arpad.bureau.drift import Development
from arpad.web import charts
from arpad.web.views import corrections, statistics
from arpad.web.visits import Here


class LogAsked(msgspec.Struct, frozen=True):
    before: int = 0
    person: int = 0


@get("/lists/{name:str}/records")
async def list_records(visit: Here, name: FromPath[str]) -> Response[Any]:
    """Peaks, gains, streaks, and who ever reached a rating."""
    page = await visit.see(statistics.list_records, name, visit.asked(statistics.RecordsAsked))
    return visit.page("records.html", page=page)


@get("/lists/{name:str}/distribution")
async def distribution(visit: Here, name: FromPath[str]) -> Response[Any]:
    """How many have which rating, and the rank that a rating would have."""
    page = await visit.see(statistics.distribution, name, visit.asked(statistics.DistributionAsked))
    return visit.page("distribution.html", page=page)


@get("/lists/{name:str}/development")
async def development(visit: Here, name: FromPath[str]) -> Response[Any]:
    """How a list develops: the pool, a cohort, where points come from, and how well ratings foretell."""
    page = await visit.see(statistics.development, name, visit.asked(statistics.DevelopmentAsked))
    drawn = _Charts(page.development, visit.language)
    return visit.page("development.html", page=page, told=page.development, drawn=drawn, charts=charts)


class _Charts:
    """The charts of a development; what lines are called and what a chart shows is the template's to say."""

    def __init__(self, found: Development, language: str) -> None:
        self.found, self.language = found, language

    def means(self, names: Sequence[str], description: str) -> Markup:
        """Means of the pool and the cohort, and the pool's quartiles, list by list."""
        lists = self.found.lists
        values: tuple[Callable[[Any], float | None], ...] = (
            lambda each: each.pool.mean,
            lambda each: each.cohort.mean,
            lambda each: each.pool.low,
            lambda each: each.pool.high,
        )
        lines = []
        for name, value in zip(names, values):
            told = [(each.day.toordinal(), value(each)) for each in lists]
            lines.append(charts.Line(name, [(day, said) for day, said in told if said is not None]))
        return charts.steps(lines, self.language, description)

    def losses(self, names: Sequence[str], description: str) -> Markup:
        """Squared errors by period: those of the ratings, and of who expects one half of every game."""
        dated = [(each.first.toordinal(), each) for each in self.found.losses if each.first]
        both = [(day, each.squared_error) for day, each in dated], [(day, each.even) for day, each in dated]
        return charts.steps([charts.Line(*each) for each in zip(names, both)], self.language, description)

    def calibration(self, bins: Sequence[Bin], title: Callable[[Bin], str], description: str) -> Markup:
        """What was scored as bars, and across them what was expected."""
        drawn = [charts.Bar(f"{each.low:g}", each.score, title(each), each.expected) for each in bins]
        return charts.bars(drawn, self.language, description)


@get("/corrections")
async def log(visit: Here) -> Response[Any]:
    """What was corrected, the last first."""
    asked = visit.asked(LogAsked)
    page = await visit.see(corrections.corrections, asked.before, person=asked.person, language=visit.language)
    return visit.page("corrections.html", page=page, person=asked.person)


@get("/corrections/{entry:int}")
async def correction(visit: Here, entry: FromPath[int]) -> Response[Any]:
    """One correction, and everybody whose rating it moved."""
    page = await visit.see(corrections.correction, entry, language=visit.language)
    return visit.page("correction.html", page=page)


HANDLERS = [list_records, distribution, development, log, correction]
