"""What holds under every rulebook of the shelf, under each of its editions."""

from __future__ import annotations

import math
from datetime import date, timedelta
from random import Random

import pytest
from msgspec.structs import replace

from arpad.engine import History, replay
from arpad.errors import DataError
from arpad.model import Act, Game, Games, Start
from arpad.periods import Period
from arpad.rulebooks import load
from tests.engine.helpers import bits, rated
from tests.engine.worlds import EDITIONS, LATEST, book, named, world

editions = pytest.mark.parametrize(("label", "when"), EDITIONS, ids=named(EDITIONS))
latest = pytest.mark.parametrize(("label", "when"), LATEST, ids=named(LATEST))

#: Rulebooks under which what one side gains the other loses, as long as no season begins and, for FIFA, outside of
#: knock-out rounds and shoot-outs. In all the others each player has a K of his own.
ZERO_SUM = (
    "audl",
    "boardgamearena",
    "diplomacy/ghost",
    "diplomacy/ghost:sum-of-squares",
    "clubelo",
    "dci:levels",
    "elo",
    "elo by 30 days",
    "elo by event",
    "elo by month",
    "elo/normal",
    "elo/normal by game",
    "elo:football",
    "eloratings",
    "fifa/men",
    "fivethirtyeight/mlb",
    "fivethirtyeight/nba",
    "fivethirtyeight/nfl",
    "fsi",  # closed, as is nsf: K is 0
    "multiplayer",
    "multiplayer:neighbours",
    "multiplayer:share",
    "multiplayer:undivided",
    "multiplayer:winner",
    "nsf",
    "scrabble/isc",
)


def summed(history: History) -> float:
    return math.fsum(history.rating(name) or 0 for name in history.players)


@editions
def test_no_games_no_change(label: str, when: date) -> None:
    start = world(1, when).start
    history = rated(book(label), [], start)
    assert [history.rating(each.player) for each in start] == [each.rating for each in start]
    assert history.not_rated == 0


@editions
def test_order_of_arrival_does_not_matter(label: str, when: date) -> None:
    facts = world(2, when)
    found = bits(rated(book(label), facts.games, facts.start, facts.acts))
    for seed in range(3):
        random = Random(seed)
        games, start, acts = list(facts.games), list(facts.start), list(facts.acts)
        for shuffled in (games, start, acts):
            random.shuffle(shuffled)
        assert bits(rated(book(label), games, start, acts)) == found


@editions
def test_players_who_do_not_play_change_nothing(label: str, when: date) -> None:
    facts = world(3, when)
    found = bits(rated(book(label), facts.games, facts.start, facts.acts))
    # Above 2000, where no revaluation reaches.
    others = [Start(f"idle {number}", 2100.0 + number, games=50) for number in range(20)]
    crowd = rated(book(label), facts.games, [*others, *facts.start], facts.acts)
    assert {name: state for name, state in bits(crowd).items() if not name.startswith("idle")} == found
    assert [crowd.rating(each.player) for each in others] == [each.rating for each in others]


@editions
def test_swapping_the_sides_mirrors(label: str, when: date) -> None:
    facts = world(4, when, distinct=True)
    level = [replace(game, neutral=True) for game in facts.games]
    swapped = [
        replace(
            game,
            first=game.second,
            second=game.first,
            score=1 - game.score,
            margin=-game.margin,
            shootout=(0, 2, 1)[game.shootout],
        )
        for game in level
    ]
    there, back = rated(book(label), level, facts.start), rated(book(label), swapped, facts.start)
    for name in there.players:
        one, two = there.rating(name), back.rating(name)
        assert one == two if one is None else one == pytest.approx(two, abs=1e-8), name


@pytest.mark.parametrize("label", ZERO_SUM)
def test_what_one_gains_the_other_loses(label: str) -> None:
    when = date(2023, 3, 20)
    facts = world(5, when, newcomers=0)
    start = [replace(each, season=None) for each in facts.start]
    games = facts.games
    if label == "fifa/men":
        games = [replace(game, knockout=False, shootout=0) for game in games]
    history = rated(book(label), games, start)
    assert history.not_rated == 0
    assert summed(history) == pytest.approx(sum(each.rating for each in start), abs=1e-7)


def test_the_list_of_zero_sum_rulebooks_is_whole() -> None:
    """Any other rulebook of the shelf does create or destroy points."""
    for label, when in LATEST:
        facts = world(5, when, newcomers=0)
        start = [replace(each, season=None) for each in facts.start]
        history = rated(book(label), facts.games, start)
        if label not in (*ZERO_SUM, "scrabble/australia"):  # whose straight line is whole until it ends
            assert abs(summed(history) - sum(each.rating for each in start)) > 0.5, label


@latest
@pytest.mark.parametrize("far", [1e5, 999_999.0])
def test_extreme_ratings_stay_finite(label: str, when: date, far: float) -> None:
    facts = world(6, when, games=40)
    middle = 1.0 if label == "aga" else 0.0  # in stones there is no 0
    start = [replace(each, rating=(-far, far, middle)[number % 3]) for number, each in enumerate(facts.start)]
    if label == "weng-lin":  # its library's exponential has no number for that
        with pytest.raises(DataError, match="too far apart"):
            rated(book(label), facts.games, start)
        return
    history = rated(book(label), facts.games, start)
    for name in history.players:
        assert math.isfinite(history.rating(name) or 0)
        if label != "egf:classes":  # con has no bound below 30 kyu, and these games' importance is no class
            assert abs(history.rating(name) or 0) < 1.1 * far
    for expect in history.recording.expects:
        assert expect != expect or 0 <= expect <= 1


@pytest.fixture(scope="module")
def busy() -> Games:
    """One player, twenty thousand games in a month."""
    random = Random(7)
    first = date(2025, 11, 1)
    return Games.of(
        Game(
            "busy",
            f"p{random.randrange(50)}",
            (score := random.choice((0.0, 0.5, 1.0))),
            date=first + timedelta(days=number % 30),
            event="marathon",
            margin=(2 * score - 1) * 3,
            fewer=1,
            importance=20.0,
            season=2025,
            board=number,
        )
        for number in range(20_000)
    )


@pytest.mark.parametrize("label", [label for label, _ in LATEST if label.partition(":")[0] == label])
def test_twenty_thousand_games_in_a_month(busy: Games, label: str) -> None:
    history = replay(busy, book(label), [Start(name, 2000, games=100) for name in busy.players])
    for name in history.players:
        assert math.isfinite(history.rating(name) or 0)
    runaway = [problem for problem in history.problems if "overshoot" in problem.message]
    edition = book(label).editions[-1]
    batched = book(label).system == "elo" and edition.unit.of != "game" and edition.limit is None
    closed = all(
        row.value == 0 or (row.power and row.power.of == "batch_games") for row in edition.k
    )  # or K by the batch
    batched = batched and not closed
    assert bool(runaway) == batched


@pytest.mark.parametrize(
    ("field", "value"),
    [("score", float("nan")), ("margin", float("inf")), ("importance", float("nan")), ("score", 1.5)],
)
def test_games_that_are_no_numbers_are_refused(field: str, value: float) -> None:
    with pytest.raises(DataError, match=r"not a number|between 0 and 1"):
        Games.of([replace(Game("a", "b", 1.0), **{field: value})])


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1e7])
def test_ratings_that_are_no_numbers_are_refused(value: float) -> None:
    with pytest.raises(DataError, match="outside any system's range"):
        rated("elo", [], [Start("a", value)])
    with pytest.raises(DataError, match="outside any system's range"):
        rated("elo", [], [], [Act("entry", "a", 0, value)])


def test_a_player_who_stands_twice_is_refused() -> None:
    with pytest.raises(DataError, match="twice"):
        rated("elo", [], [Start("a", 1500), Start("a", 1600)])


# ------------------------------------------------------------------------------------------ runaway


def many(count: int) -> list[Game]:
    return [Game("a", f"p{number}", 1, date=date(2024, 5, 1 + number % 28), event="open") for number in range(count)]


@pytest.mark.parametrize(("k", "games", "warned"), [(32, 30, True), (32, 20, False), (10, 30, False), (10, 80, True)])
def test_k_times_games_that_overshoot_is_warned_about(k: int, games: int, warned: bool) -> None:
    rules = load("elo", {"k": k, "unit": "period:30-days"})
    # All in one period of thirty days, wherever it begins.
    day = date(2024, 5, 10)
    history = rated(rules, [replace(game, date=day) for game in many(games)])
    assert any("overshoot" in problem.message for problem in history.problems) == warned
    assert all(problem.severity == "warning" for problem in history.problems)


@pytest.mark.parametrize("games", [20, 80, 800])
@pytest.mark.parametrize("counted", [0, 500])
def test_fide_limits_k_times_games_itself(games: int, counted: int) -> None:
    start = [Start("a", 2000, counted), *(Start(f"p{number}", 2000, 500) for number in range(games))]
    history = rated("fide/standard", many(games), start)
    assert not history.problems


# -------------------------------------------------------------------------------------------- acts


@latest
def test_acts_come_before_the_games_of_their_day(label: str, when: date) -> None:
    unit = book(label).editions[-1].unit.of
    month = date.fromordinal(Period.parse(unit).around(739_200)[0]) if unit.startswith("period") else date(2025, 11, 1)
    start = [Start("a", 2000, 100), Start("b", 2000, 100)]
    game = Game("a", "b", 0.5, date=month, event="open", margin=0, fewer=1, importance=20, season=2025, neutral=True)
    acts = [Act("adjustment", "a", month.toordinal(), 50.0), Act("entry", "b", month.toordinal(), 2100.0, 100)]
    history = rated(book(label), [game], start, acts)
    assert list(history.recording.before) == [2050, 2100]


@pytest.mark.parametrize("unit", ["game", "event", "period:month"])
def test_acts_after_the_games_of_the_day_before(unit: str) -> None:
    rules = load("elo", {"unit": unit})
    games = [Game("a", "b", 1, date=date(2024, 5, 10), event="open")]
    history = rated(rules, games, {"a": 1500, "b": 1500}, [Act("adjustment", "a", date(2024, 5, 11).toordinal(), 50.0)])
    assert list(history.recording.before) == [1500, 1500]
    assert history.rating("a") == 1566


@pytest.mark.parametrize("unit", ["event", "period:month"])
def test_an_entry_within_a_period_comes_before_it_and_other_acts_after_it(unit: str) -> None:
    """An act of the 5th that waits for the period's end must not hold up the entry of the 8th."""
    rules = load("elo", {"unit": unit, "start": "none"})
    games = [Game("a", "b", 1, date=date(2024, 5, day), event="open") for day in (1, 10)]
    acts = [
        Act("adjustment", "b", date(2024, 5, 5).toordinal(), 100.0),
        Act("entry", "a", date(2024, 5, 8).toordinal(), 1500.0),
    ]
    history = rated(rules, games, {"b": 1500}, acts)
    assert history.not_rated == 0
    assert list(history.recording.before) == [1500] * 4
    assert (history.rating("a"), history.rating("b")) == (1532, 1568)


def test_acts_of_one_day_in_any_order_of_arrival() -> None:
    acts = [
        Act("blend", "a", 738_000, 1900.0, 50),
        Act("adjustment", "a", 738_000, 10.0),
        Act("entry", "a", 738_000, 1700.0, 50),
    ]
    found = {rated("elo", [], [], order).rating("a") for order in (acts, acts[::-1], [acts[1], acts[2], acts[0]])}
    assert found == {1810.0}


def test_an_act_that_arrives_twice() -> None:
    """The same act sent twice counts once, and says so; two adjustments with reasons of their own are two."""
    for act, after in (
        (Act("entry", "a", 738_000, 1700.0, 50), 1700),
        (Act("blend", "a", 738_000, 1900.0, 50), 1700),
        (Act("adjustment", "a", 738_000, 10.0), 1510),
    ):
        history = rated("elo", [], [Start("a", 1500, 50)], [act, act])
        assert history.rating("a") == after
        assert "said twice" in str(history.problems[0])
    reasons = [Act("adjustment", "a", 738_000, 10.0, reason=reason) for reason in ("late report", "appeal")]
    assert rated("elo", [], [Start("a", 1500, 50)], reasons).rating("a") == 1520


# ---------------------------------------------------------------------------------------- until a day


@editions
def test_games_after_the_day_are_left_out(label: str, when: date) -> None:
    facts = world(8, when, games=40)
    spans: dict[str, list[date]] = {}
    for game in facts.games:
        spans.setdefault(game.event, []).append(game.date)
    whole = [day for day in facts.days if all(not min(span) <= day < max(span) for span in spans.values())]
    for day in (*whole[::4], when - timedelta(days=9), facts.days[-1]):
        left = [game for game in facts.games if game.date <= day]
        acts = [act for act in facts.acts if act.date <= day.toordinal()]
        cut = rated(book(label), facts.games, facts.start, facts.acts, on=day)
        known = bits(rated(book(label), left, facts.start, acts, on=day))
        states = bits(cut)
        assert {name: states[name] for name in known} == known
        assert len(cut.games) == len(left)
