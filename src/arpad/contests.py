"""Contests of several sides as they stand in games: who took part, how each was placed, and which pairs count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby, pairwise
from typing import Any

import msgspec

from arpad.columns import filled, made
from arpad.errors import DataError
from arpad.model import Column, Games, Problem

NAN = float("nan")

#: What a pair counts by the sides of the contest that it is one of: (side, side) -> weight; no entry: not at all.
Weights = Mapping[tuple[int, int], float]


class Side(msgspec.Struct, frozen=True):
    """A player, or a team with its members: their codes, points and weights (nan: not said).

    `place` counts from 1; sides that are level share the mean of their places. `best` is that of the first one.
    """

    name: str
    players: tuple[int, ...]
    points: tuple[float, ...]
    weights: tuple[float, ...]
    place: float
    best: int

    @property
    def point(self) -> float:
        """The side's points: what each of a team's members has is the team's."""
        return self.points[0]


def sides_of(games: Games, start: int, stop: int) -> list[Side]:
    """The sides of the contest whose pairs are rows `start` to before `stop`, by place; equals by name."""
    better: dict[int, int] = {}  # how many players were placed better: the order of places
    for row in range(start, stop):
        one, two, score = int(games.first[row]), int(games.second[row]), games.scores[games.score[row]]
        better[one] = better.get(one, 0) + (score[0] < score[1])
        better[two] = better.get(two, 0) + (score[1] < score[0])
    team = _of_players(games, start, stop, "team", better)
    members: dict[tuple[int, str, str], list[int]] = {}
    for code, ahead in better.items():
        members.setdefault((ahead, team[code], "" if team[code] else games.players[code]), []).append(code)
    points = _of_players(games, start, stop, "points", better)
    weights = _of_players(games, start, stop, "weight", better)
    sides: list[Side] = []
    before = 0
    for _, group in groupby(sorted(members), key=lambda key: key[0]):
        level = list(group)
        place = before + (len(level) + 1) / 2
        for key in level:
            codes = sorted(members[key], key=games.players.__getitem__) if key[1] else members[key]
            own = [tuple([facts[code] for code in codes]) for facts in (points, weights)]
            sides.append(Side(key[1], tuple(codes), own[0], own[1], place, before + 1))
        before += len(level)
    return sides


def _of_players(games: Games, start: int, stop: int, fact: str, codes: Iterable[int]) -> dict[int, Any]:
    """What the rows say of each player: the team, points or weight."""
    if fact == "team":
        held: list[Any] = [games.labels.get("first_team"), games.labels.get("second_team")]
    else:
        held = [getattr(games, f"first_{fact}"), getattr(games, f"second_{fact}")]
    found = dict.fromkeys(codes, "" if fact == "team" else NAN)
    for column, players in zip(held, (games.first, games.second)):
        if column is not None:
            found.update({int(players[row]): column[row] for row in range(start, stop)})
    return found


def compared(sides: Sequence[Side], compare: str) -> Weights:
    """Which sides (by number) are compared, and what each comparison counts.

    `neighbours`: those that stand next to each other; level ones stand in every order, each as likely, so that a
    comparison counts its share of the orders in which the two are neighbours.
    """
    pairs = list(combinations(range(len(sides)), 2))
    if compare == "first":
        return {pair: 1.0 for pair in pairs if sides[pair[0]].best == 1}
    if compare != "neighbours":
        return dict.fromkeys(pairs, 1.0)
    groups: dict[int, list[int]] = {}
    for number, side in enumerate(sides):
        groups.setdefault(side.best, []).append(number)
    found = {pair: 2.0 / len(group) for group in groups.values() for pair in combinations(group, 2)}
    for above, below in pairwise(groups.values()):
        found.update({(one, two): 1.0 / (len(above) * len(below)) for one in above for two in below})
    return found


def numbered(sides: Sequence[Side]) -> dict[int, int]:
    """The number of the side of each player."""
    return {code: number for number, side in enumerate(sides) for code in side.players}


def not_compared(games: Games, contests: Sequence[tuple[int, int, str]]) -> list[int]:
    """The rows that are pairs of sides which the rules do not compare; `contests`: (first row, last + 1, compare)."""
    found = []
    for start, stop, compare in contests:
        if compare not in ("neighbours", "first"):
            continue
        sides = sides_of(games, start, stop)
        count, number = compared(sides, compare), numbered(sides)
        for row in range(start, stop):
            one, two = sorted((number[int(games.first[row])], number[int(games.second[row])]))
            if (one, two) not in count:
                found.append(row)
    return found


def refuse_contests(games: Games) -> None:
    """Raises DataError for contests of several players, which cannot be settled game by game."""
    if games.contest is not None:
        hint = "rate them under --rules multiplayer, or another rulebook whose unit is the contest, event or period"
        text = "contests of several players are no games of two, and the rulebook settles game by game"
        raise DataError([Problem(text, games.source, hint=hint)])


def ranks_of_contests(games: Games) -> Column:
    """For each row the rank of its contest's id, from 1; 0 for a game of two. Ids are words, or numbers that stand for
    them in their order. Raises DataError for a contest without id."""
    if games.contest is None:
        return filled("i", 0, len(games), games.first)
    held = contest_ids(games)
    if "" in held:
        raise DataError([Problem("a contest of several players needs an id", games.source)])
    ranks = {word: rank for rank, word in enumerate(sorted({*held} - {None}), 1)}
    return made("i", (ranks.get(word, 0) for word in held), games.first)


def contest_ids(games: Games) -> list[Any]:
    """For each row the id of its contest; None for a game of two."""
    if games.contest is None:
        return [None] * len(games)
    ids: Any = [""] * len(games) if games.id is None else games.id
    plain = ids.tolist() if hasattr(ids, "tolist") else ids
    return [word if several else None for word, several in zip(plain, games.contest)]


def contest_bounds(ranks: Column, place: Column | None = None) -> Iterator[tuple[int, int, int]]:
    """(first row, last + 1, day or 0) of each contest, and of each game of two, of games in their order."""
    start = 0
    for row in range(1, len(ranks) + 1):
        if row == len(ranks) or not ranks[row] or ranks[row] != ranks[row - 1]:
            yield start, row, int(place[start]) if place is not None else 0
            start = row
