"""The other commands, and what all of them have in common."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
import pytest

from arpad import __version__
from arpad import cli as faces
from tests.cli.conftest import Arpad, Process


def commands(group: click.Group, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        found.append((*path, name))
        if isinstance(command, click.Group):
            found += commands(command, (*path, name))
    return found


@pytest.mark.parametrize("path", [(), *commands(faces.arpad)], ids=" ".join)
def test_help_of_every_command_has_an_example(arpad: Arpad, path: tuple[str, ...]) -> None:
    result = arpad(*path, "--help")
    assert result.exit_code == 0
    assert "Example" in result.stdout
    assert f"arpad {' '.join(path)}".rstrip() in result.stdout.partition("Example")[2]


@pytest.mark.parametrize("name", ["rate", "explain"])
def test_help_shows_a_games_file(arpad: Arpad, name: str) -> None:
    assert "white,black,result" in arpad(name, "--help").stdout


def test_version(arpad: Arpad) -> None:
    assert arpad("--version").stdout == f"arpad {__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(process: Process, shell: str) -> None:
    assert "_ARPAD_COMPLETE" in process("completion", shell).stdout


def test_completion_knows_commands_and_rulebooks(process: Process) -> None:
    def completed(words: str, at: int) -> list[str]:
        env = {"_ARPAD_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(at)}
        return process(env=env).stdout.split()

    assert "plain,rate" in completed("arpad ra", 1)
    assert "plain,fide/standard" in completed("arpad rate --rules fid", 3)


def test_an_unknown_command_is_wrong_use(arpad: Arpad) -> None:
    result = arpad("rat")
    assert result.exit_code == 2
    assert "rat" in result.stderr


def test_expected_of_the_worked_example(arpad: Arpad) -> None:
    expected = []
    for opponent in ("1609", "1477", "1388", "1586", "1720"):
        answer = json.loads(arpad("expected", "1613", opponent, "--format", "json").stdout)
        expected.append(round(answer["expectation"]["score"], 3))
    assert expected == [0.506, 0.686, 0.785, 0.539, 0.351]


def test_expected_says_what_it_leaves_open_and_on_what_it_rests(arpad: Arpad) -> None:
    result = arpad("expected", "1890", "1771", "--rules", "asigc")
    assert "0.320 to 0.660" in result.stdout
    assert "ASIGC: asigc, edition of 1999-10-01" in result.stderr
    assert "no rulebook was named" in arpad("expected", "1613", "1609").stderr


def test_expected_inverts_and_prints_the_whole_table(arpad: Arpad) -> None:
    inverted = json.loads(arpad("expected", "--score", "0,66", "--rules", "asigc", "--format", "jsonl").stdout)
    assert (inverted["low"], inverted["high"]) == (114, 121)
    table = arpad("expected", "--table", "--rules", "fide/standard", "--format", "csv").stdout.splitlines()
    assert table[:2] == ["from,to,higher,lower", "0,3,0.50,0.50"]


@pytest.mark.parametrize(
    ("ratings", "warned"),
    [
        (("FIDE:2638", "USCF:2742"), True),
        (("FIDE:2638", "fide:2500"), False),
        (("2638", "2742"), False),
        (("ICCF:2400", "2300", "--rules", "asigc"), True),
        (("ASIGC:2400", "2300", "--rules", "asigc"), False),
    ],
)
def test_ratings_of_different_bodies_are_warned_about(arpad: Arpad, ratings: tuple[str, ...], warned: bool) -> None:
    result = arpad("expected", *ratings)
    assert result.exit_code == 0
    assert ("warning:" in result.stderr) is warned


@pytest.mark.parametrize(
    "arguments",
    [("1613",), ("1613", "x"), ("1613", "nan"), ("1e9", "1500"), ("--score", "2"), ("--score", ".5", "--table")],
)
def test_expected_refuses_what_cannot_be(arpad: Arpad, arguments: tuple[str, ...]) -> None:
    result = arpad("expected", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr


def test_expected_takes_ratings_below_zero(arpad: Arpad) -> None:
    assert arpad("expected", "-100", "-100").exit_code == 0


def test_performance_by_total_results_and_entries(arpad: Arpad) -> None:
    by_total = arpad("performance", "--score", "2.5", "1609", "1477", "1388", "1586", "1720", "--format", "csv")
    by_results = arpad(
        "performance", "1609", "1477", "1388", "1586", "1720", "--results", "0 = 1 1 0", "--format", "csv"
    )
    by_entries = arpad("performance", "1609:0", "1477:=", "1388:1", "1586:1", "1720:0", "--format", "csv")
    assert by_total.stdout == by_results.stdout == by_entries.stdout
    assert by_total.stdout.splitlines()[1].startswith("true,1556.36")


def test_performance_by_all_methods_says_how_each_works(arpad: Arpad) -> None:
    result = arpad("performance", "--score", "2.5", "2400", "2500", "2600", "--method", "all", "--format", "json")
    assert [each["method"] for each in json.loads(result.stdout)][:3] == ["fide", "algorithm of 400", "linear"]
    assert "FIDE" in result.stderr


def test_performance_without_a_value_gives_the_reason(arpad: Arpad) -> None:
    result = arpad("performance", "--score", "3", "2400", "2500", "2600", "--method", "true")
    assert result.exit_code == 0
    assert "sets no upper bound" in result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("1600",),
        ("1600", "--score", "2"),
        ("1600", "1700", "--results", "1"),
        ("1600:1", "--results", "1"),
        ("1600", "--score", "1", "--method", "fied"),
    ],
)
def test_performance_refuses_what_cannot_be(arpad: Arpad, arguments: tuple[str, ...]) -> None:
    assert arpad("performance", *arguments).exit_code == 2


def test_performance_names_every_bad_entry(arpad: Arpad) -> None:
    result = arpad("performance", "1850:1,", "1700:x,", "abc:1")
    assert result.exit_code == 1
    assert result.stderr.count("error:") == 2


def test_rules_list_show_and_diff(arpad: Arpad) -> None:
    assert "fide/standard" in arpad("rules", "list").stdout
    shown = arpad("rules", "show", "fide/standard", "--on", "2025-10-01", "--language", "it").stdout
    assert "8.3.1" in shown
    assert "2025-10-01" in shown
    answer = json.loads(arpad("rules", "show", "elo", "--format", "json").stdout)
    assert answer["parameters"]["k"] == 32
    changed = arpad("rules", "diff", "fide/standard", "2024-03-01", "2025-10-01", "--format", "csv").stdout
    assert changed.splitlines()[0] == "clause,before,after,article"
    assert "8.3.1" in changed
    assert "nothing changed" in arpad("rules", "diff", "elo", "2024-03-01", "2025-10-01").stdout


def test_an_unsure_clause_is_shown_as_unsure(arpad: Arpad) -> None:
    assert "unsure" in arpad("rules", "show", "asigc").stdout


def test_interrupting_ends_with_130_and_no_traceback(arpad: Arpad, monkeypatch: pytest.MonkeyPatch) -> None:
    from arpad import office

    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(office, "rules_list", interrupted)
    result = arpad("rules", "list")
    assert (result.exit_code, result.stdout, result.stderr.strip()) == (130, "", "")


def test_a_defect_is_one_line_unless_debugging(arpad: Arpad, monkeypatch: pytest.MonkeyPatch) -> None:
    from arpad import office

    def broken() -> None:
        raise RuntimeError("two and two are five")

    monkeypatch.setattr(office, "rules_list", broken)
    monkeypatch.delenv("ARPAD_DEBUG", raising=False)
    result = arpad("rules", "list")
    assert result.exit_code == 4
    assert "please report" in result.stderr
    assert "two and two are five" in result.stderr
    assert "Traceback" not in result.stderr
    monkeypatch.setenv("ARPAD_DEBUG", "1")
    with pytest.raises(RuntimeError):
        arpad("rules", "list")


def test_the_bar_waits_a_second_and_clears_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from arpad.cli import talk

    assert talk.bar(quiet=True) is None
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    moments = iter([0.0, 0.5, 2.0, 3.0])
    monkeypatch.setattr(talk.time, "monotonic", lambda: next(moments))
    bar = talk.bar(quiet=False)
    assert bar is not None
    bar(1, 4)
    assert capsys.readouterr().err == ""
    bar(2, 4)
    assert "50% of 4 games" in capsys.readouterr().err
    bar(4, 4)
    assert capsys.readouterr().err.endswith("\r\033[K")


def test_a_rating_may_have_a_decimal_comma_everywhere(arpad: Arpad) -> None:
    assert arpad("expected", "1613,5", "FIDE:1609").stdout == arpad("expected", "1613.5", "FIDE:1609").stdout
    assert arpad("performance", "1613,5:1", "1609:0").exit_code == 0


def test_expected_cites_no_clause_that_says_nothing(arpad: Arpad, tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text(
        "organisation = 'club'\ngame = 'chess'\nsystem = 'elo'\n"
        "[[edition]]\ncurve = { shape = 'logistic' }\nk = [{ value = 20 }]\n"
    )
    assert "curve" not in arpad("expected", "1613", "1609", "--rules", path).stderr.splitlines()
