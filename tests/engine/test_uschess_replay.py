"""US Chess through the replay: files in, lists and explanations out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path

import pytest

from arpad import office
from arpad.checkpoints import decode, encode
from arpad.engine import History, replay
from arpad.errors import DataError
from arpad.explain import explain
from arpad.feeds import belongs, is_dual, minutes_of
from arpad.model import Act, Game, Games, PartialDate, Start
from arpad.rulebooks import load
from arpad.sentences import words
from arpad.views import changes, ratings
from arpad.views import games as games_table
from tests.engine.helpers import day, rated

DAY = "2025-06-03"


def game(first: str, second: str, score: float, when: str = DAY, event: str = "Open", **labels: str) -> Game:
    return Game(first, second, score, date=date.fromisoformat(when), event=event, labels=labels)


def start(player: str, rating: float | None, games: int | None = None, born: str = "", **facts: float) -> Start:
    return Start(player, rating, games, born=PartialDate.parse(born) if born else None, facts=facts)


def finals(history: History) -> dict[str, float]:
    return {player: rating for player in history.players if (rating := history.rating(player)) is not None}


U17_START = [start("A", 1500, 40), start("B", 1600, 30), start("C", None, born="1980-05-05"), start("D", 1300, 6)]
U17_GAMES = [
    *(game("A", "C", 1, "2025-06-01"), game("A", "B", 0.5, "2025-06-01"), game("A", "D", 0, "2025-06-02")),
    *(game("B", "C", 1, "2025-06-02"), game("B", "D", 1), game("C", "D", 0.5)),
]
U17_FINALS = {"A": 1483.2407, "B": 1604.3936, "C": 1211.0616, "D": 1342.8847}


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


U17_CSV = """date,event,white,black,result
2025-06-01,Open,A,C,1-0
2025-06-01,Open,A,B,1/2-1/2
2025-06-02,Open,A,D,0-1
2025-06-02,Open,B,C,1-0
2025-06-03,Open,B,D,1-0
2025-06-03,Open,C,D,1/2-1/2
"""
START_CSV = "player,rating,games,born\nA,1500,40,1980\nB,1600,30,1980\nC,,,1980-05-05\nD,1300,6,2001-01-01\n"


def test_u17_from_files(tmp_path: Path) -> None:
    files = [write(tmp_path, "games.csv", U17_CSV)], write(tmp_path, "start.csv", START_CSV)
    got = office.rate(files[0], "uschess/regular", start=files[1])
    assert finals(got.history) == pytest.approx(U17_FINALS, abs=1e-4)
    listed = ratings(got.history).columns
    assert list(listed["player"]) == ["B", "A", "D", "C"]
    assert list(listed["rating"]) == [1604, 1483, 1343, 1211]
    assert list(listed["notation"]) == ["1604", "1483", "1343/9", "1211/3"]
    assert list(listed["class"]) == ["Class B", "Class C", "Class D", "Class D"]
    assert got.history.not_rated == 0


def test_u17_told_step_by_step() -> None:
    history = rated("uschess/regular", U17_GAMES, U17_START)
    text = "\n".join(words(explain(history, "C")))
    for part in (
        "C is rated now, at 1211.06: 0.5 out of 3",
        "begins with 1300 by age (45.08 years",
        "N' = 0",
        "step 3: first estimate 1225",
        "step 4: intermediate rating 1200, against A 1500, B 1600, D 1300",
        "step 5: again from 1300, against A 1481.6311, B 1604.3315, D 1347.2222",
        "special formula",
        "after the event 1211.0616, based on 3 game(s)",
    ):
        assert part in text, part
    text = "\n".join(words(explain(history, "A")))
    for part in (
        "A lost 16.76: 1.5 out of 3",
        "N' = 16.5685",
        "1600, ",
        " = 1.9099",
        "K = 800 / (N' + m) = 800 / (16.5685 + 3) = 40.8821",
        "no bonus: -16.7593 is not above 10 x sqrt(4) = 20",
        "change-us-chess-ratings-bonus-threshold-lowered",
        "edition from 2025-01-01",
    ):
        assert part in text, part


@pytest.mark.parametrize("language", ["en", "it", "es"])
def test_every_kind_of_step_can_be_told(language: str) -> None:
    """Bonus, match, floors, half-K, dual events, ratings elsewhere: in every language, with nothing left unsaid."""
    histories = [
        rated("uschess/regular", [game("A", code, 1) for code in "BCDE"], [start("A", 1500, 30), *_field(1700)]),
        rated("uschess/regular", MATCH, MATCH_START),
        rated("uschess/regular", U19_GAMES, U19_START),
        rated("uschess/regular", [game("A", code, 0) for code in "BCDE"], [Start("A", 1702, 90, 1941), *_field(1700)]),
        rated(
            "uschess/regular", [game("A", "B", 1, "2005-05-05", category="half-K")], [start("A", 1500, 30), *_field(1)]
        ),
        rated(
            "uschess/regular",
            [game("A", "B", 1), game("A", "C", 0)],
            [start("A", None, fide=1700, quick=1500), *_field(9)],
        ),
        rated("uschess/regular", [game("A", "B", 1), game("A", "C", 0)], [start("A", 1500, 4, wins=4), *_field(1600)]),
        rated(
            "uschess/regular", [game("A", "B", 1), game("A", "C", 0)], [start("A", 1500, 4, losses=4), *_field(1600)]
        ),
        rated("uschess/regular", [game("A", "B", 1)] * 3 + [game("A", "C", 0)], [start("A", 1500, 40), *_field(1600)]),
        rated("uschess/regular", [game("A", "B", 1), game("A", "C", 0)], [start("A", None), *_field(1600)]),
    ]
    for history in histories:
        for player in history.codes:
            lines = words(explain(history, player), language)
            assert lines or player in "BCDE"
            assert not any("nan" in line.split() or "{" in line for line in lines), lines


def _field(rating: float) -> list[Start]:
    return [start(code, 1600 + rating % 7, 80) for code in "BCDE"]


U19_START = [start(code, rating, 50) for code, rating in zip("ABCD", (2450, 2300, 2150, 2250))]
U19_GAMES = [
    game(*pair, time_control="G/60;d5")
    for pair in (("A", "B", 0.5), ("A", "C", 1), ("A", "D", 1), ("B", "C", 1), ("B", "D", 0.5), ("D", "C", 1))
]
NORMAL = (2452.8385, 2306.8507, 2133.6244, 2253.2355)
LOW = (2451.0498, 2305.1045, 2133.5430, 2252.7639)


@pytest.mark.parametrize(
    ("control", "rules", "numbers"),
    [
        ("G/60;d5", "uschess/regular", LOW),
        ("60/5", "uschess/regular", LOW),
        ("3600+5", "uschess/regular", LOW),
        ("60+5", "uschess/regular", LOW),
        ("G/61;d5", "uschess/regular", NORMAL),
        ("90/30", "uschess/regular", NORMAL),
        ("", "uschess/regular", NORMAL),
        ("60/5", "uschess/quick", NORMAL),
        ("15/10", "uschess/quick", NORMAL),
        ("60/5", "uschess/online-regular", NORMAL),
    ],
)
def test_u19_by_time_control(control: str, rules: str, numbers: tuple[float, ...]) -> None:
    """Two lists take it, each with its own K; a file without time controls is for the list at hand, and not dual."""
    games = [
        Game(each.first, each.second, each.score, date=each.date, event="Open", labels={"time_control": control})
        for each in U19_GAMES
    ]
    assert tuple(finals(rated(rules, games, U19_START)).values()) == pytest.approx(numbers, abs=1e-4)


@pytest.mark.parametrize(
    ("control", "rules"),
    [
        ("60/5", "uschess/blitz"),
        ("60/5", "uschess/online-quick"),
        ("90/30", "uschess/quick"),
        ("15/10", "uschess/regular"),
        ("5/0", "uschess/quick"),
        ("10/0", "uschess/quick"),
    ],
)
def test_games_of_another_list_are_left_out(control: str, rules: str) -> None:
    games = [
        Game(each.first, each.second, each.score, date=each.date, event="Open", labels={"time_control": control})
        for each in U19_GAMES
    ]
    history = rated(rules, games, U19_START)
    assert finals(history) == {"A": 2450, "B": 2300, "C": 2150, "D": 2250}
    assert history.not_rated == 6
    notes = games_table(history).columns["note"]
    assert set(notes) == {"the rules leave the game out"}
    assert "left out by the rules" in "\n".join(words(explain(history, "A")))


def test_a_time_control_that_cannot_be_read_is_refused_once() -> None:
    games = [
        game("A", "B", 1, time_control="soon"),
        game("B", "A", 1, time_control="soon"),
        game("A", "B", 1, time_control="later"),
    ]
    with pytest.raises(DataError) as caught:
        rated("uschess/regular", games, U19_START)
    assert len(caught.value.problems) == 2


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("G/60;d5", 65),
        ("60/5", 65),
        ("40/120, SD/60", 180),
        ("40/120", 120),
        ("3600+5", 65),
        ("G/5", 5),
        ("3/2", 5),
        ("quick", 20),
        ("standard", 120),  # as tournament reports say
    ],
)
def test_minutes_and_seconds(text: str, minutes: float) -> None:
    assert minutes_of(text, "minutes") == minutes


def test_bare_minutes_of_an_unknown_file_are_refused() -> None:
    with pytest.raises(ValueError, match="may be minutes or seconds"):
        minutes_of("60+5")
    assert minutes_of("180+2", "seconds") == 5


@pytest.mark.parametrize(
    ("name", "year", "inside", "outside", "dual"),
    [
        ("regular", 2005, (30, 90), (29,), ()),
        ("quick", 2005, (10, 29), (9, 30), ()),
        ("regular", 2011, (30, 90), (29,), (30, 60)),
        ("quick", 2011, (5, 60), (4, 61), (30, 60)),
        ("regular", 2021, (30, 66), (29,), (30, 65)),
        ("quick", 2014, (10, 65), (9, 66), (30, 65)),
        ("quick", 2019, (10, 65), (9, 66), (30, 65)),
        ("quick", 2021, (11, 65), (10, 66), (30, 65)),
        ("blitz", 2014, (5, 10), (4, 11), ()),
        ("blitz", 2021, (5, 10), (4, 11), ()),
        ("online-regular", 2021, (30, 90), (29,), ()),
        ("online-quick", 2021, (11, 29), (10, 30), ()),
        ("online-blitz", 2021, (5, 10), (4, 11), ()),
    ],
)
def test_ranges_of_time_controls(
    name: str, year: int, inside: Sequence[float], outside: Sequence[float], dual: Sequence[float]
) -> None:
    clause = load(f"uschess/{name}").on(date(year, 7, 1)).feeds
    assert clause
    assert all(belongs(minutes, clause) for minutes in inside)
    assert not any(belongs(minutes, clause) for minutes in outside)
    assert all(is_dual(minutes, clause) for minutes in dual)
    assert not is_dual(90, clause)
    assert any(is_dual(minutes, clause) for minutes in range(120)) == bool(dual)


MATCH_START = [start("A", 1600, 100), start("B", 1800, 100)]
MATCH = [*(game("A", "B", 1, event="Match") for _ in range(3)), game("B", "A", 0.5, event="Match")]


def test_u16_a_match_is_remembered() -> None:
    history = rated("uschess/regular", MATCH, MATCH_START)
    assert finals(history) == {"A": 1650, "B": 1750}
    assert history.learned["matches"] == {"A": [[day(DAY), 50.0]], "B": [[day(DAY), -50.0]]}
    text = "\n".join(words(explain(history, "A")))
    assert "limit of a match: 1691.7" in text
    assert "no bonus in a match" in text


def test_matches_of_three_years_are_remembered_and_forgotten() -> None:
    def match(when: str) -> list[Game]:
        return [game("A", "B", 1, when, f"Match {when}") for _ in range(4)]

    days = ("2024-01-10", "2024-03-10", "2024-06-10", "2024-09-10", "2024-12-10", "2027-02-11")
    games = [each for when in days for each in match(when)]
    history = rated("uschess/regular", games, [start("A", 1600, 200), start("B", 1900, 200)])
    moved = [row[3] - row[2] for row in history.recording.changes if history.players[row[1]] == "A"]
    assert moved[:4] == [50, 50, 50, 50]
    assert moved[4] == pytest.approx(0)
    assert moved[5] > 0
    assert [when for when, _ in history.learned["matches"]["A"]] == [day(when) for when in days[1:]]


def test_a_match_that_may_not_be_played_is_not_rated() -> None:
    history = rated("uschess/regular", MATCH, [start("A", 1600, 20), start("B", 1800, 100)])
    assert finals(history) == {"A": 1600, "B": 1800}
    assert history.not_rated == 4
    assert any("4 game(s) not rated" in problem.message for problem in history.problems)
    history = rated(
        load("uschess/regular", {"unfit_matches": "rated"}), MATCH, [start("A", 1600, 20), start("B", 1800, 100)]
    )
    assert history.rating("A") != 1600


def test_the_edition_is_that_of_the_last_day() -> None:
    """An event from December to January is rated by the threshold of January."""
    sweep = [game("A", code, 1, "2024-12-30") for code in "BCD"]
    field = [start("A", 1500, 40), *(start(code, 1700, 90) for code in "BCDE")]
    before = rated("uschess/regular", [*sweep, game("A", "E", 1, "2024-12-31")], field)
    after = rated("uschess/regular", [*sweep, game("A", "E", 1, "2025-01-01")], field)
    assert (after.rating("A") or 0) - (before.rating("A") or 0) == pytest.approx(4)  # (12 - 10) * sqrt(4)
    assert explain(after, "A")[0].edition == "2025-01-01"


def test_a_list_as_it_was_known() -> None:
    sweep = [game("A", code, 1, "2025-02-02") for code in "BCDE"]
    field = [start("A", 1500, 40), *(start(code, 1700, 90) for code in "BCDE")]
    then = rated(load("uschess/regular", known=date(2025, 3, 1)), sweep, field)
    now = rated("uschess/regular", sweep, field)
    assert (now.rating("A") or 0) - (then.rating("A") or 0) == pytest.approx(4)


def season(events: int) -> list[Game]:
    """Events of the same four and a newcomer each, two weeks apart."""
    games = []
    for number in range(events):
        when = date.fromordinal(day("2024-01-07") + 14 * number).isoformat()
        field = ["A", "B", "C", "D", f"N{number}"]
        for at, first in enumerate(field):
            for second in field[at + 1 :]:
                score = ((len(first) * 7 + ord(second[0]) * 3 + number * 5 + at) % 3) / 2
                games.append(game(first, second, score, when, f"Open {number:02}"))
    return games


SEASON_START = [
    *(start("A", 1500, 40), start("B", 1600, 30, wins=20, draws=10), start("C", 1900, 120), start("D", 1200, 8)),
    start("N1", None, born="2014-03-03", fide=1500.0),
    start("N3", None, born="2014-03-03"),
    start("X", 1777, 20),
]


def state(history: History) -> dict[str, list[str]]:
    return {
        player: [repr(float(each)) for each in history.state_of(history.code(player))] for player in history.players
    }


def test_a_checkpoint_goes_on_as_a_whole_replay_does() -> None:
    games = [*season(6), *(game("A", "B", 1, "2024-05-05", "Match") for _ in range(3)), *season(12)[60:]]
    book = load("uschess/regular")
    cut = day("2024-05-06")
    early = [each for each in games if each.date.toordinal() < cut]  # type: ignore[union-attr]
    late = [each for each in games if each.date.toordinal() >= cut]  # type: ignore[union-attr]
    whole = replay(Games.of(games), book, SEASON_START)
    half = replay(Games.of(early), book, SEASON_START).checkpoint()
    assert "norms" in half.memory
    both = replay(Games.of(late), book, decode(encode(half), "x"))
    assert state(both) == {player: state(whole)[player] for player in both.players}
    assert both.learned == whole.learned
    assert set(both.players) == set(whole.players)


def test_the_order_of_rows_does_not_matter() -> None:
    games = season(5)
    book = load("uschess/regular")
    one, two = (replay(Games.of(each), book, SEASON_START) for each in (games, games[::-1]))
    assert state(one) == state(two)
    assert one.learned == two.learned


def test_events_count_in_the_order_of_their_last_days() -> None:
    """A long event that began first and ended last is rated last."""
    long = [game("A", "B", 1, "2025-03-01", "League"), game("A", "C", 1, "2025-05-30", "League")]
    short = [game("A", "D", 1, "2025-04-01", "Weekend"), game("A", "B", 0, "2025-04-02", "Weekend")]
    field = [start("A", 1500, 40), *(start(code, 1700, 90) for code in "BCD")]
    history = rated("uschess/regular", [*long, *short], field)
    assert list(changes(history).columns["event"])[:1] == ["Weekend"]
    assert list(changes(history).columns["event"])[-1] == "League"


def test_who_does_not_play_is_unchanged() -> None:
    history = rated("uschess/regular", season(4), SEASON_START)
    was = rated("uschess/regular", [], SEASON_START)
    assert state(history)["X"] == state(was)["X"]


def test_newcomers_begin_by_age_on_the_last_day_and_by_ratings_elsewhere() -> None:
    field = [start(code, 1500, 90) for code in "BCD"]

    def begins(newcomer: Start, rules: str = "uschess/regular", when: str = DAY) -> float:
        games = [game("N", code, 0.5, when) for code in "BCD"]
        history = rated(rules, games, [newcomer, *field])
        return float(next(row[2] for row in history.recording.changes if history.players[row[1]] == "N"))

    assert begins(start("N", None, born="2015-06-03")) == pytest.approx(50 * 3653 / 365.25)
    assert begins(start("N", None, born="2015")) == pytest.approx(50 * (day(DAY) - day("2015-12-31")) / 365.25)
    assert begins(start("N", None, born="2015-02")) == pytest.approx(50 * (day(DAY) - day("2015-02-28")) / 365.25)
    assert begins(start("N", None)) == 750
    assert begins(start("N", None, born="2015", fide=1420.0), when="2021-06-01") == pytest.approx(1514.8)
    assert begins(start("N", None, quick=1333.0)) == 1333
    assert begins(start("N", None, quick=1333.0), "uschess/quick") == 750  # that is this list: no rating elsewhere
    assert begins(start("N", None, online_quick=1444.0), "uschess/quick") == 1444


def test_an_entry_of_the_office_goes_before_what_is_known_elsewhere() -> None:
    field = [start("N", None, fide=2000.0), *(start(code, 1500, 90) for code in "BCD")]
    entry = Act("entry", "N", day("2025-06-01"), 1650, 7, "manual adjustment")
    history = rated("uschess/regular", [game("N", code, 0.5) for code in "BCD"], field, [entry])
    row = next(row for row in history.recording.changes if history.players[row[1]] == "N")
    assert row[2] == 1650
    assert history.state_of(history.code("N"))[1] == 10


def test_norms_and_titles_on_the_list() -> None:
    field = [start(code, 1650, 90) for code in "BCDE"]
    games = [game("A", code, 1, f"2025-0{month}-05", f"Open {month}") for month in range(1, 6) for code in "BCDE"]
    history = rated("uschess/regular", games, [start("A", 1500, 40), *field])
    assert history.learned["norms"]["A"]["2nd category"] == 5
    listed = ratings(history).columns
    row = list(listed["player"]).index("A")
    assert "2nd category 5" in listed["norms"][row]
    assert listed["title"][row] in ("1st category", "2nd category")
    quick = ratings(rated("uschess/quick", games, [start("A", 1500, 40), *field])).columns
    assert "norms" not in quick


def test_a_national_master_stays_one() -> None:
    field = [start(code, 2400, 90) for code in "BCDE"]
    games = [game("A", code, 1) for code in "BCDE"] + [game("A", code, 0, "2025-08-08", "Second") for code in "BCDE"]
    history = rated("uschess/regular", games, [start("A", 2190, 60), *field])
    listed = ratings(history).columns
    row = list(listed["player"]).index("A")
    assert listed["title"][row] == "National Master"


def floor_acts(*floors: tuple[str, float]) -> list[Act]:
    return [Act("floor", "A", day(when), rating, reason="prize") for when, rating in floors]


def lost(event: str, when: str) -> list[Game]:
    return [game("A", code, 0, when, event) for code in "BCDE"]


def test_an_office_floor_holds_until_a_higher_peak() -> None:
    field = [Start("A", 1830, 90, 1850), *_field(3)]
    games = [*lost("One", "2025-02-02"), *lost("Two", "2025-03-02"), *lost("Three", "2025-04-02")]
    plain = rated("uschess/regular", games, field)
    assert plain.rating("A") == pytest.approx(max(1600, plain.rating("A") or 0))
    raised = rated("uschess/regular", games, field, floor_acts(("2025-01-15", 1800)))
    assert raised.rating("A") == 1800
    lowered = rated(
        "uschess/regular",
        [*games, *lost("Four", "2025-05-02"), *lost("Five", "2025-06-02")],
        field,
        floor_acts(("2025-01-15", 1400)),
    )
    assert (lowered.rating("A") or 0) < 1600
    text = "\n".join(words(explain(raised, "A")))
    assert "A has a floor of 1800 from now on" in text
    assert "reason: prize" in text
    assert "the floor of 1800 holds (given by the office)" in text


def test_a_floor_raises_a_lower_rating() -> None:
    history = rated(
        "uschess/regular",
        [game("A", "B", 0.5), game("A", "C", 0.5)],
        [start("A", 1750, 90), *_field(3)],
        floor_acts(("2025-01-15", 1800)),
    )
    assert explain(history, "A")[0].after == 1800


def test_rules_without_floors_of_one_player_say_so() -> None:
    history = rated(
        "elo", [Game("A", "B", 1, date=date(2025, 6, 3))], {"A": 1500, "B": 1500}, floor_acts(("2025-01-15", 1800))
    )
    assert history.acts[0].note
    assert "no floor of one player's own" in "\n".join(words(explain(history, "A")))


def test_floors_from_a_file_of_acts(tmp_path: Path) -> None:
    games = "date,event,white,black,result\n2025-06-01,Open,A,B,0-1\n2025-06-01,Open,A,C,0-1\n2025-06-02,Open,A,D,0-1\n"
    begin = "player,rating,games,peak\nA,1805,90,1850\nB,1700,90,\nC,1700,90,\nD,1700,90,\n"
    acts = "kind,player,date,rating,reason\nfloor,A,2025-05-01,1800,prize\n"
    files = [write(tmp_path, name, text) for name, text in (("g.csv", games), ("s.csv", begin), ("a.csv", acts))]
    got = office.rate(files[:1], "uschess/regular", start=files[1], acts=files[2])
    assert got.history.rating("A") == 1800


def test_a_half_k_event_by_its_category() -> None:
    field = [start("A", 1500, 40), *_field(3)]
    games = [game("A", code, 1, "2005-05-05", category="half-K") for code in "BC"]
    history = rated("uschess/regular", games, field)
    assert history.state_of(history.code("A"))[1] == 41
    plain = rated("uschess/regular", [game("A", code, 1, "2005-05-05") for code in "BC"], field)
    assert (history.rating("A") or 0) < (plain.rating("A") or 0)


def test_games_without_dates_are_rated_by_the_last_edition() -> None:
    games = [Game(each.first, each.second, each.score, event="Open") for each in U17_GAMES]
    history = rated(
        "uschess/regular", games, [start("C", 1300, 0), *(each for each in U17_START if each.player != "C")]
    )
    assert finals(history) == pytest.approx(U17_FINALS, abs=1e-4)
    assert explain(history, "A")[0].edition == "2025-01-01"


def test_tables_of_changes_and_games_agree_with_the_list() -> None:
    history = rated("uschess/regular", season(3), SEASON_START)
    last: dict[str, float] = {}
    columns = changes(history).columns
    for player, after in zip(columns["player"], columns["after"]):
        last[player] = after
    assert last == {player: rating for player, rating in finals(history).items() if player != "X"}
    assert len(games_table(history).columns["player"]) == 2 * len(season(3))


def test_players_of_one_event_are_found_whoever_they_are(tmp_path: Path) -> None:
    """Two events on one day are two events."""
    games: Iterable[Game] = [
        game("A", "B", 1, event="One"),
        game("A", "C", 1, event="One"),
        game("B", "C", 1, event="Two"),
        game("A", "C", 0, event="Two"),
    ]
    history = rated("uschess/regular", games, [start(code, 1500, 40) for code in "ABC"])
    assert [explained.games[0].event for explained in explain(history, "A")] == ["One", "Two"]


def test_a_rating_that_says_nothing_of_games_is_an_established_one() -> None:
    """Not one of no games, which would count as nothing."""
    field = _field(0)
    games = [game("A", code, 0.5) for code in "BCD"]
    silent = rated("uschess/regular", games, [start("A", 1500), *field])
    said = rated("uschess/regular", games, [start("A", 1500, 50), *field])
    assert state(silent) == state(said)
    assert any("say nothing of the games behind them" in problem.message for problem in silent.problems)
    entered = rated("uschess/regular", games, field, [Act("entry", "A", day("2025-05-01"), 1500)])
    assert entered.rating("A") == said.rating("A")


def begins_with(newcomer: Start, when: str, rules: str = "uschess/regular") -> tuple[float, float]:
    games = [game("N", code, 0.5, when) for code in "BCD"]
    history = rated(rules, games, [newcomer, *(start(code, 1500, 90) for code in "BCD")])
    row = next(row for row in history.recording.changes if history.players[row[1]] == "N")
    return float(row[2]), float(history.state_of(history.code("N"))[1]) - 3


@pytest.mark.parametrize(
    ("when", "fide", "rating", "counts"),
    [
        ("2006-12-31", 2151, 2201, 10),
        ("2006-12-31", 2150, 2200, 5),
        ("2007-01-01", 2150, 2150, 5),
        ("2008-06-30", 2151, 2151, 10),
        ("2008-07-01", 1800, 720 + 0.625 * 1800, 5),
        ("2008-07-01", 2400, -350 + 1.16 * 2400, 10),
        ("2016-12-31", 2000, 1970, 5),
        ("2017-01-01", 2000, 2060, 5),
        ("2024-02-29", 1420, 180 + 0.94 * 1420, 5),
        ("2024-03-01", 1420, -1073 + 1.5667 * 1420, 5),
        ("2024-03-01", 2000, -1073 + 1.5667 * 2000, 5),
        ("2024-03-01", 2001, 20 + 1.02 * 2001, 10),
    ],
)
def test_fide_ratings_of_a_start_list_by_the_last_day(when: str, fide: float, rating: float, counts: float) -> None:
    assert begins_with(start("N", None, fide=fide), when) == (pytest.approx(rating), counts)


@pytest.mark.parametrize(
    ("born", "rating"),
    [
        ("2023-06-04", 100),  # 730 days: not 2 yet
        ("2023-06-02", 50 * 732 / 365.25),
        ("1999-06-03", 1300),  # 9497 days: 26.001
        ("1999-06-05", 50 * 9495 / 365.25),  # 25.996
        ("2025-01-01", 100),
        ("", 750),
    ],
)
def test_both_sides_of_the_ages_of_2_and_26(born: str, rating: float) -> None:
    assert begins_with(start("N", None, born=born), DAY) == (pytest.approx(rating), 0)


def test_only_an_established_rating_after_an_event_makes_a_peak_floor() -> None:
    """Twenty games at 2000 make none; twenty-six do, and only on the regular list."""
    games = [*(game("A", code, 1, "2025-01-05", "One") for code in "BCD"), *lost("Two", "2025-02-05")]
    for event in range(12):
        games += lost(f"L{event:02}", date.fromordinal(day("2025-03-01") + event).isoformat())
    field = [start(code, 1500, 900) for code in "BCDE"]
    provisional = rated("uschess/regular", games, [start("A", 1900, 20), *field])
    assert provisional.state_of(provisional.code("A"))[10] < 1900  # the peak of the provisional days is none
    established = rated("uschess/regular", games, [start("A", 1900, 23), *field])
    assert established.state_of(established.code("A"))[10] > 1900  # 23 + 3 games
    assert established.rating("A") == 1700
    assert (provisional.rating("A") or 0) < 1700
    quick = rated("uschess/quick", games, [start("A", 1900, 23), *field])
    assert (quick.rating("A") or 0) < 1700


def test_a_floor_of_the_office_is_no_peak() -> None:
    field = [start("A", 1500, 90), *_field(3)]
    history = rated("uschess/regular", [game("A", "B", 0), game("A", "C", 0)], field, floor_acts(("2025-01-15", 1900)))
    listed = ratings(history).columns
    row = list(listed["player"]).index("A")
    assert (listed["rating"][row], listed["highest_established"][row]) == (1900, 1900)  # a rating after an event
    before = rated("uschess/regular", [], field, floor_acts(("2025-01-15", 1900)))
    assert ratings(before).columns["highest_established"][0] in (1500, 1603)
    assert dict(zip(ratings(before).columns["player"], ratings(before).columns["highest_established"]))["A"] == 1500


def test_a_level_is_reached_as_lists_show_it() -> None:
    from arpad.systems.uschess.norms import titles_of

    edition = load("uschess/regular").on(date(2025, 6, 1))
    assert edition.norms
    made = {"Candidate Master": 5}
    assert titles_of(made, 1999.5, True, edition.norms, edition.levels) == ["Candidate Master"]
    assert titles_of(made, 1999.4, True, edition.norms, edition.levels) == []


def test_games_by_halves_come_back_from_a_list(tmp_path: Path) -> None:
    """N after a half-K event of three games is 41.5, which the column of whole games cannot say."""
    games = [game("A", code, 1, "2005-05-05", category="half-K") for code in "BCD"]
    history = rated("uschess/regular", games, [start("A", 1500, 40), *_field(3)])
    from arpad.formats import read_start, write_table

    path = tmp_path / "list.csv"
    write_table(ratings(history), path)
    starts, _ = read_start(path)
    assert next(each.games for each in starts if each.player == "A") == 41.5
    later = [game("A", code, 0, "2005-06-05", "Second") for code in "BC"]
    whole = rated("uschess/regular", [*games, *later], [start("A", 1500, 40), *_field(3)])
    assert rated("uschess/regular", later, starts).rating("A") == whole.rating("A")


def test_a_player_of_five_thousand_and_a_million_games_is_rated() -> None:
    field = [start("A", 5000, 1_000_000), start("B", 0.5, 900), start("C", None), start("D", None)]
    history = rated("uschess/regular", [game(*pair, 0.5) for pair in ("AB", "AC", "AD", "BC", "BD", "CD")], field)
    assert all(100 <= rating < 5000 for rating in finals(history).values())


def test_a_checkpoint_of_other_numbers_is_refused() -> None:
    import msgspec

    from arpad.errors import UsageError

    half = rated("uschess/regular", season(1), SEASON_START).checkpoint()
    fields = [*half.fields[:-1], "another"]
    with pytest.raises(UsageError, match="kept other numbers of a player"):
        rated("uschess/regular", season(1), msgspec.structs.replace(half, fields=fields))  # type: ignore[arg-type]


def test_every_fact_that_the_system_asks_for_can_stand_in_a_start_list(tmp_path: Path) -> None:
    """A newcomer with 9 games at 1300 on the quick list and a FIDE rating that counts as 5 begins with their mean."""
    from arpad.formats import read_start
    from arpad.formats.headers import FACT_FIELDS, TEXT_FIELDS
    from arpad.stretch import COMMON
    from arpad.systems.uschess.run import SYSTEM

    assert {*SYSTEM.asks, *SYSTEM.fields[len(COMMON) :]} <= FACT_FIELDS.keys()
    assert SYSTEM.recalls.keys() <= TEXT_FIELDS.keys()
    path = write(tmp_path, "start.csv", "player,rating,fide,quick,quick_games\nN,,1420,1300,9\n")
    (newcomer,), problems = read_start(path)
    assert problems == []
    here = -1073 + 1.5667 * 1420
    assert begins_with(newcomer, DAY) == (pytest.approx((9 * 1300 + 5 * here) / 14), 9)
