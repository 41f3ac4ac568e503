"""Columns of texts to columns of values, keeping account of every row that has to be refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import ModuleType
from typing import TypeVar

import msgspec

from arpad.errors import DataError
from arpad.formats import values
from arpad.formats.hidden import HIDDEN, left_out, plain
from arpad.formats.sheet import Cells, Encoded, Reading, listed
from arpad.model import Column, PartialDate, Problem

#: Rows reported one by one for one kind of fault; a file read as what it is not has millions.
MOST = 10_000

T = TypeVar("T")

_DAY_AND_MONTH = r"0?([1-9]|1[0-2])[-./]0?([1-9]|1[0-2])[-./]\d{4}"


class Check(msgspec.Struct, frozen=True):
    """The cells of one table while they are read: what was refused, and the rows that it concerns."""

    source: str
    cells: Cells
    bad: Column
    problems: list[Problem] = msgspec.field(default_factory=list)

    @classmethod
    def of(cls, source: str, cells: Cells) -> Check:
        """The cells without hidden characters (`formats.hidden`), with a warning of each column that had some."""
        check = cls(source, cells, cells.ops.mask(len(cells)), list(cells.problems))
        columns = {fact: check.seen(encoded) for fact, encoded in cells.columns.items()}
        return msgspec.structs.replace(check, cells=msgspec.structs.replace(cells, columns=columns))

    def seen(self, encoded: Encoded) -> Encoded:
        """A column without hidden characters."""
        if HIDDEN.search("\t".join(encoded.values)) is None:
            return encoded
        hidden = {code for code, text in enumerate(encoded.values) if HIDDEN.search(text.strip())}
        if not hidden:
            return encoded
        if lines := self.lines(self.ops.among(encoded.codes, hidden)):  # two columns may share their texts
            shown = ", ".join(ascii(encoded.values[code]) for code in sorted(hidden)[:3])
            self.warn(f"{left_out(shown)} (line {listed(lines)})", lines[0], encoded.header)
        codes: dict[str, int] = {}
        table = [codes.setdefault(text, len(codes)) if (text := plain(each)) else -1 for each in encoded.values]
        fresh = self.ops.take(table, encoded.codes, -1, "i")
        return Encoded(encoded.header, fresh, list(codes), encoded.detail)

    @property
    def ops(self) -> ModuleType:
        return self.cells.ops

    def in_order(self) -> list[Problem]:
        """Everything found, in the order of the file."""
        return sorted(self.problems, key=lambda problem: problem.line)

    def lines(self, meant: Column, most: int = MOST) -> list[int]:
        """Where the rows of a mask stand in the file."""
        return [int(self.cells.lines[row]) for row in self.ops.rows(meant, most)]

    def warn(self, message: str, line: int = 0, column: str = "", hint: str = "") -> None:
        """Note something that does not keep a row out."""
        self.problems.append(Problem(message, self.source, line, column, hint, "warning"))

    def refuse(self, meant: Column, column: str, words: Callable[[int], str], hint: str = "") -> None:
        """Leave out the rows of a mask; `words` says of each what is wrong with it."""
        total = self.ops.count(meant)
        if not total:
            return
        for row in self.ops.rows(meant, MOST):
            self.problems.append(Problem(words(row), self.source, int(self.cells.lines[row]), column, hint))
        if total > MOST:
            self.problems.append(Problem(f"… and more rows like these: {total - MOST}", self.source, 0, column, hint))
        self.ops.mark(self.bad, self.ops.rows(meant, total))

    def refuse_codes(self, codes: Column, wrong: Mapping[int, str], column: str, hint: str = "") -> None:
        """Leave out the rows whose code is a key of `wrong`, with its words."""
        if wrong:
            self.refuse(self.ops.among(codes, wrong), column, lambda row: wrong[int(codes[row])], hint)

    def values(
        self, encoded: Encoded, reader: Callable[[str], float], blank: float, kind: str, hint: str = ""
    ) -> Column:
        """A column's values; `reader` turns one stripped text into a number or raises ValueError."""
        table, wrong = lookup(encoded.values, reader, blank)
        self.refuse_codes(encoded.codes, wrong, encoded.header, hint)
        return self.ops.take(table, encoded.codes, blank, kind)

    def read(self, fact: str, reader: Callable[[str], float], blank: float, kind: str, hint: str = "") -> Column | None:
        """The values of a fact, None if the table does not have it."""
        encoded = self.cells.columns.get(fact)
        return None if encoded is None else self.values(encoded, reader, blank, kind, hint)

    def numbers(self, fact: str, reading: Reading, hint: str = "", least: float | None = None) -> Column | None:
        """A column of finite numbers, nan where blank."""
        encoded = self.cells.columns.get(fact)
        mark = reading.decimal or (self.mark([encoded]) if encoded else "")
        return self.read(fact, lambda text: at_least(values.number(text, mark), least, text), float("nan"), "d", hint)

    def mark(self, columns: Sequence[Encoded]) -> str:
        """The decimal mark of these columns together; a comma is reported."""
        found = values.decimal_mark(text.strip() for column in columns for text in column.values)
        if found == ",":
            self.warn("decimal comma", column=", ".join(column.header for column in columns))
        for column in columns:
            if found == "." and (text := values.might_be_thousands(each.strip() for each in column.values)):
                hint = f"if it is {text.replace('.', '')}, say --decimal ,"
                self.warn(f"{text} is read as {values.number(text, found):g}", column=column.header, hint=hint)
        return found


def at_least(value: float, least: float | None, text: str) -> float:
    """The value, if it is not below `least`."""
    if least is not None and value < least:
        raise ValueError(f"{text} is below {least:g}")
    return value


def lookup(texts: Sequence[str], reader: Callable[[str], T], blank: T) -> tuple[list[T], dict[int, str]]:
    """What each text means, and what is wrong with those that mean nothing (by position)."""
    table = []
    wrong = {}
    for code, text in enumerate(texts):
        value = blank
        if bare := text.strip():
            try:
                value = reader(bare)
            except ValueError as error:
                wrong[code] = str(error)
        table.append(value)
    return table, wrong


class Calendar(msgspec.Struct, frozen=True):
    """How the dates of one file are read."""

    order: str

    @classmethod
    def of(cls, check: Check, reading: Reading, facts: Iterable[str]) -> Calendar:
        """Decide from all dates of the file which of day and month comes first.

        Raises DataError if some date can be read in two ways and no other one decides.
        """
        columns = [check.cells.columns[fact] for fact in facts if fact in check.cells.columns]
        if reading.date_format:
            return cls(reading.date_format.upper())
        order = values.date_order(text for column in columns for text in column.values)
        if order in ("DMY", "MDY"):
            check.warn(f"dates read as {order}, which some of them prove", column=", ".join(c.header for c in columns))
            return cls(order)
        why = "other dates contradict each other" if order else "no other date of the file decides"
        for column in columns:
            doubtful = {code for code, text in enumerate(column.values) if _either_way(values.without_time(text))}
            if doubtful:
                lines = check.lines(check.ops.among(column.codes, doubtful), 11)
                text = column.values[min(doubtful)].strip()
                message = f"{text!r} may be day/month or month/day, and {why} (line {listed(lines)})"
                hint = "say which with --date-format DMY, MDY or YMD"
                raise DataError([Problem(message, check.source, lines[0], column.header, hint)])
        return cls("")

    def dates(self, check: Check, fact: str) -> list[PartialDate | None]:
        """The date of every row; None where it is unknown."""
        encoded = check.cells.columns.get(fact)
        if encoded is None:
            return [None] * len(check.cells)
        found = self._distinct(check, encoded)
        return [found[code] if code >= 0 else None for code in encoded.codes]

    def _distinct(self, check: Check, encoded: Encoded) -> list[PartialDate | None]:
        found, wrong = lookup(encoded.values, lambda text: values.partial_date(text, self.order), None)
        check.refuse_codes(encoded.codes, wrong, encoded.header, "dates are written 2025-02-28, or 2025-02, or 2025")
        return found

    def read(self, check: Check, fact: str, last: bool = False) -> tuple[Column | None, dict[int, PartialDate]]:
        """Ordinals of a column of dates (0 = unknown), and the inexact ones by code. `last`: their last day instead."""
        encoded = check.cells.columns.get(fact)
        if encoded is None:
            return None, {}
        found = self._distinct(check, encoded)
        table = [0 if day is None else day.after - 1 if last else day.first.toordinal() for day in found]
        inexact = {code: day for code, day in enumerate(found) if day is not None and not day.exact}
        return check.ops.take(table, encoded.codes, 0, "i"), inexact


def _either_way(text: str) -> bool:
    match = re.fullmatch(_DAY_AND_MONTH, text)
    return match is not None and match[1] != match[2]
