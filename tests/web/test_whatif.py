"""What-if answers have the digits of `arpad rate`, and say what it takes to reach a rating."""

from __future__ import annotations

import csv
import io
from datetime import date
from pathlib import Path
from typing import Any, cast

import pytest

from arpad.bureau.opened import Office
from arpad.cli import run
from arpad.errors import ArpadError, DataError, UnknownName, UsageError
from arpad.web.views.whatif import MOST_GAMES, MOST_OPEN, Answer, Meeting, Question, whatif

DAY = date(2025, 6, 1)
#: No office is asked where no list of one is named.
NO_OFFICE = cast(Office, None)
PLAYED = (Meeting(1850, 1.0), Meeting(1725, 0.5), Meeting(2400, 1.0), Meeting(1500, 0.0), Meeting(1500, 1.0))
RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1", None: ""}


def asked(rating: float | None, games: tuple[Meeting, ...] = PLAYED, **more: Any) -> Answer:
    return whatif(NO_OFFICE, Question(rating, games, **more), DAY)


@pytest.mark.parametrize("rules", ["fide/standard", "elo", "dwz", "uschess/regular", "glicko2", "ecf/monthly"])
@pytest.mark.parametrize("rating", [1850, None])
def test_a_what_if_has_the_digits_of_the_command_line(
    rules: str, rating: float | None, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    start = ["player,rating,games", *([f"X,{rating},100"] if rating else [])]
    start += [f"{number},{meeting.rating},100" for number, meeting in enumerate(PLAYED, 1)]
    games = ["date,event,round,white,black,result"]
    for number, meeting in enumerate(PLAYED, 1):
        games.append(f"2025-06-01,what if,{number},X,{number},{RESULTS[meeting.score]}")
    (tmp_path / "start.csv").write_text("\n".join(start) + "\n")
    (tmp_path / "games.csv").write_text("\n".join(games) + "\n")
    command = ["rate", str(tmp_path / "games.csv"), "--start", str(tmp_path / "start.csv"), "--rules", rules]
    assert run([*command, "--format", "csv"]) == 0
    row = next(row for row in csv.DictReader(io.StringIO(capfd.readouterr().out)) if row["player"] == "X")
    answer = asked(rating, rules=rules)
    assert (answer.after, answer.exact) == (float(row["rating"]), float(row["rating_exact"]))


def test_before_and_after_rounding_game_by_game() -> None:
    """FIDE 8.3.4: 9.4 is rounded to 9 once, at the end; the difference of 550 counts as 400."""
    answer = asked(1850)
    assert (answer.change, answer.k, answer.score, answer.expected) == (9.0, 20.0, 3.5, 3.03)
    assert answer.unrounded == pytest.approx(9.4)
    assert [game.expected for game in answer.games] == [0.5, 0.67, 0.08, 0.89, 0.89]
    assert answer.games[2].counted == -400
    assert sum(game.change or 0 for game in answer.games) == pytest.approx(9.4)
    assert any("8.3.1" in line for line in answer.words)


def test_k_goes_by_what_is_said_of_the_player_or_is_named() -> None:
    assert asked(1850, played=5.0).k == 40
    assert asked(1850, peak=2450.0).k == 10
    assert asked(1850, born="2010").k == 40
    answer = asked(1850, k=15.0)
    assert (answer.k, answer.change) == (15.0, 7.0)
    with pytest.raises(UsageError, match="has no K"):
        asked(1850, rules="dwz", k=15.0)


def test_a_first_rating_with_its_working() -> None:
    """FIDE 8.2: two draws against 1800 are added; (5 x mean + 2 x 1800) / 7, and 64 % is worth 102."""
    answer = asked(None)
    assert answer.first is not None
    assert (answer.first.games, answer.first.percentage, answer.first.difference) == (5, 64, 102)
    assert answer.first.mean == pytest.approx((1850 + 1725 + 2400 + 1500 + 1500 + 2 * 1800) / 7)
    assert answer.after == answer.first.rating == 1898
    few = asked(None, PLAYED[:3])
    assert few.after is None
    assert few.first is not None
    assert few.first.rating is None


def test_what_it_takes_to_reach_a_rating() -> None:
    """K 20 and 4 x 0.43 expected against 1.5 points needed to gain 10, and so on up to all four points."""
    to_play = tuple(Meeting(rating) for rating in (1900, 1900, 2000, 2000))
    answer = asked(1950, to_play, target=1965.0)
    assert [total.score for total in answer.totals] == [half / 2 for half in range(9)]
    ratings = [total.rating or 0 for total in answer.totals]
    assert ratings == sorted(ratings)
    assert answer.needed is not None
    at = int(2 * answer.needed)
    assert ratings[at] >= 1965 > ratings[at - 1]
    assert asked(1950, to_play, target=2100.0).needed is None
    played = asked(1950, (*(Meeting(each.rating, 1.0) for each in to_play[:2]), *to_play[2:]), target=1965.0)
    assert played.after != answer.after
    assert played.totals[0].rating == asked(1950, (*PLAYED[:0], *_with(to_play, (1, 1, 0, 0)))).after


def _with(games: tuple[Meeting, ...], scores: tuple[float, ...]) -> tuple[Meeting, ...]:
    return tuple(Meeting(game.rating, score) for game, score in zip(games, scores, strict=True))


@pytest.mark.parametrize(
    ("more", "kind"),
    [
        ({"rules": "pyproject.toml"}, UnknownName),
        ({"rules": "../rulebooks/fide/standard"}, UnknownName),
        ({"rules": "fide"}, UnknownName),
        ({"rules": "elo", "settings": {"no such": 1.0}}, UnknownName),
        ({"day": date(1900, 1, 1)}, UsageError),
        ({"target": 2000.0}, UsageError),
        ({"born": "yesterday"}, UsageError),
        ({"k": -1.0}, UsageError),
        ({"played": 1e9}, UsageError),
        ({"rules": "fifa/men"}, DataError),
        ({"games": (Meeting(1e9, 1.0),)}, UsageError),
        ({"games": (Meeting(1500, 7.0),)}, DataError),
        ({"games": (Meeting(1500),) * (MOST_OPEN + 1)}, UsageError),
        ({"games": (Meeting(1500, 1.0),) * (MOST_GAMES + 1)}, UsageError),
    ],
)
def test_what_cannot_be_asked_is_refused(more: dict[str, Any], kind: type[ArpadError]) -> None:
    with pytest.raises(kind):
        asked(1850, **more)
