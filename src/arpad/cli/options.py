"""Kinds of values and groups of options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from arpad.formats import Reading

F = TypeVar("F", bound=Callable[..., Any])


def day(text: str) -> date:
    """A calendar date, written YYYY-MM-DD and no other way."""
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
        raise click.BadParameter(f"{text!r} is not a date; dates are written YYYY-MM-DD, such as 2025-02-28")
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a day of the calendar") from None


def pair(text: str) -> tuple[str, str]:
    """`key=value`."""
    key, equals, value = text.partition("=")
    if not key.strip() or not equals:
        raise click.BadParameter(f"{text!r} is not of the form key=value")
    return key.strip(), value.strip()


def rulebook_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """For the shell: the rulebooks that ship, and files."""
    from click.shell_completion import CompletionItem

    from arpad.rulebooks import names

    found = [CompletionItem(name) for name in names() if name.startswith(incomplete)]
    return found or [CompletionItem(incomplete, type="file")]


def rules(default: str | None) -> Callable[[F], F]:
    return click.option(
        "--rules",
        metavar="RULES",
        default=default,
        show_default=default is not None,
        shell_complete=rulebook_names,
        help="Rulebook: a name that `arpad rules list` shows, or the path of a .toml file.",
    )


on = click.option("--on", type=day, metavar="DATE", help="The edition in force on this day (default: the last one).")
settings = click.option(
    "--set", "settings", type=pair, multiple=True, metavar="KEY=VALUE", help="Set a parameter of the rulebook."
)
language = click.option(
    "--language", type=click.Choice(["en", "it", "es"]), default="en", show_default=True, help="Language of the texts."
)


def form(*accepted: str) -> Callable[[F], F]:
    """`--format`, of which the first one accepted is the default."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(accepted),
        default=accepted[0],
        show_default=True,
        help="Form of the output.",
    )


#: How files are read.
FILES: tuple[Callable[[Any], Any], ...] = (
    click.option("--separator", metavar="CHAR", help="Separator of CSV files (default: detected)."),
    click.option("--decimal", type=click.Choice([".", ","]), help="Decimal mark (default: detected)."),
    click.option("--encoding", metavar="NAME", help="Encoding, such as cp1252 (default: detected)."),
    click.option(
        "--date-format",
        type=click.Choice(["DMY", "MDY", "YMD"], case_sensitive=False),
        help="Order of dates that are not ISO (default: where certain).",
    ),
    click.option(
        "--columns",
        type=pair,
        multiple=True,
        metavar="FACT=HEADER",
        help="Which column holds a fact, such as white='Bianco A'.",
    ),
)


def games(command: F) -> F:
    """What every command that rates takes: the games, the rules, and how to read the files."""
    path = click.Path(allow_dash=True, dir_okay=False)
    for decorate in reversed(
        [
            click.argument("games", nargs=-1, required=True, type=path, metavar="GAMES..."),
            rules("elo"),
            click.option(
                "--start",
                type=click.Path(dir_okay=False),
                metavar="FILE",
                help="Ratings before the first game (player, rating, games, …), or a checkpoint.",
            ),
            click.option(
                "--acts",
                type=click.Path(dir_okay=False),
                metavar="FILE",
                help="Dated entries, blends, corrections and floors.",
            ),
            click.option("--on", type=day, metavar="DATE", help="Leave out games after this day (YYYY-MM-DD)."),
            settings,
            click.option(
                "--known",
                type=day,
                metavar="DATE",
                help="By the rules as they were known on this day: without what was announced later and took effect "
                "backwards.",
            ),
            click.option(
                "--skip-bad",
                is_flag=True,
                help="Rate the rest if rows are bad; they are listed, and the exit code is 1.",
            ),
            *FILES,
            click.option("-q", "--quiet", is_flag=True, help="No notes, warnings or progress on stderr."),
        ]
    ):
        command = decorate(command)
    return command


def files(command: F) -> F:
    """How to read files, for `reading`."""
    for decorate in reversed(FILES):
        command = decorate(command)
    return command


place = click.option(
    "--office",
    "place",
    envvar="ARPAD_OFFICE",
    required=True,
    metavar="FILE|URL",
    help="The office: a file, or postgresql://… (default: what ARPAD_OFFICE names).",
)


def office(command: F) -> F:
    """Which office, and who writes."""
    for decorate in (
        click.option("-q", "--quiet", is_flag=True, help="Only errors on stderr."),
        click.option(
            "--actor",
            envvar="ARPAD_ACTOR",
            default="officer",
            show_default=True,
            help="Who writes: a role, not a name.",
        ),
        place,
    ):
        command = decorate(command)
    return command


def audience(usual: str) -> Callable[[F], F]:
    """For whom something is shown."""
    return click.option(
        "--for",
        "audience",
        type=click.Choice(["public", "members", "officers"]),
        default=usual,
        show_default=True,
        help="For whom: names and facts that are not for them are left out.",
    )


which = click.option("--list", "name", metavar="NAME", help="Which list of the office (default: its first).")


def reading(given: dict[str, Any]) -> Reading:
    """How to read, taken out of a command's options."""
    from arpad.formats import Reading

    tab = {"tab": "\t", "\\t": "\t"}
    separator = given.pop("separator")
    return Reading(
        separator=tab.get(separator, separator),
        decimal=given.pop("decimal"),
        encoding=given.pop("encoding"),
        date_format=given.pop("date_format"),
        columns=dict(given.pop("columns")),
    )
