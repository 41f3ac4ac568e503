"""What must hold in a clause beyond its types: tables that end, conditions that exist, numbers that make sense.

Over 400 lines because the grammar of Elo is checked in one place, as it is stated in one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Any

import msgspec

from arpad.rulebooks import checks_harkness, checks_national, checks_together, checks_uschess
from arpad.rulebooks.checks_glicko import GLICKO_CHECKS, glicko_contradictions
from arpad.rulebooks.checks_library import LIBRARY_CHECKS, library_contradictions
from arpad.rulebooks.schema import (
    FACTS,
    Activity,
    Bend,
    Blend,
    Curve,
    Edition,
    Fall,
    First,
    Gap,
    Idle,
    Length,
    Limit,
    Margin,
    Power,
    Provisional,
    Ramp,
    Rise,
    Row,
    Score,
    Season,
    Step,
    Surprise,
    Unit,
    Uplift,
    WinBonus,
)

#: Where in the clause (`[2].when`, `.scale`) and what is wrong there.
Trouble = tuple[str, str]

UNIT = r"game|contest|event|period:(day|week|month|quarter|half-year|year|[1-9]\d{0,4}-days|\d\d-\d\d(,\d\d-\d\d)*)"
CONDITIONS = tuple(f"{fact}_{bound}" for fact in FACTS for bound in ("from", "below"))

#: No regulation has a larger number; a larger one would leave no digits to the ratings.
MOST = 1e6
#: What has to be positive is not smaller: nothing could be divided by it.
LEAST = 1e-6
#: Where inf may stand: it says that there is no bound.
UNBOUNDED = r"\w+(\[\d+\])?\.(when\.\w+|rating_from|rating_below|above|below|most)|cap\[\d+\]\.value"


def suggestion(word: str, known: Sequence[str]) -> str:
    """` (did you mean …?)`, or nothing when no known word is close."""
    from difflib import get_close_matches

    close = get_close_matches(word, known, n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def troubles(key: str, clause: Any) -> Iterator[Trouble]:
    """Everything wrong with one clause of an edition that its types allow."""
    yield from _unusable(key, "", clause)
    check = CHECKS.get(key)
    if check is not None and clause is not None:
        yield from check(clause)


def contradictions(edition: Edition) -> Iterator[Trouble]:
    """What is wrong with the clauses of an edition taken together; the place begins with the clause."""
    floor, ceiling = edition.floor, edition.ceiling
    if floor is not None and ceiling is not None and not floor.value < ceiling.value:
        yield "ceiling.value", f"{ceiling.value:g} is not above the floor, {floor.value:g}"
    if edition.deviation is not None:
        yield from glicko_contradictions(edition)
    yield from library_contradictions(edition)
    if edition.effective is not None:
        yield from checks_uschess.contradictions(edition)
    if edition.harkness is not None:
        yield from checks_harkness.contradictions(edition)
    yield from _provisional_contradictions(edition)
    yield from _of_single_games(edition)
    yield from checks_together.contradictions(edition)
    yield from _of_batches(edition)


def _of_single_games(edition: Edition) -> Iterator[Trouble]:
    """What a rulebook that looks at single games cannot have beside."""
    if (edition.win_bonus is None) != (not edition.win_bonus_share):
        yield "win_bonus", "a bonus needs its shares (win_bonus_share), and they need the bonus: both or neither"
    by_event = edition.difference.expectation != "game" or edition.difference.upgrades
    for name in ("win_bonus", "length"):
        if by_event and getattr(edition, name) is not None:
            yield name, "belongs to single games; the difference is that of an event's mean opponent, or has upgrades"
    if edition.surprise is not None and edition.surprise.of == "batch":
        if by_event:
            yield "surprise.of", "a batch's surprise is that of single games; the difference is a whole event's"
        if edition.unit.of == "game":
            yield "surprise.of", "the unit is the game: there are no batches"
    if edition.season is not None and edition.idle is not None:
        yield "idle", "a list pulls back with the season or takes off for not playing: not both"
    if edition.unit.delay and not edition.unit.of.startswith("period:"):
        yield "unit.delay", "only the lists of periods come into force later"


def _of_batches(edition: Edition) -> Iterator[Trouble]:
    """What needs events or periods, and first ratings that the curve cannot give."""
    for name in ("expected", "rise"):
        clause = getattr(edition, name)
        if edition.unit.of == "game" and clause is not None and getattr(clause, "rule", "some") != "none":
            yield name, "is about whole events or periods; the unit is the game"
    first, curve = edition.first, edition.curve
    if first is not None and not first.file:
        if curve.shape not in ("logistic", "normal", "line"):
            yield "first.file", f"first ratings need their table of percentages: a {curve.shape} curve gives none"
        elif curve.shape != "line" and not first.draws:
            yield "first.draws", "without a table, draws have to be added: all won would be worth no number"


def _provisional_contradictions(edition: Edition) -> Iterator[Trouble]:
    provisional, difference = edition.provisional, edition.difference
    if provisional is None:
        return
    if edition.first is not None:
        yield "provisional", "beside first: an unrated player would come by a rating in two ways"
    if difference.expectation != "game" or difference.upgrades:
        yield (
            "provisional",
            "an expectation on the mean opponent, or a limit to upgrades, is not for provisional ratings",
        )
    if edition.win_bonus or edition.length or (edition.surprise and edition.surprise.of == "batch"):
        yield "provisional", "a mean of games has neither bonus nor length, and a batch's surprise is not one of means"
    if provisional.against_provisional == "halfway" and edition.entry.rating is None:
        yield "provisional.against_provisional", "halfway to what? entry.rating must say what a newcomer counts as"


def _unusable(key: str, at: str, value: Any) -> Iterator[Trouble]:
    """Numbers of a clause that nothing can be reckoned with: nan, inf where it means nothing, and enormous ones."""
    if isinstance(value, float):
        if not abs(value) <= MOST and (value != value or not re.fullmatch(UNBOUNDED, key + at)):
            yield at, f"{value:g} is no number up to {MOST:,.0f}"
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _unusable(key, f"{at}.{name}", getattr(value, name))
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from _unusable(key, f"{at}.{name}", item)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for number, item in enumerate(value, 1):
            yield from _unusable(key, f"{at}[{number}]", item)


def _least(names: str, least: float = 0.0) -> Callable[[Any], Iterator[Trouble]]:
    """A check that the numbers of a clause are not below a bound."""

    def check(clause: Any) -> Iterator[Trouble]:
        for name in names.split():
            if getattr(clause, name) < least:
                yield f".{name}", "must not be negative" if not least else f"at least {least:g}"

    return check


def _coefficients(rows: Sequence[Row]) -> Iterator[Trouble]:
    if not rows:
        yield "", "no row is left: each names a parameter that is none"
    yield from _of_a_player(rows)


def _of_a_player(rows: Sequence[Row]) -> Iterator[Trouble]:
    """A decision table whose number holds for all games of a batch: it cannot ask of one opponent."""
    for number, row in enumerate(rows, 1):
        for name in row.when:
            if name.startswith(("opponent_", "difference_")):
                yield (
                    f"[{number}].when",
                    f"{name}: K holds for all games of a batch; game_factor may ask of an opponent",
                )
            if name.startswith("score_"):
                yield f"[{number}].when", f"{name}: only a cap may ask what the game at hand brought"
        if row.ramp is not None and row.ramp.of == "opponent_games":
            yield f"[{number}].ramp.of", "K holds for all games of a batch; game_factor may ask of an opponent"
    yield from _decision_table(rows)


def _decision_table(rows: Sequence[Row]) -> Iterator[Trouble]:
    for number, row in enumerate(rows, 1):
        last = number == len(rows)
        if last and row.when:
            yield f"[{number}].when", "the last row must have no condition, so that every case is decided"
        if not last and not row.when:
            yield f"[{number}]", "a row without a condition must be the last: the rows below it are never reached"
        for name in row.when:
            if name not in CONDITIONS:
                yield f"[{number}].when", f"unknown condition {name!r}{suggestion(name, CONDITIONS)}"
        for fact in FACTS:
            low, high = row.when.get(f"{fact}_from"), row.when.get(f"{fact}_below")
            if low is not None and high is not None and low >= high:
                yield f"[{number}].when", f"nothing is from {low:g} and below {high:g}"
        kinds = (row.value, row.ramp, row.power, row.fall, row.bend, row.of or None)
        if sum(given is not None for given in kinds) != 1:
            yield f"[{number}]", "exactly one of value, ramp, power, fall, bend, of must be given"
        if row.value is not None and row.value < 0:
            yield f"[{number}].value", "must not be negative"
        if row.ramp is not None:
            yield from ((f"[{number}].ramp{at}", message) for at, message in _ramp(row.ramp))
        if row.power is not None:
            yield from ((f"[{number}].power{at}", message) for at, message in _power(row.power))
        for name, shape in (("fall", row.fall), ("bend", row.bend)):
            yield from ((f"[{number}].{name}{at}", message) for at, message in _falling(shape))


def _ramp(ramp: Ramp) -> Iterator[Trouble]:
    facts = [fact for fact, _ in ramp.points]
    if len(facts) < 2 or any(a >= b for a, b in pairwise(facts)):
        yield ".points", "at least two points, in ascending order"
    if any(value < 0 for _, value in ramp.points):
        yield ".points", "no value may be negative"


def _power(power: Power) -> Iterator[Trouble]:
    yield from _least("scale")(power)
    if not power.offset > 0 and power.of != "batch_games":
        yield ".offset", f"must be positive, so that {power.of} of 0 give a number"
    if power.of == "age":
        yield ".of", "not everybody's age is known, and a power of an unknown age is no number"


def _falling(shape: Fall | Bend | None) -> Iterator[Trouble]:
    if shape is None:
        return
    if not shape.divisor >= LEAST:
        yield ".divisor", "must be positive"
    if shape.of == "age":
        yield ".of", "not everybody's age is known"
    if isinstance(shape, Fall) and not 0 < shape.exponent <= 10:
        yield ".exponent", "above 0, at most 10"
    if isinstance(shape, Bend) and shape.scale < 0:
        yield ".scale", "must not be negative"


def _game_bonus(rows: Sequence[Row]) -> Iterator[Trouble]:
    for number, row in enumerate(rows, 1):
        if row.of:
            yield f"[{number}].of", "a game's importance goes with K"
    yield from _of_a_player(rows)


def _curve(curve: Curve) -> Iterator[Trouble]:
    if curve.shape == "none":
        yield ".shape", "a curve needs a shape"
        return
    needs = {
        "logistic": ("scale",),
        "normal": ("deviation",),
        "table": (),
        "line": ("slope",),
        "exponential": ("least", "divisor"),
        "power": ("limit", "exponent"),
    }[curve.shape]
    for name in needs:
        if not getattr(curve, name) >= LEAST:
            yield f".{name}", f"the {curve.shape} curve needs a positive {name}"
    if curve.shape == "logistic" and not curve.base > 1:
        yield ".base", "must be above 1"
    if curve.shape == "line" and not 0 <= curve.least < 0.5:
        yield ".least", "an expected score from 0 to below 0.5"
    if not 0 <= curve.deficit < 1:
        yield ".deficit", "a share of one point, from 0 to below 1"
    if curve.decimals and (curve.shape != "normal" or not 0 < curve.decimals <= 9):
        yield ".decimals", "from 1 to 9, of the normal curve alone"
    if curve.shape == "table" and not curve.file:
        yield ".file", "a table curve needs its file"


def _surprise(surprise: Surprise) -> Iterator[Trouble]:
    least = [q for q, _ in surprise.steps]
    if not least:
        yield ".steps", "at least one step"
    if any(a <= b for a, b in pairwise(least)):
        yield ".steps", "the largest surprise comes first"
    if any(factor < 0 for _, factor in surprise.steps) or surprise.certain < 0:
        yield ".steps", "no factor may be negative"


def _margin(margin: Margin) -> Iterator[Trouble]:
    if margin.shape == "goals" and not margin.points:
        yield ".points", "factors by goals are missing"
    if any(factor < 0 for factor in margin.points):
        yield ".points", "no factor may be negative"
    if margin.shape == "line" and (margin.slope < 0 or margin.most < 0):
        yield ".slope", "neither slope nor most may be negative"
    if margin.shape != "goals" and not margin.scale > 0:
        yield ".scale", f"a {margin.shape} margin needs a positive scale"


def _unit(unit: Unit) -> Iterator[Trouble]:
    if not re.fullmatch(UNIT, unit.of):
        yield (
            ".of",
            (
                f"{unit.of!r} is no unit; game, contest, event, or period: with day, week, month, quarter, "
                "half-year, year, 30-days, or days of the year such as 01-01,07-01"
            ),
        )
        return
    yield from _days_of_the_year(unit.of, ".of")
    if not (0 <= unit.delay <= 60 and unit.delay.is_integer()):
        yield ".delay", "a whole number of days from 0 to 60"


def _days_of_the_year(text: str, at: str) -> Iterator[Trouble]:
    for month, day in re.findall(r"(\d\d)-(\d\d)", text):
        # 29 February does not come every year: a list cannot be due then
        try:
            date(2001, int(month), int(day))
        except ValueError:
            yield at, f"{month}-{day} is not a day of every year"


def _score(score: Score) -> Iterator[Trouble]:
    for name in ("shootout_winner", "shootout_loser"):
        if not 0 <= getattr(score, name) <= 1:
            yield f".{name}", "a score between 0 and 1"


def _win_bonus(bonus: WinBonus) -> Iterator[Trouble]:
    if not bonus.divisor >= LEAST:
        yield ".divisor", "must be positive"
    if bonus.below > bonus.base:
        yield ".below", "a bonus is not negative: below may not be above base"


def _idle(idle: Idle) -> Iterator[Trouble]:
    for name in ("days", "every"):
        if not getattr(idle, name) >= 1:
            yield f".{name}", "at least one day"
    yield from _least("loss more most")(idle)


def _length(length: Length) -> Iterator[Trouble]:
    if not length.default > 0:
        yield ".default", "must be positive"


def _blend(blend: Blend) -> Iterator[Trouble]:
    if blend.days and not re.fullmatch(r"\d\d-\d\d(,\d\d-\d\d)*", blend.days):
        yield ".days", f"{blend.days!r} are no days of the year such as 04-01,10-01"
    else:
        yield from _days_of_the_year(blend.days, ".days")


def _limit(limit: Limit) -> Iterator[Trouble]:
    if not limit.product > 0:
        yield ".product", "must be positive"


def _step(step: Step) -> Iterator[Trouble]:
    if not step.to > 0:
        yield ".to", "must be positive"


def _season(season: Season) -> Iterator[Trouble]:
    if not 0 <= season.keep <= 1:
        yield ".keep", "a share between 0 and 1"


def _uplifts(uplifts: Sequence[Uplift]) -> Iterator[Trouble]:
    for number, uplift in enumerate(uplifts, 1):
        if uplift.rating_from >= uplift.rating_below:
            yield f"[{number}]", "rating_from is not below rating_below"
        for name in uplift.unused:
            if getattr(uplift, name):
                yield f"[{number}].{name}", "share and towards are for an uplift without `of`, less is for one with it"


def _first(first: First) -> Iterator[Trouble]:
    for name in ("games", "months"):
        if getattr(first, name) < 1:
            yield f".{name}", "at least 1"
    if first.step is not None and first.step < 0:
        yield ".step", "must not be negative"
    if (first.draws > 0) != (first.draws_rating > 0):
        yield ".draws", "draws are added against players of draws_rating: both or neither"


def _provisional(provisional: Provisional) -> Iterator[Trouble]:
    if provisional.games < 1:
        yield ".games", "at least 1"
    if not provisional.points >= LEAST:
        yield ".points", "must be positive"


def _cap(rows: Sequence[Row]) -> Iterator[Trouble]:
    for number, row in enumerate(rows, 1):
        for name in row.when:
            if name.startswith("opponent_games"):
                yield f"[{number}].when", f"{name}: only game_factor may ask of an opponent's games"
            if name.startswith("batch_games"):
                yield f"[{number}].when", f"{name}: only K may ask of the games of a batch"
    yield from _decision_table(rows)


def _game_factor(rows: Sequence[Row]) -> Iterator[Trouble]:
    for number, row in enumerate(rows, 1):
        if row.of:
            yield f"[{number}].of", "a game's importance goes with K"
        if "score_from" in row.when or "score_below" in row.when:
            yield f"[{number}].when", "only a cap may ask what the game at hand brought"
        if any(name.startswith("batch_games") for name in row.when) or (row.power and row.power.of == "batch_games"):
            yield f"[{number}]", "only K may ask of the games of a batch"
    yield from _decision_table(rows)


def _rise(rise: Rise) -> Iterator[Trouble]:
    yield from _least("root share record")(rise)
    if rise.games < 1:
        yield ".games", "at least 1"
    if not rise.k >= LEAST:
        yield ".k", "must be positive"


def _gap(gap: Gap) -> Iterator[Trouble]:
    if not gap.difference > 0:
        yield ".difference", "must be positive"


def _activity(activity: Activity) -> Iterator[Trouble]:
    if activity.months < 1:
        yield ".months", "at least 1"


CHECKS: Mapping[str, Callable[[Any], Iterator[Trouble]]] = {
    "k": _coefficients,
    "k_factor": _of_a_player,
    "game_factor": _game_factor,
    "game_bonus": _game_bonus,
    "handicap": _least("stone less"),
    "grades": _least("step professional_step"),
    "provisional": _provisional,
    "harkness": checks_harkness.harkness,
    "k_rounding": _step,
    "win_bonus": _win_bonus,
    "win_bonus_share": _of_a_player,
    "length": _length,
    "idle": _idle,
    "blend": _blend,
    **checks_together.CHECKS,
    "cap": _cap,
    "curve": _curve,
    "difference": _least("upgrades"),
    "entry": _least("games"),
    "limit": _limit,
    "score": _score,
    "surprise": _surprise,
    "margin": _margin,
    "unit": _unit,
    "change": _step,
    "expected": _step,
    "rise": _rise,
    "publish": _step,
    "season": _season,
    "uplift": _uplifts,
    "first": _first,
    "gap": _gap,
    "activity": _activity,
    **GLICKO_CHECKS,
    **LIBRARY_CHECKS,
    **checks_uschess.CHECKS,
    **checks_national.CHECKS,
}
