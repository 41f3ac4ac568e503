"""Keeps documents true: runs their examples and writes the generated pages. `--check` only fails if it would.

A ```console block holds commands after `$ `; what stands below each is what it prints, and is written anew. Commands of
one document run in order, in an empty folder that has the project's `src` beside them. The command line's reference,
the list of rulebooks and that of the columns of tables are made from the program.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MANUAL = ("README.md", "docs/writing-rules.md")


def run(command: str, folder: Path) -> str:
    """What a command prints, on either stream, as a terminal without colours of 100 columns would show it."""
    scripts = Path(sys.executable).parent
    surroundings = {**os.environ, "PATH": f"{scripts}:{os.environ['PATH']}", "COLUMNS": "100", "NO_COLOR": "1"}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=surroundings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.stdout.decode()


def executed(text: str) -> str:
    """A document with the output of its console blocks written anew."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "src").symlink_to(ROOT / "src")
        return re.sub(r"(?ms)^```console\n(.*?)^```$", lambda match: f"```console\n{block(match[1], folder)}```", text)


def block(text: str, folder: Path) -> str:
    return "".join(f"$ {command}\n{run(command, folder)}" for command in commands(text))


def commands(text: str) -> Iterator[str]:
    """The commands of a console block; a here-document belongs to its command."""
    lines = iter(text.splitlines())
    for line in lines:
        if not line.startswith("$ "):
            continue
        command = line[2:]
        if marker := re.search(r"<<'?(\w+)'?", command):
            for more in lines:
                command += f"\n{more}"
                if more == marker[1]:
                    break
        yield command


def reference() -> str:
    """docs/cli.md: the help of every command."""
    import click

    from arpad.cli import arpad

    def pages(command: click.Command, path: str) -> Iterator[str]:
        context = click.Context(command, info_name=path, terminal_width=100, max_content_width=100)
        yield f"## {path}\n\n```\n{command.get_help(context)}\n```\n"
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                if (child := command.get_command(context, name)) is not None:
                    yield from pages(child, f"{path} {name}")

    return "# The command line\n\nMade by `scripts/docs.py` from the program's own help.\n\n" + "\n".join(
        pages(arpad, "arpad")
    )


def shelf() -> str:
    """docs/rulebooks.md: every rulebook, its editions, how it was verified, and the vocabulary."""
    from importlib import import_module
    from pkgutil import iter_modules

    from arpad import rulebooks
    from arpad.rulebooks import views
    from arpad.rulebooks.clause import Clause

    lines = [
        "# Rulebooks",
        "",
        "Made by `scripts/docs.py` from the rulebooks themselves. *Unsure* counts the clauses that no source settles.",
        "",
        "| name | organisation | game | from | editions | unsure | verified by |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in views.listing():
        lines.append(
            "| `{name}` | {organisation} | {game} | {from} | {editions} | {unsure} | {verified} |".format(
                **{"verified": rulebooks.load(str(row["name"])).verified, **row}
            )
        )
    lines += ["", "## Parameters and presets", ""]
    for name in rulebooks.names():
        book = rulebooks.load(name)
        for parameter, value in book.parameters.items():
            unsure = " (unsure)" if value.status == "unsure" else ""
            lines.append(f"* `{name}` **{parameter}** = {value.default}{unsure}: {value.text.get('en', '')}")
        for preset, chosen in rulebooks.presets(name).items():
            lines.append(f"* `{name}:{preset}`: {chosen.text.get('en', '')}")
    lines += ["", "## What a rulebook may say", ""]
    vocabulary = [each.name for each in iter_modules(rulebooks.__path__) if each.name.startswith("schema")]
    for kind in [kind for name in vocabulary for kind in vars(import_module(f"arpad.rulebooks.{name}")).values()]:
        if isinstance(kind, type) and issubclass(kind, Clause) and kind is not Clause:
            lines.append(f"**{kind.__name__}** ({', '.join(f'`{field}`' for field in own_fields(kind))})")
            lines.append("")
            if kind.__doc__:
                lines += ["```", *(line.removeprefix("    ") for line in kind.__doc__.strip().splitlines()), "```", ""]
    return "\n".join(lines).rstrip() + "\n"


def tables() -> str:
    """docs/tables.md: every column that a table of games, a start list or a table of acts may have."""
    from collections.abc import Mapping

    from arpad.formats.headers import ACT_FIELDS, FACT_FIELDS, GAME_FIELDS, START_FIELDS, TEXT_FIELDS, Field
    from arpad.systems import SYSTEMS, system

    def rows(fields: Mapping[str, Field]) -> Iterator[str]:
        yield "| column | what it says | also called |"
        yield "| --- | --- | --- |"
        for field in fields.values():
            names = [*field.plain.split(), *field.aliases.split()]
            yield f"| `{names[0]}` | {field.meaning} | {' '.join(names[1:])} |"

    def readers(fact: str) -> str:
        held = {name: system(name) for name in SYSTEMS}
        return ", ".join(name for name, each in held.items() if fact in (*each.fields, *each.asks, *each.recalls))

    asked = {**FACT_FIELDS, **TEXT_FIELDS}
    return "\n".join(
        [
            "# Columns of tables",
            "",
            "Made by `scripts/docs.py` from what the program reads. Case, accents, spaces and punctuation of a",
            "header do not count; a column that is not read is named. `--columns FACT=HEADER` says which it is.",
            "",
            "## Games",
            "",
            "Each `section` of an `event` is an event of its own. Rules that settle by events take games without one",
            "as one event a day. US Chess goes by the last day of an event, reads `time_control` (G/60;d5, 60/5: a",
            "game of another list is left out) and, until March 2006, the `category` half-K.",
            "",
            *rows(GAME_FIELDS),
            "",
            "## Start lists (`--start`)",
            "",
            "Blank, 0, - and ? in `rating` mean unrated. A list that `arpad rate -o` wrote can be gone on from:",
            "under US Chess it holds all that these rules remember of rated players. Unrated players are not on a",
            "list; a checkpoint holds them too.",
            "",
            *rows(START_FIELDS),
            "",
            "What only some systems ask for:",
            "",
            "| column | what it says | read by |",
            "| --- | --- | --- |",
            *(f"| `{each.plain.split()[0]}` | {each.meaning} | {readers(name)} |" for name, each in asked.items()),
            "",
            "## Acts (`--acts`)",
            "",
            "`kind` is entry, blend, adjustment or floor.",
            "",
            *rows(ACT_FIELDS),
            "",
        ]
    )


def own_fields(kind: type) -> list[str]:
    return [field for field in kind.__struct_fields__ if field not in ("article", "source", "status", "text")]  # type: ignore[attr-defined]


def documents() -> Iterator[tuple[Path, str]]:
    for name in MANUAL:
        path = ROOT / name
        yield path, executed(path.read_text(encoding="utf-8"))
    yield ROOT / "docs" / "cli.md", reference()
    yield ROOT / "docs" / "rulebooks.md", shelf()
    yield ROOT / "docs" / "tables.md", tables()


def main() -> int:
    check = "--check" in sys.argv[1:]
    stale = []
    for path, fresh in documents():
        if not path.exists() or path.read_text(encoding="utf-8") != fresh:
            stale.append(path.relative_to(ROOT))
            if not check:
                path.write_text(fresh, encoding="utf-8")
    for path in stale:
        print(f"{path} {'is stale: run scripts/docs.py' if check else 'written'}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
