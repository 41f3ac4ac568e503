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
from arpad.formats.source import open_sheet
from arpad.formats.write import FORMATS, Format, Table, to_arrow, write_files, write_table
from arpad.model import Act, Game, Games, Problem, Start

__all__ = [
    "FORMATS",
    "Format",
    "Reading",
    "Table",
    "read_acts",
    "read_games",
    "read_start",
    "to_arrow",
    "write_files",
    "write_table",
]


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

    Sources, problems and errors are those of `read_games`.
    """
    from arpad.formats.headers import START_FIELDS
    from arpad.formats.people import starts_of

    reading = reading or Reading()
    return starts_of(open_sheet(source, reading, START_FIELDS), reading)


def read_acts(source: Any, reading: Reading | None = None) -> tuple[list[Act], list[Problem]]:
    """The dated acts of a table (`kind, player, date, rating`, and `games, category, reason` where given).

    Sources, problems and errors are those of `read_games`.
    """
    from arpad.formats.headers import ACT_FIELDS
    from arpad.formats.people import acts_of

    reading = reading or Reading()
    return acts_of(open_sheet(source, reading, ACT_FIELDS), reading)


def _of_records(games: list[Game]) -> tuple[Games, list[Problem]]:
    try:
        return Games.of(games, "records"), []
    except DataError as error:
        bad = {problem.line for problem in error.problems}
        good = [number for number in range(1, len(games) + 1) if number not in bad]
        kept = Games.of([games[number - 1] for number in good], "records")
        line = [good[number - 1] for number in kept.line] if kept.line is not None else None
        return replace(kept, line=line), list(error.problems)
