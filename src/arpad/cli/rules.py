"""`arpad rules list`, `show` and `diff`."""

from __future__ import annotations

from datetime import date
from typing import Any

import click

from arpad.cli import options
from arpad.cli.output import json_of, put, rows, shown, text

FORMS = ("table", "csv", "json", "jsonl")
name = click.argument("name", metavar="RULES", shell_complete=options.rulebook_names)


@click.group()
def rules() -> None:
    """The rulebooks: which there are, what they say, what changed.

    \b
    Examples:
        arpad rules list
        arpad rules show fide/standard --on 2025-10-01
        arpad rules diff fide/standard 2024-03-01 2025-10-01
    """


@rules.command("list")
@options.form(*FORMS, "markdown")
def list_(form: str) -> None:
    """Every rulebook that ships: whose it is, from when to when, and what it was checked against.

    `evidence` is that in two words: published ratings, replayed; published examples; or formulas alone. `unsure` counts
    what no source settles. All but the form for people also say the cadence, and how it was verified in full.

    \b
    Examples:
        arpad rules list
        arpad rules list --format markdown
    """
    from arpad import office

    listed = office.rules_list()
    if form == "markdown":
        from arpad.rulebooks.views import markdown

        text(markdown(listed).splitlines())
        return
    rows("rules", listed, form, ("verified", "cadence", "system"))


@rules.command()
@name
@options.on
@options.language
@options.form(*FORMS)
def show(name: str, on: date | None, language: str, form: str) -> None:
    """One edition of a rulebook, clause by clause, each with where it was stated; and the rulebook's history.

    \b
    Examples:
        arpad rules show elo
        arpad rules show fide/standard --on 2025-10-01
        arpad rules show ./club.toml --language it --format json
    """
    from arpad import office

    book, lines = office.rules_show(name, on, language)
    history = office.rules_history(book, language)
    head = {
        "rules": book.name,
        "organisation": book.organisation,
        "game": book.game,
        "title": book.title.get(language, book.name),
        "cadence": book.cadence,
        "evidence": book.evidence,
        "verified": book.verified,
        "parameters": dict(book.settings),
    }
    if form == "json":
        put(lambda file: file.write(json_of({**head, "clauses": lines, "editions": history})))
        return
    if form == "table":
        values = ", ".join(f"{key}={shown(value)}" for key, value in book.settings.items())
        top: dict[str, Any] = {**head, "parameters": values}
        text([*(f"{key:<13} {value}" for key, value in top.items() if value), ""])
        above = ["", *(line["text"] for line in lines)]
        lines = [{**line, "text": "" if line["text"] == said else line["text"]} for line, said in zip(lines, above)]
    rows("clauses", lines, form, ("source",))
    if form == "table":
        text(["", "Editions"])
        rows("editions", history, form, ("text", "source"))


@rules.command()
@name
@click.argument("before", type=options.day)
@click.argument("after", type=options.day)
@options.form(*FORMS)
def diff(name: str, before: date, after: date, form: str) -> None:
    """What changed in a rulebook between two days.

    \b
    Example:
        arpad rules diff fide/standard 2024-03-01 2025-10-01
    """
    from arpad import office

    changed = office.rules_diff(name, before, after)
    if changed or form != "table":
        rows("changes", changed, form)
    else:
        text([f"{name}: nothing changed between {before} and {after}"])
