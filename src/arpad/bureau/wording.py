"""Entries of the log in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from arpad.ledger import chain


def words(entry: chain.Entry) -> str:
    """What an entry says, in a line."""
    body = entry.body
    if entry.kind == "open":
        return f"list {body['list']['name']} by {body['list']['rules']}"
    if entry.kind == "people":
        return f"{len(body['people'])} person(s), from {min(body['people'])} to {max(body['people'])}"
    if entry.kind in ("stage", "refuse"):
        return f"report {body['report']}"
    if entry.kind == "accept":
        return f"report {body['report']}, event(s) {', '.join(str(each[0]) for each in body['events'][:5])}"
    if entry.kind == "games":
        return f"report {body['report']}, {len(body['columns']['key'])} game(s) from {body['id']} on"
    if entry.kind == "acts":
        return ", ".join(f"{act[3]} of person {act[2]}" for act in body["acts"][:5])
    if entry.kind in ("merge", "split"):
        return "; ".join(_joined(number, now["merged"]) for _, number, _, now in body["changes"][:5])
    if entry.kind == "visibility":
        whose = f"person {body['person']}" if body["person"] else "everybody"
        return f"{whose}: " + ", ".join(
            f"{field} for {level or 'whom it usually is'}" for field, level in body["levels"].items()
        )
    if entry.kind == "erase":
        return f"person(s) {', '.join(map(str, body['people']))}, from {len(body['reports'])} report(s)"
    if entry.kind == "base":
        return f"{_changed(*body['changes'][0])}; {len(body['opening']['players'])} people begin with what they held"
    if entry.kind == "correct":
        said = "; ".join(_changed(*change) for change in body["changes"][:5])
        return f"takes back entry {body['reverts']}: {said}" if body["reverts"] else said
    if entry.kind == "publish":
        return f"list {body['list']} of {date.fromordinal(body['day'])}, sha256 {body['sha256'][:12]}"
    return ""


def _changed(what: str, number: int, was: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    days = ("day", "starts", "ends", "rated", "base")

    def shown(name: str, value: Any) -> str:
        return str(date.fromordinal(value)) if name in days and value else str(value)

    return f"{what} {number}: " + ", ".join(
        f"{name} {shown(name, was[name])} → {shown(name, now[name])}" for name in now
    )


def _joined(person: int, into: int | None) -> str:
    return f"person {person} is person {into}" if into else f"person {person} is somebody of their own again"
