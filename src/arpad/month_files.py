"""What a month reads and leaves behind as files: the list, the changes, why, and the standings for the month after.

The same inputs give the same bytes: everything is sorted, and nothing carries a clock.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import BinaryIO, TypeVar

from arpad.errors import DataError, UsageError
from arpad.formats.fide_list import read_list, write_list
from arpad.formats.list_join import joined
from arpad.formats.rating_list import CHAPTERS, ChapterName, RatingList
from arpad.formats.report import Report
from arpad.formats.reports import read_report
from arpad.formats.write import Table, write_files, write_table
from arpad.model import Act, Problem
from arpad.month import Month, WaitingGames, live, month
from arpad.newcomers import Waiting
from arpad.next_list import ChapterMonth, Standing, Standings
from arpad.sentences import words

T = TypeVar("T")

STANDINGS = ("chapter", "player", "games", "peak", "last")
WAITING = ("chapter", "player", "period", "day", "event", "opponent", "rating", "score", "counts")


def month_of_files(
    lists: Sequence[tuple[str, date | None]],
    reports: Sequence[str],
    day: date,
    standings: str | None = None,
    acts: Sequence[Act] = (),
    chapter: ChapterName | None = None,
) -> tuple[Month, list[Problem]]:
    """A month from files: `lists` are (path, day; None to take it from the file), newest last or not.

    Returns the month and everything worth saying. Raises DataError with every error of every file at once.
    """
    problems: list[Problem] = []
    held: list[RatingList] = []
    for path, said in lists:
        found, notes = read_list(path, day=said)
        problems += [problem for problem in notes if problem.severity != "error"]
        problems += [Problem(str(p), severity="warning") for p in notes if p.severity == "error"]
        held.append(_of_its_day(found, path, said))
    taken: list[Report] = []
    errors: list[Problem] = []
    for path in sorted(reports):
        report, notes = read_report(path)
        errors += [problem for problem in notes if problem.severity == "error"]
        problems += [problem for problem in notes if problem.severity != "error"]
        taken.append(report)
    if errors:
        raise DataError(errors)
    known = read_standings(standings) if standings else None
    waiting = read_waiting(os.path.join(os.path.dirname(standings), "waiting.csv")) if standings else None
    days = sorted({each.day for each in held})
    by_day = [joined([each for each in held if each.day == when]) for when in days]
    made = month(by_day, taken, day, known, acts, chapter, waiting)
    return made, [*problems, *made.problems]


def _of_its_day(found: RatingList, path: str, said: date | None) -> RatingList:
    """A list whose day is known, and is the one that was said. Raises UsageError for another."""
    if not found.day:
        raise UsageError(f"{path} does not say of which day it is: write --list YYYY-MM-DD={path}")
    if said and found.day != said.toordinal():
        raise UsageError(f"{path} is the list of {date.fromordinal(found.day)} by its header, not of {said}")
    return found


def write_month(made: Month, folder: str, language: str = "en") -> list[str]:
    """Write a month into a folder, which is made if need be; returns the names of the files, in order.

    The new list takes the form of the newest before it. All files stand complete before one takes its place.
    """
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write into the folder {folder!r}: {error.strerror}") from None
    suffix = ".xml" if made.listed.form is not None and made.listed.form.kind == "xml" else ".txt"
    files: dict[str, Callable[[BinaryIO], object]] = {
        f"list{suffix}": lambda file: write_list(made.listed, file),
        "standings.csv": lambda file: write_table(standings_table(made.standings), file, "csv"),
        "waiting.csv": lambda file: write_table(waiting_table(made.waiting), file, "csv"),
    }
    for each in made.chapters:
        files[f"{each.chapter}-changes.csv"] = _changes(each)
        files[f"{each.chapter}-explanations.txt"] = _explanations(each, language)
    write_files({os.path.join(folder, name): write for name, write in sorted(files.items())})
    return sorted(files)


def _changes(each: ChapterMonth) -> Callable[[BinaryIO], object]:
    return lambda file: write_table(changes_table(each), file, "csv")


def _explanations(each: ChapterMonth, language: str) -> Callable[[BinaryIO], object]:
    return lambda file: file.write(("\n".join(_told(each, language)) + "\n").encode())


def _told(each: ChapterMonth, language: str) -> Iterator[str]:
    for player in sorted(each.changes, key=lambda player: (each.names.get(player, ""), player)):
        yield f"== {each.names.get(player, player)} ({player})"
        yield from words(each.changes[player], language, each.names)
        yield ""


def changes_table(each: ChapterMonth) -> Table:
    """One row for each change of a chapter: who, from what to what, with K, games, score and expectation."""
    rows = [
        (player, each.names.get(player, ""), change)
        for player, changes in sorted(each.changes.items())
        for change in changes
        if change.kind in ("games", "first")
    ]
    return Table(
        f"{each.chapter}-changes",
        {
            "id": [player for player, _, _ in rows],
            "name": [name for _, name, _ in rows],
            "kind": [change.kind for _, _, change in rows],
            "before": [change.before for _, _, change in rows],
            "after": [change.after for _, _, change in rows],
            "change": [change.change for _, _, change in rows],
            "k": [change.k for _, _, change in rows],
            "games": [sum(not game.note for game in change.games) for _, _, change in rows],
            "score": [change.score for _, _, change in rows],
            "expected": [change.expected for _, _, change in rows],
            "exact": [None if change.exact is None else round(change.exact, 6) for _, _, change in rows],
        },
    )


def live_table(made: Month) -> Table:
    """Ratings between two lists: the change so far, before it is rounded."""
    rows = [(each, row) for each in made.chapters for row in live(each)]
    return Table(
        "live",
        {
            "chapter": [each.chapter for each, _ in rows],
            "id": [row[0] for _, row in rows],
            "name": [each.names.get(row[0], "") for each, row in rows],
            "list": [row[1] for _, row in rows],
            "change": [row[2] for _, row in rows],
            "live": [row[3] for _, row in rows],
            "games": [row[4] for _, row in rows],
        },
    )


def standings_table(standings: Standings) -> Table:
    """Standings as a table that `read_standings` reads back."""
    rows = sorted(standings.items())
    return Table(
        "standings",
        {
            "chapter": [chapter for (chapter, _), _ in rows],
            "player": [player for (_, player), _ in rows],
            "games": [held.games for _, held in rows],
            "peak": [held.peak for _, held in rows],
            "last": [date.fromordinal(held.last).isoformat() if held.last else "" for _, held in rows],
        },
    )


def waiting_table(waiting: WaitingGames) -> Table:
    """The games that wait for a first rating, as a table that `read_waiting` reads back."""
    rows = [(chapter, player, game) for (chapter, player), games in sorted(waiting.items()) for game in games]
    return Table(
        "waiting",
        {
            "chapter": [chapter for chapter, _, _ in rows],
            "player": [player for _, player, _ in rows],
            "period": [date.fromordinal(game.period).isoformat() for _, _, game in rows],
            "day": [date.fromordinal(game.day).isoformat() for _, _, game in rows],
            "event": [game.event for _, _, game in rows],
            "opponent": [game.opponent for _, _, game in rows],
            "rating": [game.rating for _, _, game in rows],
            "score": [game.score for _, _, game in rows],
            "counts": ["yes" if game.counts else "no" for _, _, game in rows],
        },
    )


def read_standings(path: str) -> Mapping[tuple[str, str], Standing]:
    """The standings that an earlier month wrote. Raises DataError naming every line that does not fit."""

    def standing(row: Mapping[str, str]) -> Standing:
        last = date.fromisoformat(row["last"]).toordinal() if row["last"] else 0
        games, peak = int(row["games"]), float(row["peak"])
        if not (games >= 0 and 0 <= peak < 10_000):
            raise ValueError(f"games {games} and peak {peak:g} are not those of a player")
        return Standing(games, peak, last)

    return {(row["chapter"], row["player"]): held for row, held in _rows(path, STANDINGS, standing)}


def read_waiting(path: str) -> dict[tuple[str, str], tuple[Waiting, ...]]:
    """The games that an earlier month left waiting; none if it left no such file. Raises DataError as above."""

    def waiting(row: Mapping[str, str]) -> Waiting:
        period, day = (date.fromisoformat(row[name]).toordinal() for name in ("period", "day"))
        counts = {"yes": True, "no": False}.get(row["counts"])
        if counts is None:
            raise ValueError(f"counts is {row['counts']!r}; known: yes no")
        return Waiting(period, day, row["event"], row["opponent"], float(row["rating"]), float(row["score"]), counts)

    found: dict[tuple[str, str], tuple[Waiting, ...]] = {}
    for row, game in _rows(path, WAITING, waiting) if os.path.exists(path) else ():
        key = row["chapter"], row["player"]
        found[key] = (*found.get(key, ()), game)
    return found


def _rows(
    path: str, columns: Sequence[str], read: Callable[[Mapping[str, str]], T]
) -> list[tuple[Mapping[str, str], T]]:
    """The rows of a file that an earlier month wrote, read; every line that does not fit is named."""
    import csv

    found: list[tuple[Mapping[str, str], T]] = []
    problems: list[Problem] = []
    try:
        with open(path, encoding="utf-8", newline="") as stream:
            reader = csv.DictReader(stream)
            if tuple(reader.fieldnames or ()) != tuple(columns):
                raise DataError([Problem(f"the columns are not {', '.join(columns)}", path, 1)])
            for row in reader:
                try:
                    if row["chapter"] not in CHAPTERS:
                        raise ValueError(f"{row['chapter']!r} is no chapter; known: {' '.join(CHAPTERS)}")
                    found.append((row, read(row)))
                except (TypeError, ValueError) as error:
                    problems.append(Problem(str(error), path, reader.line_num))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise DataError([Problem(f"cannot be read: {error}", path)]) from None
    if problems:
        raise DataError(problems)
    return found
