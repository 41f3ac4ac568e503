"""The search for a set of games that makes the norm.

Every round counts that was played over the board. Where pairings are not known beforehand, a player may leave out what
came after the norm was reached, and wins that it does not need. All sets are tried, those with most games first; the
first that meets every condition is reported, or else the one that misses fewest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction
from itertools import combinations, islice

from msgspec.structs import replace

from arpad.norms.conditions import Mix, Question, counted_ratings, exemption, of_event, of_mix
from arpad.norms.facts import (
    PREPAIRED,
    Applicant,
    Condition,
    Counted,
    EventFacts,
    LeftOut,
    Meeting,
    NormReport,
    Texts,
)
from arpad.norms.rules import Clause, NormRules, check_title, least_points, norm_rules, text_of
from arpad.performances import fide_differences, fide_parts

#: Sets of games that are looked at; only an event of far more rounds than a norm needs has more.
MOST_SETS = 20_000


def check_norm(
    applicant: Applicant, meetings: Sequence[Meeting], facts: EventFacts, title: str, on: date | None = None
) -> NormReport:
    """Whether a player made a norm for a title, by the rules of a day (default: the event's first).

    Rounds still to come do not count. Raises UnknownName for the title, UsageError for a day before any rules.
    """
    check_title(title)
    rules = norm_rules(on or facts.start)
    question = Question(applicant, facts, title, rules, exemption(applicant, facts, rules))
    rounds = sorted(meetings, key=lambda meeting: meeting.round)
    played, not_counted = _countable(rounds, question)
    best: tuple[int, Mix, tuple[Condition, ...]] | None = None
    searched = 0
    # one more than is looked at tells whether there were more
    for searched, mix in enumerate(islice(_mixes(played, rounds, question), MOST_SETS + 1), 1):
        if searched > MOST_SETS:
            break
        conditions = tuple(of_mix(mix, question))
        missing = sum(condition.met is False for condition in conditions)
        if best is None or missing < best[0]:
            best = missing, mix, conditions
        if not missing:
            break
    assert best is not None  # the games as they are make the first set
    _, mix, conditions = best
    looked = min(searched, MOST_SETS)
    return _report(mix, (*conditions, *of_event(question)), question, not_counted, looked, searched <= MOST_SETS)


def _countable(rounds: Sequence[Meeting], question: Question) -> tuple[tuple[Meeting, ...], list[LeftOut]]:
    rules = question.rules
    played, left_out = [], []
    for meeting in rounds:
        clause = _why_not(meeting, question)
        if meeting.kind == "game" and clause is None:
            played.append(meeting)
        elif meeting.kind != "pending":
            left_out.append(_left_out(meeting, clause or rules.unplayed))
    return tuple(played), left_out


def _why_not(meeting: Meeting, question: Question) -> Clause | None:
    """The clause by which a round does not count."""
    rules = question.rules
    if meeting.kind != "game":
        return rules.unplayed
    if rules.members and not meeting.member:
        return rules.members
    pointless = not meeting.rating and meeting.against_rated == 0
    return rules.unrated_zero if pointless and "round robin" in question.facts.format else None


def _left_out(meeting: Meeting, clause: Clause) -> LeftOut:
    return LeftOut(meeting.round, meeting.opponent, meeting.kind, clause.article, clause.text)


def _mixes(played: tuple[Meeting, ...], rounds: Sequence[Meeting], question: Question) -> Iterator[Mix]:
    """Every set of games that may be put forward, those with most games first."""
    for base in _bases(played, rounds, question):
        yield from [base] if question.facts.format in PREPAIRED else _subsets(base, question.rules)


def _bases(played: tuple[Meeting, ...], rounds: Sequence[Meeting], question: Question) -> Iterator[Mix]:
    """The games as played; with a last round that the opponent forfeited; and eight that stand for nine."""
    rules, facts = question.rules, question.facts
    usual, enough = rules.games.least, len(played)
    special = {"team": rules.team, "world cup": rules.world_cup}.get(facts.championship)
    if special and (not special.rounds or special.least <= facts.rounds <= special.rounds):
        used = (special,) if special.least <= enough < usual else ()
        yield Mix(played, special.least, special.counts, used)
    else:
        yield Mix(played, usual)
    last = rounds[-1] if rounds else None
    if (
        rules.last_forfeit
        and last
        and last.kind == "forfeit win"
        and last.round == facts.rounds
        and enough == usual - 1
    ):
        lost = replace(last, kind="game", score=0.0)
        yield Mix((*played, lost), usual, clauses=(rules.last_forfeit,))
    eight = rules.eight
    if eight and facts.rounds == eight.rounds and enough == eight.least:
        missed = [meeting for meeting in rounds if meeting.kind != "game"]
        if len(missed) == 1 and missed[0].kind in ("forfeit win", "pairing bye"):
            yield Mix(played, eight.least, eight.counts, (eight,))


def _subsets(base: Mix, rules: NormRules) -> Iterator[Mix]:
    """The base, and what remains of it without its last games and without some of the wins, fewest left out first."""
    games = base.games
    spare = len(games) - base.least
    for fewer in range(max(spare, 0) + 1):
        for tail in range(fewer + 1):
            wins_fewer = fewer - tail
            if (tail and not rules.later) or (wins_fewer and not rules.beaten):
                continue
            kept, dropped = games[: len(games) - tail], games[len(games) - tail :]
            if dropped and rules.beaten and dropped[0].score == 1:
                continue  # the same set as with one game less dropped and this win ignored
            for ignored in combinations([game for game in kept if game.score == 1], wins_fewer):
                yield _without(base, kept, dropped, ignored, rules)


def _without(
    base: Mix, kept: Sequence[Meeting], dropped: Sequence[Meeting], ignored: Sequence[Meeting], rules: NormRules
) -> Mix:
    if not dropped and not ignored:
        return base
    games = tuple(game for game in kept if game not in ignored)
    later, beaten = rules.later or Clause(), rules.beaten or Clause()
    left_out = (*((game, beaten) for game in ignored), *((game, later) for game in dropped))
    return replace(base, games=games, left_out=left_out)


def _report(
    mix: Mix,
    conditions: tuple[Condition, ...],
    question: Question,
    not_counted: Sequence[LeftOut],
    searched: int,
    complete: bool,
) -> NormReport:
    rules = question.rules
    average = percentage = difference = None
    ratings, raised = counted_ratings(mix.games, question.title, rules)
    achieved = all(condition.met is not False for condition in conditions)
    surplus = 0
    if mix.games and (rules.unrated or all(ratings)):
        average, percentage, difference = fide_parts(ratings, mix.points)
        surplus = _surplus(mix, average, question) if achieved and rules.more else 0
    counted = tuple(
        Counted(
            game.round,
            game.opponent,
            game.title,
            game.federation,
            game.rating,
            rating,
            float(game.score or 0),
            text_of(rules.floor) if index == raised else text_of(rules.unrated) if not game.rating else {},
        )
        for index, (game, rating) in enumerate(zip(mix.games, ratings))
    )
    used = {game.round for game in mix.games}
    left_out = [each for each in not_counted if each.round not in used]
    left_out += [_left_out(game, clause) for game, clause in mix.left_out]
    notes: list[Texts] = [clause.text for clause in mix.clauses]
    if surplus and rules.more:
        notes.append(rules.more.text)
    return NormReport(
        applicant=question.applicant.name,
        title=question.title,
        achieved=achieved,
        edition=rules.since.isoformat(),
        source=rules.source,
        games=len(mix.games),
        points=float(mix.points),
        average=average,
        percentage=percentage,
        difference=difference,
        performance=None if average is None or difference is None else average + difference,
        counts=max(min(len(mix.games), rules.most.most), mix.stand) + surplus if achieved else 0,
        conditions=conditions,
        counted=counted,
        left_out=tuple(sorted(left_out, key=lambda each: each.round)),
        notes=tuple(notes),
        searched=searched,
        complete=complete,
    )


def _surplus(mix: Mix, average: int, question: Question) -> int:
    """Whole points beyond the fewest with which these opponents still make the norm."""
    rules = question.rules
    level = rules.performance.ratings[question.title] if rules.performance else 0
    games = len(mix.games)
    points = least_points(rules, games)
    while average + fide_differences()[fide_parts([0] * games, points)[1]] < level:
        points += Fraction(1, 2)
    return max(0, math.floor(mix.points - points))
