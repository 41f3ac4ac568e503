"""Short ways to say a rulebook, a few games and what came of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from arpad import kernel
from arpad.engine import History, replay
from arpad.model import Act, Game, Games, Start
from arpad.rulebooks import load
from arpad.rulebooks.book import Rulebook
from arpad.systems.elo import Compiled, compile_rulebook

HEADING = """
organisation = "club"
game = "any"
system = "elo"
cadence = "as it comes"
[title]
en = "a club's rules"
"""


def club(folder: Path, edition: str, name: str = "club", system: str = "elo") -> Rulebook:
    """A rulebook of somebody's own; `edition` is TOML below the heading, `[[edition]]` included."""
    path = folder / f"{name}.toml"
    path.write_text(HEADING.replace('"elo"', f'"{system}"') + edition, encoding="utf-8")
    return load(path)


def day(text: str) -> int:
    return date.fromisoformat(text).toordinal()


def rated(
    rulebook: Rulebook | str,
    games: Iterable[Game],
    start: Iterable[Start] | Mapping[str, float] = (),
    acts: Iterable[Act] = (),
    **more: Any,
) -> History:
    """A replay; `rulebook` may be a name, `start` may be ratings by name."""
    book = load(rulebook) if isinstance(rulebook, str) else rulebook
    known = [Start(name, rating) for name, rating in start.items()] if isinstance(start, Mapping) else start
    return replay(Games.of(games), book, known, acts, **more)


def expected(rulebook: Rulebook, own: float, opponent: float, edition: int = -1) -> float:
    """Expected score of `own` against `opponent`, without advantage and cap."""
    compiled = compile_rulebook(rulebook)
    return compiled.expected(edition % len(compiled.blocks), own, opponent, own - opponent)


def coefficient(
    rulebook: Rulebook,
    when: date | None = None,
    *,
    rating: float = 1500.0,
    games: float = 0.0,
    peak: float | None = None,
    age: float = float("nan"),
    batch: float = 1.0,
) -> float:
    """K of a player on a day."""
    compiled = compile_rulebook(rulebook)
    at = compiled.blocks[rulebook.edition_index(when.toordinal() if when else 0)]
    return kernel.coefficient_of(compiled.rules, at, rating, games, rating if peak is None else peak, age, batch)


def block(compiled: Compiled, name: str, edition: int = 0) -> int:
    """Where a number of an edition's block stands."""
    return compiled.blocks[edition] + kernel.BLOCK.index(name)


def bits(history: History) -> dict[str, tuple[float | str, ...]]:
    """Every player's whole state; nan as text, so that equal states are equal."""
    return {name: shown(history.state_of(code)) for name, code in history.codes.items()}


def shown(numbers: Sequence[float]) -> tuple[float | str, ...]:
    return tuple("nan" if number != number else float(number) for number in numbers)


def loaded(path: Path, name: str) -> ModuleType:
    """A kernel once more, from its source or from its extension, beside the one that is in use."""
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
