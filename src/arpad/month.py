"""A rating office's month: the lists so far and the reports that came in → the next list, and why each number moved.

Each chapter (standard, rapid, blitz) is one replay of the reports that belong to it; the standard list stands in where
rapid or blitz has none. Nothing here computes a rating: what is done is choosing what goes into the replay, and writing
what comes out into the columns of the next list.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

import msgspec
from msgspec.structs import replace

from arpad import kernel
from arpad.acts import STATE
from arpad.engine import History, Lists, replay
from arpad.errors import DataError, UsageError
from arpad.explain import ChangeExplained, explain
from arpad.formats.rating_list import CHAPTERS, Chapter, ChapterName, RatingList
from arpad.formats.report import Report
from arpad.formats.report_games import event_of, report_games, report_players, report_start
from arpad.merging import merged
from arpad.model import Act, Column, Games, Labels, PartialDate, Problem, Start
from arpad.newcomers import Waiting
from arpad.order import Calendar, Period
from arpad.rulebooks import load
from arpad.rulebooks.book import Rulebook
from arpad.time_control import chapter as chapter_of_text

#: A report that misses so many lists after the event's end is not rated any more (FIDE B.02, 0 and 10).
LATEST = 3


class Standing(msgspec.Struct, frozen=True):
    """What a list does not print of a player: games played in all, highest published rating, last rated period."""

    games: int
    peak: float
    last: int = 0


#: Standings by chapter and player.
Standings = Mapping[tuple[str, str], Standing]


#: Games that wait for a first rating, by chapter and player.
WaitingGames = Mapping[tuple[str, str], tuple[Waiting, ...]]


class ChapterMonth(msgspec.Struct, frozen=True):
    """One chapter of a month: its replay, and every change with its working, by player."""

    chapter: ChapterName
    history: History
    changes: Mapping[str, list[ChangeExplained]]
    names: Mapping[str, str]
    reports: Sequence[str]


class Month(msgspec.Struct, frozen=True):
    """The next list, what moved, and what an office must know for the month after."""

    listed: RatingList
    chapters: Sequence[ChapterMonth]
    standings: Standings
    waiting: WaitingGames
    problems: Sequence[Problem]


def month(
    lists: Sequence[RatingList],
    reports: Iterable[Report],
    day: date,
    standings: Standings | None = None,
    acts: Iterable[Act] = (),
    only: ChapterName | None = None,
    waiting: WaitingGames | None = None,
) -> Month:
    """The list of a day from the lists before it and the reports of the events that ended since.

    `lists`: the newest list before `day`, and older ones as far back as the oldest event began. `standings`: what an
    earlier month left; without it, games and highest rating are read out of the printed K. `acts`: corrections of the
    base. `waiting`: games of unrated players from earlier months.
    Reports of events that end on `day` or later are left for the next list. Raises UsageError for lists
    that do not fit, DataError for reports that cannot be rated.
    """
    ordered = sorted(lists, key=lambda each: each.day)
    if not ordered or any(each.day == 0 for each in ordered):
        raise UsageError("a month needs the list before it, and its day")
    if ordered[-1].day >= day.toordinal():
        raise UsageError(f"the newest list is of {date.fromordinal(ordered[-1].day)}, not before {day}")
    problems: list[Problem] = []
    sorted_reports = _by_chapter(reports, day, only, problems)
    rows = {str(number): row for row, number in enumerate(ordered[-1].id)}
    known: dict[tuple[str, str], Standing] = dict(standings or {})
    held = dict(waiting or {})
    base = list(acts)
    done: list[ChapterMonth] = []
    listed = ordered[-1]
    for name in CHAPTERS:
        taken = sorted_reports.get(name, [])
        if not taken or name not in listed.chapters:
            continue
        rated = _chapter(name, taken, ordered, day, (known, held), base, _as_lists(ordered))
        held = {key: games for key, games in held.items() if key[0] != name}
        held |= {(name, player): games for player, games in rated.history.waiting.items()}
        done.append(rated)
        problems += rated.history.problems
        listed = _next(listed, rated, rows, day, known, problems)
    return Month(_dated(listed, day, {each.chapter for each in done}), done, known, held, problems)


def _by_chapter(
    reports: Iterable[Report], day: date, only: ChapterName | None, problems: list[Problem]
) -> dict[ChapterName, list[Report]]:
    """The reports that belong to this list, by chapter, in the order of their events and never that of arrival."""
    found: dict[ChapterName, list[Report]] = {}
    for report in sorted(reports, key=lambda each: (event_of(each).end, event_of(each).start, each.name, each.source)):
        event = event_of(report)
        chapter = only or _chapter_of(report)
        if chapter is None:
            text = f"{report.name or 'the report'}: no chapter: the time control is {report.allotted or 'not said'!r}"
            problems.append(Problem(text, report.source, hint="say --chapter standard, rapid or blitz"))
        elif not event.end:
            problems.append(Problem(f"{report.name}: the event has no dates", report.source))
        elif event.end >= day.toordinal():
            text = (
                f"{report.name}: ends on {date.fromordinal(event.end)}, and waits for a later list than that of {day}"
            )
            problems.append(Problem(text, report.source, severity="warning"))
        elif event.end < _lists_back(day, LATEST):
            text = (
                f"{report.name}: ended on {date.fromordinal(event.end)}, too long ago to be rated on the list of {day}"
            )
            problems.append(Problem(text, report.source, severity="warning"))
        else:
            found.setdefault(chapter, []).append(report)
    if any(problem.severity == "error" for problem in problems):
        raise DataError([problem for problem in problems if problem.severity == "error"])
    return found


def _chapter_of(report: Report) -> ChapterName | None:
    start = event_of(report).start
    if not start:
        return None
    for text in (report.time_control, report.allotted, report.kind):
        try:
            chapter = chapter_of_text(text, date.fromordinal(start)) if text else None
        except ValueError:
            continue
        if chapter:
            return chapter
    return None


def _lists_back(day: date, lists: int) -> int:
    """The first day (ordinal) of the period so many lists ago."""
    first = day.toordinal()
    for _ in range(lists):
        first = _calendar(load("fide/standard")).around(first - 1)[0]
    return first


def _calendar(rulebook: Rulebook) -> Calendar:
    return Calendar(
        tuple(
            (edition.since.toordinal() if edition.since else 0, Period.parse(edition.unit.of))
            for edition in rulebook.editions
        )
    )


def _chapter(
    name: ChapterName,
    reports: Sequence[Report],
    lists: Sequence[RatingList],
    day: date,
    kept: tuple[Standings, WaitingGames],
    acts: Sequence[Act],
    substitutes: Lists,
) -> ChapterMonth:
    rulebook = load(f"fide/{name}")
    parts: list[Games] = []
    names: dict[str, str] = {}
    born: dict[str, PartialDate | None] = {}
    problems: list[Problem] = []
    for report in reports:
        games, found = report_games(report)
        problems += [problem for problem in found if problem.severity == "error"]
        parts.append(replace(games, events=[replace(event_of(report), rated=day.toordinal() - 1)]))
        names |= {player.id: player.name for player in report_players(report).values()}
        born |= {start.player: start.born for start in report_start(report) if start.born}
    if problems:
        raise DataError(problems)
    whole = parts[0] if len(parts) == 1 else merged(parts)[0]
    start, corrections = _states(name, whole.players, lists, kept[0], born)
    history = replay(
        whole,
        rulebook,
        start,
        [*corrections, *(act for act in acts if act.player in set(whole.players))],
        substitutes=substitutes if name != "standard" else None,
        waiting={player: games for (chapter, player), games in kept[1].items() if chapter == name},
    )
    changes = {player: told for player in whole.players if (told := explain(history, player))}
    return ChapterMonth(name, history, changes, names, [report.source for report in reports])


def _states(
    name: ChapterName,
    players: Sequence[str],
    lists: Sequence[RatingList],
    known: Mapping[tuple[str, str], Standing],
    born: Mapping[str, PartialDate | None],
) -> tuple[list[Start], list[Act]]:
    """What is known of the players on the oldest list, and what each later list says otherwise."""
    found: list[Start] = []
    later: list[Act] = []
    rows = [{str(number): row for row, number in enumerate(each.id)} for each in lists]
    for player in players:
        held: float | None = None
        for number, each in enumerate(lists):
            row = rows[number].get(player)
            chapter = each.chapters.get(name)
            printed = None if row is None or chapter is None else int(chapter.rating[row]) or None
            if number == 0:
                standing = known.get((name, player)) or _out_of_k(
                    0 if row is None or chapter is None else int(chapter.k[row]), printed
                )
                year = 0 if row is None else int(each.born[row])
                birth = PartialDate(year) if year else born.get(player)
                found.append(Start(player, printed, standing.games, max(standing.peak, printed or 0), born=birth))
            elif printed is not None and printed != held:
                later.append(Act("entry", player, each.day, float(printed), reason="as published"))
            held = printed if number == 0 or printed is not None else held
    return found, later


def _out_of_k(k: int, rating: float | None) -> Standing:
    """Games and highest rating that give the printed K: 10 means 2400 was reached, 20 that 30 games are played."""
    if k == 10:
        return Standing(30, 2400)
    return Standing(30 if k == 20 else 0, 2300 if k == 20 and (rating or 0) < 2300 else rating or 0)


def _as_lists(lists: Sequence[RatingList]) -> Lists:
    """The standard ratings of the lists as published, for who has none of his own elsewhere."""
    codes = {str(number): row for row, number in enumerate(lists[-1].id)}
    days, ratings = [], []
    for each in lists:
        chapter = each.chapters.get("standard")
        column: Column = array("d", [float("nan")]) * len(codes)
        if chapter is not None:
            for row, number in enumerate(each.id):
                if str(number) in codes and chapter.rating[row]:
                    column[codes[str(number)]] = float(chapter.rating[row])
        days.append(each.day)
        ratings.append(column)
    return Lists(codes, days, ratings)


def _next(
    listed: RatingList,
    rated: ChapterMonth,
    rows: Mapping[str, int],
    day: date,
    known: dict[tuple[str, str], Standing],
    problems: list[Problem],
) -> RatingList:
    """The list with one chapter's new ratings, games and K; flags of who played are taken off."""
    history, name = rated.history, rated.chapter
    old = listed.chapters[name]
    rating, games, k = (array("i", column) for column in (old.rating, [0] * len(listed), old.k))
    flags = array("i", listed.flag.codes)
    active = {code: word.replace("i", "") for code, word in enumerate(listed.flag.names)}
    words = list(listed.flag.names)
    played = _games_rated(history)
    for code, player in enumerate(history.players):
        if player not in rows:
            if history.state[STATE * code] == history.state[STATE * code]:
                text = f"{rated.names.get(player, player)} has a rating and no FIDE id: cannot be listed"
                problems.append(Problem(text, severity="warning"))
            continue
        row = rows[player]
        value = float(history.state[STATE * code])
        rating[row] = 0 if value != value else int(value)
        games[row] = played.get(player, 0)
        total, peak = int(history.state[STATE * code + 1]), float(history.state[STATE * code + 2])
        k[row] = 0 if value != value else int(printed_k(history, code, day))
        before = known.get((name, player))
        last = day.toordinal() if played.get(player) else before.last if before else 0
        known[name, player] = Standing(total, peak, last)
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
    rating, games, peak = (float(history.state[STATE * code + field]) for field in range(3))
    return kernel.coefficient_of(rules, at, rating, games, peak, age, 0.0)


def live(rated: ChapterMonth) -> list[tuple[str, float, float, float, int]]:
    """(player, list rating, change so far, live rating, games): the changes before they are rounded."""
    found = []
    for player, changes in rated.changes.items():
        for change in changes:
            if change.kind == "games" and change.exact is not None and change.before is not None:
                played = sum(not game.note for game in change.games)
                found.append((player, change.before, change.exact, change.before + change.exact, played))
    return sorted(found, key=lambda row: (-row[3], row[0]))


def _dated(listed: RatingList, day: date, done: Iterable[ChapterName]) -> RatingList:
    """The list as of its day; chapters in which nothing was rated print no games."""
    chapters = {
        name: chapter if name in set(done) else replace(chapter, games=array("i", [0]) * len(listed))
        for name, chapter in listed.chapters.items()
    }
    return replace(listed, day=day.toordinal(), chapters=chapters, kept={})
