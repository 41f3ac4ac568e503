"""Reports on the desk: handed in, looked at line by line, their people matched, repaired; accepted or refused whole.

A reporter hands in and sees their own; who is who, and what of the register it may be, is for officers.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from arpad.bureau import intake
from arpad.bureau.intake import UNDECIDED, Decisions, Received
from arpad.bureau.matching import Match
from arpad.bureau.opened import Office
from arpad.bureau.reports import Sent
from arpad.errors import DataError, Stale, UnknownName, UsageError
from arpad.formats import Reading
from arpad.formats.report import Finding
from arpad.formats.streams import outgrows
from arpad.ledger import chain
from arpad.model import Problem

if TYPE_CHECKING:
    from arpad.engine import Progress

Stage: TypeAlias = Literal["staged", "held", "accepted", "refused"]
STAGES: tuple[Stage, ...] = ("held", "staged", "accepted", "refused")

#: The most that a report may be, as it comes and unpacked, in bytes.
LARGEST, UNPACKED = 64 << 20, 256 << 20
#: Reports up to this size are looked at for the inbox; of a larger one the problems are counted when it is opened.
SMALL = 2 << 20
#: What the inbox has of a report: the entry is that which handed it in.
COLUMNS = "report.id, source, size, state, at, actor"
#: The longest name of a file that is kept.
LONGEST = 120


class Filed(msgspec.Struct, frozen=True):
    """A report in the inbox. `errors`: problems that keep it from being accepted, `unmatched` those of them that ask
    who somebody is; None where it was not looked at. `games` are those that count, once accepted."""

    report: int
    source: str
    size: int
    stage: Stage
    at: str
    actor: str
    errors: int | None
    unmatched: int | None
    games: int | None
    reason: str | None


class Inbox(msgspec.Struct, frozen=True):
    """Reports of a stage, the newest first, and how many there are of each."""

    stage: str
    counts: Mapping[str, int]
    rows: tuple[Filed, ...]


class Proposal(msgspec.Struct, frozen=True):
    """A finding of a report, with the repair that is proposed for it, if one is."""

    number: int
    line: int
    column: int
    severity: str
    message: str
    repair: str | None


class ReportPage(msgspec.Struct, frozen=True):
    """A report, and what stands in its way. `received` is None for a refused one; `trouble` says why one that is kept
    cannot be read any more. `head` is the last entry of what was looked at."""

    filed: Filed
    events: tuple[int, ...]
    received: Received | None
    proposals: tuple[Proposal, ...]
    trouble: str
    pools: tuple[str, ...]
    bodies: tuple[str, ...]
    head: int


class Handed(msgspec.Struct, frozen=True):
    """What became of a file that was handed in; `problems` are why nothing of it was kept."""

    name: str
    received: Received | None
    problems: tuple[Problem, ...] = ()


def file_name(given: str) -> str:
    """What a report is called: the last part of what its sender called it, without what no name of a file can have. It
    is a word about the report, and never a path."""
    last = given.replace("\\", "/").rpartition("/")[2]
    plain = "".join(letter for letter in last if letter.isprintable()).strip(" .")
    stem, ending = os.path.splitext(plain)
    return (stem[: LONGEST - len(ending)] + ending)[-LONGEST:] or "report"


def hand_in(
    office: Office,
    files: Sequence[Sent],
    decisions: Decisions = UNDECIDED,
    reading: Reading | None = None,
    *,
    dry: bool = False,
) -> tuple[Handed, ...]:
    """Keep reports as they came, each for itself, with what stands in their way; `dry`: only say what would."""
    return tuple(_handed(office, each, decisions, reading, dry) for each in files)


def _handed(office: Office, sent: Sent, decisions: Decisions, reading: Reading | None, dry: bool) -> Handed:
    sent = Sent(file_name(sent.name), sent.content)
    try:
        take = intake.examine if dry else intake.stage
        return Handed(sent.name, take(office, _sound(sent), decisions, reading))
    except DataError as error:
        return Handed(sent.name, None, error.problems)
    except UsageError as error:
        return Handed(sent.name, None, (Problem(str(error), sent.name),))


def _sound(sent: Sent) -> Sent:
    """A report that is not too large, and is none when it is unpacked. Raises DataError."""
    if not sent.content:
        raise DataError([Problem("the file is empty", sent.name)])
    if len(sent.content) > LARGEST:
        raise DataError([Problem(f"more than {LARGEST >> 20} MB", sent.name, hint="hand it in by parts")])
    if outgrows(sent.content, UNPACKED):
        text = f"unpacked, it would be more than {UNPACKED >> 20} MB"
        raise DataError([Problem(text, sent.name, hint="hand it in by parts")])
    return sent


def inbox(office: Office, stage: str = "", reporter: str = "", most: int = 200) -> Inbox:
    """The reports of a stage, or of all; those that one `reporter` handed in alone, if one is named."""
    with office.store.reading():
        sql = f"select {COLUMNS} from report join entry on entry.seq = report.entry order by report.id desc"
        rows = [row for row in office.store.rows(sql) if reporter in ("", row[5])]
        waiting = {row[0]: _filed(office, row) for row in rows if row[3] == "staged"}
        stages = {row[0]: waiting[row[0]].stage if row[0] in waiting else row[3] for row in rows}
        chosen = [row for row in rows if stage in ("", stages[row[0]])][:most]
        shown = tuple(waiting.get(row[0]) or _filed(office, row) for row in chosen)
    return Inbox(stage, {name: sum(each == name for each in stages.values()) for name in STAGES}, shown)


def _filed(office: Office, row: Sequence[object]) -> Filed:
    number, source, size, state, at, actor = row
    assert isinstance(number, int)
    assert isinstance(size, int)
    stage: Stage = "staged"
    errors = unmatched = games = None
    reason: str | None = ""
    if state == "staged" and size <= SMALL:
        counted: dict[int, tuple[int, int, int]] = office.keep("problems of reports", dict)
        if number not in counted:
            counted[number] = _counted(office, number)
        errors, unmatched, games = counted[number]
        stage = "held" if errors else "staged"
    elif state == "accepted":
        stage, games = "accepted", _counting(office, number)
    elif state == "refused":
        stage, reason = "refused", _why(office, number)
    return Filed(number, str(source), size, stage, str(at), str(actor), errors, unmatched, games, reason)


def _counting(office: Office, number: int) -> int:
    """The games of an accepted report that count."""
    counts: dict[int, int] = office.keep("games of reports", dict)
    if number not in counts:
        joined = "game join event on event.id = game.event"
        counts[number] = office.store.value(f"select count(*) from {joined} where voided = 0 and report = ?", (number,))
    return counts[number]


def _counted(office: Office, number: int) -> tuple[int, int, int]:
    """Problems in the way of a report, those about people, and its games."""
    try:
        found = intake.look(office, number, Decisions(pool=pools_of(office)[0]))
    except DataError as error:
        return len(error.problems), 0, 0
    except UsageError:
        return 1, 0, 0
    return len(found.holds), sum(each.how == "held" for each in found.people), found.games


def _why(office: Office, number: int) -> str | None:
    """Why a report was refused."""
    entries = chain.entries(office.store, kinds=("refuse",))
    return next((entry.reason for entry in entries if entry.body["report"] == number), None)


def filed(office: Office, number: int, reporter: str = "") -> Filed:
    """A report of the inbox. Raises UnknownName for one that is not there, or is not this reporter's."""
    sql = f"select {COLUMNS} from report join entry on entry.seq = report.entry where report.id = ?"
    row = office.store.row(sql, (number,))
    if row is None or reporter not in ("", row[5]):
        raise UnknownName("report", str(number), [])
    return _filed(office, row)


def report(
    office: Office,
    number: int,
    decisions: Decisions = UNDECIDED,
    reading: Reading | None = None,
    reporter: str = "",
) -> ReportPage:
    """A report with everything that is wrong with it, and everything that was assumed."""
    with office.store.reading():
        held, pools = filed(office, number, reporter), pools_of(office)
        received, trouble = None, ""
        problems: tuple[Problem, ...] = ()
        if held.stage in ("staged", "held"):
            try:
                received = intake.look(office, number, replace(decisions, pool=decisions.pool or pools[0]), reading)
            except DataError as error:
                problems = error.problems
            except UsageError as error:
                trouble = str(error)
        if received and reporter:
            received = unregistered(received)
        numbers = [row[0] for row in office.store.rows("select id from event where report = ? order by id", (number,))]
        proposals = () if held.stage in ("accepted", "refused") else _proposals(office, number, held.source)
        if problems and not proposals:
            proposals = tuple(_proposal(at, _found(each)) for at, each in enumerate(problems, 1))
        bodies = tuple(row[0] for row in office.store.rows("select distinct body from identifier order by body"))
        return ReportPage(held, tuple(numbers), received, proposals, trouble, pools, bodies, office.head)


def for_reporters(handed: Handed) -> Handed:
    """Without what it says of the register."""
    return replace(handed, received=unregistered(handed.received)) if handed.received else handed


def unregistered(received: Received) -> Received:
    """Without what it says of the register: candidates, and the words about them."""
    people = tuple(_unnamed(each) for each in received.people)
    told = {each.problem for each in received.people if each.problem}
    holds = [problem for problem in received.holds if problem not in told]
    holds += [each.problem for each in people if each.problem]
    return replace(received, people=people, holds=tuple(holds))


def _unnamed(each: Match) -> Match:
    if each.problem is None:
        return each
    text = f"{each.named.name or each.named.key!r}: an officer has to say who this is"
    return replace(each, candidates=(), problem=Problem(text, each.problem.source, each.named.line))


def _found(problem: Problem) -> Finding:
    hint = f" ({problem.hint})" if problem.hint else ""
    return Finding("read", f"{problem.message}{hint}", problem.line, 0, problem.severity)


def _proposal(number: int, finding: Finding) -> Proposal:
    repair = finding.repair.words if finding.repair else None
    return Proposal(number, finding.line, finding.column, finding.severity, finding.message, repair)


def content(office: Office, number: int, reporter: str = "") -> Sent:
    """A report as it came. Raises UnknownName for one that is not kept."""
    held = filed(office, number, reporter)
    kept = office.store.value("select content from report where id = ?", (number,))
    if kept is None:
        raise UnknownName("report", str(number), [])
    return Sent(held.source, bytes(kept))


def _findings(sent: Sent, chosen: Sequence[int] = ()) -> tuple[tuple[Finding, ...], bytes]:
    """Everything that a checker finds in a report, and its bytes with the repairs of the chosen findings (from 1)."""
    from arpad.formats.examine import check, mend

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, sent.name)
        with open(path, "wb") as file:
            file.write(sent.content)
        checked = check(path)
        if not chosen:
            return checked.findings, sent.content
        unknown = [each for each in chosen if not 0 < each <= len(checked.findings)]
        if unknown:
            raise UsageError(f"there is no finding {unknown[0]}")
        target = os.path.join(folder, "mended.trf")
        mend(checked, [checked.findings[each - 1] for each in chosen], target)
        with open(target, "rb") as file:
            return checked.findings, file.read()


def _proposals(office: Office, number: int, source: str) -> tuple[Proposal, ...]:
    """What a checker finds in a tournament report, with its repairs; of a table, nothing that intake does not say."""
    from arpad.formats.reports import PERHAPS, SURE

    if not source.lower().removesuffix(".gz").endswith((*SURE, *PERHAPS)):
        return ()

    def made() -> tuple[Proposal, ...]:
        try:
            findings, _ = _findings(content(office, number))
        except (DataError, UsageError):  # intake says the same
            return ()
        return tuple(_proposal(at, each) for at, each in enumerate(findings, 1))

    return office.keep(("proposals", number), made)


def repaired(office: Office, number: int, chosen: Sequence[int], reporter: str = "") -> Sent:
    """A report with the repairs of these findings. Raises UsageError for findings that have none."""
    if not chosen:
        raise UsageError("choose the repairs to be made")
    sent = content(office, number, reporter)
    _, data = _findings(sent, chosen)
    stem = sent.name.removesuffix(".gz").rpartition(".")[0] or sent.name
    return Sent(file_name(f"{stem}-repaired.trf"), data)


def take_repaired(office: Office, number: int, chosen: Sequence[int]) -> int:
    """Keep the repaired report in place of the one that came, which is refused; the number of the new one."""
    with office.store.writing():
        mended = repaired(office, number, chosen)
        found = intake.stage(office, mended)
        intake.refuse(office, number, f"repaired: it is report {found.report} now")
    return found.report


def accept(
    office: Office,
    number: int,
    decisions: Decisions = UNDECIDED,
    reading: Reading | None = None,
    reason: str = "",
    head: int | None = None,
    progress: Progress | None = None,
) -> Received:
    """Accept a report; `progress` is told of games written, of how many. Raises DataError naming what holds it, Stale
    if something was entered after `head`; UnknownName for a pool that no list rates, UsageError where there are several
    and none is named."""
    with office.store.writing():
        filed(office, number)
        unmoved(office, head)
        pooled = replace(decisions, pool=_pool(office, decisions.pool))
        return intake.accept(office, number, pooled, reading, reason, progress)


def pools_of(office: Office) -> tuple[str, ...]:
    """The pools that the lists of an office rate, the blank one first."""
    return tuple(sorted({each.pool for each in office.lists()}))


def _pool(office: Office, named: str) -> str:
    pools = pools_of(office)
    if named in pools:
        return named
    if named:
        raise UnknownName("pool", named, pools)
    if len(pools) > 1:
        raise UsageError(f"say which pool its games belong to: {', '.join(pools)}")
    return pools[0]


def refuse(office: Office, number: int, reason: str) -> Filed:
    """Refuse a report. Raises UsageError without a reason."""
    if not reason.strip():
        raise UsageError("refusing a report needs a reason: its sender will ask for it")
    with office.store.writing():
        filed(office, number)
        intake.refuse(office, number, reason)
        return filed(office, number)


def unmoved(office: Office, head: int | None) -> None:
    """Raise Stale if the last entry is not this one; None: whichever it is."""
    if head is not None and head != office.head:
        raise Stale(f"it was looked at after entry {head}, and the last one is {office.head} now: look again")
