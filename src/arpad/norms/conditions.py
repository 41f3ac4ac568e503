"""One set of games, and the event, held against every condition of an edition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

import msgspec

from arpad.categories import category_of, norm_percentage, points_needed
from arpad.norms.facts import Applicant, Bound, Condition, EventFacts, Meeting
from arpad.norms.rules import NO_FEDERATION, Clause, NormRules, least_points
from arpad.performances import fide_parts


class Question(msgspec.Struct, frozen=True):
    """What does not depend on which games count. `exempt` is the clause that lifts the rules on federations."""

    applicant: Applicant
    facts: EventFacts
    title: str
    rules: NormRules
    exempt: Clause | None


class Mix(msgspec.Struct, frozen=True):
    """Games that are to make the norm: `least` are needed, and they stand for `stand` at least.

    `clauses` say what allowed fewer, or something that was no game; `left_out` is what was ignored, and by which.
    """

    games: tuple[Meeting, ...]
    least: int
    stand: int = 0
    clauses: tuple[Clause, ...] = ()
    left_out: tuple[tuple[Meeting, Clause], ...] = ()

    @property
    def points(self) -> Fraction:
        return Fraction(sum(game.score or 0 for game in self.games))  # halves: exact as floats


def exemption(applicant: Applicant, facts: EventFacts, rules: NormRules) -> Clause | None:
    """The clause that lifts the rules on federations for this player in this event, if any."""
    at_home = bool(facts.federation) and facts.federation == applicant.federation
    if facts.championship == "national final" and at_home and rules.national_final:
        return rules.national_final
    if facts.championship == "national team" and at_home and rules.national_team:
        return rules.national_team
    if facts.championship == "zonal" and rules.zonal:
        return rules.zonal
    wanted = rules.foreign_field
    if wanted and facts.format == "swiss" and facts.foreign_field:
        asked = (wanted.players, wanted.federations, wanted.titled)
        if all(have >= need for have, need in zip(facts.foreign_field, asked)):
            return wanted
    return None


def counted_ratings(games: Sequence[Meeting], title: str, rules: NormRules) -> tuple[list[int], int | None]:
    """The ratings that opponents count for, and which was raised: only the lowest, and only to the floor."""
    unrated = rules.unrated.rating if rules.unrated else 0
    ratings = [game.rating or unrated for game in games]
    if rules.floor and ratings:
        lowest = ratings.index(min(ratings))
        if ratings[lowest] < rules.floor.ratings[title]:
            ratings[lowest] = rules.floor.ratings[title]
            return ratings, lowest
    return ratings, None


def of_mix(mix: Mix, question: Question) -> Iterator[Condition]:
    """The conditions on the games, cheap ones first."""
    rules, games = question.rules, mix.games
    yield limit("games", rules.games, len(games), mix.least, "least")
    if not games:
        return
    if rules.method == "category":
        yield _category(mix, question)
        return
    yield from _federations(games, question)
    yield from _titles(games, question)
    if rules.unrated_opponents:
        unrated = sum(not game.rating for game in games)
        most = rules.unrated_opponents.maximum(len(games))
        yield limit("unrated_opponents", rules.unrated_opponents, unrated, most, "most")
    ratings, _ = counted_ratings(games, question.title, rules)
    mean, _, difference = fide_parts(ratings, mix.points)
    if rules.score:
        yield limit("score", rules.score, float(mix.points), float(least_points(rules, len(games))), "least")
    if rules.average:
        yield limit("average", rules.average, mean, rules.average.ratings[question.title], "least")
    if rules.performance:
        yield limit(
            "performance", rules.performance, mean + difference, rules.performance.ratings[question.title], "least"
        )


def of_event(question: Question) -> Iterator[Condition]:
    """The conditions on the player and the event: whatever is not known stays open."""
    rules, facts = question.rules, question.facts
    if question.title.startswith("W"):
        sex = question.applicant.sex
        yield yes("woman", rules.woman, None if not sex else sex == "w")
    if rules.format:
        known = None if facts.format == "" else facts.format in rules.format.kinds
        yield yes("format", rules.format, known, facts.format)
    if rules.double and facts.format == "double round robin":
        yield limit("double", rules.double, facts.players, rules.double.players, "least")
    numbers: tuple[tuple[str, Clause | None, float | None, Bound], ...] = (
        ("registered", rules.registered, facts.registered, "least"),
        ("rounds_a_day", rules.rounds_a_day, facts.rounds_a_day, "most"),
        ("hours_a_day", rules.hours_a_day, facts.hours_a_day, "most"),
        ("minutes", rules.minutes, facts.minutes, "least"),
    )
    for name, clause, have, bound in numbers:
        if clause:
            yield limit(name, clause, have, clause.least if bound == "least" else clause.most, bound)
    for name, clause, answer in (
        ("identical_clocks", rules.identical_clocks, facts.identical_clocks),
        ("arbiter_present", rules.arbiter_present, facts.arbiter_present),
        ("arbiter_apart", rules.arbiter_apart, facts.arbiter_apart),
        ("tailored", rules.tailored, None if facts.tailored is None else not facts.tailored),
    ):
        if clause:
            yield yes(name, clause, answer)


def limit(name: str, clause: Clause, have: float | None, need: float, bound: Bound, detail: str = "") -> Condition:
    """A condition on a number."""
    met = None if have is None else have >= need if bound == "least" else have <= need
    return Condition(name, met, have, need, bound, clause.article, clause.text, detail, clause.status)


def yes(name: str, clause: Clause, answer: bool | None, detail: str = "") -> Condition:
    """A condition that holds or does not."""
    return Condition(name, answer, None, None, "yes", clause.article, clause.text, detail, clause.status)


def _category(mix: Mix, question: Question) -> Condition:
    clause, facts = question.rules.category or Clause(), question.facts
    points = float(mix.points)
    if facts.average is None:
        return limit("category", clause, None, 0, "least")
    found = category_of(facts.average, facts.women)
    if found is None:
        return Condition("category", False, points, None, "least", clause.article, clause.text, "-", clause.status)
    percentage = norm_percentage(found, question.title, facts.start)
    need = float(points_needed(percentage, len(mix.games)))
    return limit("category", clause, points, need, "least", f"{found.number}: {percentage} %")


def _federations(games: Sequence[Meeting], question: Question) -> Iterator[Condition]:
    rules, own = question.rules, question.applicant.federation
    if question.exempt:
        yield yes("federations", question.exempt, True)
        return
    met = Counter(game.federation for game in games if game.federation not in ("", NO_FEDERATION))
    others = sorted(met.keys() - {own})
    if rules.federations:
        yield limit("federations", rules.federations, len(others), rules.federations.least, "least", ", ".join(others))
    if rules.own_federation:
        most = rules.own_federation.maximum(len(games))
        yield limit("own_federation", rules.own_federation, met[own], most, "most", own)
    if rules.one_federation:
        name, number = max(met.items(), key=lambda each: (each[1], each[0]), default=("", 0))
        most = rules.one_federation.maximum(len(games))
        yield limit("one_federation", rules.one_federation, number, most, "most", name)


def _titles(games: Sequence[Meeting], question: Question) -> Iterator[Condition]:
    rules = question.rules
    titles = Counter(game.title for game in games if game.title)
    if rules.title_holders:
        held = sum(titles[title] for title in rules.title_holders.titles)
        yield limit("title_holders", rules.title_holders, held, rules.title_holders.minimum(len(games)), "least")
    if rules.required_titles:
        accepted = rules.required_titles.accepted[question.title]
        held = sum(titles[title] for title in accepted)
        need = rules.required_titles.minimum(len(games))
        if rules.double and question.facts.format == "double round robin":
            need = rules.double.minimum(len(games))
        yield limit("required_titles", rules.required_titles, held, need, "least", ", ".join(accepted))
