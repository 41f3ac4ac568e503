"""The application: routes, languages, errors, headers.

app = create_app("office.db")            # or a postgresql:// URL; any ASGI server runs it
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Request, Response, Router, get
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.response import Redirect
from litestar.static_files import create_static_files_router

from arpad import __version__
from arpad.web import answers
from arpad.web.api import desk as desk_api
from arpad.web.api import lists as lists_api
from arpad.web.api import statistics as statistics_api
from arpad.web.drawing import FOLDER, LANGUAGES, Drawing
from arpad.web.jobs import Jobs
from arpad.web.pages import desk as desk_pages
from arpad.web.pages import lists as list_pages
from arpad.web.pages import reports as report_pages
from arpad.web.pages import statistics as statistics_pages
from arpad.web.visits import Shop, language_of, visit
from arpad.web.window import Window

#: Handlers of pages, in each language, and of the API.
PAGES = (*list_pages.HANDLERS, *statistics_pages.HANDLERS, *desk_pages.HANDLERS, *report_pages.HANDLERS)
API = (*lists_api.HANDLERS, *statistics_api.HANDLERS, *desk_api.HANDLERS)

#: What every answer carries. Nothing is loaded from anywhere else, and no page runs what stands in it.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def create_app(place: str | os.PathLike[str], *, title: str = "arpad") -> Litestar:
    """The application for an office. Raises what `open_office` raises."""
    shop = Shop(title, Window(place), Window(place), Drawing())

    jobs = Jobs(shop.writing)

    @asynccontextmanager
    async def open_shop(app: Litestar) -> AsyncIterator[None]:
        yield
        jobs.close()
        shop.reading.close()
        shop.writing.close()

    app = Litestar(
        [
            begin,
            *(Router(f"/{language}", route_handlers=PAGES, include_in_schema=False) for language in LANGUAGES),
            Router("/api/v1", route_handlers=API),
            create_static_files_router("/static", [FOLDER / "static"], cache_control=None, include_in_schema=False),
        ],
        dependencies={"visit": Provide(visit)},
        exception_handlers={Exception: answers.answer},
        compression_config=CompressionConfig("gzip", minimum_size=2000, exclude="/static/vendor/.*gz"),
        openapi_config=OpenAPIConfig(title, __version__, path="/api/v1", use_handler_docstrings=True),
        after_request=headed,
        lifespan=[open_shop],
    )
    app.state.shop = shop
    app.state.jobs = jobs
    return app


@get("/", include_in_schema=False)
async def begin(request: Request[Any, Any, Any]) -> Redirect:
    """The pages in the language that the reader would rather have."""
    return Redirect(f"/{language_of(request)}/")


async def headed(response: Response[Any]) -> Response[Any]:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
