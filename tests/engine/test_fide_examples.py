"""FIDE, standard chess: single games, published periods, K, floors, the uplift, each under the edition of its day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import pytest
from msgspec.structs import replace

from arpad.engine import History, replay
from arpad.explain import explain
from arpad.model import Act, Event, Game, Games, PartialDate, Start
from arpad.rulebooks import load
from tests.engine.helpers import coefficient, day, rated

BOOK = load("fide/standard")

#: A day within each edition that the examples name.
S2003, S2009, S2012, S2014 = date(2006, 5, 10), date(2010, 5, 10), date(2013, 5, 10), date(2015, 5, 10)
S2017, S2022, S2024, S2025 = date(2019, 5, 10), date(2022, 5, 10), date(2024, 5, 10), date(2025, 11, 10)

#: What makes a player of K 10, 15, 20, 30, 40 in the editions used here: games counted, highest rating.
STANDING = {10: (500, 2800), 15: (500, 0), 20: (500, 0), 30: (5, 0), 40: (5, 0)}


def event(
    own: float, k: int, met: Sequence[float], scores: Sequence[float], when: date, born: PartialDate | None = None
) -> History:
    """One event of one player, begun and ended on a day."""
    games_before, peak = STANDING[k]
    games = [Game("me", f"opponent {at}", score, date=when, event="open", round=at) for at, score in enumerate(scores)]
    start = [Start("me", own, games=games_before, peak=peak, born=born)]
    start += [Start(f"opponent {at}", rating, games=500, peak=2800) for at, rating in enumerate(met)]
    return rated(BOOK, games, start)


def exact(history: History) -> tuple[float, float]:
    """The change of `me` in the first batch before rounding, and K."""
    return exact_of(history, 0)


def exact_of(history: History, batch: int) -> tuple[float, float]:
    change = [change for change in history.recording.changes if change[1] == history.code("me")][batch]
    return round(change[7] * (change[5] - change[6]), 9), change[7]


EVERY = [S2009, S2012, S2014, S2017, S2022, S2024, S2025]


@pytest.mark.parametrize(
    ("own", "opponent", "score", "k", "days", "unrounded", "rounded"),
    [
        pytest.param(2000, 2000, 1, 10, EVERY, 5, 5, id="G1"),
        pytest.param(2003, 2000, 1, 10, EVERY, 5, 5, id="G2"),
        pytest.param(2004, 2000, 1, 10, EVERY, 4.9, 5, id="G3"),
        pytest.param(2206, 2000, 1, 10, EVERY, 2.4, 2, id="G4-206"),
        pytest.param(2207, 2000, 1, 10, EVERY, 2.3, 2, id="G4-207"),
        pytest.param(2391, 2000, 1, 10, EVERY, 0.9, 1, id="G5-391"),
        pytest.param(2392, 2000, 1, 10, EVERY, 0.8, 1, id="G5-392"),
        pytest.param(1656, 2000, 0, 10, EVERY, -1.2, -1, id="G6-344"),
        pytest.param(1655, 2000, 0, 10, EVERY, -1.1, -1, id="G6-345"),
        pytest.param(2600, 2100, 1, 10, [S2024], 0.8, 1, id="G7"),
        pytest.param(2649, 2149, 1, 10, [S2025], 0.8, 1, id="G8-2649"),
        pytest.param(2650, 2150, 1, 10, [S2025], 0.4, 0, id="G8-2650"),
        pytest.param(2650, 2150, 1, 10, [S2024], 0.8, 1, id="G8-2650-before"),
        pytest.param(2700, 1964, 1, 10, [S2025], 0, 0, id="G9"),
        pytest.param(2700, 1900, 0, 10, [S2025], -10, -10, id="G10"),
        pytest.param(2200, 2700, 0, 20, [S2025], -1.6, -2, id="G11"),
        pytest.param(1500, 1900, 0.5, 40, [S2014, S2017, S2024, S2025], 16.8, 17, id="G12"),
        pytest.param(2000, 1600, 0, 40, [S2014, S2017, S2024, S2025], -36.8, -37, id="G13"),
        pytest.param(1500, 2000, 0.5, 20, [S2024], 8.4, 8, id="G14"),
        pytest.param(2092, 2000, 1, 15, [S2009], 5.55, 6, id="G15"),
        pytest.param(2000, 2092, 0.5, 30, [S2012], 3.9, 4, id="G16"),
    ],
)
def test_single_games(
    own: float, opponent: float, score: float, k: int, days: Sequence[date], unrounded: float, rounded: float
) -> None:
    for when in days:
        history = event(own, k, [opponent], [score], when)
        assert exact(history) == (unrounded, k)
        assert history.rating("me") == own + rounded


@pytest.mark.parametrize(
    ("when", "unrounded"),
    [(S2003, 3.3), (S2012, 2.4), (S2024, 2.4), (S2022, 1.8)],
    ids=["S2003", "S2012", "S2024", "S2022"],
)
def test_g17_three_wins_over_much_weaker_players(when: date, unrounded: float) -> None:
    for met in ([2000, 1950, 2050], [1950, 2000, 2050], [2050, 2000, 1950]):
        history = event(2500, 10, met, [1, 1, 1], when)
        assert exact(history) == (unrounded, 10)
        assert history.rating("me") == 2500 + round(unrounded)


def test_g17_one_upgrade_an_event_and_one_in_the_next() -> None:
    games = [Game("me", name, 1, date=S2022, event=title) for title in ("one", "two") for name in ("a", "b")]
    start = [Start("me", 2500, 500, 2800), Start("a", 1950, 500), Start("b", 2000, 500)]
    # In each event the 550 counts as 400 (.08), the 500 as it is (.04).
    assert exact(rated(BOOK, games, start)) == (2.4, 10)


def test_g17_the_weaker_side_is_capped_in_every_game() -> None:
    history = event(1900, 20, [2500, 2400], [0, 0], S2022)
    assert exact(history) == (-3.2, 20)


@pytest.mark.parametrize(("opponent", "change"), [(2036, 1), (1964, -1), (2190, 3), (1810, -3)])
def test_half_points_round_away_from_zero(opponent: float, change: int) -> None:
    """Draws at K 10 that bring +0.5, -0.5, +2.5, -2.5."""
    history = event(2000, 10, [opponent], [0.5], S2024)
    assert abs(exact(history)[0]) == abs(change) - 0.5
    assert history.rating("me") == 2000 + change


def test_a_period_is_rounded_once() -> None:
    """Two events of +0.3 in one period make one point; rounded event by event they would make none."""
    games = [
        Game("me", "a", 1, date=S2025, event="one"),
        Game("me", "b", 1, date=S2025 + timedelta(days=3), event="two"),
    ]
    start = [Start("me", 2700, 500), Start("a", 2162, 500), Start("b", 2162, 500)]
    history = rated(BOOK, games, start)
    assert exact(history) == (0.6, 10)
    assert history.rating("me") == 2701


def test_p1_no_cap_for_a_player_of_2813() -> None:
    history = event(2813, 10, [1787, 2025, 2310, 2400, 2505], [1, 1, 1, 1, 0.5], S2025)
    assert [round(gain, 9) for gain in history.recording.gains[::2]] == [0, 0, 0.04, 0.07, -0.36]
    assert exact(history) == (-2.5, 10)
    assert history.rating("me") == 2810


def test_p2() -> None:
    history = event(2395, 10, [1900, 1950, 1990, 2205, 2325], [1, 1, 1, 0.5, 0], date(2025, 10, 31))
    assert exact(history) == (-6.1, 10)
    assert history.rating("me") == 2389


def test_p3() -> None:
    history = event(2400, 10, [1900, 1990, 2121, 2813, 2084], [1, 1, 1, 0, 1], S2025)
    assert exact(history) == (3.7, 10)
    assert history.rating("me") == 2404


def test_p4() -> None:
    history = event(2053, 20, [1675, 2310, 1600, 1884, 2218], [1, 0, 1, 1, 0], S2025)
    assert exact(history) == (-0.2, 20)
    assert history.rating("me") == 2053


P5_FIRST = [
    (2406, 0, -0.11),
    (1908, 1, 0.3),
    (2220, 1, 0.72),
    (2216, 0, -0.29),
    (2204, 0.5, 0.2),
    (2189, 1, 0.68),
    (2223, 0, -0.28),
    (2221, 0.5, 0.22),
]


def test_p5_thirty_nine_games() -> None:
    """The first event as published; of the other four the sums: together +5.44 in 39 games, K 17 of 20."""
    history = event(2054, 20, [rating for rating, *_ in P5_FIRST], [score for _, score, _ in P5_FIRST], S2025)
    assert [round(gain, 9) for gain in history.recording.gains[::2]] == [delta for *_, delta in P5_FIRST]
    assert exact(history) == (28.8, 20)
    # 31 more games that bring 1.14 + 2.34 + 0.79 - 0.27 = 4.00: eight wins over equals among draws.
    met = [rating for rating, *_ in P5_FIRST] + [2054.0] * 31
    scores = [score for _, score, _ in P5_FIRST] + [1.0] * 8 + [0.5] * 23
    whole = event(2054, 20, met, scores, S2025)
    assert exact(whole) == (92.48, 17)
    assert whole.rating("me") == 2146


@pytest.mark.parametrize(
    ("when", "facts", "k"),
    [
        pytest.param(date(2024, 5, 1), {"rating": 2405, "games": 12, "age": 15}, 10, id="K1"),
        pytest.param(date(2026, 12, 1), {"rating": 2250, "games": 200, "age": 18}, 40, id="K2"),
        pytest.param(date(2027, 1, 1), {"rating": 2250, "games": 200, "age": 19}, 20, id="K3"),
        pytest.param(date(2026, 1, 1), {"rating": 2240, "games": 150, "peak": 2310, "age": 16}, 20, id="K4"),
        pytest.param(date(2024, 5, 1), {"rating": 1700, "games": 29}, 40, id="K5-29"),
        pytest.param(date(2024, 5, 1), {"rating": 1700, "games": 30}, 20, id="K5-30"),
        pytest.param(date(2024, 5, 1), {"rating": 2310, "games": 500, "peak": 2400}, 10, id="K6"),
        pytest.param(date(2024, 5, 1), {"rating": 1700, "games": 0, "batch": 18}, 38, id="K7-18"),
        pytest.param(date(2024, 5, 1), {"rating": 1700, "games": 0, "batch": 17}, 40, id="K7-17"),
        pytest.param(date(2024, 5, 1), {"rating": 1700, "games": 0, "batch": 36}, 19, id="K7-36"),
        pytest.param(date(2024, 5, 1), {"rating": 1700, "games": 99, "batch": 35}, 20, id="K8-35"),
        pytest.param(date(2024, 5, 1), {"rating": 1700, "games": 99, "batch": 36}, 19, id="K8-36"),
        pytest.param(date(2024, 5, 1), {"rating": 2500, "games": 99, "batch": 70}, 10, id="K8-70"),
        pytest.param(date(2024, 5, 1), {"rating": 2500, "games": 99, "batch": 71}, 9, id="K8-71"),
        pytest.param(date(2014, 7, 1), {"rating": 1700, "games": 0, "batch": 19}, 40, id="no-limit-in-2014"),
        pytest.param(date(2013, 1, 1), {"rating": 2000, "games": 100}, 15, id="K9-established"),
        pytest.param(date(2013, 1, 1), {"rating": 2000, "games": 10}, 30, id="K9-newcomer"),
        pytest.param(date(2013, 1, 1), {"rating": 2300, "games": 100, "peak": 2400}, 10, id="K9-once-2400"),
        pytest.param(date(2010, 1, 1), {"rating": 2000, "games": 10}, 25, id="K-2010"),
    ],
)
def test_k(when: date, facts: dict[str, float], k: float) -> None:
    assert coefficient(BOOK, when, **facts) == k


def test_k2_k3_the_year_of_birth_counts_and_the_list_changes_it() -> None:
    for when, k in ((date(2026, 12, 5), 40), (date(2027, 1, 5), 20)):
        games = [Game("me", "a", 1, date=when, event="open")]
        start = [Start("me", 2250, games=200, peak=2250, born=PartialDate(2008)), Start("a", 2250, games=200)]
        assert rated(BOOK, games, start).rating("me") == 2250 + k / 2


def test_k_counts_games_between_lists_not_within_one() -> None:
    """29 games: the whole list at 40; with the next one at 20."""
    games = [Game("me", "a", 0.5, date=date(2024, 5, at), event=f"open {at}") for at in range(1, 4)]
    games.append(Game("me", "a", 0.5, date=date(2024, 6, 1), event="june"))
    history = rated(BOOK, games, [Start("me", 1700, games=29), Start("a", 1700, games=500)])
    assert [change[7] for change in history.recording.changes if change[1] == history.code("me")] == [40, 20]


# ------------------------------------------------------------------------------ both sides of each edition


def on_lists(
    own: float, opponent: float, score: float, begins: date, list_day: date, games: int = 500, peak: float = 0
) -> tuple[float, float]:
    """A game of an event that began on one day and is rated in the period of another: exact change, and K."""
    columns = Games.of([Game("me", "other", score, date=list_day, event="open")])
    columns = replace(columns, events=[Event("open", begins.toordinal(), list_day.toordinal())])
    history = replay(columns, BOOK, [Start("me", own, games, peak), Start("other", opponent, 500, 2800)])
    return exact(history)


@pytest.mark.parametrize(
    ("change", "own", "opponent", "before", "after"),
    [
        pytest.param(date(2003, 7, 1), 2800, 2300, 0.04, 0.11, id="350-in-2003"),
        pytest.param(date(2009, 7, 1), 2800, 2300, 0.11, 0.08, id="400-in-2009"),
        pytest.param(date(2025, 10, 1), 2800, 2300, 0.08, 0.04, id="2650-in-2025"),
    ],
)
def test_the_day_an_event_begins_selects_the_cap(
    change: date, own: float, opponent: float, before: float, after: float
) -> None:
    """The event is rated with the new edition's list either way; what it began under decides."""
    eve = change - timedelta(days=1)
    later = change + timedelta(days=2)
    for begins, gain in ((eve, before), (change, after)):
        found, k = on_lists(own, opponent, 1, begins, later, peak=2800)
        assert (found, k) == (round(10 * gain, 9), 10)


def test_2022_one_upgrade_begins_and_ends_with_events() -> None:
    for begins, later, unrounded in (
        (date(2021, 12, 31), date(2022, 1, 2), 1.6),
        (date(2022, 1, 1), date(2022, 1, 2), 1.2),
        (date(2024, 2, 29), date(2024, 3, 2), 1.2),
        (date(2024, 3, 1), date(2024, 3, 2), 1.6),
    ):
        columns = Games.of([Game("me", name, 1, date=later, event="open") for name in "ab"])
        columns = replace(columns, events=[Event("open", begins.toordinal(), later.toordinal())])
        start = [Start("me", 2500, 500, 2800), Start("a", 2000, 500), Start("b", 2000, 500)]
        assert exact(replay(columns, BOOK, start)) == (unrounded, 10), begins


@pytest.mark.parametrize(
    ("change", "games", "before", "after"),
    [
        pytest.param(date(2003, 7, 1), 100, 10, 15, id="15-in-2003"),
        pytest.param(date(2011, 7, 1), 10, 25, 30, id="30-in-2011"),
        pytest.param(date(2014, 7, 1), 100, 15, 20, id="20-in-2014"),
        pytest.param(date(2014, 7, 1), 10, 30, 40, id="40-in-2014"),
    ],
)
def test_the_list_selects_k(change: date, games: int, before: float, after: float) -> None:
    """K is that of the period in which the event ends, whatever edition its expectation comes from."""
    eve = change - timedelta(days=1)
    assert on_lists(2300, 2300, 1, eve, eve, games)[1] == before
    assert on_lists(2300, 2300, 1, change, change, games)[1] == after
    assert on_lists(2300, 2300, 1, eve, change, games)[1] == after
    assert coefficient(BOOK, eve, rating=2300, games=games) == before
    assert coefficient(BOOK, change, rating=2300, games=games) == after


@pytest.mark.parametrize(("change", "batch", "before", "after"), [(date(2017, 7, 1), 36, 20, 19)], ids=["700-in-2017"])
def test_the_list_selects_the_limit(change: date, batch: float, before: float, after: float) -> None:
    assert coefficient(BOOK, change - timedelta(days=1), rating=2000, games=100, batch=batch) == before
    assert coefficient(BOOK, change, rating=2000, games=100, batch=batch) == after


def test_mean_opponent_before_2005() -> None:
    """n times the expectation against the mean until the end of 2004, game by game from 2005."""
    # own 2400 v 2300 and 2100: mean 2200, .76 twice; singly .64 + .85.
    old = event(2400, 10, [2300, 2100], [1, 1], date(2004, 12, 10))
    new = event(2400, 10, [2300, 2100], [1, 1], date(2005, 1, 10))
    assert exact(old) == (4.8, 10)
    assert exact(new) == (5.1, 10)


def test_an_event_of_2004_and_one_of_2005_in_one_period() -> None:
    """The one by the mean opponent, the other game by game, both in the sum of the quarter."""
    columns = Games.of(
        [
            Game("me", name, 1, date=date(2005, 1, when), event=title)
            for name, when, title in (("a", 2, "old"), ("b", 2, "old"), ("a", 9, "new"), ("b", 9, "new"))
        ]
    )
    columns = replace(
        columns,
        events=[Event("old", day("2004-12-28"), day("2005-01-02")), Event("new", day("2005-01-09"), day("2005-01-09"))],
    )
    start = [Start("me", 2400, 500, 2800), Start("a", 2300, 500, 2800), Start("b", 2100, 500, 2800)]
    history = replay(columns, BOOK, start)
    assert exact(history) == (round(4.8 + 5.1, 9), 10)
    assert explain(history, "me")[0].gain == pytest.approx(0.99)


def test_the_mean_opponent_is_met_with_the_list_of_the_first_day() -> None:
    """An event across New Year 2004: both own and opponents' ratings are those of the October list."""
    columns = Games.of(
        [
            Game("me", "c", 1, date=date(2003, 12, 1), event="december"),
            Game("me", "a", 1, date=date(2004, 1, 3), event="across"),
            Game("me", "b", 1, date=date(2004, 1, 3), event="across"),
        ]
    )
    spans = [
        Event("december", day("2003-12-01"), day("2003-12-01")),
        Event("across", day("2003-12-28"), day("2004-01-03")),
    ]
    start = [
        Start("me", 2400, 5),
        Start("a", 2300, 500, 2800),
        Start("b", 2100, 500, 2800),
        Start("c", 2400, 500, 2800),
    ]
    history = replay(replace(columns, events=spans), BOOK, start)
    # K 25: 12.5 -> 13 in December; then 2 - 2 x .76 (D 200) at 2400, though 2413 is held by now (D 213 would be .77).
    assert exact_of(history, -1) == (12, 25)
    assert history.rating("me") == 2400 + 13 + 12


@pytest.mark.parametrize(
    ("when", "floor"),
    [
        (date(1992, 6, 30), 2200),
        (date(1992, 7, 1), 2000),
        (date(2001, 1, 10), 1801),
        (date(2003, 9, 30), 1801),
        (date(2003, 10, 1), 1600),
        (date(2006, 1, 10), 1400),
        (date(2009, 3, 31), 1400),
        (date(2009, 4, 1), 1200),
        (date(2012, 4, 30), 1200),
        (date(2012, 5, 1), 1000),
        (date(2024, 1, 31), 1000),
        (date(2024, 3, 1), 1400),
    ],
)
def test_who_falls_below_the_floor_leaves_the_list(when: date, floor: int) -> None:
    """A player at the floor loses and is unrated; one who draws stays. The floor is that of the next list (1.1, 2)."""
    assert event(floor, 20, [floor], [0], when).rating("me") is None
    assert event(floor, 20, [floor], [0.5], when).rating("me") == floor


# ------------------------------------------------------------------------------------------- uplift of 2024


UPLIFTED = {
    "a": (1000, 1400),
    "b": (1501, 1701),
    "c": (1999, 1999),
    "d": (2000, 2000),
    "e": (1600, 1760),
    "f": (999, 999),
    "g": (1437, 1662),
}
BYSTANDERS = [Start("x", 2200, 500), Start("y", 2200, 500)]


def with_games_of(days: Sequence[date]) -> History:
    """Those who are uplifted do not play; two others do on the days given."""
    games = [Game("x", "y", 0.5, date=when, event=str(when)) for when in days]
    return rated(BOOK, games, [*(Start(name, before, 500) for name, (before, _) in UPLIFTED.items()), *BYSTANDERS])


@pytest.mark.parametrize(
    ("days", "applied"),
    [
        pytest.param([date(2024, 1, 10)], False, id="before"),
        pytest.param([date(2024, 2, 10)], True, id="the list of 1 March comes of the games of February"),
        pytest.param([date(2024, 2, 10), date(2024, 3, 10), date(2025, 11, 10)], True, id="once"),
        pytest.param([date(2024, 3, 10), date(2024, 4, 10)], False, id="ratings of a March list are uplifted already"),
        pytest.param([date(2024, 5, 10)], False, id="long after"),
    ],
)
def test_m7_uplift_of_1_march_2024(days: Sequence[date], applied: bool) -> None:
    history = with_games_of(days)
    for name, (before, after) in UPLIFTED.items():
        assert history.rating(name) == (after if applied else before), name
    assert history.rating("x") == 2200


def test_m7_games_of_march_are_rated_with_the_uplifted_ratings() -> None:
    games = [
        Game("x", "y", 0.5, date=date(2024, 2, 10), event="feb"),
        Game("b", "c", 0.5, date=date(2024, 3, 10), event="mar"),
    ]
    history = rated(BOOK, games, [Start("b", 1501, 500), Start("c", 1701, 500), *BYSTANDERS])
    assert list(history.recording.before[2:4]) == [1701, 1821]


@pytest.mark.parametrize(
    ("entered", "applied"),
    [("2024-01-01", True), ("2024-02-29", True), ("2024-03-01", False), ("2024-03-02", False)],
)
@pytest.mark.parametrize("played", [date(2024, 3, 10), date(2024, 4, 10)])
def test_m7_ratings_that_acts_gave_before_are_uplifted(entered: str, applied: bool, played: date) -> None:
    acts = [
        Act("entry", name, date.fromisoformat(entered).toordinal(), rating, 500)
        for name, rating in (("b", 1501), ("g", 1437), ("x", 2200), ("y", 2200))
    ]
    history = rated(BOOK, [Game("x", "y", 0.5, date=played, event="open")], [], acts)
    assert (history.rating("b"), history.rating("g")) == ((1701, 1662) if applied else (1501, 1437))
    assert history.rating("x") == 2200


@pytest.mark.parametrize("name", ["fide/standard", "dsu"])
@pytest.mark.parametrize("days", [(0,), (-40, 0), (-40, -1), (-40, 1), (0, 0), (-40, 0, 1)])
@pytest.mark.parametrize("look", [(), (-1,), (0,), (20,)])
def test_m7_a_revaluation_comes_once_before_its_days_acts_also_from_a_checkpoint(
    name: str, days: Sequence[int], look: Sequence[int]
) -> None:
    book = load(name)
    when = next(uplift.date for edition in book.editions for uplift in edition.uplift if uplift.date.year == 2024)
    day = when.toordinal()
    acts = [Act("entry", f"p{at}", day + off, 1500, 500) for at, off in enumerate(days)]
    later = [Act("entry", "q", day + 60, 1500, 500)]
    first = rated(book, [], acts=acts, looks=[day + off for off in look])
    whole = rated(book, [], acts=[*acts, *later])
    going_on = rated(book, [], first.checkpoint(), later)
    for at, off in enumerate(days):
        expected = 1700 if off < 0 and name == "fide/standard" else 1750 if off < 0 else 1500
        assert whole.rating(f"p{at}") == going_on.rating(f"p{at}") == expected
        if look and look[0] >= max(days):
            seen = first.looked[0].state[first.system.width * first.code(f"p{at}")]
            assert seen == (expected if look[0] >= 0 else 1500)


@pytest.mark.parametrize("on", [date(2024, 5, 31), date(2024, 6, 1)])
def test_a_list_of_the_day_before_a_revaluation_is_without_it(on: date) -> None:
    """The Danish one of 1 June 2024, after an event that ended on the day before."""
    games = [Game("x", "y", 0.5, date=date(2024, 5, day), event="open") for day in (20, 31)]
    history = rated("dsu", games, {"x": 1500.0, "y": 1500.0}, on=on)
    assert history.rating("x") == (1500 if on.month == 5 else 1750)
    going_on = rated("dsu", [Game("x", "y", 0.5, date=date(2024, 6, 8), event="next")], history.checkpoint())
    assert going_on.rating("x") == 1750


def test_m7_from_a_checkpoint_once() -> None:
    first = with_games_of([date(2024, 2, 10)])
    second = rated(BOOK, [Game("x", "y", 0.5, date=date(2024, 3, 10), event="mar")], first.checkpoint())
    third = rated(BOOK, [Game("x", "y", 0.5, date=date(2024, 4, 10), event="apr")], second.checkpoint())
    assert [third.rating(name) for name in UPLIFTED] == [after for _, after in UPLIFTED.values()]
    earlier = with_games_of([date(2024, 1, 10)])
    later = rated(BOOK, [Game("x", "y", 0.5, date=date(2024, 3, 10), event="mar")], earlier.checkpoint())
    assert [later.rating(name) for name in UPLIFTED] == [after for _, after in UPLIFTED.values()]


# ------------------------------------------------------------------------------------------ lists and bases


def test_an_event_uses_the_list_of_its_first_day() -> None:
    """31 October to 2 November: rated for the December list with the ratings of October; the base is November's."""
    columns = Games.of(
        [
            Game("me", "a", 1, date=date(2025, 10, 5), event="october"),
            Game("me", "b", 1, date=date(2025, 11, 2), event="across"),
            Game("me", "c", 1, date=date(2025, 11, 9), event="november"),
        ]
    )
    spans = {
        "october": ("2025-10-05", "2025-10-05"),
        "across": ("2025-10-31", "2025-11-02"),
        "november": ("2025-11-09", "2025-11-09"),
    }
    columns = replace(columns, events=[Event(each.name, *map(day, spans[each.name])) for each in columns.events])
    start = [Start("me", 2000, 500), *(Start(name, 2000, 500) for name in "abc")]
    history = replay(columns, BOOK, start)
    recording = history.recording
    assert [recording.before[2 * row] for row in range(3)] == [2000, 2000, 2010]
    assert history.rating("me") == 2010 + round(20 * (0.5 + 0.49))


def test_a_correction_of_the_base_is_an_act_with_its_reason() -> None:
    games = [Game("me", "a", 0.5, date=S2025, event="open")]
    acts = [Act("adjustment", "me", day("2025-11-01"), 1, reason="late correction of the list", source="letter 7")]
    history = rated(BOOK, games, [Start("me", 2052, 500), Start("a", 2053, 500)], acts)
    assert history.recording.before[0] == 2053
    assert history.rating("me") == 2053
    assert (history.acts[0].before, history.acts[0].after, history.acts[0].act.reason) == (
        2052,
        2053,
        "late correction of the list",
    )
