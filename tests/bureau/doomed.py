"""What processes do that are killed meanwhile. It stands by itself, so that little is loaded for each of them.

    work PLACE START STATEMENT           acts of an office from START on, each said when it is done
    bring PLACE BUNDLE STATEMENT         a bundle is brought in
    step NAME PLACE TARGET STATEMENT     an office is made, backed up or restored

Each kills itself before the statement of that number, if there is one; 0: at none.
"""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from arpad.bureau.bases import move_base
from arpad.bureau.bundles import import_bundle
from arpad.bureau.corrections import Change, correct, revert
from arpad.bureau.erasing import erase
from arpad.bureau.keeping import backup, restore
from arpad.bureau.lists import publish, replay
from arpad.bureau.opened import Office, init, open_office
from arpad.bureau.people import merge, split
from arpad.errors import UsageError
from arpad.ledger.store import Store
from arpad.model import Game
from tests.bureau.worlds import taken

#: One after the other, and again. A base is moved and taken back within a turn: people are only merged where they were
#: not both on a list when its base was moved.
KINDS = (
    *("import", "correct", "replay", "import", "publish", "merge", "import", "split", "merge", "erase"),
    *("base", "import", "erase", "publish", "take the base back", "correct"),
)
ACTS, GAMES, SEED = 3 * len(KINDS), 240, 6

#: A child finds these tests wherever it is started.
CHILD_PATH = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join(path for path in (str(Path(__file__).resolve().parents[2]), *sys.path) if path),
}

CHILD = """
import sys
from tests.bureau import doomed
getattr(doomed, sys.argv[1])(*sys.argv[2:])
"""


def report(number: int) -> list[Game]:
    """An event of many games, each pair once a round; two who play a game each in rounds of their own may be one."""
    random_ = random.Random(f"{SEED} {number}")
    start = date(2003, 1, 1) + timedelta(days=130 * number + random_.randrange(100))  # never before a moved base
    pairs = {(turn, *sorted(random_.sample(range(30), 2))) for turn in range(1, 10) for _ in range(GAMES // 9)}
    called = [(turn, f"P{one}", f"P{other}") for turn, one, other in sorted(pairs)]
    called += [(10, f"Q{number}", "P1"), (11, f"R{number}", "P2")]
    return [
        Game(one, other, random_.choice([0.0, 0.5, 1.0]), date=start, event=f"E{number}", round=turn)
        for turn, one, other in called
    ]


#: What says no to an act that was done before: whoever was not told of it tries again.
DONE = ("already", "is published", "was not merged", "only moved forward")


def perform(office: Office, number: int) -> None:
    """The act of that number; again, if it was done already, without doing it twice."""
    try:
        _perform(office, number, KINDS[number % len(KINDS)])
    except UsageError as error:
        if not any(word in str(error) for word in DONE):
            raise


def _perform(office: Office, number: int, kind: str) -> None:
    turn, reason = number // len(KINDS), f"act {number}"
    # Persons are numbered as they come: P1 to P30, and two more with every report.
    first_report = turn * KINDS.count("import") * 2 + 31
    if kind == "import":
        assert taken(office, report(number)).accepted
    elif kind == "replay":
        replay(office)
    elif kind == "publish":
        publish(office, date(2023, 1, 1) + timedelta(days=number))
    elif kind == "merge":
        merge(office, first_report, first_report + 1, reason)
    elif kind == "split":
        split(office, first_report + 1, reason)
    elif kind == "erase":
        erase(office, first_report + (0 if number % len(KINDS) < 10 else 3), reason)
    elif kind == "base":
        move_base(office, date(2005 + turn, 1, 1), reason=reason)
    elif kind == "take the base back":
        if office.which().base:
            revert(office, office.store.value("select max(seq) from entry where kind = 'base'"), reason)
    else:
        changes = [
            Change("game", 1 + number, {"voided": 1}),
            Change("game", 7 + 2 * number, {"day": date(2021, 5, 1).toordinal() + number}),
        ]
        correct(office, changes, reason)


def counting(statements: int) -> None:
    """This process kills itself before the statement of that number."""
    count = 0

    def counted(told: Callable[..., Any]) -> Callable[..., Any]:
        def call(*values: Any) -> Any:
            nonlocal count
            count += 1
            if count == statements:
                os.kill(os.getpid(), signal.SIGKILL)
            return told(*values)

        return call

    for kind in Store.__subclasses__():
        kind.run, kind.insert = counted(kind.run), counted(kind.insert)  # type: ignore[method-assign]


def work(place: str, start: str, statements: str) -> None:
    """What a child does: acts from `start` on; it kills itself before the statement of that number, if there is one."""
    counting(int(statements))
    with open_office(place) as office:
        print("ready", flush=True)
        for number in range(int(start), ACTS):
            perform(office, number)
            print(number, flush=True)


def bring(place: str, source: str, statements: str) -> None:
    """What a child does who brings a bundle in; killed as `work` is."""
    counting(int(statements))
    print("ready", flush=True)
    import_bundle(source, place).close()
    print("brought", flush=True)


def _backup(place: str, target: str) -> None:
    with open_office(place) as office:
        backup(office, target)


STEPS: dict[str, Callable[[str, str], None]] = {
    "init": lambda place, target: init(target, "elo").close(),
    "backup": _backup,
    "restore": lambda place, target: restore(place, target).close(),
}


def step(name: str, place: str, target: str, statement: str) -> None:
    """One of the steps; this process kills itself before the statement of that number."""
    counting(int(statement))
    STEPS[name](place, target)
