"""Keeps documents true: runs their examples and writes the generated pages. `--check` only fails if it would.

A ```console block holds commands after `$ `; what stands below each is what it prints, and is written anew. Commands of
one document run in order, in an empty folder that has the project's `src` beside them. The command line's reference,
the list of rulebooks, a page for each of them, and the list of the columns of tables are made from the program.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rulebook_pages import page

ROOT = Path(__file__).resolve().parent.parent
MANUAL = ("README.md", "docs/writing-rules.md", "docs/a-year.md")


def run(command: str, folder: Path, fails: bool = True) -> str:
    """What a command prints, on either stream, as a terminal without colours of 100 columns would show it.

    Ends the program where a command fails that shall not.
    """
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
    if done.returncode and not fails:
        sys.exit(f"{command}\n{done.stdout.decode()}")
    return done.stdout.decode()


def executed(text: str) -> str:
    """A document with the output of its console blocks written anew."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "src").symlink_to(ROOT / "src")
        return re.sub(r"(?ms)^```console\n(.*?)^```$", lambda match: f"```console\n{block(match[1], folder)}```", text)


def block(text: str, folder: Path, fails: bool = True) -> str:
    return "".join(f"$ {command}\n{run(command, folder, fails)}" for command in commands(text))


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

    listed = [
        {**row, "name": f"[`{row['name']}`](rulebooks/{row['name']}.md)", "until": row["until"] or "today"}
        for row in views.listing()
    ]
    headers = {"name": "name", "organisation": "organisation", "game": "game", "from": "from", "until": "until"}
    headers |= {"editions": "editions", "evidence": "checked against", "unsure": "unsure"}
    lines = [
        "# Rulebooks",
        "",
        "Made by `scripts/docs.py` from the rulebooks themselves; `arpad rules list` says the same. *Checked against*:"
        " ratings that the body or others published, replayed; examples that others worked out; or nothing but the"
        " formulas. *Unsure* counts the statements that no source settles. Each page says more.",
        "",
        views.markdown(listed, headers).rstrip(),
    ]
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

    from arpad.formats.headers import (
        ACT_FIELDS,
        CONTEST_FIELDS,
        DATED_FIELDS,
        FACT_FIELDS,
        GAME_FIELDS,
        MEMBER_FIELDS,
        START_FIELDS,
        TEXT_FIELDS,
        Field,
    )
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
            "## Contests of several players",
            "",
            "A row a player: the game's `id`, a place (equal ones are ties) or points, and perhaps a `team`, whose",
            "members share a place. A wrong row keeps its whole contest out. In `points`, more is better.",
            "",
            *rows(CONTEST_FIELDS),
            "",
            "## Start lists (`--start`)",
            "",
            "Blank, 0, - and ? in `rating` mean unrated. A list that `arpad rate -o` wrote can be gone on from:",
            "it holds all that the rules remember of the players on it (birth dates, seasons, deviations, …), and the",
            "next games get the digits of one replay, but for three things that a checkpoint alone knows: unrated",
            "players and games that wait for their first rating; a revaluation between the list and the next game,",
            "which is warned about; older lists, where a list comes into force later than its period ends (`delay`).",
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
            "## Members (`arpad import --as members`)",
            "",
            *rows(MEMBER_FIELDS),
            "",
            "## Dated facts of people (`arpad import --as facts`)",
            "",
            *rows(DATED_FIELDS),
            "",
        ]
    )


def own_fields(kind: type) -> list[str]:
    return [field for field in kind.__struct_fields__ if field not in ("article", "source", "status", "text")]  # type: ignore[attr-defined]


def pages() -> Iterator[tuple[Path, str]]:
    """docs/rulebooks/: a page for each rulebook."""
    from arpad import rulebooks

    def made(name: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            return page(name, lambda text: block(text, Path(folder), fails=False))

    names = rulebooks.names()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, text in zip(names, pool.map(made, names)):
            yield ROOT / "docs" / "rulebooks" / f"{name}.md", text


def documents() -> Iterator[tuple[Path, str]]:
    for name in MANUAL:
        path = ROOT / name
        yield path, executed(path.read_text(encoding="utf-8"))
    yield ROOT / "docs" / "cli.md", reference()
    yield ROOT / "docs" / "rulebooks.md", shelf()
    yield ROOT / "docs" / "tables.md", tables()
    yield from pages()


def main() -> int:
    check = "--check" in sys.argv[1:]
    stale = []
    made = list(documents())
    for path, fresh in made:
        if not path.exists() or path.read_text(encoding="utf-8") != fresh:
            stale.append(path.relative_to(ROOT))
            if not check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(fresh, encoding="utf-8")
    kept = {path for path, _ in made}
    for path in (ROOT / "docs" / "rulebooks").rglob("*.md"):
        if path not in kept:  # of a rulebook that is no more
            stale.append(path.relative_to(ROOT))
            if not check:
                path.unlink()
    for path in stale:
        print(f"{path} {'is stale: run scripts/docs.py' if check else 'written'}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
