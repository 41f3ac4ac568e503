"""What is said on stderr: errors, warnings, notes, and how far long work has come."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

import click

if TYPE_CHECKING:
    from arpad.errors import ArpadError
    from arpad.model import Problem

COLOURS = {"error": "red", "warning": "yellow", "note": "blue"}

#: Seconds that work may take before a bar is shown.
PATIENCE = 1.0


def coloured(stream: TextIO | None) -> bool:
    """Whether a stream takes colour: it is open, a terminal, and nobody said NO_COLOR."""
    return (
        stream is not None and stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )


def say(text: str, severity: str = "") -> None:
    """One line on stderr; where nobody can hear it, the work goes on."""
    start = f"{severity}: " if severity else ""
    if start and coloured(sys.stderr):
        start = click.style(start, fg=COLOURS[severity], bold=True)
    with suppress(OSError):
        click.echo(start + text, err=True, color=coloured(sys.stderr))


def counted(count: int, word: str) -> str:
    """So many of something, whose plural has an s: `1 game`, `2,000 games`."""
    return f"{count:,} {word}" + ("" if count == 1 else "s")


def report(problems: Iterable[Problem]) -> None:
    """Every problem on a line of its own."""
    for problem in problems:
        say(str(problem), problem.severity)


def complain(error: ArpadError, outcome: str = "nothing was written") -> None:
    """An error in words; refused facts one by one, and what came of them all."""
    from arpad.errors import DataError

    if not isinstance(error, DataError):
        say(str(error), "error")
        return
    report(error.problems)
    if len(error.problems) > 1:
        say(f"{len(error.problems)} errors; {outcome}")


def bar(quiet: bool, what: str = "games") -> Callable[[int, int], None] | None:
    """A progress bar for whoever watches, once the work has taken a second."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        return None
    began = time.monotonic()

    def progress(done: int, total: int) -> None:
        if time.monotonic() - began > PATIENCE:
            share = done / total if total else 1.0
            end = "\r\033[K" if done >= total else ""
            sys.stderr.write(f"\r[{'#' * int(40 * share):<40}] {share:4.0%} of {total:,} {what}{end}")
            sys.stderr.flush()

    return progress
