"""The list, the changes and the games: the same whether columns are numpy's or not, and adding up."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator
from datetime import date
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import arpad
from arpad import engine, pools, views
from arpad.formats import Table
from arpad.formats.aligned import aligned
from arpad.merging import merged
from arpad.model import Game, Games, Labels, Start
from arpad.rulebooks import load

OUTCOMES = st.sampled_from([0.0, 0.5, 1.0])


def as_numpy(games: Games) -> Games:
    """The same games with numpy columns."""
    columns: dict[str, Any] = {name: getattr(games, name) for name in Games.__match_args__}
    for name, value in columns.items():
        if isinstance(value, array):
            columns[name] = np.array(value, {"i": "int32", "d": "float64", "B": "uint8"}[value.typecode])
    columns["labels"] = {name: Labels(np.array(each.codes, "int32"), each.names) for name, each in games.labels.items()}
    return Games(**columns)


@st.composite
def some_games(draw: st.DrawFn) -> list[Game]:
    games = []
    for number in range(draw(st.integers(0, 12))):
        first, second = draw(st.permutations("ABCDEF"))[:2]
        day = date(2024, 1, 1 + draw(st.integers(0, 27)))
        event = draw(st.sampled_from(["Open", "Cup"]))
        games.append(Game(first, second, draw(OUTCOMES), date=day, event=event, round=number % 3, id=f"g{number:02}"))
    return games


def replayed(games: Games, rules: str = "elo", **settings: Any) -> engine.History:
    return engine.replay(games, load(rules, settings))


def same(one: Table, other: Table) -> None:
    assert one.rows() == other.rows()
    assert list(one.columns) == list(other.columns)


class Counted(list[Any]):
    """A sequence that knows how often it was walked along."""

    walks = 0

    def __iter__(self) -> Iterator[Any]:
        self.walks += 1
        return super().__iter__()


def test_a_list_looks_at_its_acts_once_and_not_for_each_player() -> None:
    games = [Game(f"P{number:02}", f"P{number + 1:02}", 1.0, date=date(2024, 1, 1)) for number in range(40)]
    history = replayed(Games.of(games))
    acts = Counted(history.acts)
    views.ratings(msgspec.structs.replace(history, acts=acts))
    assert acts.walks == 1


@given(some_games(), st.sampled_from(["game", "event", "period:week"]))
def test_numpy_columns_give_the_same_tables(games: list[Game], unit: str) -> None:
    if not games:
        return
    plain = replayed(Games.of(games), unit=unit)
    vector = replayed(as_numpy(Games.of(games)), unit=unit)
    for view in (views.ratings, views.changes, views.games):
        same(view(plain), view(vector))
    assert views.unrated(plain) == views.unrated(vector)
    assert pools.groups(plain.games) == pools.groups(vector.games)


@given(some_games(), st.sampled_from(["game", "event", "period:week"]))
def test_changes_lead_from_the_start_to_the_list(games: list[Game], unit: str) -> None:
    if not games:
        return
    history = replayed(Games.of(games), unit=unit)
    rating = dict.fromkeys(history.players, 1500.0)
    for row in views.changes(history).rows():
        assert row["before"] == rating[row["player"]]
        assert row["change"] == row["after"] - row["before"]
        assert row["change"] == pytest.approx(row["k"] * (row["score"] - row["expected"]))
        rating[row["player"]] = row["after"]
    assert rating == {row["player"]: row["rating_exact"] for row in views.ratings(history).rows()}


@given(some_games(), st.sampled_from(["game", "event", "period:week"]))
def test_games_of_a_batch_add_up_to_its_change(games: list[Game], unit: str) -> None:
    if not games:
        return
    history = replayed(Games.of(games), unit=unit)
    by_game = sum(row["change"] for row in views.games(history).rows() if row["player"] == "A")
    by_batch = sum(row["change"] for row in views.changes(history).rows() if row["player"] == "A")
    assert by_game == pytest.approx(by_batch)
    assert len(views.games(history)) == 2 * len(games)


def test_C63_equal_ratings_share_a_rank_and_stand_by_name() -> None:
    start = [Start(name, rating) for name, rating in (("d", 1400), ("c", 1500), ("a", 1600), ("b", 1500), ("e", None))]
    for like in (Games.of([]), as_numpy(Games.of([]))):
        history = engine.replay(like, load("elo"), start)
        assert [(row["rank"], row["player"]) for row in views.ratings(history).rows()] == [
            (1, "a"),
            (2, "b"),
            (2, "c"),
            (4, "d"),
        ]
        assert views.unrated(history) == 1


def test_C63_250_equal_players_have_one_order() -> None:
    names = [f"player {number:03}" for number in range(250)]
    start = [Start(name, 1500) for name in sorted(names, key=lambda name: name[::-1])]
    listed = views.ratings(engine.replay(Games.of([]), load("elo"), start))
    assert list(listed.columns["player"]) == names
    assert set(listed.columns["rank"]) == {1}


def test_published_ratings_are_whole_and_exact_ones_are_kept() -> None:
    games = [Game("A", "B", 0.5, date=date(2005, 11, 3))]
    start = [Start("A", 2000.4, games=100, peak=2050), Start("B", 1990.7, games=100)]
    for like in (Games.of(games), as_numpy(Games.of(games))):
        first = views.ratings(engine.replay(like, load("asigc"), start)).rows()[0]
        exact = first.pop("rating_exact")
        assert exact == pytest.approx(2000.3, abs=0.2)
        assert exact != 2000
        day = date(2005, 11, 3)
        assert first == {"rank": 1, "player": "A", "rating": 2000, "games": 101, "peak": 2050, "last_date": day}
        assert isinstance(first["rating"], int)


def test_a_game_that_is_not_rated_says_why() -> None:
    games = [Game("A", "B", 1.0), Game("B", "C", 1.0), Game("C", "D", 0.5)]
    for like in (Games.of(games), as_numpy(Games.of(games))):
        history = engine.replay(like, load("elo", {"start": "none"}), [Start("A", 1500), Start("B", 1500)])
        rows = views.games(history).rows()
        assert [row["note"] for row in rows] == [
            None,
            None,
            "the opponent is unrated",
            "the player is unrated",
            "both players are unrated",
            "both players are unrated",
        ]
        assert [row["change"] for row in rows] == [16, -16, None, None, None, None]
        assert [row["k"] for row in rows] == [32, 32, None, None, None, None]
        assert len(views.changes(history)) == 2


def test_the_last_date_is_of_the_last_game_whatever_the_order() -> None:
    games = [
        Game("A", "B", 1.0, date=date(2025, 3, 9), event="early end"),
        Game("A", "C", 1.0, date=date(2025, 3, 1), event="late end"),
        Game("C", "B", 1.0, date=date(2025, 3, 20), event="late end"),
    ]
    for like in (Games.of(games), as_numpy(Games.of(games))):
        rows = views.ratings(replayed(like, unit="event")).rows()
        days = {row["player"]: row["last_date"] for row in rows}
        assert days == {"A": date(2025, 3, 9), "B": date(2025, 3, 20), "C": date(2025, 3, 20)}


def test_a_heading_names_body_list_edition_and_day() -> None:
    history = replayed(Games.of([Game("A", "B", 1.0, date=date(2025, 11, 3), event="Open")]), "fide/standard")
    heading = views.heading(history)
    assert (heading.organisation, heading.rulebook, heading.edition) == ("FIDE", "fide/standard", "2025-10-01")
    assert heading.words("it").startswith(
        "FIDE: Elo FIDE, gioco standard (fide/standard, edizione del 2025-10-01), al 2025-12-01"
    )


def brute(games: Games) -> list[int]:
    groups: list[set[int]] = []
    for pair in zip(games.first, games.second):
        joined = set(map(int, pair)).union(*(group for group in groups if group & set(pair)))
        groups = [group for group in groups if not group & joined] + [joined]
    return sorted(map(len, groups), reverse=True)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)).filter(lambda pair: pair[0] != pair[1]), max_size=60))
def test_groups_are_who_ever_met(pairs: list[tuple[int, int]]) -> None:
    games = Games.of(Game(str(a), str(b), 1.0) for a, b in pairs)
    assert pools.groups(games) == pools.groups(as_numpy(games)) == brute(games)


@given(some_games(), st.integers(0, 12), st.booleans(), st.booleans())
def test_files_read_as_one_are_rated_as_one(games: list[Game], cut: int, first: bool, second: bool) -> None:
    parts = [Games.of(games[:cut]), Games.of(games[cut:])]
    mixed = [as_numpy(part) if vector else part for part, vector in zip(parts, (first, second))]
    whole, problems = merged(mixed)
    assert problems == []
    assert whole.players == Games.of(games).players
    same(views.ratings(replayed(whole)), views.ratings(replayed(Games.of(games))))


def test_files_that_know_different_things_are_joined() -> None:
    first = Games.of([Game("A", "B", 1.0, date=date(2025, 1, 1), round=3, labels={"stage": "final"})], "one")
    second = Games.of(
        [Game("B", "C", 0.75, 0.25, margin=2.0, neutral=True, knockout=False), Game("C", "A", None)], "two"
    )
    games, _ = merged([first, second])
    assert list(games.players) == ["A", "B", "C"]
    assert [games.scores[code] for code in games.score] == [(1.0, 0.0), (0.75, 0.25)]
    assert games.round is not None
    assert (list(games.round), list(games.neutral), list(games.knockout)) == ([3, 0], [0, 1], [2, 0])  # type: ignore[arg-type]
    assert [games.labels["stage"][row] for row in (0, 1)] == ["final", ""]
    assert (games.pending, games.source) == (1, "one, two")


def test_an_id_that_an_earlier_file_has_is_refused() -> None:
    first = Games.of([Game("A", "B", 1.0, id="x")], "one")
    second = Games.of([Game("A", "B", 1.0, id="x"), Game("B", "C", 1.0, id="y")], "two")
    games, problems = merged([first, second])
    assert len(games) == 2
    assert [str(problem) for problem in problems] == ["two:1: id 'x' is also that of one:1"]


@pytest.mark.parametrize(("later", "events"), [(date(2025, 1, 20), 1), (date(2026, 1, 5), 2)])
def test_an_event_goes_on_in_the_next_file_if_the_dates_allow_it(later: date, events: int) -> None:
    first = Games.of([Game("A", "B", 1.0, date=date(2025, 1, 5), event="Open")])
    second = Games.of([Game("A", "B", 1.0, date=later, event="Open")])
    games, _ = merged([first, second])
    assert len(games.events) == events
    assert games.events[-1].end == later.toordinal()


def test_games_are_told_in_one_order_from_every_source() -> None:
    import pyarrow as pa

    source = random.Random(3)
    players = [f"P{number}" for number in range(40)]
    records = []
    for _ in range(400):
        white, black = source.sample(players, 2)
        result = source.choice(["1-0", "0-1", "1/2-1/2"])
        day = f"2025-03-{source.randrange(1, 20):02d}"
        records.append({"date": day, "white": white, "black": black, "result": result})
    for unit in ("game", "period:month"):
        told = arpad.replay(records, settings={"unit": unit}).games().rows()
        source.shuffle(records)
        for same in (records, pa.Table.from_pylist(records)):
            assert arpad.replay(same, settings={"unit": unit}).games().rows() == told


def test_a_table_shows_names_as_they_are_written_and_no_controls() -> None:
    persian, family, spaced = (
        "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
        "\U0001f469\u200d\U0001f467",
        "Anna\xa0Rossi",
    )
    lines = aligned({"player": [persian, family, spaced, "a\x1b[31mb", "c\u202ed", "e\nf"]})
    assert lines[1:] == [persian, family, "Anna Rossi", "a\ufffd[31mb", "c\ufffdd", "e\ufffdf"]
