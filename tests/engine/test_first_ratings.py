"""FIDE's first ratings (spec 6.4, N1 to N12), what waits between periods, and the standard rating that stands in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest

from arpad.engine import History, replay
from arpad.explain import explain
from arpad.model import Act, Game, Games, Start
from arpad.rulebooks import load
from arpad.sentences import words

S2024, S2022, S2014, S2009 = date(2025, 5, 10), date(2023, 5, 10), date(2016, 5, 10), date(2010, 5, 10)


def newcomer(ratings: Sequence[float], score: float, when: date, *, event: str = "Open") -> list[Game]:
    """A newcomer's games in one event: any results that add up to the score."""
    games = []
    for number, _ in enumerate(ratings):
        result = min(1.0, max(0.0, score - number))
        games.append(Game("new", f"opponent {number}", result, date=when, event=event, round=number + 1))
    return games


def rate(games: list[Game], ratings: Sequence[float], chapter: str = "fide/standard") -> History:
    start = [Start(f"opponent {number}", rating, games=100, peak=rating) for number, rating in enumerate(ratings)]
    return replay(Games.of(games), load(chapter), start)


@pytest.mark.parametrize(
    ("example", "ratings", "score", "when", "expected"),
    [
        ("N1", [1901, 1901, 1901, 1902, 1902], 3, S2024, 1922),
        ("N1, before", [1901, 1901, 1901, 1902, 1902], 3, S2022, 1921),
        ("N2", [1800] * 5, 5, S2024, 2109),
        ("N2, before", [1800] * 5, 5, S2022, 1900),
        ("N3", [2500] * 5, 5, S2024, 2200),
        ("N3, before", [2500] * 5, 5, S2014, 2600),
        ("N4, before", [1000] * 5, 5, S2014, 1100),
        ("N5", [1600, 1500, 1700, 1600, 1550], 3.5, S2024, 1752),
        ("N5, before", [1600, 1500, 1700, 1600, 1550], 3.5, S2022, 1630),
        ("N6 and C05", [2000] * 5, 3, S2024, 1993),
        ("N6 and C05, before", [2000] * 5, 3, S2022, 2020),
        ("N7", [2000] * 5, 2, S2024, 1893),
        ("N7, before", [2000] * 5, 2, S2022, 1928),
        ("N8", [1600] * 5, 1, S2024, 1499),
        ("N8, before", [1600] * 5, 1, S2022, 1360),
        ("N9", [1500] * 5, 0.5, S2024, None),
        ("N9, before", [1500] * 5, 0.5, S2022, 1134),
        ("N10", [2000] * 5, 0, S2024, None),
        ("N10, before", [2000] * 5, 0, S2022, None),
        ("N11", [2000] * 9, 5, S2009, 2013),
        ("N12", [2000] * 4, 3, S2024, None),
        ("N12, before", [2000] * 4, 3, S2014, None),
    ],
)
def test_fide_first_rating(
    example: str, ratings: list[float], score: float, when: date, expected: float | None
) -> None:
    history = rate(newcomer(ratings, score, when), ratings)
    assert history.rating("new") == expected, example
    assert all(history.rating(f"opponent {number}") == rating for number, rating in enumerate(ratings))


def test_games_wait_for_the_next_event_and_are_forgotten_after_26_months() -> None:
    ratings = [1900.0] * 6
    early = newcomer(ratings[:3], 1.5, date(2025, 1, 10), event="Winter")
    late = [Game("new", f"opponent {number}", 0.5, date=date(2025, 6, 10), event="Summer") for number in (3, 4, 5)]
    history = rate(early + late, ratings)
    (first, second) = history.firsts
    assert (first.listed, first.rating, len(first.games)) == (False, None, 3)
    assert (second.listed, len(second.games)) == (True, 6)
    assert history.rating("new") == 1875  # (6 x 1900 + 3600) / 8, and one half
    assert history.waiting == {}

    too_late = [Game("new", "opponent 3", 0.5, date=date(2027, 3, 10), event="Years later")]
    history = rate(early + too_late, ratings)
    assert len(history.waiting["new"]) == 1
    in_time = [Game("new", "opponent 3", 0.5, date=date(2027, 2, 10), event="Just in time")]
    assert len(rate(early + in_time, ratings).waiting["new"]) == 4


def test_an_event_without_a_point_is_ignored_only_while_none_has_counted() -> None:
    ratings = [1900.0] * 6
    nothing = newcomer(ratings[:3], 0, date(2025, 1, 10), event="Winter")
    some = newcomer(ratings[:3], 2, date(2025, 2, 10), event="Spring")
    again = [Game("new", f"opponent {number}", 0.0, date=date(2025, 6, 10), event="Summer") for number in (3, 4)]
    (first, second, third) = rate(nothing + some + again, ratings).firsts
    assert (len(first.games), len(first.ignored)) == (0, 3)
    assert (len(second.games), len(third.games)) == (3, 5)


def test_a_first_rating_goes_by_the_list_that_its_games_were_met_on() -> None:
    """The opponents' ratings of the day count, not what the same month makes of them."""
    ratings = [1900.0] * 5
    games = newcomer(ratings, 3, S2024)
    games += [Game("opponent 0", "opponent 1", 1.0, date=S2024, event="Elsewhere")]
    history = rate(games, ratings)
    assert history.rating("opponent 0") == 1910
    assert history.firsts[0].mean == pytest.approx((5 * 1900 + 3600) / 7)


def test_a_replay_goes_on_with_the_games_that_wait() -> None:
    ratings = [1900.0] * 5
    early = newcomer(ratings[:3], 1.5, date(2025, 1, 10), event="Winter")
    late = [Game("new", f"opponent {number}", 0.5, date=date(2025, 6, 10), event="Summer") for number in (3, 4)]
    whole = rate(early + late, ratings)
    half = rate(early, ratings)
    rest = replay(Games.of(late), load("fide/standard"), half.checkpoint())
    assert rest.rating("new") == whole.rating("new")
    assert rest.firsts[0].games == whole.firsts[1].games


def test_a_first_rating_is_explained() -> None:
    history = rate(newcomer([2000] * 5, 3, S2024), [2000] * 5)
    (change,) = explain(history, "new")
    assert (change.kind, change.before, change.after) == ("first", None, 1993)
    text = "\n".join(words([change]))
    assert "first rating of 1993" in text
    assert "mean opponent 1942.86, 57 % is worth +50" in text
    assert "opponent 4 2000" in text
    below = explain(rate(newcomer([1500] * 5, 0.5, S2024), [1500] * 5), "new")
    assert "would be 1356" in "\n".join(words(below))
    waiting = explain(rate(newcomer([1900] * 3, 1, S2024), [1900] * 3), "new")
    assert "still unrated" in "\n".join(words(waiting, "en"))
    assert "ancora senza punteggio" in "\n".join(words(waiting, "it"))


def test_a_newcomer_with_a_rating_is_a_player_like_any_other() -> None:
    ratings = [2000.0] * 6
    games = newcomer(ratings[:5], 3, S2024)
    games += [Game("new", "opponent 5", 1.0, date=date(2025, 7, 3), event="Next")]
    history = rate(games, ratings)
    # 1993 v 2000: .49; K 40 while fewer than 30 games count.
    assert history.rating("new") == 1993 + 20
    assert [change.kind for change in explain(history, "new")] == ["first", "games"]


def test_c04_a_standard_rating_stands_in_for_the_missing_rapid_one() -> None:
    """A has no rapid rating and 1850 in standard; B has 1800 and K 20: B gets 20 x (0 - .43) = -8.6."""
    when = date(2025, 5, 10)
    standard = replay(
        Games.of([Game("A", "C", 0.5, date=date(2025, 4, 2), event="Standard")]),
        load("fide/standard"),
        [Start("A", 1850, games=100), Start("C", 1850, games=100)],
        keep_lists=True,
    )
    games = Games.of([Game("A", "B", 1.0, date=when, event="Rapid")])
    start = [Start("B", 1800, games=100, peak=1800)]
    alone = replay(games, load("fide/rapid"), start)
    assert (alone.rating("A"), alone.rating("B")) == (None, 1800)
    history = replay(games, load("fide/rapid"), start, substitutes=standard.lists)
    assert history.rating("B") == 1791
    # C03: new to that list, so K 40: 40 x (1 - .57) = +17.2.
    assert history.rating("A") == 1867
    before = replay(
        Games.of([Game("A", "B", 1.0, date=date(2022, 9, 10), event="Rapid")]),
        load("fide/rapid"),
        start,
        substitutes=standard.lists,
    )
    assert before.rating("A") is None


def test_g18_and_g19_rapid_games_between_far_ratings() -> None:
    def rapid(own: float, opponent: float, score: float, when: date) -> float | None:
        start = [Start("me", own, games=500, peak=2700 if own > 2400 else own), Start("you", opponent, games=500)]
        return replay(Games.of([Game("me", "you", score, date=when, event="R")]), load("fide/rapid"), start).rating(
            "me"
        )

    assert rapid(1800, 2601, 0, date(2024, 12, 10)) == 1800
    assert rapid(1800, 2601, 0, date(2024, 11, 10)) != 1800
    assert rapid(2600, 1900, 1, date(2024, 12, 10)) == 2601


@pytest.mark.parametrize("language", ["en", "it", "es"])
@pytest.mark.parametrize("kind", ["floor", "blend", "adjustment"])
def test_an_act_that_changes_nothing_of_somebody_unrated_is_told_so(kind: Any, language: str) -> None:
    act = Act(kind, "new", S2024.toordinal(), 20.0)
    history = replay(Games.of([]), load("fide/standard"), [Start("new", None)], [act])
    [change] = explain(history, "new")
    said = {"en": "changed nothing", "it": "non ha cambiato nulla", "es": "no cambió nada"}
    assert said[language] in words([change], language)[0]
