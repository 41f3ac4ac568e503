"""Tournament report files for tests, column by column. Nobody in them is real."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: What the other side's line says.
MIRROR = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+", "": ""}
POINTS = {**dict.fromkeys("1+UFW", 1.0), **dict.fromkeys("=HD", 0.5)}


@dataclass
class Person:
    """An entrant; `rounds` are (opponent's number, result code)."""

    name: str
    rating: int | None
    federation: str
    title: str = ""
    sex: str = "m"
    born: str = ""
    rounds: Sequence[tuple[int | None, str]] = ()


def trf(people: Sequence[Person], *headers: str) -> str:
    """A report of these people, numbered from 1."""
    lines = [f"{header[:3]} {header[4:]}" for header in headers]
    for number, person in enumerate(people, 1):
        points = sum(POINTS.get(code, 0.0) for _, code in person.rounds)
        static = (
            f"001 {number:4d} {person.sex:1}{person.title:>3} {person.name:<33} {person.rating or '':>4} "
            f"{person.federation:<3} {'':>11} {person.born:<10} {points:4.1f} {number:4d}"
        )
        rounds = "".join(
            f"  {opponent or 0:04d} {('w' if number < opponent else 'b') if opponent else '-'} {code:1}"
            for opponent, code in person.rounds
        )
        lines.append(static + rounds)
    return "\r\n".join(lines) + "\r\n"


def one_against(person: Person, others: Sequence[Person], codes: str, *headers: str) -> str:
    """A report in which one player meets the others in turn (`codes`: his results), and nobody else plays."""
    person.rounds = [(number, code.strip()) for number, code in enumerate(codes, 2)]
    for place, (other, code) in enumerate(zip(others, codes)):
        other.rounds = [(None, "Z")] * place + [(1, MIRROR[code.strip()])]
    return trf([person, *others], *headers)
