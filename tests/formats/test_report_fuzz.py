"""Whatever a report holds: reading ends, with a report or an ArpadError; what was read is written back as it was."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.errors import ArpadError
from arpad.formats.crosstable import looks_like_crosstable, read_crosstable, write_crosstable
from arpad.formats.lint import lint, repair
from arpad.formats.report import Finding, Report, RoundResult
from arpad.formats.report_games import fingerprint, report_games, report_start, tally
from arpad.formats.trf import looks_like_trf, read_trf
from arpad.formats.trf_write import renumbered, write_trf

from .helpers import mutants
from .reports import EXAMPLE, TEAMS, player
from .test_crosstable import ONE_LINE, TWO_LINES

#: Seconds that one small file may take, on a machine that is busy with other things.
PATIENCE = 5.0

SEEDS = [
    EXAMPLE.encode(),
    EXAMPLE.replace("Berta", "Bértá").replace("\n", "\r\n").encode("cp1252"),
    TEAMS.encode("utf-8-sig"),
    TEAMS.replace("2026/10/01", "04/03/2011").encode("utf-16"),
]
TABLES = [TWO_LINES.encode(), ONE_LINE.encode(), write_crosstable(read_trf(EXAMPLE.encode())[0]).encode()]


def used(report: Report) -> None:
    """Everything that is done with a report."""
    report_games(report)
    report_start(report)
    tally(report)
    fingerprint(report)
    findings = lint(report)
    lines = len(renumbered(report).lines)
    assert all(finding.message and 0 <= finding.line <= lines for finding in findings)
    able = [finding for finding in findings if finding.repair]
    if able:
        repair(report, able[:1])
        repair(report, compatible(able))
    write_crosstable(report)


def compatible(findings: list[Finding]) -> list[Finding]:
    """Repairs that touch different lines."""
    lines: set[int] = set()
    chosen = []
    for finding in findings:
        touched = {edit.line for edit in finding.repair.edits} if finding.repair else set()
        if not touched & lines:
            lines |= touched
            chosen.append(finding)
    return chosen


def as_trf(data: bytes) -> None:
    looks_like_trf(data)
    try:
        report, problems = read_trf(data, "fuzz.trf")
    except ArpadError:
        return
    assert all(problem.line <= len(report.lines) for problem in problems)
    assert write_trf(report) == (data, [])
    used(report)


def as_crosstable(data: bytes) -> None:
    looks_like_crosstable(data)
    try:
        report, _ = read_crosstable(data, "fuzz.txt")
        used(report)
    except ArpadError:
        return


def attack(reader: Callable[[bytes], None], seed: bytes, count: int, random_seed: int = 1) -> None:
    for number, data in enumerate(mutants(seed, count, random_seed)):
        began = time.perf_counter()
        reader(data)
        assert time.perf_counter() - began < PATIENCE, number


@pytest.mark.parametrize("seed", SEEDS)
def test_mutants_of_report_files(seed: bytes) -> None:
    attack(as_trf, seed, 150)


@pytest.mark.parametrize("seed", TABLES)
def test_mutants_of_crosstables(seed: bytes) -> None:
    attack(as_crosstable, seed, 100)


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS)
def test_hundred_thousand_mutants_of_report_files(seed: bytes) -> None:
    attack(as_trf, seed, 100_000, random.randrange(1 << 30))


@pytest.mark.soak
@pytest.mark.parametrize("seed", TABLES)
def test_hundred_thousand_mutants_of_crosstables(seed: bytes) -> None:
    attack(as_crosstable, seed, 100_000, random.randrange(1 << 30))


@pytest.mark.soak
@pytest.mark.parametrize("name", ["javafo_sample2.trf", "bunratty_masters_2011.tab", "trf26_team.trf"])
def test_mutants_of_real_reports(name: str, published: Path) -> None:
    attack(as_trf, (published / "trf" / name).read_bytes(), 10_000, random.randrange(1 << 30))


CODE = st.sampled_from(
    ["001", "012", "042", "052", "132", "162", "299", "310", "013", "240", "XXR", "XXS", "FRA", "###"]
)
BODY = st.text(st.sampled_from("0123456789 wb=+-./HFUZ1|Aé,:\t"), max_size=130)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.builds("{} {}".format, CODE, BODY), max_size=8), st.sampled_from(["\n", "\r\n", "\r"]))
def test_any_records_of_a_report(lines: list[str], end: str) -> None:
    as_trf(end.join(lines).encode())


ROUND = st.one_of(
    st.builds(RoundResult, st.integers(1, 5), st.sampled_from(["w", "b", "-"]), st.sampled_from([*"1=0+-WDL", ""])),
    st.builds(RoundResult, st.none(), st.just("-"), st.sampled_from("HFUZ")),
    st.just(RoundResult()),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(ROUND, min_size=3, max_size=3), min_size=1, max_size=5))
def test_any_results_of_a_report(rows: list[list[RoundResult]]) -> None:
    blocks = ["|".join(block(each) for each in row) for row in rows]
    text = "\n".join(player(number, row, f"Name {number}") for number, row in enumerate(blocks, 1))
    as_trf(text.encode())
    report, _ = read_trf(text.encode())
    assert [list(entrant.results) for entrant in report.entrants] == [row[: report.rounds] for row in rows]


def block(result: RoundResult) -> str:
    if result == RoundResult():
        return ""
    return f"{result.opponent or '0000'} {result.colour} {result.code}"


@pytest.mark.parametrize(
    "text",
    [
        "012 " + " " * 200_000 + "x",
        "042 " + " " * 200_000 + "-",
        "042 " + "1:" * 100_000,
        "132" + " 26/10/01 " * 20_000,
        "001    1" + "9" * 300_000,
        "001    1".ljust(91) + "   2 w 1  " * 30_000,
        "310   1" + " " * 66 + "   1 " * 60_000,
        "162  " + "W 1.0   " * 40_000,
        "\n".join(f"001 {number:>4}      Same Name".ljust(91) + "   1 w 1" for number in range(1, 1500)),
        "   1 | " + " " * 1_900 + "|1.0|W  2|\n" + " " * 1_900 + "x|R: " + " " * 1_900 + "|||",
        "1 A" + " W1" * 650 + "\n2 B" + " " * 1_900 + "x",
    ],
)
def test_long_lines_take_no_longer(text: str) -> None:
    began = time.perf_counter()
    as_trf(text.encode())
    as_crosstable(text.encode())
    assert time.perf_counter() - began < 2 * PATIENCE
