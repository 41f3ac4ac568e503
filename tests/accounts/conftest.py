"""An office with accounts, on each database, and passwords that are quick to hash."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from arpad.accounts import clock
from arpad.bureau.opened import Office
from tests.bureau.worlds import PEOPLE, office_of, some_events
from tests.web.people import quick_passwords


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quick_passwords(monkeypatch)


@pytest.fixture
def office(place: str) -> Iterator[Office]:
    """Eight people in the register, numbered from 1."""
    import random

    with office_of(place, some_events(random.Random(3), 2)) as made:
        assert made.store.value("select count(*) from person") == len(PEOPLE)
        yield made


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.at = datetime(2025, 6, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at

    def later(self, **much: float) -> None:
        self.at += timedelta(**much)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(clock, "now", made)
    return made
