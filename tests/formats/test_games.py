"""Games tables as people keep them: columns, results, rows that are refused, and what is said about each."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from arpad.errors import DataError, UsageError
from arpad.formats import Reading, read_games
from arpad.model import Game, PartialDate

from .helpers import errors, read, rows, warnings

PLAIN = "date,event,round,white,black,result\n2025-01-02,Open,1,Anna,Bruno,1-0\n2025-01-03,Open,2,Bruno,Carla,1/2-1/2\n"


def test_plain_columns_are_read_without_remark(tmp_path: Path) -> None:
    games, problems = read(tmp_path, PLAIN)
    assert rows(games) == [("Anna", "Bruno", (1.0, 0.0)), ("Bruno", "Carla", (0.5, 0.5))]
    assert list(games.date or ()) == [date(2025, 1, 2).toordinal(), date(2025, 1, 3).toordinal()]
    assert [(event.name, event.start, event.end) for event in games.events] == [
        ("Open", date(2025, 1, 2).toordinal(), date(2025, 1, 3).toordinal())
    ]
    assert list(games.round or ()) == [1, 2]
    assert list(games.line or ()) == [2, 3]
    assert problems == []


@pytest.mark.parametrize(
    "header",
    [
        "white,black,result",
        "White,BLACK,Result",
        "home,away,score",
        "home_team,away_team,result",
        "team1,team2,result",
        "player_a,player_b,result",
        "Player 1,Player 2,Score",
        "left,right,result",
        "Bianco,Nero,Risultato",
        "casa,ospite,esito",
        "Squadra casa,Squadra ospite,Risultato",
        "Blancas,Negras,Resultado",
        "local,visitante,resultado",
    ],
)
def test_headers_of_many_languages(tmp_path: Path, header: str) -> None:
    games, _ = read(tmp_path, f"{header}\nAnna,Bruno,0-1\n")
    assert rows(games) == [("Anna", "Bruno", (0.0, 1.0))]


def test_all_italian_and_spanish_facts(tmp_path: Path) -> None:
    italian, _ = read(
        tmp_path, "Data;Torneo;Turno;Scacchiera;Stagione;Bianco;Nero;Risultato\n2025-05-01;X;2;3;2024/25;A;B;½\n"
    )
    spanish, _ = read(
        tmp_path, "Fecha;Torneo;Ronda;Tablero;Temporada;Blancas;Negras;Resultado\n2025-05-01;X;2;3;2024;A;B;½\n"
    )
    for games in (italian, spanish):
        assert games.round is not None
        assert games.board is not None
        assert games.season is not None
        assert (games.round[0], games.board[0], games.season[0], games.events[0].name) == (2, 3, 2024, "X")


def test_every_alias_taken_is_reported(tmp_path: Path) -> None:
    _, problems = read(tmp_path, "home_team,away_team,home_score,away_score,attendance\nA,B,2,1,900\n")
    text = warnings(problems)
    assert "'home_team' as the first player" in text
    assert "'away_score' as the second side's score" in text
    assert "columns not read: attendance" in text
    assert errors(problems) == []


@pytest.mark.parametrize(
    ("text", "score"),
    [
        *(("1-0", 1.0), ("0-1", 0.0), ("1/2-1/2", 0.5), ("½-½", 0.5), ("½", 0.5), ("1", 1.0), ("0", 0.0), ("0.5", 0.5)),
        *(("1–0", 1.0), ("1:0", 1.0), ("=", 0.5), ("W", 1.0), ("D", 0.5), ("L", 0.0), ("w", 1.0), ("1 - 0", 1.0)),
        *(("0.5-0.5", 0.5), ("1.0", 1.0), ("0.75", 0.75), (".5", 0.5), ('"0,5"', 0.5), ("1/2", 0.5)),
    ],
)  # fmt: skip
def test_results_alphabet(tmp_path: Path, text: str, score: float) -> None:
    games, problems = read(tmp_path, f"white,black,result\nA,B,{text}\n")
    assert rows(games) == [("A", "B", (score, 1 - score))]
    assert problems == []


@pytest.mark.parametrize(
    "text", ["Rossi", "2-1", "0-0", "1-1", "1.5", "-1", "nan", "inf", "won", "1-½", "x", "01-Jan", "¼"]
)
def test_C15_unknown_result_is_refused_never_a_draw(tmp_path: Path, text: str) -> None:
    games, problems = read(tmp_path, f"white,black,result\nA,B,1-0\nC,D,{text}\n")
    assert rows(games) == [("A", "B", (1.0, 0.0))]
    (error,) = errors(problems)
    assert (error.line, error.column) == (3, "result")
    assert text in error.message
    assert "1-0 0-1 1/2-1/2" in error.hint


@pytest.mark.parametrize("text", ["*", "", " "])
def test_C13_C36_game_without_result_is_pending(tmp_path: Path, text: str) -> None:
    games, problems = read(tmp_path, f"white,black,result\nA,B,{text}\nC,D,1-0\n")
    assert rows(games) == [("C", "D", (1.0, 0.0))]
    assert games.pending == 1
    assert errors(problems) == []
    assert list(games.players) == ["C", "D"]


def test_C36_result_missing_at_the_end_of_the_row(tmp_path: Path) -> None:
    games, problems = read(tmp_path, "white,black,result\nA,B\nC,D,1-0\n")
    assert (len(games), games.pending) == (1, 1)
    assert "shorter than the header" in warnings(problems)


@pytest.mark.parametrize("text", ["+", "-", "H", "F", "U", "Z", "h", "+-"])
def test_forfeits_and_byes_are_facts_not_games(tmp_path: Path, text: str) -> None:
    games, problems = read(tmp_path, f"white,black,result\nA,,{text}\nA,B,1-0\n")
    assert rows(games) == [("A", "B", (1.0, 0.0))]
    assert games.pending == 0
    assert "forfeits and byes are no games and are left out: 1 (line 2)" in warnings(problems)
    assert errors(problems) == []


def test_C51_self_play_is_refused(tmp_path: Path) -> None:
    _, problems = read(tmp_path, "white,black,result\nRossi, Rossi,1-0\n")
    assert [(error.line, error.message) for error in errors(problems)] == [(2, "'Rossi' cannot play against itself")]


def test_C67_names_that_look_like_formulas_stay_text(tmp_path: Path) -> None:
    names = ["=1+1, Anna", "'Bruno", "@cmd", "+39", "-Dora"]
    text = "white,black,result\n" + "".join(f'"{name}",Z,1-0\n' for name in names)
    games, problems = read(tmp_path, text)
    assert [first for first, _, _ in rows(games)] == names
    assert errors(problems) == []


def test_eight_faults_in_ten_rows_give_eight_messages(tmp_path: Path) -> None:
    text = (
        "id,date,white,black,result,round,importance\n"
        "1,2025-01-01,A,B,1-0,1,10\n"
        "2,2025-02-30,A,C,1-0,1,10\n"
        "3,2025-01-02,A,B,Rossi,1,10\n"
        "4,2025-01-03,A,A,1-0,1,10\n"
        "5,2025-01-04,,B,1-0,1,10\n"
        "6,2025-01-05,A,B,nan,1,10\n"
        "1,2025-01-06,C,B,1-0,1,10\n"
        "8,2025-01-07,A,B,1-0,1,-3\n"
        "9,2025-01-08,A,B,1-0,1,inf\n"
        "10,2025-01-09,B,C,=,1,10\n"
    )
    games, problems = read(tmp_path, text)
    assert rows(games) == [("A", "B", (1.0, 0.0)), ("B", "C", (0.5, 0.5))]
    assert [(error.line, error.column, error.message) for error in errors(problems)] == [
        (3, "date", "there is no date '2025-02-30'"),
        (4, "result", "unknown result 'Rossi'"),
        (5, "black", "'A' cannot play against itself"),
        (6, "white", "a player is missing"),
        (7, "result", "unknown result 'nan'"),
        (8, "id", "id '1' is also that of line 2"),
        (9, "importance", "-3 is below 0"),
        (10, "importance", "'inf' is not a number"),
    ]


def test_scores_of_both_sides_give_result_and_margin(tmp_path: Path) -> None:
    text = "home,away,home_score,away_score,shootout_winner,neutral,knockout\n"
    text += "A,B,3,1,,TRUE,yes\nC,D,1,1,D,FALSE,no\nA,C,,,,0,\n"
    games, problems = read(tmp_path, text)
    assert rows(games) == [("A", "B", (1.0, 0.0)), ("C", "D", (0.5, 0.5))]
    assert list(games.margin or ()) == [2.0, 0.0]
    assert list(games.shootout or ()) == [0, 2]
    assert list(games.neutral or ()) == [1, 0]
    assert list(games.knockout or ()) == [1, 0]
    assert games.pending == 1
    assert errors(problems) == []


def test_negative_and_missing_scores_are_refused(tmp_path: Path) -> None:
    _, problems = read(tmp_path, "home,away,score1,score2,shootout_winner\nA,B,-1,2,\nA,B,1,,\nA,B,x,1,\nA,B,1,1,C\n")
    assert [error.line for error in errors(problems)] == [2, 3, 4, 5]


def test_result_and_scores_that_contradict_are_refused(tmp_path: Path) -> None:
    games, problems = read(tmp_path, "home,away,result,score1,score2\nA,B,1-0,2,1\nA,B,0-1,2,1\n")
    assert len(games) == 1
    assert [error.line for error in errors(problems)] == [3]


@pytest.mark.parametrize(
    "words", [("left", "right", "tie"), ("white", "black", "draw"), ("A", "B", "="), ("1", "2", "½")]
)
def test_winner_by_side_or_name(tmp_path: Path, words: tuple[str, str, str]) -> None:
    games, problems = read(tmp_path, "left,right,winner\n" + "".join(f"A,B,{word}\n" for word in (*words, "")))
    assert [score for _, _, score in rows(games)] == [(1.0, 0.0), (0.0, 1.0), (0.5, 0.5)]
    assert games.pending == 1
    assert errors(problems) == []


def test_winner_by_number_of_the_player(tmp_path: Path) -> None:
    games, problems = read(tmp_path, "player1_id,player2_id,winner_id\n2,7,2\n7,2,2\n7,2,7\n")
    assert [score for _, _, score in rows(games)] == [(1.0, 0.0), (0.0, 1.0), (1.0, 0.0)]
    assert errors(problems) == []
    _, problems = read(tmp_path, "player1_id,player2_id,winner_id\n2,7,2\n7,2,2\n")
    assert [error.message for error in errors(problems)] == [
        "winner '2' is a side and also the name of the other player"
    ]


def test_winner_who_did_not_play_is_refused(tmp_path: Path) -> None:
    _, problems = read(tmp_path, "left,right,winner\nA,B,C\n")
    assert [error.message for error in errors(problems)] == ["winner 'C' is neither of the two players"]


def test_missing_columns_name_what_is_there_and_what_is_accepted(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read(tmp_path, "pippo,pluto,result\nA,B,1-0\n")
    text = str(caught.value)
    assert "no column for the first player and the second player" in text
    assert "found 'pippo', 'pluto', 'result'" in text
    assert "home_team" in text


def test_repeated_header_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="more than one column is called 'white'"):
        read(tmp_path, "white,black,white,result\nA,B,C,1-0\n")


def test_competing_columns_are_refused_and_a_choice_is_obeyed(tmp_path: Path) -> None:
    text = "home,away,team1,result\nA,B,C,1-0\n"
    with pytest.raises(DataError, match="columns 'home' and 'team1' could all be the first player"):
        read(tmp_path, text)
    games, _ = read(tmp_path, text, columns={"white": "team1"})
    assert rows(games) == [("C", "B", (1.0, 0.0))]
    with pytest.raises(UsageError, match="no column is called 'x'"):
        read(tmp_path, text, columns={"white": "x"})


def test_repeated_row_is_a_warning_and_counts(tmp_path: Path) -> None:
    games, problems = read(
        tmp_path, "date,white,black,result\n2025-01-01,A,B,1-0\n2025-01-01,A,B,1-0\n2025-01-01,B,A,1-0\n"
    )
    assert len(games) == 3
    assert "rows that say the same as an earlier row, all of them rated: 1 (line 3 repeats 2)" in warnings(problems)


def test_rematches_with_times_or_without_dates_are_no_repeats(tmp_path: Path) -> None:
    timed = "date,white,black,result\n2025-01-01T10:00,A,B,1-0\n2025-01-01T10:05,A,B,1-0\n"
    assert read(tmp_path, timed)[1] == []
    assert read(tmp_path, "white,black,result\nA,B,1-0\nA,B,1-0\n")[1] == []


def test_near_same_names_are_pointed_out_never_merged(tmp_path: Path) -> None:
    text = "white,black,result\nMüller,De Jong,1-0\nMuller,de jong,1-0\nMULLER,Anna,1-0\n"
    games, problems = read(tmp_path, text)
    assert len(games.players) == 6
    assert "'Müller' / 'Muller' / 'MULLER'" in warnings(problems)
    assert "'De Jong' / 'de jong'" in warnings(problems)


def test_outer_spaces_are_left_out_and_reported_once(tmp_path: Path) -> None:
    games, problems = read(tmp_path, "white,black,result\n Anna,Bruno ,1-0\nAnna,Bruno,0-1\n")
    assert sorted(games.players) == ["Anna", "Bruno"]
    assert warnings(problems).count("spaces around names") == 1


def test_rounds_and_seasons_in_words(tmp_path: Path) -> None:
    games, problems = read(
        tmp_path, "white,black,result,round,season\nA,B,1,Round 3,2024/25\nA,B,1,3.2,2024\nA,B,0,Final,\n"
    )
    assert list(games.round or ()) == [3, 3, 0]
    assert list(games.season or ()) == [2024, 2024, 0]
    assert "Final" in warnings(problems)
    assert errors(problems) == []


def test_event_dates_from_the_file_and_a_name_that_comes_back(tmp_path: Path) -> None:
    text = (
        "event,event_start,event_end,date,white,black,result\n"
        "Open,2024-05-01,2024-05-05,2024-05-02,A,B,1-0\n"
        "Open,2025-05-01,2025-05,2025-05-02,A,B,1-0\n"
    )
    games, problems = read(tmp_path, text)
    days = [
        (date.fromordinal(event.start).isoformat(), date.fromordinal(event.end).isoformat()) for event in games.events
    ]
    assert days == [("2024-05-01", "2024-05-05"), ("2025-05-01", "2025-05-31")]
    assert list(games.event or ()) == [0, 1]
    assert problems == []


def test_labels_keep_their_words(tmp_path: Path) -> None:
    games, _ = read(tmp_path, "white,black,result,tournament,stage\nA,B,1-0,Friendly,\nA,B,1-0, Cup ,Final\n")
    assert [games.labels["tournament"][row] for row in (0, 1)] == ["Friendly", "Cup"]
    assert [games.labels["stage"][row] for row in (0, 1)] == ["", "Final"]


def test_line_numbers_count_lines_inside_cells(tmp_path: Path) -> None:
    text = 'white,black,result,note\nA,B,1-0,"two\nlines"\n\nC,C,1-0,\n'
    games, problems = read(tmp_path, text)
    assert list(games.line or ()) == [2]
    assert [error.line for error in errors(problems)] == [5]


@pytest.mark.parametrize(
    ("text", "line"), [('white,black,result\nA,B,1-0\nC,"D,1-0\n', 3), ('white,black,result\n"A"x,B,1-0\n', 2)]
)
def test_broken_quotes_name_the_line(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(DataError) as caught:
        read(tmp_path, text)
    assert caught.value.problems[0].line == line


def test_too_many_cells_are_an_error_and_empty_ones_are_not(tmp_path: Path) -> None:
    games, problems = read(tmp_path, "white,black,result,,\nA,B,1-0,,\nRossi, Anna,B,1-0\n,,,,\n")
    assert rows(games) == [("A", "B", (1.0, 0.0))]
    assert [(error.line, error.message) for error in errors(problems)] == [(3, "4 cells where the header has 3")]


def test_empty_file_is_refused_and_a_header_alone_is_no_games(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="empty"):
        read(tmp_path, "\n\n")
    games, problems = read(tmp_path, "white,black,result\n")
    assert len(games) == 0
    assert problems == []


def test_records_and_dicts() -> None:
    games, problems = read_games(
        [{"white": "A", "black": "B", "result": 0.5, "date": date(2025, 1, 2), "neutral": True}]
    )
    assert rows(games) == [("A", "B", (0.5, 0.5))]
    assert list(games.neutral or ()) == [1]
    games, problems = read_games([Game("A", "A", 1.0), Game("A", "B", 1.0, date=PartialDate(2024))])
    assert rows(games) == [("A", "B", (1.0, 0.0))]
    assert ([error.line for error in problems], list(games.line or ())) == ([1], [2])
    assert len(read_games([])[0]) == 0


@pytest.mark.parametrize("source", ["nowhere.csv", "games.doc", 7, b"white,black\n", {"white": "A"}])
def test_sources_that_are_none(source: Any) -> None:
    with pytest.raises(UsageError):
        read_games(source)


def test_readings_are_checked() -> None:
    wrongs: list[dict[str, Any]] = [{"decimal": "x"}, {"date_format": "DDMM"}, {"separator": ";;"}]
    for wrong in wrongs:
        with pytest.raises(UsageError):
            Reading(**wrong)
