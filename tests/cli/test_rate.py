"""`arpad rate` and `arpad explain`: what goes where, and what does not happen when something is wrong."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Arpad, Process

HEADER = "date,event,white,black,result\n"
EIGHT_FAULTS = (
    "date,event,id,white,black,result,board\n"
    "2025-03-01,Open,g1,Anna,Bruno,1-0,1\n"
    "2025-03-02,Open,g2,Bruno,Bruno,1-0,1\n"  # plays against itself
    "2025-02-30,Open,g3,Anna,Carla,1-0,1\n"  # no such day
    "2025-03-04,Open,g4,,Carla,1-0,1\n"  # no first player
    "2025-03-05,Open,g5,Anna,Carla,won,1\n"  # no result
    "2025-03-06,Open,g6,Anna,,0-1,1\n"  # no second player
    "2025-03-07,Open,g1,Anna,Carla,1-0,1\n"  # an id that is taken
    "2025-03-08,Open,g8,Anna,Carla,nan,1\n"  # not a number
    "2025-03-09,Open,g9,Carla,Anna,1-0,one\n"  # a board that is no number
    "2025-03-10,Open,g10,Carla,Anna,1-0,1\n"
)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_list_goes_to_stdout_and_talk_to_stderr(arpad: Arpad, games: Path) -> None:
    result = arpad("rate", games)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["rank", "player", "rating", "games", "peak", "last_date"]
    assert [line.split()[1] for line in lines[1:]] == ["Anna", "Bruno", "Carla"]
    assert result.stderr.splitlines() == ["Elo, logistic curve (elo), as of 2025-04-05", "3 games rated, 3 players"]


def test_every_rating_names_body_list_edition_and_day(arpad: Arpad) -> None:
    data = Path(__file__).parents[2] / "src" / "arpad" / "data"
    result = arpad("rate", data / "fide_month.csv", "--rules", "fide/standard", "--start", data / "fide_list.csv")
    assert "FIDE: FIDE rating, standard chess (fide/standard, edition of 2025-10-01), as of 2025-12-01" in result.stderr


@pytest.mark.parametrize(("results", "after"), [("0=110", 1601), ("0=11=", 1617)])
def test_the_worked_example_of_five_games(arpad: Arpad, tmp_path: Path, results: str, after: int) -> None:
    """1613 with K 32 scores 2.5, or 3 points, where 2.867 was expected: 1601, or 1617."""
    path, start = tmp_path / "five.csv", tmp_path / "start.csv"
    lines = [f"T,2025-01-01,Rossi,{name},{result}\n" for name, result in zip("ABCDE", results)]
    path.write_text("event,date,white,black,result\n" + "".join(lines))
    start.write_text("player,rating\nRossi,1613\nA,1609\nB,1477\nC,1388\nD,1586\nE,1720\n")
    result = arpad("rate", path, "--start", start, "--set", "unit=event", "--format", "json")
    listed = {row["player"]: row["rating"] for row in json.loads(result.stdout)["ratings"]}
    assert round(listed["Rossi"]) == after


@pytest.mark.parametrize("form", ["csv", "json", "jsonl", "parquet", "arrow", "xlsx", "txt"])
def test_the_ending_of_the_output_chooses_its_format(arpad: Arpad, games: Path, tmp_path: Path, form: str) -> None:
    path = tmp_path / f"list.{form}"
    result = arpad("rate", games, "-o", path, "-q")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    if form == "parquet":
        import pyarrow.parquet

        names = pyarrow.parquet.read_table(path).column("player").to_pylist()
    elif form == "arrow":
        import pyarrow

        names = pyarrow.ipc.open_file(path).read_all().column("player").to_pylist()
    elif form == "xlsx":
        import openpyxl

        names = [row[1].value for row in openpyxl.load_workbook(path).active.iter_rows(min_row=2)]
    elif form == "csv":
        names = [row["player"] for row in rows(path.read_text())]
    elif form == "json":
        names = [row["player"] for row in json.loads(path.read_text())["ratings"]]
    elif form == "jsonl":
        names = [json.loads(line)["player"] for line in path.read_text().splitlines()]
    else:
        names = [line.split()[1] for line in path.read_text().splitlines()[1:]]
    assert names == ["Anna", "Bruno", "Carla"]


def test_json_is_one_object_without_nan(arpad: Arpad, tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("white,black,result\nAnna,Bruno,1-0\nAnna,Carla,*\n")
    result = arpad("rate", path, "--format", "json", "-q")
    answer = json.loads(result.stdout, parse_constant=pytest.fail)
    assert answer["rules"] == "elo"
    assert answer["edition"] == "the beginning"
    assert answer["as_of"] is None
    assert answer["parameters"]["k"] == 32
    assert (answer["games"], answer["not_rated"], answer["pending"]) == (1, 0, 1)
    assert answer["ratings"][0] == {
        "rank": 1,
        "player": "Anna",
        "rating": 1516,
        "rating_exact": 1516,
        "games": 1,
        "peak": 1516,
        "last_date": None,
    }


def test_eight_faults_are_eight_messages_and_nothing_is_touched(process: Process, tmp_path: Path) -> None:
    path, output, history = tmp_path / "bad.csv", tmp_path / "list.csv", tmp_path / "history.csv"
    path.write_text(EIGHT_FAULTS)
    output.write_text("what stood here before")
    result = process("rate", path, "-o", output, "--history", history)
    assert result.returncode == 1
    assert result.stdout == ""
    errors = [line for line in result.stderr.splitlines() if line.startswith("error:")]
    assert [int(line.removeprefix(f"error: {path}:").split(":")[0]) for line in errors] == [3, 4, 5, 6, 7, 8, 9, 10]
    assert output.read_text() == "what stood here before"
    assert not history.exists()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["bad.csv", "list.csv"]


def test_skip_bad_rates_the_rest_and_says_so(arpad: Arpad, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(EIGHT_FAULTS)
    result = arpad("rate", path, "--skip-bad", "--format", "csv")
    assert result.exit_code == 1
    assert {row["player"]: row["games"] for row in rows(result.stdout)} == {"Anna": "2", "Bruno": "1", "Carla": "1"}
    assert result.stderr.count("error:") == 8
    assert "8 errors: those rows were left out" in result.stderr


def test_quiet_still_tells_errors(arpad: Arpad, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(EIGHT_FAULTS)
    assert arpad("rate", path, "--skip-bad", "-q").stderr.count("\n") == 8


def test_if_one_output_fails_none_is_written(arpad: Arpad, games: Path, tmp_path: Path) -> None:
    output = tmp_path / "list.csv"
    result = arpad("rate", games, "-o", output, "--history", tmp_path / "nowhere" / "history.csv")
    assert result.exit_code == 2
    assert "nowhere" in result.stderr
    assert sorted(each.name for each in tmp_path.iterdir()) == ["games.csv"]


def test_two_outputs_do_not_share_a_file(arpad: Arpad, games: Path, tmp_path: Path) -> None:
    result = arpad("rate", games, "-o", tmp_path / "a.csv", "--history", tmp_path / "a.csv")
    assert result.exit_code == 2
    assert not (tmp_path / "a.csv").exists()


def test_history_has_a_row_a_player_and_game_in_order(arpad: Arpad, games: Path, tmp_path: Path) -> None:
    path = tmp_path / "history.csv"
    arpad("rate", games, "--history", path)
    found = rows(path.read_text())
    assert [(row["date"], row["player"], row["opponent"], row["score"]) for row in found] == [
        ("2025-03-01", "Anna", "Bruno", "1.0"),
        ("2025-03-01", "Bruno", "Anna", "0.0"),
        ("2025-03-02", "Bruno", "Carla", "0.5"),
        ("2025-03-02", "Carla", "Bruno", "0.5"),
        ("2025-04-05", "Carla", "Anna", "0.0"),
        ("2025-04-05", "Anna", "Carla", "1.0"),
    ]
    assert list(found[0])[:4] == ["date", "event", "round", "player"]


def test_stdin_is_read_as_csv(arpad: Arpad, games: Path) -> None:
    assert arpad("rate", "-", "-q", stdin=games.read_text()).stdout == arpad("rate", games, "-q").stdout


def test_two_files_are_read_as_one(arpad: Arpad, games: Path, tmp_path: Path) -> None:
    lines = games.read_text().splitlines(keepends=True)
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    one.write_text("".join(lines[:2]))
    two.write_text("".join([lines[0], *lines[2:]]))
    whole, parts = arpad("rate", games, "--format", "csv"), arpad("rate", two, one, "--format", "csv")
    assert parts.stdout == whole.stdout
    assert parts.stderr == whole.stderr


def test_a_checkpoint_goes_on_with_the_same_digits(arpad: Arpad, games: Path, tmp_path: Path) -> None:
    lines = games.read_text().splitlines(keepends=True)
    early, late, saved = tmp_path / "early.csv", tmp_path / "late.csv", tmp_path / "state.json"
    early.write_text("".join(lines[:3]))
    late.write_text("".join([lines[0], *lines[3:]]))
    assert arpad("rate", early, "--checkpoint", saved, "-q").exit_code == 0
    rest, whole = arpad("rate", late, "--start", saved, "--format", "csv"), arpad("rate", games, "--format", "csv")
    exact = [{row["player"]: row["rating_exact"] for row in rows(each.stdout)} for each in (rest, whole)]
    assert exact[0] == exact[1]
    refused = arpad("rate", late, "--start", saved, "--set", "k=10")
    assert refused.exit_code == 2
    assert "these rules are others" in refused.stderr


def test_groups_that_never_met_are_separate_scales(arpad: Arpad, tmp_path: Path) -> None:
    path, start = tmp_path / "games.csv", tmp_path / "start.csv"
    path.write_text("white,black,result\nA,B,1-0\nC,D,1-0\nE,C,=\n")
    start.write_text("player,rating\nA,1500\nC,1500\n")
    said = "2 groups of players never met: their ratings are 2 separate scales (3, 2 players)"
    assert said in arpad("rate", path).stderr
    assert "never met" not in arpad("rate", path, "--start", start).stderr


def test_top_keeps_the_first_of_the_list(arpad: Arpad, games: Path) -> None:
    assert [row["player"] for row in rows(arpad("rate", games, "--top", "1", "--format", "csv").stdout)] == ["Anna"]


def test_on_leaves_out_later_games(arpad: Arpad, games: Path) -> None:
    result = arpad("rate", games, "--on", "2025-03-31")
    assert "2 games rated" in result.stderr
    assert "as of 2025-03-31" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--on", "31.3.2025"), "dates are written YYYY-MM-DD"),
        (("--on", "20250331"), "dates are written YYYY-MM-DD"),
        (("--on", "2025-02-30"), "is not a day of the calendar"),
        (("--set", "k"), "is not of the form key=value"),
        (("--set", "kk=3"), "unknown parameter 'kk'"),
        (("--set", "k=many"), "parameter k"),
        (("--rules", "fide/standart"), "did you mean fide/standard?"),
        (("--start", "nowhere.csv"), "cannot read nowhere.csv"),
        (("--top", "0"), "--top"),
        (("-o", "list.doc"), "cannot tell the format"),
        (("--colums", "a=b"), "--columns"),
    ],
)
def test_wrong_use_is_told_and_ends_with_2(arpad: Arpad, games: Path, arguments: tuple[str, ...], said: str) -> None:
    result = arpad("rate", games, *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""


def test_the_same_input_gives_the_same_bytes(process: Process, games: Path) -> None:
    first, second = (process("rate", games, "--format", "json", env={"PYTHONHASHSEED": seed}) for seed in ("1", "2"))
    assert (first.stdout, first.stderr) == (second.stdout, second.stderr)


def test_no_colour_in_a_pipe_nor_with_no_color(process: Process, games: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text(EIGHT_FAULTS)
    for result in (process("rate", games), process("rate", bad, "--skip-bad", env={"NO_COLOR": "1"})):
        assert "\033" not in result.stdout + result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
@pytest.mark.parametrize("no_color", ["", "1"])
def test_colour_on_a_terminal_unless_no_color(games: Path, no_color: str) -> None:
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", "from arpad.cli import main; main()", "rate", str(games), "-q"]
    environment = {**os.environ, "NO_COLOR": no_color, "TERM": "xterm"}
    subprocess.run(command, stdout=theirs, stderr=subprocess.DEVNULL, env=environment, check=True, timeout=60)
    os.close(theirs)
    shown = os.read(ours, 10_000).decode()
    os.close(ours)
    assert ("\033[1m" in shown) is not bool(no_color)
    assert "Anna" in shown


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_away_ends_it_silently(tmp_path: Path, unbuffered: str) -> None:
    path = tmp_path / "many.csv"
    path.write_text("white,black,result\n" + "".join(f"Player {i},Player {i + 1},1-0\n" for i in range(20_000)))
    command = [sys.executable, "-c", "from arpad.cli import main; main()", "rate", str(path), "-q"]
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline().split()[0] == "rank"
        running.stdout.close()
        assert running.stderr.read() == ""
        assert running.wait(60) == 141


def test_a_small_rate_imports_nothing_heavy(games: Path) -> None:
    program = (
        "import sys\nfrom arpad.cli import run\nrun(['rate', sys.argv[1], '-q'])\n"
        "print(sorted({'numpy', 'pyarrow', 'pandas', 'polars', 'openpyxl'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(games)], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_explain_prints_every_change_with_its_clauses(arpad: Arpad, games: Path) -> None:
    result = arpad("explain", games, "--player", "Anna")
    assert result.exit_code == 0
    assert "Bruno" in result.stdout
    assert "2025-04-05" in result.stdout
    assert "elo" in result.stderr
    assert "2025-03-01" not in arpad("explain", games, "--player", "Anna", "--event", "Cup").stdout


def test_explain_in_italian_and_as_json(arpad: Arpad, games: Path) -> None:
    italian = arpad("explain", games, "--player", "Anna", "--language", "it").stdout
    assert italian
    assert italian != arpad("explain", games, "--player", "Anna").stdout
    answer = json.loads(
        arpad("explain", games, "--player", "Anna", "--format", "json").stdout, parse_constant=pytest.fail
    )
    assert answer["player"] == "Anna"
    assert answer["changes"][-1]["after"] == pytest.approx(1530.6, abs=1)


def test_explain_of_somebody_unknown_names_who_is_near(arpad: Arpad, games: Path) -> None:
    result = arpad("explain", games, "--player", "Ana")
    assert result.exit_code == 2
    assert "did you mean Anna?" in result.stderr


@pytest.mark.parametrize(("language", "said"), [("en", "nothing has"), ("it", "nulla ha"), ("es", "nada ha")])
def test_explain_says_of_whom_nothing_happened_to(
    arpad: Arpad, games: Path, tmp_path: Path, language: str, said: str
) -> None:
    (tmp_path / "list.csv").write_text("player,rating\nZed,1700\n")
    result = arpad("explain", games, "--start", tmp_path / "list.csv", "--player", "Zed", "--language", language)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Zed: {said}")


@pytest.mark.parametrize(("language", "edition", "stands"), [("it", "dall'inizio", "al 2"), ("es", "desde el", "a 2")])
def test_a_language_leaves_no_english_sentence(
    arpad: Arpad, games: Path, language: str, edition: str, stands: str
) -> None:
    result = arpad("explain", games, "--player", "Anna", "--language", language)
    assert edition in result.stdout
    assert "the beginning" not in result.stdout
    assert f", {stands}025-04-05" in result.stderr


@pytest.mark.parametrize(
    "unit", ["game", "event", "period:day", "period:month", "period:99999-days", "period:01-01,07-01", "period:07-01"]
)
def test_games_on_the_first_and_last_day_of_the_calendar(arpad: Arpad, tmp_path: Path, unit: str) -> None:
    path = tmp_path / "games.csv"
    path.write_text("date,event,white,black,result\n9999-12-31,Z,Anna,Bruno,1-0\n0001-01-01,A,Anna,Bruno,1-0\n")
    state = tmp_path / "state.json"
    result = arpad("rate", path, "--set", f"unit={unit}", "--on", "9999-12-31", "--checkpoint", state)
    assert result.exit_code == 0
    assert "2 games rated" in result.stderr
    assert arpad("rate", path, "--set", f"unit={unit}", "--start", state).exit_code == 1


def test_games_that_stand_in_two_files_are_pointed_out(arpad: Arpad, games: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.csv"
    again.write_text(games.read_text())
    for form in ("csv", "parquet"):
        one, other = games, again
        if form == "parquet":
            import pyarrow.csv
            import pyarrow.parquet

            one, other = tmp_path / "games.parquet", tmp_path / "again.parquet"
            for path in (one, other):
                pyarrow.parquet.write_table(pyarrow.csv.read_csv(games), path)
        result = arpad("rate", one, other)
        assert result.exit_code == 0
        assert f"warning: {other}:" in result.stderr
        assert "games that say the same as some of an earlier file, all rated: 3" in result.stderr
    again.write_text(HEADER + "2026-01-01,Open,Anna,Bruno,1-0\n")
    assert "earlier file" not in arpad("rate", games, again).stderr


@pytest.mark.parametrize("option", ["--start", "--acts", "games"])
def test_a_name_in_other_letters_in_another_file_is_pointed_out(
    arpad: Arpad, games: Path, tmp_path: Path, option: str
) -> None:
    other = tmp_path / "other.csv"
    other.write_text(
        {
            "--start": "player,rating\nANNA,1700\n",
            "--acts": "kind,player,date,rating\nentry,ANNA,2025-01-01,1700\n",
            "games": HEADER + "2026-01-01,Open,ANNA,Bruno,1-0\n",
        }[option]
    )
    result = arpad("rate", games, *([option] if option != "games" else []), other)
    assert result.stderr.count("names that differ only in case") == 1
    assert "'Anna' / 'ANNA'" in result.stderr
    other.write_text(other.read_text().replace("ANNA", "Anna"))
    assert "differ" not in arpad("rate", games, *([option] if option != "games" else []), other).stderr


def test_what_the_rules_ask_and_nobody_told_is_said(arpad: Arpad, games: Path, tmp_path: Path) -> None:
    result = arpad("rate", games, "--rules", "elo:football")
    assert "no game has one: all count as won by the least (give the scores of both sides)" in result.stderr
    listed = tmp_path / "list.csv"
    listed.write_text("player,rating,born\nAnna,1700,1990\nBruno,1600,\nCarla,1500,\n")
    result = arpad("rate", games, "--rules", "fide/standard", "--start", listed)
    assert "note: 2 of 3 players are of unknown age" in result.stderr
    listed.write_text(listed.read_text().replace(",\n", ",2010-05-06\n"))
    assert "unknown age" not in arpad("rate", games, "--rules", "fide/standard", "--start", listed).stderr
