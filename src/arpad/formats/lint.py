"""`arpad check`: everything that is wrong with a report, where, and what could be done about it.

    findings = lint(report)
    report = repair(report, [findings[0], findings[3]])     # what was accepted, and nothing else

A repair is an edit of columns. Whoever accepts it finds it noted in the file, as a comment, and in `report.log`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from msgspec.structs import replace

from arpad.errors import UsageError
from arpad.formats import codes26, layouts, lint_rounds
from arpad.formats.federations import FEDERATIONS, FORMER
from arpad.formats.layouts import cut, put
from arpad.formats.report import RATED, Edit, Entrant, Finding, Line, Repair, Report, RoundResult
from arpad.formats.trf import ACCEPTS, ROUND, STEP, parse
from arpad.formats.trf_write import renumbered

#: Ratings outside are another number in the wrong columns, until somebody says otherwise.
RATINGS = (100, 3000)
_BYE_WORDS = frozenset(
    "bye freilos spielfrei exempt exento riposo libre descansa descanso vrij fri wolny pausa pause rest".split()  # noqa: SIM905
)


def lint(
    report: Report, ratings: tuple[int, int] = RATINGS, register: Mapping[int, str] | None = None
) -> list[Finding]:
    """All findings, in the order of the file's lines. `register` (FIDE id -> name) lets ids be compared with names.

    Lines and columns are those of the report as a TRF file (`trf_write.renumbered`).
    """
    report = renumbered(report)
    _, unread = parse(report.lines, report.date_order)
    found = [*unread]
    checks: tuple[Callable[[Report], Iterator[Finding]], ...] = (
        _header, _encoded, _counts, _numbers, _identities, _names, _byes, _fields, _ranks, _nationals, _columns,
        lint_rounds.games, lint_rounds.totals, lint_rounds.rounds,
    )  # fmt: skip
    for check in checks:
        found += check(report)
    found += _ratings(report, ratings)
    found += _known_ids(report, register or {})
    found = [_accepted(finding, report.accepted) for finding in found]
    return sorted(found, key=lambda finding: (finding.line, finding.column, finding.kind))


def _accepted(finding: Finding, accepted: Sequence[str]) -> Finding:
    key = finding.repair.accepts if finding.repair else ""
    if not key or key not in accepted:
        return finding
    return replace(finding, message=f"{finding.message}; accepted", severity="warning", repair=None)


def repair(report: Report, accepted: Iterable[Finding], comment: str = "###") -> Report:
    """The report with the repairs of these findings. Each is noted in a comment record at the end, and in the log.

    Raises UsageError for a finding without a repair, and for repairs that change the same place.
    """
    report = renumbered(report)
    texts: list[str | None] = [line.text for line in report.lines]
    taken: set[tuple[int, int]] = set()
    notes: list[str] = []
    for finding in accepted:
        if finding.repair is None:
            raise UsageError(f"line {finding.line}: {finding.message}: there is no repair to accept")
        for edit in finding.repair.edits:
            _apply(edit, texts, taken)
        done = (
            f"{ACCEPTS}{finding.repair.accepts}"
            if finding.repair.accepts
            else f"arpad repaired: {finding.repair.words}"
        )
        place = f"line {finding.line}" + (f" column {finding.column}" if finding.column else "")
        notes.append(done if finding.repair.accepts else f"{done}; {place}: {finding.message}")
    if not notes:
        return report
    end = next((line.end for line in report.lines if line.end), "\r\n")
    lines = [Line(text, line.end or end) for text, line in zip(texts, report.lines) if text is not None]
    lines += [Line(f"{comment} {' '.join(note.split())}", end) for note in notes]
    again, _ = parse(lines, report.date_order, report.source)
    return replace(again, encoding=report.encoding, bom=report.bom, log=(*report.log, *notes))


def _apply(edit: Edit, texts: list[str | None], taken: set[tuple[int, int]]) -> None:
    text = texts[edit.line - 1]
    places = {(edit.line, column) for column in range(edit.first, edit.last + 1)} or {(edit.line, 0)}
    if text is None or places & taken:
        raise UsageError(f"two of the accepted repairs change line {edit.line}; accept one, and check again")
    taken |= places
    texts[edit.line - 1] = None if edit.text is None else put(text, edit.first, edit.last, edit.text)


def _line_of(report: Report, code: str) -> int:
    return next((number for number, line in enumerate(report.lines, 1) if line.code == code), 0)


def _header(report: Report) -> Iterator[Finding]:
    """Dates that are missing, in the wrong order or not as the format has them."""
    if report.start and report.end and report.end < report.start:
        yield Finding("date", f"ends {report.end}, before it starts {report.start}", _line_of(report, "052"), 5)
    for code, day, name in (("042", report.start, "start"), ("052", report.end, "end")):
        line = _line_of(report, code)
        text = report.lines[line - 1].text[4:].strip() if line else ""
        if not text:
            yield Finding("date", f"no {name} date (record {code})", line, 5 if line else 0, "warning")
        elif day and text != f"{day:%Y/%m/%d}":
            edit = Edit(line, 5, max(14, len(report.lines[line - 1].text)), f"{day:%Y/%m/%d}")
            yield Finding(
                "date",
                f"{text!r} is not written YYYY/MM/DD",
                line,
                5,
                "warning",
                Repair(f"write {day:%Y/%m/%d}", (edit,)),
            )
    line = _line_of(report, "132")
    for number, each in enumerate(report.round_dates, 1):
        at = ROUND + STEP * (number - 1)
        if each is None:
            continue
        if (report.start and each < report.start) or (report.end and each > report.end):
            yield Finding("date", f"round {number} is on {each}, outside the event", line, at, "warning")
        elif number > 1 and any(earlier and earlier > each for earlier in report.round_dates[: number - 1]):
            yield Finding("date", f"round {number} is on {each}, before an earlier round", line, at, "warning")
        raw = cut(report.lines[line - 1].text, at, at + 8).strip()
        if raw != f"{each:%y/%m/%d}":
            repair = Repair(f"write {each:%y/%m/%d}", (Edit(line, at, at + 8, f"{each:%y/%m/%d}"),))
            yield Finding("date", f"{raw!r} is not written YY/MM/DD", line, at, "warning", repair)
    yield from _federation(report.federation, _line_of(report, "032"), 5)


def _encoded(report: Report) -> Iterator[Finding]:
    """Codes of TRF26 that the format does not define."""
    wrong = []
    if report.time_control:
        try:
            codes26.time_control(report.time_control)
        except ValueError as error:
            wrong.append(("222", str(error)))
    wrong += [("202", f"unknown tie-break {name!r}") for name in codes26.unknown_tiebreaks(report.tiebreaks)]
    wrong += [("212", f"unknown tie-break {name!r}") for name in codes26.unknown_tiebreaks(report.standing)]
    if report.system and not codes26.is_system(report.system):
        wrong.append(("192", f"unknown type of tournament {report.system!r}"))
    if report.ranking_method and not codes26.is_method(report.ranking_method):
        wrong.append(("172", f"unknown starting rank method {report.ranking_method!r}"))
    for code, words in wrong:
        yield Finding("code", words, _line_of(report, code), 5, "warning")


def _counts(report: Report) -> Iterator[Finding]:
    rated = sum(1 for entrant in report.entrants if entrant.rating)
    for code, declared, found, what in (
        ("062", report.declared_players, len(report.entrants), "players"),
        ("072", report.declared_rated, rated, "rated players"),
    ):
        if declared is not None and declared != found:
            line = _line_of(report, code)
            edit = Edit(line, 5, max(5, len(report.lines[line - 1].text)), str(found))
            text = f"declares {declared} {what}, and there are {found}"
            yield Finding("count", text, line, 5, "warning", Repair(f"declare {found}", (edit,)))


def _repeated(report: Report, key: Callable[[Entrant], object]) -> Iterator[tuple[Entrant, Entrant]]:
    """(earlier, later) of entrants with the same key; blank keys are none."""
    first: dict[object, Entrant] = {}
    for entrant in report.entrants:
        value = key(entrant)
        if value and (earlier := first.setdefault(value, entrant)) is not entrant:
            yield earlier, entrant


def _numbers(report: Report) -> Iterator[Finding]:
    for earlier, entrant in _repeated(report, lambda entrant: entrant.number):
        yield Finding("number", f"starting number {entrant.number} is also on line {earlier.line}", entrant.line, 5)


def _identities(report: Report) -> Iterator[Finding]:
    for earlier, entrant in _repeated(report, lambda entrant: entrant.fide_id):
        text = f"players {earlier.number} (line {earlier.line}) and {entrant.number} both have id {entrant.fide_id}"
        yield Finding("id", text, entrant.line, 58)


def folded(name: str) -> str:
    """A name without case, spaces and punctuation, to see whether two are the same."""
    return re.sub(r"[\W_]+", " ", name.casefold()).strip()


def _names(report: Report) -> Iterator[Finding]:
    for entrant in report.entrants:
        if not entrant.name:
            yield Finding("name", f"player {entrant.number} has no name", entrant.line, 15)
    for earlier, entrant in _repeated(report, lambda entrant: folded(entrant.name)):
        if not (earlier.fide_id and entrant.fide_id):
            text = f"players {earlier.number} (line {earlier.line}) and {entrant.number} are both {entrant.name!r}"
            yield Finding("name", f"{text}, and not both have ids", entrant.line, 15)


def _byes(report: Report) -> Iterator[Finding]:
    """Entrants that stand for nobody."""
    for entrant in report.entrants:
        words = folded(entrant.name).split()
        if not words or entrant.fide_id or not set(words) <= _BYE_WORDS:
            continue
        edits = [Edit(entrant.line, 0, -1, None)]
        for other in report.entrants:
            for number, result in enumerate(other.results, 1):
                if result.opponent == entrant.number and other is not entrant:
                    code = {"1": "U", "+": "U", "W": "U", "=": "H", "D": "H"}.get(result.code, "Z")
                    edits.append(lint_rounds.block(other, number, RoundResult(None, "-", code)))
        text = f"player {entrant.number} ({entrant.name!r}) is a bye, not a person"
        yield Finding("bye", text, entrant.line, 15, repair=Repair("leave the line out and write byes", tuple(edits)))


def _fields(report: Report) -> Iterator[Finding]:
    for entrant in report.entrants:
        yield from _federation(entrant.federation, entrant.line, 54, report.lines[entrant.line - 1].text)
        if entrant.title and entrant.title not in layouts.TITLES:
            yield Finding("title", f"unknown title {entrant.title!r}", entrant.line, 11, "warning")
        raw = cut(report.lines[entrant.line - 1].text, 70, 79).strip()
        if raw and entrant.born is None and not re.fullmatch(r"[\s0/\-]*", raw) and re.fullmatch(r"[\s.\-/?0]*", raw):
            edit = Edit(entrant.line, 70, 79, "")
            text = f"birth date {raw!r} says nothing"
            yield Finding("birth", text, entrant.line, 70, "warning", Repair("leave it blank", (edit,)))
        if entrant.born and report.start and not 3 <= report.start.year - entrant.born.year <= 110:
            text = f"born {entrant.born}: {report.start.year - entrant.born.year} years old at the start"
            yield Finding("birth", text, entrant.line, 70, "warning")


def _federation(code: str, line: int, column: int, text: str = "") -> Iterator[Finding]:
    if code and code not in FEDERATIONS and code not in FORMER:
        yield Finding("federation", f"{code!r} is no federation's code; it is kept as it is", line, column, "warning")
    raw = cut(text, column, column + 2).strip()
    if raw != raw.upper():
        edit = Edit(line, column, column + 2, code)
        repair = Repair(f"write {code}", (edit,))
        yield Finding("federation", f"code {raw!r} is not in upper case", line, column, "warning", repair)


def _ratings(report: Report, between: tuple[int, int]) -> Iterator[Finding]:
    least, most = between
    for entrant in report.entrants:
        if entrant.rating is not None and not least <= entrant.rating <= most:
            text = f"rating {entrant.rating} of player {entrant.number} is outside {least} to {most}"
            stands = Repair("let the rating stand", accepts=f"rating of {entrant.number}")
            yield Finding("rating", text, entrant.line, 49, repair=stands)


def _ranks(report: Report) -> Iterator[Finding]:
    """Ranks beyond the number of players, and ranks that the points contradict; ties may share one."""
    ranked = sorted((entrant for entrant in report.entrants if entrant.rank), key=lambda entrant: entrant.rank or 0)
    above: Entrant | None = None
    for entrant in ranked:
        if entrant.rank and entrant.rank > len(report.entrants):
            text = f"rank {entrant.rank} of {len(report.entrants)} players"
            yield Finding("rank", text, entrant.line, 86, "warning")
        if (
            above
            and entrant.points is not None
            and (above.points or 0.0) < entrant.points
            and above.rank != entrant.rank
        ):
            text = f"rank {entrant.rank} with {entrant.points:g} points, below rank {above.rank} with {above.points:g}"
            yield Finding("rank", text, entrant.line, 86, "warning")
        if entrant.points is not None and (above is None or entrant.points < (above.points or 0.0)):
            above = entrant


def _nationals(report: Report) -> Iterator[Finding]:
    """National records that belong to nobody, or to somebody else."""
    players = report.by_number()
    for record in report.nationals:
        entrant = players.get(record.number or 0)
        if entrant is None:
            yield Finding("id", f"national record of player {record.number}, who does not exist", record.line, 5)
            continue
        if record.name and folded(record.name) != folded(entrant.name):
            text = f"player {record.number} is {record.name!r} here and {entrant.name!r} on line {entrant.line}"
            yield Finding("id", text, record.line, 15, "warning")
        if record.born and entrant.born and not _same_birth(record.born, entrant.born):
            text = f"born {record.born} here and {entrant.born} on line {entrant.line}"
            yield Finding("birth", text, record.line, 70, "warning")


def _same_birth(one: object, other: object) -> bool:
    """Whether two dates may be the same day: a year alone agrees with every day in it."""
    shorter, longer = sorted((str(one), str(other)), key=len)
    return longer.startswith(shorter)


def _columns(report: Report) -> Iterator[Finding]:
    """Characters where the format has blanks: something is shifted."""
    for entrant in report.entrants:
        text = report.lines[entrant.line - 1].text
        between = layouts.gaps(layouts.ENTRANT, text)
        between += [at for at in (90, 91) if cut(text, at, at).strip()]
        for start in range(ROUND, len(text) + 1, STEP):
            between += [at for at in (start + 4, start + 6, start + 8, start + 9) if cut(text, at, at).strip()]
        if between:
            shown = ", ".join(map(str, between[:5])) + (", …" if len(between) > 5 else "")
            yield Finding(
                "columns",
                f"column {shown} should be blank: values stand in the wrong columns",
                entrant.line,
                between[0],
                "warning",
            )


def _known_ids(report: Report, register: Mapping[int, str]) -> Iterator[Finding]:
    """Ids that are somebody else's in the register, with the id near it that is this player's."""
    by_name: dict[tuple[str, ...], list[int]] = {}
    for identity, name in register.items():
        by_name.setdefault(_person(name), []).append(identity)
    for entrant in report.entrants:
        known = register.get(entrant.fide_id or 0)
        if known is None or _person(known) == _person(entrant.name):
            continue
        near = [other for other in by_name.get(_person(entrant.name), []) if _near(other, entrant.fide_id or 0)]
        repair = (
            Repair(f"write id {near[0]}", (Edit(entrant.line, 58, 68, f"{near[0]:>11}"),)) if len(near) == 1 else None
        )
        text = f"id {entrant.fide_id} is {known!r} in the register, not {entrant.name!r}"
        yield Finding("id", text, entrant.line, 58, repair=repair)


def _person(name: str) -> tuple[str, ...]:
    return tuple(sorted(folded(name).split()))


def _near(one: int, other: int) -> bool:
    return sorted(str(one)) == sorted(str(other)) or SequenceMatcher(None, str(one), str(other)).ratio() >= 0.8


def is_sound(findings: Iterable[Finding]) -> bool:
    """Whether nothing is left that keeps a report from being rated."""
    return not any(finding.severity == "error" for finding in findings)


__all__ = ["RATED", "RATINGS", "is_sound", "lint", "repair"]
