"""Who scored what: from a result, from both sides' scores, from the winner's name or side, or from several at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from arpad.formats import results, values
from arpad.formats.check import Check
from arpad.formats.names import Names
from arpad.formats.results import Other
from arpad.formats.sheet import Encoded, Reading
from arpad.model import Column

PENDING = Other.PENDING.value
FACT = Other.FACT.value


class Scores(msgspec.Struct, frozen=True):
    """`outcome` is a code into `pairs`, or PENDING or FACT; `margin` is first minus second, `fewer` the less of the
    two, nan where unknown."""

    outcome: Column
    pairs: Sequence[tuple[float, float]]
    margin: Column | None = None
    fewer: Column | None = None


def read_scores(check: Check, names: Names, reading: Reading) -> Scores:
    """Every column that says how the game ended, held against each other."""
    columns = check.cells.columns
    pairs: dict[tuple[float, float], int] = {}

    def code(outcome: results.Outcome) -> int:
        return outcome.value if isinstance(outcome, Other) else pairs.setdefault(outcome, len(pairs))

    said: list[Column] = []
    margin = fewer = None
    if "result" in columns:
        hint = f"accepted: {results.ACCEPTED}"
        read = check.read("result", lambda text: code(results.outcome(text)), PENDING, "i", hint)
        said.append(read)
    if "winner" in columns:
        words, meanings = _named(check, columns["winner"], names)
        headers = (columns["first"].header, columns["second"].header)
        found, wrong = _winners(meanings, headers)
        check.refuse_codes(words, wrong, columns["winner"].header, "accepted: a player's name, left, right, tie, blank")
        said.append(check.ops.take([code(outcome) for outcome in found], words, PENDING, "i"))
    if "first_score" in columns and "second_score" in columns:
        both = (columns["first_score"], columns["second_score"])
        points, distinct = check.ops.pairs(both[0].codes, both[1].codes)
        found, margins, lesser, wrong = _points(check, both, distinct, reading)
        check.refuse_codes(points, wrong, both[0].header, "scores are numbers from 0, or both blank")
        said.append(check.ops.take([code(outcome) for outcome in found], points, PENDING, "i"))
        margin = check.ops.take(margins, points, float("nan"), "d")
        fewer = check.ops.take(lesser, points, float("nan"), "d")
    outcome = said[0]
    for other in said[1:]:
        outcome = _agreed(check, outcome, other, list(pairs))
    return Scores(outcome, list(pairs), margin, fewer)


def read_shootout(check: Check, names: Names) -> Column | None:
    """0 where there was no shoot-out, 1 or 2 for the side that won it."""
    encoded = check.cells.columns.get("shootout_winner")
    if encoded is None:
        return None
    words, meanings = _named(check, encoded, names)
    wrong = {
        code: f"{text!r} is neither of the two players"
        for code, (text, first, second) in enumerate(meanings)
        if text and not first and not second
    }
    check.refuse_codes(words, wrong, encoded.header, "accepted: the winner's name, or blank")
    return check.ops.take([1 if first else 2 * second for _, first, second in meanings], words, 0, "B")


def _named(check: Check, encoded: Encoded, names: Names) -> tuple[Column, list[tuple[str, int, int]]]:
    """For each row a code into the distinct (text, is it the first player, is it the second)."""
    ops = check.ops
    position = {name: code for code, name in enumerate(names.table)}
    texts = [text.strip() for text in encoded.values]
    players = ops.take([position.get(text, -1) for text in texts], encoded.codes, -1, "i")
    sides, which = ops.pairs(ops.same(players, names.first), ops.same(players, names.second))
    codes, distinct = ops.pairs(encoded.codes, sides)
    return codes, [(texts[word] if word >= 0 else "", *which[side]) for word, side in distinct]


def _winners(
    meanings: Sequence[tuple[str, int, int]], headers: Sequence[str]
) -> tuple[list[results.Outcome], dict[int, str]]:
    """What each text of a winner column means: a name, or a side where that alone explains the whole column."""
    sides = [results.winning_side(text, headers) for text, _, _ in meanings]
    names = [_winning_name(first, second) for _, first, second in meanings]
    by_name = all(name or side in (Other.PENDING, (0.5, 0.5)) for name, side in zip(names, sides))
    by_side = all(side is not None for side in sides)
    wrong = {}
    for code, (text, name, side) in enumerate(zip((text for text, _, _ in meanings), names, sides)):
        if name is None and side is None:
            wrong[code] = f"winner {text!r} is neither of the two players"
        elif name and side and name != side and (by_side or not by_name):
            wrong[code] = f"winner {text!r} is a side and also the name of the other player"
    return [name or side or Other.PENDING for name, side in zip(names, sides)], wrong


def _winning_name(first: int, second: int) -> results.Outcome | None:
    return (1.0, 0.0) if first else (0.0, 1.0) if second else None


def _points(
    check: Check, both: Sequence[Encoded], distinct: Sequence[tuple[int, int]], reading: Reading
) -> tuple[list[results.Outcome], list[float], list[float], dict[int, str]]:
    mark = reading.decimal or check.mark(both)
    found: list[results.Outcome] = []
    margins: list[float] = []
    lesser: list[float] = []
    wrong = {}
    for code, pair in enumerate(distinct):
        texts = [side.values[at].strip() if at >= 0 else "" for side, at in zip(both, pair)]
        outcome: results.Outcome = Other.PENDING
        margin = least = float("nan")
        try:
            if texts[0] in ("", "*") and texts[1] in ("", "*"):
                pass
            elif "" in texts:
                raise ValueError("the score of one side is missing")
            else:
                first, second = (values.number(text, mark) for text in texts)
                if min(first, second) < 0:
                    raise ValueError(f"a score cannot be negative: {' and '.join(texts)}")
                margin, least = first - second, min(first, second)
                outcome = (1.0, 0.0) if margin > 0 else (0.0, 1.0) if margin < 0 else (0.5, 0.5)
        except ValueError as error:
            wrong[code] = str(error)
        found.append(outcome)
        margins.append(margin)
        lesser.append(least)
    return found, margins, lesser, wrong


def _agreed(check: Check, one: Column, other: Column, pairs: Sequence[tuple[float, float]]) -> Column:
    """The first column where it says something, else the second; rows where they contradict are refused."""
    codes, distinct = check.ops.pairs(one, other)
    wrong: Mapping[int, str] = {
        code: "the columns contradict each other about who won"
        for code, (a, b) in enumerate(distinct)
        if a >= 0 and b >= 0 and _sign(pairs[a]) != _sign(pairs[b])
    }
    check.refuse_codes(codes, wrong, "", "who won after a draw goes into shootout_winner")
    return check.ops.take([b if a == PENDING else a for a, b in distinct], codes, PENDING, "i")


def _sign(pair: tuple[float, float]) -> int:
    return (pair[0] > pair[1]) - (pair[0] < pair[1])
