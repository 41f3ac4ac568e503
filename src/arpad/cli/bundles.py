"""`arpad bundle`: a whole office in one file of open formats, and what a third party makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from arpad.cli import options
from arpad.cli.desk import opened
from arpad.cli.output import rows
from arpad.cli.talk import counted, say

if TYPE_CHECKING:
    from arpad.bureau.bundles import Replayed


@click.group()
def bundle() -> None:
    """A whole office in one file, which anybody replays to the same lists, byte for byte.

    \b
    Examples:
        arpad bundle export club.zip --office club.db
        arpad bundle check club.zip
    """


@bundle.command("export")
@click.argument("target", type=click.Path(dir_okay=False), metavar="FILE")
@options.office
@click.option("--public", is_flag=True, help="Without any word: no names, reports, reasons; of births the years.")
def export(target: str, place: str, actor: str, quiet: bool, public: bool) -> int:
    """Write the office as a bundle: entries, words, reports, published lists, and the rulebooks that it pinned.

    \b
    Examples:
        arpad bundle export club.zip --office club.db
        arpad bundle export public.zip --public --office club.db
    """
    from arpad.bureau import bundles

    with opened(place, actor) as office:
        page = bundles.export(office, target, public=public)
    if not quiet:
        say(f"{page.head} entries and {counted(len(page.published), 'published list')} in {target}")
    return 0


@bundle.command("check")
@click.argument("source", type=click.Path(dir_okay=False), metavar="FILE")
@click.option("-q", "--quiet", is_flag=True, help="Only errors on stderr.")
@options.form("table", "csv", "json")
def check(source: str, quiet: bool, form: str) -> int:
    """Replay every published list from the facts of its day, and compare the bytes; others than published: exit code 1.

    \b
    Examples:
        arpad bundle check club.zip
    """
    from arpad.bureau import bundles

    found = bundles.check(source)
    rows("lists", [_row(each) for each in found], form)
    return _said(found, quiet)


@bundle.command("import")
@click.argument("source", type=click.Path(dir_okay=False), metavar="FILE")
@click.argument("place", metavar="OFFICE")
@click.option("-q", "--quiet", is_flag=True, help="Only errors on stderr.")
def import_(source: str, place: str, quiet: bool) -> int:
    """An office from a bundle, where there is none, with its chain as it is; and every published list replayed.

    \b
    Examples:
        arpad bundle import club.zip again.db
        arpad bundle import club.zip postgresql://office@host/club
    """
    from arpad.bureau import bundles

    with bundles.import_bundle(source, place) as office:
        head = office.head
    if not quiet:
        say(f"{head} entries in {place}")
    return _said(bundles.check(source), quiet)


def _row(each: Replayed) -> dict[str, Any]:
    return {"list": each.list, "date": each.day, "sha256": each.sha256, "same": each.same, "why": each.why}


def _said(found: Sequence[Replayed], quiet: bool) -> int:
    for each in found:
        if not each.same:
            say(f"list {each.list!r} of {each.day}: {each.why}", "error")
    if not quiet:
        say(f"{sum(each.same for each in found)} of {counted(len(found), 'published list')} replayed to the same bytes")
    return 0 if all(each.same for each in found) else 1
