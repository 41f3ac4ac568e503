"""A month of a rating office: lists and reports in, the next list and its reasons out. Everybody here is invented."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from arpad.cli import arpad
from arpad.formats.fide_list import read_list
from arpad.month_files import month_of_files, write_month

PEOPLE = {  # id: name, standard rating, K, rapid rating, K, born
    101: ("Abete, Ada", 2405, 10, 2300, 10, 1980),
    102: ("Betulla, Bo", 2100, 20, None, 0, 1990),
    103: ("Cedro, Cy", 1900, 40, 1850, 40, 2009),
    104: ("Faggio, Fe", 1402, 20, 1500, 20, 1950),
    105: ("Gelso, Gi", None, 0, None, 0, 2000),
}


def players(ratings: Mapping[int, int | None] = {}) -> str:
    rows = []
    for number, (name, standard, k, rapid, rapid_k, born) in PEOPLE.items():
        standard = ratings.get(number, standard)
        facts = {
            "fideid": number, "name": name, "country": "ITA", "sex": "M", "title": "", "w_title": "", "o_title": "",
            "foa_title": "", "rating": standard or 0, "games": 0, "k": k, "rapid_rating": rapid or 0, "rapid_games": 0,
            "rapid_k": rapid_k, "blitz_rating": 0, "blitz_games": 0, "blitz_k": 0, "birthday": born, "flag": "i",
        }  # fmt: skip
        rows.append(
            "<player>\n" + "".join(f"<{name}>{value}</{name}>\n" for name, value in facts.items()) + "</player>\n"
        )
    return "<playerslist>\n" + "".join(rows) + "</playerslist>\n"


def report(
    name: str,
    start: date,
    end: date,
    games: Sequence[tuple[int, int, str]],
    control: str = "90 min/40 + 30 min + 30 sec",
) -> str:
    """A tournament report in which each pair is a round of its own."""
    ids = sorted({number for game in games for number in game[:2]})
    place = {number: at for at, number in enumerate(ids, 1)}
    lines = [
        f"012 {name}",
        f"042 {start:%Y/%m/%d}",
        f"052 {end:%Y/%m/%d}",
        f"122 {control}",
        f"XXR {len(games)}",
    ]
    mirror = {"1": "0", "0": "1", "=": "="}
    for number in ids:
        who, rating, *_, born = PEOPLE[number]
        line = f"001 {place[number]:4d} m    {who:<33} {rating or 0:4d} ITA {number:11d} {born}/00/00"
        points = sum(
            {"1": 1, "=": 0.5, "0": 0}[r if a == number else mirror[r]] for a, b, r in games if number in (a, b)
        )
        line = f"{line:<80}{points:4.1f} {place[number]:4d}"
        for first, second, result in games:
            if number == first:
                line += f"  {place[second]:4d} w {result}"
            elif number == second:
                line += f"  {place[first]:4d} b {mirror[result]}"
            else:
                line += "  0000 - Z"
        lines.append(line)
    return "\r\n".join(lines) + "\r\n"


@pytest.fixture
def office(tmp_path: Path) -> Path:
    (tmp_path / "november.xml").write_text(players(), encoding="utf-8")
    open_games = [(101, 102, "1"), (103, 104, "1"), (102, 103, "="), (104, 102, "0"), (101, 103, "0")]
    (tmp_path / "open.trf").write_text(report("Open", date(2025, 11, 7), date(2025, 11, 9), open_games))
    rapid = [(102, 103, "1"), (101, 103, "1")]
    (tmp_path / "rapid.trf").write_text(
        report("Rapid", date(2025, 11, 15), date(2025, 11, 15), rapid, "15 min + 10 sec")
    )
    newcomer = [(105, 102, "1"), (105, 103, "1"), (105, 101, "0"), (105, 104, "="), (105, 104, "=")]
    (tmp_path / "club.trf").write_text(report("Club", date(2025, 11, 20), date(2025, 11, 23), newcomer))
    later = [(101, 102, "="), (103, 104, "1")]
    (tmp_path / "later.trf").write_text(report("Later", date(2025, 11, 29), date(2025, 12, 2), later))
    return tmp_path


def run(office: Path, folder: str, *more: str) -> str:
    reports = [str(path) for path in sorted(office.glob("*.trf"))]
    arguments = ["month", *reports, "--list", f"2025-11-01={office / 'november.xml'}", "--date", "2025-12-01"]
    result = CliRunner().invoke(arpad, [*arguments, *more] if more else [*arguments, "-o", str(office / folder)])
    assert result.exit_code == 0, result.output
    return result.output


def ratings(path: Path, day: date) -> dict[int, dict[str, tuple[int | None, int | None, int | None]]]:
    found, _ = read_list(path, day=day)
    return {found.row(row).id: dict(found.row(row).ratings) for row in range(len(found))}


def test_a_month_from_reports_to_a_list_in_one_command(office: Path) -> None:
    said = run(office, "december")
    made = ratings(office / "december" / "list.xml", date(2025, 12, 1))
    # Abete: beats 2100 (.86) and loses to 1900 (D 505 counted as 400: .92), K 10: .14 - .92 = -.78 -> -8. The game with
    # the unrated Gelso is not rated.
    assert made[101]["standard"] == (2397, 2, 10)
    # Betulla, K 20: loses to 2405 (.14), draws with 1900 (.76), beats 1402 (.92): -.14 - .26 + .08 = -.32 -> -6.
    assert made[102]["standard"] == (2094, 3, 20)
    # Cedro, born 2009 and so K 40: beats 1402 (.92), draws with 2100 (.24), beats 2405 (.08): .08 + .26 + .92 = 1.26.
    assert made[103]["standard"] == (1950, 3, 40)
    # Faggio loses to 1900 and 2100 (.08 each): -3.2 -> below 1400 and off the list.
    assert made[104]["standard"] == (None, 2, None)
    # Gelso: 3 of 5 against 2100, 1900, 2405, 1402, 1402: Ra (9209 + 3600) / 7 = 1829.86, 4/7 = .57, dp 50.
    assert made[105]["standard"] == (1880, 5, 40)
    # Rapid: Betulla has no rapid rating, and 2100 in standard counts: .81 and won, K 40 -> 2108.
    assert made[102]["rapid"] == (2108, 1, 40)
    assert made[103]["rapid"][0] == 1850 - round(40 * (0.19 + 0.08) + 0.001)
    assert "Later" in said
    assert "waits" in said


def test_each_changed_player_is_explained(office: Path) -> None:
    run(office, "december")
    told = (office / "december" / "standard-explanations.txt").read_text(encoding="utf-8")
    for name, *_ in PEOPLE.values():
        assert f"== {name} (" in told
    assert "Cedro, Cy gained 50: scored 2.5 where 1.24 was expected." in told
    for article in ("[8.1.2]", "[8.3.1]", "[8.3.3]", "[8.3.4]", "[7."):
        assert article in told
    with (office / "december" / "standard-changes.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["name"] for row in rows] == [name for name, *_ in PEOPLE.values()]


def test_the_same_month_again_gives_the_same_bytes(office: Path) -> None:
    run(office, "once")
    run(office, "twice")
    files = sorted(path.name for path in (office / "once").iterdir())
    assert files == sorted(path.name for path in (office / "twice").iterdir())
    assert len(files) == 7
    for name in files:
        assert (office / "once" / name).read_bytes() == (office / "twice" / name).read_bytes()


def test_the_next_month_goes_on_with_the_standings(office: Path) -> None:
    """Betulla's games are counted on; the event that waited is rated with the list of its first day."""
    run(office, "december")
    lists = [
        (str(office / "november.xml"), date(2025, 11, 1)),
        (str(office / "december" / "list.xml"), date(2025, 12, 1)),
    ]
    made, _ = month_of_files(
        lists, [str(office / "later.trf")], date(2026, 1, 1), str(office / "december" / "standings.csv")
    )
    write_month(made, str(office / "january"))
    found = ratings(office / "january" / "list.xml", date(2026, 1, 1))
    # 2405 v 2100 on the November list (.86) drawn: K 10 x -.36 = -3.6 -> -4 from December's 2397.
    assert found[101]["standard"] == (2393, 1, 10)
    assert found[102]["standard"] == (2094 + 7, 1, 20)
    # Cedro met Faggio when both were rated; Faggio is no longer listed and has nothing to add a change to.
    standing = made.standings["standard", "102"]
    assert standing.games == 30 + 3 + 1


def test_live_ratings_are_not_rounded(office: Path) -> None:
    shown = run(office, "", "--live")
    assert "2397.2" in shown
    assert not (office / "december").exists()


def test_a_late_report_and_one_without_a_chapter(office: Path) -> None:
    late = report("Late", date(2025, 7, 1), date(2025, 7, 2), [(101, 102, "1")])
    (office / "late.trf").write_text(late)
    assert "too long ago" in run(office, "december")
    (office / "late.trf").write_text(late.replace("90 min/40 + 30 min + 30 sec", ""))
    reports = [str(office / "late.trf")]
    result = CliRunner().invoke(
        arpad, ["month", *reports, "--list", f"2025-11-01={office / 'november.xml'}", "--date", "2025-12-01", "-o", "x"]
    )
    assert result.exception is not None
    assert "no chapter" in str(result.exception)


def test_a_correction_of_the_base_is_an_act_with_a_reason(office: Path) -> None:
    """C61: the official start differs from the printed list; without the correction the list is the start."""
    (office / "acts.csv").write_text("kind,player,date,rating,reason\nadjustment,102,2025-11-01,1,late correction\n")
    run(office, "december", "--acts", str(office / "acts.csv"), "-o", str(office / "december"))
    made = ratings(office / "december" / "list.xml", date(2025, 12, 1))
    assert made[102]["standard"] == (2095, 3, 20)
    told = (office / "december" / "standard-explanations.txt").read_text(encoding="utf-8")
    assert "late correction" in told


def test_a_newcomers_games_wait_from_month_to_month(office: Path) -> None:
    """Three games in November, two in December: the first rating comes on the list of January."""
    for path in office.glob("*.trf"):
        path.unlink()
    first = [(105, 102, "1"), (105, 103, "="), (105, 104, "1")]
    (office / "first.trf").write_text(report("First", date(2025, 11, 7), date(2025, 11, 8), first))
    run(office, "december")
    assert ratings(office / "december" / "list.xml", date(2025, 12, 1))[105]["standard"][0] is None
    second = [(105, 102, "0"), (105, 103, "=")]
    (office / "second.trf").write_text(report("Second", date(2025, 12, 7), date(2025, 12, 8), second))
    made, _ = month_of_files(
        [(str(office / "december" / "list.xml"), date(2025, 12, 1))],
        [str(office / "second.trf")],
        date(2026, 1, 1),
        str(office / "december" / "standings.csv"),
    )
    (gelso,) = [made.listed.row(row) for row in range(len(made.listed)) if made.listed.row(row).id == 105]
    # 2100, 1900, 1402, 2100, 1900: (9402 + 3600) / 7 = 1857.43; 4 of 7 is 57 %: dp 50.
    assert gelso.ratings["standard"] == (1907, 2, 40)


def single(
    office: Path, rating: int, day: date, *, before: date
) -> dict[str, tuple[int | None, int | None, int | None]]:
    """Betulla on the list of a day on which she did not play, having had `rating` before."""
    (office / "before.xml").write_text(players({102: rating}), encoding="utf-8")
    made, _ = month_of_files([(str(office / "before.xml"), before)], [str(office / "open.trf")], day)
    (found,) = [made.listed.row(row) for row in range(len(made.listed)) if made.listed.row(row).id == 102]
    return dict(found.ratings)


@pytest.mark.parametrize(
    ("example", "rating", "after"), [("M7", 1501, 1701), ("M7", 1999, 1999), ("M7", 2000, 2000), ("C60", 1437, 1662)]
)
def test_everybody_is_revalued_on_the_list_of_march_2024(office: Path, example: str, rating: int, after: int) -> None:
    for path in office.glob("*.trf"):
        path.unlink()
    (office / "open.trf").write_text(report("Open", date(2024, 2, 7), date(2024, 2, 9), [(101, 103, "1")]))
    assert single(office, rating, date(2024, 3, 1), before=date(2024, 2, 1))["standard"][0] == after, example
    (office / "open.trf").write_text(report("Open", date(2024, 3, 7), date(2024, 3, 9), [(101, 103, "1")]))
    assert single(office, rating, date(2024, 4, 1), before=date(2024, 3, 1))["standard"][0] == rating


def test_rapid_ratings_far_below_standard_were_lifted_on_the_list_of_october_2022(office: Path) -> None:
    """R = max(R, standard - 100) for who has both; Cedro's 1850 is within 100 of 1900, Abete's 2200 is not of 2405."""
    PEOPLE_RAPID = {101: 2305, 103: 1850, 102: None}
    (office / "open.trf").write_text(report("Open", date(2022, 9, 7), date(2022, 9, 9), [(103, 104, "=")]))
    (office / "before.xml").write_text(
        players().replace("<rapid_rating>2300<", "<rapid_rating>2200<"), encoding="utf-8"
    )
    made, _ = month_of_files(
        [(str(office / "before.xml"), date(2022, 9, 1))], [str(office / "open.trf")], date(2022, 10, 1)
    )
    rows = {made.listed.row(row).id: made.listed.row(row) for row in range(len(made.listed))}
    for number, rapid in PEOPLE_RAPID.items():
        assert rows[number].ratings["rapid"][0] == rapid


def test_games_too_short_for_the_players_are_not_rated(office: Path) -> None:
    """From 2022: 120 minutes for 60 moves where a player has 2400, 90 from 1800, else 60 (spec 1.4)."""
    games = [(101, 102, "1"), (102, 103, "1"), (104, 105, "1")]
    (office / "open.trf").write_text(report("Short", date(2025, 11, 7), date(2025, 11, 9), games, "70 min + 30 sec"))
    said = run(office, "december")
    assert "Short: 1 game(s) not rated, 100 minutes are too few" in said


def test_who_has_not_played_for_a_year_is_flagged(office: Path) -> None:
    (office / "standings.csv").write_text(
        "chapter,player,games,peak,last\nstandard,102,200,2150.0,2024-11-01\nstandard,104,200,1500.0,2025-01-01\n"
    )
    for path in office.glob("*.trf"):
        path.unlink()
    (office / "open.trf").write_text(report("Open", date(2025, 11, 7), date(2025, 11, 9), [(101, 103, "1")]))
    plain = players().replace("<flag>i<", "<flag><")
    (office / "november.xml").write_text(plain, encoding="utf-8")
    run(office, "december", "--standings", str(office / "standings.csv"), "-o", str(office / "december"))
    found, _ = read_list(office / "december" / "list.xml", day=date(2025, 12, 1))
    flags = {found.row(row).id: found.row(row).flag for row in range(len(found))}
    assert (flags[102], flags[104], flags[101]) == ("i", None, None)
