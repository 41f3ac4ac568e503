"""The application: routes, languages, errors, headers.

app = create_app("office.db")            # or a postgresql:// URL; any ASGI server runs it
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any

from litestar import Litestar, Request, Router, get
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.logging import LoggingConfig
from litestar.middleware import DefineMiddleware
from litestar.response import Redirect
from litestar.static_files import create_static_files_router

from arpad.accounts.secret import of_office
from arpad.bureau.replays import Replays
from arpad.web import answers, limits
from arpad.web.api import accounts as accounts_api
from arpad.web.api import calculators as calculators_api
from arpad.web.api import desk as desk_api
from arpad.web.api import document, finding, rulebooks, standing, webhooks
from arpad.web.api import events as events_api
from arpad.web.api import jobs as jobs_api
from arpad.web.api import ladder as ladder_api
from arpad.web.api import lists as lists_api
from arpad.web.api import players as players_api
from arpad.web.api import statistics as statistics_api
from arpad.web.api.answering import Answer, negotiated
from arpad.web.api.once import Once
from arpad.web.delivering import delivering
from arpad.web.drawing import FOLDER, LANGUAGES, Drawing
from arpad.web.files import Files
from arpad.web.identity import Checked, Headed, Identified, Jar, bodiless
from arpad.web.jobs import Jobs
from arpad.web.pages import accounts as account_pages
from arpad.web.pages import calculators as calculator_pages
from arpad.web.pages import desk as desk_pages
from arpad.web.pages import events as event_pages
from arpad.web.pages import finding as finding_pages
from arpad.web.pages import help as help_pages
from arpad.web.pages import ladder as ladder_pages
from arpad.web.pages import lists as list_pages
from arpad.web.pages import players as player_pages
from arpad.web.pages import reference as reference_pages
from arpad.web.pages import reports as report_pages
from arpad.web.pages import rulebooks as rulebook_pages
from arpad.web.pages import signing as signing_pages
from arpad.web.pages import statistics as statistics_pages
from arpad.web.ticking import ticking
from arpad.web.visits import Shop, language_of, visit
from arpad.web.window import Window

#: Handlers of pages, in each language, and of the API.
PAGES = (
    *reference_pages.HANDLERS,
    *list_pages.HANDLERS,
    *statistics_pages.HANDLERS,
    *player_pages.HANDLERS,
    *event_pages.HANDLERS,
    *signing_pages.HANDLERS,
    *account_pages.HANDLERS,
    *calculator_pages.HANDLERS,
    *rulebook_pages.HANDLERS,
    *finding_pages.HANDLERS,
    *help_pages.HANDLERS,
    *desk_pages.HANDLERS,
    *report_pages.HANDLERS,
    *ladder_pages.HANDLERS,
)
API = (
    *lists_api.HANDLERS,
    *statistics_api.HANDLERS,
    *players_api.HANDLERS,
    *events_api.HANDLERS,
    *finding.HANDLERS,
    *rulebooks.HANDLERS,
    *calculators_api.HANDLERS,
    *standing.HANDLERS,
    *webhooks.HANDLERS,
    *document.HANDLERS,
    *accounts_api.HANDLERS,
    *desk_api.HANDLERS,
    *jobs_api.HANDLERS,
    *ladder_api.HANDLERS,
)

#: Seconds that a writer may keep those waiting who say who they are: arpad's own number, as the next one.
PATIENCE = 0.2
#: How many may ask at a time for what takes long.
PONDERED = 4


class Own(Router):
    """A router of one application: taken in as it is. Litestar copies others with all their handlers, which takes it a
    quarter of a start."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Own:
        return self


def create_app(
    place: str | os.PathLike[str],
    *,
    title: str = "arpad",
    https: bool = False,
    allow_private_webhooks: bool = False,
    served: bool = True,
    site: str | os.PathLike[str] | None = None,
) -> Litestar:
    """The application for an office. `https`: it is served by nothing else. Webhooks tell nobody in the server's own
    network, unless that is allowed. Not `served`: its pages become files, and nobody is told of anything. `site` is
    the folder in which officers may have such files written. Raises what `open_office` raises."""
    door = Window(place, PATIENCE)
    jar = Jar(door.at_once(lambda office: of_office(office.store)), https)
    replays = Replays()  # whoever is first makes one, for all of them
    window = partial(Window, place, replays=replays)
    windows = window(), window(), window(most=PONDERED), window()  # as `Shop` names them
    shop = Shop(os.fspath(place), title, *windows, Drawing(), jar, served)
    form = DefineMiddleware(Checked, config=jar.forms)

    jobs = Jobs(shop, None if site is None else os.fspath(site))

    @asynccontextmanager
    async def open_shop(app: Litestar) -> AsyncIterator[None]:
        async with AsyncExitStack() as tasks:
            if served:
                await tasks.enter_async_context(delivering(shop.writing, allow_private_webhooks))
                await tasks.enter_async_context(ticking(shop.reading, shop.writing))
            sweeping = asyncio.create_task(limits.sweep(app))
            yield
            sweeping.cancel()
        jobs.close()
        for window in (*windows, door):
            window.close()

    app = Litestar(
        [
            begin,
            *(
                Own(f"/{language}", route_handlers=PAGES, include_in_schema=False, middleware=[form])
                for language in LANGUAGES
            ),
            Own(
                "/api/v1",
                route_handlers=API,
                response_class=Answer,
                before_request=negotiated,
                middleware=[limits.API.middleware, Once],
            ),
            create_static_files_router(
                "/static", [FOLDER / "static"], file_system=Files(), cache_control=None, include_in_schema=False
            ),
        ],
        dependencies={"visit": Provide(visit)},
        multipart_form_part_limit=answers.PARTS,
        exception_handlers={Exception: answers.answer},
        compression_config=CompressionConfig("gzip", minimum_size=2000, gzip_compress_level=4),
        openapi_config=document.config(title),
        logging_config=LoggingConfig(root={"level": "WARNING", "handlers": ["queue_listener"]}),  # no address of a hook
        middleware=[Identified(door, jar)],
        before_send=[Headed(https)],
        lifespan=[open_shop],
    )
    app.asgi_handler = bodiless(app.asgi_handler)
    app.state.shop = shop
    app.state.allow_private = allow_private_webhooks
    app.state.jobs = jobs
    app.state.bundling = asyncio.Lock()
    return app


@get("/", include_in_schema=False)
async def begin(request: Request[Any, Any, Any]) -> Redirect:
    """The pages in the language that the reader would rather have."""
    return Redirect(f"/{language_of(request)}/")
