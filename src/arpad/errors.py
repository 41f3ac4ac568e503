"""Everything arpad raises on purpose.

    ArpadError                 exit code 2 unless said otherwise
    ├── UsageError             the call itself is wrong: unknown option, bad value
    │   ├── UnknownName        a name that is not there; says which are
    │   └── Stale              what was looked at is not so any more
    ├── RulebookError          a rulebook that does not hold; names file, edition and key
    ├── DataError              facts that cannot be accepted; carries every Problem (exit code 1)
    └── LedgerError            an office that cannot be opened or does not hold together
        └── Busy               somebody else is writing, and did not finish in time

Bad facts are collected as `Problem` values and raised together, once, so that a user sees all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arpad.model import Problem


class ArpadError(Exception):
    """Base of all errors raised on purpose."""

    exit_code = 2


class UsageError(ArpadError):
    """A call that cannot be carried out as it was made."""


class NotAllowed(UsageError):
    """Somebody's role does not let them do this."""


class UnknownName(UsageError):
    """A name that does not exist; the message lists close or available names."""

    def __init__(self, kind: str, name: str, available: Iterable[str]) -> None:
        from difflib import get_close_matches

        names = sorted(available)
        close = get_close_matches(name, names, n=3) or [each for each in names if each.casefold() == name.casefold()]
        if close:
            hint = f"did you mean {' or '.join(close)}?"
        else:
            shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
            hint = f"known: {shown}" if names else "there is none like it"
        super().__init__(f"unknown {kind} {name!r}; {hint}")


class Stale(UsageError):
    """An act on what was looked at before somebody else wrote; nothing was written."""


class RulebookError(ArpadError):
    """A rulebook that cannot be used. The message names the file, the edition and the key."""


class DataError(ArpadError):
    """Facts that were refused. `problems` holds each of them, in the order of the file."""

    exit_code = 1

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        lines = [str(problem) for problem in self.problems[:100]]
        if len(self.problems) > 100:
            lines.append(f"… and {len(self.problems) - 100} more")
        super().__init__("\n".join(lines))


class LedgerError(ArpadError):
    """An office that cannot be opened, or whose ledger does not hold together."""


class Busy(LedgerError):
    """Somebody else is writing to the office and did not finish in time; nothing was written."""
