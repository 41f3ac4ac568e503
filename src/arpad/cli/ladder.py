"""`arpad ladder`: a list on which matches are reported, and its seasons."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import click
import msgspec

from arpad.cli import options
from arpad.cli.desk import opened
from arpad.cli.output import json_of, put, rows
from arpad.cli.talk import say

if TYPE_CHECKING:
    from arpad.bureau.ladder_rows import LadderMatch
    from arpad.bureau.seasons import Way

number = click.argument("number", type=int, metavar="MATCH")
SCORES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
as_player = click.option("--as", "person", type=int, metavar="NUMBER", help="As this player (default: as an officer).")


def _said(found: list[LadderMatch], form: str) -> int:
    lines = [
        {
            "match": each.id,
            "first": each.first,
            "second": each.second,
            "date": each.day.isoformat(),
            "number": each.number,
            "score": each.score,
            "state": each.state,
            "due": each.due if each.state == "reported" else "",
            "said": each.said,
            "final": each.final,
            "game": each.game or None,
        }
        for each in found
    ]
    if form == "json":
        put(lambda file: file.write(json_of(lines)))
    else:
        rows("matches", lines, form)
    return 0


def _who(office: Any, person: int | None) -> Any:
    from arpad.bureau.ladder import person_of
    from arpad.bureau.ladder_rows import Who

    return Who("officer") if person is None else Who("player", person_of(office, person))


@click.group()
def ladder() -> None:
    """A ladder: a list on which matches are reported by who played them, and its seasons.

    \b
    Examples:
        arpad ladder open --hours 48 --office club.db
        arpad ladder report 17 23 1-0 --as 17 --office club.db
        arpad ladder confirm 1 --as 23 --office club.db
    """


@ladder.command("open")
@options.office
@options.which
@click.option(
    "--reporters",
    type=click.Choice(["players", "reporters"]),
    default="players",
    show_default=True,
    help="Who reports: the players of a match alone, or reporters too.",
)
@click.option("--hours", type=int, default=48, show_default=True, help="A match confirms itself then; 0: never.")
@click.option("--no-draws", is_flag=True, help="A match has a winner.")
def open_(place: str, actor: str, quiet: bool, name: str | None, reporters: Any, hours: int, no_draws: bool) -> int:
    """Open a list for reports of matches, or change how it is kept.

    \b
    Examples:
        arpad ladder open --office club.db
        arpad ladder open --list blitz --reporters reporters --hours 0 --office club.db
    """
    from arpad.bureau.ladder_rows import Rules, open_ladder

    with opened(place, actor) as office:
        held = open_ladder(office, name, Rules(reporters, hours or None, not no_draws))
    if not quiet:
        say(f"list {held.list!r} takes reports of matches")
    return 0


@ladder.command()
@options.office
@options.which
def close(place: str, actor: str, quiet: bool, name: str | None) -> int:
    """Take no more reports; what was reported is still confirmed and settled.

    \b
    Examples:
        arpad ladder close --office club.db
    """
    from arpad.bureau.ladder_rows import close_ladder

    with opened(place, actor) as office:
        held = close_ladder(office, name)
    if not quiet:
        say(f"list {held.list!r} takes no reports of matches any more")
    return 0


@ladder.command()
@click.argument("first", type=int)
@click.argument("second", type=int)
@click.argument("result", type=click.Choice(list(SCORES)))
@click.option("--day", type=options.day, metavar="DATE", help="When it was played (default: today, UTC).")
@click.option("--number", type=int, default=1, show_default=True, help="Which match of the two on that day.")
@click.option("--note", default="", help="A word on it.")
@as_player
@options.office
@options.which
@options.form("table", "csv", "json")
def report(
    first: int,
    second: int,
    result: str,
    day: date | None,
    number: int,
    note: str,
    person: int | None,
    place: str,
    actor: str,
    quiet: bool,
    name: str | None,
    form: str,
) -> int:
    """Report a match between two people of the register, by number. Said again it is the same match.

    \b
    Examples:
        arpad ladder report 17 23 1-0 --as 17 --office club.db
    """
    from arpad.bureau import ladder
    from arpad.bureau.lists import today

    with opened(place, actor) as office:
        given = name, first, second, SCORES[result], day or today(), _who(office, person)
        return _said([ladder.report(office, *given, number=number, note=note)], form)


@ladder.command()
@number
@as_player
@options.office
@options.form("table", "csv", "json")
def confirm(number: int, person: int | None, place: str, actor: str, quiet: bool, form: str) -> int:
    """Confirm a match: it counts from now on.

    \b
    Examples:
        arpad ladder confirm 1 --as 23 --office club.db
    """
    from arpad.bureau import ladder

    with opened(place, actor) as office:
        return _said([ladder.confirm(office, number, _who(office, person))], form)


@ladder.command()
@number
@click.argument("text")
@as_player
@options.office
@options.form("table", "csv", "json")
def dispute(number: int, text: str, person: int | None, place: str, actor: str, quiet: bool, form: str) -> int:
    """Say what is not right with a match: an officer settles it.

    \b
    Examples:
        arpad ladder dispute 1 "it was a draw" --as 23 --office club.db
    """
    from arpad.bureau import ladder

    with opened(place, actor) as office:
        return _said([ladder.dispute(office, number, _who(office, person), text)], form)


@ladder.command()
@number
@click.argument("result", type=click.Choice([*SCORES, "drop"]))
@click.option("--reason", default="", help="Why; it stands in the log.")
@options.office
@options.form("table", "csv", "json")
def settle(number: int, result: str, reason: str, place: str, actor: str, quiet: bool, form: str) -> int:
    """Say as an officer how a match ended, or that it is dropped.

    \b
    Examples:
        arpad ladder settle 1 1/2-1/2 --reason "both wrote it down" --office club.db
    """
    from arpad.bureau import ladder

    with opened(place, actor) as office:
        return _said([ladder.settle(office, number, SCORES.get(result), _who(office, None), reason)], form)


@ladder.command()
@options.office
@options.which
@options.form("table", "csv", "json")
def pending(place: str, actor: str, quiet: bool, name: str | None, form: str) -> int:
    """Matches that are not confirmed yet, and those that are disputed.

    \b
    Examples:
        arpad ladder pending --office club.db
    """
    from arpad.bureau.ladder_rows import WAITING, ladder, matches

    with opened(place, actor) as office:
        return _said(matches(office, ladder(office, name).list, WAITING), form)


@ladder.command()
@options.office
@options.form("table", "csv", "json")
def tick(place: str, actor: str, quiet: bool, form: str) -> int:
    """Confirm what nobody disputed in time, on all lists. A server that runs does so by itself.

    \b
    Examples:
        arpad ladder tick --office club.db
    """
    from arpad.bureau import ladder

    with opened(place, actor) as office:
        return _said(ladder.tick(office), form)


@ladder.command()
@click.argument("first_day", type=options.day, metavar="DATE")
@click.option("--keep", "kept", is_flag=True, help="Everybody keeps their rating.")
@click.option("--reset", type=float, metavar="RATING", help="Everybody has this rating.")
@click.option("--pull", type=click.FloatRange(0, 100, min_open=True), metavar="PERCENT", help="Everybody is pulled.")
@click.option("--towards", type=float, metavar="RATING", help="What to pull towards (default: the mean of all).")
@click.option("--called", default="", metavar="TEXT", help="The season's name.")
@click.option("--publish", "keep_list", is_flag=True, help="Publish the list as it stood before.")
@click.option("--preview", is_flag=True, help="Only show who would have what.")
@options.office
@options.which
@options.form("table", "csv", "json")
def season(
    first_day: date,
    kept: bool,
    reset: float | None,
    pull: float | None,
    towards: float | None,
    called: str,
    keep_list: bool,
    preview: bool,
    place: str,
    actor: str,
    quiet: bool,
    name: str | None,
    form: str,
) -> int:
    """Begin a season on a day: everybody keeps their rating, has a new one, or is pulled towards one. It is one entry
    of the log, and is taken back like a correction.

    \b
    Examples:
        arpad ladder season 2026-09-01 --pull 50 --publish --preview --office club.db
        arpad ladder season 2026-09-01 --reset 1500 --office club.db
    """
    from arpad.bureau.seasons import season as begin

    way = _way(kept, reset, pull, towards)
    with opened(place, actor) as office:
        done = begin(office, name, first_day, way, called, keep_list=keep_list, preview=preview)
    lines = [msgspec.structs.asdict(each) | {"change": each.after - each.before} for each in done.changes]
    if form == "json":
        put(lambda file: file.write(json_of({**msgspec.to_builtins(done), "changes": lines})))
    else:
        rows("season", lines, form)
    if not quiet:
        undo = f"; `arpad correct --revert {done.entry}` takes it back" if done.entry else ""
        say(f"{'this would be' if preview else 'this is'} the season of {first_day}{undo}")
    return 0


def _way(kept: bool, reset: float | None, pull: float | None, towards: float | None) -> Way:
    from arpad.bureau.seasons import Keep, Pull, Reset

    if [kept, reset is not None, pull is not None].count(True) != 1:
        raise click.UsageError("a season has one of --keep, --reset and --pull")
    if towards is not None and pull is None:
        raise click.UsageError("--towards goes with --pull")
    return Keep() if kept else Reset(reset) if reset is not None else Pull((pull or 0.0) / 100, towards)
