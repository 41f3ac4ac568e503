"""JSON and JSON lines: a list of objects, one a game or a player."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from arpad.errors import DataError
from arpad.formats.sheet import Cells, Sheet, sheet_of_rows
from arpad.formats.values import as_text
from arpad.model import Problem


def read_json(text: str, source: str) -> Sheet:
    """A list of objects, or an object of which one value is that list, such as a list of ratings as it was written.

    Rows are numbered from 1.
    """
    found = _parsed(text, source, 0)
    if isinstance(found, dict):
        lists = [value for value in found.values() if isinstance(value, list)]
        found = lists[0] if len(lists) == 1 else found.get("ratings")
    if not isinstance(found, list):
        raise DataError(
            [Problem("expected a list of objects", source, hint='such as [{"white": "A", "black": "B", …}]')]
        )
    return sheet_of_records(enumerate(found, 1), source)


def read_jsonl(text: str, source: str) -> Sheet:
    """One object a line."""
    numbered = ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())
    return sheet_of_records(((number, _parsed(line, source, number)) for number, line in numbered), source)


def sheet_of_records(records: Iterable[tuple[int, Any]], source: str) -> Sheet:
    """A sheet from numbered mappings; a key that a record lacks is a blank cell."""
    headers: dict[str, None] = {}
    rows: list[Mapping[Any, Any]] = []
    lines = []
    nested: dict[str, Problem] = {}
    for number, record in records:
        if not isinstance(record, Mapping):
            raise DataError([Problem(f"expected an object, found {type(record).__name__}", source, number)])
        headers.update(dict.fromkeys(map(str, record)))
        rows.append(record)
        lines.append(number)
        for name, value in record.items():
            if isinstance(value, (Mapping, list, tuple, set)) and str(name) not in nested:
                text = f"one value was expected, not a {type(value).__name__}"
                nested[str(name)] = Problem(text, source, number, str(name))
    if not rows:
        raise DataError([Problem("the file is empty", source)])
    names = list(headers)
    sheet = sheet_of_rows(source, names, 0, [[as_text(row.get(name)) for name in names] for row in rows], lines)

    def encode(picked: Mapping[str, int]) -> Cells:
        refused = [nested[names[at]] for at in picked.values() if names[at] in nested]
        if refused:
            raise DataError(refused)
        return sheet.encode(picked)

    return replace(sheet, encode=encode)


def _parsed(text: str, source: str, line: int) -> Any:
    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        record = dict(found)
        if len(record) < len(found):
            names = [name for name, _ in found]
            twice = next(name for name in names if names.count(name) > 1)
            raise DataError([Problem(f"key {twice!r} occurs twice in one object", source, line, twice)])
        return record

    try:
        return json.loads(text, object_pairs_hook=pairs)
    except json.JSONDecodeError as error:
        place = line or error.lineno
        raise DataError([Problem(f"not JSON: {error.msg} (column {error.colno})", source, place)]) from None
    except RecursionError:
        raise DataError([Problem("not usable JSON: brackets within brackets without end", source, line)]) from None
    except ValueError:
        raise DataError([Problem("not usable JSON: a number of thousands of digits", source, line)]) from None
