"""Every player's state before the first game: from a start list, or from the checkpoint of an earlier replay."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from arpad.acts import MOST, established_games
from arpad.columns import copied, filled, is_numpy
from arpad.errors import DataError, UsageError
from arpad.go import first_grades, points_of
from arpad.model import Act, Column, Games, PartialDate, Problem, Start
from arpad.newcomers import Waiting
from arpad.rulebooks.book import Rulebook
from arpad.stretch import COMMON, Memory, System

#: Facts of a start list that are measures of uncertainty: what is certain has no rating to change.
POSITIVE = ("deviation", "volatility")


class Checkpoint(msgspec.Struct, frozen=True):
    """All that a replay needs to go on: what every player's state is after the games up to `through` (ordinal)."""

    rulebook: str
    digest: str
    facts: str
    through: int
    players: Sequence[str]
    state: Sequence[float]
    born: Sequence[int]
    blended: Mapping[str, int]
    pools: Mapping[str, tuple[Waiting, ...]] = {}
    fields: Sequence[str] = COMMON  # what the numbers of a state are
    memory: Memory = {}
    lasts: Sequence[int] = ()  # the day (ordinal) of each player's last game, 0 = not known


class Opening(msgspec.Struct, frozen=True):
    """Every player and state before the first game, and what an earlier replay left open."""

    players: list[str]
    state: Column
    born: Column
    lasts: Column
    through: int = 0
    blended: Mapping[str, int] = {}
    pools: Mapping[str, tuple[Waiting, ...]] = {}
    memory: Memory = {}
    problems: Sequence[Problem] = ()


def beginning(
    games: Games,
    start: Iterable[Start] | Checkpoint,
    acts: Sequence[Act],
    rulebook: Rulebook,
    system: System,
    clock: Callable[[float], float],
) -> Opening:
    """Every player with a state: those of the games first, then those that only `start` or an act names."""
    codes = {name: code for code, name in enumerate(games.players)}
    checkpoint = start if isinstance(start, Checkpoint) else None
    known = [] if checkpoint else list(start)  # type: ignore[arg-type]
    for name in [
        *(checkpoint.players if checkpoint else (each.player for each in known)),
        *(act.player for act in acts),
    ]:
        codes.setdefault(name, len(codes))
    like = games.first
    width = system.width
    state = array("d", [math.nan, 0.0, 0.0, 0.0, *system.blank]) * len(codes)
    born = array("i", [0]) * len(codes)
    lasts = array("i", [0]) * len(codes)
    if checkpoint:
        if (checkpoint.rulebook, checkpoint.digest) != (rulebook.name, rulebook.digest):
            raise UsageError(
                f"the checkpoint was made under {checkpoint.rulebook} as it read then; these rules are others "
                f"({rulebook.name}, digest {rulebook.digest[:12]}). Replay from the beginning"
            )
        if tuple(checkpoint.fields) != system.fields:
            raise UsageError(
                "the checkpoint was made by another version of arpad, which kept other numbers of a player "
                f"({', '.join(checkpoint.fields)}). Replay from the beginning"
            )
        for number, name in enumerate(checkpoint.players):
            at = width * codes[name]
            state[at : at + width] = array("d", checkpoint.state[width * number : width * number + width])
            born[codes[name]] = checkpoint.born[number]
            lasts[codes[name]] = checkpoint.lasts[number] if checkpoint.lasts else 0
        _enter_by_grade(games, rulebook, state, width, {*codes} - {*checkpoint.players})
        left = checkpoint.through, checkpoint.blended, checkpoint.pools, checkpoint.memory
        return Opening(list(codes), _column(state, like), _column(born, like), _column(lasts, like), *left)
    problems = []
    seen: set[str] = set()
    told: dict[str, dict[str, float]] = {}
    mixed_in: dict[str, int] = {}
    memory: Memory = {}
    established, uncounted, unsure = experience(rulebook), 0, 0
    idles = any(edition.idle for edition in rulebook.editions)
    for each in known:
        if each.player in seen:
            problems.append(Problem(f"{each.player!r} stands twice among the starting ratings"))
        seen.add(each.player)
        at = width * codes[each.player]
        rating = math.nan if each.rating is None else each.rating
        if each.rating is not None and not abs(rating) <= MOST:
            problems.append(Problem(f"{each.player!r}: a rating of {rating} is outside any system's range"))
        if each.rating is not None and system.refuses and (why := system.refuses(rating)):
            problems.append(Problem(f"{each.player!r}: {rating:g} is no rating here: {why}", column="rating"))
        state[at] = rating
        uncounted += each.rating is not None and each.games is None and established > 0
        state[at + 1] = established if each.rating is not None and each.games is None else each.games or 0
        state[at + 2] = max(each.peak or -math.inf, rating) if rating == rating else each.peak or 0
        state[at + 3] = each.season or 0
        born[codes[each.player]] = encoded(each.born)
        lasts[codes[each.player]] = each.last or 0
        for name, value in each.facts.items():
            if name in system.fields[len(COMMON) :]:
                if name in POSITIVE and not 0 < value <= MOST:
                    problems.append(
                        Problem(f"{each.player!r}: a {name} of {value:g} is none that a rating can have", column=name)
                    )
                state[at + system.fields.index(name)] = value
            elif name == "blended":
                mixed_in[each.player] = int(value)
            elif name in system.asks:
                told.setdefault(each.player, {})[name] = value
        for name, text in each.texts.items():
            if name not in system.recalls:
                continue
            kind, reader = system.recalls[name]
            try:
                memory.setdefault(kind, {})[each.player] = reader(text)
            except ValueError as error:
                problems.append(Problem(f"{each.player!r}: {name}: {error}"))
        moment = each.rated or each.last
        unsure += system.spreads and each.rating is not None and "deviation" not in each.facts
        if system.clocked and moment:
            state[at + 3] = clock(moment)
        elif idles:
            state[at + 3] = each.last or 0
    if problems:
        raise DataError(problems)
    rated = {each.player for each in known if each.rating is not None}
    _enter_by_grade(games, rulebook, state, width, {*codes} - rated)
    notes = []
    if uncounted:
        text = f"{uncounted} rating(s) say nothing of the games behind them, and are taken for established ones"
        notes.append(Problem(text, hint="give the number of games", severity="note"))
    if unsure:
        text = f"{unsure} rating(s) say nothing of their deviation, and are taken to be as uncertain as a newcomer's"
        notes.append(Problem(text, hint="a column deviation tells it", severity="note"))
    memory |= {"facts": told} if told else {}
    columns = _column(state, like), _column(born, like), _column(lasts, like)
    return Opening(list(codes), *columns, 0, mixed_in, memory=memory, problems=notes)


def experience(rulebook: Rulebook) -> float:
    """What stands behind a rating that says nothing of games: so many that no rule takes it for a provisional one."""
    return max(map(established_games, rulebook.editions), default=0.0)


def last_days(games: Games, before: Column) -> Column:
    """The day (ordinal) of each player's last game: of these games, else what was known before; 0 = not known."""
    days = copied(before)
    if games.date is None:
        return days
    if is_numpy(days):
        import numpy as np

        ascending = bool((games.date[1:] >= games.date[:-1]).all())
        for side in (games.first, games.second):
            if ascending:  # the last of several values given to one place stays
                mine = np.zeros(len(days), "int32")
                mine[side] = games.date
                np.maximum(days, mine, out=days)
            else:
                np.maximum.at(days, side, games.date)
        return days
    for first, second, day in zip(games.first, games.second, games.date):
        days[first] = max(day, days[first])
        days[second] = max(day, days[second])
    return days


def _enter_by_grade(games: Games, rulebook: Rulebook, state: Column, width: int, fresh: set[str]) -> None:
    """Give newcomers the rating of the grade that they declare first, where the rules say so."""
    rule = next((edition.grades for edition in reversed(rulebook.editions) if edition.grades), None)
    if rule is None:
        return
    floors = [edition.floor.value for edition in rulebook.editions if edition.floor and edition.floor.kind == "clamp"]
    lowest = max((float(value) for value in floors if value is not None), default=-math.inf)
    codes = {name: code for code, name in enumerate(games.players)}
    for name, grade in first_grades(games).items():
        if name in fresh:
            at = width * codes[name]
            rating = points_of(grade, rule.dan, rule.step, rule.professional, rule.professional_step)
            rating = max(rating, lowest)
            state[at] = state[at + 2] = rating


def _column(values: array[Any], like: Column) -> Column:
    """Values that were written one by one, which an array takes quickly, as the columns of the games are kept."""
    if not is_numpy(like):
        return values
    import numpy as np

    return np.frombuffer(values, values.typecode) if values else filled(values.typecode, 0, 0, like)


def encoded(when: PartialDate | None) -> int:
    """A birth date as the kernel counts ages: year * 10000 + month * 100 + day; of a year alone, its last day."""
    if when is None:
        return 0
    return when.year * 10000 + (when.month or 12) * 100 + (when.day or 31)
