"""PGN headers: games as from any other file, whatever stands in comments, packed or not."""

from __future__ import annotations

import bz2
import gzip
import re
import zipfile
from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
import zstandard

from arpad.errors import DataError, UsageError
from arpad.formats import Reading, read_games, read_start
from arpad.formats.pgn import pgn_start

from .helpers import errors, read, rows, warnings

MOVES = "1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:59]} "


def game(*tags: str, result: str = "1-0", moves: str = MOVES) -> str:
    return "".join(f"[{tag}]\n" for tag in (*tags, f'Result "{result}"')) + f"\n{moves}{result}\n\n"


def pair(white: str, black: str, *tags: str, result: str = "1-0") -> str:
    return game(f'White "{white}"', f'Black "{black}"', *tags, result=result)


TWO = pair("Anna", "Bruno", 'Date "2024.05.03"') + pair("Bruno", "Carla", 'Date "2024.05.04"', result="1/2-1/2")
BOTH = [("Anna", "Bruno", (1.0, 0.0)), ("Bruno", "Carla", (0.5, 0.5))]


def test_games_of_the_uzchess_cup_are_all_read(published: Path) -> None:
    path = published / "trf" / "uzchesscup_2025.pgn"
    games, problems = read_games(path)
    assert len(games) == len(re.findall(r"^\[Result ", path.read_text(), re.MULTILINE)) == 45
    assert problems == []
    assert Counter(games.round) == dict.fromkeys(range(1, 10), 5)
    assert Counter(games.board) == dict.fromkeys(range(1, 6), 9)
    assert games.date is not None
    assert date.fromordinal(games.date[0]) == date(2025, 6, 18)


def test_scores_of_the_uzchess_cup_are_the_published_ones(published: Path) -> None:
    folder = published / "trf"
    games, _ = read_games(
        folder / "uzchesscup_2025.pgn", Reading(columns={"white": "WhiteFideId", "black": "BlackFideId"})
    )
    scored: Counter[str] = Counter()
    for white, black, (first, second) in rows(games):
        scored[white] += first
        scored[black] += second
    told = re.findall(
        r"PlayerWithScore\(Player\((\d+),Some\((\d+)\)\),([\d.]+)",
        (folder / "uzchesscup_2025_tiebreaks.txt").read_text(),
    )
    assert scored == {player: float(score) for player, _, score in told}
    starts, _ = read_start(
        folder / "uzchesscup_2025.pgn", Reading(columns={"white": "WhiteFideId", "black": "BlackFideId"})
    )
    assert {start.player: start.rating for start in starts} == {player: float(elo) for player, elo, _ in told}


def _zst(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


@pytest.mark.parametrize(
    ("suffix", "pack"), [("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress), (".zst", _zst)]
)
def test_packed_files(suffix: str, pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    half = len(TWO) // 2
    packed = pack(TWO[:half].encode()) + pack(TWO[half:].encode())  # archives are put together from parts
    games, problems = read(tmp_path, packed, "games.pgn" + suffix)
    assert rows(games) == BOTH
    assert problems == []
    if suffix:
        with pytest.raises(DataError, match="damaged file"):
            read(tmp_path, pack(TWO.encode())[:-9], "games.pgn" + suffix)


def test_a_pgn_file_in_a_zip(tmp_path: Path) -> None:
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w") as box:
        box.writestr("week.pgn", TWO)
        box.writestr("readme.txt", "hello")
    assert rows(read_games(path)[0]) == BOTH
    assert [start.player for start in read_start(path)[0]] == ["Anna", "Bruno", "Carla"]


COMMENTS = [
    '1. e4 {a comment\n[White "Nobody"]\n[Black "Nowhere"]\n[Result "0-1"]\n\nthat ends} e5\n',
    "1. e4 { one } e5 { two\n[Event is a word here]\n} 2. Nf3\n",
    "1. e4 ; a brace { in a comment to the end of the line\n2. Nf3\n",
    "1. e4 {a semicolon; and\n[then]} ; {\n2. Nf3\n",
    "% {an escaped line\n1. e4\n",
    "1. e4 } a stray brace\n",
    "1. e4 {a { within} e5\n",
    "1. e4 ([this is a variation]) e5\n",
]


@pytest.mark.parametrize("moves", COMMENTS)
def test_tags_stand_in_headers_only(moves: str, tmp_path: Path) -> None:
    text = game('White "Anna"', 'Black "Bruno"', moves=moves) + pair("Bruno", "Carla", result="1/2-1/2")
    games, problems = read(tmp_path, text, "games.pgn")
    assert rows(games) == BOTH
    assert errors(problems) == []
    assert ("1 headers stand in comments" in warnings(problems)) == ("Nobody" in moves)


def test_a_comment_that_never_ends_is_an_error_at_its_line(tmp_path: Path) -> None:
    text = TWO + game('White "Carla"', 'Black "Anna"', moves="1. e4\n{never closed\n") + game("a", moves="")
    games, problems = read(tmp_path, text, "games.pgn")
    assert len(games) == 3
    assert [(problem.line, problem.message) for problem in errors(problems)] == [
        (20, "a comment begun here never ends; games after it are not read")
    ]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n\n", "\n"),
        lambda text: text.replace("[White ", "[ White   ").replace('Anna"]', 'Anna" ]'),
        lambda text: text.replace("[White", "  [White"),
        lambda text: text.replace(']\n[Black "', '] [Black "'),
        lambda text: text.rstrip(),
        lambda text: "A preface\nof two lines\n\n" + text,
        lambda text: text.replace("[Date", "%escaped\n[Date"),
        lambda text: re.sub(r"\n1\. e4.*", "", text),
        lambda text: re.sub(r"\n1\. e4.*\n\n", "", text),
        lambda text: text.replace("\n", "\n\n", 1),
    ],
)
def test_headers_as_people_leave_them(change: Callable[[str], str], tmp_path: Path) -> None:
    text = TWO.replace("[White", '[Event "Cup"]\n[White')
    games, problems = read(tmp_path, change(text), "games.pgn")
    assert rows(games) == BOTH
    assert errors(problems) == []
    assert [games.events[code].name for code in games.event] == ["Cup", "Cup"]


def test_headers_without_moves_between_which_no_line_is_blank(tmp_path: Path) -> None:
    text = re.sub(r"\n1\. e4.*\n\n", "", TWO).replace("[White", '[Round "1"]\n[White')
    assert rows(read(tmp_path, text, "games.pgn")[0]) == BOTH


def test_escaped_and_stray_quotes(tmp_path: Path) -> None:
    text = game(r'Event "The \"Big\" \\ Open"', 'White "Anna"', 'Black "Bruno "the Bear" B"')
    games, problems = read(tmp_path, text, "games.pgn")
    assert games.events[0].name == r'The "Big" \ Open'
    assert games.players[1] == 'Bruno "the Bear" B'
    assert problems == []


def test_encodings_mixed_in_one_file(tmp_path: Path) -> None:
    octets = pair("Müller, Jörg", "Anna").encode() + pair("Müller, Jörg", "Bruno").encode("cp1252")
    games, problems = read(tmp_path, octets, "games.pgn")
    assert games.players == ["Müller, Jörg", "Anna", "Bruno"]
    assert "CP1252" in warnings(problems)
    given, _ = read(tmp_path, octets, "games.pgn", encoding="latin-1")
    assert given.players[0] == "MÃ¼ller, JÃ¶rg"
    with pytest.raises(DataError, match="not surely CP1252"):
        read(tmp_path, pair("M\xd7ller", "B").encode("latin-1"), "games.pgn")


@pytest.mark.parametrize(
    ("text", "year", "exact"),
    [
        ("2014.01.18", 2014, True),
        ("2014-1-18", 2014, True),
        ("2014.??.??", 2014, False),
        ("2014.01.??", 2014, False),
        ("Sat Jan 18 2014", 2014, True),
        ("????.??.??", 0, False),
    ],
)
def test_c42_partial_dates_keep_their_precision(text: str, year: int, exact: bool, tmp_path: Path) -> None:
    other = pair("Carla", "Anna", 'Date "2015.01.01"', 'Round "2"')
    games, problems = read(tmp_path, pair("Anna", "Bruno", f'Date "{text}"', 'Round "1"') + other, "games.pgn")
    assert errors(problems) == []
    assert games.date is not None
    assert games.date[0] == (date(year, 1, 18 if exact else 1).toordinal() if year else 0)
    assert (0 in games.partial) == (year > 0 and not exact)
    assert ("games without a date: 1" in warnings(problems)) == (year == 0)
    assert list(games.round or ()) == [1, 2]


def test_utc_dates_stand_in_for_dates_and_give_the_time_of_day(tmp_path: Path) -> None:
    utc = ('UTCDate "2024.05.03"', 'UTCTime "23:59:58"')
    text = pair("A", "B", *utc) + pair("C", "D", 'Date "2024.05.03"', *utc) + pair("E", "F", 'Date "2024.05.02"', *utc)
    text += pair("G", "H", 'Date "????.??.??"', *utc) + pair("I", "J")
    games, _ = read(tmp_path, text, "games.pgn")
    assert games.date is not None
    third = date(2024, 5, 3).toordinal()
    assert list(games.date) == [third, third, third - 1, third, 0]
    assert games.time is not None
    assert list(games.time) == [86398000, 86398000, 0, 86398000, 0]


@pytest.mark.parametrize("elo", ["0", "-", "?", ""])
def test_c44_elo_tags_that_mean_unrated(elo: str, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(pair("Anna", "Bruno", f'WhiteElo "{elo}"', 'BlackElo "2100"'))
    starts, problems = pgn_start(str(path))
    assert [(start.player, start.rating) for start in starts] == [("Anna", None), ("Bruno", 2100.0)]
    assert problems == []


def test_starts_are_the_ratings_of_the_first_game_by_date(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(
        pair("Anna", "Bruno", 'Date "2024.05.03"', 'WhiteElo "2010"', 'BlackElo "2110"')
        + pair("Carla", "Anna", 'Date "2024.05.01"', 'WhiteElo "1900"', 'BlackElo "2000"')
        + pair("Bruno", "Carla", 'WhiteElo "9"', 'BlackElo "9"')
    )
    starts, _ = read_start(path)
    assert {start.player: start.rating for start in starts} == {"Anna": 2000.0, "Bruno": 2110.0, "Carla": 1900.0}


def test_a_rating_that_is_no_number_is_refused_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(TWO + pair("Dora", "Anna", 'WhiteElo "19oo"'))
    _, problems = pgn_start(str(path))
    assert [(problem.line, problem.column) for problem in errors(problems)] == [(15, "rating")]


def test_results_pending_unknown_and_missing(tmp_path: Path) -> None:
    text = (
        TWO + pair("Anna", "Carla", result="*") + pair("Anna", "Dora", result="2-0") + '[White "A"]\n[Black "B"]\n\n*\n'
    )
    games, problems = read(tmp_path, text, "games.pgn")
    assert rows(games) == BOTH
    assert games.pending == 2
    assert [(problem.line, problem.message) for problem in errors(problems)] == [(21, "unknown result '2-0'")]


@pytest.mark.parametrize("white", ["?", "", "-"])
def test_a_game_without_a_player_is_refused_at_its_line(white: str, tmp_path: Path) -> None:
    games, problems = read(tmp_path, TWO + pair(white, "Carla"), "games.pgn")
    assert rows(games) == BOTH
    assert [(problem.line, problem.message) for problem in errors(problems)] == [(15, "a player is missing")]


def test_rounds_boards_time_controls_and_ids(tmp_path: Path) -> None:
    text = pair("A", "B", 'Round "3.12"', 'TimeControl "5400+30"', 'GameId "x1"')
    text += pair("C", "D", 'Round "?"', 'TimeControl "-"') + pair("E", "F", 'Round "4"', 'GameId "x1"')
    games, problems = read(tmp_path, text, "games.pgn")
    assert (list(games.round or ()), list(games.board or ())) == ([3, 0], [12, 0])
    assert [games.labels["time_control"][row] for row in range(2)] == ["5400+30", ""]
    assert [problem.message for problem in errors(problems)] == ["id 'x1' is also that of line 1"]
    boarded, _ = read(tmp_path, pair("A", "B", 'Round "3"', 'Board "2"'), "games.pgn")
    assert list(boarded.board or ()) == [2]


def test_brackets_that_are_no_tags_are_reported(tmp_path: Path) -> None:
    games, problems = read(tmp_path, "[White Anna]\n" + TWO, "games.pgn")
    assert rows(games) == BOTH
    assert "lines in brackets that are no tags: 1 (line 1)" in warnings(problems)


@pytest.mark.parametrize("text", ["", "no games here\n", "\n\n", '[White "A"]\r[Black "B"]\r\r1-0\r'])
def test_what_holds_no_games_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(DataError):
        read(tmp_path, text, "games.pgn")


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        read_games(tmp_path / "absent.pgn")
    with pytest.raises(DataError, match="UTF-16"):
        read(tmp_path, TWO.encode("utf-16"), "games.pgn")


def test_many_games_are_read_alike_with_numpy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = TWO.replace('Date "2024.05.04"', 'UTCDate "2024.05.04"]\n[UTCTime "10:00:00"') + pair("Anna", "Dora")
    few, told = read(tmp_path, text, "games.pgn")
    monkeypatch.setattr("arpad.formats.pgn.MANY", 0)
    monkeypatch.setattr("arpad.formats.pgn.BLOCK", 1)
    many, same = read(tmp_path, text, "games.pgn")
    assert hasattr(many.first, "dtype")
    assert rows(few) == rows(many)
    assert few.time is not None
    assert many.time is not None
    assert (list(few.date or ()), list(few.time)) == (many.date.tolist(), many.time.tolist())  # type: ignore[union-attr]
    assert told == same
