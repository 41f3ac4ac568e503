"""FIFA's list, and World Football Elo's, from results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import date
from statistics import median

import pytest

from arpad.engine import replay
from arpad.model import Game, Games, Start
from arpad.rulebooks import load
from tests.published.conftest import Rows, score, share


def fifa_lists(rows: Callable[[str], Rows], column: str | None) -> list[tuple[dict[str, str], float]]:
    """(row of the list, our points) for every team of every list, each list replayed from the one before it."""
    matches = defaultdict(list)
    for row in rows("fifa_ranking/matches_by_list.csv"):
        matches[row["list_date"]].append(row)
    teams = defaultdict(list)
    for row in rows("fifa_ranking/points_by_list.csv"):
        teams[row["list_date"]].append(row)
    rated = []
    for day, listed in teams.items():
        games = Games.of(
            Game(
                row["home"],
                row["away"],
                score(float(row["home_score"]), float(row["away_score"])),
                date=date.fromisoformat(row["date"]),
                shootout=0 if not row["shootout_winner"] else 1 if row["shootout_winner"] == row["home"] else 2,
                importance=float(row[f"importance_{column}"]) if column else None,
                knockout=row[f"knockout_{column}"] == "1" if column else None,
                labels={"tournament": row["tournament"]},
            )
            for row in matches[day]
        )
        history = replay(games, load("fifa/men"), [Start(row["team"], float(row["prev_points"])) for row in listed])
        rated += [(row, history.rating(row["team"])) for row in listed]
    return rated


def agrees(row: dict[str, str], points: float) -> bool:
    return abs(points - float(row["points"])) <= 0.015 + 1e-9


def test_fifa_men_given_importances(rows: Callable[[str], Rows]) -> None:
    exact = [agrees(row, points) for row, points in fifa_lists(rows, "fit") if row["exact_fit"] == "1"]
    assert len(exact) == 2215
    assert share(exact) >= 0.99


def test_fifa_men_own_classification(rows: Callable[[str], Rows]) -> None:
    exact = [agrees(row, points) for row, points in fifa_lists(rows, None)]
    assert len(exact) == 2313
    assert share(exact) >= 0.85


@pytest.mark.parametrize("year", range(2000, 2012))
def test_world_football_elo_year(
    rows: Callable[[str], Rows], elsewhere_called: Mapping[str, list[str]], year: int
) -> None:
    """From the published ratings of 31 December to those of the next, through the year's matches."""
    lists: dict[int, dict[str, float]] = {year - 1: {}, year: {}}
    for row in rows("eloratings_yearly/ranking_1901-2011.csv.gz"):
        if int(row["year"]) in lists:
            lists[int(row["year"])][row["team"]] = float(row["rating"])

    def listed(team: str, on: dict[str, float]) -> float | None:
        names = [
            team,
            *(name for name in elsewhere_called.get(team, []) if name != "Ireland" or team != "Northern Ireland"),
        ]
        return next((on[name] for name in names if name in on), None)

    games = [
        Game(
            row["home_team"],
            row["away_team"],
            score(float(row["home_score"]), float(row["away_score"])),
            margin=float(row["home_score"]) - float(row["away_score"]),
            date=date.fromisoformat(row["date"]),
            neutral=row["neutral"] == "TRUE",
            labels={"tournament": row["tournament"]},
        )
        for row in rows("international_football/results.csv.gz")
        if row["date"].startswith(str(year)) and row["home_score"].isdigit()
    ]
    teams = {team for game in games for team in (game.first, game.second)}
    start = [Start(team, rating) for team in teams if (rating := listed(team, lists[year - 1])) is not None]
    history = replay(Games.of(games), load("eloratings", {"start": "none"}), start)
    errors = [
        abs(rating - published)
        for team in teams
        if (rating := history.rating(team)) is not None and (published := listed(team, lists[year])) is not None
    ]
    assert len(errors) > 150
    assert median(errors) <= 2
