"""One row per player and game."""

from __future__ import annotations

from pathlib import Path

from .helpers import errors, read, rows, warnings


def test_mirrored_rows_become_one_game(tmp_path: Path) -> None:
    text = "date,player,opponent,score\n2025-01-01,A,B,1\n2025-01-01,B,A,0\n2025-01-02,B,C,½\n2025-01-02,C,B,½\n"
    games, problems = read(tmp_path, text)
    assert rows(games) == [("A", "B", (1.0, 0.0)), ("B", "C", (0.5, 0.5))]
    assert errors(problems) == []
    assert list(games.neutral or ()) == [1, 1]
    assert "no side gets an advantage" in warnings(problems)


def test_one_row_a_game_is_enough(tmp_path: Path) -> None:
    games, problems = read(tmp_path, "player,opponent,score\nA,B,W\nB,C,L\n")
    assert [score for _, _, score in rows(games)] == [(1.0, 0.0), (0.0, 1.0)]
    assert "one player only" not in warnings(problems)


def test_double_headers_are_paired_one_by_one(tmp_path: Path) -> None:
    text = "date,player,opponent,score\n" + "2025-01-01,A,B,1\n" * 2 + "2025-01-01,B,A,0\n" * 2
    games, _ = read(tmp_path, text)
    assert len(games) == 2


def test_C35_contradicting_rows_name_each_other(tmp_path: Path) -> None:
    games, problems = read(tmp_path, "round,player,opponent,score\n1,A,B,1\n1,B,A,=\n2,A,C,1\n2,C,A,0\n")
    assert rows(games) == [("A", "C", (1.0, 0.0))]
    assert [(error.line, error.message[:19]) for error in errors(problems)] == [
        (2, "contradicts line 3,"),
        (3, "contradicts line 2,"),
    ]


def test_colours_put_the_first_player_first(tmp_path: Path) -> None:
    text = "round,player,opponent,colour,score\n1,A,B,b,1\n1,B,A,w,0\n2,A,B,w,1\n2,B,A,w,0\n3,C,A,b,\n"
    games, problems = read(tmp_path, text)
    assert rows(games) == [("B", "A", (0.0, 1.0))]
    assert games.neutral is None
    assert games.pending == 1
    assert [error.line for error in errors(problems)] == [4, 5]


def test_scores_and_ids_pair_too(tmp_path: Path) -> None:
    text = (
        "game_id,team_id,opp_id,pts,opp_pts,game_location\n7,A,B,80,70,A\n7,B,A,70,80,H\n8,A,B,60,60,N\n8,B,A,60,60,N\n"
    )
    games, problems = read(tmp_path, text)
    assert rows(games) == [("B", "A", (0.0, 1.0)), ("A", "B", (0.5, 0.5))]
    assert list(games.margin or ()) == [-10.0, 0.0]
    assert list(games.neutral or ()) == [0, 1]
    assert list(games.id or ()) == ["7", "8"]
    assert errors(problems) == []


def test_forfeits_and_byes_in_rows_of_players(tmp_path: Path) -> None:
    games, problems = read(tmp_path, "round,player,opponent,score\n1,A,B,+\n1,B,A,-\n1,C,,F\n2,A,B,1\n2,B,A,0\n")
    assert len(games) == 1
    assert "forfeits and byes are no games and are left out: 2" in warnings(problems)
    assert errors(problems) == []


def test_published_league_of_two_rows_a_game(published: Path) -> None:
    from arpad.formats import read_games

    games, problems = read_games(str(published / "audl_elo" / "audl_elo_2012-2015.csv.gz"))
    assert len(games) == 478
    assert errors(problems) == []
    assert "dates read as MDY" in warnings(problems)
