"""Regulations as data: one TOML file a list, its whole history on one page, with tables as printed beside it.

    from arpad import rulebooks

    rulebooks.names()                                      # what ships
    book = rulebooks.load("fide/standard")                 # or "./club.toml", or a variant: "elo:32/16"
    book.on(date(2025, 10, 1)).k                           # the edition in force on a day
    rulebooks.load("elo", {"k": 24})                       # a declared parameter changed

`schema` says what a rulebook may say, `loader` reads one, `tables` reads the CSV files, `views` shows and compares.
"""

from __future__ import annotations

from arpad.rulebooks.book import Rulebook, Value, label
from arpad.rulebooks.loader import load, names, presets

__all__ = ["Rulebook", "Value", "label", "load", "names", "presets"]
