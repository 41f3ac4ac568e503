"""Stands in for the `cython` module where Cython is not installed: the kernel then runs as plain Python.

Only what `kernel.py` uses is here. Types are never looked at by the interpreter; they only have to exist.
"""

from __future__ import annotations

from builtins import int as _whole
from typing import Any

compiled = False


class _Type:
    def __getitem__(self, item: object) -> _Type:
        return self


class _NoGil:
    """Both a decorator and a context, as in Cython."""

    def __call__(self, function: Any) -> Any:
        return function

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None


nogil = _NoGil()
double = p_double = int = long = longlong = bint = Py_ssize_t = uchar = _Type()


def cast(_: object, value: float) -> Any:
    """Every cast in the kernel is to a whole number."""
    return _whole(value)


def _same(function: Any) -> Any:
    return function


def _setting(*_: object, **__: object) -> Any:
    return _same


cfunc = ccall = inline = _same
boundscheck = wraparound = cdivision = initializedcheck = exceptval = _setting
