"""What a report says: its games, its people and its bytes, whatever kind of file it is."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from arpad.bureau.matching import Named
from arpad.errors import DataError, UsageError
from arpad.formats import Reading, read_games
from arpad.model import Game, Games, Problem

if TYPE_CHECKING:
    from arpad.formats.report import Report


class Read(msgspec.Struct, frozen=True):
    """A report that was read: `content` are its bytes as they came."""

    source: str
    content: bytes
    digest: str
    games: Games
    people: tuple[Named, ...]
    problems: tuple[Problem, ...]


class Sent(msgspec.Struct, frozen=True):
    """A report as bytes, with what its sender called the file; its ending says what it is."""

    name: str
    content: bytes


def read(source: Any, reading: Reading | None = None, ids: str = "") -> Read:
    """Read a report from a path, from bytes that were `Sent`, or from `Game`s. `ids`: whose numbers a table's players
    are (`fide`, `club`, …); blank where they are names."""
    if isinstance(source, Sent):
        return read_again(source.content, source.name, reading, ids)
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        if path == "-":
            raise UsageError("a report is kept as it came: name a file, not standard input")
        return _file(path, content_of(path), os.path.basename(path), reading, ids)
    games = list(source)
    if not all(isinstance(game, Game) for game in games):
        raise UsageError("a report is a path, or Game records")
    return _records(games, ids)


def content_of(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a report. Raises UsageError for a file that cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise UsageError(f"{os.fspath(path)}: {error.strerror}") from None


def read_again(content: bytes, source: str, reading: Reading | None = None, ids: str = "") -> Read:
    """Read a report that was kept."""
    if not source:
        return _records(msgspec.json.decode(content, type=list[Game]), ids)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, os.path.basename(source))
        with open(path, "wb") as file:
            file.write(content)
        try:
            read = _file(path, content, source, reading, ids)
        except DataError as error:
            raise DataError([_without(problem, folder) for problem in error.problems]) from None
        except UsageError as error:
            raise UsageError(str(error).replace(f"{folder}{os.sep}", "")) from None
    problems = tuple(_without(problem, folder) for problem in read.problems)
    games = msgspec.structs.replace(read.games, source=read.games.source.replace(f"{folder}{os.sep}", ""))
    return msgspec.structs.replace(read, games=games, problems=problems)


def _without(problem: Problem, folder: str) -> Problem:
    """A problem without the folder in which a kept report was put to be read."""
    beside = f"{folder}{os.sep}"
    return msgspec.structs.replace(
        problem, source=problem.source.replace(beside, ""), message=problem.message.replace(beside, "")
    )


def tournament_again(content: bytes, source: str) -> Report | None:
    """The tournament in a report that was kept; None where it is a table of games. Raises DataError if neither."""
    from arpad.formats.reports import read_report, report_kind

    if not source:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, os.path.basename(source))
        with open(path, "wb") as file:
            file.write(content)
        return read_report(path)[0] if report_kind(path) else None


def _records(games: list[Game], ids: str) -> Read:
    content = msgspec.json.encode(games, order="deterministic")
    held, problems = read_games(games)
    return Read("", content, _digest(content), held, _players(held, ids), tuple(problems))


def _file(path: str, content: bytes, source: str, reading: Reading | None, ids: str) -> Read:
    from arpad.formats.reports import PERHAPS, SURE, report_kind

    if path.lower().removesuffix(".gz").endswith((*SURE, *PERHAPS)) and report_kind(path):
        return _report(path, content, source, reading)
    games, problems = read_games(path, reading)
    return Read(source, content, _digest(content), games, _players(games, ids), tuple(problems))


def _report(path: str, content: bytes, source: str, reading: Reading | None) -> Read:
    from arpad.formats.report_games import report_games, report_players
    from arpad.formats.reports import read_report

    report, problems = read_report(path, reading)
    games, more = report_games(report)
    keys = report_players(report)
    nationals = {each.number: each for each in report.nationals if each.id and each.number} if report.nationals else {}
    people = []
    for number, entrant in report.by_number().items():
        identifiers = {"fide": str(entrant.fide_id)} if entrant.fide_id else {}
        own = nationals.get(number)
        if own:
            identifiers[own.federation.lower()] = own.id
        elif entrant.national_id:
            identifiers["national"] = entrant.national_id
        rating = None if entrant.rating is None else float(entrant.rating)
        facts = (keys[number].id, entrant.name, identifiers, entrant.born, entrant.federation, rating, entrant.line)
        people.append(Named(*facts))
    found = {(each.line, each.column, each.message): each for each in [*problems, *more]}
    return Read(source, content, _digest(content), games, tuple(people), tuple(found.values()))


def _players(games: Games, ids: str) -> tuple[Named, ...]:
    """The players of a table, who have nothing but what its games call them."""
    if not ids:
        return tuple(Named(name, name) for name in games.players)
    return tuple(Named(number, "", {ids: number}) for number in games.players)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def refused(problems: Sequence[Problem]) -> None:
    """Raise DataError if any problem is an error."""
    if errors := [problem for problem in problems if problem.severity == "error"]:
        raise DataError(errors)
