"""What a rating difference promises: expected scores, whole tables of them, and the way back to a difference.

    expected(1890, 1771, "asigc").score            # .66, from the printed table
    difference_for("0.66", "asigc")                # 114 to 121
    table("elo/normal")                            # the curve as a table of hundredths
    outcomes(0.75).win                             # .5 to .75

Without a rulebook the curve is that of `elo`: logistic, ten to one at 400 points; results say so. Every number comes
from the function that rates games (`kernel.expected`); nothing here has a formula of its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Literal, TypeAlias

from arpad.arithmetic import choose
from arpad.curves import LIMIT, Basis, Number, basis, bisect, chosen, exact, half_up, least_whole
from arpad.errors import UsageError
from arpad.rulebooks import Rulebook, Value, label
from arpad.rulebooks.clause import Clause
from arpad.stretch import NORMAL_95
from arpad.systems import system

#: No less uncertain is a rating of rules that have no curve.
LEAST = 1e-6

#: Curves that depend on the ratings themselves, not on their difference alone.
BY_RATING = ("exponential", "power")

Side: TypeAlias = Literal["own", "opponent"]
Interval: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Citation:
    """A clause that was applied: where it stands, which edition stated it, and what it says, by language."""

    clause: str
    article: str
    source: str
    edition: str
    status: str
    text: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Expectation:
    """What both sides of one game may expect.

    `difference` is own minus opponent; `advantage` is what playing first, or at home, adds to it; `counted` is what is
    left under the cap. A cap may look at one side only: `opponent_counted` is as the opponent's own change sees it.
    `attenuation` is the share of the difference that the two `deviations` leave.
    """

    own: float
    opponent: float
    difference: float
    advantage: float
    counted: float
    opponent_counted: float
    score: float
    opponent_score: float
    rules: str
    edition: str
    citations: tuple[Citation, ...]
    notes: tuple[str, ...] = ()
    deviations: tuple[float, float] | None = None
    attenuation: float = 1.0

    @property
    def intervals(self) -> tuple[Interval, Interval] | None:
        """Where the two true strengths lie with 95 % confidence; None without deviations."""
        if self.deviations is None:
            return None
        own, opponent = (NORMAL_95 * deviation for deviation in self.deviations)
        return (self.own - own, self.own + own), (self.opponent - opponent, self.opponent + opponent)


@dataclass(frozen=True, slots=True)
class Differences:
    """The rating differences that give an expected score.

    A continuous curve has one (`low` equals `high`), a printed table a range of whole points. An end that is None is
    open; if both are, no difference gives the score and `reason` says why.
    """

    score: float
    low: float | None
    high: float | None
    rules: str
    edition: str
    reason: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table of expected scores: differences from `low` to `high` (None: open), and both sides' scores."""

    low: int
    high: int | None
    higher: str
    lower: str


@dataclass(frozen=True, slots=True)
class Outcomes:
    """(least, most) probability of each outcome; an expected score is that of a win and half that of a draw."""

    expected: float
    win: Interval
    draw: Interval
    loss: Interval


def validate_rating(value: Number, what: str = "rating") -> float:
    """`value` as a number that may be a rating.

    Raises UsageError for nan, infinities, and anything further than 100000 points from zero.
    """
    rating = _finite(value, what)
    if abs(rating) > LIMIT:
        raise UsageError(f"{what} {value} is out of range: ratings lie between -{LIMIT:.0f} and {LIMIT:.0f}")
    return rating


def expected(
    own: float,
    opponent: float,
    rulebook: Rulebook | str | None = None,
    on: date | int | None = None,
    home: Side | None = None,
    settings: Mapping[str, Value] = {},
    deviations: tuple[float, float] | None = None,
) -> Expectation:
    """Expected score of one game, for both sides.

    `deviations` are the two rating deviations, for rules that know them: the less certain the ratings, the nearer the
    expectation to one half (by g of the root of the sum of their squares, as Glickman predicts).

    `home` is the side that plays first or at home; None is neutral ground. Any finite rating is accepted and gives a
    finite score: whether it can be a rating is asked by `validate_rating`. Raises UsageError for nan and infinities,
    and what `basis` raises.
    """
    own, opponent = _finite(own, "own rating"), _finite(opponent, "opponent's rating")
    if home not in ("own", "opponent", None):
        raise UsageError(f"home is own, opponent or None, not {home!r}")
    book, index = chosen(rulebook, on, settings)
    if book.editions[index].curve.shape == "none" and system(book.system).predicts and deviations is not None:
        return _predicted(book, index, own, opponent, deviations)
    at = basis(rulebook, on, settings)
    stated = at.edition.difference.advantage
    advantage = stated if home == "own" else -stated if home == "opponent" else 0.0
    difference = own - opponent
    counted = at.capped(own, opponent, difference + advantage)
    opponent_counted = at.capped(opponent, own, -difference - advantage)
    kept, unsaid = _attenuation(at, deviations)
    return Expectation(
        own=own,
        opponent=opponent,
        difference=difference,
        advantage=advantage,
        counted=counted + 0.0,  # no -0
        opponent_counted=opponent_counted + 0.0,
        score=at.score(own, opponent, kept * counted),
        opponent_score=at.score(opponent, own, kept * opponent_counted),
        rules=at.rulebook.name,
        edition=at.label,
        citations=_citations(at, own, opponent, difference + advantage, advantage),
        notes=(*_notes(at, home, counted != difference + advantage), *unsaid),
        deviations=deviations,
        attenuation=kept,
    )


def _predicted(book: Rulebook, index: int, own: float, opponent: float, deviations: tuple[float, float]) -> Expectation:
    """What rules without a curve expect of two ratings and deviations."""
    _check(deviations, least=LEAST)
    of = system(book.system)
    assert of.predicts is not None
    numbers, sides = of.compile(book), ((own, deviations[0]), (opponent, deviations[1]))
    try:
        scores = [of.predicts(numbers, index, *pair) for pair in (sides, sides[::-1])]
    except (ArithmeticError, ValueError):
        scores = [math.nan]
    if not all(math.isfinite(score) for score in scores):
        raise UsageError(f"{own:g} and {opponent:g} are too far apart for {book.name} to be reckoned with")
    return Expectation(
        own=own,
        opponent=opponent,
        difference=own - opponent,
        advantage=0.0,
        counted=own - opponent,
        opponent_counted=opponent - own + 0.0,
        score=scores[0],
        opponent_score=scores[1],
        rules=book.name,
        edition=label(book.editions[index]),
        citations=(),
        notes=("the chance of a win, which takes a draw for half of one",),
        deviations=deviations,
    )


def _check(deviations: tuple[float, float], least: float = 0.0) -> None:
    for value in deviations:
        if not least <= value <= LIMIT:
            raise UsageError(f"a rating deviation lies between {least:g} and {LIMIT:.0f}, not {value:g}")


def _attenuation(at: Basis, deviations: tuple[float, float] | None) -> tuple[float, tuple[str, ...]]:
    """What the deviations leave of a difference, and a word where they are wanted and not given."""
    flatten = system(at.rulebook.system).attenuation
    if flatten is None:
        if deviations is None:
            return 1.0, ()
        raise UsageError(f"the rules of {at.rulebook.name} know no rating deviation")
    if deviations is None:
        return 1.0, ("no deviations were given: as if both ratings were exact; write them as 1500/80",)
    _check(deviations)
    return flatten(math.hypot(*deviations), at.edition), ()


def difference_for(
    score: Number,
    rulebook: Rulebook | str | None = None,
    on: date | int | None = None,
    opponent: float | None = None,
    settings: Mapping[str, Value] = {},
) -> Differences:
    """The differences, before advantage and cap, that give an expected score: any curve read backwards.

    A printed table gives only the scores it prints. A curve that depends on the ratings themselves needs the
    `opponent`'s. Raises UsageError for a score outside 0 to 1, and what `basis` raises.
    """
    return invert(basis(rulebook, on, settings), score, opponent)


def invert(at: Basis, score: Number, opponent: float | None = None) -> Differences:
    """`difference_for` under an edition that is at hand."""
    wanted = _share(score)
    low, high, reason = (_printed_range if at.printed else _crossing)(at, wanted, _known(at, opponent))
    return Differences(float(wanted), low, high, at.rulebook.name, at.label, reason, at.notes)


def table(
    rulebook: Rulebook | str | None = None,
    on: date | int | None = None,
    opponent: float | None = None,
    settings: Mapping[str, Value] = {},
) -> list[TableRow]:
    """The whole table of expected scores, from a difference of 0 up, as Élő and FIDE print theirs.

    A printed table comes as printed. Of a continuous curve: the whole differences that give each hundredth, halves up.
    The last row is open. Raises what `difference_for` raises.
    """
    at = basis(rulebook, on, settings)
    if at.printed:
        return [
            TableRow(int(row["low"]), int(row["high"]) if row["high"] else None, row["H"], row["L"])
            for row in at.rulebook.tables[at.edition.curve.file]
        ]
    base = _known(at, opponent)

    def hundredths(difference: int) -> int:
        # twelve decimals: a curve that gives .505 must not fall short of it by a bit
        return half_up(100 * Fraction(f"{at.score(base + difference, base, difference):.12f}"))

    first = hundredths(0)
    starts = {first: 0} | {
        hundredth: least_whole(lambda difference, hundredth=hundredth: hundredths(difference) >= hundredth, 0)  # type: ignore[misc]
        for hundredth in range(first + 1, hundredths(int(LIMIT)) + 1)
    }
    ends = [*list(starts.values())[1:], None]
    return [
        TableRow(low, None if end is None else end - 1, f"{hundredth / 100:.2f}", f"{(100 - hundredth) / 100:.2f}")
        for (hundredth, low), end in zip(starts.items(), ends)
        if end is None or low < end
    ]


def outcomes(expected_score: Number) -> Outcomes:
    """What an expected score leaves open: how probable a win, a draw and a loss can be, at least and at most.

    Raises UsageError for a score outside 0 to 1.
    """
    share = _share(expected_score)

    def interval(least: Fraction, most: Fraction) -> Interval:
        return float(max(Fraction(0), least)), float(most)

    return Outcomes(
        float(share),
        win=interval(2 * share - 1, share),
        draw=interval(Fraction(0), 2 * min(share, 1 - share)),
        loss=interval(1 - 2 * share, 1 - share),
    )


def _finite(value: Number, what: str) -> float:
    try:
        number = float(value)
    except (OverflowError, TypeError, ValueError):
        raise UsageError(f"{what} {value!r} is not a number") from None
    if not math.isfinite(number):
        raise UsageError(f"{what} {value} is not a number that can be a rating")
    return number


def _share(score: Number) -> Fraction:
    share = exact(score, "expected score")
    if not 0 <= share <= 1:
        raise UsageError(f"an expected score lies between 0 and 1, not {score}")
    return share


def _known(at: Basis, opponent: float | None) -> float:
    """The opponent's rating; curves that only look at the difference do without."""
    if opponent is not None:
        return validate_rating(opponent, "opponent's rating")
    if at.edition.curve.shape in BY_RATING:
        raise UsageError(f"the curve of {at.rulebook.name} depends on the ratings: give the opponent's")
    return 0.0


def _printed_range(at: Basis, wanted: Fraction, opponent: float) -> tuple[float | None, float | None, str]:
    """A score above one half is the higher side's, its differences are positive; one half has both signs."""
    rows = at.rulebook.tables[at.edition.curve.file]
    lows = {Fraction(row["H"]): int(row["low"]) for row in reversed(rows)}
    highs = {Fraction(row["H"]): int(row["high"]) if row["high"] else None for row in rows}
    better = max(wanted, 1 - wanted)
    if better not in lows:
        nearest = sorted(highs, key=lambda printed: abs(printed - better))[:2]
        near = " and ".join(f"{float(value if wanted == better else 1 - value):g}" for value in nearest)
        return None, None, f"the table does not give {float(wanted):g}; the nearest it gives are {near}"
    low, high = lows[better], highs[better]
    if low == 0 and high is not None:  # the row of one half: it has both signs
        return -high, high, ""
    return (low, high, "") if wanted == better else (None if high is None else -high, -low, "")


def _crossing(at: Basis, wanted: Fraction, opponent: float) -> tuple[float | None, float | None, str]:
    """Where a continuous curve passes a score; a range where it is level, as at the ends of a line."""
    goal = float(wanted)

    def score(difference: float) -> float:
        return at.score(opponent + difference, opponent, difference)

    least, most = score(-LIMIT), score(LIMIT)
    # at 0 and 1 the smooth curves have run out of digits, not arrived
    if at.edition.curve.shape in ("logistic", "normal", "exponential") and wanted in (0, 1):
        return None, None, f"the curve comes near {goal:g} and never reaches it"
    if not least <= goal <= most:
        return None, None, f"the curve gives scores from {least:g} to {most:g}, never {goal:g}"
    low = None if least == goal else bisect(lambda difference: score(difference) >= goal, -LIMIT, LIMIT)
    high = None if most == goal else bisect(lambda difference: score(difference) > goal, -LIMIT, LIMIT)
    if low is not None and high is not None:
        low = high = round((low + high) / 2, 9) + 0.0
    return low, high, ""


def _citations(at: Basis, own: float, opponent: float, difference: float, advantage: float) -> tuple[Citation, ...]:
    edition = at.edition
    applied: list[tuple[str, Clause]] = [("curve", edition.curve)]
    if advantage:
        applied.append(("difference", edition.difference))
    if edition.cap:
        sides = ((own, opponent, difference), (opponent, own, -difference))
        rows: list[Clause] = []
        for rating, other, seen in sides:
            row = choose(edition.cap, {"rating": rating, "opponent_rating": other, "difference": seen})
            if row not in rows:
                rows.append(row)
        applied += [("cap", row) for row in rows]
    origins = at.rulebook.origins[at.index]
    return tuple(
        Citation(
            name, clause.article, clause.source or edition.source, origins.get(name, ""), clause.status, clause.text
        )
        for name, clause in applied
    )


def _notes(at: Basis, home: Side | None, capped: bool) -> tuple[str, ...]:
    difference = at.edition.difference
    notes = [at.note] if at.note else []
    if difference.advantage and home is None:
        notes.append(f"neutral ground: without the advantage of {difference.advantage:g} for the first or home side")
    if capped and difference.upgrades:
        notes.append("an event caps only its best game in the stronger player's favour; this one is taken for it")
    if difference.expectation == "mean opponent":
        notes.append("in an event the expectation is taken against the mean opponent")
    return tuple(notes)
