"""Norms of a tournament report."""

from __future__ import annotations

from collections.abc import Sequence

from arpad.events.facts import event_facts, find_entrant, meetings_of
from arpad.formats.report import Entrant, Report
from arpad.norms import Applicant, Need, NormReport, check_norm, last_round_needs
from arpad.norms.facts import Championship
from arpad.norms.needs import MOST_ROUNDS
from arpad.norms.rules import TITLES, check_title

__all__ = ["MOST_ROUNDS", "norm_needs", "norm_reports", "rounds_to_come"]

#: Titles that make a norm for another one pointless.
ABOVE = {"GM": ("GM",), "IM": ("GM", "IM"), "WGM": ("GM", "IM", "WGM"), "WIM": ("GM", "IM", "WGM", "WIM")}


def norm_reports(
    report: Report,
    player: str | None = None,
    title: str | None = None,
    championship: Championship = "",
) -> list[NormReport]:
    """A norm check for each player and title, in the order of the file.

    Without `player`, everybody; without `title`, the titles that somebody does not hold yet, women's for women. Raises
    UnknownName for either name, UsageError if the report does not say when the event began.
    """
    facts = event_facts(report, championship)
    entrants = [find_entrant(report, player)] if player else report.entrants
    found = []
    for entrant in entrants:
        meetings = meetings_of(report, entrant)
        for each in _titles(entrant, title):
            found.append(check_norm(_applicant(entrant), meetings, facts, each))
    return found


def norm_needs(report: Report, player: str, title: str, championship: Championship = "") -> list[Need]:
    """What the rounds to come would have to bring a player for a norm; nothing if it cannot be made any more."""
    entrant = find_entrant(report, player)
    facts = event_facts(report, championship)
    return last_round_needs(_applicant(entrant), meetings_of(report, entrant), facts, title)


def rounds_to_come(report: Report, player: str) -> int:
    """How many rounds a player has still to play."""
    return sum(meeting.kind == "pending" for meeting in meetings_of(report, find_entrant(report, player)))


def _applicant(entrant: Entrant) -> Applicant:
    sex = {"m": "m", "w": "w"}.get(entrant.sex, "")
    return Applicant(entrant.name or str(entrant.number), entrant.federation, sex)  # type: ignore[arg-type]  # one of three


def _titles(entrant: Entrant, title: str | None) -> Sequence[str]:
    if title:
        check_title(title)
        return [title]
    open_to = TITLES if entrant.sex == "w" else ("GM", "IM")
    return [each for each in open_to if entrant.title not in ABOVE[each]]
