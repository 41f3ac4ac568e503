"""One edition's statements over another's."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

#: What an edition says of itself; everything else in it is a clause and is inherited.
OWN = ("from", "announced", "name", "source", "status", "text")


def announced_after(stated: Mapping[str, Any], day: date | None) -> bool:
    """Whether an edition was not known yet on a day."""
    announced = stated.get("announced")
    return day is not None and type(announced) is date and announced > day


def starting(editions: list[dict[str, Any]], begins: date | None, known: date | None = None) -> list[dict[str, Any]]:
    """Editions from a day on; those until then, as far as they were `known`, are merged into one of that day."""
    if begins is None:
        return editions
    first: dict[str, Any] = {}
    later = []
    for stated in editions:
        since = stated.get("from")
        if isinstance(since, date) and since > begins:
            later.append(stated)
        elif not announced_after(stated, known):
            first = {key: value for key, value in first.items() if key not in OWN}
            first = amended(first, stated)
    first.pop("announced", None)  # how late one of them was decided says nothing of the list's beginning
    return [first | {"from": begins}, *later]


def amended(edition: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """An edition with the statements of another one of the same day; the keys of a clause are amended one by one."""
    both = {key for key, value in own.items() if isinstance(value, dict) and isinstance(edition.get(key), dict)}
    return edition | own | {key: edition[key] | own[key] for key in both - set(OWN)}
