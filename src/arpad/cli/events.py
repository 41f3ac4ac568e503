"""`arpad norms` and `arpad report`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from arpad.cli import options
from arpad.cli.output import json_of, put, rows, text
from arpad.cli.talk import report as say_problems
from arpad.cli.talk import say

if TYPE_CHECKING:
    from arpad.events import EventReport, PlayerRow
    from arpad.norms import NormReport

file = click.argument("path", metavar="FILE", type=click.Path(dir_okay=False))
player = click.option("--player", metavar="NAME", help="One player: name or a part of it, starting number, FIDE id.")
first_day = click.option("--on", type=options.day, metavar="DATE", help="The event's first day, if the file lacks it.")
CHAMPIONSHIPS = {
    "none": "",
    "team": "team",
    "world-cup": "world cup",
    "national-final": "national final",
    "national-team": "national team",
    "zonal": "zonal",
}


@click.command()
@file
@player
@click.option("--title", type=click.Choice(["GM", "IM", "WGM", "WIM"]), help="One title (default: those not held yet).")
@first_day
@click.option(
    "--championship",
    type=click.Choice(list(CHAMPIONSHIPS)),
    default="none",
    show_default=True,
    help="A kind of event with rules of its own; team is a world or continental one.",
)
@options.language
@options.form("text", "json")
def norms(
    path: str, player: str | None, title: str | None, on: date | None, championship: str, language: str, form: str
) -> None:
    """Title norms in a tournament report: every condition as met, missing or not known, with numbers and article.

    Without --player the norms that were made are shown. With it every condition is, and while rounds are still to come,
    what they would have to bring.

    \b
    Examples:
        arpad norms open.trf
        arpad norms open.trf --player Rossi --title GM
        arpad norms open.trf --player 12 --format json
    """
    from arpad import events
    from arpad.norms.words import needs_words, words

    report, problems = events.read_report(path, on)
    say_problems(problems)
    kind: Any = CHAMPIONSHIPS[championship]
    found = events.norm_reports(report, player, title, kind)
    to_come = events.rounds_to_come(report, player) if player else 0
    needs = {}
    if player and 0 < to_come <= events.MOST_ROUNDS:
        needs = {each.title: events.norm_needs(report, player, each.title, kind) for each in found}
    if form == "json":
        answers = [{"report": each, "needs": needs.get(each.title)} for each in found]
        put(lambda stream: stream.write(json_of(answers)))
        return
    shown = found if player else [each for each in found if each.achieved]
    for number, each in enumerate(shown):
        text([*([""] if number else []), *words(each, language)])
        if each.title in needs:
            text(needs_words(each.applicant, each.title, needs[each.title], language))
    _say_rest(found, shown, to_come)


def _say_rest(found: Sequence[NormReport], shown: Sequence[NormReport], to_come: int) -> None:
    from arpad import events

    if len(shown) < len(found):
        others = f"{len(found)} checks, {len(shown)} norms; --player shows why one was not made"
        say(others if shown else f"no norms ({others})")
    if to_come > events.MOST_ROUNDS:
        say(f"{to_come} rounds are still to come: what they must bring is shown for the last {events.MOST_ROUNDS}")
    if not found:
        say("the titles that norms make are held already")


@click.command()
@file
@player
@options.rules(None)
@first_day
@click.option(
    "--start",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="What a list says of players besides their rating (games, peak, born), by FIDE id or name.",
)
@options.form("table", "csv", "json", "jsonl")
def report(path: str, player: str | None, rules: str | None, on: date | None, start: str | None, form: str) -> None:
    """A tournament report worked out: crosstable, averages, performances, rating changes by player and game.

    Rules default to FIDE's list for the time control, in the edition of the event's first day. Where the file states a
    new rating that differs from ours, it is said, and the exit code is 1.

    \b
    Examples:
        arpad report open.trf
        arpad report open.trf --player Rossi
        arpad report open.trf --start list.csv --format json
    """
    from arpad import events

    read, problems = events.read_report(path, on)
    known, about = events.known_players(start)
    say_problems([*problems, *about])
    found = events.event_report(read, rules, known)
    only = events.find_entrant(read, player).number if player else None
    chosen = [each for each in found.players if only in (None, each.number)]
    if form == "json":
        put(lambda stream: stream.write(json_of(found if only is None else chosen[0])))
    elif only is None:
        _show_event(found, form)
    else:
        _show_player(chosen[0], form)
    for note in found.notes:
        say(note)
    _end(chosen)


def _show_event(found: EventReport, form: str) -> None:
    if form == "table":
        days = f"{found.start} to {found.end}" if found.end else f"{found.start}"
        average = "" if found.average is None else f", average {found.average:.0f}"
        text([found.name, f"{', '.join(filter(None, (found.place, found.federation, days)))}{average}"])
        edition = f", edition of {found.edition}" if found.edition else ""
        text([f"rules {found.rules}{edition}", ""])
    rows("report", [_line(each, found.rounds, form) for each in found.players], form)


def _line(each: PlayerRow, rounds: int, form: str) -> dict[str, Any]:
    cells = {f"{number}": cell for number, cell in enumerate(each.results, 1)} if form == "table" else {}
    return {
        "number": each.number,
        "title": each.title,
        "name": each.name,
        "federation": each.federation,
        "rating": each.rating,
        "points": each.points,
        **{str(number): cells.get(str(number), "") for number in range(1, rounds + 1) if cells},
        "games": each.rated_games,
        "score": each.score,
        "average": each.average,
        "performance": each.performance,
        "expected": each.expected,
        "k": each.k,
        "change": each.change,
        "after": each.after,
        **({"stated": each.stated} if each.stated is not None or form != "table" else {}),
    }


def _show_player(each: PlayerRow, form: str) -> None:
    games: list[dict[str, Any]] = [
        {
            "round": game.round,
            "opponent": game.opponent,
            "rating": game.opponent_rating,
            "colour": game.colour,
            "result": game.result,
            "difference": game.counted,
            "expected": game.expected,
            "change": game.change,
            "note": game.note,
        }
        for game in each.games
    ]
    rows("games", games, form, () if any(game["note"] for game in games) else ("note",))
    if form == "table":
        known = {"average": each.average, "performance": each.performance, "expected": each.expected, "K": each.k}
        parts = [f"{name} {value:g}" for name, value in known.items() if value is not None]
        change = (
            "" if each.change is None else f", change {each.change:+g}, {each.rating or '-'} -> {each.after or 0:g}"
        )
        text(["", f"{each.score:g} of {each.rated_games} rated games: {', '.join(parts)}{change}"])


def _end(shown: Iterable[PlayerRow]) -> None:
    different = [each for each in shown if each.differs]
    for each in different:
        say(f"{each.name}: the file states {each.stated}, the rules give {each.after}", "warning")
    if different:
        click.get_current_context().exit(1)
