"""Every rulebook that ships: it loads, says where each clause comes from, and explains it in words."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date

import pytest

from arpad.rulebooks import load, names, presets
from arpad.rulebooks.views import clauses, diff, editions, listing, show

READINGS = [reading for name in names() for reading in (name, *(f"{name}:{preset}" for preset in presets(name)))]


@pytest.mark.parametrize("reading", READINGS)
def test_every_clause_has_an_article_or_a_source_and_words(reading: str) -> None:
    book = load(reading)
    assert book.title["en"]
    assert book.cadence
    assert book.verified
    for edition in book.editions:
        assert edition.source
        for name, clause in clauses(edition):
            assert clause.article or clause.source, f"{edition.since} {name}"
            assert clause.text.get("en"), f"{edition.since} {name}"


@pytest.mark.parametrize("reading", READINGS)
def test_italian_and_spanish_words(reading: str) -> None:
    book = load(reading)
    texts = [clause.text for edition in book.editions for _, clause in clauses(edition)]
    texts += [parameter.text for parameter in book.parameters.values()] + [book.title]
    texts += [edition.text for edition in book.editions if edition.text]
    assert [text for text in texts if not {"en", "it", "es"} <= set(text)] == []


@pytest.mark.parametrize("reading", READINGS)
def test_every_parameter_says_what_it_is(reading: str) -> None:
    assert all(parameter.text.get("en") for parameter in load(reading).parameters.values())


@pytest.mark.parametrize("reading", READINGS)
def test_every_edition_can_be_shown_and_is_plain_data(reading: str) -> None:
    book = load(reading)
    for edition in book.editions:
        rows = show(book, edition.since)
        assert rows
        assert all(row["edition"] and row["value"] for row in rows)
        assert json.loads(json.dumps(rows)) == rows
    assert len(editions(book)) == len(book.editions)


def test_the_listing_has_a_row_for_each() -> None:
    rows = {row["name"]: row for row in listing()}
    assert sorted(rows) == names()
    assert rows["fide/standard"]["from"] == "1971-07-01"
    assert rows["elo"]["from"] == "the beginning"
    assert rows["elo"]["unsure"] == 0
    assert rows["asigc"]["unsure"]


def test_a_difference_names_clause_before_after_and_article() -> None:
    book = load("fide/standard")
    changed = {row["clause"]: row for row in diff(book, date(2025, 9, 30), date(2025, 10, 1))}
    assert changed == {
        "cap[1]": {"clause": "cap[1]", "before": "400", "after": "none if rating ≥ 2650", "article": "8.3.1"},
        "cap[2]": {"clause": "cap[2]", "before": "", "after": "400", "article": "8.3.1"},
    }
    assert not diff(book, date(2025, 10, 1), date(2026, 1, 1))


def test_words_do_not_change_the_digest_and_numbers_do() -> None:
    assert load("elo").digest == load("elo").digest
    assert load("elo", {"k": 31}).digest != load("elo").digest
    assert load("elo", {"k": "32"}).digest == load("elo").digest


def test_loading_one_rulebook_imports_nothing_heavy() -> None:
    code = "import sys; from arpad import rulebooks; rulebooks.load('elo'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numpy", "pyarrow", "csv", "hashlib", "arpad.rulebooks.tables"} & set(loaded)
