"""The CSV tables beside a rulebook: read as printed, checked, and turned into numbers.

Five kinds, told apart by their columns:

    low,high,H,L                                        expected scores by difference, as Élő and FIDE print them
    p,dp                                                differences by percentage, as FIDE prints them
    tournament,from,until,importance,knockout,note      how much a tournament counts, by name and date
    category,rating,games,source,status                 how players of another body's category enter
    goals,0,1,2,…                                       what share of the point goals give the side that did not win
    strength,deviation                                  how uncertain a newcomer's declared strength is

A cell is text until a function here makes a number of it, and a wrong cell is reported by line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from arpad.rulebooks.book import Rows

EXPECTED = ("low", "high", "H", "L")
TOURNAMENTS = ("tournament", "from", "until", "importance", "knockout", "note")
PERCENTAGES = ("p", "dp")
CATEGORIES = ("category", "rating", "games", "source", "status")
DEVIATIONS = ("strength", "deviation")


class ExpectedTable(msgspec.Struct, frozen=True):
    """Expected scores by difference, exact: row i covers differences up to `high[i]`, the last row has no end.

    `higher[i]` and `lower[i]` are whole multiples of 1 / `unit` (hundredths, if two decimals are printed).
    """

    high: tuple[int, ...]
    higher: tuple[int, ...]
    lower: tuple[int, ...]
    unit: int


class Tournament(msgspec.Struct, frozen=True):
    """How much the games of a tournament count between two days (ordinals, inclusive)."""

    pattern: str
    first: int
    last: int
    importance: float
    knockout: bool
    note: str

    def called(self, tournament: str) -> bool:
        """Whether the row is about a tournament of that name."""
        if "*" not in self.pattern:
            return self.pattern == tournament
        return bool(re.fullmatch(".*".join(map(re.escape, self.pattern.split("*"))), tournament))

    def holds_on(self, ordinal: int) -> bool:
        """Whether the row covers a day; 0, an unknown day, is only covered by a row without dates."""
        if ordinal == 0:
            return self.first == 0 and self.last == date.max.toordinal()
        return self.first <= ordinal <= self.last


class Category(msgspec.Struct, frozen=True):
    """How a player of one category enters."""

    name: str
    rating: float
    games: int
    source: str
    status: str


def read_rows(path: Path) -> Rows:
    """The rows of a CSV file with a header line. Raises ValueError naming the line of a row that does not fit."""
    import csv

    with path.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.reader(stream)
        header = next(reader, [])
        rows = []
        for cells in reader:
            if not cells:
                continue
            if len(cells) != len(header):
                raise ValueError(f"line {reader.line_num}: {len(cells)} cells, {len(header)} columns")
            rows.append(dict(zip(header, (cell.strip() for cell in cells), strict=True)))
    return rows


def columns_missing(rows: Rows, columns: Sequence[str]) -> list[str]:
    """Which of `columns` a table lacks."""
    return [name for name in columns if not rows or name not in rows[0]]


def expected_table(rows: Rows) -> ExpectedTable:
    """Expected scores from `low,high,H,L`. Raises ValueError where the table is not what it must be."""
    problems = list(_expected_problems(rows))
    if problems:
        raise ValueError("; ".join(problems))
    decimals = max(len(row[side].partition(".")[2]) for row in rows for side in ("H", "L"))
    return ExpectedTable(
        high=tuple(int(row["high"]) for row in rows[:-1]),
        higher=tuple(_units(row["H"], decimals) for row in rows),
        lower=tuple(_units(row["L"], decimals) for row in rows),
        unit=10**decimals,
    )


def percentages(rows: Rows) -> tuple[int, ...]:
    """The rating difference for each whole percentage from 0 to 100, from `p,dp` as printed (p with two decimals).

    Raises ValueError where one is missing, or where the two halves do not mirror.
    """
    found = {round(100 * float(row["p"])): int(row["dp"]) for row in rows}
    if sorted(found) != list(range(101)):
        raise ValueError("a table of percentages has 101 rows, from 0.00 to 1.00")
    if any(found[p] != -found[100 - p] for p in range(101)):
        raise ValueError("dp of p and of 1 - p must mirror")
    return tuple(found[p] for p in range(101))


def tournaments(rows: Rows) -> list[Tournament]:
    """Rows of a table of importances. Raises ValueError naming the first line that is wrong."""
    return [_tournament(row, line) for line, row in enumerate(rows, 2)]


def about(table: Sequence[Tournament], tournament: str) -> list[Tournament]:
    """The rows about one tournament, in order: with them `find_tournament` need not look at the rest."""
    return [row for row in table if row.called(tournament)]


def find_tournament(table: Sequence[Tournament], tournament: str, ordinal: int) -> Tournament | None:
    """The first row under which a game of that tournament on that day falls."""
    return next((row for row in table if row.holds_on(ordinal) and row.called(tournament)), None)


def shares(rows: Rows) -> tuple[tuple[float, ...], ...]:
    """Shares of the point, 0 to 1, by the goals of the side that did not win and those that it lost by, from a table in
    percent. Raises ValueError for a table with a hole or a share above one half but for draws, which is no table of
    these.
    """
    width = len(rows[0]) - 1 if rows else 0
    if width < 2 or [*rows[0]] != ["goals", *map(str, range(width))]:
        raise ValueError("columns goals,0,1,2,… were expected")
    found = []
    for line, row in enumerate(rows, 2):
        if row["goals"] != str(line - 2):
            raise ValueError(f"line {line}: goals is {row['goals']!r}, {line - 2} was expected")
        if not all(re.fullmatch(r"\d{1,3}(\.\d+)?", row[str(lost)]) for lost in range(width)):
            raise ValueError(f"line {line}: percentages were expected")
        share = [float(row[str(lost)]) / 100 for lost in range(width)]
        if max(share) > 1 or max(share[1:]) > 0.5:
            raise ValueError(f"line {line}: who loses gets at most one half")
        found.append(tuple(share))
    return tuple(found)


def categories(rows: Rows) -> list[Category]:
    """Rows of a table of entry ratings. Raises ValueError naming the first line that is wrong."""
    return [_category(row, line) for line, row in enumerate(rows, 2)]


def _expected_problems(rows: Rows) -> Iterator[str]:
    missing = columns_missing(rows, EXPECTED)
    if missing:
        yield f"column {', '.join(missing)} is missing"
        return
    following = 0
    least = 0.5
    for line, row in enumerate(rows, 2):
        last = line == len(rows) + 1
        if not all(re.fullmatch(r"[01](\.\d+)?", row[side]) for side in ("H", "L")):
            yield f"line {line}: H and L are numbers between 0 and 1, not {row['H']!r} and {row['L']!r}"
        else:
            decimals = max(len(row[side].partition(".")[2]) for side in ("H", "L"))
            if _units(row["H"], decimals) + _units(row["L"], decimals) != 10**decimals:
                yield f"line {line}: H + L is not 1"
            if float(row["H"]) < least:
                yield f"line {line}: H is {row['H']}, and may not be below {least:g}"
            least = max(least, float(row["H"]))
        if row["low"] != str(following):
            yield f"line {line}: low is {row['low'] or 'blank'}, expected {following}"
        if last != (row["high"] == ""):
            yield f"line {line}: {'the last row must be open: its high is blank' if last else 'high is blank'}"
        elif not last:
            if not re.fullmatch(r"[0-9]{1,5}", row["high"]) or int(row["high"]) < following:
                yield f"line {line}: high is {row['high']!r}, a whole number from {following} to 99999 was expected"
                return
            following = int(row["high"]) + 1


def _units(text: str, decimals: int) -> int:
    whole, _, fraction = text.partition(".")
    return int(whole + fraction.ljust(decimals, "0"))


def _tournament(row: Mapping[str, str], line: int) -> Tournament:
    try:
        if row["knockout"] not in ("0", "1", ""):
            raise ValueError(f"knockout is {row['knockout']!r}, 0 or 1 was expected")
        importance = float(row["importance"])
        if not 0 <= importance < float("inf"):
            raise ValueError(f"importance is {row['importance']!r}, a number from 0 was expected")
        return Tournament(
            pattern=row["tournament"],
            first=date.fromisoformat(row["from"]).toordinal() if row["from"] else 0,
            last=(date.fromisoformat(row["until"]) if row["until"] else date.max).toordinal(),
            importance=importance,
            knockout=row["knockout"] == "1",
            note=row["note"],
        )
    except ValueError as error:
        raise ValueError(f"line {line}: {error}") from None


def _category(row: Mapping[str, str], line: int) -> Category:
    try:
        rating, games = float(row["rating"]), int(row["games"])
        if not abs(rating) < float("inf") or games < 0:
            raise ValueError(f"{row['rating']!r} and {row['games']!r} are no rating and number of games")
        return Category(row["category"], rating, games, row["source"], row["status"])
    except ValueError as error:
        raise ValueError(f"line {line}: {error}") from None


def deviations(rows: Rows) -> list[tuple[float, float]]:
    """(strength, deviation) from `strength,deviation`. Raises ValueError for what no curve can be laid through."""
    points = [(float(row["strength"]), float(row["deviation"])) for row in rows]
    if len(points) < 3 or any(a >= b for (a, _), (b, _) in pairwise(points)):
        raise ValueError("at least three strengths, in ascending order")
    if not all(0 < deviation <= 1e6 for _, deviation in points):
        raise ValueError("deviations are positive numbers")
    return points


def table_problem(clause: str, rows: Rows) -> str:
    """What is wrong with the table of a clause (`curve`, `importance`, `entry`); empty if nothing is."""
    kinds = {
        "curve": EXPECTED,
        "importance": TOURNAMENTS,
        "entry": CATEGORIES,
        "score": ("goals",),
        "seed": DEVIATIONS,
    }
    missing = columns_missing(rows, kinds.get(clause, PERCENTAGES))
    if missing:
        return f"column {', '.join(missing)} is missing"
    try:
        readers: Mapping[str, Callable[[Rows], object]] = {
            "curve": expected_table,
            "importance": tournaments,
            "entry": categories,
            **dict.fromkeys(("first", "performances"), percentages),
            "score": shares,
            "seed": deviations,
        }
        readers[clause](rows)
    except ValueError as error:
        return str(error)
    return ""
