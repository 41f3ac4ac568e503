"""Time controls: what people write, how long it is, and both sides of every limit and date."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.time_control import chapter, chapter_of, least_for_standard, parse, parse_both

TODAY = date(2024, 5, 1)


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("5400+30", 120),
        ("300+3", 8),
        ("180", 3),
        ("*180", 3),
        ("40/7200:3600", 180),
        ("40/7200:3600+30", 190),  # the increment of the last period alone: 20 of the 60 moves
        ("40/6000+30:900+30", 145),
        ("40/9000", 300),  # comes again
        ("G/90;d5", 95),
        ("G/60 d5", 65),
        ("G/25;+5", 30),
        ("40/120, SD/60;d5", 185),
        ("40/120", 180 + 60),
        ("90'/40+30'+30''", 150),
        ("90/40+30", 120),
        ("90/40+30+30", 150),
        ("90 min + 30 sec", 120),
        ("90min/40moves + 30min + 30sec/move", 150),
        ("15'+10''", 25),
        ("25m+10s", 35),
    ],
)
def test_controls_as_people_write_them(text: str, minutes: float) -> None:
    found = parse(text)
    assert found is not None
    assert found.seconds() == minutes * 60


@pytest.mark.parametrize("text", ["", " ", "?", "-"])
def test_controls_that_say_nothing(text: str) -> None:
    assert parse(text) is None
    assert chapter(text, TODAY) is None


@pytest.mark.parametrize("text", ["abc", "10|5", "0/100", "90/40", "1:2:", "5+", "G/", "12 o'clock", "9" * 50])
def test_what_is_no_control_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no time control"):
        parse(text)


def test_clocks_that_differ() -> None:
    both = parse_both("W300-B240")
    assert both is not None
    assert [side.seconds() for side in both] == [300, 240]
    with pytest.raises(ValueError, match="different times"):
        parse("W300-B240")
    assert chapter("W300-B240", TODAY) is None
    assert chapter("W7200-B5400", TODAY) == "standard"


@pytest.mark.parametrize(
    ("minutes", "day", "expected"),
    [
        (60, TODAY, "standard"),
        (59, TODAY, "rapid"),
        (11, TODAY, "rapid"),
        (10, TODAY, "blitz"),
        (4, TODAY, "blitz"),
        (3, TODAY, None),
        (15, date(2012, 1, 1), "rapid"),
        (14, date(2012, 1, 1), "blitz"),
        (5, date(2012, 1, 1), "blitz"),
        (4, date(2012, 1, 1), None),
        (11, date(2014, 6, 30), "blitz"),
        (11, date(2014, 7, 1), "rapid"),
        (59, date(2011, 12, 31), None),
        (60, date(2011, 12, 31), "standard"),
        (721, TODAY, None),
    ],
)
def test_chapters_by_minutes_and_day(minutes: int, day: date, expected: str | None) -> None:
    assert chapter_of(minutes * 60, 0, day) == expected


def test_sixty_increments_count() -> None:
    assert chapter_of(15 * 60, 45, TODAY) == "standard"
    assert chapter_of(15 * 60, 44, TODAY) == "rapid"
    assert chapter_of(180, 2, TODAY) == "blitz"


@pytest.mark.parametrize(
    ("rating", "day", "minutes"),
    [
        (2400, date(2022, 1, 1), 120),
        (2399, date(2022, 1, 1), 90),
        (1800, date(2022, 1, 1), 90),
        (1799, date(2022, 1, 1), 60),
        (None, date(2022, 1, 1), 60),
        (2200, date(2021, 12, 31), 120),
        (2199, date(2021, 12, 31), 90),
        (1600, date(2017, 7, 1), 90),
        (1599, date(2017, 7, 1), 60),
        (2800, date(2017, 6, 30), 60),
    ],
)
def test_least_time_of_standard_chess(rating: float | None, day: date, minutes: int) -> None:
    assert least_for_standard(rating, day) == minutes * 60


@pytest.mark.parametrize(
    ("text", "expected"), [("Rapid", "rapid"), ("semilampo", "rapid"), ("BLITZ", "blitz"), ("clásico", "standard")]
)
def test_words_for_chapters(text: str, expected: str) -> None:
    assert chapter(text, TODAY) == expected


def test_bare_numbers_need_their_unit_where_it_matters() -> None:
    with pytest.raises(ValueError, match="seconds or minutes"):
        chapter("90+30", TODAY)
    assert chapter("90+30", TODAY, "minutes") == "standard"
    assert chapter("90+30", TODAY, "seconds") == "rapid"
    assert chapter("600+5", TODAY) == "rapid"
    found = parse("15+10", "minutes")
    assert found is not None
    assert found.seconds() == 25 * 60


@given(st.text(alphabet="0123456789/+:;,'\"*GSDWBdminse -", max_size=20))
def test_any_text_is_a_control_or_refused(text: str) -> None:
    try:
        both = parse_both(text)
    except ValueError:
        return
    assert both is None or all(side.seconds() >= 0 for side in both)
