"""What users install: the wheel that the sources make, with a C compiler and without one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
#: The kernel in C, as this environment was made with it. Cython makes anew what is older than its source.
TRANSLATED = ROOT / "build" / "cython"


def wheel(folder: Path, **environment: str) -> list[str]:
    """Names of the files in the wheel that a copy of the sources makes under `environment`."""
    sources = folder / "sources"
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__", "*.egg-info")
    shutil.copytree(ROOT / "src", sources / "src", ignore=ignored)
    if TRANSLATED.is_dir():
        shutil.copytree(TRANSLATED, sources / TRANSLATED.relative_to(ROOT))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, sources)
    command = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "-w", folder, sources]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (made,) = folder.glob("*.whl")
    with zipfile.ZipFile(made) as archive:
        return archive.namelist()


def is_extension(name: str) -> bool:
    return name.startswith("arpad/kernel.") and name.endswith((".so", ".pyd"))


needs_compiler = pytest.mark.skipif(not shutil.which(os.environ.get("CC", "cc")), reason="there is no C compiler")


@needs_compiler
def test_kernel_of_this_environment_is_compiled() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "ARPAD_INTERPRETED"}
    command = [sys.executable, "-c", "import arpad.kernel; print(arpad.kernel.__file__)"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith((".so", ".pyd")), "compile it: make venv"


@pytest.fixture
def quick_compiler(tmp_path: Path) -> str:
    """A compiler that leaves the kernel slow: what a wheel holds is asked here, and to optimise takes far longer."""
    command = tmp_path / "quick-cc"
    command.write_text(f'#!/bin/sh\nexec {os.environ.get("CC", "cc")} "$@" -O0\n')
    command.chmod(0o755)
    return str(command)


@needs_compiler
def test_wheel_holds_extension_source_and_data(tmp_path: Path, quick_compiler: str) -> None:
    names = wheel(tmp_path, CC=quick_compiler)
    assert any(is_extension(name) for name in names)
    expected = [
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src" / "arpad").rglob("*")
        if path.suffix in {".py", ".toml", ".csv", ".gz", ".md", ".pxd", ".typed"}
    ]
    assert set(expected) <= set(names)


def test_wheel_is_made_without_a_compiler(tmp_path: Path) -> None:
    names = wheel(tmp_path, CC="false")
    assert "arpad/kernel.py" in names
    assert not any(is_extension(name) for name in names)


def test_extension_can_be_left_out_on_purpose(tmp_path: Path) -> None:
    assert not any(is_extension(name) for name in wheel(tmp_path, ARPAD_NO_EXTENSION="1"))


def test_kernel_runs_where_neither_compiler_nor_cython_is() -> None:
    program = (
        "import sys; sys.modules['cython'] = None\n"
        "from arpad import kernel, cli\n"
        "assert kernel.__file__.endswith('.py')\n"
        "cli.main(['rate', '--rules', 'elo', '--format', 'csv', sys.argv[1]])"
    )
    games = ROOT / "src" / "arpad" / "data" / "asigc_games.csv"
    environment = {**os.environ, "ARPAD_INTERPRETED": "1"}
    command = [sys.executable, "-c", program, games]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Brandolin" in done.stdout
