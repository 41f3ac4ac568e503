"""The columns of the next list: what a chapter's replay came to, and what a day does to those who did not play."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from datetime import date

import msgspec
from msgspec.structs import replace

from arpad import kernel
from arpad.acts import uplifted
from arpad.engine import History
from arpad.explain import ChangeExplained
from arpad.formats.rating_list import Chapter, ChapterName, RatingList
from arpad.model import Column, Labels, Problem
from arpad.rulebooks import load


class Standing(msgspec.Struct, frozen=True):
    """What a list does not print of a player: games played in all, highest published rating, last rated period."""

    games: int
    peak: float
    last: int = 0


class ChapterMonth(msgspec.Struct, frozen=True):
    """One chapter of a month: its replay, and every change with its working, by player."""

    chapter: ChapterName
    history: History
    changes: Mapping[str, list[ChangeExplained]]
    names: Mapping[str, str]
    reports: Sequence[str]
    notes: Sequence[Problem] = ()


#: Standings by chapter and player.
Standings = Mapping[tuple[str, str], Standing]


def next_list(
    listed: RatingList,
    rated: ChapterMonth,
    rows: Mapping[str, int],
    day: date,
    known: dict[tuple[str, str], Standing],
    problems: list[Problem],
) -> RatingList:
    """The list with one chapter's new ratings, games and K; flags of who played are taken off."""
    history, name = rated.history, rated.chapter
    rating, games, k = (array("i", column) for column in _columns(listed.chapters[name]))
    flags = array("i", listed.flag.codes)
    active = {code: word.replace("i", "") for code, word in enumerate(listed.flag.names)}
    words = list(listed.flag.names)
    played = _games_rated(history)
    for code, player in enumerate(history.players):
        if player not in rows:
            if history.rating(player) is not None:
                who = rated.names.get(player, player)
                who += f" (id {player})" if who != player else ""
                problems.append(
                    Problem(f"{who} has a rating now, and no row on the list: left out", severity="warning")
                )
            continue
        row = rows[player]
        value, total, peak = (float(number) for number in history.state_of(code)[:3])
        rating[row] = 0 if value != value else int(value)
        games[row] = played.get(player, 0)
        k[row] = 0 if value != value else int(printed_k(history, code, day))
        before = known.get((name, player))
        last = day.toordinal() if played.get(player) else before.last if before else 0
        known[name, player] = Standing(int(total), peak, last)
        if played.get(player) and flags[row] >= 0:
            word = active[flags[row]]
            if word not in words:
                words.append(word)
            flags[row] = words.index(word) if word else -1
    chapters = {**listed.chapters, name: Chapter(rating, games, k)}
    return replace(listed, chapters=chapters, flag=Labels(flags, words), kept={})


def _games_rated(history: History) -> dict[str, int]:
    """Games of the last period that were rated, by player; those of a first rating among them."""
    counts: dict[str, int] = {}
    for _, code, _, _, games, *_ in history.recording.changes:
        counts[history.players[code]] = counts.get(history.players[code], 0) + int(games)
    for first in history.firsts:
        now = max((game.period for game in first.games), default=0)
        counts[first.player] = counts.get(first.player, 0) + sum(game.period == now for game in first.games)
    return counts


def printed_k(history: History, code: int, day: date) -> float:
    """K as the list of a day prints it, for the games that the next list rates, before any limit on K times games."""
    index = history.rulebook.edition_index(day.toordinal())
    rules, at = history.compiled.rules, history.compiled.blocks[index]
    born = int(history.born[code])
    age = float("nan") if not born else float(day.year - born // 10000)
    rating, games, peak = (float(number) for number in history.state_of(code)[:3])
    return kernel.coefficient_of(rules, at, rating, games, peak, age, 0.0)


def _columns(chapter: Chapter) -> tuple[Column, Column, Column]:
    return chapter.rating, chapter.games, chapter.k


def quiet_list(listed: RatingList, name: ChapterName, lists: Sequence[RatingList], day: date) -> RatingList:
    """The list of a day if nobody had played: no games, and everybody revalued where a revaluation fell due."""
    rulebook = load(f"fide/{name}")
    rating = array("i", listed.chapters[name].rating)
    standard = listed.chapters.get("standard")
    due = {
        uplift.date.toordinal(): index
        for index, edition in reversed(list(enumerate(rulebook.editions)))
        for uplift in edition.uplift
        if lists[-1].day < uplift.date.toordinal() <= day.toordinal()
    }
    for when, index in sorted(due.items()):
        for row, held in enumerate(rating):
            if held:
                other = float(standard.rating[row]) if standard is not None and standard.rating[row] else float("nan")
                rating[row] = int(uplifted(rulebook, index, when, float(held), other))
    chapter = Chapter(rating, array("i", [0]) * len(listed), listed.chapters[name].k)
    return replace(listed, chapters={**listed.chapters, name: chapter})


def with_inactive(listed: RatingList, rows: Mapping[str, int], day: date, known: Standings) -> RatingList:
    """The list with the flag of those whose last rated period is known and too long ago; the others keep theirs."""
    activity = load("fide/standard").on(day).activity
    if activity is None:
        return listed
    month_ = day.year * 12 + day.month - 1 - activity.months
    oldest = date(month_ // 12, month_ % 12 + 1, 1).toordinal()
    latest: dict[str, int] = {}
    for (_, player), standing in known.items():
        latest[player] = max(latest.get(player, 0), standing.last)
    flags, words = array("i", listed.flag.codes), list(listed.flag.names)
    for player, last in latest.items():
        row = rows.get(player)
        word = "" if row is None or flags[row] < 0 else words[flags[row]]
        if row is not None and 0 < last <= oldest and "i" not in word:
            if word + "i" not in words:
                words.append(word + "i")
            flags[row] = words.index(word + "i")
    return replace(listed, flag=Labels(flags, words))
