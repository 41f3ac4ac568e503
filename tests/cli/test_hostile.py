"""What a command does where its files and streams are not what it hoped for: words, an exit code, nothing lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Arpad

PROGRAM = f'"{sys.executable}" -c "from arpad.cli import main; main()"'


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of a shell, in which $arpad is the program."""
    return subprocess.run(["bash", "-c", line.replace("$arpad", PROGRAM)], cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize("option", ["--output", "--history", "--checkpoint"])
def test_an_output_does_not_take_the_place_of_what_is_read(arpad: Arpad, games: Path, option: str) -> None:
    before = games.read_bytes()
    link = games.with_name("link.csv")
    link.symlink_to(games)
    for name in (games, games.parent / "." / games.name, link):
        result = arpad("rate", games, option, name)
        assert result.exit_code == 2
        assert "is read: what is written would take its place" in result.stderr
    assert games.read_bytes() == before


def test_two_spellings_of_one_file_are_one_output(arpad: Arpad, games: Path, tmp_path: Path) -> None:
    result = arpad("rate", games, "-o", tmp_path / "list.csv", "--history", f"{tmp_path}/./list.csv")
    assert result.exit_code == 2
    assert "two outputs go to the same file" in result.stderr
    assert not (tmp_path / "list.csv").exists()


@pytest.mark.parametrize("option", ["--history", "--checkpoint"])
def test_only_the_list_goes_to_standard_output(arpad: Arpad, games: Path, option: str) -> None:
    result = arpad("rate", games, option, "-")
    assert result.exit_code == 2
    assert "go to files" in result.stderr


@pytest.mark.parametrize(
    "command", ["rate games.csv", "rate games.csv --format csv", "explain games.csv --player Anna"]
)
def test_standard_output_that_is_full_or_closed_is_said(games: Path, command: str) -> None:
    for end, said in ((">/dev/full", "No space left on device"), (">&-", "it is closed")):
        done = shell(f"$arpad {command} {end}", games.parent)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.splitlines()[-1] == f"error: cannot write to standard output: {said}"


@pytest.mark.parametrize("end", ["2>/dev/full", "2>&-"])
def test_what_nobody_hears_stops_nothing(games: Path, end: str) -> None:
    done = shell(f"$arpad rate games.csv --format csv {end}", games.parent)
    assert done.returncode == 0
    assert done.stdout.startswith("rank,player,")


def test_help_that_has_no_room_is_no_defect(tmp_path: Path) -> None:
    done = shell("$arpad --help >/dev/full", tmp_path)
    assert (done.returncode, done.stderr) == (2, "error: No space left on device\n")


def test_a_closed_standard_input_is_said(tmp_path: Path) -> None:
    done = shell("$arpad rate - <&-", tmp_path)
    assert (done.returncode, done.stderr) == (2, "error: there is no standard input to read: it is closed\n")


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="no /dev/fd")
def test_a_pipe_is_read_as_csv_and_written_to(games: Path) -> None:
    direct = shell("$arpad rate games.csv --format csv", games.parent).stdout
    assert shell("$arpad rate <(cat games.csv) --format csv", games.parent).stdout == direct
    assert shell("$arpad rate /dev/stdin --format csv < <(cat games.csv)", games.parent).stdout == direct
    assert shell("$arpad rate games.csv -q -o /dev/stdout --format csv | cat", games.parent).stdout == direct
