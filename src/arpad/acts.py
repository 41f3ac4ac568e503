"""What changes a rating without a game: a player's dated acts, and one-off revaluations of everybody."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from datetime import date

import msgspec
from msgspec.structs import replace

from arpad import kernel
from arpad.arithmetic import ROUNDINGS
from arpad.errors import DataError, UnknownName
from arpad.model import Act, Column, Problem
from arpad.rulebooks.book import Rulebook
from arpad.rulebooks.schema import Blend, Edition
from arpad.rulebooks.tables import categories
from arpad.stretch import COMMON, Memory, System
from arpad.systems.elo import Compiled

NAN = math.nan

#: The order of one player's acts on one day.
KINDS = ("entry", "blend", "adjustment", "floor")

#: Kind of memory: the lists of another body, as (day, games) of each player.
ELSEWHERE = "elsewhere"

#: No system's ratings are that large: such a number stands for something else.
MOST = 1e6


class ActDone(msgspec.Struct, frozen=True):
    """An act as it was carried out: the ratings on both sides of it, or why it changed nothing."""

    act: Act
    player: str
    before: float
    after: float
    games: float
    note: str = ""


def dated(acts: Iterable[Act], rulebook: Rulebook, limit: int) -> tuple[list[Act], list[Problem]]:
    """Acts up to a day (ordinal; 0: all) in the order in which they count, never that of arrival; and what was odd.

    An act that says the same as an earlier one, reason included, counts once. An entry by category gets the rating and
    the games of the rulebook's table. Raises DataError for a category that is not in it, and for a rating that is no
    number or outside any system's range. A blend on a day on which the other body has no list is left out, with a word.
    """
    found, problems, odd = [], [], []
    said: set[tuple[object, ...]] = set()
    for act in acts:
        if limit and act.date > limit:
            continue
        try:
            act = _by_category(act, rulebook)
        except UnknownName as error:
            problems.append(Problem(str(error), act.source, act.line, "category"))
            continue
        if act.deviation is not None and not 0 < act.deviation <= MOST:
            trouble = f"{act.player!r}: a deviation of {act.deviation} is none that a rating can have"
            problems.append(Problem(trouble, act.source, act.line, "deviation"))
        if act.deviation is not None and act.kind != "entry":
            trouble = f"{act.player!r}: only an entry has a deviation, this is an act of the kind {act.kind}"
            problems.append(Problem(trouble, act.source, act.line, "deviation"))
        if not abs(act.rating) <= MOST:
            trouble = f"{act.player!r}: a rating of {act.rating} is outside any system's range"
            problems.append(Problem(trouble, act.source, act.line, "rating"))
        if act.kind == "floor" and act.rating < 0:
            trouble = f"{act.player!r}: a floor of {act.rating:g} is below zero (0: no floor)"
            problems.append(Problem(trouble, act.source, act.line, "rating"))
        if act.kind == "blend" and (days := _other_days(act, rulebook)):
            text = f"{act.player!r} is not blended: the lists to be blended with are of {days}"
            odd.append(Problem(text, act.source, act.line, "date", severity="warning"))
            continue
        facts = (act.kind, act.player, act.date, act.rating, act.games, act.deviation, act.reason)
        if facts in said:
            text = f"{act.kind} of {act.player!r} is said twice and counts once"
            odd.append(
                Problem(text, act.source, act.line, hint="give the second one its own reason", severity="warning")
            )
        else:
            said.add(facts)
            found.append(act)
    if problems:
        raise DataError(problems)
    ordered = sorted(found, key=lambda act: (act.date, KINDS.index(act.kind), act.player, act.games or 0, act.rating))
    return ordered, odd


def _other_days(act: Act, rulebook: Rulebook) -> str:
    """The days of the year of the lists to be blended with, if an act is of none of them."""
    rule = rulebook.editions[edition_for_act(rulebook, act)].blend
    if rule is None or not rule.days:
        return ""
    held = act.date and date.fromordinal(act.date).isoformat()[5:] in rule.days.split(",")
    return "" if held else rule.days.replace(",", ", ")


def _by_category(act: Act, rulebook: Rulebook) -> Act:
    if act.rating == act.rating or not act.category:
        return act
    file = rulebook.editions[edition_for_act(rulebook, act)].entry.file
    table = {row.name: row for row in categories(rulebook.tables[file])} if file else {}
    if act.category not in table:
        raise UnknownName("category", act.category, table)
    row = table[act.category]
    return replace(act, rating=row.rating, games=row.games if act.games is None else act.games)


def carry_out_act(
    act: Act,
    at: int,
    state: Column,
    system: System,
    grown: dict[str, int],
    rulebook: Rulebook,
    compiled: Compiled,
    clock: Callable[[int], float],
    memory: Memory,
) -> ActDone:
    """Carry out one dated act on a player's state, which begins at state[at:]; `clock` reads a day (ordinal).

    `grown` has the games elsewhere that were mixed in last, `memory` those of each list elsewhere where a rulebook asks
    what they were a year before.
    """
    before = float(state[at])
    games = float(state[at + 1])
    index = edition_for_act(rulebook, act)
    if act.kind == "entry":
        # A rating that says nothing of the games behind it is taken for an established one.
        unsaid = games or established_games(rulebook.editions[index])
        rating, counted = act.rating, float(act.games if act.games is not None else unsaid)
        state[at + 3] = 0.0  # who starts anew has no season behind to be pulled back from
        for field, value in enumerate(system.blank, at + len(COMMON)):
            state[field] = value
        if system.clocked and act.date:
            state[at + 3] = clock(act.date)
        if system.spreads and act.deviation is not None:
            state[at + system.fields.index("deviation")] = act.deviation
    elif act.kind == "floor":
        return _floor(act, at, state, system, games)
    elif before != before:
        return ActDone(act, act.player, before, before, games, "no rating to change: the player is unrated")
    elif act.kind == "adjustment":
        rating, counted = before + act.rating, games
    else:
        blend = rulebook.editions[index].blend or Blend()
        other, mixed = act.games or 0, grown.get(act.player, 0)
        yearly = blend.growth == "year"
        if other <= (_a_year_before(act, memory) if yearly else mixed):
            note = f"not blended: no more games there than {'a year before' if yearly else 'last time'}"
            return ActDone(act, act.player, before, before, games, note)
        grown[act.player] = other
        own = max(games - mixed, 0.0) if blend.own == "own" else games
        more = max(other - mixed, 0) if blend.other == "increase" else other
        if own + more <= 0:
            return ActDone(act, act.player, before, before, games, "not blended: no games to weigh the ratings by")
        rating, counted = (own * before + more * act.rating) / (own + more), own + other
        if blend.own == "all":
            counted = games + more
    state[at], state[at + 1] = rating, counted
    block = compiled.blocks[index]
    publish = kernel.BLOCK.index("publish")
    shown = kernel.round_to(rating, compiled.rules[block + publish], compiled.rules[block + publish + 1])
    state[at + 2] = max(float(state[at + 2]), shown)
    return ActDone(act, act.player, before, rating, counted)


def _a_year_before(act: Act, memory: Memory) -> int:
    """A player's games on the other body's last list that was a year old or older; and this list is remembered."""
    held = memory.setdefault(ELSEWHERE, {})
    told = held.get(act.player, ())
    held[act.player] = [*told, [act.date, act.games or 0]]
    if not act.date:
        return 0
    day = date.fromordinal(act.date)
    limit = day.replace(year=day.year - 1, day=min(day.day, 28) if day.month == 2 else day.day).toordinal()
    return int([0, *(games for when, games in told if when <= limit)][-1])


def established_games(edition: Edition) -> float:
    """Games with which an edition takes no rating for a provisional one; 0 where it knows of none."""
    if edition.effective is not None:
        return edition.effective.most
    return edition.provisional.games if edition.provisional else 0.0


def _floor(act: Act, at: int, state: Column, system: System, games: float) -> ActDone:
    """A floor by decision: a lower rating is raised to it, and it sets aside what the player's peak so far, and
    requests, had made of the floor."""
    before = float(state[at])
    if "floor" not in system.fields:
        return ActDone(act, act.player, before, before, games, "these rules have no floor of one player's own")
    places = {name: at + place for place, name in enumerate(system.fields)}
    state[places["floor"]] = act.rating
    if "waived" in places:
        peak, common = float(state[places["highest_established"]]), float(state[places["peak"]])
        state[places["waived"]] = peak or math.floor(common + 0.5)  # as a list shows it
        state[places["lowered"]] = 0.0
    if before < act.rating:
        state[at] = act.rating
        state[at + 2] = max(float(state[at + 2]), act.rating)
    return ActDone(act, act.player, before, float(state[at]), games)


def edition_for_act(rulebook: Rulebook, act: Act) -> int:
    """The edition in force on the day of an act; the first one before it began, for entries at the base date."""
    since = rulebook.editions[0].since
    return 0 if since and act.date < since.toordinal() else rulebook.edition_index(act.date)


def uplift_everybody(
    rulebook: Rulebook, index: int, day: int, state: Column, width: int, elsewhere: Callable[[int, int], float]
) -> None:
    """A one-off revaluation of everybody, as an edition states it; `elsewhere` gives a player's rating on another list
    on a day, nan if there is none."""
    asked = any(uplift.of for uplift in rulebook.editions[index].uplift)
    for code in range(len(state) // width):
        other = elsewhere(code, day) if asked else NAN
        state[width * code] = uplifted(rulebook, index, day, float(state[width * code]), other)
        state[width * code + 2] = max(float(state[width * code + 2]), float(state[width * code]))


def uplifted(rulebook: Rulebook, index: int, day: int, rating: float, elsewhere: float = NAN) -> float:
    """A rating after an edition's one-off revaluation of a day; `elsewhere` is the rating on the other list."""
    for uplift in rulebook.editions[index].uplift:
        if uplift.date.toordinal() == day and uplift.rating_from <= rating < uplift.rating_below:
            raised = rating + uplift.share * (uplift.towards - rating)
            if uplift.of:
                raised = elsewhere - uplift.less if elsewhere - uplift.less > rating else rating
            return kernel.round_to(raised, ROUNDINGS.index(uplift.rounding), 1.0)
    return rating
