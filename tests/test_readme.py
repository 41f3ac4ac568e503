"""The README's Python, run as it stands, beside the games of its own tour."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).resolve().parent.parent / "README.md"


def test_the_readmes_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = README.read_text(encoding="utf-8")
    games = re.search(r"\$ printf '(date,white,black,result.*?)' > games.csv", text)
    assert games is not None
    (tmp_path / "games.csv").write_text(games[1].replace("\\n", "\n"))
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"(?ms)^```python\n(.*?)^```$", text)
    assert len(blocks) == 2
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)
    history = names["history"]
    assert history.ratings().rows()[0]["player"] == "Anna"  # type: ignore[attr-defined]
