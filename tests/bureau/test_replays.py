"""Replays that are kept: nothing is replayed twice, and none stands for another."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from arpad import engine
from arpad.bureau import corrections, lists
from arpad.bureau.corrections import Change, correct
from arpad.bureau.opened import Office, init, open_office
from arpad.bureau.register import enrol
from arpad.ledger import chain
from arpad.model import Game, Start
from tests.bureau.worlds import office_of, taken

DAY = date(2025, 2, 1)
GAMES = [Game("A", "B", 1.0, date=date(2025, 1, 5)), Game("C", "D", 0.5, date=date(2025, 1, 6))]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The replays that were made."""
    found: list[Any] = []
    real = engine.replay

    def counted(*args: Any, **named: Any) -> Any:
        found.append(named.get("looks"))
        return real(*args, **named)

    monkeypatch.setattr(engine, "replay", counted)
    return found


def test_a_list_is_replayed_once_from_its_draft_to_its_revised_view(place: str, made: list[Any]) -> None:
    with office_of(place, [GAMES]) as office:
        made.clear()
        draft = lists.drafted(office, office.which(), DAY)
        assert made == [[DAY.toordinal()]]
        assert lists.publish(office, DAY).content == draft
        assert len(lists.revised(office, DAY)) == 4
        assert lists.compare(office, DAY) == []
        assert len(made) == 1
        assert lists.drafted(office, office.which(), DAY) != draft, "it rests on an entry more"
        assert len(made) == 1


def test_several_connections_may_have_them_in_common(place: str, made: list[Any]) -> None:
    with office_of(place, [GAMES]) as one, open_office(place) as other:
        other.replays = one.replays
        made.clear()
        assert one.history(one.which()) is other.history(other.which())
        assert len(made) == 1
        correct(one, [Change("game", 1, {"voided": 1})], "no game")
        made.clear()
        assert one.history(one.which()) is other.history(other.which())
        assert made == [], "what corrected had to replay it"


def test_what_was_only_tried_stands_for_nothing(place: str) -> None:
    with office_of(place, [GAMES]) as office:
        before = office.history(office.which())
        assert correct(office, [Change("game", 1, {"voided": 1})], preview=True).effect.moved
        assert office.history(office.which()) is before


def test_a_draft_of_a_later_day_leaves_the_live_list_as_it_is(place: str) -> None:
    """The revaluation of 1 March 2024 is in the list of that day, and in the live list once it was published."""
    with init(place, "fide/standard", base=date(2024, 1, 1)) as office:
        enrol(office, [Start("Ann", 1500.0, 40), Start("Bea", 1600.0, 40)])
        live = _ratings(office, None)
        lists.drafted(office, office.which(), date(2024, 3, 1))
        assert _ratings(office, None) == live
        revalued = _ratings(office, date(2024, 3, 1))
        assert revalued != live
        lists.publish(office, date(2024, 3, 1))
        assert _ratings(office, date(2024, 3, 1)) == revalued


def _ratings(office: Office, day: date | None) -> list[Any]:
    return [(row["person"], row["rating"]) for row in lists.revised(office, day).rows()]


def test_a_preview_keeps_nobody_waiting_while_it_replays(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fix, compared = [Change("game", 1, {"voided": 1})], corrections.effect_of
    with office_of(place, [GAMES]) as office, open_office(place, patience=0.1) as other:
        expected = correct(office, fix, preview=True).effect
        depths, real = list[int](), engine.replay

        def replay(*args: Any, **named: Any) -> Any:
            depths.append(office.store.depth)
            return real(*args, **named)

        def meanwhile(*args: Any) -> Any:
            assert taken(other, [Game("E", "F", 1.0, date=date(2025, 1, 7))]).accepted
            return compared(*args)

        monkeypatch.setattr(engine, "replay", replay)
        monkeypatch.setattr(corrections, "effect_of", meanwhile)
        head = office.head
        assert correct(office, fix, preview=True).effect == expected
        assert depths[0] == 0, "what is tried is replayed when it is undone already"
        assert office.store.value("select voided from game where id = 1") == 0
        assert office.head > head, "somebody else's entry is the only one"
        assert [each.kind for each in chain.entries(office.store, head + 1)][-1] == "games"
