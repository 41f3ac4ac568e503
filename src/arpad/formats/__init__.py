"""Tables of games, start lists and acts in; tables of results out.

    games, problems = read_games("results.csv")        # also .parquet, .xlsx, .json, a pandas or polars frame, …
    write_table(table, "list.csv", "csv")

Reading never guesses: what cannot be certain is refused, each bad row with its line, all in one pass. Only the
libraries that a format needs are imported, when it is read.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from itertools import chain, islice
from typing import Any

from msgspec.structs import replace

from arpad.errors import DataError
from arpad.formats.sheet import Reading
from arpad.formats.source import is_pgn, open_sheet
from arpad.formats.write import FORMATS, Format, Table, to_arrow, write_files, write_table
from arpad.model import Act, Game, Games, Problem, Start

__all__ = [
    "FORMATS",
    "Format",
    "Reading",
    "Table",
    "read_acts",
    "read_dated",
    "read_games",
    "read_members",
    "read_start",
    "to_arrow",
    "write_files",
    "write_table",
]

#: Endings that a tournament report may have.
_REPORTS = (".trf", ".trfx", ".trf06", ".trf16", ".trf26", ".tab", ".txt")


def read_games(source: Any, reading: Reading | None = None) -> tuple[Games, list[Problem]]:
    """Games and what was found wrong with them: errors, whose rows are left out, and warnings.

    `source`: a path (`-` is CSV on standard input), an object with the Arrow C stream interface (a frame of pandas,
    polars or pyarrow), or an iterable of `Game` or of dicts. `Problem.line` counts from 1, with the header of a text
    file as line 1; in sources without lines it is the row. Raises DataError for a source that as a whole is no table of
    games, UsageError for one that is not there or needs a library that is not.
    """
    from arpad.formats.games import games_of
    from arpad.formats.headers import GAME_FIELDS

    if isinstance(source, Games):
        return source, []
    if _is_report(source):
        from arpad.formats.reports import games_of_report

        return games_of_report(source, reading)
    no_rows = (str, bytes, bytearray, Mapping, os.PathLike)
    if isinstance(source, Iterable) and not isinstance(source, no_rows) and not hasattr(source, "__arrow_c_stream__"):
        rows = iter(source)
        began = list(islice(rows, 1))
        if not began or isinstance(began[0], Game):
            return _of_records([*began, *rows])
        source = chain(began, rows)
    reading = reading or Reading()
    return games_of(open_sheet(source, reading, GAME_FIELDS), reading)


def read_start(source: Any, reading: Reading | None = None) -> tuple[list[Start], list[Problem]]:
    """What a start list (`player, rating`, and `games, peak, season, born` where known) says of each player.

    Sources, problems and errors are those of `read_games`; also FIDE's rating lists as text, XML or zip.
    """
    from arpad.formats.headers import START_FIELDS
    from arpad.formats.people import starts_of

    if _is_report(source):
        from arpad.formats.reports import start_of_report

        return start_of_report(source, reading)
    reading = reading or Reading()
    if isinstance(source, (str, os.PathLike)) and (found := _rating_list_or_pgn(os.fspath(source), reading)):
        return found
    return starts_of(open_sheet(source, reading, START_FIELDS), reading)


def _rating_list_or_pgn(path: str, reading: Reading) -> tuple[list[Start], list[Problem]] | None:
    """The starts in a federation's rating list or in the headers of a PGN file; None if the path is neither."""
    if path.lower().endswith((".xml", ".txt", ".zip", ".txt.gz", ".xml.gz")):
        from arpad.formats.fide_list import holds_list, read_list_start

        if holds_list(path):
            return read_list_start(path, reading)
    if is_pgn(path):
        from arpad.formats.pgn import pgn_start

        return pgn_start(path, reading)
    return None


def read_acts(source: Any, reading: Reading | None = None) -> tuple[list[Act], list[Problem]]:
    """The dated acts of a table (`kind, player, date, rating`, and `games, category, reason` where given).

    Sources, problems and errors are those of `read_games`.
    """
    from arpad.formats.headers import ACT_FIELDS
    from arpad.formats.people import acts_of

    reading = reading or Reading()
    return acts_of(open_sheet(source, reading, ACT_FIELDS), reading)


def read_dated(source: Any, reading: Reading | None = None) -> tuple[list[Any], list[Problem]]:
    """Federations and titles with the day from which on they hold (`player, fact, from, value`).

    Sources, problems and errors are those of `read_games`.
    """
    from arpad.formats.headers import DATED_FIELDS
    from arpad.formats.people import dated_of

    reading = reading or Reading()
    return dated_of(open_sheet(source, reading, DATED_FIELDS), reading)


def read_members(source: Any, reading: Reading | None = None) -> tuple[list[Any], list[Problem]]:
    """Members as they join (`name`, and `number, born, federation, title, from, rating, games, category` where given).

    Sources, problems and errors are those of `read_games`.
    """
    from arpad.formats.headers import MEMBER_FIELDS
    from arpad.formats.people import members_of

    reading = reading or Reading()
    return members_of(open_sheet(source, reading, MEMBER_FIELDS), reading)


def _is_report(source: Any) -> bool:
    """Whether a path is that of a tournament report, by its ending or, where that does not say, by what is inside."""
    if not isinstance(source, (str, os.PathLike)):
        return False
    name = os.fspath(source)
    if not isinstance(name, str) or not name.lower().removesuffix(".gz").endswith(_REPORTS):
        return False
    from arpad.formats.reports import report_kind

    return bool(report_kind(name))


def _of_records(games: list[Game]) -> tuple[Games, list[Problem]]:
    try:
        return Games.of(games, "records"), []
    except DataError as error:
        bad = {problem.line for problem in error.problems}
        good = [number for number in range(1, len(games) + 1) if number not in bad]
        kept = Games.of([games[number - 1] for number in good], "records")
        line = [good[number - 1] for number in kept.line] if kept.line is not None else None
        return replace(kept, line=line), list(error.problems)
