"""Swiss crosstables as text: the two-line tables of US Chess and tables of one line a player in; one of the latter out.

    report, problems = read_crosstable(text)
    text = write_crosstable(report)

Only what is certain is read. The numbers of opponents are those of the table itself, never ranks or other numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from arpad.errors import DataError
from arpad.formats.hidden import plain
from arpad.formats.layouts import TITLES
from arpad.formats.report import BYES, FORFEITS, Entrant, Finding, Report, RoundResult
from arpad.formats.sheet import Reading
from arpad.formats.text import decode
from arpad.formats.trf import hidden_in, padded, problem_of
from arpad.model import Problem

#: US Chess: win, loss, draw; half-point, full-point and no bye; win and loss by forfeit.
_LETTERS: Mapping[str, str] = {"W": "1", "L": "0", "D": "=", "H": "H", "B": "U", "U": "Z", "X": "+", "F": "-"}
#: What stands for a round without an opponent in tables of one line a player.
_ALONE = {"-1": "F", "+1": "F", "-½": "H", "-0": "Z", "-": "", "--": "", "": "", "bye": "U"}
_TWO_LINES = re.compile(r"^ *Pair *\| *Player Name *\|", re.MULTILINE | re.IGNORECASE)
_PLAYER = re.compile(r" *(\d{1,4}) *\|([^|]*)\| *(\d{1,3}(?:\.\d)?) *\|(.*)")
_IDENTITY = re.compile(r" *(\d{1,11})? */?(.*)")
_RATINGS = re.compile(r"\b[RQB] *:([^>]*)-> *(\d{1,4})?")
_CELL = r"(?:[WLDXF] ?\d{1,4}[wb]?|[HBU](?:-+|\b)|\d{1,4}[wb?][10½=+\-*WDL]|[-+]1|-½|-0|--|bye)"
_ONE_LINE = re.compile(
    rf" *(\d{{1,4}})[.)]? +(\S.*?)((?: +{_CELL}(?= |$))+) +(\d{{1,3}}(?:[.,]\d)?|\d{{0,3}}½) *", re.IGNORECASE
)
_RATED_NAME = re.compile(r"(.*?)(?: +(\d{1,4}))?")
#: A longer line is no row of a table.
_LONGEST = 2_000
_OWN_HEAD = re.compile(r"  No (Name *)  Rtg (Fed)(?= )")
_OWN_REST = re.compile(rf"((?: +{_CELL}(?= ))*) +(\d{{1,3}}\.\d)", re.IGNORECASE)
_HEADED = re.compile(r"([A-Z][a-z]+): (.*)")


class _Row(msgspec.Struct):
    entrant: Entrant
    cells: list[tuple[str, str]]  # (text, colour)


def looks_like_crosstable(head: bytes) -> bool:
    """Whether a file that begins like this is a crosstable that can be read here."""
    text = head.decode("utf-8", "replace")
    if _TWO_LINES.search(text):
        return True
    lines = text.splitlines()
    return any(map(_OWN_HEAD.match, lines)) or sum(1 for line in lines if _row_of(line)) >= 2


def _row_of(line: str) -> re.Match[str] | None:
    return _ONE_LINE.fullmatch(line.rstrip()) if len(line) <= _LONGEST else None


def read_crosstable(data: bytes, source: str = "", reading: Reading | None = None) -> tuple[Report, list[Problem]]:
    """The tournament of a crosstable. Raises DataError for a text that holds none, or several."""
    reading = reading or Reading()
    text, notes = decode(data, reading.encoding, source)
    lines = re.split(r"\r\n|\n|\r", text)
    tables = len(_TWO_LINES.findall(text))
    if tables > 1:
        raise DataError([Problem(f"{tables} crosstables in one file; each needs a file of its own", source)])
    findings = hidden_in(lines)
    rows = _two_line_rows(lines, findings) if tables else _one_line_rows(lines, findings)
    if not rows:
        raise DataError([Problem("no crosstable: no line has a number, a name, results and a total", source)])
    named = [(row, plain(row.entrant.name).strip(), plain(row.entrant.federation)) for row in rows]
    entrants = [
        replace(row.entrant, name=name, federation=federation, results=_results(row, findings))
        for row, name, federation in named
    ]
    last = max(len(entrant.results) for entrant in entrants)
    report = Report(
        **_head(lines),
        declared_rounds=last,
        entrants=tuple(padded(entrant, last) for entrant in entrants),
        source=source,
        log=("read from a crosstable",),
    )
    return report, [*notes, *(problem_of(finding, source) for finding in findings)]


def _head(lines: Sequence[str]) -> dict[str, Any]:
    """The name and the days where the table has them in words of ours: `Event:`, `From:`, `To:`."""
    found: dict[str, Any] = {}
    for line in lines[:20]:
        match = _HEADED.fullmatch(line.strip())
        if match and match[1] == "Event":
            found["name"] = plain(match[2]).strip()
        elif match and match[1] in ("From", "To") and re.fullmatch(r"\d{4}-\d\d-\d\d", match[2], re.ASCII):
            try:
                found["start" if match[1] == "From" else "end"] = date.fromisoformat(match[2])
            except ValueError:
                continue
    return found


def _two_line_rows(lines: Sequence[str], findings: list[Finding]) -> list[_Row]:
    rows = []
    short = [line.rstrip() if len(line) <= _LONGEST else "" for line in lines]
    for at, line in enumerate(short):
        match = _PLAYER.fullmatch(line)
        if not match:
            continue
        below = short[at + 1].split("|") if at + 1 < len(short) and short[at + 1].count("|") > 2 else ["", "", ""]
        identity = _IDENTITY.fullmatch(below[1])
        cells = [cell.strip() for cell in match[4].rstrip().removesuffix("|").split("|")]
        colours = [part.strip().lower() for part in below[3:]]
        colours += [""] * (len(cells) - len(colours))
        before, after = _rating_change(identity[2] if identity else "")
        entrant = Entrant(
            number=int(match[1]),
            name=" ".join(match[2].split()),
            points=float(match[3]),
            line=at + 1,
            national_id=(identity[1] or "") if identity else "",
            rating=before,
            rating_after=after,
        )
        if not entrant.number or not entrant.name:
            findings.append(Finding("field", "a player without a number or a name", at + 1))
            continue
        rows.append(_Row(entrant, list(zip(cells, colours))))
    return rows


def _rating_change(text: str) -> tuple[int | None, int | None]:
    """`R: 1641P17->1657P24`: the rating before and after; `Unrated` and blanks are none."""
    match = _RATINGS.search(text)
    if not match:
        return None, None
    before = re.match(r" *(\d{1,4})", match[1], re.ASCII)
    return (int(before[1]) or None) if before else None, int(match[2]) if match[2] else None


def _one_line_rows(lines: Sequence[str], findings: list[Finding]) -> list[_Row]:
    rows = []
    head = None
    for at, line in enumerate(lines, 1):
        head = head or _OWN_HEAD.match(line)
        found = _own_row(line, head) if head else _foreign_row(line)
        if found is None:
            continue
        number, name, rating, federation, cells, total = found
        title = name.partition(" ")[0]
        if title in TITLES:
            name = name.partition(" ")[2].strip()
        if not int(number) or not name:
            findings.append(Finding("field", "a player without a number or a name", at))
            continue
        entrant = Entrant(
            number=int(number),
            name=" ".join(name.split()),
            title=title if title in TITLES else "",
            rating=int(rating) or None if rating else None,
            federation=federation,
            points=float(total.replace(",", ".").replace("½", ".5")),
            line=at,
        )
        rows.append(_Row(entrant, [(cell, "") for cell in re.findall(_CELL, cells, re.IGNORECASE)]))
    _same_length(rows, findings)
    return rows


def _foreign_row(line: str) -> tuple[str, ...] | None:
    """Number, name, rating, federation, cells and total of a line; where the name ends, the words say."""
    match = _row_of(line)
    who = _RATED_NAME.fullmatch(match[2].strip()) if match else None
    return (match[1], who[1].strip(), who[2] or "", "", match[3], match[4]) if match and who else None


def _own_row(line: str, head: re.Match[str]) -> tuple[str, ...] | None:
    """The same of a line of a table that `write_crosstable` wrote: its head says where the columns are."""
    match = _OWN_REST.fullmatch(line[head.end() :].rstrip()) if len(line) <= _LONGEST else None
    number, name = line[: head.start(1)].strip(), line[head.start(1) : head.end(1)].strip()
    rating, federation = line[head.end(1) : head.start(2)].strip(), line[head.start(2) : head.end(2)].strip()
    if (
        match is None
        or not re.fullmatch(r"\d{1,4}", number, re.ASCII)
        or not re.fullmatch(r"\d{0,4}", rating, re.ASCII)
    ):
        return None
    return number, name, rating, federation, match[1], match[2]


def _same_length(rows: Sequence[_Row], findings: list[Finding]) -> None:
    """A word that looks like a bye may be the initial of a name: then its row is longer than the others."""
    lengths = Counter(len(row.cells) for row in rows)
    usual = lengths.most_common(1)[0][0] if lengths else 0
    for row in rows:
        if len(row.cells) != usual:
            text = f"{len(row.cells)} results where other lines have {usual}"
            findings.append(Finding("result", text, row.entrant.line))


def _results(row: _Row, findings: list[Finding]) -> tuple[RoundResult, ...]:
    found = []
    for number, (cell, colour) in enumerate(row.cells, 1):
        result = _result(cell, colour)
        if result is None:
            findings.append(Finding("result", f"round {number}: unknown result {cell!r}", row.entrant.line))
            result = RoundResult(None, "", "?")
        found.append(result)
    return tuple(found)


def _result(cell: str, colour: str) -> RoundResult | None:
    """`W 12` and `12w1`, `H`, `-½`; None for a text that is neither."""
    if cell.casefold() in _ALONE:
        code = _ALONE[cell.casefold()]
        return RoundResult(None, "-" if code else "", code)
    if match := re.fullmatch(r"(\d{1,4})([wb?])([10½=+\-*WDL])", cell, re.IGNORECASE):
        code = {"½": "=", "*": ""}.get(match[3], match[3].upper())
        return RoundResult(int(match[1]), match[2].lower().strip("?"), code) if int(match[1]) else None
    match = re.fullmatch(r"([WLDHBUXF])[\s-]*(\d{0,4})([wb]?)", cell, re.IGNORECASE | re.ASCII)
    if not match:
        return None
    code = _LETTERS[match[1].upper()]
    side = match[3].lower() or (colour if colour in ("w", "b") else "")
    if match[2] and int(match[2]) and code not in BYES:
        return RoundResult(int(match[2]), side, code)
    if match[2] or code not in (*BYES, *FORFEITS):
        return None  # a bye with an opponent, a game without one
    return RoundResult(None, "-", {"+": "F", "-": "Z"}.get(code, code))


def write_crosstable(report: Report, order: Literal["number", "rank"] = "number") -> str:
    """A table of one line a player, read back by `read_crosstable`. Opponents are numbered as the table shows them."""
    entrants = list(report.by_number().values())
    if order == "rank":
        entrants.sort(key=lambda entrant: (entrant.rank or len(entrants), -(entrant.points or 0.0), entrant.number))
        shown = {entrant.number: place for place, entrant in enumerate(entrants, 1)}
    else:
        shown = {entrant.number: entrant.number for entrant in entrants}
    width = max((len(str(number)) for number in shown.values()), default=1) + 2
    names = [" ".join(f"{entrant.title} {entrant.name}".split()) for entrant in entrants]
    longest = max(map(len, [*names, "Name"]))
    rounds = range(1, report.rounds + 1)
    head = f"{'No':>4} {'Name':<{longest}} {'Rtg':>4} {'Fed':<3}" + "".join(f" {number:>{width}}" for number in rounds)
    lines = [f"Event: {report.name}"] if report.name else []
    lines += [f"From: {report.start}"] if report.start else []
    lines += [f"To: {report.end}"] if report.end else []
    lines += [*([""] if lines else []), f"{head} {'Pts':>5}"]
    for entrant, name in zip(entrants, names):
        row = f"{shown[entrant.number]:>4} {name:<{longest}} {entrant.rating or '':>4} {entrant.federation:<3}"
        row += "".join(f" {_cell(entrant.results[number - 1], shown):>{width}}" for number in rounds)
        lines.append(f"{row} {entrant.points or 0.0:>5.1f}".rstrip())
    return "\n".join(lines) + "\n"


def _cell(result: RoundResult, shown: Mapping[int, int]) -> str:
    if result.opponent is None or result.opponent not in shown:
        return {"F": "-1", "U": "bye", "H": "-½", "Z": "-0"}.get(result.code, "--")
    code = {"=": "½", "": "*", "?": "*"}.get(result.code, result.code)
    return f"{shown[result.opponent]}{result.colour if result.colour in ('w', 'b') else '?'}{code}"
