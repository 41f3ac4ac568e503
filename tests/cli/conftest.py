"""The command line as tests use it: inside this process, and as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arpad.cli import run

Arpad = Callable[..., Result]
Process = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def arpad(monkeypatch: pytest.MonkeyPatch) -> Arpad:
    """Run a command in this process: stdout, stderr and exit code, as `main` would end."""

    def call(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
        import click

        @click.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
        @click.argument("words", nargs=-1, type=click.UNPROCESSED)
        def whole(words: tuple[str, ...]) -> None:
            sys.exit(run(words))

        return CliRunner().invoke(whole, ["--", *map(str, arguments)], input=stdin, catch_exceptions=False)

    return call


@pytest.fixture
def process() -> Process:
    """Run a command as a process of its own."""

    def call(
        *arguments: str | Path, stdin: str | None = None, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "from arpad.cli import main; main()", *map(str, arguments)]
        return subprocess.run(
            command, input=stdin, capture_output=True, text=True, env={**os.environ, **(env or {})}, timeout=60
        )

    return call


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Two events of three players."""
    path = tmp_path / "games.csv"
    path.write_text(
        "date,event,round,white,black,result\n"
        "2025-03-01,Open,1,Anna,Bruno,1-0\n"
        "2025-03-02,Open,2,Bruno,Carla,1/2-1/2\n"
        "2025-04-05,Cup,1,Carla,Anna,0-1\n"
    )
    return path
