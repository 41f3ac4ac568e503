"""Germany's DWZ: an event settled as a whole, newcomers in two tiers by one simultaneous iteration.

A player's state has the common four numbers and the index: the events that the rating comes from, 0 of a rating taken
over from another list. Games of newcomers that did not suffice wait in `memory["remaining"]`: for each player a list
of (last day of the event, opponent's rating, score).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from arpad.errors import DataError
from arpad.model import Problem
from arpad.rulebooks.schema import Edition
from arpad.rulebooks.schema_national import Development, Exceptional, Tiers
from arpad.stretch import COMMON, Stretch, System, nothing
from arpad.systems.whole_events import (
    Meeting,
    Meetings,
    Reckoned,
    Settled,
    Whole,
    batches,
    birth_year,
    column_of,
    meetings,
    rounded,
    settle,
    year_of,
)

NAN = math.nan
FIELDS = (*COMMON, "index")
INDEX = FIELDS.index("index")

#: Scores and expectations are sums of thousandths: what differs by less is equal.
EQUAL = 1e-9
#: When the iteration is done, in points, and how many rounds it may take: each halves what is left, or better.
CLOSE, ROUNDS = 1e-7, 10_000

#: No rating, and no performance of one that is at the bound of all ratings, is larger.
MOST = 2e6


class Remaining(msgspec.Struct, frozen=True, array_like=True):
    """A newcomer's game that waits: the event's last day (ordinal), the opponent's rating, the score."""

    day: int
    rating: float
    score: float


class Progress(msgspec.Struct, frozen=True):
    """How an established rating moved: development coefficient and its parts, index, games."""

    development: float
    base: float
    acceleration: float
    brake: float
    index: int
    games: int
    scale: float
    met: Mapping[int, float]
    clauses: tuple[str, ...]


class First(msgspec.Struct, frozen=True):
    """How a first rating came about: tier, performance, games that had waited."""

    tier: int
    performance: float
    remaining: Sequence[Remaining]
    games: int
    score: float
    met: Mapping[int, float]
    clauses: tuple[str, ...] = ("tiers",)


def expectation(difference: float, deviation: float) -> float:
    """The normal distribution function, unrounded."""
    return 0.5 * math.erfc(-difference / (deviation * math.sqrt(2.0)))


def performance(opponents: Sequence[float], score: float, deviation: float) -> float:
    """The rating at which a score, not 0 and not that of winning all, is the expected one, in points."""
    low, high = min(opponents) - 10 * deviation, max(opponents) + 10 * deviation
    for _ in range(100):
        middle = (low + high) / 2
        if math.fsum(expectation(middle - opponent, deviation) for opponent in opponents) < score:
            low = middle
        else:
            high = middle
        if high - low < CLOSE / 10:
            break
    return (low + high) / 2


def development(
    rule: Development, rating: float, age: int | None, index: int, score: float, expected: float
) -> tuple[float, float, float, float]:
    """E, and the parts that it is made of: the base, the acceleration, the brake."""
    youth = age is not None and age <= rule.youth_until
    junior = age is not None and age <= rule.junior_until
    base = (rating / 1000) ** 4 + (rule.youth if youth else rule.junior if junior else rule.adult)
    acceleration, brake = 1.0, 0.0
    if youth and (rule.always or score >= expected - EQUAL):
        acceleration = min(1.0, max(rule.least_acceleration, rating / rule.acceleration))
    short = score <= expected + EQUAL if rule.brake_even else score < expected - EQUAL
    counted = rule.junior_until + 1 if age is None else age
    if rating < rule.brake_below and short and counted <= rule.brake_until:
        brake = math.expm1(min((rule.brake_below - rating) / rule.brake_scale, 100.0))
    most = rule.most_braked if brake > 0 else min(rule.most, rule.by_index * max(index, 1))
    whole = math.floor(base * acceleration + brake + 0.5)
    return max(rule.least, min(most, whole)), base, acceleration, brake


def first_rating(rule: Tiers, performed: float) -> float:
    """A first DWZ from a performance, half up."""
    exact = performed if performed >= rule.low else performed / rule.divisor + rule.offset
    return float(math.floor(exact + 0.5))


class _Newcomer(msgspec.Struct):
    """Somebody in one of the tiers, while the iteration goes on; `games` are those that count."""

    tier: int
    games: list[Meeting]
    remaining: Sequence[Remaining]
    performed: float = NAN

    @property
    def score(self) -> float:
        return math.fsum([game.score for game in self.games] + [game.score for game in self.remaining])

    @property
    def count(self) -> int:
        return len(self.games) + len(self.remaining)


def _tiers(
    rule: Tiers, played: Meetings, rated: Mapping[int, float], waiting: Mapping[int, Sequence[Remaining]]
) -> dict[int, _Newcomer]:
    """Who is rated for the first time, with all games of theirs against the rated and each other."""
    found: dict[int, _Newcomer] = {}
    for tier in (1, 2):
        known = rated.keys() | found.keys()
        for player, games in played.items():
            if player in known:
                continue
            counted = _Newcomer(tier, [game for game in games if game.opponent in known], waiting.get(player, ()))
            if counted.count >= rule.games and EQUAL < counted.score < counted.count - EQUAL:
                found[player] = counted
    known = rated.keys() | found.keys()
    for player, newcomer in found.items():
        newcomer.games = [game for game in played[player] if game.opponent in known]
    return found


def _iterate(newcomers: Mapping[int, _Newcomer], rated: Mapping[int, float], deviation: float) -> None:
    """All performances at once: each is the rating at which its own score is expected against all the others."""
    numbers = [*rated.values(), *(game.rating for newcomer in newcomers.values() for game in newcomer.remaining)]
    for newcomer in newcomers.values():
        newcomer.performed = math.fsum(numbers) / len(numbers)
    for _ in range(ROUNDS):
        moved = 0.0
        for newcomer in newcomers.values():
            met = [_number(game.opponent, rated, newcomers) for game in newcomer.games]
            met += [game.rating for game in newcomer.remaining]
            performed = performance(met, newcomer.score, deviation)
            moved = max(moved, abs(performed - newcomer.performed))
            newcomer.performed = performed
        if moved < CLOSE:
            return


def _number(player: int, rated: Mapping[int, float], newcomers: Mapping[int, _Newcomer]) -> float:
    return rated[player] if player in rated else newcomers[player].performed


def _event(stretch: Stretch, whole: Whole) -> None:
    edition, width = whole.edition, stretch.width
    assert edition.tiers is not None
    assert edition.development is not None
    played = meetings(stretch, whole)
    rated = {
        player: float(stretch.state[width * player])
        for player in played
        if stretch.state[width * player] == stretch.state[width * player]
    }
    waiting = {player: _still_valid(stretch, player, whole, edition.tiers) for player in played if player not in rated}
    newcomers = _tiers(edition.tiers, played, rated, waiting)
    _iterate(newcomers, rated, edition.curve.deviation)
    firsts = {player: first_rating(edition.tiers, each.performed) for player, each in newcomers.items()}
    as_first = edition.tiers.met_as == "first rating"
    counted = rated | (firsts if as_first else {player: each.performed for player, each in newcomers.items()})
    shown = _exceptional(edition.exceptional, played, rated, counted, edition.curve.deviation)
    results: dict[int, Settled] = {}
    for player in rated:
        moved = _established(stretch, whole, player, played[player], counted, shown)
        if moved is not None:
            results[player] = moved
    for player, newcomer in newcomers.items():
        results[player] = _newly_rated(newcomer, firsts[player], rated, newcomers, edition)
    first_tier = {player: firsts[player] for player, each in newcomers.items() if each.tier == 1}
    for player, held in waiting.items():
        kept = () if player in newcomers else _kept(played[player], rated | first_tier, whole.ends)
        _remember(stretch, player, [*held, *kept] if player not in newcomers else [])
    settle(stretch, whole, played, results)
    for player in results:
        at = width * player + INDEX
        known = int(stretch.state[at]) or edition.development.foreign_index
        stretch.state[at] = 1 if player in newcomers else known + 1


def _established(
    stretch: Stretch,
    whole: Whole,
    player: int,
    games: Sequence[Meeting],
    counted: Mapping[int, float],
    shown: Mapping[int, float],
) -> Settled | None:
    rule = whole.edition.development
    assert rule is not None
    rating = counted[player]
    reckoned = []
    for game in games:
        if game.opponent in counted:
            met = shown.get(game.opponent, counted[game.opponent])
            expected = stretch.compiled.expected(whole.index, rating, met, rating - met)
            reckoned.append(Reckoned(game, rating, met, expected))
    if not reckoned:
        return None
    score = math.fsum(game.meeting.score for game in reckoned)
    expected = round(math.fsum(game.expected for game in reckoned), 9)
    born, year = birth_year(int(stretch.born[player])), year_of(whole.ends)
    age = year - born if born and year else None
    index = int(stretch.state[stretch.width * player + INDEX])
    e, base, acceleration, brake = development(rule, rating, age, index, score, expected)
    k = rule.scale / (e + len(reckoned))
    after = rating + rounded(k * (score - expected), whole.edition.change)
    clauses = ("development", "exceptional") if any(game.opponent in shown for game in games) else ("development",)
    met_as = {game.meeting.row: game.met for game in reckoned}
    progress = Progress(
        e, base, acceleration, brake, index or rule.foreign_index, len(reckoned), rule.scale, met_as, clauses
    )
    return Settled(rating, after, reckoned, expected, k, progress)


def _newly_rated(
    newcomer: _Newcomer,
    first: float,
    rated: Mapping[int, float],
    newcomers: Mapping[int, _Newcomer],
    edition: Edition,
) -> Settled:
    own, deviation = newcomer.performed, edition.curve.deviation
    reckoned = []
    for game in newcomer.games:
        met = _number(game.opponent, rated, newcomers)
        reckoned.append(Reckoned(game, own, met, expectation(own - met, deviation)))
    working = First(
        newcomer.tier,
        own,
        tuple(newcomer.remaining),
        newcomer.count,
        newcomer.score,
        {game.meeting.row: game.met for game in reckoned},
    )
    return Settled(NAN, first, reckoned, math.fsum(game.expected for game in reckoned), NAN, working)


def _exceptional(
    rule: Exceptional | None,
    played: Meetings,
    rated: Mapping[int, float],
    counted: Mapping[int, float],
    deviation: float,
) -> dict[int, float]:
    """The rated players whose opponents meet their performance in place of their rating, half up."""
    found: dict[int, float] = {}
    if rule is None:
        return found
    for player, rating in rated.items():
        games = [game for game in played[player] if game.opponent in counted]
        score = math.fsum(game.score for game in games)
        if len(games) < rule.games or score < EQUAL:
            continue
        met = [counted[game.opponent] for game in games]
        won = score > len(games) - EQUAL
        performed = math.fsum(met) / len(met) + rule.perfect if won else performance(met, score, deviation)
        if performed > rating + rule.above:
            found[player] = float(math.floor(performed + 0.5))
    return found


def _still_valid(stretch: Stretch, player: int, whole: Whole, rule: Tiers) -> list[Remaining]:
    """A newcomer's games from earlier events that still count on the last day of this one."""
    name = stretch.players[player]
    try:
        held = msgspec.convert(stretch.memory.get("remaining", {}).get(name, []), list[Remaining])
    except msgspec.ValidationError as error:
        raise DataError([Problem(f"what is kept of {name!r}'s games cannot be read: {error}")]) from None
    last = date.max.toordinal()
    if not all(0 <= game.day <= last and abs(game.rating) <= MOST and 0 <= game.score <= 1 for game in held):
        raise DataError(
            [Problem(f"what is kept of {name!r}'s games cannot be: a day, rating or score is out of range")]
        )
    return [game for game in held if _years_after(game.day, rule.years) >= whole.ends]


def _kept(games: Sequence[Meeting], numbers: Mapping[int, float], day: int) -> Iterator[Remaining]:
    for game in games:
        if game.opponent in numbers:
            yield Remaining(day, numbers[game.opponent], game.score)


def _remember(stretch: Stretch, player: int, games: Sequence[Remaining]) -> None:
    held = stretch.memory.setdefault("remaining", {})
    name = stretch.players[player]
    if games:
        held[name] = [[game.day, game.rating, game.score] for game in games]
    else:
        held.pop(name, None)


def _years_after(ordinal: int, years: int) -> int:
    """The same day of the calendar, years later; of 29 February the day after. Without dates nothing ever ends."""
    if not ordinal:
        return date.max.toordinal()
    day = date.fromordinal(ordinal)
    if day.year + years > date.max.year:
        return date.max.toordinal()
    try:
        return day.replace(year=day.year + years).toordinal()
    except ValueError:
        return date(day.year + years, 3, 1).toordinal()


PHRASES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "moved": "score {score} - expected {expected}; development coefficient {e} (base {base}, acceleration "
        "{acceleration}, brake {brake}, index {index}); {scale} x ({gain}) / ({e} + {games}) = {change}",
        "first": "tier {tier} of the newcomers: {score} of {games} is what is expected at {performance}",
        "waited": "of these, {count} game(s) had waited from earlier events",
    },
    "it": {
        "moved": "punti {score} - attesi {expected}; coefficiente di sviluppo {e} (base {base}, accelerazione "
        "{acceleration}, freno {brake}, indice {index}); {scale} x ({gain}) / ({e} + {games}) = {change}",
        "first": "gruppo {tier} degli esordienti: {score} su {games} è quanto ci si attende a {performance}",
        "waited": "di queste, {count} partite attendevano da tornei precedenti",
    },
    "es": {
        "moved": "puntos {score} - esperados {expected}; coeficiente de desarrollo {e} (base {base}, aceleración "
        "{acceleration}, freno {brake}, índice {index}); {scale} x ({gain}) / ({e} + {games}) = {change}",
        "first": "grupo {tier} de los debutantes: {score} de {games} es lo que se espera a {performance}",
        "waited": "de ellas, {count} partidas esperaban desde torneos anteriores",
    },
}


def words(change: Any, language: str, number: Any) -> Iterator[str]:
    """The lines that stand where others have score minus expected times K."""
    told, say = change.working, PHRASES[language]
    if isinstance(told, First):
        yield say["first"].format(
            tier=told.tier, score=number(told.score), games=told.games, performance=number(told.performance)
        )
        if told.remaining:
            yield say["waited"].format(count=len(told.remaining))
        return
    gain = change.score - change.expected
    yield say["moved"].format(
        score=number(change.score),
        expected=number(change.expected, 3),
        e=number(told.development),
        base=number(told.base, 3),
        acceleration=number(told.acceleration, 3),
        brake=number(told.brake, 3),
        index=told.index,
        scale=number(told.scale),
        gain=number(gain, 3),
        games=told.games,
        change=number(told.scale * gain / (told.development + told.games), 2, signed=True),
    )


def run(stretch: Stretch) -> None:
    """Settle a stretch of events."""
    for whole in batches(stretch):
        _event(stretch, whole)


SYSTEM = System("dwz", run, nothing, fields=FIELDS, blank=(0.0,), listed=column_of(INDEX, "index"))
