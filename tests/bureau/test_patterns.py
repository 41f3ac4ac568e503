"""Unusual patterns: those of case C73 are listed, ordinary players are not, and no rating is touched."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.bureau import lists, patterns
from arpad.bureau.opened import Office, init
from arpad.bureau.patterns import Limits, Pattern
from arpad.bureau.register import enrol
from arpad.engine import replay
from arpad.errors import UsageError
from arpad.model import Game, Games, Start
from arpad.rulebooks import load
from arpad.settling import settled
from tests.bureau.worlds import exact, taken

#: 91 days from each to the next; before the first list, periods are as long as that.
JANUARY, APRIL, JULY = date(2024, 12, 31), date(2025, 4, 1), date(2025, 7, 1)
ORDINARY = tuple(f"O{number}" for number in range(20))
WEAK = tuple(f"W{number}" for number in range(20))


def some_games(
    who: str, count: int, scores: Sequence[float], first: date, days: int, others: Sequence[str]
) -> list[Game]:
    """So many games of one player against the others in turn, spread over so many days."""
    return [
        Game(
            who,
            others[number % len(others)],
            scores[number % len(scores)],
            date=first + timedelta(days=number * days // count),
            event=f"{who} {first}",
            round=number + 1,
        )
        for number in range(count)
    ]


@pytest.fixture
def office(place: str) -> Iterator[Office]:
    """A federation with quarterly lists: one plays 92 games and then 119, one weaker opponents alone; others."""
    with init(place, "elo", base=JANUARY) as made:
        ratings = {**dict.fromkeys(ORDINARY, 1800.0), **dict.fromkeys(WEAK, 1300.0), "Busy": 1800.0, "Far": 2000.0}
        enrol(made, [Start(name, rating, games=50) for name, rating in ratings.items()], ids="club")
        report = some_games("Busy", 92, [0.0, 0.5], JANUARY, 90, ORDINARY)
        report += some_games("Busy", 119, [1.0, 0.5], APRIL, 91, ORDINARY)
        report += some_games("Far", 18, [1.0], JANUARY + timedelta(days=2), 60, WEAK)
        report += some_games("Far", 2, [0.5], JANUARY + timedelta(days=70), 4, ORDINARY)
        report += some_games("O1", 9, [0.5], date(2025, 3, 22), 9, ORDINARY[2:11])  # one open just before the list
        report += some_games("O2", 30, [1.0, 0.5, 0.0], JANUARY, 85, ORDINARY[5:])
        assert taken(made, report).accepted
        lists.publish(made, APRIL)
        lists.publish(made, JULY)
        yield made


def named(office: Office, found: Sequence[Pattern]) -> list[tuple[str, date, tuple[str, ...]]]:
    numbers = {person: number for number, person in office.store.rows("select number, person from identifier")}
    return [(numbers[each.person], each.since, each.marks) for each in found]


def test_c73_many_games_around_list_dates_and_games_far_apart_are_shown_and_nothing_else(office: Office) -> None:
    before, head = exact(office), office.head
    found = patterns.patterns(office)
    assert named(office, found) == [
        ("Busy", JANUARY, ("games",)),
        ("Far", JANUARY, ("far",)),
        ("Busy", APRIL, ("games",)),
    ]
    first, far, second = found
    assert (first.games, first.until, first.far) == (92, APRIL, 0)
    assert (second.games, second.until) == (119, JULY)
    assert (far.games, far.far, far.far_share) == (20, 18, 0.9)
    ratings = lists.published(office, APRIL).table({}), lists.published(office, JULY).table({})
    held = [dict(zip(each.columns["person"], each.columns["rating_exact"])) for each in ratings]
    assert first.up - first.down == pytest.approx(held[0][first.person] - 1800)
    assert second.up - second.down == pytest.approx(held[1][first.person] - held[0][first.person])
    assert first.down > first.up
    assert second.up > 100
    assert 0 < far.far_points <= far.up == pytest.approx(held[0][far.person] - 2000 + far.down)
    assert (exact(office), office.head) == (before, head)
    assert not any("fraud" in str(each) or "cheat" in str(each) for each in found)


def test_c73_results_in_the_last_days_before_a_list(office: Office) -> None:
    late = some_games("O3", 20, [0.5], JULY - timedelta(days=6), 6, ORDINARY[4:])
    assert taken(office, late).accepted
    found = [each for each in patterns.patterns(office) if each.marks == ("late",)]
    assert named(office, found) == [("O3", APRIL, ("late",))]
    busy = 119 // 20  # how often Busy met each of the others, and one of them once more
    assert (found[0].late, found[0].games, found[0].late_share) == (20, 21 + busy, 20 / (21 + busy))
    assert patterns.patterns(office, since=JULY) == []
    shown = patterns.patterns(office, until=JANUARY, limits=Limits(games=30))
    assert named(office, shown) == [
        ("Busy", JANUARY, ("games",)),
        ("O2", JANUARY, ("games",)),
        ("Far", JANUARY, ("far",)),
    ]
    assert named(office, patterns.patterns(office, limits=Limits(games=93, share=0.95))) == [
        ("Busy", APRIL, ("games",))
    ]


def test_c73_games_after_the_last_list_and_without_one(office: Office, tmp_path: Path) -> None:
    assert taken(office, some_games("O4", 60, [0.5], JULY, 20, ORDINARY[5:])).accepted
    last = patterns.patterns(office)[-1]
    assert (last.games, last.since, last.until, last.late, last.late_share) == (60, JULY, None, None, None)
    with init(str(tmp_path / "other.db"), "elo") as other:
        enrol(other, [Start(name, 1800.0, games=50) for name in ("A", *ORDINARY)], ids="club")
        assert patterns.patterns(other) == []
        taken(other, some_games("A", 130, [0.5], date(2025, 1, 1), 59, ORDINARY))
        told = [(each.since, each.until, each.games, each.late) for each in patterns.patterns(other)]
        assert told == [(date(2025, 1, 1), date(2025, 2, 1), 69, None), (date(2025, 2, 1), date(2025, 3, 1), 61, None)]


def test_patterns_are_for_the_officers_and_limits_are_sensible(office: Office) -> None:
    office.audience = "members"
    with pytest.raises(UsageError, match="for officers alone"):
        patterns.patterns(office)
    office.audience = "officers"
    for limits in (Limits(games=0), Limits(share=0.0), Limits(share=1.5), Limits(share=float("nan")), Limits(days=-1)):
        with pytest.raises(UsageError, match=r"must be above zero|at most 1"):
            patterns.patterns(office, limits=limits)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["elo", "fide/standard", "glicko2", "asigc"]), st.booleans())
def test_columns_of_numpy_come_to_the_same_patterns(seed: int, rules: str, listed: bool) -> None:
    import numpy as np

    random_ = random.Random(seed)
    pairs = [random_.sample(range(6), 2) for _ in range(150)]
    start = date(2024, 7, 1).toordinal()
    days = sorted(start + day for day in random_.sample(range(200), len(pairs)))  # games of one day may change places
    games = Games.of(
        [
            Game(str(a + 1), str(b + 1), random_.choice([0.0, 0.5, 1.0]), date=date.fromordinal(day))
            for (a, b), day in zip(pairs, days)
        ]
    )
    names = ("first", "second", "score", "date")
    large = Games(
        **{name: getattr(games, name) for name in games.__struct_fields__ if name not in names},
        **{name: np.asarray(getattr(games, name), "int32") for name in names},
    )
    starts = [Start(str(number + 1), 1400.0 + 200 * number, games=40) for number in range(6)]
    published = [start + 100, start + 150] if listed else []
    limits = Limits(games=20, share=0.5, least=5)
    found, columns = [], []
    for each in (games, large):
        history = replay(each, load(rules), starts)
        columns.append([list(column) for column in settled(history)])
        periods = patterns._periods(history, published)
        counts = patterns._counts(history, periods, limits)
        found.append(sorted((one.period, history.players[one.code], one) for one in counts))
    for column, twin in zip(*columns, strict=True):
        assert column == pytest.approx(twin, nan_ok=True, rel=0, abs=0)
    for one, other in zip(*found, strict=True):
        assert one[:2] == other[:2]
        for name in ("games", "far", "late", "points", "up", "down"):
            assert getattr(one[2], name) == pytest.approx(getattr(other[2], name), abs=1e-9)
