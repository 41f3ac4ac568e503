"""Reports taken in: nobody by name alone, nothing twice, nothing by half."""

from __future__ import annotations

import random
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arpad.bureau import cards, lists
from arpad.bureau.intake import Decisions, accept, examine, receive, refuse, stage
from arpad.bureau.keeping import verify
from arpad.bureau.opened import Office, add_list, init
from arpad.bureau.register import add_acts, enrol
from arpad.errors import DataError, UsageError
from arpad.ledger import chain
from arpad.model import Act, Game, PartialDate, Start
from tests.bureau.worlds import ALL, exact, office_of, some_events, taken

SYSTEMS = ("elo", "glicko2", "asigc", "fide/standard", "harkness", "uschess/regular")


def trf(*players: tuple[str, str, int, int, str], name: str = "Open", end: str = "2025/03/02") -> str:
    """A report: (name, FIDE id, rating, year of birth, rounds)."""
    lines = [f"012 {name}", "042 2025/03/01", f"052 {end}"]
    for number, (who, fide, rating, born, rounds) in enumerate(players, 1):
        year = f"{born}/00/00" if born else ""
        rated = str(rating) if rating else ""
        lines.append(f"001 {number:4d} m    {who:<33} {rated:>4} ITA {fide:>11} {year:<10}  1.0    1  {rounds}")
    return "\n".join(lines) + "\n"


BIANCHI, VERDI = ("Bianchi, Anna", 10023), ("Verdi, Ugo", 10032)


def registered(place: str, *people: tuple[str, int], born: int = 0) -> Office:
    """An office with people who have FIDE ids."""
    office = init(place, "elo")
    with office.store.writing():
        words = {}
        for number, (name, fide) in enumerate(people, 1):
            facts = {"name": name, "identifiers": {"fide": str(fide)}, **({"born": born * 10000} if born else {})}
            words[f"p{number}"] = chain.canonical(facts)
        chain.append(office.store, "officer", "people", {"people": [int(key[1:]) for key in words]}, "", words)
    return office


def written(folder: Path, text: str, name: str = "report.trf") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_c45_a_transposed_id_holds_the_report_and_names_who_is_meant(place: str, tmp_path: Path) -> None:
    path = written(tmp_path, trf(("Bianchi, Anna", "10032", 0, 0, "   2 w 1"), ("Neri, Ida", "555", 0, 0, "   1 b 0")))
    with registered(place, BIANCHI, VERDI) as office:
        held = receive(office, path, Decisions(register=True))
        assert not held.accepted
        (hold,) = held.holds
        assert "fide 10032 is person 2, 'Verdi, Ugo'" in hold.message
        assert "did you mean person 1, 'Bianchi, Anna' (fide 10023)" in hold.message
        assert office.store.value("select count(*) from game") == 0
        done = accept(office, held.report, Decisions(register=True, people={"10032": 1}))
        assert done.accepted
        assert "by decision" in " ".join(str(each) for each in done.log)
        assert [line.opponent_name for line in cards.player(office, "fide:10023").lists[0].lines] == ["Neri, Ida"]


def test_c45_a_rating_far_from_the_register_is_held(place: str, tmp_path: Path) -> None:
    with registered(place, BIANCHI, VERDI) as office:
        add_acts(office, [Act("entry", "1", 0, 2250.0), Act("entry", "2", 0, 1500.0)])
        rounds = "   2 w 1", "   1 b 0"
        far = trf(("Bianchi, Anna", "10023", 1300, 0, rounds[0]), ("Verdi, Ugo", "10032", 1600, 0, rounds[1]))
        held = examine(office, written(tmp_path, far))
        assert ["rated 2250 here and 1300 in the report" in each.message for each in held.holds] == [True]


def test_c46_one_id_twice_in_a_report_is_an_error_that_names_both_lines(place: str, tmp_path: Path) -> None:
    path = written(tmp_path, trf(("Rossi, Ada", "555", 0, 0, "   2 w 1"), ("Russo, Ivo", "555", 0, 0, "   1 b 0")))
    with init(place, "elo") as office:
        held = receive(office, path, Decisions(register=True))
        assert not held.accepted
        assert any("555" in each.message and "line 4" in each.message for each in held.holds)


def test_c47_nobody_is_known_by_name_alone(place: str, tmp_path: Path) -> None:
    path = written(tmp_path, trf(("Rossi, Marco", "", 0, 0, "   2 w 1"), ("Neri, Ida", "555", 0, 0, "   1 b 0")))
    with registered(place, ("Rossi, Marco", 1), ("Rossi, Marco", 2), ("Neri, Ida", 555)) as office:
        held = receive(office, path, Decisions(register=True))
        (hold,) = held.holds
        assert "person 1, 'Rossi, Marco' (fide 1); person 2, 'Rossi, Marco' (fide 2)" in hold.message
        with pytest.raises(DataError, match="a name alone is nobody"):
            accept(office, held.report, Decisions(register=True))
        assert office.store.value("select count(*) from game") == 0
        assert accept(office, held.report, Decisions(people={"Rossi, Marco": 2})).accepted


def test_c48_a_name_in_another_spelling_and_the_year_of_birth_are_enough(place: str, tmp_path: Path) -> None:
    path = written(tmp_path, trf(("Muellner, Jorg", "", 0, 1990, "   2 w 1"), ("Neri, Ida", "555", 0, 0, "   1 b 0")))
    with registered(place, ("Müllner, Jörg", 7), ("Neri, Ida", 555), born=1990) as office:
        held = receive(office, path)
        assert held.accepted
        assert {match.named.name: match.how for match in held.people} == {
            "Muellner, Jorg": "name and year of birth",
            "Neri, Ida": "identifier",
        }
        for name in ("Mullner, Jorg", "Muellner, Joerg", "jörg müllner"):
            assert cards.find(office, name).id == 1


@pytest.mark.parametrize("name", ["Open di Primavera 2025", "Open 2025"])
def test_c56_the_same_crosstable_under_another_name_is_held(place: str, tmp_path: Path, name: str) -> None:
    players = [("Rossi, Ada", "11", 0, 0, "   2 w 1"), ("Russo, Ivo", "12", 0, 0, "   1 b 0")]
    with init(place, "elo") as office:
        assert receive(office, written(tmp_path, trf(*players, name="Open 2025")), Decisions(register=True)).accepted
        before = exact_by_person(office)
        swapped = [("Russo, Ivo", "12", 0, 0, "   2 b 0"), ("Rossi, Ada", "11", 0, 0, "   1 w 1")]
        held = receive(office, written(tmp_path, trf(*swapped, name=name)), Decisions(register=True))
        (hold,) = held.holds
        assert "event 1, 'Open 2025'" in hold.message
        assert exact_by_person(office) == before
        done = accept(office, held.report, Decisions(distinct=True))
        assert done.accepted
        assert "no duplicate of event 1" in " ".join(str(each) for each in done.log)


def exact_by_person(office: Office) -> list[float]:
    return list(lists.replay(office).state)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(0, 3), max_size=6))
def test_promise_7_a_report_sent_again_counts_once(seed: int, again: list[int]) -> None:
    reports = some_events(random.Random(seed))
    with office_of(":memory:", reports) as office:
        before = exact(office), office.head
        for number in again:
            done = taken(office, reports[number])
            assert (done.again, done.report) == (True, number + 1)
        assert (exact(office), office.head) == before


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(SYSTEMS))
def test_promise_4_the_order_in_which_reports_arrive_does_not_matter(seed: int, rules: str) -> None:
    random_ = random.Random(seed)
    reports = some_events(random_, events=5)
    with office_of(":memory:", reports, rules) as one:
        other_way = random_.sample(reports, len(reports))
        with office_of(":memory:", other_way, rules) as other:
            assert exact(one) == exact(other)


def test_c51_a_game_against_oneself_is_refused_whole(place: str, tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("date,white,black,result\n2025-01-01,A,B,1-0\n2025-01-02,A,A,1-0\n")
    with init(place, "elo") as office:
        held = receive(office, path, ALL)
        assert [each.line for each in held.holds] == [3]
        with pytest.raises(DataError, match="against itself"):
            accept(office, held.report, ALL)
        assert office.store.value("select count(*) from game") == 0
        assert office.store.value("select count(*) from person") == 0


@pytest.mark.parametrize("column", ["1,1", "0.5,1"])
def test_an_impossible_result_is_refused_with_its_line(place: str, tmp_path: Path, column: str) -> None:
    with init(place, "elo") as office:
        one, other = map(float, column.split(","))
        held = receive(office, [Game("A", "B", 1.0), Game("B", "C", one, other)], ALL)
        assert [each.line for each in held.holds] == [2]


def test_two_games_of_a_pair_in_one_round_are_held_and_on_two_days_are_two_games(place: str) -> None:
    game = Game("A", "B", 1.0, date=date(2025, 1, 1), event="Cup", round=1)
    with init(place, "elo") as office:
        held = taken(office, [game, replace(game, first="B", second="A")])
        assert "two games in round 1" in held.holds[0].message
        assert taken(office, [game, replace(game, date=date(2025, 1, 8))]).accepted
        assert verify(office) == []


def test_promise_7_a_game_with_an_id_counts_once_whatever_report_brings_it(place: str) -> None:
    games = [Game("A", "B", 1.0, id="g1"), Game("B", "C", 1.0, id="g2")]
    with init(place, "elo") as office:
        assert taken(office, games).accepted
        held = taken(office, [Game("C", "A", 1.0, id="g3"), replace(games[1], round=7)])
        assert ["'g2' was reported before, as game 2" in each.message for each in held.holds] == [True]
        assert len(exact(office)) == 3
        assert verify(office) == []


def test_a_dry_run_writes_nothing(place: str) -> None:
    with init(place, "elo") as office:
        seen = examine(office, [Game("A", "B", 1.0)], ALL)
        assert (seen.report, seen.games, seen.holds) == (0, 1, ())
        assert office.head == 1


def test_a_staged_report_counts_only_once_it_is_accepted(place: str) -> None:
    with init(place, "elo") as office:
        kept = stage(office, [Game("A", "B", 1.0)], ALL)
        assert exact(office) == {}
        assert stage(office, [Game("A", "B", 1.0)], ALL).report == kept.report
        assert accept(office, kept.report, ALL).accepted
        assert accept(office, kept.report, ALL).again
        assert exact(office).keys() == {"A", "B"}


def test_a_refused_report_is_kept_and_may_be_sent_again(place: str) -> None:
    with init(place, "elo") as office:
        kept = stage(office, [Game("A", "B", 1.0)], ALL)
        refuse(office, kept.report, "unsigned")
        with pytest.raises(UsageError, match="was refused"):
            accept(office, kept.report, ALL)
        again = taken(office, [Game("A", "B", 1.0)])
        assert again.accepted
        assert again.report != kept.report


def test_promise_6_the_original_is_kept_and_what_was_assumed_is_in_the_log(place: str, tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_bytes(b"\xef\xbb\xbfdate,white,black,result\r\n2025-01-01,A,B,1-0\r\n")
    with init(place, "elo") as office:
        done = receive(office, path, ALL)
        kept = office.store.value("select content from report where id = ?", (done.report,))
        assert bytes(kept) == path.read_bytes()
        assert "somebody new" in chain.asides(office.store, done.seq)["log"]


def test_a_game_before_the_base_of_a_list_is_held(place: str) -> None:
    with init(place, "elo", base=date(2000, 1, 1)) as office:
        held = taken(office, [Game("A", "B", 1.0, date=date(1999, 12, 31)), Game("A", "B", 1.0, date=date(2000, 1, 1))])
        assert "1 game(s) before 2000-01-01" in held.holds[0].message


def test_a_game_before_the_first_edition_is_held_unless_another_list_takes_it(place: str) -> None:
    games = [Game("A", "B", 1.0, date=date(1990, 5, 1)), Game("A", "B", 1.0, date=date(1994, 5, 1))]
    with init(place, "asigc") as office:
        assert "1 game(s) before 1993-01-01" in taken(office, games).holds[0].message
        add_list(office, "elo")
        assert taken(office, games).accepted
        counted = {each.list: each.games for each in cards.player(office, "club:A").lists}
        assert counted == {"asigc": 1, "elo": 2}


def test_people_of_a_start_list_bring_their_ratings_once(place: str) -> None:
    people = [Start("1", 1800.0, 40, born=PartialDate(1990)), Start("2", None)]
    with init(place, "elo", base=date(2000, 1, 1)) as office:
        assert enrol(office, people, ids="club") == [1, 2]
        assert enrol(office, people, ids="club") == [1, 2]
        assert exact(office)["1"][:2] == (1800.0, 40.0)
        assert office.store.value("select count(*) from act") == 1
        with pytest.raises(DataError, match="no person"):
            add_acts(office, [Act("entry", "99", 0, 1500.0)])
        act = Act("adjustment", "1", date(2001, 1, 1).toordinal(), 20.0, reason="arithmetic")
        assert add_acts(office, [act])
        assert not add_acts(office, [act])
        assert exact(office)["1"][0] == 1820.0


def test_facts_that_few_games_have_come_back_as_they_were(place: str) -> None:
    games = [
        Game("A", "B", 1.0, date=date(2025, 1, 1), event="Cup", margin=3.0, neutral=True, labels={"stage": "final"}),
        Game("B", "C", 0.5, date=PartialDate(2025, 2), event="Cup", shootout=1, knockout=True, season=2024),
        Game("C", "A", 0.0, date=date(2025, 3, 1), importance=2.0, labels={"tournament": "Friendly"}),
    ]
    with init(place, "elo") as office:
        assert taken(office, games).accepted
        held: Any = office.history(office.which()).games
        rows = sorted(range(3), key=lambda row: int(held.line[row]))
        told = {
            name: [getattr(held, name)[row] for row in rows] for name in ("neutral", "knockout", "shootout", "season")
        }
        assert told == {"neutral": [1, 0, 0], "knockout": [2, 1, 2], "shootout": [0, 1, 0], "season": [0, 2024, 0]}
        assert (held.margin[rows[0]], held.importance[rows[2]], held.event[rows[2]]) == (3.0, 2.0, -1)
        assert [held.labels["stage"][row] for row in rows] == ["final", "", ""]
        assert [held.labels["tournament"][row] for row in rows] == ["", "", "Friendly"]
        assert held.partial == {rows[1]: PartialDate(2025, 2)}
