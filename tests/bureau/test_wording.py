"""Entries of the log in three languages: the same phrases with the same gaps, and no word of the ledger left over."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from arpad.bureau import cards, why, wording
from arpad.bureau.opened import AUDIENCES, LEVELS, open_office
from arpad.bureau.people import merge, show, split
from arpad.errors import UnknownName
from arpad.ledger.facts import CHANGEABLE, KINDS
from tests.bureau.test_attempts import everything

LANGUAGES = ("en", "it", "es")


@pytest.mark.parametrize("phrases", [wording.PHRASES, why.PHRASES])
def test_every_phrase_of_an_entry_has_the_same_gaps_in_every_language(
    phrases: dict[str, dict[str, str]],
) -> None:
    assert tuple(phrases) == LANGUAGES
    gaps = [
        {name: {gap for _, gap, _, _ in Formatter().parse(text) if gap} for name, text in each.items()}
        for each in phrases.values()
    ]
    assert gaps[0] == gaps[1] == gaps[2]


@pytest.mark.parametrize("language", ["it", "es"])
def test_every_word_of_the_ledger_is_translated(language: str) -> None:
    known = {
        "entry": set(KINDS) | {"publish"},
        "act": {"entry", "blend", "adjustment", "floor", "first"},
        "fact": {*CHANGEABLE, *(name for names in CHANGEABLE.values() for name in names)},
        "field": set(LEVELS),
        "level": set(AUDIENCES),
    }
    assert {group: set(terms) for group, terms in wording.TERMS[language].items()} == known


def test_a_log_leaves_no_english_word_in_another_language(tmp_path: Path) -> None:
    place = str(tmp_path / "office.db")
    everything(place)
    with open_office(place) as office:
        merge(office, 4, 5, "una persona")
        split(office, 5, "due persone")
        show(office, 0, {"born": "officers", "aliases": ""})
        logs = {language: cards.log(office, language=language) for language in LANGUAGES}
        with pytest.raises(UnknownName, match="unknown language 'de'"):
            cards.log(office, language="de")
    kinds = {line.kind for line in logs["en"]}
    assert kinds == set(KINDS) - {"refuse", "base"} | {"publish"}
    english = re.compile(
        r"\b(report|event\(s\)|game|games|person|person\(s\)|of|for|by|from|takes|score|members|name)\b"
    )
    said = [line.what for line in logs["en"] if english.search(line.what)]
    assert len(said) > 8
    for language in ("it", "es"):
        assert [line.what for line in logs[language] if english.search(line.what)] == []
        assert [line.kind for line in logs[language]] == [line.kind for line in logs["en"]]
