"""`arpad serve`: the office in a browser, and its API."""

from __future__ import annotations

import gc

import click

from arpad.cli import USUALLY
from arpad.cli.talk import say
from arpad.errors import UsageError


@click.command()
@click.argument("place", metavar="FILE|URL", envvar="ARPAD_OFFICE")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="0.0.0.0: for everybody.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any that is free.")
@click.option("--title", default="arpad", show_default=True, metavar="TEXT", help="What the site is called.")
@click.option(
    "--https", is_flag=True, help="People reach it by https only, through a proxy: cookies are sent by it alone."
)
@click.option(
    "--proxy",
    metavar="ADDRESS",
    help="Whom to believe whose requests it passes on (X-Forwarded-For, -Proto): a proxy's address; * is any.",
)
@click.option(
    "--allow-private-webhooks", is_flag=True, help="Webhooks may tell hosts of your own network, by http too."
)
@click.option("--site", metavar="DIR", help="Where officers may have the public pages written as files.")
@click.option("-q", "--quiet", is_flag=True, help="Only errors on stderr.")
def serve(
    place: str,
    host: str,
    port: int,
    title: str,
    https: bool,
    proxy: str | None,
    allow_private_webhooks: bool,
    site: str | None,
    quiet: bool,
) -> int:
    """Serve the pages of an office and its API, until it is stopped by Ctrl-C.

    Who signs in needs an account (`arpad account add`); without one the pages only read.

    \b
    Examples:
        arpad serve club.db
        arpad serve postgresql://arpad@localhost/club --https --proxy 127.0.0.1
    """
    try:
        import uvicorn

        from arpad.accounts import book
        from arpad.web.app import create_app
    except ImportError as missing:
        raise UsageError(f"the web needs {missing.name}: pip install 'arpad[web]'") from None
    app = create_app(place, title=title, https=https, allow_private_webhooks=allow_private_webhooks, site=site)
    config = uvicorn.Config(
        app,
        host,
        port,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=proxy is not None,
        forwarded_allow_ips=proxy,
    )
    if not quiet:
        if not app.state.shop.reading.at_once(book.accounts):
            say("nobody can sign in yet: `arpad account add NAME --role admin --office …` makes the first one", "note")
        say(f"{title} on http://{host}:{port}/ (Ctrl-C stops it)", "note")
    gc.set_threshold(*USUALLY)
    uvicorn.Server(config).run()
    return 0
