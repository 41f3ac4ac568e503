"""Reports to FIDE's tournament report files.

The records of the file are the ground: a value is written into its columns only where it differs from what they say
already. A report that comes from nowhere is written by the same rule, over nothing.
"""

from __future__ import annotations

import codecs
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from msgspec.structs import asdict, replace

from arpad.errors import DataError
from arpad.formats import layouts
from arpad.formats.layouts import Layout, put
from arpad.formats.report import Entrant, Line, National, Report, RoundResult
from arpad.formats.trf import HEADERS, ROUND, SCORINGS, STEP, parse
from arpad.model import Problem

_BOMS = {"utf-8": codecs.BOM_UTF8, "utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}
#: The order in which new header records are put among those that stand.
_DATES = {"042": "start", "052": "end"}


def write_trf(report: Report) -> tuple[bytes, list[Problem]]:
    """The bytes of the report file, and what had to be cut short to fit its columns.

    Raises DataError for a number that does not fit.
    """
    lines, problems = write_lines(report)
    text = "".join(line.text + line.end for line in lines)
    encoding, bom = report.encoding, report.bom
    try:
        data = text.encode(encoding)
    except UnicodeEncodeError as error:
        shown = text[error.start : error.end]
        words = f"{shown!r} is not in {encoding}; written as UTF-8"
        problems.append(Problem(words, report.source, severity="warning"))
        encoding, bom, data = "utf-8", False, text.encode(errors="surrogatepass")
    return (_BOMS[encoding] if bom else b"") + data, problems


def write_lines(report: Report) -> tuple[tuple[Line, ...], list[Problem]]:
    """The records of the report file, and what had to be cut short."""
    before, _ = parse(report.lines, report.date_order)
    page = _Page(report)
    _write_headers(page, before, report)
    _write_dates(page, before, report)
    _write_entrants(page, before, report)
    for code, was, now in _records(before, report):
        _write_record(page, code, was, now)
    if page.wrong:
        raise DataError(page.wrong)
    return page.lines(), page.problems


class _Page:
    """The records while they are written: texts by line, what is new, what goes."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.texts: list[str | None] = [line.text for line in report.lines]
        self.ends = [line.end for line in report.lines]
        self.common = Counter(end for end in self.ends if end).most_common(1)
        self.new: list[tuple[int, str]] = []  # (before which line, text)
        self.problems: list[Problem] = []
        self.wrong: list[Problem] = []

    def place(self, code: str) -> int:
        """Before which of the standing lines a new record of this code comes."""
        group = _group(code)
        later = [at for at, text in enumerate(self.texts) if text is not None and _group(text[:3]) <= group]
        return later[-1] + 1 if later else 0

    def put(self, line: int, text: str) -> None:
        """Write a line anew, or a new one (line 0) at the place of its kind."""
        if line:
            self.texts[line - 1] = text
        else:
            self.new.append((self.place(text[:3]), text))

    def lines(self) -> tuple[Line, ...]:
        end = self.common[0][0] if self.common else "\r\n"
        by_place: dict[int, list[str]] = {}
        for place, text in sorted(self.new, key=lambda item: (item[0], _group(item[1][:3]))):
            by_place.setdefault(place, []).append(text)
        found: list[Line] = []
        for at in range(len(self.texts) + 1):
            for text in by_place.get(at, ()):
                if found and not found[-1].end:
                    found[-1] = Line(found[-1].text, end)
                found.append(Line(text, end))
            if at < len(self.texts) and (kept := self.texts[at]) is not None:
                found.append(Line(kept, self.ends[at]))
        return tuple(found)


def _group(code: str) -> tuple[int, str]:
    """Header records by their number, then players, national records, teams and the rest, then comments."""
    if code in HEADERS or code in SCORINGS or code in _DATES or code in ("112", "132"):
        return 0, code
    if code == "001":
        return 1, ""
    if code.isalpha() and not code.startswith("XX"):
        return 2, ""
    if code == "###" or not code.strip():
        return (-1, "") if code != "###" else (0, "000")
    return 3, code


def _write_headers(page: _Page, before: Report, report: Report) -> None:
    for code, (name, _, writer) in HEADERS.items():
        value = getattr(report, name)
        if value == getattr(before, name):
            continue
        at = _line_of(report.lines, "XXR" if code == "142" and not _line_of(report.lines, "142") else code)
        text = writer(value) if value is not None else ""
        start = f"{report.lines[at - 1].code} " if at else f"{code} "
        if code == "142" and not at and not report.lines and not _wants_26(report):
            start = "XXR "
        page.put(at, start + " ".join(text.split()))
    for code, name in SCORINGS.items():
        points: Mapping[str, float] = getattr(report, name)
        if points != getattr(before, name):
            cells = [f"{key:>2}{value:4.1f}" for key, value in points.items()]
            page.put(_line_of(report.lines, code), f"{code} " + "   ".join(cells))
    if report.deputies != before.deputies:
        for at, line in enumerate(report.lines):
            if line.code == "112":
                page.texts[at] = None
        for deputy in report.deputies:
            page.put(0, f"112 {deputy}")


def _wants_26(report: Report) -> bool:
    facts = ("initial_colour", "ranking_method", "controller", "system", "tiebreaks", "standing", "time_control")
    return any(getattr(report, name) for name in (*facts, "board_colours", "scoring", "match_scoring", "extras"))


def _write_dates(page: _Page, before: Report, report: Report) -> None:
    for code, name in _DATES.items():
        day: date | None = getattr(report, name)
        if day != getattr(before, name):
            page.put(_line_of(report.lines, code), f"{code} " + (f"{day:%Y/%m/%d}" if day else ""))
    if report.round_dates == before.round_dates:
        return
    at = _line_of(report.lines, "132")
    text = report.lines[at - 1].text if at else "132"
    for number in range(max(len(report.round_dates), len(before.round_dates))):
        now, was = report.round_date(number + 1), before.round_date(number + 1)
        if now != was:
            column = ROUND + STEP * number
            text = put(text, column, column + 7, f"{now:%y/%m/%d}" if now else "")
    page.put(at, text)


def _line_of(lines: Sequence[Line], code: str) -> int:
    """The first line with this code, 0 if there is none."""
    return next((number for number, line in enumerate(lines, 1) if line.code == code), 0)


def _write_entrants(page: _Page, before: Report, report: Report) -> None:
    stood = {entrant.line: entrant for entrant in before.entrants}
    for line in stood.keys() - {entrant.line for entrant in report.entrants}:
        page.texts[line - 1] = None
    without = [entrant.number for entrant in report.entrants if entrant.national_id or entrant.rating_after]
    if without:
        text = (
            f"players with ids of another register, or new ratings, for which the format has no place: {len(without)}"
        )
        page.problems.append(Problem(text, report.source, severity="warning"))
    for entrant in report.entrants:
        was = stood.get(entrant.line)
        if was == entrant:
            continue
        text = _fields(page, "001", layouts.ENTRANT, was, entrant)
        results = was.results if was else ()
        for number, (now, then) in enumerate(_pairs(entrant, results)):
            if now != then:
                text = _put_result(text, ROUND + STEP * number, now)
        page.put(entrant.line if was else 0, text)


def _pairs(entrant: Entrant, before: Sequence[RoundResult]) -> list[tuple[RoundResult, RoundResult]]:
    absent = RoundResult()
    rounds = max(len(entrant.results), len(before))
    now = [*entrant.results, *[absent] * (rounds - len(entrant.results))]
    return list(zip(now, [*before, *[absent] * (rounds - len(before))]))


def _put_result(text: str, at: int, result: RoundResult) -> str:
    if result == RoundResult():
        return put(text, at, at + 7, "")
    opponent = f"{result.opponent or 0:04d}" if result.opponent is None else f"{result.opponent:>4d}"
    return put(text, at, at + 7, f"{opponent} {result.colour or '-'} {result.code}")


def _records(before: Report, report: Report) -> list[tuple[str, Any, Any]]:
    """(code, what stood, what stands now) of every record beside the players' that changed; None is nothing."""
    found: list[tuple[str, Any, Any]] = []
    for name in ("nationals", "teams", "extras"):
        stood = {record.line: record for record in getattr(before, name)}
        held = getattr(report, name)
        found += [("", stood[line], None) for line in stood.keys() - {record.line for record in held}]
        found += [
            (_code(record), stood.get(record.line), record) for record in held if stood.get(record.line) != record
        ]
    return found


def _code(record: Any) -> str:
    if isinstance(record, National):
        return record.federation
    codes = [code for code, layout in layouts.RECORDS.items() if layout.kind is type(record)]
    return codes[-1]  # a new team is written as TRF26 has it


def _write_record(page: _Page, code: str, was: Any, now: Any) -> None:
    if now is None:
        page.texts[was.line - 1] = None
        return
    standing = page.report.lines[was.line - 1].text if was else ""
    layout = layouts.NATIONAL if isinstance(now, National) else layouts.layout_of(standing) or layouts.RECORDS[code]
    page.put(was.line if was else 0, _fields(page, code, layout, was, now))


def _fields(page: _Page, code: str, layout: Layout, was: Any, now: Any) -> str:
    standing = page.report.lines[was.line - 1].text if was else code
    line = was.line if was else 0
    try:
        text, said = layouts.written(layout, standing, asdict(was) if was else {}, now)
    except ValueError as error:
        page.wrong.append(Problem(str(error), page.report.source, line))
        return standing
    page.problems += [Problem(words, page.report.source, line, severity="warning") for words in said]
    return text


def renumbered(report: Report) -> Report:
    """The report as its own file says it: written, and read again, so that every fact has its line."""
    lines, _ = write_lines(report)
    again, _ = parse(lines, report.date_order, report.source)
    kept = {name: getattr(report, name) for name in ("encoding", "bom", "log")}
    return replace(again, **kept)
