"""Performance ratings: the one number that says how somebody played against these opponents.

    performance([2400, 2500, 2600], 2.5, "fide").value                     # 2773
    performance([2400, 2500, 2600], 2.5, "true").value                     # 2792.2, on the curve of `elo`
    performance([2400, 2500, 2600], 2.5, "true", rules="fide/standard")    # 2789, on FIDE's table
    performance([1980, 1500, 1930, None], results=[1, 0, 0, 0.5])          # the unrated opponent's game is left out

Points, percentages and means are fractions of what was written, never binary floats: half-way cases are common
and decide norms.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import cache

from arpad.curves import LIMIT, Basis, Number, basis, bisect, exact, half_up, least_whole
from arpad.errors import DataError, UnknownName, UsageError
from arpad.expectation import invert, validate_rating
from arpad.model import Problem
from arpad.rulebooks import Rulebook, Value
from arpad.rulebooks.loader import SHELF
from arpad.rulebooks.tables import read_rows

HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Performance:
    """A performance rating and its working; `value` is None where there is none, and `reason` says why.

    `mean` and `percentage` (0 to 1) are as the method uses them, rounded where it rounds; `difference` is what the
    value adds to the mean. `parts` holds what makes the value, game by game: the rating that the algorithm of 400
    counts for it, or the expected score at `value` for the true methods. `rules` and `edition` name the curve, if any.
    """

    method: str
    value: float | None
    reason: str
    games: int
    score: float
    mean: float | None
    percentage: float | None
    difference: float | None = None
    parts: tuple[float, ...] = ()
    rules: str = ""
    edition: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """The games that count. `results` are known where they were given game by game."""

    ratings: tuple[Fraction, ...]
    score: Fraction
    results: tuple[Fraction, ...] | None

    @property
    def mean(self) -> Fraction:
        return sum(self.ratings, Fraction(0)) / len(self.ratings)

    @property
    def percentage(self) -> Fraction:
        return self.score / len(self.ratings)


@dataclass(frozen=True, slots=True)
class Found:
    """What a method makes of the games."""

    value: Fraction | float | None
    mean: Fraction
    percentage: Fraction
    reason: str = ""
    parts: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Method:
    """A way to rate a performance that needs no curve."""

    find: Callable[[Played], Found]
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class CurveMethod:
    """A way that reads the curve of a rulebook: `curve`, or with `open` any other that is named."""

    find: Callable[[Played, Basis], Found]
    text: str
    source: str
    curve: str
    open: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a list typed in: an opponent (None: no rating) and the points scored (None: not a game)."""

    rating: float | None
    score: float | None


def performance(
    opponents: Sequence[Number | None],
    score: Number | None = None,
    method: str = "true",
    *,
    results: Sequence[Number | None] | None = None,
    rules: Rulebook | str | None = None,
    on: date | int | None = None,
    settings: Mapping[str, Value] = {},
) -> Performance:
    """Rate one performance: opponents' ratings, with the total `score` or the `results` game by game.

    An opponent of None or 0 is unrated, a result of None is no game (a bye, a forfeit): both are left out and noted.
    `rules`, `on` and `settings` choose the curve of the methods that take any. Differences are neither capped nor is
    there an advantage. Raises UsageError for numbers that cannot be, for an unrated opponent whose result is not
    known, and for rules that the method does not ask; UnknownName for the method.
    """
    if method not in METHODS:
        raise UnknownName("performance method", method, METHODS)
    chosen = METHODS[method]
    named = rules is not None or on is not None or bool(settings)
    if named and not (isinstance(chosen, CurveMethod) and chosen.open):
        raise UsageError(f"the method {method!r} does not take its curve from a rulebook")
    played, notes = _played(opponents, score, results)
    if not played.ratings:
        return Performance(method, None, "no game against a rated opponent", 0, 0.0, None, None, notes=notes)
    at = None
    if isinstance(chosen, CurveMethod):
        at = basis(rules, on, settings) if chosen.open else _fixed(chosen.curve)
        found = chosen.find(played, at)
    else:
        found = chosen.find(played)
    return Performance(
        method=method,
        value=None if found.value is None else float(found.value),
        reason=found.reason,
        games=len(played.ratings),
        score=float(played.score),
        mean=float(found.mean),
        percentage=float(found.percentage),
        difference=None if found.value is None else float(found.value - found.mean),
        parts=found.parts,
        rules=at.rulebook.name if at else "",
        edition=at.label if at else "",
        notes=(*notes, *(at.notes if at else ()), *found.notes),
    )


def parse_results(text: str) -> list[Entry]:
    """Read a list typed in: `1850 1`, `1725 =`, `1609:0.5`, `- ½` for an unrated opponent, `bye`.

    Entries stand on lines of their own, or between `;` or `, `; with colons a space is enough. Raises DataError with
    every entry that cannot be read, by its number.
    """
    entries: list[Entry] = []
    problems: list[Problem] = []
    pieces = [piece.strip() for piece in re.split(r"\n|;|,(?=\s|$)", text)]
    for number, piece in enumerate(filter(None, pieces), 1):
        try:
            entries += _entries(re.sub(r"\s*:\s*", ":", piece).split())
        except (ValueError, UsageError) as error:
            problems.append(Problem(f"{piece!r}: {error}", "entry", number))
    if problems:
        raise DataError(problems)
    return entries


@cache
def _fixed(curve: str) -> Basis:
    """The curve of a method that takes no other; a tournament asks for it hundreds of times."""
    return basis(curve)


@cache
def fide_differences() -> Mapping[int, int]:
    """FIDE's table 8.1.1: hundredths of a score -> rating difference."""
    rows = read_rows(SHELF / "fide" / "8.1.1.csv")
    return {int(100 * Fraction(row["p"])): int(row["dp"]) for row in rows}


def fide_parts(ratings: Sequence[Fraction | int], score: Fraction) -> tuple[int, int, int]:
    """What FIDE's performance is made of: mean and percentage, both rounded half up, and the table's difference."""
    hundredths = half_up(100 * score / len(ratings))
    return half_up(Fraction(sum(ratings)) / len(ratings)), hundredths, fide_differences()[hundredths]


def _fide(played: Played) -> Found:
    mean, hundredths, difference = fide_parts(played.ratings, played.score)
    return Found(Fraction(mean + difference), Fraction(mean), Fraction(hundredths, 100))


def _perfect(played: Played, at: Basis) -> Found:
    """On the whole table, without cap. Beyond its end lies 1.00, so a full score has a value; none needs a rule."""
    if not played.score:
        return Found(min(played.ratings) - 800, played.mean, played.percentage)
    low, high = _span(played)
    value = least_whole(_reaches(played, at), low, high)
    notes = () if played.percentage < 1 else ("at 100 % the regulation is silent; this is where the table ends",)
    return Found(Fraction(value), played.mean, played.percentage, notes=notes)


def _linear(played: Played) -> Found:
    return Found(played.mean + 800 * (played.percentage - HALF), played.mean, played.percentage)


def _algorithm_of_400(played: Played) -> Found:
    """On totals it is the straight line; game by game it can show what each counted."""
    results = played.results or ()
    parts = tuple(float(rating + 400 * (2 * result - 1)) for rating, result in zip(played.ratings, results))
    return replace(_linear(played), parts=parts)


def _true(played: Played, at: Basis) -> Found:
    if played.score in (0, len(played.ratings)):
        share, bound = ("100", "upper") if played.score else ("0", "lower")
        return Found(None, played.mean, played.percentage, f"a score of {share} % sets no {bound} bound")
    enough = _reaches(played, at)
    low, high = _span(played)
    if enough(low) or not enough(high):
        return Found(None, played.mean, played.percentage, "the curve does not reach this score")
    if at.printed:
        value: float = least_whole(enough, low, high)
        notes: tuple[str, ...] = (
            "on a printed table: the lowest whole rating whose expected score reaches the points",
        )
    else:
        value, notes = bisect(enough, low, high), ()
    ratings = [float(rating) for rating in played.ratings]
    parts = tuple(at.score(value, rating, value - rating) for rating in ratings)
    return Found(Fraction(value), played.mean, played.percentage, parts=parts, notes=notes)


def _reaches(played: Played, at: Basis) -> Callable[[float], bool]:
    """Whether somebody of a rating is expected to score as much as was scored."""
    ratings = [float(rating) for rating in played.ratings]
    goal = played.score * Fraction(at.compiled.unit)

    def enough(own: float) -> bool:
        # a printed table gives whole hundredths, and sums of them are exact
        return math.fsum(at.units(own, rating, own - rating) for rating in ratings) >= goal

    return enough


def _span(played: Played) -> tuple[int, int]:
    """Whole ratings between which every performance lies."""
    return math.floor(min(played.ratings) - LIMIT), math.ceil(max(played.ratings) + LIMIT)


def _on_mean(played: Played, at: Basis) -> Found:
    """The curve read backwards at the percentage, as FIDE does with its own table."""
    share = played.percentage
    if at.printed:
        share = Fraction(half_up(share * Fraction(at.compiled.unit)), int(at.compiled.unit))
    there = invert(at, share, float(played.mean))
    found = Found(None, played.mean, share, there.reason)
    if there.low is None or there.high is None:
        return replace(found, reason=there.reason or f"every difference beyond the curve's end gives {float(share):g}")
    middle = (exact(there.low, "difference") + exact(there.high, "difference")) / 2
    notes = () if there.low == there.high else (f"the middle of the differences {there.low:g} to {there.high:g}",)
    return replace(found, value=played.mean + middle, notes=notes)


def _played(
    opponents: Sequence[Number | None], score: Number | None, results: Sequence[Number | None] | None
) -> tuple[Played, tuple[str, ...]]:
    ratings = [_rating(opponent, number) for number, opponent in enumerate(opponents, 1)]
    if results is None:
        if score is None:
            raise UsageError("give the score, or the results game by game")
        rated = tuple(rating for rating in ratings if rating is not None)
        if len(rated) < len(ratings):
            number = ratings.index(None) + 1
            raise UsageError(f"opponent {number} has no rating: give the results game by game, to leave that one out")
        return Played(rated, _points(score, "score", len(ratings)), None), ()
    if len(results) != len(ratings):
        raise UsageError(f"{len(ratings)} opponents, {len(results)} results")
    points = [None if result is None else _points(result, f"result {n}", 1) for n, result in enumerate(results, 1)]
    total = sum((point for point in points if point is not None), Fraction(0))
    if score is not None and exact(score, "score") != total:
        raise UsageError(f"the results add up to {float(total):g}, not to {score}")
    games = [(rating, point) for rating, point in zip(ratings, points) if rating is not None and point is not None]
    counted = tuple(point for _, point in games)
    played = Played(tuple(rating for rating, _ in games), sum(counted, Fraction(0)), counted)
    return played, tuple(_left_out(ratings, points))


def _left_out(ratings: Sequence[Fraction | None], points: Sequence[Fraction | None]) -> Iterator[str]:
    for number, (rating, point) in enumerate(zip(ratings, points), 1):
        if point is None:
            yield f"entry {number} is left out: it is no game"
        elif rating is None:
            yield f"entry {number} is left out: the opponent has no rating"


def _rating(value: Number | None, number: int) -> Fraction | None:
    if value is None:
        return None
    what = f"rating of opponent {number}"
    validate_rating(value, what)
    return exact(value, what) or None


def _points(value: Number, what: str, most: int) -> Fraction:
    points = exact(value, what)
    if not 0 <= points <= most:
        raise UsageError(f"{what} {value} does not lie between 0 and {most}")
    return points


_UNRATED = frozenset(("-", "?", "0", "nr", "unr", "unrated"))


def _entries(words: Sequence[str]) -> Iterator[Entry]:
    if words[0].casefold() == "bye":
        yield Entry(None, None)
        return
    pairs = [word.partition(":")[::2] for word in words if ":" in word] or list(zip(words[::2], words[1::2]))
    if len(words) == 1 and not pairs:
        raise ValueError("a result is missing after the rating")
    if len(words) not in (len(pairs), 2 * len(pairs)) or (":" in "".join(words) and len(words) != len(pairs)):
        raise ValueError("a rating and a result were expected, as in 1850 1 or 1850:1")
    for rating, result in pairs:
        yield _entry(rating, result)


def _entry(rating: str, result: str) -> Entry:
    from arpad.formats.results import ACCEPTED, Other, outcome  # the readers, which bare numbers do not need

    if not rating or not result:
        raise ValueError(f"the {'result' if rating else 'rating'} is missing")
    try:
        read = outcome(result)
    except ValueError as error:
        raise ValueError(f"{error}; accepted: {ACCEPTED}") from None
    if re.fullmatch(r"[1-9][.,]\d{3}", rating):  # as spreadsheets write 1850
        raise ValueError(f"{rating!r} may have thousands or decimals; if thousands, write {rating[0] + rating[2:]}")
    opponent = None if rating.casefold() in _UNRATED else validate_rating(rating.replace(",", "."))
    return Entry(opponent, None if isinstance(read, Other) else read[0])


#: Every method by name.
METHODS: Mapping[str, Method | CurveMethod] = {
    "fide": Method(
        _fide,
        "mean of the opponents, rounded, plus the difference that FIDE's table gives for the percentage",
        "FIDE title regulations 1.4.7-1.4.9 (B.01) and table 8.1.1 (B.02)",
    ),
    "algorithm of 400": Method(
        _algorithm_of_400,
        "mean of the opponents, 400 added for each win and taken off for each loss",
        "common practice; no regulation",
    ),
    "linear": Method(
        _linear,
        "mean of the opponents plus 800 times what the percentage exceeds one half by",
        "common practice; no regulation",
    ),
    "true": CurveMethod(
        _true,
        "the rating whose expected scores against these opponents add up to the points",
        "the curve of the rulebook",
        curve="elo",
        open=True,
    ),
    "true normal": CurveMethod(
        _true,
        "the same on Élő's normal curve",
        "A. E. Elo, The Rating of Chessplayers, Past and Present (1978)",
        curve="elo/normal",
        open=False,
    ),
    "perfect": CurveMethod(
        _perfect,
        "the lowest whole rating that is expected to score as much on FIDE's table; 800 below the weakest for no point",
        "FIDE C.07, Perfect Tournament Performance (PTP)",
        curve="fide/standard",
        open=False,
    ),
    "table": CurveMethod(
        _on_mean,
        "mean of the opponents plus the difference at which the rulebook's curve gives the percentage",
        "the curve of the rulebook",
        curve="elo",
        open=True,
    ),
}
