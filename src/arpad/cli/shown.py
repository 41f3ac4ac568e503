"""`arpad player`, `event`, `log`, `verify`, `backup` and `restore`: what an office shows, and how it is kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click
import msgspec

from arpad.cli import options
from arpad.cli.desk import opened
from arpad.cli.output import json_of, put, rounded, rows, text
from arpad.cli.talk import counted, say


def _lines(name: str, lines: Iterable[Any], without: tuple[str, ...] = ()) -> None:
    rows(name, [msgspec.structs.asdict(line) for line in lines], "table", without)


@click.command()
@click.argument("who", metavar="PLAYER")
@options.office
@options.which
@options.audience("officers")
@click.option("--sheet", "sheet_", is_flag=True, help="Line by line on one list: games with what K was made of, acts.")
@options.form("table", "csv", "json")
def player(
    who: str, place: str, actor: str, quiet: bool, name: str | None, audience: str, sheet_: bool, form: str
) -> int:
    """A player's card: ratings on every list, and game by game what each rests on.

    PLAYER is a person's number, an identifier such as fide:10023, or a name that only one person has.

    \b
    Examples:
        arpad player 17 --office club.db
        arpad player 'Bianchi, Anna' --office club.db --format json
        arpad player 17 --office asigc.db --sheet
    """
    from arpad.bureau import cards, sheets

    if not sheet_ and (name or form == "csv"):
        raise click.UsageError("--list and --format csv go with --sheet: a card has every list")
    with opened(place, actor) as office:
        office.audience = audience
        if sheet_:
            lines = [msgspec.structs.asdict(line) for line in sheets.sheet(office, who, name)]
            rows("sheet", [rounded(line) for line in lines] if form == "table" else lines, form, ("opponent",))
            return 0
        card = cards.player(office, who)
    if form == "json":
        put(lambda file: file.write(json_of(card)))
        return 0
    numbers = ", ".join(f"{body} {number}" for body, number in card.identifiers.items())
    text([f"{card.name} (person {card.person}{'; ' + numbers if numbers else ''})"])
    for each in card.lists:
        rating = "unrated" if each.rating is None else f"{each.rating:.2f}"
        printed = f", {each.published:g} on {each.published_on}" if each.published is not None else ""
        text([f"{each.list}: {rating}, {counted(each.games, 'game')}{printed}"])
        if each.lines:
            _lines("games", each.lines, ("event", "opponent"))
        else:
            text(["no rated games"])
    if card.voided and not quiet:
        for game in card.voided:
            say(
                f"game {game.game} does not count: {game.reason or 'no reason kept'} (entry {game.entry}, {game.actor})"
            )
    return 0


@click.command()
@click.argument("number", type=int, metavar="EVENT")
@options.office
@options.which
@options.audience("officers")
@options.form("table", "json")
def event(number: int, place: str, actor: str, quiet: bool, name: str | None, audience: str, form: str) -> int:
    """An event with its games and what they changed.

    \b
    Examples:
        arpad event 3 --office club.db
    """
    from arpad.bureau import cards

    with opened(place, actor) as office:
        office.audience = audience
        page = cards.event(office, number, name)
    if form == "json":
        put(lambda file: file.write(json_of(page)))
        return 0
    days = " to ".join(str(day) for day in (page.start, page.end) if day)
    text([f"{page.name} (event {page.event}{', ' + days if days else ''}; report {page.report})"])
    _lines("games", page.lines, ("first", "second"))
    if page.voided and not quiet:
        for game in page.voided:
            say(
                f"game {game.game} does not count: {game.reason or 'no reason kept'} (entry {game.entry}, {game.actor})"
            )
    return 0


@click.command()
@options.office
@click.option("--from", "first", type=click.IntRange(min=1), default=1, metavar="N", help="From this entry on.")
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Only the last N entries.")
@options.language
@options.form("table", "csv", "json")
def log(place: str, actor: str, quiet: bool, first: int, last: int | None, language: str, form: str) -> int:
    """Everything that was said: who, when, what, and why.

    \b
    Examples:
        arpad log --office club.db --last 20
        arpad log --office club.db --language it
    """
    from arpad.bureau import cards

    with opened(place, actor) as office:
        since = max(first, office.head - last + 1) if last else first
        found = cards.log(office, since, language=language)
    rows("log", [msgspec.structs.asdict(line) for line in found], form)
    return 0


@click.command()
@options.office
def verify(place: str, actor: str, quiet: bool) -> int:
    """Check an office: the chain of entries, every table against it, kept bytes, and the replay; faults: exit code 1.

    \b
    Examples:
        arpad verify --office club.db
    """
    from arpad.bureau import keeping

    with opened(place, actor) as office:
        faults = keeping.verify(office)
        head = office.head
    for fault in faults:
        say(fault, "error")
    if not faults and not quiet:
        say(f"{head} entries: everything holds together")
    return 1 if faults else 0


@click.command()
@click.argument("target", type=click.Path(dir_okay=False), metavar="FILE")
@options.office
def backup(target: str, place: str, actor: str, quiet: bool) -> int:
    """A whole office in one file, while others go on working in it.

    \b
    Examples:
        arpad backup monday.db --office club.db
    """
    from arpad.bureau import keeping

    with opened(place, actor) as office:
        keeping.backup(office, target)
    if not quiet:
        say(f"written to {target}")
    return 0


@click.command()
@click.argument("source", type=click.Path(dir_okay=False), metavar="BACKUP")
@options.office
@click.option("--erased", type=int, multiple=True, metavar="N", help="Somebody erased since: out of it again.")
def restore(source: str, place: str, actor: str, quiet: bool, erased: tuple[int, ...]) -> int:
    """An office from a backup, verified first; the office must not be there yet.

    --erased names who was erased since the backup was made; `arpad log` has their numbers.

    \b
    Examples:
        arpad restore monday.db --office club.db
        arpad restore monday.db --office postgresql://office@host/club
    """
    from arpad.bureau import keeping

    with keeping.restore(source, place, erased) as office:
        head = office.head
    if not quiet:
        say(f"{head} entries in {place}")
    return 0
