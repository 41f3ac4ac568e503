"""A checkpoint as a file: JSON whose numbers read back exactly."""

from __future__ import annotations

from typing import Any

from arpad.acts import STATE
from arpad.errors import DataError
from arpad.model import Problem
from arpad.states import Checkpoint

#: What such a file begins with.
MARK = b'{"arpad":"checkpoint",'
VERSION = 1


def encode(checkpoint: Checkpoint) -> bytes:
    """One JSON object; nan, an unrated player, is null."""
    import msgspec

    held = {name: getattr(checkpoint, name) for name in Checkpoint.__match_args__}
    plain = {name: value.tolist() if hasattr(value, "tolist") else value for name, value in held.items()}
    return msgspec.json.encode({"arpad": "checkpoint", "version": VERSION, **plain}) + b"\n"


def decode(data: bytes, source: str) -> Checkpoint:
    """Raises DataError for bytes that are no checkpoint of a version that is known."""
    import msgspec

    try:
        held: dict[str, Any] = msgspec.json.decode(data)
        if held.pop("arpad", None) != "checkpoint" or held.pop("version", None) != VERSION:
            raise msgspec.ValidationError(f"not a checkpoint of version {VERSION}")
        held["state"] = [float("nan") if value is None else value for value in held["state"]]
        found = msgspec.convert(held, Checkpoint)
        if not len(found.state) == STATE * len(found.players) == STATE * len(found.born):
            raise msgspec.ValidationError("players, state and born differ in length")
    except (msgspec.MsgspecError, AttributeError, KeyError, TypeError) as error:
        raise DataError([Problem(f"this checkpoint cannot be read: {error}", source)]) from None
    return found
