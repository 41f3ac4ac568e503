"""The demo office, made once a session: an invented league through a year, and five football leagues."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scripts.demo_office import build


@pytest.fixture(scope="session")
def demo_office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An office that nobody writes to: tests that do take `demo_copy`."""
    place = tmp_path_factory.mktemp("demo") / "demo.db"
    build(str(place))
    return place


@pytest.fixture
def demo_copy(demo_office: Path, tmp_path: Path) -> Path:
    """A copy of the demo office, of the test's own."""
    return Path(shutil.copy(demo_office, tmp_path / "demo.db"))
