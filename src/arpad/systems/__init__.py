"""The rating systems: what their parts are called, and how a rulebook becomes numbers."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from arpad.stretch import System

#: Every system that a rulebook may name, and the module that holds it as `SYSTEM`; it is read when it is asked for.
SYSTEMS: Mapping[str, str] = {
    "elo": "arpad.systems.elo",
    "glicko": "arpad.systems.glicko",
    "weng-lin": "arpad.systems.openskill",
    "trueskill": "arpad.systems.trueskill",
    "uschess": "arpad.systems.uschess.run",
    "harkness": "arpad.systems.harkness",
    "multiplayer": "arpad.systems.multiplayer",
    "bayrate": "arpad.systems.bayrate",
    "dwz": "arpad.systems.dwz",
    "icu": "arpad.systems.icu",
    "ecf": "arpad.systems.ecf",
}


def system(name: str) -> System:
    """The system of a name that the rulebooks' schema knows."""
    found: System = import_module(SYSTEMS[name]).SYSTEM
    return found
