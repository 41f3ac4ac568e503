"""What an arbiter asks of a tournament report: norms, and the sheet with averages, performances and rating changes.

    report, problems = read_report("open.trf")
    norm_reports(report, player="Rossi")           # every title that Rossi could have made a norm for
    event_report(report).players[0].change         # what the event is worth, under fide/standard of its day

`facts` makes of a report what the norms and the ratings ask for, `norms` and `sheet` put the questions.
"""

from __future__ import annotations

from arpad.events.facts import event_facts, find_entrant, known_players, meetings_of, read_report
from arpad.events.norms import MOST_ROUNDS, norm_needs, norm_reports, rounds_to_come
from arpad.events.sheet import EventReport, GameRow, PlayerRow, event_report

__all__ = [
    "MOST_ROUNDS",
    "EventReport",
    "GameRow",
    "PlayerRow",
    "event_facts",
    "event_report",
    "find_entrant",
    "known_players",
    "meetings_of",
    "norm_needs",
    "norm_reports",
    "read_report",
    "rounds_to_come",
]
