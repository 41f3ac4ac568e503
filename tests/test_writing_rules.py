"""The rulebook of docs/writing-rules.md: a made-up federation in one short file, and what it says is what happens."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from arpad.engine import History, replay
from arpad.model import Game, Games, PartialDate, Start
from arpad.rulebooks import load
from arpad.rulebooks.book import Rulebook

PAGE = Path(__file__).resolve().parent.parent / "docs" / "writing-rules.md"


@pytest.fixture(scope="module")
def isle(tmp_path_factory: pytest.TempPathFactory) -> Rulebook:
    found = re.search(r"\$ cat > isle\.toml <<'END'\n(.*?)^END$", PAGE.read_text(encoding="utf-8"), re.S | re.M)
    assert found
    assert len(found[1].splitlines()) < 60
    path = tmp_path_factory.mktemp("isle") / "isle.toml"
    path.write_text(found[1], encoding="utf-8")
    return load(path)


def rated(isle: Rulebook, *games: Game, start: dict[str, float], born: PartialDate | None = None) -> History:
    known = [Start(name, rating, born=born if name == "junior" else None) for name, rating in start.items()]
    return replay(Games.of(games), isle, known)


@pytest.mark.parametrize("day", [1, 31])
@pytest.mark.parametrize(("birthday", "k"), [(PartialDate(2006, 3, 2), 40), (PartialDate(2006, 3, 1), 24)])
def test_k_depends_on_age_when_the_month_begins(isle: Rulebook, day: int, birthday: PartialDate, k: float) -> None:
    game = Game("x", "junior", 0, date=date(2024, 3, day), neutral=True)
    history = rated(isle, game, start={"junior": 1400, "x": 1400}, born=birthday)
    assert history.rating("junior") == 1400 + k / 2
    assert history.rating("x") == 1388


def test_the_home_player_counts_as_35_points_stronger(isle: Rulebook) -> None:
    for neutral, difference in ((False, 35), (True, 0)):
        history = rated(isle, Game("a", "b", 1, date=date(2024, 3, 5), neutral=neutral), start={"a": 1400, "b": 1400})
        assert history.recording.expects[0] == pytest.approx(1 / (1 + 10 ** (-difference / 400)))


@pytest.mark.parametrize(("when", "floor"), [(date(2024, 5, 31), 800), (date(2024, 7, 1), 1000)])
def test_the_floor_on_both_sides_of_its_date(isle: Rulebook, when: date, floor: float) -> None:
    history = rated(isle, Game("a", "b", 0, date=when), start={"a": floor + 1, "b": floor + 1})
    assert history.rating("a") == floor


def test_ratings_move_towards_1500_once(isle: Rulebook) -> None:
    games = [Game("x", "y", 0.5, date=day, neutral=True) for day in (date(2024, 6, 5), date(2024, 8, 5))]
    history = rated(isle, *games, start={"idle": 1300, "x": 1600, "y": 1600})
    assert (history.rating("idle"), history.rating("x")) == (1350, 1600)


def test_the_junior_k_is_a_parameter(isle: Rulebook) -> None:
    changed = load(isle.path, {"junior_k": 32})
    game = Game("x", "junior", 0, date=date(2024, 3, 5), neutral=True)
    assert rated(changed, game, start={"junior": 1400, "x": 1400}, born=PartialDate(2010)).rating("junior") == 1416
