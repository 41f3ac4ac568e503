"""What the rounds still to come would have to bring for a norm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import combinations_with_replacement, product

import msgspec
from msgspec.structs import replace

from arpad.curves import least_whole
from arpad.errors import UsageError
from arpad.norms.check import check_norm
from arpad.norms.facts import Applicant, EventFacts, Meeting
from arpad.norms.rules import NormRules, check_title, norm_rules

#: Rounds to come that are looked at: results multiply.
MOST_ROUNDS = 4
#: A rating beyond which nobody plays.
HIGHEST = 3000
LOWEST = 1000
#: A federation that stands for one that the applicant has not met.
ANOTHER = "a new federation"


class Need(msgspec.Struct, frozen=True):
    """One way to the norm: results of the rounds to come (round, opponent, points), none of which can be worse.

    Of opponents not known yet it says from which rating on (each of them; None: any), with which title, and whether of
    the applicant's own federation.
    """

    results: tuple[tuple[int, str, float], ...]
    points: float
    rating_from: int | None = None
    title: str = ""
    own_federation: bool = False
    average: int | None = None
    performance: int | None = None


def last_round_needs(
    applicant: Applicant, meetings: Sequence[Meeting], facts: EventFacts, title: str, on: date | None = None
) -> list[Need]:
    """Every least way to the norm from here. None at all means that it cannot be made any more.

    `meetings` hold the rounds played and, as "pending", those to come: with the opponent where the pairing is out. Of
    opponents not known, four kinds are tried, with the title sought or none, of a federation not met yet or the
    player's own. Raises UsageError with more than four rounds to come, and what `check_norm` raises.
    """
    check_title(title)
    to_come = [meeting for meeting in meetings if meeting.kind == "pending"]
    if len(to_come) > MOST_ROUNDS:
        raise UsageError(f"{len(to_come)} rounds to come are too many to look at; {MOST_ROUNDS} at most")
    done = [meeting for meeting in meetings if meeting.kind != "pending"]
    unknown = [meeting for meeting in to_come if not meeting.opponent]
    rules = norm_rules(on or facts.start)
    found: list[Need] = []
    for kind in _kinds(rules, title, applicant) if unknown else (Meeting(0),):
        ways: list[Need] = []
        for results in _results(to_come):
            need = _way(applicant, done, to_come, results, kind, facts, title, on)
            if need and not any(_no_worse(other, need) for other in ways):
                ways.append(need)
        found += [way for way in ways if not any(_no_worse(other, way) for other in found)]
    return found


def _kinds(rules: NormRules, title: str, applicant: Applicant) -> Iterator[Meeting]:
    """Opponents that may come, the least demanding to meet last."""
    held = rules.required_titles.accepted[title][0] if rules.required_titles else title
    for opponent_title in ("", held):
        for federation in (applicant.federation, ANOTHER):
            yield Meeting(0, title=opponent_title, federation=federation)


def _results(to_come: Sequence[Meeting]) -> Iterator[tuple[float, ...]]:
    """Points of the rounds to come, the fewest first; opponents not known are all alike, so their order is none."""
    known = [meeting for meeting in to_come if meeting.opponent]
    free = len(to_come) - len(known)
    sets = [
        (*first, *second)
        for first in product((0.0, 0.5, 1.0), repeat=len(known))
        for second in combinations_with_replacement((0.0, 0.5, 1.0), free)
    ]
    yield from sorted(sets, key=lambda points: (sum(points), points))


def _way(
    applicant: Applicant,
    done: Sequence[Meeting],
    to_come: Sequence[Meeting],
    results: Sequence[float],
    kind: Meeting,
    facts: EventFacts,
    title: str,
    on: date | None,
) -> Need | None:
    ordered = sorted(to_come, key=lambda meeting: not meeting.opponent)  # as `results` are

    def played(rating: int) -> list[Meeting]:
        games = []
        for meeting, points in zip(ordered, results):
            game = meeting if meeting.opponent else replace(kind, round=meeting.round, opponent="?", rating=rating)
            games.append(replace(game, score=points, kind="game"))
        return [*done, *games]

    def holds(rating: int) -> bool:
        return check_norm(applicant, played(rating), facts, title, on).achieved

    if not holds(HIGHEST):
        return None
    free = any(not meeting.opponent for meeting in to_come)
    rating = least_whole(holds, LOWEST, HIGHEST) if free else HIGHEST
    report = check_norm(applicant, played(rating), facts, title, on)
    return Need(
        results=tuple((meeting.round, meeting.opponent, points) for meeting, points in zip(ordered, results)),
        points=sum(results),
        rating_from=rating if free and rating > LOWEST else None,
        title=kind.title,
        own_federation=free and kind.federation == applicant.federation,
        average=report.average,
        performance=report.performance,
    )


def _no_worse(other: Need, than: Need) -> bool:
    """Whether another way asks no more in any round, nor of any opponent."""
    fewer = all(mine[2] <= theirs[2] for mine, theirs in zip(other.results, than.results))
    lower = (other.rating_from or 0) <= (than.rating_from or 0)
    lesser = (not other.title or other.title == than.title) and other.own_federation >= than.own_federation
    return fewer and lower and lesser
