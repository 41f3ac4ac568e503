"""`arpad base`, `moves`, `records`, `ranges`, `compare`, `why`, `patterns`: what lists say of each other."""

from __future__ import annotations

from datetime import date
from typing import Any

import click
import msgspec

from arpad.bureau.patterns import LIMITS, Limits
from arpad.cli import options
from arpad.cli.desk import opened, told
from arpad.cli.output import json_of, put, rows, text
from arpad.cli.talk import counted, say


@click.command()
@options.office
@options.which
@click.option("--date", "day", type=options.day, required=True, metavar="DATE", help="Where ratings begin from now on.")
@click.option("--reason", default="", metavar="TEXT", help="Why; needed except for a preview.")
@click.option("--preview", is_flag=True, help="Only say whether it can be done.")
@options.form("table", "json")
def base(
    place: str, actor: str, quiet: bool, name: str | None, day: date, reason: str, preview: bool, form: str
) -> int:
    """Move the base of a list forward: everybody begins with what they held on that day, and what was before is closed.

    The last ten years of results stay open. Nobody's rating changes; `arpad correct --revert` opens the years again.

    \b
    Examples:
        arpad base --office asigc.db --date 1993-12-31 --reason "no errors were reported for 1993 any more"
    """
    from arpad.bureau import bases

    with opened(place, actor) as office:
        done = bases.move_base(office, day, name, reason, preview=preview)
    told(done, form, quiet)
    return 0


@click.command()
@options.office
@options.which
@click.option("--date", "day", type=options.day, metavar="DATE", help="A published list (default: the live one).")
@options.form("table", "csv", "json")
def moves(place: str, actor: str, quiet: bool, name: str | None, day: date | None, form: str) -> int:
    """A list against the one published before it: places, ratings, who is new, returned, left or inactive.

    Without --date it is the live list, as it stands after all that is known, against the last one published.

    \b
    Examples:
        arpad moves --office club.db
        arpad moves --office club.db --date 2025-07-01 --format csv
    """
    from arpad.bureau import movement

    with opened(place, actor) as office:
        found = movement.movement(office, day, name)
    lines = [msgspec.structs.asdict(each) | {"places": each.places} for each in found.moves]
    if form == "table":
        for line in lines:
            line["rank"] = f"{line['rank']}=" if line["shared"] else line["rank"]
    rows("moves", lines, form, ("shared", "person"))
    if not quiet:
        since = f"the list of {found.before}" if found.before else "no earlier list"
        say(f"{'live list' if found.day is None else f'list of {found.day}'} against {since}: {found.summary}")
    return 0


@click.command()
@options.office
@options.which
@click.option("--over", type=float, metavar="RATING", help="Also who ever reached it on a list, and the youngest.")
@click.option("--federation", default="", metavar="CODE", help="Only who was of this federation on the day.")
@click.option("--continent", "part", default="", metavar="NAME", help="Only of Africa, Americas, Asia or Europe.")
@options.audience("officers")
@click.option("--top", "most", type=click.IntRange(min=1), default=10, show_default=True, help="How many of each.")
@options.form("table", "csv", "json")
def records(
    place: str,
    actor: str,
    quiet: bool,
    name: str | None,
    over: float | None,
    federation: str,
    part: str,
    audience: str,
    most: int,
    form: str,
) -> int:
    """Records: peaks on published lists and, apart, of the live ratings; gains, streaks, and who reached a rating.

    \b
    Examples:
        arpad records --office club.db --over 2000
        arpad records --office club.db --over 2000 --continent Europe --top 3
    """
    from arpad.bureau import records as bureau

    with opened(place, actor) as office:
        office.audience = audience
        found = bureau.records(office, name, over=over, federation=federation.upper(), part=part, most=most)
    if form == "json":
        put(lambda file: file.write(json_of(found)))
        return 0
    kinds = [each for each in found.__struct_fields__ if each not in ("list", "over")]
    lines = [
        {"record": kind.replace("_", " "), **msgspec.structs.asdict(each)}
        for kind in kinds
        for each in getattr(found, kind)
    ]
    rows("records", lines, form, ("person",))
    return 0


@click.command()
@options.office
@options.which
@click.option("--date", "day", type=options.day, metavar="DATE", help="A published list (default: the live one).")
@click.option("--width", type=float, default=100, show_default=True, help="How wide a range is.")
@click.option("--classes", default="", metavar="NAMES", help="By a set of class names instead, such as asigc.")
@click.option("--over", "thresholds", type=float, multiple=True, help="Count who has at least so much, on every list.")
@click.option("--rank", type=float, metavar="RATING", help="Which rank a rating would have on every list.")
@options.form("table", "csv", "json")
def ranges(
    place: str,
    actor: str,
    quiet: bool,
    name: str | None,
    day: date | None,
    width: float,
    classes: str,
    thresholds: tuple[float, ...],
    rank: float | None,
    form: str,
) -> int:
    """How a list spreads: players by range of ratings or class, with their titles.

    \b
    Examples:
        arpad ranges --office asigc.db --classes asigc
        arpad ranges --office club.db --over 2000 --over 2200
        arpad ranges --office club.db --rank 2150
    """
    from arpad.bureau import ranges as bureau

    if (thresholds or rank is not None) and (day or classes):
        raise click.UsageError("--over and --rank go through every list: leave out --date and --classes")
    if thresholds and rank is not None:
        raise click.UsageError("--over and --rank are two tables: ask for one")
    lines: list[dict[str, Any]]
    with opened(place, actor) as office:
        if rank is not None:
            lines = [msgspec.structs.asdict(each) for each in bureau.rank_of(office, rank, name)]
            lines = [line | {"day": line["day"] or "live"} for line in lines]
        elif thresholds:
            lines = [
                {"day": each.day, "players": each.players, **each.over}
                for each in bureau.counts(office, thresholds, name)
            ]
        else:
            held = bureau.distribution(office, day, name, width, classes)
            titles = sorted({title for each in held for title in each.titled})
            lines = [
                {
                    "from": each.low if each.low != float("-inf") else None,
                    "below": each.below if each.below != float("inf") else None,
                    **({"class": each.name} if classes else {}),
                    "players": each.players,
                    "share": round(each.share, 4),
                    **{title: each.titled.get(title, 0) for title in titles},
                }
                for each in held
            ]
    rows("ranges", lines, form)
    return 0


@click.command()
@options.office
@click.option("--list", "names", multiple=True, metavar="NAME", help="A list of the office (default: all of them).")
@click.option("--rules", multiple=True, metavar="RULES", help="A rulebook that it has no list by, on the same facts.")
@options.settings
@click.option("--date", "day", type=options.day, metavar="DATE", help="The lists of a day (default: as of now).")
@options.form("table", "csv", "json")
def compare(
    place: str,
    actor: str,
    quiet: bool,
    names: tuple[str, ...],
    rules: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    day: date | None,
    form: str,
) -> int:
    """Lists side by side, and what other rulebooks would make of the same facts.

    On stderr each list in figures: the mean square of score minus expected, and how its order agrees with the first's.

    \b
    Examples:
        arpad compare --office club.db
        arpad compare --office asigc.db --rules asigc:half-year
        arpad compare --office club.db --list standard --list rapid --date 2025-07-01
    """
    from arpad.bureau.comparing import side_by_side

    with opened(place, actor) as office:
        found = side_by_side(office, names, rules, day, dict(settings))
    if form == "json":
        put(lambda file: file.write(json_of(found)))
        return 0
    rows("lists", [{"person": each.person, "name": each.name, **each.ratings} for each in found.people], form)
    for each in [] if quiet else found.figures:
        error = "" if each.error is None else f", mean square error {each.error:.4f}"
        agreed = "" if each.agreement is None else f", rank correlation {each.agreement:.3f}"
        players, games = counted(each.players, "player"), counted(each.games, "game")
        mean = "" if each.mean is None else f", mean {each.mean:.1f}"
        say(f"{each.list} by {each.rules}: {players}, {games}{mean}{error}{agreed}")
    return 0


@click.command()
@click.argument("who", metavar="PLAYER")
@options.office
@options.which
@click.option("--since", required=True, metavar="DATE|ENTRY", help="A list's day, or an entry of the log.")
@options.language
@options.form("text", "json")
def why(who: str, place: str, actor: str, quiet: bool, name: str | None, since: str, language: str, form: str) -> int:
    """Why a rating is not what it was, in a sentence whose numbers add up.

    Since the list of a day (as it was published, if it was), or since an entry of the log.

    \b
    Examples:
        arpad why 'Bianchi, Anna' --office club.db --since 2025-07-01
        arpad why 17 --office club.db --since 41 --format json
    """
    from arpad.bureau.why import why as asked

    when = int(since) if since.isdecimal() and len(since) < 10 else options.day(since)
    with opened(place, actor) as office:
        found = asked(office, who, when, name, language)
    if form == "json":
        put(lambda file: file.write(json_of(found)))
    else:
        text([found.sentence()])
    return 0


@click.command()
@options.office
@options.which
@click.option("--from", "since", type=options.day, metavar="DATE", help="Only periods that end after this day.")
@click.option("--to", "until", type=options.day, metavar="DATE", help="Only periods that begin by this day.")
@click.option("--games", type=int, default=LIMITS.games, show_default=True, help="So many games in a period.")
@click.option("--share", type=float, default=LIMITS.share, show_default=True, help="So large a part of them.")
@click.option("--least", type=int, default=LIMITS.least, show_default=True, help="Of fewer games no part is looked at.")
@click.option("--days", type=int, default=LIMITS.days, show_default=True, help="The last days before a list.")
@click.option("--difference", type=float, default=LIMITS.difference, show_default=True, help="Ratings far apart.")
@options.form("table", "csv", "json")
def patterns(
    place: str,
    actor: str,
    quiet: bool,
    name: str | None,
    since: date | None,
    until: date | None,
    form: str,
    **limits: Any,
) -> int:
    """Unusual patterns from list to list, for the officer: many games, most of them between ratings far apart, or most
    of them in the last days before a list.

    A pattern is nothing against anybody, and no rating changes. The limits are arpad's own, no regulation's.

    \b
    Examples:
        arpad patterns --office club.db
        arpad patterns --office club.db --games 90 --share 0.9 --from 2025-01-01 --format csv
    """
    from arpad.bureau import patterns as bureau

    if since and until and since > until:
        raise click.UsageError("--from lies after --to")
    with opened(place, actor) as office:
        found = bureau.patterns(office, name, since, until, Limits(**limits))
    lines = [msgspec.structs.asdict(each) | {"marks": " ".join(each.marks)} for each in found]
    if form == "table":
        lines = [
            {key: round(each, 2) if isinstance(each, float) else each for key, each in line.items()} for line in lines
        ]
    if lines or form != "table":
        rows("patterns", lines, form)
    if not quiet:
        say(f"{len(found)} unusual pattern(s) by limits of arpad's own; a pattern is nothing against anybody")
    return 0
