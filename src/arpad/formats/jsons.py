"""JSON and JSON lines: a list of objects, one a game or a player."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from arpad.errors import DataError
from arpad.formats.sheet import Sheet, sheet_of_rows
from arpad.formats.values import as_text
from arpad.model import Problem


def read_json(text: str, source: str) -> Sheet:
    """A list of objects, or an object of which one value is that list. Rows are numbered from 1."""
    found = _parsed(text, source, 0)
    if isinstance(found, dict):
        lists = [value for value in found.values() if isinstance(value, list)]
        found = lists[0] if len(lists) == 1 else None
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
    for number, record in records:
        if not isinstance(record, Mapping):
            raise DataError([Problem(f"expected an object, found {type(record).__name__}", source, number)])
        headers.update(dict.fromkeys(map(str, record)))
        rows.append(record)
        lines.append(number)
    if not rows:
        raise DataError([Problem("the file is empty", source)])
    return sheet_of_rows(source, list(headers), 0, [[_cell(row.get(name)) for name in headers] for row in rows], lines)


def _cell(value: Any) -> str:
    return as_text(value) if not isinstance(value, (dict, list)) else json.dumps(value)


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
    except (RecursionError, ValueError) as error:
        raise DataError([Problem(f"not usable JSON: {error}", source, line)]) from None
