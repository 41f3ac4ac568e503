"""US Chess on the command line: the two views of a player, and lists that are gone on from."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from arpad.rulebooks import load
from tests.cli.conftest import Arpad

#: Four players swept: a bonus each time, so that four times sqrt(4) points more or less hang on the threshold.
SWEEP = "".join(f"DAY,EVENT,A,{code},1-0\n" for code in "BCDE")
HEAD = "date,event,white,black,result\n"
LIST = "player,rating,games\nA,1500,40\nB,1700,90\nC,1700,90\nD,1700,90\nE,1700,90\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "list.csv").write_text(LIST)
    return tmp_path


def sweep(folder: Path, day: str) -> Path:
    path = folder / f"{day}.csv"
    path.write_text(HEAD + SWEEP.replace("DAY", day).replace("EVENT", "Open"))
    return path


def rows(text: str) -> dict[str, dict[str, str]]:
    return {row["player"]: row for row in csv.DictReader(io.StringIO(text))}


@pytest.mark.parametrize(
    ("played", "on", "points"),
    [
        ("2023-01-31", "2023-09-20", 0),  # the day before the change: 14 then and now
        ("2023-02-01", "2023-09-20", 4),  # 14 then, 12 now
        ("2023-02-01", "2023-09-30", 4),
        ("2023-02-01", "2023-10-01", 0),  # announced: published as 12 from now on
        ("2024-12-31", "2025-03-01", 0),
        ("2025-01-01", "2025-03-01", 4),  # 12 then, 10 now
        ("2025-01-01", "2025-06-02", 4),
        ("2025-01-01", "2025-06-03", 0),
    ],
)
def test_the_two_views_differ_by_what_was_announced_later(
    arpad: Arpad, folder: Path, played: str, on: str, points: int
) -> None:
    games = sweep(folder, played)
    how = ["rate", games, "--rules", "uschess/regular", "--start", folder / "list.csv", "--format", "csv", "-q"]
    both = rows(arpad(*how, "--on", on, "--as-published").stdout)["A"]
    assert int(both["rating"]) - int(both["published"]) == points
    now, then = (rows(arpad(*how, *more).stdout)["A"]["rating_exact"] for more in ([], ["--known", on]))
    assert float(now) - float(then) == pytest.approx(points)
    assert both["rating_exact"] == now


def test_what_was_published_carries_over_to_later_events(arpad: Arpad, folder: Path) -> None:
    """On 2025-03-01 two events are rated by thresholds of before: 12 + 12 then, 12 + 10 now."""
    files = [sweep(folder, "2024-06-01"), sweep(folder, "2025-02-01")]
    how = ["rate", *files, "--rules", "uschess/regular", "--start", folder / "list.csv", "--format", "csv", "-q"]
    files[1].write_text(HEAD + SWEEP.replace("DAY", "2025-02-01").replace("EVENT", "Second"))
    one = rows(arpad(*how, "--on", "2025-03-01", "--as-published").stdout)["A"]
    assert one["games"] == "48"
    assert int(one["rating"]) - int(one["published"]) == 4


def test_a_list_that_began_late_is_not_told_what_was_decided_later() -> None:
    """The online regular list began in June 2020; newcomers were blended only from June 2021 on."""
    from datetime import date

    blended = [
        load("uschess/online-regular", known=known).on(date(2021, 3, 1)).newcomers
        for known in (date(2021, 5, 31), date(2021, 6, 1), None)
    ]
    assert [clause is not None and clause.blended for clause in blended] == [False, True, True]


@pytest.mark.parametrize("form", ["csv", "json", "jsonl", "xlsx"])
def test_a_list_is_gone_on_from_with_the_digits_of_one_replay(arpad: Arpad, folder: Path, form: str) -> None:
    files = [folder / "one.csv", folder / "two.csv"]
    files[0].write_text(
        HEAD
        + SWEEP.replace("DAY", "2024-06-01").replace("EVENT", "Open")
        + "".join(f"2024-07-01,Match,A,B,{result}\n" for result in ("1-0", "1-0", "0-1", "1-0"))
        + "".join(f"2024-08-01,Summer,N,{code},1-0\n2024-08-01,Summer,M,{code},0-1\n" for code in "CD")
    )
    files[1].write_text(
        HEAD
        + SWEEP.replace("DAY", "2024-10-01").replace("EVENT", "Autumn")
        + "".join(f"2024-11-01,Second match,A,B,{result}\n" for result in ("1-0", "1-0", "1-0", "1-0"))
        + "2024-12-01,Winter,N,E,1/2-1/2\n2024-12-01,Winter,N,A,1-0\n2024-12-01,Winter,M,E,1-0\n"
    )
    start = folder / "list.csv"
    start.write_text(
        "player,rating,games,wins,losses,born,fide\nA,1500,40,,,,\nB,1700,90,,,,\nC,1700,90,,,,\nD,1700,90,,,,\n"
        "E,1700,90,90,,,\nN,,,,,2010-01-01,1700\nM,1200,12,,12,,\n"
    )
    how = ["--rules", "uschess/regular", "-q"]
    middle, ends = folder / f"middle.{form}", [folder / "whole.csv", folder / "stepwise.csv"]
    assert arpad("rate", *files, "--start", start, *how, "-o", ends[0]).exit_code == 0
    assert arpad("rate", files[0], "--start", start, *how, "-o", middle).exit_code == 0
    assert arpad("rate", files[1], "--start", middle, *how, "-o", ends[1]).exit_code == 0
    whole, stepwise = (rows(path.read_text()) for path in ends)
    assert whole == stepwise
    assert float(whole["N"]["begun"]) == 5
    assert whole["A"]["match_changes"].count("2024-") == 2
    assert "4th category 2" in whole["A"]["norms"]
    assert (float(whole["E"]["wins"]), float(whole["M"]["losses"])) == (90, 14)


def test_what_only_a_start_list_needs_is_not_shown_to_people(arpad: Arpad, folder: Path) -> None:
    shown = arpad("rate", sweep(folder, "2024-06-01"), "--rules", "uschess/regular", "--start", folder / "list.csv")
    assert shown.stdout.splitlines()[0].split()[-4:] == ["notation", "class", "title", "norms"]


def test_texts_of_a_list_that_cannot_be_read_are_refused_together(arpad: Arpad, folder: Path) -> None:
    start = folder / "bad.csv"
    start.write_text("player,rating,games,norms,match_changes\nA,1500,40,many,\nB,1700,90,,yesterday 4\nC,1,9,,\n")
    result = arpad("rate", sweep(folder, "2024-06-01"), "--rules", "uschess/regular", "--start", start)
    assert result.exit_code == 1
    assert "'A': norms: 'many' is no number of norms" in result.stderr
    assert "'B': match_changes" in result.stderr


def test_rules_show_the_numbers_that_no_edition_states(arpad: Arpad) -> None:
    shown = arpad("rules", "show", "uschess/regular", "--format", "csv").stdout
    held = {row["clause"]: (row["value"], row["edition"]) for row in csv.DictReader(io.StringIO(shown))}
    assert held["standard.scale"] == ("800", "2001-01-01")
    assert held["special.games"] == ("8", "2001-01-01")
    assert held["special.most"] == ("2700", "2001-01-01")
    assert held["life_master.games"] == ("300", "2001-01-01")
    assert held["low_k.least"] == ("0.25", "2013-05-01")
    assert held["match.years"] == ("3", "2001-01-01")
    assert held["norms.margin"] == ("1", "2001-01-01")


@pytest.mark.parametrize(
    ("before", "after", "clauses"),
    [
        ("2006-03-31", "2006-04-01", {"half_k.weight", "half_k.growth", "match.most"}),
        ("2015-05-31", "2015-06-01", {"bonus.threshold", "match.games", "match.least"}),
    ],
)
def test_rules_diff_names_clauses_that_come_and_go(arpad: Arpad, before: str, after: str, clauses: set[str]) -> None:
    shown = arpad("rules", "diff", "uschess/regular", before, after, "--format", "csv").stdout
    assert {row["clause"] for row in csv.DictReader(io.StringIO(shown))} == clauses


def test_a_game_that_is_no_match_names_the_clause(arpad: Arpad, folder: Path) -> None:
    games = folder / "games.csv"
    games.write_text(HEAD + "2025-01-10,Match,A,N,1-0\n2025-01-10,Match,A,N,1-0\n")
    told = arpad("explain", games, "--rules", "uschess/regular", "--start", folder / "list.csv", "--player", "N")
    assert "left out by the rules" in told.stdout
    assert "An event of two players, both established" in told.stdout
    assert "- -> -" not in told.stdout


def test_sections_are_events_of_their_own(arpad: Arpad, folder: Path) -> None:
    games = folder / "games.csv"
    games.write_text(
        "date,event,section,white,black,result\n"
        "2025-01-10,Open,A,A,B,1-0\n2025-01-10,Open,A,A,C,1-0\n2025-01-10,Open,B,A,D,1-0\n2025-01-10,Open,B,A,E,1-0\n"
    )
    told = arpad("explain", games, "--rules", "uschess/regular", "--start", folder / "list.csv", "--player", "A")
    assert told.stdout.count("2 out of 2 in the event") == 2
    one = arpad("explain", games, "--rules", "uschess/regular", "--player", "A", "--event", "Open [B]")
    assert one.stdout.count("in the event") == 1


def test_games_of_no_event_are_one_event_a_day(arpad: Arpad, folder: Path) -> None:
    games = folder / "games.csv"
    games.write_text(
        HEAD + "2025-01-10,,A,B,1-0\n2025-01-10,,A,C,1-0\n2025-02-10,,A,D,1-0\n2025-02-10,,C,D,1-0\n"
        "2025-02-10,Open,A,E,1-0\n2025-02-10,Open,A,B,1-0\n2025-02-10,Open,C,B,1-0\n"
    )
    told = arpad("explain", games, "--rules", "uschess/regular", "--start", folder / "list.csv", "--player", "A")
    heads = [line for line in told.stdout.splitlines() if not line.startswith(" ")]
    assert [(line[:10], line.partition(": ")[2]) for line in heads[:3]] == [
        ("2025-01-10", "2 out of 2 in the event."),
        ("2025-02-10", "1 out of 1 in the event."),
        ("2025-02-10", "2 out of 2 in the event."),
    ]
    assert "4 game(s) of no event" in told.stderr


def test_a_name_that_comes_back_in_another_year_is_warned_of(arpad: Arpad, folder: Path) -> None:
    games = folder / "games.csv"
    games.write_text(HEAD + "2023-02-10,Open,A,B,1-0\n2025-02-10,Open,A,C,1-0\n")
    how = ["--rules", "uschess/regular", "--start", folder / "list.csv"]
    assert "event 'Open' lasts from 2023-02-10 to 2025-02-10" in arpad("rate", games, *how).stderr
    games.write_text(
        "date,event,event_start,white,black,result\n"
        "2023-02-10,Open,2023-02-10,A,B,1-0\n2025-02-10,Open,2025-02-10,A,C,1-0\n"
    )
    assert "lasts from" not in arpad("rate", games, *how).stderr


def test_rules_that_settle_events_say_which_column_is_missing(arpad: Arpad, folder: Path) -> None:
    games = folder / "games.csv"
    games.write_text("date,white,black,result\n2025-01-10,A,B,1-0\n")
    result = arpad("rate", games, "--rules", "uschess/regular")
    assert result.exit_code == 1
    assert "add a column `event`" in result.stderr


def test_a_floor_below_zero_is_refused(arpad: Arpad, folder: Path) -> None:
    acts = folder / "acts.csv"
    acts.write_text("kind,player,date,rating\nfloor,A,2024-01-01,-5\n")
    result = arpad("rate", sweep(folder, "2024-06-01"), "--rules", "uschess/regular", "--acts", acts)
    assert result.exit_code == 1
    assert "a floor of -5 is below zero" in result.stderr
