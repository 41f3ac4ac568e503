"""A checkpoint as a file: JSON whose numbers read back exactly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

from arpad.acts import MOST
from arpad.errors import DataError
from arpad.model import Problem
from arpad.states import Checkpoint
from arpad.stretch import COMMON

VERSION = 1
#: Bytes that show whether a file is a checkpoint.
HEAD = 100


def is_checkpoint(head: bytes) -> bool:
    """Whether a file that begins like this is a checkpoint, as it was written or laid out by another program."""
    return bool(re.match(rb'(\xef\xbb\xbf)?\s*\{\s*"arpad"\s*:\s*"checkpoint"', head))


def encode(checkpoint: Checkpoint) -> bytes:
    """One JSON object; nan, an unrated player, is null."""
    import msgspec

    held = {name: getattr(checkpoint, name) for name in Checkpoint.__match_args__}
    plain = {name: value.tolist() if hasattr(value, "tolist") else value for name, value in held.items()}
    return msgspec.json.encode({"arpad": "checkpoint", "version": VERSION, **plain}) + b"\n"


def decode(data: bytes, source: str) -> Checkpoint:
    """Raises DataError for bytes that are no checkpoint of a version that is known, or one that was tampered with."""
    import msgspec

    try:
        held: dict[str, Any] = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
        if held.pop("arpad", None) != "checkpoint" or held.pop("version", None) != VERSION:
            raise msgspec.ValidationError(f"not a checkpoint of version {VERSION}")
        held["state"] = [float("nan") if value is None else value for value in held["state"]]
        found = msgspec.convert(held, Checkpoint)
    except KeyError as error:
        raise DataError([Problem(f"this checkpoint cannot be read: it has no {error}", source)]) from None
    except (msgspec.MsgspecError, AttributeError, RecursionError, TypeError) as error:
        raise DataError([Problem(f"this checkpoint cannot be read: {error}", source)]) from None
    if trouble := next(_troubles(found), ""):
        raise DataError([Problem(f"this checkpoint cannot be read: {trouble}", source)])
    return found


def _troubles(found: Checkpoint) -> Iterator[str]:
    """What no replay can have written."""
    width = len(found.fields)
    if tuple(found.fields[: len(COMMON)]) != COMMON:
        yield "it does not say what its numbers are"
        return
    if not len(found.state) == width * len(found.players) == width * len(found.born):
        yield "players, state and born differ in length"
    if found.lasts and len(found.lasts) != len(found.players):
        yield "players and last days differ in number"
    if len(set(found.players)) < len(found.players):
        yield "a player stands in it twice"
    ratings, games, peaks, lasts = (found.state[at::width] for at in range(len(COMMON)))
    own = [value for at in range(len(COMMON), width) for value in found.state[at::width] if value == value]
    for name, values, low, high in (
        ("a rating", [rating for rating in ratings if rating == rating], -MOST, MOST),
        ("a number of games", games, 0, 1e9),
        ("a peak", peaks, -MOST, MOST),
        ("a season or day", lasts, 0, 1e7),
        ("a number of a state", own, -MOST * 1000, MOST * 1000),
        ("a birth date", found.born, 0, 9999_99_99),
        ("a last day", found.lasts, 0, date.max.toordinal()),
        ("a number of blended games", found.blended.values(), 0, 1e9),
        ("its end", [found.through], 0, date.max.toordinal()),
        ("a day", [day for pool in found.pools.values() for game in pool for day in (game.day, game.period)], 0, 1e7),
        ("a rating", [game.rating for pool in found.pools.values() for game in pool], -MOST, MOST),
        ("a score", [game.score for pool in found.pools.values() for game in pool], 0, 1),
    ):
        wrong = next((value for value in values if not low <= value <= high), None)
        if wrong is not None:
            yield f"{name} of {wrong:g}"
