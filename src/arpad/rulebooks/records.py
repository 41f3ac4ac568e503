"""What a TOML file holds as records; what does not fit, in the words of who writes rulebooks."""

from __future__ import annotations

import re
from types import UnionType
from typing import Any, get_args

import msgspec

from arpad.rulebooks.checks import suggestion
from arpad.rulebooks.schema import Bend, Fall, Power, Ramp


def convert(raw: Any, kind: Any, at: str, problems: list[str]) -> Any:
    """`raw` as a record of `kind`, or None; what is wrong is added to `problems`, unknown keys all at once."""
    while True:
        try:
            return msgspec.convert(raw, kind)
        except msgspec.ValidationError as error:
            message, _, where = str(error).partition(" - at `")
        place = re.sub(r"\[(\d+)\]", lambda match: f"[{int(match[1]) + 1}]", where.rstrip("`").removeprefix("$"))
        place = re.sub(r"\[\.{3}\]", "", f"{at}{place}").removeprefix(".")
        dotted = f"{place}." if place else ""
        unknown = re.fullmatch(r"Object contains unknown field `(.+)`", message)
        missing = re.fullmatch(r"Object missing required field `(.+)`", message)
        if unknown:
            inner = {"ramp": Ramp, "power": Power, "fall": Fall, "bend": Bend}.get(place.rpartition(".")[2], kind)
            key = unknown[1]
            problems.append(f"{dotted}{key}: unknown key" + suggestion(key, inner.__struct_encode_fields__))
            raw = _without(raw, where.rstrip("`").removeprefix("$"), key)
        elif missing:
            problems.append(f"{dotted}{missing[1]}: is missing")
            return None
        else:
            problems.append(f"{place or 'file'}: {_worded(message, kind, where)}")
            return None


_KINDS = {"float": "a number", "int": "a whole number", "str": "text", "bool": "true or false", "array": "a list"}


def _worded(message: str, kind: type, where: str) -> str:
    """What msgspec says of a value, in the words of who writes rulebooks; of a choice also what may be chosen."""
    if message.startswith("Invalid enum value"):
        for name in re.findall(r"\.(\w+)", where):
            chosen: Any = next(item.type for item in msgspec.structs.fields(kind) if item.encode_name == name)
            kind = get_args(chosen)[0] if isinstance(chosen, UnionType) else chosen
        accepted = ", ".join(repr(choice) for choice in get_args(kind) if choice)
        return f"{message[19:]} is none of {accepted}"
    wrong = re.fullmatch(r"Expected `(\w+)(?: \| null)?`, got `(\w+)`", message)
    if wrong:
        expected, found = (_KINDS.get(word, word) for word in wrong.groups())
        return f"{expected} was expected, not {found}"
    return message[:1].lower() + message[1:].replace("`", "")


def _without(raw: Any, where: str, key: str) -> Any:
    """A copy of `raw` without one key of the table at `where` (`.ramp`)."""
    steps = [step for step in where.split(".") if step]
    if not steps:
        return {name: value for name, value in raw.items() if name != key}
    return raw | {steps[0]: _without(raw[steps[0]], ".".join(steps[1:]), key)}
