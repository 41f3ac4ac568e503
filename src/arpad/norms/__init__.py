"""Title norms: what a player did in one event, held against every condition of the regulation of its day.

    report = check_norm(Applicant("Rossi", "ITA"), meetings, EventFacts("swiss", 9, date(2025, 3, 1)), "GM")
    report.achieved, report.performance                    # (False, 2587)
    [c for c in report.conditions if c.met is False]       # what is missing, with numbers and article
    last_round_needs(...)                                  # what the rounds to come would have to bring

`facts` says what must be known, `rules` reads the regulation (`rulebooks/fide/title_norms.toml`), `conditions` holds
one set of games against it, `check` looks for the best set, `needs` looks ahead.
"""

from __future__ import annotations

from arpad.norms.check import check_norm
from arpad.norms.facts import Applicant, Condition, Counted, EventFacts, LeftOut, Meeting, NormReport
from arpad.norms.needs import Need, last_round_needs
from arpad.norms.rules import TITLES, minimum_average, norm_rules, norm_table

__all__ = [
    "TITLES",
    "Applicant",
    "Condition",
    "Counted",
    "EventFacts",
    "LeftOut",
    "Meeting",
    "Need",
    "NormReport",
    "check_norm",
    "last_round_needs",
    "minimum_average",
    "norm_rules",
    "norm_table",
]
