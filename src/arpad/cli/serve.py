"""`arpad serve`: the office in a browser, and its API."""

from __future__ import annotations

import click

from arpad.cli.talk import say
from arpad.errors import UsageError


@click.command()
@click.argument("place", metavar="FILE|URL", envvar="ARPAD_OFFICE")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="0.0.0.0: for everybody.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any that is free.")
@click.option("--title", default="arpad", show_default=True, metavar="TEXT", help="What the site is called.")
@click.option("-q", "--quiet", is_flag=True, help="Only errors on stderr.")
def serve(place: str, host: str, port: int, title: str, quiet: bool) -> int:
    """Serve the pages of an office and its API, until it is stopped by Ctrl-C.

    \b
    Examples:
        arpad serve club.db
        arpad serve postgresql://arpad@localhost/club --host 0.0.0.0 --port 80
    """
    try:
        import uvicorn

        from arpad.web.app import create_app
    except ImportError as missing:
        raise UsageError(f"the web needs {missing.name}: pip install 'arpad[web]'") from None
    app = create_app(place, title=title)
    config = uvicorn.Config(app, host, port, log_level="warning", access_log=False, server_header=False)
    if not quiet:
        say(f"{title} on http://{host}:{port}/ (Ctrl-C stops it)", "note")
    uvicorn.Server(config).run()
    return 0
