"""What `convert` takes, and what it says of files that it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from arpad.cli import run
from tests.test_month import players


def test_games_of_a_pgn_become_a_table(tmp_path: Path) -> None:
    """The endings that could be read left out .pgn, which `rate` and `check` take."""
    (tmp_path / "games.pgn").write_text('[Date "2025.03.01"]\n[White "Anna"]\n[Black "Bruno"]\n[Result "1-0"]\n\n1-0\n')
    assert run(["convert", str(tmp_path / "games.pgn"), str(tmp_path / "games.csv")]) == 0
    assert (tmp_path / "games.csv").read_text().splitlines()[1].endswith("Anna,Bruno,1-0")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("list.xml", "games.csv"), "list.xml is a rating list: neither a report nor games"),
        (("games.csv", "games.pgn"), "cannot tell how to write 'games.pgn'; known endings: .trf"),
        (("games.zzz", "games.csv"), "cannot tell how to read 'games.zzz'; known endings: .trf"),
    ],
)
def test_what_cannot_be_converted_is_told(
    tmp_path: Path,
    names: tuple[str, str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("list.xml").write_text(players(), encoding="utf-8")
    Path("games.csv").write_text("date,white,black,result\n2025-03-01,Anna,Bruno,1-0\n")
    assert run(["convert", *names]) == 2
    assert said in capsys.readouterr().err
