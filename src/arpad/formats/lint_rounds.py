"""What may be wrong with the games of a report: the two lines of one game, byes, colours, totals."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from arpad.formats.report import (
    BYES,
    FORFEITS,
    MIRROR,
    POINTS,
    RATED,
    SHORT,
    Abnormal,
    Edit,
    Entrant,
    Finding,
    Repair,
    Report,
    RoundResult,
    pair_key,
)
from arpad.formats.trf import ROUND, STEP

#: What the point systems of report files set, as result codes. Those of record 162, of XXS, and of bbpPairings.
_SCORING = {"W": "1+WFU", "D": "=DH", "L": "0L", "A": "-Z", "P": "U"}
_XXS = {"W": "1+WF", "D": "=DH", "ZPB": "Z", "HPB": "H", "FPB": "F", "PAB": "U", "FW": "+", "FL": "-"}
_XXS_BY_COLOUR = {"WW": "1W", "BW": "1W", "WD": "=D", "BD": "=D", "WL": "0L", "BL": "0L"}
_BBP = {"BBW": "1+WF", "BBD": "=DH", "BBL": "0L", "BBZ": "Z", "BBF": "-", "BBU": "U"}
_OTHER_COLOUR = {"w": "b", "b": "w"}
_COUNTED_AS = {"1": "F", "+": "F", "W": "F", "=": "H", "D": "H", "0": "Z", "-": "Z", "L": "Z"}


def column(number: int, part: str = "code") -> int:
    """Where the opponent, colour or code of a round stands in a player's line."""
    return ROUND + STEP * (number - 1) + {"opponent": 0, "colour": 5, "code": 7}[part]


def block(entrant: Entrant, number: int, result: RoundResult) -> Edit:
    """The edit that writes a whole round of a player."""
    opponent = "0000" if result.opponent is None else f"{result.opponent:>4d}"
    at = column(number, "opponent")
    return Edit(entrant.line, at, at + 7, f"{opponent} {result.colour or '-'} {result.code}")


def points_by_code(report: Report) -> dict[str, float] | None:
    """What each result code scores in this tournament; None where that depends on the colour."""
    table = dict(POINTS)
    given: list[tuple[str, float]] = []
    for line in report.lines:
        if line.code == "XXS":
            pairs = [part.partition("=") for part in line.text[4:].split()]
            found = {name: _number(value) for name, _, value in pairs}
            given += [(codes, value) for name, codes in _XXS.items() if (value := found.get(name)) is not None]
            given += [
                (codes, value) for name, codes in _XXS_BY_COLOUR.items() if (value := found.get(name)) is not None
            ]
            if any(found.get("W" + kind) != found.get("B" + kind) for kind in "WDL"):
                return None
        elif line.code in _BBP and (value := _number(line.text[4:])) is not None:
            given.append((_BBP[line.code], value))
    given += [(codes, report.scoring[code]) for code, codes in _SCORING.items() if code in report.scoring]
    for codes, value in given:
        table.update(dict.fromkeys(codes, value))
    if "A" in report.scoring:
        table[""] = report.scoring["A"]
    return table


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e6 else None


def total(report: Report, entrant: Entrant, table: Mapping[str, float]) -> float:
    """What the rounds of a player add up to, with abnormal points; pending games score nothing."""
    usual = sum(table.get(result.code, 0.0) for result in entrant.results if not result.pending)
    for extra in report.extras:
        if (
            isinstance(extra, Abnormal)
            and extra.points is not None
            and (not extra.numbers or _concerns(extra, entrant))
        ):
            if not extra.kind:
                usual += extra.points
                continue
            codes = {"W": "1W", "D": "=D", "L": "0L"}.get(extra.kind, extra.kind)
            rounds = entrant.results if not extra.round else entrant.results[extra.round - 1 : extra.round]
            usual += sum(
                extra.points - table.get(result.code, 0.0) for result in rounds if result.code and result.code in codes
            )
    return usual


def _concerns(extra: Abnormal, entrant: Entrant) -> bool:
    return entrant.number in extra.numbers or not any(extra.numbers)


def games(report: Report) -> Iterator[Finding]:
    """Every round of every player against the other player's line."""
    players = report.by_number()
    table = points_by_code(report)
    for entrant in report.entrants:
        for number, result in enumerate(entrant.results, 1):
            if result.opponent is None:
                yield from _without_opponent(entrant, number, result)
            elif result.opponent == entrant.number:
                text = f"round {number}: player {entrant.number} is their own opponent"
                yield Finding("own opponent", text, entrant.line, column(number, "opponent"))
            elif result.opponent not in players:
                yield _nobody(entrant, number, result)
            else:
                other = players[result.opponent]
                yield from _pair(report, entrant, other, number, table)


def _without_opponent(entrant: Entrant, number: int, result: RoundResult) -> Iterator[Finding]:
    if result.code in RATED or result.code in SHORT or result.code in FORFEITS:
        text = f"round {number}: result {result.code} without an opponent"
        code = _COUNTED_AS[result.code]
        repair = Repair(
            f"write {code}, a bye that scores the same", (block(entrant, number, RoundResult(None, "-", code)),)
        )
        severity = "warning" if result.code in FORFEITS else "error"
        yield Finding("opponent", text, entrant.line, column(number), severity, repair)  # type: ignore[arg-type]


def _nobody(entrant: Entrant, number: int, result: RoundResult) -> Finding:
    text = f"round {number}: there is no player {result.opponent}"
    repair = None
    if result.code in BYES:
        repair = Repair("write 0000: it is a bye", (block(entrant, number, RoundResult(None, "-", result.code)),))
    return Finding("opponent", text, entrant.line, column(number, "opponent"), repair=repair)


def _result_of(entrant: Entrant, number: int) -> RoundResult:
    return entrant.results[number - 1] if number <= len(entrant.results) else RoundResult()


def _pair(
    report: Report, own: Entrant, other: Entrant, number: int, table: Mapping[str, float] | None
) -> Iterator[Finding]:
    """One game as both lines say it; what both can see is said once, at the line of the lower number."""
    mine, theirs = _result_of(own, number), _result_of(other, number)
    if mine.code in BYES:
        text = f"round {number}: {mine.code} is a bye, but opponent {other.number} is named"
        repair = Repair("write 0000 for the opponent", (block(own, number, RoundResult(None, "-", mine.code)),))
        yield Finding("bye", text, own.line, column(number, "opponent"), "warning", repair)
        return
    if theirs.opponent != own.number:
        yield _one_sided(own, other, number, mine, theirs)
        return
    if own.number > other.number or theirs.code in BYES:
        return
    yield from _codes(report, own, other, number, table)
    yield from _colours(own, other, number)


def _one_sided(own: Entrant, other: Entrant, number: int, mine: RoundResult, theirs: RoundResult) -> Finding:
    says = f"has {theirs.opponent}" if theirs.opponent is not None else "has nobody"
    text = (
        f"round {number}: {own.number} names {other.number} as opponent, but {other.number} (line {other.line}) {says}"
    )
    repair = None
    if theirs == RoundResult() and mine.code in MIRROR:
        mirrored = RoundResult(own.number, _OTHER_COLOUR.get(mine.colour, "-"), MIRROR[mine.code])
        repair = Repair(f"write the game on line {other.line} too", (block(other, number, mirrored),))
    return Finding("mirror", text, own.line, column(number, "opponent"), repair=repair)


def agree(mine: RoundResult, theirs: RoundResult) -> bool:
    """Whether both lines of a game say the same result."""
    return MIRROR.get(mine.code, "?") == theirs.code or (mine.code == theirs.code == "-")


def penalised(mine: RoundResult, theirs: RoundResult) -> bool:
    """Whether an arbiter took points away: 0 and 0, = and 0. Such a game is rated as scored."""
    return {mine.code, theirs.code} <= RATED.keys() and RATED[mine.code] + RATED[theirs.code] < 1


def _codes(
    report: Report, own: Entrant, other: Entrant, number: int, table: Mapping[str, float] | None
) -> Iterator[Finding]:
    mine, theirs = _result_of(own, number), _result_of(other, number)
    if mine.pending and theirs.pending:
        text = f"round {number}: {own.number} v {other.number} has no result yet"
        yield Finding("pending", text, own.line, column(number), "warning")
        return
    if agree(mine, theirs) or "?" in (mine.code, theirs.code):
        return
    shown = f"{mine.code or 'blank'} on line {own.line} and {theirs.code or 'blank'} on line {other.line}"
    text = f"round {number}: {own.number} v {other.number} is {shown}"
    if penalised(mine, theirs):
        yield Finding("mirror", f"{text}: rated as scored", own.line, column(number), "warning")
        return
    key = pair_key(number, own.number, other.number)
    repair = _by_totals(report, own, other, number, table) or Repair("let both stand as they are", accepts=key)
    for here, there, at in ((mine, theirs, other), (theirs, mine, own)):
        if there.pending and here.code in MIRROR:
            code = MIRROR[here.code]
            edit = Edit(at.line, column(number), column(number), code)
            repair = Repair(f"write {code} on line {at.line}, as the other line says", (edit,))
    yield Finding("mirror", text, own.line, column(number), repair=repair)


def _by_totals(
    report: Report, own: Entrant, other: Entrant, number: int, table: Mapping[str, float] | None
) -> Repair | None:
    """Change the one line whose declared points speak against it, if the other's speak for it."""
    if table is None or own.points is None or other.points is None:
        return None
    wrong = []
    for entrant, opposite in ((own, other), (other, own)):
        off = (entrant.points or 0.0) - total(report, entrant, table)
        code = MIRROR.get(_result_of(opposite, number).code)
        if abs(off) > 0.01 and code is not None:
            change = table.get(code, 0.0) - table.get(_result_of(entrant, number).code, 0.0)
            wrong.append((entrant, code, abs(off - change) < 0.01))
        elif abs(off) > 0.01:
            return None
    if len(wrong) != 1 or not wrong[0][2]:
        return None
    entrant, code, _ = wrong[0]
    edit = Edit(entrant.line, column(number), column(number), code)
    return Repair(f"write {code} on line {entrant.line}: both totals then agree", (edit,))


def _colours(own: Entrant, other: Entrant, number: int) -> Iterator[Finding]:
    mine, theirs = _result_of(own, number), _result_of(other, number)
    if mine.colour in ("w", "b") and mine.colour == theirs.colour:
        text = f"round {number}: {own.number} and {other.number} (line {other.line}) both have colour {mine.colour}"
        yield Finding("colour", text, own.line, column(number, "colour"), "warning")
    if mine.code in FORFEITS:
        return
    for here, there, entrant in ((mine, theirs, other), (theirs, mine, own)):
        if here.colour in _OTHER_COLOUR and there.colour not in _OTHER_COLOUR:
            colour = _OTHER_COLOUR[here.colour]
            at = column(number, "colour")
            repair = Repair(f"write {colour}, as the other line says", (Edit(entrant.line, at, at, colour),))
            yield Finding("colour", f"round {number}: no colour", entrant.line, at, "warning", repair)


def totals(report: Report) -> Iterator[Finding]:
    """Declared points against the sum of the rounds."""
    table = points_by_code(report)
    if table is None:
        return
    highest = table.get("1", 1.0)
    allocated = {
        at for entrant in report.entrants for at, result in enumerate(entrant.results, 1) if result.code == "U"
    }
    for entrant in report.entrants:
        if entrant.points is None or any(result.code == "?" for result in entrant.results):
            continue
        found = total(report, entrant, table)
        off = entrant.points - found
        pending = sum(1 for result in entrant.results if result.pending)
        if abs(off) < 0.01 or (pending and -0.01 < off <= highest * pending + 0.01):
            continue
        text = f"declares {entrant.points:g} points, but the rounds add up to {found:g}"
        yield Finding(
            "total",
            text,
            entrant.line,
            81,
            repair=_bye_for(report, entrant, off, table, allocated) or _declare(entrant, found),
        )


def _bye_for(
    report: Report, entrant: Entrant, off: float, table: Mapping[str, float], allocated: Container[int]
) -> Repair | None:
    """Byes in blank rounds that explain the missing points."""
    blank = [at for at, result in enumerate(entrant.results, 1) if result.opponent is None and not result.code]
    if not blank and len(entrant.results) < (report.declared_rounds or len(entrant.results) + 1):
        blank = [len(entrant.results) + 1]
    if not blank or off < 0.01:
        return None
    code = next((code for code in "HUF" if abs(table[code] - off) < 0.01), None)
    if len(blank) > 1 and abs(table["H"] * len(blank) - off) < 0.01:
        code, used = "H", blank
    else:
        used = blank[:1]
    if code is None:
        return None
    if code == "U" and used[0] in allocated:
        code = "F"
    kind = {"H": "half-point", "U": "pairing-allocated", "F": "full-point"}[code]
    words = f"{kind} bye in round {' and '.join(map(str, used))}"
    words += f" (round {', '.join(map(str, blank[1:]))} is blank too)" if len(blank) > len(used) else ""
    return Repair(words, tuple(block(entrant, at, RoundResult(None, "-", code)) for at in used))


def _declare(entrant: Entrant, found: float) -> Repair | None:
    text = f"{found:.1f}"
    if found < 0 or len(text) > 4 or abs(float(text) - found) > 0.001:
        return Repair("let the declared points stand", accepts=f"total of {entrant.number}")
    return Repair(f"declare {text} points", (Edit(entrant.line, 81, 84, f"{text:>4}"),))


def rounds(report: Report) -> Iterator[Finding]:
    """Rounds beyond the declared ones, several pairing-allocated byes in one round, nothing to rate."""
    declared, line = report.declared_rounds, 0
    for number, record in enumerate(report.lines, 1):
        if record.code in ("142", "XXR"):
            line = line or number
    if declared == 0:
        text = f"0 rounds are declared; the highest round present is {report.rounds}"
        yield Finding(
            "rounds",
            text,
            line,
            5,
            "warning",
            Repair(f"declare {report.rounds}", (Edit(line, 5, 8, f"{report.rounds:<4d}"),)),
        )
    for entrant in report.entrants:
        for number, result in enumerate(entrant.results, 1):
            if declared and number > declared and result != RoundResult():
                text = f"round {number} where {declared} are declared (line {line})"
                yield Finding("rounds", text, entrant.line, column(number, "opponent"))
    if not report.teams:
        for number in range(1, report.rounds + 1):
            holders = [entrant for entrant in report.entrants if _result_of(entrant, number).code == "U"]
            if len(holders) > 1:
                text = f"round {number}: {len(holders)} pairing-allocated byes; there is at most one"
                yield Finding("bye", text, holders[1].line, column(number), "warning")
    if not any(
        result.code in RATED and result.opponent is not None
        for entrant in report.entrants
        for result in entrant.results
    ):
        yield Finding("empty", "the report has no game that can be rated", severity="warning")
