"""Parameters: what a rulebook lets its user set, and the values that one reading of it uses."""

from __future__ import annotations

from collections.abc import Mapping

from arpad.errors import UnknownName, UsageError
from arpad.rulebooks.book import Value
from arpad.rulebooks.checks import MOST
from arpad.rulebooks.schema import Parameter


def unfit_defaults(parameters: Mapping[str, Parameter]) -> list[str]:
    """A problem for every parameter that would not accept its own default."""
    return [
        f"parameters.{name}.default: {parameter.default!r} is not {accepts(parameter)}"
        for name, parameter in parameters.items()
        if accepted(parameter, parameter.default) is None
    ]


def settle(
    parameters: Mapping[str, Parameter], preset: Mapping[str, Value], settings: Mapping[str, Value]
) -> dict[str, Value]:
    """The value of every parameter: as set, else as the preset has it, else its default.

    Raises UnknownName for a setting that is no parameter, UsageError for a value that is not accepted.
    """
    values = {name: parameter.default for name, parameter in parameters.items()}
    for name, given in (*preset.items(), *settings.items()):
        if name not in parameters:
            raise UnknownName("parameter", name, parameters)
        value = accepted(parameters[name], given)
        if value is None:
            raise UsageError(f"parameter {name}: {given!r} is not {accepts(parameters[name])}")
        values[name] = value
    return values


def accepted(parameter: Parameter, given: Value) -> Value | None:
    """`given` as the kind of value the parameter has, or None if it does not accept it."""
    if parameter.choices is not None and given in parameter.choices:
        return given
    if isinstance(parameter.default, bool):
        return given if isinstance(given, bool) else {"true": True, "false": False}.get(str(given).lower())
    if _takes_numbers(parameter):
        return _number(parameter, given)
    return given if isinstance(given, str) and parameter.choices is None else None


def accepts(parameter: Parameter) -> str:
    """What a parameter accepts, in words."""
    kinds: list[str] = list(parameter.choices or ())
    if isinstance(parameter.default, bool):
        kinds += ["true", "false"]
    elif _takes_numbers(parameter):
        low, high = _bounds(parameter)
        kinds.append(f"a number from {low:,.12g} to {high:,.12g}")
    return " or ".join(kinds) or "text"


def _takes_numbers(parameter: Parameter) -> bool:
    given = (parameter.least, parameter.most)
    return not isinstance(parameter.default, str | bool) or given != (None, None)


def _number(parameter: Parameter, given: Value) -> float | None:
    if isinstance(given, bool):
        return None
    try:
        number = float(given)
    except (TypeError, ValueError, OverflowError):
        return None
    low, high = _bounds(parameter)
    # a comparison with nan is never true, so nan is refused here as well
    return number if low <= number <= high else None


def _bounds(parameter: Parameter) -> tuple[float, float]:
    low, high = parameter.least, parameter.most
    return -MOST if low is None else low, MOST if high is None else high
