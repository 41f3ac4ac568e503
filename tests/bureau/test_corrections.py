"""Corrections: what a replay without the mistake gives, previewed exactly, taken back exactly."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arpad.bureau import cards, lists
from arpad.bureau.corrections import Change, by_goals, correct, revert
from arpad.bureau.keeping import verify
from arpad.bureau.opened import Office, init
from arpad.errors import DataError, UsageError
from arpad.model import Game
from tests.bureau.worlds import PEOPLE, exact, fresh, game_number, office_of, some_events, taken

SYSTEMS = ("elo", "glicko2", "asigc")
few = settings(max_examples=15, deadline=None)


def changed(random_: random.Random, office: Office) -> Change:
    """Some correction of some fact."""
    game = game_number(office, random_.randrange(office.store.value("select count(*) from game")))
    kind = random_.choice(["void", "result", "day", "event", "swap"])
    if kind == "void":
        return Change("game", game, {"voided": 1})
    if kind == "result":
        score = random_.choice([0.0, 0.5, 1.0])
        return Change("game", game, {"score": score, "other": 1 - score})
    if kind == "day":
        return Change("game", game, {"day": date(2021, 1, 1).toordinal() + random_.randrange(900)})
    if kind == "swap":
        first, second = office.store.row("select first, second from game where id = ?", (game,)) or (0, 0)
        return Change("game", game, {"first": second, "second": first})
    start = date(2021, 1, 1).toordinal() + random_.randrange(900)
    return Change("event", 1, {"starts": start, "ends": start + 6})


@few
@given(st.integers(0, 10**6), st.sampled_from(SYSTEMS))
def test_c53_a_voided_game_is_as_if_it_had_not_been_and_stays_visible(seed: int, rules: str) -> None:
    random_ = random.Random(seed)
    reports = some_events(random_)
    games = [game for report in reports for game in report]
    with office_of(":memory:", reports, rules) as office:
        assert exact(office) == fresh(games, office)
        out = random_.randrange(len(games))
        done = correct(office, [Change("game", game_number(office, out), {"voided": 1})], "it was a training game")
        assert exact(office) == fresh([game for row, game in enumerate(games) if row != out], office)
        seen = cards.player(office, f"club:{games[out].first}").voided[0]
        assert (seen.game, seen.actor, seen.reason) == (game_number(office, out), "officer", "it was a training game")
        assert seen.entry == done.seq


@few
@given(st.integers(0, 10**6))
def test_c54_counters_follow_and_recalculating_changes_nothing(seed: int) -> None:
    days = [date(2022, 1, 1) + timedelta(days=day) for day in range(9)]
    random_ = random.Random(seed)
    report = [Game("A", random_.choice("BCD"), 1.0, date=day, event="Match") for day in days]
    with office_of(":memory:", [report]) as office:
        voided = random_.sample(range(9), 2)
        correct(office, [Change("game", game_number(office, row), {"voided": 1}) for row in voided], "double entry")
        kept = [lists.replay(office).sha256 for _ in range(3)]
        on = cards.player(office, "club:A").lists[0]
        assert (on.games, len(on.lines)) == (7, 7)
        assert len(set(kept)) == 1
        assert office.store.value("select count(*) from standing") == 1


def test_c55_an_event_keeps_its_number_when_its_dates_change(place: str) -> None:
    early = [Game("A", "B", 1.0, date=date(2025, 5, 11), event="Open", round=1)]
    late = [Game("B", "C", 1.0, date=date(2025, 5, 11), event="Cup", round=1)]
    with office_of(place, [early, late], "harkness") as office:
        before = cards.event(office, 1)
        correct(office, [Change("event", 1, {"ends": date(2025, 5, 12).toordinal()})], "it ended a day later")
        after = cards.event(office, 1)
        assert (after.event, after.name, after.report) == (before.event, before.name, before.report)
        assert after.end == date(2025, 5, 12)
        assert "ends 2025-05-11 → 2025-05-12" in cards.log(office)[-1].what
        assert verify(office) == []


def test_c58_order_is_that_of_the_games_not_of_their_arrival(place: str) -> None:
    today, yesterday = date(2025, 3, 2), date(2025, 3, 1)
    late = [Game("A", "B", 1.0, date=today)]
    early = [Game("A", "C", 0.0, date=yesterday)]
    with office_of(place, [late, early]) as office:
        assert [line.date for line in cards.player(office, "club:A").lists[0].lines] == [yesterday, today]


@few
@given(st.integers(0, 10**6), st.sampled_from(SYSTEMS))
def test_promise_5_a_preview_is_what_is_done_and_taking_back_restores_every_digit(seed: int, rules: str) -> None:
    random_ = random.Random(seed)
    with office_of(":memory:", some_events(random_), rules) as office:
        for year in (2021, 2022, 2023):
            lists.publish(office, date(year, 1, 1))
        before = exact(office), office.head
        change = changed(random_, office)
        try:
            seen = correct(office, [change], preview=True)
        except (DataError, UsageError):
            assert (exact(office), office.head) == before
            return
        assert (exact(office), office.head) == before
        done = correct(office, [change], "as seen")
        assert done.effect == seen.effect
        after = exact(office)
        back = revert(office, done.seq, "not after all", preview=True)
        undone = revert(office, done.seq, "not after all")
        assert undone.effect == back.effect
        assert exact(office) == before[0]
        again = revert(office, undone.seq, "it was right")
        assert exact(office) == after
        assert again.effect == done.effect
        assert verify(office) == []


@few
@given(st.integers(0, 10**6))
def test_an_effect_names_everybody_whose_rating_moves_and_every_list_that_differs(seed: int) -> None:
    random_ = random.Random(seed)
    reports = some_events(random_)
    days = [date(2021, 1, 1), date(2022, 6, 1), date(2024, 6, 1)]
    with office_of(":memory:", reports) as office:
        for day in days:
            lists.publish(office, day)
        before = exact(office)
        game = game_number(office, random_.randrange(8))
        done = correct(office, [Change("game", game, {"voided": 1})], "it was no game")
        after = exact(office)
        names = {each.name: (each.before, each.after) for each in done.effect.moved}
        apart = {who for who in {**before, **after} if before.get(who, ())[:1] != after.get(who, ())[:1]}
        assert names.keys() == apart
        assert all(
            pair == tuple(side[who][0] if who in side else None for side in (before, after))
            for who, pair in names.items()
        )
        differing = {each.day: each.printed for each in done.effect.lists}
        for day in days:
            assert len(lists.compare(office, day)) == differing.get(day, 0)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (Change("game", 1, {"second": 1}), "themselves"),
        (Change("game", 1, {"score": 1.0, "other": 1.0}), "sum"),
        (Change("game", 1, {"score": -1.0}), "between 0 and 1"),
        (Change("game", 2, {"round": 1, "first": 1, "second": 2, "day": 738000}), "a game in this round"),
        (Change("game", 99, {"voided": 1}), "no game 99"),
        (Change("game", 1, {"first": 99}), "no person 99"),
        (Change("game", 1, {"event": 99}), "no event 99"),
        (Change("game", 1, {"key": 5}), "cannot be changed"),
        (Change("event", 1, {"ends": -5}), "no day"),
        (Change("game", 1, {"score": float("nan")}), "not a number"),
    ],
)
def test_c51_a_correction_that_cannot_be_is_refused_and_nothing_is_written(
    place: str, change: Change, said: str
) -> None:
    report = [
        Game("A", "B", 1.0, date=date(2025, 1, 1), event="Open", round=1),
        Game("A", "C", 1.0, date=date(2025, 1, 2), event="Open", round=2),
    ]
    with office_of(place, [report]) as office:
        before = exact(office), office.head
        for preview in (True, False):
            with pytest.raises(DataError, match=said):
                correct(office, [change], "a try", preview=preview)
        assert (exact(office), office.head) == before
        assert verify(office) == []


def test_a_correction_needs_a_reason_and_something_to_change(place: str) -> None:
    with office_of(place, [[Game("A", "B", 1.0, date=date(2025, 1, 1))]]) as office:
        with pytest.raises(UsageError, match="reason"):
            correct(office, [Change("game", 1, {"voided": 1})])
        with pytest.raises(UsageError, match="nothing to change"):
            correct(office, [Change("game", 1, {"score": 1.0})], "again")
        with pytest.raises(UsageError, match="no correction"):
            revert(office, 1, "a try")
        with pytest.raises(UsageError, match="no entry 99"):
            revert(office, 99, "a try")


def test_what_was_changed_again_is_not_taken_back_over_it(place: str) -> None:
    with office_of(place, [[Game("A", "B", 1.0, date=date(2025, 1, 1))]]) as office:
        first = correct(office, [Change("game", 1, {"score": 0.5, "other": 0.5})], "a draw")
        second = correct(office, [Change("game", 1, {"score": 0.0, "other": 1.0})], "a loss")
        with pytest.raises(DataError, match=f"changed again by entry {second.seq}"):
            revert(office, first.seq, "a try")
        revert(office, second.seq, "no")
        revert(office, first.seq, "no")
        assert office.store.row("select score, other from game") == (1.0, 0.0)


def test_a_failed_write_leaves_no_history_behind(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with office_of(place, [[Game("A", "B", 1.0, date=date(2025, 1, 1))]]) as office:
        before = exact(office)

        def broken(*_: Any) -> None:
            raise RuntimeError("in mid-write")

        with monkeypatch.context() as patched:
            patched.setattr("arpad.bureau.corrections.effect_of", broken)
            with pytest.raises(RuntimeError):
                correct(office, [Change("game", 1, {"score": 0.0, "other": 1.0})], "a loss")
        assert exact(office) == before
        correct(office, [Change("game", 1, {"score": 0.5, "other": 0.5})], "a draw")
        assert exact(office) == fresh([replace(Game("A", "B", 0.5), date=date(2025, 1, 1))], office)
        assert PEOPLE[0] in exact(office)


def goals(home: float, away: float) -> list[Game]:
    score = (1 + (home > away) - (home < away)) / 2
    facts = {"margin": abs(home - away), "fewer": min(home, away)}
    return [
        Game("A", "B", score, date=date(2025, 1, 1), **facts),
        Game("B", "C", 1.0, date=date(2025, 1, 8), margin=2.0),
    ]


@pytest.mark.parametrize("after", [(1, 1), (1, 4), (2, 1)])
def test_a_result_put_right_by_goals_is_rated_as_if_it_had_been_so(place: str, after: tuple[int, int]) -> None:
    with init(place, "elo:football") as office:
        assert taken(office, goals(4, 1)).accepted
        before = exact(office)
        done = correct(office, [by_goals(office, 1, *after)], "the referee's sheet")
        assert exact(office) == fresh(goals(*after), office)
        revert(office, done.seq, "no")
        assert exact(office) == before
        assert verify(office) == []


def test_a_result_that_the_margin_does_not_go_with_is_refused(place: str) -> None:
    with init(place, "elo:football") as office:
        taken(office, [*goals(4, 1), *[Game("C", "A", 0.5, date=date(2025, 2, 1), margin=0.0)]])
        for game, score in ((1, 0.5), (3, 1.0)):
            with pytest.raises(DataError, match="does not go with this result"):
                correct(office, [Change("game", game, {"score": score, "other": 1 - score})], "a slip")
        assert correct(office, [Change("game", 1, {"score": 0.0, "other": 1.0})], "sides changed").seq


@pytest.mark.parametrize("name", ["round", "board", "nth"])
def test_a_number_that_no_game_can_have_is_refused(place: str, name: str) -> None:
    with init(place, "elo") as office:
        taken(office, [Game("A", "B", 1.0)])
        for value in (-1, 2**31, 10**11):
            with pytest.raises(DataError, match="no number that there can be"):
                correct(office, [Change("game", 1, {name: value})], "a slip")
        assert correct(office, [Change("game", 1, {name: 2**31 - 1})], "as large as can be")
