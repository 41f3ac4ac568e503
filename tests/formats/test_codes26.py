"""The encoded records of TRF26."""

from __future__ import annotations

import pytest

from arpad.formats.codes26 import Stage, TimeControl, is_method, is_system, time_control, unknown_tiebreaks
from arpad.formats.report_games import report_games

from .reports import found, player, read


@pytest.mark.parametrize(
    ("text", "stages", "seconds", "chapter"),
    [
        ("5400+30", (Stage(None, 5400, 30),), 7200, "standard"),
        ("40/6000+30:900+30", (Stage(40, 6000, 30), Stage(None, 900, 30)), 8700, "standard"),
        ("40/7200:3600", (Stage(40, 7200), Stage(None, 3600)), 10800, "standard"),
        ("900+10", (Stage(None, 900, 10),), 1500, "rapid"),
        ("3600", (Stage(None, 3600),), 3600, "standard"),
        ("3599", (Stage(None, 3599),), 3599, "rapid"),
        ("180+2", (Stage(None, 180, 2),), 300, "blitz"),
        ("600", (Stage(None, 600),), 600, "blitz"),
        ("60+2", (Stage(None, 60, 2),), 180, None),
    ],
)
def test_time_controls(text: str, stages: tuple[Stage, ...], seconds: int, chapter: str | None) -> None:
    control = time_control(text)
    assert control == TimeControl(stages, stages)
    assert (control.seconds, control.chapter) == (seconds, chapter)


def test_unequal_clocks_belong_to_no_list() -> None:
    control = time_control("W300-B240")
    assert control == TimeControl((Stage(None, 300),), (Stage(None, 240),))
    assert (control.seconds, control.chapter) == (None, None)


@pytest.mark.parametrize("text", ["", "90+30 min", "5400+30:900", "W300", "5400++30", "4٠/10"])
def test_texts_that_are_no_time_controls(text: str) -> None:
    with pytest.raises(ValueError, match="no time control"):
        time_control(text)


def test_codes_of_the_format() -> None:
    assert unknown_tiebreaks(("BH/C1", "BH:GP/C1/P", "bh", "KS/L+1", "OTHER_coin", "MPvGP", "FB/F/R", "PTS")) == []
    assert unknown_tiebreaks(("XX", "BH/Q", "BH;C1", "")) == ["XX", "BH/Q", "BH;C1", ""]
    assert all(
        map(is_system, ("FIDE_DUTCH_2025", "FIDE_DUTCH_BAKU", "BERGER_ROUNDROBIN_G2", "FIDE_TEAM_TYPEA_MP_GP_BAKU"))
    )
    assert not any(map(is_system, ("DUTCH", "FIDE_DUTCH_2030", "CUSTOM")))
    assert is_method("NOR FIDON")
    assert not is_method("FIDON")


def test_unknown_codes_are_warned_about() -> None:
    report, _ = read(player(1), "172 NORFIDON", "192 SWISS", "202 BH,XY", "212 PTS,ZZ", "222 90+30 min")
    assert [(finding.line, finding.severity) for finding in found(report, "code")] == [
        (line, "warning") for line in (5, 6, 7, 8, 9)
    ]


def test_games_say_which_list_they_belong_to() -> None:
    games, _ = report_games(read(player(1, "2 w 1"), player(2, "1 b 0"), "222 900+10")[0])
    assert games.labels["time_control"][0] == "rapid"
