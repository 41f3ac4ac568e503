"""Files that hold a whole tournament, wherever a table of games may stand."""

from __future__ import annotations

import os
from typing import Any

from arpad.errors import DataError
from arpad.formats.crosstable import looks_like_crosstable, read_crosstable
from arpad.formats.report import Report
from arpad.formats.report_games import report_games, report_start
from arpad.formats.sheet import Reading
from arpad.formats.source import _bytes as read_bytes
from arpad.formats.text import unzip
from arpad.formats.trf import looks_like_trf, read_trf
from arpad.model import Games, Problem, Start

#: Endings that are reports, and endings that may be.
SURE = (".trf", ".trfx", ".trf06", ".trf16", ".trf26")
PERHAPS = (".tab", ".txt")
#: Bytes that say what a file is.
_HEAD = 20_000


def report_kind(path: str) -> str:
    """`trf` or `crosstable` for a file that holds a tournament, blank for any other."""
    suffix = os.path.splitext(path.lower().removesuffix(".gz"))[1]
    if suffix in SURE:
        return "trf"
    if suffix not in PERHAPS or not os.path.isfile(path):
        return ""
    head = unzip(read_bytes(path), path)[:_HEAD]
    return "trf" if looks_like_trf(head) else "crosstable" if looks_like_crosstable(head) else ""


def read_report(path: str | os.PathLike[str], reading: Reading | None = None) -> tuple[Report, list[Problem]]:
    """The tournament in a file, and what was wrong with it, or decided. Raises DataError if it holds none."""
    name = os.fspath(path)
    kind = report_kind(name)
    if not kind:
        raise DataError([Problem("no report: neither a tournament report file nor a crosstable", name)])
    data = unzip(read_bytes(name), name)
    return (read_trf if kind == "trf" else read_crosstable)(data, name, reading)


def games_of_report(path: Any, reading: Reading | None = None) -> tuple[Games, list[Problem]]:
    """The games of a report file, as `formats.read_games` gives them."""
    report, problems = read_report(path, reading)
    games, more = report_games(report)
    return games, _once([*problems, *more])


def start_of_report(path: Any, reading: Reading | None = None) -> tuple[list[Start], list[Problem]]:
    """The ratings in a report file, as `formats.read_start` gives them."""
    report, problems = read_report(path, reading)
    return report_start(report), problems


def _once(problems: list[Problem]) -> list[Problem]:
    """Without what two steps say of one place."""
    found: dict[tuple[int, str, str], Problem] = {}
    for problem in problems:
        place = (problem.line, problem.column, problem.message if not problem.column else problem.severity)
        found.setdefault(place, problem)
    return sorted(found.values(), key=lambda problem: problem.line)
