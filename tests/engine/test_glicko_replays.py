"""Rulebooks with a deviation from a file of games to a list: periods, events, single games, start lists, editions."""

from __future__ import annotations

import math
from datetime import date, timedelta
from pathlib import Path

import pytest

import arpad
from arpad import expectation
from arpad.errors import RulebookError
from arpad.explain import explain
from arpad.formats import read_start
from arpad.model import Act, Game, Start
from arpad.rulebooks import load, names
from arpad.sentences import words
from arpad.views import changes, games, ratings
from tests.engine.helpers import HEADING, day, rated

FAMILY = [name for name in names() if load(name).system == "glicko"]
JANUARY, FEBRUARY, MAY = date(2024, 1, 10), date(2024, 2, 10), date(2024, 5, 10)

CSV = """date,white,black,result
2024-01-10,a,b,1-0
2024-01-20,a,c,1/2-1/2
2024-05-03,b,c,0-1
"""


def deviation(history, player: str) -> float:  # type: ignore[no-untyped-def]
    return float(history.state_of(history.code(player))[4])


def test_from_a_file_to_a_list_with_deviations(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text(CSV)
    listed = arpad.replay(path, rules="glicko2").ratings().columns
    assert list(listed["player"]) == ["a", "c", "b"]
    assert all(240 < value < 290.3 for value in listed["deviation"])  # 290.3 after one game (C21), less after two
    assert list(listed["volatility"]) == pytest.approx([0.06] * 3, abs=1e-4)
    plain = arpad.replay(path, rules="glicko").ratings().columns
    assert "volatility" not in plain
    assert max(plain["deviation"]) < 350


def test_a_start_list_with_deviations_is_glickmans_example(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(
        "player,rating,deviation,volatility\nme,1500,200,0.06\na,1400,30,0.06\nb,1550,100,0.06\nc,1700,300,0.06\n"
    )
    start, problems = read_start(path)
    assert not problems
    played = [Game("me", name, score, date=JANUARY) for name, score in (("a", 1), ("b", 0), ("c", 0))]
    history = rated("glicko2", played, start)
    assert history.rating("me") == pytest.approx(1464.0507, abs=1e-4)
    assert deviation(history, "me") == pytest.approx(151.5165, abs=1e-4)
    plain = rated("glicko", played, start)
    assert (plain.rating("me"), deviation(plain, "me")) == pytest.approx((1464.1065, 151.3989), abs=5e-5)


def test_empty_months_grow_the_deviation() -> None:
    """From January to February one period of c², to May four."""
    start = [Start(name, 1500, facts={"deviation": 60.0}) for name in "ab"]
    c = load("glicko").editions[0].growth.c  # type: ignore[union-attr]
    for after, periods in ((FEBRUARY, 1), (MAY, 4)):
        played = [Game("a", "b", 0.5, date=when) for when in (JANUARY, after)]
        first = rated("glicko", played[:1], start)
        both = rated("glicko", played, start)
        grown = math.sqrt(deviation(first, "a") ** 2 + periods * c**2)
        assert both.recording.spread[8] == pytest.approx(grown, abs=1e-9)
        part = rated("glicko", played[1:], first.checkpoint())
        assert list(part.state) == list(both.state)


def test_a_list_that_comes_back_grows_the_same(tmp_path: Path) -> None:
    """rating_exact, deviation, volatility and last_date of a list are a start list."""
    played = [Game("a", "b", 1, date=JANUARY), Game("b", "c", 1, date=JANUARY), Game("a", "c", 0, date=MAY)]
    for rules in ("glicko2", "lichess", "stephenson"):
        first = ratings(rated(rules, played[:2])).columns
        columns = [name for name in ("player", "rating_exact", "deviation", "volatility", "last_date") if name in first]
        path = tmp_path / f"{rules}.csv"
        rows = [",".join(map(str, row)) for row in zip(*(first[name] for name in columns))]
        path.write_text("\n".join([",".join(columns).replace("rating_exact", "rating"), *rows]) + "\n")
        start, problems = read_start(path)
        assert not problems
        again, whole = rated(rules, played[2:], start), rated(rules, played)
        for name in "ac":
            assert again.rating(name) == pytest.approx(whole.rating(name), abs=1e-9)
            assert deviation(again, name) == pytest.approx(deviation(whole, name), abs=1e-9)


def test_who_sits_out_keeps_what_he_had() -> None:
    played = [Game("a", "b", 1, date=JANUARY), Game("a", "c", 1, date=MAY)]
    history = rated("glicko2", played)
    alone = rated("glicko2", played[:1])
    assert list(history.state_of(history.code("b"))) == list(alone.state_of(alone.code("b")))


def test_lichess_counts_the_days_between_two_games() -> None:
    """After a year a deviation of 60 is 110, unless the stored one counts."""
    start = [
        Start(name, 1500, facts={"deviation": 60.0, "volatility": 0.06}, last=JANUARY.toordinal()) for name in "ab"
    ]
    history = rated("lichess", [Game("a", "b", 0.5, date=JANUARY + timedelta(days=365))], start)
    assert history.recording.spread[0] == pytest.approx(110.0008, abs=5e-5)
    stored = rated(load("lichess", {"grown": False}), [Game("a", "b", 0.5, date=JANUARY + timedelta(days=365))], start)
    assert stored.recording.spread[0] == 60


@pytest.mark.parametrize(
    ("preset", "factor"), [("bullet", 1.01), ("blitz", 1.005), ("rapid", 1.015), ("classical", 1.01)]
)
def test_lichess_regulators_by_list(preset: str, factor: float) -> None:
    when = date(2026, 3, 1)
    plain, list_ = (rated(rules, [Game("w", "b", 1, date=when)]) for rules in ("lichess", f"lichess:{preset}"))
    assert list_.rating("w") - 1500 == pytest.approx(factor * (plain.rating("w") - 1500), abs=1e-9)
    assert list_.rating("b") == plain.rating("b")


def test_lichess_today_and_before() -> None:
    """Newcomers of 1500/500/.09 with White's 11.78 today, of 1500/350/.06 without it before 2019."""
    game = Game("w", "b", 1, date=date(2018, 5, 1))
    old = rated("lichess", [game])
    assert (old.rating("w"), old.rating("b")) == pytest.approx((1662.21, 1337.79), abs=5e-3)
    new = rated(load("lichess", {"advantage": 0}), [Game("w", "b", 1, date=date(2026, 5, 1))])
    assert (new.rating("w"), new.rating("b")) == pytest.approx((1741.476, 1258.524), abs=5e-4)


def test_fics_k_has_a_floor_since_28_april_1997() -> None:
    """K of a deviation of 40 is 39.7416² ln(10)/400 x .9921 = 9.02: half of it rounds to 5, half of 16 is 8."""
    start = [Start(name, 1500, facts={"deviation": 40.0}) for name in "ab"]
    for when, after in ((date(1997, 4, 27), 1505), (date(1997, 4, 28), 1508)):
        assert rated("fics", [Game("a", "b", 1, date=when)], start).rating("a") == after


def test_by_events_and_by_games_a_period_is_some_days() -> None:
    start = [Start(name, 1500, facts={"deviation": 60.0}, last=JANUARY.toordinal()) for name in "ab"]
    game = Game("a", "b", 0.5, date=JANUARY + timedelta(days=30), event="open")
    for unit in ("event", "game"):
        for days, grown in (
            (30, math.sqrt(60**2 + 20**2)),
            (10, math.sqrt(60**2 + 3 * 20**2)),
            (0, math.hypot(60, 20)),
        ):
            history = rated(load("glicko", {"unit": unit, "days": days, "c": 20}), [game], start)
            assert history.recording.spread[0] == pytest.approx(grown, abs=1e-9)


def test_an_entry_may_say_how_certain_it_is() -> None:
    act = Act("entry", "a", day("2024-01-02"), 1800.0, 10, deviation=80.0)
    history = rated(
        "glicko", [Game("a", "b", 0.5, date=JANUARY)], [Start("a", 1500, facts={"deviation": 200.0})], [act]
    )
    assert history.recording.before[0] == 1800
    assert history.recording.spread[0] == 80


def test_tables_and_words_tell_the_deviation() -> None:
    history = rated("glicko2", [Game("a", "b", 1, date=JANUARY), Game("a", "b", 1, date=MAY)])
    assert changes(history).columns["deviation"][0] == pytest.approx(290.319, abs=1e-3)
    assert games(history).columns["opponent_deviation"][0] == 350
    told = "\n".join(words(explain(history, "a"), "it"))
    assert "deviazione del punteggio 350 -> 290,32" in told
    assert "era cresciuta da 290,32 a" in told


@pytest.mark.parametrize("name", FAMILY)
def test_every_rulebook_of_the_family_speaks_three_languages(name: str) -> None:
    from arpad.rulebooks.views import clauses

    book = load(name)
    texts = [clause.text for edition in book.editions for _, clause in clauses(edition)]
    texts += [parameter.text for parameter in book.parameters.values()]
    texts += [book.title, *(edition.text for edition in book.editions if edition.text), book.text or book.title]
    assert all({"en", "it", "es"} <= set(text) for text in texts)


def test_templates_claim_nothing() -> None:
    from arpad.rulebooks.views import clauses

    for name in ("chess-com", "acf"):
        book = load(name)
        assert "template" in book.title["en"]
        assert all(parameter.status == "unsure" for parameter in book.parameters.values())
        assert all(clause.status == "unsure" for _, clause in clauses(book.editions[0]))


CLAUSES = """
[[edition]]
[edition.curve]
shape = "logistic"
[edition.deviation]
entry = 350
"""


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ("[[edition.k]]\nvalue = 20", "the system glicko has no such clause"),
        ('[edition.growth]\nkind = "volatility"', "there is no volatility to grow by"),
        ('[edition.growth]\nkind = "exponential"', "needs five numbers"),
        ('[edition.growth]\nkind = "constant"\nactive = "one"', "all before the update"),
        ('[edition.growth]\nkind = "constant"\ndays = 7\n[edition.unit]\nof = "period:week"', "takes no days"),
        ("[edition.volatility]\nentry = 0.06\ntau = 50", "from 0.001 to 10"),
        ("[edition.volatility]\nentry = 0\ntau = 0.5", "must be positive"),
        ("[edition.passes]\ncount = 2", "two passes need an event or a period"),
        ('[edition.passes]\ncount = 3\n[edition.unit]\nof = "event"', "1 or 2"),
        ('[edition.least_k]\nvalue = 16\n[edition.unit]\nof = "event"', "a least K is one game's"),
        ("[edition.stephenson]\npull = 2", "a share between 0 and 1"),
        ("[edition.gains]\nfactor = 0", "must be positive"),
        ("[edition.boost]\nabove = -1\nfactor = 1\nadded = 1", "must not be negative"),
    ],
)
def test_clauses_that_cannot_stand(tmp_path: Path, more: str, problem: str) -> None:
    path = tmp_path / "club.toml"
    path.write_text(HEADING.replace('"elo"', '"glicko"') + CLAUSES + more + "\n")
    with pytest.raises(RulebookError, match=problem):
        load(path)


def test_a_deviation_outside_its_bounds_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text(HEADING.replace('"elo"', '"glicko"') + CLAUSES + "least = 30\nmost = 300\n")
    with pytest.raises(RulebookError, match="350 is outside 30 to 300"):
        load(path)
    path.write_text(HEADING.replace('"elo"', '"glicko"') + CLAUSES.replace("logistic", "normal"))
    with pytest.raises(RulebookError, match="have the logistic curve"):
        load(path)


def test_on_another_scale_the_calculator_and_the_explanation_go_by_the_replays_g(tmp_path: Path) -> None:
    """A scale of 173.7178 is Glicko's with ratings and deviations shrunk as much: nothing else may change."""
    shrink = 173.7178 / 400
    text = load("glicko").path.read_text(encoding="utf-8").replace("scale = 400", "scale = 173.7178")
    small = tmp_path / "small.toml"
    small.write_text(text, encoding="utf-8")
    large = expectation.expected(1400, 1500, "glicko", deviations=(80, 150))
    less = expectation.expected(1400 * shrink, 1500 * shrink, load(small), deviations=(80 * shrink, 150 * shrink))
    assert less.score == pytest.approx(large.score, abs=1e-12)
    met = [Game("A", "B", 1.0, date=date(2025, 6, 1))]
    uncertain = {"A": (650.0, 87.0), "B": (608.0, 30.0)}
    start = [Start(name, rating, facts={"deviation": rd}) for name, (rating, rd) in uncertain.items()]
    (change,) = (each for each in explain(rated(load(small), met, start), "A") if each.kind == "games")
    (game,) = change.games
    assert dict(game.factors)["uncertainty"] * (game.score - game.expected) == pytest.approx(game.gain, abs=1e-12)
