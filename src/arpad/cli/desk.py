"""`arpad init`, `import`, `correct`, `replay` and `publish`: what the officers of a rating office do.

Over 400 lines because each command brings its options and its help, which are half of it.
"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from arpad.cli import options
from arpad.cli.output import json_of, put, rows, show
from arpad.cli.talk import bar, complain, counted, report, say
from arpad.errors import DataError, UsageError

if TYPE_CHECKING:
    from arpad.bureau.corrections import Change, Corrected
    from arpad.bureau.intake import Received
    from arpad.bureau.lists import Difference
    from arpad.bureau.opened import Office

#: Printed results of `arpad correct --result`.
RESULTS = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5), "½-½": (0.5, 0.5), "0-0": (0.0, 0.0)}


def _of_both(goals: str) -> tuple[float, float]:
    found = re.fullmatch(r"(\d{1,6}(?:\.\d+)?)\s*[-:]\s*(\d{1,6}(?:\.\d+)?)", goals.strip())
    if found is None:
        raise click.BadParameter(f"{goals!r} is not of the form 3-1", param_hint="--goals")
    return float(found[1]), float(found[2])


def opened(place: str, actor: str) -> Office:
    from arpad.bureau.opened import open_office

    return open_office(place, actor=actor)


@click.command()
@click.argument("place", metavar="FILE|URL", envvar="ARPAD_OFFICE")
@options.rules("elo")
@options.settings
@click.option("--base", type=options.day, metavar="DATE", help="The day on which ratings begin; no game is older.")
@click.option("--list", "name", metavar="NAME", help="What the list is called (default: as its rulebook).")
@click.option("--pool", default="", metavar="NAME", help="Whose games it rates, where there are several pools.")
@click.option("--add", is_flag=True, help="Add a list to an office that is there.")
@click.option("--actor", envvar="ARPAD_ACTOR", default="officer", show_default=True, help="Who writes: a role.")
def init(
    place: str,
    rules: str,
    settings: tuple[tuple[str, str], ...],
    base: date | None,
    name: str | None,
    pool: str,
    add: bool,
    actor: str,
) -> int:
    """Make an office: a ledger in one file (or in an empty PostgreSQL database), with a list by a rulebook.

    \b
    Examples:
        arpad init club.db
        arpad init asigc.db --rules asigc --base 1992-12-31
        arpad init club.db --add --rules fide/rapid --pool rapid
    """
    from arpad.bureau import opened as bureau

    if place == ":memory:":
        raise click.UsageError("an office in memory would be gone with this command; name a file")
    given: dict[str, Any] = {"name": name, "settings": dict(settings), "base": base, "pool": pool}
    if add:
        with opened(place, actor) as office:
            made = bureau.add_list(office, rules, **given)
    else:
        with bureau.init(place, rules, actor=actor, **given) as office:
            made = office.which(None)
    say(f"list {made.name!r} by {made.rules}, digest {made.digest[:12]}, in {office.store.place}")
    return 0


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False), metavar="FILE...")
@options.office
@click.option(
    "--as",
    "kind",
    type=click.Choice(["games", "people", "members", "acts", "facts"]),
    default="games",
    help="What is in them.",
)
@options.which
@click.option("--dry-run", is_flag=True, help="Only say what would be done; nothing is written.")
@click.option("--accept", is_flag=True, help="Accept it if nothing holds it; else it is only kept, and checked.")
@click.option("--refuse", "refusing", is_flag=True, help="Refuse reports that are kept; each may be sent again.")
@click.option("--register", is_flag=True, help="Whoever is like nobody in the register is somebody new.")
@click.option(
    "--match",
    "matches",
    type=options.pair,
    multiple=True,
    metavar="PLAYER=PERSON",
    help="Who somebody is: the number of a person, or `new`.",
)
@click.option("--ids", default="", metavar="BODY", help="Players of tables are numbers of this body, such as fide.")
@click.option("--pool", default="", metavar="NAME", help="Which pool the games belong to.")
@click.option("--distinct", is_flag=True, help="It is no duplicate of the event that it looks like.")
@click.option("--reason", default="", metavar="TEXT", help="Why; it is kept with the entry.")
@options.form("table", "json")
@options.files
def import_(
    files: tuple[str, ...],
    place: str,
    actor: str,
    quiet: bool,
    kind: str,
    name: str | None,
    dry_run: bool,
    accept: bool,
    refusing: bool,
    register: bool,
    matches: tuple[tuple[str, str], ...],
    ids: str,
    pool: str,
    distinct: bool,
    reason: str,
    form: str,
    **given: Any,
) -> int:
    """Take reports in: keep them, check them, see who is who, and with --accept let their games count.

    A report is accepted whole or not at all; what holds it is listed, and the exit code is 1. The same report twice
    counts once. Nobody is recognised by name alone. --as people takes a start list, --as members a register with names,
    numbers, categories, federations and titles, --as acts dated acts of players
    (by number, body:number, or name), --as facts a table of player, fact (federation or title), from and value; they
    are written with --accept.

    \b
    Examples:
        arpad import open.trf --office club.db
        arpad import open.trf --office club.db --accept --register
        arpad import open.trf --office club.db --accept --match 'Rossi, Marco=17'
        arpad import members.csv --as people --ids club --accept --office club.db
    """
    from arpad.bureau import intake
    from arpad.cli.bringing import bring

    if dry_run + accept + refusing > 1:
        raise click.UsageError("--dry-run, --accept and --refuse are three things: ask for one")
    reading = options.reading(given)
    with opened(place, actor) as office:
        if kind != "games":
            return bring(office, files, kind, name, ids, reason, reading, accept and not dry_run, quiet, form)
        decided = {key: 0 if person == "new" else _number(person) for key, person in matches}
        decisions = intake.Decisions(decided, register, distinct, ids, pool)
        told, codes = [], [0]
        for path in files:
            try:
                if refusing:
                    each = intake.refused(office, path, reason)
                elif dry_run:
                    each = intake.examine(office, path, decisions, reading)
                elif accept:
                    each = intake.receive(office, path, decisions, reading, reason, bar(quiet))
                else:
                    each = intake.stage(office, path, decisions, reading)
            except (DataError, UsageError) as error:  # of this file alone: what was taken in before it, is
                complain(error, "nothing of it was kept")
                problems = error.problems if isinstance(error, DataError) else ()
                told.append({"file": path, "accepted": False, "error": str(error), "holds": problems})
                codes.append(error.exit_code)
                continue
            told.append(_received(path, each))
            if form == "table" and each.people:
                rows("people", [_row(match) for match in each.people], "table")
            if not quiet:
                report(each.log)
            report(each.holds)
            if each.holds or not quiet:
                say(f"{path}: {_outcome(each, dry_run)}")
            codes.append(1 if each.holds else 0)
    if form == "json":
        put(lambda file: file.write(json_of(told)))
    return max(codes)


def _row(match: Any) -> dict[str, Any]:
    return {"player": match.named.key, "name": match.named.name, "person": match.person or None, "by": match.how}


def _received(path: str, each: Received) -> dict[str, Any]:
    return {
        "file": path,
        "report": each.report,
        "digest": each.digest,
        "accepted": each.accepted,
        "again": each.again,
        "refused": each.refused,
        "games": each.games,
        "pending": each.pending,
        "events": each.events,
        "people": [{**_row(match), "candidates": match.candidates} for match in each.people],
        "holds": each.holds,
        "log": each.log,
    }


def _outcome(each: Received, dry: bool) -> str:
    if each.refused:
        return f"report {each.report} is refused"
    held = [(each.games, "game"), (len(each.people), "player"), (len(each.events), "event")]
    holds = ", ".join(counted(count, word) for count, word in held)
    holds += f", {each.pending} without a result" if each.pending else ""
    if each.again:
        return f"counts already, as report {each.report}"
    if each.accepted:
        return f"accepted as report {each.report}: {holds}"
    waits = f"held by {counted(len(each.holds), 'problem')}" if each.holds else "nothing holds it"
    kept = "nothing was written" if dry else f"kept as report {each.report}"
    return f"{holds}; {waits}; {kept}"


@click.command()
@options.office
@click.option("--game", type=int, metavar="N", help="A game, by its number.")
@click.option("--event", "event_number", type=int, metavar="N", help="An event, by its number.")
@click.option("--act", type=int, metavar="N", help="An act, by its number.")
@click.option("--revert", "entry", type=int, metavar="ENTRY", help="Take back a correction, by its entry in the log.")
@click.option("--adopt", metavar="LIST", help="Take a list's rulebook as it reads now.")
@click.option("--void", is_flag=True, help="The game or act does not count.")
@click.option("--result", type=click.Choice(list(RESULTS)), help="The game's result, white first.")
@click.option("--goals", metavar="N-N", help="Instead of it: the goals or points of both, such as 3-1.")
@click.option("--date", "day", type=options.day, metavar="DATE", help="The game's or act's day.")
@click.option("--white", metavar="PLAYER", help="Who had white: a number, body:number, or name.")
@click.option("--black", metavar="PLAYER", help="Who had black.")
@click.option("--start", type=options.day, metavar="DATE", help="The event's first day.")
@click.option("--end", type=options.day, metavar="DATE", help="The event's last day.")
@click.option("--reason", default="", metavar="TEXT", help="Why; needed except for a preview.")
@click.option("--preview", is_flag=True, help="Only show who would move and which published lists would differ.")
@options.form("table", "json")
def correct(
    place: str,
    actor: str,
    quiet: bool,
    game: int | None,
    event_number: int | None,
    act: int | None,
    entry: int | None,
    adopt: str | None,
    void: bool,
    result: str | None,
    goals: str | None,
    day: date | None,
    white: str | None,
    black: str | None,
    start: date | None,
    end: date | None,
    reason: str,
    preview: bool,
    form: str,
) -> int:
    """Correct a fact, however old, and show everybody whose rating moves and each published list that now differs.

    What was said stays in the log; a correction can be taken back, exactly. Published lists stay as they are.

    \b
    Examples:
        arpad correct --office club.db --game 17 --result 0-1 --preview
        arpad correct --office club.db --game 17 --result 0-1 --reason "the arbiter's letter"
        arpad correct --office league.db --game 17 --goals 1-1 --reason "the referee's sheet"
        arpad correct --office club.db --event 3 --end 2025-05-12 --reason "played a day later"
        arpad correct --office club.db --revert 41 --reason "the letter was wrong"
        arpad correct --office club.db --adopt elo --preview
    """
    from arpad.bureau import cards, corrections

    targets = {"game": game, "event": event_number, "act": act, "revert": entry, "adopt": adopt}
    chosen: list[tuple[str, Any]] = [(what, number) for what, number in targets.items() if number is not None]
    if len(chosen) != 1:
        raise click.UsageError("say what to correct: one of --game, --event, --act, --revert, --adopt")
    what, number = chosen[0]
    with opened(place, actor) as office:
        values: dict[str, Any] = {"voided": 1} if void else {}
        if result:
            values["score"], values["other"] = RESULTS[result]
        if goals:
            if result or what != "game":
                raise click.UsageError("--goals is the result of a --game, instead of --result")
            values |= corrections.by_goals(office, number, *_of_both(goals)).set
        for key, given in (("day", day), ("starts", start), ("ends", end)):
            values |= {key: given.toordinal()} if given else {}
        for key, who in (("first", white), ("second", black)):
            values |= {key: cards.find(office, who).id} if who else {}
        if what == "revert":
            if values:
                raise click.UsageError("--revert takes a correction back as it was; give nothing else")
            done = corrections.revert(office, number, reason, preview=preview)
        elif what == "adopt":
            if values:
                raise click.UsageError("--adopt takes a rulebook as it reads now; give nothing else")
            done = corrections.adopt(office, number, reason, preview=preview)
        else:
            changes: list[Change] = [corrections.Change(what, number, values)]  # type: ignore[arg-type]
            done = corrections.correct(office, changes, reason, preview=preview)
    told(done, form, quiet)
    return 0


def told(done: Corrected, form: str, quiet: bool) -> None:
    """What a correction does, or would do."""
    if form == "json":
        put(lambda file: file.write(json_of(done)))
    else:
        moved = [
            {
                "list": each.list,
                "person": each.person,
                "name": each.name,
                "before": each.before,
                "after": each.after,
                "change": each.change,
            }
            for each in done.effect.moved
        ]
        rows("moved", moved, "table")
    if quiet:
        return
    for name in done.effect.unknown:
        say(f"list {name!r} could not be replayed before: what moves on it cannot be told", "warning")
    for each in done.effect.lists:
        say(f"list {each.list!r} of {each.day} now differs: {each.players} rating(s), {each.printed} as printed")
    say(f"{len(done.effect.moved)} rating(s) move; " + (f"entry {done.seq}" if done.seq else "nothing was written"))


@click.command()
@options.office
@options.which
@options.form("table", "json")
def replay(place: str, actor: str, quiet: bool, name: str | None, form: str) -> int:
    """Replay all facts of a list from its base, and keep the states.

    \b
    Examples:
        arpad replay --office club.db
    """
    from arpad.bureau import lists

    with opened(place, actor) as office:
        held = lists.replay(office, name)
        called = office.which(name).name
    told = {"list": called, "entry": held.seq, "people": len(held.persons), "sha256": held.sha256}
    if form == "json":
        put(lambda file: file.write(json_of(told)))
    else:
        rows("replay", [told], "table")
    return 0


@click.command()
@options.office
@options.which
@click.option("--date", "day", type=options.day, metavar="DATE", help="The day of the list.")
@click.option("--site", metavar="DIR", help="Write all public pages as files into a folder; no list is published.")
@click.option("--title", default="arpad", show_default=True, metavar="TEXT", help="What the site is called.")
@click.option("--lang", "languages", multiple=True, metavar="CODE", help="A language of the site (default: all).")
@click.option("--show", "shown", is_flag=True, help="The list as it was published; nothing is written.")
@click.option("--revised", "again", is_flag=True, help="The list of that day as the facts are now; nothing is written.")
@click.option("--differences", is_flag=True, help="Who is rated otherwise now than published; nothing is written.")
@click.option("--all", "everybody", is_flag=True, help="With --differences: the whole list, published and revised.")
@click.option("--yes", "ahead", is_flag=True, help="The day is meant, although it is more than 60 days ahead.")
@click.option("--reason", default="", metavar="TEXT", help="A word for the log.")
@options.audience("public")
@options.form("table", "csv", "json")
def publish(
    place: str,
    actor: str,
    quiet: bool,
    name: str | None,
    day: date | None,
    site: str | None,
    title: str,
    languages: tuple[str, ...],
    shown: bool,
    again: bool,
    differences: bool,
    everybody: bool,
    ahead: bool,
    reason: str,
    audience: str,
    form: str,
) -> int:
    """Publish the list of a day. It never changes afterwards; what corrections make of it is the revised view.

    A list cannot be withdrawn: a day more than 60 days ahead is taken for a slip, unless --yes says that it is meant.

    \b
    Examples:
        arpad publish --office club.db --date 2025-07-01
        arpad publish --office club.db --date 2025-07-01 --revised
        arpad publish --office club.db --date 2025-07-01 --differences
        arpad publish --office club.db --date 2025-07-01 --differences --all --format csv
        arpad publish --office club.db --site public --title "Our club"
    """
    from arpad.bureau import lists

    if (site is None) == (day is None):
        raise click.UsageError("say --date of a list, or --site of all pages")
    if site is not None:
        from arpad.cli.site import write

        return write(place, site, title, languages, quiet)
    assert day is not None
    if everybody and not differences:
        raise click.UsageError("--all goes with --differences")
    if shown + again + differences > 1:
        raise click.UsageError("--show, --revised and --differences are three views: ask for one")
    with opened(place, actor) as office:
        office.audience = audience
        if differences:
            found = lists.side_by_side(office, day, name) if everybody else lists.compare(office, day, name)
            if found or form != "table":
                rows("differences", [_difference(each, everybody) for each in found], form)
            if not quiet:
                say(f"{sum(each.published != each.revised for each in found)} rating(s) are other ones now")
            return 0
        if again:
            show(lists.revised(office, day, name), form)
            return 0
        held = lists.published(office, day, name) if shown else lists.publish(office, day, name, reason, ahead=ahead)
        table = held.table(office.names(held.persons))
        if held.name in office.unlike:
            text = "its rulebook reads otherwise now, and counts once adopted: `arpad correct --adopt`"
            say(f"list {held.name!r}: {text}", "warning")
    show(table, form)
    if not quiet:
        say(f"list {held.name!r} of {held.day}, {len(table)} people, sha256 {held.sha256}")
    return 0


def _difference(each: Difference, everybody: bool) -> dict[str, Any]:
    row: dict[str, Any] = {"person": each.person, "name": each.name}
    if not everybody:
        return row | {"published": each.published, "revised": each.revised, "change": each.change}
    row |= {"published_rank": each.published_rank, "published": each.published}
    row |= {"revised_rank": each.revised_rank, "revised": each.revised}
    return row | {"change": each.change, "only": each.only or None}


def _number(text: str) -> int:
    if not text.isdecimal():
        raise click.UsageError(f"--match names a person by number, or says `new`, not {text!r}")
    return int(text)
