"""arpad rates results under the published regulations of any organisation, and explains every number.

    import arpad

    history = arpad.replay("games.csv", rules="elo")
    history.ratings()                       # one row a player
    history.changes()                       # one row a player and batch
    history.explain("Rossi")                # every change, down to the game and the article
    arpad.expected_score(1613, 1609)        # 0.506
    arpad.performance([1609, 1477], score=1.5, method="fide")

Importing this module loads none of it: each name brings its own part along when it is first used.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arpad.api import History, expected_score, performance, replay
    from arpad.errors import ArpadError, DataError, RulebookError, UsageError
    from arpad.model import Act, Event, Game, Games, PartialDate, Player, Problem, Start
    from arpad.python_rules import Evidence

__version__ = "0.1.0"

_HOME = {
    "replay": "api",
    "expected_score": "api",
    "performance": "api",
    "History": "api",
    "Evidence": "python_rules",
    **dict.fromkeys(("ArpadError", "DataError", "RulebookError", "UsageError"), "errors"),
    **dict.fromkeys(("Act", "Event", "Game", "Games", "PartialDate", "Player", "Problem", "Start"), "model"),
}

__all__ = [
    "Act",
    "ArpadError",
    "DataError",
    "Event",
    "Evidence",
    "Game",
    "Games",
    "History",
    "PartialDate",
    "Player",
    "Problem",
    "RulebookError",
    "Start",
    "UsageError",
    "expected_score",
    "performance",
    "replay",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'arpad' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"arpad.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


def _interpret_kernels() -> None:
    """Run the kernels as plain Python although their extensions are there."""
    import sys
    from importlib.util import module_from_spec, spec_from_file_location
    from pathlib import Path

    for name in ("kernel", "kernel_glicko"):
        spec = spec_from_file_location(f"arpad.{name}", Path(__file__).with_name(f"{name}.py"))
        assert spec is not None
        assert spec.loader is not None
        sys.modules[f"arpad.{name}"] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules[f"arpad.{name}"])


if os.environ.get("ARPAD_INTERPRETED"):
    _interpret_kernels()
