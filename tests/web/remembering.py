"""What Litestar finds out of a handler's signature is found once a process, by whoever imports this.

An application asks it of some 550 handlers, most of which are the same ones in another language; and the tests make
hundreds of applications. A signature depends on nothing but the function and the names that its annotations use, and
what is found of it is never changed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from litestar._signature.model import SignatureModel
from litestar.utils.signature import ParsedSignature


def remembered(find: Callable[..., Any], key: Callable[..., Hashable]) -> Any:
    """A class method that keeps what it returned for a key; where the key has no hash it is asked each time."""
    kept: dict[Hashable, Any] = {}
    asked: list[Any] = []  # is kept too: nothing else will have the id of what is in a key

    def found(cls: type, *values: Any, **named: Any) -> Any:
        try:
            known = key(*values, **named)
            hash(known)
        except (AttributeError, TypeError):
            return find(*values, **named)
        if known not in kept:
            asked.append((values, named))
            kept[known] = find(*values, **named)
        return kept[known]

    return classmethod(found)


def _function(fn: Any) -> Hashable:
    """Those that answer OPTIONS are made anew for each path, of one code."""
    return fn.__module__, fn.__code__, fn.__defaults__, *(fn.__kwdefaults__ or {}).items()


def _parsed(fn: Any, signature_namespace: dict[str, Any]) -> Hashable:
    return _function(fn), *signature_namespace.items()


def _model(
    dependency_name_set: set[str], fn: Any, parsed_signature: ParsedSignature, type_decoders: Any, data_dto: Any = None
) -> Hashable:
    return _function(fn), id(parsed_signature), data_dto, *sorted(dependency_name_set), *type_decoders


ParsedSignature.from_fn = remembered(ParsedSignature.from_fn, _parsed)  # type: ignore[method-assign]
SignatureModel.create = remembered(SignatureModel.create, _model)  # type: ignore[method-assign]
