"""What a rulebook says, as rows of plain data: one edition, the difference of two, and the whole shelf."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from arpad.rulebooks import schema_uschess
from arpad.rulebooks.book import WORDS, Rulebook, label
from arpad.rulebooks.loader import load, names
from arpad.rulebooks.schema import Edition, Row

#: One row of a view: column -> text.
Line = dict[str, str]


def show(rulebook: Rulebook, on: date | int | None, language: str = "en") -> list[Line]:
    """The edition in force on a day, clause by clause: a row for each row of a decision table, and for each key.

    Columns: clause, value, article, edition (where it was stated), status, source, text.
    """
    ordinal = on.toordinal() if isinstance(on, date) else on or 0
    return _lines(rulebook, rulebook.edition_index(ordinal), language)


def editions(rulebook: Rulebook, language: str = "en") -> list[Line]:
    """The history of a rulebook. Columns: from, name, clauses (what it states), status, source, text."""
    return [
        {
            "from": label(edition),
            "name": edition.name,
            "clauses": ", ".join(
                name for name, stated in origins.items() if "." not in name and stated == label(edition)
            ),
            "status": edition.status,
            "source": edition.source,
            "text": edition.text.get(language) or edition.text.get("en", ""),
        }
        for edition, origins in zip(rulebook.editions, rulebook.origins, strict=True)
    ]


def diff(rulebook: Rulebook, before: date | int, after: date | int) -> list[Line]:
    """What changed between two days. Columns: clause, before, after, article."""
    old, new = ({line["clause"]: line for line in show(rulebook, day)} for day in (before, after))
    changed = []
    for clause in [*old, *(clause for clause in new if clause not in old)]:
        was, now = old.get(clause), new.get(clause)
        if (was or {}).get("value") != (now or {}).get("value"):
            changed.append(
                {
                    "clause": clause,
                    "before": was["value"] if was else "",
                    "after": now["value"] if now else "",
                    "article": (now or was or {})["article"],
                }
            )
    return changed


def listing() -> list[dict[str, str | int]]:
    """Every rulebook that ships.

    Columns: name, organisation, game, from, until (blank: in force), editions, evidence (what it was checked against),
    unsure (how many statements no source settles), system, cadence, verified.
    """
    return [listed(load(name)) for name in names()]


def listed(book: Rulebook) -> dict[str, str | int]:
    """A rulebook's row of the listing."""
    return {
        "name": book.name,
        "organisation": book.organisation,
        "game": book.game,
        "from": label(book.editions[0]),
        "until": book.until.isoformat() if book.until else "",
        "editions": len(book.editions),
        "evidence": book.evidence or "not said",
        "unsure": unsure(book),
        "system": book.system,
        "cadence": book.cadence,
        "verified": book.verified,
    }


def markdown(lines: Sequence[Mapping[str, object]], headers: Mapping[str, str] | None = None) -> str:
    """Rows of equal keys as a table in Markdown; `headers` chooses and names the columns."""
    chosen = headers or {key: key for key in (lines[0] if lines else {})}
    cells = [[str(line[key]).replace("|", "\\|").replace("\n", " ") for key in chosen] for line in lines]
    shown = [list(chosen.values()), ["---"] * len(chosen), *cells]
    return "".join(f"| {' | '.join(row)} |\n" for row in shown)


def unsure(rulebook: Rulebook) -> int:
    """How many statements are marked unsure: editions, clauses where stated, and parameters in use."""
    count = sum(parameter.status == "unsure" for parameter in rulebook.parameters.values())
    seen: set[int] = set()
    for edition in rulebook.editions:
        count += edition.status == "unsure"
        for _, clause in clauses(edition):
            # an edition shares the clauses it did not amend with the one before
            if id(clause) not in seen:
                seen.add(id(clause))
                count += clause.status == "unsure"
    return count


def clauses(edition: Edition) -> list[tuple[str, Any]]:
    """The clauses an edition has, each row of a table for itself: (`k[2]`, row), (`curve`, clause)."""
    found: list[tuple[str, Any]] = []
    for name in edition.__struct_fields__:
        value = getattr(edition, name)
        if isinstance(value, list):
            found += [(f"{name}[{number}]", row) for number, row in enumerate(value, 1)]
        elif isinstance(value, msgspec.Struct) and value != DEFAULTS.get(name):
            found.append((name, value))
    return found


def words(row: Row) -> str:
    """A row of a decision table in words: `40 if games < 30`."""
    if row.ramp is not None:
        value = f"by {row.ramp.of.replace('_', ' ')}: " + ", ".join(
            f"{fact:g} → {amount:g}" for fact, amount in row.ramp.points
        )
    elif row.power is not None:
        value = f"{row.power.scale:g} / ({row.power.of} + {row.power.offset:g}) ^ {row.power.exponent:g}"
    elif row.fall is not None:
        value = f"(({row.fall.limit:g} - {row.fall.of}) / {row.fall.divisor:g}) ^ {row.fall.exponent:g}"
    elif row.bend is not None:
        value = f"{row.bend.scale:g} ln(1 + e ^ (({row.bend.limit:g} - {row.bend.of}) / {row.bend.divisor:g}))"
    elif row.of:
        value = f"the game's {row.of}"
    else:
        value = "none" if row.value == float("inf") else _amount(row.value)
    return value + (f" if {_condition(row.when)}" if row.when else "")


def _condition(when: Mapping[str, float]) -> str:
    parts = []
    for name, limit in when.items():
        fact, _, bound = name.rpartition("_")
        parts.append(f"{fact.replace('_', ' ')} {'≥' if bound == 'from' else '<'} {limit:g}")
    return " and ".join(parts)


def _lines(rulebook: Rulebook, index: int, language: str) -> list[Line]:
    lines = []
    for name, clause in clauses(rulebook.editions[index]):
        origin = rulebook.origins[index].get(name.partition("[")[0], "")
        for key, value, stated_in in _values(name, clause, origin, rulebook, index):
            lines.append(
                {
                    "clause": key,
                    "value": value,
                    "article": clause.article,
                    "edition": stated_in,
                    "status": clause.status,
                    "source": clause.source,
                    "text": clause.text.get(language) or clause.text.get("en", ""),
                }
            )
    return lines


def _values(name: str, clause: Any, origin: str, rulebook: Rulebook, index: int) -> list[tuple[str, str, str]]:
    if isinstance(clause, Row):
        return [(name, words(clause), origin)]
    said = {key: value for key, value in msgspec.structs.asdict(clause).items() if key not in WORDS}
    if "[" in name:
        told = (item for item in said.items() if item[1] != "" and item[0] not in clause.unused)
        stated = {key: value for key, value in told if abs(_finite(value)) != float("inf")}
        return [(name, ", ".join(f"{key} {_amount(value)}" for key, value in stated.items()), origin)]
    origins = rulebook.origins[index]
    stated = {key: origins[f"{name}.{key}"] for key in said if f"{name}.{key}" in origins}
    if name in FACTUAL:
        facts = {key for key, value in said.items() if value is not None and abs(_finite(value)) != float("inf")}
        stated |= {key: _since(rulebook, index, name, key) for key in facts - stated.keys()}
    return [(f"{name}.{key}", _amount(said[key]), stated[key]) for key in said if key in stated]


def _since(rulebook: Rulebook, index: int, name: str, key: str) -> str:
    """The edition from which on a number that no edition states has been in force without a break."""
    value = getattr(getattr(rulebook.editions[index], name), key)
    while index and getattr(getattr(rulebook.editions[index - 1], name), key, None) == value:
        index -= 1
    return label(rulebook.editions[index])


def _finite(value: object) -> float:
    return value if isinstance(value, float) else 0.0


def _amount(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.12g}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(" → ".join(map(_amount, item)) if isinstance(item, tuple) else _amount(item) for item in value)
    return "yes" if value is True else "no" if value is False else str(value)


#: Clauses whose keys are facts of the regulation also where no edition states them.
FACTUAL = frozenset(schema_uschess.CLAUSES)

DEFAULTS = {
    item.name: item.default for item in msgspec.structs.fields(Edition) if isinstance(item.default, msgspec.Struct)
}
