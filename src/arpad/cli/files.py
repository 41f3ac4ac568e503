"""`arpad check` and `arpad convert`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from arpad.cli import options
from arpad.cli.output import json_of, put, text
from arpad.cli.talk import report as tell
from arpad.cli.talk import say

if TYPE_CHECKING:
    from arpad.formats.report import Finding, Report

path = click.Path(dir_okay=False)
encoding = click.option("--encoding", metavar="NAME", help="Encoding, such as cp1252 (default: detected).")
date_format = click.option(
    "--date-format",
    type=click.Choice(["DMY", "MDY", "YMD"], case_sensitive=False),
    help="Order of dates that could be read in two ways (default: where certain).",
)


@click.command()
@click.argument("file", type=path)
@click.option("--repair", "target", type=path, metavar="OUT", help="Write the file with the accepted repairs.")
@click.option(
    "--accept",
    "accepted",
    multiple=True,
    metavar="N|all",
    help="Accept the repair of this finding (several: 1,4 or repeated); `all`: every one that edits the file.",
)
@click.option("--comment", default="###", show_default=True, metavar="CODE", help="Record in which repairs are noted.")
@options.form("text", "json")
@encoding
@date_format
def check(
    file: str,
    target: str | None,
    accepted: tuple[str, ...],
    comment: str,
    form: str,
    encoding: str | None,
    date_format: str | None,
) -> int:
    """Check a file: each problem with its line and column, what is wrong, and what could be done about it.

    FILE is a tournament report (TRF06, TRF16, TRF26, TRF(x), or a crosstable as text) or a table of games. Nothing is
    changed unless a repair is accepted; what was accepted is noted in OUT as comment records. The exit code is 1 if an
    error is left.

    \b
    Examples:
        arpad check open.trf
        arpad check open.trf --format json
        arpad check open.trf --repair mended.trf --accept 2,5
        arpad check open.trf --repair mended.trf --accept all
        arpad check old.trf --date-format DMY
    """
    from arpad import office

    if bool(target) != bool(accepted):
        raise click.UsageError("--repair and --accept go together")
    checked = office.check(file, _reading(encoding, date_format))
    log: tuple[str, ...] = ()
    if target:
        chosen = _chosen(accepted, checked.findings)
        checked, log = office.repair(checked, chosen, target, comment)
    if form == "json":
        put(lambda out: out.write(json_of(_json(file, target, checked.report, checked.findings, log))))
    else:
        text(_lines(target or file, checked.findings))
    for line in log:
        say(line)
    return 0 if checked.sound else 1


@click.command()
@click.argument("source", type=path, metavar="IN")
@click.argument("target", type=path, metavar="OUT")
@click.option("--event", metavar="NAME", help="Which event of a table of games becomes the report.")
@encoding
@date_format
def convert(source: str, target: str, event: str | None, encoding: str | None, date_format: str | None) -> int:
    """Write what a file holds as another kind of file, by their endings.

    Reports are .trf, .trfx, .tab, and .txt for crosstables; games are .csv, .json, .jsonl, .parquet, .arrow, .xlsx,
    and .pgn to read.
    Forfeits and byes of a report are no games and do not come into a table. If anything in IN is an error, nothing is
    written, and the exit code is 1.

    \b
    Examples:
        arpad convert open.trf games.csv
        arpad convert open.trf crosstable.txt
        arpad convert games.csv open.trf --event Open
        arpad convert report.tab report.trf
    """
    from arpad import office

    tell(office.convert(source, target, _reading(encoding, date_format), event))
    return 0


def _reading(encoding: str | None, date_format: str | None) -> Any:
    from arpad.formats import Reading

    return Reading(encoding=encoding, date_format=date_format)


def _chosen(accepted: tuple[str, ...], findings: tuple[Finding, ...]) -> list[Finding]:
    """The findings that were named by number. Raises a usage error for a number that has no repair."""
    words = [word.strip() for part in accepted for word in part.split(",") if word.strip()]
    if words == ["all"]:
        return [finding for finding in findings if finding.repair and finding.repair.edits]
    chosen = []
    for word in dict.fromkeys(words):
        number = int(word) if word.isascii() and word.isdigit() and len(word) < 9 else 0
        if not 0 < number <= len(findings) or findings[number - 1].repair is None:
            able = [str(at) for at, finding in enumerate(findings, 1) if finding.repair]
            raise click.UsageError(f"nothing to accept under {word!r}; repairs: {', '.join(able) or 'none'}")
        chosen.append(findings[number - 1])
    return chosen


def _lines(name: str, findings: tuple[Finding, ...]) -> list[str]:
    lines = []
    for number, finding in enumerate(findings, 1):
        place = ":".join(map(str, [os.path.basename(name), *(at for at in (finding.line, finding.column) if at)]))
        line = f"{number:>3} {place}: {finding.severity}: {finding.message}"
        lines.append(line + (f"\n    repair: {finding.repair.words}" if finding.repair else ""))
    errors = sum(1 for finding in findings if finding.severity == "error")
    counts = (("error", errors), ("warning", len(findings) - errors))
    lines.append(", ".join(f"{count} {word}{'' if count == 1 else 's'}" for word, count in counts))
    return lines


def _json(
    name: str, target: str | None, report: Report | None, findings: tuple[Finding, ...], log: tuple[str, ...]
) -> dict[str, Any]:
    rows = [
        {
            "number": number,
            "severity": finding.severity,
            "kind": finding.kind,
            "line": finding.line,
            "column": finding.column,
            "message": finding.message,
            "repair": finding.repair.words if finding.repair else None,
        }
        for number, finding in enumerate(findings, 1)
    ]
    head: dict[str, Any] = {"file": name, "written": target}
    if report is not None:
        from arpad.formats.report_games import fingerprint, tally
        from arpad.formats.trf import version

        head |= {"version": version(report), "encoding": report.encoding, "log": report.log, "repaired": log}
        head |= {"holds": tally(report), "fingerprint": fingerprint(report)}
    return {**head, "findings": rows}
