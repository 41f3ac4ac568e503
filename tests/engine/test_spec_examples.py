"""Worked examples of regulations and of articles about them, FIDE's apart, and every named part of the grammar."""

from __future__ import annotations

import math
from datetime import date, timedelta
from pathlib import Path

import pytest

from arpad import kernel
from arpad.engine import replay
from arpad.errors import DataError, RulebookError
from arpad.model import Act, Event, Game, Games, Start
from arpad.rulebooks import load
from arpad.systems.elo import compile_rulebook
from tests.engine.helpers import club, coefficient, day, expected, rated

# ------------------------------------------------------------------------------------------------ ASIGC


@pytest.mark.parametrize(
    ("own", "games", "opponent", "score", "expect", "k", "surprise", "after"),
    [
        (1890, 120, 1771, 1, 0.66, 17, 1, 1895.78),
        (1771, 120, 1890, 0, 0.34, 20 + 29 / 30, 1, 1763.8713),
        (1890, 120, 1771, 0, 0.66, 17, 1.25, 1875.975),
        (1771, 30, 1890, 1, 0.34, 31.45, 1.25, 1796.94625),
        (1800, 0, 1800, 1, 0.5, 30, 1.25, 1818.75),
        (1800, 0, 1800, 0.5, 0.5, 30, 1, 1800),
        (1500, 60, 2000, 1, 0.04, 42, 1.5, 1560.48),
        (2000, 75, 2240, 1, 0.2, 50 / 3, 1.5, 2020),
        (2250, 150, 2000, 0.5, 0.81, 10, 1, 2246.9),
    ],
)
@pytest.mark.parametrize("side", [0, 1])
def test_asigc_worked_changes(
    own: float,
    games: int,
    opponent: float,
    score: float,
    expect: float,
    k: float,
    surprise: float,
    after: float,
    side: int,
) -> None:
    start = [Start("me", own, games=games), Start("other", opponent, games=100)]
    game = Game("me", "other", score) if side == 0 else Game("other", "me", 1 - score)
    history = rated("asigc", [game], start)
    recording = history.recording
    assert (recording.expects_second if side else recording.expects)[0] == pytest.approx(expect, abs=1e-12)
    assert recording.used_k[side] == pytest.approx(k, abs=1e-9)
    assert recording.gains[side] == pytest.approx(surprise * (score - expect), abs=1e-12)
    assert history.rating("me") == pytest.approx(after, abs=5e-5)


def test_asigc_surprise_is_exact_in_hundredths() -> None:
    """The factor of every row of the table: boundaries such as .80 lost are exactly two deviations."""
    book = compile_rulebook(load("asigc"))
    for hundredths in range(1, 100):
        for score, high, middle in (
            (100, hundredths <= 20, hundredths <= 50),
            (50, hundredths <= 5 or hundredths >= 95, hundredths <= 14 or hundredths >= 86),
            (0, hundredths >= 80, hundredths >= 50),
        ):
            factor = kernel.surprise_factor(book.rules, book.blocks[0], float(score), float(hundredths))
            assert factor == (1.5 if high else 1.25 if middle else 1), (score, hundredths)


def test_asigc_result_that_the_table_denies() -> None:
    history = rated("asigc", [Game("low", "high", 1)], [Start("low", 1000, games=100), Start("high", 1736, games=100)])
    assert history.rating("low") == 1000 + 1.5 * 30
    lost = rated("asigc", [Game("low", "high", 0)], [Start("low", 1000, games=100), Start("high", 1736, games=100)])
    assert (lost.rating("low"), lost.rating("high")) == (1000, 1736)


def test_asigc_blend_with_iccf() -> None:
    act = Act("blend", "me", day("2001-04-01"), 2400, games=25)
    history = rated("asigc", [], [Start("me", 2200, games=75)], [act])
    assert history.rating("me") == 2250
    assert history.acts[0].games == 100
    again = rated(
        "asigc", [], [Start("me", 2200, games=75)], [act, Act("blend", "me", day("2001-10-01"), 2400, games=25)]
    )
    assert again.rating("me") == 2250
    assert again.acts[1].note


def test_asigc_newcomer_before_and_after_the_alignment() -> None:
    games = [Game("old", "a", 0.5, date=date(1999, 9, 30)), Game("new", "b", 0.5, date=date(1999, 10, 1))]
    history = rated("asigc", games)
    assert history.rating("old") == 1500
    assert history.rating("new") == 1800


@pytest.mark.parametrize(
    ("lookup", "expect"),
    [("below", (0.50, 0.51, 0.50, 0.49)), ("nearest", (0.50, 0.51, 0.51, 0.49)), ("above", (0.51, 0.51, 0.51, 0.49))],
)
def test_lookup_of_fractional_differences(lookup: str, expect: tuple[float, ...]) -> None:
    """Between 3 (.50) and 4 (.51) points: at 3.2, at 4, at 3.5; and both sides of a game add up to one."""
    book = load("asigc", {"lookup": lookup})
    found = [expected(book, 1500 + difference, 1500) for difference in (3.2, 4.0, 3.5)]
    assert found == pytest.approx(expect[:3], abs=1e-15)
    assert expected(book, 1500, 1504) == pytest.approx(expect[3], abs=1e-15)
    for tenths in range(0, 9000, 77):
        difference = tenths / 10
        assert expected(book, difference, 0) + expected(book, 0, difference) == pytest.approx(1, abs=1e-15)


def test_table_as_printed_point_by_point() -> None:
    book = load("asigc")
    rows = list(book.tables["fide/8.1.2.csv"])
    for row in rows:
        for difference in (int(row["low"]), int(row["high"] or 5000)):
            assert expected(book, difference, 0) == float(row["H"])
            assert expected(book, 0, difference) == (float(row["L"]) if difference else 0.5)
    assert expected(book, 1890, 1771) == 0.66


# ------------------------------------------------------------------------------------------------ FIFA


FRANCE = [
    ("Australia", 1488.72, 1, 50, 0.738895, 13.0553),
    ("Denmark", 1659.1695, 1, 50, 0.607355, 19.6322),
    ("Tunisia", 1488.0599, 0, 50, 0.762821, -38.1410),
    ("Poland", 1559.8998, 1, 50, 0.678337, 16.0832),
    ("England", 1774.1803, 1, 60, 0.496382, 30.2171),
    ("Morocco", 1672.3470, 1, 60, 0.620646, 22.7612),
]


@pytest.mark.parametrize("given", [True, False])
def test_fifa_france_2022(given: bool) -> None:
    """From the list of 6 October to that of 22 December 2022, with importances given and with our own table."""
    days = [
        date(2022, 11, 22),
        date(2022, 11, 26),
        date(2022, 11, 30),
        date(2022, 12, 4),
        date(2022, 12, 10),
        date(2022, 12, 14),
    ]
    final = date(2022, 12, 18)
    labels = {"tournament": "FIFA World Cup"}
    games = [
        Game(
            "France",
            name,
            score,
            date=when,
            labels=labels,
            **({"importance": weight, "knockout": number > 2} if given else {}),
        )
        for number, ((name, _, score, weight, _, _), when) in enumerate(zip(FRANCE, days, strict=True))
    ]
    more = {"importance": 60, "knockout": True} if given else {}
    games.append(Game("Argentina", "France", 0.5, date=final, shootout=1, labels=labels, **more))
    start = {name: rating for name, rating, *_ in FRANCE} | {"France": 1759.78, "Argentina": 1823.4276}
    history = rated("fifa/men", games, start)
    recording = history.recording
    for row, (name, _, _, weight, expect, change) in enumerate(FRANCE):
        assert history.games.players[history.games.second[row]] == name
        assert history.games.importance[row] == weight
        assert recording.expects[row] == pytest.approx(expect, abs=1e-6)
        assert recording.after[2 * row] - recording.before[2 * row] == pytest.approx(change, abs=1e-4)
    assert recording.expects_second[6] == pytest.approx(0.499962, abs=1e-6)
    assert recording.after[13] - recording.before[13] == pytest.approx(0.0023, abs=1e-4)
    assert history.rating("France") == pytest.approx(1823.3902, abs=2e-4)
    assert history.rating("England") == 1774.1803


MOROCCO = [
    ("Georgia", "2022-11-17", 1, 0, "Friendly", 5, 1.3614),
    ("Croatia", "2022-11-23", 0.5, 0, "FIFA World Cup", 50, 3.9175),
    ("Belgium", "2022-11-27", 1, 0, "FIFA World Cup", 50, 36.3352),
    ("Canada", "2022-12-01", 1, 0, "FIFA World Cup", 50, 17.7446),
    ("Spain", "2022-12-06", 0.5, 1, "FIFA World Cup", 50, 15.8310),
    ("Portugal", "2022-12-10", 1, 0, "FIFA World Cup", 60, 33.6572),
    ("France", "2022-12-14", 0, 0, "FIFA World Cup", 60, 0.0),
    ("Croatia 2", "2022-12-17", 0, 0, "FIFA World Cup", 60, 0.0),
]


def solved(own: float, change: float, score: float, weight: float) -> float:
    """The opponent's points from a published change: the expectation turned round."""
    expect = score - change / weight
    return own + 600 * math.log10(1 / expect - 1)


def test_fifa_morocco_2022() -> None:
    """Our classification of tournaments; nobody loses in a knock-out round, and a shoot-out is worth three quarters."""
    own = 1563.50
    start = {"Morocco": own}
    games = []
    for name, when, score, shootout, tournament, weight, change in MOROCCO:
        start[name] = (
            solved(own, change, 0.75 if shootout else score, weight)
            if change
            else {"France": 1800.6267}.get(name, 1640.0)
        )
        own += change
        labels = {"tournament": tournament}
        games.append(Game("Morocco", name, score, date=date.fromisoformat(when), shootout=shootout, labels=labels))
    history = rated("fifa/men", games, start)
    recording = history.recording
    assert [history.games.importance[row] for row in range(8)] == [5, 50, 50, 50, 50, 60, 60, 60]
    assert recording.expects[4] == pytest.approx(0.433380, abs=2e-6)
    for row, (*_, change) in enumerate(MOROCCO):
        assert recording.after[2 * row] - recording.before[2 * row] == pytest.approx(change, abs=1e-4)
    assert 60 * (0 - recording.expects[6]) == pytest.approx(-22.76, abs=0.01)
    assert history.rating("Morocco") == pytest.approx(1672.3470, abs=5e-4)


def test_fifa_official_example() -> None:
    history = rated("fifa/men", [Game("a", "b", 1, importance=25)], {"a": 1300, "b": 1500})
    assert history.recording.expects[0] == pytest.approx(0.3170, abs=5e-5)
    assert history.rating("a") == pytest.approx(1317.07, abs=5e-3)
    assert history.rating("b") == pytest.approx(1482.93, abs=5e-3)


def test_fifa_shoot_out_after_a_match_that_was_won_is_ignored() -> None:
    games = [Game("a", "b", 1, shootout=2, importance=25)]
    assert rated("fifa/men", games, {"a": 1500, "b": 1500}).rating("a") == 1512.5


def test_fifa_shoot_out_winner_is_protected_and_both_may_gain() -> None:
    game = Game("a", "b", 0.5, shootout=1, importance=50, knockout=True)
    strong = rated("fifa/men", [game], {"a": 2000, "b": 1500})
    assert strong.rating("a") == 2000  # .75 scored, .87 expected
    assert strong.rating("b") > 1500
    level = rated("fifa/men", [game], {"a": 1500, "b": 1500})
    assert (level.rating("a"), level.rating("b")) == (1512.5, 1500)


# --------------------------------------------------------------------------------- World Football Elo


@pytest.mark.parametrize(
    ("first", "second", "score", "margin", "weight", "neutral", "expect", "exact", "change"),
    [
        (630, 500, 1, 2, 20, True, 0.678817, 9.6355, 10),
        (500, 480, 0, -2, 20, True, None, -15.8625, -16),
        (2100, 1900, 0, -2, 60, False, 0.849020, -76.4118, -76),
        (1900, 1900, 1, 5, 40, True, 0.5, 40, 40),
    ],
)
def test_eloratings_examples(
    first: float,
    second: float,
    score: float,
    margin: float,
    weight: float,
    neutral: bool,
    expect: float,
    exact: float,
    change: int,
) -> None:
    game = Game("a", "b", score, margin=margin, importance=weight, neutral=neutral)
    history = rated("eloratings", [game], {"a": first, "b": second})
    if expect is not None:
        assert history.recording.expects[0] == pytest.approx(expect, abs=1e-6)
    assert history.recording.gains[0] == pytest.approx(exact, abs=1e-4)
    assert (history.rating("a"), history.rating("b")) == (first + change, second - change)


@pytest.mark.parametrize(
    ("margin", "factor"), [(0, 1), (1, 1), (2, 1.5), (3, 1.75), (4, 1.875), (5, 2), (7, 2.25), (31, 5.25)]
)
def test_eloratings_goals(margin: float, factor: float) -> None:
    book = compile_rulebook(load("eloratings"))
    assert kernel.margin_factor(book.rules, 0, margin, 77.0) == factor
    assert kernel.margin_factor(book.rules, 0, -margin, 77.0) == factor


# ------------------------------------------------------------------------------------ FiveThirtyEight


@pytest.mark.parametrize(
    ("rules", "first", "second", "score", "margin", "neutral", "expect", "change"),
    [
        ("nfl", 1600, 1500, 1, 7, False, 0.721078, 10.7907),
        ("nfl", 1600, 1500, 0, -7, False, 0.721078, -32.4203),
        ("nfl", 1703.3033, 1741.0873, 1, 22, True, 0.445838, 35.3587),
        ("nfl", 1467.0416, 1358.6734, 0.5, 0, False, 0.730663, -7.0349),
        ("nba", 1600, 1500, 1, 10, False, 0.759747, 4.2987),
        ("nba", 1600, 1500, 0, -7, False, 0.759747, -15.2180),
    ],
)
def test_fivethirtyeight_examples(
    rules: str, first: float, second: float, score: float, margin: float, neutral: bool, expect: float, change: float
) -> None:
    game = Game("a", "b", score, margin=margin, neutral=neutral, season=2020)
    history = rated(f"fivethirtyeight/{rules}", [game], {"a": first, "b": second})
    assert history.recording.expects[0] == pytest.approx(expect, abs=1e-6)
    assert history.rating("a") == pytest.approx(first + change, abs=1e-4)
    assert history.rating("b") == pytest.approx(second - change, abs=1e-4)


@pytest.mark.parametrize(
    ("rules", "margin", "edge", "factor"),
    [
        ("nfl", 7, 165, 1.934364),
        ("nfl", -7, 165, 2.248045),
        ("nfl", 0, 165, 1.524924),
        ("nfl", 22, -37.784, 3.190286),
        ("nba", 10, 200, 0.894613),
        ("nba", -7, 200, 1.001520),
    ],
)
def test_fivethirtyeight_margins(rules: str, margin: float, edge: float, factor: float) -> None:
    book = compile_rulebook(load(f"fivethirtyeight/{rules}"))
    assert kernel.margin_factor(book.rules, 0, margin, edge) == pytest.approx(factor, abs=1e-6)


@pytest.mark.parametrize(("rules", "keep"), [("nfl", 2 / 3), ("nba", 0.75)])
def test_season_reversion_comes_with_the_first_game_of_the_season(rules: str, keep: float) -> None:
    games = [
        Game("a", "b", 1, margin=3, season=2020, date=date(2020, 9, 1)),
        Game("a", "c", 1, margin=3, season=2021, date=date(2021, 9, 1)),
    ]
    history = rated(f"fivethirtyeight/{rules}", games, {"a": 1600, "b": 1600, "c": 1500})
    recording = history.recording
    assert recording.before[2] == pytest.approx(recording.after[0] * keep + 1505 * (1 - keep), abs=1e-9)
    assert history.rating("b") == recording.after[1]  # who does not play is not pulled back


def test_a_team_that_begins_again_by_an_act_is_not_pulled_back() -> None:
    """Cleveland 1999: a new team under an old name enters at 1300 with its first game of the season."""
    games = [
        Game("Cleveland", "b", 1, margin=3, season=1995, date=date(1995, 12, 24)),
        Game("Cleveland", "b", 1, margin=3, season=1999, date=date(1999, 9, 12)),
    ]
    acts = [Act("entry", "Cleveland", day("1999-09-12"), 1300)]
    history = rated("fivethirtyeight/nfl", games, {"Cleveland": 1450, "b": 1500}, acts)
    assert history.recording.before[2] == 1300
    assert history.acts[0].before == history.recording.after[0]


# ---------------------------------------------------------------------------------- Élő and US Chess


SEED = [("b", 1609), ("c", 1477), ("d", 1388), ("e", 1586), ("f", 1720)]


@pytest.mark.parametrize(("scores", "published"), [((0, 0.5, 1, 1, 0), 1601), ((0, 0.5, 1, 1, 0.5), 1617)])
@pytest.mark.parametrize("expectation", ["game", "mean opponent"])
def test_seed_1613(tmp_path: Path, scores: tuple[float, ...], published: int, expectation: str) -> None:
    """K 32 for the event, expected game by game, and against the mean opponent as the other seed counts."""
    book = club(
        tmp_path,
        f"""
[[edition]]
[edition.curve]
shape = "logistic"
[[edition.k]]
value = 32
[edition.difference]
expectation = "{expectation}"
[edition.unit]
of = "event"
""",
    )
    games = [Game("a", name, score, event="open", round=at) for at, ((name, _), score) in enumerate(zip(SEED, scores))]
    history = rated(book, games, {"a": 1613, **dict(SEED)})
    me = next(change for change in history.recording.changes if change[1] == history.code("a"))
    total = sum(scores)
    if expectation == "game":
        assert [round(value, 3) for value in history.recording.expects] == [0.506, 0.686, 0.785, 0.539, 0.351]
        assert me[6] == pytest.approx(2.867, abs=1e-3)
        assert round(history.rating("a")) == published
    else:
        assert me[6] == pytest.approx(5 * expected(book, 1613, 1556), abs=1e-12)
        assert history.rating("a") == pytest.approx(1613 + 32 * (total - me[6]), abs=1e-9)
        # The seed prints 2.867 for both ways; the curve of the mean gives 2.9071.
        assert abs(round(history.rating("a")) - published) <= 2


@pytest.mark.parametrize(
    ("rating", "k"), [(100, 32), (2099.999, 32), (2100, 24), (2399.999, 24), (2400, 16), (2800, 16)]
)
def test_uschess_classic_k(rating: float, k: float) -> None:
    history = rated("uschess/classic", [Game("a", "b", 1, event="open")], {"a": rating, "b": rating})
    assert history.rating("a") == rating + k / 2


@pytest.mark.parametrize(
    ("difference", "normal", "logistic"),
    [
        (50, 0.5702, 0.5715),
        (100, 0.6382, 0.6401),
        (200, 0.7602, 0.7597),
        (300, 0.8556, 0.8490),
        (400, 0.9214, 0.9091),
        (600, 0.9831, 0.9693),
        (800, 0.9977, 0.9901),
    ],
)
def test_normal_and_logistic(difference: float, normal: float, logistic: float) -> None:
    for book, value in ((load("elo/normal"), normal), (load("elo"), logistic)):
        assert expected(book, 1500 + difference, 1500) == pytest.approx(value, abs=5e-5)
        assert expected(book, 1500, 1500 + difference) == pytest.approx(1 - value, abs=5e-5)


# ------------------------------------------------------------------------------------- other curves


@pytest.mark.parametrize(
    ("difference", "value"),
    [
        (0, 0.5),
        (50, 0.5625),
        (100, 0.625),
        (200, 0.75),
        (300, 0.875),
        (360, 0.95),
        (400, 0.95),
        (900, 0.95),
        (-900, 0.05),
    ],
)
def test_straight_line(tmp_path: Path, difference: float, value: float) -> None:
    book = club(
        tmp_path,
        '\n[[edition]]\n[edition.curve]\nshape = "line"\nslope = 0.00125\nleast = 0.05\n[[edition.k]]\nvalue = 32\n',
    )
    assert expected(book, 1500 + difference, 1500) == pytest.approx(value, abs=1e-12)


EGF_CON = [
    116,
    110,
    105,
    100,
    95,
    90,
    85,
    80,
    75,
    70,
    65,
    60,
    55,
    51,
    47,
    43,
    39,
    35,
    31,
    27,
    24,
    21,
    18,
    15,
    13,
    11,
    10,
]


@pytest.fixture
def old_go(tmp_path: Path):
    """Go in Europe until 2021: the slope depends on the weaker player, con falls in straight lines between grades."""
    points = [[100 + 100 * at, con] for at, con in enumerate(EGF_CON)]
    return club(
        tmp_path,
        f"""
[[edition]]
[edition.curve]
shape = "exponential"
top = 205
divisor = 20
least = 70
[[edition.k]]
ramp = {{ of = "rating", points = {points} }}
[edition.unit]
of = "event"
""",
    )


@pytest.mark.parametrize(("winner", "loser", "up", "down"), [(2400, 2400, 2407.5, 2392.5), (320, 400, 382.84, 339.57)])
def test_exponential_curve(old_go, winner: float, loser: float, up: float, down: float) -> None:
    history = rated(old_go, [Game("a", "b", 1, event="open")], {"a": winner, "b": loser})
    assert history.rating("a") == pytest.approx(up, abs=5e-3)
    assert history.rating("b") == pytest.approx(down, abs=5e-3)


def test_exponential_curve_takes_the_weaker_of_the_two(old_go) -> None:
    assert expected(old_go, 2300, 2400) == pytest.approx(1 / (math.exp(100 / 90) + 1), abs=1e-12)
    assert expected(old_go, 2400, 2300) == pytest.approx(1 - 1 / (math.exp(100 / 90) + 1), abs=1e-12)
    assert expected(old_go, 2900, 2800) == pytest.approx(1 / (math.exp(-100 / 70) + 1), abs=1e-12)


@pytest.mark.parametrize(
    ("own", "opponent", "value"), [(950, 1200, 0.312739), (2300, 2400, 0.323546), (2400, 2400, 0.5)]
)
def test_power_curve(tmp_path: Path, own: float, opponent: float, value: float) -> None:
    """Go in Europe since 2021: seventh power of the distances to 3300."""
    book = club(
        tmp_path,
        '\n[[edition]]\n[edition.curve]\nshape = "power"\nlimit = 3300\nexponent = 7\n[[edition.k]]\nvalue = 32\n',
    )
    assert expected(book, own, opponent) == pytest.approx(value, abs=1e-6)
    assert expected(book, opponent, own) == pytest.approx(1 - value, abs=1e-6)
    assert (expected(book, 3300, 2000), expected(book, 2000, 3400)) == (1, 0)


# ------------------------------------------------------------------------------------------ K and more


def curve_and(rows: str) -> str:
    return f'\n[[edition]]\n[edition.curve]\nshape = "logistic"\n{rows}'


@pytest.mark.parametrize(("games", "k"), [(0, 131.326), (10, 84.626), (30, 60.299), (100, 38.857), (500, 20.731)])
def test_power_of_experience(tmp_path: Path, games: int, k: float) -> None:
    rows = '[[edition.k]]\npower = { of = "games", scale = 250, offset = 5, exponent = 0.4 }\n'
    book = club(tmp_path, curve_and(rows))
    assert coefficient(book, games=games) == pytest.approx(k, abs=5e-4)
    history = rated(book, [Game("a", "b", 1)], [Start("a", 1500, games=games), Start("b", 1500, games=0)])
    assert history.rating("a") == pytest.approx(1500 + k / 2, abs=5e-4)
    assert history.rating("b") == pytest.approx(1500 - 131.326 / 2, abs=5e-4)


@pytest.fixture
def iccf(tmp_path: Path):
    """Correspondence chess of 2011 to 2023: two ramps, 640 points, differences clipped at 560."""
    return club(
        tmp_path,
        """
[[edition]]
[edition.curve]
shape = "logistic"
scale = 640
[[edition.k]]
ramp = { of = "rating", points = [[2000, 20], [2400, 10]] }
[[edition.k_factor]]
ramp = { of = "games", points = [[30, 1.25], [80, 1]] }
[[edition.cap]]
value = 560
[edition.unit]
of = "event"
""",
    )


@pytest.mark.parametrize(
    ("rating", "games", "k"),
    [
        (2155, 57, 16.125 * 1.115),
        (2000, 30, 25),
        (1400, 0, 25),
        (2400, 80, 10),
        (2900, 999, 10),
        (2200, 80, 15),
        (2000, 55, 22.5),
    ],
)
def test_product_of_ramps(iccf, rating: float, games: float, k: float) -> None:
    assert coefficient(iccf, rating=rating, games=games) == pytest.approx(k, abs=1e-12)


def test_iccf_period_and_cap(iccf) -> None:
    results = [("b", 2200, 0.5), ("c", 2000, 1), ("d", 2350, 0.5)]
    games = [Game("a", name, score, event="list") for name, _, score in results]
    start = [Start("a", 2155, games=57), *(Start(name, rating, games=100) for name, rating, _ in results)]
    assert rated(iccf, games, start).rating("a") == pytest.approx(2165.30, abs=5e-3)
    one = rated(iccf, [Game("a", "b", 0.5, event="list")], [Start("a", 2450, games=200), Start("b", 2300, games=200)])
    assert one.rating("a") == pytest.approx(2448.68, abs=5e-3)
    far = rated(iccf, [Game("a", "b", 1, event="list")], [Start("a", 2450, games=200), Start("b", 1000, games=200)])
    assert far.recording.expects[0] == pytest.approx(0.8823, abs=5e-5)


def test_square_root_of_the_goals(tmp_path: Path) -> None:
    """ClubElo's older form: 1800 beats 1700 by three; a draw counts once."""
    rows = '[[edition.k]]\nvalue = 20\n[edition.margin]\nshape = "power"\nscale = 1\nexponent = 0.5\n'
    book = club(tmp_path, curve_and(rows))
    won = rated(book, [Game("a", "b", 1, margin=3)], {"a": 1800, "b": 1700})
    assert won.rating("a") == pytest.approx(1812.47, abs=5e-3)
    drawn = rated(book, [Game("a", "b", 0.5, margin=0)], {"a": 1800, "b": 1700})
    assert drawn.rating("a") == pytest.approx(1800 - 20 * 0.1401, abs=5e-3)


def test_hundredths_and_a_logistic_curve_in_one_rulebook(tmp_path: Path) -> None:
    """From a printed table to a curve: a later edition changes nothing but how the expectation is found."""
    (tmp_path / "table.csv").write_text("low,high,H,L\n0,99,0.50,0.50\n100,,0.70,0.30\n", encoding="utf-8")
    book = club(
        tmp_path,
        """
[[edition]]
from = 2000-01-01
[edition.curve]
shape = "table"
file = "table.csv"
[[edition.k]]
value = 10
[[edition]]
from = 2010-01-01
[edition.curve]
shape = "logistic"
""",
    )
    before = rated(book, [Game("a", "b", 1, date=date(2009, 12, 31))], {"a": 1600, "b": 1500})
    after = rated(book, [Game("a", "b", 1, date=date(2010, 1, 1))], {"a": 1600, "b": 1500})
    assert before.rating("a") == 1603
    assert after.rating("a") == pytest.approx(1600 + 10 * (1 - 0.640065), abs=1e-5)
    assert after.recording.expects[0] == pytest.approx(0.640065, abs=1e-6)


def test_knock_outs_may_be_protected_without_importances(tmp_path: Path) -> None:
    book = club(tmp_path, curve_and("[[edition.k]]\nvalue = 20\n[edition.knockout]\nprotected = true\n"))
    history = rated(book, [Game("a", "b", 1, knockout=True)], {"a": 1500, "b": 1500})
    assert (history.rating("a"), history.rating("b")) == (1510, 1500)


@pytest.mark.parametrize(
    ("rule", "value", "whole"),
    [
        ("half away from zero", 2.5, 3),
        ("half away from zero", -2.5, -3),
        ("half away from zero", 2.49, 2),
        ("half away from zero", -2.49, -2),
        ("half up", 2.5, 3),
        ("half up", -2.5, -2),
        ("half even", 2.5, 2),
        ("half even", 3.5, 4),
        ("half even", -2.5, -2),
        ("half even", -3.5, -4),
        ("down", 2.99, 2),
        ("down", -2.99, -2),
        ("none", -2.99, -2.99),
    ],
)
def test_rounding(rule: str, value: float, whole: float) -> None:
    from arpad.arithmetic import ROUNDINGS

    assert kernel.round_to(value, ROUNDINGS.index(rule), 1.0) == whole
    if value in (2.5, -2.5, 3.5, -3.5):
        assert kernel.round_to(value / 10, ROUNDINGS.index(rule), 0.1) == pytest.approx(whole / 10)


@pytest.mark.parametrize(
    "unit", ["event", "period:month", "period:quarter", "period:week", "period:30-days", "period:01-01,07-01"]
)
def test_units_settle_together(unit: str) -> None:
    """Two games of one unit use the same ratings; the first of the next one uses what came of them."""
    first = date(2024, 1, 1)
    later = first + timedelta(days=200)
    games = [
        Game("a", "b", 1, date=first, event="one"),
        Game("a", "c", 1, date=first + timedelta(days=1), event="one"),
        Game("a", "b", 1, date=later, event="two"),
    ]
    history = rated(load("elo", {"unit": unit}), games, {"a": 1500, "b": 1500, "c": 1500})
    assert list(history.recording.before) == [1500, 1500, 1500, 1500, 1532, 1484]


def test_one_event_across_two_periods_uses_the_period_of_its_end() -> None:
    games = Games.of(
        [Game("a", "b", 1, date=date(2024, 1, 31), event="one"), Game("a", "b", 1, date=date(2024, 2, 1), event="one")]
    )
    history = replay(games, load("elo", {"unit": "period:month"}))
    assert [batch.stop - batch.start for batch in history.arrangement.batches if batch.stop > batch.start] == [2]
    assert history.games.events == [Event("one", day("2024-01-31"), day("2024-02-01"))]


def test_asigc_entry_by_category() -> None:
    acts = [Act("entry", "me", day("2001-05-01"), math.nan, category="1N")]
    history = rated("asigc", [Game("me", "other", 0.5, date=date(2001, 6, 1))], [], acts)
    assert history.acts[0].after == 1800
    assert history.acts[0].games == 40
    with pytest.raises(DataError, match="unknown category '9N'"):
        rated("asigc", [], [], [Act("entry", "me", 0, math.nan, category="9N")])


def test_importance_as_k_needs_the_column(tmp_path: Path) -> None:
    """A rulebook without a table of tournaments takes the importance from the games, and refuses them without."""
    book = club(tmp_path, curve_and('[[edition.k]]\nof = "importance"\n'))
    assert rated(book, [Game("a", "b", 1, importance=30)], {"a": 1500, "b": 1500}).rating("a") == 1515
    with pytest.raises(DataError, match="importance"):
        rated(book, [Game("a", "b", 1)], {"a": 1500, "b": 1500})


@pytest.mark.parametrize("key", ['expectation = "mean opponent"', "upgrades = 1"])
def test_what_needs_whole_events_is_refused_game_by_game(tmp_path: Path, key: str) -> None:
    book = club(tmp_path, curve_and(f"[[edition.k]]\nvalue = 20\n[edition.difference]\n{key}\n"))
    with pytest.raises(RulebookError, match="whole events"):
        rated(book, [Game("a", "b", 1)], {"a": 1500, "b": 1500})
