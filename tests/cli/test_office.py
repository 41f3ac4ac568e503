"""The commands of an office, as an officer types them."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from arpad.rulebooks import load
from tests.cli.conftest import Arpad


@pytest.fixture
def club(arpad: Arpad, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An office with three games, of which ARPAD_OFFICE tells."""
    place = tmp_path / "club.db"
    monkeypatch.setenv("ARPAD_OFFICE", str(place))
    assert arpad("init").exit_code == 0
    done = arpad("import", games, "--accept", "--register")
    assert done.exit_code == 0, done.stderr
    return place


def test_a_report_is_held_until_people_are_known_and_a_dry_run_writes_nothing(
    arpad: Arpad, games: Path, tmp_path: Path
) -> None:
    place = tmp_path / "club.db"
    office = ("--office", place)
    assert arpad("init", place, "--rules", "elo", "--base", "2020-01-01").exit_code == 0
    dry = arpad("import", games, *office, "--dry-run")
    assert dry.exit_code == 1
    assert "'Anna': nobody of the register" in dry.stderr
    assert "nothing was written" in dry.stderr
    assert len(json.loads(arpad("log", *office, "--format", "json").stdout)) == 1
    held = arpad("import", games, *office, "--accept")
    assert held.exit_code == 1
    assert "kept as report 1" in held.stderr
    taken = arpad("import", games, *office, "--accept", "--register", "--format", "json")
    assert taken.exit_code == 0
    told = json.loads(taken.stdout)[0]
    assert (told["report"], told["accepted"], told["games"]) == (1, True, 3)
    again = arpad("import", games, *office, "--accept")
    assert again.exit_code == 0
    assert "counts already, as report 1" in again.stderr


def test_published_revised_and_what_differs(arpad: Arpad, club: Path) -> None:
    printed = arpad("publish", "--date", "2025-04-01", "--format", "csv")
    assert printed.exit_code == 0
    assert "sha256" in printed.stderr
    assert arpad("publish", "--date", "2025-04-01").exit_code == 2
    seen = arpad("correct", "--game", "1", "--result", "0-1", "--preview", "--format", "json")
    assert "nothing was written" in seen.stderr
    done = arpad("correct", "--game", "1", "--result", "0-1", "--reason", "a letter", "--format", "json")
    assert json.loads(done.stdout)["effect"] == json.loads(seen.stdout)["effect"]
    assert "of 2025-04-01 now differs: 3 rating(s)" in done.stderr
    assert arpad("publish", "--date", "2025-04-01", "--show", "--format", "csv").stdout == printed.stdout
    assert arpad("publish", "--date", "2025-04-01", "--revised", "--format", "csv").stdout != printed.stdout
    apart = json.loads(arpad("publish", "--date", "2025-04-01", "--differences", "--format", "json").stdout)
    assert [row["name"] for row in apart] == ["Anna", "Bruno", "Carla"]
    whole = json.loads(arpad("publish", "--date", "2025-04-01", "--differences", "--all", "--format", "json").stdout)
    ranks = ["published_rank", "published", "revised_rank", "revised"]
    assert list(whole[0]) == ["person", "name", *ranks, "change", "only"]
    assert [row["published_rank"] for row in whole] == [1, 2, 3]
    assert {row["name"]: row["revised"] for row in whole} == {row["name"]: row["revised"] for row in apart}
    assert "3 rating(s) are other ones now" in arpad("publish", "--date", "2025-04-01", "--differences", "--all").stderr
    assert arpad("publish", "--date", "2025-04-01", "--all").exit_code == 2
    entry = json.loads(done.stdout)["seq"]
    assert arpad("correct", "--revert", str(entry), "--reason", "a wrong letter").exit_code == 0
    assert json.loads(arpad("publish", "--date", "2025-04-01", "--differences", "--format", "json").stdout) == []


def test_card_event_and_log(arpad: Arpad, club: Path) -> None:
    arpad("correct", "--game", "3", "--void", "--reason", "no game")
    card = json.loads(arpad("player", "anna", "--format", "json").stdout)
    assert (card["person"], card["name"], card["lists"][0]["games"]) == (1, "Anna", 1)
    assert [game["reason"] for game in card["voided"]] == ["no game"]
    assert "Bruno" in arpad("player", "1").stdout
    assert "game 3 does not count: no game" in arpad("event", "2").stderr
    unknown = arpad("player", "Ann")
    assert unknown.exit_code == 2
    assert "did you mean Anna" in unknown.stderr
    assert "no longer counts" in arpad("log", "--last", "1").stdout


def test_verify_backup_restore(arpad: Arpad, club: Path, tmp_path: Path) -> None:
    assert arpad("replay").exit_code == 0
    assert "everything holds together" in arpad("verify").stderr
    assert arpad("backup", tmp_path / "b.db").exit_code == 0
    other = ("--office", tmp_path / "other.db")
    assert arpad("restore", tmp_path / "b.db", *other).exit_code == 0
    assert arpad("log", *other).stdout == arpad("log").stdout
    with sqlite3.connect(club) as file:
        file.execute("update game set day = day + 1 where id = 1")
    file.close()
    broken = arpad("verify")
    assert broken.exit_code == 1
    assert "game 1 is not what the entries say" in broken.stderr


def test_people_and_acts_of_files(arpad: Arpad, club: Path, tmp_path: Path) -> None:
    people, acts = tmp_path / "people.csv", tmp_path / "acts.csv"
    people.write_text("player,rating,games\n101,1900,60\n102,,\n")
    acts.write_text("kind,player,date,rating,reason\nadjustment,Anna,2025-03-15,50,arithmetic\n")
    assert "nothing was written" in arpad("import", people, "--as", "people", "--ids", "club").stderr
    assert arpad("player", "club:101").exit_code == 2
    assert arpad("import", people, "--as", "people", "--ids", "club", "--accept").exit_code == 0
    assert "1900.00, 60 games" in arpad("player", "club:101").stdout
    before = json.loads(arpad("player", "Anna", "--format", "json").stdout)["lists"][0]["rating"]
    for _ in range(2):
        assert arpad("import", acts, "--as", "acts", "--accept").exit_code == 0
    after = json.loads(arpad("player", "Anna", "--format", "json").stdout)["lists"][0]["rating"]
    assert 45 < after - before < 50


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("correct", "--reason", "x"), "say what to correct"),
        (("correct", "--game", "1", "--event", "1"), "say what to correct"),
        (("correct", "--game", "1", "--void"), "needs a reason"),
        (("publish", "--date", "2025-02-30"), "not a day"),
        (("publish", "--date", "2025-04-01", "--show"), "was not published"),
        (
            ("publish", "--date", "9205-04-01"),
            "cannot be withdrawn; if the day is meant, say so (--yes)",
        ),
        (("event", "99"), "unknown event"),
        (("init",), "is there already"),
        (("player", "1", "--office", "nowhere.db"), "there is no office"),
    ],
)
def test_wrong_use_of_an_office(arpad: Arpad, club: Path, arguments: tuple[str, ...], said: str) -> None:
    done = arpad(*arguments)
    assert done.exit_code == 2
    assert said in done.stderr


def test_an_office_is_opened_without_heavy_libraries(club: Path) -> None:
    code = "import sys; from arpad.cli import run; run(['player', '1', '--office', sys.argv[1]]); print([*sys.modules])"
    done = subprocess.run([sys.executable, "-c", code, str(club)], capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1]
    assert not [name for name in ("numpy", "psycopg", "polars", "pyarrow", "pandas") if f"'{name}'" in loaded]


def test_each_file_has_its_own_outcome(arpad: Arpad, club: Path, tmp_path: Path) -> None:
    bad, good = tmp_path / "bad.csv", tmp_path / "good.csv"
    bad.write_text("nothing\n1\n")
    good.write_text("date,white,black,result\n2025-06-01,Dora,Ezio,1-0\n2025-06-01,Dora,Fido,*\n")
    done = arpad("import", bad, tmp_path / "missing.csv", good, "--accept", "--register", "--format", "json")
    assert done.exit_code == 2
    told = json.loads(done.stdout)
    assert [each["accepted"] for each in told] == [False, False, True]
    assert "No such file" in told[1]["error"]
    assert "good.csv: accepted as report 2: 1 game, 2 players, 1 event, 1 without a result" in done.stderr


def test_a_report_that_is_kept_can_be_refused_and_sent_again(arpad: Arpad, club: Path, tmp_path: Path) -> None:
    path = tmp_path / "more.csv"
    path.write_text("date,white,black,result\n2025-06-01,Dora,Ezio,1-0\n")
    assert arpad("import", path, "--refuse").exit_code == 2
    assert arpad("import", path).exit_code == 1
    done = arpad("import", path, "--refuse", "--reason", "not ours")
    assert (done.exit_code, done.stderr) == (0, f"{path}: report 2 is refused\n")
    assert arpad("import", path, "--refuse", "--accept").exit_code == 2
    assert "accepted as report 3" in arpad("import", path, "--accept", "--register").stderr
    assert arpad("import", path, "--refuse").exit_code == 2


def test_people_and_acts_answer_in_json_too(arpad: Arpad, club: Path, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("player,rating\n7,1800\n")
    done = arpad("import", path, "--as", "people", "--ids", "club", "--format", "json")
    assert json.loads(done.stdout) == [{"kind": "people", "count": 1, "accepted": False}]


@pytest.mark.parametrize(
    "arguments",
    [
        ("correct", "--game", "9" * 20, "--void", "--preview"),
        ("correct", "--event", "9" * 20, "--end", "2025-01-01", "--preview"),
        ("correct", "--revert", "9" * 20, "--preview"),
        ("event", "9" * 20),
        ("log", "--from", "9" * 20),
        ("import", "new.csv", "--match", f"Dora={'9' * 20}"),
        ("init", ":memory:"),
        ("init", ""),
    ],
)
def test_numbers_and_names_that_cannot_be_are_wrong_use(
    arpad: Arpad, club: Path, games: Path, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(games.parent)
    Path("new.csv").write_text("date,white,black,result\n2025-06-01,Dora,Ezio,1-0\n")
    done = arpad(*arguments)
    assert done.exit_code in (1, 2)
    assert done.stdout == ""


def test_a_changed_rulebook_is_adopted(arpad: Arpad, games: Path, tmp_path: Path) -> None:
    book, place = tmp_path / "mine.toml", tmp_path / "mine.db"
    text = load("elo").path.read_text()
    book.write_text(text)
    office = ("--office", place)
    assert arpad("init", place, "--rules", book).exit_code == 0
    assert arpad("import", games, *office, "--accept", "--register").exit_code == 0
    assert arpad("publish", "--date", "2025-05-01", *office).exit_code == 0
    book.write_text(text.replace("400", "480"))
    kept = arpad("publish", "--date", "2025-05-02", *office)
    assert (kept.exit_code, "warning: list 'mine': its rulebook reads otherwise now" in kept.stderr) == (0, True)
    assert "arpad correct --adopt" in kept.stderr
    seen = arpad("correct", "--adopt", "mine", "--preview", *office)
    assert "list 'mine' of 2025-05-01 now differs: 3 rating(s), 3 as printed" in seen.stderr
    assert arpad("correct", "--adopt", "mine", "--void", "--preview", *office).exit_code == 2
    assert arpad("correct", "--adopt", "mine", *office).exit_code == 2
    assert arpad("correct", "--adopt", "mine", "--reason", "put right", *office).exit_code == 0
    adopted = arpad("publish", "--date", "2025-06-01", *office)
    assert (adopted.exit_code, "warning" in adopted.stderr) == (0, False)


def test_acts_of_strangers_are_named_with_their_lines(arpad: Arpad, club: Path, tmp_path: Path) -> None:
    path = tmp_path / "acts.csv"
    path.write_text("date,player,kind,rating\n2025-03-02,Anna,adjustment,1700\n2025-03-02,Nobody,adjustment,1700\n")
    done = arpad("import", path, "--as", "acts", "--accept")
    assert done.exit_code == 1
    assert "acts.csv:3: player: unknown player 'Nobody'" in done.stderr


def test_merge_and_split(arpad: Arpad, club: Path) -> None:
    before = arpad("player", "Anna", "--format", "json").stdout
    met = arpad("merge", "Anna", "Bruno", "--reason", "x")
    assert met.exit_code == 1
    assert "they met, in game 1" in met.stderr
    more = club.parent / "more.csv"
    more.write_text("date,white,black,result\n2025-05-01,Dora,Bruno,1-0\n", encoding="utf-8")
    assert arpad("import", more, "--accept", "--register", "--match", "Bruno=2").exit_code == 0
    before = arpad("player", "Anna", "--format", "json").stdout
    seen = arpad("merge", "Anna", "Dora", "--preview", "--format", "json")
    done = arpad("merge", "1", "4", "--reason", "one person", "--format", "json")
    assert json.loads(done.stdout)["effect"] == json.loads(seen.stdout)["effect"]
    card = json.loads(arpad("player", "4", "--format", "json").stdout)
    assert (card["person"], card["lists"][0]["games"], card["merged"]) == (1, 3, [4])
    assert "person 4 is person 1" in arpad("log", "--last", "1").stdout
    assert arpad("split", "4", "--reason", "two").exit_code == 0
    assert arpad("player", "Anna", "--format", "json").stdout == before
    assert "was not merged" in arpad("split", "4", "--reason", "two").stderr
    assert arpad("verify").exit_code == 0


def test_names_numbers_federations_and_who_may_see_them(arpad: Arpad, club: Path) -> None:
    told = arpad("person", "Anna", "--name", "Bianchi, Anna", "--id", "fide=10023", "--federation", "ita")
    assert "person 1, 'Bianchi, Anna' (fide 10023)" in told.stdout
    assert arpad("person", "1", "--federation", "esp", "--since", "2025-07-01").exit_code == 0
    card = json.loads(arpad("player", "fide:10023", "--format", "json").stdout)
    assert card["federations"] == [[None, "ITA"], ["2025-07-01", "ESP"]]
    assert card["aliases"] == ["Anna"]
    arpad("publish", "--date", "2025-06-01")
    assert arpad("person", "1", "--show", "name=members", "--reason", "her wish").exit_code == 0
    public = arpad("publish", "--date", "2025-06-01", "--show", "--format", "csv")
    assert "Bianchi" not in public.stdout
    assert "player 1" in public.stdout
    assert "Bianchi" in arpad("publish", "--date", "2025-06-01", "--show", "--for", "members", "--format", "csv").stdout
    assert "Bianchi" not in arpad("event", "1", "--for", "public", "--format", "json").stdout
    assert arpad("person", "everybody", "--show", "name=officers").exit_code == 0
    assert "player 2" in arpad("player", "2", "--for", "members").stdout
    for arguments, said in (
        (("person", "everybody", "--name", "x"), "only what is shown"),
        (("person", "1", "--since", "2025-01-01"), "--since is the day"),
        (("person", "2", "--id", "fide=10023"), "person 1's"),
        (("person", "1", "--show", "phone=public"), "no field 'phone'"),
    ):
        done = arpad(*arguments)
        assert done.exit_code in (1, 2)
        assert said in done.stderr


def test_erase_export_and_bundle(arpad: Arpad, club: Path, tmp_path: Path) -> None:
    published = arpad("publish", "--date", "2025-06-01", "--format", "csv").stdout
    assert arpad("backup", tmp_path / "old.db").exit_code == 0
    rows = json.loads(arpad("export", "--person", "Anna").stdout)
    assert [game["game"] for game in rows["games"]] == [1, 3]
    assert "nothing was written" in arpad("erase", "Anna", "--preview").stderr
    done = arpad("erase", "Anna", "--reason", "her request")
    assert done.exit_code == 0
    assert "no rating changes" in done.stderr
    again = arpad("publish", "--date", "2025-06-01", "--show", "--format", "csv").stdout
    assert again == published.replace("Anna", "player 1")
    assert "Anna" not in arpad("export", "--person", "1").stdout
    assert b"Anna" not in club.read_bytes()
    other = ("--office", tmp_path / "other.db")
    assert arpad("restore", tmp_path / "old.db", *other, "--erased", "1").exit_code == 0
    assert arpad("publish", "--date", "2025-06-01", "--show", "--format", "csv", *other).stdout == again
    for name, options in (("all.zip", ()), ("public.zip", ("--public",))):
        assert arpad("bundle", "export", tmp_path / name, *options).exit_code == 0
        checked = arpad("bundle", "check", tmp_path / name)
        assert checked.exit_code == 0
        assert "1 of 1 published list replayed to the same bytes" in checked.stderr
        third = tmp_path / f"{name}.db"
        assert arpad("bundle", "import", tmp_path / name, third).exit_code == 0
        assert arpad("verify", "--office", third).exit_code == 0
    third = ("--office", tmp_path / "all.zip.db")
    assert arpad("publish", "--date", "2025-06-01", "--show", "--format", "csv", *third).stdout == again
    assert arpad("bundle", "import", tmp_path / "all.zip", tmp_path / "all.zip.db").exit_code == 2
