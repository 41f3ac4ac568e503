"""Tables with one row per player and game: each game's two rows become one, rows that contradict are refused."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from arpad.formats import results
from arpad.formats.check import Check
from arpad.formats.names import Names
from arpad.formats.scores import FACT, PENDING, Scores
from arpad.formats.sheet import listed
from arpad.model import Column

_NEUTRAL = 3


class OneRow(msgspec.Struct, frozen=True):
    """The table with the first side first in each row; `mirrored` are the rows that another row already says."""

    names: Names
    scores: Scores
    shootout: Column | None
    neutral: Column | None
    mirrored: Column


def one_row_a_game(
    check: Check,
    names: Names,
    scores: Scores,
    shootout: Column | None,
    neutral: Column | None,
    when: Sequence[Column | None],
) -> OneRow:
    """Turn rows seen by the second side, pair the mirrors; nobody has an advantage where no side is named."""
    ops = check.ops
    hint = "accepted: w b, white black, h a n, home away neutral"
    side = check.read("side", results.own_side, _NEUTRAL, "B", hint)
    pairs, back = _with_reverses(scores.pairs)
    turned = scores.outcome
    reporter = names.first
    # Codes -1 and -2 index the table from its end, so that pending games and forfeits stay what they are.
    reverse = ops.take([*back, FACT], scores.outcome, PENDING, "i")
    margin = scores.margin
    if side is None:
        check.warn("no column says which player was first: no side gets an advantage")
        nobody_first = ops.mask(len(check.cells), 1)
    else:
        second = ops.among(side, {2})
        nobody_first = ops.among(side, {_NEUTRAL})
        names = Names(
            names.table, ops.choose(second, names.second, names.first), ops.choose(second, names.first, names.second)
        )
        turned = ops.choose(second, reverse, scores.outcome)
        reverse = ops.choose(second, scores.outcome, reverse)
        if margin is not None:
            margin = ops.choose(second, ops.column((-value for value in margin.tolist()), "d"), margin)
        if shootout is not None:
            shootout = ops.choose(second, ops.take([0, 2, 1], shootout, 0, "B"), shootout)
    neutral = nobody_first if neutral is None else ops.either(neutral, nobody_first)
    mirrored = _pair(check, names, reporter, turned, reverse, margin, nobody_first, when)
    return OneRow(names, Scores(turned, pairs, margin, scores.fewer), shootout, neutral, mirrored)


def _with_reverses(pairs: Sequence[tuple[float, float]]) -> tuple[list[tuple[float, float]], list[int]]:
    known = {pair: code for code, pair in enumerate(pairs)}
    back = [known.setdefault((second, first), len(known)) for first, second in pairs]
    return list(known), back


def _pair(
    check: Check,
    names: Names,
    reporter: Column,
    outcome: Column,
    reverse: Column,
    margin: Column | None,
    nobody_first: Column,
    when: Sequence[Column | None],
) -> Column:
    """Match each row with the next one by the other player about the same game; refuse matches that contradict."""
    ids = check.cells.columns.get("id")
    first, second, by = names.first.tolist(), names.second.tolist(), reporter.tolist()
    ends, turned = outcome.tolist(), reverse.tolist()
    gaps = margin.tolist() if margin is not None else [0.0] * len(first)
    keys = [ids.codes.tolist()] if ids else [column.tolist() for column in when if column is not None]
    waiting: dict[tuple[int, ...], list[int]] = defaultdict(list)
    mirrored: list[int] = []
    contrary: dict[int, int] = {}
    for row, (a, b, own) in enumerate(zip(first, second, by)):
        if a < 0 or b < 0 or a == b or check.bad[row]:
            continue
        key = (*(column[row] for column in keys), min(a, b), max(a, b))
        other = b if own == a else a
        rows = waiting.get((*key, other))
        if not rows:
            waiting[(*key, own)].append(row)
            continue
        mate = rows.pop(0)
        same_way = a == first[mate]
        gap = gaps[row] if same_way else -gaps[row]
        agree = (ends[row] if same_way else turned[row]) == ends[mate] and (gap == gaps[mate] or gap != gap)
        if agree and (same_way or nobody_first[row] or nobody_first[mate]):
            mirrored.append(row)
        else:
            contrary[row], contrary[mate] = mate, row
    lines = check.cells.lines
    meant = check.ops.mask(len(first))
    check.ops.mark(meant, contrary)
    column = check.cells.columns["second"].header
    check.refuse(
        meant,
        column,
        lambda row: f"contradicts line {lines[contrary[row]]}, where the other player reports the same game",
        "the two rows of a game have opposite scores and sides",
    )
    _warn_of_single_rows(check, waiting, bool(mirrored))
    found = check.ops.mask(len(first))
    check.ops.mark(found, mirrored)
    return found


def _warn_of_single_rows(check: Check, waiting: dict[tuple[int, ...], list[int]], paired: bool) -> None:
    single = sorted(row for rows in waiting.values() for row in rows)
    if single and paired:
        lines = [int(check.cells.lines[row]) for row in single]
        check.warn(f"games reported by one player only: {len(single)} (line {listed(lines)})")
