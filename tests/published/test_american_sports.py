"""FiveThirtyEight's NFL and NBA, and the AUDL: every published step, from the rating that the file gives before it.

Each game is rated on its own, its teams renamed to be met once, so that a file's hidden reversions break no chain.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

import pytest

from arpad.engine import replay
from arpad.model import Act, Game, Games, Start
from arpad.rulebooks import load
from tests.published.conftest import Rows, score


def steps(games: list[tuple[str, str, float, float, dict[str, object]]], before: list[tuple[float, float]], rules: str):
    facts, start = [], []
    for number, ((first, second, scored, conceded, more), (one, two)) in enumerate(zip(games, before, strict=True)):
        names = f"{first} {number}", f"{second} {number}"
        facts.append(Game(*names, score(scored, conceded), margin=scored - conceded, **more))
        start += [Start(names[0], one), Start(names[1], two)]
    history = replay(Games.of(facts), load(rules), start)
    return [(history.rating(game.first), history.rating(game.second)) for game in facts], history


@pytest.mark.parametrize(
    ("file", "rules", "games", "tolerance"),
    [
        ("nfl_elo_538/nfl_elo_1920-1989.csv.gz", "fivethirtyeight/nfl", 8779, 1e-3),
        ("nfl_elo_538/nfl_elo_2021.csv.gz", "fivethirtyeight/nfl", 149, 1e-6),
        ("nba_elo_538/nba_elo_2021.csv.gz", "fivethirtyeight/nba", 1051, 1e-9),
        ("nba_elo_538/nba_elo_2022.csv.gz", "fivethirtyeight/nba", 1310, 1e-9),
    ],
)
def test_fivethirtyeight_every_step(
    rows: Callable[[str], Rows], file: str, rules: str, games: int, tolerance: float
) -> None:
    played = [row for row in rows(file) if row["score1"]]
    assert len(played) == games
    after, history = steps(
        [
            (
                row["team1"],
                row["team2"],
                float(row["score1"]),
                float(row["score2"]),
                {
                    "date": date.fromisoformat(row["date"]),
                    "season": int(row["season"]),
                    "neutral": row["neutral"] == "1",
                },
            )
            for row in played
        ],
        [(float(row["elo1_pre"]), float(row["elo2_pre"])) for row in played],
        rules,
    )
    for row, (one, two) in zip(played, after, strict=True):
        assert one == pytest.approx(float(row["elo1_post"]), abs=tolerance), row
        assert two == pytest.approx(float(row["elo2_post"]), abs=tolerance), row
    if rules.endswith("nba"):
        order = {history.games.players[code]: row for row, code in enumerate(history.games.first)}
        for number, row in enumerate(played):
            at = order[f"{row['team1']} {number}"]
            assert history.recording.expects[at] == pytest.approx(float(row["elo_prob1"]), abs=1e-9)


def test_nfl_1920_to_1989_in_one_chain(rows: Callable[[str], Rows]) -> None:
    """Seventy seasons from the published initial ratings: 8,779 games, and the reversion before each new season.

    Ten times a franchise was given a rating by hand (a merger, a return); the file shows them as a first rating that is
    no reversion, and here they are acts.
    """
    played = rows("nfl_elo_538/nfl_elo_1920-1989.csv.gz")
    start = [Start(row["team"], float(row["elo"])) for row in rows("nfl_elo_538/initial_elos.csv")]
    games, acts = [], []
    last: dict[str, tuple[str, float]] = {}
    for number, row in enumerate(played):
        day = date.fromisoformat(row["date"])
        for team, pre, post in (("team1", "elo1_pre", "elo1_post"), ("team2", "elo2_pre", "elo2_post")):
            name, before = row[team], float(row[pre])
            season, rating = last.get(name, (row["season"], before))
            if season != row["season"] and abs(rating * 2 / 3 + 1505 / 3 - before) > 0.01:
                acts.append(Act("entry", name, day.toordinal(), before))
            last[name] = row["season"], float(row[post])
        scored, conceded = float(row["score1"]), float(row["score2"])
        games.append(
            Game(
                row["team1"],
                row["team2"],
                score(scored, conceded),
                margin=scored - conceded,
                date=day,
                season=int(row["season"]),
                neutral=row["neutral"] == "1",
                board=number,
            )
        )
    assert len(acts) == 10
    history = replay(Games.of(games), load("fivethirtyeight/nfl"), start, acts)
    for at, number in enumerate(history.games.board):
        row = played[number]
        assert history.recording.before[2 * at] == pytest.approx(float(row["elo1_pre"]), abs=0.01)
        assert history.recording.after[2 * at + 1] == pytest.approx(float(row["elo2_post"]), abs=0.01)


def test_audl_every_step_but_one(rows: Callable[[str], Rows]) -> None:
    played = [row for row in rows("audl_elo/audl_elo_2012-2015.csv.gz") if row["_iscopy"] == "0"]
    games, before, published = [], [], []
    for row in played:
        home = ("team_id", "opp_id", "pts", "opp_pts", "elo_i", "opp_elo_i", "elo_n", "opp_elo_n")
        if row["game_location"] == "A":
            home = ("opp_id", "team_id", "opp_pts", "pts", "opp_elo_i", "elo_i", "opp_elo_n", "elo_n")
        first, second, scored, conceded, one, two, after_one, after_two = (row[column] for column in home)
        day = datetime.strptime(row["date"], "%m/%d/%Y").date()
        more = {"date": day, "season": int(row["year_id"]), "neutral": row["game_location"] == "N"}
        games.append((first, second, float(scored), float(conceded), more))
        before.append((float(one), float(two)))
        published.append((float(after_one), float(after_two)))
    after, _ = steps(games, before, "audl")
    exact = [max(abs(a - c), abs(b - d)) < 1e-6 for (a, b), (c, d) in zip(after, published, strict=True)]
    assert len(exact) == 478
    assert exact.count(False) == 1


def test_mlb_probabilities_exact_and_changes_nearly(rows: Callable[[str], Rows]) -> None:
    """The regular season of 2021: what the authors expected is ours, what they made of the margin is fitted."""
    played = [row for row in rows("mlb_elo_538/mlb_elo_2021.csv.gz") if row["score1"] and not row["playoff"]]
    assert len(played) == 2429
    games = [
        (
            row["team1"],
            row["team2"],
            float(row["score1"]),
            float(row["score2"]),
            {"date": date.fromisoformat(row["date"]), "season": 2021, "neutral": row["neutral"] == "1"},
        )
        for row in played
    ]
    before = [(float(row["elo1_pre"]), float(row["elo2_pre"])) for row in played]
    after, history = steps(games, before, "fivethirtyeight/mlb")
    order = {history.games.players[code]: row for row, code in enumerate(history.games.first)}
    misses = []
    for number, (row, (one, two)) in enumerate(zip(played, after, strict=True)):
        at = order[f"{row['team1']} {number}"]
        assert history.recording.expects[at] == pytest.approx(float(row["elo_prob1"]), abs=1e-12), row
        change = float(row["elo1_post"]) - float(row["elo1_pre"])
        misses.append(abs((one - float(row["elo1_pre"])) / change - 1))
        assert one - float(row["elo1_pre"]) == pytest.approx(float(row["elo2_pre"]) - two, abs=1e-9)
    assert sorted(misses)[len(misses) // 2] < 0.02
    assert max(misses) < 0.13
