"""FIDE's tournament report files (TRF06, TRF16, TRF26, and the TRF(x) of pairing programs) to reports.

    report, problems = read_trf(data)
    data, problems = write_trf(report)        # formats.trf_write

Columns are characters after decoding, never bytes. Every line is kept, whatever it is, so that a report that nobody
changed is written back byte for byte; records that are not understood stay where they are.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from arpad.errors import DataError
from arpad.formats import layouts, values
from arpad.formats.hidden import HIDDEN, left_out, plain
from arpad.formats.layouts import cut
from arpad.formats.report import ABSENT, CODES, Entrant, Extra, Finding, Line, National, Report, RoundResult, Team
from arpad.formats.report_dates import Written, resolve
from arpad.formats.sheet import Reading
from arpad.formats.text import decode, unzip
from arpad.model import Problem

#: Where the first round stands in a player's line, and how far it is to the next.
ROUND, STEP = 92, 10
#: No tournament has more rounds; a longer line is damaged.
MOST_ROUNDS = 400
#: Characters of a line that a word on it repeats.
LONGEST = 60
#: Records that only TRF26 has.
ONLY_26 = frozenset("142 152 162 172 182 192 202 212 222 240 250 260 299 300 310 320 330 352 362".split())  # noqa: SIM905
#: What begins a comment that lets a finding stand.
ACCEPTS = "arpad accepts "


def _first_integer(text: str) -> int | None:
    match = re.search(r"\d{1,6}", text, re.ASCII)
    return int(match[0]) if match else None


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def scoring(text: str) -> dict[str, float]:
    """Records 162 and 362: a code, then its points, every nine columns. Raises ValueError."""
    found = {}
    for at in range(5, len(text.rstrip()) + 1, 9):
        code, points = cut(text, at, at + 1).strip(), layouts.points(cut(text, at + 2, at + 5).strip())
        if not code or points is None:
            raise ValueError("codes and points do not stand in columns 5-10, 14-19, 23-28, …")
        found[code.upper()] = points
    return found


#: code -> (the report's fact, its reader, its writer); the text begins in column 5.
HEADERS: Mapping[str, tuple[str, Callable[[str], Any], Callable[[Any], str]]] = {
    "012": ("name", str, str),
    "022": ("city", str, str),
    "032": ("federation", str.upper, str),
    "062": ("declared_players", _first_integer, str),
    "072": ("declared_rated", _first_integer, str),
    "082": ("declared_teams", _first_integer, str),
    "092": ("kind", str, str),
    "102": ("arbiter", str, str),
    "122": ("allotted", str, str),
    "142": ("declared_rounds", _first_integer, str),
    "152": ("initial_colour", str.upper, str),
    "172": ("ranking_method", str, str),
    "182": ("controller", str, str),
    "192": ("system", str, str),
    "202": ("tiebreaks", _list, ",".join),
    "212": ("standing", _list, ",".join),
    "222": ("time_control", str, str),
    "352": ("board_colours", str.upper, str),
}
SCORINGS = {"162": "scoring", "362": "match_scoring"}


def looks_like_trf(head: bytes) -> bool:
    """Whether a file that begins like this is a tournament report file."""
    text = head.removeprefix(codecs.BOM_UTF8).decode("latin-1")
    lines = [line for line in re.split(r"[\r\n]+", text) if line.strip()][:200]
    known = sum(1 for line in lines if re.match(r"(001 [ \d]{4} |0[1-9]2 |###|XX[RCZSAP] )", line))
    return any(re.match(r"0(01 [ \d]{4} |12 )", line) for line in lines) and 2 * known >= len(lines)


def read_trf(data: bytes, source: str = "", reading: Reading | None = None) -> tuple[Report, list[Problem]]:
    """A report, and what could not be read or was decided on the way.

    Raises DataError for bytes that are no text, with the offset, or hold no report.
    """
    reading = reading or Reading()
    data = unzip(data, source)
    text, notes = decode(data, reading.encoding, source)
    encoding, bom = _encoding(data, reading.encoding)
    log = [f"read as {encoding}" + (" with a byte-order mark" if bom else "")]
    lines = split_lines(text)
    if not any(line.code in ("001", *HEADERS) for line in lines):
        raise DataError([Problem("no tournament report: there is no record 001 or 012", source)])
    report, findings = parse(lines, (reading.date_format or "").upper(), source)
    report = replace(report, encoding=encoding, bom=bom, log=(*log, *report.log))
    return report, [*notes, *(problem_of(finding, source) for finding in findings)]


def problem_of(finding: Finding, source: str) -> Problem:
    """A finding in the form that all readers share."""
    place = f"column {finding.column}" if finding.column else ""
    hint = finding.repair.words if finding.repair else ""
    return Problem(finding.message, source, finding.line, place, hint, finding.severity)


def _encoding(data: bytes, asked: str | None) -> tuple[str, bool]:
    if data.startswith(codecs.BOM_UTF16_LE):
        return "utf-16-le", True
    if data.startswith(codecs.BOM_UTF16_BE):
        return "utf-16-be", True
    bom = data.startswith(codecs.BOM_UTF8)
    if asked:
        name = codecs.lookup(asked).name
        return ("utf-8", bom) if name in ("utf-8", "utf-8-sig") else (name, False)
    try:
        data.decode()
    except UnicodeDecodeError:
        return "cp1252", False
    return "utf-8", bom


def split_lines(text: str) -> tuple[Line, ...]:
    """The records, each with its own end: CR LF, LF or CR."""
    parts = re.split(r"(\r\n|\n|\r)", text)
    lines = [Line(body, end) for body, end in zip(parts[::2], [*parts[1::2], ""])]
    return tuple(lines[:-1] if lines and not lines[-1].text and not lines[-1].end else lines)


def parse(lines: Sequence[Line], order: str = "", source: str = "") -> tuple[Report, list[Finding]]:
    """The facts of the records, and every place that could not be read. Nothing is raised."""
    findings = hidden_in(line.text for line in lines)
    facts: dict[str, Any] = {}
    deputies: list[str] = []
    seen: dict[str, int] = {}
    dates = {"042": Written(""), "052": Written("")}
    rounds: list[Written] = []
    accepted = []
    for number, line in enumerate(lines, 1):
        code, text = line.code, plain(line.text[4:]).strip()
        if code in HEADERS or code in SCORINGS or code in dates:
            if code in seen:
                findings.append(
                    Finding("repeated", f"record {code} is also on line {seen[code]}", number, 1, "warning")
                )
                continue
            seen[code] = number
        if code in HEADERS:
            name, reader, _ = HEADERS[code]
            facts[name] = reader(text)
        elif code in SCORINGS:
            facts[SCORINGS[code]] = _checked(lambda line=line: scoring(line.text), {}, findings, code, number, 5)  # type: ignore[misc]
        elif code == "112" and text:
            deputies.append(text)
        elif code in dates:
            dates[code] = Written(text, number)
        elif code == "132" and not rounds:
            rounds = [Written(line.text[at - 1 : at + 8].strip(), number, at) for at in _round_columns(line.text)]
        elif line.text.startswith("XXR") and "declared_rounds" not in facts:
            facts["declared_rounds"] = _first_integer(text)
        elif code not in ("001", "013", "310") and text.startswith(ACCEPTS):
            accepted.append(text.removeprefix(ACCEPTS))
    resolved = resolve(dates["042"], dates["052"], rounds, order)
    findings += resolved.findings
    people = _people(lines, order or resolved.order, findings)
    report = Report(
        **facts,
        **people,
        deputies=tuple(deputies),
        start=resolved.start,
        end=resolved.end,
        round_dates=resolved.rounds,
        lines=tuple(lines),
        date_order=order,
        source=source,
        log=resolved.log,
        accepted=tuple(accepted),
    )
    return report, sorted(findings, key=lambda finding: (finding.line, finding.column))


def hidden_in(lines: Iterable[str]) -> list[Finding]:
    """A word on each line that has hidden characters (`formats.hidden`)."""
    return [
        Finding("hidden", left_out(ascii(text.strip()[:LONGEST])), number, found.start() + 1, "warning")
        for number, text in enumerate(lines, 1)
        if (found := HIDDEN.search(text))
    ]


def _checked(reader: Callable[[], Any], blank: Any, findings: list[Finding], kind: str, line: int, column: int) -> Any:
    try:
        return reader()
    except ValueError as error:
        findings.append(Finding("record", f"record {kind}: {error}", line, column, "warning"))
        return blank


def _round_columns(text: str) -> range:
    return range(ROUND, min(len(text.rstrip()), ROUND + STEP * MOST_ROUNDS - 1) + 1, STEP)


def _people(lines: Sequence[Line], order: str, findings: list[Finding]) -> dict[str, Any]:
    """Entrants, national records, teams and the other records with columns of their own."""
    births = [cut(line.text, 70, 79).strip() for line in lines if line.code == "001"]
    proven = values.date_order(births)
    order = proven if proven in ("DMY", "MDY") else order
    known: dict[str, RoundResult] = {}
    entrants: list[Entrant] = []
    nationals: list[National] = []
    teams: list[Team] = []
    extras: list[Extra] = []
    for number, line in enumerate(lines, 1):
        if line.code == "001":
            entrant = _entrant(line.text, number, order, known, findings)
            if entrant is not None:
                entrants.append(entrant)
        elif re.match(r"[A-Z]{3} [ \d]{3}\d(?: |$)", line.text, re.ASCII) and not line.text.startswith(
            ("XX", "DAT", "BB")
        ):
            found, _ = layouts.read(layouts.NATIONAL, line.text, order)
            nationals.append(National(line.code, **_seen(found), line=number))
        elif layout := layouts.layout_of(line.text):
            found, wrong = layouts.read(layout, line.text)
            findings += [
                Finding("record", f"record {line.code}: {words}", number, column, "warning")
                for column, _, words in wrong
            ]
            record = layout.kind(**_seen(found), line=number)
            (teams if isinstance(record, Team) else extras).append(record)
    most = max((len(entrant.results) for entrant in entrants), default=0)
    return {
        "entrants": tuple(padded(entrant, most) for entrant in entrants),
        "nationals": tuple(nationals),
        "teams": tuple(teams),
        "extras": tuple(extras),
    }


def _seen(found: dict[str, Any]) -> dict[str, Any]:
    """The facts of a record without hidden characters; its columns were counted with them."""
    return {name: plain(value).strip() if isinstance(value, str) else value for name, value in found.items()}


def padded(entrant: Entrant, rounds: int) -> Entrant:
    """The entrant with a result for each round."""
    missing = rounds - len(entrant.results)
    return replace(entrant, results=(*entrant.results, *[ABSENT] * missing)) if missing > 0 else entrant


def _entrant(
    text: str, line: int, order: str, known: dict[str, RoundResult], findings: list[Finding]
) -> Entrant | None:
    found, wrong = layouts.read(layouts.ENTRANT, text, order)
    for column, name, words in wrong:
        severity: Any = "error" if name in ("number", "rating", "points") else "warning"
        findings.append(
            Finding(
                "birth" if name == "born" else "id" if name == "fide_id" else "field", words, line, column, severity
            )
        )
    if not found["number"]:
        if not any(name == "number" for _, name, _ in wrong):
            findings.append(Finding("field", "a player without a starting number", line, 5))
        return None
    return Entrant(**_seen(found), results=tuple(_results(text, line, known, findings)), line=line)


def _results(text: str, line: int, known: dict[str, RoundResult], findings: list[Finding]) -> Iterator[RoundResult]:
    """The rounds of a player's line; `known` are the blocks read before, which say the same on every line."""
    if len(text) > ROUND + STEP * MOST_ROUNDS and len(text.rstrip()) > ROUND + STEP * MOST_ROUNDS:
        findings.append(Finding("result", f"more than {MOST_ROUNDS} rounds: the line is damaged", line, ROUND))
    for number, at in enumerate(_round_columns(text), 1):
        block = text[at - 1 : at + 7]
        if block not in known:
            result, wrong = _result(block)
            if wrong:
                findings += [
                    Finding(
                        kind, f"round {number}: {words}", line, at + offset, "warning" if kind == "colour" else "error"
                    )
                    for kind, offset, words in wrong
                ]
                yield result
                continue
            known[block] = result
        yield known[block]


def _result(block: str) -> tuple[RoundResult, list[tuple[str, int, str]]]:
    """The eight columns of a round, and (kind, offset, words) of what in them is none."""
    if not block.strip():
        return ABSENT, []
    wrong = []
    colour, code = block[5:6].strip().lower(), block[7:8].strip().upper()
    code = {"½": "=", "*": ""}.get(code, code)
    opponent = None
    try:
        opponent = layouts.whole(block[:4].strip()) or None
    except ValueError as error:
        wrong.append(("result", 0, f"the opponent's number {error}"))
    if code not in CODES:
        wrong.append(("result", 7, f"unknown result {code!r} (known: 1 = 0 + - W D L H F U Z)"))
        code = "?"
    if colour not in ("", "w", "b", "-"):
        wrong.append(("colour", 5, f"colour {colour!r} is not w, b or -"))
        colour = ""
    return RoundResult(opponent, colour, code), wrong


def version(report: Report) -> str:
    """TRF26 if any of its own records is there, else TRF16, which TRF06 cannot be told from."""
    return "TRF26" if any(line.code in ONLY_26 for line in report.lines) else "TRF16"
