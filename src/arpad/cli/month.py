"""`arpad month`: the next list of a federation from the last ones and the reports."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import click

from arpad.cli import options
from arpad.cli.output import lines_of
from arpad.cli.talk import counted, report, say

if TYPE_CHECKING:
    from arpad.model import Act


class Dated(click.ParamType):  # type: ignore[type-arg]  # its parameter has a default that mypy does not know
    """A path, or a path and the day of what it holds: `list.txt` or `2025-11-01=list.txt`."""

    name = "list"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, date | None]:
        if isinstance(value, tuple):
            return value
        said, equals, path = str(value).partition("=")
        try:
            return (path, date.fromisoformat(said)) if equals else (str(value), None)
        except ValueError:
            return str(value), None


@click.command()
@click.argument("reports", nargs=-1, required=True, type=click.Path())
@click.option(
    "--list",
    "lists",
    type=Dated(),
    multiple=True,
    required=True,
    metavar="[DATE=]FILE",
    help="A list before this one (FIDE's text or XML, also zipped); again for older ones and other chapters.",
)
@click.option("--date", "day", type=options.day, required=True, metavar="DATE", help="The day of the list to make.")
@click.option("--standings", metavar="FILE", help="What the month before left (standings.csv).")
@click.option(
    "--acts", metavar="FILE", help="Corrections of the base: kind, player (FIDE id), date, rating, games, reason."
)
@click.option(
    "--chapter", type=click.Choice(["standard", "rapid", "blitz"]), help="Take all reports as of this chapter."
)
@click.option("-o", "--output", "folder", metavar="DIR", help="Where the list, the changes and the reasons go.")
@click.option("--live", is_flag=True, help="Print the changes so far, unrounded, and write nothing.")
@options.language
@click.option("--quiet", is_flag=True, help="Only errors on stderr.")
def month(
    reports: tuple[str, ...],
    lists: tuple[tuple[str, date | None], ...],
    day: date,
    standings: str | None,
    acts: str | None,
    chapter: Any,
    folder: str | None,
    live: bool,
    language: str,
    quiet: bool,
) -> int:
    """Make the next FIDE list: the last list and the reports since, to a new list with every change explained.

    Standard, rapid and blitz are told apart by the reports' time controls. The same inputs give the same bytes.

    \b
    Examples:
        arpad month open.trf league.trf --list 2025-11-01=standard_nov25.txt --date 2025-12-01 -o december
        arpad month *.trf --list players.xml --standings november/standings.csv --date 2025-12-01 -o december
        arpad month open.trf --list players.xml --date 2025-12-01 --live
    """
    from arpad.month_files import live_table, month_of_files, write_month

    if not live and folder is None:
        raise click.UsageError("say where the list goes (-o DIR), or ask for --live")
    corrections: list[Act] = []
    if acts:
        from arpad.errors import DataError
        from arpad.formats import read_acts

        corrections, notes = read_acts(acts)
        if errors := [problem for problem in notes if problem.severity == "error"]:
            raise DataError(errors)
    made, problems = month_of_files(lists, reports, day, standings, corrections, chapter)
    report(problem for problem in problems if not quiet or problem.severity == "error")
    if live:
        click.echo(lines_of(live_table(made), colour=False).decode(), nl=False)
        return 0
    assert folder is not None
    names = write_month(made, folder, language)
    if not quiet:
        for each in made.chapters:
            moved = sum(change.change not in (0, None) for told in each.changes.values() for change in told)
            games = len(each.history.games) - each.history.not_rated
            parts = [counted(len(each.reports), "event"), f"{counted(games, 'game')} rated"]
            say(f"{each.chapter}: {', '.join(parts)}, {counted(moved, 'rating')} moved")
        say(f"written to {folder}: {', '.join(names)}")
    return 0
