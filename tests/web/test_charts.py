"""Charts: what is drawn, and what can be read of them without eyes."""

from __future__ import annotations

import re
from datetime import date
from xml.etree import ElementTree

import pytest

from arpad.web.charts import Bar, Line, Mark, bars, steps, ticks

JANUARY, MAY = date(2025, 1, 1).toordinal(), date(2025, 5, 5).toordinal()


def path(chart: str) -> str:
    found = re.search(r'class="line look-1" d="([^"]+)"', chart)
    assert found
    return found[1]


def test_c65_a_rating_stands_until_something_changes_it() -> None:
    chart = steps([Line("A", [(JANUARY, 2000.0), (MAY, 1950.0)])], "en", "A")
    assert re.fullmatch(r"M[\d.]+ [\d.]+(?:H[\d.]+V[\d.]+)+H[\d.]+", path(chart)), "level and upright, never a slope"


def test_c27_what_is_below_zero_is_drawn_there() -> None:
    chart = steps([Line("A", [(JANUARY, -40.0), (MAY, -25.0)])], "en", "A")
    start, step = (float(each) for each in re.findall(r"M[\d.]+ ([\d.]+)H[\d.]+V([\d.]+)", path(chart))[0])
    assert step < start, "minus 25 is higher than minus 40"
    assert ">-40<" in chart


@pytest.mark.parametrize(("language", "month"), [("en", "Mar"), ("it", "mar"), ("es", "mar")])
def test_an_axis_speaks_the_language(language: str, month: str) -> None:
    assert f">{month}" in steps([Line("A", [(JANUARY, 2000.0), (MAY, 1950.0)])], language, "A")


def test_names_in_charts_are_text_and_nothing_else() -> None:
    evil = '"><script>alert(1)</script>'
    mark = Mark(JANUARY, 2000.0, evil)
    chart = steps([Line(evil, [(JANUARY, 2000.0)], [mark])], "en", evil)
    assert "<script" not in chart
    root = ElementTree.fromstring(chart)
    assert root.get("aria-label") == evil
    assert [each.text for each in root.iter("title")] == [f"{evil}, 1 Jan 2025: 2000"]


def test_lines_are_told_apart_by_letters_and_dashes_too() -> None:
    two = [Line("A", [(JANUARY, 2000.0)]), Line("B", [(JANUARY, 1900.0)])]
    chart = steps(two, "en", "two")
    assert re.findall(r'class="letter"[^>]*>(\w)<', chart) == ["A", "B"]
    assert "look-2" in chart


def test_a_chart_of_very_many_points_stays_small() -> None:
    points = [(JANUARY + at, 2000.0 + at % 7) for at in range(20_000)]
    marks = [Mark(day, value, "event") for day, value in points]
    chart = steps([Line("A", points, marks)], "en", "A")
    assert len(chart) < 60_000
    assert chart.count("<circle") < 100


def test_nothing_known_is_no_chart() -> None:
    assert steps([Line("A", [])], "en", "A") == ""
    assert bars([], "en", "none") == ""


@pytest.mark.parametrize(("low", "high"), [(0, 0), (1999.5, 2000.5), (-40, -25), (0, 1e6), (0.001, 0.002)])
def test_marks_of_an_axis_enclose_the_values_and_are_few(low: float, high: float) -> None:
    marks = ticks(low, high)
    assert marks[0] <= low <= high <= marks[-1] or low == high
    assert 2 <= len(marks) <= 8


def test_bars_are_as_high_as_their_values_and_say_them() -> None:
    root = ElementTree.fromstring(bars([Bar("1900", 4, "4 players"), Bar("2000", 2, "2 players")], "en", "players"))
    heights = [float(each.get("height", "")) for each in root.iter("rect")]
    assert heights[0] == pytest.approx(2 * heights[1], rel=0.01)
    assert [each.text for each in root.iter("title")] == ["4 players", "2 players"]
