"""From a TOML file to a Rulebook: parameters put in, amendments merged, every clause checked.

A file holds, at its top, what the list is (`organisation`, `game`, `title`, …), `[parameters]`, `[preset.NAME]` and
`[[edition]]`. The first edition is complete; each later one states only what it amends:

    a table of rows ([[edition.k]]) replaces the whole table
    a table of keys ([edition.curve]) overrides key by key
    the string "none" removes an optional clause, or an optional number of a table of keys

`"$name"` stands for a parameter's value; a clause, or row, that names a parameter set to "none" is left out. A preset
is a named variant, `load("elo:32/16")`: settings, and an amendment to the first edition.

`like = "fide/rapid"` takes the editions and parameters of a rulebook that ships, though not its heading or presets. An
edition of the same day amends that one, one of another day stands between the others; a parameter replaces one that is
called the same.

Everything wrong with a file is collected and raised together.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin

import msgspec

from arpad.errors import RulebookError, UnknownName, UsageError
from arpad.rulebooks.amendments import OWN, amended, announced_after, starting
from arpad.rulebooks.book import Rows, Rulebook, Value
from arpad.rulebooks.checks import contradictions, suggestion, troubles
from arpad.rulebooks.parameters import settle, unfit_defaults
from arpad.rulebooks.records import convert
from arpad.rulebooks.schema import NEEDED, OF_SYSTEM, SHARED, WITHOUT, Edition, Heading, Parameter, Preset, Sheet

Part = TypeVar("Part", Parameter, Preset)

SHELF = Path(__file__).parent

GONE = "none"


def names() -> list[str]:
    """The names of all rulebooks that ship with arpad."""
    found = (path.relative_to(SHELF).with_suffix("").as_posix() for path in SHELF.rglob("*.toml"))
    return sorted(name for name in found if "_" not in name)  # with one it is a sheet of titles or names


def load(
    name_or_path: str | Path,
    settings: Mapping[str, Value] = {},
    known: date | None = None,
    shelf: Path | None = None,
) -> Rulebook:
    """Read one rulebook by name (`fide/standard`), by path (`./club.toml`), either with `:preset` behind it.

    `settings` change declared parameters; text is read as the parameter's kind of value. `known`: the rules as they
    were known on that day, without the editions that were announced later and took effect backwards. `shelf`: a folder
    that has what the rulebook is like as it read once, before those that ship now.

    Raises UnknownName for a rulebook, preset or parameter that does not exist, UsageError for a value that a
    parameter does not accept or this reading does not use, RulebookError for a file that does not hold.
    """
    path, shown, preset = _find(str(name_or_path))
    sheet, problems = _read(path, shown, known, shelf)
    parameters = _parts("parameters", sheet.parameters, Parameter, problems)
    variants = _parts("preset", sheet.preset, Preset, problems)
    problems += unfit_defaults(parameters)
    if preset and preset not in sheet.preset:
        raise UnknownName("preset", preset, sheet.preset)
    variant = variants.get(preset, Preset())
    if problems:
        raise RulebookError(_message(shown, problems))
    values = settle(parameters, variant.settings, settings)
    work = _Editions(sheet.system, path.parent, values, f"preset {preset}", variant.amend)
    work.read([stated for stated in sheet.edition if not announced_after(stated, known)])
    problems += _unused(sheet)
    if problems or work.problems:
        raise RulebookError(_message(shown, problems + work.problems))
    for unused in settings.keys() - work.used:
        raise UsageError(f"{shown} does not use the parameter {unused!r}" + (f" in preset {preset}" if preset else ""))
    return Rulebook(
        name=shown.removesuffix(".toml") + (f":{preset}" if preset else ""),
        organisation=sheet.organisation,
        game=sheet.game,
        system=sheet.system,
        title=sheet.title,
        text=sheet.text | variant.text,
        cadence=sheet.cadence,
        verified=sheet.verified,
        parameters={name: parameters[name] for name in parameters if name in work.used},
        settings={name: values[name] for name in values if name in work.used},
        editions=tuple(work.editions),
        origins=tuple(work.origins),
        tables=work.tables,
        path=path,
        preset=preset,
        evidence=sheet.evidence,
        until=sheet.until,
    )


def presets(name: str) -> Mapping[str, Preset]:
    """The presets a rulebook declares: name -> preset."""
    path, shown, _ = _find(name)
    sheet, problems = _read(path, shown)
    return _parts("preset", sheet.preset, Preset, problems)


def _find(given: str) -> tuple[Path, str, str]:
    """Path, name to show and preset of what the user asked for."""
    filed = re.fullmatch(r"(.*\.toml)(?::(.+))?", given)
    if filed:
        path = Path(filed[1])
        if not path.is_file():
            raise UsageError(f"there is no file {path}")
        return path, filed[1], filed[2] or ""
    name, _, preset = given.partition(":")
    path = SHELF / f"{name}.toml"
    if not re.fullmatch(r"[a-z0-9]+([-/][a-z0-9]+)*", name) or not path.is_file():
        if os.path.exists(given):
            raise UsageError(f"{given} is no rulebook: the name of a rulebook's file ends in .toml")
        raise UnknownName("rulebook", name, names())
    return path, f"{name}.toml", preset


def _read(path: Path, shown: str, known: date | None = None, shelf: Path | None = None) -> tuple[Sheet, list[str]]:
    import tomllib

    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise RulebookError(f"{shown}: not UTF-8 (byte {error.start})") from None
    except OSError as error:
        raise UsageError(f"cannot read {shown}: {error.strerror}") from None
    except RecursionError:
        raise RulebookError(f"{shown}: brackets within brackets, deeper than any rulebook goes") from None
    except tomllib.TOMLDecodeError as error:
        what, _, line = str(error).partition(" (at line ")
        place = f"line {line.rstrip(')')}" if line else "end of the file"
        raise RulebookError(f"{shown}: {place}: {what[:1].lower()}{what[1:]}") from None
    problems: list[str] = []
    sheet = convert(raw, Sheet, "", problems)
    if sheet is None:
        raise RulebookError(_message(shown, problems))
    return _like(sheet, problems, known, shelf) if sheet.like else sheet, problems


def _like(own: Sheet, problems: list[str], known: date | None = None, shelf: Path | None = None) -> Sheet:
    """`own` with what it takes from the rulebook it is like."""
    file = f"{own.like}.toml"
    kept = shelf is not None and (shelf / file).is_file()
    if not kept and own.like not in names():
        problems.append(f"like: no rulebook {own.like!r} ships with arpad" + suggestion(own.like, names()))
        return own
    taken, found = _read(shelf / file if shelf is not None and kept else SHELF / file, file, known, shelf)
    problems += [f"like {own.like}: {problem}" for problem in found]
    editions = {str(stated.get("from", "")): stated for stated in starting(taken.edition, own.begins, known)}
    if not all(stated.get("from") or "" in editions for stated in own.edition):
        problems.append(f"edition without from: those of {own.like} begin on {min(editions)}, so that a day is needed")
    for day, count in Counter(str(stated.get("from", "")) for stated in own.edition).items():
        if count > 1:
            problems.append(f"edition from {day}: from: {count} editions of this file have it")
    for stated in own.edition:
        day = str(stated.get("from", ""))
        editions[day] = amended(editions.get(day, {}), stated)
    named = _named((editions, own.preset))
    parameters = {name: taken.parameters[name] for name in taken.parameters if name in named}
    return msgspec.structs.replace(
        own, edition=[editions[day] for day in sorted(editions)], parameters=parameters | own.parameters
    )


def _message(shown: str, problems: list[str]) -> str:
    return "\n".join(f"{shown}: {problem}" for problem in problems)


class _Editions(msgspec.Struct):
    """The editions of one file while they are read in order; clauses that an edition leaves alone are shared."""

    system: str
    folder: Path
    values: Mapping[str, Value]
    preset: str
    amend: Mapping[str, Any]
    editions: list[Edition] = msgspec.field(default_factory=list)
    origins: list[dict[str, str]] = msgspec.field(default_factory=list)
    tables: dict[str, Rows] = msgspec.field(default_factory=dict)
    problems: list[str] = msgspec.field(default_factory=list)
    used: set[str] = msgspec.field(default_factory=set)
    raw: dict[str, Any] = msgspec.field(default_factory=dict)
    built: dict[str, Any] = msgspec.field(default_factory=dict)
    origin: dict[str, str] = msgspec.field(default_factory=dict)
    place: str = ""

    def read(self, texts: list[dict[str, Any]]) -> None:
        last: date | None = None
        for number, stated in enumerate(texts, 1):
            since = stated.get("from")
            self.place = f"edition from {since}: " if since is not None else f"edition {number}: "
            if since is not None and type(since) is not date:
                self._wrong("from", "a date such as 2025-01-31 was expected")
                continue
            if number > 1 and since is None:
                self._wrong("from", "only the first edition may be without a date")
            elif since is not None and last is not None and since <= last:
                self._wrong("from", f"must be after the edition before it, which is from {last}")
            last = since or last
            self._edition(stated, since)
        if not texts:
            self.problems.append("no [[edition]]")

    def _edition(self, stated: dict[str, Any], since: date | None) -> None:
        first = not self.origins
        known = (*OWN, *self.clauses)
        for key, value in stated.items():
            if first and not isinstance(self.amend.get(key, {}), dict):
                continue  # the preset has another one instead
            if key not in known:
                self._unknown(key)
            elif key not in OWN:
                self._amend(key, value, "the beginning" if since is None else since.isoformat())
        if first:
            for key, value in self.amend.items():
                self._amend(key, value, self.preset)
            for key in self.required:
                if key not in self.raw:
                    self._wrong(key, "the first edition must have it")
        found: list[str] = []
        own = convert({key: stated[key] for key in OWN if key in stated}, Heading, "", found)
        self.problems += [self.place + problem for problem in found]
        if own is not None and all(key in self.built for key in self.required):
            edition = Edition(
                since=since,
                announced=own.announced,
                name=own.name,
                source=own.source,
                status=own.status,
                text=own.text,
                **self.built,
            )
            self.problems += [f"{self.place}{at}: {message}" for at, message in contradictions(edition)]
            self.editions.append(edition)
        self.origins.append(dict(self.origin))

    def _amend(self, key: str, value: Any, stated_in: str) -> None:
        if key not in self.clauses:
            self._unknown(key)
            return
        rows, kind = clause_types()[key]
        if value == GONE:
            if key in self.required:
                self._wrong(key, "cannot be removed")
                return
            self._drop(key)
            return
        if not isinstance(value, list if rows else dict):
            shape = f"[[edition.{key}]], a table of rows," if rows else f"[edition.{key}], a table of keys,"
            self._wrong(key, f"{shape} was expected")
            return
        if isinstance(value, dict):
            for name in value:
                self.origin[f"{key}.{name}"] = stated_in
            value = self.raw.get(key, {}) | value
            for name in [name for name in optional(kind) if value.get(name) == GONE]:
                del value[name], self.origin[f"{key}.{name}"]
        self.origin[key] = stated_in
        self.raw[key] = value
        self._build(key, value, kind)

    def _drop(self, key: str) -> None:
        self.raw.pop(key, None)
        self.built.pop(key, None)
        for name in [name for name in self.origin if name.partition(".")[0] == key]:
            del self.origin[name]

    def _build(self, key: str, value: Any, kind: type) -> None:
        found: list[str] = []
        clause: Any
        if isinstance(value, list):
            rows = [(number, self._put(row, f"{key}[{number}]")) for number, row in enumerate(value, 1)]
            clause = [convert(row, kind, f"{key}[{number}]", found) for number, row in rows if row is not None]
            whole = None not in clause
        else:
            put = self._put(value, key)
            clause = None if put is None else convert(put, kind, key, found)
            whole = clause is not None
            if put is None:
                self.built.pop(key, None)
                if key in self.required:
                    found.append(f"{key}: cannot be left out, and names a parameter that is none")
        if whole:
            self.built[key] = clause
            found += [f"{key}{at}: {message}" for at, message in troubles(key, clause)]
            file = getattr(clause, "file", "")
            if file:
                found += [f"{key}.file: {message}" for message in self._table(key, file)]
        self.problems += [self.place + problem for problem in found]

    def _put(self, value: Any, at: str) -> Any:
        """`value` with parameters put in; None if one of them is set to "none"."""
        if isinstance(value, dict):
            items = {key: self._put(item, f"{at}.{key}") for key, item in value.items()}
            return None if None in items.values() else items
        if isinstance(value, list):
            parts = [self._put(item, at) for item in value]
            return None if None in parts else parts
        if not (isinstance(value, str) and value.startswith("$")):
            return value
        name = value[1:]
        if name not in self.values:
            self._wrong(at, f"no parameter {name!r} is declared" + suggestion(name, [*self.values]))
            return None
        self.used.add(name)
        put = self.values[name]
        return None if put == GONE else put

    def _table(self, key: str, file: str) -> Iterator[str]:
        """Read the CSV table of a clause: beside the rulebook, or one of those that ship."""
        # most rulebooks have no table, and a short command should not wait for what it does not need
        from arpad.rulebooks.tables import read_rows, table_problem

        if file in self.tables:
            return
        path = next((path for path in (self.folder / file, SHELF / file) if path.is_file()), None)
        if path is None:
            yield f"there is no file {file} beside the rulebook"
            return
        try:
            self.tables[file] = read_rows(path)
        except UnicodeDecodeError as error:
            yield f"{file}: not UTF-8 (byte {error.start})"
            return
        except (OSError, ValueError) as error:
            yield f"{file}: {getattr(error, 'strerror', None) or error}"
            return
        problem = table_problem(key, self.tables[file])
        if problem:
            yield f"{file}: {problem}"

    @property
    def required(self) -> Sequence[str]:
        return NEEDED[self.system]

    @property
    def clauses(self) -> Sequence[str]:
        shared = [key for key in SHARED if key not in WITHOUT.get(self.system, ())]
        return (*shared, *OF_SYSTEM[self.system])

    def _unknown(self, key: str) -> None:
        if key in clause_types():
            self._wrong(key, f"the system {self.system} has no such clause")
        else:
            self._wrong(key, "unknown clause" + suggestion(key, (*OWN, *self.clauses)))

    def _wrong(self, key: str, message: str) -> None:
        self.problems.append(f"{self.place}{key}: {message}")


@cache
def clause_types() -> dict[str, tuple[bool, type]]:
    """Clause -> whether it is a table of rows, and the record of one row (or of the clause)."""
    found: dict[str, tuple[bool, type]] = {}
    for item in msgspec.structs.fields(Edition):
        if item.encode_name in OWN:
            continue
        kind = item.type
        rows = get_origin(kind) is list
        if rows or isinstance(kind, UnionType):
            kind = get_args(kind)[0]
        found[item.encode_name] = (rows, kind)
    return found


@cache
def optional(kind: type) -> tuple[str, ...]:
    """The keys of a clause that may be without a value."""
    return tuple(item.name for item in msgspec.structs.fields(kind) if item.default is None)


def _unused(sheet: Sheet) -> list[str]:
    """A parameter that no clause names would be a promise nobody keeps."""
    named = _named((sheet.edition, sheet.preset))
    return [f"parameters.{name}: no clause uses it" for name in sheet.parameters if name not in named]


def _named(stated: object) -> set[str]:
    """The parameters that a text refers to."""
    return set(re.findall(r"\$(\w+)", repr(stated)))


def _parts(key: str, raw: Mapping[str, Any], kind: type[Part], problems: list[str]) -> dict[str, Part]:
    read = {name: convert(part, kind, f"{key}.{name}", problems) for name, part in raw.items()}
    return {name: part for name, part in read.items() if part is not None}
