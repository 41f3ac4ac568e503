"""A list that was written is a start list: what comes after it has the digits of one replay, under every rulebook."""

from __future__ import annotations

import csv
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import arpad
from arpad.cli import run
from arpad.model import Game, PartialDate, Start
from tests.engine.worlds import LATEST, book, named, world

#: FIDE's floor takes players off the list, and what a list does not show it cannot carry.
FED = [(label, when) for label, when in LATEST if not label.startswith("fide/")]


def listed(history: arpad.History, path: Path) -> Path:
    rows = history.ratings().rows()
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def digits(history: arpad.History) -> dict[str, tuple[Any, ...]]:
    rows = history.ratings().rows()
    return {row["player"]: tuple(row[name] for name in ("rating_exact", "games", "peak")) for row in rows}


@pytest.mark.parametrize(("label", "when"), FED, ids=named(FED))
def test_every_rulebook_goes_on_from_its_own_list(label: str, when: date, tmp_path: Path) -> None:
    before = world(21, when, distinct=True, newcomers=0)
    later = [replace(game, event=f"later {game.event}") for game in world(22, date(when.year + 2, 10, 10)).games]
    rules = book(label)
    whole = arpad.replay([*before.games, *later], rules, start=before.start)
    first = arpad.replay(before.games, rules, start=before.start)
    fed = arpad.replay(later, rules, start=listed(first, tmp_path / "list.csv"))
    assert digits(fed) == digits(whole)


@pytest.mark.parametrize("form", ["csv", "json", "jsonl", "parquet", "xlsx"])
@pytest.mark.parametrize("rules", ["dwz", "icu", "ecf/monthly", "aga", "fivethirtyeight/nfl", "ttr"])
def test_every_form_of_a_list_is_a_start_list(rules: str, form: str, tmp_path: Path) -> None:
    head, ends = "date,event,white,black,result,home_score,away_score,season\n", {1.0: "1-0", 0.0: "0-1", 0.5: "½"}

    def file(name: str, games: list[Game]) -> str:
        lines = [
            f"{game.date},{game.event},{game.first},{game.second},{ends[game.score]},"
            f"{max(game.margin, 0):g},{max(-game.margin, 0):g},{game.season}"
            for game in games
            if not (rules == "aga" and game.score == 0.5)
        ]
        (tmp_path / name).write_text(head + "\n".join(lines) + "\n")
        return str(tmp_path / name)

    facts = world(23, date(2022, 3, 1), newcomers=0)
    later = [replace(game, event=f"later {game.event}") for game in world(24, date(2023, 10, 10)).games]
    rating = (lambda value: 3 + value / 1000) if rules == "aga" else (lambda value: value)
    start = tmp_path / "start.csv"
    start.write_text(
        "player,rating,games,born\n"
        + "".join(f"{one.player},{rating(one.rating)},{one.games},{2004 + n}\n" for n, one in enumerate(facts.start))
    )
    one, two = file("one.csv", facts.games), file("two.csv", later)
    path = str(tmp_path / f"list.{form}")
    assert run(["rate", one, "--rules", rules, "--start", str(start), "-o", path, "-q"]) == 0
    whole = arpad.replay([one, two], rules, start=start)
    assert digits(arpad.replay(two, rules, start=path)) == digits(whole)


def test_icu_facts_of_visitors_and_members_stay_on_the_list(tmp_path: Path) -> None:
    start = [
        Start("visitor", 1900.0, facts={"fixed": 1.0}),
        Start("member", 1500.0, facts={"joined": 2010.0}),
        Start("own K", 1600.0, facts={"k": 10.0}),
        Start("young", 1400.0, born=PartialDate(2001, 2, 3)),
    ]
    rows = arpad.replay(
        [
            Game("visitor", "young", 0.0, date=date(2015, 1, 1), event="open"),
            Game("own K", "member", 1.0, date=date(2015, 1, 1), event="open"),
        ],
        "icu",
        start=start,
    ).ratings()
    told = {row["player"]: (row["fixed"], row["joined"], row["k"], row["born"]) for row in rows.rows()}
    assert told["visitor"] == (1.0, None, None, None)
    assert told["member"] == (None, 2010.0, None, None)
    assert told["own K"] == (None, None, 10.0, None)
    assert told["young"] == (None, None, None, "2001-02-03")


@pytest.mark.parametrize(
    ("born", "told"),
    [
        (PartialDate(1970), "1970"),
        (PartialDate(1970, 6), "1970-06"),
        (PartialDate(1970, 6, 30), "1970-06-30"),
        (PartialDate(1970, 12, 31), "1970"),  # which ages count alike
        (None, None),
    ],
)
def test_birth_dates_are_told_as_far_as_they_were_known(born: PartialDate | None, told: str | None) -> None:
    start = [Start("a", 1500.0, born=born), Start("b", 1500.0, born=PartialDate(2000, 1, 1))]
    rows = arpad.replay([Game("a", "b", 1.0, date=date(2020, 1, 1))], "knsb", start=start).ratings().rows()
    assert next(row["born"] for row in rows if row["player"] == "a") == told


def test_games_mixed_in_by_a_blend_are_not_mixed_in_again(tmp_path: Path) -> None:
    start = [Start("a", 2200.0, games=75), Start("b", 2000.0, games=75)]
    blend = arpad.Act("blend", "a", date(2000, 4, 1).toordinal(), 2400.0, 25)
    again = arpad.Act("blend", "a", date(2000, 10, 1).toordinal(), 2500.0, 25)
    one = [Game("a", "b", 0.5, date=date(2000, 5, 1))]
    two = [Game("a", "b", 0.5, date=date(2000, 11, 1))]
    first = arpad.replay(one, "asigc", start=start, acts=[blend])
    fed = arpad.replay(two, "asigc", start=listed(first, tmp_path / "list.csv"), acts=[again])
    assert digits(fed) == digits(arpad.replay([*one, *two], "asigc", start=start, acts=[blend, again]))


def test_a_partial_rating_of_ecf_carries_its_games(tmp_path: Path) -> None:
    start = [Start("a", 1800.0, games=40), Start("b", 1700.0, games=40)]
    one = [Game("new", rival, 1.0, date=date(2023, 5, 1)) for rival in ("a", "b")]
    two = [Game("new", "a", 0.5, date=date(2023, 6, 1))]
    path = listed(arpad.replay(one, "ecf/monthly", start=start), tmp_path / "list.csv")
    whole = arpad.replay([*one, *two], "ecf/monthly", start=start)
    assert digits(arpad.replay(two, "ecf/monthly", start=path)) == digits(whole)
    path.write_text(path.read_text().replace("1500.0;", "nothing;"))
    with pytest.raises(arpad.DataError, match="performed"):
        arpad.replay(two, "ecf/monthly", start=path)


@pytest.mark.parametrize(("rules", "day"), [("knsb", date(2024, 3, 1)), ("dsu", date(2024, 6, 1))])
def test_a_list_older_than_a_revaluation_is_warned_about(rules: str, day: date, tmp_path: Path) -> None:
    start = [Start("a", 1500.0, games=50), Start("b", 1500.0, games=50)]
    early = arpad.replay([Game("a", "b", 0.5, date=day - timedelta(days=40), event="early")], rules, start=start)
    late = [Game("a", "b", 0.5, date=day + timedelta(days=40), event="late")]
    fed = arpad.replay(late, rules, start=listed(early, tmp_path / "list.csv"))
    assert sum(f"revaluation of {day}" in problem.message for problem in fed.problems) == 1
    again = arpad.replay(late, rules, start=early.checkpoint())
    assert not any("revaluation" in problem.message for problem in again.problems)


def test_a_list_from_the_middle_of_a_period_is_warned_about(tmp_path: Path) -> None:
    start = [Start("a", 1500.0), Start("b", 1500.0)]
    early = arpad.replay([Game("a", "b", 1.0, date=date(2023, 5, 2))], "knsb", start=start)
    path = listed(early, tmp_path / "list.csv")
    for day, warned in ((date(2023, 5, 31), True), (date(2023, 6, 1), False)):
        fed = arpad.replay([Game("a", "b", 1.0, date=day)], "knsb", start=path)
        assert any("of the same period" in problem.message for problem in fed.problems) == warned
