"""Titles: by rating alone, from collected norms, and direct ones; and what ranges of ratings are called.

    titles_by_rating(2310, 45)                     # FM and CM, each condition with its numbers
    title_from_norms("GM", norms, peak=2512)       # by the rule of the day on which the last norm was made
    class_name(1850, "uschess", "it")              # Classe A

Only ratings of standard chess count for titles. Each title is asked for by the rule of a day, and none before its time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cache

import msgspec

from arpad.errors import UnknownName
from arpad.norms.facts import Bound, Condition, Texts
from arpad.rulebooks.sheets import in_force, sheet

#: Titles, the highest first.
TITLES = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")


class Norm(msgspec.Struct, frozen=True):
    """A norm that was made: for how many games it counts, and what the rules of titles ask of norms.

    `round_robin`: an event played all against all, or an Olympiad. `large`: one of those of which an application needs
    one since July 2022. `daily`: one round a day on three days at least. `foreigners`: the rules on federations were
    met, not lifted. `short`: eight games that count as nine. None is not known.
    """

    day: date
    games: int
    round_robin: bool | None = None
    large: bool | None = None
    daily: bool | None = None
    foreigners: bool | None = None
    short: bool = False


class TitleReport(msgspec.Struct, frozen=True):
    """Whether a title is due. It is not while a condition is missing, and open while one is not known."""

    title: str
    achieved: bool | None
    edition: str
    article: str
    source: str
    text: Texts
    conditions: tuple[Condition, ...]


class TitleRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How titles are awarded, from a day on."""

    since: date = msgspec.field(name="from")
    source: str
    text: dict[str, str]
    article: str = ""
    status: str = ""
    ratings: dict[str, int] = {}
    games: int = 0
    games_without_round_robin: int = 0
    lists: int = 1
    norms: int = 0
    years: int = 0
    rating_within: int = 0
    round_robin: bool = False
    large: bool = False
    foreigners: bool = False
    daily: list[str] = []
    short: int = 99


class Awards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sheet `fide/title_awards`."""

    began: dict[str, int]
    began_source: dict[str, str]
    by_rating: list[TitleRule]
    by_norms: list[TitleRule]
    direct: list[TitleRule]


class ClassName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ratings are called from one on."""

    low: int = msgspec.field(name="from")
    name: dict[str, str]
    short: str = ""
    women: dict[str, str] = {}
    women_short: str = ""


class ClassNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One set of names, descending."""

    title: dict[str, str]
    source: str
    rows: list[ClassName] = msgspec.field(name="class")
    article: str = ""


def began(title: str) -> int:
    """The year in which FIDE first awarded a title. Raises UnknownName."""
    years = _awards().began
    if title not in years:
        raise UnknownName("title", title, years)
    return years[title]


def titles_by_rating(
    peak: float, games: int | None = None, on: date | None = None, *, woman: bool | None = None, lists: int = 1
) -> list[TitleReport]:
    """Every title that a rating alone can bring, by the rule of a day (None: today's), the highest first.

    `peak` is the highest rating reached, published or in between; `games` how many rated games had been played by then;
    `lists` on how many lists running it stood, which was asked at first.
    """
    rule = in_force(_awards().by_rating, on, "titles by rating")
    found = []
    for title in sorted(rule.ratings, key=TITLES.index):
        if on and began(title) > on.year:
            continue
        conditions = [*_rating(rule, title, peak), *_games(rule, games)]
        if rule.lists > 1:
            conditions.append(_limit(rule, "lists", lists, rule.lists))
        if title.startswith("W"):
            conditions.append(_condition(rule, "woman", woman, None, None, "yes"))
        found.append(_report(rule, title, conditions))
    return found


def direct_title(title: str, peak: float, games: int | None = None, on: date | None = None) -> TitleReport:
    """Whether a title won in a championship is final: until a rating is reached it stays conditional."""
    began(title)
    rule = in_force(_awards().direct, on, "conditions of direct titles")
    return _report(rule, title, [*_rating(rule, title, peak), *_games(rule, games)])


def title_from_norms(
    title: str, norms: Sequence[Norm], peak: float | None, on: date | None = None, *, reached: date | None = None
) -> TitleReport:
    """Whether norms make a title, by the rule of a day (default: that of the last norm).

    `peak` is the highest rating, None if not known, and `reached` the day on which it was. Raises UnknownName for a
    title that norms never made.
    """
    rules = _awards().by_norms
    made = sorted(norms, key=lambda norm: norm.day)
    rule = in_force(rules, on or (made[-1].day if made else None), "titles from norms")
    if title not in {name for each in rules for name in each.ratings}:
        raise UnknownName("title made of norms", title, {name for each in rules for name in each.ratings})
    return _report(rule, title, list(_norm_conditions(rule, title, made, peak, reached)))


def class_name(rating: float, names: str = "fide", language: str = "en", woman: bool = False) -> str:
    """What a rating is called in a set of names; empty below the lowest. Raises UnknownName for set or language."""
    known = class_names()
    if names not in known:
        raise UnknownName("set of names", names, known)
    for row in known[names].rows:
        if rating >= row.low:
            texts = row.women if woman and row.women else row.name
            if language not in texts:
                raise UnknownName("language", language, texts)
            return texts[language]
    return ""


@cache
def class_names() -> Mapping[str, ClassNames]:
    """Every set of names for ranges of ratings."""
    return sheet("class_names", dict[str, ClassNames])


def _norm_conditions(
    rule: TitleRule, title: str, made: Sequence[Norm], peak: float | None, reached: date | None
) -> Iterator[Condition]:
    yield _limit(rule, "norms", len(_within(made, rule.years)), rule.norms)
    total = _within(made, rule.years)
    round_robin = _any(norm.round_robin for norm in total)
    need = rule.games_without_round_robin if rule.games_without_round_robin and round_robin is False else rule.games
    if need:
        yield _limit(rule, "games", sum(norm.games for norm in total), need)
    if rule.round_robin:
        yield _condition(rule, "round_robin", round_robin, None, None, "yes")
    if rule.large:
        yield _condition(rule, "large", _any(norm.large for norm in total), None, None, "yes")
    if rule.foreigners:
        yield _condition(rule, "foreigners", _any(norm.foreigners for norm in total), None, None, "yes")
    if title in rule.daily:
        yield _condition(rule, "daily", _any(norm.daily for norm in total), None, None, "yes")
    short = sum(norm.short for norm in total)
    if short > rule.short:
        yield _condition(rule, "short", False, short, rule.short, "most")
    if title in rule.ratings:
        yield from _rating(rule, title, peak)
        if rule.rating_within and made:
            last = made[0].day.replace(year=made[0].day.year + rule.rating_within, day=min(made[0].day.day, 28))
            yield _condition(rule, "rating_within", None if reached is None else reached <= last, None, None, "yes")


def _within(made: Sequence[Norm], years: int) -> Sequence[Norm]:
    """The most norms that lie within so many years (0: all of them)."""
    if not years:
        return made
    spans = []
    for first, norm in enumerate(made):
        end = (norm.day.year + years, norm.day.month, norm.day.day)
        spans.append([each for each in made[first:] if (each.day.year, each.day.month, each.day.day) <= end])
    return max(spans, key=len, default=[])


def _any(answers: Iterator[bool | None]) -> bool | None:
    """Whether one holds; None if none is known to and some are not known."""
    known = list(answers)
    return True if True in known else None if None in known else False


def _rating(rule: TitleRule, title: str, peak: float | None) -> Iterator[Condition]:
    yield _limit(rule, "rating", peak, rule.ratings[title])


def _games(rule: TitleRule, games: int | None) -> Iterator[Condition]:
    if rule.games:
        yield _limit(rule, "games", games, rule.games)


def _limit(rule: TitleRule, name: str, have: float | None, need: float) -> Condition:
    return _condition(rule, name, None if have is None else have >= need, have, need, "least")


def _condition(
    rule: TitleRule, name: str, met: bool | None, have: float | None, need: float | None, bound: Bound
) -> Condition:
    return Condition(name, met, have, need, bound, rule.article, rule.text, status=rule.status)


def _report(rule: TitleRule, title: str, conditions: Sequence[Condition]) -> TitleReport:
    answers = [condition.met for condition in conditions]
    achieved = False if False in answers else None if None in answers else True
    return TitleReport(title, achieved, rule.since.isoformat(), rule.article, rule.source, rule.text, tuple(conditions))


@cache
def _awards() -> Awards:
    return sheet("fide/title_awards", Awards)
