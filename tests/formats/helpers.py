"""Small files and what was read from them, in the words of the tests."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from arpad.errors import ArpadError
from arpad.formats import Reading, read_games
from arpad.model import Games, Problem


def read(folder: Path, content: str | bytes, name: str = "games.csv", **reading: Any) -> tuple[Games, list[Problem]]:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_games(str(path), Reading(**reading))


def rows(games: Games) -> list[tuple[str, str, tuple[float, float]]]:
    return [
        (games.players[first], games.players[second], games.scores[score])
        for first, second, score in zip(games.first, games.second, games.score)
    ]


def errors(problems: list[Problem]) -> list[Problem]:
    return [problem for problem in problems if problem.severity == "error"]


def warnings(problems: list[Problem]) -> str:
    return "\n".join(problem.message for problem in problems if problem.severity != "error")


def columns(games: Games) -> dict[str, Any]:
    """Everything in games as plain values, to compare what two readers made of one file."""
    found = {}
    for name in Games.__slots__:
        value = getattr(games, name)
        if name == "labels":
            value = {label: ([*map(int, held.codes)], [*held.names]) for label, held in value.items()}
        elif hasattr(value, "tolist"):
            value = value.tolist()
        found[name] = repr(value)
    return found


def mutants(seed: bytes, count: int, random_seed: int = 1) -> Iterator[bytes]:
    """Damaged copies of a file: bytes changed, cut out, doubled, swapped with what parsers stumble over. A test that
    fails shows the seed with which they come once more."""
    print(f"mutants of the seed {random_seed}")
    source = random.Random(random_seed)
    awkward = [
        b'"',
        b"\x00",
        b"\xff",
        b"\n",
        b"\r",
        b";",
        b",",
        b"\xef\xbb\xbf",
        b"nan",
        b"-1",
        b"1e999",
        b"'",
        b"\xc2\xbd",
    ]
    awkward += [b"9" * 30, b"??", b"{", b"[" * 50, b"\\u0000", b"0000-00-00", b"\xed\xa0\x80"]
    for _ in range(count):
        data = bytearray(seed)
        for _ in range(source.randint(1, 6)):
            at = source.randrange(len(data) + 1)
            end = min(len(data), at + source.randint(1, 12))
            match source.randrange(5):
                case 0:
                    data[at:end] = bytes(source.randrange(256) for _ in range(end - at))
                case 1:
                    del data[at:end]
                case 2:
                    data[at:at] = data[at:end] * source.randint(1, 4)
                case 3:
                    data[at:at] = source.choice(awkward)
                case _:
                    del data[at:]
        yield bytes(data)


def survives(reader: Callable[[bytes], object], data: bytes) -> None:
    """Whatever the bytes are, the reader returns or raises an ArpadError."""
    with suppress(ArpadError):
        reader(data)
