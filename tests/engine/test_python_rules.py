"""Rules that a user writes in Python give what the same rules as a rulebook give, through the same replay."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from random import Random

import pytest

import arpad
from arpad.engine import replay
from arpad.errors import UsageError
from arpad.explain import explain
from arpad.model import Game, Games
from arpad.python_rules import Evidence, Meeting, Player, book_of, rules_of
from arpad.rulebooks import load
from arpad.sentences import words


class Plain:
    """Elo with K 24, settled by whatever unit."""

    name = "plain"
    start = 1500.0

    def __init__(self, unit: str) -> None:
        self.unit = unit

    def meet(self, first: Player, second: Player, game: Meeting) -> tuple[Evidence, Evidence]:
        expected = arpad.expected_score(first.rating, second.rating)
        return Evidence(game.score, expected), Evidence(game.other, 1.0 - expected)

    def settle(self, me: Player, evidence: Evidence) -> float:
        return me.rating + 24 * evidence.total


def games(count: int = 120) -> Games:
    random = Random(5)
    facts = []
    for number in range(count):
        first, second = random.sample("abcdefgh", 2)
        day = date(2025, 1 + number // 30, 1 + number % 28)
        facts.append(Game(first, second, random.choice([0.0, 0.5, 1.0]), date=day, event=f"event {number // 30}"))
    return Games.of(facts)


@pytest.mark.parametrize("unit", ["game", "event", "period:month"])
def test_python_rules_equal_the_rulebook(unit: str) -> None:
    mine = Plain(unit)
    history = replay(games(), book_of(mine), python=mine)
    book = replay(games(), load("elo", {"k": 24, "unit": unit}))
    for player in "abcdefgh":
        assert history.rating(player) == pytest.approx(book.rating(player), abs=1e-9)
    assert list(history.recording.expects) == pytest.approx(list(book.recording.expects), abs=1e-12)
    assert len(history.recording.changes) == len(book.recording.changes)


def test_python_rules_by_the_public_name_and_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "ladder.py"
    path.write_text(
        "from arpad.python_rules import Evidence\n"
        "name = 'our ladder'\n"
        "start = 1000\n"
        "def meet(first, second, game):\n"
        "    return Evidence(game.score, 0.5), Evidence(game.other, 0.5)\n"
        "def settle(me, evidence):\n"
        "    return me.rating + 10 * evidence.total\n"
    )
    records = [{"white": "Anna", "black": "Bruno", "result": "1-0"}]
    history = arpad.replay(records, rules=path)
    assert [(row["player"], row["rating"]) for row in history.ratings().rows()] == [("Anna", 1005), ("Bruno", 995)]
    assert arpad.replay(records, rules=rules_of(path)).ratings().rows() == history.ratings().rows()
    with pytest.raises(UsageError, match="declare no parameters"):
        arpad.replay(records, rules=path, settings={"k": 2})


def test_changes_under_python_rules_are_explained() -> None:
    mine = Plain("game")
    history = replay(games(9), book_of(mine), python=mine)
    text = "\n".join(line for player in history.players for line in words(explain(history, player)))
    assert "x K 24 =" in text
    assert "as the rules written in Python say" in text


def test_python_rules_go_on_from_a_checkpoint_of_the_same_rules_only() -> None:
    mine = Plain("period:month")
    whole = replay(games(), book_of(mine), python=mine)
    early = replay(games(), book_of(mine), on=date(2025, 2, 28), python=mine)
    late = Games.of(
        game
        for game in _records(games())
        if game.date > date(2025, 2, 28)  # type: ignore[operator]
    )
    rest = replay(late, book_of(mine), early.checkpoint(), python=mine)
    assert [rest.rating(player) for player in "abcdefgh"] == [whole.rating(player) for player in "abcdefgh"]
    with pytest.raises(UsageError, match="these rules are others"):
        replay(late, load("elo", {"unit": "period:month"}), early.checkpoint())


def _records(held: Games) -> list[Game]:
    return [
        Game(
            held.players[held.first[row]],
            held.players[held.second[row]],
            held.scores[held.score[row]][0],
            date=date.fromordinal(held.date[row]),
            event=held.events[held.event[row]].name,
        )
        for row in range(len(held))
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def meet(a, b, game): pass", "does not define settle"),
        ("1 / 0", "cannot be run: ZeroDivisionError"),
        ("def meet(:", "cannot be run: SyntaxError"),
    ],
)
def test_a_file_of_rules_that_cannot_be_used_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "rules.py"
    path.write_text(text)
    with pytest.raises(UsageError, match=message):
        rules_of(path)


def test_a_rating_that_is_no_number_stops_the_run() -> None:
    class Broken(Plain):
        def settle(self, me: Player, evidence: Evidence) -> float:
            return float("nan")

    with pytest.raises(UsageError, match="a rating of nan"):
        replay(games(3), book_of(Broken("game")), python=Broken("game"))
