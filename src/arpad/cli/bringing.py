"""What `arpad import` takes in besides games: people, acts, and dated facts of people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arpad.cli.output import json_of, put
from arpad.cli.talk import report, say
from arpad.errors import UsageError
from arpad.model import Problem

if TYPE_CHECKING:
    from arpad.bureau.opened import Office

#: One of each kind.
ONE = {"people": "person", "members": "member", "acts": "act", "facts": "fact"}


def bring(
    office: Office,
    files: tuple[str, ...],
    kind: str,
    name: str | None,
    ids: str,
    reason: str,
    reading: Any,
    keep: bool,
    quiet: bool,
    form: str,
) -> int:
    """People, acts or dated facts of files, all in one transaction."""
    from msgspec.structs import replace

    from arpad.bureau import cards, register
    from arpad.bureau.reports import refused
    from arpad.formats import read_acts, read_dated, read_members, read_start

    store = office.store
    count = 0
    with store.writing() if keep else store.trying():
        for path in files:
            if kind == "people":
                people, problems = read_start(path, reading)
            elif kind == "members":
                members, problems = read_members(path, reading)
            elif kind == "facts":
                dated, problems = read_dated(path, reading)
            else:
                acts, problems = read_acts(path, reading)
            refused(problems)
            report(problem for problem in problems if not quiet)
            if kind == "people":
                count += len(register.enrol(office, people, name, ids, reason))
            elif kind == "members":
                count += len(register.join(office, members, name, ids, reason))
            elif kind == "facts":
                register.tell(
                    office,
                    [
                        register.Told(cards.find(office, each.player).id, each.what, each.since, each.value)
                        for each in dated
                    ],
                    reason,
                )
                count += len(dated)
            else:
                who, strangers = {}, []
                for act in acts:
                    try:
                        who[act.player] = str(cards.find(office, act.player).id)
                    except UsageError as error:
                        strangers.append(Problem(str(error), act.source, act.line, "player"))
                refused(strangers)
                register.add_acts(office, [replace(act, player=who[act.player]) for act in acts], name, reason)
                count += len(acts)
    if form == "json":
        put(lambda file: file.write(json_of([{"kind": kind, "count": count, "accepted": keep}])))
    if keep and quiet:
        return 0
    say(f"{count} {kind if count != 1 else ONE[kind]}" + ("" if keep else ": nothing was written; --accept does"))
    return 0
