"""The commands that say what an office's lists say of each other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Arpad


@pytest.fixture
def asigc(arpad: Arpad, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The office of the description's example: 2200 on 75 games, 2400 with ICCF on 25."""
    place = tmp_path / "asigc.db"
    monkeypatch.setenv("ARPAD_OFFICE", str(place))
    assert arpad("init", "--rules", "asigc", "--base", "1992-12-31").exit_code == 0
    members, acts, games = (tmp_path / name for name in ("members.csv", "acts.csv", "games.csv"))
    members.write_text(
        "number,name,born,federation,title,from,rating,games,category\n"
        '1,"Rossi, Mario",1960-05-05,ITA,CM,2000-12-31,2200,75,\n2,"Verdi, Lia",,,,2001-01-10,,,1N\n'
    )
    acts.write_text("kind,player,date,rating,games\nblend,iccf:1,2001-04-01,2400,25\n")
    games.write_text("date,white,black,result\n2001-06-05,1,2,1/2-1/2\n2012-06-05,2,1,1-0\n")
    joined = arpad("import", members, "--as", "members", "--ids", "iccf", "--accept")
    assert "2 members" in joined.stderr
    assert "1 act\n" in arpad("import", acts, "--as", "acts", "--accept").stderr
    assert arpad("publish", "--date", "2001-04-02").exit_code == 0
    assert arpad("import", games, "--ids", "iccf", "--accept").exit_code == 0
    return place


def test_1_1_the_sheet_shows_the_blend_and_what_k_was_made_of(arpad: Arpad, asigc: Path) -> None:
    lines = json.loads(arpad("player", "iccf:1", "--sheet", "--format", "json").stdout)
    assert [line["kind"] for line in lines] == ["entry", "blend", "game", "game"]
    assert (lines[1]["before"], lines[1]["after"], lines[1]["other_games"]) == (2200, 2250, 25)
    assert (lines[2]["before"], lines[2]["games"], lines[2]["r"], lines[2]["p"]) == (2250, 100, 10, 1)
    assert lines[2]["name"] == "Verdi, Lia"
    table = arpad("player", "2", "--sheet", "--list", "asigc").stdout
    assert "1N" in table
    assert arpad("player", "2", "--list", "asigc").exit_code == 2


def test_members_are_entered_once_and_never_by_name_alone(arpad: Arpad, asigc: Path, tmp_path: Path) -> None:
    members = tmp_path / "members.csv"
    again = arpad("import", members, "--as", "members", "--ids", "iccf", "--accept")
    assert again.exit_code == 0
    lines = json.loads(arpad("player", "1", "--sheet", "--format", "json").stdout)
    assert [line["kind"] for line in lines].count("entry") == 1
    nameless = tmp_path / "others.csv"
    nameless.write_text('name,rating\n"Rossi, Mario",1900\n')
    held = arpad("import", nameless, "--as", "members", "--accept")
    assert held.exit_code == 1
    assert "Rossi, Mario" in held.stderr
    assert arpad("import", members, "--as", "members", "--accept").exit_code == 2
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("number,name,from\n1,,2001\n1,Bo,2001-01-01\n,Cy,2001-01-01\n")
    refused = arpad("import", wrong, "--as", "members", "--ids", "iccf", "--accept")
    assert refused.exit_code == 1
    for said in ("the name is missing", "is another member's number", "the number of Cy is missing", "needs a day"):
        assert said in refused.stderr


def test_facts_of_people_are_dated(arpad: Arpad, asigc: Path, tmp_path: Path) -> None:
    facts = tmp_path / "facts.csv"
    facts.write_text("player,fact,from,value\niccf:1,federation,2001-04-01,SUI\nVerdi Lia,title,,WFM\n2,colour,,red\n")
    wrong = arpad("import", facts, "--as", "facts", "--accept")
    assert "unknown fact 'colour'" in wrong.stderr
    facts.write_text("player,fact,from,value\niccf:1,federation,2001-04-01,SUI\n2,title,,WFM\n")
    assert "2 facts" in arpad("import", facts, "--as", "facts", "--accept").stderr
    found = json.loads(arpad("records", "--over", "2000", "--federation", "sui", "--format", "json").stdout)
    assert [(each["name"], each["age"]) for each in found["reached"]] == [("Rossi, Mario", 40)]
    assert "WFM" in arpad("ranges", "--classes", "asigc").stdout


def test_moves_ranges_compare_and_why(arpad: Arpad, asigc: Path) -> None:
    live = arpad("moves")
    assert "live list against the list of 2001-04-02" in live.stderr
    assert json.loads(arpad("moves", "--date", "2001-04-02", "--format", "json").stdout)[0]["status"] == "new"
    assert arpad("moves", "--date", "2001-04-03").exit_code == 2
    ranks = json.loads(arpad("ranges", "--rank", "2000", "--format", "json").stdout)
    assert [(row["day"], row["rank"]) for row in ranks] == [("2001-04-02", 2), ("live", 2)]
    counted = json.loads(arpad("ranges", "--over", "1800", "--over", "2250", "--format", "json").stdout)
    assert [(row["1800"], row["2250"]) for row in counted] == [(2, 1)]
    assert arpad("ranges", "--rank", "2000", "--over", "1800").exit_code == 2
    assert arpad("ranges", "--rank", "2000", "--classes", "fide").exit_code == 2
    beside = arpad("compare", "--rules", "asigc:half-year", "--format", "json")
    assert [each["list"] for each in json.loads(beside.stdout)["figures"]] == ["asigc", "asigc:half-year"]
    assert arpad("compare").exit_code == 2
    said = arpad("why", "iccf:1", "--since", "2001-04-02").stdout
    assert said.startswith("Rossi, Mario had 2250.00 on 2001-04-02 and has ")
    assert "by 2 game(s) since." in said
    assert "by entry" in arpad("why", "1", "--since", "2").stdout
    assert arpad("why", "1", "--since", "yesterday").exit_code == 2


def test_the_base_is_moved_and_opened_again(arpad: Arpad, asigc: Path) -> None:
    before = arpad("moves", "--format", "csv").stdout
    assert "nothing was written" in arpad("base", "--date", "2002-05-01", "--preview").stderr
    done = arpad("base", "--date", "2002-05-01", "--reason", "closed", "--format", "json")
    assert done.exit_code == 0
    assert arpad("moves", "--format", "csv").stdout == before
    assert "base 1992-12-31 → 2002-05-01; people who begin with what they held: 2" in arpad("log", "--last", "1").stdout
    assert arpad("base", "--date", "2004-05-01", "--reason", "closed").exit_code == 2
    entry = json.loads(done.stdout)["seq"]
    assert arpad("correct", "--revert", str(entry), "--reason", "open again").exit_code == 0
    assert "everything holds together" in arpad("verify").stderr


def test_patterns_are_listed_by_limits_that_are_said_to_be_arpads_own(arpad: Arpad, asigc: Path) -> None:
    ordinary = arpad("patterns")
    assert (ordinary.exit_code, ordinary.stdout) == (0, "")
    assert "0 unusual pattern(s) by limits of arpad's own; a pattern is nothing against anybody" in ordinary.stderr
    shown = json.loads(arpad("patterns", "--games", "2", "--from", "2012-01-01", "--format", "json").stdout)
    assert [(line["name"], line["games"], line["marks"]) for line in shown] == [
        ("Rossi, Mario", 2, "games"),
        ("Verdi, Lia", 2, "games"),
    ]
    assert "Verdi, Lia" in arpad("patterns", "--least", "1", "--share", "0.1", "--difference", "300").stdout
    assert arpad("patterns", "--share", "75").exit_code == 2
    assert arpad("patterns", "--from", "2025-02-01", "--to", "2025-01-01").exit_code == 2


def test_the_log_in_other_languages(arpad: Arpad, asigc: Path) -> None:
    for language, words in (("en", "list asigc by"), ("it", "lista asigc secondo"), ("es", "lista asigc según")):
        assert f"{words} asigc" in arpad("log", "--language", language).stdout
