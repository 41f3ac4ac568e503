"""The older American systems: US Chess from 1960 to 2000, the first chess servers, and Harkness."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arpad.engine import History
from arpad.errors import RulebookError
from arpad.explain import explain
from arpad.model import Act, Game, Start
from arpad.rulebooks import load
from arpad.rulebooks.book import Rulebook
from arpad.sentences import words
from arpad.views import changes, games, ratings
from tests.engine.helpers import bits, club, day, expected, rated

MAY = date(1975, 5, 10)


def event(*results: tuple[str, float], when: date = MAY, me: str = "me") -> list[Game]:
    """One player's games of an event, by opponent and score."""
    return [
        Game(me, other, score, date=when, event=f"{when}", round=number)
        for number, (other, score) in enumerate(results, 1)
    ]


def field(**rated: float) -> list[Start]:
    return [Start(name, rating, games=100) for name, rating in rated.items()]


def told(history: History, player: str, language: str = "en") -> str:
    return "\n".join(words(explain(history, player), language))


def settled(reading: Rulebook | str, given: list[Game], start: list[Start], **more: Any) -> list[tuple[float, float]]:
    """(games before, rating after) of the player called me."""
    return [
        (change.facts["games"], change.after)
        for change in explain(rated(reading, given, start, **more), "me")
        if change.kind == "games"
    ]


# -------------------------------------------------------------------------------- US Chess, provisional

U1 = event(("a", 1), ("b", 0), ("c", 0.5))
U1_FIELD = field(a=1400, b=1550, c=1650)


def test_u1_the_published_example_of_the_provisional_formula() -> None:
    history = rated("uschess/classic", U1, [Start("me", 1500, games=6), *U1_FIELD])
    assert history.rating("me") == pytest.approx(1511.111111, abs=1e-6)
    assert history.state_of(history.code("me"))[1] == 9


def test_u1_in_words() -> None:
    history = rated("uschess/classic", U1, [Start("me", 1500, games=6), *U1_FIELD])
    lines = told(history, "me").splitlines()
    assert lines[0] == "1975-05-10  me goes from 1500 to 1511.11: scored 1.5 of 3."
    assert lines[1:4] == [
        "  - a 1400: scored 1, counts as 1800",
        "  - b 1550: scored 0, counts as 1150",
        "  - c 1650: scored 0.5, counts as 1650",
    ]
    assert (
        lines[4] == "    provisional: 3 game(s) are worth 4600 together; with 6 before at 1500: "
        "(6 x 1500 + 4600) / 9 = 1511.1111"
    )
    assert "the mean over all games" in lines[5]
    assert "(not certain)" in lines[5]
    italian, spanish = told(history, "me", "it"), told(history, "me", "es")
    assert "me passa da 1500 a 1511,11: ha fatto 1,5 su 3." in italian
    assert "(6 x 1500 + 4600) / 9 = 1511,1111" in italian
    assert "me pasa de 1500 a 1511,11: hizo 1,5 de 3." in spanish
    assert "antes 6 a 1500: (6 x 1500 + 4600) / 9" in spanish


def test_u1_in_tables() -> None:
    """No expected score; K is what a point of score was worth: 800 points over 9 games."""
    history = rated("uschess/classic", U1, [Start("me", 1500, games=6), *U1_FIELD])
    row = changes(history).columns["player"].index("me")
    found = {name: column[row] for name, column in changes(history).columns.items()}
    assert found["expected"] != found["expected"]
    assert found["k"] == pytest.approx(800 / 9)
    assert (found["games"], found["score"]) == (3, 1.5)
    assert found["change"] == pytest.approx(100 / 9)
    table = games(history).columns
    mine = [at for at, player in enumerate(table["player"]) if player == "me"]
    assert sum(table["change"][at] for at in mine) == pytest.approx(100 / 9)
    assert [table["change"][at] for at in mine] == pytest.approx([300 / 9, -350 / 9, 150 / 9])
    assert all(table["note"][at] is None for at in mine)
    others = [at for at, player in enumerate(table["player"]) if player != "me"]
    assert all(table["expected"][at] == table["expected"][at] for at in others)


@pytest.mark.parametrize(
    ("before", "right"), [(19, (19 * 1500 + 2100 + 1700) / 21), (20, 1500 + 32 * (1.5 - 2 * 0.240253))]
)
def test_19_and_20_games(before: int, right: float) -> None:
    """On 19 games the whole event is provisional, the games beyond the 20th too; on 20 none of it is."""
    history = rated("uschess/classic", event(("a", 1), ("a", 0.5)), [Start("me", 1500, games=before), *field(a=1700)])
    assert history.rating("me") == pytest.approx(right, abs=1e-3)


def test_the_number_of_games_is_a_parameter() -> None:
    start = [Start("me", 1500, games=6), *U1_FIELD]
    none = load("uschess/classic", {"provisional": "none"})
    assert none.editions[0].provisional is None
    established = 1500 + 32 * (1.5 - sum(expected(none, 1500, other) for other in (1400, 1550, 1650)))
    for reading in (none, load("uschess/classic", {"provisional": 6})):
        assert rated(reading, U1, start).rating("me") == pytest.approx(established, abs=1e-9)
    assert rated(load("uschess/classic", {"provisional": 7}), U1, start).rating("me") == pytest.approx(13600 / 9)


def test_a_newcomers_first_event() -> None:
    """A mean over the games; the opponents, who are rated, win and lose nothing by games with an unrated player."""
    history = rated("uschess/classic", U1, U1_FIELD)
    assert history.rating("me") == pytest.approx((1800 + 1150 + 1650) / 3)
    assert [history.rating(name) for name in "abc"] == [1400, 1550, 1650]
    assert history.not_rated == 0
    assert [str(problem) for problem in history.problems] == [
        "3 game(s) rated for one side only, which had a rated opponent: the other side had none"
    ]
    assert "a: not rated" not in told(history, "me")
    assert "me is rated now, at 1533.33: scored 1.5 of 3." in told(history, "me")
    assert "3 game(s) are worth 4600 together; 4600 / 3 = 1533.3333" in told(history, "me")
    assert "me ha ora un punteggio, 1533,33" in told(history, "me", "it")
    assert "me tiene ahora puntuación, 1533,33" in told(history, "me", "es")
    assert "me: not rated, the opponent is unrated" in told(history, "a")
    assert ratings(history).columns["player"] == ["c", "b", "me", "a"]
    notes = dict(zip(games(history).columns["player"], games(history).columns["note"], strict=True))
    assert notes["me"] is None
    assert notes["a"] == "the opponent is unrated"


def test_a_second_event_builds_on_the_first() -> None:
    later = event(("a", 0.5), when=MAY + timedelta(days=30))
    history = rated("uschess/classic", [*U1, *later], U1_FIELD)
    assert history.rating("me") == pytest.approx((1800 + 1150 + 1650 + 1400) / 4)
    # now the opponent is rated as well: by 133 points the weaker
    assert history.rating("a") == pytest.approx(1400 + 32 * (0.5 - expected(load("uschess/classic"), 1400, 4600 / 3)))


def test_two_newcomers_rate_nobody() -> None:
    history = rated("uschess/classic", event(("other", 1)), [])
    assert history.rating("me") is None
    assert history.rating("other") is None
    assert history.not_rated == 1
    assert "the player is unrated" in told(history, "me")


def test_a_start_is_what_a_newcomers_opponents_meet() -> None:
    history = rated(load("uschess/classic", {"start": 1300}), event(("other", 1)), [])
    assert (history.rating("me"), history.rating("other")) == (1700, 900)
    history = rated(load("uschess/classic", {"start": 1300}), event(("a", 1)), field(a=1500))
    assert history.rating("me") == 1900
    assert history.rating("a") == pytest.approx(1500 - 32 * expected(load("uschess/classic"), 1500, 1300))


def test_the_order_of_an_event_does_not_matter() -> None:
    random = Random(4)
    people = [f"p{number}" for number in range(7)]
    start = [Start(name, 1400 + 50 * number, games=number) for number, name in enumerate(people[1:])]
    made = [
        Game(*random.sample(people, 2), random.choice((0.0, 0.5, 1.0)), date=MAY, event="open", round=number)
        for number in range(40)
    ]
    found = bits(rated("uschess/classic", made, start))
    for seed in range(5):
        Random(seed).shuffle(made)
        assert bits(rated("uschess/classic", made, start)) == found


@pytest.mark.parametrize("reading", ["uschess/classic", "uschess/classic:linear"])
def test_a_checkpoint_at_every_event(reading: str) -> None:
    made = [
        game for number in range(12) for game in event(("a", 1), ("b", 0.5), ("new", 0), when=MAY + timedelta(number))
    ]
    start = field(a=1400, b=1550)
    whole = rated(reading, made, start)
    assert [before for before, _ in settled(reading, made, start)] == [0, 2, *range(4, 34, 3)]  # "new" is unrated twice
    for cut in range(3, 36, 3):
        held = rated(reading, made[:cut], start).checkpoint()
        assert bits(rated(reading, made[cut:], held)) == bits(whole)


def test_a_rating_without_a_number_of_games_is_established() -> None:
    history = rated("uschess/classic", event(("a", 1)), {"me": 1500, "a": 1500})
    assert (history.rating("me"), history.rating("a")) == (1516, 1484)
    assert "2 rating(s) say nothing of the games behind them" in str(history.problems[0])
    by_act = rated("uschess/classic", event(("a", 1)), field(a=1500), [Act("entry", "me", day("1975-05-01"), 1500.0)])
    assert by_act.rating("me") == 1516
    few = [Act("entry", "me", day("1975-05-01"), 1500.0, games=3)]
    assert rated("uschess/classic", event(("a", 1)), field(a=1500), few).rating("me") == (3 * 1500 + 1900) / 4
    assert not rated("elo", event(("a", 1)), {"me": 1500, "a": 1500}).problems


def test_provisional_ratings_do_not_overshoot() -> None:
    """A mean cannot run away, however many games there are: no warning."""
    others = {f"o{number}": 1600 for number in range(60)}
    history = rated(
        "uschess/classic", event(*((name, 0.5) for name in others)), [Start("me", 1500, games=3), *field(**others)]
    )
    assert not history.problems
    assert history.rating("me") == pytest.approx((3 * 1500 + 60 * 1600) / 63)


def test_game_by_game_the_20th_game_is_the_last_provisional_one() -> None:
    reading = load("uschess/classic", {"unit": "game"})
    history = rated(reading, event(*[("a", 0.5)] * 4), [Start("me", 1500, games=18), *field(a=1600)])
    story = explain(history, "me")
    assert [change.working is not None for change in story] == [True, True, False, False]
    assert story[0].after == (18 * 1500 + 1600) / 19
    assert [change.k for change in story] == [800 / 19, 800 / 20, 32, 32]


# ------------------------------------------------------------------------------------ US Chess, pencil form

U20 = event(("a", 1), ("b", 0.5), ("c", 0.5))
U20_FIELD = [Start("me", 1500, games=60), *field(a=1400, b=1600, c=1550)]


def test_u20_the_established_formula_and_the_pencil_form() -> None:
    assert rated("uschess/classic", U20, U20_FIELD).rating("me") == pytest.approx(1518.2868, abs=5e-5)
    assert rated("uschess/classic:linear", U20, U20_FIELD).rating("me") == pytest.approx(1518.0, abs=1e-9)


@pytest.mark.parametrize(("limit", "capped"), [(350, 350), (400, 400), ("none", 600)])
def test_differences_in_the_pencil_form_are_limited(limit: float | str, capped: float) -> None:
    """16 points less 4 % of the difference, for the favourite who wins and for the other who loses."""
    reading = load("uschess/classic:linear", {"limit": limit})
    history = rated(reading, event(("a", 1)), [Start("me", 2200, games=60), *field(a=1600)])
    gained = max(16 - 0.04 * capped, 0 if limit == "none" else -1e9)
    assert history.rating("me") == pytest.approx(2200 + gained)
    assert history.rating("a") == pytest.approx(1600 - gained)


def test_k_of_the_pencil_form_is_32_for_masters_too_and_newcomers_are_provisional() -> None:
    history = rated("uschess/classic:linear", event(("a", 1)), field(me=2450, a=2450))
    assert history.rating("me") == 2466
    assert rated("uschess/classic:linear", U1, U1_FIELD).rating("me") == pytest.approx(4600 / 3)


# ------------------------------------------------------------------------------------- the chess servers


def single(score: float, own: Start, other: Start) -> History:
    return rated("icc/classic", [Game("me", "other", score, date=MAY)], [own, other])


@pytest.mark.parametrize(
    ("score", "own", "other", "right"),
    [
        # provisional against established: 400 points
        (1, (1600, 1), (1800, 50), (1600 + 2200) / 2),
        (0, (1600, 1), (1800, 20), (1600 + 1400) / 2),
        (0.5, (1500, 9), (1800, 20), (9 * 1500 + 1800) / 10),
        # provisional against provisional: halfway, 200 points
        (1, (1600, 1), (1800, 19), (1600 + 1900) / 2),
        (0.5, (1500, 19), (1800, 0), (19 * 1500 + 1650) / 20),
        # established against established: K 32
        (1, (1500, 20), (1500, 20), 1516),
        # established against provisional: K 32 n / 20
        (1, (1500, 20), (1500, 5), 1504),
        (1, (1500, 20), (1500, 19), 1515.2),
        (0, (1500, 400), (1500, 0), 1500),
    ],
)
def test_icc_one_game(score: float, own: tuple[float, int], other: tuple[float, int], right: float) -> None:
    history = single(score, Start("me", own[0], games=own[1]), Start("other", other[0], games=other[1]))
    assert history.rating("me") == pytest.approx(right, abs=1e-9)
    assert history.rating("me") == pytest.approx(
        rated(
            "icc/classic",
            [Game("other", "me", 1 - score, date=MAY)],
            [Start("me", own[0], games=own[1]), Start("other", other[0], games=other[1])],
        ).rating("me"),
        abs=1e-12,
    )


def test_icc_players_without_games_count_as_1600() -> None:
    history = rated("icc/classic", [Game("me", "other", 1, date=MAY)])
    assert (history.rating("me"), history.rating("other")) == (1800, 1400)
    history = rated("icc/classic", [Game("me", "a", 1, date=MAY)], field(a=2000))
    assert (history.rating("me"), history.rating("a")) == (2400, 2000)
    assert history.not_rated == 0


def test_icc_the_opponents_games_in_words() -> None:
    history = single(1, Start("me", 1500, games=20), Start("other", 1500, games=5))
    (change,) = explain(history, "me")
    assert change.games[0].factors == (("game_factor", pytest.approx(0.25)),)
    assert change.games[0].gain == pytest.approx(0.125)
    text = told(history, "me")
    assert "times factor of the game 0.25" in text
    assert "a twentieth of K" in text
    assert "fattore della partita 0,25" in told(history, "me", "it")
    assert "factor de la partida 0,25" in told(history, "me", "es")
    full = single(1, Start("me", 1500, games=20), Start("other", 1500, games=20))
    assert explain(full, "me")[0].games[0].factors == ()
    assert "twentieth" not in told(full, "me")


def test_icc_twenty_games_make_a_rating_established() -> None:
    made = [Game("me", "a", 0.5, date=MAY + timedelta(days=number)) for number in range(21)]
    history = rated("icc/classic", made, field(a=1900))
    kinds = [change.working is not None for change in explain(history, "me") if change.kind == "games"]
    assert kinds == [True] * 20 + [False]
    assert explain(history, "a")[0].games[0].factors == (("game_factor", 0.0),)


# ------------------------------------------------------------------------- the clauses in anybody's rulebook

CLUB = """
[[edition]]
[edition.curve]
shape = "logistic"
[[edition.k]]
value = 20
[edition.unit]
of = "event"
"""


def test_a_factor_of_a_game_adds_up_over_an_event(tmp_path: Path) -> None:
    """In one event, half of what was won against a newcomer counts, and all of what was won against others."""
    rules = club(
        tmp_path,
        CLUB
        + "[[edition.game_factor]]\nwhen = { opponent_games_below = 10 }\nvalue = 0.5\n"
        + "[[edition.game_factor]]\nvalue = 1\n",
    )
    start = [Start("me", 1500, 50), Start("new", 1500, 9), Start("old", 1500, 10)]
    history = rated(rules, event(("new", 1), ("old", 1)), start)
    assert history.rating("me") == 1515
    assert history.rating("new") == history.rating("old") == 1490
    assert [game.factors for game in explain(history, "me")[0].games] == [(("game_factor", 0.5),), ()]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("[edition.provisional]\ngames = 0\npoints = 400\n", "provisional.games: at least 1"),
        ("[edition.provisional]\ngames = 20\npoints = 0\n", "provisional.points: must be positive"),
        (
            '[edition.provisional]\ngames = 20\npoints = 400\nagainst_provisional = "halfway"\n',
            "provisional.against_provisional: halfway to what",
        ),
        (
            "[edition.provisional]\ngames = 20\npoints = 400\n[edition.difference]\nupgrades = 1\n",
            "provisional: an expectation on the mean opponent",
        ),
        (
            "[edition.provisional]\ngames = 20\npoints = 400\n"
            '[edition.first]\ngames = 5\nmonths = 12\nfile = "fide/8.1.1.csv"\n',
            "provisional: beside first",
        ),
        (
            "[[edition.k_factor]]\nwhen = { opponent_games_below = 5 }\nvalue = 1\n[[edition.k_factor]]\nvalue = 2\n",
            "k_factor[1].when: opponent_games_below: K holds for all games of a batch",
        ),
        (
            '[[edition.k_factor]]\nramp = { of = "opponent_games", points = [[0, 0], [20, 1]] }\n',
            "k_factor[1].ramp.of: K holds for all games of a batch",
        ),
        (
            "[[edition.cap]]\nwhen = { opponent_games_below = 5 }\nvalue = 1\n[[edition.cap]]\nvalue = 2\n",
            "cap[1].when: opponent_games_below: only game_factor",
        ),
        ('[[edition.game_factor]]\nof = "importance"\n', "game_factor[1].of: a game's importance goes with K"),
        ("[[edition.game_factor]]\nvalue = -1\n", "game_factor[1].value: must not be negative"),
        ("[edition.harkness]\npoints = 10\n", "harkness: the system elo has no such clause"),
    ],
)
def test_clauses_that_cannot_be(tmp_path: Path, more: str, message: str) -> None:
    with pytest.raises(RulebookError) as refused:
        club(tmp_path, CLUB + more)
    assert message in str(refused.value)


# ------------------------------------------------------------------------------------------------ Harkness

U9_FIELD = {f"o{number}": 1800 + 10 * number for number in range(11)}
U9 = event(*zip(U9_FIELD, [1, 1, 0.5, *[0] * 8], strict=True))


def test_u9_the_published_example() -> None:
    """2.5 of 11 against a mean of 1850: 1577, unrounded 1577.27; the rating before, 1600, does not enter."""
    for before in (1600, 2400):
        history = rated("harkness", U9, [Start("me", before), *field(**U9_FIELD)])
        assert history.rating("me") == pytest.approx(1577.2727, abs=1e-4)
        table = ratings(history).columns
        assert table["rating"][table["player"].index("me")] == 1577
    assert rated("harkness", U9, field(**U9_FIELD)).rating("me") == history.rating("me")


def test_u9_in_words() -> None:
    history = rated("harkness", U9, [Start("me", 1600), *field(**U9_FIELD)])
    text = told(history, "me")
    assert "me goes from 1600 to 1577.27: scored 2.5 of 11." in text
    assert "  - o0 1800: scored 1\n" in text
    assert (
        "mean opponent 1850; 2.5 of 11 is 22.73 %, 10 points for each per cent from 50: 1850 - 272.73 = 1577.27" in text
    )
    assert "plus 10 points for each per cent scored above 50" in text
    assert "media avversari 1850; 2,5 su 11 è il 22,73 %" in told(history, "me", "it")
    assert "media de rivales 1850; 2,5 de 11 es el 22,73 %" in told(history, "me", "es")


def test_harkness_opponents_count_as_the_event_began() -> None:
    """Each side's rating is moved, and neither move is seen by the other."""
    made = event(("a", 1), ("a", 1))
    history = rated("harkness", made, [Start("me", 1700), Start("a", 1500)])
    assert (history.rating("me"), history.rating("a")) == (2000, 1200)
    later = [*made, *event(("a", 0.5), when=MAY + timedelta(days=9))]
    history = rated("harkness", later, [Start("me", 1700), Start("a", 1500)])
    assert (history.rating("me"), history.rating("a")) == (1200, 2000)


def test_harkness_unrated_opponents_are_not_met() -> None:
    history = rated("harkness", event(("a", 1), ("new", 0)), [Start("a", 1500), Start("me", 1400)])
    assert history.rating("me") == 2000
    assert history.rating("new") == 1900
    assert history.not_rated == 0
    assert "1 game(s) rated for one side only" in str(history.problems[-1])
    assert "new: not rated, the opponent is unrated" in told(history, "me")
    started = rated(load("harkness", {"start": 1200}), event(("a", 1), ("new", 0)), [Start("a", 1500)])
    assert started.rating("me") == 1350
    assert rated("harkness", event(("other", 1)), []).rating("me") is None


@pytest.mark.parametrize(
    ("events", "right"), [(1, 1700), (2, (1200 + 1700) / 2), (3, (2000 + 1200 + 1700) / 3), (9, 4900 / 3)]
)
def test_harkness_averages_the_last_events(events: int, right: float) -> None:
    results = ((1, 0), (0, 1), (0.5, 2))
    reading = load("harkness", {"average_of": events})
    made = [
        game for score, number in results for game in event((f"a{number}", score), when=MAY + timedelta(days=number))
    ]
    start = field(a0=1500, a1=1700, a2=1700)
    history = rated(reading, made, start)
    assert history.rating("me") == pytest.approx(right)
    for cut in (1, 2):
        held = rated(reading, made[:cut], start).checkpoint()
        again = rated(reading, made[cut:], held)
        assert bits(again) == bits(history)
        assert again.learned == history.learned
    if events == 3:
        assert "mean of the last 3 events: (2000 + 1200 + 1700) / 3 = 1633.33" in told(history, "me")
        assert "media degli ultimi 3 tornei" in told(history, "me", "it")
        assert "media de los últimos 3 torneos" in told(history, "me", "es")


def test_harkness_checkpoints_survive_a_file() -> None:
    from arpad.checkpoints import decode, encode

    reading = load("harkness", {"average_of": 2})
    made = [*U9, *event(("o1", 1), when=MAY + timedelta(days=9))]
    held = decode(encode(rated(reading, U9, field(**U9_FIELD)).checkpoint()), "held")
    assert bits(rated(reading, made[11:], held)) == bits(rated(reading, made, field(**U9_FIELD)))


def test_harkness_stays_within_500_points_of_the_mean_opponent() -> None:
    for score, right in ((1, 500), (0, -500)):
        history = rated("harkness", event(("a", score), ("b", score)), field(a=1400, b=1800))
        assert history.rating("me") == 1600 + right


@pytest.mark.parametrize(
    ("clause", "message"),
    [
        ('unit]\nof = "game"', "unit.of: a percentage needs whole events"),
        ("difference]\nadvantage = 30", "difference: the percentage stands"),
        ('dates]\nexpectation = "list"', "dates: an event is rated"),
        ("harkness]\npoints = 0", "harkness.points: must be positive"),
        ("harkness]\naverage_of = 1.5", "harkness.average_of: a whole number of events"),
        ("floor]\nvalue = 100", "floor: the system harkness has no such clause"),
    ],
)
def test_harkness_clauses_that_cannot_be(tmp_path: Path, clause: str, message: str) -> None:
    path = tmp_path / "club.toml"
    path.write_text(
        'organisation = "club"\ngame = "chess"\nsystem = "harkness"\ncadence = "events"\nlike = "harkness"\n'
        f'[title]\nen = "ours"\n[[edition]]\n[edition.{clause}\n',
        encoding="utf-8",
    )
    with pytest.raises(RulebookError) as refused:
        load(path)
    assert message in str(refused.value)
