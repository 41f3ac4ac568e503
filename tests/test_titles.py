"""Titles by rating and from norms, by the rule of the day; names of rating ranges."""

from __future__ import annotations

from datetime import date

import pytest

from arpad.errors import UnknownName, UsageError
from arpad.titles import (
    TITLES,
    Norm,
    began,
    class_name,
    class_names,
    direct_title,
    title_from_norms,
    titles_by_rating,
)

NOW = date(2025, 1, 1)


def due(peak: float, games: int | None = None, on: date | None = NOW, **named: object) -> dict[str, bool | None]:
    return {report.title: report.achieved for report in titles_by_rating(peak, games, on, **named)}  # type: ignore[arg-type]


def norms(*games: int, year: int = 2024, **named: bool) -> list[Norm]:
    return [Norm(date(year, month, 1), number, **named) for month, number in enumerate(games, 1)]


WHOLE = {"large": True, "daily": True, "foreigners": True}


def test_titles_by_rating_and_their_limits() -> None:
    assert due(2300, 30, woman=True) == {"FM": True, "CM": True, "WFM": True, "WCM": True}
    assert due(2299, 30, woman=True) == {"FM": False, "CM": True, "WFM": True, "WCM": True}
    assert due(2199, 30, woman=True) == {"FM": False, "CM": False, "WFM": True, "WCM": True}
    assert due(2099, 30, woman=True) == {"FM": False, "CM": False, "WFM": False, "WCM": True}
    assert due(1999, 30, woman=True)["WCM"] is False
    assert due(2350, 30, woman=False)["WFM"] is False
    assert due(2350, 30)["WFM"] is None


def test_thirty_games_since_july_2017() -> None:
    assert due(2310, 29)["FM"] is False
    assert due(2310, None)["FM"] is None
    assert due(2310, 5, date(2017, 6, 30))["FM"] is True
    assert due(2310, 29, date(2017, 7, 1))["FM"] is False


def test_each_title_has_its_beginning() -> None:
    assert [began(title) for title in TITLES] == [1950, 1950, 1976, 1978, 1950, 2002, 1978, 2002]
    assert list(due(2310, None, date(2001, 12, 31))) == ["FM"]
    assert list(due(2310, None, date(2002, 1, 1))) == ["FM", "CM", "WFM", "WCM"]
    with pytest.raises(UsageError, match="begin on 1978"):
        titles_by_rating(2310, on=date(1977, 1, 1))
    with pytest.raises(UnknownName):
        began("XM")


def test_two_lists_running_at_first() -> None:
    assert due(2310, None, date(1985, 1, 1)) == {"FM": False}
    assert due(2310, None, date(1985, 1, 1), lists=2) == {"FM": True}


@pytest.mark.parametrize(
    ("title", "rating"), [("GM", 2300), ("IM", 2200), ("FM", 2100), ("CM", 2000), ("WGM", 2100), ("WCM", 1800)]
)
def test_a_direct_title_becomes_final(title: str, rating: int) -> None:
    assert direct_title(title, rating, 30, NOW).achieved is True
    assert direct_title(title, rating - 1, 30, NOW).achieved is False
    assert direct_title(title, rating, 29, NOW).achieved is False
    assert direct_title(title, rating, 29, date(2023, 12, 31)).achieved is True


def test_1970_three_norms_within_three_years() -> None:
    made = [Norm(date(1971, 3, 1), 9), Norm(date(1972, 3, 1), 9), Norm(date(1974, 3, 1), 9)]
    assert title_from_norms("GM", made, None).achieved is True
    late = [*made[:2], Norm(date(1974, 3, 2), 9)]
    report = title_from_norms("GM", late, None)
    assert (report.achieved, report.conditions[0].have) == (False, 2)
    # three that lie together among more
    assert title_from_norms("GM", [Norm(date(1970, 1, 1), 9), *made], None).achieved is True


def test_today_27_games_and_a_rating() -> None:
    made = norms(9, 9, 9, **WHOLE)
    for title, rating in (("GM", 2500), ("IM", 2400), ("WGM", 2300), ("WIM", 2200)):
        assert title_from_norms(title, made, rating, NOW).achieved is True
        assert title_from_norms(title, made, rating - 1, NOW).achieved is False
    assert title_from_norms("GM", norms(9, 9, 8, **WHOLE), 2500, NOW).achieved is False
    assert title_from_norms("GM", norms(13, 14, **WHOLE), 2500, NOW).achieved is True
    assert title_from_norms("GM", norms(27, **WHOLE), 2500, NOW).achieved is False
    assert title_from_norms("GM", made, None, NOW).achieved is None


def test_what_one_of_the_norms_must_be() -> None:
    for missing in WHOLE:
        made = norms(9, 9, 9, **{**WHOLE, missing: False})
        report = title_from_norms("GM", made, 2500, NOW)
        assert [each.name for each in report.conditions if each.met is False] == [missing]
        one = [*made[:2], norms(9, **WHOLE)[0]]
        assert title_from_norms("GM", one, 2500, NOW).achieved is True
    # one round a day is asked of grandmasters only
    assert title_from_norms("IM", norms(9, 9, 9, large=True, foreigners=True), 2400, NOW).achieved is True
    assert title_from_norms("GM", norms(9, 9, 9), 2500, NOW).achieved is None


def test_eight_games_for_nine_only_once() -> None:
    made = norms(9, 9, 9, **WHOLE)
    short = [*made[:2], *norms(9, short=True, **WHOLE)]
    assert title_from_norms("GM", short, 2500, NOW).achieved is True
    twice = [made[0], *norms(9, 9, short=True, **WHOLE)]
    assert [each.name for each in title_from_norms("GM", twice, 2500, NOW).conditions if each.met is False] == ["short"]


def test_a_large_event_is_asked_for_since_july_2022() -> None:
    made = norms(9, 9, 9, year=2021, large=False)
    assert title_from_norms("IM", made, 2400).achieved is True
    late = [*made, Norm(date(2022, 7, 1), 9, large=False)]
    assert title_from_norms("IM", late, 2400).achieved is False


def test_the_1990s() -> None:
    made = norms(12, 12, year=1995, round_robin=True)
    assert title_from_norms("GM", made, 2500, reached=date(2001, 5, 1)).achieved is True
    assert title_from_norms("GM", made, 2500, reached=date(2002, 5, 1)).achieved is False
    swiss = norms(12, 12, year=1995, round_robin=False)
    report = title_from_norms("GM", swiss, 2500, reached=date(1996, 1, 1))
    assert [(each.name, each.have, each.need) for each in report.conditions if each.met is False] == [("games", 24, 30)]
    assert {each.status for each in report.conditions} == {"unsure"}


def test_a_title_that_norms_never_made() -> None:
    with pytest.raises(UnknownName, match="CM"):
        title_from_norms("CM", norms(9, 9, 9), 2300)


@pytest.mark.parametrize(
    ("rating", "names", "language", "woman", "right"),
    [
        (2300, "fide", "en", False, "FIDE Master"),
        (2299, "fide", "it", False, "Candidato Maestro"),
        (2199, "fide", "en", False, ""),
        (2000, "fide-women", "es", True, "Candidata a Maestra"),
        (2400, "uschess", "en", False, "Senior Master"),
        (2399, "uschess", "en", False, "National Master"),
        (1999, "uschess", "it", False, "Classe A"),
        (100, "uschess", "es", False, "Clase J"),
        (99, "uschess", "en", False, ""),
        (2600, "uschess-1950", "en", False, "Grandmaster"),
        (1599, "uschess-1950", "it", False, "Classe C"),
        (2800, "popular", "es", False, "Campeón del Mundo"),
        (2300, "popular", "es", True, "Gran Maestra"),
        (2300, "popular", "es", False, "Maestro FIDE"),
        (1399, "popular", "it", False, "Principiante"),
        (2499, "usual", "it", False, "Maestro Internazionale"),
    ],
)
def test_names_of_ranges(rating: int, names: str, language: str, woman: bool, right: str) -> None:
    assert class_name(rating, names, language, woman) == right


def test_names_in_three_languages_descend_and_have_a_source() -> None:
    for name, known in class_names().items():
        assert known.source, name
        lows = [row.low for row in known.rows]
        assert lows == sorted(set(lows), reverse=True)
        assert all({"en", "it", "es"} <= set(texts) for row in known.rows for texts in (row.name, known.title))
    with pytest.raises(UnknownName):
        class_name(2000, "klass")
    with pytest.raises(UnknownName):
        class_name(2300, "fide", "de")
