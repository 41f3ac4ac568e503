"""The command line: arguments in, the office's answers out. Data goes to stdout, talk to stderr.

Exit codes: 0 fine, 1 problems in the data, 2 wrong use, 4 a defect of arpad, 130 interrupted. Only click is imported
before a command runs, and only that command's module.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

import click

from arpad import __version__

INTERNAL, INTERRUPTED = 4, 130
#: How often a command looks for garbage, and what goes on for days: Python's own way.
RARELY, USUALLY = (100_000, 50, 50), gc.get_threshold()

#: Where each command is, in the order of the help.
HOMES = {
    "rate": "ratings",
    "explain": "ratings",
    "expected": "calculators",
    "performance": "calculators",
    "norms": "events",
    "report": "events",
    "rules": "rules",
    "month": "month",
    "init": "desk",
    "import": "desk",
    "correct": "desk",
    "replay": "desk",
    "publish": "desk",
    "base": "lists",
    "moves": "lists",
    "records": "lists",
    "ranges": "lists",
    "compare": "lists",
    "why": "lists",
    "patterns": "lists",
    "merge": "register",
    "split": "register",
    "person": "register",
    "erase": "register",
    "export": "register",
    "bundle": "bundles",
    "player": "shown",
    "event": "shown",
    "log": "shown",
    "verify": "shown",
    "backup": "shown",
    "restore": "shown",
    "serve": "serve",
    "account": "accounts",
    "ladder": "ladder",
    "check": "files",
    "convert": "files",
    "completion": "completion",
}


class Commands(click.Group):
    """Commands that are imported when they are called for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(HOMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in HOMES:
            return None
        name = f"{cmd_name}_" if cmd_name == "import" else cmd_name  # which Python keeps for itself
        command = getattr(import_module(f"arpad.cli.{HOMES[cmd_name]}"), name)
        return command if isinstance(command, click.Command) else None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, "-V", "--version", prog_name="arpad", message="%(prog)s %(version)s")
def arpad() -> None:
    """Rate results under an organisation's own regulations, and explain every number.

    \b
    A games file is a table such as this (games.csv):
        date,white,black,result
        2025-03-01,Anna,Bruno,1-0
        2025-03-02,Bruno,Carla,1/2-1/2

    \b
    Examples:
        arpad rate games.csv
        arpad rate games.csv --rules fide/standard --start list.csv -o ratings.csv
        arpad explain games.csv --player Anna
        arpad expected 1613 1609
        arpad rules list
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    gc.set_threshold(*RARELY)  # what starts up is not garbage: looking for it costs a small command a tenth
    code = run(arguments)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # nobody reads any more, or there is no room: that has been said
            if stream is not None:
                stream.flush()
    os._exit(code)  # everything is written; taking the interpreter apart would cost as much as reading a file


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code. Every error ends here, in words on stderr."""
    from arpad.errors import ArpadError

    try:
        done = arpad.main(arguments, prog_name="arpad", standalone_mode=False)
        return done if isinstance(done, int) else 0
    except click.Abort:
        click.echo(err=True)
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except ArpadError as error:
        from arpad.cli.talk import complain

        complain(error)
        return error.exit_code
    except OSError as error:
        from arpad.cli.talk import say

        say(error.strerror or str(error), "error")
        return click.UsageError.exit_code
    except Exception as error:
        if os.environ.get("ARPAD_DEBUG"):
            raise
        hint = "please report it, with what ARPAD_DEBUG=1 shows"
        click.echo(f"arpad: a defect of arpad: {type(error).__name__}: {error} ({hint})", err=True)
        return INTERNAL
