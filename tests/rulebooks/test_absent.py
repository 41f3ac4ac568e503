"""Every body and game that the sources name is a rulebook, a template, or an absence with what is known of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arpad.rulebooks import names

DOCS = Path(__file__).parents[2] / "docs"

RULEBOOKS = """
    acf aga asigc boardgamearena cfc clubelo dci diplomacy/ghost dsu dwz ecf/grade ecf/monthly egf eloratings fexerj
    fibs fics fide/standard fifa/men fifa/women fivethirtyeight/mlb fivethirtyeight/nba fivethirtyeight/nfl
    fivethirtyeight/tennis fsi harkness icc/classic iccf/classic iccf/logistic icu iecg knsb lask lss multiplayer nsf
    scotland scrabble/australia scrabble/isc scrabble/naspa scrabble/nsa ttr uschess/classic uschess/regular
"""
ABSENT = """
    PCA, Yahoo! Games, ICCF since the second half of 2023, FMJD, FISE, Redeletras, RASCCAT, WESPA, NBTF, CBX, FFE,
    OeSB, New Zealand, AICF, FADA, CNXC, UISP, DailyGammon, GamesGrid, Netgammon, DiplomaticCorp, Catan,
    Padel, squash, Sackmann
"""


def test_what_the_sources_describe_is_a_rulebook() -> None:
    assert set(RULEBOOKS.split()) <= set(names())


@pytest.mark.parametrize("body", [body.strip() for body in ABSENT.split(",")])
def test_what_they_only_name_is_an_absence(body: str) -> None:
    rows = [line for line in (DOCS / "absent.md").read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    held = [row for row in rows[1:] if body in row]
    assert held, f"{body} is neither here nor said to be absent"
    assert all(row.count("|") == 5 and all(cell.strip() for cell in row.split("|")[1:-1]) for row in held)


def test_what_stands_in_for_an_absence_is_there() -> None:
    for line in (DOCS / "absent.md").read_text(encoding="utf-8").splitlines():
        instead = line.split("|")[4] if line.startswith("| ") else ""
        for word in re.findall(r"`([a-z/]+|[a-z/]+/[-a-z.]+)`", instead):
            files = [DOCS.parent / word, DOCS.parent / "src" / "arpad" / "rulebooks" / word]
            said = {"adjustment", "delay", "k", "periods", "slow"}  # acts, parameters and presets
            assert word in names() or word in said or any(file.exists() for file in files), word
