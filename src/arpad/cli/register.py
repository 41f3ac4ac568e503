"""`arpad merge`, `split`, `person`, `erase` and `export`: who people are, what is known of them, and to whom."""

from __future__ import annotations

from datetime import date

import click

from arpad.cli import options
from arpad.cli.desk import opened, told
from arpad.cli.output import json_of, put, text
from arpad.cli.talk import say

reason = click.option("--reason", default="", metavar="TEXT", help="Why; needed except for a preview.")
preview = click.option("--preview", is_flag=True, help="Only show what would be done; nothing is written.")


@click.command()
@click.argument("person", metavar="PLAYER")
@click.argument("other", metavar="OTHER")
@options.office
@reason
@preview
@options.form("table", "json")
def merge(person: str, other: str, place: str, actor: str, quiet: bool, reason: str, preview: bool, form: str) -> int:
    """Two numbers are one person: PLAYER, with all games in order, replayed. Both numbers go on being found.

    Refused where the two met, or both played in a round. `arpad split` takes it back, exactly.

    \b
    Examples:
        arpad merge 71 72 --office club.db --preview
        arpad merge 71 72 --office club.db --reason "registered twice"
    """
    from arpad.bureau import cards, people

    with opened(place, actor) as office:
        one, two = (cards.find(office, who).id for who in (person, other))
        done = people.merge(office, one, two, reason, preview=preview)
    told(done, form, quiet)
    return 0


@click.command()
@click.argument("number", metavar="NUMBER", type=int)
@options.office
@reason
@preview
@options.form("table", "json")
def split(number: int, place: str, actor: str, quiet: bool, reason: str, preview: bool, form: str) -> int:
    """Take back the merge by which NUMBER became somebody else's: everything is as before it, to the last digit.

    \b
    Examples:
        arpad split 72 --office club.db --reason "two people after all"
    """
    from arpad.bureau import people

    with opened(place, actor) as office:
        done = people.split(office, number, reason, preview=preview)
    told(done, form, quiet)
    return 0


@click.command()
@click.argument("who", metavar="PLAYER|everybody")
@options.office
@click.option("--name", default="", metavar="NAME", help="A new name; the old one stays an alias.")
@click.option("--alias", "aliases", multiple=True, metavar="NAME", help="Another name to be found by.")
@click.option("--id", "numbers", type=options.pair, multiple=True, metavar="BODY=NUMBER", help="A body's number.")
@click.option("--federation", metavar="CODE", help="The federation they play for; blank: none.")
@click.option("--since", type=options.day, metavar="DATE", help="From which day on (default: as long as is known).")
@click.option(
    "--show",
    "levels",
    type=options.pair,
    multiple=True,
    metavar="FIELD=AUDIENCE",
    help="Who may see name, aliases, born, federation or identifiers: public, members, officers, or usual.",
)
@click.option("--reason", default="", metavar="TEXT", help="Why; it is kept with the entry.")
def person(
    who: str,
    place: str,
    actor: str,
    quiet: bool,
    name: str,
    aliases: tuple[str, ...],
    numbers: tuple[tuple[str, str], ...],
    federation: str | None,
    since: date | None,
    levels: tuple[tuple[str, str], ...],
    reason: str,
) -> int:
    """Say more of a person: names, numbers, the federation they play for from a day on, and who may see what.

    `everybody` stands for all of whom nothing else is said. Without an option, tells who it is.

    \b
    Examples:
        arpad person 17 --office club.db --alias 'Marco Rossi' --id fide=10023
        arpad person 17 --office club.db --federation ESP --since 2025-07-01
        arpad person 17 --office club.db --show name=members
        arpad person everybody --office club.db --show born=officers
    """
    from arpad.bureau import cards, people

    shown = {field: "" if level == "usual" else level for field, level in levels}
    facts = bool(name or aliases or numbers or federation is not None)
    if since and federation is None:
        raise click.UsageError("--since is the day of a --federation")
    if who == "everybody" and (facts or not shown):
        raise click.UsageError("of everybody, only what is shown to whom can be said: --show FIELD=AUDIENCE")
    with opened(place, actor) as office:
        number = 0 if who == "everybody" else cards.find(office, who).id
        with office.store.writing():
            if facts:
                people.describe(
                    office,
                    number,
                    name=name,
                    aliases=aliases,
                    identifiers=dict(numbers),
                    federation=federation,
                    since=since,
                    reason=reason,
                )
            if shown:
                people.show(office, number, shown, reason)
        if number and not quiet:
            text([cards.find(office, number).words()])
    return 0


@click.command()
@click.argument("who", metavar="PLAYER")
@options.office
@reason
@click.option("--also", multiple=True, metavar="WORD", help="More words to take out of texts, such as a nickname.")
@preview
@options.form("table", "json")
def erase(
    who: str, place: str, actor: str, quiet: bool, reason: str, also: tuple[str, ...], preview: bool, form: str
) -> int:
    """Erase a person: every word about them goes, their games stay under a number, nobody's rating changes.

    Reports they stand in keep their digest and are redacted; published lists and the log stay valid. It cannot be
    taken back. Older backups still have the words: `arpad restore --erased` takes them out again.

    \b
    Examples:
        arpad erase 17 --office club.db --preview
        arpad erase 17 --office club.db --reason "request of 3 June"
    """
    from arpad.bureau import cards, erasing

    with opened(place, actor) as office:
        done = erasing.erase(office, cards.find(office, who).id, reason, also=also, preview=preview)
    if form == "json":
        put(lambda file: file.write(json_of(done)))
    if quiet:
        return 0
    numbers = ", ".join(map(str, done.people))
    say(f"person {numbers}: out of {len(done.words)} text(s) and {len(done.reports)} report(s); no rating changes")
    if done.born:
        say(f"of the birth date {done.born} stays, which ratings rest on")
    for number in done.dropped:
        say(f"report {number} could not be redacted: nothing but its digest stays")
    if done.look:
        entries = ", ".join(map(str, done.look))
        say(f"a part of the name stands in entries {entries}: --also takes a word out", "warning")
    if done.stay:
        games = ", ".join(map(str, done.stay[:20]))
        say(f"the ids or facts of game(s) {games} name the person; the chain covers them, and they stay", "warning")
    say(f"entry {done.seq}" if done.seq else "nothing was written")
    return 0


@click.command()
@options.office
@click.option("--person", "who", required=True, metavar="PLAYER", help="Whose rows.")
def export(place: str, actor: str, quiet: bool, who: str) -> int:
    """All that an office holds of one person, as JSON, with the entries of the log about them.

    A whole office goes into a bundle: `arpad bundle export`.

    \b
    Examples:
        arpad export --person 17 --office club.db > 17.json
    """
    from arpad.bureau import exports

    with opened(place, actor) as office:
        held = exports.export_person(office, who)
    put(lambda file: file.write(json_of(held)))
    return 0
