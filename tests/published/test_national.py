"""Published results of national federations: the Irish Chess Union."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from arpad.engine import History, replay
from arpad.model import Game, Games, Start
from arpad.rulebooks import load
from arpad.systems.icu import bonus_of
from tests.published.conftest import Rows

#: A bonus depends on performances, which the totals of a row do not give.
WITHOUT_BONUS = """
organisation = "test"
game = "chess"
system = "icu"
like = "icu"
[title]
en = "ICU without bonuses"
[[edition]]
improvement = "none"
[[edition]]
from = 2012-01-01
improvement = "none"
"""


def spread(total: float, games: int) -> list[float]:
    """Any results that add up to a total: a sum of changes asks for no more."""
    wins = int(total)
    halves = round(2 * (total - wins))
    return [1.0] * wins + [0.5] * halves + [0.0] * (games - wins - halves)


def established(rows: Callable[[str], Rows]) -> list[dict[str, str]]:
    """Rows of players with 20 games or more in earlier rows, with an expectation, and a rating before."""
    days = {row["tournament_id"]: row["date"] for row in rows("icu_chess/tournaments.csv")}
    ordered = sorted(
        rows("icu_chess/rating_histories.csv.gz"),
        key=lambda row: (days[row["tournament_id"]], int(row["tournament_id"])),
    )
    games: Counter[str] = Counter()
    found = []
    for row in ordered:
        known = games[row["player_id"]] >= 20
        if known and float(row["expected_score"]) and int(row["old_rating"]):
            found.append({**row, "date": days[row["tournament_id"]]})
        games[row["player_id"]] += int(row["games"])
    return found


def test_icu_rows_of_established_players_11892_of_11892(rows: Callable[[str], Rows], tmp_path: Path) -> None:
    """Old rating, K, score and expectation make the change; the bonus comes of it, of games and of performance.

    Each row is an event of its own, against one opponent at the rating that makes the published expectation.
    """
    path = tmp_path / "icu.toml"
    path.write_text(WITHOUT_BONUS, encoding="utf-8")
    checked = established(rows)
    start, games = [], []
    for row in checked:
        name, count, old = row["id"], int(row["games"]), int(row["old_rating"])
        share = float(row["expected_score"]) / count
        met = old + 400 * math.log10(1 / share - 1)
        start += [Start(name, old, facts={"k": float(row["k_factor"])}), Start(f"o{name}", met, facts={"fixed": 1.0})]
        when = date.fromisoformat(row["date"])
        games += [
            Game(name, f"o{name}", score, date=when, event=name) for score in spread(float(row["actual_score"]), count)
        ]
    history = replay(Games.of(games), load(path), start)
    wrong, book = [], load("icu")
    for row in checked:
        rule = book.on(date.fromisoformat(row["date"])).improvement
        assert rule is not None
        k, old, count = float(row["k_factor"]), float(row["old_rating"]), int(row["games"])
        change = k * (float(row["actual_score"]) - float(row["expected_score"]))
        bonus = bonus_of(rule, old, k, count, change, float(row["tournament_rating"]))
        after = (history.rating(row["id"]) or 0.0) + bonus
        if (after, bonus) != (float(row["new_rating"]), float(row["bonus"])):
            wrong.append((row["id"], after, row["new_rating"], bonus, row["bonus"]))
    assert (len(checked), wrong) == (11892, [])


#: Ratings that the results themselves do not give, each from the published expectation of one opponent: a visitor, or
#: somebody whose earlier games are not in the data. All their other opponents must agree.
FROM_ONE_OPPONENT = {
    "1452": {"7": "25", "43": "10", "22": "37", "35": "49"},
    "1453": {"28": "44", "56": "29", "55": "33"},
}


def event_of(
    rows: Callable[[str], Rows], number: str
) -> tuple[dict[str, dict[str, str]], dict[str, list[tuple[str, float]]]]:
    """The published row of each starting number, where there is one, and everybody's (opponent, score)."""
    published = {
        row["player_id"]: row
        for row in rows("icu_chess/rating_histories.csv.gz")
        if row["tournament_id"] == number and int(row["old_rating"])
    }
    met = defaultdict(list)
    known = {}
    for row in rows("icu_chess/games.csv"):
        if row["tournament_id"] == number:
            met[row["number"]].append((row["opponent_number"], float(row["score"])))
            if row["player_id"] in published:
                known[row["number"]] = published[row["player_id"]]
    return known, met


def replayed(
    known: dict[str, dict[str, str]], met: dict[str, list[tuple[str, float]]], others: dict[str, float]
) -> History:
    start = [Start(name, float(row["old_rating"]), facts={"k": float(row["k_factor"])}) for name, row in known.items()]
    start += [Start(name, rating, facts={"fixed": 1.0}) for name, rating in others.items()]
    games = [
        Game(name, opponent, score, date=date(2011, 2, 27), event="Bunratty")
        for name, games in met.items()
        for opponent, score in games
        if int(name) < int(opponent)
    ]
    return replay(Games.of(games), load("icu"), start)


@pytest.mark.parametrize(("number", "rated"), [("1452", 59), ("1453", 53)])
def test_icu_events_with_games_every_expectation_rating_and_bonus(
    rows: Callable[[str], Rows], number: str, rated: int
) -> None:
    known, met = event_of(rows, number)
    others = {}
    for name, witness in FROM_ONE_OPPONENT[number].items():
        own = float(known[witness]["old_rating"])
        rest = sum(
            1 / (1 + 10 ** ((float(known[other]["old_rating"]) - own) / 400))
            for other, _ in met[witness]
            if other != name
        )
        others[name] = round(own + 400 * math.log10(1 / (float(known[witness]["expected_score"]) - rest) - 1))
    history = replayed(known, met, others)
    found = {history.players[row[1]]: row for row in history.recording.changes}
    assert len(known) == rated
    for name, row in known.items():
        working = history.recording.workings[0, history.code(name)]
        assert found[name][6] == pytest.approx(float(row["expected_score"]), abs=1e-6), name
        assert (history.rating(name), working.bonus) == (float(row["new_rating"]), float(row["bonus"])), name
        assert abs(working.performance - float(row["tournament_rating"])) <= 0.5, name


@pytest.mark.parametrize(("number", "checked"), [("1452", 30), ("1453", 30)])
def test_icu_players_whose_opponents_are_all_identified(rows: Callable[[str], Rows], number: str, checked: int) -> None:
    """Without what is known of the others: who met only established players, none of whom met anybody else with a part
    in a bonus, is expected exactly what was published."""
    known, met = event_of(rows, number)
    history = replayed(known, met, {})
    found = {history.players[row[1]]: row for row in history.recording.changes}
    certain = [
        name
        for name in known
        if all(
            other in known and not (int(known[other]["bonus"]) and any(third not in known for third, _ in met[other]))
            for other, _ in met[name]
        )
    ]
    assert len(certain) >= checked
    for name in certain:
        assert found[name][6] == pytest.approx(float(known[name]["expected_score"]), abs=1e-4), name
