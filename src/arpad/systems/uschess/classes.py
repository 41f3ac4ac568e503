"""What players of US Chess are called, and how a list writes a rating."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from arpad.rulebooks.schema_uschess import Level
from arpad.rulebooks.sheets import read
from arpad.systems.uschess.formulas import round_half_up

#: For life, from the first established rating of 2200 on.
NATIONAL_MASTER = ("National Master", 2200.0)


@cache
def _classes() -> Sequence[tuple[float, str]]:
    return [(float(row["from"]), str(row["name"]["en"])) for row in read("class_names")["uschess"]["class"]]


def class_of(rating: float) -> str:
    """The class of a published rating: Senior Master, National Master, Expert, Class A to Class J."""
    shown = round_half_up(rating)
    return next((name for low, name in _classes() if shown >= low), "")


def title_of(titles: Sequence[str], peak: float, levels: Sequence[Level]) -> str:
    """The highest title: one made of norms, or National Master by the highest established rating alone."""
    known = {level.name: level.rating for level in levels if level.name in titles}
    if levels and peak >= NATIONAL_MASTER[1]:
        known.setdefault(NATIONAL_MASTER[0], NATIONAL_MASTER[1] - 0.5)  # a Life Master is one too
    return max(known, key=lambda name: known[name], default="")


def notation(rating: float, games: float, established: float = 25.0) -> str:
    """A rating as lists write it: `1234`, and `1234/10` while it is based on 25 games at most."""
    shown = str(round_half_up(rating))
    return shown if games > established else f"{shown}/{games:g}"
