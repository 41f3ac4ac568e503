"""A warm office shows what a cold one shows, after whatever was written, and to whomever."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from arpad.bureau import cards, lists
from arpad.bureau.corrections import Change, correct
from arpad.bureau.erasing import erase
from arpad.bureau.opened import Office, open_office
from arpad.bureau.people import describe, merge, show, split
from arpad.ledger.store import Store
from arpad.model import Game
from tests.bureau.worlds import office_of, some_events, taken

ACTS: dict[str, Callable[[Office], Any]] = {
    "import": lambda office: taken(office, some_events(random.Random(8), 1)[0]),
    "publish": lambda office: lists.publish(office, date(2024, 6, 1)),
    "correct": lambda office: correct(office, [Change("game", 3, {"voided": 1})], "no game"),
    "preview": lambda office: correct(office, [Change("game", 4, {"voided": 1})], preview=True),
    "rename": lambda office: describe(office, 2, name="Rossi, Marco", reason="his card"),
    "hide": lambda office: show(office, 3, {"name": "officers"}),
    "hide all": lambda office: show(office, 0, {"identifiers": "members"}),
    "erase": lambda office: erase(office, 4, "asked"),
    "merge": lambda office: merge(office, 1, 9, "one person"),
    "split": lambda office: split(office, 9, "two people"),
}


def shown(office: Office) -> list[Any]:
    found: list[Any] = []
    for audience in ("public", "officers"):
        office.audience = audience
        found += [*(cards.player(office, number) for number in (1, 2, 3, 4, 9)), cards.event(office, 1)]
    return found


def a_club(place: str) -> Office:
    friendly = [Game("I", "J", 1.0, date=date(2021, 1, 1), event="Friendly")]
    return office_of(place, [*some_events(random.Random(7), 4), friendly])


def test_a_warm_office_shows_what_a_cold_one_shows(place: str) -> None:
    with a_club(place) as office, open_office(place, actor="secretary") as other:
        cards.warm(office)
        for number, act in enumerate(ACTS.values()):
            act((office, other)[number % 2])
            for _ in range(2):  # as it is after the act, and warm again
                with open_office(place) as cold:
                    assert shown(office) == shown(cold)
                cards.warm(office)


def test_a_card_of_a_warm_office_waits_for_no_replay_and_no_names(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with a_club(place) as office:
        lists.publish(office, date(2024, 6, 1))
    asked: list[str] = []
    kind = type(office.store)
    run = kind.run

    def noted(store: Store, sql: str, values: Any = ()) -> Any:
        asked.append(sql)
        return run(store, sql, values)

    monkeypatch.setattr(kind, "run", noted)

    def waited(task: Callable[[], Any]) -> set[str]:
        asked.clear()
        task()
        tables = {"chunk, body from pack": "games", "from event where": "events", "content from publication": "lists"}
        return {table for words, table in tables.items() for sql in asked if words in sql}

    with open_office(place) as office:
        assert waited(lambda: cards.player(office, 1)) == {"games", "events", "lists"}
    with open_office(place) as office:
        cards.warm(office)
        assert waited(lambda: cards.player(office, 1)) == set()
