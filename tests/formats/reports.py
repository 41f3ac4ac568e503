"""Tournament report files for the tests, written by columns; nobody in them is real."""

from __future__ import annotations

from arpad.formats.layouts import put
from arpad.formats.lint import lint
from arpad.formats.report import Finding, Report
from arpad.formats.trf import read_trf
from arpad.formats.trf_write import write_trf
from arpad.model import Problem

EXAMPLE = """\
### .....1.........2.........3.........4.........5.........6.........7.........8.........9.........0.........1.........2
012 Example Open
022 Oslo
032 NOR
042 2026/10/01
052 2026/10/03
062 4
072 3
092 Individual: Swiss-System
102 IA Example, Eva
112 FA Second, Sven
112 Third, Tora
122 90 minutes plus 30 seconds per move
132                                                                                        26/10/01  26/10/02  26/10/03
142 3
152 W
162  W 1.0    D 0.5
192 FIDE_DUTCH_2025
202 BH/C1,BH,SB
222 5400+30
001    1 m GM Alpha, Anna-Karl                  2512 NOR     1500001 1990/01/30  2.5    1     4 w 1     2 b =     3 w 1
001    2 wWIM Beta, Berta                       2204 GER     4600002 2008/11/02  2.0    2     3 b 1     1 w =  0000 - H
001    3 m    Gamma, Carl                            FRA             2012/00/00  0.0    4     2 w 0     4 b -     1 b 0
001    4 m FM Delta, Dan                        2301 ITA      800004 1985/07/19  2.0    3     1 b 0     3 w +  0000 - U
FRA    3 m    Gamma, Carl                       1650 IDF        A123 2012/00/00
240 H   3    2
XXZ 4
DAT 3 CLUB Somewhere
"""


def player(number: int, results: str = "", name: str = "", **fields: str) -> str:
    """A line of record 001. `results`: rounds such as `2 w 1` or `2 _ 1` between bars; a blank one is a blank round."""
    columns = {"sex": (10, 10), "title": (11, 13), "rating": (49, 52), "federation": (54, 56), "id": (58, 68)}
    columns |= {"born": (70, 79), "points": (81, 84), "rank": (86, 89)}
    text = f"001 {number:>4}      {name or f'Player {chr(64 + number)}'}"
    for field, value in fields.items():
        first, last = columns[field]
        text = put(text, first, last, value if field == "born" else value.rjust(last - first + 1))
    for at, block in enumerate(results.split("|") if results else []):
        opponent, colour, code = (*block.split(" "), "", "", "")[:3]
        text = text.ljust(91 + 10 * at) + f"{opponent:>4} {colour.strip('_') or ' '} {code}"
    return text


#: Two teams on two boards.
TEAMS = f"""\
012 Example Match
042 2026/10/01
052 2026/10/01
{"132":<91}26/10/01
{player(1, "3 w 1", "Alpha, Anna", rating="2100", points="1.0", rank="1")}
{player(2, "4 b 0", "Beta, Berta", rating="1900", points="0.0", rank="3")}
{player(3, "1 b 0", "Gamma, Carl", rating="2000", points="0.0", rank="3")}
{player(4, "2 w 1", "Delta, Dan", rating="1800", points="1.0", rank="1")}
162  W 1.0    D 0.5
299 W   2.0   1.0   1    1    2
300   1   1   2    1    2
320  2.0  1.0   0   2
330 +-   1   1   2
310 {1:>3} {"Northern Knights":<32} {"NOR":<5} {"":6} {"1.0":>6} {"1.0":>6} {1:>3}  {1:>4} {2:>4}
310 {2:>3} {"Southern Bishops":<32} {"SOU":<5} {"":6} {"1.0":>6} {"1.0":>6} {2:>3}  {3:>4} {4:>4}
250  1.0  1.0   1   2    1    2
260   1   2    1    2
"""


def trf(*lines: str, end: str = "\r\n") -> bytes:
    head = ["012 Prova", "042 2026/10/01", "052 2026/10/03"]
    given = {line[:3] for line in lines}
    return "".join(line + end for line in [*(line for line in head if line[:3] not in given), *lines]).encode()


def read(*lines: str) -> tuple[Report, list[Problem]]:
    return read_trf(trf(*lines), "prova.trf")


def found(report: Report, kind: str, **how: object) -> list[Finding]:
    return [finding for finding in lint(report, **how) if finding.kind == kind]  # type: ignore[arg-type]


def again(report: Report) -> Report:
    """The report written and read."""
    return read_trf(write_trf(report)[0])[0]
