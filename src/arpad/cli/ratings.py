"""`arpad rate` and `arpad explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from arpad.cli import options
from arpad.cli.output import Writer, format_of, json_of, put, refuse_overwriting, show, shown, text, writer
from arpad.cli.talk import bar, counted, report, say

if TYPE_CHECKING:
    from arpad.formats import Table
    from arpad.office import Rated

#: What `rate` writes; the first one is for people.
FORMS = ("table", "csv", "json", "jsonl", "parquet", "arrow", "xlsx")


@click.command()
@options.games
@click.option(
    "--format", "form", type=click.Choice(FORMS), help="Form of the list (default: by the ending of -o, else table)."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Where the list goes (default: stdout).",
)
@click.option(
    "--history",
    "history_file",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Also write one row a player and game, in the order of the replay.",
)
@click.option(
    "--checkpoint",
    "checkpoint_file",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Also write a checkpoint (JSON) that --start goes on from.",
)
@click.option(
    "--as-published",
    is_flag=True,
    help="Also show what each rating was when it was published on the day of --on, by the rules known then.",
)
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="Only the first N of the list.")
def rate(
    form: str | None,
    output: str | None,
    history_file: str | None,
    checkpoint_file: str | None,
    as_published: bool,
    top: int | None,
    quiet: bool,
    **given: Any,
) -> int:
    """Rate games and print the list.

    GAMES are CSV, TSV, JSON, JSON lines, Parquet, Arrow or XLSX files (`-`: CSV on stdin); several are read as one.
    A bad row stops everything: each is named, nothing is written, and the exit code is 1.

    \b
    A games file (games.csv), and what may be known before (list.csv):
        date,event,round,white,black,result      player,rating,games
        2025-03-01,Open,1,Anna,Bruno,1-0         Anna,1613,120
        2025-03-02,Open,2,Bruno,Carla,1/2-1/2    Bruno,1609,48

    \b
    A contest of several has a row a player; equal places are ties, team may be left out:
        date,id,player,team,place
        2025-03-01,7,Anna,Red,1

    \b
    Examples:
        arpad rate games.csv
        arpad rate contests.csv --rules multiplayer
        arpad rate games.csv --rules elo --set k=24 --top 10
        arpad rate games.csv --rules fide/standard --start list.csv --on 2025-03-31
        arpad rate 2023.csv 2024.csv --format json -o ratings.json --history history.csv
        arpad rate 2023.csv --checkpoint end-of-2023.json
        arpad rate 2024.csv --start end-of-2023.json
        arpad rate games.csv --rules uschess/regular --on 2023-09-20 --as-published
    """
    form = form or (format_of(output) if output and output != "-" else "table")
    if "-" in (history_file, checkpoint_file):
        raise click.UsageError("--history and --checkpoint go to files; only the list goes to standard output")
    history_form = format_of(history_file) if history_file else ""
    inputs = [*given["games"], given["start"], given["acts"], given["rules"]]
    refuse_overwriting([output, history_file, checkpoint_file], inputs)
    if as_published and (given["on"] is None or given["known"] is not None):
        raise click.UsageError("--as-published needs the day of the list, --on DATE, and goes without --known")
    if as_published and "-" in given["games"]:
        raise click.UsageError("--as-published reads the games twice: give a file, not standard input")
    rated = _rated(given, quiet)
    listed = _list(rated, top, form, _published(given) if as_published else None)
    files: dict[str, Writer] = {}
    if output and output != "-":
        files[output] = _json(rated, listed) if form == "json" else writer(listed, form)
    if history_file:
        from arpad.views import games

        files[history_file] = writer(games(rated.history), history_form)
    if checkpoint_file:
        from arpad.checkpoints import encode

        encoded = encode(rated.history.checkpoint())
        files[checkpoint_file] = lambda file: file.write(encoded)
    if files:
        from arpad.formats import write_files

        write_files(files)
    if not output or output == "-":
        if form == "json":
            put(_json(rated, listed))
        else:
            show(listed, form)
    if not quiet:
        for line in _summary(rated):
            say(line)
    return 1 if rated.errors else 0


@click.command()
@options.games
@click.option("--player", required=True, metavar="NAME", help="Whose changes.")
@click.option("--event", metavar="NAME", help="Only the changes of this event.")
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Only the last N changes.")
@options.language
@options.form("text", "json")
def explain(
    player: str, event: str | None, last: int | None, language: str, form: str, quiet: bool, **given: Any
) -> int:
    """Explain every change of a player: opponents, expectation, K, and the clauses that say so.

    \b
    A games file (games.csv):
        date,event,white,black,result
        2025-03-01,Open,Anna,Bruno,1-0

    \b
    Examples:
        arpad explain games.csv --player Anna
        arpad explain games.csv --player Anna --last 1
        arpad explain games.csv --rules fide/standard --start list.csv --player Anna --event Open
        arpad explain games.csv --player Anna --language it --format json
    """
    from arpad import office

    rated = _rated(given, quiet)
    changes = office.explain(rated, player, event)
    if last is not None:
        changes = changes[-last:]
    if form == "json":
        put(lambda file: file.write(json_of({**_head(rated), "player": player, "changes": changes})))
    else:
        text(office.words(changes, language, player))
    if not quiet:
        say(rated.heading.words(language))
    return 1 if rated.errors else 0


def _rated(given: dict[str, Any], quiet: bool) -> Rated:
    """Rate, and report what was found in the files."""
    rated = _carried_out(given, quiet)
    report(problem for problem in rated.problems if not quiet or problem.severity == "error")
    return rated


def _carried_out(given: dict[str, Any], quiet: bool) -> Rated:
    from arpad import office

    given = dict(given)
    how = options.reading(given)
    return office.rate(
        given["games"],
        given["rules"],
        start=given["start"],
        acts=given["acts"],
        on=given["on"],
        settings=dict(given["settings"]),
        known=given["known"],
        strict=not given["skip_bad"],
        reading=how,
        progress=bar(quiet),
    )


def _published(given: dict[str, Any]) -> Rated:
    """The same games by the rules that were known on the list's day."""
    return _carried_out({**given, "known": given["on"]}, quiet=True)


def _list(rated: Rated, top: int | None, form: str, published: Rated | None) -> Table:
    from arpad.formats import Table
    from arpad.going_on import START
    from arpad.views import ratings, with_other

    listed = ratings(rated.history)
    if published is not None:
        listed = with_other(listed, "published", ratings(published.history))
    columns = dict(listed.columns)
    if form == "table":
        for name in ("rating_exact", *START, *rated.history.system.carried):
            columns.pop(name, None)  # people read what is published
    return Table("ratings", {name: column[:top] for name, column in columns.items()})


def _json(rated: Rated, listed: Table) -> Writer:
    encoded = json_of({**_head(rated), "ratings": listed.rows(), **_counts(rated)})
    return lambda file: file.write(encoded)


def _head(rated: Rated) -> dict[str, Any]:
    heading = rated.heading
    return {
        "rules": heading.rulebook,
        "organisation": heading.organisation,
        "title": heading.title,
        "edition": heading.edition,
        "as_of": heading.as_of,
        "parameters": rated.history.rulebook.settings,
    }


def _counts(rated: Rated) -> dict[str, Any]:
    from arpad.views import contests, unrated

    history = rated.history
    several = contests(history)
    return {
        **({"contests": several} if several else {}),
        "games": len(history.games),
        "not_rated": history.not_rated,
        "pending": history.games.pending,
        "players": len(history.players),
        "unrated": unrated(history),
        "groups": list(rated.groups),
        "problems": rated.problems,
    }


def _summary(rated: Rated) -> list[str]:
    """What a list rests on, in words."""
    counts = _counts(rated)
    book = rated.history.rulebook
    changed = [
        f"{name}={shown(value)}" for name, value in book.settings.items() if value != book.parameters[name].default
    ]
    lines = [rated.heading.words() + (f", with {', '.join(changed)}" if changed else "")]
    parts = [f"{counted(counts['games'] - counts['not_rated'], 'game')} rated"]
    if "contests" in counts:
        parts = [f"{counted(counts['contests'], 'contest')} ({counted(counts['games'], 'pair')}) rated"]
    parts += [
        f"{counts[name]:,} {word}"
        for name, word in (("not_rated", "not rated"), ("pending", "pending"))
        if counts[name]
    ]
    parts.append(counted(counts["players"], "player"))
    if counts["unrated"]:
        parts.append(f"{counts['unrated']:,} of them unrated and not listed")
    lines.append(", ".join(parts))
    if rated.errors:
        lines.append(f"{counted(len(rated.errors), 'error')}: those rows were left out")
    if len(rated.groups) > 1:
        count, sizes = len(rated.groups), rated.groups
        named = ", ".join(map(str, sizes[:10])) + (", …" if count > 10 else "")
        lines.append(
            f"{count} groups of players never met: their ratings are {count} separate scales ({named} players)"
        )
    return lines
