"""A rating office's month: the lists so far and the reports that came in → the next list, and why each number moved.

Each chapter (standard, rapid, blitz) is one replay of the reports that belong to it; the standard list stands in where
rapid or blitz has none. Nothing here computes a rating: what is done is choosing what goes into the replay, and writing
what comes out into the columns of the next list.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import chain, count

import msgspec
from msgspec.structs import replace

from arpad.engine import replay
from arpad.errors import DataError, UsageError
from arpad.explain import explain
from arpad.formats.rating_list import CHAPTERS, ChapterName, RatingList, told_by_k, young_on
from arpad.formats.report import Report
from arpad.formats.report_games import event_of, report_games, report_players, report_start
from arpad.merging import merged
from arpad.model import Act, Column, Event, Games, PartialDate, Problem, Start
from arpad.month_reports import doubts, once_each, ratings_in_force, rows_of
from arpad.newcomers import Waiting
from arpad.next_list import ChapterMonth, Standing, Standings, next_list, quiet_list, with_inactive
from arpad.order import reordered
from arpad.periods import Calendar, Period
from arpad.rulebooks import load
from arpad.rulebooks.book import Rulebook
from arpad.substitution import Lists
from arpad.time_control import chapter as chapter_of_text
from arpad.time_control import clocks_of, least_for_standard

#: A report that misses so many lists after the event's end is not rated any more (FIDE B.02, 0 and 10).
LATEST = 3


#: Games that wait for a first rating, by chapter and player.
WaitingGames = Mapping[tuple[str, str], tuple[Waiting, ...]]


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
    _listed_chapters(sorted_reports, ordered[-1])
    rows = {str(number): row for row, number in enumerate(ordered[-1].id)}
    known: dict[tuple[str, str], Standing] = dict(standings or {})
    held = dict(waiting or {})
    base = list(acts)
    done: list[ChapterMonth] = []
    listed = ordered[-1]
    for name in CHAPTERS:
        taken = sorted_reports.get(name, [])
        if name not in listed.chapters:
            continue
        if not taken:
            listed = quiet_list(listed, name, ordered, day)
            continue
        rated = _chapter(name, taken, ordered, day, (known, held), base, _as_lists(ordered))
        held = {key: games for key, games in held.items() if key[0] != name}
        held |= {(name, player): games for player, games in rated.history.waiting.items()}
        done.append(rated)
        problems += [*rated.notes, *rated.history.problems]
        listed = next_list(quiet_list(listed, name, ordered, day), rated, rows, day, known, problems)
    problems += _left_out(base, done)
    listed = with_inactive(listed, rows, day, known)
    return Month(replace(listed, day=day.toordinal(), kept={}), done, known, held, problems)


def _left_out(acts: Sequence[Act], done: Sequence[ChapterMonth]) -> list[Problem]:
    """A word on corrections for people who played in no report: no replay has them."""
    played = {player for chapter in done for player in chapter.history.games.players}
    absent = sorted({act.player for act in acts} - played)
    if not absent:
        return []
    text = f"corrections not applied, for their players are in no report: {', '.join(absent)}"
    return [Problem(text, hint="change the list before this one", severity="warning")]


def _by_chapter(
    reports: Iterable[Report], day: date, only: ChapterName | None, problems: list[Problem]
) -> dict[ChapterName, list[Report]]:
    """The reports that belong to this list, by chapter, in the order of their events and never that of arrival."""
    found: dict[ChapterName, list[Report]] = {}
    for report in sorted(reports, key=lambda each: (event_of(each).end, event_of(each).start, each.name, each.source)):
        event = event_of(report)
        chapter = only or _chapter_of(report)
        if not event.end:
            text = f"{report.name or 'the report'}: the event has no dates"
            problems.append(Problem(text, report.source, hint="records 042 and 052 have them"))
        elif event.end < event.start:
            ends, begins = date.fromordinal(event.end), date.fromordinal(event.start)
            problems.append(Problem(f"{report.name}: ends on {ends}, before it begins on {begins}", report.source))
        elif chapter is None:
            said = report.time_control or report.allotted
            text = (
                f"{report.name or 'the report'}: no chapter: the time control is {repr(said) if said else 'not said'}"
            )
            problems.append(Problem(text, report.source, hint="say --chapter standard, rapid or blitz"))
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
    found = {chapter: once_each(taken, problems) for chapter, taken in found.items()}
    if any(problem.severity == "error" for problem in problems):
        raise DataError([problem for problem in problems if problem.severity == "error"])
    return found


def _listed_chapters(reports: Mapping[ChapterName, Sequence[Report]], newest: RatingList) -> None:
    """Raises DataError for reports of a chapter that the list has not: to leave them out would lose their games."""
    day = date.fromordinal(newest.day)
    lost = [
        Problem(
            f"{report.name}: an event of {name}, and no list of {day} has {name}",
            report.source,
            hint=f"give the {name} list of that day as well, or leave the report out",
        )
        for name, taken in reports.items()
        if name not in newest.chapters
        for report in taken
    ]
    if lost:
        raise DataError(lost)


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
    notes: list[Problem] = []
    taken: set[str] = set()
    among = rows_of(reports, lists)
    for report in reports:
        notes += doubts(report, name, lists, among)
        games, found = report_games(report)
        problems += [problem for problem in found if problem.severity == "error"]
        games, short = _long_enough(games, report, name, ratings_in_force(report, name, lists, among))
        notes += short
        event = event_of(report)
        parts.append(replace(games, events=[replace(event, name=_own_name(event, taken), rated=day.toordinal() - 1)]))
        names |= {player.id: player.name for player in report_players(report).values()}
        born |= {start.player: start.born for start in report_start(report) if start.born}
    if problems:
        raise DataError(problems)
    whole = parts[0] if len(parts) == 1 else merged(parts)[0]
    start, corrections = _states(name, whole.players, lists, kept[0], born)
    played = set(whole.players)
    history = replay(
        whole,
        rulebook,
        start,
        [*corrections, *(act for act in acts if act.player in played)],
        substitutes=substitutes if name != "standard" else None,
        waiting={player: games for (chapter, player), games in kept[1].items() if chapter == name},
    )
    changes = {player: told for player in whole.players if (told := explain(history, player))}
    return ChapterMonth(name, history, changes, names, [report.source for report in reports], notes)


def _own_name(event: Event, taken: set[str]) -> str:
    """The name of an event; of two that share one the later has its first day in it, for each is rated by itself."""
    day = date.fromordinal(event.start)
    numbered = (f"{event.name} ({day}, {number})" for number in count(2))
    name = next(name for name in chain((event.name, f"{event.name} ({day})"), numbered) if name not in taken)
    taken.add(name)
    return name


def _long_enough(
    games: Games, report: Report, name: ChapterName, held: Mapping[str, int]
) -> tuple[Games, list[Problem]]:
    """The games of a standard event whose players had as much time as their ratings ask for (FIDE B.02, 1.1)."""
    event = event_of(report)
    clocks = clocks_of(report)
    if name != "standard" or clocks is None or not event.start:
        return games, []
    seconds = min(clock.seconds() for clock in clocks)
    begins = date.fromordinal(event.start)
    short = []
    for row in range(len(games)):
        ratings = [held.get(games.players[code]) for code in (games.first[row], games.second[row])]
        highest = max((rating for rating in ratings if rating is not None), default=None)
        if seconds < least_for_standard(highest, begins):
            short.append(row)
    if not short:
        return games, []
    text = f"{report.name}: {len(short)} game(s) not rated, {seconds // 60} minutes are too few for their players"
    keep = array("i", (row for row in range(len(games)) if row not in set(short)))
    return reordered(games, keep), [Problem(text, report.source, severity="warning")]


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
                year = 0 if row is None else int(each.born[row])
                k = 0 if row is None or chapter is None else int(chapter.k[row])
                standing = known.get((name, player)) or _out_of_k(k, printed, young_on(each.day, year))
                birth = PartialDate(year) if year else born.get(player)
                found.append(Start(player, printed, standing.games, max(standing.peak, printed or 0), born=birth))
            elif printed is not None and printed != held:
                later.append(Act("entry", player, each.day, float(printed), reason="as published"))
            held = printed if number == 0 or printed is not None else held
    return found, later


def _out_of_k(k: int, rating: float | None, young: bool) -> Standing:
    games, peak = told_by_k(k, rating, young)
    return Standing(games or 0, peak or 0)


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


def live(rated: ChapterMonth) -> list[tuple[str, float, float, float, int]]:
    """(player, list rating, change so far, live rating, games): the changes before they are rounded."""
    found = []
    for player, changes in rated.changes.items():
        for change in changes:
            if change.kind == "games" and change.exact is not None and change.before is not None:
                played = sum(not game.note for game in change.games)
                found.append((player, change.before, change.exact, change.before + change.exact, played))
    return sorted(found, key=lambda row: (-row[3], row[0]))
