"""Lists of systems with a deviation: what they show, what goes on from them, and which games they are of."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from random import Random

import pytest

from arpad import kernel_glicko, office
from arpad.engine import History, replay
from arpad.errors import DataError, RulebookError, UsageError
from arpad.expectation import expected
from arpad.formats import read_games, read_start, write_table
from arpad.formats.aligned import texts
from arpad.model import Act, Game, Start
from arpad.periods import Calendar, Period, moment_of
from arpad.rulebooks import load, names
from arpad.views import changes, games, ratings
from tests.engine.helpers import HEADING, day, rated

FAMILY = [name for name in names() if load(name).system == "glicko"]
UNITS: list[dict[str, str | float]] = [
    *({"unit": f"period:{unit}"} for unit in ("day", "week", "10-days", "month", "quarter", "04-01,10-01")),
    *({"unit": unit, "days": days} for unit in ("game", "event") for days in (0, 0.5, 30)),
]
PLAYERS = "abcdefgh"


def season(random: Random, begin: date, days: int, count: int, times: bool, players: str = PLAYERS) -> list[str]:
    """Rows of a games file: an event a month, so that games are settled later than they were played."""
    rows = []
    for _ in range(count):
        when = begin + timedelta(days=random.randrange(days))
        first, second = random.sample(players, 2)
        time = f"T{random.randrange(24):02d}:{random.randrange(60):02d}:{random.randrange(60):02d}" if times else ""
        rows.append(f"{when}{time},{when:%Y-%m},{first},{second},{random.choice(('1-0', '0-1', '1/2-1/2'))}")
    return rows


def file_of(path: Path, rows: Sequence[str]) -> Path:
    path.write_text("date,event,white,black,result\n" + "\n".join(sorted(rows)) + "\n")
    return path


def digits(history: History, path: Path) -> bytes:
    with path.open("wb") as file:
        write_table(ratings(history), file, "csv")
    return path.read_bytes()


@pytest.mark.parametrize("times", [False, True], ids=["days", "times"])
@pytest.mark.parametrize(
    ("rules", "settings"),
    [*((name, {}) for name in FAMILY), ("lichess", {"grown": False}), *(("glicko2", unit) for unit in UNITS)],
    ids=str,
)
def test_a_list_fed_back_gives_the_digits_of_one_replay(
    rules: str, settings: dict[str, str | float], times: bool, tmp_path: Path
) -> None:
    random, book = Random(f"{rules}{settings}{times}"), load(rules, settings)
    early = season(random, date(2024, 1, 1), 90, 50, times)
    late = season(random, date(2024, 10, 3), 60, 50, times, PLAYERS[:-1])  # somebody is on the list and plays no more

    def of(rows: Sequence[str], start: Sequence[Start] = ()) -> History:
        return replay(read_games(file_of(tmp_path / "games.csv", rows))[0], book, start)

    whole = digits(of(early + late), tmp_path / "whole.csv")
    digits(of(early), tmp_path / "list.csv")
    start, notes = read_start(tmp_path / "list.csv")
    assert [note.message[:17] for note in notes] == ["columns not read:"]  # rank, and what is of the day only
    assert digits(of(late, start), tmp_path / "again.csv") == whole


@pytest.mark.parametrize(
    ("rules", "settings"), [*((name, {}) for name in FAMILY), *(("glicko2", unit) for unit in UNITS)], ids=str
)
def test_the_deviation_of_a_lists_day_is_what_a_game_on_that_day_is_met_with(
    rules: str, settings: dict[str, str | float]
) -> None:
    book = load(rules, settings)
    early = [Game("a", "b", 1, date=date(2024, 1, 10), event="first")]
    on = date(2024, 11, 20)
    listed = ratings(rated(book, early, on=on)).columns
    more = rated(book, [*early, Game("a", "b", 1, date=on, event="second")])
    met = games(more).columns
    last = dict(zip(met["player"], met["deviation"]))
    told = dict(zip(listed["player"], listed["deviation_now"]))
    assert told == pytest.approx(last, rel=1e-15)
    before = dict(zip(listed["player"], listed["deviation"]))
    assert all(told[player] >= before[player] for player in told)


@pytest.mark.parametrize("rules", [*FAMILY, "weng-lin", "trueskill"])
def test_a_list_has_the_interval_of_its_day(rules: str) -> None:
    columns = ratings(rated(rules, [Game("a", "b", 1, date=date(2024, 1, 10))], on=date(2025, 6, 1))).columns
    now = columns.get("deviation_now", columns["deviation"])
    for rating, deviation, low, high in zip(columns["rating_exact"], now, columns["low"], columns["high"]):
        assert (low, high) == pytest.approx((rating - 1.96 * deviation, rating + 1.96 * deviation))


def test_glickmans_example_of_an_interval() -> None:
    """RD 30 at 1500: from 1441 to 1559."""
    columns = ratings(rated("glicko", [], [Start("a", 1500, facts={"deviation": 30})])).columns
    assert (round(columns["low"][0]), round(columns["high"][0])) == (1441, 1559)


@pytest.mark.parametrize(
    ("rules", "deviation", "mark"),
    [("lichess", 109.9, None), ("lichess", 110, "?"), ("fics", 80, "active"), ("fics", 80.1, None)],
)
def test_marks(rules: str, deviation: float, mark: str | None) -> None:
    columns = ratings(rated(rules, [], [Start("a", 1500, facts={"deviation": deviation})])).columns
    assert list(columns["mark"]) == [mark]


def test_a_year_without_a_game_makes_a_lichess_rating_provisional() -> None:
    """RD 60 and volatility .06 become 110.0008 in 365 days."""
    start = [Start("a", 1500, last=day("2026-02-01"), facts={"deviation": 60, "volatility": 0.06})]
    for on, mark in ((date(2027, 1, 31), None), (date(2027, 2, 1), "?")):
        columns = ratings(rated("lichess", [], start, on=on)).columns
        assert list(columns["mark"]) == [mark]
        assert list(columns["deviation"]) == [60]
    assert columns["deviation_now"][0] == pytest.approx(110.0008, abs=5e-5)


def test_marks_of_ones_own_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    rows = '[[edition.mark]]\nsign = ""\n[[edition.mark]]\nsign = "!"\nleast = 90\nmost = 80\n'
    heading = HEADING.replace('"elo"', '"glicko"')
    path.write_text(heading + f'[[edition]]\ncurve = {{ shape = "logistic" }}\ndeviation = {{ entry = 350 }}\n{rows}')
    with pytest.raises(RulebookError) as refused:
        load(path)
    assert "mark[1].sign: what the list prints is missing" in str(refused.value)
    assert "mark[2].least: not negative, and not above most" in str(refused.value)


def test_elo_has_no_marks(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text(HEADING + 'like = "elo"\n[[edition]]\n[[edition.mark]]\nsign = "?"\n')
    with pytest.raises(RulebookError, match="mark: the system elo has no such clause"):
        load(path)


@pytest.mark.parametrize("unit", ["day", "week", "10-days", "month", "quarter", "half-year", "year", "04-01,10-01"])
def test_the_moment_of_a_period_is_read_as_that_period(unit: str) -> None:
    calendar = Calendar(((0, Period.parse(f"period:{unit}")),))
    for when in (1, 2, 800, day("2024-02-29"), day("2024-12-31"), day("9999-12-30")):
        number = calendar.number(when)
        assert calendar.around(when)[0] == calendar.first_day(number)
        if number > 1:
            for last in (0, 1, when):
                told = moment_of(float(number), last, calendar)
                assert told is not None
                assert calendar.number(day(told)) == number


def test_the_moment_of_a_game_has_its_milliseconds() -> None:
    assert moment_of(day("2024-02-29") + 0.5, 0, None) == "2024-02-29T12:00:00"
    assert moment_of(day("2024-02-29") + 86_399_999 / 86_400_000, 0, None) == "2024-02-29T23:59:59.999"
    assert moment_of(0.0, 0, None) is moment_of(1.0, 0, None) is None


# --------------------------------------------------------------------------------------- what is told beforehand


@pytest.mark.parametrize("value", [0.0, -1.0, 1.1e6, math.inf, math.nan])
@pytest.mark.parametrize("fact", ["deviation", "volatility"])
def test_a_start_without_a_possible_deviation_is_refused(fact: str, value: float) -> None:
    with pytest.raises(DataError, match=f"a {fact} of .* is none that a rating can have") as refused:
        rated("glicko2", [], [Start(player, 1500, facts={fact: value}) for player in "ab"])
    assert len(refused.value.problems) == 2


def test_ratings_without_a_deviation_are_said_to_be_so() -> None:
    start = [Start("a", 1500), Start("b", 1500, facts={"deviation": 80}), Start("c", None)]
    assert [problem.message for problem in rated("glicko", [], start).problems] == [
        "1 rating(s) say nothing of their deviation, and are taken to be as uncertain as a newcomer's"
    ]
    assert not rated("elo", [], start).problems


@pytest.mark.parametrize("kind", ["adjustment", "blend", "floor"])
def test_only_an_entry_has_a_deviation(kind: str) -> None:
    act = Act(kind=kind, player="a", date=day("2024-02-01"), rating=100, games=3, deviation=50)  # type: ignore[arg-type]
    with pytest.raises(DataError, match=f"only an entry has a deviation, this is an act of the kind {kind}"):
        rated("glicko2", [Game("a", "b", 1, date=date(2024, 1, 10))], acts=[act])


def test_where_every_game_is_a_period_one_has_passed_for_who_has_played() -> None:
    """Whether or not the day is known: a list of undated games goes on with the digits of one replay."""
    book = load("glicko", {"unit": "game"})
    first, second = Game("a", "b", 1), Game("a", "b", 0)
    whole, half = rated(book, [first, second]), rated(book, [first])
    listed = ratings(half).columns
    start = [
        Start(player, rating, int(count), facts={"deviation": deviation})
        for player, rating, count, deviation in zip(
            *(listed[name] for name in ("player", "rating_exact", "games", "deviation"))
        )
    ]
    again = rated(book, [second], start)
    for player in "ab":
        assert list(again.state_of(again.code(player))[4:5]) == list(whole.state_of(whole.code(player))[4:5])
        assert again.rating(player) == whole.rating(player)


def test_a_list_in_json_is_a_start_list(tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    rows = [{"player": "a", "rating": 1500, "deviation": 80.5, "last_rated": "2024-01-10T12:00:00"}]
    path.write_text(json.dumps({"rules": "glicko2", "ratings": rows, "groups": [2, 1], "problems": []}))
    (start,), _ = read_start(path)
    assert (start.player, start.facts["deviation"], start.rated) == ("a", 80.5, day("2024-01-10") + 0.5)


def test_deviations_on_a_day_are_the_kernels_growth() -> None:
    history = rated("lichess", [Game("a", "b", 1, date=date(2026, 3, 1))], on=date(2026, 3, 31))
    (now, _) = ratings(history).columns["deviation_now"]
    rating, _, _, _, deviation, volatility = history.state_of(0)
    at = history.numbers.blocks[-1]
    time = 30 / 4.665049449524165
    assert now == kernel_glicko.grown_deviation(history.numbers.rules, at, rating, deviation, volatility, time)


@pytest.mark.parametrize("name", [*FAMILY, "weng-lin"])
def test_tables_say_what_came_of_a_deviation_in_batches_too(name: str) -> None:
    book = load(name)
    played = [Game("a", "b", 1, date=date(2024, 1, at), event="one") for at in (3, 4)]
    history = rated(book, played)
    table, told = games(history).columns, changes(history).columns
    listed = dict(zip(*(ratings(history).columns[each] for each in ("player", "deviation"))))
    for player, after, note in list(zip(*(table[each] for each in ("player", "deviation_after", "note"))))[-2:]:
        assert note is None
        assert after == listed[player]
    assert list(told["deviation"])[-2:] == [listed[player] for player in list(told["player"])[-2:]]
    erratic = any(edition.volatility for edition in book.editions)
    assert ("volatility" in table) == ("volatility" in told) == erratic


# ----------------------------------------------------------------------------------------------- which list


@pytest.mark.parametrize(
    ("rules", "inside", "outside"),
    [
        ("icc/new:bullet", ["1+0", "2+1"], ["3+0", "1+3", "2+2"]),  # minutes and two thirds of the increment
        ("icc/new:blitz", ["3+0", "1+3", "5+7"], ["2+1", "10+0", "2+12"]),
        ("icc/new:rapid", ["10+0", "2+12", "59+1"], ["9+1", "60+0", "50+15"]),
        ("icc/new:classical", ["60+0", "50+15"], ["59+1"]),
        ("fics:lightning", ["2+1", "0+4"], ["3+0", "0+5"]),
        ("fics:blitz", ["3+0", "0+5", "2+12"], ["0+4", "15+0"]),
        ("lichess:bullet", ["1+0", "2+1"], ["0+0", "3+0"]),
        ("lichess:blitz", ["3+0", "5+3"], ["2+1", "8+0", "3+8"]),
        ("lichess:rapid", ["8+0", "15+10"], ["7+1", "25+0", "15+15"]),
        ("lichess:classical", ["25+0", "15+15", "30+20"], ["15+14"]),
    ],
)
def test_games_of_another_time_class_are_left_out(rules: str, inside: list[str], outside: list[str]) -> None:
    if rules.startswith("lichess"):  # 40 moves: the increment counts two thirds there too
        outside = [text for text in outside if text != "0+0"]
    for texts_, counted in ((inside, 0), (outside, len(outside))):
        played = [Game("a", "b", 1, date=date(2026, 3, 1), labels={"time_control": text}) for text in texts_]
        history = rated(rules, played)
        assert history.not_rated == counted


def test_games_that_say_no_time_control_are_of_the_list() -> None:
    played = [Game("a", "b", 1, date=date(2026, 3, 1), labels={"time_control": text}) for text in ("90+0", "", "60+0")]
    assert rated("icc/new:blitz", played).not_rated == 2
    assert rated("icc/new", played).not_rated == 0


def test_lichess_crazyhouse_had_its_own_advantage_from_the_first_day() -> None:
    chess, crazyhouse = load("lichess"), load("lichess:crazyhouse")
    for when, one, other in ((date(2025, 12, 1), 7.786, 15.171), (date(2026, 6, 1), 11.782457, 20.30966)):
        assert chess.on(when.toordinal()).difference.advantage == one
        assert crazyhouse.on(when.toordinal()).difference.advantage == other


# ----------------------------------------------------------------------------------------------- calculators


def test_no_minus_zero() -> None:
    assert str(expected(1500, 1500).opponent_counted) == "0.0"
    assert texts([-3e-10, 1.0]) == ["0", "1"]
    assert texts([-0.04, 1.25]) == ["-0.04", "1.25"]
    assert texts([-0.004, 12.25]) == ["0.00", "12.25"]


def test_answers_that_know_no_deviations_say_so() -> None:
    said = "as if all ratings were exact: deviations bring an expectation nearer to one half"
    assert office.difference_for(0.66, "glicko").notes == (said,)
    assert office.curve_notes("glicko2") == (said,)
    assert office.performance([1500, 1600], 1, rules="glicko")[0].notes == (said,)
    assert not office.difference_for(0.66, "fide/standard").notes


def test_weng_lin_predicts_as_its_library_does() -> None:
    """What a replay records of a game is what is expected of it beforehand."""
    start = [Start("a", 42, facts={"deviation": 1.3}), Start("b", 25, facts={"deviation": 25 / 3})]
    history = rated("weng-lin", [Game("a", "b", 1, date=date(2024, 1, 3))], start)
    found = expected(42, 25, "weng-lin", deviations=(1.3, 25 / 3))
    assert (found.score, found.opponent_score) == tuple(games(history).columns["expected"])
    assert found.score + found.opponent_score == pytest.approx(1)
    assert office.expected("42/1.3", "25/8.3", "weng-lin").expectation.score == pytest.approx(found.score, abs=1e-3)


@pytest.mark.parametrize(
    ("rules", "deviations", "why"),
    [
        ("weng-lin", None, "depends on both deviations too, such as 25/8"),
        ("weng-lin", (0.0, 3.0), "a rating deviation lies between 1e-06 and 100000, not 0"),
        ("weng-lin", (3.0, math.nan), "a rating deviation lies between"),
        ("trueskill", (8.0, 8.0), "its library predicts no scores"),
    ],
)
def test_what_cannot_be_predicted(rules: str, deviations: tuple[float, float] | None, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        expected(25, 27, rules, deviations=deviations)
