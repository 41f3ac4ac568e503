"""`arpad expected` and `arpad performance`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

import click

from arpad.cli import options
from arpad.cli.output import json_of, put, rows
from arpad.cli.talk import say

if TYPE_CHECKING:
    from arpad.expectation import Outcomes
    from arpad.office import Expected

NEGATIVE = {"ignore_unknown_options": True}  # so that -100 is a number
HOME: dict[str, Literal["own", "opponent"] | None] = {"first": "own", "second": "opponent", "neutral": None}
FORMS = ("table", "csv", "json", "jsonl")


@click.command(context_settings=NEGATIVE)
@click.argument("ratings", nargs=-1, metavar="RATING OPPONENT")
@options.rules(None)
@options.on
@options.settings
@click.option(
    "--home",
    type=click.Choice(list(HOME)),
    default="neutral",
    show_default=True,
    help="Who plays first or at home, where that counts.",
)
@click.option("--score", metavar="SCORE", help="The other way round: the rating difference that gives this score.")
@click.option("--table", "whole", is_flag=True, help="The whole table of expected scores by difference.")
@options.form(*FORMS)
def expected(
    ratings: Sequence[str],
    rules: str | None,
    on: date | None,
    settings: Sequence[tuple[str, str]],
    home: str,
    score: str | None,
    whole: bool,
    form: str,
) -> None:
    """The expected score of a game, and what it leaves open for win, draw and loss.

    A rating may say whose it is (FIDE:2638): ratings of different bodies are warned about. Under rules that know rating
    deviations it may say how uncertain it is (1400/80). With --score or --table one rating, the opponent's, may be
    given for curves that depend on it.

    \b
    Examples:
        arpad expected 1613 1609
        arpad expected 1890 1771 --rules asigc
        arpad expected 1800 1750 --set advantage=65 --home first
        arpad expected 1400/80 1500/150 --rules glicko
        arpad expected --score .66 --rules fide/standard
        arpad expected --table --rules elo/normal
    """
    from arpad import office

    if whole and score is not None:
        raise click.UsageError("give --score or --table, not both")
    parameters = dict(settings)
    if whole or score is not None:
        if len(ratings) > 1:
            raise click.UsageError("with --score or --table at most one rating is given, the opponent's")
        if ratings and "/" in ratings[0]:
            raise click.UsageError("with --score or --table no deviation is given: the rating alone, such as 1500")
        against = _rating(ratings[0]) if ratings else None
        if score is None:
            _show_whole(office.expected_table(rules, on, against, parameters), form)
            _notes(office.curve_notes(rules, parameters))
        else:
            found = office.difference_for(score.replace(",", "."), rules, on, against, parameters)
            fields = {
                "score": found.score,
                "low": found.low,
                "high": found.high,
                "rules": found.rules,
                "edition": found.edition,
            }
            rows("difference", [{**fields, "reason": found.reason}], form, () if found.reason else ("reason",))
            _notes(found.notes)
        return
    if len(ratings) != 2:
        raise click.UsageError("give two ratings, such as `arpad expected 1613 1609`")
    own, other = (rating.replace(",", ".") for rating in ratings)
    answer = office.expected(own, other, rules, on, HOME[home], parameters)
    for warning in answer.warnings:
        say(warning, "warning")
    if form == "json":
        put(lambda file: file.write(json_of(answer)))
    else:
        _show_sides(answer, form)
    said = answer.expectation
    _notes(said.notes)
    for each in said.citations:
        if not (each.article or each.text):
            continue
        place = f"{each.clause} {each.article}".rstrip()
        _notes([f"{place}: {each.text.get('en', '')}".rstrip(": ") + (" (unsure)" if each.status == "unsure" else "")])
    say(answer.basis)


def _show_sides(answer: Expected, form: str) -> None:
    said = answer.expectation
    sure = (
        [{}, {}]
        if said.deviations is None
        else [
            {"deviation": deviation, "low": low, "high": high}
            for deviation, (low, high) in zip(said.deviations, said.intervals or ())
        ]
    )
    sides = (
        ("first", said.own, said.counted, said.score, answer.outcomes),
        ("second", said.opponent, said.opponent_counted, said.opponent_score, answer.opponent_outcomes),
    )
    rows(
        "expected",
        [
            {
                "side": side,
                "rating": rating,
                **known,
                "difference": difference,
                "expected": score,
                **_ranges(outcomes, form),
            }
            for (side, rating, difference, score, outcomes), known in zip(sides, sure)
        ],
        form,
    )


def _ranges(outcomes: Outcomes, form: str) -> dict[str, Any]:
    """Least and most probability of each outcome; for people in one column each."""
    ranges = {"win": outcomes.win, "draw": outcomes.draw, "loss": outcomes.loss}
    if form == "table":
        return {name: f"{least:.3f} to {most:.3f}" for name, (least, most) in ranges.items()}
    return {f"{name}_{end}": value for name, span in ranges.items() for end, value in zip(("least", "most"), span)}


def _show_whole(table: Sequence[Any], form: str) -> None:
    lines = [{"from": row.low, "to": row.high, "higher": row.higher, "lower": row.lower} for row in table]
    rows("expected", lines, form)


@click.command(context_settings=NEGATIVE)
@click.argument("opponents", nargs=-1, required=True, metavar="OPPONENT...")
@click.option("--score", metavar="POINTS", help="Points scored in all.")
@click.option("--results", metavar="RESULTS", help='Results game by game, such as "0 = 1 1 0".')
@click.option(
    "--method",
    default="true",
    show_default=True,
    metavar="METHOD",
    help="fide, perfect, algorithm-of-400, linear, true, true-normal, table, or all.",
)
@options.rules(None)
@options.form(*FORMS)
def performance(
    opponents: Sequence[str], score: str | None, results: str | None, method: str, rules: str | None, form: str
) -> None:
    """The performance rating: how strongly somebody played against opponents with these ratings.

    An opponent may come with the result (1850:1, 1725:=), and - stands for one without a rating, who is left out.

    \b
    Examples:
        arpad performance --score 2.5 1609 1477 1388 1586 1720
        arpad performance 1609 1477 1388 1586 1720 --results "0 = 1 1 0" --method all
        arpad performance 1850:1 1725:= -:1
        arpad performance --score 2.5 2400 2500 2600 --method true --rules fide/standard
    """
    from arpad import office

    told: Sequence[float | None] | None = None
    known: Sequence[str | float | None] = [rating.replace(",", ".") for rating in opponents]
    if any(":" in opponent for opponent in opponents):
        if results is not None:
            raise click.UsageError("the results stand with the opponents already: leave out --results")
        known, told = office.entries(" ".join(opponents))
    elif results is not None:
        each = results.split()
        if len(each) != len(opponents):
            raise click.UsageError(f"{len(opponents)} opponents, {len(each)} results")
        known, told = office.entries(" ".join(f"{rating}:{result}" for rating, result in zip(opponents, each)))
    elif score is None:
        raise click.UsageError('say what was scored: --score 2.5, --results "1 = 0", or results as in 1850:1')
    points = None if score is None else score.replace(",", ".")
    found = office.performance(known, points, method.replace("-", " "), results=told, rules=rules)
    if form == "json":
        put(lambda file: file.write(json_of(found)))
    else:
        fields = ("method", "value", "reason", "games", "score", "percentage", "mean", "difference", "rules")
        lines = [{name: getattr(each, name) for name in fields} for each in found]
        dull = [name for name in ("reason", "rules") if not any(line[name] for line in lines)]
        rows("performance", lines, form, dull)
    for rated in found:
        text, source = office.performance_method(rated.method)
        say(f"{rated.method}: {text} ({source})")
    _notes(dict.fromkeys(note for each in found for note in each.notes))


def _rating(given: str) -> float:
    from arpad.expectation import validate_rating

    return validate_rating(given.replace(",", "."), "opponent's rating")


def _notes(notes: Any) -> None:
    for note in notes:
        say(note)
