"""A report file as norms and ratings ask for it; P numbers are whole periods that FIDE published."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from arpad.errors import DataError, UnknownName, UsageError
from arpad.events import (
    event_facts,
    event_report,
    find_entrant,
    meetings_of,
    norm_needs,
    norm_reports,
    read_report,
    rounds_to_come,
)
from arpad.formats.report import Report
from arpad.model import Start
from tests.reports import Person, one_against, trf

HEAD = ("012 Open", "032 ITA", "042 2025/11/01", "052 2025/11/05", "092 Individual: Swiss-System", "222 5400+30")


def report_of(folder: Path, text: str) -> Report:
    path = folder / "open.trf"
    path.write_bytes(text.encode())
    return read_report(str(path))[0]


def gm_norm(codes: str = "111111=00", rating: int = 2434) -> str:
    """Rossi against nine opponents of one rating; six and a half points as it stands."""
    titles = ("GM", "GM", "GM", "IM", "IM", "", "", "", "")
    feds = ("ESP", "FRA", "GER") * 3
    others = [Person(f"Opponent {n}", rating, fed, title) for n, (fed, title) in enumerate(zip(feds, titles))]
    return one_against(Person("Rossi, Marco", 2450, "ITA", "IM"), others, codes, *HEAD)


@pytest.mark.parametrize(
    ("header", "minutes", "rules", "said"),
    [
        ("222 5400+30", 120, "fide/standard", 0),
        ("222 900+10", 25, "fide/rapid", 0),
        ("222 180+2", 5, "fide/blitz", 0),
        ("122 90 min + 30 sec", 120, "fide/standard", 0),
        ("122 as usual", None, "fide/standard", 1),
    ],
)
def test_rules_follow_the_time_control(
    tmp_path: Path, header: str, minutes: float | None, rules: str, said: int
) -> None:
    others = [Person("Bianchi", 2000, "ITA")]
    text = one_against(Person("Rossi", 2000, "ITA"), others, "1", *HEAD[:-1], header)
    report = report_of(tmp_path, text)
    assert event_facts(report).minutes == minutes
    found = event_report(report)
    assert found.rules == rules
    assert len([note for note in found.notes if "time control" in note]) == said


def test_different_clocks_are_seen(tmp_path: Path) -> None:
    text = one_against(Person("A", 2000, "ITA"), [Person("B", 2000, "ITA")], "1", *HEAD[:-1], "222 W300-B240")
    facts = event_facts(report_of(tmp_path, text))
    assert (facts.minutes, facts.identical_clocks) == (4, False)


def test_p1_a_month_that_fide_published(tmp_path: Path) -> None:
    others = [Person(f"Opponent {rating}", rating, "NOR") for rating in (1787, 2025, 2310, 2400, 2505)]
    report = report_of(tmp_path, one_against(Person("Rossi", 2813, "ITA", "GM"), others, "1111=", *HEAD))
    found = event_report(report)
    rossi = found.players[0]
    assert (found.rules, found.edition, rossi.k, rossi.change, rossi.after) == (
        "fide/standard",
        "2025-10-01",
        10,
        -2.5,
        2810,
    )
    assert [game.change for game in rossi.games] == [0, 0, 0.4, 0.7, -3.6]
    assert (rossi.average, rossi.performance, rossi.rated_games, rossi.score) == (2205, 2205 + 366, 5, 4.5)
    # the cap looks at one side only: 400 for the weaker, none for the stronger
    assert (rossi.games[3].counted, found.players[4].games[3].counted) == (413, -400)
    assert rossi.results == ("2w1", "3w1", "4w1", "5w1", "6w=")


def test_a_rating_that_the_file_states_is_compared(tmp_path: Path) -> None:
    others = [Person("Bianchi", 2000, "ITA")]
    report = report_of(tmp_path, one_against(Person("Rossi", 2000, "ITA"), others, "1", *HEAD))
    right, wrong = (replace(entrant, rating_after=2010) for entrant in report.entrants)
    rossi, bianchi = event_report(replace(report, entrants=(right, wrong))).players
    assert (rossi.after, rossi.differs) == (2010, False)
    assert (bianchi.after, bianchi.stated, bianchi.differs) == (1990, 2010, True)


def test_what_a_list_says_besides(tmp_path: Path) -> None:
    others = [Person("Bianchi", 2000, "ITA")]
    report = report_of(tmp_path, one_against(Person("Rossi", 2000, "ITA"), others, "1", *HEAD))
    assert [player.k for player in event_report(report).players] == [20, 20]
    known = [Start("Rossi", None, games=12), Start("Bianchi", None, games=90, peak=2410)]
    found = event_report(report, known=known)
    assert [player.k for player in found.players] == [40, 10]
    assert any("2 players" in note for note in event_report(report).notes)
    assert not any("players" in note for note in found.notes)


def test_games_that_were_not_played_are_no_games(tmp_path: Path) -> None:
    people = [
        Person("A", 2000, "ITA", rounds=[(2, "+"), (None, "U"), (3, "1"), (4, "=")]),
        Person("B", 2000, "ITA", rounds=[(1, "-"), (None, "H"), (None, "Z"), (3, "0")]),
        Person("C", 1900, "ITA", rounds=[(4, "D"), (None, "Z"), (1, "0"), (2, "1")]),
        Person("D", None, "ITA", rounds=[(3, "D"), (None, "F"), (None, ""), (1, "=")]),
    ]
    report = report_of(tmp_path, trf(people, *HEAD))
    assert sum(player.rated_games for player in event_report(report).players) == 5  # the game with D counts for D alone
    a, b, c, d = event_report(report).players
    assert (a.rated_games, a.score, a.average) == (1, 1, 1900)
    assert (b.rated_games, c.rated_games, d.points) == (1, 2, 2)
    assert [meeting.kind for meeting in meetings_of(report, report.entrants[0])] == [
        "forfeit win",
        "pairing bye",
        "game",
        "game",
    ]
    assert [meeting.kind for meeting in meetings_of(report, report.entrants[3])] == ["short", "bye", "absent", "game"]
    assert meetings_of(report, report.entrants[0])[3].against_rated == 0.5


def test_c10_an_unrated_opponent_of_a_round_robin(tmp_path: Path) -> None:
    text = gm_norm("1111111=0").replace("Individual: Swiss-System", "Round Robin")
    report = report_of(tmp_path, text)
    unrated = replace(report.entrants[1], rating=None)
    found = norm_reports(replace(report, entrants=(report.entrants[0], unrated, *report.entrants[2:])), "Rossi", "GM")
    assert [left.article for left in found[0].left_out] == ["1.4.2b"]


def test_norms_of_a_file(tmp_path: Path) -> None:
    report = report_of(tmp_path, gm_norm())
    (found,) = norm_reports(report, "Rossi")
    assert (found.title, found.achieved, found.performance, found.average) == ("GM", True, 2600, 2434)
    assert {each.name for each in found.open} >= {"registered", "arbiter_present"}
    everybody = norm_reports(report)
    assert [each.title for each in everybody if each.applicant == "Opponent 0"] == []  # a grandmaster already
    assert [each.title for each in everybody if each.applicant == "Opponent 8"] == ["GM", "IM"]
    assert [each.applicant for each in everybody if each.achieved] == ["Rossi, Marco"]
    assert not norm_reports(report_of(tmp_path, gm_norm(rating=2433)), "1", "GM")[0].achieved


def test_the_last_round_of_a_file(tmp_path: Path) -> None:
    report = report_of(tmp_path, gm_norm("111111=0 "))
    assert rounds_to_come(report, "Rossi") == 1
    assert norm_needs(report, "Rossi", "GM")[0].results[0][2] == 0
    report = report_of(tmp_path, gm_norm("11111==0 "))
    (need,) = norm_needs(report, "Rossi", "GM")
    assert need.results == ((9, "Opponent 8", 0.5),)


def test_a_field_with_foreigners_enough(tmp_path: Path) -> None:
    feds = ("ESP", "FRA", "GER")
    people = [Person(f"P{n}", 2300, feds[n % 3], "IM" if n < 10 else "") for n in range(20)]
    for number, person in enumerate(people, 1):
        other = number + 1 if number % 2 else number - 1
        person.rounds = [(other, "="), (other, "=")]
    people[0].rounds = [(2, "="), (None, "U")]
    people[1].rounds = [(1, "="), (None, "H")]
    facts = event_facts(report_of(tmp_path, trf(people, *HEAD)))
    # P1 missed a round, which is allowed; in that round there is one fewer
    assert facts.foreign_field == (19, 3, 9)
    assert (facts.format, facts.players, facts.minutes, facts.average) == ("swiss", 20, 120, 2300)


def test_players_are_found(tmp_path: Path) -> None:
    report = report_of(tmp_path, gm_norm())
    assert find_entrant(report, "rossi").number == find_entrant(report, "1").number == 1
    with pytest.raises(UsageError, match="more than one"):
        find_entrant(report, "Opponent")
    with pytest.raises(UnknownName, match="Verdi"):
        find_entrant(report, "Verdi")


def test_what_is_wrong_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "bad.trf"
    path.write_text(trf([Person("A", 2000, "ITA", rounds=[(2, "1")]), Person("B", 2000, "ITA")], *HEAD))
    with pytest.raises(DataError, match="does not say so"):
        read_report(str(path))
    path.write_text(trf([Person("A", 2000, "ITA", rounds=[(7, "1")])], *HEAD))
    with pytest.raises(DataError, match="there is no player 7"):
        read_report(str(path))
    with pytest.raises(UsageError, match=r"none\.trf"):
        read_report(str(tmp_path / "none.trf"))
    path.write_text(trf([Person("A", 2000, "ITA")], "012 Open"))
    undated, _ = read_report(str(path))
    with pytest.raises(UsageError, match="--on"):
        event_report(undated)
    dated, _ = read_report(str(path), date(2025, 1, 1))
    assert event_report(dated).players[0].reason == "no game against a rated opponent"


@pytest.mark.parametrize("name", ["bunratty_masters_2011.tab", "javafo_sample2.trf", "trf26_team.trf"])
def test_real_files(published: Path, name: str) -> None:
    report, _ = read_report(str(published / "trf" / name))
    found = event_report(report)
    assert len(found.players) == len(report.entrants)
    for player in found.players:
        total = [game.change for game in player.games if game.change is not None]
        if player.change is not None and player.rating:
            assert player.change == pytest.approx(sum(total), abs=1e-6)
    assert not any(each.achieved for each in norm_reports(report))
