"""The data that comes with arpad is what its SOURCES.md says."""

from __future__ import annotations

import csv
import gzip
import io
from collections import Counter
from importlib.resources import files
from itertools import combinations

DATA = files("arpad") / "data"


def rows(name: str) -> list[dict[str, str]]:
    content = (DATA / name).read_bytes()
    text = (gzip.decompress(content) if name.endswith(".gz") else content).decode()
    return list(csv.DictReader(io.StringIO(text)))


def test_football_is_the_6508_matches_of_five_leagues() -> None:
    matches = rows("football.csv.gz")
    assert list(matches[0]) == ["date", "league", "home", "away", "home_score", "away_score"]
    assert Counter(match["league"] for match in matches) == {
        "Deutsche Bundesliga": 1224,
        "English Premier League": 1521,
        "Primera Division": 1520,
        "Serie A": 1523,
        "Österreichische Bundesliga": 720,
    }
    assert matches == sorted(matches, key=lambda match: match["date"])
    blank = [match for match in matches if not match["home_score"] or not match["away_score"]]
    assert [match["date"] for match in blank] == ["2016-04-30", "2016-05-01", "2016-05-08", "2016-05-15"]


def test_football_leagues_never_meet() -> None:
    teams: dict[str, set[str]] = {}
    for match in rows("football.csv.gz"):
        teams.setdefault(match["league"], set()).update((match["home"], match["away"]))
    assert not any(one & other for one, other in combinations(teams.values(), 2))
    assert sum(map(len, teams.values())) == 116


def test_fide_month_is_a_round_robin_of_the_players_on_the_list() -> None:
    players = {player["player"] for player in rows("fide_list.csv")}
    games = rows("fide_month.csv")
    assert len(games) == 28
    assert {frozenset((game["white"], game["black"])) for game in games} == set(
        map(frozenset, combinations(players, 2))
    )
    assert {game["date"][:7] for game in games} == {"2025-11"}


def test_asigc_players_enter_before_they_play() -> None:
    entered = {act["player"]: act["date"] for act in rows("asigc_acts.csv") if act["kind"] == "entry"}
    for game in rows("asigc_games.csv"):
        assert entered[game["white"]] < game["date"]
        assert entered[game["black"]] < game["date"]
    blends = [act["date"] for act in rows("asigc_acts.csv") if act["kind"] == "blend"]
    assert {date[5:] for date in blends} <= {"04-01", "10-01"}
