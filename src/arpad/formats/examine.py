"""One file examined: what it is, everything that was found, and the file with accepted repairs."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arpad.errors import DataError, UsageError
from arpad.formats.lint import is_sound, lint, repair
from arpad.formats.report import Finding, Report
from arpad.formats.reports import read_report, report_kind
from arpad.formats.sheet import Reading
from arpad.formats.trf_write import write_trf
from arpad.formats.write import write_files
from arpad.model import Problem


class Checked(msgspec.Struct, frozen=True):
    """Findings in the order of the lines; `report` is None for a table of games."""

    report: Report | None
    findings: tuple[Finding, ...]

    @property
    def sound(self) -> bool:
        """Whether no error is left."""
        return is_sound(self.findings)


def check(path: str, reading: Reading | None = None) -> Checked:
    """Everything that is wrong with a file. Raises DataError for bytes that are no text, UsageError for no file."""
    kind = report_kind(path)
    if kind:
        report, problems = read_report(path, reading)
        read = [_finding(problem) for problem in problems if kind == "crosstable" or not problem.line]
        return Checked(report, (*read, *lint(report)))
    from arpad.formats import read_games

    try:
        _, problems = read_games(path, reading)
    except DataError as error:
        problems = list(error.problems)
    return Checked(None, tuple(map(_finding, problems)))


def mend(
    checked: Checked, accepted: Sequence[Finding], target: str, comment: str = "###"
) -> tuple[Checked, tuple[str, ...]]:
    """Write a report with the accepted repairs; returns what is left to find, and what was done in words."""
    before = checked.report
    if before is None:
        raise UsageError("only tournament reports can be repaired")
    report = repair(before, accepted, comment)
    data, problems = write_trf(report)
    write_files({target: lambda file: file.write(data)})
    done = (*report.log[len(before.log) :], *map(str, problems))
    return Checked(report, tuple(lint(report))), done


def _finding(problem: Problem) -> Finding:
    text = f"{problem.column}: {problem.message}" if problem.column else problem.message
    hint = f" ({problem.hint})" if problem.hint else ""
    return Finding("read", text + hint, problem.line, 0, problem.severity)
