"""The list of rulebooks and their pages: what they are checked against, from when to when, and in Markdown."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner

from arpad.cli import arpad
from arpad.errors import RulebookError
from arpad.rulebooks import load, names
from arpad.rulebooks.schema import Evidence
from arpad.rulebooks.views import listing, markdown, show
from tests.engine.helpers import club

ROOT = Path(__file__).resolve().parent.parent.parent


def test_what_a_rulebook_was_checked_against_is_said_in_two_words() -> None:
    rows = {row["name"]: row for row in listing()}
    assert {str(row["evidence"]) for row in rows.values()} <= {*get_args(Evidence), "not said"} - {""}
    assert rows["fide/standard"]["evidence"] == "published ratings"
    assert rows["egf"]["evidence"] == "published examples"
    assert rows["boardgamearena"]["evidence"] == "formulas alone"


def test_nothing_verified_is_no_evidence() -> None:
    """Whoever writes that nothing was compared must not claim examples."""
    for name in names():
        book = load(name)
        if book.verified.startswith("nothing"):
            assert book.evidence in ("", "formulas alone"), name


def test_a_list_that_is_no_more_says_so(tmp_path: Path) -> None:
    ends = {
        "dci": date(2012, 1, 1),
        "ecf/grade": date(2020, 7, 1),
        "fsi": date(2021, 1, 1),
        "iccf/classic": date(2011, 1, 1),
        "iccf/logistic": date(2023, 7, 1),
        "lask": date(2016, 9, 1),
        "nsf": date(2018, 2, 1),
        "scrabble/nsa": date(2009, 1, 1),
    }
    assert {name: load(name).until for name in ends} == ends
    assert {row["name"]: row["until"] for row in listing()}["egf"] == ""
    edition = '[[edition]]\ncurve = { shape = "logistic" }\nk = [{ value = 20 }]\n'
    with pytest.raises(RulebookError, match="is none of"):
        club(tmp_path, edition, system='elo"\nevidence = "hearsay')


def test_markdown_tables_hold_bars_and_lines() -> None:
    told = markdown([{"a": "x|y", "b": "one\ntwo"}, {"a": 1, "b": ""}], {"b": "B", "a": "A"})
    assert told == "| B | A |\n| --- | --- |\n| one two | x\\|y |\n|  | 1 |\n"
    assert markdown([]) == "|  |\n|  |\n"


def test_the_list_may_be_printed_as_markdown() -> None:
    done = CliRunner().invoke(arpad, ["rules", "list", "--format", "markdown"])
    lines = done.output.splitlines()
    assert done.exit_code == 0
    assert lines[0].startswith("| name | organisation | game | from | until | editions | evidence | unsure |")
    assert len(lines) == len(names()) + 2
    assert any(line.startswith("| egf | European Go Federation | Go |") for line in lines)


def test_every_rulebook_has_a_page_and_every_page_a_rulebook() -> None:
    folder = ROOT / "docs" / "rulebooks"
    pages = {path.relative_to(folder).with_suffix("").as_posix(): path for path in folder.rglob("*.md")}
    assert sorted(pages) == names()
    for name, path in pages.items():
        text = path.read_text(encoding="utf-8")
        for part in ("## What it says", "## What is unsure", "## An example", f"--rules {name}", "**Checked against**"):
            assert part in text, name
        assert "\n- Traceback" not in text
        assert len(text) < 16_000, name


def test_the_list_in_the_documentation_links_to_the_pages() -> None:
    text = (ROOT / "docs" / "rulebooks.md").read_text(encoding="utf-8")
    assert [name for name in names() if f"[`{name}`](rulebooks/{name}.md)" not in text] == []


@pytest.mark.parametrize(
    ("day", "told"),
    [
        ("2022-10-01", "date 2022-10-01, of fide/standard, less 100, rounding half away from zero"),
        (
            "2024-03-01",
            "date 2024-03-01, share 0.4, towards 2000, rating_from 1000, rating_below 2000,"
            " rounding half away from zero",
        ),
    ],
)
def test_of_an_uplift_is_told_what_it_goes_by_and_no_more(day: str, told: str) -> None:
    rows = {row["clause"]: row["value"] for row in show(load("fide/rapid"), date.fromisoformat(day))}
    assert rows["uplift[1]"] == told


@pytest.mark.parametrize("pair", ['of = "fide/standard"\nshare = 0.4', "share = 0.4\ntowards = 2000\nless = 100"])
def test_an_uplift_goes_by_a_share_or_by_another_list(tmp_path: Path, pair: str) -> None:
    edition = '[[edition]]\ncurve = { shape = "logistic" }\nk = [{ value = 20 }]\n'
    with pytest.raises(RulebookError, match=r"uplift\[1\].*without `of`"):
        club(tmp_path, f"{edition}[[edition.uplift]]\ndate = 2024-03-01\n{pair}\n")
