"""From reports to games and back: keys, counts, fingerprints, conversion between forms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from arpad.errors import DataError, UsageError
from arpad.formats import read_games
from arpad.formats.convert import KINDS, convert, games_table
from arpad.formats.report import Entrant, Report
from arpad.formats.report_games import Tally, fingerprint, report_games, report_players, report_start, tally
from arpad.formats.report_of_games import games_report
from arpad.formats.trf import read_trf
from arpad.model import Game, Games

from .helpers import columns
from .reports import EXAMPLE, TEAMS, again, player, read


def test_players_are_known_by_id_else_by_name() -> None:
    entrants = (
        Entrant(1, "Alpha, Anna", fide_id=15),
        Entrant(2, "Beta, Berta", national_id="N7"),
        Entrant(3, "Gamma,  Carl"),
        Entrant(4, "Gamma, Carl"),
        Entrant(5),
    )
    keys = {number: held.id for number, held in report_players(Report(entrants=entrants)).items()}
    assert keys == {1: "15", 2: "N7", 3: "Gamma, Carl", 4: "Gamma, Carl (no. 4)", 5: "no. 5"}
    assert [start.player for start in report_start(Report(entrants=entrants))] == list(keys.values())


def test_namesakes_without_ids_are_not_rated() -> None:
    """C47: nobody is matched by name alone."""
    report, _ = read(player(1, "2 w 1", "Rossi, Marco"), player(2, "1 b 0", "rossi, marco"))
    games, problems = report_games(report)
    assert len(games) == 0
    assert "name 'rossi, marco' is that of player 1 (line 4) and of 2: not rated" in problems[0].message


def test_c66_matches_and_boards_are_kept() -> None:
    """C66: a match of two teams on two boards; the page reconciles with the upload."""
    report, _ = read_trf(TEAMS.encode())
    games, problems = report_games(report)
    assert problems == []
    assert [games.labels["match"][row] for row in range(len(games))] == ["Northern Knights v Southern Bishops"] * 2
    assert list(games.board or ()) == [1, 2]
    assert tally(report) == Tally(players=4, teams=2, games=2, pending=0, forfeits=0, short=0, byes=0, points=2.0)


def test_tally_of_the_example() -> None:
    found = tally(read_trf(EXAMPLE.encode())[0])
    assert found == Tally(players=4, teams=0, games=4, pending=0, forfeits=1, short=0, byes=2, points=6.5)


def test_c56_one_event_under_two_names() -> None:
    """C56: another name, other numbers, another order of lines: the same fingerprint."""
    report, _ = read_trf(EXAMPLE.encode())
    number = {1: 3, 2: 1, 3: 4, 4: 2}
    entrants = [
        replace(
            entrant,
            number=number[entrant.number],
            results=tuple(replace(each, opponent=number.get(each.opponent or 0)) for each in entrant.results),
        )
        for entrant in reversed(report.entrants)
    ]
    other = replace(report, name="Open di Primavera", entrants=tuple(entrants), nationals=(), extras=())
    assert fingerprint(again(other)) == fingerprint(report)


def test_c56_another_result_or_day_is_another_event() -> None:
    report, _ = read_trf(EXAMPLE.encode())
    later, _ = read_trf(EXAMPLE.replace("052 2026/10/03", "052 2026/10/04").encode())
    changed, _ = read_trf(EXAMPLE.replace("4 w 1     2 b =", "4 w =     2 b =").encode())
    assert len({fingerprint(each) for each in (report, later, changed)}) == 3


def test_colours_decide_who_is_first() -> None:
    report, _ = read(player(1, "2 b 1|2 - 1|2 w 1"), player(2, "1 w 0|1 - 0|1 _ 0"))
    games, _ = report_games(report)
    assert [games.players[code] for code in games.first] == ["Player B", "Player A", "Player A"]
    assert [games.scores[code] for code in games.score] == [(0.0, 1.0), (1.0, 0.0), (1.0, 0.0)]


@pytest.mark.parametrize("ending", ["csv", "json", "jsonl", "parquet", "arrow", "xlsx"])
def test_reports_and_tables_say_the_same(ending: str, tmp_path: Path, published: Path) -> None:
    source = published / "trf" / "bunratty_masters_2011.tab"
    table, back = tmp_path / f"games.{ending}", tmp_path / "back.trf"
    convert(source, table)
    convert(table, back)
    first, second, third = (replace(read_games(path)[0], source="", line=None) for path in (source, table, back))
    assert facts(first) == facts(second) == facts(third)


def facts(games: Games) -> set[tuple[object, ...]]:
    events = [games.events[code].name for code in games.event] if games.event is not None else [""] * len(games)
    assert games.date is not None
    assert games.round is not None
    return {
        (games.players[first], games.players[second], games.scores[score], int(day), int(number), event)
        for first, second, score, day, number, event in zip(
            games.first, games.second, games.score, games.date, games.round, events
        )
    }


@pytest.mark.parametrize("name", ["javafo_sample2.trf", "bunratty_masters_2011.tab", "bbp_issue_7.trf"])
def test_report_to_report_is_the_same_file(name: str, tmp_path: Path, published: Path) -> None:
    convert(published / "trf" / name, tmp_path / "out.trf")
    assert (tmp_path / "out.trf").read_bytes() == (published / "trf" / name).read_bytes()


def test_errors_stop_a_conversion(tmp_path: Path) -> None:
    (tmp_path / "bad.trf").write_text("\n".join([player(1, "2 w 1"), player(2, "1 b 1")]))
    with pytest.raises(DataError):
        convert(tmp_path / "bad.trf", tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(("source", "target"), [("a.trf", "b.doc"), ("a.doc", "b.trf"), ("a.csv", "b.tsv")])
def test_unknown_kinds_are_refused(source: str, target: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="known endings"):
        convert(tmp_path / source, tmp_path / target)


def test_every_kind_is_written_out_once() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    assert all(kind.read or kind.write for kind in KINDS)


GAMES = [
    Game("Anna", "Bruno", 1, event="Open", round=1),
    Game("Bruno", "Carla", 0.5, event="Open", round=2),
    Game("Anna", "Carla", 0, event="Cup", round=1),
]


def test_a_report_holds_one_event() -> None:
    games = Games.of(GAMES)
    with pytest.raises(DataError, match="there are 2"):
        games_report(games)
    with pytest.raises(DataError, match="no event 'Else'"):
        games_report(games, "Else")
    report = games_report(games, "Open")
    assert [(entrant.name, entrant.points, entrant.rank) for entrant in report.entrants] == [
        ("Anna", 1.0, 1),
        ("Bruno", 0.5, 2),
        ("Carla", 0.5, 2),
    ]
    assert [game.round for game in GAMES[:2]] == [*(report_games(again(report))[0].round or ())]


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Game("Anna", "Carla", 1, event="Open"), "round of every game"),
        (Game("Anna", "Carla", 1, event="Open", round=1), "two games in round 1"),
        (Game("Anna", "Carla", 0.25, event="Open", round=3), "no code for a score"),
    ],
)
def test_a_report_cannot_say_everything(game: Game, words: str) -> None:
    with pytest.raises(DataError, match=words):
        games_report(Games.of([*GAMES[:2], game]))


def test_a_table_leaves_out_what_it_cannot_say() -> None:
    games, _ = report_games(read(player(1, "2 w 0|2 b |2 w ="), player(2, "1 b 0|1 w |1 b ="))[0])
    table, problems = games_table(games)
    assert table.columns["result"] == ["1/2-1/2"]
    assert len(problems) == 2


def test_columns_of_games_are_plain() -> None:
    """The columns are arrays that the engine takes, and json can say them."""
    found = columns(report_games(read_trf(EXAMPLE.encode())[0])[0])
    assert json.dumps(found)
