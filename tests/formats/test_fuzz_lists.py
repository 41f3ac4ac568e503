"""Whatever stands in a rating list or a PGN file, reading it ends, with columns or with an ArpadError."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from contextlib import nullcontext

import pytest

from arpad.errors import DataError
from arpad.formats import Reading, fide_xml, pgn
from arpad.formats.fide_list import RatingList, write_list
from arpad.formats.fide_text import read_text
from arpad.formats.games import games_of
from arpad.model import Problem

from .helpers import errors, mutants, survives, warnings
from .test_fide_list import TEXTS, XML
from .test_pgn import COMMENTS, game, pair

PGN = pair("Müller, Jörg", r"Anna \"A\" B", 'Event "Cup"', 'Date "2024.05.03"', 'Round "1.2"', 'WhiteElo "2000"')
PGN += game('White "Anna"', 'Black "Bruno"', 'UTCDate "2014.??.??"', 'UTCTime "10:11:12"', moves=COMMENTS[0])
PGN += pair("C", "D", 'TimeControl "5400+30"', 'GameId "x"', result="*")


def _same(left: RatingList, right: RatingList) -> bool:
    return [left.row(at) for at in range(len(left))] == [right.row(at) for at in range(len(right))]


def _text(data: bytes) -> None:
    """What was read without an error and with nothing left out is written again to the byte."""
    found, problems = read_text(io.BytesIO(data), "fuzz", None, 0, "standard")
    words = warnings(problems)
    if not errors(problems) and "blank lines" not in words and "others CP1252" not in words:
        target = io.BytesIO()
        write_list(found, target)
        assert target.getvalue() == data


def _xml(data: bytes) -> None:
    """The pattern sees what the parser sees; what is written is read as the same list."""
    found, problems = fide_xml.read_xml(lambda: nullcontext(("", io.BytesIO(data))), "fuzz", None, 0, "standard")
    slow, told = fide_xml._by_parser(io.BytesIO(data), "fuzz", None, 0, "standard")
    assert _same(found, slow)
    assert [problem.message for problem in problems] == [problem.message for problem in told]
    target = io.BytesIO()
    write_list(found, target)
    again, _ = fide_xml._by_parser(io.BytesIO(target.getvalue()), "fuzz", None, 0, "standard")
    assert _same(found, again)


def _games(data: bytes) -> None:
    tags = pgn._scanned(io.BytesIO(data), (*pgn.TAGS, *pgn._UTC), "fuzz")
    games_of(pgn._sheet(tags, "fuzz", Reading()), Reading())


READERS: list[tuple[Callable[[bytes], None], bytes]] = [
    *((_text, text) for text in TEXTS.values()),
    (_xml, XML.encode()),
    (_games, PGN.encode()),
]
NAMES = [*TEXTS, "xml", "pgn"]


@pytest.mark.parametrize(("reader", "seed"), READERS, ids=NAMES)
def test_mutants_of_rating_lists_and_pgn(reader: Callable[[bytes], None], seed: bytes) -> None:
    for data in mutants(seed, 300):
        survives(reader, data)


@pytest.mark.soak
@pytest.mark.parametrize(("reader", "seed"), READERS, ids=NAMES)
def test_hundred_thousand_mutants_of_rating_lists_and_pgn(reader: Callable[[bytes], None], seed: bytes) -> None:
    for data in mutants(seed, 100_000, random.randrange(1 << 30)):
        survives(reader, data)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '[White "' * 20_000,
        '[White "' + "\\" * 100_000 + '"]\n',
        "{" * 100_000,
        "{;" * 50_000 + "\n" + "};" * 50_000,
        "[White" + " " * 100_000 + "x",
    ],
)
def test_long_lines_of_one_character_end(text: str) -> None:
    def read(data: bytes) -> tuple[object, list[Problem]]:
        _games(data)
        return None, []

    survives(read, (PGN + text).encode())


def test_seeds_themselves_are_read_whole() -> None:
    for reader, seed in READERS:
        reader(seed)
    with pytest.raises(DataError):
        _text(b"Name\n")
