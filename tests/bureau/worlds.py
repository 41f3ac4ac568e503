"""Small offices with random facts, for properties."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, timedelta

from arpad.bureau.intake import Decisions, Received, receive
from arpad.bureau.opened import Office, init
from arpad.engine import History, replay
from arpad.model import Game, Games

PEOPLE = tuple("ABCDEFGH")
ALL = Decisions(register=True, ids="club")


def some_events(random_: random.Random, events: int = 4, games: int = 8) -> list[list[Game]]:
    """A report an event: rounds on successive days, no pair twice in a round."""
    reports = []
    for number in range(events):
        start = date(2020, 1, 1) + timedelta(days=random_.randrange(1500))
        seen: set[tuple[int, frozenset[str]]] = set()
        report = []
        for _ in range(games):
            first, second = random_.sample(PEOPLE, 2)
            turn = random_.randint(1, 5)
            if (turn, frozenset((first, second))) in seen:
                continue
            seen.add((turn, frozenset((first, second))))
            score = random_.choice([0.0, 0.5, 1.0])
            day = start + timedelta(days=turn)
            report.append(Game(first, second, score, date=day, event=f"Event {number}", round=turn))
        reports.append(report)
    return reports


def office_of(place: str, reports: Sequence[Sequence[Game]], rules: str = "elo") -> Office:
    office = init(place, rules)
    for report in reports:
        assert taken(office, report).accepted
    return office


def taken(office: Office, report: Sequence[Game], decisions: Decisions = ALL) -> Received:
    return receive(office, report, decisions)


def exact(office: Office) -> dict[str, tuple[float, ...]]:
    """Every number of everybody's state, by the identifier that the reports used."""
    history = office.history(office.which())
    numbers = {person: number for number, person in office.store.rows("select number, person from identifier")}
    return {
        numbers[int(name)]: tuple(history.state_of(code).tolist() if hasattr(history.state, "tolist") else [])
        for code, name in enumerate(history.players)
        if history.state_of(code)[0] == history.state_of(code)[0]
    }


def fresh(games: Sequence[Game], office: Office) -> dict[str, tuple[float, ...]]:
    """The same by a replay of these games alone, which knows nothing of an office."""
    history: History = replay(Games.of(games), office.book(office.which()))
    return {
        name: tuple(history.state_of(code).tolist())
        for code, name in enumerate(history.players)
        if history.state_of(code)[0] == history.state_of(code)[0]
    }


def game_number(office: Office, row: int = 0) -> int:
    return int(office.store.rows("select id from game order by id")[row][0])


def without_texts(office: Office) -> None:
    """As an office whose lists were opened before the texts of rulebooks were kept."""
    office.store.run("delete from rulebook")
