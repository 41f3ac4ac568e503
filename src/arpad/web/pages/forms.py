"""What a form says, as a record; and what it says of a report."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from litestar.exceptions import ValidationException

from arpad.bureau.intake import Decisions
from arpad.errors import UsageError
from arpad.formats import Reading
from arpad.web.visits import Visit

T = TypeVar("T")


async def filled(visit: Visit) -> dict[str, Any]:
    """The fields of a form that are not blank; of one that is there more than once, the last."""
    held = await visit.request.form()
    return {name: value for name, value in held.multi_items() if value != ""}


def record(given: Mapping[str, Any], kind: Any) -> Any:
    """Fields as a record of a kind. Raises ValidationException, naming what is wrong."""
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise ValidationException(str(error)) from None


class Head(msgspec.Struct, frozen=True):
    """The last entry of what was looked at."""

    head: int


class ReportForm(msgspec.Struct, frozen=True):
    """How a report is to be read, and what was decided of all of it."""

    ids: str = ""
    pool: str = ""
    register: bool = False
    distinct: bool = False
    date_format: str = ""
    encoding: str = ""

    def reading(self) -> Reading:
        return Reading(encoding=self.encoding or None, date_format=self.date_format or None)


def decided(given: Mapping[str, Any]) -> tuple[ReportForm, Decisions]:
    """What a form decides of a report: `key-0` is what the report calls somebody, `who-0` who that is: the number of a
    person, `new`, or `other` with the number in `other-0`, which is meant too where nothing else is said. Raises
    UsageError for what is no number."""
    form: ReportForm = record(given, ReportForm)
    people: dict[str, int] = {}
    for name, key in given.items():
        if match := re.fullmatch(r"key-(\d{1,6})", name):
            who = given.get(f"who-{match[1]}", "other")
            who = given.get(f"other-{match[1]}", "") if who == "other" else who
            if who:
                people[str(key)] = 0 if who == "new" else person(str(who), str(key))
    return form, Decisions(people, form.register, form.distinct, form.ids.strip().lower(), form.pool)


def asked_again(given: Mapping[str, Any]) -> dict[str, Any]:
    """What an address has to say so that the same is decided of a report: nothing of whom nothing was decided, and
    nothing that no form has."""
    undecided = {
        match[1]
        for name in given
        if (match := re.fullmatch(r"key-(\d{1,6})", name)) and not {f"who-{match[1]}", f"other-{match[1]}"} & set(given)
    }
    fields = (*ReportForm.__struct_fields__, "reason")
    kept = {
        name: value for name, value in given.items() if name in fields or re.fullmatch(r"(key|who|other)-\d{1,6}", name)
    }
    return {name: value for name, value in sorted(kept.items()) if name.removeprefix("key-") not in undecided}


def person(text: str, key: str) -> int:
    """The number of a person, that a field of a form holds. Raises UsageError for what is none."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise UsageError(f"{key!r}: a person is named by number, not by {text!r}")
    return int(text)
