"""From one form of file to another. What a file holds (a report, games) decides; a kind of file is one entry of KINDS.

problems = convert("open.trf", "games.csv")
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, BinaryIO, TypeAlias

import msgspec

from arpad.errors import DataError, UsageError
from arpad.formats.crosstable import write_crosstable
from arpad.formats.fide_list import holds_list
from arpad.formats.report import Report
from arpad.formats.report_games import report_games
from arpad.formats.report_of_games import games_report
from arpad.formats.reports import SURE, read_report, report_kind
from arpad.formats.sheet import Reading
from arpad.formats.trf_write import write_trf
from arpad.formats.write import Format, Table, write_files, write_table
from arpad.model import Games, Problem

Read: TypeAlias = Callable[[str, "Reading | None"], "tuple[Any, list[Problem]]"]
#: The bytes of a thing go into a file; what had to be left out comes back.
Write: TypeAlias = "Callable[[Any, BinaryIO], list[Problem]]"


class Kind(msgspec.Struct, frozen=True):
    """A kind of file: what it `holds` in memory, its endings, and how it is read and written (None: it is not)."""

    name: str
    holds: str
    suffixes: tuple[str, ...]
    read: Read | None
    write: Write | None


def _read_games(path: str, reading: Reading | None) -> tuple[Games, list[Problem]]:
    from arpad.formats import read_games

    return read_games(path, reading)


def _write_trf(report: Report, file: BinaryIO) -> list[Problem]:
    data, problems = write_trf(report)
    file.write(data)
    return problems


def _write_crosstable(report: Report, file: BinaryIO) -> list[Problem]:
    file.write(write_crosstable(report).encode())
    return []


def _write_games(form: Format) -> Write:
    def write(games: Games, file: BinaryIO) -> list[Problem]:
        table, problems = games_table(games)
        write_table(table, file, form)
        return problems

    return write


#: Written out, one line a kind. The first that has the ending (and, to read, looks right inside) is taken.
KINDS: tuple[Kind, ...] = (
    Kind("trf", "report", (*SURE, ".tab"), read_report, _write_trf),
    Kind("crosstable", "report", (".txt",), read_report, _write_crosstable),
    Kind("csv", "games", (".csv",), _read_games, _write_games("csv")),
    Kind("json", "games", (".json",), _read_games, _write_games("json")),
    Kind("jsonl", "games", (".jsonl", ".ndjson"), _read_games, _write_games("jsonl")),
    Kind("parquet", "games", (".parquet",), _read_games, _write_games("parquet")),
    Kind("arrow", "games", (".arrow", ".feather"), _read_games, _write_games("arrow")),
    Kind("xlsx", "games", (".xlsx",), _read_games, _write_games("xlsx")),
    Kind("pgn", "games", (".pgn", ".pgn.zst"), _read_games, None),
    Kind("text", "games", (".tsv", ".txt", ".tab"), _read_games, None),
)
#: How one thing becomes another; the word is the event that is meant, if there are several.
BRIDGES: Mapping[tuple[str, str], Callable[[Any, str | None], tuple[Any, list[Problem]]]] = {
    ("report", "games"): lambda report, event: report_games(report),
    ("games", "report"): lambda games, event: (games_report(games, event), []),
}


def kind_of_source(path: str) -> Kind:
    """What a file is that shall be read. Raises UsageError for a rating list, and for endings that nothing here has."""
    if holds_list(path):
        raise UsageError(f"{path} is a rating list: neither a report nor games")
    inside = report_kind(path)
    return _kind(
        path, lambda kind: kind.read is not None and (not inside or kind.name == inside) and _right(kind, inside)
    )


def _right(kind: Kind, inside: str) -> bool:
    return bool(inside) or kind.holds != "report"


def kind_of_target(path: str) -> Kind:
    """What a file is that shall be written. Raises UsageError for an ending that nothing here has."""
    return _kind(path, lambda kind: kind.write is not None, "write")


def _kind(path: str, fitting: Callable[[Kind], bool], what: str = "read") -> Kind:
    plain = path.lower().removesuffix(".gz")
    for kind in KINDS:
        if plain.endswith(kind.suffixes) and fitting(kind):
            return kind
    able = (kind for kind in KINDS if (kind.write if what == "write" else kind.read) is not None)
    known = " ".join(dict.fromkeys(suffix for kind in able for suffix in kind.suffixes))
    raise UsageError(f"cannot tell how to {what} {path!r}; known endings: {known}")


def convert(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    reading: Reading | None = None,
    event: str | None = None,
) -> list[Problem]:
    """Write what a file holds as a file of another kind; returns everything that was found or left out.

    Raises DataError if something in the source is an error (nothing is written then), UsageError for a pair of kinds
    that cannot be converted.
    """
    came, goes = kind_of_source(os.fspath(source)), kind_of_target(os.fspath(target))
    bridge = BRIDGES.get((came.holds, goes.holds))
    if came.holds != goes.holds and bridge is None:
        raise UsageError(f"{came.holds} cannot be written as {goes.holds}")
    if came.read is None or goes.write is None:
        raise UsageError(f"{came.name} cannot be written as {goes.name}")
    held, problems = came.read(os.fspath(source), reading)
    if bridge is not None and came.holds != goes.holds:
        held, more = bridge(held, event)
        problems += more
    wrong = [problem for problem in problems if problem.severity == "error"]
    if wrong:
        raise DataError(wrong)
    write = goes.write
    write_files({os.fspath(target): lambda file: problems.extend(write(held, file))})
    return problems


def games_table(games: Games) -> tuple[Table, list[Problem]]:
    """Games as a table that `read_games` takes back, and what such a table cannot say."""
    if games.contest is not None:
        return _contests_table(games), []
    rows = [row for row in range(len(games)) if sum(games.scores[games.score[row]]) == 1.0]
    columns: dict[str, list[Any]] = {}
    if games.date is not None:
        columns["date"] = [_day(games.date[row], games.partial.get(row)) for row in rows]
    if games.event is not None and games.events:
        held = [games.events[games.event[row]] if games.event[row] >= 0 else None for row in rows]
        columns["event"] = [event.name if event else "" for event in held]
        columns["event_start"] = [_day(event.start if event else 0) for event in held]
        columns["event_end"] = [_day(event.end if event else 0) for event in held]
    for name in ("round", "board", "season"):
        column = getattr(games, name)
        if column is not None:
            columns[name] = [int(column[row]) or None for row in rows]
    if games.handicap is not None:
        columns["handicap"] = [int(games.handicap[row]) or None for row in rows]
    if games.komi is not None:
        columns["komi"] = [_number(games.komi, row) for row in rows]
    columns["white"] = [games.players[games.first[row]] for row in rows]
    columns["black"] = [games.players[games.second[row]] for row in rows]
    columns["result"] = [_result(games.scores[games.score[row]]) for row in rows]
    for name, labels in games.labels.items():
        columns[name] = [labels[row] for row in rows]
    without = {
        name for name in ("date", "event", "event_start", "event_end", "season") if not any(columns.get(name, ()))
    }
    table = Table("games", {name: column for name, column in columns.items() if name not in without})
    problems = []
    if odd := len(games) - len(rows):
        text = f"games whose points do not add up to one, for which a table has no result, are left out: {odd}"
        problems.append(Problem(text, games.source, severity="warning"))
    if games.pending:
        problems.append(
            Problem(f"games without a result are left out: {games.pending}", games.source, severity="warning")
        )
    return table, problems


def _contests_table(games: Games) -> Table:
    """Contests with a row a player; a game of two is one of them."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for row in range(len(games)):
        word = (games.id[row] if games.id else "") or f"game {row + 1}"
        event = games.events[games.event[row]] if games.event is not None and games.event[row] >= 0 else None
        shared = {
            "date": _day(games.date[row], games.partial.get(row)) if games.date is not None else None,
            "event": event.name if event else "",
            "event_start": _day(event.start if event else 0),
            "event_end": _day(event.end if event else 0),
            **{
                name: int(getattr(games, name)[row]) or None
                for name in ("round", "board", "season")
                if getattr(games, name) is not None
            },
            "importance": _number(games.importance, row),
            **{name: words[row] for name, words in games.labels.items() if name not in ("first_team", "second_team")},
        }
        score = games.scores[games.score[row]]
        for side, code in (("first", games.first[row]), ("second", games.second[row])):
            told = {
                "id": word,
                "player": games.players[code],
                "rank": 1,
                "points": _number(getattr(games, f"{side}_points"), row),
                "team": games.labels[f"{side}_team"][row] if f"{side}_team" in games.labels else "",
                "weight": _number(getattr(games, f"{side}_weight"), row),
            }
            mine = rows.setdefault((word, games.players[code]), {**shared, **told})
            mine["rank"] += score[0] != score[1] and (side == "first") == (score[0] < score[1])
    table = {name: [each[name] for each in rows.values()] for name in next(iter(rows.values()), {})}
    return Table(
        "games", {name: column for name, column in table.items() if any(value not in (None, "") for value in column)}
    )


def _number(column: Any, row: int) -> float | None:
    return None if column is None or column[row] != column[row] else float(column[row])


def _day(ordinal: int, partial: Any = None) -> str | None:
    if partial is not None:
        return str(partial)
    return date.fromordinal(int(ordinal)).isoformat() if ordinal else None


def _result(pair: tuple[float, float]) -> str:
    known = {(1.0, 0.0): "1-0", (0.0, 1.0): "0-1", (0.5, 0.5): "1/2-1/2"}
    return known.get(pair) or repr(pair[0])
