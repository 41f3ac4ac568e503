"""What an office asks of the reports of a month before it rates them: whether any came twice, and whether they fit the
lists."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import combinations

from arpad.formats.lint_rounds import totals
from arpad.formats.rating_list import ChapterName, RatingList
from arpad.formats.report import RATED, Entrant, Report
from arpad.formats.report_games import event_of, fingerprint
from arpad.formats.sheet import listed
from arpad.model import Problem

#: Where players stand, by id, in each of some lists.
Rows = Sequence[Mapping[int, int]]

#: Players that a warning names.
SHOWN = 5


def once_each(reports: Sequence[Report], problems: list[Problem]) -> list[Report]:
    """The reports, of several that tell the same the first (C56); two that tell one event differently are an error."""
    first: dict[str, Report] = {}
    for report in reports:
        earlier = first.setdefault(fingerprint(report), report)
        if earlier is not report:
            text = f"{report.name}: the same players, days and results as {_called(earlier)}: counted once"
            problems.append(Problem(text, report.source, severity="warning"))
    kept = list(first.values())
    held = [(report, _pairs(report)) for report in kept]
    for (earlier, games), (report, others) in combinations(held, 2):
        shared = len(games & others)
        if shared > 1 and 2 * shared > min(len(games), len(others)) and _overlap(earlier, report):
            text = f"{report.name}: {shared} of its {len(others)} games are in {_called(earlier)} too"
            problems.append(Problem(text, report.source, hint="give the one report of the event that holds"))
    return kept


def _called(report: Report) -> str:
    return f"{report.name} ({report.source})" if report.source else report.name


def _pairs(report: Report) -> set[tuple[int, str, str]]:
    """Who had white against whom, in which round; the results are left out: they are what a second report mends."""
    names = {
        number: str(entrant.fide_id or entrant.national_id or _folded(entrant.name))
        for number, entrant in report.by_number().items()
    }
    return {
        (number, names[entrant.number], names.get(result.opponent, ""))
        for entrant in report.by_number().values()
        for number, result in enumerate(entrant.results, 1)
        if result.opponent and result.colour == "w" and result.code in RATED
    }


def _overlap(one: Report, other: Report) -> bool:
    first, second = event_of(one), event_of(other)
    return first.start <= second.end and second.start <= first.end


def rows_of(reports: Sequence[Report], lists: Sequence[RatingList]) -> Rows:
    """The players of the reports in each list; a list is gone through once, however many reports there are."""
    wanted = {entrant.fide_id for report in reports for entrant in report.entrants if entrant.fide_id}
    return [{int(number): row for row, number in enumerate(each.id) if number in wanted} for each in lists]


def doubts(report: Report, chapter: ChapterName, lists: Sequence[RatingList], among: Rows) -> Iterator[Problem]:
    """Where a report and the list in force when it began (`lists`: oldest first; `among`: their
    `rows_of`) speak of different people or ratings:
    who is not listed, whose id is another's, whose rating is another one, for the list is what counts."""
    start = event_of(report).start
    if start < lists[0].day:
        text = f"{report.name}: began on {date.fromordinal(start)}, and the oldest list is of {_day(lists[0])}"
        hint = "its ratings are taken; give the list of that day as well"
        yield Problem(text, report.source, hint=hint, severity="warning")
    at, rows = _in_force(report, lists, among)
    absent, strange, other = [], [], []
    for entrant in report.entrants:
        row = rows.get(entrant.fide_id or 0)
        if row is None:
            absent.append(
                f"{entrant.name} ({_place(entrant, f'id {entrant.fide_id}' if entrant.fide_id else 'no id')})"
            )
            continue
        if entrant.name and not _words(entrant.name) & _words(at.name[row]):
            strange.append(f"{entrant.fide_id} is {at.name[row]} there and {entrant.name} here ({_place(entrant)})")
        rating = _rating(at, chapter, row)
        if entrant.rating and entrant.rating != rating:
            other.append(f"{entrant.name} {rating or 'unrated'} there and {entrant.rating} here ({_place(entrant)})")
    for found, what in (
        (absent, "not on the list of {}, and without a rating"),
        (strange, "whose id is of another name on the list of {}"),
        (other, "whose rating is not that of the list of {}, which counts"),
    ):
        if found:
            text = f"{report.name}: {len(found)} {'player' if len(found) == 1 else 'players'} {what.format(_day(at))}"
            yield Problem(f"{text}: {listed(found, SHOWN)}", report.source, severity="warning")
    if wrong := [f"{finding.message} (line {finding.line})" for finding in totals(report)]:
        text = f"{report.name}: {len(wrong)} {'total is' if len(wrong) == 1 else 'totals are'} not that of the rounds"
        hint = "the rounds are rated; `arpad check` proposes repairs"
        yield Problem(f"{text}: {listed(wrong, SHOWN)}", report.source, hint=hint, severity="warning")


def _in_force(report: Report, lists: Sequence[RatingList], among: Rows) -> tuple[RatingList, Mapping[int, int]]:
    """The list in force when a report's event began, the oldest if none was yet, and where players stand in it."""
    start = event_of(report).start
    place = max((at for at, each in enumerate(lists) if each.day <= start), default=0)
    return lists[place], among[place]


def ratings_in_force(report: Report, chapter: ChapterName, lists: Sequence[RatingList], among: Rows) -> dict[str, int]:
    """The ratings of a report's players, by id, on the list in force when it began; who has none is left out."""
    at, rows = _in_force(report, lists, among)
    ids = {entrant.fide_id for entrant in report.entrants if entrant.fide_id} & rows.keys()
    return {str(number): rating for number in sorted(ids) if (rating := _rating(at, chapter, rows[number]))}


def _rating(at: RatingList, chapter: ChapterName, row: int) -> int:
    """What the list says of a player in a chapter, or in standard where that stands in for it; 0 is unrated."""
    held: Mapping[ChapterName, int] = {name: int(each.rating[row]) for name, each in at.chapters.items()}
    return held.get(chapter) or held.get("standard") or 0


def _place(entrant: Entrant, what: str = "") -> str:
    return ", ".join(part for part in (what, f"line {entrant.line}" if entrant.line else "") if part)


def _day(each: RatingList) -> date:
    return date.fromordinal(each.day)


def _folded(name: str) -> str:
    return " ".join(sorted(_words(name)))


def _words(name: str) -> set[str]:
    """The words of a name without case, accents and punctuation."""
    bare = unicodedata.normalize("NFKD", name.casefold())
    kept = "".join(letter if letter.isalnum() else " " for letter in bare if not unicodedata.combining(letter))
    return set(kept.split())
