"""FIDE's published lists after closed events, and evalica's Elo."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from datetime import date

import pytest
from msgspec.structs import replace

from arpad.engine import replay
from arpad.model import Act, Event, Game, Games, Start
from arpad.rulebooks import load
from tests.published.conftest import Rows

BY_HAND = {
    ("Kramnik, Vladimir", "2013-03"): 2810.0,
    ("Kramnik, Vladimir", "2014-03"): 2787.0,
    ("Ivanchuk, Vassily", "2013-03"): 2757.0,
}


def first_of(month: str) -> date:
    return date.fromisoformat(f"{month}-01")


def spread(total: float, games: int) -> list[float]:
    """Any results that add up to a total: a sum of changes asks for no more."""
    wins = int(total)
    halves = round(2 * (total - wins))
    return [1.0] * wins + [0.5] * halves + [0.0] * (games - wins - halves)


def test_fide_closed_events_23_of_23(rows: Callable[[str], Rows]) -> None:
    """Every player whose list counts as many games as the event had: the published rating, exactly.

    The event is rated with the list of its first day, and the change is added to the last list before the result.
    """
    history = {(row["name"], row["list"]): row for row in rows("fide_top_history/history_2000-2016.csv.gz")}
    events = defaultdict(list)
    for row in rows("fide_top_history/events.csv"):
        events[row["event"]].append(row)

    def rating(name: str, month: str) -> float | None:
        row = history.get((name, month))
        return BY_HAND.get((name, month)) or (float(row["classical"]) if row and row["classical"] else None)

    checked = 0
    for event, players in events.items():
        for row in players:
            after = history.get((row["player"], row["after_list"]))
            if not after or after["classical_games"] != row["games"]:
                continue
            met = rating(row["player"], row["rating_list"])
            base = rating(row["player"], row["before_list"])
            opponents = [other["player"] for other in players if other is not row]
            ratings = [rating(name, row["rating_list"]) for name in opponents]
            if met is None or base is None or None in ratings:
                continue
            results = spread(float(row["score"]), int(row["games"]))
            each = int(row["games_per_opponent"])
            pairs = [name for name in opponents for _ in range(each if each > 1 else len(results) // len(opponents))]
            closing = first_of(row["before_list"])
            # An event under an older list began in that list's month; the day itself does not matter.
            opening = (
                closing if row["rating_list"] == row["before_list"] else first_of(row["rating_list"]).replace(day=15)
            )
            games = Games.of(
                Game(row["player"], name, result, date=closing, event=event, round=number)
                for number, (name, result) in enumerate(zip(pairs, results, strict=True), 1)
            )
            games = replace(games, events=[Event(event, opening.toordinal(), closing.toordinal())])
            replayed = replay(
                games,
                load("fide/standard"),
                [Start(row["player"], met, games=500, peak=2800)]
                + [Start(name, value, games=500, peak=2700) for name, value in zip(opponents, ratings, strict=True)],
                [
                    Act(
                        "adjustment",
                        row["player"],
                        closing.toordinal(),
                        base - met,
                        reason="the list before the result",
                    )
                ],
            )
            assert replayed.rating(row["player"]) == float(after["classical"]), (event, row["player"])
            checked += 1
    assert checked == 23


@pytest.mark.parametrize(("name", "games"), [("simple", 16), ("food", 30)])
def test_evalica_elo(rows: Callable[[str], Rows], name: str, games: int) -> None:
    result = {"left": 1.0, "tie": 0.5, "right": 0.0}
    played = [
        Game(row["left"], row["right"], result[row["winner"]])
        for row in rows(f"evalica/{name}.csv")
        if row["winner"] in result
    ]
    assert len(played) == games
    history = replay(Games.of(played), load("elo", {"k": 4, "start": 1000}))
    golden = {
        row["item"]: float(row["score"]) for row in rows(f"evalica/{name}-golden.csv") if row["algorithm"] == "elo"
    }
    for item, value in golden.items():
        assert history.rating(item) == pytest.approx(value, abs=1e-9)
